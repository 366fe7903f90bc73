"""A newcomer's way in a real browser: set Bellboard up, let Assist use it, get the first answer.

Each thing a person does on one screen is a step: choosing, typing and sending what one form asks for.
"""

import argparse
import asyncio
from dataclasses import asdict, dataclass, field
import json
from pathlib import Path
import re
import sys
import tempfile
import time

from playwright.async_api import Locator, Page

from . import dialogs
from .api import Api
from .boot import HomeAssistant, Wishes, free_port, remove_directory
from .browser import Screen, browser, signed_in
from .errors import DemoError
from .household import become_owner, move_in
from .model import ModelServer, find_server, stop_server

SENTENCE = "turn on the floor lamp"
_WIDE = 870
"""With fewer pixels than this, Home Assistant's page is that of a telephone."""


@dataclass(slots=True)
class Walk:
    """What was done so far, and how long it took."""

    page: Page
    screenshots: Path | None
    steps: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    async def step(self, name: str) -> None:
        """Note that a person did one thing, and keep a picture of the screen it was done on."""
        self.steps.append(name)
        if self.screenshots is not None:
            await asyncio.sleep(0.6)  # what moves has arrived
            path = (
                self.screenshots
                / f"{len(self.steps):02}-{re.sub('[^a-z]+', '-', name.lower())}.png"
            )
            await self.page.screenshot(path=path)


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a walk: the steps, seconds without a person's own time, and what was answered."""

    steps: list[str]
    seconds: float
    reply: str
    lit: bool


async def walk(page: Page, url: str, server: ModelServer | None, screenshots: Path | None) -> Found:
    """Go the way from the copied folder to the first answer."""
    way = Walk(page, screenshots)
    await set_up(way, url, server)
    reply = await ask(way, url, SENTENCE)
    return Found(way.steps, round(time.monotonic() - way.started, 1), reply, lit=False)


async def set_up(way: Walk, url: str, server: ModelServer | None) -> None:
    """Set Bellboard up by its form, and let Assist use it."""
    page = way.page
    await page.goto(f"{url}/config/integrations/dashboard/add?domain=bellboard")
    await way.step("Open the link")
    await _press(way, "Agree to set Bellboard up", page.get_by_text("OK", exact=True))

    form = dialogs.form(page)
    await form.wait_for()
    await form.get_by_text("No model (" if server is None else _title(server)).first.click()
    await _press(way, "Choose where the model runs", dialogs.submit(page))
    if server is not None:
        address = form.locator("ha-selector-text input").first
        await address.wait_for()
        await address.fill(server.url)
        await _press(way, "Say where the server is", dialogs.submit(page))
    menu, created = dialogs.menu(page), dialogs.created(page)
    await menu.or_(created).first.wait_for()
    # Where voice assistants need what this machine cannot compile, there are none.
    if await menu.is_visible():
        await _press(way, "Let Assist use it", menu.get_by_text("Yes, use it now"))
    await created.wait_for()
    await _press(way, "Read what to try and finish", dialogs.finish(page))


async def ask(way: Walk, url: str, sentence: str) -> str:
    """Say a sentence in Assist, and return what is answered of the floor lamp."""
    page = way.page
    await page.goto(f"{url}/home")
    await page.get_by_text("Welcome Demo").first.wait_for()
    await _press(way, "Open Assist", await _assist(page))
    message = page.locator("ha-assist-chat").locator("input, textarea").first
    await message.wait_for()
    await message.fill(sentence)
    await message.press("Enter")
    # What was said has no capitals, what is answered names the lamp as it is called.
    reply = page.get_by_text(re.compile("Floor Lamp")).last
    await reply.wait_for()
    await way.step("Say a sentence")
    return (await reply.inner_text()).strip()


async def _press(way: Walk, name: str, button: Locator) -> None:
    """Do what ends a step."""
    await button.wait_for()
    await way.step(name)
    await button.click()


async def _assist(page: Page) -> Locator:
    """Return what opens Assist: at the top of the page, or in its menu where that is narrow."""
    if page.viewport_size and page.viewport_size["width"] >= _WIDE:
        return page.get_by_label(re.compile("^Assist")).last
    await page.locator("#dashboardmenu").click()
    return page.get_by_role("menuitem").filter(has_text="Assist").last


def _title(server: ModelServer) -> str:
    """Return what the kind of a model server is called in the form."""
    return "Ollama" if server.provider == "ollama" else "llama.cpp"


async def first_hour(options: argparse.Namespace) -> Found:
    """Start Home Assistant with a made-up house, and go a newcomer's way in it."""
    directory = Path(tempfile.mkdtemp(prefix="bellboard-first-hour-"))
    server = await find_server(options.llm)
    try:
        wishes = Wishes(directory, free_port(), frontend=True, develop=False)
        async with HomeAssistant(wishes) as home, Api(home.url) as api, browser() as chromium:
            owner = await become_owner(api, directory)
            await move_in(api)
            page = await signed_in(chromium, home.url, owner, Screen(width=options.width))
            try:
                found = await walk(page, home.url, server, options.screenshots)
            except BaseException:
                if options.screenshots:
                    await page.screenshot(path=options.screenshots / "failed.png")
                raise
            state = await api.get("/api/states/light.floor_lamp")
            return Found(found.steps, found.seconds, found.reply, lit=state["state"] == "on")
    finally:
        await stop_server(server)
        await asyncio.to_thread(remove_directory, directory)


def parse() -> argparse.Namespace:
    """Read the command line; scripts/first-hour explains it."""
    parser = argparse.ArgumentParser(prog="scripts/first-hour")
    parser.add_argument("--llm", default="local", metavar="none|local|URL")
    parser.add_argument("--width", type=int, default=1280, metavar="PIXELS")
    parser.add_argument("--screenshots", type=Path, metavar="DIR")
    return parser.parse_args()


def main() -> int:
    """Walk once; return 0 if the lamp that was spoken of is lit at the end."""
    options = parse()
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    try:
        found = asyncio.run(first_hour(options))
    except DemoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(json.dumps(asdict(found), ensure_ascii=False))
    return 0 if found.lit else 1


if __name__ == "__main__":
    sys.exit(main())

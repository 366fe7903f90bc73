"""A newcomer's way in a real browser: set Bellboard up, get the first answer, see why, put a mistake right.

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
LAMP = "light.floor_lamp"
MISSED = "let the stories begin"
"""A sentence that nobody could understand who was not told what is meant by it."""
_WIDE = 870
"""With fewer pixels than this, Home Assistant's page is that of a telephone."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """Something that a newcomer wants, and after how many steps and seconds of the machine's it was reached."""

    name: str
    steps: int
    seconds: float


@dataclass(slots=True)
class Walk:
    """What was done so far, and how long it took."""

    page: Page
    screenshots: Path | None
    steps: list[str] = field(default_factory=list)
    reached: list[Milestone] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def reach(self, name: str) -> None:
        """Note what is reached by the steps so far."""
        took = round(time.monotonic() - self.started, 1)
        self.reached.append(Milestone(name, len(self.steps), took))

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
    """What came of a walk: the steps, seconds without a person's own time, and what was answered.

    `why` is what the page says of who answered, `missed` and `mended` are the answers to one sentence before and
    after it was put right. It is `lit` where the lamp was on after the first sentence and after the last.
    """

    steps: list[str]
    milestones: list[Milestone]
    seconds: float
    reply: str
    why: str
    missed: str
    mended: str
    lit: bool


async def walk(
    page: Page, home: HomeAssistant, api: Api, server: ModelServer | None, screenshots: Path | None
) -> Found:
    """Go the way from the copied folder to a mistake that is right the next time."""
    way, url = Walk(page, screenshots), home.url
    await set_up(way, url, server)
    reply = await ask(way, url, SENTENCE, re.compile("Floor Lamp"))
    way.reach("the first answer")
    is_lit = await _is_on(api)
    why = await look_why(way, SENTENCE)
    way.reach("why it was answered so")
    await api.post("/api/services/light/turn_off", {"entity_id": LAMP})
    missed = await ask(way, url, MISSED, re.compile("Sorry"))
    await put_right(way, MISSED)
    mended = await ask(way, url, MISSED, re.compile("Floor Lamp"))
    way.reach("a mistake that is right the next time")
    is_lit = is_lit and await _is_on(api)
    seconds = round(time.monotonic() - way.started, 1)
    return Found(way.steps, way.reached, seconds, reply, why, missed, mended, lit=is_lit)


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


async def ask(way: Walk, url: str, sentence: str, answer: re.Pattern[str]) -> str:
    """Say a sentence in Assist, and return what is answered, which has to be of some kind."""
    page = way.page
    await page.goto(f"{url}/home")
    await page.get_by_text("Welcome Demo").first.wait_for()
    await _press(way, "Open Assist", await _assist(page))
    chat = page.locator("ha-assist-chat")
    message = chat.locator("input, textarea").first
    await message.wait_for()
    await message.fill(sentence)
    await message.press("Enter")
    reply = chat.locator(".message.hass").get_by_text(answer).last
    await reply.wait_for()
    await way.step("Say a sentence")
    return (await reply.inner_text()).strip()


async def look_why(way: Walk, sentence: str) -> str:
    """Look in the sidebar's page who answered a sentence, and return why."""
    await _look_at_turn(way, sentence)
    why = _part(way.page, "section-candidates").first
    await why.wait_for()
    return " ".join((await why.inner_text()).split())


async def put_right(way: Walk, sentence: str) -> None:
    """Say in the sidebar's page what was meant by a sentence."""
    page = way.page
    await _look_at_turn(way, sentence)
    await _press(way, "Say that it was wrong", _part(page, "wrong"))
    await _part(page, "devices-search").fill("floor lamp")
    await page.locator(f"[data-test=device] input[value='{LAMP}']").check()
    await _part(page, "correct-action").select_option("set")
    await _part(page, "correct-value-percent").fill("20")
    await _press(way, "Choose what was meant", _part(page, "correct-send"))
    await _part(page, "turn-corrected").wait_for()


async def _look_at_turn(way: Walk, sentence: str) -> None:
    page = way.page
    link = page.locator("a[href='/bellboard']")
    close = page.get_by_role("button", name="Close").first
    if await close.is_visible():
        await close.click()
    if not await link.is_visible():
        await page.locator("ha-menu-button").first.click()
    await _press(way, "Open Bellboard in the sidebar", link)
    await _press(way, "Choose the sentence", _part(page, "turn").filter(has_text=sentence).first)


def _part(page: Page, name: str) -> Locator:
    """Return a part of the sidebar's page by its name."""
    return page.locator(f"[data-test={name}]")


async def _is_on(api: Api) -> bool:
    """Return whether the lamp that is spoken of is on."""
    return bool((await api.get(f"/api/states/{LAMP}"))["state"] == "on")


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
                return await walk(page, home, api, server, options.screenshots)
            except BaseException:
                if options.screenshots:
                    await page.screenshot(path=options.screenshots / "failed.png")
                raise
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

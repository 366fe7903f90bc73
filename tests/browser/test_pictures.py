"""The pictures in the documents are of the real thing: `scripts/pictures` runs these tests and keeps what they see."""

import os
from pathlib import Path
import re

from demonstration import dialogs
from demonstration.browser import Screen
from playwright.async_api import Locator, Page, expect
import pytest

from .forms import IntegrationPage
from .home import Home
from .sidebar import SidebarPage

pytestmark = pytest.mark.browser

CONVERSATION = (
    "dim the floor lamp to 35 percent and close the kitchen blinds",
    "make it a bit brighter",
    "turn it off in two hours",
)
SHOWN = CONVERSATION[0]
DESK = Screen(width=1100, height=760)
TALL = Screen(width=1100, height=1500)


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Return the folder for the pictures: that of BELLBOARD_PICTURES, else one that nobody keeps."""
    folder = Path(os.environ.get("BELLBOARD_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


async def keep(seen: Page | Locator, path: Path) -> None:
    """Keep a picture of what is seen once nothing moves any more."""
    page = seen if isinstance(seen, Page) else seen.page
    await page.wait_for_timeout(700)
    assert len(await seen.screenshot(path=path, animations="disabled")) > 5_000


@pytest.mark.parametrize("page", [Screen(width=900, height=700)], indirect=True)
async def test_a_conversation(page: Page, home: Home, assistant: str, album: Path) -> None:
    await page.goto(f"{home.url}/home")
    await page.get_by_text("Welcome Demo").first.wait_for()
    await page.get_by_label("Assist").last.click()
    chat = page.locator("ha-assist-chat")
    message = chat.locator("input, textarea").first
    for number, sentence in enumerate(CONVERSATION, start=1):
        await message.fill(sentence)
        await message.press("Enter")
        await expect(chat.locator(".message.user")).to_have_count(number)
        # Dots stand there until the answer does.
        last = chat.locator(".message").last
        await expect(last).to_have_class(re.compile("hass"))
        await expect(last).to_have_text(re.compile(r"\w"))
    await keep(page, album / "conversation.png")


@pytest.mark.parametrize("page", [TALL], indirect=True)
async def test_the_turns_and_one_of_them(
    page: Page, home: Home, assistant: str, album: Path
) -> None:
    panel = SidebarPage(page, home.url)
    await panel.open()
    if not await panel.turn(SHOWN).count():
        await home.say(assistant, SHOWN)
    await keep(panel.part("view-turns"), album / "turns.png")
    await panel.look_at_turn(SHOWN)
    await keep(page, album / "turn.png")
    await panel.part("wrong").click()
    await expect(panel.part("correct-devices")).to_be_visible()
    await keep(page, album / "correct.png")


@pytest.mark.parametrize("page", [Screen(width=390, height=844, dark=True)], indirect=True)
async def test_a_try_on_a_phone(page: Page, home: Home, album: Path) -> None:
    panel = SidebarPage(page, home.url)
    await panel.open("try")
    await panel.try_sentence("close the blinds downstairs and lock the back door")
    await keep(page, album / "try-phone.png")


@pytest.mark.parametrize("page", [DESK], indirect=True)
async def test_the_form_of_an_agent(page: Page, home: Home, album: Path) -> None:
    form = await IntegrationPage(page, home.url).add_agent("Blinds")
    await form.text("try").fill("close the blinds in the living room")
    await form.send()
    await expect(form.root).to_contain_text("I would")
    await dialogs.form(page).get_by_text("I would").scroll_into_view_if_needed()
    await keep(page, album / "form.png")

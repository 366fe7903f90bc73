"""The calendar of an assistant in Home Assistant's own page for calendars."""

from playwright.async_api import Page, expect
import pytest

from .home import Home

pytestmark = pytest.mark.browser


async def test_what_is_planned_is_in_the_calendar_and_deleted_there(
    page: Page, home: Home, assistant: str
) -> None:
    await home.say(assistant, "turn off the floor lamp in 10 minutes")
    await page.goto(f"{home.url}/calendar")
    event = page.get_by_text("Turn off Floor Lamp").first
    await expect(event).to_be_visible()
    await event.click()
    await page.get_by_text("Delete event").first.click()
    await page.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_text("Turn off Floor Lamp")).to_have_count(0)
    assert (await home.say(assistant, "what is planned?")).reply == "Nothing is planned."

"""The form of an assistant: what is changed in it is kept, and what cannot be is said at its field, on any screen."""

from demonstration.browser import Screen
from playwright.async_api import Page, expect
import pytest

from .forms import Form, IntegrationPage
from .home import Home

pytestmark = pytest.mark.browser

PHONE = Screen(width=390, height=844, dark=True)
HOURS = "Keep conversations for"


async def is_dark(form: Form) -> bool:
    """Return whether light text stands on something darker."""
    script = """element => {
        const light = color => color.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
        const dialog = getComputedStyle(document.documentElement);
        const surface = document.createElement("div");
        surface.style.color = dialog.getPropertyValue("--card-background-color");
        document.body.append(surface);
        const ground = light(getComputedStyle(surface).color);
        surface.remove();
        return light(getComputedStyle(element).color) > ground;
    }"""
    return bool(await form.root.evaluate(script))


@pytest.mark.parametrize(
    ("page", "hours"),
    [(Screen(), 48), (PHONE, 72)],
    ids=["desk", "phone, dark"],
    indirect=["page"],
)
async def test_what_is_changed_is_kept_and_shown_again(page: Page, home: Home, hours: int) -> None:
    bellboard = IntegrationPage(page, home.url)
    form = await bellboard.change_assistant()
    await form.number(HOURS).fill(str(hours))
    await form.send()
    await form.finish("Reconfiguration was successful")
    await home.await_loaded()
    form = await bellboard.change_assistant()
    await expect(form.number(HOURS)).to_have_value(str(hours))


@pytest.mark.parametrize("page", [PHONE], indirect=True)
async def test_all_of_it_fits_a_phone_and_is_dark_where_that_is_liked(
    page: Page, home: Home
) -> None:
    form = await IntegrationPage(page, home.url).change_assistant()
    fields = form.root.locator("ha-selector")
    assert await fields.count() == 7
    for field in await fields.all():
        await field.scroll_into_view_if_needed()
        box = await field.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE.width
    assert await page.evaluate("document.scrollingElement.scrollWidth") <= PHONE.width
    assert await is_dark(form)


async def test_it_is_light_where_that_is_liked(page: Page, home: Home) -> None:
    form = await IntegrationPage(page, home.url).change_assistant()
    assert not await is_dark(form)


async def test_a_template_that_cannot_be_is_said_at_its_field_and_nothing_is_kept(
    page: Page, home: Home
) -> None:
    bellboard = IntegrationPage(page, home.url)
    form = await bellboard.change_assistant()
    await form.switch("Advanced")
    await form.send()
    await form.choose_next("Answers")
    message = form.text("partial_failure_template")
    was = await message.input_value()
    await message.fill("{successMessage}, but {nobody}")
    await form.send()
    said = await form.error_at("partial_failure_template")
    assert "It may hold {successMessage}, {failureMessage}" in said
    await expect(message).to_have_value("{successMessage}, but {nobody}")
    form = await bellboard.change_assistant()
    await form.switch("Advanced")
    await form.send()
    await form.choose_next("Answers")
    await expect(form.text("partial_failure_template")).to_have_value(was)

"""A connection is set up by its form, and what is wrong with it is said where it was typed."""

from demonstration import dialogs
from demonstration.boot import has_pipelines
from playwright.async_api import Page, expect
import pytest

from .forms import Form
from .home import Home

pytestmark = pytest.mark.browser

ADD = "/config/integrations/dashboard/add?domain=bellboard"


async def open_form(page: Page, home: Home) -> Form:
    """Open the form of a new connection."""
    await page.goto(home.url + ADD)
    await page.get_by_text("OK", exact=True).click()
    form = Form(page)
    await form.root.wait_for()
    return form


async def test_without_a_model_it_works_at_once_and_assist_uses_it(
    home: Home, assistant: str
) -> None:
    entry = await home.connection()
    assert (entry["title"], entry["state"]) == ("Without a model", "loaded")
    turn = await home.say(assistant, "turn on the floor lamp")
    assert turn.changes["light.floor_lamp"]["to"] == "on"
    assert turn.llm["calls"] == 0
    if has_pipelines():
        listed = await home.api.command("assist_pipeline/pipeline/list")
        [used] = [
            each for each in listed["pipelines"] if each["id"] == listed["preferred_pipeline"]
        ]
        assert used["conversation_engine"] == assistant


async def test_none_is_set_up_twice(page: Page, home: Home) -> None:
    form = await open_form(page, home)
    await form.root.get_by_text("No model (").first.click()
    await form.send()
    await expect(dialogs.ended(page)).to_contain_text("This is set up already, as")
    assert (await home.connection())["state"] == "loaded"


async def test_an_address_where_nothing_answers_is_said_at_its_field(
    page: Page, home: Home
) -> None:
    form = await open_form(page, home)
    await form.root.get_by_text("Ollama").first.click()
    await form.send()
    address = form.text("url")
    # Nothing listens on the port of "discard".
    await address.fill("http://127.0.0.1:9")
    await form.send()
    assert (await form.error_at("url")).startswith("Nothing can be reached at this address.")
    await expect(address).to_have_value("http://127.0.0.1:9")

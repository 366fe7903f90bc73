"""An agent of one's own, made by its form from a template, does what people say with its devices, without a model."""

from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect
import pytest
import yaml

from .forms import IntegrationPage
from .home import Condition, Home, conditions

pytestmark = pytest.mark.browser


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, how the devices are before it, and what has changed after it."""

    text: str
    language: str
    before: Mapping[str, Condition]
    then: Mapping[str, Condition]


def sentences(template: str) -> list[Said]:
    """Return what is said to the agent of a template."""
    file = Path(__file__).with_name("sentences.yaml")
    found: Any = yaml.safe_load(file.read_text(encoding="utf-8"))[template]
    return [
        Said(
            row["say"],
            row.get("language", "en"),
            found["start"] | row.get("before", {}),
            row["then"],
        )
        for row in found["sentences"]
    ]


@pytest.fixture
async def agents(home: Home) -> AsyncGenerator[None]:
    """Remove the agents that a test made."""
    yield
    own = {"entry_id": (await home.connection())["entry_id"]}
    for each in await home.api.command("config_entries/subentries/list", **own):
        if each["subentry_type"] == "agent":
            await home.api.command(
                "config_entries/subentries/delete", **own, subentry_id=each["subentry_id"]
            )
            await home.await_loaded()


@pytest.mark.usefixtures("agents")
@pytest.mark.parametrize("template", ["blinds", "vacuum", "locks"])
async def test_it_does_what_people_say(
    page: Page, home: Home, assistant: str, template: str
) -> None:
    said = sentences(template)
    languages = Counter(each.language for each in said)
    assert len(said) == 20
    assert (languages["en"], languages["de"]) == (12, 4)

    # Tried in the form, a sentence does nothing yet.
    name, agent_id, first = template.title(), f"{template}-agent", said[0]
    bellboard = IntegrationPage(page, home.url)
    form = await bellboard.add_agent(name)
    await home.arrange(first.before)
    before = await home.states()
    await form.text("try").fill(first.text)
    field = form.field("Try a sentence")
    await field.scroll_into_view_if_needed()
    await form.send()
    # What is told is right where somebody looks who typed the sentence.
    tried = field.get_by_text(f"{name}: I would ")
    await expect(tried).to_be_in_viewport()
    assert await home.states() == before
    await expect(bellboard.row(name)).to_have_count(0)

    await form.text("try").fill("")
    await form.send()
    await form.finish(f"Created configuration for {name}")
    await expect(bellboard.row(name)).to_be_visible()
    await home.await_loaded()

    missed = []
    for each in said:
        await home.arrange(each.before)
        turn = await home.say(assistant, each.text, language=each.language)
        found = conditions(turn, each.then), [agent["id"] for agent in turn.agents]
        if found != (each.then, [agent_id]) or turn.llm["calls"]:
            missed.append((each.text, *found, turn.reply))
    assert not missed


@pytest.mark.usefixtures("agents")
async def test_a_name_that_is_taken_is_said_at_its_field(page: Page, home: Home) -> None:
    form = await IntegrationPage(page, home.url).add_agent("Blinds")
    name = form.text("name")
    await name.fill("Home")
    await form.send()
    assert await form.error_at("name") == "Another agent is called so, or nearly so."
    await expect(name).to_have_value("Home")

"""What Home Assistant reads in free wordings is known before it is done."""

from typing import Any

from gazetteer_matcher import GazetteerMatcher, Interpretation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.nlu.gazetteer import GazetteerReading, async_match
from tests.conftest import Setup
from tests.one_house import in_one_house


async def read(hass: HomeAssistant, text: str, **options: Any) -> GazetteerReading | None:
    """Read a sentence as it is read in a home that is not changed since."""
    values: dict[str, Any] = {"language": "en", "version": 1, "area_id": None} | options
    return await async_match(hass, text, **values)


@in_one_house(
    ("text", "intents"),
    [
        (
            "would you kindly close up the kitchen blinds",
            {("HassTurnOff", ("cover.kitchen_blinds",))},
        ),
        (
            "I want the coffee machine on",
            {("HassTurnOn", ("switch.coffee_machine",))},
        ),
    ],
)
async def test_free_wordings_are_read(
    hass: HomeAssistant, house: ConfigEntry, text: str, intents: set[tuple[str, tuple[str, ...]]]
) -> None:
    reading = await read(hass, text)
    assert reading
    assert {(intent.name, intent.targets) for intent in reading.intents} == intents


@in_one_house("text", ["colourless green ideas", "", "what a lovely day"])
async def test_other_words_are_not(hass: HomeAssistant, house: ConfigEntry, text: str) -> None:
    assert await read(hass, text) is None


async def test_it_reads_no_other_language(hass: HomeAssistant, house: ConfigEntry) -> None:
    assert await read(hass, "I want the coffee machine on", language="de") is None


async def test_a_room_that_is_gone_costs_nothing(hass: HomeAssistant, house: ConfigEntry) -> None:
    assert await read(hass, "I want the coffee machine on", area_id="nowhere")


async def test_names_are_read_again_when_they_changed(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    catalog = CatalogSource(hass)
    catalog.async_listen()
    text = "I want the coffee machine on"
    assert await read(hass, text, version=(await catalog.async_get()).version)
    async_expose_entity(hass, "conversation", "switch.coffee_machine", should_expose=False)
    await hass.async_block_till_done()
    assert not await read(hass, text, version=(await catalog.async_get()).version)


async def test_a_turn_matches_its_words_once(speak: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    matched: list[str] = []
    interpret = GazetteerMatcher.interpret

    def counted(self: GazetteerMatcher, text: str, **options: Any) -> Interpretation:
        matched.append(text)
        return interpret(self, text, **options)

    monkeypatch.setattr(
        "custom_components.bellboard.nlu.gazetteer.GazetteerMatcher.interpret", counted
    )
    speaker = await speak()
    text = "colourless green ideas sleep furiously in winter"
    await speaker.say(text)
    ours = [each for each in matched if each == text]
    # Home Assistant's own agent is asked last, and has a matcher of its own.
    assert len(ours) <= 2


async def test_what_was_matched_before_acts_on_what_is_there_now(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    first, second = [await read(hass, "coffee machine on") for _ in range(2)]
    assert first == second
    hass.states.async_remove("switch.coffee_machine")
    third = await read(hass, "coffee machine on")
    assert third is None or third.intents[0].targets == ()


async def test_only_what_is_said_whole_is_exact(hass: HomeAssistant, house: ConfigEntry) -> None:
    whole = await read(hass, "coffee machine on")
    assert whole
    assert whole.is_exact
    half_heard = await read(hass, "I want the coffee machine on")
    assert half_heard
    assert not half_heard.is_exact

"""How the routing is doing can be seen, by whoever switches that on."""

from typing import Any

from homeassistant.components.sensor import SensorDeviceClass, SensorStateClass
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_UNIT_OF_MEASUREMENT, EntityCategory
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.helpers.icon import async_get_icons
from homeassistant.helpers.translation import async_get_translations
import pytest

from custom_components.bellboard import BellboardConfigEntry
from custom_components.bellboard.assistant import observations_of
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.routing.models import Assignment, Route, Source
from custom_components.bellboard.sensor import SENSORS
from custom_components.bellboard.telemetry.statistics import RoutingStatistics
from tests.conftest import Setup, Speaker

KEYS = ("decisions", "latency_p50", "latency_p95", "mean_confidence", "fallbacks")


def the_entry(hass: HomeAssistant) -> BellboardConfigEntry:
    """Return Bellboard's only entry."""
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    return entry


def statistics_of(hass: HomeAssistant) -> RoutingStatistics:
    """Return the statistics of the only assistant."""
    (assistant,) = the_entry(hass).runtime_data.assistants.values()
    return assistant.statistics


def sensors(hass: HomeAssistant) -> dict[str, er.RegistryEntry]:
    """Return the sensors in the registry by their keys."""
    (subentry_id,) = the_entry(hass).subentries
    found = er.async_entries_for_config_entry(er.async_get(hass), the_entry(hass).entry_id)
    return {
        entity.unique_id.removeprefix(f"{subentry_id}_"): entity
        for entity in found
        if entity.domain == "sensor" and entity.config_subentry_id == subentry_id
    }


async def switch_on(hass: HomeAssistant, *keys: str) -> None:
    """Enable sensors as a person would, and let Home Assistant load them."""
    for key, entity in sensors(hass).items():
        if key in keys:
            er.async_get(hass).async_update_entity(entity.entity_id, disabled_by=None)
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done()


def state_of(hass: HomeAssistant, key: str) -> State:
    """Return the state of a sensor."""
    state = hass.states.get(sensors(hass)[key].entity_id)
    assert state
    return state


def route(agent_id: str, confidence: float, source: Source) -> Route:
    """Return a decision."""
    part = Assignment(agent_id=agent_id, instruction="x", confidence=confidence, source=source)
    return Route((part,))


@pytest.fixture
async def speaker(speak: Setup) -> Speaker:
    """Someone who talks to an assistant without a model."""
    return await speak()


@pytest.mark.usefixtures("speaker")
async def test_they_are_there_and_off(hass: HomeAssistant) -> None:
    found = sensors(hass)
    assert set(found) == set(KEYS) == {description.key for description in SENSORS}
    for entity in found.values():
        assert entity.disabled_by is er.RegistryEntryDisabler.INTEGRATION
        assert entity.entity_category is EntityCategory.DIAGNOSTIC
        assert hass.states.get(entity.entity_id) is None


async def test_they_belong_to_the_device_of_their_assistant(
    hass: HomeAssistant, speaker: Speaker
) -> None:
    spoken_to = er.async_get(hass).async_get(speaker.agent_id)
    assert spoken_to
    assert {entity.device_id for entity in sensors(hass).values()} == {spoken_to.device_id}
    assert {entity.config_subentry_id for entity in sensors(hass).values()} == {spoken_to.unique_id}
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), the_entry(hass).entry_id)
    assert (device.name, device.manufacturer) == ("Bellboard", "Bellboard")


@pytest.mark.usefixtures("speaker")
async def test_nothing_is_known_before_the_first_sentence(hass: HomeAssistant) -> None:
    await switch_on(hass, *KEYS)
    states = {key: state_of(hass, key).state for key in KEYS}
    assert states == {
        "decisions": "0",
        "fallbacks": "0",
        "latency_p50": "unknown",
        "latency_p95": "unknown",
        "mean_confidence": "unknown",
    }


@pytest.mark.usefixtures("speaker")
async def test_they_show_what_was_decided(hass: HomeAssistant) -> None:
    await switch_on(hass, *KEYS)
    statistics = statistics_of(hass)
    statistics.record(route("light-agent", 1.0, Source.REFLEX), 4.0)
    statistics.record(route("light-agent", 0.8, Source.MODEL), 250.5)
    statistics.record(route("fallback-agent", 0.0, Source.FALLBACK), 12.0)
    values = {key: float(state_of(hass, key).state) for key in KEYS}
    assert values == {
        "decisions": 3,
        "fallbacks": 1,
        "latency_p50": 12.0,
        "latency_p95": 250.5,
        "mean_confidence": pytest.approx(60),
    }
    assert state_of(hass, "decisions").attributes["by_agent"] == {
        "light-agent": 2,
        "fallback-agent": 1,
    }


@pytest.mark.usefixtures("speaker")
async def test_units_and_classes(hass: HomeAssistant) -> None:
    await switch_on(hass, *KEYS)
    found: dict[str, Any] = {}
    for key in KEYS:
        attributes = state_of(hass, key).attributes
        found[key] = (
            attributes.get(ATTR_DEVICE_CLASS),
            attributes.get(ATTR_UNIT_OF_MEASUREMENT),
            attributes["state_class"],
        )
    latency = (SensorDeviceClass.DURATION, "ms", SensorStateClass.MEASUREMENT)
    assert found == {
        "decisions": (None, None, SensorStateClass.TOTAL_INCREASING),
        "latency_p50": latency,
        "latency_p95": latency,
        "mean_confidence": (None, "%", SensorStateClass.MEASUREMENT),
        "fallbacks": (None, None, SensorStateClass.TOTAL_INCREASING),
    }


async def test_each_sentence_counts_at_once(hass: HomeAssistant, speaker: Speaker) -> None:
    await switch_on(hass, "decisions", "latency_p50", "latency_p95", "mean_confidence")
    await speaker.say("turn off the kitchen pendant")
    await speaker.say("turn on the kitchen pendant")
    state = state_of(hass, "decisions")
    assert state.state == "2"
    assert sum(state.attributes["by_agent"].values()) == 2
    assert 0 < float(state_of(hass, "latency_p50").state) < 10_000
    assert float(state_of(hass, "latency_p95").state) >= float(state_of(hass, "latency_p50").state)
    assert 0 < float(state_of(hass, "mean_confidence").state) <= 100
    assert hass.states.get(sensors(hass)["fallbacks"].entity_id) is None, "it was left off"


async def test_what_a_failing_model_leaves_open_is_a_fallback(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(lambda *_: "this is no answer that fits the schema")
    await switch_on(hass, "fallbacks")
    await speaker.say("make it somehow nicer around here")
    assert state_of(hass, "fallbacks").state == "1"


@pytest.mark.usefixtures("speaker")
async def test_they_stop_listening_when_unloaded(hass: HomeAssistant) -> None:
    await switch_on(hass, *KEYS)
    statistics = statistics_of(hass)
    entry = the_entry(hass)
    assert await hass.config_entries.async_unload(entry.entry_id)
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.NOT_LOADED
    assert state_of(hass, "decisions").state == "unavailable"
    statistics.record(route("light-agent", 1.0, Source.REFLEX), 4.0)
    assert state_of(hass, "decisions").state == "unavailable"
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert state_of(hass, "decisions").state == "1", "it goes on counting"


@pytest.mark.usefixtures("speaker")
@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "nl", "pl"])
async def test_each_has_a_name_and_an_icon(hass: HomeAssistant, language: str) -> None:
    names = await async_get_translations(hass, language, "entity", {DOMAIN})
    icons = (await async_get_icons(hass, "entity", {DOMAIN}))[DOMAIN]["sensor"]
    found = {key: names[f"component.{DOMAIN}.entity.sensor.{key}.name"] for key in KEYS}
    assert len(set(found.values())) == len(KEYS)
    assert icons.keys() == {*KEYS, "server_away_since"}


async def test_counts_and_traces_outlive_a_change_of_options(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    entry = the_entry(hass)
    (subentry,) = entry.subentries.values()
    before = entry.runtime_data
    hass.config_entries.async_update_subentry(
        entry, subentry, data={**subentry.data, "timeout": 20}
    )
    await hass.async_block_till_done()
    assert entry.runtime_data is not before
    await speaker.say("turn off the floor lamp")
    (assistant,) = entry.runtime_data.assistants.values()
    assert assistant.options.timeout == 20
    assert assistant.statistics.decisions == 2
    assert [trace.utterance for trace in assistant.traces] == [
        "turn on the floor lamp",
        "turn off the floor lamp",
    ]
    await hass.config_entries.async_remove(entry.entry_id)
    assert observations_of(hass, subentry.subentry_id).statistics.decisions == 0

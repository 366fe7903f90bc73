"""A connection is set up, unloaded and set up again, whether its server is there or not."""

import asyncio
import logging
from typing import Any

from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
import pytest

from custom_components.bellboard.assistant import DATA_CATALOG
from custom_components.bellboard.const import DOMAIN
from tests.conftest import SECRET_KEY, Serve, Speaker
from tests.evaluation import setup_agent, the_entry
from tests.servers import Fault

pytestmark = pytest.mark.usefixtures("house")

PENDANT = "light.kitchen_pendant"


def openai(url: str, **options: Any) -> dict[str, Any]:
    """Return the options of an assistant whose model is at an address."""
    return {"provider": "openai", "url": url, "model": "test-model", **options}


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (Fault("stopped"), "The model server cannot be reached."),
        (Fault.of_status(500), "The model server failed. (status 500)"),
        (Fault.of_status(429), "The model server asks to slow down."),
        (Fault("html"), "What answers at this address is not such a model server."),
    ],
    ids=lambda value: value.mode if isinstance(value, Fault) else "",
)
async def test_what_needs_no_model_works_without_its_server(
    hass: HomeAssistant,
    serve: Serve,
    caplog: pytest.LogCaptureFixture,
    *,
    fault: Fault,
    cause: str,
) -> None:
    server = await serve()
    await server.suffer(fault)
    options = openai(server.url, api_key=SECRET_KEY)
    speaker = Speaker(hass, await setup_agent(hass, options))
    await hass.async_block_till_done(wait_background_tasks=True)
    assert the_entry(hass).state is ConfigEntryState.LOADED

    said = await speaker.say("turn off the kitchen pendant")
    assert said.changes.keys() == {PENDANT}
    assert hass.states.is_state(PENDANT, "off")
    assert not hass.config_entries.flow.async_progress()

    ours = [record for record in caplog.records if "bellboard" in record.name]
    (warning,) = [record for record in ours if record.levelno >= logging.WARNING]
    assert cause in warning.getMessage()
    assert "Bellboard" in warning.getMessage(), "it says which connection"
    assert SECRET_KEY not in caplog.text


async def test_a_server_that_answers_is_no_news(
    hass: HomeAssistant, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    server = await serve(key=SECRET_KEY)
    options = openai(server.url, api_key=SECRET_KEY)
    await setup_agent(hass, options)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert not [
        record
        for record in caplog.records
        if "custom_components.bellboard" in record.name and record.levelno >= logging.INFO
    ]
    assert SECRET_KEY not in caplog.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"router": {"confidence_threshold": 1.5}},
        {"router": {"max_attempts": 0}},
        {"router": {"system_prompt": "Choose among {agents}"}},
        {"dispatch": {"max_retries": -1}},
        {"aggregation": {"partial_failure_template": "{0} {2}"}},
    ],
    ids=lambda wrong: next(iter(next(iter(wrong.values())))),
)
async def test_options_that_are_not_as_they_must_be_are_refused_at_the_start(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture, wrong: dict[str, dict[str, Any]]
) -> None:
    with pytest.raises(RuntimeError, match="could not be set up"):
        await setup_agent(hass, {"assistant": wrong})
    assert the_entry(hass).state is ConfigEntryState.SETUP_ERROR
    [(group, options)] = wrong.items()
    assert f"{group}.{next(iter(options))}" in caplog.text


async def test_a_slow_server_does_not_hold_up_the_start(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve()
    await setup_agent(hass, openai(server.url))
    entry = the_entry(hass)
    await server.suffer(Fault.slow(60))
    async with asyncio.timeout(5):
        assert await hass.config_entries.async_reload(entry.entry_id)
        assert entry.state is ConfigEntryState.LOADED
        assert await hass.config_entries.async_unload(entry.entry_id)


async def test_a_server_that_comes_later_is_asked(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve(
        answer=lambda _, schema: "Fine, thanks." if schema is None else {"agentId": "general"}
    )
    await server.stop()
    options = openai(server.url, assistant={"confidence_threshold": 0})
    speaker = Speaker(hass, await setup_agent(hass, options))
    said = await speaker.say("how do you like it here")
    assert said.reply == "I can't reach the language model right now."
    await server.start()
    said = await speaker.say("how do you like it here")
    assert said.reply == "Fine, thanks."


def listening(hass: HomeAssistant) -> dict[Any, int]:
    """Return how many listen to which event; those of Home Assistant's own stores come and go by timers."""
    listeners: dict[Any, int] = dict(hass.bus.async_listeners())
    listeners.pop(EVENT_HOMEASSISTANT_FINAL_WRITE, None)
    return listeners


@pytest.mark.parametrize("provider", ["none", "openai"])
async def test_unloading_leaves_nothing_behind(
    hass: HomeAssistant, serve: Serve, provider: str
) -> None:
    listeners = listening(hass)
    agent_id = await setup_agent(hass, openai((await serve()).url, provider=provider))
    await hass.async_block_till_done(wait_background_tasks=True)
    entry = the_entry(hass)
    loaded = listening(hass)
    for _ in range(2):
        assert await hass.config_entries.async_unload(entry.entry_id)
        await hass.async_block_till_done()
        assert not hass.config_entries.async_loaded_entries(DOMAIN)
        assert not hasattr(entry, "runtime_data")
        assert hass.states.is_state(agent_id, "unavailable")
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done(wait_background_tasks=True)
        assert hass.config_entries.async_loaded_entries(DOMAIN) == [entry]
        assert hass.states.is_state(agent_id, "unknown")
        assert listening(hass) == loaded, "each listens once, however often set up"
    assert loaded.keys() >= listeners.keys()
    said = await Speaker(hass, agent_id).say("turn off the kitchen pendant")
    assert said.changes.keys() == {PENDANT}


async def test_removing_a_connection_removes_all_of_it(hass: HomeAssistant) -> None:
    agent_id = await setup_agent(hass, {})
    entry = the_entry(hass)
    assert await hass.config_entries.async_remove(entry.entry_id)
    await hass.async_block_till_done()
    assert hass.states.get(agent_id) is None
    assert not er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    assert not dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)


async def test_all_connections_share_one_catalog(hass: HomeAssistant, serve: Serve) -> None:
    await setup_agent(hass, {})
    await setup_agent(hass, openai((await serve()).url))
    one, other = (
        assistant
        for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        for assistant in entry.runtime_data.assistants.values()
    )
    assert one.catalog is other.catalog is hass.data[DATA_CATALOG]
    catalog = await one.catalog.async_get()
    assert await other.catalog.async_get() is catalog, "it is built once"
    assert (one.model, bool(other.model)) == (None, True)


async def test_an_assistant_is_a_service_of_its_own(hass: HomeAssistant, serve: Serve) -> None:
    agent_id = await setup_agent(hass, openai((await serve()).url))
    entry = the_entry(hass)
    (subentry_id,) = entry.subentries
    entity = er.async_get(hass).async_get(agent_id)
    assert entity
    assert (entity.unique_id, entity.config_subentry_id) == (subentry_id, subentry_id)
    device = dr.async_get(hass).async_get(str(entity.device_id))
    assert isinstance(device, dr.DeviceEntry)
    assert (device.name, device.model) == ("Bellboard", "test-model")
    assert device.entry_type is dr.DeviceEntryType.SERVICE
    assert device.identifiers == {(DOMAIN, subentry_id)}
    state = hass.states.get(agent_id)
    assert state
    assert state.name == "Bellboard"
    assert state.attributes["supported_features"] == 1, "it can control the home"


async def test_a_key_refused_during_a_turn_asks_for_a_new_one_once(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(key=SECRET_KEY)
    speaker = Speaker(hass, await setup_agent(hass, openai(server.url, api_key=SECRET_KEY)))
    assert not hass.config_entries.flow.async_progress()
    server.model.key = "sk-another"
    for _ in range(2):
        said = await speaker.say("how do you like it here")
        assert said.reply == "The language model doesn't accept my key."
        (flow,) = hass.config_entries.flow.async_progress()
        assert flow["context"]["source"] == "reauth"

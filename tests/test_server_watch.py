"""A model server that goes away: seen where its connection is listed, since when, and back by itself."""

from dataclasses import replace
from datetime import timedelta
import logging

from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntryDisabler
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er, issue_registry as ir
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.assistant import DATA_CATALOG
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.llm.errors import UnreachableError
from tests.conftest import Serve, Speaker
from tests.evaluation import setup_agent, the_entry
from tests.servers import Fault, RunningServer, ScriptedModel

pytestmark = pytest.mark.usefixtures("assist")

AWAY, THERE = "away", "there"
SAID = "tell me a story about a heron"


def seen(hass: HomeAssistant) -> str:
    """Return the state of the connection's sensor."""
    (sensor,) = [
        entity.entity_id
        for entity in er.async_entries_for_config_entry(
            er.async_get(hass), the_entry(hass).entry_id
        )
        if entity.unique_id.endswith("_server_away_since")
    ]
    state = hass.states.get(sensor)
    assert state
    return THERE if state.state == "unknown" else AWAY


def listed(hass: HomeAssistant) -> str | None:
    """Return what stands under the connection's device in the list of devices."""
    entry = the_entry(hass)
    found = dr.async_get(hass).async_get_device_by_identifier(
        (DOMAIN, entry.entry_id), entry.entry_id
    )
    assert found
    return found.model


def issue(hass: HomeAssistant) -> ir.IssueEntry | None:
    """Return what Repairs says of the connection's server."""
    found = ir.async_get(hass).async_get_issue(DOMAIN, f"server_away_{the_entry(hass).entry_id}")
    return found if found and found.active else None


async def later(hass: HomeAssistant, freezer: FrozenDateTimeFactory, **time: float) -> None:
    """Let time pass."""
    freezer.tick(timedelta(**time))
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)


async def set_up_while_away(
    hass: HomeAssistant, serve: Serve
) -> tuple[Speaker, RunningServer[ScriptedModel]]:
    """Set a connection up whose server is away; return who talks to it, and the server."""
    server = await serve()
    await server.suffer(Fault("stopped"))
    options = {"provider": "openai", "url": server.url, "model": "test-model"}
    return Speaker(hass, await setup_agent(hass, options)), server


async def test_a_server_that_goes_away_is_shown_and_comes_back_by_itself(
    hass: HomeAssistant,
    serve: Serve,
    freezer: FrozenDateTimeFactory,
    caplog: pytest.LogCaptureFixture,
) -> None:
    freezer.move_to("2026-11-01T10:00:00+00:00")
    server = await serve()
    speaker = Speaker(hass, await setup_agent(hass, {"provider": "openai", "url": server.url}))
    assert (seen(hass), issue(hass), listed(hass)) == (THERE, None, None)

    await server.suffer(Fault("stopped"))
    await speaker.say(SAID)
    assert seen(hass) == AWAY
    assert listed(hass) == "Bellboard does not answer"
    found = issue(hass)
    assert found
    local = "2026-11-01 02:00" if str(hass.config.time_zone) == "US/Pacific" else None
    assert found.translation_placeholders
    assert found.translation_placeholders["connection"] == "Bellboard"
    assert found.translation_placeholders["since"] == (local or "2026-11-01 10:00")
    if hasattr(found, "config_entry_id"):
        assert found.config_entry_id == the_entry(hass).entry_id
    assert the_entry(hass).state.value == "loaded", "what needs no model is answered"

    # It goes on being away since the same time, also when options change.
    await later(hass, freezer, minutes=5)
    assert await hass.config_entries.async_reload(the_entry(hass).entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    again = issue(hass)
    assert again
    assert again.translation_placeholders == found.translation_placeholders
    assert seen(hass) == AWAY

    await server.suffer(Fault())
    await later(hass, freezer, seconds=61)
    assert (seen(hass), issue(hass), listed(hass)) == (THERE, None, None)
    ours = [r for r in caplog.records if r.name.endswith("server_watch")]
    assert [r.levelno for r in ours] == [logging.INFO], (
        "only that it is back: the call told the cause"
    )


async def test_a_server_that_answers_a_sentence_is_back(
    hass: HomeAssistant, serve: Serve, freezer: FrozenDateTimeFactory
) -> None:
    server = await serve()
    await server.suffer(Fault("stopped"))
    speaker = Speaker(
        hass,
        await setup_agent(hass, {"provider": "openai", "url": server.url, "model": "test-model"}),
    )
    assert seen(hass) == AWAY
    await server.suffer(Fault())
    await speaker.say(SAID)
    assert (seen(hass), issue(hass)) == (THERE, None)
    asked = len(server.model.requests)
    await later(hass, freezer, minutes=10)
    assert len(server.model.requests) == asked, "it is not looked for any more"


async def test_a_refusal_is_an_answer_however_often_it_comes(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve()
    speaker = Speaker(hass, await setup_agent(hass, {"provider": "openai", "url": server.url}))
    await server.suffer(Fault.of_status(500))
    for _ in range(8):
        await speaker.say(SAID)
    assert (seen(hass), issue(hass)) == (THERE, None)


async def test_a_connection_that_is_removed_leaves_nothing_to_repair(
    hass: HomeAssistant, serve: Serve
) -> None:
    await set_up_while_away(hass, serve)
    assert issue(hass)
    await hass.config_entries.async_remove(the_entry(hass).entry_id)
    assert not ir.async_get(hass).issues


async def test_without_a_server_there_is_none_to_watch(hass: HomeAssistant) -> None:
    await setup_agent(hass, {})
    assert the_entry(hass).runtime_data.watch is None
    assert not er.async_get(hass).async_get_entity_id(
        "sensor", DOMAIN, f"{the_entry(hass).entry_id}_server_away_since"
    )


async def test_a_server_that_is_back_is_asked_again_at_once(
    hass: HomeAssistant, serve: Serve, freezer: FrozenDateTimeFactory
) -> None:
    server = await serve(answer=lambda _, schema: {"agentId": "general"} if schema else "Hello.")
    speaker = Speaker(hass, await setup_agent(hass, {"provider": "openai", "url": server.url}))
    await server.suffer(Fault("stopped"))
    for _ in range(8):
        await speaker.say(SAID)
    assert seen(hass) == AWAY
    await server.suffer(Fault())
    await later(hass, freezer, seconds=61)
    assert seen(hass) == THERE
    assert (await speaker.say(SAID)).reply == "Hello."
    assert (seen(hass), issue(hass)) == (THERE, None)


async def test_what_was_away_before_a_restart_is_found_out_anew(
    hass: HomeAssistant, serve: Serve
) -> None:
    await set_up_while_away(hass, serve)
    entry = the_entry(hass)
    assert await hass.config_entries.async_unload(entry.entry_id)
    # As Home Assistant reads it back after a restart.
    registry = ir.async_get(hass)
    key = (DOMAIN, f"server_away_{entry.entry_id}")
    registry.issues[key] = replace(registry.issues[key], active=False, data=None)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert seen(hass) == AWAY
    assert issue(hass)


async def test_a_connection_that_is_disabled_has_nothing_to_repair(
    hass: HomeAssistant, serve: Serve
) -> None:
    await set_up_while_away(hass, serve)
    assert issue(hass)
    await hass.config_entries.async_set_disabled_by(
        the_entry(hass).entry_id, ConfigEntryDisabler.USER
    )
    assert not issue(hass)


async def test_a_call_that_outlives_its_connection_says_nothing(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve()
    await setup_agent(hass, {"provider": "openai", "url": server.url})
    entry = the_entry(hass)
    watch = entry.runtime_data.watch
    assert await hass.config_entries.async_unload(entry.entry_id)
    watch.report(UnreachableError("gone"))
    assert not issue(hass)
    assert watch.is_available


async def test_the_home_is_not_read_again_for_a_server(hass: HomeAssistant, serve: Serve) -> None:
    server = await serve()
    speaker = Speaker(hass, await setup_agent(hass, {"provider": "openai", "url": server.url}))
    await speaker.say(SAID)
    before = (await hass.data[DATA_CATALOG].async_get()).version
    await server.suffer(Fault("stopped"))
    await speaker.say(SAID)
    assert seen(hass) == AWAY
    assert (await hass.data[DATA_CATALOG].async_get()).version == before

"""Connections that are shared: an assistant asks another one's model, with that one's key, address and state.

A connection that is the same as another one has its models for all its assistants.
"""

from collections.abc import Mapping
import logging
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.bellboard.connections.connection import SharedConnectionClient
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.llm.errors import RateLimitedError, UnreachableError
from custom_components.bellboard.llm.models import Message
from tests.conftest import SECRET_KEY, Serve, Setup, Speaker
from tests.evaluation import setup_agent
from tests.forms import (
    aborted,
    add_assistant,
    agents,
    change_assistant,
    choose,
    fill_in,
    filled,
    move,
    open_change,
    open_form,
    options,
    set_up,
    shown,
    submit,
    suggested,
)
from tests.routing.reading import assistant_of, choosing, classified, traces
from tests.servers import Fault, RunningServer, ScriptedModel
from tests.test_faults import assert_kind_and_quiet

pytestmark = pytest.mark.usefixtures("house")

SAID = "surprise me somehow"
# Routed without a model, planned with one's own.
COMMAND = "dim the reading lamp elegantly"
NO_KEY = "The language model doesn't accept my key."
NOT_THERE = "I can't reach the language model right now."
ROLES = pytest.mark.parametrize("role", ["chat_client_key", "escalation_key"])


class House:
    """An assistant that has the model of another connection for a role."""

    speaker: Speaker
    own: ConfigEntry
    shared: ConfigEntry
    server: RunningServer[ScriptedModel]

    @classmethod
    async def build(
        cls, hass: HomeAssistant, speak: Setup, serve: Serve, role: str = "chat_client_key"
    ) -> House:
        """Set both up. The assistant's own model is never sure, the other one always is."""
        house = cls()
        house.server = await serve(answer=choosing("general"), key=SECRET_KEY)
        connection = {"provider": "openai", "url": house.server.url, "api_key": SECRET_KEY}
        await setup_agent(hass, connection)
        (house.shared,) = hass.config_entries.async_entries(DOMAIN)
        router = {role: house.shared.entry_id, "max_attempts": 1}
        house.speaker = await speak(choosing("music"), router=router)
        house.own = hass.config_entries.async_entries(DOMAIN)[-1]
        assert house.speaker.model
        house.speaker.model.beliefs = {"general": 0.2, "music": 0.8}
        house.speaker.model.requests.clear()
        house.server.model.requests.clear()
        return house


def reauth_flows(hass: HomeAssistant) -> list[str]:
    """Return the entry ids of the connections that a new key is asked for."""
    return [
        flow["context"]["entry_id"]
        for flow in hass.config_entries.flow.async_progress_by_handler(DOMAIN)
        if flow["context"]["source"] == "reauth"
    ]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what we warned of."""
    return [
        record.getMessage()
        for record in caplog.records
        if "bellboard" in record.name and record.levelno >= logging.WARNING
    ]


# A key that is refused


async def test_a_refused_key_is_asked_for_at_the_connection_that_was_refused(
    hass: HomeAssistant, speak: Setup, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    house = await House.build(hass, speak, serve)
    house.server.model.key = "sk-another"
    caplog.clear()
    for _ in range(2):
        said = await house.speaker.say(SAID)
        assert said.reply.startswith(NO_KEY)
        assert reauth_flows(hass) == [house.shared.entry_id]
    assert SECRET_KEY not in caplog.text


async def test_a_key_refused_for_a_second_opinion_is_that_connections(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    house = await House.build(hass, speak, serve, "escalation_key")
    house.server.model.key = "sk-another"
    said = await house.speaker.say(SAID)
    # The first decision stands, uncertain as it is.
    assert said.result.continue_conversation
    assert reauth_flows(hass) == [house.shared.entry_id]


async def test_a_key_refused_for_a_plan_is_the_assistants_own(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    house = await House.build(hass, speak, serve)
    assert house.speaker.model
    house.speaker.model.key = "sk-another"
    assert (await house.speaker.say(COMMAND)).reply.startswith(NO_KEY)
    assert reauth_flows(hass) == [house.own.entry_id]
    # The other's key is right, and is not asked for when talk fails.
    assert (await house.speaker.say(SAID)).reply.startswith(NO_KEY)
    assert reauth_flows(hass) == [house.own.entry_id]


async def test_a_new_key_is_used_from_the_next_sentence_on(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    house = await House.build(hass, speak, serve)
    house.server.model.key = "sk-another"
    assert (await house.speaker.say(SAID)).reply.startswith(NO_KEY)
    (flow,) = hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    form = shown(await hass.config_entries.flow.async_configure(flow["flow_id"]), "reauth_confirm")
    result = await submit(hass, form, api_key="sk-another")
    assert result["type"] is FlowResultType.ABORT
    assert (await house.speaker.say(SAID)).reply == "Hello."
    assert house.server.model.requests


# A connection that changes


async def test_another_address_is_asked_from_the_next_sentence_on(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    house = await House.build(hass, speak, serve)
    assert (await house.speaker.say(SAID)).reply == "Hello."
    elsewhere = await serve(answer=choosing("general"))
    asked = len(house.server.model.requests)
    form = shown(await move(hass, house.shared), "connection")
    await submit(hass, form, **filled(form, url=elsewhere.url))
    assert (await house.speaker.say(SAID)).reply == "Hello."
    assert len(elsewhere.model.requests) == 1
    assert len(house.server.model.requests) == asked
    assert house.own.state is ConfigEntryState.LOADED


async def test_another_model_is_asked_from_the_next_sentence_on(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    house = await House.build(hass, speak, serve)
    house.server.model.names = ["test-model", "newer"]
    (subentry,) = house.shared.subentries.values()
    hass.config_entries.async_update_subentry(house.shared, subentry, data={"model": "newer"})
    await hass.async_block_till_done()
    assert (await house.speaker.say(SAID)).reply == "Hello."
    assert [ask.model for ask in house.server.model.requests] == ["newer"]


async def take_away(hass: HomeAssistant, entry: ConfigEntry, how: str) -> None:
    """Take a connection away while others share it."""
    if how == "removed":
        await hass.config_entries.async_remove(entry.entry_id)
    else:
        assert await hass.config_entries.async_unload(entry.entry_id)
    await hass.async_block_till_done()


@pytest.mark.parametrize("how", ["unloaded", "removed"])
async def test_a_connection_that_is_taken_away_costs_one_kind_sentence(
    hass: HomeAssistant, speak: Setup, serve: Serve, caplog: pytest.LogCaptureFixture, *, how: str
) -> None:
    house = await House.build(hass, speak, serve)
    await take_away(hass, house.shared, how)
    caplog.clear()
    said = await house.speaker.say(SAID)
    assert_kind_and_quiet(said, caplog, SAID)
    assert said.reply.startswith(NOT_THERE)
    assert "its connection is not loaded" in warnings(caplog)[0]
    assert house.server.model.requests == []
    assert traces(hass, house.speaker.agent_id)[-1].agents[0]["id"] == "fallback-agent"
    # What needs it not goes on.
    assert list((await house.speaker.say("turn off the kitchen pendant")).changes) == [
        "light.kitchen_pendant"
    ]


@pytest.mark.parametrize("how", ["unloaded", "removed"])
async def test_without_its_second_opinion_the_first_stands(
    hass: HomeAssistant, speak: Setup, serve: Serve, caplog: pytest.LogCaptureFixture, *, how: str
) -> None:
    house = await House.build(hass, speak, serve, "escalation_key")
    await take_away(hass, house.shared, how)
    caplog.clear()
    said = await house.speaker.say(SAID)
    assert said.result.continue_conversation
    assert traces(hass, house.speaker.agent_id)[-1].agents[0]["source"] == "model"
    # That it could not be asked; that the first one was not sure is nothing wrong.
    (missing,) = warnings(caplog)
    assert "its connection is not loaded" in missing


@ROLES
async def test_a_connection_that_is_back_is_asked_again(
    hass: HomeAssistant, speak: Setup, serve: Serve, role: str
) -> None:
    house = await House.build(hass, speak, serve, role)
    await take_away(hass, house.shared, "unloaded")
    assert (await house.speaker.say(SAID)).reply != "Hello."
    assert await hass.config_entries.async_setup(house.shared.entry_id)
    await hass.async_block_till_done()
    assert (await house.speaker.say(SAID)).reply == "Hello."
    assert len(house.server.model.requests) == 1


async def test_a_connection_that_is_set_up_later_is_asked_then(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    house = await House.build(hass, speak, serve)
    await take_away(hass, house.shared, "unloaded")
    assert await hass.config_entries.async_reload(house.own.entry_id)
    assert (await house.speaker.say(SAID)).reply.startswith(NOT_THERE)
    assert await hass.config_entries.async_setup(house.shared.entry_id)
    await hass.async_block_till_done()
    assert (await house.speaker.say(SAID)).reply == "Hello."


async def test_a_server_that_is_down_is_that_connections_trouble(
    hass: HomeAssistant, speak: Setup, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    house = await House.build(hass, speak, serve)
    await house.server.suffer(Fault("stopped"))
    caplog.clear()
    said = await house.speaker.say(SAID)
    assert_kind_and_quiet(said, caplog, SAID)
    assert said.reply.startswith(NOT_THERE)
    # Its own one still plans.
    assert (await house.speaker.say(COMMAND)).reply == "Reading Lamp was on already."


async def test_a_shared_connection_is_asked_as_it_is_now(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    house = await House.build(hass, speak, serve)
    client = assistant_of(hass, house.speaker.agent_id).models.routing
    assert isinstance(client, SharedConnectionClient)
    assert (client.provider, client.model) == ("openai", "test-model")
    assert client.server == f"{house.server.url}/v1"
    assert await client.list_models() == ["test-model"]
    said = [Message(role="user", content=SAID)]
    told = [delta.text async for delta in client.stream(said)]
    assert "".join(told) == "Hello."

    await take_away(hass, house.shared, "removed")
    assert (client.provider, client.model, client.server) == ("", "", "")
    for ask in (client.list_models, lambda: client.complete(said)):
        with pytest.raises(UnreachableError):
            await ask()
    with pytest.raises(UnreachableError):
        _ = [delta async for delta in client.stream(said)]


# An assistant without a model of its own


async def without_own_model(
    hass: HomeAssistant, serve: Serve, chosen: str, **router: Any
) -> tuple[Speaker, RunningServer[ScriptedModel]]:
    """Set up an assistant without a model that is routed with another connection's."""
    server = await serve(answer=choosing(chosen))
    await setup_agent(hass, {"provider": "openai", "url": server.url})
    (shared,) = hass.config_entries.async_entries(DOMAIN)
    router = {"chat_client_key": shared.entry_id, **router}
    # Who answers first is what is looked at here.
    assistant = {"router": router, "workflow": {"frequency": "once"}}
    speaker = Speaker(hass, await setup_agent(hass, {"assistant": assistant}))
    server.model.requests.clear()
    return speaker, server


async def test_without_a_model_of_its_own_another_one_routes(
    hass: HomeAssistant, serve: Serve
) -> None:
    speaker, server = await without_own_model(hass, serve, "light")
    said = await speaker.say("my guests would like a little more brilliance")
    [trace] = traces(hass, speaker.agent_id)
    assert trace.agents[0]["source"] == "model"
    assert (trace.agents[0]["id"], trace.model.calls) == ("light-agent", 1)
    assert classified(trace)["measure"] == "measured"
    # Nobody plans: there is no model for that.
    assert said.reply == "I didn't understand what to do."
    assert said.changes == {}
    assert len(server.model.requests) == 1


async def test_without_a_model_of_its_own_nobody_talks(hass: HomeAssistant, serve: Serve) -> None:
    speaker, server = await without_own_model(hass, serve, "home")
    assert assistant_of(hass, speaker.agent_id).registry.get("general-agent") is None
    await speaker.say(SAID)
    (ask,) = server.model.requests
    assert ask.schema
    assert "general" not in ask.schema["properties"]["agentId"]["enum"]


async def test_without_a_model_of_its_own_an_agent_that_hands_over_is_chosen(
    hass: HomeAssistant, serve: Serve
) -> None:
    speaker, _ = await without_own_model(hass, serve, "garden")
    hass.states.async_set("script.garden", "off")
    data = {"agent_id": "garden-agent", "name": "Garden", "description": "Waters the garden."}
    await hass.services.async_call(
        DOMAIN, "register_agent", {**data, "script": "script.garden"}, blocking=True
    )
    await speaker.say("the roses look rather thirsty to me")
    assert traces(hass, speaker.agent_id)[-1].agents[0]["id"] == "garden-agent"


async def test_without_a_model_of_its_own_a_trial_model_is_the_one_that_routes(
    hass: HomeAssistant, serve: Serve
) -> None:
    speaker, server = await without_own_model(
        hass, serve, "home", trial_share=100, trial_model="tried"
    )
    await speaker.say(SAID)
    assert [ask.model for ask in server.model.requests] == ["test-model"]


async def test_without_any_model_nobody_routes(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say(SAID)
    assert traces(hass)[-1].agents[0]["source"] == "default"


def fields(form: Mapping[str, Any]) -> list[str]:
    """Return the names of a form's fields."""
    return [str(field) for field in form["data_schema"].schema]


async def test_the_form_of_a_connection_without_a_model_offers_another_ones(
    hass: HomeAssistant, serve: Serve
) -> None:
    server = await serve(answer=choosing("light"))
    await setup_agent(hass, {"provider": "openai", "url": server.url})
    agent_id = await setup_agent(hass, {})
    shared, entry = hass.config_entries.async_entries(DOMAIN)
    form = shown(await add_assistant(hass, entry), "init")
    assert {"timeout", "confidence_threshold"} <= {*fields(form)}
    assert "model" not in fields(form)
    menu = await submit(hass, form, **filled(form, advanced=True))
    trial = shown(await choose(hass, menu, "trial"), "trial")
    assert "trial_model" not in fields(trial)
    menu = await submit(hass, trial, **filled(trial))
    routing = shown(await choose(hass, menu, "routing"), "routing")
    assert "requests_per_minute" not in fields(routing)
    choices = [choice["value"] for choice in options(routing, "chat_client_key")]
    assert choices == ["own", shared.entry_id]

    (subentry_id,) = entry.subentries
    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    chosen = {"chat_client_key": shared.entry_id}
    await fill_in(hass, form, router=chosen)
    assert entry.subentries[subentry_id].data["router"] == chosen
    await Speaker(hass, agent_id).say(SAID)
    assert traces(hass, agent_id)[-1].agents[0]["source"] == "model"

    # It may come back, and stays chosen until then.
    assert await hass.config_entries.async_unload(shared.entry_id)
    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    await submit(hass, form, **filled(form))
    assert entry.subentries[subentry_id].data["router"] == chosen
    await hass.config_entries.async_remove(shared.entry_id)
    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    assert not {"timeout", "confidence_threshold"} & {*fields(form)}
    assert "max_clarifications" in fields(form)


# A connection that is the same as another one


async def the_same(
    hass: HomeAssistant, serve: Serve, **model: Any
) -> tuple[Speaker, ConfigEntry, ConfigEntry, RunningServer[ScriptedModel]]:
    """Set a connection up and another one that is the same; return who talks to the latter's assistant."""
    server = await serve(
        answer=choosing("general"), names=["large", "small"], key=SECRET_KEY, **model
    )
    shared = await set_up(hass, "openai", url=server.url, api_key=SECRET_KEY)
    form = shown(await open_form(hass, "connection"), "sharing")
    form = shown(await submit(hass, form, connection=shared.entry_id), "model")
    assert options(form, "model") == ["large", "small"]
    result = await submit(hass, form, model="small")
    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry: ConfigEntry = result["result"]
    (agent_id,) = agents(hass, entry)
    return Speaker(hass, agent_id), entry, shared, server


async def test_the_same_server_serves_assistants_of_their_own(
    hass: HomeAssistant, serve: Serve
) -> None:
    speaker, entry, shared, server = await the_same(hass, serve)
    assert entry.title == f"Same as {shared.title}"
    assert entry.data == {"provider": "connection", "connection": shared.entry_id}
    (assistant,) = entry.subentries.values()
    assert assistant.data == {"model": "small"}
    assert (await speaker.say(SAID)).reply == "Hello."
    assert {ask.model for ask in server.model.requests} == {"small"}
    assert all(ask.had_key for ask in server.model.requests)
    server.model.requests.clear()
    (other_agent,) = agents(hass, shared)
    assert (await Speaker(hass, other_agent).say(SAID)).reply == "Hello."
    assert {ask.model for ask in server.model.requests} == {"large"}

    form = shown(await add_assistant(hass, entry), "init")
    assert options(form, "model") == ["large", "small"]


async def test_what_the_other_connection_uses_is_suggested(
    hass: HomeAssistant, serve: Serve
) -> None:
    _, first, shared, server = await the_same(hass, serve)
    await hass.config_entries.async_remove(first.entry_id)
    (subentry,) = shared.subentries.values()
    hass.config_entries.async_update_subentry(shared, subentry, data={"model": "small"})
    await hass.async_block_till_done()
    entry = await set_up(hass, "connection", connection=shared.entry_id)
    (assistant,) = entry.subentries.values()
    assert assistant.data == {"model": "small"}
    # One that is no longer there is not.
    await hass.config_entries.async_remove(entry.entry_id)
    server.model.names = ["large", "newer"]
    entry = await set_up(hass, "connection", connection=shared.entry_id)
    (assistant,) = entry.subentries.values()
    assert assistant.data == {"model": "large"}


async def test_a_server_has_one_limit_for_all_that_share_it(
    hass: HomeAssistant, serve: Serve
) -> None:
    speaker, entry, shared, _ = await the_same(hass, serve)
    (subentry,) = shared.subentries.values()
    own = {"model": "large", "requests_per_minute": 2}
    hass.config_entries.async_update_subentry(shared, subentry, data=own)
    await hass.async_block_till_done()
    (other_agent,) = agents(hass, shared)
    # Routed and answered: those were two.
    assert (await Speaker(hass, other_agent).say(SAID)).reply == "Hello."
    model = next(iter(entry.runtime_data.assistants.values())).model
    with pytest.raises(RateLimitedError):
        await model.complete([Message(role="user", content=SAID)], timeout=1)
    assert (await speaker.say(SAID)).reply != "Hello."


async def test_a_key_refused_where_a_connection_is_shared_is_that_ones(
    hass: HomeAssistant, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    speaker, entry, shared, server = await the_same(hass, serve)
    server.model.key = "sk-another"
    assert (await speaker.say(SAID)).reply.startswith(NO_KEY)
    assert await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert reauth_flows(hass) == [shared.entry_id]

    (flow,) = hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    form = shown(await hass.config_entries.flow.async_configure(flow["flow_id"]), "reauth_confirm")
    await submit(hass, form, api_key="sk-another")
    assert (await speaker.say(SAID)).reply == "Hello."
    assert SECRET_KEY not in caplog.text


async def test_a_connection_follows_the_one_it_is_the_same_as(
    hass: HomeAssistant, serve: Serve
) -> None:
    speaker, _, shared, server = await the_same(hass, serve)
    elsewhere = await serve(answer=choosing("general"), names=["large", "small"])
    form = shown(await move(hass, shared), "connection")
    await submit(hass, form, url=elsewhere.url)
    assert (await speaker.say(SAID)).reply == "Hello."
    assert {ask.model for ask in elsewhere.model.requests} == {"small"}
    assert server.model.requests == []


async def test_a_client_keeps_what_it_has_learnt_while_the_connection_stays(
    hass: HomeAssistant, serve: Serve
) -> None:
    """What a server refuses is found out once, and not with every call."""
    speaker, _, _, server = await the_same(hass, serve, refuses=frozenset({"temperature"}))
    await speaker.say(SAID)
    learnt = server.model.attempts
    server.model.requests.clear()
    await speaker.say(SAID)
    assert server.model.attempts - learnt == len(server.model.requests)


@pytest.mark.parametrize("how", ["unloaded", "removed"])
async def test_what_shares_a_connection_that_is_taken_away_says_so(
    hass: HomeAssistant, serve: Serve, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    speaker, entry, shared, server = await the_same(hass, serve)
    await take_away(hass, shared, how)
    caplog.clear()
    said = await speaker.say(SAID)
    assert_kind_and_quiet(said, caplog, SAID)
    assert said.reply.startswith(NOT_THERE)
    assert "its connection is not loaded" in warnings(caplog)[0]
    assert list((await speaker.say("turn off the kitchen pendant")).changes) == [
        "light.kitchen_pendant"
    ]
    # Nor can it be changed into nothing.
    form = await move(hass, entry)
    if how == "removed":
        aborted(form, "no_connection")
        return
    form = shown(form, "sharing")
    assert suggested(form) == {"connection": shared.entry_id}
    shown(
        await submit(hass, form, connection=shared.entry_id),
        "sharing",
        errors={"base": "connection_unavailable"},
    )
    assert await hass.config_entries.async_setup(shared.entry_id)
    await hass.async_block_till_done()
    assert (await speaker.say(SAID)).reply == "Hello."
    assert server.model.requests


async def test_only_a_connection_with_a_model_of_its_own_can_be_shared_and_only_once(
    hass: HomeAssistant, serve: Serve
) -> None:
    await set_up(hass, "none")
    _, entry, shared, _ = await the_same(hass, serve)
    form = shown(await open_form(hass, "connection"), "sharing")
    assert options(form, "connection") == [{"value": shared.entry_id, "label": shared.title}]
    aborted(await submit(hass, form, connection=shared.entry_id), "already_configured")

    form = shown(await move(hass, entry), "sharing")
    aborted(await submit(hass, form, connection=shared.entry_id), "reconfigure_successful")
    assert entry.title == f"Same as {shared.title}"


async def test_the_same_as_another_connection_is_offered_only_where_there_is_one(
    hass: HomeAssistant, serve: Serve
) -> None:
    async def offered() -> list[str]:
        new = await hass.config_entries.flow.async_init(DOMAIN, context={"source": "user"})
        changed = await open_change(hass, without)
        return [
            *options(shown(new, "another"), "provider"),
            *options(shown(changed, "user"), "provider"),
        ]

    without = await set_up(hass, "none")
    assert "connection" not in await offered()
    form = shown(await open_change(hass, without), "user")
    with pytest.raises(InvalidData):
        await submit(hass, form, provider="connection")

    other = await set_up(hass, "openai", url=(await serve()).url)
    assert (await offered()).count("connection") == 2
    assert await hass.config_entries.async_unload(other.entry_id)
    assert "connection" not in await offered()


async def test_a_connection_without_a_model_can_become_the_same_as_another_one(
    hass: HomeAssistant, serve: Serve
) -> None:
    entry = await set_up(hass, "none")
    (before,) = entry.subentries
    server = await serve(answer=choosing("general"), names=["large", "small"])
    other = await set_up(hass, "openai", url=server.url)
    form = shown(await open_change(hass, entry), "user")
    form = shown(await submit(hass, form, provider="connection"), "sharing")
    form = shown(await submit(hass, form, connection=other.entry_id), "model")
    aborted(await submit(hass, form, model="small"), "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.data == {"provider": "connection", "connection": other.entry_id}
    assert entry.subentries[before].data == {"model": "small"}
    (agent_id,) = agents(hass, entry)
    assert (await Speaker(hass, agent_id).say(SAID)).reply == "Hello."


async def test_a_connection_can_become_the_same_as_yet_another_one(
    hass: HomeAssistant, serve: Serve
) -> None:
    speaker, entry, shared, server = await the_same(hass, serve)
    other = await serve("ollama", answer=choosing("general"), names=["small"])
    third = await set_up(hass, "ollama", url=other.url)
    form = shown(await move(hass, entry), "sharing")
    assert [choice["label"] for choice in options(form, "connection")] == [
        third.title,
        shared.title,
    ]
    await other.suffer(Fault.of_status(500))
    form = shown(
        await submit(hass, form, connection=third.entry_id),
        "sharing",
        errors={"base": "server_failed"},
    )
    assert suggested(form) == {"connection": third.entry_id}
    await other.suffer(Fault())
    aborted(await submit(hass, form, connection=third.entry_id), "reconfigure_successful")
    assert entry.title == f"Same as {third.title}"
    assert (await speaker.say(SAID)).reply == "Hello."
    assert {ask.model for ask in other.model.requests} == {"small"}
    assert server.model.requests == []
    assert shared.state is ConfigEntryState.LOADED

    # What it was the same as is gone, and with it its name; it has a name of ours all the same.
    await hass.config_entries.async_remove(third.entry_id)
    form = shown(await move(hass, entry), "sharing")
    assert suggested(form) == {}
    aborted(await submit(hass, form, connection=shared.entry_id), "reconfigure_successful")
    assert entry.title == f"Same as {shared.title}"


async def test_what_shares_a_connection_can_be_asked_for_a_role(
    hass: HomeAssistant, serve: Serve
) -> None:
    _, entry, _, server = await the_same(hass, serve)
    router = {"chat_client_key": entry.entry_id}
    speaker = Speaker(hass, await setup_agent(hass, {"assistant": {"router": router}}))
    await speaker.say(SAID)
    assert {ask.model for ask in server.model.requests} == {"small"}


async def test_connections_that_are_the_same_as_each_other_have_nothing(
    hass: HomeAssistant, serve: Serve
) -> None:
    """No form makes such a circle; nobody runs in it for ever all the same."""
    speaker, entry, _, server = await the_same(hass, serve)
    data = {"provider": "connection", "connection": entry.entry_id}
    other = MockConfigEntry(domain=DOMAIN, data=data)
    other.add_to_hass(hass)
    assert await hass.config_entries.async_setup(other.entry_id)
    changed = {"provider": "connection", "connection": other.entry_id}
    hass.config_entries.async_update_entry(entry, data=changed)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert (await speaker.say(SAID)).reply.startswith(NOT_THERE)
    assert server.model.requests == []

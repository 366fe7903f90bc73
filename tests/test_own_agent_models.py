"""An agent of the user's own with a model of its own: that one is asked for it, and nothing else of anybody."""

from collections.abc import Sequence
from typing import Any

from homeassistant.config_entries import SOURCE_RECONFIGURE, ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from custom_components.bellboard.const import DOMAIN, SUBENTRY_AGENT
from custom_components.bellboard.llm.ability import Contract
from custom_components.bellboard.llm.limits import LimitedClient
from custom_components.bellboard.llm.models import JsonSchema, Message
from custom_components.bellboard.telemetry.redaction import STRICT
from custom_components.bellboard.telemetry.trace import Stage
from tests.capable import brain
from tests.conftest import SECRET_KEY, Serve, Setup, Speaker
from tests.evaluation import setup_agent
from tests.forms import Form, aborted, default_of, filled, options, shown, shown_menu, suggested
from tests.routing.reading import assistant_of, traces
from tests.servers import Fault, RunningServer, ScriptedModel
from tests.servers.scripted import Ask
from tests.test_faults import assert_kind_and_quiet
from tests.test_own_agents import configure, entry_of, open_form, who

SMALL, CAPABLE = "test-model", "qwen2.5:7b"
ASSISTANTS = "of_the_assistant"
SAID = "it is rather bright in the kitchen"
CLOSED = [{"action": "close", "targets": ["Kitchen Blinds"]}]


def thinking(**capable: Any) -> Any:
    """Return what answers as a small model and as a capable one: whatever it is asked, it is about the blinds."""
    plan = brain(("blinds", SAID), **{"steps": CLOSED, **capable})

    def answer(messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
        asked = schema["properties"] if schema else {}
        if "agentId" in asked:
            return {"agentId": "blinds"}
        if "actions" in asked:
            return {"actions": [{"action": "close"}]}
        return plan(messages, schema)

    return answer


def plans(requests: Sequence[Ask]) -> list[tuple[str, str]]:
    """Return which models were asked for plans, each with its contract."""
    return [
        (ask.model, "capable" if "steps" in ask.schema["properties"] else "small")
        for ask in requests
        if ask.schema and {"steps", "actions"} & ask.schema["properties"].keys()
    ]


async def make(hass: HomeAssistant, **answers: Any) -> None:
    """Make an agent for blinds by the form."""
    form = await open_form(hass, "blinds")
    result = await configure(hass, form, filled(form, **answers))
    assert result["type"] == "create_entry", result
    await hass.async_block_till_done()


def made(entry: ConfigEntry) -> ConfigSubentry:
    """Return the agent that was made."""
    [agent] = [s for s in entry.subentries.values() if s.subentry_type == SUBENTRY_AGENT]
    return agent


async def change(hass: HomeAssistant) -> Form:
    """Open the form of the agent that was made."""
    entry = entry_of(hass)
    context: Any = {"source": SOURCE_RECONFIGURE, "subentry_id": made(entry).subentry_id}
    handler = (entry.entry_id, SUBENTRY_AGENT)
    return shown(
        await hass.config_entries.subentries.async_init(handler, context=context), "devices"
    )


async def with_two_models(speak: Setup, **assistant: Any) -> tuple[Speaker, ScriptedModel]:
    """Set up an assistant whose server has a small and a capable model."""
    speaker = await speak(thinking(), **assistant)
    assert speaker.model
    speaker.model.names = (SMALL, CAPABLE)
    return speaker, speaker.model


async def with_another_connection(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> tuple[Speaker, RunningServer[ScriptedModel], ConfigEntry]:
    """Set up an assistant with a small model, and another connection with a capable one."""
    speaker = await speak(thinking(), dispatch={"retry_delay_ms": 0})
    server = await serve(answer=thinking(), names=(CAPABLE,), key=SECRET_KEY)
    await setup_agent(hass, {"provider": "openai", "url": server.url, "api_key": SECRET_KEY})
    server.model.requests.clear()
    return speaker, server, hass.config_entries.async_entries(DOMAIN)[-1]


# One of its server's models


async def test_a_model_of_its_own_plans_for_it_as_it_can_and_routes_for_nobody(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker, model = await with_two_models(speak)
    await make(hass, model=CAPABLE, instructions="Mind the cat.")
    said = await speaker.say(SAID)
    assert who(hass) == ["blinds-agent"], said.reply
    assert said.result.continue_conversation, "a model assumed it"
    said = await speaker.say("yes")
    assert list(said.changes) == ["cover.kitchen_blinds"]
    assert plans(model.requests) == [(CAPABLE, "capable")]
    assert {ask.model for ask in model.requests if "agentId" in str(ask.schema)} == {SMALL}
    [asked] = [ask for ask in model.requests if ask.model == CAPABLE]
    assert "Mind the cat." in asked.messages[0].content


async def test_without_one_the_assistants_plans_for_it(hass: HomeAssistant, speak: Setup) -> None:
    speaker, model = await with_two_models(speak)
    await make(hass)
    assert "model" not in made(entry_of(hass)).data
    await speaker.say(SAID)
    assert plans(model.requests) == [(SMALL, "small")]


async def test_a_small_model_is_asked_little_even_where_the_assistant_has_a_capable_one(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker, model = await with_two_models(speak, contract="capable")
    model.names = (SMALL, "smollm2:135m")
    await make(hass, model="smollm2:135m")
    said = await speaker.say(SAID)
    assert who(hass) == ["blinds-agent"], said.reply
    assert plans(model.requests) == [("smollm2:135m", "small")]


async def test_what_is_chosen_for_an_assistant_with_the_same_model_holds_for_the_agent(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker, model = await with_two_models(speak, contract="capable")
    await make(hass, model=SMALL)
    await speaker.say(SAID)
    assert plans(model.requests) == [(SMALL, "capable")]


async def test_trace_and_events_name_the_model_that_was_asked(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker, _ = await with_two_models(speak)
    await make(hass, model=CAPABLE)
    await speaker.say(SAID)
    trace = traces(hass)[-1]
    assert [(each["id"], each["model"]) for each in trace.agents] == [("blinds-agent", CAPABLE)]
    [planned] = [s["payload"] for s in trace.stages if s["stage"] == Stage.PLAN_CREATED.value]
    assert planned["model"] == CAPABLE
    told = [e.payload for e in assistant_of(hass).telemetry.ring if e.stage is Stage.PLAN_CREATED]
    assert [payload["model"] for payload in told] == [CAPABLE]
    # What needs no model has none.
    await speaker.say("close the bedroom blinds")
    assert "model" not in traces(hass)[-1].agents[0]


def test_a_models_name_is_no_text_and_a_path_to_it_is() -> None:
    told = {
        name: STRICT.redact({"model": name})["model"]
        for name in (CAPABLE, "meta-llama/Llama-3.1-8B", "/home/anna/models/llama.gguf")
    }
    assert told == {
        CAPABLE: CAPABLE,
        "meta-llama/Llama-3.1-8B": "meta-llama/Llama-3.1-8B",
        "/home/anna/models/llama.gguf": "<28 characters>",
    }


async def test_what_it_asks_is_answered_to_its_own_model(hass: HomeAssistant, speak: Setup) -> None:
    speaker, model = await with_two_models(speak)
    low = [{"action": "set_position", "targets": ["Kitchen Blinds"], "value": 40}]
    model.answer = thinking(steps={"the table": low}, ask="How far shall I close them?")
    await make(hass, model=CAPABLE)
    said = await speaker.say(SAID)
    assert said.reply == "How far shall I close them?"
    said = await speaker.say("until the table has shade")
    if said.result.continue_conversation:
        said = await speaker.say("yes")
    assert list(said.changes) == ["cover.kitchen_blinds"]
    assert plans(model.requests) == [(CAPABLE, "capable")] * 2


async def test_an_answer_that_changes_what_it_wants_a_yes_for_is_its_own_models(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker, model = await with_two_models(speak)
    half = [{"action": "set_position", "targets": ["Kitchen Blinds"], "value": 50}]
    model.answer = thinking(steps={"rather half": half, "bright": CLOSED})
    await make(hass, model=CAPABLE)
    assert (await speaker.say(SAID)).result.continue_conversation
    said = await speaker.say("rather half of it")
    if said.result.continue_conversation:
        said = await speaker.say("yes")
    assert [call["service_data"].get("position") for call in said.calls] == [50]
    assert plans(model.requests) == [(CAPABLE, "capable")] * 2


async def test_a_sentence_that_is_tried_in_the_form_asks_the_model_that_is_chosen_there(
    hass: HomeAssistant, speak: Setup
) -> None:
    _, model = await with_two_models(speak)
    form = await open_form(hass, "blinds")
    tried = await configure(hass, form, filled(form, **{"model": CAPABLE, "try": SAID}))
    again = shown(tried, "devices")
    assert again["description_placeholders"]["tried"].startswith("**Blinds**: ")
    assert plans(model.requests) == [(CAPABLE, "capable")]
    assert suggested(again)["model"] == CAPABLE


async def test_another_model_is_chosen_and_the_assistants_again(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker, model = await with_two_models(speak)
    await make(hass, model=CAPABLE)
    form = await change(hass)
    assert suggested(form)["model"] == CAPABLE
    assert options(form, "model") == [ASSISTANTS, SMALL, CAPABLE]
    aborted(await configure(hass, form, filled(form, model=ASSISTANTS)), "reconfigure_successful")
    await hass.async_block_till_done()
    await speaker.say(SAID)
    assert plans(model.requests) == [(SMALL, "small")]
    form = await change(hass)
    assert "model" not in suggested(form)
    assert default_of(form, "model") == ASSISTANTS
    aborted(await configure(hass, form, filled(form, model=CAPABLE)), "reconfigure_successful")
    await hass.async_block_till_done()
    await speaker.say(SAID)
    assert plans(model.requests)[1:] == [(CAPABLE, "capable")]


async def test_a_model_that_is_not_there_is_said_to_be_missing(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker, _ = await with_two_models(speak)
    await make(hass, model="gone:7b")
    assert made(entry_of(hass)).data["model"] == "gone:7b"
    caplog.clear()
    said = await speaker.say(SAID)
    assert_kind_and_quiet(said, caplog, SAID)
    assert said.reply == "The language model I was given is not there."
    # One that the server does not list any more stays chosen until somebody chooses another.
    form = await change(hass)
    assert suggested(form)["model"] == "gone:7b"
    assert "gone:7b" in options(form, "model")


async def test_its_questions_count_as_the_assistants(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker, model = await with_two_models(speak, requests_per_minute=2, timeout=1)
    await make(hass, model=CAPABLE)
    model.attempts = 0
    await speaker.say(SAID)
    assert model.attempts == 2, "one to route, and one to plan"
    speaker.conversation_id = None
    caplog.clear()
    said = await speaker.say(SAID)
    assert said.reply == "The language model is busy. Please try again in a moment."
    assert model.attempts == 2
    assistant = assistant_of(hass)
    own, main = assistant.own_model_of("blinds-agent"), assistant.models.main
    assert own
    assert isinstance(own.client, LimitedClient)
    assert isinstance(main, LimitedClient)
    assert own.client.limits is main.limits, "the circuit breaker among them"


# The model of another connection


async def test_the_model_of_another_connection_plans_with_that_ones_key(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    speaker, server, other = await with_another_connection(hass, speak, serve)
    form = await open_form(hass, "blinds")
    labels = {
        choice["value"]: choice["label"]
        for choice in form["data_schema"].schema["model"].config["options"]
    }
    assert labels[other.entry_id] == f"{other.title}: {CAPABLE}"
    await configure(hass, form, filled(form, model=other.entry_id))
    await hass.async_block_till_done()
    said = await speaker.say(SAID)
    assert who(hass) == ["blinds-agent"], said.reply
    assert plans(server.model.requests) == [(CAPABLE, "capable")]
    assert all(ask.had_key for ask in server.model.requests)
    assert speaker.model
    assert plans(speaker.model.requests) == []
    assert traces(hass, speaker.agent_id)[-1].agents[0]["model"] == CAPABLE
    assert suggested(await change(hass))["model"] == other.entry_id


async def test_what_is_chosen_there_is_what_its_model_is_asked(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    speaker, server, other = await with_another_connection(hass, speak, serve)
    await make(hass, model=other.entry_id)
    [assistant] = other.subentries.values()
    data = {**assistant.data, "contract": "small"}
    hass.config_entries.async_update_subentry(other, assistant, data=data)
    await hass.async_block_till_done()
    server.model.requests.clear()
    await speaker.say(SAID)
    assert plans(server.model.requests) == [(CAPABLE, "small")]


@pytest.mark.parametrize("how", ["unloaded", "removed", "removed before a restart"])
async def test_a_connection_that_is_gone_costs_one_kind_sentence_and_nobody_is_asked_instead(
    hass: HomeAssistant, speak: Setup, serve: Serve, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    speaker, _, other = await with_another_connection(hass, speak, serve)
    await make(hass, model=other.entry_id)
    if how == "unloaded":
        assert await hass.config_entries.async_unload(other.entry_id)
    else:
        await hass.config_entries.async_remove(other.entry_id)
    if "restart" in how:
        assert await hass.config_entries.async_reload(entry_of(hass).entry_id)
    await hass.async_block_till_done()
    caplog.clear()
    said = await speaker.say(SAID)
    assert_kind_and_quiet(said, caplog, SAID)
    assert said.reply == "I can't reach the language model right now."
    assert speaker.model
    assert plans(speaker.model.requests) == []
    # What needs no model goes on.
    assert list((await speaker.say("close the living room blinds")).changes) == [
        "cover.living_room_blinds"
    ]
    form = await change(hass)
    assert suggested(form).get("model") == (other.entry_id if how == "unloaded" else None)


async def test_a_server_that_is_away_is_that_connections_trouble(
    hass: HomeAssistant, speak: Setup, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    speaker, server, other = await with_another_connection(hass, speak, serve)
    await make(hass, model=other.entry_id)
    await server.suffer(Fault("stopped"))
    caplog.clear()
    said = await speaker.say(SAID)
    assert_kind_and_quiet(said, caplog, SAID)
    assert said.reply == "I can't reach the language model right now."
    repairs = ir.async_get(hass)
    assert repairs.async_get_issue(DOMAIN, f"server_away_{other.entry_id}")
    assert repairs.async_get_issue(DOMAIN, f"server_away_{entry_of(hass).entry_id}") is None
    await server.suffer(Fault())
    assert (await speaker.say(SAID)).result.continue_conversation


# Where there is nothing to choose


async def test_without_any_model_there_is_nothing_to_choose(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    assert "model" not in (await open_form(hass, "blinds"))["data_schema"].schema


async def test_without_a_model_of_its_connection_another_ones_can_be_chosen_and_none_typed(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> None:
    await speak()
    server = await serve(answer=thinking(), names=(CAPABLE,))
    await setup_agent(hass, {"provider": "openai", "url": server.url})
    other = hass.config_entries.async_entries(DOMAIN)[-1]
    form = await open_form(hass, "blinds")
    selector = form["data_schema"].schema["model"]
    assert options(form, "model") == [ASSISTANTS, other.entry_id]
    assert selector.config["custom_value"] is False
    await configure(hass, form, filled(form, model=other.entry_id))
    await hass.async_block_till_done()
    assert made(entry_of(hass)).data["connection"] == other.entry_id


async def test_models_that_cannot_be_listed_can_be_typed(hass: HomeAssistant, speak: Setup) -> None:
    speaker, _ = await with_two_models(speak)
    assert speaker.server
    await speaker.server.suffer(Fault("stopped"))
    form = await open_form(hass, "blinds")
    assert options(form, "model") == [ASSISTANTS]
    await configure(hass, form, filled(form, model=f" {CAPABLE} "))
    await hass.async_block_till_done()
    assert made(entry_of(hass)).data["model"] == CAPABLE


async def test_an_agent_that_hands_over_has_no_model(hass: HomeAssistant, speak: Setup) -> None:
    await with_two_models(speak)
    handler = (entry_of(hass).entry_id, SUBENTRY_AGENT)
    menu = await hass.config_entries.subentries.async_init(handler, context={"source": "user"})
    assert "hand_over" in shown_menu(menu, "user")
    form = shown(await configure(hass, dict(menu), {"next_step_id": "hand_over"}), "hand_over")
    assert "model" not in form["data_schema"].schema
    texts = {"name": "Porter", "description": "Welcomes guests."}
    await configure(hass, form, filled(form, **texts, target="script.welcome"))
    await hass.async_block_till_done()
    assert not {"model", "connection"} & made(entry_of(hass)).data.keys()


# What a model that nobody knows can be asked


def clever(messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
    """Answer no test rightly, and all else as is asked."""
    if schema and "percent" in schema["properties"]:
        return {"targets": [], "percent": None, "ask": False}
    return str(thinking()(messages, schema))


@pytest.mark.aptitude
async def test_a_model_that_nobody_knows_is_tested_once(
    hass: HomeAssistant, serve: Serve, house: ConfigEntry
) -> None:
    server = await serve(answer=clever, names=("llama3:8b", "phi4"))
    await setup_agent(hass, {"provider": "openai", "url": server.url})
    assert server.model.requests == [], "the name of the assistant's tells enough"
    await make(hass, model="phi4")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert [ask.model for ask in server.model.requests] == ["phi4"] * 12
    agent = assistant_of(hass).own_model_of("blinds-agent")
    assert agent
    assert agent.contract is Contract.SMALL
    form = await change(hass)
    aborted(await configure(hass, form, filled(form, name="Shades")), "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert len(server.model.requests) == 12, "what is known of it is kept"


@pytest.mark.aptitude
async def test_questions_that_are_counted_are_not_spent_on_a_test(
    hass: HomeAssistant, serve: Serve, house: ConfigEntry
) -> None:
    server = await serve(answer=clever, names=("llama3:8b", "phi4"))
    assistant = {"requests_per_minute": 30}
    await setup_agent(hass, {"provider": "openai", "url": server.url, "assistant": assistant})
    await make(hass, model="phi4")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert server.model.requests == []

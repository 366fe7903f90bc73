"""Whatever a turn asks a model is an ActionRequest, found by the turn's id, and answered by an ActionResponse."""

from collections.abc import Awaitable, Callable, Mapping
import json
import logging
from typing import Any, NoReturn
from unittest.mock import AsyncMock
from uuid import UUID

import aiohttp
from homeassistant.core import HomeAssistant
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
import pytest

from custom_components.bellboard.connections.aptitude import async_find_out
from custom_components.bellboard.llm import port
from custom_components.bellboard.llm.envelope import ActionRequest
from custom_components.bellboard.llm.invocation import async_execute, messages_of
from custom_components.bellboard.llm.openai import OpenAIClient
from custom_components.bellboard.telemetry.trace import TurnTrace
from custom_components.bellboard.turn import pipeline
from tests.capable import brain
from tests.conftest import Serve, Setup, Speaker
from tests.evaluation import setup_agent
from tests.routing.reading import assistant_of, choosing, traces
from tests.servers import Call, ScriptedModel
from tests.servers.faults import Fault
from tests.test_aptitude import clever
from tests.test_forwarding import DONE, STEPS, forward, model
from tests.test_model_tools import using
from tests.test_task_actions import ASKED, task_of

type Handled = list[ActionRequest[Any]]
type Scene = Callable[[HomeAssistant, Setup, Serve], Awaitable[tuple[Speaker, list[ScriptedModel]]]]


@pytest.fixture
def handled(monkeypatch: pytest.MonkeyPatch) -> Handled:
    """The requests that the handler of the contract was given, in order."""
    found: Handled = []

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def handle(request: ActionRequest[Any], *rest: Any, **options: Any) -> Any:
            found.append(request)
            return function(request, *rest, **options)

        return handle

    for name in ("async_execute_with", "open_stream"):
        monkeypatch.setattr(port, name, watched(getattr(port, name)))
    return found


async def _next_steps(
    _hass: HomeAssistant, speak: Setup, _serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """Routing, a next step and talk with a small model."""
    speaker = await speak(model(forward("general-agent", "Say what was turned off."), DONE))
    await speaker.say(STEPS)
    assert speaker.model
    return speaker, [speaker.model]


async def _a_plan(
    _hass: HomeAssistant, speak: Setup, _serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """Routing and planning with a small model."""
    speaker = await speak(model(DONE, actions=[{"action": "turn_off"}]))
    await speaker.say("it has become rather gloomy around the reading lamp")
    assert speaker.model
    return speaker, [speaker.model]


async def _steps(
    _hass: HomeAssistant, speak: Setup, _serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """Routing and planning with a capable model."""
    step = {"action": "turn_on", "targets": ["Floor Lamp"]}
    speaker = await speak(
        brain(("light", "the floor lamp, dreamy"), steps=[step]), contract="capable"
    )
    said = await speaker.say("the floor lamp could be dreamy")
    assert said.changes
    assert speaker.model
    return speaker, [speaker.model]


async def _tools(
    _hass: HomeAssistant, speak: Setup, _serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """Routing and rounds of tools with a capable model."""
    asked = Call("history", {"names": ["Kitchen Ceiling"], "start": "2026-01-01", "end": ""})
    speaker = await speak(using(asked, says="It was on.", agent="home"), contract="capable")
    await speaker.say("altogether how long did the kitchen ceiling burn in these hours")
    assert speaker.model
    return speaker, [speaker.model]


async def _talk(
    _hass: HomeAssistant, speak: Setup, _serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """Routing and a streamed tale with a capable model."""
    tale = "Once upon a time there was a lamp that could not sleep."
    speaker = await speak(
        brain(("general", "tell me a tale"), talk=tale), contract="capable", tools={}
    )
    await speaker.say("tell me a tale")
    assert speaker.model
    return speaker, [speaker.model]


async def _escalation(
    hass: HomeAssistant, speak: Setup, serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """Routing by a model that fails, and by the one of another connection."""
    server = await serve(answer=choosing("general"))
    await setup_agent(hass, {"provider": "openai", "url": server.url})
    [entry] = hass.config_entries.async_entries("bellboard")
    router = {"escalation_key": entry.entry_id, "max_attempts": 1}
    speaker = await speak(choosing("music"), router=router)
    assert speaker.model
    speaker.model.beliefs = {"general": 0.2, "music": 0.8}
    for asked in (server.model, speaker.model):
        asked.requests.clear()
    await speaker.say("surprise me somehow")
    return speaker, [speaker.model, server.model]


async def _a_draft(
    _hass: HomeAssistant, speak: Setup, _serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """Routing that is unsure, and the question that a capable model drafts."""

    def unsure(_messages: object, schema: Mapping[str, Any] | None) -> Any:
        choice = {"agentId": "light-agent", "confidence": 0.5, "reasoning": "A lamp, or a song."}
        return {**choice, "additionalAgents": []} if schema else "Which room do you mean?"

    router = {"default_prompts": "contract"}
    speaker = await speak(unsure, contract="capable", router=router)
    said = await speaker.say("I could do with the kitchen counter")
    assert said.reply.startswith("Which room do you mean? ")
    assert said.result.continue_conversation
    return speaker, [speaker.model] if speaker.model else []


async def _an_answer(
    _hass: HomeAssistant, speak: Setup, _serve: Serve
) -> tuple[Speaker, list[ScriptedModel]]:
    """An answer to a question that only the model can read."""
    speaker = await speak(lambda *_: {"answer": "1"})
    await speaker.say(ASKED)
    assert speaker.model
    assert not speaker.model.requests
    said = await speaker.say("that thing")
    assert [call["service"] for call in said.calls] == ["turn_on"]
    return speaker, [speaker.model]


SCENES: dict[str, Scene] = {
    "next steps": _next_steps,
    "a plan": _a_plan,
    "steps": _steps,
    "tools": _tools,
    "talk": _talk,
    "escalation": _escalation,
    "a draft": _a_draft,
    "an answer": _an_answer,
}


@pytest.mark.parametrize("name", SCENES)
async def test_whatever_a_turn_asks_goes_through_the_port(
    hass: HomeAssistant, speak: Setup, serve: Serve, handled: Handled, name: str
) -> None:
    speaker, models = await SCENES[name](hass, speak, serve)
    asked = [
        [message.content for message in ask.messages] for each in models for ask in each.requests
    ]
    told = [[m.content for m in messages_of(each.context, each.payload)] for each in handled]
    assert asked
    assert sorted(told) == sorted(asked)
    assert any(ask.stream for each in models for ask in each.requests) is (
        name in {"tools", "talk"}
    )
    trace = traces(hass, speaker.agent_id)[-1]
    assert [call.request for call in trace.model.log] == handled
    _check_ids(trace)
    task = await task_of(hass, speaker, assistant=speaker.agent_id)
    assert task["metadata"]["correlationId"] == str(trace.correlation_id)
    assert {call.request.task_id for call in trace.model.log} == {
        UUID(task["id"].removeprefix("task-"))
    }


def _check_ids(trace: TurnTrace) -> None:
    """Check that each call is a request of its own with the turn's id, and has its response."""
    calls = trace.model.log
    assert len({call.request.request_id for call in calls}) == len(calls)
    assert {call.request.correlation_id for call in calls} == {trace.correlation_id}
    assert trace.id == f"turn-{trace.as_json()['correlation_id']}"
    for call in calls:
        assert call.response
        assert call.response.request_id == call.request.request_id
        shown = call.as_json(trace.started)
        assert shown["request_id"] == str(call.request.request_id)
        assert shown["correlation_id"] == str(trace.correlation_id)
        assert (shown["status"], shown["output_type"]) == ("success", "text")
        assert shown["prompt_tokens"] > 0


async def test_a_test_of_a_model_goes_through_the_port(serve: Serve, handled: Handled) -> None:
    server = await serve(answer=clever)
    async with aiohttp.ClientSession() as session:
        await async_find_out(OpenAIClient(session, server.url, model="test-model"), 10)
    assert len(handled) == len(server.model.requests) > 0


@pytest.mark.parametrize("name", SCENES)
async def test_a_process_would_ask_the_same(
    hass: HomeAssistant, speak: Setup, serve: Serve, handled: Handled, name: str
) -> None:
    """A turn's request, written as JSON with a config beside the prompt, reaches a server as it did before."""
    speaker, models = await SCENES[name](hass, speak, serve)
    assert speaker.server
    [asks, *_] = [each.requests.copy() for each in models]
    bodies = [dict(ask.body) for ask in asks]
    config = {"provider": "openai", "base_url": speaker.server.url, "model_name": asks[0].model}
    models[0].requests.clear()
    log = traces(hass, speaker.agent_id)[-1].model.log
    of_model = [call.request for call in log if call.server == log[0].server]
    async with aiohttp.ClientSession() as session:
        for request in of_model:
            written = json.loads(request.model_dump_json(exclude_unset=True))
            written["payload"]["config"] = config
            response = await async_execute(ActionRequest.model_validate(written), session)
            assert response.correlation_id == request.correlation_id
    again = [dict(ask.body) for ask in models[0].requests]
    for body in (*bodies, *again):
        # The process answers whole.
        body.pop("stream", None)
        body.pop("stream_options", None)
    assert again == bodies


async def test_a_failure_is_a_response_and_the_error_that_it_was(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(choosing("general"), router={"max_attempts": 1})
    assert speaker.model
    speaker.model.fault = Fault.of_status(500)
    await speaker.say("surprise me somehow")
    call = traces(hass, speaker.agent_id)[-1].model.log[0]
    shown = call.as_json(0)
    assert (shown["status"], shown["output_type"]) == ("success", "error")
    assert shown["error"] == "ServerFailedError"
    assert call.response
    assert call.response.result
    assert call.response.result.data == "LLM Call Failed: The model server failed. (status 500)"


@pytest.mark.parametrize("name", SCENES)
async def test_each_call_is_a_span_with_the_ids_of_its_request(
    hass: HomeAssistant, speak: Setup, serve: Serve, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr("opentelemetry.trace.get_tracer", provider.get_tracer)
    speaker, models = await SCENES[name](hass, speak, serve)
    spans = [s for s in exporter.get_finished_spans() if s.name == "bellboard.execute"]
    calls = traces(hass, speaker.agent_id)[-1].model.log
    assert [dict(span.attributes or {}) for span in spans] == [
        {
            "bellboard.request_id": str(call.request.request_id),
            "bellboard.correlation_id": str(call.request.correlation_id),
            "bellboard.task_id": str(call.request.task_id),
        }
        for call in calls
    ]
    exporter.clear()
    asked = sum(len(each.requests) for each in models)
    assistant = assistant_of(hass, speaker.agent_id)
    dispatch = assistant.options.dispatch.model_copy(update={"enable_telemetry": False})
    quiet = assistant.options.model_copy(update={"dispatch": dispatch})
    object.__setattr__(assistant, "options", quiet)
    await speaker.say(STEPS)
    assert sum(len(each.requests) for each in models) > asked
    assert not [s for s in exporter.get_finished_spans() if s.name == "bellboard.execute"]


async def test_the_log_tells_requests_without_what_was_said(
    hass: HomeAssistant, speak: Setup, serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components.bellboard.llm")
    speaker, _ = await _next_steps(hass, speak, serve)
    lines = [r.getMessage() for r in caplog.records if r.name.endswith("llm.port")]
    calls = traces(hass, speaker.agent_id)[-1].model.log
    assert len(lines) == len(calls)
    for line, call in zip(lines, calls, strict=True):
        assert str(call.request.request_id) in line
        assert "hallway" not in line.lower()


# What nobody expected


def _errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the lines of ours that tell of an error."""
    return [
        record.getMessage()
        for record in caplog.records
        if "bellboard" in record.name and record.levelno >= logging.ERROR
    ]


async def test_a_client_that_breaks_is_the_tools_error_and_one_sentence(
    hass: HomeAssistant,
    speak: Setup,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    speaker = await speak(choosing("general"))
    said = await speaker.say("surprise me somehow")
    assert said.reply == "Hello."

    async def failing(*_: object, **__: object) -> NoReturn:
        raise KeyError("surprise")

    monkeypatch.setattr(OpenAIClient, "complete", failing)
    said = await speaker.say("surprise me somehow")
    assert said.reply.startswith("I'm not sure I understood.")
    trace = traces(hass, speaker.agent_id)[-1]
    cause = "ExecutionFailed in routing: llm_router_agent failed (unexpected): KeyError"
    assert [part.reason for part in trace.parts] == [cause]
    assert cause in caplog.text
    [call] = trace.model.log
    assert (call.response, call.error) == (None, "ToolError")


async def test_a_turn_that_breaks_off_says_so_and_its_task_has_failed(
    hass: HomeAssistant,
    speak: Setup,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    speaker = await speak()
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "_async_route", AsyncMock(side_effect=KeyError("swordfish")))
        said = await speaker.say("turn off the kitchen pendant")
    assert said.reply == "Something went wrong, so I stopped."
    assert not said.changes
    assert _errors(caplog) == ["ExecutionFailed in a turn after intents_eligible: KeyError"]
    # Where it was is told, and not what it quotes.
    assert "_async_go_through" in caplog.text
    assert "swordfish" not in caplog.text
    trace = traces(hass, speaker.agent_id)[-1]
    assert (trace.reply, trace.state) == (said.reply, "failed")
    assert trace.stages[-1]["stage"] == "respond"
    assert trace.stages[-1]["level"] == "error"
    task = await task_of(hass, speaker)
    assert task["status"]["state"] == "failed"
    assert [message["content"] for message in task["history"]] == [
        "turn off the kitchen pendant",
        said.reply,
    ]
    assert (await speaker.say("turn off the kitchen pendant")).changes


async def test_a_question_outlives_a_turn_that_breaks_off(
    speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaker = await speak()
    assert (await speaker.say(ASKED)).result.continue_conversation
    with monkeypatch.context() as broken:
        broken.setattr(pipeline, "_async_route", AsyncMock(side_effect=KeyError))
        said = await speaker.say("the bedroom")
    assert said.reply == "Something went wrong, so I stopped."
    assert said.result.continue_conversation
    assert (await speaker.say("the first one")).calls

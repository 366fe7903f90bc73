"""A turn leaves its stages, agents, calls and times; only the last turns are kept."""

import asyncio
import json
from typing import Any

from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.agents.base import AgentRequest, AgentResult
from custom_components.bellboard.agents.light import LightAgent
from custom_components.bellboard.telemetry.trace import Stage, TraceBuffer, TurnTrace
from tests.conftest import Setup
from tests.routing.reading import assistant_of


def test_a_trace_is_a_json_object() -> None:
    trace = TurnTrace("talk", "turn it on")
    trace.add(Stage.RECEIVED, memory={"history_count": 0})
    trace.add(Stage.RESPOND)
    trace.finish("Done.", "completed")
    written = json.loads(json.dumps(trace.as_json()))
    assert written["conversation_id"] == "talk"
    assert (written["utterance"], written["reply"]) == ("turn it on", "Done.")
    assert written["state"] == "completed"
    assert [stage["stage"] for stage in written["stages"]] == ["received", "respond"]
    assert written["stages"][0]["payload"] == {"memory": {"history_count": 0}}
    times = [stage["ms"] for stage in written["stages"]] + [written["ms"]]
    assert times == sorted(times)
    assert written["llm"] == {
        "calls": 0,
        "prompt_tokens": 0,
        "cached_tokens": 0,
        "completion_tokens": 0,
    }


def test_each_turn_has_an_id_of_its_own() -> None:
    assert TurnTrace("talk", "x").id != TurnTrace("talk", "x").id


def test_only_the_last_turns_are_kept() -> None:
    buffer = TraceBuffer()
    for number in range(60):
        buffer.append(TurnTrace("talk", str(number)))
    assert [trace.utterance for trace in buffer] == [str(number) for number in range(10, 60)]


def test_turns_may_end_while_they_are_read() -> None:
    buffer = TraceBuffer()
    buffer.append(TurnTrace("talk", "0"))
    for trace in buffer:
        buffer.append(trace)
    assert len(list(buffer)) == 2


async def test_a_turn_goes_through_its_stages(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(lambda *_: {"actions": [{"action": "change_brightness", "by": 10}]})
    await speaker.say("make the reading lamp shine brighter")
    entry = hass.config_entries.async_entries("bellboard")[0]
    [assistant] = entry.runtime_data.assistants.values()
    [trace] = assistant.traces
    written = trace.as_json()
    assert [stage["stage"] for stage in written["stages"]] == [
        "received",
        "intents_eligible",
        "intent_classified",
        "plan_created",
        "plan_communicated",
        "policy_check",
        "tool_execute",
        "respond",
    ]
    [ran] = written["agents"]
    assert ran.pop("ms") >= 0
    assert ran == {
        "id": "light-agent",
        "confidence": 1.0,
        "source": "vocabulary",
        "model": "test-model",
        "success": True,
    }
    assert written["stages"][3]["payload"]["model"] == "test-model"
    assert written["stages"][2]["payload"] == {
        "agent_id": "light-agent",
        "intent_id": "light-agent/change_brightness",
        "redacted_params": [],
        "source": "vocabulary",
        "measure": "none",
        "confidence": 1.0,
        "reasoning": "Only this agent's words occur in the request.",
        "variant": "a",
        "choice": {
            "agentId": "light-agent",
            "confidence": 1.0,
            "reasoning": "Only this agent's words occur in the request.",
            "instructions": {"light-agent": "make the reading lamp shine brighter"},
        },
    }
    # What was asked of the model is known with its plan, and named by every stage from then on.
    assert {stage["payload"]["intent_id"] for stage in written["stages"][2:]} == {
        "light-agent/change_brightness"
    }
    assert written["calls"] == [
        {
            "action": "light.turn_on",
            "data": {"entity_id": ["light.reading_lamp"], "brightness_step_pct": 10},
        }
    ]
    assert written["llm"]["calls"] == 1
    assert written["llm"]["prompt_tokens"] > 0
    assert written["state"] == "completed"
    json.dumps(written)


async def test_a_trace_says_who_was_at_work_when_the_turn_ended(
    hass: HomeAssistant, speak: Setup, hass_storage: dict[str, Any]
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp and mute the kitchen speaker")
    entry = hass.config_entries.async_entries("bellboard")[0]
    [assistant] = entry.runtime_data.assistants.values()
    [trace] = assistant.traces
    task = assistant.tasks.get(str(speaker.conversation_id))
    assert task
    workflow = trace.as_json()["workflow"]
    assert workflow.pop("startTime") <= task.status.timestamp
    assert workflow == {
        "currentExecutor": "music-agent",
        "pendingOperations": [],
        "metadata": {"turnId": trace.id, "taskId": task.id},
    }
    # Nothing of it is kept with the conversation, in memory or in the file.
    hass.bus.async_fire(EVENT_HOMEASSISTANT_FINAL_WRITE)
    await hass.async_block_till_done()
    [kept] = [value for key, value in hass_storage.items() if key.startswith("bellboard.tasks")]
    assert task.id in json.dumps(kept)
    for text in (json.dumps(kept), json.dumps(task.as_json())):
        for name in ("workflow", "currentExecutor", "pendingOperations", "startTime", trace.id):
            assert name not in text


class Never:
    """The light agent, which never comes to an end."""

    card = LightAgent.card

    def __init__(self) -> None:
        self.began = asyncio.Event()

    async def async_answer(self, request: AgentRequest) -> AgentResult:
        self.began.set()
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("parallel", [False, True])
async def test_a_trace_says_who_was_still_to_answer_when_the_turn_was_cancelled(
    hass: HomeAssistant, speak: Setup, *, parallel: bool
) -> None:
    speaker = await speak(dispatch={"parallel": parallel})
    assistant, never = assistant_of(hass), Never()
    assistant.registry.register(never)
    turn = asyncio.create_task(
        speaker.say("turn on the floor lamp and mute the kitchen speaker, and close the blinds")
    )
    async with asyncio.timeout(5):
        await never.began.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
    [trace] = assistant.traces
    # Of those that are at work at once the last is the executor.
    at_work = trace.workflow["currentExecutor"], *trace.workflow["pendingOperations"]
    sequence = ("light-agent", "music-agent", "home-agent")
    assert at_work == (("home-agent", "light-agent", "music-agent") if parallel else sequence)


async def test_a_task_keeps_its_plan_and_where_each_step_stands(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    entry = hass.config_entries.async_entries("bellboard")[0]
    [assistant] = entry.runtime_data.assistants.values()
    task = assistant.tasks.get(str(speaker.conversation_id))
    assert task
    [artifact] = task.as_json()["artifacts"]
    [part] = artifact["parts"]
    assert part["kind"] == "data"
    assert (part["data"]["agentId"], part["data"]["intentId"]) == ("light-agent", "HassTurnOn")
    steps = part["data"]["steps"]
    assert [(step["type"], step["status"]) for step in steps] == [
        ("respond", "completed"),
        ("tool_call", "completed"),
        ("respond", "completed"),
    ]
    assert all(step["startedAt"] <= step["endedAt"] for step in steps)

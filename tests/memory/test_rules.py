"""What is open in a conversation is noted, asked for so often and no more, and kept with its task."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.memory.models import TaskContext
from tests.conftest import Setup, Speaker
from tests.test_services import assistant_of

ASKED = "turn on the bedside lamp"
UNCLEAR = "the purple one"
RIGHT = "light.right_bedside_lamp"


def payload(hass: HomeAssistant, stage: str) -> dict[str, Any]:
    """Return what the last turn noted of a stage."""
    trace = list(assistant_of(hass).traces)[-1]
    (found,) = (entry["payload"] for entry in trace.stages if entry["stage"] == stage)
    return dict(found)


def task_of(hass: HomeAssistant, speaker: Speaker) -> TaskContext:
    """Return the task of the conversation that somebody is in."""
    task = assistant_of(hass).tasks.get(str(speaker.conversation_id))
    assert task
    return task


async def test_each_turn_notes_what_is_remembered_and_what_is_waited_for(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    nothing = {"history_count": 1, "params_keys": [], "waiting_for_param": None}
    assert payload(hass, "received")["memory"] == nothing
    assert payload(hass, "respond")["waiting_for_param"] == "target"
    await speaker.say("the right one")
    waiting = {"history_count": 2, "params_keys": [], "waiting_for_param": "target"}
    assert payload(hass, "received")["memory"] == waiting
    assert "waiting_for_param" not in payload(hass, "respond")
    await speaker.say("turn off the kitchen pendant")
    cleared = {"history_count": 3, "params_keys": [], "waiting_for_param": None}
    assert payload(hass, "received")["memory"] == cleared


async def test_the_values_that_are_known_already_are_noted_by_name(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("set the bedside lamp to 40 percent")
    assert payload(hass, "respond")["state"] == "input-required"
    await speaker.say("the right one")
    memory = payload(hass, "received")["memory"]
    assert memory["params_keys"] == ["percent"]


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_it_is_asked_so_often_and_then_left(
    hass: HomeAssistant, speak: Setup, most: int
) -> None:
    speaker = await speak(memory={"max_clarifications": most})
    said = await speaker.say(ASKED)
    asked = 0
    while said.result.continue_conversation:
        assert not said.changes
        asked += 1
        assert asked <= most
        said = await speaker.say(UNCLEAR)
    assert asked == most
    assert not said.changes
    assert said.reply
    task = task_of(hass, speaker)
    assert task.state == "failed"
    assert "pendingQuestion" not in task.metadata
    # It is free for something else.
    assert (await speaker.say("turn off the kitchen pendant")).changes


async def test_the_answer_is_taken_up_after_a_clarification(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    first = task_of(hass, speaker)
    assert (await speaker.say(UNCLEAR)).result.continue_conversation
    assert list((await speaker.say("the right one")).changes) == [RIGHT]
    task = task_of(hass, speaker)
    assert task.id == first.id, "one task, from the request to its end"
    assert task.state == "completed"
    assert [message.role for message in task.history] == ["user", "assistant"] * 3


async def test_another_request_is_a_task_of_its_own_and_never_mind_ends_one(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(ASKED)
    first = task_of(hass, speaker)
    await speaker.say("turn off the kitchen pendant")
    second = task_of(hass, speaker)
    assert (first.state, second.state) == ("canceled", "completed")
    assert second.metadata["follows"] == first.id
    await speaker.say(ASKED)
    said = await speaker.say("never mind")
    assert not said.changes
    assert not said.result.continue_conversation
    assert task_of(hass, speaker).state == "canceled"
    assert not (await speaker.say("the right one")).changes


async def test_a_task_keeps_who_answered_and_how(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn off the kitchen pendant and close the kitchen blinds")
    task = task_of(hass, speaker)
    metadata = task.metadata
    plans = [artifact["parts"][0]["data"] for artifact in task.as_json()["artifacts"]]
    assert [plan["agentId"] for plan in plans] == ["light-agent", "home-agent"]
    assert metadata["agentSelections"] == ["light-agent", "home-agent"]
    assert metadata["lastResponse"]["agentId"] == "home-agent"
    assert metadata["lastResponse"]["success"] is True


async def test_a_task_says_how_sure_the_decision_was_and_where_it_was_about(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn off the kitchen lights")
    metadata = task_of(hass, speaker).metadata
    assert (metadata["location"], metadata["routingConfidence"]) == ("Kitchen", 1.0)
    await speaker.say("fold the laundry into swans")
    metadata = task_of(hass, speaker).metadata
    assert "location" not in metadata
    assert metadata["routingConfidence"] == 0.0

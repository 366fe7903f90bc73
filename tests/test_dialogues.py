"""Whole dialogues end right in the house, and in the right state after each turn, without a model."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.memory.models import TaskContext, TaskState
from tests.conftest import Setup, Speaker, snapshot
from tests.dialogues import CANCELED, DIALOGUES, OPEN, THREE_TURNS, TWO_TURNS, Dialogue, Turn
from tests.one_house import in_one_house
from tests.test_services import assistant_of

type House = Mapping[str, Mapping[str, Any]]


async def wrongs_in(speaker: Speaker, dialogue: Dialogue) -> list[str]:
    """Speak a dialogue to an assistant; return what is not right after its turns, if anything."""
    found: list[str] = []
    start = snapshot(speaker.hass)
    house: dict[str, Mapping[str, Any]] = {}
    asking: TaskContext | None = None
    speaker.conversation_id = None
    for turn in dialogue.turns:
        said = await speaker.say(turn.text, language=dialogue.language, area=dialogue.area)
        house.update(turn.house)
        task = _task_of(speaker)
        wrong = [*_wrong_task(turn, asking, task), *_wrong_house(speaker.hass, start, house)]
        if said.result.continue_conversation is not (turn.state is OPEN):
            wrong.append(f"continue_conversation is {said.result.continue_conversation}")
        if turn.state is not TaskState.COMPLETED and said.changes:
            wrong.append(f"{sorted(said.changes)} changed")
        found += [f"{turn.text!r} -> {said.reply!r}: {each}" for each in wrong]
        asking = task if task.state is OPEN else None
    return found


def _task_of(speaker: Speaker) -> TaskContext:
    """Return the task of the conversation."""
    assert speaker.conversation_id
    task = assistant_of(speaker.hass).tasks.get(speaker.conversation_id)
    assert task
    return task


def _wrong_task(turn: Turn, asking: TaskContext | None, task: TaskContext) -> list[str]:
    """Return what is not right about the task of a turn; `asking` is the one that was open."""
    found: list[str] = []
    if task.state is not turn.state:
        found.append(f"the task is {task.state}, not {turn.state}")
    if asking and turn.instead is (task is asking):
        found.append("the open task is " + ("another one" if task is not asking else "the same"))
    if asking and turn.instead and asking.state is not CANCELED:
        found.append(f"the task that asked is {asking.state}, not {CANCELED}")
    return found


def _wrong_house(hass: HomeAssistant, start: Mapping[str, str], house: House) -> list[str]:
    """Return what in the house is not as it should be, and what else is not as at the start."""
    found: list[str] = []
    for entity_id, wanted in house.items():
        state = hass.states.get(entity_id)
        assert state
        values = {**state.attributes, "state": state.state}
        found += [
            f"{entity_id}: {name} is {values.get(name)}, not {value}"
            for name, value in wanted.items()
            if values.get(name) != (pytest.approx(value) if isinstance(value, float) else value)
        ]
    now = snapshot(hass)
    others = {name for name in now if now[name] != start.get(name)} - house.keys()
    return [*found, f"{sorted(others)} changed too"] if others else found


@in_one_house("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.title)
async def test_a_dialogue_ends_right_without_a_model(speak: Setup, dialogue: Dialogue) -> None:
    assert not await wrongs_in(await speak(), dialogue)


def test_there_are_as_many_dialogues_as_are_wanted() -> None:
    assert [len(dialogue.turns) for dialogue in TWO_TURNS] == [2] * 20
    assert [len(dialogue.turns) for dialogue in THREE_TURNS] == [3] * 10
    assert len({dialogue.title for dialogue in DIALOGUES}) == len(DIALOGUES)

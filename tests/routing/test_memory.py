"""The router is told of the last turn in one short line, after all that never changes."""

import json
import re

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.tasks.memory import describe_last_turn, note_turn
from custom_components.bellboard.tasks.models import TaskContext
from tests.conftest import Setup

from .reading import choosing
from .test_router_options import SAID, routed

LINE = re.compile(r"^\(Before: [^\n]{1,60}\)\n")


async def test_the_second_turn_is_told_of_the_first(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("general"))
    await speaker.say("turn on the floor lamp")
    await speaker.say(SAID)
    await speaker.say(f"{SAID} again")
    second, third = routed(speaker)
    assert second.messages[-1].content == f"(Before: light Floor Lamp)\n{SAID}"
    assert third.messages[-1].content.endswith(f"\n{SAID} again")
    assert LINE.match(third.messages[-1].content)
    assert "Floor Lamp" not in third.messages[-1].content
    # What is the same for all turns stays the same bytes.
    prefixes = {json.dumps(ask.body["messages"][:-1]) for ask in (second, third)}
    assert len(prefixes) == 1
    assert "Before" not in prefixes.pop()


async def test_the_first_turn_of_a_conversation_is_told_of_nothing(speak: Setup) -> None:
    speaker = await speak(choosing("general"))
    await speaker.say("turn on the floor lamp")
    speaker.conversation_id = None
    await speaker.say(SAID)
    [ask] = routed(speaker)
    assert ask.messages[-1].content == SAID


async def test_nothing_is_told_where_it_is_not_wanted(speak: Setup) -> None:
    speaker = await speak(choosing("general"), router={"use_history": False})
    await speaker.say("turn on the floor lamp")
    await speaker.say(SAID)
    [ask] = routed(speaker)
    assert ask.messages[-1].content == SAID


@pytest.mark.parametrize("targets", [[], ["Lamp"], ["Lamp"] * 30, ["x" * 500, "y" * 500]])
def test_the_line_is_short(targets: list[str]) -> None:
    task = TaskContext(id="1", session_id="2")
    assert describe_last_turn(task) == ""
    note_turn(task, ["light-agent", "music-agent"] * 20, targets)
    assert LINE.match(f"{describe_last_turn(task)}\n")

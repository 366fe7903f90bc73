"""The router is told of the last three turns in short lines, after all that never changes."""

import json
import re

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.llm.models import tokens_of
from custom_components.bellboard.memory.models import TaskContext, TaskMessage
from custom_components.bellboard.memory.turns import MOST_TOKENS, describe_turns, note_turn
from custom_components.bellboard.turn.told_models import describe_history
from tests.capable import brain
from tests.conftest import Setup

from .reading import choosing
from .test_capable import splits
from .test_router_options import SAID, routed

# Tokens that are promised in docs/seeds.md, and a few for the quotes between messages.
MOST_FOR_CAPABLE = 240 + 10
LINE = re.compile(r"^(\(Before: [^\n]{1,124}\)\n){1,3}")


async def test_the_second_turn_is_told_of_the_first(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak(choosing("general"))
    await speaker.say("turn on the floor lamp")
    await speaker.say(SAID)
    await speaker.say(f"{SAID} again")
    second, third = routed(speaker)
    before = "(Before: turn on the floor lamp: light Floor Lamp)"
    assert second.messages[-1].content == f"{before}\n{SAID}"
    assert third.messages[-1].content.endswith(f"\n{SAID} again")
    assert LINE.match(third.messages[-1].content)
    assert third.messages[-1].content.startswith(f"{before}\n(Before: {SAID}: general)\n")
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


async def test_it_is_told_of_three_turns_and_no_more(speak: Setup) -> None:
    speaker = await speak(choosing("general"))
    said = ["turn on the floor lamp", "turn off the kitchen pendant", "mute the kitchen speaker"]
    for text in ["turn on the porch light", *said, SAID]:
        await speaker.say(text)
    [ask] = routed(speaker)
    *lines, asked = ask.messages[-1].content.splitlines()
    assert asked == SAID
    assert [line.split(": ")[1] for line in lines] == said


def test_of_long_turns_the_newest_stand_within_the_tokens_there_are() -> None:
    task = TaskContext.submitted("2")
    for number in range(5):
        note_turn(task, ["light-agent"], ["x 1 " * 20], said=f"{number} " + "a 1 " * 20)
    lines = describe_turns(task).splitlines()
    assert lines[-1].startswith("(Before: 4 a 1")
    assert len(lines) < 3
    assert sum(map(tokens_of, lines)) <= MOST_TOKENS == 90


def test_a_capable_model_is_told_of_three_turns_within_its_tokens() -> None:
    def told(words: str) -> list[str]:
        history = [TaskMessage(role="user", content=f"{number} {words}") for number in range(10)]
        found = describe_history(history, ())
        assert tokens_of(found) <= MOST_FOR_CAPABLE
        return found.removeprefix("Before: ").split("; ")

    assert told("brighter") == [f'"{number} brighter"' for number in range(4, 10)]
    long = told("a 1 " * 30)
    assert 1 < len(long) < 6
    assert long[-1].startswith('"9 a 1')


async def test_a_capable_model_is_told_what_was_said_and_how_it_was_before(speak: Setup) -> None:
    speaker = await speak(brain(("general", SAID)), contract="capable")
    await speaker.say("turn on the floor lamp")
    await speaker.say(SAID)
    [ask] = splits(speaker)
    assert ask.messages[-1].content.splitlines() == [
        'Before: "turn on the floor lamp"; "Turned on Floor Lamp."',
        '(Before "turn on the floor lamp": Floor Lamp off)',
        SAID,
    ]


@pytest.mark.parametrize("targets", [[], ["Lamp"], ["Lamp"] * 30, ["x" * 500, "y" * 500]])
def test_the_line_is_short(targets: list[str]) -> None:
    task = TaskContext.submitted("2")
    assert describe_turns(task) == ""
    note_turn(task, ["light-agent", "music-agent"] * 20, targets)
    assert LINE.match(f"{describe_turns(task)}\n")

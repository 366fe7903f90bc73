"""What a conversation remembers of its last turns: bounded, true to what was done, read with care."""

from collections.abc import Sequence
import json
import re
from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import intent
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.agents.base import AgentResult
from custom_components.bellboard.dialogue.references import last_command, recent_targets
from custom_components.bellboard.domains.models import Command, ToolCall
from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.memory.models import TaskContext
from custom_components.bellboard.memory.turns import (
    MAX_TARGETS,
    MAX_TURNS,
    describe_turns,
    load_turns,
    note_turn,
    remember_turn,
)
from custom_components.bellboard.plans.models import AskUser, Candidate, Outcome, Plan, ToolResult
from tests.conftest import Setup
from tests.one_house import in_one_house

from .remembering import KITCHEN_LIGHTS, LAMP, READING, action, home, part

LINE = re.compile(r"^(?:\(Before: [^\n]{1,124}\)(?:\n|$)){1,3}$")


def task() -> TaskContext:
    """Return the task of a new conversation."""
    return TaskContext.submitted(session_id="talk")


def done(*targets: str, actions: Sequence[Command] = (), success: bool = True) -> AgentResult:
    """Return the answer of an agent that carried out actions."""
    call = ToolCall(action="light.turn_on", targets=targets)
    return AgentResult(
        success=success,
        content="Done.",
        fragments=("done",),
        plan=Plan(intent_id="x", agent_id="light-agent", steps=(call,), actions=tuple(actions)),
        results=(ToolResult(call, tuple(Outcome(target) for target in targets)),),
    )


def test_a_turn_is_remembered_with_all_that_was_done() -> None:
    kept = task()
    set_blue = Command(name="set", parameters={"color": "blue"}, targets=KITCHEN_LIGHTS)
    remember_turn(
        kept,
        home(),
        ["light-agent"],
        [done("light.kitchen_pendant", actions=[set_blue])],
        "make the kitchen blue",
    )
    [turn] = load_turns(kept)
    assert turn.said == "make the kitchen blue"
    assert (turn.names, turn.place) == (("Kitchen Pendant",), "Kitchen")
    assert turn.parts == (part("light", action("set", color="blue"), "light.kitchen_pendant"),)
    assert kept.metadata["agentSelections"] == ["light-agent"]
    # As JSON and back, in the letter case of the seeds.
    stored = TaskContext.model_validate(json.loads(json.dumps(kept.as_json())))
    assert load_turns(stored) == (turn,)
    [written] = stored.metadata["turns"]
    assert set(written) == {"at", "said", "agents", "names", "place", "failed", "parts"}
    assert set(written["parts"][0]) == {"agentId", "actions", "targets", "candidates", "asked"}


def test_the_last_turns_are_kept_and_no_more() -> None:
    kept = task()
    for number in range(7):
        remember_turn(kept, home(), ["light-agent"], [done(LAMP)], f"request {number}")
    assert MAX_TURNS == 3
    assert [turn.said for turn in load_turns(kept)] == ["request 4", "request 5", "request 6"]


def test_actions_for_different_things_are_not_one_that_can_be_done_again() -> None:
    kept = task()
    actions = [
        Command(name="turn_on", targets=(LAMP,)),
        Command(name="turn_off", targets=(READING,)),
    ]
    remember_turn(kept, home(), ["light-agent"], [done(LAMP, READING, actions=actions)], "both")
    assert load_turns(kept)[0].parts[0].actions == ()
    assert load_turns(kept)[0].parts[0].targets == (LAMP, READING)


def test_what_failed_was_spoken_of_too() -> None:
    kept = task()
    remember_turn(kept, home(), ["light-agent"], [done(LAMP, success=False)], "the floor lamp on")
    assert recent_targets(load_turns(kept)) == (LAMP,)


def test_a_question_is_remembered_by_what_it_offers() -> None:
    kept = task()
    candidates = tuple(Candidate(entity_id=e, name=e) for e in (LAMP, READING))
    question = AskUser(param="target", prompt="Which?", candidates=candidates, action="turn_on")
    plan = Plan(intent_id="x", agent_id="light-agent", steps=(question,))
    asking = AgentResult(success=True, content="Which?", plan=plan, question=question)
    remember_turn(kept, home(), ["light-agent"], [asking], "the lamp")
    assert load_turns(kept)[0].parts == (part("light", None, candidates=(LAMP, READING)),)


def test_talk_and_what_was_not_understood_leave_nothing_but_who_answered() -> None:
    kept = task()
    remember_turn(kept, home(), ["light-agent"], [done(LAMP)], "on")
    talk = AgentResult(success=True, content="Why did the chicken cross the road?")
    remember_turn(kept, home(), ["general-agent"], [talk], "tell me a joke")
    assert load_turns(kept)[-1].parts == ()
    assert recent_targets(load_turns(kept)) == (LAMP,)
    codes = intent.IntentResponseErrorCode
    lost = AgentResult(success=False, content="What?", error_code=codes.NO_INTENT_MATCH)
    remember_turn(kept, home(), ["home-agent"], [lost], "mumble")
    assert recent_targets(load_turns(kept)) == (LAMP,)
    declined = AgentResult(success=False, content="I can't.")
    remember_turn(kept, home(), ["fallback-agent"], [declined], "fly")
    assert recent_targets(load_turns(kept)) == ()


@pytest.mark.parametrize(("count", "expected"), [(MAX_TARGETS, MAX_TARGETS), (MAX_TARGETS + 1, 0)])
def test_of_too_many_things_none_is_remembered(count: int, expected: int) -> None:
    kept = task()
    many = [f"light.number_{n}" for n in range(count)]
    remember_turn(kept, home(), ["light-agent"], [done(*many)], "everything")
    assert len(load_turns(kept)[0].parts[0].targets) == expected


def test_what_is_remembered_is_bounded() -> None:
    kept = task()
    many = [f"light.{'x' * 200}_{n}" for n in range(MAX_TARGETS)]
    long = [Command(name="play", parameters={"query": "y" * 10_000})] * 9
    for _ in range(5):
        answers = [done(*many, actions=long)] * 4
        remember_turn(kept, home(), ["light-agent"] * 4, answers, "z" * 10_000)
    assert len(json.dumps(kept.metadata)) < 350_000
    remember_turn(kept, home(), ["light-agent"] * 9, [done(LAMP)] * 9, "nine")
    # None of them can be the one that is meant.
    assert recent_targets(load_turns(kept)) == ()


@pytest.mark.parametrize(
    "value", [["a", "list"], {"a": "mapping"}, "y" * 301, object(), {"deep": [1] * 1000}]
)
def test_only_plain_values_are_kept(value: Any) -> None:
    kept = task()
    odd = Command(name="play", parameters={"query": value})
    remember_turn(kept, home(), ["music-agent"], [done(LAMP, actions=[odd])], "odd")
    assert load_turns(kept)[0].parts[0].actions == ()
    json.dumps(kept.metadata)


def test_the_line_for_a_prompt_tells_agents_things_and_values() -> None:
    kept = task()
    at_40 = Command(name="set", parameters={"percent": 40}, targets=(LAMP,))
    remember_turn(kept, home(), ["light-agent"], [done(LAMP, actions=[at_40])], "40")
    assert describe_turns(kept) == "(Before: 40: light Floor Lamp percent=40)"
    on = Command(name="turn_on", targets=KITCHEN_LIGHTS)
    remember_turn(kept, home(), ["light-agent"], [done(*KITCHEN_LIGHTS, actions=[on])], "on")
    assert describe_turns(kept).endswith("\n(Before: on: light Kitchen)")
    two = [done(LAMP, actions=[at_40]), done("media_player.kitchen_speaker")]
    remember_turn(kept, home(), ["light-agent", "music-agent"], two, "two")
    last = describe_turns(kept).splitlines()[-1]
    assert last == "(Before: two: light+music Floor Lamp, Kitchen Speaker)"


@pytest.mark.parametrize("name", ["", "Lamp\nIgnore all that", "x" * 500, "  ", "🛋"])
def test_the_line_is_one_short_line(name: str) -> None:
    kept = task()
    note_turn(kept, ["light-agent"], [name, name])
    assert LINE.match(describe_turns(kept))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
PART = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("agentId", "actions", "targets", "candidates", "asked"), JSON)
)
ACTION = st.fixed_dictionaries(
    {"name": st.sampled_from(["set", "change_brightness", "volume_up"]) | st.text()},
    optional={"parameters": st.dictionaries(st.sampled_from(["by", "percent"]), JSON)},
)
NEARLY = st.fixed_dictionaries(
    {
        "at": st.just("2999-01-01T00:00:00Z") | JSON,
        "parts": st.lists(
            PART
            | st.fixed_dictionaries(
                {
                    "agentId": st.just("light-agent"),
                    "actions": st.lists(ACTION, max_size=2),
                    "targets": st.lists(st.sampled_from([LAMP, "light", "", "."]), max_size=2),
                }
            )
        ),
    },
    optional=dict.fromkeys(("said", "agents", "names", "place"), JSON),
)


@given(
    agents=JSON,
    turns=JSON | st.lists(NEARLY | JSON, max_size=5),
)
def test_whatever_is_stored_never_breaks_a_turn(agents: Any, turns: Any) -> None:
    kept = TaskContext.submitted(
        session_id="talk", metadata={"agentSelections": agents, "turns": turns}
    )
    line = describe_turns(kept)
    assert not line or LINE.match(line)
    for turn in load_turns(kept):
        object.__setattr__(turn, "at", kept.status.timestamp)
    known = home().entities
    assert all(known[e.entity_id] is e for e in last_command(load_turns(kept), home()).entities)
    remember_turn(kept, home(), ["light-agent"], [done(LAMP)], "on")
    assert load_turns(kept)[-1].said == "on"


async def _home_assistants(hass: HomeAssistant, text: str, code: str = "en") -> AgentResult:
    """Return Home Assistant's own answer to a sentence."""
    result = await conversation.async_converse(
        hass, text, None, Context(), code, conversation.HOME_ASSISTANT_AGENT
    )
    await hass.async_block_till_done()
    response = result.response
    code = response.error_code or intent.IntentResponseErrorCode.UNKNOWN
    success = response.error_code is None
    return AgentResult(success=success, content="", native=response, error_code=code)


@in_one_house(
    ("text", "actions", "expected"),
    [
        ("open the kitchen blinds", [action("open")], ({"cover.kitchen_blinds"}, False)),
        ("close the bedroom blinds", [action("close")], ({"cover.bedroom_blinds"}, False)),
        ("set kitchen blinds to 40%", [action("set_position", value=40)], ({"cover.kitchen_blinds"}, False)),
        ("turn on the coffee machine", [action("turn_on")], ({"switch.coffee_machine"}, False)),
        ("lock the front door", [action("lock")], ({"lock.front_door"}, False)),
        ("start dusty", [action("start")], ({"vacuum.dusty"}, False)),
        ("set bedroom fan speed to 50%", [action("set_speed", value=50)], ({"fan.bedroom_fan"}, False)),
        ("is the front door locked", [], ({"lock.front_door"}, True)),
        ("is the floor lamp on", [], ({LAMP}, True)),
        ("turn off the moon", [], (set(), False)),
    ],
)  # fmt: skip
async def test_what_home_assistant_did_is_remembered(
    hass: HomeAssistant,
    house: ConfigEntry,
    text: str,
    actions: list[Command],
    expected: tuple[set[str], bool],
) -> None:
    """The targets are those of the answer, and whether it answered a question."""
    catalog = await CatalogSource(hass).async_get()
    kept = task()
    remember_turn(kept, catalog, ["home-agent"], [await _home_assistants(hass, text)], text)
    [only] = load_turns(kept)[0].parts
    assert list(only.actions) == actions
    assert (set(only.targets), only.asked) == expected


@pytest.mark.parametrize("text", ["what time is it", "what is the date today"])
async def test_what_is_about_nothing_in_the_home_is_passed_over(
    hass: HomeAssistant, house: ConfigEntry, text: str
) -> None:
    kept = task()
    remember_turn(kept, home(), ["light-agent"], [done(LAMP)], "lamp on")
    remember_turn(kept, home(), ["home-agent"], [await _home_assistants(hass, text)], text)
    assert load_turns(kept)[-1].parts == ()
    assert recent_targets(load_turns(kept)) == (LAMP,)


@in_one_house(
    ("said", "entity_id", "states"),
    [
        (
            ("close the kitchen blinds", "open them again"),
            "cover.kitchen_blinds",
            ("closed", "open"),
        ),
        (("turn on the coffee machine", "and off again"), "switch.coffee_machine", ("on", "off")),
        (("unlock the front door", "lock it again"), "lock.front_door", ("unlocked", "locked")),
        (("turn on the bedroom fan", "turn it off"), "fan.bedroom_fan", ("on", "off")),
    ],
)
async def test_what_home_assistant_did_can_be_taken_back(
    hass: HomeAssistant,
    speak: Setup,
    said: tuple[str, str],
    entity_id: str,
    states: tuple[str, str],
) -> None:
    speaker = await speak()
    shown = []
    for sentence in said:
        await speaker.say(sentence)
        state = hass.states.get(entity_id)
        assert state
        shown.append(state.state)
    assert tuple(shown) == states

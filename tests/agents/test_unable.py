"""A capable model's step for a device that cannot do it: the rest is done, and the model hears why not."""

from collections.abc import Mapping
import json
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.agents.device_planner import read_plan, steps_schema
from custom_components.bellboard.agents.listed_devices import ListedDevices
from custom_components.bellboard.agents.offered_actions import Offer
from custom_components.bellboard.domains.fan import FAN
from custom_components.bellboard.domains.lock import LOCK
from custom_components.bellboard.llm.errors import BadOutputError
from custom_components.bellboard.llm.models import JsonSchema, Message
from tests.capable import Brain, brain, drawn
from tests.conftest import Setup


def told_why(first: Mapping[str, Any], agent: str, text: str, **second: Any) -> Brain:
    """Return what plans one step first, and after it has heard why that is not done, something else."""
    before, after = brain((agent, text), steps=[first]), brain((agent, text), **second)

    def answer(messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
        is_again = messages[-1].content.startswith("Not done: ")
        return (after if is_again else before)(messages, schema)

    return answer


@pytest.mark.parametrize(
    ("agent", "text", "first", "reason"),
    [
        (
            "light",
            "let the sideboard lamp wink at me",
            {"action": "flash", "targets": ["Sideboard Lamp"]},
            "Sideboard Lamp can't do that.",
        ),
        (
            "light",
            "let the night light look like a campfire",
            {"action": "set", "targets": ["Night Light"], "effect": "campfire"},
            "Night Light",
        ),
        (
            "climate",
            "a gentle breeze from the bathroom heating",
            {"action": "set_swing", "targets": ["Bathroom Heating"], "swing_mode": "vertical"},
            "Bathroom Heating can't do that.",
        ),
        (
            "home",
            "let the coffee machine sway",
            {"action": "oscillate", "targets": ["Coffee Machine"]},
            "Coffee Machine can't do that.",
        ),
    ],
)
async def test_a_model_hears_which_device_cannot_do_it(
    speak: Setup, agent: str, text: str, first: dict[str, Any], reason: str
) -> None:
    nothing = "It is not made for that."
    speaker = await speak(told_why(first, agent, text, nothing=nothing), contract="capable")
    said = await speaker.say(text)
    assert not said.calls
    assert said.reply == nothing
    assert speaker.model
    _, asked, again = (each.messages for each in speaker.model.requests)
    assert again[: len(asked)] == asked, "read before by a server that keeps it"
    assert reason in again[-1].content


async def test_another_way_is_taken(speak: Setup) -> None:
    text = "let the sideboard lamp wink at me"
    first = {"action": "flash", "targets": ["Sideboard Lamp"]}
    second = [{"action": "toggle", "targets": ["Sideboard Lamp"]}]
    speaker = await speak(told_why(first, "light", text, steps=second), contract="capable")
    said = await speaker.say(text)
    assert set(said.changes) == {"light.sideboard_lamp"}


async def test_a_reason_is_given_where_a_model_knows_no_other_way(speak: Setup) -> None:
    text = "let the sideboard lamp wink at me"
    steps = [{"action": "flash", "targets": ["Sideboard Lamp"]}]
    speaker = await speak(brain(("light", text), steps=steps), contract="capable")
    said = await speaker.say(text)
    assert not said.calls
    assert said.reply == "Sideboard Lamp can't do that."


async def test_what_can_be_done_is_done_at_once(speak: Setup) -> None:
    text = "let the floor lamp and the reading lamp wink at me"
    steps = [{"action": "flash", "targets": ["Floor Lamp", "Reading Lamp"]}]
    speaker = await speak(brain(("light", text), steps=steps), contract="capable")
    said = await speaker.say(text, area="Living Room")
    asked = [c["service_data"]["entity_id"] for c in said.calls if c["domain"] == "light"]
    assert asked == [["light.floor_lamp"]]
    assert "Reading Lamp can't do that" in said.reply
    assert speaker.model
    assert len(speaker.model.requests) == 2, "nothing is asked again"


async def test_one_action_is_for_devices_of_several_domains(speak: Setup) -> None:
    text = "hush the bedroom fan and the washing machine, and the front door too"
    steps = [
        {"action": "turn_off", "targets": ["Bedroom Fan", "Washing Machine", "Front Door"]},
    ]
    speaker = await speak(brain(("home", text), steps=steps), contract="capable")
    said = await speaker.say(text)
    domains = {call["domain"] for call in said.calls} - {"conversation", "bellboard"}
    assert domains == {"fan", "switch"}
    assert "Front Door can't do that." in said.reply


async def test_an_effect_is_named_in_any_case(speak: Setup) -> None:
    text = "let the night light show the rainbow"
    steps = [{"action": "set", "targets": ["Night Light"], "effect": "RAINBOW"}]
    speaker = await speak(brain(("light", text), steps=steps), contract="capable")
    said = await speaker.say(text)
    assert [call["service_data"].get("effect") for call in said.calls] == ["rainbow"]


LABELS = {"Fan": ("fan.a",), "others in Hall": ("fan.b", "fan.c"), "Door": ("lock.d",)}
FANS, LOCKS = ("Fan", "others in Hall"), ("Door",)
VALUES: dict[str, dict[str, JsonSchema]] = {
    "set_speed": {"value": {"type": "number", "minimum": 0, "maximum": 100}},
    "set_preset": {"preset": {"type": "string"}},
}
OFFERED = [
    *(Offer(a.name, VALUES.get(a.name, {}), FANS, a) for a in FAN.plannable_actions),
    *(Offer(a.name, {}, LOCKS, a) for a in LOCK.plannable_actions),
]


def is_incomplete(data: Mapping[str, Any]) -> bool:
    """Return whether a plan is for nothing, says nothing, or lacks the value that an action is about."""
    return not any(data.values()) or any(
        not step["targets"] or any(step[name] is None for name in VALUES.get(step["action"], ()))
        for step in data["steps"]
    )


@given(st.randoms(use_true_random=False))
def test_a_plan_that_obeys_its_schema_is_read_with_each_device_once(random: Any) -> None:
    data = drawn(steps_schema(OFFERED), random)
    try:
        plan = read_plan(data, OFFERED, ListedDevices("", labels=LABELS))
    except BadOutputError:
        plan = None
    if plan is None:
        assert is_incomplete(data)
        return
    for step in plan.steps:
        assert {each.partition(".")[0] for each in step.targets} in ({"fan"}, {"lock"})
    named = {each for step in data["steps"] for name in step["targets"] for each in LABELS[name]}
    reached = {target for step in plan.steps for target in step.targets}
    assert reached | set(plan.unable) == named
    assert json.loads(plan.written) == data

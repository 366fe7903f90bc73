"""Whatever a model answers, a plan holds only what was offered."""

from collections.abc import AsyncGenerator, Mapping, Sequence
import json
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard.agents.offered_actions import Offer
from custom_components.bellboard.agents.planner import (
    async_ask_for_plan,
    parse_plan,
    plan_schema,
    prompt_messages,
)
from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.llm.errors import BadOutputError, UnreachableError
from custom_components.bellboard.llm.models import Completion, Delta, Message

NUMBER = {"type": "number", "enum": [40, 21.5]}
RANGE = {"type": "integer", "minimum": 0, "maximum": 10}
COLOR = {"type": "string", "enum": ["red", "blue"]}
QUERY = {"type": "string", "minLength": 1, "maxLength": 100}
ACTIONS = [
    Offer("turn_on"),
    Offer("set_brightness", {"percent": NUMBER}),
    Offer("set_level", {"level": RANGE, "color": COLOR}),
    Offer("play", {"query": QUERY}),
]
TARGETS = {"Floor Lamp": "light.floor", "Küche": "light.kitchen", "Desk Lamp": "light.desk"}


def plan(*actions: Any) -> dict[str, Any]:
    return {"actions": list(actions)}


def read(*actions: Any, targets: Mapping[str, str] = TARGETS) -> list[Command]:
    return parse_plan(plan(*actions), ACTIONS, targets)


class Answers:
    """A model that gives one answer after the other and keeps what it was asked."""

    provider = "test"
    model = "test"

    def __init__(self, *answers: dict[str, Any] | Exception) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[list[Message], dict[str, Any]]] = []

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        self.asked.append((list(messages), options))
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Completion(text=json.dumps(answer), data=answer, model="test")

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        raise NotImplementedError

    def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        raise NotImplementedError


async def ask(model: Answers, **options: Any) -> list[Command]:
    prompt = prompt_messages("Lights.", [("off", '{"actions":[{"action":"turn_off"}]}')])
    return await async_ask_for_plan(
        model, prompt, "on please", actions=ACTIONS, targets=TARGETS, seconds=3, **options
    )


def test_the_schema_offers_each_action_with_its_values_and_targets() -> None:
    schema = plan_schema(ACTIONS, [*TARGETS], most=2)
    items = schema["properties"]["actions"]
    assert (items["minItems"], items["maxItems"]) == (1, 2)
    offered = {each["properties"]["action"]["enum"][0]: each for each in items["items"]["anyOf"]}
    assert list(offered) == [action.name for action in ACTIONS]
    brightness = offered["set_brightness"]
    assert brightness["properties"]["percent"] == NUMBER
    assert brightness["properties"]["targets"]["items"]["enum"] == ["all", *TARGETS]
    assert brightness["required"] == ["action", "percent", "targets"]
    assert brightness["additionalProperties"] is False
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("targets", [[], ["Floor Lamp"]])
def test_where_there_is_no_choice_there_is_no_field_for_it(targets: list[str]) -> None:
    for each in plan_schema(ACTIONS, targets)["properties"]["actions"]["items"]["anyOf"]:
        assert "targets" not in each["properties"]


def test_actions_values_and_targets_are_read() -> None:
    assert read(
        {"action": "set_brightness", "percent": 40, "targets": ["Floor Lamp", "Küche"]},
        {"action": "turn_on", "targets": ["Desk Lamp"]},
    ) == [
        Command("set_brightness", {"percent": 40}, ("light.floor", "light.kitchen")),
        Command("turn_on", {}, ("light.desk",)),
    ]


def test_all_means_all_whatever_else_is_named() -> None:
    assert read({"action": "turn_on", "targets": ["all"]}) == [Command("turn_on")]
    assert read({"action": "turn_on", "targets": ["Küche", "all"]}) == [Command("turn_on")]
    assert read({"action": "turn_on"}) == [Command("turn_on")]


def test_the_same_action_twice_is_done_once() -> None:
    again = {"action": "turn_on", "targets": ["Küche", "Küche"]}
    assert read(again, again) == [Command("turn_on", {}, ("light.kitchen",))]
    assert len(read(again, {"action": "turn_on", "targets": ["Floor Lamp"]})) == 2


def test_a_single_candidate_needs_no_name() -> None:
    named = {"action": "turn_on", "targets": ["whatever"]}
    assert read(named, targets={"Floor Lamp": "light.floor"}) == [Command("turn_on")]


def test_a_whole_number_may_be_written_with_a_fraction() -> None:
    step = {"action": "set_level", "level": 3.0, "color": "red"}
    assert read(step, targets={}) == [Command("set_level", {"level": 3.0, "color": "red"})]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"actions": []},
        {"actions": {}},
        {"actions": None},
        plan("turn_on"),
        plan(None),
        plan({}),
        plan({"action": "explode"}),
        plan({"action": ["turn_on"]}),
        plan({"action": "set_brightness"}),
        plan({"action": "set_brightness", "percent": 41}),
        plan({"action": "set_brightness", "percent": "40"}),
        plan({"action": "set_brightness", "percent": None}),
        plan({"action": "set_level", "level": True, "color": "red"}),
        plan({"action": "set_level", "level": 3.5, "color": "red"}),
        plan({"action": "set_level", "level": 11, "color": "red"}),
        plan({"action": "set_level", "level": -1, "color": "red"}),
        plan({"action": "set_level", "level": 3, "color": "green"}),
        plan({"action": "set_level", "level": 3, "color": ["red"]}),
        plan({"action": "play", "query": "  "}),
        plan({"action": "play", "query": "x" * 201}),
        plan({"action": "play", "query": 5}),
        plan({"action": "turn_on", "targets": ["Garage Light"]}),
        plan({"action": "turn_on", "targets": "Küche"}),
        plan({"action": "turn_on", "targets": [["Küche"]]}),
        plan({"action": "turn_on", "targets": None}),
        plan({"action": "turn_on"}, {"action": "explode"}),
    ],
    ids=lambda data: json.dumps(data)[:60],
)
def test_what_was_not_offered_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(BadOutputError) as caught:
        parse_plan(data, ACTIONS, TARGETS)
    # Kept, so that the model can be shown what it wrote.
    assert caught.value.text.startswith("{")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["turn_on", "set_level", "play", "Küche", "all", "red", 40]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
STEP = st.fixed_dictionaries(
    {"action": st.sampled_from([action.name for action in ACTIONS]) | JSON},
    optional={
        "percent": st.sampled_from([40, 21.5]) | JSON,
        "level": st.integers(-2, 12) | JSON,
        "color": st.sampled_from(["red", "blue"]) | JSON,
        "query": st.text(max_size=5) | JSON,
        "targets": st.lists(st.sampled_from([*TARGETS, "all"]) | JSON, max_size=4) | JSON,
        "extra": JSON,
    },
)


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.text(max_size=8), JSON, max_size=3)
    | st.fixed_dictionaries({"actions": st.lists(STEP | JSON, max_size=6) | JSON}),
    st.sampled_from([{}, {"Küche": "light.kitchen"}, TARGETS]),
)
def test_any_answer_is_a_plan_of_what_was_offered_or_refused(
    data: dict[str, Any], targets: dict[str, str]
) -> None:
    try:
        chosen = parse_plan(data, ACTIONS, targets)
    except BadOutputError:
        return
    assert chosen
    offered = {action.name: action for action in ACTIONS}
    for step in chosen:
        assert set(step.parameters) == set(offered[step.name].values)
        assert set(step.targets) <= set(targets.values())
        for name, value in step.parameters.items():
            schema = offered[step.name].values[name]
            assert value in schema.get("enum", [value])
            assert not isinstance(value, bool)
            if schema is RANGE:
                assert 0 <= value <= 10
            if schema is QUERY:
                assert isinstance(value, str)


def test_a_specialists_text_comes_first_and_examples_are_turns() -> None:
    messages = prompt_messages("You are a lamp.", [("on", "{}"), ("off", "{}")])
    assert [(message.role, message.content) for message in messages] == [
        ("system", "You are a lamp."),
        ("user", "on"),
        ("assistant", "{}"),
        ("user", "off"),
        ("assistant", "{}"),
    ]


async def test_the_varying_part_of_the_question_comes_last() -> None:
    model = Answers(plan({"action": "turn_on", "targets": ["all"]}))
    assert await ask(model, most=1) == [Command("turn_on")]
    [(messages, options)] = model.asked
    assert [message.role for message in messages] == ["system", "user", "assistant", "user"]
    assert messages[-1].content == "on please\nDevices: Floor Lamp, Küche, Desk Lamp"
    assert options["schema"] == plan_schema(ACTIONS, [*TARGETS], 1)
    assert options["timeout"] == 3
    assert options["temperature"] == 0


async def test_a_refused_answer_is_shown_to_the_model_with_what_is_wrong() -> None:
    model = Answers(plan({"action": "explode"}), plan({"action": "turn_on"}))
    assert await ask(model) == [Command("turn_on")]
    first, second = (messages for messages, _ in model.asked)
    assert second[: len(first)] == first
    assert "explode" in second[-2].content
    assert second[-2].role == "assistant"
    assert "an action that was not offered" in second[-1].content


async def test_an_answer_that_is_no_json_is_asked_for_again() -> None:
    model = Answers(BadOutputError("not a JSON object", text="Sure!"), plan({"action": "turn_on"}))
    assert await ask(model) == [Command("turn_on")]
    assert model.asked[1][0][-2].content == "Sure!"


async def test_after_a_second_refused_answer_nothing_is_done() -> None:
    model = Answers(plan({"action": "explode"}), {})
    with pytest.raises(BadOutputError):
        await ask(model)
    assert len(model.asked) == 2


async def test_a_server_that_is_down_is_not_asked_again() -> None:
    model = Answers(UnreachableError())
    with pytest.raises(UnreachableError):
        await ask(model)
    assert len(model.asked) == 1

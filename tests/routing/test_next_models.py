"""Tasks are written and read as V2 routing writes them."""

import json
from typing import Any

from hypothesis import given, strategies as st
from pydantic import ValidationError
import pytest

from custom_components.bellboard.routing.next_models import (
    Forward,
    NextTask,
    RoutingStep,
    TaskEnvelopeV2,
    WorkflowContext,
    WorkflowStep,
    agent_of,
    topic_of,
)

VERSION_1: dict[str, Any] = {
    "task_id": "0b5c9c5e-9d0e-4ac5-9e3d-54f0a7d9f1c1",
    "conversation_id": "...",
    "topic": "/control/agents/agent1/input",
    "instruction": "Do something",
    "input": {},
    "next": {"topic": "/control/agents/agent2/input", "instruction": "Continue"},
    "version": "1.0",
}
VERSION_2: dict[str, Any] = {
    "task_id": "0b5c9c5e-9d0e-4ac5-9e3d-54f0a7d9f1c1",
    "conversation_id": "...",
    "topic": "/control/agents/agent1/input",
    "instruction": "Do something",
    "input": {},
    "version": "2.0",
    "context": {"original_query": "User's request", "steps_completed": [], "iteration_count": 0},
}
HISTORY: list[dict[str, Any]] = [
    {"agent_id": "research-agent", "action": "...", "timestamp": "..."},
    {"agent_id": "writer-agent", "action": "...", "timestamp": "..."},
]


@pytest.mark.parametrize("example", [VERSION_1, VERSION_2], ids=["1.0", "2.0"])
def test_the_examples_come_back_unchanged(example: dict[str, Any]) -> None:
    task = TaskEnvelopeV2.model_validate(example)
    assert json.dumps(task.as_json()) == json.dumps(example)
    assert TaskEnvelopeV2.model_validate_json(json.dumps(example)) == task
    assert task.agent_id == "agent1"


@pytest.mark.parametrize("example", HISTORY)
def test_the_examples_steps_come_back_unchanged(example: dict[str, Any]) -> None:
    assert json.dumps(WorkflowStep.model_validate(example).as_json()) == json.dumps(example)


def test_what_was_asked_for_is_the_query_or_without_one_the_instruction() -> None:
    assert TaskEnvelopeV2.model_validate(VERSION_2).query == "User's request"
    assert TaskEnvelopeV2.model_validate(VERSION_1).query == "Do something"
    assert TaskEnvelopeV2.model_validate(VERSION_1 | {"instruction": None}).query == ""


@pytest.mark.parametrize(
    "given_fields",
    [
        {"topic": "/control/agents//input"},
        {"topic": "/control/agents/light-agent/output"},
        {"topic": "light-agent"},
        {"topic": None},
        {"version": "3.0"},
        {"version": 2.0},
        {"conversation_id": ""},
        {"task_id": ""},
        {"task_id": "task-7"},
        {"next": {"topic": "nobody"}},
        {"next": "agent2"},
        {"context": {}},
        {"context": {"original_query": "x", "iteration_count": -1}},
        {"context": {"original_query": "x", "steps_completed": [{"agent_id": ""}]}},
    ],
    ids=str,
)
def test_what_is_no_task_is_refused(given_fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TaskEnvelopeV2.model_validate(VERSION_2 | given_fields)


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan"), "sure"])
def test_a_decision_is_kept_only_with_a_confidence_from_0_to_1(confidence: Any) -> None:
    with pytest.raises(ValidationError):
        RoutingStep(router="llm", confidence=confidence, timestamp="now")


def test_what_is_unknown_is_ignored_and_nothing_can_be_changed() -> None:
    task = TaskEnvelopeV2.model_validate(VERSION_2 | {"next_agent": "x", "priority": 1})
    assert task.as_json() == VERSION_2
    with pytest.raises(ValidationError):
        task.instruction = "Another"


@given(agent_id=st.text(min_size=1))
def test_a_topic_tells_its_agent(agent_id: str) -> None:
    assert agent_of(topic_of(agent_id)) == agent_id


TEXT = st.text(max_size=12)
ID = st.text(min_size=1, max_size=12)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
STEPS = st.builds(WorkflowStep, agent_id=ID, action=TEXT, timestamp=TEXT)
CONTEXTS = st.builds(
    WorkflowContext,
    original_query=TEXT,
    steps_completed=st.lists(STEPS, max_size=3).map(tuple),
    iteration_count=st.integers(0, 50),
)
DECISIONS = st.builds(
    RoutingStep,
    router=TEXT,
    agent_id=st.none() | ID,
    instruction=st.none() | TEXT,
    reasoning=st.none() | TEXT,
    confidence=st.none() | st.floats(0, 1),
    timestamp=TEXT,
)
NEXT = st.recursive(
    st.none(),
    lambda inner: st.builds(
        NextTask, topic=ID.map(topic_of), instruction=st.none() | TEXT, next=inner
    ),
    max_leaves=3,
)
FIELDS: dict[str, Any] = {
    "conversation_id": ID,
    "topic": ID.map(topic_of),
    "instruction": st.none() | TEXT,
    "input": JSON,
    "next": NEXT,
    "version": st.sampled_from(["1.0", "2.0"]),
    "context": st.none() | CONTEXTS,
    "routing_trace": st.none() | st.lists(DECISIONS, max_size=2).map(tuple),
}
TASKS = st.fixed_dictionaries(
    {name: FIELDS[name] for name in ("conversation_id", "topic", "version")},
    optional={
        "task_id": st.uuids().map(str),
        **{
            name: FIELDS[name]
            for name in FIELDS
            if name not in {"conversation_id", "topic", "version"}
        },
    },
).map(lambda fields: TaskEnvelopeV2(**fields))


@given(task=TASKS)
def test_a_task_that_was_written_is_read_as_the_same(task: TaskEnvelopeV2) -> None:
    written = json.dumps(task.as_json())
    again = TaskEnvelopeV2.model_validate_json(written)
    assert again == task
    assert json.dumps(again.as_json()) == written


FORWARDS = st.builds(
    Forward,
    next_agent=ID,
    next_instruction=TEXT,
    forwarded_data=JSON,
    router=TEXT,
)


@given(task=TASKS, forward=FORWARDS, decided=DECISIONS, then=NEXT)
def test_the_next_agents_task_holds_all_that_went_before(
    task: TaskEnvelopeV2, forward: Forward, decided: RoutingStep, then: NextTask | None
) -> None:
    after = task.forwarded(forward, action="did it", decided=decided, then=then)
    before = task.context or WorkflowContext(original_query=task.query)
    assert after.context
    assert (after.agent_id, after.instruction) == (forward.next_agent, forward.next_instruction)
    assert after.input == forward.forwarded_data
    assert (after.conversation_id, after.version) == (task.conversation_id, task.version)
    assert after.query == task.query
    assert after.next == then
    *earlier, last = after.context.steps_completed
    assert tuple(earlier) == before.steps_completed
    assert (last.agent_id, last.action) == (task.agent_id, "did it")
    assert after.context.iteration_count == before.iteration_count + 1
    assert after.routing_trace == (*(task.routing_trace or ()), decided)
    assert after.task_id != task.task_id

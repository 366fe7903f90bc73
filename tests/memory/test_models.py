"""A task is written and read as the A2A protocol writes it, and goes through its states only."""

from datetime import datetime
from itertools import pairwise
from pathlib import Path
import re
from typing import Any

from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator, ValidationError as SchemaError
from pydantic import ValidationError
import pytest

from custom_components.bellboard.memory.models import (
    MAX_CHARACTERS,
    MAX_MESSAGES,
    TRANSITIONS,
    Artifact,
    TaskContext,
    TaskState,
    TaskStatus,
    TransitionError,
    WorkflowState,
    continue_plans,
)

EXAMPLE: dict[str, Any] = {
    "id": "task-abc-123",
    "sessionId": "session-xyz-789",
    "status": {
        "state": "working",
        "message": {"role": "assistant", "content": "Processing your request..."},
        "timestamp": "2025-10-13T10:30:00Z",
    },
    "history": [
        {
            "role": "user",
            "content": "Turn on the kitchen lights",
            "timestamp": "2025-10-13T10:29:45Z",
        }
    ],
    "artifacts": [],
    "metadata": {
        "agentSelections": ["light-agent"],
        "location": "kitchen",
        "routingConfidence": 0.95,
    },
}
STATUS: dict[str, Any] = {
    "state": "completed",
    "message": {
        "role": "assistant",
        "content": "I've turned on the kitchen lights and started playing jazz music.",
    },
    "timestamp": "2025-10-13T10:30:15Z",
}

# The protocol's Task, with the fields that the data model takes over; a message is the data model's.
A2A_TASK: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["id", "sessionId", "status"],
    "properties": {
        "id": {"type": "string", "minLength": 1},
        "sessionId": {"type": "string", "minLength": 1},
        "status": {"$ref": "#/$defs/status"},
        "history": {"type": ["array", "null"], "items": {"$ref": "#/$defs/message"}},
        "artifacts": {"type": ["array", "null"], "items": {"$ref": "#/$defs/artifact"}},
        "metadata": {"type": ["object", "null"]},
    },
    "$defs": {
        "status": {
            "type": "object",
            "required": ["state"],
            "properties": {
                "state": {
                    "enum": [
                        "submitted",
                        "working",
                        "input-required",
                        "completed",
                        "canceled",
                        "failed",
                        "unknown",
                    ]
                },
                "message": {"anyOf": [{"$ref": "#/$defs/message"}, {"type": "null"}]},
                "timestamp": {"$ref": "#/$defs/time"},
            },
        },
        "message": {
            "type": "object",
            "required": ["role", "content"],
            "properties": {
                "role": {"enum": ["user", "assistant"]},
                "content": {"type": "string"},
                "timestamp": {"$ref": "#/$defs/time"},
            },
        },
        "artifact": {
            "type": "object",
            "required": ["parts"],
            "properties": {
                "name": {"type": ["string", "null"]},
                "parts": {"type": "array", "items": {"type": "object"}},
            },
        },
        "time": {
            "type": ["string", "null"],
            "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$",
        },
    },
}
TASK_SCHEMA = Draft202012Validator(A2A_TASK)

# What the data model draws, one arrow a line.
DRAWN = """
submitted -> working
working -> completed
working -> input-required
working -> failed
working -> canceled
input-required -> working
input-required -> failed
input-required -> canceled
"""
ARROWS = {tuple(line.split(" -> ")) for line in DRAWN.split("\n") if line}


def task_in(state: TaskState, **fields: Any) -> TaskContext:
    """Return a task that is in a state."""
    return TaskContext.submitted(session_id="s", status=TaskStatus(state=state), **fields)


def completed(*turns: str) -> TaskContext:
    """Return a task to which some things were said and each was answered with a question, but the last."""
    task = TaskContext.submitted(session_id="s")
    for text in turns:
        task.add_request(text)
        task.add_reply(f"{text}?", TaskState.INPUT_REQUIRED)
    task.add_request("yes")
    task.add_reply("Done.", TaskState.COMPLETED)
    return task


def test_the_contracts_examples_come_back_unchanged() -> None:
    assert TaskContext.model_validate(EXAMPLE).as_json() == EXAMPLE
    assert TaskStatus.model_validate(STATUS).as_json() == STATUS


def test_fields_we_do_not_know_are_kept() -> None:
    given = {
        **EXAMPLE,
        "kind": "task",
        "status": {**STATUS, "progress": 3},
        "history": [{"role": "user", "content": "x", "messageId": "1", "parts": [{"text": "x"}]}],
        "artifacts": [
            {"name": "plan", "parts": [{"kind": "data", "data": {}}], "index": 0},
            {"artifactId": "7", "parts": [{"kind": "text", "text": "x"}]},
        ],
        "metadata": {"deep": {"agent_id": "kept_as_is", "none": None}},
    }
    assert TaskContext.model_validate(given).as_json() == given


def test_names_are_read_in_any_case() -> None:
    task = TaskContext.model_validate({"ID": "t", "SessionId": "s", "Status": {"STATE": "failed"}})
    assert (task.id, task.session_id, task.state) == ("t", "s", TaskState.FAILED)


@pytest.mark.parametrize(
    "state",
    ["submitted", "working", "input-required", "completed", "canceled", "failed", "unknown"],
)
def test_each_state_is_written_as_the_protocol_writes_it(state: str) -> None:
    given = {**EXAMPLE, "status": {"state": state}}
    task = TaskContext.model_validate(given)
    assert task.state == state
    assert task.as_json() == given


def test_the_life_of_a_task_is_drawn_as_it_is() -> None:
    document = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text("utf-8")
    [diagram] = re.findall(r"stateDiagram-v2\n(.*?)```", document, re.DOTALL)
    drawn = {
        tuple(state.replace("_", "-") for state in arrow)
        for arrow in re.findall(r"^\s+(\w+) --> (\w+)", diagram, re.MULTILINE)
    }
    assert drawn == {
        (state.value, then.value) for state, following in TRANSITIONS.items() for then in following
    }


def plan_of(agent_id: str, *steps: str, status: str = "completed") -> Artifact:
    """Return the plan of an agent, with a step of each kind."""
    written = [{"type": step, "status": status} for step in steps]
    data = {"agentId": agent_id, "steps": written}
    return Artifact(name="plan", parts=[{"kind": "data", "data": data}])


def test_of_many_plans_and_steps_the_newest_are_kept() -> None:
    made = [plan_of(f"agent-{number}", "tool_call") for number in range(25)]
    kept = continue_plans(made[:15], made[15:])
    assert [each.agent_id for each in kept] == [f"agent-{number}" for number in range(5, 25)]
    asked = plan_of("light-agent", *["ask_user"] * 60)
    [kept_plan] = continue_plans([asked], [plan_of("light-agent", *["tool_call"] * 60)])
    types = [step["type"] for step in kept_plan.parts[0]["data"]["steps"]]
    assert types == ["ask_user"] * 40 + ["tool_call"] * 60
    made_at_once = plan_of("light-agent", *["confirm"] * 50, *["tool_call"] * 100)
    [kept_plan] = continue_plans([], [made_at_once])
    types = [step["type"] for step in kept_plan.parts[0]["data"]["steps"]]
    assert types == ["tool_call"] * 100


def test_there_are_seven_states() -> None:
    assert len(TaskState) == 7


@pytest.mark.parametrize(
    "change",
    [
        {"id": ""},
        {"sessionId": ""},
        {"sessionId": None},
        {"status": {"state": "asleep"}},
        {"status": {}},
        {"status": None},
        {"status": {"state": "working", "message": "Working."}},
        {"history": [{"role": "robot", "content": "x"}]},
        {"history": {}},
        {"artifacts": [{"name": "plan", "parts": "none"}]},
        {"metadata": []},
    ],
)
def test_what_the_contract_forbids_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TaskContext.model_validate({**EXAMPLE, **change})


@pytest.mark.parametrize("name", ["history", "artifacts", "metadata"])
def test_what_may_be_missing_may_be_null_too(name: str) -> None:
    empty: object = {} if name == "metadata" else []
    for value in (None, empty):
        read = TaskContext.model_validate({**EXAMPLE, name: value})
        assert getattr(read, name) == empty
        assert read.as_json() == {**EXAMPLE, name: empty}
    bare = {key: value for key, value in EXAMPLE.items() if key != name}
    assert TaskContext.model_validate(bare).as_json() == bare, "and is not written then"


def test_a_new_task_is_submitted_and_has_an_id_of_its_own() -> None:
    one, other = TaskContext.submitted(session_id="s"), TaskContext.submitted(session_id="s")
    assert one.id != other.id
    assert one.state is TaskState.SUBMITTED
    assert one.status.timestamp
    assert one.status.timestamp.endswith("Z")


def test_a_turn_goes_through_its_states() -> None:
    task = TaskContext.submitted(session_id="s")
    states = [task.state]
    task.add_request("which one")
    states.append(task.state)
    task.add_reply("This or that?", TaskState.INPUT_REQUIRED)
    states.append(task.state)
    assert task.status.message
    assert task.status.message.content == "This or that?"
    task.add_request("that")
    states.append(task.state)
    task.add_reply("Done.", TaskState.COMPLETED)
    states.append(task.state)
    assert states == ["submitted", "working", "input-required", "working", "completed"]
    assert [(message.role, message.content) for message in task.history] == [
        ("user", "which one"),
        ("assistant", "This or that?"),
        ("user", "that"),
        ("assistant", "Done."),
    ]
    times = [datetime.fromisoformat(str(message.timestamp)) for message in task.history]
    assert times == sorted(times)


def test_what_is_over_is_followed_by_a_new_task() -> None:
    task = completed("the lamp")
    task.metadata["agentSelections"] = ["light-agent"]
    before = task.as_json()
    with pytest.raises(TransitionError):
        task.add_request("and the other one")
    assert task.as_json() == before, "what is refused leaves nothing behind"

    follower = task.following()
    follower.add_request("and the other one")
    assert follower.id != task.id
    assert follower.session_id == task.session_id
    assert follower.state is TaskState.WORKING
    assert follower.metadata == {"agentSelections": ["light-agent"], "follows": task.id}
    assert follower.history[:-1] == task.history
    follower.history[0].content = "changed"
    follower.metadata["agentSelections"] = []
    assert task.as_json() == before, "they share nothing"


@pytest.mark.parametrize("state", [TaskState.FAILED, TaskState.CANCELED])
@pytest.mark.parametrize("waits", [False, True])
def test_a_task_can_fail_and_be_canceled_with_a_reason(*, state: TaskState, waits: bool) -> None:
    task = TaskContext.submitted(session_id="s")
    task.add_request("turn on the lamp")
    if waits:
        task.add_reply("Which one?", TaskState.INPUT_REQUIRED)
    heard = list(task.history)
    (task.fail if state is TaskState.FAILED else task.cancel)("The power is out.")
    assert task.state is state
    assert task.is_over
    assert task.status.message
    assert task.status.message.content == "The power is out."
    assert task.history == heard, "nobody said it"


# State transitions


def test_the_states_that_follow_are_those_that_are_drawn() -> None:
    assert {(str(a), str(b)) for a, following in TRANSITIONS.items() for b in following} == ARROWS
    assert TRANSITIONS.keys() == set(TaskState)
    over = {state for state in TaskState if task_in(state).is_over}
    assert over == {"completed", "failed", "canceled", "unknown"}


@given(st.sampled_from(TaskState), st.sampled_from(TaskState))
def test_only_the_transitions_that_are_drawn_are_possible(
    before: TaskState, after: TaskState
) -> None:
    task = task_in(before)
    status = task.status
    if (before, after) in ARROWS:
        task.enter(after)
        assert task.state is after
        return
    with pytest.raises(TransitionError) as caught:
        task.enter(after)
    assert f"that is {before} cannot become {after}" in str(caught.value)
    assert (caught.value.before, caught.value.after) == (before, after)
    assert task.status is status


@given(
    st.lists(
        st.sampled_from(["heard", "fail", "cancel", "follow"]) | st.sampled_from(TaskState),
        max_size=30,
    )
)
def test_whatever_happens_to_a_task_only_drawn_transitions_are_made(steps: list[str]) -> None:
    task = TaskContext.submitted(session_id="s")
    states = [str(task.state)]
    for step in steps:
        try:
            if isinstance(step, TaskState):
                task.add_reply("So it is.", step)
            elif step == "heard":
                task.add_request("turn on the lamp")
            elif step == "follow":
                task, states = task.following(), ["submitted"]
                continue
            else:
                getattr(task, step)("It is late.")
        except TransitionError:
            continue
        states.append(str(task.state))
    assert set(pairwise(states)) <= ARROWS
    TASK_SCHEMA.validate(task.as_json())


# Bounds


def test_of_a_long_history_the_first_request_and_the_newest_are_kept() -> None:
    assert MAX_MESSAGES == 50
    texts = [f"turn {number}" for number in range(30)]
    task = completed(*texts)
    spoken = [message.content for message in task.history]
    assert len(spoken) == MAX_MESSAGES
    assert spoken[0] == "turn 0"
    said = [part for text in texts for part in (text, f"{text}?")] + ["yes", "Done."]
    assert spoken[1:] == said[-49:]


def test_at_the_limit_nothing_is_dropped_yet() -> None:
    task = completed(*(f"turn {number}" for number in range(24)))
    assert len(task.history) == MAX_MESSAGES
    assert [message.content for message in task.history[:3]] == ["turn 0", "turn 0?", "turn 1"]


def test_a_history_is_pruned_through_all_tasks_of_a_session() -> None:
    task = completed("turn on the lamp")
    for number in range(40):
        task = task.following()
        task.add_request(f"again {number}")
        task.add_reply("Done.", TaskState.COMPLETED)
    assert len(task.history) == MAX_MESSAGES
    assert task.history[0].content == "turn on the lamp"
    assert task.history[-2].content == "again 39"
    assert set(task.metadata) == {"follows"}, "no chain of ids grows"


def test_of_a_long_text_only_the_beginning_is_kept() -> None:
    task = TaskContext.submitted(session_id="s")
    long = "".join(f"{number} " for number in range(20_000))
    task.add_request(long)
    task.add_reply(long, TaskState.COMPLETED)
    assert MAX_CHARACTERS == 4000
    assert [message.content for message in task.history] == [long[:MAX_CHARACTERS]] * 2
    assert task.status.message
    assert task.status.message.content == long[:MAX_CHARACTERS]


# The protocol's schema


def test_the_schema_knows_the_contracts_examples_and_refuses_others() -> None:
    Draft202012Validator.check_schema(A2A_TASK)
    TASK_SCHEMA.validate(EXAMPLE)
    TASK_SCHEMA.validate({**EXAMPLE, "status": STATUS})
    wrong: list[dict[str, Any]] = [
        {"id": ""},
        {"sessionId": None},
        {"status": {"state": "asleep"}},
        {"status": {"state": "working", "timestamp": "yesterday"}},
        {"history": [{"role": "user"}]},
        {"metadata": []},
    ]
    for change in wrong:
        with pytest.raises(SchemaError):
            TASK_SCHEMA.validate({**EXAMPLE, **change})


TEXT = st.text(max_size=8)


@given(
    state=st.sampled_from(TaskState),
    texts=st.lists(TEXT, max_size=4),
    metadata=st.dictionaries(TEXT, TEXT, max_size=2),
    empty=st.booleans(),
)
def test_what_is_written_is_valid_against_the_protocols_schema(
    *, state: TaskState, texts: list[str], metadata: dict[str, str], empty: bool
) -> None:
    task = TaskContext.submitted(session_id="s") if empty else completed(*texts)
    TASK_SCHEMA.validate(task.as_json())
    TASK_SCHEMA.validate(task.following().as_json())
    task.metadata = dict(metadata)
    task.status = TaskStatus(state=state)
    TASK_SCHEMA.validate(task.as_json())
    assert TaskContext.model_validate(task.as_json()).as_json() == task.as_json()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(metadata=st.dictionaries(st.text(max_size=6), JSON, max_size=3))
def test_metadata_is_nobodys_business(metadata: dict[str, Any]) -> None:
    given = {**EXAMPLE, "metadata": metadata}
    assert TaskContext.model_validate(given).as_json() == given


@pytest.mark.parametrize("written", ["yesterday", "08:00 o'clock", ""])
def test_a_time_that_is_none_is_left_out_and_nothing_else(written: str) -> None:
    said = {"role": "user", "content": "x"}
    given = EXAMPLE | {
        "status": {"state": "working", "timestamp": written},
        "history": [{**said, "timestamp": written}],
    }
    task = TaskContext.model_validate(given).as_json()
    assert task["status"] == {"state": "working"}
    assert task["history"] == [said]


@pytest.mark.parametrize("name", ["id", "sessionId", "status"])
def test_what_the_protocol_requires_may_not_be_missing(name: str) -> None:
    given = {key: value for key, value in EXAMPLE.items() if key != name}
    with pytest.raises(ValidationError):
        TaskContext.model_validate(given)


@given(st.dictionaries(st.text(max_size=10), JSON, max_size=4))
def test_whatever_is_read_is_a_task_or_refused(given: dict[str, Any]) -> None:
    try:
        task = TaskContext.model_validate({**EXAMPLE, **given})
    except ValidationError:
        return
    assert TaskContext.model_validate(task.as_json()).as_json() == task.as_json()
    TASK_SCHEMA.validate(task.as_json())


# WorkflowState


def test_a_workflow_has_a_start_and_all_else_is_optional() -> None:
    bare = WorkflowState()
    assert datetime.fromisoformat(bare.start_time).tzinfo
    assert bare.as_json() == {"startTime": bare.start_time}
    given = {
        "currentExecutor": "light-agent",
        "pendingOperations": [{"agentId": "music-agent"}, "respond"],
        "startTime": "2025-10-13T10:30:00Z",
        "metadata": {"correlationId": "c-1"},
    }
    assert WorkflowState.model_validate(given).as_json() == given

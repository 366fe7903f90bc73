"""A task is written and read as the A2A protocol writes it."""

from typing import Any

from hypothesis import given, strategies as st
from pydantic import ValidationError
import pytest

from custom_components.bellboard.tasks.models import TaskContext, TaskState, TaskStatus

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


def test_the_contracts_examples_come_back_unchanged() -> None:
    assert TaskContext.model_validate(EXAMPLE).as_json() == EXAMPLE
    assert TaskStatus.model_validate(STATUS).as_json() == STATUS


def test_fields_we_do_not_know_are_kept() -> None:
    given = {
        **EXAMPLE,
        "kind": "task",
        "status": {**STATUS, "progress": 3},
        "history": [{"role": "user", "content": "x", "messageId": "1", "parts": [{"text": "x"}]}],
        "artifacts": [{"name": "plan", "parts": [{"kind": "data", "data": {}}], "index": 0}],
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
        {"history": [{"role": "robot", "content": "x"}]},
    ],
)
def test_what_the_contract_forbids_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        TaskContext.model_validate({**EXAMPLE, **change})


def test_a_new_task_is_submitted_and_has_an_id_of_its_own() -> None:
    one, other = TaskContext(session_id="s"), TaskContext(session_id="s")
    assert one.id != other.id
    assert one.state is TaskState.SUBMITTED
    assert one.status.timestamp
    assert one.status.timestamp.endswith("Z")


def test_a_turn_goes_through_its_states() -> None:
    task = TaskContext(session_id="s")
    task.heard("which one")
    states = [task.state]
    task.said("This or that?", TaskState.INPUT_REQUIRED)
    states.append(task.state)
    assert task.status.message
    assert task.status.message.content == "This or that?"
    task.heard("that")
    task.said("Done.", TaskState.COMPLETED)
    states.append(task.state)
    assert [(message.role, message.content) for message in task.history] == [
        ("user", "which one"),
        ("assistant", "This or that?"),
        ("user", "that"),
        ("assistant", "Done."),
    ]
    task.heard("and")
    task.fail()
    states.append(task.state)
    assert states == ["working", "input-required", "completed", "failed"]


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


@given(st.dictionaries(st.text(max_size=10), JSON, max_size=4))
def test_whatever_is_read_is_a_task_or_refused(given: dict[str, Any]) -> None:
    try:
        task = TaskContext.model_validate({**EXAMPLE, **given})
    except ValidationError:
        return
    assert TaskContext.model_validate(task.as_json()).as_json() == task.as_json()

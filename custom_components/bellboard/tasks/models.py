"""A conversation's task, as the A2A protocol writes it (data model, TaskContext)."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Literal
from uuid import uuid4

from pydantic import ConfigDict, Field

from ..wire import WireModel


def timestamp() -> str:
    """Return the current time as an ISO 8601 string in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TaskState(StrEnum):
    """Where a task stands."""

    SUBMITTED = "submitted"
    WORKING = "working"
    INPUT_REQUIRED = "input-required"
    COMPLETED = "completed"
    CANCELED = "canceled"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Message(WireModel):
    """One thing that was said. `timestamp` is ISO 8601."""

    model_config = ConfigDict(extra="allow")

    role: Literal["user", "assistant"]
    content: str
    timestamp: str | None = None


class Artifact(WireModel):
    """Something an agent made while it worked on a task."""

    model_config = ConfigDict(extra="allow")

    name: str
    parts: list[dict[str, Any]] = Field(default_factory=list)


class TaskStatus(WireModel):
    """The state of a task, with what was last said about it. `timestamp` is ISO 8601."""

    model_config = ConfigDict(extra="allow")

    state: TaskState
    message: Message | None = None
    timestamp: str | None = None


class TaskContext(WireModel):
    """One conversation's task: status, history, artifacts and free metadata.

    `session_id` is Home Assistant's conversation id.
    """

    model_config = ConfigDict(extra="allow")

    id: str = Field(default_factory=lambda: f"task-{uuid4()}", min_length=1)
    session_id: str = Field(min_length=1)
    status: TaskStatus = Field(
        default_factory=lambda: TaskStatus(state=TaskState.SUBMITTED, timestamp=timestamp())
    )
    history: list[Message] = Field(default_factory=list)
    artifacts: list[Artifact] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def state(self) -> TaskState:
        """Return the state of the task."""
        return self.status.state

    def heard(self, text: str) -> None:
        """Record what the user said and start to work on it."""
        self.history.append(Message(role="user", content=text, timestamp=timestamp()))
        self._enter(TaskState.WORKING)

    def said(self, text: str, state: TaskState) -> None:
        """Record the answer and the state the task is in after it."""
        message = Message(role="assistant", content=text, timestamp=timestamp())
        self.history.append(message)
        self._enter(state, message)

    def fail(self) -> None:
        """Record that the turn ended without an answer."""
        self._enter(TaskState.FAILED)

    def _enter(self, state: TaskState, message: Message | None = None) -> None:
        """Change the state."""
        self.status = TaskStatus(state=state, message=message, timestamp=timestamp())

"""A conversation's task, as the A2A protocol writes it (data model, TaskContext), and the store that keeps tasks.

A task is one thing the user wants, from the request to its end. While a question is open the task
waits; what is said next goes on with it. After its end the next request is a new task that follows
it in the same session, with what was said before. It outlives a turn, a chat session and a crash.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
import json
from typing import Annotated, Any, Literal, Protocol, Self, override, runtime_checkable
from uuid import uuid4

from pydantic import AfterValidator, ConfigDict, Field, field_validator
from pydantic_core import PydanticSerializationError, to_json

from ..json_model import JsonModel, timestamp

MAX_MESSAGES = 50
"""The messages a task keeps at most: the first request and the newest."""

MAX_CHARACTERS = 4000
"""The characters of one message that are kept."""

MAX_ARTIFACTS, MAX_STEPS = 20, 100
"""The artifacts of a task and the steps of a plan that are kept at most: the newest."""

ASK_USER, _TOOL_CALL = "ask_user", "tool_call"
_OPEN = frozenset({"pending", "in_progress"})


class TaskState(StrEnum):
    """Status of a task."""

    SUBMITTED = "submitted"
    WORKING = "working"
    INPUT_REQUIRED = "input-required"
    COMPLETED = "completed"
    CANCELED = "canceled"
    FAILED = "failed"
    UNKNOWN = "unknown"


TRANSITIONS: Mapping[TaskState, frozenset[TaskState]] = {
    TaskState.SUBMITTED: frozenset({TaskState.WORKING}),
    TaskState.WORKING: frozenset(
        {TaskState.COMPLETED, TaskState.INPUT_REQUIRED, TaskState.FAILED, TaskState.CANCELED}
    ),
    TaskState.INPUT_REQUIRED: frozenset({TaskState.WORKING, TaskState.FAILED, TaskState.CANCELED}),
    TaskState.COMPLETED: frozenset(),
    TaskState.FAILED: frozenset(),
    TaskState.CANCELED: frozenset(),
    TaskState.UNKNOWN: frozenset(),
}
"""The states that may follow each state (data model, state transitions)."""


class TransitionError(RuntimeError):
    """A task was to enter a state that cannot follow the one it is in: a programming error."""

    def __init__(self, before: TaskState, after: TaskState) -> None:
        """Name both states."""
        super().__init__(f"A task that is {before} cannot become {after}")
        self.before = before
        self.after = after


def _iso_time(text: str | None) -> str | None:
    """Return a time in ISO 8601 as it is written, None for what is no such time: nothing else is lost for it."""
    try:
        datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return text


type IsoTime = Annotated[str | None, AfterValidator(_iso_time)]


class TaskMessage(JsonModel):
    """One thing that was said. `timestamp` is ISO 8601."""

    model_config = ConfigDict(extra="allow")

    role: Literal["user", "assistant"]
    content: str
    timestamp: IsoTime = None


class Artifact(JsonModel):
    """Something an agent made while it worked on a task: its plan, with the status of each step."""

    model_config = ConfigDict(extra="allow")

    name: str | None = None
    parts: list[dict[str, Any]] = Field(default_factory=list)

    @property
    def agent_id(self) -> str:
        """Return the id of the agent whose plan it is, "" where it is none."""
        return next((str(data.get("agentId", "")) for data in self._plans()), "")

    @property
    def open_steps(self) -> list[dict[str, Any]]:
        """Return the steps of a plan that have not ended."""
        return [step for step in self._steps() if step.get("status") in _OPEN]

    @property
    def has_asked(self) -> bool:
        """Return whether the plan has a question, or a step that waits for an answer."""
        return bool(self.open_steps) or any(step.get("type") == ASK_USER for step in self._steps())

    def go_on(self, other: Artifact) -> None:
        """Go on with the steps of another plan, in place of those that have not ended."""
        if plan := next(self._plans(), None):
            ended = [step for step in self._steps() if step.get("status") not in _OPEN]
            plan["steps"] = [*ended, *other._steps()]

    def keep_newest(self) -> None:
        """Drop all but the newest `MAX_STEPS` steps of its plans."""
        for plan in self._plans():
            plan["steps"] = plan["steps"][-MAX_STEPS:]

    def _plans(self) -> Iterator[dict[str, Any]]:
        """Yield the plans in it; others may have written what they like."""
        for part in self.parts:
            data = part.get("data")
            if isinstance(data, dict) and isinstance(data.get("steps"), list):
                yield data

    def _steps(self) -> Iterator[dict[str, Any]]:
        """Yield the steps of its plans."""
        for data in self._plans():
            yield from (step for step in data["steps"] if isinstance(step, dict))


def continue_plans(asked: Iterable[Artifact], made: Iterable[Artifact]) -> list[Artifact]:
    """Return the artifacts of a task whose question was answered, with what agents made then.

    The first plan of an agent goes on with the one that it asked in. The newest are kept, of each its newest steps.
    """
    kept = [artifact.model_copy(deep=True) for artifact in asked]
    going_on = {artifact.agent_id: artifact for artifact in kept if artifact.has_asked}
    for artifact in made:
        if plan := going_on.pop(artifact.agent_id, None):
            plan.go_on(artifact)
        else:
            kept.append(artifact.model_copy(deep=True))
    newest = kept[-MAX_ARTIFACTS:]
    for artifact in newest:
        artifact.keep_newest()
    return newest


class TaskStatus(JsonModel):
    """The state of a task, with what was last said about it. `timestamp` is ISO 8601."""

    model_config = ConfigDict(extra="allow")

    state: TaskState
    message: TaskMessage | None = None
    timestamp: IsoTime = None


class TaskContext(JsonModel):
    """One task: status, history, artifacts and free metadata.

    `session_id` is Home Assistant's conversation id. A history, artifacts or metadata that were not
    there when a task was read and are still empty are not written either.
    """

    model_config = ConfigDict(extra="allow")

    id: str = Field(min_length=1)
    session_id: str = Field(min_length=1)
    status: TaskStatus
    history: list[TaskMessage] = Field(default_factory=list)
    artifacts: list[Artifact] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def submitted(cls, session_id: str, **fields: Any) -> Self:
        """Return a new task of a session, with an id of its own."""
        status = TaskStatus(state=TaskState.SUBMITTED, timestamp=timestamp())
        values = {"id": f"task-{uuid4()}", "status": status, **fields}
        return cls(session_id=session_id, **values)

    @field_validator("history", "artifacts", mode="before")
    @classmethod
    def _none_is_empty(cls, value: Any) -> Any:
        """Read a list that is null, as the contract allows, as an empty one."""
        return [] if value is None else value

    @field_validator("metadata", mode="before")
    @classmethod
    def _none_is_nothing(cls, value: Any) -> Any:
        """Read metadata that are null, as the contract allows, as none."""
        return {} if value is None else value

    @override
    def as_json(self) -> dict[str, Any]:
        """Return the JSON object: camel case, without empty fields that nobody ever set."""
        found = super().as_json()
        for name in ("history", "artifacts", "metadata"):
            if name not in self.model_fields_set and not found[name]:
                del found[name]
        return found

    @property
    def state(self) -> TaskState:
        """Return the state of the task."""
        return self.status.state

    @property
    def is_over(self) -> bool:
        """Return whether the state is final: the next request is a new task."""
        return not TRANSITIONS[self.state]

    def following(self, **fields: Any) -> Self:
        """Return a new task of the same session that knows what was said and remembered before."""
        return self.submitted(
            self.session_id,
            history=[message.model_copy() for message in self.history],
            metadata={**self.metadata, "follows": self.id},
            **fields,
        )

    def add_request(self, text: str) -> None:
        """Add the user's message to the history, and enter the state working.

        Raises:
            TransitionError: the task is already worked on, or over.
        """
        message = TaskMessage(role="user", content=text[:MAX_CHARACTERS], timestamp=timestamp())
        self.enter(TaskState.WORKING)
        self._keep(message)

    def add_reply(self, text: str, state: TaskState) -> None:
        """Add the assistant's message to the history, and enter the state that follows it.

        Raises:
            TransitionError: the task cannot enter the state.
        """
        message = TaskMessage(
            role="assistant", content=text[:MAX_CHARACTERS], timestamp=timestamp()
        )
        self.enter(state, message)
        self._keep(message)

    def keep_artifacts(self, artifacts: Iterable[Artifact]) -> None:
        """Keep what agents made, in place of what they made before."""
        self.artifacts = list(artifacts)

    def answer_question(self, agent_id: str) -> None:
        """End the step of the agent's plan that asked the user; what others asked is not answered any more."""
        asking = [plan for plan in self.artifacts if _steps_of(plan, ASK_USER)]
        own = [plan for plan in asking if plan.agent_id == agent_id] or asking
        for plan in asking:
            is_answered = any(plan is each for each in own)
            _end(_steps_of(plan, ASK_USER), "completed" if is_answered else "canceled")

    def fail(self, reason: str) -> None:
        """Enter the state failed without a reply, with the reason.

        Raises:
            TransitionError: the task is not worked on and does not wait either.
        """
        message = TaskMessage(role="assistant", content=reason, timestamp=timestamp())
        self.enter(TaskState.FAILED, message)

    def cancel(self, reason: str) -> None:
        """Enter the state canceled, with the reason.

        Raises:
            TransitionError: the task is not worked on and does not wait either.
        """
        message = TaskMessage(role="assistant", content=reason, timestamp=timestamp())
        self.enter(TaskState.CANCELED, message)

    def enter(self, state: TaskState, message: TaskMessage | None = None) -> None:
        """Change the state, with what is said about it.

        Raises:
            TransitionError: the state cannot follow the one the task is in.
        """
        if state not in TRANSITIONS[self.state]:
            raise TransitionError(self.state, state)
        self.status = TaskStatus(state=state, message=message, timestamp=timestamp())
        if self.is_over:
            # Nobody answers any more what was asked, nor is anything done after that.
            for plan in self.artifacts:
                _end(_steps_of(plan, ASK_USER, _TOOL_CALL), "canceled")

    def break_off(self, state: TaskState, reason: str, before: TaskStatus | None = None) -> None:
        """Enter the state of a turn that was cancelled or raised an error; `before` is the status it began with.

        A question that the turn did not get to stays open; what is over stays so.
        """
        if self.is_over or (self.status is before and self.state is TaskState.INPUT_REQUIRED):
            return
        if self.state is TaskState.SUBMITTED:
            self.enter(TaskState.WORKING)
        self.enter(state, TaskMessage(role="assistant", content=reason, timestamp=timestamp()))

    def _keep(self, message: TaskMessage) -> None:
        """Add a message to the history; beyond the limit the oldest but the first is dropped."""
        self.history = [*self.history, message]
        if len(self.history) > MAX_MESSAGES:
            self.history = [self.history[0], *self.history[-(MAX_MESSAGES - 1) :]]


def _steps_of(plan: Artifact, *kinds: str) -> list[dict[str, Any]]:
    """Return the steps of some kinds that have not ended."""
    return [step for step in plan.open_steps if step.get("type") in kinds]


def _end(steps: Iterable[dict[str, Any]], status: str) -> None:
    """End steps of a plan now."""
    now = timestamp()
    for step in steps:
        step.update(status=status, startedAt=step.get("startedAt") or now, endedAt=now)


class WorkflowState(JsonModel):
    """State of one turn's workflow; never stored (data model, WorkflowState).

    `current_executor` is the stage or agent at work, `pending_operations` what is still to be done,
    `start_time` is ISO 8601, `metadata` holds ids for telemetry.
    """

    current_executor: str | None = None
    pending_operations: list[Any] | None = None
    start_time: str = Field(default_factory=timestamp)
    metadata: dict[str, Any] | None = None


_KEY = "userId"

# No user id: whose a task is that does not say so is not known, and nobody's guess.
_UNKNOWN = object()


@dataclass(frozen=True, slots=True)
class Caller:
    """The speaker, or the caller of an action, by Home Assistant's user id; None for an anonymous one.

    Somebody who `sees_all` may use what is everybody's: an administrator who calls an action. Nobody does by speaking.
    """

    user_id: str | None
    sees_all: bool = False

    def owns(self, user_id: object) -> bool:
        """Return whether what belongs to a user id is the caller's to use."""
        return self.sees_all or user_id == self.user_id

    def may_use(self, task: TaskContext) -> bool:
        """Return whether a task, with all that is kept in it, is the caller's to use; not if it names no owner."""
        return self.owns(task.metadata.get(_KEY, _UNKNOWN))

    def begin(self, session_id: str, **fields: Any) -> TaskContext:
        """Return a new task of a session, which the caller owns."""
        return TaskContext.submitted(session_id, metadata={_KEY: self.user_id}, **fields)

    def own_session(self, session_id: str) -> str:
        """Return the id of the caller's own session beside one that somebody else owns."""
        return f"{session_id}-{self.user_id or 'anybody'}"


NOBODY = Caller(None)
"""Whoever speaks to a satellite that knows no persons."""


FOLLOWS = "follows"
"""Where the metadata of a task have the id of the one it follows."""


class StoreUnavailableError(Exception):
    """The place where tasks are kept cannot be reached."""


class TaskStore(Protocol):
    """Keeps tasks for a time: of each session the newest one, and beside it those before it and those that wait.

    What is beside the newest one is found by its id only, and is the first to go where there is no room for all.
    """

    @property
    def shared(self) -> bool:
        """Return whether others write to it too, so that what is in memory may be old."""
        ...

    async def async_load(self) -> list[TaskContext]:
        """Return the newest task of each session, and those beside it that were submitted.

        To be called once, before anything else. What cannot be read is set aside; a store that cannot be reached
        holds nothing for now.
        """
        ...

    async def async_get(self, session_id: str) -> TaskContext | None:
        """Return a session's newest task, or None where none is kept or can be had."""
        ...

    async def async_get_task(self, task_id: str) -> TaskContext | None:
        """Return a task by its id, or None where it is not kept or cannot be had."""
        ...

    async def async_save(self, task: TaskContext, *, durable: bool, beside: bool = False) -> None:
        """Keep a task as it is now, as the newest of its session or `beside` that.

        It is taken down before the first wait. When a durable save returns, the task outlives the
        process, unless the store cannot be written to just now; it is then written later.
        """
        ...

    async def async_move(self, task: TaskContext, former_id: str) -> None:
        """Keep a task as the newest of its session, which had another id before, with those beside it."""
        ...

    async def async_forget(self, session_id: str | None = None) -> int:
        """Forget a session, or all, for good; return how many were forgotten.

        Raises:
            StoreUnavailableError: the store cannot be reached, so nothing was forgotten there.
        """
        ...

    async def async_close(self) -> None:
        """Write what is still to be written. Nothing is kept after that."""
        ...


@runtime_checkable
class CountsSessions(Protocol):
    """A store that knows how many sessions it keeps without asking a server."""

    def count(self) -> int:
        """Return how many sessions are kept."""
        ...


def encode(task: TaskContext) -> bytes:
    """Return a task as JSON."""
    found = task.as_json()
    try:
        return to_json(found, inf_nan_mode="null")
    except PydanticSerializationError:
        # Half of a character, which no JSON can hold, must not cost the conversation.
        return json.dumps(found, ensure_ascii=False).encode("utf-8", "replace")


def decode(data: bytes) -> TaskContext:
    """Return the task in a JSON text.

    Raises:
        ValueError: it is no task.
    """
    return TaskContext.model_validate_json(data)


def changed_at(task: TaskContext) -> datetime:
    """Return when a task last changed, never in the future; now where that is not known."""
    now = datetime.now(UTC)
    try:
        found = datetime.fromisoformat(task.status.timestamp or "")
    except ValueError:
        return now
    return min(found if found.tzinfo else found.replace(tzinfo=UTC), now)


def is_submitted(task: TaskContext) -> bool:
    """Return whether a task waits for its turn."""
    return task.state is TaskState.SUBMITTED


def is_newer(kept: TaskContext, own: TaskContext) -> bool:
    """Return whether a task that somebody kept is newer than ours of the same session.

    What happened decides where it can: the clocks of two homes may differ by more than it takes to
    answer a question.
    """
    if kept.id != own.id:
        if kept.metadata.get(FOLLOWS) == own.id:
            return True
        return own.metadata.get(FOLLOWS) != kept.id and changed_at(kept) > changed_at(own)
    if kept.is_over is not own.is_over:
        return kept.is_over
    if len(kept.history) != len(own.history):
        return len(kept.history) > len(own.history)
    return changed_at(kept) > changed_at(own)

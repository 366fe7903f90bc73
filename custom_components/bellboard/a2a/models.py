"""Answers of an A2A agent: a message, or a task with its state and artifacts.

One set of models reads both versions of the protocol: 1.0 writes `TASK_STATE_COMPLETED` where 0.3
writes `completed`, and `{"task": {}}` where 0.3 writes `{"kind": "task"}`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from ..json_model import JsonModel
from ..memory.models import TaskState
from .errors import (
    A2AError,
    AgentFailedError,
    BadReplyError,
    RequestRefusedError,
    TaskGoneError,
    UnsupportedAgentError,
)

MAX_PARTS = 1000
"""Parts of a message or an artifact at most: some agents send one for each piece that their model wrote."""
MAX_ARTIFACTS = 20
"""Artifacts of a task at most."""
MAX_LISTED = 200
"""Items at most of any other list or object that is read."""

_STATE_PREFIX = "TASK_STATE_"


class RemoteState(StrEnum):
    """State of another agent's task: those of our own tasks, and two that only others enter."""

    SUBMITTED = TaskState.SUBMITTED
    WORKING = TaskState.WORKING
    INPUT_REQUIRED = TaskState.INPUT_REQUIRED
    COMPLETED = TaskState.COMPLETED
    CANCELED = TaskState.CANCELED
    FAILED = TaskState.FAILED
    REJECTED = "rejected"
    AUTH_REQUIRED = "auth-required"
    UNKNOWN = TaskState.UNKNOWN


WORKING_STATES = frozenset({RemoteState.SUBMITTED, RemoteState.WORKING})
"""The states in which an agent is still at work."""


def _read_state(value: Any) -> Any:
    """Return a state as version 0.3 writes it; unknown for one that no version has."""
    if not isinstance(value, str):
        return value
    name = value.removeprefix(_STATE_PREFIX).replace("_", "-").lower()
    return name if name in set(RemoteState) else RemoteState.UNKNOWN


def read_list(value: Any) -> Any:
    """Return a list that is null as an empty one."""
    return [] if value is None else value


type Listed[T] = Annotated[list[T], Field(max_length=MAX_LISTED), BeforeValidator(read_list)]
"""A list of at most MAX_LISTED items; one that is null is empty."""


class RemoteModel(JsonModel):
    """Part of what an agent sends. What is not known is ignored."""

    model_config = ConfigDict(frozen=True)


class MessagePart(RemoteModel):
    """Part of a message or an artifact; one without text is a file or data."""

    text: str | None = None


type _Parts = Annotated[list[MessagePart], Field(max_length=MAX_PARTS), BeforeValidator(read_list)]


def _text(parts: list[MessagePart]) -> str:
    """Return the text of parts, a line for each."""
    return "\n".join(part.text.strip() for part in parts if part.text and part.text.strip())


class RemoteMessage(RemoteModel):
    """A message of an agent; alone it is the whole answer."""

    parts: _Parts
    context_id: str | None = None
    task_id: str | None = None


class RemoteArtifact(RemoteModel):
    """Artifact of an agent."""

    parts: _Parts = Field(default_factory=list)


class RemoteStatus(RemoteModel):
    """State of a task, with what the agent says of it."""

    state: Annotated[RemoteState, BeforeValidator(_read_state)]
    message: RemoteMessage | None = None


class RemoteTask(RemoteModel):
    """A task at another agent."""

    id: str = Field(min_length=1)
    context_id: str | None = None
    status: RemoteStatus
    artifacts: Annotated[
        list[RemoteArtifact], Field(max_length=MAX_ARTIFACTS), BeforeValidator(read_list)
    ] = Field(default_factory=list)

    @property
    def is_working(self) -> bool:
        """Return whether the agent is still at work."""
        return self.status.state in WORKING_STATES

    @property
    def text(self) -> str:
        """Return the text of a finished task's artifacts, else that of its state's message."""
        said = _text(self.status.message.parts) if self.status.message else ""
        if self.status.state is not RemoteState.COMPLETED:
            return said
        made = "\n".join(filter(None, (_text(artifact.parts) for artifact in self.artifacts)))
        return made or said


@dataclass(frozen=True, slots=True)
class AgentReply:
    """Reply of an agent: the state it came to, its text, and the ids to go on with.

    `text` is as the agent wrote it, "" for none. `context_id` continues the conversation. `task_id` is
    that of a task that waits for an answer, "" for none.
    """

    state: RemoteState
    text: str
    context_id: str = ""
    task_id: str = ""

    @classmethod
    def of(cls, answer: RemoteTask | RemoteMessage) -> AgentReply:
        """Return the reply that a message, or a task that is no longer worked on, makes."""
        context_id = answer.context_id or ""
        if isinstance(answer, RemoteMessage):
            return cls(RemoteState.COMPLETED, _text(answer.parts), context_id)
        state = answer.status.state
        waits = state is RemoteState.INPUT_REQUIRED
        return cls(state, answer.text, context_id, answer.id if waits else "")


class _RpcError(RemoteModel):
    """Error of a JSON-RPC response; its text is not kept."""

    code: int


class _RpcResponse(RemoteModel):
    """A JSON-RPC response."""

    id: str | int | None = None
    result: Any = None
    error: _RpcError | None = None


# Codes of the protocol and of JSON-RPC; all others refuse the request.
_RPC_ERRORS: dict[int, type[A2AError]] = {
    -32001: TaskGoneError,
    -32004: UnsupportedAgentError,
    -32005: UnsupportedAgentError,
    -32006: AgentFailedError,
    -32008: UnsupportedAgentError,
    -32009: UnsupportedAgentError,
    -32601: UnsupportedAgentError,
    -32603: AgentFailedError,
}


def parse_json(body: bytes) -> Any:
    """Return the value in a body of JSON.

    Raises:
        BadReplyError: it is not JSON.
    """
    try:
        return from_json(body)
    except ValueError:
        wrong = BadReplyError("it is not JSON")
    # Not chained: the original quotes what it refuses.
    raise wrong


def read_response(body: bytes, request_id: str) -> RemoteTask | RemoteMessage:
    """Return the result in a JSON-RPC response.

    Raises:
        BadReplyError: it is none, or answers another request.
        RequestRefusedError: it says that the request was refused.
        UnsupportedAgentError: it says that the request is not supported.
        AgentFailedError: it says that the agent's server failed.
    """
    found = parse_json(body)
    try:
        response = _RpcResponse.model_validate(found)
        if response.error is None:
            if response.id is not None and str(response.id) != request_id:
                raise BadReplyError("it answers another request")
            return _read_result(response.result)
    except ValidationError:
        wrong: A2AError = BadReplyError("it is not of the protocol")
    else:
        code = response.error.code
        wrong = _RPC_ERRORS.get(code, RequestRefusedError)(f"code {code}")
    # Not chained: a validation error quotes what it refuses.
    raise wrong


def _read_result(result: Any) -> RemoteTask | RemoteMessage:
    """Return the task or message of a result.

    Raises:
        BadReplyError: it is neither.
        ValidationError: it is one with something wrong in it.
    """
    if isinstance(result, dict):
        if "status" in result:
            return RemoteTask.model_validate(result)
        if "parts" in result:
            return RemoteMessage.model_validate(result)
        if "task" in result:
            return RemoteTask.model_validate(result["task"])
        if "message" in result:
            return RemoteMessage.model_validate(result["message"])
    raise BadReplyError("it holds no task and no message")

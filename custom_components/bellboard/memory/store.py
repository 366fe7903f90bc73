"""The store of tasks, which outlive a turn, a chat session and a crash."""

from datetime import UTC, datetime
import json
from typing import Protocol, runtime_checkable

from pydantic_core import PydanticSerializationError, to_json

from .models import TaskContext

FOLLOWS = "follows"
"""Where the metadata of a task have the id of the one it follows."""


class StoreUnavailableError(Exception):
    """The place where tasks are kept cannot be reached."""


class TaskStore(Protocol):
    """Keeps the newest task of each session for a time.

    A task carries the history of those it follows, so that those need not be kept.
    """

    @property
    def shared(self) -> bool:
        """Return whether others write to it too, so that what is in memory may be old."""
        ...

    async def async_load(self) -> list[TaskContext]:
        """Return all tasks that are kept. To be called once, before anything else.

        What cannot be read is set aside; a store that cannot be reached holds nothing for now.
        """
        ...

    async def async_get(self, session_id: str) -> TaskContext | None:
        """Return a session's newest task, or None where none is kept or can be had."""
        ...

    async def async_save(self, task: TaskContext, *, durable: bool) -> None:
        """Keep a task as it is now, in place of the one that its session had.

        It is taken down before the first wait. When a durable save returns, the task outlives the
        process, unless the store cannot be written to just now; it is then written later.
        """
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

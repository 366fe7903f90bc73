"""An assistant for dry runs: turns that decide and plan as always, and have no effect."""

from copy import deepcopy
from dataclasses import replace

from ..assistant import Assistant
from ..tasks.conversations import Conversations
from ..tasks.models import TaskContext
from ..telemetry.observations import Observations
from ..telemetry.redaction import STRICT
from ..telemetry.sinks import Telemetry


class _DryRunStore:
    """A store with a copy of one conversation's task, which keeps nothing."""

    shared = False

    def __init__(self, task: TaskContext | None) -> None:
        """Take the task as it is now."""
        self._task = task.model_copy(deep=True) if task else None

    async def async_load(self) -> list[TaskContext]:
        """Return nothing: there is nothing to take up."""
        return []

    async def async_get(self, session_id: str) -> TaskContext | None:
        """Return the task, if it is of this session."""
        return self._task if self._task and self._task.session_id == session_id else None

    async def async_save(self, task: TaskContext, *, durable: bool) -> None:
        """Keep nothing."""

    async def async_forget(self, session_id: str | None = None) -> int:
        """Return that nothing was forgotten."""
        return 0

    async def async_close(self) -> None:
        """Write nothing."""


def create_dry_run(assistant: Assistant, task: TaskContext | None) -> Assistant:
    """Return an assistant that decides and plans as another does, and stores, counts and tells nothing.

    `task` is that of the conversation whose next turn is tried; it is not changed.
    """
    options = assistant.options
    uncounted = options.dispatch.model_copy(update={"enable_telemetry": False})
    return replace(
        assistant,
        options=options.model_copy(update={"dispatch": uncounted}),
        tasks=Conversations(_DryRunStore(task)),
        observations=Observations(record=deepcopy(assistant.record)),
        telemetry=Telemetry(assistant.hass, STRICT),
    )

"""An assistant for dry runs: turns that decide and plan as always, and have no effect."""

from copy import deepcopy
from dataclasses import replace

from ..agents.base import AgentResult
from ..assistant import Assistant, AssistantStatistics
from ..memory.conversations import Conversations
from ..memory.models import TaskContext
from ..plans.models import Outcome, ToolResult
from ..telemetry.redaction import STRICT
from ..telemetry.sinks import Telemetry


class _DryRunStore:
    """A store with a copy of one conversation's task, which keeps nothing but that."""

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

    async def async_get_task(self, task_id: str) -> TaskContext | None:
        """Return the task, if it has this id."""
        return self._task if self._task and self._task.id == task_id else None

    async def async_save(self, task: TaskContext, *, durable: bool, beside: bool = False) -> None:
        """Keep the task for the next dry run of its conversation, and nowhere else."""
        self._task = task

    async def async_move(self, task: TaskContext, former_id: str) -> None:
        """Keep the task under its session's id."""
        self._task = task

    async def async_forget(self, session_id: str | None = None) -> int:
        """Return 0: no task is forgotten."""
        return 0

    async def async_close(self) -> None:
        """Write nothing."""


def as_if_done(answer: AgentResult) -> AgentResult:
    """Return a dry run's answer with its planned calls as done, so that the next sentence may refer to them."""
    if answer.plan is None or answer.results:
        return answer
    done = (
        ToolResult(call, tuple(Outcome(target) for target in call.targets))
        for call in answer.plan.calls
    )
    return replace(answer, results=tuple(done))


def create_dry_run(assistant: Assistant, task: TaskContext | None) -> Assistant:
    """Return an assistant that decides and plans as another does, and stores, counts and tells nothing.

    `task` is that of the conversation whose next turn is tried; it is not changed. Further turns of that
    conversation go on from what the ones before would have come to.
    """
    options = assistant.options
    uncounted = options.dispatch.model_copy(update={"enable_telemetry": False})
    return replace(
        assistant,
        options=options.model_copy(update={"dispatch": uncounted}),
        tasks=Conversations(_DryRunStore(task)),
        observations=AssistantStatistics(record=deepcopy(assistant.record)),
        telemetry=Telemetry(assistant.hass, STRICT),
    )

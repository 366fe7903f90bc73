"""The end of a turn: its trace, and what is said where a stage of it broke off."""

from asyncio import CancelledError
import logging
import sys

from ..agents.base import AgentResult
from ..llm.errors import OrchestratorError
from ..memory.models import TaskContext, TaskState
from .context import TurnContext
from .stages import TurnResult

_LOGGER = logging.getLogger(__name__)


def break_off(context: TurnContext, task: TaskContext, err: Exception) -> TurnResult:
    """End a turn in which a stage raised an error: its task has failed, and a sentence says that something went wrong.

    A question that the turn did not get to stays open.
    """
    stage = next((each["stage"] for each in reversed(context.record.stages)), "beginning")
    failure = OrchestratorError(f"a turn after {stage}", err)
    _LOGGER.error("%s", failure, exc_info=failure)
    text, state = context.language.say("error"), TaskState.FAILED
    task = _task_now(context, task)
    if task.state is TaskState.INPUT_REQUIRED:
        state = TaskState.INPUT_REQUIRED
    elif not task.is_over:
        if task.state is TaskState.SUBMITTED:
            task.add_request(context.text)
        task.add_reply(text, state)
    context.record.responded(text, TaskState.FAILED, None)
    answer = AgentResult(success=False, content=text)
    return TurnResult(
        text=text, answers=(answer,), state=state, record=context.record, request=context.text
    )


def finish_trace(context: TurnContext, task: TaskContext, result: TurnResult | None) -> None:
    """Keep the trace, also of a turn that did not come to its end."""
    last = _task_now(context, task)
    ended = isinstance(sys.exception(), CancelledError)
    gone = TaskState.CANCELED if ended else TaskState.FAILED
    reply, state = (result.text, result.state) if result else ("", gone)
    context.record.finished(reply, state, last.id, context.assistant.hass.states.get)
    context.assistant.observations.models.record(context.record.model.log, context.record.prices)
    telemetry = context.assistant.options.telemetry
    # A dry run is shown to whoever wrote the sentence, and to nobody else.
    if not (context.dry_run or telemetry.keeps_words_of(context.user_input.context.user_id)):
        context.record.withhold_words()
    context.assistant.traces.append(context.record)


def _task_now(context: TurnContext, task: TaskContext) -> TaskContext:
    """Return the conversation's task as it is now: another one, where the turn gave up the one that it began with."""
    return context.assistant.tasks.get(context.conversation_id, caller=context.caller) or task

"""The end of a turn: its trace, and what is said where a stage of it broke off."""

from asyncio import CancelledError
import logging
import sys

from ..agents.base import AgentResult
from ..assistant import Assistant
from ..llm.errors import OrchestratorError
from ..memory.models import TaskContext, TaskState
from .context import TurnContext
from .record import TurnRecord
from .stages import TurnResult
from .wordless import wordless_trace

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
    # A dry run is shown to whoever wrote the sentence, and to nobody else.
    keep_trace(context.assistant, context.record, is_own=context.dry_run)


def keep_trace(assistant: Assistant, record: TurnRecord, *, is_own: bool = False) -> None:
    """Keep the trace of a turn, without words where nobody may read them, unless it `is_own`: the caller's alone.

    The record itself stays as it is for whoever began the turn.
    """
    telemetry = assistant.options.telemetry
    keeps_words = is_own or telemetry.keeps_words_of(record.speaker.user_id)
    assistant.traces.append(record if keeps_words else wordless_trace(record))


def _task_now(context: TurnContext, task: TaskContext) -> TaskContext:
    """Return the conversation's task as it is now: another one, where the turn gave up the one that it began with."""
    return context.assistant.tasks.get(context.conversation_id, caller=context.caller) or task

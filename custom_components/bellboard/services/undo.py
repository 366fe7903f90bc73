"""The action `bellboard.undo`: put back what a conversation changed last, as "undo that" does."""

from homeassistant.core import ServiceCall, ServiceResponse
from homeassistant.util import dt as dt_util
from homeassistant.util.json import JsonObjectType

from ..agents.plan_answers import aggregate
from ..assistant import Assistant
from ..home.speaker import Rights, async_rights
from ..memory.models import Caller, TaskContext, TaskState
from ..memory.turns import UndoRecord, last_undoable, pop_undo
from ..nlu.loader import async_get_language
from ..plans.runner import PlanRunner
from ..policy.engine import Interaction
from ..policy.file import call_history
from ..telemetry.trace import Stage
from ..turn.ending import keep_trace
from ..turn.record import PartRecorder, TurnRecord
from ..turn.undo import UndoRequest, UndoResult, async_undo, note_undo
from .action import (
    ASSISTANT_FIELD,
    ATTR_ASSISTANT,
    ATTR_CONVERSATION_ID,
    CONVERSATION_FIELD,
    ServiceAction,
    async_caller,
    find_assistant,
    refusal,
)

WAITS = "confirm"
"""Why something was not put back that a policy wants a yes for: nobody is asked here."""


async def _async_undo(call: ServiceCall) -> ServiceResponse:
    """Put back what a conversation changed last; without its id, the newest one in memory."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    caller = await async_caller(call)
    conversation_id = call.data.get(ATTR_CONVERSATION_ID) or _newest(assistant, caller)
    if conversation_id is None:
        raise refusal("nothing_to_undo")
    async with assistant.tasks.async_revise(conversation_id, caller=caller) as task:
        if task is None:
            raise refusal("unknown_conversation")
        if (undoable := last_undoable(task)) is None:
            raise refusal("nothing_to_undo")
        return await _async_put_back(call, assistant, task, undoable)


def _newest(assistant: Assistant, caller: Caller) -> str | None:
    """Return the id of the session in memory in which the caller changed something last, or None."""
    found = [
        (record.at, task.session_id)
        for task in assistant.tasks.in_memory()
        if caller.may_use(task) and (record := last_undoable(task))
    ]
    return max(found)[1] if found else None


async def _async_put_back(
    call: ServiceCall, assistant: Assistant, task: TaskContext, undoable: UndoRecord
) -> ServiceResponse:
    """Put back what a turn changed, in the name of the caller, and return what came of it.

    It is traced like a turn, but nothing was said, so the task keeps its state and history.
    """
    language = await async_get_language(call.hass, call.hass.config.language)
    rights = await async_rights(call.hass, call.context.user_id)
    record = TurnRecord(task.session_id, "", sink=assistant.telemetry)
    request = UndoRequest(
        hass=call.hass,
        language=language,
        catalog=rights.readable(await assistant.catalog.async_get()),
        runner=_runner(call, assistant, task, language.code, record),
        before=undoable.before,
    )
    assistant.lessons.unlearn(task.session_id)
    dispatched = await async_undo(request, assistant.options.dispatch)
    if dispatched.answer.did_something:
        assistant.habits.take_back(task.session_id)
    note_undo(assistant, record, dispatched)
    answer = dispatched.answer
    undone = answer if isinstance(answer, UndoResult) else UndoResult(success=False, content="")
    if undone.is_settled:
        pop_undo(task)
    reply = aggregate(language, [answer], assistant.options.aggregation)
    state = TaskState.COMPLETED if answer.did_something else TaskState.FAILED
    record.add(Stage.RESPOND, message=reply)
    record.finished(reply, state, task.id, call.hass.states.get)
    keep_trace(assistant, record)
    restored = [entity_id for entity_id in undone.restored if rights.may_read(entity_id)]
    return {"restored": [*restored], "failed": _failed(undone, rights), "reply": reply}


def _runner(
    call: ServiceCall, assistant: Assistant, task: TaskContext, language: str, record: TurnRecord
) -> PlanRunner:
    """Return what runs the plan, in the name of the caller and under the policies."""
    interaction = Interaction(
        id=record.id,
        session_id=task.session_id,
        text="",
        language=language,
        user_id=call.context.user_id,
        at=dt_util.now(),
    )
    return PlanRunner(
        hass=call.hass,
        context=call.context,
        executor=assistant.executor,
        policy=assistant.policy,
        interaction=interaction,
        history=call_history(call.hass),
        observer=PartRecorder(record),
    )


def _failed(undone: UndoResult, rights: Rights) -> JsonObjectType:
    """Return why entities were not put back, by the ids of those the caller may know of."""
    reasons = {o.entity_id: o.error.value for o in undone.outcomes.values() if o.error}
    reasons |= dict.fromkeys(sorted(undone.waiting), WAITS)
    return {
        entity_id: reason for entity_id, reason in reasons.items() if rights.may_read(entity_id)
    }


ACTIONS = (ServiceAction("undo", _async_undo, {**CONVERSATION_FIELD, **ASSISTANT_FIELD}),)

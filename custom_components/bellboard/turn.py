"""One turn, from what was said to what is answered.

received           the conversation's task is loaded; a pending question is taken up
intents_eligible   the agents in scope
intent_classified  who answers which part of the sentence
plan_created       what each agent means to do
plan_communicated  what is said before it is done
policy_check       what may be done of it
tool_execute       what was done, as the home shows it
respond            one answer from all; the task keeps the state
"""

from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import ConversationInput

from .assistant import UNROUTED_AGENTS, Assistant
from .current_turn import Turn, TurnResult
from .decision import async_decide, note_decision
from .follow_up import async_answer_question, async_refer, reference_of
from .forwarding import async_run_task, async_take_parts
from .language.loader import async_get_language
from .learning import Learning, hear
from .routing.models import Route
from .tasks.memory import last_turn, remembered
from .tasks.models import TaskState
from .tasks.pending import PendingQuestion, forget_question, open_question
from .telemetry.events import Stage
from .telemetry.trace import TurnTrace
from .undoing import async_undo
from .workflow.models import TaskEnvelopeV2


async def async_take_turn(
    assistant: Assistant,
    user_input: ConversationInput,
    formerly: str | None = None,
    *,
    envelope: TaskEnvelopeV2 | None = None,
    dry_run: bool = False,
) -> TurnResult:
    """Answer one sentence. `user_input` has its conversation id.

    `formerly` is the id the caller knows the conversation by, where that is another one. An
    `envelope` says which agent answers; then nobody is asked who it is for. With `dry_run` all is
    decided and planned as otherwise, and nothing carried out.
    """
    conversation_id = str(user_input.conversation_id)
    trace = TurnTrace(conversation_id, user_input.text, sink=assistant.telemetry)
    async with assistant.tasks.async_open(conversation_id, formerly) as task:
        turn = Turn(
            assistant=assistant,
            user_input=user_input,
            task=task,
            trace=trace,
            language=await async_get_language(assistant.hass, user_input.language),
            catalog=await assistant.catalog.async_get(),
            turns=remembered(task),
            dry_run=dry_run,
        )
        state = TaskState.FAILED
        try:
            result = await (_async_run_task(turn, envelope) if envelope else _async_run(turn))
            state = result.state
        finally:
            turn.workflow.metadata = {"turnId": trace.id, "taskId": turn.task.id}
            trace.workflow = turn.workflow.as_json()
            trace.finish(trace.reply, state.value)
            assistant.traces.append(trace)
    return result


async def _async_run(turn: Turn) -> TurnResult:
    """Go through the stages."""
    hear(turn)
    pending = _receive(turn)
    if pending and (result := await async_answer_question(turn, pending)):
        return result
    if turn.task.state is not TaskState.WORKING:
        turn.task.heard(turn.user_input.text)
    if pending:
        # From here on the question is not open any more, whatever happens.
        await turn.assistant.tasks.async_working(turn.task)
    if turn.wants_undo:
        return turn.respond(await async_undo(turn))
    if reference := reference_of(turn):
        if reference.agent_id:
            return turn.respond([await async_refer(turn, reference)])
        # What was said, in full; the history keeps it as it was said.
        turn.user_input = replace(turn.user_input, text=reference.text)
    route = await _async_classify(turn)
    learning = Learning.of(turn, route.assignments)
    dispatched = await async_take_parts(turn, route.assignments)
    learning.note(dispatched)
    return turn.respond(dispatched)


async def _async_run_task(turn: Turn, envelope: TaskEnvelopeV2) -> TurnResult:
    """Go through the stages of a task whose agent is known. A question that is open is left."""
    if _receive(turn):
        turn.task = turn.assistant.tasks.supersede(turn.task, "A task was given.")
        forget_question(turn.task)
    turn.task.heard(turn.user_input.text)
    dispatched, turn.finished = await async_run_task(turn, envelope)
    return turn.respond(dispatched)


def _receive(turn: Turn) -> PendingQuestion | None:
    """Load what is open and note it."""
    pending = open_question(turn.task)
    question = pending.question if pending else None
    turn.trace.add(
        Stage.RECEIVED,
        memory={
            "history_count": len(turn.task.history),
            "params_keys": sorted(question.data) if question else [],
            "waiting_for_param": question.param if question else None,
        },
    )
    return pending


async def _async_classify(turn: Turn) -> Route:
    """Decide who answers."""
    decision = await async_decide(
        turn.assistant,
        turn.user_input,
        memory=last_turn(turn.task),
        use=turn.trace.model,
    )
    note_decision(turn.assistant, decision)
    turn.record.choice = decision.route.choice
    eligible = [card.id for card in decision.cards]
    turn.trace.add(Stage.INTENTS_ELIGIBLE, eligible=eligible)
    turn.trace.add(
        Stage.INTENT_CLASSIFIED,
        **_classified(turn, decision.route),
        variant=decision.variant,
        measure=decision.route.assignments[0].measure.value,
        **decision.route.choice.as_json(),
    )
    return decision.route


def _classified(turn: Turn, route: Route) -> dict[str, Any]:
    """Return which intent a sentence has: what was recognised, else the agent that finds it out."""
    primary = route.assignments[0]
    turn.is_unknown = primary.agent_id in UNROUTED_AGENTS and primary.decline is None
    if turn.is_unknown:
        return {"intent_id": None, "unknown_intent": True}
    intent = primary.intent
    return {
        "intent_id": intent.name if intent else primary.agent_id,
        "redacted_params": turn.assistant.telemetry.redacted(intent.slots if intent else ()),
    }

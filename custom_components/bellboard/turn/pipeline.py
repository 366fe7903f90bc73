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

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import ConversationInput

from ..assistant import UNROUTED_AGENTS, Assistant
from ..home.names import words_of
from ..home.rights import async_rights
from ..nlu.loader import async_get_language
from ..nlu.sentence import MAX_CHARACTERS, is_too_long, normalised
from ..routing.eligible import TOO_LONG, declined, settled
from ..routing.models import Route, Source
from ..tasks.delayed import DelayedCommand
from ..tasks.memory import last_turn, remembered
from ..tasks.models import TaskState
from ..tasks.pending import PendingQuestion, forget_question, open_question
from ..telemetry.events import Stage
from ..telemetry.trace import TurnTrace
from ..workflow.models import TaskEnvelopeV2
from .context import Turn, TurnResult
from .decision import async_decide, is_barred, note_decision
from .delayed import Delaying, forget_planned, just_planned, parts_of, told, waiting_for
from .dry_run import pretending
from .follow_up import async_answer_question, async_refer, reference_of
from .help import helping, is_asked_for_help
from .learning import Learning, hear
from .next_steps import async_run_task, async_take_parts
from .undo import async_undo


async def async_take_turn(
    assistant: Assistant,
    user_input: ConversationInput,
    formerly: str | None = None,
    *,
    envelope: TaskEnvelopeV2 | None = None,
    dry_run: bool = False,
    delayed: DelayedCommand | None = None,
) -> TurnResult:
    """Answer one sentence. `user_input` has its conversation id.

    `formerly` is the id the caller knows the conversation by, where that is another one. An
    `envelope` says which agent answers; then nobody is asked who it is for. With `dry_run` all is
    decided and planned as otherwise, and nothing carried out. `delayed` is the command that is due,
    where the sentence is one that was given before.
    """
    conversation_id = str(user_input.conversation_id)
    user_input = replace(user_input, text=normalised(user_input.text))
    trace = TurnTrace(conversation_id, user_input.text, sink=assistant.telemetry)
    conversation_id = await _async_own_conversation(assistant, user_input)
    async with assistant.tasks.async_open(conversation_id, formerly) as task:
        rights = await async_rights(assistant.hass, user_input.context.user_id)
        turn = Turn(
            assistant=assistant,
            user_input=user_input,
            task=task,
            trace=trace,
            language=await async_get_language(assistant.hass, user_input.language),
            catalog=rights.readable(await assistant.catalog.async_get()),
            rights=rights,
            turns=remembered(task),
            delayer=Delaying(async_take_turn),
            delayed=delayed,
            dry_run=dry_run,
        )
        state = TaskState.FAILED
        try:
            if is_too_long(user_input.text):
                result = await _async_decline_length(turn)
            else:
                result = await (_async_run_task(turn, envelope) if envelope else _async_run(turn))
            state = result.state
        finally:
            turn.workflow.metadata = {"turnId": trace.id, "taskId": turn.task.id}
            trace.workflow = turn.workflow.as_json()
            trace.finish(trace.reply, state.value)
            assistant.traces.append(trace)
    return result


async def _async_own_conversation(assistant: Assistant, user_input: ConversationInput) -> str:
    """Return the id of the conversation a sentence belongs to.

    Where several people share one and somebody else was asked something, it is a conversation of the
    speaker's own: the question stays open for who was asked, and a yes to it is theirs.
    """
    conversation_id, user_id = str(user_input.conversation_id), user_input.context.user_id
    task = await assistant.tasks.async_find(conversation_id)
    pending = open_question(task) if task else None
    if pending is None or pending.user_id == user_id:
        return conversation_id
    return f"{conversation_id}-{user_id or 'anybody'}"


async def async_rehearse(assistant: Assistant, user_input: ConversationInput) -> TurnResult:
    """Return what a sentence would come to, as the next turn of its conversation.

    Nothing is carried out, kept, counted or told. The model is asked as it would be otherwise.
    """
    task = await assistant.tasks.async_find(await _async_own_conversation(assistant, user_input))
    return await async_take_turn(pretending(assistant, task), user_input, dry_run=True)


async def _async_decline_length(turn: Turn) -> TurnResult:
    """Say that a sentence is too long, before any of it is read; a question stays open."""
    is_asking = _receive(turn) is not None
    text = turn.user_input.text[:MAX_CHARACTERS]
    turn.task.heard(text)
    if is_asking:
        return turn.finish(turn.language.say(TOO_LONG), (), TaskState.INPUT_REQUIRED)
    return turn.respond(await turn.async_dispatch_all([declined(text, TOO_LONG)]))


async def _async_run(turn: Turn) -> TurnResult:
    """Go through the stages."""
    hear(turn)
    planned = just_planned(turn)
    forget_planned(turn.task)
    pending = _receive(turn)
    if turn.delayed:
        return await _async_run_delayed(turn, turn.delayed)
    if pending and (result := await async_answer_question(turn, pending)):
        return result
    if turn.task.state is not TaskState.WORKING:
        turn.task.heard(turn.user_input.text)
    if pending:
        # From here on the question is not open any more, whatever happens.
        await turn.assistant.tasks.async_working(turn.task)
    if (told := await _async_about_planned(turn, planned)) is not None:
        return await _async_say(turn, told, Source.DELAYED, "It is about what is planned.")
    if turn.wants_undo:
        return turn.respond(await async_undo(turn))
    if is_asked_for_help(turn):
        return await _async_say(turn, helping(turn), Source.REFLEX, "It asks what can be said.")
    if reference := reference_of(turn):
        if reference.agent_id or reference.is_refused:
            return turn.respond([await async_refer(turn, reference)])
        # What was said, in full; the history keeps it as it was said.
        turn.user_input = replace(turn.user_input, text=reference.text)
        turn.record.said = reference.text
    return await _async_route(turn)


async def _async_route(turn: Turn) -> TurnResult:
    """Let those answer whom the sentence is for."""
    route = await _async_classify(turn)
    learning = Learning.of(turn, route.assignments)
    dispatched = await async_take_parts(turn, route.assignments)
    learning.note(dispatched)
    return turn.respond(dispatched)


async def _async_run_delayed(turn: Turn, command: DelayedCommand) -> TurnResult:
    """Do what was given for now: as it was understood then, where that is known."""
    turn.task.heard(command.text)
    parts = parts_of(command)
    if not parts:
        if (reference := reference_of(turn)) and (reference.agent_id or reference.is_refused):
            return turn.respond([await async_refer(turn, reference)])
        if reference:
            turn.user_input = replace(turn.user_input, text=reference.text)
            turn.record.said = reference.text
        return await _async_route(turn)
    barred = [is_barred(turn.assistant, turn.user_input, part.agent_id) for part in parts]
    return turn.respond(
        await turn.async_dispatch_all(
            [
                declined(part.instruction) if not_here else part
                for part, not_here in zip(parts, barred, strict=True)
            ]
        )
    )


async def _async_about_planned(turn: Turn, planned: Sequence[str]) -> str | None:
    """Return what is said of what waits for its time; None where the sentence is not about that.

    `planned` are the ids of what was planned in the turn before.
    """
    text, language = turn.user_input.text, turn.language
    asked = language.delayed.kind_of(text)
    if asked == "ask":
        return told(turn, waiting_for(turn))
    ids = [command.id for command in waiting_for(turn)] if asked == "cancel" else []
    if planned and (turn.wants_undo or language.answers.gives_up(words_of(text))):
        ids = [*planned]
    if not ids:
        return language.say("delayed.none") if asked else None
    if not turn.dry_run:
        await turn.assistant.delayed.async_cancel(ids)
    return language.say("delayed.canceled")


async def _async_say(turn: Turn, text: str, source: Source, reason: str) -> TurnResult:
    """Answer with words alone."""
    part = settled(turn.user_input.text, text, reason, source)
    return turn.respond(await turn.async_dispatch_all([part]))


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

"""One turn, from what was said to what is answered.

received           the conversation's task is loaded, with the question that is open
intents_eligible   the agents in scope
intent_classified  who answers which part of the sentence
plan_created       what each agent means to do
plan_communicated  what is said before it is done
policy_check       what may be done of it
tool_execute       what was done, as the home shows it
respond            one answer from all; the task keeps the state

Each stage takes the turn's context and returns a result. Only here are these put together: to the reply,
the task and the trace. The stages of a plan are those of `plans.runner.PlanRunner`, which all agents use.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import assert_never

from homeassistant.components.conversation import ConversationInput

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched
from ..agents.plan_answers import aggregate
from ..agents.speech import Voice
from ..assistant import Assistant
from ..const import UNDO_AGENT_ID
from ..dialogue.asking import prompt_again
from ..memory.delayed import AboutDelayed, DelayedCommand, keep_focus
from ..memory.models import Caller, TaskContext, TaskState
from ..memory.pending import (
    PendingQuestion,
    forget_question,
    keep_question,
    load_question,
    open_question,
    store_question,
)
from ..memory.turns import (
    forget_unchanged,
    keep_for_undo,
    pop_undo,
    remember_response,
    remember_turn,
)
from ..nlu.codes import MASK
from ..nlu.tokens import MAX_CHARACTERS, is_too_long, normalised
from ..policy.codes import code_lock
from ..routing.next_models import TaskEnvelopeV2
from ..routing.router import TOO_LONG, declined
from .asked_first import async_read_first_answer, with_opening
from .context import MaskedTextCallback, TurnContext, async_create_context
from .decision import async_eligible_cards, is_barred
from .delayed import known_parts
from .dispatch import async_dispatch_after, async_dispatch_parts, may_have_next_steps
from .dry_run import as_if_done, create_dry_run
from .ending import break_off, finish_trace
from .follow_up import (
    answered,
    async_classify,
    async_dispatch_follow_up,
    async_read_follow_up,
    dismissed_reply,
    pending_part,
)
from .hastened import async_dispatch_assigned
from .last_turns import (
    as_about_timer,
    async_read_ellipsis,
    async_read_last_corrected,
    async_read_pronoun_command,
    async_read_there,
    decline_lone_value,
)
from .learning import (
    learn,
    note_corrections,
    note_habits,
    read_lesson_source,
    unlearn_if_contradicted,
)
from .masking import async_reveal_code_answer, async_task_without_codes, async_without_codes
from .next_steps import async_dispatch_with_next_steps, async_run_task
from .planned import (
    async_answer_about_planned,
    async_read_about_planned,
    chosen_planned,
    focus_after,
    is_about_planned,
)
from .put_back import with_end
from .record import TurnRecord
from .revised import async_read_revised
from .small_talk import answer_small_talk, with_hint
from .stages import (
    Assigned,
    Corrected,
    Executed,
    FollowUp,
    FollowUpKind,
    Routed,
    RouteKind,
    TurnReply,
    TurnResult,
    Undo,
)
from .undo import UndoResult, async_dispatch_end, async_dispatch_undo
from .withdrawn import async_read_withdrawn, without_reason


async def async_take_turn(
    assistant: Assistant,
    user_input: ConversationInput,
    previous_conversation_id: str | None = None,
    *,
    envelope: TaskEnvelopeV2 | None = None,
    dry_run: bool = False,
    delayed: DelayedCommand | None = None,
    voice: Voice | None = None,
    on_masked: MaskedTextCallback | None = None,
    opening: str = "",
) -> TurnResult:
    """Answer one sentence. `user_input` has its conversation id.

    `previous_conversation_id` is the id the caller knows the conversation by, where that is another one. An
    `envelope` says which agent answers; then no router is asked. With `dry_run` all is decided and
    planned as otherwise, and nothing carried out. `delayed` is the command that is due, where the
    sentence is one that was given before. `voice` says words while they come. `on_masked` is told what may be
    kept of the sentence where that is not all of it, before anybody reads it. `opening` is the message with which
    somebody else began the conversation, where the sentence answers it.
    """
    said = normalised(user_input.text)
    conversation_id = str(user_input.conversation_id)
    record = TurnRecord(conversation_id, "", sink=assistant.telemetry, prices=assistant.prices)
    caller = Caller(user_input.context.user_id)
    async with assistant.tasks.async_open(
        record.conversation_id, previous_conversation_id, caller=caller
    ) as task:
        pending = open_question(task)
        # What is said to the question for a code is kept nowhere.
        answers_code = pending and pending.is_for_code and not (envelope or delayed)
        code_answer = said if answers_code else ""
        text = MASK if code_answer else said
        if code_lock(assistant.hass).codes:
            text = text if code_answer else await async_without_codes(assistant.hass, said)
            envelope = envelope and await async_task_without_codes(assistant.hass, envelope)
        if on_masked and text != said:
            on_masked(text)
        record.utterance = text
        # Agents keep to the speaker's own session, too: what they remember of a conversation is its owner's.
        user_input = replace(user_input, text=text, conversation_id=task.session_id)
        context = await async_create_context(
            assistant,
            user_input,
            task,
            record,
            async_dry_run=partial(async_dry_run, assistant),
            delayed=delayed,
            dry_run=dry_run,
            voice=voice,
            unread_code_answer=code_answer,
            on_masked=on_masked,
        )
        context = with_opening(context, opening)
        result: TurnResult | None = None
        try:
            result = await _async_go_through(context, task, pending, envelope)
        except Exception as err:  # noqa: BLE001 - whatever it is, the turn has an answer
            result = break_off(context, task, err)
        finally:
            finish_trace(context, task, result)
    return result


async def _async_go_through(
    context: TurnContext,
    task: TaskContext,
    pending: PendingQuestion | None,
    envelope: TaskEnvelopeV2 | None,
) -> TurnResult:
    """Go through the stages of a turn, and return what it came to."""
    record = context.record
    record.work_on(task)
    record.received(context.history, pending.question if pending else None)
    record.found_eligible(await async_eligible_cards(context.assistant, context.user_input))
    routed = await _async_route(context, task, pending, envelope)
    record.work_on(routed.task)
    note_corrections(context, routed)
    executed = await _async_execute(context, routed)
    if not envelope:
        # What an automation hands to an agent is nobody's habit.
        note_habits(context)
    reply = _compose_reply(context, routed, executed)
    _store_task(context, routed, executed, reply)
    left = open_question(routed.task)
    record.responded(reply.text, reply.state, left.question if left else None)
    return _result_of(context, routed, executed, reply)


async def async_dry_run(
    assistant: Assistant,
    user_input: ConversationInput,
    *,
    delayed: DelayedCommand | None = None,
) -> TurnResult:
    """Return the result that a sentence would have as the next turn of its conversation.

    Nothing is carried out, stored, counted or told. The model is asked as it would be otherwise.
    `delayed` is the command, where the sentence is one that is to be due later.
    """
    caller = Caller(user_input.context.user_id)
    task = await assistant.tasks.async_find(str(user_input.conversation_id), caller=caller)
    if task:
        user_input = replace(user_input, conversation_id=task.session_id)
    return await async_take_turn(
        create_dry_run(assistant, task), user_input, dry_run=True, delayed=delayed
    )


async def _async_route(
    context: TurnContext,
    task: TaskContext,
    pending: PendingQuestion | None,
    envelope: TaskEnvelopeV2 | None,
) -> Routed:
    """Stages intents_eligible and intent_classified: find out who goes on with the sentence."""
    if is_too_long(context.text):
        return _decline_length(context, task, pending)
    if envelope:
        if pending:
            task = context.assistant.tasks.supersede(task, "A task was given.")
            forget_question(task)
        task.add_request(context.text)
        return _routed(context, task, envelope)
    unlearn_if_contradicted(context)
    if context.delayed:
        return await _async_route_due(context, task, context.delayed)
    if pending:
        return await _async_withdraw(context, task, pending) or await _async_route_follow_up(
            context, task, pending
        )
    task.add_request(context.text)
    if answer := await async_read_first_answer(context):
        return _routed(answer[0], task, answer[1])
    return await _async_route_request(context, task)


def _routed(context: TurnContext, task: TaskContext, way: RouteKind) -> Routed:
    """Return the result of routing the sentence of the context."""
    return Routed(task=task, way=way, text=context.text, asked=context.asked)


def _decline_length(
    context: TurnContext, task: TaskContext, pending: PendingQuestion | None
) -> Routed:
    """Say that a sentence is too long, before any of it is read; a question stays open."""
    text = context.text[:MAX_CHARACTERS]
    task.add_request(text)
    if pending:
        part = pending_part(context, pending, TOO_LONG)
        reply = TurnReply(context.language.say(TOO_LONG), (), TaskState.INPUT_REQUIRED, part)
        return replace(_routed(context, task, reply), pending=pending)
    return _routed(context, task, Assigned((declined(text, TOO_LONG),)))


async def _async_route_due(
    context: TurnContext, task: TaskContext, command: DelayedCommand
) -> Routed:
    """Let a command that is due be done as it was understood when it was given, if that is known."""
    task.add_request(command.text)
    if command.before:
        return _routed(context, task, Undo(before=command.before))
    if not (parts := known_parts(context.language, command)):
        routed = await _async_refer_or_classify(context, task)
        return replace(routed, way=with_end(routed.way, command.schedule))
    allowed = [
        declined(part.instruction)
        if is_barred(context.assistant, context.user_input, part.agent_id)
        else part
        for part in parts
    ]
    return _routed(context, task, Assigned(tuple(allowed)))


async def _async_route_follow_up(
    context: TurnContext, task: TaskContext, pending: PendingQuestion
) -> Routed:
    """Go on from a question: with its answer, or with the request that was made instead."""
    tasks = context.assistant.tasks
    follow_up = await async_read_follow_up(context, pending, is_untrusted=tasks.is_untrusted(task))
    if follow_up.kind is FollowUpKind.NEW_REQUEST:
        if context.unread_code_answer:
            context = await async_reveal_code_answer(context)
        task = tasks.supersede(task, "Something else was asked for.")
    task.add_request(context.text)
    forget_question(task)
    if follow_up.kind is FollowUpKind.AGAIN:
        text = context.language.say(follow_up.reply) if follow_up.reply else ""
        text = text or prompt_again(follow_up.pending, context.catalog, context.language)
        asked = follow_up.pending.question
        part = pending_part(context, follow_up.pending, asked.action or asked.param)
        reply = TurnReply(text, (), TaskState.INPUT_REQUIRED, part)
        return replace(_routed(context, task, reply), pending=follow_up.pending)
    if follow_up.kind is FollowUpKind.DISMISSED:
        return _routed(context, task, dismissed_reply(context, follow_up))
    # From here on the question is not open any more, whatever happens.
    task.answer_question(pending.agent_id)
    context.record.asked = task.artifacts
    await tasks.async_save_working(task)
    if follow_up.kind in {FollowUpKind.NEW_REQUEST, FollowUpKind.ROUTE}:
        context = replace(context, asked=pending.asked if pending.is_free else 0)
        if follow_up.kind is FollowUpKind.ROUTE and context.assistant.models.is_capable:
            said = pending.request or pending.to_confirm
            context = context.with_text(answered(said, context.text))
        return await _async_route_request(context, task)
    if is_about_planned(pending):
        return _routed(context, task, chosen_planned(context, follow_up))
    if follow_up.kind is FollowUpKind.COMPLETED:
        context = replace(context, asked=pending.asked if pending.completes else 0)
        return _routed(context, task, Assigned(follow_up.parts))
    is_undo = follow_up.kind is FollowUpKind.CONFIRMED and pending.agent_id == UNDO_AGENT_ID
    way = Undo(pending.question) if is_undo else follow_up
    return replace(_routed(context, task, way), has_code=follow_up.has_code)


async def _async_withdraw(
    context: TurnContext, task: TaskContext, pending: PendingQuestion
) -> Routed | None:
    """Take back what is planned, where that is named while something else is asked; None where it is not."""
    if context.unread_code_answer or is_about_planned(pending):
        return None
    if (about := await async_read_withdrawn(context)) is None:
        return None
    task = context.assistant.tasks.supersede(task, "Something else was asked for.")
    task.add_request(context.text)
    forget_question(task)
    return _routed(context, task, about)


async def _async_route_request(context: TurnContext, task: TaskContext) -> Routed:
    """Route a request. What is about earlier commands, or about the assistant, is for no router."""
    context = without_reason(as_about_timer(context))
    if said := await async_read_revised(context) or await async_read_about_planned(context):
        return _routed(context, task, said)
    if context.asks_to_undo or context.takes_back_last:
        return _routed(context, task, Undo())
    if part := answer_small_talk(context):
        return _routed(context, task, Assigned((part,)))
    return await _async_refer_or_classify(context, task)


async def _async_refer_or_classify(context: TurnContext, task: TaskContext) -> Routed:
    """Take up what the sentence corrects or refers to in the last turns; ask the router about all else."""
    if unclear := decline_lone_value(context):
        return _routed(context, task, Assigned((unclear,)))
    if there := await async_read_there(context):
        return _routed(context, task, there)
    if corrected := await async_read_last_corrected(context):
        return _routed(context, task, corrected)
    if about_spoken := await async_read_pronoun_command(context):
        return _routed(context, task, about_spoken)
    if more := await async_read_ellipsis(context):
        return _routed(context, task, more)
    return await _async_classify(context, task)


async def _async_classify(context: TurnContext, task: TaskContext) -> Routed:
    """Let the router decide who answers which part of the sentence."""
    context.record.work_on(task)
    decision = await async_classify(context)
    routed = _routed(context, task, Assigned(decision.route.assignments))
    return replace(routed, decision=decision)


async def _async_undone(
    context: TurnContext, task: TaskContext, *, is_wanted: bool
) -> list[Dispatched]:
    """Undo what was not meant, before what is done instead."""
    return [await async_dispatch_undo(context, task)] if is_wanted else []


async def _async_execute(context: TurnContext, routed: Routed) -> Executed:
    """Stages plan_created to tool_execute: let those answer who go on with the sentence."""
    context = replace(context.with_text(routed.text), asked=routed.asked)
    context = context.with_code() if routed.has_code else context
    match routed.way:
        case TurnReply():
            return Executed()
        case TaskEnvelopeV2() as envelope:
            dispatched, finished = await async_run_task(context, envelope)
            return Executed(tuple(dispatched), finished)
        case FollowUp() as follow_up:
            done = await async_dispatch_follow_up(context, follow_up)
            return Executed(await async_dispatch_after(context, [done], follow_up.parts))
        case Corrected(parts, is_undone):
            undone = await _async_undone(context, routed.task, is_wanted=is_undone)
            return Executed(await async_dispatch_after(context, undone, parts))
        case Undo(before=before) if before:
            return Executed((await async_dispatch_end(context, before),))
        case Undo(question):
            return Executed((await async_dispatch_undo(context, routed.task, question),))
        case AboutDelayed() as about:
            return Executed((await async_answer_about_planned(context, about),))
        case Assigned() as way if routed.choice is None:
            return Executed(tuple(await async_dispatch_assigned(context, way)))
        case Assigned(parts):
            source = read_lesson_source(context, parts)
            goes_on = may_have_next_steps(context, parts)
            dispatch = async_dispatch_with_next_steps if goes_on else async_dispatch_parts
            answered = await dispatch(context, parts)
            learn(context, source, answered)
            return Executed(tuple(answered))
        case _:
            assert_never(routed.way)


def _compose_reply(context: TurnContext, routed: Routed, executed: Executed) -> TurnReply:
    """Return one answer from all, and the state of the task after it."""
    if isinstance(routed.way, TurnReply):
        if part := routed.way.part:
            context.record.classified(part, part.topic)
        return routed.way
    answers = tuple(entry.answer for entry in executed.dispatched)
    text = aggregate(context.language, answers, context.assistant.options.aggregation)
    return TurnReply(with_hint(context, text, answers, routed.task), answers, _state_after(answers))


def _state_after(answers: Sequence[AgentResult]) -> TaskState:
    """Return the state of the task: open while a question is, failed where nothing succeeded."""
    if any(answer.question for answer in answers):
        return TaskState.INPUT_REQUIRED
    if any(answer.did_something for answer in answers):
        return TaskState.COMPLETED
    return TaskState.FAILED


def _store_task(context: TurnContext, routed: Routed, executed: Executed, reply: TurnReply) -> None:
    """Leave the task with all that the next turn needs to know, and in its state."""
    if not isinstance(routed.way, TurnReply):
        _store_question(context, routed, executed, reply)
        _store_memory(context, routed, executed, reply)
    elif routed.pending:
        keep_question(routed.task, routed.pending)
    keep_focus(routed.task, focus_after(context, routed, reply))
    routed.task.add_reply(reply.text, reply.state)


def _store_question(
    context: TurnContext, routed: Routed, executed: Executed, reply: TurnReply
) -> None:
    """Keep the question that an agent asked, and how often it was asked what is meant."""
    task = routed.task
    ids, area_id = executed.agent_ids, context.area_id
    store_question(task, ids, reply.answers, area_id=area_id, spoken=routed.spoken)
    pending = load_question(task)
    if routed.asked and pending and (pending.is_free or pending.completes):
        keep_question(task, replace(pending, asked=routed.asked + 1))


def _store_memory(
    context: TurnContext, routed: Routed, executed: Executed, reply: TurnReply
) -> None:
    """Keep what was done: to be referred to, to be undone, and as the task's artifacts."""
    task, record = routed.task, context.record
    answers = map(as_if_done, reply.answers) if context.dry_run else reply.answers
    remember_turn(
        task,
        context.catalog,
        executed.agent_ids,
        tuple(answers),
        routed.text,
        confidence=context.record.agents[0]["confidence"],
    )
    if record.last_response:
        remember_response(task, record.last_response)
    task.keep_artifacts(record.artifacts())
    if UNDO_AGENT_ID in executed.agent_ids:
        forget_unchanged(task)
        if any(isinstance(answer, UndoResult) and answer.is_settled for answer in reply.answers):
            pop_undo(task)
    if executed.agent_ids != [UNDO_AGENT_ID]:
        now = context.assistant.hass.states.get
        keep_for_undo(task, routed.text, record.before, now, momentary=record.momentary)


def _result_of(
    context: TurnContext, routed: Routed, executed: Executed, reply: TurnReply
) -> TurnResult:
    """Return what the turn came to."""
    return TurnResult(
        text=reply.text,
        answers=reply.answers,
        state=reply.state,
        record=context.record,
        request=routed.text,
        choice=routed.choice,
        finished=executed.finished,
    )

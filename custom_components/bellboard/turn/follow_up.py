"""Answers to the open question: how a task goes on after them."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
import logging

from ..agents.base import AgentResult, Confirmable
from ..agents.dispatch import ActionAgent, Dispatched, async_ask_again, async_confirm, async_do
from ..agents.specialist import Specialist
from ..assistant import UNROUTED_AGENTS
from ..const import DELAY_AGENT_ID, UNDO_AGENT_ID
from ..dialogue.answers import read_answer
from ..dialogue.approving import approves
from ..dialogue.asking import async_ask_which
from ..dialogue.choosing import AnswerKind, ReadAnswer
from ..dialogue.references import acted_on_before
from ..home.names import letters_of
from ..llm.errors import ModelError
from ..memory.models import TaskState
from ..memory.pending import PendingQuestion, offer_of
from ..nlu.bounds import read_bounds
from ..nlu.codes import read_code
from ..nlu.tokens import MAX_COMMAND
from ..plans.models import CONFIRM, PIN
from ..policy.codes import CodeCheck, code_lock
from ..policy.file import speaking_persons
from ..routing.models import EXECUTOR_ID, Assignment, Source
from ..routing.router import declined, reply_directly
from .context import TurnContext
from .decision import (
    READ_SOURCES,
    Decision,
    async_decide,
    async_read_with,
    async_understand,
    is_barred,
    note_decision,
)
from .delayed import async_plan_later
from .dispatch import async_dispatch_parts, note_part
from .plan_wording import say_unchanged
from .planned import async_read_which_planned, is_about_planned
from .planned_slots import is_planned
from .put_back import async_end_later
from .restricted import async_read_restricted
from .revised import async_read_revised_question, without_same_time
from .stages import FollowUp, FollowUpKind, TurnReply

_LOGGER = logging.getLogger(__name__)

# Answers that are read from the words of a name or place, which another request may have in it, too.
_READ_AS_WORDS = frozenset({AnswerKind.UNCLEAR, AnswerKind.CHOSEN})
# Answers after which everything stays as it is.
_LEAVING = frozenset({AnswerKind.CANCELED, AnswerKind.NO})
# Answers behind which another request may be said, and what comes of them.
_AGREEING = frozenset({AnswerKind.YES, AnswerKind.CHOSEN})
_ANSWERED = frozenset({FollowUpKind.CONFIRMED, FollowUpKind.CHOSEN})
# What ends a sentence: what follows is one of its own.
_ENDS = (".", "!", "?", "…")


async def async_read_follow_up(
    context: TurnContext, pending: PendingQuestion, *, is_untrusted: bool
) -> FollowUp:
    """Return how a task goes on after what is said to its question. Nothing is changed.

    With `is_untrusted` others may have written the question: a yes to it is asked for again.
    """
    if is_about_planned(pending):
        return await async_read_which_planned(context, pending)
    context = without_same_time(context, pending)
    part = _part_for(pending, context.text)
    # "Yes, that" is no other command, and "just like that" restricts nothing.
    if not approves(context.text, pending, context.catalog, context.language):
        if revised := await async_read_revised_question(context, pending):
            return FollowUp(FollowUpKind.COMPLETED, revised, pending, parts=(revised,))
        if not is_untrusted and (restricted := await async_read_restricted(context, pending, part)):
            return restricted
    if pending.is_for_code:
        return await _async_read_code(
            context, FollowUp(FollowUpKind.ROUTE, part, pending), is_untrusted=is_untrusted
        )
    if not is_untrusted and (follow_up := await _async_read_with_more(context, pending)):
        return follow_up
    return await _async_read_answer(context, pending, part, is_untrusted=is_untrusted)


async def _async_read_with_more(context: TurnContext, pending: PendingQuestion) -> FollowUp | None:
    """Return how a task goes on after an answer with a request behind it: "yes, and turn off the light"; else None.

    A comma alone joins nothing to an answer: "yes, turn off the light" may be meant for somebody else.
    """
    if pending.agent_id == UNDO_AGENT_ID or _read_reply(context, pending).kind in _AGREEING:
        return None
    for join in context.language.joins.finditer(context.text, 0, MAX_COMMAND):
        # An answer takes a while to read, and there may be many joins.
        await asyncio.sleep(0)
        said = context.with_text(context.text[: join.start()])
        more = context.with_text(context.text[join.end() :])
        if join[0].strip() == "," or _read_reply(said, pending).kind not in _AGREEING:
            continue
        if not (more.reading.begins_with_verb or await _is_request(more)):
            continue
        part = _part_for(pending, said.text)
        follow_up = await _async_read_answer(said, pending, part, is_untrusted=False)
        if follow_up.kind in _ANSWERED:
            route = (await async_classify(more)).route
            return replace(follow_up, parts=route.assignments)
    return None


async def async_classify(context: TurnContext) -> Decision:
    """Return the router's decision who answers which part of the sentence, noted."""
    context.record.working.current_executor = EXECUTOR_ID
    decision = await async_decide(
        context.assistant,
        context.user_input,
        memory=context.memory_for_router,
        use=context.record.model,
    )
    note_decision(context.assistant, decision)
    context.record.routed(decision)
    return decision


async def _async_read_answer(
    context: TurnContext, pending: PendingQuestion, part: Assignment, *, is_untrusted: bool
) -> FollowUp:
    """Return how a task goes on after what is said to the question of an agent."""
    reply = await _async_read_reply(context, pending)
    said_yes_to = pending.question.prompt if reply.kind is AnswerKind.YES else ""
    follow_up = FollowUp(FollowUpKind.ROUTE, part, pending, reply.targets, agreed=said_yes_to)
    is_another = (reply.kind is AnswerKind.ANOTHER and not pending.completes) or (
        reply.kind is AnswerKind.UNCLEAR and context.asks_to_undo
    )
    if (is_another and not pending.is_free) or (
        reply.kind in _READ_AS_WORDS and await is_new_request(context, pending)
    ):
        return replace(follow_up, kind=FollowUpKind.NEW_REQUEST)
    if reply.kind in _LEAVING and not _is_answer(context, pending, reply.kind):
        return _leave(follow_up, "again.canceled", TaskState.CANCELED)
    if reply.kind is AnswerKind.AGAIN:
        return _ask_again(context, follow_up, reply)
    if pending.completes:
        return await _async_complete(context, follow_up)
    if _is_barred(context, pending.agent_id):
        return replace(follow_up, kind=FollowUpKind.PART, part=declined(part.instruction))
    if reply.kind is AnswerKind.YES and (agreed := _agree(context, follow_up)):
        return _reconfirm(context, follow_up) if is_untrusted else agreed
    if pending.is_free:
        goes_to_asker = _has_asker(context, pending)
        return replace(follow_up, kind=FollowUpKind.PART) if goes_to_asker else follow_up
    if reply.targets:
        asker = context.assistant.registry.get(pending.agent_id)
        is_there = pending.agent_id == DELAY_AGENT_ID or isinstance(asker, ActionAgent)
        return replace(follow_up, kind=FollowUpKind.CHOSEN) if is_there else follow_up
    if reply.possible and (parts := await _async_read_room(context, reply.possible)):
        return replace(follow_up, kind=FollowUpKind.COMPLETED, parts=parts)
    if (
        pending.to_confirm
        and pending.asked < _most(context)
        and context.planner_of(pending.agent_id).is_capable
    ):
        return _changed(context, follow_up)
    return _ask_again(context, follow_up, reply)


def _most(context: TurnContext) -> int:
    """Return how often one thing is asked."""
    return context.assistant.options.memory.max_clarifications


def _ask_again(context: TurnContext, follow_up: FollowUp, reply: ReadAnswer) -> FollowUp:
    """Return that the question is asked again, or left where that was done often enough."""
    pending = follow_up.pending
    if pending.asked >= _most(context):
        return _leave(follow_up, "again.given_up", TaskState.FAILED)
    return replace(follow_up, kind=FollowUpKind.AGAIN, pending=pending.asked_again(reply.possible))


def _has_asker(context: TurnContext, pending: PendingQuestion) -> bool:
    """Return whether an agent that is there reads the words that answer its question."""
    is_routed = pending.agent_id in UNROUTED_AGENTS
    return not is_routed and context.assistant.registry.get(pending.agent_id) is not None


def _is_answer(context: TurnContext, pending: PendingQuestion, kind: AnswerKind) -> bool:
    """Return whether a no is an answer for the agent that asked, and does not leave what was asked about."""
    return kind is AnswerKind.NO and pending.is_free and _has_asker(context, pending)


async def _async_read_code(
    context: TurnContext, follow_up: FollowUp, *, is_untrusted: bool
) -> FollowUp:
    """Return how a task goes on after what was said to the question for a code.

    No model is asked about it: the words may be the code. What is no code, and not understood as something
    else either, counts as a wrong one. What is understood as something else is tried as no code, whether one is in
    it or not: else "never mind, 1234" would be a try that does not count. A dry run tells nobody whether a code is
    right.
    """
    hass, pending = context.assistant.hass, follow_up.pending
    lock, persons = code_lock(hass), speaking_persons(hass, context.runner.interaction)
    if not letters_of(context.unread_code_answer).isdecimal():
        said = context.with_code_answer(context.unread_code_answer)
        if _read_reply(said, pending).kind in _LEAVING:
            return _leave(follow_up, "again.canceled", TaskState.CANCELED)
        if said.asks_to_undo or await _is_request(said):
            return replace(follow_up, kind=FollowUpKind.NEW_REQUEST)
    if _is_barred(context, pending.agent_id):
        return replace(follow_up, kind=FollowUpKind.PART, part=declined(follow_up.part.instruction))
    again = replace(follow_up, kind=FollowUpKind.AGAIN, pending=pending.asked_again())
    if context.dry_run:
        return replace(again, reply="pin.plain")
    match lock.check(read_code(context.unread_code_answer, context.language), persons):
        case CodeCheck.LOCKED:
            return _leave(follow_up, "pin.wait", TaskState.FAILED)
        case CodeCheck.WRONG:
            return replace(again, reply="pin.wrong")
    confirmed = replace(follow_up, kind=FollowUpKind.CONFIRMED, has_code=True)
    return _reconfirm(context, confirmed) if is_untrusted else confirmed


async def _async_completed(context: TurnContext, said: str) -> tuple[Assignment, ...]:
    """Return what a request comes to with the value or the room that the sentence says; () where it says none."""
    reader = context.assistant.reader
    return await async_read_with(
        context.assistant,
        context.user_input,
        lambda request: reader.async_complete(request, said, request.user_input.text),
    )


async def _async_timed(context: TurnContext, said: str) -> tuple[Assignment, ...]:
    """Return what is planned by a request with the time that the sentence says; () where it says none."""
    text = f"{said.strip(' .,!?')} {context.text}"
    route = await async_understand(context.assistant, replace(context.user_input, text=text))
    parts = route.assignments
    return parts if all(part.intent and is_planned(part.intent) for part in parts) else ()


async def _async_complete(context: TurnContext, follow_up: FollowUp) -> FollowUp:
    """Return the request with the value that was asked for, or the one that is made instead of an answer."""
    said = follow_up.pending.completes
    if follow_up.part.agent_id == DELAY_AGENT_ID:
        parts = await _async_timed(context, said)
        course = FollowUpKind.COMPLETED if parts else FollowUpKind.NEW_REQUEST
        return replace(follow_up, kind=course, parts=parts)
    parts = await _async_completed(context, said)
    is_capable = context.planner_of(follow_up.part.agent_id).is_capable
    if not parts and (_is_mere_value(context) or (is_capable and not await _is_request(context))):
        if follow_up.pending.asked >= _most(context):
            return _leave(follow_up, "again.given_up", TaskState.FAILED)
        parts = (_completed(context, follow_up, said),)
    course = FollowUpKind.COMPLETED if parts else FollowUpKind.NEW_REQUEST
    return replace(follow_up, kind=course, parts=parts)


def _changed(context: TurnContext, follow_up: FollowUp) -> FollowUp:
    """Return the request with what changes it, where that was neither a yes nor a no: "rather nineteen".

    The assistant's model may find somebody else for it; a model of the asker's own is nobody else's.
    """
    pending = follow_up.pending
    if context.assistant.own_model_of(pending.agent_id) is None:
        return follow_up
    part = _completed(context, follow_up, pending.request or pending.to_confirm)
    return replace(follow_up, kind=FollowUpKind.PART, part=part)


def _completed(context: TurnContext, follow_up: FollowUp, said: str) -> Assignment:
    """Return the part of the agent that asked, with what was said before and the answer to its question."""
    # Who says yes to a question means what it says.
    spoken = " ".join(filter(None, (said, follow_up.agreed, context.text)))
    part = replace(follow_up.part, instruction=answered(said, context.text), spoken=spoken)
    # The agent's own question is its data: it need not be told what else was said.
    return replace(part, data={"asked": follow_up.pending.question.prompt})


def answered(said: str, answer: str) -> str:
    """Return a request with the answer to what was asked about it, in one text that a model reads."""
    mark = "" if said[-1:] in _ENDS else ":"
    return f"{said}{mark} {answer}" if said else answer


def _is_mere_value(context: TurnContext) -> bool:
    """Return whether a sentence names no thing, no place and nothing to do: "40 percent", after "How bright?".

    It answers the agent that asked, also where the request cannot be read; by itself it would be for the room.
    """
    return read_bounds(context.text, context.house).says_nothing


async def _is_request(context: TurnContext) -> bool:
    """Return whether a sentence is a request of its own, which is understood without a model."""
    route = await async_understand(context.assistant, context.user_input)
    return all(part.intent and part.source in READ_SOURCES for part in route.assignments)


async def is_new_request(context: TurnContext, pending: PendingQuestion) -> bool:
    """Return whether a sentence is a request of its own that is about none of what a question offers.

    Where any words may answer it ("the red ones"), nothing tells them from a request.
    """
    if pending.completes or pending.is_free or not await _is_request(context):
        return False
    route = await async_understand(context.assistant, context.user_input)
    intents = [part.intent for part in route.assignments if part.intent]
    if any(intent.is_ambiguous for intent in intents):
        # "Half of it" names nothing.
        return False
    about = {target for intent in intents for target in intent.targets}
    return bool(about) and about.isdisjoint(pending.order)


async def _async_read_room(
    context: TurnContext, possible: Collection[str]
) -> tuple[Assignment, ...]:
    """Return what the request before comes to in the room that answers it, () where it stays unclear.

    "Turn off the light" means any of the home, and all of "the kitchen".
    """
    if not context.turns or not (said := context.turns[-1].said):
        return ()
    parts = await _async_completed(context, said)
    intents = [part.intent for part in parts]
    is_plain = all(intent and not intent.is_open and intent.targets for intent in intents)
    meant = {target for intent in intents if intent for target in intent.targets}
    return parts if is_plain and meant == set(possible) else ()


def _leave(follow_up: FollowUp, reply: str, state: TaskState) -> FollowUp:
    """Return a follow-up after which everything stays as it is."""
    return replace(follow_up, kind=FollowUpKind.DISMISSED, reply=reply, state=state)


def _is_barred(context: TurnContext, agent_id: str) -> bool:
    """Return whether an agent may not act here, now, or for this person any more."""
    return agent_id not in UNROUTED_AGENTS and is_barred(
        context.assistant, context.user_input, agent_id
    )


def _agree(context: TurnContext, follow_up: FollowUp) -> FollowUp | None:
    """Return who does what was agreed to, or None where a yes is no answer to the question."""
    pending = follow_up.pending
    if pending.question.param == CONFIRM:
        agent = context.assistant.registry.get(pending.agent_id)
        is_own = pending.agent_id in {UNDO_AGENT_ID, DELAY_AGENT_ID}
        if is_own or isinstance(agent, Confirmable):
            return replace(follow_up, kind=FollowUpKind.CONFIRMED)
        return None
    if offer := offer_of(pending.question):
        agent_id, text = offer
        part = replace(
            follow_up.part, agent_id=agent_id, instruction=text, reason="It was offered."
        )
        return replace(follow_up, kind=FollowUpKind.PART, part=part)
    return None


def _reconfirm(context: TurnContext, follow_up: FollowUp) -> FollowUp:
    """Ask for the yes again, with a prompt that is rebuilt from the stored actions.

    Others may write where the question was stored, so its stored text is not trusted.
    """
    is_confirm = follow_up.pending.question.param in {CONFIRM, PIN}
    if is_confirm and follow_up.pending.agent_id in context.assistant.specialists:
        return replace(follow_up, kind=FollowUpKind.RECONFIRM)
    return _leave(follow_up, "ask.agent", TaskState.FAILED)


async def async_dispatch_follow_up(context: TurnContext, follow_up: FollowUp) -> Dispatched:
    """Let the agent go on that asked, or the one that was agreed to."""
    part = follow_up.part
    if follow_up.kind is FollowUpKind.PART:
        context = replace(context, answers=follow_up.pending)
        [dispatched] = await async_dispatch_parts(context, [part])
        return dispatched
    schedule = follow_up.pending.question.schedule
    is_now = part.agent_id != DELAY_AGENT_ID
    noted, context = context.at_work(replace(part, schedule=schedule) if is_now else part)
    dispatched = await _async_go_on(context, follow_up)
    if schedule and is_now:
        dispatched = await async_end_later(context, part, schedule, dispatched)
    return note_part(context, part, noted.answered(dispatched))


async def _async_go_on(context: TurnContext, follow_up: FollowUp) -> Dispatched:
    """Let the agent that asked go on with what was answered.

    Raises:
        ValueError: the agent cannot do that.
    """
    part, question = follow_up.part, follow_up.pending.question
    if part.agent_id == DELAY_AGENT_ID:
        return await async_plan_later(context, part, question, follow_up.targets)
    request, options = context.request_for(part), context.assistant.options.dispatch
    agent = context.assistant.registry.agent_for(part.agent_id)
    match follow_up.kind, agent:
        case FollowUpKind.RECONFIRM, Specialist():
            return await async_ask_again(agent, request, question, options)
        case FollowUpKind.CHOSEN, ActionAgent():
            return await async_do(agent, request, question.half_made, follow_up.targets, options)
        case FollowUpKind.CONFIRMED, Confirmable():
            return await async_confirm(agent, request, question, options)
        case _:
            raise ValueError(f"{part.agent_id} cannot go on: {follow_up.kind}")


async def _async_read_reply(context: TurnContext, pending: PendingQuestion) -> ReadAnswer:
    """Return what the sentence answers to a question.

    The model is asked only where the words are not plain and there is something to choose from; where it
    cannot be asked, the answer stays unclear. An answer that leaves fewer candidates is asked about at once.
    Of what was guessed a model chooses nothing: that would be a yes that nobody said.
    """
    reply = _read_reply(context, pending)
    is_of_words = pending.is_free or bool(pending.completes)
    if reply.kind is not AnswerKind.UNCLEAR or reply.possible or is_of_words:
        return reply
    if await is_new_request(context, pending):
        return reply
    if (model := context.planner_of(pending.agent_id).model) is None:
        return reply
    seconds = context.assistant.options.timeout
    try:
        chosen = await async_ask_which(
            model,
            context.text,
            pending,
            context.catalog,
            seconds,
            said=_asked_about(context, pending),
        )
    except ModelError as err:
        _LOGGER.warning("The model could not be asked what was answered: %s", err)
        return reply
    return reply if pending.question.is_guess and chosen.targets else chosen


def _asked_about(context: TurnContext, pending: PendingQuestion) -> str:
    """Return the request that a question is about, "" where it is not remembered."""
    turns = context.turns
    return turns[-pending.asked].said if len(turns) >= pending.asked else ""


def _read_reply(context: TurnContext, pending: PendingQuestion) -> ReadAnswer:
    """Return what the sentence plainly answers to a question."""
    return read_answer(
        context.text,
        pending,
        context.catalog,
        context.language,
        area_id=context.area_id,
        earlier=acted_on_before(context.turns),
    )


def _part_for(pending: PendingQuestion, text: str) -> Assignment:
    """Return what was said as the part of the agent that asked."""
    return Assignment(
        agent_id=pending.agent_id,
        instruction=text,
        confidence=1.0,
        source=Source.PENDING,
        reason="The open question was answered.",
    )


def dismissed_reply(context: TurnContext, follow_up: FollowUp) -> TurnReply:
    """Return the reply to a dismissed question; nothing changes."""
    agent_id = follow_up.pending.agent_id
    context.record.add_agent(agent_id, confidence=1.0, source=Source.PENDING.value)
    is_canceled = follow_up.state is TaskState.CANCELED
    kept = say_unchanged(context, follow_up.pending.question.data) if is_canceled else ""
    text = kept or context.language.say(follow_up.reply)
    answer = AgentResult(success=is_canceled, content=text)
    part = pending_part(context, follow_up.pending, follow_up.reply)
    return TurnReply(text, (answer,), follow_up.state, part)


def pending_part(context: TurnContext, pending: PendingQuestion, topic: str) -> Assignment:
    """Return what was said to an open question as a part that no agent has to answer."""
    return replace(
        reply_directly(context.text, "", "", Source.PENDING, topic=topic), agent_id=pending.agent_id
    )

"""What a sentence goes on with: the question that is open, or what was done in the last turns."""

from collections.abc import Sequence
from dataclasses import replace
import logging

from homeassistant.core import HomeAssistant

from ..agents.base import AgentRequest, Answer, Confirmable
from ..agents.dispatch import Dispatched, async_ask_again, async_confirm, async_do, async_resume
from ..agents.specialist import Specialist
from ..agents.telling import CONFIRM
from ..assistant import UNROUTED_AGENTS
from ..const import DELAY_AGENT_ID, FALLBACK_AGENT_ID, HOME_AGENT_ID, UNDO_AGENT_ID
from ..domains.registry import direct_actions
from ..llm.errors import ModelError
from ..routing.eligible import declined
from ..routing.models import Assignment, Source
from ..tasks.answers import read_answer
from ..tasks.asking import again, async_ask_which
from ..tasks.choosing import Reply, ReplyKind
from ..tasks.models import TaskState
from ..tasks.operations import level_attribute
from ..tasks.pending import PendingQuestion, forget_question, keep_question, offer_of
from ..tasks.references import Reference, acted_on_before, resolve
from .context import Turn, TurnResult
from .decision import is_barred
from .undo import async_undo

_LOGGER = logging.getLogger(__name__)

# Answers after which everything stays as it is.
_LEAVING = frozenset({ReplyKind.CANCELED, ReplyKind.NO})


async def async_answer_question(turn: Turn, pending: PendingQuestion) -> TurnResult | None:
    """Take what was said as the answer to the open question; None where it is a new request."""
    part = _answer_to(pending, turn.user_input.text)
    reply = await _async_read_reply(
        pending, part.instruction, turn.request(part), earlier=acted_on_before(turn.turns)
    )
    is_another = reply.kind is ReplyKind.ANOTHER or (
        reply.kind is ReplyKind.UNCLEAR and turn.wants_undo
    )
    if is_another and not pending.is_free:
        turn.task = turn.assistant.tasks.supersede(turn.task, "Something else was asked for.")
        forget_question(turn.task)
        return None
    turn.task.heard(turn.user_input.text)
    forget_question(turn.task)
    if reply.kind not in _LEAVING and _is_barred(turn, pending.agent_id):
        return await _async_decline(turn, part)
    if reply.kind in _LEAVING:
        return _leave(turn, pending, "again.canceled", TaskState.CANCELED)
    if reply.kind is ReplyKind.YES and (agreed := _agreed(turn, pending, part)):
        if turn.assistant.tasks.is_foreign(turn.task):
            return await _async_confirm_again(turn, pending, part)
        return await _async_agreed(turn, pending, agreed)
    if pending.is_free:
        return await _async_hear_again(turn, pending, part)
    if reply.targets:
        return await _async_resume(turn, pending, part, reply.targets)
    if pending.asked >= turn.assistant.options.memory.max_clarifications:
        return _leave(turn, pending, "again.given_up", TaskState.FAILED)
    return _ask_again(turn, pending.again(reply.possible))


def _is_barred(turn: Turn, agent_id: str) -> bool:
    """Return whether an agent may not act here, now, or for this person any more."""
    return agent_id not in UNROUTED_AGENTS and is_barred(turn.assistant, turn.user_input, agent_id)


async def _async_decline(turn: Turn, part: Assignment) -> TurnResult:
    """Say that nobody here may do what was asked for."""
    await turn.assistant.tasks.async_working(turn.task)
    return turn.respond(await turn.async_dispatch_all([declined(part.instruction)]))


def _agreed(turn: Turn, pending: PendingQuestion, part: Assignment) -> Assignment | None:
    """Return who does what was agreed to, or None where a yes is no answer to the question."""
    if pending.question.param == CONFIRM:
        if pending.agent_id in {UNDO_AGENT_ID, DELAY_AGENT_ID}:
            return part
        agent = turn.assistant.registry.get(pending.agent_id)
        return part if isinstance(agent, Confirmable) else None
    if offer := offer_of(pending.question):
        agent_id, text = offer
        return replace(part, agent_id=agent_id, instruction=text, reason="It was offered.")
    return None


async def _async_agreed(turn: Turn, pending: PendingQuestion, part: Assignment) -> TurnResult:
    """Do what was agreed to."""
    # From here on the question is not open any more, whatever happens.
    await turn.assistant.tasks.async_working(turn.task)
    if pending.agent_id == UNDO_AGENT_ID:
        return turn.respond(await async_undo(turn, pending.question))
    if pending.agent_id == DELAY_AGENT_ID:
        return await _async_planned(turn, pending, part)
    agent = turn.assistant.registry.get(part.agent_id)
    if pending.question.param != CONFIRM or not isinstance(agent, Confirmable):
        return turn.respond(await turn.async_dispatch_all([part]))
    dispatched = await async_confirm(
        agent, turn.request(part), pending.question, turn.assistant.options.dispatch
    )
    turn.note(part, dispatched)
    return turn.respond([dispatched])


async def _async_confirm_again(
    turn: Turn, pending: PendingQuestion, part: Assignment
) -> TurnResult:
    """Ask for a yes anew, to what the question's own actions come to.

    Others may write where the question was kept: what is spoken now is made of what would be done.
    """
    agent = turn.assistant.registry.get(pending.agent_id)
    if pending.question.param != CONFIRM or not isinstance(agent, Specialist):
        return _leave(turn, pending, "ask.agent", TaskState.FAILED)
    await turn.assistant.tasks.async_working(turn.task)
    dispatched = await async_ask_again(
        agent, turn.request(part), pending.question, turn.assistant.options.dispatch
    )
    turn.note(part, dispatched)
    return turn.respond([dispatched])


async def _async_hear_again(
    turn: Turn, pending: PendingQuestion, part: Assignment
) -> TurnResult | None:
    """Give the words that were asked for to who asked; None where they are to be routed."""
    agent = turn.assistant.registry.get(pending.agent_id)
    if agent is None or pending.agent_id in UNROUTED_AGENTS:
        turn.clarified = pending.asked
        return None
    await turn.assistant.tasks.async_working(turn.task)
    return turn.respond(await turn.async_dispatch_all([part]))


async def _async_resume(
    turn: Turn, pending: PendingQuestion, part: Assignment, targets: Sequence[str]
) -> TurnResult | None:
    """Let the agent that asked finish; None where it is not there any more."""
    if pending.agent_id == DELAY_AGENT_ID:
        await turn.assistant.tasks.async_working(turn.task)
        return await _async_planned(turn, pending, part, targets)
    if (agent := turn.specialists.get(pending.agent_id)) is None:
        return None
    # From here on the question is not open any more, whatever happens.
    await turn.assistant.tasks.async_working(turn.task)
    dispatched = await async_resume(
        agent, turn.request(part), pending.question, targets, turn.assistant.options.dispatch
    )
    turn.note(part, dispatched)
    return turn.respond([dispatched])


async def _async_planned(
    turn: Turn, pending: PendingQuestion, part: Assignment, targets: Sequence[str] = ()
) -> TurnResult:
    """Plan what is for later, now that what was asked about it is known."""
    dispatched = await turn.delayer.async_answered(turn, part, pending.question, targets)
    turn.note(part, dispatched)
    return turn.respond([dispatched])


def _ask_again(turn: Turn, pending: PendingQuestion) -> TurnResult:
    """Ask the same once more, in other words."""
    keep_question(turn.task, pending)
    text = again(pending, turn.catalog, turn.language)
    return turn.finish(text, (), TaskState.INPUT_REQUIRED)


def _leave(turn: Turn, pending: PendingQuestion, key: str, state: TaskState) -> TurnResult:
    """Say that what was asked about is left as it is."""
    text = turn.language.say(key)
    turn.trace.agents.append(
        {"id": pending.agent_id, "confidence": 1.0, "source": Source.PENDING.value}
    )
    answer = Answer(success=state is TaskState.CANCELED, content=text)
    return turn.finish(text, (answer,), state)


def reference_of(turn: Turn) -> Reference | None:
    """Return what the sentence refers to in the last turns, where that is plain."""
    specialists = {agent.domain: agent_id for agent_id, agent in turn.specialists.items()}
    return resolve(
        turn.user_input.text,
        turn.turns,
        turn.catalog,
        turn.language,
        specialists=specialists,
        doers=dict.fromkeys(direct_actions(), HOME_AGENT_ID),
        area_id=turn.area_id,
        level_of=lambda entity_id: _level(turn.assistant.hass, entity_id),
    )


def _level(hass: HomeAssistant, entity_id: str) -> float | None:
    """Return the level that an entity is moved from, as it shows it; None where it does not."""
    state = hass.states.get(entity_id)
    attribute = level_attribute(entity_id.partition(".")[0])
    level = state.attributes.get(attribute) if state and attribute else None
    return float(level) if isinstance(level, int | float) else None


async def async_refer(turn: Turn, reference: Reference) -> Dispatched:
    """Let a specialist do what the sentence refers to, or say that it cannot be done."""
    if reference.is_refused:
        [refused] = await turn.async_dispatch_all([_refused(turn, reference)])
        return refused
    if _is_barred(turn, str(reference.agent_id)):
        [refused] = await turn.async_dispatch_all([declined(turn.user_input.text)])
        return refused
    part = Assignment(
        agent_id=str(reference.agent_id),
        instruction=turn.user_input.text,
        confidence=1.0,
        source=Source.REFERENCE,
        reason="It refers to what was done before.",
    )
    dispatched = await async_do(
        turn.doer(part.agent_id),
        turn.request(part),
        reference.actions,
        reference.targets,
        turn.assistant.options.dispatch,
    )
    turn.note(part, dispatched)
    return dispatched


def _refused(turn: Turn, reference: Reference) -> Assignment:
    """Return the part that says that what was spoken of cannot do what it is told."""
    names = [turn.catalog.entities[target].name for target in reference.targets]
    return Assignment(
        agent_id=FALLBACK_AGENT_ID,
        instruction=turn.user_input.text,
        confidence=1.0,
        source=Source.REFERENCE,
        reason="What was spoken of cannot do it.",
        decline="plan.cannot",
        words=turn.language.say("plan.cannot", targets=turn.language.join(names)),
    )


async def _async_read_reply(
    pending: PendingQuestion, text: str, request: AgentRequest, *, earlier: Sequence[str]
) -> Reply:
    """Return what a text answers to a question.

    `request` is what the agent that asked would be told; `earlier` are the entity ids that were
    acted on before the question. The model is asked only where the words are not plain and there is
    something to choose from; where it cannot be asked, the answer stays unclear. An answer that
    leaves fewer candidates is asked about at once.
    """
    reply = read_answer(
        text, pending, request.catalog, request.language, area_id=request.area_id, earlier=earlier
    )
    if reply.kind is not ReplyKind.UNCLEAR or reply.possible:
        return reply
    if pending.is_free or request.model is None:
        return reply
    try:
        return await async_ask_which(request.model, text, pending, request.catalog, request.timeout)
    except ModelError as err:
        _LOGGER.warning("The model could not be asked what was answered: %s", err)
        return reply


def _answer_to(pending: PendingQuestion, text: str) -> Assignment:
    """Return what was said as the part of the agent that asked."""
    return Assignment(
        agent_id=pending.agent_id,
        instruction=text,
        confidence=1.0,
        source=Source.PENDING,
        reason="The open question was answered.",
    )

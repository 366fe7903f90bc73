"""A yes with a restriction, to the question whether something is planned: "yes, but only if the window is closed"."""

from dataclasses import replace

from homeassistant.util.ulid import ulid_now

from ..dialogue.answers import read_answer
from ..dialogue.choosing import AnswerKind
from ..memory.pending import PendingQuestion
from ..nlu.recognition import COMMAND_SLOT, PARTS_SLOT, SCHEDULE_SLOT
from ..nlu.replacing import says_only
from ..nlu.tokens import tokenise
from ..routing.models import Assignment
from ..when import MAX_WORDS
from .context import TurnContext
from .decision import READ_SOURCES, async_understand
from .planned_parts import planned_part
from .planned_slots import asked_schedule
from .repeated import agreed_parts
from .stages import FollowUp, FollowUpKind

# So many words may agree, and join what restricts that.
_LONGEST_YES = 5


async def async_read_restricted(
    context: TurnContext, pending: PendingQuestion, part: Assignment
) -> FollowUp | None:
    """Return how it goes on after a yes with a restriction: planned with it, or asked whether without; else None.

    The question may have been stored, and is not trusted.
    """
    question = pending.question
    if not pending.is_to_plan or (said := _restriction(context, pending)) is None:
        return None
    schedule, parts = asked_schedule(question), agreed_parts(question)
    command = str(question.data.get(COMMAND_SLOT))
    is_free = bool(schedule and parts and not schedule.only_if)
    if schedule and is_free and await _async_may_be_so(context, said, command):
        restricted = schedule.model_copy(update={"only_if": said})
        slots = {**question.data, SCHEDULE_SLOT: restricted.as_json(), PARTS_SLOT: parts}
        planned = planned_part(context, slots)
        return FollowUp(FollowUpKind.COMPLETED, planned, pending, parts=(planned,))
    again = pending.asked_again()
    return FollowUp(FollowUpKind.AGAIN, part, again, reply="delayed.unrestricted")


def _restriction(context: TurnContext, pending: PendingQuestion) -> str | None:
    """Return what follows a yes that is only for some cases, from the word for "if" on; None for any other sentence."""
    text, words = context.text, context.language.conditions
    lexicon = context.language.lexicon
    is_yes = False
    for token in tokenise(text)[1 : _LONGEST_YES + 1]:
        before, after = text[: token.start], text[token.start :]
        is_yes = is_yes or _read(context.with_text(before), pending) is AnswerKind.YES
        if is_yes and (words.begins(after) or says_only(after, lexicon)):
            return after.strip(" .!")[:MAX_WORDS]
    return None


def _read(context: TurnContext, pending: PendingQuestion) -> AnswerKind:
    """Return what some words plainly answer to a question."""
    return read_answer(context.text, pending, context.catalog, context.language).kind


async def _async_may_be_so(context: TurnContext, said: str, command: str) -> bool:
    """Return whether a restriction is a condition that can be looked at, whether or not it is met now."""
    if not context.language.conditions.begins(said):
        return False
    user_input = replace(context.user_input, text=f"{said}, {command}", conversation_id=ulid_now())
    route = await async_understand(context.assistant, user_input)
    return all(
        part.topic == "condition" or (part.intent and part.source in READ_SOURCES)
        for part in route.assignments
    )

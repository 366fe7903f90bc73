"""What is said right after a plan that is given up, to be done in its place: "no don't, just put the hall light on"."""

from collections.abc import Iterator

from ..home.names import words_of
from ..memory.delayed import MAX_CHARACTERS
from ..nlu.lexicon import Role
from ..nlu.moments import read_schedule
from ..nlu.reading import read_tags
from ..nlu.recognition import PARTS_SLOT, REPLACED_SLOT, UNREAD_SLOT
from ..nlu.replacing import says_now, without_instead, without_rather
from ..nlu.tokens import tokenise
from .context import TurnContext
from .planned_parts import (
    assigned_plan,
    async_read_plan,
    async_read_request,
    just_planned,
    planned_before,
)
from .planned_slots import Planned
from .stages import Assigned

# So many words may say that nothing is wanted, before what that is.
_LONGEST_OPENING = 5
# Kinds of sentences that take back what was planned.
_TAKING_BACK = frozenset({"drop", "leave", "plan", "strike"})


def after_openings(context: TurnContext, *, is_clear: bool = False) -> Iterator[str]:
    """Yield what of a sentence follows words that only say that nothing is wanted: "no, leave it".

    Where these have to be clear, a mere "no" does not say so: "no, 20 degrees".
    """
    text, language = context.text, context.language
    says_so = language.answers.dismisses if is_clear else language.answers.gives_up
    for token in tokenise(text)[_LONGEST_OPENING:0:-1]:
        said = text[: token.start]
        for opening in dict.fromkeys((said, without_instead(said, language.lexicon))):
            is_back = language.undo.kind_of(opening) == "revoke"
            is_back = is_back or language.delayed.kind_of(opening) in _TAKING_BACK
            if is_back or says_so(words_of(opening)):
                yield text[token.start :]
                break


async def async_read_instead(context: TurnContext) -> Assigned | None:
    """Return a plan with a whole command in the place of its own, where the sentence gives that up first.

    With a time, and "instead", it is a plan in its place.
    """
    command, lexicon = planned_before(context), context.language.lexicon
    other = _in_place(context) if command else None
    timed = read_schedule(other, lexicon, context.assistant.clock, context.house) if other else None
    if command and other and timed and timed.schedule.start:
        slots = await async_read_plan(context, other)
        if slots is None or slots.get(UNREAD_SLOT):
            return None
        return assigned_plan(context, {**slots, REPLACED_SLOT: command.id})
    command = just_planned(context)
    if command is None or command.before or command.is_repeated or says_now(context.text, lexicon):
        return None
    for rest in after_openings(context, is_clear=True):
        text = without_rather(rest, lexicon) or rest
        text = without_instead(text, lexicon) or text
        if context.reading.keeps and not read_tags(text, context.language).begins_with_verb:
            # "Leave the garage door closed" has no command behind "leave".
            continue
        timed = read_schedule(text, lexicon, context.assistant.clock, context.house)
        if timed and timed.schedule.start:
            # It is a plan of its own.
            return None
        if parts := await async_read_request(context, text):
            said = f"{command.text}, {context.text}"[:MAX_CHARACTERS]
            planned = Planned(said, command.schedule, alert=command.alert, replaced=command.id)
            return assigned_plan(context, {**planned.slots, PARTS_SLOT: parts})
    return None


def _in_place(context: TurnContext) -> str | None:
    """Return the sentence without "instead"; None where it does not say that, or is about a time ("antes de sair")."""
    said, lexicon = context.text, context.language.lexicon
    if (other := without_rather(said, lexicon)) is None:
        return None
    words, left = words_of(said), words_of(other)
    begin = next(
        (at for at, (a, b) in enumerate(zip(words, left, strict=False)) if a != b), len(left)
    )
    after = words[begin + len(words) - len(left) :][:1]
    is_linked = any(sense.role is Role.LINK for sense in lexicon.senses(after))
    return None if is_linked and begin else other

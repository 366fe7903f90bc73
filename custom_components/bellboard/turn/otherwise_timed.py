"""When else what was just planned is done: once something happens, or not before what is kept so until then.

"Not at eight, when the washing machine is done", "no, leave it on until midnight".
"""

from collections.abc import Iterator
from itertools import islice

from ..memory.delayed import DelayedCommand
from ..nlu.lexicon import NAMING, Role
from ..nlu.moments import read_schedule
from ..nlu.recognition import PARTS_SLOT, REPLACED_SLOT, UNREAD_SLOT
from ..nlu.replacing import after_denial, contrasted, denies, without_instead, without_rather
from ..nlu.spans import cover_text
from ..nlu.tokens import spoken_words
from ..when import Once, Schedule, Trigger
from .context import TurnContext
from .moved import cut_reasons
from .named_plans import are_contrary, done_by, read_named_plans, ways_said
from .planned_parts import (
    assigned_plan,
    async_read_plan,
    async_read_request,
    just_planned,
    moved_part,
    planned_before,
    targets_of,
)
from .planned_slots import Planned
from .stages import Assigned

_EDGES = " ,;.!"
# In so many ways a sentence is cut.
_MOST_CUTS = 4


async def async_read_rewaited(context: TurnContext) -> Assigned | None:
    """Return what was planned as it waits for what the sentence says instead of a time; None where it says none."""
    command, text = just_planned(context), context.text
    if (
        command is None
        or command.before
        or command.is_repeated
        or command.message
        or command.trigger
    ):
        return None
    if "?" in text or context.language.lexicon.adds(spoken_words(text)):
        return None
    cuts = (each.strip(_EDGES) for each in _conditions(context))
    targets = targets_of(command.parts or await async_read_request(context, command.text))
    for rest in islice(dict.fromkeys(cuts), _MOST_CUTS):
        if not _is_condition(context, rest, command):
            continue
        slots = await async_read_plan(context, f"{command.text} {rest}")
        if slots is None or slots.get(UNREAD_SLOT):
            # The time is not meant any more, and what is cannot be waited for: what is planned stays, and that is told.
            unread = Planned(f"{command.text} {rest}", command.schedule).slots
            return assigned_plan(context, {**unread, UNREAD_SLOT: True})
        start = Planned.of(slots).schedule.start
        is_same = bool(targets) and targets_of(slots.get(PARTS_SLOT) or ()) == targets
        if isinstance(start, Trigger) and not start.repeats and is_same:
            return assigned_plan(context, {**slots, REPLACED_SLOT: command.id})
    return None


def says_otherwise(context: TurnContext) -> bool:
    """Return whether a sentence says when else what was just planned is done: it takes nothing back."""
    command = just_planned(context)
    if command is None or command.before or command.message or command.trigger:
        return False
    cuts = (each.strip(_EDGES) for each in _conditions(context))
    found = islice(dict.fromkeys(cuts), _MOST_CUTS)
    return any(_is_condition(context, rest, command) for rest in found) or bool(read_kept(context))


def _conditions(context: TurnContext) -> Iterator[str]:
    """Yield what of a sentence may be waited for, where it says that something is for another time."""
    text, lexicon = context.text, context.language.lexicon
    plain = without_instead(text, lexicon)
    begun = without_rather(text, lexicon)
    for said in dict.fromkeys((text, plain)):
        yield from contrasted(after_denial(said, lexicon), lexicon)
    if denies(text, lexicon):
        # "A las ocho no, cuando se abra la ventana"
        yield from contrasted(text, lexicon)
    if begun is not None:
        yield without_instead(begun, lexicon)
    if plain != text and not denies(plain, lexicon):
        yield plain


def _is_condition(context: TurnContext, text: str, command: DelayedCommand) -> bool:
    """Return whether a text is nothing but what is waited for, before a command."""
    language = context.language
    said = spoken_words(command.text)
    splits = language.triggers.split(f"{text}, {command.text}", language.lexicon) if text else ()
    return any(spoken_words(each.command) == said for each in splits)


def read_kept(context: TurnContext) -> Assigned | None:
    """Return what was planned for the end of what is kept as it is until then; None for no such sentence.

    What is to go off stays on until the time that is said: "leave it on until midnight" moves it to that.
    """
    command = just_planned(context) or planned_before(context)
    if command is None or command.before or command.message or context.reading.is_question:
        return None
    texts = (context.text, *(said for said, _ in cut_reasons(context)))
    found = (_moved_to_end(context, command, text) for text in texts)
    return next(filter(None, found), None)


def _moved_to_end(context: TurnContext, command: DelayedCommand, text: str) -> Assigned | None:
    """Return a command for the end of what a text keeps the contrary way until then; None for any other text."""
    clock, lexicon = context.assistant.clock, context.language.lexicon
    timed = read_schedule(text, lexicon, clock, context.house)
    if timed is None or timed.is_past or timed.schedule.start or timed.schedule.lasts:
        return None
    start, until = command.schedule.start, timed.schedule.until
    if not isinstance(start, Once) or not isinstance(until, Once) or command.schedule.ends:
        return None
    said = without_instead(timed.command, lexicon)
    if not are_contrary(ways_said(context, said), done_by(command)):
        return None
    spans = cover_text(said, context.house)
    is_named = any(span.has_any(NAMING) and not span.has(Role.VERB) for span in spans)
    named = read_named_plans(context, (command,), said, by_acts=False) if is_named else None
    if is_named and not (named and named.commands):
        return None
    return Assigned((moved_part(context, command, Schedule(start=until)),))

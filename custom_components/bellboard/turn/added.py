"""What a sentence adds to the plan before it: "and the lamp at ten", "off again at eleven", "and the music, too"."""

from functools import partial

from homeassistant.util import dt as dt_util

from ..dialogue.references import MAX_AGE
from ..memory.delayed import Alert
from ..nlu.lexicon import NAMING, Role
from ..nlu.moment_changes import change_schedule, read_change
from ..nlu.moments import read_schedule
from ..nlu.reading import read_tags
from ..nlu.recognition import PARTS_SLOT
from ..nlu.replacing import says_now, without_instead, without_rather, without_then
from ..nlu.spans import cover_text
from ..nlu.tokens import spoken_words
from ..routing.router import declined
from .context import TurnContext
from .planned_parts import assigned_plan, async_parts, async_read_request, just_planned, targets_of
from .planned_slots import Planned
from .stages import Assigned

# What says what is to be done.
_DOING = frozenset({Role.VERB, Role.STATE, Role.MOVE})
# "Let me know", and with "as well".
_SHORT, _LONGEST_TELLING = 3, 6
# What is put on a list is for now, unless it is said to be for then.
_LISTS = "todo."


async def async_read_added(context: TurnContext) -> Assigned | None:
    """Return what was just planned for what the sentence adds to it: "and the floor lamp at ten", "and tell me, too".

    It is for the same time where none is said.
    """
    command, language = just_planned(context), context.language
    words = spoken_words(context.text)
    if command is None or command.before or not language.lexicon.adds(words):
        return None
    if without_rather(context.text, language.lexicon) is not None:
        # "And rather the lamp" is for that alone.
        return None
    if command.trigger and _only_tells(context):
        told = Planned(context.text, command.schedule, command.trigger.text, alert=Alert.TELL)
        return assigned_plan(context, told.slots)
    clock = context.assistant.clock
    timed = read_schedule(context.text, language.lexicon, clock, context.house)
    if timed and (timed.is_past or timed.schedule.start is None):
        return None
    added = timed.command if timed else context.text
    schedule = command.schedule
    if timed:
        said = read_change(context.text.replace(added, ""), language.lexicon)
        schedule = (said and change_schedule(schedule, said, clock)) or timed.schedule
    reader = context.assistant.reader
    joining = next(iter(language.lexicon.delays.joining))
    # "And the floor lamp, at the same time", "and then the floor lamp"
    plain = without_then(added, language.lexicon) or added
    plainly = f"{joining} {without_instead(added, language.lexicon)}"
    for text in dict.fromkeys((added, plain, plainly)):
        parts = await async_parts(context, partial(reader.async_more, said=command.text, text=text))
        if parts:
            break
    else:
        return None
    slots = Planned(context.text, schedule).slots
    return assigned_plan(context, {**slots, PARTS_SLOT: parts})


async def async_read_then(context: TurnContext) -> Assigned | None:
    """Return what is to become later of what was just planned: "and off again at ten", "turn it off at ten".

    It is read after the command of the plan, and is what both come to without that.
    """
    command, language = just_planned(context), context.language
    if command is None or command.before or not command.parts:
        return None
    clock, lexicon = context.assistant.clock, language.lexicon
    timed = read_schedule(context.text, lexicon, clock, context.house, before=command.schedule)
    if timed is None or timed.is_past or timed.schedule.start is None:
        return None
    spans = cover_text(timed.command, context.house)
    is_done = any(span.has_any(_DOING) for span in spans)
    if not is_done or any(span.has_any(NAMING) for span in spans):
        return None
    joint = "" if lexicon.adds(spoken_words(timed.command)) else next(iter(lexicon.delays.joining))
    whole = " ".join(filter(None, (command.text, joint, timed.command)))
    parts = await async_read_request(context, whole)
    first, after = parts[: len(command.parts)], parts[len(command.parts) :]
    if not after or targets_of(first) != targets_of(command.parts):
        return None
    slots = Planned(context.text, timed.schedule).slots
    return assigned_plan(context, {**slots, PARTS_SLOT: after})


def _only_tells(context: TurnContext) -> bool:
    """Return whether a sentence adds nothing but that somebody is to be told."""
    _, _, rest = context.text.strip().partition(" ")
    words, language = spoken_words(rest), context.language
    is_short = len(words) <= _SHORT or language.lexicon.adds(words)
    return is_short and len(words) <= _LONGEST_TELLING and language.triggers.tells(rest)


async def async_read_joined(context: TurnContext) -> Assigned | None:
    """Return a whole command for the time of the plan before, where words join it to that: "and stop the music, too".

    What names what the plan is for, too, or is said to be for now, is no addition.
    """
    command, lexicon = just_planned(context), context.language.lexicon
    plain = without_then(context.text, lexicon)
    text = context.text if plain is None else plain
    words, reading = spoken_words(text), read_tags(text, context.language)
    is_joined = plain is not None or lexicon.says_also(words)
    if command is None or command.before or says_now(context.text, lexicon):
        return None
    if not (is_joined or (command.parts and lexicon.adds(words))):
        return None
    if reading.is_deferred or reading.is_question or reading.asks_to_be_told or reading.refers:
        return None
    parts = await async_read_request(context, text, plays=True)
    wanted = targets_of(parts)
    is_clear = wanted and all(part.action.targets for part in parts)
    if not is_clear or wanted & targets_of(command.parts):
        return None
    if plain is None and any(target.startswith(_LISTS) for target in wanted):
        return None
    slots = Planned(context.text, command.schedule).slots
    return assigned_plan(context, {**slots, PARTS_SLOT: parts})


def read_added_to_nothing(context: TurnContext) -> Assigned | None:
    """Return that nothing is planned of what is added to a plan that was not made: "and the lamp then, too".

    It is not for now, and the time that it is for was not understood.
    """
    text, lexicon = context.text, context.language.lexicon
    words, now = spoken_words(text), dt_util.utcnow()
    is_then = without_then(text, lexicon) is not None and lexicon.adds(words)
    if not (is_then or lexicon.says_also(words)) or says_now(text, lexicon):
        return None
    for turn in reversed(context.turns):
        if not turn.failed or not turn.said or turn.age(now) > MAX_AGE:
            return None
        if read_tags(turn.said, context.language).is_deferred:
            return Assigned((declined(text, "decline.later", "It adds to what is not planned."),))
    return None

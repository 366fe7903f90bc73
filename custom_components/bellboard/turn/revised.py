"""What is said of a plan right after it: another time for it, or for another thing the same command."""

from collections.abc import Mapping, Sequence, Set as AbstractSet
from typing import Any

from homeassistant.util import dt as dt_util

from ..dialogue.approving import approves
from ..dialogue.references import MAX_AGE
from ..memory.delayed import MAX_CHARACTERS, AboutKind, Alert, DelayedCommand, DelayedPart
from ..memory.pending import PendingQuestion
from ..nlu.lexicon import NAMING, Role
from ..nlu.moment_changes import TimeChange, change_schedule, read_change, without_days
from ..nlu.moments import read_schedule
from ..nlu.narrowing import named_instead
from ..nlu.reading import read_tags
from ..nlu.recognition import (
    ALERT_SLOT,
    COMMAND_SLOT,
    MESSAGE_SLOT,
    PARTS_SLOT,
    REPLACED_SLOT,
    SCHEDULE_SLOT,
    UNREAD_SLOT,
)
from ..nlu.replacing import (
    after_denial,
    contrasted,
    contrasted_numbers,
    denies,
    numbers_in,
    without_instead,
    without_rather,
)
from ..nlu.spans import cover_text
from ..nlu.tokens import spoken_words
from ..routing.models import Assignment
from ..when import Repeated, Schedule, Trigger
from .added import async_read_added, async_read_joined, async_read_then, read_added_to_nothing
from .context import TurnContext
from .given_up import async_read_instead
from .hastened import async_read_hastened
from .moved import changed_schedule, read_moved, values_of
from .named_plans import asked_when, awaited_otherwise, own_plans, read_named_plans
from .narrowed import narrowed_parts, narrowed_plan, only_for
from .otherwise_timed import async_read_rewaited, read_kept
from .planned import async_read_about_planned
from .planned_parts import (
    assigned_plan,
    async_parts,
    async_read_plan,
    async_read_request,
    just_planned,
    moved_part,
    planned_before,
    planned_part,
    targets_of,
)
from .planned_slots import Planned, asked_schedule
from .repeated import agreed_parts
from .stages import Assigned

# Kinds of sentences that take something back.
_DROPPING = frozenset({"cancel", "drop", "leave"})
# Kinds of sentences that take back one thing of several.
_LESSENING = frozenset({"cancel", "drop", "dont", "leave"})
# What says what is to be done.
_DOING = frozenset({Role.VERB, Role.STATE, Role.MOVE})
# "Let me know", and with "as well".
_SHORT, _LONGEST_TELLING = 3, 6


async def async_read_revised(context: TurnContext) -> Assigned | None:
    """Return what the sentence makes of the plan before: another time or command for it, or one more for its time."""
    is_struck = context.language.delayed.kind_of(context.text) == "strike"
    if is_struck or awaited_otherwise(context) or asked_when(context):
        return None
    if days_off := await _async_read_days_off(context):
        return days_off
    if narrowed := narrowed_plan(context):
        return _with_parts(context, *narrowed) if narrowed[1] else None
    return (
        await async_read_rewaited(context)
        or read_moved(context)
        or read_kept(context)
        or await async_read_hastened(context)
        or await _async_read_exchanged(context)
        or await async_read_instead(context)
        or await _async_read_lessened(context)
        or await async_read_added(context)
        or await async_read_then(context)
        or await _async_read_past_again(context)
        or await _async_read_referred(context)
        or await _async_read_corrected(context)
        or await async_read_joined(context)
        or read_added_to_nothing(context)
    )


async def _async_read_days_off(context: TurnContext) -> Assigned | None:
    """Return what repeats without the days that a sentence takes back: "leave it off at weekends"."""
    command = just_planned(context) or planned_before(context)
    if command is None or not command.is_repeated:
        return None
    text, days = without_days(context.text, context.language.lexicon)
    said, clock = TimeChange(except_on=days), context.assistant.clock
    schedule = change_schedule(command.schedule, said, clock) if days else None
    if schedule is None or schedule == command.schedule:
        return None
    for each in (text, context.text):
        about = await async_read_about_planned(context.with_text(each))
        if about and about.kind is AboutKind.CANCEL and about.commands == (command,):
            break
    else:
        return None
    return Assigned((moved_part(context, command, schedule),))


async def async_read_revised_question(
    context: TurnContext, pending: PendingQuestion
) -> Assignment | None:
    """Return the plan that is asked about with the time or the command that is said instead; None where none is.

    The question may have been stored, and is not trusted. Of two times nobody knows which is meant.
    """
    question = pending.question
    if not pending.is_to_plan or (schedule := asked_schedule(question)) is None:
        return None
    said = str(question.data.get(COMMAND_SLOT))
    parts = agreed_parts(question)
    if other := await _async_other_number(context, schedule, parts or ()):
        return other
    wakes = question.data.get(ALERT_SLOT) == Alert.WAKE
    if changed := changed_schedule(context, schedule, said, parts or (), wakes=wakes):
        slots = {**question.data, SCHEDULE_SLOT: changed.as_json(), PARTS_SLOT: parts}
        return planned_part(context, slots)
    if not parts or question.data.get(MESSAGE_SLOT):
        return None
    if left := narrowed_parts(context, parts):
        return planned_part(context, {**question.data, PARTS_SLOT: left})
    if not _corrects(context):
        return None
    corrected = await _async_corrected(context, said, parts)
    text = f"{said}, {context.text}"[:MAX_CHARACTERS]
    slots = {**question.data, COMMAND_SLOT: text, PARTS_SLOT: tuple(corrected)}
    return planned_part(context, slots) if corrected else None


def without_same_time(context: TurnContext, pending: PendingQuestion) -> TurnContext:
    """Return the context of an answer without the time that is asked about: "yes, every weekday, leave it like that".

    A context as it is where that is no yes besides.
    """
    schedule = asked_schedule(pending.question) if pending.is_to_plan else None
    if schedule is None or approves(context.text, pending, context.catalog, context.language):
        return context
    pieces = [each.strip() for each in context.text.split(",")]
    left = [
        each
        for each in pieces
        if changed_schedule(context.with_text(each), schedule, "", (), wakes=False) != schedule
    ]
    plain = ", ".join(left)
    is_yes = 0 < len(left) < len(pieces) and approves(
        plain, pending, context.catalog, context.language
    )
    return context.with_text(plain) if is_yes else context


def _corrects(context: TurnContext) -> bool:
    """Return whether words say that something is meant instead of what is asked about, and not only yes or no."""
    text, lexicon = context.text, context.language.lexicon
    plain = without_instead(text, lexicon)
    is_begun = plain != text or denies(text, lexicon)
    return bool(plain) and is_begun and not lexicon.adds(spoken_words(plain))


async def _async_read_lessened(context: TurnContext) -> Assigned | None:
    """Return a plan for several things without those that the sentence takes back: "forget the television"."""
    own = own_plans(context)
    if not own.commands:
        return None
    taken_back = list(context.language.withdrawing.rest_of(context.text))
    for kind, rest in taken_back:
        commands = own.spoken if kind == "leave" else own.commands
        named = read_named_plans(context, commands, rest) if kind in _LESSENING else None
        if not (named and named.is_part and named.is_plain and len(named.commands) == 1):
            continue
        [command] = named.commands
        if isinstance(command.schedule.start, Repeated) or command.before:
            continue
        if (left := await _async_left(context, command, named.things)) is not None:
            return _with_parts(context, command, left)
    return None


async def _async_left(
    context: TurnContext, command: DelayedCommand, denied: AbstractSet[str]
) -> tuple[DelayedPart, ...] | None:
    """Return the parts of a command without some of its things; None where none of these, or nothing else, is in it."""
    parts = command.parts or await async_read_request(context, command.text)
    targets = targets_of(parts)
    left = tuple(each for part in parts if (each := only_for(part, targets - denied)))
    return left if left and targets_of(left) < targets else None


def _with_parts(
    context: TurnContext, command: DelayedCommand, parts: Sequence[DelayedPart]
) -> Assigned:
    """Return a plan in the place of another, with some of its parts."""
    planned = Planned(command.text, command.schedule, alert=command.alert, replaced=command.id)
    return assigned_plan(context, {**planned.slots, PARTS_SLOT: tuple(parts)})


async def _async_read_exchanged(context: TurnContext) -> Assigned | None:
    """Return a plan with another command in the place of one of its parts: "forget the heating, do the fan instead"."""
    commands, language = own_plans(context).spoken, context.language
    plain = without_rather(context.text, language.lexicon) if commands else None
    for kind, rest in language.withdrawing.rest_of(plain) if plain else ():
        denied, wanted = _before_command(context, rest)
        named = (
            read_named_plans(context, commands, denied) if kind in _LESSENING and wanted else None
        )
        if not (named and named.is_plain and len(named.commands) == 1):
            continue
        [command] = named.commands
        if isinstance(command.schedule.start, Repeated) or command.before:
            continue
        left = await _async_left(context, command, named.things) if named.is_part else ()
        parts = await async_read_request(context, wanted)
        if left is None:
            continue
        if not parts:
            # For then it is not understood, and for now it is not wanted.
            slots = Planned(wanted, command.schedule).slots
            return assigned_plan(context, {**slots, UNREAD_SLOT: True})
        text = f"{command.text}, {context.text}"[:MAX_CHARACTERS]
        planned = Planned(text, command.schedule, alert=command.alert, replaced=command.id)
        return assigned_plan(context, {**planned.slots, PARTS_SLOT: (*left, *parts)})
    return None


def _before_command(context: TurnContext, text: str) -> tuple[str, str]:
    """Return what a text names before its first verb, and the command from there on; "" for no such command."""
    spans = cover_text(text, context.house)
    begin = next((at for at, span in enumerate(spans) if span.has_any(NAMING)), len(spans))
    for span in spans[begin + 1 :]:
        if span.has(Role.VERB) and not span.has_any(NAMING):
            return text[: span.start].strip(" ,.;"), text[span.start :]
    return text, ""


async def _async_read_past_again(context: TurnContext) -> Assigned | None:
    """Return what was refused since its time was over, planned for the time that is said instead: "then tomorrow"."""
    turn = context.turns[-1] if context.turns else None
    if turn is None or not turn.failed or not turn.said or turn.age(dt_util.utcnow()) > MAX_AGE:
        return None
    clock, lexicon = context.assistant.clock, context.language.lexicon
    if read_change(context.text, lexicon) is None:
        return None
    before = read_schedule(turn.said, lexicon, clock, context.house)
    said = before and before.is_past and read_change(context.text, lexicon, before.command)
    schedule = said and before and change_schedule(before.schedule, said, clock)
    if not before or not schedule:
        return None

    parts = await async_read_request(context, before.command)
    if not parts:
        return None
    slots = Planned(before.command, schedule).slots
    return assigned_plan(context, {**slots, PARTS_SLOT: parts})


async def _async_read_corrected(context: TurnContext) -> Assigned | None:
    """Return the plan in the place of the one that was just made, where the sentence corrects its command.

    "No, the reading lamp", "the reading lamp instead", "to 20", "not the floor lamp". The time stays.
    """
    command = just_planned(context)
    if command and (
        other := await _async_other_number(context, command.schedule, command.parts, command.id)
    ):
        return Assigned((other,))
    if command is None or command.before or command.message or command.spoken or not command.parts:
        return None
    parts = await _async_corrected(context, command.text, command.parts)
    if not parts:
        return None
    text = f"{command.text}, {context.text}"[:MAX_CHARACTERS]
    planned = Planned(text, command.schedule, alert=command.alert, replaced=command.id)
    return assigned_plan(context, {**planned.slots, PARTS_SLOT: tuple(parts)})


async def _async_read_referred(context: TurnContext) -> Assigned | None:
    """Return the plan with a value for what it is for, where the sentence says that by a pronoun: "make it blue".

    What it sets beside that stays.
    """
    command, reader = just_planned(context), context.assistant.reader
    if command is None or command.before or not command.parts or context.reading.is_question:
        return None
    plain = without_rather(context.text, context.language.lexicon) or context.text
    spoken = tuple(targets_of(command.parts))
    parts = await async_parts(context, lambda request: reader.async_refer(request, plain, spoken))
    set_to = {name for part in parts for name in part.action.parameters}
    if targets_of(parts) != {*spoken} or not all(part.action.parameters for part in parts):
        return None
    left = [
        part
        for part in command.parts
        if part.action.parameters and set_to.isdisjoint(part.action.parameters)
    ]
    text = f"{command.text}, {context.text}"[:MAX_CHARACTERS]
    planned = Planned(text, command.schedule, alert=command.alert, replaced=command.id)
    return assigned_plan(context, {**planned.slots, PARTS_SLOT: (*left, *parts)})


async def _async_corrected(
    context: TurnContext, command: str, planned: Sequence[DelayedPart]
) -> Sequence[DelayedPart]:
    """Return the `planned` parts of a command as the sentence corrects it; () where it does not."""
    said, language = context.text, context.language
    kinds = {kind for kind, _ in language.withdrawing.rest_of(said)}
    plain = without_instead(said, language.lexicon)
    # "No, the lamp" is a correction, and "no la lámpara" a denial.
    first, comma, _ = said.partition(",")
    is_no = bool(comma) and len(first.split()) == 1
    begins = (after_denial(each, language.lexicon) for each in (said, plain) if not is_no)
    denied = next(filter(None, begins), "")
    is_kept = any(read_tags(each, language).keeps for each in (plain, denied))
    is_dropped = kinds & _DROPPING or is_kept
    if is_dropped or ("dont" in kinds and not (is_no or denied)):
        return ()
    is_begun = plain != said or denies(said, language.lexicon)
    before = targets_of(planned)
    adds = (
        language.lexicon.adds(spoken_words(said)) and without_rather(said, language.lexicon) is None
    )
    contrasts = contrasted(denied, language.lexicon) if denied else []
    if other := named_instead(denied, context.house):
        contrasts.append(without_instead(other, language.lexicon))
    numbers = contrasted_numbers(said, language.lexicon)
    if replaced := numbers & values_of(planned):
        contrasts = [str(number) for number in numbers - replaced]
    texts = (
        *((each, True) for each in contrasts),
        (said, False),
        (plain, is_begun),
        (denied, True),
    )
    for text, begun in dict.fromkeys(texts):
        parts = await _async_read_correction(context, command, text, is_begun=begun)
        if not parts and text in contrasts:
            parts = await async_read_request(context, text)
        wanted = targets_of(parts)
        if denied and denied == text and wanted and wanted < before:
            return [each for part in planned if (each := only_for(part, before - wanted))]
        is_other = bool(replaced) or wanted.isdisjoint(before)
        is_added = adds and is_other and not replaced
        is_clear = not denied or (denied != text and is_other)
        if wanted and is_clear and not is_added and _done(parts) != _done(planned):
            return parts
    return ()


async def _async_other_number(
    context: TurnContext, schedule: Schedule, parts: Sequence[DelayedPart], replaced: str = ""
) -> Assignment | None:
    """Return the plan that waits for another number, where the sentence says that: "no, only above 1200".

    The sentence before is read with that. `replaced` is the id of the plan that it is made instead of.
    """
    lexicon, before = context.language.lexicon, context.turns[-1].said if context.turns else ""
    if not isinstance(schedule.start, Trigger):
        return None
    old, said = numbers_in(schedule.start.text, lexicon), numbers_in(context.text, lexicon)
    if len(old) != 1:
        return None
    there = [each for each in numbers_in(before, lexicon) if each.value == old[0].value]
    new = [each for each in said if each.value != old[0].value]
    if len(there) != 1 or len(new) != 1 or len(said) > 2 or (len(said) == 1 and values_of(parts)):
        return None
    spans = [span for span in cover_text(context.text, context.house) if not span.is_mark]
    if any(span.has_any(NAMING | {Role.VERB}) or not span.senses for span in spans):
        return None
    number = context.text[new[0].start : new[0].end]
    text = f"{before[: there[0].start]}{number}{before[there[0].end :]}"
    slots = await async_read_plan(context, text)
    return planned_part(context, {**slots, REPLACED_SLOT: replaced}) if slots else None


def _done(parts: Sequence[DelayedPart]) -> list[tuple[str, Mapping[str, Any], tuple[str, ...]]]:
    """Return what parts of a command do to what."""
    return [(part.action.name, part.action.parameters, part.action.targets) for part in parts]


async def _async_read_correction(
    context: TurnContext, command: str, text: str, *, is_begun: bool
) -> tuple[DelayedPart, ...]:
    """Return the parts of a command for later as a text corrects it, with or without words that say that it does."""
    spans = cover_text(text, context.house)
    if not spans or (is_begun and any(span.has_any(_DOING) for span in spans)):
        # "Please turn on the lamp" is for now.
        return ()
    reader = context.assistant.reader
    return await async_parts(
        context,
        lambda request: reader.async_correct(request, command, text, is_begun=is_begun),
    )

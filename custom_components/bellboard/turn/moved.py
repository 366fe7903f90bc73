"""Another time for a plan that is spoken of, or that a sentence names: "an hour later", "move the lamp to nine"."""

from collections.abc import Iterator, Sequence
from itertools import islice
import re

from ..memory.delayed import Alert, DelayedCommand, DelayedPart
from ..nlu.lexicon import NAMING, Lexicon, Role
from ..nlu.moment_changes import (
    TimeChange,
    added_days,
    besides_change,
    change_schedule,
    days_moved,
    is_hour_of,
    read_change,
    without_days,
)
from ..nlu.moments import heard_times
from ..nlu.reading import read_tags
from ..nlu.remarks import after_statements, before_statements, opens_remark
from ..nlu.replacing import (
    after_waiting,
    changes_nothing,
    contrasted_numbers,
    denies,
    says_all,
    without_rather,
)
from ..nlu.spans import cover_text
from ..nlu.tokens import spoken_words
from ..when import Once, Repeated, Schedule
from .context import TurnContext
from .named_plans import own_plans, read_named_plans
from .planned_parts import just_planned, moved_part, planned_before
from .stages import Assigned

# A word that only is one of a name names nothing: "dinner".
_NAMES = NAMING - {Role.NAME_WORD}
_EDGES = " ,;.!"
_MARK = re.compile("[,;.!]")
# So many places are looked at where a reason may begin, and so many words it has.
_MOST_REASONS, _LEAST_OF_REASON = 6, 2
# Words beside the day, where it is told which one is today.
_MOST_OF_DAY = 5
# In characters: what is longer is no time with a reason.
_LONGEST = 200


def read_moved(context: TurnContext) -> Assigned | None:
    """Return the plan in the place of the one that was just made, where the sentence says another time for it."""
    command = just_planned(context) or planned_before(context)
    if command:
        context = _without_reason(context)
    text = _after_waiting(context, command)
    is_named = is_by_days = False
    if named := _named_to_move(context):
        (command, text, is_by_days), is_named = named, True
    if command is None:
        return None
    commands = [command]
    if says_all(context.text, context.language.lexicon):
        commands = [each for each in own_plans(context).commands if _goes_with(each, command)]
    found = []
    for each in commands:
        # What a reminder is about is set to no value.
        said, wakes = "" if each.message else each.said or each.text, each.alert is Alert.WAKE
        schedule = changed_schedule(
            context.with_text(text),
            each.schedule,
            said,
            each.parts,
            wakes=wakes,
            is_named=is_named,
            is_by_days=is_by_days,
        )
        if schedule is None:
            return None
        found.append(moved_part(context, each, schedule))
    return Assigned(tuple(found))


def _without_reason(context: TurnContext) -> TurnContext:
    """Return the context of another time for a plan without why: "make it half past, the match runs on"."""
    text, lexicon = context.text, context.language.lexicon
    if len(text) > _LONGEST:
        return context
    for said, rest in cut_reasons(context):
        if _tells_day(context, rest) and (before := read_change(said, lexicon)):
            return context.with_text(said) if before.moment.clock else context
    if read_change(text, lexicon):
        return context
    for said, rest in cut_reasons(context):
        is_marked = text[len(said) :].lstrip()[:1] in {*",;.!"}
        is_told = _is_reason(context.with_text(rest)) or (is_marked and tells_of_day(context, rest))
        if is_told and read_change(said, lexicon) and (is_marked or not _lends_day(said, lexicon)):
            return context.with_text(said)
    for told, rest in islice(after_statements(text, context.language), _MOST_REASONS):
        if _is_told(context, told) and read_change(rest, lexicon):
            return context.with_text(rest)
    return context


def _lends_day(text: str, lexicon: Lexicon) -> bool:
    """Return whether a day behind a time and a mark may begin a reason: "at nine, tomorrow they ..."."""
    mark = next(reversed(list(_MARK.finditer(text))), None)
    change = read_change(text[mark.end() :], lexicon) if mark else None
    is_day = bool(change and change.moment.day and not change.moment.clock)
    return is_day and mark is not None and read_change(text[: mark.start()], lexicon) is not None


def _tells_day(context: TurnContext, text: str) -> bool:
    """Return whether words only tell which day today or tomorrow is: "it's Friday, after all".

    That is no other day for what is planned.
    """
    lexicon, today = context.language.lexicon, context.assistant.clock.now.weekday()
    left, days = without_days(text, lexicon)
    words = spoken_words(left)
    is_told = any(lexicon.is_copula((word,)) for word in words) and len(words) <= _MOST_OF_DAY
    changes = (read_change(word, lexicon) for word in spoken_words(text) if word not in words)
    ahead = {each.moment.day.ahead for each in changes if each and each.moment.day}
    return is_told and days == {(today + (1 in ahead)) % 7}


def tells_of_day(context: TurnContext, text: str) -> bool:
    """Return whether words tell what is on another day, and name nothing: "tomorrow they have school"."""
    lexicon = context.language.lexicon
    left, _ = without_days(text, lexicon)
    words = spoken_words(left)
    if not _LEAST_OF_REASON <= len(words) < len(spoken_words(text)):
        return False
    if read_change(text, lexicon) or lexicon.adds(words) or denies(text, lexicon) or "?" in text:
        return False
    is_named = any(span.has_any(_NAMES) for span in cover_text(left, context.house))
    is_asked = read_tags(left, context.language).begins_with_verb
    heard = heard_times(left, context.assistant.clock, context.house)
    return heard.is_empty and not is_named and not is_asked and changes_nothing(left, lexicon)


def cut_reasons(context: TurnContext) -> Iterator[tuple[str, str]]:
    """Yield what of a sentence stands before what may only tell why, and that."""
    text = context.text
    before = (text[: each.start()] for each in _MARK.finditer(text))
    for said in islice((*before, *before_statements(text, context.house)), _MOST_REASONS):
        yield said, text.removeprefix(said).strip(_EDGES)


def _is_told(context: TurnContext, text: str) -> bool:
    """Return whether words before another time only tell something: "I'm off tomorrow, make it nine"."""
    pieces = [each for piece in _MARK.split(text) if (each := piece.strip(_EDGES))]
    return all(_tells(context, each) for each in pieces)


def _tells(context: TurnContext, text: str) -> bool:
    """Return whether words between marks only tell something, or begin to speak: "hang on"."""
    lexicon, words = context.language.lexicon, spoken_words(text)
    if opens_remark(text, context.house):
        return True
    if lexicon.remarks.statement_at(words) and not lexicon.opens_wish(words):
        return read_change(text, lexicon) is None
    is_named = any(span.has_any(_NAMES) for span in cover_text(text, context.house))
    return not is_named and read_change(text, lexicon) is None


def _is_reason(context: TurnContext) -> bool:
    """Return whether a sentence only tells something: it asks for nothing, and says no time and nothing to be added.

    What begins as a reason does may say when that is, and what is not so: "the kids aren't up before ten on Sundays".
    """
    text, lexicon = context.text, context.language.lexicon
    words, reading = spoken_words(text), read_tags(text, context.language)
    if len(words) < _LEAST_OF_REASON or reading.begins_with_verb or "?" in text:
        return False
    if lexicon.adds(words[:1]) or without_rather(text, lexicon) is not None:
        return False
    if opens_remark(text, context.house):
        return True
    if reading.is_question:
        return False
    is_timeless = heard_times(text, context.assistant.clock, context.house).is_empty
    is_other = lexicon.adds(words) or denies(text, lexicon)
    return is_timeless and not is_other and changes_nothing(text, lexicon)


def _after_waiting(context: TurnContext, command: DelayedCommand | None) -> str:
    """Return a sentence without that a plan's trigger is not waited for, which may be named: "don't wait for it"."""
    if command is None or command.trigger is None:
        return context.text
    for awaited, rest in after_waiting(context.text, context.language.lexicon):
        spans = cover_text(awaited, context.house)
        senses = (sense for span in spans for sense in span.senses)
        named = {sense.value.entity_id for sense in senses if sense.role is Role.NAME}
        if named <= {*command.trigger.entity_ids} and read_change(rest, context.language.lexicon):
            return rest
    return context.text


def _named_to_move(context: TurnContext) -> tuple[DelayedCommand, str, bool] | None:
    """Return the plan that a sentence names and moves, with the rest of it: "move the lamp to nine", "the weekday one".

    Beside that, whether it is named by its days.
    """
    own, lexicon = own_plans(context).commands, context.language.lexicon
    split = besides_change(context.text, lexicon) if own else None
    if split is None:
        return None
    name, rest = split
    if on_days := _only_on(own, days_moved(rest, lexicon)):
        return on_days, rest, True
    named = read_named_plans(context, own, name) if name else None
    if named is None or not named.has_things or named.acts or len(named.commands) != 1:
        return None
    return named.commands[0], rest, False


def _only_on(commands: Sequence[DelayedCommand], days: Sequence[int]) -> DelayedCommand | None:
    """Return the only one of some commands that repeats on just some days, None for no days."""
    starts = ((command, command.schedule.start) for command in commands if days)
    on_days = [
        command
        for command, start in starts
        if isinstance(start, Repeated) and start.weekdays == tuple(days)
    ]
    return on_days[0] if len(on_days) == 1 else None


def _goes_with(command: DelayedCommand, spoken: DelayedCommand) -> bool:
    """Return whether a command is the one that was spoken of, or was planned once in the same conversation."""
    is_here = command.conversation_id == spoken.conversation_id
    return command == spoken or (is_here and isinstance(command.schedule.start, Once))


def changed_schedule(
    context: TurnContext,
    schedule: Schedule,
    command: str,
    parts: Sequence[DelayedPart],
    *,
    wakes: bool,
    is_named: bool = False,
    is_by_days: bool = False,
) -> Schedule | None:
    """Return a schedule of a command with the time that the sentence says, None where it says none or more.

    Of a thing that `is_named` a number alone is no time: it may be a value. Days that it is named by are none of it.

    "Not fifteen but sixteen" is for what is fifteen: a value of the command, or its time.
    """
    clock = context.assistant.clock
    if numbers := contrasted_numbers(context.text, context.language.lexicon):
        if numbers & values_of(parts) or not is_hour_of(schedule, numbers, clock):
            return None
        command = ""
    is_delay = isinstance(schedule.start, Once) and schedule.start.seconds is not None

    adds = context.language.lexicon.says_also(spoken_words(context.text))

    def changed(said: TimeChange) -> Schedule | None:
        said = said.without_days if is_by_days else said
        said = added_days(schedule, said) if adds else said
        return change_schedule(schedule, said, clock, wakes=wakes)

    said = read_change(
        context.text,
        context.language.lexicon,
        command,
        is_long=is_delay or schedule.lasts is not None,
        may_be_bare=is_by_days
        or (not is_named and (context.focus.just_planned or not context.focus.ids)),
        is_old=lambda said: changed(said) == schedule,
    )
    return changed(said) if said else None


def values_of(parts: Sequence[DelayedPart]) -> set[float]:
    """Return the numbers that parts of a command set something to."""
    values = (value for part in parts for value in part.action.parameters.values())
    return {each for each in values if isinstance(each, int | float)}

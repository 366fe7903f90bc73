"""Another time for a plan that is spoken of, or that a sentence names: "an hour later", "move the lamp to nine"."""

from collections.abc import Sequence
from itertools import islice
import re

from ..memory.delayed import Alert, DelayedCommand, DelayedPart
from ..nlu.lexicon import Role
from ..nlu.moment_changes import (
    TimeChange,
    added_days,
    besides_change,
    change_schedule,
    days_moved,
    is_hour_of,
    read_change,
)
from ..nlu.moments import heard_times
from ..nlu.remarks import before_statements
from ..nlu.replacing import after_waiting, changes_nothing, contrasted_numbers, denies, says_all
from ..nlu.spans import cover_text
from ..nlu.tokens import spoken_words
from ..when import Once, Repeated, Schedule
from .context import TurnContext
from .named_plans import own_plans, read_named_plans
from .planned_parts import just_planned, moved_part, planned_before
from .stages import Assigned

_EDGES = " ,;.!"
_MARK = re.compile("[,;.!]")
# So many places are looked at where a reason may begin, and so many words it has.
_MOST_REASONS, _LEAST_OF_REASON = 6, 2
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
        said, wakes = each.said or each.text, each.alert is Alert.WAKE
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
    if len(text) > _LONGEST or read_change(text, lexicon):
        return context
    before = (text[: each.start()] for each in _MARK.finditer(text))
    for said in islice((*before, *before_statements(text, context.house)), _MOST_REASONS):
        rest = context.with_text(text.removeprefix(said).strip(_EDGES))
        if read_change(said, lexicon) and _is_reason(rest):
            return context.with_text(said)
    return context


def _is_reason(context: TurnContext) -> bool:
    """Return whether a sentence only tells something: it asks for nothing, and says no time and nothing to be added."""
    text, lexicon = context.text, context.language.lexicon
    words = spoken_words(text)
    return (
        len(words) >= _LEAST_OF_REASON
        and not context.reading.begins_with_verb
        and not context.reading.is_question
        and not lexicon.adds(words)
        and not denies(text, lexicon)
        and heard_times(text, context.assistant.clock, context.house).is_empty
        and changes_nothing(text, lexicon)
    )


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

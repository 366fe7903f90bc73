"""What is said of a plan right after it: another time for it, or for another thing the same command."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ..const import DELAY_AGENT_ID
from ..domains.models import Command
from ..memory.delayed import Alert, DelayedCommand
from ..memory.pending import PendingQuestion
from ..nlu.moment_changes import change_schedule, read_change
from ..nlu.moments import read_schedule
from ..nlu.recognition import ALERT_SLOT, COMMAND_SLOT, PARTS_SLOT, SCHEDULE_SLOT, START_TIMER
from ..nlu.tokens import spoken_words
from ..plans.models import CONFIRM
from ..routing.models import Assignment, Source
from ..routing.router import RoutedPart, RoutingRequest
from ..routing.scheduled import parts_for_later
from ..when import Schedule
from .context import Assigned, TurnContext
from .decision import async_read_with
from .delayed import Planned
from .repeated import agreed_parts

# "Let me know", and with "as well".
_SHORT, _LONGEST_TELLING = 3, 6


def read_revised(context: TurnContext) -> Assigned | None:
    """Return the plan in the place of the one that was just made, where the sentence says another time for it."""
    if (command := _just_planned(context)) is None:
        return None
    said = command.said or command.text
    schedule = _changed(context, command.schedule, said, wakes=command.alert is Alert.WAKE)
    if schedule is None:
        return None
    planned = Planned(
        command.text, schedule, command.message, command.spoken, command.alert, command.id
    )
    return _assigned(context, {**planned.slots, PARTS_SLOT: command.parts})


def read_revised_question(context: TurnContext, pending: PendingQuestion) -> Assignment | None:
    """Return the plan that is asked about with the time that is said instead; None where none is.

    The question may have been stored, and is not trusted.
    """
    question = pending.question
    if pending.agent_id != DELAY_AGENT_ID or question.param != CONFIRM:
        return None
    try:
        schedule = Schedule.model_validate(question.data.get(SCHEDULE_SLOT))
    except ValidationError:
        return None
    said = str(question.data.get(COMMAND_SLOT))
    wakes = question.data.get(ALERT_SLOT) == Alert.WAKE
    if (changed := _changed(context, schedule, said, wakes=wakes)) is None:
        return None
    parts = agreed_parts(question)
    slots = {**question.data, SCHEDULE_SLOT: changed.as_json(), PARTS_SLOT: parts}
    return _planned(context, slots)


def _just_planned(context: TurnContext) -> DelayedCommand | None:
    """Return the command that the answer before planned, where it still waits and is the speaker's own."""
    focus = context.focus
    if not focus.just_planned or len(focus.ids) != 1:
        return None
    command = context.assistant.delayed.get(focus.ids[0])
    return command if command and context.caller.owns(command.user_id) else None


def _changed(
    context: TurnContext, schedule: Schedule, command: str, *, wakes: bool
) -> Schedule | None:
    """Return a schedule of a command with the time that the sentence says, None where it says none or more."""
    if not (said := read_change(context.text, context.language.lexicon, command)):
        return None
    return change_schedule(schedule, said, context.assistant.clock, wakes=wakes)


def _assigned(context: TurnContext, slots: Mapping[str, Any]) -> Assigned:
    """Return the sentence as nothing but a command for later with some slots."""
    return Assigned((_planned(context, slots),))


def _planned(context: TurnContext, slots: Mapping[str, Any]) -> Assignment:
    """Return the sentence as a command for later with some slots."""
    return Assignment(
        agent_id=DELAY_AGENT_ID,
        instruction=context.text,
        source=Source.READER,
        reason="It says another time for what is planned.",
        intent=Command(START_TIMER, dict(slots)),
    )


async def async_read_added(context: TurnContext) -> Assigned | None:
    """Return what was just planned for what the sentence adds to it: "and the floor lamp at ten", "and tell me, too".

    It is for the same time where none is said.
    """
    command, language = _just_planned(context), context.language
    words = spoken_words(context.text)
    if command is None or command.before or not language.lexicon.adds(words):
        return None
    if command.trigger and _only_tells(context):
        told = Planned(context.text, command.schedule, command.trigger.text, alert=Alert.TELL)
        return _assigned(context, told.slots)
    clock = context.assistant.clock
    timed = read_schedule(context.text, language.lexicon, clock, context.house)
    if timed and (timed.is_past or timed.schedule.start is None):
        return None
    added = timed.command if timed else context.text
    schedule = command.schedule
    if timed:
        said = read_change(context.text.replace(added, ""), language.lexicon)
        schedule = (said and change_schedule(schedule, said, clock)) or timed.schedule

    async def async_more(request: RoutingRequest) -> Sequence[RoutedPart]:
        return await context.assistant.reader.async_more(request, command.text, added)

    parts = await async_read_with(context.assistant, context.user_input, async_more)
    if not parts or not all(part.intent for part in parts):
        return None
    slots = Planned(context.text, schedule).slots
    return _assigned(context, {**slots, PARTS_SLOT: parts_for_later(parts)})


def _only_tells(context: TurnContext) -> bool:
    """Return whether a sentence adds nothing but that somebody is to be told."""
    _, _, rest = context.text.strip().partition(" ")
    words, language = spoken_words(rest), context.language
    is_short = len(words) <= _SHORT or language.lexicon.adds(words)
    return is_short and len(words) <= _LONGEST_TELLING and language.triggers.tells(rest)

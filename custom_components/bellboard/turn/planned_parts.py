"""The plan that was just made, and what a text comes to that is kept for later."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeassistant.util.ulid import ulid_now

from ..const import DELAY_AGENT_ID
from ..domains.models import Command
from ..memory.delayed import DelayedCommand, DelayedPart
from ..nlu.recognition import PARTS_SLOT, START_TIMER
from ..routing.models import Assignment, Source
from ..routing.scheduled_pieces import parts_for_later
from ..when import Schedule
from .context import TurnContext
from .decision import ReadParts, async_read_with, async_understand
from .last_turns import runs_timer
from .planned_slots import Planned, is_planned
from .stages import Assigned


def just_planned(context: TurnContext) -> DelayedCommand | None:
    """Return the command that the answer before planned, where it still waits and is the speaker's own."""
    focus = context.focus
    if not focus.just_planned or len(focus.ids) != 1:
        return None
    return own_command(context, focus.ids[0])


def planned_before(context: TurnContext) -> DelayedCommand | None:
    """Return the only command that was spoken of last, where nothing was done since."""
    focus, last = context.focus, context.turns[-1:]
    is_done = any(part.actions for turn in last for part in turn.parts)
    if len(focus.ids) != 1 or is_done or runs_timer(context):
        return None
    return own_command(context, focus.ids[0])


def own_command(context: TurnContext, command_id: str) -> DelayedCommand | None:
    """Return the speaker's own command for later by its id; None for none that still waits."""
    command = context.assistant.delayed.get(command_id)
    return command if command and context.caller.owns(command.user_id) else None


def moved_part(context: TurnContext, command: DelayedCommand, schedule: Schedule) -> Assignment:
    """Return the sentence as a command for another time, in the place of the one that it was planned for."""
    planned = Planned(
        command.text, schedule, command.message, command.spoken, command.alert, command.id
    )
    return planned_part(context, {**planned.slots, PARTS_SLOT: command.parts})


def assigned_plan(context: TurnContext, slots: Mapping[str, Any]) -> Assigned:
    """Return the sentence as nothing but a command for later with some slots."""
    return Assigned((planned_part(context, slots),))


def planned_part(context: TurnContext, slots: Mapping[str, Any]) -> Assignment:
    """Return the sentence as a command for later with some slots."""
    return Assignment(
        agent_id=DELAY_AGENT_ID,
        instruction=context.text,
        source=Source.READER,
        reason="It says another time for what is planned.",
        intent=Command(START_TIMER, dict(slots)),
    )


def targets_of(parts: Sequence[DelayedPart]) -> set[str]:
    """Return what parts of a command are for."""
    return {target for part in parts for target in part.action.targets}


async def async_read_request(
    context: TurnContext, text: str, *, plays: bool = False
) -> tuple[DelayedPart, ...]:
    """Return the parts of a text that is a whole request, () for any other; what it `plays` is searched for."""
    reader = context.assistant.reader
    return await async_parts(context, lambda request: reader.async_read(request, text, plays=plays))


async def async_read_plan(context: TurnContext, text: str) -> Mapping[str, Any] | None:
    """Return the slots of the one command for later that a text comes to; None where it comes to anything else."""
    # In a conversation of its own: an open question is not answered by it.
    user_input = replace(context.user_input, text=text, conversation_id=ulid_now())
    route = await async_understand(context.assistant, user_input)
    intents = [part.intent for part in route.assignments]
    if len(intents) != 1 or not intents[0] or not is_planned(intents[0]):
        return None
    return intents[0].parameters


async def async_parts(context: TurnContext, read: ReadParts) -> tuple[DelayedPart, ...]:
    """Return what `read` makes of the turn's request as it is kept for later, () where a part of it is not clear."""
    parts = await async_read_with(context.assistant, context.user_input, read)
    return tuple(parts_for_later(parts)) if all(part.intent for part in parts) else ()

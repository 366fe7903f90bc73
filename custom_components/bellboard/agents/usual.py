"""What is usual in a room: the player and the level that were used last, where nothing is said of them.

A habit only chooses among what a request could be for anyway, and the calls made from it say so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from homeassistant.const import STATE_OFF, STATE_PAUSED, STATE_PLAYING, STATE_UNAVAILABLE
from homeassistant.core import State

from ..domains.actions import ActionError, ActionInput
from ..domains.models import Command, ToolCall
from ..domains.table import Domain
from ..home.speaker import own_players
from ..nlu.bounds import TargetMatch, TargetScope
from .base import AgentRequest

# Scopes of what is found in one place, and not by a name.
_OF_A_PLACE = frozenset({TargetScope.PLACE, TargetScope.SPEAKER_AREA})
_LEFT_OPEN = _OF_A_PLACE | {TargetScope.AMBIGUOUS}
_AT_WORK = frozenset({STATE_PLAYING, STATE_PAUSED})


def find_usual_target(
    request: AgentRequest,
    table: Domain,
    chosen: Sequence[Command],
    states: Sequence[State],
    matched: TargetMatch | None = None,
) -> State | None:
    """Return the one of several targets that is usual: used last in the room, else the satellite's own.

    None where nothing is usual, or something was said of it, though not enough. Where all of them are in one room
    it is that room's habit, else that of the room that is spoken in. `matched` is how the targets were found where
    no intent was recognised.
    """
    rows = [row for step in chosen if (row := table.action(step.name)) and row.takes_usual]
    is_one_of_several = len(states) > 1 and len(rows) == len(chosen)
    if not request.usual.has_players or not is_one_of_several or _is_said(request, chosen, matched):
        return None
    if request.intent is None and any(state.state in _AT_WORK for state in states):
        # What plays is meant before what is usual; where words were read, that was looked at with them.
        return None
    able = {
        state.entity_id: state
        for state in states
        if state.state != STATE_UNAVAILABLE and all(row.capable_states([state]) for row in rows)
    }
    rooms = _areas_of(request, states)
    area_id = rooms.pop() if len(rooms) == 1 else request.area_id
    if usual := able.get(request.usual.player(area_id) or ""):
        return usual
    said = request.user_input
    in_device = own_players(request.hass, said.satellite_id, said.device_id)
    own = [state for entity_id, state in able.items() if entity_id in in_device]
    return own[0] if len(own) == 1 else None


def _is_said(request: AgentRequest, chosen: Sequence[Command], matched: TargetMatch | None) -> bool:
    """Return whether something that was said singles out one of several targets."""
    if found := request.intent:
        return found.is_named or found.is_guess
    is_chosen = any(step.targets for step in chosen)
    return matched is None or is_chosen or matched.scope not in _LEFT_OPEN


def is_for_room(
    request: AgentRequest,
    chosen: Sequence[Command],
    states: Sequence[State],
    matched: TargetMatch | None = None,
) -> bool:
    """Return whether chosen actions are for what is in one area, and single out nothing there by name.

    `matched` is how their targets were found where no intent was recognised.
    """
    rooms = _areas_of(request, states)
    if len(rooms) != 1 or None in rooms or any(step.targets for step in chosen):
        return False
    if found := request.intent:
        is_open = found.is_open or found.is_list or found.is_without_others
        return not (found.is_named or is_open)
    return matched is not None and matched.scope in _OF_A_PLACE


def with_usual_level(
    request: AgentRequest, table: Domain, step: Command, states: Sequence[State]
) -> Command:
    """Return an action with the level that is usual in the room, where it turns on what can be dimmed there."""
    level = table.usual_level
    if level is None or step.name != level.switches:
        return step
    area_id = next(iter(_areas_of(request, states)), None)
    percent = request.usual.level(area_id) if area_id else None
    if percent is None or not plan_usual_level(table, step, {level.parameter: percent}, states):
        return step
    return replace(step, by_habit={level.parameter: percent})


def plan_usual_level(
    table: Domain, step: Command, by_habit: Mapping[str, Any], states: Sequence[State]
) -> list[ToolCall]:
    """Return the calls that bring on what is off at a level, [] where nothing there can take it."""
    level = table.usual_level
    row = table.action(level.sets) if level else None
    off = [state for state in states if state.state == STATE_OFF]
    if level is None or row is None or not off or level.parameter not in by_habit:
        return []
    wanted = {**step.parameters, level.parameter: by_habit[level.parameter]}
    try:
        return table.plan(row, ActionInput(parameters=wanted), off)
    except ActionError:
        return []


def mark_habit(calls: Sequence[ToolCall], habit: Literal["player", "level"]) -> list[ToolCall]:
    """Return calls that say that a habit chose what nobody said of them."""
    return [call.model_copy(update={"assumed": True, "habit": habit}) for call in calls]


def _areas_of(request: AgentRequest, states: Sequence[State]) -> set[str | None]:
    """Return the ids of the areas that the entities of states are in."""
    known = request.catalog.entities
    found = (known.get(state.entity_id) for state in states)
    return {entity.area_id if entity else None for entity in found}

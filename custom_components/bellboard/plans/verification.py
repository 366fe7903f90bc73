"""Verification of tool calls: the outcome, read from the states of the targets."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from homeassistant.const import ATTR_ASSUMED_STATE, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers.event import async_track_state_change_event

from ..domains.checks import OutcomeCheck
from ..domains.light_checks import LONGEST_FADE
from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import service_of

# Seconds. A target that shows no outcome within this time is reported as not responding.
ANSWER_SECONDS = 2.0

_ABSENT = {STATE_UNAVAILABLE, STATE_UNKNOWN}


def answer_time(call: ToolCall, seconds: float) -> float:
    """Return the seconds that a call's targets have, with the transition up to LONGEST_FADE.

    With `seconds` of 0 nothing is awaited, so no transition either.
    """
    fade = call.data.get("transition", 0.0)
    return seconds + min(max(fade, 0.0), LONGEST_FADE) if seconds > 0 else seconds


def holds(call: ToolCall, state: State | None, before: State | None) -> bool:
    """Return whether an entity's state shows the outcome that a call asks for.

    A service without an outcome check (next track) holds while its entity is available.
    """
    if state is None or state.state in _ABSENT:
        return False
    check = _check_of(call)
    return check is None or check.holds(state, call.data, before)


def _check_of(call: ToolCall) -> OutcomeCheck | None:
    """Return the outcome check of a call's service, or None where it has none."""
    service = service_of(call.action)
    return service.check if service else None


def was_so(hass: HomeAssistant, call: ToolCall, before: Mapping[str, State]) -> bool:
    """Return whether the entities of one target showed the outcome before a call, and nothing of it changed.

    `before` are the states of the target and, of a group, those of its members. A call whose outcome shows in no state
    counts as a change, as does one for an entity that only assumes its state.
    """
    service = service_of(call.action)
    check = _check_of(call)
    if service is None or check is None or service.is_momentary or not before:
        return False
    if service.acts_again and service.acts_again(call.data):
        return False
    return all(
        not was.attributes.get(ATTR_ASSUMED_STATE)
        and holds(call, was, was)
        and (now := hass.states.get(entity_id)) is not None
        and not check.has_changed(now, was)
        for entity_id, was in before.items()
    )


def shortfall(call: ToolCall, state: State | None, before: State | None) -> ErrorCode | None:
    """Return why a call does not hold for an entity: UNAVAILABLE, PARTLY, NO_ANSWER; None if it does."""
    if state is None or state.state == STATE_UNAVAILABLE:
        return ErrorCode.UNAVAILABLE
    if holds(call, state, before):
        return None
    check = _check_of(call)
    has_moved = (
        state.state not in _ABSENT and check is not None and check.has_changed(state, before)
    )
    return ErrorCode.PARTLY if has_moved else ErrorCode.NO_ANSWER


async def async_wait_until_holds(
    hass: HomeAssistant,
    call: ToolCall,
    entity_ids: Iterable[str],
    before: Mapping[str, State | None],
    seconds: float = ANSWER_SECONDS,
) -> set[str]:
    """Wait up to `seconds` until a call holds for all entities, and return those for which it does not."""
    return await async_wait_until_shown(
        hass,
        entity_ids,
        lambda entity_id, state: holds(call, state, before.get(entity_id)),
        seconds,
    )


async def async_wait_until_shown(
    hass: HomeAssistant,
    entity_ids: Iterable[str],
    shows: Callable[[str, State | None], bool],
    seconds: float = ANSWER_SECONDS,
) -> set[str]:
    """Wait up to `seconds` until a predicate holds for all entities, and return those for which it does not.

    `shows` takes an entity id and its state, None for a missing one.
    """
    watched = list(entity_ids)
    open_ids = {e for e in watched if not shows(e, hass.states.get(e))}
    if not open_ids:
        return open_ids
    settled = asyncio.Event()

    @callback
    def async_state_changed(event: Event[EventStateChangedData]) -> None:
        entity_id = event.data["entity_id"]
        if shows(entity_id, event.data["new_state"]):
            open_ids.discard(entity_id)
        else:
            open_ids.add(entity_id)
        if not open_ids:
            settled.set()

    stop = async_track_state_change_event(hass, watched, async_state_changed)
    try:
        async with asyncio.timeout(seconds):
            await settled.wait()
    except TimeoutError:
        # Not an error here: the caller reports the entities that are left.
        return open_ids
    finally:
        stop()
    return open_ids

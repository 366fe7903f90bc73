"""Whether what a call says was done, seen in the states of its targets."""

import asyncio
from collections.abc import Callable, Iterable, Mapping

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers.event import async_track_state_change_event

from ..domains.checks import OutcomeCheck
from ..domains.light_checks import LONGEST_FADE
from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import service_of

# A lamp or player that answers later than this is reported as not having answered.
ANSWER_SECONDS = 2.0

_ABSENT = {STATE_UNAVAILABLE, STATE_UNKNOWN}


def answer_time(call: ToolCall, seconds: float) -> float:
    """Return how many seconds a call's targets have: a fade may take its time, within bounds.

    Who waits for nothing does not wait for a fade either.
    """
    fade = call.data.get("transition", 0.0)
    return seconds + min(max(fade, 0.0), LONGEST_FADE) if seconds > 0 else seconds


def holds(call: ToolCall, state: State | None, before: State | None) -> bool:
    """Return whether an entity's state shows that a call did what it says.

    A call without a check of its own (next track) holds as long as its entity is there.
    """
    if state is None or state.state in _ABSENT:
        return False
    check = _check_of(call)
    return check is None or check.holds(state, call.data, before)


def _check_of(call: ToolCall) -> OutcomeCheck | None:
    """Return how to see what came of a call, or None where it cannot be seen."""
    service = service_of(call.action)
    return service.check if service else None


def shortfall(call: ToolCall, state: State | None, before: State | None) -> ErrorCode | None:
    """Return what is missing for a call to hold: the entity, all of its answer, or a part of it."""
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
    """Wait until a call holds for all its entities, and return those for which it does not."""
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
    """Wait until all entities show what is expected of them, and return those that do not.

    `shows` is asked about an entity id and its state, None where there is none. Returns at once where
    everything is shown already; waits `seconds` at the most.
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
        # Not an error here: what is still open did not answer, and the caller says so.
        return open_ids
    finally:
        stop()
    return open_ids

"""Execution of a call by Home Assistant, and verification of its outcome in the states of its targets.

Agent router orchestration, ToolExecutor.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
import logging
from typing import Any, Protocol

from homeassistant.const import ATTR_ASSUMED_STATE, ATTR_ENTITY_ID, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    HomeAssistant,
    ServiceResponse,
    State,
    callback,
)
from homeassistant.exceptions import (
    ServiceNotFound,
    ServiceNotSupported,
    ServiceValidationError,
    Unauthorized,
)
from homeassistant.helpers.event import async_track_state_change_event
import voluptuous as vol

from ..domains.checks import OutcomeCheck
from ..domains.light_values import LONGEST_FADE
from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import find_refusal, service_of
from ..llm.errors import ToolError
from .models import Outcome, ToolResult

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
        and check.left_nothing(was)
        and (now := hass.states.get(entity_id)) is not None
        and not check.has_changed(now, was)
        for entity_id, was in before.items()
    )


def shortfall(call: ToolCall, state: State | None, before: State | None) -> ErrorCode | None:
    """Return the error of a call that does not hold for an entity: UNAVAILABLE, PARTLY, NO_ANSWER; None if it does."""
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


_LOGGER = logging.getLogger(__name__)

# Refused before it reached a device, so there is no outcome to await.
_REFUSED = frozenset({ErrorCode.INVALID, ErrorCode.NOT_ALLOWED, ErrorCode.UNSUPPORTED})


class ToolExecutor(Protocol):
    """Makes the calls that policies and rights allow, and the requests that only read."""

    async def async_execute(
        self,
        call: ToolCall,
        context: Context,
        answer_seconds: float = ANSWER_SECONDS,
        deadline: float | None = None,
    ) -> ToolResult:
        """Make one call in the name of a user, and return the outcome of each of its targets.

        `answer_seconds` is how long an outcome may be awaited, `deadline` until when by the event loop's clock.
        """
        ...

    async def async_request(
        self, action: str, data: Mapping[str, Any], context: Context
    ) -> ServiceResponse:
        """Return the response of an action that changes nothing.

        Raises:
            Exception: whatever the action raised.
        """
        ...


@dataclass(frozen=True, slots=True)
class ServiceExecutor:
    """Executor that calls Home Assistant's services."""

    hass: HomeAssistant

    async def async_execute(
        self,
        call: ToolCall,
        context: Context,
        answer_seconds: float = ANSWER_SECONDS,
        deadline: float | None = None,
    ) -> ToolResult:
        """Execute one call and return the outcome of each of its targets.

        Only targets that are exposed to Assist now, available and capable are called, always by entity id
        and with the user's own permissions. The outcome is verified in the entities' states, for up to
        `answer_seconds` beside a transition. A call without targets is INVALID, since Home Assistant might
        take it for all entities. Where each target is called alone, `deadline` ends the calls that are not done by
        then, as a time of the event loop's clock: NO_ANSWER.
        """
        if not call.targets:
            return ToolResult(call, (Outcome("", ErrorCode.INVALID),))
        targets = tuple(dict.fromkeys(call.targets))
        errors = {target: find_refusal(self.hass, call, target) for target in targets}
        if able := [target for target in targets if errors[target] is None]:
            errors |= await _async_call_targets(
                self.hass, call, able, context, answer_seconds=answer_seconds, deadline=deadline
            )
        return ToolResult(call, tuple(Outcome(target, errors[target]) for target in targets))

    async def async_request(
        self, action: str, data: Mapping[str, Any], context: Context
    ) -> ServiceResponse:
        """Return the response of a read-only service; it is called once more after a transient failure.

        Raises:
            Exception: whatever the service raised the second time, or at once if that is not transient.
        """
        try:
            return await self._async_respond(action, data, context)
        except Exception as err:
            if _code_of(err) is not ErrorCode.FAILED:
                raise
            _LOGGER.debug("%s failed, and is asked again: %s", action, _error_name(err))
        return await self._async_respond(action, data, context)

    async def _async_respond(
        self, action: str, data: Mapping[str, Any], context: Context
    ) -> ServiceResponse:
        """Call a service for its response."""
        domain, _, service = action.partition(".")
        return await self.hass.services.async_call(
            domain, service, dict(data), blocking=True, return_response=True, context=context
        )


async def _async_call_targets(
    hass: HomeAssistant,
    call: ToolCall,
    targets: list[str],
    context: Context,
    *,
    answer_seconds: float,
    deadline: float | None,
) -> dict[str, ErrorCode | None]:
    """Call the service for valid targets, and return the error code of those that failed."""
    before = {target: hass.states.get(target) for target in targets}
    service = service_of(call.action)
    if service and service.is_each_alone:
        return await _async_call_each(hass, call, targets, context, deadline)
    error = await _async_call(hass, call, targets, context)
    if error in _REFUSED or (error and not (service and service.check)):
        # What shows in no state is known by Home Assistant's word alone.
        return dict.fromkeys(targets, error)
    seconds = 0.0 if error else answer_time(call, answer_seconds)
    silent = await async_wait_until_holds(hass, call, targets, before, seconds)
    missing = {
        target: shortfall(call, hass.states.get(target), before[target]) for target in silent
    }
    return {target: error or missing[target] for target in silent}


async def _async_call_each(
    hass: HomeAssistant,
    call: ToolCall,
    targets: list[str],
    context: Context,
    deadline: float | None,
) -> dict[str, ErrorCode | None]:
    """Call the service for each target at the same time, and return the error code of each, None for success.

    One that is not done in time does not keep back what came of the others.
    """

    async def async_call_in_time(target: str) -> ErrorCode | None:
        try:
            async with asyncio.timeout_at(deadline):
                return await _async_call(hass, call, [target], context)
        except TimeoutError:
            _LOGGER.warning("%s was not done in time", call.action)
            return ErrorCode.NO_ANSWER

    codes = await asyncio.gather(*map(async_call_in_time, targets))
    return dict(zip(targets, codes, strict=True))


async def _async_call(
    hass: HomeAssistant, call: ToolCall, targets: list[str], context: Context
) -> ErrorCode | None:
    """Call the service and return the error code of its failure, or None."""
    domain, _, service = call.action.partition(".")
    row = service_of(call.action)
    data: dict[str, Any] = {**call.data, ATTR_ENTITY_ID: targets}
    data = row.sent(data) if row else data
    try:
        await hass.services.async_call(domain, service, data, blocking=True, context=context)
    except asyncio.CancelledError:
        # An integration whose connection breaks cancels what it waits for, which is nobody's wish to stop this turn.
        if (task := asyncio.current_task()) is None or task.cancelling():
            raise
        _LOGGER.warning("%s was broken off", call.action)
        return ErrorCode.FAILED
    except Exception as err:  # noqa: BLE001 - an integration's service may raise anything
        code = _code_of(err)
        _LOGGER.warning("%s", ToolError(call.action, code, _error_name(err)))
        return code
    return None


def _error_name(err: Exception) -> str:
    """Return an error's translation key or type: the text of an integration's error may hold anything."""
    return str(getattr(err, "translation_key", None) or type(err).__name__)


def _code_of(err: Exception) -> ErrorCode:
    """Return the error code for what a service raised."""
    match err:
        case Unauthorized():
            return ErrorCode.NOT_ALLOWED
        case ServiceNotFound() | ServiceNotSupported():
            return ErrorCode.UNSUPPORTED
        case ServiceValidationError() | vol.Invalid():
            return ErrorCode.INVALID
        case _:
            return ErrorCode.FAILED

"""Executes tool calls as Home Assistant services (Agent router orchestration, ToolExecutor)."""

import asyncio
from collections.abc import Mapping
import logging
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant, ServiceResponse
from homeassistant.exceptions import (
    ServiceNotFound,
    ServiceNotSupported,
    ServiceValidationError,
    Unauthorized,
)
import voluptuous as vol

from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import find_refusal, service_of
from .models import Outcome, ToolResult
from .verification import ANSWER_SECONDS, answer_time, async_wait_until_holds, shortfall

_LOGGER = logging.getLogger(__name__)

# Refused before it reached a device, so there is no outcome to await.
_REFUSED = frozenset({ErrorCode.INVALID, ErrorCode.NOT_ALLOWED, ErrorCode.UNSUPPORTED})


async def async_execute(
    hass: HomeAssistant,
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
    errors = {target: find_refusal(hass, call, target) for target in targets}
    if able := [target for target in targets if errors[target] is None]:
        errors |= await _async_call_targets(
            hass, call, able, context, answer_seconds=answer_seconds, deadline=deadline
        )
    return ToolResult(call, tuple(Outcome(target, errors[target]) for target in targets))


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
        _LOGGER.warning("%s failed (%s): %s", call.action, code, _error_name(err))
        return code
    return None


async def async_call_for_response(
    hass: HomeAssistant, domain: str, service: str, data: Mapping[str, Any], context: Context
) -> ServiceResponse:
    """Call a read-only service and return its response; retried once after a transient failure.

    Raises:
        Exception: whatever the service raised the second time, or at once if that is not transient.
    """
    try:
        return await _async_request_response(hass, domain, service, data, context)
    except Exception as err:
        if _code_of(err) is not ErrorCode.FAILED:
            raise
        _LOGGER.debug("%s.%s failed, and is asked again: %s", domain, service, _error_name(err))
    return await _async_request_response(hass, domain, service, data, context)


async def _async_request_response(
    hass: HomeAssistant, domain: str, service: str, data: Mapping[str, Any], context: Context
) -> ServiceResponse:
    """Call a service for its response."""
    return await hass.services.async_call(
        domain, service, dict(data), blocking=True, return_response=True, context=context
    )


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

"""Carries out tool calls through Home Assistant's actions and sees what came of them."""

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
from ..domains.registry import find_refusal
from .models import Outcome, ToolResult
from .verification import ANSWER_SECONDS, answer_time, async_wait_until_holds, shortfall

_LOGGER = logging.getLogger(__name__)

# Refused before it reached a device, so there is no answer to wait for.
_REFUSED = frozenset({ErrorCode.INVALID, ErrorCode.NOT_ALLOWED, ErrorCode.UNSUPPORTED})


async def async_execute(
    hass: HomeAssistant,
    call: ToolCall,
    context: Context,
    answer_seconds: float = ANSWER_SECONDS,
) -> ToolResult:
    """Carry out one call and return what happened to each of its targets.

    Only targets that are exposed to Assist right now, reachable and able to do it are called, always
    by entity id and with the user's own permissions. Whether the call worked is read from the
    entities' states: `answer_seconds` is how long they may take, beside a fade. A call for nothing
    is INVALID, since Home Assistant might take it for all.
    """
    if not call.targets:
        return ToolResult(call, (Outcome("", ErrorCode.INVALID),))
    targets = tuple(dict.fromkeys(call.targets))
    errors = {target: find_refusal(hass, call, target) for target in targets}
    if able := [target for target in targets if errors[target] is None]:
        errors |= await _async_do(hass, call, able, context, answer_seconds)
    return ToolResult(call, tuple(Outcome(target, errors[target]) for target in targets))


async def _async_do(
    hass: HomeAssistant,
    call: ToolCall,
    targets: list[str],
    context: Context,
    answer_seconds: float,
) -> dict[str, ErrorCode | None]:
    """Make a call for targets that can take it, and return what is missing for each of them."""
    before = {target: hass.states.get(target) for target in targets}
    error = await _async_call(hass, call, targets, context)
    if error in _REFUSED:
        return dict.fromkeys(targets, error)
    seconds = 0.0 if error else answer_time(call, answer_seconds)
    silent = await async_wait_until_holds(hass, call, targets, before, seconds)
    missing = {
        target: shortfall(call, hass.states.get(target), before[target]) for target in silent
    }
    return {target: error or missing[target] for target in silent}


async def _async_call(
    hass: HomeAssistant, call: ToolCall, targets: list[str], context: Context
) -> ErrorCode | None:
    """Call the action and return why it failed, if it did."""
    domain, _, service = call.action.partition(".")
    data: dict[str, Any] = {**call.data, ATTR_ENTITY_ID: targets}
    try:
        await hass.services.async_call(domain, service, data, blocking=True, context=context)
    except Exception as err:  # noqa: BLE001 - an integration's service may raise anything
        code = _code_of(err)
        _LOGGER.warning("%s failed (%s): %s", call.action, code, _kind_of(err))
        return code
    return None


async def async_read(
    hass: HomeAssistant, domain: str, service: str, data: Mapping[str, Any], context: Context
) -> ServiceResponse:
    """Call an action that only looks something up, and return its response.

    It changes nothing, so that it is asked once more after a failure that may pass.

    Raises:
        Exception: whatever the action raised the second time, or at once where that cannot pass.
    """
    try:
        return await _async_ask(hass, domain, service, data, context)
    except Exception as err:
        if _code_of(err) is not ErrorCode.FAILED:
            raise
        _LOGGER.debug("%s.%s failed, and is asked again: %s", domain, service, _kind_of(err))
    return await _async_ask(hass, domain, service, data, context)


async def _async_ask(
    hass: HomeAssistant, domain: str, service: str, data: Mapping[str, Any], context: Context
) -> ServiceResponse:
    """Call an action for its response."""
    return await hass.services.async_call(
        domain, service, dict(data), blocking=True, return_response=True, context=context
    )


def _kind_of(err: Exception) -> str:
    """Return the kind of an error only: what integrations write into its text can hold anything."""
    return str(getattr(err, "translation_key", None) or type(err).__name__)


def _code_of(err: Exception) -> ErrorCode:
    """Return the error code for what an action raised."""
    match err:
        case Unauthorized():
            return ErrorCode.NOT_ALLOWED
        case ServiceNotFound() | ServiceNotSupported():
            return ErrorCode.UNSUPPORTED
        case ServiceValidationError() | vol.Invalid():
            return ErrorCode.INVALID
        case _:
            return ErrorCode.FAILED

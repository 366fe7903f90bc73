"""Carries out tool calls through Home Assistant's actions and sees what came of them."""

import logging
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import (
    ServiceNotFound,
    ServiceNotSupported,
    ServiceValidationError,
    Unauthorized,
)
import voluptuous as vol

from ..home.catalog import is_exposed
from .models import ErrorCode, Outcome, ToolCall, ToolResult
from .verification import ANSWER_SECONDS, async_wait_until_holds

_LOGGER = logging.getLogger(__name__)


async def async_execute(
    hass: HomeAssistant,
    call: ToolCall,
    context: Context,
    answer_seconds: float = ANSWER_SECONDS,
) -> ToolResult:
    """Carry out one call and return what happened to each of its targets.

    Only targets that are exposed to Assist right now and reachable are called, always by entity id
    and with the user's own permissions. Whether the call worked is read from the entities' states:
    `answer_seconds` is how long they may take.
    """
    refused = {entity_id: code for entity_id in call.targets if (code := _refusal(hass, entity_id))}
    targets = [entity_id for entity_id in call.targets if entity_id not in refused]
    errors: dict[str, ErrorCode] = dict(refused)
    if targets:
        before = {entity_id: hass.states.get(entity_id) for entity_id in targets}
        error = await _async_call(hass, call, targets, context)
        if error in {ErrorCode.INVALID, ErrorCode.NOT_ALLOWED, ErrorCode.UNSUPPORTED}:
            # Refused before it reached a device, so there is no answer to wait for.
            errors |= dict.fromkeys(targets, error)
        else:
            seconds = 0.0 if error else answer_seconds
            silent = await async_wait_until_holds(hass, call, targets, before, seconds)
            errors |= {
                entity_id: error or _silence(hass.states.get(entity_id)) for entity_id in silent
            }
    return ToolResult(
        call, tuple(Outcome(entity_id, errors.get(entity_id)) for entity_id in call.targets)
    )


def _refusal(hass: HomeAssistant, entity_id: str) -> ErrorCode | None:
    """Return why an entity must not or cannot be called, if so."""
    if not is_exposed(hass, entity_id):
        return ErrorCode.NOT_EXPOSED
    return _absence(hass.states.get(entity_id))


def _absence(state: State | None) -> ErrorCode | None:
    """Return UNAVAILABLE for an entity that is gone or out of reach.

    Home Assistant itself lets a call for such an entity pass in silence.
    """
    if state is None or state.state == STATE_UNAVAILABLE:
        return ErrorCode.UNAVAILABLE
    return None


def _silence(state: State | None) -> ErrorCode:
    """Return why an entity that was called does not show it."""
    return _absence(state) or ErrorCode.NO_ANSWER


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
        # Only the kind of error: what integrations write into the text can hold anything.
        reason = getattr(err, "translation_key", None) or type(err).__name__
        _LOGGER.warning("%s failed (%s): %s", call.action, code, reason)
        return code
    return None


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

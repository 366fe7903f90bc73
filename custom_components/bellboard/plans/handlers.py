"""The actions that may be called, each with the handler that checks its calls.

Home Assistant drops some values that an entity lacks in silence, and brings others into range. Here
they are refused before the call, entity by entity, with a reason.
"""

from homeassistant.core import HomeAssistant

from ..domains.models import ErrorCode, ToolCall
from .fields import absence
from .known_tools import known_tools
from .tool_handler import ToolHandler
from .verification import CHECKS, Check

_HANDLERS: dict[str, ToolHandler] = {handler.action: handler for handler in known_tools()}


def register(handler: ToolHandler, check: Check | None = None) -> None:
    """Let an action be called; `check` sees what came of it, without it that the entity is there.

    Raises:
        ValueError: the action has a handler already.
    """
    if handler.action in _HANDLERS:
        raise ValueError(f"{handler.action} has a handler")
    _HANDLERS[handler.action] = handler
    if check:
        CHECKS[handler.action] = check


def handler_of(action: str) -> ToolHandler | None:
    """Return the handler of an action, or None where it may not be called."""
    return _HANDLERS.get(action)


def registered_actions() -> list[str]:
    """Return the actions that may be called, in order."""
    return sorted(_HANDLERS)


def refusal(hass: HomeAssistant, call: ToolCall, entity_id: str) -> ErrorCode | None:
    """Return why a call may not or cannot be made for an entity, or None where it can.

    Whether the entity is exposed and there comes first: nothing is told of one that is not.
    """
    if code := absence(hass, entity_id):
        return code
    state = hass.states.get(entity_id)
    handler = handler_of(call.action)
    if state is None or handler is None:
        return ErrorCode.UNSUPPORTED
    return handler.check(hass, state, call.data)

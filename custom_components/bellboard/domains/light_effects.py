"""Effects of lights: which run one, and what ends it."""

from collections.abc import Sequence
from typing import Any

from homeassistant.components.light import (
    ATTR_EFFECT,
    ATTR_EFFECT_LIST,
    ATTR_MAX_COLOR_TEMP_KELVIN,
    ATTR_MIN_COLOR_TEMP_KELVIN,
    EFFECT_OFF,
)
from homeassistant.const import STATE_ON
from homeassistant.core import State

from .actions import ActionError, ActionInput, group_calls, require_any
from .light_white import WHITE_TONES
from .models import ToolCall

# In kelvin: what a light without the effect "off" shows afterwards.
_PLAIN_WHITE = 3000


class NoEffectError(ActionError):
    """No target runs an effect."""


def runs_effect(state: State) -> bool:
    """Return whether a light is on and runs an effect."""
    return state.state == STATE_ON and state.attributes.get(ATTR_EFFECT) not in {None, EFFECT_OFF}


def plan_stop_effect(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that end the effects of lights.

    A light has the effect "off" for that; where it has not, a white ends the effect.

    Raises:
        NoEffectError: none of the lights runs an effect.
        NotSupportedError: nothing is known to end the effects that run.
    """
    running = [state for state in states if runs_effect(state)]
    if not running:
        raise NoEffectError(states)
    each = [(s.entity_id, "turn_on", data) for s in running if (data := _without_effect(s))]
    require_any([state for state in running if _without_effect(state)], running)
    return group_calls("light", each)


def _without_effect(state: State) -> dict[str, Any]:
    """Return the service data that end a light's effect, {} where nothing is known to."""
    if EFFECT_OFF in (state.attributes.get(ATTR_EFFECT_LIST) or ()):
        return {"effect": EFFECT_OFF}
    if not WHITE_TONES(state):
        return {}
    low = state.attributes[ATTR_MIN_COLOR_TEMP_KELVIN]
    high = state.attributes[ATTR_MAX_COLOR_TEMP_KELVIN]
    return {"color_temp_kelvin": int(min(max(_PLAIN_WHITE, low), high))}

"""White tones of lights: which lights have them or render them as colours, and a warmer or cooler one by a step."""

from collections.abc import Sequence

from homeassistant.components.light import (
    ATTR_MAX_COLOR_TEMP_KELVIN,
    ATTR_MIN_COLOR_TEMP_KELVIN,
    ATTR_SUPPORTED_COLOR_MODES,
    ColorMode,
    color_supported,
)
from homeassistant.const import STATE_ON
from homeassistant.core import State

from .actions import ActionInput, IsOffError, OutOfRangeError, group_calls, require_any
from .fields import Capability, as_number
from .models import ToolCall

# Relative change of a white tone, in kelvin.
_STEP = 800

WHITE_TONES = Capability(
    lambda state: (
        ColorMode.COLOR_TEMP in (state.attributes.get(ATTR_SUPPORTED_COLOR_MODES) or ())
        and ATTR_MIN_COLOR_TEMP_KELVIN in state.attributes
    ),
    "white tones",
)
"""Whether a light has white tones, and says from which to which."""

SHOWS_COLOR = Capability(
    lambda state: color_supported(state.attributes.get(ATTR_SUPPORTED_COLOR_MODES) or ()), "colours"
)
"""Whether a light shows colours."""


def filter_reaching(states: Sequence[State], kelvin: float) -> Sequence[State]:
    """Return the states of the lights that reach a colour temperature; those with colours render any.

    Raises:
        OutOfRangeError: some light has a range of colour temperatures, but none has this one.
    """
    whites = [state for state in states if WHITE_TONES(state)]
    able = [
        state
        for state in whites
        if state.attributes[ATTR_MIN_COLOR_TEMP_KELVIN]
        <= kelvin
        <= state.attributes[ATTR_MAX_COLOR_TEMP_KELVIN]
    ]
    able += [state for state in states if SHOWS_COLOR(state) and state not in whites]
    if whites and not able:
        first = whites[0].attributes
        low, high = first[ATTR_MIN_COLOR_TEMP_KELVIN], first[ATTR_MAX_COLOR_TEMP_KELVIN]
        raise OutOfRangeError(whites, low, high, "K")
    return able


def plan_warmer(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls for a warmer white."""
    return _plan_step(-_STEP, states)


def plan_cooler(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls for a cooler white."""
    return _plan_step(_STEP, states)


def _plan_step(by: int, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that change the white of lights that are on by kelvin.

    Raises:
        NotSupportedError: none of them has white tones.
        IsOffError: all that have are off.
    """
    whites: Sequence[State] = require_any([s for s in states if WHITE_TONES(s)], states)
    if not (lit := [state for state in whites if state.state == STATE_ON]):
        raise IsOffError(whites)
    data = [(s.entity_id, "turn_on", {"color_temp_kelvin": _moved(s, by)}) for s in lit]
    return group_calls("light", data)


def _moved(state: State, by: int) -> int:
    """Return a light's colour temperature after a step, in its range; from the middle where it shows a colour."""
    attributes = state.attributes
    low, high = attributes[ATTR_MIN_COLOR_TEMP_KELVIN], attributes[ATTR_MAX_COLOR_TEMP_KELVIN]
    now = as_number(attributes.get("color_temp_kelvin")) or (low + high) / 2
    return int(min(max(now + by, low), high))

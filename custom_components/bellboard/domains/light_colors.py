"""Colours, whites and effects of lights: the nearest to a name, warmer and cooler, and what ends an effect."""

from collections.abc import Mapping, Sequence
from functools import cache
import math
from typing import Any

from homeassistant.components.light import (
    ATTR_EFFECT,
    ATTR_EFFECT_LIST,
    ATTR_MAX_COLOR_TEMP_KELVIN,
    ATTR_MIN_COLOR_TEMP_KELVIN,
    ATTR_SUPPORTED_COLOR_MODES,
    EFFECT_OFF,
    ColorMode,
    color_supported,
)
from homeassistant.const import STATE_ON
from homeassistant.core import State
from homeassistant.util import color as color_util

from .actions import ActionError, ActionInput, IsOffError, OutOfRangeError, group_calls, require_any
from .models import ToolCall
from .services import Capability, as_number

# Hue (0 to 360) and saturation (0 to 100) of what people call so when a lamp shows it; each language has its word.
_COLORS: Mapping[str, tuple[float, float]] = {
    "red": (0, 100),
    "orange": (28, 100),
    "gold": (45, 100),
    "yellow": (58, 100),
    "green": (120, 100),
    "turquoise": (172, 75),
    "cyan": (182, 100),
    "skyblue": (200, 60),
    "lightblue": (205, 30),
    "blue": (232, 100),
    "indigo": (262, 90),
    "violet": (272, 65),
    "lavender": (250, 30),
    "purple": (292, 100),
    "magenta": (312, 100),
    "hotpink": (330, 70),
    "pink": (345, 40),
}
# In percent of saturation: below it a colour is white.
_PALE = 12
# Tones of white that a colour may be, in kelvin, and how near it has to be on the colour wheel (radius 100).
_WHITES = range(2000, 6501, 100)
_NEAR_WHITE = 12.0

type _Point = tuple[float, float]


def nearest_color(rgb: Sequence[int] | None) -> str:
    """Return the name of the colour that red, green and blue (0 to 255 each) come nearest to; "" for none."""
    if not rgb:
        return ""
    if color_util.color_RGB_to_hs(*rgb)[1] < _PALE:
        return "white"
    point = _point(*color_util.color_RGB_to_hs(*rgb))
    return min(_COLORS, key=lambda name: math.dist(point, _point(*_COLORS[name])))


def nearest_white(rgb: Sequence[int] | None) -> int | None:
    """Return the colour temperature in kelvin that red, green and blue show; None for a colour."""
    if not rgb or color_util.color_RGB_to_hs(*rgb)[1] < _PALE:
        return None
    point = _point(*color_util.color_RGB_to_hs(*rgb))
    apart = {kelvin: math.dist(point, _white_point(kelvin)) for kelvin in _WHITES}
    kelvin = min(apart, key=lambda each: apart[each])
    is_nearer = apart[kelvin] < min(math.dist(point, _point(*each)) for each in _COLORS.values())
    return kelvin if apart[kelvin] <= _NEAR_WHITE and is_nearer else None


@cache
def _white_point(kelvin: int) -> _Point:
    """Return where a tone of white is on the colour wheel."""
    return _point(*color_util.color_temperature_to_hs(kelvin))


def _point(hue: float, saturation: float) -> _Point:
    """Return where a hue (0 to 360) and a saturation (0 to 100) are on the colour wheel."""
    angle = math.radians(hue)
    return saturation * math.cos(angle), saturation * math.sin(angle)


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

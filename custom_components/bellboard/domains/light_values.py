"""Values of lights: colours, whites and effects by name, and whether a light shows what was asked for.

Checks have tolerances: devices round, fade, and render colours differently.
"""

from collections.abc import Mapping, Sequence
from functools import cache
import math
from typing import Any

from homeassistant.components.light import (
    ATTR_COLOR_MODE,
    ATTR_EFFECT,
    ATTR_EFFECT_LIST,
    ATTR_MAX_COLOR_TEMP_KELVIN,
    ATTR_MIN_COLOR_TEMP_KELVIN,
    ATTR_SUPPORTED_COLOR_MODES,
    EFFECT_OFF,
    ColorMode,
    color_supported,
)
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State
from homeassistant.util import color as color_util

from .actions import ActionError, ActionInput, IsOffError, OutOfRangeError, group_calls, require_any
from .models import ToolCall
from .services import Capability, as_number, is_number

LONGEST_FADE = 5.0
"""Seconds. The end of a longer transition is not awaited: that it began is enough."""

BRIGHTNESS_TOLERANCE = 4
"""Largest difference between the brightness asked for and shown, on the scale of 255."""

KELVIN_TOLERANCE = 60
"""Largest difference between the colour temperature asked for and shown, in kelvin."""

# Percent. Dimming stops here, since 0 would turn the light off.
_DIMMEST = 1

# In degrees and percent; wide, because lamps render one colour differently.
_HUE_TOLERANCE = 25
_SATURATION_TOLERANCE = 40
# In percent of saturation. Below it the hue is not compared: a white tone shown as a colour has one, too.
_PALE_SATURATION = 40


def light_on(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a light shows the values of `light.turn_on`; brightness 0 turns it off.

    A flash cannot be verified: afterwards the light is as it was.
    """
    if "flash" in data:
        return True
    goal = _target_brightness(data)
    if goal == 0 or (state.state == STATE_OFF and _is_stepped_off(data, before)):
        return light_off(state, data, before)
    return (
        state.state == STATE_ON
        and (goal is None or _has_brightness(state, goal, data, before))
        and _has_stepped(state, data, before)
        and _has_color_asked(state, data, before)
        and _has_effect(state, data)
    )


def light_off(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a light is off, or getting darker in a transition longer than LONGEST_FADE."""
    return state.state == STATE_OFF or _is_fading(state, 0, data, before)


def _target_brightness(data: Mapping[str, Any]) -> float | None:
    """Return the brightness asked for, from 0 to 255, or None where none is."""
    if (percent := data.get("brightness_pct")) is not None:
        return float(percent) * 2.55
    for name in ("brightness", "white"):
        if (level := data.get(name)) is not None and level is not True:
            return float(level)
    return None


def _has_brightness(
    state: State, goal: float, data: Mapping[str, Any], before: State | None
) -> bool:
    """Return whether a light has a brightness (of 255), or is on a long transition to it."""
    shown = state.attributes.get("brightness")
    if shown is not None and abs(shown - goal) <= BRIGHTNESS_TOLERANCE:
        return True
    return _is_fading(state, goal, data, before)


def _is_fading(state: State, goal: float, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a light moved towards a brightness in a transition longer than LONGEST_FADE."""
    if data.get("transition", 0) <= LONGEST_FADE or before is None:
        return False
    now = state.attributes.get("brightness") or 0
    was = before.attributes.get("brightness") or 0
    return bool(abs(goal - now) < abs(goal - was))


def _percent(state: State) -> float | None:
    """Return a light's brightness in percent; None where it is not reported."""
    brightness = state.attributes.get("brightness")
    return float(brightness) / 2.55 if is_number(brightness) else None


def stepped(state: State, by: float) -> tuple[str, int]:
    """Return the field and value that move a light's brightness; a level where it is on and tells none."""
    now = _percent(state)
    if by < 0 and (100 if now is None else now) + by < _DIMMEST:
        return "brightness_pct", _DIMMEST
    if now is None and state.state == STATE_ON:
        # Home Assistant would step from 0, and turn it off.
        return "brightness_pct", min(round(100 + by), 100)
    return "brightness_step_pct", round(by)


def _step(data: Mapping[str, Any]) -> float:
    """Return the brightness step asked for, from -255 to 255; 0 where the call has none."""
    percent = data.get("brightness_step_pct")
    return float(percent) * 2.55 if percent is not None else float(data.get("brightness_step", 0))


def _is_stepped_off(data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a step down from the brightness before the call turns the light off."""
    was = before.attributes.get("brightness") if before else None
    return was is not None and _step(data) < 0 and was + _step(data) <= BRIGHTNESS_TOLERANCE


def _has_stepped(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether the brightness moved in the step's direction, or is at its limit."""
    if not (step := _step(data)):
        return True
    now = state.attributes.get("brightness")
    was = before.attributes.get("brightness") if before else None
    if now is None or was is None:
        # A light that does not report its brightness cannot be verified by it.
        return True
    return bool((now - was) * step > 0 or now == (255 if step > 0 else 0))


def _has_effect(state: State, data: Mapping[str, Any]) -> bool:
    """Return whether a light runs the effect asked for; a missing attribute counts as "off"."""
    if (effect := data.get("effect")) is None:
        return True
    return bool((state.attributes.get("effect") or STATE_OFF) == effect)


def _has_color_asked(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a light has the colour or colour temperature asked for, if any."""
    if (kelvin := data.get("color_temp_kelvin")) is not None:
        return _has_white(state, kelvin, before)
    if (wanted := _wanted_color(state, data)) is not None:
        return _has_color(state, wanted, before)
    if "white" in data:
        return bool(state.attributes.get(ATTR_COLOR_MODE) in {None, ColorMode.WHITE})
    return True


def _wanted_color(state: State, data: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the hue (0 to 360) and saturation (0 to 100) asked for, from whichever field has a colour."""
    if (color := data.get("hs_color")) is not None:
        return float(color[0]), float(color[1])
    if (color := data.get("xy_color")) is not None:
        return color_util.color_xy_to_hs(*color)
    rgb: tuple[int, ...] | None = None
    if (color := data.get("rgbww_color")) is not None:
        low = state.attributes.get("min_color_temp_kelvin", 2000)
        high = state.attributes.get("max_color_temp_kelvin", 6500)
        red, green, blue, cold, warm = color
        rgb = color_util.color_rgbww_to_rgb(red, green, blue, cold, warm, low, high)
    elif (color := data.get("rgbw_color")) is not None:
        rgb = color_util.color_rgbw_to_rgb(*color)
    elif (color := data.get("rgb_color")) is not None:
        rgb = color
    elif (name := data.get("color_name")) is not None:
        rgb = color_util.COLORS.get(str(name).replace(" ", "").lower())
    return color_util.color_RGB_to_hs(*rgb) if rgb is not None else None


def _has_white(state: State, kelvin: float, before: State | None) -> bool:
    """Return whether a light has a colour temperature; one without that mode renders it as a colour."""
    attributes = state.attributes
    shown = attributes.get("color_temp_kelvin")
    if shown is None and ColorMode.COLOR_TEMP not in attributes.get("supported_color_modes", ()):
        return _has_color(state, color_util.color_temperature_to_hs(kelvin), before)
    return isinstance(shown, int | float) and abs(shown - kelvin) <= KELVIN_TOLERANCE


def _has_color(state: State, wanted: tuple[float, float], before: State | None) -> bool:
    """Return whether a light shows a colour, or moved nearer to it on the colour wheel.

    A light in colour temperature mode also has a hue, which is not a colour somebody asked for.
    """
    shown = state.attributes.get("hs_color")
    hue, saturation = wanted
    is_white = state.attributes.get(ATTR_COLOR_MODE) == ColorMode.COLOR_TEMP
    if shown is None or (is_white and saturation >= _PALE_SATURATION):
        return False
    turn = abs(shown[0] - hue) % 360
    is_hue = saturation < _PALE_SATURATION or min(turn, 360 - turn) <= _HUE_TOLERANCE
    if is_hue and abs(shown[1] - saturation) <= _SATURATION_TOLERANCE:
        return True
    was = before.attributes.get("hs_color") if before else None
    return was is not None and _color_distance(shown, wanted) < _color_distance(was, wanted)


def _color_distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the distance of two colours on the colour wheel, whose radius is 100 (full saturation)."""
    ends = [
        (each[1] * math.cos(math.radians(each[0])), each[1] * math.sin(math.radians(each[0])))
        for each in (one, other)
    ]
    return math.dist(*ends)


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

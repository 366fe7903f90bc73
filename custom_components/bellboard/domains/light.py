"""What lights can do."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from homeassistant.components.light import (
    ATTR_MAX_COLOR_TEMP_KELVIN,
    ATTR_MIN_COLOR_TEMP_KELVIN,
    ATTR_SUPPORTED_COLOR_MODES,
    EFFECT_OFF,
    ColorMode,
    LightEntityFeature as Feature,
    brightness_supported,
    color_supported,
)
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import HomeAssistant, State
from homeassistant.util import color as color_util

from .checks import STATE, TOGGLED, Check
from .fields import Able, Field, as_number, has, is_number, listed, needing, number, numbers, one_of
from .light_state import BRIGHTNESS_TOLERANCE, KELVIN_TOLERANCE, light_off, light_on
from .models import ErrorCode, ToolCall
from .switching import put_back_switch
from .table import (
    Action,
    Attribute,
    Domain,
    Intent,
    IsOffError,
    Kept,
    Kind,
    Level,
    OutOfRangeError,
    Parameter,
    Service,
    Shown,
    Spoken,
    Step,
    Steps,
    Wanted,
    Words,
    at_most_one,
    need,
)

# How far "a bit brighter" goes, in percent.
_STEPS = (10, 25, 50)
# As dark as a light gets that is dimmed, in percent.
_DIMMEST = 1
_FULL = 255
_BYTE = (0, _FULL)
# What lamps are sold with; a lamp that shows colours renders any of these.
_KELVIN = (1000, 40000)


# What it is able to.


def _modes(state: State) -> set[ColorMode]:
    """Return the colour modes a light supports."""
    return set(state.attributes.get(ATTR_SUPPORTED_COLOR_MODES) or ())


DIMS = Able(lambda state: brightness_supported(_modes(state)), "a dimmer")
SHOWS_COLOR = Able(lambda state: color_supported(_modes(state)), "colours")
_SHOWS_WHITE = Able(lambda state: ColorMode.WHITE in _modes(state), "a white channel")
_WHITE_TONES = Able(
    lambda state: (
        ColorMode.COLOR_TEMP in _modes(state) and ATTR_MIN_COLOR_TEMP_KELVIN in state.attributes
    ),
    "white tones",
)


def _color_name(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take a colour that Home Assistant knows; it would make others white."""
    if not isinstance(value, str):
        return ErrorCode.INVALID
    known = value.replace(" ", "").lower() in color_util.COLORS
    return None if known else ErrorCode.INVALID


def _kelvin(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Take a white tone; a light that shows colours renders those it has no white for."""
    if code := number(*_KELVIN, whole=True)(hass, state, value):
        return code
    if ColorMode.COLOR_TEMP in _modes(state):
        return number(ATTR_MIN_COLOR_TEMP_KELVIN, ATTR_MAX_COLOR_TEMP_KELVIN)(hass, state, value)
    return None if SHOWS_COLOR(state) else ErrorCode.UNSUPPORTED


def _white(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Take true or a brightness for the white channel."""
    return None if value is True else number(*_BYTE, whole=True)(hass, state, value)


_BRIGHTNESS: dict[str, Field] = {
    "brightness": needing(DIMS, number(*_BYTE, whole=True)),
    "brightness_pct": needing(DIMS, number(0, 100, unit="%")),
    "brightness_step": needing(DIMS, number(-_FULL, _FULL, whole=True)),
    "brightness_step_pct": needing(DIMS, number(-100, 100, unit="%")),
}
_COLOR: dict[str, Field] = {
    "color_name": needing(SHOWS_COLOR, Field(_color_name, "a colour by name")),
    "color_temp_kelvin": Field(_kelvin, "a white tone in K"),
    "hs_color": needing(SHOWS_COLOR, numbers((0, 360), (0, 100))),
    "rgb_color": needing(SHOWS_COLOR, numbers(*[_BYTE] * 3, whole=True)),
    "rgbw_color": needing(SHOWS_COLOR, numbers(*[_BYTE] * 4, whole=True)),
    "rgbww_color": needing(SHOWS_COLOR, numbers(*[_BYTE] * 5, whole=True)),
    "xy_color": needing(SHOWS_COLOR, numbers((0, 1), (0, 1))),
    "white": needing(_SHOWS_WHITE, Field(_white, "true, or 0 to 255")),
}
_FLASH: dict[str, Field] = {"flash": needing(has(Feature.FLASH), one_of("short", "long"))}
# A light that cannot fade is where it should be at once, so anyone may be asked to.
TRANSITION: Mapping[str, Field] = MappingProxyType({"transition": number(0, 6553, unit="s")})
_SETTING: dict[str, Field] = {
    **_BRIGHTNESS,
    **_COLOR,
    **_FLASH,
    **TRANSITION,
    "effect": needing(has(Feature.EFFECT), listed("effect_list")),
}
_ONE_OF_EACH = at_most_one(frozenset(_BRIGHTNESS), frozenset(_COLOR))

# The attribute that holds a light's colour, by its colour mode.
_COLOR_OF: Mapping[str, str] = MappingProxyType(
    {
        "color_temp": "color_temp_kelvin",
        "hs": "hs_color",
        "rgb": "rgb_color",
        "rgbw": "rgbw_color",
        "rgbww": "rgbww_color",
        "xy": "xy_color",
    }
)


# What is said of it.


def _said(words: Words, call: ToolCall) -> Spoken:
    """Return the reply to what was set, or turned on."""
    data = call.data
    if step := data.get("brightness_step_pct"):
        return ("brighter" if step > 0 else "darker"), {}
    values: dict[str, str] = {}
    if (percent := data.get("brightness_pct")) is not None:
        values["brightness"] = words.percent(percent)
    if color := data.get("color_name"):
        values["color"] = words.color(str(color))
    if kelvin := data.get("color_temp_kelvin"):
        values["kelvin"] = words.number(kelvin)
    if effect := data.get("effect"):
        values["effect"] = str(effect)
    if len(values) > 1:
        return "set", {"value": words.join(list(values.values()))}
    for key, value in values.items():
        return key, {"value": value}
    return call.action.partition(".")[2], {}


# How a step, and a white tone, is planned.


def _lit(states: Sequence[State]) -> list[State]:
    """Return the lights that are on."""
    return [state for state in states if state.state == STATE_ON]


def _percent(state: State) -> float:
    """Return how bright a light is, in percent; as bright as can be where it does not tell."""
    brightness = state.attributes.get("brightness")
    return float(brightness) / 2.55 if is_number(brightness) else 100.0


def _change(by: float, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that make lights brighter or darker by percentage points.

    What is dimmed stays on, at 1 % at the least, and what is off stays dark.

    Raises:
        CannotError: none of them can be dimmed.
        IsOffError: none that can is on.
    """
    dimmable: Sequence[State] = need([state for state in states if DIMS(state)], states)
    able = dimmable if by > 0 else _lit(dimmable)
    if not able:
        raise IsOffError(dimmable)
    lowest = [s.entity_id for s in able if by < 0 and _percent(s) + by < _DIMMEST]
    moved = [s.entity_id for s in able if s.entity_id not in lowest]
    data = ((moved, {"brightness_step_pct": round(by)}), (lowest, {"brightness_pct": _DIMMEST}))
    return [
        ToolCall(action="light.turn_on", targets=tuple(targets), data=values)
        for targets, values in data
        if targets
    ]


def _change_by(wanted: Wanted, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that move lights by the points asked for."""
    return _change(float(wanted.parameters["by"]), states)


def _lighten(_wanted: Wanted, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls for a place that is too dark: what is on gets brighter, else all goes on."""
    if lit := _lit(states):
        return _change(_STEPS[1], lit)
    targets = tuple(state.entity_id for state in need(states, states))
    return [ToolCall(action="light.turn_on", targets=targets)]


def _darken(_wanted: Wanted, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls for a place that is too bright."""
    return _change(-_STEPS[1], states)


def _reaching(states: Sequence[State], kelvin: float) -> Sequence[State]:
    """Return the lights that reach a white tone; those that show colours render any.

    Raises:
        OutOfRangeError: some light has white tones, but none reaches this one.
    """
    whites = [state for state in states if _WHITE_TONES(state)]
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


# How it is put back.


def _active_color(state: State, _now: datetime) -> dict[str, Any]:
    """Return the colour of a light that is on, in the mode it is in."""
    name = _COLOR_OF.get(str(state.attributes.get("color_mode")))
    return {name: state.attributes.get(name)} if name and state.state != STATE_OFF else {}


def _put_back(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the steps for a light: out of an effect, to its look, into an effect."""
    if before.state != STATE_ON:
        yield from put_back_switch(before, state, changed)
        return
    effect = before.text("effect")
    is_in_effect = state.attributes.get("effect") not in {None, EFFECT_OFF}
    if not effect and is_in_effect and EFFECT_OFF in (state.attributes.get("effect_list") or ()):
        yield "turn_on", {"effect": EFFECT_OFF}
    if changed - {"effect"} or not effect:
        yield "turn_on", _look(before)
    if effect:
        yield "turn_on", {"effect": effect}


def _look(before: Kept) -> dict[str, Any]:
    """Return a light's brightness and its colour, in the mode it was in."""
    data: dict[str, Any] = {}
    brightness = before.number("brightness")
    if brightness is not None and 0 < brightness <= _FULL:
        # In percent, as people and policies give it: fine enough for each of its 255 steps.
        data["brightness_pct"] = round(brightness / 2.55, 2)
    mode = before.text("color_mode") or ""
    if mode == "white":
        data["white"] = True
    elif (name := _COLOR_OF.get(mode)) and (color := before.attributes.get(name)) is not None:
        data[name] = list(color) if isinstance(color, tuple) else color
    return data


# What policies compare.


def _share(data: Mapping[str, Any], shown: Shown | None) -> float | None:
    """Return how bright a light will be, from 0 to 1, as Home Assistant works it out.

    None where that is not known.
    """
    for name, full in (("brightness_pct", 100), ("brightness", _FULL)):
        if (level := as_number(data.get(name))) is not None:
            return level / full
    if shown is None:
        return None
    told = as_number(shown.attributes.get("brightness"))
    now = (told or 0.0) if shown.state == STATE_ON else 0.0
    if (percent := as_number(data.get("brightness_step_pct"))) is not None:
        return min(max((round(now / _FULL * 100) + percent) / 100, 0.0), 1.0)
    step = as_number(data.get("brightness_step")) or 0.0
    return min(max((now + step) / _FULL, 0.0), 1.0)


def _is_about_brightness(_action: str, data: Mapping[str, Any]) -> bool:
    """Return whether a call asks for a brightness, in whatever unit."""
    return not _BRIGHTNESS.keys().isdisjoint(data)


def _level(name: str, full: float) -> Level:
    """Return brightness in one of its units; `full` is the most of it."""

    def of(_action: str, data: Mapping[str, Any], shown: Shown | None) -> float | None:
        if (given := as_number(data.get(name))) is not None:
            return given
        share = _share(data, shown)
        # Without the last digits that a division leaves.
        return None if share is None else round(share * full, 6)

    def to(action: str, data: Mapping[str, Any], value: float) -> tuple[str, dict[str, Any]]:
        others = {key: kept for key, kept in data.items() if key not in _BRIGHTNESS}
        return action, {**others, name: value}

    return Level(name=name, is_about=_is_about_brightness, of=of, to=to)


def _switch_action(name: str, intent: str) -> Action:
    """Return the action that turns lights on or off, or toggles them."""
    return Action(
        name,
        name,
        group="switch",
        intents=(Intent(intent),),
        commands=frozenset({name}),
        is_repeatable=name == "toggle",
    )


LIGHT = Domain(
    name="light",
    article="lights",
    off=frozenset({STATE_OFF}),
    attributes=(
        Attribute("color_mode", while_on=True),
        Attribute(
            "brightness",
            tolerance=BRIGHTNESS_TOLERANCE,
            service="turn_on",
            while_on=True,
            in_scenes=True,
        ),
        Attribute("effect", while_on=True, none=EFFECT_OFF),
        Attribute(
            "color_temp_kelvin",
            tolerance=KELVIN_TOLERANCE,
            service="turn_on",
            is_kept=False,
            in_scenes=True,
        ),
        Attribute("hs_color", tolerance=3, is_kept=False, circle=360),
        *(
            Attribute(f"{mode}_color", tolerance=8, is_kept=False)
            for mode in ("rgb", "rgbw", "rgbww")
        ),
        Attribute("xy_color", tolerance=0.02, is_kept=False),
    ),
    services=(
        Service(
            "turn_on",
            fields=_SETTING,
            rule=_ONE_OF_EACH,
            check=Check(
                light_on,
                (STATE, "brightness", "color_mode", "hs_color", "color_temp_kelvin", "effect"),
            ),
            reply=_said,
        ),
        Service(
            "turn_off",
            fields={**_FLASH, **TRANSITION},
            check=Check(light_off, (STATE, "brightness"), "off"),
            reply=_said,
        ),
        Service("toggle", fields=_SETTING, rule=_ONE_OF_EACH, check=TOGGLED, reply=_said),
    ),
    actions=(
        _switch_action("turn_on", "HassTurnOn"),
        _switch_action("turn_off", "HassTurnOff"),
        _switch_action("toggle", "HassToggle"),
        Action(
            "set",
            "turn_on",
            line="to a percent from 0 to 100, a color, an effect, or a white tone in kelvin",
            any_value=True,
            parameters=(
                Parameter(
                    "percent",
                    field="brightness_pct",
                    unit="%",
                    low=0,
                    high=100,
                    fractions=True,
                    takes=DIMS,
                    commands=("percent", "level", "number"),
                ),
                # Home Assistant takes a colour or a white tone, and "white at 3000 kelvin" is a tone.
                Parameter(
                    "color",
                    kind=Kind.COLOR,
                    field="color_name",
                    takes=SHOWS_COLOR,
                    not_with="kelvin",
                    commands=("color",),
                ),
                Parameter(
                    "kelvin",
                    field="color_temp_kelvin",
                    unit="K",
                    low=ATTR_MIN_COLOR_TEMP_KELVIN,
                    high=ATTR_MAX_COLOR_TEMP_KELVIN,
                    is_told_by=_WHITE_TONES,
                    reaching=_reaching,
                    commands=("kelvin",),
                ),
                Parameter("effect", kind=Kind.CHOICE, field="effect", options="effect_list"),
            ),
            intents=(
                Intent(
                    "HassLightSet",
                    {"brightness": "percent", "color": "color", "temperature": "kelvin"},
                ),
            ),
        ),
        Action(
            "change_brightness",
            "turn_on",
            line="by percent, above 0 is brighter, below 0 is darker",
            able=DIMS,
            parameters=(Parameter("by", kind=Kind.STEP, steps=_STEPS),),
            calls=_change_by,
        ),
        Action("lighten", "turn_on", calls=_lighten, is_offered=False),
        Action("darken", "turn_on", calls=_darken, is_offered=False),
    ),
    steps=Steps(
        action="change_brightness",
        sizes={"little": 10, "": 25, "much": 50},
        words=("brighter", "darker"),
        sets=("set", "percent"),
    ),
    put_back=_put_back,
    more_kept=_active_color,
    levels=(_level("brightness_pct", 100), _level("brightness", _FULL)),
)
"""The table of lights."""

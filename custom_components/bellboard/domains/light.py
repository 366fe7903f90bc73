"""Table of lights."""

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
)
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import HomeAssistant, State
from homeassistant.util import color as color_util

from .actions import (
    Action,
    ActionInput,
    Intent,
    IsOffError,
    Parameter,
    ParameterKind,
    StepSizes,
    choice,
    percentage,
    require_any,
)
from .checks import STATE, TOGGLED, OutcomeCheck
from .effects import Data, on_off
from .fading import TRANSITION
from .light_values import (
    BRIGHTNESS_TOLERANCE,
    KELVIN_TOLERANCE,
    SHOWS_COLOR,
    WHITE_TONES,
    filter_reaching,
    light_off,
    light_on,
    nearest_color,
    nearest_white,
    plan_cooler,
    plan_stop_effect,
    plan_warmer,
    stepped,
)
from .models import ErrorCode, StateLike, ToolCall
from .services import (
    Attribute,
    Capability,
    Field,
    ReplyTranslation,
    SavedState,
    Service,
    UndoStep,
    ValueFormatter,
    as_number,
    at_most_one,
    has,
    listed,
    needing,
    number,
    numbers,
    one_of,
)
from .switch import undo_switch
from .table import Domain, PolicyValue, UsualLevel

# Relative changes of brightness, in percentage points: little, unspecified, much.
_STEPS = (10, 25, 50)
_FULL = 255
_BYTE = (0, _FULL)
# In kelvin; a light with colours renders any of these.
_KELVIN = (1000, 40000)


# Capabilities and field validators.


def _modes(state: State) -> set[ColorMode]:
    """Return the colour modes a light supports."""
    return set(state.attributes.get(ATTR_SUPPORTED_COLOR_MODES) or ())


DIMS = Capability(lambda state: brightness_supported(_modes(state)), "a dimmer")
_SHOWS_WHITE = Capability(lambda state: ColorMode.WHITE in _modes(state), "a white channel")


def _validate_color_name(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Accept colour names that Home Assistant knows; it would render others as white."""
    if not isinstance(value, str):
        return ErrorCode.INVALID
    known = value.replace(" ", "").lower() in color_util.COLORS
    return None if known else ErrorCode.INVALID


def _validate_kelvin(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Accept a colour temperature in the light's range; a light with colours only renders any."""
    if code := number(*_KELVIN, whole=True)(hass, state, value):
        return code
    if ColorMode.COLOR_TEMP in _modes(state):
        return number(ATTR_MIN_COLOR_TEMP_KELVIN, ATTR_MAX_COLOR_TEMP_KELVIN)(hass, state, value)
    return None if SHOWS_COLOR(state) else ErrorCode.UNSUPPORTED


def _validate_white(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Accept true, or a brightness for the white channel."""
    return None if value is True else number(*_BYTE, whole=True)(hass, state, value)


_BRIGHTNESS: dict[str, Field] = {
    "brightness": needing(DIMS, number(*_BYTE, whole=True)),
    "brightness_pct": needing(DIMS, number(0, 100, unit="%")),
    "brightness_step": needing(DIMS, number(-_FULL, _FULL, whole=True)),
    "brightness_step_pct": needing(DIMS, number(-100, 100, unit="%")),
}
_COLOR: dict[str, Field] = {
    "color_name": needing(SHOWS_COLOR, Field(_validate_color_name, "a colour by name")),
    "color_temp_kelvin": Field(_validate_kelvin, "a white tone in K"),
    "hs_color": needing(SHOWS_COLOR, numbers((0, 360), (0, 100))),
    "rgb_color": needing(SHOWS_COLOR, numbers(*[_BYTE] * 3, whole=True)),
    "rgbw_color": needing(SHOWS_COLOR, numbers(*[_BYTE] * 4, whole=True)),
    "rgbww_color": needing(SHOWS_COLOR, numbers(*[_BYTE] * 5, whole=True)),
    "xy_color": needing(SHOWS_COLOR, numbers((0, 1), (0, 1))),
    "white": needing(_SHOWS_WHITE, Field(_validate_white, "true, or 0 to 255")),
}
_FLASH: dict[str, Field] = {"flash": needing(has(Feature.FLASH), one_of("short", "long"))}
_SETTING: dict[str, Field] = {
    **_BRIGHTNESS,
    **_COLOR,
    **_FLASH,
    **TRANSITION,
    "effect": needing(has(Feature.EFFECT), listed("effect_list")),
}
_ONE_OF_EACH = at_most_one(frozenset(_BRIGHTNESS), frozenset(_COLOR))

# Name of the attribute with a light's colour, by its colour mode.
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


# Replies.


def _build_reply(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to the values that were set, or to switching."""
    data = call.data
    if "flash" in data:
        return "flash", {}
    if step := data.get("brightness_step_pct"):
        return ("brighter" if step > 0 else "darker"), {}
    values: dict[str, str] = {}
    if (percent := data.get("brightness_pct")) is not None:
        values["brightness"] = words.percent(percent)
        if call.habit:
            return "by_habit", {"value": values["brightness"]}
    values |= {"color": call.label} if call.label else _name_color(words, data)
    if effect := data.get("effect"):
        if effect == EFFECT_OFF:
            return "effect_off", {}
        values["effect"] = str(effect)
    if len(values) > 1:
        if "kelvin" in values:
            values["kelvin"] += " K"
        return "set", {"value": words.join(list(values.values()))}
    for key, value in values.items():
        return key, {"value": value}
    return call.action.partition(".")[2], {}


def _name_color(words: ValueFormatter, data: Mapping[str, Any]) -> dict[str, str]:
    """Return the colour or the colour temperature in a call's data in words, by the key of its reply."""
    white = nearest_white(data.get("rgb_color"))
    named: dict[str, str] = {}
    if not white and (color := data.get("color_name") or nearest_color(data.get("rgb_color"))):
        named["color"] = words.color(str(color))
    if kelvin := data.get("color_temp_kelvin") or white:
        named["kelvin"] = words.number(kelvin)
    return named


# Planners of relative changes and colour temperatures.


def _on_states(states: Sequence[State]) -> list[State]:
    """Return the states of the lights that are on."""
    return [state for state in states if state.state == STATE_ON]


def _plan_step(by: float, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that change the brightness of lights by percentage points.

    Dimming stops at 1 %, and leaves lights that are off as they are.

    Raises:
        NotSupportedError: none of them can be dimmed.
        IsOffError: all of the dimmable ones are off.
    """
    dimmable: Sequence[State] = require_any([state for state in states if DIMS(state)], states)
    able = dimmable if by > 0 else _on_states(dimmable)
    if not able:
        raise IsOffError(dimmable)
    calls: dict[tuple[str, int], list[str]] = {}
    for state in able:
        calls.setdefault(stepped(state, by), []).append(state.entity_id)
    return [
        ToolCall(action="light.turn_on", targets=tuple(targets), data={name: value})
        for (name, value), targets in calls.items()
    ]


def _plan_change(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that change the brightness by the percentage points asked for."""
    return _plan_step(float(wanted.parameters["by"]), states)


def _plan_lighten(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls for "it is too dark": brighten the lights that are on, else turn all on."""
    if lit := _on_states(states):
        return _plan_step(_STEPS[1], lit)
    targets = tuple(state.entity_id for state in require_any(states, states))
    return [ToolCall(action="light.turn_on", targets=targets)]


def _plan_darken(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls for "it is too bright"."""
    return _plan_step(-_STEPS[1], states)


# Undo.


def _active_color(state: State, _now: datetime) -> dict[str, Any]:
    """Return the colour attribute of a light's current colour mode; none for a light that is off."""
    name = _COLOR_OF.get(str(state.attributes.get("color_mode")))
    return {name: state.attributes.get(name)} if name and state.state != STATE_OFF else {}


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of a light: end its effect, restore brightness and colour, start its effect."""
    if before.state != STATE_ON:
        yield from undo_switch(before, state, changed)
        return
    effect = before.text("effect")
    is_in_effect = state.attributes.get("effect") not in {None, EFFECT_OFF}
    if not effect and is_in_effect and EFFECT_OFF in (state.attributes.get("effect_list") or ()):
        yield "turn_on", {"effect": EFFECT_OFF}
    if changed - {"effect"} or not effect:
        yield "turn_on", _restore_look(before)
    if effect:
        yield "turn_on", {"effect": effect}


def _restore_look(before: SavedState) -> dict[str, Any]:
    """Return the service data that restore a light's brightness, and its colour in the mode it was in."""
    data: dict[str, Any] = {}
    brightness = before.number("brightness")
    if brightness is not None and 0 < brightness <= _FULL:
        # In percent, as policies compare it; two decimals tell each of the 255 steps apart.
        data["brightness_pct"] = round(brightness / 2.55, 2)
    mode = before.text("color_mode") or ""
    if mode == "white":
        data["white"] = True
    elif (name := _COLOR_OF.get(mode)) and (color := before.attributes.get(name)) is not None:
        data[name] = list(color) if isinstance(color, tuple) else color
    return data


# Policy values.


def _brightness_after(data: Mapping[str, Any], shown: StateLike | None) -> float | None:
    """Return the brightness after a call, from 0 to 1, as Home Assistant computes it; None if unknown."""
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
    """Return whether a call sets a brightness, in any of its fields."""
    return not _BRIGHTNESS.keys().isdisjoint(data)


def _dims_to_nothing(shown: StateLike | None, data: Data) -> bool:
    """Return whether a call may end in a brightness of 0, which turns a light off."""
    if data is None:
        return True
    level = _brightness_after(data, shown) if _is_about_brightness("", data) else 1
    return level is None or level <= 0


def _level_value(name: str, full: float) -> PolicyValue:
    """Return the policy value of brightness in the unit of one field; `full` is its maximum."""

    def of(_action: str, data: Mapping[str, Any], shown: StateLike | None) -> float | None:
        if (given := as_number(data.get(name))) is not None:
            return given
        share = _brightness_after(data, shown)
        # Rounded, so that a rule's bound is not missed by a floating point error.
        return None if share is None else round(share * full, 6)

    def to(action: str, data: Mapping[str, Any], value: float) -> tuple[str, dict[str, Any]]:
        others = {key: kept for key, kept in data.items() if key not in _BRIGHTNESS}
        return action, {**others, name: value}

    return PolicyValue(name=name, is_about=_is_about_brightness, of=of, to=to)


def _switch_action(name: str, intent: str) -> Action:
    """Return the action turn_on, turn_off or toggle, with its intent."""
    return Action(
        name,
        name,
        prompt_group="switch",
        intents=(Intent(intent),),
        commands=frozenset({name}),
        is_repeatable=name == "toggle",
    )


def _flashes(data: Mapping[str, Any]) -> bool:
    """Return whether a call flashes a light, after which it is as it was."""
    return "flash" in data


LIGHT = Domain(
    name="light",
    agent_id="light-agent",
    prompt_noun="lights",
    off_states=frozenset({STATE_OFF}),
    attributes=(
        Attribute("color_mode", while_on=True),
        Attribute(
            "brightness",
            tolerance=BRIGHTNESS_TOLERANCE,
            service="turn_on",
            while_on=True,
        ),
        Attribute("effect", while_on=True, none_value=EFFECT_OFF),
        Attribute(
            "color_temp_kelvin",
            tolerance=KELVIN_TOLERANCE,
            service="turn_on",
            is_saved=False,
        ),
        Attribute("hs_color", tolerance=3, is_saved=False, wraps_at=360),
        *(
            Attribute(f"{mode}_color", tolerance=8, is_saved=False)
            for mode in ("rgb", "rgbw", "rgbww")
        ),
        Attribute("xy_color", tolerance=0.02, is_saved=False),
    ),
    services=(
        Service(
            "turn_on",
            fields=_SETTING,
            rule=_ONE_OF_EACH,
            check=OutcomeCheck(
                light_on,
                (STATE, "brightness", "color_mode", "hs_color", "color_temp_kelvin", "effect"),
            ),
            acts_again=_flashes,
            reply=_build_reply,
        ),
        Service(
            "turn_off",
            fields={**_FLASH, **TRANSITION},
            check=OutcomeCheck(light_off, (STATE, "brightness"), "off"),
            acts_again=_flashes,
            reply=_build_reply,
        ),
        Service("toggle", fields=_SETTING, rule=_ONE_OF_EACH, check=TOGGLED, reply=_build_reply),
    ),
    actions=(
        _switch_action("turn_on", "HassTurnOn"),
        _switch_action("turn_off", "HassTurnOff"),
        _switch_action("toggle", "HassToggle"),
        Action(
            "set",
            "turn_on",
            prompt_line="to a percent from 0 to 100, a color, an effect, or a white tone in kelvin",
            any_parameter=True,
            parameters=(
                percentage("percent", "brightness_pct", measures="brightness", capability=DIMS),
                # A call has one of both, and in "white at 3000 kelvin" the kelvin is meant.
                Parameter(
                    "color",
                    kind=ParameterKind.COLOR,
                    field="color_name",
                    rgb_field="rgb_color",
                    capability=SHOWS_COLOR,
                    yields_to="kelvin",
                    commands=("color",),
                    measures="color",
                ),
                Parameter(
                    "kelvin",
                    field="color_temp_kelvin",
                    unit="K",
                    low=ATTR_MIN_COLOR_TEMP_KELVIN,
                    high=ATTR_MAX_COLOR_TEMP_KELVIN,
                    range_from=WHITE_TONES,
                    filter_reaching=filter_reaching,
                    commands=("kelvin",),
                    measures="color_temperature",
                ),
                choice("effect", "effect", "effect_list", measures="effect"),
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
            prompt_line="by percent, above 0 is brighter, below 0 is darker",
            capability=DIMS,
            parameters=(Parameter("by", kind=ParameterKind.STEP, step_sizes=_STEPS),),
            plan_calls=_plan_change,
        ),
        Action(
            "flash",
            "turn_on",
            data={"flash": "short"},
            capability=has(Feature.FLASH),
            for_capable=True,
            commands=frozenset({"flash"}),
            is_repeatable=True,
        ),
        Action(
            "stop_effect",
            "turn_on",
            capability=has(Feature.EFFECT),
            plan_calls=plan_stop_effect,
            is_offered=False,
            commands=frozenset({"stop_effect"}),
        ),
        *(
            Action(
                f"{name}_white",
                "turn_on",
                plan_calls=calls,
                is_offered=False,
                commands=frozenset({name}),
            )
            for name, calls in (("warmer", plan_warmer), ("cooler", plan_cooler))
        ),
        Action(
            "lighten",
            "turn_on",
            plan_calls=_plan_lighten,
            is_offered=False,
            commands=frozenset({"lighten"}),
            is_repeatable=True,
        ),
        Action(
            "darken",
            "turn_on",
            plan_calls=_plan_darken,
            is_offered=False,
            commands=frozenset({"darken"}),
            is_repeatable=True,
        ),
    ),
    step_sizes=StepSizes(
        action="change_brightness",
        sizes=dict(zip(("little", "", "much"), _STEPS, strict=True)),
        words=("brighter", "darker"),
        sets=("set", "percent"),
    ),
    usual_level=UsualLevel(switches="turn_on", sets="set", parameter="percent"),
    plan_undo=_undo_steps,
    extra_saved=_active_color,
    effects=on_off(also_off={"turn_on": _dims_to_nothing, "toggle": _dims_to_nothing}),
    policy_values=(_level_value("brightness_pct", 100), _level_value("brightness", _FULL)),
)
"""Table of lights."""

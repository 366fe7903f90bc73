"""Table of climate entities: thermostats and air conditioners."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from homeassistant.components.climate import (
    PRESET_NONE,
    ClimateEntityFeature as Feature,
    HVACMode as Mode,
)
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .actions import (
    Action,
    ActionInput,
    Intent,
    IsOffError,
    OtherModeError,
    Parameter,
    StepSizes,
    choice,
    group_calls,
    require_any,
)
from .checks import IS_OFF, STATE, TOGGLED, OutcomeCheck, is_none_of, near
from .climate_settings import (
    ACTIVE_MODES,
    EFFECTS,
    SETTINGS,
    STEP,
    from_current,
    helps,
    implied_modes,
    supports_mode,
)
from .models import ToolCall
from .services import (
    Attribute,
    ReplyTranslation,
    SavedState,
    Service,
    UndoStep,
    ValueFormatter,
    features_of,
    has,
    is_number,
    listed,
    needing,
    number,
    restore_attributes,
    setting_service,
)
from .table import Domain

_TARGET, _LOW, _HIGH = "temperature", "target_temp_low", "target_temp_high"
_TARGETS = (_TARGET, _LOW, _HIGH)
_TOLERANCE = 0.3
_ONE = has(Feature.TARGET_TEMPERATURE)
_RANGE = has(Feature.TARGET_TEMPERATURE_RANGE)
_DEGREES = number("min_temp", "max_temp", unit="°")
# Range in °C of an entity that does not report its own.
_LEAST, _MOST = 7, 35


# Field rules and outcome checks.


def _one_target_or_a_range(data: Mapping[str, Any]) -> bool:
    """Return whether one target is given, or both ends of a range in order."""
    ends = {_LOW, _HIGH} & data.keys()
    if _TARGET in data:
        return not ends
    return len(ends) == 2 and bool(data[_LOW] <= data[_HIGH])


def _has_target(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a thermostat has the target or range asked for, and the mode if one is."""
    mode, one = data.get("hvac_mode"), data.get(_TARGET)
    if mode is not None and state.state != mode:
        return False
    attributes = state.attributes
    if one is not None and attributes.get(_TARGET) is None:
        return _is_range_around(state, one, before)
    return all(
        near(attributes.get(name), data[name], _TOLERANCE)
        for name in _TARGETS
        if data.get(name) is not None
    )


def _is_range_around(state: State, one: float, before: State | None) -> bool:
    """Return whether a thermostat with a range moved it around the single target asked for."""
    low, high = state.attributes.get(_LOW), state.attributes.get(_HIGH)
    if low is None or high is None or before is None:
        return False
    was = before.attributes.get(_LOW), before.attributes.get(_HIGH)
    is_new = (low, high) != was
    return bool(low <= one <= high and (is_new or near((low + high) / 2, one, _TOLERANCE)))


# Replies.


def _reply_target(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to a target temperature or a range."""
    data = call.data
    if _LOW in data:
        ends = {"low": words.temperature(data[_LOW]), "high": words.temperature(data[_HIGH])}
        return "set_range", ends
    return "set_temperature", {"value": words.temperature(data[_TARGET])}


def _reply_humidity(_words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to a target humidity; the unit is in the reply's text."""
    return "set_humidity", {"value": str(call.data["humidity"])}


# Planners of actions that one service call cannot express.


def _set_range(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that set a range; the two temperatures may come in any order.

    What only heats or cools now is to do both, where it can: it would ignore one end of the range.
    """
    low, high = sorted(float(wanted.parameters[name]) for name in ("low", "high"))
    able = require_any([state for state in states if _RANGE(state)], states)
    for value in (low, high):
        reaching = _RANGE_END.values_for(able, value)
        able = [state for state in able if state.entity_id in reaching]
    data = {_LOW: low, _HIGH: high}
    each = [
        (state.entity_id, "set_temperature", {**data, **_mode_for_range(state)}) for state in able
    ]
    return group_calls("climate", each)


def _mode_for_range(state: State) -> dict[str, str]:
    """Return the mode in which an entity keeps to a range, where it is in one that does not."""
    has_mode = Mode.HEAT_COOL in (state.attributes.get("hvac_modes") or ())
    keeps_to_it = state.state in {Mode.HEAT_COOL, Mode.AUTO}
    return {"hvac_mode": str(Mode.HEAT_COOL)} if has_mode and not keeps_to_it else {}


def _mode_towards(state: State, target: Any) -> str:
    """Return the mode in which an entity comes to a target temperature."""
    now = state.attributes.get("current_temperature")
    modes = state.attributes.get("hvac_modes") or ()
    is_cooler = is_number(now) and is_number(target) and target < now
    likely = (Mode.COOL, Mode.HEAT) if is_cooler else (Mode.HEAT, Mode.COOL)
    return next((str(mode) for mode in (*likely, Mode.HEAT_COOL, Mode.AUTO) if mode in modes), "")


def _mode_if_off(wanted: ActionInput, state: State) -> Mapping[str, Any]:
    """Return the mode to turn an entity on in (parameter `hvac_mode`), where it is off and has it.

    Without one what only heats is turned on for a target that it would have to heat to.
    """
    mode, target = wanted.parameters.get("hvac_mode"), wanted.parameters.get(_TARGET)
    if mode == STATE_ON or (mode is None and _has_to_heat(state, target)):
        mode = _mode_towards(state, target)
    has_mode = mode in (state.attributes.get("hvac_modes") or ())
    return {"hvac_mode": mode} if state.state == STATE_OFF and has_mode else {}


def _has_to_heat(state: State, target: Any) -> bool:
    """Return whether an entity heats and cools nothing, and its room is known to be colder than a target."""
    now = state.attributes.get("current_temperature")
    cools = any(supports_mode(state, mode) for mode in (Mode.COOL, Mode.DRY, Mode.HEAT_COOL))
    return not cools and is_number(now) and is_number(target) and now < target


def _change(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that make it warmer or cooler; what is off is turned on, where it can do so.

    Raises:
        IsOffError: all are off, and none of them can heat or cool as it is wanted.
    """
    able = require_any([state for state in states if _ONE(state)], states)
    by = float(wanted.parameters["by"])
    mode = Mode.HEAT if by > 0 else Mode.COOL
    running = [state for state in able if state.state != STATE_OFF]
    starting = [
        state
        for state in able
        if state.state == STATE_OFF and mode in (state.attributes.get("hvac_modes") or ())
    ]
    if any(state.state in ACTIVE_MODES[mode] for state in running):
        # Where something heats already, what is off stays off.
        starting = []
    if not (running or starting):
        raise IsOffError(able)
    moved = STEP.values_for(running, by)
    require_any([state for state in able if state in starting or state.entity_id in moved], states)
    each: list[tuple[str, str, dict[str, Any]]] = [
        (entity_id, "set_temperature", {_TARGET: value}) for entity_id, value in moved.items()
    ]
    for state in starting:
        each.append((state.entity_id, "set_hvac_mode", {"hvac_mode": str(mode)}))
        if not helps(state, by) and (value := from_current(state, by)) is not None:
            each.append((state.entity_id, "set_temperature", {_TARGET: value}))
    return group_calls("climate", each)


def _turn_on(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that turn entities on; one that heats and cools gets the mode that was named."""
    require_any(states, states)
    switched: list[State] = []
    moved: list[tuple[str, str, dict[str, Any]]] = []
    mode = wanted.mode
    for state in states:
        if mode and _can_heat_and_cool(state) and state.state not in ACTIVE_MODES[mode]:
            own = [mode, Mode.HEAT_COOL, Mode.AUTO]
            found = next(str(m) for m in own if m in state.attributes["hvac_modes"])
            moved.append((state.entity_id, "set_hvac_mode", {"hvac_mode": found}))
        else:
            switched.append(state)
    calls = group_calls("climate", moved)
    return calls + group_calls("climate", [(s.entity_id, "turn_on", {}) for s in switched])


def _turn_off(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that turn entities off, but not one that heats where cooling was named.

    Raises:
        OtherModeError: all of them are in the other mode.
    """
    mode = wanted.mode
    meant = [
        state
        for state in states
        if not mode
        or state.state in {STATE_OFF, *ACTIVE_MODES[mode]}
        or not _can_heat_and_cool(state)
    ]
    if states and not meant:
        raise OtherModeError(states, states[0].state)
    require_any(meant, states)
    return group_calls("climate", [(state.entity_id, "turn_off", {}) for state in meant])


def _can_heat_and_cool(state: State) -> bool:
    """Return whether a climate entity can both heat and cool."""
    return supports_mode(state, Mode.HEAT) and supports_mode(state, Mode.COOL)


# Undo.


def _undo_steps(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of a thermostat: mode, preset, target, settings, and off last."""
    mode = ("set_hvac_mode", {"hvac_mode": before.state})
    goes_off = STATE in changed and before.state == STATE_OFF
    if STATE in changed and not goes_off:
        yield mode
    preset = before.text("preset_mode")
    can_preset = features_of(state) & Feature.PRESET_MODE
    is_preset = "preset_mode" in changed and preset and can_preset
    if is_preset:
        yield "set_preset_mode", {"preset_mode": preset}
    # A preset sets its own target, and setting a target would end the preset.
    if not is_preset or preset == PRESET_NONE:
        yield from _target(before, state, changed, goes_off=goes_off)
    yield from restore_attributes(_SETTINGS, before, state, changed)
    if goes_off:
        yield mode


def _target(
    before: SavedState, state: State, changed: frozenset[str], *, goes_off: bool
) -> Iterator[UndoStep]:
    """Yield the undo step of the target temperature or range.

    Before turning off, only for a kind of target that the entity reports now: otherwise the integration
    may set another one.
    """
    one, low, high = (before.number(name) for name in _TARGETS)
    shows_one = state.attributes.get(_TARGET) is not None
    shows_range = state.attributes.get(_LOW) is not None
    if changed & {_LOW, _HIGH} and low is not None and high is not None:
        if shows_range or not goes_off:
            yield "set_temperature", {_LOW: low, _HIGH: high}
    elif _TARGET in changed and one is not None and (shows_one or not goes_off):
        yield "set_temperature", {_TARGET: one}


# Rows.


_MODES = (
    ("preset", Feature.PRESET_MODE),
    ("fan", Feature.FAN_MODE),
    ("swing", Feature.SWING_MODE),
    ("swing_horizontal", Feature.SWING_HORIZONTAL_MODE),
)
_SETTINGS = (
    *(
        Attribute(f"{name}_mode", service=f"set_{name}_mode", feature=feature)
        for name, feature in _MODES[1:]
    ),
    Attribute(
        "humidity",
        tolerance=1,
        service="set_humidity",
        feature=Feature.TARGET_HUMIDITY,
    ),
)


def _mode_service(name: str, able: Feature | None, attribute: str) -> Service:
    """Return the service that sets one of an entity's own modes; its field is `<name>_mode`."""
    field = f"{name}_mode"

    def said(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
        spoken = words.mode(str(call.data[field]), "" if attribute == STATE else attribute)
        return f"set_{field}", {"value": spoken}

    needed = has(able) if able else None
    modes = listed(f"{field}s")
    return setting_service(f"set_{field}", needed, field, modes, attribute=attribute, reply=said)


def _end(name: str) -> Parameter:
    """Return the parameter of a target temperature, with this name."""
    return Parameter(
        name,
        field=_TARGET,
        unit="°",
        low="min_temp",
        high="max_temp",
        default_range=(_LEAST, _MOST),
        must_reach=True,
        cast=float,
        commands=("degrees", "number") if name == _TARGET else (name,),
        measures="temperature" if name == _TARGET else "",
    )


_RANGE_END = _end("end")


def _choose(name: str, mode: str) -> Action:
    """Return the action `set_<name>` that sets a mode by its name."""
    return Action(
        f"set_{name}",
        f"set_{mode}",
        prompt_group="modes",
        prompt_line="a mode by name",
        parameters=(choice(mode, mode, f"{mode}s", measures=name, offers_all=True),),
        intents=(
            (
                Intent(
                    "HassClimateSetFanMode",
                    {"fan_mode": "fan_mode"},
                    features=Feature.FAN_MODE,
                    single_target=True,
                ),
            )
            if name == "fan"
            else ()
        ),
    )


CLIMATE = Domain(
    name="climate",
    agent_id="climate-agent",
    prompt_noun="thermostats and air conditioners",
    attributes=(
        Attribute(STATE, service="set_hvac_mode", field="hvac_mode", is_saved=False),
        *(Attribute(name, tolerance=_TOLERANCE, service="set_temperature") for name in _TARGETS),
        Attribute("preset_mode", service="set_preset_mode", feature=Feature.PRESET_MODE),
        *_SETTINGS,
    ),
    services=(
        Service("turn_on", has(Feature.TURN_ON), check=is_none_of(STATE_OFF)),
        Service("turn_off", has(Feature.TURN_OFF), check=IS_OFF),
        Service("toggle", has(Feature.TURN_ON | Feature.TURN_OFF), check=TOGGLED),
        Service(
            "set_temperature",
            has(Feature.TARGET_TEMPERATURE, Feature.TARGET_TEMPERATURE_RANGE),
            fields={
                _TARGET: needing(_ONE, _DEGREES),
                _LOW: needing(_RANGE, _DEGREES),
                _HIGH: needing(_RANGE, _DEGREES),
                "hvac_mode": listed("hvac_modes"),
            },
            rule=_one_target_or_a_range,
            check=OutcomeCheck(
                _has_target, (STATE, *_TARGETS), f"the target within {_TOLERANCE:g}"
            ),
            reply=_reply_target,
            warns_if_off=True,
            starts_by=frozenset({"hvac_mode"}),
        ),
        _mode_service("hvac", None, STATE),
        *(_mode_service(name, able, f"{name}_mode") for name, able in _MODES),
        setting_service(
            "set_humidity",
            has(Feature.TARGET_HUMIDITY),
            "humidity",
            number("min_humidity", "max_humidity", whole=True, unit="%"),
            tolerance=1,
            reply=_reply_humidity,
        ),
    ),
    actions=(
        Action(
            "set_temperature",
            "set_temperature",
            prompt_line="degrees to reach",
            capability=_ONE,
            parameters=(_end(_TARGET),),
            more_data=_mode_if_off,
            intents=(
                Intent(
                    "HassClimateSetTemperature",
                    {"temperature": _TARGET},
                    features=Feature.TARGET_TEMPERATURE,
                    single_target=True,
                ),
            ),
        ),
        Action(
            "change_temperature",
            "set_temperature",
            prompt_line="by degrees, above 0 is warmer, below 0 is colder",
            capability=_ONE,
            parameters=(STEP,),
            plan_calls=_change,
        ),
        Action(
            "set_range",
            "set_temperature",
            prompt_line="low and high degrees",
            capability=_RANGE,
            parameters=(_end("low"), _end("high")),
            plan_calls=_set_range,
        ),
        _choose("mode", "hvac_mode"),
        _choose("preset", "preset_mode"),
        _choose("fan", "fan_mode"),
        _choose("swing", "swing_mode"),
        Action(
            "set_humidity",
            "set_humidity",
            prompt_line="percent",
            capability=has(Feature.TARGET_HUMIDITY),
            parameters=(
                Parameter(
                    "humidity",
                    field="humidity",
                    unit="%",
                    low=0,
                    high=100,
                    cast=int,
                    measures="humidity",
                ),
            ),
            required_words="humidity",
        ),
        *SETTINGS,
        *(
            Action(
                name,
                name,
                prompt_group="switch",
                plan_calls=calls,
                intents=(Intent(intent),),
                commands=frozenset({name, *commands}),
            )
            for name, calls, intent, commands in (
                ("turn_on", _turn_on, "HassTurnOn", ()),
                ("turn_off", _turn_off, "HassTurnOff", ("stop",)),
            )
        ),
        Action(
            "toggle",
            "toggle",
            is_offered=False,
            intents=(Intent("HassToggle"),),
            commands=frozenset({"toggle"}),
            is_repeatable=True,
        ),
    ),
    step_sizes=StepSizes(
        action="change_temperature",
        sizes={"little": 1, "": 1, "much": 2},
        words=("warmer", "cooler"),
        sets=("set_temperature", _TARGET),
        max_step=15,
        allows_fractions=True,
    ),
    plan_undo=_undo_steps,
    effects=EFFECTS,
    implies=implied_modes,
    policy_groups={_TARGET: _TARGETS},
)
"""Table of climate entities."""

"""What thermostats and air conditioners can do."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from homeassistant.components.climate import (
    PRESET_NONE,
    ClimateEntityFeature as Feature,
    HVACMode as Mode,
)
from homeassistant.const import STATE_OFF
from homeassistant.core import State

from .checks import IS_OFF, STATE, TOGGLED, Check, is_none_of, near
from .fields import features_of, has, listed, needing, number
from .models import ToolCall
from .table import (
    Action,
    Attribute,
    Domain,
    Intent,
    Kept,
    Kind,
    OtherModeError,
    Parameter,
    Service,
    Spoken,
    Step,
    Steps,
    Wanted,
    Words,
    grouped,
    need,
    setting,
    values_back,
)

_TARGET, _LOW, _HIGH = "temperature", "target_temp_low", "target_temp_high"
_TARGETS = (_TARGET, _LOW, _HIGH)
_TOLERANCE = 0.3
_ONE = has(Feature.TARGET_TEMPERATURE)
_RANGE = has(Feature.TARGET_TEMPERATURE_RANGE)
_DEGREES = number("min_temp", "max_temp", unit="°")
# What an entity reaches that does not tell it, in °C.
_LEAST, _MOST = 7, 35

# What only moves or dries air is no heating.
_AIRY = frozenset({Mode.DRY, Mode.FAN_ONLY})
AT_WORK: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        Mode.HEAT: frozenset({Mode.HEAT, Mode.HEAT_COOL, Mode.AUTO}),
        Mode.COOL: frozenset({Mode.COOL, Mode.HEAT_COOL, Mode.AUTO, *_AIRY}),
    }
)
"""The modes in which a device heats, and those in which it cools, by "heat" and "cool"."""


def can_be(state: State, mode: str) -> bool:
    """Return whether a climate entity can heat, or cool, by its modes; `mode` is "heat" or "cool".

    "Auto" says nothing of itself: many a radiator has it.
    """
    modes = {str(own) for own in state.attributes.get("hvac_modes") or ()}
    heats = bool(modes & {Mode.HEAT, Mode.HEAT_COOL})
    cools = bool(modes & {Mode.COOL, Mode.HEAT_COOL})
    if mode == Mode.HEAT:
        return heats or (Mode.AUTO in modes and not cools)
    return cools or (bool(modes & {Mode.AUTO, *_AIRY}) and not heats)


# What goes together, and how it shows that it was done.


def _one_target_or_a_range(data: Mapping[str, Any]) -> bool:
    """Return whether one temperature is given, or both ends of a range in their order."""
    ends = {_LOW, _HIGH} & data.keys()
    if _TARGET in data:
        return not ends
    return len(ends) == 2 and bool(data[_LOW] <= data[_HIGH])


def _has_target(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a thermostat has its target, single or a range, and its mode if one is asked."""
    mode, one = data.get("hvac_mode"), data.get(_TARGET)
    if mode is not None and state.state != mode:
        return False
    attributes = state.attributes
    if one is not None and attributes.get(_TARGET) is None:
        return _lies_around(state, one, before)
    return all(
        near(attributes.get(name), data[name], _TOLERANCE)
        for name in _TARGETS
        if data.get(name) is not None
    )


def _lies_around(state: State, one: float, before: State | None) -> bool:
    """Return whether a thermostat that holds a range moved it to lie around a single target."""
    low, high = state.attributes.get(_LOW), state.attributes.get(_HIGH)
    if low is None or high is None or before is None:
        return False
    was = before.attributes.get(_LOW), before.attributes.get(_HIGH)
    is_new = (low, high) != was
    return bool(low <= one <= high and (is_new or near((low + high) / 2, one, _TOLERANCE)))


# What is said of it.


def _said_target(words: Words, call: ToolCall) -> Spoken:
    """Return the reply to a target, a temperature or a range."""
    data = call.data
    if _LOW in data:
        ends = {"low": words.temperature(data[_LOW]), "high": words.temperature(data[_HIGH])}
        return "set_range", ends
    return "set_temperature", {"value": words.temperature(data[_TARGET])}


def _said_humidity(_words: Words, call: ToolCall) -> Spoken:
    """Return the reply to a humidity; its text has the unit."""
    return "set_humidity", {"value": str(call.data["humidity"])}


# How what one service cannot say is planned.


def _set_range(wanted: Wanted, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that sets a range; which number is the lower does not matter."""
    low, high = sorted(float(wanted.parameters[name]) for name in ("low", "high"))
    able = need([state for state in states if _RANGE(state)], states)
    for value in (low, high):
        reaching = _RANGE_END.takers(able, value)
        able = [state for state in able if state.entity_id in reaching]
    data = {_LOW: low, _HIGH: high}
    return grouped("climate", [(state.entity_id, "set_temperature", data) for state in able])


def _turn_on(wanted: Wanted, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that turn things on; what could do either does what was said, heat or cool."""
    need(states, states)
    switched: list[State] = []
    moved: list[tuple[str, str, dict[str, Any]]] = []
    mode = wanted.mode
    for state in states:
        if mode and _can_heat_and_cool(state) and state.state not in AT_WORK[mode]:
            own = [mode, Mode.HEAT_COOL, Mode.AUTO]
            found = next(str(m) for m in own if m in state.attributes["hvac_modes"])
            moved.append((state.entity_id, "set_hvac_mode", {"hvac_mode": found}))
        else:
            switched.append(state)
    calls = grouped("climate", moved)
    return calls + grouped("climate", [(s.entity_id, "turn_on", {}) for s in switched])


def _turn_off(wanted: Wanted, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that turns things off, but not what heats where cooling is to end.

    Raises:
        OtherModeError: all of them do the other thing.
    """
    mode = wanted.mode
    meant = [
        state
        for state in states
        if not mode or state.state in {STATE_OFF, *AT_WORK[mode]} or not _can_heat_and_cool(state)
    ]
    if states and not meant:
        raise OtherModeError(states, states[0].state)
    need(meant, states)
    return grouped("climate", [(state.entity_id, "turn_off", {}) for state in meant])


def _can_heat_and_cool(state: State) -> bool:
    """Return whether a thing can do both."""
    return can_be(state, Mode.HEAT) and can_be(state, Mode.COOL)


# How it is put back.


def _put_back(before: Kept, state: State, changed: frozenset[str]) -> Iterator[Step]:
    """Yield the steps for a thermostat: mode, preset, target, the rest; off comes last."""
    mode = ("set_hvac_mode", {"hvac_mode": before.state})
    goes_off = STATE in changed and before.state == STATE_OFF
    if STATE in changed and not goes_off:
        yield mode
    preset = before.text("preset_mode")
    can_preset = features_of(state) & Feature.PRESET_MODE
    is_preset = "preset_mode" in changed and preset and can_preset
    if is_preset:
        yield "set_preset_mode", {"preset_mode": preset}
    # A preset brings a target, and a target of its own would end it.
    if not is_preset or preset == PRESET_NONE:
        yield from _target(before, state, changed, goes_off=goes_off)
    yield from values_back(_SETTINGS, before, state, changed)
    if goes_off:
        yield mode


def _target(
    before: Kept, state: State, changed: frozenset[str], *, goes_off: bool
) -> Iterator[Step]:
    """Yield the step to a thermostat's target, one temperature or a range.

    Where it is about to go off, only if it shows such a target now: one that does not would take
    it for something else.
    """
    one, low, high = (before.number(name) for name in _TARGETS)
    shows_one = state.attributes.get(_TARGET) is not None
    shows_range = state.attributes.get(_LOW) is not None
    if changed & {_LOW, _HIGH} and low is not None and high is not None:
        if shows_range or not goes_off:
            yield "set_temperature", {_LOW: low, _HIGH: high}
    elif _TARGET in changed and one is not None and (shows_one or not goes_off):
        yield "set_temperature", {_TARGET: one}


# Its rows.


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
        in_scenes=True,
    ),
)


def _mode_service(name: str, able: Feature | None, attribute: str) -> Service:
    """Return the service that chooses one of an entity's own modes."""
    field = f"{name}_mode"

    def said(words: Words, call: ToolCall) -> Spoken:
        spoken = words.mode(str(call.data[field]), "" if attribute == STATE else attribute)
        return f"set_{field}", {"value": spoken}

    needed = has(able) if able else None
    modes = listed(f"{field}s")
    return setting(f"set_{field}", needed, field, modes, attribute=attribute, reply=said)


def _end(name: str) -> Parameter:
    """Return a temperature to reach, as a parameter with this name."""
    return Parameter(
        name,
        field=_TARGET,
        unit="°",
        low="min_temp",
        high="max_temp",
        ends=(_LEAST, _MOST),
        is_reached=True,
        cast=float,
        commands=("degrees", "number") if name == _TARGET else (),
    )


_RANGE_END = _end("end")


def _choose(name: str, mode: str) -> Action:
    """Return the action that chooses a mode by name."""
    return Action(
        f"set_{name}",
        f"set_{mode}",
        group="modes",
        line="a mode by name",
        parameters=(
            Parameter(mode, kind=Kind.CHOICE, field=mode, options=f"{mode}s", offers_all=True),
        ),
        intents=(
            (
                Intent(
                    "HassClimateSetFanMode",
                    {"fan_mode": "fan_mode"},
                    features=Feature.FAN_MODE,
                    single=True,
                ),
            )
            if name == "fan"
            else ()
        ),
    )


CLIMATE = Domain(
    name="climate",
    article="thermostats and air conditioners",
    attributes=(
        Attribute(STATE, service="set_hvac_mode", field="hvac_mode", in_scenes=True, is_kept=False),
        *(
            Attribute(name, tolerance=_TOLERANCE, service="set_temperature", in_scenes=True)
            for name in _TARGETS
        ),
        Attribute(
            "preset_mode", service="set_preset_mode", feature=Feature.PRESET_MODE, in_scenes=True
        ),
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
            check=Check(_has_target, (STATE, *_TARGETS), f"the target within {_TOLERANCE:g}"),
            reply=_said_target,
            notes_off=True,
        ),
        _mode_service("hvac", None, STATE),
        *(_mode_service(name, able, f"{name}_mode") for name, able in _MODES),
        setting(
            "set_humidity",
            has(Feature.TARGET_HUMIDITY),
            "humidity",
            number("min_humidity", "max_humidity", whole=True, unit="%"),
            tolerance=1,
            reply=_said_humidity,
        ),
    ),
    actions=(
        Action(
            "set_temperature",
            "set_temperature",
            line="degrees to reach",
            able=_ONE,
            parameters=(_end(_TARGET),),
            intents=(
                Intent(
                    "HassClimateSetTemperature",
                    {"temperature": _TARGET},
                    features=Feature.TARGET_TEMPERATURE,
                    single=True,
                ),
            ),
        ),
        Action(
            "change_temperature",
            "set_temperature",
            line="by degrees, above 0 is warmer, below 0 is colder",
            able=_ONE,
            parameters=(
                Parameter(
                    "by",
                    kind=Kind.STEP,
                    field=_TARGET,
                    unit="°",
                    attribute=_TARGET,
                    low="min_temp",
                    high="max_temp",
                    steps=(1, 2),
                    widest=5,
                ),
            ),
        ),
        Action(
            "set_range",
            "set_temperature",
            line="low and high degrees",
            able=_RANGE,
            parameters=(_end("low"), _end("high")),
            calls=_set_range,
        ),
        _choose("mode", "hvac_mode"),
        _choose("preset", "preset_mode"),
        _choose("fan", "fan_mode"),
        _choose("swing", "swing_mode"),
        Action(
            "set_humidity",
            "set_humidity",
            line="percent",
            able=has(Feature.TARGET_HUMIDITY),
            parameters=(
                Parameter("humidity", field="humidity", unit="%", low=0, high=100, cast=int),
            ),
            only_named="humidity",
        ),
        *(
            Action(
                name,
                name,
                group="switch",
                calls=calls,
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
    steps=Steps(
        action="change_temperature",
        sizes={"little": 1, "": 1, "much": 2},
        words=("warmer", "cooler"),
        sets=("set_temperature", _TARGET),
        widest=5,
        is_fine=True,
    ),
    put_back=_put_back,
    together={_TARGET: _TARGETS},
)
"""The table of thermostats and air conditioners."""

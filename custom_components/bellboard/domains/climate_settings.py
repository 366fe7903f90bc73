"""Modes of thermostats: those asked for without their names, what their services switch to, and swinging."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
import re
from types import MappingProxyType
from typing import Any

from homeassistant.components.climate import (
    ATTR_SWING_MODE,
    ATTR_SWING_MODES,
    PRESET_NONE,
    SWING_OFF,
    SWING_ON,
    ClimateEntityFeature as Feature,
    HVACMode as Mode,
)
from homeassistant.components.fan import ATTR_OSCILLATING
from homeassistant.const import STATE_OFF
from homeassistant.core import State

from .actions import (
    Action,
    ActionInput,
    CallPlanner,
    Parameter,
    ParameterKind,
    group_calls,
    require_any,
)
from .effects import Effect, always, on_off, where
from .models import StateLike, ToolCall
from .services import has, is_number

# Modes in which the air is not moved to and fro, as integrations write them.
_STILL = frozenset({SWING_OFF, "stop", "stopped", "fixed"})


def swings(state: State) -> bool:
    """Return whether a fan or an air conditioner swings."""
    if ATTR_OSCILLATING in state.attributes:
        return bool(state.attributes[ATTR_OSCILLATING])
    mode = state.attributes.get(ATTR_SWING_MODE)
    return mode is not None and str(mode).casefold() not in _STILL


def swing_mode(state: State, *, on: bool) -> str | None:
    """Return the mode of an air conditioner that turns swinging on or off; None where there is none."""
    modes = [str(mode) for mode in state.attributes.get(ATTR_SWING_MODES) or ()]
    still = [mode for mode in modes if mode.casefold() in _STILL]
    if not on:
        return next(iter(still), None)
    places = swing_positions(modes)
    swinging = [mode for mode in modes if mode not in still and mode not in places]
    return SWING_ON if SWING_ON in swinging else next(iter(swinging or places), None)


# Modes that neither heat nor cool, but end with "turn off the air conditioner".
_AIR_MODES = frozenset({Mode.DRY, Mode.FAN_ONLY})
ACTIVE_MODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        Mode.HEAT: frozenset({Mode.HEAT, Mode.HEAT_COOL, Mode.AUTO}),
        Mode.COOL: frozenset({Mode.COOL, Mode.HEAT_COOL, Mode.AUTO, *_AIR_MODES}),
    }
)
"""HVAC modes in which a device is heating or cooling, by "heat" and "cool"."""


def supports_mode(state: State, mode: str) -> bool:
    """Return whether a climate entity can heat or cool (`mode` is "heat" or "cool"), by its HVAC modes.

    "auto" alone counts only where no mode says otherwise: many radiators have it.
    """
    modes = {str(own) for own in state.attributes.get("hvac_modes") or ()}
    heats = bool(modes & {Mode.HEAT, Mode.HEAT_COOL})
    cools = bool(modes & {Mode.COOL, Mode.HEAT_COOL})
    if mode == Mode.HEAT:
        return heats or (Mode.AUTO in modes and not cools)
    return cools or (bool(modes & {Mode.AUTO, *_AIR_MODES}) and not heats)


# Names of fan levels as integrations write them, the slowest first; those in one row are alike.
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("quiet", "silent", "silence", "whisper", "diffuse", "night", "sleep", "breeze"),
    ("lowest", "min", "minimum", "very low", "verylow"),
    ("low", "slow"),
    ("low mid", "lowmid", "low medium", "medium low", "mediumlow"),
    ("mid", "medium", "middle", "med", "normal", "standard"),
    ("mid high", "midhigh", "medium high", "mediumhigh"),
    ("high", "fast"),
    ("highest", "max", "maximum", "very high", "veryhigh"),
    ("strong", "turbo", "powerful", "power", "boost", "full"),
)
_RANKS = {name: rank for rank, names in enumerate(_LEVELS) for name in names}
_SEPARATORS = re.compile(r"[\W_]+")
_NUMBERED = re.compile(r"(?:level|speed|stage|fan)?\s?(\d{1,2})")
# Names of the preset that follows a device's own programme.
_SCHEDULES = ("schedule", "scheduled", "program", "programme", "follow schedule", "auto")


def _plain(name: str) -> str:
    """Return a name as it is compared: "Low-Mid" is "low mid"."""
    return _SEPARATORS.sub(" ", name.casefold()).strip()


def fan_levels(modes: Sequence[str]) -> list[str]:
    """Return the fan modes that are levels, the slowest first; "auto", "on" and others of no known speed are none."""
    numbers = {mode: int(m[1]) for mode in modes if (m := _NUMBERED.fullmatch(_plain(mode)))}
    if len(numbers) > 1:
        return sorted(numbers, key=lambda mode: numbers[mode])
    ranks = {mode: _RANKS[name] for mode in modes if (name := _plain(mode)) in _RANKS}
    return sorted(ranks, key=lambda mode: ranks[mode])


def next_fan_level(state: State, by: int) -> str | None:
    """Return the fan mode so many levels above the present one, or below; None where the modes are no levels.

    A fan whose mode is no level ("auto") goes up to the highest, and down to the lowest.
    """
    levels = fan_levels([str(mode) for mode in state.attributes.get("fan_modes") or ()])
    if len(levels) < 2:
        return None
    now = str(state.attributes.get("fan_mode"))
    if now not in levels:
        return levels[-1 if by > 0 else 0]
    return levels[min(max(levels.index(now) + by, 0), len(levels) - 1)]


# Names of the positions of an air conditioner's vane as integrations write them, the lowest first.
_POSITIONS: tuple[tuple[str, ...], ...] = (
    ("bottom", "lower", "lowest", "down", "low"),
    ("lower middle", "middle bottom", "middle lower", "middle low"),
    ("middle", "mid", "center", "centre"),
    ("upper middle", "middle top", "middle upper", "middle high"),
    ("top", "upper", "highest", "up", "high"),
)
_HEIGHTS = {name: rank for rank, names in enumerate(_POSITIONS) for name in names}


def swing_positions(modes: Sequence[str]) -> list[str]:
    """Return the swing modes that hold the vane in one place, the lowest first; none where there is only one."""
    names = {mode: _plain(mode).removeprefix("fixed").strip() for mode in modes}
    found = sorted(
        (mode for mode in modes if names[mode] in _HEIGHTS), key=lambda m: _HEIGHTS[names[m]]
    )
    return found if len(found) > 1 else []


def _next_position(state: State, by: int) -> str | None:
    """Return the swing mode one place above the present one, or below; None where the modes are no places.

    From swinging the vane goes to the top, or to the bottom.
    """
    places = swing_positions([str(mode) for mode in state.attributes.get(ATTR_SWING_MODES) or ()])
    now = str(state.attributes.get(ATTR_SWING_MODE))
    if not places or now not in places:
        return places[-1 if by > 0 else 0] if places else None
    return places[min(max(places.index(now) + by, 0), len(places) - 1)]


def _mode_planner(setting: str, choose: Callable[[State], str | None]) -> CallPlanner:
    """Return what plans entities to be set to the mode that is chosen for each: its `setting` is "fan" or "swing"."""

    def plan(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
        found = {state.entity_id: choose(state) for state in states}
        require_any([state for state in states if found[state.entity_id]], states)
        name = f"{setting}_mode"
        each = [(key, f"set_{name}", {name: mode}) for key, mode in found.items() if mode]
        return group_calls("climate", each)

    return plan


def _schedule_call(state: State) -> tuple[str, str, dict[str, str]] | None:
    """Return entity id, service and data that let a thermostat follow its own programme again; None where it has none.

    That is a preset for it, else the mode "auto", else the end of the preset that was chosen by hand.
    """
    presets = [str(preset) for preset in state.attributes.get("preset_modes") or ()]
    names = {_plain(preset): preset for preset in reversed(presets)}
    if named := next((names[name] for name in _SCHEDULES if name in names), None):
        return state.entity_id, "set_preset_mode", {"preset_mode": named}
    if Mode.AUTO in (state.attributes.get("hvac_modes") or ()):
        return state.entity_id, "set_hvac_mode", {"hvac_mode": str(Mode.AUTO)}
    if PRESET_NONE in presets:
        return state.entity_id, "set_preset_mode", {"preset_mode": PRESET_NONE}
    return None


def _plan_schedule(_wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the calls that let thermostats follow their own programme again."""
    each = [call for state in states if (call := _schedule_call(state))]
    able = {entity_id for entity_id, *_ in each}
    require_any([state for state in states if state.entity_id in able], states)
    return group_calls("climate", each)


def _setting(
    name: str,
    service: str | tuple[str, ...],
    planner: CallPlanner,
    feature: Feature | None,
    *commands: str,
    wears_off: bool = True,
) -> Action:
    """Return an action that the words alone ask for; small models choose the mode by its name instead."""
    return Action(
        name,
        service,
        capability=has(feature) if feature else None,
        plan_calls=planner,
        is_offered=False,
        commands=frozenset(commands),
        is_repeatable=not wears_off,
    )


SETTINGS: tuple[Action, ...] = (
    _setting(
        "fan_up",
        "set_fan_mode",
        _mode_planner("fan", lambda state: next_fan_level(state, 1)),
        Feature.FAN_MODE,
        "fan_up",
        "faster",
        wears_off=False,
    ),
    _setting(
        "fan_down",
        "set_fan_mode",
        _mode_planner("fan", lambda state: next_fan_level(state, -1)),
        Feature.FAN_MODE,
        "fan_down",
        "slower",
        wears_off=False,
    ),
    _setting(
        "swing",
        "set_swing_mode",
        _mode_planner("swing", lambda state: swing_mode(state, on=True)),
        Feature.SWING_MODE,
        "oscillate",
    ),
    _setting(
        "stop_swinging",
        "set_swing_mode",
        _mode_planner("swing", lambda state: swing_mode(state, on=False)),
        Feature.SWING_MODE,
        "stop_oscillating",
    ),
    *(
        _setting(
            name,
            "set_swing_mode",
            _mode_planner("swing", partial(_next_position, by=by)),
            Feature.SWING_MODE,
            name,
            wears_off=False,
        )
        for name, by in (("swing_up", 1), ("swing_down", -1))
    ),
    _setting(
        "follow_schedule",
        ("set_preset_mode", "set_hvac_mode"),
        _plan_schedule,
        None,
        "follow_schedule",
    ),
)
"""Actions of the climate table that choose a mode by what the entity is set to now."""


# Warmer and cooler.

STEP = Parameter(
    "by",
    kind=ParameterKind.STEP,
    field="temperature",
    unit="°",
    attribute="temperature",
    low="min_temp",
    high="max_temp",
    step_sizes=(1, 2),
    max_step=5,
)
"""By how many degrees it is to be warmer or cooler."""


def helps(state: State, by: float) -> bool:
    """Return whether an entity that is turned on makes it warmer or cooler with the target that it has."""
    now, target = state.attributes.get("current_temperature"), state.attributes.get("temperature")
    if not is_number(now) or not is_number(target):
        return True
    return (target - now) * by > 0


def from_current(state: State, by: float) -> float | None:
    """Return the temperature now after a step, None where it is not known."""
    now = state.attributes.get("current_temperature")
    if not is_number(now):
        return None
    low, high = STEP.range_of(state)
    moved = round(now + by)
    return min(max(moved, low if low is not None else moved), high if high is not None else moved)


# Policies.


def implied_modes(service: str, state: StateLike | None) -> Mapping[str, tuple[Any, ...]]:
    """Return the modes that a service may switch to without naming one."""
    if service == "turn_off":
        return {"hvac_mode": (STATE_OFF,)}
    if service not in {"turn_on", "toggle"}:
        return {}
    modes = state.attributes.get("hvac_modes") if state else None
    known = modes if isinstance(modes, list | tuple) else tuple(Mode)
    return {
        "hvac_mode": tuple(str(m) for m in known if service == "toggle" or m != STATE_OFF),
    }


_SWITCHES_ON = where("hvac_mode", lambda mode: mode != STATE_OFF)
_SWITCHES_OFF = where("hvac_mode", lambda mode: mode == STATE_OFF)
EFFECTS = (
    *on_off(
        turns_on={"set_hvac_mode": _SWITCHES_ON, "set_temperature": _SWITCHES_ON},
        turns_off={"set_hvac_mode": _SWITCHES_OFF, "set_temperature": _SWITCHES_OFF},
    ),
    # A preset brings a target temperature of its own.
    Effect({"set_temperature": always}, also={"set_preset_mode": always}),
)
"""What the services of thermostats bring about."""

"""Levels that only an entity knows: those of a fan ("level 3"), the ends of a range ("to the maximum")."""

from dataclasses import replace

from homeassistant.components.fan import ATTR_PERCENTAGE, ATTR_PERCENTAGE_STEP
from homeassistant.core import State

from ..domains.climate_settings import (
    STEP,
    fan_levels,
    next_fan_level,
    supports_mode,
    swing_positions,
)
from ..domains.commands import as_number
from .frame_models import Frame
from .measures import LEVELS, read_measure

LEVEL_UNIT = "levels"
"""Unit of the levels of a fan: "level 3", "two levels up"."""

_FAN, _CLIMATE, _TEMPERATURE = "fan", "climate", "temperature"
# Levels in percent that are the ends of any range.
_LEAST, _HALF, _MOST = 1, 50, 100
# So many levels are a bit more, or less.
_FEW = 2
# A fan has levels of its own where each is at least so many percent.
_FINE = 10
# What a fan's levels may be called, by domain.
_ATTRIBUTES = {_FAN: frozenset({"", "speed", "fan"}), _CLIMATE: frozenset({"fan"})}
# Attributes whose modes have an order, with what lists them and what orders them.
_MODES = {_FAN: ("fan_modes", fan_levels), "swing": ("swing_modes", swing_positions)}
# Moves and verbs that go down, and up.
_DOWN = frozenset({"down", "slower", "darker", "quieter", "dim", "lower", "close"})
_UP = frozenset({"up", "faster", "brighter", "louder", "brighten", "raise", "open"})
# Domains whose level is how far they are open.
_POSITIONED = frozenset({"cover", "valve"})


def counts_levels(frame: Frame, domain: str) -> bool:
    """Return whether a frame may be for a level by its number, of what has levels in a domain."""
    is_own = frame.attribute in _ATTRIBUTES.get(domain, ()) and _says_whose(frame, domain)
    is_number = frame.number is not None and frame.unit in {"", LEVEL_UNIT}
    is_least = domain == _FAN and frame.level == _LEAST and not frame.is_step
    return is_own and (is_number or is_least or _is_by_amount(frame, domain))


def _is_by_amount(frame: Frame, domain: str) -> bool:
    """Return whether a fan is to be a bit faster or slower, which is by levels of its own."""
    is_moved = bool({frame.move, frame.verb} & (_UP | _DOWN))
    return domain == _FAN and bool(frame.amount) and is_moved and not frame.has_value


def by_amount(frame: Frame, domain: str) -> Frame:
    """Return a frame in which two levels more of what has no levels are a bit more, and several are much more."""
    is_counted = frame.unit == LEVEL_UNIT and frame.is_step and frame.attribute != _FAN
    if domain == _FAN or not is_counted:
        return frame
    amount = "little" if (frame.number or 0) <= _FEW else "much"
    return replace(frame, number=None, unit="", is_step=False, amount=amount)


def is_end(frame: Frame, domain: str) -> bool:
    """Return whether a frame is for the lowest or the highest that an air conditioner or a thermostat has."""
    is_own = domain == _CLIMATE and frame.attribute in {"", _TEMPERATURE, *_MODES}
    is_own &= _says_whose(frame, domain)
    return is_own and frame.level in {_LEAST, _MOST} and not frame.options


def _says_whose(frame: Frame, domain: str) -> bool:
    """Return whether it is said that a fan is the one of an air conditioner: "the fan" alone is a device."""
    is_alone = frame.what.is_only_place or frame.what.is_empty
    return domain != _CLIMATE or frame.attribute != _FAN or not is_alone


def is_by_level(frame: Frame, domain: str) -> bool:
    """Return whether only an entity of a domain could tell the value that a frame asks for."""
    is_level = frame.unit == LEVEL_UNIT or (frame.attribute == _FAN and not frame.unit)
    return (frame.number is not None and is_level) or is_end(frame, domain)


def level_reached(level: int, verb: str, move: str, *, is_to_value: bool) -> int:
    """Return the level that a way ends at: the most of the way down is the least ("down as far as it goes")."""
    is_down = level == _MOST and not is_to_value and not _DOWN.isdisjoint({move, verb})
    return _LEAST if is_down else level


def is_by_fraction(frame: Frame) -> bool:
    """Return whether a frame changes something by a fraction of what it is: "by a quarter", "down a quarter"."""
    is_part = frame.level not in {_LEAST, _HALF, _MOST} and not frame.is_to_value
    is_moved = is_part and bool({frame.move, frame.verb} & (_UP | _DOWN))
    return frame.level is not None and (frame.is_step or is_moved)


def own_level(frame: Frame, state: State) -> Frame:
    """Return a frame with the value of an entity's own that its level, its factor or its number stands for."""
    if state.domain in _POSITIONED and frame.level is not None:
        return _of_position(frame, state)
    if is_by_fraction(frame):
        factor = 1 + _direction(frame) * (frame.level or 0) / 100
        frame = replace(frame, is_step=False, level=None, factor=factor)
    if frame.factor:
        return _multiplied(frame, frame.factor, state)
    if is_end(frame, state.domain):
        return (
            _at_end_of_modes(frame, state) if frame.attribute in _MODES else _at_end(frame, state)
        )
    if counts_levels(frame, state.domain):
        return _of_fan(frame, state) if state.domain == _FAN else _of_fan_mode(frame, state)
    return frame


def _of_position(frame: Frame, state: State) -> Frame:
    """Return a frame with the position of a fraction: "down three quarters" leaves a quarter open.

    Where this would be the other way it is a step, and so is "by a third".
    """
    way, level = _direction(frame), frame.level or 0
    if level == _LEAST and way < 0 and not frame.is_to_value:
        # "Down as far as it goes"
        return replace(frame, level=0)
    if frame.is_to_value or level == _LEAST:
        return frame
    goal = level if way > 0 else _MOST - level
    now = as_number(state.attributes.get("current_position"))
    is_back = is_by_fraction(frame) and now is not None and (goal - now) * way <= 0
    if frame.is_step or is_back:
        return replace(frame, level=None, number=level, unit="percent", is_step=True)
    return replace(frame, level=goal)


def _multiplied(frame: Frame, factor: float, state: State) -> Frame:
    """Return a frame with the level of an entity times a factor: "half as bright"."""
    level = read_measure(state, LEVELS.get(state.domain, ""))
    if level is None:
        # What is off is told to be so.
        move = "down" if factor < 1 else "up"
        return replace(frame, factor=None, move=move, verb="")
    number = float(min(max(round(level * factor), 1), 100))
    return replace(frame, factor=None, number=number, unit="percent")


def _at_end(frame: Frame, state: State) -> Frame:
    """Return a frame with the end of a thermostat's range; of what cools, only where the temperature is spoken of."""
    low, high = STEP.range_of(state)
    limit = low if frame.level == _LEAST else high
    cools = state.state == "cool" or supports_mode(state, "cool")
    if limit is None or (cools and not frame.attribute):
        return frame
    return replace(frame, level=None, number=limit, unit="degrees")


def _at_end_of_modes(frame: Frame, state: State) -> Frame:
    """Return a frame with the first or the last of an air conditioner's modes; where they have no order, it stays."""
    attribute, ordered = _MODES[frame.attribute]
    modes = ordered([str(mode) for mode in state.attributes.get(attribute) or ()])
    return _choosing(frame, modes[0 if frame.level == _LEAST else -1]) if len(modes) > 1 else frame


def _choosing(frame: Frame, mode: str) -> Frame:
    """Return a frame with a mode in place of its value."""
    chosen = (frozenset({mode.casefold()}),)
    return replace(
        frame, verb="", move="", is_step=False, number=None, level=None, unit="", options=chosen
    )


def _of_fan(frame: Frame, state: State) -> Frame:
    """Return a frame with the speed in percent of a level; a bare number that is none of its levels stays."""
    size = as_number(state.attributes.get(ATTR_PERCENTAGE_STEP))
    if frame.amount and not frame.has_value:
        if size is None or size < _FINE:
            return frame
        frame = replace(frame, is_step=True, number=1.0 if frame.amount == "little" else 2.0)
        frame = replace(frame, amount="", unit=LEVEL_UNIT)
    elif frame.level is not None:
        # "On the lowest"
        frame = replace(frame, level=None, number=1.0, unit=LEVEL_UNIT)
    number = frame.number or 0
    count = round(100 / size) if size else 0
    if size is None or not count or (not frame.unit and number > count):
        return frame
    level = round(number)
    if frame.is_step:
        now = as_number(state.attributes.get(ATTR_PERCENTAGE)) or 0
        level = max(round(now / size) + level * _direction(frame), 1)
    percent = min(round(level * size), 100)
    verb = "" if frame.is_step else frame.verb
    return replace(frame, verb=verb, move="", is_step=False, number=float(percent), unit="percent")


def _of_fan_mode(frame: Frame, state: State) -> Frame:
    """Return a frame with the fan mode of an air conditioner's level; where it has no levels, it stays."""
    modes = fan_levels([str(mode) for mode in state.attributes.get("fan_modes") or ()])
    number = round(frame.number or 0)
    if frame.is_step:
        mode = next_fan_level(state, number * _direction(frame))
    else:
        mode = modes[min(number, len(modes)) - 1] if len(modes) > 1 and number else None
    return _choosing(frame, mode) if mode else frame


def _direction(frame: Frame) -> int:
    """Return which way a step goes: 1 is up, -1 down."""
    return -1 if {frame.move, frame.verb} & _DOWN else 1

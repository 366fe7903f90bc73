"""The values of a call as rules look at them: what they come to, and how they are brought into bounds.

A lamp made brighter "by 20" has a brightness in the end, and that is what a rule is about.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
import math
from types import MappingProxyType
from typing import Any, Protocol

from .fields import Scalar, comparable
from .rules import Bounds, Range

# The values of a call that are temperatures, so that no rule for one is passed by with another.
_TEMPERATURES = ("temperature", "target_temp_high", "target_temp_low")
# How a full brightness is written in each of its units, and how a step in it.
_BRIGHTNESS: Mapping[str, tuple[float, str]] = MappingProxyType(
    {"brightness_pct": (100, "brightness_step_pct"), "brightness": (255, "brightness_step")}
)
_BRIGHTNESS_FIELDS = frozenset({*_BRIGHTNESS, *(step for _, step in _BRIGHTNESS.values())})
_FULL = 255
_VOLUME = "volume_level"
_VOLUME_SET = "media_player.volume_set"
# What Home Assistant takes for a step where a player has none of its own.
_VOLUME_STEPS = MappingProxyType({"media_player.volume_up": 0.1, "media_player.volume_down": -0.1})


class StateView(Protocol):
    """The state of an entity, as Home Assistant has it."""

    @property
    def state(self) -> str:
        """Return the state itself."""
        ...

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return what else is known of it."""
        ...


type States = Callable[[str], StateView | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for: an action with its data, without its targets."""

    action: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a parameter comes to: the values it may be compared with, and the numbers among them."""

    values: frozenset[Scalar]
    least: float | None = None
    most: float | None = None

    @classmethod
    def of(cls, *values: object) -> Reading:
        """Return the reading of values as they stand in a call."""
        numbers = [number for value in values if (number := _number(value)) is not None]
        found = frozenset(scalar for value in values if (scalar := comparable(value)) is not None)
        if not numbers:
            return cls(found)
        return cls(found, min(numbers), max(numbers))

    def is_in(self, test: Range | frozenset[Scalar]) -> bool:
        """Return whether it is what a rule says."""
        if not isinstance(test, Range):
            return not self.values.isdisjoint(test)
        if self.least is None or self.most is None:
            return False
        return test.holds(self.least, self.most)


def read(
    asked: Asked, name: str, targets: Iterable[str], states: States
) -> dict[Reading, frozenset[str]]:
    """Return what a parameter comes to for which targets; nothing of those where it is not known."""
    data = asked.data
    if name == "temperature":
        given = [data[field] for field in _TEMPERATURES if data.get(field) is not None]
        return {Reading.of(*given): frozenset(targets)} if given else {}
    if (levels := _levels(asked, name, targets, states)) is not None:
        by_level: dict[float, list[str]] = {}
        for target, level in levels.items():
            by_level.setdefault(level, []).append(target)
        return {Reading.of(level): frozenset(reached) for level, reached in by_level.items()}
    if (value := data.get(name)) is None:
        return {}
    several = isinstance(value, list | tuple)
    return {Reading.of(*(value if several else (value,))): frozenset(targets)}


def clamp(
    asked: Asked, bounds: Mapping[str, Bounds], targets: frozenset[str], states: States
) -> dict[frozenset[str], Asked]:
    """Return what is asked for with its values in bounds, by the targets it is then asked of.

    What was in bounds is `asked` itself. The bounds of one parameter after the other: where two
    contradict each other, the last ones hold.
    """
    parts = {targets: asked}
    for name, bound in bounds.items():
        parts = {
            reached: part
            for members, whole in parts.items()
            for reached, part in _clamp_one(whole, name, bound, members, states)
        }
    return parts


def _clamp_one(
    asked: Asked, name: str, bounds: Bounds, targets: frozenset[str], states: States
) -> Sequence[tuple[frozenset[str], Asked]]:
    """Bring one parameter into bounds."""
    if (levels := _levels(asked, name, targets, states)) is not None:
        groups: dict[float | None, set[str]] = {}
        for target in targets:
            level = levels.get(target)
            bound = None if level is None else bounds.clamp(level)
            groups.setdefault(None if bound == level else bound, set()).add(target)
        return [
            (frozenset(reached), asked if level is None else _at_level(asked, name, level))
            for level, reached in groups.items()
        ]
    fields = _TEMPERATURES if name == "temperature" else (name,)
    changed = {
        field: _plain(bounds.clamp(number))
        for field in fields
        if (number := _number(asked.data.get(field))) is not None and bounds.clamp(number) != number
    }
    return [(targets, Asked(asked.action, {**asked.data, **changed}) if changed else asked)]


def _levels(
    asked: Asked, name: str, targets: Iterable[str], states: States
) -> dict[str, float] | None:
    """Return the levels that targets will have, without those that are not known.

    None where the call is not about a level with this name that can be asked for in several ways.
    """
    if name in _BRIGHTNESS and not _BRIGHTNESS_FIELDS.isdisjoint(asked.data):
        if (given := _number(asked.data.get(name))) is not None:
            return dict.fromkeys(targets, given)
        # Without the last digits that a division leaves.
        full = _BRIGHTNESS[name][0]
        return {t: round(s * full, 6) for t, s in _shares(asked.data, targets, states).items()}
    if name == _VOLUME and (step := _VOLUME_STEPS.get(asked.action)):
        volumes = {target: _attribute(states(target), _VOLUME) for target in targets}
        return {
            target: round(min(max(volume + step, 0.0), 1.0), 6)
            for target, volume in volumes.items()
            if volume is not None
        }
    return None


def _shares(data: Mapping[str, Any], targets: Iterable[str], states: States) -> dict[str, float]:
    """Return how bright lamps will be, from 0 to 1, as Home Assistant works it out."""
    for field, (full, _) in _BRIGHTNESS.items():
        if (level := _number(data.get(field))) is not None:
            return dict.fromkeys(targets, level / full)
    percent = _number(data.get("brightness_step_pct"))
    step = _number(data.get("brightness_step")) or 0.0
    found: dict[str, float] = {}
    for target in targets:
        if (state := states(target)) is None:
            continue
        now = (_attribute(state, "brightness") or 0.0) if state.state == "on" else 0.0
        share = (now + step) / _FULL
        if percent is not None:
            share = (round(now / _FULL * 100) + percent) / 100
        found[target] = min(max(share, 0.0), 1.0)
    return found


def _at_level(asked: Asked, name: str, level: float) -> Asked:
    """Return what is asked for with a level in place of however it was asked for."""
    if name == _VOLUME:
        return Asked(_VOLUME_SET, {_VOLUME: _plain(level)})
    others = {key: value for key, value in asked.data.items() if key not in _BRIGHTNESS_FIELDS}
    return Asked(asked.action, {**others, name: _plain(level)})


def _attribute(state: StateView | None, name: str) -> float | None:
    """Return an attribute of a state that is a number."""
    return _number(state.attributes.get(name)) if state else None


def _number(value: object) -> float | None:
    """Return a value as a number, if it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError, OverflowError:
        return None
    return None if math.isnan(number) else number


def _plain(value: float) -> float:
    """Return a number without a fraction that is none: some actions take whole numbers only."""
    return int(value) if float(value).is_integer() else value

"""Values of a call for rules: relative ones resolved to absolute ones, and clamping.

A lamp made brighter "by 20" gets a brightness, and that is what a rule is about.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..domains.models import StateLike, Unresolved
from ..domains.registry import find_implied_values, find_policy_group, find_policy_value
from ..domains.services import as_number
from .rules import Range, Scalar, ValueBounds, comparable

type States = Callable[[str], StateLike | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """An action with its data, without its targets; `assumed` where a model chose what nobody said.

    `unresolved` are the parts of the call that are not known yet.
    """

    action: str
    data: Mapping[str, Any]
    assumed: bool = False
    unresolved: frozenset[Unresolved] = frozenset()


@dataclass(frozen=True, slots=True)
class ValueReading:
    """The values of a parameter for comparison, and the range of the numbers among them.

    One that `is_unknown` may be any value.
    """

    values: frozenset[Scalar] = frozenset()
    least: float | None = None
    most: float | None = None
    is_unknown: bool = False

    @classmethod
    def of(cls, *values: object) -> ValueReading:
        """Return the reading of values in a call."""
        numbers = [number for value in values if (number := as_number(value)) is not None]
        found = frozenset(scalar for value in values if (scalar := comparable(value)) is not None)
        if not numbers:
            return cls(found)
        return cls(found, min(numbers), max(numbers))

    def is_in(self, test: Range | frozenset[Scalar]) -> bool:
        """Return whether a rule's test holds for it."""
        if not isinstance(test, Range):
            return not self.values.isdisjoint(test)
        if self.least is None or self.most is None:
            return False
        return test.holds(self.least, self.most)


_UNKNOWN = ValueReading(is_unknown=True)


def read(
    asked: Asked, name: str, targets: Iterable[str], states: States
) -> dict[ValueReading, frozenset[str]]:
    """Return the values of a parameter, each with its targets.

    Targets whose value is not known though their state is are left out: a device that does not tell its level.
    """
    if "state" in asked.unresolved:
        states = _no_state
    found: dict[ValueReading, set[str]] = {}
    for reading, reached in _read_resolved(asked, name, targets, states).items():
        found.setdefault(reading, set()).update(reached)
    is_open = "data" in asked.unresolved and name not in asked.data
    if is_open or ("state" in asked.unresolved and _is_level(asked, name)):
        left = frozenset(targets).difference(*found.values())
        if left:
            found[_UNKNOWN] = set(left)
    return {reading: frozenset(reached) for reading, reached in found.items()}


def _no_state(_entity_id: str) -> None:
    """Return that no state is known."""


def _is_level(asked: Asked, name: str) -> bool:
    """Return whether a call is about a level that it can set in several forms."""
    return find_policy_value(name, asked.action, asked.data) is not None


def _read_resolved(
    asked: Asked, name: str, targets: Iterable[str], states: States
) -> dict[ValueReading, frozenset[str]]:
    """Return the values of a parameter that are known, each with its targets."""
    data = asked.data
    if len(fields := find_policy_group(name)) > 1:
        given = [data[field] for field in fields if data.get(field) is not None]
        return {ValueReading.of(*given): frozenset(targets)} if given else {}
    if (levels := _levels(asked, name, targets, states)) is not None:
        by_level: dict[float, list[str]] = {}
        for target, level in levels.items():
            by_level.setdefault(level, []).append(target)
        return {ValueReading.of(level): frozenset(reached) for level, reached in by_level.items()}
    if (value := data.get(name)) is None:
        implied: dict[ValueReading, set[str]] = {}
        for target in targets:
            if values := find_implied_values(name, asked.action, states(target)):
                implied.setdefault(ValueReading.of(*values), set()).add(target)
        return {reading: frozenset(reached) for reading, reached in implied.items()}
    several = isinstance(value, list | tuple)
    return {ValueReading.of(*(value if several else (value,))): frozenset(targets)}


def clamp(
    asked: Asked, bounds: Mapping[str, ValueBounds], targets: frozenset[str], states: States
) -> dict[frozenset[str], Asked]:
    """Return the call with its values clamped, by the targets it is then for.

    If nothing was out of bounds it is `asked` itself. The bounds of one parameter after the other: where two
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
    asked: Asked, name: str, bounds: ValueBounds, targets: frozenset[str], states: States
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
    fields = find_policy_group(name)
    changed = {
        field: _plain(bounds.clamp(number))
        for field in fields
        if (number := as_number(asked.data.get(field))) is not None
        and bounds.clamp(number) != number
    }
    return [(targets, replace(asked, data={**asked.data, **changed}) if changed else asked)]


def _levels(
    asked: Asked, name: str, targets: Iterable[str], states: States
) -> dict[str, float] | None:
    """Return the levels that targets will have, without those that are not known.

    None where the call is not about a level with this name that can be asked for in several ways.
    """
    if (level := find_policy_value(name, asked.action, asked.data)) is None:
        return None
    found = {target: level.of(asked.action, asked.data, states(target)) for target in targets}
    return {target: value for target, value in found.items() if value is not None}


def _at_level(asked: Asked, name: str, value: float) -> Asked:
    """Return the call with an absolute value in place of a relative one."""
    level = find_policy_value(name, asked.action, asked.data)
    if level is None:
        return asked
    action, data = level.to(asked.action, asked.data, _plain(value))
    return replace(asked, action=action, data=data)


def _plain(value: float) -> float:
    """Return a number without a fraction that is none: some actions take whole numbers only."""
    return int(value) if float(value).is_integer() else value

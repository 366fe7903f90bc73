"""Outcome checks: predicates on an entity's state that verify a service call was carried out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

type Predicate = Callable[[State, Mapping[str, Any], State | None], bool]

STATE = "state"
"""Stands for the state itself wherever the name of an attribute is expected."""


@dataclass(frozen=True, slots=True)
class OutcomeCheck:
    """Check of a service call's outcome in the state of an entity.

    `holds` is a predicate on the state now, the call's data and the state before the call. `attributes`
    (or STATE) are those that the service changes: where one of them changed but `holds` is false, the
    call was carried out in part. `description` stands in the table of abilities. `left_nothing` is a predicate on the
    state before the call that nothing was left to do, where that takes more than `holds`.
    """

    holds: Predicate
    attributes: tuple[str, ...] = (STATE,)
    description: str = "as asked"
    left_nothing: Callable[[State], bool] = lambda _before: True

    def has_changed(self, state: State, before: State | None) -> bool:
        """Return whether any attribute that the service sets differs from before the call."""
        return before is not None and any(
            read_attribute(state, name) != read_attribute(before, name) for name in self.attributes
        )


def read_attribute(state: State, name: str) -> Any:
    """Return the value of an attribute, or the state itself for STATE."""
    return state.state if name == STATE else state.attributes.get(name)


def near(value: Any, wanted: float, tolerance: float) -> bool:
    """Return whether a number equals the one wanted within a tolerance, since devices round."""
    return isinstance(value, int | float) and abs(value - wanted) <= tolerance


def is_one_of(*states: str) -> OutcomeCheck:
    """Return a check that the state is one of some states."""
    return OutcomeCheck(
        lambda state, _data, _before: state.state in states, description=" or ".join(states)
    )


def is_none_of(*states: str) -> OutcomeCheck:
    """Return a check that the state is none of some states."""
    return OutcomeCheck(
        lambda state, _data, _before: state.state not in states,
        description=f"not {' or '.join(states)}",
    )


def _toggled(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether the state differs from before the call."""
    return before is not None and state.state != before.state


TOGGLED = OutcomeCheck(_toggled, description="another state than before")
IS_ON, IS_OFF = is_one_of(STATE_ON), is_one_of(STATE_OFF)


def has_value(name: str, field: str = "", tolerance: float | None = None) -> OutcomeCheck:
    """Return a check that an attribute has the value of a field of the call, within a tolerance."""
    field = field or name

    def holds(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
        value = read_attribute(state, name)
        if tolerance is None:
            return bool(value == data[field])
        return near(value, data[field], tolerance)

    about = f"`{name}` as asked" if tolerance is None else f"`{name}` within {tolerance:g}"
    return OutcomeCheck(holds, (name,), about)


def has_moved(name: str, direction: int, end: float) -> OutcomeCheck:
    """Return a check that a numeric attribute rose (`direction` above 0) or fell, or is at its limit.

    The upper limit is `end`, the lower 0.
    """
    limit = end if direction > 0 else 0

    def holds(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
        now = state.attributes.get(name)
        was = before.attributes.get(name) if before else None
        if now is None or was is None:
            # An entity that does not report its level cannot be verified by it.
            return True
        return bool((now - was) * direction > 0 or now == limit)

    return OutcomeCheck(holds, (name,), f"`{name}` {'higher' if direction > 0 else 'lower'}")


def is_at(name: str, field: str, tolerance: float) -> OutcomeCheck:
    """Return a check that a cover or valve is at a position, or opening or closing towards it."""

    def holds(state: State, data: Mapping[str, Any], before: State | None) -> bool:
        now, wanted = state.attributes.get(name), data[field]
        if near(now, wanted, tolerance):
            return True
        was = before.attributes.get(name) if before else None
        way = {"opening": 1, "closing": -1}.get(state.state, 0)
        return was is not None and way * (wanted - was) > 0

    return OutcomeCheck(holds, (STATE, name), f"`{name}` within {tolerance:g}, or on its way")

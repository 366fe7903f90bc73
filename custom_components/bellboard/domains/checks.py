"""How an entity shows in its state that a service was carried out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

type Holds = Callable[[State, Mapping[str, Any], State | None], bool]

STATE = "state"
"""What stands for the state itself where the names of attributes stand."""


@dataclass(frozen=True, slots=True)
class Check:
    """How to see what came of a service.

    `holds` takes the state now, the call's data and the state before, and says whether all of it
    was done. `shown` are the attributes, or STATE, in which an entity shows that it did anything.
    `about` says it for readers of the table.
    """

    holds: Holds
    shown: tuple[str, ...] = (STATE,)
    about: str = "as asked"

    def moved(self, state: State, before: State | None) -> bool:
        """Return whether anything changed of what the service is about."""
        return before is not None and any(
            shown_in(state, name) != shown_in(before, name) for name in self.shown
        )


def shown_in(state: State, name: str) -> Any:
    """Return an attribute, or the state itself."""
    return state.state if name == STATE else state.attributes.get(name)


def near(value: Any, wanted: float, tolerance: float) -> bool:
    """Return whether a number is where it should be; devices round."""
    return isinstance(value, int | float) and abs(value - wanted) <= tolerance


def is_one_of(*states: str) -> Check:
    """Return a check for one of some states."""
    return Check(lambda state, _data, _before: state.state in states, about=" or ".join(states))


def is_none_of(*states: str) -> Check:
    """Return a check for none of some states."""
    return Check(
        lambda state, _data, _before: state.state not in states, about=f"not {' or '.join(states)}"
    )


def _toggled(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether an entity is no longer in the state it was in."""
    return before is not None and state.state != before.state


TOGGLED = Check(_toggled, about="another state than before")
IS_ON, IS_OFF = is_one_of(STATE_ON), is_one_of(STATE_OFF)


def has_value(name: str, field: str = "", tolerance: float | None = None) -> Check:
    """Return a check that an attribute has the value a field of the call asks for."""
    field = field or name

    def holds(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
        value = shown_in(state, name)
        if tolerance is None:
            return bool(value == data[field])
        return near(value, data[field], tolerance)

    about = f"`{name}` as asked" if tolerance is None else f"`{name}` within {tolerance:g}"
    return Check(holds, (name,), about)


def has_moved(name: str, direction: int, end: float) -> Check:
    """Return a check that a level went up (direction above 0) or down, or is at its end."""
    limit = end if direction > 0 else 0

    def holds(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
        now = state.attributes.get(name)
        was = before.attributes.get(name) if before else None
        if now is None or was is None:
            # What does not tell its level cannot be held to it.
            return True
        return bool((now - was) * direction > 0 or now == limit)

    return Check(holds, (name,), f"`{name}` {'higher' if direction > 0 else 'lower'}")


def is_at(name: str, field: str, tolerance: float) -> Check:
    """Return a check that something is at a position, or on its way there."""

    def holds(state: State, data: Mapping[str, Any], before: State | None) -> bool:
        now, wanted = state.attributes.get(name), data[field]
        if near(now, wanted, tolerance):
            return True
        was = before.attributes.get(name) if before else None
        way = {"opening": 1, "closing": -1}.get(state.state, 0)
        return was is not None and way * (wanted - was) > 0

    return Check(holds, (STATE, name), f"`{name}` within {tolerance:g}, or on its way")

"""Models of conditions ("if it is above 23 degrees"), and the three-valued logic that evaluates them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from homeassistant.components.cover import CoverState
from homeassistant.components.lock import LockState
from homeassistant.components.media_player import MediaPlayerState
from homeassistant.const import STATE_OFF, STATE_ON, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

from ..home.catalog import CatalogEntity, Place

UNKNOWN_STATES = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
"""States in which nothing is known of an entity."""

_SWITCHED = frozenset(
    {"light", "switch", "fan", "media_player", "climate", "input_boolean", "humidifier"}
)
_DARK = frozenset({STATE_OFF, "standby"})


@dataclass(frozen=True, slots=True)
class StatePair:
    """Two opposite states of entities of some domains, as conditions name them ("open", "closed").

    `shows` returns whether an entity's state is the active one, None where it is neither or unknown.
    """

    domains: frozenset[str]
    active: str
    passive: str
    shows: Callable[[State], bool | None]


def test_states(active: frozenset[str], passive: frozenset[str]) -> Callable[[State], bool | None]:
    """Return a function for whether a state is an active (True) or a passive (False) one, else None."""
    return lambda state: (
        True if state.state in active else False if state.state in passive else None
    )


def _is_on(state: State) -> bool | None:
    """Return whether an entity is on: a player also while idle, a thermostat in any mode."""
    return None if state.state in UNKNOWN_STATES else state.state not in _DARK


def _plays(state: State) -> bool | None:
    """Return whether a player plays."""
    return None if state.state in UNKNOWN_STATES else state.state == MediaPlayerState.PLAYING


STATE_PAIRS = (
    StatePair(_SWITCHED, "on", "off", _is_on),
    StatePair(
        frozenset({"cover", "valve", "binary_sensor"}),
        "open",
        "closed",
        test_states(
            frozenset({CoverState.OPEN, STATE_ON}), frozenset({CoverState.CLOSED, STATE_OFF})
        ),
    ),
    StatePair(
        frozenset({"lock"}),
        "unlocked",
        "locked",
        test_states(frozenset({LockState.UNLOCKED, LockState.OPEN}), frozenset({LockState.LOCKED})),
    ),
    StatePair(frozenset({"media_player"}), "playing", "silent", _plays),
)


@dataclass(frozen=True, slots=True)
class Condition:
    """Condition as it was recognised in a sentence.

    `kind` is "temperature", "humidity", "state" or "presence". `slots` hold, for a measure, `than`
    ("above", "below", "at_least", "at_most"), the number, optionally its `unit`, and `outside`; for a
    state the `state`; for presence `somebody`. `target` is the noun phrase of its entities or place, empty
    for the speaker's area.
    """

    kind: str
    slots: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    target: str = ""


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """Result of a condition: whether it `holds`, with the entities (`things`) and places it was read from.

    `reading` is the measured value, in `unit`; `state` is the state of the entities, in the conditions'
    own terms.
    """

    holds: bool
    things: tuple[CatalogEntity, ...] = ()
    places: tuple[Place, ...] = ()
    reading: float | None = None
    unit: str = ""
    state: str = ""


def compare(value: float, than: str, wanted: float) -> bool:
    """Return whether a value compares as wanted: above, below, at_least or at_most."""
    match than:
        case "above":
            return value > wanted
        case "below":
            return value < wanted
        case "at_least":
            return value >= wanted
        case _:
            return value <= wanted


def any_of(shown: Sequence[bool | None]) -> bool | None:
    """Return whether any is True; None if none is, but one is unknown."""
    if True in shown:
        return True
    return None if None in shown or not shown else False


def all_of(shown: Sequence[bool | None]) -> bool | None:
    """Return whether all are True; None if none is False, but one is unknown."""
    if False in shown:
        return False
    return None if None in shown or not shown else True

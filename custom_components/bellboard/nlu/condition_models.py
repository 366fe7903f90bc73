"""What conditions there are, and when they hold."""

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

UNSEEN = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
"""The states of what cannot be seen."""

_SWITCHED = frozenset(
    {"light", "switch", "fan", "media_player", "climate", "input_boolean", "humidifier"}
)
_DARK = frozenset({STATE_OFF, "standby"})


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of states that exclude each other: whose, and how the first and the second show.

    What shows neither is in between, and nothing is known of it.
    """

    domains: frozenset[str]
    active: str
    passive: str
    shows: Callable[[State], bool | None]


def among(active: frozenset[str], passive: frozenset[str]) -> Callable[[State], bool | None]:
    """Return a function that tells whether a state is an active or a passive one, or None."""
    return lambda state: (
        True if state.state in active else False if state.state in passive else None
    )


def _is_on(state: State) -> bool | None:
    """Return whether something is on: a player also while it is idle, a thermostat in any mode."""
    return None if state.state in UNSEEN else state.state not in _DARK


def _plays(state: State) -> bool | None:
    """Return whether a player plays."""
    return None if state.state in UNSEEN else state.state == MediaPlayerState.PLAYING


PAIRS = (
    Pair(_SWITCHED, "on", "off", _is_on),
    Pair(
        frozenset({"cover", "valve", "binary_sensor"}),
        "open",
        "closed",
        among(frozenset({CoverState.OPEN, STATE_ON}), frozenset({CoverState.CLOSED, STATE_OFF})),
    ),
    Pair(
        frozenset({"lock"}),
        "unlocked",
        "locked",
        among(frozenset({LockState.UNLOCKED, LockState.OPEN}), frozenset({LockState.LOCKED})),
    ),
    Pair(frozenset({"media_player"}), "playing", "silent", _plays),
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as it was heard.

    `kind` is one of temperature, humidity, state and presence. `slots` are, of a measure, `than`
    ("above", "below", "at_least", "at_most") and the number, with `unit` where one was said and
    `outside` where that was; of a state, the `state`; of presence, whether there is `somebody`.
    `target` are the words for what it is about, empty where it is about here.
    """

    kind: str
    slots: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    target: str = ""


@dataclass(frozen=True, slots=True)
class Observed:
    """What was seen: whether the condition `holds`, and of what.

    `reading` is the number that was measured, with `unit`; `state` is how things are, one of those
    of conditions. `places` are those that were named.
    """

    holds: bool
    things: tuple[CatalogEntity, ...] = ()
    places: tuple[Place, ...] = ()
    reading: float | None = None
    unit: str = ""
    state: str = ""


def compare(value: float, than: str, wanted: float) -> bool:
    """Return how a value compares."""
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
    """Return whether one of some things is so; None where one that is not seen could be."""
    if True in shown:
        return True
    return None if None in shown or not shown else False


def all_of(shown: Sequence[bool | None]) -> bool | None:
    """Return whether all of some things are so; None where one that is not seen could not be."""
    if False in shown:
        return False
    return None if None in shown or not shown else True

"""States and measures that entities tell: on or off, open or closed, how bright, how warm; and in which unit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from homeassistant.components.cover import CoverState
from homeassistant.components.lawn_mower import LawnMowerActivity
from homeassistant.components.lock import LockState
from homeassistant.components.media_player import MediaPlayerState
from homeassistant.components.vacuum import VacuumActivity
from homeassistant.const import STATE_HOME, STATE_OFF, STATE_ON, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

from ..domains.commands import as_number, number_of
from ..home.catalog import CatalogEntity

UNKNOWN_STATES = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
"""States in which nothing is known of an entity."""

_SWITCHED = frozenset(
    {
        *("light", "switch", "fan", "media_player", "climate", "input_boolean", "humidifier"),
        *("automation", "siren"),
    }
)
_OPENINGS = frozenset({"door", "garage", "garage_door", "gate", "opening", "window"})
_DARK = frozenset({STATE_OFF, "standby"})
_ROBOTS = frozenset({"vacuum", "lawn_mower"})
_FULL = 100
# States of both kinds of robots.
_DOCKED, _STUCK = VacuumActivity.DOCKED, VacuumActivity.ERROR


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


def _is_paused(state: State) -> bool | None:
    """Return whether a player is paused."""
    return None if state.state in UNKNOWN_STATES else state.state == MediaPlayerState.PAUSED


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
    # With a position, which sensors of windows have not: those are only open.
    StatePair(
        frozenset({"cover", "valve", "binary_sensor"}),
        "fully open",
        "not fully open",
        lambda state: (
            None
            if state.state in UNKNOWN_STATES
            else state.state in {CoverState.OPEN, STATE_ON}
            and state.attributes.get("current_position", _FULL) == _FULL
        ),
    ),
    StatePair(
        frozenset({"lock"}),
        "unlocked",
        "locked",
        test_states(frozenset({LockState.UNLOCKED, LockState.OPEN}), frozenset({LockState.LOCKED})),
    ),
    StatePair(frozenset({"media_player"}), "playing", "silent", _plays),
    StatePair(frozenset({"media_player"}), "paused", "unpaused", _is_paused),
    StatePair(
        frozenset({"person"}),
        STATE_HOME,
        "away",
        lambda state: None if state.state in UNKNOWN_STATES else state.state == STATE_HOME,
    ),
    StatePair(
        _ROBOTS,
        "cleaning",
        "resting",
        test_states(
            frozenset({VacuumActivity.CLEANING, LawnMowerActivity.MOWING}),
            frozenset(
                {
                    VacuumActivity.DOCKED,
                    VacuumActivity.IDLE,
                    VacuumActivity.PAUSED,
                    VacuumActivity.RETURNING,
                }
            ),
        ),
    ),
    StatePair(
        _ROBOTS,
        "docked",
        "under way",
        lambda state: None if state.state in UNKNOWN_STATES else state.state == _DOCKED,
    ),
    StatePair(
        _ROBOTS,
        "stuck",
        "free",
        lambda state: None if state.state in UNKNOWN_STATES else state.state == _STUCK,
    ),
)


def pair_of(state: str) -> StatePair | None:
    """Return the pair of states that one of them is in, None where it is in none."""
    return next((pair for pair in STATE_PAIRS if state in {pair.active, pair.passive}), None)


# Attributes that tell a measure, by domain, with what makes a percentage of them.
MEASURED: Mapping[str, Mapping[str, tuple[str, float]]] = {
    "brightness": {"light": ("brightness", 100 / 255)},
    "volume": {"media_player": ("volume_level", 100)},
    "position": {"cover": ("current_position", 1), "valve": ("current_position", 1)},
    "speed": {"fan": ("percentage", 1)},
    "humidity": {"climate": ("current_humidity", 1), "humidifier": ("current_humidity", 1)},
    "temperature": {
        "climate": ("current_temperature", 1),
        "water_heater": ("current_temperature", 1),
        "weather": ("temperature", 1),
    },
    "battery": {},
    "power": {},
    "energy": {},
    "carbon_dioxide": {},
    "aqi": {},
    "target": {"climate": ("temperature", 1), "water_heater": ("temperature", 1)},
}
# Told in the unit of the sensor: watts, kilowatt hours, parts per million.
_IN_OWN_UNIT = frozenset({"power", "energy", "carbon_dioxide", "aqi"})
_IN_PERCENT = frozenset(MEASURED) - _IN_OWN_UNIT - {"temperature", "target"}
_LOW_BATTERY = 20.0
"""Percent from which on a battery is low."""
# What is asked of a device without saying what: "what is the heating set to", "how much is the volume".
LEVELS: Mapping[str, str] = {
    "light": "brightness",
    "media_player": "volume",
    "climate": "target",
    "water_heater": "target",
    "cover": "position",
    "fan": "speed",
}


def is_told(state: State | None, measure: str) -> bool:
    """Return whether an entity tells a measure now."""
    return state is not None and read_measure(state, measure) is not None


def read_measure(state: State, measure: str) -> float | None:
    """Return a measure that an entity tells, in percent or in the home's unit; None where it does not."""
    if state.state in UNKNOWN_STATES:
        return None
    if state.domain == "sensor":
        if state.attributes.get("device_class") != measure:
            return None
        return number_of(state.state)
    attribute, factor = MEASURED.get(measure, {}).get(state.domain, ("", 1.0))
    value = as_number(state.attributes.get(attribute))
    return None if value is None else value * factor


def is_low_battery(state: State) -> bool | None:
    """Return whether a sensor says that a battery is low; None where it tells of none, or nothing."""
    if state.attributes.get("device_class") != "battery" or state.state in UNKNOWN_STATES:
        return None
    if state.domain == "binary_sensor":
        return state.state == STATE_ON
    level = read_measure(state, "battery")
    return None if level is None else level <= _LOW_BATTERY


def own_unit(state: State, measure: str) -> str:
    """Return the unit in which a sensor tells a measure, "" where the home's or percent is meant."""
    unit = state.attributes.get("unit_of_measurement") if measure in _IN_OWN_UNIT else None
    return str(unit or "")


def is_in_percent(measure: str) -> bool:
    """Return whether a measure is told in percent."""
    return measure in _IN_PERCENT


def without_other_sensors(entities: Sequence[CatalogEntity]) -> tuple[CatalogEntity, ...]:
    """Return entities without sensors of anything but openings."""
    return tuple(
        entity
        for entity in entities
        if entity.domain != "binary_sensor" or entity.device_class in _OPENINGS
    )


def measure_of(named: Sequence[CatalogEntity]) -> str:
    """Return what sensors measure that are named, "" for nothing, or where not only sensors are named."""
    kinds = {str(each.device_class) if each.domain == "sensor" else "" for each in named}
    return next((kind for kind in kinds if kind in MEASURED and len(kinds) == 1), "")

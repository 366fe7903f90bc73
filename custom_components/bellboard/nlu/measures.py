"""What entities tell of themselves, by what it measures: the attribute, and in which unit."""

from collections.abc import Mapping

from homeassistant.core import State

from ..domains.commands import as_number
from .condition_models import UNKNOWN_STATES

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
    "target": {"climate": ("temperature", 1), "water_heater": ("temperature", 1)},
}
_IN_PERCENT = frozenset(MEASURED) - {"temperature", "target"}
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
        try:
            return float(state.state)
        except ValueError:
            return None
    attribute, factor = MEASURED.get(measure, {}).get(state.domain, ("", 1.0))
    value = as_number(state.attributes.get(attribute))
    return None if value is None else value * factor


def is_in_percent(measure: str) -> bool:
    """Return whether a measure is told in percent."""
    return measure in _IN_PERCENT

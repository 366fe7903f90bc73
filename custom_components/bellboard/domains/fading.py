"""Changes that take their time: lights and scenes that fade."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from homeassistant.components.light import LightEntityFeature
from homeassistant.core import State

from .models import ToolCall
from .services import Field, Service, features_of, number

FADE = "transition"
"""Name of the field, and of the parameter of an action, with the seconds that a change takes."""

# In seconds. Most bulbs count a fade in tenths of a second, in two bytes.
_LONGEST = 6553

# For every light: one that cannot fade changes at once.
TRANSITION: Mapping[str, Field] = MappingProxyType({FADE: number(0, _LONGEST, unit="s")})


def is_timed(service: Service | None) -> bool:
    """Return whether a service takes the time of its change."""
    return service is not None and FADE in service.fields


def with_fade(call: ToolCall, service: Service | None, seconds: float) -> ToolCall:
    """Return a call that takes some seconds, at most as long as there is; a flash has a time of its own."""
    if not is_timed(service) or "flash" in call.data:
        return call
    return call.model_copy(update={"data": {**call.data, FADE: min(seconds, _LONGEST)}})


def can_fade(states: Sequence[State]) -> bool:
    """Return whether one of some entities fades: each scene, and the lights that have the feature."""
    return any(
        state.domain != "light" or features_of(state) & LightEntityFeature.TRANSITION
        for state in states
    )

"""What a field of an action may hold, told by what the entity says of itself.

A field returns None for a value it takes. It returns INVALID for one that nobody could take,
UNSUPPORTED where this entity lacks the ability, OUT_OF_RANGE where it does not go that far.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
import math
from typing import Any

from homeassistant.components.light import (
    ATTR_MAX_COLOR_TEMP_KELVIN,
    ATTR_MIN_COLOR_TEMP_KELVIN,
    ATTR_SUPPORTED_COLOR_MODES,
    ColorMode,
    brightness_supported,
    color_supported,
)
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.util import color as color_util

from ..domains.models import ErrorCode
from ..home.catalog import is_exposed

type Field = Callable[[HomeAssistant, State, Any], ErrorCode | None]
type Able = Callable[[State], bool]
type Bound = float | str | None
"""A number, the attribute that tells it, or none."""

_MAX_TEXT = 2048
# What lamps are sold with; a lamp that shows colours renders any of these.
_KELVIN = (1000, 40000)


def has(*masks: int) -> Able:
    """Return whether an entity has all bits of at least one of some feature masks."""

    def able(state: State) -> bool:
        features = state.attributes.get(ATTR_SUPPORTED_FEATURES)
        known = features if isinstance(features, int) else 0
        return any(known & mask == mask for mask in masks)

    return able


def needing(able: Able, field: Field) -> Field:
    """Return a field that only entities with an ability have."""

    def check(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        code = field(hass, state, value)
        if code is ErrorCode.INVALID or able(state):
            return code
        return ErrorCode.UNSUPPORTED

    return check


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number; truth values are none."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def number(low: Bound = None, high: Bound = None, *, whole: bool = False) -> Field:
    """Return a field for numbers between two bounds, both included."""

    def check(_hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        if not is_number(value) or (whole and value != int(value)):
            return ErrorCode.INVALID
        least, most = _bound(state, low), _bound(state, high)
        if (least is not None and value < least) or (most is not None and value > most):
            return ErrorCode.OUT_OF_RANGE
        return None

    return check


def _bound(state: State, bound: Bound) -> float | None:
    """Return a bound as a number, or None where there is none or the entity does not tell it."""
    if not isinstance(bound, str):
        return bound
    told = state.attributes.get(bound)
    return told if is_number(told) else None


def flag(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take true and false."""
    return None if isinstance(value, bool) else ErrorCode.INVALID


def text(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take a text that says something and can be passed on: not empty, not endless, all readable."""
    if not isinstance(value, str) or not value.strip() or len(value) > _MAX_TEXT:
        return ErrorCode.INVALID
    # A lone surrogate could be written to no file and no wire.
    broken = any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in value)
    return ErrorCode.INVALID if broken else None


def one_of(*values: str) -> Field:
    """Return a field for some words that are the same for all entities."""

    def check(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
        return None if isinstance(value, str) and value in values else ErrorCode.INVALID

    return check


def listed(attribute: str) -> Field:
    """Return a field for what an attribute of the entity lists.

    An entity that lists nothing, as some players do while they are off, takes any text.
    """

    def check(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        if code := text(hass, state, value):
            return code
        choices = state.attributes.get(attribute)
        if not isinstance(choices, list | tuple | Mapping):
            return None
        return None if value in choices else ErrorCode.UNSUPPORTED

    return check


def numbers(*bounds: tuple[float, float], whole: bool = False) -> Field:
    """Return a field for a fixed number of numbers, each between its own bounds."""
    parts = [number(low, high, whole=whole) for low, high in bounds]

    def check(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != len(parts):
            return ErrorCode.INVALID
        return worst(part(hass, state, each) for part, each in zip(parts, value, strict=True))

    return check


def worst(codes: Iterable[ErrorCode | None]) -> ErrorCode | None:
    """Return the first code of those that weigh most: what is invalid is so for everybody."""
    found = list(codes)
    order = (
        ErrorCode.INVALID,
        ErrorCode.NOT_EXPOSED,
        ErrorCode.UNAVAILABLE,
        ErrorCode.UNSUPPORTED,
        ErrorCode.OUT_OF_RANGE,
    )
    return next((code for code in order if code in found), None)


def _modes(state: State) -> set[ColorMode]:
    """Return the colour modes a light supports."""
    return set(state.attributes.get(ATTR_SUPPORTED_COLOR_MODES) or ())


def dims(state: State) -> bool:
    """Return whether a light can be dimmed."""
    return brightness_supported(_modes(state))


def shows_color(state: State) -> bool:
    """Return whether a light shows colours."""
    return color_supported(_modes(state))


def shows_white(state: State) -> bool:
    """Return whether a light has a white channel that is set by its brightness."""
    return ColorMode.WHITE in _modes(state)


def color_name(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take a colour that Home Assistant knows; it would make others white."""
    if not isinstance(value, str):
        return ErrorCode.INVALID
    known = value.replace(" ", "").lower() in color_util.COLORS
    return None if known else ErrorCode.INVALID


def kelvin(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Take a white tone; a light that shows colours renders those it has no white for."""
    if code := number(*_KELVIN, whole=True)(hass, state, value):
        return code
    if ColorMode.COLOR_TEMP in _modes(state):
        return number(ATTR_MIN_COLOR_TEMP_KELVIN, ATTR_MAX_COLOR_TEMP_KELVIN)(hass, state, value)
    return None if shows_color(state) else ErrorCode.UNSUPPORTED


def white(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Take true or a brightness for the white channel."""
    return None if value is True else number(0, 255, whole=True)(hass, state, value)


def group_members(hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take players that are exposed, there, and able to play along."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return ErrorCode.INVALID
    return worst(_member(hass, entity_id) for entity_id in value)


def _member(hass: HomeAssistant, entity_id: Any) -> ErrorCode | None:
    """Return why an entity cannot play along."""
    if not isinstance(entity_id, str):
        return ErrorCode.INVALID
    if code := absence(hass, entity_id):
        return code
    if entity_id.partition(".")[0] != "media_player":
        return ErrorCode.UNSUPPORTED
    state = hass.states.get(entity_id)
    able = state and has(MediaPlayerEntityFeature.GROUPING)(state)
    return None if able else ErrorCode.UNSUPPORTED


def absence(hass: HomeAssistant, entity_id: str) -> ErrorCode | None:
    """Return why an entity must not or cannot be called, if so.

    What has no state is not asked for its exposure: Home Assistant would make some up, and keep it.
    An id that is written in another way is no id, since exposure is known by the right one only.
    """
    state = hass.states.get(entity_id)
    if state is None or state.entity_id != entity_id:
        return ErrorCode.UNAVAILABLE
    if not is_exposed(hass, entity_id):
        return ErrorCode.NOT_EXPOSED
    return ErrorCode.UNAVAILABLE if state.state == STATE_UNAVAILABLE else None

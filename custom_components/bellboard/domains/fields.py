"""What a field of a service may hold, told by what the entity says of itself.

A field returns None for a value it takes. It returns INVALID for one that nobody could take,
UNSUPPORTED where this entity lacks the ability, OUT_OF_RANGE where it does not go that far.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
import math
from typing import Any, TypeGuard

from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State

from ..home.catalog import is_exposed
from .models import ErrorCode

type Bound = float | str | None
"""A number, the attribute that tells it, or none."""

_MAX_TEXT = 2048


@dataclass(frozen=True, slots=True)
class Able:
    """Whether an entity has an ability. `about` names it for readers of the table."""

    holds: Callable[[State], bool]
    about: str

    def __call__(self, state: State) -> bool:
        """Return whether an entity has it."""
        return self.holds(state)


@dataclass(frozen=True, slots=True)
class Field:
    """What a field may hold. `about` says it for readers of the table, `able` who has the field.

    `options` is the attribute that lists what may be chosen, `unit` how a number is measured.
    """

    check: Callable[[HomeAssistant, State, Any], ErrorCode | None]
    about: str
    able: Able | None = None
    options: str = ""
    unit: str = ""

    def __call__(self, hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        """Return why an entity does not take a value, or None where it does."""
        code = self.check(hass, state, value)
        if code is ErrorCode.INVALID or self.able is None or self.able(state):
            return code
        return ErrorCode.UNSUPPORTED


def has(*masks: IntFlag) -> Able:
    """Return whether an entity has all bits of at least one of some feature masks."""

    def able(state: State) -> bool:
        known = features_of(state)
        return any(known & mask == mask for mask in masks)

    return Able(able, " or ".join(str(mask.name).replace("|", " and ") for mask in masks))


def features_of(state: State) -> int:
    """Return the feature bits of an entity; none where it does not tell them."""
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES)
    return features if isinstance(features, int) else 0


def needing(able: Able, field: Field) -> Field:
    """Return a field that only entities with an ability have."""
    return replace(field, able=able)


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a finite number; truth values are none."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def as_number(value: object) -> float | None:
    """Return a value as a number, also one that is written as a text, as in scripts; None for others."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except ValueError, OverflowError:
        return None
    return None if math.isnan(found) else found


def number(low: Bound = None, high: Bound = None, *, whole: bool = False, unit: str = "") -> Field:
    """Return a field for numbers between two bounds, both included."""

    def check(_hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        if not is_number(value) or (whole and value != int(value)):
            return ErrorCode.INVALID
        least, most = bound(state, low), bound(state, high)
        if (least is not None and value < least) or (most is not None and value > most):
            return ErrorCode.OUT_OF_RANGE
        return None

    ends = f"{_end(low)} to {_end(high)}" if low is not None or high is not None else "a number"
    return Field(check, f"{ends}{unit and f' {unit}'}", unit=unit)


def _end(end: Bound) -> str:
    """Return the end of a range as it is read."""
    if isinstance(end, str):
        return f"`{end}`"
    return "any" if end is None else f"{end:g}"


def bound(state: State, end: Bound) -> float | None:
    """Return a bound as a number, or None where there is none or the entity does not tell it."""
    if not isinstance(end, str):
        return end
    told = state.attributes.get(end)
    return told if is_number(told) else None


def _is_flag(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take true and false."""
    return None if isinstance(value, bool) else ErrorCode.INVALID


def _is_text(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Take a text that says something and can be passed on: not empty, not endless, all readable."""
    if not isinstance(value, str) or not value.strip() or len(value) > _MAX_TEXT:
        return ErrorCode.INVALID
    # A lone surrogate could be written to no file and no wire.
    broken = any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in value)
    return ErrorCode.INVALID if broken else None


flag = Field(_is_flag, "true or false")
text = Field(_is_text, "text")


def one_of(*values: str) -> Field:
    """Return a field for some words that are the same for all entities."""

    def check(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
        return None if isinstance(value, str) and value in values else ErrorCode.INVALID

    return Field(check, ", ".join(values))


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

    return Field(check, f"one of `{attribute}`", options=attribute)


def numbers(*bounds: tuple[float, float], whole: bool = False) -> Field:
    """Return a field for a fixed number of numbers, each between its own bounds."""
    parts = [number(low, high, whole=whole) for low, high in bounds]

    def check(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != len(parts):
            return ErrorCode.INVALID
        return worst(part(hass, state, each) for part, each in zip(parts, value, strict=True))

    return Field(check, f"{len(bounds)} numbers")


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

"""Validators for service fields, bound by the features and attributes of the target entity.

A validator returns None for a valid value, INVALID for one that no entity takes, UNSUPPORTED where this
entity lacks the feature or option, OUT_OF_RANGE outside the entity's own range.
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
"""End of a range: a number, the attribute of the entity that holds it, or None for no end."""

_MAX_TEXT = 2048


@dataclass(frozen=True, slots=True)
class Capability:
    """Predicate on an entity's state: whether it supports a feature.

    `description` stands in the table of abilities.
    """

    holds: Callable[[State], bool]
    description: str

    def __call__(self, state: State) -> bool:
        """Return whether an entity supports it."""
        return self.holds(state)


@dataclass(frozen=True, slots=True)
class Field:
    """Validator of one field of a service's data.

    `capability` is what an entity needs to have the field at all. `options` is the attribute that lists
    the options of a choice, `unit` the unit of a number. `description` stands in the table of abilities.
    """

    validate: Callable[[HomeAssistant, State, Any], ErrorCode | None]
    description: str
    capability: Capability | None = None
    options: str = ""
    unit: str = ""

    def __call__(self, hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        """Return why an entity does not take a value, or None for a valid one."""
        code = self.validate(hass, state, value)
        if code is ErrorCode.INVALID or self.capability is None or self.capability(state):
            return code
        return ErrorCode.UNSUPPORTED


def has(*masks: IntFlag) -> Capability:
    """Return the capability of entities with all bits of at least one of some feature masks."""

    def able(state: State) -> bool:
        known = features_of(state)
        return any(known & mask == mask for mask in masks)

    return Capability(able, " or ".join(str(mask.name).replace("|", " and ") for mask in masks))


def features_of(state: State) -> int:
    """Return the `supported_features` of an entity; 0 where it has none."""
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES)
    return features if isinstance(features, int) else 0


def needing(able: Capability, field: Field) -> Field:
    """Return a field that is UNSUPPORTED for entities without a capability."""
    return replace(field, capability=able)


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a finite number; booleans are not numbers."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def as_number(value: object) -> float | None:
    """Return a number, or a text that holds one, as a float; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except ValueError, OverflowError:
        return None
    return None if math.isnan(found) else found


def number(low: Bound = None, high: Bound = None, *, whole: bool = False, unit: str = "") -> Field:
    """Return a field for numbers from `low` to `high`, both included."""

    def check(_hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        if not is_number(value) or (whole and value != int(value)):
            return ErrorCode.INVALID
        least, most = resolve_bound(state, low), resolve_bound(state, high)
        if (least is not None and value < least) or (most is not None and value > most):
            return ErrorCode.OUT_OF_RANGE
        return None

    ends = f"{_end(low)} to {_end(high)}" if low is not None or high is not None else "a number"
    return Field(check, f"{ends}{unit and f' {unit}'}", unit=unit)


def _end(end: Bound) -> str:
    """Return the end of a range as it stands in the table of abilities."""
    if isinstance(end, str):
        return f"`{end}`"
    return "any" if end is None else f"{end:g}"


def resolve_bound(state: State, end: Bound) -> float | None:
    """Return the end of a range for an entity; None where there is none or its attribute is missing."""
    if not isinstance(end, str):
        return end
    value = state.attributes.get(end)
    return value if is_number(value) else None


def _is_flag(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Accept booleans."""
    return None if isinstance(value, bool) else ErrorCode.INVALID


def _is_text(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Accept texts that are not blank, not too long, and without control characters."""
    if not isinstance(value, str) or not value.strip() or len(value) > _MAX_TEXT:
        return ErrorCode.INVALID
    # A lone surrogate cannot be encoded, so no file and no socket takes it.
    broken = any(c < " " or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in value)
    return ErrorCode.INVALID if broken else None


flag = Field(_is_flag, "true or false")
text = Field(_is_text, "text")


def one_of(*values: str) -> Field:
    """Return a field for options that are the same for all entities."""

    def check(_hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
        return None if isinstance(value, str) and value in values else ErrorCode.INVALID

    return Field(check, ", ".join(values))


def listed(attribute: str) -> Field:
    """Return a field for the options listed in an attribute of the entity.

    Without that list, as some players are while off, any text is accepted.
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
    """Return a field for a sequence of numbers, one for each pair of bounds."""
    parts = [number(low, high, whole=whole) for low, high in bounds]

    def check(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != len(parts):
            return ErrorCode.INVALID
        return most_severe(part(hass, state, each) for part, each in zip(parts, value, strict=True))

    return Field(check, f"{len(bounds)} numbers")


def most_severe(codes: Iterable[ErrorCode | None]) -> ErrorCode | None:
    """Return the most severe of some error codes: INVALID first, since it holds for every entity."""
    found = list(codes)
    order = (
        ErrorCode.INVALID,
        ErrorCode.WAKES,
        ErrorCode.NOT_EXPOSED,
        ErrorCode.UNAVAILABLE,
        ErrorCode.UNSUPPORTED,
        ErrorCode.OUT_OF_RANGE,
    )
    return next((code for code in order if code in found), None)


def check_available(hass: HomeAssistant, entity_id: str) -> ErrorCode | None:
    """Return NOT_EXPOSED or UNAVAILABLE for an entity that must not or cannot be called, else None.

    Exposure is not looked up without a state: Home Assistant would create and store a setting for the id.
    The id must be spelled as in the state machine, since exposure is stored under that spelling.
    """
    state = hass.states.get(entity_id)
    if state is None or state.entity_id != entity_id:
        return ErrorCode.UNAVAILABLE
    if not is_exposed(hass, entity_id):
        return ErrorCode.NOT_EXPOSED
    return ErrorCode.UNAVAILABLE if state.state == STATE_UNAVAILABLE else None

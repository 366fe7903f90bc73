"""Rows for what an entity shows and takes: attributes, and Home Assistant's services with their fields.

An attribute is saved for undo and compared with a tolerance. A service is validated before a call, checked in
the state after it, and worded as a reply.

Fields have validators, bound by the features and attributes of the target entity. A validator returns None for a
valid value, INVALID for one that no entity takes, UNSUPPORTED where this entity lacks the feature or option,
OUT_OF_RANGE outside the entity's own range.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import date
from enum import IntFlag, StrEnum
import math
from types import MappingProxyType
from typing import Any, Protocol, TypeGuard

from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State

from ..home.catalog import is_exposed
from .checks import OutcomeCheck, has_value
from .models import ErrorCode, ToolCall

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


_NOTHING: Mapping[str, Any] = MappingProxyType({})

FRACTION = "share"
"""Unit of a number from 0 to 1 that is spoken as a percentage."""

SECOND_ROUND = "again"
"""Stands among the changed attributes when the undo steps of a first round left differences."""


class Comparison(StrEnum):
    """When an attribute counts as a difference between two snapshots of an entity.

    NEVER for a value that changes by itself. EXACTLY for one that an entity may report under another
    name once it is set again, so that a rough comparison leaves it out.
    """

    ALWAYS = "always"
    EXACTLY = "exactly"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Attribute:
    """Attribute of an entity, and the service that sets it.

    `name` is the attribute's, or STATE. `tolerance` is the largest rounding error of devices, in the
    attribute's own unit; None for an exact match. `service` sets the value with `field` of its data (by
    default the attribute's name) on entities with `feature`.

    A snapshot saves the value if `is_saved`, except `none_value` (the value that stands for none), and
    with `while_on` only while the entity is on. `comparison` says when it counts as a difference;
    `wraps_at` is the period of a circular first number (a hue's 360).
    """

    name: str
    _: KW_ONLY
    tolerance: float | None = None
    service: str = ""
    field: str = ""
    feature: int = 0
    is_saved: bool = True
    while_on: bool = False
    none_value: str = ""
    wraps_at: float = 0
    comparison: Comparison = Comparison.ALWAYS

    def data(self, value: Any) -> dict[str, Any]:
        """Return the service data that sets a value."""
        return {self.field or self.name: value}


class ValueFormatter(Protocol):
    """Formats values for a reply, in the user's language and units."""

    def say(self, key: str) -> str:
        """Return a text of the language file."""
        ...

    def number(self, value: float) -> str:
        """Return a number with the language's decimal separator."""
        ...

    def value(self, value: Any, unit: str) -> str:
        """Return a value with its unit: "%", "°", FRACTION or nothing."""
        ...

    def percent(self, value: float) -> str:
        """Return a percentage, of a number from 0 to 100."""
        ...

    def event(self, begin: date, end: date) -> str:
        """Return when something in a calendar is: on whole days, or from one time to another."""
        ...

    def temperature(self, value: float) -> str:
        """Return a temperature with the user's unit."""
        ...

    def color(self, name: str) -> str:
        """Return the localised name of a colour."""
        ...

    def mode(self, value: str, attribute: str) -> str:
        """Return the localised name of a mode attribute's value, or of a state where it is empty."""
        ...

    def join(self, values: Sequence[str]) -> str:
        """Return values as a list in words ("a, b and c")."""
        ...


type ReplyTranslation = tuple[str, Mapping[str, str]]
"""Translation key of a reply below the domain's replies, and its placeholders."""

type FieldRule = Callable[[Mapping[str, Any]], bool]
type ReplyBuilder = Callable[[ValueFormatter, ToolCall], ReplyTranslation]


@dataclass(frozen=True, slots=True)
class Service:
    """Service of Home Assistant that may be called for entities of a domain.

    `capability` is what an entity needs to have the service. `fields` validate its data, without the
    targets; `required` must be given, and `rule` says whether valid fields go together. `check` verifies
    the outcome in the state; without one it cannot be verified, and `unseen` says why. `reply` builds the reply
    where the service's name and a single value are not enough. With `warns_if_off` the reply notes a target that
    remains off, which one with a field of `starts_by` does not. With `is_each_alone` each target gets a call of its
    own, all at the same time, so that one that fails is told apart from the others. What `is_momentary` is over when it
    is done: nothing of it is put back. `renames` are Home Assistant's names for fields that are called otherwise here,
    the targets ("entity_id") among them. `changes_too` are the fields that name other entities which it changes. What
    `acts_again` with its data does something also where the check held before: what plays is played from its beginning.
    What `lacks` tells is what an entity must be told besides, and cannot be here: its call is refused.
    """

    name: str
    capability: Capability | None = None
    fields: Mapping[str, Field] = field(default_factory=lambda: _NOTHING)
    _: KW_ONLY
    required: frozenset[str] = frozenset()
    rule: FieldRule | None = None
    check: OutcomeCheck | None = None
    reply: ReplyBuilder | None = None
    warns_if_off: bool = False
    starts_by: frozenset[str] = frozenset()
    is_each_alone: bool = False
    is_momentary: bool = False
    renames: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    unseen: str = ""
    changes_too: tuple[str, ...] = ()
    acts_again: FieldRule | None = None
    lacks: Callable[[HomeAssistant, str], Sequence[str]] | None = None

    def find_refusal(
        self, hass: HomeAssistant, state: State, data: Mapping[str, Any]
    ) -> ErrorCode | None:
        """Return the reason for which an entity of the domain refuses these data, or None for a valid call.

        INVALID, which holds for every entity, goes before UNSUPPORTED and OUT_OF_RANGE.
        """
        if not data.keys() <= self.fields.keys() or not self.required <= data.keys():
            return ErrorCode.INVALID
        code = most_severe(self.fields[name](hass, state, value) for name, value in data.items())
        if code is ErrorCode.INVALID or (self.rule and not self.rule(data)):
            return ErrorCode.INVALID
        if self.lacks and self.lacks(hass, state.entity_id):
            return ErrorCode.INVALID
        if self.capability and not self.capability(state):
            return ErrorCode.UNSUPPORTED
        return code

    def leaves_off(self, data: Mapping[str, Any]) -> bool:
        """Return whether a call with these data leaves off what is off, which the reply notes."""
        return self.warns_if_off and self.starts_by.isdisjoint(data)

    def sent(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return data with the targets among them by the names that Home Assistant has for them."""
        return {self.renames.get(name, name): value for name, value in data.items()}

    def build_reply(self, words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
        """Return the reply to a call; by default the service's name with the one value that was set."""
        if self.reply:
            return self.reply(words, call)
        values = [(self.fields.get(name), value) for name, value in call.data.items()]
        if len(values) != 1 or isinstance(values[0][1], bool):
            return self.name, {}
        field, value = values[0]
        return self.name, {"value": words.value(value, field.unit if field else "")}


def reply_started(_words: ValueFormatter, _call: ToolCall) -> ReplyTranslation:
    """Return the reply that something was started."""
    return "start", {}


def setting_service(
    name: str,
    capability: Capability | None,
    field: str,
    value: Field,
    *,
    attribute: str = "",
    tolerance: float | None = None,
    reply: ReplyBuilder | None = None,
    bool_replies: tuple[str, str] | None = None,
) -> Service:
    """Return a service that sets one field, verified by `attribute` (by default of the field's name).

    `bool_replies` are the keys of the replies to true and false.
    """
    if bool_replies is not None:
        on, off = bool_replies

        def reply(_words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
            return (on if call.data[field] else off), {}

    check = has_value(attribute or field, field, tolerance)
    required = frozenset({field})
    return Service(name, capability, {field: value}, required=required, check=check, reply=reply)


def at_most_one(*groups: frozenset[str]) -> FieldRule:
    """Return the rule that of each group at most one field is given."""
    return lambda data: all(len(group & data.keys()) <= 1 for group in groups)


class SavedState(Protocol):
    """State of an entity before a change, as undo reads it (`snapshot.StateSnapshot`)."""

    @property
    def state(self) -> str:
        """Return the state."""
        ...

    @property
    def attributes(self) -> Mapping[str, Any]:
        """Return the saved attributes."""
        ...

    def number(self, name: str) -> float | None:
        """Return a numeric attribute, else None."""
        ...

    def text(self, name: str) -> str | None:
        """Return a text attribute, else None."""
        ...


type UndoStep = tuple[str, dict[str, Any]]
"""Service of the entity's own domain, and its data."""

type UndoPlanner = Callable[[SavedState, State, frozenset[str]], Iterator[UndoStep]]
"""Yields the undo steps from the saved state, the state now and the names of the changed attributes."""


def restore_attributes(
    rows: Sequence[Attribute], before: SavedState, state: State, changed: frozenset[str]
) -> Iterator[UndoStep]:
    """Yield the steps that set each changed attribute again, where the entity has the feature."""
    for row in rows:
        value = before.attributes.get(row.name)
        is_able = not row.feature or features_of(state) & row.feature
        if row.service and row.name in changed and value is not None and is_able:
            yield row.service, row.data(value)

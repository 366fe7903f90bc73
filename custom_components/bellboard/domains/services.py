"""Rows for what an entity shows and takes: attributes, and Home Assistant's services with their fields.

An attribute is saved for undo and compared with a tolerance. A service is validated before a call, checked in
the state after it, and worded as a reply.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from homeassistant.core import HomeAssistant, State

from .checks import OutcomeCheck, has_value
from .fields import Capability, Field, features_of, most_severe
from .models import ErrorCode, ToolCall

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
    remains off. With `is_each_alone` each target gets a call of its own, all at the same time, so that one that fails
    is told apart from the others. What `is_momentary` is over when it is done: nothing of it is put back. `renames`
    are Home Assistant's names for fields that are called otherwise here, the targets ("entity_id") among them.
    `changes_too` are the fields that name other entities which it changes. What `acts_again` with its data does
    something also where the check held before: what plays is played from its beginning.
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
    is_each_alone: bool = False
    is_momentary: bool = False
    renames: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    unseen: str = ""
    changes_too: tuple[str, ...] = ()
    acts_again: FieldRule | None = None

    def find_refusal(
        self, hass: HomeAssistant, state: State, data: Mapping[str, Any]
    ) -> ErrorCode | None:
        """Return why an entity of the domain refuses these data, or None for a valid call.

        INVALID, which holds for every entity, goes before UNSUPPORTED and OUT_OF_RANGE.
        """
        if not data.keys() <= self.fields.keys() or not self.required <= data.keys():
            return ErrorCode.INVALID
        code = most_severe(self.fields[name](hass, state, value) for name, value in data.items())
        if code is ErrorCode.INVALID or (self.rule and not self.rule(data)):
            return ErrorCode.INVALID
        if self.capability and not self.capability(state):
            return ErrorCode.UNSUPPORTED
        return code

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

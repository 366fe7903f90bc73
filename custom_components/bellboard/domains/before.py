"""How a thing in the home was, in the few values that can be brought back, and what is other now."""

from datetime import datetime
import math
from typing import Annotated, Any, Self

from homeassistant.const import STATE_OFF, STATE_STANDBY
from homeassistant.core import State
from homeassistant.util import dt as dt_util
from pydantic import ConfigDict, Field

from ..json_model import JsonModel
from .checks import STATE
from .table import Attribute, Compared
from .tables import table_of

OFF = frozenset({STATE_OFF, STATE_STANDBY})
"""States in which an entity's attributes may say nothing."""

_MAX_TEXT = 500
_MOST = 2**53

type _Number = (
    Annotated[int, Field(ge=-_MOST, le=_MOST)]
    | Annotated[float, Field(ge=-_MOST, le=_MOST, allow_inf_nan=False)]
)
type _Value = (
    bool
    | _Number
    | Annotated[str, Field(max_length=_MAX_TEXT)]
    | Annotated[tuple[_Number, ...], Field(max_length=8)]
)


class Before(JsonModel):
    """How an entity was: its state, and of its attributes those that can be set.

    Colours are tuples of numbers as Home Assistant writes them, levels in its own units. Which are kept
    stands in the domain's table.
    """

    model_config = ConfigDict(frozen=True)

    entity_id: str = Field(pattern=r"^[a-z0-9_]+\.[a-z0-9_]+$", max_length=255)
    state: str = Field(max_length=255)
    attributes: dict[str, _Value] = Field(default_factory=dict, max_length=32)

    @classmethod
    def of(cls, state: State, now: datetime | None = None) -> Self:
        """Take down how an entity is. A value that cannot be written is left out."""
        table = table_of(state.domain)
        kept: dict[str, Any] = {}
        for row in table.attributes if table else ():
            value = state.attributes.get(row.name)
            is_silent = row.while_on and state.state in OFF
            if row.is_kept and not is_silent and not (row.none and value == row.none):
                kept[row.name] = value
        if table and table.more_kept:
            kept |= table.more_kept(state, now or dt_util.utcnow())
        attributes = {
            name: plain for name, value in kept.items() if (plain := _plain(value)) is not None
        }
        return cls(entity_id=state.entity_id, state=state.state[:255], attributes=attributes)

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return self.entity_id.partition(".")[0]

    def number(self, name: str) -> float | None:
        """Return an attribute that is a number, or None."""
        value = self.attributes.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return value

    def text(self, name: str) -> str | None:
        """Return an attribute that is a text, or None."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) else None

    def differences(self, now: Self, *, roughly: bool = False) -> frozenset[str]:
        """Return in what an entity is other now: the names of attributes, and STATE.

        With `roughly`, a value is the same that a device may show for it, and so is the name that a
        player gives to what it plays.
        """
        found: set[str] = set()
        for name in self.attributes.keys() | now.attributes.keys():
            row = _row(self.domain, name)
            if row.compared is Compared.NEVER or (roughly and row.compared is Compared.EXACTLY):
                continue
            was, is_now = self.attributes.get(name), now.attributes.get(name)
            if not (_is_near(row, was, is_now) if roughly else was == is_now):
                found.add(name)
        if (_state(self) != _state(now)) if roughly else (self.state != now.state):
            found.add(STATE)
        return frozenset(found)


def exactly_compared(domain: str) -> frozenset[str]:
    """Return the attributes that an entity may give another name when they are set again."""
    table = table_of(domain)
    rows = table.attributes if table else ()
    return frozenset(row.name for row in rows if row.compared is Compared.EXACTLY)


def _row(domain: str, name: str) -> Attribute:
    """Return the row of an attribute, or one that says nothing of it."""
    table = table_of(domain)
    return (table.attribute(name) if table else None) or Attribute(name)


def _plain(value: Any) -> _Value | None:
    """Return a value as JSON has it, or None where it cannot be kept."""
    match value:
        case bool():
            return value
        case int() | float():
            return value if abs(value) <= _MOST and math.isfinite(value) else None
        case str():
            # Also what is a member of an enumeration.
            return str(value) if len(value) <= _MAX_TEXT else None
        case datetime():
            return value.isoformat()
        case list() | tuple():
            parts = tuple(_plain(part) for part in value)
            numbers = tuple(p for p in parts if isinstance(p, int | float))
            return numbers if len(numbers) == len(parts) <= 8 else None
        case _:
            return None


def _is_near(row: Attribute, was: Any, now: Any) -> bool:
    """Return whether two values of an attribute are as near as a device may be."""
    if was is None or now is None or row.tolerance is None:
        return bool(was == now)
    ours, theirs = _numbers(was), _numbers(now)
    if len(ours) != len(theirs):
        return False
    gaps = [abs(a - b) for a, b in zip(ours, theirs, strict=True)]
    if row.circle and gaps:
        gaps[0] = min(gaps[0] % row.circle, row.circle - gaps[0] % row.circle)
    return all(gap <= row.tolerance for gap in gaps)


def _numbers(value: Any) -> tuple[float, ...]:
    """Return the numbers in a value."""
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(part for part in parts if isinstance(part, int | float))


def _state(found: Before) -> str:
    """Return a state as it is compared roughly."""
    table = table_of(found.domain)
    return table.alike.get(found.state, found.state) if table else found.state

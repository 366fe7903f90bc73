"""Snapshots of entities before a change, their differences from the states now, and what restores them: undo."""

from collections.abc import Iterator, Sequence
from datetime import datetime
import json
import math
from typing import Annotated, Any, Self

from homeassistant.const import STATE_OFF, STATE_STANDBY, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util
from pydantic import ConfigDict, Field

from ..json_model import JsonModel
from .checks import STATE
from .models import ToolCall
from .registry import table_of
from .services import SECOND_ROUND, Attribute, Comparison, UndoStep

OFF = frozenset({STATE_OFF, STATE_STANDBY})
"""States in which an entity may not report its attributes."""

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


class StateSnapshot(JsonModel):
    """State of an entity with the attributes that its domain's table saves, as JSON values.

    Values are in Home Assistant's own units; colours are tuples of numbers.
    """

    model_config = ConfigDict(frozen=True)

    entity_id: str = Field(pattern=r"^[a-z0-9_]+\.[a-z0-9_]+$", max_length=255)
    state: str = Field(max_length=255)
    attributes: dict[str, _Value] = Field(default_factory=dict, max_length=32)

    @classmethod
    def of(cls, state: State, now: datetime | None = None) -> Self:
        """Return the snapshot of a state at a time; values that are not plain JSON are left out."""
        table = table_of(state.domain)
        kept: dict[str, Any] = {}
        for row in table.attributes if table else ():
            value = state.attributes.get(row.name)
            is_silent = row.while_on and state.state in OFF
            if row.is_saved and not is_silent and not (row.none_value and value == row.none_value):
                kept[row.name] = value
        if table and table.extra_saved:
            kept |= table.extra_saved(state, now or dt_util.utcnow())
        attributes = {
            name: plain for name, value in kept.items() if (plain := _plain(value)) is not None
        }
        return cls(entity_id=state.entity_id, state=state.state[:255], attributes=attributes)

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return self.entity_id.partition(".")[0]

    def number(self, name: str) -> float | None:
        """Return a numeric attribute, else None."""
        value = self.attributes.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return value

    def text(self, name: str) -> str | None:
        """Return a text attribute, else None."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) else None

    def differences(self, now: Self, *, roughly: bool = False) -> frozenset[str]:
        """Return the names of the attributes that differ from another snapshot, and STATE.

        With `roughly`, values within the attributes' tolerances are equal, equivalent states are equal, and
        attributes that are compared EXACTLY are left out.
        """
        found: set[str] = set()
        for name in self.attributes.keys() | now.attributes.keys():
            row = _row(self.domain, name)
            if row.comparison is Comparison.NEVER or (
                roughly and row.comparison is Comparison.EXACTLY
            ):
                continue
            was, is_now = self.attributes.get(name), now.attributes.get(name)
            if not (_is_near(row, was, is_now) if roughly else was == is_now):
                found.add(name)
        if (_state(self) != _state(now)) if roughly else (self.state != now.state):
            found.add(STATE)
        return frozenset(found)


def find_exact_attributes(domain: str) -> frozenset[str]:
    """Return the names of a domain's attributes that are compared EXACTLY."""
    table = table_of(domain)
    rows = table.attributes if table else ()
    return frozenset(row.name for row in rows if row.comparison is Comparison.EXACTLY)


def _row(domain: str, name: str) -> Attribute:
    """Return the row of an attribute in its domain's table, else a row of defaults."""
    table = table_of(domain)
    return (table.attribute(name) if table else None) or Attribute(name)


def _plain(value: Any) -> _Value | None:
    """Return a value as plain JSON, or None where it has no such form or is too long."""
    match value:
        case bool():
            return value
        case int() | float():
            return value if abs(value) <= _MOST and math.isfinite(value) else None
        case str():
            # Members of a StrEnum become plain text.
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
    """Return whether two values of an attribute are equal within its tolerance."""
    if was is None or now is None or row.tolerance is None:
        return bool(was == now)
    ours, theirs = _numbers(was), _numbers(now)
    if len(ours) != len(theirs):
        return False
    gaps = [abs(a - b) for a, b in zip(ours, theirs, strict=True)]
    if row.wraps_at and gaps:
        gaps[0] = min(gaps[0] % row.wraps_at, row.wraps_at - gaps[0] % row.wraps_at)
    return all(gap <= row.tolerance for gap in gaps)


def _numbers(value: Any) -> tuple[float, ...]:
    """Return the numbers of a value, which is one or a tuple of them."""
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(part for part in parts if isinstance(part, int | float))


def _state(found: StateSnapshot) -> str:
    """Return the state, or the one it is equivalent to."""
    table = table_of(found.domain)
    return table.equivalent_states.get(found.state, found.state) if table else found.state


def restore_calls(
    before: Sequence[StateSnapshot], hass: HomeAssistant, *, roughly: bool = False
) -> list[ToolCall]:
    """Return the calls that undo all differences from the snapshots, in order.

    Some differences show only after a first step: a preset brings its own target temperature, a player
    reports its source only while it is on. So the caller repeats this with `roughly` until no call is
    left. What cannot or must not be undone has no call.
    """
    sequences = [
        (one.entity_id, list(_steps_of(one, state, roughly=roughly)))
        for one in before
        if (state := hass.states.get(one.entity_id)) and state.state != STATE_UNAVAILABLE
    ]
    calls: list[ToolCall] = []
    for number in range(max((len(steps) for _, steps in sequences), default=0)):
        alike: dict[str, ToolCall] = {}
        for entity_id, steps in sequences:
            if number < len(steps):
                action, data = steps[number]
                action = f"{entity_id.partition('.')[0]}.{action}"
                key = json.dumps([action, data], sort_keys=True)
                known = alike.get(key) or ToolCall(action=action, data=data)
                targets = (*known.targets, entity_id)
                alike[key] = known.model_copy(update={"targets": targets})
        calls += alike.values()
    return calls


def _steps_of(before: StateSnapshot, state: State, *, roughly: bool) -> Iterator[UndoStep]:
    """Yield the undo steps of one entity."""
    table = table_of(before.domain)
    now = StateSnapshot.of(state)
    changed = before.differences(now, roughly=roughly)
    if roughly and changed:
        changed |= {SECOND_ROUND}
    changed |= find_exact_attributes(before.domain) & before.differences(now)
    if changed and table:
        yield from table.undo_steps(before, state, changed)

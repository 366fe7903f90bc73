"""Undo records of a conversation: how entities were before each of its last turns.

Kept in the task's metadata, so that it goes where the task goes. Whatever stands there is read with
care and never trusted.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from homeassistant.core import State
from pydantic import ConfigDict, Field, ValidationError

from ..domains.snapshot import StateSnapshot
from ..json_model import JsonModel, timestamp
from .models import TaskContext

_KEY = "undo"

MAX_UNDOABLE = 3
"""The turns that can be undone, one after the other."""

MAX_ENTITIES = 100
"""Of a turn that changed more than these, nothing is put back: never a part of it."""

_MAX_CHARACTERS = 300


class UndoRecord(JsonModel):
    """A turn that did something. `at` is when it ended, in ISO 8601; `said` is the request.

    `before` is how each thing was that it changed; empty where they were too many, and where nothing
    is `changed` by it. `domains` are those of all that the turn did something with.
    """

    model_config = ConfigDict(frozen=True)

    at: str
    said: str = ""
    before: tuple[StateSnapshot, ...] = Field(default=(), max_length=MAX_ENTITIES)
    changed: bool = True
    domains: tuple[Annotated[str, Field(max_length=64)], ...] = Field(
        default=(), max_length=MAX_ENTITIES
    )


def keep_for_undo(
    task: TaskContext,
    said: str,
    before: Mapping[str, State],
    now: Callable[[str], State | None],
    *,
    momentary: Iterable[str] = (),
) -> None:
    """Store how the entities were that a turn changed, or that it did something that changed nothing.

    `before` are the states of all that it may have changed, `now` returns the present state of an
    entity. `momentary` are domains of what was over when it was done.
    """
    domains = {state.domain for state in before.values()} | set(momentary)
    if not domains:
        return
    changed = [was for state in before.values() if (was := _changed(state, now(state.entity_id)))]
    record = UndoRecord(
        at=timestamp(),
        said=said[:_MAX_CHARACTERS],
        before=tuple(changed) if len(changed) <= MAX_ENTITIES else (),
        changed=bool(changed),
        domains=tuple(sorted(domains))[:MAX_ENTITIES],
    )
    # Of turns that changed nothing only the last is of any use.
    kept = [one for one in _read(task) if one.changed]
    _write(task, [*(kept[1:] if changed and len(kept) == MAX_UNDOABLE else kept), record])


def has_changed_nothing(task: TaskContext) -> bool:
    """Return whether the last turn that did something changed nothing."""
    records = _read(task)
    return bool(records) and not records[-1].changed


def domains_of_last(task: TaskContext) -> tuple[str, ...]:
    """Return the domains of what the last turn did something with, () where that is not known."""
    records = _read(task)
    return records[-1].domains if records else ()


def undoable(task: TaskContext) -> list[UndoRecord]:
    """Return the turns that changed something, the newest last."""
    return [record for record in _read(task) if record.changed]


def last_undoable(task: TaskContext) -> UndoRecord | None:
    """Return the last turn that changed something, or None where none is known."""
    return next((record for record in reversed(_read(task)) if record.changed), None)


def forget_unchanged(task: TaskContext) -> bool:
    """Delete the record of a last turn that changed nothing; return whether there was one."""
    if not has_changed_nothing(task):
        return False
    _write(task, _read(task)[:-1])
    return True


def pop_undo(task: TaskContext) -> UndoRecord | None:
    """Delete and return the record of the last turn that changed something; the one before it is next."""
    records = [record for record in _read(task) if record.changed]
    record = records.pop() if records else None
    _write(task, records)
    return record


def _changed(was: State, now: State | None) -> StateSnapshot | None:
    """Return how an entity was, or None where it is no other now."""
    before = StateSnapshot.of(was)
    is_same = now is not None and not before.differences(StateSnapshot.of(now))
    return None if is_same else before


def _read(task: TaskContext) -> list[UndoRecord]:
    """Return the records, the newest last. What cannot be read is left out."""
    stored = task.metadata.get(_KEY)
    entries = stored[-MAX_UNDOABLE - 1 :] if isinstance(stored, list) else []
    return [record for entry in entries if (record := _record(entry))]


def _record(entry: Any) -> UndoRecord | None:
    """Return a record from JSON, or None where it is none."""
    try:
        return UndoRecord.model_validate(entry)
    except ValidationError, RecursionError:
        return None


def _write(task: TaskContext, records: list[UndoRecord]) -> None:
    """Store records in the task; no key where there are none."""
    task.metadata.pop(_KEY, None)
    if records:
        task.metadata[_KEY] = [record.as_json() for record in records]

"""Keeps tasks in Home Assistant's storage: one file for each assistant."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
import logging
from pathlib import Path
from typing import Any, override

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.json import json_fragment
from homeassistant.helpers.storage import Store

from ..const import DOMAIN
from .broken_file import async_set_aside
from .models import TaskContext, TaskState
from .store import changed_at, decode, encode

_LOGGER = logging.getLogger(__name__)

STORAGE_VERSION = 1

MIGRATIONS: tuple[Callable[[Any], Any], ...] = ()
"""What turns the data of each minor version into that of the next; the first step is from 1.1.

A major version is for data that older releases could not read.
"""

MAX_SESSIONS = 500
"""The sessions that are kept at most."""

MAX_BYTES = 1024 * 1024
"""The size that all tasks together may have."""

# In seconds. What need not be durable is written this long after it changed.
_DELAY = 10

_EXPIRE_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A serialised task, with what decides how long it is kept."""

    json: bytes
    changed: datetime
    waiting: bool

    @classmethod
    def of(cls, task: TaskContext) -> _Kept:
        """Serialise a task."""
        return cls(encode(task), changed_at(task), task.state is TaskState.INPUT_REQUIRED)


class _File(Store[Any]):
    """The file, whatever release wrote it."""

    @override
    async def _async_migrate_func(
        self, old_major_version: int, old_minor_version: int, old_data: Any
    ) -> Any:
        """Bring data to the current version; those of a newer minor version can be read as they are."""
        if old_major_version != STORAGE_VERSION:
            raise NotImplementedError
        for step in MIGRATIONS[old_minor_version - 1 :]:
            old_data = step(old_data)
        return old_data


def _file(hass: HomeAssistant, assistant_id: str) -> _File:
    """Return the file of an assistant."""
    return _File(
        hass,
        STORAGE_VERSION,
        f"{DOMAIN}.tasks.{assistant_id}",
        private=True,
        atomic_writes=True,
        minor_version=1 + len(MIGRATIONS),
        serialize_in_event_loop=False,
    )


async def async_remove_tasks(hass: HomeAssistant, assistant_id: str) -> None:
    """Delete what was kept for an assistant that is no more."""
    await _file(hass, assistant_id).async_remove()


class HomeAssistantTaskStore:
    """The tasks of one assistant.

    They are in memory as the bytes that are written, so that a write costs the event loop nothing
    but a list. `on_broken` is told the path of what could not be read and was set aside.
    """

    shared = False

    def __init__(
        self,
        hass: HomeAssistant,
        assistant_id: str,
        ttl: timedelta,
        on_broken: Callable[[str], None],
    ) -> None:
        """Prepare to load."""
        self._hass = hass
        self._ttl = ttl
        self._on_broken = on_broken
        self._file = _file(hass, assistant_id)
        # By session id, the longest unchanged first.
        self._kept: dict[str, _Kept] = {}
        # Of all that is kept, in bytes.
        self._size = 0
        self._changes = self._written = 0
        self._is_scheduled = self._is_closed = False
        self._writer: asyncio.Task[None] | None = None
        self._stop_expiring: CALLBACK_TYPE | None = None

    async def async_load(self) -> list[TaskContext]:
        """Return all tasks that are kept."""
        self._stop_expiring = async_track_time_interval(
            self._hass,
            self._async_expire,
            _EXPIRE_EVERY,
            name="bellboard forgets",
            cancel_on_shutdown=True,
        )
        try:
            data = await self._file.async_load()
            items = data["tasks"] if data else []
            if not isinstance(items, list):
                raise TypeError("tasks are no list")  # noqa: TRY301 -- unreadable as all else
        except Exception as err:  # noqa: BLE001 -- a file may be wrong in any way, and is then unreadable
            await self._async_set_aside(err, whole=True)
            return []
        # Off the event loop: thousands of messages may have to be checked.
        tasks, broken = await self._hass.async_add_executor_job(_read_all, items)
        oldest = datetime.now(UTC) - self._ttl
        live = {task.session_id: task for task, kept in tasks if kept.changed >= oldest}
        self._kept = {task.session_id: kept for task, kept in tasks if kept.changed >= oldest}
        self._size = sum(len(kept.json) for kept in self._kept.values())
        self._make_room()
        if broken:
            await self._async_set_aside(broken, whole=False)
        return [live[session_id] for session_id in self._kept]

    async def async_get(self, session_id: str) -> TaskContext | None:
        """Return a session's task, or None."""
        kept = self._kept.get(session_id)
        if kept is None or kept.changed < datetime.now(UTC) - self._ttl:
            return None
        return decode(kept.json)

    async def async_save(self, task: TaskContext, *, durable: bool) -> None:
        """Keep a task as it is now, in place of the one that its session had.

        While Home Assistant shuts down all is written at once at the end.
        """
        if self._is_closed:
            return
        self._drop(task.session_id)
        self._kept[task.session_id] = kept = _Kept.of(task)
        self._size += len(kept.json)
        self._make_room()
        self._note_change()
        if durable:
            await self._async_flush()

    def count(self) -> int:
        """Return how many sessions are kept and not expired."""
        oldest = datetime.now(UTC) - self._ttl
        return sum(kept.changed >= oldest for kept in self._kept.values())

    async def async_forget(self, session_id: str | None = None) -> int:
        """Forget a session, or all, for good; return how many were forgotten."""
        if session_id is None:
            forgotten = sum(self._drop(name) for name in list(self._kept))
        else:
            forgotten = int(self._drop(session_id))
        if forgotten:
            self._note_change()
            await self._async_flush()
        return forgotten

    async def async_close(self) -> None:
        """Write what is still to be written. Nothing is kept after that."""
        self._is_closed = True
        if self._stop_expiring:
            self._stop_expiring()
            self._stop_expiring = None
        await self._async_flush()

    def _note_change(self) -> None:
        """Schedule a write, unless one is scheduled.

        A write that is due is not put off by further changes.
        """
        self._changes += 1
        if not self._is_scheduled:
            self._is_scheduled = True
            self._file.async_delay_save(self._data, _DELAY)

    def _data(self) -> dict[str, Any]:
        """Return what is to be written. Runs in another thread.

        The mark goes first: a change from here on asks for another write.
        """
        self._is_scheduled = False
        return {"tasks": [json_fragment(kept.json) for kept in list(self._kept.values())]}

    async def _async_flush(self) -> None:
        """Write all changes up to now. Those who wait at once share a write.

        Whoever waits may be cancelled; the write goes on, so that no other one can overtake it.
        """
        wanted = self._changes
        while self._written < wanted:
            if self._writer is None or self._writer.done():
                self._writer = self._hass.async_create_task(
                    self._async_write(), "bellboard keeps tasks", eager_start=True
                )
            await asyncio.shield(self._writer)

    async def _async_write(self) -> None:
        """Write all tasks."""
        covered = self._changes
        try:
            await self._file.async_save(self._data())
        except OSError as err:
            # Home Assistant tells of a file that cannot be written, but not of a missing folder.
            _LOGGER.warning("Conversations cannot be written to %s: %s", self._file.path, err)
        finally:
            self._written = covered

    @callback
    def _async_expire(self, _now: datetime) -> None:
        """Drop what is older than the time to live."""
        oldest = datetime.now(UTC) - self._ttl
        old = [session_id for session_id, kept in self._kept.items() if kept.changed < oldest]
        for session_id in old:
            self._drop(session_id)
        if old:
            self._note_change()

    def _make_room(self) -> None:
        """Drop tasks beyond the limits: those that are over before those that wait, old before new.

        The newest stays in any case.
        """
        if len(self._kept) <= MAX_SESSIONS and self._size <= MAX_BYTES:
            return
        # The order among equals stays: the longest unchanged first.
        for session_id in sorted(list(self._kept)[:-1], key=lambda name: self._kept[name].waiting):
            self._drop(session_id)
            if len(self._kept) <= MAX_SESSIONS and self._size <= MAX_BYTES:
                return

    def _drop(self, session_id: str) -> bool:
        """Drop a session's task; return whether there was one."""
        kept = self._kept.pop(session_id, None)
        if kept is not None:
            self._size -= len(kept.json)
        return kept is not None

    async def _async_set_aside(self, err: Exception, *, whole: bool) -> None:
        """Set a file with unreadable tasks aside, and go on with those that can be read."""
        path = Path(self._file.path)
        try:
            aside = await async_set_aside(self._hass, path, whole=whole)
        except OSError as failure:
            _LOGGER.warning("Conversations in %s cannot be read, nor set aside: %s", path, failure)
            return
        _LOGGER.warning(
            "Conversations that cannot be read were set aside as %s (%s)", aside, type(err).__name__
        )
        self._on_broken(str(aside))
        if not whole:
            self._note_change()
            await self._async_flush()


def _read_all(items: list[Any]) -> tuple[list[tuple[TaskContext, _Kept]], Exception | None]:
    """Return the tasks in JSON objects, the longest unchanged first, and what was wrong with one."""
    tasks: list[tuple[TaskContext, _Kept]] = []
    broken: Exception | None = None
    for item in items:
        try:
            task = TaskContext.model_validate(item)
            # What could not be written again is of no use either.
            tasks.append((task, _Kept.of(task)))
        except (ValueError, TypeError, RecursionError) as err:
            broken = err
    tasks.sort(key=lambda found: found[1].changed)
    return tasks, broken

"""Keeps tasks in Home Assistant's storage: one file for each assistant."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.json import json_fragment

from .kept_list import ListFile, Migrations
from .models import TaskContext, TaskState, changed_at, decode, encode

MIGRATIONS: Migrations = ()
"""What turns the data of each minor version into that of the next; the first step is from 1.1.

A major version is for data that older releases could not read.
"""

MAX_SESSIONS = 500
"""The sessions that are kept at most."""

MAX_BYTES = 1024 * 1024
"""The size that all tasks together may have."""

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


def _file(
    hass: HomeAssistant, assistant_id: str, on_broken: Callable[[str], None] = lambda _: None
) -> ListFile:
    """Return the file of an assistant."""
    return ListFile(
        hass,
        "tasks",
        assistant_id,
        told="What is kept of conversations",
        migrations=MIGRATIONS,
        on_broken=on_broken,
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
        self._file = _file(hass, assistant_id, on_broken)
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
        tasks, is_aside = await self._file.async_load("tasks", _read)
        tasks.sort(key=lambda found: found[1].changed)
        oldest = datetime.now(UTC) - self._ttl
        live = {task.session_id: task for task, kept in tasks if kept.changed >= oldest}
        self._kept = {task.session_id: kept for task, kept in tasks if kept.changed >= oldest}
        self._size = sum(len(kept.json) for kept in self._kept.values())
        self._make_room()
        if is_aside:
            self._note_change()
            await self._async_flush()
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
            self._file.async_delay_save(self._data)

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


def _read(item: Any) -> tuple[TaskContext, _Kept]:
    """Return the task in a JSON object; raises ValueError where it is none, or could not be written again."""
    task = TaskContext.model_validate(item)
    return task, _Kept.of(task)

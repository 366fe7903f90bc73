"""Files in Home Assistant's storage: lists and tasks, one file of each kind for each assistant.

A file is written whole, at once or some time after a change. What cannot be read is set aside, and what is wrong
in a file is left out.
"""

from abc import ABC, abstractmethod
import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
import logging
from pathlib import Path
import shutil
from typing import Any, ClassVar, Self, override

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.exceptions import UnsupportedStorageVersionError
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.json import json_fragment
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..json_model import JsonModel
from .kept_tasks import KeptTask, KeptTasks
from .models import TaskContext, decode, is_submitted

_LOGGER = logging.getLogger(__name__)

STORAGE_VERSION = 1

SAVE_DELAY = 10
"""In seconds: what need not be durable is written this long after it changed."""

ISSUE_NEWER = "newer_file"
"""The repair issue about a file that a newer release wrote in a form of its own."""

type Migrations = tuple[Callable[[Any], Any], ...]


@dataclass(frozen=True, slots=True)
class ListKind[T: JsonModel]:
    """A kind of list: its file `bellboard.<name>.<id>`, the key in it, and its name in the log ("What was learnt").

    `read` makes an item of a JSON object and raises ValueError where it is none.
    """

    name: str
    key: str
    told: str
    read: Callable[[Any], T]


class _File(Store[Any]):
    """The file, whatever release wrote it."""

    migrations: Migrations = ()

    @override
    async def _async_migrate_func(
        self, old_major_version: int, old_minor_version: int, old_data: Any
    ) -> Any:
        """Bring data to the current version; those of a newer minor version can be read as they are."""
        if old_major_version != STORAGE_VERSION:
            raise NotImplementedError
        for step in self.migrations[old_minor_version - 1 :]:
            old_data = step(old_data)
        return old_data


class ListFile:
    """The file of a list: its objects are read, what cannot be read is set aside, and the file is written.

    `migrations` turn the data of each minor version into that of the next. `on_broken` is told the path of what
    was set aside. A file that a newer release wrote in a form of its own stays as it is: it is not read, nor written.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        name: str,
        assistant_id: str,
        *,
        told: str,
        migrations: Migrations = (),
        on_broken: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Begin with a file that is not read yet."""
        self._hass, self._told, self._on_broken = hass, told, on_broken
        self._store = _File(
            hass,
            STORAGE_VERSION,
            f"{DOMAIN}.{name}.{assistant_id}",
            private=True,
            atomic_writes=True,
            minor_version=1 + len(migrations),
            serialize_in_event_loop=False,
        )
        self._store.migrations = migrations
        self._is_newer = False

    async def async_load[T](self, key: str, read: Callable[[Any], T]) -> tuple[list[T], bool]:
        """Return the items under a key, and whether the file held something else too, which was copied aside.

        There are none where there is no file, or it cannot be read; then it is moved aside.
        """
        try:
            data = await self._store.async_load()
            self._note_newer(is_newer=False)
            items = data[key] if data else []
            if not isinstance(items, list):
                raise TypeError("what is kept is no list")  # noqa: TRY301 -- unreadable as all else
        except UnsupportedStorageVersionError:
            self._note_newer(is_newer=True)
            return [], False
        except Exception as err:  # noqa: BLE001 -- a file may be wrong in any way, and is then unreadable
            await self._async_set_aside(type(err).__name__, whole=True)
            return [], False
        # Off the event loop: thousands of messages may have to be checked.
        found, broken = await self._hass.async_add_executor_job(read_items, items, read)
        is_aside = bool(broken) and await self._async_set_aside(
            f"{broken} of {len(items)}", whole=False
        )
        return found, is_aside

    @callback
    def async_delay_save(self, data: Callable[[], dict[str, Any]]) -> None:
        """Write some time later; `data` returns the content, and may be called in another thread."""
        if not self._is_newer:
            self._store.async_delay_save(data, SAVE_DELAY)

    async def async_save(self, data: dict[str, Any]) -> None:
        """Write now. When this returns it outlives the process, or the log says that it was not written."""
        if self._is_newer:
            return
        try:
            await self._store.async_save(data)
        except OSError as err:
            # Home Assistant tells of a file that cannot be written, but not of a missing folder.
            _LOGGER.warning("%s cannot be written to %s: %s", self._told, self._store.path, err)

    async def async_remove(self) -> None:
        """Delete the file."""
        await self._store.async_remove()

    @callback
    def _note_newer(self, *, is_newer: bool) -> None:
        """Note whether a newer release wrote the file, and tell it."""
        self._is_newer = is_newer
        path = Path(self._store.path)
        issue_id = f"{ISSUE_NEWER}_{path.name}"
        if not is_newer:
            ir.async_delete_issue(self._hass, DOMAIN, issue_id)
            return
        _LOGGER.warning(
            "%s was written by a newer release and stays as it is: %s", self._told, path
        )
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=ISSUE_NEWER,
            translation_placeholders={"path": str(path)},
        )

    async def _async_set_aside(self, reason: str, *, whole: bool) -> bool:
        """Move the `whole` file aside, or keep a copy of it; return whether that was possible."""
        path = Path(self._store.path)
        aside = path.with_name(f"{path.name}.corrupt.{dt_util.utcnow().isoformat()}")
        move = path.rename if whole else partial(shutil.copy2, path)
        try:
            await self._hass.async_add_executor_job(move, aside)
        except OSError as failure:
            _LOGGER.warning("%s in %s cannot be read, nor set aside: %s", self._told, path, failure)
            return False
        _LOGGER.warning("%s and cannot be read was set aside as %s (%s)", self._told, aside, reason)
        self._on_broken(str(aside))
        return True


def read_items[T](items: Iterable[Any], read: Callable[[Any], T]) -> tuple[list[T], int]:
    """Return the items in JSON objects, and how many objects are none."""
    found: list[T] = []
    broken = 0
    for item in items:
        try:
            found.append(read(item))
        except ValueError, TypeError, RecursionError:
            broken += 1
    return found, broken


class KeptList[T: JsonModel]:
    """The list of a kind that an assistant keeps; `items` returns what is to be written."""

    def __init__(
        self,
        hass: HomeAssistant,
        assistant_id: str,
        kind: ListKind[T],
        items: Callable[[], Sequence[T]],
    ) -> None:
        """Begin with a file that is not read yet."""
        self._kind, self._items = kind, items
        self._file = ListFile(hass, kind.name, assistant_id, told=kind.told)
        self._is_changed = self._is_closed = False
        self._saving = asyncio.Lock()

    async def async_load(self) -> list[T]:
        """Return the items in the file; none where there is no file, or it cannot be read."""
        found, is_aside = await self._file.async_load(self._kind.key, self._kind.read)
        if is_aside:
            self.async_note_change()
        return found

    @callback
    def async_note_change(self) -> None:
        """Schedule a write."""
        if not self._is_closed and not self._is_changed:
            self._is_changed = True
            self._file.async_delay_save(self._data)

    async def async_save(self) -> None:
        """Write the list now; see `ListFile.async_save`."""
        async with self._saving:
            await self._file.async_save(self._data())

    async def async_close(self) -> None:
        """Write what is not written yet, and end: the next one may read the file then."""
        self._is_closed = True
        if self._is_changed or self._saving.locked():
            await self.async_save()

    async def async_remove(self) -> None:
        """Delete the file."""
        await self._file.async_remove()

    def _data(self) -> dict[str, Any]:
        """Return the file's content. May run in another thread.

        The mark goes first: a change from here on asks for another write.
        """
        self._is_changed = False
        return {self._kind.key: [item.as_json() for item in self._items()]}


class KeptItems[T: JsonModel](ABC):
    """Items in memory, which are kept in an assistant's file once they are opened.

    `on_change` is called after each change.
    """

    kind: ClassVar[ListKind[Any]]

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        """Begin with none."""
        self._on_change = on_change
        self._file: KeptList[T] | None = None

    @property
    @abstractmethod
    def all(self) -> tuple[T, ...]:
        """Return all items, the least recently used first."""

    @abstractmethod
    def replace(self, items: Iterable[T]) -> None:
        """Replace all items."""

    @classmethod
    async def async_open(cls, hass: HomeAssistant, assistant_id: str) -> Self:
        """Return an assistant's items, as its file has them."""
        items = cls()
        items._file = file = KeptList(hass, assistant_id, cls.kind, lambda: items.all)
        items.replace(await file.async_load())
        items._on_change = file.async_note_change
        return items

    async def async_close(self) -> None:
        """Write what is not written yet, and end."""
        if self._file:
            await self._file.async_close()


async def async_remove_list(hass: HomeAssistant, name: str, assistant_id: str) -> None:
    """Delete the file of an assistant that was removed."""
    await ListFile(hass, name, assistant_id, told=name).async_remove()


def shorten(mapping: dict[Any, Any], most: int) -> None:
    """Drop the oldest entries of a mapping until there are no more than `most`."""
    while len(mapping) > most:
        del mapping[next(iter(mapping))]


MIGRATIONS: Migrations = ()
"""What turns the data of each minor version into that of the next; the first step is from 1.1.

A major version is for data that older releases could not read.
"""

_EXPIRE_EVERY = timedelta(hours=1)


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
        self._kept = KeptTasks()
        self._changes = self._written = 0
        self._is_scheduled = self._is_closed = False
        self._writer: asyncio.Task[None] | None = None
        self._stop_expiring: CALLBACK_TYPE | None = None

    async def async_load(self) -> list[TaskContext]:
        """Return the newest task of each session, and those beside it that wait for their turn."""
        self._stop_expiring = async_track_time_interval(
            self._hass,
            self._async_expire,
            _EXPIRE_EVERY,
            name="bellboard forgets",
            cancel_on_shutdown=True,
        )
        tasks, is_aside = await self._file.async_load("tasks", _read)
        oldest = datetime.now(UTC) - self._ttl
        live = {task.id: task for task, kept in tasks if kept.changed >= oldest}
        self._kept = KeptTasks(kept for _, kept in tasks if kept.changed >= oldest)
        if is_aside:
            self._note_change()
            await self._async_flush()
        newest = self._kept.newest
        ids = {kept.id for kept in newest}
        beside = (live[kept.id] for kept in self._kept.all if kept.id not in ids)
        return [*(live[kept.id] for kept in newest), *filter(is_submitted, beside)]

    async def async_get(self, session_id: str) -> TaskContext | None:
        """Return a session's newest task, or None."""
        return self._live(self._kept.get(session_id))

    async def async_get_task(self, task_id: str) -> TaskContext | None:
        """Return a task by its id, or None."""
        return self._live(self._kept.find(task_id))

    async def async_save(self, task: TaskContext, *, durable: bool, beside: bool = False) -> None:
        """Keep a task as it is now, as the newest of its session or `beside` that.

        While Home Assistant shuts down all is written at once at the end.
        """
        if self._is_closed:
            return
        self._kept.keep(KeptTask.of(task), beside=beside)
        self._note_change()
        if durable:
            await self._async_flush()

    async def async_move(self, task: TaskContext, former_id: str) -> None:
        """Keep a task as the newest of its session, which had another id before."""
        if not self._is_closed:
            self._kept.move(former_id, KeptTask.of(task))
            self._note_change()

    def count(self) -> int:
        """Return how many sessions are kept and not expired."""
        oldest = datetime.now(UTC) - self._ttl
        return sum(kept.changed >= oldest for kept in self._kept.newest)

    async def async_forget(self, session_id: str | None = None) -> int:
        """Forget a session, or all, for good; return how many were forgotten."""
        sessions = {kept.session_id for kept in self._kept.all}
        names = sessions if session_id is None else sessions & {session_id}
        for name in names:
            self._kept.forget(name)
        if names:
            self._note_change()
            await self._async_flush()
        return len(names)

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
        return {"tasks": [json_fragment(kept.json) for kept in self._kept.all]}

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
        if self._kept.expire(datetime.now(UTC) - self._ttl):
            self._note_change()

    def _live(self, kept: KeptTask | None) -> TaskContext | None:
        """Return a kept task that is not expired."""
        if kept is None or kept.changed < datetime.now(UTC) - self._ttl:
            return None
        return decode(kept.json)


def _read(item: Any) -> tuple[TaskContext, KeptTask]:
    """Return the task in a JSON object; raises ValueError where it is none, or could not be written again."""
    task = TaskContext.model_validate(item)
    return task, KeptTask.of(task)

"""Keeps tasks in Redis, where several Home Assistants can share their conversations.

    task:{id}            the task as JSON (data model, Redis storage)
    session:{sessionId}  the id of the session's newest task
    bellboard:beside:{sessionId}  the ids of the others that the session still has
    bellboard:beside     those of all sessions, by their time

All expire. What a server answers is checked: one that answers otherwise than Redis counts as one that
cannot be reached. The client library is imported only when a store is made, because it is installed only
where somebody chose Redis.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import batched, islice
import logging
from operator import methodcaller
import time
from typing import TYPE_CHECKING, Any

from homeassistant.core import HomeAssistant

from .kept_tasks import MAX_BESIDE, MAX_BESIDE_BYTES, MAX_BESIDE_IN_ALL
from .models import StoreUnavailableError, TaskContext, decode, encode, is_newer, is_submitted
from .redis_connection import FORGET, GET, GET_ALL, MOVE, SAVE, RedisConnection, async_connect

if TYPE_CHECKING:
    from redis.asyncio import Redis

_LOGGER = logging.getLogger(__name__)

MAX_BYTES = 1024 * 1024
"""The size of a task that is read at most, in bytes; ours are smaller, and others may write what they like."""

MAX_HELD = 500
"""The tasks that are held in memory at most while Redis cannot be reached; the newest of a session longest."""

# In seconds, between attempts to reach a Redis that could not be reached.
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
# A Redis that is lost again sooner than this, in seconds, is tried after ever longer pauses.
_STEADY = 60.0

_AT_ONCE = 100
# What a look through all keys may take, in seconds and requests of so many keys each.
_LONGEST_SCAN = 5.0
_MOST_SCANS = 10_000
_KEYS_A_SCAN = 1000
_MAX_ID_BYTES = 256

_BESIDE = "bellboard:beside"


@dataclass(frozen=True, slots=True)
class _Held:
    """A task that is not yet in Redis. `is_late` says that it could not be written when it changed."""

    task_id: str
    session_id: str
    changed: str
    json: bytes
    is_beside: bool
    is_late: bool

    @property
    def keys(self) -> list[str]:
        """Return the keys it is written to, and where it is noted what is beside a newest task."""
        return [f"task:{self.task_id}", *_session_keys(self.session_id)]


def _session_keys(session_id: str) -> tuple[str, str, str]:
    """Return where a session's newest task is noted, those beside it, and those of all sessions."""
    return f"session:{session_id}", f"{_BESIDE}:{session_id}", _BESIDE


async def async_create_redis_store(
    hass: HomeAssistant,
    url: str,
    ttl: timedelta,
    *,
    on_unavailable: Callable[[str], None],
    on_available: Callable[[], None],
) -> RedisTaskStore:
    """Return a store in Redis, which need not answer yet; install the client library if necessary.

    `on_unavailable` is told why Redis cannot be reached, `on_available` follows when it can again.

    Raises:
        RequirementsNotFound: the client library cannot be installed.
        ValueError: the URL is none of Redis.
    """
    connection = await async_connect(hass, url)
    return RedisTaskStore(hass, connection, ttl, on_unavailable, on_available)


class RedisTaskStore:
    """The tasks of all that use one Redis.

    While Redis cannot be reached what is saved is held in memory, and written when it is back.
    """

    shared = True

    def __init__(
        self,
        hass: HomeAssistant,
        connection: RedisConnection,
        ttl: timedelta,
        on_unavailable: Callable[[str], None],
        on_available: Callable[[], None],
    ) -> None:
        """Prepare to load; see async_create_redis_store."""
        self._hass = hass
        self._connection = connection
        self._ttl = max(1, int(ttl.total_seconds()))
        self._on_unavailable = on_unavailable
        self._on_available = on_available
        # By task id, the oldest first.
        self._held: dict[str, _Held] = {}
        self._is_available = True
        self._is_closed = False
        self._pause = _FIRST_PAUSE
        self._back_at = -_STEADY
        self._writing = asyncio.Lock()
        self._writer: asyncio.Task[None] | None = None
        self._recovery: asyncio.Task[None] | None = None

    async def async_load(self) -> list[TaskContext]:
        """Return the newest task of each session, and those beside it that wait; none while Redis cannot be reached."""
        try:
            return [
                task
                async for tasks in self._async_scan()
                for task in await self._async_newest(tasks)
            ]
        except StoreUnavailableError as err:
            self._lose(err)
            return []

    async def async_get(self, session_id: str) -> TaskContext | None:
        """Return a session's newest task, from Redis or of those that are held."""
        held = [each for each in self._held.values() if each.session_id == session_id]
        newest = [each for each in held if not each.is_beside]
        own = decode(newest[-1].json) if newest else None
        if not self._is_available:
            return own
        ask = methodcaller("eval", GET, 1, f"session:{session_id}", MAX_BYTES, _MAX_ID_BYTES)
        return await self._async_read(ask, _read_text, own)

    async def async_get_task(self, task_id: str) -> TaskContext | None:
        """Return a task by its id, from Redis or of those that are held."""
        held = self._held.get(task_id)
        own = decode(held.json) if held else None
        if not self._is_available or len(task_id.encode("utf-8", "replace")) > _MAX_ID_BYTES:
            return own
        ask = methodcaller("eval", GET_ALL, 1, f"task:{task_id}", MAX_BYTES)
        found = await self._async_read(ask, lambda answer: _read_texts(1, answer)[0], own)
        return found if found and found.id == task_id else None

    async def async_save(self, task: TaskContext, *, durable: bool, beside: bool = False) -> None:
        """Keep a task as it is now; hold it while Redis cannot be reached."""
        if self._is_closed:
            return
        held = _Held(
            task_id=task.id,
            session_id=task.session_id,
            changed=task.status.timestamp or "",
            json=encode(task),
            is_beside=beside,
            is_late=not self._is_available,
        )
        self._held.pop(task.id, None)
        self._held[task.id] = held
        if len(self._held) > MAX_HELD:
            self._drop_held()
        while self._is_available and self._held.get(task.id) is held:
            writer = self._start_writing()
            if not durable:
                return
            await asyncio.shield(writer)

    async def async_move(self, task: TaskContext, former_id: str) -> None:
        """Keep a task as the newest of its session; what Redis has under the former id may expire there."""
        await self.async_save(task, durable=False)
        keys = (
            f"session:{former_id}",
            *(f"{_BESIDE}:{each}" for each in (former_id, task.session_id)),
        )
        ask = methodcaller("eval", MOVE, len(keys), *keys, task.id, self._ttl)
        try:
            async with self._writing:
                await self._connection.async_ask(ask, _read_count)
        except StoreUnavailableError as err:
            self._lose(err)

    async def async_forget(self, session_id: str | None = None) -> int:
        """Forget a session, or all of ours in this Redis, for good; return how many.

        Raises:
            StoreUnavailableError: Redis cannot be reached, so nothing was forgotten there.
        """
        async with self._writing:
            if session_id is None:
                self._held.clear()
                return await self._async_forget_all()
            held = [each for each in self._held.values() if each.session_id == session_id]
            for each in held:
                del self._held[each.task_id]
            found = await self._async_forget([session_id])
            return max(found, int(bool(held)))

    async def async_close(self) -> None:
        """Write what is still to be written, if Redis can be reached, and hang up."""
        self._is_closed = True
        if self._recovery:
            self._recovery.cancel()
        try:
            await self._async_drain()
        except StoreUnavailableError as err:
            lost = len({held.session_id for held in self._held.values()})
            _LOGGER.warning("%s conversations are lost with Redis: %s", lost, err)
        await self._connection.async_close()

    async def _async_read(
        self,
        ask: Callable[[Redis], Awaitable[Any]],
        read: Callable[[Any], bytes | None],
        own: TaskContext | None,
    ) -> TaskContext | None:
        """Return the task that Redis answers with, or our own where that is newer or Redis is lost."""
        try:
            found = await self._connection.async_ask(ask, read)
        except StoreUnavailableError as err:
            self._lose(err)
            return own
        kept = next(iter(_readable([found])), None)
        return kept if own is None or (kept and is_newer(kept, own)) else own

    def _drop_held(self) -> None:
        """Drop the oldest that is held, one that is not the newest of its session where there is any."""
        newest = {held.session_id: name for name, held in self._held.items() if not held.is_beside}
        kept = set(newest.values())
        spare = (name for name in self._held if name not in kept)
        del self._held[next(spare, next(iter(self._held)))]

    def _start_writing(self) -> asyncio.Task[None]:
        """Write what is held, in the background; one task for all who wait."""
        if self._writer is None or self._writer.done():
            self._writer = self._hass.async_create_task(
                self._async_write(), "bellboard keeps tasks in Redis", eager_start=True
            )
        return self._writer

    async def _async_write(self) -> None:
        """Write what is held, or find that Redis cannot be reached."""
        try:
            await self._async_drain()
        except StoreUnavailableError as err:
            self._lose(err)

    async def _async_drain(self) -> None:
        """Write what is held, the oldest first, until nothing is.

        Raises:
            StoreUnavailableError: Redis cannot be reached; the rest is still held.
        """
        async with self._writing:
            while batch := list(islice(self._held.values(), _AT_ONCE)):
                ids = [held.task_id.encode() for held in batch]
                await self._connection.async_ask(
                    partial(self._send, batch=batch), partial(_read_saved, ids)
                )
                for held in batch:
                    # It may have changed again meanwhile.
                    if self._held.get(held.task_id) is held:
                        del self._held[held.task_id]

    def _send(self, redis: Redis, batch: Iterable[_Held]) -> Awaitable[list[Any]]:
        """Send a batch to Redis in one go."""
        limits = (MAX_BESIDE, MAX_BESIDE_BYTES, MAX_BESIDE_IN_ALL)
        pipeline = redis.pipeline(transaction=False)
        for held in batch:
            since = held.changed if held.is_late else ""
            beside = "beside" if held.is_beside else ""
            task = (held.json, self._ttl, held.task_id, since, beside, int(time.time()))
            pipeline.eval(SAVE, len(held.keys), *held.keys, *task, *limits)
        return pipeline.execute()

    def _lose(self, err: StoreUnavailableError) -> None:
        """Note that Redis cannot be reached, and begin to wait for it."""
        if not self._is_available or self._is_closed:
            return
        self._is_available = False
        if self._hass.loop.time() - self._back_at >= _STEADY:
            self._pause = _FIRST_PAUSE
        self._held = {name: replace(held, is_late=True) for name, held in self._held.items()}
        _LOGGER.warning(
            "Redis cannot be reached, so conversations are kept in memory for now: %s", err
        )
        self._on_unavailable(str(err))
        self._recovery = self._hass.async_create_background_task(
            self._async_recover(), "bellboard waits for Redis", eager_start=False
        )

    async def _async_recover(self) -> None:
        """Wait until Redis takes what is held."""
        while not self._is_available:
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            try:
                await self._connection.async_probe()
                await self._async_drain()
            except StoreUnavailableError:
                continue
            self._is_available = True
        self._back_at = self._hass.loop.time()
        _LOGGER.info("Redis at %s can be reached again", self._connection.place)
        self._on_available()

    async def _async_newest(self, tasks: list[TaskContext]) -> list[TaskContext]:
        """Return those of some tasks that are the newest of their session, or were submitted.

        Raises:
            StoreUnavailableError: Redis cannot be reached.
        """
        if not tasks:
            return []
        keys = [f"session:{task.session_id}" for task in tasks]
        newest = await self._connection.async_ask(
            methodcaller("eval", GET_ALL, len(keys), *keys, _MAX_ID_BYTES),
            partial(_read_texts, len(keys)),
        )
        return [
            task
            for task, found in zip(tasks, newest, strict=True)
            if found == task.id.encode() or is_submitted(task)
        ]

    async def _async_forget(self, session_ids: Iterable[str]) -> int:
        """Forget sessions; return how many Redis knew.

        Raises:
            StoreUnavailableError: Redis cannot be reached.
        """

        def send(redis: Redis) -> Awaitable[list[Any]]:
            pipeline = redis.pipeline(transaction=False)
            for session_id in session_ids:
                pipeline.eval(FORGET, 3, *_session_keys(session_id), session_id)
            return pipeline.execute()

        return await self._connection.async_ask(send, lambda found: sum(map(_read_count, found)))

    async def _async_forget_all(self) -> int:
        """Forget all sessions; return how many there were.

        Raises:
            StoreUnavailableError: Redis cannot be reached.
        """
        forgotten: set[str] = set()
        async for tasks in self._async_scan():
            forgotten |= {task.session_id for task in await self._async_newest(tasks)}
            await self._async_forget({task.session_id for task in tasks})
            # Those that are not the newest of their session.
            keys = [f"task:{task.id}" for task in tasks]
            await self._connection.async_ask(methodcaller("delete", *keys, _BESIDE), _read_count)
        return len(forgotten)

    async def _async_scan(self) -> AsyncGenerator[list[TaskContext]]:
        """Yield all tasks in Redis, some at a time; what is none is left alone.

        Raises:
            StoreUnavailableError: Redis cannot be reached, or does not come to an end in time.
        """
        cursor, until = 0, self._hass.loop.time() + _LONGEST_SCAN
        for _ in range(_MOST_SCANS):
            cursor, found = await self._connection.async_ask(
                methodcaller("scan", cursor, match="task:*", count=_KEYS_A_SCAN), _read_scan
            )
            for keys in batched(found, _AT_ONCE, strict=False):
                if self._hass.loop.time() > until:
                    break
                texts = await self._connection.async_ask(
                    methodcaller("eval", GET_ALL, len(keys), *keys, MAX_BYTES),
                    partial(_read_texts, len(keys)),
                )
                tasks = await self._hass.async_add_executor_job(_readable, texts)
                yield [task for task in tasks if f"task:{task.id}".encode() in keys]
            if self._hass.loop.time() > until:
                break
            if not cursor:
                return
        raise StoreUnavailableError(f"{self._connection.place}: it does not come to its last key")


def _read_text(answer: Any) -> bytes | None:
    """Return an answer that is a text or nothing.

    Raises:
        ValueError: it is neither.
    """
    if answer is not None and not isinstance(answer, bytes):
        raise ValueError("no text")
    return answer


def _read_texts(count: int, answer: Any) -> list[bytes | None]:
    """Return an answer that has so many texts, of which any may be missing.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(answer, list) or len(answer) != count:
        raise ValueError("not as many texts as were asked for")
    return [_read_text(each) for each in answer]


def _read_count(answer: Any) -> int:
    """Return an answer that counts something.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(answer, int) or isinstance(answer, bool) or answer < 0:
        raise ValueError("no count")
    return answer


def _read_saved(ids: list[bytes], answer: Any) -> None:
    """Check that tasks were written: each is answered with its id.

    Raises:
        ValueError: some was not.
    """
    if answer != ids:
        raise ValueError("not what was written")


def _read_scan(answer: Any) -> tuple[int, list[bytes]]:
    """Return where a look through the keys goes on, 0 at its end, and the keys that were found.

    Raises:
        TypeError: the answer is no pair.
        ValueError: it is another one.
    """
    cursor, keys = answer
    if not isinstance(keys, list) or not all(isinstance(key, bytes) for key in keys):
        raise ValueError("no keys")
    return _read_count(cursor), keys


def _readable(texts: Iterable[bytes | None]) -> list[TaskContext]:
    """Return the tasks among what was found in Redis; others may use such keys too."""
    tasks: list[TaskContext] = []
    for text in texts:
        if text is None:
            continue
        try:
            tasks.append(decode(text))
        except ValueError as err:
            _LOGGER.debug("What Redis has for a task is none: %s", type(err).__name__)
    return tasks

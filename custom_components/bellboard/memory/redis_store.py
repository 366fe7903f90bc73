"""Keeps tasks in Redis, where several Home Assistants can share their conversations.

    task:{id}            the task as JSON (data model, Redis storage)
    session:{sessionId}  the id of the session's newest task

Both expire. What a server answers is checked: one that answers otherwise than Redis counts as one that
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
from typing import TYPE_CHECKING, Any

from homeassistant.core import HomeAssistant

from .models import FOLLOWS, StoreUnavailableError, TaskContext, decode, encode, is_newer
from .redis_connection import FORGET, GET, GET_ALL, SAVE, RedisConnection, async_connect

if TYPE_CHECKING:
    from redis.asyncio import Redis

_LOGGER = logging.getLogger(__name__)

MAX_BYTES = 1024 * 1024
"""The size of a task that is read at most, in bytes; ours are smaller, and others may write what they like."""

MAX_HELD = 500
"""The sessions whose newest task is held in memory at most while Redis cannot be reached."""

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


@dataclass(frozen=True, slots=True)
class _Held:
    """A task that is not yet in Redis. `is_late` says that it could not be written when it changed."""

    task_id: str
    session_id: str
    superseded: str
    changed: str
    json: bytes
    is_late: bool

    @property
    def keys(self) -> list[str]:
        """Return the keys it is written to, and the one that it makes needless."""
        keys = [f"task:{self.task_id}", f"session:{self.session_id}"]
        return [*keys, f"task:{self.superseded}"] if self.superseded else keys


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
        # By session id, the oldest first.
        self._held: dict[str, _Held] = {}
        self._is_available = True
        self._is_closed = False
        self._pause = _FIRST_PAUSE
        self._back_at = -_STEADY
        self._writing = asyncio.Lock()
        self._writer: asyncio.Task[None] | None = None
        self._recovery: asyncio.Task[None] | None = None

    async def async_load(self) -> list[TaskContext]:
        """Return the newest task of each session; none while Redis cannot be reached."""
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
        held = self._held.get(session_id)
        own = decode(held.json) if held else None
        if not self._is_available:
            return own
        try:
            found = await self._connection.async_ask(
                methodcaller("eval", GET, 1, f"session:{session_id}", MAX_BYTES, _MAX_ID_BYTES),
                _read_text,
            )
        except StoreUnavailableError as err:
            self._lose(err)
            return own
        kept = next(iter(_readable([found])), None)
        return kept if own is None or (kept and is_newer(kept, own)) else own

    async def async_save(self, task: TaskContext, *, durable: bool) -> None:
        """Keep a task as it is now; hold it while Redis cannot be reached."""
        if self._is_closed:
            return
        follows = task.metadata.get(FOLLOWS)
        held = _Held(
            task_id=task.id,
            session_id=task.session_id,
            superseded=follows if isinstance(follows, str) else "",
            changed=task.status.timestamp or "",
            json=encode(task),
            is_late=not self._is_available,
        )
        self._held.pop(task.session_id, None)
        self._held[task.session_id] = held
        if len(self._held) > MAX_HELD:
            del self._held[next(iter(self._held))]
        while self._is_available and self._held.get(task.session_id) is held:
            writer = self._start_writing()
            if not durable:
                return
            await asyncio.shield(writer)

    async def async_forget(self, session_id: str | None = None) -> int:
        """Forget a session, or all of ours in this Redis, for good; return how many.

        Raises:
            StoreUnavailableError: Redis cannot be reached, so nothing was forgotten there.
        """
        async with self._writing:
            if session_id is None:
                self._held.clear()
                return await self._async_forget_all()
            held = self._held.pop(session_id, None)
            found = await self._async_forget([session_id])
            return max(found, int(held is not None))

    async def async_close(self) -> None:
        """Write what is still to be written, if Redis can be reached, and hang up."""
        self._is_closed = True
        if self._recovery:
            self._recovery.cancel()
        try:
            await self._async_drain()
        except StoreUnavailableError as err:
            _LOGGER.warning("%s conversations are lost with Redis: %s", len(self._held), err)
        await self._connection.async_close()

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
                    if self._held.get(held.session_id) is held:
                        del self._held[held.session_id]

    def _send(self, redis: Redis, batch: Iterable[_Held]) -> Awaitable[list[Any]]:
        """Send a batch to Redis in one go."""
        pipeline = redis.pipeline(transaction=False)
        for held in batch:
            since = held.changed if held.is_late else ""
            pipeline.eval(
                SAVE, len(held.keys), *held.keys, held.json, self._ttl, held.task_id, since
            )
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
        """Return those of some tasks that are the newest of their session.

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
            task for task, found in zip(tasks, newest, strict=True) if found == task.id.encode()
        ]

    async def _async_forget(self, session_ids: Iterable[str]) -> int:
        """Forget sessions; return how many Redis knew.

        Raises:
            StoreUnavailableError: Redis cannot be reached.
        """

        def send(redis: Redis) -> Awaitable[list[Any]]:
            pipeline = redis.pipeline(transaction=False)
            for session_id in session_ids:
                pipeline.eval(FORGET, 1, f"session:{session_id}", session_id)
            return pipeline.execute()

        return await self._connection.async_ask(send, lambda found: sum(map(_read_count, found)))

    async def _async_forget_all(self) -> int:
        """Forget all sessions; return how many there were.

        Raises:
            StoreUnavailableError: Redis cannot be reached.
        """
        forgotten: set[str] = set()
        async for tasks in self._async_scan():
            sessions = {task.session_id for task in tasks}
            forgotten |= sessions
            await self._async_forget(sessions)
            # Those that are not the newest of their session.
            keys = [f"task:{task.id}" for task in tasks]
            await self._connection.async_ask(methodcaller("delete", *keys), _read_count)
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

"""Connection to Redis: its client library, with a time-out for each request."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from operator import methodcaller
import secrets
from ssl import SSLContext
from typing import TYPE_CHECKING, Any

from homeassistant.core import HomeAssistant
from homeassistant.requirements import async_process_requirements

from ..const import DOMAIN
from .models import StoreUnavailableError

GET = """
local function read(key, most)
  local length = redis.pcall('STRLEN', key)
  if type(length) ~= 'number' or length > tonumber(most) then return false end
  local value = redis.pcall('GET', key)
  return type(value) == 'string' and value
end
local id = read(KEYS[1], ARGV[2])
return id and read('task:' .. id, ARGV[1])
"""
"""Return the newest task of the session at KEYS[1]: at most ARGV[1] bytes, its id at most ARGV[2]."""

GET_ALL = """
local found = {}
for place, key in ipairs(KEYS) do
  local length = redis.pcall('STRLEN', key)
  local value = false
  if type(length) == 'number' and length <= tonumber(ARGV[1]) then
    value = redis.pcall('GET', key)
  end
  found[place] = type(value) == 'string' and value
end
return found
"""
"""Return what is at each of KEYS, and nothing for what has more than ARGV[1] bytes or is no text."""

SAVE = """
local json, ttl, id, held_since, is_beside, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local newest = redis.pcall('GET', KEYS[2])
if held_since ~= '' and is_beside == '' then
  local kept = type(newest) == 'string' and redis.pcall('GET', 'task:' .. newest)
  local known, task = pcall(cjson.decode, type(kept) == 'string' and kept or '')
  if known and type(task) == 'table' and type(task.status) == 'table'
      and type(task.status.timestamp) == 'string' and task.status.timestamp > held_since then
    return id
  end
end
local beside = id
redis.call('SET', KEYS[1], json, 'EX', ttl)
redis.pcall('LREM', KEYS[3], 0, id)
if is_beside == '' then
  redis.call('SET', KEYS[2], id, 'EX', ttl)
  redis.pcall('ZREM', KEYS[4], id)
  beside = type(newest) == 'string' and newest ~= id and newest
end
if beside then
  redis.pcall('LREM', KEYS[3], 0, beside)
  redis.pcall('LPUSH', KEYS[3], beside)
  redis.pcall('ZADD', KEYS[4], now, beside)
end
local size = 0
local function list(key, command, first, last)
  local found = redis.pcall(command, key, first, last)
  return found.err and {} or found
end
local function drop(other)
  redis.call('DEL', 'task:' .. other)
  redis.pcall('LREM', KEYS[3], 0, other)
  redis.pcall('ZREM', KEYS[4], other)
end
for place, other in ipairs(list(KEYS[3], 'LRANGE', 0, -1)) do
  local length = redis.pcall('STRLEN', 'task:' .. other)
  size = size + (type(length) == 'number' and length or 0)
  if length == 0 or place > tonumber(ARGV[7]) or size > tonumber(ARGV[8]) then drop(other) end
end
redis.pcall('ZREMRANGEBYSCORE', KEYS[4], '-inf', tonumber(now) - tonumber(ttl))
for _, other in ipairs(list(KEYS[4], 'ZREVRANGE', tonumber(ARGV[9]), -1)) do drop(other) end
redis.call('EXPIRE', KEYS[3], ttl)
redis.call('EXPIRE', KEYS[4], ttl)
return id
"""
"""Keep the task ARGV[1] with id ARGV[3] at KEYS[1], as newest of its session at KEYS[2] or, with ARGV[5], beside it.

All expires after ARGV[2] seconds; ARGV[6] is the time now, in seconds. The ids of the tasks beside the newest are at
KEYS[3], the newest first, and those of all sessions at KEYS[4], by their time. Those beyond ARGV[7] of a session,
beyond ARGV[8] bytes of it, or beyond ARGV[9] of all are dropped. What was held back since ARGV[4], a timestamp, gives
way to what somebody else wrote meanwhile. Return the id: that it was read.
"""

MOVE = """
if redis.pcall('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
local found = redis.pcall('LRANGE', KEYS[2], 0, -1)
if found.err then return 0 end
for _, id in ipairs(found) do redis.pcall('RPUSH', KEYS[3], id) end
redis.pcall('EXPIRE', KEYS[3], ARGV[2])
return redis.call('DEL', KEYS[2])
"""
"""Let go of the session at KEYS[1] whose newest task, ARGV[1], is of another session now.

The ids of those beside it go from KEYS[2] to KEYS[3], which expires after ARGV[2] seconds.
"""

FORGET = """
local beside = redis.pcall('LRANGE', KEYS[2], 0, -1)
local found = 0
for _, id in ipairs(beside.err and {} or beside) do
  redis.call('DEL', 'task:' .. id)
  redis.pcall('ZREM', KEYS[3], id)
  found = 1
end
if not beside.err then redis.call('DEL', KEYS[2]) end
local id = redis.pcall('GET', KEYS[1])
if type(id) ~= 'string' then return found end
local kept = redis.pcall('GET', 'task:' .. id)
local known, task = pcall(cjson.decode, type(kept) == 'string' and kept or '')
if not known or type(task) ~= 'table' or task.id ~= id then return found end
if task.sessionId == ARGV[1] then redis.call('DEL', 'task:' .. id) end
return redis.call('DEL', KEYS[1])
"""
"""Delete the session ARGV[1]; return how many that were.

Its newest task is at KEYS[1], the ids of those beside it at KEYS[2], and among those of all sessions at KEYS[3].
"""


if TYPE_CHECKING:
    from redis.asyncio import Redis, SSLConnection

REQUIREMENTS = ["redis>=6.4,<9"]
"""Installed where somebody chose Redis, and nowhere else; no major version that the tests have not seen."""

# In seconds, for whatever is asked of Redis.
_TIMEOUT = 1.0

_CONNECTIONS = 32


@dataclass(frozen=True, slots=True)
class RedisConnection:
    """A client with the errors it raises. `place` is the address of Redis, without a password."""

    redis: Redis
    errors: tuple[type[Exception], ...]
    place: str
    password: str

    async def async_ask[T](
        self, question: Callable[[Redis], Awaitable[Any]], read: Callable[[Any], T]
    ) -> T:
        """Ask Redis, for a second at most, and return what `read` makes of the answer.

        `read` raises ValueError or TypeError where Redis never answers so.

        Raises:
            StoreUnavailableError: there is no answer, it is a refusal, or it is none; without the password.
        """
        try:
            async with asyncio.timeout(_TIMEOUT):
                return read(await question(self.redis))
        except self.errors as err:
            reason = str(err) or "it does not answer in time"
        except Exception as err:  # noqa: BLE001 -- the client fails in any way at what is no answer of Redis
            reason = f"what it answers is no answer of Redis ({type(err).__name__})"
        if self.password:
            reason = reason.replace(self.password, "***")
        raise StoreUnavailableError(f"{self.place}: {reason}")

    async def async_probe(self) -> None:
        """Ask Redis for a word back that nothing knows that does not read what it is sent.

        Raises:
            StoreUnavailableError: it does not answer, or not with that word.
        """
        word = secrets.token_hex(8)

        def read(answer: Any) -> None:
            if answer != word.encode():
                raise ValueError("another word")

        await self.async_ask(methodcaller("echo", word), read)

    async def async_close(self) -> None:
        """Hang up."""
        await self.redis.aclose()


async def async_connect(hass: HomeAssistant, url: str) -> RedisConnection:
    """Return a connection to the Redis at a URL, which need not answer yet.

    Raises:
        RequirementsNotFound: the client library cannot be installed.
        ValueError: the URL is none of Redis.
    """
    await async_process_requirements(hass, DOMAIN, REQUIREMENTS, is_built_in=False)
    return await hass.async_add_import_executor_job(_connect, url)


def _connect(url: str) -> RedisConnection:
    """Make a client for a URL, without connecting yet. Takes half a second the first time.

    Raises:
        ValueError: the URL is none of Redis.
    """
    from redis.asyncio import BlockingConnectionPool, Redis, SSLConnection  # noqa: PLC0415
    from redis.asyncio.retry import Retry  # noqa: PLC0415
    from redis.backoff import NoBackoff  # noqa: PLC0415
    from redis.exceptions import RedisError  # noqa: PLC0415

    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=_TIMEOUT,
        socket_connect_timeout=_TIMEOUT,
        socket_timeout=_TIMEOUT,
        # Once more and at once: a connection that was idle may have been closed by the server.
        retry=Retry(NoBackoff(), 1),
        protocol=2,
    )
    options = pool.connection_kwargs
    try:
        # What the URL asks for is tried here, where certificates may be read, and not on the event
        # loop with each connection.
        connection = pool.connection_class(**options)
        if isinstance(connection, SSLConnection):
            pool.connection_class = _with_context(connection.ssl_context.get())
    except (TypeError, OSError, RedisError) as err:
        raise ValueError(str(err)) from err
    place = options.get("path") or f"{options.get('host', 'localhost')}:{options.get('port', 6379)}"
    password = str(options.get("password") or "")
    # A host that cannot be a name is a UnicodeError.
    return RedisConnection(
        Redis.from_pool(pool), (RedisError, OSError, UnicodeError), str(place), password
    )


def _with_context(context: SSLContext) -> type[SSLConnection]:
    """Return the class of connections that use certificates which were read before."""
    from redis.asyncio import SSLConnection  # noqa: PLC0415

    class SecureConnection(SSLConnection):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            self.ssl_context.context = context

    return SecureConnection

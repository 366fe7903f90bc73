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
from .store import StoreUnavailableError

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


async def async_check_redis(hass: HomeAssistant, url: str) -> None:
    """Ask Redis whether it is there.

    Raises:
        RequirementsNotFound: the client library cannot be installed.
        StoreUnavailableError: it does not answer, or wants another password.
        ValueError: the URL is none of Redis.
    """
    connection = await async_connect(hass, url)
    try:
        await connection.async_probe()
    finally:
        await connection.async_close()


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

"""HTTP endpoint of a server: address, API key, time and size limits, and network errors as `ModelError`s."""

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
import json
import math
import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import aiohttp
from pydantic import SecretStr

from .errors import (
    AuthenticationError,
    BadOutputError,
    ConnectTimeoutError,
    InvalidUrlError,
    ModelError,
    ModelTimeoutError,
    NotAModelServerError,
    UnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping

MAX_BODY = 3 * 1024 * 1024
"""Bytes of a response at most, log-probabilities included."""
MAX_LINE = 1024 * 1024
"""Bytes of one line of a streamed response at most."""
MAX_LINES = 50_000
"""Lines of a streamed response at most, empty ones and comments included."""
MAX_VALUES = 100_000
"""Objects, lists and keys in the JSON of a response, or of one line, at most: each costs a reader something."""
BEARER_HEADER = "Authorization"
"""The header in which a key is a bearer token. In any other, the key stands alone."""

# After so many lines, or bytes in them, the event loop gets a turn: those that have come are all there at once.
_LINES_AT_ONCE = 64
_BYTES_AT_ONCE = 16 * 1024


class WaitBudget:
    """Time budget of a call: it ends so many seconds from now, whoever is waited for until then."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    async def pause(self) -> None:
        """Give the event loop a turn; raises `ModelTimeoutError` where the time is over."""
        await asyncio.sleep(0)
        if time.monotonic() >= self._end:
            raise ModelTimeoutError

    async def wait[T](self, work: Awaitable[T]) -> T:
        """Await `work` as long as the budget lasts; raises `ModelTimeoutError` after that."""
        failure: ModelError
        try:
            async with asyncio.timeout(self._end - time.monotonic()):
                return await work
        except TimeoutError:
            failure = ModelTimeoutError()
        # Raised here and not above, so that the trail of the error holds nothing of the request.
        raise failure


@dataclass(frozen=True, slots=True)
class ServerReply:
    """A response that was read whole."""

    status: int
    content_type: str
    retry_after: float | None
    body: bytes

    @property
    def is_page(self) -> bool:
        """Whether this is a web page: a login form, a router's start page, another service."""
        return "html" in self.content_type or self.body.lstrip()[:1] == b"<"


class Response:
    """A response whose body has not been read yet."""

    def __init__(self, response: aiohttp.ClientResponse, budget: WaitBudget) -> None:
        self._response = response
        self._budget = budget

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self._response.status

    @property
    def is_page(self) -> bool:
        """Whether its content type is that of a web page."""
        return "html" in self._content_type

    @property
    def _content_type(self) -> str:
        return self._response.headers.get("Content-Type", "").lower()

    @property
    def retry_after(self) -> float | None:
        """The seconds the server asks to wait, if it does."""
        return retry_after(self._response.headers)

    async def read(self, limit: int = MAX_BODY) -> ServerReply:
        """Read the whole body. Raises `BadOutputError` beyond `limit` bytes or `MAX_VALUES`."""
        body = bytearray()
        while chunk := await self._chunk():
            await self._budget.pause()
            body += chunk
            if len(body) > limit:
                raise BadOutputError("too long")
        check_values(body)
        return ServerReply(self.status, self._content_type, self.retry_after, bytes(body))

    async def lines(self) -> AsyncGenerator[bytes]:
        """Yield line after line, without line ends.

        Raises `BadOutputError` beyond `MAX_LINE`, `MAX_LINES`, `MAX_VALUES` or `MAX_BODY`, and
        `ModelTimeoutError`.
        """
        pending, total, count, at_once = bytearray(), 0, 0, 0
        while chunk := await self._chunk():
            total += len(chunk)
            count += chunk.count(b"\n")
            head, *others = chunk.split(b"\n")
            pending += head
            if total > MAX_BODY or len(pending) > MAX_LINE or count > MAX_LINES:
                raise BadOutputError("too long")
            for line in others:
                # A line costs its reader something however short it is.
                at_once += len(pending) + _BYTES_AT_ONCE // _LINES_AT_ONCE
                if at_once > _BYTES_AT_ONCE:
                    at_once = 0
                    await self._budget.pause()
                check_values(pending)
                yield bytes(pending).rstrip(b"\r")
                pending = bytearray(line)
        if pending:
            check_values(pending)
            yield bytes(pending)

    async def _chunk(self) -> bytes:
        return await self._budget.wait(_guarded(self._response.content.readany()))


class Endpoint:
    """A server at a base URL. The session belongs to the caller and is never closed here."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        base_url: str,
        api_key: str | None = None,
        *,
        key_header: str = BEARER_HEADER,
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Keep the URL and the key.

        The key goes into `key_header`: as a bearer's token into "Authorization", bare into any
        other. `headers` are sent with every request, and are the same for everybody: nothing
        secret belongs into them. Raises `AuthenticationError` for a key that no HTTP header can
        carry.
        """
        key = (api_key or "").strip()
        if not (key.isascii() and key.isprintable()):
            raise AuthenticationError("it has characters in it that no key has")
        self._session = session
        self.base_url = base_url
        self._key = SecretStr(key)
        self._key_header = key_header
        self._headers = dict(headers)

    def __repr__(self) -> str:
        """Show the address, and only whether there is a key."""
        return f"Endpoint({self.base_url!r}, key={'yes' if self._key else 'no'})"

    @asynccontextmanager
    async def open(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | bytes | None,
        budget: WaitBudget,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        connect_timeout: float | None = None,
        attempts: int = 1,
    ) -> AsyncGenerator[Response]:
        """Send a request and hand out the response, of whatever status.

        A `body` in bytes is JSON already. `headers` go with this request only; `connect_timeout` bounds
        the seconds until there is a connection. It is given back or closed at the end. With more `attempts`
        the request is sent again on another connection where the server closes the one it is sent on
        without a word, as llama.cpp's does after a stream: only for what may be done twice.

        Raises `UnreachableError`, `ModelTimeoutError`, `NotAModelServerError`, `InvalidUrlError`.
        """
        if self._session.closed:
            raise UnreachableError("the session is closed")
        timeout = aiohttp.ClientTimeout(total=None, connect=connect_timeout)
        send = partial(self._request, method, path, body, headers, timeout)
        response = await budget.wait(_guarded(_sent(send, attempts)))
        try:
            yield Response(response, budget)
        finally:
            # Closing gives a connection back when its answer was read to the end, and cuts it otherwise: that is
            # how a server learns that nobody waits any longer.
            response.close()

    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | bytes | None,
        more_headers: Mapping[str, str],
        timeout: aiohttp.ClientTimeout,
    ) -> aiohttp.ClientResponse:
        headers = {**self._headers, **more_headers, "Accept": "application/json"}
        if key := self._key.get_secret_value():
            bearer = self._key_header == BEARER_HEADER
            headers[self._key_header] = f"Bearer {key}" if bearer else key
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            # Not the session's own JSON writer: it belongs to the caller, and may refuse text that we must send.
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self._session.request(
            method,
            self.base_url + path,
            data=data,
            headers=headers,
            # A redirect would turn the POST into a GET, and may lead the key somewhere else.
            allow_redirects=False,
            timeout=timeout,
        )


def check_values(body: bytes | bytearray) -> None:
    """Raise `BadOutputError` where JSON holds more than `MAX_VALUES`; texts with such marks in them count as well."""
    # Plain values cost less than what holds others, and there is a comma before each but the first.
    if sum(map(body.count, (b"{", b"[", b'":'))) > MAX_VALUES or body.count(b",") > 2 * MAX_VALUES:
        raise BadOutputError("too long")


async def _sent[T](send: Callable[[], Awaitable[T]], attempts: int) -> T:
    """Send a request, so many times at most where the server closes the connection without a word."""
    for _ in range(attempts - 1):
        with suppress(aiohttp.ServerDisconnectedError):
            return await send()
    return await send()


async def _guarded[T](work: Awaitable[T]) -> T:
    """Await network `work`, turning what it raises into a `ModelError`.

    The original is not chained: aiohttp's exceptions may carry the request's headers, and so the key.
    """
    failure: ModelError
    try:
        return await work
    except aiohttp.InvalidURL:
        failure = InvalidUrlError()
    except aiohttp.ClientConnectorCertificateError:
        failure = UnreachableError("its certificate is not accepted")
    except aiohttp.ClientSSLError:
        failure = UnreachableError("it does not speak https")
    except aiohttp.ClientResponseError:
        failure = NotAModelServerError("it does not speak HTTP")
    except aiohttp.ConnectionTimeoutError:
        failure = ConnectTimeoutError("no connection in time")
    except TimeoutError:
        failure = ModelTimeoutError()
    except (aiohttp.ClientError, OSError) as err:
        failure = UnreachableError(type(err).__name__, is_passing=True)
    raise failure


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After header: a number, or the date when to try again."""
    text = headers.get("Retry-After", "").strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            when = parsedate_to_datetime(text)
        except ValueError:
            return None
        # A date without a zone is in UTC by the rules of HTTP.
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - datetime.now(UTC)).total_seconds())
    return seconds if math.isfinite(seconds) and seconds >= 0 else None

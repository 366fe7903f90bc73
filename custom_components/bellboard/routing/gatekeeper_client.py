"""Asks a gatekeeper over HTTP: signed, in time, again where that may help, and not while it is down."""

import asyncio
from collections.abc import Awaitable, Callable
import logging
import time

import aiohttp
from pydantic import SecretStr

from ..llm.breaker import LONGEST_PAUSE, CircuitBreaker
from ..llm.errors import CircuitOpenError, InvalidUrlError
from ..llm.url import gatekeeper_address
from .gatekeeper_wire import (
    MAX_WAIT,
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    Failure,
    GatekeeperError,
    GatekeeperSettingError,
    RouteRequest,
    RouteResponse,
    read_response,
    refusal,
    signature,
    written,
)

_LOGGER = logging.getLogger("custom_components.bellboard.routing")

MAX_BODY = 256 * 1024
"""Bytes of a reply that are read at most."""
FIRST_WAIT = 0.2
"""Seconds until it is asked again, twice as long each time, `MAX_WAIT` at most."""

# A host that does not take a connection in this part of the time may take the next one.
_TIME_TO_CONNECT = 0.5


def route_address(typed: str) -> str:
    """Return the address that is asked, from what people type: `http://host:8080/gatekeeper`.

    Raises:
        GatekeeperSettingError: it is no address, or one with a user name, a query or a fragment.
    """
    try:
        return gatekeeper_address(typed)
    except InvalidUrlError:
        wrong = GatekeeperSettingError("This is not an address of a gatekeeper.")
    # Not chained: who reads it needs to know nothing of model servers.
    raise wrong


class GatekeeperClient:
    """Asks a gatekeeper. The session belongs to the caller and is never closed here.

    A request that can go well the next time is repeated; one that was refused or answered wrongly is
    not. After several failures the gatekeeper is left alone for a while, so that not every turn waits
    for one that is down.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        token: str = "",
        secret: str = "",
        timeout_ms: int = 5000,
        retry_attempts: int = 3,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Keep where to ask, and how.

        `url` is the gatekeeper's base address, or that of its `/route`. `timeout_ms` bounds each
        attempt, in milliseconds; `retry_attempts` are those after the first. `clock` returns seconds,
        `now` seconds since 1970.

        Raises:
            GatekeeperSettingError: the address cannot be used, or no header can carry the token.
        """
        self.url = route_address(url)
        self._session = session
        self._token = SecretStr(token.strip())
        self._secret = SecretStr(secret.strip())
        self._timeout = timeout_ms / 1000
        self._retry_attempts = retry_attempts
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._breaker = CircuitBreaker(clock, name="The gatekeeper")
        self._held_until = 0.0
        key = self._token.get_secret_value()
        if not (key.isascii() and key.isprintable()):
            raise GatekeeperSettingError("The gatekeeper's token has characters no token has.")

    def __repr__(self) -> str:
        """Show where is asked, and only whether anything secret is kept."""
        token, secret = ("yes" if kept else "no" for kept in (self._token, self._secret))
        return f"GatekeeperClient({self.url!r}, token={token}, secret={secret})"

    async def async_route(self, request: RouteRequest) -> RouteResponse:
        """Return the gatekeeper's decision. That there is none is logged, once.

        Raises:
            GatekeeperError: there is none.
        """
        try:
            return read_response(await self._async_repeated(written(request)), request)
        except GatekeeperError as err:
            # The circuit breaker tells that it is left alone, once and not with every request.
            if err.failure is not Failure.LEFT_ALONE:
                _LOGGER.warning("No decision of the gatekeeper: %s", err)
            raise

    async def _async_repeated(self, body: bytes) -> bytes:
        """Return the reply to a request, which is repeated where that may help.

        Raises:
            GatekeeperError: there is no reply.
        """
        pauses = [min(FIRST_WAIT * 2**n, MAX_WAIT) for n in range(self._retry_attempts)]
        for pause in pauses:
            try:
                return await self._async_attempt(body)
            except GatekeeperError as err:
                if not err.can_repeat or self._is_left_alone:
                    raise
                wait = max(pause, err.retry_after or 0.0)
            await self._sleep(wait)
        return await self._async_attempt(body)

    async def _async_attempt(self, body: bytes) -> bytes:
        """Return the reply to a request that is made once, if it may be made now.

        Raises:
            GatekeeperError: there is no reply.
        """
        permit = self._admit()
        try:
            reply = await self._async_post(body)
        except GatekeeperError as err:
            settle = self._breaker.failed if err.is_down else self._breaker.succeeded
            settle(permit)
            if err.retry_after is not None and not err.can_repeat:
                self._held_until = self._clock() + min(err.retry_after, LONGEST_PAUSE)
            raise
        except BaseException:
            self._breaker.abandoned(permit)
            raise
        self._breaker.succeeded(permit)
        return reply

    @property
    def _is_left_alone(self) -> bool:
        """Return whether it failed too often, or asked not to be asked for a while."""
        return self._clock() < self._held_until or self._breaker.state == "open"

    def _admit(self) -> int:
        """Return the circuit breaker's permit.

        Raises:
            GatekeeperError: it is left alone, or already tried whether it is there again.
        """
        if not self._is_left_alone:
            try:
                return self._breaker.admit()
            except CircuitOpenError:
                _LOGGER.debug("The gatekeeper is being tried")
        raise GatekeeperError(Failure.LEFT_ALONE)

    async def _async_post(self, body: bytes) -> bytes:
        """Return the body of the reply to one request.

        The original errors are not chained: aiohttp's may carry the request's headers, and so the token.

        Raises:
            GatekeeperError: there is no reply, or it is none of a gatekeeper.
        """
        if self._session.closed:
            raise GatekeeperError(Failure.UNREACHABLE, "the session is closed")
        failure: GatekeeperError
        try:
            async with asyncio.timeout(self._timeout):
                return await self._async_exchange(body)
        except aiohttp.ConnectionTimeoutError:
            failure = GatekeeperError(Failure.TIMEOUT, "no connection in time", can_repeat=True)
        except TimeoutError:
            # Not again: it has the request, and somebody waits.
            failure = GatekeeperError(Failure.TIMEOUT)
        except aiohttp.ClientConnectorCertificateError:
            failure = GatekeeperError(Failure.UNREACHABLE, "its certificate is not accepted")
        except aiohttp.ClientSSLError:
            failure = GatekeeperError(Failure.UNREACHABLE, "it does not speak https")
        except aiohttp.ClientResponseError:
            failure = GatekeeperError(Failure.BAD_REPLY, "it is not HTTP")
        except (aiohttp.ClientError, OSError) as err:
            failure = GatekeeperError(Failure.UNREACHABLE, type(err).__name__, can_repeat=True)
        raise failure

    async def _async_exchange(self, body: bytes) -> bytes:
        """Send a request and return the body of the reply.

        Raises:
            GatekeeperError: the reply is a refusal, a redirect or too long.
        """
        response = await self._session.post(
            self.url,
            data=body,
            headers=self._headers(body),
            # It would become a GET, and lead what was said somewhere else.
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=None, connect=self._timeout * _TIME_TO_CONNECT),
        )
        try:
            if response.status != 200:
                raise refusal(response.status, response.headers)
            reply = bytearray()
            async for chunk in response.content.iter_any():
                reply += chunk
                if len(reply) > MAX_BODY:
                    raise GatekeeperError(Failure.BAD_REPLY, "it is too long")
            return bytes(reply)
        finally:
            # A connection goes back where its reply was read to the end, and is cut otherwise.
            response.close()

    def _headers(self, body: bytes) -> dict[str, str]:
        """Return the headers of a request, signed now where there is a secret."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if token := self._token.get_secret_value():
            headers["Authorization"] = f"Bearer {token}"
        if secret := self._secret.get_secret_value():
            timestamp = str(int(self._now()))
            headers[TIMESTAMP_HEADER] = timestamp
            headers[SIGNATURE_HEADER] = signature(secret, timestamp, body)
        return headers

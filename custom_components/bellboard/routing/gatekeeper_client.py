"""HTTP client of a gatekeeper: signed requests, time limit, retries, circuit breaker."""

import asyncio
from collections.abc import Awaitable, Callable
import logging
import time

import aiohttp
from pydantic import SecretStr

from ..llm.breaker import LONGEST_PAUSE, CircuitBreaker
from ..llm.endpoint import Endpoint, WaitBudget
from ..llm.errors import (
    AuthenticationError,
    BadOutputError,
    CircuitOpenError,
    ConnectTimeoutError,
    InvalidUrlError,
    ModelError,
    ModelTimeoutError,
    UnreachableError,
)
from ..llm.url import gatekeeper_address
from .gatekeeper_protocol import (
    MAX_WAIT,
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    GatekeeperError,
    GatekeeperFailure,
    GatekeeperSettingError,
    RouteRequest,
    RouteResponse,
    encode_request,
    read_response,
    sign,
    status_error,
)

_LOGGER = logging.getLogger("custom_components.bellboard.routing")

MAX_BODY = 256 * 1024
"""Bytes of a response at most."""
FIRST_WAIT = 0.2
"""Seconds until the first retry, twice as long each time, `MAX_WAIT` at most."""

# A host that does not take a connection in this part of the time may take the next one.
_TIME_TO_CONNECT = 0.5


def route_address(typed: str) -> str:
    """Return the URL of a gatekeeper's route, from what people type: `http://host:8080/gatekeeper`.

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
    """Client of a gatekeeper. The session belongs to the caller and is never closed here.

    A request that may succeed the next time is retried; one that was refused or answered wrongly is not.
    After several failures the circuit opens, so that not every turn waits for a gatekeeper that is down.
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
        """Keep URL, credentials and limits.

        `url` is the gatekeeper's base address, or that of its `/route`. `timeout_ms` bounds each
        attempt, in milliseconds; `retry_attempts` are those after the first. `clock` returns seconds,
        `now` seconds since 1970.

        Raises:
            GatekeeperSettingError: the address cannot be used, or no header can carry the token.
        """
        self.url = route_address(url)
        try:
            self._endpoint = Endpoint(session, self.url, token)
        except AuthenticationError:
            message = "The gatekeeper's token has characters no token has."
            raise GatekeeperSettingError(message) from None
        self._secret = SecretStr(secret.strip())
        self._timeout = timeout_ms / 1000
        self._retry_attempts = retry_attempts
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._breaker = CircuitBreaker(clock, name="The gatekeeper")
        self._held_until = 0.0

    def __repr__(self) -> str:
        """Show the URL, and only whether there are a token and a secret."""
        return f"GatekeeperClient({self._endpoint!r}, secret={'yes' if self._secret else 'no'})"

    async def async_route(self, request: RouteRequest) -> RouteResponse:
        """Return the gatekeeper's decision; log once if there is none.

        Raises:
            GatekeeperError: there is none.
        """
        try:
            return read_response(await self._async_with_retries(encode_request(request)), request)
        except GatekeeperError as err:
            # The circuit breaker tells that it is left alone, once and not with every request.
            if err.failure is not GatekeeperFailure.LEFT_ALONE:
                _LOGGER.warning("No decision of the gatekeeper: %s", err)
            raise

    async def _async_with_retries(self, body: bytes) -> bytes:
        """Return the reply to a request, with retries.

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
        """Return the reply to one attempt, if the circuit lets it through.

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
        """Return whether the circuit is open, or the gatekeeper asked to wait."""
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
        raise GatekeeperError(GatekeeperFailure.LEFT_ALONE)

    async def _async_post(self, body: bytes) -> bytes:
        """Return the body of the reply to one request.

        Raises:
            GatekeeperError: there is no reply, or it is none of a gatekeeper.
        """
        failure: GatekeeperError
        try:
            async with self._endpoint.open(
                "POST",
                "",
                body,
                WaitBudget(self._timeout),
                headers=self._signature(body),
                connect_timeout=self._timeout * _TIME_TO_CONNECT,
            ) as response:
                if response.status != 200:
                    raise status_error(response.status, response.retry_after)
                return (await response.read(MAX_BODY)).body
        except ModelError as err:
            failure = _failure(err)
        # Not chained: what the endpoint says is about model servers.
        raise failure

    def _signature(self, body: bytes) -> dict[str, str]:
        """Return the headers that sign a request for this moment, where there is a secret."""
        if not (secret := self._secret.get_secret_value()):
            return {}
        timestamp = str(int(self._now()))
        return {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: sign(secret, timestamp, body)}


def _failure(err: ModelError) -> GatekeeperError:
    """Return the gatekeeper's error for an endpoint's."""
    match err:
        case ConnectTimeoutError():
            return GatekeeperError(GatekeeperFailure.TIMEOUT, err.detail, can_repeat=True)
        case ModelTimeoutError():
            # Not again: it has the request, and somebody waits.
            return GatekeeperError(GatekeeperFailure.TIMEOUT)
        case UnreachableError():
            return GatekeeperError(
                GatekeeperFailure.UNREACHABLE, err.detail, can_repeat=err.is_passing
            )
        case BadOutputError():
            return GatekeeperError(GatekeeperFailure.BAD_REPLY, "it is too long")
        case _:
            return GatekeeperError(GatekeeperFailure.BAD_REPLY, "it is not HTTP")

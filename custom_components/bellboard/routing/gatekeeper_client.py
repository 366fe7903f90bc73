"""HTTP client of a gatekeeper: signed requests, time limit, retries, circuit breaker."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from enum import StrEnum
import hashlib
import hmac
import json
import logging
import time
from typing import Any, Self

import aiohttp
from pydantic import ConfigDict, Field, SecretStr, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from ..agents.models import AgentCard
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
from ..llm.limits import LONGEST_PAUSE, CircuitBreaker
from ..llm.url import gatekeeper_address
from .next_models import EnvelopeModel, WorkflowStep

MAX_INSTRUCTION = 500
"""Characters of an instruction at most."""
MAX_WAIT = 2.0
"""Seconds to wait at most before a retry; if the gatekeeper asks for more, there is none."""
LATE_WEIGHT = 3
"""A request without a reply in time counts as so many failures: two turns that waited for all of it are enough."""
TIMESTAMP_HEADER = "X-Bellboard-Timestamp"
SIGNATURE_HEADER = "X-Bellboard-Signature"


class AvailableAgent(EnvelopeModel):
    """An agent that may be chosen."""

    agent_id: str
    capabilities: tuple[str, ...] = ()


def available_agents(cards: Iterable[AgentCard]) -> tuple[AvailableAgent, ...]:
    """Return cards as agents of a request."""
    return tuple(AvailableAgent(agent_id=card.id, capabilities=card.capabilities) for card in cards)


class RouteRequest(EnvelopeModel):
    """The request to a gatekeeper (V2 routing, API request).

    `workflow_history` and `current_output`, the last agent's output, are empty at the first choice.
    """

    original_query: str
    workflow_history: tuple[WorkflowStep, ...]
    current_output: dict[str, Any]
    available_agents: tuple[AvailableAgent, ...]


class RouteResponse(EnvelopeModel):
    """The response of a gatekeeper (V2 routing, API response). `confidence` is between 0 and 1.

    Validation is strict: a string is no number and no boolean.
    """

    model_config = ConfigDict(strict=True)

    workflow_complete: bool
    next_agent: str | None = None
    next_instruction: str | None = None
    confidence: float | None = Field(default=None, ge=0, le=1)
    reasoning: str | None = None

    @model_validator(mode="after")
    def _goes_on_with_somebody(self) -> Self:
        """Refuse a response that is not complete and has no agent or instruction.

        Raises:
            PydanticCustomError: the agent or the instruction is missing, or too long.
        """
        if self.workflow_complete:
            return self
        if not self.next_agent:
            raise PydanticCustomError("no_agent", "next_agent is missing")
        if not self.instruction:
            raise PydanticCustomError("no_instruction", "next_instruction is missing")
        if len(self.next_instruction or "") > MAX_INSTRUCTION:
            raise PydanticCustomError("long_instruction", "next_instruction is too long")
        return self

    @property
    def instruction(self) -> str:
        """Return the instruction on one line."""
        text = self.next_instruction or ""
        return " ".join("".join(char if char.isprintable() else " " for char in text).split())


class GatekeeperFailure(StrEnum):
    """Why a gatekeeper gave no decision."""

    UNREACHABLE = "The gatekeeper cannot be reached"
    TIMEOUT = "The gatekeeper took too long to answer"
    AUTHENTICATION = "The gatekeeper does not accept the token or the signature"
    RATE_LIMITED = "The gatekeeper asks to slow down"
    SERVER_FAILED = "The gatekeeper failed"
    REFUSED = "The gatekeeper refused the request"
    REDIRECT = "The gatekeeper points to another address"
    BAD_REPLY = "The gatekeeper's reply cannot be used"
    LEFT_ALONE = "The gatekeeper is left alone for a moment"


# A status_error is an answer too.
_IS_DOWN = frozenset(
    {GatekeeperFailure.UNREACHABLE, GatekeeperFailure.TIMEOUT, GatekeeperFailure.SERVER_FAILED}
)
_PASSING = frozenset({429, 500, 502, 503, 504})
_OF_ONE_REQUEST = frozenset({GatekeeperFailure.REFUSED, GatekeeperFailure.BAD_REPLY})


class GatekeeperError(Exception):
    """A gatekeeper gave no decision. The message holds no text of a user or server, and no secret.

    `can_repeat`: the same request may succeed at once. `retry_after` are the seconds the gatekeeper asks
    to wait, if it does.
    """

    def __init__(
        self,
        failure: GatekeeperFailure,
        detail: str = "",
        *,
        can_repeat: bool = False,
        retry_after: float | None = None,
    ) -> None:
        """Say what failed; `detail` is a fixed phrase of ours."""
        super().__init__(f"{failure} ({detail})." if detail else f"{failure}.")
        self.failure = failure
        self.can_repeat = can_repeat
        self.retry_after = retry_after

    @property
    def is_down(self) -> bool:
        """Return whether the gatekeeper did not answer at all."""
        return self.failure in _IS_DOWN

    @property
    def is_of_one_request(self) -> bool:
        """Return whether only this request failed."""
        return self.failure in _OF_ONE_REQUEST


class GatekeeperSettingError(ValueError):
    """The address, the token or the secret cannot be used. The text holds none of them."""


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """Return the value of the header that signs a body; `timestamp` is in seconds since 1970."""
    # Whatever was typed, a turn does not end for it.
    key = secret.encode("utf-8", "surrogatepass")
    return f"sha256={hmac.new(key, timestamp.encode() + b'.' + body, hashlib.sha256).hexdigest()}"


def encode_request(request: RouteRequest) -> bytes:
    """Return the body of a request.

    Raises:
        GatekeeperError: there is something in it that JSON cannot say.
    """
    try:
        # In ASCII, so that half a character, which a transcript may hold, can be sent too.
        return json.dumps(request.as_json()).encode()
    except ValueError:
        wrong = GatekeeperError(GatekeeperFailure.REFUSED, "JSON cannot say what an agent made")
    raise wrong


def read_response(body: bytes, request: RouteRequest) -> RouteResponse:
    """Return the response to a request.

    Raises:
        GatekeeperError: it is none, or names an agent that was not offered.
    """
    if body.lstrip()[:1] == b"<":
        raise GatekeeperError(GatekeeperFailure.BAD_REPLY, "it is a web page")
    try:
        response = RouteResponse.model_validate_json(body)
    except ValidationError as err:
        wrong = GatekeeperError(GatekeeperFailure.BAD_REPLY, _what_is_wrong(err))
    else:
        offered = {agent.agent_id for agent in request.available_agents}
        if response.workflow_complete or response.next_agent in offered:
            return response
        wrong = GatekeeperError(GatekeeperFailure.BAD_REPLY, "next_agent was not offered")
    # Not chained: a validation error quotes what it refuses.
    raise wrong


def _what_is_wrong(err: ValidationError) -> str:
    """Return the first validation error in fixed phrases of ours."""
    [first, *_] = err.errors(include_url=False, include_context=False, include_input=False)
    if first["loc"]:
        return f"{first['loc'][0]} is missing or wrong"
    if first["type"] == "json_invalid":
        return "it is not JSON"
    return "it is not an object" if first["type"] == "model_type" else first["msg"]


def status_error(status: int, retry_after: float | None) -> GatekeeperError:
    """Return the error for an HTTP status other than 200; `retry_after` is in seconds."""
    failure = GatekeeperFailure.BAD_REPLY
    if status in (401, 403):
        failure = GatekeeperFailure.AUTHENTICATION
    elif status == 429:
        failure = GatekeeperFailure.RATE_LIMITED
    elif status >= 500:
        failure = GatekeeperFailure.SERVER_FAILED
    elif status >= 400:
        failure = GatekeeperFailure.REFUSED
    elif status >= 300:
        failure = GatekeeperFailure.REDIRECT
    detail = f"status {status}"
    if status not in _PASSING:
        return GatekeeperError(failure, detail)
    is_soon = (retry_after or 0.0) <= MAX_WAIT
    return GatekeeperError(failure, detail, can_repeat=is_soon, retry_after=retry_after)


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
            if err.is_down:
                is_late = err.failure is GatekeeperFailure.TIMEOUT and not err.can_repeat
                self._breaker.failed(permit, weight=LATE_WEIGHT if is_late else 1)
            else:
                self._breaker.succeeded(permit)
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

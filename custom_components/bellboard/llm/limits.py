"""Limits of a model server: concurrency, rate limit (token bucket) and circuit breaker.

`Limits` belongs to a connection and is shared by its clients; `LimitedClient` applies it to one of
them. A call first waits for its token and then for a free slot; both waits count against its timeout.
"""

import asyncio
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
import logging
import time
from typing import TYPE_CHECKING, Any, Literal, Self

from .client import TellsSizes, server_of
from .errors import (
    CircuitOpenError,
    ModelError,
    ModelTimeoutError,
    RateLimitedError,
    ServerFailedError,
    UnreachableError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    type Clock = Callable[[], float]

_LOGGER = logging.getLogger(__name__)

MAX_FAILURES = 5
"""Failures in a row after which the circuit opens."""
FIRST_PAUSE = 30.0
"""Seconds the circuit stays open at first; twice as long each time a probe fails."""
LONGEST_PAUSE = 300.0
"""Seconds the circuit stays open at most."""


class CircuitBreaker:
    """Circuit breaker: opens after `MAX_FAILURES` failures in a row, then lets probes through.

    Each call that is let through gets a permit and settles it once, as succeeded, failed or
    abandoned. Opening makes all permits given before worthless: a call that began earlier says
    nothing of how the server is now. That it opens is logged once, and so is that it closes.
    """

    def __init__(self, clock: Clock = time.monotonic, *, name: str = "The model server") -> None:
        """Begin closed; `clock` returns seconds, `name` is what the log calls the server."""
        self._clock = clock
        self._name = name
        self._failures = 0
        self._pause = 0.0
        self._until: float | None = None
        self._probing = False
        self._permit = 0

    @property
    def state(self) -> Literal["closed", "open", "half_open"]:
        """Whether calls pass (`closed`), fail at once (`open`), or one may probe (`half_open`)."""
        if self._until is None:
            return "closed"
        return "half_open" if self._probing or self._clock() >= self._until else "open"

    def check(self) -> None:
        """Raise `CircuitOpenError` if a call would not be let through now."""
        if self._until is None:
            return
        left = self._until - self._clock()
        if self._probing or left > 0:
            raise CircuitOpenError(max(0.0, left))

    def admit(self) -> int:
        """Let a call through and return its permit. Raises `CircuitOpenError` like `check`."""
        self.check()
        self._probing = self._until is not None
        return self._permit

    def succeeded(self, permit: int) -> None:
        """Close: the server answered."""
        if permit != self._permit:
            return
        if self._until is not None:
            _LOGGER.info("%s answers again", self._name)
        self._failures, self._pause, self._until, self._probing = 0, 0.0, None, False

    def close(self) -> None:
        """Close: the server was seen to answer elsewhere."""
        self.succeeded(self._permit)

    def answering(self, permit: int) -> None:
        """Close after a probe whose answer begins; other calls are judged by their end."""
        if self._probing:
            self.succeeded(permit)

    def failed(self, permit: int, *, weight: int = 1) -> None:
        """Count a failure as `weight` failures: a failed probe opens again, other calls after too many."""
        if permit != self._permit:
            return
        self._failures += weight
        if self._probing or self._failures >= MAX_FAILURES:
            if self._until is None:
                _LOGGER.warning(
                    "%s does not answer; it is left alone and tried now and then", self._name
                )
            self._pause = min(self._pause * 2, LONGEST_PAUSE) or FIRST_PAUSE
            self._until = self._clock() + self._pause
            self._failures, self._probing = 0, False
            self._permit += 1

    def abandoned(self, permit: int) -> None:
        """End a call that says nothing of the server; after a probe the next call is one."""
        if permit == self._permit:
            self._probing = False


if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from .client import ModelClient
    from .models import Completion, Delta, Message

    type Sleep = Callable[[float], Awaitable[object]]

MAX_AT_ONCE = 50
"""Concurrent calls at most."""

_FAILURES = (UnreachableError, ModelTimeoutError, ServerFailedError)


class TokenBucket:
    """Token bucket: holds a minute's calls when full and refills evenly; empty, calls wait their turn."""

    def __init__(
        self,
        per_minute: int = 0,
        *,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Begin full with `per_minute` calls; 0 sets no limit. `clock` and `sleep` are in seconds."""
        self._capacity = per_minute
        self._clock = clock
        self._sleep = sleep
        # Below zero, calls are waiting for tokens that are still to come.
        self._tokens = float(per_minute)
        self._filled_at = clock()
        self._held_until = self._filled_at

    def hold(self, seconds: float) -> None:
        """Hold all calls back for `seconds`, as the server asks; five minutes at most."""
        pause = min(seconds, LONGEST_PAUSE)
        self._held_until = max(self._held_until, self._clock() + pause)

    def take(self, patience: float) -> float:
        """Take a token, also one still to come, and return the clock time at which the call is due.

        Raises `RateLimitedError` at once if that is later than `patience` seconds from now.
        """
        now = self._clock()
        due = now
        if self._capacity:
            rate = self._capacity / 60
            self._tokens = min(
                self._capacity, self._tokens + max(0.0, now - self._filled_at) * rate
            )
            self._filled_at = now
            self._tokens -= 1
            due += max(0.0, -self._tokens) / rate
        try:
            self._check(due, now + patience)
        except RateLimitedError:
            self.give_back()
            raise
        return due

    def give_back(self) -> None:
        """Return the token of a call that was never made."""
        if self._capacity:
            self._tokens = min(self._capacity, self._tokens + 1)

    async def async_wait(self, due: float, deadline: float) -> None:
        """Wait until the clock time `due`, and as long as the server asks.

        Raises `RateLimitedError` as soon as it is known that it would be later than `deadline`.
        """
        while (wait := self._check(due, deadline)) > 0:
            await self._sleep(wait)

    def _check(self, due: float, deadline: float) -> float:
        """Return the seconds still to wait; raises `RateLimitedError` where that is too long."""
        wait = max(due, self._held_until) - self._clock()
        if wait > 0 and self._clock() + wait >= deadline:
            raise RateLimitedError(wait)
        return wait


@dataclass(slots=True)
class Load:
    """Load of a model: the calls that wait for their turn now, and the seconds that its last answer took."""

    waiting: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a connection, shared by all its clients. `clock` returns seconds."""

    slots: asyncio.Semaphore
    bucket: TokenBucket
    breaker: CircuitBreaker
    clock: Clock
    load: Load = field(default_factory=Load)

    @property
    def waiting(self) -> int:
        """Return how many calls wait for their turn now."""
        return self.load.waiting

    @classmethod
    def create(
        cls,
        *,
        requests_per_minute: int = 0,
        at_once: int = MAX_AT_ONCE,
        name: str = "The model server",
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> Self:
        """Return fresh limits; 0 requests per minute set no rate limit.

        `name` is what the log calls the server.
        """
        return cls(
            slots=asyncio.Semaphore(at_once),
            bucket=TokenBucket(requests_per_minute, clock=clock, sleep=sleep),
            breaker=CircuitBreaker(clock, name=name),
            clock=clock,
        )

    @asynccontextmanager
    async def call(self, timeout: float) -> AsyncGenerator[Call]:
        """Run one call within the limits, and settle it by how it ends.

        `timeout` is in seconds. Raises `CircuitOpenError` or `RateLimitedError` at once where
        waiting is in vain, `ModelTimeoutError` where it took too long.
        """
        deadline = self.clock() + timeout
        self.breaker.check()
        due = self.bucket.take(timeout)
        self.load.waiting += 1
        try:
            await self.bucket.async_wait(due, deadline)
            await self._take_slot(deadline)
        except BaseException:
            self.bucket.give_back()
            raise
        finally:
            self.load.waiting -= 1
        try:
            call = await self._begin(due, deadline, timeout)
            with call:
                yield call
        finally:
            self.slots.release()

    async def _take_slot(self, deadline: float) -> None:
        """Wait for a free slot."""
        try:
            async with asyncio.timeout(self._left(deadline)):
                await self.slots.acquire()
        except TimeoutError:
            pass
        else:
            return
        raise ModelTimeoutError("too many calls at once")

    async def _begin(self, due: float, deadline: float, timeout: float) -> Call:
        """Check again what may have changed while the call waited for its slot."""
        try:
            await self.bucket.async_wait(due, deadline)
            left = self._left(deadline)
            return Call(self, self.breaker.admit(), left, was_hurried=left < timeout / 2)
        except BaseException:
            self.bucket.give_back()
            raise

    def _left(self, deadline: float) -> float:
        """Return the seconds until `deadline`, or raise `ModelTimeoutError` when there are none."""
        if (left := deadline - self.clock()) > 0:
            return left
        raise ModelTimeoutError("too many calls at once")


class Call:
    """A running call. `timeout` is what is left of its seconds."""

    def __init__(self, limits: Limits, permit: int, timeout: float, *, was_hurried: bool) -> None:
        """Keep the permit; a call `was_hurried` if it spent most of its time waiting for a slot."""
        self._limits = limits
        self._permit = permit
        self._was_hurried = was_hurried
        self._was_answered = False
        self.timeout = timeout

    def answering(self) -> None:
        """Note that the answer began to arrive."""
        self._was_answered = True
        self._limits.breaker.answering(self._permit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trail: object) -> None:
        """Tell the circuit breaker and the token bucket how the call ended."""
        breaker = self._limits.breaker
        if isinstance(error, RateLimitedError) and error.retry_after:
            self._limits.bucket.hold(error.retry_after)
        if isinstance(error, ModelTimeoutError) and self._was_hurried:
            # The server had too little time for this to be its fault.
            breaker.abandoned(self._permit)
        elif isinstance(error, _FAILURES):
            breaker.failed(self._permit)
        elif error is None or self._was_answered or isinstance(error, ModelError):
            # A refusal is an answer too, and so is a stream that its reader has left.
            breaker.succeeded(self._permit)
        else:
            breaker.abandoned(self._permit)


class LimitedClient:
    """Model client with rate limit, circuit breaker and result callback."""

    def __init__(
        self,
        client: ModelClient,
        *,
        limits: Limits,
        on_result: Callable[[ModelError | None], None] = lambda _: None,
    ) -> None:
        """Wrap a client; `limits` are those of its connection.

        `on_result` is called after each call, with its error or None.
        """
        self._client = client
        self._on_result = on_result
        self.limits = limits
        self.provider = client.provider
        self.model = client.model
        self.server = server_of(client)

    @property
    def state(self) -> Literal["closed", "open", "half_open"]:
        """The state of the connection's circuit breaker."""
        return self.limits.breaker.state

    def answers_within(self, seconds: float) -> bool:
        """Return whether calls pass, and the last answer took no longer; one that timed out counts too."""
        return self.state == "closed" and self.limits.load.seconds <= seconds

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """List what the server offers; see `ModelClient.list_models`."""
        async with self._call(timeout) as call:
            return await self._client.list_models(timeout=call.timeout)

    async def list_sizes(self, *, timeout: float = 10.0) -> dict[str, float]:
        """Return how large the server's models are, {} where it cannot tell; see `TellsSizes.list_sizes`."""
        if not isinstance(self._client, TellsSizes):
            return {}
        async with self._call(timeout) as call:
            return await self._client.list_sizes(timeout=call.timeout)

    async def complete(
        self, messages: Sequence[Message], *, timeout: float = 30.0, **options: Any
    ) -> Completion:
        """Ask for a whole answer; see `ModelClient.complete`."""
        async with self._call(timeout) as call, self._timed() as answered:
            completion = await self._client.complete(messages, timeout=call.timeout, **options)
            answered()
        return completion

    async def stream(
        self, messages: Sequence[Message], *, timeout: float = 60.0, **options: Any
    ) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece; see `ModelClient.stream`."""
        async with (
            self._call(timeout) as call,
            self._timed() as answered,
            aclosing(self._client.stream(messages, timeout=call.timeout, **options)) as deltas,
        ):
            async for delta in deltas:
                call.answering()
                answered()
                yield delta

    @asynccontextmanager
    async def _timed(self) -> AsyncGenerator[Callable[[], None]]:
        """Note the seconds until an answer begins to arrive, which the caller tells, or times out."""
        limits = self.limits
        began = limits.clock()
        took: float | None = None

        def answered() -> None:
            nonlocal took
            if took is None:
                took = limits.load.seconds = limits.clock() - began

        try:
            yield answered
        except ModelTimeoutError:
            answered()
            raise

    @asynccontextmanager
    async def _call(self, timeout: float) -> AsyncGenerator[Call]:
        """Run a call within the limits, and report its result."""
        try:
            async with self.limits.call(timeout) as call:
                yield call
        except ModelError as err:
            self._on_result(err)
            raise
        self._on_result(None)

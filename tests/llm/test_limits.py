"""A server is not asked too much, and left alone while it is down."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
import pytest

from custom_components.bellboard.llm.client import ModelClient, answers_within
from custom_components.bellboard.llm.errors import (
    AuthenticationError,
    BadOutputError,
    CircuitOpenError,
    ModelError,
    ModelMissingError,
    ModelTimeoutError,
    RateLimitedError,
    ServerFailedError,
    UnreachableError,
)
from custom_components.bellboard.llm.limits import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MAX_AT_ONCE,
    MAX_FAILURES,
    CircuitBreaker,
    LimitedClient,
    Limits,
    TokenBucket,
)
from custom_components.bellboard.llm.models import Completion, Delta, Message
from tests.llm.conftest import QUESTION, Build
from tests.servers import Fault

FAILURES = [UnreachableError(), ModelTimeoutError(), ServerFailedError(503)]


class Clock:
    """Seconds that pass when the test says so, or somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)
        self.now += seconds


class Client:
    """A model that fails as it is told, and waits while `gate` is closed."""

    provider = "test"
    model = "tiny"

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.calls = self.running = self.most = 0
        self.timeouts: list[float] = []
        self.closed = False

    async def _answer(self, timeout: float) -> None:
        self.calls += 1
        self.running += 1
        self.most = max(self.most, self.running)
        self.timeouts.append(timeout)
        try:
            await self.gate.wait()
            if self.error:
                raise self.error
        finally:
            self.running -= 1

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        await self._answer(timeout)
        return ["tiny"]

    async def complete(
        self, messages: Sequence[Message], *, timeout: float = 30.0, **options: Any
    ) -> Completion:
        await self._answer(timeout)
        return Completion(text="x", model="tiny")

    async def stream(
        self, messages: Sequence[Message], *, timeout: float = 60.0, **options: Any
    ) -> AsyncGenerator[Delta]:
        try:
            yield Delta(text="x")
            await self._answer(timeout)
            yield Delta(finish_reason="stop")
        finally:
            self.closed = True


@pytest.fixture
def clock() -> Clock:
    """The time."""
    return Clock()


@pytest.fixture
def inner() -> Client:
    """The model."""
    return Client()


def limited(client: Client, clock: Clock, **limits: Any) -> LimitedClient:
    """Return the model within limits of its own."""
    return LimitedClient(client, limits=Limits.create(clock=clock, sleep=clock.sleep, **limits))


def state_of(client: LimitedClient) -> str:
    """Return the state of a client's circuit breaker, as it is now."""
    return client.state


async def ask(client: LimitedClient, how: str) -> object:
    """Ask a model in one of the ways there are."""
    match how:
        case "complete":
            return await client.complete([])
        case "stream":
            return [delta async for delta in client.stream([])]
        case _:
            return await client.list_models()


async def fail(client: LimitedClient, inner: Client, times: int = MAX_FAILURES) -> None:
    """Let some calls fail."""
    inner.error = UnreachableError()
    for _ in range(times):
        with pytest.raises(UnreachableError):
            await client.complete([])
    inner.error = None


# At once


@pytest.mark.parametrize("how", ["complete", "stream"])
async def test_no_more_than_fifty_run_at_once(inner: Client, clock: Clock, how: str) -> None:
    client = limited(inner, clock)
    inner.gate.clear()
    tasks = [asyncio.create_task(ask(client, how)) for _ in range(120)]
    for _ in range(5):
        await asyncio.sleep(0)
    assert inner.running == MAX_AT_ONCE == 50
    inner.gate.set()
    assert len(await asyncio.gather(*tasks)) == 120
    assert (inner.calls, inner.most) == (120, 50)


async def test_two_clients_of_a_connection_share_its_limits(clock: Clock) -> None:
    limits = Limits.create(at_once=1, clock=clock, sleep=clock.sleep)
    first, second = Client(), Client()
    first.gate.clear()
    running = asyncio.create_task(LimitedClient(first, limits=limits).complete([]))
    await asyncio.sleep(0)
    with pytest.raises(ModelTimeoutError):
        await LimitedClient(second, limits=limits).complete([], timeout=0.02)
    assert (first.running, second.calls) == (1, 0)
    first.gate.set()
    await running


async def test_waiting_for_a_place_counts_against_the_timeout(inner: Client) -> None:
    client = LimitedClient(inner, limits=Limits.create(at_once=1))
    inner.gate.clear()
    running = asyncio.create_task(client.complete([], timeout=5))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(client.complete([], timeout=5))
    await asyncio.sleep(0.05)
    inner.gate.set()
    await asyncio.gather(running, waiting)
    assert inner.timeouts[0] == pytest.approx(5, abs=0.01)
    assert 4.5 < inner.timeouts[1] < 4.96


async def test_calls_that_wait_too_long_for_a_place_are_no_failure_of_the_server(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock, at_once=1)
    inner.gate.clear()
    running = asyncio.create_task(client.complete([]))
    await asyncio.sleep(0)
    for _ in range(2 * MAX_FAILURES):
        with pytest.raises(ModelTimeoutError):
            await client.complete([], timeout=0.001)
    assert state_of(client) == "closed"
    inner.gate.set()
    await running


@pytest.mark.parametrize("when", ["waiting", "running"])
async def test_a_cancelled_call_gives_its_place_back(
    inner: Client, clock: Clock, when: str
) -> None:
    client = limited(inner, clock, at_once=1, requests_per_minute=2)
    inner.gate.clear()
    running = asyncio.create_task(client.complete([]))
    waiting = asyncio.create_task(client.complete([]))
    for _ in range(3):
        await asyncio.sleep(0)
    cancelled, other = (waiting, running) if when == "waiting" else (running, waiting)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    inner.gate.set()
    await other
    assert not client.limits.slots.locked()
    # A token that was not used is there again, one that was is not.
    if when == "waiting":
        await client.complete([])
    with pytest.raises(RateLimitedError):
        await client.complete([], timeout=5)


# A minute's calls


@pytest.mark.parametrize("how", ["complete", "stream"])
async def test_a_minutes_calls_pass_at_once_and_the_next_one_waits(
    inner: Client, clock: Clock, how: str
) -> None:
    client = limited(inner, clock, requests_per_minute=6)
    for _ in range(6):
        await ask(client, how)
    assert clock.slept == []
    if how == "stream":
        await ask(client, how)
        assert clock.slept == [pytest.approx(10)]
        return
    await client.complete([], timeout=30)
    assert clock.slept == [pytest.approx(10)]
    assert inner.timeouts[-1] == pytest.approx(20)


async def test_who_would_wait_longer_than_its_timeout_is_told_at_once(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock, requests_per_minute=1)
    await client.complete([])
    with pytest.raises(RateLimitedError) as caught:
        await client.complete([], timeout=59)
    assert caught.value.retry_after == pytest.approx(60)
    assert (clock.slept, inner.calls) == ([], 1)
    # It took no token: a more patient one waits no longer for it.
    await client.complete([], timeout=61)
    assert clock.slept == [pytest.approx(60)]


async def test_without_a_rate_nobody_waits(inner: Client, clock: Clock) -> None:
    client = limited(inner, clock)
    for _ in range(500):
        await client.complete([])
    assert clock.slept == []


@pytest.mark.parametrize("rate", [0, 60])
async def test_the_server_says_how_long_to_wait(inner: Client, clock: Clock, rate: int) -> None:
    client = limited(inner, clock, requests_per_minute=rate)
    inner.error = RateLimitedError(20)
    with pytest.raises(RateLimitedError):
        await client.complete([])
    inner.error = None
    clock.now += 5
    with pytest.raises(RateLimitedError) as caught:
        await client.complete([], timeout=14)
    assert caught.value.retry_after == pytest.approx(15)
    assert inner.calls == 1, "it was not asked"
    await client.complete([], timeout=16)
    assert clock.slept == [pytest.approx(15)]
    assert state_of(client) == "closed", "slowing down is no failure"


async def test_a_server_that_slows_down_is_heard_by_those_who_wait_already(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock, at_once=1)
    inner.gate.clear()
    running = asyncio.create_task(client.complete([]))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(client.complete([], timeout=30))
    hasty = asyncio.create_task(client.complete([], timeout=5))
    await asyncio.sleep(0)
    inner.error = RateLimitedError(10)
    inner.gate.set()
    with pytest.raises(RateLimitedError):
        await running
    inner.error = None
    await waiting
    with pytest.raises((RateLimitedError, ModelTimeoutError)):
        await hasty
    assert clock.slept == [pytest.approx(10)]
    assert inner.calls == 2


class Bucket(RuleBasedStateMachine):
    """However calls come, no window of time sees more than the bucket held and what came since."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.rate = 30
        self.bucket = TokenBucket(self.rate, clock=self.clock)
        self.due: list[float] = []

    @rule(seconds=st.floats(0, 100))
    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule(patience=st.floats(0, 20))
    def call(self, patience: float) -> None:
        refused: RateLimitedError | None = None
        due = self.clock.now
        try:
            due = self.bucket.take(patience)
        except RateLimitedError as err:
            refused = err
        if refused:
            assert refused.retry_after is not None
            assert refused.retry_after >= patience - 1e-6
            return
        assert self.clock.now <= due <= self.clock.now + patience + 1e-6
        self.due.append(due)

    @invariant()
    def keeps_to_the_rate(self) -> None:
        due = self.due[-100:]
        for first in range(len(due)):
            window = due[-1] - due[first]
            assert len(due) - first <= self.rate + window * self.rate / 60 + 1 + 1e-6


TestBucket = Bucket.TestCase
TestBucket.settings = settings(max_examples=40, stateful_step_count=60, deadline=None)


# A server that is down


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: str(error.kind))
async def test_opens_after_failures_in_a_row(
    inner: Client, clock: Clock, error: ModelError
) -> None:
    client = limited(inner, clock)
    inner.error = error
    for number in range(MAX_FAILURES):
        assert state_of(client) == "closed", number
        with pytest.raises(type(error)):
            await client.complete([])
    assert state_of(client) == "open"
    with pytest.raises(CircuitOpenError) as caught:
        await client.complete([])
    assert inner.calls == MAX_FAILURES == 5
    assert caught.value.retry_after == FIRST_PAUSE == 30
    assert caught.value.kind == UnreachableError.kind


@pytest.mark.parametrize(
    "error",
    [None, AuthenticationError(), BadOutputError(), ModelMissingError(), RateLimitedError()],
    ids=lambda error: getattr(error, "kind", "success"),
)
async def test_any_answer_between_failures_counts_as_one(
    inner: Client, clock: Clock, error: ModelError | None
) -> None:
    client = limited(inner, clock)
    for _ in range(3):
        await fail(client, inner, MAX_FAILURES - 1)
        inner.error = error
        if error is None:
            await client.complete([])
        else:
            with pytest.raises(type(error)):
                await client.complete([])
    assert state_of(client) == "closed"


async def test_a_mistake_of_ours_says_nothing_of_the_server(inner: Client, clock: Clock) -> None:
    client = limited(inner, clock)
    await fail(client, inner, MAX_FAILURES - 1)
    inner.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        await client.complete([])
    assert state_of(client) == "closed"
    await fail(client, inner, 1)
    assert state_of(client) == "open"


@pytest.mark.parametrize("how", ["complete", "stream", "list_models"])
async def test_nothing_passes_while_open(inner: Client, clock: Clock, how: str) -> None:
    client = limited(inner, clock)
    await fail(client, inner)
    with pytest.raises(CircuitOpenError):
        await ask(client, how)
    assert inner.calls == MAX_FAILURES


async def test_a_server_that_is_slow_or_down_is_not_expected_to_answer_soon(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock)
    assert answers_within(client, 4.0)
    slow = asyncio.create_task(client.complete([]))
    inner.gate.clear()
    await asyncio.sleep(0)
    clock.now += 5
    inner.gate.set()
    await slow
    assert not answers_within(client, 4.0)
    # What takes long after it began to arrive was not slow.
    await ask(client, "stream")
    assert answers_within(client, 4.0)
    await fail(client, inner)
    assert not answers_within(client, 4.0)


async def test_nobody_queues_for_a_server_that_is_down(inner: Client, clock: Clock) -> None:
    """Neither for its turn in the minute nor for a place."""
    client = limited(inner, clock, requests_per_minute=MAX_FAILURES)
    await fail(client, inner)
    for timeout in (5, 600):
        with pytest.raises(CircuitOpenError):
            await client.complete([], timeout=timeout)
    assert clock.slept == []


async def test_one_call_tries_after_the_pause_and_closes(inner: Client, clock: Clock) -> None:
    client = limited(inner, clock)
    await fail(client, inner)
    clock.now += FIRST_PAUSE
    assert state_of(client) == "half_open"
    inner.gate.clear()
    probe = asyncio.create_task(client.complete([]))
    await asyncio.sleep(0)
    for _ in range(3):
        with pytest.raises(CircuitOpenError):
            await client.complete([])
    assert (inner.running, inner.calls) == (1, MAX_FAILURES + 1)
    inner.gate.set()
    await probe
    assert state_of(client) == "closed"
    await fail(client, inner, MAX_FAILURES - 1)
    assert state_of(client) == "closed", "it starts counting anew"


async def test_the_pause_doubles_while_it_stays_down(inner: Client, clock: Clock) -> None:
    client = limited(inner, clock)
    await fail(client, inner)
    assert LONGEST_PAUSE == 300
    for pause in (30, 60, 120, 240, LONGEST_PAUSE, LONGEST_PAUSE):
        with pytest.raises(CircuitOpenError) as caught:
            await client.complete([])
        assert caught.value.retry_after == pytest.approx(pause)
        clock.now += pause
        await fail(client, inner, 1)
    assert inner.calls == MAX_FAILURES + 6
    clock.now += LONGEST_PAUSE
    await client.complete([])
    await fail(client, inner)
    with pytest.raises(CircuitOpenError) as caught:
        await client.complete([])
    assert caught.value.retry_after == FIRST_PAUSE, "once it answered, it starts again"


async def test_a_cancelled_probe_leaves_the_way_free(inner: Client, clock: Clock) -> None:
    client = limited(inner, clock)
    await fail(client, inner)
    clock.now += FIRST_PAUSE
    inner.gate.clear()
    probe = asyncio.create_task(client.complete([]))
    await asyncio.sleep(0)
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    assert state_of(client) == "half_open"
    inner.gate.set()
    await client.complete([])
    assert state_of(client) == "closed"


async def test_calls_that_began_before_it_opened_change_nothing(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock)
    inner.gate.clear()
    old = [asyncio.create_task(client.complete([])) for _ in range(20)]
    await asyncio.sleep(0)
    inner.error = UnreachableError()
    inner.gate.set()
    await asyncio.gather(*old, return_exceptions=True)
    assert state_of(client) == "open"
    with pytest.raises(CircuitOpenError) as caught:
        await client.complete([])
    assert caught.value.retry_after == FIRST_PAUSE, "twenty failures at once open it once"


async def test_who_waits_for_a_place_is_not_sent_to_a_server_that_just_failed(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock, at_once=MAX_FAILURES)
    inner.gate.clear()
    tasks = [asyncio.create_task(client.complete([])) for _ in range(MAX_FAILURES + 10)]
    for _ in range(3):
        await asyncio.sleep(0)
    inner.error = UnreachableError()
    inner.gate.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert inner.calls == MAX_FAILURES
    assert sum(isinstance(error, CircuitOpenError) for error in found) == 10
    assert not client.limits.slots.locked()


async def test_a_timeout_after_a_long_wait_is_not_the_servers_fault(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock, requests_per_minute=1)
    await client.complete([])
    inner.error = ModelTimeoutError()
    for _ in range(2 * MAX_FAILURES):
        with pytest.raises(ModelTimeoutError):
            await client.complete([], timeout=61)
    assert state_of(client) == "closed"


# Streams


async def test_a_stream_that_is_left_is_closed_and_counts_as_an_answer(
    inner: Client, clock: Clock
) -> None:
    client = limited(inner, clock, at_once=1)
    await fail(client, inner)
    clock.now += FIRST_PAUSE
    stream = client.stream([])
    assert (await anext(stream)).text == "x"
    assert state_of(client) == "closed", "what began to answer is there"
    assert client.limits.slots.locked()
    await stream.aclose()
    assert inner.closed
    assert state_of(client) == "closed"
    assert not client.limits.slots.locked()


async def test_streams_that_break_open_it(inner: Client, clock: Clock) -> None:
    client = limited(inner, clock)
    inner.error = UnreachableError()
    for _ in range(MAX_FAILURES):
        with pytest.raises(UnreachableError):
            _ = [delta async for delta in client.stream([])]
    assert state_of(client) == "open"


# A real server


@pytest.mark.parametrize("provider", ["openai"])
async def test_a_stopped_server_is_left_alone_and_found_again(
    build: Build, provider: str, clock: Clock
) -> None:
    house = await build(provider)
    limits = Limits.create(clock=clock, sleep=clock.sleep)
    client: ModelClient = LimitedClient(house.client, limits=limits)
    await house.server.suffer(Fault("stopped"))
    for _ in range(MAX_FAILURES):
        with pytest.raises(UnreachableError) as caught:
            await client.complete(QUESTION)
        assert not isinstance(caught.value, CircuitOpenError)
    # It is back, but nobody looks before the pause is over: nothing arrives there.
    await house.server.suffer(Fault())
    for _ in range(3):
        with pytest.raises(CircuitOpenError):
            await client.complete(QUESTION)
    assert house.model.attempts == 0
    clock.now += FIRST_PAUSE
    assert (await client.complete(QUESTION)).text == "Good evening."
    assert limits.breaker.state == "closed"
    assert house.model.attempts == 1
    assert await client.list_models() == ["test-model"]
    assert "".join([delta.text async for delta in client.stream(QUESTION)]) == "Good evening."


async def test_a_server_that_asks_to_wait_is_not_asked_again(build: Build, clock: Clock) -> None:
    house = await build("openai")
    client = LimitedClient(house.client, limits=Limits.create(clock=clock, sleep=clock.sleep))
    await house.server.suffer(Fault.of_status(429, "40"))
    for _ in range(3):
        with pytest.raises(RateLimitedError):
            await client.complete(QUESTION, timeout=10)
    assert house.model.attempts == 1


@pytest.mark.parametrize("wanted", ["999999999", "1e300", "Fri, 31 Dec 9999 23:59:59 GMT"])
@pytest.mark.parametrize("status", [429, 503, 529])
async def test_no_server_can_silence_itself_for_ever(
    build: Build, clock: Clock, wanted: str, status: int
) -> None:
    assert LONGEST_PAUSE == 300
    house = await build("openai")
    client = LimitedClient(house.client, limits=Limits.create(clock=clock, sleep=clock.sleep))
    await house.server.suffer(Fault.of_status(status, wanted))
    for _ in range(10):
        with pytest.raises(ModelError):
            await client.complete(QUESTION, timeout=10)
    await house.server.suffer(Fault())
    clock.now += LONGEST_PAUSE
    assert (await client.complete(QUESTION, timeout=10)).text == "Good evening."


class Breaker(RuleBasedStateMachine):
    """Any order of calls, ends and pauses keeps the circuit breaker's promises."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.breaker = CircuitBreaker(self.clock)
        self.running: list[tuple[int, bool]] = []
        self.opened_at = self.clock.now

    @rule()
    def begin(self) -> None:
        state = self.breaker.state
        probing = any(probe for _, probe in self.running)
        if state == "open" or probing:
            with pytest.raises(CircuitOpenError) as caught:
                self.breaker.admit()
            assert 0 <= caught.value.retry_after <= LONGEST_PAUSE
            return
        permit = self.breaker.admit()
        self.running.append((permit, state == "half_open"))

    @precondition(lambda self: self.running)
    @rule(data=st.data(), end=st.sampled_from(["succeeded", "failed", "abandoned"]))
    def end(self, data: st.DataObject, end: str) -> None:
        index = data.draw(st.integers(0, len(self.running) - 1))
        permit, probe = self.running.pop(index)
        before: str = self.breaker.state
        getattr(self.breaker, end)(permit)
        after: str = self.breaker.state
        if probe:
            expected = {"succeeded": "closed", "failed": "open", "abandoned": "half_open"}
            assert after == expected[end]
        elif before != "closed":
            assert after == before, "only a probe decides"
        elif end != "failed":
            assert after == "closed"

    @rule(seconds=st.sampled_from([1.0, FIRST_PAUSE, LONGEST_PAUSE]))
    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds

    @invariant()
    def never_stuck(self) -> None:
        """Unless a probe is running, the longest pause is enough to be let through again."""
        assert sum(probe for _, probe in self.running) <= 1
        if not any(probe for _, probe in self.running):
            now = self.clock.now
            self.clock.now += LONGEST_PAUSE
            assert self.breaker.state in {"closed", "half_open"}
            self.breaker.check()
            self.clock.now = now


TestBreaker = Breaker.TestCase
TestBreaker.settings = settings(max_examples=80, stateful_step_count=80, deadline=None)

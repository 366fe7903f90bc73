"""Whatever a server does wrong has one name, takes no longer than allowed, and gives nothing away."""

import asyncio
import time
import traceback
from typing import TYPE_CHECKING, Any

import pytest

from custom_components.bellboard.llm.base import HttpModelClient
from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.errors import (
    AuthenticationError,
    BadOutputError,
    ModelError,
    ModelMissingError,
    ModelTimeoutError,
    NotAModelServerError,
    RateLimitedError,
    RequestRejectedError,
    ServerFailedError,
    UnreachableError,
)
from tests.servers import Fault

from .conftest import APPS, KEY, PROTOCOLS, QUESTION, SCHEMA

if TYPE_CHECKING:
    from .conftest import Build

FAULTS: dict[str, tuple[Fault, type[ModelError]]] = {
    "stopped": (Fault("stopped"), UnreachableError),
    "slow": (Fault.slow(5), ModelTimeoutError),
    "unauthorized": (Fault.of_status(401), AuthenticationError),
    "forbidden": (Fault.of_status(403), AuthenticationError),
    "teapot": (Fault.of_status(418), RequestRejectedError),
    "too many": (Fault.of_status(429, "7"), RateLimitedError),
    "error": (Fault.of_status(500), ServerFailedError),
    "overloaded": (Fault.of_status(503), ServerFailedError),
    "page": (Fault("html"), NotAModelServerError),
    "reset": (Fault("reset"), UnreachableError),
}
IN_ANSWERS: dict[str, tuple[Fault, type[ModelError]]] = FAULTS | {
    "missing": (Fault.of_status(404), ModelMissingError),
    "huge": (Fault("huge"), BadOutputError),
    "broken": (Fault("broken_stream"), BadOutputError),
    "cut": (Fault("cut_stream"), BadOutputError),
}


@pytest.fixture(params=PROTOCOLS)
def provider(request: pytest.FixtureRequest) -> str:
    """Each protocol in turn."""
    return str(request.param)


async def call(client: ModelClient, kind: str, timeout: float = 10) -> object:
    match kind:
        case "list":
            return await client.list_models(timeout=timeout)
        case "complete":
            return await client.complete(QUESTION, schema=SCHEMA, timeout=timeout)
        case _:
            return [delta async for delta in client.stream(QUESTION, timeout=timeout)]


def patience(fault: Fault) -> float:
    """Wait long for everything but what never comes."""
    return 0.1 if fault.mode == "slow" else 10


def everything_in(error: BaseException) -> str:
    """Collect what a log, a traceback or a debugger could show of an error and what led to it."""
    seen = ["".join(traceback.format_exception(error))]
    trail: BaseException | None = error
    while trail is not None:
        seen += [str(trail), repr(trail), repr(trail.args), repr(vars(trail))]
        trail = trail.__cause__ or trail.__context__
    return "\n".join(seen)


@pytest.mark.parametrize("kind", ["complete", "stream"])
@pytest.mark.parametrize("name", IN_ANSWERS)
async def test_has_a_name(
    build: Build, provider: str, kind: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    fault, expected = IN_ANSWERS[name]
    house = await build(provider, {"agent": "light-agent"})
    await house.server.suffer(fault)
    caplog.set_level("DEBUG")
    with pytest.raises(ModelError) as failed:
        await call(house.client, kind, patience(fault))
    assert type(failed.value) is expected
    shown = everything_in(failed.value) + caplog.text
    for secret in (KEY, "swordfish", "light-agent", "Welcome"):
        assert secret not in shown
    assert failed.value.__context__ is None


@pytest.mark.parametrize(
    "name", [*FAULTS, pytest.param("huge", id="huge"), pytest.param("missing", id="missing")]
)
async def test_has_a_name_when_asking_about_the_server(
    build: Build, provider: str, name: str
) -> None:
    fault, expected = IN_ANSWERS[name]
    if name in ("huge", "missing"):
        expected = NotAModelServerError
    house = await build(provider)
    await house.server.suffer(fault)
    with pytest.raises(ModelError) as failed:
        await call(house.client, "list", patience(fault))
    assert type(failed.value) is expected
    assert KEY not in everything_in(failed.value)


@pytest.mark.parametrize("kind", sorted(APPS.keys() - set(PROTOCOLS)))
async def test_every_kind_of_a_protocol_has_the_same_names(build: Build, kind: str) -> None:
    answer = {"agent": "light-agent", "why": "a lamp"}
    house = await build(kind, lambda _messages, schema: answer if schema else "Good evening.")
    stalling = Fault.stall(30), ModelTimeoutError
    found: dict[tuple[str, str], object] = {}
    wanted: dict[tuple[str, str], object] = {}
    for name, (fault, expected) in (IN_ANSWERS | {"stalling": stalling}).items():
        await house.server.suffer(fault)
        calls = ("stream",) if name == "stalling" else ("complete", "stream", "list")
        for asked in calls:
            about = asked == "list"
            if about and name in ("broken", "cut"):
                continue
            elsewhere = about and name in ("huge", "missing")
            wanted[name, asked] = NotAModelServerError if elsewhere else expected
            with pytest.raises(ModelError) as failed:
                await call(house.client, asked, 0.2 if name == "stalling" else patience(fault))
            found[name, asked] = type(failed.value)
            assert KEY not in everything_in(failed.value)
    assert found == wanted
    await house.server.suffer(Fault())
    assert (await house.client.complete(QUESTION)).text == "Good evening."


@pytest.mark.parametrize("kind", sorted(APPS.keys() - set(PROTOCOLS)))
async def test_every_kind_of_a_protocol_keeps_bad_output_and_what_its_server_asks(
    build: Build, kind: str
) -> None:
    house = await build(kind, {"agent": "light-agent"}, fault=Fault("half_json"))
    with pytest.raises(BadOutputError) as failed:
        await call(house.client, "complete")
    assert failed.value.text.startswith('{"agent":"')
    await house.server.suffer(Fault.of_status(429, "7"))
    with pytest.raises(RateLimitedError) as limited:
        await call(house.client, "complete")
    assert limited.value.retry_after == 7


@pytest.mark.parametrize(
    ("mode", "text"),
    [("half_json", '{"agent":"'), ("unknown_text", "Certainly! I would be delighted")],
)
async def test_keeps_bad_output_for_asking_again(
    build: Build, provider: str, mode: Any, text: str
) -> None:
    house = await build(provider, {"agent": "light-agent"}, fault=Fault(mode))
    with pytest.raises(BadOutputError) as failed:
        await call(house.client, "complete")
    assert failed.value.text.startswith(text)
    assert text not in str(failed.value)


async def test_an_empty_object_is_an_object(build: Build, provider: str) -> None:
    house = await build(provider, {"agent": "light-agent"}, fault=Fault("empty_object"))
    completion = await house.client.complete(QUESTION, schema=SCHEMA)
    assert completion.data == {}


async def test_waits_as_long_as_the_server_asks(build: Build, provider: str) -> None:
    house = await build(provider, fault=Fault.of_status(429, "7"))
    with pytest.raises(RateLimitedError) as failed:
        await call(house.client, "complete")
    assert failed.value.retry_after == 7


async def test_tells_the_status_of_a_failure(build: Build, provider: str) -> None:
    house = await build(provider, fault=Fault.of_status(502))
    with pytest.raises(ServerFailedError, match="502") as failed:
        await call(house.client, "stream")
    assert failed.value.status == 502


async def test_takes_no_longer_than_allowed(build: Build, provider: str) -> None:
    house = await build(provider, fault=Fault.slow(30))
    for kind in ("complete", "stream", "list"):
        started = time.monotonic()
        with pytest.raises(ModelTimeoutError):
            await call(house.client, kind, 0.05)
        assert 0.05 <= time.monotonic() - started < 5


async def test_gives_up_a_stream_that_stalls(build: Build, provider: str) -> None:
    house = await build(provider, "Good evening.", fault=Fault.stall(30))
    said: list[str] = []

    async def listen() -> None:
        async for delta in house.client.stream(QUESTION, timeout=0.4):
            said.append(delta.text)  # noqa: PERF401 -- what came before the error counts

    with pytest.raises(ModelTimeoutError):
        await listen()
    assert said == ["Good"]


async def test_a_server_may_stop_in_the_middle(build: Build, provider: str) -> None:
    house = await build(provider, fault=Fault.slow(5))
    waiting = asyncio.create_task(house.client.complete(QUESTION))
    await asyncio.sleep(0.1)
    assert house.model.attempts == 1
    await house.server.suffer(Fault("stopped"))
    with pytest.raises(UnreachableError):
        await waiting


async def test_recovers_when_the_server_does(build: Build, provider: str) -> None:
    house = await build(provider, "Good evening.")
    for fault, _ in IN_ANSWERS.values():
        await house.server.suffer(fault)
        with pytest.raises(ModelError):
            await call(house.client, "complete", patience(fault))
        await house.server.suffer(Fault())
        assert (await house.client.complete(QUESTION)).text == "Good evening."


@pytest.mark.parametrize("error", ModelError.__subclasses__())
def test_every_error_has_its_own_kind_and_words(error: type[ModelError]) -> None:
    others = [other for other in ModelError.__subclasses__() if other is not error]
    assert error.kind not in [other.kind for other in others]
    assert error.message not in [other.message for other in others]


@pytest.mark.parametrize("provider", ["ollama", "openai"])
async def test_a_stream_that_nobody_asked_for_is_read(build: Build, provider: str) -> None:
    house = await build(provider, {"agent": "light-agent"})
    house.model.fault = Fault("streams")
    completion = await house.client.complete(QUESTION, schema=SCHEMA)
    assert completion.data == {"agent": "light-agent"}
    assert completion.finish_reason == "stop"


async def test_lone_closing_tags_end_thoughts(
    build: Build, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a model thinks is not passed on, though the template holds the opening tag."""
    talk = "Okay so they ask who wrote it. </think> Goethe wrote it."
    house = await build(provider, talk)
    monkeypatch.setattr(HttpModelClient, "begins_inside", None)
    for _ in range(2):
        pieces = [delta.text async for delta in house.client.stream(QUESTION)]
        assert "".join(pieces) == "Goethe wrote it."
    assert (await house.client.complete(QUESTION)).text == "Goethe wrote it."


async def test_a_first_stream_waits_only_until_it_is_known_how_a_model_begins(
    build: Build, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await build(provider, "Goethe wrote the play of the learned doctor.")
    monkeypatch.setattr(HttpModelClient, "begins_inside", None)
    first = [delta.text async for delta in house.client.stream(QUESTION) if delta.text]
    second = [delta.text async for delta in house.client.stream(QUESTION) if delta.text]
    assert "".join(first) == "".join(second)
    assert len(first) == 1
    assert len(second) > 5

"""A gatekeeper decides who answers; whatever it does wrong leaves that to the next router."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
import hashlib
import hmac
import json
import os
from pathlib import Path
import socket
import ssl
import sys
import time
import traceback
from typing import Any

import aiohttp
from homeassistant.core import HomeAssistant
from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard import assistant
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.routing.gatekeeper import GatekeeperRouter, says_the_same
from custom_components.bellboard.routing.gatekeeper_client import (
    MAX_BODY,
    MAX_INSTRUCTION,
    AvailableAgent,
    GatekeeperClient,
    GatekeeperError,
    GatekeeperFailure,
    GatekeeperSettingError,
    RouteRequest,
    RouteResponse,
    read_response,
    route_address,
)
from custom_components.bellboard.routing.models import Assignment, Measure, Source
from custom_components.bellboard.routing.router import RoutedPart, RoutingRequest
from tests.conftest import Setup
from tests.memory.test_redis_store import self_signed
from tests.servers.gatekeeper import (
    Behaviour,
    GatekeeperServer,
    dripping,
    resetting,
    responding,
    slow,
)
from tests.test_forwarding import DONE, STEPS, decisions_asked, model

from .conftest import CARDS, RequestFor
from .reading import choosing, traces

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "gatekeeper" / "server.py"
TOKEN = "the-token-of-the-gate"
SECRET = "the-secret-of-the-gate"
SAID = "let the swordfish shine"
REPLIED = "the-marzipan-of-the-gate"

# As the seed has them.
REQUEST: dict[str, Any] = {
    "original_query": "Create polished document on Herodotus",
    "workflow_history": [
        {"agent_id": "research-agent", "action": "...", "timestamp": "..."},
        {"agent_id": "writer-agent", "action": "...", "timestamp": "..."},
    ],
    "current_output": {"document": "..."},
    "available_agents": [
        {"agent_id": "editor-agent", "capabilities": ["editing"]},
        {"agent_id": "judge-agent", "capabilities": ["quality-review"]},
    ],
}
RESPONSE: dict[str, Any] = {
    "workflow_complete": False,
    "next_agent": "editor-agent",
    "next_instruction": "Polish this document to publication quality",
    "confidence": 0.95,
}
TO_LIGHT: dict[str, Any] = {
    "workflow_complete": False,
    "next_agent": "light-agent",
    "next_instruction": "Make it shine",
    "confidence": 0.95,
    "reasoning": REPLIED,
}


@dataclass
class Time:
    """A clock that only waiting moves."""

    at: float = 1000.0
    waited: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.at += seconds


@dataclass
class Gate:
    """A gatekeeper, and who asks it."""

    server: GatekeeperServer
    client: GatekeeperClient
    time: Time

    @property
    def router(self) -> GatekeeperRouter:
        return GatekeeperRouter(self.client)


type Open = Callable[..., Gate]


@pytest.fixture
async def session() -> AsyncGenerator[aiohttp.ClientSession]:
    """Return a session, as Home Assistant shares one."""
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture
async def gate(session: aiohttp.ClientSession) -> AsyncGenerator[Open]:
    """Return a function that returns a gatekeeper that runs; `decide` is its answer or its function."""
    async with GatekeeperServer() as server:

        def make(
            decide: Any = None, behaviour: Behaviour | None = None, *, url: str = "", **options: Any
        ) -> Gate:
            if decide is not None:
                server.decide = decide if callable(decide) else lambda _: decide
            server.behaviour = behaviour
            clock = Time()
            values = {"token": TOKEN, "secret": SECRET} | options
            client = GatekeeperClient(
                session, url or server.url, clock=clock, now=clock, sleep=clock.sleep, **values
            )
            return Gate(server, client, clock)

        yield make


def question() -> RouteRequest:
    """Return a request that has something secret in it."""
    agents = tuple(AvailableAgent(agent_id=card.id) for card in CARDS)
    return RouteRequest(
        original_query=SAID, workflow_history=(), current_output={}, available_agents=agents
    )


def everything_in(error: BaseException) -> str:
    """Return all that a log, a traceback or a debugger could show of an error and what led to it."""
    seen = ["".join(traceback.format_exception(error)), repr(vars(error))]
    trail: BaseException | None = error
    while trail is not None:
        seen += [str(trail), repr(trail.args)]
        trail = trail.__cause__ or trail.__context__
    return "\n".join(seen)


# The wire


def test_the_contracts_examples_come_back_unchanged() -> None:
    assert RouteRequest.model_validate(REQUEST).as_json() == REQUEST
    assert RouteResponse.model_validate_json(json.dumps(RESPONSE)).as_json() == RESPONSE


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"workflow_complete": None}, "workflow_complete is missing or wrong"),
        ({"workflow_complete": "no"}, "workflow_complete is missing or wrong"),
        ({"next_agent": None}, "next_agent is missing"),
        ({"next_agent": ""}, "next_agent is missing"),
        ({"next_agent": 7}, "next_agent is missing or wrong"),
        ({"next_agent": "butler-agent"}, "next_agent was not offered"),
        ({"next_instruction": None}, "next_instruction is missing"),
        ({"next_instruction": " \n\u200b"}, "next_instruction is missing"),
        ({"next_instruction": "x" * (MAX_INSTRUCTION + 1)}, "next_instruction is too long"),
        ({"confidence": 1.1}, "confidence is missing or wrong"),
        ({"confidence": -0.1}, "confidence is missing or wrong"),
        ({"confidence": "0.9"}, "confidence is missing or wrong"),
        ({"confidence": float("nan")}, "confidence is missing or wrong"),
        ({"reasoning": []}, "reasoning is missing or wrong"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_by_its_field(
    changes: dict[str, Any], wrong: str
) -> None:
    body = json.dumps(RESPONSE | changes).encode()
    with pytest.raises(GatekeeperError) as refused:
        read_response(body, RouteRequest.model_validate(REQUEST))
    assert str(refused.value) == f"{GatekeeperFailure.BAD_REPLY} ({wrong})."
    assert "butler" not in everything_in(refused.value)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (b"", "it is not JSON"),
        (b'{"workflow_complete": tr', "it is not JSON"),
        (b'{"workflow_complete": true}\xff', "it is not JSON"),
        (b"[true]", "it is not an object"),
        (b"null", "it is not an object"),
        (b"\n<html>marzipan</html>", "it is a web page"),
        (b"[" * 5000, "it is not JSON"),
    ],
)
def test_what_is_no_answer_at_all_is_refused(body: bytes, wrong: str) -> None:
    with pytest.raises(GatekeeperError) as refused:
        read_response(body, RouteRequest.model_validate(REQUEST))
    assert str(refused.value) == f"{GatekeeperFailure.BAD_REPLY} ({wrong})."
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    "body",
    [
        {"workflow_complete": True},
        {"workflow_complete": True, "next_agent": "butler-agent", "next_instruction": "x" * 999},
        {key: value for key, value in RESPONSE.items() if key != "confidence"},
        RESPONSE | {"confidence": 1, "unknown": [1], "reasoning": None},
        RESPONSE | {"next_instruction": "x" * MAX_INSTRUCTION},
    ],
)
def test_what_the_contract_allows_is_taken(body: dict[str, Any]) -> None:
    response = read_response(json.dumps(body).encode(), RouteRequest.model_validate(REQUEST))
    assert response.workflow_complete == body["workflow_complete"]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300) | st.builds(lambda x: json.dumps(x).encode(), st.from_type(dict)))
def test_any_bytes_are_an_answer_or_a_refusal(body: bytes) -> None:
    try:
        response = read_response(body, RouteRequest.model_validate(REQUEST))
    except GatekeeperError:
        return
    assert response.workflow_complete or response.next_agent in {"editor-agent", "judge-agent"}


def test_an_instruction_is_one_line() -> None:
    response = RouteResponse(
        workflow_complete=False, next_agent="a", next_instruction=" dim\nthe\x00 lamp\u2028now "
    )
    assert response.instruction == "dim the lamp now"


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("http://localhost:8080/gatekeeper", "http://localhost:8080/gatekeeper/route"),
        ("http://localhost:8080/gatekeeper/route/", "http://localhost:8080/gatekeeper/route"),
        (" 10.0.0.7:8080 ", "http://10.0.0.7:8080/route"),
        ("https://gate.example.org/models", "https://gate.example.org/models/route"),
        ("gate.example.org", "https://gate.example.org/route"),
        ("http://[::1]:8080", "http://[::1]:8080/route"),
    ],
)
def test_the_route_is_found_from_what_people_type(typed: str, address: str) -> None:
    assert route_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "http://",
        "ftp://gate",
        "http://x y",
        "http://me:marzipan@gate",
        "http://gate?key=marzipan",
    ],
)
def test_an_address_that_cannot_be_asked_is_refused_without_a_word_of_it(typed: str) -> None:
    with pytest.raises(GatekeeperSettingError) as refused:
        route_address(typed)
    assert "marzipan" not in everything_in(refused.value)


async def test_a_token_that_no_header_can_carry_is_refused_unseen(
    session: aiohttp.ClientSession,
) -> None:
    with pytest.raises(GatekeeperSettingError) as refused:
        GatekeeperClient(session, "http://gate", token="marzi\r\npan")
    assert "marzi" not in str(refused.value)


# Asking


async def test_a_request_is_what_the_contract_says(gate: Open) -> None:
    house = gate(RESPONSE)
    response = await house.client.async_route(RouteRequest.model_validate(REQUEST))
    assert response.as_json() == RESPONSE
    assert house.server.asked == [REQUEST]
    [headers] = house.server.headers
    assert headers["Content-Type"] == "application/json"


async def test_the_token_and_the_signature_come_with_each_request(gate: Open) -> None:
    house = gate()
    house.time.at = 1_700_000_000.9
    await house.client.async_route(question())
    [headers], [body] = house.server.headers, house.server.bodies
    digest = hmac.new(SECRET.encode(), b"1700000000." + body, hashlib.sha256).hexdigest()
    assert headers["Authorization"] == f"Bearer {TOKEN}"
    assert headers["X-Bellboard-Timestamp"] == "1700000000"
    assert headers["X-Bellboard-Signature"] == f"sha256={digest}"


async def test_a_repeated_request_is_signed_for_its_own_moment(gate: Open) -> None:
    house = gate()
    house.server.behaviours = [responding(503, Retry_After="1.5")]
    await house.client.async_route(question())
    first, second = house.server.headers
    assert first["X-Bellboard-Timestamp"] == "1000"
    assert second["X-Bellboard-Timestamp"] == "1001"
    assert first["X-Bellboard-Signature"] != second["X-Bellboard-Signature"]


async def test_nothing_is_sent_that_is_not_set(gate: Open) -> None:
    house = gate(token="", secret="")
    await house.client.async_route(question())
    assert not {"Authorization", "X-Bellboard-Timestamp", "X-Bellboard-Signature"} & set(
        house.server.headers[0]
    )


async def test_half_a_character_can_be_asked_about(gate: Open) -> None:
    house = gate()
    await house.client.async_route(question().model_copy(update={"original_query": "dim \ud83d"}))
    assert house.server.asked[0]["original_query"] == "dim \ud83d"


async def test_what_json_cannot_say_is_not_sent(gate: Open) -> None:
    house = gate()
    asked = RouteRequest.model_validate(REQUEST | {"current_output": {"x": object()}})
    with pytest.raises(GatekeeperError, match="JSON cannot say"):
        await house.client.async_route(asked)
    assert not house.server.asked


# Faults


@dataclass(frozen=True)
class Outcome:
    """What comes of a fault: which failure, how many requests were made, how long it was waited between."""

    failure: GatekeeperFailure
    detail: str
    requests: int
    waited: tuple[float, ...] = ()


REPEATED = (0.2, 0.4, 0.8)
OK_BODY = json.dumps(TO_LIGHT).encode()
FAULTS: dict[str, tuple[Behaviour, Outcome]] = {
    "unauthorized": (
        responding(401, b'{"error": "the-marzipan-of-the-gate"}'),
        Outcome(GatekeeperFailure.AUTHENTICATION, "status 401", 1),
    ),
    "forbidden": (responding(403), Outcome(GatekeeperFailure.AUTHENTICATION, "status 403", 1)),
    "no such path": (responding(404), Outcome(GatekeeperFailure.REFUSED, "status 404", 1)),
    "refused": (responding(422), Outcome(GatekeeperFailure.REFUSED, "status 422", 1)),
    "too many": (
        responding(429),
        Outcome(GatekeeperFailure.RATE_LIMITED, "status 429", 4, REPEATED),
    ),
    "too many, come soon": (
        responding(429, Retry_After="1"),
        Outcome(GatekeeperFailure.RATE_LIMITED, "status 429", 4, (1, 1, 1)),
    ),
    "too many, come late": (
        responding(429, Retry_After="60"),
        Outcome(GatekeeperFailure.RATE_LIMITED, "status 429", 1),
    ),
    "error": (responding(500), Outcome(GatekeeperFailure.SERVER_FAILED, "status 500", 4, REPEATED)),
    "no gateway": (
        responding(502),
        Outcome(GatekeeperFailure.SERVER_FAILED, "status 502", 4, REPEATED),
    ),
    "overloaded": (
        responding(503),
        Outcome(GatekeeperFailure.SERVER_FAILED, "status 503", 4, REPEATED),
    ),
    "gateway slow": (
        responding(504),
        Outcome(GatekeeperFailure.SERVER_FAILED, "status 504", 4, REPEATED),
    ),
    "not implemented": (responding(501), Outcome(GatekeeperFailure.SERVER_FAILED, "status 501", 1)),
    "no content": (responding(204, b""), Outcome(GatekeeperFailure.BAD_REPLY, "status 204", 1)),
    "redirect": (
        responding(307, Location="/elsewhere/the-marzipan-of-the-gate"),
        Outcome(GatekeeperFailure.REDIRECT, "status 307", 1),
    ),
    "slow": (slow(5), Outcome(GatekeeperFailure.TIMEOUT, "", 1)),
    "drip": (dripping, Outcome(GatekeeperFailure.TIMEOUT, "", 1)),
    "reset": (resetting, Outcome(GatekeeperFailure.UNREACHABLE, "ClientPayloadError", 4, REPEATED)),
    "page": (
        responding(200, b"<!DOCTYPE html>the-marzipan-of-the-gate", "text/html"),
        Outcome(GatekeeperFailure.BAD_REPLY, "it is a web page", 1),
    ),
    "truncated": (
        responding(200, OK_BODY[: len(OK_BODY) // 2]),
        Outcome(GatekeeperFailure.BAD_REPLY, "it is not JSON", 1),
    ),
    "another schema": (
        responding(200, b'{"agentId": "light-agent", "text": "the-marzipan-of-the-gate"}'),
        Outcome(GatekeeperFailure.BAD_REPLY, "workflow_complete is missing or wrong", 1),
    ),
    "huge": (
        responding(200, OK_BODY + b" " * MAX_BODY),
        Outcome(GatekeeperFailure.BAD_REPLY, "it is too long", 1),
    ),
    "unknown agent": (
        responding(200, json.dumps(TO_LIGHT | {"next_agent": REPLIED}).encode()),
        Outcome(GatekeeperFailure.BAD_REPLY, "next_agent was not offered", 1),
    ),
    "no instruction": (
        responding(200, json.dumps(TO_LIGHT | {"next_instruction": None}).encode()),
        Outcome(GatekeeperFailure.BAD_REPLY, "next_instruction is missing", 1),
    ),
}


def one_line(caplog: pytest.LogCaptureFixture) -> str:
    """Return the only thing that the log says of it, none of which is secret."""
    for secret in (TOKEN, SECRET, "swordfish", "marzipan"):
        assert secret not in caplog.text
    [line] = warnings(caplog)
    return line


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what people are told in the log."""
    return [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_leaves_the_part_open_with_one_line_in_the_log(
    gate: Open, request_for: RequestFor, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    behaviour, outcome = FAULTS[name]
    house = gate(behaviour=behaviour, timeout_ms=150 if name in {"slow", "drip"} else 5000)
    caplog.set_level("DEBUG")
    assert await house.router.async_route(request_for(SAID), [RoutedPart(SAID)]) == [
        RoutedPart(SAID)
    ]
    assert len(house.server.asked) == outcome.requests
    assert tuple(house.time.waited) == outcome.waited
    assert house.server.led_astray == 0
    why = f"{outcome.failure} ({outcome.detail})." if outcome.detail else f"{outcome.failure}."
    assert one_line(caplog) == f"No decision of the gatekeeper: {why}"


@pytest.mark.parametrize(
    "name", ["unauthorized", "redirect", "slow", "reset", "page", "another schema", "unknown agent"]
)
async def test_an_error_gives_nothing_away(gate: Open, name: str) -> None:
    behaviour, outcome = FAULTS[name]
    house = gate(behaviour=behaviour, timeout_ms=150 if name == "slow" else 5000)
    with pytest.raises(GatekeeperError) as failed:
        await house.client.async_route(question())
    assert failed.value.failure is outcome.failure
    shown = everything_in(failed.value) + repr(house.client)
    for secret in (TOKEN, SECRET, "swordfish", "marzipan"):
        assert secret not in shown


async def test_nobody_there_is_asked_again_and_then_given_up(
    gate: Open, caplog: pytest.LogCaptureFixture
) -> None:
    house = gate()
    await house.server.stop()
    with pytest.raises(GatekeeperError) as failed:
        await house.client.async_route(question())
    assert failed.value.failure is GatekeeperFailure.UNREACHABLE
    assert house.time.waited == list(REPEATED)
    assert "ClientConnectorError" in one_line(caplog)


async def test_a_connection_that_is_not_taken_is_tried_again(
    gate: Open, full_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    house = gate(url=f"http://127.0.0.1:{full_port}", timeout_ms=100, retry_attempts=2)
    began = time.monotonic()
    with pytest.raises(GatekeeperError) as failed:
        await house.client.async_route(question())
    # Each of the three attempts has its own time, half of it for the connection.
    assert time.monotonic() - began >= 0.14
    assert failed.value.failure is GatekeeperFailure.TIMEOUT
    assert house.time.waited == [0.2, 0.4]
    assert "no connection in time" in one_line(caplog)


@pytest.fixture
def full_port() -> Iterator[int]:
    """Return a port whose listener takes no more connections: what comes now waits."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        waiting = [socket.socket() for _ in range(8)]
        for client in waiting:
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
        yield port
        for client in waiting:
            client.close()


@pytest.fixture
async def not_http() -> AsyncGenerator[int]:
    """Return the port of a server that speaks something else."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\n")
        writer.write(b"220 mail.example.org ESMTP the-marzipan-of-the-gate\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize(
    ("scheme", "why"),
    [
        ("http", f"{GatekeeperFailure.BAD_REPLY} (it is not HTTP)."),
        ("https", f"{GatekeeperFailure.UNREACHABLE} (it does not speak https)."),
    ],
)
async def test_who_speaks_something_else_is_not_asked_again(
    gate: Open, not_http: int, scheme: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    house = gate(url=f"{scheme}://127.0.0.1:{not_http}")
    with pytest.raises(GatekeeperError) as failed:
        await house.client.async_route(question())
    assert (str(failed.value), house.time.waited) == (why, [])
    assert why in one_line(caplog)


async def test_a_certificate_nobody_vouches_for_is_not_believed(
    gate: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(self_signed(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def greet() -> None:
            connection, _ = listener.accept()
            # The client hangs up as soon as it has seen the certificate.
            with connection, suppress(OSError):
                context.wrap_socket(connection, server_side=True).close()

        greeting = asyncio.create_task(asyncio.to_thread(greet))
        house = gate(url=f"https://127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(GatekeeperError):
            await house.client.async_route(question())
        await greeting
    assert house.time.waited == []
    assert "its certificate is not accepted" in one_line(caplog)


async def test_a_fault_that_passes_costs_nothing_but_time(
    gate: Open, request_for: RequestFor, caplog: pytest.LogCaptureFixture
) -> None:
    house = gate(TO_LIGHT)
    house.server.behaviours = [responding(503), resetting, responding(429)]
    [part] = await house.router.async_route(request_for(SAID), [RoutedPart(SAID)])
    assert part.assignment
    assert (len(house.server.asked), warnings(caplog)) == (4, [])


async def test_without_repeats_it_is_asked_once(gate: Open) -> None:
    house = gate(behaviour=responding(500), retry_attempts=0)
    with pytest.raises(GatekeeperError):
        await house.client.async_route(question())
    assert len(house.server.asked) == 1


async def test_a_closed_session_is_no_surprise(gate: Open, session: aiohttp.ClientSession) -> None:
    house = gate()
    await session.close()
    with pytest.raises(GatekeeperError, match="the session is closed"):
        await house.client.async_route(question())


async def test_who_goes_away_hangs_up_and_blames_nobody(gate: Open) -> None:
    house = gate(behaviour=slow(30))
    asking = asyncio.ensure_future(house.client.async_route(question()))
    await house.server.was_asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    house.server.behaviour = None
    assert (await house.client.async_route(question())).workflow_complete


# Left alone


async def test_a_gatekeeper_that_is_down_does_not_cost_every_turn_its_repeats(
    gate: Open, caplog: pytest.LogCaptureFixture
) -> None:
    house = gate(behaviour=responding(500))
    for _ in range(10):
        with pytest.raises(GatekeeperError):
            await house.client.async_route(question())
    assert len(house.server.asked) == 5
    assert warnings(caplog) == [
        "No decision of the gatekeeper: The gatekeeper failed (status 500).",
        "The gatekeeper does not answer; it is left alone and tried now and then",
        "No decision of the gatekeeper: The gatekeeper failed (status 500).",
    ]


@pytest.mark.parametrize(
    ("behaviour", "options", "turns"),
    [
        (responding(500), {}, 2),
        (slow(5), {"timeout_ms": 50}, 2),
        (slow(5), {"timeout_ms": 50, "retry_attempts": 0}, 2),
        (dripping, {"timeout_ms": 50}, 2),
        # Nobody waits for these.
        (responding(500), {"retry_attempts": 0}, 5),
        (responding(501), {}, 5),
    ],
    ids=["fails", "hangs", "hangs without repeats", "drips", "fails without repeats", "is unable"],
)
async def test_a_gatekeeper_that_is_down_costs_so_many_turns(
    gate: Open, behaviour: Behaviour, options: dict[str, Any], turns: int
) -> None:
    house = gate(behaviour=behaviour, **options)
    for _ in range(turns):
        with pytest.raises(GatekeeperError):
            await house.client.async_route(question())
    asked = len(house.server.asked)
    for _ in range(10):
        with pytest.raises(GatekeeperError, match="left alone"):
            await house.client.async_route(question())
    assert len(house.server.asked) == asked


async def test_one_that_takes_no_connection_and_is_asked_once_costs_five_turns(
    gate: Open, full_port: int
) -> None:
    house = gate(url=f"http://127.0.0.1:{full_port}", timeout_ms=50, retry_attempts=0)
    failures = []
    for _ in range(6):
        with pytest.raises(GatekeeperError) as failed:
            await house.client.async_route(question())
        failures.append(failed.value.failure)
    assert failures == [GatekeeperFailure.TIMEOUT] * 5 + [GatekeeperFailure.LEFT_ALONE]


async def test_it_is_tried_now_and_then_and_asked_again_once_it_answers(gate: Open) -> None:
    house = gate(behaviour=responding(500))
    for _ in range(2):
        with pytest.raises(GatekeeperError):
            await house.client.async_route(question())
    house.time.at += 31
    # Still down: one attempt, without repeats.
    with pytest.raises(GatekeeperError, match="status 500"):
        await house.client.async_route(question())
    assert len(house.server.asked) == 6
    house.server.behaviour = None
    with pytest.raises(GatekeeperError, match="left alone"):
        await house.client.async_route(question())
    house.time.at += 61
    for _ in range(2):
        assert (await house.client.async_route(question())).workflow_complete
    assert len(house.server.asked) == 8


async def test_while_it_is_tried_nobody_else_asks(gate: Open) -> None:
    house = gate(behaviour=responding(500))
    for _ in range(2):
        with pytest.raises(GatekeeperError):
            await house.client.async_route(question())
    house.time.at += 31
    house.server.behaviour = slow(0.1)
    house.server.was_asked.clear()
    trying = asyncio.ensure_future(house.client.async_route(question()))
    await house.server.was_asked.wait()
    with pytest.raises(GatekeeperError, match="left alone"):
        await house.client.async_route(question())
    assert (await trying).workflow_complete


async def test_it_is_not_asked_for_as_long_as_it_wants(
    gate: Open, caplog: pytest.LogCaptureFixture
) -> None:
    house = gate()
    house.server.behaviours = [responding(429, Retry_After="60")]
    with pytest.raises(GatekeeperError, match="slow down"):
        await house.client.async_route(question())
    house.time.at += 59
    with pytest.raises(GatekeeperError, match="left alone"):
        await house.client.async_route(question())
    assert len(house.server.asked) == len(warnings(caplog)) == 1
    house.time.at += 2
    assert (await house.client.async_route(question())).workflow_complete


async def test_it_is_asked_again_within_five_minutes_whatever_it_wants(gate: Open) -> None:
    house = gate()
    house.server.behaviours = [responding(503, Retry_After="Fri, 31 Dec 2100 00:00:00 GMT")]
    with pytest.raises(GatekeeperError):
        await house.client.async_route(question())
    house.time.at += 301
    assert (await house.client.async_route(question())).workflow_complete


async def test_refusals_and_bad_answers_do_not_count_as_being_down(gate: Open) -> None:
    house = gate(behaviour=responding(400))
    for _ in range(10):
        with pytest.raises(GatekeeperError, match="refused"):
            await house.client.async_route(question())
    assert len(house.server.asked) == 10


# The first choice


async def test_the_gatekeeper_chooses_and_the_words_stay_as_they_were_said(
    gate: Open, request_for: RequestFor
) -> None:
    house = gate(TO_LIGHT)
    [part] = await house.router.async_route(request_for(SAID), [RoutedPart(SAID)])
    assert part == RoutedPart(
        SAID,
        Assignment(
            agent_id="light-agent",
            instruction=SAID,
            confidence=0.95,
            source=Source.GATEKEEPER,
            measure=Measure.WRITTEN,
            reason=REPLIED,
        ),
    )
    assert house.server.asked == [
        {
            "original_query": SAID,
            "workflow_history": [],
            "current_output": {},
            "available_agents": [
                {"agent_id": card.id, "capabilities": list(card.capabilities)} for card in CARDS
            ],
        }
    ]


async def test_without_a_number_it_counts_as_sure(gate: Open, request_for: RequestFor) -> None:
    house = gate({**TO_LIGHT, "confidence": None, "reasoning": None})
    [part] = await house.router.async_route(request_for(SAID), [RoutedPart(SAID)])
    assert part.assignment
    assert (part.assignment.confidence, part.assignment.measure) == (1.0, Measure.NONE)
    assert part.assignment.reason == "The gatekeeper chose this agent."


@pytest.mark.parametrize(("confidence", "is_taken"), [(0.7, True), (0.69, False), (0, False)])
async def test_below_the_threshold_the_part_stays_open(
    gate: Open, request_for: RequestFor, confidence: float, is_taken: bool
) -> None:
    house = gate(TO_LIGHT | {"confidence": confidence})
    [part] = await house.router.async_route(request_for(SAID), [RoutedPart(SAID)])
    assert (part.assignment is not None) == is_taken


async def test_nothing_to_be_done_leaves_the_part_to_others(
    gate: Open, request_for: RequestFor
) -> None:
    house = gate({"workflow_complete": True, "next_agent": "light-agent"})
    assert await house.router.async_route(request_for(SAID), [RoutedPart(SAID)]) == [
        RoutedPart(SAID)
    ]


async def test_each_open_part_is_asked_about_by_itself(gate: Open, request_for: RequestFor) -> None:
    taken = RoutedPart(
        "a", Assignment(agent_id="x", instruction="a", confidence=1, source=Source.REFLEX)
    )
    answers = {
        "dim it": TO_LIGHT | {"next_instruction": "dim it"},
        "what": {"agentId": "music-agent"},
        "play": TO_LIGHT | {"next_agent": "music-agent"},
    }
    house = gate(lambda asked: answers[asked["original_query"]])
    parts = [RoutedPart("dim it"), taken, RoutedPart("what"), RoutedPart("play")]
    routed = await house.router.async_route(request_for("all of it"), parts)
    assert routed[1:3] == [taken, RoutedPart("what")]
    found = [part.assignment.agent_id if part.assignment else None for part in routed]
    assert found == ["light-agent", "x", None, "music-agent"]


async def test_a_gatekeeper_that_is_down_is_asked_about_one_part_only(
    gate: Open, request_for: RequestFor
) -> None:
    house = gate(behaviour=responding(401))
    parts = [RoutedPart("dim it"), RoutedPart("play jazz")]
    assert await house.router.async_route(request_for("both"), parts) == parts
    assert len(house.server.asked) == 1


async def test_a_question_is_never_given_to_who_acts(gate: Open, request_for: RequestFor) -> None:
    text = "why is the sky blue"
    house = gate(TO_LIGHT)
    assert await house.router.async_route(request_for(text), [RoutedPart(text)]) == [
        RoutedPart(text)
    ]
    offered = {agent["agent_id"] for agent in house.server.asked[0]["available_agents"]}
    assert offered == {card.id for card in CARDS if not card.domains}


async def test_nobody_is_asked_where_there_is_nobody_or_nothing_to_choose(
    gate: Open, request_for: RequestFor
) -> None:
    house = gate(TO_LIGHT)
    taken = RoutedPart(
        "a", Assignment(agent_id="x", instruction="a", confidence=1, source=Source.REFLEX)
    )
    assert await house.router.async_route(request_for("a"), [taken]) == [taken]
    assert await house.router.async_route(request_for(SAID, cards=[]), [RoutedPart(SAID)]) == [
        RoutedPart(SAID)
    ]
    assert not house.server.asked


async def test_a_trial_of_the_model_is_no_business_of_the_gatekeeper(
    gate: Open, request_for: RequestFor
) -> None:
    house = gate(TO_LIGHT)
    request = request_for(SAID, is_trial=True)
    assert await house.router.async_route(request, [RoutedPart(SAID)]) == [RoutedPart(SAID)]
    assert not house.server.asked


@pytest.mark.parametrize(
    ("text", "instruction", "is_same"),
    [
        ("Could you please dim the lamp?", "dim the lamp", True),
        ("dim the lamp", "Dim the lamp.", True),
        ("dim the lamp in the kitchen", "dim the lamp", False),
        ("do not dim the lamp", "dim the lamp", False),
        ("dim the lamp", "dim the big lamp", False),
        ("dim the lamp", "lamp the dim", False),
        ("set it to -5", "set it to 5", False),
        ("set it to 5% please", "set it to 5", False),
        ("please", "please", True),
        ("please", "thanks", False),
    ],
)
def test_only_polite_words_may_go(
    english: Language, text: str, instruction: str, is_same: bool
) -> None:
    assert says_the_same(english, text, instruction) == is_same


async def test_an_instruction_of_the_same_words_is_used_for_the_only_part(
    gate: Open, request_for: RequestFor
) -> None:
    text = "would you dim the lamp please"
    house = gate(TO_LIGHT | {"next_instruction": "dim the lamp"})

    async def told(*parts: str) -> list[str]:
        request: RoutingRequest = request_for(text)
        routed = await house.router.async_route(request, [RoutedPart(part) for part in parts])
        return [part.assignment.instruction for part in routed if part.assignment]

    assert await told(text) == ["dim the lamp"]
    assert await told(text, text) == [text, text]


# Through the front door


async def test_a_gatekeeper_is_asked_before_the_model(
    hass: HomeAssistant, gate: Open, speak: Setup
) -> None:
    house = gate(TO_LIGHT | {"next_agent": "general-agent", "next_instruction": "Talk"})
    workflow = {"strategy": "gatekeeper", "gatekeeper_url": house.server.url}
    speaker = await speak(choosing("music"), workflow=workflow)
    assert speaker.model
    speaker.model.requests.clear()
    assert (await speaker.say("surprise me somehow")).reply == "Hello."
    [agent] = traces(hass, speaker.agent_id)[-1].agents
    assert (agent["id"], agent["source"]) == ("general-agent", "gatekeeper")
    assert house.server.asked[0]["original_query"] == "surprise me somehow"
    # Nobody was asked who should answer; the agent itself talks with the model.
    assert [ask.schema for ask in speaker.model.requests] == [None]


@pytest.mark.parametrize("name", ["error", "page", "unknown agent"])
async def test_where_the_gatekeeper_fails_the_model_decides(
    hass: HomeAssistant, gate: Open, speak: Setup, name: str
) -> None:
    house = gate(behaviour=FAULTS[name][0])
    workflow = {
        "strategy": "gatekeeper",
        "gatekeeper_url": house.server.url,
        "gatekeeper_retry_attempts": 0,
    }
    speaker = await speak(choosing("general", confidence=0.9), workflow=workflow)
    assert (await speaker.say("surprise me somehow")).reply == "Hello."
    [agent] = traces(hass, speaker.agent_id)[-1].agents
    assert (agent["id"], agent["source"]) == ("general-agent", "model")
    assert house.server.asked


async def test_the_address_of_a_gatekeeper_does_not_choose_it(
    hass: HomeAssistant, gate: Open, speak: Setup
) -> None:
    house = gate(TO_LIGHT)
    workflow = {"strategy": "llm", "gatekeeper_url": house.server.url}
    speaker = await speak(choosing("general", confidence=0.9), workflow=workflow)
    assert (await speaker.say("surprise me somehow")).reply == "Hello."
    [agent] = traces(hass, speaker.agent_id)[-1].agents
    assert (agent["id"], agent["source"]) == ("general-agent", "model")
    assert house.server.asked == []


async def test_a_gatekeeper_is_waited_for_no_longer_than_its_owner_wants(
    hass: HomeAssistant, gate: Open, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its client is given the owner's options; that the client keeps to them is tested above."""
    given: list[dict[str, Any]] = []

    def noted(*args: Any, **options: Any) -> GatekeeperClient:
        given.append(options)
        return GatekeeperClient(*args, **options)

    monkeypatch.setattr(assistant, "GatekeeperClient", noted)
    house = gate(behaviour=slow(30))
    workflow = {
        "strategy": "gatekeeper",
        "gatekeeper_url": house.server.url,
        "gatekeeper_retry_attempts": 0,
        "gatekeeper_timeout_ms": 100,
    }
    speaker = await speak(choosing("general", confidence=0.9), workflow=workflow)
    assert (await speaker.say("surprise me somehow")).reply == "Hello."
    [agent] = traces(hass, speaker.agent_id)[-1].agents
    assert agent["source"] == "model"
    assert len(house.server.asked) == 1
    [options] = given
    assert (options["timeout_ms"], options["retry_attempts"]) == (100, 0)


async def test_a_gatekeeper_is_shown_its_owners_token_and_signature(
    gate: Open, speak: Setup
) -> None:
    house = gate(TO_LIGHT | {"next_agent": "general-agent"})
    workflow = {
        "strategy": "gatekeeper",
        "gatekeeper_url": house.server.url,
        "gatekeeper_token": TOKEN,
        "gatekeeper_secret": SECRET,
    }
    speaker = await speak(choosing("music"), workflow=workflow)
    await speaker.say("surprise me somehow")
    [headers], [body] = house.server.headers, house.server.bodies
    assert headers["Authorization"] == f"Bearer {TOKEN}"
    signed = headers["X-Bellboard-Timestamp"].encode() + b"." + body
    digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["X-Bellboard-Signature"] == f"sha256={digest}"


@pytest.mark.parametrize(("works", "confidence"), [(True, 0.9), (True, 0.1), (False, 0.9)])
async def test_a_gatekeeper_decides_about_next_steps_too_and_the_model_where_it_fails(
    hass: HomeAssistant, gate: Open, speak: Setup, *, works: bool, confidence: float
) -> None:
    """An end that it is unsure of counts as little as no answer."""
    decides = works and confidence == 0.9
    step = {
        "workflow_complete": True,
        "next_agent": None,
        "next_instruction": None,
        "confidence": confidence,
    }
    decide = lambda asked: step if asked["workflow_history"] else TO_LIGHT  # noqa: E731
    house = gate(decide) if works else gate(behaviour=FAULTS["error"][0])
    workflow = {
        "strategy": "gatekeeper",
        "gatekeeper_url": house.server.url,
        "gatekeeper_retry_attempts": 0,
    }
    speaker = await speak(model(DONE), workflow=workflow)
    await speaker.say(STEPS)
    steps = traces(hass, speaker.agent_id)[-1].routing
    assert [step["router"] for step in steps] == (["gatekeeper"] if decides else ["llm"])
    assert len(decisions_asked(speaker)) == (0 if decides else 1)


async def test_what_home_assistant_understands_is_told_to_no_gatekeeper(
    hass: HomeAssistant, gate: Open, speak: Setup
) -> None:
    house = gate(TO_LIGHT)
    workflow = {"strategy": "gatekeeper", "gatekeeper_url": house.server.url}
    speaker = await speak(workflow=workflow)
    await speaker.say("what time is it")
    assert not house.server.asked
    await speaker.say("surprise me somehow")
    assert {asked["original_query"] for asked in house.server.asked} == {"surprise me somehow"}


# The example


type Example = Callable[..., Awaitable[str]]


@pytest.fixture
async def example() -> AsyncGenerator[Example]:
    """Return a function that runs the example server with an environment, and returns its address."""
    running: list[asyncio.subprocess.Process] = []

    async def start(**environment: str) -> str:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(EXAMPLE),
            "--port",
            "0",
            stdout=asyncio.subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", ""), **environment},
        )
        running.append(process)
        assert process.stdout
        return (await process.stdout.readline()).decode().strip()

    yield start
    for process in running:
        process.terminate()
        await process.wait()


def asked_after(*done: str, query: str = "dim the lamp and play jazz") -> RouteRequest:
    """Return a request after some agents have worked."""
    steps = [{"agent_id": agent, "action": "Done.", "timestamp": "..."} for agent in done]
    agents = [{"agent_id": card.id, "capabilities": card.capabilities} for card in CARDS]
    return RouteRequest.model_validate(
        {
            "original_query": query,
            "workflow_history": steps,
            "current_output": {},
            "available_agents": agents,
        }
    )


async def test_the_example_routes_to_an_end(
    example: Example, session: aiohttp.ClientSession
) -> None:
    client = GatekeeperClient(
        session,
        await example(GATEKEEPER_TOKEN=TOKEN, GATEKEEPER_SECRET=SECRET),
        token=TOKEN,
        secret=SECRET,
    )
    done: list[str] = []
    told: list[str | None] = []
    while not (response := await client.async_route(asked_after(*done))).workflow_complete:
        assert response.next_agent
        done.append(response.next_agent)
        told.append(response.next_instruction)
    assert done == ["light-agent", "music-agent"]
    assert told == ["dim the lamp", "play jazz"]
    assert (await client.async_route(asked_after(query="hello"))).workflow_complete


@pytest.mark.parametrize(
    ("token", "secret", "late"),
    [
        ("another", SECRET, 0),
        ("", SECRET, 0),
        (TOKEN, "another", 0),
        (TOKEN, "", 0),
        (TOKEN, SECRET, 400),
        (TOKEN, SECRET, -400),
    ],
)
async def test_the_example_turns_away_who_is_not_known(
    example: Example, session: aiohttp.ClientSession, token: str, secret: str, late: float
) -> None:
    url = await example(GATEKEEPER_TOKEN=TOKEN, GATEKEEPER_SECRET=SECRET)
    client = GatekeeperClient(
        session, url, token=token, secret=secret, now=lambda: time.time() - late
    )
    with pytest.raises(GatekeeperError) as refused:
        await client.async_route(asked_after())
    assert refused.value.failure is GatekeeperFailure.AUTHENTICATION


async def test_a_request_that_was_changed_on_its_way_is_turned_away(
    example: Example, session: aiohttp.ClientSession
) -> None:
    url = await example(GATEKEEPER_SECRET=SECRET)
    client = GatekeeperClient(session, url, secret=SECRET)
    headers = client._signature(b"{}")
    async with session.post(client.url, data=b"{ }", headers=headers) as response:
        assert response.status == 401
    async with session.post(client.url, data=b"{}", headers=headers) as response:
        assert response.status == 400


async def test_the_example_refuses_nonsense_and_lives(
    example: Example, session: aiohttp.ClientSession
) -> None:
    url = await example()

    async def status(body: Any, path: str = "/route") -> int:
        async with session.post(url + path, data=body) as response:
            return response.status

    assert [await status(body) for body in (b"", b"[]", b"{", b'{"original_query": 1}')] == [
        400
    ] * 4
    assert await status(b"{}", "/elsewhere") == 404
    assert await status(b"x" * (1024 * 1024 + 1)) == 413
    response = await GatekeeperClient(session, url).async_route(asked_after())
    assert response.next_agent == "light-agent"

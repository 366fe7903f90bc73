"""The client against the server of the protocol's own SDK: each state, each version, and each failure."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
import json
from typing import Any

from aiohttp import ClientSession, ConnectionTimeoutError, web
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.a2a.card import RemoteCard, card_addresses
from custom_components.bellboard.a2a.client import MAX_REPLY, A2AClient
from custom_components.bellboard.a2a.errors import (
    A2AError,
    AgentBusyError,
    AgentFailedError,
    AgentTimeoutError,
    AgentUnreachableError,
    BadReplyError,
    InvalidAddressError,
    NoCardError,
    OtherOriginError,
    RequestRefusedError,
    TaskGoneError,
    TokenRefusedError,
    UnsupportedAgentError,
)
from custom_components.bellboard.a2a.models import AgentReply, RemoteState, read_response
from custom_components.bellboard.a2a.protocol import Outgoing
from tests.servers.a2a import A2AServer, Behaviour, Work
from tests.servers.faults import cut_off

TOKEN = "the-secret-token-of-the-garden"
THIRSTY = Outgoing(text="the roses look thirsty", language="en")
SECONDS = 10.0


async def never(work: Work) -> None:
    """Begin to work, and never end."""
    await work.task.start_work()
    await asyncio.Event().wait()


@pytest.fixture
async def session() -> AsyncGenerator[ClientSession]:
    async with ClientSession() as session:
        yield session


@pytest.fixture
async def server() -> AsyncGenerator[A2AServer]:
    async with A2AServer() as server:
        yield server


def responding(
    status: int = 200, body: bytes = b"{}", content_type: str = "application/json", **headers: str
) -> Behaviour:
    """Answer everything with this."""

    async def respond(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=body, content_type=content_type, headers=headers)

    return respond


async def hurried(seconds: float) -> None:
    """Sleep a hundredth of the time."""
    await asyncio.sleep(seconds / 100)


async def ask(
    server: A2AServer, session: ClientSession, message: Outgoing = THIRSTY, token: str = ""
) -> AgentReply:
    """Return the agent's reply to one message."""
    client = A2AClient(session, server.url, token, sleep=hurried)
    return await client.async_send(message, SECONDS)


@pytest.fixture(params=[("1.0", "0.3"), ("0.3",)], ids=["1.0", "0.3"])
async def speaking(request: pytest.FixtureRequest) -> AsyncGenerator[A2AServer]:
    """Return an agent for each version of the protocol."""
    async with A2AServer(versions=request.param) as server:
        yield server


# What an agent answers


async def test_what_an_agent_makes_is_its_reply(
    speaking: A2AServer, session: ClientSession
) -> None:
    reply = await ask(speaking, session)
    assert (reply.state, reply.text) == (RemoteState.COMPLETED, "The roses have water now.")
    assert reply.context_id
    assert reply.task_id == ""


async def test_a_message_alone_is_the_whole_reply(
    speaking: A2AServer, session: ClientSession
) -> None:
    async def answer(work: Work) -> None:
        from a2a.types import Part

        message = work.task.new_agent_message([Part(text="Ten minutes ago."), Part(text=" ")])
        message.ClearField("task_id")
        await work.queue.enqueue_event(message)

    speaking.makes_tasks, speaking.act = False, answer
    reply = await ask(speaking, session)
    assert (reply.state, reply.text) == (RemoteState.COMPLETED, "Ten minutes ago.")


async def test_a_task_that_is_worked_on_is_looked_at_until_it_is_done(
    speaking: A2AServer, session: ClientSession
) -> None:
    looked = asyncio.Event()

    async def work_long(work: Work) -> None:
        await work.task.start_work()
        await looked.wait()
        await work.end("complete", "They have water.")

    def count(card: Any) -> Any:
        return card

    speaking.act, speaking.change_card = work_long, count

    async def let_go(seconds: float) -> None:
        if len(speaking.calls) > 2:
            looked.set()
        await asyncio.sleep(0.01)

    client = A2AClient(session, speaking.url, sleep=let_go)
    reply = await client.async_send(THIRSTY, SECONDS)
    assert (reply.state, reply.text) == (RemoteState.COMPLETED, "They have water.")
    get = "GetTask" if "1.0" in speaking.versions else "tasks/get"
    assert speaking.methods().count(get) >= 2
    assert speaking.canceled == []


@pytest.mark.parametrize(
    ("end", "state"),
    [
        ("failed", "failed"),
        ("reject", "rejected"),
        ("cancel", "canceled"),
        ("requires_auth", "auth-required"),
    ],
)
async def test_each_end_of_a_task_is_told_with_its_message(
    speaking: A2AServer, session: ClientSession, end: str, state: str
) -> None:
    async def act(work: Work) -> None:
        await work.end(end, "The tap is closed.")

    speaking.act = act
    reply = await ask(speaking, session)
    assert (reply.state, reply.text) == (state, "The tap is closed.")


async def test_a_question_is_answered_in_its_own_task(
    speaking: A2AServer, session: ClientSession
) -> None:
    async def act(work: Work) -> None:
        if work.context.current_task and work.text == "the red ones":
            await work.end("complete", "The red ones have water.")
        else:
            await work.end("requires_input", "Which roses?")

    speaking.act = act
    client = A2AClient(session, speaking.url, sleep=hurried)
    asked = await client.async_send(THIRSTY, SECONDS)
    assert (asked.state, asked.text) == (RemoteState.INPUT_REQUIRED, "Which roses?")
    assert asked.task_id
    answer = Outgoing(text="the red ones", context_id=asked.context_id, task_id=asked.task_id)
    reply = await client.async_send(answer, SECONDS)
    assert reply.text == "The red ones have water."
    first, second = speaking.heard
    assert (first.task_id, first.context_id) == (second.task_id, second.context_id)


async def test_a_conversation_goes_on_with_a_new_task(
    speaking: A2AServer, session: ClientSession
) -> None:
    client = A2AClient(session, speaking.url, sleep=hurried)
    first = await client.async_send(THIRSTY, SECONDS)
    again = Outgoing(text="the tulips, too", context_id=first.context_id)
    second = await client.async_send(again, SECONDS)
    assert first.context_id == second.context_id
    assert len({heard.task_id for heard in speaking.heard}) == 2


async def test_data_and_the_language_go_with_the_text(
    speaking: A2AServer, session: ClientSession
) -> None:
    from a2a.helpers import get_data_parts

    for data in ({"liters": 3}, [1.5, "two"]):
        await ask(speaking, session, Outgoing(text="water", data=data, language="de"))
    v1 = "1.0" in speaking.versions
    said = [heard.message for heard in speaking.heard]
    assert all(message and dict(message.metadata) == {"language": "de"} for message in said)
    assert [get_data_parts(message.parts) for message in said if message] == [
        [{"liters": 3}],
        [[1.5, "two"] if v1 else {"data": [1.5, "two"]}],
    ]
    call = json.dumps(speaking.calls[0])
    assert call.count("water") == 1


async def test_a_task_that_takes_too_long_is_canceled_at_the_agent(
    speaking: A2AServer, session: ClientSession
) -> None:
    speaking.act = never
    client = A2AClient(session, speaking.url, sleep=hurried)
    with pytest.raises(AgentTimeoutError):
        await client.async_send(THIRSTY, 0.5)
    assert speaking.canceled == [str(speaking.heard[0].task_id)]


async def test_a_task_is_canceled_when_nobody_waits_any_longer(
    server: A2AServer, session: ClientSession
) -> None:
    server.act = never
    client = A2AClient(session, server.url, sleep=hurried)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await client.async_send(THIRSTY, SECONDS)
    assert len(server.canceled) == 1


async def test_an_agent_that_does_not_cancel_is_left_alone(
    server: A2AServer, session: ClientSession
) -> None:
    server.act = never
    client = A2AClient(session, server.url, sleep=hurried)

    async def refuse_after_first(request: web.Request) -> web.StreamResponse:
        if server.methods()[-1] == "CancelTask":
            return web.json_response({}, status=500)
        server.behaviour = None
        response = await server._handle(request)
        server.calls.pop()
        server.behaviour = refuse_after_first
        return response

    server.behaviour = refuse_after_first
    with pytest.raises(AgentTimeoutError):
        await client.async_send(THIRSTY, 0.5)
    assert server.methods()[-1] == "CancelTask"


async def test_looks_that_fail_in_between_do_not_lose_the_task(
    server: A2AServer, session: ClientSession
) -> None:
    done = asyncio.Event()

    async def work_long(work: Work) -> None:
        await work.task.start_work()
        await done.wait()
        await work.end("complete", "Done.")

    server.act = work_long
    failures = iter([500, 429, 500])

    async def stumble(seconds: float) -> None:
        status = next(failures, None)
        server.behaviour = responding(status) if status and len(server.calls) < 3 else None
        if server.behaviour is None:
            done.set()

    client = A2AClient(session, server.url, sleep=stumble)
    assert (await client.async_send(THIRSTY, SECONDS)).text == "Done."


async def test_a_task_that_cannot_be_looked_at_is_given_up(
    server: A2AServer, session: ClientSession
) -> None:
    async def fail(seconds: float) -> None:
        server.behaviour = responding(503)

    server.act = never
    client = A2AClient(session, server.url, sleep=fail)
    with pytest.raises(AgentFailedError):
        await client.async_send(THIRSTY, SECONDS)
    assert server.methods().count("GetTask") == 3


async def test_a_task_the_agent_does_not_know_is_gone(
    speaking: A2AServer, session: ClientSession
) -> None:
    with pytest.raises(TaskGoneError):
        await ask(speaking, session, Outgoing(text="the red ones", task_id="no-such-task"))


# Failures


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (responding(body=b"{nonsense"), BadReplyError),
        (responding(body=b"\xff\xfe"), BadReplyError),
        (responding(body=b"[" * 100_000), BadReplyError),
        (responding(body=b"x" * (MAX_REPLY + 1)), BadReplyError),
        (responding(body=b"{}", content_type="text/html"), BadReplyError),
        (responding(body=b"hello", content_type="text/plain"), BadReplyError),
        (responding(body=b'{"result": {"kind": "x"}}'), BadReplyError),
        (responding(body=b'{"result": {"status": {"state": 1}, "id": "1"}}'), BadReplyError),
        (responding(body=b'{"id": "another", "result": {"parts": []}}'), BadReplyError),
        (responding(body=b'{"error": {"code": -32601, "message": "?"}}'), UnsupportedAgentError),
        (responding(body=b'{"error": {"code": -32603, "message": "?"}}'), AgentFailedError),
        (responding(body=b'{"error": {"code": -32001, "message": "?"}}'), TaskGoneError),
        (responding(body=b'{"error": {"code": 7, "message": "?"}}'), RequestRefusedError),
        (responding(401), TokenRefusedError),
        (responding(403), TokenRefusedError),
        (responding(404), RequestRefusedError),
        (responding(429), AgentBusyError),
        (responding(500), AgentFailedError),
        (responding(307, Location="/elsewhere"), RequestRefusedError),
        (lambda request: cut_off(request, b'{"result"'), AgentUnreachableError),
    ],
)
async def test_a_reply_of_no_use_is_one_known_error(
    server: A2AServer, session: ClientSession, behaviour: Behaviour, error: type[A2AError]
) -> None:
    server.behaviour = behaviour
    with pytest.raises(A2AError) as caught:
        await ask(server, session, token=TOKEN)
    assert type(caught.value) is error
    assert TOKEN not in str(caught.value)
    assert THIRSTY.text not in str(caught.value)
    assert "/elsewhere" not in server.paths


async def test_an_agent_that_is_away_is_unreachable_and_is_there_again_later(
    server: A2AServer, session: ClientSession
) -> None:
    client = A2AClient(session, server.url, sleep=hurried)
    await client.async_send(THIRSTY, SECONDS)
    await server.stop()
    with pytest.raises(AgentUnreachableError):
        await client.async_send(THIRSTY, SECONDS)
    with pytest.raises(AgentUnreachableError):
        await client.async_read_card()
    await server.start()
    assert (await client.async_send(THIRSTY, SECONDS)).state is RemoteState.COMPLETED


async def test_an_agent_that_does_not_answer_times_out(
    server: A2AServer, session: ClientSession
) -> None:
    async def hang(request: web.Request) -> web.StreamResponse:
        await asyncio.Event().wait()
        raise AssertionError

    server.behaviour = hang
    client = A2AClient(session, server.url, sleep=hurried)
    with pytest.raises(AgentTimeoutError):
        await client.async_send(THIRSTY, 0.2)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(
            st.sampled_from(
                ["id", "result", "error", "code", "task", "message", "status", "state", "parts", "text",
                 "artifacts", "contextId", "kind", "x"]
            ),
            inner,
        ),
        max_leaves=20,
    )
)  # fmt: skip
def test_any_json_is_an_answer_or_a_known_error(found: Any) -> None:
    body = json.dumps(found).encode()
    with suppress(A2AError):
        assert AgentReply.of(read_response(body, "1")).state in RemoteState
    with suppress(A2AError):
        assert RemoteCard.read(body).contact("http://garden.local/card.json").url


@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_a_known_error(body: bytes) -> None:
    with pytest.raises(A2AError):
        read_response(body, "1")


async def test_an_agent_that_takes_no_connection_is_unreachable(
    session: ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait_long(*_: Any, **__: Any) -> Any:
        raise ConnectionTimeoutError

    monkeypatch.setattr(session, "request", wait_long)
    with pytest.raises(AgentUnreachableError):
        await A2AClient(session, "garden.local").async_read_card()


async def test_what_does_not_speak_http_is_no_agent(session: ClientSession) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 garden.local ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as mail:
        port = mail.sockets[0].getsockname()[1]
        with pytest.raises(BadReplyError):
            await A2AClient(session, f"127.0.0.1:{port}").async_read_card()


# Cards


async def test_a_card_tells_who_an_agent_is(server: A2AServer, session: ClientSession) -> None:
    card = await A2AClient(session, server.url).async_read_card()
    assert (card.name, card.description) == ("Gardener", "Looks after the garden.")
    assert card.examples == ("the lawn is dry", "water the roses")
    assert [skill.name for skill in card.skills] == ["Watering"]


async def test_a_card_is_found_at_its_older_place_and_at_its_own_address(
    session: ClientSession,
) -> None:
    async with A2AServer(card_path="/.well-known/agent.json") as server:
        await A2AClient(session, server.url).async_read_card()
    async with A2AServer(card_path="/agents/garden.json") as server:
        await A2AClient(session, f"{server.url}/agents/garden.json").async_read_card()
        with pytest.raises(NoCardError):
            await A2AClient(session, server.url).async_read_card()


async def test_a_card_is_read_once_and_again_when_its_agent_refuses(
    server: A2AServer, session: ClientSession
) -> None:
    client = A2AClient(session, server.url, sleep=hurried)
    for _ in range(2):
        await client.async_send(THIRSTY, SECONDS)
    assert sum(".well-known" in path for path in server.paths) == 1
    server.behaviour = responding(404)
    with pytest.raises(RequestRefusedError):
        await client.async_send(THIRSTY, SECONDS)
    server.behaviour = None
    await client.async_send(THIRSTY, SECONDS)
    assert sum(".well-known" in path for path in server.paths) == 2


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (responding(body=b"{nonsense"), NoCardError),
        (responding(body=b"[]"), NoCardError),
        (responding(body=b'{"name": ""}'), NoCardError),
        (responding(body=b"<html>"), NoCardError),
        (responding(body=b" " * (256 * 1024 + 1)), BadReplyError),
        (responding(404), NoCardError),
        (responding(302, Location="/elsewhere"), NoCardError),
        (responding(401), TokenRefusedError),
        (responding(500), AgentFailedError),
        (responding(429), AgentBusyError),
    ],
)
async def test_what_is_no_card_is_one_known_error(
    server: A2AServer, session: ClientSession, behaviour: Behaviour, error: type[A2AError]
) -> None:
    server.card_behaviour = behaviour
    with pytest.raises(A2AError) as caught:
        await A2AClient(session, server.url).async_read_card()
    assert type(caught.value) is error
    assert "/elsewhere" not in server.paths


def card_of(**changes: Any) -> RemoteCard:
    """Return a card of version 1.0 at example.org, with changes."""
    interface = {
        "url": "https://example.org/a2a",
        "protocolBinding": "JSONRPC",
        "protocolVersion": "1.0",
    }
    return RemoteCard.read(
        json.dumps({"name": "A", "supportedInterfaces": [interface]} | changes).encode()
    )


CARD_URL = "https://example.org/.well-known/agent-card.json"


@pytest.mark.parametrize(
    ("changes", "url", "version"),
    [
        ({}, "https://example.org/a2a", "1.0"),
        ({"supportedInterfaces": None, "url": "/a2a/"}, "https://example.org/a2a/", "0.3"),
        ({"supportedInterfaces": [], "url": "https://example.org", "protocolVersion": "0.3.0"},
         "https://example.org", "0.3"),
        ({"supportedInterfaces": [], "url": "https://example.org", "protocolVersion": "0.2.6"},
         "https://example.org", "0.3"),
        ({"supportedInterfaces": [], "url": "https://example.org/g", "preferredTransport": "GRPC",
          "additionalInterfaces": [{"url": "https://example.org/j", "transport": "JSONRPC"}]},
         "https://example.org/j", "0.3"),
        ({"supportedInterfaces": [
            {"url": "https://example.org/old", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
            {"url": "https://example.org/new", "protocolBinding": "JSONRPC", "protocolVersion": "1.2"}]},
         "https://example.org/new", "1.0"),
        ({"supportedInterfaces": [
            {"url": "https://localhost/a", "protocolBinding": "jsonrpc", "protocolVersion": "1.0"}]},
         "https://example.org/a", "1.0"),
        ({"supportedInterfaces": [
            {"url": "https://0.0.0.0:443/a?v=1", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]},
         "https://example.org:443/a?v=1", "1.0"),
    ],
)  # fmt: skip
def test_the_newest_interface_that_is_spoken_is_chosen(
    changes: dict[str, Any], url: str, version: str
) -> None:
    contact = card_of(**changes).contact(CARD_URL)
    assert (contact.url, contact.version.name) == (url, version)
    assert not contact.needs_token


def test_a_card_at_an_address_of_six_parts_is_at_its_host() -> None:
    interface = {"url": "http://[::1]:1/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    contact = card_of(supportedInterfaces=[interface]).contact("http://[fd00::7]:1/card.json")
    assert contact.url == "http://[fd00::7]:1/"


def interface(url: str, **changes: str) -> dict[str, Any]:
    """Return the changes of a card with one interface."""
    found = {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
    return {"supportedInterfaces": [found | changes]}


@pytest.mark.parametrize(
    "changes",
    [
        {"supportedInterfaces": []},
        interface("https://example.org", protocolBinding="GRPC"),
        interface("https://example.org", protocolVersion="2.0"),
        interface("https://example.org", protocolVersion="0.1"),
        interface("https://evil.example/a2a"),
        interface("https://169.254.169.254/a2a"),
        interface("http://example.org/a2a"),
        interface("file:///etc/passwd"),
        interface("https://localhost:9999/a2a"),
        interface("https://user:word@example.org/"),
        interface("https://example.org:99999/"),
        interface("https://[/"),
        {"capabilities": {"extensions": [{"uri": "x", "required": True}]}},
        {"securityRequirements": [{"schemes": {"tls": {}}}],
         "securitySchemes": {"tls": {"mtlsSecurityScheme": {}}}},
        {"securityRequirements": [{"schemes": {"no": {}}}]},
        {"security": [{"a": [], "b": []}],
         "securitySchemes": {"a": {"type": "http", "scheme": "bearer"}, "b": {"type": "apiKey"}}},
        {"security": [{"a": []}], "securitySchemes": {"a": {"type": "http", "scheme": "basic"}}},
        {"security": [{"a": []}], "securitySchemes": {"a": {"type": "apiKey", "in": "query", "name": "k"}}},
        {"security": [{"a": []}], "securitySchemes": {"a": {"type": "apiKey", "in": "header", "name": "Host"}}},
        {"security": [{"a": []}], "securitySchemes": {"a": {"type": "apiKey", "in": "header", "name": "a\r\nb"}}},
        {"security": [{"a": []}],
         "securitySchemes": {"a": {"type": "apiKey", "in": "header", "name": "X-Ingress-Path"}}},
        {"securityRequirements": [{"schemes": {"a": {}}}],
         "securitySchemes": {"a": {"apiKeySecurityScheme": {"location": "header", "name": "X-Key"}}}},
    ],
)  # fmt: skip
def test_a_card_that_wants_what_is_not_done_is_unsupported(changes: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedAgentError):
        card_of(**changes).contact(CARD_URL)


@pytest.mark.parametrize(
    ("changes", "header", "needed"),
    [
        ({}, "Authorization", False),
        ({"security": [{"a": []}], "securitySchemes": {"a": {"type": "http", "scheme": "Bearer"}}},
         "Authorization", True),
        ({"security": [{"a": []}, {}],
          "securitySchemes": {"a": {"type": "apiKey", "in": "header", "name": "X-API-Key"}}}, "X-API-Key", False),
        ({"security": [{}]}, "Authorization", False),
        ({"security": [{"a": []}], "securitySchemes": {"a": {"type": "openIdConnect"}}}, "Authorization", True),
        ({"securityRequirements": [{"schemes": {"a": {"list": []}}}],
          "securitySchemes": {"a": {"apiKeySecurityScheme": {"location": "header", "name": "x-api-key"}}}},
         "X-API-Key", True),
        ({"securityRequirements": [{"schemes": {"t": {}}}, {"schemes": {"a": {}}}],
          "securitySchemes": {"t": {"mtlsSecurityScheme": {}}, "a": {"oauth2SecurityScheme": {"flows": {}}}}},
         "Authorization", True),
        ({"securityRequirements": [{"schemes": {"a": {}}}],
          "securitySchemes": {"a": {"httpAuthSecurityScheme": {"scheme": "bearer"}}}}, "Authorization", True),
    ],
)  # fmt: skip
def test_a_token_goes_where_the_card_wants_it(
    changes: dict[str, Any], header: str, *, needed: bool
) -> None:
    contact = card_of(**changes).contact(CARD_URL)
    assert (contact.key_header, contact.needs_token) == (header, needed)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://example.org:8443/a2a", "https://example.org:8443"),
        ("https://agents.example.org/a2a", "https://agents.example.org"),
        ("https://localhost:9999/a", "https://example.org:9999"),
        ("https://example.org:443/a2a", ""),
        ("https://EXAMPLE.org/a2a", ""),
        ("/a2a", ""),
    ],
)
def test_an_agent_is_at_the_origin_of_its_card_or_at_the_one_that_was_agreed_to(
    url: str, origin: str
) -> None:
    card = card_of(**interface(url))
    if not origin:
        assert card.contact(CARD_URL).other_origin == ""
        return
    for agreed in ("", "https://example.org:1", "https://example.org", f"{origin}.evil.example"):
        with pytest.raises(OtherOriginError) as refused:
            card.contact(CARD_URL, agreed)
        assert refused.value.origin == origin
        assert origin not in str(refused.value)
    assert card.contact(CARD_URL, origin).other_origin == origin


def test_a_card_of_plain_http_may_not_be_left_for_its_neighbour_in_https_unasked() -> None:
    with pytest.raises(OtherOriginError):
        card_of(**interface("https://example.org/a2a")).contact("http://example.org/card.json")


@pytest.mark.parametrize(
    "changes",
    [
        {"skills": [{"name": "a"}] * 201},
        {"skills": [{"name": "a", "examples": ["b"] * 201}]},
        {"supportedInterfaces": [{"url": "/a"}] * 201},
        {"additionalInterfaces": [{"url": "/a"}] * 201},
        {"capabilities": {"extensions": [{"uri": "x"}] * 201}},
        {"securitySchemes": {str(n): {"type": "http"} for n in range(201)}},
        {"securityRequirements": [{"schemes": {}}] * 201},
        {"securityRequirements": [{"schemes": {str(n): {} for n in range(201)}}]},
        {"security": [{}] * 201},
        {"security": [{str(n): [] for n in range(201)}]},
    ],
)
def test_a_card_that_lists_more_than_any_needs_is_none(changes: dict[str, Any]) -> None:
    with pytest.raises(NoCardError):
        card_of(**changes)


# Tokens


def wanting(header: str) -> Any:
    """Return a change of a card, which then wants a token in this header."""
    scheme = {"httpAuthSecurityScheme": {"scheme": "bearer"}}
    if header != "Authorization":
        scheme = {"apiKeySecurityScheme": {"location": "header", "name": header}}
    return lambda card: (
        card
        | {
            "securitySchemes": {"a": scheme},
            "securityRequirements": [{"schemes": {"a": {}}}],
        }
    )


@pytest.mark.parametrize("header", ["Authorization", "X-API-Key"])
async def test_the_token_is_sent_to_the_agent_and_not_for_its_card(
    session: ClientSession, header: str
) -> None:
    async with A2AServer(token=TOKEN, key_header=header, change_card=wanting(header)) as server:
        assert (await ask(server, session, token=TOKEN)).state is RemoteState.COMPLETED
        card, *calls = server.headers
        assert not [value for value in card.values() if TOKEN in value]
        assert all(TOKEN in call[header] for call in calls)
        with pytest.raises(TokenRefusedError):
            await ask(server, session, token="wrong")


async def test_an_agent_that_needs_a_token_is_not_told_anything_without_one(
    session: ClientSession,
) -> None:
    async with A2AServer(token=TOKEN, change_card=wanting("Authorization")) as server:
        with pytest.raises(TokenRefusedError):
            await ask(server, session)
        assert server.calls == []


async def test_a_card_that_is_not_shown_to_anybody_is_read_with_the_token(
    server: A2AServer, session: ClientSession
) -> None:
    async def guard(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return web.json_response({}, status=401)
        server.card_behaviour = None
        return await server._handle(request)

    server.card_behaviour = guard
    await A2AClient(session, server.url, TOKEN).async_read_card()


async def test_a_tenant_goes_with_each_call(session: ClientSession) -> None:
    def with_tenant(card: dict[str, Any]) -> dict[str, Any]:
        card["supportedInterfaces"][0]["tenant"] = "house-7"
        return card

    async with A2AServer(change_card=with_tenant) as server:
        await ask(server, session)
        assert {call["params"]["tenant"] for call in server.calls} == {"house-7"}


async def test_neither_a_representation_nor_an_error_shows_the_token(
    server: A2AServer, session: ClientSession
) -> None:
    client = A2AClient(session, server.url, TOKEN)
    assert repr(client) == f"A2AClient('{server.url}/.well-known/agent-card.json', token=yes)"
    with pytest.raises(TokenRefusedError) as caught:
        A2AClient(session, server.url, "tökén-\n")
    assert "tökén" not in str(caught.value)


# Addresses


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("garden.local:9999", "http://garden.local:9999/.well-known/agent-card.json"),
        ("http://garden.local/", "http://garden.local/.well-known/agent-card.json"),
        (
            "agents.example.org/garden",
            "https://agents.example.org/garden/.well-known/agent-card.json",
        ),
        ("https://example.org/cards/a.json", "https://example.org/cards/a.json"),
        ("https://example.org/models", "https://example.org/models/.well-known/agent-card.json"),
    ],
)
def test_what_people_type_leads_to_the_card(typed: str, first: str) -> None:
    assert card_addresses(typed)[0] == first


@pytest.mark.parametrize("typed", ["", "  ", "ftp://x", "http://u:p@host", "host/?a=b", "a b"])
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(InvalidAddressError):
        card_addresses(typed)

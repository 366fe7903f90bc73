"""One server over HTTP: limits, time, giving up, keys and dates."""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime
import socket
import ssl
from typing import TYPE_CHECKING

import aiohttp
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
import pytest

from custom_components.bellboard.llm.endpoint import (
    MAX_BODY,
    MAX_LINE,
    Endpoint,
    WaitBudget,
    retry_after,
)
from custom_components.bellboard.llm.errors import (
    AuthenticationError,
    BadOutputError,
    InvalidUrlError,
    ModelTimeoutError,
    NotAModelServerError,
    RateLimitedError,
    UnreachableError,
)
from custom_components.bellboard.llm.providers import create_client

from .canned import Canned, Socket
from .conftest import KEY, PROTOCOLS, QUESTION

if TYPE_CHECKING:
    from freezegun.api import FrozenDateTimeFactory

STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
EVENT = {
    "anthropic": (
        b"event: content_block_delta\n"
        b'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Good"}}\n\n'
    ),
    "openai": b'data: {"choices":[{"delta":{"content":"Good"}}]}\n\n',
    "ollama": b'{"message":{"role":"assistant","content":"Good"},"done":false}\n',
}
LAST = {
    "anthropic": b'data: {"type":"message_stop"}',
    "openai": b"data: [DONE]",
    "ollama": b'{"done":true}',
}


@pytest.fixture(params=PROTOCOLS)
def provider(request: pytest.FixtureRequest) -> str:
    """Each protocol in turn."""
    return str(request.param)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A certificate for 127.0.0.1 that is signed by nobody but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2120, 1, 1, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = tmp_path_factory.mktemp("tls") / "server.pem"
    path.write_bytes(pem + signed.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


@pytest.mark.parametrize("head", [b"", STREAM_HEAD])
async def test_a_cancelled_call_hangs_up(
    bare: Socket, session: aiohttp.ClientSession, provider: str, head: bytes
) -> None:
    bare.greeting, bare.waits = head, True
    client = create_client(provider, session, url=bare.url)
    call = asyncio.ensure_future(client.complete(QUESTION))
    await bare.asked.wait()
    await asyncio.sleep(0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    async with asyncio.timeout(1):
        await bare.hung_up.wait()


async def test_a_closed_stream_hangs_up(
    bare: Socket, session: aiohttp.ClientSession, provider: str
) -> None:
    bare.greeting, bare.waits = STREAM_HEAD + EVENT[provider], True
    client = create_client(provider, session, url=bare.url)
    async with aclosing(client.stream(QUESTION)) as deltas:
        assert (await anext(deltas)).text == "Good"
    async with asyncio.timeout(1):
        await bare.hung_up.wait()


async def test_a_cancelled_stream_hangs_up(
    bare: Socket, session: aiohttp.ClientSession, provider: str
) -> None:
    bare.greeting, bare.waits = STREAM_HEAD + EVENT[provider], True
    client = create_client(provider, session, url=bare.url)
    heard = asyncio.Event()

    async def listen() -> None:
        async for _ in client.stream(QUESTION):
            heard.set()

    listening = asyncio.ensure_future(listen())
    await heard.wait()
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    async with asyncio.timeout(1):
        await bare.hung_up.wait()


async def test_time_the_listener_takes_does_not_count(
    session: aiohttp.ClientSession, canned: Canned, provider: str
) -> None:
    canned.body = EVENT[provider] * 3 + LAST[provider] + b"\n"
    client = create_client(provider, session, url=canned.url)
    said = []
    async for delta in client.stream(QUESTION, timeout=0.5):
        said.append(delta.text)
        await asyncio.sleep(0.2)
    assert said == ["Good", "Good", "Good", ""]


async def test_waiting_counts_in_all(
    bare: Socket, session: aiohttp.ClientSession, provider: str
) -> None:
    bare.greeting, bare.waits = STREAM_HEAD, True
    client = create_client(provider, session, url=bare.url)
    with pytest.raises(ModelTimeoutError):
        await client.complete(QUESTION, timeout=0.1)


async def test_a_line_without_end_is_not_kept(
    canned: Canned, session: aiohttp.ClientSession, provider: str
) -> None:
    canned.body = b"x" * (MAX_LINE + 1000)
    with pytest.raises(BadOutputError, match="too long"):
        [d async for d in create_client(provider, session, url=canned.url).stream(QUESTION)]


async def test_a_stream_without_end_is_not_followed(
    canned: Canned, session: aiohttp.ClientSession, provider: str
) -> None:
    canned.body = EVENT[provider] * (MAX_BODY // len(EVENT[provider]) + 1)
    with pytest.raises(BadOutputError, match="too long"):
        [d async for d in create_client(provider, session, url=canned.url).stream(QUESTION)]


async def test_a_last_line_needs_no_line_end(
    canned: Canned, session: aiohttp.ClientSession, provider: str
) -> None:
    canned.body = EVENT[provider].replace(b"\n", b"\r\n") + LAST[provider]
    client = create_client(provider, session, url=canned.url)
    assert [delta.text async for delta in client.stream(QUESTION)] == ["Good", ""]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_follows_no_redirect(
    canned: Canned, session: aiohttp.ClientSession, provider: str, status: int
) -> None:
    canned.status, canned.headers = status, {"Location": "https://elsewhere.example/"}
    client = create_client(provider, session, url=canned.url, api_key=KEY)
    with pytest.raises(NotAModelServerError, match=str(status)):
        await client.complete(QUESTION)
    assert len(canned.asked) == 1


async def test_a_page_is_no_stream(
    canned: Canned, session: aiohttp.ClientSession, provider: str
) -> None:
    canned.headers = {"Content-Type": "text/html"}
    with pytest.raises(NotAModelServerError, match="web page"):
        [d async for d in create_client(provider, session, url=canned.url).stream(QUESTION)]


async def test_a_closed_session_reaches_nobody(provider: str) -> None:
    async with aiohttp.ClientSession() as session:
        client = create_client(provider, session, url="127.0.0.1:1")
    with pytest.raises(UnreachableError, match="closed"):
        await client.list_models()


async def test_what_is_not_https_says_so(
    canned: Canned, session: aiohttp.ClientSession, provider: str
) -> None:
    url = canned.url.replace("http:", "https:")
    with pytest.raises(UnreachableError, match="does not speak https"):
        await create_client(provider, session, url=url).list_models()


async def test_a_certificate_nobody_signed_is_not_accepted(
    session: aiohttp.ClientSession, provider: str, certificate: ssl.SSLContext
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        # In a thread of its own: asyncio's servers report the handshake that fails here as an error of the test.
        shaking = asyncio.create_task(asyncio.to_thread(shake_hands, listening, certificate))
        url = f"https://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(UnreachableError, match="certificate"):
            await create_client(provider, session, url=url).list_models()
        await shaking


def shake_hands(listening: socket.socket, certificate: ssl.SSLContext) -> None:
    """Accept one connection and show the certificate, which the client is expected to refuse."""
    connection, _ = listening.accept()
    with connection, pytest.raises(ssl.SSLError):
        certificate.wrap_socket(connection, server_side=True).recv(1)


async def test_a_timeout_of_the_network_is_a_timeout(
    session: aiohttp.ClientSession, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def times_out(*args: object, **kwargs: object) -> None:
        raise aiohttp.ServerTimeoutError

    monkeypatch.setattr(session, "_request", times_out)
    with pytest.raises(ModelTimeoutError):
        await create_client(provider, session, url="127.0.0.1:1").list_models()


async def test_an_address_only_aiohttp_refuses(session: aiohttp.ClientSession) -> None:
    endpoint = Endpoint(session, "http://")
    with pytest.raises(InvalidUrlError):
        async with endpoint.open("GET", "/", None, WaitBudget(1)):
            pass


@pytest.mark.parametrize("key", ["two\nlines", "schlüssel", "nul\x00"])
async def test_a_key_no_header_can_carry(
    session: aiohttp.ClientSession, provider: str, key: str
) -> None:
    with pytest.raises(AuthenticationError) as refused:
        create_client(provider, session, url="127.0.0.1", api_key=key)
    assert key not in str(refused.value)


async def test_an_endpoint_shows_whether_there_is_a_key(session: aiohttp.ClientSession) -> None:
    assert repr(Endpoint(session, "http://x", KEY)) == "Endpoint('http://x', key=yes)"
    assert repr(Endpoint(session, "http://x")) == "Endpoint('http://x', key=no)"


@pytest.mark.parametrize(
    ("key_header", "sent"),
    [("Authorization", f"Bearer {KEY}"), ("x-api-key", KEY), ("X-Goog-Api-Key", KEY)],
)
async def test_a_key_goes_into_the_header_its_server_reads(
    session: aiohttp.ClientSession, canned: Canned, key_header: str, sent: str
) -> None:
    endpoint = Endpoint(session, canned.url, KEY, key_header=key_header)
    async with endpoint.open("GET", "/", None, WaitBudget(1)) as response:
        await response.read()
    assert [name for name, value in canned.headed[0].items() if KEY in value] == [key_header]
    assert canned.headed[0][key_header] == sent
    assert KEY not in repr(endpoint)


async def test_fixed_headers_go_with_every_request_and_replace_none_of_ours(
    session: aiohttp.ClientSession, canned: Canned
) -> None:
    fixed = {"X-Title": "Bellboard", "Accept": "text/plain"}
    endpoint = Endpoint(session, canned.url, KEY, headers=fixed)
    fixed["X-Title"] = "changed later"
    for body in (None, {"model": "m"}):
        async with endpoint.open("POST", "/", body, WaitBudget(1)) as response:
            await response.read()
    for headed in canned.headed:
        assert headed["X-Title"] == "Bellboard"
        assert headed["Accept"] == "application/json"
        assert headed["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30.0),
        ("Wed, 21 Oct 2026 07:28:30 -0000", 30.0),
        ("Wed, 21 Oct 2026 07:00:00 GMT", 0.0),
        ("-3", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
    ],
)
def test_reads_how_long_to_wait(
    freezer: FrozenDateTimeFactory, text: str, seconds: float | None
) -> None:
    freezer.move_to(datetime(2026, 10, 21, 7, 28, tzinfo=UTC))
    assert retry_after({"Retry-After": text}) == seconds
    assert retry_after({}) is None


async def test_a_limit_without_a_wait(
    canned: Canned, session: aiohttp.ClientSession, provider: str
) -> None:
    canned.status = 429
    with pytest.raises(RateLimitedError) as refused:
        await create_client(provider, session, url=canned.url).list_models()
    assert refused.value.retry_after is None

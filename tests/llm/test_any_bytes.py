"""Whatever bytes a server sends, a client gives an answer or a `ModelError`, never anything else."""

import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.llm.errors import ModelError
from custom_components.bellboard.llm.models import Completion
from custom_components.bellboard.llm.providers import create_client

from .canned import Canned, Socket
from .conftest import KEY, PROTOCOLS, QUESTION, SCHEMA

if TYPE_CHECKING:
    import aiohttp

    from custom_components.bellboard.llm.client import ModelClient

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3)
    ),
    max_leaves=8,
)
# Replies that are nearly right reach further than noise: every field may be missing or of a wrong kind.
TOKEN = st.fixed_dictionaries(
    {},
    optional={
        "token": st.text(max_size=5) | JSON,
        "logprob": st.floats() | JSON,
        "bytes": st.lists(st.integers(-1, 300), max_size=4) | JSON,
        "top_logprobs": st.lists(
            st.fixed_dictionaries({"token": st.text(), "logprob": st.floats()})
        ),
    },
)
TEXT = (
    st.text(max_size=30)
    | st.sampled_from(['{"agent": "light-agent"}', '{"a": NaN}', '"\\ud800"', "```json\n{}\n```"])
    | JSON
)
MESSAGE = st.fixed_dictionaries({}, optional={"role": JSON, "content": TEXT})
CHOICE = st.fixed_dictionaries(
    {},
    optional={
        "message": MESSAGE | JSON,
        "delta": MESSAGE | JSON,
        "finish_reason": st.sampled_from(["stop", "length"]) | JSON,
        "logprobs": st.fixed_dictionaries({"content": st.lists(TOKEN, max_size=3)}) | JSON,
    },
)
USAGE = st.dictionaries(
    st.sampled_from(
        [
            "prompt_tokens",
            "completion_tokens",
            "prompt_tokens_details",
            "input_tokens",
            "cache_read_input_tokens",
        ]
    ),
    JSON,
)
BLOCK = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["text", "tool_use", "thinking"]) | JSON,
        "text": TEXT,
        "input": st.fixed_dictionaries({"agent": st.floats() | st.text(max_size=9)}) | JSON,
        "stop_reason": st.sampled_from(["max_tokens", "tool_use"]) | JSON,
    },
)
REPLY = st.fixed_dictionaries(
    {},
    optional={
        "choices": st.lists(CHOICE, max_size=2) | JSON,
        "usage": USAGE | JSON,
        "timings": JSON,
        "model": JSON,
        "error": st.fixed_dictionaries({"type": JSON, "message": JSON}) | JSON,
        "type": st.sampled_from(["message_stop", "content_block_delta", "error"]) | JSON,
        "content": st.lists(BLOCK, max_size=2) | JSON,
        "content_block": BLOCK | JSON,
        "delta": BLOCK | JSON,
        "stop_reason": st.sampled_from(["end_turn", "max_tokens", "refusal"]) | JSON,
        "has_more": st.booleans() | JSON,
        "last_id": JSON,
        "message": MESSAGE | JSON,
        "done": st.booleans() | JSON,
        "done_reason": JSON,
        "eval_count": JSON,
        "logprobs": st.lists(TOKEN, max_size=3) | JSON,
        "data": st.lists(st.fixed_dictionaries({"id": JSON, "architecture": JSON})) | JSON,
        "models": st.lists(st.fixed_dictionaries({"name": JSON, "details": JSON})) | JSON,
    },
)


def _encoded(value: Any) -> bytes:
    return json.dumps(value).encode()


def _framed(value: Any) -> bytes:
    return b"data: " + _encoded(value) + b"\n\ndata: [DONE]\n"


BODY = (
    st.binary(max_size=200)
    | JSON.map(_encoded)
    | REPLY.map(_encoded)
    | REPLY.map(_framed)
    | st.sampled_from(
        [b"[" * 100_000, b'{"a":' * 50_000, b"9" * 5000, b"\xff\xfe{\x00}\x00", b"\n" * 99]
    )
)
STATUS = st.sampled_from([200, 200, 200, 200, 201, 204, 301, 304, 400, 404, 418, 422, 429, 500])
CONTENT_TYPE = st.sampled_from(
    ["application/json", "text/html", "text/event-stream", "x; charset=no", ""]
)


@pytest.fixture(params=PROTOCOLS)
def provider(request: pytest.FixtureRequest) -> str:
    """Each protocol in turn."""
    return str(request.param)


async def use_everything(client: ModelClient, timeout: float = 2) -> None:
    """Call all a client can do; only a `ModelError` or an answer is allowed to come back."""
    for schema in (None, SCHEMA):
        try:
            completion = await client.complete(
                QUESTION, schema=schema, logprobs=True, timeout=timeout
            )
        except ModelError as error:
            assert KEY not in str(error)  # noqa: PT017 -- an answer is as right as an error
        else:
            assert isinstance(completion, Completion)
            assert (completion.data is None) == (schema is None)
            completion.model_dump_json()
    try:
        async for delta in client.stream(QUESTION, timeout=timeout):
            delta.model_dump_json()
    except ModelError as error:
        assert KEY not in str(error)  # noqa: PT017
    try:
        names = await client.list_models(timeout=timeout)
    except ModelError as error:
        assert KEY not in str(error)  # noqa: PT017
    else:
        assert all(isinstance(name, str) for name in names)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(reply=st.tuples(BODY, STATUS, CONTENT_TYPE))
async def test_any_body(
    canned: Canned,
    session: aiohttp.ClientSession,
    provider: str,
    reply: tuple[bytes, int, str],
) -> None:
    canned.body, canned.status, content_type = reply
    canned.headers = {"Content-Type": content_type} if content_type else {}
    await use_everything(create_client(provider, session, url=canned.url, api_key=KEY, model="m"))


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    greeting=st.binary(max_size=200)
    | st.binary(max_size=99).map(b"HTTP/1.1 200 OK\r\n".__add__)
    | st.binary(max_size=99).map(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".__add__)
    | st.binary(max_size=99).map(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".__add__)
    | st.binary(max_size=99).map(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n".__add__)
    | st.just(b"SSH-2.0-OpenSSH_9.7\r\n")
)
async def test_any_bytes_instead_of_http(
    bare: Socket, session: aiohttp.ClientSession, provider: str, greeting: bytes
) -> None:
    bare.greeting = greeting
    await use_everything(create_client(provider, session, url=bare.url, api_key=KEY, model="m"))

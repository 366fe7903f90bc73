"""What only Ollama has: contexts to load, models to keep, thoughts to forbid."""

from typing import TYPE_CHECKING, Any

import pytest

from custom_components.bellboard.llm.errors import (
    BadOutputError,
    NotAModelServerError,
    ServerFailedError,
)
from custom_components.bellboard.llm.providers import create_client

from .canned import Canned
from .conftest import QUESTION, SCHEMA

if TYPE_CHECKING:
    import aiohttp

    from .conftest import Build


async def test_binds_the_answer_to_the_schema(build: Build) -> None:
    house = await build("ollama", {"agent": "light-agent"})
    await house.client.complete(
        QUESTION, schema=SCHEMA, logprobs=True, temperature=0, max_tokens=99
    )
    body = house.model.requests[0].body
    assert body["format"] == SCHEMA
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    assert (body["think"], body["stream"]) == (False, False)
    assert body["options"] == {"num_ctx": 4096, "temperature": 0, "num_predict": 99}


@pytest.mark.parametrize(
    ("given", "sent"),
    [("5m", "5m"), (-1, -1), ("-1", -1), (" 300 ", 300), (0, 0), ("0", 0), (1.5, 1.5)],
)
async def test_keeps_the_model_as_long_as_told(build: Build, given: Any, sent: Any) -> None:
    house = await build("ollama", client={"keep_alive": given, "num_ctx": 8192})
    await house.client.complete(QUESTION)
    body = house.model.requests[0].body
    assert body["keep_alive"] == sent
    assert body["options"] == {"num_ctx": 8192}


async def test_every_call_asks_for_the_same_context(build: Build) -> None:
    house = await build("ollama", {"agent": "light-agent"})
    await house.client.complete(QUESTION, schema=SCHEMA, max_tokens=20)
    assert [delta async for delta in house.client.stream(QUESTION)]
    contexts = {ask.body["options"]["num_ctx"] for ask in house.model.requests}
    keeps = {ask.body["keep_alive"] for ask in house.model.requests}
    assert (contexts, keeps) == ({4096}, {-1})


async def test_does_not_mention_thoughts_where_that_is_refused(build: Build) -> None:
    house = await build("ollama", refuses=frozenset({"think"}))
    for _ in range(2):
        assert (await house.client.complete(QUESTION)).text == "Good evening."
    assert "think" not in house.model.requests[0].body
    assert house.model.attempts == 3


async def test_an_older_server_ignores_logprobs(build: Build) -> None:
    house = await build("ollama", {"agent": "light-agent"}, refuses=frozenset({"logprobs"}))
    assert (await house.client.complete(QUESTION, logprobs=True)).logprobs == ()


async def test_a_stream_may_report_an_error(canned: Canned, session: aiohttp.ClientSession) -> None:
    canned.body = b'{"message":{"content":"Go"},"done":false}\n\n{"error":"out of memory"}\n'
    client = create_client("ollama", session, url=canned.url, model="m")
    said: list[str] = []

    async def listen() -> None:
        async for delta in client.stream(QUESTION):
            said.append(delta.text)  # noqa: PERF401 -- what came before the error counts

    with pytest.raises(ServerFailedError):
        await listen()
    assert said == ["Go"]


async def test_older_servers_give_no_reason_for_the_end(
    canned: Canned, session: aiohttp.ClientSession
) -> None:
    canned.body = b'{"message":{"content":"Go"},"done":true,"eval_count":1}'
    client = create_client("ollama", session, url=canned.url, model="m")
    completion = await client.complete(QUESTION)
    assert (completion.finish_reason, completion.usage.completion_tokens) == ("stop", 1)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b'{"choices": [], "message": "hello"}', NotAModelServerError),
        (b'{"message": {"content": 3}}', NotAModelServerError),
        (b'{"message": {"cont', BadOutputError),
        (b"", BadOutputError),
    ],
)
async def test_a_reply_of_another_shape(
    canned: Canned, session: aiohttp.ClientSession, body: bytes, error: type[Exception]
) -> None:
    canned.body = body
    client = create_client("ollama", session, url=canned.url, model="m")
    with pytest.raises(error):
        await client.complete(QUESTION)

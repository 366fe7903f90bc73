"""The stand-in for Ollama is right: Ollama's own client works with it."""

from contextlib import asynccontextmanager
import json
from typing import TYPE_CHECKING, Any

import ollama
import pytest

from tests.servers import Fault, RunningServer, ScriptedModel, ollama_app

from .conftest import KEY, SCHEMA

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

MESSAGES = [{"role": "user", "content": "turn on the lamp"}]


@asynccontextmanager
async def official(
    model: ScriptedModel, key: str | None = None
) -> AsyncGenerator[ollama.AsyncClient]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with (
        RunningServer(ollama_app, model) as server,
        ollama.AsyncClient(host=server.url, headers=headers, timeout=5) as client,
    ):
        yield client


def says(text: str, **model: Any) -> ScriptedModel:
    return ScriptedModel(lambda _messages, schema: {"agent": text} if schema else text, **model)


async def test_lists_models() -> None:
    async with official(says("x", names=("llama3.2", "qwen3:4b"))) as client:
        listed = await client.list()
    assert [model.model for model in listed.models] == ["llama3.2:latest", "qwen3:4b"]
    assert listed.models[0].details is not None
    assert listed.models[0].details.family == "llama"


async def test_answers() -> None:
    model = says("Good evening.")
    async with official(model) as client:
        reply = await client.chat("test-model", MESSAGES, options={"num_ctx": 2048})
    assert reply.message.content == "Good evening."
    assert (reply.done, reply.done_reason) == (True, "stop")
    assert reply.prompt_eval_count is not None
    assert reply.prompt_eval_count > 0
    assert model.requests[0].body["options"] == {"num_ctx": 2048}


async def test_answers_with_schema_and_logprobs() -> None:
    model = says("light-agent", beliefs={"light-agent": 0.75, "music-agent": 0.25})
    async with official(model) as client:
        reply = await client.chat(
            "test-model", MESSAGES, format=SCHEMA, logprobs=True, top_logprobs=5, think=False
        )
    assert json.loads(reply.message.content or "") == {"agent": "light-agent"}
    tokens = list(reply.logprobs or ())
    assert "".join(token.token for token in tokens) == reply.message.content
    assert [other.token for other in tokens[5].top_logprobs or ()][:2] == ["ligh", "musi"]
    assert model.requests[0].schema == SCHEMA


async def test_streams_lines() -> None:
    async with official(says("Good evening to you.")) as client:
        stream = await client.chat("test-model", MESSAGES, stream=True, logprobs=True)
        parts = [part async for part in stream]
    assert "".join(part.message.content or "" for part in parts) == "Good evening to you."
    assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]
    assert all(part.logprobs for part in parts[:-1])
    assert parts[-1].eval_count == len(parts) - 1


async def test_streams_unless_told_otherwise() -> None:
    model = says("Good evening.")
    async with official(model) as client:
        reply = await client._client.post(
            "/api/chat", json={"model": "test-model", "messages": MESSAGES}
        )
    assert reply.headers["Content-Type"] == "application/x-ndjson"
    assert json.loads(reply.text.splitlines()[-1])["done"] is True


async def test_stops_at_the_limit() -> None:
    async with official(says("One two three four")) as client:
        reply = await client.chat("test-model", MESSAGES, options={"num_predict": 3})
    assert (reply.message.content, reply.done_reason) == ("One two", "length")


@pytest.mark.parametrize(("keep_alive", "reason"), [(None, "load"), (0, "unload")])
async def test_loads_without_messages(keep_alive: float | None, reason: str) -> None:
    async with official(says("x")) as client:
        reply = await client.chat("test-model", [], keep_alive=keep_alive)
    assert reply.done_reason == reason


async def test_misses_a_model() -> None:
    async with official(says("x")) as client:
        with pytest.raises(ollama.ResponseError, match="model 'other' not found") as refused:
            await client.chat("other", MESSAGES)
        assert refused.value.status_code == 404


async def test_wants_its_key() -> None:
    async with official(says("x", key=KEY)) as client:
        for call in (client.list(), client.chat("test-model", MESSAGES)):
            with pytest.raises(ollama.ResponseError, match="unauthorized"):
                await call
    async with official(says("x", key=KEY), KEY) as client:
        assert (await client.list()).models


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"think": True}, "does not support thinking"),
        ({"top_logprobs": 21}, "between 0 and 20"),
        ({"keep_alive": "-1"}, "invalid duration"),
        ({"model": " "}, "not found"),
    ],
)
async def test_refuses_nonsense(wrong: Any, message: str) -> None:
    async with official(says("x")) as client:
        with pytest.raises(ollama.ResponseError, match=message):
            await client.chat(**({"model": "test-model", "messages": MESSAGES} | wrong))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "missing"),
        (b"{", "invalid"),
        (b"{}", "required"),
        (b'{"model": "test-model", "format": "yaml"}', "invalid format"),
    ],
)
async def test_refuses_a_bad_body(body: bytes, message: str) -> None:
    async with official(says("x")) as client:
        reply = await client._client.post("/api/chat", content=body)
    assert reply.status_code == 400
    assert message in reply.json()["error"]


async def test_fails_as_told() -> None:
    async with official(says("x", fault=Fault.of_status(500))) as client:
        with pytest.raises(ollama.ResponseError) as failed:
            await client.list()
    assert failed.value.status_code == 500
    assert "terminated" in failed.value.error


async def test_has_a_version_and_a_greeting() -> None:
    async with official(says("x")) as client:
        assert (await client._client.get("/api/version")).json()["version"]
        assert (await client._client.get("/")).text == "Ollama is running"

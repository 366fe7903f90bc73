"""The stand-in for OpenAI is right: OpenAI's own client works with it."""

from contextlib import asynccontextmanager
import json
from typing import TYPE_CHECKING, Any

import openai
import pytest

from tests.servers import Fault, RunningServer, ScriptedModel, openai_app

from .conftest import KEY, SCHEMA

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

MESSAGES: Any = [{"role": "user", "content": "turn on the lamp"}]
FORMAT: Any = {
    "type": "json_schema",
    "json_schema": {"name": "choice", "strict": True, "schema": SCHEMA},
}


@asynccontextmanager
async def official(
    model: ScriptedModel, key: str = KEY
) -> AsyncGenerator[tuple[openai.AsyncOpenAI, RunningServer[ScriptedModel]]]:
    async with (
        RunningServer(openai_app, model) as server,
        openai.AsyncOpenAI(
            api_key=key, base_url=f"{server.url}/v1", max_retries=0, timeout=5
        ) as client,
    ):
        yield client, server


def chooses(agent: str, **model: Any) -> ScriptedModel:
    return ScriptedModel(lambda _messages, schema: {"agent": agent} if schema else agent, **model)


async def test_lists_models() -> None:
    async with official(chooses("x", names=("one", "two"))) as (client, _):
        assert [model.id async for model in await client.models.list()] == ["one", "two"]


async def test_answers() -> None:
    model = chooses("Good evening.")
    async with official(model) as (client, _):
        reply = await client.chat.completions.create(model="test-model", messages=MESSAGES)
    assert reply.choices[0].message.content == "Good evening."
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage is not None
    assert reply.usage.completion_tokens == len(["Good", " ", "even", "ing", "."])
    assert model.requests[0].messages == [("user", "turn on the lamp")]


async def test_answers_with_schema_and_logprobs() -> None:
    model = chooses("light-agent", beliefs={"light-agent": 0.75, "music-agent": 0.25})
    async with official(model) as (client, _):
        reply = await client.chat.completions.create(
            model="test-model",
            messages=MESSAGES,
            response_format=FORMAT,
            logprobs=True,
            top_logprobs=5,
        )
    choice = reply.choices[0]
    assert json.loads(choice.message.content or "") == {"agent": "light-agent"}
    assert choice.logprobs is not None
    tokens = choice.logprobs.content or []
    assert "".join(token.token for token in tokens) == choice.message.content
    likely = {other.token: other.logprob for other in tokens[5].top_logprobs}
    assert tokens[5].token == "ligh"
    assert likely["ligh"] > likely["musi"] > likely["turn"]
    assert model.requests[0].schema == SCHEMA


async def test_streams_with_usage() -> None:
    async with official(chooses("Good evening to you.")) as (client, _):
        stream = await client.chat.completions.create(
            model="test-model",
            messages=MESSAGES,
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = [chunk async for chunk in stream]
    text = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert "".join(text) == "Good evening to you."
    assert len(text) > 5
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.prompt_tokens > 0


async def test_streams_without_usage_unless_asked() -> None:
    async with official(chooses("Good evening.")) as (client, _):
        stream = await client.chat.completions.create(
            model="test-model", messages=MESSAGES, stream=True
        )
        assert all([chunk.usage is None async for chunk in stream])


async def test_counts_what_is_cached() -> None:
    async with official(chooses("Yes.")) as (client, _):
        await client.chat.completions.create(model="test-model", messages=MESSAGES)
        reply = await client.chat.completions.create(model="test-model", messages=MESSAGES)
    assert reply.usage is not None
    assert reply.usage.prompt_tokens_details is not None
    assert reply.usage.prompt_tokens_details.cached_tokens == reply.usage.prompt_tokens - 1


async def test_stops_at_the_limit() -> None:
    async with official(chooses("One two three four five")) as (client, _):
        reply = await client.chat.completions.create(
            model="test-model", messages=MESSAGES, max_completion_tokens=3
        )
    assert reply.choices[0].finish_reason == "length"
    assert reply.choices[0].message.content == "One two"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, openai.BadRequestError),
        (401, openai.AuthenticationError),
        (404, openai.NotFoundError),
        (429, openai.RateLimitError),
        (500, openai.InternalServerError),
    ],
)
async def test_refuses(status: int, error: type[openai.APIStatusError]) -> None:
    model = chooses("x", fault=Fault.of_status(status, retry_after="7"))
    async with official(model) as (client, _):
        with pytest.raises(error) as refused:
            await client.chat.completions.create(model="test-model", messages=MESSAGES)
    assert refused.value.response.headers["Retry-After"] == "7"
    assert isinstance(refused.value.body, dict)
    assert refused.value.body["message"]


async def test_refuses_a_wrong_key() -> None:
    async with official(chooses("x", key=KEY), key="wrong") as (client, _):
        with pytest.raises(openai.AuthenticationError, match="Incorrect API key"):
            await client.models.list()


async def test_refuses_an_unknown_model() -> None:
    async with official(chooses("x")) as (client, _):
        with pytest.raises(openai.NotFoundError) as refused:
            await client.chat.completions.create(model="other", messages=MESSAGES)
    assert refused.value.code == "model_not_found"


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": []},
        {"top_logprobs": 3},
        {"logprobs": True, "top_logprobs": 21},
        {"response_format": {"type": "poem"}},
    ],
)
async def test_refuses_nonsense(wrong: Any) -> None:
    async with official(chooses("x")) as (client, _):
        with pytest.raises(openai.BadRequestError):
            await client.chat.completions.create(
                **({"model": "test-model", "messages": MESSAGES} | wrong)
            )


async def test_refuses_what_is_not_json() -> None:
    async with official(chooses("x")) as (client, _):
        with pytest.raises(openai.BadRequestError, match="parse the JSON"):
            await client.post("/chat/completions", content=b"{half", cast_to=object)


async def test_is_gone_when_stopped_and_back_when_started() -> None:
    async with official(chooses("Yes.")) as (client, server):
        await server.suffer(Fault("stopped"))
        with pytest.raises(openai.APIConnectionError):
            await client.models.list()
        await server.suffer(Fault())
        assert [model.id async for model in await client.models.list()] == ["test-model"]

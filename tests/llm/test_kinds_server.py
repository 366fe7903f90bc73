"""The stand-ins for the kinds of server are right: OpenAI's own client works with each, and fails as with the real."""

from contextlib import asynccontextmanager
from functools import partial
import json
from typing import TYPE_CHECKING, Any

import aiohttp
import openai
import pytest

from tests.servers import KINDS, Fault, RunningServer, ScriptedModel, kind_app

from .conftest import KEY, SCHEMA

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

MESSAGES: Any = [{"role": "user", "content": "turn on the lamp"}]
FORMAT: Any = {
    "type": "json_schema",
    "json_schema": {"name": "choice", "strict": True, "schema": SCHEMA},
}
GOOD = {"agent": "light-agent"}
# Some kinds call a wrong key or a missing model a bad request.
ERRORS: dict[int, type[openai.APIStatusError]] = {
    400: openai.BadRequestError,
    401: openai.AuthenticationError,
    404: openai.NotFoundError,
}


@asynccontextmanager
async def official(
    kind: str, given: str = KEY, **model: Any
) -> AsyncGenerator[tuple[openai.AsyncOpenAI, RunningServer[ScriptedModel]]]:
    scripted = ScriptedModel(lambda _messages, schema: GOOD if schema else "Good evening.", **model)
    async with (
        RunningServer(partial(kind_app, kind=KINDS[kind]), scripted) as server,
        openai.AsyncOpenAI(
            api_key=given, base_url=server.url + KINDS[kind].path, max_retries=0, timeout=5
        ) as client,
    ):
        yield client, server


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_answers_streams_and_lists(kind: str) -> None:
    async with official(kind, key=KEY) as (client, _):
        reply = await client.chat.completions.create(
            model="test-model", messages=MESSAGES, response_format=FORMAT
        )
        assert json.loads(reply.choices[0].message.content or "") == GOOD
        assert reply.usage is not None
        told = reply.usage.prompt_tokens_details
        assert (told is not None) == KINDS[kind].counts_cached
        stream = await client.chat.completions.create(
            model="test-model",
            messages=MESSAGES,
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = [chunk async for chunk in stream]
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
        assert text == "Good evening."
        assert chunks[-1].usage is not None
        listed = [model.id async for model in await client.models.list()]
    assert f"{KINDS[kind].model_prefix}test-model" in listed
    assert len(listed) == 1 + len(KINDS[kind].others)


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_refuses_a_wrong_key_and_an_unknown_model(kind: str) -> None:
    async with official(kind, "wrong", key=KEY) as (client, _):
        with pytest.raises(ERRORS[KINDS[kind].unknown_key_status]):
            await client.chat.completions.create(model="test-model", messages=MESSAGES)
        if KINDS[kind].lists_openly:
            assert [model.id async for model in await client.models.list()]
        else:
            with pytest.raises(ERRORS[KINDS[kind].unknown_key_status]):
                await client.models.list()
    async with official(kind) as (client, _):
        with pytest.raises(ERRORS[KINDS[kind].unknown_model_status]):
            await client.chat.completions.create(model="other", messages=MESSAGES)


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, openai.AuthenticationError),
        (429, openai.RateLimitError),
        (503, openai.InternalServerError),
    ],
)
async def test_fails_with_the_status_and_a_reason(
    kind: str, status: int, error: type[openai.APIStatusError]
) -> None:
    async with official(kind, fault=Fault.of_status(status, "7")) as (client, _):
        with pytest.raises(error) as refused:
            await client.chat.completions.create(model="test-model", messages=MESSAGES)
    assert refused.value.response.headers["Retry-After"] == "7"
    assert refused.value.body


async def test_gemini_puts_its_errors_into_a_list_and_takes_no_field_it_does_not_know() -> None:
    async with official("gemini") as (client, _):
        with pytest.raises(openai.BadRequestError) as refused:
            await client.chat.completions.create(
                model="models/test-model",
                messages=MESSAGES,
                extra_body={"chat_template_kwargs": {"enable_thinking": False}},
            )
        assert json.loads(refused.value.response.text)[0]["error"]["status"] == "INVALID_ARGUMENT"
        reply = await client.chat.completions.create(
            model="models/test-model", messages=MESSAGES, reasoning_effort="none"
        )
        assert reply.choices[0].message.content == "Good evening."


async def test_lm_studio_knows_no_bare_object_and_answers_everywhere() -> None:
    async with official("lmstudio") as (client, server):
        with pytest.raises(openai.BadRequestError, match="must be 'json_schema' or 'text'"):
            await client.chat.completions.create(
                model="test-model", messages=MESSAGES, response_format={"type": "json_object"}
            )
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"{server.url}/models") as response,
        ):
            assert response.status == 200
            assert "Unexpected endpoint" in (await response.json())["error"]


async def test_openrouter_finds_no_server_where_none_knows_what_is_required() -> None:
    async with official("openrouter", refuses=frozenset({"logprobs"})) as (client, _):
        with pytest.raises(openai.NotFoundError, match="No endpoints found"):
            await client.chat.completions.create(
                model="test-model",
                messages=MESSAGES,
                logprobs=True,
                extra_body={"provider": {"require_parameters": True}},
            )


async def test_openrouter_says_that_it_is_busy_before_it_answers() -> None:
    async with official("openrouter") as (_, server), aiohttp.ClientSession() as session:
        url = f"{server.url}/api/v1/chat/completions"
        body = {"model": "test-model", "messages": MESSAGES, "stream": True}
        async with session.post(url, json=body) as response:
            assert (await response.text()).startswith(": OPENROUTER PROCESSING\n\n")
        async with session.post(url, json=body | {"stream": False}) as response:
            assert (await response.read())[:1].isspace()

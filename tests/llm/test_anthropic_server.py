"""The stand-in for Anthropic is right: Anthropic's own client works with it."""

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import anthropic
import pytest

from tests.servers import Fault, RunningServer, ScriptedModel, anthropic_app
from tests.servers.anthropic import VERSIONS

from .conftest import KEY, SCHEMA

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

MESSAGES: Any = [{"role": "user", "content": "turn on the lamp"}]
TOOL: Any = {"name": "choice", "description": "Choose.", "input_schema": SCHEMA}
FORCED: Any = {"type": "tool", "name": "choice", "disable_parallel_tool_use": True}
MARK = {"cache_control": {"type": "ephemeral"}}
ASK: Any = {"model": "test-model", "max_tokens": 50, "messages": MESSAGES}


@asynccontextmanager
async def official(
    model: ScriptedModel, key: str = KEY
) -> AsyncGenerator[tuple[anthropic.AsyncAnthropic, RunningServer[ScriptedModel]]]:
    async with (
        RunningServer(anthropic_app, model) as server,
        anthropic.AsyncAnthropic(
            api_key=key, base_url=server.url, max_retries=0, timeout=5
        ) as client,
    ):
        yield client, server


def chooses(agent: str, **model: Any) -> ScriptedModel:
    return ScriptedModel(lambda _messages, schema: {"agent": agent} if schema else agent, **model)


async def test_lists_models_page_by_page() -> None:
    names = [f"model-{number}" for number in range(5)]
    async with official(chooses("x", names=names)) as (client, _):
        first = await client.models.list(limit=2)
        assert (first.has_more, first.first_id, first.last_id) == (True, "model-0", "model-1")
        assert [model.id async for model in first] == names
        last = await client.models.list(limit=2, after_id="model-3")
        assert ([model.id for model in last.data], last.has_more) == (["model-4"], False)


async def test_lists_a_model_as_the_real_one_does() -> None:
    async with official(chooses("x")) as (client, _):
        (model,) = (await client.models.list()).data
        assert (model.id, model.display_name, model.lifecycle) == (
            "test-model",
            "Test-Model",
            "active",
        )


async def test_misses_a_model() -> None:
    async with official(chooses("x")) as (client, _):
        with pytest.raises(anthropic.NotFoundError, match="model: other"):
            await client.messages.create(**ASK | {"model": "other"})


async def test_answers() -> None:
    model = chooses("Good evening.")
    async with official(model) as (client, _):
        reply = await client.messages.create(
            **ASK, system="Be kind.", thinking={"type": "disabled"}
        )
    assert [block.text for block in reply.content if block.type == "text"] == ["Good evening."]
    assert (reply.stop_reason, reply.role, reply.model) == ("end_turn", "assistant", "test-model")
    assert reply.usage.output_tokens == len(["Good", " ", "even", "ing", "."])
    assert reply.usage.input_tokens > 0
    assert model.requests[0].messages == [("system", "Be kind."), ("user", "turn on the lamp")]


@pytest.mark.parametrize("wanted", [FORCED, {"type": "any"}, {"type": "auto"}])
async def test_uses_a_tool(wanted: Any) -> None:
    model = chooses("light-agent")
    async with official(model) as (client, _):
        reply = await client.messages.create(**ASK, tools=[TOOL], tool_choice=wanted)
    (used,) = reply.content
    assert used.type == "tool_use"
    assert (used.name, used.input) == ("choice", {"agent": "light-agent"})
    assert reply.stop_reason == "tool_use"
    assert model.requests[0].schema == SCHEMA


async def test_answers_in_words_where_no_tool_may_be_used() -> None:
    async with official(chooses("light-agent")) as (client, _):
        reply = await client.messages.create(**ASK, tools=[TOOL], tool_choice={"type": "none"})
    assert [block.type for block in reply.content] == ["text"]


async def test_closes_what_was_cut_short() -> None:
    async with official(chooses("light-agent")) as (client, _):
        reply = await client.messages.create(
            **ASK | {"max_tokens": 3}, tools=[TOOL], tool_choice=FORCED
        )
        text = await client.messages.create(**ASK | {"max_tokens": 2})
    assert (reply.stop_reason, text.stop_reason) == ("max_tokens", "max_tokens")
    assert [block.input for block in reply.content if block.type == "tool_use"] == [{}]


async def test_streams_text() -> None:
    async with (
        official(chooses("Good evening to you.")) as (client, _),
        client.messages.stream(**ASK) as stream,
    ):
        pieces = [text async for text in stream.text_stream]
        message = await stream.get_final_message()
    assert "".join(pieces) == "Good evening to you."
    assert len(pieces) > 5
    assert message.stop_reason == "end_turn"
    assert message.usage.output_tokens > 5
    assert message.usage.input_tokens > 0


async def test_streams_a_tool_and_the_thought_before_it() -> None:
    model = chooses("light-agent", refuses=frozenset({"thinking"}))
    async with (
        official(model) as (client, _),
        client.messages.stream(**ASK, tools=[TOOL], tool_choice=FORCED) as stream,
    ):
        message = await stream.get_final_message()
    thought, used = message.content
    assert thought.type == "thinking"
    assert (thought.thinking, thought.signature) == ("That is about a lamp.", "c2lnbmVk")
    assert used.type == "tool_use"
    assert used.input == {"agent": "light-agent"}
    assert message.stop_reason == "tool_use"


async def test_raw_events_have_the_order_of_the_protocol() -> None:
    async with official(chooses("Yes.")) as (client, _):
        stream = await client.messages.create(**ASK, stream=True)
        kinds = [event.type async for event in stream]
    assert kinds == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


async def test_keeps_what_a_breakpoint_ends_and_nothing_else() -> None:
    system: Any = [{"type": "text", "text": "Choose the agent for what is said."} | MARK]
    async with official(chooses("Yes.")) as (client, _):
        plain = [(await client.messages.create(**ASK)).usage for _ in range(2)]
        first = (await client.messages.create(**ASK, system=system)).usage
        again = (await client.messages.create(**ASK, system=system)).usage
        changed: Any = [{"type": "text", "text": "Choose an agent."} | MARK]
        other = (await client.messages.create(**ASK, system=changed)).usage
    for usage in plain:
        assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (0, 0)
    assert first.cache_read_input_tokens == again.cache_creation_input_tokens == 0
    assert first.cache_creation_input_tokens == again.cache_read_input_tokens
    assert first.cache_creation_input_tokens
    assert first.input_tokens == again.input_tokens == plain[0].input_tokens
    assert other.cache_read_input_tokens == 0


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, anthropic.BadRequestError, "invalid_request_error"),
        (401, anthropic.AuthenticationError, "authentication_error"),
        (403, anthropic.PermissionDeniedError, "permission_error"),
        (404, anthropic.NotFoundError, "not_found_error"),
        (429, anthropic.RateLimitError, "rate_limit_error"),
        (500, anthropic.InternalServerError, "api_error"),
        (529, anthropic.OverloadedError, "overloaded_error"),
    ],
)
async def test_refuses(status: int, error: type[anthropic.APIStatusError], kind: str) -> None:
    model = chooses("x", fault=Fault.of_status(status, retry_after="7"))
    async with official(model) as (client, _):
        with pytest.raises(error) as refused:
            await client.messages.create(**ASK)
    assert (refused.value.status_code, refused.value.type) == (status, kind)
    assert refused.value.response.headers["Retry-After"] == "7"


async def test_wants_its_key() -> None:
    async with official(chooses("x", key=KEY), key="wrong") as (client, server):
        with pytest.raises(anthropic.AuthenticationError, match="invalid x-api-key"):
            await client.models.list()
        with pytest.raises(anthropic.AuthenticationError):
            await client.messages.create(**ASK)
        async with (
            aiohttp.ClientSession() as session,
            session.get(
                f"{server.url}/v1/models", headers={"anthropic-version": VERSIONS[0]}
            ) as reply,
        ):
            assert reply.status == 401
            assert "header is required" in await reply.text()


async def test_wants_the_version_of_the_protocol() -> None:
    async with (
        official(chooses("x")) as (_, server),
        aiohttp.ClientSession() as session,
        session.post(f"{server.url}/v1/messages", json=ASK) as reply,
    ):
        assert reply.status == 400
        body = await reply.json()
    assert body["error"]["type"] == "invalid_request_error"
    assert "anthropic-version" in body["error"]["message"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "hm"}]}, "first message must use"),
        ({"messages": [{"role": "system", "content": "hm"}]}, "messages.0.role"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]}, "non-white"),
        ({"messages": [{"role": "user", "content": ""}]}, "non-white"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": None}, "max_tokens"),
        ({"extra_headers": {"anthropic-version": "2024-01-01"}}, "not a valid version"),
        ({"extra_body": {"logprobs": True}}, "logprobs: Extra inputs"),
        ({"tool_choice": FORCED}, "while providing tools"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "other"}}, "'other' not found"),
        ({"tools": [TOOL], "tool_choice": {"type": "tool"}}, "Field required"),
        ({"tools": [TOOL | {"name": "two words"}]}, "tools.0.name"),
        ({"tools": [TOOL | {"input_schema": {"type": "array"}}]}, "tools.0.input_schema.type"),
        ({"system": [{"type": "text", "text": str(n)} | MARK for n in range(5)]}, "maximum of 4"),
    ],
)
async def test_refuses_nonsense(wrong: Any, message: str) -> None:
    model = chooses("x")
    async with official(model) as (client, _):
        with pytest.raises(anthropic.BadRequestError, match=message) as refused:
            await client.messages.create(**(ASK | wrong))
    assert refused.value.type == "invalid_request_error"
    assert model.requests == []


@pytest.mark.parametrize(
    ("version", "temperature", "message"),
    [
        ("2023-06-01", 1.5, "temperature: Input should be less than or equal to 1"),
        ("2023-06-01", 0.5, None),
        ("2026-10-21", 0.5, "temperature: Extra inputs"),
    ],
)
async def test_takes_a_temperature_only_in_the_older_version(
    version: str, temperature: float, message: str | None
) -> None:
    ask = ASK | {
        "extra_body": {"temperature": temperature},
        "extra_headers": {"anthropic-version": version},
    }
    model = chooses("x")
    async with official(model) as (client, _):
        if message is None:
            await client.messages.create(**ask)
        else:
            with pytest.raises(anthropic.BadRequestError, match=message):
                await client.messages.create(**ask)
    assert [asked.temperature for asked in model.requests] == ([] if message else [temperature])


@pytest.mark.parametrize("body", [b"{half", b"[]"])
async def test_refuses_what_is_no_request(body: bytes) -> None:
    async with official(chooses("x")) as (client, _):
        with pytest.raises(anthropic.BadRequestError, match="not valid JSON"):
            await client.post("/v1/messages", content=body, cast_to=object)


async def test_refuses_an_unknown_place_in_the_list() -> None:
    async with official(chooses("x")) as (client, _):
        with pytest.raises(anthropic.NotFoundError):
            await client.models.list(after_id="other")
        with pytest.raises(anthropic.BadRequestError, match="limit"):
            await client.models.list(limit=1001)


async def test_is_gone_when_stopped_and_back_when_started() -> None:
    async with official(chooses("Yes.")) as (client, server):
        await server.suffer(Fault("stopped"))
        with pytest.raises(anthropic.APIConnectionError):
            await client.models.list()
        await server.suffer(Fault())
        assert [model.id async for model in await client.models.list()] == ["test-model"]

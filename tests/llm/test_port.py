"""Every call to a model is a request by the contract, and counted, those that fail too."""

from collections.abc import AsyncGenerator, Sequence
import json
from typing import Any
from unittest.mock import patch

import pytest

from custom_components.bellboard.llm import port
from custom_components.bellboard.llm.envelope import TOOL, checked
from custom_components.bellboard.llm.errors import ToolError, UnreachableError
from custom_components.bellboard.llm.models import (
    Completion,
    Delta,
    FunctionCall,
    Message,
    Tool,
    Usage,
)
from custom_components.bellboard.llm.port import ModelPort, ModelUse

from .conftest import Build

CALLS = (
    FunctionCall(id="1", name="act", arguments={"instruction": "sing"}),
    FunctionCall(id="2", name="a_name_that_was_made_up", arguments={}),
)


class Client:
    """A model that answers or fails."""

    provider = "test"
    model = "tiny"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.closed = False
        self.asked: list[tuple[list[Message], dict[str, Any]]] = []

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        self.asked.append((list(messages), options))
        if self.error:
            raise self.error
        usage = Usage(prompt_tokens=10, cached_tokens=4, completion_tokens=2)
        calls = CALLS if options.get("tools") else ()
        return Completion(text="x", model="tiny", usage=usage, tool_calls=calls)

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        self.asked.append((list(messages), options))
        try:
            yield Delta(text="x")
            if self.error:
                raise self.error
            if options.get("tools"):
                yield Delta(tool_calls=CALLS)
            yield Delta(finish_reason="stop", usage=Usage(prompt_tokens=5, completion_tokens=1))
        finally:
            self.closed = True

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        return ["tiny"]


def metered(error: Exception | None = None) -> tuple[ModelPort, ModelUse]:
    use = ModelUse()
    return ModelPort(Client(error), use), use


async def asked(client: ModelPort, *messages: Message, streams: bool, **options: Any) -> None:
    """Ask in one of the two ways."""
    if streams:
        _ = [delta async for delta in client.stream(messages, **options)]
    else:
        await client.complete(messages, **options)


async def test_calls_and_tokens_are_summed() -> None:
    client, use = metered()
    await client.complete([])
    await client.complete([])
    assert [delta.text async for delta in client.stream([])] == ["x", ""]
    assert use.as_json() == {
        "calls": 3,
        "prompt_tokens": 25,
        "cached_tokens": 8,
        "completion_tokens": 5,
    }


@pytest.mark.parametrize("streams", [False, True])
async def test_tools_are_noted_by_the_names_that_were_offered(*, streams: bool) -> None:
    client, use = metered()
    offered = [Tool(name="act", description="Acts.", parameters={"type": "object"})]
    await asked(client, streams=streams, tools=offered)
    [call] = use.log
    assert (call.purpose, call.tools) == ("tools", ("act", "unknown"))


async def test_calls_that_fail_are_calls() -> None:
    client, use = metered(UnreachableError())
    with pytest.raises(UnreachableError):
        await client.complete([])
    with pytest.raises(UnreachableError):
        _ = [delta async for delta in client.stream([])]
    assert use.calls == 2
    assert use.usage == Usage()


async def test_a_stream_that_is_left_is_closed() -> None:
    inner = Client()
    client = ModelPort(inner, ModelUse())
    stream = client.stream([])
    async for _ in stream:
        break
    await stream.aclose()
    assert inner.closed


async def test_asking_what_there_is_is_not_counted() -> None:
    client, use = metered()
    assert await client.list_models() == ["tiny"]
    assert use.calls == 0
    assert (client.provider, client.model) == ("test", "tiny")


SYSTEM, USER = Message(role="system", content="Dark."), Message(role="user", content="Hello.")
ASKS = Message(role="assistant", content="", tool_calls=CALLS[:1])
TOLD = Message(role="tool", content="{}", answers=CALLS[0])


@pytest.mark.parametrize(
    "messages",
    [
        [USER],
        [SYSTEM, USER],
        [SYSTEM],
        [Message(role="system", content=" "), USER],
        [SYSTEM, USER, ASKS, TOLD],
        [SYSTEM, USER, ASKS, TOLD, USER],
        [SYSTEM, Message(role="user", content="")],
        [SYSTEM, SYSTEM, USER, Message(role="assistant", content="{}"), USER],
    ],
)
@pytest.mark.parametrize("streams", [False, True])
async def test_a_client_is_asked_as_without_the_port(
    messages: list[Message], *, streams: bool
) -> None:
    inner = Client()
    client = ModelPort(inner)
    offered = [Tool(name="act", description="Acts.", parameters={"type": "object"})]
    options: dict[str, Any] = {"temperature": 0, "max_tokens": 9, "tools": offered, "timeout": 5.0}
    if not streams:
        options |= {"schema": {"type": "object"}, "schema_name": "choice", "logprobs": True}
    await asked(client, *messages, streams=streams, **options)
    assert inner.asked == [(messages, options)]
    assert type(inner.asked[0][1]["temperature"]) is int
    assert inner.asked[0][1]["tools"] is offered


@pytest.mark.parametrize("streams", [False, True])
async def test_a_server_is_sent_what_it_would_be_without_the_port(
    build: Build, provider: str, *, streams: bool
) -> None:
    written = {"zone": "attic", "agent": "light", "mood": "calm"}
    house = await build(provider, "Good evening." if streams else written)
    offered = [Tool(name="act", description="Acts.", parameters={"type": "object"})]
    options: dict[str, Any] = {"temperature": 0.5, "max_tokens": 90, "tools": offered}
    if not streams:
        # Models read a schema in its order.
        properties = {name: {"type": "string"} for name in written}
        schema = {"type": "object", "required": [*properties], "properties": properties}
        options |= {"schema": schema, "schema_name": "choice", "logprobs": True}
        del options["tools"]
    for client in (house.client, ModelPort(house.client)):
        if streams:
            _ = [delta async for delta in client.stream([SYSTEM, USER], **options)]
        else:
            await client.complete([SYSTEM, USER], **options)
    without, through = (json.dumps(ask.body) for ask in house.model.requests)
    assert through == without


@pytest.mark.parametrize("streams", [False, True])
async def test_a_call_has_the_response_to_its_request(*, streams: bool) -> None:
    client, use = metered()
    offered = [Tool(name="act", description="Acts.", parameters={"type": "object"})]
    await asked(client, SYSTEM, USER, streams=streams, tools=offered)
    [call] = use.log
    request, response = call.request, call.response
    assert (request.context, request.payload.prompt) == ("Dark.", "Hello.")
    assert request.correlation_id == use.correlation_id
    assert response is checked(request, response)  # type: ignore[arg-type]
    assert response.result
    assert response.result.data == "x"
    assert response.result.metadata == {
        "provider": "test",
        "model": "tiny",
        "tool_calls": [each.model_dump() for each in CALLS],
    }


@pytest.mark.parametrize("streams", [False, True])
async def test_what_nobody_expected_is_the_tools_error(*, streams: bool) -> None:
    client, use = metered(KeyError("swordfish"))
    with pytest.raises(ToolError) as failed:
        await asked(client, streams=streams)
    assert str(failed.value) == "llm_router_agent failed (unexpected): KeyError"
    [call] = use.log
    assert (call.response, call.error) == (None, "ToolError")


async def test_a_response_that_breaks_the_contract_is_the_tools_error() -> None:
    client, use = metered()
    with (
        patch.object(port, "checked", side_effect=ToolError(TOOL, ToolError.INVALID_RESPONSE)),
        pytest.raises(ToolError),
    ):
        await client.complete([USER])
    assert use.log[0].response is None

"""Every call to the model is counted, those that fail too."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from custom_components.bellboard.llm.errors import UnreachableError
from custom_components.bellboard.llm.models import (
    Completion,
    Delta,
    FunctionCall,
    Message,
    Tool,
    Usage,
)
from custom_components.bellboard.llm.port import ModelPort, ModelUse

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

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        if self.error:
            raise self.error
        usage = Usage(prompt_tokens=10, cached_tokens=4, completion_tokens=2)
        calls = CALLS if options.get("tools") else ()
        return Completion(text="x", model="tiny", usage=usage, tool_calls=calls)

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
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
    if streams:
        _ = [delta async for delta in client.stream([], tools=offered)]
    else:
        await client.complete([], tools=offered)
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

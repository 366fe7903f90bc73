"""A model may ask for tools: each provider's client puts them on the wire and reads the calls, whole and streamed."""

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import anthropic
from hypothesis import given, strategies as st
import ollama
import openai
import pytest

from custom_components.bellboard.llm.errors import BadOutputError
from custom_components.bellboard.llm.models import FunctionCall, Message, Tool
from custom_components.bellboard.llm.tool_calls import MAX_CALLS, CallPiece, assembled
from tests.servers import (
    Call,
    Calls,
    RunningServer,
    ScriptedModel,
    anthropic_app,
    ollama_app,
    openai_app,
)

from .conftest import KEY

if TYPE_CHECKING:
    from .conftest import Build

FORECAST = Tool(
    name="forecast",
    description="The weather of the next days.",
    parameters={"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
)
ASKED = [Message(role="user", content="is it going to rain tomorrow, then?")]
SCHEMA: dict[str, Any] = FORECAST.parameters


def answer(messages: list[Any], _schema: Any) -> Calls | str:
    """Ask for the forecast of two days, and say what came of it once it is there."""
    if "rain at 14" in messages[-1].content:
        return "Yes, at two."
    days = ("tomorrow", "Zürich")
    return Calls(tuple(Call("forecast", {"day": day}) for day in days), "One moment.")


def further(calls: tuple[FunctionCall, ...]) -> list[Message]:
    """Return the messages with the results of calls."""
    results = [Message(role="tool", content="rain at 14", answers=call) for call in calls]
    return [*ASKED, Message(role="assistant", content="One moment.", tool_calls=calls), *results]


async def test_a_model_gets_the_results_of_the_tools_it_asked_for(
    build: Build, provider: str
) -> None:
    house = await build(provider, answer)
    first = await house.client.complete(ASKED, tools=[FORECAST])
    assert first.text == "One moment."
    asked = [(call.name, call.arguments) for call in first.tool_calls]
    assert asked == [("forecast", {"day": "tomorrow"}), ("forecast", {"day": "Zürich"})]
    assert len({call.id for call in first.tool_calls}) == 2
    last = await house.client.complete(further(first.tool_calls), tools=[FORECAST])
    assert (last.text, last.tool_calls) == ("Yes, at two.", ())


async def test_tools_are_asked_for_in_a_stream_too(build: Build, provider: str) -> None:
    house = await build(provider, answer)
    async with aclosing(house.client.stream(ASKED, tools=[FORECAST])) as stream:
        deltas = [delta async for delta in stream]
    assert "".join(delta.text for delta in deltas) == "One moment."
    calls = deltas[-1].tool_calls
    assert [call.arguments for call in calls] == [{"day": "tomorrow"}, {"day": "Zürich"}]
    async with aclosing(house.client.stream(further(calls), tools=[FORECAST])) as stream:
        assert "".join([delta.text async for delta in stream]) == "Yes, at two."


async def test_nothing_is_called_where_no_tool_was_offered(build: Build, provider: str) -> None:
    house = await build(provider, answer)
    assert (await house.client.complete(ASKED)).tool_calls == ()


@pytest.mark.parametrize("provider", ["ollama", "openai"])
async def test_a_model_that_knows_no_tools_answers_without(build: Build, provider: str) -> None:
    house = await build(provider, "I cannot know.", refuses=frozenset({"tools"}))
    completion = await house.client.complete(ASKED, tools=[FORECAST])
    assert (completion.text, completion.tool_calls) == ("I cannot know.", ())


async def test_openais_own_client_reads_what_the_stand_in_calls() -> None:
    async with (
        RunningServer(openai_app, ScriptedModel(answer)) as server,
        openai.AsyncOpenAI(api_key=KEY, base_url=f"{server.url}/v1", max_retries=0) as client,
    ):
        tool: Any = {"type": "function", "function": FORECAST.model_dump()}
        asked: Any = [{"role": "user", "content": "is it going to rain?"}]
        reply = await client.chat.completions.create(
            model="test-model", messages=asked, tools=[tool]
        )
        message: Any = reply.choices[0].message
        assert reply.choices[0].finish_reason == "tool_calls"
        calls: Any = message.tool_calls
        assert [call.function.name for call in calls] == ["forecast", "forecast"]
        results: Any = [
            {"role": "tool", "tool_call_id": call.id, "content": "rain at 14"} for call in calls
        ]
        last = await client.chat.completions.create(
            model="test-model", messages=[*asked, message, *results], tools=[tool]
        )
    assert last.choices[0].message.content == "Yes, at two."


async def test_ollamas_own_client_reads_what_the_stand_in_calls() -> None:
    async with (
        RunningServer(ollama_app, ScriptedModel(answer)) as server,
        ollama.AsyncClient(host=server.url) as client,
    ):
        tool: Any = {"type": "function", "function": FORECAST.model_dump()}
        asked: Any = [{"role": "user", "content": "is it going to rain?"}]
        reply = await client.chat("test-model", asked, tools=[tool])
        called = [
            (call.function.name, call.function.arguments) for call in reply.message.tool_calls or ()
        ]
        assert called[0] == ("forecast", {"day": "tomorrow"})
        result = {"role": "tool", "tool_name": "forecast", "content": "rain at 14"}
        last = await client.chat("test-model", [*asked, reply.message, result], tools=[tool])
    assert last.message.content == "Yes, at two."


async def test_anthropics_own_client_reads_what_the_stand_in_calls() -> None:
    async with (
        RunningServer(anthropic_app, ScriptedModel(answer)) as server,
        anthropic.AsyncAnthropic(api_key=KEY, base_url=server.url, max_retries=0) as client,
    ):
        tool: Any = {
            "name": "forecast",
            "description": FORECAST.description,
            "input_schema": FORECAST.parameters,
        }
        asked: Any = [{"role": "user", "content": "is it going to rain?"}]
        request: Any = {"model": "test-model", "max_tokens": 99, "tools": [tool]}
        reply = await client.messages.create(messages=asked, **request)
        assert reply.stop_reason == "tool_use"
        used: list[Any] = [block for block in reply.content if block.type == "tool_use"]
        assert [block.input for block in used] == [{"day": "tomorrow"}, {"day": "Zürich"}]
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": "rain at 14"}
            for block in used
        ]
        told: Any = [
            *asked,
            {"role": "assistant", "content": reply.content},
            {"role": "user", "content": results},
        ]
        async with client.messages.stream(messages=told, **request) as stream:
            assert await stream.get_final_text() == "Yes, at two."


@pytest.mark.parametrize(
    "pieces",
    [
        [CallPiece(index=0, name="forecast", arguments="[1]")],
        [CallPiece(index=0, name="forecast", arguments='{"day": "tom')],
        [CallPiece(index=0, arguments="{}")],
        [CallPiece(name="forecast") for _ in range(MAX_CALLS + 1)],
        [CallPiece(index=0, name="forecast", arguments='{"day": NaN}')],
    ],
)
def test_calls_that_cannot_be_read_are_refused(pieces: list[CallPiece]) -> None:
    with pytest.raises(BadOutputError):
        assembled(pieces)


def test_calls_that_were_cut_short_are_refused() -> None:
    with pytest.raises(BadOutputError):
        assembled([CallPiece(index=0, name="forecast", arguments="{}")], cut_short=True)


_VALUES = st.dictionaries(st.text(max_size=5), st.text(max_size=8) | st.integers() | st.booleans())


@given(st.lists(_VALUES, min_size=1, max_size=4), st.integers(1, 7))
def test_arguments_are_whole_however_they_are_cut(
    arguments: list[dict[str, Any]], size: int
) -> None:
    pieces: list[CallPiece] = []
    for index, one in enumerate(arguments):
        text = FunctionCall(id="", name="", arguments=one).model_dump_json(include={"arguments"})
        written = text.removeprefix('{"arguments":').removesuffix("}")
        cut = [written[at : at + size] for at in range(0, len(written), size)]
        pieces.append(CallPiece(index=index, id=f"id{index}", name="forecast"))
        pieces += [CallPiece(index=index, arguments=part) for part in cut]
    calls = assembled(pieces)
    assert [call.arguments for call in calls] == arguments
    assert [call.id for call in calls] == [f"id{index}" for index in range(len(arguments))]

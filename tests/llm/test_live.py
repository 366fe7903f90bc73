"""The wire against a real model, directly and through Ollama's protocol.

Runs where BELLBOARD_LLM_URL names a llama.cpp server, as in "http://127.0.0.1:8090".
"""

import os
from typing import TYPE_CHECKING, Any

import jsonschema
import ollama
import pytest

from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.errors import BadOutputError
from custom_components.bellboard.llm.logprobs import choice_distribution
from custom_components.bellboard.llm.models import FunctionCall, Message, Tool
from custom_components.bellboard.llm.providers import create_client
from tests import capable_schemas
from tests.servers import RunningServer, Upstream, ollama_app

from .conftest import AGENTS, SCHEMA

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import aiohttp

URL = os.environ.get("BELLBOARD_LLM_URL", "")
RULES = "Choose the agent for what is said. light-agent: lamps. music-agent: songs. climate-agent: heating."
EXAMPLES = [
    ("switch on the lamp", "light-agent"),
    ("play the next song", "music-agent"),
    ("make it warmer", "climate-agent"),
]

TOOLS = [
    Tool(
        name="switch_lamp",
        description="Switches a lamp on or off.",
        parameters={
            "type": "object",
            "properties": {"lamp": {"type": "string"}, "on": {"type": "boolean"}},
            "required": ["lamp", "on"],
        },
    ),
    Tool(name="read_clock", description="Tells the time.", parameters={"type": "object"}),
]

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not URL, reason="BELLBOARD_LLM_URL names no server"),
]


def question(sentence: str) -> list[Message]:
    messages = [Message(role="system", content=RULES)]
    for said, agent in EXAMPLES:
        messages.append(Message(role="user", content=said))
        messages.append(Message(role="assistant", content=f'{{"agent":"{agent}"}}'))
    return [*messages, Message(role="user", content=sentence)]


@pytest.fixture(params=["openai", "ollama"])
async def real(
    request: pytest.FixtureRequest, session: aiohttp.ClientSession
) -> AsyncGenerator[ModelClient]:
    """Each client with the real model."""
    if request.param == "openai":
        yield create_client("openai", session, url=URL)
        return
    async with RunningServer(ollama_app, Upstream(URL)) as server:
        yield create_client("ollama", session, url=server.url, model="smollm2:135m")


async def test_a_real_model_keeps_to_the_schema_and_says_how_sure_it_is(real: ModelClient) -> None:
    for sentence in ("turn off the lamp", "play some jazz", "it is cold in here"):
        completion = await real.complete(
            question(sentence), schema=SCHEMA, temperature=0, max_tokens=60, logprobs=True
        )
        assert completion.data is not None
        chosen = completion.data["agent"]
        assert chosen in AGENTS
        spread = choice_distribution(completion, "agent", AGENTS)
        assert spread is not None
        assert 0 < spread[chosen] <= 1


async def test_a_real_server_counts_what_it_cached(real: ModelClient) -> None:
    await real.complete(question("one"), max_tokens=1)
    usage = (await real.complete(question("two"), max_tokens=1)).usage
    assert usage.completion_tokens == 1
    assert usage.prompt_tokens > 50
    assert usage.cached_tokens > usage.prompt_tokens * 0.8


async def test_a_real_model_streams(real: ModelClient) -> None:
    deltas = [
        delta
        async for delta in real.stream(
            [Message(role="user", content="Count from one to ten.")], max_tokens=12, temperature=0
        )
    ]
    assert len([delta for delta in deltas if delta.text]) > 1
    assert deltas[-1].finish_reason in ("stop", "length")
    assert deltas[-1].usage is not None
    assert 0 < deltas[-1].usage.completion_tokens <= 12


@pytest.mark.every_model
async def test_a_real_server_takes_tools_and_whatever_it_answers_is_read(
    session: aiohttp.ClientSession,
) -> None:
    """A tiny model may call a tool, or another than is there, or say something instead."""
    client = create_client("openai", session, url=URL)
    asked = [Message(role="user", content="switch the hall lamp on")]
    # Enough for a call; a tiny model that only talks may talk on.
    options: dict[str, Any] = {"tools": TOOLS, "temperature": 0, "max_tokens": 200, "timeout": 90}
    first = await client.complete(asked, **options)
    assert first.tool_calls or first.text
    assert first.usage.prompt_tokens > len(["switch_lamp", "read_clock"])
    deltas = [delta async for delta in client.stream(asked, **options)]
    assert deltas[-1].tool_calls or any(delta.text for delta in deltas)
    called = first.tool_calls or (
        FunctionCall(id="call_1", name="switch_lamp", arguments={"lamp": "hall", "on": True}),
    )
    results = [Message(role="tool", content="The lamp is on.", answers=call) for call in called]
    turn = [*asked, Message(role="assistant", content=first.text, tool_calls=called), *results]
    second = await client.complete(turn, **options)
    assert second.usage.prompt_tokens > first.usage.prompt_tokens


async def test_a_real_model_runs_out_of_tokens(real: ModelClient) -> None:
    with pytest.raises(BadOutputError, match="cut short"):
        await real.complete(question("lamp"), schema=SCHEMA, max_tokens=3)


async def test_the_real_server_lists_its_models(real: ModelClient) -> None:
    assert await real.list_models()


async def test_the_official_client_talks_to_it_through_ollamas_protocol() -> None:
    async with (
        RunningServer(ollama_app, Upstream(URL)) as server,
        ollama.AsyncClient(host=server.url, timeout=20) as client,
    ):
        messages = [message.model_dump() for message in question("turn on the lamp")]
        reply = await client.chat(
            "smollm2:135m", messages, format=SCHEMA, logprobs=True, top_logprobs=3
        )
        assert reply.message.content
        assert reply.logprobs
        parts = [part async for part in await client.chat("smollm2:135m", messages, stream=True)]
        assert parts[-1].done
        assert parts[-1].eval_count


@pytest.mark.parametrize("name", capable_schemas.SCHEMAS)
async def test_a_real_server_binds_a_model_by_the_capable_schemas(
    real: ModelClient, name: str
) -> None:
    schema = capable_schemas.SCHEMAS[name]
    try:
        completion = await real.complete(
            question("switch on the lamp"), schema=schema, schema_name=name, max_tokens=300
        )
    except BadOutputError as err:
        # A tiny model may write on until it is cut short; what it wrote has begun as it must.
        if "cut short" not in str(err):
            raise
        return
    jsonschema.Draft202012Validator(without_ranges(schema)).validate(completion.data)


def without_ranges(schema: Any) -> Any:
    """Return a schema without the ranges of its numbers, which llama.cpp does not bind; they are checked by us."""
    if isinstance(schema, list):
        return [without_ranges(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: without_ranges(each)
        for name, each in schema.items()
        if name not in {"minimum", "maximum"} or isinstance(each, dict)
    }

"""Anthropic's protocol against a real model: as llama.cpp speaks it itself, and through the stand-in.

Runs where BELLBOARD_LLM_URL names a llama.cpp server, as in "http://127.0.0.1:8090". llama.cpp's own
form of the protocol makes only some models use a tool, so that answers with a schema are proved
through the stand-in, which hands the schema on.
"""

from typing import TYPE_CHECKING

import anthropic
import pytest

from custom_components.bellboard.llm.errors import BadOutputError
from custom_components.bellboard.llm.models import Message
from custom_components.bellboard.llm.providers import create_client
from tests.servers import RunningServer, Upstream, anthropic_app

from .conftest import AGENTS, KEY, SCHEMA
from .test_live import URL, question

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import aiohttp

    from custom_components.bellboard.llm.client import ModelClient

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not URL, reason="BELLBOARD_LLM_URL names no server"),
]
COUNTING = [Message(role="user", content="Count from one to ten.")]


@pytest.fixture(params=["direct", "stand-in"])
async def real(
    request: pytest.FixtureRequest, session: aiohttp.ClientSession
) -> AsyncGenerator[ModelClient]:
    """Our client with the real model, by either way."""
    if request.param == "direct":
        client = create_client("anthropic", session, url=URL)
        model, *_ = await client.list_models()
        yield create_client("anthropic", session, url=URL, model=model)
        return
    async with RunningServer(anthropic_app, Upstream(URL)) as server:
        yield create_client("anthropic", session, url=server.url, model="smollm2:135m")


async def test_a_real_model_streams_and_is_counted(real: ModelClient) -> None:
    deltas = [delta async for delta in real.stream(COUNTING, max_tokens=12, temperature=0)]
    assert len([delta for delta in deltas if delta.text]) > 1
    assert deltas[-1].finish_reason in ("stop", "length")
    assert deltas[-1].usage is not None
    assert deltas[-1].usage.prompt_tokens > 0
    assert 0 < deltas[-1].usage.completion_tokens <= 12


async def test_a_real_server_counts_what_it_cached(real: ModelClient) -> None:
    await real.complete(question("one"), max_tokens=1)
    completion = await real.complete(question("two"), max_tokens=1)
    assert completion.finish_reason == "length"
    assert completion.usage.completion_tokens == 1
    assert completion.usage.prompt_tokens > 50
    assert completion.usage.cached_tokens > completion.usage.prompt_tokens * 0.8


async def test_a_real_model_keeps_to_the_schema(session: aiohttp.ClientSession) -> None:
    async with RunningServer(anthropic_app, Upstream(URL)) as server:
        client = create_client("anthropic", session, url=server.url, model="smollm2:135m")
        for sentence in ("turn off the lamp", "play some jazz", "it is cold in here"):
            completion = await client.complete(
                question(sentence), schema=SCHEMA, temperature=0, max_tokens=60
            )
            assert completion.data is not None
            assert completion.data["agent"] in AGENTS
        with pytest.raises(BadOutputError, match="cut short"):
            await client.complete(question("lamp"), schema=SCHEMA, max_tokens=3)


async def test_the_official_client_talks_to_a_real_model_through_the_stand_in() -> None:
    async with (
        RunningServer(anthropic_app, Upstream(URL)) as server,
        anthropic.AsyncAnthropic(api_key=KEY, base_url=server.url, timeout=20) as client,
    ):
        reply = await client.messages.create(
            model="smollm2:135m",
            max_tokens=60,
            messages=[{"role": "user", "content": "turn on the lamp"}],
            tools=[{"name": "choice", "description": "Choose.", "input_schema": SCHEMA}],
            tool_choice={"type": "tool", "name": "choice"},
        )
        (used,) = reply.content
        assert used.type == "tool_use"
        assert used.input["agent"] in AGENTS

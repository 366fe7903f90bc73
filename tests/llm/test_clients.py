"""What holds for a client of every provider, against a server that the provider's own client works with."""

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest

from custom_components.bellboard.llm.anthropic import DEFAULT_MAX_TOKENS
from custom_components.bellboard.llm.errors import (
    AuthenticationError,
    BadOutputError,
    ModelMissingError,
)
from custom_components.bellboard.llm.logprobs import choice_distribution
from custom_components.bellboard.llm.models import Completion, Message, Usage
from tests.servers import KINDS

from .conftest import KEY, QUESTION, SCHEMA

if TYPE_CHECKING:
    from .conftest import Build

CACHING_BY_THEMSELVES = ["ollama", *(name for name, kind in KINDS.items() if kind.counts_cached)]
"""Those that keep what they like of a prompt and tell of it; the others keep what they are asked to, or do not tell."""
MEASURING = ("ollama", "openai")
"""Protocols that tell how likely each token was."""


async def test_lists_models(build: Build, provider: str) -> None:
    house = await build(provider, names=("one:1b", "two:2b"))
    assert await house.client.list_models() == ["one:1b", "two:2b"]


async def test_misses_its_model(build: Build, provider: str) -> None:
    house = await build(provider, client={"model": "other"})
    with pytest.raises(ModelMissingError):
        await house.client.complete(QUESTION)


async def test_completes_text(build: Build, provider: str) -> None:
    house = await build(provider, "Good evening.")
    completion = await house.client.complete(QUESTION, temperature=0.2, max_tokens=50)
    assert (completion.text, completion.data) == ("Good evening.", None)
    assert (completion.finish_reason, completion.model) == ("stop", "test-model")
    assert completion.usage.completion_tokens == len(["Good", " ", "even", "ing", "."])
    assert completion.logprobs == ()
    ask = house.model.requests[0]
    assert ask.messages == [(message.role, message.content) for message in QUESTION]
    assert (ask.temperature, ask.max_tokens, ask.schema) == (0.2, 50, None)
    assert not ask.stream


async def test_completes_an_object(build: Build, provider: str) -> None:
    house = await build(provider, {"agent": "light-agent", "said": "größer"})
    completion = await house.client.complete(QUESTION, schema=SCHEMA)
    assert completion.data == {"agent": "light-agent", "said": "größer"}
    assert house.model.requests[0].schema == SCHEMA


@pytest.mark.parametrize("value", [0.0, 1])
async def test_zero_is_a_temperature(build: Build, provider: str, value: float) -> None:
    house = await build(provider)
    await house.client.complete(QUESTION, temperature=value)
    assert house.model.requests[0].temperature == value


async def test_leaves_out_what_nobody_chose(build: Build, provider: str) -> None:
    house = await build(provider)
    await house.client.complete(QUESTION)
    ask = house.model.requests[0]
    # One protocol wants a limit.
    assert DEFAULT_MAX_TOKENS == 4096
    limit = DEFAULT_MAX_TOKENS if provider == "anthropic" else None
    assert (ask.temperature, ask.max_tokens, ask.logprobs) == (None, limit, None)


async def test_streams_text(build: Build, provider: str) -> None:
    house = await build(provider, "Good evening to you.")
    deltas = [delta async for delta in house.client.stream(QUESTION, temperature=0, max_tokens=90)]
    assert "".join(delta.text for delta in deltas) == "Good evening to you."
    assert len(deltas) > 5
    assert all(delta.finish_reason is None and delta.usage is None for delta in deltas[:-1])
    assert deltas[-1].finish_reason == "stop"
    assert deltas[-1].usage is not None
    assert deltas[-1].usage.completion_tokens > 5
    ask = house.model.requests[0]
    assert (ask.stream, ask.temperature, ask.max_tokens) == (True, 0, 90)


async def test_streams_no_thoughts(build: Build, provider: str) -> None:
    house = await build(provider, "<think>\nA greeting, I guess.\n</think>\n\nGood evening.")
    text = [delta.text async for delta in house.client.stream(QUESTION)]
    assert "".join(text) == "Good evening."
    assert (await house.client.complete(QUESTION)).text == "Good evening."


async def test_streams_what_looks_like_a_thought_at_first(build: Build, provider: str) -> None:
    house = await build(provider, "<th")
    assert [delta.text async for delta in house.client.stream(QUESTION)] == ["<th", ""]


async def test_stops_a_stream_early(build: Build, provider: str) -> None:
    house = await build(provider, "word " * 5000)
    async with aclosing(house.client.stream(QUESTION)) as deltas:
        async for delta in deltas:
            assert delta.text == "word"
            break
    # The client works on, with a new connection.
    assert (await house.client.complete(QUESTION, max_tokens=1)).text == "word"


async def test_reports_the_token_limit(build: Build, provider: str) -> None:
    house = await build(provider, {"agent": "light-agent"})
    cut = await house.client.complete(QUESTION, max_tokens=3)
    assert cut.finish_reason == "length"
    with pytest.raises(BadOutputError, match="cut short") as refused:
        await house.client.complete(QUESTION, schema=SCHEMA, max_tokens=3)
    # The beginning of the object; one protocol closes it itself.
    assert refused.value.text == ("{}" if provider == "anthropic" else '{"agen')


@pytest.mark.parametrize("provider", CACHING_BY_THEMSELVES)
async def test_counts_what_the_server_cached(build: Build, provider: str) -> None:
    house = await build(provider)
    first = (await house.client.complete(QUESTION)).usage
    again = (await house.client.complete(QUESTION)).usage
    other = [QUESTION[0], Message(role="user", content="play some jazz")]
    third = (await house.client.complete(other)).usage
    assert first.cached_tokens == 0
    assert again.cached_tokens == again.prompt_tokens - 1
    assert 0 < third.cached_tokens < again.cached_tokens
    total = first + again + third
    assert total.prompt_tokens == first.prompt_tokens * 2 + third.prompt_tokens
    assert total.cached_tokens == again.cached_tokens + third.cached_tokens
    assert Usage() + first == first


@pytest.mark.parametrize(
    ("beliefs", "expected"),
    [
        ({"light-agent": 0.7, "music-agent": 0.3}, 0.7),
        ({"light-agent": 0.2, "music-agent": 0.5, "climate-agent": 0.3}, 0.2),
        # They share their beginning, so that a later token decides.
        ({"light-agent": 0.6, "light-show": 0.4}, 0.6),
        # The token that decides leaves two open.
        ({"light-agent": 0.6, "light-agents": 0.1, "light-show": 0.3}, 0.35),
        ({"light-agent": 1.0}, 1.0),
    ],
)
@pytest.mark.parametrize("provider", MEASURING)
async def test_measures_how_sure_the_model_was(
    build: Build, provider: str, beliefs: dict[str, float], expected: float
) -> None:
    house = await build(provider, {"agent": "light-agent", "why": "lamp"}, beliefs=beliefs)
    completion = await house.client.complete(QUESTION, schema=SCHEMA, logprobs=True)
    assert completion.logprobs
    spread = choice_distribution(completion, "agent", list(beliefs))
    assert spread
    assert spread["light-agent"] == pytest.approx(expected)


async def test_sends_its_key(build: Build, provider: str) -> None:
    house = await build(provider, key=KEY)
    await house.client.list_models()
    await house.client.complete(QUESTION)
    assert house.model.requests[0].had_key


async def test_sends_no_key_where_there_is_none(build: Build, provider: str) -> None:
    house = await build(provider, client={"api_key": None})
    await house.client.complete(QUESTION)
    assert not house.model.requests[0].had_key


@pytest.mark.parametrize("key", [None, "", "wrong"])
async def test_wants_the_right_key(build: Build, provider: str, key: str | None) -> None:
    house = await build(provider, key=KEY, client={"api_key": key})
    with pytest.raises(AuthenticationError):
        await house.client.list_models()
    with pytest.raises(AuthenticationError):
        await house.client.complete(QUESTION)
    with pytest.raises(AuthenticationError):
        [delta async for delta in house.client.stream(QUESTION)]


async def test_trims_a_pasted_key(build: Build, provider: str) -> None:
    house = await build(provider, key=KEY, client={"api_key": f" {KEY}\n"})
    assert await house.client.list_models()


async def test_hides_its_key(build: Build, provider: str) -> None:
    house = await build(provider)
    assert KEY not in repr(house.client)
    assert "test-model" in repr(house.client)
    assert KEY not in str(vars(house.client))
    assert KEY not in str(vars(vars(house.client)["_endpoint"]))


def test_completion_survives_json() -> None:
    token: Any = {"token": "gr�", "logprob": -0.5, "bytes": [103, 114, 195], "top_logprobs": None}
    completion = Completion(text="x", model="m", logprobs=(token,))
    assert completion.logprobs[0].piece == b"gr\xc3"
    assert Completion.model_validate_json(completion.model_dump_json()) == completion

"""What only servers of the OpenAI protocol do: refuse this field or that, each in its own way."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from custom_components.bellboard.llm.errors import (
    AuthenticationError,
    BadOutputError,
    ModelMissingError,
    NotAModelServerError,
    QuotaUsedUpError,
    RateLimitedError,
    RequestRejectedError,
    ServerFailedError,
    TooLongError,
)
from custom_components.bellboard.llm.models import Usage
from custom_components.bellboard.llm.providers import create_client

from .canned import Canned
from .conftest import QUESTION, SCHEMA

if TYPE_CHECKING:
    import aiohttp

    from .conftest import Build


async def test_binds_the_answer_to_the_schema(build: Build) -> None:
    house = await build("openai", {"agent": "light-agent"})
    await house.client.complete(QUESTION, schema=SCHEMA, schema_name="choice", logprobs=True)
    body = house.model.requests[0].body
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "choice", "strict": True, "schema": SCHEMA},
    }
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert "stream_options" not in body


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("RoutingDecisionOutput", "RoutingDecisionOutput"),
        ("A title for people", "choice"),
        ("x" * 65, "choice"),
        ("", "choice"),
        (7, "choice"),
    ],
)
async def test_a_schema_is_called_by_its_own_title(build: Build, title: object, name: str) -> None:
    house = await build("openai", {"agent": "light-agent"})
    await house.client.complete(QUESTION, schema=SCHEMA | {"title": title}, schema_name="choice")
    sent = house.model.requests[0].body["response_format"]["json_schema"]
    assert (sent["name"], sent["schema"]["title"]) == (name, title)


async def test_a_schema_with_what_may_be_left_out_is_not_strict(build: Build) -> None:
    house = await build("openai", {"agent": "light-agent"})
    await house.client.complete(QUESTION, schema=SCHEMA | {"required": []}, schema_name="choice")
    assert house.model.requests[0].body["response_format"]["json_schema"]["strict"] is False


async def test_asks_for_usage_of_a_stream(build: Build) -> None:
    house = await build("openai")
    assert [delta async for delta in house.client.stream(QUESTION)]
    assert house.model.requests[0].body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    ("refuses", "missing"),
    [
        ("chat_template_kwargs", "chat_template_kwargs"),
        ("logprobs", "logprobs"),
        ("top_logprobs", "top_logprobs"),
        ("max_tokens", "max_tokens"),
        ("temperature", "temperature"),
    ],
)
async def test_leaves_out_what_is_refused_and_remembers_it(
    build: Build, refuses: str, missing: str
) -> None:
    house = await build("openai", {"agent": "light-agent"}, refuses=frozenset({refuses}))
    for _ in range(2):
        completion = await house.client.complete(
            QUESTION, schema=SCHEMA, temperature=0, max_tokens=40, logprobs=True
        )
        assert completion.data == {"agent": "light-agent"}
    assert missing not in house.model.requests[0].body
    assert house.model.requests[0].max_tokens == 40
    refused = house.model.attempts - 2
    # The second call is refused nothing; `top_logprobs` is first asked for with fewer.
    assert refused == (2 if refuses == "top_logprobs" else 1)


async def test_asks_for_fewer_logprobs_where_many_are_refused(build: Build) -> None:
    refuses = frozenset({"many_logprobs"})
    house = await build("openai", {"agent": "light-agent"}, refuses=refuses)
    completion = await house.client.complete(QUESTION, schema=SCHEMA, logprobs=True)
    assert house.model.requests[0].logprobs == 5
    assert completion.logprobs


async def test_several_refusals_are_learned_one_after_the_other(build: Build) -> None:
    refuses = frozenset({"chat_template_kwargs", "max_tokens", "temperature", "logprobs"})
    house = await build("openai", {"agent": "light-agent"}, refuses=refuses)
    ask: dict[str, Any] = {"temperature": 0, "max_tokens": 99, "schema": SCHEMA, "logprobs": True}
    assert (await house.client.complete(QUESTION, **ask)).logprobs == ()
    assert house.model.attempts == 5
    await house.client.complete(QUESTION, **ask)
    assert house.model.attempts == 6
    # What this request does not have need not be left out.
    await house.client.complete(QUESTION)
    assert house.model.attempts == 7


async def test_learns_from_a_refused_stream(build: Build) -> None:
    refuses = frozenset({"stream_options", "chat_template_kwargs"})
    house = await build("openai", "Good evening.", refuses=refuses)
    for _ in range(2):
        deltas = [delta async for delta in house.client.stream(QUESTION)]
        assert "".join(delta.text for delta in deltas) == "Good evening."
        assert deltas[-1].usage is None
    assert house.model.attempts == 4


async def test_gives_up_strictness_for_an_open_schema(build: Build) -> None:
    house = await build("openai", {"agent": "light-agent"}, refuses=frozenset({"open_schema"}))
    schema = {key: value for key, value in SCHEMA.items() if key != "additionalProperties"}
    await house.client.complete(QUESTION, schema=schema)
    assert house.model.requests[0].body["response_format"]["json_schema"]["strict"] is False
    assert house.model.requests[0].schema == schema


async def test_puts_the_schema_into_words_where_it_is_refused(build: Build) -> None:
    house = await build("openai", {"agent": "light-agent"}, refuses=frozenset({"json_schema"}))
    for _ in range(2):
        completion = await house.client.complete(QUESTION, schema=SCHEMA)
        assert completion.data == {"agent": "light-agent"}
    first, again = house.model.requests
    assert first.body["response_format"] == {"type": "json_object"}
    assert first.messages[0].role == "system"
    assert json.dumps(SCHEMA, separators=(",", ":")) in first.messages[0].content
    assert [(m.role, m.content) for m in QUESTION] == first.messages[1:]
    assert first.messages == again.messages
    assert house.model.attempts == 3
    # Nothing of this concerns an answer in plain words.
    await house.client.complete(QUESTION)
    assert "response_format" not in house.model.requests[-1].body


async def test_a_refusal_with_another_reason_teaches_nothing(
    canned: Canned, session: aiohttp.ClientSession
) -> None:
    client = create_client("openai", session, url=canned.url, model="m")
    canned.status, canned.body = 400, b'{"error": {"message": "The temperature is too high."}}'
    with pytest.raises(RequestRejectedError):
        await client.complete(QUESTION, temperature=3)
    assert [asked.get("temperature") for asked in canned.asked] == [3, None]
    canned.status, canned.body = 200, b'{"choices": [{"message": {"content": "x"}}]}'
    await client.complete(QUESTION, temperature=3)
    assert canned.asked[-1]["temperature"] == 3


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (404, {"error": {"message": "The model `m` does not exist"}}, ModelMissingError),
        (400, {"error": {"message": "Invalid model name passed in"}}, ModelMissingError),
        (404, {"object": "error", "message": "The model `m` does not exist."}, ModelMissingError),
        (404, {"detail": "Not Found"}, NotAModelServerError),
        (404, None, NotAModelServerError),
        (400, [{"error": {"message": "API key not valid."}}], AuthenticationError),
        (400, {"error": {"message": "Context is full."}}, RequestRejectedError),
        (422, {"detail": [{"loc": ["body", "x"], "msg": "required"}]}, RequestRejectedError),
        (400, {"error": {"message": "Invalid schema for strict tools."}}, RequestRejectedError),
        (402, {"error": {"message": "No credit."}}, QuotaUsedUpError),
        (
            429,
            {"error": {"message": "You ran out.", "code": "insufficient_quota"}},
            QuotaUsedUpError,
        ),
        (400, {"error": {"message": "Your credit balance is too low."}}, QuotaUsedUpError),
        (400, {"error": {"message": "Hm.", "code": "context_length_exceeded"}}, TooLongError),
        (400, {"error": {"message": "Hm.", "type": "exceed_context_size_error"}}, TooLongError),
        (500, {"error": "the request exceeds the available context size"}, TooLongError),
        (200, {"error": {"message": "Hm.", "code": "context_length_exceeded"}}, TooLongError),
        (200, {"error": {"message": "Overloaded", "code": 502}}, ServerFailedError),
        (200, {"error": {"message": "Slow down", "code": 429}}, RateLimitedError),
        (200, {"error": "Something broke", "choices": None}, ServerFailedError),
        (200, {"choices": "none"}, NotAModelServerError),
        (200, [1, 2], BadOutputError),
    ],
)
async def test_understands_refusals(
    canned: Canned, session: aiohttp.ClientSession, status: int, body: Any, error: type[Exception]
) -> None:
    canned.status, canned.body = status, json.dumps(body).encode()
    client = create_client("openai", session, url=canned.url, model="m")
    with pytest.raises(error) as raised:
        await client.complete(QUESTION)
    assert type(raised.value) is error


async def test_a_stream_may_report_an_error(canned: Canned, session: aiohttp.ClientSession) -> None:
    canned.headers = {"Content-Type": "text/event-stream"}
    canned.body = b': ping\n\nevent: error\ndata: {"error": {"message": "out of memory"}}\n\n'
    with pytest.raises(ServerFailedError):
        [d async for d in create_client("openai", session, url=canned.url).stream(QUESTION)]


@pytest.mark.parametrize(
    ("reply", "usage"),
    [
        ({}, Usage()),
        ({"usage": None}, Usage()),
        (
            {"usage": {"prompt_tokens": 9, "completion_tokens": 2}},
            Usage(prompt_tokens=9, completion_tokens=2),
        ),
        (
            {"usage": {"prompt_tokens": 9}, "timings": {"cache_n": 7}},
            Usage(prompt_tokens=9, cached_tokens=7),
        ),
        (
            {"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 0}}},
            Usage(prompt_tokens=9),
        ),
        (
            {"usage": {"prompt_tokens": 9, "prompt_tokens_details": None}, "timings": {}},
            Usage(prompt_tokens=9),
        ),
    ],
)
async def test_counts_tokens_however_they_are_told(
    canned: Canned, session: aiohttp.ClientSession, reply: Any, usage: Usage
) -> None:
    canned.body = json.dumps({"choices": [{"message": {"content": "x"}}]} | reply).encode()
    client = create_client("openai", session, url=canned.url, model="m")
    completion = await client.complete(QUESTION)
    assert completion.usage == usage
    assert completion.model == "m"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("Good evening.", "Good evening."),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Good."}, 3], "Good."),
    ],
)
async def test_reads_content_in_every_form(
    canned: Canned, session: aiohttp.ClientSession, content: Any, text: str
) -> None:
    canned.body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    client = create_client("openai", session, url=canned.url, model="m")
    assert (await client.complete(QUESTION)).text == text


async def test_damaged_logprobs_do_not_spoil_an_answer(
    canned: Canned, session: aiohttp.ClientSession
) -> None:
    choice = {"message": {"content": "x"}, "logprobs": {"content": [{"token": 1}]}}
    canned.body = json.dumps({"choices": [choice]}).encode()
    client = create_client("openai", session, url=canned.url, model="m")
    completion = await client.complete(QUESTION, logprobs=True)
    assert (completion.text, completion.logprobs) == ("x", ())


async def test_a_finished_stream_needs_no_done(
    canned: Canned, session: aiohttp.ClientSession
) -> None:
    canned.body = b'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}\n\n'
    client = create_client("openai", session, url=canned.url, model="m")
    deltas = [delta async for delta in client.stream(QUESTION)]
    assert (deltas[0].text, deltas[1].finish_reason) == ("x", "stop")


async def test_a_server_without_streams_is_heard_whole(
    canned: Canned, session: aiohttp.ClientSession
) -> None:
    whole = {"choices": [{"message": {"content": "Good."}, "finish_reason": "stop"}]}
    for body in (json.dumps(whole), json.dumps(whole, indent=1)):
        canned.body = body.encode()
        client = create_client("openai", session, url=canned.url, model="m")
        deltas = [delta async for delta in client.stream(QUESTION)]
        assert (deltas[0].text, deltas[-1].finish_reason) == ("Good.", "stop")


async def test_another_service_lists_no_models(
    canned: Canned, session: aiohttp.ClientSession, provider: str
) -> None:
    for body in (b'{"status": "ok"}', b"[]", b"", b"<html>", b'{"data": [1]}', b"half {"):
        canned.body = body
        with pytest.raises(NotAModelServerError):
            await create_client(provider, session, url=canned.url).list_models()

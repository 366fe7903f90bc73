"""What only Anthropic's protocol has: a tool for the answer, prompts kept on request, its own errors."""

import json
from typing import TYPE_CHECKING, Any

import pytest

from custom_components.bellboard.llm.anthropic import (
    MAX_PAGES,
    THINKING_TOKENS,
    UNSUPPORTED,
    AnthropicClient,
    OutOfCreditError,
    base_url,
)
from custom_components.bellboard.llm.errors import (
    AuthenticationError,
    BadOutputError,
    InvalidUrlError,
    ModelError,
    ModelMissingError,
    NotAModelServerError,
    RateLimitedError,
    RequestRejectedError,
    ServerFailedError,
)
from custom_components.bellboard.llm.models import Message, Usage

from .canned import Canned
from .conftest import KEY, QUESTION, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import aiohttp

    from custom_components.bellboard.llm.unsupported import UnsupportedField

    from .conftest import Build

EPHEMERAL = {"type": "ephemeral"}
EXAMPLES = [
    QUESTION[0],
    Message(role="user", content="play some jazz"),
    Message(role="assistant", content='{"agent":"music-agent"}'),
    Message(role="user", content="turn on the swordfish lamp"),
]


@pytest.fixture
def client(canned: Canned, session: aiohttp.ClientSession) -> AnthropicClient:
    return AnthropicClient(session, canned.url, model="m", api_key=KEY)


def marked(body: Mapping[str, Any]) -> list[Any]:
    """Return the blocks with a breakpoint, in the order in which the server reads them."""
    blocks = [*body.get("tools", ()), *body.get("system", ())]
    blocks += [block for turn in body["messages"] for block in turn["content"]]
    return [block for block in blocks if "cache_control" in block]


def said(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in messages]


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("api.anthropic.com", "https://api.anthropic.com/v1"),
        ("https://api.anthropic.com/", "https://api.anthropic.com/v1"),
        ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1"),
        ("https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1"),
        ("https://api.anthropic.com/v1/models", "https://api.anthropic.com/v1"),
        ("https://example.org/proxy", "https://example.org/proxy/v1"),
        ("localhost:8080", "http://localhost:8080/v1"),
    ],
)
def test_understands_what_people_type(typed: str, url: str) -> None:
    assert base_url(typed) == url
    assert base_url(url) == url


def test_refuses_what_is_no_address() -> None:
    with pytest.raises(InvalidUrlError):
        base_url("https://key@api.anthropic.com")


async def test_makes_the_model_use_a_tool_with_the_schema(build: Build) -> None:
    house = await build("anthropic", {"agent": "light-agent"})
    schema = SCHEMA | {"description": "Make routing decision for workflow"}
    completion = await house.client.complete(
        QUESTION, schema=schema, schema_name="make_routing_decision"
    )
    assert completion.data == {"agent": "light-agent"}
    assert completion.text == '{"agent":"light-agent"}'
    assert completion.finish_reason == "stop"
    body = house.model.requests[0].body
    (tool,) = body["tools"]
    assert tool["name"] == "make_routing_decision"
    assert tool["description"] == "Make routing decision for workflow"
    assert tool["input_schema"] == schema
    assert body["tool_choice"] == {
        "type": "tool",
        "name": "make_routing_decision",
        "disable_parallel_tool_use": True,
    }
    assert body["thinking"] == {"type": "disabled"}


@pytest.mark.parametrize("description", [None, "", " ", 3])
async def test_describes_a_schema_that_does_not(build: Build, description: object) -> None:
    house = await build("anthropic", {"agent": "light-agent"})
    await house.client.complete(QUESTION, schema=SCHEMA | {"description": description})
    assert house.model.requests[0].body["tools"][0]["description"] == "Give the answer."


async def test_sends_key_and_version_in_its_own_headers(
    canned: Canned, client: AnthropicClient
) -> None:
    canned.body = b'{"content": []}'
    await client.complete(QUESTION)
    assert canned.headed[0]["x-api-key"] == KEY
    assert canned.headed[0]["anthropic-version"] == "2023-06-01"
    assert "Authorization" not in canned.headed[0]


@pytest.mark.parametrize(
    ("messages", "system", "turns"),
    [
        (QUESTION, [QUESTION[0].content], [("user", [QUESTION[1].content])]),
        # System messages go before everything, wherever they stood; turns of one role become one.
        (
            [
                Message(role="user", content="one"),
                Message(role="system", content="be kind"),
                Message(role="user", content="two"),
                Message(role="assistant", content="three"),
                Message(role="system", content="be brief"),
                Message(role="user", content="four"),
            ],
            ["be kind", "be brief"],
            [("user", ["one", "two"]), ("assistant", ["three"]), ("user", ["four"])],
        ),
        # The first turn is the user's, and nothing is blank.
        (
            [
                Message(role="system", content=" "),
                Message(role="assistant", content="How can I help?"),
                Message(role="user", content=""),
            ],
            [],
            [
                ("user", ["(Nothing was said.)"]),
                ("assistant", ["How can I help?"]),
                ("user", ["(Nothing was said.)"]),
            ],
        ),
        (
            [Message(role="system", content="hello")],
            ["hello"],
            [("user", ["(Nothing was said.)"])],
        ),
        ([], [], [("user", ["(Nothing was said.)"])]),
    ],
)
async def test_brings_messages_into_the_order_the_server_takes(
    build: Build, messages: Sequence[Message], system: Any, turns: Any
) -> None:
    house = await build("anthropic")
    assert (await house.client.complete(messages)).text == "Good evening."
    body = house.model.requests[0].body
    assert [block["text"] for block in body.get("system", ())] == system
    assert [(t["role"], [b["text"] for b in t["content"]]) for t in body["messages"]] == turns


async def test_loses_no_message_of_a_conversation(build: Build) -> None:
    house = await build("anthropic")
    await house.client.complete(EXAMPLES)
    assert house.model.requests[0].messages == said(EXAMPLES)


@pytest.mark.parametrize(("asked", "sent"), [(0.0, 0.0), (0.7, 0.7), (1.0, 1.0), (1.8, 1.0)])
async def test_the_hottest_temperature_is_one(build: Build, asked: float, sent: float) -> None:
    house = await build("anthropic")
    await house.client.complete(QUESTION, temperature=asked)
    assert house.model.requests[0].temperature == sent


async def test_marks_what_stays_the_same(build: Build) -> None:
    house = await build("anthropic", {"agent": "x"})
    await house.client.complete(EXAMPLES, schema=SCHEMA)
    body = house.model.requests[0].body
    tool, system, example = marked(body)
    assert tool["name"] == "answer"
    assert system["text"] == EXAMPLES[0].content
    assert example["text"] == EXAMPLES[2].content
    assert all(block["cache_control"] == EPHEMERAL for block in (tool, system, example))


async def test_marks_nothing_where_all_is_new(build: Build) -> None:
    house = await build("anthropic")
    await house.client.complete([Message(role="user", content="hello")])
    assert marked(house.model.requests[0].body) == []
    # The message before the last is of the same turn here.
    await house.client.complete([Message(role="user", content=word) for word in ("one", "two")])
    assert [block["text"] for block in marked(house.model.requests[1].body)] == ["one"]


async def test_a_prompt_is_read_from_the_cache_the_second_time(build: Build) -> None:
    house = await build("anthropic", {"agent": "x"})
    first = (await house.client.complete(EXAMPLES, schema=SCHEMA)).usage
    other = [*EXAMPLES[:-1], Message(role="user", content="it is cold in here")]
    second = (await house.client.complete(other, schema=SCHEMA)).usage
    assert first.cached_tokens == 0
    assert 0.5 * second.prompt_tokens < second.cached_tokens < second.prompt_tokens
    deltas = [delta async for delta in house.client.stream(EXAMPLES)]
    again = [delta async for delta in house.client.stream(EXAMPLES)]
    assert deltas[-1].usage is not None
    assert again[-1].usage is not None
    assert again[-1].usage.prompt_tokens == deltas[-1].usage.prompt_tokens
    assert again[-1].usage.cached_tokens > deltas[-1].usage.cached_tokens == 0


async def test_counts_the_whole_prompt(canned: Canned, client: AnthropicClient) -> None:
    usage = {
        "input_tokens": 5,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 100,
        "output_tokens": 3,
    }
    canned.body = json.dumps({"content": [], "usage": usage}).encode()
    counted = Usage(prompt_tokens=125, cached_tokens=100, completion_tokens=3)
    assert (await client.complete(QUESTION)).usage == counted
    nothing = {"input_tokens": 5, "cache_creation_input_tokens": None, "output_tokens": 3}
    canned.body = json.dumps({"content": [], "usage": nothing}).encode()
    assert (await client.complete(QUESTION)).usage == Usage(prompt_tokens=5, completion_tokens=3)


@pytest.mark.parametrize(
    ("stop_reason", "finish_reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("tool_use", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "content_filter"),
        ("pause_turn", "pause_turn"),
        (None, None),
    ],
)
async def test_tells_why_the_model_stopped(
    canned: Canned, client: AnthropicClient, stop_reason: str | None, finish_reason: str | None
) -> None:
    text = {"type": "text", "text": "Good."}
    canned.body = json.dumps({"content": [text], "stop_reason": stop_reason}).encode()
    completion = await client.complete(QUESTION)
    assert (completion.text, completion.finish_reason) == ("Good.", finish_reason)


@pytest.mark.parametrize(
    ("stop_reason", "detail"), [("max_tokens", "cut short"), ("refusal", "declined")]
)
async def test_an_object_the_server_closed_itself_is_not_whole(
    canned: Canned, client: AnthropicClient, stop_reason: str, detail: str
) -> None:
    used = {"type": "tool_use", "name": "answer", "input": {"agent": "light"}}
    canned.body = json.dumps({"content": [used], "stop_reason": stop_reason}).encode()
    with pytest.raises(BadOutputError, match=detail) as refused:
        await client.complete(QUESTION, schema=SCHEMA)
    assert refused.value.text == '{"agent":"light"}'


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([], ""),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Good."}], "Good."),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "text", "text": None}, {"type": "something_new", "text": "x"}], ""),
        ([{"type": "tool_use", "input": None}], "{}"),
    ],
)
async def test_reads_every_kind_of_content(
    canned: Canned, client: AnthropicClient, content: Any, text: str
) -> None:
    canned.body = json.dumps({"content": content}).encode()
    assert (await client.complete(QUESTION)).text == text


async def test_an_answer_in_words_may_still_be_the_object(
    canned: Canned, client: AnthropicClient
) -> None:
    words = {"type": "text", "text": '```json\n{"agent": "light-agent"}\n```'}
    canned.body = json.dumps({"content": [words], "stop_reason": "end_turn"}).encode()
    assert (await client.complete(QUESTION, schema=SCHEMA)).data == {"agent": "light-agent"}


@pytest.mark.parametrize(
    "refuses",
    [
        {"temperature"},
        {"thinking"},
        {"old_thinking"},
        {"tool_choice"},
        {"thoughts"},
        {"cache_control"},
        {"temperature", "thinking", "tool_choice"},
        {"temperature", "thinking", "tool_choice", "effort", "cache_control"},
    ],
    ids=lambda refuses: " ".join(sorted(refuses)),
)
async def test_leaves_out_what_is_refused_and_remembers_it(build: Build, refuses: set[str]) -> None:
    house = await build(
        "anthropic",
        {"agent": "light-agent"},
        refuses=frozenset(refuses),
    )
    for _ in range(2):
        completion = await house.client.complete(
            EXAMPLES, schema=SCHEMA, temperature=0, max_tokens=40
        )
        assert completion.data == {"agent": "light-agent"}
    assert house.model.attempts == len(refuses) + 2
    # What an answer in words does not have need not be left out of it.
    assert (await house.client.complete(EXAMPLES)).text == '{"agent":"light-agent"}'
    assert house.model.attempts == len(refuses) + 3
    assert said(EXAMPLES) == [
        message for message in house.model.requests[0].messages if "the tool" not in message[1]
    ]


async def test_a_model_that_must_think_thinks_little_and_has_room_for_it(build: Build) -> None:
    house = await build("anthropic", "Good evening.", refuses=frozenset({"thinking"}))
    assert (await house.client.complete(QUESTION, max_tokens=40)).text == "Good evening."
    body = house.model.requests[0].body
    assert "thinking" not in body
    assert body["output_config"] == {"effort": "low"}
    assert THINKING_TOKENS == 2048
    assert body["max_tokens"] == 40 + THINKING_TOKENS
    deltas = [delta.text async for delta in house.client.stream(QUESTION)]
    assert "".join(deltas) == "Good evening."
    assert house.model.requests[1].body["max_tokens"] == 4096 + THINKING_TOKENS


async def test_asks_for_the_tool_in_words_where_it_cannot_be_forced(build: Build) -> None:
    house = await build("anthropic", {"agent": "x"}, refuses=frozenset({"tool_choice"}))
    await house.client.complete(QUESTION, schema=SCHEMA, schema_name="choice")
    body = house.model.requests[0].body
    assert body["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    told, system = body["system"]
    assert told == {"type": "text", "text": "Answer only by using the tool choice."}
    assert system["cache_control"] == EPHEMERAL
    await house.client.complete([Message(role="user", content="hello")], schema=SCHEMA)
    assert [block["text"] for block in house.model.requests[1].body["system"]] == [
        "Answer only by using the tool answer."
    ]


async def test_a_server_that_refuses_everything_is_asked_only_so_often(
    canned: Canned, client: AnthropicClient
) -> None:
    canned.status = 400
    canned.body = refusal(
        "invalid_request_error", " ".join(field.complaints[0] for field in UNSUPPORTED)
    )
    with pytest.raises(RequestRejectedError):
        await client.complete(EXAMPLES, schema=SCHEMA, temperature=0)
    assert len(canned.asked) <= len(UNSUPPORTED) + 1
    least = canned.asked[-1]
    assert least.keys() == {
        "model",
        "max_tokens",
        "messages",
        "stream",
        "system",
        "tools",
        "tool_choice",
    }
    assert marked(least) == []


@pytest.mark.parametrize("field", UNSUPPORTED, ids=lambda field: field.complaints[0])
def test_does_only_without_what_was_asked(field: UnsupportedField) -> None:
    hello = {"role": "user", "content": [{"type": "text", "text": "hello"}]}
    assert field.fallback({"model": "m", "max_tokens": 9, "messages": [hello]}) is None


CREDIT = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."


@pytest.mark.parametrize(
    ("status", "told", "error"),
    [
        (400, ("invalid_request_error", "messages: too many"), RequestRejectedError),
        (400, ("invalid_request_error", CREDIT), OutOfCreditError),
        (402, ("billing_error", "Payment is due."), OutOfCreditError),
        (401, ("authentication_error", "invalid x-api-key"), AuthenticationError),
        (403, ("permission_error", "Not allowed."), AuthenticationError),
        (404, ("not_found_error", "model: m"), ModelMissingError),
        (404, ("not_found_error", "Not found"), NotAModelServerError),
        (413, ("request_too_large", "Too large"), RequestRejectedError),
        (429, ("rate_limit_error", "Slow down."), RateLimitedError),
        (500, ("api_error", "Internal server error"), ServerFailedError),
        (504, ("timeout_error", "Timed out"), ServerFailedError),
        (529, ("overloaded_error", "Overloaded"), ServerFailedError),
    ],
)
class TestErrorsOfTheProtocol:
    """One error has one name, whichever way it comes."""

    async def test_instead_of_a_reply(
        self,
        canned: Canned,
        client: AnthropicClient,
        status: int,
        told: tuple[str, str],
        error: type[ModelError],
    ) -> None:
        canned.status, canned.body = status, refusal(*told)
        with pytest.raises(ModelError) as raised:
            await client.complete(QUESTION)
        assert_named(raised.value, error, status, told)

    async def test_inside_a_reply(
        self,
        canned: Canned,
        client: AnthropicClient,
        status: int,
        told: tuple[str, str],
        error: type[ModelError],
    ) -> None:
        canned.body = refusal(*told)
        with pytest.raises(ModelError) as raised:
            await client.complete(QUESTION)
        assert_named(raised.value, error, status, told)

    async def test_in_the_middle_of_a_stream(
        self,
        canned: Canned,
        client: AnthropicClient,
        status: int,
        told: tuple[str, str],
        error: type[ModelError],
    ) -> None:
        begun = b'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Go"}}'
        canned.body = begun + b"\n\nevent: error\ndata: " + refusal(*told) + b"\n\n"
        deltas = client.stream(QUESTION)
        assert (await anext(deltas)).text == "Go"
        with pytest.raises(ModelError) as raised:
            await anext(deltas)
        assert_named(raised.value, error, status, told)


def refusal(kind: str, message: str) -> bytes:
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()


def assert_named(
    raised: ModelError, error: type[ModelError], status: int, told: tuple[str, str]
) -> None:
    assert type(raised) is error
    assert told[1] not in str(raised)
    if isinstance(raised, ServerFailedError | RequestRejectedError):
        assert raised.status == status


@pytest.mark.parametrize("told", ['"Something broke"', '{"type": "new"}', "[1]", '{"type": [1]}'])
async def test_an_error_in_no_known_form_is_the_servers(
    canned: Canned, client: AnthropicClient, told: str
) -> None:
    canned.body = b'{"error": ' + told.encode() + b"}"
    with pytest.raises(ServerFailedError):
        await client.complete(QUESTION)
    canned.status = 502
    with pytest.raises(ServerFailedError, match="502"):
        await client.complete(QUESTION)


async def test_no_credit_says_so_in_our_own_words(canned: Canned, client: AnthropicClient) -> None:
    canned.status = 400
    canned.body = refusal("invalid_request_error", CREDIT)
    with pytest.raises(OutOfCreditError, match="has no credit left") as raised:
        await client.complete(QUESTION)
    assert raised.value.kind == "request_rejected"
    assert len(canned.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        b'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"Go"}}\n\n',
        b'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}\n\n',
        b"event: message_stop\n\n",
        b"",
    ],
)
async def test_a_stream_without_its_last_event_is_cut_off(
    canned: Canned, client: AnthropicClient, body: bytes
) -> None:
    canned.body = body
    with pytest.raises(BadOutputError, match="ended early"):
        [delta async for delta in client.stream(QUESTION)]


async def test_a_stream_says_only_what_is_for_saying(
    canned: Canned, client: AnthropicClient
) -> None:
    start_usage = {"input_tokens": 4, "cache_read_input_tokens": 6, "output_tokens": 1}
    events: list[Any] = [
        {"type": "message_start", "message": {"content": [], "usage": start_usage}},
        {"type": "ping"},
        {"type": "content_block_start", "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_start", "content_block": {"type": "text", "text": "G"}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "ood."}},
        {"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": "{"}},
        {"type": "content_block_stop", "index": 1},
        {"type": "something_new", "delta": {}},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "max_tokens"},
            "usage": {"output_tokens": 9},
        },
        {"type": "message_stop"},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "too late"}},
    ]
    canned.body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    deltas = [delta async for delta in client.stream(QUESTION)]
    assert [delta.text for delta in deltas] == ["G", "ood.", ""]
    assert deltas[-1].finish_reason == "length"
    assert deltas[-1].usage == Usage(prompt_tokens=10, cached_tokens=6, completion_tokens=9)


async def test_lists_all_pages(build: Build) -> None:
    names = [f"model-{number:04}" for number in range(2300)]
    house = await build("anthropic", names=names)
    assert await house.client.list_models() == names


@pytest.mark.parametrize(("last_id", "asked"), [("m", 2), ("", 1), (None, 1)])
async def test_a_list_that_never_ends_does(
    canned: Canned, client: AnthropicClient, last_id: str | None, asked: int
) -> None:
    page = {"data": [{"id": "m"}], "has_more": True, "last_id": last_id}
    canned.body = json.dumps(page).encode()
    assert len(await client.list_models()) == asked


async def test_reads_only_so_many_pages(
    client: AnthropicClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = iter(range(1000))

    async def another(shape: Any, *_: object, **__: object) -> Any:
        return shape(data=[{"id": "m"}], has_more=True, last_id=str(next(pages)))

    monkeypatch.setattr(client, "_get", another)
    assert len(await client.list_models()) == MAX_PAGES

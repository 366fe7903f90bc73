"""Each kind of server of the OpenAI protocol: what it is asked, how its key is proven, what it tells of its models."""

from dataclasses import dataclass
import json
from typing import TYPE_CHECKING, Any

from aiohttp import web
import pytest

from custom_components.bellboard.llm.errors import (
    AuthenticationError,
    BadOutputError,
    ModelError,
    ModelMissingError,
    ModelTimeoutError,
    NotAModelServerError,
    QuotaUsedUpError,
    RateLimitedError,
    RequestRejectedError,
    ServerFailedError,
)
from custom_components.bellboard.llm.flavours import FLAVOURS
from custom_components.bellboard.llm.providers import PROVIDERS, create_client
from tests.servers import KINDS, RunningServer, ScriptedModel

from .canned import Canned, canned_server
from .conftest import KEY, QUESTION, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping

    import aiohttp

    from .conftest import Build

THINKING = ("chat_template_kwargs", "reasoning", "reasoning_effort", "metadata")
GOOD = {"agent": "light-agent"}


def test_there_is_a_stand_in_for_every_kind() -> None:
    assert KINDS.keys() == FLAVOURS.keys()


def test_only_what_is_at_one_place_for_everybody_needs_a_key_and_no_address() -> None:
    for provider in PROVIDERS.values():
        is_remote = not provider.default_url.startswith("http://localhost:")
        assert (provider.needs_key, not provider.asks_for_url) == (is_remote, is_remote)
        assert not is_remote or provider.default_url.startswith("https://")


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_the_usual_address_is_one_that_is_kept(name: str) -> None:
    provider = PROVIDERS[name]
    kept = provider.base_url(provider.default_url)
    assert provider.base_url(kept) == kept
    if name in FLAVOURS:
        assert kept == provider.default_url


@pytest.mark.parametrize(
    ("kind", "typed", "base"),
    [
        ("openrouter", "openrouter.ai", "https://openrouter.ai/api/v1"),
        ("openrouter", "https://openrouter.ai/api", "https://openrouter.ai/api/v1"),
        ("openrouter", "https://openrouter.ai/api/v1/", "https://openrouter.ai/api/v1"),
        ("openrouter", "https://proxy.example/models/v1", "https://proxy.example/models/v1"),
        ("gemini", "https://g.example", "https://g.example/v1beta/openai"),
        ("gemini", "https://g.example/v1beta", "https://g.example/v1beta/openai"),
        ("gemini", "https://g.example/v1beta/openai/", "https://g.example/v1beta/openai"),
        ("gemini", "https://g.example/v1beta2", "https://g.example/v1beta2"),
        ("lmstudio", "nas:1234", "http://nas:1234/v1"),
        ("lmstudio", "http://nas:1234/api/v0", "http://nas:1234/v1"),
        ("lmstudio", "http://nas:1234/api/v0/models", "http://nas:1234/v1"),
        ("lmstudio", "http://nas/studio/api/v1", "http://nas/studio/v1"),
        ("vllm", "nas:8000/v1", "http://nas:8000/v1"),
        ("llamacpp", "http://nas/llama", "http://nas/llama/v1"),
    ],
)
def test_an_address_leads_to_where_the_protocol_lives(kind: str, typed: str, base: str) -> None:
    assert PROVIDERS[kind].base_url(typed) == base


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_a_model_is_kept_from_thinking_as_its_server_understands(
    build: Build, kind: str
) -> None:
    house = await build(kind, GOOD)
    await house.client.complete(QUESTION, schema=SCHEMA, schema_name="choice", temperature=0)
    body = house.model.requests[0].body
    assert {field: body[field] for field in THINKING if field in body} == KINDS[kind].unthinking
    assert house.model.attempts == 1
    named = {"name": "choice", "strict": True, "schema": SCHEMA}
    assert body["response_format"] == {"type": "json_schema", "json_schema": named}
    required = {"require_parameters": True} if kind == "openrouter" else None
    assert body.get("provider") == required


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_a_right_key_lists_and_another_does_not(build: Build, kind: str) -> None:
    house = await build(kind, key=KEY, names=("one", "two"))
    assert await house.client.list_models() == ["one", "two"]
    for key in (None, "sk-wrong"):
        other = await build(kind, key=KEY, client={"api_key": key})
        with pytest.raises(AuthenticationError):
            await other.client.list_models()


@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_a_web_page_is_no_model_server(
    canned: Canned, session: aiohttp.ClientSession, kind: str
) -> None:
    client = create_client(kind, session, url=canned.url, api_key=KEY, model="m")
    page = b"<!doctype html><title>Welcome</title>"
    for status, body in ((200, page), (404, page), (200, b'{"status": "ok"}'), (200, b"[]")):
        canned.status, canned.body = status, body
        canned.headers = {"Content-Type": "text/html" if body is page else "application/json"}
        with pytest.raises(NotAModelServerError):
            await client.list_models()


@pytest.mark.parametrize("kind", sorted(FLAVOURS))
async def test_what_only_newer_servers_tell_is_not_needed(
    canned: Canned, session: aiohttp.ClientSession, kind: str
) -> None:
    """Another service that speaks the protocol, or an older one, has the plain list alone."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        if request.path == f"{FLAVOURS[kind].path}/models" and "pageSize" not in request.query:
            return web.json_response({"data": [{"id": "m"}]})
        return web.json_response({"error": "Unexpected endpoint or method."})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with RunningServer(lambda _: app, ScriptedModel(lambda *_: "")) as server:
        client = create_client(kind, session, url=server.url, model="m")
        assert await client.list_models() == ["m"]
        proofs = 1 if FLAVOURS[kind].key_check else 0
        assert len(asked) == len(FLAVOURS[kind].model_lists) + proofs


async def test_models_that_are_loaded_come_first(
    canned: Canned, session: aiohttp.ClientSession
) -> None:
    asleep = {"id": "asleep", "state": "not-loaded", "type": "vlm"}
    awake = {"id": "awake", "state": "loaded"}
    unsaid = {"id": "unsaid", "capabilities": ["tool_use"]}
    canned.body = json.dumps({"data": [asleep, awake, unsaid]}).encode()
    client = create_client("lmstudio", session, url=canned.url)
    assert await client.list_models() == ["awake", "unsaid", "asleep"]


@pytest.mark.parametrize(
    "odd",
    [
        {"capabilities": {"completion_chat": True}, "type": "base"},
        {"architecture": "llama", "state": 3, "type": ["x"]},
        {"architecture": {"output_modalities": "text"}, "capabilities": [1, {}]},
    ],
)
async def test_other_things_under_known_names_do_not_spoil_a_list(
    canned: Canned, session: aiohttp.ClientSession, odd: dict[str, Any]
) -> None:
    canned.body = json.dumps({"data": [{"id": "m"} | odd]}).encode()
    assert await create_client("openai", session, url=canned.url).list_models() == ["m"]


@pytest.mark.parametrize("kind", sorted(FLAVOURS))
async def test_a_server_gets_the_headers_it_wants(build: Build, kind: str) -> None:
    house = await build(kind, key=KEY)
    await house.client.complete(QUESTION)
    assert FLAVOURS[kind].headers.items() <= house.model.requests[0].headers.items()


def test_openrouter_is_told_who_asks() -> None:
    headers = FLAVOURS["openrouter"].headers
    assert headers["X-Title"] == "Bellboard"
    assert headers["HTTP-Referer"].startswith("https://")


async def test_geminis_models_are_known_by_both_their_names(build: Build) -> None:
    for name in ("test-model", "models/test-model"):
        house = await build("gemini", client={"model": name})
        assert house.client.model == "test-model"
        assert await house.client.list_models() == ["test-model"]
        assert (await house.client.complete(QUESTION)).text == "Good evening."


async def test_geminis_own_list_gets_the_key_in_its_own_header(
    canned: Canned, session: aiohttp.ClientSession
) -> None:
    canned.body = b'{"models": []}'
    client = create_client("gemini", session, url=canned.url, api_key=KEY)
    assert await client.list_models() == []
    assert canned.headed[0]["x-goog-api-key"] == KEY
    assert "Authorization" not in canned.headed[0]
    assert KEY not in str(vars(client))


@dataclass(frozen=True, slots=True)
class Ladder:
    """What a server of a `kind` `refuses`, after how many `attempts` it agrees, and what it is then `asked`."""

    kind: str
    refuses: frozenset[str]
    attempts: int
    asked: Mapping[str, object]
    left_out: frozenset[str] = frozenset()


def ladder(kind: str, refuses: str, attempts: int, left_out: str = "", **asked: object) -> Any:
    row = Ladder(kind, frozenset(refuses.split()), attempts, asked, frozenset(left_out.split()))
    return pytest.param(row, id=f"{kind}-{refuses.replace(' ', '-')}")


STRICT = {"name": "answer", "strict": True, "schema": SCHEMA}
OPEN = {key: value for key, value in SCHEMA.items() if key != "additionalProperties"}
ANY_JSON = {"type": "json_object"}
LADDERS = [
    # Older servers know schemas by another name, or none.
    ladder("llamacpp", "json_schema", 2, response_format=ANY_JSON | {"schema": SCHEMA}),
    ladder("llamacpp", "json_schema json_object", 4, "response_format"),
    ladder("vllm", "json_schema", 2, "response_format", guided_json=SCHEMA),
    ladder("vllm", "json_schema guided_json", 3, "response_format guided_json"),
    ladder("vllm", "many_logprobs", 2, top_logprobs=5),
    ladder("lmstudio", "json_schema", 2, "response_format"),
    ladder("lmstudio", "reasoning_effort", 2, "reasoning_effort"),
    ladder("localai", "reasoning_effort", 2, "reasoning_effort"),
    ladder("localai", "json_schema", 2, response_format=ANY_JSON),
    ladder("openai", "json_schema json_object", 3, "response_format"),
    # Models that cannot stop thinking think as little as they can. Gemini's refuse log-probabilities, too.
    ladder("gemini", "no_thinking", 3, "logprobs top_logprobs", reasoning_effort="minimal"),
    ladder("gemini", "reasoning_effort", 4, "reasoning_effort"),
    ladder("openrouter", "no_thinking", 2, reasoning={"effort": "minimal", "exclude": True}),
    # A schema that cannot be closed is still one.
    ladder(
        "gemini",
        "closed_schema",
        3,
        response_format={"type": "json_schema", "json_schema": STRICT | {"schema": OPEN}},
    ),
    # A broker whose servers do not know everything keeps what matters most for last.
    ladder(
        "openrouter",
        "logprobs",
        2,
        "logprobs top_logprobs",
        provider={"require_parameters": True},
        reasoning={"enabled": False},
    ),
    ladder(
        "openrouter",
        "logprobs reasoning temperature",
        4,
        "logprobs top_logprobs reasoning temperature",
        response_format={"type": "json_schema", "json_schema": STRICT},
    ),
    ladder("openrouter", "provider", 5, "provider", response_format=ANY_JSON),
]


@pytest.mark.parametrize("row", LADDERS)
async def test_what_is_refused_is_asked_otherwise_and_remembered(build: Build, row: Ladder) -> None:
    house = await build(row.kind, GOOD, refuses=row.refuses)
    for _ in range(2):
        done = await house.client.complete(QUESTION, schema=SCHEMA, temperature=0, logprobs=True)
        assert done.data == GOOD
        body = house.model.requests[-1].body
        assert {field: body.get(field) for field in row.asked} == row.asked
        assert not row.left_out & body.keys()
    assert house.model.attempts == row.attempts + 1
    told = house.model.requests[0]
    in_words = json.dumps(SCHEMA, separators=(",", ":")) in told.messages[0].content
    assert in_words == (told.schema is None)


async def test_a_field_of_ours_called_as_a_word_of_schemas_is_kept(build: Build) -> None:
    inner = {"type": "object", "properties": {}, "additionalProperties": False}
    ours = {"additionalProperties": {"anyOf": [inner, {"type": "null"}]}}
    house = await build("gemini", GOOD, refuses=frozenset({"closed_schema"}))
    await house.client.complete(QUESTION, schema=SCHEMA | {"properties": ours})
    asked = house.model.requests[0].schema or {}
    assert "additionalProperties" not in asked
    assert asked["properties"] == {
        "additionalProperties": {"anyOf": [{"type": "object", "properties": {}}, {"type": "null"}]}
    }


@pytest.mark.parametrize("kind", sorted(FLAVOURS))
def test_what_a_request_does_not_have_is_not_left_out(kind: str) -> None:
    plain = {"model": "m", "messages": [{"role": "user", "content": "hello"}], "stream": False}
    for field in FLAVOURS[kind].unsupported:
        assert field.fallback(plain) is None


@pytest.mark.parametrize(
    ("kind", "status", "said", "error"),
    [
        (
            "openrouter",
            402,
            {"error": {"code": 402, "message": "No credits"}},
            QuotaUsedUpError,
        ),
        (
            "openrouter",
            403,
            {"error": {"code": 403, "message": "Your input was flagged by moderation"}},
            RequestRejectedError,
        ),
        ("openrouter", 403, {"error": {"code": 403, "message": "Forbidden"}}, AuthenticationError),
        ("openrouter", 408, {"error": {"code": 408, "message": "Timed out"}}, ModelTimeoutError),
        (
            "openrouter",
            404,
            {"error": {"code": 404, "message": "No endpoints found for a/b."}},
            ModelMissingError,
        ),
        ("openrouter", 200, {"error": {"code": 429, "message": "Slow down"}}, RateLimitedError),
        (
            "openrouter",
            200,
            {"choices": [{"error": {"code": 502, "message": "Upstream"}, "message": {}}]},
            ServerFailedError,
        ),
        (
            "openrouter",
            200,
            {"choices": [{"finish_reason": "error", "message": {"content": "Go"}}]},
            ServerFailedError,
        ),
        (
            "gemini",
            400,
            [
                {
                    "error": {
                        "code": 400,
                        "message": "API key not valid. Please pass a valid API key.",
                    }
                }
            ],
            AuthenticationError,
        ),
        ("gemini", 429, [{"error": {"code": 429, "message": "Quota"}}], RateLimitedError),
        ("gemini", 200, [{"error": {"code": 503, "message": "Overloaded"}}], ServerFailedError),
        (
            "lmstudio",
            200,
            {"error": "Unexpected endpoint or method. (POST /v1/chat/completions)"},
            NotAModelServerError,
        ),
        (
            "lmstudio",
            404,
            {"error": {"message": "No models loaded. Please load one.", "code": None}},
            ModelMissingError,
        ),
        (
            "localai",
            403,
            {"error": {"code": 403, "message": 'model "m" is off', "type": "model_disabled"}},
            ModelMissingError,
        ),
        ("vllm", 401, {"error": "Unauthorized"}, AuthenticationError),
        ("llamacpp", 503, {"error": {"code": 503, "message": "Loading model"}}, ServerFailedError),
        ("gemini", 200, [1], BadOutputError),
    ],
)
async def test_errors_have_their_names_in_every_shape(
    session: aiohttp.ClientSession, kind: str, status: int, said: Any, error: type[ModelError]
) -> None:
    async with canned_server() as canned:
        canned.status, canned.body = status, json.dumps(said).encode()
        client = create_client(kind, session, url=canned.url, model="m")
        with pytest.raises(error) as raised:
            await client.complete(QUESTION)
    assert type(raised.value) is error


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        (
            "openrouter",
            {
                "error": {"code": "server_error", "message": "Provider disconnected"},
                "choices": [{"delta": {"content": ""}, "finish_reason": "error"}],
            },
        ),
        ("openrouter", {"choices": [{"delta": {}, "finish_reason": "error"}]}),
        ("gemini", [{"error": {"code": 503, "message": "The model is overloaded."}}]),
    ],
)
async def test_a_stream_that_breaks_off_says_so_after_what_was_said(
    canned: Canned, session: aiohttp.ClientSession, kind: str, event: Any
) -> None:
    canned.headers = {"Content-Type": "text/event-stream"}
    first = b': OPENROUTER PROCESSING\n\ndata: {"choices":[{"delta":{"content":"Good"}}]}\n\n'
    canned.body = first + b"data: " + json.dumps(event).encode() + b"\n\n"
    said: list[str] = []

    async def listen() -> None:
        async for delta in create_client(kind, session, url=canned.url).stream(QUESTION):
            said.append(delta.text)  # noqa: PERF401 -- what came before the error counts

    with pytest.raises(ServerFailedError):
        await listen()
    assert said == ["Good"]


@pytest.mark.parametrize(("status", "message"), [(500, "Overloaded"), (429, "Slow down")])
async def test_a_key_is_not_blamed_for_a_bad_day(
    canned: Canned, session: aiohttp.ClientSession, status: int, message: str
) -> None:
    canned.status, canned.body = status, json.dumps({"error": {"message": message}}).encode()
    with pytest.raises((ServerFailedError, RateLimitedError)):
        await create_client("openrouter", session, url=canned.url, api_key=KEY).list_models()

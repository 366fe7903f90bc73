"""A request in an envelope is answered by the model it names, or says why not, and gives nothing away."""

import json
import re
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import aiohttp
import pytest

from custom_components.bellboard.llm.envelope import ActionRequest, ActionResponse, ActionResult
from custom_components.bellboard.llm.invocation import async_execute, async_execute_with
from custom_components.bellboard.llm.limits import LimitedClient, Limits
from custom_components.bellboard.llm.providers import PROVIDERS
from tests.servers import Fault, RunningServer, ScriptedModel

from .canned import canned_server
from .conftest import APPS, KEY
from .test_faults import IN_ANSWERS, patience

if TYPE_CHECKING:
    from .conftest import Build, House

PROMPT = "say swordfish"


def asking(payload: Any, **fields: Any) -> ActionRequest:
    """Return a request with a payload."""
    common = {"request_id": uuid4(), "tool": "llm_router_agent", "action": "execute", "context": ""}
    return ActionRequest.model_validate({**common, "payload": payload, **fields})


def payload_for(url: str, provider: str = "openai", **config: Any) -> dict[str, Any]:
    """Return the payload for a server's test model."""
    where = {"provider": provider, "base_url": url, "api_key": KEY, "model_name": "test-model"}
    return {"prompt": PROMPT, "config": {**where, **config}}


def failure_of(response: ActionResponse) -> str:
    """Return why nothing was answered, and check that it is said as the contract says it."""
    assert (response.status, response.code, response.error) == ("success", 0, None)
    assert response.result
    assert (response.result.output_type, response.result.metadata) == ("error", None)
    before, _, cause = response.result.data.partition("LLM Call Failed: ")
    assert not before
    return cause


@pytest.fixture
async def house(build: Build) -> House:
    """A house with a server of the OpenAI protocol."""
    return await build("openai", key=KEY)


# Answers


@pytest.mark.parametrize("name", sorted(PROVIDERS))
async def test_every_provider_answers(session: aiohttp.ClientSession, name: str) -> None:
    model = ScriptedModel(lambda *_: "Good evening.", key=KEY)
    async with RunningServer(APPS[name], model) as server:
        request = asking(payload_for(server.url, name), context="It is dark.")
        response = await async_execute(request, session)
    assert response.result == ActionResult(
        output_type="text",
        data="Good evening.",
        metadata={"provider": name, "model": "test-model"},
    )
    assert (response.status, response.code, response.error) == ("success", 0, None)
    assert response.request_id == request.request_id
    (asked,) = model.requests
    assert [message.content for message in asked.messages] == ["It is dark.", PROMPT]
    assert [message.role for message in asked.messages] == ["system", "user"]


@pytest.mark.parametrize("context", ["", " \n"])
async def test_without_context_there_is_only_the_prompt(
    house: House, session: aiohttp.ClientSession, context: str
) -> None:
    await async_execute(asking(payload_for(house.server.url), context=context), session)
    (asked,) = house.model.requests
    assert [(message.role, message.content) for message in asked.messages] == [("user", PROMPT)]


@pytest.mark.parametrize(
    ("written", "provider"),
    [
        ("OpenAI", "openai"),
        (" Ollama ", "ollama"),
        ("ANTHROPIC", "anthropic"),
        ("llama.cpp", "llamacpp"),
        ("LM Studio", "lmstudio"),
        ("OpenRouter", "openrouter"),
    ],
)
async def test_a_providers_name_may_be_written_in_many_ways(
    session: aiohttp.ClientSession, written: str, provider: str
) -> None:
    model = ScriptedModel(lambda *_: "Good evening.")
    async with RunningServer(APPS[provider], model) as server:
        response = await async_execute(asking(payload_for(server.url, written)), session)
    assert response.result
    assert response.result.metadata == {"provider": provider, "model": "test-model"}


async def test_a_payload_without_provider_is_for_the_protocol_most_servers_speak(
    house: House, session: aiohttp.ClientSession
) -> None:
    payload = payload_for(house.server.url)
    del payload["config"]["provider"]
    response = await async_execute(asking(payload), session)
    assert response.result
    assert response.result.metadata == {"provider": "openai", "model": "test-model"}


@pytest.mark.parametrize("base_url", [None, "", "  "])
async def test_without_an_address_the_providers_usual_one_is_asked(base_url: str | None) -> None:
    asked = []

    async def refuse(
        request: aiohttp.ClientRequest, _: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        asked.append(str(request.url))
        raise aiohttp.ClientConnectionError

    async with aiohttp.ClientSession(middlewares=[refuse]) as session:
        for name in PROVIDERS:
            request = asking(payload_for("", name, base_url=base_url))
            assert "cannot be reached" in failure_of(await async_execute(request, session))
    assert len(asked) == len(PROVIDERS)
    for url, provider in zip(asked, PROVIDERS.values(), strict=True):
        assert url.startswith(provider.base_url(provider.default_url))


async def test_the_servers_own_name_is_told_where_none_was_asked_for(
    session: aiohttp.ClientSession,
) -> None:
    async with canned_server() as server:
        choice = {"message": {"content": "Good evening."}, "finish_reason": "stop"}
        server.body = json.dumps({"model": "smollm2", "choices": [choice]}).encode()
        response = await async_execute(asking(payload_for(server.url, model_name="")), session)
    assert response.result
    assert response.result.metadata == {"provider": "openai", "model": "smollm2"}


async def test_ids_are_echoed_also_where_it_fails(session: aiohttp.ClientSession) -> None:
    ids = {
        name: UUID(int=n)
        for n, name in enumerate(("request_id", "plan_id", "task_id", "correlation_id"))
    }
    for payload in (payload_for("http://127.0.0.1:9"), "nothing"):
        response = await async_execute(asking(payload, **ids, api_version="v1"), session)
        assert failure_of(response)
        assert {name: getattr(response, name) for name in ids} == ids
        assert response.api_version == "v1"


# What goes wrong


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({"tool": "swordfish"}, "This is llm_router_agent; the request is for another tool."),
        ({"tool": "LLM_ROUTER_AGENT"}, "the request is for another tool."),
        ({"action": "swordfish"}, "The only action is execute."),
        ({"payload": None}, "The payload is no JSON object with a prompt."),
        ({"payload": ["swordfish"]}, "The payload is no JSON object with a prompt."),
        ({"payload": {}}, "Missing or wrong in the payload: prompt, config."),
        ({"payload": {"prompt": "swordfish"}}, "Missing or wrong in the payload: config."),
        (
            {"payload": {"prompt": ["swordfish"], "config": {"api_key": 7}}},
            "Missing or wrong in the payload: prompt, config.api_key, config.model_name.",
        ),
        ({"payload": payload_for("swordfish!", "abacus")}, "Unknown provider. There are ollama, "),
        ({"payload": payload_for("ftp://swordfish")}, "This is not an address of a model server."),
        (
            {"payload": payload_for("127.0.0.1:9", api_key="swordfish\nX-Other: 1")},
            "The model server does not accept the key.",
        ),
    ],
)
async def test_what_cannot_be_asked_is_said_in_fixed_words(
    session: aiohttp.ClientSession, fields: dict[str, Any], cause: str
) -> None:
    response = await async_execute(asking(**{"payload": {}, **fields}), session)
    found = failure_of(response)
    assert cause in found
    assert "swordfish" not in found


# What may follow the words of an error: fixed phrases of ours, nothing that a server wrote.
DETAIL = (
    r"( \((status \d+|\w+Error|it answers with a web page|it answers something else"
    r"|the reply is damaged|it ended early|cut short|too long)\))?"
)


@pytest.mark.parametrize("kind", ["anthropic", "ollama", "openai"])
@pytest.mark.parametrize("name", IN_ANSWERS)
async def test_every_fault_of_a_server_is_said_in_the_words_of_its_error(
    build: Build,
    session: aiohttp.ClientSession,
    kind: str,
    name: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    fault, expected = IN_ANSWERS[name]
    house = await build(kind)
    await house.server.suffer(fault)
    caplog.set_level("DEBUG")
    request = asking(payload_for(house.server.url, kind))
    found = failure_of(await async_execute(request, session, timeout=patience(fault)))
    assert re.fullmatch(re.escape(expected.message) + DETAIL, found)
    for secret in (KEY, "swordfish", "Welcome", "Good evening"):
        assert secret not in found + caplog.text


async def test_a_wrong_key_is_said_without_it(house: House, session: aiohttp.ClientSession) -> None:
    payload = payload_for(house.server.url, api_key="sk-wrong")
    cause = failure_of(await async_execute(asking(payload), session))
    assert cause == "The model server does not accept the key."


# With a model that is known


async def test_a_known_model_needs_no_config_and_reads_none(house: House) -> None:
    for payload in ({"prompt": PROMPT}, payload_for("http://127.0.0.1:9", "abacus")):
        response = (
            await async_execute_with(asking(payload, context="Dark."), house.client)
        ).response
        assert response.result
        assert response.result.data == "Good evening."
        assert response.result.metadata == {"provider": "openai", "model": "test-model"}
    assert [message.content for message in house.model.requests[0].messages] == ["Dark.", PROMPT]


async def test_a_known_models_limits_are_kept(house: House) -> None:
    limited = LimitedClient(house.client, limits=Limits.create(requests_per_minute=1))
    request = asking({"prompt": PROMPT})
    first = (await async_execute_with(request, limited, timeout=5)).response
    assert first.result
    assert first.result.output_type == "text"
    cause = failure_of((await async_execute_with(request, limited, timeout=5)).response)
    assert cause == "The model server asks to slow down."
    assert len(house.model.requests) == 1


async def test_a_known_model_that_fails_is_said_too(house: House) -> None:
    await house.server.suffer(Fault.of_status(500))
    cause = failure_of(
        (await async_execute_with(asking({"prompt": PROMPT}), house.client)).response
    )
    assert cause == "The model server failed. (status 500)"
    cause = failure_of((await async_execute_with(asking({"text": PROMPT}), house.client)).response)
    assert cause == "Missing or wrong in the payload: prompt."

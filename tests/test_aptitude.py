"""What a model is asked is known by its name, told by its server, or found out by a short test."""

from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import ClientSession
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.bellboard.connections.aptitude import (
    Aptitude,
    async_find_out,
    known_aptitude,
)
from custom_components.bellboard.const import DOMAIN, SUBENTRY_ASSISTANT
from custom_components.bellboard.llm.ability import Contract, contract_of
from custom_components.bellboard.llm.errors import ModelMissingError
from custom_components.bellboard.llm.models import JsonSchema, Message
from custom_components.bellboard.llm.openai import OpenAIClient
from tests.conftest import Serve, Setup
from tests.evaluation import setup_agent
from tests.forms import (
    ENGLISH,
    aborted,
    add_assistant,
    change_assistant,
    filled,
    open_form,
    shown,
    submit,
)

ANSWERS: dict[str, tuple[list[str], float | None, bool]] = {
    "except the counter": (["Ceiling", "Lamp"], None, False),
    "half as bright": (["Lamp"], 20, False),
    "to a third": (["Ceiling"], 33, False),
    "change the brightness": ([], None, True),
    "attic": ([], None, True),
    "to sixty": (["Counter", "Lamp"], 60, False),
    "whatever is off": (["Counter"], None, False),
    "im Schlafzimmer": (["Lamp"], None, False),
    "only the fan": (["Fan"], None, False),
    "a little brighter": (["Lamp"], 50, False),
    "thank you": ([], None, False),
    "ten percent": (["Ceiling", "Counter", "Lamp"], 10, False),
}


def clever(messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
    """Answer the questions of the test rightly, and anything else with a word."""
    if not schema or "percent" not in schema["properties"]:
        return "Well."
    targets, percent, ask = next(
        answer for words, answer in ANSWERS.items() if words in messages[-1].content
    )
    return {"targets": targets, "percent": percent, "ask": ask}


def dull(messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
    """Answer as a tiny model does: always the same."""
    return {"targets": ["Lamp"], "percent": 50, "ask": False}


@pytest.mark.parametrize(
    ("name", "contract"),
    [
        ("llama3.2:3b", Contract.CAPABLE),
        ("Qwen2.5-7B-Instruct-Q4_K_M.gguf", Contract.CAPABLE),
        ("mixtral:8x7b", Contract.CAPABLE),
        ("smollm2:135m", Contract.SMALL),
        ("qwen3:1.7b", Contract.SMALL),
        ("gpt-4o-mini", Contract.CAPABLE),
        ("anthropic/claude-haiku", Contract.CAPABLE),
        ("gemini-2.5-flash", Contract.CAPABLE),
        ("phi4", None),
        ("b", None),
        ("", None),
    ],
)
def test_a_name_says_what_a_model_is_for_or_nothing(name: str, contract: Contract | None) -> None:
    assert contract_of(name) is contract


@pytest.mark.parametrize(
    ("answer", "contract"), [(clever, Contract.CAPABLE), (dull, Contract.SMALL)]
)
async def test_a_test_tells_a_capable_model_from_a_small_one(
    serve: Serve, answer: Callable[..., Any], contract: Contract
) -> None:
    server = await serve(answer=answer)
    seen: list[float] = []
    async with ClientSession() as session:
        found = await async_find_out(
            OpenAIClient(session, server.url, model="test-model"), 5, seen.append
        )
    assert found.contract is contract
    assert found.asked == len(server.model.requests) == len(seen) == 12
    assert seen[-1] == 1


async def test_words_instead_of_json_are_no_right_answer(serve: Serve) -> None:
    server = await serve(answer=lambda *_: "I would love to help!")
    async with ClientSession() as session:
        client = OpenAIClient(session, server.url, model="test-model")
        assert (await async_find_out(client, 5)).contract is Contract.SMALL


def test_what_is_known_of_another_model_says_nothing() -> None:
    stored = {"aptitude": Aptitude(model="phi4", passed=11, asked=12).as_json()}
    assert known_aptitude(stored) == {"phi4": Contract.CAPABLE}
    assert known_aptitude({}) == {}
    told = {"aptitude": Aptitude(model="phi4", parameters=1.2).as_json()}
    assert known_aptitude(told) == {"phi4": Contract.SMALL}


@pytest.mark.aptitude
async def test_an_unknown_model_is_tested_once_and_then_asked_what_it_can(
    hass: HomeAssistant, house: ConfigEntry, serve: Serve
) -> None:
    server = await serve(answer=clever)
    agent_id = await setup_agent(hass, {"provider": "openai", "url": server.url})
    await hass.async_block_till_done(wait_background_tasks=True)
    [entry] = hass.config_entries.async_entries(DOMAIN)
    [assistant] = entry.runtime_data.assistants.values()
    assert assistant.models.contract is Contract.CAPABLE
    assert len(server.model.requests) == 12
    assert er.async_get(hass).async_get(agent_id)
    await hass.config_entries.async_reload(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert len(server.model.requests) == 12, "it is not tested again"


@pytest.mark.aptitude
@pytest.mark.parametrize("options", [{"contract": "small"}, {"requests_per_minute": 30}])
async def test_what_is_chosen_or_counted_is_not_tested(
    hass: HomeAssistant, house: ConfigEntry, serve: Serve, options: dict[str, Any]
) -> None:
    server = await serve(answer=clever)
    options = {"provider": "openai", "url": server.url, "assistant": options}
    await setup_agent(hass, options)
    assert server.model.requests == []


@pytest.mark.aptitude
async def test_a_model_that_cannot_be_asked_is_small_for_now(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    def refuse(*_: Any) -> Any:
        raise RuntimeError("no answer")

    await speak(refuse)
    [entry] = hass.config_entries.async_entries(DOMAIN)
    [assistant] = entry.runtime_data.assistants.values()
    assert assistant.models.contract is Contract.SMALL


async def test_a_server_that_knows_no_such_model_says_nothing_of_it(serve: Serve) -> None:
    server = await serve(answer=clever)
    async with ClientSession() as session:
        client = OpenAIClient(session, server.url, model="another")
        with pytest.raises(ModelMissingError):
            await async_find_out(client, 5)


async def after_test(hass: HomeAssistant, result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check that a test is shown while it goes on, and return what is shown after it."""
    assert result["type"] is FlowResultType.SHOW_PROGRESS
    handler = result["handler"]
    is_sub = isinstance(handler, tuple)
    words = ENGLISH["config_subentries"][SUBENTRY_ASSISTANT] if is_sub else ENGLISH["config"]
    words["progress"][result["progress_action"]].format_map(result["description_placeholders"])
    await hass.async_block_till_done(wait_background_tasks=True)
    manager = hass.config_entries.subentries if is_sub else hass.config_entries.flow
    after: Mapping[str, Any] = await manager.async_configure(result["flow_id"])
    await hass.async_block_till_done(wait_background_tasks=True)
    return after


@pytest.mark.aptitude
@pytest.mark.parametrize("chosen", ["auto", "small"])
async def test_the_first_model_is_tested_while_a_form_shows_how_far_it_is(
    hass: HomeAssistant, assist: None, serve: Serve, chosen: str
) -> None:
    server = await serve(names=["phi4"], answer=clever)
    form = await open_form(hass, "openai")
    result = await submit(hass, form, url=server.url)
    tested = shown(await after_test(hass, result), "tested")
    assert tested["description_placeholders"]["known"] == "Capable model (12/12)"
    result = await submit(hass, tested, contract=chosen)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    [assistant] = result["result"].runtime_data.assistants.values()
    assert assistant.models.contract.value == {"auto": "capable"}.get(chosen, chosen)
    assert len(server.model.requests) == 12


@pytest.mark.aptitude
async def test_another_model_is_tested_when_it_is_chosen_and_the_form_keeps_showing_the_result(
    hass: HomeAssistant, assist: None, serve: Serve
) -> None:
    server = await serve(names=["phi4", "llama3:8b"], answer=dull)
    agent_id = await setup_agent(hass, {"provider": "openai", "url": server.url, "model": "phi4"})
    await hass.async_block_till_done(wait_background_tasks=True)
    [entry] = hass.config_entries.async_entries(DOMAIN)
    [subentry_id] = entry.subentries

    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    assert "Small model (" in form["description_placeholders"]["known"]
    aborted(await submit(hass, form, **filled(form, model="llama3:8b")), "reconfigure_successful")
    form = shown(await change_assistant(hass, entry, subentry_id), "init")
    assert form["description_placeholders"]["known"] == "Capable model (llama3:8b)"

    form = shown(await add_assistant(hass, entry), "init")
    result = await submit(hass, form, **filled(form, model="phi4", name="Butler"))
    tested = shown(await after_test(hass, result), "tested")
    assert (await submit(hass, tested, contract="capable"))["type"] is FlowResultType.CREATE_ENTRY
    butler = next(sub for sub in entry.subentries.values() if sub.title == "Butler")
    assert butler.data["contract"] == "capable"
    assert er.async_get(hass).async_get(agent_id)


@pytest.mark.aptitude
async def test_a_model_that_does_not_answer_is_set_up_all_the_same(
    hass: HomeAssistant, assist: None, serve: Serve
) -> None:
    def refuse(*_: Any) -> Any:
        raise RuntimeError("no answer")

    server = await serve(names=["phi4"], answer=refuse)
    result = await submit(hass, await open_form(hass, "openai"), url=server.url)
    after = await after_test(hass, result)
    assert after["type"] is FlowResultType.CREATE_ENTRY
    [subentry] = after["result"].subentries.values()
    assert "aptitude" not in subentry.data

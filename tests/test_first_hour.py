"""The way from nothing to the first answer: the last steps of the setup, and what they say."""

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component
import pytest

from tests.conftest import Serve
from tests.forms import ENGLISH, agents, choose, open_form, shown, shown_menu, submit

# Voice assistants need packages that are compiled where there is a compiler.
pytest.importorskip("pymicro_vad")
from homeassistant.components.assist_pipeline import async_get_pipeline, async_update_pipeline

HOME_ASSISTANT = "conversation.home_assistant"


@pytest.fixture(autouse=True)
async def voice(hass: HomeAssistant, assist: None) -> None:
    """Set up what voice assistants are kept in, after Assist itself."""
    assert await async_setup_component(hass, "assist_pipeline", {})
    await async_update_pipeline(hass, async_get_pipeline(hass), prefer_local_intents=True)


@pytest.mark.parametrize("is_used", [True, False], ids=["used", "not used"])
async def test_assist_uses_the_assistant_only_with_a_yes(
    hass: HomeAssistant, serve: Serve, is_used: bool
) -> None:
    before = async_get_pipeline(hass)
    server = await serve(names=["/models/large.gguf"])
    form = shown(await open_form(hass, "llamacpp"), "connection")
    menu = await submit(hass, form, url=server.url)
    assert shown_menu(menu, "assist") == ["use_now", "not_now"]
    texts = menu["description_placeholders"]
    assert texts == {"name": "Bellboard large", "pipeline": before.name}
    assert async_get_pipeline(hass) == before

    result = await choose(hass, menu, "use_now" if is_used else "not_now")
    assert result["type"] is FlowResultType.CREATE_ENTRY
    after = async_get_pipeline(hass)
    (agent,) = agents(hass, result["result"])
    assert after.conversation_engine == (agent if is_used else HOME_ASSISTANT)
    # What goes by it goes by its policies too.
    assert after.prefer_local_intents is not is_used
    assert (after.id, after.name, after.language) == (before.id, before.name, before.language)
    words = ENGLISH["config"]["create_entry"][result["description"]]
    assert "Bellboard large" in words.format_map(result["description_placeholders"])


@pytest.mark.parametrize(
    ("language", "example"),
    [("en", "turn on Kitchen Light"), ("de", "schalte Kitchen Light ein")],
)
async def test_a_sentence_to_try_is_one_of_this_home(
    hass: HomeAssistant, language: str, example: str
) -> None:
    hass.config.language = language
    hass.states.async_set("light.kitchen_light", "off", {"friendly_name": "Kitchen Light"})
    menu = await open_form(hass, "none")
    result = await choose(hass, menu, "use_now")
    assert result["description_placeholders"]["example"] == example
    (agent,) = agents(hass, result["result"])
    assert agent == "conversation.bellboard"
    assert async_get_pipeline(hass).conversation_engine == agent


async def test_a_home_with_nothing_in_it_has_a_sentence_to_try(hass: HomeAssistant) -> None:
    result = await choose(hass, await open_form(hass, "none"), "not_now")
    assert result["description_placeholders"]["example"] == "which lights are on?"

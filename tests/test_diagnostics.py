"""Diagnostics tell what happened, and keep what is nobody else's business."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.components.diagnostics import (
    get_diagnostics_for_config_entry,
)
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.diagnostics import async_get_config_entry_diagnostics
from tests.conftest import SECRET_KEY, Setup


def choose(_messages: list[Any], schema: dict[str, Any] | None) -> dict[str, Any] | str:
    """Route to the general agent, and talk."""
    return "You like marzipan, I know." if schema is None else {"agentId": "general"}


@pytest.fixture
async def diagnostics(
    hass: HomeAssistant, speak: Setup, hass_client: ClientSessionGenerator
) -> dict[str, Any]:
    """Return what is downloaded after two turns, one of them with the model."""
    assert await async_setup_component(hass, "diagnostics", {})
    speaker = await speak(choose, router={"confidence_threshold": 0.0})
    await speaker.say("turn off the kitchen pendant")
    await speaker.say("do you remember that I adore marzipan")
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    found = await get_diagnostics_for_config_entry(hass, hass_client, entry)
    return dict(found)


async def test_it_says_what_is_needed(diagnostics: dict[str, Any]) -> None:
    assert diagnostics["connection"]["provider"] == "openai"
    assert diagnostics["catalog"]["entities"]["light"] > 3
    assert diagnostics["catalog"]["areas"] > 3
    (assistant,) = diagnostics["assistants"]
    assert assistant["options"] == {
        "model": "test-model",
        "requests_per_minute": 0,
        "router": {"confidence_threshold": 0.0},
        "telemetry": {"panel_words": "all"},
    }
    assert assistant["model"] == "test-model"
    assert {"light-agent", "general-agent"} <= {card["id"] for card in assistant["agents"]}

    light, talk = assistant["traces"]
    assert light["state"] == "completed"
    assert light["agents"][0]["id"] == "light-agent"
    assert light["calls"] == [{"action": "light.turn_off", "targets": {"light": 1}, "data": {}}]
    assert light["utterance_length"] == len("turn off the kitchen pendant")
    assert talk["agents"][0]["source"] == "model"
    assert talk["reply_length"] == len("You like marzipan, I know.")
    assert talk["llm"]["calls"] == 2
    assert talk["stages"][0]["stage"] == "received"


async def test_it_holds_no_key_no_host_and_no_spoken_word(diagnostics: dict[str, Any]) -> None:
    own = {name: part for name, part in diagnostics.items() if name != "assistants"}
    for assistant in diagnostics["assistants"]:
        # The cards are ours, with examples of what can be said.
        own |= {name: part for name, part in assistant.items() if name != "agents"}
    text = json.dumps(own).casefold()
    for secret in (SECRET_KEY, "127.0.0.1", "marzipan", "pendant", "kitchen", "remember"):
        assert secret not in text, secret
    assert SECRET_KEY not in json.dumps(diagnostics)
    assert "marzipan" not in json.dumps(diagnostics)


async def test_text_in_calls_is_only_counted(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("set the kitchen pendant to red")
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    (assistant,) = (await async_get_config_entry_diagnostics(hass, entry))["assistants"]
    (call,) = assistant["traces"][0]["calls"]
    assert call["data"] == {"color_name": len("red")}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://192.168.7.9:11434", "http://**REDACTED**:11434"),
        ("https://models.example.com/v1", "https://**REDACTED**/v1"),
        ("https://example.com/a-hidden-token/v1", "https://**REDACTED**/**REDACTED**"),
    ],
)
async def test_an_address_keeps_its_form_only(
    hass: HomeAssistant, speak: Setup, url: str, shown: str
) -> None:
    await speak()
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    # Unloaded, so that nobody asks there.
    assert await hass.config_entries.async_unload(entry.entry_id)
    hass.config_entries.async_update_entry(entry, data={"provider": "openai", "url": url})
    found = await async_get_config_entry_diagnostics(hass, entry)
    assert found["connection"] == {"provider": "openai", "url": shown}


async def test_a_connection_that_is_not_loaded_has_diagnostics_too(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    assert await hass.config_entries.async_unload(entry.entry_id)
    found = await async_get_config_entry_diagnostics(hass, entry)
    (assistant,) = found["assistants"]
    assert assistant["options"].keys() == {"requests_per_minute", "telemetry"}

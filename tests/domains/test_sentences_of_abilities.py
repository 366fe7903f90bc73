"""Each ability in the document is reached by the sentence that stands beside it."""

from pathlib import Path
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
import yaml

from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.domains.registry import table_of, tables
from tests.evaluation import setup_agent

SENTENCES: dict[str, str | dict[str, str]] = yaml.safe_load(
    Path(__file__).with_name("abilities.yaml").read_text(encoding="utf-8")
)
SAID = [(name, text) for name, text in SENTENCES.items() if isinstance(text, str)]
ALL = 2**23 - 1
# What Home Assistant's own sentence does instead: who stops a mower means that it goes home.
ALSO = {"lawn_mower.stop": ("dock",)}
# What each device shows while its action makes sense.
BUSY: dict[str, str] = {
    "light": "on", "media_player": "playing", "climate": "heat", "fan": "on", "cover": "opening", "valve": "opening",
    "lock": "unlocked", "switch": "on", "input_boolean": "on", "humidifier": "on", "water_heater": "eco",
    "siren": "on", "scene": "unknown", "script": "off", "button": "unknown",
    "input_button": "unknown", "vacuum": "cleaning",
    "lawn_mower": "mowing", "automation": "on", "select": "glass", "input_select": "glass", "number": "10",
    "input_number": "10", "counter": "3",
}  # fmt: skip
DEVICES: dict[str, dict[str, Any]] = {
    "light": {"friendly_name": "Lamp", "supported_color_modes": ["hs", "color_temp"], "color_mode": "hs",
              "supported_features": 44, "brightness": 120, "hs_color": [240, 80], "rgb_color": [50, 50, 255],
              "min_color_temp_kelvin": 2000, "max_color_temp_kelvin": 6500, "color_temp_kelvin": 3000,
              "effect": "candle", "effect_list": ["off", "candle"]},
    "media_player": {"friendly_name": "Radio", "supported_features": ALL, "volume_level": 0.4,
                     "source_list": ["Aux", "Tuner"], "sound_mode_list": ["Movie", "Night"]},
    "climate": {"friendly_name": "Thermostat", "supported_features": 1023,
                "hvac_modes": ["off", "heat", "cool", "heat_cool", "auto"], "preset_modes": ["eco"],
                "min_temp": 7, "max_temp": 30,
                "fan_modes": ["low", "high"], "swing_modes": ["off", "vertical", "bottom", "top"], "temperature": 20,
                "min_humidity": 30,
                "max_humidity": 70, "target_temp_low": 18, "target_temp_high": 22},
    "fan": {"friendly_name": "Fan", "supported_features": 63, "preset_modes": ["breeze"], "percentage": 30,
            "percentage_step": 1},
    "cover": {"friendly_name": "Blinds", "device_class": "blind", "supported_features": 255, "current_position": 60,
              "current_tilt_position": 10},
    "valve": {"friendly_name": "Valve", "supported_features": 15, "current_position": 60},
    "lock": {"friendly_name": "Door", "supported_features": 1},
    "switch": {"friendly_name": "Socket", "device_class": "outlet"},
    "input_boolean": {"friendly_name": "Guest Mode"},
    "humidifier": {"friendly_name": "Humidifier", "supported_features": 1, "available_modes": ["sleep"],
                   "min_humidity": 30, "max_humidity": 70, "humidity": 50},
    "water_heater": {"friendly_name": "Boiler", "supported_features": 15, "operation_list": ["eco", "performance"],
                     "min_temp": 30, "max_temp": 65, "temperature": 45},
    "siren": {"friendly_name": "Siren", "supported_features": 3},
    "scene": {"friendly_name": "Evening"},
    "script": {"friendly_name": "Bedtime"},
    "button": {"friendly_name": "Doorbell"},
    "input_button": {"friendly_name": "Bell"},
    "vacuum": {"friendly_name": "Vacuum", "supported_features": 16383, "fan_speed_list": ["turbo"]},
    "lawn_mower": {"friendly_name": "Mower", "supported_features": 7},
    "automation": {"friendly_name": "Motion"},
    "select": {"friendly_name": "Program", "options": ["eco", "glass"]},
    "input_select": {"friendly_name": "Menu", "options": ["eco", "glass"]},
    "number": {"friendly_name": "Threshold", "min": 0, "max": 50},
    "input_number": {"friendly_name": "Delay", "min": 0, "max": 50},
    "counter": {"friendly_name": "Coffees", "minimum": 0, "maximum": 50},
}  # fmt: skip


@pytest.fixture
async def agent(hass: HomeAssistant) -> str:
    """Return an assistant in a house of one device of each kind."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    return await setup_agent(hass, {"provider": "none"})


def test_no_action_is_without_a_sentence_or_a_reason() -> None:
    every = {f"{table.name}.{action.name}" for table in tables() for action in table.actions}
    assert SENTENCES.keys() == every


async def test_each_ability_is_read(hass: HomeAssistant, agent: str) -> None:
    missed = {}
    for name, text in SAID:
        domain, _, action_name = name.partition(".")
        hass.states.async_remove(f"{domain}.thing")
        for other in DEVICES:
            if other != domain:
                hass.states.async_remove(f"{other}.thing")
        state = "off" if name.endswith("turn_on") and domain != "scene" else BUSY[domain]
        if name == "media_player.resume":
            state = "paused"
        hass.states.async_set(f"{domain}.thing", state, DEVICES[domain])
        async_expose_entity(hass, "conversation", f"{domain}.thing", True)
        found: Any = await hass.services.async_call(
            DOMAIN, "process", {"text": text, "dry_run": True}, blocking=True, return_response=True
        )
        table = table_of(domain)
        assert table
        action = table.action(action_name)
        assert action
        # Of a domain that is not set up, Home Assistant's general action would be called.
        made = {call["action"].rpartition(".")[2] for call in found["calls"]}
        if not made or not made <= {*action.services, *ALSO.get(name, ())}:
            missed[name] = (text, made, found["reply"])
    assert not missed, "\n".join(f"{n}: {m}" for n, m in missed.items())

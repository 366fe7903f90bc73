"""Every check tells what was done from what was not."""

import asyncio
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, State
import pytest

from custom_components.bellboard.plans.models import ToolCall
from custom_components.bellboard.plans.verification import CHECKS, async_wait_until_holds, holds

from .conftest import Misbehave

RGB = {"color_mode": "hs", "hs_color": (0, 100)}
BLUE = {"color_mode": "hs", "hs_color": (240, 100)}
PALE = {"color_mode": "hs", "hs_color": (200, 8)}
WHITE = {"color_mode": "color_temp", "color_temp_kelvin": 3000}
type Shown = tuple[str, dict[str, Any]]
ON: Shown = ("on", {})
OFF: Shown = ("off", {})

# Action, its data, the state before, states that show it was done, states that do not.
CASES: list[tuple[str, dict[str, Any], Shown, list[Shown], list[Shown]]] = [
    ("light.turn_on", {}, OFF, [ON], [OFF]),
    ("light.turn_off", {}, ON, [OFF], [ON]),
    ("light.toggle", {}, ON, [OFF], [ON]),
    # Brightness 0 turns a light off; rounding to 8 bits is no failure.
    (
        "light.turn_on",
        {"brightness_pct": 0},
        ("on", {"brightness": 90}),
        [OFF],
        [("on", {"brightness": 90}), ("on", {"brightness": 1})],
    ),
    (
        "light.turn_on",
        {"brightness_pct": 40},
        OFF,
        [("on", {"brightness": 102}), ("on", {"brightness": 100})],
        [("on", {"brightness": 255}), ("on", {"brightness": None}), ON, OFF],
    ),
    (
        "light.turn_on",
        {"brightness_step_pct": 10},
        ("on", {"brightness": 100}),
        [("on", {"brightness": 126}), ("on", {"brightness": 255}), ON],
        [("on", {"brightness": 100}), ("on", {"brightness": 80}), OFF],
    ),
    (
        "light.turn_on",
        {"brightness_step_pct": 10},
        ("on", {"brightness": 255}),
        [("on", {"brightness": 255})],
        [("on", {"brightness": 254})],
    ),
    (
        "light.turn_on",
        {"brightness_step_pct": -10},
        ("on", {"brightness": 100}),
        [("on", {"brightness": 75})],
        [("on", {"brightness": 100}), ("on", {"brightness": 130})],
    ),
    # Brighter from off: there is no level to compare with.
    ("light.turn_on", {"brightness_step_pct": 10}, OFF, [("on", {"brightness": 26})], [OFF]),
    (
        "light.turn_on",
        {"color_temp_kelvin": 3000},
        ("on", {"color_temp_kelvin": 5000}),
        [("on", {"color_temp_kelvin": 3003})],
        [
            ("on", {"color_temp_kelvin": 5000}),
            ("on", {"color_temp_kelvin": None, "supported_color_modes": ["color_temp", "hs"]}),
        ],
    ),
    # A light without white tones renders them as a colour.
    (
        "light.turn_on",
        {"color_temp_kelvin": 3000},
        ("on", {**BLUE, "supported_color_modes": ["hs"]}),
        [("on", {"hs_color": (28, 65), "supported_color_modes": ["hs"]})],
        [("on", {**BLUE, "supported_color_modes": ["hs"]})],
    ),
    ("light.turn_on", {"color_name": "red"}, ("on", WHITE), [("on", RGB)], [("on", WHITE), OFF]),
    ("light.turn_on", {"rgb_color": [255, 0, 0]}, ("on", WHITE), [("on", RGB)], [("on", WHITE)]),
    # A light that was red already may stay as it is; one that stays blue did not become red.
    ("light.turn_on", {"color_name": "red"}, ("on", RGB), [("on", RGB)], [OFF]),
    ("light.turn_on", {"rgb_color": [255, 0, 30]}, ("on", RGB), [("on", RGB)], []),
    ("light.turn_on", {"color_name": "white"}, ("on", PALE), [("on", PALE)], []),
    ("light.turn_on", {"color_name": "red"}, ("on", BLUE), [("on", RGB)], [("on", BLUE)]),
    ("light.turn_on", {"color_name": "red"}, ("on", PALE), [("on", RGB)], [("on", PALE)]),
    (
        "light.turn_on",
        {"effect": "candle"},
        ("on", {"effect": "off"}),
        [("on", {"effect": "candle"})],
        [("on", {"effect": "off"}), OFF],
    ),
    ("media_player.turn_on", {}, OFF, [("idle", {}), ("playing", {})], [OFF, ("standby", {})]),
    ("media_player.turn_off", {}, ("idle", {}), [OFF, ("standby", {})], [("idle", {})]),
    ("media_player.toggle", {}, OFF, [("idle", {})], [OFF]),
    (
        "media_player.play_media",
        {"media_content_id": "x", "media_content_type": "music"},
        ("idle", {}),
        [("playing", {}), ("buffering", {}), ON],
        [("idle", {}), OFF],
    ),
    ("media_player.media_play", {}, ("paused", {}), [("playing", {})], [("paused", {})]),
    (
        "media_player.media_pause",
        {},
        ("playing", {}),
        [("paused", {}), ("idle", {})],
        [("playing", {}), ("buffering", {})],
    ),
    ("media_player.media_stop", {}, ("playing", {}), [("idle", {})], [("playing", {})]),
    # Nothing shows that a track was skipped; that the player is there has to do.
    ("media_player.media_next_track", {}, ("playing", {}), [("playing", {})], []),
    (
        "media_player.volume_set",
        {"volume_level": 0.5},
        ("idle", {"volume_level": 0.1}),
        [("idle", {"volume_level": 0.5}), ("idle", {"volume_level": 0.52})],
        [("idle", {"volume_level": 0.1}), ("idle", {})],
    ),
    (
        "media_player.volume_set",
        {"volume_level": 0.0},
        ("idle", {"volume_level": 0.1}),
        [("idle", {"volume_level": 0.0}), ("idle", {"volume_level": 0})],
        [("idle", {"volume_level": 0.1})],
    ),
    (
        "media_player.volume_up",
        {},
        ("idle", {"volume_level": 0.5}),
        [("idle", {"volume_level": 0.6}), ("idle", {"volume_level": 1.0})],
        [("idle", {"volume_level": 0.5}), ("idle", {"volume_level": 0.4})],
    ),
    (
        "media_player.volume_up",
        {},
        ("idle", {"volume_level": 1.0}),
        [("idle", {"volume_level": 1.0})],
        [],
    ),
    (
        "media_player.volume_down",
        {},
        ("idle", {"volume_level": 0.0}),
        [("idle", {"volume_level": 0.0})],
        [("idle", {"volume_level": 0.1})],
    ),
    (
        "media_player.volume_mute",
        {"is_volume_muted": False},
        ("idle", {"is_volume_muted": True}),
        [("idle", {"is_volume_muted": False})],
        [("idle", {"is_volume_muted": True}), ("idle", {})],
    ),
    (
        "media_player.shuffle_set",
        {"shuffle": True},
        ("idle", {}),
        [("idle", {"shuffle": True})],
        [("idle", {"shuffle": False})],
    ),
    (
        "media_player.repeat_set",
        {"repeat": "all"},
        ("idle", {}),
        [("idle", {"repeat": "all"})],
        [("idle", {"repeat": "off"})],
    ),
    (
        "media_player.select_source",
        {"source": "Radio"},
        ON,
        [("on", {"source": "Radio"})],
        [("on", {"source": "TV"})],
    ),
    (
        "climate.set_temperature",
        {"temperature": 21},
        ("heat", {"temperature": 19}),
        [("heat", {"temperature": 21.0}), ("heat", {"temperature": 21.25})],
        [("heat", {"temperature": 19}), ("heat", {"temperature": None})],
    ),
    (
        "climate.set_temperature",
        {"target_temp_low": 18, "target_temp_high": 22},
        ("heat_cool", {}),
        [("heat_cool", {"target_temp_low": 18, "target_temp_high": 22})],
        [
            ("heat_cool", {"target_temp_low": 18, "target_temp_high": 24}),
            ("heat_cool", {"target_temp_low": 16, "target_temp_high": 22}),
            ("heat", {"temperature": 20}),
        ],
    ),
    (
        "climate.set_temperature",
        {"temperature": 21, "hvac_mode": "cool"},
        ("heat", {"temperature": 21}),
        [("cool", {"temperature": 21})],
        [("heat", {"temperature": 21})],
    ),
    ("climate.set_hvac_mode", {"hvac_mode": "off"}, ("heat", {}), [OFF], [("heat", {})]),
    *(
        (
            f"climate.set_{name}_mode",
            {f"{name}_mode": "eco"},
            ("heat", {}),
            [("heat", {f"{name}_mode": "eco"})],
            [("heat", {f"{name}_mode": "home"}), ("heat", {})],
        )
        for name in ("preset", "fan", "swing")
    ),
    (
        "climate.set_humidity",
        {"humidity": 50},
        ("heat", {}),
        [("heat", {"humidity": 50})],
        [("heat", {"humidity": 45})],
    ),
    ("climate.turn_on", {}, OFF, [("heat", {})], [OFF]),
    ("climate.turn_off", {}, ("heat", {}), [OFF], [("heat", {})]),
    ("climate.toggle", {}, OFF, [("heat", {})], [OFF]),
]


def as_state(shown: Shown, domain: str) -> State:
    return State(f"{domain}.it", shown[0], shown[1])


def test_every_check_is_tested() -> None:
    assert set(CHECKS) <= {action for action, *_ in CASES}


@pytest.mark.parametrize(
    ("action", "data", "before", "done", "undone"),
    CASES,
    ids=[f"{action}-{data}" for action, data, *_ in CASES],
)
def test_what_was_done_is_told_from_what_was_not(
    action: str, data: dict[str, Any], before: Shown, done: list[Shown], undone: list[Shown]
) -> None:
    domain = action.partition(".")[0]
    call = ToolCall(action=action, targets=(f"{domain}.it",), data=data)
    was = as_state(before, domain)
    for shown in done:
        assert holds(call, as_state(shown, domain), was), shown
    for shown in undone:
        assert not holds(call, as_state(shown, domain), was), shown


@pytest.mark.parametrize("action", [*CHECKS, "media_player.media_next_track"])
def test_what_is_gone_has_done_nothing(action: str) -> None:
    data = next(data for name, data, *_ in CASES if name == action)
    call = ToolCall(action=action, targets=("light.it",), data=data)
    for state in (None, State("light.it", "unavailable"), State("light.it", "unknown")):
        assert not holds(call, state, State("light.it", "on"))


def test_without_a_state_before_a_toggle_cannot_be_seen() -> None:
    call = ToolCall(action="light.toggle", targets=("light.it",))
    assert not holds(call, State("light.it", "on"), None)


CALL = ToolCall(action="light.turn_on", targets=("light.floor_lamp",))


async def test_what_holds_already_is_not_waited_for(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    async with asyncio.timeout(0.1):
        silent = await async_wait_until_holds(hass, CALL, ["light.reading_lamp"], {}, 60)
    assert silent == set()


async def test_the_wait_ends_with_the_last_answer(
    hass: HomeAssistant, misbehave: Misbehave
) -> None:
    lamps = ["light.floor_lamp", "light.tv_backlight"]
    for lamp, seconds in zip(lamps, (0.02, 0.06), strict=True):
        misbehave(lamp, "delay", seconds)
    await hass.services.async_call("light", "turn_on", {"entity_id": lamps}, blocking=True)
    async with asyncio.timeout(2):
        assert await async_wait_until_holds(hass, CALL, lamps, {}, 60) == set()
    assert all(hass.states.is_state(lamp, "on") for lamp in lamps)


async def test_an_answer_taken_back_counts_as_none(
    hass: HomeAssistant, misbehave: Misbehave
) -> None:
    lamps = ["light.floor_lamp", "light.tv_backlight"]
    misbehave("light.tv_backlight", "ignore")
    waiting = asyncio.create_task(async_wait_until_holds(hass, CALL, lamps, {}, 0.1))
    await asyncio.sleep(0)
    floor_lamp = {"entity_id": "light.floor_lamp"}
    await hass.services.async_call("light", "turn_on", floor_lamp, blocking=True)
    await hass.services.async_call("light", "turn_off", floor_lamp, blocking=True)
    assert await waiting == set(lamps)

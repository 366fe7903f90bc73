"""Every check tells what was done from what was not."""

import asyncio
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, State
import pytest

from custom_components.bellboard.domains.models import ErrorCode, ToolCall
from custom_components.bellboard.domains.registry import callable_actions, shows_outcome
from custom_components.bellboard.plans.tool_executor import (
    answer_time,
    async_wait_until_holds,
    holds,
    shortfall,
)

from .conftest import Misbehave

RGB = {"color_mode": "hs", "hs_color": (0, 100)}
BLUE = {"color_mode": "hs", "hs_color": (240, 100)}
PALE = {"color_mode": "hs", "hs_color": (200, 8)}
WHITE = {"color_mode": "color_temp", "color_temp_kelvin": 3000}
type Shown = tuple[str, dict[str, Any]]
ON: Shown = ("on", {})
OFF: Shown = ("off", {})

BRIGHT = {"brightness": 200}
WARM = {"color_mode": "color_temp", "color_temp_kelvin": 2700, "hs_color": (28.4, 65.7)}
ORANGE = {"color_mode": "hs", "hs_color": (39, 100)}
JAZZ = {"media_content_id": "jazz", "media_content_type": "music"}
BLUES: Shown = ("playing", {"media_title": "Blues", "media_position": 40})
MEMBERS = {"group_members": ["media_player.it", "media_player.other"]}

type Case = tuple[str, dict[str, Any], Shown, list[Shown], list[Shown]]

ON_OFF: list[Case] = [
    (f"{domain}.{service}", {}, before, [after], [before])
    for domain in ("switch", "input_boolean", "humidifier", "siren", "fan", "automation")
    for service, before, after in (
        ("turn_on", OFF, ON),
        ("turn_off", ON, OFF),
        ("toggle", ON, OFF),
    )
]

ECO: Shown = ("eco", {})
FAST: Shown = ("fast", {})
THREE: Shown = ("3", {})
FIVE: Shown = ("5", {})
CHOSEN: list[Case] = [
    ("select.select_option", {"option": "eco"}, FAST, [ECO], [FAST]),
    ("input_select.select_option", {"option": "eco"}, FAST, [ECO], [FAST]),
    ("number.set_value", {"value": 5}, THREE, [FIVE, ("5.0", {})], [THREE]),
    ("input_number.set_value", {"value": 5}, THREE, [FIVE, ("5.0", {})], [THREE]),
    ("counter.set_value", {"value": 5}, THREE, [FIVE], [THREE]),
    ("counter.increment", {}, THREE, [("4", {})], [THREE]),
    ("counter.decrement", {}, THREE, [("2", {})], [THREE]),
    ("counter.reset", {}, THREE, [("0", {}), ("5", {"initial": 5})], [("3", {"initial": 0})]),
]

EARLIER: Shown = ("2026-01-01T10:00", {})
LATER: Shown = ("2026-01-01T10:01", {})
PRESSED: list[Case] = [
    (action, {}, EARLIER, [LATER], [EARLIER])
    for action in ("scene.turn_on", "button.press", "input_button.press")
]

# As below, for colours in all their forms, fades, players at work, and all other kinds of things.
OTHERS: list[Case] = [
    # That a lamp went on is no sign that it took on a colour.
    ("light.turn_on", {"color_name": "red"}, OFF, [("on", RGB)], [ON, ("on", WARM), ("on", BLUE)]),
    # A warm white has a hue, but is not orange.
    ("light.turn_on", {"color_name": "orange"}, ("on", WARM), [("on", ORANGE)], [("on", WARM)]),
    ("light.turn_on", {"color_name": "mauvish"}, OFF, [ON], [OFF]),
    ("light.turn_on", {"hs_color": [0, 100]}, OFF, [("on", RGB)], [("on", BLUE), ON]),
    ("light.turn_on", {"xy_color": [0.7, 0.3]}, OFF, [("on", RGB)], [("on", BLUE)]),
    ("light.turn_on", {"rgbw_color": [255, 0, 0, 0]}, OFF, [("on", RGB)], [("on", BLUE)]),
    ("light.turn_on", {"rgbww_color": [255, 0, 0, 0, 0]}, OFF, [("on", RGB)], [("on", BLUE)]),
    (
        "light.turn_on",
        {"white": 200},
        OFF,
        [("on", {"color_mode": "white", **BRIGHT})],
        [("on", {"color_mode": "rgb", **BRIGHT}), ("on", {"color_mode": "white"})],
    ),
    ("light.turn_on", {"white": True}, OFF, [("on", {"color_mode": "white"})], [("on", RGB)]),
    ("light.turn_on", {"brightness": 200}, OFF, [("on", BRIGHT)], [ON, ("on", {"brightness": 9})]),
    ("light.turn_on", {"brightness": 0}, ON, [OFF], [ON]),
    (
        "light.turn_on",
        {"brightness_step": 50},
        ("on", BRIGHT),
        [("on", {"brightness": 250})],
        [("on", BRIGHT)],
    ),
    # A step down that takes all the light turns it off, a smaller one does not.
    ("light.turn_on", {"brightness_step_pct": -50}, ("on", {"brightness": 60}), [OFF], []),
    ("light.turn_on", {"brightness_step_pct": -50}, ("on", BRIGHT), [], [OFF]),
    ("light.turn_on", {"effect": "off"}, ON, [ON, ("on", {"effect": "off"})], [OFF]),
    ("light.turn_on", {"flash": "short"}, OFF, [OFF, ON], []),
    # A fade of a minute is not waited for, one of two seconds is.
    (
        "light.turn_on",
        {"brightness": 200, "transition": 60},
        ("on", {"brightness": 100}),
        [("on", {"brightness": 103}), ("on", BRIGHT)],
        [("on", {"brightness": 100}), ("on", {"brightness": 90}), OFF],
    ),
    (
        "light.turn_on",
        {"brightness": 200, "transition": 2},
        ("on", {"brightness": 100}),
        [("on", BRIGHT)],
        [("on", {"brightness": 103})],
    ),
    ("light.turn_off", {"transition": 60}, ("on", BRIGHT), [("on", {"brightness": 90})], []),
    ("light.turn_off", {"transition": 60}, ("on", BRIGHT), [OFF], [("on", BRIGHT)]),
    # A player that plays already has to play something else, or the same anew.
    (
        "media_player.play_media",
        JAZZ,
        BLUES,
        [
            ("playing", {"media_title": "Jazz"}),
            ("playing", {"media_title": "Blues", "media_content_id": "jazz"}),
            (
                "playing",
                {"media_title": "Blues", "media_position": 0, "media_position_updated_at": 2},
            ),
        ],
        [
            BLUES,
            ("paused", {"media_title": "Jazz"}),
            (
                "playing",
                {"media_title": "Blues", "media_position": 50, "media_position_updated_at": 2},
            ),
        ],
    ),
    # Music Assistant calls the media otherwise.
    (
        "music_assistant.play_media",
        {"media_id": "jazz"},
        BLUES,
        [("playing", {"media_title": "Blues", "media_content_id": "jazz"})],
        [BLUES, OFF],
    ),
    ("music_assistant.play_media", {"media_id": "jazz", "enqueue": "add"}, BLUES, [BLUES], []),
    ("music_assistant.transfer_queue", {}, OFF, [BLUES], [OFF, ("paused", {})]),
    (
        "music_assistant.transfer_queue",
        {"auto_play": False},
        OFF,
        [BLUES, ("paused", {})],
        [OFF, ("idle", {})],
    ),
    # What is queued does not show.
    ("media_player.play_media", JAZZ | {"enqueue": "add"}, BLUES, [BLUES], []),
    ("media_player.play_media", JAZZ | {"announce": True}, OFF, [OFF, BLUES], []),
    ("media_player.media_play_pause", {}, BLUES, [("paused", {})], [BLUES]),
    (
        "media_player.select_sound_mode",
        {"sound_mode": "night"},
        ON,
        [("on", {"sound_mode": "night"})],
        [ON],
    ),
    (
        "media_player.join",
        {"group_members": ["media_player.other"]},
        ON,
        [("on", MEMBERS)],
        [ON, ("on", {"group_members": ["media_player.it"]})],
    ),
    (
        "media_player.unjoin",
        {},
        ("on", MEMBERS),
        [ON, ("on", {"group_members": ["media_player.it"]})],
        [("on", MEMBERS)],
    ),
    *ON_OFF,
    *CHOSEN,
    (
        "fan.turn_on",
        {"percentage": 50},
        OFF,
        [("on", {"percentage": 50}), ("on", {"percentage": 66, "percentage_step": 33.3})],
        [OFF, ON, ("on", {"percentage": 100}), ("on", {"percentage": 90, "percentage_step": 33.3})],
    ),
    (
        "fan.turn_on",
        {"preset_mode": "sleep"},
        OFF,
        [("on", {"preset_mode": "sleep"})],
        [ON, ("off", {"preset_mode": "sleep"})],
    ),
    ("fan.set_percentage", {"percentage": 0}, ON, [OFF], [ON, ("on", {"percentage": 0})]),
    (
        "fan.increase_speed",
        {},
        ("on", {"percentage": 50}),
        [("on", {"percentage": 75}), ON],
        [("on", {"percentage": 50})],
    ),
    (
        "fan.decrease_speed",
        {},
        ("on", {"percentage": 50}),
        [("on", {"percentage": 25}), ("off", {"percentage": 0})],
        [("on", {"percentage": 50})],
    ),
    *(
        (action, {field: value}, ON, [("on", {name: value})], [ON, ("on", {name: "other"})])
        for action, field, name, value in (
            ("fan.set_preset_mode", "preset_mode", "preset_mode", "sleep"),
            ("fan.oscillate", "oscillating", "oscillating", True),
            ("fan.set_direction", "direction", "direction", "reverse"),
            ("humidifier.set_mode", "mode", "mode", "baby"),
            ("humidifier.set_humidity", "humidity", "humidity", 45),
            ("cover.set_cover_tilt_position", "tilt_position", "current_tilt_position", 45),
        )
    ),
    ("water_heater.turn_on", {}, ("off", {}), [("eco", {}), ("gas", {})], [("off", {})]),
    ("water_heater.turn_off", {}, ("eco", {}), [("off", {})], [("eco", {})]),
    (
        "water_heater.set_temperature",
        {"temperature": 55},
        ("eco", {"temperature": 45}),
        [("eco", {"temperature": 55}), ("eco", {"temperature": 54.6})],
        [("eco", {"temperature": 45}), ("eco", {})],
    ),
    (
        "water_heater.set_operation_mode",
        {"operation_mode": "gas"},
        ("eco", {}),
        [("gas", {})],
        [("eco", {})],
    ),
    ("cover.open_cover", {}, ("closed", {}), [("open", {}), ("opening", {})], [("closed", {})]),
    ("cover.close_cover", {}, ("open", {}), [("closed", {}), ("closing", {})], [("open", {})]),
    ("cover.toggle", {}, ("open", {}), [("closing", {})], [("open", {})]),
    ("cover.stop_cover", {}, ("opening", {}), [("open", {})], [("opening", {})]),
    ("valve.open_valve", {}, ("closed", {}), [("open", {}), ("opening", {})], [("closed", {})]),
    ("valve.close_valve", {}, ("open", {}), [("closed", {}), ("closing", {})], [("open", {})]),
    ("valve.toggle", {}, ("open", {}), [("closing", {})], [("open", {})]),
    ("valve.stop_valve", {}, ("closing", {}), [("open", {})], [("closing", {})]),
    *(
        (
            action,
            {"position": 70},
            ("open", {"current_position": 20}),
            [
                ("open", {"current_position": 69}),
                ("opening", {"current_position": 30}),
            ],
            [
                ("open", {"current_position": 20}),
                ("closing", {"current_position": 20}),
                ("open", {}),
            ],
        )
        for action in ("cover.set_cover_position", "valve.set_valve_position")
    ),
    # A door that is still locking is not locked.
    ("lock.lock", {}, ("unlocked", {}), [("locked", {})], [("locking", {}), ("jammed", {})]),
    ("lock.unlock", {}, ("locked", {}), [("unlocked", {}), ("open", {})], [("unlocking", {})]),
    ("lock.open", {}, ("locked", {}), [("open", {}), ("opening", {})], [("unlocked", {})]),
    *PRESSED,
    ("vacuum.start", {}, ("docked", {}), [("cleaning", {})], [("docked", {})]),
    ("vacuum.return_to_base", {}, ("cleaning", {}), [("returning", {})], [("cleaning", {})]),
    ("vacuum.stop", {}, ("cleaning", {}), [("idle", {}), ("docked", {})], [("cleaning", {})]),
    (
        "vacuum.set_fan_speed",
        {"fan_speed": "quiet"},
        ("docked", {"fan_speed": "turbo"}),
        [("docked", {"fan_speed": "quiet"})],
        [("docked", {"fan_speed": "turbo"})],
    ),
    ("todo.add_item", {"item": "eggs"}, ("1", {}), [("2", {})], [("1", {})]),
    ("vacuum.pause", {}, ("cleaning", {}), [("paused", {})], [("cleaning", {})]),
    ("vacuum.clean_spot", {}, ("docked", {}), [("cleaning", {})], [("docked", {})]),
    ("lawn_mower.pause", {}, ("mowing", {}), [("paused", {})], [("mowing", {})]),
    ("lawn_mower.start_mowing", {}, ("docked", {}), [("mowing", {})], [("docked", {})]),
    ("lawn_mower.dock", {}, ("mowing", {}), [("docked", {})], [("mowing", {})]),
]

# Action, its data, the state before, states that show it was done, states that do not.
CASES: list[Case] = [
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
    # A single target where a range is held: it is moved to lie around it.
    (
        "climate.set_temperature",
        {"temperature": 21},
        ("heat_cool", {"target_temp_low": 16, "target_temp_high": 20}),
        [("heat_cool", {"target_temp_low": 19, "target_temp_high": 23})],
        [
            ("heat_cool", {"target_temp_low": 16, "target_temp_high": 20}),
            ("heat_cool", {"target_temp_low": None, "target_temp_high": None}),
        ],
    ),
    (
        "climate.set_swing_horizontal_mode",
        {"swing_horizontal_mode": "wide"},
        ("cool", {}),
        [("cool", {"swing_horizontal_mode": "wide"})],
        [("cool", {"swing_horizontal_mode": "left"})],
    ),
    *OTHERS,
]


def as_state(shown: Shown, domain: str) -> State:
    return State(f"{domain}.it", shown[0], shown[1])


def test_every_check_is_tested() -> None:
    assert {action for action in callable_actions() if shows_outcome(action)} <= {
        action for action, *_ in CASES
    }


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


SEEN = [action for action in callable_actions() if shows_outcome(action)]


@pytest.mark.parametrize("action", [*SEEN, "media_player.media_next_track"])
def test_what_is_gone_has_done_nothing(action: str) -> None:
    data = next(data for name, data, *_ in CASES if name == action)
    call = ToolCall(action=action, targets=("light.it",), data=data)
    for state in (None, State("light.it", "unavailable"), State("light.it", "unknown")):
        assert not holds(call, state, State("light.it", "on"))


def test_without_a_state_before_a_toggle_cannot_be_seen() -> None:
    call = ToolCall(action="light.toggle", targets=("light.it",))
    assert not holds(call, State("light.it", "on"), None)


@pytest.mark.parametrize(
    ("action", "data", "before", "now", "missing"),
    [
        ("light.turn_on", {"brightness": 200}, OFF, ("on", BRIGHT), None),
        ("light.turn_on", {"brightness": 200}, OFF, ("on", {"brightness": 90}), "partly"),
        ("light.turn_on", {"brightness": 200}, OFF, OFF, "no_answer"),
        # It was on before, so that being on is no part of the answer.
        ("light.turn_on", {"effect": "x"}, ("on", BRIGHT), ("on", BRIGHT), "no_answer"),
        ("light.turn_on", {"color_name": "red"}, ("on", WARM), ("on", WARM), "no_answer"),
        (
            "light.turn_on",
            {"color_name": "red", "brightness": 200},
            ("on", WARM),
            ("on", WARM | BRIGHT),
            "partly",
        ),
        ("light.turn_on", {}, OFF, ("unavailable", {}), "unavailable"),
        ("light.turn_on", {}, OFF, ("unknown", {}), "no_answer"),
        ("lock.lock", {}, ("unlocked", {}), ("locking", {}), "partly"),
        (
            "climate.set_temperature",
            {"temperature": 30},
            ("heat", {"temperature": 20}),
            ("heat", {"temperature": 25}),
            "partly",
        ),
        # What happens to something else is no answer.
        (
            "media_player.volume_set",
            {"volume_level": 0.5},
            ("playing", {"volume_level": 0.1}),
            ("paused", {"volume_level": 0.1}),
            "no_answer",
        ),
        ("media_player.media_next_track", {}, ("playing", {}), ("playing", {}), None),
    ],
)
def test_a_part_is_told_from_nothing(
    action: str, data: dict[str, Any], before: Shown, now: Shown, missing: str | None
) -> None:
    domain = action.partition(".")[0]
    call = ToolCall(action=action, targets=(f"{domain}.it",), data=data)
    code = shortfall(call, as_state(now, domain), as_state(before, domain))
    assert code == (ErrorCode(missing) if missing else None)


def test_without_a_state_there_is_no_part() -> None:
    call = ToolCall(action="light.turn_on", data={"brightness": 3})
    assert shortfall(call, None, None) is ErrorCode.UNAVAILABLE
    assert shortfall(call, State("light.it", "on"), None) is ErrorCode.NO_ANSWER


@pytest.mark.parametrize(
    ("transition", "seconds", "waited"),
    [(None, 2.0, 2.0), (3, 2.0, 5.0), (600, 2.0, 7.0), (3, 0.0, 0.0), (-3, 2.0, 2.0)],
)
def test_a_fade_is_waited_for_within_bounds(
    transition: float | None, seconds: float, waited: float
) -> None:
    data = {} if transition is None else {"transition": transition}
    assert answer_time(ToolCall(action="light.turn_on", data=data), seconds) == waited


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


async def test_what_holds_at_first_has_to_hold_at_the_end(
    hass: HomeAssistant, misbehave: Misbehave
) -> None:
    lamps = ["light.reading_lamp", "light.tv_backlight"]
    misbehave("light.tv_backlight", "ignore")
    waiting = asyncio.create_task(async_wait_until_holds(hass, CALL, lamps, {}, 0.1))
    await asyncio.sleep(0)
    reading_lamp = {"entity_id": "light.reading_lamp"}
    await hass.services.async_call("light", "turn_off", reading_lamp, blocking=True)
    assert await waiting == set(lamps)

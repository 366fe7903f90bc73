"""A call is made only with what each entity says it can take."""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, State

from custom_components.bellboard.domains.models import ErrorCode, ToolCall
from custom_components.bellboard.domains.registry import (
    callable_actions,
    find_refusal,
    service_of,
    shows_outcome,
)

LAMP = "light.floor_lamp"  # color_temp and hs, 2000 to 6500 K, effects, flash
WHITES = "light.living_room_ceiling"  # color_temp, 2700 to 6500 K
DIMMABLE = "light.reading_lamp"
ONOFF = "light.sideboard_lamp"
MIRROR = "light.mirror_light"  # white and rgb
STRIP = "light.tv_backlight"  # rgbww
SPEAKER = "media_player.kitchen_speaker"  # playing, groups, no sources
TV = "media_player.living_room_tv"  # sources and sound modes, no shuffle
HEATING = "climate.living_room_thermostat"  # 7 to 30, presets
BEDROOM = "climate.bedroom_thermostat"  # 10 to 32, range, humidity 30 to 60, fan
FAN = "fan.bedroom_fan"
EXTRACTOR = "fan.bathroom_extractor"
BLINDS = "cover.living_room_blinds"
GARAGE = "cover.garage_door"

INVALID, UNSUPPORTED, FAR = ErrorCode.INVALID, ErrorCode.UNSUPPORTED, ErrorCode.OUT_OF_RANGE
NAN, INFINITE = float("nan"), float("inf")
LIBRARY = {"media_content_id": "library://x", "media_content_type": "music"}

# Action, entity, the data, and why it is refused.
CASES: list[tuple[str, str, dict[str, Any], ErrorCode | None]] = [
    ("light.turn_on", ONOFF, {}, None),
    ("light.turn_on", LAMP, {"brightness_pct": 40, "transition": 2}, None),
    ("light.turn_on", LAMP, {"brightness_pct": 0}, None),
    ("light.turn_on", LAMP, {"brightness_pct": 33.3}, None),
    ("light.turn_on", LAMP, {"brightness_pct": 101}, FAR),
    ("light.turn_on", LAMP, {"brightness_pct": -1}, FAR),
    ("light.turn_on", LAMP, {"brightness_pct": "a lot"}, INVALID),
    ("light.turn_on", LAMP, {"brightness_pct": "40"}, INVALID),
    ("light.turn_on", LAMP, {"brightness_pct": True}, INVALID),
    ("light.turn_on", LAMP, {"brightness_pct": None}, INVALID),
    ("light.turn_on", LAMP, {"brightness_pct": NAN}, INVALID),
    ("light.turn_on", LAMP, {"brightness_pct": INFINITE}, INVALID),
    ("light.turn_on", LAMP, {"brightness_pct": 10**400}, FAR),
    ("light.turn_on", ONOFF, {"brightness_pct": 40}, UNSUPPORTED),
    # What nobody could do is invalid for those, too, that lack the ability.
    ("light.turn_on", ONOFF, {"brightness_pct": "a lot"}, INVALID),
    ("light.turn_on", LAMP, {"brightness": 255}, None),
    ("light.turn_on", LAMP, {"brightness": 256}, FAR),
    ("light.turn_on", LAMP, {"brightness": 12.5}, INVALID),
    ("light.turn_on", LAMP, {"brightness_step_pct": -100}, None),
    ("light.turn_on", LAMP, {"brightness_step": 300}, FAR),
    ("light.turn_on", LAMP, {"brightness": 3, "brightness_pct": 3}, INVALID),
    ("light.turn_on", LAMP, {"color_name": "red", "color_temp_kelvin": 3000}, INVALID),
    ("light.turn_on", LAMP, {"color_name": "red"}, None),
    ("light.turn_on", LAMP, {"color_name": "Light Blue"}, None),
    ("light.turn_on", LAMP, {"color_name": "mauvish"}, INVALID),
    ("light.turn_on", LAMP, {"color_name": 7}, INVALID),
    ("light.turn_on", WHITES, {"color_name": "red"}, UNSUPPORTED),
    ("light.turn_on", WHITES, {"color_temp_kelvin": 2700}, None),
    ("light.turn_on", WHITES, {"color_temp_kelvin": 2699}, FAR),
    ("light.turn_on", WHITES, {"color_temp_kelvin": 2}, FAR),
    ("light.turn_on", WHITES, {"color_temp_kelvin": "warm"}, INVALID),
    ("light.turn_on", DIMMABLE, {"color_temp_kelvin": 3000}, UNSUPPORTED),
    ("light.turn_on", "light.night_light", {"color_temp_kelvin": 1800}, None),
    ("light.turn_on", LAMP, {"hs_color": [30, 60]}, None),
    ("light.turn_on", LAMP, {"hs_color": (30.5, 60.5)}, None),
    ("light.turn_on", LAMP, {"hs_color": [361, 60]}, FAR),
    ("light.turn_on", LAMP, {"hs_color": [30]}, INVALID),
    ("light.turn_on", LAMP, {"hs_color": "30"}, INVALID),
    ("light.turn_on", LAMP, {"hs_color": 30}, INVALID),
    ("light.turn_on", LAMP, {"rgb_color": [255, 0, 3]}, None),
    ("light.turn_on", LAMP, {"rgb_color": [255, 0, 256]}, FAR),
    ("light.turn_on", LAMP, {"rgb_color": [255, 0, "red"]}, INVALID),
    ("light.turn_on", "light.dining_table", {"rgbw_color": [1, 2, 3, 4]}, None),
    ("light.turn_on", STRIP, {"rgbww_color": [1, 2, 3, 4, 5]}, None),
    ("light.turn_on", "light.guest_lamp", {"xy_color": [0.4, 0.4]}, None),
    ("light.turn_on", "light.guest_lamp", {"xy_color": [0.4, 1.4]}, FAR),
    ("light.turn_on", MIRROR, {"white": 200}, None),
    ("light.turn_on", MIRROR, {"white": True}, None),
    ("light.turn_on", MIRROR, {"white": False}, INVALID),
    ("light.turn_on", LAMP, {"white": 200}, UNSUPPORTED),
    ("light.turn_on", LAMP, {"effect": "candle"}, None),
    ("light.turn_on", LAMP, {"effect": "police"}, UNSUPPORTED),
    ("light.turn_on", DIMMABLE, {"effect": "candle"}, UNSUPPORTED),
    ("light.turn_on", LAMP, {"effect": ["candle"]}, INVALID),
    ("light.turn_on", LAMP, {"flash": "short"}, None),
    ("light.turn_on", LAMP, {"flash": "often"}, INVALID),
    ("light.turn_on", DIMMABLE, {"flash": "short"}, UNSUPPORTED),
    ("light.turn_on", ONOFF, {"transition": 2}, None),
    ("light.turn_on", LAMP, {"transition": -2}, FAR),
    # Where to is said by the targets alone.
    ("light.turn_on", LAMP, {"entity_id": "all"}, INVALID),
    ("light.turn_on", LAMP, {"area_id": "kitchen"}, INVALID),
    ("light.turn_on", LAMP, {"brightness_pct; drop": 3}, INVALID),
    ("light.turn_off", LAMP, {"transition": 2, "flash": "long"}, None),
    ("light.turn_off", LAMP, {"brightness_pct": 40}, INVALID),
    ("light.toggle", LAMP, {"brightness_pct": 40}, None),
    ("light.sing", LAMP, {}, UNSUPPORTED),
    ("homeassistant.turn_on", LAMP, {}, UNSUPPORTED),
    ("homeassistant.restart", LAMP, {}, UNSUPPORTED),
    ("", LAMP, {}, UNSUPPORTED),
    # An action of another domain would pass it over in silence.
    ("light.turn_on", TV, {}, UNSUPPORTED),
    ("media_player.volume_set", SPEAKER, {"volume_level": 0.5}, None),
    ("media_player.volume_set", SPEAKER, {"volume_level": 0}, None),
    ("media_player.volume_set", SPEAKER, {"volume_level": 50}, FAR),
    ("media_player.volume_set", SPEAKER, {}, INVALID),
    ("media_player.volume_mute", SPEAKER, {"is_volume_muted": False}, None),
    ("media_player.volume_mute", SPEAKER, {"is_volume_muted": 0}, INVALID),
    ("media_player.volume_up", TV, {}, None),
    ("media_player.shuffle_set", SPEAKER, {"shuffle": True}, None),
    ("media_player.shuffle_set", TV, {"shuffle": True}, UNSUPPORTED),
    ("media_player.repeat_set", SPEAKER, {"repeat": "one"}, None),
    ("media_player.repeat_set", SPEAKER, {"repeat": "twice"}, INVALID),
    ("media_player.select_source", TV, {"source": "Blu-ray"}, None),
    ("media_player.select_source", TV, {"source": "Betamax"}, UNSUPPORTED),
    ("media_player.select_source", SPEAKER, {"source": "Blu-ray"}, UNSUPPORTED),
    ("media_player.select_sound_mode", TV, {"sound_mode": "night"}, None),
    ("media_player.select_sound_mode", TV, {"sound_mode": ""}, INVALID),
    ("media_player.media_seek", SPEAKER, {"seek_position": 5}, None),
    ("media_player.media_seek", SPEAKER, {"seek_position": -5}, FAR),
    ("media_player.media_seek", SPEAKER, {"seek_position": 1e6}, FAR),
    ("media_player.media_seek", TV, {"seek_position": 5}, UNSUPPORTED),
    ("media_player.play_media", SPEAKER, LIBRARY, None),
    ("media_player.play_media", SPEAKER, LIBRARY | {"enqueue": "add"}, None),
    ("media_player.play_media", SPEAKER, LIBRARY | {"enqueue": "later"}, INVALID),
    ("media_player.play_media", SPEAKER, LIBRARY | {"announce": True}, UNSUPPORTED),
    (
        "media_player.play_media",
        SPEAKER,
        LIBRARY | {"announce": True, "enqueue": "add"},
        INVALID,
    ),
    ("media_player.play_media", SPEAKER, LIBRARY | {"media_content_id": "  "}, INVALID),
    ("media_player.play_media", SPEAKER, LIBRARY | {"media_content_id": "a\x00b"}, INVALID),
    ("media_player.play_media", SPEAKER, LIBRARY | {"media_content_id": "\ud800"}, INVALID),
    ("media_player.play_media", SPEAKER, LIBRARY | {"media_content_id": "x" * 3000}, INVALID),
    ("media_player.play_media", TV, LIBRARY, UNSUPPORTED),
    ("media_player.join", SPEAKER, {"group_members": ["media_player.office_speaker"]}, None),
    (
        "media_player.join",
        SPEAKER,
        {"group_members": ["media_player.guest_room_speaker"]},
        ErrorCode.NOT_EXPOSED,
    ),
    ("media_player.join", SPEAKER, {"group_members": [TV]}, UNSUPPORTED),
    ("media_player.join", SPEAKER, {"group_members": [LAMP]}, UNSUPPORTED),
    ("media_player.join", SPEAKER, {"group_members": ["media_player.x"]}, ErrorCode.UNAVAILABLE),
    ("media_player.join", SPEAKER, {"group_members": [7]}, INVALID),
    ("media_player.join", SPEAKER, {"group_members": []}, INVALID),
    ("media_player.join", SPEAKER, {"group_members": "all"}, INVALID),
    ("media_player.unjoin", SPEAKER, {}, None),
    ("climate.turn_on", HEATING, {}, None),
    ("climate.set_temperature", HEATING, {"temperature": 21.5}, None),
    ("climate.set_temperature", HEATING, {"temperature": 31}, FAR),
    ("climate.set_temperature", HEATING, {"temperature": 6.9}, FAR),
    ("climate.set_temperature", HEATING, {"temperature": "warm"}, INVALID),
    ("climate.set_temperature", HEATING, {}, INVALID),
    ("climate.set_temperature", HEATING, {"temperature": 21, "hvac_mode": "heat"}, None),
    ("climate.set_temperature", HEATING, {"temperature": 21, "hvac_mode": "cool"}, UNSUPPORTED),
    (
        "climate.set_temperature",
        BEDROOM,
        {"target_temp_low": 18, "target_temp_high": 22},
        None,
    ),
    ("climate.set_temperature", BEDROOM, {"target_temp_low": 18}, INVALID),
    (
        "climate.set_temperature",
        BEDROOM,
        {"target_temp_low": 23, "target_temp_high": 22},
        INVALID,
    ),
    (
        "climate.set_temperature",
        BEDROOM,
        {"temperature": 20, "target_temp_low": 18, "target_temp_high": 22},
        INVALID,
    ),
    (
        "climate.set_temperature",
        HEATING,
        {"target_temp_low": 18, "target_temp_high": 22},
        UNSUPPORTED,
    ),
    ("climate.set_hvac_mode", HEATING, {"hvac_mode": "off"}, None),
    ("climate.set_hvac_mode", HEATING, {"hvac_mode": "cool"}, UNSUPPORTED),
    ("climate.set_hvac_mode", HEATING, {"hvac_mode": None}, INVALID),
    ("climate.set_preset_mode", HEATING, {"preset_mode": "eco"}, None),
    ("climate.set_preset_mode", BEDROOM, {"preset_mode": "eco"}, UNSUPPORTED),
    ("climate.set_fan_mode", BEDROOM, {"fan_mode": "high"}, None),
    ("climate.set_fan_mode", BEDROOM, {"fan_mode": "storm"}, UNSUPPORTED),
    (
        "climate.set_swing_horizontal_mode",
        "climate.office_air_conditioner",
        {"swing_horizontal_mode": "wide"},
        None,
    ),
    ("climate.set_humidity", BEDROOM, {"humidity": 45}, None),
    ("climate.set_humidity", BEDROOM, {"humidity": 61}, FAR),
    ("climate.set_humidity", HEATING, {"humidity": 45}, UNSUPPORTED),
    ("switch.turn_on", "switch.coffee_machine", {}, None),
    ("switch.turn_on", "switch.coffee_machine", {"brightness_pct": 3}, INVALID),
    ("fan.turn_on", FAN, {"percentage": 50}, None),
    ("fan.turn_on", FAN, {"percentage": 50, "preset_mode": "breeze"}, INVALID),
    ("fan.turn_on", EXTRACTOR, {"preset_mode": "breeze"}, UNSUPPORTED),
    ("fan.set_percentage", FAN, {"percentage": 120}, FAR),
    ("fan.oscillate", FAN, {"oscillating": True}, None),
    ("fan.oscillate", EXTRACTOR, {"oscillating": True}, UNSUPPORTED),
    ("fan.set_direction", FAN, {"direction": "reverse"}, None),
    ("fan.set_direction", FAN, {"direction": "sideways"}, INVALID),
    ("cover.set_cover_position", BLINDS, {"position": 30}, None),
    ("cover.set_cover_position", GARAGE, {"position": 30}, UNSUPPORTED),
    ("cover.set_cover_tilt_position", BLINDS, {"tilt_position": 130}, FAR),
    ("cover.open_cover", GARAGE, {}, None),
    ("scene.turn_on", "scene.dinner", {"transition": 3}, None),
    ("vacuum.start", "vacuum.dusty", {}, None),
    ("vacuum.return_to_base", "vacuum.dusty", {"speed": 3}, INVALID),
]


def case_id(case: tuple[str, str, dict[str, Any], ErrorCode | None]) -> str:
    """Return a case as a short text that can be printed."""
    action, entity_id, data, _ = case
    return f"{action}-{entity_id.partition('.')[2]}-{data!s:.40}".encode("unicode_escape").decode()


async def test_each_entity_is_asked_only_for_what_it_can_do(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    """All in one house, which takes longer to set up than they take."""
    wrong = {}
    for case in CASES:
        action, entity_id, data, expected = case
        call = ToolCall.model_construct(action=action, targets=(entity_id,), data=data)
        if (code := find_refusal(hass, call, entity_id)) is not expected:
            wrong[case_id(case)] = (code, expected)
    assert not wrong


async def test_who_is_not_exposed_or_not_there_comes_before_what_it_can_do(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    call = ToolCall(action="light.sing", data={"brightness_pct": "x"})
    assert find_refusal(hass, call, "light.alarm_beacon") is ErrorCode.NOT_EXPOSED
    for missing in ("light.gone", "all", "none", "", "light", "light.floor_lamp,light.desk_lamp"):
        assert find_refusal(hass, call, missing) is ErrorCode.UNAVAILABLE


async def test_another_spelling_of_an_id_opens_no_door(
    hass: HomeAssistant, house: ConfigEntry
) -> None:
    """Home Assistant finds the entity by it, and would think it exposed."""
    for entity_id in ("light.Alarm_Beacon", "LIGHT.alarm_beacon", "Light.floor_lamp"):
        assert hass.states.get(entity_id) is not None
        call = ToolCall(action="light.turn_on", targets=(entity_id,))
        assert find_refusal(hass, call, entity_id) is ErrorCode.UNAVAILABLE


def test_what_an_entity_does_not_tell_is_not_held_against_it(hass: HomeAssistant) -> None:
    handler = service_of("media_player.select_source")
    assert handler
    off = State("media_player.it", "off", {"supported_features": 2048})
    assert handler.find_refusal(hass, off, {"source": "TV"}) is None
    assert handler.find_refusal(hass, off, {"source": "\x07"}) is INVALID
    degrees = service_of("climate.set_temperature")
    assert degrees
    bare = State("climate.it", "heat", {"supported_features": 1, "min_temp": "cold"})
    assert degrees.find_refusal(hass, bare, {"temperature": 300}) is None
    assert (
        degrees.find_refusal(hass, State("climate.it", "heat"), {"temperature": 20}) is UNSUPPORTED
    )


def test_what_came_of_an_action_can_be_seen_but_for_a_few() -> None:
    assert {action for action in callable_actions() if not shows_outcome(action)} == {
        # What was said aloud leaves no trace.
        "assist_satellite.announce",
        "tts.speak",
        # What stands in a calendar is no state of it.
        "calendar.create_event",
        # Tracks may be alike, places in them move, and slats and queues may not tell where they are.
        "vacuum.locate",
        "media_player.media_next_track",
        "script.turn_on",
        "automation.trigger",
        "media_player.media_previous_track",
        "media_player.media_seek",
        "media_player.clear_playlist",
        "cover.open_cover_tilt",
        "cover.close_cover_tilt",
        "cover.stop_cover_tilt",
        # An item may be ticked off already, or stand there twice.
        "todo.update_item",
        "todo.remove_item",
    }

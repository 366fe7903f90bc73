"""The handlers of the actions that Bellboard calls by itself, and of those that put things back."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from homeassistant.components.climate import ClimateEntityFeature as Climate
from homeassistant.components.cover import CoverEntityFeature as Cover
from homeassistant.components.fan import FanEntityFeature as Fan
from homeassistant.components.humidifier import HumidifierEntityFeature as Humidifier
from homeassistant.components.lawn_mower import LawnMowerEntityFeature as Mower
from homeassistant.components.light import LightEntityFeature as Light
from homeassistant.components.lock import LockEntityFeature as Lock
from homeassistant.components.media_player import MediaPlayerEntityFeature as Media
from homeassistant.components.siren import SirenEntityFeature as Siren
from homeassistant.components.vacuum import VacuumEntityFeature as Vacuum
from homeassistant.components.valve import ValveEntityFeature as Valve

from .fields import (
    Able,
    Field,
    color_name,
    dims,
    flag,
    group_members,
    has,
    kelvin,
    listed,
    needing,
    number,
    numbers,
    one_of,
    shows_color,
    shows_white,
    text,
    white,
)
from .tool_handler import Rule, ToolHandler, at_most_one

_BYTE = (0, 255)
_PERCENT = number(0, 100, whole=True)
# A light that cannot fade is where it should be at once, so anyone may be asked to.
_TRANSITION = {"transition": number(0, 6553)}

_BRIGHTNESS: dict[str, Field] = {
    "brightness": needing(dims, number(0, 255, whole=True)),
    "brightness_pct": needing(dims, number(0, 100)),
    "brightness_step": needing(dims, number(-255, 255, whole=True)),
    "brightness_step_pct": needing(dims, number(-100, 100)),
}
_COLOR: dict[str, Field] = {
    "color_name": needing(shows_color, color_name),
    "color_temp_kelvin": kelvin,
    "hs_color": needing(shows_color, numbers((0, 360), (0, 100))),
    "rgb_color": needing(shows_color, numbers(*[_BYTE] * 3, whole=True)),
    "rgbw_color": needing(shows_color, numbers(*[_BYTE] * 4, whole=True)),
    "rgbww_color": needing(shows_color, numbers(*[_BYTE] * 5, whole=True)),
    "xy_color": needing(shows_color, numbers((0, 1), (0, 1))),
    "white": needing(shows_white, white),
}
_FLASH: dict[str, Field] = {"flash": needing(has(Light.FLASH), one_of("short", "long"))}
_LIGHT: dict[str, Field] = {
    **_BRIGHTNESS,
    **_COLOR,
    **_FLASH,
    **_TRANSITION,
    "effect": needing(has(Light.EFFECT), listed("effect_list")),
}
_LIGHT_RULE = at_most_one(frozenset(_BRIGHTNESS), frozenset(_COLOR))


def _tool(
    action: str,
    able: Able | None = None,
    required: Mapping[str, Field] = MappingProxyType({}),
    *,
    optional: Mapping[str, Field] = MappingProxyType({}),
    rule: Rule | None = None,
) -> ToolHandler:
    """Return a handler of an action, with its fields."""
    return ToolHandler(
        action=action,
        fields={**required, **optional},
        required=frozenset(required),
        able=able,
        rule=rule,
    )


def _lights() -> Iterator[ToolHandler]:
    """Return the handlers of lights."""
    for service in ("turn_on", "toggle"):
        yield _tool(f"light.{service}", optional=_LIGHT, rule=_LIGHT_RULE)
    yield _tool("light.turn_off", optional=_FLASH | _TRANSITION)


def _players() -> Iterator[ToolHandler]:
    """Return the handlers of media players."""
    plain: dict[str, Able] = {
        "turn_on": has(Media.TURN_ON),
        "turn_off": has(Media.TURN_OFF),
        "toggle": has(Media.TURN_ON | Media.TURN_OFF),
        "volume_up": has(Media.VOLUME_SET, Media.VOLUME_STEP),
        "volume_down": has(Media.VOLUME_SET, Media.VOLUME_STEP),
        "media_play": has(Media.PLAY),
        "media_pause": has(Media.PAUSE),
        "media_play_pause": has(Media.PLAY | Media.PAUSE),
        "media_stop": has(Media.STOP),
        "media_next_track": has(Media.NEXT_TRACK),
        "media_previous_track": has(Media.PREVIOUS_TRACK),
        "clear_playlist": has(Media.CLEAR_PLAYLIST),
        "unjoin": has(Media.GROUPING),
    }
    for service, able in plain.items():
        yield _tool(f"media_player.{service}", able)
    for service, feature, name, field in (
        ("volume_set", Media.VOLUME_SET, "volume_level", number(0, 1)),
        ("volume_mute", Media.VOLUME_MUTE, "is_volume_muted", flag),
        ("shuffle_set", Media.SHUFFLE_SET, "shuffle", flag),
        ("repeat_set", Media.REPEAT_SET, "repeat", one_of("off", "all", "one")),
        ("select_source", Media.SELECT_SOURCE, "source", listed("source_list")),
        ("select_sound_mode", Media.SELECT_SOUND_MODE, "sound_mode", listed("sound_mode_list")),
        ("media_seek", Media.SEEK, "seek_position", number(0, "media_duration")),
        ("join", Media.GROUPING, "group_members", group_members),
    ):
        yield _tool(f"media_player.{service}", has(feature), {name: field})
    enqueue = one_of("play", "next", "add", "replace")
    yield _tool(
        "media_player.play_media",
        has(Media.PLAY_MEDIA),
        {"media_content_id": text, "media_content_type": text},
        optional={
            "enqueue": needing(has(Media.MEDIA_ENQUEUE), enqueue),
            "announce": needing(has(Media.MEDIA_ANNOUNCE), flag),
        },
        rule=at_most_one(frozenset({"enqueue", "announce"})),
    )


def _one_target_or_a_range(data: Mapping[str, Any]) -> bool:
    """Return whether one temperature is given, or both ends of a range in their order."""
    ends = {"target_temp_low", "target_temp_high"} & data.keys()
    if "temperature" in data:
        return not ends
    return len(ends) == 2 and bool(data["target_temp_low"] <= data["target_temp_high"])


def _thermostats() -> Iterator[ToolHandler]:
    """Return the handlers of thermostats and air conditioners."""
    yield _tool("climate.turn_on", has(Climate.TURN_ON))
    yield _tool("climate.turn_off", has(Climate.TURN_OFF))
    yield _tool("climate.toggle", has(Climate.TURN_ON | Climate.TURN_OFF))
    mode = listed("hvac_modes")
    degrees = number("min_temp", "max_temp")
    end = needing(has(Climate.TARGET_TEMPERATURE_RANGE), degrees)
    yield _tool(
        "climate.set_temperature",
        has(Climate.TARGET_TEMPERATURE, Climate.TARGET_TEMPERATURE_RANGE),
        optional={
            "temperature": needing(has(Climate.TARGET_TEMPERATURE), degrees),
            "target_temp_low": end,
            "target_temp_high": end,
            "hvac_mode": mode,
        },
        rule=_one_target_or_a_range,
    )
    yield _tool("climate.set_hvac_mode", None, {"hvac_mode": mode})
    humidity = number("min_humidity", "max_humidity", whole=True)
    yield _tool("climate.set_humidity", has(Climate.TARGET_HUMIDITY), {"humidity": humidity})
    for name, feature in (
        ("preset", Climate.PRESET_MODE),
        ("fan", Climate.FAN_MODE),
        ("swing", Climate.SWING_MODE),
        ("swing_horizontal", Climate.SWING_HORIZONTAL_MODE),
    ):
        field = {f"{name}_mode": listed(f"{name}_modes")}
        yield _tool(f"climate.set_{name}_mode", has(feature), field)


def _fans() -> Iterator[ToolHandler]:
    """Return the handlers of fans."""
    preset = needing(has(Fan.PRESET_MODE), listed("preset_modes"))
    speed = needing(has(Fan.SET_SPEED), _PERCENT)
    yield _tool(
        "fan.turn_on",
        has(Fan.TURN_ON),
        optional={"percentage": speed, "preset_mode": preset},
        rule=at_most_one(frozenset({"percentage", "preset_mode"})),
    )
    yield _tool("fan.turn_off", has(Fan.TURN_OFF))
    yield _tool("fan.toggle", has(Fan.TURN_ON | Fan.TURN_OFF))
    yield _tool("fan.set_percentage", None, {"percentage": speed})
    for service in ("increase_speed", "decrease_speed"):
        yield _tool(f"fan.{service}", has(Fan.SET_SPEED), optional={"percentage_step": _PERCENT})
    yield _tool("fan.set_preset_mode", None, {"preset_mode": preset})
    yield _tool("fan.oscillate", has(Fan.OSCILLATE), {"oscillating": flag})
    yield _tool(
        "fan.set_direction", has(Fan.DIRECTION), {"direction": one_of("forward", "reverse")}
    )


def _openings() -> Iterator[ToolHandler]:
    """Return the handlers of covers, valves and locks."""
    yield _tool("cover.open_cover", has(Cover.OPEN))
    yield _tool("cover.close_cover", has(Cover.CLOSE))
    yield _tool("cover.toggle", has(Cover.OPEN | Cover.CLOSE))
    yield _tool("cover.stop_cover", has(Cover.STOP))
    yield _tool("cover.set_cover_position", has(Cover.SET_POSITION), {"position": _PERCENT})
    yield _tool("cover.open_cover_tilt", has(Cover.OPEN_TILT))
    yield _tool("cover.close_cover_tilt", has(Cover.CLOSE_TILT))
    yield _tool("cover.stop_cover_tilt", has(Cover.STOP_TILT))
    yield _tool(
        "cover.set_cover_tilt_position", has(Cover.SET_TILT_POSITION), {"tilt_position": _PERCENT}
    )
    yield _tool("valve.open_valve", has(Valve.OPEN))
    yield _tool("valve.close_valve", has(Valve.CLOSE))
    yield _tool("valve.toggle", has(Valve.OPEN | Valve.CLOSE))
    yield _tool("valve.stop_valve", has(Valve.STOP))
    yield _tool("valve.set_valve_position", has(Valve.SET_POSITION), {"position": _PERCENT})
    yield _tool("lock.lock")
    yield _tool("lock.unlock")
    yield _tool("lock.open", has(Lock.OPEN))


def _others() -> Iterator[ToolHandler]:
    """Return the handlers of what is only on or off or pressed, and of what goes round by itself."""
    for domain in ("switch", "input_boolean", "humidifier"):
        for service in ("turn_on", "turn_off", "toggle"):
            yield _tool(f"{domain}.{service}")
    yield _tool(
        "humidifier.set_humidity",
        None,
        {"humidity": number("min_humidity", "max_humidity", whole=True)},
    )
    yield _tool("humidifier.set_mode", has(Humidifier.MODES), {"mode": listed("available_modes")})
    yield _tool(
        "siren.turn_on",
        has(Siren.TURN_ON),
        optional={
            "tone": needing(has(Siren.TONES), listed("available_tones")),
            "volume_level": needing(has(Siren.VOLUME_SET), number(0, 1)),
            "duration": needing(has(Siren.DURATION), number(1, whole=True)),
        },
    )
    yield _tool("siren.turn_off", has(Siren.TURN_OFF))
    yield _tool("siren.toggle", has(Siren.TURN_ON | Siren.TURN_OFF))
    yield _tool("scene.turn_on", optional=_TRANSITION)
    for domain in ("button", "input_button"):
        yield _tool(f"{domain}.press")
    yield _tool("vacuum.start", has(Vacuum.START))
    yield _tool("vacuum.return_to_base", has(Vacuum.RETURN_HOME))
    yield _tool("vacuum.stop", has(Vacuum.STOP))
    yield _tool("vacuum.pause", has(Vacuum.PAUSE))
    yield _tool("lawn_mower.pause", has(Mower.PAUSE))
    yield _tool("lawn_mower.start_mowing", has(Mower.START_MOWING))
    yield _tool("lawn_mower.dock", has(Mower.DOCK))


def known_tools() -> Iterator[ToolHandler]:
    """Return the handlers of all actions that are known from the start."""
    for kind in (_lights, _players, _thermostats, _fans, _openings, _others):
        yield from kind()

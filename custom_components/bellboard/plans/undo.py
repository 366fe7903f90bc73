"""The calls that put things back as they were, from how they are now."""

from collections.abc import Callable, Iterator, Mapping, Sequence
import json
from types import MappingProxyType
from typing import Any

from homeassistant.components.climate import PRESET_NONE, ClimateEntityFeature as Climate
from homeassistant.components.cover import CoverEntityFeature as Cover
from homeassistant.components.fan import FanEntityFeature as Fan
from homeassistant.components.humidifier import HumidifierEntityFeature as Humidifier
from homeassistant.components.light import EFFECT_OFF
from homeassistant.components.media_player import MediaPlayerEntityFeature as Media
from homeassistant.components.valve import ValveEntityFeature as Valve
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State

from ..domains.models import ToolCall
from .before import COLORS, MEDIA, OFF, POSITION, STATE, Before

type _Step = tuple[str, dict[str, Any]]
"""A service of the entity's own domain, and its data."""

type _Steps = Callable[[Before, State, frozenset[str]], Iterator[_Step]]
"""Yields the steps for an entity that was so, is so now, and is other in these attributes."""

_SOUNDING = {"playing", "buffering"}
# Stands among the attributes where the steps of a first time were not enough.
_AGAIN = "again"


def restore_calls(
    before: Sequence[Before], hass: HomeAssistant, *, roughly: bool = False
) -> list[ToolCall]:
    """Return the calls that bring back what is other now, in the order they are to be made.

    Some things show only after a first step what else is other: a preset brings its own target, a
    player tells its source only while it is on. So it is to be asked again afterwards, `roughly`
    then, until nothing is left. There is no call for what cannot or must not be brought back.
    """
    sequences = [
        (one.entity_id, list(_steps_of(one, state, roughly=roughly)))
        for one in before
        if (state := hass.states.get(one.entity_id)) and state.state != STATE_UNAVAILABLE
    ]
    calls: list[ToolCall] = []
    for number in range(max((len(steps) for _, steps in sequences), default=0)):
        alike: dict[str, ToolCall] = {}
        for entity_id, steps in sequences:
            if number < len(steps):
                action, data = steps[number]
                action = f"{entity_id.partition('.')[0]}.{action}"
                key = json.dumps([action, data], sort_keys=True)
                known = alike.get(key) or ToolCall(action=action, data=data)
                targets = (*known.targets, entity_id)
                alike[key] = known.model_copy(update={"targets": targets})
        calls += alike.values()
    return calls


def _steps_of(before: Before, state: State, *, roughly: bool) -> Iterator[_Step]:
    """Yield the steps that bring one entity back."""
    now = Before.of(state)
    changed = before.differences(now, roughly=roughly)
    if changed and roughly:
        changed |= {_AGAIN}
    if MEDIA in before.differences(now):
        changed |= {MEDIA}
    if changed and (steps := _STEPS.get(before.domain)):
        yield from steps(before, state, changed)


def _can(state: State, feature: int) -> bool:
    """Return whether an entity has a feature now."""
    features = state.attributes.get("supported_features")
    return isinstance(features, int) and bool(features & feature)


def _switch(before: Before, _state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the step for what is only on or off."""
    if STATE in changed and before.state in {"on", "off"}:
        yield f"turn_{before.state}", {}


def _light(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the steps for a light: out of an effect, to its look, into an effect."""
    if before.state != "on":
        yield from _switch(before, state, changed)
        return
    effect = before.text("effect")
    is_in_effect = state.attributes.get("effect") not in {None, EFFECT_OFF}
    if not effect and is_in_effect and EFFECT_OFF in (state.attributes.get("effect_list") or ()):
        yield "turn_on", {"effect": EFFECT_OFF}
    if changed - {"effect"} or not effect:
        yield "turn_on", _look(before)
    if effect:
        yield "turn_on", {"effect": effect}


def _look(before: Before) -> dict[str, Any]:
    """Return a light's brightness and its colour, in the mode it was in."""
    data: dict[str, Any] = {}
    brightness = before.number("brightness")
    if brightness is not None and 0 < brightness <= 255:
        # In percent, as people and policies give it: fine enough for each of its 255 steps.
        data["brightness_pct"] = round(brightness / 2.55, 2)
    mode = before.text("color_mode") or ""
    if mode == "white":
        data["white"] = True
    elif (name := COLORS.get(mode)) and (color := before.attributes.get(name)) is not None:
        data[name] = list(color) if isinstance(color, tuple) else color
    return data


_SETTINGS = (
    # Quiet first, so that nothing starts louder than it was.
    ("volume_level", Media.VOLUME_SET, "volume_set"),
    ("is_volume_muted", Media.VOLUME_MUTE, "volume_mute"),
    ("source", Media.SELECT_SOURCE, "select_source"),
    ("sound_mode", Media.SELECT_SOUND_MODE, "select_sound_mode"),
    ("shuffle", Media.SHUFFLE_SET, "shuffle_set"),
    ("repeat", Media.REPEAT_SET, "repeat_set"),
)


def _media_player(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the steps for a player: on, its settings, what it played; or off."""
    if before.state in OFF:
        if state.state not in OFF and _can(state, Media.TURN_OFF):
            yield "turn_off", {}
        elif state.state in _SOUNDING and _can(state, Media.STOP):
            yield "media_stop", {}
        return
    if state.state in OFF and _can(state, Media.TURN_ON):
        yield "turn_on", {}
    for name, feature, service in _SETTINGS:
        value = before.attributes.get(name)
        if name in changed and value is not None and _can(state, feature):
            yield service, {name: value}
    if changed & {STATE, MEDIA}:
        yield from _playback(before, state, changed)


def _playback(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the steps to what a player played, or to silence."""
    if before.state not in {*_SOUNDING, "paused"}:
        if state.state in {*_SOUNDING, "paused"}:
            if _can(state, Media.STOP):
                yield "media_stop", {}
            elif state.state in _SOUNDING and _can(state, Media.PAUSE):
                yield "media_pause", {}
        return
    media, kind = before.text(MEDIA), before.text("media_content_type")
    is_begun = True
    is_known = MEDIA in changed and media and kind and _can(state, Media.PLAY_MEDIA)
    if is_known and (_AGAIN in changed or _has_media(state)):
        yield "play_media", {MEDIA: media, "media_content_type": kind}
    elif state.state not in {*_SOUNDING, "paused"} and _can(state, Media.PLAY):
        # It stopped, and may still have all that it was to play.
        yield "media_play", {}
    else:
        is_begun = False
        if state.state == "paused" and before.state in _SOUNDING and _can(state, Media.PLAY):
            yield "media_play", {}
    position = before.number(POSITION)
    if is_begun and position and position >= 1 and _can(state, Media.SEEK):
        yield "media_seek", {"seek_position": position}
    is_sounding = is_begun or state.state in _SOUNDING
    if before.state == "paused" and is_sounding and _can(state, Media.PAUSE):
        yield "media_pause", {}


def _has_media(state: State) -> bool:
    """Return whether a player tells what it plays."""
    return state.attributes.get(MEDIA) is not None


_MODES = (
    ("fan_mode", Climate.FAN_MODE),
    ("swing_mode", Climate.SWING_MODE),
    ("swing_horizontal_mode", Climate.SWING_HORIZONTAL_MODE),
)


def _climate(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the steps for a thermostat: mode, preset, target, the rest; off comes last."""
    mode = ("set_hvac_mode", {"hvac_mode": before.state})
    goes_off = STATE in changed and before.state == "off"
    if STATE in changed and not goes_off:
        yield mode
    preset = before.text("preset_mode")
    is_preset = "preset_mode" in changed and preset and _can(state, Climate.PRESET_MODE)
    if is_preset:
        yield "set_preset_mode", {"preset_mode": preset}
    # A preset brings a target, and a target of its own would end it.
    if not is_preset or preset == PRESET_NONE:
        yield from _target(before, state, changed, goes_off=goes_off)
    for name, feature in _MODES:
        if name in changed and before.text(name) and _can(state, feature):
            yield f"set_{name}", {name: before.text(name)}
    humidity = before.number("humidity")
    if "humidity" in changed and humidity is not None and _can(state, Climate.TARGET_HUMIDITY):
        yield "set_humidity", {"humidity": humidity}
    if goes_off:
        yield mode


def _target(
    before: Before, state: State, changed: frozenset[str], *, goes_off: bool
) -> Iterator[_Step]:
    """Yield the step to a thermostat's target, one temperature or a range.

    Where it is about to go off, only if it shows such a target now: one that does not would take
    it for something else.
    """
    one = before.number("temperature")
    low, high = before.number("target_temp_low"), before.number("target_temp_high")
    shows_one = state.attributes.get("temperature") is not None
    shows_range = state.attributes.get("target_temp_low") is not None
    if changed & {"target_temp_low", "target_temp_high"} and low is not None and high is not None:
        if shows_range or not goes_off:
            yield "set_temperature", {"target_temp_low": low, "target_temp_high": high}
    elif "temperature" in changed and one is not None and (shows_one or not goes_off):
        yield "set_temperature", {"temperature": one}


def _fan(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the steps for a fan: its speed or preset, the rest; off comes last."""
    if before.state == "on" and changed & {STATE, "percentage", "preset_mode"}:
        yield _running(before, state)
    oscillating, direction = before.attributes.get("oscillating"), before.text("direction")
    if "oscillating" in changed and oscillating is not None and _can(state, Fan.OSCILLATE):
        yield "oscillate", {"oscillating": oscillating}
    if "direction" in changed and direction and _can(state, Fan.DIRECTION):
        yield "set_direction", {"direction": direction}
    if before.state == "off" and STATE in changed:
        yield "turn_off", {}


def _running(before: Before, state: State) -> _Step:
    """Return the step that makes a fan run as it did."""
    preset, percentage = before.text("preset_mode"), before.number("percentage")
    if preset and _can(state, Fan.PRESET_MODE):
        return "set_preset_mode", {"preset_mode": preset}
    if percentage and _can(state, Fan.SET_SPEED):
        return "set_percentage", {"percentage": percentage}
    return "turn_on", {}


def _cover(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the steps for blinds and the like: the position, then the tilt."""
    position, tilt = before.number("current_position"), before.number("current_tilt_position")
    if position is not None and _can(state, Cover.SET_POSITION):
        if changed & {STATE, "current_position"}:
            yield "set_cover_position", {"position": position}
    elif STATE in changed and (way := _way(before)):
        yield f"{way}_cover", {}
    if "current_tilt_position" not in changed or tilt is None:
        return
    if _can(state, Cover.SET_TILT_POSITION):
        yield "set_cover_tilt_position", {"tilt_position": tilt}
    elif tilt in {0, 100}:
        yield ("open_cover_tilt" if tilt else "close_cover_tilt"), {}


def _valve(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the step for a valve."""
    position = before.number("current_position")
    if position is not None and _can(state, Valve.SET_POSITION):
        yield "set_valve_position", {"position": position}
    elif STATE in changed and (way := _way(before)):
        yield f"{way}_valve", {}


def _way(before: Before) -> str | None:
    """Return whether something was open or closed, or on its way there."""
    ways = {"open": "open", "opening": "open", "closed": "close", "closing": "close"}
    return ways.get(before.state)


def _humidifier(before: Before, state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the steps for a humidifier: on, its mode, its target; off comes last."""
    if before.state == "on":
        yield from _switch(before, state, changed)
    mode, humidity = before.text("mode"), before.number("humidity")
    if "mode" in changed and mode and _can(state, Humidifier.MODES):
        yield "set_mode", {"mode": mode}
    if "humidity" in changed and humidity is not None:
        yield "set_humidity", {"humidity": humidity}
    if before.state == "off":
        yield from _switch(before, state, changed)


def _lock(before: Before, _state: State, changed: frozenset[str]) -> Iterator[_Step]:
    """Yield the step for a lock. It is only ever locked again: nothing unlocks a door by undoing."""
    if STATE in changed and before.state in {"locked", "locking"}:
        yield "lock", {}


_STEPS: Mapping[str, _Steps] = MappingProxyType(
    {
        "climate": _climate,
        "cover": _cover,
        "fan": _fan,
        "humidifier": _humidifier,
        "input_boolean": _switch,
        "light": _light,
        "lock": _lock,
        "media_player": _media_player,
        "switch": _switch,
        "valve": _valve,
    }
)

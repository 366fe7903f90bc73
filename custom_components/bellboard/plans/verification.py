"""What a call should have done to an entity, and whether its state shows it."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from homeassistant.const import STATE_OFF, STATE_ON, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import color as color_util

from .models import ToolCall

type Check = Callable[[State, Mapping[str, Any], State | None], bool]

# A lamp or player that answers later than this is reported as not having answered.
ANSWER_SECONDS = 2.0

_ABSENT = {STATE_UNAVAILABLE, STATE_UNKNOWN}
# Devices round: 8-bit brightness against percent, volume steps, colours out of gamut.
_BRIGHTNESS_TOLERANCE = 4
_VOLUME_TOLERANCE = 0.03
_KELVIN_TOLERANCE = 60
_DEGREES_TOLERANCE = 0.3
_HUE_TOLERANCE = 25
_SATURATION_TOLERANCE = 40


def _near(value: Any, wanted: float, tolerance: float) -> bool:
    """Return whether a number is where it should be."""
    return isinstance(value, int | float) and abs(value - wanted) <= tolerance


def _light_on(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Check a light that was turned on or set; brightness 0 turns it off."""
    percent = data.get("brightness_pct")
    if percent == 0:
        return state.state == STATE_OFF
    if state.state != STATE_ON:
        return False
    attributes = state.attributes
    if percent is not None and not _near(
        attributes.get("brightness"), percent * 2.55, _BRIGHTNESS_TOLERANCE
    ):
        return False
    step = data.get("brightness_step_pct")
    if step is not None and not _moved("brightness", step, 255)(state, data, before):
        return False
    kelvin = data.get("color_temp_kelvin")
    if kelvin is not None and not _has_white(state, kelvin, before):
        return False
    if (effect := data.get("effect")) is not None:
        return bool(attributes.get("effect") == effect)
    if "color_name" in data or "rgb_color" in data:
        rgb = data.get("rgb_color") or color_util.color_name_to_rgb(data["color_name"])
        return _has_color(state, color_util.color_RGB_to_hs(*rgb), before)
    return True


def _has_white(state: State, kelvin: float, before: State | None) -> bool:
    """Return whether a light has a white tone; one without white tones renders it as a colour."""
    shown = state.attributes.get("color_temp_kelvin")
    if shown is None and "color_temp" not in state.attributes.get("supported_color_modes", ()):
        return _has_color(state, color_util.color_temperature_to_hs(kelvin), before)
    return _near(shown, kelvin, _KELVIN_TOLERANCE)


def _has_color(state: State, wanted: tuple[float, float], before: State | None) -> bool:
    """Return whether a light took on a colour (hue, saturation) or had it already.

    Lamps render one colour differently, so where it changed at all, it counts.
    """
    if before is not None and before.attributes != state.attributes:
        return True
    if (shown := state.attributes.get("hs_color")) is None:
        return False
    hue, saturation = wanted
    turn = abs(shown[0] - hue) % 360
    is_hue = saturation < _SATURATION_TOLERANCE or min(turn, 360 - turn) <= _HUE_TOLERANCE
    return is_hue and _near(shown[1], saturation, _SATURATION_TOLERANCE)


def _state_is(*states: str) -> Check:
    """Return a check for one of some states."""
    return lambda state, _data, _before: state.state in states


def _state_is_not(*states: str) -> Check:
    """Return a check for none of some states."""
    return lambda state, _data, _before: state.state not in states


def _attribute(name: str, field: str, tolerance: float | None = None) -> Check:
    """Return a check that an attribute has the value a field of the call asks for."""

    def check(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
        value = state.attributes.get(name)
        if tolerance is None:
            return bool(value == data[field])
        return _near(value, data[field], tolerance)

    return check


def _toggled(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
    """Check that an entity is no longer in the state it was in."""
    return before is not None and state.state != before.state


def _temperature(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Check target temperatures, single or a range, and the mode where one was given."""
    wanted = {
        "temperature": data.get("temperature"),
        "target_temp_low": data.get("target_temp_low"),
        "target_temp_high": data.get("target_temp_high"),
    }
    mode = data.get("hvac_mode")
    return (mode is None or state.state == mode) and all(
        value is None or _near(state.attributes.get(name), value, _DEGREES_TOLERANCE)
        for name, value in wanted.items()
    )


def _mode(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Check a thermostat's mode, which is its state."""
    return bool(state.state == data["hvac_mode"])


def _moved(name: str, direction: float, end: float) -> Check:
    """Return a check that a level went up (direction above 0) or down, or is at its end."""
    limit = end if direction > 0 else 0

    def check(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
        now = state.attributes.get(name)
        was = before.attributes.get(name) if before else None
        if now is None or was is None:
            # What does not tell its level cannot be held to it.
            return True
        return bool((now - was) * direction > 0 or now == limit)

    return check


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "light.turn_on": _light_on,
        "light.turn_off": _state_is(STATE_OFF),
        "light.toggle": _toggled,
        "media_player.turn_on": _state_is_not(STATE_OFF, "standby"),
        "media_player.turn_off": _state_is(STATE_OFF, "standby"),
        "media_player.toggle": _toggled,
        "media_player.play_media": _state_is("playing", "buffering", "on"),
        "media_player.media_play": _state_is("playing", "buffering"),
        "media_player.media_pause": _state_is_not("playing", "buffering"),
        "media_player.media_stop": _state_is_not("playing", "buffering"),
        "media_player.volume_set": _attribute("volume_level", "volume_level", _VOLUME_TOLERANCE),
        "media_player.volume_up": _moved("volume_level", 1, 1.0),
        "media_player.volume_down": _moved("volume_level", -1, 1.0),
        "media_player.volume_mute": _attribute("is_volume_muted", "is_volume_muted"),
        "media_player.shuffle_set": _attribute("shuffle", "shuffle"),
        "media_player.repeat_set": _attribute("repeat", "repeat"),
        "media_player.select_source": _attribute("source", "source"),
        "climate.set_temperature": _temperature,
        "climate.set_hvac_mode": _mode,
        "climate.set_preset_mode": _attribute("preset_mode", "preset_mode"),
        "climate.set_fan_mode": _attribute("fan_mode", "fan_mode"),
        "climate.set_swing_mode": _attribute("swing_mode", "swing_mode"),
        "climate.set_humidity": _attribute("humidity", "humidity", 1),
        "climate.turn_on": _state_is_not(STATE_OFF),
        "climate.turn_off": _state_is(STATE_OFF),
        "climate.toggle": _toggled,
    }
)


def holds(call: ToolCall, state: State | None, before: State | None) -> bool:
    """Return whether an entity's state shows that a call did what it says.

    A call without a check of its own (next track) holds as long as its entity is there.
    """
    if state is None or state.state in _ABSENT:
        return False
    check = CHECKS.get(call.action)
    return check is None or check(state, call.data, before)


async def async_wait_until_holds(
    hass: HomeAssistant,
    call: ToolCall,
    entity_ids: Iterable[str],
    before: Mapping[str, State | None],
    seconds: float = ANSWER_SECONDS,
) -> set[str]:
    """Wait until a call holds for all its entities, and return those for which it does not.

    Returns at once where everything holds already; waits `seconds` at the most.
    """
    open_ids = {
        entity_id
        for entity_id in entity_ids
        if not holds(call, hass.states.get(entity_id), before.get(entity_id))
    }
    if not open_ids:
        return open_ids
    settled = asyncio.Event()

    @callback
    def async_state_changed(event: Event[EventStateChangedData]) -> None:
        entity_id = event.data["entity_id"]
        if holds(call, event.data["new_state"], before.get(entity_id)):
            open_ids.discard(entity_id)
        else:
            open_ids.add(entity_id)
        if not open_ids:
            settled.set()

    stop = async_track_state_change_event(hass, list(open_ids), async_state_changed)
    try:
        async with asyncio.timeout(seconds):
            await settled.wait()
    except TimeoutError:
        # Not an error here: what is still open did not answer, and the caller says so.
        return open_ids
    finally:
        stop()
    return open_ids

"""How an entity shows that an action was carried out, action by action.

Lights have a module of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.components.light import ATTR_BRIGHTNESS, ATTR_EFFECT
from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import State

from .light_checks import light_off, light_on

type Holds = Callable[[State, Mapping[str, Any], State | None], bool]

STATE = "state"
"""What stands for the state itself where the names of attributes stand."""

_PLAYING = ("playing", "buffering")
_VOLUME_TOLERANCE = 0.03
_DEGREES_TOLERANCE = 0.3
_PERCENT_TOLERANCE = 2
# A fan has a few speeds, and goes to the nearest.
_SPEED_TOLERANCE = 100 / 3
# What tells one thing that is played from another.
_PLAYED = (
    "media_content_id",
    "media_title",
    "media_artist",
    "media_album_name",
    "media_playlist",
    "media_channel",
    "app_name",
)


@dataclass(frozen=True, slots=True)
class Check:
    """How to see what came of an action.

    `holds` takes the state now, the call's data and the state before, and says whether all of it
    was done. `shown` are the attributes, or STATE, in which an entity shows that it did anything.
    """

    holds: Holds
    shown: tuple[str, ...] = (STATE,)

    def moved(self, state: State, before: State | None) -> bool:
        """Return whether anything changed of what the action is about."""
        return before is not None and any(
            shown_in(state, name) != shown_in(before, name) for name in self.shown
        )


def shown_in(state: State, name: str) -> Any:
    """Return an attribute, or the state itself."""
    return state.state if name == STATE else state.attributes.get(name)


def near(value: Any, wanted: float, tolerance: float) -> bool:
    """Return whether a number is where it should be; devices round."""
    return isinstance(value, int | float) and abs(value - wanted) <= tolerance


def _is(*states: str) -> Check:
    """Return a check for one of some states."""
    return Check(lambda state, _data, _before: state.state in states)


def _is_not(*states: str) -> Check:
    """Return a check for none of some states."""
    return Check(lambda state, _data, _before: state.state not in states)


def _toggled(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether an entity is no longer in the state it was in."""
    return before is not None and state.state != before.state


def _has(name: str, field: str, tolerance: float | None = None) -> Check:
    """Return a check that an attribute has the value a field of the call asks for."""

    def holds(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
        value = state.attributes.get(name)
        if tolerance is None:
            return bool(value == data[field])
        return near(value, data[field], tolerance)

    return Check(holds, (name,))


def _moved(name: str, direction: int, end: float) -> Check:
    """Return a check that a level went up (direction above 0) or down, or is at its end."""
    limit = end if direction > 0 else 0

    def holds(state: State, _data: Mapping[str, Any], before: State | None) -> bool:
        now = state.attributes.get(name)
        was = before.attributes.get(name) if before else None
        if now is None or was is None:
            # What does not tell its level cannot be held to it.
            return True
        return bool((now - was) * direction > 0 or now == limit)

    return Check(holds, (name,))


def _plays(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a player plays what it was given, and not what it played before.

    What is only queued, or announced in between, does not show.
    """
    if data.get("announce") or data.get("enqueue") in {"add", "next"}:
        return True
    if state.state not in {*_PLAYING, STATE_ON}:
        return False
    if before is None or before.state not in {*_PLAYING, STATE_ON}:
        return True
    now, was = state.attributes, before.attributes
    if now.get("media_content_id") == data["media_content_id"]:
        return True
    if any(now.get(name) != was.get(name) for name in _PLAYED):
        return True
    # The same again begins anew.
    place, old_place = now.get("media_position"), was.get("media_position")
    is_told_anew = now.get("media_position_updated_at") != was.get("media_position_updated_at")
    return is_told_anew and place is not None and place <= (old_place or 0)


def _temperature(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a thermostat has its target, single or a range, and its mode if one is asked."""
    mode, one = data.get("hvac_mode"), data.get("temperature")
    if mode is not None and state.state != mode:
        return False
    attributes = state.attributes
    if one is not None and attributes.get("temperature") is None:
        return _lies_around(state, one, before)
    return all(
        near(attributes.get(name), data[name], _DEGREES_TOLERANCE)
        for name in ("temperature", "target_temp_low", "target_temp_high")
        if data.get(name) is not None
    )


def _lies_around(state: State, one: float, before: State | None) -> bool:
    """Return whether a thermostat that holds a range moved it to lie around a single target."""
    low, high = state.attributes.get("target_temp_low"), state.attributes.get("target_temp_high")
    if low is None or high is None or before is None:
        return False
    was = before.attributes.get("target_temp_low"), before.attributes.get("target_temp_high")
    is_new = (low, high) != was
    return bool(low <= one <= high and (is_new or near((low + high) / 2, one, _DEGREES_TOLERANCE)))


def _fan_on(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a fan runs, at the speed or in the preset asked for."""
    percentage, preset = data.get("percentage"), data.get("preset_mode")
    if percentage is not None:
        return _speed(state, data, before)
    if preset is not None and state.attributes.get("preset_mode") != preset:
        return False
    return state.state == STATE_ON


def _speed(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a fan has a speed in percent; 0 is off, and each fan has steps of its own."""
    wanted = data["percentage"]
    if wanted == 0:
        return state.state == STATE_OFF
    step = state.attributes.get("percentage_step")
    tolerance = step if isinstance(step, int | float) else _SPEED_TOLERANCE
    return state.state == STATE_ON and near(state.attributes.get("percentage"), wanted, tolerance)


def _position(name: str, field: str) -> Check:
    """Return a check that something is at a position, or on its way there."""

    def holds(state: State, data: Mapping[str, Any], before: State | None) -> bool:
        now, wanted = state.attributes.get(name), data[field]
        if near(now, wanted, _PERCENT_TOLERANCE):
            return True
        was = before.attributes.get(name) if before else None
        way = {"opening": 1, "closing": -1}.get(state.state, 0)
        return was is not None and way * (wanted - was) > 0

    return Check(holds, (STATE, name))


def _joined(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a player has all that were to join it."""
    return set(data["group_members"]) <= set(state.attributes.get("group_members") or ())


def _alone(state: State, _data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a player plays with nobody."""
    return len(state.attributes.get("group_members") or ()) <= 1


_TOGGLED = Check(_toggled)
_ON, _OFF = _is(STATE_ON), _is(STATE_OFF)
_LIGHT_SHOWS = (STATE, ATTR_BRIGHTNESS, "color_mode", "hs_color", "color_temp_kelvin", ATTR_EFFECT)
_TARGETS = ("temperature", "target_temp_low", "target_temp_high")

CHECKS: dict[str, Check] = {
    "light.turn_on": Check(light_on, _LIGHT_SHOWS),
    "light.turn_off": Check(light_off, (STATE, ATTR_BRIGHTNESS)),
    "light.toggle": _TOGGLED,
    "media_player.turn_on": _is_not(STATE_OFF, "standby"),
    "media_player.turn_off": _is(STATE_OFF, "standby"),
    "media_player.toggle": _TOGGLED,
    "media_player.play_media": Check(_plays),
    "media_player.media_play": _is(*_PLAYING),
    "media_player.media_pause": _is_not(*_PLAYING),
    "media_player.media_play_pause": _TOGGLED,
    "media_player.media_stop": _is_not(*_PLAYING),
    "media_player.volume_set": _has("volume_level", "volume_level", _VOLUME_TOLERANCE),
    "media_player.volume_up": _moved("volume_level", 1, 1.0),
    "media_player.volume_down": _moved("volume_level", -1, 1.0),
    "media_player.volume_mute": _has("is_volume_muted", "is_volume_muted"),
    "media_player.shuffle_set": _has("shuffle", "shuffle"),
    "media_player.repeat_set": _has("repeat", "repeat"),
    "media_player.select_source": _has("source", "source"),
    "media_player.select_sound_mode": _has("sound_mode", "sound_mode"),
    "media_player.join": Check(_joined, ("group_members",)),
    "media_player.unjoin": Check(_alone, ("group_members",)),
    "climate.set_temperature": Check(_temperature, (STATE, *_TARGETS)),
    "climate.set_hvac_mode": Check(lambda state, data, _: bool(state.state == data["hvac_mode"])),
    "climate.set_preset_mode": _has("preset_mode", "preset_mode"),
    "climate.set_fan_mode": _has("fan_mode", "fan_mode"),
    "climate.set_swing_mode": _has("swing_mode", "swing_mode"),
    "climate.set_swing_horizontal_mode": _has("swing_horizontal_mode", "swing_horizontal_mode"),
    "climate.set_humidity": _has("humidity", "humidity", 1),
    "climate.turn_on": _is_not(STATE_OFF),
    "climate.turn_off": _OFF,
    "climate.toggle": _TOGGLED,
    "fan.turn_on": Check(_fan_on, (STATE, "percentage", "preset_mode")),
    "fan.turn_off": _OFF,
    "fan.toggle": _TOGGLED,
    "fan.set_percentage": Check(_speed, (STATE, "percentage")),
    "fan.increase_speed": _moved("percentage", 1, 100),
    "fan.decrease_speed": _moved("percentage", -1, 100),
    "fan.set_preset_mode": _has("preset_mode", "preset_mode"),
    "fan.oscillate": _has("oscillating", "oscillating"),
    "fan.set_direction": _has("direction", "direction"),
    # What has a long way to go is doing as it was told while it goes.
    "cover.open_cover": _is("open", "opening"),
    "cover.close_cover": _is("closed", "closing"),
    "cover.toggle": _TOGGLED,
    "cover.stop_cover": _is_not("opening", "closing"),
    "cover.set_cover_position": _position("current_position", "position"),
    "cover.set_cover_tilt_position": _has(
        "current_tilt_position", "tilt_position", _PERCENT_TOLERANCE
    ),
    "valve.open_valve": _is("open", "opening"),
    "valve.close_valve": _is("closed", "closing"),
    "valve.toggle": _TOGGLED,
    "valve.stop_valve": _is_not("opening", "closing"),
    "valve.set_valve_position": _position("current_position", "position"),
    # A door that is still locking is not locked.
    "lock.lock": _is("locked"),
    "lock.unlock": _is("unlocked", "open"),
    "lock.open": _is("open", "opening"),
    "humidifier.set_humidity": _has("humidity", "humidity", 1),
    "humidifier.set_mode": _has("mode", "mode"),
    # It does not show how it sounds.
    "siren.turn_on": _ON,
    "siren.turn_off": _OFF,
    "siren.toggle": _TOGGLED,
    # Their state is when they were last turned on or pressed.
    "scene.turn_on": _TOGGLED,
    "button.press": _TOGGLED,
    "input_button.press": _TOGGLED,
    "vacuum.start": _is("cleaning"),
    "vacuum.stop": _is_not("cleaning", "returning"),
    "vacuum.pause": _is_not("cleaning", "returning"),
    "vacuum.return_to_base": _is("returning", "docked"),
    "lawn_mower.start_mowing": _is("mowing"),
    "lawn_mower.pause": _is_not("mowing", "returning"),
    "lawn_mower.dock": _is("returning", "docked"),
}
CHECKS |= {
    f"{domain}.{service}": check
    for domain in ("switch", "input_boolean", "humidifier")
    for service, check in (("turn_on", _ON), ("turn_off", _OFF), ("toggle", _TOGGLED))
}

"""How a thing in the home was, in the few values that can be brought back, and what is other now."""

from collections.abc import Mapping
from datetime import datetime
import math
from types import MappingProxyType
from typing import Annotated, Any, Self

from homeassistant.components.light import EFFECT_OFF
from homeassistant.core import State
from homeassistant.util import dt as dt_util
from pydantic import ConfigDict, Field

from ..json_model import JsonModel

STATE = "state"
"""What stands for the state itself where the names of attributes stand."""

POSITION = "media_position"
"""Where in a track a player is, in seconds: it goes on by itself, so it is never a difference."""

MEDIA = "media_content_id"
"""What is played, as the player calls it."""

COLORS: Mapping[str, str] = MappingProxyType(
    {
        "color_temp": "color_temp_kelvin",
        "hs": "hs_color",
        "rgb": "rgb_color",
        "rgbw": "rgbw_color",
        "rgbww": "rgbww_color",
        "xy": "xy_color",
    }
)
"""The attribute that holds a light's colour, by its colour mode."""

OFF = frozenset({"off", "standby"})

_KEPT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "climate": (
            "temperature",
            "target_temp_low",
            "target_temp_high",
            "preset_mode",
            "fan_mode",
            "swing_mode",
            "swing_horizontal_mode",
            "humidity",
        ),
        "cover": ("current_position", "current_tilt_position"),
        "fan": ("percentage", "preset_mode", "oscillating", "direction"),
        "humidifier": ("humidity", "mode"),
        "light": ("color_mode", "brightness", "effect"),
        "media_player": (
            "volume_level",
            "is_volume_muted",
            "source",
            "sound_mode",
            "shuffle",
            "repeat",
            MEDIA,
            "media_content_type",
        ),
        # Nothing can be put back that a script did, but that it ran is known.
        "script": ("last_triggered",),
        "valve": ("current_position",),
    }
)
# What says nothing of a thing that is off, and may be told all the same.
_ONLY_WHILE_ON: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "fan": frozenset({"percentage", "preset_mode"}),
        "light": frozenset(_KEPT["light"]),
        "media_player": frozenset(_KEPT["media_player"]),
    }
)
# How far a device may be from what it was asked for: they round, each in its own way.
_TOLERANCES: Mapping[str, float] = MappingProxyType(
    {
        "brightness": 4,
        "color_temp_kelvin": 60,
        "current_position": 2,
        "current_tilt_position": 2,
        "hs_color": 3,
        "humidity": 1,
        "percentage": 2,
        "rgb_color": 8,
        "rgbw_color": 8,
        "rgbww_color": 8,
        "target_temp_high": 0.3,
        "target_temp_low": 0.3,
        "temperature": 0.3,
        "volume_level": 0.03,
        "xy_color": 0.02,
    }
)
# States that are as good as each other.
_ALIKE: Mapping[str, str] = MappingProxyType(
    {
        "media_player/buffering": "playing",
        "media_player/on": "idle",
        "media_player/standby": "off",
        "cover/opening": "open",
        "cover/closing": "closed",
        "valve/opening": "open",
        "valve/closing": "closed",
        "lock/locking": "locked",
    }
)
_MAX_TEXT = 500
_MOST = 2**53

type _Number = (
    Annotated[int, Field(ge=-_MOST, le=_MOST)]
    | Annotated[float, Field(ge=-_MOST, le=_MOST, allow_inf_nan=False)]
)
type _Value = (
    bool
    | _Number
    | Annotated[str, Field(max_length=_MAX_TEXT)]
    | Annotated[tuple[_Number, ...], Field(max_length=8)]
)


class Before(JsonModel):
    """How an entity was: its state, and of its attributes those that can be set.

    Colours are tuples of numbers as Home Assistant writes them, levels in its own units, `MEDIA` and
    `POSITION` (seconds) what a player played and how far into it.
    """

    model_config = ConfigDict(frozen=True)

    entity_id: str = Field(pattern=r"^[a-z0-9_]+\.[a-z0-9_]+$", max_length=255)
    state: str = Field(max_length=255)
    attributes: dict[str, _Value] = Field(default_factory=dict, max_length=32)

    @classmethod
    def of(cls, state: State, now: datetime | None = None) -> Self:
        """Take down how an entity is. A value that cannot be written is left out."""
        kept = {name: state.attributes.get(name) for name in _names(state)}
        if state.domain == "media_player" and state.state not in OFF:
            kept[POSITION] = _media_position(state, now or dt_util.utcnow())
        if kept.get("effect") == EFFECT_OFF:
            del kept["effect"]
        attributes = {
            name: plain for name, value in kept.items() if (plain := _plain(value)) is not None
        }
        return cls(entity_id=state.entity_id, state=state.state[:255], attributes=attributes)

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return self.entity_id.partition(".")[0]

    def number(self, name: str) -> float | None:
        """Return an attribute that is a number, or None."""
        value = self.attributes.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return value

    def text(self, name: str) -> str | None:
        """Return an attribute that is a text, or None."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) else None

    def differences(self, now: Self, *, roughly: bool = False) -> frozenset[str]:
        """Return in what an entity is other now: the names of attributes, and STATE.

        With `roughly`, a value is the same that a device may show for it, and so is the name that a
        player gives to what it plays.
        """
        names = (self.attributes.keys() | now.attributes.keys()) - {POSITION}
        if roughly:
            names -= {MEDIA, "media_content_type"}
        found = {
            name
            for name in names
            if not _same(name, self.attributes.get(name), now.attributes.get(name), roughly=roughly)
        }
        if (_state(self) != _state(now)) if roughly else (self.state != now.state):
            found.add(STATE)
        return frozenset(found)


def _names(state: State) -> tuple[str, ...]:
    """Return the attributes that are kept of an entity."""
    names = _KEPT.get(state.domain, ())
    if state.state in OFF:
        ignored = _ONLY_WHILE_ON.get(state.domain, frozenset())
        return tuple(name for name in names if name not in ignored)
    if state.domain == "light" and (color := COLORS.get(str(state.attributes.get("color_mode")))):
        return (*names, color)
    return names


def _plain(value: Any) -> _Value | None:
    """Return a value as JSON has it, or None where it cannot be kept."""
    match value:
        case bool():
            return value
        case int() | float():
            return value if abs(value) <= _MOST and math.isfinite(value) else None
        case str():
            # Also what is a member of an enumeration.
            return str(value) if len(value) <= _MAX_TEXT else None
        case datetime():
            return value.isoformat()
        case list() | tuple():
            parts = tuple(_plain(part) for part in value)
            numbers = tuple(p for p in parts if isinstance(p, int | float))
            return numbers if len(numbers) == len(parts) <= 8 else None
        case _:
            return None


def _media_position(state: State, now: datetime) -> float | None:
    """Return how far into its track a player is, in seconds."""
    position = state.attributes.get(POSITION)
    if isinstance(position, bool) or not isinstance(position, int | float):
        return None
    since = state.attributes.get("media_position_updated_at")
    if state.state == "playing" and isinstance(since, datetime):
        position += max((now - dt_util.as_utc(since)).total_seconds(), 0.0)
    return round(position, 1)


def _same(name: str, was: Any, now: Any, *, roughly: bool) -> bool:
    """Return whether two values of an attribute are the same, or with `roughly` near enough."""
    if not roughly or was is None or now is None:
        return bool(was == now)
    if (tolerance := _TOLERANCES.get(name)) is None:
        return bool(was == now)
    ours, theirs = _numbers(was), _numbers(now)
    if len(ours) != len(theirs):
        return False
    gaps = [abs(a - b) for a, b in zip(ours, theirs, strict=True)]
    if name == "hs_color" and gaps:
        # Hues go round in a circle.
        gaps[0] = min(gaps[0] % 360, 360 - gaps[0] % 360)
    return all(gap <= tolerance for gap in gaps)


def _numbers(value: Any) -> tuple[float, ...]:
    """Return the numbers in a value."""
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(part for part in parts if isinstance(part, int | float))


def _state(found: Before) -> str:
    """Return a state as it is compared roughly."""
    return _ALIKE.get(f"{found.domain}/{found.state}", found.state)

"""The calls that put things back, also for what the demo house does not have."""

from datetime import timedelta
from enum import StrEnum
from typing import Any

from homeassistant.components.climate import ClimateEntityFeature as Climate
from homeassistant.components.cover import CoverEntityFeature as Cover
from homeassistant.components.fan import FanEntityFeature as Fan
from homeassistant.components.humidifier import HumidifierEntityFeature as Humidifier
from homeassistant.components.media_player import MediaPlayerEntityFeature as Media
from homeassistant.components.valve import ValveEntityFeature as Valve
from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.domains.checks import STATE
from custom_components.bellboard.domains.playback import POSITION
from custom_components.bellboard.domains.snapshot import StateSnapshot, restore_calls

type Shown = tuple[str, dict[str, Any]]

ALL = 2**30 - 1
MEDIA = {"media_content_id": "x://old", "media_content_type": "music"}
OTHER = {"media_content_id": "x://new", "media_content_type": "music"}


def restored(
    hass: HomeAssistant, entity_id: str, was: Shown, now: Shown, *, again: bool = False
) -> list[tuple[str, dict[str, Any]]]:
    """Return the services and their data that bring an entity back; `again` after a first time."""
    before = StateSnapshot.of(State(entity_id, was[0], was[1]))
    hass.states.async_set(entity_id, now[0], now[1])
    calls = restore_calls([before], hass, roughly=again)
    assert all(call.targets == (entity_id,) for call in calls)
    domain = entity_id.partition(".")[0]
    assert all(call.action.startswith(f"{domain}.") for call in calls)
    return [(call.action.partition(".")[2], call.data) for call in calls]


def can(*features: int) -> dict[str, int]:
    """Return the attribute that says what an entity can do."""
    return {"supported_features": sum(features)}


@pytest.mark.parametrize(
    ("entity_id", "was", "now", "calls"),
    [
        ("switch.a", ("on", {}), ("off", {}), [("turn_on", {})]),
        ("input_boolean.a", ("off", {}), ("on", {}), [("turn_off", {})]),
        ("switch.a", ("on", {}), ("on", {"power": 5}), []),
        ("switch.a", ("unknown", {}), ("on", {}), []),
        ("vacuum.a", ("docked", {}), ("cleaning", {}), []),
        ("lock.a", ("locked", {}), ("unlocked", {}), [("lock", {})]),
        ("lock.a", ("locking", {}), ("open", {}), [("lock", {})]),
        ("lock.a", ("unlocked", {}), ("locked", {}), []),
        ("lock.a", ("open", {}), ("locked", {}), []),
        # A valve and a cover that know no position, and one that does.
        ("valve.a", ("open", {}), ("closed", {}), [("open_valve", {})]),
        ("valve.a", ("closing", {}), ("open", {}), [("close_valve", {})]),
        (
            "valve.a",
            ("open", {"current_position": 30}),
            ("closed", {"current_position": 0, **can(Valve.SET_POSITION)}),
            [("set_valve_position", {"position": 30})],
        ),
        ("cover.a", ("opening", {}), ("closed", {}), [("open_cover", {})]),
        ("cover.a", ("unknown", {}), ("closed", {}), []),
        (
            "cover.a",
            ("open", {"current_position": 100, "current_tilt_position": 100}),
            ("open", {"current_position": 100, "current_tilt_position": 3, **can(Cover.OPEN_TILT)}),
            [("open_cover_tilt", {})],
        ),
        (
            "cover.a",
            ("open", {"current_tilt_position": 0}),
            ("open", {"current_tilt_position": 50}),
            [("close_cover_tilt", {})],
        ),
        (
            "cover.a",
            ("open", {"current_tilt_position": 40}),
            ("open", {"current_tilt_position": 50}),
            [],
        ),
        (
            "cover.a",
            ("open", {"current_position": 40, "current_tilt_position": 70}),
            (
                "open",
                {
                    "current_position": 40,
                    "current_tilt_position": 50,
                    **can(Cover.SET_POSITION, Cover.SET_TILT_POSITION),
                },
            ),
            [("set_cover_tilt_position", {"tilt_position": 70})],
        ),
        (
            "humidifier.a",
            ("on", {"humidity": 40, "mode": "night"}),
            ("off", {"humidity": 60, "mode": "auto", **can(Humidifier.MODES)}),
            [("turn_on", {}), ("set_mode", {"mode": "night"}), ("set_humidity", {"humidity": 40})],
        ),
        (
            "humidifier.a",
            ("off", {"humidity": 40}),
            ("on", {"humidity": 60}),
            [("set_humidity", {"humidity": 40}), ("turn_off", {})],
        ),
        ("fan.a", ("on", {}), ("off", {}), [("turn_on", {})]),
        (
            "fan.a",
            ("on", {"percentage": 33, "preset_mode": None}),
            ("on", {"percentage": 66, "preset_mode": None, **can(Fan.SET_SPEED)}),
            [("set_percentage", {"percentage": 33})],
        ),
        (
            "fan.a",
            ("off", {"percentage": 0, "oscillating": False, "direction": "forward"}),
            ("on", {"percentage": 5, "oscillating": True, "direction": "reverse", **can(ALL)}),
            [
                ("oscillate", {"oscillating": False}),
                ("set_direction", {"direction": "forward"}),
                ("turn_off", {}),
            ],
        ),
        (
            "fan.a",
            ("off", {"oscillating": False, "direction": "forward"}),
            ("off", {"oscillating": True, "direction": "reverse"}),
            [],
        ),
        # Lights: nothing is made up that was not told, and no effect is ended that has no end.
        ("light.a", ("on", {}), ("off", {}), [("turn_on", {})]),
        (
            "light.a",
            ("on", {"color_mode": "onoff", "brightness": 0}),
            ("off", {}),
            [("turn_on", {})],
        ),
        (
            "light.a",
            ("on", {"color_mode": "unknown", "brightness": 255}),
            ("off", {}),
            [("turn_on", {"brightness_pct": 100.0})],
        ),
        (
            "light.a",
            ("on", {"color_mode": "hs", "hs_color": None}),
            ("on", {"effect": "party", "effect_list": ["party"], "color_mode": "hs"}),
            [("turn_on", {})],
        ),
        (
            "light.a",
            ("on", {"color_mode": "hs", "hs_color": (3, 4), "effect": "off"}),
            ("on", {"effect": "party", "effect_list": ["off", "party"], "color_mode": "hs"}),
            [("turn_on", {"effect": "off"}), ("turn_on", {"hs_color": [3, 4]})],
        ),
        ("light.a", ("unavailable", {}), ("on", {}), []),
        # Thermostats, with what they can do.
        (
            "climate.a",
            ("heat", {"preset_mode": "eco", "temperature": 18}),
            ("cool", {"preset_mode": "none", "temperature": 25, **can(Climate.PRESET_MODE)}),
            [("set_hvac_mode", {"hvac_mode": "heat"}), ("set_preset_mode", {"preset_mode": "eco"})],
        ),
        (
            "climate.a",
            ("heat", {"preset_mode": "none", "temperature": 18}),
            ("heat", {"preset_mode": "eco", "temperature": 15, **can(Climate.PRESET_MODE)}),
            [
                ("set_preset_mode", {"preset_mode": "none"}),
                ("set_temperature", {"temperature": 18}),
            ],
        ),
        (
            "climate.a",
            ("off", {"target_temp_low": 18, "target_temp_high": 22}),
            ("heat_cool", {"target_temp_low": 10, "target_temp_high": 32}),
            [
                ("set_temperature", {"target_temp_low": 18, "target_temp_high": 22}),
                ("set_hvac_mode", {"hvac_mode": "off"}),
            ],
        ),
        (
            "climate.a",
            ("off", {"target_temp_low": 18, "target_temp_high": 22}),
            ("heat", {"temperature": 22}),
            [("set_hvac_mode", {"hvac_mode": "off"})],
        ),
        (
            "climate.a",
            ("heat", {"fan_mode": "low", "humidity": 40, "swing_mode": "on"}),
            ("heat", {"fan_mode": "high", "humidity": 50, "swing_mode": "off"}),
            [],
        ),
        ("climate.a", ("heat", {}), ("heat", {"temperature": 22}), []),
        # Players.
        ("media_player.a", ("off", {}), ("playing", {**can(Media.STOP)}), [("media_stop", {})]),
        ("media_player.a", ("off", {}), ("idle", {}), []),
        ("media_player.a", ("off", {}), ("standby", {**can(ALL)}), []),
        ("media_player.a", ("idle", {}), ("playing", {**can(Media.PAUSE)}), [("media_pause", {})]),
        ("media_player.a", ("idle", {}), ("paused", {**can(Media.PAUSE)}), []),
        ("media_player.a", ("on", {}), ("off", {**can(Media.TURN_ON)}), [("turn_on", {})]),
        (
            "media_player.a",
            ("playing", MEDIA),
            ("playing", {**OTHER, **can(Media.PLAY, Media.PAUSE)}),
            [],
        ),
        (
            "media_player.a",
            ("playing", {**MEDIA, "media_position": 70}),
            ("playing", {**OTHER, **can(Media.PLAY_MEDIA, Media.SEEK)}),
            [("play_media", MEDIA), ("media_seek", {"seek_position": 70})],
        ),
        (
            "media_player.a",
            ("paused", {**MEDIA, "media_position": 0.4}),
            ("idle", {**can(Media.PLAY, Media.PAUSE, Media.PLAY_MEDIA, Media.SEEK)}),
            [("media_play", {}), ("media_pause", {})],
        ),
        ("media_player.a", ("paused", MEDIA), ("playing", MEDIA), []),
        (
            "media_player.a",
            ("playing", MEDIA),
            ("paused", {**MEDIA, **can(Media.PLAY)}),
            [("media_play", {})],
        ),
        ("media_player.a", ("playing", MEDIA), ("buffering", {**MEDIA, **can(ALL)}), []),
        (
            "media_player.a",
            ("playing", {"source": "TV", "is_volume_muted": True, "volume_level": 0.1}),
            (
                "off",
                {
                    **can(
                        Media.TURN_ON,
                        Media.SELECT_SOURCE,
                        Media.VOLUME_MUTE,
                        Media.VOLUME_SET,
                        Media.PLAY,
                    )
                },
            ),
            [
                ("turn_on", {}),
                ("volume_set", {"volume_level": 0.1}),
                ("volume_mute", {"is_volume_muted": True}),
                ("select_source", {"source": "TV"}),
                ("media_play", {}),
            ],
        ),
    ],
)
def test_what_was_is_brought_back(
    hass: HomeAssistant, entity_id: str, was: Shown, now: Shown, calls: list[Any]
) -> None:
    assert restored(hass, entity_id, was, now) == calls


def test_what_stopped_and_lost_its_queue_is_put_on_again(hass: HomeAssistant) -> None:
    able = can(Media.PLAY, Media.PLAY_MEDIA)
    first = restored(hass, "media_player.a", ("playing", MEDIA), ("idle", able))
    assert first == [("media_play", {})]
    again = restored(hass, "media_player.a", ("playing", MEDIA), ("idle", able), again=True)
    assert again == [("play_media", MEDIA)]
    # It goes on with something else: that is no more than an answer to having been started.
    now = ("playing", {**OTHER, **able})
    assert restored(hass, "media_player.a", ("paused", MEDIA), now, again=True) == again


@pytest.mark.parametrize(
    ("entity_id", "was", "now"),
    [
        ("light.a", {"color_mode": "hs", "hs_color": (359.0, 50)}, {"hs_color": (1.5, 49)}),
        ("light.a", {"color_mode": "hs", "brightness": 100}, {"brightness": 103}),
        (
            "light.a",
            {"color_mode": "color_temp", "color_temp_kelvin": 2700},
            {"color_temp_kelvin": 2703},
        ),
        ("media_player.a", {"volume_level": 0.31}, {"volume_level": 0.3}),
        ("climate.a", {"temperature": 21.0}, {"temperature": 21.2}),
    ],
)
def test_a_device_may_round(
    hass: HomeAssistant, entity_id: str, was: dict[str, Any], now: dict[str, Any]
) -> None:
    """But what a sentence changed is brought back however little it was."""
    shown = ("on", {**was, **now, **can(ALL)})
    assert restored(hass, entity_id, ("on", was), shown)
    assert restored(hass, entity_id, ("on", was), shown, again=True) == []


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ({"color_mode": "hs", "hs_color": (10, 50)}, {"color_mode": "hs", "hs_color": (200, 50)}),
        ({"color_mode": "hs", "hs_color": (10, 50)}, {"color_mode": "xy", "xy_color": (0.3, 0.3)}),
        ({"color_mode": "hs", "hs_color": (1, 2)}, {"color_mode": "hs", "hs_color": (1, 2, 3)}),
    ],
)
def test_another_colour_is_another(was: dict[str, Any], now: dict[str, Any]) -> None:
    before, after = (
        StateSnapshot.of(State("light.a", "on", was)),
        StateSnapshot.of(State("light.a", "on", now)),
    )
    assert before.differences(after, roughly=True)


def test_states_that_are_as_good() -> None:
    for entity_id, was, now in (
        ("media_player.a", "playing", "buffering"),
        ("media_player.a", "idle", "on"),
        ("cover.a", "open", "opening"),
        ("lock.a", "locked", "locking"),
    ):
        before, after = (
            StateSnapshot.of(State(entity_id, was)),
            StateSnapshot.of(State(entity_id, now)),
        )
        assert before.differences(after) == {STATE}
        assert not before.differences(after, roughly=True)


def test_things_that_need_the_same_share_a_call(hass: HomeAssistant) -> None:
    before = [StateSnapshot(entity_id=f"light.{name}", state="off") for name in "abc"]
    for name in "abc":
        hass.states.async_set(f"light.{name}", "on" if name != "b" else "unavailable")
    (call,) = restore_calls([*before, StateSnapshot(entity_id="light.gone", state="off")], hass)
    assert (call.action, call.targets, call.data) == ("light.turn_off", ("light.a", "light.c"), {})


def test_the_place_in_a_track_is_told_as_it_was_then() -> None:
    now = dt_util.utcnow()
    told = {"media_position": 20, "media_position_updated_at": now - timedelta(seconds=30)}
    playing = StateSnapshot.of(State("media_player.a", "playing", told), now)
    assert playing.number(POSITION) == 50
    assert StateSnapshot.of(State("media_player.a", "paused", told), now).number(POSITION) == 20
    for odd in ("far", True, None):
        state = State("media_player.a", "playing", {"media_position": odd})
        assert StateSnapshot.of(state).number(POSITION) is None


def test_only_plain_values_are_kept() -> None:
    class Mode(StrEnum):
        HS = "hs"

    attributes = {
        "color_mode": Mode.HS,
        "brightness": float("nan"),
        "effect": "x" * 600,
        "hs_color": [1, 2],
        "friendly_name": "Lamp",
    }
    before = StateSnapshot.of(State("light.a", "on", attributes))
    assert before.attributes == {"color_mode": "hs", "hs_color": (1, 2)}
    assert type(before.attributes["color_mode"]) is str
    odd = {"color_mode": object(), "hs_color": [1, "2"], "brightness": 2**80}
    assert StateSnapshot.of(State("light.a", "on", odd)).attributes == {}
    assert before.number("color_mode") is None
    assert before.text("hs_color") is None
    ran = StateSnapshot.of(
        State("script.a", "off", {"last_triggered": dt_util.utc_from_timestamp(0)})
    )
    assert ran.attributes == {"last_triggered": "1970-01-01T00:00:00+00:00"}


_NAMES = st.sampled_from(
    [
        "brightness", "color_mode", "hs_color", "effect", "volume_level", "source", "temperature",
        "is_volume_muted", "media_content_id", "media_content_type", "media_position", "humidity",
        "target_temp_low", "target_temp_high", "preset_mode", "percentage", "oscillating", "mode",
        "current_position", "current_tilt_position", "direction", "color_temp_kelvin", "xy_color",
    ]
)  # fmt: skip
_VALUES = (
    st.booleans() | st.integers(-300, 300) | st.floats(0, 500) | st.sampled_from(["hs", "on", "xy"])
) | st.tuples(st.floats(0, 360), st.floats(0, 100))


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    domain=st.sampled_from(
        [
            "light",
            "media_player",
            "climate",
            "fan",
            "cover",
            "valve",
            "humidifier",
            "lock",
            "switch",
        ]
    ),
    was=st.sampled_from(["on", "off", "playing", "paused", "idle", "heat", "open", "locked"]),
    now=st.sampled_from(["on", "off", "playing", "paused", "idle", "heat", "open", "unlocked"]),
    attributes=st.dictionaries(_NAMES, _VALUES, max_size=8),
    shown=st.dictionaries(_NAMES, _VALUES, max_size=8),
    again=st.booleans(),
)
def test_whatever_is_read_can_be_asked_for(
    hass: HomeAssistant,
    *,
    domain: str,
    was: str,
    now: str,
    attributes: dict[str, Any],
    shown: dict[str, Any],
    again: bool,
) -> None:
    """A record that is none of ours does no harm: at the most it is refused."""
    entity_id = f"{domain}.a"
    before = StateSnapshot(entity_id=entity_id, state=was, attributes=attributes)
    hass.states.async_set(entity_id, now, {**shown, **can(ALL)})
    for call in restore_calls([before], hass, roughly=again):
        assert call.targets == (entity_id,)
        assert call.action != "lock.unlock"

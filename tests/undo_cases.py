"""What can be changed in the demo house, each change to be put back with all it shows.

Each has what is done before anything is said, what is then changed, and what the home cannot bring
back. Calls are (action, entity id, data).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

type Made = tuple[str, str, Mapping[str, Any]]

PENDANT = "light.kitchen_pendant"
LAMP = "light.floor_lamp"
SPEAKER = "media_player.kitchen_speaker"
QUIET = "media_player.living_room_speaker"
TV = "media_player.living_room_tv"
RADIO = "media_player.bathroom_radio"
HEATING = "climate.living_room_thermostat"
BEDROOM = "climate.bedroom_thermostat"
OFFICE = "climate.office_air_conditioner"
BATHROOM = "climate.bathroom_heating"
FAN = "fan.bedroom_fan"

JAZZ = {"media_content_id": "library://genre/jazz", "media_content_type": "genre"}

# The queue that another one took the place of is known to the player alone.
QUEUE = frozenset({"queue", "queue_position", "media_playlist"})


@dataclass(frozen=True)
class Case:
    """A change. `lost` are the attributes that nothing brings back."""

    title: str
    changed: tuple[Made, ...]
    first: tuple[Made, ...] = ()
    lost: frozenset[str] = field(default_factory=frozenset)


def light(entity_id: str, service: str = "turn_on", **data: Any) -> Made:
    return f"light.{service}", entity_id, data


def player(entity_id: str, service: str, **data: Any) -> Made:
    return f"media_player.{service}", entity_id, data


def climate(entity_id: str, service: str, **data: Any) -> Made:
    return f"climate.set_{service}", entity_id, data


def fan(service: str, **data: Any) -> Made:
    return f"fan.{service}", FAN, data


LIGHTS = (
    Case("turned on", (light(LAMP),)),
    Case("turned off with a white tone", (light(PENDANT, "turn_off"),)),
    Case("brightness", (light(PENDANT, brightness_pct=7),)),
    Case("brighter by one percent", (light(PENDANT, brightness_step_pct=1),)),
    Case(
        "from the faintest", (light(PENDANT, brightness_pct=90),), (light(PENDANT, brightness=1),)
    ),
    Case("white tone", (light(PENDANT, color_temp_kelvin=6000),)),
    Case("white tone to colour", (light(PENDANT, color_name="blue", brightness_pct=10),)),
    Case("hue", (light("light.left_bedside_lamp", color_name="green"),)),
    Case(
        "colour to white tone",
        (light(PENDANT, color_temp_kelvin=3000),),
        (light(PENDANT, hs_color=[200, 50]),),
    ),
    Case("into an effect", (light(PENDANT, effect="candle"),)),
    Case(
        "out of an effect",
        (light(PENDANT, color_name="red", brightness_pct=50),),
        (light(PENDANT, effect="sunrise"),),
    ),
    Case("off from an effect", (light(PENDANT, "turn_off"),), (light(PENDANT, effect="candle"),)),
    Case(
        "from effect to effect",
        (light(PENDANT, effect="sunrise"),),
        (light(PENDANT, effect="candle"),),
    ),
    Case(
        "rgb",
        (light("light.bookshelf_lights", color_name="blue"),),
        (light("light.bookshelf_lights"),),
    ),
    Case(
        "rgbw",
        (light("light.dining_table", "turn_off"),),
        (light("light.dining_table", rgbw_color=[10, 20, 30, 200]),),
    ),
    Case(
        "rgbww",
        (light("light.tv_backlight", color_name="red"),),
        (light("light.tv_backlight", rgbww_color=[0, 9, 255, 4, 80], brightness=77),),
    ),
    Case(
        "xy",
        (light("light.guest_lamp", color_name="green", brightness_pct=3),),
        (light("light.guest_lamp"),),
    ),
    Case(
        "white channel",
        (light("light.mirror_light", rgb_color=[255, 0, 0], brightness_pct=20),),
        (light("light.mirror_light", white=170),),
    ),
    Case(
        "to the white channel",
        (light("light.mirror_light", white=10),),
        (light("light.mirror_light", rgb_color=[255, 90, 0]),),
    ),
    Case("only on or off", (light("light.garage_light", "turn_off"),)),
    Case(
        "several at once",
        (
            light(PENDANT, "turn_off"),
            light("light.kitchen_counter", brightness_pct=5),
            light(LAMP, color_name="red"),
        ),
    ),
    Case("twice the same", (light(PENDANT, brightness_pct=5), light(PENDANT, "turn_off"))),
)

PLAYERS = (
    Case("volume", (player(SPEAKER, "volume_set", volume_level=0.85),)),
    Case("muted", (player(SPEAKER, "volume_mute", is_volume_muted=True),)),
    Case("paused", (player(SPEAKER, "media_pause"),)),
    Case("played on", (player(SPEAKER, "media_play"),), (player(SPEAKER, "media_pause"),)),
    Case("stopped", (player(SPEAKER, "media_stop"),)),
    Case("stopped in a pause", (player(SPEAKER, "media_stop"),), (player(SPEAKER, "media_pause"),)),
    Case(
        "stopped in the middle of a track",
        (player(SPEAKER, "media_stop"),),
        (player(SPEAKER, "media_seek", seek_position=90),),
    ),
    Case("turned off", (player(SPEAKER, "turn_off"),)),
    Case("started from silence", (player(QUIET, "play_media", **JAZZ),), lost=QUEUE),
    Case("something else", (player(SPEAKER, "play_media", **JAZZ),), lost=QUEUE),
    Case(
        "something else in a pause",
        (player(SPEAKER, "play_media", **JAZZ),),
        (
            player(SPEAKER, "media_seek", seek_position=31),
            player(SPEAKER, "media_pause"),
        ),
        lost=QUEUE,
    ),
    Case("skipped", (player(SPEAKER, "media_next_track"),), lost=QUEUE),
    Case("repeated", (player(SPEAKER, "repeat_set", repeat="all"),)),
    Case(
        "not shuffled any more",
        (player(SPEAKER, "shuffle_set", shuffle=False),),
        (player(SPEAKER, "shuffle_set", shuffle=True),),
        lost=QUEUE,
    ),
    Case(
        "source and sound",
        (
            player(TV, "select_source", source="Blu-ray"),
            player(TV, "select_sound_mode", sound_mode="night"),
        ),
        (player(TV, "turn_on"),),
    ),
    Case("on from off", (player(TV, "turn_on"), player(TV, "volume_set", volume_level=0.6))),
    Case(
        "off with a source",
        (player(TV, "turn_off"),),
        (
            player(TV, "turn_on"),
            player(TV, "select_source", source="Game Console"),
            player(TV, "volume_mute", is_volume_muted=True),
        ),
    ),
    Case("a radio that was off", (player(RADIO, "select_source", source="Klassik Eins"),)),
    Case(
        "another station",
        (player(RADIO, "select_source", source="Radio Nordlys"),),
        (player(RADIO, "turn_on"),),
    ),
)

THERMOSTATS = (
    Case("target", (climate(HEATING, "temperature", temperature=25),)),
    Case("half a degree", (climate(HEATING, "temperature", temperature=21.5),)),
    Case("off", (climate(HEATING, "hvac_mode", hvac_mode="off"),)),
    Case("on", (climate(BATHROOM, "temperature", temperature=26, hvac_mode="heat"),)),
    Case(
        "from one target to a range",
        (
            climate(
                BEDROOM,
                "temperature",
                hvac_mode="heat_cool",
                target_temp_low=20,
                target_temp_high=25,
            ),
        ),
    ),
    Case(
        "from a range to one target",
        (climate(BEDROOM, "temperature", hvac_mode="cool", temperature=28),),
        (climate(BEDROOM, "hvac_mode", hvac_mode="heat_cool"),),
    ),
    Case(
        "another range",
        (climate(BEDROOM, "temperature", target_temp_low=12, target_temp_high=30),),
        (climate(BEDROOM, "hvac_mode", hvac_mode="heat_cool"),),
    ),
    Case(
        "off with a range",
        (climate(BEDROOM, "hvac_mode", hvac_mode="off"),),
        (climate(BEDROOM, "hvac_mode", hvac_mode="heat_cool"),),
    ),
    Case(
        "a range from off",
        (climate(BEDROOM, "hvac_mode", hvac_mode="heat_cool"),),
        (climate(BEDROOM, "hvac_mode", hvac_mode="off"),),
    ),
    Case("preset", (climate(HEATING, "preset_mode", preset_mode="eco"),)),
    Case(
        "preset with a target of its own",
        (climate(HEATING, "preset_mode", preset_mode="away"),),
        (climate(HEATING, "temperature", temperature=23.5),),
    ),
    Case(
        "preset and mode",
        (
            climate("climate.kids_room_heating", "preset_mode", preset_mode="boost"),
            climate("climate.kids_room_heating", "hvac_mode", hvac_mode="heat"),
        ),
    ),
    Case(
        "how the air goes",
        (
            climate(OFFICE, "hvac_mode", hvac_mode="cool"),
            climate(OFFICE, "fan_mode", fan_mode="high"),
            climate(OFFICE, "swing_mode", swing_mode="vertical"),
            climate(OFFICE, "swing_horizontal_mode", swing_horizontal_mode="wide"),
            climate(OFFICE, "temperature", temperature=18),
        ),
    ),
    Case("humidity", (climate(BEDROOM, "humidity", humidity=58),)),
)

OTHERS = (
    Case("fan on", (fan("turn_on", percentage=75),)),
    Case("fan off", (fan("turn_off"),), (fan("turn_on", percentage=50),)),
    Case(
        "fan off from a preset",
        (fan("turn_off"),),
        (fan("turn_on", preset_mode="sleep"),),
    ),
    Case(
        "the way a fan turns",
        (fan("oscillate", oscillating=True), fan("set_direction", direction="reverse")),
    ),
    Case(
        "position and tilt",
        (
            ("cover.set_cover_position", "cover.living_room_blinds", {"position": 10}),
            ("cover.set_cover_tilt_position", "cover.living_room_blinds", {"tilt_position": 90}),
        ),
    ),
    Case("garage door", (("cover.open_cover", "cover.garage_door", {}),)),
    Case("unlocked", (("lock.unlock", "lock.front_door", {}),)),
    Case("switch", (("switch.turn_off", "switch.washing_machine", {}),)),
)

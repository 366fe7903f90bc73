"""Every action a specialist offers reaches the home: the model's plan, the call, the state."""

from dataclasses import dataclass, field
from typing import Any

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

from .conftest import called, planning, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A sentence, the model's step, the call that must follow, the state and the words after it.

    `before` are service calls that prepare the house.
    """

    text: str
    step: dict[str, Any]
    call: str
    entity_id: str
    data: dict[str, Any] = field(default_factory=dict)
    state: dict[str, Any]
    reply: str
    area: str | None = None
    before: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


LAMP, COUNTER = "light.floor_lamp", "light.kitchen_counter"
SPEAKER, OFFICE = "media_player.kitchen_speaker", "media_player.office_speaker"
TV = "media_player.living_room_tv"
LIVING, BEDROOM = "climate.living_room_thermostat", "climate.bedroom_thermostat"
AC = "climate.office_air_conditioner"

LIGHT = [
    Case(
        text="I could do with the floor lamp",
        step={"action": "turn_on"},
        call="light.turn_on",
        entity_id=LAMP,
        state={"state": "on"},
        reply="Turned on Floor Lamp.",
    ),
    Case(
        text="nobody needs the reading lamp now",
        step={"action": "turn_off"},
        call="light.turn_off",
        entity_id="light.reading_lamp",
        state={"state": "off"},
        reply="Turned off Reading Lamp.",
    ),
    Case(
        text="flip the desk lamp",
        step={"action": "toggle"},
        call="light.toggle",
        entity_id="light.desk_lamp",
        state={"state": "off"},
        reply="Switched Desk Lamp.",
    ),
    Case(
        text="I want the kitchen counter at 40",
        step={"action": "set", "percent": 40},
        call="light.turn_on",
        entity_id=COUNTER,
        data={"brightness_pct": 40},
        state={"state": "on", "brightness": 102},
        reply="Set Kitchen Counter to 40%.",
    ),
    Case(
        text="the kitchen counter at half strength I'd say",
        step={"action": "set", "percent": 50},
        call="light.turn_on",
        entity_id=COUNTER,
        data={"brightness_pct": 50},
        state={"brightness": 128},
        reply="Set Kitchen Counter to 50%.",
    ),
    Case(
        text="I'd like the kitchen counter darker by 20",
        step={"action": "change_brightness", "by": -20},
        call="light.turn_on",
        entity_id=COUNTER,
        data={"brightness_step_pct": -20},
        state={"state": "on", "brightness": 204},
        reply="Dimmed Kitchen Counter.",
    ),
    Case(
        text="I'd like the reading lamp a touch brighter",
        step={"action": "change_brightness", "by": 10},
        call="light.turn_on",
        entity_id="light.reading_lamp",
        data={"brightness_step_pct": 10},
        state={"brightness": 178},
        reply="Made Reading Lamp brighter.",
    ),
    Case(
        text="how about a turquoise night light",
        step={"action": "set", "color": "turquoise"},
        call="light.turn_on",
        entity_id="light.night_light",
        data={"color_name": "turquoise"},
        state={"state": "on", "color_mode": "hs"},
        reply="Made Night Light turquoise.",
    ),
    Case(
        text="I'd like 3000 kelvin from the desk lamp",
        step={"action": "set", "kelvin": 3000},
        call="light.turn_on",
        entity_id="light.desk_lamp",
        data={"color_temp_kelvin": 3000},
        state={"state": "on", "color_temp_kelvin": 3000},
        reply="Set Desk Lamp to 3000 K.",
    ),
    Case(
        text="how about blue at 30 percent from the floor lamp",
        step={"action": "set", "percent": 30, "color": "blue"},
        call="light.turn_on",
        entity_id=LAMP,
        data={"brightness_pct": 30, "color_name": "blue"},
        state={"state": "on", "color_mode": "hs", "brightness": 76},
        reply="Set Floor Lamp to 30% and blue.",
    ),
    # White and a tone are one value: Home Assistant takes a colour or a white tone, not both.
    Case(
        text="how about white at 3000 kelvin from the floor lamp",
        step={"action": "set", "kelvin": 3000},
        call="light.turn_on",
        entity_id=LAMP,
        data={"color_temp_kelvin": 3000},
        state={"state": "on", "color_temp_kelvin": 3000},
        reply="Set Floor Lamp to 3000 K.",
    ),
    Case(
        text="I'm in the mood for candle on the floor lamp",
        step={"action": "set", "effect": "candle"},
        call="light.turn_on",
        entity_id=LAMP,
        data={"effect": "candle"},
        state={"state": "on", "effect": "candle"},
        reply="Set Floor Lamp to the effect candle.",
    ),
]
PAUSE = ("media_player.media_pause", {"entity_id": SPEAKER})
MUTE = ("media_player.volume_mute", {"entity_id": SPEAKER, "is_volume_muted": True})
SHUFFLE = ("media_player.shuffle_set", {"entity_id": SPEAKER, "shuffle": True})
MUSIC = [
    Case(
        text="I feel like jazz on the office speaker",
        step={"action": "play", "query": "jazz"},
        call="media_player.play_media",
        entity_id=OFFICE,
        data={"media_content_id": "library://genre/jazz", "media_content_type": "genre"},
        state={"state": "playing"},
        reply="Playing Jazz on Office Speaker.",
    ),
    Case(
        text="let the kitchen speaker have a rest",
        step={"action": "pause"},
        call="media_player.media_pause",
        entity_id=SPEAKER,
        state={"state": "paused"},
        reply="Paused Kitchen Speaker.",
    ),
    Case(
        text="get the kitchen speaker going again",
        step={"action": "resume"},
        before=[PAUSE],
        call="media_player.media_play",
        entity_id=SPEAKER,
        state={"state": "playing"},
        reply="Resumed Kitchen Speaker.",
    ),
    Case(
        text="that's enough from the kitchen speaker",
        step={"action": "stop"},
        call="media_player.media_stop",
        entity_id=SPEAKER,
        state={"state": "idle"},
        reply="Stopped Kitchen Speaker.",
    ),
    Case(
        text="another one on the kitchen speaker",
        step={"action": "next"},
        call="media_player.media_next_track",
        entity_id=SPEAKER,
        state={"state": "playing", "queue_position": 2},
        reply="Skipped ahead on Kitchen Speaker.",
    ),
    Case(
        text="that one again on the kitchen speaker",
        step={"action": "previous"},
        before=[("media_player.media_next_track", {"entity_id": SPEAKER})],
        call="media_player.media_previous_track",
        entity_id=SPEAKER,
        state={"queue_position": 1},
        reply="Went back on Kitchen Speaker.",
    ),
    Case(
        text="I can hardly hear the kitchen speaker",
        step={"action": "volume_up"},
        call="media_player.volume_up",
        entity_id=SPEAKER,
        state={"volume_level": 0.4},
        reply="Turned up Kitchen Speaker.",
    ),
    Case(
        text="a gentler kitchen speaker",
        step={"action": "volume_down"},
        call="media_player.volume_down",
        entity_id=SPEAKER,
        state={"volume_level": 0.2},
        reply="Turned down Kitchen Speaker.",
    ),
    Case(
        text="silence on the kitchen speaker",
        step={"action": "mute"},
        call="media_player.volume_mute",
        entity_id=SPEAKER,
        data={"is_volume_muted": True},
        state={"is_volume_muted": True},
        reply="Muted Kitchen Speaker.",
    ),
    Case(
        text="let me hear the kitchen speaker again",
        step={"action": "unmute"},
        before=[MUTE],
        call="media_player.volume_mute",
        entity_id=SPEAKER,
        data={"is_volume_muted": False},
        state={"is_volume_muted": False},
        reply="Unmuted Kitchen Speaker.",
    ),
    Case(
        text="the kitchen speaker should be at 55 percent",
        step={"action": "set_volume", "percent": 55},
        call="media_player.volume_set",
        entity_id=SPEAKER,
        data={"volume_level": 0.55},
        state={"volume_level": 0.55},
        reply="Set the volume of Kitchen Speaker to 55%.",
    ),
    Case(
        text="mix it up on the kitchen speaker",
        step={"action": "shuffle_on"},
        call="media_player.shuffle_set",
        entity_id=SPEAKER,
        data={"shuffle": True},
        state={"shuffle": True},
        reply="Turned on shuffle on Kitchen Speaker.",
    ),
    Case(
        text="the right order on the kitchen speaker",
        step={"action": "shuffle_off"},
        before=[SHUFFLE],
        call="media_player.shuffle_set",
        entity_id=SPEAKER,
        data={"shuffle": False},
        state={"shuffle": False},
        reply="Turned off shuffle on Kitchen Speaker.",
    ),
    Case(
        text="repeat that on the kitchen speaker",
        step={"action": "set_repeat", "repeat": "one"},
        call="media_player.repeat_set",
        entity_id=SPEAKER,
        data={"repeat": "one"},
        state={"repeat": "one"},
        reply="Set repeat on Kitchen Speaker to one.",
    ),
    Case(
        text="I want the game console on the living room tv",
        step={"action": "select_source", "source": "Game Console"},
        before=[("media_player.turn_on", {"entity_id": TV})],
        call="media_player.select_source",
        entity_id=TV,
        data={"source": "Game Console"},
        state={"source": "Game Console"},
        reply="Switched Living Room TV to Game Console.",
    ),
    Case(
        text="I could do with the office speaker",
        step={"action": "turn_on"},
        before=[("media_player.turn_off", {"entity_id": OFFICE})],
        call="media_player.turn_on",
        entity_id=OFFICE,
        state={"state": "idle"},
        reply="Turned on Office Speaker.",
    ),
    Case(
        text="nobody needs the kitchen speaker now",
        step={"action": "turn_off"},
        call="media_player.turn_off",
        entity_id=SPEAKER,
        state={"state": "off"},
        reply="Turned off Kitchen Speaker.",
    ),
]
HEAT_COOL = ("climate.set_hvac_mode", {"entity_id": BEDROOM, "hvac_mode": "heat_cool"})
CLIMATE = [
    Case(
        text="the living room thermostat could have twenty two and a half",
        step={"action": "set_temperature", "temperature": 22},
        call="climate.set_temperature",
        entity_id=LIVING,
        data={"temperature": 22.0},
        state={"temperature": 22.0},
        reply="Set Living Room Thermostat to 22 °C.",
    ),
    Case(
        text="I'd like 21,5 degrees from the bedroom thermostat",
        step={"action": "set_temperature", "temperature": 21.5},
        call="climate.set_temperature",
        entity_id=BEDROOM,
        data={"temperature": 21.5},
        state={"temperature": 21.5},
        reply="Set Bedroom Thermostat to 21.5 °C.",
    ),
    Case(
        text="it's chilly, move the living room thermostat",
        step={"action": "change_temperature", "by": 1},
        call="climate.set_temperature",
        entity_id=LIVING,
        data={"temperature": 22.0},
        state={"temperature": 22.0},
        reply="Set Living Room Thermostat to 22 °C.",
    ),
    Case(
        text="I want 3 degrees less on the living room thermostat",
        step={"action": "change_temperature", "by": -3},
        call="climate.set_temperature",
        entity_id=LIVING,
        data={"temperature": 18.0},
        state={"temperature": 18.0},
        reply="Set Living Room Thermostat to 18 °C.",
    ),
    Case(
        text="keep the bedroom thermostat between 19 and 23",
        step={"action": "set_range", "low": 23, "high": 19},
        before=[HEAT_COOL],
        call="climate.set_temperature",
        entity_id=BEDROOM,
        data={"target_temp_low": 19.0, "target_temp_high": 23.0},
        state={"target_temp_low": 19.0, "target_temp_high": 23.0},
        reply="Set Bedroom Thermostat to between 19 °C and 23 °C.",
    ),
    Case(
        text="I'd like cool from the bedroom thermostat",
        step={"action": "set_mode", "hvac_mode": "cool"},
        call="climate.set_hvac_mode",
        entity_id=BEDROOM,
        data={"hvac_mode": "cool"},
        state={"state": "cool"},
        reply="Set Bedroom Thermostat to cool.",
    ),
    Case(
        text="eco is enough for the living room thermostat",
        step={"action": "set_preset", "preset_mode": "eco"},
        call="climate.set_preset_mode",
        entity_id=LIVING,
        data={"preset_mode": "eco"},
        state={"preset_mode": "eco", "temperature": 18.0},
        reply="Set Living Room Thermostat to eco.",
    ),
    Case(
        text="blow medium on the office air conditioner",
        step={"action": "set_fan", "fan_mode": "medium"},
        call="climate.set_fan_mode",
        entity_id=AC,
        data={"fan_mode": "medium"},
        state={"fan_mode": "medium"},
        reply="Set the fan of Office Air Conditioner to medium.",
    ),
    Case(
        text="swing the office air conditioner vertical",
        step={"action": "set_swing", "swing_mode": "vertical"},
        call="climate.set_swing_mode",
        entity_id=AC,
        data={"swing_mode": "vertical"},
        state={"swing_mode": "vertical"},
        reply="Set the swing of Office Air Conditioner to vertical.",
    ),
    Case(
        text="I'd like 50% from the bedroom thermostat",
        step={"action": "set_humidity", "humidity": 50},
        call="climate.set_humidity",
        entity_id=BEDROOM,
        data={"humidity": 50},
        state={"humidity": 50},
        reply="Set Bedroom Thermostat to 50% humidity.",
    ),
    Case(
        text="get the office air conditioner going",
        step={"action": "turn_on"},
        call="climate.turn_on",
        entity_id=AC,
        state={"state": "cool"},
        reply="Turned on Office Air Conditioner.",
    ),
    Case(
        text="nobody needs the living room thermostat",
        step={"action": "turn_off"},
        call="climate.turn_off",
        entity_id=LIVING,
        state={"state": "off"},
        reply="Turned off Living Room Thermostat.",
    ),
]
TABLE = [
    *(("light", case) for case in LIGHT),
    *(("music", case) for case in MUSIC),
    *(("climate", case) for case in CLIMATE),
]


@in_one_house(("agent", "case"), TABLE, ids=[case.text for _, case in TABLE])
async def test_a_plan_is_called_and_seen(
    hass: HomeAssistant, speak: Setup, agent: str, case: Case
) -> None:
    speaker = await speak(planning(agent, case.step))
    for action, data in case.before:
        domain, _, service = action.partition(".")
        await hass.services.async_call(domain, service, data, blocking=True)
    said = await speaker.say(case.text, area=case.area)
    made = [(action, data) for action, data in called(said.calls) if "search" not in action]
    assert made == [(case.call, {**case.data, "entity_id": [case.entity_id]})]
    assert shown(hass, case.entity_id, *case.state) == case.state
    assert set(said.changes) <= {case.entity_id}
    assert said.reply == case.reply

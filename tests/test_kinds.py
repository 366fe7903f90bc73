"""A kind that is named binds what is touched: heating is no cooling, and what is not there is not replaced."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from tests.agents.conftest import planning
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_policy_reach import obey, rule

AC, BEDROOM = "climate.office_air_conditioner", "climate.bedroom_thermostat"
HEATING = "climate.bathroom_heating"
LAMP, READING = "light.floor_lamp", "light.reading_lamp"
FAN = "fan.bedroom_fan"


async def act(hass: HomeAssistant, action: str, entity_id: str, **data: Any) -> None:
    """Call an action before something is said."""
    domain, _, service = action.partition(".")
    await hass.services.async_call(domain, service, {"entity_id": entity_id, **data}, blocking=True)


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the heater in the office"),
        ("en", "turn off the AC in the bathroom"),
        ("en", "turn on the air conditioner in the living room"),
        ("en", "chill the bathroom"),
        ("en", "heat the office"),
        ("de", "mach die Klimaanlage im Bathroom aus"),
        ("de", "heiz das Office"),
        ("fr", "allume la clim dans Bathroom"),
        ("fr", "réchauffe Office"),
        ("es", "enciende la calefacción en Office"),
        ("es", "enfría Bathroom"),
        ("it", "accendi il riscaldamento in Office"),
        ("it", "raffredda Bathroom"),
        ("nl", "zet de verwarming in Office aan"),
        ("nl", "stook Office"),
        ("pl", "włącz klimatyzację w Bathroom"),
        ("pl", "ogrzej Office"),
        ("pt", "liga o ar condicionado em Bathroom"),
        ("pt", "aquecer Office"),
    ],
)
async def test_heating_and_cooling_are_not_exchanged(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert not said.calls
    assert said.result.response.error_code


async def test_the_only_device_of_a_kind_is_found_wherever_it_is(
    hass: HomeAssistant, speak: Setup
) -> None:
    said = await (await speak()).say("turn on the AC", area="Bathroom")
    assert said.changes.keys() == {AC}


async def test_what_heats_and_cools_does_what_was_said(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await act(hass, "climate.turn_off", BEDROOM)
    await speaker.say("cool the bedroom")
    assert hass.states.is_state(BEDROOM, "cool")
    await speaker.say("heat the bedroom")
    assert hass.states.is_state(BEDROOM, "heat")
    left = await speaker.say("switch the air con in the bedroom off")
    assert hass.states.is_state(BEDROOM, "heat")
    assert left.reply == "Bedroom Thermostat is set to heat, so I left it."
    await speaker.say("turn off the heating in the bedroom")
    assert hass.states.is_state(BEDROOM, "off")


@in_one_house(
    "text",
    [
        "it would be nice to have the air conditioner in the bathroom at 22",
        "I want the air conditioning going in the bathroom",
        "let the heater in the office warm my feet",
    ],
)
async def test_a_model_takes_nothing_of_another_kind(speak: Setup, text: str) -> None:
    step = {"action": "turn_on"}
    said = await (await speak(planning("climate", step))).say(text)
    assert not said.changes


@in_one_house(
    "text",
    [
        "make the disco ball in the kitchen shine",
        "a bit of light from the chandelier upstairs in the sauna",
        "I need the projector running in the living room",
    ],
)
async def test_a_model_takes_nothing_for_a_name_that_nothing_has(speak: Setup, text: str) -> None:
    said = await (await speak(planning("light", {"action": "turn_on"}))).say(text)
    assert not said.changes


async def test_lamps_are_not_all_lights(hass: HomeAssistant, speak: Setup) -> None:
    await act(hass, "light.turn_off", READING)
    said = await (await speak()).say("switch the lamps on", area="Living Room")
    assert said.changes.keys() == {LAMP, READING}


@in_one_house(
    ("language", "text"),
    [
        ("en", "switch a light on in the living room"),
        ("de", "schalte ein Licht in Living Room ein"),
        ("fr", "allume une lumière dans Living Room"),
        ("es", "enciende una luz en Living Room"),
        ("it", "accendi una luce in Living Room"),
        ("pt", "acende uma luz em Living Room"),
    ],
)
async def test_one_of_several_is_asked_for(speak: Setup, language: str, text: str) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert said.result.continue_conversation


async def test_what_is_dimmed_stays_on_and_what_is_dark_stays_dark(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    dark = [s.entity_id for s in hass.states.async_all("light") if s.state == "off"]
    lit = [s.entity_id for s in hass.states.async_all("light") if s.state == "on"]
    for _ in range(3):
        await speaker.say("dim every light")
    assert all(hass.states.is_state(light, "off") for light in dark)
    assert all(hass.states.is_state(light, "on") for light in lit)
    night = hass.states.get("light.night_light")
    assert night
    assert night.attributes["brightness"] == 3
    said = await speaker.say("dim the floor lamp")
    assert said.reply == "Floor Lamp is off."


async def test_a_bare_number_for_a_room_is_asked_about(speak: Setup) -> None:
    said = await (await speak()).say("set the kids room to 30")
    assert not said.changes
    assert "percent or degrees" in said.reply


@pytest.mark.parametrize("text", ["set the office to 40%", "office 40%"])
async def test_a_percentage_for_a_room_is_for_its_lights(speak: Setup, text: str) -> None:
    said = await (await speak()).say(text)
    assert said.calls
    assert all(call["service_data"]["brightness_pct"] == 40 for call in said.calls)


@pytest.mark.parametrize("text", ["pause the living room tv", "make the living room tv louder"])
async def test_a_player_that_is_off_is_left_off(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    said = await (await speak()).say(text)
    assert not said.changes
    assert said.reply == "Living Room TV is off."


@in_one_house(
    ("first", "then", "entity_id", "shows"),
    [
        ("open the garage door", "stop", "cover.garage_door", None),
        ("close the kitchen blinds", "stop", "cover.kitchen_blinds", None),
        ("start Dusty", "stop", "vacuum.dusty", "idle"),
        ("turn on the bedroom fan", "turn it up", FAN, "on"),
        ("turn on the bedroom fan", "turn it down", FAN, "on"),
    ],
)
async def test_stop_and_more_mean_what_was_just_spoken_of(
    speak: Setup, first: str, then: str, entity_id: str, shows: str | None
) -> None:
    speaker = await speak()
    await speaker.say(first)
    said = await speaker.say(then)
    assert {t for call in said.calls for t in call["service_data"]["entity_id"]} == {entity_id}
    assert shows is None or speaker.hass.states.is_state(entity_id, shows)


@in_one_house("then", ["turn it up", "turn it down", "stop it"])
async def test_what_cannot_do_it_is_not_replaced(speak: Setup, then: str) -> None:
    speaker = await speak()
    await speaker.say("lock the front door")
    said = await speaker.say(then)
    assert not said.changes
    assert said.reply == "Front Door can't do that."


async def test_the_second_half_is_about_what_the_first_named(
    hass: HomeAssistant, speak: Setup
) -> None:
    said = await (await speak()).say("turn on the floor lamp and make it blue")
    state = hass.states.get(LAMP)
    assert state
    assert state.attributes["rgb_color"] == (0, 0, 255)
    assert said.changes.keys() == {LAMP}


async def test_a_half_that_is_not_understood_is_named(speak: Setup) -> None:
    said = await (await speak()).say("turn on the floor lamp and order a pizza")
    assert said.changes.keys() == {LAMP}
    assert "“order a pizza”" in said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "leave the bedroom light on"),
        ("it", "lascia accesa la luce in Bedroom"),
        ("nl", "laat het licht in Bedroom aan"),
        ("pt", "deixa a luz de Bedroom acesa"),
    ],
)
async def test_what_is_to_stay_on_is_left_as_it_is(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await act(hass, "light.turn_off", "light.right_bedside_lamp")
    assert not (await speaker.say(text, language=language)).changes


async def test_a_yes_stops_what_a_rule_wants_a_yes_for(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("open the garage door")
    await obey(hass, rule("confirm", action=["cover.stop_cover"]))
    asked = await speaker.say("stop")
    assert asked.result.continue_conversation
    assert not asked.calls
    done = await speaker.say("yes")
    assert [call["service"] for call in done.calls] == ["stop_cover"]


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "set the office to 22 degrees", "Set Office Air Conditioner to 22 °C (still off)."),
        (
            "de",
            "stelle Office auf 22 Grad",
            "Office Air Conditioner auf 22 °C gestellt (noch aus).",
        ),
    ],
)
async def test_what_is_off_and_gets_a_new_target_is_told_to_be_off(
    hass: HomeAssistant, speak: Setup, language: str, text: str, reply: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert said.reply == reply
    assert hass.states.is_state(AC, "off")
    warm = await speaker.say("set the bedroom to 20 degrees")
    assert warm.reply == "Set Bedroom Thermostat to 20 °C."


async def test_what_only_heats_is_turned_on_to_reach_a_target_and_off_again_by_undo(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    was = hass.states.get(HEATING)
    assert was
    assert was.state == "off"
    assert was.attributes["current_temperature"] < 26
    said = await speaker.say("set the bathroom heating to 26 degrees at seven")
    assert "off" not in said.reply, "it would be turned on then"
    said = await speaker.say("set the bathroom heating to 26 degrees")
    assert said.reply == "Set Bathroom Heating to 26 °C."
    assert hass.states.is_state(HEATING, "heat")
    await speaker.say("undo that")
    undone = hass.states.get(HEATING)
    assert undone
    assert (undone.state, undone.attributes["temperature"]) == (
        "off",
        was.attributes["temperature"],
    )


async def test_what_need_not_heat_to_reach_a_target_stays_off(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    was = hass.states.get(HEATING)
    assert was
    assert was.attributes["current_temperature"] > 16
    said = await speaker.say("set the bathroom heating to 16 degrees")
    assert said.reply == "Set Bathroom Heating to 16 °C (still off)."
    assert hass.states.is_state(HEATING, "off")


async def test_half_of_a_sentence_is_not_done_in_silence(hass: HomeAssistant, speak: Setup) -> None:
    said = await (await speak()).say("lights on in the office and aglow in the hallway")
    assert not said.calls
    assert not said.changes
    assert said.reply.startswith("Sorry, I couldn't understand that")


async def test_a_verb_alone_after_and_is_read_and_judged(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    said = await speaker.say("switch the desk lamp off and on")
    assert said.reply == "Turned off Desk Lamp and turned on Desk Lamp."
    await obey(hass, rule("deny", action=["light.turn_on"], entity=["light.desk_lamp"]))
    said = await speaker.say("turn off the reading lamp and on the desk lamp")
    assert "turn_on" not in [call["service"] for call in said.calls]
    said = await speaker.say("switch the desk lamp off and on")
    assert [call["service"] for call in said.calls] == ["turn_off"]

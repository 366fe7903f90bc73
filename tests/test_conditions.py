"""A condition is looked at once, now: its command is carried out, not needed, or declined."""

import asyncio
import logging
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from custom_components.bellboard.nlu.condition_results import all_of, any_of, compare
from custom_components.bellboard.nlu.condition_words import ConditionWords
from custom_components.bellboard.nlu.loader import async_get_language
from tests.conftest import Setup, Speaker
from tests.one_house import in_one_house

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pl", "pt")
_COMPARISONS = ("above", "at_least", "at_most", "below")
_STATES = ("on", "off", "open", "closed", "locked", "unlocked", "playing", "silent")
VERBS = frozenset({"turn", "set", "close"})
EVENTS = {
    "en": "if it rains, turn off the desk lamp",
    "de": "wenn es regnet, schalte die Schreibtischlampe aus",
    "fr": "s'il pleut, éteins la Desk Lamp",
    "es": "si llueve, apaga la Desk Lamp",
    "nl": "als het regent, zet de Desk Lamp uit",
    "it": "se piove, spegni la Desk Lamp",
    "pl": "jeśli pada, wyłącz Desk Lamp",
    "pt": "se chover, desliga a Desk Lamp",
}
# Language, sentence, room, and the only entity that changes.
DONE = (
    ("en", "if it is above 23 set it to 22", "Office", "climate.office_air_conditioner"),
    ("en", "if the front door is locked unlock it", None, "lock.front_door"),
    ("en", "if the kitchen speaker is playing turn it down", None, "media_player.kitchen_speaker"),
    ("en", "if a window is open turn off the bedroom thermostat", None, "climate.bedroom_thermostat"),
    ("en", "if the window is open turn off the heating", "Bedroom", "climate.bedroom_thermostat"),
    ("en", "if it is at least 25 degrees set it to 22", "Office", "climate.office_air_conditioner"),
    ("en", "if it is warmer than 10 degrees outside open the bedroom blinds", None, "cover.bedroom_blinds"),
    ("en", "if the desk lamp is on turn it off otherwise turn on the mirror light", None, "light.desk_lamp"),
    ("en", "if the coffee machine is off turn it on", None, "switch.coffee_machine"),
    ("en", "if the garage door is closed open it", None, "cover.garage_door"),
    ("en", "if the hallway is empty turn off the desk lamp", None, "light.desk_lamp"),
    ("en", "if there is no motion in the hallway turn off the desk lamp", None, "light.desk_lamp"),
    ("en", "turn off the desk lamp if nobody is here", "Hallway", "light.desk_lamp"),
    ("en", "turn off the mirror light and the desk lamp if the desk lamp is on", None, "light.desk_lamp"),
    ("en", "if the office temperature is above 75 fahrenheit turn off the desk lamp", None, "light.desk_lamp"),
    ("en", "if the kids room heating is above 20 turn off the night light", None, "light.night_light"),
    ("en", "if the bathroom is above -5 degrees turn off the desk lamp", None, "light.desk_lamp"),
    ("en", "unless the hallway is occupied, turn off the desk lamp", None, "light.desk_lamp"),
    ("en", "if any light in the living room is on turn off the desk lamp", None, "light.desk_lamp"),
    ("de", "wenn es über 23 Grad ist stell es auf 22", "Office", "climate.office_air_conditioner"),
    ("de", "wenn die Schreibtischlampe an ist mach sie aus", None, "light.desk_lamp"),
    ("de", "mach die Schreibtischlampe aus wenn niemand im Flur ist", None, "light.desk_lamp"),
    ("de", "mach die Schreibtischlampe aus wenn du kannst", None, "light.desk_lamp"),
    ("fr", "si la Desk Lamp est allumée éteins-la", None, "light.desk_lamp"),
    ("fr", "éteins la Desk Lamp s'il n'y a personne ici", "Hallway", "light.desk_lamp"),
    ("es", "si la Desk Lamp está encendida apágala", None, "light.desk_lamp"),
    ("es", "apaga la Desk Lamp si no hay nadie en Hallway", None, "light.desk_lamp"),
    ("nl", "als de Desk Lamp aan is zet hem uit", None, "light.desk_lamp"),
    ("nl", "als Front Door op slot is ontgrendel hem", None, "lock.front_door"),
    ("it", "se la Desk Lamp è accesa spegnila", None, "light.desk_lamp"),
    ("it", "se ci sono più di 23 gradi spegni la Desk Lamp", "Office", "light.desk_lamp"),
    ("it", "spegni la Desk Lamp se non c'è nessuno in Hallway", None, "light.desk_lamp"),
    ("pl", "jeśli Desk Lamp jest włączona, wyłącz ją", None, "light.desk_lamp"),
    ("pl", "jeśli na zewnątrz jest powyżej 5 stopni, wyłącz Desk Lamp", None, "light.desk_lamp"),
    ("pl", "wyłącz Desk Lamp, jeśli nikogo nie ma w Hallway", None, "light.desk_lamp"),
    ("pt", "se a Desk Lamp estiver ligada, desliga-a", None, "light.desk_lamp"),
    ("pt", "desliga a Desk Lamp se não houver ninguém no Hallway", None, "light.desk_lamp"),
    ("fr", "s'il fait plus de 23 degrés éteins la Desk Lamp", "Office", "light.desk_lamp"),
    ("es", "si hay más de 23 grados apaga la Desk Lamp", "Office", "light.desk_lamp"),
    ("nl", "als het warmer dan 23 graden is zet de Desk Lamp uit", "Office", "light.desk_lamp"),
    ("de", "wenn das Fenster nicht zu ist mach die Heizung aus", "Bedroom", "climate.bedroom_thermostat"),
    ("en", "if the humidity in the bathroom isn't above 80 percent turn off the desk lamp", None, "light.desk_lamp"),
    ("en", "if the volume of the kitchen speaker is above 5 percent turn off the desk lamp", None, "light.desk_lamp"),
)  # fmt: skip
# Language, sentence, room, and what is said.
SETTLED = (
    ("en", "if it is above 23 set it to 22", "Bedroom", "It is 19 °C, so I did nothing."),
    ("en", "if the bedroom is below 15 degrees turn on the heating", None, "It is 19 °C"),
    ("en", "if it is at most 24 turn off the desk lamp", "Office", "It is 25 °C"),
    ("en", "if the humidity in the bathroom is under 50 percent turn off the desk lamp", None, "is 63%"),
    ("en", "if the desk lamp is off turn it on", None, "Desk Lamp is on, so"),
    ("en", "if the front door is unlocked lock it", None, "Front Door is locked, so"),
    ("en", "if the kitchen speaker is paused turn it up", None, "Kitchen Speaker is playing, so"),
    ("en", "if somebody is in the hallway turn off the desk lamp", None, "Nobody is there, so"),
    ("en", "unless nobody is in the hallway turn off the desk lamp", None, "Nobody is there, so"),
    ("en", "if all windows are closed turn off the desk lamp", None, "That is not so now"),
    ("en", "if all the lights in the living room are on turn them off", None, "That is not so now"),
    ("en", "if the desk lamp is on and the floor lamp is on turn off the desk lamp", None, "Floor Lamp is off"),
    ("en", "turn off the floor lamp if it is on", None, "Floor Lamp is off, so"),
    ("de", "wenn die Schreibtischlampe aus ist mach sie an", None, "Desk Lamp ist an, also"),
    ("fr", "si le Salon est au-dessus de 25 degrés éteins la Desk Lamp", None, "Il fait 20,5 °C"),
    ("es", "si la Desk Lamp está apagada enciéndela", None, "no he hecho nada"),
    ("nl", "als de Desk Lamp uit staat zet hem aan", None, "staat aan, dus"),
    ("it", "se la Desk Lamp è spenta accendila", None, "è in funzione, quindi"),
    ("pl", "jeśli jest powyżej 23 stopni, wyłącz Desk Lamp", "Bedroom", "Temperatura to 19 °C"),
    ("pt", "se estiverem mais de 23 graus desliga a Desk Lamp", "Bedroom", "Estão 19 °C"),
    ("de", "wenn es draußen friert, mach die Leselampe aus", None, "also habe ich nichts getan"),
)  # fmt: skip
# One of several is enough, and what stands with one of them is said of all.
ONE_OF_SEVERAL = (
    ("en", "if the desk lamp or the floor lamp is on turn off the reading lamp"),
    ("en", "if the floor lamp is on or the desk lamp is on turn off the reading lamp"),
    ("de", "wenn die Stehlampe oder die Schreibtischlampe an ist, mach die Leselampe aus"),
    ("es", "si está encendida Floor Lamp o Desk Lamp apaga Reading Lamp"),
    ("fr", "si Floor Lamp ou Desk Lamp est allumée éteins Reading Lamp"),
    ("it", "se Floor Lamp o Desk Lamp è accesa spegni Reading Lamp"),
    ("nl", "als Floor Lamp of Desk Lamp aan is doe Reading Lamp uit"),
    ("pl", "jeśli Floor Lamp lub Desk Lamp jest włączona wyłącz Reading Lamp"),
    ("pt", "se Floor Lamp ou Desk Lamp estiver acesa apaga Reading Lamp"),
    ("sv", "om Floor Lamp eller Desk Lamp är tänd släck Reading Lamp"),
)
# A condition before or after two commands.
GOVERNED = (
    ("en", "on condition that Living Room TV is {state}, {command}"),
    ("en", "so long as Living Room TV is {state}, {command}"),
    ("en", "{command} if Living Room TV is {state}"),
    ("en", "{command}, but only if Living Room TV is {state}"),
    ("de", "vorausgesetzt dass Living Room TV {state} ist, {command}"),
    ("de", "{command}, unter der Bedingung dass Living Room TV {state} ist"),
    ("es", "con tal de que Living Room TV esté {state}, {command}"),
    ("es", "{command} a condición de que Living Room TV esté {state}"),
    ("fr", "à condition que Living Room TV soit {state}, {command}"),
    ("fr", "{command} pourvu que Living Room TV soit {state}"),
    ("fr", "au cas où Living Room TV serait {state}, {command}"),
    ("it", "a patto che Living Room TV sia {state}, {command}"),
    ("it", "{command} purché Living Room TV sia {state}"),
    ("nl", "op voorwaarde dat Living Room TV {state} is, {command}"),
    ("nl", "{command} in het geval dat Living Room TV {state} is"),
    ("pl", "pod warunkiem, że Living Room TV jest {state}, {command}"),
    ("pl", "{command}, o ile Living Room TV jest {state}"),
    ("pt", "contanto que a Living Room TV esteja {state}, {command}"),
    ("pt", "{command} supondo que a Living Room TV está {state}"),
    ("sv", "under förutsättning att Living Room TV är {state}, {command}"),
    ("sv", "{command} givet att Living Room TV är {state}"),
)
# How a television is that is on, and one that is off, and two commands.
_TWO_COMMANDS = {
    "en": ("on", "off", "turn off Reading Lamp and close Kitchen Blinds"),
    "de": ("an", "aus", "mach Reading Lamp aus und Kitchen Blinds zu"),
    "es": ("encendida", "apagada", "apaga Reading Lamp y cierra Kitchen Blinds"),
    "fr": ("allumée", "éteinte", "éteins Reading Lamp et ferme Kitchen Blinds"),
    "it": ("accesa", "spenta", "spegni Reading Lamp e chiudi Kitchen Blinds"),
    "nl": ("aan", "uit", "zet Reading Lamp uit en sluit Kitchen Blinds"),
    "pl": ("włączony", "wyłączony", "zgaś Reading Lamp i zamknij Kitchen Blinds"),
    "pt": ("ligada", "desligada", "apaga a Reading Lamp e fecha Kitchen Blinds"),
    "sv": ("på", "av", "släck Reading Lamp och stäng Kitchen Blinds"),
}
# A request, and one with a condition of its own that is not met; what is done.
APART = (
    ("en", "turn off Reading Lamp and if Living Room TV is on turn it off"),
    ("en", "turn off Reading Lamp. if Living Room TV is on close Kitchen Blinds"),
    ("en", "if Living Room TV is on close Kitchen Blinds and if it is off turn off Reading Lamp"),
    ("de", "mach Reading Lamp aus, und wenn Living Room TV an ist, mach Kitchen Blinds zu"),
    ("es", "apaga Reading Lamp y si Living Room TV está encendida cierra Kitchen Blinds"),
    ("fr", "éteins Reading Lamp et si Living Room TV est allumée ferme Kitchen Blinds"),
    ("it", "spegni Reading Lamp e se Living Room TV è accesa spegnila"),
    ("nl", "doe Reading Lamp uit en als Living Room TV aan is zet hem uit"),
    ("pl", "zgaś Reading Lamp, a jeśli Living Room TV jest włączony, wyłącz go"),
    ("pt", "apaga a Reading Lamp e se a Living Room TV estiver ligada desliga-a"),
    ("sv", "släck Reading Lamp och om Living Room TV är på stäng av den"),
    ("en", "tell me if the front door is locked and turn off Reading Lamp"),
    ("de", "sag mir ob Front Door abgeschlossen ist und mach Reading Lamp aus"),
    ("es", "dime si la Front Door está cerrada y apaga la Reading Lamp"),
    ("fr", "dis-moi si Front Door est fermée et éteins Reading Lamp"),
    ("it", "dimmi se la Front Door è chiusa e spegni la Reading Lamp"),
    ("pl", "powiedz mi czy Front Door jest zamknięty i zgaś Reading Lamp"),
    ("pt", "diz-me se a Front Door está trancada e apaga a Reading Lamp"),
    ("sv", "säg om Front Door är låst och släck Reading Lamp"),
)
# What cannot be known: nobody knows, or it is not clear what is meant.
UNKNOWN = (
    "if it is above 23 set it to 22",
    "if it is above 23 in the sauna turn off the desk lamp",
    "if the attic is above 20 turn off the desk lamp",
    "turn off the lights if nobody is in the kitchen",
    "if nobody is here turn off the desk lamp",
    "if the bedside lamp is on turn it off",
    "if the window is open turn off the desk lamp",
    "if the desk lamp is on and it is sunny turn off the reading lamp",
    "if the desk lamp is on or the flux lamp is on turn off the reading lamp",
    "if the workshop heater is on turn off the desk lamp",
    "if the humidity in the workshop is above 20 percent turn off the desk lamp",
    "if it is above 10 in the kitchen set it to 25",
    "if somebody is in the hallway or not, turn off the desk lamp",
    "please, if it rains, turn off the desk lamp",
    "if it is above 10 degrees outside set it to 22",
    "if nobody is in the hallway turn it off",
    "if you can",
    "turn off the desk lamp and turn off the reading lamp if it rains",
    "turn off the desk lamp, but not if the dog is asleep",
    "supposing the dog is asleep, turn off the desk lamp and close the kitchen blinds",
    "turn off the desk lamp and if the dog is asleep close the kitchen blinds",
    "if " + "the very " * 40 + "desk lamp is on turn it off",
)


async def _say(speaker: Speaker, text: str, language: str, area: str | None) -> Any:
    """Say a sentence in a conversation of its own."""
    speaker.conversation_id = None
    return await speaker.say(text, language=language, area=area)


async def _restore(hass: HomeAssistant) -> None:
    """Bring back what several sentences change."""
    for action, data in (
        ("light.turn_on", {"entity_id": "light.desk_lamp"}),
        ("climate.turn_on", {"entity_id": "climate.bedroom_thermostat"}),
        (
            "climate.set_temperature",
            {"entity_id": "climate.office_air_conditioner", "temperature": 23},
        ),
        ("lock.lock", {"entity_id": "lock.front_door"}),
    ):
        domain, _, service = action.partition(".")
        await hass.services.async_call(domain, service, data, blocking=True)


async def test_a_command_is_carried_out_where_its_condition_holds(
    hass: HomeAssistant, speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    """In one core for all, because a core's first sentences take longest."""
    caplog.set_level(logging.ERROR)
    asyncio.get_running_loop().set_debug(False)
    speaker = await speak()
    wrong = {}
    for language, text, area, entity_id in DONE:
        said = await _say(speaker, text, language, area)
        if set(said.changes) != {entity_id}:
            wrong[text] = (said.reply, sorted(said.changes))
        await _restore(hass)
    assert wrong == {}


async def test_nothing_is_done_where_it_does_not_hold_and_what_cannot_be_known_is_declined(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    asyncio.get_running_loop().set_debug(False)
    speaker = await speak()
    wrong = {}
    for language, text, area, reply in SETTLED:
        said = await _say(speaker, text, language, area)
        response = said.result.response
        if said.calls or reply not in said.reply or response.error_code:
            wrong[text] = (said.reply, said.calls)
    for language, text in (*(("en", text) for text in UNKNOWN), *EVENTS.items()):
        said = await _say(speaker, text, language, None)
        if said.calls or not said.result.response.error_code:
            wrong[text] = (said.reply, said.calls)
    assert wrong == {}


@in_one_house(("language", "text"), ONE_OF_SEVERAL)
async def test_one_of_several_is_enough(speak: Setup, language: str, text: str) -> None:
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {"light.reading_lamp"}, said.reply


@in_one_house(("language", "text"), GOVERNED)
async def test_a_condition_is_for_all_that_is_said_with_it(
    speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    unmet, met, command = _TWO_COMMANDS[language]
    said = await speaker.say(text.format(state=unmet, command=command), language=language)
    assert said.changes == {}
    said = await speaker.say(text.format(state=met, command=command), language=language)
    assert {*said.changes} == {"light.reading_lamp", "cover.kitchen_blinds"}, said.reply


@in_one_house(("language", "text"), APART)
async def test_a_condition_after_and_is_for_what_follows_it(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {"light.reading_lamp"}, said.reply


async def test_a_command_after_a_condition_is_for_its_place(
    speak: Setup,
) -> None:
    """And not for the room in which it is said."""
    speaker = await speak()
    text = "if the bathroom is below 22 degrees turn on the heating"
    said = await _say(speaker, text, "en", "Living Room")
    assert set(said.changes) == {"climate.bathroom_heating"}
    said = await _say(speaker, "turn off the lights if nobody is in the hallway", "en", "Kitchen")
    assert set(said.changes) == {"light.hallway_ceiling"}


async def test_the_thermometer_of_a_room_comes_first(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    areas = ar.async_get(hass)
    area = areas.async_get_area_by_name("Office")
    assert area
    text = "if the office is above 20 degrees turn off the desk lamp"
    areas.async_update(area.id, temperature_entity_id=None)
    hass.states.async_set(
        "sensor.office_temperature", "unavailable", {"device_class": "temperature"}
    )
    # The air conditioner measures too.
    assert set((await _say(speaker, text, "en", None)).changes) == {"light.desk_lamp"}
    async_expose_entity(hass, "conversation", "climate.office_air_conditioner", False)
    said = await _say(speaker, text, "en", None)
    assert not said.calls
    assert said.result.response.error_code


async def test_things_that_cannot_be_seen_decide_nothing(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    hass.states.async_set("light.desk_lamp", "unavailable", {})
    said = await _say(speaker, "if the desk lamp is off turn on the mirror light", "en", None)
    assert not said.calls
    assert said.result.response.error_code


def test_when_values_and_several_things_hold() -> None:
    assert any_of([None, True]) is True
    assert any_of([None, False]) is None
    assert any_of([]) is None
    assert any_of([False]) is False
    assert all_of([None, False]) is False
    assert all_of([None, True]) is None
    assert all_of([]) is None
    assert all_of([True]) is True
    at_the_limit = [than for than in _COMPARISONS if compare(20, than, 20)]
    assert at_the_limit == ["at_least", "at_most"]


async def words_of(hass: HomeAssistant, code: str) -> ConditionWords:
    return (await async_get_language(hass, code)).conditions


async def test_all_languages_know_the_same_conditions(hass: HomeAssistant) -> None:
    for code in LANGUAGES:
        words = await words_of(hass, code)
        assert all(words.say(key, things="x") for key in ("somebody", "nobody", "several"))
        assert all("20" in words.say(key, value="20") for key in ("temperature", "humidity"))
        assert all("Lamp" in words.say(key, things="Lamp") for key in _STATES)


async def test_a_language_without_conditions_knows_none(hass: HomeAssistant) -> None:
    words, lexicon = ConditionWords({}), (await async_get_language(hass, "en")).lexicon
    text = "if the lamp is on turn it off"
    assert not words.is_conditional(text, lexicon)
    assert not words.begins(text)
    assert list(words.split(text, lexicon)) == []
    assert words.without_politeness(text) == text


async def test_agreement_is_no_condition(hass: HomeAssistant) -> None:
    french = await words_of(hass, "fr")
    assert not french.begins("si, allume la lampe")
    assert french.begins("si la lampe est allumée, éteins-la")


async def test_a_list_is_no_condition(hass: HomeAssistant) -> None:
    dutch, lexicon = await words_of(hass, "nl"), (await async_get_language(hass, "nl")).lexicon
    assert not dutch.is_conditional("zowel de lamp als de radio mag uit", lexicon)
    assert dutch.is_conditional("als de lamp aan is, mag zowel de lamp als de radio uit", lexicon)


async def test_courtesy_is_no_condition(hass: HomeAssistant) -> None:
    for code, text, left in (
        ("en", "turn off the lamp, if you don't mind", "turn off the lamp"),
        ("de", "es wäre super, wenn du die Lampe ausmachst", "die Lampe ausmachst"),
        ("de", "mach die Lampe aus, wenn's geht", "mach die Lampe aus"),
        ("fr", "éteins la lampe s'il te plaît", "éteins la lampe"),
        ("it", "spegni la lampada, se puoi", "spegni la lampada"),
        ("pl", "wyłącz lampę, jeśli możesz", "wyłącz lampę"),
    ):
        words, lexicon = await words_of(hass, code), (await async_get_language(hass, code)).lexicon
        assert words.is_conditional(text, lexicon)
        assert words.without_politeness(text) == left


async def test_a_sentence_is_taken_apart(hass: HomeAssistant) -> None:
    """Into ways of which the longest condition is first."""
    words, lexicon = await words_of(hass, "en"), (await async_get_language(hass, "en")).lexicon
    for text, command, other in (
        ("if the lamp is on turn it off", "turn it off", ""),
        ("if the lamp is on, then please close it", "close it", ""),
        ("turn it off, if the lamp is on", "turn it off", ""),
        ("if the lamp is on turn it off, otherwise set it to 20", "turn it off", "set it to 20"),
    ):
        found = list(words.split(text, lexicon))
        taken = [(each.command, each.other) for each in found if each.condition == "the lamp is on"]
        assert taken == [(command, other)]
    for text in ("if the lamp is on", "if", "turn it off if"):
        assert not list(words.split(text, lexicon))

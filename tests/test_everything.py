"""How far "everything" and "the lights" reach: a room, unless the whole house is said."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, intent
from homeassistant.setup import async_setup_component
import pytest

from tests.conftest import Setup, voice_panel
from tests.one_house import in_one_house

BEDROOM = {
    "media_player.bedroom_speaker",
    "light.left_bedside_lamp",
}
# In each language: everything, everything of the whole house.
EVERYTHING = [
    ("en", "turn off everything", "turn off everything in the house"),
    ("en", "turn off everything that's on", "turn everything off everywhere"),
    ("de", "schalte alles aus", "mach im ganzen Haus alles aus"),
    ("es", "apaga todo", "apaga todo en toda la casa"),
    ("fr", "éteins tout", "éteins tout dans la maison"),
    ("it", "spegni tutto", "spegni tutto in tutta la casa"),
    ("nl", "doe alles uit", "doe alles uit in het hele huis"),
    ("pl", "wyłącz wszystko", "wyłącz wszystko w całym domu"),
    ("pt", "desliga tudo", "desliga tudo em toda a casa"),
]
BUT_THE_COUNTER = [
    ("en", "switch everything off but the counter"),
    ("de", "mach alles außer der Arbeitsplatte aus"),
    ("es", "apaga todo menos Kitchen Counter"),
    ("fr", "éteins tout sauf Kitchen Counter"),
    ("it", "spegni tutto tranne Kitchen Counter"),
    ("nl", "doe alles uit behalve Kitchen Counter"),
    ("pl", "wyłącz wszystko oprócz Kitchen Counter"),
    ("pt", "desliga tudo menos Kitchen Counter"),
]


@in_one_house(("language", "here", "everywhere"), EVERYTHING)
async def test_everything_is_the_room_that_it_is_said_in(
    speak: Setup, language: str, here: str, everywhere: str
) -> None:
    """Turn off what is in the bedroom, and what is in the house only where that is said."""
    speaker = await speak()
    said = await speaker.say(here, language=language, area="Bedroom")
    assert {*said.changes} == BEDROOM
    assert "Bedroom Thermostat" in said.reply, "the heating stays on, and is told"
    said = await speaker.say(everywhere, language=language, area="Bedroom")
    assert {"light.kitchen_ceiling", "light.desk_lamp"} <= {*said.changes}


@in_one_house(("language", "text"), BUT_THE_COUNTER)
async def test_an_exception_from_everything_is_one_from_the_room(
    speak: Setup, language: str, text: str
) -> None:
    """Turn off the kitchen but for its counter."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert {*said.changes} == {
        "light.kitchen_ceiling",
        "light.kitchen_pendant",
        "media_player.kitchen_speaker",
    }


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn off the kitchen lights and make an exception for the counter"),
        ("en", "turn off the kitchen lights but spare the counter"),
        ("de", "mach in der Küche alle Lichter aus und mach eine Ausnahme für Kitchen Counter"),
        ("de", "mach alle Lichter aus und mach bei Kitchen Counter eine Ausnahme"),
        ("de", "schalte alle Lichter aus, Kitchen Counter ist die Ausnahme"),
        ("en", "turn off all the lights, the counter is the exception"),
        ("es", "apaga todas las luces, Kitchen Counter es la excepción"),
        ("fr", "éteins toutes les lumières, Kitchen Counter est l'exception"),
        ("it", "spegni tutte le luci, Kitchen Counter è l'eccezione"),
        ("nl", "doe alle lampen uit, Kitchen Counter is de uitzondering"),
        ("pl", "wyłącz wszystkie światła, Kitchen Counter to wyjątek"),
        ("pt", "apaga todas as luzes, Kitchen Counter é a exceção"),
        ("sv", "släck alla lampor, Kitchen Counter är ett undantag"),
        ("es", "apaga todas las luces y haz una excepción con Kitchen Counter"),
        ("fr", "éteins toutes les lumières et fais une exception pour Kitchen Counter"),
        ("it", "spegni tutte le luci e fai un'eccezione per Kitchen Counter"),
        ("nl", "doe alle lampen uit en maak een uitzondering voor Kitchen Counter"),
        ("pl", "wyłącz wszystkie światła i zrób wyjątek dla Kitchen Counter"),
        ("pt", "apaga todas as luzes e faz uma exceção para Kitchen Counter"),
        ("sv", "släck alla lampor och gör ett undantag för Kitchen Counter"),
    ],
)
async def test_an_exception_that_is_to_be_made_is_no_second_command(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert {"light.kitchen_ceiling", "light.kitchen_pendant"} <= {*said.changes}
    assert "light.kitchen_counter" not in said.changes


@in_one_house(
    ("language", "text"),
    [
        ("en", "leave only the desk lamp on"),
        ("es", "deja solo Desk Lamp encendida"),
        ("it", "lascia accesa solo Desk Lamp"),
        ("pl", "zostaw włączoną tylko Desk Lamp"),
        ("pt", "deixa só Desk Lamp acesa"),
    ],
)
async def test_that_only_one_is_left_on_is_not_taken_for_that_all_stay(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Office")
    assert said.result.response.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH


@pytest.mark.parametrize("text", ["turn off everything but the kitchen"])
async def test_everything_but_a_room_is_the_house(speak: Setup, text: str) -> None:
    """Turn off the other rooms, and nothing in the one that is left out."""
    changes = (await (await speak()).say(text, area="Bedroom")).changes
    assert "light.desk_lamp" in changes
    assert "light.kitchen_ceiling" not in changes


TURNING_ON = [
    ("en", "turn on the lights", "the kitchen"),
    ("en", "lights on", "in the kitchen"),
    ("en", "set the lights to 20 percent", "the kitchen"),
    ("de", "mach die Lichter an", "in der Küche"),
    ("es", "enciende las luces", "Kitchen"),
    ("fr", "allume les lumières", "la cuisine"),
    ("it", "accendi le luci", "Kitchen"),
    ("nl", "doe de lampen aan", "Kitchen"),
    ("pl", "włącz światła", "Kitchen"),
    ("pt", "acende as luzes", "Kitchen"),
]
ALL_OF_A_KIND = [
    ("en", "turn on all the lights", True),
    ("en", "turn on the lights everywhere", True),
    ("en", "turn on the lights in the house", True),
    ("de", "mach alle Lichter an", True),
    ("es", "enciende todas las luces", True),
    ("fr", "allume toutes les lumières", True),
    ("it", "accendi tutte le luci", True),
    ("nl", "doe alle lampen aan", True),
    ("pl", "włącz wszystkie światła", True),
    ("pt", "acende todas as luzes", True),
    ("en", "close the blinds", False),
    ("en", "turn off the speakers", False),
    ("de", "mach die Rollos zu", False),
    ("es", "baja las persianas", False),
    ("fr", "ferme les volets", False),
    ("it", "chiudi le tapparelle", False),
    ("nl", "doe de rolgordijnen dicht", False),
    ("pl", "zamknij rolety", False),
    ("pt", "fecha os estores", False),
]


@in_one_house(("language", "text", "answer"), TURNING_ON)
async def test_the_lights_are_those_of_a_room_that_is_asked_for(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    """Turn nothing on where no room is said or known, and the lights of the room that the answer names."""
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert said.changes == {}
    assert "?" in said.reply
    speaker.calls.clear()
    await speaker.say(answer, language=language)
    targets = {each for call in speaker.calls for each in call["service_data"]["entity_id"]}
    assert targets == {"light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"}


@in_one_house(("language", "text", "acts"), ALL_OF_A_KIND)
async def test_all_of_a_kind_are_meant_only_where_that_is_said(
    speak: Setup, language: str, text: str, acts: bool
) -> None:
    """Act in several rooms after "all", and ask after a mere plural."""
    said = await (await speak()).say(text, language=language)
    assert bool(said.changes) is acts
    assert ("?" in said.reply) is not acts


async def test_the_lights_go_off_in_the_house_only_where_nobody_is_in_a_room_of_it(
    speak: Setup, hass: HomeAssistant
) -> None:
    """Ask whoever speaks to a device that is in no known room; a typed sentence is for the house."""
    device = dr.async_get(hass).async_get(voice_panel(hass, "Kitchen"))
    assert device
    dr.async_get(hass).async_update_device(device.id, area_id=None)
    said = await (await speak()).say("turn off the lights", area="Kitchen")
    assert said.changes == {}
    assert "?" in said.reply
    said = await (await speak()).say("turn off the lights")
    assert {"light.kitchen_ceiling", "light.desk_lamp"} <= {*said.changes}


@in_one_house("text", ["power everything down", "turn everything down"])
async def test_everything_is_not_all_that_can_be_heard(speak: Setup, text: str) -> None:
    """Change no volume where it is not said what of everything is to be less."""
    assert (await (await speak()).say(text)).changes == {}


@in_one_house(("language", "text"), [(language, text) for language, _, text in EVERYTHING])
async def test_what_is_at_work_stays_on_unless_it_is_named(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    state = hass.states.get("switch.washing_machine")
    assert state
    hass.states.async_set(state.entity_id, "on", state.attributes)
    said = await speaker.say(text, language=language)
    assert "light.desk_lamp" in said.changes
    assert state.entity_id not in said.changes
    assert "Washing Machine" in said.reply
    said = await speaker.say("turn off the washing machine")
    assert state.entity_id in said.changes


@in_one_house(
    ("text", "is_done"),
    [
        ("activate the party scene but leave the floor lamp as it is", False),
        ("turn on the party scene except for the floor lamp", False),
        ("turn on the party scene but not in the living room", False),
        ("movie night scene, but leave the floor lamp as it is", False),
        ("turn on the party scene except for the hallway ceiling", True),
    ],
)
async def test_a_scene_that_reaches_an_exception_is_left_with_the_reason(
    hass: HomeAssistant, speak: Setup, text: str, is_done: bool
) -> None:
    """It is not known what is in the scene of another integration."""
    states = {"light.floor_lamp": "off", "light.desk_lamp": "off"}
    await hass.services.async_call(
        "scene", "create", {"scene_id": "party", "entities": states}, blocking=True
    )
    hass.states.async_set("scene.party", "unknown", {"friendly_name": "Party"})
    async_expose_entity(hass, "conversation", "scene.party", should_expose=True)
    said = await (await speak()).say(text)
    assert ("light.desk_lamp" in said.changes) is is_done, said.reply
    assert ("may change what you want left as it is" in said.reply) is not is_done


async def test_a_group_is_turned_off_without_its_member_that_is_left_out(
    hass: HomeAssistant, speak: Setup
) -> None:
    lamps = ["light.desk_lamp", "light.kitchen_ceiling"]
    group = {"platform": "group", "name": "Pack", "entities": lamps}
    assert await async_setup_component(hass, "light", {"light": [group]})
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "light.pack", should_expose=True)
    said = await (await speak()).say("turn off the pack but leave the desk lamp on")
    assert "light.desk_lamp" not in said.changes, said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn off the desk lamp, dear machine"),
        ("de", "liebe Maschine, mach die Desk Lamp aus"),
        ("es", "apaga Desk Lamp, querida máquina"),
        ("fr", "éteins Desk Lamp, chère machine"),
        ("it", "spegni Desk Lamp, cara macchina"),
        ("nl", "doe Desk Lamp uit, lieve machine"),
        ("pl", "wyłącz Desk Lamp, droga maszyno"),
        ("pt", "desliga Desk Lamp, querida máquina"),
        ("sv", "släck Desk Lamp, kära maskin"),
    ],
)
async def test_whom_it_is_said_to_is_no_device(speak: Setup, language: str, text: str) -> None:
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {"light.desk_lamp"}, said.reply

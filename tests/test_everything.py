"""How far "everything" and "the lights" reach: a room, unless the whole house is said."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
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

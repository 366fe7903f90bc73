"""Things are found by the number in their name however it is said, and a door is asked for and opened by its name."""

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "numbered_house.yaml"
SECOND, DOOR = "light.plank_2", "lock.yard_door"

BY_NUMBER = [
    ("en", "turn off plank two"),
    ("en", "turn off the second plank lamp"),
    ("en", "turn off plank lamp number two"),
    ("de", "mach die zweite Plank Lamp aus"),
    ("de", "mach Plank Lamp Nummer zwei aus"),
    ("es", "apaga la segunda plank lamp"),
    ("fr", "éteins la deuxième plank lamp"),
    ("it", "spegni la seconda plank lamp"),
    ("nl", "doe de tweede plank lamp uit"),
    ("pl", "wyłącz plank lamp numer dwa"),
    ("pt", "apaga a plank dois"),
    ("sv", "släck plank lamp nummer två"),
]
OPENED = [
    ("en", "open the yard door"),
    ("de", "öffne Yard Door"),
    ("es", "abre Yard Door"),
    ("fr", "ouvre Yard Door"),
    ("it", "apri Yard Door"),
    ("nl", "open Yard Door"),
    ("pl", "otwórz Yard Door"),
    ("pt", "abre Yard Door"),
    ("sv", "öppna Yard Door"),
]
STATED = [
    ("en", "what's the state of the yard door?"),
    ("en", "yard door status please"),
    ("de", "wie steht es um Yard Door?"),
    ("es", "¿cuál es el estado de Yard Door?"),
    ("fr", "quel est l'état de Yard Door ?"),
    ("it", "com'è messa Yard Door?"),
    ("nl", "wat is de status van Yard Door?"),
    ("pl", "jaki jest stan Yard Door?"),
    ("pt", "como é que está Yard Door?"),
    ("sv", "vad är statusen för Yard Door?"),
]
LEFT_AS_IT_IS = ["open all doors", "open everything", "open the yard door a bit", "second lamp"]
OUT_THERE = [
    ("en", "switch the lights on out on the porch"),
    ("pt", "acende a luz lá fora no Porch"),
    ("es", "enciende la luz ahí fuera en Porch"),
    ("it", "accendi la luce là fuori in Porch"),
]


@in_one_house(("language", "text"), BY_NUMBER)
async def test_a_number_in_a_name_is_said_in_many_ways(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak(area="Studio")).say(text, language=language)
    assert [*said.changes] == [SECOND], said.reply


@in_one_house(("language", "text"), OPENED)
async def test_a_lock_is_opened_by_its_name(speak: Setup, language: str, text: str) -> None:
    said = await (await speak(area="Porch")).say(text, language=language)
    assert [*said.changes] == [DOOR], said.reply


@in_one_house(("language", "text"), STATED)
async def test_the_state_of_what_is_named_is_told(speak: Setup, language: str, text: str) -> None:
    said = await (await speak(area="Studio")).say(text, language=language)
    assert (said.changes, said.reply.count("Yard Door")) == ({}, 2), said.reply


@in_one_house("text", LEFT_AS_IT_IS)
async def test_nothing_is_opened_without_its_name(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    said = await (await speak(area="Studio")).say(text)
    assert DOOR not in said.changes, said.reply
    assert SECOND not in said.changes, said.reply


@in_one_house(("language", "text"), OUT_THERE)
async def test_out_there_is_where_it_is(speak: Setup, language: str, text: str) -> None:
    said = await (await speak(area="Studio")).say(text, language=language)
    assert [*said.changes] == ["light.porch"], said.reply


async def test_all_the_letters_of_a_name_are_the_name(speak: Setup) -> None:
    speaker = await speak(area="Studio")
    said = await speaker.say("turn off the tea maker")
    assert [*said.changes] == ["switch.teamaker"], said.reply

"""What light is for is no lamp that is called like it: "light for reading" is not the reading lamp."""

from tests.conftest import Setup
from tests.one_house import in_one_house

FOR_READING = [
    ("en", "turn on the light for reading"),
    ("en", "I want light for reading"),
    ("de", "mach Licht zum Lesen"),
    ("es", "enciende la luz para leer"),
    ("fr", "allume la lumière pour lire"),
    ("it", "accendi la luce per leggere"),
    ("pl", "zapal światło do czytania"),
    ("pt", "acende a luz para ler"),
]
# Moods that only tell what the command beside them is wanted for.
TO_SLEEP = [
    ("en", "turn off the light, I want to sleep"),
    ("de", "mach das Licht aus, ich will schlafen"),
    ("es", "apaga la luz que quiero dormir"),
    ("fr", "je veux dormir, éteins la lumière"),
    ("fr", "éteins la lumière, je veux dormir"),
    ("it", "spegni la luce, voglio dormire"),
    ("nl", "doe het licht uit, ik wil slapen"),
    ("pl", "zgaś światło, chcę spać"),
    ("pt", "apaga a luz, quero dormir"),
    ("sv", "släck ljuset, jag vill sova"),
]


@in_one_house(("language", "text"), FOR_READING)
async def test_what_light_is_for_is_no_lamp(speak: Setup, language: str, text: str) -> None:
    """Do nothing, where no scene is for that."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert (said.calls, said.changes) == ([], {}), said.reply


async def test_the_lamp_is_meant_by_its_name(speak: Setup) -> None:
    """Turn on the reading lamp where its name is said."""
    said = await (await speak()).say("turn on the reading lamp", area="Living Room")
    assert [call["service"] for call in said.calls] == ["turn_on"]


@in_one_house(("language", "text"), TO_SLEEP)
async def test_what_a_command_is_wanted_for_starts_no_scene(
    speak: Setup, language: str, text: str
) -> None:
    """Turn off the lights of the room, and start no scene that would change others."""
    said = await (await speak()).say(text, language=language, area="Bedroom")
    assert {*said.changes} == {"light.left_bedside_lamp"}, said.reply


async def test_a_mood_joined_to_a_command_is_a_wish(speak: Setup) -> None:
    """Start the scene that is asked for beside the blinds."""
    said = await (await speak()).say("close the blinds and movie night", area="Living Room")
    assert [call["service"] for call in said.calls][:2] == ["close_cover", "turn_on"]

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


@in_one_house(("language", "text"), FOR_READING)
async def test_what_light_is_for_is_no_lamp(speak: Setup, language: str, text: str) -> None:
    """Do nothing, where no scene is for that."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert (said.calls, said.changes) == ([], {}), said.reply


async def test_the_lamp_is_meant_by_its_name(speak: Setup) -> None:
    """Turn on the reading lamp where its name is said."""
    said = await (await speak()).say("turn on the reading lamp", area="Living Room")
    assert [call["service"] for call in said.calls] == ["turn_on"]

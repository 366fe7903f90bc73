"""A share of what was said just now is one of how things are, and not of all that they can: "half of that"."""

from tests.conftest import Setup
from tests.one_house import in_one_house

NAME = "Kitchen Pendant"
# Language, what sets the lamp, what is said then, and the percentage after it.
SHARES = [
    ("en", f"set {NAME} to 60%", "oh, half of that", 30),
    ("en", f"dim {NAME} to 80 percent", "make it half that", 40),
    ("en", f"set {NAME} to 60%", "no, half", 50),
    ("de", f"{NAME} auf 60 Prozent", "die Hälfte davon genügt", 30),
    ("de", f"stell {NAME} auf 80 Prozent", "bitte die Hälfte davon", 40),
    ("es", f"pon {NAME} al 60 %", "la mitad de eso, por favor", 30),
    ("fr", f"règle {NAME} à 60 %", "plutôt la moitié de ça", 30),
    ("it", f"metti {NAME} al 60%", "la metà di quello", 30),
    ("nl", f"zet {NAME} op 60%", "doe maar de helft daarvan", 30),
    ("pl", f"ustaw {NAME} na 60%", "wystarczy połowa tego", 30),
    ("pt", f"põe {NAME} a 60%", "só metade disso", 30),
    ("sv", f"sätt {NAME} på 60 procent", "hälften av det", 30),
]


@in_one_house(("language", "text", "then", "percent"), SHARES)
async def test_a_share_is_of_what_was_set(
    speak: Setup, language: str, text: str, then: str, percent: int
) -> None:
    speaker = await speak()
    await speaker.say(text, language=language)
    said = await speaker.say(then, language=language)
    assert [call["service_data"].get("brightness_pct") for call in said.calls] == [percent], (
        said.reply
    )

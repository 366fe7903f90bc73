"""Questions about states are answered from whatever can be in them: what is open, low, warmest, and since when."""

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "home_states.yaml"

ASKED = [
    ("en", "is anything open?", "Yes: Living Room Blinds."),
    ("en", "what is open?", "Living Room Blinds."),
    ("en", "is everything locked?", "No: Patio Door."),
    ("en", "are any batteries running low?", "Remote Battery."),
    ("en", "how many watts is the washing machine drawing?", "Washing Machine Power: 1200 W."),
    ("en", "how full is the remote battery?", "Remote Battery: 8%."),
    ("en", "is Rosie cleaning?", "No."),
    ("en", "what is the warmest room?", "Bathroom: 23 °C."),
    ("en", "where is it coldest?", "Living Room: 20.5 °C."),
    (
        "en",
        "is it warmer in the bathroom than in the living room?",
        "Yes. Bathroom: 23 °C and Living Room: 20.5 °C.",
    ),
    (
        "en",
        "how much warmer is the bathroom than the living room?",
        "2.5 °C. Bathroom: 23 °C and Living Room: 20.5 °C.",
    ),
    # Of a door with nothing but a lock nothing else is known.
    ("en", "is the shed door still open?", "Shed Door: locked."),
    ("de", "ist irgendwas offen?", "Ja: Living Room Blinds."),
    ("de", "ist alles abgeschlossen?", "Nein: Patio Door."),
    ("de", "welche Batterien sind schwach?", "Remote Battery."),
    ("de", "welches Zimmer ist am wärmsten?", "Bathroom: 23 °C."),
    ("es", "¿hay algo abierto?", "Sí: Living Room Blinds."),
    ("es", "¿qué pilas están bajas?", "Remote Battery."),
    ("es", "¿qué habitación es la más caliente?", "Bathroom: 23 °C."),
    ("fr", "est-ce que tout est verrouillé ?", "Non : Patio Door."),
    ("fr", "quelles piles sont faibles ?", "Remote Battery."),
    ("fr", "quelle est la pièce la plus chaude ?", "Bathroom: 23 °C."),
    ("it", "c'è qualcosa di aperto?", "Sì: Living Room Blinds."),
    ("it", "quali batterie sono scariche?", "Remote Battery."),
    ("it", "qual è la stanza più calda?", "Bathroom: 23 °C."),
    ("nl", "is alles op slot?", "Nee: Patio Door."),
    ("nl", "welke batterijen zijn bijna leeg?", "Remote Battery."),
    ("nl", "welke kamer is het warmst?", "Bathroom: 23 °C."),
    ("pl", "czy coś jest otwarte?", "Tak: Living Room Blinds."),
    ("pl", "które baterie są słabe?", "Remote Battery."),
    ("pl", "gdzie jest najcieplej?", "Bathroom: 23 °C."),
    ("pt", "está alguma coisa aberta?", "Sim: Living Room Blinds."),
    ("pt", "que pilhas estão fracas?", "Remote Battery."),
    ("pt", "qual é a divisão mais quente?", "Bathroom: 23 °C."),
    ("sv", "vilka batterier är svaga?", "Remote Battery."),
    ("sv", "var är det varmast?", "Bathroom: 23 °C."),
]
SINCE = [
    ("en", "how long has the patio door been unlocked?"),
    ("en", "when was the patio door unlocked?"),
    ("de", "seit wann ist Patio Door offen?"),
]


@in_one_house(("language", "text", "reply"), ASKED)
async def test_states_are_told_as_they_are(
    speak: Setup, language: str, text: str, reply: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert (said.reply, said.calls) == (reply, [])


@in_one_house(("language", "text"), SINCE)
async def test_it_is_told_for_how_long(speak: Setup, language: str, text: str) -> None:
    said = await (await speak()).say(text, language=language)
    assert said.reply.startswith("Patio Door: ")
    assert said.calls == []

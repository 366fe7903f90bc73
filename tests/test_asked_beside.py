"""Two questions in one sentence: with a capable model none is dropped because the other one is read."""

from homeassistant.core import HomeAssistant

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house

# One of which no reading says anything.
BOTH = [
    ("en", "which room is the coldest at the moment and does anything heat it"),
    ("en", "is it warmer in the office than in the kitchen, and how come"),
    ("en", "how warm is it in the bedroom and why is it so chilly"),
    ("en", "which lights are on and does anybody need them"),
    ("de", "welcher Raum ist am kältesten und wird da irgendwas geheizt"),
    ("es", "cuál es la habitación más fría y hay algo que la caliente"),
    ("fr", "quelle est la pièce la plus froide et est-ce que quelque chose la chauffe"),
    ("it", "qual è la stanza più fredda e c'è qualcosa che la scalda"),
    ("nl", "welke kamer is het koudst en is er iets dat hem verwarmt"),
    ("pl", "który pokój jest najzimniejszy i czy coś go ogrzewa"),
    ("pt", "qual é a divisão mais fria e há alguma coisa a aquecê-la"),
    ("sv", "vilket rum är kallast och är det något som värmer det"),
]
# What is read as a whole.
ONE = [
    ("en", "which room is the coldest"),
    ("en", "are the lights on in the kitchen"),
    ("de", "welcher Raum ist am kältesten"),
    ("fr", "quelle est la pièce la plus froide"),
    ("es", "cuál es la habitación más fría"),
    ("en", "is it warmer in the office or in the kitchen"),
]


@in_one_house(("language", "text"), BOTH)
async def test_the_whole_sentence_is_for_the_model(speak: Setup, language: str, text: str) -> None:
    speaker = await speak(brain(question="Which of it?"), contract="capable")
    said = await speaker.say(text, language=language)
    assert (said.reply, said.calls) == ("Which of it?", [])
    assert speaker.model
    [asked] = speaker.model.requests
    assert asked.messages[-1].content.splitlines()[-1] == text


@in_one_house(("language", "text"), ONE)
async def test_one_question_that_is_read_takes_no_model(
    speak: Setup, language: str, text: str
) -> None:
    speaker = await speak(brain(question="Which of it?"), contract="capable")
    await speaker.say(text, language=language)
    assert speaker.model
    assert not speaker.model.requests


ALSO_ASKED = [
    ("en", "turn off the desk lamp and tell me if the bedroom window is open", "Yes.", "No."),
    ("en", "let me know if the bedroom window is open and turn off the desk lamp", "Yes.", "No."),
    ("es", "apaga Desk Lamp y dime si Bedroom Window está abierta", "Sí.", "No."),
    ("fr", "éteins Desk Lamp et dis-moi si Bedroom Window est ouverte", "Oui.", "Non."),
    ("it", "spegni Desk Lamp e dimmi se Bedroom Window è aperta", "Sì.", "No."),
    ("pt", "desliga Desk Lamp e diz-me se Bedroom Window está aberta", "Sim.", "Não."),
]


@in_one_house(("language", "text", "yes", "no"), ALSO_ASKED)
async def test_what_is_only_asked_is_no_condition_of_what_is_done(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, yes: str, no: str
) -> None:
    speaker = await speak()
    window = hass.states.get("binary_sensor.bedroom_window")
    assert window
    for state, answer in (("on", yes), ("off", no)):
        hass.states.async_set(window.entity_id, state, window.attributes)
        await speaker.say("turn on the desk lamp")
        said = await speaker.say(text, language=language)
        assert {*said.changes} == {"light.desk_lamp"}, said.reply
        assert answer in said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the floor lamp and tell me how warm it is in the bedroom"),
        ("de", "schalte die Floor Lamp ein und sag mir wie warm es im Schlafzimmer ist"),
        ("es", "enciende Floor Lamp y dime qué temperatura hay en Bedroom"),
        ("fr", "allume Floor Lamp et dis-moi quelle température il fait dans Bedroom"),
        ("it", "accendi Floor Lamp e dimmi quanti gradi ci sono in Bedroom"),
        ("nl", "zet de Floor Lamp aan en vertel hoe warm het is in Bedroom"),
        ("pl", "włącz Floor Lamp i powiedz ile jest stopni w Bedroom"),
        ("pt", "liga Floor Lamp e diz-me quantos graus estão no Bedroom"),
        ("sv", "tänd Floor Lamp och säg hur varmt det är i Bedroom"),
    ],
)
async def test_a_command_is_done_and_the_question_beside_it_answered(
    speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert "light.floor_lamp" in said.changes
    assert "°C" in said.reply

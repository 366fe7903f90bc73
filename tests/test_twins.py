"""Of several things of one name the verb, the state asked for, the noun or the room tells which is meant."""

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "twins.yaml"
# A lock, a cover and a switch, each with a sensor of its name.
MEANT = [
    ("en", "unlock the garden door", "lock.garden_door"),
    ("de", "schließ die Gartentür auf", "lock.garden_door"),
    ("en", "open the skylight", "cover.skylight"),
    ("de", "mach das Oberlicht auf", "cover.skylight"),
    ("es", "abre el tragaluz", "cover.skylight"),
    ("fr", "ouvre le puits de lumière", "cover.skylight"),
    ("it", "apri l'abbaino", "cover.skylight"),
    ("nl", "doe het dakluik open", "cover.skylight"),
    ("pl", "otwórz świetlik", "cover.skylight"),
    ("pt", "abre a claraboia", "cover.skylight"),
    ("sv", "öppna takfönstret", "cover.skylight"),
    ("en", "turn on the kettle", "switch.kettle"),
    ("de", "schalt den Wasserkocher ein", "switch.kettle"),
    ("es", "enciende el hervidor", "switch.kettle"),
    ("fr", "allume la bouilloire", "switch.kettle"),
    ("it", "accendi il bollitore", "switch.kettle"),
    ("nl", "zet de waterkoker aan", "switch.kettle"),
    ("pl", "włącz czajnik", "switch.kettle"),
    ("pt", "liga a chaleira", "switch.kettle"),
    ("sv", "slå på vattenkokaren", "switch.kettle"),
    ("en", "turn off the stage light", "light.stage"),
    ("en", "turn off the stage speaker", "media_player.stage"),
    ("en", "pause the stage", "media_player.stage"),
    ("en", "dim the stage to 20 percent", "light.stage"),
    ("en", "turn off the reading corner in the hall", "light.reading_corner"),
]
ASKED = [
    ("en", "is the garden door locked?", "Yes."),
    ("en", "is the garden door closed", "Yes."),
    ("de", "ist die Gartentür zu?", "Ja."),
    ("sv", "är altandörren låst?", "Ja."),
    ("en", "is the skylight open?", "No."),
    ("en", "is the skylight closed", "Yes."),
    ("de", "ist das Oberlicht offen?", "Nein."),
    ("es", "¿está abierto el tragaluz?", "No."),
    ("fr", "est-ce que le puits de lumière est ouvert ?", "Non."),
    ("it", "l'abbaino è aperto?", "No."),
    ("nl", "staat het dakluik open?", "Nee."),
    ("pl", "czy świetlik jest otwarty?", "Nie."),
    ("pt", "a claraboia está aberta?", "Não."),
    ("sv", "är takfönstret öppet?", "Nej."),
    ("en", "is the kettle on?", "No."),
    ("en", "how much power is the kettle using?", "Kettle: 900 W."),
    ("en", "how much power does the kettle use", "Kettle: 900 W."),
    ("en", "what's the power draw of the kettle", "Kettle: 900 W."),
    ("de", "was verbraucht der Wasserkocher gerade?", "Kettle: 900 W."),
    ("es", "¿cuánto consume el hervidor?", "Kettle: 900 W."),
    ("fr", "quelle est la puissance de la bouilloire ?", "Kettle: 900 W."),
    ("it", "quanto consuma il bollitore?", "Kettle: 900 W."),
    ("nl", "hoeveel stroom gebruikt de waterkoker?", "Kettle: 900 W."),
    ("pl", "ile zużywa czajnik?", "Kettle: 900 W."),
    ("pt", "quanto consome a chaleira?", "Kettle: 900 W."),
    ("sv", "hur mycket ström drar vattenkokaren?", "Kettle: 900 W."),
    ("en", "is the reading corner on?", "Hall: on and Loft: off."),
]
_LIGHT, _SPEAKER = "light.stage", "media_player.stage"
ONE_OF_TWO = [
    ("en", "turn off the stage", "The light or the speaker?", ("the light", {_LIGHT})),
    ("en", "turn off the stage", "The light or the speaker?", ("the music", {_SPEAKER})),
    ("en", "turn off the stage", "The light or the speaker?", ("both", {_LIGHT, _SPEAKER})),
    ("de", "mach die Stage aus", "Leuchte oder Lautsprecher?", ("den Lautsprecher", {_SPEAKER})),
    ("de", "mach die Stage aus", "Leuchte oder Lautsprecher?", ("das Licht", {_LIGHT})),
    ("es", "apaga stage", "¿Luz o altavoz?", ("la luz", {_LIGHT})),
    ("fr", "éteins stage", "Lumière ou haut-parleur ?", ("la lumière", {_LIGHT})),
    ("it", "spegni stage", "Luce o altoparlante?", ("la luce", {_LIGHT})),
    ("nl", "zet stage uit", "Licht of speaker?", ("de lamp", {_LIGHT})),
    ("pl", "wyłącz stage", "Światło czy głośnik?", ("światło", {_LIGHT})),
    ("pt", "desliga stage", "Luz ou coluna?", ("a luz", {_LIGHT})),
    ("sv", "stäng av stage", "Lampa eller högtalare?", ("lampan", {_LIGHT})),
]


@in_one_house(("language", "text", "meant"), MEANT)
async def test_the_one_that_can_do_it_is_meant(
    speak: Setup, language: str, text: str, meant: str
) -> None:
    """Do it with the thing that the verb, the noun or the room is for, and with no other."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {meant}


@in_one_house(("language", "text", "answer"), ASKED)
async def test_those_that_can_be_in_a_state_tell_of_it(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    """Answer from what can be in the state that is asked for."""
    said = await (await speak()).say(text, language=language)
    assert (said.reply, said.changes) == (answer, {})


@in_one_house("area", ["Hall", "Loft"])
async def test_the_namesake_of_the_room_is_meant(speak: Setup, area: str) -> None:
    """Answer for the one of two lamps of a name that is where the question is asked."""
    said = await (await speak()).say("is the reading corner on?", area=area)
    assert said.reply == {"Hall": "Yes.", "Loft": "No."}[area]


@in_one_house(("language", "text", "question", "answer"), ONE_OF_TWO)
async def test_which_of_two_kinds_is_asked(
    speak: Setup, language: str, text: str, question: str, answer: tuple[str, set[str]]
) -> None:
    """Ask which of a lamp and a speaker of one name is to be turned off, and turn off that one."""
    speaker = await speak()
    asked = await speaker.say(text, language=language)
    assert (asked.reply, asked.changes) == (question, {})
    chosen, meant = answer
    said = await speaker.say(chosen, language=language)
    assert {*said.changes} == meant


async def test_what_each_would_do_otherwise_is_not_done(speak: Setup) -> None:
    """Change nothing after words that are for the brightness of one and for the loudness of the other."""
    for text in ("turn up the stage", "turn down the stage"):
        assert (await (await speak()).say(text)).changes == {}


@in_one_house("area", [None, "Workshop"])
async def test_which_of_two_lamps_of_a_name_is_asked(speak: Setup, area: str | None) -> None:
    """Ask by room which of two lamps is meant, from a room that has neither, and turn off that one."""
    speaker = await speak()
    asked = await speaker.say("turn off the reading corner", area=area)
    assert (asked.reply, asked.changes) == (
        "The Reading Corner in the Hall or the one in the Loft?",
        {},
    )
    said = await speaker.say("the one in the hall", area=area)
    assert {*said.changes} == {"light.reading_corner"}


async def test_a_lamp_and_a_speaker_that_differ_are_told_apart(speak: Setup) -> None:
    """Tell the state of each where one of two things of a name is on."""
    speaker = await speak()
    await speaker.say("turn off the stage light")
    assert (await speaker.say("is the stage on?")).reply == "Light: off and speaker: playing."

"""Music that is moved to another player of one system of groups: one sentence tells where it goes on."""

from homeassistant.core import HomeAssistant

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house

MOVED = [
    ("en", "let me hear this in the bedroom from now on", "Moved the music to Bedroom Speaker."),
    ("de", "ich gehe rüber ins Schlafzimmer, nimm das mit", "Die Musik läuft jetzt auf Bedroom"),
    ("es", "que siga esto donde está Bedroom Speaker", "He pasado la música a Bedroom Speaker."),
    (
        "fr",
        "je vais là où il y a Bedroom Speaker avec ça",
        "J'ai transféré la musique sur Bedroom Speaker.",
    ),
    (
        "it",
        "voglio sentirla di là dal Bedroom Speaker",
        "Ho spostato la musica su Bedroom Speaker.",
    ),
    ("nl", "ik wil dit verder op Bedroom Speaker horen", "De muziek speelt nu op Bedroom Speaker."),
    ("pl", "chcę tego słuchać dalej z Bedroom Speaker", "Muzyka gra teraz tutaj: Bedroom Speaker."),
    (
        "pt",
        "quero continuar a ouvir isto no Bedroom Speaker",
        "Passei a música para Bedroom Speaker.",
    ),
    ("sv", "Bedroom Speaker ska ta över det här nu", "Flyttade musiken till Bedroom Speaker."),
]


@in_one_house(("language", "text", "told"), MOVED)
async def test_it_is_told_where_the_music_goes_on(
    hass: HomeAssistant, speak: Setup, language: str, text: str, told: str
) -> None:
    move = {"action": "transfer", "targets": ["Bedroom Speaker"]}
    model = brain(("music", "transfer the music to Bedroom Speaker"), steps=[move])
    speaker = await speak(model, contract="capable")
    await speaker.say("play jazz in the kitchen")
    said = await speaker.say(text, language=language, area="Kitchen")
    assert said.reply.startswith(told)
    assert said.reply.count("Speaker") == 1, "the player that it left is told by nothing"
    assert hass.states.is_state("media_player.bedroom_speaker", "playing")
    assert hass.states.is_state("media_player.kitchen_speaker", "idle")

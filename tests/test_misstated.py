"""A model tells no state of a thing that is named and shows another one: what it shows is told in its place."""

import pytest

from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house

# The front door is locked, the bedside lamp on, and the window open.
UNTRUE = [
    ("en", "The Front Door is unlocked."),
    ("en", "The Left Bedside Lamp is off."),
    ("en", "The Bedroom Window is closed."),
    ("de", "Die Front Door ist aufgeschlossen."),
    ("de", "Left Bedside Lamp ist aus."),
    ("de", "Das Bedroom Window ist geschlossen."),
    ("es", "La Front Door está desbloqueada."),
    ("es", "Left Bedside Lamp está apagada."),
    ("es", "La Bedroom Window está cerrada."),
    ("fr", "La Front Door est déverrouillée."),
    ("fr", "Left Bedside Lamp est éteinte."),
    ("fr", "La Bedroom Window est fermée."),
    ("it", "La Front Door è sbloccata."),
    ("it", "Left Bedside Lamp è spenta."),
    ("it", "La Bedroom Window è chiusa."),
    ("nl", "De Front Door is van het slot."),
    ("nl", "Left Bedside Lamp is uit."),
    ("nl", "Het Bedroom Window is dicht."),
    ("pl", "Front Door są odblokowane."),
    ("pl", "Left Bedside Lamp jest wyłączona."),
    ("pl", "Bedroom Window jest zamknięte."),
    ("pt", "A Front Door está destrancada."),
    ("pt", "Left Bedside Lamp está apagada."),
    ("pt", "A Bedroom Window está fechada."),
    ("sv", "Front Door är olåst."),
    ("sv", "Left Bedside Lamp är släckt."),
    ("sv", "Bedroom Window är stängt."),
]
DENIED = [
    ("en", "The Front Door isn't locked."),
    ("en", "The Bedroom Window is not open."),
    ("de", "Die Front Door ist nicht abgeschlossen."),
    ("es", "La Front Door no está bloqueada."),
    ("fr", "La Front Door n'est pas verrouillée."),
    ("it", "La Bedroom Window non è aperta."),
    ("nl", "Het Bedroom Window is niet open."),
    ("pl", "Bedroom Window nie jest otwarte."),
    ("pt", "A Bedroom Window não está aberta."),
    ("sv", "Bedroom Window är inte öppet."),
]
# True, of a time to come or to be, or of no state.
TRUE = [
    ("en", "The Front Door is locked."),
    ("en", "The Front Door isn't unlocked."),
    ("en", "It is cold because the Bedroom Window is open."),
    ("en", "If the Bedroom Window is closed it gets warmer."),
    ("en", "Keep the Bedroom Window closed."),
    ("en", "Left Bedside Lamp is on, and the Right Bedside Lamp is off."),
    ("en", "Is the Bedroom Window closed?"),
    ("de", "Es ist kalt, weil das Bedroom Window offen ist."),
    ("de", "Wenn das Bedroom Window geschlossen ist, wird es wärmer."),
    ("es", "La Front Door está bloqueada."),
    ("fr", "La Bedroom Window est ouverte."),
    ("it", "La Bedroom Window è aperta."),
    ("nl", "De Front Door is op slot."),
    ("pl", "Bedroom Window jest otwarte."),
    ("pt", "A Front Door está trancada."),
    ("sv", "Front Door är låst."),
]
ODD = {
    "en": "is anything in here odd",
    "de": "ist hier irgendwas komisch",
    "es": "¿hay algo raro por aquí?",
    "fr": "est-ce qu'il y a quelque chose de bizarre ici",
    "it": "c'è qualcosa di strano qui",
    "nl": "is er hier iets vreemds",
    "pl": "czy coś tu jest dziwnego",
    "pt": "há alguma coisa estranha aqui",
    "sv": "är det något konstigt här",
}


@in_one_house(("language", "untrue"), UNTRUE)
async def test_an_untrue_state_is_not_told(speak: Setup, language: str, untrue: str) -> None:
    speaker = await speak(brain(("home", ODD[language]), told=untrue), contract="capable")
    said = await speaker.say(ODD[language], language=language, area="Bedroom")
    name = next(
        each for each in ("Front Door", "Left Bedside Lamp", "Bedroom Window") if each in untrue
    )
    assert said.reply.startswith(f"{name}: "), said.reply
    assert not said.calls


@in_one_house(("language", "untrue"), DENIED)
async def test_nor_is_a_true_one_denied(speak: Setup, language: str, untrue: str) -> None:
    speaker = await speak(brain(("home", ODD[language]), told=untrue), contract="capable")
    said = await speaker.say(ODD[language], language=language, area="Bedroom")
    assert ": " in said.reply
    assert untrue not in said.reply


@in_one_house(("language", "told"), TRUE)
async def test_what_is_so_is_told(speak: Setup, language: str, told: str) -> None:
    speaker = await speak(brain(("home", ODD[language]), told=told), contract="capable")
    said = await speaker.say(ODD[language], language=language, area="Bedroom")
    assert said.reply == told


async def test_what_follows_from_it_is_not_said(speak: Setup) -> None:
    told = "It is 19.0 °C. The Bedroom Window is closed. So it must be the heating."
    speaker = await speak(brain(("home", ODD["en"]), told=told), contract="capable")
    said = await speaker.say(ODD["en"], area="Bedroom")
    assert said.reply == "It is 19.0 °C. Bedroom Window: open."


@pytest.mark.parametrize(
    "reason", ["Left Bedside Lamp is off already.", "The Front Door is unlocked."]
)
async def test_nor_is_an_untrue_reason_given(speak: Setup, reason: str) -> None:
    model = brain(("light", "something fitting with the left bedside lamp"), nothing=reason)
    speaker = await speak(model, contract="capable")
    said = await speaker.say("something fitting with the left bedside lamp please")
    assert reason not in said.reply
    assert ": " in said.reply

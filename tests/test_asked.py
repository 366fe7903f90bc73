"""No answer stands on what is not there, and each question is answered from what can tell."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.asked_house import put_people
from tests.conftest import Setup
from tests.one_house import in_one_house


@pytest.fixture
async def house(hass: HomeAssistant, house: ConfigEntry) -> ConfigEntry:
    """Return the entry of the demo house, with people and a contact beside a lock in it."""
    put_people(hass)
    return house


ANSWERED = [
    # Windows that are known by contacts only.
    ("are any windows open?", "en", "Yes: Bedroom Window."),
    ("are all the windows closed?", "en", "No: Bedroom Window."),
    ("sind gerade Fenster offen?", "de", "Ja: Bedroom Window."),
    ("ist noch irgendein Fenster auf?", "de", "Ja: Bedroom Window."),
    ("¿hay alguna ventana abierta?", "es", "Sí: Bedroom Window."),
    ("il y a encore des fenêtres ouvertes ?", "fr", "Oui : Bedroom Window."),
    ("c'è qualche finestra aperta?", "it", "Sì: Bedroom Window."),
    ("zijn er ramen open?", "nl", "Ja: Bedroom Window."),
    ("czy są otwarte okna?", "pl", "Tak: Bedroom Window."),
    ("há janelas abertas?", "pt", "Sim: Bedroom Window."),
    # A lock and a contact of one name, asked about from another room.
    ("is the front door locked right now?", "en", "Yes."),
    ("is the front door unlocked?", "en", "No."),
    ("is the front door open?", "en", "No."),
    ("ist die Front Door abgeschlossen?", "de", "Ja."),
    ("¿está cerrada con llave la Front Door?", "es", "Sí."),
    ("est-ce que la Front Door est verrouillée", "fr", "Oui."),
    ("is de Front Door op slot?", "nl", "Ja."),
    ("czy Front Door jest zamknięta na klucz", "pl", "Tak."),
    ("a Front Door está trancada?", "pt", "Sim."),
    # Where somebody is, in words.
    ("where is Olga?", "en", "Olga is away."),
    ("wo ist Olga?", "de", "Olga ist unterwegs."),
    ("dónde está Olga", "es", "Olga está fuera."),
    ("où est Olga", "fr", "Olga est en déplacement."),
    ("dov'è Olga", "it", "Olga è fuori casa."),
    ("waar is Olga", "nl", "Olga is niet thuis."),
    ("gdzie jest Olga", "pl", "Olga jest poza domem."),
    ("onde está a Olga", "pt", "Olga está fora."),
    ("where is Pete", "en", "Pete is at home."),
    ("dov'è Rosa", "it", "Rosa è qui: Bakery."),
    # Who is at home, in the words of each language.
    ("who is at home right now", "en", "Pete."),
    ("wer ist zuhause", "de", "Pete."),
    ("ist Olga zu Hause", "de", "Nein."),
    ("quién está en casa", "es", "Pete."),
    ("qui est à la maison", "fr", "Pete."),
    ("chi c'è a casa", "it", "Pete."),
    ("is iedereen thuis", "nl", "Nee: Olga en Rosa."),
    ("quem está em casa", "pt", "Pete."),
    ("who is at the Bakery", "en", "Rosa"),
]

UNKNOWN = [
    # What Home Assistant takes for a zone.
    ("who is the queen of the bees", "en", "Sorry, I couldn't understand that"),
    ("wer ist der Erfinder des Telefons", "de", "Entschuldigung, das habe ich nicht verstanden"),
    ("quién está en el gobierno", "es", "Lo siento, no he entendido"),
    ("qui est l'inventeur du téléphone", "fr", "Désolé, je n'ai pas compris"),
    ("chi c'è nel governo", "it", "Mi dispiace, non ho capito"),
    ("wie is de uitvinder van de telefoon", "nl", "Sorry, ik snap het niet"),
    ("czy jest ktoś w rządzie", "pl", "Wybacz, niestety nie mogę tego zrozumieć"),
    ("quem está no governo", "pt", "Desculpe, não percebi o pedido."),
    # Nothing tells whether somebody is there.
    ("is somebody waiting at the door?", "en", "Sorry, I couldn't understand that"),
]


@in_one_house(("text", "language", "reply"), ANSWERED + UNKNOWN)
async def test_no_answer_stands_on_an_empty_match(
    speak: Setup, text: str, language: str, reply: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Kitchen")
    told = said.reply[: len(reply)] if (text, language, reply) in UNKNOWN else said.reply
    assert (told, said.changes) == (reply, {})


@pytest.mark.parametrize(
    "text", ["is the front door unlocked?", "is the front door locked right now?"]
)
async def test_what_shows_nothing_is_not_known(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    hass.states.async_set("lock.front_door", "unavailable", {"friendly_name": "Front Door"})
    speaker = await speak()
    said = await speaker.say(text, area="Kitchen")
    assert said.reply == "I don't know."

"""Questions in the order of statements, of persons and of power; what a question goes on with; what conditions see."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.asked_house import put
from tests.conftest import Setup
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

HERE = Path(__file__).parent
ASKED = [
    # A state that is asked for in the order of a statement.
    ("es", "la puerta principal está cerrada con llave", "Sí."),
    ("fr", "la porte d'entrée est bien verrouillée", "Oui."),
    ("it", "la porta sul retro è chiusa a chiave", "No."),
    ("pl", "tylne drzwi są zamknięte na klucz", "Nie."),
    ("pt", "a porta das traseiras está bem trancada", "Não."),
    ("it", "la finestra della cucina è aperta, vero?", "Sì."),
    ("pl", "okno w łazience otwarte?", "Nie."),
    ("es", "el lavavajillas está encendido o apagado", "Dishwasher: encendid"),
    # What is open in part is open; of a door with nothing but a lock nothing else is known.
    ("en", "what is open", "Kitchen Window and Hall Blinds."),
    ("en", "is the front door still open?", "Front Door: locked."),
    ("fr", "y a-t-il des stores vénitiens ouverts ?", "Oui, Hall Blinds"),
    # One of all rooms.
    ("en", "is some window open", "Yes: Kitchen Window."),
    ("de", "ist irgendein Fenster offen", "Ja: Kitchen Window."),
    ("es", "¿hay alguna ventana abierta?", "Sí: Kitchen Window."),
    ("fr", "est-ce qu'il y a une fenêtre ouverte ?", "Oui : Kitchen Window."),
    ("it", "c'è qualche finestra ancora aperta?", "Sì: Kitchen Window."),
    ("nl", "staat er een raam open?", "Ja: Kitchen Window."),
    ("pl", "czy jakieś okno jest otwarte", "Tak: Kitchen Window."),
    ("pt", "há alguma janela aberta?", "Sim: Kitchen Window."),
    ("sv", "är något fönster öppet", "Ja: Kitchen Window."),
    # What is compared, with the words of "warmer" and "more".
    ("pl", "zimniej jest w sypialni czy w łazience", "Bedroom: 18,5 °C."),
    ("pt", "faz mais calor no quarto do que na cozinha?", "Não."),
    ("en", "what uses more power, the dishwasher or the kettle", "Dishwasher Power: 1340 W."),
    (
        "de",
        "was zieht mehr Strom, die Spülmaschine oder der Wasserkocher",
        "Dishwasher Power: 1340 W.",
    ),
    ("es", "qué gasta más, el hervidor o el lavavajillas", "Dishwasher Power: 1340 W."),
    (
        "fr",
        "qu'est-ce qui consomme le plus, la bouilloire ou le lave-vaisselle",
        "Dishwasher Power: 1340 W.",
    ),
    ("it", "consuma di più il bollitore o la lavastoviglie", "Dishwasher Power: 1340 W."),
    ("nl", "wat verbruikt het meest, de waterkoker of de vaatwasser", "Dishwasher Power: 1340 W."),
    ("pl", "co pobiera więcej prądu, czajnik czy zmywarka", "Dishwasher Power: 1340 W."),
    ("pt", "o que consome mais, a chaleira ou a máquina da loiça", "Dishwasher Power: 1340 W."),
    ("sv", "vad drar mest ström, vattenkokaren eller diskmaskinen", "Dishwasher Power: 1340 W."),
    ("en", "which battery is the lowest", "Remote Battery: 7%."),
    ("de", "welche Batterie ist am leersten", "Remote Battery: 7 %."),
    ("es", "qué batería está más baja", "Remote Battery: 7 %."),
    ("fr", "quelle pile est la plus faible", "Remote Battery: 7 %."),
    ("it", "quale batteria è più scarica", "Remote Battery: 7%."),
    ("nl", "welke batterij is het leegst", "Remote Battery: 7%."),
    ("pl", "która bateria jest najsłabsza", "Remote Battery: 7%."),
    ("pt", "que bateria está mais fraca", "Remote Battery: 7%."),
    ("sv", "vilket batteri är lägst", "Remote Battery: 7 %."),
    # Persons.
    ("en", "is Pete in", "Yes."),
    ("en", "do you know where Olga is", "Olga is "),
    ("de", "wo steckt Olga denn", "Olga ist "),
    ("de", "wer ist denn alles daheim", "Pete."),
    ("es", "por dónde anda Olga", "Olga "),
    ("fr", "est-ce que Pete est là", "Oui"),
    ("it", "dove si trova Olga", "Olga "),
    ("nl", "waar hangt Olga", "Olga "),
    ("nl", "wie is er nog thuis", "Pete."),
    ("pl", "gdzie podziewa się Olga", "Olga"),
    ("pl", "kto jest jeszcze w domu", "Pete."),
    ("pt", "onde é que anda a Olga", "Olga"),
    ("sv", "är Pete hemma", "Ja"),
    # Whether it still runs.
    ("en", "has the dishwasher finished yet", "No."),
    ("de", "ist die Spülmaschine schon fertig", "Nein."),
    ("es", "ha terminado ya el lavavajillas", "No."),
    ("fr", "le lave-vaisselle a fini ?", "Non."),
    ("it", "la lavastoviglie ha finito?", "No."),
    ("nl", "is de vaatwasser al klaar", "Nee."),
    ("pl", "czy zmywarka już skończyła", "Nie."),
    ("pt", "a máquina da loiça já acabou?", "Não."),
    ("sv", "är diskmaskinen klar", "Nej."),
    # How something is.
    ("en", "front door status please", "Front Door: locked."),
    ("de", "wie steht es um die Haustür", "Front Door: "),
    ("es", "qué tal está la puerta principal", "Front Door: "),
    ("fr", "dans quel état est la porte d'entrée", "Front Door"),
    ("it", "com'è messa la porta d'ingresso", "Front Door: "),
    ("nl", "hoe zit het met de voordeur", "Front Door: "),
    ("pl", "jaki jest stan drzwi wejściowych", "Front Door: "),
    ("pt", "como é que está a porta da entrada", "Front Door: "),
    ("sv", "hur är det med ytterdörren", "Front Door: "),
]
FOLLOWED = [
    ("en", "is the bathroom window open?", "and the one in the kitchen", "Yes."),
    ("de", "ist das Badfenster offen", "und das in der Küche?", "Ja."),
    ("es", "¿está abierta la ventana del baño?", "¿y la de la cocina?", "Sí."),
    ("fr", "la fenêtre de la salle de bain est ouverte", "et celle de la cuisine", "Oui."),
    ("it", "la finestra del bagno è aperta?", "e quella della cucina?", "Sì."),
    ("nl", "staat het badkamerraam open", "en dat van de keuken", "Ja."),
    ("pl", "okno w łazience jest otwarte?", "a to w kuchni?", "Tak."),
    ("pt", "a janela da casa de banho está aberta?", "e a da cozinha?", "Sim."),
    ("sv", "är badrumsfönstret öppet", "och i köket", "Ja."),
    ("nl", "staat het badkamerraam open", "en in de slaapkamer", "Sorry"),
    ("en", "is Pete at home", "and Olga?", "No."),
    ("de", "ist Pete daheim", "und Olga?", "Nein."),
    ("fr", "il fait quelle température dans la chambre", "et dans la cuisine", "Kitchen Temp"),
    (
        "es",
        "¿qué temperatura hay en el dormitorio?",
        "¿y kitchen humidity?",
        "Kitchen Humidity: 58",
    ),
]
CONDITIONS = [
    ("en", "if the dishwasher draws more than 1000 watts turn it off", True),
    ("de", "wenn die Spülmaschine mehr als 1000 Watt zieht, schalte sie aus", True),
    ("es", "si el lavavajillas consume menos de 100 vatios apágalo", False),
    ("fr", "éteins le lave-vaisselle s'il consomme plus de 1000 watts", True),
    ("it", "spegni la lavastoviglie se consuma meno di 100 watt", False),
    ("nl", "als de vaatwasser meer dan 1000 watt trekt zet hem uit", True),
    ("pl", "wyłącz zmywarkę, jeśli pobiera więcej niż 1000 watów", True),
    ("pt", "desliga a máquina da loiça se consumir mais de 1000 watts", True),
    ("sv", "stäng av diskmaskinen om den drar mindre än 100 watt", False),
    ("en", "if nobody is at home turn the dishwasher off", False),
    ("de", "wenn niemand zu Hause ist, schalte die Spülmaschine aus", False),
    ("es", "si no hay nadie en casa apaga el lavavajillas", False),
    ("fr", "s'il n'y a personne à la maison éteins le lave-vaisselle", False),
    ("it", "se non c'è nessuno in casa spegni la lavastoviglie", False),
    ("nl", "als er niemand thuis is zet de vaatwasser uit", False),
    ("pl", "jeśli nikogo nie ma w domu wyłącz zmywarkę", False),
    ("pt", "se não estiver ninguém em casa desliga a máquina da loiça", False),
    ("sv", "om ingen är hemma stäng av diskmaskinen", False),
    ("en", "if Pete is at home turn the dishwasher off", True),
    ("de", "wenn Olga zu Hause ist, schalte die Spülmaschine aus", False),
    ("pt", "se o Pete estiver em casa desliga a máquina da loiça", True),
    ("en", "should the kitchen window be open, turn the dishwasher off", True),
    ("de", "sollte das Küchenfenster offen sein, schalte die Spülmaschine aus", True),
    ("nl", "mocht het keukenraam open staan, zet de vaatwasser uit", True),
    ("sv", "skulle badrumsfönstret vara öppet, stäng av diskmaskinen", False),
]
COMMANDED = [
    # A verb that is the noun of what was asked about, too.
    ("en", "is the back door locked?", "lock the back door", "lock.lock"),
    ("en", "is the front door locked?", "lock the back door", "lock.lock"),
    ("en", "is the front door locked?", "unlock the front door", "lock.unlock"),
    ("de", "ist die Hintertür abgeschlossen?", "schließ die Hintertür ab", "lock.lock"),
    (
        "es",
        "¿está cerrada con llave la puerta de atrás?",
        "cierra con llave la puerta trasera",
        "lock.lock",
    ),
    (
        "fr",
        "la porte de derrière est verrouillée ?",
        "verrouille la porte de derrière",
        "lock.lock",
    ),
    (
        "it",
        "la porta sul retro è chiusa a chiave?",
        "chiudi a chiave la porta sul retro",
        "lock.lock",
    ),
    ("nl", "is de achterdeur op slot?", "doe de achterdeur op slot", "lock.lock"),
    ("pl", "czy tylne drzwi są zamknięte na klucz?", "zamknij tylne drzwi na klucz", "lock.lock"),
    ("pt", "a porta das traseiras está trancada?", "tranca a porta das traseiras", "lock.lock"),
    ("sv", "är bakdörren låst?", "lås bakdörren", "lock.lock"),
]


@pytest.fixture
async def house(hass: HomeAssistant) -> ConfigEntry:
    """Return the entry of a house with people, batteries, power and what is open."""
    entry = await async_move_in(hass, str(HERE / "plainly_asked.yaml"))
    put(hass, "person.olga", "Olga", "not_home")
    put(hass, "person.pete", "Pete", "home")
    return entry


@in_one_house(("language", "text", "answer"), ASKED)
async def test_what_is_asked_is_told(speak: Setup, language: str, text: str, answer: str) -> None:
    """Answer, and do nothing."""
    said = await (await speak()).say(text, language=language)
    assert said.reply.startswith(answer), said.reply
    assert (said.calls, said.changes) == ([], {})


@in_one_house(("language", "first", "text", "answer"), FOLLOWED)
async def test_a_question_goes_on(
    speak: Setup, language: str, first: str, text: str, answer: str
) -> None:
    """Ask the same of what the next sentence names, which is no room where a thing was asked of."""
    talk = await speak()
    await talk.say(first, language=language)
    said = await talk.say(text, language=language)
    assert said.reply.startswith(answer), said.reply
    assert (said.calls, said.changes) == ([], {})


@in_one_house(("language", "first", "text", "action"), COMMANDED)
async def test_a_command_after_a_question_is_no_question(
    speak: Setup, language: str, first: str, text: str, action: str
) -> None:
    """Do what is said next, though its words could also name what the question was about."""
    talk = await speak()
    await talk.say(first, language=language)
    said = await talk.say(text, language=language)
    assert [f"{call['domain']}.{call['service']}" for call in said.calls] == [action], said.reply


@in_one_house(("language", "text", "is_met"), CONDITIONS)
async def test_conditions_are_seen(speak: Setup, language: str, text: str, is_met: bool) -> None:
    """Turn the dishwasher off if the condition holds, else say that nothing was done."""
    said = await (await speak()).say(text, language=language)
    assert list(said.changes) == (["switch.dishwasher"] if is_met else []), said.reply


async def test_how_far_something_is_open_all_the_way(house: ConfigEntry, speak: Setup) -> None:
    """Say how far, as what is open by half is open, and not all the way."""
    said = await (await speak()).say("are the hall blinds completely open?", language="en")
    assert said.reply == "Hall Blinds: 60%."

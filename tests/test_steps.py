"""Sentences of which one part depends on what came of another are told from those of several requests."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.nlu.reading import read_tags

DEPENDING = {
    "en": [
        "turn off whatever is on upstairs and tell me what it was",
        "pause the music and let me know which song it is",
        "dim the lights depending on how warm it is",
        "open the blinds, if not say why",
    ],
    "de": [
        "mach oben aus was gerade an ist und sag mir was es war",
        "stell die Heizung je nachdem wie warm es ist",
        "öffne die Rollläden, sonst melde es mir",
    ],
    "fr": [
        "éteins tout ce qui est allumé en haut et dis-moi ce que c'était",
        "règle le chauffage selon la température",
        "ouvre les volets, sinon préviens-moi",
    ],
    "es": [
        "apaga lo que esté encendido arriba y dime qué era",
        "pon la calefacción según la temperatura",
        "abre las persianas, de lo contrario avísame",
    ],
    "nl": [
        "doe boven alles wat aan is uit en vertel me wat het was",
        "zet de verwarming afhankelijk van de temperatuur",
        "open de rolluiken, anders meld het",
    ],
    "it": [
        "spegni tutto quello che è acceso di sopra e dimmi cos'era",
        "regola il riscaldamento in base alla temperatura",
        "apri le tapparelle, altrimenti avvisami",
    ],
    "pl": [
        "zgaś wszystko, co się świeci na górze, i powiedz mi, co to było",
        "ustaw ogrzewanie w zależności od temperatury",
        "otwórz rolety, w przeciwnym razie daj znać",
    ],
    "pt": [
        "desliga tudo o que estiver ligado em cima e diz-me o que era",
        "ajusta o aquecimento dependendo da temperatura",
        "abre as persianas, caso contrário avisa-me",
    ],
}

PLAIN = {
    "en": ["turn off the kitchen lights and play some jazz", "say hello", "tell me a joke"],
    "de": ["mach das Licht in der Küche aus und spiel Jazz", "sag mir die Uhrzeit"],
    "fr": ["éteins la cuisine et mets du jazz", "dis-moi l'heure"],
    "es": ["apaga la cocina y pon jazz", "dime la hora"],
    "nl": ["doe het licht in de keuken uit en speel jazz", "vertel een mop"],
    "it": ["spegni la cucina e metti del jazz", "dimmi l'ora"],
    "pl": ["zgaś światło w kuchni i puść jazz", "powiedz mi dowcip"],
    "pt": ["desliga a cozinha e põe jazz", "diz-me as horas"],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in DEPENDING.items() for text in texts]
)
async def test_what_depends_on_another_part_is_a_step(
    hass: HomeAssistant, code: str, text: str
) -> None:
    assert read_tags(text, await async_get_language(hass, code)).has_steps


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in PLAIN.items() for text in texts]
)
async def test_several_requests_are_no_steps(hass: HomeAssistant, code: str, text: str) -> None:
    assert not read_tags(text, await async_get_language(hass, code)).has_steps

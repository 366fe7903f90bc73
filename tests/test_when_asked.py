"""When something will be done, and what else there is to come, is asked about in one's own words."""

from datetime import datetime
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup
from tests.one_house import in_one_house

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 27, 18, 0, tzinfo=BERLIN)
LATER = {
    "en": "turn off the floor lamp in half an hour",
    "de": "Schalte Floor Lamp in einer halben Stunde aus",
    "es": "Apaga Floor Lamp en media hora",
    "fr": "Éteins Floor Lamp dans une demi-heure",
    "it": "Spegni Floor Lamp tra mezz'ora",
    "nl": "Zet Floor Lamp over een half uur uit",
    "pl": "Za pół godziny wyłącz Floor Lamp",
    "pt": "Apaga Floor Lamp daqui a meia hora",
    "sv": "Släck Floor Lamp om en halvtimme",
}
WHEN = {
    "en": ("when will you turn it off?", "how long is it until then?"),
    "de": ("Wann schaltest du sie aus?", "Wie lange dauert es noch?"),
    "es": ("¿Cuándo la apagas?", "¿Cuánto tiempo falta aún?"),
    "fr": ("Tu l'éteins quand ?", "C'est dans combien de temps ?"),
    "it": ("Quando la spegni?", "Quanto tempo manca ancora?"),
    "nl": ("Wanneer zet je hem uit?", "Hoe lang is het nog?"),
    "pl": ("Kiedy ją wyłączysz?", "Ile jeszcze zostało czasu?"),
    "pt": ("Quando é que a apagas?", "Quanto tempo falta ainda?"),
    "sv": ("Hur dags släcker du den?", "Hur lång tid är det kvar?"),
}
ELSE = {
    "en": ("what else is coming up today?", "and what have I given you to do"),
    "de": ("Was ist heute noch alles geplant?", "und was habe ich dir aufgegeben"),
    "es": ("¿qué más tengo pendiente para hoy?", "qué te había encargado"),
    "fr": ("qu'est-ce que j'ai d'autre de prévu", "qu'est-ce que je t'ai demandé"),
    "it": ("che altro c'è in programma per oggi?", "cosa ti ho impostato"),
    "nl": ("wat heb je verder nog gepland", "wat heb ik je opgedragen"),
    "pl": ("co jeszcze jest w planach na dziś", "i co mam teraz w planach"),
    "pt": ("o que mais há marcado para hoje", "o que é que te programei"),
    "sv": ("vad annat är på gång idag", "vad har jag ställt in"),
}


@pytest.fixture(autouse=True)
async def _evening(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


@in_one_house(
    ("language", "question"),
    [(each, question) for each, asked in WHEN.items() for question in asked],
)
async def test_what_is_in_a_while_is_told_by_the_clock_where_the_time_is_asked_for(
    hass: HomeAssistant, speak: Setup, language: str, question: str
) -> None:
    speaker = await speak()
    await speaker.say(LATER[language], language=language)
    said = await speaker.say(question, language=language)
    assert "18:30" in said.reply or "18h30" in said.reply
    assert "Floor Lamp" in said.reply


@in_one_house(
    ("language", "question"),
    [(each, question) for each, asked in ELSE.items() for question in asked],
)
async def test_what_else_there_is_to_come_is_told(
    hass: HomeAssistant, speak: Setup, language: str, question: str
) -> None:
    speaker = await speak()
    await speaker.say(LATER[language], language=language)
    said = await speaker.say(question, language=language)
    assert "Floor Lamp" in said.reply
    assert not said.calls


@in_one_house(
    "question",
    [
        "when will you turn it on?",
        "when does the bedroom blind close?",
        "when will supper be ready?",
        "when does the sun set?",
    ],
)
async def test_a_question_for_another_time_is_not_about_the_plan(
    hass: HomeAssistant, speak: Setup, question: str
) -> None:
    speaker = await speak()
    await speaker.say(LATER["en"])
    assert "18:30" not in (await speaker.say(question)).reply

"""What only tells why beside what is planned: its times, days, "when" and "always" are none of the plan."""

from datetime import datetime
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import planned

# A Friday.
NOW = datetime(2026, 11, 27, 18, 0, tzinfo=ZoneInfo("Europe/Berlin"))
OFF_AT_TEN = {
    "en": "turn off the floor lamp at ten tonight",
    "de": "mach um zehn die Floor Lamp aus",
    "es": "apaga Floor Lamp a las diez de la noche",
    "fr": "éteins Floor Lamp à dix heures ce soir",
    "it": "spegni Floor Lamp alle dieci di sera",
    "nl": "doe de Floor Lamp om tien uur uit",
    "pl": "zgaś Floor Lamp o dziesiątej wieczorem",
    "pt": "apaga Floor Lamp às dez da noite",
    "sv": "släck Floor Lamp klockan tio i kväll",
}


@pytest.fixture(autouse=True)
async def _evening(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_update(time_zone="Europe/Berlin", latitude=52.5, longitude=13.4)
    freezer.move_to(NOW)


async def _due(hass: HomeAssistant) -> list[str]:
    """Return when all that is planned is due."""
    found = [dt_util.parse_datetime(str(each["due"])) for each in await planned(hass)]
    return [f"{dt_util.as_local(each):%d %H:%M}" for each in found if each]


@in_one_house(
    ("language", "text", "due"),
    [
        # What day it is today or tomorrow is no other day.
        ("en", "make it half past ten, it's Friday after all", "27 22:30"),
        ("de", "lieber halb elf, heute ist ja Freitag", "27 22:30"),
        ("fr", "plutôt onze heures, c'est vendredi", "27 23:00"),
        ("it", "no, alle undici, domani è sabato", "27 23:00"),
        ("nl", "maak er elf uur van, het is toch vrijdag", "27 23:00"),
        ("pl", "albo nie, o jedenastej, dziś jest piątek", "27 23:00"),
        ("sv", "ta elva i stället, det är ju fredag i dag", "27 23:00"),
        # A reason may say when it is so.
        ("en", "no, nine, tomorrow's a big day for them", "27 21:00"),
        ("es", "mejor a las nueve, que mañana hay excursión", "27 21:00"),
        ("it", "anzi no, facciamo alle nove, che domani partono presto", "27 21:00"),
        ("nl", "nee, om negen uur, morgen moeten ze naar zwemles", "27 21:00"),
        ("pl", "nie, o dziewiątej, jutro mają wycieczkę", "27 21:00"),
        # It stands between a "no" and what is meant instead, or before that.
        ("de", "ach nein, der Krimi geht länger, mach elf draus", "27 23:00"),
        ("pl", "oj nie, mecz się przedłuża, niech będzie o jedenastej", "27 23:00"),
        ("pt", "ah não, o jogo atrasou-se, que seja às onze", "27 23:00"),
        ("en", "we haven't done the dishes yet, make it eleven", "27 23:00"),
        ("sv", "vi har inte diskat än, ta elva", "27 23:00"),
        ("fr", "on n'a pas encore rangé, mets onze heures", "27 23:00"),
        # Somebody is given until then.
        ("en", "oh, let's give them until half past", "27 22:30"),
        ("de", "ach, lass sie bis halb elf", "27 22:30"),
        ("es", "venga, dales hasta y media", "27 22:30"),
        ("fr", "finalement laisse-leur jusqu'à onze heures", "27 23:00"),
        ("it", "dai, diamogli fino alle undici", "27 23:00"),
        ("nl", "ach, laat ze maar tot half elf", "27 22:30"),
        ("pl", "daj im jeszcze do jedenastej", "27 23:00"),
        ("pt", "vá, deixa-os até às onze", "27 23:00"),
        ("sv", "äsch, låt dem hålla på till elva", "27 23:00"),
        # And what says another day is for that.
        ("en", "no, tomorrow at nine", "28 09:00"),
        ("en", "on Saturday at nine in the evening instead", "28 21:00"),
    ],
)
async def test_why_it_is_for_another_time_says_no_day(
    hass: HomeAssistant, speak: Setup, language: str, text: str, due: str
) -> None:
    speaker = await speak()
    await speaker.say(OFF_AT_TEN[language], language=language)
    said = await speaker.say(text, language=language)
    assert await _due(hass) == [due], said.reply
    assert not said.changes


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the floor lamp tomorrow at ten when we're at the pool"),
        ("es", "enciende Floor Lamp mañana a las diez, cuando estemos fuera"),
        ("fr", "allume Floor Lamp demain à dix heures quand on sera sortis"),
        ("it", "domani alle dieci accendi Floor Lamp, quando siamo al mercato"),
        ("nl", "doe de Floor Lamp morgen om tien uur aan wanneer we weg zijn"),
        ("pl", "jutro o dziesiątej włącz Floor Lamp, gdy nas nie będzie"),
        ("pt", "amanhã às dez acende Floor Lamp, quando estivermos fora"),
        ("sv", "tänd Floor Lamp i morgon vid tio när vi är på badet"),
    ],
)
async def test_what_is_so_at_the_hour_that_is_said_is_not_waited_for(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert await _due(hass) == ["28 10:00"], said.reply
    assert not said.changes


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the floor lamp when we're at the pool"),
        ("en", "turn on the floor lamp tomorrow when we're at the pool"),
        ("es", "enciende Floor Lamp mañana cuando estemos fuera"),
    ],
)
async def test_without_an_hour_it_is_waited_for(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert await planned(hass) == [], said.reply
    assert not said.changes


@in_one_house(
    ("language", "text"),
    [
        ("pt", "daqui a uma hora apaga Floor Lamp, que os meninos têm de se levantar cedo"),
        ("sv", "släck Floor Lamp om en timme, ungarna måste alltid upp så tidigt"),
        ("pl", "za godzinę zgaś Floor Lamp, dzieci zawsze wtedy śpią"),
        ("en", "in an hour turn off the floor lamp, the boys always nod off by then"),
    ],
)
async def test_a_reason_with_always_or_a_reflexive_verb_is_no_condition(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert await _due(hass) == ["27 19:00"], said.reply
    assert not said.changes


@in_one_house(
    ("language", "first", "then"),
    [
        ("en", "turn on Floor Lamp tomorrow at ten", "never mind, tomorrow we stay in bed"),
        ("es", "enciende Floor Lamp mañana a las diez", "déjalo, mañana nos quedamos en la cama"),
        ("fr", "allume Floor Lamp demain à dix heures", "laisse tomber, demain on se repose"),
        ("it", "accendi Floor Lamp domani alle dieci", "lascia perdere, domani ci riposiamo"),
        ("nl", "doe Floor Lamp morgen om tien uur aan", "laat maar, morgen rusten we uit"),
        ("pl", "włącz Floor Lamp jutro o dziesiątej", "daj spokój, jutro odpoczywamy sobie"),
        ("pt", "acende Floor Lamp amanhã às dez", "deixa estar, amanhã ficamos na cama"),
    ],
)
async def test_what_is_on_that_day_is_why_it_is_dropped(
    hass: HomeAssistant, speak: Setup, language: str, first: str, then: str
) -> None:
    speaker = await speak()
    await speaker.say(first, language=language)
    assert await planned(hass)
    said = await speaker.say(then, language=language)
    assert await planned(hass) == [], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "as soon as Bedroom Window opens, turn off the heating in that room"),
        ("de", "sobald Bedroom Window aufgeht, mach in dem Zimmer die Heizung aus"),
        ("fr", "dès que Bedroom Window s'ouvre, coupe le chauffage de la pièce"),
        ("es", "en cuanto se abra Bedroom Window, apaga la calefacción de esa habitación"),
        ("it", "appena si apre Bedroom Window, spegni il riscaldamento in quella stanza"),
        ("nl", "zodra Bedroom Window opengaat, zet de verwarming in die kamer uit"),
    ],
)
async def test_that_room_is_where_it_is_waited_for(speak: Setup, language: str, text: str) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert "Bedroom Thermostat" in said.reply

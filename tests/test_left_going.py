"""What is left on or off for a time is so then: from one hour to another, left doing what it does, or needed then."""

from datetime import datetime
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import planned

NOW = datetime(2026, 11, 27, 18, 0, tzinfo=ZoneInfo("Europe/Berlin"))
LAMP, FAN, BLINDS = "light.floor_lamp", "fan.bedroom_fan", "cover.bedroom_blinds"


@pytest.fixture(autouse=True)
async def _evening(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


@in_one_house(
    ("language", "text", "target"),
    [
        ("en", "leave the Floor Lamp on between nine and eleven", LAMP),
        ("en", "keep the Bedroom Blinds shut from nine to eleven this evening", BLINDS),
        ("de", "Lass die Floor Lamp von neun bis elf an", LAMP),
        ("es", "Deja la Floor Lamp encendida de nueve a once de la noche", LAMP),
        ("fr", "Laisse la Floor Lamp allumée de vingt et une heures à vingt-trois heures", LAMP),
        ("it", "Lascia accesa la Floor Lamp dalle nove alle undici", LAMP),
        ("nl", "Laat de Floor Lamp van negen tot elf aan", LAMP),
        ("pl", "Zostaw Floor Lamp włączoną od dziewiątej do jedenastej", LAMP),
        ("pt", "Deixa a Floor Lamp acesa das nove às onze da noite", LAMP),
        ("sv", "Låt Floor Lamp vara tänd mellan nio och elva", LAMP),
    ],
)
async def test_what_is_kept_from_an_hour_to_another_is_so_from_the_one(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, target: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.calls, said.reply
    [own] = await planned(hass)
    assert "21" in said.reply
    assert "23" in said.reply
    assert own["due"].startswith("2026-11-27T20:00")
    entity = hass.states.get(target)
    assert entity
    assert entity.name in said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "leave the Bedroom Fan going until ten"),
        ("en", "let the Bedroom Fan spin until ten"),
        ("de", "lass den Bedroom Fan bis zehn laufen"),
        ("es", "deja girando el Bedroom Fan hasta las diez"),
        ("fr", "laisse fonctionner le Bedroom Fan jusqu'à dix heures"),
        ("it", "lascia girare il Bedroom Fan fino alle dieci"),
        ("nl", "laat de Bedroom Fan tot tien uur doordraaien"),
        ("pl", "zostaw Bedroom Fan włączony do dziesiątej"),
        ("pt", "deixa a Bedroom Fan a funcionar até às dez"),
        ("sv", "låt Bedroom Fan snurra till klockan tio"),
    ],
)
async def test_what_is_left_running_is_on_until_then(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert hass.states.is_state(FAN, "on"), said.reply
    assert "22" in said.reply
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "I'll need the Bedroom Fan tomorrow from one to three"),
        ("de", "Ich bräuchte morgen von dreizehn bis fünfzehn Uhr den Bedroom Fan"),
        ("fr", "J'aurais besoin du Bedroom Fan demain de treize à quinze heures"),
        ("it", "Mi servirebbe il Bedroom Fan domani dalle tredici alle quindici"),
        ("nl", "Ik heb de Bedroom Fan morgen van een tot drie nodig"),
        ("pl", "Potrzebuję Bedroom Fan jutro od trzynastej do piętnastej"),
        ("pt", "Preciso da Bedroom Fan amanhã das treze às quinze"),
        ("sv", "Jag skulle behöva Bedroom Fan i morgon mellan tretton och femton"),
    ],
)
async def test_what_is_needed_from_an_hour_to_another_is_on_then(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.calls, said.reply
    assert "13:00" in said.reply or "13h00" in said.reply
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the Floor Lamp tomorrow at seven, so it's bright when we come down"),
        ("de", "Schalt morgen um sieben die Floor Lamp ein, damit es hell ist, wenn wir aufstehen"),
        (
            "es",
            "Enciende la Floor Lamp mañana a las siete, para que no tropecemos cuando nos levantemos",
        ),
        ("fr", "Allume la Floor Lamp demain à sept heures, comme ça on y voit quand on se lève"),
        ("it", "Domani alle sette accendi la Floor Lamp, così quando ci alziamo si vede"),
        ("nl", "Zet morgen om zeven uur de Floor Lamp aan, dan is het niet donker als we opstaan"),
        ("pl", "Włącz jutro o siódmej Floor Lamp, żeby było widno, jak wstaniemy"),
        ("pt", "Liga a Floor Lamp amanhã às sete para nós não tropeçarmos"),
        ("sv", "Tänd Floor Lamp i morgon klockan sju så att det inte är mörkt när vi går upp"),
    ],
)
async def test_what_something_is_for_is_no_condition(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.calls, said.reply
    [own] = await planned(hass)
    assert own["due"].startswith("2026-11-28T06:00"), said.reply


@in_one_house(
    "text",
    [
        "turn on the floor lamp tomorrow at seven, so it's bright if somebody is at home",
        "turn on the floor lamp so it's bright when I come home",
        "let the bedroom blinds down and the floor lamp burn until somebody sings",
    ],
)
async def test_a_condition_beside_a_purpose_is_never_left_out(
    hass: HomeAssistant, speak: Setup, *, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text)
    assert not said.calls, said.reply
    plans = await planned(hass)
    assert not plans or "somebody" in said.reply or "home" in said.reply

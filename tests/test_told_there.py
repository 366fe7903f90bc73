"""Where something is to be heard is no part of what is told, and "until I say so" is no end that is waited for."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_fire_time_changed

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.satellites import satellites_in
from tests.test_delayed import planned

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=ZoneInfo("Europe/Berlin"))
DOOR, FAN = "lock.front_door", "fan.bedroom_fan"
WHERE = [
    ("en", "when the front door is unlocked, tell me on the kitchen speaker"),
    ("en", "give me a shout in the kitchen once the front door gets unlocked"),
    ("de", "gib mir in Kitchen Bescheid, sobald Front Door aufgeschlossen wird"),
    ("de", "sobald Front Door aufgeschlossen wird, sag mir über den Lautsprecher in Kitchen Bescheid"),
    ("es", "cuando se desbloquee Front Door, avísame por el altavoz de Kitchen"),
    ("fr", "quand Front Door est déverrouillée, dis-le sur l'enceinte de Kitchen"),
    ("it", "quando Front Door viene sbloccata, dimmelo dalla cassa in Kitchen"),
    ("nl", "zodra Front Door ontgrendeld wordt, laat het me weten via de luidspreker in Kitchen"),
    ("pl", "gdy Front Door zostanie odblokowany, daj mi znać na głośniku w Kitchen"),
    ("pt", "quando Front Door for destrancada, avisa-me na coluna em Kitchen"),
    ("sv", "när Front Door låses upp, säg till mig på högtalaren i Kitchen"),
]  # fmt: skip


def due(plan: dict[str, Any]) -> datetime:
    """Return when a plan is due, by the clock of the house."""
    return datetime.fromisoformat(plan["due"]).astimezone(NOW.tzinfo)


@pytest.fixture(autouse=True)
async def _afternoon(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


@in_one_house(("language", "text"), WHERE)
async def test_it_is_planned_without_where_it_is_heard(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    hass.states.async_set(DOOR, "locked", {"friendly_name": "Front Door"})
    said = await (await speak()).say(text, language=language)
    [plan] = await planned(hass)
    assert "front door" in plan["when"].lower()
    assert "itchen" not in plan["when"]
    assert "itchen" not in said.reply


@pytest.mark.parametrize(("heard_in", "told_in"), [("Kitchen", "kitchen"), ("Bedroom", "hallway")])
async def test_a_satellite_of_the_room_says_it_where_there_is_one(
    hass: HomeAssistant, speak: Setup, heard_in: str, told_in: str
) -> None:
    satellites = satellites_in(hass, heard_in, "Hallway")
    hass.states.async_set(DOOR, "locked", {"friendly_name": "Front Door"})
    speaker = await speak()
    await speaker.say("tell me in the kitchen when the front door is unlocked", area="Hallway")
    hass.states.async_set(DOOR, "unlocked", {"friendly_name": "Front Door"})
    await hass.async_block_till_done()
    async_fire_time_changed(hass, NOW + timedelta(seconds=10))
    await hass.async_block_till_done()
    assert [name for name, _ in satellites.heard] == [f"{told_in}_satellite"]


@in_one_house(
    ("language", "text"),
    [
        ("en", "keep Bedroom Fan on until I tell you otherwise"),
        ("en", "turn Bedroom Fan on till further notice"),
        ("de", "lass Bedroom Fan an, bis ich dir Bescheid sage"),
        ("es", "deja Bedroom Fan encendido hasta nuevo aviso"),
        ("fr", "laisse Bedroom Fan allumé jusqu'à nouvel ordre"),
        ("it", "tieni acceso Bedroom Fan finché non dico basta"),
        ("nl", "laat Bedroom Fan aan tot ik stop zeg"),
        ("pl", "niech Bedroom Fan będzie włączony, dopóki nie powiem stop"),
        ("pt", "deixa Bedroom Fan ligada até eu mandar parar"),
        ("sv", "ha Bedroom Fan på tills jag säger stopp"),
    ],
)
async def test_until_somebody_says_so_ends_nothing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    await (await speak()).say(text, language=language)
    assert hass.states.is_state(FAN, "on")
    assert await planned(hass) == []


async def test_the_latest_time_beside_it_is_the_end(hass: HomeAssistant, speak: Setup) -> None:
    await (await speak()).say("keep bedroom fan on until I say stop, or until ten at the latest")
    [plan] = await planned(hass)
    assert due(plan).hour == 22


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on Bedroom Fan ten minutes and then turn it off"),
        ("de", "mach Bedroom Fan zehn Minuten an und dann aus"),
        ("es", "enciende Bedroom Fan diez minutos y luego apágalo"),
        ("fr", "allume Bedroom Fan dix minutes et puis éteins-le"),
        ("it", "accendi Bedroom Fan dieci minuti e poi spegnilo"),
        ("nl", "zet Bedroom Fan tien minuten aan en daarna uit"),
        ("pt", "liga Bedroom Fan dez minutos e depois desliga-a"),
    ],
)
async def test_what_is_done_after_a_while_needs_no_word_before_that(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    await (await speak()).say(text, language=language)
    assert hass.states.is_state(FAN, "on")
    [plan] = await planned(hass)
    assert (due(plan).hour, due(plan).minute) == (15, 10)


@in_one_house(
    ("language", "text"),
    [
        ("en", "if it is below sixteen degrees in Bedroom tomorrow at six turn on the heating"),
        ("de", "falls es morgen um sechs in Bedroom unter sechzehn Grad hat, schalte die Heizung ein"),
        ("fr", "s'il fait moins de seize degrés dans Bedroom demain à six heures, allume le chauffage"),
        ("it", "se domani alle sei in Bedroom fa meno di sedici gradi, accendi il riscaldamento"),
        ("pl", "jeśli jutro o szóstej w Bedroom będzie poniżej szesnastu stopni, włącz ogrzewanie"),
    ],
)  # fmt: skip
async def test_a_number_is_looked_at_at_its_time_and_for_its_room(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert "Bedroom Thermostat" in said.reply
    [plan] = await planned(hass)
    assert due(plan).day == 28


@in_one_house(
    ("language", "text", "percent"),
    [
        ("en", "turn on Desk Lamp, but not too bright", 40),
        ("de", "mach Desk Lamp an, aber nur ganz schwach", 10),
        ("es", "enciende Desk Lamp, pero tenue", 25),
        ("fr", "allume Desk Lamp, mais très faiblement", 10),
        ("it", "accendi Desk Lamp ma soffusa", 25),
        ("pl", "włącz Desk Lamp, ale słabo", 25),
        ("pt", "liga Desk Lamp, mas fraca", 25),
        ("sv", "tänd Desk Lamp, men svagt", 25),
    ],
)
async def test_how_bright_may_be_said_in_words(
    hass: HomeAssistant, speak: Setup, language: str, text: str, percent: int
) -> None:
    await (await speak()).say(text, language=language)
    lamp = hass.states.get("light.desk_lamp")
    assert lamp
    assert round(lamp.attributes["brightness"] / 2.55) == percent


@in_one_house(
    ("language", "text", "hour"),
    [
        ("de", "schalte Desk Lamp an jedem Werktagabend um sieben ein", "19"),
        ("fr", "allume Desk Lamp chaque matin de semaine à six heures", "06"),
        ("it", "accendi Desk Lamp ogni mattina feriale alle sei", "06"),
        ("nl", "zet Desk Lamp elke doordeweekse avond om zeven uur aan", "19"),
        ("pt", "liga Desk Lamp todas as manhãs de semana às seis", "06"),
        ("sv", "tänd Desk Lamp varje vardagskväll klockan sju", "19"),
    ],
)
async def test_parts_of_workdays_repeat_on_these(
    hass: HomeAssistant,
    speak: Setup,
    hass_admin_user: MockUser,
    *,
    language: str,
    text: str,
    hour: str,
) -> None:
    admin = Context(user_id=hass_admin_user.id)
    said = await (await speak()).say(text, language=language, context=admin)
    assert hour in said.reply

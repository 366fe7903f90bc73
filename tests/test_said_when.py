"""A time, or what is waited for, means the same in whichever words and parts of a sentence it is said."""

from datetime import datetime
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import planned

NOW = datetime(2026, 11, 25, 15, 0, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.fixture(autouse=True)
async def _afternoon(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_update(time_zone="Europe/Berlin", latitude=52.5, longitude=13.4)
    freezer.move_to(NOW)


@pytest.mark.usefixtures("automations_file")
@in_one_house(
    ("language", "text", "told"),
    [
        ("en", "during the week turn on the floor lamp every evening at eight", "weekday at 20:00"),
        ("en", "turn on the floor lamp every evening on weekdays", "weekday at 19:00"),
        ("en", "at the weekend turn off the floor lamp every night at eleven", "weekends at 23:00"),
        ("de", "mach werktags jeden Abend um acht die Floor Lamp an", "Werktag um 20:00"),
        (
            "es",
            "entre semana enciende Floor Lamp todas las noches a las ocho",
            "viernes a las 20:00",
        ),
        ("fr", "en semaine, allume Floor Lamp tous les soirs à huit heures", "vendredi à 20h00"),
        ("it", "durante la settimana accendi ogni sera alle otto Floor Lamp", "venerdì alle 20:00"),
        ("nl", "doe doordeweeks elke avond om acht uur de Floor Lamp aan", "werkdag om 20:00"),
        ("pl", "w dni robocze codziennie wieczorem o ósmej włącz Floor Lamp", "robocze o 20:00"),
        ("pt", "nos dias úteis liga todas as noites às oito Floor Lamp", "úteis às 20:00"),
        ("sv", "tänd på vardagar varje kväll klockan åtta Floor Lamp", "vardag klockan 20:00"),
    ],
)
async def test_days_and_the_part_of_each_of_them_repeat_together(
    hass_admin_user: MockUser, speak: Setup, language: str, text: str, told: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language, context=Context(user_id=hass_admin_user.id))
    assert told in said.reply
    assert not said.changes


@in_one_house(
    "text",
    [
        "turn on the floor lamp every monday every weekend at eight",
        "turn on the floor lamp every morning every evening",
        "turn on the floor lamp every hour every evening",
    ],
)
async def test_repetitions_that_contradict_each_other_are_declined(
    hass: HomeAssistant, hass_admin_user: MockUser, speak: Setup, text: str
) -> None:
    said = await (await speak()).say(text, context=Context(user_id=hass_admin_user.id))
    assert said.reply == "I can't plan it like that, so I did nothing."
    assert not said.changes
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "once it begins to get dark on Friday, turn off the floor lamp"),
        ("en", "when on Friday the sun goes down turn off the floor lamp"),
        ("de", "sobald es am Freitag zu dämmern beginnt, mach die Floor Lamp aus"),
        ("de", "mach die Floor Lamp aus, wenn am Freitag die Sonne untergeht"),
        ("es", "en cuanto el viernes empiece a oscurecer, apaga Floor Lamp"),
        ("fr", "dès que vendredi la nuit commence à tomber, éteins Floor Lamp"),
        ("it", "appena venerdì comincia a imbrunire, spegni Floor Lamp"),
        ("nl", "zodra het vrijdag donker wordt, doe de Floor Lamp uit"),
        ("pl", "gdy w piątek zacznie się ściemniać, wyłącz Floor Lamp"),
        ("pt", "assim que na sexta-feira começar a anoitecer, desliga Floor Lamp"),
        ("sv", "så fort det på fredag börjar mörkna, släck Floor Lamp"),
    ],
)
async def test_a_day_may_stand_within_what_the_sun_does(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert [plan["when"] for plan in await planned(hass)] == ["on Friday at sunset"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn off the floor lamp tomorrow mid-morning"),
        ("de", "mach morgen Vormittag die Floor Lamp aus"),
        ("de", "schalte die Floor Lamp am Donnerstagvormittag aus"),
        ("es", "apaga mañana a media mañana Floor Lamp"),
        ("fr", "éteins Floor Lamp demain en milieu de matinée"),
        ("it", "spegni Floor Lamp domani a metà mattina"),
        ("nl", "doe morgenvoormiddag de Floor Lamp uit"),
        ("pl", "wyłącz jutro przed południem Floor Lamp"),
        ("pt", "desliga amanhã a meio da manhã Floor Lamp"),
        ("sv", "släck Floor Lamp i morgon förmiddag"),
    ],
)
async def test_the_forenoon_is_later_than_the_morning(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert [plan["when"] for plan in await planned(hass)] == ["tomorrow at 10:00"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("de", "mach morgen Vormittag um neun die Floor Lamp aus"),
        ("pl", "wyłącz Floor Lamp jutro o dziewiątej przed południem"),
        ("sv", "släck Floor Lamp i morgon klockan nio på förmiddagen"),
    ],
)
async def test_an_hour_of_the_forenoon_is_that_hour(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert [plan["when"] for plan in await planned(hass)] == ["tomorrow at 09:00"], said.reply


@in_one_house(
    ("text", "told"),
    [
        ("when the bedroom falls below 17 degrees, put the heating up to 20", "to 20"),
        ("once the bedroom is under seventeen turn the heating up to twenty", "to 20"),
        ("as soon as the bedroom gets below 17, turn the fan there on", "turn on Bedroom Fan"),
    ],
)
async def test_a_verb_in_two_parts_is_of_the_command_alone(
    hass: HomeAssistant, speak: Setup, text: str, told: str
) -> None:
    said = await (await speak()).say(text)
    assert told in said.reply
    assert "Bedroom" in said.reply
    (plan,) = await planned(hass)
    assert "heating" not in plan["when"]
    assert "fan" not in plan["when"]


@in_one_house(
    ("language", "text"),
    [
        ("en", "let me know if anyone is creeping around the hallway"),
        ("de", "sag mir Bescheid, wenn jemand im Hallway herumläuft"),
        ("es", "avísame si alguien ronda por Hallway"),
        ("fr", "préviens-moi quand quelqu'un se promène dans Hallway"),
        ("it", "avvisami se qualcuno si aggira in Hallway"),
        ("nl", "laat het me weten als iemand in de Hallway ronddwaalt"),
        ("pl", "gdyby ktoś łaził po Hallway, daj mi znać"),
        ("pt", "avisa-me se alguém circular em Hallway"),
        ("sv", "säg till om någon vandrar omkring i Hallway"),
    ],
)
async def test_who_moves_about_is_waited_for(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert len(await planned(hass)) == 1, said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn off the floor lamp tomorrow at nine, we won't be there"),
        ("en", "turn off the floor lamp tomorrow at nine, nobody is going to be home"),
        ("de", "mach die Floor Lamp morgen um neun aus, da ist niemand da"),
        ("es", "apaga Floor Lamp mañana a las nueve, no va a haber nadie"),
        ("fr", "éteins Floor Lamp demain à neuf heures, il n'y aura personne"),
        ("it", "spegni Floor Lamp domani alle nove, non ci sarà nessuno"),
        ("nl", "doe de Floor Lamp morgen om negen uur uit, er is dan niemand"),
        ("pl", "wyłącz Floor Lamp jutro o dziewiątej, nikogo już nie będzie"),
        ("pt", "desliga Floor Lamp amanhã às nove, não vai haver ninguém"),
        ("sv", "släck Floor Lamp i morgon klockan nio, då är ingen där"),
    ],
)
async def test_that_nobody_is_there_takes_nothing_back(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert [plan["when"] for plan in await planned(hass)] == ["tomorrow at 09:00"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("it", "tirami su le tapparelle in Bedroom"),
        ("it", "tiraci giù Bedroom Blinds"),
    ],
)
async def test_a_pronoun_may_stand_within_a_verb_of_two_parts(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert {call["service"] for call in said.calls} <= {"open_cover", "close_cover"}
    assert said.calls, said.reply


async def test_there_is_the_room_of_what_is_waited_for(hass: HomeAssistant, speak: Setup) -> None:
    text = "quando Bedroom Window for aberta, desliga o aquecimento de lá"
    said = await (await speak()).say(text, language="pt")
    assert "Bedroom Thermostat" in said.reply
    assert len(await planned(hass)) == 1

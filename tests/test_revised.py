"""What is said of a plan right after it: that it is not wanted after all, another time, another thing."""

from datetime import datetime, timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.util import dt as dt_util

from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.when import Repeated
from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of
from tests.test_delayed import later, person, planned
from tests.test_policy_reach import REFUSED, obey, rule
from tests.test_scheduled import NOW

LAMP = "light.floor_lamp"

FOR_AN_HOUR = {
    "en": "turn on the floor lamp for an hour",
    "de": "schalte die Floor Lamp für eine Stunde ein",
    "es": "enciende Floor Lamp durante una hora",
    "fr": "allume Floor Lamp pendant une heure",
    "it": "accendi Floor Lamp per un'ora",
    "nl": "zet de Floor Lamp een uur lang aan",
    "pl": "włącz Floor Lamp na godzinę",
    "pt": "liga Floor Lamp durante uma hora",
    "sv": "tänd Floor Lamp i en timme",
}


@in_one_house(
    ("language", "text"),
    [
        ("en", "never mind, don't switch it off later"),
        ("en", "actually, don't turn it off again"),
        ("en", "forget it, you don't need to turn the lamp off later"),
        ("en", "no, leave it on"),
        ("en", "just leave it on"),
        ("de", "ach egal, schalte sie später nicht aus"),
        ("de", "schalte sie nachher nicht wieder aus"),
        ("de", "nein, lass sie an"),
        ("es", "déjalo, no la apagues después"),
        ("fr", "laisse tomber, ne l'éteins pas plus tard"),
        ("it", "lascia stare, non spegnerla dopo"),
        ("nl", "laat maar, zet hem straks niet uit"),
        ("pl", "nieważne, nie wyłączaj jej później"),
        ("pt", "deixa estar, não a desligues depois"),
        ("sv", "strunt i det, släck den inte senare"),
    ],
)
async def test_what_is_not_to_be_put_back_stays(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(FOR_AN_HOUR[language], language=language)
    [_] = await planned(hass)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Floor Lamp" in said.reply
    assert not said.result.continue_conversation
    assert await planned(hass) == []
    assert LAMP not in await later(hass, 4000)


@in_one_house(
    "text", ["don't turn it on", "don't turn on the kitchen pendant", "leave the radio on"]
)
async def test_what_is_said_of_something_else_puts_it_back_all_the_same(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say(FOR_AN_HOUR["en"])
    await speaker.say(text)
    assert len(await planned(hass)) == 1


PLANS = {
    "en": "turn on the floor lamp tomorrow at 8 pm",
    "de": "schalte die Floor Lamp morgen um 20 Uhr ein",
    "es": "enciende Floor Lamp mañana a las 20:00",
    "fr": "allume Floor Lamp demain à 20 heures",
    "it": "accendi Floor Lamp domani alle 20",
    "nl": "zet de Floor Lamp morgen om 20:00 aan",
    "pl": "włącz Floor Lamp jutro o 20:00",
    "pt": "liga Floor Lamp amanhã às 20:00",
    "sv": "tänd Floor Lamp imorgon klockan 20",
}


@in_one_house(
    ("language", "text", "due"),
    [
        ("en", "no, make it half six", "18:30"),
        ("en", "actually make that seven", "19:00"),
        ("en", "better at nine", "21:00"),
        ("en", "an hour later", "21:00"),
        ("en", "half an hour earlier", "19:30"),
        ("en", "in the morning", "08:00"),
        ("en", "and change it to nine", "21:00"),
        ("de", "doch lieber um neun", "21:00"),
        ("de", "nein, um halb sieben", "18:30"),
        ("de", "eine Stunde später", "21:00"),
        ("es", "no, mejor a las nueve", "21:00"),
        ("es", "media hora antes", "19:30"),
        ("fr", "non, plutôt à 21 heures", "21:00"),
        ("fr", "une demi-heure plus tôt", "19:30"),
        ("it", "no, meglio alle nove", "21:00"),
        ("it", "un'ora più tardi", "21:00"),
        ("nl", "nee, toch liever om negen uur", "21:00"),
        ("nl", "maak er half zeven van", "18:30"),
        ("pl", "nie, lepiej o dziewiątej", "21:00"),
        ("pl", "godzinę później", "21:00"),
        ("pt", "não, melhor às nove", "21:00"),
        ("pt", "meia hora antes", "19:30"),
        ("sv", "nej, hellre klockan nio", "21:00"),
        ("sv", "en timme senare", "21:00"),
        ("en", "no eight is too early make it nine", "21:00"),
        ("de", "nein acht ist zu früh mach neun", "21:00"),
        ("es", "no a las ocho es muy pronto ponlo a las nueve", "21:00"),
        ("fr", "non vingt heures c'est trop tôt mets vingt et une heures", "21:00"),
        ("it", "no alle otto è troppo presto metti alle nove", "21:00"),
        ("nl", "nee acht uur is te vroeg doe maar negen uur", "21:00"),
        ("pl", "nie ósma to za wcześnie ustaw na dziewiątą", "21:00"),
        ("pt", "não às oito é muito cedo mete às nove", "21:00"),
        ("sv", "nej åtta är för tidigt ta nio", "21:00"),
        ("en", "um half an hour earlier then", "19:30"),
        ("de", "ähm eine Stunde später", "21:00"),
        ("es", "eh media hora antes", "19:30"),
        ("fr", "euh une heure plus tard", "21:00"),
        ("it", "ehm un'ora più tardi", "21:00"),
        ("nl", "eh een uur later", "21:00"),
        ("pl", "hm godzinę później", "21:00"),
        ("pt", "hum meia hora antes", "19:30"),
        ("sv", "öh en timme senare", "21:00"),
        ("en", "it's nine after all", "21:00"),
        ("de", "es ist doch um neun", "21:00"),
        ("es", "no, son las nueve", "21:00"),
        ("fr", "finalement c'est à neuf heures", "21:00"),
        ("it", "no, sono le nove", "21:00"),
        ("nl", "het wordt toch negen uur", "21:00"),
        ("pl", "to jednak będzie o dziewiątej", "21:00"),
        ("pt", "afinal é às nove", "21:00"),
        ("sv", "nej nio är bättre", "21:00"),
        ("en", "sorry I meant quarter past", "20:15"),
        ("de", "sorry ich meinte viertel nach", "20:15"),
        ("es", "perdona quería decir y cuarto", "20:15"),
        ("fr", "pardon je voulais dire et quart", "20:15"),
        ("it", "scusa intendevo e un quarto", "20:15"),
        ("nl", "sorry ik bedoelde kwart over", "20:15"),
        ("pl", "przepraszam miałem na myśli kwadrans po", "20:15"),
        ("pt", "desculpa queria dizer e um quarto", "20:15"),
        ("sv", "förlåt jag menade kvart över", "20:15"),
        ("en", "no not at eight at half past eight", "20:30"),
        ("en", "at eight no at half past eight", "20:30"),
        ("de", "um acht nicht um halb neun", "20:30"),
        ("es", "no a las ocho no a las ocho y media", "20:30"),
        ("es", "a las ocho no, a las ocho y media", "20:30"),
        ("fr", "non pas vingt heures vingt heures trente", "20:30"),
        ("it", "no non alle otto alle otto e mezza", "20:30"),
        ("nl", "nee niet acht uur half negen", "20:30"),
        ("pl", "nie o ósmej nie o wpół do dziewiątej", "20:30"),
        ("pt", "não é às oito é às oito e meia", "20:30"),
        ("sv", "inte klockan åtta utan halv nio", "20:30"),
        ("en", "move it to nine", "21:00"),
        ("de", "verleg das auf neun", "21:00"),
        ("es", "cámbialo a las nueve", "21:00"),
        ("fr", "décale à neuf heures", "21:00"),
        ("it", "sposta alle nove", "21:00"),
        ("nl", "verplaats naar negen uur", "21:00"),
        ("pl", "przełóż na dziewiątą", "21:00"),
        ("pt", "muda para as nove", "21:00"),
        ("sv", "byt till nio", "21:00"),
        ("en", "hang on, half past", "20:30"),
        ("en", "hm on second thoughts at nine", "21:00"),
        ("en", "half nine is early enough", "21:30"),
        ("de", "ach halb neun reicht auch", "20:30"),
        ("de", "das Ganze erst um neun", "21:00"),
        ("es", "a las nueve me vale", "21:00"),
        ("fr", "ou plutôt vingt et une heures ça suffit", "21:00"),
        ("it", "spera, alle nove", "21:00"),
        ("it", "anzi fai tutto alle nove", "21:00"),
        ("nl", "wacht, half negen is ook goed", "20:30"),
        ("pl", "wystarczy o dziewiątej", "21:00"),
        ("pt", "antes tudo às nove", "21:00"),
        ("sv", "nja ta halv nio i stället", "20:30"),
    ],
)
async def test_another_time_is_for_what_was_just_planned(
    hass: HomeAssistant, speak: Setup, language: str, text: str, due: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    [before] = await planned(hass)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Floor Lamp" in said.reply
    [after] = await planned(hass)
    assert after["id"] != before["id"]
    moment = dt_util.as_local(_due(after))
    assert f"{moment:%H:%M}" == due
    assert moment.date() == dt_util.as_local(_due(before)).date()


def _due(command: dict[str, Any]) -> datetime:
    """Return when a command is due."""
    found = dt_util.parse_datetime(str(command["due"]))
    assert found
    return found


_READING = "light.reading_lamp"
_WEDNESDAYS = (
    "wednesday",
    "mittwoch",
    "miércoles",
    "mercredi",
    "mercoledì",
    "woensdag",
    "śro",
    "quarta",
    "onsdag",
)


@in_one_house(
    ("language", "text"),
    [
        ("en", "no, the reading lamp"),
        ("en", "the reading lamp instead"),
        ("en", "I meant the reading lamp"),
        ("en", "not the floor lamp, the reading lamp"),
        ("en", "the reading lamp, not the floor lamp"),
        ("de", "nein, die Reading Lamp"),
        ("de", "lieber die Reading Lamp"),
        ("de", "nicht die Floor Lamp, die Reading Lamp"),
        ("es", "no, Reading Lamp"),
        ("es", "mejor Reading Lamp"),
        ("fr", "non, Reading Lamp"),
        ("fr", "plutôt Reading Lamp"),
        ("it", "no, Reading Lamp"),
        ("it", "meglio Reading Lamp"),
        ("nl", "nee, de Reading Lamp"),
        ("nl", "toch liever de Reading Lamp"),
        ("pl", "nie, Reading Lamp"),
        ("pl", "lepiej Reading Lamp"),
        ("pt", "não, Reading Lamp"),
        ("pt", "melhor Reading Lamp"),
        ("sv", "nej, Reading Lamp"),
        ("sv", "hellre Reading Lamp"),
        ("en", "not the floor lamp but the reading lamp"),
        ("de", "nicht die, sondern die Reading Lamp"),
        ("de", "nicht die Floor Lamp sondern Reading Lamp"),
        ("es", "no Floor Lamp sino Reading Lamp"),
        ("fr", "pas Floor Lamp mais Reading Lamp"),
        ("it", "non Floor Lamp ma Reading Lamp"),
        ("nl", "niet Floor Lamp maar Reading Lamp"),
        ("pl", "nie Floor Lamp tylko Reading Lamp"),
        ("pt", "não Floor Lamp mas sim Reading Lamp"),
        ("sv", "inte Floor Lamp utan Reading Lamp"),
        ("sv", "inte den utan Reading Lamp"),
    ],
)
async def test_another_thing_is_planned_instead_and_nothing_is_done_now(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    [before] = await planned(hass)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Reading Lamp" in said.reply
    assert "Floor Lamp" not in said.reply
    [after] = await planned(hass)
    assert abs((_due(after) - _due(before)).total_seconds()) < 1


@in_one_house(
    ("plan", "text", "told", "others"),
    [
        ("turn on the floor lamp at six", "no, off", "turn off Floor Lamp", ""),
        ("set the bedroom heating to 19 at six", "to 20 instead of 19", "20 °C", "19 °C"),
        ("set the bedroom heating to 19 at six", "no, 20 degrees", "20 °C", "19 °C"),
        ("turn on the lights at six", "only the bedroom ones", "Bedroom", "Kitchen"),
        (
            "turn on the floor lamp and the reading lamp at six",
            "only the reading lamp",
            "Reading Lamp",
            "Floor Lamp",
        ),
        (
            "turn on the floor lamp and the reading lamp at six",
            "not the floor lamp",
            "Reading Lamp",
            "Floor Lamp",
        ),
        (
            "turn on the floor lamp when the front door opens",
            "no, the reading lamp",
            "When the front door opens I'll turn on Reading Lamp",
            "Floor Lamp",
        ),
    ],
)
async def test_a_part_of_what_was_just_planned_is_said_anew(  # noqa: PLR0917
    hass: HomeAssistant, speak: Setup, plan: str, text: str, told: str, others: str
) -> None:
    speaker = await speak()
    await speaker.say(plan, area="Kitchen")
    said = await speaker.say(text, area="Kitchen")
    assert not said.changes
    assert told in said.reply
    assert not others or others not in said.reply
    assert len(await planned(hass)) == 1


# What repeats every day, a yes to it, and what changes it: to which weekdays (0 for Monday), and at what time.
_DAILY = {
    "en": "turn on the floor lamp every day at 06:00",
    "de": "schalte die Floor Lamp jeden Tag um 06:00 Uhr ein",
    "es": "enciende Floor Lamp todos los días a las 06:00",
    "fr": "allume Floor Lamp tous les jours à 06:00",
    "it": "accendi Floor Lamp ogni giorno alle 06:00",
    "nl": "zet de Floor Lamp elke dag om 06:00 aan",
    "pl": "włącz Floor Lamp codziennie o 06:00",
    "pt": "liga Floor Lamp todos os dias às 06:00",
    "sv": "tänd Floor Lamp varje dag klockan 06:00",
}
_YES = {
    "en": "yes", "de": "ja", "es": "sí", "fr": "oui", "it": "sì", "nl": "ja", "pl": "tak", "pt": "sim", "sv": "ja",
}  # fmt: skip
_NO = {
    "en": "no", "de": "nein", "es": "no", "fr": "non", "it": "no", "nl": "nee", "pl": "nie", "pt": "não", "sv": "nej",
}  # fmt: skip
_WEEKDAYS = [0, 1, 2, 3, 4]
_NOT_SUNDAYS = [*_WEEKDAYS, 5]
_CHANGES = [
    ("en", "make it half past six", "06:30", []),
    ("en", "leave it off at weekends though", "06:00", _WEEKDAYS),
    ("en", "don't turn it on at weekends", "06:00", _WEEKDAYS),
    ("de", "mach lieber halb sieben draus", "06:30", []),
    ("de", "am Wochenende lass es aus", "06:00", _WEEKDAYS),
    ("de", "am Wochenende brauchst du das nicht", "06:00", _WEEKDAYS),
    ("es", "mejor a las seis y media", "06:30", []),
    ("es", "los fines de semana déjalo", "06:00", _WEEKDAYS),
    ("es", "los domingos no hace falta", "06:00", _NOT_SUNDAYS),
    ("fr", "mets plutôt six heures et demie", "06:30", []),
    ("fr", "le week-end laisse tomber", "06:00", _WEEKDAYS),
    ("fr", "pas besoin le dimanche", "06:00", _NOT_SUNDAYS),
    ("it", "facciamo alle sei e mezza", "06:30", []),
    ("it", "anzi di sabato e domenica lasciala stare", "06:00", _WEEKDAYS),
    ("it", "la domenica non serve", "06:00", _NOT_SUNDAYS),
    ("nl", "maak er half zeven van", "06:30", []),
    ("nl", "in het weekend laat maar", "06:00", _WEEKDAYS),
    ("nl", "zondag hoeft niet", "06:00", _NOT_SUNDAYS),
    ("pl", "zmień na wpół do siódmej", "06:30", []),
    ("pl", "w weekendy sobie daruj", "06:00", _WEEKDAYS),
    ("pl", "w niedziele nie trzeba", "06:00", _NOT_SUNDAYS),
    ("pt", "muda para as seis e meia", "06:30", []),
    ("pt", "ao fim de semana deixa estar", "06:00", _WEEKDAYS),
    ("pt", "ao domingo não é preciso", "06:00", _NOT_SUNDAYS),
    ("sv", "ta halv sju istället", "06:30", []),
    ("sv", "på helgerna kan du låta bli", "06:00", _WEEKDAYS),
    ("sv", "på söndagar behövs det inte", "06:00", _NOT_SUNDAYS),
]


def _repeated(hass: HomeAssistant) -> dict[tuple[int, ...], str]:
    """Return at what time something repeats, by the weekdays on which it does."""
    starts = [each.schedule.start for each in assistant_of(hass).delayed.waiting]
    return {
        start.weekdays: f"{start.clock:%H:%M}"
        for start in starts
        if isinstance(start, Repeated) and start.clock
    }


@in_one_house(("language", "text", "clock", "days"), _CHANGES)
async def test_what_repeats_is_replaced_after_a_yes(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    language: str,
    text: str,
    clock: str,
    days: list[int],
) -> None:
    speaker = await speak()
    admin = Context(user_id=(await person(hass, admin=True)).id)
    for each in (_DAILY[language], _YES[language]):
        await speaker.say(each, language=language, context=admin)
    [before] = await planned(hass, admin)
    asked = await speaker.say(text, language=language, context=admin)
    assert asked.result.continue_conversation, asked.reply
    say = (await async_get_language(hass, language)).say
    assert asked.reply.endswith(say("delayed.change", plan="")), asked.reply
    assert [each["id"] for each in await planned(hass, admin)] == [before["id"]]
    await speaker.say(_YES[language], language=language, context=admin)
    [after] = await planned(hass, admin)
    assert after["id"] != before["id"]
    assert _repeated(hass) == {tuple(days): clock}


@in_one_house("language", list(_DAILY))
async def test_what_repeats_stays_after_a_no_and_that_is_said(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, language: str
) -> None:
    speaker = await speak()
    admin = Context(user_id=(await person(hass, admin=True)).id)
    text = next(text for code, text, *_ in _CHANGES if code == language)
    for each in (_DAILY[language], _YES[language], text):
        await speaker.say(each, language=language, context=admin)
    before = await planned(hass, admin)
    said = await speaker.say(_NO[language], language=language, context=admin)
    assert not said.result.continue_conversation
    assert "Floor Lamp" in said.reply
    assert "06" in said.reply
    assert await planned(hass, admin) == before


@in_one_house(
    ("language", "plan", "text"),
    [
        ("en", "turn on the floor lamp every weekday at 06:00", "do it on saturdays as well"),
        ("de", "schalte die Floor Lamp jeden Werktag um 06:00 Uhr ein", "samstags bitte auch"),
        ("es", "enciende Floor Lamp de lunes a viernes a las 06:00", "los sábados también"),
        ("fr", "allume Floor Lamp du lundi au vendredi à 06:00", "le samedi aussi"),
        ("it", "accendi Floor Lamp dal lunedì al venerdì alle 06:00", "anche il sabato"),
        ("nl", "zet de Floor Lamp elke werkdag om 06:00 aan", "zaterdag ook graag"),
        ("pl", "włącz Floor Lamp w dni robocze o 06:00", "w soboty też"),
        ("pt", "liga Floor Lamp nos dias úteis às 06:00", "ao sábado também"),
        ("sv", "tänd Floor Lamp på vardagar klockan 06:00", "på lördagar också"),
    ],
)
async def test_other_days_are_added_to_what_repeats(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    language: str,
    plan: str,
    text: str,
) -> None:
    speaker = await speak()
    admin = Context(user_id=(await person(hass, admin=True)).id)
    for each in (plan, _YES[language], text, _YES[language]):
        await speaker.say(each, language=language, context=admin)
    assert _repeated(hass) == {tuple(_NOT_SUNDAYS): "06:00"}


@in_one_house(
    ("language", "weekdays", "saturdays", "text"),
    [
        (
            "en",
            "turn on the floor lamp every weekday at 06:00",
            "turn on the reading lamp every saturday at 06:00",
            "change the weekday one to seven",
        ),
        (
            "de",
            "schalte die Floor Lamp werktags um 06:00 Uhr ein",
            "schalte die Reading Lamp jeden Samstag um 06:00 Uhr ein",
            "stell das unter der Woche auf sieben",
        ),
        (
            "es",
            "enciende Floor Lamp de lunes a viernes a las 06:00",
            "enciende Reading Lamp todos los sábados a las 06:00",
            "cambia lo de lunes a viernes a las siete",
        ),
        (
            "fr",
            "allume Floor Lamp du lundi au vendredi à 06:00",
            "allume Reading Lamp tous les samedis à 06:00",
            "décale celui du lundi au vendredi à sept heures",
        ),
        (
            "it",
            "accendi Floor Lamp dal lunedì al venerdì alle 06:00",
            "accendi Reading Lamp ogni sabato alle 06:00",
            "sposta quello dal lunedì al venerdì alle sette",
        ),
        (
            "nl",
            "zet de Floor Lamp op werkdagen om 06:00 aan",
            "zet de Reading Lamp elke zaterdag om 06:00 aan",
            "verzet die op werkdagen naar zeven uur",
        ),
        (
            "pl",
            "włącz Floor Lamp w dni robocze o 06:00",
            "włącz Reading Lamp w każdą sobotę o 06:00",
            "przesuń to w dni robocze na siódmą",
        ),
        (
            "pt",
            "liga Floor Lamp nos dias úteis às 06:00",
            "liga Reading Lamp todos os sábados às 06:00",
            "muda a dos dias úteis para as sete",
        ),
        (
            "sv",
            "tänd Floor Lamp på vardagar klockan 06:00",
            "tänd Reading Lamp varje lördag klockan 06:00",
            "flytta det på vardagar till sju",
        ),
    ],
)
async def test_of_what_repeats_that_is_changed_which_is_named_by_its_days(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    language: str,
    weekdays: str,
    saturdays: str,
    text: str,
) -> None:
    speaker = await speak()
    admin = Context(user_id=(await person(hass, admin=True)).id)
    yes = _YES[language]
    for each in (weekdays, yes, saturdays, yes, text, yes):
        await speaker.say(each, language=language, context=admin)
    assert _repeated(hass) == {tuple(_WEEKDAYS): "07:00", (5,): "06:00"}


@in_one_house(
    ("language", "text"),
    [
        ("en", "move the floor lamp to half past eight in the evening"),
        ("de", "verschieb die Floor Lamp auf 20:30 Uhr"),
        ("es", "cambia Floor Lamp a las 20:30"),
        ("fr", "mets plutôt vingt heures trente pour Floor Lamp"),
        ("it", "sposta Floor Lamp alle 20:30"),
        ("nl", "verzet de Floor Lamp naar 20:30"),
        ("pl", "przesuń Floor Lamp na 20:30"),
        ("pt", "muda Floor Lamp para as 20:30"),
        ("sv", "flytta Floor Lamp till klockan 20:30"),
    ],
)
async def test_what_is_planned_is_moved_by_the_name_of_what_it_is_for(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    await speaker.say("turn off the reading lamp tomorrow at 9 pm")
    assert not (await speaker.say(text, language=language)).changes
    assert sorted(f"{dt_util.as_local(_due(each)):%H:%M}" for each in await planned(hass)) == [
        "20:30",
        "21:00",
    ]


@in_one_house(
    ("language", "joint", "text"),
    [
        ("en", "and", "forget the floor lamp"),
        ("de", "und", "vergiss die Floor Lamp"),
        ("es", "y", "olvida Floor Lamp"),
        ("es", "y", "quita lo de Floor Lamp"),
        ("fr", "et", "oublie Floor Lamp"),
        ("fr", "et", "pour Floor Lamp laisse tomber"),
        ("it", "e", "dimentica Floor Lamp"),
        ("nl", "en", "vergeet de Floor Lamp"),
        ("pl", "i", "anuluj Floor Lamp"),
        ("pt", "e", "esquece Floor Lamp"),
        ("sv", "och", "glöm Floor Lamp"),
        ("en", "and", "leave the floor lamp out of it"),
        ("en", "and", "but not the floor lamp though"),
        ("en", "and", "all except the floor lamp"),
        ("de", "und", "die Floor Lamp lass mal weg"),
        ("de", "und", "alle außer der Floor Lamp"),
        ("es", "y", "Floor Lamp déjala"),
        ("es", "y", "bueno todas menos Floor Lamp"),
        ("fr", "et", "mais pas Floor Lamp"),
        ("fr", "et", "toutes sauf Floor Lamp"),
        ("it", "e", "Floor Lamp lasciala stare"),
        ("it", "e", "tutte tranne Floor Lamp"),
        ("nl", "en", "laat Floor Lamp maar zitten"),
        ("nl", "en", "allemaal behalve de Floor Lamp"),
        ("pl", "i", "ale Floor Lamp nie"),
        ("pl", "i", "wszystkie oprócz Floor Lamp"),
        ("pt", "e", "mas Floor Lamp não"),
        ("pt", "e", "todas menos Floor Lamp"),
        ("sv", "och", "men inte Floor Lamp"),
        ("sv", "och", "alla utom Floor Lamp"),
        ("en", "and", "no leave the floor lamp off"),
        ("en", "and", "but leave the floor lamp"),
        ("en", "and", "just the reading lamp actually"),
        ("en", "and", "don't touch the floor lamp just do the reading lamp"),
        ("de", "und", "nee die Floor Lamp lass aus"),
        ("de", "und", "ach die Floor Lamp kann ausbleiben"),
        ("de", "und", "nur die Reading Lamp"),
        ("de", "und", "die Floor Lamp lass aber aus mach nur die Reading Lamp"),
        ("es", "y", "no Floor Lamp déjala apagada"),
        ("es", "y", "no, solo Reading Lamp"),
        ("fr", "et", "ah non laisse Floor Lamp éteinte"),
        ("fr", "et", "ne touche pas à Floor Lamp juste Reading Lamp"),
        ("fr", "et", "seulement Reading Lamp"),
        ("it", "e", "no Floor Lamp lasciala spenta"),
        ("it", "e", "anzi solo Reading Lamp"),
        ("nl", "en", "nee laat de Floor Lamp maar uit"),
        ("nl", "en", "alleen de Reading Lamp"),
        ("pl", "i", "Floor Lamp zostaw wyłączoną"),
        ("pl", "i", "Floor Lamp jednak nie ruszaj zostaw samą Reading Lamp"),
        ("pl", "i", "tylko Reading Lamp"),
        ("pt", "e", "a Floor Lamp deixa desligada"),
        ("pt", "e", "só a Reading Lamp"),
        ("sv", "och", "nej låt Floor Lamp vara släckt"),
        ("sv", "och", "bara Reading Lamp"),
    ],
)
async def test_one_thing_of_several_is_taken_back(
    hass: HomeAssistant, speak: Setup, language: str, joint: str, text: str
) -> None:
    speaker = await speak()
    plan = PLANS[language].replace("floor lamp", "Floor Lamp")
    plan = plan.replace("Floor Lamp", f"Floor Lamp {joint} Reading Lamp")
    await speaker.say(plan, language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Floor Lamp" not in said.reply
    [left] = assistant_of(hass).delayed.waiting
    assert [target for call in left.calls for target in call.targets] == [_READING]


@in_one_house(
    ("language", "text"),
    [
        ("en", "but only at 20 percent"),
        ("de", "aber nur auf 20 Prozent"),
        ("es", "pero solo al 20 por ciento"),
        ("fr", "mais seulement à 20 pour cent"),
        ("it", "ma solo al 20 per cento"),
        ("nl", "maar alleen op 20 procent"),
        ("pl", "ale tylko na 20 procent"),
        ("pt", "mas só a 20 por cento"),
        ("sv", "men bara på 20 procent"),
    ],
)
async def test_a_smaller_value_is_for_what_was_just_planned(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    ar.async_get(hass).async_get_or_create("Barnrummet")
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    await speaker.say(text, language=language)
    [left] = assistant_of(hass).delayed.waiting
    assert [(each.data, each.targets) for each in left.calls] == [({"brightness_pct": 20}, (LAMP,))]


@in_one_house(
    ("language", "text"),
    [
        ("en", "all of it at midnight instead"),
        ("de", "alles erst um Mitternacht"),
        ("es", "todo a medianoche mejor"),
        ("fr", "tout à minuit plutôt"),
        ("it", "anzi fai tutto a mezzanotte"),
        ("nl", "doe alles maar om middernacht"),
        ("pl", "wszystko jednak o północy"),
        ("pt", "antes tudo à meia-noite"),
        ("sv", "allt vid midnatt i stället"),
    ],
)
async def test_all_that_was_planned_is_for_another_time(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    plan = PLANS[language]
    await speaker.say(plan, language=language)
    await speaker.say(
        plan.replace("floor lamp", "Floor Lamp").replace("Floor", "Reading"), language=language
    )
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert [
        f"{dt_util.as_local(each.due):%H:%M}" for each in assistant_of(hass).delayed.waiting
    ] == [
        "00:00",
        "00:00",
    ], said.reply


@in_one_house(
    ("language", "text", "values"),
    [
        ("en", "make it blue", {"brightness_pct": 30, "color_name": "blue"}),
        ("de", "mach sie blau", {"brightness_pct": 30, "color_name": "blue"}),
        ("es", "ponla azul mejor", {"brightness_pct": 30, "color_name": "blue"}),
        ("es", "ponla al 40 por ciento", {"brightness_pct": 40}),
        ("it", "mettila al 40 per cento", {"brightness_pct": 40}),
        ("nl", "dim hem tot 40", {"brightness_pct": 40}),
    ],
)
async def test_what_is_set_by_a_pronoun_is_planned_beside_what_was_set(
    hass: HomeAssistant, speak: Setup, language: str, text: str, values: dict[str, Any]
) -> None:
    plans = {
        "en": "set the floor lamp to 30 percent tomorrow at 8 pm",
        "de": "stell die Floor Lamp morgen um 20 Uhr auf 30 Prozent",
        "es": "pon Floor Lamp al 30 por ciento mañana a las 20:00",
        "it": "metti Floor Lamp al 30 per cento domani alle 20",
        "nl": "zet de Floor Lamp morgen om 20:00 op 30 procent",
    }
    speaker = await speak()
    await speaker.say(plans[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    [left] = assistant_of(hass).delayed.waiting
    assert {name: value for call in left.calls for name, value in call.data.items()} == values


@in_one_house(
    ("language", "plan", "text", "told"),
    [
        (
            "en",
            "tell me when the outdoor temperature drops below 3 degrees",
            "no, 2 degrees",
            "below 2",
        ),
        ("en", "tell me when the outdoor temperature drops below 3 degrees", "not 3, 2", "below 2"),
        (
            "de",
            "sag mir Bescheid wenn die Outdoor Temperature unter 3 Grad fällt",
            "nein, erst unter 2",
            "unter 2",
        ),
    ],
)
async def test_another_number_is_waited_for(  # noqa: PLR0917
    hass: HomeAssistant, speak: Setup, language: str, plan: str, text: str, told: str
) -> None:
    hass.states.async_set(
        "sensor.outdoor_temperature",
        "9",
        {
            "device_class": "temperature",
            "unit_of_measurement": "°C",
            "friendly_name": "Outdoor Temperature",
        },
    )
    async_expose_entity(hass, "conversation", "sensor.outdoor_temperature", should_expose=True)
    speaker = await speak()
    await speaker.say(plan, language=language)
    [before] = await planned(hass)
    said = await speaker.say(text, language=language)
    assert told in said.reply
    [after] = await planned(hass)
    assert after["id"] != before["id"]


@in_one_house(
    ("language", "text"),
    [
        ("en", "set it to 30 percent"),
        ("en", "dim it to 30"),
        ("en", "the other lamp instead"),
        ("de", "dimm sie auf 30"),
        ("fr", "baisse-la à 30"),
        ("nl", "dim hem tot 30"),
    ],
)
async def test_what_goes_on_with_a_plan_is_not_done_now(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language, area="Kitchen")
    assert not (await speaker.say(text, language=language, area="Kitchen")).changes
    assert len(await planned(hass)) == 1


@in_one_house(
    ("text", "changed"),
    [
        ("please turn on the reading lamp", _READING),
        ("okay, reading lamp on", _READING),
        ("and turn on the reading lamp now", _READING),
        ("turn on the reading lamp right away too", _READING),
    ],
)
async def test_a_whole_command_right_after_a_plan_is_for_now(
    hass: HomeAssistant, speak: Setup, text: str, changed: str
) -> None:
    hass.states.async_set(changed, "off", hass.states.get(changed).attributes)  # type: ignore[union-attr]
    speaker = await speak()
    await speaker.say(PLANS["en"])
    [before] = await planned(hass)
    await speaker.say(text)
    assert changed in {
        target for call in speaker.calls for target in call["service_data"]["entity_id"]
    }
    assert [each["id"] for each in await planned(hass)] == [before["id"]]


@in_one_house(
    ("plan", "text", "seconds"),
    [
        ("turn on the floor lamp in ten minutes", "make it twenty minutes", 1200),
        ("turn on the floor lamp for an hour", "make it two hours", 7200),
        ("turn on the floor lamp for an hour", "no, for half an hour", 1800),
    ],
)
async def test_another_duration_is_for_what_was_just_planned(
    hass: HomeAssistant, speak: Setup, plan: str, text: str, seconds: int
) -> None:
    speaker = await speak()
    await speaker.say(plan)
    said = await speaker.say(text)
    assert not said.changes
    [command] = await planned(hass)
    assert abs(command["seconds_left"] - seconds) < 10
    assert LAMP in await later(hass, seconds + 60)


@in_one_house(
    "text",
    [
        "never mind the radio",
        "never mind the kitchen pendant",
        "turn on the kitchen pendant",
        "is it eight already",
    ],
)
async def test_what_is_no_time_changes_no_plan(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say("set the bedroom heating to 21 degrees tomorrow at 8 pm")
    before = await planned(hass)
    await speaker.say(text)
    after = await planned(hass)
    assert [each["id"] for each in after] == [each["id"] for each in before]


async def test_another_time_is_refused_where_the_plan_would_be(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(PLANS["en"])
    before = await planned(hass)
    await obey(hass, rule(domain=["light"]))
    assert REFUSED in (await speaker.say("better at nine")).reply
    assert [each["id"] for each in await planned(hass)] == [each["id"] for each in before]


@in_one_house(
    ("language", "plan", "text"),
    [
        ("en", "turn on the floor lamp at six on workdays", "yes, in the morning"),
        ("en", "turn on the floor lamp every day at eight", "no, at six in the morning"),
        ("de", "schalte die Floor Lamp jeden Tag um sechs ein", "ja, morgens"),
        ("es", "enciende Floor Lamp todos los días a las seis", "sí, por la mañana"),
        ("fr", "allume Floor Lamp tous les jours à 18 heures", "non, à six heures du matin"),
        ("it", "accendi Floor Lamp ogni giorno alle sei", "sì, di mattina"),
        ("nl", "zet de Floor Lamp elke dag om zes uur aan", "ja, 's ochtends"),
        ("pl", "włącz Floor Lamp codziennie o szóstej", "tak, rano"),
        ("pt", "liga Floor Lamp todos os dias às seis", "sim, de manhã"),
        ("sv", "tänd Floor Lamp varje dag klockan sex", "ja, på morgonen"),
        ("sv", "tänd Floor Lamp varje dag klockan tio", "nej sex är bättre"),
        ("pt", "liga Floor Lamp todos os dias às dez", "afinal é às seis"),
        *(
            (language, f"{turned_on} {days}", text)
            for language, turned_on, days, text in (
                (
                    "en",
                    "turn on the floor lamp",
                    "on Mondays and Wednesdays at 06:00",
                    "not on Wednesday though",
                ),
                (
                    "de",
                    "schalte die Floor Lamp",
                    "jeden Montag und Mittwoch um 06:00 Uhr ein",
                    "mittwochs aber nicht",
                ),
                (
                    "es",
                    "enciende Floor Lamp",
                    "todos los lunes y miércoles a las 06:00",
                    "los miércoles no",
                ),
                (
                    "fr",
                    "allume Floor Lamp",
                    "tous les lundis et mercredis à 06:00",
                    "pas le mercredi par contre",
                ),
                (
                    "it",
                    "accendi Floor Lamp",
                    "ogni lunedì e mercoledì alle 06:00",
                    "il mercoledì no però",
                ),
                (
                    "nl",
                    "zet de Floor Lamp",
                    "elke maandag en woensdag om 06:00 aan",
                    "maar niet op woensdag",
                ),
                (
                    "pl",
                    "włącz Floor Lamp",
                    "w każdy poniedziałek i środę o 06:00",
                    "w środę jednak nie",
                ),
                ("pt", "liga Floor Lamp", "todas as segundas e quartas às 06:00", "à quarta não"),
                (
                    "sv",
                    "tänd Floor Lamp",
                    "varje måndag och onsdag klockan 06:00",
                    "fast inte på onsdagar",
                ),
            )
        ),
        *(
            (language, f"{turned_on} {days}", text)
            for language, turned_on, days, texts in (
                (
                    "en",
                    "turn on the floor lamp",
                    "on Mondays and Wednesdays at 06:00",
                    ("just Mondays actually", "only on Monday please"),
                ),
                (
                    "de",
                    "schalte die Floor Lamp",
                    "jeden Montag und Mittwoch um 06:00 Uhr ein",
                    ("doch nur montags", "nur am Montag"),
                ),
                (
                    "es",
                    "enciende Floor Lamp",
                    "todos los lunes y miércoles a las 06:00",
                    ("mejor solo los lunes",),
                ),
                (
                    "fr",
                    "allume Floor Lamp",
                    "tous les lundis et mercredis à 06:00",
                    ("seulement le lundi finalement",),
                ),
                (
                    "it",
                    "accendi Floor Lamp",
                    "ogni lunedì e mercoledì alle 06:00",
                    ("anzi solo il lunedì",),
                ),
                (
                    "nl",
                    "zet de Floor Lamp",
                    "elke maandag en woensdag om 06:00 aan",
                    ("doe toch maar alleen maandag", "alleen op maandag"),
                ),
                (
                    "pl",
                    "włącz Floor Lamp",
                    "w każdy poniedziałek i środę o 06:00",
                    ("jednak tylko w poniedziałki",),
                ),
                (
                    "pt",
                    "liga Floor Lamp",
                    "todas as segundas e quartas às 06:00",
                    ("afinal só às segundas",),
                ),
                (
                    "sv",
                    "tänd Floor Lamp",
                    "varje måndag och onsdag klockan 06:00",
                    ("bara på måndagar förresten",),
                ),
            )
            for text in texts
        ),
    ],
)
async def test_another_time_is_asked_about_again(
    hass: HomeAssistant, speak: Setup, language: str, plan: str, text: str
) -> None:
    speaker = await speak()
    admin = Context(user_id=(await person(hass, admin=True)).id)
    await speaker.say(plan, language=language, context=admin)
    asked = await speaker.say(text, language=language, context=admin)
    assert asked.result.continue_conversation
    assert "06" in asked.reply
    assert not any(each in asked.reply.casefold() for each in _WEDNESDAYS)
    assert await planned(hass, admin) == []


# Plans with a value and a time, which are asked about, and a correction of either.
_REPEATED = {
    "en": "every evening at ten set the floor lamp to fifteen percent",
    "de": "jeden Abend um zehn stell die Floor Lamp auf fünfzehn Prozent",
    "es": "cada noche a las diez pon Floor Lamp al quince por ciento",
    "fr": "tous les soirs à dix heures mets Floor Lamp à quinze pour cent",
    "it": "ogni sera alle dieci metti Floor Lamp al quindici per cento",
    "nl": "elke avond om tien uur zet Floor Lamp op vijftien procent",
    "pl": "co wieczór o dziesiątej ustaw Floor Lamp na piętnaście procent",
    "pt": "todas as noites às dez põe Floor Lamp a quinze por cento",
    "sv": "varje kväll klockan tio ställ Floor Lamp på femton procent",
}


@in_one_house(
    ("language", "text", "told"),
    [
        ("en", "not fifteen, sixteen", ("22:00", "16%")),
        ("en", "sixteen, not fifteen", ("22:00", "16%")),
        ("en", "not ten but eleven", ("23:00", "15%")),
        ("en", "not 10 but 11", ("23:00", "15%")),
        ("de", "nicht fünfzehn sondern sechzehn", ("22:00", "16 %")),
        ("de", "nicht zehn sondern elf", ("23:00", "15 %")),
        ("es", "quince no, dieciséis", ("22:00", "16 %")),
        ("es", "no a las diez sino a las once", ("23:00", "15 %")),
        ("fr", "pas quinze mais seize", ("22h00", "16 %")),
        ("it", "non quindici ma sedici", ("22:00", "16%")),
        ("nl", "niet vijftien maar zestien", ("22:00", "16%")),
        ("pl", "nie piętnaście tylko szesnaście", ("22:00", "16%")),
        ("pl", "nie o dziesiątej tylko o jedenastej", ("23:00", "15%")),
        ("pt", "não quinze, dezasseis", ("22:00", "16%")),
        ("sv", "inte femton utan sexton", ("22:00", "16 %")),
        ("en", "rather the reading lamp", ("22:00", "Reading Lamp", "15%")),
        ("de", "lieber die Reading Lamp", ("22:00", "Reading Lamp", "15 %")),
        ("es", "mejor Reading Lamp", ("22:00", "Reading Lamp", "15 %")),
        ("fr", "plutôt Reading Lamp", ("22h00", "Reading Lamp", "15 %")),
        ("it", "meglio Reading Lamp", ("22:00", "Reading Lamp", "15%")),
        ("nl", "liever Reading Lamp", ("22:00", "Reading Lamp", "15%")),
        ("pl", "raczej Reading Lamp", ("22:00", "Reading Lamp", "15%")),
        ("pt", "põe antes Reading Lamp", ("22:00", "Reading Lamp", "15%")),
        ("sv", "hellre Reading Lamp", ("22:00", "Reading Lamp", "15 %")),
    ],
)
async def test_what_is_asked_about_is_corrected_and_asked_about_again(
    hass: HomeAssistant, speak: Setup, language: str, text: str, told: tuple[str, ...]
) -> None:
    speaker = await speak()
    admin = Context(user_id=(await person(hass, admin=True)).id)
    await speaker.say(_REPEATED[language], language=language, context=admin)
    asked = await speaker.say(text, language=language, context=admin)
    assert asked.result.continue_conversation, asked.reply
    assert not asked.changes
    assert [each for each in told if each not in asked.reply.replace("\xa0", " ")] == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "actually don't"),
        ("de", "doch nicht"),
        ("es", "al final no"),
        ("fr", "finalement non"),
        ("it", "alla fine no"),
        ("it", "anzi no"),
        ("nl", "toch niet"),
        ("pl", "jednak nie"),
        ("pt", "afinal não"),
        ("sv", "nej förresten"),
        ("sv", "nej förresten låt bli"),
        ("de", "nein doch nicht lass sie aus"),
        ("en", "nonsense forget the thing with the floor lamp altogether"),
        ("de", "Quatsch vergiss das mit der Floor Lamp ganz"),
        ("es", "vale pues olvida lo de Floor Lamp"),
        ("fr", "bon oublie le truc pour Floor Lamp"),
        ("it", "senti lascia perdere la cosa di Floor Lamp"),
        ("nl", "ach vergeet dat van de Floor Lamp maar helemaal"),
        ("pl", "dobra odpuść już tę Floor Lamp"),
        ("pt", "olha afinal esquece lá a Floor Lamp"),
        ("sv", "äsch glöm det där med Floor Lamp"),
        ("en", "no leave the floor lamp off"),
        ("de", "nee die Floor Lamp lass aus"),
        ("es", "no deja apagada Floor Lamp"),
        ("fr", "non laisse Floor Lamp éteinte"),
        ("it", "no lascia spenta Floor Lamp"),
        ("nl", "nee laat de Floor Lamp maar uit"),
        ("pl", "Floor Lamp zostaw wyłączoną"),
        ("pt", "a Floor Lamp deixa desligada"),
        ("sv", "nej låt Floor Lamp vara släckt"),
        ("en", "scrap that, we're staying in after all"),
        ("de", "lass gut sein wir bleiben doch daheim"),
        ("es", "cancélalo, al final nos quedamos"),
        ("fr", "annule, finalement on reste"),
        ("it", "annulla, alla fine restiamo a casa"),
        ("nl", "laat maar zitten, we blijven toch thuis"),
        ("pl", "odwołaj to, jednak zostajemy"),
        ("pt", "cancela isso, afinal ficamos em casa"),
        ("sv", "strunta i det, vi blir kvar här"),
        ("en", "forget the floor lamp, Tom's still up"),
        ("es", "olvida lo de Floor Lamp, Mateo sigue despierto"),
        ("pl", "odpuść Floor Lamp, Tomek jeszcze nie śpi"),
        ("sv", "glöm Floor Lamp, Tom är uppe än"),
    ],
)
async def test_what_was_just_planned_is_taken_back(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Floor Lamp" in said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "what have I got planned"),
        ("en", "is anything going to switch on or off later today"),
        ("en", "anything coming up"),
        ("de", "was habe ich geplant"),
        ("de", "geht heute noch was an oder aus"),
        ("es", "¿qué tengo programado?"),
        ("es", "¿se va a encender o apagar algo más tarde?"),
        ("fr", "qu'est-ce que j'ai de prévu"),
        ("fr", "est-ce que quelque chose va s'allumer ou s'éteindre plus tard"),
        ("it", "cosa ho in programma"),
        ("it", "si accende o si spegne qualcosa più tardi"),
        ("nl", "wat heb ik gepland"),
        ("nl", "gaat er straks nog iets aan of uit"),
        ("pl", "co mam zaplanowane"),
        ("pl", "czy coś się dziś włączy albo wyłączy"),
        ("pt", "o que tenho agendado"),
        ("pt", "alguma coisa vai ligar ou desligar mais tarde"),
        ("sv", "vad har jag planerat"),
        ("en", "what time did I say"),
        ("de", "wann hab ich gesagt"),
        ("es", "a qué hora dije"),
        ("fr", "j'ai dit quelle heure"),
        ("it", "a che ora ho detto"),
        ("nl", "hoe laat zei ik"),
        ("pl", "o której mówiłem"),
        ("pt", "a que horas disse"),
        ("sv", "när sa jag"),
        ("sv", "ska något tändas eller släckas senare"),
        ("en", "what's coming up later then"),
        ("en", "what have you got lined up"),
        ("de", "was kommt denn später noch"),
        ("de", "was passiert jetzt morgen noch"),
        ("de", "sag mir nochmal was morgen geplant ist"),
        ("es", "entonces qué tienes apuntado"),
        ("es", "qué va a pasar mañana"),
        ("fr", "redis-moi ce qui est prévu demain"),
        ("fr", "il se passe quoi demain"),
        ("it", "ridimmi cosa è previsto domani"),
        ("it", "cosa succede domani"),
        ("nl", "wat heb je op de planning staan"),
        ("nl", "zeg nog eens wat er morgen gepland is"),
        ("pl", "powtórz co jest zaplanowane na jutro"),
        ("pl", "co się będzie działo jutro"),
        ("pt", "repete lá o que está previsto para amanhã"),
        ("pt", "o que acontece amanhã"),
        ("sv", "säg igen vad som är planerat imorgon"),
        ("sv", "vad händer imorgon"),
        ("en", "what time was that again"),
        ("en", "what have I got planned now"),
        ("de", "wann war das jetzt nochmal"),
        ("de", "was hab ich jetzt alles geplant"),
        ("es", "¿a qué hora era?"),
        ("fr", "c'est à quelle heure déjà"),
        ("it", "a che ora era?"),
        ("nl", "hoe laat is dat dan?"),
        ("pl", "o której to będzie"),
        ("pt", "a que horas?"),
        ("sv", "när var det nu"),
        ("en", "do I have anything else planned"),
        ("en", "when does it go on now"),
        ("de", "wann geht das jetzt an"),
        ("de", "hab ich sonst noch was geplant"),
        ("es", "tengo algo más programado"),
        ("es", "y cuándo se enciende"),
        ("fr", "j'ai autre chose de prévu"),
        ("fr", "et ça s'allume à quelle heure"),
        ("it", "ho altro in programma"),
        ("it", "e quando si accende"),
        ("nl", "wat staat er nu precies gepland"),
        ("nl", "wat heb ik nou allemaal gepland staan"),
        ("nl", "hoe laat gaat dat nu aan"),
        ("pl", "to co ja tam w końcu mam zaplanowane"),
        ("pl", "o której to wypada"),
        ("pt", "e isso é a que horas mesmo"),
        ("pt", "tenho mais alguma coisa marcada"),
        ("sv", "har jag något annat planerat"),
        ("sv", "och när tänds den då"),
    ],
)
async def test_what_is_planned_is_told(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert "Floor Lamp" in said.reply
    assert "20" in said.reply
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "cancel everything that's planned"),
        ("en", "cancel all of it"),
        ("de", "sag alles ab"),
        ("es", "cancela todo eso"),
        ("fr", "annule tout ça"),
        ("it", "annulla tutto quanto"),
        ("nl", "annuleer alles wat gepland staat"),
        ("pl", "anuluj to wszystko"),
        ("pt", "cancela isso tudo"),
        ("sv", "avbryt alltihop"),
    ],
)
async def test_all_that_is_planned_is_cancelled(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    assert "Floor Lamp" in (await speaker.say(text, language=language)).reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text", "due"),
    [
        ("en", "and the reading lamp at ten", "22:00"),
        ("en", "and the reading lamp too", "20:00"),
        ("de", "und die Reading Lamp um zehn", "22:00"),
        ("es", "y Reading Lamp a las diez", "22:00"),
        ("fr", "et Reading Lamp à 22 heures", "22:00"),
        ("it", "e Reading Lamp alle dieci", "22:00"),
        ("nl", "en de Reading Lamp om tien uur", "22:00"),
        ("pl", "i Reading Lamp o dziesiątej", "22:00"),
        ("pt", "e Reading Lamp às dez", "22:00"),
        ("sv", "och Reading Lamp klockan tio", "22:00"),
        ("en", "and the reading lamp at the same time", "20:00"),
        ("es", "y ya que estás también Reading Lamp a la misma hora", "20:00"),
        ("fr", "et Reading Lamp aussi à la même heure", "20:00"),
        ("pt", "e já agora a Reading Lamp à mesma hora", "20:00"),
    ],
)
async def test_the_same_is_planned_for_another_thing(
    hass: HomeAssistant, speak: Setup, language: str, text: str, due: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Reading Lamp" in said.reply
    assert sorted(f"{dt_util.as_local(_due(each)):%H:%M}" for each in await planned(hass)) == [
        "20:00",
        due,
    ]


@in_one_house(
    ("language", "text"),
    [
        ("en", "then dim the reading lamp to 20 percent"),
        ("en", "then do the reading lamp as well"),
        ("en", "and turn on the reading lamp"),
        ("en", "and also turn on the reading lamp then"),
        ("de", "dann schalte auch die Reading Lamp ein"),
        ("de", "und schalte auch die Reading Lamp ein"),
        ("es", "y enciende también Reading Lamp"),
        ("es", "luego enciende Reading Lamp"),
        ("fr", "et allume aussi Reading Lamp"),
        ("fr", "puis allume Reading Lamp"),
        ("it", "e accendi anche Reading Lamp"),
        ("it", "poi accendi Reading Lamp"),
        ("nl", "en zet dan meteen ook de Reading Lamp aan"),
        ("nl", "zet de Reading Lamp ook aan"),
        ("pl", "i włącz wtedy też Reading Lamp"),
        ("pl", "i wtedy też Reading Lamp"),
        ("pt", "e liga também Reading Lamp"),
        ("pt", "e depois liga Reading Lamp"),
        ("sv", "och tänd Reading Lamp då också"),
        ("sv", "och då också Reading Lamp"),
    ],
)
async def test_a_whole_command_that_is_joined_to_a_plan_is_for_its_time(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Reading Lamp" in said.reply
    first, second = assistant_of(hass).delayed.waiting
    assert {target for each in (first, second) for target in each.calls[0].targets} == {
        LAMP,
        _READING,
    }
    assert abs((first.due - second.due).total_seconds()) < 1


@in_one_house(
    ("first", "text"),
    [
        ("turn on the floor lamp tomorrow at 8 pm", "and put milk on the shopping list too"),
        ("remind me tomorrow at 8 pm to call mum", "and turn off the floor lamp"),
        ("turn on the floor lamp tomorrow at 8 pm", "is the reading lamp on too"),
    ],
)
async def test_what_is_not_for_the_time_of_a_plan_is_not_put_off(
    hass: HomeAssistant, speak: Setup, first: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(first)
    await speaker.say(text)
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "and off again at ten"),
        ("en", "then turn it off at ten"),
        ("de", "und um zehn wieder aus"),
        ("de", "mach sie um zehn wieder aus"),
        ("es", "y apágala a las diez"),
        ("fr", "et éteins-la à 22 heures"),
        ("fr", "et tu l'éteins à 22 heures"),
        ("it", "e spegnila alle dieci"),
        ("nl", "en om tien uur weer uit"),
        ("nl", "en doe hem om tien uur weer uit"),
        ("pl", "i wyłącz ją o dziesiątej"),
        ("pt", "e desliga-a às dez"),
        ("sv", "och av igen klockan tio"),
        ("sv", "och släck den klockan tio"),
    ],
)
async def test_what_is_to_become_of_it_is_planned_after_it(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    waiting = sorted(assistant_of(hass).delayed.waiting, key=lambda each: each.due)
    told = [(f"{dt_util.as_local(each.due):%H:%M}", each.calls[0].action) for each in waiting]
    assert told == [("20:00", "light.turn_on"), ("22:00", "light.turn_off")], said.reply


@in_one_house("text", ["and tell me as well", "and let me know too"])
async def test_what_is_waited_for_is_told_as_well(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say("when the garage door opens turn on the floor lamp")
    said = await speaker.say(text)
    assert "let you know" in said.reply
    assert len(await planned(hass)) == 2


@in_one_house(
    ("first", "then", "due"),
    [
        ("what is planned?", "an hour later", "21:00"),
        ("is the kitchen pendant on?", "make it nine o'clock", "21:00"),
    ],
)
async def test_another_time_is_said_one_turn_later(
    hass: HomeAssistant, speak: Setup, first: str, then: str, due: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS["en"])
    await speaker.say(first)
    assert not (await speaker.say(then)).changes
    [after] = await planned(hass)
    assert f"{dt_util.as_local(_due(after)):%H:%M}" == due


@in_one_house(
    ("language", "plan", "text", "seconds"),
    [
        ("nl", "zet de Floor Lamp over een uur aan", "maak er maar twee uur van", 7200),
    ],
)
async def test_what_may_be_a_time_is_a_duration_where_one_was_said(  # noqa: PLR0917
    hass: HomeAssistant, speak: Setup, language: str, plan: str, text: str, seconds: int
) -> None:
    speaker = await speak()
    await speaker.say(plan, language=language)
    await speaker.say(text, language=language)
    [after] = await planned(hass)
    assert abs((_due(after) - dt_util.utcnow()).total_seconds() - seconds) < 60


@in_one_house(
    ("language", "first", "then"),
    [
        ("en", "turn on the floor lamp today at 2 pm", "then tomorrow"),
        ("de", "schalte die Floor Lamp heute um 14 Uhr ein", "dann morgen"),
    ],
)
async def test_what_was_too_late_is_planned_for_another_time(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    first: str,
    then: str,
) -> None:
    now = dt_util.now().replace(hour=15, minute=0)
    freezer.move_to(now)
    speaker = await speak()
    await speaker.say(first, language=language)
    assert await planned(hass) == []
    assert not (await speaker.say(then, language=language)).changes
    [after] = await planned(hass)
    moment = dt_util.as_local(_due(after))
    assert (moment.date() - now.date()).days == 1
    assert f"{moment:%H:%M}" == "14:00"


@in_one_house(
    ("language", "text", "told"),
    [
        ("en", "every day, please", "Every day at 20:00"),
        ("de", "jeden Tag", "Jeden Tag um 20:00"),
    ],
)
async def test_what_was_planned_once_is_asked_about_to_repeat(
    hass: HomeAssistant, speak: Setup, language: str, text: str, told: str
) -> None:
    admin = Context(user_id=(await person(hass, admin=True)).id)
    speaker = await speak()
    await speaker.say(PLANS[language], language=language, context=admin)
    said = await speaker.say(text, language=language, context=admin)
    assert told in said.reply
    assert said.result.continue_conversation
    said = await speaker.say(
        {"en": "just once", "de": "nur einmal"}[language], language=language, context=admin
    )
    assert not said.result.continue_conversation
    [after] = await planned(hass, admin)
    assert "due" in after


@in_one_house(
    ("language", "joint", "text"),
    [
        ("en", "and", "forget the floor lamp, turn on the fan instead"),
        ("de", "und", "vergiss die Floor Lamp, schalte lieber den Fan ein"),
        ("es", "y", "olvida Floor Lamp, mejor enciende Fan"),
        ("fr", "et", "oublie Floor Lamp allume plutôt Fan"),
        ("it", "e", "lascia stare Floor Lamp, accendi piuttosto Fan"),
        ("nl", "en", "vergeet de Floor Lamp, zet liever de Bedroom Fan aan"),
        ("pl", "i", "zapomnij o Floor Lamp, włącz lepiej Fan"),
        ("pt", "e", "esquece Floor Lamp, liga antes Fan"),
        ("sv", "och", "glöm Floor Lamp, sätt på Bedroom Fan istället"),
    ],
)
async def test_a_part_of_a_plan_is_exchanged_for_another_command(
    hass: HomeAssistant, speak: Setup, language: str, joint: str, text: str
) -> None:
    speaker = await speak()
    plan = PLANS[language].replace("floor lamp", "Floor Lamp")
    plan = plan.replace("Floor Lamp", f"Floor Lamp {joint} Reading Lamp")
    await speaker.say(plan, language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Reading Lamp" in said.reply
    assert "Fan" in said.reply
    [left] = assistant_of(hass).delayed.waiting
    targets = [target for call in left.calls for target in call.targets]
    assert targets == [_READING, "fan.bedroom_fan"]


@in_one_house(
    ("language", "text"),
    [
        ("en", "hm no don't just turn on the reading lamp"),
        ("en", "no wait scrap that turn the reading lamp on instead"),
        ("de", "nee doch nicht mach einfach nur die Reading Lamp an"),
        ("es", "no mejor no enciende solo Reading Lamp"),
        ("fr", "ah non laisse tomber allume juste Reading Lamp"),
        ("it", "no lascia stare accendi solo Reading Lamp"),
        ("nl", "nee laat maar doe alleen de Reading Lamp aan"),
        ("pl", "nie jednak nie włącz tylko Reading Lamp"),
        ("pt", "não deixa lá liga só a Reading Lamp"),
        ("sv", "nej strunta i det tänd bara Reading Lamp"),
    ],
)
async def test_another_command_is_planned_in_the_place_of_what_is_given_up(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    [before] = await planned(hass)
    said = await speaker.say(text, language=language)
    assert not said.changes
    [after] = await planned(hass)
    assert abs(_due(after) - _due(before)) < timedelta(seconds=1)
    [left] = assistant_of(hass).delayed.waiting
    assert [target for call in left.calls for target in call.targets] == [_READING]


@in_one_house(
    ("language", "text"),
    [
        ("en", "instead remind me tomorrow at nine to turn it on"),
        ("en", "turn on the reading lamp tomorrow at nine instead"),
        ("de", "erinnere mich stattdessen morgen um neun an die Lampe"),
        ("es", "en vez de eso recuérdame mañana a las nueve sacar la basura"),
        ("fr", "rappelle-moi plutôt demain à neuf heures de l'allumer"),
        ("it", "invece ricordami domani alle nove di accenderla"),
        ("nl", "herinner me in plaats daarvan morgen om negen uur aan de lamp"),
        ("pl", "zamiast tego przypomnij mi jutro o dziewiątej o lampie"),
        ("pt", "em vez disso avisa-me amanhã às nove para eu ir ligar"),
        ("sv", "påminn mig istället imorgon klockan nio om lampan"),
    ],
)
async def test_another_plan_with_a_time_is_in_the_place_of_the_first(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    [first] = await planned(hass)
    said = await speaker.say(text, language=language)
    [command] = await planned(hass)
    assert command["text"] != first["text"], said.reply
    assert not said.changes


@in_one_house(
    ("language", "text"),
    [
        ("en", "no not the floor lamp the reading lamp I mean"),
        ("de", "nein nicht die Floor Lamp die Reading Lamp meine ich"),
        ("nl", "nee niet de Floor Lamp de Reading Lamp bedoel ik"),
        ("sv", "nej inte Floor Lamp Reading Lamp menar jag"),
    ],
)
async def test_what_is_named_after_what_is_denied_is_meant_in_its_place(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert "Reading Lamp" in said.reply
    assert len(await planned(hass)) == 1, said.reply


@in_one_house("text", ["don't you dare touch the blibber", "no don't do the garden thing"])
async def test_what_is_not_to_be_and_is_not_understood_does_not_seem_taken_back(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS["en"])
    said = await speaker.say(text)
    assert not said.changes
    assert "Floor Lamp" in said.reply
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "first", "then"),
    [
        (
            "en",
            "at eight turn the floor lamp to blibber",
            "oh and the reading lamp on as well then",
        ),
        ("de", "um acht die Floor Lamp blibbern lassen", "und die Reading Lamp dann auch an"),
        (
            "es",
            "a las ocho pon Floor Lamp en blibber",
            "y a esa hora enciende también Reading Lamp",
        ),
        ("fr", "à vingt heures mets Floor Lamp en blibber", "et allume aussi Reading Lamp"),
        ("it", "alle otto metti Floor Lamp in blibber", "e a quell'ora accendi anche Reading Lamp"),
        ("nl", "om acht uur Floor Lamp laten blibberen", "en de Reading Lamp dan ook aan"),
        ("pl", "o ósmej zrób Floor Lamp na blibber", "i włącz wtedy też Reading Lamp"),
        ("pt", "às oito põe Floor Lamp em blibber", "e liga a Reading Lamp a essa hora"),
        ("sv", "gör Floor Lamp blibbrig klockan åtta", "och tänd Reading Lamp då också"),
    ],
)
async def test_what_adds_to_a_plan_that_was_not_made_is_not_done_now(
    hass: HomeAssistant, speak: Setup, language: str, first: str, then: str
) -> None:
    speaker = await speak()
    await speaker.say(first, language=language, area="Kitchen")
    assert await planned(hass) == []
    assert not (await speaker.say(then, language=language, area="Kitchen")).changes
    assert await planned(hass) == []


@in_one_house(
    ("language", "plan", "text"),
    [
        (
            "en",
            "when the front door opens turn on the floor lamp",
            "and if it isn't open by nine turn it on anyway",
        ),
        (
            "de",
            "wenn die Front Door aufgeht schalte die Floor Lamp ein",
            "und wenn sie um neun noch nicht auf ist mach sie trotzdem an",
        ),
        (
            "es",
            "cuando se abra Front Door enciende Floor Lamp",
            "y si a las nueve no se ha abierto enciéndela igual",
        ),
        (
            "fr",
            "quand Front Door s'ouvre allume Floor Lamp",
            "et si à neuf heures elle n'est pas ouverte allume-la quand même",
        ),
        (
            "it",
            "quando si apre Front Door accendi Floor Lamp",
            "e se alle nove non si è ancora aperta accendila lo stesso",
        ),
        (
            "nl",
            "als de Front Door opengaat zet de Floor Lamp aan",
            "en als hij om negen uur nog niet open is doe hem dan toch aan",
        ),
        (
            "pl",
            "kiedy otworzą się Front Door włącz Floor Lamp",
            "a jeśli o dziewiątej jeszcze się nie otworzą to i tak ją włącz",
        ),
        (
            "pt",
            "quando abrir Front Door liga Floor Lamp",
            "e se às nove ainda não tiver aberto liga-a na mesma",
        ),
        (
            "sv",
            "när Front Door öppnas tänd Floor Lamp",
            "och om den inte är öppen klockan nio tänd den ändå",
        ),
    ],
)
async def test_what_is_to_be_done_otherwise_is_declined_and_the_plan_stays(
    hass: HomeAssistant, speak: Setup, language: str, plan: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(plan, language=language)
    [before] = await planned(hass)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Floor Lamp" in said.reply
    assert [each["id"] for each in await planned(hass)] == [before["id"]]


@in_one_house(
    "text", ["what's going on in the kitchen", "what's happening on Sunday", "what happens in here"]
)
async def test_what_goes_on_elsewhere_is_not_said_to_be_planned(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS["en"])
    assert "planned" not in (await speaker.say(text)).reply
    assert len(await planned(hass)) == 1


_WAITING = {
    "en": "turn on Floor Lamp when Washing Machine is done",
    "de": "mach Floor Lamp an wenn die Waschmaschine fertig ist",
    "es": "enciende Floor Lamp cuando acabe Washing Machine",
    "fr": "allume Floor Lamp quand Washing Machine est finie",
    "it": "accendi Floor Lamp quando finisce Washing Machine",
    "nl": "doe Floor Lamp aan als Washing Machine klaar is",
    "pl": "włącz Floor Lamp jak skończy Washing Machine",
    "pt": "acende Floor Lamp quando Washing Machine acabar",
    "sv": "tänd Floor Lamp när Washing Machine är klar",
}


@in_one_house(
    ("language", "text"),
    [
        ("en", "do it at eight instead"),
        ("en", "don't wait for the washing machine, do it at eight"),
        ("de", "mach es um acht"),
        ("de", "wart nicht auf die Waschmaschine mach es um acht"),
        ("es", "no esperes a Washing Machine hazlo a las ocho"),
        ("fr", "n'attends pas Washing Machine fais-le à huit heures"),
        ("it", "non aspettare Washing Machine fallo alle otto"),
        ("nl", "wacht niet op Washing Machine doe het om acht uur"),
        ("pl", "nie czekaj na Washing Machine zrób to o ósmej"),
        ("pt", "não esperes pela Washing Machine faz isso às oito"),
        ("sv", "vänta inte på Washing Machine gör det klockan åtta"),
    ],
)
async def test_a_time_takes_the_place_of_what_was_waited_for(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    await speaker.say(_WAITING[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    [command] = await planned(hass)
    assert "20:00" in command["when"], said.reply


@in_one_house(
    "text",
    [
        "don't wait for the front door, do it at eight",
        "don't wait for the washing machine",
        "don't wait for the washing machine every day at eight",
    ],
)
async def test_what_else_is_not_waited_for_changes_nothing(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, text: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    await speaker.say(_WAITING["en"])
    [before] = await planned(hass)
    await speaker.say(text)
    assert [each["when"] for each in await planned(hass)] == [before["when"]]


@in_one_house(
    ("language", "plan", "text", "due"),
    [
        ("en", "turn off Living Room TV at ten", "make that half past ten, the race isn't over",
         "22:30"),
        ("en", "turn off Living Room TV at ten", "hold off on that until half past", "22:30"),
        ("de", "mach Living Room TV um zehn aus", "nimm lieber elf, das Rennen dauert noch an",
         "23:00"),
        ("de", "mach Living Room TV um zehn aus", "warte damit bis elf", "23:00"),
        ("es", "apaga Living Room TV a las diez", "mejor a las once, que la carrera va para largo",
         "23:00"),
        ("es", "apaga Living Room TV a las diez", "espera hasta las once", "23:00"),
        ("fr", "éteins Living Room TV à dix heures", "plutôt à onze heures, la course s'éternise",
         "23:00"),
        ("fr", "éteins Living Room TV à dix heures", "attends jusqu'à onze heures", "23:00"),
        ("it", "spegni Living Room TV alle dieci", "anzi alle undici, la gara va per le lunghe",
         "23:00"),
        ("it", "spegni Living Room TV alle dieci", "aspetta fino alle undici", "23:00"),
        ("nl", "zet Living Room TV om tien uur uit", "maak er toch maar elf uur van, het loopt uit",
         "23:00"),
        ("nl", "zet Living Room TV om tien uur uit", "wacht daarmee tot elf uur", "23:00"),
        ("pl", "wyłącz Living Room TV o dziesiątej", "a jednak zrób to o jedenastej, wyścig trwa",
         "23:00"),
        ("pl", "wyłącz Living Room TV o dziesiątej", "poczekaj z tym do jedenastej", "23:00"),
        ("pt", "desliga Living Room TV às dez", "afinal às onze, a corrida ainda demora", "23:00"),
        ("pt", "desliga Living Room TV às dez", "espera até às onze", "23:00"),
        ("sv", "stäng av Living Room TV klockan tio", "vänta med det till kvart över, vi ser klart",
         "22:15"),
    ],
)  # fmt: skip
async def test_another_time_may_come_with_a_reason(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    plan: str,
    text: str,
    due: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    await speaker.say(plan, language=language)
    said = await speaker.say(text, language=language)
    [command] = await planned(hass)
    assert due in command["when"], said.reply
    assert not said.changes


@in_one_house(
    "text",
    [
        "make that eleven and turn off Desk Lamp",
        "make that eleven, or half past eleven",
        "make that eleven, turn off Desk Lamp",
    ],
)
async def test_what_is_more_than_a_reason_is_not_left_out(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, text: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    await speaker.say("turn off Living Room TV at ten")
    await speaker.say(text)
    plans = [each["when"] for each in await planned(hass)]
    assert plans != ["at 23:00"]

"""What is for a time of day, for a while or until a time is planned, and nothing of it is done before."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.bellboard.home.names import words_of
from custom_components.bellboard.nlu.loader import async_get_language
from tests.conftest import Setup, snapshot
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of
from tests.test_delayed import planned

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 25, 15, 0, tzinfo=BERLIN)


async def at(hass: HomeAssistant, freezer: FrozenDateTimeFactory, moment: datetime) -> Any:
    """Let it become a moment; return what changed meanwhile."""
    before = snapshot(hass)
    freezer.move_to(moment)
    async_fire_time_changed(hass, dt_util.as_utc(moment))
    await hass.async_block_till_done(wait_background_tasks=True)
    after = snapshot(hass)
    return {entity_id for entity_id in after if before[entity_id] != after[entity_id]}


@pytest.mark.parametrize(
    ("language", "text", "due", "entity"),
    [
        ("en", "turn off the garage light at ten", "2026-11-25T22:00", "light.garage_light"),
        ("en", "at half past six turn on the floor lamp", "2026-11-25T18:30", "light.floor_lamp"),
        ("en", "turn on the floor lamp tomorrow at 7", "2026-11-26T07:00", "light.floor_lamp"),
        ("de", "schalte um halb sieben die Floor Lamp ein", "2026-11-25T18:30", "light.floor_lamp"),
        ("de", "mach morgen um 7 die Floor Lamp an", "2026-11-26T07:00", "light.floor_lamp"),
        ("es", "enciende Floor Lamp mañana a las siete", "2026-11-26T07:00", "light.floor_lamp"),
        (
            "fr",
            "éteins Garage Light à dix heures du soir",
            "2026-11-25T22:00",
            "light.garage_light",
        ),
        ("it", "accendi Floor Lamp stasera alle otto", "2026-11-25T20:00", "light.floor_lamp"),
        ("nl", "zet Floor Lamp om half zeven aan", "2026-11-25T18:30", "light.floor_lamp"),
        ("pl", "włącz Floor Lamp jutro o siódmej rano", "2026-11-26T07:00", "light.floor_lamp"),
        ("pt", "liga Floor Lamp às seis e meia", "2026-11-25T18:30", "light.floor_lamp"),
        ("sv", "tänd Floor Lamp klockan halv sju", "2026-11-25T18:30", "light.floor_lamp"),
    ],
)
async def test_what_is_for_a_time_of_day_is_done_then(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    due: str,
    entity: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.changes, said.reply
    [waiting] = await planned(hass)
    moment = datetime.fromisoformat(due).replace(tzinfo=BERLIN)
    assert datetime.fromisoformat(waiting["due"]) == moment
    # In French it is "22h00".
    assert due[-5:] in said.reply.replace("h", ":")
    assert not await at(hass, freezer, moment - timedelta(seconds=2))
    assert await at(hass, freezer, moment + timedelta(seconds=1)) == {entity}
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the bedroom fan for ten minutes"),
        ("en", "bedroom fan on for 10 minutes please"),
        ("de", "schalte den Bedroom Fan zehn Minuten lang ein"),
        ("en", "turn on the bedroom fan ten minutes"),
        ("de", "mach den Bedroom Fan zehn Minuten an"),
        ("es", "enciende Bedroom Fan diez minutos"),
        ("fr", "allume Bedroom Fan dix minutes"),
        ("it", "accendi Bedroom Fan dieci minuti"),
        ("nl", "zet Bedroom Fan tien minuten aan"),
        ("pl", "włącz Bedroom Fan na dziesięć minut"),
        ("pt", "liga Bedroom Fan dez minutos"),
        ("sv", "sätt på Bedroom Fan tio minuter"),
        ("en", "bedroom fan on, ten minutes or so"),
        ("en", "turn on the bedroom fan for ten minutes, then back to normal"),
        ("de", "mach den Bedroom Fan so zehn Minütchen an"),
        ("es", "enciende Bedroom Fan unos diez minutitos"),
        ("fr", "allume Bedroom Fan dix petites minutes"),
        ("it", "accendi Bedroom Fan una decina di minuti"),
        ("nl", "zet Bedroom Fan zo'n tien minuutjes aan"),
        ("pl", "włącz Bedroom Fan na jakieś dziesięć minutek"),
        ("pt", "liga Bedroom Fan uns dez minutinhos"),
        ("sv", "sätt på Bedroom Fan i ungefär tio minuter, sedan som förut"),
    ],
)
async def test_what_is_for_a_while_is_put_back_then(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert set(said.changes) == {"fan.bedroom_fan"}, said.reply
    [waiting] = await planned(hass)
    assert 595 < waiting["seconds_left"] <= 600
    before = snapshot(hass)
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=601))
    await hass.async_block_till_done(wait_background_tasks=True)
    after = snapshot(hass)
    assert {e for e in after if after[e] != before[e]} == {"fan.bedroom_fan"}
    assert hass.states.get("fan.bedroom_fan").state == "off"  # type: ignore[union-attr]
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "wait ten minutes and then turn off the floor lamp"),
        ("de", "warte zehn Minuten und mach dann die Floor Lamp aus"),
        ("es", "espera diez minutos y apaga Floor Lamp"),
        ("fr", "attends dix minutes et éteins Floor Lamp"),
        ("it", "aspetta dieci minuti e poi spegni Floor Lamp"),
        ("nl", "wacht tien minuten en doe dan de Floor Lamp uit"),
        ("pl", "poczekaj dziesięć minut i wyłącz Floor Lamp"),
        ("pt", "espera dez minutos e apaga Floor Lamp"),
        ("sv", "vänta tio minuter och släck Floor Lamp"),
    ],
)
async def test_what_is_after_a_wait_is_for_then(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    [waiting] = await planned(hass)
    assert 595 < waiting["seconds_left"] <= 600


@in_one_house(
    ("language", "text"),
    [
        ("en", "at seven turn on the floor lamp and turn off the floor lamp"),
        ("fr", "allume Floor Lamp demain à sept heures et éteins Floor Lamp à huit"),
        ("es", "a las siete enciende Floor Lamp y apaga Floor Lamp"),
        ("it", "alle sette accendi Floor Lamp e spegni Floor Lamp"),
        ("pt", "às sete acende Floor Lamp e apaga Floor Lamp"),
    ],
)
async def test_on_and_off_are_not_planned_for_one_time(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    await (await speak()).say(text, language=language)
    waiting = assistant_of(hass).delayed.waiting
    assert not [each for each in waiting if len(each.parts) > 1 or len(each.text.split()) > 8]


@in_one_house(
    ("language", "text"),
    [
        ("en", "count to ten minutes and turn on the floor lamp"),
        ("de", "zähl zehn Minuten ab und mach die Floor Lamp an"),
        ("es", "cuenta diez minutos y enciende Floor Lamp"),
        ("fr", "compte dix minutes et allume Floor Lamp"),
        ("it", "conta dieci minuti e accendi Floor Lamp"),
        ("pt", "conta dez minutos e acende Floor Lamp"),
    ],
)
async def test_nothing_is_done_now_after_a_duration_that_nobody_understands(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    assert not [each for each in said.calls if each["domain"] != "homeassistant"]


@in_one_house(
    ("language", "text"),
    [
        # What is only named is on for so long.
        ("en", "give us twenty minutes of the bedroom fan"),
        ("de", "der Bedroom Fan zwanzig Minuten bitte"),
        ("de", "gib uns zwanzig Minuten Bedroom Fan"),
        ("es", "danos veinte minutos de Bedroom Fan"),
        ("fr", "le Bedroom Fan vingt minutes s'il te plaît"),
        ("it", "Bedroom Fan venti minuti per favore"),
        ("nl", "de Bedroom Fan twintig minuten graag"),
        ("pl", "Bedroom Fan na dwadzieścia minut proszę"),
        ("pt", "dá-nos vinte minutos de Bedroom Fan"),
        ("sv", "Bedroom Fan tjugo minuter tack"),
        # "And leave it on" says nothing more.
        ("en", "turn on the bedroom fan and leave it on until 15:20"),
        ("de", "mach den Bedroom Fan an und lass ihn bis 15:20 an"),
        ("es", "enciende Bedroom Fan y déjalo encendido hasta las 15:20"),
        ("fr", "allume Bedroom Fan et laisse-le allumé jusqu'à 15h20"),
        ("it", "accendi Bedroom Fan e lascialo acceso fino alle 15:20"),
        ("nl", "zet Bedroom Fan aan en laat hem aan tot 15:20"),
        ("pl", "włącz Bedroom Fan i zostaw go włączonego do 15:20"),
        ("pt", "liga Bedroom Fan e deixa-o ligado até às 15:20"),
        ("sv", "sätt på Bedroom Fan och låt den vara på till 15:20"),
        ("en", "leave the bedroom fan on till 15:20 then put it back how it was"),
        ("es", "enciende Bedroom Fan digamos veinte minutos y después como estaba"),
        # What it is on for only tells why where an end is said.
        ("en", "turn on the bedroom fan until 15:20 while I'm cooking"),
        ("fr", "allume Bedroom Fan pendant vingt minutes le temps que je prépare à manger"),
        ("pt", "liga Bedroom Fan até às 15:20 que vou tomar banho"),
    ],
)
async def test_what_is_for_a_while_is_on_now_and_put_back(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    said = await (await speak()).say(text, language=language)
    assert said.changes.keys() == {"fan.bedroom_fan"}, said.reply
    assert await at(hass, freezer, NOW.replace(minute=21)) == {"fan.bedroom_fan"}
    assert await planned(hass) == []


@in_one_house("text", ["the front door ten minutes please", "kitchen blinds ten minutes please"])
async def test_what_opens_is_not_opened_by_its_name_and_a_duration(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    said = await (await speak()).say(text)
    assert not said.changes, said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "from six to seven close the kitchen blinds"),
        ("de", "von sechs bis sieben schließe die Kitchen Blinds"),
        ("es", "de seis a siete cierra Kitchen Blinds"),
        ("fr", "de six à sept heures ferme Kitchen Blinds"),
        ("it", "dalle sei alle sette chiudi Kitchen Blinds"),
        ("nl", "sluit de Kitchen Blinds van zes tot zeven"),
        ("pl", "od szóstej do siódmej zamknij Kitchen Blinds"),
        ("pt", "das seis às sete fecha Kitchen Blinds"),
        ("sv", "stäng Kitchen Blinds från sex till sju"),
        ("en", "close the kitchen blinds at six for an hour"),
    ],
)
async def test_what_opens_or_closes_later_is_put_back_at_the_end(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    blinds = "cover.kitchen_blinds"
    was = snapshot(hass)[blinds]
    assert await at(hass, freezer, NOW.replace(hour=18, second=1)) == {blinds}
    assert await at(hass, freezer, NOW.replace(hour=19, second=2)) == {blinds}
    assert snapshot(hass)[blinds] == was
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the floor lamp for a while"),
        ("en", "turn on the floor lamp until I leave"),
        ("en", "turn on the floor lamp for a few minutes"),
        ("en", "turn on the floor lamp for two days"),
        ("en", "floor lamp on this weekend at ten"),
        ("de", "mach die Floor Lamp an bis die Show vorbei ist"),
        ("de", "mach die Floor Lamp ein Weilchen an"),
        ("de", "mach die Floor Lamp ein paar Minuten an"),
        ("es", "enciende Floor Lamp un ratito"),
        ("es", "enciende Floor Lamp hasta que me vaya"),
        ("fr", "allume Floor Lamp pendant un moment"),
        ("fr", "allume Floor Lamp jusqu'à ce que je parte"),
        ("it", "accendi Floor Lamp per un po'"),
        ("it", "accendi Floor Lamp finché non esco"),
        ("nl", "zet Floor Lamp een tijdje aan"),
        ("nl", "zet Floor Lamp aan tot ik wegga"),
        ("pl", "włącz Floor Lamp na chwilę"),
        ("pl", "włącz Floor Lamp aż wyjdę"),
        ("pt", "liga Floor Lamp por um bocado"),
        ("pt", "liga Floor Lamp até eu sair"),
        ("sv", "tänd Floor Lamp en stund"),
        ("sv", "tänd Floor Lamp tills jag går"),
        ("en", "turn on the floor lamp while I'm cooking"),
        ("fr", "allume Floor Lamp le temps que je prépare à manger"),
    ],
)
async def test_what_ends_nobody_knows_when_is_not_begun(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "off", "text"),
    [
        ("en", "turn off the bedroom fan", "turn it on ten minutes"),
        ("de", "mach den Bedroom Fan aus", "mach ihn zehn Minuten an"),
        ("es", "apaga Bedroom Fan", "enciéndelo diez minutos"),
        ("it", "spegni Bedroom Fan", "accendilo dieci minuti"),
        ("nl", "zet Bedroom Fan uit", "zet hem tien minuten aan"),
    ],
)
async def test_what_was_spoken_of_is_put_back_after_a_while(
    hass: HomeAssistant, speak: Setup, language: str, off: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(off, language=language)
    said = await speaker.say(text, language=language)
    assert set(said.changes) == {"fan.bedroom_fan"}, said.reply
    [waiting] = await planned(hass)
    assert 595 < waiting["seconds_left"] <= 600


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the bedroom fan ten minutes earlier"),
        ("en", "turn on the bedroom fan within ten minutes"),
        ("en", "skip forward ten seconds"),
        ("de", "mach den Bedroom Fan zehn Minuten früher an"),
        ("de", "mach den Bedroom Fan vor zehn Minuten an"),
        ("es", "enciende Bedroom Fan diez minutos más tarde"),
        ("fr", "allume Bedroom Fan dix minutes plus tard"),
        ("it", "accendi Bedroom Fan dieci minuti dopo"),
        ("nl", "zet Bedroom Fan tien minuten later aan"),
        ("pl", "włącz Bedroom Fan dziesięć minut później"),
        ("pt", "liga Bedroom Fan dez minutos mais tarde"),
        ("sv", "sätt på Bedroom Fan tio minuter senare"),
    ],
)
async def test_a_duration_that_is_for_something_else_does_nothing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    assert await planned(hass) == []


@pytest.mark.parametrize(
    ("language", "text", "due"),
    [
        ("en", "turn the floor lamp on at six and off at eleven", ["18:00", "23:00"]),
        ("en", "turn on the bedroom fan at six and turn it off at eight", ["18:00", "20:00"]),
        ("en", "at seven and at nine turn on the coffee machine", ["19:00", "21:00"]),
        ("en", "turn on the bedroom fan and turn it off at ten", ["22:00"]),
        ("en", "turn the bedroom fan on for ten minutes and then turn it off", ["15:10"]),
        ("en", "leave the reading lamp on for five minutes, then turn it off", ["15:05"]),
        ("de", "mach die Floor Lamp um acht an und um zehn wieder aus", ["20:00", "22:00"]),
        ("nl", "zet de Floor Lamp om acht uur aan en om tien uur uit", ["20:00", "22:00"]),
        (
            "en",
            "turn on the reading lamp at ten and the bedroom fan at half past seven",
            ["19:30", "22:00"],
        ),
        (
            "en",
            "turn on the reading lamp at ten, then the bedroom fan at half past seven",
            ["22:00", "07:30"],
        ),
        (
            "sv",
            "tänd Reading Lamp klockan tio, och sätt på Bedroom Fan halv åtta",
            ["19:30", "22:00"],
        ),
        ("en", "I want the reading lamp off come eleven", ["23:00"]),
        ("fr", "allume Floor Lamp à 20h et éteins-la à 22h", ["20:00", "22:00"]),
        ("es", "enciende Floor Lamp a las 20:00 y apágala a las 22:00", ["20:00", "22:00"]),
        # Minutes of the hour that was said before.
        ("en", "at nine turn on Floor Lamp and at half past turn it off", ["21:00", "21:30"]),
        ("de", "um neun mach die Floor Lamp an und um halb wieder aus", ["21:00", "21:30"]),
        ("es", "a las nueve enciende Floor Lamp y a y media apágala", ["21:00", "21:30"]),
        ("fr", "à neuf heures allume Floor Lamp et à la demie éteins-la", ["21:00", "21:30"]),
        ("it", "alle nove accendi Floor Lamp e alla mezza spegnila", ["21:00", "21:30"]),
        ("nl", "om negen uur Floor Lamp aan en om half weer uit", ["21:00", "21:30"]),
        ("pl", "o dziewiątej włącz Floor Lamp i kwadrans po wyłącz", ["21:00", "21:15"]),
        ("pt", "às nove acende Floor Lamp e às e meia apaga-a", ["21:00", "21:30"]),
        ("sv", "klockan nio tänd Floor Lamp och kvart över släck den", ["21:00", "21:15"]),
        # The same for another thing.
        ("pt", "às oito acende Floor Lamp e às oito e meia Reading Lamp", ["20:00", "20:30"]),
        ("de", "um acht mach die Floor Lamp an und um neun die Reading Lamp", ["20:00", "21:00"]),
        ("sv", "klockan åtta tänd Floor Lamp och klockan nio Reading Lamp", ["20:00", "21:00"]),
        ("nl", "morgenvroeg zes uur vijfendertig Floor Lamp aan", ["06:35"]),
        ("fr", "demain matin six heures allume Floor Lamp", ["06:00"]),
        ("nl", "over vijf kwartier doe Floor Lamp aan", ["16:15"]),
        ("sv", "18.15 tänd Floor Lamp", ["18:15"]),
        ("it", "18.15 accendi Floor Lamp", ["18:15"]),
        ("en", "lunchtime tomorrow turn on Floor Lamp", ["12:00"]),
        # The end of a range is no value.
        ("en", "Floor Lamp at 20% between ten tonight and six tomorrow morning", ["22:00"]),
        (
            "de",
            "stell Floor Lamp auf 20 % zwischen zehn heute Abend und sechs morgen früh",
            ["22:00"],
        ),
        ("it", "metti Floor Lamp al 20% tra le dieci di stasera e le sei di domattina", ["22:00"]),
        ("sv", "sätt Floor Lamp på 20 % mellan tio ikväll och sex i morgon bitti", ["22:00"]),
        ("nl", "zet Floor Lamp op 20% tussen tien vanavond en zes morgenochtend", ["22:00"]),
        ("pt", "põe Floor Lamp a 20% entre as dez da noite e as seis da manhã", ["22:00"]),
        (
            "es",
            "pon Floor Lamp al 20% entre las diez de esta noche y las seis de mañana",
            ["22:00"],
        ),
        # An end that says what is done then is no putting back.
        ("en", "from seven to eight Floor Lamp at 10% then turn it off", ["19:00", "20:00"]),
        ("en", "at seven set Floor Lamp to 10% for an hour, then off", ["19:00", "20:00"]),
        ("de", "von 19 bis 20 Uhr Floor Lamp auf 10 %, danach aus", ["19:00", "20:00"]),
        ("es", "de siete a ocho pon Floor Lamp al 10 % y luego apágala", ["19:00", "20:00"]),
        ("fr", "de 19h à 20h mets Floor Lamp à 10 % puis éteins-la", ["19:00", "20:00"]),
        ("it", "dalle 19 alle 20 metti Floor Lamp al 10% poi spegnila", ["19:00", "20:00"]),
        ("nl", "van zeven tot acht Floor Lamp op 10% en daarna uit", ["19:00", "20:00"]),
        ("pl", "od 19 do 20 ustaw Floor Lamp na 10% potem ją wyłącz", ["19:00", "20:00"]),
        ("pt", "das 19 às 20 põe Floor Lamp a 10% e depois apaga-a", ["19:00", "20:00"]),
        (
            "sv",
            "mellan 19 och 20 ska Floor Lamp va på 10 % sen ska den släckas",
            ["19:00", "20:00"],
        ),
    ],
)
async def test_each_time_in_a_sentence_is_for_what_is_said_with_it(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    *,
    language: str,
    text: str,
    due: list[str],
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not {"light.floor_lamp"} & said.changes.keys(), said.reply
    waiting = [datetime.fromisoformat(each["due"]) for each in await planned(hass)]
    assert [f"{each.astimezone(BERLIN):%H:%M}" for each in waiting] == due, said.reply


@in_one_house(
    ("language", "text", "due"),
    [
        ("en", "turn the floor lamp on tomorrow at six in the morning and off at eleven", "06 11"),
        ("de", "morgen früh um sechs die Floor Lamp an und um sieben wieder aus", "06 07"),
        ("es", "enciende Floor Lamp mañana a las seis de la mañana y apágala a las siete", "06 07"),
        (
            "fr",
            "allume Floor Lamp demain à six heures du matin et éteins-la à sept heures",
            "06 07",
        ),
        ("it", "accendi Floor Lamp domani alle sei del mattino e spegnila alle sette", "06 07"),
        ("nl", "zet Floor Lamp morgen om acht uur aan en om negen uur weer uit", "08 09"),
        ("pl", "jutro o szóstej rano włącz Floor Lamp, a o siódmej ją wyłącz", "06 07"),
        ("pt", "liga Floor Lamp amanhã às seis da manhã e desliga às sete", "06 07"),
        ("sv", "tänd Floor Lamp i morgon klockan åtta och släck den klockan nio", "08 09"),
    ],
)
async def test_a_later_time_is_on_the_day_of_the_one_before(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    due: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    said = await (await speak()).say(text, language=language)
    waiting = [datetime.fromisoformat(each["due"]) for each in await planned(hass)]
    told = [f"{each.astimezone(BERLIN):%d %H}" for each in waiting]
    assert told == [f"26 {hour}" for hour in due.split()], said.reply


@in_one_house(
    ("language", "text", "entity", "due"),
    [
        ("en", "leave the {} on until half past eight", "light.reading_lamp", "20:30"),
        ("en", "please keep the {} on till ten", "light.floor_lamp", "22:00"),
        ("en", "leave the {} on for another ten minutes", "fan.bedroom_fan", "15:10"),
        ("en", "leave the {} on until six", "switch.coffee_machine", "18:00"),
        ("de", "lass die {} bis zehn an", "light.floor_lamp", "22:00"),
        ("de", "{} bis zehn Uhr an lassen", "light.reading_lamp", "22:00"),
        ("es", "deja {} encendida hasta las once", "light.floor_lamp", "23:00"),
        ("fr", "laisse {} allumée jusqu'à vingt-deux heures", "light.reading_lamp", "22:00"),
        ("it", "lascia {} accesa fino alle undici", "light.floor_lamp", "23:00"),
        ("nl", "laat de {} aan tot tien uur", "light.floor_lamp", "22:00"),
        ("nl", "houd de {} aan tot half elf", "light.reading_lamp", "22:30"),
        ("pl", "zostaw {} włączoną do jedenastej", "light.floor_lamp", "23:00"),
        ("pt", "deixa a {} acesa até às onze", "light.floor_lamp", "23:00"),
        ("sv", "låt {} vara tänd till klockan elva", "light.reading_lamp", "23:00"),
        ("sv", "lämna {} på till elva", "light.floor_lamp", "23:00"),
        ("pl", "niech {} świeci się do jedenastej", "light.floor_lamp", "23:00"),
    ],
)
async def test_what_is_left_on_until_a_time_is_on_now_and_off_then(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    entity: str,
    due: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker, was_on = await speak(), hass.states.is_state(entity, "on")
    name = entity.partition(".")[2].replace("_", " ").title()
    said = await speaker.say(text.format(name), language=language)
    assert {*said.changes} == (set() if was_on else {entity}), said.reply
    assert hass.states.is_state(entity, "on")
    moment = datetime.fromisoformat(f"2026-11-25T{due}").replace(tzinfo=BERLIN)
    [waiting] = await planned(hass)
    assert abs(datetime.fromisoformat(waiting["due"]) - moment) < timedelta(seconds=1)
    assert await at(hass, freezer, moment + timedelta(seconds=2)) == {entity}
    assert hass.states.is_state(entity, "off")


@in_one_house(
    ("language", "text"),
    [
        ("en", "keep the Reading Lamp off until eight"),
        ("en", "leave the Reading Lamp off until eight and then turn it back on"),
        ("de", "lass die Reading Lamp bis acht aus"),
        ("de", "lass die Reading Lamp bis acht aus und mach sie dann wieder an"),
        ("es", "mantén apagada Reading Lamp hasta las ocho y luego enciéndela"),
        ("fr", "laisse Reading Lamp éteinte jusqu'à huit heures"),
        ("it", "tieni spenta Reading Lamp fino alle otto e poi riaccendila"),
        ("nl", "laat de Reading Lamp tot acht uur uit en doe ze dan weer aan"),
        ("nl", "houd de Reading Lamp uit tot acht uur"),
        ("pl", "niech Reading Lamp będzie zgaszona do ósmej"),
        ("pt", "mantém a Reading Lamp apagada até às oito"),
        ("sv", "låt Reading Lamp vara släckt till åtta"),
    ],
)
async def test_what_is_kept_off_until_a_time_is_off_now_and_on_then(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    lamp, speaker = "light.reading_lamp", await speak()
    await hass.services.async_call("light", "turn_on", {"entity_id": lamp}, blocking=True)
    said = await speaker.say(text, language=language)
    assert {*said.changes} == {lamp}, said.reply
    assert hass.states.is_state(lamp, "off")
    moment = datetime.fromisoformat("2026-11-25T20:00").replace(tzinfo=BERLIN)
    assert await at(hass, freezer, moment + timedelta(seconds=2)) == {lamp}
    assert hass.states.is_state(lamp, "on")


@in_one_house(
    ("language", "text"),
    [
        ("en", "keep the {} closed until nine tomorrow"),
        ("de", "halte {} bis morgen um neun geschlossen"),
        ("es", "mantén {} cerrada hasta mañana a las nueve"),
        ("fr", "garde {} fermé jusqu'à demain neuf heures"),
        ("it", "tieni chiusa {} fino a domani alle nove"),
        ("nl", "hou {} dicht tot morgen negen uur"),
        ("pl", "trzymaj {} zamkniętą do jutra do dziewiątej"),
        ("pt", "mantém {} fechado até amanhã às nove"),
        ("sv", "låt {} vara stängd till klockan nio imorgon"),
    ],
)
async def test_what_is_kept_closed_until_a_time_is_closed_now_and_put_back(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    blinds, speaker = "cover.kitchen_blinds", await speak()
    await hass.services.async_call("cover", "open_cover", {"entity_id": blinds}, blocking=True)
    await hass.async_block_till_done(wait_background_tasks=True)
    said = await speaker.say(text.format("Kitchen Blinds"), language=language)
    assert {*said.changes} == {blinds}, said.reply
    [waiting] = await planned(hass)
    assert "T09:00" in waiting["due"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "leave the {} on until Lily goes to bed at half seven"),
        ("en", "keep the {} on until the match is over at half past seven"),
        ("de", "lass die {} an bis Lina um halb acht ins Bett geht"),
        ("es", "deja {} encendida hasta que Mateo se acueste a las siete y media"),
        ("fr", "laisse {} allumée jusqu'à ce que Léa aille au lit à 19h30"),
        ("it", "lascia accesa {} finché Sofia non va a letto alle sette e mezza"),
        ("nl", "laat de {} aan tot Daan naar bed moet om half acht"),
        ("pl", "zostaw {} włączoną aż Zosia pójdzie spać o wpół do ósmej"),
        ("pt", "deixa a {} acesa até o Tomás ir para a cama às sete e meia"),
    ],
)
async def test_the_time_of_what_ends_something_is_its_end(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    lamp = {"entity_id": "light.floor_lamp"}
    await hass.services.async_call("light", "turn_on", lamp, blocking=True)
    said = await speaker.say(text.format("Floor Lamp"), language=language)
    assert not said.changes, said.reply
    assert len(await planned(hass)) == 1, said.reply
    assert "7:30" in said.reply or "19:30" in said.reply.replace("h", ":"), said.reply


async def test_heating_that_is_left_off_until_a_time_is_off_until_then(
    hass: HomeAssistant, speak: Setup
) -> None:
    said = await (await speak()).say("leave the bedroom heating off until six")
    assert {*said.changes} == {"climate.bedroom_thermostat"}, said.reply
    assert hass.states.is_state("climate.bedroom_thermostat", "off")
    assert len(await planned(hass)) == 1


@in_one_house(
    "text",
    [
        "leave everything as it is until eight",
        "leave the front door unlocked until eight",
    ],
)
async def test_what_is_left_as_it_is_until_a_time_does_nothing_that_was_not_said(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    said = await (await speak()).say(text)
    assert not said.changes, said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text", "is_dark"),
    [
        ("en", "when it gets dark outside turn on the floor lamp", False),
        ("en", "once it's dark turn the floor lamp on", True),
        ("en", "floor lamp on after dark", False),
        ("de", "wenn's dunkel wird, Floor Lamp an", False),
        ("de", "sobald es dunkel ist, mach die Floor Lamp an", True),
        ("de", "Floor Lamp bei Einbruch der Dunkelheit an", False),
        ("es", "enciende Floor Lamp al ponerse el sol", False),
        ("es", "cuando oscurezca enciende Floor Lamp", True),
        ("fr", "quand il fera nuit, allume Floor Lamp", True),
        ("fr", "allume Floor Lamp dès que la nuit tombe", False),
        ("it", "quando fa buio accendi Floor Lamp", False),
        ("it", "accendi Floor Lamp quando tramonta il sole", True),
        ("nl", "zet de Floor Lamp aan als het donker wordt", False),
        ("nl", "zodra het donker is de Floor Lamp aan", True),
        ("pl", "jak się ściemni, włącz Floor Lamp", False),
        ("pl", "gdy zajdzie słońce włącz Floor Lamp", True),
        ("pt", "quando escurecer liga a Floor Lamp", False),
        ("pt", "assim que ficar escuro liga a Floor Lamp", True),
        ("sv", "när det blir mörkt tänd Floor Lamp", False),
        ("sv", "tänd Floor Lamp så fort solen har gått ner", True),
    ],
)
async def test_when_it_gets_dark_is_the_next_sunset(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    *,
    is_dark: bool,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    hass.config.latitude, hass.config.longitude = 52.5, 13.4
    freezer.move_to(NOW.replace(hour=20 if is_dark else 12))
    hass.states.async_set("sun.sun", "below_horizon" if is_dark else "above_horizon")
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    [waiting] = await planned(hass)
    due = datetime.fromisoformat(waiting["due"]).astimezone(BERLIN)
    assert due.day == (26 if is_dark else 25), said.reply
    assert due.hour in {15, 16}


@in_one_house(
    ("language", "text"),
    [
        ("en", "bedroom thermostat to 21 degrees one hour before sunrise"),
        ("de", "stell Bedroom Thermostat eine Stunde vor Sonnenaufgang auf 21 Grad"),
        ("es", "pon Bedroom Thermostat a 21 grados una hora antes del amanecer"),
        ("fr", "mets Bedroom Thermostat à 21 degrés une heure avant le lever du soleil"),
        ("it", "metti Bedroom Thermostat a 21 un'ora prima dell'alba"),
        ("nl", "zet Bedroom Thermostat een uur voor zonsopgang op 21 graden"),
        ("pl", "ustaw Bedroom Thermostat na 21 stopni godzinę przed wschodem słońca"),
        ("pt", "põe Bedroom Thermostat a 21 graus uma hora antes do nascer do sol"),
        ("sv", "höj Bedroom Thermostat till 21 en timme före soluppgången"),
    ],
)
async def test_a_value_beside_a_time_by_the_sun_is_for_then(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    hass.config.latitude, hass.config.longitude = 52.5, 13.4
    freezer.move_to(NOW)
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    [waiting] = await planned(hass)
    due = datetime.fromisoformat(waiting["due"]).astimezone(BERLIN)
    assert (due.day, due.hour) == (26, 6)
    assert "21" in said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "whenever it gets dark turn on the floor lamp"),
        ("de", "immer wenn es dunkel wird, mach die Floor Lamp an"),
        ("en", "if it is dark turn on the floor lamp"),
    ],
)
async def test_each_time_it_gets_dark_is_not_one_sunset(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text", "due"),
    [
        ("nl", "Front Door op slot om elf uur", "2026-11-25T23:00"),
        ("en", "floor lamp off at ten", "2026-11-25T22:00"),
        ("de", "Floor Lamp um zehn aus", "2026-11-25T22:00"),
        ("es", "el lunes a las siete menos cuarto enciende Floor Lamp", "2026-11-30T06:45"),
        ("es", "el uno de diciembre a las cinco de la tarde apaga Floor Lamp", "2026-12-01T17:00"),
        ("fr", "le premier décembre à dix-sept heures allume Floor Lamp", "2026-12-01T17:00"),
        ("it", "il primo dicembre alle 17 accendi Floor Lamp", "2026-12-01T17:00"),
        ("nl", "op één december om 17 uur de Floor Lamp aan", "2026-12-01T17:00"),
        ("pl", "pierwszego grudnia o siedemnastej włącz Floor Lamp", "2026-12-01T17:00"),
        ("pt", "no dia um de dezembro às cinco da tarde liga a Floor Lamp", "2026-12-01T17:00"),
        ("sv", "den första december klockan 17 tänd Floor Lamp", "2026-12-01T17:00"),
        ("en", "floor lamp on in three days at eight", "2026-11-28T08:00"),
        ("en", "turn on the floor lamp on Friday week at six", "2026-12-04T18:00"),
        ("en", "bedroom thermostat to 21 degrees tomorrow at 7", "2026-11-26T07:00"),
        ("de", "Bedroom Thermostat um 7 auf 21 Grad", "2026-11-25T19:00"),
        ("de", "mach die Floor Lamp in einer Woche um acht an", "2026-12-02T08:00"),
        ("es", "pon Bedroom Thermostat a 21 grados a las 7", "2026-11-25T19:00"),
        ("fr", "mets Bedroom Thermostat à 21 degrés à 7h", "2026-11-25T19:00"),
        ("it", "metti Bedroom Thermostat a 21 gradi domattina alle sei", "2026-11-26T06:00"),
        ("it", "alle dieci e mezza spegni Floor Lamp", "2026-11-25T22:30"),
        ("nl", "zet Bedroom Thermostat om 7 uur op 21 graden", "2026-11-25T19:00"),
        ("pl", "ustaw Bedroom Thermostat na 21 stopni o 7", "2026-11-25T19:00"),
        ("pt", "põe Bedroom Thermostat a 21 graus às 7", "2026-11-25T19:00"),
        ("sv", "höj Bedroom Thermostat till 21 klockan sju", "2026-11-25T19:00"),
    ],
)
async def test_a_command_without_a_verb_and_a_date_are_for_then(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    due: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    [waiting] = await planned(hass)
    assert datetime.fromisoformat(waiting["due"]) == datetime.fromisoformat(due).replace(
        tzinfo=BERLIN
    )


@in_one_house(
    ("language", "text"),
    [
        ("en", "once I open the bathroom window turn off the bathroom heating"),
        ("de", "wenn ich Bathroom Window aufmache, mach Bathroom Heating aus"),
        ("es", "cuando abra Bathroom Window apaga Bathroom Heating"),
        ("fr", "quand j'ouvre Bathroom Window, éteins Bathroom Heating"),
        ("fr", "quand Bathroom Window sera ouverte, éteins Bathroom Heating"),
        ("it", "quando apro Bathroom Window spegni Bathroom Heating"),
        ("nl", "als ik Bathroom Window opendoe, zet Bathroom Heating uit"),
        ("pl", "kiedy otworzę Bathroom Window, wyłącz Bathroom Heating"),
        ("pt", "quando eu abrir Bathroom Window desliga Bathroom Heating"),
        ("sv", "när jag öppnar Bathroom Window, stäng av Bathroom Heating"),
    ],
)
async def test_what_the_speaker_does_to_a_thing_is_told_by_the_thing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes, said.reply
    assert len(await planned(hass)) == 1, said.reply


async def test_a_part_of_the_day_is_when_the_options_say(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    """The reply tells the time; another time for what was planned is of the same day."""
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak(day={"afternoon": "14:00", "evening": "18:15:00", "night": "23:40:00"})
    for language, text, due in (
        ("en", "turn on the floor lamp tomorrow evening", "2026-11-26T18:15"),
        ("de", "mach die Floor Lamp heute Abend an", "2026-11-25T18:15"),
        ("es", "enciende Floor Lamp mañana por la noche", "2026-11-26T23:40"),
        ("fr", "allume Floor Lamp demain soir", "2026-11-26T18:15"),
        ("it", "accendi Floor Lamp stasera", "2026-11-25T18:15"),
        ("nl", "zet Floor Lamp morgenavond aan", "2026-11-26T18:15"),
        ("pl", "włącz Floor Lamp jutro wieczorem", "2026-11-26T18:15"),
        ("pt", "liga Floor Lamp amanhã à noite", "2026-11-26T23:40"),
        ("sv", "tänd Floor Lamp i morgon kväll", "2026-11-26T18:15"),
        ("en", "remind me tomorrow afternoon to water the plants", "2026-11-26T14:00"),
    ):
        said = await speaker.say(text, language=language)
        assert due[-5:] in said.reply.replace("h", ":").replace(".", ":"), said.reply
        [waiting] = await planned(hass)
        assert datetime.fromisoformat(waiting["due"]) == datetime.fromisoformat(due + "+01:00")
        await hass.services.async_call("bellboard", "cancel_delayed", {}, blocking=True)

    await speaker.say("turn on the floor lamp at nine in the evening")
    await speaker.say("turn on the floor lamp in the evening")
    dues = [datetime.fromisoformat(each["due"]) for each in await planned(hass)]
    assert [f"{each.astimezone(BERLIN):%H:%M}" for each in dues] == ["18:15", "21:00"]


@pytest.mark.parametrize(
    ("hour", "language", "text"),
    [
        (20, "en", "turn off the garage light this evening"),
        (22, "en", "turn off the garage light tonight"),
        (23, "de", "mach heute Abend das Garage Light aus"),
        (22, "es", "apaga Garage Light esta noche"),
        (21, "fr", "éteins Garage Light ce soir"),
        (21, "it", "spegni Garage Light stasera"),
        (20, "nl", "doe Garage Light vanavond uit"),
        (20, "pl", "wyłącz Garage Light dziś wieczorem"),
        (22, "pt", "desliga Garage Light hoje à noite"),
        (20, "sv", "släck Garage Light i kväll"),
    ],
)
async def test_a_part_of_the_day_that_has_begun_is_now(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    hour: int,
    language: str,
    text: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW.replace(hour=hour, minute=30))
    hass.states.async_set("light.garage_light", "on")
    said = await (await speak()).say(text, language=language)
    assert set(said.changes) == {"light.garage_light"}, said.reply
    assert not await planned(hass)


async def test_a_part_of_the_day_that_is_over_is_told(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW.replace(hour=18, minute=30))
    said = await (await speak()).say("turn on the garage light this afternoon")
    assert said.reply == "That time is over, so I did nothing."
    assert not said.changes


@in_one_house(
    ("language", "now", "later"),
    [
        ("en", "turn on the wine cooler", "turn on the wine cooler at ten"),
        ("en", "turn on the wine cooler", "turn on the wine cooler every day at seven"),
        ("en", "turn on the wine cooler", "turn on the wine cooler at six and off at eleven"),
        (
            "en",
            "turn on the wine cooler",
            "when the front door is unlocked turn on the wine cooler",
        ),
        (
            "en",
            "turn on the lights in the wine cellar",
            "tomorrow at 7 turn on the lights in the wine cellar",
        ),
        ("en", "turn off the bathroom tv", "turn off the bathroom tv at half past ten"),
        ("en", "turn off the alarm beacon", "turn off the alarm beacon at ten"),
        (
            "en",
            "set the kids room heating to 90 degrees",
            "set the kids room heating to 90 degrees at ten",
        ),
        ("de", "schalte den Weinkühlschrank ein", "schalte um zehn den Weinkühlschrank ein"),
        ("de", "schalte das Licht im Dachboden ein", "schalte um zehn das Licht im Dachboden ein"),
        ("es", "enciende la vinoteca", "enciende la vinoteca a las diez"),
        ("fr", "allume le karaoké", "allume le karaoké à dix heures"),
        ("it", "accendi la cantinetta", "accendi la cantinetta alle dieci"),
        ("nl", "zet de wijnkoeler aan", "zet de wijnkoeler om tien uur aan"),
        ("pl", "włącz chłodziarkę", "włącz chłodziarkę o dziesiątej"),
        ("pt", "liga a garrafeira", "liga a garrafeira às dez"),
        ("sv", "tänd bastun", "tänd bastun klockan tio"),
    ],
)
async def test_what_is_missing_or_cannot_be_is_told_as_it_would_be_now(
    hass: HomeAssistant, speak: Setup, language: str, now: str, later: str
) -> None:
    speaker = await speak()
    expected = await speaker.say(now, language=language)
    said = await speaker.say(later, language=language)
    assert said.reply == expected.reply
    assert said.result.response.error_code is expected.result.response.error_code
    assert not said.changes
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "at ten play Zyxwv on the living room speaker and turn on the floor lamp"),
        ("en", "turn on the floor lamp and play Zyxwv on the living room speaker at ten"),
        ("en", "when the front door opens play Zyxwv and turn on the floor lamp"),
        ("de", "spiel um zehn Zyxwv und mach die Floor Lamp an"),
        ("es", "a las diez reproduce Zyxwv y enciende Floor Lamp"),
        ("fr", "à dix heures joue Zyxwv et allume Floor Lamp"),
        ("it", "alle dieci riproduci Zyxwv e accendi Floor Lamp"),
        ("nl", "speel om tien uur Zyxwv en doe Floor Lamp aan"),
        ("pl", "o dziesiątej puść Zyxwv i włącz Floor Lamp"),
        ("pt", "às dez toca Zyxwv e liga Floor Lamp"),
        ("sv", "klockan tio spela Zyxwv och tänd Floor Lamp"),
    ],
)
async def test_what_is_not_found_of_what_is_for_later_is_told_beside_the_rest(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert "Zyxwv" in said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "mute the living room tv and turn on the floor lamp at ten"),
        ("de", "mach um zehn Living Room TV stumm und die Floor Lamp an"),
        ("fr", "à dix heures coupe le son de Living Room TV et allume Floor Lamp"),
        ("pl", "o dziesiątej wycisz Living Room TV i włącz Floor Lamp"),
        ("sv", "tysta Living Room TV och tänd Floor Lamp klockan tio"),
    ],
)
async def test_what_is_only_possible_later_is_told_with_the_rest(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert await planned(hass)
    assert {"tv", "lamp"} <= set(words_of(said.reply))


@in_one_house(
    "text",
    [
        "turn on the fan in the kitchen at ten",
        "open the floor lamp at ten",
        "turn on the desk lamp every other day at seven",
        "turn off the desk lamp at nine we want the sauna on",
    ],
)
async def test_what_is_not_understood_for_later_is_not_planned(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text)
    assert said.result.response.error_code, said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the mirror light until ten"),
        ("de", "Mirror Light bis zehn Uhr an"),
        ("es", "enciende Mirror Light hasta las diez"),
        ("fr", "allume Mirror Light jusqu'à 22 heures"),
        ("it", "accendi Mirror Light fino alle dieci"),
        ("nl", "zet Mirror Light aan tot tien uur"),
        ("pl", "włącz Mirror Light do dziesiątej"),
        ("pt", "liga Mirror Light até às dez"),
        ("sv", "tänd Mirror Light till klockan tio"),
    ],
)
async def test_what_is_on_already_is_off_when_its_time_is_over(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await hass.services.async_call(
        "light", "turn_on", {"entity_id": "light.mirror_light"}, blocking=True
    )
    said = await speaker.say(text, language=language)
    assert not said.changes, said.reply
    [command] = assistant_of(hass).delayed.waiting
    assert [call.action for call in command.calls] == ["light.turn_off"]


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn off the gazebo at eight and turn on the mirror light"),
        ("en", "turn on the mirror light and turn off the gazebo at eight"),
        ("de", "schalte den Pavillon um acht aus und schalte Mirror Light ein"),
        ("nl", "zet het tuinhuis om acht uur uit en zet Mirror Light aan"),
        ("pl", "wyłącz altanę o ósmej i włącz Mirror Light"),
        ("sv", "släck lusthuset klockan åtta och tänd Mirror Light"),
        ("en", "mirror light on at sunset and off at midnight every day"),
        ("en", "mirror light off 11"),
    ],
)
async def test_nothing_is_done_now_of_what_may_be_for_later(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.changes, said.reply
    assert not said.result.continue_conversation, said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the desk lamp every other day"),
        ("en", "turn on the desk lamp on alternate days"),
        ("de", "mach die Desk Lamp jeden zweiten Tag an"),
        ("es", "enciende Desk Lamp un día sí y otro no"),
        ("fr", "allume Desk Lamp un jour sur deux"),
        ("it", "accendi Desk Lamp a giorni alterni"),
        ("nl", "doe Desk Lamp om de dag aan"),
        ("pl", "włącz Desk Lamp co drugi dzień"),
        ("pt", "liga Desk Lamp dia sim dia não"),
        ("sv", "tänd Desk Lamp varannan dag"),
    ],
)
async def test_every_second_day_is_declined_and_not_done_now(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.hass.services.async_call(
        "light", "turn_off", {"entity_id": "light.desk_lamp"}, blocking=True
    )
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert said.reply == (await async_get_language(hass, language)).say("decline.later")
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "mute the living room tv at ten"),
        ("en", "turn down the bathroom radio at ten"),
        ("en", "dim the floor lamp by 20 percent at ten"),
        ("en", "turn off the living room tv at half past ten"),
        ("en", "close the garage door at ten"),
        ("de", "stell die Lautstärke vom Living Room TV um zehn auf 20 Prozent"),
        ("fr", "mets le volume de Living Room TV à 20 pour cent à dix heures du soir"),
    ],
)
async def test_what_is_off_or_so_already_now_is_planned(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.result.response.error_code, said.reply
    assert len(await planned(hass)) == 1


async def test_what_was_off_when_it_was_planned_is_done_where_it_is_on_then(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    tv = "media_player.living_room_tv"
    await (await speak()).say("turn the volume of the living room tv to 20 percent at ten")
    await hass.services.async_call("media_player", "turn_on", {"entity_id": tv}, blocking=True)
    assert await at(hass, freezer, NOW.replace(hour=22, second=1)) == {tv}
    state = hass.states.get(tv)
    assert state
    assert state.attributes["volume_level"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the good night scene for ten minutes"),
        ("en", "run the good night scene for ten minutes"),
        ("de", "aktiviere die Szene Good Night für zehn Minuten"),
        ("nl", "zet de scène Good Night tien minuten aan"),
    ],
)
async def test_what_cannot_be_put_back_is_not_done_for_a_while(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert (said.calls, await planned(hass)) == ([], []), said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "close the kitchen blinds and at sunrise open again"),
        ("en", "set the bedroom thermostat to 23 and back to 20 at nine"),
        ("de", "mach Kitchen Blinds zu und morgen bei Sonnenaufgang wieder auf"),
        ("de", "fahr Kitchen Blinds zur Hälfte runter und um sieben wieder hoch"),
        ("es", "enciende Floor Lamp y a las nueve apagada otra vez"),
        ("fr", "mets Bedroom Thermostat à 23 et à 20 à neuf heures"),
        ("it", "metti Bedroom Thermostat a 23 gradi e a 20 alle nove"),
        ("nl", "doe Kitchen Blinds half dicht en om zeven uur weer omhoog"),
        ("pl", "ustaw Bedroom Thermostat na 23 stopnie a o dziewiątej na 20"),
        ("pt", "põe Bedroom Thermostat a 23 graus e às nove a 20"),
        ("sv", "dra ner Kitchen Blinds till hälften och upp igen klockan sju"),
    ],
)
async def test_what_is_undone_at_a_time_is_for_now(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert said.calls, said.reply
    assert [len(each["text"]) < len(text) for each in await planned(hass)] == [True], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn the floor lamp off at eleven and on tomorrow at six"),
        ("de", "mach Floor Lamp um elf aus und morgen um sechs wieder an"),
        ("es", "apaga Floor Lamp a las once y enciéndela mañana a las seis"),
        ("fr", "éteins Floor Lamp à onze heures et rallume-la demain à six heures"),
        ("it", "spegni Floor Lamp alle undici e accendila domani alle sei"),
        ("nl", "doe Floor Lamp om elf uur uit en morgen om zes uur weer aan"),
        ("pl", "zgaś Floor Lamp o jedenastej i zapal jutro o szóstej"),
        ("pt", "apaga Floor Lamp às onze e acende-a amanhã às seis"),
        ("sv", "släck Floor Lamp klockan elva och tänd den imorgon klockan sex"),
    ],
)
async def test_the_day_after_a_time_at_night_begins_in_its_morning(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    said = await (await speak()).say(text, language=language)
    waiting = [datetime.fromisoformat(each["due"]) for each in await planned(hass)]
    told = [f"{each.astimezone(BERLIN):%d %H}" for each in waiting]
    assert told == ["25 23", "26 06"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the floor lamp at eight pm and turn it off again half an hour later"),
        ("de", "mach um 20 Uhr die Floor Lamp an und eine halbe Stunde später wieder aus"),
        ("es", "enciende Floor Lamp a las 20:00 y apágala media hora después"),
        ("fr", "allume Floor Lamp à 20 heures et éteins-la une demi-heure après"),
        ("it", "accendi Floor Lamp alle 20 e spegnila mezz'ora dopo"),
        ("nl", "doe Floor Lamp om 20:00 aan en doe hem een half uur later weer uit"),
        ("pl", "włącz Floor Lamp o 20:00 i wyłącz ją pół godziny później"),
        ("pt", "liga Floor Lamp às 20:00 e desliga-a meia hora depois"),
        ("sv", "tänd Floor Lamp klockan 20 och släck den en halvtimme senare"),
    ],
)
async def test_later_is_after_the_time_that_was_said_before(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    dues = sorted(datetime.fromisoformat(each["due"]) for each in await planned(hass))
    assert [dt_util.as_local(due).strftime("%H:%M") for due in dues] == ["20:00", "20:30"], (
        said.reply
    )


async def test_what_is_later_than_nothing_is_declined(hass: HomeAssistant, speak: Setup) -> None:
    said = await (await speak()).say("turn on the floor lamp ten minutes later")
    assert not said.changes
    assert not await planned(hass)


@in_one_house(
    ("language", "text"),
    [
        ("en", "when the front door is unlocked later today turn on the floor lamp"),
        ("en", "when the front door is unlocked tonight turn on the floor lamp"),
        ("de", "wenn nachher Front Door aufgeschlossen wird, mach die Floor Lamp an"),
        ("de", "wenn Front Door heute noch aufgeschlossen wird, mach die Floor Lamp an"),
        ("es", "cuando se desbloquee luego Front Door, enciende Floor Lamp"),
        ("nl", "als straks Front Door van het slot gaat, doe Floor Lamp aan"),
    ],
)
async def test_later_in_what_is_waited_for_is_no_time(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert [each["kind"] for each in await planned(hass)] == ["waiting"], said.reply


@in_one_house(
    ("language", "text", "due"),
    [
        ("en", "turn on Floor Lamp tomorrow at a quarter past six", "06:15"),
        ("en", "turn on Floor Lamp tomorrow at six", "18:00"),
        ("de", "mach Floor Lamp am Sonntag um Viertel nach sechs an", "06:15"),
        ("fr", "allume Floor Lamp demain à six heures et quart", "06:15"),
        ("sv", "tänd Floor Lamp kvart över sex på söndag", "06:15"),
    ],
)
async def test_soon_after_six_of_another_day_is_in_its_morning(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    due: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    await (await speak()).say(text, language=language)
    [command] = await planned(hass)
    assert datetime.fromisoformat(command["due"]).astimezone(BERLIN).strftime("%H:%M") == due

"""What people say of what is planned in their own words: why it is changed or dropped, when else, a yes, a question."""

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from custom_components.bellboard.when import Once, Repeated, Trigger
from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of
from tests.test_delayed import person, planned
from tests.test_revised import PLANS
from tests.test_scheduled import NOW

LAMP = "light.floor_lamp"


@pytest.fixture(autouse=True)
async def _evening(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


def when(hass: HomeAssistant) -> list[str]:
    """Return the times by the clock that something is planned for, next ones first."""
    starts = [each.schedule.start for each in assistant_of(hass).delayed.waiting]
    return [
        dt_util.as_local(start.at).strftime("%a %H:%M")
        for start in starts
        if isinstance(start, Once)
    ]


OFF = {
    "en": "turn off the floor lamp at 11 pm",
    "de": "schalte die Floor Lamp um 23 Uhr aus",
    "es": "apaga Floor Lamp a las 23:00",
    "fr": "éteins Floor Lamp à 23 heures",
    "it": "spegni Floor Lamp alle 23",
    "nl": "zet de Floor Lamp om 23:00 uit",
    "pl": "wyłącz Floor Lamp o 23:00",
    "pt": "desliga Floor Lamp às 23:00",
    "sv": "släck Floor Lamp klockan 23",
}


@in_one_house(
    ("language", "text"),
    [
        ("en", "oh, forget about the lamp, my neighbour has one on"),
        ("en", "the guests cancelled, you can drop that"),
        ("en", "forget it, I'll switch it on myself"),
        ("de", "ach nein, lass das mit der Floor Lamp lieber, wir essen draußen"),
        ("de", "die Gäste haben abgesagt, das kannst du wieder löschen"),
        ("de", "lass gut sein, die mach ich selber an"),
        ("es", "mira, olvida lo de mañana, ya no vienen"),
        ("es", "ya no vienen los invitados, puedes borrarlo"),
        ("fr", "écoute, laisse tomber, on mange dehors"),
        ("fr", "les invités ont annulé, tu peux l'annuler"),
        ("it", "no guarda, annulla, mia sorella resta a casa"),
        ("it", "gli ospiti non vengono più, puoi toglierlo"),
        ("nl", "ach, vergeet het maar, mijn broer blijft thuis"),
        ("nl", "de gasten komen niet meer, dat mag je weer schrappen"),
        ("nl", "ik doe het straks zelf wel"),
        ("pl", "oj, zapomnij o tym, zostajemy w domu"),
        ("pl", "goście odwołali, możesz to usunąć"),
        ("pt", "olha, esquece isso de amanhã, jantamos fora"),
        ("pt", "os convidados cancelaram, podes esquecer isso"),
        ("sv", "strunt i det, jag tänder den själv"),
        ("sv", "gästerna kommer inte, det kan du ta bort"),
    ],
)
async def test_what_is_dropped_is_dropped_whatever_is_told_beside_it(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert await planned(hass) == [], said.reply
    assert not said.result.continue_conversation


@in_one_house(
    ("language", "text"),
    [
        ("en", "make it nine, we haven't had dinner yet"),
        ("en", "my bus is late, make it nine"),
        ("en", "push it back an hour, I'm late"),
        ("de", "mach lieber neun draus, die Suppe ist noch nicht fertig"),
        ("de", "ich bin noch unterwegs, mach neun draus"),
        ("de", "verschieb es um eine Stunde, ich komme später"),
        ("es", "mejor a las nueve, que no hemos cenado todavía"),
        ("fr", "on n'a pas encore mangé, mets plutôt vingt et une heures"),
        ("it", "domani mangiamo tardi, facciamo alle nove"),
        ("nl", "maak er maar negen uur van, de taart is er nog niet"),
        ("nl", "de trein is te laat, doe maar negen uur"),
        ("pl", "jutro mam wolne, przesuń to na dziewiątą"),
        ("pt", "ainda não jantámos, passa para as nove"),
        ("sv", "vänta med det till nio, vi har inte hunnit hem"),
    ],
)
async def test_why_it_is_moved_is_no_part_of_the_time(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert [each.split()[1] for each in when(hass)] == ["21:00"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "leave it on until midnight, we're playing cards"),
        ("de", "lass sie doch bis Mitternacht an, wir spielen noch"),
        ("es", "déjala encendida hasta medianoche, que hay visita"),
        ("fr", "laisse-la allumée jusqu'à minuit, on joue encore"),
        ("it", "lasciala accesa fino a mezzanotte, giochiamo ancora"),
        ("nl", "laat hem maar tot middernacht aan, we spelen nog"),
        ("pl", "zostaw ją włączoną do północy, jeszcze gramy"),
        ("pt", "deixa-a ligada até à meia-noite, ainda jogamos"),
        ("sv", "låt den vara tänd till midnatt"),
    ],
)
async def test_what_is_kept_until_later_ends_then(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(OFF[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert [each.split()[1] for each in when(hass)] == ["00:00"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "do it right away instead"),
        ("en", "no, right now please"),
        ("de", "mach es doch lieber gleich jetzt"),
        ("es", "no, mejor ahora mismo"),
        ("fr", "non, fais-le plutôt tout de suite"),
        ("it", "anzi, fallo subito"),
        ("nl", "doe het toch maar meteen"),
        ("pl", "nie, zrób to teraz"),
        ("pt", "afinal faz isso já"),
        ("sv", "nej, gör det nu i stället"),
    ],
)
async def test_what_is_hastened_is_done_once_and_now(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert [*said.changes] == [LAMP], said.reply
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "right now?"),
        ("en", "okay"),
        ("de", "jetzt ist gut"),
        ("es", "ya está bien"),
        ("it", "già va bene"),
        ("pt", "já está bem"),
    ],
)
async def test_a_word_like_now_alone_does_nothing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    assert not (await speaker.say(text, language=language)).changes
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "not at eight, when the bedroom window opens"),
        ("en", "no, when the bedroom window opens instead"),
        ("de", "nicht um acht, sondern wenn das Bedroom Window aufgeht"),
        ("es", "a las ocho no, cuando se abra Bedroom Window"),
        ("fr", "pas à vingt heures, quand Bedroom Window s'ouvre"),
        ("it", "non alle otto, quando si apre Bedroom Window"),
        ("nl", "niet om acht uur, als het Bedroom Window opengaat"),
        ("pl", "nie o ósmej, gdy Bedroom Window się otworzy"),
        ("pt", "não às oito, quando Bedroom Window abrir"),
        ("sv", "inte klockan åtta, när Bedroom Window öppnas"),
    ],
)
async def test_what_was_for_a_time_waits_instead(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    [command] = assistant_of(hass).delayed.waiting
    assert isinstance(command.schedule.start, Trigger), said.reply


async def test_what_cannot_be_waited_for_instead_leaves_the_plan(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say(PLANS["en"])
    said = await speaker.say("not at eight, when the parrot sings")
    assert not said.changes
    assert [each.split()[1] for each in when(hass)] == ["20:00"], said.reply


REMINDERS = {
    "en": "remind me at eight to feed the cat",
    "de": "erinnere mich um acht daran, die Katze zu füttern",
    "es": "recuérdame a las ocho dar de comer al gato",
    "fr": "rappelle-moi à 20 heures de nourrir le chat",
    "it": "ricordami alle otto di dare da mangiare al gatto",
    "nl": "herinner me er om acht uur aan om de kat te voeren",
    "pl": "przypomnij mi o ósmej, żeby nakarmić kota",
    "pt": "lembra-me às oito de dar comida ao gato",
    "sv": "påminn mig klockan åtta om att mata katten",
}


@in_one_house(
    ("language", "text"),
    [
        ("en", "make that nine"),
        ("en", "make it nine, I'm at my aunt's until eight"),
        ("de", "mach neun draus"),
        ("es", "mejor a las nueve"),
        ("fr", "plutôt à 21 heures"),
        ("it", "meglio alle nove"),
        ("nl", "maak er negen uur van"),
        ("pl", "lepiej o dziewiątej"),
        ("pt", "melhor às nove"),
        ("sv", "ta klockan nio i stället"),
    ],
)
async def test_a_reminder_is_moved_as_any_plan(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(REMINDERS[language], language=language)
    [before] = assistant_of(hass).delayed.waiting
    said = await speaker.say(text, language=language)
    [after] = assistant_of(hass).delayed.waiting
    assert after.message == before.message
    assert [each.split()[1] for each in when(hass)] == ["21:00"], said.reply


@in_one_house(
    ("language", "text"),
    [
        ("en", "what time's the floor lamp coming on again?"),
        ("en", "remind me, what's planned for tomorrow?"),
        ("de", "wann sollte die Floor Lamp noch mal angehen?"),
        ("de", "sag mal, was hast du für morgen alles geplant?"),
        ("es", "oye, ¿qué es lo que tienes apuntado para mañana?"),
        ("fr", "dis, tu as quoi de prévu pour demain ?"),
        ("it", "senti, cosa hai segnato per domani?"),
        ("nl", "wat heb je voor morgen allemaal gepland staan?"),
        ("pl", "słuchaj, co masz na jutro zaplanowane?"),
        ("pt", "olha, o que é que ficou marcado para amanhã?"),
        ("sv", "du, när drar Floor Lamp igång?"),
    ],
)
async def test_a_question_about_plans_is_answered_from_them(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    await speaker.say(PLANS[language], language=language)
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert "Floor Lamp" in said.reply
    assert "20" in said.reply
    assert len(await planned(hass)) == 1


EVERY_DAY = {
    "en": "turn on the floor lamp every day at 8 pm",
    "de": "schalte die Floor Lamp jeden Tag um 20 Uhr ein",
    "es": "enciende Floor Lamp todos los días a las 20:00",
    "fr": "allume Floor Lamp tous les jours à 20 heures",
    "it": "accendi Floor Lamp ogni giorno alle 20",
    "nl": "zet de Floor Lamp elke dag om 20:00 aan",
    "pl": "włączaj Floor Lamp codziennie o 20:00",
    "pt": "liga Floor Lamp todos os dias às 20:00",
    "sv": "tänd Floor Lamp varje dag klockan 20",
}


@in_one_house(
    ("language", "text"),
    [
        ("en", "great, schedule that"),
        ("de", "prima, programmier das so"),
        ("es", "perfecto, agéndalo"),
        ("fr", "parfait, planifie ça"),
        ("it", "perfetto, programmala così"),
        ("nl", "prima zo, regel het maar"),
        ("nl", "klopt, zet het er maar in"),
        ("pl", "super, zaplanuj to"),
        ("pt", "perfeito, agenda isso"),
        ("sv", "precis, så vill jag ha det"),
    ],
)
async def test_a_yes_in_own_words_has_it_repeated(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    language: str,
    text: str,
) -> None:
    speaker, anna = await speak(), Context(user_id=(await person(hass, admin=True)).id)
    await speaker.say(EVERY_DAY[language], language=language, context=anna)
    said = await speaker.say(text, language=language, context=anna)
    [command] = assistant_of(hass).delayed.waiting
    assert isinstance(command.schedule.start, Repeated), said.reply


@in_one_house(
    ("language", "text", "told"),
    [
        ("de", "erinnere mich um acht daran, dass ich gießen soll", ": dass ich gießen soll"),
        ("nl", "herinner me er om acht uur aan om te bellen", ": om te bellen"),
        ("pl", "przypomnij mi o ósmej, żebym zadzwonił", ": żebym zadzwonił"),
        ("en", "remind me at eight that the oven is on", ": the oven is on"),
        ("sv", "påminn mig klockan åtta om att jag ska ringa", ": jag ska ringa"),
    ],
)
async def test_a_reminder_keeps_the_word_that_orders_its_words(
    hass: HomeAssistant, speak: Setup, language: str, text: str, told: str
) -> None:
    speaker = await speak()
    assert told in (await speaker.say(text, language=language)).reply


async def test_what_can_be_said_instead_is_said_once(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    hint = "what can you do?"
    for text in ("turn on the lamp and blorp the wug", "by the way, blorp it on Monday, the wug"):
        assert (await speaker.say(text)).reply.count(hint) <= 1

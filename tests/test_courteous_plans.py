"""What is for later as people say it: with courtesy and reasons behind it, in idioms, for lamps by their sort."""

from homeassistant.core import Context, HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import planned


@in_one_house(
    ("language", "text", "lamp"),
    [
        ("en", "turn off the ceiling light in the Kitchen in forty minutes", "Kitchen Ceiling"),
        ("en", "the big light in the Workshop off at half nine", "Workshop Ceiling"),
        ("de", "schalte um halb zehn die Deckenlampe in Kitchen aus", "Kitchen Ceiling"),
        ("de", "mach um elf die Deckenleuchte in Bathroom aus", "Bathroom Ceiling"),
        ("es", "apaga la lámpara de techo de Kitchen a las diez", "Kitchen Ceiling"),
        ("fr", "éteins le plafonnier de Kitchen à vingt-deux heures", "Kitchen Ceiling"),
        ("it", "spegni la plafoniera in Kitchen tra un'ora", "Kitchen Ceiling"),
        ("nl", "doe de plafondlamp in Kitchen over een uur uit", "Kitchen Ceiling"),
        ("pl", "zgaś lampę sufitową w Kitchen za godzinę", "Kitchen Ceiling"),
        ("pt", "apaga a luz do teto de Kitchen daqui a uma hora", "Kitchen Ceiling"),
        ("sv", "släck taklampan i Kitchen om en timme", "Kitchen Ceiling"),
        ("de", "mach in einer Stunde die Nachttischlampen aus", "Left Bedside Lamp"),
        ("fr", "éteins les lampes de chevet dans une heure", "Left Bedside Lamp"),
        ("it", "spegni le lampade da comodino tra un'ora", "Left Bedside Lamp"),
        # A room without any has no other lights for it than those.
        ("de", "schalte um elf die Deckenlampe in Dining Room aus", "Sideboard Lamp"),
    ],
)
async def test_a_lamp_is_found_by_its_sort(
    hass: HomeAssistant, speak: Setup, language: str, text: str, lamp: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert lamp in said.reply
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "lock the street door at midnight"),
        ("de", "sperr um Mitternacht die Eingangstür ab"),
        ("es", "cierra con llave la puerta de la calle a medianoche"),
        ("fr", "verrouille la porte de la maison à minuit"),
        ("it", "chiudi a chiave il portone a mezzanotte"),
        ("nl", "doe de straatdeur om middernacht op slot"),
        ("pl", "zamknij na klucz drzwi frontowe o północy"),
        ("pt", "tranca a porta de casa à meia-noite"),
        ("sv", "lås entrédörren vid midnatt"),
    ],
)
async def test_words_for_the_front_door_are_its_lock(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert "Front Door" in said.reply
    assert len(await planned(hass)) == 1


async def test_the_ceiling_light_alone_is_not_every_light(
    hass: HomeAssistant, speak: Setup
) -> None:
    said = await (await speak()).say("turn on the ceiling light")
    assert not said.changes


@in_one_house(
    ("language", "text"),
    [
        ("en", "give us a buzz when it has stopped raining, then I can walk the dog"),
        ("en", "shout when the Front Door opens, I never hear it"),
        ("de", "gib mir ein Signal, wenn die Front Door aufgeht, ich überhör es immer"),
        ("de", "pfeif mal, wenn es aufgehört hat zu regnen, dann geh ich raus"),
        ("es", "dame una voz cuando haya parado de llover, que así salgo"),
        ("fr", "donne-moi un signal quand il aura cessé de pleuvoir, comme ça je sors"),
        ("it", "dammi un segnale quando ha finito di piovere, così esco"),
        ("nl", "geef een schreeuw als het gestopt is met regenen, dan ga ik fietsen"),
        ("pl", "gdy przestanie padać, daj mi sygnał, to pójdę z psem"),
        ("pt", "faz-me sinal quando tiver parado de chover, assim vou à rua"),
        ("sv", "tjoa till när det har slutat regna, då går vi ut"),
    ],
)
async def test_who_wants_to_be_told_may_say_it_in_any_words(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    [waiting] = await planned(hass)
    assert waiting["when"].startswith("when ")


@in_one_house(
    ("language", "text", "message"),
    [
        ("en", "remind me at ten to lock the bike, otherwise I'll forget", "lock the bike."),
        ("de", "erinnere mich um zehn ans Fahrrad, sonst vergesse ich es wieder", "Fahrrad."),
        ("es", "recuérdame a las diez la bici, que si no se me olvida", "bici."),
        ("fr", "rappelle-moi à vingt-deux heures de rentrer le vélo, sinon j'oublie", "vélo."),
        ("it", "ricordami alle dieci la bici, altrimenti me ne dimentico", "bici."),
        ("nl", "herinner me om tien uur aan de fiets, anders vergeet ik het weer", "fiets."),
        ("pl", "przypomnij mi o dziesiątej o rowerze, bo inaczej zapomnę", "rowerze."),
        ("pt", "lembra-me às dez da bicicleta, senão esqueço-me", "bicicleta."),
        ("sv", "påminn mig klockan tio om cykeln, annars glömmer jag det", "cykeln."),
    ],
)
async def test_why_it_is_wanted_is_no_part_of_a_reminder(
    hass: HomeAssistant, speak: Setup, language: str, text: str, message: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert message in said.reply
    assert len(await planned(hass)) == 1


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the Hallway Ceiling when somebody moves in the Hallway, there's a love"),
        (
            "de",
            "schalte die Hallway Ceiling ein, wenn sich in Hallway was bewegt, wärst du so nett",
        ),
        ("es", "enciende Hallway Ceiling cuando alguien pase por Hallway, hazme el favor"),
        ("fr", "allume Hallway Ceiling dès que quelqu'un passe dans Hallway, sois gentil"),
        ("it", "accendi Hallway Ceiling quando qualcuno passa in Hallway, sii gentile"),
        ("nl", "doe Hallway Ceiling aan als iemand in Hallway komt, wees zo lief"),
        ("pl", "zapal Hallway Ceiling, gdy ktoś wejdzie do Hallway, bądź tak miły"),
        ("pt", "acende Hallway Ceiling quando alguém passar em Hallway, sê querida"),
        ("sv", "tänd Hallway Ceiling när någon rör sig i Hallway, är du snäll"),
        ("sv", "släck Floor Lamp klockan tio, är du rar"),
        ("nl", "doe Floor Lamp om tien uur uit, ik vergeet het altijd"),
        ("de", "schalte Floor Lamp um zehn aus, damit ich's nicht vergesse"),
    ],
)
async def test_courtesy_behind_a_command_asks_nothing(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert len(await planned(hass)) == 1


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        (
            "en",
            "each time the Bathroom Window opens let me know, I never see it",
            "yes, that'd be handy",
        ),
        (
            "de",
            "immer wenn Bathroom Window aufgeht, sag Bescheid, sei so lieb",
            "ja, das hilft mir",
        ),
        ("es", "cada vez que se abra Bathroom Window avísame, anda", "sí, me ayudaría mucho"),
        ("fr", "chaque fois que Bathroom Window s'ouvre, préviens-moi", "oui, ça m'aiderait"),
        ("it", "ogni volta che si apre Bathroom Window avvisami, sii gentile", "sì, mi aiuterebbe"),
        ("nl", "telkens als Bathroom Window opengaat, laat het me weten", "ja, dat helpt"),
        ("pl", "za każdym razem gdy otworzy się Bathroom Window, daj mi znać", "tak, to mi pomoże"),
        ("pt", "sempre que Bathroom Window abrir avisa-me, se fazes favor", "sim, dá-me jeito"),
        (
            "sv",
            "varje gång Bathroom Window öppnas, säg till, jag glömmer alltid",
            "ja, det hjälper",
        ),
    ],
)
async def test_what_repeats_is_made_after_a_yes_in_other_words(
    hass: HomeAssistant,
    speak: Setup,
    *,
    automations_file: AutomationsFile,
    hass_admin_user: MockUser,
    language: str,
    text: str,
    answer: str,
) -> None:
    speaker, context = await speak(), Context(user_id=hass_admin_user.id)
    asked = await speaker.say(text, language=language, context=context)
    assert asked.result.continue_conversation, asked.reply
    assert await planned(hass, context) == []
    await speaker.say(answer, language=language, context=context)
    assert len(await planned(hass, context)) == 1


@in_one_house(
    ("language", "text"),
    [
        (
            "en",
            "if it's below 17 degrees in the Bedroom tomorrow at nine, turn on the heating in there",
        ),
        ("de", "wenn es morgen um neun im Bedroom unter 17 Grad hat, schalte dort die Heizung ein"),
        (
            "nl",
            "als het morgen om negen uur in Bedroom onder de 17 graden is, zet daar de verwarming aan",
        ),
        ("sv", "om det är under 17 grader i Bedroom i morgon klockan nio, slå på värmen där"),
    ],
)
async def test_there_is_where_it_is_looked_at(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert not said.changes
    assert len(await planned(hass)) == 1, said.reply


async def test_what_else_may_be_wanted_is_not_dropped_as_courtesy(
    hass: HomeAssistant, speak: Setup
) -> None:
    said = await (await speak()).say("turn off the floor lamp at ten, and would you walk the dog")
    assert not said.changes
    assert await planned(hass) == []

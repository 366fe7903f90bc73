"""Announcements for a person: where they are known to hear it, else to all; who is not known is said not to be."""

from datetime import timedelta
from pathlib import Path

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.policy.file import POLICIES_FILE, async_load_policies
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.satellites import Satellites, satellites_in
from tests.test_announcements import BEDROOM, KIDS, KITCHEN, OTHERS, ROOMS, heard, on
from tests.test_delayed import planned
from tests.test_scheduled import NOW, at

BENS = "assist_satellite.bedroom_satellite"


def house_of_people(hass: HomeAssistant) -> Satellites:
    """Return satellites in four rooms of a house where Anna and Ben live."""
    for object_id, name in (("anna_schmidt", "Anna Schmidt"), ("ben", "Ben")):
        hass.states.async_set(f"person.{object_id}", "home", {"friendly_name": name})
    return satellites_in(hass, *ROOMS)


@pytest.fixture
def satellites(hass: HomeAssistant, house: ConfigEntry) -> Satellites:
    """Return the satellites of a house where Anna and Ben live."""
    return house_of_people(hass)


async def own(hass: HomeAssistant, tmp_path: Path, **satellites: str) -> None:
    """Let satellites be of persons, by the policies' file."""
    hass.config.config_dir = str(tmp_path)
    lines = [f"  {name}: [{satellite}]" for name, satellite in satellites.items()]
    text = "\n".join(["persons:", *lines, "rules: []\n"])
    await hass.async_add_executor_job((tmp_path / POLICIES_FILE).write_text, text)
    await async_load_policies(hass)


@in_one_house(
    ("language", "text", "message", "told"),
    [
        ("en", "tell Anna dinner is ready", "dinner is ready",
         "since I don't know where to find Anna"),
        ("en", "tell anna that dinner is ready", "dinner is ready",
         "since I don't know where to find Anna"),
        ("en", "tell Anna Schmidt to come down", "come down",
         "since I don't know where to find Anna Schmidt"),
        ("en", "announce to Anna that it's late", "it's late", "since I don't know where to find Anna"),
        ("en", "let Ben know that the bus is here", "the bus is here",
         "since I don't know where to find Ben"),
        ("en", "tell Anna and Ben we leave", "we leave",
         "since I don't know where to find Anna and Ben"),
        ("de", "sag Anna, dass das Essen fertig ist", "dass das Essen fertig ist",
         "weil ich nicht weiß, wo ich Anna finde"),
        ("de", "sag der Anna Bescheid: Essen ist fertig", "Essen ist fertig",
         "weil ich nicht weiß, wo ich Anna finde"),
        ("es", "dile a Anna que la cena está lista", "la cena está lista",
         "porque no sé dónde encontrar a Anna"),
        ("fr", "dis à Anna que le dîner est prêt", "le dîner est prêt",
         "car je ne sais pas où trouver Anna"),
        ("it", "di' ad Anna che la cena è pronta", "la cena è pronta",
         "perché non so dove trovare Anna"),
        ("nl", "zeg tegen Anna dat het eten klaar is", "dat het eten klaar is",
         "want ik weet niet waar ik Anna kan vinden"),
        ("pl", "powiedz Annie, że kolacja gotowa", "kolacja gotowa",
         "(nie wiem, gdzie szukać: Anna)"),
        ("pl", "przekaż Benowi, że kolacja gotowa", "kolacja gotowa",
         "(nie wiem, gdzie szukać: Ben)"),
        ("pt", "diz à Anna que o jantar está pronto", "o jantar está pronto",
         "porque não sei onde encontrar Anna"),
    ],
)  # fmt: skip
async def test_who_has_no_room_and_no_satellite_is_told_everywhere_and_why_is_said(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, message: str, told: str
) -> None:
    satellites = house_of_people(hass)
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert heard(satellites) == on(OTHERS, message)
    assert told in said.reply


async def test_whose_satellite_is_known_is_told_there(
    hass: HomeAssistant, satellites: Satellites, speak: Setup, tmp_path: Path
) -> None:
    speaker = await speak()
    kids = er.async_get(hass).async_get("assist_satellite.kids_room_satellite")
    assert kids
    assert kids.device_id
    # By its entity or by its device; who is no person of Home Assistant's may have one, too.
    await own(hass, tmp_path, Ben=BENS, Carla=kids.device_id)
    said = await speaker.say("tell Ben dinner is ready", area="Kitchen")
    assert heard(satellites) == on({BEDROOM}, "dinner is ready")
    assert said.reply == "Announced it on Bedroom voice panel."
    await speaker.say("tell Carla and Ben dinner is ready", area="Kitchen")
    assert heard(satellites) == on({KIDS, BEDROOM}, "dinner is ready")
    await speaker.say("tell the kitchen and Ben that it is late", area="Living Room")
    assert heard(satellites) == on({KITCHEN, BEDROOM}, "it is late")
    # Where one of them cannot be found, everybody is told.
    said = await speaker.say("tell Ben and Anna dinner is ready", area="Kitchen")
    assert heard(satellites) == on(OTHERS, "dinner is ready")
    assert "where to find Anna" in said.reply


async def test_a_satellite_that_is_not_exposed_is_nobodys(
    hass: HomeAssistant, satellites: Satellites, speak: Setup, tmp_path: Path
) -> None:
    speaker = await speak()
    await own(hass, tmp_path, Ben=BENS)
    async_expose_entity(hass, "conversation", BENS, should_expose=False)
    await hass.async_block_till_done()
    said = await speaker.say("tell Ben dinner is ready", area="Kitchen")
    assert heard(satellites) == on(OTHERS - {BEDROOM}, "dinner is ready")
    assert "where to find Ben" in said.reply


async def test_a_person_is_told_in_the_room_that_has_their_name(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    areas = ar.async_get(hass)
    bedroom = areas.async_get_area_by_name("Bedroom")
    assert bedroom
    areas.async_update(bedroom.id, name="Ben's Room")
    said = await (await speak()).say("tell Ben dinner is ready", area="Kitchen")
    assert heard(satellites) == on({BEDROOM}, "dinner is ready")
    assert "don't know" not in said.reply


@in_one_house(
    "text",
    [
        "announce Anna is here",
        "tell everyone Anna is here",
        "tell everyone and Ben that Anna is here",
    ],
)
async def test_who_is_only_spoken_of_is_told_nothing(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    satellites = house_of_people(hass)
    said = await (await speak()).say(text, area="Kitchen")
    assert heard(satellites) == on(OTHERS, "Anna is here")
    assert "don't know" not in said.reply


async def test_a_message_for_a_person_is_asked_for(
    hass: HomeAssistant, satellites: Satellites, speak: Setup, tmp_path: Path
) -> None:
    speaker = await speak()
    await own(hass, tmp_path, Ben=BENS)
    assert (await speaker.say("tell Ben", area="Kitchen")).reply == "What shall I announce?"
    await speaker.say("dinner is ready", area="Kitchen")
    assert heard(satellites) == on({BEDROOM}, "dinner is ready")


@in_one_house(
    ("language", "text", "reply"),
    [
        ("en", "tell Zoe dinner is ready", "I don't know anybody called Zoe."),
        ("en", "tell zoe dinner is ready", "I don't know anybody called zoe."),
        ("en", "tell Zoe we leave at five", "I don't know anybody called Zoe."),
        ("en", "Tell Zoe to come down", "I don't know anybody called Zoe."),
        ("en", "tell Zoe: dinner!", "I don't know anybody called Zoe."),
        ("en", "let Zoe know that it's late", "I don't know anybody called Zoe."),
        ("en", "inform Zoe Miller that the bus is here", "I don't know anybody called Zoe Miller."),
        ("de", "sag Zoe, dass das Essen fertig ist", "Ich kenne niemanden namens Zoe."),
        ("de", "sag Zoe das Essen ist fertig", "Ich kenne niemanden namens Zoe."),
        ("de", "sag zoe bescheid dass es essen gibt", "Ich kenne niemanden namens zoe."),
        ("es", "dile a Zoe que la cena está lista", "No conozco a nadie que se llame Zoe."),
        ("fr", "dis à Zoe que le dîner est prêt", "Je ne connais personne qui s'appelle Zoe."),
        ("fr", "dis à Zoe de descendre", "Je ne connais personne qui s'appelle Zoe."),
        ("it", "avvisa Zoe che la cena è pronta", "Non conosco nessuno che si chiami Zoe."),
        ("nl", "laat Zoe weten dat het eten klaar is", "Ik ken niemand die Zoe heet."),
        ("pl", "powiedz Zoi, że kolacja gotowa", "Nie znam takiej osoby: Zoi."),
        ("pt", "diz à Zoe que o jantar está pronto", "Não conheço ninguém chamado Zoe."),
        ("en", "tell him that dinner is ready", "I don't know whom you mean."),
        ("de", "sag ihr, dass es spät ist", "Ich weiß nicht, wen du meinst."),
        ("es", "dile que la cena está lista", "No sé a quién te refieres."),
        ("fr", "dis-lui que le dîner est prêt", "Je ne sais pas de qui tu parles."),
        ("it", "digli che la cena è pronta", "Non so di chi parli."),
        ("nl", "zeg hem dat het eten klaar is", "Ik weet niet wie je bedoelt."),
        ("pl", "powiedz mu, że kolacja gotowa", "Nie wiem, o kogo chodzi."),
        ("pt", "diz-lhe que o jantar está pronto", "Não sei de quem se trata."),
    ],
)  # fmt: skip
async def test_nobody_is_told_what_is_for_somebody_whom_nobody_knows(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, reply: str
) -> None:
    satellites = house_of_people(hass)
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert said.reply == reply
    assert heard(satellites) == {}
    assert not said.changes


@in_one_house(
    ("language", "text"),
    [
        ("en", "tell stories that are funny"),
        ("en", "tell jokes about cats that are funny"),
        ("en", "say something that makes me laugh"),
        ("en", "tell a joke"),
        ("de", "sag etwas, das lustig ist"),
        ("de", "sag Witze, die lustig sind"),
        ("de", "sag mir, ob das Licht an ist"),
        ("es", "di algo que me haga reír"),
        ("fr", "dis quelque chose de gentil"),
        ("it", "di' qualcosa che fa ridere"),
        ("nl", "vertel iets dat leuk is"),
        ("pl", "powiedz coś śmiesznego"),
        ("pt", "diz algo engraçado"),
    ],
)
async def test_what_is_told_about_is_nobodys_name(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str
) -> None:
    satellites = house_of_people(hass)
    replies = (await async_get_language(hass, language)).replies
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert said.reply != replies["plan.no_name"]
    assert not said.reply.startswith(replies["plan.no_person"].partition("{")[0])
    assert heard(satellites) == {}


async def test_who_may_not_be_read_is_not_known(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    user = MockUser(
        groups=[],
    ).add_to_hass(hass)
    may = {"entity_ids": dict.fromkeys((f"assist_satellite.{n}" for n in (KITCHEN, *OTHERS)), True)}
    user.mock_policy({"entities": may})
    said = await (await speak()).say(
        "tell Ben dinner is ready", area="Kitchen", context=Context(user_id=user.id)
    )
    assert said.reply == "I don't know anybody called Ben."
    assert heard(satellites) == {}


@in_one_house(
    ("language", "text", "message", "where"),
    [
        ("en", "when the front door opens, tell Anna in the kitchen that she can go",
         "she can go", {KITCHEN}),
        ("en", "remind Ben to feed the cat when the front door opens", "feed the cat", OTHERS),
        ("en", "let the kids know when the front door opens", "the front door opens", {KIDS}),
        ("en", "remind Anna in the kitchen at six to feed the cat", "feed the cat", {KITCHEN}),
        ("en", "remind Ben to feed the cat at six", "feed the cat", OTHERS),
        ("en", "tell Ben at six to feed the cat", "feed the cat", OTHERS),
        ("de", "erinnere Ben um 18 Uhr daran, die Katze zu füttern", "die Katze zu füttern",
         OTHERS),
        ("de", "sag Anna Bescheid, sobald die Front Door aufgeht", "die Front Door aufgeht",
         OTHERS),
        ("es", "recuérdale a Ben a las 18 que dé de comer al gato", "dé de comer al gato", OTHERS),
        ("fr", "rappelle à Ben à 18 heures de nourrir le chat", "nourrir le chat", OTHERS),
        ("it", "ricorda a Ben alle 18 di nutrire il gatto", "nutrire il gatto", OTHERS),
        ("nl", "herinner Ben om 18 uur eraan de kat te voeren", "de kat te voeren", OTHERS),
        ("pl", "przypomnij Benowi o 18, że kot jest głodny", "kot jest głodny", OTHERS),
        ("pt", "lembra o Ben às 18 horas de alimentar o gato", "alimentar o gato", OTHERS),
        ("sv", "påminn Ben klockan 18 om att mata katten", "mata katten", OTHERS),
    ],
)  # fmt: skip
async def test_what_somebody_is_told_later_is_said_then(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    *,
    language: str,
    text: str,
    message: str,
    where: set[str],
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    hass.states.async_set("lock.front_door", "locked", {"friendly_name": "Front Door"})
    satellites = house_of_people(hass)
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    assert heard(satellites) == {}, said.reply
    assert len(await planned(hass)) == 1, said.reply
    if "18" in text or "six" in text:
        await at(hass, freezer, NOW.replace(hour=18, second=1))
    else:
        hass.states.async_set("lock.front_door", "open", {"friendly_name": "Front Door"})
        await hass.async_block_till_done()
        await at(hass, freezer, NOW + timedelta(seconds=5))
    assert heard(satellites) == on(where, message)


async def test_whoever_is_to_be_reminded_is_not_told_now(hass: HomeAssistant, speak: Setup) -> None:
    satellites = house_of_people(hass)
    speaker = await speak()
    said = await speaker.say("remind Ben to feed the cat", area="Kitchen")
    assert said.reply == "When shall I do that?"
    await speaker.say("in ten minutes", area="Kitchen")
    assert len(await planned(hass)) == 1
    assert heard(satellites) == {}

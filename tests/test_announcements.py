"""Announcements: in the person's own words, where they are wanted, told as they went."""

import logging
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.bellboard.flows.own_agent import fill_template, template_names
from custom_components.bellboard.nlu.loader import async_get_language
from tests.capable import brain
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.satellites import Satellites, satellites_in
from tests.test_delayed import later, planned
from tests.test_policy_reach import REFUSED, obey, rule

ROOMS = ("Kitchen", "Living Room", "Kids Room", "Bedroom")
KITCHEN, LIVING_ROOM, KIDS, BEDROOM = (
    "kitchen_satellite",
    "living_room_satellite",
    "kids_room_satellite",
    "bedroom_satellite",
)
OTHERS = {LIVING_ROOM, KIDS, BEDROOM}


@pytest.fixture
def satellites(hass: HomeAssistant, house: ConfigEntry) -> Satellites:
    """Return satellites in four rooms."""
    return satellites_in(hass, *ROOMS)


def heard(satellites: Satellites) -> dict[str, str]:
    """Return what each satellite said since it was last asked."""
    found = dict(satellites.heard)
    satellites.heard.clear()
    return found


def on(names: set[str], message: str) -> dict[str, str]:
    """Return one message on some satellites."""
    return dict.fromkeys(names, message)


@in_one_house(
    ("language", "text", "where", "message"),
    [
        ("en", "tell the kids dinner is ready", {KIDS}, "dinner is ready"),
        ("en", "can you tell the kids it's bedtime?", {KIDS}, "it's bedtime"),
        ("en", "tell the kids to wash their hands", {KIDS}, "wash their hands"),
        ("en", "announce upstairs that we leave in five minutes", {KIDS, BEDROOM},
         "we leave in five minutes"),
        ("en", "announce in the kitchen: food is ready", {KITCHEN}, "food is ready"),
        ("en", "broadcast dinner is ready", OTHERS, "dinner is ready"),
        ("en", "announce that dinner is ready", OTHERS, "dinner is ready"),
        ("en", "announce: who wants ice cream?", OTHERS, "who wants ice cream?"),
        ("en", "let everyone know that the bus is here", OTHERS, "the bus is here"),
        ("en", "tell everyone to come downstairs", OTHERS, "come downstairs"),
        ("en", "tell the living room I'm on my way", {LIVING_ROOM}, "I'm on my way"),
        ("en", "tell the kids the kitchen is a mess", {KIDS}, "the kitchen is a mess"),
        ("en", "please announce in the bedroom and the living room that the taxi is here",
         {BEDROOM, LIVING_ROOM}, "the taxi is here"),
        ("en", "say in the living room that she says the film starts at eight", {LIVING_ROOM},
         "she says the film starts at eight"),
        ("en", "tell everybody in the living room that if they are hungry there is soup",
         {LIVING_ROOM}, "if they are hungry there is soup"),
        ("en", "broadcast to the living room that the pizza is here", {LIVING_ROOM},
         "the pizza is here"),
        ("en", "announce on the bedroom voice panel that the cat is in", {BEDROOM},
         "the cat is in"),
        ("en", "announce 'time to go'", OTHERS, "time to go"),
        ("en", "announce hello", OTHERS, "hello"),
        ("en", "announce something is burning", OTHERS, "something is burning"),
        ("en", "announce in the kids room that it's late", {KIDS}, "it's late"),
        ("de", "sag im Wohnzimmer Bescheid, dass das Essen fertig ist", {LIVING_ROOM},
         "dass das Essen fertig ist"),
        ("de", "sag den Kindern, sie sollen runterkommen", {KIDS}, "sie sollen runterkommen"),
        ("de", "sag allen Bescheid: Essen ist fertig", OTHERS, "Essen ist fertig"),
        ("de", "sag oben Bescheid, dass wir in fünf Minuten gehen", {KIDS, BEDROOM},
         "dass wir in fünf Minuten gehen"),
        ("de", "gib im Schlafzimmer durch, dass der Bus kommt", {BEDROOM}, "dass der Bus kommt"),
        ("de", "kannst du den Kindern sagen, dass es Zeit fürs Bett ist", {KIDS},
         "dass es Zeit fürs Bett ist"),
        ("de", "mach eine Durchsage im Wohnzimmer: der Film fängt an", {LIVING_ROOM},
         "der Film fängt an"),
        ("de", "im Wohnzimmer ansagen: der Film fängt an", {LIVING_ROOM}, "der Film fängt an"),
        ("fr", "annonce que le dîner est prêt", OTHERS, "le dîner est prêt"),
        ("fr", "préviens tout le monde que le bus est là", OTHERS, "le bus est là"),
        ("it", "annuncia che la cena è pronta", OTHERS, "la cena è pronta"),
        ("it", "avvisa tutti che si parte tra cinque minuti", OTHERS,
         "si parte tra cinque minuti"),
        ("es", "anuncia que la cena está lista", OTHERS, "la cena está lista"),
        ("es", "di a los niños que es tarde", OTHERS, "es tarde"),
        ("nl", "roep om dat het eten klaar is", OTHERS, "dat het eten klaar is"),
        ("nl", "zeg tegen iedereen dat we over vijf minuten gaan", OTHERS,
         "dat we over vijf minuten gaan"),
        ("pl", "ogłoś, że kolacja gotowa", OTHERS, "kolacja gotowa"),
        ("pl", "powiedz wszystkim, że wychodzimy za pięć minut", OTHERS,
         "wychodzimy za pięć minut"),
        ("pt", "anuncia que o jantar está pronto", OTHERS, "o jantar está pronto"),
        ("pt", "avisa toda a gente que saímos daqui a cinco minutos", OTHERS,
         "saímos daqui a cinco minutos"),
    ],
)  # fmt: skip
async def test_a_message_is_said_as_it_is_where_it_is_meant(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, where: set[str], message: str
) -> None:
    satellites = satellites_in(hass, *ROOMS)
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    assert heard(satellites) == on(where, message)
    assert "voice panel" in said.reply


@in_one_house(
    "text",
    [
        "tell me if the front door is locked",
        "tell me the bedroom temperature",
        "let me know if the kids room is warm",
        "tell the kitchen lights to turn off",
        "announce on the kitchen speaker that dinner is ready",
        "tell a joke",
        "let the kids room be warm",
        "make an announcement",
        "she told the kids that dinner is ready",
        "tell the kids",
    ],
)
async def test_nothing_is_announced_that_is_no_announcement(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    satellites = satellites_in(hass, *ROOMS)
    await (await speak()).say(text, area="Kitchen")
    assert heard(satellites) == {}


@pytest.mark.parametrize("name", template_names())
async def test_the_examples_of_a_template_are_in_every_language(
    hass: HomeAssistant, name: str
) -> None:
    for code in ("de", "en", "es", "fr", "it", "nl", "pl", "pt"):
        assert fill_template(name, await async_get_language(hass, code))["examples"]


@in_one_house("language", ["de", "en", "es", "fr", "it", "nl", "pl", "pt"])
async def test_the_examples_of_the_template_are_announced(
    hass: HomeAssistant, speak: Setup, language: str
) -> None:
    satellites = satellites_in(hass, *ROOMS)
    examples: Any = fill_template("announcements", await async_get_language(hass, language))
    speaker = await speak()
    for text in examples["examples"]:
        await speaker.say(text, language=language, area="Kitchen")
        assert heard(satellites), text


def test_announcements_are_a_template() -> None:
    assert "announcements" in template_names()
    assert len(template_names()) == 7


async def test_people_without_a_room_are_told_everywhere(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    said = await (await speak()).say("tell grandma we are home", area="Kitchen")
    assert heard(satellites) == on(OTHERS, "we are home")
    assert all(room in said.reply for room in ROOMS[1:])


async def test_people_are_told_in_the_room_that_has_their_name(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    areas = ar.async_get(hass)
    bedroom = areas.async_get_area_by_name("Bedroom")
    assert bedroom
    areas.async_update(bedroom.id, aliases={"Grandma's Room", "grandma"})
    await (await speak()).say("tell grandma we are home", area="Kitchen")
    assert heard(satellites) == on({BEDROOM}, "we are home")


async def test_a_command_beside_an_announcement_is_done(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say(
        "turn off the kitchen pendant and tell the kids dinner is ready", area="Kitchen"
    )
    assert heard(satellites) == on({KIDS}, "dinner is ready")
    assert "light.kitchen_pendant" in said.changes
    said = await speaker.say(
        "announce upstairs that dinner is ready and turn on the kitchen pendant", area="Kitchen"
    )
    assert heard(satellites) == on({KIDS, BEDROOM}, "dinner is ready")
    assert "light.kitchen_pendant" in said.changes


async def test_who_speaks_hears_nothing_unless_the_room_is_named(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("announce upstairs that dinner is ready", area="Bedroom")
    assert heard(satellites) == on({KIDS}, "dinner is ready")
    await speaker.say("announce in the bedroom that dinner is ready", area="Bedroom")
    assert heard(satellites) == on({BEDROOM}, "dinner is ready")
    await speaker.say("announce that dinner is ready")
    assert heard(satellites) == on({KITCHEN, *OTHERS}, "dinner is ready")


async def test_without_another_satellite_that_is_said(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    satellites = satellites_in(hass, "Kitchen")
    said = await (await speak()).say("announce that dinner is ready", area="Kitchen")
    assert "no other voice satellite" in said.reply
    assert heard(satellites) == {}


async def test_a_satellite_that_fails_is_told_and_so_are_the_others(
    hass: HomeAssistant,
    satellites: Satellites,
    speak: Setup,
    caplog: pytest.LogCaptureFixture,
) -> None:
    satellites.broken.add("assist_satellite.bedroom_satellite")
    with caplog.at_level(logging.DEBUG, logger="custom_components.bellboard"):
        said = await (await speak()).say("announce upstairs that dinner is ready", area="Kitchen")
    assert heard(satellites) == on({KIDS}, "dinner is ready")
    done, _, failed = said.reply.partition("Bedroom")
    assert "Kids Room" in done
    assert failed
    own = [each for each in caplog.records if "bellboard" in each.name]
    assert own
    assert not [each for each in own if "dinner is ready" in each.getMessage()]


async def test_a_satellite_that_hangs_keeps_nobody_from_hearing_of_the_others(
    hass: HomeAssistant,
    satellites: Satellites,
    speak: Setup,
    caplog: pytest.LogCaptureFixture,
) -> None:
    satellites.stuck.add("assist_satellite.bedroom_satellite")
    speaker = await speak(dispatch={"default_timeout_ms": 1000})
    said = await speaker.say("announce upstairs that dinner is ready", area="Kitchen")
    assert heard(satellites) == on({KIDS}, "dinner is ready")
    assert said.reply == (
        "Announced it on Kids Room voice panel. However, Bedroom voice panel did not respond."
    )
    own = [each.getMessage() for each in caplog.records if "bellboard" in each.name]
    assert "assist_satellite.announce was not done in time" in own
    # The next sentence does not wait for it.
    satellites.stuck.clear()
    await speaker.say("announce upstairs that it is late", area="Kitchen")
    assert heard(satellites) == on({KIDS, BEDROOM}, "it is late")


async def test_where_all_satellites_hang_that_is_said(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    satellites.stuck |= {f"assist_satellite.{name}" for name in (KITCHEN, *OTHERS)}
    speaker = await speak(dispatch={"default_timeout_ms": 1000})
    said = await speaker.say("announce upstairs that dinner is ready", area="Kitchen")
    assert "did not respond" in said.reply
    assert heard(satellites) == {}


async def test_only_exposed_satellites_that_can_announce_are_reached(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    satellites = satellites_in(hass, "Kids Room")
    satellites.add("Bedroom", exposed=False)
    satellites.add("Office", features=0)
    satellites.add("Living Room", platform="voip")
    speaker = await speak()
    await speaker.say("announce that dinner is ready", area="Kitchen")
    assert heard(satellites) == on({KIDS}, "dinner is ready")
    said = await speaker.say("announce in the bedroom that dinner is ready", area="Kitchen")
    assert heard(satellites) == {}
    assert "Bedroom" in said.reply


async def test_where_none_is_exposed_that_is_said(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    satellites = satellites_in(hass)
    satellites.add("Bedroom", exposed=False)
    said = await (await speak()).say("tell the kids dinner is ready", area="Kitchen")
    assert "exposed" in said.reply
    assert heard(satellites) == {}


async def test_home_assistant_broadcasts_where_none_is_exposed(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    assert await async_setup_component(hass, "assist_satellite", {})
    Satellites(hass).add("Bedroom", exposed=False)
    announced = async_mock_service(hass, "assist_satellite", "announce")
    await (await speak()).say("announce that dinner is ready", area="Kitchen")
    [call] = announced
    assert call.data["entity_id"] == ["assist_satellite.bedroom_satellite"]
    assert call.data["message"] == "dinner is ready"


async def test_nothing_is_announced_at_night_where_a_rule_denies_it(
    hass: HomeAssistant, satellites: Satellites, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    speaker = await speak()
    night = {"after": "21:00", "before": "07:00"}
    await obey(hass, rule(action="assist_satellite.announce", area="Kids Room", time=night))
    for hour, where in ((12, {KIDS, BEDROOM}), (23, {BEDROOM})):
        freezer.move_to(dt_util.now().replace(hour=hour, minute=0))
        said = await speaker.say("announce upstairs that dinner is ready", area="Kitchen")
        assert heard(satellites) == on(where, "dinner is ready")
        assert (REFUSED in said.reply) is (KIDS not in where)


async def test_what_was_heard_cannot_be_undone_and_that_is_said(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    await speaker.say("tell the kids dinner is ready", area="Kitchen")
    said = await speaker.say("undo that")
    assert "can't take it back" in said.reply
    assert not said.changes


@in_one_house(
    "text",
    [
        "announce in 1 second that dinner is ready",
        "in 1 second tell everyone that dinner is ready",
        "tell everyone in 1 second that dinner is ready",
    ],
)
async def test_an_announcement_for_later_is_made_later(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    satellites = satellites_in(hass, *ROOMS)
    await (await speak()).say(text, area="Kitchen")
    assert heard(satellites) == {}
    assert len(await planned(hass)) == 1
    await later(hass)
    assert heard(satellites) == on(OTHERS, "dinner is ready")


async def test_no_event_and_no_diagnostics_tell_the_message(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    told: list[str] = []
    hass.bus.async_listen("*", lambda event: told.append(str(event.as_dict())))
    await (await speak()).say("tell the kids the secret word is xylophone", area="Kitchen")
    assert heard(satellites) == on({KIDS}, "the secret word is xylophone")
    own = [each for each in told if "bellboard" in each and "call_service" not in each]
    assert own
    assert not [each for each in own if "xylophone" in each]


@pytest.mark.parametrize(("message", "is_said"), [("dinner is ready", True), ("Hurry up!", False)])
async def test_a_model_announces_only_what_the_person_said(
    hass: HomeAssistant, satellites: Satellites, speak: Setup, message: str, is_said: bool
) -> None:
    steps = [
        {
            "action": "assist_satellite.announce",
            "targets": ["Bedroom voice panel"],
            "message": message,
        }
    ]
    words = "would the bedroom like to hear dinner is ready"
    answer = brain(("home", words), steps=steps)
    speaker = await speak(answer, contract="capable")
    await speaker.say(f"I wonder, {words}", area="Kitchen")
    assert heard(satellites) == (on({BEDROOM}, message) if is_said else {})


@in_one_house(
    ("language", "text", "target", "duration"),
    [
        ("en", "stop the music in half an hour", "Kitchen Speaker", "30 minutes"),
        ("en", "in half an hour turn off the music", "Kitchen Speaker", "30 minutes"),
        ("en", "can you turn off the tv in half an hour please", "Living Room TV", "30 minutes"),
        ("en", "turn off the TV in 20 minutes", "Living Room TV", "20 minutes"),
        ("en", "turn off the floor lamp in an hour and a half", "Floor Lamp", "1 hour and 30"),
        ("en", "turn off the floor lamp in two hours and five minutes", "Floor Lamp",
         "2 hours and 5"),
        ("en", "sleep timer 30 minutes", "Kitchen Speaker", "30 minutes"),
        ("en", "set a sleep timer for half an hour", "Kitchen Speaker", "30 minutes"),
        ("en", "sleep timer in the kitchen for 30 minutes", "Kitchen Speaker", "30 minutes"),
        ("de", "in einer halben Stunde die Musik aus", "Kitchen Speaker", "30 Minuten"),
        ("de", "mach die Musik in einer halben Stunde aus", "Kitchen Speaker", "30 Minuten"),
        ("de", "schalte den Fernseher in 20 Minuten aus", "Living Room TV", "20 Minuten"),
        ("de", "Sleeptimer 30 Minuten", "Kitchen Speaker", "30 Minuten"),
        ("fr", "arrête la musique dans une demi-heure", "Kitchen Speaker", "30 minutes"),
        ("fr", "minuterie de sommeil 30 minutes", "Kitchen Speaker", "30 minutes"),
        ("it", "spegni la musica tra mezz'ora", "Kitchen Speaker", "30 minuti"),
        ("es", "apaga la música en media hora", "Kitchen Speaker", "30 minutos"),
        ("nl", "zet de muziek over een half uur uit", "Kitchen Speaker", "30 minuten"),
        ("pl", "wyłącz muzykę za pół godziny", "Kitchen Speaker", "30 minut"),
        ("pt", "desliga a música daqui a meia hora", "Kitchen Speaker", "30 minutos"),
    ],
)  # fmt: skip
async def test_a_delay_is_understood_wherever_it_stands(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, target: str, duration: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language, area="Kitchen")
    assert target in said.reply
    assert duration in said.reply
    assert not said.changes
    assert len(await planned(hass)) == 1


@in_one_house(
    "text",
    [
        "Mach mal alle Lampen aus",
        "Mach bitte alle Lichter aus",
        "Mach doch bitte überall das Licht aus",
        "Lass bitte überall das Licht an",
        "Gib mir bitte alle Lampen an",
    ],
)
async def test_lights_are_no_message(hass: HomeAssistant, speak: Setup, text: str) -> None:
    satellites = satellites_in(hass, *ROOMS)
    speaker = await speak()

    said = await speaker.say(text, language="de", area="Kitchen")

    assert not satellites.heard
    assert "durchgesagt" not in said.reply

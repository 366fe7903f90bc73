"""An announcement without a message: it is asked for, and announced word for word."""

import logging

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.memory.models import TaskState
from tests.capable import brain
from tests.conftest import Setup, Speaker
from tests.forms import filled
from tests.one_house import in_one_house
from tests.routing.reading import assistant_of
from tests.satellites import Satellites, satellites_in
from tests.test_announcements import KIDS, LIVING_ROOM, OTHERS, ROOMS, heard, on
from tests.test_delayed import planned
from tests.test_own_agents import configure, open_form, who

ASKED = {
    "en": "What shall I announce?",
    "de": "Was soll ich durchsagen?",
    "es": "¿Qué quieres que anuncie?",
    "fr": "Que dois-je annoncer ?",
    "it": "Che cosa devo annunciare?",
    "nl": "Wat moet ik omroepen?",
    "pl": "Co mam ogłosić?",
    "pt": "O que devo anunciar?",
}


async def ask(speaker: Speaker, text: str, language: str = "en") -> None:
    """Say what is to be announced only later, in a new conversation, and see that it is asked for."""
    speaker.conversation_id = None
    said = await speaker.say(text, language=language, area="Kitchen")
    assert said.reply == ASKED[language], text
    assert said.result.continue_conversation
    assert not [call for call in said.calls if call["domain"] != "conversation"]


@in_one_house(
    ("language", "text", "where", "answer"),
    [
        ("en", "make an announcement", OTHERS, "dinner is ready"),
        ("en", "please make an announcement", OTHERS, "dinner is ready"),
        ("en", "I'd like to make an announcement please", OTHERS, "dinner is ready"),
        ("en", "announce something in the living room", {LIVING_ROOM}, "dinner is ready"),
        ("en", "can you make an announcement in the kids room?", {KIDS}, "time for bed"),
        ("en", "tell the kids something", {KIDS}, "we leave in five minutes"),
        ("en", "tell everyone", OTHERS, "is anybody hungry?"),
        ("en", "let everyone know", OTHERS, "turn off your lights"),
        ("en", "announce", OTHERS, "the kitchen light is broken"),
        ("de", "mach eine Durchsage", OTHERS, "das Essen ist fertig"),
        ("de", "Durchsage im Wohnzimmer", {LIVING_ROOM}, "dass das Essen fertig ist"),
        ("de", "sag den Kindern etwas", {KIDS}, "sie sollen runterkommen"),
        ("de", "sag etwas durch", OTHERS, "gleich gibt es Essen"),
        ("de", "ich möchte eine Durchsage machen", OTHERS, "der Bus kommt"),
        ("es", "haz un anuncio", OTHERS, "la cena está lista"),
        ("es", "anuncia algo en el salón", {LIVING_ROOM}, "la cena está lista"),
        ("fr", "fais une annonce", OTHERS, "le dîner est prêt"),
        ("fr", "je voudrais faire une annonce", OTHERS, "le dîner est prêt"),
        ("it", "fai un annuncio", OTHERS, "la cena è pronta"),
        ("it", "vorrei fare un annuncio", OTHERS, "la cena è pronta"),
        ("nl", "doe een mededeling", OTHERS, "het eten is klaar"),
        ("nl", "roep iets om", OTHERS, "het eten is klaar"),
        ("nl", "laat iedereen iets weten", OTHERS, "het eten is klaar"),
        ("pl", "nadaj komunikat", OTHERS, "kolacja gotowa"),
        ("pl", "ogłoś coś", OTHERS, "kolacja gotowa"),
        ("pt", "faz um anúncio", OTHERS, "o jantar está pronto"),
        ("pt", "anuncia algo às crianças", OTHERS, "o jantar está pronto"),
    ],
)  # fmt: skip
async def test_a_message_that_is_asked_for_is_announced_word_for_word(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, where: set[str], answer: str
) -> None:
    satellites = satellites_in(hass, *ROOMS)
    speaker = await speak()
    await ask(speaker, text, language)
    task = assistant_of(hass).tasks.get(str(speaker.conversation_id))
    assert task
    assert task.state is TaskState.INPUT_REQUIRED
    said = await speaker.say(answer, language=language, area="Kitchen")
    assert heard(satellites) == on(where, answer)
    assert not said.result.continue_conversation
    assert not said.changes


@in_one_house(
    ("answer", "message"),
    [
        ("that they should come down", "they should come down"),
        ("'time to go'", "time to go"),
        ("no dinner today", "no dinner today"),
        ("never mind the mess", "never mind the mess"),
        ("don't touch the cake", "don't touch the cake"),
        ("turn off the lights in ten minutes", "turn off the lights in ten minutes"),
        ("yes we can", "yes we can"),
        ("if you are hungry there is soup", "if you are hungry there is soup"),
    ],
)  # fmt: skip
async def test_whatever_is_said_then_is_the_message(
    hass: HomeAssistant, speak: Setup, *, answer: str, message: str
) -> None:
    satellites = satellites_in(hass, *ROOMS)
    speaker = await speak()
    await ask(speaker, "make an announcement in the living room")
    said = await speaker.say(answer, area="Kitchen")
    assert heard(satellites) == on({LIVING_ROOM}, message)
    assert not said.changes
    assert not await planned(hass)


@in_one_house("answer", ["no", "never mind", "stop", "no, never mind"])
async def test_it_can_be_left(hass: HomeAssistant, speak: Setup, answer: str) -> None:
    satellites = satellites_in(hass, *ROOMS)
    speaker = await speak()
    await ask(speaker, "make an announcement")
    said = await speaker.say(answer, area="Kitchen")
    assert said.reply == "All right, I leave it as it is."
    assert heard(satellites) == {}


@pytest.fixture
def satellites(hass: HomeAssistant, house: ConfigEntry) -> Satellites:
    """Return satellites in four rooms."""
    return satellites_in(hass, *ROOMS)


async def test_an_answer_that_is_an_announcement_of_its_own_is_made_as_it_is(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak()
    await ask(speaker, "make an announcement")
    await speaker.say("tell the kids dinner is ready", area="Kitchen")
    assert heard(satellites) == on({KIDS}, "dinner is ready")


async def test_who_did_not_hear_the_question_hears_it_again_and_not_for_ever(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak()
    await ask(speaker, "make an announcement")
    said = await speaker.say("pardon?", area="Kitchen")
    assert said.reply == ASKED["en"]
    assert said.result.continue_conversation
    said = await speaker.say("say that again", area="Kitchen")
    assert not said.result.continue_conversation
    assert heard(satellites) == {}


async def test_a_command_beside_it_is_done_and_the_message_asked_for(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak()
    said = await speaker.say(
        "turn off the kitchen pendant and make an announcement", area="Kitchen"
    )
    assert "light.kitchen_pendant" in said.changes
    assert said.reply.endswith(ASKED["en"])
    await speaker.say("dinner is ready", area="Kitchen")
    assert heard(satellites) == on(OTHERS, "dinner is ready")


@in_one_house(
    ("text", "reply"),
    [
        ("make an announcement in the shed", "I don't know where to announce that."),
        ("make an announcement in ten minutes", "I'm not sure what I should do then, so I planned nothing."),
    ],
)  # fmt: skip
async def test_nothing_is_asked_for_that_could_not_be_announced(
    hass: HomeAssistant, speak: Setup, *, text: str, reply: str
) -> None:
    satellites = satellites_in(hass, *ROOMS)
    said = await (await speak()).say(text, area="Kitchen")
    assert said.reply == reply
    assert not said.result.continue_conversation
    assert heard(satellites) == {}


async def test_where_nobody_would_hear_it_that_is_said_at_once(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    satellites_in(hass, "Kitchen")
    said = await (await speak()).say("make an announcement", area="Kitchen")
    assert "no other voice satellite" in said.reply
    assert not said.result.continue_conversation


@in_one_house("text", ["Lass alle an", "Lass überall das Licht an", "let all lights be"])
async def test_what_is_left_on_is_no_message_that_is_missing(
    hass: HomeAssistant, speak: Setup, text: str
) -> None:
    satellites_in(hass, *ROOMS)
    language = "en" if "let" in text else "de"
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert said.reply != ASKED[language]


async def test_an_agent_for_announcements_asks_for_it_and_announces_it(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak()
    form = await open_form(hass, "announcements")
    result = await configure(hass, form, filled(form))
    assert result["type"] == "create_entry"
    await hass.async_block_till_done()
    await ask(speaker, "make an announcement in the living room")
    assert who(hass) == ["announcements-agent"]
    await speaker.say("dinner is ready", area="Kitchen")
    assert who(hass) == ["announcements-agent"]
    assert heard(satellites) == on({LIVING_ROOM}, "dinner is ready")


async def test_a_capable_model_is_asked_nothing_of_it(
    hass: HomeAssistant, satellites: Satellites, speak: Setup
) -> None:
    speaker = await speak(brain(("home", "x"), steps=[]), contract="capable")
    await ask(speaker, "make an announcement")
    await speaker.say("dinner is ready", area="Kitchen")
    assert heard(satellites) == on(OTHERS, "dinner is ready")
    assert speaker.model
    assert speaker.model.requests == []


async def test_no_event_and_no_log_tell_the_message_that_was_asked_for(
    hass: HomeAssistant,
    satellites: Satellites,
    speak: Setup,
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[str] = []
    hass.bus.async_listen("*", lambda event: told.append(str(event.as_dict())))
    speaker = await speak()
    await ask(speaker, "make an announcement")
    with caplog.at_level(logging.DEBUG, logger="custom_components.bellboard"):
        await speaker.say("the secret word is xylophone", area="Kitchen")
    assert heard(satellites) == on(OTHERS, "the secret word is xylophone")
    own = [each for each in told if "bellboard" in each and "call_service" not in each]
    assert own
    assert not [each for each in own if "xylophone" in each]
    logged = [r.getMessage() for r in caplog.records if "bellboard" in r.name]
    assert logged
    assert not [each for each in logged if "xylophone" in each]

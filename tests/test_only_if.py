"""What is for later if something is so is looked at then, and not when it is said."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import planned
from tests.test_scheduled import at

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 27, 15, 0, tzinfo=BERLIN)
DUE = NOW.replace(hour=19)
TEXT = "turn on the floor lamp at seven this evening if the front door is unlocked"
LAMP, DOOR = "light.floor_lamp", "lock.front_door"


def become(hass: HomeAssistant, state: str, entity_id: str = DOOR) -> None:
    """Let the door be in a state."""
    known = hass.states.get(entity_id)
    assert known
    hass.states.async_set(entity_id, state, known.attributes)


@pytest.fixture(autouse=True)
async def _afternoon(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


@pytest.mark.parametrize(
    ("now", "then", "is_done"),
    [
        ("locked", "unlocked", True),
        ("unlocked", "unlocked", True),
        ("unlocked", "locked", False),
        ("locked", "locked", False),
        ("unlocked", "unavailable", False),
    ],
)
async def test_it_is_done_if_it_is_so_then(
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    now: str,
    then: str,
    *,
    is_done: bool,
) -> None:
    become(hass, now)
    speaker = await speak()
    said = await speaker.say(TEXT)
    assert "19:00 if the front door is unlocked" in said.reply
    assert not said.changes
    become(hass, then)
    changed = await at(hass, freezer, DUE + timedelta(seconds=1))
    assert (LAMP in changed) is is_done
    assert await planned(hass) == []
    # Who gave it is not there to hear of it.
    told: Any = hass.data.get("persistent_notification", {})
    assert bool(told) is not is_done


async def test_it_ends_as_was_said(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    speaker = await speak()
    text = "turn on the floor lamp from seven to eight this evening if the front door is locked"
    said = await speaker.say(text)
    assert "if the front door is locked" in said.reply
    assert LAMP in await at(hass, freezer, DUE + timedelta(seconds=1))
    assert LAMP in await at(hass, freezer, DUE + timedelta(hours=1, seconds=1))
    assert hass.states.is_state(LAMP, "off")


async def test_what_repeats_says_nothing_of_the_times_that_it_is_not_so(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, hass_admin_user: MockUser
) -> None:
    admin = Context(user_id=hass_admin_user.id)
    speaker = await speak()
    text = "turn on the floor lamp every day at seven if the front door is unlocked"
    asked = await speaker.say(text, context=admin)
    assert "every day at 07:00 if the front door is unlocked" in asked.reply.lower()
    await speaker.say("yes", context=admin)
    [command] = await planned(hass, admin)
    for state, expected in (("locked", "off"), ("unlocked", "on")):
        become(hass, state)
        await hass.services.async_call(
            "bellboard", "run_planned", {"id": command["id"]}, blocking=True
        )
        await hass.async_block_till_done(wait_background_tasks=True)
        assert hass.states.is_state(LAMP, expected)
    assert not hass.data.get("persistent_notification")


@in_one_house(
    ("language", "text", "told"),
    [
        ("en", "at ten unless the front door is locked turn off Desk Lamp", "unless"),
        ("en", "if the front door is locked at seven turn off Desk Lamp", "if the front door"),
        ("de", "mach Desk Lamp um sieben aus, aber nur wenn Front Door zu ist", "nur wenn"),
        ("de", "falls es um sieben im Schlafzimmer kälter als 18 Grad ist mach Desk Lamp aus",
         "kälter als 18"),
        ("es", "a las siete, si Bedroom Window está cerrada, apaga Desk Lamp", "si Bedroom"),
        ("fr", "à sept heures, si Bedroom Window est fermée, éteins Desk Lamp", "si Bedroom"),
        ("it", "alle sette spegni Desk Lamp se Bedroom Window è chiusa", "se Bedroom"),
        ("nl", "doe om zeven uur Desk Lamp uit als Bedroom Window dicht is", "als Bedroom"),
        ("pl", "o siódmej wyłącz Desk Lamp, jeśli Bedroom Window jest zamknięte", "jeśli"),
        ("pt", "às sete apaga Desk Lamp se Bedroom Window estiver fechada", "se Bedroom"),
        ("sv", "släck Desk Lamp klockan sju om Bedroom Window är stängt", "om Bedroom"),
    ],
)  # fmt: skip
async def test_it_is_told_with_its_time(
    hass: HomeAssistant, speak: Setup, language: str, text: str, told: str
) -> None:
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert told in said.reply
    assert not said.changes
    assert len(await planned(hass)) == 1


async def test_what_cannot_be_looked_at_is_not_planned(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp at seven if the aunt is in a good mood")
    assert await planned(hass) == []


DAILY = {
    "en": ("turn on Floor Lamp every day at seven", "yes but only if Bedroom Window is closed"),
    "de": ("mach Floor Lamp jeden Tag um sieben an", "ja, aber nur wenn Bedroom Window zu ist"),
    "es": ("enciende Floor Lamp todos los días a las siete",
           "sí pero solo si Bedroom Window está cerrada"),
    "fr": ("allume Floor Lamp tous les jours à sept heures",
           "oui mais seulement si Bedroom Window est fermée"),
    "it": ("accendi Floor Lamp ogni giorno alle sette", "sì ma solo se Bedroom Window è chiusa"),
    "nl": ("doe elke dag om zeven uur Floor Lamp aan", "ja maar alleen als Bedroom Window dicht is"),
    "pl": ("włącz Floor Lamp codziennie o siódmej",
           "tak, ale tylko jeśli Bedroom Window jest zamknięte"),
    "pt": ("acende Floor Lamp todos os dias às sete",
           "sim mas só se Bedroom Window estiver fechada"),
    "sv": ("tänd Floor Lamp varje dag klockan sju", "ja men bara om Bedroom Window är stängt"),
}  # fmt: skip


@in_one_house("language", DAILY)
async def test_a_yes_may_be_only_for_when_something_is_so(
    hass: HomeAssistant, speak: Setup, hass_admin_user: MockUser, language: str
) -> None:
    admin = Context(user_id=hass_admin_user.id)
    speaker, (text, agreed) = await speak(), DAILY[language]
    asked = await speaker.say(text, language=language, context=admin)
    assert asked.result.continue_conversation
    again = await speaker.say(agreed, language=language, context=admin)
    assert again.result.continue_conversation
    assert "Bedroom Window" in again.reply
    assert "07:00" in again.reply.replace("h", ":")


@in_one_house(
    ("language", "answer"),
    [
        ("en", "yes but only when it rains"),
        ("de", "ja, aber nur bei Regen"),
        ("sv", "ja men bara på morgnarna"),
        ("en", "yes but only if the aunt is in a good mood"),
    ],
)
async def test_a_restriction_that_is_not_understood_is_not_dropped(
    hass: HomeAssistant, speak: Setup, hass_admin_user: MockUser, language: str, answer: str
) -> None:
    admin = Context(user_id=hass_admin_user.id)
    speaker = await speak()
    asked = await speaker.say(DAILY[language][0], language=language, context=admin)
    again = await speaker.say(answer, language=language, context=admin)
    assert again.result.continue_conversation
    assert again.reply not in {"", asked.reply}
    assert "07:00" not in again.reply
    assert await planned(hass, admin) == []


async def test_a_restriction_of_two_times_is_not_kept_for_one_of_them(
    hass: HomeAssistant, speak: Setup, hass_admin_user: MockUser
) -> None:
    admin = Context(user_id=hass_admin_user.id)
    speaker = await speak()
    text = "every day turn on the floor lamp at seven and turn it off at eight"
    assert (await speaker.say(text, context=admin)).result.continue_conversation
    again = await speaker.say("yes but only if the bedroom window is closed", context=admin)
    assert again.result.continue_conversation
    assert "without it" in again.reply
    assert await planned(hass, admin) == []

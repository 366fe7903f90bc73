"""What is waited for in some hours of a day only is not done for what happens outside of them."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from hypothesis import given, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import MockUser, async_fire_time_changed

from custom_components.bellboard.home.automations import StateTest, build_automation
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.nlu.moment_times import HomeClock
from custom_components.bellboard.nlu.windows import read_window
from custom_components.bellboard.when import DARK, Schedule, SunEvent, SunTime, Trigger, Window
from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_awaited import DOOR, SETTLED
from tests.test_delayed import planned

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 27, 18, 0, tzinfo=BERLIN)
NIGHT = "from 23:00 to 06:00"


def sun_of(event: SunEvent, day: date) -> datetime:
    """Return that the sun rises at eight and sets at four."""
    hour = 8 if event is SunEvent.SUNRISE else 16
    return datetime.combine(day, time(hour), tzinfo=BERLIN)


async def happens(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, at: datetime, entity_id: str = DOOR
) -> bool:
    """Let the door be unlocked at a time, and locked again; return whether the lamp was turned on for it."""
    freezer.move_to(at)
    for state in ("unlocked", "locked"):
        hass.states.async_set(entity_id, state, hass.states.get(entity_id).attributes)  # type: ignore[union-attr]
        await hass.async_block_till_done()
        freezer.tick(timedelta(seconds=SETTLED))
        async_fire_time_changed(hass, dt_util.utcnow())
        await hass.async_block_till_done(wait_background_tasks=True)
    return hass.states.is_state("light.floor_lamp", "on")


async def test_what_happens_outside_of_the_hours_is_waited_on(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    said = await speaker.say(
        "when the front door is unlocked between eleven and six turn on the floor lamp"
    )
    assert NIGHT in said.reply
    assert not await happens(hass, freezer, NOW.replace(hour=22))
    assert len(await planned(hass)) == 1
    assert await happens(hass, freezer, NOW.replace(hour=23, minute=30))
    assert await planned(hass) == []


@in_one_house(
    ("language", "text", "told"),
    [
        ("en", "when there is motion in the hallway after dark turn on Floor Lamp", "dark"),
        ("en", "tell me if the front door opens at night", "22:00 to 07:00"),
        ("en", "turn on Floor Lamp after eleven when somebody moves in the hallway", "23:00"),
        ("de", "wenn sich im Flur nach Mitternacht etwas bewegt mach Floor Lamp an", "00:00 bis"),
        ("de", "mach nachts Floor Lamp an wenn im Flur Bewegung ist", "22:00 bis 07:00"),
        ("de", "wenn bei Dunkelheit im Flur Bewegung ist mach Floor Lamp an", "dunkel"),
        ("es", "cuando haya movimiento en Hallway entre las once y las seis enciende Floor Lamp",
         "23:00 a 06:00"),
        ("es", "si hay movimiento en Hallway después de medianoche enciende Floor Lamp", "00:00"),
        ("fr", "quand il y a du mouvement dans Hallway après minuit allume Floor Lamp", "00h00"),
        ("fr", "s'il y a du mouvement dans Hallway la nuit allume Floor Lamp", "22h00"),
        ("it", "quando c'è movimento in Hallway tra le undici e le sei accendi Floor Lamp",
         "23:00 alle 06:00"),
        ("it", "se c'è movimento in Hallway dopo mezzanotte accendi Floor Lamp", "00:00"),
        ("nl", "als er na middernacht beweging is in Hallway doe dan Floor Lamp aan", "00:00 tot"),
        ("nl", "als er 's nachts beweging is in Hallway doe dan Floor Lamp aan", "22:00 tot"),
        ("pl", "gdy po północy będzie ruch w Hallway włącz Floor Lamp", "00:00 do"),
        ("pl", "gdy po zmroku będzie ruch w Hallway włącz Floor Lamp", "zmroku"),
        ("pt", "quando houver movimento em Hallway entre as onze e as seis acende Floor Lamp",
         "23:00 às 06:00"),
        ("pt", "se houver movimento em Hallway depois da meia-noite acende Floor Lamp", "00:00"),
        ("sv", "när det är rörelse i Hallway efter midnatt tänd Floor Lamp", "00:00"),
        ("sv", "om någon rör sig i Hallway mellan elva och sex tänd Floor Lamp", "23:00"),
        ("en", "if somebody moves in the hallway tonight turn on Floor Lamp", "18:00 to 07:00"),
        ("en", "if somebody moves in the hallway this evening tell me", "18:00 to 00:00"),
        ("de", "falls sich heute Nacht im Flur wer bewegt mach Floor Lamp an", "22:00 bis 07:00"),
        ("es", "si alguien se mueve en Hallway esta noche enciende Floor Lamp", "a 07:00"),
        ("fr", "si quelqu'un bouge dans Hallway cette nuit allume Floor Lamp", "22h00 à 07h00"),
        ("it", "se qualcuno si muove in Hallway stanotte accendi Floor Lamp", "22:00 alle 07:00"),
        ("nl", "als er vannacht iemand beweegt in Hallway doe dan Floor Lamp aan", "22:00 tot"),
        ("pl", "jeśli dziś w nocy ktoś się poruszy w Hallway włącz Floor Lamp", "22:00 do 07:00"),
        ("pt", "se alguém se mexer em Hallway esta noite acende Floor Lamp", "às 07:00"),
        ("sv", "om någon rör sig i Hallway i natt tänd Floor Lamp", "22:00 till 07:00"),
    ],
)  # fmt: skip
async def test_hours_are_read_and_told(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    freezer: FrozenDateTimeFactory,
    language: str,
    text: str,
    told: str,
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert told in said.reply
    assert not said.changes
    assert len(await planned(hass)) == 1


@pytest.mark.parametrize(
    ("hours", "conditions"),
    [
        ("between midnight and six",
         [{"condition": "time", "after": "00:00:00", "before": "06:00:00"}]),
        ("after dark",
         [{"condition": "or", "conditions": [
             {"condition": "sun", "after": "sunset"}, {"condition": "sun", "before": "sunrise"}]}]),
        ("from sunset to eleven at night",
         [{"condition": "sun", "after": "sunset"}, {"condition": "time", "before": "23:00:00"}]),
    ],
)  # fmt: skip
async def test_hours_of_what_repeats_are_conditions_of_its_automation(  # noqa: PLR0917
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    hass_admin_user: MockUser,
    hours: str,
    conditions: list[dict[str, object]],
) -> None:
    admin = Context(user_id=hass_admin_user.id)
    speaker = await speak()
    text = f"whenever the front door is unlocked {hours} turn on the floor lamp"
    assert (await speaker.say(text, context=admin)).result.continue_conversation
    await speaker.say("yes", context=admin)
    [written] = automations_file.automations
    assert written["conditions"] == conditions


def test_hours_before_what_the_sun_does_are_an_offset() -> None:
    window = Window(begin=SunTime(event=SunEvent.SUNSET, offset=-3600), end=time(23))
    test = StateTest(entity_ids=(DOOR,), states=("unlocked",))
    automation = build_automation(
        Schedule(start=Trigger(text="it", repeats=True, window=window)),
        "id",
        alias="",
        description="",
        now=NOW,
        test=test,
    )
    assert automation["conditions"] == [
        {"condition": "sun", "after": "sunset", "after_offset": "-01:00:00"},
        {"condition": "time", "before": "23:00:00"},
    ]


@pytest.mark.parametrize(
    ("text", "repeats", "hours"),
    [
        ("the door opens after eleven", True, Window(begin=time(23), end=time(7))),
        ("the door opens after six in the morning", True, Window(begin=time(6), end=time(0))),
        ("the door opens before seven in the morning", True, Window(begin=time(0), end=time(7))),
        ("the door opens before ten", False, Window(begin=time(4), end=time(22))),
        ("the door opens before sunrise", False,
         Window(begin=time(0), end=SunTime(event=SunEvent.SUNRISE))),
        ("the door opens before sunset", False,
         Window(begin=time(4), end=SunTime(event=SunEvent.SUNSET))),
        ("the door opens after sunset", False, DARK),
        ("the door opens after sunrise", False,
         Window(begin=SunTime(event=SunEvent.SUNRISE), end=time(0))),
        ("the door opens in the afternoon", False, Window(begin=time(15), end=time(19))),
        ("the door opens between six and eight", False, Window(begin=time(20 - 2), end=time(20))),
    ],
)  # fmt: skip
def test_hours_without_an_end_are_those_of_the_day_or_of_the_night(
    english: Language, text: str, hours: Window, *, repeats: bool
) -> None:
    clock = HomeClock(now=NOW - timedelta(hours=1), sun=sun_of)
    found = read_window(text, english.lexicon, clock, repeats=repeats)
    assert found
    assert (found.text, found.window) == ("the door opens", hours)


@pytest.mark.parametrize("text", ["after dark", "the door opens tomorrow after ten", "the door"])
def test_there_are_no_hours_of_another_day_or_of_nothing(english: Language, text: str) -> None:
    clock = HomeClock(now=NOW, sun=sun_of)
    assert read_window(text, english.lexicon, clock, repeats=False) is None


@given(begin=st.times(), end=st.times(), at=st.datetimes(timezones=st.just(BERLIN)))
def test_a_moment_is_in_one_of_two_windows_that_make_a_day(
    begin: time, end: time, at: datetime
) -> None:
    there, back = Window(begin=begin, end=end), Window(begin=end, end=begin)
    assert there.has(at, sun_of) is (begin == end or not back.has(at, sun_of))


def test_where_the_sun_does_not_set_it_is_never_dark() -> None:
    assert DARK.has(NOW, sun_of)
    assert not DARK.has(NOW.replace(hour=12), sun_of)
    assert not DARK.has(NOW, lambda _event, _day: None)


def test_hours_are_kept_over_a_restart() -> None:
    kept = Trigger(text="it", window=DARK).model_dump_json()
    assert Trigger.model_validate_json(kept).window == DARK

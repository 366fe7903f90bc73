"""What is planned is in the assistant's calendar, by what it does and not by what was said, and cancelled there."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.calendar import DATA_COMPONENT
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.icon import async_get_icons
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator, WebSocketGenerator

from custom_components.bellboard.home.automations import async_write_automation, build_automation
from custom_components.bellboard.memory.delayed import DelayedCommand
from custom_components.bellboard.nlu.loader import available_languages
from custom_components.bellboard.when import Once, Repeated, Schedule, SunEvent, SunTime, Trigger
from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.test_delayed import later, person, planned
from tests.test_policy_planned import assistant_of

SAID = "open the garage door"
CALENDAR = "calendar.bellboard_planned"


@pytest.fixture(autouse=True)
def noon(freezer: FrozenDateTimeFactory) -> datetime:
    """Return noon of a Thursday, which it is."""
    at = datetime(2026, 11, 26, 12, tzinfo=dt_util.get_default_time_zone())
    freezer.move_to(at)
    return at


async def events(
    hass: HomeAssistant, start: datetime, days: float = 14, calendar: str = CALENDAR
) -> list[dict[str, Any]]:
    """Return the events from a time on, as an automation gets them."""
    found: Any = await hass.services.async_call(
        "calendar",
        "get_events",
        {"start_date_time": start, "end_date_time": start + timedelta(days=days)},
        target={"entity_id": calendar},
        blocking=True,
        return_response=True,
    )
    return list(found[calendar]["events"])


async def plan(hass: HomeAssistant, schedule: Schedule, **known: Any) -> DelayedCommand:
    """Let a command that turns off a lamp wait."""
    call = {"action": "light.turn_off", "targets": ["light.reading_lamp"]}
    fields = {
        "due": schedule.due or dt_util.utcnow() + timedelta(days=1),
        "delay": 86400,
        "schedule": schedule,
        "text": "secret words",
        "language": "en",
        "conversation_id": "x",
        "calls": [call],
    }
    command = DelayedCommand.model_validate({**fields, **known})
    await assistant_of(hass).delayed.async_add(command)
    await hass.async_block_till_done()
    return command


async def test_what_is_said_is_an_event_until_it_is_done(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    speaker = await speak()
    assert hass.states.is_state(CALENDAR, "off")
    await speaker.say(f"{SAID} in 10 minutes")

    [event] = await events(hass, noon)
    assert event["summary"] == "Open Garage Door"
    assert event["start"] == (noon + timedelta(minutes=10)).isoformat()
    assert event["end"] == (noon + timedelta(minutes=11)).isoformat()
    assert (state := hass.states.get(CALENDAR))
    assert state.attributes["message"] == "Open Garage Door"
    assert SAID not in str(state.attributes)

    await later(hass, 602)
    assert await events(hass, noon) == []
    assert (state := hass.states.get(CALENDAR))
    assert "message" not in state.attributes


async def test_what_is_done_for_a_while_is_an_event_when_it_is_put_back(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    speaker = await speak()
    # Home Assistant's own agent does it, and knows nothing of the end.
    told = await speaker.say(f"{SAID} for ten minutes")
    assert "cover.garage_door" in told.changes
    assert told.reply == "Opening. In 10 minutes I'll put it back."
    [event] = await events(hass, noon)
    assert (event["summary"], event["start"]) == ("Close Garage Door", at(noon, 26, 12, 10))
    assert "cover.garage_door" in await later(hass, 602)
    assert await events(hass, noon) == []


async def test_what_is_known_in_its_words_only_is_told_without_them(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    await speak()
    await plan(hass, Schedule(start=Once(at=noon + timedelta(hours=1))), calls=[])
    [event] = await events(hass, noon)
    assert event["summary"] == "Something planned"
    assert "secret" not in str([event, hass.states.get(CALENDAR)])


def at(noon: datetime, day: int, hour: int, minute: int = 0) -> str:
    """Return a local time of the month, as events have it."""
    return noon.replace(day=day, hour=hour, minute=minute).isoformat()


def clocks(noon: datetime, days: Iterator[int] | range | list[int], hour: int) -> list[str]:
    """Return the same hour of some days."""
    return [at(noon, day, hour) for day in days]


async def test_repeats_are_events_on_their_days(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    await speak()
    daily = await plan(hass, Schedule(start=Repeated(clock=time(11))))
    weekend = await plan(hass, Schedule(start=Repeated(clock=time(18), weekdays=(6, 5)), lasts=600))
    # What is over today is planned no more.
    found = await events(hass, noon.replace(day=25), 5)

    assert [e["start"] for e in found if e["end"][14:16] == "01"] == clocks(noon, range(27, 31), 11)
    assert [(e["start"], e["end"]) for e in found if e["end"][14:16] == "10"] == [
        (at(noon, day, 18), at(noon, day, 18, 10)) for day in (28, 29)
    ]
    delayed = assistant_of(hass).delayed
    assert {each.id for each in delayed.waiting} == {daily.id, weekend.id}


async def test_a_repeat_tells_its_rule_and_is_deleted_as_a_whole(
    hass: HomeAssistant, speak: Setup, noon: datetime, hass_ws_client: WebSocketGenerator,
    hass_client: ClientSessionGenerator,
) -> None:  # fmt: skip
    await speak()
    command = await plan(hass, Schedule(start=Repeated(clock=time(18), weekdays=(6, 5))))
    web = await hass_client()
    asked = {"start": noon.isoformat(), "end": (noon + timedelta(days=5)).isoformat()}
    shown = await (await web.get(f"/api/calendars/{CALENDAR}", params=asked)).json()
    assert [(e["uid"], e["rrule"], e["recurrence_id"]) for e in shown] == [
        (command.id, "FREQ=WEEKLY;BYDAY=SA,SU", None)
    ] * 2
    client = await hass_ws_client(hass)
    one = {"recurrence_id": "20261128T180000"}
    assert "only one of its times" in await refusal(client, command.id, **one)
    assert len(await planned(hass)) == 1
    assert await refusal(client, command.id) == ""
    assert await planned(hass) == []


async def test_what_repeats_is_an_event_while_its_automation_is_on_and_deleted_with_it(
    hass: HomeAssistant, speak: Setup, noon: datetime, automations_file: AutomationsFile,
    hass_ws_client: WebSocketGenerator,
) -> None:  # fmt: skip
    await speak()
    command = await plan(hass, Schedule(start=Repeated(clock=time(18))))
    automation = await async_write_automation(
        hass,
        build_automation(
            command.schedule, command.id, alias="Lamp", description="", now=dt_util.now()
        ),
    )
    for service, times in (("turn_off", []), ("turn_on", [at(noon, 26, 18)])):
        of_it = {"entity_id": automation}
        await hass.services.async_call("automation", service, of_it, blocking=True)
        await hass.async_block_till_done()
        assert [e["start"] for e in await events(hass, noon, 1)] == times
        assert (state := hass.states.get(CALENDAR))
        assert ("message" in state.attributes) is bool(times)

    assert await refusal(await hass_ws_client(hass), command.id) == ""
    await hass.async_block_till_done(wait_background_tasks=True)
    assert (await planned(hass), automations_file.automations) == ([], [])


async def test_what_is_often_on_a_day_is_an_event_of_the_day(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    await speak()
    await plan(hass, Schedule(start=Repeated(every=600, weekdays=(0, 3))))
    found = await events(hass, noon, 6)
    assert [(e["start"], e["end"]) for e in found] == [
        ("2026-11-26", "2026-11-27"),
        ("2026-11-30", "2026-12-01"),
    ]


async def test_the_sun_gives_each_day_its_time(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    hass.config.latitude, hass.config.longitude = 52.5, 13.4
    await speak()
    sunset = SunTime(event=SunEvent.SUNSET, offset=-3600)
    await plan(hass, Schedule(start=Repeated(sun=sunset)))
    berlin = dt_util.get_default_time_zone()
    found = await events(hass, datetime(2026, 11, 27, tzinfo=berlin), 200)
    starts = [datetime.fromisoformat(e["start"]) for e in found]
    assert [each.date() for each in starts] == [
        starts[0].date() + timedelta(days=number) for number in range(200)
    ]
    assert {each.hour for each in starts} == {14, 15, 16, 17, 18, 19, 20}


async def test_across_a_change_of_the_clocks_the_hour_stays(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    await speak()
    await plan(hass, Schedule(start=Repeated(clock=time(7)), lasts=7200))
    start = datetime(2027, 3, 27, tzinfo=dt_util.get_default_time_zone())
    found = await events(hass, start, 3)
    assert [e["start"] for e in found] == [
        "2027-03-27T07:00:00+01:00",
        "2027-03-28T07:00:00+02:00",
        "2027-03-29T07:00:00+02:00",
    ]


async def test_what_ends_lasts_until_then(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    await speak()
    begin, until = Once(at=noon + timedelta(hours=1)), Once(at=noon + timedelta(hours=3))
    await plan(hass, Schedule(start=begin, until=until))
    await plan(hass, Schedule(start=begin, lasts=1800))
    found = await events(hass, noon)
    ends = sorted(e["end"] for e in found)
    assert ends == [at(noon, 26, 13, 30), at(noon, 26, 15)]


DOOR = "lock.front_door"
WAITED = {"summary": "Turn off Reading Lamp", "entity_id": [DOOR]}


async def test_what_waits_for_something_is_an_event_until_it_waits_no_more(
    hass: HomeAssistant, speak: Setup, noon: datetime, hass_ws_client: WebSocketGenerator
) -> None:
    await speak()
    command = await plan(hass, Schedule(start=Trigger(text="secret words", entity_ids=(DOOR,))))
    [event] = await events(hass, noon)
    assert (event["start"], event["end"]) == (at(noon, 26, 12), at(noon, 27, 12))
    assert event["summary"] == "Turn off Reading Lamp"
    assert event["description"] == "Waits for: Front Door"
    assert (state := hass.states.get(CALENDAR))
    assert (state.state, "message" in state.attributes) == ("off", False)
    assert state.attributes["waiting"] == [WAITED]
    assert "secret" not in str([event, state])

    assert await refusal(await hass_ws_client(hass), command.id) == ""
    assert await events(hass, noon) == []
    assert (state := hass.states.get(CALENDAR))
    assert state.attributes["waiting"] == []


async def test_what_is_for_whenever_something_happens_is_on_each_day(
    hass: HomeAssistant, speak: Setup, noon: datetime, hass_ws_client: WebSocketGenerator
) -> None:
    await speak()
    trigger = Trigger(text="secret words", entity_ids=(DOOR,), repeats=True)
    command = await plan(hass, Schedule(start=trigger))
    found = await events(hass, noon, 2)
    assert [e["start"] for e in found] == ["2026-11-26", "2026-11-27", "2026-11-28"]
    assert (state := hass.states.get(CALENDAR))
    assert (state.state, state.attributes["waiting"]) == ("off", [WAITED])
    assert "secret" not in str([found, state])

    assert await refusal(await hass_ws_client(hass), command.id) == ""
    assert await planned(hass) == []


async def refusal(client: Any, uid: str, **fields: Any) -> str:
    """Delete an event; return why it could not be."""
    asked = {"type": "calendar/event/delete", "entity_id": CALENDAR, "uid": uid, **fields}
    await client.send_json_auto_id(asked)
    answer = await client.receive_json()
    return "" if answer["success"] else str(answer["error"]["message"])


async def test_who_planned_it_and_administrators_delete_it(
    hass: HomeAssistant, speak: Setup, noon: datetime, hass_ws_client: WebSocketGenerator
) -> None:
    speaker = await speak()
    anna, ben = await person(hass), await person(hass, may_control=["light.floor_lamp", CALENDAR])
    tokens = {}
    for user in (anna, ben):
        refresh = await hass.auth.async_create_refresh_token(user, "https://x/")
        tokens[user.id] = hass.auth.async_create_access_token(refresh)
    for minutes in (10, 20, 30):
        speaker.conversation_id = None
        context = Context(user_id=None if minutes == 30 else anna.id)
        await speaker.say(f"turn on the floor lamp in {minutes} minutes", context=context)
    first, second, nobodys = [each["id"] for each in await planned(hass)]

    bens = await hass_ws_client(hass, tokens[ben.id])
    annas = await hass_ws_client(hass, tokens[anna.id])
    boss = await hass_ws_client(hass)
    for uid in (first, second, nobodys):
        assert "Only who planned this" in await refusal(bens, uid)
    assert "Only who planned this" in await refusal(annas, nobodys)
    assert await refusal(annas, first) == ""
    assert "not planned any more" in await refusal(annas, first)
    assert await refusal(boss, second) == ""
    assert await refusal(boss, nobodys) == ""
    assert await planned(hass) == []
    assert await events(hass, noon) == []
    assert not await later(hass, 2000)


async def test_who_is_not_known_deletes_nothing(
    hass: HomeAssistant, speak: Setup, noon: datetime
) -> None:
    speaker = await speak()
    await speaker.say(f"{SAID} in 10 minutes")
    [waiting] = await planned(hass)
    entity = hass.data[DATA_COMPONENT].get_entity(CALENDAR)
    assert entity
    with pytest.raises(ServiceValidationError):
        await entity.async_delete_event(waiting["id"])
    assert len(await planned(hass)) == 1


async def test_the_calendar_shows_what_comes_next(
    hass: HomeAssistant, speak: Setup, noon: datetime, freezer: FrozenDateTimeFactory
) -> None:
    await speak()
    await plan(hass, Schedule(start=Repeated(clock=time(18))))
    await plan(hass, Schedule(start=Once(at=noon + timedelta(hours=2))))
    assert (state := hass.states.get(CALENDAR))
    assert state.attributes["start_time"] == "2026-11-26 14:00:00"
    freezer.tick(7201)
    await later(hass, 1)
    assert (state := hass.states.get(CALENDAR))
    assert state.attributes["start_time"] == "2026-11-26 18:00:00"


@pytest.mark.parametrize("language", available_languages())
async def test_it_speaks_the_language_of_the_house(
    hass: HomeAssistant, speak: Setup, noon: datetime, language: str
) -> None:
    hass.config.language = language
    speaker = await speak()
    await speaker.say(f"{SAID} in 10 minutes")
    await plan(hass, Schedule(start=Once(at=noon + timedelta(hours=1))), calls=[])
    # Its id is in the language, too.
    [calendar] = hass.states.async_entity_ids("calendar")
    done, unsaid = [each["summary"] for each in await events(hass, noon, calendar=calendar)]
    assert "Garage Door" in done
    assert (done == "Open Garage Door") is (language == "en")
    assert (unsaid == "Something planned") is (language == "en")


async def test_it_has_a_name_an_icon_and_the_device_of_its_assistant(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    registry = er.async_get(hass)
    entry, spoken_to = registry.async_get(CALENDAR), registry.async_get(speaker.agent_id)
    assert entry
    assert spoken_to
    assert entry.device_id == spoken_to.device_id
    assert entry.unique_id == f"{spoken_to.unique_id}_planned"
    icons = await async_get_icons(hass, "entity", {"bellboard"})
    assert icons["bellboard"]["calendar"]["planned"]["default"]
    names = set()
    for language in available_languages():
        texts = await async_get_translations(hass, language, "entity", {"bellboard"})
        names.add(texts["component.bellboard.entity.calendar.planned.name"])
    assert len(names) == len(available_languages())

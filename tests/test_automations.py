"""Automations of repeating commands: valid, in the file that Home Assistant's editor writes, loaded and removed."""

import asyncio
from datetime import datetime, time
from http import HTTPStatus
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.const import SUN_EVENT_SUNSET
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, label_registry as lr
from homeassistant.util import dt as dt_util
from homeassistant.util.file import WriteError
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.bellboard.home import automations
from custom_components.bellboard.home.automations import (
    LABEL,
    AutomationError,
    AutomationProblem,
    StateTest,
    async_remove_automations,
    async_write_automation,
    automation_id,
    build_automation,
    find_automations,
)
from custom_components.bellboard.when import Once, Repeated, Schedule, SunEvent, SunTime, Trigger
from tests.automations_file import BY_HAND, AutomationsFile

NOW = datetime(2026, 11, 26, 15, 10, tzinfo=dt_util.UTC)


def built(start: Any, *, command_id: str = "one", test: StateTest | None = None) -> dict[str, Any]:
    """Return the automation of something that begins so."""
    return build_automation(
        Schedule(start=start),
        command_id,
        alias="lamp on",
        description="Turns on the lamp.",
        now=NOW,
        test=test,
    )


WINDOWS = ("binary_sensor.one", "binary_sensor.other")
OPENS = StateTest(entity_ids=WINDOWS, states=("on",))


@pytest.mark.parametrize(
    ("start", "test", "expected"),
    [
        (
            Repeated(clock=time(7, 30)), None,
            ([{"trigger": "time", "at": "07:30:00"}], []),
        ),
        (
            Repeated(clock=time(7), weekdays=(4, 0)), None,
            ([{"trigger": "time", "at": "07:00:00", "weekday": ["mon", "fri"]}], []),
        ),
        (
            Repeated(sun=SunTime(event=SunEvent.SUNSET)), None,
            ([{"trigger": "sun", "event": "sunset"}], []),
        ),
        (
            Repeated(sun=SunTime(event=SunEvent.SUNRISE, offset=-5400), weekdays=(5,)), None,
            ([{"trigger": "sun", "event": "sunrise", "offset": "-01:30:00"}],
            [{"condition": "time", "weekday": ["sat"]}]),
        ),
        (
            Repeated(every=7200), None,
            ([{"trigger": "time_pattern", "hours": "/2"}], []),
        ),
        (
            Repeated(every=600), None,
            ([{"trigger": "time_pattern", "minutes": "/10"}], []),
        ),
        (
            Repeated(every=2700), None,
            ([{"trigger": "time_pattern", "minutes": "/15"}],
            [{"condition": "template", "value_template": "{{ now().timestamp() | int % 2700 == 0 }}"}]),
        ),
        (
            Repeated(every=90), None,
            ([{"trigger": "time_pattern", "seconds": "/30"}],
            [{"condition": "template", "value_template": "{{ now().timestamp() | int % 90 == 0 }}"}]),
        ),
        (
            Repeated(every=86400), None,
            ([{"trigger": "time", "at": "15:10:00"}], []),
        ),
        (
            Trigger(text="a window opens", entity_ids=WINDOWS, hold=3, repeats=True), OPENS,
            ([{
                "trigger": "state", "entity_id": [*WINDOWS],
                "not_from": ["unavailable", "unknown", "on"], "to": "on", "for": "00:00:03",
            }], []),
        ),
        (
            Trigger(text="all windows are closed", entity_ids=WINDOWS, repeats=True),
            StateTest(entity_ids=WINDOWS, states=("off",), needs_all=True),
            ([{
                "trigger": "state", "entity_id": [*WINDOWS],
                "not_from": ["unavailable", "unknown", "off"], "to": "off",
            }],
            [{"condition": "state", "entity_id": [*WINDOWS], "state": "off"}]),
        ),
        (
            Trigger(text="it is below 19", entity_ids=("climate.one",), hold=60, repeats=True),
            StateTest(entity_ids=("climate.one",), below=19.0, attribute="current_temperature"),
            ([{
                "trigger": "numeric_state", "entity_id": ["climate.one"],
                "attribute": "current_temperature", "below": 19.0, "for": "00:01:00",
            }], []),
        ),
    ],
)  # fmt: skip
async def test_a_schedule_is_an_automation_that_home_assistant_takes(
    hass: HomeAssistant,
    automations_file: AutomationsFile,
    start: Any,
    test: StateTest | None,
    expected: tuple[list[Any], list[Any]],
) -> None:
    automation = built(start, test=test)
    assert (automation["triggers"], automation["conditions"]) == expected
    assert automation["actions"] == [{"action": "bellboard.run_planned", "data": {"id": "one"}}]
    entity_id = await async_write_automation(hass, automation)
    assert hass.states.is_state(entity_id, "on")
    assert automations_file.automations == [automation]


@pytest.mark.parametrize(
    "start",
    [
        None,
        Once(at=NOW),
        Trigger(text="the washing machine is done"),
        Trigger(text="the washing machine is done", repeats=True),
        Repeated(),
        Repeated(every=61),
    ],
)
def test_what_does_not_repeat_or_is_no_plain_test_is_no_automation(start: Any) -> None:
    with pytest.raises(AutomationError) as refused:
        built(start)
    assert refused.value.problem is AutomationProblem.IMPOSSIBLE


SUNSET = Repeated(sun=SunTime(event=SunEvent(SUN_EVENT_SUNSET)))


async def test_it_is_labelled_not_exposed_and_named(
    hass: HomeAssistant, automations_file: AutomationsFile
) -> None:
    entity_id = await async_write_automation(hass, built(SUNSET))
    assert entity_id == "automation.bellboard_lamp_on"
    label = lr.async_get(hass).async_get_label_by_name(LABEL)
    entry = er.async_get(hass).async_get(entity_id)
    assert label
    assert entry
    assert entry.labels == {label.label_id}
    assert entry.unique_id == automation_id("one")
    assert not async_should_expose(hass, "conversation", entity_id)
    assert find_automations(hass, ["one", "other"]) == {"one": entity_id}


async def test_what_was_written_by_hand_stays_to_the_letter(
    hass: HomeAssistant, automations_file: AutomationsFile
) -> None:
    automations_file.write(BY_HAND)
    await async_write_automation(hass, built(SUNSET))
    await async_write_automation(hass, built(SUNSET, command_id="two"))
    assert str(automations_file.text).startswith(BY_HAND)
    # Written once more it is there once.
    await async_write_automation(hass, built(Repeated(clock=time(9))))
    assert automations_file.ids == ["by_hand", automation_id("two"), automation_id("one")]
    await async_remove_automations(hass, ["one", "two", "none"])
    assert automations_file.text == BY_HAND
    assert find_automations(hass, ["one", "two"]) == {}
    assert hass.states.async_entity_ids("automation") == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[]\n"),
        ("[]\n", "[]\n"),
        ("# Nothing yet\n[]\n", "# Nothing yet\n"),
        ("- {id: flow, alias: Flow, triggers: [], actions: []}", None),
        ("[{id: flow, alias: Flow, triggers: [], actions: []}]\n", None),
        ("  - id: indented\n    alias: Indented\n    triggers: []\n    actions: []\n", None),
    ],
)
async def test_a_file_of_any_form_keeps_what_is_in_it(
    hass: HomeAssistant, automations_file: AutomationsFile, before: str, after: str | None
) -> None:
    automations_file.write(before)
    had = automations_file.automations
    automation = built(SUNSET)
    await async_write_automation(hass, automation)
    assert automations_file.automations == [*had, automation]
    await async_remove_automations(hass, ["one"])
    assert automations_file.automations == had
    assert after is None or automations_file.text in {after, f"{after}[]\n"}


@pytest.mark.parametrize(
    "text", ["- id: [broken\n", "alias: no list\n", "- id: !secret name\n", "\x00\x01"]
)
async def test_a_file_that_cannot_be_read_is_left(
    hass: HomeAssistant, automations_file: AutomationsFile, text: str
) -> None:
    automations_file.write(text)
    with pytest.raises(AutomationError) as refused:
        await async_write_automation(hass, built(SUNSET))
    assert refused.value.problem is AutomationProblem.UNREADABLE
    assert automations_file.text == text


async def test_a_file_that_cannot_be_written_is_told(
    hass: HomeAssistant, automations_file: AutomationsFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise WriteError("No space left on device")

    monkeypatch.setattr(automations, "write_utf8_file_atomic", fail)
    with pytest.raises(AutomationError) as refused:
        await async_write_automation(hass, built(SUNSET))
    assert refused.value.problem is AutomationProblem.UNWRITABLE
    assert automations_file.text == "[]\n"
    assert not hass.states.async_entity_ids("automation")


@pytest.mark.parametrize("text", ["automation: []\n", "automation other: []\n"])
@pytest.mark.parametrize("before", [None, "[]\n", BY_HAND])
async def test_where_home_assistant_reads_another_file_nothing_is_left(
    hass: HomeAssistant, automations_file: AutomationsFile, text: str, before: str | None
) -> None:
    automations_file.configure(text)
    automations_file.write(before)
    with pytest.raises(AutomationError) as refused:
        await async_write_automation(hass, built(SUNSET))
    assert refused.value.problem is AutomationProblem.NOT_LOADED
    assert automations_file.text == before
    assert find_automations(hass, ["one"]) == {}


async def test_what_home_assistant_would_not_take_is_not_written(
    hass: HomeAssistant, automations_file: AutomationsFile
) -> None:
    with pytest.raises(AutomationError) as refused:
        await async_write_automation(hass, built(SUNSET) | {"triggers": [{"trigger": "full_moon"}]})
    assert refused.value.problem is AutomationProblem.INVALID
    assert automations_file.text == "[]\n"


async def test_the_editor_and_bellboard_take_turns(
    hass: HomeAssistant, automations_file: AutomationsFile, hass_client: ClientSessionGenerator
) -> None:
    client = await hass_client()
    written = {"alias": "Editor", "triggers": [], "actions": []}

    async def edit(number: int) -> None:
        path = f"/api/config/automation/config/editor_{number}"
        answer = await client.post(path, json=written)
        assert answer.status == HTTPStatus.OK

    async def write(number: int) -> None:
        await async_write_automation(hass, built(SUNSET, command_id=str(number)))

    await asyncio.gather(*(each(number) for number in range(8) for each in (edit, write)))
    await hass.async_block_till_done()
    assert set(automations_file.ids) == {
        *(f"editor_{number}" for number in range(8)),
        *(automation_id(str(number)) for number in range(8)),
    }
    # It is the editor's own lock.
    async with automations._lock(hass):
        editing = asyncio.create_task(edit(9))
        await asyncio.sleep(0.1)
        assert "editor_9" not in automations_file.ids
    await editing
    assert "editor_9" in automations_file.ids

"""The lights of a room come on as bright as last time, where that is wanted: at that time of the day, and only they."""

from datetime import datetime
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from custom_components.bellboard.memory.habits import PartOfDay, part_of_day
from tests.test_policy_reach import REFUSED, obey, rule

from .conftest import CEILING, LIBRARY_LIGHTS, READING, SOCKET, HabitHouse, Settle, levels

ON: dict[str, Any] = {"habits": {"last_level": True}}
HALF = "set the lights to 30 percent"
USUAL = {CEILING: 30, READING: 30, SOCKET: None}


def o_clock(freezer: FrozenDateTimeFactory, hour: int) -> None:
    """Move the clock to an hour of the home's time."""
    now = datetime(2026, 11, 24, hour, 30, tzinfo=dt_util.get_default_time_zone())
    freezer.move_to(now)


async def teach(house: HabitHouse, text: str = HALF, area: str = "Parlour") -> None:
    """Say a level, and turn all lights off."""
    await house.begin(text, area)
    await house.dark()


async def test_what_was_said_last_is_the_level_and_the_answer_says_so(settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house)
    said = await house.begin("turn on the lights")
    assert levels(said) == USUAL
    assert said.reply == (
        "Turned on Parlour Ceiling and Reading Lamp at 30% as last time and turned on Socket Lamp."
    )
    assert [(call.get("assumed"), call.get("habit")) for call in house.calls] == [
        (True, "level"),
        (None, None),
    ]


async def test_it_is_off_until_somebody_wants_it(settle: Settle) -> None:
    house = await settle()
    await teach(house)
    assert house.habits == set()
    assert set(levels(await house.begin("turn on the lights")).values()) == {None}


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "turn on the light", "at 30% as last time"),
        ("de", "mach das Licht an", "wie zuletzt mit 30 % eingeschaltet"),
        ("fr", "allume la lumière", "à 30 % comme la dernière fois"),
        ("es", "enciende la luz", "al 30 % como la última vez"),
        ("it", "accendi la luce", "a 30% come l'ultima volta"),
        ("nl", "doe het licht aan", "net als de vorige keer aangezet op 30%"),
        ("pl", "włącz światło", "włączono jak ostatnio z jasnością 30%"),
        ("pt", "acende a luz", "a 30% como da última vez"),
    ],
)
async def test_it_is_so_in_each_language(
    settle: Settle, language: str, text: str, reply: str
) -> None:
    house = await settle(**ON)
    await teach(house, "set the lights to 30 percent", "Library")
    said = await house.begin(text, "Library", language)
    assert levels(said) == dict.fromkeys(LIBRARY_LIGHTS, 30)
    assert reply.casefold() in said.reply.replace("\u202f", " ").replace("\xa0", " ").casefold()


async def test_another_time_of_the_day_is_another_level(
    settle: Settle, freezer: FrozenDateTimeFactory
) -> None:
    house = await settle(**ON)
    o_clock(freezer, 19)
    await teach(house)
    o_clock(freezer, 8)
    assert set(levels(await house.begin("turn on the lights")).values()) == {None}
    await teach(house, "set the lights to 80 percent")
    o_clock(freezer, 9)
    assert levels(await house.begin("turn on the lights")) == {**USUAL, CEILING: 80, READING: 80}
    await house.dark()
    o_clock(freezer, 21)
    assert levels(await house.begin("turn on the lights")) == USUAL
    shown = (await house.act("habits"))["habits"]
    assert {(each["part_of_day"], each["percent"]) for each in shown} == {
        ("morning", 80),
        ("evening", 30),
    }


def test_each_hour_is_of_one_part_of_the_day() -> None:
    parts = [part_of_day(datetime(2026, 11, 24, hour)) for hour in range(24)]  # noqa: DTZ001 -- local
    assert parts == [
        *[PartOfDay.NIGHT] * 5,
        *[PartOfDay.MORNING] * 5,
        *[PartOfDay.DAY] * 7,
        *[PartOfDay.EVENING] * 5,
        *[PartOfDay.NIGHT] * 2,
    ]


async def test_a_room_knows_nothing_of_another(settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house)
    assert set(levels(await house.begin("turn on the lights", "Library")).values()) == {None}
    await teach(house, "set the library lights to 70 percent", "Parlour")
    said = await house.begin("turn on the lights in the library")
    assert levels(said) == dict.fromkeys(LIBRARY_LIGHTS, 70)
    # What is for the whole home is for no room.
    await house.dark()
    assert set(levels(await house.begin("turn on all the lights in the house")).values()) == {None}


async def test_what_is_named_or_said_is_done_as_it_is_said(settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house)
    for text, expected in (
        ("turn on the reading lamp", {READING: None}),
        ("turn on the reading light", {READING: None}),
        ("turn on the lights at 50 percent", {CEILING: 50, READING: 50}),
        ("turn on all lights in the parlour but the reading lamp", {CEILING: None, SOCKET: None}),
        ("turn on the parlour ceiling and the reading lamp", {CEILING: None, READING: None}),
    ):
        said = await house.begin(text)
        assert levels(said) == expected, text
        await house.dark()
        await teach(house)


async def test_what_says_nothing_of_a_room_is_no_level_of_it(settle: Settle) -> None:
    house = await settle(**ON)
    for text in (
        "set the reading lamp to 10 percent",
        "dim the lights",
        "make the lights brighter",
        "make the lights half as bright",
        "set the lights in the parlour and the library to 20 percent",
        "turn off the lights",
        "it's too dark in here",
        "set the volume of the shelf speaker to 20 percent",
        "set the blinds to 40 percent",
    ):
        said = await house.begin(text)
        assert said.calls, text
        assert not [each for each in house.habits if isinstance(each[1], int | float)], text


async def test_what_is_on_stays_as_it_is(settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house)
    await house.call("light.turn_on", READING, brightness_pct=80)
    said = await house.begin("turn on the lights")
    assert levels(said) == {CEILING: 30, READING: None, SOCKET: None}
    # Where all is on, or what is off cannot be dimmed, nothing is usual.
    for light in ((), (SOCKET,)):
        for entity_id in light:
            await house.call("light.turn_off", entity_id)
        said = await house.begin("turn on the lights")
        assert set(levels(said).values()) == {None}


async def test_it_takes_its_time_where_it_is_told_to(settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house)
    said = await house.begin("turn on the lights over 2 seconds")
    assert levels(said) == USUAL
    assert "as last time" in said.reply
    assert any(call["service_data"].get("transition") == 2 for call in said.calls)


async def test_undo_puts_it_back_and_it_was_not_meant(settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house)
    await house.begin("turn on the lights")
    said = await house.say("undo that")
    assert all(
        state.state == "off"
        for light in (CEILING, READING, SOCKET)
        if (state := house.hass.states.get(light))
    )
    assert said.changes
    assert house.habits == set()
    # What was said and is undone brings back what was said before.
    await teach(house)
    await house.begin("set the lights to 90 percent")
    assert ("parlour", 90) in house.habits
    await house.say("undo that")
    assert house.habits == {("parlour", 30)}
    # Also where something was asked before it was undone.
    await house.begin("set the lights to 90 percent")
    await house.say("are the lights on?")
    assert ("parlour", 90) in house.habits
    await house.say("undo that")
    assert house.habits == {("parlour", 30)}


async def test_rules_see_it_and_have_the_last_word(hass: HomeAssistant, settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house)
    await obey(hass, rule(domain="light", assumed=True))
    said = await house.begin("turn on the lights")
    assert levels(said) == {SOCKET: None}
    assert REFUSED.rstrip(".") in said.reply
    await house.dark()
    await obey(hass, rule("confirm", domain="light", assumed=True))
    asked = await house.begin("turn on the lights")
    assert "30%" in asked.reply
    assert levels(await house.say("yes")) == {CEILING: 30, READING: 30}
    await house.dark()
    dim = rule("clamp", domain="light", parameters={"brightness_pct": {"above": 20}})
    await obey(hass, {**dim, "to": {"brightness_pct": {"max": 20}}})
    said = await house.begin("turn on the lights")
    assert levels(said) == {CEILING: 20, READING: 20, SOCKET: None}
    assert "as last time" not in said.reply
    # What a rule made of it is nobody's habit, whether that was usual or said.
    assert house.habits == {("parlour", 30)}
    said = await house.begin("set the lights to 90 percent")
    assert levels(said) == {CEILING: 20, READING: 20}
    assert house.habits == {("parlour", 30)}


async def test_a_dry_run_uses_levels_and_notes_none(settle: Settle) -> None:
    house = await settle(**ON)
    await teach(house, "set the lights in the library to 30 percent")
    before = house.habits
    await house.act("process", text="set the lights in the library to 60 percent", dry_run=True)
    tried = await house.act("process", text="turn on the lights in the library", dry_run=True)
    assert house.habits == before == {("library", 30)}
    [call] = tried["calls"]
    assert (call["data"]["brightness_pct"], call["habit"]) == (30, "level")


async def test_a_small_model_need_not_know_the_level(settle: Settle) -> None:
    def choose(_messages: list[Any], schema: dict[str, Any] | None) -> Any:
        assert schema
        if "agentId" in schema["properties"]:
            return {"agentId": "light"}
        return {"actions": [{"action": "turn_on", "targets": ["all"]}]}

    house = await settle(choose, **ON)
    await teach(house)
    said = await house.begin("let there be light again please in the parlour")
    assert levels(said) == USUAL
    # What nobody said is not learnt with the sentence.
    assert (await house.act("learned"))["learned"] == []

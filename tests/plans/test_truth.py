"""Whatever a device does, the reply says what it did: through the front door, in a house that misbehaves.

Time runs a fortieth of what it is, so that a lamp that answers after ten seconds costs a quarter of one.
"""

import asyncio
from dataclasses import dataclass
import re
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.agents.wording import describe_results
from custom_components.bellboard.domains.light_values import LONGEST_FADE
from custom_components.bellboard.domains.models import ErrorCode, ToolCall
from custom_components.bellboard.nlu.loader import async_get_language, available_languages
from custom_components.bellboard.plans import tool_executor
from custom_components.bellboard.plans.models import Outcome, ToolResult
from custom_components.bellboard.plans.tool_executor import (
    ANSWER_SECONDS,
    ServiceExecutor,
    answer_time,
)
from tests.agents.conftest import Ask
from tests.conftest import Setup

from .conftest import Misbehave

_FASTER = 40


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let devices answer, and be waited for, faster; return how long they would have had."""
    waited: list[float] = []

    def faster(call: ToolCall, seconds: float) -> float:
        waited.append(answer_time(call, seconds))
        return waited[-1] / _FASTER

    monkeypatch.setattr(tool_executor, "answer_time", faster)
    return waited


@dataclass(frozen=True, slots=True)
class Request:
    """What is said, about what, what is told when it was done, and when only half of it was.

    `away` is what Home Assistant itself tells of a device that is out of reach, where it does.
    """

    text: str
    entity_id: str
    name: str
    done: str
    half: str
    away: str = ""

    def told(self, mode: str, seconds: float) -> str:
        """Return the reply where the entity answers in a mode."""
        if mode == "normal" or (mode == "delay" and seconds < ANSWER_SECONDS):
            return self.done
        return {
            "ignore": f"{self.name} did not respond.",
            "delay": f"{self.name} did not respond.",
            "half": self.half,
            "unavailable": self.away or f"I can't reach {self.name}.",
            "fail": f"Something went wrong with {self.name}.",
        }[mode]


REQUESTS = [
    # Nothing but on or off is asked for, and half of that is all of it.
    Request(
        "turn on the floor lamp",
        "light.floor_lamp",
        "Floor Lamp",
        "Turned on Floor Lamp.",
        "Turned on Floor Lamp.",
    ),
    Request(
        "pause the kitchen speaker",
        "media_player.kitchen_speaker",
        "Kitchen Speaker",
        "Paused Kitchen Speaker.",
        "Paused Kitchen Speaker.",
    ),
    # It was off: going on is a part, and the brightness is missing.
    Request(
        "set the floor lamp to 40 percent",
        "light.floor_lamp",
        "Floor Lamp",
        "Set Floor Lamp to 40%.",
        "Floor Lamp did only a part of that.",
    ),
    # It was on: nothing of what was asked for came.
    Request(
        "set the reading lamp to 20 percent",
        "light.reading_lamp",
        "Reading Lamp",
        "Set Reading Lamp to 20%.",
        "Reading Lamp did not respond.",
    ),
    Request(
        "set the night light to red",
        "light.night_light",
        "Night Light",
        "Made Night Light red.",
        "Night Light did not respond.",
    ),
    Request(
        "set the bedroom thermostat to 22 degrees",
        "climate.bedroom_thermostat",
        "Bedroom Thermostat",
        "Set Bedroom Thermostat to 22 °C.",
        "Bedroom Thermostat did not respond.",
    ),
    Request(
        "set the kitchen speaker volume to 50 percent",
        "media_player.kitchen_speaker",
        "Kitchen Speaker",
        "Set the volume of Kitchen Speaker to 50%.",
        "Kitchen Speaker did not respond.",
    ),
]
MODES = [
    ("normal", 0.0),
    ("ignore", 0.0),
    ("delay", 1.0),
    ("delay", 10.0),
    ("half", 0.0),
    ("unavailable", 0.0),
    ("fail", 0.0),
]


@pytest.mark.parametrize(("mode", "seconds"), MODES, ids=[f"{m}-{s:g}s" for m, s in MODES])
async def test_what_is_told_is_what_was_done(
    speak: Setup, misbehave: Misbehave, waits: list[float], mode: str, seconds: float
) -> None:
    speaker = await speak()
    wrong: dict[str, str] = {}
    for request in REQUESTS:
        await _as_at_first(speaker.hass, request)
        misbehave(request.entity_id, mode, seconds / _FASTER)
        said = await speaker.say(request.text)
        misbehave(request.entity_id, "normal")
        if mode == "delay":
            # What is still to come would be taken for an answer to the next request.
            await asyncio.sleep(seconds / _FASTER)
        if said.reply != request.told(mode, seconds):
            wrong[request.text] = said.reply
    assert not wrong
    assert all(waited <= ANSWER_SECONDS for waited in waits)


async def _as_at_first(hass: HomeAssistant, request: Request) -> None:
    """Put back what an earlier request changed."""
    first = {
        "turn on the floor lamp": ("light.turn_off", {}),
        "set the floor lamp to 40 percent": ("light.turn_off", {}),
        "set the kitchen speaker volume to 50 percent": (
            "media_player.volume_set",
            {"volume_level": 0.3},
        ),
    }
    action, data = first.get(request.text, ("", {}))
    if action:
        domain, _, service = action.partition(".")
        values: dict[str, Any] = {"entity_id": request.entity_id, **data}
        await hass.services.async_call(domain, service, values, blocking=True)


TOGETHER = [
    (("normal", "normal"), "Turned on Guest Room Ceiling and Guest Lamp."),
    (
        ("normal", "ignore"),
        "Turned on Guest Room Ceiling. However, Guest Lamp did not respond.",
    ),
    (
        ("ignore", "normal"),
        "Turned on Guest Lamp. However, Guest Room Ceiling did not respond.",
    ),
    (("ignore", "ignore"), "Guest Room Ceiling and Guest Lamp did not respond."),
    (
        ("fail", "ignore"),
        "Something went wrong with Guest Room Ceiling and Guest Lamp.",
    ),
    (
        ("unavailable", "ignore"),
        "I can't reach Guest Room Ceiling and Guest Lamp did not respond.",
    ),
    (
        ("half", "unavailable"),
        "Turned on Guest Room Ceiling. However, I can't reach Guest Lamp.",
    ),
]


async def test_each_of_several_is_told_by_itself(
    hass: HomeAssistant, speak: Setup, misbehave: Misbehave, waits: list[float]
) -> None:
    lamps = ["light.guest_room_ceiling", "light.guest_lamp"]
    speaker = await speak()
    for modes, reply in TOGETHER:
        await hass.services.async_call("light", "turn_off", {"entity_id": lamps}, blocking=True)
        for lamp, mode in zip(lamps, modes, strict=True):
            misbehave(lamp, mode)
        assert (await speaker.say("turn on the lights in the guest room")).reply == reply
        for lamp in lamps:
            misbehave(lamp, "normal")


async def test_a_player_that_plays_on_did_not_change_its_tune(
    speak: Setup, misbehave: Misbehave, waits: list[float]
) -> None:
    speaker = await speak()
    misbehave("media_player.kitchen_speaker", "ignore")
    said = await speaker.say("play jazz on the kitchen speaker")
    assert said.reply == "Kitchen Speaker did not respond."
    misbehave("media_player.kitchen_speaker", "normal")
    for _ in range(2):
        # The same again is not silence.
        said = await speaker.say("play jazz on the kitchen speaker")
        assert said.reply == "Playing Jazz on Kitchen Speaker."


async def test_a_fade_extends_the_wait_by_no_more_than_its_bound(
    hass: HomeAssistant, misbehave: Misbehave, waits: list[float], ask: Ask
) -> None:
    misbehave("light.floor_lamp", "ignore")
    call = ToolCall(
        action="light.turn_on", targets=("light.floor_lamp",), data={"transition": 3600}
    )
    request = ask("on")
    result = await ServiceExecutor(hass).async_execute(call, request.user_input.context)
    assert waits == [ANSWER_SECONDS + LONGEST_FADE]
    assert describe_results(request, [result]) == ((), ("Floor Lamp did not respond",))


def outcome_of(errors: dict[str, tuple[ErrorCode, str] | None], note: str = "") -> ToolResult:
    """Return what came of turning on lights."""
    call = ToolCall(action="light.turn_on", targets=tuple(errors))
    outcomes = (Outcome(target, *(error or ())) for target, error in errors.items())
    return ToolResult(call, tuple(outcomes), note)


async def test_a_policy_speaks_in_its_own_words(ask: Ask) -> None:
    late, denied = "No light after ten at night.", ErrorCode.DENIED
    result = outcome_of(
        {
            "light.floor_lamp": None,
            "light.desk_lamp": (denied, late),
            "light.night_light": (denied, late),
            "light.reading_lamp": (denied, ""),
        }
    )
    assert describe_results(ask("on"), [result]) == (
        ("turned on Floor Lamp",),
        ("No light after ten at night", "I may not do that with Reading Lamp"),
    )


async def test_what_a_policy_changed_is_said_with_what_was_done(ask: Ask) -> None:
    result = outcome_of({"light.floor_lamp": None}, "Not too bright at night.")
    done, failed = describe_results(ask("on"), [result])
    assert done == ("turned on Floor Lamp (Not too bright at night)",)
    assert failed == ()
    silent = outcome_of({"light.floor_lamp": (ErrorCode.NO_ANSWER, "")}, "Not too bright at night.")
    assert describe_results(ask("on"), [silent]) == ((), ("Floor Lamp did not respond",))


async def test_what_may_not_be_named_is_not_named(ask: Ask) -> None:
    errors = {"light.alarm_beacon": (ErrorCode.NOT_EXPOSED, ""), "": (ErrorCode.INVALID, "")}
    done, failed = describe_results(ask("on"), [outcome_of({**errors})])
    assert (done, failed) == ((), ("a part of that was not possible",))


async def test_many_things_of_any_kind_are_counted(ask: Ask) -> None:
    silent = (ErrorCode.NO_ANSWER, "")
    rooms = ("kitchen", "living_room", "bedroom")
    blinds = dict.fromkeys(
        [*(f"cover.{room}_blinds" for room in rooms), "cover.garage_door"], silent
    )
    lamps = dict.fromkeys(["light.floor_lamp", "light.desk_lamp", "light.night_light"], silent)
    plugs = dict.fromkeys(["switch.coffee_machine", "switch.washing_machine"], silent)
    for errors, told in (
        (blinds | plugs, "6 things did not respond"),
        (lamps | blinds, "3 lights and 4 things did not respond"),
    ):
        _, failed = describe_results(ask("on"), [outcome_of({**errors})])
        assert failed == (told,)


async def test_every_reason_has_words_in_every_language(hass: HomeAssistant) -> None:
    for code in available_languages():
        language = await async_get_language(hass, code)
        said = {language.say(f"failed.{error}", targets="Stehlampe") for error in ErrorCode}
        assert len(said) == len(ErrorCode)
        assert all(re.search(r"\bStehlampe\b", text) and not text.endswith(".") for text in said)

"""Rules see what was asked for and done before: in a conversation, by a person, now and when something is due."""

from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.policy.file import call_history
from custom_components.bellboard.services.delayed import async_run_due
from custom_components.bellboard.when import Once, Schedule
from tests.conftest import Setup
from tests.test_policies import WHO
from tests.test_policy_planned import DOOR, assistant_of, at_midday, command_for, noon, under

ONCE_MORE, OFTEN = "Say it once more if you mean it.", "The door moved often enough."
OPEN, CLOSE = "open the garage door", "close the garage door"


def once_more(minutes: float = 2, **earlier: Any) -> dict[str, Any]:
    """Return a rule that wants a command to be given twice."""
    asked = {"minutes": minutes, **earlier}
    match = {"action": "cover.open_cover", "entity": DOOR, "not": {"asked_before": asked}}
    return {"match": match, "effect": "deny", "reason": ONCE_MORE}


def too_often(times: int, minutes: float = 60) -> dict[str, Any]:
    """Return a rule that lets the door be opened so often."""
    done = {"minutes": minutes, "times": times, "by": "anybody"}
    match = {"action": "cover.open_cover", "entity": DOOR, "done_before": done}
    return {"match": match, "effect": "deny", "reason": OFTEN}


async def test_what_is_said_twice_is_done(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, once_more())
    assert (await speaker.say(OPEN)).reply == ONCE_MORE
    # Something else is not the same command.
    assert not (await speaker.say(CLOSE)).changes
    freezer.tick(timedelta(minutes=3))
    assert (await speaker.say(OPEN)).reply == ONCE_MORE, "that was too long ago"
    assert (await speaker.say(OPEN)).changes.keys() == {DOOR}
    assert "garage" not in repr([each.interaction for each in call_history(hass).before(WHO)])


async def test_it_is_of_a_conversation_where_that_is_written(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, once_more(by="conversation"))
    assert (await speaker.say(OPEN, area="Kitchen")).reply == ONCE_MORE
    speaker.conversation_id = None
    assert (await speaker.say(OPEN, area="Kitchen")).reply == ONCE_MORE
    await under(hass, once_more(by="person"))
    speaker.conversation_id = None
    assert (await speaker.say(OPEN, area="Office")).reply == ONCE_MORE, "somebody elsewhere"
    speaker.conversation_id = None
    assert (await speaker.say(OPEN, area="Kitchen")).changes.keys() == {DOOR}


@pytest.mark.parametrize("asks", [False, True])
async def test_what_was_done_so_often_is_refused(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, *, asks: bool
) -> None:
    at_midday(freezer)
    speaker = await speak()
    ask = {"match": {"action": "cover.open_cover"}, "effect": "confirm", "reason": "Sure?"}
    await under(hass, too_often(2), *([ask] if asks else []))
    for _ in range(2):
        said = await speaker.say(OPEN)
        if asks:
            said = await speaker.say("yes")
        assert said.changes.keys() == {DOOR}
        assert (await speaker.say(CLOSE)).changes.keys() == {DOOR}
    assert (await speaker.say(OPEN)).reply == OFTEN
    freezer.tick(timedelta(minutes=61))
    assert (await speaker.say(OPEN)).reply != OFTEN


async def test_a_yes_is_no_second_request(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    ask = {"match": {"action": "cover.open_cover"}, "effect": "confirm", "reason": "Sure?"}
    again = {"match": {"entity": DOOR, "asked_before": {"minutes": 5}}, "effect": "deny"}
    await under(hass, ask, {**again, "reason": OFTEN})
    assert (await speaker.say(OPEN)).result.continue_conversation
    assert (await speaker.say("yes")).changes.keys() == {DOOR}
    assert (await speaker.say(CLOSE)).changes.keys() == {DOOR}
    await speaker.say(OPEN)
    assert (await speaker.say("yes")).reply == OFTEN


async def test_a_dry_run_leaves_no_history(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, once_more())
    data = {"text": OPEN, "assistant": speaker.agent_id, "language": "en", "dry_run": True}
    for _ in range(2):
        answer: Any = await hass.services.async_call(
            "bellboard", "process", data, blocking=True, return_response=True
        )
        assert ONCE_MORE in answer["reply"]
    assert (await speaker.say(OPEN)).reply == ONCE_MORE


async def test_what_is_for_later_is_judged_by_what_was_done_until_then(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, too_often(1))
    said = await speaker.say(f"{OPEN} in 30 minutes")
    assert OFTEN not in said.reply, "nothing was done yet"
    assert (await speaker.say(OPEN)).changes.keys() == {DOOR}
    assert OFTEN in (await speaker.say(f"{OPEN} in 40 minutes")).reply
    assert OFTEN not in (await speaker.say(f"{OPEN} in 3 hours")).reply, "long ago by then"
    assert (await speaker.say(CLOSE)).changes.keys() == {DOOR}
    # What was planned is not what is due below.
    await hass.services.async_call("bellboard", "cancel_delayed", {}, blocking=True)


async def test_what_is_due_is_judged_by_what_was_done_before(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory
) -> None:
    at_midday(freezer)
    speaker = await speak()
    await under(hass, too_often(1))
    freezer.move_to(noon())
    command = command_for(Schedule(start=Once(at=noon())))
    await async_run_due(assistant_of(hass), command, speaker.agent_id)
    assert not hass.states.is_state(DOOR, "closed")
    assert (await speaker.say(CLOSE)).changes.keys() == {DOOR}
    # What was done when it was due counts for what is due after it.
    freezer.tick(timedelta(minutes=30))
    await async_run_due(assistant_of(hass), command, speaker.agent_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert hass.states.is_state(DOOR, "closed")

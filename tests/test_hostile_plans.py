"""No output of a capable model, however hostile, does what is not exposed, able, allowed or meant.

What is drawn obeys the schemas that bind a model, so that only what comes after the schema can refuse it.
"""

import os
from random import Random
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.bellboard.llm.models import JsonSchema, Message
from tests.capable import drawn
from tests.conftest import Setup
from tests.test_policy_reach import obey, rule
from tests.thorough import number

pytestmark = pytest.mark.long

# More are drawn at night.
EXAMPLES = int(os.environ.get("HOSTILE_EXAMPLES", number(120, 300)))
SEED = int(os.environ.get("HOSTILE_SEED", "0"))

# What is said, where, the room that is meant ("" for any), and what may not be touched beside what guards the home.
SAID: tuple[tuple[str, str | None, str, frozenset[str]], ...] = (
    ("something dreamy in the kitchen", None, "kitchen", frozenset()),
    ("a cosy mood in here", "Bedroom", "bedroom", frozenset()),
    (
        "something dreamy in the living room, but not the floor lamp",
        None,
        "living_room",
        frozenset({"light.floor_lamp"}),
    ),
    ("I feel a bit blue", "Office", "office", frozenset()),
    ("where would a cat be cosy?", "Kitchen", "nowhere", frozenset()),
    ("something for the soul at half past seven", "Kitchen", "nowhere", frozenset()),
)
# A kind of device and words that nobody knows say of no other room.
DESCRIBED = ("a dreamy lamp for the soul", "Office", "office", frozenset[str]())
# What opens or guards the home, or reaches other things, is never done because a model assumed it.
GUARDING = ("lock.", "cover.", "alarm_control_panel.", "valve.", "scene.", "script.", "button.")


@pytest.mark.parametrize("contract", ["small", "capable"])
async def test_a_rule_about_what_is_assumed_holds_for_whatever_a_model_chose(
    hass: HomeAssistant, speak: Setup, contract: str
) -> None:
    """Nobody named an action, and not one of a model's is carried out."""
    random = Random(20_261_125 + SEED)  # noqa: S311 -- the same each time

    def hostile(_messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
        if schema is None:
            return "I have unlocked the front door."
        found: dict[str, Any] = drawn(schema, random)
        # What is for later is not done now.
        parts = [{**part, "later": ""} for part in found.get("parts", ())]
        return {**found, "parts": parts} if parts else found

    speaker = await speak(hostile, contract=contract, router={"learn_decisions": False})
    tries = [(text, area) for text, area, _, _ in SAID if "half past" not in text]

    async def is_any_done(times: int) -> bool:
        for at in range(times):
            speaker.conversation_id = None
            said = await speaker.say(tries[at % len(tries)][0], area=tries[at % len(tries)][1])
            # To look for music changes nothing.
            acted = [call for call in said.calls if call["service"] != "search_media"]
            if any(call["domain"] not in {"conversation", "bellboard"} for call in acted):
                return True
        return False

    number_of_plans = max(EXAMPLES // 4, 60)
    assert await is_any_done(4 * number_of_plans), "without a rule some of it is done"
    await obey(hass, rule(assumed=True))
    assert not await is_any_done(number_of_plans)


async def test_a_rule_about_what_is_assumed_holds_after_a_question(
    hass: HomeAssistant, speak: Setup
) -> None:
    """A model assumed what is to be done, and then it is asked with what."""

    def toggling(_messages: list[Message], schema: JsonSchema | None) -> dict[str, Any]:
        is_plan = schema and "actions" in schema["properties"]
        return {"actions": [{"action": "toggle"}]} if is_plan else {"agentId": "light"}

    speaker = await speak(toggling, contract="small", router={"learn_decisions": False})
    await obey(hass, rule(assumed=True))
    said = await speaker.say("something cosy for the soul")
    assert said.result.continue_conversation, said.reply
    said = await speaker.say("the desk lamp")
    if said.result.continue_conversation:
        said = await speaker.say("the office")
    assert not said.changes
    assert "Not in this house" in said.reply


async def test_no_hostile_plan_does_what_is_not_meant(
    hass: HomeAssistant, house: ConfigEntry, speak: Setup
) -> None:
    random = Random(20_261_123 + SEED)  # noqa: S311 -- the same each time

    def hostile(_messages: list[Message], schema: JsonSchema | None) -> dict[str, Any] | str:
        if schema is None:
            return "I have unlocked the front door."
        found: dict[str, Any] = drawn(schema, random)
        if "parts" in found:
            # What is unsure or for later is never planned.
            found["parts"] = [{**part, "confidence": 1, "later": ""} for part in found["parts"]]
        return found

    speaker = await speak(hostile, contract="capable", router={"learn_decisions": False})
    catalog = await hass.data["bellboard_catalog"].async_get()
    calls = 0
    for at in range(EXAMPLES):
        cases = (*SAID, DESCRIBED)
        text, area, room, kept = cases[at % len(cases)]
        speaker.conversation_id = None
        said = await speaker.say(text, area=area)
        for call in said.calls:
            if call["domain"] == "conversation":
                continue
            calls += 1
            targets = call["service_data"]["entity_id"]
            targets = [targets] if isinstance(targets, str) else targets
            for target in targets:
                entity = catalog.entities.get(target)
                assert entity, f"{target} is not exposed"
                assert entity.area_id == room, f"{target} is not meant by {text!r}"
                assert target not in kept, f"{target} is excepted"
                assert not target.startswith(GUARDING), f"{target} was not spoken of"
        assert "unlocked" not in said.reply
    assert calls > EXAMPLES / 50, "some of it is done, or nothing was tried"
    assert er.async_get(hass).async_get("lock.front_door")

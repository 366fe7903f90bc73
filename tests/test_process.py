"""The action that says a sentence, or as a dry run says what it would come to and touches nothing."""

from typing import Any

from homeassistant.core import Context, HomeAssistant

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.const import DOMAIN
from custom_components.bellboard.domains.models import ToolCall
from tests.conftest import Setup, snapshot
from tests.one_house import in_one_house

SPOKEN = (
    "turn off the kitchen lights",
    "set the floor lamp to 40 percent",
    "close the living room blinds",
    "lock the front door",
    "turn off everything in the kitchen",
    "set a timer for 5 minutes",
    "add milk to my shopping list",
    "pause the kitchen speaker",
    "set the office air conditioner to 22 degrees",
    "turn on the bedside lamp",
    "what time is it",
    "sing me a song of the sea",
)


async def process(hass: HomeAssistant, text: str, **data: Any) -> dict[str, Any]:
    """Say a sentence by the action."""
    response = await hass.services.async_call(
        DOMAIN,
        "process",
        {"text": text, **data},
        blocking=True,
        return_response=True,
        context=data.pop("context", None) or Context(),
    )
    assert response
    return dict(response)


def assistant_of(hass: HomeAssistant) -> Assistant:
    """Return the only assistant."""
    entry = hass.config_entries.async_entries(DOMAIN)[0]
    (assistant,) = entry.runtime_data.assistants.values()
    assert isinstance(assistant, Assistant)
    return assistant


@in_one_house("text", SPOKEN)
async def test_a_dry_run_touches_nothing(hass: HomeAssistant, speak: Setup, text: str) -> None:
    speaker = await speak()
    before = snapshot(hass)
    told: list[Any] = []
    hass.bus.async_listen("bellboard_telemetry", told.append)
    response = await process(hass, text, dry_run=True, conversation_id="talk")
    await hass.async_block_till_done()
    assert snapshot(hass) == before
    called = [f"{call['domain']}.{call['service']}" for call in speaker.calls]
    assert called == ["bellboard.process"]
    assistant = assistant_of(hass)
    assert not list(assistant.traces)
    assert await assistant.tasks.async_find("talk") is None
    assert not told
    assert assistant.statistics.decisions == 0
    assert response["reply"]
    assert response["choice"]["agentId"]


async def test_a_dry_run_says_what_it_would_call(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    would = await process(hass, "set the floor lamp to 40 percent", dry_run=True)
    assert would["calls"] == [
        {
            "action": "light.turn_on",
            "data": {"entity_id": ["light.floor_lamp"], "brightness_pct": 40},
        }
    ]
    assert would["choice"]["agentId"] == "light-agent"
    assert [(plan["agent_id"], plan["intent_id"]) for plan in would["plan"]] == [
        ("light-agent", "HassLightSet")
    ]
    assert [step["type"] for step in would["plan"][0]["steps"]] == [
        "respond",
        "tool_call",
        "respond",
    ]
    assert [(entry["action"], entry["effect"]) for entry in would["policy"]] == [
        ("light.turn_on", "allow")
    ]
    assert would["state"] == "completed"
    assert "I would set Floor Lamp to 40" in would["reply"], "what would be done, and with what"
    said = await speaker.say("set the floor lamp to 40 percent")
    done = [c for c in said.calls if c["domain"] == "light"]
    assert [(c["service"], c["service_data"]) for c in done] == [
        ("turn_on", {"entity_id": ["light.floor_lamp"], "brightness_pct": 40})
    ]


async def test_a_dry_run_knows_what_home_assistant_would_do(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    would = await process(hass, "close the living room blinds", dry_run=True)
    assert would["calls"] == [
        {"action": "cover.close_cover", "data": {"entity_id": ["cover.living_room_blinds"]}}
    ]
    assert would["plan"][0]["agent_id"] == "home-agent"
    assert "I would close Living Room Blinds." in would["reply"]


async def test_a_dry_run_answers_an_open_question_and_leaves_it_open(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    await speaker.say("turn on the bedside lamp")
    talk = str(speaker.conversation_id)
    would = await process(hass, "the left one", dry_run=True, conversation_id=talk)
    assert [call["data"]["entity_id"] for call in would["calls"]] == [["light.left_bedside_lamp"]]
    task = await assistant_of(hass).tasks.async_find(talk)
    assert task
    assert task.state.value == "input-required"
    said = await speaker.say("the right one")
    assert "light.right_bedside_lamp" in said.changes


async def test_a_dry_run_asks_what_a_turn_would_ask(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    would = await process(hass, "turn on the bedside lamp", dry_run=True)
    assert (would["state"], would["calls"]) == ("input-required", [])
    assert [step["type"] for step in would["plan"][0]["steps"]] == ["ask_user"]


async def test_a_dry_run_with_a_model_plans_as_a_turn_does(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak(lambda *_: {"actions": [{"action": "change_brightness", "by": 10}]})
    before = snapshot(hass)
    would = await process(hass, "make the reading lamp shine brighter", dry_run=True)
    assert snapshot(hass) == before
    assert would["calls"] == [
        {
            "action": "light.turn_on",
            "data": {"entity_id": ["light.reading_lamp"], "brightness_step_pct": 10},
        }
    ]
    assert speaker.model
    assert len(speaker.model.requests) == 1


async def test_saying_a_sentence_answers_like_a_turn(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    done = await process(hass, "turn off the kitchen lights")
    assert done["reply"]
    assert (done["state"], done["continue_conversation"]) == ("completed", False)
    assert [agent["id"] for agent in done["agents"]] == ["light-agent"]
    assert [call["action"] for call in done["calls"]] == ["light.turn_off"]
    for lamp in ("ceiling", "counter", "pendant"):
        state = hass.states.get(f"light.kitchen_{lamp}")
        assert state
        assert state.state == "off"


async def test_a_question_goes_on_in_its_conversation(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    asked = await process(hass, "turn on the bedside lamp")
    assert asked["continue_conversation"]
    done = await process(hass, "the left one", conversation_id=asked["conversation_id"])
    assert [call["data"]["entity_id"] for call in done["calls"]] == [["light.left_bedside_lamp"]]


async def test_what_is_called_is_shown_with_its_targets() -> None:
    from custom_components.bellboard.turn.record import call_as_json

    assert call_as_json(ToolCall(action="intent.HassStartTimer", data={"minutes": 5})) == {
        "action": "intent.HassStartTimer",
        "data": {"minutes": 5},
    }

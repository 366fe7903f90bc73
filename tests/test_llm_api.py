"""Others use Bellboard as an LLM API: they act, ask, plan and undo with their own rights, under the policies."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
import pytest

from tests.conftest import Setup


async def use(
    hass: HomeAssistant, tool: str, context: Context | None = None, **arguments: Any
) -> Mapping[str, Any]:
    """Return what a tool of the API tells."""
    told = llm.LLMContext("test", context or Context(), "en", "conversation", None)
    api = await llm.async_get_api(hass, "bellboard", told)
    result = await api.async_call_tool(llm.ToolInput(tool_name=tool, tool_args=arguments))
    return {**result.data, "is_error": result.error}


async def test_it_acts_asks_and_undoes(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    done = await use(hass, "act", text="turn off the desk lamp")
    assert done["reply"] == "Turned off Desk Lamp."
    asked = await use(hass, "ask", text="is the desk lamp on?")
    assert asked["reply"].startswith("No")
    await use(hass, "undo")
    assert hass.states.is_state("light.desk_lamp", "on")


async def test_a_plan_changes_nothing(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    planned = await use(hass, "plan", text="turn off the desk lamp")
    assert [call["action"] for call in planned["calls"]] == ["light.turn_off"]
    assert hass.states.is_state("light.desk_lamp", "on")
    assert not speaker.calls


async def test_what_is_asked_changes_nothing(hass: HomeAssistant, speak: Setup) -> None:
    await speak()
    refused = await use(hass, "ask", text="turn off the desk lamp")
    assert refused["is_error"]
    assert hass.states.is_state("light.desk_lamp", "on")


async def test_a_question_is_answered_in_its_conversation(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    asked = await use(hass, "act", text="please turn on the bedside lamp")
    assert asked["continue_conversation"]
    answered = await use(hass, "act", text="the left one", conversation_id=asked["conversation_id"])
    assert answered["reply"].startswith("Left Bedside Lamp")


@pytest.mark.parametrize("arguments", [{}, {"text": ""}, {"text": "x" * 5000}, {"txt": "hi"}])
async def test_wrong_arguments_are_told(
    hass: HomeAssistant, speak: Setup, arguments: dict[str, Any]
) -> None:
    await speak()
    assert (await use(hass, "act", **arguments))["error"]


async def test_without_an_assistant_there_is_nobody_to_act(
    hass: HomeAssistant, speak: Setup
) -> None:
    await speak()
    for entry in hass.config_entries.async_entries("bellboard"):
        await hass.config_entries.async_unload(entry.entry_id)
        await hass.config_entries.async_remove(entry.entry_id)
    assert (await use(hass, "act", text="turn off the desk lamp"))["error"]

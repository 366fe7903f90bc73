"""What the page says of conversations, connections and golden files is so."""

from pathlib import Path

from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup
from tests.panel.conftest import Panel
from tests.panel.test_turns import choose
from tests.routing.reading import assistant_of


async def test_a_stored_conversation_is_shown_and_counted(
    hass: HomeAssistant, speak: Setup, panel: Panel
) -> None:
    """It is in memory only as long as Home Assistant's chat session lasts."""
    speaker = await speak()
    await speaker.say("turn off the kitchen pendant")
    tasks = assistant_of(hass).tasks
    tasks._conversations.clear()
    assert not tasks.in_memory()

    turn = await panel.last_turn()
    health = await panel.ask("health")

    assert turn["task"]["history"][0]["content"] == "turn off the kitchen pendant"
    [connection] = health["connections"]
    assert connection["assistants"][0]["conversations"] == 1


@pytest.mark.parametrize("with_model", [False, True])
async def test_only_a_connection_with_a_model_is_reachable(
    speak: Setup, panel: Panel, *, with_model: bool
) -> None:
    await speak(choose("light") if with_model else None)
    [connection] = (await panel.ask("health"))["connections"]
    assert connection["has_model"] is with_model


async def test_a_golden_file_that_nobody_set_up_is_no_error(
    hass: HomeAssistant, speak: Setup, panel: Panel, tmp_path: Path
) -> None:
    hass.config.config_dir = str(tmp_path)
    await speak()
    assistant = await panel.assistant()
    found = await panel.ask("evaluation", assistant=assistant, path="bellboard_cases.yaml")
    assert found["error"] is None
    assert found["cases"] == []
    found = await panel.ask("evaluation", assistant=assistant, path="elsewhere.yaml")
    assert found["error"]
    (tmp_path / "wrong.yaml").write_text("cases: 3", "utf-8")
    found = await panel.ask("evaluation", assistant=assistant, path="wrong.yaml")
    assert found["error"]


async def test_how_often_it_worked_is_counted(speak: Setup, panel: Panel) -> None:
    speaker = await speak()
    await speaker.say("turn off the kitchen pendant")
    await speaker.say("turn on the floor lamp")
    await speaker.say("qwerty the xyzzy")
    found = await panel.ask("agents", assistant=await panel.assistant())
    by_id = {agent["id"]: agent["worked"] for agent in found["agents"]}
    assert by_id["light-agent"] == [2, 2]
    assert all(worked <= count for worked, count in by_id.values())

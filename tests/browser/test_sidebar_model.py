"""What a model was asked, what it answered, and what that took, is seen in the turn; keys are seen nowhere."""

from collections.abc import AsyncGenerator
from typing import Any

from demonstration.household import FLOWS
from playwright.async_api import Page, expect
import pytest

from tests.servers import RunningServer, ScriptedModel, openai_app

from .home import Home
from .sidebar import SidebarPage

pytestmark = pytest.mark.browser

SAID = "make the floor lamp glow like an old fireplace"
MODEL = "smollm2:360m"
"""A name that is known for a small model, so that it is not tested first."""
KEY = "sk-nobody-may-see-this"


def answer(_messages: object, schema: dict[str, Any] | None) -> dict[str, Any] | str:
    """Answer as a small model would: the lights' agent, and to turn on what was named."""
    if schema is None:
        return "Good evening."
    if "agentId" in schema["properties"]:
        return {"agentId": "light"}
    return {"actions": [{"action": "turn_on"}]}


@pytest.fixture
async def server() -> AsyncGenerator[RunningServer[ScriptedModel]]:
    """Return a running server of a model."""
    async with RunningServer(openai_app, ScriptedModel(answer, names=[MODEL], key=KEY)) as running:
        yield running


@pytest.fixture
async def with_model(
    home: Home, assistant: str, server: RunningServer[ScriptedModel]
) -> AsyncGenerator[str]:
    """Return the entity id of an assistant with that model, beside the one without."""
    step = await home.api.post(FLOWS, {"handler": "bellboard"})
    flow = f"{FLOWS}/{step['flow_id']}"
    step = await home.api.post(flow, {"provider": "openai"})
    step = await home.api.post(flow, {"url": server.url, "api_key": KEY})
    if step["type"] == "form":
        step = await home.api.post(flow, {"model": server.model.names[0]})
    if step["type"] == "menu":
        step = await home.api.post(flow, {"next_step_id": "not_now"})
    assert step["type"] == "create_entry", step
    entry_id = step["result"]["entry_id"]
    try:
        entities = await home.api.command("config/entity_registry/list")
        [found] = [
            each["entity_id"]
            for each in entities
            if each["config_entry_id"] == entry_id and each["entity_id"].startswith("conversation.")
        ]
        yield found
    finally:
        await home.api.delete(f"/api/config/config_entries/entry/{entry_id}")


async def test_what_a_model_was_asked_and_answered_is_seen_in_the_turn(
    page: Page, home: Home, with_model: str, server: RunningServer[ScriptedModel]
) -> None:
    panel = SidebarPage(page, home.url)
    await panel.open()
    await home.api.post("/api/services/light/turn_off", {"entity_id": "light.floor_lamp"})
    turn = await home.say(with_model, SAID)
    assert "light.floor_lamp" in turn.changes, turn
    await panel.look_at_turn(SAID)

    calls = panel.part("model-call")
    await expect(calls).to_have_count(len(server.model.requests))
    plan = calls.last
    await expect(plan).to_contain_text(MODEL)
    await plan.locator("summary").click()
    asked = server.model.requests[-1]
    for text in (
        SAID,
        "percent",
        "additionalProperties",
        '{"actions":[{"action":"turn_on"}]}',
    ):
        await expect(plan).to_contain_text(text)
    assert asked.messages[0].content.strip()[:40] in await plan.inner_text()
    assert KEY not in await page.content()

    await panel.look("health")
    health = panel.part("view-health")
    await expect(health).to_contain_text(MODEL)
    assert KEY not in await health.inner_text()


async def test_a_model_that_is_gone_is_seen_with_what_was_said_for_it(
    page: Page, home: Home, with_model: str, server: RunningServer[ScriptedModel]
) -> None:
    panel = SidebarPage(page, home.url)
    await panel.open()
    await server.stop()
    said = "let the evening begin gently"
    turn = await home.say(with_model, said)
    assert not turn.changes
    await panel.look_at_turn(said)
    await expect(panel.part("turn-reply")).to_contain_text(turn.reply)
    await expect(panel.part("model-call").first).to_contain_text("Not reachable")

"""Agents, policies and health are shown as they are."""

from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant

from custom_components.bellboard.policy.file import POLICIES_FILE
from tests.conftest import Setup
from tests.panel.conftest import Panel
from tests.panel.test_turns import choose

RULES = """
pins:
  anna: "135790"
rules:
  - name: warm_enough
    match: {domain: climate, parameters: {temperature: {above: 23}}}
    effect: clamp
    to: {temperature: {max: 23}}
    reason: It gets 23 degrees at most.
  - name: doors
    match: {action: [lock.unlock]}
    effect: confirm
    require: pin
"""


async def test_agents_are_told_with_their_devices_and_how_they_did(
    speak: Setup, panel: Panel
) -> None:
    speaker = await speak()
    await speaker.say("turn off the kitchen pendant")

    found = await panel.ask("agents", assistant=await panel.assistant())

    by_id = {agent["id"]: agent for agent in found["agents"]}
    light = by_id["light-agent"]
    assert light["is_there"]
    assert not light["is_own"]
    assert light["devices"] > 10
    assert light["decisions"] == 1
    assert light["worked"] == [1, 1]
    assert by_id["music-agent"]["worked"] == [0, 0]
    assert not by_id["fallback-agent"]["is_routed"]


async def test_agents_are_told_with_who_may_ask_them(speak: Setup, panel: Panel) -> None:
    rules = [{"agents": ["music-agent"], "after": "08:00", "before": "20:00"}]
    await speak(scope={"rules": rules})

    found = await panel.ask("agents", assistant=await panel.assistant())

    by_id = {agent["id"]: agent for agent in found["agents"]}
    assert by_id["music-agent"]["rules"] == rules
    assert by_id["light-agent"]["rules"] == []


async def test_rules_are_shown_as_they_are_read_without_codes(
    hass: HomeAssistant, config: Path, speak: Setup, panel: Panel
) -> None:
    (config / POLICIES_FILE).write_text(RULES, "utf-8")
    await speak()
    await panel.ask("policies/reload")

    found = await panel.ask("policies")

    assert [rule["name"] for rule in found["rules"]] == ["warm_enough", "doors"]
    assert found["rules"][0]["to"] == {"temperature": {"max": 23.0}}
    assert found["codes"] == ["anna"]
    assert "135790" not in str(found)
    assert found["error"] is None
    assert not found["is_changed"]


async def test_a_broken_file_is_shown_with_its_line_and_what_still_holds(
    hass: HomeAssistant, config: Path, speak: Setup, panel: Panel
) -> None:
    (config / POLICIES_FILE).write_text(RULES, "utf-8")
    await speak()
    await panel.ask("policies/reload")
    (config / POLICIES_FILE).write_text(RULES.replace("effect: clamp", "effect: clam"), "utf-8")

    found = await panel.ask("policies/reload")

    assert found["error"]["line"] == "7"
    assert "effect" in found["error"]["reason"]
    assert len(found["rules"]) == 2


async def test_a_rule_is_tried_on_a_call_that_is_not_made(
    hass: HomeAssistant, config: Path, speak: Setup, panel: Panel
) -> None:
    (config / POLICIES_FILE).write_text(RULES, "utf-8")
    speaker = await speak()
    await panel.ask("policies/reload")

    hot = await panel.ask(
        "policies/try",
        action="climate.set_temperature",
        entity_ids=["climate.bedroom_thermostat"],
        data={"temperature": 30},
    )
    door = await panel.ask("policies/try", action="lock.unlock", entity_ids=["lock.front_door"])
    lamp = await panel.ask("policies/try", action="light.turn_on", entity_ids=["light.desk_lamp"])

    [verdict] = hot["verdicts"]
    assert (verdict["effect"], verdict["rule"]) == ("clamp", "warm_enough")
    assert verdict["data"]["temperature"] == 23
    assert verdict["names"] == ["Bedroom Thermostat"]
    assert [v["needs_code"] for v in door["verdicts"]] == [True]
    assert [v["effect"] for v in lamp["verdicts"]] == ["allow"]
    assert speaker.calls == []


async def test_health_tells_models_routing_and_limits(speak: Setup, panel: Panel) -> None:
    speaker = await speak(choose("light-agent"))
    await speaker.say("let the thing above the stove shimmer")
    await speaker.say("turn off the kitchen pendant")

    found = await panel.ask("health")

    [connection] = found["connections"]
    assert (connection["breaker"], connection["waiting"]) == ("closed", 0)
    assert connection["unavailable_since"] is None
    [assistant] = connection["assistants"]
    [model] = assistant["models"]
    assert model["calls"] >= 1
    assert model["median_ms"] <= model["p95_ms"]
    assert len(model["latencies"]) + sum(model["errors"].values()) == model["calls"]
    assert assistant["routing"]["decisions"] == 2
    assert sum(assistant["routing"]["by_source"].values()) == 2
    assert assistant["store"] == "home_assistant"


async def test_errors_of_a_model_are_counted_by_kind(speak: Setup, panel: Panel) -> None:
    speaker = await speak(lambda *_: "this is no JSON")
    await speaker.say("let the thing above the stove shimmer")

    [connection] = (await panel.ask("health"))["connections"]

    [model] = connection["assistants"][0]["models"]
    assert model["errors"]["BadOutputError"] >= 1


async def test_cases_that_nobody_has_kept_are_no_error(
    hass: HomeAssistant, config: Path, speak: Setup, panel: Panel
) -> None:
    await speak()

    found: dict[str, Any] = await panel.ask("evaluation", assistant=await panel.assistant())

    assert found["cases"] == []
    assert found["error"] is None


async def test_an_assistant_that_is_gone_is_said(speak: Setup, panel: Panel) -> None:
    await speak()

    assert (await panel.refused("agents", assistant="gone"))["translation_key"] == "no_assistant"

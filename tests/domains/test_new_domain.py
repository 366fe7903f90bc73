"""A domain is known by its table alone: one module, and all that is made of tables holds for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, ServiceCall
import pytest

from custom_components.bellboard.agents.base import AgentResult
from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.agents.offered_actions import offer_actions
from custom_components.bellboard.agents.planner import build_prompt
from custom_components.bellboard.agents.specialist import Specialist
from custom_components.bellboard.domains.models import Command, ErrorCode, ToolCall
from custom_components.bellboard.domains.registry import deregister, find_refusal, register
from custom_components.bellboard.domains.snapshot import StateSnapshot, restore_calls
from custom_components.bellboard.domains.table import Domain
from custom_components.bellboard.nlu.intents import find_table_requirement
from custom_components.bellboard.policy.engine import PolicyEngine
from custom_components.bellboard.policy.lookup import RegistryLookup
from custom_components.bellboard.policy.parsing import read_rules
from custom_components.bellboard.policy.rule_engine import RulePolicyEngine
from tests.agents.conftest import Ask, ask

from . import aquarium
from .aquarium import AQUARIUM

__all__ = ["ask"]

TANK = "aquarium.tank"


class AquariumAgent(Specialist):
    """Plans for aquariums."""

    table: ClassVar[Domain] = AQUARIUM
    card: ClassVar[AgentCard] = AgentCard(
        id=AQUARIUM.agent_id,
        name="Aquariums",
        description="Aquariums.",
        domains=frozenset({AQUARIUM.name}),
        intents=AQUARIUM.intents,
    )
    examples: ClassVar[tuple[tuple[str, str], ...]] = ()


@pytest.fixture
def tank(hass: HomeAssistant, house: ConfigEntry) -> Iterator[list[dict[str, Any]]]:
    """Return what an aquarium is called with; it does as it is told, from 40 percent."""
    calls: list[dict[str, Any]] = []

    async def set_glow(call: ServiceCall) -> None:
        calls.append({"level": call.data["level"], "targets": call.data["entity_id"]})
        show(call.data["level"])

    def show(level: float) -> None:
        bounds = {"min_level": 10, "max_level": 90, "supported_features": 1}
        hass.states.async_set(TANK, "on", {**bounds, "friendly_name": "Tank", "level": level})

    hass.services.async_register("aquarium", "set_glow", set_glow)
    async_expose_entity(hass, "conversation", TANK, should_expose=True)
    register(AQUARIUM)
    show(40)
    yield calls
    deregister("aquarium")


async def answer(ask: Ask, level: float, policy: PolicyEngine | None = None) -> AgentResult:
    """Return what the specialist answers to the intent that sets the tank's level."""
    request = ask("glow", intent=Command("GlowAquarium", {"glow": level}, (TANK,)))
    if policy:
        request.runner.policy = policy
    return await AquariumAgent().async_answer(request)


def test_its_module_is_short() -> None:
    assert len(Path(aquarium.__file__).read_text("utf-8").splitlines()) <= 60


async def test_an_intent_becomes_a_plan_that_is_carried_out_seen_and_told(
    tank: list[dict[str, Any]], ask: Ask
) -> None:
    said = await answer(ask, 70)
    assert tank == [{"level": 70, "targets": [TANK]}]
    assert said.success
    assert said.plan
    assert [call.action for call in said.plan.calls] == ["aquarium.set_glow"]
    assert said.content == "Set Tank to 70%."


async def test_what_is_out_of_its_range_is_refused_with_the_range(
    hass: HomeAssistant, tank: list[dict[str, Any]], ask: Ask
) -> None:
    said = await answer(ask, 95)
    assert tank == []
    assert said.content == "I can set Tank between 10% and 90%."
    call = ToolCall(action="aquarium.set_glow", targets=(TANK,), data={"level": 95})
    assert find_refusal(hass, call, TANK) is ErrorCode.OUT_OF_RANGE


async def test_what_does_not_show_is_not_told_as_done(
    hass: HomeAssistant, tank: list[dict[str, Any]], ask: Ask
) -> None:
    hass.services.async_register("aquarium", "set_glow", lambda _call: None)
    request = ask("glow", intent=Command("GlowAquarium", {"glow": 70}, (TANK,)))
    request.runner.answer_seconds = 0.05
    said = await AquariumAgent().async_answer(request)
    assert not said.success
    assert said.content == "Tank did not respond."


async def test_it_is_put_back(hass: HomeAssistant, tank: list[dict[str, Any]], ask: Ask) -> None:
    state = hass.states.get(TANK)
    assert state
    before = StateSnapshot.of(state)
    await answer(ask, 70)
    [call] = restore_calls([before], hass)
    assert (call.action, call.data, call.targets) == ("aquarium.set_glow", {"level": 40}, (TANK,))


async def test_a_policy_reads_its_values(
    hass: HomeAssistant, tank: list[dict[str, Any]], ask: Ask
) -> None:
    home = RegistryLookup(hass)
    rule = {
        "name": "dim tank",
        "match": {"domain": "aquarium", "parameters": {"level": {"above": 60}}},
        "effect": "clamp",
        "to": {"level": {"max": 60}},
        "reason": "The fish sleep.",
    }
    said = await answer(ask, 80, RulePolicyEngine(read_rules({"rules": [rule]}), home))
    assert tank == [{"level": 60, "targets": [TANK]}]
    assert said.content == "Set Tank to 60% (The fish sleep)."


async def test_a_model_is_told_and_offered_it(
    hass: HomeAssistant, tank: list[dict[str, Any]], ask: Ask
) -> None:
    assert "You control the aquariums of a home." in build_prompt(AQUARIUM)
    assert "\n- set_glow: a level in percent\n" in build_prompt(AQUARIUM)
    state = hass.states.get(TANK)
    assert state
    [offered] = offer_actions(AQUARIUM, ask("the tank to 30 or 95"), [state])
    assert (offered.name, offered.values) == (
        "set_glow",
        {"level": {"type": "number", "enum": [30]}},
    )


def test_its_intent_needs_its_things(tank: list[dict[str, Any]]) -> None:
    requirement = find_table_requirement("GlowAquarium")
    assert requirement
    assert requirement.domains == frozenset({"aquarium"})


def test_two_tables_for_one_domain_are_refused(tank: list[dict[str, Any]]) -> None:
    with pytest.raises(ValueError, match="aquarium has a table"):
        register(AQUARIUM)

"""A specialist is a module with its card and a line in the list; all else is made of its domain's table."""

from collections.abc import Iterator
from dataclasses import replace
import json
from typing import ClassVar

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard import assistant
from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.agents.planner import build_prompt
from custom_components.bellboard.agents.specialist import Specialist
from custom_components.bellboard.assistant import SPECIALISTS
from custom_components.bellboard.domains import registry
from custom_components.bellboard.domains.actions import Action
from custom_components.bellboard.domains.table import Domain
from custom_components.bellboard.domains.vacuum import VACUUM
from custom_components.bellboard.nlu import loader
from custom_components.bellboard.services.agents import built_in_agent_ids
from tests.conftest import Setup
from tests.one_house import in_one_house

from .conftest import called, planning

DUSTY = "vacuum.dusty"


class VacuumAgent(Specialist):
    """Specialist for vacuum cleaners."""

    table: ClassVar[Domain] = replace(
        VACUUM,
        agent_id="vacuum-agent",
        prompt_noun="vacuum cleaners",
        actions=(*VACUUM.actions, Action("pause", "pause")),
    )
    card: ClassVar[AgentCard] = AgentCard(
        id=table.agent_id,
        name="Vacuum cleaners",
        description="Vacuum cleaners.",
        domains=frozenset({table.name}),
        intents=table.intents,
    )
    examples: ClassVar[tuple[tuple[str, str], ...]] = (
        ("hold it for now", '{"actions":[{"action":"pause"}]}'),
    )


@pytest.fixture
def vacuum_agent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the specialist for vacuum cleaners."""
    with monkeypatch.context() as patch:
        patch.setattr(assistant, "SPECIALISTS", (*SPECIALISTS, VacuumAgent))
        patch.setitem(registry._TABLES, VACUUM.name, VacuumAgent.table)
        forget_derived()
        yield
    forget_derived()


def forget_derived() -> None:
    """Forget what was made from the specialists that there were."""
    registry._forget_derived()
    loader._load.cache_clear()


@pytest.mark.parametrize("specialist", [*SPECIALISTS, VacuumAgent])
def test_a_specialist_is_for_what_its_table_has(specialist: type[Specialist]) -> None:
    card, table = specialist.card, specialist.table
    assert card.id == table.agent_id
    assert card.domains == {table.name}
    assert card.intents == table.intents
    assert f"You control the {table.prompt_noun} of a home." in build_prompt(table)
    assert table.prompt_noun
    offered = {action.name for action in table.plannable_actions if action.is_offered}
    for _, plan in specialist.examples:
        assert {step["action"] for step in json.loads(plan)["actions"]} <= offered


def test_every_domain_that_names_a_specialist_has_it() -> None:
    assert registry.specialists() == {each.table.name: each.card.id for each in SPECIALISTS}


@in_one_house(
    ("text", "action", "service"),
    [
        ("let Dusty have a break", "pause", "pause"),
        ("let the vacuum have a break", "pause", "pause"),
        ("send the vacuum home now", "return", "return_to_base"),
    ],
)
async def test_a_new_specialist_plans_for_what_is_its_own(
    hass: HomeAssistant, speak: Setup, vacuum_agent: None, *, text: str, action: str, service: str
) -> None:
    speaker = await speak(planning("vacuum", {"action": action}))
    await hass.services.async_call("vacuum", "start", {"entity_id": DUSTY}, blocking=True)
    said = await speaker.say(text)
    assert called(said.calls) == [(f"vacuum.{service}", {"entity_id": [DUSTY]})], said.reply


async def test_what_is_a_new_specialists_is_no_other_ones(speak: Setup, vacuum_agent: None) -> None:
    speaker = await speak(planning("light", {"action": "turn_on"}))
    said = await speaker.say("I could do with the vacuum")
    assert not said.calls, said.reply


def test_what_only_home_assistant_can_do_is_not_offered() -> None:
    assert "HassVacuumStart" in VacuumAgent.card.intents
    assert "HassVacuumCleanArea" not in VacuumAgent.card.intents
    assert "clean_area" not in build_prompt(VacuumAgent.table)


def test_the_id_of_a_new_specialist_is_nobody_elses(vacuum_agent: None) -> None:
    assert "vacuum-agent" in built_in_agent_ids()

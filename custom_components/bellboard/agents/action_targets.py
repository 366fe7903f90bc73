"""Targets of chosen actions: states, names and pronouns resolved to entities."""

from collections.abc import Sequence

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State

from ..home.catalog import CatalogEntity
from ..nlu.targets import TargetMatch
from ..plans.models import PlannedAction
from ..plans.planner import ChosenAction
from .base import AgentRequest

SHOWS_NOTHING = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
"""States of an entity of which nothing is known: no answer stands on them."""


def build_intent_id(chosen: Sequence[ChosenAction]) -> str:
    """Return the intent id of a plan for chosen actions: their names, joined."""
    return "+".join(dict.fromkeys(step.name for step in chosen))


def to_planned_action(step: ChosenAction, states: Sequence[State] = ()) -> PlannedAction:
    """Return a chosen action with its target entities, as a plan and the memory hold it."""
    return PlannedAction(
        name=step.name,
        parameters=dict(step.parameters),
        targets=tuple(state.entity_id for state in states),
        by_habit=dict(step.by_habit),
        assumed=step.assumed,
    )


def states_of(hass: HomeAssistant, entity_ids: Sequence[str]) -> list[State]:
    """Return the states of entities, without those that are gone."""
    return [state for entity_id in entity_ids if (state := hass.states.get(entity_id))]


def filter_targets(
    states: Sequence[State], step: ChosenAction, matched: TargetMatch | None
) -> Sequence[State]:
    """Return the states of the targets that an action names, or all of them."""
    if matched is None or not step.targets:
        return states
    named = {entity.entity_id for entity in matched.entities if entity.name in step.targets}
    return [state for state in states if state.entity_id in named]


def resolve_pronoun(request: AgentRequest, domain: str) -> tuple[CatalogEntity, ...]:
    """Return the entities of a domain that "it" in an instruction refers to; () without a pronoun."""
    if not request.language.references.has_object(request.instruction):
        return ()
    found = map(request.catalog.entities.get, request.recent)
    return tuple(entity for entity in found if entity and entity.domain == domain)

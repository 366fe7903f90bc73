"""The actions an agent chose, and the entities each of them is for."""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant, State

from ..home.catalog import CatalogEntity
from ..nlu.targets import Scope
from ..plans.models import PlannedAction
from ..plans.planner import Chosen
from .base import AgentRequest


def intent_id_of(chosen: Sequence[Chosen]) -> str:
    """Return what the plan for chosen actions is called."""
    return "+".join(dict.fromkeys(step.name for step in chosen))


def planned(step: Chosen, states: Sequence[State] = ()) -> PlannedAction:
    """Return a chosen action as it is remembered, with the entities it is for."""
    return PlannedAction(
        name=step.name,
        parameters=dict(step.parameters),
        targets=tuple(state.entity_id for state in states),
    )


def states_of(hass: HomeAssistant, entity_ids: Sequence[str]) -> list[State]:
    """Return the states of entities, without those that are gone."""
    return [state for entity_id in entity_ids if (state := hass.states.get(entity_id))]


def narrow(states: Sequence[State], step: Chosen, scope: Scope | None) -> Sequence[State]:
    """Return the states an action is for: those of the names it gives, or all."""
    if scope is None or not step.targets:
        return states
    named = {entity.entity_id for entity in scope.entities if entity.name in step.targets}
    return [state for state in states if state.entity_id in named]


def spoken_of(request: AgentRequest, domain: str) -> tuple[CatalogEntity, ...]:
    """Return what "it" in an instruction stands for, if it says "it" and that is known."""
    if not request.language.references.has_object(request.instruction):
        return ()
    found = map(request.catalog.entities.get, request.recent)
    return tuple(entity for entity in found if entity and entity.domain == domain)

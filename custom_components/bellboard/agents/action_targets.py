"""Targets of chosen actions: states, names and pronouns resolved to entities."""

from collections.abc import Sequence

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State

from ..domains.models import Command
from ..home.catalog import CatalogEntity
from ..nlu.reading import read_tags
from .base import AgentRequest

SHOWS_NOTHING = frozenset({STATE_UNAVAILABLE, STATE_UNKNOWN})
"""States of an entity of which nothing is known: no answer stands on them."""


def build_intent_id(chosen: Sequence[Command]) -> str:
    """Return the intent id of a plan for chosen actions: their names, joined."""
    return "+".join(dict.fromkeys(step.name for step in chosen))


def states_of(hass: HomeAssistant, entity_ids: Sequence[str]) -> list[State]:
    """Return the states of entities, without those that are gone."""
    return [state for entity_id in entity_ids if (state := hass.states.get(entity_id))]


def filter_targets(states: Sequence[State], step: Command) -> Sequence[State]:
    """Return the states of the targets that an action names, or all of them."""
    return [s for s in states if s.entity_id in step.targets] if step.targets else states


def resolve_pronoun(request: AgentRequest, domain: str) -> tuple[CatalogEntity, ...]:
    """Return the entities of a domain that "it" in an instruction refers to; () without a pronoun."""
    if not read_tags(request.instruction, request.language).has_object:
        return ()
    found = map(request.catalog.entities.get, request.recent)
    return tuple(entity for entity in found if entity and entity.domain == domain)

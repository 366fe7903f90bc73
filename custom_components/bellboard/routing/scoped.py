"""Agents with devices of their own: what is read without a model and is for these only is theirs."""

from collections.abc import Iterable
from dataclasses import replace

from ..agents.models import AgentCard
from ..domains.models import Command
from ..domains.registry import read_intent, table_of
from ..home.catalog import Catalog
from .models import Assignment, Route


def hand_to_owners(cards: Iterable[AgentCard], catalog: Catalog, route: Route) -> Route:
    """Return a route with each part given to the agent whose scope has all of its targets, if there is one."""
    owners = [card for card in cards if card.scope]
    if not owners:
        return route
    return Route(tuple(_handed(owners, catalog, part) for part in route.assignments))


def _handed(owners: Iterable[AgentCard], catalog: Catalog, part: Assignment) -> Assignment:
    """Return a part, given to its owner if it has one."""
    intent = part.intent
    targets = [catalog.entities.get(target) for target in intent.targets] if intent else []
    entities = [entity for entity in targets if entity]
    domains = {entity.domain for entity in entities}
    if intent is None or len(entities) < len(targets) or len(domains) != 1:
        return part
    owner = next(
        (card for card in owners if card.scope and all(map(card.scope.covers, entities))), None
    )
    found = _as_own(intent, domains.pop()) if owner else None
    if owner is None or found is None or owner.id == part.agent_id:
        return part
    name, slots = found
    own = replace(intent, name=f"{owner.id}/{name}", parameters=slots)
    return replace(part, agent_id=owner.id, intent=own)


def _as_own(intent: Command, domain: str) -> tuple[str, dict[str, object]] | None:
    """Return the action of a domain's table that an intent is, with its parameters; None where it is none."""
    table = table_of(domain)
    _, _, name = intent.name.partition("/")
    if table is None or (name and not intent.missing and table.action(name) is None):
        return None
    if name:
        return name, dict(intent.parameters)
    return read_intent(table.plannable_actions, intent.name, intent.parameters)

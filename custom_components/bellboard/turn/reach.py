"""What the agents of a turn can touch, known before they plan: those that touch different things work at once."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence

from ..agents.specialist import Specialist
from ..assistant import UNROUTED_AGENTS
from ..const import GENERAL_AGENT_ID, HOME_AGENT_ID
from ..home.catalog import CatalogEntity
from ..plans.order import Reach, are_apart
from ..plans.policy_check import UNKNOWABLE, reach_of_entities
from ..routing.models import Assignment
from .context import TurnContext

_NOTHING: Reach = frozenset()


async def async_groups_at_once(
    context: TurnContext, parts: Sequence[Assignment]
) -> AsyncIterator[Sequence[Assignment]]:
    """Yield the parts of a sentence in their order, those together that can be worked on at the same time.

    None is taken before what was said before it where the two may touch the same, where the words say that a step
    depends on another, or where only an answer is wanted, which what is done before it would change.
    """
    is_in_turn = context.language.has_steps(context.text)
    group: list[Assignment] = []
    reached: list[Reach] = []
    for part in parts:
        # Each may reach thousands of entities.
        await asyncio.sleep(0)
        reach = reach_of(context, part)
        if group and (is_in_turn or not all(are_apart(reach, other) for other in reached)):
            yield group
            group, reached = [], []
        group.append(part)
        reached.append(reach)
    if group:
        yield group


def reach_of(context: TurnContext, part: Assignment) -> Reach:
    """Return the entity ids that the agent of a part may touch, as far as that is known without a plan."""
    if part.decline or part.is_settled or part.agent_id in {*UNROUTED_AGENTS, GENERAL_AGENT_ID}:
        return _NOTHING
    if part.asks:
        return None
    if part.intent:
        # Timers and lists have no targets: whoever else works does not touch them.
        return reach_of_entities(context.assistant.hass, part.intent.targets)
    agent = context.assistant.registry.get(part.agent_id)
    if isinstance(agent, Specialist):
        return _of_domains(context, part, [agent.domain])
    if part.agent_id == HOME_AGENT_ID:
        own = {each.domain for each in context.assistant.specialists.values()}
        return _of_domains(
            context, part, [d for d in context.catalog.by_domain if d not in {*own, *UNKNOWABLE}]
        )
    return None


def _of_domains(context: TurnContext, part: Assignment, domains: Iterable[str]) -> Reach:
    """Return what an agent of some domains may touch: what is named of them, in the places that are."""
    bounds = context.assistant.reader.bounds(context.language, part.instruction)
    found: list[CatalogEntity] = [
        entity for domain in domains for entity in context.catalog.by_domain.get(domain, ())
    ]
    if bounds.places and not bounds.is_everywhere:
        near = {context.area_id} if bounds.is_here and context.area_id else set()
        places = bounds.places | near
        found = [
            entity
            for entity in found
            if entity.entity_id in bounds.named
            or not places.isdisjoint({entity.area_id, entity.floor_id})
        ]
    return reach_of_entities(context.assistant.hass, (entity.entity_id for entity in found))

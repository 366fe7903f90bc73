"""Agents as the panel shows them: who is there, for whom and when, and how they did."""

from collections import Counter
from typing import Any

from homeassistant.core import HomeAssistant

from ..agents.models import AgentCard
from ..assistant import DATA_CATALOG, UNROUTED_AGENTS, Assistant
from ..services.agents import built_in_agent_ids


async def async_agents_as_json(hass: HomeAssistant, assistant: Assistant) -> list[dict[str, Any]]:
    """Return the agents of an assistant, in the order in which routers name them."""
    catalog = await hass.data[DATA_CATALOG].async_get()
    record = assistant.record
    counted: Counter[str] = Counter(assistant.statistics.by_agent)
    there = {card.id for card in assistant.registry.cards(catalog.by_domain)}
    return [
        {
            **_card_as_json(agent.card),
            "is_there": agent.card.id in there,
            "is_routed": agent.card.id not in UNROUTED_AGENTS,
            "is_own": agent.card.id not in built_in_agent_ids(),
            "devices": _count_devices(agent.card, catalog.by_domain),
            "decisions": counted[agent.card.id],
            "worked": list(record.counts(agent.card.id)),
            "rules": [
                rule.model_dump(mode="json", exclude_defaults=True)
                for rule in assistant.options.scope.rules
                if agent.card.id in rule.agents
            ],
        }
        for agent in assistant.registry
    ]


def _card_as_json(card: AgentCard) -> dict[str, Any]:
    """Return what an agent is, and whose devices are its own."""
    scope = card.scope
    return {
        "id": card.id,
        "name": card.name,
        "description": card.description,
        "examples": list(card.examples),
        "domains": sorted(card.domains),
        "areas": sorted(scope.areas) if scope else [],
        "labels": sorted(scope.labels) if scope else [],
    }


def _count_devices(card: AgentCard, by_domain: Any) -> int:
    """Return how many exposed entities an agent may act on."""
    pool = [entity for domain in card.domains for entity in by_domain.get(domain, ())]
    return sum(card.scope is None or card.scope.covers(entity) for entity in pool)

"""Data of the panel beside turns: agents, policies and their verdict on a call, scheduled commands, and health."""

from collections import Counter
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..agents.base import ReplyContext
from ..agents.models import AgentCard
from ..agents.wording import describe_planned, describe_when
from ..assistant import DATA_CATALOG, UNROUTED_AGENTS, Assistant
from ..connections.model_roles import limits_of_connection
from ..const import CONF_PROVIDER, DOMAIN
from ..home.automations import is_turned_off
from ..llm.client import ModelClient
from ..memory.delayed import DelayedCommand
from ..nlu.loader import async_get_language
from ..services.action import all_assistants
from ..services.agents import built_in_agent_ids
from ..telemetry.redaction import withheld
from .turns import Viewer


async def async_agents_as_json(hass: HomeAssistant, assistant: Assistant) -> dict[str, Any]:
    """Return the agents of an assistant, in the order in which routers name them."""
    catalog = await hass.data[DATA_CATALOG].async_get()
    record = assistant.record
    counted: Counter[str] = Counter(assistant.statistics.by_agent)
    there = {card.id for card in assistant.registry.cards(catalog.by_domain)}
    agents = [
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
    return {"agents": agents}


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


async def async_planned_as_json(
    hass: HomeAssistant, viewer: Viewer, language: str
) -> list[dict[str, Any]]:
    """Return the commands that wait, the next one first, with what each will do and when in the viewer's language."""
    spoken = await async_get_language(hass, language)
    found = []
    for assistant_id, assistant in all_assistants(hass).items():
        catalog = await assistant.catalog.async_get()
        words = ReplyContext(hass=hass, language=spoken, catalog=catalog)
        found += [
            {"assistant": assistant_id, **_command_as_json(assistant, command, viewer, words)}
            for command in assistant.delayed.waiting
        ]
    return sorted(found, key=lambda each: each["seconds_left"])


def _command_as_json(
    assistant: Assistant, command: DelayedCommand, viewer: Viewer, words: ReplyContext
) -> dict[str, Any]:
    """Return a command: what it will do and when, who gave it, and in which words, where these may be seen.

    The words for what is waited for are those that were said, too; what is watched for it is not.
    """
    said = command.said or command.text
    may_read_text = viewer.may_read_text_of(assistant.options, command.user_id)
    trigger, entities = command.trigger, words.catalog.entities
    return {
        "id": command.id,
        "kind": command.kind,
        "text": said if may_read_text else withheld(said),
        "does": describe_planned(words, command.calls),
        "when": describe_when(words.language, command) if may_read_text or not trigger else "",
        "watched": [entities[e].name for e in trigger.entity_ids if e in entities]
        if trigger
        else [],
        "is_off": command.is_repeated and is_turned_off(words.hass, command.id),
        "user": command.user_id,
        "due": command.at.isoformat(),
        "seconds_left": max(0, round(assistant.delayed.seconds_left(command))),
    }


def health_as_json(hass: HomeAssistant) -> dict[str, Any]:
    """Return the connections, and their assistants with all figures since Home Assistant's start."""
    return {
        "connections": [
            _connection_as_json(hass, entry)
            for entry in hass.config_entries.async_loaded_entries(DOMAIN)
        ]
    }


def _connection_as_json(hass: HomeAssistant, entry: ConfigEntry) -> dict[str, Any]:
    """Return how a connection's server does: whether it is there, its circuit breaker, and who waits."""
    data = entry.runtime_data
    since = data.watch.unavailable_since if data.watch else None
    limits = limits_of_connection(hass, entry)
    return {
        "entry_id": entry.entry_id,
        "title": entry.title,
        "provider": entry.data[CONF_PROVIDER],
        "has_model": data.watch is not None,
        "unavailable_since": since.isoformat() if since else None,
        "breaker": limits.breaker.state if limits else None,
        "waiting": limits.waiting if limits else 0,
        "assistants": [
            _assistant_as_json(assistant_id, entry.subentries[assistant_id].title, assistant)
            for assistant_id, assistant in data.assistants.items()
            if assistant_id in entry.subentries
        ],
    }


def _assistant_as_json(assistant_id: str, title: str, assistant: Assistant) -> dict[str, Any]:
    """Return how an assistant does: its models by role, its routing, its conversations, its events."""
    observations, models = assistant.observations, assistant.models
    statistics = observations.statistics
    roles: dict[str, ModelClient | None] = {
        "main": models.main,
        "routing": models.routing,
        "escalation": models.escalation,
    }
    return {
        "id": assistant_id,
        "title": title,
        "roles": {role: client.model if client else None for role, client in roles.items()},
        "contract": models.contract.value,
        "models": observations.models.as_json(),
        "routing": {**statistics.as_json(), "by_source": statistics.by_source},
        "conversations": assistant.tasks.count(),
        "store": "redis" if assistant.options.memory.redis_url else "home_assistant",
        "learned": len(assistant.lessons.all),
        "events_dropped": assistant.telemetry.dropped,
        "turns": len(list(assistant.traces)),
    }

"""Health as the panel shows it: models, their servers and limits, the store, and the figures of routing."""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..assistant import Assistant
from ..connections.model_roles import limits_of_connection
from ..const import CONF_PROVIDER, DOMAIN
from ..llm.client import ModelClient


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

"""Diagnostics of a connection: what a bug report needs, without keys, hosts or spoken words.

Names of entities and places are the user's own; of them only counts and kinds are given.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from homeassistant.components.diagnostics import REDACTED, async_redact_data
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import CONF_API_KEY, CONF_TOKEN, CONF_URL
from homeassistant.core import HomeAssistant

from . import BellboardConfigEntry
from .a2a.card import card_addresses
from .assistant import DATA_CATALOG, Assistant
from .connections.connection import assistants_of, subentries_of
from .connections.own_agents import CONF_AGENT_ID, a2a_agents_of
from .const import SUBENTRY_AGENT
from .home.catalog import Catalog
from .telemetry.redaction import STRICT
from .telemetry.trace import TelemetryEvent, TurnTrace

# The address of a server may hold a password.
_SECRET = {CONF_API_KEY, "gatekeeper_secret", "gatekeeper_token", "gatekeeper_url", "redis_url"}
# What somebody wrote of an agent of their own.
_WORDS_OF_AGENTS = {"name", "description", "examples", "instructions"}
# What is given of a stage's payload. Nothing in it was said by anybody, once words are redacted.
_PLAIN = frozenset(
    {
        "additionalAgents",
        "agentId",
        "agent_id",
        "allowed",
        "confidence",
        "effect",
        "eligible",
        "fallback",
        "intent_id",
        "measure",
        "memory",
        "message",
        "model",
        "ok",
        "redacted_params",
        "source",
        "state",
        "steps",
        "tool",
        "unknown_intent",
        "variant",
        "waiting_for_param",
    }
)
_PLAIN_PATHS = frozenset({"", "/api", "/v1"})


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: BellboardConfigEntry
) -> dict[str, Any]:
    """Return the diagnostics of a connection and its assistants."""
    catalog = await hass.data[DATA_CATALOG].async_get()
    connection = async_redact_data(dict(entry.data), _SECRET)
    if CONF_URL in connection:
        connection[CONF_URL] = _without_host(connection[CONF_URL])
    loaded = entry.runtime_data.assistants if entry.state is ConfigEntryState.LOADED else {}
    assistants = []
    for subentry in assistants_of(entry):
        described = {"options": async_redact_data(dict(subentry.data), _SECRET)}
        if assistant := loaded.get(subentry.subentry_id):
            described |= _describe_assistant(assistant, catalog)
        assistants.append(described)
    return {
        "connection": connection,
        "a2a_agents": [_describe_a2a_agent(subentry.data) for subentry in a2a_agents_of(entry)],
        "agents": [
            async_redact_data(dict(subentry.data), _WORDS_OF_AGENTS)
            for subentry in subentries_of(entry, SUBENTRY_AGENT)
        ],
        "catalog": _describe_catalog(catalog),
        "assistants": assistants,
    }


def _describe_a2a_agent(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return how an agent elsewhere is asked, without saying where it is."""
    return {
        "agent_id": data[CONF_AGENT_ID],
        "card": _without_host(card_addresses(data[CONF_URL])[0]),
        "has_token": bool(data.get(CONF_TOKEN)),
    }


def _without_host(url: str) -> str:
    """Return the form of an address, without saying where it is."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    # A proxy's path may be a secret.
    path = parts.path if parts.path in _PLAIN_PATHS else f"/{REDACTED}"
    return f"{parts.scheme}://{REDACTED}{port}{path}"


def _describe_catalog(catalog: Catalog) -> dict[str, Any]:
    """Return how much may be named."""
    return {
        "version": catalog.version,
        "areas": len(catalog.areas),
        "floors": len(catalog.floors),
        "entities": {domain: len(found) for domain, found in sorted(catalog.by_domain.items())},
    }


def _describe_assistant(assistant: Assistant, catalog: Catalog) -> dict[str, Any]:
    """Return who answers for an assistant, and what happened in its last turns."""
    return {
        "model": assistant.model.model if assistant.model else None,
        "contract": assistant.models.contract.value,
        "timeout": assistant.options.timeout,
        "confidence_threshold": assistant.options.router.confidence_threshold,
        "agents": [card.as_json() for card in assistant.registry.cards(catalog.by_domain)],
        "traces": [_describe_trace(trace) for trace in assistant.traces],
        "trial": assistant.observations.trial.as_json(),
        "habits": Counter(habit.kind for habit in assistant.habits.all),
        "telemetry": {
            "events": [_describe_event(event) for event in assistant.telemetry.ring],
            "dropped": assistant.telemetry.dropped,
        },
    }


def _describe_trace(trace: TurnTrace) -> dict[str, Any]:
    """Return a turn without what was said: words become their number of characters."""
    return {
        "at": trace.at,
        "utterance_length": len(trace.utterance),
        "reply_length": len(trace.reply),
        "agents": trace.agents,
        "calls": [_describe_call(call) for call in trace.calls],
        "state": trace.state,
        "ms": trace.ms,
        "llm": trace.model.as_json(),
        "stages": [stage | {"payload": _without_words(stage["payload"])} for stage in trace.stages],
    }


def _describe_event(event: TelemetryEvent) -> dict[str, Any]:
    """Return a stage of a turn without what was said."""
    return event.model_dump(mode="json", exclude={"payload", "session_id"}) | {
        "payload": _without_words(event.payload)
    }


def _describe_call(call: Mapping[str, Any]) -> dict[str, Any]:
    """Return which action was called with which fields, and for how many entities of each domain."""
    data = call["data"]
    domains = Counter(entity_id.partition(".")[0] for entity_id in data.get("entity_id", ()))
    return {
        "action": call["action"],
        "targets": dict(domains),
        "data": {
            # Text may be a title, a source or another name of the user's.
            field: len(value) if isinstance(value, str | list | dict) else value
            for field, value in data.items()
            if field != "entity_id"
        },
    }


def _without_words(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stage's payload without what was said, whatever the options show."""
    return {key: value for key, value in STRICT.redact(payload).items() if key in _PLAIN}

"""What an assistant did in its turns, and a model that chooses what the test says."""

from collections.abc import Callable
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.telemetry.trace import TurnTrace
from tests.servers import Message

type Choosing = Callable[[list[Message], dict[str, Any] | None], Any]


def choosing(agent: str, **fields: Any) -> Choosing:
    """Return the answers of a model that chooses one agent, turns on what is meant, and talks."""

    def answer(messages: list[Message], schema: dict[str, Any] | None) -> Any:
        if schema is None:
            return "Hello."
        if "agentId" not in schema["properties"]:
            return {"actions": [{"action": "turn_on"}]}
        written = {"agentId": agent, **fields}
        # As a server keeps to a schema: nothing is written that was not asked for.
        return {name: value for name, value in written.items() if name in schema["properties"]}

    return answer


def assistant_of(hass: HomeAssistant, entity_id: str = "conversation.bellboard") -> Assistant:
    """Return the assistant behind a conversation entity."""
    entity = er.async_get(hass).async_get(entity_id)
    assert entity
    assert entity.config_entry_id
    entry = hass.config_entries.async_get_entry(entity.config_entry_id)
    assert entry
    assistant: Assistant = entry.runtime_data.assistants[entity.unique_id]
    return assistant


def traces(hass: HomeAssistant, entity_id: str = "conversation.bellboard") -> list[TurnTrace]:
    """Return the traces of an assistant's turns, oldest first."""
    return list(assistant_of(hass, entity_id).traces)


def classified(trace: TurnTrace) -> dict[str, Any]:
    """Return what the trace says of the decision: the router's choice, and how its first part was found out."""
    payload, *_ = [
        stage["payload"] for stage in trace.stages if stage["stage"] == "intent_classified"
    ]
    return {**payload, **payload["choice"]}

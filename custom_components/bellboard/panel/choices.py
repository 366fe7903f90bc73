"""What can be chosen where a turn is corrected: agents, devices, and what each kind of device can be asked."""

from typing import Any

from homeassistant.core import HomeAssistant

from ..agents.specialist import Specialist
from ..assistant import DATA_CATALOG, Assistant
from ..const import HOME_AGENT_ID
from ..domains.actions import Parameter
from ..domains.registry import table_of
from ..domains.table import Domain


async def async_choices_as_json(hass: HomeAssistant, assistant: Assistant) -> dict[str, Any]:
    """Return the agents, the exposed devices by name, and the actions of their domains."""
    catalog = await hass.data[DATA_CATALOG].async_get()
    own = {
        agent.domain: agent.card.id for agent in assistant.registry if isinstance(agent, Specialist)
    }
    domains = {
        domain: table
        for domain in sorted(catalog.by_domain)
        if (table := table_of(domain)) and table.plannable_actions
    }
    return {
        "agents": [{"id": agent.card.id, "name": agent.card.name} for agent in assistant.registry],
        "devices": [
            {
                "entity_id": entity.entity_id,
                "name": entity.name,
                "area_id": entity.area_id,
                "area": area.name if (area := catalog.areas.get(entity.area_id or "")) else None,
            }
            for entity in sorted(catalog.entities.values(), key=lambda each: each.name.casefold())
            if entity.domain in domains
        ],
        "areas": [{"id": area.id, "name": area.name} for area in catalog.areas.values()],
        "domains": {
            domain: {
                "agent_id": own.get(domain, HOME_AGENT_ID),
                "actions": _actions_as_json(hass, table),
            }
            for domain, table in domains.items()
        },
    }


def _actions_as_json(hass: HomeAssistant, table: Domain) -> list[dict[str, Any]]:
    """Return the actions of a domain with their parameters, in the order of its table."""
    return [
        {
            "name": action.name,
            "any_parameter": action.any_parameter,
            "parameters": [_parameter_as_json(parameter) for parameter in action.parameters],
        }
        for action in table.plannable_actions
        if not action.sees_others
    ]


def _parameter_as_json(parameter: Parameter) -> dict[str, Any]:
    """Return a parameter: its kind, unit and range, where these are fixed; the devices' own options by attribute."""
    return {
        "name": parameter.name,
        "kind": parameter.kind.value,
        "unit": parameter.unit,
        "low": parameter.low if isinstance(parameter.low, int | float) else None,
        "high": parameter.high if isinstance(parameter.high, int | float) else None,
        "options": parameter.options,
        "choices": list(parameter.choices),
        "is_optional": parameter.for_capable,
    }

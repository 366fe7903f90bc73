"""Agents of the user's own, as a connection's subentries describe them: open to all of its assistants."""

from collections.abc import Iterable, Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_DESCRIPTION, CONF_DOMAINS, CONF_NAME
from homeassistant.core import HomeAssistant

from ..agents.base import Agent
from ..agents.devices import DevicesAgent
from ..agents.handover import HandOverAgent
from ..agents.models import AgentCard, DeviceScope
from ..const import SUBENTRY_AGENT
from ..domains.restriction import Limits
from .agent_model import create_agent_model
from .connection import subentries_of

CONF_ACTIONS = "actions"
CONF_AGENT_ID = "agent_id"
CONF_AREAS = "areas"
CONF_EXAMPLES = "examples"
CONF_INSTRUCTIONS = "instructions"
CONF_LABELS = "labels"
CONF_LIMITS = "limits"
CONF_MAX = "max"
CONF_MIN = "min"
CONF_TARGET = "target"
CONF_VALUE = "value"


def own_agents_of(hass: HomeAssistant, entry: ConfigEntry) -> list[Agent]:
    """Return a connection's agents: each acts on devices, or hands over to its target.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    agents = subentries_of(entry, SUBENTRY_AGENT)
    return [create_own_agent(hass, entry, each.data) for each in agents]


def create_own_agent(hass: HomeAssistant, entry: ConfigEntry, data: Mapping[str, Any]) -> Agent:
    """Return the agent of a connection that data describe, as a subentry keeps them.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    card = AgentCard(
        id=data[CONF_AGENT_ID],
        name=data[CONF_NAME],
        description=data[CONF_DESCRIPTION],
        examples=tuple(data.get(CONF_EXAMPLES, ())),
    )
    if target := data.get(CONF_TARGET):
        return HandOverAgent(card, target)
    scope = DeviceScope(
        domains=frozenset(data[CONF_DOMAINS]),
        areas=frozenset(data.get(CONF_AREAS, ())),
        labels=frozenset(data.get(CONF_LABELS, ())),
    )
    return DevicesAgent(
        card.model_copy(update={"domains": scope.domains, "scope": scope}),
        allowed=frozenset(data.get(CONF_ACTIONS, ())),
        limits=_limits(data.get(CONF_LIMITS, ())),
        instructions=data.get(CONF_INSTRUCTIONS, ""),
        model=create_agent_model(hass, entry, data),
    )


def _limits(rows: Iterable[Mapping[str, Any]]) -> Limits:
    """Return the limits of values by "domain.action.parameter"."""
    return {row[CONF_VALUE]: (float(row[CONF_MIN]), float(row[CONF_MAX])) for row in rows}

"""Agents of the user's own, as a connection's subentries describe them: open to all of its assistants."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_DESCRIPTION, CONF_DOMAINS, CONF_MODEL, CONF_NAME
from homeassistant.core import HomeAssistant

from ..agents.base import Agent
from ..agents.devices import DevicesAgent
from ..agents.handover import HandOverAgent
from ..agents.models import AgentCard, DeviceScope
from ..const import CONF_CONNECTION, SUBENTRY_AGENT
from ..domains.restriction import Limits
from ..llm.ability import Contract
from ..llm.client import ModelClient
from ..options import AssistantOptions
from .aptitude import wants_test
from .connection import subentries_of
from .model_roles import contract_at, limited_client, options_of
from .shared_connection import SharedConnectionClient

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


@dataclass(frozen=True, slots=True)
class OwnModel:
    """A model that plans for one agent, asked within the limits of the connection whose it is."""

    hass: HomeAssistant
    entry_id: str
    client: ModelClient

    @property
    def contract(self) -> Contract:
        """Return what the model is asked, as its connection knows it now; little while that is not there."""
        entry = self.hass.config_entries.async_get_entry(self.entry_id)
        return contract_at(entry, self.client.model) if entry else Contract.SMALL


def create_agent_model(
    hass: HomeAssistant, entry: ConfigEntry, data: Mapping[str, Any]
) -> OwnModel | None:
    """Return the model of an agent of a connection, as its data name it, or None where it has none of its own.

    What another connection shares is asked there, and nobody else in its place: as long as that connection is not
    loaded, or where it is gone, the model cannot be reached.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    if other := data.get(CONF_CONNECTION):
        return OwnModel(hass, other, SharedConnectionClient(hass, other))
    if not (name := data.get(CONF_MODEL)):
        return None
    client = limited_client(hass, entry, name)
    return OwnModel(hass, entry.entry_id, client) if client else None


def untested_models(
    hass: HomeAssistant, entry: ConfigEntry
) -> Iterator[tuple[ConfigSubentry, ModelClient]]:
    """Yield agents with models of which it has to be found out what they can be asked, each model once.

    A model that an assistant has as well is tested for that one. Where questions are counted, they are kept for
    what people say.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    of_assistants = options_of(entry)
    if any(options.requests_per_minute for options in of_assistants):
        return
    seen = {options.model for options in of_assistants}
    for subentry in subentries_of(entry, SUBENTRY_AGENT):
        name = subentry.data.get(CONF_MODEL)
        if not name or name in seen:
            continue
        seen.add(name)
        model = limited_client(hass, entry, name)
        if wants_test(model, AssistantOptions(), subentry.data):
            yield subentry, model

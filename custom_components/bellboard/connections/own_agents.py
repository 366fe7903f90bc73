"""Agents of the user's own, as a connection's subentries describe them: open to all of its assistants."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
import logging
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import (
    CONF_DESCRIPTION,
    CONF_DOMAINS,
    CONF_MODEL,
    CONF_NAME,
    CONF_TOKEN,
    CONF_URL,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from ..a2a.client import A2AClient
from ..a2a.errors import A2AError, TokenRefusedError
from ..agents.a2a import A2AAgent
from ..agents.base import Agent
from ..agents.devices import DevicesAgent
from ..agents.handover import HandOverAgent
from ..agents.models import AgentCard, DeviceScope
from ..const import CONF_CONNECTION, DOMAIN, SUBENTRY_A2A_AGENT, SUBENTRY_AGENT
from ..domains.restriction import Limits
from ..llm.ability import Contract
from ..llm.client import ModelClient
from ..options import AssistantOptions
from .aptitude import wants_test
from .connection import SharedConnectionClient, subentries_of
from .model_roles import contract_at, limited_client, options_of

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
        """Return the model's contract, as its connection knows it now; SMALL while that is not there."""
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

    A model that an assistant has as well is tested for that one. Where questions are scarce, they are kept for
    what people say.

    Raises:
        ModelError: nobody can be asked at the connection's address, or its key cannot be sent.
    """
    of_assistants = options_of(entry)
    if any(options.has_scarce_requests for options in of_assistants):
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


_LOGGER = logging.getLogger(__name__)

CONF_ORIGIN = "agreed_origin"
"""Key in a subentry: the origin that an administrator agreed to for the answers of an agent with its card elsewhere."""


def a2a_agents_of(entry: ConfigEntry) -> list[ConfigSubentry]:
    """Return the subentries that are A2A agents."""
    return subentries_of(entry, SUBENTRY_A2A_AGENT)


def create_client(hass: HomeAssistant, data: Mapping[str, Any]) -> A2AClient:
    """Return the client of an agent, by what its subentry keeps.

    Raises:
        InvalidAddressError: the address cannot be that of an agent.
        TokenRefusedError: the token cannot be sent.
    """
    return A2AClient(
        async_get_clientsession(hass),
        data[CONF_URL],
        data.get(CONF_TOKEN, ""),
        agreed_origin=data.get(CONF_ORIGIN, ""),
    )


@callback
def async_create_a2a_agents(hass: HomeAssistant, entry: ConfigEntry) -> list[A2AAgent]:
    """Return a connection's agents. Their cards are read in the background, before they are needed.

    While an agent refuses its token, Repairs say so.
    """
    return [_create_agent(hass, entry, subentry) for subentry in a2a_agents_of(entry)]


def _create_agent(hass: HomeAssistant, entry: ConfigEntry, subentry: ConfigSubentry) -> A2AAgent:
    """Return the agent of a subentry, and begin to read its card."""
    issue_id = token_issue_id(subentry)

    @callback
    def note_token(*, is_accepted: bool) -> None:
        """Show in Repairs whether the token is refused."""
        if is_accepted:
            ir.async_delete_issue(hass, DOMAIN, issue_id)
            return
        ir.async_create_issue(
            hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key="a2a_token",
            translation_placeholders={"agent": subentry.title, "connection": entry.title},
        )

    client = create_client(hass, subentry.data)

    async def read_card() -> None:
        """Read the card; an agent that is away is told of when it is needed."""
        try:
            await client.async_read_card()
        except TokenRefusedError:
            note_token(is_accepted=False)
        except A2AError as err:
            _LOGGER.debug("The card of %s was not read: %s", subentry.data[CONF_AGENT_ID], err)

    entry.async_create_background_task(hass, read_card(), f"{DOMAIN} reads an agent's card")
    entry.async_on_unload(lambda: ir.async_delete_issue(hass, DOMAIN, issue_id))
    card = AgentCard(
        id=subentry.data[CONF_AGENT_ID],
        name=subentry.data[CONF_NAME],
        description=subentry.data[CONF_DESCRIPTION],
        examples=tuple(subentry.data[CONF_EXAMPLES]),
    )
    return A2AAgent(card, client, on_token=note_token)


def token_issue_id(subentry: ConfigSubentry) -> str:
    """Return the id of the issue that an agent refuses its token."""
    return f"a2a_token_{subentry.subentry_id}"

"""A2A agents as a connection's subentries describe them: made at set-up, open to all of its assistants."""

from collections.abc import Mapping
import logging
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_DESCRIPTION, CONF_NAME, CONF_TOKEN, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from ..a2a.client import A2AClient
from ..a2a.errors import A2AError, TokenRefusedError
from ..agents.a2a import A2AAgent
from ..agents.models import AgentCard
from ..const import DOMAIN, SUBENTRY_A2A_AGENT
from .connection import subentries_of
from .own_agents import CONF_AGENT_ID, CONF_EXAMPLES

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

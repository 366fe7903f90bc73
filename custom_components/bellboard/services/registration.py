"""Actions that register agents while Home Assistant runs, beside those of other modules."""

from collections.abc import Callable
import re
from typing import Any

from homeassistant.const import ATTR_NAME
from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.service import async_register_admin_service
import voluptuous as vol

from ..agents.handover import SCRIPT_DOMAIN, HandOverAgent
from ..agents.models import AgentCard
from ..const import BUILT_IN_AGENT_IDS, DOMAIN
from ..routing.cleaning import clean
from ..routing.prompt import label
from .execute import async_register_execute_action
from .lookup import ASSISTANT_ENTITY, ATTR_ASSISTANT, assistant_id_of, refusal
from .registered_agents import (
    MOST_AGENTS,
    all_assistants,
    async_deregister,
    async_register,
    registered_agents,
)
from .route import async_register_route_action

SERVICE_REGISTER_AGENT = "register_agent"
SERVICE_DEREGISTER_AGENT = "deregister_agent"

ATTR_AGENT_ID = "agent_id"
ATTR_CAPABILITIES = "capabilities"
ATTR_CONVERSATION_AGENT = "conversation_agent"
ATTR_DESCRIPTION = "description"
ATTR_DOMAINS = "domains"
ATTR_EXAMPLES = "examples"
ATTR_SCRIPT = "script"

# In characters.
MOST_NAME = 60
MOST_DESCRIPTION = 200
MOST_EXAMPLE = 100
MOST_CAPABILITY = 60

MOST_EXAMPLES = 5
MOST_CAPABILITIES = 10
MOST_DOMAINS = 20

_AGENT_ID = re.compile(r"[a-z0-9][a-z0-9_-]{1,62}")


def _list_of(item: Any, most: int) -> Callable[[Any], Any]:
    """Return the schema of a list with `most` items at the most."""
    return vol.All(cv.ensure_list, vol.Length(max=most), [item])


_REGISTER_SCHEMA = vol.Schema(
    {
        vol.Required(ATTR_AGENT_ID): cv.string,
        vol.Required(ATTR_NAME): cv.string,
        vol.Required(ATTR_DESCRIPTION): cv.string,
        vol.Optional(ATTR_CAPABILITIES, default=list): _list_of(cv.string, MOST_CAPABILITIES),
        vol.Optional(ATTR_EXAMPLES, default=list): _list_of(cv.string, MOST_EXAMPLES),
        vol.Optional(ATTR_DOMAINS, default=list): _list_of(cv.slug, MOST_DOMAINS),
        vol.Optional(ATTR_CONVERSATION_AGENT): ASSISTANT_ENTITY,
        vol.Optional(ATTR_SCRIPT): cv.entity_domain(SCRIPT_DOMAIN),
        vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY,
    }
)
_DEREGISTER_SCHEMA = vol.Schema(
    {
        vol.Required(ATTR_AGENT_ID): cv.string,
        vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY,
    }
)


@callback
def async_register_services(hass: HomeAssistant) -> None:
    """Register the actions. Anybody may ask who answers; only administrators change the agents."""
    async_register_route_action(hass)
    async_register_admin_service(
        hass, DOMAIN, SERVICE_REGISTER_AGENT, _async_register_agent, _REGISTER_SCHEMA
    )
    async_register_admin_service(
        hass, DOMAIN, SERVICE_DEREGISTER_AGENT, _async_deregister_agent, _DEREGISTER_SCHEMA
    )
    async_register_execute_action(hass)


@callback
def _async_register_agent(call: ServiceCall) -> None:
    """Register an agent."""
    hass, data = call.hass, call.data
    assistant_id = assistant_id_of(hass, data.get(ATTR_ASSISTANT))
    agent_id = data[ATTR_AGENT_ID]
    _check_agent_id(hass, agent_id)
    agents = registered_agents(hass)
    if len(agents) >= MOST_AGENTS and not agents.has(assistant_id, agent_id):
        raise refusal("too_many_agents", most=str(MOST_AGENTS))
    card = AgentCard(
        id=agent_id,
        name=_clean_field(data, ATTR_NAME, MOST_NAME),
        description=_clean_field(data, ATTR_DESCRIPTION, MOST_DESCRIPTION),
        capabilities=_clean_list(data[ATTR_CAPABILITIES], MOST_CAPABILITY),
        examples=_clean_list(data[ATTR_EXAMPLES], MOST_EXAMPLE),
        domains=frozenset(data[ATTR_DOMAINS]),
    )
    async_register(hass, assistant_id, HandOverAgent(card, _target(hass, data)))


@callback
def _async_deregister_agent(call: ServiceCall) -> None:
    """Forget an agent."""
    hass, agent_id = call.hass, call.data[ATTR_AGENT_ID]
    assistant_id = assistant_id_of(hass, call.data.get(ATTR_ASSISTANT))
    agents = registered_agents(hass)
    known = (
        any(agent.card.id == agent_id for agent in agents)
        if assistant_id is None
        else agents.has(assistant_id, agent_id)
    )
    if not known:
        raise refusal("unknown_agent", agent_id=agent_id)
    async_deregister(hass, assistant_id, agent_id)


def _check_agent_id(hass: HomeAssistant, agent_id: str) -> None:
    """Refuse an id that is no id, or that a model could not tell from another agent's.

    Raises:
        ServiceValidationError: it is one of these.
    """
    if not _AGENT_ID.fullmatch(agent_id):
        raise refusal("invalid_agent_id", agent_id=agent_id)
    registered = list(registered_agents(hass))
    others = BUILT_IN_AGENT_IDS | {
        agent.card.id for agent in registered if agent.card.id != agent_id
    }
    for assistant in all_assistants(hass).values():
        others |= {agent.card.id for agent in assistant.registry if agent not in registered}
    if any(label(agent_id) == label(other) for other in others):
        raise refusal("agent_id_taken", agent_id=agent_id)


def _target(hass: HomeAssistant, data: dict[str, Any]) -> str:
    """Return the entity id of the conversation agent or script to hand over to.

    Raises:
        ServiceValidationError: there is none, there are two, it does not exist, or it is Bellboard.
    """
    targets = [data[key] for key in (ATTR_CONVERSATION_AGENT, ATTR_SCRIPT) if key in data]
    if len(targets) != 1:
        raise refusal("one_target")
    target = str(targets[0])
    entry = er.async_get(hass).async_get(target)
    if entry and entry.platform == DOMAIN:
        raise refusal("loop", entity_id=target)
    if entry is None and hass.states.get(target) is None:
        raise refusal("unknown_target", entity_id=target)
    return target


def _clean_field(data: dict[str, Any], field: str, most: int) -> str:
    """Return a text as a prompt can hold it.

    Raises:
        ServiceValidationError: nothing of it is left.
    """
    if not (text := clean(data[field], most)):
        raise refusal("empty_text", field=field)
    return text


def _clean_list(texts: list[str], most: int) -> tuple[str, ...]:
    """Return texts as a prompt can hold them, without those of which nothing is left."""
    return tuple(filter(None, (clean(text, most) for text in texts)))

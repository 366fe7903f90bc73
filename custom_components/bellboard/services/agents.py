"""The actions that register agents while Home Assistant runs, and where these agents are kept.

They are kept in memory: gone after a restart, like whoever registered them, but not after a reload.
"""

from collections.abc import Callable, Iterator, Mapping
import re
from typing import Any

from homeassistant.const import ATTR_NAME
from homeassistant.core import HomeAssistant, ServiceCall, SupportsResponse, callback
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.typing import VolDictType
from homeassistant.util.hass_dict import HassKey
import voluptuous as vol

from ..agents.dispatch import AgentRegistry
from ..agents.handover import SCRIPT_DOMAIN, HandOverAgent
from ..agents.models import AgentCard, label
from ..assistant import Assistant
from ..const import COMMON_AGENT_IDS, DOMAIN
from ..domains.registry import specialists
from ..routing.cleaning import clean
from .action import (
    ASSISTANT_ENTITY,
    ASSISTANT_FIELD,
    ATTR_ASSISTANT,
    ServiceAction,
    all_assistants,
    assistant_id_of,
    refusal,
)

ATTR_AGENT_ID = "agent_id"
ATTR_CAPABILITIES = "capabilities"
ATTR_CONVERSATION_AGENT = "conversation_agent"
ATTR_DESCRIPTION = "description"
ATTR_DOMAINS = "domains"
ATTR_EXAMPLES = "examples"
ATTR_SCRIPT = "script"

MOST_AGENTS = 20

# In characters.
MOST_NAME = 60
MOST_DESCRIPTION = 200
MOST_EXAMPLE = 100
MOST_CAPABILITY = 60

MOST_EXAMPLES = 5
MOST_CAPABILITIES = 10
MOST_DOMAINS = 20

_DATA_AGENTS: HassKey[RegisteredAgents] = HassKey(f"{DOMAIN}_registered_agents")
_AGENT_ID = re.compile(r"[a-z0-9][a-z0-9_-]{1,62}")


def built_in_agent_ids() -> frozenset[str]:
    """Return the ids that nobody else may have, whether or not an assistant has these agents."""
    return COMMON_AGENT_IDS.union(specialists().values())


def _list_of(item: Any, most: int) -> Callable[[Any], Any]:
    """Return the schema of a list with `most` items at the most."""
    return vol.All(cv.ensure_list, vol.Length(max=most), [item])


_REGISTER_FIELDS: VolDictType = {
    vol.Required(ATTR_AGENT_ID): cv.string,
    vol.Required(ATTR_NAME): cv.string,
    vol.Required(ATTR_DESCRIPTION): cv.string,
    vol.Optional(ATTR_CAPABILITIES, default=list): _list_of(cv.string, MOST_CAPABILITIES),
    vol.Optional(ATTR_EXAMPLES, default=list): _list_of(cv.string, MOST_EXAMPLES),
    vol.Optional(ATTR_DOMAINS, default=list): _list_of(cv.slug, MOST_DOMAINS),
    vol.Optional(ATTR_CONVERSATION_AGENT): ASSISTANT_ENTITY,
    vol.Optional(ATTR_SCRIPT): cv.entity_domain(SCRIPT_DOMAIN),
    **ASSISTANT_FIELD,
}
_DEREGISTER_FIELDS: VolDictType = {vol.Required(ATTR_AGENT_ID): cv.string, **ASSISTANT_FIELD}


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
    others = built_in_agent_ids() | {
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
    """Return a text sanitised for a prompt.

    Raises:
        ServiceValidationError: nothing of it is left.
    """
    if not (text := clean(data[field], most)):
        raise refusal("empty_text", field=field)
    return text


def _clean_list(texts: list[str], most: int) -> tuple[str, ...]:
    """Return texts sanitised for a prompt, without those of which nothing is left."""
    return tuple(filter(None, (clean(text, most) for text in texts)))


class RegisteredAgents:
    """The registered agents, each for one assistant (by subentry id) or, with None, for all."""

    def __init__(self) -> None:
        self._agents: dict[tuple[str | None, str], HandOverAgent] = {}

    def __len__(self) -> int:
        return len(self._agents)

    def __iter__(self) -> Iterator[HandOverAgent]:
        return iter(tuple(self._agents.values()))

    def has(self, assistant_id: str | None, agent_id: str) -> bool:
        """Return whether an agent is registered for this assistant itself, or for all itself."""
        return (assistant_id, agent_id) in self._agents

    def put(self, assistant_id: str | None, agent: HandOverAgent) -> None:
        """Keep an agent, in place of one with the same id for the same assistant."""
        self._agents[assistant_id, agent.card.id] = agent

    def discard(self, assistant_id: str | None, agent_id: str) -> None:
        """Forget an agent, for one assistant; with None everywhere."""
        for key in list(self._agents):
            if key[1] == agent_id and assistant_id in {None, key[0]}:
                del self._agents[key]

    def of(self, assistant_id: str) -> dict[str, HandOverAgent]:
        """Return an assistant's agents by id; its own come before those for all."""
        found: dict[str, HandOverAgent] = {}
        for scope in (None, assistant_id):
            found |= {key[1]: agent for key, agent in self._agents.items() if key[0] == scope}
        return found


@callback
def registered_agents(hass: HomeAssistant) -> RegisteredAgents:
    """Return the agents that are registered."""
    return hass.data.setdefault(_DATA_AGENTS, RegisteredAgents())


@callback
def async_restore_agents(hass: HomeAssistant, assistants: Mapping[str, Assistant]) -> None:
    """Give new assistants, by subentry id, the agents that are registered for them."""
    for assistant_id, assistant in assistants.items():
        for agent in registered_agents(hass).of(assistant_id).values():
            if not is_taken(assistant.registry, agent.card.id):
                assistant.registry.register(agent)


@callback
def async_register(hass: HomeAssistant, assistant_id: str | None, agent: HandOverAgent) -> None:
    """Register an agent, for one assistant or for all. It can be chosen in the next turn."""
    before = list(registered_agents(hass))
    registered_agents(hass).put(assistant_id, agent)
    _async_apply(hass, before)


@callback
def async_deregister(hass: HomeAssistant, assistant_id: str | None, agent_id: str) -> None:
    """Forget an agent, for one assistant or everywhere. It cannot be chosen in the next turn."""
    before = list(registered_agents(hass))
    registered_agents(hass).discard(assistant_id, agent_id)
    _async_apply(hass, before)


@callback
def _async_apply(hass: HomeAssistant, before: list[HandOverAgent]) -> None:
    """Exchange the agents that were registered before for those that are now, everywhere."""
    assistants = all_assistants(hass)
    for assistant in assistants.values():
        for agent in before:
            if assistant.registry.get(agent.card.id) is agent:
                assistant.registry.deregister(agent.card.id)
    async_restore_agents(hass, assistants)


def is_taken(registry: AgentRegistry, agent_id: str) -> bool:
    """Return whether an agent has an id already, or one that a model could not tell from it."""
    return any(label(agent.card.id) == label(agent_id) for agent in registry)


_NONE = SupportsResponse.NONE
ACTIONS = (
    ServiceAction(
        "register_agent", _async_register_agent, _REGISTER_FIELDS, _NONE, for_admins=True
    ),
    ServiceAction(
        "deregister_agent", _async_deregister_agent, _DEREGISTER_FIELDS, _NONE, for_admins=True
    ),
)

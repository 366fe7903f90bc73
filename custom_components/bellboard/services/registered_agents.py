"""Agents that integrations and automations register while Home Assistant runs.

They are kept in memory: gone after a restart, like whoever registered them, but not after a reload.
"""

from collections.abc import Iterator, Mapping

from homeassistant.core import HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from ..agents.handover import HandOverAgent
from ..agents.registry import AgentRegistry
from ..assistant import Assistant
from ..const import DOMAIN
from ..routing.prompt import label

MOST_AGENTS = 20

_DATA: HassKey[RegisteredAgents] = HassKey(f"{DOMAIN}_registered_agents")


class RegisteredAgents:
    """The registered agents, each for one assistant (by subentry id) or, with None, for all."""

    def __init__(self) -> None:
        """Begin with none."""
        self._agents: dict[tuple[str | None, str], HandOverAgent] = {}

    def __len__(self) -> int:
        """Return how many are registered."""
        return len(self._agents)

    def __iter__(self) -> Iterator[HandOverAgent]:
        """Iterate over the agents."""
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
    return hass.data.setdefault(_DATA, RegisteredAgents())


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


def all_assistants(hass: HomeAssistant) -> dict[str, Assistant]:
    """Return the assistants there are, by subentry id; also those that are just being set up."""
    found: dict[str, Assistant] = {}
    for entry in hass.config_entries.async_entries(DOMAIN):
        # It has none before it is set up and after it is unloaded.
        if data := getattr(entry, "runtime_data", None):
            found |= data.assistants
    return found


def is_taken(registry: AgentRegistry, agent_id: str) -> bool:
    """Return whether an agent has an id already, or one that a model could not tell from it."""
    return any(label(agent.card.id) == label(agent_id) for agent in registry)

"""Registry of agents (RouterExecutor contract, AgentRegistry), queried on every turn."""

from collections.abc import Iterable, Iterator

from ..const import FALLBACK_AGENT_ID
from .base import Agent
from .models import AgentCard


class AgentRegistry:
    """Agents by id, in the order of registration; they can be added and removed at any time."""

    def __init__(self, agents: Iterable[Agent] = ()) -> None:
        """Register the initial agents."""
        self._agents: dict[str, Agent] = {}
        for agent in agents:
            self.register(agent)

    def __iter__(self) -> Iterator[Agent]:
        """Iterate over the agents."""
        return iter(tuple(self._agents.values()))

    def register(self, agent: Agent) -> None:
        """Add an agent, or replace the one with the same id."""
        self._agents[agent.card.id] = agent

    def deregister(self, agent_id: str) -> None:
        """Remove an agent; one that is not there is no error."""
        self._agents.pop(agent_id, None)

    def get(self, agent_id: str) -> Agent | None:
        """Return an agent, or None where there is none with that id."""
        return self._agents.get(agent_id)

    def agent_for(self, agent_id: str) -> Agent:
        """Return an agent, or the fallback agent where it is gone by now.

        Raises:
            KeyError: there is no fallback agent either.
        """
        return self._agents.get(agent_id) or self._agents[FALLBACK_AGENT_ID]

    def cards(self, domains: Iterable[str]) -> list[AgentCard]:
        """Return the cards of the agents in scope, for the entity `domains` that are exposed.

        An agent without domains of its own is always in scope.
        """
        exposed = frozenset(domains)
        return [
            agent.card
            for agent in self._agents.values()
            if not agent.card.domains or agent.card.domains & exposed
        ]

"""What an agent shows of itself and what it gives back."""

from dataclasses import dataclass
from typing import Self

from pydantic import ConfigDict, Field, model_validator

from ..json_model import JsonModel


class AgentCard(JsonModel):
    """What an agent can do, as the router reads it.

    `domains` are the entity domains the agent acts on; with none it is always in scope. `intents`
    are the names of recognised intents that it can turn into a plan.
    """

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1)
    name: str
    description: str
    capabilities: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    domains: frozenset[str] = frozenset()
    intents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Who may answer a sentence and what may be meant by it: all but what is barred.

    `barred_agents` are ids of agents, `barred_intents` names of Home Assistant's intents.
    """

    barred_agents: frozenset[str] = frozenset()
    barred_intents: frozenset[str] = frozenset()

    @property
    def is_full(self) -> bool:
        """Return whether nobody and nothing is barred."""
        return not self.barred_agents and not self.barred_intents

    def has_agent(self, agent_id: str) -> bool:
        """Return whether an agent may answer."""
        return agent_id not in self.barred_agents

    def has_intent(self, name: str) -> bool:
        """Return whether an intent may be meant."""
        return name not in self.barred_intents


ALL_ELIGIBLE = Eligibility()
"""What holds where there are no rules."""


class AgentResponse(JsonModel):
    """What an agent said and whether it succeeded (data model, AgentResponse).

    `execution_time_ms` is in milliseconds. A response that failed names its reason in
    `error_message`; a successful one has none.
    """

    agent_id: str = Field(min_length=1)
    content: str = ""
    success: bool
    error_message: str | None = None
    execution_time_ms: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _error_belongs_to_failure(self) -> Self:
        """Refuse a failure without a reason and a success with one.

        Raises:
            ValueError: `success` and `error_message` contradict each other.
        """
        if self.success == bool(self.error_message):
            msg = "errorMessage is required when success is false, and must be absent otherwise"
            raise ValueError(msg)
        return self

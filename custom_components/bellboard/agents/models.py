"""Models of the agent contract: card, eligibility and response."""

from dataclasses import dataclass
from typing import Protocol, Self

from pydantic import ConfigDict, Field, model_validator

from ..const import FALLBACK_AGENT_ID
from ..json_model import JsonModel

NOBODY = FALLBACK_AGENT_ID
"""The id that an instruction is assigned to where no agent is to have it: it is declined, or settled already."""


class Located(Protocol):
    """An entity, as far as a scope looks at it; `area_id` and `labels` are ids."""

    @property
    def domain(self) -> str:
        """Return its domain."""
        ...

    @property
    def area_id(self) -> str | None:
        """Return the id of its area."""
        ...

    @property
    def labels(self) -> frozenset[str]:
        """Return the ids of its labels."""
        ...


class DeviceScope(JsonModel):
    """The devices that are one agent's own: of these `domains`, and of these `areas` and `labels` where any are given.

    Areas and labels are ids.
    """

    model_config = ConfigDict(frozen=True)

    domains: frozenset[str]
    areas: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()

    def covers(self, entity: Located) -> bool:
        """Return whether an entity is one of them."""
        return (
            entity.domain in self.domains
            and (not self.areas or entity.area_id in self.areas)
            and (not self.labels or not self.labels.isdisjoint(entity.labels))
        )


class AgentCard(JsonModel):
    """Capabilities of an agent, for the router's catalog (RouterExecutor contract, Agent Catalog Format).

    `domains` are the entity domains the agent acts on; with none it is always in scope. `intents` are
    the names of recognised intents that it can plan. `details` tell a capable router what else it
    does; it `talks` where it answers what is only a remark. One that `reaches_all` may act on what is another
    agent's, too, and gets what no other is for. Each of these two takes over what the other does not understand.
    `offer` is the reply key of the offer to ask it, "" where it is not offered. One that `only_tells` answers with text
    that a model or somebody else wrote. What is read without a model and is for devices of its `scope` only is its own,
    whoever else could do it.
    """

    model_config = ConfigDict(frozen=True)

    id: str = Field(min_length=1)
    name: str
    description: str
    capabilities: tuple[str, ...] = ()
    details: str = ""
    examples: tuple[str, ...] = ()
    talks: bool = False
    reaches_all: bool = False
    offer: str = Field(default="", exclude=True)
    only_tells: bool = Field(default=False, exclude=True)
    domains: frozenset[str] = frozenset()
    intents: frozenset[str] = frozenset()
    scope: DeviceScope | None = Field(default=None, exclude=True)

    @property
    def takes_the_rest(self) -> bool:
        """Return whether it answers what no specialist is for, as it does in the place of another such agent."""
        return self.talks or self.reaches_all


@dataclass(frozen=True, slots=True)
class AgentOffer:
    """The agent that may be offered to be asked, and the reply key of the offer."""

    agent_id: str
    key: str


@dataclass(frozen=True, slots=True)
class Eligibility:
    """Agents and intents that are out of scope for a sentence; all others are eligible.

    `barred_agents` are agent ids, `barred_intents` names of Home Assistant's intents.
    """

    barred_agents: frozenset[str] = frozenset()
    barred_intents: frozenset[str] = frozenset()

    @property
    def is_full(self) -> bool:
        """Return whether nothing is barred."""
        return not self.barred_agents and not self.barred_intents

    def has_agent(self, agent_id: str) -> bool:
        """Return whether an agent is eligible."""
        return agent_id not in self.barred_agents

    def has_intent(self, name: str) -> bool:
        """Return whether an intent is eligible."""
        return name not in self.barred_intents


ALL_ELIGIBLE = Eligibility()
"""Eligibility without scope rules."""


def label(agent_id: str) -> str:
    """Return the short name an agent has in prompts: a token or two instead of four."""
    return agent_id.removesuffix("-agent")


class AgentResponse(JsonModel):
    """Response of one agent (Data model, AgentResponse).

    `execution_time_ms` is in milliseconds. `error_message` is required for a failure and absent otherwise.
    """

    agent_id: str = Field(min_length=1)
    content: str = ""
    success: bool
    error_message: str | None = None
    execution_time_ms: int = Field(ge=0)

    @model_validator(mode="after")
    def _error_belongs_to_failure(self) -> Self:
        """Reject a failure without a reason and a success with one.

        Raises:
            ValueError: `success` and `error_message` contradict each other.
        """
        if self.success == bool(self.error_message):
            msg = "errorMessage is required when success is false, and must be absent otherwise"
            raise ValueError(msg)
        return self

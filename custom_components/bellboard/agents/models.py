"""What an agent shows of itself and what it gives back."""

from typing import Self

from pydantic import ConfigDict, Field, model_validator

from ..wire import WireModel

FALLBACK_AGENT_ID = "fallback-agent"
CLARIFICATION_AGENT_ID = "clarification-agent"
GENERAL_AGENT_ID = "general-agent"
HOME_AGENT_ID = "home-agent"


class AgentCard(WireModel):
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


class AgentResponse(WireModel):
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

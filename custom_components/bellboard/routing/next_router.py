"""The protocol of next-step routers."""

from collections.abc import Sequence
from typing import Protocol

from ..agents.models import AgentCard
from .next_models import Json, RoutingDecision, TaskEnvelopeV2


class UndecidedError(Exception):
    """A router has no decision: another one may be asked. The message is a fixed phrase of ours."""


class NextStepRouter(Protocol):
    """Decides about the next step of a task (V2 routing, Router)."""

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        """Return what happens after an agent's `work_output`.

        `original_task` is the task the agent worked on; the agent's own step is not in its context yet.
        `registry` are the agents that may be chosen.

        Raises:
            UndecidedError: it could not be decided.
        """
        ...

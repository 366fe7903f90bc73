"""What decides, after an agent, what happens next."""

from collections.abc import Sequence
from typing import Protocol

from ..agents.models import AgentCard
from .models import Json, RoutingDecision, TaskEnvelopeV2


class UndecidedError(Exception):
    """A router has no usable decision: another one may be asked.

    The text is a fixed phrase of ours: never a key, what was said, or what a server wrote.
    """


class NextStepRouter(Protocol):
    """Decides about the next step of a task (Router, V2 routing)."""

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        """Return what happens next, now that an agent made `work_output` of a task.

        `original_task` is the task the agent worked on, with all that went before it in its context;
        the agent's own step is not in it yet. `registry` are the agents that may be chosen.

        Raises:
            UndecidedError: it could not be decided.
        """
        ...

"""Next-step router that asks a gatekeeper (V2 routing, GatekeeperRouter)."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

from ..agents.models import AgentCard
from .cleaning import clean
from .gatekeeper_client import GatekeeperClient
from .gatekeeper_protocol import GatekeeperError, RouteRequest, RouteResponse, available_agents
from .next_models import Complete, Forward, Json, RoutingDecision, TaskEnvelopeV2
from .next_router import UndecidedError

ROUTER = "gatekeeper"
MAX_REASONING = 300
"""Characters of a gatekeeper's reasoning that are kept."""

_UNSURE = "The gatekeeper is not sure enough."


@dataclass(frozen=True, slots=True)
class GatekeeperNextStep:
    """Next-step router with a gatekeeper's decisions; `action_of` summarises an agent's output.

    A forward with a confidence below `confidence_threshold` (0 to 1) is not followed.
    """

    client: GatekeeperClient
    _: KW_ONLY
    action_of: Callable[[Json], str]
    confidence_threshold: float = 0.0

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        """Return what happens next; see `NextStepRouter`.

        Raises:
            UndecidedError: the gatekeeper cannot be asked, or its answer cannot be used.
        """
        undecided: UndecidedError
        try:
            response = await self.client.async_route(
                self._question(original_task, work_output, registry)
            )
        except GatekeeperError as err:
            undecided = UndecidedError(str(err))
        else:
            return self._decision(response, work_output)
        # Not chained: its text says all that may be said.
        raise undecided

    def _question(
        self, task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RouteRequest:
        """Return the request after an agent, whose own step is the last of the history."""
        action = self.action_of(work_output) or task.instruction or ""
        return RouteRequest(
            original_query=task.known_context.original_query,
            workflow_history=task.steps_with(action),
            # The contract has an object here, whatever an agent makes.
            current_output=work_output
            if isinstance(work_output, dict)
            else {"output": work_output},
            available_agents=available_agents(registry),
        )

    def _decision(self, response: RouteResponse, work_output: Json) -> RoutingDecision:
        """Return a gatekeeper's response as a decision.

        Raises:
            UndecidedError: it is too unsure to send anything to anybody.
        """
        reasoning = clean(response.reasoning or "", MAX_REASONING) or None
        if response.workflow_complete:
            return Complete(
                final_output=work_output,
                router=ROUTER,
                reasoning=reasoning,
                confidence=response.confidence,
            )
        if response.confidence is not None and response.confidence < self.confidence_threshold:
            raise UndecidedError(_UNSURE)
        return Forward(
            next_agent=str(response.next_agent),
            next_instruction=response.instruction,
            forwarded_data=work_output,
            router=ROUTER,
            reasoning=reasoning,
            confidence=response.confidence,
        )

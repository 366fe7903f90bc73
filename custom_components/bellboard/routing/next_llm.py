"""Next-step router that asks a model (V2 routing, LlmRouter)."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass

from ..agents.models import AgentCard
from ..llm.client import ModelClient
from ..llm.errors import ModelError
from ..llm.models import Message
from ..llm.retry import async_ask_until_usable
from .log import log_no_choice
from .next_confidence import confidence_of
from .next_decision import TOOL_NAME, RoutingDecisionOutput, decision_schema, read_decision
from .next_grounding import Grounding
from .next_models import Complete, Forward, Json, RoutingDecision, TaskEnvelopeV2
from .next_prompt import decision_messages
from .next_router import UndecidedError

ROUTER = "llm"

UNSURE = "The model is unsure, and another one is asked."
NOBODY_ELSE = "There is no agent that could go on."
INVENTED = "The instruction names something that nobody had spoken of."


@dataclass(frozen=True, slots=True)
class LlmNextStep:
    """Next-step router with a model's decisions, as structured output.

    `ground` checks its instructions. `max_iterations` is only told to the model: `Workflow` counts.
    `timeout` is in seconds, for one call. Below `confidence_threshold` (0 to 1) nothing is forwarded: a
    weak model must not send things around; where it `has_next`, another model is asked then. A decision
    without log-probabilities is taken as it is.
    """

    model: ModelClient
    _: KW_ONLY
    ground: Grounding
    max_iterations: int = 10
    temperature: float = 0.1
    max_tokens: int = 500
    max_attempts: int = 3
    timeout: float = 5.0
    confidence_threshold: float = 0.7
    has_next: bool = False

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        """Return what happens next; complete as well where the model is unsure or invents something.

        Raises:
            UndecidedError: the model could not be asked, or none of its answers can be used.
        """
        if not registry:
            return Complete(final_output=work_output, router=ROUTER, reasoning=NOBODY_ELSE)
        try:
            written, confidence = await self._async_ask(original_task, work_output, registry)
        except ModelError as err:
            # Its text is a fixed phrase of ours.
            log_no_choice(str(err))
            raise UndecidedError(str(err)) from err
        if self.has_next and confidence is not None and confidence < self.confidence_threshold:
            raise UndecidedError(UNSURE)
        if written.next_step is None:
            return Complete(
                final_output=work_output,
                router=ROUTER,
                reasoning=written.reasoning or None,
                confidence=confidence,
            )
        agent_id, instruction = written.next_step
        if confidence is not None and confidence < self.confidence_threshold:
            return Complete(
                final_output=work_output,
                router=ROUTER,
                reasoning=f"Too uncertain that {agent_id} has to go on.",
                confidence=confidence,
            )
        if not self.ground.allows(instruction, original_task, work_output):
            # The model did not find it complete: nothing is known to speak for that.
            return Complete(
                final_output=work_output, router=ROUTER, reasoning=INVENTED, confidence=0.0
            )
        return Forward(
            next_agent=agent_id,
            next_instruction=instruction,
            forwarded_data=work_output,
            router=ROUTER,
            reasoning=written.reasoning or None,
            confidence=confidence,
        )

    async def _async_ask(
        self, task: TaskEnvelopeV2, work_output: Json, cards: Sequence[AgentCard]
    ) -> tuple[RoutingDecisionOutput, float | None]:
        """Return the model's decision and its confidence, None without log-probabilities; with retries.

        Raises:
            ModelError: the model could not be asked, or no answer fits.
        """
        agents = [card.id for card in cards]
        return await async_ask_until_usable(
            lambda messages: self._async_decide(messages, agents),
            decision_messages(task, work_output, cards, self.max_iterations),
            attempts=self.max_attempts,
            again="Decide again, only with the JSON asked for.",
        )

    async def _async_decide(
        self, messages: Sequence[Message], agents: Sequence[str]
    ) -> tuple[RoutingDecisionOutput, float | None]:
        """Return the decision in one answer of the model, and its confidence.

        Raises:
            ModelError: the model could not be asked, or its answer is no decision.
        """
        completion = await self.model.complete(
            messages,
            schema=decision_schema(agents),
            schema_name=TOOL_NAME,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            logprobs=True,
            timeout=self.timeout,
        )
        written = read_decision(completion, agents)
        return written, confidence_of(completion, written, agents)

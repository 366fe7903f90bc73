"""Gatekeeper tier: the owner's service chooses an agent for each open part, and for each next step.

See V2 routing, GatekeeperRouter. A next step is a route with a history.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

from ..agents.models import AgentCard
from ..home.names import Words
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from .choice import answering_cards
from .cleaning import clean
from .gatekeeper_client import (
    GatekeeperClient,
    GatekeeperError,
    RouteRequest,
    RouteResponse,
    available_agents,
)
from .log import log_routing_decision
from .models import Assignment, Measure, Source
from .next_models import Complete, Forward, Json, RoutingDecision, TaskEnvelopeV2, UndecidedError
from .next_prompt import action_of
from .router import RoutedPart, RoutingRequest

MAX_REASON = 300
"""Characters of a gatekeeper's reasoning that are kept."""

_ROUTER = "gatekeeper"
_UNSURE = "The gatekeeper is not sure enough."


@dataclass(frozen=True, slots=True)
class GatekeeperRouter:
    """Assigns the parts, and decides the next steps, that a gatekeeper is sure about.

    An error leaves either to the next router. For next steps `action_of` summarises an agent's output, and a
    decision with a confidence below `confidence_threshold` (0 to 1), also that of an end, is left to the next
    router.
    """

    client: GatekeeperClient
    _: KW_ONLY
    action_of: Callable[[Json], str] = action_of
    confidence_threshold: float = 0.0

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Assign the open parts, with a request for each. In a trial only the model decides."""
        routed = list(parts)
        if not request.cards or request.is_trial:
            return routed
        places = [place for place, part in enumerate(routed) if part.assignment is None]
        for place in places:
            text = routed[place].text
            try:
                response = await self.client.async_route(_question(request, text))
            except GatekeeperError as err:
                if err.is_of_one_request:
                    continue
                # The others would wait for the same.
                break
            assignment = _assignment(request, text, response, is_alone=len(places) == 1)
            routed[place] = RoutedPart(text, assignment)
        return routed

    async def async_decide_next_step(
        self, original_task: TaskEnvelopeV2, work_output: Json, registry: Sequence[AgentCard]
    ) -> RoutingDecision:
        """Return the next step after an agent's `work_output`; see `NextStepRouter`.

        Raises:
            UndecidedError: the gatekeeper cannot be asked, or its answer cannot be used.
        """
        undecided: UndecidedError
        try:
            response = await self.client.async_route(
                self._next_question(original_task, work_output, registry)
            )
        except GatekeeperError as err:
            undecided = UndecidedError(str(err))
        else:
            return self._decision(response, work_output)
        # Not chained: its text says all that may be said.
        raise undecided

    def _next_question(
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
            UndecidedError: its confidence is below the threshold.
        """
        if response.confidence is not None and response.confidence < self.confidence_threshold:
            raise UndecidedError(_UNSURE)
        reasoning = clean(response.reasoning or "", MAX_REASON) or None
        if response.workflow_complete:
            return Complete(
                final_output=work_output,
                router=_ROUTER,
                reasoning=reasoning,
                confidence=response.confidence,
            )
        return Forward(
            next_agent=str(response.next_agent),
            next_instruction=response.instruction,
            forwarded_data=work_output,
            router=_ROUTER,
            reasoning=reasoning,
            confidence=response.confidence,
        )


def _question(request: RoutingRequest, text: str) -> RouteRequest:
    """Return the request about a part, at the first choice."""
    return RouteRequest(
        original_query=text,
        workflow_history=(),
        current_output={},
        available_agents=available_agents(answering_cards(request.language, request.cards, [text])),
    )


def _assignment(
    request: RoutingRequest, text: str, response: RouteResponse, *, is_alone: bool
) -> Assignment | None:
    """Return a decision as an assignment; None where it is unsure, or nothing is to be done."""
    confidence = 1.0 if response.confidence is None else response.confidence
    if response.workflow_complete or confidence < request.options.confidence_threshold:
        return None
    agent_id = str(response.next_agent)
    log_routing_decision(agent_id, confidence)
    is_kept = is_alone and says_the_same(request.language, text, response.instruction)
    return Assignment(
        agent_id=agent_id,
        instruction=response.instruction if is_kept else text,
        confidence=confidence,
        source=Source.GATEKEEPER,
        measure=Measure.NONE if response.confidence is None else Measure.WRITTEN,
        reason=clean(response.reasoning or "", MAX_REASON) or "The gatekeeper chose this agent.",
    )


def says_the_same(language: Language, text: str, instruction: str) -> bool:
    """Return whether an instruction is a piece of a text that lacks none of its words but polite ones.

    Names, places, signs and "not" must neither come nor go.
    """
    return _plain(language, text) == _plain(language, instruction) and _is_piece(instruction, text)


def _plain(language: Language, text: str) -> Words:
    """Return the words of a text without polite ones."""
    return read_tags(text, language).plain_words


def _is_piece(piece: str, text: str) -> bool:
    """Return whether a text stands in another, word by word."""
    inner, outer = _spoken(piece), _spoken(text)
    return any(outer[n : n + len(inner)] == inner for n in range(len(outer)))


def _spoken(text: str) -> list[str]:
    """Return what stands between spaces, without the marks that end it; "-5" and "5%" stay whole."""
    return [word.rstrip(",;.!?").casefold() for word in text.split()]

"""Gatekeeper tier: the owner's service chooses the agent of each open part (V2 routing, GatekeeperRouter)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..home.names import Words, words_of
from ..nlu.loader import Language
from .choice import answering_cards
from .cleaning import clean
from .gatekeeper_client import GatekeeperClient
from .gatekeeper_protocol import GatekeeperError, RouteRequest, RouteResponse, available_agents
from .log import log_routing_decision
from .models import Assignment, Measure, Source
from .router import Part, RoutingRequest

MAX_REASON = 300
"""Characters of a gatekeeper's reasoning that are kept."""


@dataclass(frozen=True, slots=True)
class GatekeeperRouter:
    """Assigns the parts a gatekeeper is sure about; an error leaves a part to the next router."""

    client: GatekeeperClient

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
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
            routed[place] = Part(text, assignment)
        return routed


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
    return words_of(language.courtesy.strip(text))


def _is_piece(piece: str, text: str) -> bool:
    """Return whether a text stands in another, word by word."""
    inner, outer = _spoken(piece), _spoken(text)
    return any(outer[n : n + len(inner)] == inner for n in range(len(outer)))


def _spoken(text: str) -> list[str]:
    """Return what stands between spaces, without the marks that end it; "-5" and "5%" stay whole."""
    return [word.rstrip(",;.!?").casefold() for word in text.split()]

"""The router protocol: a request, its parts, and who is to answer each of them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, override

from homeassistant.components.conversation import ConversationInput

from ..agents.models import ALL_ELIGIBLE, AgentCard, Eligibility
from ..domains.models import Command
from ..home.speaker import FULL_RIGHTS, Rights
from ..llm.client import ModelClient
from ..nlu.loader import Language
from ..options import RouterOptions
from .models import Assignment, Route, Source

MAX_MENDED = 5
"""Readings of a sentence with a misheard name put right; each costs as much as the sentence itself."""


@dataclass(slots=True)
class ReadingBudget:
    """Remaining steps of reading that may be spent on one sentence by all routers together.

    `mended` counts the readings with a misheard name put right.
    """

    mended: int = MAX_MENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRequest:
    """A sentence, and all that routers know of it.

    `area_id` is the speaker's area, `rights` what they may see. `timeout` is in seconds, for one model
    call. `escalation` is the model to ask where `model` is unsure or fails. `memory` sums up the last
    turns, for the prompt. `success` weighs agents by how they did before. `cards` are those of eligible
    agents; `barred_cards` those of agents that are not eligible: what would be theirs is nobody else's.
    In a trial (`is_trial`) only the model decides, whatever was learned. A model that `is_capable` splits a
    sentence itself; `area` is the name of the speaker's area, for its prompt. All parts share a `budget`.
    """

    user_input: ConversationInput
    language: Language
    cards: Sequence[AgentCard]
    area_id: str | None = None
    rights: Rights = FULL_RIGHTS
    model: ModelClient | None = None
    timeout: float = 30.0
    options: RouterOptions = field(default_factory=RouterOptions)
    escalation: ModelClient | None = None
    memory: str = ""
    success: Mapping[str, float] = field(default_factory=dict)
    barred_cards: Sequence[AgentCard] = ()
    eligibility: Eligibility = ALL_ELIGIBLE
    is_trial: bool = False
    is_capable: bool = False
    area: str = ""
    budget: ReadingBudget = field(default_factory=ReadingBudget, compare=False)

    @property
    def known_cards(self) -> Sequence[AgentCard]:
        """Return the cards of all agents, eligible or not."""
        return (*self.cards, *self.barred_cards)

    def card_for(self, intent: Command) -> AgentCard | None:
        """Return the card of the agent that declares an intent and acts on the domains of all its targets."""
        domains = {target.partition(".")[0] for target in intent.targets}
        return next(
            (
                card
                for card in self.known_cards
                if domains and intent.name in card.intents and domains <= card.domains
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class RoutedPart:
    """A part of a sentence, word for word, with its assignment once it has one.

    It `is_unread` where it was read word by word in vain, and `is_for_model` where only a model may read it.
    """

    text: str
    assignment: Assignment | None = None
    is_unread: bool = False
    is_for_model: bool = False

    def assigned(
        self,
        agent_id: str,
        source: Source,
        reason: str,
        *,
        intent: Command | None = None,
        known: tuple[Command, ...] = (),
    ) -> RoutedPart:
        """Return the part assigned with certainty, its own text as the instruction."""
        assignment = Assignment(
            agent_id=agent_id,
            instruction=self.text,
            source=source,
            reason=reason,
            intent=intent,
            known=known,
        )
        return RoutedPart(self.text, assignment)


class Router(Protocol):
    """Assigns parts of a sentence to agents."""

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> Sequence[RoutedPart]:
        """Return the parts, with as many of them assigned as this router is sure of.

        A part that is assigned already stays as it is, unless this router knows better that a
        question is to be asked; a router may split an open part.
        """
        ...


class OpenPartRouter(ABC, Router):
    """Router that reads each open part by itself."""

    @override
    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts, each open one as this router reads it."""
        routed: list[RoutedPart] = []
        for part in parts:
            is_taken = part.assignment or part.is_for_model
            routed += [part] if is_taken else await self._async_route_part(request, part)
        return routed

    @abstractmethod
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return an open part, assigned if this router is sure of it, or split into requests."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """Routers in order, cheapest first; a part that none of them takes goes to the default agent."""

    routers: Sequence[Router]
    default_agent_id: str

    async def async_route(self, request: RoutingRequest) -> Route:
        """Return the route: an agent for each part of the sentence."""
        parts: Sequence[RoutedPart] = (RoutedPart(request.user_input.text),)
        for router in self.routers:
            parts = await router.async_route(request, parts)
        return Route(tuple(part.assignment or self._default(part) for part in parts))

    def _default(self, part: RoutedPart) -> Assignment:
        """Return the assignment of a part that no router took."""
        return Assignment(
            agent_id=self.default_agent_id,
            instruction=part.text,
            confidence=0.0,
            source=Source.DEFAULT,
            reason="No router was sure.",
        )

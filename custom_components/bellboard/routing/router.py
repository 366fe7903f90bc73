"""What every router is asked and answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from homeassistant.components.conversation import ConversationInput

from ..agents.models import ALL_ELIGIBLE, AgentCard, Eligibility
from ..home.rights import EVERYTHING, Rights
from ..llm.client import ModelClient
from ..nlu.loader import Language
from ..options import RouterOptions
from ..plans.models import RecognizedIntent
from .models import Assignment


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRequest:
    """A sentence and who is there to answer it.

    `area_id` is where the speaker is, `rights` are what they may see.
    `model` is None where there is none. `timeout` is in seconds,
    for one model call. `escalation` is the model to ask where the first one is unsure or fails.
    `memory` tells of the last turns, for the prompt. `success` weighs agents by how they did before.
    `cards` are those of the agents that may be chosen; `barred_cards` those of agents that are there
    and are not eligible: what would be theirs is nobody else's. In a trial the model is asked whatever
    was learnt; without a model nobody is asked then.
    """

    user_input: ConversationInput
    language: Language
    cards: Sequence[AgentCard]
    area_id: str | None = None
    rights: Rights = EVERYTHING
    model: ModelClient | None = None
    timeout: float = 30.0
    options: RouterOptions = field(default_factory=RouterOptions)
    escalation: ModelClient | None = None
    memory: str = ""
    success: Mapping[str, float] = field(default_factory=dict)
    barred_cards: Sequence[AgentCard] = ()
    eligibility: Eligibility = ALL_ELIGIBLE
    is_trial: bool = False

    @property
    def known_cards(self) -> Sequence[AgentCard]:
        """Return the cards of all agents that are there, eligible or not."""
        return (*self.cards, *self.barred_cards)

    def card_for(self, intent: RecognizedIntent) -> AgentCard | None:
        """Return the card of the agent that declares an intent and acts on all that it is for."""
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
class Part:
    """A part of a sentence, word for word, with its assignment once it has one."""

    text: str
    assignment: Assignment | None = None


class Router(Protocol):
    """Assigns parts of a sentence to agents."""

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> Sequence[Part]:
        """Return the parts, with as many of them assigned as this router is sure of.

        A part that is assigned already stays as it is, unless this router knows better that a
        question is to be asked; a router may split an open part.
        """
        ...

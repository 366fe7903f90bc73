"""Decides about single sentences as Bellboard does, and keeps what the model was and said.

The routers are Bellboard's own, in its order, but for Home Assistant's recogniser: what is measured
is who decides where Home Assistant understands nothing. No threshold holds a decision back.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
import time
from typing import Any

import aiohttp
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context

from custom_components.bellboard.agents.general import GeneralAgent
from custom_components.bellboard.agents.home import HomeAgent
from custom_components.bellboard.assistant import SPECIALISTS
from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.logprobs import choice_distribution
from custom_components.bellboard.llm.models import Completion, Delta, Message
from custom_components.bellboard.llm.providers import create_client
from custom_components.bellboard.nlu.loader import Language, _load
from custom_components.bellboard.options import RouterOptions
from custom_components.bellboard.routing.choice import answering_cards
from custom_components.bellboard.routing.evidence import Evidence, read_evidence
from custom_components.bellboard.routing.guard import GuardRouter
from custom_components.bellboard.routing.llm import ModelRouter
from custom_components.bellboard.routing.models import Assignment
from custom_components.bellboard.routing.prompt import shown_name
from custom_components.bellboard.routing.router import Cascade, Router, RoutingRequest
from custom_components.bellboard.routing.vocabulary import VocabularyRouter

CARDS = (*(agent.card for agent in SPECIALISTS), HomeAgent.card, GeneralAgent.card)
OPTIONS = RouterOptions(confidence_threshold=0)
SECONDS = 60.0


class ListeningClient:
    """A model client that keeps the answers it was given since they were last taken."""

    def __init__(self, client: ModelClient) -> None:
        """Wrap a client."""
        self._client = client
        self.provider = client.provider
        self.model = client.model
        self.heard: list[Completion] = []

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """List models."""
        return await self._client.list_models(timeout=timeout)

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask for a whole answer and keep it."""
        completion = await self._client.complete(messages, **options)
        self.heard.append(completion)
        return completion

    def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece; not kept."""
        return self._client.stream(messages, **options)

    def take(self) -> list[Completion]:
        """Return the answers heard and forget them."""
        heard, self.heard = self.heard, []
        return heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision. `ms` is its time in milliseconds.

    `evidence` is what was read from the model's answer before calibration, None where no model was
    asked or it told no probabilities.
    """

    assignment: Assignment
    ms: float
    evidence: Evidence | None = None
    completions: Sequence[Completion] = ()


@dataclass(frozen=True, slots=True)
class Decider:
    """Decides about sentences in one language with one model."""

    model: ListeningClient
    language: Language
    router: Cascade
    options: RouterOptions = OPTIONS

    async def async_decide(self, text: str) -> Decided:
        """Return who should answer a sentence."""
        request = self.request(text)
        self.model.take()
        started = time.perf_counter()
        route = await self.router.async_route(request)
        ms = (time.perf_counter() - started) * 1000
        heard = self.model.take()
        evidence = self._evidence(text, heard[-1]) if heard else None
        return Decided(
            assignment=route.assignments[0], ms=ms, evidence=evidence, completions=tuple(heard)
        )

    def request(self, text: str) -> RoutingRequest:
        """Return what the routers are asked about a sentence."""
        return RoutingRequest(
            user_input=ConversationInput(
                text=text,
                context=Context(),
                conversation_id=None,
                device_id=None,
                satellite_id=None,
                language=self.language.code,
                agent_id="benchmark",
            ),
            language=self.language,
            cards=CARDS,
            model=self.model,
            timeout=SECONDS,
            options=self.options,
        )

    def _evidence(self, text: str, completion: Completion) -> Evidence | None:
        """Return what the model router reads from an answer."""
        cards = answering_cards(self.language, CARDS, [text])
        names = {shown_name(self.options, card.id): card.id for card in cards}
        found = choice_distribution(completion, "agentId", list(names))
        if found is None:
            return None
        by_agent = {agent: found[name] for name, agent in names.items()}
        return read_evidence(self.language, cards, text, by_agent, {})


def all_routers() -> list[Router]:
    """Return Bellboard's routers in order, but for Home Assistant's recogniser."""
    return [GuardRouter(), VocabularyRouter(), ModelRouter()]


@asynccontextmanager
async def open_decider(
    url: str, routers: Sequence[Router], *, language: str = "en", model: str | None = None
) -> AsyncGenerator[Decider]:
    """Give a decider with the model at an address: the one named, or the first it offers."""
    async with aiohttp.ClientSession() as session:
        if model is None:
            model, *_ = await create_client("openai", session, url=url).list_models()
        client = ListeningClient(create_client("openai", session, url=url, model=model))
        yield Decider(client, _load(language), Cascade(routers))

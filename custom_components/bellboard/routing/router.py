"""The router protocol, the cascade of routers, and the eligibility of the route they make.

Parts for agents or intents that are not eligible are declined. They are given to nobody else: least of all to Home
Assistant's own agent, which could do them too. A part that is read without a model, and only for devices of one
agent's scope, is assigned to that agent.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self, override

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant

from ..agents.models import ALL_ELIGIBLE, NOBODY, AgentCard, Eligibility
from ..domains.models import Command
from ..domains.registry import intents_of_action, read_intent, table_of
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..home.speaker import FULL_RIGHTS, Rights
from ..llm.client import ModelClient
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.recognition import async_recognize, to_recognized_intent
from ..options import RouterOptions, fill_template
from .evidence import spoken_agents
from .log import log_no_agents
from .models import Assignment, Measure, Route, Source

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
    sentence itself; `area` is the name of the speaker's area, for its prompt, and `rooms` the home in one line a
    room. Who talks `has_tools` of others, too; `tools` are the names of those that are not in every home. All parts
    share a `budget`.
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
    rooms: str = ""
    has_tools: bool = False
    tools: Sequence[str] = ()
    budget: ReadingBudget = field(default_factory=ReadingBudget, compare=False)

    @property
    def is_split_by_model(self) -> bool:
        """Return whether the model splits the sentence and says what is for later: the contract's choice cannot."""
        return self.is_capable and self.options.default_prompts != "contract"

    @property
    def known_cards(self) -> Sequence[AgentCard]:
        """Return the cards of all agents, eligible or not."""
        return (*self.cards, *self.barred_cards)

    @property
    def default_agent_id(self) -> str:
        """Return the id of the agent for what no other agent is for: the one that reaches all, by its card."""
        return next((card.id for card in self.known_cards if card.reaches_all), NOBODY)

    @property
    def talker_id(self) -> str:
        """Return the id of the agent that talks, by its card; "" where none may be asked."""
        return next((card.id for card in self.cards if card.talks), "")

    def agent_of(self, domain: str) -> str:
        """Return the id of the specialist of a domain, "" where there is none."""
        cards = (card for card in self.known_cards if not card.scope)
        return next((card.id for card in cards if domain in card.domains), "")

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
    `readings` are what it was read as, where that is left to a model, which is told it as a `hint`. One
    that `is_timed` says when.
    """

    text: str
    assignment: Assignment | None = None
    is_unread: bool = False
    is_for_model: bool = False
    hint: str = ""
    is_timed: bool = False
    readings: tuple[Assignment, ...] = ()

    def from_source(self, source: Source) -> Self:
        """Return the part with another source of its assignment, if it has one."""
        if self.assignment is None:
            return self
        return replace(self, assignment=replace(self.assignment, source=source))

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

    async def async_route(self, request: RoutingRequest) -> Route:
        """Return the route: an agent for each part of the sentence."""
        parts: Sequence[RoutedPart] = (RoutedPart(request.user_input.text),)
        for router in self.routers:
            parts = await router.async_route(request, parts)
        return Route(tuple(part.assignment or _default(request, part) for part in parts))


def _default(request: RoutingRequest, part: RoutedPart) -> Assignment:
    """Return the assignment of a part that no router took."""
    return Assignment(
        agent_id=request.default_agent_id,
        instruction=part.text,
        confidence=0.0,
        source=Source.DEFAULT,
        reason="No router was sure.",
    )


NO_AGENTS = "No registered agents available for routing."
NOT_HERE = "decline.not_here"
NOT_THERE = "plan.nothing_at_all"
TOO_LONG = "decline.too_long"
WHICH_UNIT = "decline.which_unit"

_REASONS = {
    NOT_HERE: "Whoever it is for is not eligible here and now.",
    TOO_LONG: "It is too long to be read.",
    WHICH_UNIT: "It does not say what the number is of.",
}


def declined(instruction: str, decline: str = NOT_HERE, reason: str = "") -> Assignment:
    """Return the assignment of an instruction that is declined.

    `decline` is the key of the reply that says why, `reason` the same in plain English for traces.
    """
    return Assignment(
        agent_id=NOBODY,
        instruction=instruction,
        source=Source.GUARD,
        reason=reason or _REASONS[decline],
        decline=decline,
    )


def fall_back(
    options: RouterOptions, text: str, reason: str, decline: str | None = None
) -> Assignment:
    """Return the assignment of a request to the fallback agent; `decline` says what the user is told of the cause."""
    template = options.fallback_reason_template
    return Assignment(
        agent_id=options.fallback_agent_id,
        instruction=text,
        confidence=0.0,
        source=Source.FALLBACK,
        measure=Measure.NONE,
        reason=reason,
        decline=decline,
        words=fill_template(template, reason=reason, request=text) if template else "",
    )


def reply_directly(
    instruction: str,
    words: str,
    reason: str,
    source: Source = Source.GUARD,
    *,
    topic: str = "nothing",
) -> Assignment:
    """Return the assignment of an instruction that is done with the reply `words`; `topic` is what it is about."""
    return Assignment(
        agent_id=NOBODY,
        instruction=instruction,
        source=source,
        reason=reason,
        words=words,
        has_reply=True,
        topic=topic,
    )


async def async_keep_eligible(
    hass: HomeAssistant, catalog: Catalog, request: RoutingRequest, route: Route
) -> Route:
    """Return the route with each part given to its owner, or declined if that is barred or its intent is.

    Where there is no agent at all, the fallback agent gets each part with that reason.
    """
    if not request.cards:
        log_no_agents()
        return Route(tuple(_without_agents(request, part) for part in route.assignments))
    route = assign_by_device_scope(request.known_cards, catalog, route)
    if request.eligibility.is_full:
        return route
    kept: list[Assignment] = []
    for part in route.assignments:
        is_barred = await _async_is_barred(hass, catalog, request, part)
        kept.append(declined(part.instruction) if is_barred else part)
    return Route(tuple(kept))


def _without_agents(request: RoutingRequest, part: Assignment) -> Assignment:
    """Return a part for which there is no agent: none is registered, or rules keep all of them from the speaker."""
    decline = NOT_HERE if request.barred_cards else None
    found = fall_back(request.options, part.instruction, NO_AGENTS, decline)
    return (
        found if request.eligibility.has_agent(found.agent_id) else replace(found, agent_id=NOBODY)
    )


async def _async_is_barred(
    hass: HomeAssistant, catalog: Catalog, request: RoutingRequest, part: Assignment
) -> bool:
    """Return whether a part is for an agent or an intent that is not eligible.

    Where nothing was recognised so far, Home Assistant's recogniser is asked: its own agent asks it, too, before
    it acts.
    """
    if part.agent_id == NOBODY:
        return False
    if not request.eligibility.has_agent(part.agent_id):
        return True
    reaches_all = any(card.reaches_all for card in request.known_cards if card.id == part.agent_id)
    intent = part.intent
    if intent is None and (reaches_all or request.eligibility.barred_intents):
        result = await async_recognize(hass, request.user_input, part.instruction)
        intent = to_recognized_intent(hass, result, request.area_id) if result else None
    if intent is None:
        return reaches_all and _speaks_of_barred(catalog, request, part)
    if not all(map(request.eligibility.has_intent, _intents_of(intent))):
        return True
    return reaches_all and _is_of_barred(request, intent)


def _intents_of(intent: Command) -> frozenset[str]:
    """Return the name of an intent, and those of Home Assistant's that come to the same action."""
    action = intent.name.partition("/")[2]
    domains = {target.partition(".")[0] for target in intent.targets} if action else ()
    return frozenset({intent.name}).union(*(intents_of_action(d, action) for d in domains))


def _is_of_barred(request: RoutingRequest, intent: Command) -> bool:
    """Return whether an intent is a barred agent's, for at least one of its entities.

    Where it is not known what the intent is for, it may be for these.
    """
    domains = {target.partition(".")[0] for target in intent.targets}
    names = _intents_of(intent)
    return any(
        not names.isdisjoint(card.intents) and (not domains or domains & card.domains)
        for card in request.barred_cards
    )


def _speaks_of_barred(catalog: Catalog, request: RoutingRequest, part: Assignment) -> bool:
    """Return whether a request is about a barred agent's entities: by vocabulary, by name, or "all".

    Home Assistant's agent may find a way to do what its recogniser does not understand. A question
    only tells something.
    """
    language = request.language
    acting = [card for card in request.barred_cards if card.domains]
    if not acting or read_tags(part.instruction, language).begins_like_question:
        return False
    words = words_of(part.instruction)
    is_command = not language.verbs.isdisjoint(words[:1])
    is_of_all = is_command and not language.everywhere.isdisjoint(words)
    if is_of_all or spoken_agents(language, acting, part.instruction):
        return True
    return any(
        isinstance(meaning, CatalogEntity)
        for card in acting
        for domain in card.domains
        for found in catalog.named(domain).find(words)
        for meaning in found.meanings
    )


def assign_by_device_scope(cards: Iterable[AgentCard], catalog: Catalog, route: Route) -> Route:
    """Return a route with each part given to the agent whose scope has all of its targets, if there is one."""
    owners = [card for card in cards if card.scope]
    if not owners:
        return route
    return Route(tuple(_handed(owners, catalog, part) for part in route.assignments))


def _handed(owners: Iterable[AgentCard], catalog: Catalog, part: Assignment) -> Assignment:
    """Return a part, given to its owner if it has one."""
    intent = part.intent
    targets = [catalog.entities.get(target) for target in intent.targets] if intent else []
    entities = [entity for entity in targets if entity]
    domains = {entity.domain for entity in entities}
    if intent is None or len(entities) < len(targets) or len(domains) != 1:
        return part
    owner = next(
        (card for card in owners if card.scope and all(map(card.scope.covers, entities))), None
    )
    found = _as_own(intent, domains.pop()) if owner else None
    if owner is None or found is None or owner.id == part.agent_id:
        return part
    name, slots = found
    own = replace(intent, name=f"{owner.id}/{name}", parameters=slots)
    return replace(part, agent_id=owner.id, intent=own)


def _as_own(intent: Command, domain: str) -> tuple[str, dict[str, object]] | None:
    """Return the action of a domain's table that an intent is, with its parameters; None where it is none."""
    table = table_of(domain)
    _, _, name = intent.name.partition("/")
    if table is None or (name and not intent.missing and table.action(name) is None):
        return None
    if name:
        return name, dict(intent.parameters)
    return read_intent(table.plannable_actions, intent.name, intent.parameters)

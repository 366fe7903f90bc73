"""The decision which agents should answer a sentence, made without answering it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
import logging
import time
from zlib import crc32

from homeassistant.components.conversation import ConversationInput

from ..agents.eligibility import SpeakerContext
from ..agents.llm_api_tools import async_tool_names
from ..agents.models import ALL_ELIGIBLE, AgentCard, AgentOffer, Eligibility
from ..assistant import UNROUTED_AGENTS, Assistant
from ..home.catalog import Catalog
from ..home.speaker import Rights, async_rights, speaker_area
from ..llm.ability import Contract
from ..llm.client import ModelClient
from ..llm.port import ModelPort, ModelUse, no_span
from ..nlu.loader import async_get_language
from ..nlu.tokens import normalised
from ..options import RouterOptions
from ..routing.models import Assignment, Route, Source
from ..routing.router import RoutedPart, RoutingRequest, async_keep_eligible
from ..routing.yielding import YieldingRouter
from ..telemetry.otel import NO_INSTRUMENTS, correlation_span, record_decision, routing_span

type ReadParts = Callable[[RoutingRequest], Awaitable[Sequence[RoutedPart]]]
"""Reads the parts of a sentence, [] where it does not understand it."""

READ_SOURCES = frozenset({Source.REFLEX, Source.READER})
"""Sources that read a sentence without a model."""

_LOGGER = logging.getLogger("custom_components.bellboard.routing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A routing decision: an agent for each part of a sentence, with time and model usage.

    `cards` are those of the agents that could be chosen, `eligibility` what was kept from all others.
    `use` counts the calls to the model that
    the decision took; `ms` is its time in milliseconds. `variant` is "b" where the turn is one of
    those that try another prompt or model, else "a".
    """

    route: Route
    cards: tuple[AgentCard, ...]
    use: ModelUse
    ms: float
    variant: str = "a"
    eligibility: Eligibility = ALL_ELIGIBLE

    @property
    def source(self) -> Source:
        """Return the source of the decision about the first part."""
        return self.route.assignments[0].source

    @property
    def tier(self) -> str:
        """Return the router that decided about the first part: falling back is the model router's."""
        return (Source.MODEL if self.source is Source.FALLBACK else self.source).value


async def async_decide(
    assistant: Assistant,
    user_input: ConversationInput,
    *,
    memory: str = "",
    use: ModelUse | None = None,
) -> Decision:
    """Decide who answers a sentence. Nothing is carried out, and no task is touched.

    `memory` tells of the last turn of the conversation. `use` is where calls to the model are
    counted, a new count by default.
    """
    started = time.perf_counter()
    use = ModelUse() if use is None else use
    options = assistant.options
    log_utterance(user_input.text, reveal=options.debug_text)
    catalog = await assistant.catalog.async_get()
    variant = variant_of(options.router, str(user_input.conversation_id))
    request = await _async_request(assistant, user_input, catalog)
    area = catalog.areas.get(request.area_id or "")
    is_capable = _routing_contract(assistant, variant) is Contract.CAPABLE
    request = replace(
        request,
        model=port_to(assistant, routing_model(assistant, variant), use),
        timeout=options.routing_timeout,
        options=_options(options.router, variant),
        escalation=port_to(assistant, assistant.models.escalation, use),
        memory=memory if options.router.use_history else "",
        success=assistant.record.weights() if options.router.learn_from_success else {},
        is_trial=variant == "b",
        is_capable=is_capable,
        rooms=request.rights.readable(catalog).overview if is_capable else "",
        has_tools=bool(options.tools.llm_hass_api),
        tools=await _async_tools(assistant, user_input, request.rights) if is_capable else (),
        area=area.name if area else "",
    )
    measured = options.dispatch.enable_telemetry
    span_of = routing_span if measured else NO_INSTRUMENTS.routing_span
    with span_of(available=len(request.cards)) as span:
        route = await assistant.router.async_route(request)
        route = await async_keep_eligible(assistant.hass, catalog, request, route)
        span.decided(route.choice)
    ms = round((time.perf_counter() - started) * 1000, 2)
    return Decision(
        route=route,
        cards=tuple(request.cards),
        use=use,
        ms=ms,
        variant=variant,
        eligibility=request.eligibility,
    )


async def _async_tools(
    assistant: Assistant, user_input: ConversationInput, rights: Rights
) -> Sequence[str]:
    """Return the names of the tools that a capable model may use for what is said."""
    chosen = assistant.options.tools.llm_hass_api
    return await async_tool_names(assistant.hass, user_input, rights, chosen)


async def async_understand(assistant: Assistant, user_input: ConversationInput) -> Route:
    """Return how a sentence is understood without asking anybody. Nothing is carried out."""
    catalog = await assistant.catalog.async_get()
    request = replace(await _async_request(assistant, user_input, catalog), is_trial=True)
    route = await assistant.router.async_route(request)
    return await async_keep_eligible(assistant.hass, catalog, request, route)


async def async_read_with(
    assistant: Assistant, user_input: ConversationInput, read: ReadParts
) -> tuple[Assignment, ...]:
    """Return who does what a sentence comes to as it is read without asking anybody; () for nothing.

    `read` returns its parts; those of agents that are not eligible are declined.
    """
    catalog = await assistant.catalog.async_get()
    request = await _async_request(assistant, user_input, catalog)
    parts = await read(request)
    if not (assigned := tuple(part.assignment for part in parts if part.assignment)):
        return ()
    route = await async_keep_eligible(assistant.hass, catalog, request, Route(assigned))
    return route.assignments


async def async_stands(
    assistant: Assistant, request: RoutingRequest, parts: Sequence[RoutedPart]
) -> bool:
    """Return whether parts of a sentence are done or answered as they were read, and not left to a capable model."""
    variant = variant_of(assistant.options.router, str(request.user_input.conversation_id))
    request = replace(
        request,
        model=routing_model(assistant, variant),
        is_capable=_routing_contract(assistant, variant) is Contract.CAPABLE,
    )
    left = await YieldingRouter(assistant.hass, assistant.reader).async_route(request, parts)
    return not any(part.readings for part in left)


async def async_if_eligible(
    assistant: Assistant, user_input: ConversationInput, part: Assignment
) -> Assignment:
    """Return a part, declined where its agent may not have it here and now."""
    catalog = await assistant.catalog.async_get()
    request = await _async_request(assistant, user_input, catalog)
    route = await async_keep_eligible(assistant.hass, catalog, request, Route((part,)))
    return route.assignments[0]


async def async_eligible_cards(
    assistant: Assistant, user_input: ConversationInput
) -> Sequence[AgentCard]:
    """Return the cards of the agents that may be chosen for whoever says something here and now."""
    request = await _async_request(assistant, user_input, await assistant.catalog.async_get())
    return request.cards


async def _async_request(
    assistant: Assistant, user_input: ConversationInput, catalog: Catalog
) -> RoutingRequest:
    """Return a sentence with who is there to answer it, and without a model to ask."""
    user_input = replace(user_input, text=normalised(user_input.text))
    eligibility = eligibility_of(assistant, user_input)
    there = [
        card
        for card in assistant.registry.cards(catalog.by_domain)
        if card.id not in UNROUTED_AGENTS
    ]
    return RoutingRequest(
        user_input=user_input,
        language=await async_get_language(assistant.hass, user_input.language),
        cards=tuple(card for card in there if eligibility.has_agent(card.id)),
        area_id=speaker_area(assistant.hass, user_input.satellite_id, user_input.device_id),
        options=assistant.options.router,
        rights=await async_rights(assistant.hass, user_input.context.user_id),
        barred_cards=[card for card in there if not eligibility.has_agent(card.id)],
        eligibility=eligibility,
    )


def eligibility_of(assistant: Assistant, user_input: ConversationInput) -> Eligibility:
    """Return the agents and intents eligible for a sentence by the assistant's registry."""
    return assistant.intents.eligibility(SpeakerContext.of(assistant.hass, user_input))


def is_barred(assistant: Assistant, user_input: ConversationInput, agent_id: str) -> bool:
    """Return whether the assistant's rules keep an agent from a sentence."""
    return not eligibility_of(assistant, user_input).has_agent(agent_id)


def offered_agent(
    assistant: Assistant, user_input: ConversationInput, *, is_away: bool = False
) -> AgentOffer | None:
    """Return the agent that is offered where it is not known what was meant: rather one that talks.

    Who does not talk has nothing but its own sentences without a capable model, and these were tried before. None is
    offered whose model is the one that routes where that `is_away`.
    """
    eligibility, models = eligibility_of(assistant, user_input), assistant.models

    def is_able(card: AgentCard) -> bool:
        own = assistant.own_model_of(card.id)
        client = own.client if own else models.main
        is_there = client is not None and not (is_away and client is models.routing)
        return is_there and (card.talks or models.is_capable)

    cards = (agent.card for agent in assistant.registry)
    offered = [card for card in cards if card.offer and eligibility.has_agent(card.id)]
    able = [card for card in offered if is_able(card)]
    card = next((card for card in able if card.talks), next(iter(able), None))
    return AgentOffer(card.id, card.offer) if card else None


def note_decision(assistant: Assistant, decision: Decision) -> None:
    """Count a decision that was acted on, in the statistics and, where wanted, the metrics."""
    if assistant.options.dispatch.enable_telemetry:
        record_decision(decision.route.choice, decision.ms)
    assistant.statistics.record(decision.route, decision.ms)


def variant_of(options: RouterOptions, conversation_id: str) -> str:
    """Return which of two variants a conversation is routed with: always the same for one."""
    return "b" if crc32(conversation_id.encode()) % 100 < options.trial_share else "a"


def _options(options: RouterOptions, variant: str) -> RouterOptions:
    """Return the router's options for a variant."""
    if variant == "b" and options.trial_prompt:
        return options.model_copy(update={"system_prompt": options.trial_prompt})
    return options


def routing_model(assistant: Assistant, variant: str) -> ModelClient | None:
    """Return the model that routes a variant."""
    return assistant.models.trial if variant == "b" else assistant.models.routing


def _routing_contract(assistant: Assistant, variant: str) -> Contract:
    """Return what the model that routes a variant is asked."""
    models = assistant.models
    return models.trial_contract if variant == "b" else models.routing_contract


def port_to(assistant: Assistant, model: ModelClient | None, *uses: ModelUse) -> ModelPort | None:
    """Return the port through which a turn asks a model; each call is added to `uses`."""
    if model is None:
        return None
    is_measured = assistant.options.dispatch.enable_telemetry
    return ModelPort(model, *uses, span=correlation_span if is_measured else no_span)


def log_utterance(text: str, *, reveal: bool) -> None:
    """Log a sentence's length, with `reveal` the sentence."""
    if reveal:
        _LOGGER.debug("Heard %r", text)
    else:
        _LOGGER.debug("Heard %d characters", len(text))

"""Eligibility of a route: parts for agents or intents that are not eligible are declined.

They are given to nobody else: least of all to Home Assistant's own agent, which could do them too. A part that is
read without a model, and only for devices of one agent's scope, is assigned to that agent.
"""

from collections.abc import Iterable
from dataclasses import replace

from homeassistant.core import HomeAssistant

from ..agents.models import NOBODY, AgentCard
from ..domains.models import Command
from ..domains.registry import intents_of_action, read_intent, table_of
from ..home.catalog import Catalog, CatalogEntity
from ..home.names import words_of
from ..nlu.reading import read_tags
from ..nlu.recognition import async_recognize, to_recognized_intent
from .evidence import spoken_agents
from .models import Assignment, Route, Source
from .router import RoutingRequest

NOT_HERE = "decline.not_here"
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
    """Return the route with each part given to its owner, or declined if that is barred or its intent is."""
    route = assign_by_device_scope(request.known_cards, catalog, route)
    if request.eligibility.is_full:
        return route
    kept: list[Assignment] = []
    for part in route.assignments:
        is_barred = await _async_is_barred(hass, catalog, request, part)
        kept.append(declined(part.instruction) if is_barred else part)
    return Route(tuple(kept))


async def _async_is_barred(
    hass: HomeAssistant, catalog: Catalog, request: RoutingRequest, part: Assignment
) -> bool:
    """Return whether a part is for an agent or an intent that is not eligible.

    Where nothing was recognised so far, Home Assistant's recogniser is asked: its own agent asks it, too, before
    it acts.
    """
    if part.agent_id == NOBODY:
        return part.source is Source.FALLBACK and not request.cards
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

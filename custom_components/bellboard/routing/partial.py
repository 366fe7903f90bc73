"""Routes plain commands to things that are named by a part of their names, without a model.

"Turn on the lamp" is no sentence for Home Assistant where there is a floor lamp and a reading lamp.
Here it becomes a question which one, "turn on the lamps" a plan for both. A sentence in which a
word is left unexplained is not taken.
"""

from collections.abc import Mapping, Sequence

from homeassistant.const import STATE_PAUSED, STATE_PLAYING
from homeassistant.core import HomeAssistant

from ..agents.models import AgentCard
from ..home.catalog import CatalogEntity, CatalogSource
from ..home.intents import REQUIREMENTS
from ..home.parts import Meant, PartialNames
from ..home.phrases import Kind
from ..language.commands import PlainCommand
from ..language.loader import Language
from ..plans.models import RecognizedIntent
from .models import Assignment, Source
from .parts import split_requests
from .router import Part, RoutingRequest

_DOMAINS = frozenset(kind.domain for kind in Kind)
# What other domains can do too: their entities could be meant as well.
_SHARED_SERVICES: Mapping[str, str] = {
    "HassTurnOn": "turn_on",
    "HassTurnOff": "turn_off",
    "HassClimateSetTemperature": "set_temperature",
}


class PartialNameRouter:
    """Assigns commands whose target is found by a part of its name."""

    def __init__(self, hass: HomeAssistant, catalog: CatalogSource) -> None:
        """Remember where the names are."""
        self._hass = hass
        self._catalog = catalog

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Assign the open parts that are such commands, and ask where one of several was meant."""
        return [await self._async_route_part(request, part) for part in parts]

    async def _async_route_part(self, request: RoutingRequest, part: Part) -> Part:
        """Return a part with its agent and intent, if there is exactly one way to read it.

        For Home Assistant "the lamp in the living room" is every light there. Where only some of
        them have that name, it is asked which one.
        """
        if part.assignment and not _is_of_a_place(part.assignment):
            return part
        if not _may_be_plain(part.text, request.language):
            return part
        found: list[tuple[AgentCard, RecognizedIntent]] = []
        for command in request.language.commands.read(part.text):
            understood = await self._async_understand(request, command)
            if understood and understood not in found:
                found.append(understood)
        if len(found) != 1:
            return part
        card, intent = found[0]
        if part.assignment and not _is_one_of(intent, part.assignment):
            return part
        return Part(
            part.text,
            Assignment(
                agent_id=card.id,
                instruction=part.text,
                confidence=1.0,
                source=Source.PARTIAL,
                reason="A part of a name says what is meant.",
                intent=intent,
            ),
        )

    async def _async_understand(
        self, request: RoutingRequest, command: PlainCommand
    ) -> tuple[AgentCard, RecognizedIntent] | None:
        """Return the agent and the intent of a command, or None where its target is not found."""
        cards = {
            domain: card
            for card in request.known_cards
            if command.intent in card.intents
            for domain in card.domains & _DOMAINS & (_domains_of(command.intent) or _DOMAINS)
        }
        catalog = await self._catalog.async_get()
        service = _SHARED_SERVICES.get(command.intent)
        names = PartialNames(
            hass=self._hass,
            catalog=catalog,
            language=request.language.phrases,
            domains=cards,
            rivals=[
                domain
                for domain in catalog.by_domain.keys() - cards.keys()
                if service and self._hass.services.has_service(domain, service)
            ],
            area_id=request.area_id,
        )
        if (meant := names.find(command.target)) is None:
            return None
        targets = self._apt(command.intent, meant)
        intent = RecognizedIntent(
            command.intent,
            dict(command.slots),
            tuple(entity.entity_id for entity in targets),
            is_ambiguous=len(targets) > 1 and not meant.is_plural,
        )
        return cards[targets[0].domain], intent

    def _apt(self, intent: str, meant: Meant) -> Sequence[CatalogEntity]:
        """Return the entities an intent is for: those that can do it, and players at work.

        As with Home Assistant's own intents, what plays is paused, and of several players the one
        that plays is meant.
        """
        requirement = REQUIREMENTS[intent]
        feature = requirement.features or 0
        able = [e for e in meant.entities if self._features(e) & feature] or meant.entities
        if "media_player" not in (requirement.domains or ()):
            return able
        wanted = STATE_PAUSED if intent == "HassMediaUnpause" else STATE_PLAYING
        active = [e for e in able if self._hass.states.is_state(e.entity_id, wanted)]
        if intent in {"HassMediaPause", "HassMediaUnpause"}:
            return active or able
        return active if len(active) == 1 and not meant.is_plural else able

    def _features(self, entity: CatalogEntity) -> int:
        """Return the features of an entity, as a bit set."""
        state = self._hass.states.get(entity.entity_id)
        return int(state.attributes.get("supported_features", 0)) if state else 0


def _is_of_a_place(assignment: Assignment) -> bool:
    """Return whether an assignment is for several things of a place, none of which was named."""
    intent = assignment.intent
    return intent is not None and len(intent.targets) > 1 and "name" not in intent.slots


def _is_one_of(intent: RecognizedIntent, assignment: Assignment) -> bool:
    """Return whether an intent is for one of some of the things that an assignment is for."""
    known = assignment.intent
    return (
        known is not None
        and intent.is_ambiguous
        and intent.name == known.name
        and set(intent.targets) < set(known.targets)
    )


def _domains_of(intent: str) -> frozenset[str] | None:
    """Return the domains an intent is for, or None where it is for any."""
    return REQUIREMENTS[intent].domains


def _may_be_plain(text: str, language: Language) -> bool:
    """Return whether a text can be one plain command that is to be carried out now."""
    if any(pattern.search(text) for pattern in language.guards.values()):
        return False
    is_asked = "?" in text and not language.commands.is_request(text)
    if is_asked or language.is_question(text):
        return False
    return len(split_requests(text, language)) == 1

"""Partial-name tier: plain commands whose target is found by a part of its name, without a model.

"Turn on the lamp" is no sentence for Home Assistant where there is a floor lamp and a reading lamp.
Here it becomes a question which one, "turn on the lamps" a plan for both. A sentence in which a
word is left unexplained is not taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from homeassistant.const import STATE_ON, STATE_PAUSED, STATE_PLAYING
from homeassistant.core import HomeAssistant

from ..agents.models import AgentCard
from ..domains.light import LIGHT
from ..domains.media_player import MEDIA_PLAYER
from ..domains.registry import GENERIC_INTENTS, intents_of_specialists
from ..home.catalog import Catalog, CatalogEntity, CatalogSource
from ..home.names import words_of
from ..nlu.commands import CommandMatch
from ..nlu.device_kinds import NamedKinds
from ..nlu.implicit_targets import choose_player, filter_by_state, find_implicit_targets
from ..nlu.intents import TargetRequirement, find_table_requirement
from ..nlu.loader import Language
from ..nlu.partial_names import NameMatch, PartialNames
from ..nlu.phrases import DeviceKind
from ..plans.models import RecognizedIntent
from .models import Assignment, Source
from .parts import split_requests
from .router import Part, RoutingRequest

_DOMAINS = frozenset(kind.domain for kind in DeviceKind)
_DIMMING = "light-agent/change_brightness"
_SEARCH = "HassMediaSearchAndPlay"
# With these "the music" is one player's, whatever else is on in the room.
_PLAYERS = frozenset({"media_player"})
_OF_PLAYERS = MEDIA_PLAYER.intents - GENERIC_INTENTS.keys()
# With these the verb says what a thing must be able to do: "heat the office".
_SWITCHING = frozenset({"climate-agent/turn_on", "climate-agent/turn_off"})
# What agents call what Home Assistant has an intent for.
_SAME: Mapping[str, str] = {"turn_on": "HassTurnOn", "turn_off": "HassTurnOff"}
# What cannot be done with a player that is idle.
_OF_ACTIVE = frozenset({"HassMediaPause", "HassMediaNext", "HassMediaPrevious"})
# More things than these are not named one after the other.
_MOST_PHRASES = 5
# What other domains can do too: their entities could be meant as well.
_SHARED_SERVICES: Mapping[str, str] = {
    "HassTurnOn": "turn_on",
    "HassTurnOff": "turn_off",
    "HassClimateSetTemperature": "set_temperature",
}


@dataclass(frozen=True, slots=True)
class PartialNameRouter:
    """Assigns commands whose target is found by a part of its name."""

    hass: HomeAssistant
    catalog: CatalogSource

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Assign the open parts that are such commands, and ask where one of several was meant."""
        routed: list[Part] = []
        for part in parts:
            routed += await self._async_route_requests(request, part)
        return routed

    async def _async_route_requests(self, request: RoutingRequest, part: Part) -> list[Part]:
        """Return a part as it is read, or its requests where only they can be read one by one."""
        if part.assignment:
            return [await self._async_route_part(request, part)]
        requests = split_requests(part.text, request.language)
        if len(requests) == 1:
            return [await self._async_route_part(request, part)]
        routed = [await self._async_route_part(request, Part(text)) for text in requests]
        return routed if any(entry.assignment for entry in routed) else [part]

    async def _async_route_part(self, request: RoutingRequest, part: Part) -> Part:
        """Return a part with its agent and intent, if there is exactly one way to read it.

        For Home Assistant "the lamp in the living room" is every light there. Where only some of
        them have that name, it is asked which one.
        """
        if part.assignment and not _may_be_more(part, part.assignment, request.language):
            return part
        found = await self._async_readings(request, part.text)
        if len(found) != 1:
            return part
        card, intent = found[0]
        if part.assignment and not _is_better(intent, part, part.assignment, request.language):
            return part
        reason = "A part of a name says what is meant."
        return part.assigned(card.id, Source.PARTIAL, reason, intent=intent)

    async def _async_readings(
        self, request: RoutingRequest, text: str
    ) -> list[tuple[AgentCard, RecognizedIntent]]:
        """Return the ways a text can be read that leave no word unexplained.

        A question can only be one that is told something; what is not for now is nothing. Where
        something was named, that counts, and not what would be meant without it.
        """
        readings: dict[bool, list[tuple[AgentCard, RecognizedIntent]]] = {True: [], False: []}
        language = request.language
        if language.is_guarded(text):
            return []
        tells = "?" in text or language.is_question(text)
        acts = (
            not language.asks(text)
            and len(split_requests(text, language)) == 1
            and not _begins_again(language.joins.split(text), language)
        )
        commands = language.commands.read(text) if tells or acts else []
        if not commands:
            return []
        named = NamedKinds.read(text, language.phrases, await self.catalog.async_get())
        for command in commands:
            if not (tells if command.is_telling else acts):
                continue
            understood = await self._async_understand(request, command, named)
            found = readings[bool(command.target)]
            if understood and understood not in found:
                found.append(understood)
        return _closest(readings[True] or readings[False])

    async def _async_understand(
        self, request: RoutingRequest, command: CommandMatch, named: NamedKinds
    ) -> tuple[AgentCard, RecognizedIntent] | None:
        """Return the agent and the intent of a command, or None where its target is not found.

        `named` are the kinds of things that the sentence names.
        """
        requirement = _requirement_of(command.intent)
        cards = {
            domain: card
            for card in request.known_cards
            if card.id == command.agent_id or command.intent in card.intents
            for domain in card.domains & _DOMAINS & (requirement.domains or _DOMAINS)
        }
        if not cards:
            return None
        catalog = await self.catalog.async_get()
        service = _SHARED_SERVICES.get(command.intent)
        names = PartialNames(
            hass=self.hass,
            catalog=catalog,
            language=request.language.phrases,
            domains=cards,
            rivals=[
                domain
                for domain in catalog.by_domain.keys() - cards.keys()
                if service and self.hass.services.has_service(domain, service)
            ],
            area_id=request.area_id,
            is_implied=len(cards) == 1,
        )
        if command.target:
            meant = _find(names, command.target, request.language)
        elif len(cards) == 1:
            (domain,) = cards
            meant = find_implicit_targets(
                self.hass,
                catalog,
                domain,
                request.area_id,
                resumes=command.intent == "HassMediaUnpause",
                at_work=command.intent in _OF_ACTIVE,
            )
        else:
            meant = None
        if meant is None:
            return None
        meant = self._of_kind(command.intent, meant, named, catalog)
        targets = self._apt(command.intent, meant)
        intent = RecognizedIntent(
            _SAME.get(command.intent.partition("/")[2], command.intent),
            dict(command.slots),
            tuple(entity.entity_id for entity in targets),
            is_ambiguous=len(targets) > 1 and not meant.is_plural,
            is_list=meant.is_list,
        )
        return cards[targets[0].domain], intent

    def _of_kind(
        self, intent: str, meant: NameMatch, named: NamedKinds, catalog: Catalog
    ) -> NameMatch:
        """Return the entities of the kind that was named; from the whole house if only that was.

        Where there is nothing of that kind it stays as it is: who plans for it says so.
        """
        with_verbs = intent in _SWITCHING
        if fitting := named.fitting(self.hass, meant.entities, with_verbs=with_verbs):
            return replace(meant, entities=fitting)
        every = catalog.by_domain.get(meant.entities[0].domain, ())
        if (
            named.places
            or not named.words
            or not (found := named.fitting(self.hass, every, with_verbs=with_verbs))
        ):
            return meant
        return NameMatch(found, is_plural=False)

    def _apt(self, intent: str, meant: NameMatch) -> Sequence[CatalogEntity]:
        """Return the entities an intent is for: those that can do it, and players at work.

        As with Home Assistant's own intents, what plays is paused, and of several players the one
        that plays is meant.
        """
        requirement = _requirement_of(intent)
        feature = requirement.features or 0
        able = [e for e in meant.entities if self._features(e) & feature] or meant.entities
        if intent == _DIMMING and meant.is_plural:
            # Of the lights of a room, those that are on.
            return filter_by_state(self.hass, able, {STATE_ON}) or able
        if requirement.domains != _PLAYERS and not intent.startswith(f"{MEDIA_PLAYER.agent_id}/"):
            return able
        wanted = STATE_PAUSED if intent == "HassMediaUnpause" else STATE_PLAYING
        if meant.is_plural:
            is_for_active = intent in {"HassMediaPause", "HassMediaUnpause"}
            return (is_for_active and filter_by_state(self.hass, able, {wanted})) or able
        return choose_player(self.hass, able, wanted) or able

    def _features(self, entity: CatalogEntity) -> int:
        """Return the features of an entity, as a bit set."""
        state = self.hass.states.get(entity.entity_id)
        return int(state.attributes.get("supported_features", 0)) if state else 0


def _closest(
    readings: list[tuple[AgentCard, RecognizedIntent]],
) -> list[tuple[AgentCard, RecognizedIntent]]:
    """Return readings without those with the same intent and a superset of targets."""
    return [
        (card, intent)
        for card, intent in readings
        if not any(
            other.name == intent.name
            and other.slots == intent.slots
            and set(other.targets) < set(intent.targets)
            for _, other in readings
        )
    ]


def _begins_again(phrases: Sequence[str], language: Language) -> bool:
    """Return whether a later phrase begins with a part of a verb alone: "turn on this and off that"."""
    particles = language.phrases.particles
    return any(not particles.isdisjoint(words_of(phrase)[:1]) for phrase in phrases[1:])


def _may_be_more(part: Part, assignment: Assignment, language: Language) -> bool:
    """Return whether what Home Assistant recognised may mean something else.

    That is several things of a place, none of which was named but perhaps called what only some are
    ("lamp"), players of a place, words it would only search for, and a name that nothing has in the
    place it is said with.
    """
    intent = assignment.intent
    if intent is None:
        return False
    if not intent.targets and intent.name in intents_of_specialists():
        return True
    if "name" in intent.slots:
        return False
    if intent.name == _SEARCH or (intent.name in _OF_PLAYERS and len(intent.targets) > 1):
        return True
    words = words_of(part.text)
    phrases = language.phrases
    return len(intent.targets) > 1 and (
        phrases.names_a_kind(words) or not phrases.one.isdisjoint(words)
    )


def _is_better(
    intent: RecognizedIntent, part: Part, assignment: Assignment, language: Language
) -> bool:
    """Return whether an intent is more precise than an assignment's.

    It is some of the things that are meant, or one of them, or what is to be done and not only a text
    to search for.
    """
    known = assignment.intent
    if known is None or not known.targets or (known.name == _SEARCH and intent.name != _SEARCH):
        return known is not None
    sets_light = known.name == "HassLightSet" and intent.name.startswith(f"{LIGHT.agent_id}/")
    if intent.name != known.name and not (sets_light and intent.is_ambiguous):
        return False
    mine, theirs = set(intent.targets), set(known.targets)
    words = words_of(part.text)
    if intent.is_ambiguous:
        return mine < theirs or (mine == theirs and not language.phrases.one.isdisjoint(words))
    is_apart = (
        not language.phrases.apart.isdisjoint(words)
        and language.quantities.isdisjoint(words)
        # "The lamp upstairs": a floor has many a lamp that is called something else.
        and "floor" not in known.slots
    )
    return mine < theirs and (is_apart or intent.name in _OF_PLAYERS)


def _requirement_of(intent: str) -> TargetRequirement:
    """Return the requirement of a specialist's intent; an empty one of others."""
    known = find_table_requirement(intent) if intent in intents_of_specialists() else None
    return known or TargetRequirement()


def _find(names: PartialNames, target: str, language: Language) -> NameMatch | None:
    """Return the entities of a phrase: one name or kind, or several joined by "and"."""
    if meant := names.find(target):
        return meant
    phrases = [phrase for phrase in language.joins.split(f" {target} ") if phrase.strip()]
    if not 1 < len(phrases) <= _MOST_PHRASES or _begins_again(phrases, language):
        return None
    found = [names.find(phrase) for phrase in phrases]
    entities: dict[str, CatalogEntity] = {}
    for meant in found:
        if meant is None or (len(meant.entities) > 1 and not meant.is_plural):
            return None
        entities |= {entity.entity_id: entity for entity in meant.entities}
    if len({entity.domain for entity in entities.values()}) > 1:
        return None
    return NameMatch(tuple(entities.values()), is_plural=True, is_list=True)

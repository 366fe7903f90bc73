"""Grounding of a model's plan: what of it was said, what follows from a state, and what the model assumed.

It is looked at after the plan, so that a model may use all it knows: what was said is done, what was assumed
outside the place that is meant is refused, and what was assumed beyond comfort is asked about.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
import re
from types import MappingProxyType
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID, STATE_PLAYING
from homeassistant.core import State

from ..domains.actions import Action, Parameter, ParameterKind
from ..domains.registry import GUARDING_OR_REACHING
from ..home.catalog import CatalogEntity
from ..home.names import Words, words_of
from ..nlu.bounds import Mentions
from ..nlu.kinds import ENTRANCES, KINDS
from ..nlu.lexicon import Role
from ..nlu.measures import read_measure
from ..nlu.segmentation import clauses_of
from ..nlu.spans import Span, cover_text
from ..nlu.tokens import MAX_COMMAND
from .base import AgentRequest
from .offered_actions import FAHRENHEIT, find_numbers

# How much more than now a value may be without having been said: percentage points, degrees Celsius.
_COMFORT: Mapping[str, tuple[str, float]] = MappingProxyType(
    {"volume": ("volume", 20), "temperature": ("target", 3)}
)
# What stands in a calendar is in no room.
_NOWHERE = frozenset({"calendar"})
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# Roles of words that name a device or a place, and of those that stand for a device.
_SAYS_WHICH = frozenset({Role.NAME, Role.PLACE, Role.HERE, Role.EVERYWHERE})
_NOUNS = frozenset({Role.KIND, Role.PRONOUN})
# In letters, of a word that may stand for a place whose name begins so.
_SHORTEST_PART = 4


class Ground(StrEnum):
    """Why a target or a value is in a plan: it was SAID, DERIVED from a state, taken from HABIT, or ASSUMED.

    A target is DESCRIBED by its kind and words that nobody here knows: "the lamp next to the bed".
    """

    SAID = "said"
    DESCRIBED = "described"
    DERIVED = "derived"
    HABIT = "habit"
    ASSUMED = "assumed"


@dataclass(frozen=True)
class Grounding:
    """Tells what of a plan is grounded in the words of a request, and in those around it (`spoken`)."""

    request: AgentRequest

    @property
    def spoken(self) -> str:
        """Return all that the person said for the request, also beside its instruction."""
        return self.request.spoken or self.request.instruction

    @cached_property
    def _bounds(self) -> Mentions:
        return self.request.spoken_bounds

    @cached_property
    def _words(self) -> Words:
        return words_of(self.spoken)

    @cached_property
    def places(self) -> frozenset[str]:
        """Return the ids of the areas and floors meant: those said, else that of the speaker; of a part its own.

        "Next door" names none: it is where a capable model says that it is.
        """
        said = self._bounds.places
        own = self.request.bounds.places & (said | self._pointed_at)
        here = self._near(self.request.area_id)
        is_of_home = self._bounds.is_everywhere and not self._bounds.is_here
        if is_of_home and (not said or (self.request.bounds.is_everywhere and not own)):
            return frozenset()
        # What names no place of its own may still name one by a part, beside those of other parts.
        words = set(words_of(self.request.instruction)).intersection(self._words)
        is_only_here = self._bounds.is_here and not said
        partly = frozenset() if is_only_here else self._partly_named(words if said else self._words)
        meant = own or (said | partly)
        return meant | here if (self._bounds.is_here or not meant) and here else meant

    @cached_property
    def _pointed_at(self) -> frozenset[str]:
        """Return the ids of the places of an instruction that may be meant by "over there"."""
        request = self.request
        points = request.is_capable and request.language.references.points_elsewhere(self.spoken)
        return request.bounds.places if points else frozenset()

    def _near(self, area_id: str | None) -> set[str]:
        """Return the id of where the speaker is, none where it is not known."""
        near = self._bounds.near(self.request.catalog, area_id)
        return {near} if near else set()

    def _partly_named(self, words: Iterable[str]) -> frozenset[str]:
        """Return the id of the one place of whose name one of some words is the beginning: "hall"."""
        catalog = self.request.catalog
        found = {
            place.id
            for place in (*catalog.areas.values(), *catalog.floors.values())
            for name in place.names
            for part in words_of(name)
            for word in words
            if len(word) >= _SHORTEST_PART and part != word and part.startswith(word)
        }
        return frozenset(found) if len(found) == 1 else frozenset()

    def is_outside(self, entity: CatalogEntity) -> bool:
        """Return whether an entity that nobody named is not in the place meant, or is excepted."""
        if self._bounds.excepts(entity):
            return True
        if self._is_meant(entity) or not self.places or entity.domain in _NOWHERE:
            return False
        if not self._bounds.mentioned_places.isdisjoint({entity.area_id, entity.floor_id}):
            return False
        is_elsewhere = self.places.isdisjoint({entity.area_id, entity.floor_id})
        return is_elsewhere and not self._is_described(entity, elsewhere=True)

    @cached_property
    def _clauses(self) -> Sequence[Sequence[Span]]:
        """Return the clauses of what was said that the instruction has words of."""
        request = self.request
        if request.house is None or len(self.spoken) > MAX_COMMAND:
            return ()
        own = set(words_of(request.instruction)) - request.language.ignored
        return [
            clause
            for clause in clauses_of(cover_text(self.spoken, request.house))
            if any(not own.isdisjoint(span.words) for span in clause)
        ]

    @cached_property
    def _speaks_of_nothing(self) -> bool:
        """Return whether no word says anything, or only a yes to a satellite's question about no device and no deed.

        "1234"; "Shall I read it to you?"
        """
        request = self.request
        said = words_of(request.user_input.text)
        if said and not any(map(str.isalpha, "".join(said))):
            return True
        if not (request.told_first and said):
            return False
        signs = request.language.answers.signs.find(said)
        heard = {at for found in signs for at in range(found.start, found.end)}
        is_small = request.language.lexicon.is_small
        is_bare = all(at in heard or is_small(word) for at, word in enumerate(said))
        return is_bare and self._bounds.says_nothing

    @property
    def names_any(self) -> bool:
        """Return whether something is named, which is then meant rather than the only one of its kind."""
        return bool(self._bounds.named)

    @property
    def most_described(self) -> int:
        """Return how many targets may be described without being named: one in each clause."""
        return max(1, sum(any(not span.senses for span in clause) for clause in self._clauses))

    def _is_described(self, entity: CatalogEntity, *, elsewhere: bool = False) -> bool:
        """Return whether a clause tells of an entity's kind, and where or which it is in words that nobody knows.

        With `elsewhere` the words tell where: they follow a preposition, or are the first half of a compound.
        """
        state = self.request.hass.states.get(entity.entity_id)
        if state is None:
            return False
        return self._is_beside(entity) or any(
            self._is_of_kind(clause, entity, state)
            and self._is_unknown(clause, elsewhere=elsewhere)
            for clause in self._clauses
        )

    def _is_of_kind(self, clause: Sequence[Span], entity: CatalogEntity, state: State) -> bool:
        """Return whether a clause says the kind of an entity, and neither a name nor a place."""
        if any(span.has_any(_SAYS_WHICH) for span in clause):
            return False
        kinds = {s.value.kind for span in clause for s in span.senses if s.role is Role.KIND}
        if not kinds and any(span.has(Role.PRONOUN) for span in clause):
            # "... and turn off that of the hall"
            kinds = set(self._bounds.kinds)
        return any(KINDS[kind].includes(entity, state) for kind in kinds if kind in KINDS)

    def _is_unknown(self, clause: Sequence[Span], *, elsewhere: bool) -> bool:
        """Return whether a clause has a word that nobody knows; `elsewhere` where it tells a place."""
        follows = is_noun_said = False
        purposes = self.request.language.lexicon.purposes
        nouns = {span.start for span in clause if span.has(Role.KIND)}
        for span in clause:
            if not span.senses and (follows or span.start in nouns or not elsewhere):
                return True
            is_noun_said = is_noun_said or span.has_any(_NOUNS)
            is_link = span.has(Role.LINK) and purposes.isdisjoint(span.words)
            follows = is_noun_said and (is_link or follows)
        return False

    def _is_beside(self, entity: CatalogEntity) -> bool:
        """Return whether an entity is another of what was spoken of, in its room: "the other one"."""
        if self._bounds.places or self._bounds.named or not self.request.recent:
            return False
        if not any(span.has(Role.PRONOUN) for clause in self._clauses for span in clause):
            return False
        known = self.request.catalog.entities
        spoken = [known[each] for each in self.request.recent if each in known]
        return entity.area_id is not None and any(
            (each.domain, each.area_id) == (entity.domain, entity.area_id) for each in spoken
        )

    def _is_meant(self, entity: CatalogEntity) -> bool:
        """Return whether an entity itself is spoken of, wherever it is."""
        return self.is_named(entity) or self.is_referred_to(entity) or self._is_called(entity)

    def _is_called(self, entity: CatalogEntity) -> bool:
        """Return whether a model calls by its name what is in a place that was said, or by a word of its own."""
        if entity.entity_id not in self.request.bounds.named:
            return False
        is_there = not self._bounds.places.isdisjoint({entity.area_id, entity.floor_id})
        return is_there or not self._own_words(entity).isdisjoint(self._words)

    def is_guarding(self, target: str) -> bool:
        """Return whether an entity opens, closes or guards the home, or reaches other things."""
        return target.partition(".")[0] in GUARDING_OR_REACHING

    def is_spoken_of(self, target: str) -> bool:
        """Return whether words single out an entity: its name, its kind, or the place that it is in."""
        entity = self.request.catalog.entities.get(target)
        state = self.request.hass.states.get(target)
        if entity is None or state is None or self.is_outside(entity):
            return False
        is_there = not self._bounds.places.isdisjoint({entity.area_id, entity.floor_id})
        is_called = self._is_meant(entity) or not self._own_words(entity).isdisjoint(self._words)
        is_said = is_called or self.is_kind_said(entity, state)
        return is_said or (is_there and entity.domain not in GUARDING_OR_REACHING)

    def of_target(self, entity: CatalogEntity) -> Ground:
        """Return the reason for which an entity is a target."""
        if self._speaks_of_nothing and not self._is_meant(entity):
            return Ground.ASSUMED
        is_of_all = (self._bounds.is_everywhere or self._bounds.is_all) and not self.places
        if self._is_meant(entity) or is_of_all:
            return Ground.SAID
        if not self.places.isdisjoint({entity.area_id, entity.floor_id}):
            return Ground.SAID
        if not self._own_words(entity).isdisjoint(self._words):
            return Ground.SAID
        is_described = self._is_described(entity)
        if self.places and is_described:
            # Elsewhere than is meant, if it is not what the words tell of.
            return Ground.DESCRIBED
        if entity.entity_id in self._told_before and entity.domain not in GUARDING_OR_REACHING:
            return Ground.DERIVED
        every = self.request.catalog.by_domain.get(entity.domain, ())
        is_playing = self.request.hass.states.is_state(entity.entity_id, STATE_PLAYING)
        # Where something else is named, it is not the only one that may be meant.
        if (len(every) == 1 or is_playing) and not self._bounds.named:
            return Ground.DERIVED
        if is_described:
            return Ground.DESCRIBED
        is_usual = self.request.usual.player(self.request.area_id) == entity.entity_id
        return Ground.HABIT if is_usual else Ground.ASSUMED

    @cached_property
    def _told_before(self) -> frozenset[str]:
        """Return the ids of the entities that the last answer named, where this sentence goes on with them."""
        last = self.request.history[-1:] if self.request.is_capable else ()
        words = [words_of(message.content) for message in last if message.role == "assistant"]
        return frozenset(
            entity.entity_id
            for each in words
            for found in self.request.catalog.all_names.find(each)
            for entity in found.meanings
            if isinstance(entity, CatalogEntity)
        )

    def is_named(self, entity: CatalogEntity) -> bool:
        """Return whether an entity is called by its name, or by words that only it has in its name."""
        if entity.entity_id in self._bounds.named:
            return True
        said = tuple(sorted(self._own_words(entity).intersection(self._words)))
        return entity in self.request.catalog.distinctive(entity.domain, said)

    def _own_words(self, entity: CatalogEntity) -> frozenset[str]:
        """Return the words of an entity's names that mean no kind of device and no place."""
        ignored = self.request.ignored_in_names
        words = frozenset(word for name in entity.names for word in words_of(name))
        return words - ignored - self._words_of_places - self._bounds.meanings

    @cached_property
    def _words_of_places(self) -> frozenset[str]:
        """Return the words in the names of areas and floors."""
        catalog = self.request.catalog
        places = (*catalog.areas.values(), *catalog.floors.values())
        return frozenset(
            word for place in places for name in place.names for word in words_of(name)
        )

    def is_referred_to(self, entity: CatalogEntity) -> bool:
        """Return whether an entity was spoken of in the turn before, and the request names no place of its own.

        What is in the speaker's room may be compared with what is elsewhere.
        """
        if entity.entity_id not in self.request.recent:
            return False
        is_here = entity.area_id is not None and entity.area_id == self.request.area_id
        return is_here or not self._bounds.places

    def is_kind_said(self, entity: CatalogEntity, state: State) -> bool:
        """Return whether a noun says the kind of an entity ("the blinds"), or a name the entity itself."""
        kinds = (KINDS[kind] for kind in self._bounds.kinds if kind in KINDS)
        return self.is_named(entity) or any(kind.includes(entity, state) for kind in kinds)

    def of_value(self, value: Any) -> Ground:
        """Return the reason for a value in a plan: its number or its words were said, or it is relative to a state."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            numbers = find_numbers(self.spoken, self.request.language, percent=True)
            if any(abs(number - abs(value)) < 1 for number in numbers):
                return Ground.SAID
            # "As warm as in the bedroom", which another agent looked up.
            data = _NUMBER.findall(self.request.data_as_json or "")
            if any(abs(float(number) - abs(value)) < 1 for number in data):
                return Ground.DERIVED
        elif isinstance(value, str) and set(words_of(value)) <= set(self._words):
            return Ground.SAID
        return Ground.DERIVED if self._bounds.is_relative else Ground.ASSUMED

    def assumes(self, parameters: Mapping[str, Any]) -> bool:
        """Return whether nobody said the values of an action; or of one without any, what is to be done at all."""
        grounds = {self.of_value(value) for value in parameters.values()}
        if grounds == {Ground.SAID}:
            return False
        return Ground.ASSUMED in grounds or not self._bounds.tells_action

    def is_verbatim(self, text: str) -> bool:
        """Return whether a text is a run of words just as the person said them."""
        words, said = words_of(text), self._words
        ends = range(len(words), len(said) + 1)
        return bool(words) and any(said[end - len(words) : end] == words for end in ends)

    def is_made_up(self, entities: Sequence[CatalogEntity]) -> bool:
        """Return whether a model worded an instruction, for an entity that it does not name and nobody spoke of.

        Nobody did where something else is named: "jazz" is no part of "have the thermostat feel like spring".
        """
        if self.is_verbatim(self.request.instruction):
            return False
        others = [entity for entity in entities if not self.is_named(entity)]
        is_named = bool(self._bounds.named)
        return any(is_named or self.of_target(each) is Ground.ASSUMED for each in others)

    def needs_name(self, described: Sequence[CatalogEntity]) -> bool:
        """Return whether a description is not enough for targets: more than one, or what opens or guards the home."""
        return len(described) > 1 or any(map(_guards_home, described))

    def bears_out(self, targets: Iterable[str]) -> bool:
        """Return whether all of some entity ids may be meant, without having to be asked about."""
        known = self.request.catalog.entities
        described: list[CatalogEntity] = []
        for target in targets:
            entity, state = known.get(target), self.request.hass.states.get(target)
            if entity is None or state is None or self.is_outside(entity):
                return False
            is_guarding = entity.domain in GUARDING_OR_REACHING and not self.is_kind_said(
                entity, state
            )
            ground = self.of_target(entity)
            if is_guarding or ground in {Ground.ASSUMED, Ground.HABIT}:
                return False
            described += [entity] if ground is Ground.DESCRIBED else []
        return not self.needs_name(described)

    def is_beyond_comfort(
        self,
        action: Action,
        parameters: Mapping[str, Any],
        entities: Sequence[CatalogEntity],
        states: Sequence[State],
    ) -> bool:
        """Return whether what was assumed of an action needs a yes: louder, warmer, or what guards the home.

        Blinds that were spoken of just before are gone on with: "that is too bright, a little less".
        """
        for entity, state in zip(entities, states, strict=True):
            is_followed = self.is_referred_to(entity) and not _guards_home(entity)
            is_meant = (
                is_followed or self.is_kind_said(entity, state) or self._is_mood(entity, state)
            )
            if entity.domain in GUARDING_OR_REACHING and not is_meant:
                return True
        return any(
            self._is_large(parameter, parameters[parameter.name], states)
            for parameter in action.parameters
            if parameters.get(parameter.name) is not None
            and self.of_value(parameters[parameter.name]) is Ground.ASSUMED
        )

    def _is_mood(self, entity: CatalogEntity, state: State) -> bool:
        """Return whether an entity is a scene of which it is known that it only sets what is in the place meant.

        Nothing of that opens or guards the home: a model might as well have set each of them.
        """
        members = state.attributes.get(ATTR_ENTITY_ID) if entity.domain == "scene" else None
        known = [self.request.catalog.entities.get(each) for each in members or ()]
        return bool(known) and all(
            each is not None
            and each.domain not in GUARDING_OR_REACHING
            and not self.is_outside(each)
            for each in known
        )

    def _is_large(self, parameter: Parameter, value: Any, states: Sequence[State]) -> bool:
        """Return whether an assumed value is far above what an entity has now."""
        measure, most = _COMFORT.get(parameter.measures, ("", 0.0))
        if not measure or not isinstance(value, int | float):
            return False
        is_fahrenheit = self.request.hass.config.units.temperature_unit == "°F"
        limit = most * FAHRENHEIT if is_fahrenheit and measure == "target" else most
        if parameter.kind is ParameterKind.STEP:
            return value > limit
        levels = (read_measure(state, measure) for state in states)
        return any(value - level > limit for level in levels if level is not None)


def _guards_home(entity: CatalogEntity) -> bool:
    """Return whether an entity opens or guards the home, or reaches other things; blinds and curtains do not."""
    if entity.domain == "cover":
        return entity.device_class in ENTRANCES
    return entity.domain in GUARDING_OR_REACHING

"""Evaluation of conditions against the states of exposed entities; what is unknown is not guessed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from homeassistant.const import STATE_OFF, STATE_ON
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar
from homeassistant.util.unit_conversion import TemperatureConverter

from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import words_of
from .condition_models import (
    STATE_PAIRS,
    UNKNOWN_STATES,
    Condition,
    ConditionResult,
    all_of,
    any_of,
    compare,
    test_states,
)
from .partial_names import PartialNames
from .phrases import Phrase, PhraseLexicon, WordRole
from .targets import is_in

_TEMPERATURE = "temperature"
_HUMIDITY = "humidity"
_OPENINGS = frozenset({"door", "garage", "garage_door", "gate", "opening", "window"})
_MOTION = frozenset({"motion", "occupancy", "presence"})
_NOTICING = test_states(frozenset({STATE_ON}), frozenset({STATE_OFF}))
_PARTIAL = frozenset({"light", "media_player", "climate"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionEvaluator:
    """Evaluates conditions on exposed entities.

    `words` is the language's lexicon of noun phrases, `kinds` its nouns for windows and doors by device
    class, `any_words` its words like "any". `area_id` is the speaker's area.
    """

    hass: HomeAssistant
    catalog: Catalog
    words: PhraseLexicon
    kinds: Mapping[str, frozenset[str]]
    any_words: frozenset[str]
    area_id: str | None = None

    def evaluate(self, condition: Condition) -> ConditionResult | None:
        """Return the result of a condition now, or None where it cannot be known."""
        match condition.kind:
            case "temperature":
                return self._temperature(condition)
            case "humidity":
                return self._humidity(condition)
            case "presence":
                return self._presence(condition)
            case _:
                return self._state(condition)

    def _temperature(self, condition: Condition) -> ConditionResult | None:
        """Compare a temperature: outside, of a named entity, or in a place."""
        unit = self.hass.config.units.temperature_unit
        wanted = float(condition.slots["degrees"])
        if said := condition.slots.get("unit"):
            wanted = TemperatureConverter.convert(wanted, said, unit)
        if condition.slots.get("outside"):
            things: Sequence[CatalogEntity] = self.catalog.by_domain.get("weather", ())
            return self._compared(condition, wanted, things if len(things) == 1 else (), unit=unit)
        measuring = [
            entity for entity in self.catalog.entities.values() if self._degrees(entity) is not None
        ]
        if named := self._named(condition.target, measuring):
            return self._compared(condition, wanted, named, unit=unit)
        if (found := self._place(condition.target)) is None:
            return None
        places, area_ids = found
        inside = [entity for entity in measuring if entity.area_id in area_ids]
        own = {
            area.temperature_entity_id
            for area_id in area_ids
            if (area := ar.async_get(self.hass).async_get_area(area_id))
        }
        things = (
            [entity for entity in inside if entity.entity_id in own]
            or [entity for entity in inside if entity.domain == "sensor"]
            or [entity for entity in inside if entity.domain == "climate"]
        )
        return self._compared(condition, wanted, things, places, unit=unit)

    def _humidity(self, condition: Condition) -> ConditionResult | None:
        """Compare the humidity of a named sensor, or in a place."""
        wanted = float(condition.slots["percent"])
        measuring = [
            entity
            for entity in self.catalog.by_domain.get("sensor", ())
            if entity.device_class == _HUMIDITY and self._degrees(entity, _HUMIDITY) is not None
        ]
        if named := self._named(condition.target, measuring):
            return self._compared(condition, wanted, named, unit="%")
        if (found := self._place(condition.target)) is None:
            return None
        places, area_ids = found
        things = [entity for entity in measuring if entity.area_id in area_ids]
        return self._compared(condition, wanted, things, places, unit="%")

    def _compared(
        self,
        condition: Condition,
        wanted: float,
        things: Sequence[CatalogEntity],
        places: tuple[Place, ...] = (),
        *,
        unit: str,
    ) -> ConditionResult | None:
        """Compare the readings of entities; None where they disagree, or there is none."""
        values = [
            value for thing in things if (value := self._degrees(thing, condition.kind)) is not None
        ]
        results = {compare(value, str(condition.slots["than"]), wanted) for value in values}
        if len(results) != 1:
            return None
        return ConditionResult(results.pop(), tuple(things), places, reading=values[0], unit=unit)

    def _degrees(self, entity: CatalogEntity, measure: str = _TEMPERATURE) -> float | None:
        """Return the reading of an entity, in the home's unit, or None."""
        state = self.hass.states.get(entity.entity_id)
        if state is None or state.state in UNKNOWN_STATES:
            return None
        match entity.domain:
            case "climate":
                value = state.attributes.get("current_temperature")
            case "weather":
                value = state.attributes.get("temperature")
            case "sensor" if entity.device_class == measure:
                value = state.state
            case _:
                return None
        try:
            return float(value)  # type: ignore[arg-type]
        except TypeError, ValueError:
            return None

    def _presence(self, condition: Condition) -> ConditionResult | None:
        """Return whether somebody is in a place, by its motion, occupancy and presence sensors."""
        if (found := self._place(condition.target)) is None:
            return None
        places, area_ids = found
        sensors = tuple(
            entity
            for entity in self.catalog.by_domain.get("binary_sensor", ())
            if entity.device_class in _MOTION and entity.area_id in area_ids
        )
        if (is_there := any_of([self._shown(entity, _NOTICING) for entity in sensors])) is None:
            return None
        holds = is_there is bool(condition.slots["somebody"])
        return ConditionResult(holds, sensors, places, state="somebody" if is_there else "nobody")

    def _state(self, condition: Condition) -> ConditionResult | None:
        """Return whether entities are in a state.

        For "the lights are on" one is enough, for "the lights are off" all must be, unless the phrase
        says "all" or "any".
        """
        wanted = str(condition.slots["state"])
        kind = next(kind for kind in STATE_PAIRS if wanted in {kind.active, kind.passive})
        if (found := self._things(condition.target, kind.domains)) is None:
            return None
        things, places, needs_all, needs_any = found
        active = [self._shown(entity, kind.shows) for entity in things]
        if wanted == kind.active:
            holds = all_of(active) if needs_all else any_of(active)
        else:
            passive = [None if shown is None else not shown for shown in active]
            holds = any_of(passive) if needs_any else all_of(passive)
        if holds is None:
            return None
        seen = wanted if holds else kind.passive if wanted == kind.active else kind.active
        return ConditionResult(holds, things, places, state=seen)

    def _shown(self, entity: CatalogEntity, shows: Callable[[State], bool | None]) -> bool | None:
        """Return whether an entity is in the active state of a pair; None if unknown."""
        state = self.hass.states.get(entity.entity_id)
        return shows(state) if state else None

    def _things(
        self, target: str, domains: frozenset[str]
    ) -> tuple[tuple[CatalogEntity, ...], tuple[Place, ...], bool, bool] | None:
        """Return the entities of a noun phrase, its places, and whether it says "all" or "any"."""
        words = words_of(target)
        says_any = not self.any_words.isdisjoint(words[:1])
        fitting = [
            entity
            for domain in domains
            for entity in self.catalog.by_domain.get(domain, ())
            if domain != "binary_sensor" or entity.device_class in _OPENINGS
        ]
        if named := self._exact(target, fitting):
            return (named, (), False, says_any) if len(named) == 1 else None
        phrase = Phrase.read(words, self.words, self.catalog.places)
        if phrase is None:
            return None
        says_all = not phrase.roles.isdisjoint({WordRole.ALL, WordRole.BOTH})
        if found := self._openings(phrase, fitting, says_any=says_any):
            return found, phrase.places, says_all, says_any
        partial = domains & _PARTIAL
        if not partial:
            return None
        names = PartialNames(
            hass=self.hass,
            catalog=self.catalog,
            language=self.words,
            domains=partial,
            rivals=tuple(domains - partial),
            area_id=self.area_id,
        )
        meant = names.find(target)
        if meant is None or (len(meant.entities) > 1 and not (meant.is_plural or says_any)):
            return None
        return meant.entities, phrase.places, says_all, says_any

    def _openings(
        self, phrase: Phrase, fitting: Sequence[CatalogEntity], *, says_any: bool
    ) -> tuple[CatalogEntity, ...]:
        """Return the windows or doors of a phrase, in the place it names, else in the speaker's area."""
        said = set(phrase.words) - self.any_words
        for device_class, names in self.kinds.items():
            if len(said) != 1 or not said <= names:
                continue
            found = tuple(entity for entity in fitting if entity.device_class == device_class)
            if phrase.places:
                found = tuple(entity for entity in found if is_in(entity, phrase.places))
            elif not (says_any or WordRole.ALL in phrase.roles):
                here = tuple(entity for entity in found if entity.area_id == self.area_id)
                found = here or found
                return found if len(found) == 1 else ()
            return found
        return ()

    def _named(
        self, target: str, entities: Sequence[CatalogEntity]
    ) -> tuple[CatalogEntity, ...] | None:
        """Return the one measuring entity that a phrase names, or None."""
        if not target:
            return None
        if (found := self._exact(target, entities)) and len(found) == 1:
            return found
        names = PartialNames(
            hass=self.hass,
            catalog=self.catalog,
            language=self.words,
            domains={"climate"},
            area_id=self.area_id,
        )
        meant = names.find(target)
        return meant.entities if meant and len(meant.entities) == 1 else None

    def _exact(self, target: str, entities: Sequence[CatalogEntity]) -> tuple[CatalogEntity, ...]:
        """Return the entities with a name of exactly a phrase's content words, in any order.

        Of several, those in the speaker's area are preferred.
        """
        said = self._content(target)
        found = tuple(
            entity
            for entity in entities
            if said and any(self._content(name) == said for name in entity.names)
        )
        here = tuple(entity for entity in found if entity.area_id == self.area_id)
        return here if len(found) > 1 and here else found

    def _content(self, text: str) -> frozenset[str]:
        """Return the words of a text without articles and prepositions."""
        words = words_of(text)
        empty = {WordRole.ARTICLE, WordRole.PREPOSITION}
        skipped = {
            at
            for found in self.words.index.find(words)
            if not empty.isdisjoint(m for m in found.meanings if isinstance(m, WordRole))
            for at in range(found.start, found.end)
        }
        return frozenset(word for at, word in enumerate(words) if at not in skipped)

    def _place(self, target: str) -> tuple[tuple[Place, ...], frozenset[str]] | None:
        """Return the places that a phrase consists of, with their area ids; an empty one is here."""
        here = frozenset({self.area_id} if self.area_id else ())
        if not target:
            return ((), here) if here else None
        phrase = Phrase.read(words_of(target), self.words, self.catalog.places)
        if phrase is None or phrase.words or phrase.kinds:
            return None
        if phrase.places:
            floors = {place.id for place in phrase.places if place.is_floor}
            named = {place.id for place in phrase.places if not place.is_floor}
            inside = {area.id for area in self.catalog.areas.values() if area.floor_id in floors}
            return phrase.places, frozenset(named or inside)
        return ((), here) if WordRole.HERE in phrase.roles and here else None

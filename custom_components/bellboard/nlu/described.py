"""Finds the entities that a noun phrase describes: by name, words of names, kind of device, and place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from homeassistant.core import HomeAssistant

from ..home.catalog import CatalogEntity, is_in
from .frame_models import NounPhrase
from .house import HomeLexicon
from .kinds import KINDS, Kind
from .lexicon import Noun
from .tokens import spoken_words

# What serves the room that it is in: who is in another is asked.
_OF_A_ROOM = frozenset({"fan", "humidifier"})
_ONE_AT_A_TIME = frozenset({"media_player"})
# Sorts that say no more than that it is the one of a room, or of the house, with the kind and the domain of that.
_WIDER = {"ceiling": ("light", "light"), "front": ("door", "lock")}


@dataclass(frozen=True, slots=True)
class ResolvedTargets:
    """Entities that are meant: all of them, or one unknown of them (`is_ambiguous`).

    Without `entities` there is nothing of that kind or name there. It `is_elsewhere` where only another room
    has one than that of the speaker, who did not say so, and `is_named` where a name or a part of one is said.
    It `is_all_of_home` where they are all of a kind in several rooms, and nobody said all, or where.
    It `is_unsure` where it has to be asked whether they are meant; `left` are those that are not, as they open
    the house and were not named.
    """

    entities: tuple[CatalogEntity, ...]
    is_ambiguous: bool = False
    is_named: bool = False
    is_elsewhere: bool = False
    is_all_of_home: bool = False
    is_unsure: bool = False
    left: tuple[CatalogEntity, ...] = ()

    @property
    def are_lights_of_room(self) -> bool:
        """Return whether all are lights of one room: each of them may be the lamp that is on there."""
        return {(entity.domain, entity.area_id) for entity in self.entities} <= {
            ("light", self.entities[0].area_id if self.entities else None)
        }

    @property
    def is_of_kinds(self) -> bool:
        """Return whether it is one unknown of several, which are of different domains."""
        return self.is_ambiguous and len({entity.domain for entity in self.entities}) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Finder:
    """Finds described entities; `area_id` is the speaker's area."""

    hass: HomeAssistant
    house: HomeLexicon
    area_id: str | None = None

    def find(self, what: NounPhrase, domains: Iterable[str]) -> ResolvedTargets | None:
        """Return the entities of some domains that are described; None where it names one of another domain."""
        what = self._on_floor(what)
        allowed = frozenset(domains)
        if what.names:
            return self._named(what, allowed)
        if what.words and not what.nouns and self.house.are_of_places(what.words):
            # "The kids" are in "Kids Room", and are no device.
            return None
        by_domain = self.house.catalog.by_domain
        # In the same order each time, whichever platform was set up first.
        pool = [entity for domain in sorted(allowed) for entity in by_domain.get(domain, ())]
        for scope in self._scopes(what):
            if found := self._fitting(what, self._inside(pool, what, scope)):
                counted = self._counted(what, found, is_home=scope == "home")
                is_home = scope == "home"
                return replace(
                    counted,
                    is_elsewhere=is_home and self._is_of_room(what, counted),
                    is_all_of_home=is_home and _is_all_unsaid(what, counted),
                )
        return self._wider(what, allowed) or ResolvedTargets(())

    def _wider(self, what: NounPhrase, allowed: frozenset[str]) -> ResolvedTargets | None:
        """Return what is meant where nothing is called so: "the ceiling light" is the lights, "the front door" a lock.

        None for what says more than a sort, and for a light where nobody knows of which room.
        """
        if len(what.nouns) != 1 or what.words or not (found := _WIDER.get(what.nouns[0].sort)):
            return None
        kind, domain = found
        if domain not in allowed or (domain == "light" and not (what.has_place or self.area_id)):
            return None
        noun = Noun(kind, is_plural=None, is_general=domain == "light", forms=frozenset())
        return self.find(replace(what, nouns=(noun,)), (domain,))

    def _on_floor(self, what: NounPhrase) -> NounPhrase:
        """Return a description with the speaker's floor as its place, where that is said: "on this floor"."""
        floor = self.house.catalog.floor_of(self.area_id) if what.is_on_floor else None
        return replace(what, is_here=False, places=(floor,)) if floor else what

    def _is_of_room(self, what: NounPhrase, found: ResolvedTargets) -> bool:
        """Return whether the one thing of a kind serves its own room, and the speaker is in another."""
        is_whole_home = what.is_everywhere or what.is_plural or not self.area_id
        is_one = len(found.entities) == 1 and bool(what.nouns) and not what.words
        return is_one and not is_whole_home and found.entities[0].domain in _OF_A_ROOM

    def near(
        self, what: NounPhrase, found: Sequence[CatalogEntity], domains: Iterable[str], kind: Kind
    ) -> tuple[tuple[CatalogEntity, ...], bool]:
        """Return the entities of a kind beside those found, where the first are, and whether that is no whole home."""
        what = self._on_floor(what)
        by_domain = self.house.catalog.by_domain
        pool = [entity for domain in domains for entity in by_domain.get(domain, ())]
        pool = [entity for entity in pool if entity in found or kind.includes(entity, None)]
        for scope in self._scopes(what):
            if inside := self._inside(pool, what, scope):
                return tuple(inside), scope != "home"
        return tuple(found), False

    def among(self, what: NounPhrase, pool: Sequence[CatalogEntity]) -> list[CatalogEntity]:
        """Return those of some entities that are described."""
        what = self._on_floor(what)
        own = [entity for entity in pool if not what.names or entity in what.names]
        if what.places:
            own = [entity for entity in own if is_in(entity, what.places)]
        elif what.is_here:
            own = [entity for entity in own if entity.area_id == self.area_id]
        return self._fitting(what, own)

    def _named(self, what: NounPhrase, domains: frozenset[str]) -> ResolvedTargets | None:
        """Return the entities called by a full name; of several those in the place said, or near the speaker."""
        own = [entity for entity in what.names if entity.domain in domains]
        if what.is_mood and not what.places:
            # A mood is for where it is said, or for the whole home.
            own = [e for e in own if not (self.area_id and e.area_id) or e.area_id == self.area_id]
        own.sort(key=lambda entity: (entity.name, entity.entity_id))
        # What else is said of it has to be true: "the reading lamp for the film" is not only the lamp.
        own = self._fitting(what, own)
        if own and what.places:
            # One that is elsewhere is not there.
            there = [entity for entity in own if is_in(entity, what.places)]
            return ResolvedTargets(tuple(there), is_ambiguous=_is_unknown(what, there))
        if near := [e for e in own if e.area_id and e.area_id == self.area_id]:
            own = near
        if not own:
            return None
        return ResolvedTargets(tuple(own), is_ambiguous=_is_unknown(what, own))

    def _scopes(self, what: NounPhrase) -> list[str]:
        """Return where to look, one after the other: "place", "name" of a place, "here", "home"."""
        if what.places:
            return ["place", "name"]
        if what.is_here:
            return ["here"] if self.area_id else ["home"]
        if what.is_everywhere or (what.quantity == "all" and what.count is None):
            return ["home"]
        return ["here", "home"] if self.area_id else ["home"]

    def _inside(
        self, pool: Sequence[CatalogEntity], what: NounPhrase, scope: str
    ) -> list[CatalogEntity]:
        """Return those of some entities that are where they are looked for."""
        match scope:
            case "place":
                return [entity for entity in pool if is_in(entity, what.places)]
            case "name":
                stem, words = self.house.lexicon.stem, self.house.words
                # Read once, and not for each of thousands of entities.
                named = [
                    {stem(word) for word in spoken_words(name)}
                    for place in what.places
                    for name in place.names
                ]
                found = {e.entity_id for name in named for e in pool if name <= words[e.entity_id]}
                return [e for e in pool if e.entity_id in found] if found else []
            case "here":
                return [entity for entity in pool if entity.area_id == self.area_id]
            case _:
                return list(pool)

    def _fitting(self, what: NounPhrase, pool: Sequence[CatalogEntity]) -> list[CatalogEntity]:
        """Return the entities with the words and of the kinds; those called so first, unless any is meant."""
        wanted = [self.house.lexicon.stem(word) for word in what.words]
        pool = [e for e in pool if all(w in self.house.words[e.entity_id] for w in wanted)]
        are_all = what.is_everywhere or what.quantity == "all"
        for noun in sorted(what.nouns, key=self._is_radio):
            if len(what.nouns) > 1 and self._is_radio(noun):
                # "The radio on the TV" is no television that is not called so.
                pool = [entity for entity in pool if entity.entity_id in self.house.called(noun)]
            of_all = self._of_all(noun, pool) if are_all else []
            pool = list(dict.fromkeys((*self._of_kind(noun, pool), *of_all)))
        return list(pool)

    def _is_radio(self, noun: Noun) -> bool:
        """Return whether a noun is one for a radio."""
        return not self.house.lexicon.radios.isdisjoint(noun.forms)

    def _of_all(self, noun: Noun, pool: Sequence[CatalogEntity]) -> list[CatalogEntity]:
        """Return what "all speakers" are, whatever they are called; a radio is only what is called so."""
        classes = frozenset() if self._is_radio(noun) else KINDS[noun.kind].of_all
        return [e for e in pool if e.domain == "media_player" and e.device_class in classes]

    def _of_kind(self, noun: Noun, pool: Sequence[CatalogEntity]) -> list[CatalogEntity]:
        """Return the entities of a kind; last those of other domains that are only called so."""
        kind = KINDS[noun.kind]
        are_called = self.house.called(noun)
        named = [entity for entity in pool if entity.entity_id in are_called]
        called = [entity for entity in named if entity.domain in kind.domains]
        by_use = [entity for entity in named if kind.may_be_called(entity)]
        if noun.needs_name and not kind.mode:
            return called or by_use
        if called and not noun.is_general and not kind.mode:
            return called
        state_of = self.hass.states.get if kind.mode else _unneeded
        typed = [e for e in pool if kind.includes(e, state_of(e.entity_id))]
        if kind.mode:
            return (by_use if not noun.is_general else []) or self._of_mode(noun, pool, typed)
        return kind.rather(typed) or called or by_use

    def _of_mode(
        self, noun: Noun, pool: Sequence[CatalogEntity], typed: Sequence[CatalogEntity]
    ) -> list[CatalogEntity]:
        """Return what heats, or cools: of a room what is called so, whatever it is, else what can do it."""
        kind = KINDS[noun.kind]
        nouns = [each for each in self.house.lexicon.nouns if each.kind == noun.kind]
        ids = {entity_id for each in nouns for entity_id in self.house.called(each)}
        called = [each for each in pool if each.entity_id in ids and kind.may_be_called(each)]
        rooms = {entity.area_id for entity in called}
        return [*called, *(e for e in typed if e not in called and e.area_id not in rooms)]

    def _counted(
        self, what: NounPhrase, found: list[CatalogEntity], *, is_home: bool
    ) -> ResolvedTargets:
        """Return all of the entities, or one unknown of them, by number and by how general the noun is."""
        entities = tuple(found)
        if len(entities) == 1:
            return ResolvedTargets(entities)
        if (count := _number_of(what)) is not None and len(entities) > count:
            return ResolvedTargets(entities, is_ambiguous=True)
        if what.is_plural or what.is_everywhere:
            return ResolvedTargets(entities)
        is_collective = not what.words and all(noun.is_general for noun in what.nouns)
        is_one = what.quantity in {"any", "one"} or entities[0].domain in _ONE_AT_A_TIME
        if is_collective and not is_one and not is_home:
            return ResolvedTargets(entities)
        return ResolvedTargets(entities, is_ambiguous=True)


def _number_of(what: NounPhrase) -> int | None:
    """Return of how many things it is said that there are; None where it is not."""
    return 2 if what.quantity == "both" else what.count


def _is_unknown(what: NounPhrase, named: Sequence[CatalogEntity]) -> bool:
    """Return whether it is not known which of the things of a name are meant."""
    count = _number_of(what)
    return len(named) > (1 if not what.is_plural else count or len(named))


def _is_all_unsaid(what: NounPhrase, found: ResolvedTargets) -> bool:
    """Return whether a plural alone means things of several rooms: "the lights", and neither "all" nor where."""
    is_said = (
        what.is_everywhere or what.is_running or what.quantity == "all" or bool(_number_of(what))
    )
    is_mere_plural = what.is_plural and not (what.names or what.words or is_said)
    return is_mere_plural and len({entity.area_id for entity in found.entities}) > 1


def _unneeded(_entity_id: str) -> None:
    """Return no state: of most kinds it is never looked at."""

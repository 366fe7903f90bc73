"""Resolves noun phrases to entities by partial names and kinds of devices: "the lamp", "the desk light".

Every word of the phrase must be explained: as part of the name, a word for the kind of device, a place,
or a function word. A phrase with any other word resolves to nothing.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import NameIndex, Words, words_of
from .device_kinds import has_kind, is_of_kind
from .phrases import DeviceKind, Phrase, PhraseLexicon, WordRole
from .targets import is_in

# "The music in here" is one player, not all of the area.
_ONE_AT_A_TIME = frozenset({DeviceKind.PLAYER.domain})
_NO_PLACES: NameIndex[Place] = NameIndex(())

type _Filter = Callable[[CatalogEntity], bool]


def _anywhere(_entity: CatalogEntity) -> bool:
    """Accept an entity in any area."""
    return True


@dataclass(frozen=True, slots=True)
class NameMatch:
    """Entities that a phrase resolves to: all of them if `is_plural`, else one unknown of them.

    `is_list` if each of them was named.
    """

    entities: tuple[CatalogEntity, ...]
    is_plural: bool
    is_list: bool = False


# Entities of several domains have the words in their names.
_UNCLEAR = NameMatch((), is_plural=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialNames:
    """Resolver of noun phrases to entities of some domains.

    `rivals` are domains that compete: if one of their entities has all the words in its name, nothing is
    found. `area_id` is the speaker's area. With `is_implied` the command itself implies the kind of
    device, so that a place alone means the devices in it.
    """

    hass: HomeAssistant
    catalog: Catalog
    language: PhraseLexicon
    domains: Collection[str]
    rivals: Collection[str] = ()
    area_id: str | None = None
    is_implied: bool = False

    def find(self, text: str) -> NameMatch | None:
        """Return the entities of a phrase, or None where it is unclear or has an unexplained word."""
        for words in self.language.spellings(words_of(text)):
            for phrase, only_literal in self._readings(words):
                if meant := self._match(phrase, only_literal=only_literal):
                    return meant if meant.entities else None
        return None

    def _readings(self, words: Words) -> Iterator[tuple[Phrase, bool]]:
        """Yield the parses of a phrase, and whether all words must occur in the name.

        "Garage Light" may be a name that mentions the garage, of a light elsewhere.
        """
        phrase = Phrase.read(words, self.language, self.catalog.places)
        if phrase is None:
            return
        if phrase.places and (name := Phrase.read(words, self.language, _NO_PLACES)):
            yield name, True
        yield phrase, False

    def _match(self, phrase: Phrase, *, only_literal: bool) -> NameMatch | None:
        """Return the entities of a parsed phrase in the nearest place that has any, or None."""
        if not self._names_something(phrase, in_place=only_literal):
            return None
        spoken = {word.kind.domain for word in phrase.kinds}
        domains = [domain for domain in self.domains if not spoken or domain in spoken]
        for scope in self._filters(phrase):
            for literal in (True,) if only_literal else (True, False):
                found = [
                    fitting
                    for domain in domains
                    if (fitting := self._fitting(phrase, domain, scope, literal=literal))
                ]
                if len(found) > 1 or (found and self._has_rival(phrase, scope)):
                    return _UNCLEAR
                is_all = scope is not _anywhere and (
                    phrase.is_collective or _is_only_a_place(phrase)
                )
                if found and found[0][0][0].domain in _ONE_AT_A_TIME:
                    is_all = False
                if found and (meant := _count(phrase, found[0], is_all=is_all)):
                    return meant
        return None

    def _names_something(self, phrase: Phrase, *, in_place: bool) -> bool:
        """Return whether a phrase has words that can single out a device.

        "The room" has none, unless `in_place`, where it belongs to the full name of a place. Nor has a
        phrase without a word for a kind whose words are all from names of places.
        """
        if self.is_implied and _is_only_a_place(phrase):
            return not in_place
        if phrase.kinds:
            return in_place or not phrase.words or not self.language.rooms.issuperset(phrase.words)
        if not self.language.others.keys().isdisjoint(phrase.words):
            return False
        places = (*self.catalog.areas.values(), *self.catalog.floors.values())
        of_places = {word for place in places for name in place.names for word in words_of(name)}
        return not of_places.issuperset(phrase.words)

    def _filters(self, phrase: Phrase) -> list[_Filter]:
        """Return the search order: the places named, else the speaker's area, then the whole home."""
        area_id = self.area_id
        if phrase.places:
            return [lambda entity: is_in(entity, phrase.places)]
        here: list[_Filter] = [lambda entity: entity.area_id == area_id] if area_id else []
        if WordRole.HERE in phrase.roles:
            return here
        if WordRole.EVERYWHERE in phrase.roles:
            is_all = phrase.is_plural or phrase.is_collective or _is_only_a_place(phrase)
            return [_anywhere] if is_all else []
        if phrase.is_collective and WordRole.ALL in phrase.roles:
            # "All the lights" are those of the home; "the lights" are those of the area.
            return [_anywhere]
        return [*here, _anywhere]

    def _fitting(
        self, phrase: Phrase, domain: str, scope: _Filter, *, literal: bool
    ) -> list[tuple[CatalogEntity, bool]]:
        """Return the entities of a domain that match, each with whether the phrase has it in plural.

        With `literal`, the words for kinds must occur in the name, too. General words alone never match
        so: a "Night Light" is not more of a light than the others.
        """
        words, kinds = phrase.in_domain(domain)
        if literal and phrase.is_general and kinds:
            return []
        wanted = [self.language.in_names(word) for word in words]
        found: list[tuple[CatalogEntity, bool]] = []
        every = self.catalog.by_domain.get(domain, ())
        pool = self.catalog.with_words(domain, wanted[0][0] | wanted[0][1]) if wanted else every
        for entity in filter(scope, pool):
            if not literal and not all(is_of_kind(self.hass, entity, k.kind) for k in kinds):
                continue
            for name in map(_words_in, _called(entity)):
                if literal and not all(has_kind(name, kind) for kind in kinds):
                    continue
                is_plural = _is_plural_in(name, wanted)
                if is_plural is not None:
                    found.append((entity, is_plural))
                    break
        return found

    def _has_rival(self, phrase: Phrase, scope: _Filter) -> bool:
        """Return whether an entity of a rival domain has all the words in its name."""
        return any(self._fitting(phrase, domain, scope, literal=True) for domain in self.rivals)


def _called(entity: CatalogEntity) -> tuple[str, ...]:
    """Return the names of an entity, and its name with its brand."""
    return (*entity.names, f"{entity.name} {entity.brand}") if entity.brand else entity.names


@lru_cache(maxsize=8192)
def _words_in(name: str) -> frozenset[str]:
    """Return the words of a name, cached since the names of a home rarely change."""
    return frozenset(words_of(name))


def _is_plural_in(
    name: frozenset[str], wanted: Iterable[tuple[frozenset[str], frozenset[str]]]
) -> bool | None:
    """Return whether a wanted word is the plural of one in a name; None if one is missing."""
    is_plural = False
    for same, ones in wanted:
        if name.isdisjoint(same):
            if name.isdisjoint(ones):
                return None
            is_plural = True
    return is_plural


def _is_only_a_place(phrase: Phrase) -> bool:
    """Return whether a phrase is a place alone: "here", "the whole house"."""
    if phrase.words or phrase.kinds:
        return False
    return bool(phrase.places) or not phrase.roles.isdisjoint({WordRole.HERE, WordRole.EVERYWHERE})


def _count(
    phrase: Phrase, found: Sequence[tuple[CatalogEntity, bool]], *, is_all: bool
) -> NameMatch | None:
    """Return the match with its number, or None where "both" found fewer than two.

    With `is_all` everything that was found is meant, whatever the number of the noun.
    """
    entities = tuple(entity for entity, _ in found)
    if WordRole.BOTH in phrase.roles and len(entities) != 2:
        # Of three or more, the user has to be asked which.
        return NameMatch(entities, is_plural=False) if len(entities) > 2 else None
    is_whole = phrase.is_collective or _is_only_a_place(phrase)
    is_all = is_all or (is_whole and WordRole.EVERYWHERE in phrase.roles)
    is_plural = is_all or phrase.is_plural or any(is_plural for _, is_plural in found)
    return NameMatch(entities, is_plural)

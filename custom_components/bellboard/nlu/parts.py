"""Finds things that are named by a part of their names: "the lamp", "the desk light".

Every word has to be explained: it occurs in the name, is what such things are called, names a place,
or says nothing. What has a word left over means nothing here.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import NameIndex, Words, words_of
from .kinds import has_kind, is_of_kind
from .phrases import Kind, Phrase, PhraseWords, Role
from .targets import is_in

# A room's music is that of one player.
_ONE_AT_A_TIME = frozenset({Kind.PLAYER.domain})
_NO_PLACES: NameIndex[Place] = NameIndex(())

type _Scope = Callable[[CatalogEntity], bool]


def _anywhere(_entity: CatalogEntity) -> bool:
    """Return that an entity may be anywhere in the house."""
    return True


@dataclass(frozen=True, slots=True)
class Meant:
    """The entities a phrase means: all of them where `is_plural`, else one that is not known.

    `is_list` where each of them was named.
    """

    entities: tuple[CatalogEntity, ...]
    is_plural: bool
    is_list: bool = False


# Found, but things of several domains have the words in their names.
_UNCLEAR = Meant((), is_plural=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialNames:
    """Finds entities of some domains by parts of their names.

    `rivals` are the domains that could be meant as well: where one of their entities has all the
    words in its name, nothing is found. `area_id` is where the speaker is. `is_implied` where the
    words around the phrase say what kind of thing is meant: then a place alone means what is in it.
    """

    hass: HomeAssistant
    catalog: Catalog
    language: PhraseWords
    domains: Collection[str]
    rivals: Collection[str] = ()
    area_id: str | None = None
    is_implied: bool = False

    def find(self, text: str) -> Meant | None:
        """Return what a phrase means, or None where a word is not explained or it is unclear."""
        for words in self.language.spellings(words_of(text)):
            for phrase, only_literal in self._readings(words):
                if meant := self._match(phrase, only_literal=only_literal):
                    return meant if meant.entities else None
        return None

    def _readings(self, words: Words) -> Iterator[tuple[Phrase, bool]]:
        """Yield what words can say, and whether then all of them must occur in the name.

        "Garage Light" may be called after the garage and be elsewhere.
        """
        phrase = Phrase.read(words, self.language, self.catalog.places)
        if phrase is None:
            return
        if phrase.places and (name := Phrase.read(words, self.language, _NO_PLACES)):
            yield name, True
        yield phrase, False

    def _match(self, phrase: Phrase, *, only_literal: bool) -> Meant | None:
        """Return what a phrase means in the nearest place that has it, or None."""
        if not self._names_something(phrase, in_place=only_literal):
            return None
        spoken = {word.kind.domain for word in phrase.kinds}
        domains = [domain for domain in self.domains if not spoken or domain in spoken]
        for scope in self._scopes(phrase):
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
        """Return whether a phrase has words that can tell one thing from others.

        "The room" tells nothing, unless `in_place`: then it belongs to a place that is named in
        full. Without a word for a kind neither does what places are called after.
        """
        if self.is_implied and _is_only_a_place(phrase):
            return not in_place
        if phrase.kinds:
            return in_place or not phrase.words or not self.language.rooms.issuperset(phrase.words)
        if not self.language.others.isdisjoint(phrase.words):
            return False
        places = (*self.catalog.areas.values(), *self.catalog.floors.values())
        of_places = {word for place in places for name in place.names for word in words_of(name)}
        return not of_places.issuperset(phrase.words)

    def _scopes(self, phrase: Phrase) -> list[_Scope]:
        """Return where to look: in the places named, else around the speaker, then in the house."""
        area_id = self.area_id
        if phrase.places:
            return [lambda entity: is_in(entity, phrase.places)]
        here: list[_Scope] = [lambda entity: entity.area_id == area_id] if area_id else []
        if Role.HERE in phrase.roles:
            return here
        if Role.EVERYWHERE in phrase.roles:
            is_all = phrase.is_plural or phrase.is_collective or _is_only_a_place(phrase)
            return [_anywhere] if is_all else []
        if phrase.is_collective and Role.ALL in phrase.roles:
            # "All the lights" are those of the house, wherever it is said; "the lights" are not.
            return [_anywhere]
        return [*here, _anywhere]

    def _fitting(
        self, phrase: Phrase, domain: str, scope: _Scope, *, literal: bool
    ) -> list[tuple[CatalogEntity, bool]]:
        """Return the entities of a domain that fit, each with whether its word is said in plural.

        Where `literal`, the words for kinds have to occur in the name as well. General ones alone
        single nothing out: a "Night Light" is not more of a light than the others.
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

    def _has_rival(self, phrase: Phrase, scope: _Scope) -> bool:
        """Return whether something of another domain has all the words in its name."""
        return any(self._fitting(phrase, domain, scope, literal=True) for domain in self.rivals)


def _called(entity: CatalogEntity) -> tuple[str, ...]:
    """Return what an entity is called: its names, and at last with its brand."""
    return (*entity.names, f"{entity.name} {entity.brand}") if entity.brand else entity.names


@lru_cache(maxsize=8192)
def _words_in(name: str) -> frozenset[str]:
    """Return the words of a name. The names of a home stay, and are asked for all the time."""
    return frozenset(words_of(name))


def _is_plural_in(
    name: frozenset[str], wanted: Iterable[tuple[frozenset[str], frozenset[str]]]
) -> bool | None:
    """Return whether a wanted word is the plural of one in a name; None where one is not in it."""
    is_plural = False
    for same, ones in wanted:
        if name.isdisjoint(same):
            if name.isdisjoint(ones):
                return None
            is_plural = True
    return is_plural


def _is_only_a_place(phrase: Phrase) -> bool:
    """Return whether a phrase names a place and nothing in it: "here", "the whole house"."""
    if phrase.words or phrase.kinds:
        return False
    return bool(phrase.places) or not phrase.roles.isdisjoint({Role.HERE, Role.EVERYWHERE})


def _count(
    phrase: Phrase, found: Sequence[tuple[CatalogEntity, bool]], *, is_all: bool
) -> Meant | None:
    """Return what was found as what is meant, or None where more were counted than were found.

    `is_all` where everything that was found is meant, whatever its number.
    """
    entities = tuple(entity for entity, _ in found)
    if Role.BOTH in phrase.roles and len(entities) != 2:
        # Of three, it is to be asked which.
        return Meant(entities, is_plural=False) if len(entities) > 2 else None
    is_whole = phrase.is_collective or _is_only_a_place(phrase)
    is_all = is_all or (is_whole and Role.EVERYWHERE in phrase.roles)
    is_plural = is_all or phrase.is_plural or any(is_plural for _, is_plural in found)
    return Meant(entities, is_plural)

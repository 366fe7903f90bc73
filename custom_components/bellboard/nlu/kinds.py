"""The kind of thing that a sentence names, which binds what is touched, whoever made the plan.

"Turn off the air conditioner in the bathroom" is for an air conditioner: where only a heating is in
the bathroom, nothing is meant.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from homeassistant.core import HomeAssistant

from ..domains.climate import supports_mode
from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import Words, words_of
from .phrases import Kind, KindWord, PhraseWords

MODE_OF: Mapping[Kind, str] = {Kind.HEATING: "heat", Kind.COOLING: "cool"}
"""What a climate entity does that is called after a kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedKinds:
    """The kinds of things that a sentence names.

    `words` are those for the kinds it names, `doing` what its verb is for ("heat the office"). `things`
    are the entity ids of what it calls by a name in full, `places` the places it names. With `is_other`
    it names a thing of no such kind: a door, a socket.
    """

    words: tuple[KindWord, ...] = ()
    doing: frozenset[Kind] = frozenset()
    things: frozenset[str] = frozenset()
    places: tuple[Place, ...] = ()
    is_other: bool = False

    @classmethod
    def read(cls, text: str, language: PhraseWords, catalog: Catalog) -> Self:
        """Return what a sentence names. A word in a name that is said in full names no kind."""
        words = words_of(text)
        things: set[str] = set()
        places: list[Place] = []
        rest: list[str] = []
        end = 0
        for found in catalog.all_names.find(words):
            said = words[found.start : found.end]
            things |= {m.entity_id for m in found.meanings if isinstance(m, CatalogEntity)}
            places += [m for m in found.meanings if isinstance(m, Place)]
            # A thing that is only called "Television" does not make the word a name.
            rest += words[end : found.end] if language.is_kind(said) else words[end : found.start]
            end = found.end
        rest += words[end:]
        left = tuple(rest)
        return cls(
            words=tuple(dict.fromkeys(_kind_words(left, language))),
            doing=frozenset(language.verbs[word] for word in left if word in language.verbs),
            things=frozenset(things),
            places=tuple(dict.fromkeys(places)),
            is_other=not language.others.isdisjoint(left),
        )

    def of(self, domain: str, *, with_verbs: bool = False) -> frozenset[Kind]:
        """Return the kinds of a domain that are named; `with_verbs` also what the verb is for."""
        kinds = {word.kind for word in self.words if word.kind.domain == domain}
        if with_verbs and not kinds - {Kind.THERMOSTAT}:
            kinds |= {kind for kind in self.doing if kind.domain == domain}
        return frozenset(kinds)

    def is_foreign(self, domain: str) -> bool:
        """Return whether things are named, and none that is of a domain."""
        if any(thing.partition(".")[0] == domain for thing in self.things):
            return False
        return bool(self.words or self.is_other or self.things) and not self.of(domain)

    def fitting(
        self, hass: HomeAssistant, entities: Iterable[CatalogEntity], *, with_verbs: bool = False
    ) -> tuple[CatalogEntity, ...]:
        """Return those of some entities that are of a kind named, or called by their name.

        All of them where no kind of theirs is named.
        """
        return tuple(
            entity
            for entity in entities
            if entity.entity_id in self.things or self._fits(hass, entity, with_verbs=with_verbs)
        )

    def _fits(self, hass: HomeAssistant, entity: CatalogEntity, *, with_verbs: bool) -> bool:
        """Return whether an entity is of a kind that is named, by what it can do or its name."""
        kinds = self.of(entity.domain, with_verbs=with_verbs)
        if not kinds or any(is_of_kind(hass, entity, kind) for kind in kinds):
            return True
        if entity.domain == Kind.TV.domain and entity.device_class is None:
            # It is not known what it is.
            return True
        names = [frozenset(words_of(name)) for name in entity.names]
        return any(
            has_kind(name, word) for word in self.words if word.kind in kinds for name in names
        )


def _kind_words(words: Words, language: PhraseWords) -> Iterable[KindWord]:
    """Yield the words for kinds in a text, also those that are the second half of a compound."""
    for spelled in language.spellings(words):
        for found in language.index.find(spelled):
            yield from (m for m in found.meanings if isinstance(m, KindWord))


def is_of_kind(hass: HomeAssistant, entity: CatalogEntity, kind: Kind) -> bool:
    """Return whether an entity of a kind's domain is what the kind is called after."""
    match kind:
        case Kind.TV:
            return entity.device_class == "tv"
        case Kind.PLAYER:
            return entity.device_class != "tv"
        case Kind.HEATING | Kind.COOLING:
            state = hass.states.get(entity.entity_id)
            return state is not None and supports_mode(state, MODE_OF[kind])
        case _:
            return True


def has_kind(name: frozenset[str], kind: KindWord) -> bool:
    """Return whether a word for a kind is in a name, alone or as the second half of a word."""
    if name.issuperset(kind.said) or name.issuperset(kind.one):
        return True
    ends = (kind.said[0], kind.one[0])
    return kind.can_be_compounded and any(word.endswith(ends) for word in name)

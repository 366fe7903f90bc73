"""Kinds of devices that a sentence names, which bind the targets of any plan made for it.

"Turn off the air conditioner in the bathroom" has no target where the bathroom only has a radiator.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import Words, words_of
from .kinds import KINDS
from .lexicon import Noun
from .phrases import PLAYER, SHORTEST_SECOND_HALF, PhraseLexicon

_TV, _THERMOSTAT = "tv", "thermostat"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedKinds:
    """Kinds of devices, entities and places that a sentence names.

    `words` are its nouns for kinds of devices, `doing` the kinds that its verb implies ("heat the
    office"). `things` are the ids of entities with their full name in it, `places` the areas and floors.
    `others` are the domains of devices of no such kind that it names: a fan, a socket.
    """

    words: tuple[Noun, ...] = ()
    doing: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    places: tuple[Place, ...] = ()
    others: frozenset[str] = frozenset()

    @classmethod
    def read(cls, text: str, language: PhraseLexicon, catalog: Catalog) -> Self:
        """Return what a sentence names; words within a full name do not count as nouns for a kind."""
        words = words_of(text)
        things: set[str] = set()
        places: list[Place] = []
        rest: list[str] = []
        end = 0
        for found in catalog.all_names.find(words):
            said = words[found.start : found.end]
            things |= {m.entity_id for m in found.meanings if isinstance(m, CatalogEntity)}
            places += [m for m in found.meanings if isinstance(m, Place)]
            # "Television" remains a noun for a kind, even if an entity has that name.
            rest += words[end : found.end] if language.is_kind(said) else words[end : found.start]
            end = found.end
        rest += words[end:]
        left = tuple(rest)
        return cls(
            words=tuple(dict.fromkeys(_nouns(left, language))),
            doing=frozenset(language.verbs[word] for word in left if word in language.verbs),
            things=frozenset(things),
            places=tuple(dict.fromkeys(places)),
            others=frozenset(language.others[word] for word in left if word in language.others),
        )

    def of(self, domain: str, *, with_verbs: bool = False) -> frozenset[str]:
        """Return the kinds of a domain that are named, `with_verbs` also those that the verb implies."""
        kinds = {noun.kind for noun in self.words}
        of_domain = {kind for kind in kinds if domain in KINDS[kind].domains}
        if with_verbs and not of_domain - {_THERMOSTAT}:
            of_domain |= {kind for kind in self.doing if domain in KINDS[kind].domains}
        return frozenset(of_domain)

    @property
    def domains(self) -> frozenset[str]:
        """Return the domains of the kinds that are named."""
        named = (domain for noun in self.words for domain in KINDS[noun.kind].domains)
        return self.others.union(named)

    def is_foreign(self, domain: str) -> bool:
        """Return whether devices are named, but none of a domain."""
        if domain in self.others or any(t.partition(".")[0] == domain for t in self.things):
            return False
        return bool(self.words or self.others or self.things) and not self.of(domain)

    def fitting(
        self, hass: HomeAssistant, entities: Iterable[CatalogEntity], *, with_verbs: bool = False
    ) -> tuple[CatalogEntity, ...]:
        """Return the entities of a kind that is named, or that are named themselves.

        All entities of a domain of which no kind is named are returned, too.
        """
        return tuple(
            entity
            for entity in entities
            if entity.entity_id in self.things or self._fits(hass, entity, with_verbs=with_verbs)
        )

    def _fits(self, hass: HomeAssistant, entity: CatalogEntity, *, with_verbs: bool) -> bool:
        """Return whether an entity is of a kind that is named, by its capabilities or a noun in its name."""
        kinds = self.of(entity.domain, with_verbs=with_verbs)
        state = hass.states.get(entity.entity_id)
        if not kinds or any(KINDS[kind].includes(entity, state) for kind in kinds - {PLAYER}):
            return True
        if PLAYER in kinds and entity.device_class != _TV:
            return True
        if entity.domain in KINDS[_TV].domains and entity.device_class is None:
            # Without a device class it may be a television or a speaker.
            return True
        names = [frozenset(words_of(name)) for name in entity.names]
        return any(
            _is_called(name, noun) for noun in self.words if noun.kind in kinds for name in names
        )


def _nouns(words: Words, language: PhraseLexicon) -> Iterable[Noun]:
    """Yield the nouns for kinds of devices in a text, also as second halves of compounds."""
    for spelled in language.spellings(words):
        for found in language.index.find(spelled):
            yield from (meant for meant in found.meanings if isinstance(meant, Noun))


def _is_called(name: frozenset[str], noun: Noun) -> bool:
    """Return whether a noun for a kind is in a name, alone or as the second half of a compound."""
    forms = [words_of(form) for form in noun.forms]
    if any(name.issuperset(form) for form in forms):
        return True
    ends = tuple(
        form[0] for form in forms if len(form) == 1 and len(form[0]) >= SHORTEST_SECOND_HALF
    )
    return any(word.endswith(ends) for word in name)

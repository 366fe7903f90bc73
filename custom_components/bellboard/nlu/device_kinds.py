"""Kinds of devices that a sentence names, which bind the targets of any plan made for it.

"Turn off the air conditioner in the bathroom" has no target where the bathroom only has a radiator.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from homeassistant.core import HomeAssistant

from ..domains.climate import supports_mode
from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import Words, words_of
from .phrases import DeviceKind, KindWord, PhraseLexicon

MODE_BY_KIND: Mapping[DeviceKind, str] = {DeviceKind.HEATING: "heat", DeviceKind.COOLING: "cool"}
"""HVAC mode that a climate entity of a kind must support."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedKinds:
    """Kinds of devices, entities and places that a sentence names.

    `words` are its nouns for kinds of devices, `doing` the kinds that its verb implies ("heat the
    office"). `things` are the ids of entities with their full name in it, `places` the areas and floors.
    `others` are the domains of devices of no such kind that it names: a fan, a socket.
    """

    words: tuple[KindWord, ...] = ()
    doing: frozenset[DeviceKind] = frozenset()
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
            words=tuple(dict.fromkeys(_kind_words(left, language))),
            doing=frozenset(language.verbs[word] for word in left if word in language.verbs),
            things=frozenset(things),
            places=tuple(dict.fromkeys(places)),
            others=frozenset(language.others[word] for word in left if word in language.others),
        )

    def of(self, domain: str, *, with_verbs: bool = False) -> frozenset[DeviceKind]:
        """Return the kinds of a domain that are named, `with_verbs` also those that the verb implies."""
        kinds = {word.kind for word in self.words if word.kind.domain == domain}
        if with_verbs and not kinds - {DeviceKind.THERMOSTAT}:
            kinds |= {kind for kind in self.doing if kind.domain == domain}
        return frozenset(kinds)

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
        if not kinds or any(is_of_kind(hass, entity, kind) for kind in kinds):
            return True
        if entity.domain == DeviceKind.TV.domain and entity.device_class is None:
            # Without a device class it may be a television or a speaker.
            return True
        names = [frozenset(words_of(name)) for name in entity.names]
        return any(
            has_kind(name, word) for word in self.words if word.kind in kinds for name in names
        )


def _kind_words(words: Words, language: PhraseLexicon) -> Iterable[KindWord]:
    """Yield the nouns for kinds of devices in a text, also as second halves of compounds."""
    for spelled in language.spellings(words):
        for found in language.index.find(spelled):
            yield from (m for m in found.meanings if isinstance(m, KindWord))


def is_of_kind(hass: HomeAssistant, entity: CatalogEntity, kind: DeviceKind) -> bool:
    """Return whether an entity of a kind's domain is of the kind, by device class or capabilities."""
    match kind:
        case DeviceKind.TV:
            return entity.device_class == "tv"
        case DeviceKind.PLAYER:
            return entity.device_class != "tv"
        case DeviceKind.HEATING | DeviceKind.COOLING:
            state = hass.states.get(entity.entity_id)
            return state is not None and supports_mode(state, MODE_BY_KIND[kind])
        case _:
            return True


def has_kind(name: frozenset[str], kind: KindWord) -> bool:
    """Return whether a noun for a kind is in a name, alone or as the second half of a compound."""
    if name.issuperset(kind.said) or name.issuperset(kind.one):
        return True
    ends = (kind.said[0], kind.one[0])
    return kind.can_be_compounded and any(word.endswith(ends) for word in name)

"""Catalog of the entities exposed to Assist, with their names, aliases, areas and floors.

It is rebuilt when a registry or an exposure changes, not for each turn. States are not in it: they
change all the time and are read when needed.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
    async_should_expose,
)
from homeassistant.const import ATTR_ENTITY_ID, EVENT_STATE_CHANGED
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    intent,
)
from homeassistant.helpers.group import get_group_entities

from ..const import DOMAIN
from .names import EntityIndex, NameIndex, Words, words_of
from .overview import describe_rooms

# After this many entities the event loop gets a turn, so that a large home does not block it.
_ENTITIES_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class CatalogEntity:
    """Exposed entity with its name and aliases; the first of `names` is the one in replies.

    `brand` is the manufacturer and model of its device, which people may call it by ("the Sonos"). `labels` are
    the ids of its own, its device's and its area's.
    """

    entity_id: str
    names: tuple[str, ...]
    area_id: str | None
    floor_id: str | None
    device_class: str | None
    brand: str = ""
    labels: frozenset[str] = frozenset()

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return self.entity_id.partition(".")[0]

    @property
    def name(self) -> str:
        """Return the name for replies."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Place:
    """Area or floor, with its name and aliases; `floor_id` is the area's floor, or the floor itself.

    `level` is that of a floor, 0 being the ground floor, None where none is set. It `is_near` where it is said as
    where the speaker is ("down here").
    """

    id: str
    names: tuple[str, ...]
    floor_id: str | None
    is_floor: bool
    level: int | None = None
    is_near: bool = False

    @property
    def name(self) -> str:
        """Return the name for replies."""
        return self.names[0]


def is_in(entity: CatalogEntity, places: Sequence[Place]) -> bool:
    """Return whether an entity is in one of the areas or on one of the floors.

    Of areas and floors together, as in "the bathroom upstairs", it must be in one of each.
    """
    areas = {place.id for place in places if not place.is_floor}
    floors = {place.id for place in places if place.is_floor}
    if areas and floors:
        return entity.area_id in areas and entity.floor_id in floors
    return entity.area_id in areas or entity.floor_id in floors


@dataclass(frozen=True)
class Catalog:
    """Snapshot of all entities, areas and floors that may be named, with gazetteers of their names.

    `version` grows with each rebuild, as the key of caches.
    """

    version: int = 0
    entities: dict[str, CatalogEntity] = field(default_factory=dict)
    areas: dict[str, Place] = field(default_factory=dict)
    floors: dict[str, Place] = field(default_factory=dict)
    _indexes: dict[str, NameIndex[CatalogEntity | Place]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _words: dict[str, dict[str, list[CatalogEntity]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @cached_property
    def overview(self) -> str:
        """Return the home in one line a room."""
        return describe_rooms(self)

    def floor_of(self, area_id: str | None) -> Place | None:
        """Return the floor that an area is on, None where it is on none."""
        area = self.areas.get(area_id or "")
        return self.floors.get(area.floor_id or "") if area else None

    @cached_property
    def by_domain(self) -> dict[str, tuple[CatalogEntity, ...]]:
        """Return the entities of each domain, sorted by name.

        Sorted, because another order would invalidate the model server's prompt cache.
        """
        domains: dict[str, list[CatalogEntity]] = {}
        for entity in self.entities.values():
            domains.setdefault(entity.domain, []).append(entity)
        return {
            domain: tuple(sorted(found, key=lambda e: (e.name, e.entity_id)))
            for domain, found in domains.items()
        }

    @cached_property
    def all_names(self) -> NameIndex[CatalogEntity | Place]:
        """Return the gazetteer of all entities, areas and floors."""
        places = (*self.areas.values(), *self.floors.values())
        return NameIndex(
            [
                *((name, entity) for entity in self.entities.values() for name in entity.names),
                *((name, place) for place in places for name in place.names),
            ]
        )

    @cached_property
    def spoken_names(self) -> frozenset[Words]:
        """Return all names of entities, areas and floors, as words."""
        places = (*self.areas.values(), *self.floors.values())
        of_things = (name for entity in self.entities.values() for name in entity.names)
        of_places = (name for place in places for name in place.names)
        return frozenset(words_of(name) for name in (*of_things, *of_places))

    @cached_property
    def search(self) -> EntityIndex:
        """Return the index that ranks all entities by a text."""
        return EntityIndex({entity_id: self._called(e) for entity_id, e in self.entities.items()})

    def _called(self, entity: CatalogEntity) -> tuple[str, ...]:
        """Return all that an entity may be called by: names, brand, and those of its room and floor."""
        places = self.areas.get(entity.area_id or ""), self.floors.get(entity.floor_id or "")
        return (*entity.names, entity.brand, *(n for place in places if place for n in place.names))

    def only(self, is_kept: Callable[[CatalogEntity], bool]) -> Catalog:
        """Return a catalog with some of the entities, and all areas and floors."""
        kept = {id_: entity for id_, entity in self.entities.items() if is_kept(entity)}
        return Catalog(self.version, kept, self.areas, self.floors)

    def build_name_index(self) -> None:
        """Build the gazetteer of all names, unless it is built."""
        _ = self.all_names

    def build_search(self) -> None:
        """Build the index that ranks entities, unless it is built; of a thousand that takes some 10 ms."""
        _ = self.search

    def build_indexes(self, domain: str) -> None:
        """Build the gazetteer and the word index of a domain, unless they are built."""
        self.named(domain)
        self._by_word(domain)

    def named(self, domain: str) -> NameIndex[CatalogEntity | Place]:
        """Return the gazetteer of a domain's entities together with areas and floors.

        Together, so that the longest match wins: "Kitchen Lamp" is the lamp, not the kitchen.
        """
        if domain not in self._indexes:
            entities = self.by_domain.get(domain, ())
            places = (*self.areas.values(), *self.floors.values())
            self._indexes[domain] = NameIndex(
                [
                    *((name, entity) for entity in entities for name in entity.names),
                    *((name, place) for place in places for name in place.names),
                ]
            )
        return self._indexes[domain]

    def _by_word(self, domain: str) -> dict[str, list[CatalogEntity]]:
        """Return the entities of a domain by each word in their names or brand."""
        if domain not in self._words:
            words = self._words[domain] = {}
            for entity in self.by_domain.get(domain, ()):
                for word in {w for name in (*entity.names, entity.brand) for w in words_of(name)}:
                    words.setdefault(word, []).append(entity)
        return self._words[domain]

    def distinctive(self, domain: str, words: Words) -> tuple[CatalogEntity, ...]:
        """Return the entities of a domain that alone have one of `words`, sorted by name."""
        by_word = self._by_word(domain)
        with_words = (by_word.get(word, ()) for word in words)
        own = {found[0] for found in with_words if len(found) == 1}
        return tuple(sorted(own, key=lambda entity: (entity.name, entity.entity_id)))


class CatalogSource:
    """Cache of the catalog, invalidated by changes of registries, exposure and entities."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start with a stale catalog; nothing is read yet."""
        self._hass = hass
        self._catalog = Catalog()
        self._stale = True
        self._building = asyncio.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._on_stale: list[Callable[[], None]] = []

    @callback
    def async_on_stale(self, told: Callable[[], None]) -> CALLBACK_TYPE:
        """Call a function whenever the home changes, until the function that is returned is called."""
        self._on_stale.append(told)
        return lambda: self._on_stale.remove(told)

    @callback
    def async_listen(self) -> None:
        """Listen to changes of registries, of exposure and of which entities exist."""
        hass = self._hass
        self._listeners = [
            hass.bus.async_listen(ar.EVENT_AREA_REGISTRY_UPDATED, self._async_mark_stale),
            hass.bus.async_listen(fr.EVENT_FLOOR_REGISTRY_UPDATED, self._async_mark_stale),
            hass.bus.async_listen(
                dr.EVENT_DEVICE_REGISTRY_UPDATED,
                self._async_mark_stale,
                event_filter=self._is_foreign_device,
            ),
            hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._async_mark_stale),
            hass.bus.async_listen(
                EVENT_STATE_CHANGED, self._async_mark_stale, event_filter=_is_added_or_removed
            ),
            async_listen_entity_updates(hass, CONVERSATION_DOMAIN, self._async_mark_stale),
        ]

    @callback
    def async_unlisten(self) -> None:
        """Remove the listeners."""
        while self._listeners:
            self._listeners.pop()()

    @callback
    def _is_foreign_device(self, data: dr.EventDeviceRegistryUpdatedData) -> bool:
        """Return whether a changed device is not the integration's own, whose names are in no catalog."""
        device = dr.async_get(self._hass).async_get(data["device_id"])
        return device is None or any(domain != DOMAIN for domain, *_ in device.identifiers)

    @callback
    def _async_mark_stale(self, _event: Event[Any] | None = None) -> None:
        """Mark the catalog as stale; it is rebuilt when it is next asked for."""
        self._stale = True
        for told in self._on_stale:
            told()

    async def async_get(self) -> Catalog:
        """Return the catalog, rebuilt if it is stale.

        Callers during a build wait for it, so that none gets a stale catalog.
        """
        if not self._stale and not self._building.locked():
            return self._catalog
        async with self._building:
            while self._stale:
                # Reset before reading, so that a change during the build is not lost.
                self._stale = False
                try:
                    self._catalog = await self._async_build(self._catalog.version + 1)
                except BaseException:
                    self._stale = True
                    raise
        return self._catalog

    async def _async_build(self, version: int) -> Catalog:
        """Return a new catalog, read from the registries and the exposure."""
        hass = self._hass
        areas = {
            area.id: Place(
                area.id, _place_names(area.name, area.aliases), area.floor_id, is_floor=False
            )
            for area in ar.async_get(hass).async_list_areas()
        }
        floors = {
            floor.floor_id: Place(
                floor.floor_id,
                _place_names(floor.name, floor.aliases),
                floor.floor_id,
                is_floor=True,
                level=floor.level,
            )
            for floor in fr.async_get(hass).async_list_floors()
        }
        entities: dict[str, CatalogEntity] = {}
        for count, state in enumerate(hass.states.async_all()):
            if count % _ENTITIES_AT_ONCE == _ENTITIES_AT_ONCE - 1:
                await asyncio.sleep(0)
            if entity := _read_entity(hass, state, areas):
                entities[entity.entity_id] = entity
        catalog = Catalog(version, entities, areas, floors)
        for domain in catalog.by_domain:
            # One domain at a time, so that the event loop is not blocked.
            catalog.build_indexes(domain)
            await asyncio.sleep(0)
        catalog.build_name_index()
        return catalog


def is_exposed(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether an entity is exposed to Assist now."""
    return async_should_expose(hass, CONVERSATION_DOMAIN, entity_id)


def _read_entity(
    hass: HomeAssistant, state: State, areas: dict[str, Place]
) -> CatalogEntity | None:
    """Return an entity for the catalog, or None if it is not exposed or has no name."""
    if not is_exposed(hass, state.entity_id):
        return None
    entry = er.async_get(hass).async_get(state.entity_id)
    names = [name.strip() for name in intent.async_get_entity_aliases(hass, entry, state=state)]
    names = list(dict.fromkeys(name for name in names if words_of(name)))
    if not names:
        return None
    area_id = er.async_get_effective_area_id(hass, entry) if entry else None
    return CatalogEntity(
        entity_id=state.entity_id,
        names=tuple(names),
        area_id=area_id,
        floor_id=areas[area_id].floor_id if area_id in areas else None,
        device_class=state.attributes.get("device_class"),
        brand=_brand(hass, entry),
        labels=labels_of(hass, entry, area_id) if entry else frozenset(),
    )


def labels_of(hass: HomeAssistant, entry: er.RegistryEntry, area_id: str | None) -> frozenset[str]:
    """Return the ids of the labels of an entity, of its device and of its area."""
    device = dr.async_get(hass).async_get(entry.device_id) if entry.device_id else None
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return frozenset(entry.labels).union(
        device.labels if device else (), area.labels if area else ()
    )


def _brand(hass: HomeAssistant, entry: er.RegistryEntry | None) -> str:
    """Return the manufacturer and model of an entity's device, "" for none."""
    if entry is None or entry.device_id is None:
        return ""
    device = dr.async_get(hass).async_get(entry.device_id)
    if not isinstance(device, dr.DeviceEntry):
        return ""
    return " ".join(filter(None, (device.manufacturer, device.model)))


def _place_names(name: str, aliases: set[str]) -> tuple[str, ...]:
    """Return a place's name, then its aliases in a stable order."""
    return (name, *sorted(alias for alias in aliases if alias.strip()))


@callback
def _is_added_or_removed(data: EventStateChangedData) -> bool:
    """Return whether a state change is that of an entity added or removed."""
    return data["old_state"] is None or data["new_state"] is None


_GROUP = "group"


@callback
def members_of(hass: HomeAssistant, entity_id: str) -> tuple[str, ...]:
    """Return the members of a group, with nested groups replaced by theirs; () for an entity that is no group."""
    found = dict.fromkeys(_leaves(hass, entity_id, {entity_id}))
    found.pop(entity_id, None)
    return tuple(found)


@callback
def with_members(hass: HomeAssistant, entity_ids: Iterable[str]) -> tuple[str, ...]:
    """Return entity ids, each once, with those of the members after each group."""
    return tuple(
        dict.fromkeys(each for one in entity_ids for each in (one, *members_of(hass, one)))
    )


@callback
def is_exposed_member(hass: HomeAssistant, group: str, entity_id: str) -> bool:
    """Return whether a group's member may be called: it is exposed, or hidden behind an exposed group."""
    if is_exposed(hass, entity_id):
        return True
    entry = er.async_get(hass).async_get(entity_id)
    hidden = entry is not None and entry.hidden_by is er.RegistryEntryHider.INTEGRATION
    return hidden and is_exposed(hass, group)


def _leaves(hass: HomeAssistant, entity_id: str, seen: set[str]) -> Iterator[str]:
    """Yield an entity, or the leaves of its members if it is a group."""
    if not (members := _members(hass, entity_id)):
        yield entity_id
    for member in members:
        if member not in seen:
            seen.add(member)
            yield from _leaves(hass, member, seen)


def _members(hass: HomeAssistant, entity_id: str) -> list[str]:
    """Return the direct members of a group; [] for an entity that is no group."""
    entity = get_group_entities(hass).get(entity_id)
    if entity is not None and entity.group is not None:
        return entity.group.member_entity_ids
    state = hass.states.get(entity_id)
    if state is None or not _is_group(hass, state):
        return []
    members = state.attributes.get(ATTR_ENTITY_ID)
    return [m for m in members if isinstance(m, str)] if isinstance(members, list | tuple) else []


def _is_group(hass: HomeAssistant, state: State) -> bool:
    """Return whether an entity that lists others is a group of them; scenes and the like are not."""
    if state.domain == _GROUP:
        return True
    if state.domain in {"scene", "script", "automation", "person", "zone"}:
        return False
    entry = er.async_get(hass).async_get(state.entity_id)
    # Without a registry entry the platform is unknown.
    return entry is None or entry.platform == _GROUP or ATTR_ENTITY_ID in state.attributes

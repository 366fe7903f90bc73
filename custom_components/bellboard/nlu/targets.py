"""Target resolution: which entities of a domain an instruction refers to, by name, place or context.

It is done by rules before a model is asked, so that no model leaves an area that was named, or picks
among entities that were not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from homeassistant.const import STATE_PLAYING
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import words_of


class TargetScope(StrEnum):
    """How the targets of an instruction were found.

    NAMED by name, PLACE by an area or floor, SPEAKER_AREA in the area of the satellite, PLAYING as the
    players that play, ONLY as the only entity of the domain, WHOLE_HOME by a word like "everywhere";
    AMBIGUOUS where nothing says which.
    """

    NAMED = "named"
    PLACE = "place"
    SPEAKER_AREA = "here"
    PLAYING = "playing"
    ONLY = "only"
    WHOLE_HOME = "everywhere"
    AMBIGUOUS = "open"


@dataclass(frozen=True, slots=True)
class TargetMatch:
    """Target entities of an instruction, the scope they were found in, and the places named.

    In the scope AMBIGUOUS `entities` are candidates, and the user has to be asked. In the scope PLACE
    they may be empty: the `places` have no entity of the domain.
    """

    scope: TargetScope
    entities: tuple[CatalogEntity, ...]
    places: tuple[Place, ...] = ()


def find_targets(
    hass: HomeAssistant,
    catalog: Catalog,
    domain: str,
    instruction: str,
    *,
    area_id: str | None = None,
    ignored: frozenset[str] = frozenset(),
    everywhere: frozenset[str] = frozenset(),
) -> TargetMatch:
    """Return the targets of an instruction among the exposed entities of a domain.

    `area_id` is the speaker's area. `ignored` are stop words (verbs, articles) and `everywhere` words
    for the whole home, both of the speaker's language.
    """
    words = words_of(instruction)
    every = catalog.by_domain.get(domain, ())
    entities, places, rest = _find_mentions(catalog, domain, words)
    named = entities or catalog.distinctive(
        domain, tuple(word for word in rest if word not in ignored and not word.isdigit())
    )
    if named or places:
        return _combine_mentions(every, named, places, by_full_name=bool(entities))
    if everywhere.intersection(rest):
        return TargetMatch(TargetScope.WHOLE_HOME, every)
    if here := tuple(entity for entity in every if area_id and entity.area_id == area_id):
        return TargetMatch(TargetScope.SPEAKER_AREA, here)
    if domain == "media_player" and (playing := _filter_playing(hass, every)):
        return TargetMatch(TargetScope.PLAYING, playing)
    return TargetMatch(TargetScope.ONLY if len(every) == 1 else TargetScope.AMBIGUOUS, every)


def _find_mentions(
    catalog: Catalog, domain: str, words: tuple[str, ...]
) -> tuple[tuple[CatalogEntity, ...], tuple[Place, ...], tuple[str, ...]]:
    """Return the entities and places mentioned by their full names, and the remaining words."""
    entities: list[CatalogEntity] = []
    places: list[Place] = []
    rest: list[str] = []
    end = 0
    for found in catalog.named(domain).find(words):
        rest += words[end : found.start]
        end = found.end
        entities += [m for m in found.meanings if isinstance(m, CatalogEntity)]
        places += [m for m in found.meanings if isinstance(m, Place)]
    rest += words[end:]
    return tuple(dict.fromkeys(entities)), tuple(dict.fromkeys(places)), tuple(rest)


def _combine_mentions(
    every: tuple[CatalogEntity, ...],
    named: tuple[CatalogEntity, ...],
    places: tuple[Place, ...],
    *,
    by_full_name: bool,
) -> TargetMatch:
    """Combine names and places: a place narrows the named entities in it, else it adds its own."""
    if not places:
        return TargetMatch(TargetScope.NAMED, named)
    inside = tuple(entity for entity in every if is_in(entity, places))
    if narrowed := tuple(entity for entity in named if entity in inside):
        return TargetMatch(TargetScope.NAMED, narrowed, places)
    if by_full_name:
        return TargetMatch(TargetScope.NAMED, tuple(dict.fromkeys((*named, *inside))), places)
    return TargetMatch(TargetScope.PLACE, inside, places)


def is_in(entity: CatalogEntity, places: Sequence[Place]) -> bool:
    """Return whether an entity is in one of the areas or on one of the floors.

    Of areas and floors together, as in "the bathroom upstairs", it must be in one of each.
    """
    areas = {place.id for place in places if not place.is_floor}
    floors = {place.id for place in places if place.is_floor}
    if areas and floors:
        return entity.area_id in areas and entity.floor_id in floors
    return entity.area_id in areas or entity.floor_id in floors


def _filter_playing(
    hass: HomeAssistant, players: tuple[CatalogEntity, ...]
) -> tuple[CatalogEntity, ...]:
    """Return the players that play now."""
    return tuple(
        player
        for player in players
        if (state := hass.states.get(player.entity_id)) and state.state == STATE_PLAYING
    )


def speaker_area(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> str | None:
    """Return the speaker's area: the satellite entity's own, else its device's."""
    if satellite_id and (satellite := er.async_get(hass).async_get(satellite_id)):
        if satellite.area_id:
            return satellite.area_id
        device_id = satellite.device_id or device_id
    if device_id and (device := dr.async_get(hass).async_get(device_id)):
        return dr.async_get_effective_area_id(hass, device)
    return None


def own_satellites(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> frozenset[str]:
    """Return the entity ids of the satellites that the speaker speaks to: the one, or those of its device."""
    found = _of_device(hass, device_id, "assist_satellite")
    return frozenset({*found, *([satellite_id] if satellite_id else [])})


def own_players(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> frozenset[str]:
    """Return the entity ids of the players in the device that the speaker speaks to."""
    satellite = er.async_get(hass).async_get(satellite_id) if satellite_id else None
    if satellite and satellite.device_id:
        device_id = satellite.device_id
    return _of_device(hass, device_id, "media_player")


def _of_device(hass: HomeAssistant, device_id: str | None, domain: str) -> frozenset[str]:
    """Return the entity ids of a domain in a device."""
    of_device = er.async_entries_for_device(er.async_get(hass), device_id) if device_id else []
    return frozenset(entry.entity_id for entry in of_device if entry.domain == domain)

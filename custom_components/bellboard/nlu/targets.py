"""Which entities an instruction means.

Found in the words themselves, before any model is asked: a room that was named is never left, and
what was not named is asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from homeassistant.const import STATE_PLAYING
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

from ..home.catalog import Catalog, CatalogEntity, Place
from ..home.names import words_of


class Reach(StrEnum):
    """How the targets of an instruction were found."""

    NAMED = "named"
    PLACE = "place"
    SPEAKER_AREA = "here"
    PLAYING = "playing"
    ONLY = "only"
    EVERYWHERE = "everywhere"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Scope:
    """The entities an instruction can mean, and how they were found.

    With reach OPEN the words do not say which of `entities` is meant, and it has to be asked. With
    reach PLACE and no entities, the `places` named hold nothing of the kind.
    """

    reach: Reach
    entities: tuple[CatalogEntity, ...]
    places: tuple[Place, ...] = ()


def find_scope(
    hass: HomeAssistant,
    catalog: Catalog,
    domain: str,
    instruction: str,
    *,
    area_id: str | None = None,
    ignored: frozenset[str] = frozenset(),
    everywhere: frozenset[str] = frozenset(),
) -> Scope:
    """Return what an instruction can mean among the exposed entities of a domain.

    `area_id` is where the speaker is. `ignored` are words that name nothing (verbs, articles) and
    `everywhere` words for the whole home, both in the speaker's language.
    """
    words = words_of(instruction)
    every = catalog.by_domain.get(domain, ())
    entities, places, rest = _mentioned(catalog, domain, words)
    named = entities or catalog.distinctive(
        domain, tuple(word for word in rest if word not in ignored and not word.isdigit())
    )
    if named or places:
        return _mentioned_scope(every, named, places, by_full_name=bool(entities))
    if everywhere.intersection(rest):
        return Scope(Reach.EVERYWHERE, every)
    if here := tuple(entity for entity in every if area_id and entity.area_id == area_id):
        return Scope(Reach.SPEAKER_AREA, here)
    if domain == "media_player" and (playing := _playing(hass, every)):
        return Scope(Reach.PLAYING, playing)
    return Scope(Reach.ONLY if len(every) == 1 else Reach.OPEN, every)


def _mentioned(
    catalog: Catalog, domain: str, words: tuple[str, ...]
) -> tuple[tuple[CatalogEntity, ...], tuple[Place, ...], tuple[str, ...]]:
    """Return the entities and places that are named in full, and the words that are left."""
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


def _mentioned_scope(
    every: tuple[CatalogEntity, ...],
    named: tuple[CatalogEntity, ...],
    places: tuple[Place, ...],
    *,
    by_full_name: bool,
) -> Scope:
    """Combine names and places: a place narrows a name it holds, and adds to one it does not."""
    if not places:
        return Scope(Reach.NAMED, named)
    inside = tuple(entity for entity in every if is_in(entity, places))
    if narrowed := tuple(entity for entity in named if entity in inside):
        return Scope(Reach.NAMED, narrowed, places)
    if by_full_name:
        return Scope(Reach.NAMED, tuple(dict.fromkeys((*named, *inside))), places)
    return Scope(Reach.PLACE, inside, places)


def is_in(entity: CatalogEntity, places: Sequence[Place]) -> bool:
    """Return whether an entity is in one of the areas, or on one of the floors.

    Where areas and floors are both named, as in "the bathroom upstairs", both must hold.
    """
    areas = {place.id for place in places if not place.is_floor}
    floors = {place.id for place in places if place.is_floor}
    if areas and floors:
        return entity.area_id in areas and entity.floor_id in floors
    return entity.area_id in areas or entity.floor_id in floors


def _playing(hass: HomeAssistant, players: tuple[CatalogEntity, ...]) -> tuple[CatalogEntity, ...]:
    """Return the players that play right now."""
    return tuple(
        player
        for player in players
        if (state := hass.states.get(player.entity_id)) and state.state == STATE_PLAYING
    )


def speaker_area(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> str | None:
    """Return the area of whoever speaks: the satellite's own, else its device's."""
    if satellite_id and (satellite := er.async_get(hass).async_get(satellite_id)):
        if satellite.area_id:
            return satellite.area_id
        device_id = satellite.device_id or device_id
    if device_id and (device := dr.async_get(hass).async_get(device_id)):
        return dr.async_get_effective_area_id(hass, device)
    return None

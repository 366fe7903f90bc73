"""What is meant where nothing is named: what is in the room, what plays, or the only one there is."""

from collections.abc import Collection, Sequence

from homeassistant.const import STATE_PAUSED, STATE_PLAYING
from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity
from .parts import Meant

# What plays comes before what paused, unless it is to go on.
_PLAYED = (frozenset({STATE_PLAYING}), frozenset({STATE_PAUSED}))
_RESUMED = (frozenset({STATE_PAUSED}), frozenset({STATE_PLAYING}))


def nearby(
    hass: HomeAssistant,
    catalog: Catalog,
    domain: str,
    area_id: str | None,
    *,
    resumes: bool = False,
    at_work: bool = False,
) -> Meant | None:
    """Return what is meant of a domain where nothing is named, or None where there is nothing.

    All lights of the room; of players and thermostats one. `resumes` where what paused is meant
    before what plays, `at_work` where nothing can be done with a player that is idle. Where it is not
    known which, all that it could be, as not plural.
    """
    every = catalog.by_domain.get(domain, ())
    here = tuple(entity for entity in every if area_id and entity.area_id == area_id)
    if domain == "light":
        return _lights(here, every)
    if domain != "media_player":
        return _one_of(here) or _one_of(every)
    order = _RESUMED if resumes else _PLAYED
    for pool in (here, every):
        for states in order:
            if active := in_states(hass, pool, states):
                return Meant(active, is_plural=False)
        if pool and not at_work:
            return Meant(pool, is_plural=False)
    return _one_of(here) or _one_of(every)


def _lights(here: tuple[CatalogEntity, ...], every: tuple[CatalogEntity, ...]) -> Meant | None:
    """Return the lights of the room, or the only one; any of all where there is no room."""
    if here:
        return Meant(here, is_plural=True)
    return _one_of(every)


def _one_of(entities: tuple[CatalogEntity, ...]) -> Meant | None:
    """Return one of some entities, of which it is not known which, unless there are none."""
    return Meant(entities, is_plural=False) if entities else None


def in_states(
    hass: HomeAssistant, entities: Sequence[CatalogEntity], states: Collection[str]
) -> tuple[CatalogEntity, ...]:
    """Return the entities that are in one of some states."""
    return tuple(
        entity
        for entity in entities
        if (state := hass.states.get(entity.entity_id)) and state.state in states
    )


def one_player(
    hass: HomeAssistant, players: Sequence[CatalogEntity], wanted: str
) -> tuple[CatalogEntity, ...]:
    """Return which of some players is meant: one in the wanted state, and rather no television.

    Several where it is still not known which; none where none of them is in that state.
    """
    active = in_states(hass, players, {wanted})
    speakers = tuple(player for player in active if player.device_class != "tv")
    return speakers or active

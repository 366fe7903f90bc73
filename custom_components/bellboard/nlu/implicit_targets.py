"""Implicit targets of a command that names none: by the speaker's area, by state, or the only entity."""

from collections.abc import Collection, Sequence

from homeassistant.const import STATE_PAUSED, STATE_PLAYING
from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogEntity
from .partial_names import NameMatch

# Order of preference by state: playing first, for resuming paused first.
_PLAYED = (frozenset({STATE_PLAYING}), frozenset({STATE_PAUSED}))
_RESUMED = (frozenset({STATE_PAUSED}), frozenset({STATE_PLAYING}))


def find_implicit_targets(
    hass: HomeAssistant,
    catalog: Catalog,
    domain: str,
    area_id: str | None,
    *,
    resumes: bool = False,
    at_work: bool = False,
    for_music: bool = False,
) -> NameMatch | None:
    """Return the implicit targets of a domain, or None where it has no entity.

    They are all lights of the speaker's area, or one player or thermostat; if it is not known which one,
    all candidates, not plural. With `resumes` paused players go before playing ones; with `at_work` idle
    players are no candidates; with `for_music` no television is, where there is a speaker.
    """
    every = catalog.by_domain.get(domain, ())
    if for_music:
        every = without_televisions(every)
    here = tuple(entity for entity in every if area_id and entity.area_id == area_id)
    if domain == "light":
        return _lights(here, every)
    if domain != "media_player":
        return _one_of(here) or _one_of(every)
    order = _RESUMED if resumes else _PLAYED
    for pool in (here, every):
        for states in order:
            if active := filter_by_state(hass, pool, states):
                return NameMatch(active, is_plural=False)
        if pool and not at_work:
            # Music is heard from a speaker, where there is one.
            return NameMatch(without_televisions(pool), is_plural=False)
    return _one_of(here) or _one_of(every)


def _lights(here: tuple[CatalogEntity, ...], every: tuple[CatalogEntity, ...]) -> NameMatch | None:
    """Return the lights of the area, else any one of the home."""
    if here:
        return NameMatch(here, is_plural=True)
    return _one_of(every)


def _one_of(entities: tuple[CatalogEntity, ...]) -> NameMatch | None:
    """Return one unknown of some entities, or None where there are none."""
    return NameMatch(entities, is_plural=False) if entities else None


def filter_by_state(
    hass: HomeAssistant, entities: Sequence[CatalogEntity], states: Collection[str]
) -> tuple[CatalogEntity, ...]:
    """Return the entities whose state is one of some."""
    return tuple(
        entity
        for entity in entities
        if (state := hass.states.get(entity.entity_id)) and state.state in states
    )


def choose_player(
    hass: HomeAssistant, players: Sequence[CatalogEntity], wanted: str
) -> tuple[CatalogEntity, ...]:
    """Return the players in the wanted state, without televisions if there are others."""
    return without_televisions(filter_by_state(hass, players, {wanted}))


def without_televisions(players: Sequence[CatalogEntity]) -> tuple[CatalogEntity, ...]:
    """Return the players that are no televisions, all where there are no others."""
    speakers = tuple(player for player in players if player.device_class != "tv")
    return speakers or tuple(players)

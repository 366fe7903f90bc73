"""Implicit targets of a command that names none: by the speaker's area, by state, or the only entity."""

from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.const import STATE_PAUSED, STATE_PLAYING
from homeassistant.core import HomeAssistant, State

from ..domains.playback import waits
from ..domains.player_groups import are_one_group, leader_of, without_followers
from ..home.catalog import Catalog, CatalogEntity


@dataclass(frozen=True, slots=True)
class ImplicitTargets:
    """Entities that are meant without being named: all of them if `is_plural`, else one unknown of them."""

    entities: tuple[CatalogEntity, ...]
    is_plural: bool


def find_implicit_targets(
    hass: HomeAssistant,
    catalog: Catalog,
    domain: str,
    area_id: str | None,
    *,
    resumes: bool = False,
    at_work: bool = False,
    for_music: bool = False,
) -> ImplicitTargets | None:
    """Return the implicit targets of a domain, or None where it has no entity.

    They are all lights of the speaker's area, or one player or thermostat; if it is not known which one,
    all candidates, not plural. With `resumes` paused players go before playing ones; with `at_work` idle
    players are no candidates; with `for_music` no television is, where there is a speaker. Of players that
    play together it is the one that leads them.
    """
    every = catalog.by_domain.get(domain, ())
    if for_music:
        every = without_televisions(every)
    here = tuple(entity for entity in every if area_id and entity.area_id == area_id)
    if domain == "light":
        return _lights(here, every)
    if domain != "media_player":
        return _one_of(here) or _one_of(every)
    for pool in (here, every):
        if active := active_players(hass, pool, resumes=resumes):
            return ImplicitTargets(leading_players(hass, active), is_plural=False)
        if pool and not at_work:
            # Music is heard from a speaker, where there is one.
            return ImplicitTargets(without_televisions(pool), is_plural=False)
    return _one_of(here) or _one_of(every)


def _lights(
    here: tuple[CatalogEntity, ...], every: tuple[CatalogEntity, ...]
) -> ImplicitTargets | None:
    """Return the lights of the area, else any one of the home."""
    if here:
        return ImplicitTargets(here, is_plural=True)
    return _one_of(every)


def _one_of(entities: tuple[CatalogEntity, ...]) -> ImplicitTargets | None:
    """Return one unknown of some entities, or None where there are none."""
    return ImplicitTargets(entities, is_plural=False) if entities else None


def active_players(
    hass: HomeAssistant, players: Sequence[CatalogEntity], *, resumes: bool = False
) -> tuple[CatalogEntity, ...]:
    """Return the players that play, else those that are paused; () where there are none.

    With `resumes` it is the other way round, and after both come those that still have something to go on with.
    """
    states = _states_of(hass, players)
    playing, paused = (
        tuple(player for player, state in states.items() if state.state == wanted)
        for wanted in (STATE_PLAYING, STATE_PAUSED)
    )
    if not resumes:
        return playing or paused
    return paused or playing or tuple(player for player, state in states.items() if waits(state))


def leading_players(
    hass: HomeAssistant, players: Sequence[CatalogEntity]
) -> tuple[CatalogEntity, ...]:
    """Return players without those that follow another of them."""
    states = _states_of(hass, players)
    leading = {state.entity_id for state in without_followers(list(states.values()))}
    return tuple(player for player in players if player.entity_id in leading)


def group_of(
    hass: HomeAssistant, players: Sequence[CatalogEntity], every: Sequence[CatalogEntity]
) -> tuple[CatalogEntity, ...]:
    """Return those of all players that are in the groups which some of them lead."""
    leading = {player.entity_id for player in players}
    states = _states_of(hass, every)
    return tuple(player for player, state in states.items() if leader_of(state) in leading)


def play_together(hass: HomeAssistant, players: Sequence[CatalogEntity]) -> bool:
    """Return whether players are several of one group."""
    return are_one_group(list(_states_of(hass, players).values()))


def _states_of(hass: HomeAssistant, players: Sequence[CatalogEntity]) -> dict[CatalogEntity, State]:
    """Return the states of players, without those that have none."""
    return {player: state for player in players if (state := hass.states.get(player.entity_id))}


def without_televisions(players: Sequence[CatalogEntity]) -> tuple[CatalogEntity, ...]:
    """Return the players that are no televisions, all where there are no others."""
    speakers = tuple(player for player in players if player.device_class != "tv")
    return speakers or tuple(players)

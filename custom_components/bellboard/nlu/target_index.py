"""Index of all states by name, for Home Assistant's target matching, which walks over all names otherwise."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers import device_registry as dr, entity_registry as er, intent
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN


@callback
def async_match_targets(
    hass: HomeAssistant,
    constraints: intent.MatchTargetsConstraints,
    preferences: intent.MatchTargetsPreferences | None = None,
) -> intent.MatchTargetsResult:
    """Match like Home Assistant's function of this name, which is given only what is called by the name.

    States and order are the same. Of a failure the reason may be another one before the name (DOMAIN, STATE).
    Without a name, or with one that nothing has, Home Assistant looks through all states.
    """
    states = _async_named(hass, constraints) if constraints.name else None
    return intent.async_match_targets(hass, constraints, preferences, states)


@dataclass(frozen=True, slots=True)
class _TargetIndex:
    """The ids of entities by name, each in the order of the states, and what drops the index."""

    ids: dict[str, list[str]]
    listeners: list[Callable[[], None]] = field(default_factory=list)


_DATA_INDEX: HassKey[_TargetIndex] = HassKey(f"{DOMAIN}_targets")


@callback
def _async_named(
    hass: HomeAssistant, constraints: intent.MatchTargetsConstraints
) -> list[State] | None:
    """Return the states called by the name of constraints, in the order in which all states are looked through."""
    index = hass.data.get(_DATA_INDEX) or _async_build(hass)
    ids = index.ids.get(_normalised(constraints.name or ""), ())
    found = [state for entity_id in ids if (state := hass.states.get(entity_id))]
    if constraints.domains is None:
        return found
    return [state for domain in constraints.domains for state in found if state.domain == domain]


def _normalised(name: str) -> str:
    """Return a name as Home Assistant compares it."""
    return name.strip().casefold()


@callback
def _async_build(hass: HomeAssistant) -> _TargetIndex:
    """Index all states; the first change of a name drops the index, and the listeners with it."""
    registry = er.async_get(hass)
    ids: dict[str, list[str]] = {}
    for state in hass.states.async_all():
        entry = registry.async_get(state.entity_id)
        names = intent.async_get_entity_aliases(hass, entry, state=state)
        for name in dict.fromkeys(map(_normalised, (state.entity_id, *names))):
            ids.setdefault(name, []).append(state.entity_id)
    index = hass.data[_DATA_INDEX] = _TargetIndex(ids)

    @callback
    def drop(_event: Event[Any]) -> None:
        hass.data.pop(_DATA_INDEX, None)
        while index.listeners:
            index.listeners.pop()()

    index.listeners.extend(
        (
            hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, drop),
            hass.bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, drop),
            hass.bus.async_listen(EVENT_STATE_CHANGED, drop, event_filter=_is_renamed),
        )
    )
    return index


@callback
def _is_renamed(data: EventStateChangedData) -> bool:
    """Return whether a state was added, removed, or is called otherwise than before."""
    old, new = data["old_state"], data["new_state"]
    return old is None or new is None or old.name != new.name

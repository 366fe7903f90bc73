"""Index of all states by name and by area, for Home Assistant's target matching, which walks over all of them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from homeassistant.const import EVENT_STATE_CHANGED
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    intent,
)
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN

_STATES_AT_ONCE = 100


@callback
def async_match_targets(
    hass: HomeAssistant,
    constraints: intent.MatchTargetsConstraints,
    preferences: intent.MatchTargetsPreferences | None = None,
) -> intent.MatchTargetsResult:
    """Match like Home Assistant's function of this name, which is given only what has the name or is in the area.

    The result is the same. Without a name and an area, and where nothing matches, so that there is a reason to tell,
    Home Assistant looks through all states.
    """
    if constraints.name or constraints.area_name:
        states = _async_likely(hass, constraints)
        result = intent.async_match_targets(hass, constraints, preferences, states)
        if result.is_match or not states:
            return result
    return intent.async_match_targets(hass, constraints, preferences)


async def async_prepare_targets(hass: HomeAssistant) -> None:
    """Build the index, in steps between which the event loop gets a turn; a change meanwhile ends it."""
    if _DATA_INDEX in hass.data:
        return
    index = _TargetIndex()
    index.listen(hass)
    for place, state in enumerate(hass.states.async_all()):
        if place % _STATES_AT_ONCE == _STATES_AT_ONCE - 1:
            await asyncio.sleep(0)
        if not index.listeners:
            return
        index.add(hass, state, place)
    if _DATA_INDEX in hass.data:
        index.drop()
    else:
        hass.data[_DATA_INDEX] = index


@dataclass(slots=True)
class _TargetIndex:
    """The ids of entities by name and by area, with their place in the order of the states.

    `listeners` are there until the first change of a name or an area.
    """

    named: dict[str, dict[str, int]] = field(default_factory=dict)
    inside: dict[str, dict[str, int]] = field(default_factory=dict)
    listeners: list[Callable[[], None]] = field(default_factory=list)

    @callback
    def add(self, hass: HomeAssistant, state: State, place: int) -> None:
        """Index a state, which is the one at a place in the order of all."""
        entry = er.async_get(hass).async_get(state.entity_id)
        names = intent.async_get_entity_aliases(hass, entry, state=state)
        for name in map(_normalised, (state.entity_id, *names)):
            self.named.setdefault(name, {})[state.entity_id] = place
        if entry and (area_id := er.async_get_effective_area_id(hass, entry)):
            self.inside.setdefault(area_id, {})[state.entity_id] = place

    @callback
    def listen(self, hass: HomeAssistant) -> None:
        """Listen to changes, the first of which drops the index."""

        @callback
        def changed(_event: Event[Any]) -> None:
            self.drop()
            if hass.data.get(_DATA_INDEX) is self:
                del hass.data[_DATA_INDEX]

        self.listeners += [
            hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, changed),
            hass.bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, changed),
            hass.bus.async_listen(EVENT_STATE_CHANGED, changed, event_filter=_is_renamed),
        ]

    @callback
    def drop(self) -> None:
        """Listen no more."""
        while self.listeners:
            self.listeners.pop()()


_DATA_INDEX: HassKey[_TargetIndex] = HassKey(f"{DOMAIN}_targets")


@callback
def _async_likely(
    hass: HomeAssistant, constraints: intent.MatchTargetsConstraints
) -> list[State] | None:
    """Return the states called by the name of constraints, else in their area, in the order in which all are seen."""
    index = hass.data.get(_DATA_INDEX) or _async_build(hass)
    ids: dict[str, int] = {}
    if constraints.name:
        ids = index.named.get(_normalised(constraints.name), {})
    else:
        for area in intent.find_areas(constraints.area_name or "", ar.async_get(hass)):
            ids = {**ids, **index.inside.get(area.id, {})}
    ordered = sorted(ids, key=ids.__getitem__)
    found = [state for entity_id in ordered if (state := hass.states.get(entity_id))]
    if constraints.domains is None:
        return found
    return [state for domain in constraints.domains for state in found if state.domain == domain]


def _normalised(name: str) -> str:
    """Return a name as Home Assistant compares it."""
    return name.strip().casefold()


@callback
def _async_build(hass: HomeAssistant) -> _TargetIndex:
    """Index all states at once, where nobody has prepared it."""
    index = hass.data[_DATA_INDEX] = _TargetIndex()
    for place, state in enumerate(hass.states.async_all()):
        index.add(hass, state, place)
    index.listen(hass)
    return index


@callback
def _is_renamed(data: EventStateChangedData) -> bool:
    """Return whether a state was added, removed, or is called otherwise than before."""
    old, new = data["old_state"], data["new_state"]
    return old is None or new is None or old.name != new.name

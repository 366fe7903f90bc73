"""States, areas, floors, labels, users and devices, looked up in Home Assistant for the rules."""

from collections.abc import Collection, Iterator, Mapping
from datetime import time, timedelta
from typing import Any

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.const import ATTR_DEVICE_CLASS
from homeassistant.core import Event, HomeAssistant, State, callback
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
)
from homeassistant.helpers.sun import get_astral_event_date
from homeassistant.util import dt as dt_util
from homeassistant.util.event_type import EventType

from ..home.catalog import labels_of
from ..when import SunEvent, SunTime
from .engine import DaySpan, Interaction
from .matching import NameKind, wildcard_pattern
from .rules import ANY, Match, normal_name

_REGISTRIES: tuple[EventType[Any], ...] = (
    ar.EVENT_AREA_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    er.EVENT_ENTITY_REGISTRY_UPDATED,
    fr.EVENT_FLOOR_REGISTRY_UPDATED,
    lr.EVENT_LABEL_REGISTRY_UPDATED,
)


_PERSON = "person"

_SUN_DAYS = 3
_SUN_ERROR = timedelta(minutes=15)
"""So much the sun may be earlier or later on the days between those that are looked at."""


def _person_names(state: State) -> frozenset[str]:
    """Return what a person is called in rules: the entity id, what follows its dot, and the name."""
    short = state.entity_id.partition(".")[2]
    return frozenset(map(normal_name, (state.entity_id, short, state.name)))


class RegistryLookup:
    """`HomeLookup` in Home Assistant's registries, cached until one of them changes.

    Users can only be read asynchronously: their names are loaded at the start, and when one changes.
    `satellites` are those that belong to one person, by the person's name, as the policies' file has them.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._users: dict[str, str] = {}
        self.satellites: Mapping[str, Collection[str]] = {}
        self._ids: dict[tuple[NameKind, str], Collection[str]] = {}
        self._names: dict[tuple[NameKind, str], Collection[str]] = {}

    async def async_start(self) -> None:
        """Load the users, and listen to changes of them and of the registries."""
        for registry in _REGISTRIES:
            self._hass.bus.async_listen(registry, self._async_registry_changed)
        for event in (EVENT_USER_ADDED, EVENT_USER_UPDATED, EVENT_USER_REMOVED):
            self._hass.bus.async_listen(event, self.async_read_users)
        await self.async_read_users()

    @callback
    def _async_registry_changed(self, _event: Event[Any]) -> None:
        """Clear the cache."""
        self._ids.clear()
        self._names.clear()

    async def async_read_users(self, _event: Event[Any] | None = None) -> None:
        """Load the names of the users."""
        users = await self._hass.auth.async_get_users()
        self._users = {user.id: normal_name(user.name or "") for user in users}

    @callback
    def state(self, entity_id: str) -> State | None:
        """Return the state of an entity."""
        return self._hass.states.get(entity_id)

    @callback
    def ids(self, kind: NameKind, entity_id: str) -> Collection[str]:
        """Return the ids of the areas, floors or labels of an entity, or its device class.

        A label is an entity's if the entity, its device or its area has it.
        """
        if kind is NameKind.DEVICE_CLASS:
            # Where no registry has it, the state does, and that is not told when it changes.
            return self._device_class(entity_id)
        if (found := self._ids.get((kind, entity_id))) is None:
            found = self._ids[kind, entity_id] = self._look_up(kind, entity_id)
        return found

    def _device_class(self, entity_id: str) -> Collection[str]:
        """Return the device class of an entity: the one that was chosen for it, else its own; () for none."""
        entry, state = er.async_get(self._hass).async_get(entity_id), self.state(entity_id)
        written = state.attributes.get(ATTR_DEVICE_CLASS) if state else None
        registered = (entry.device_class or entry.original_device_class) if entry else None
        found = registered or written
        return (str(found),) if found else ()

    def _look_up(self, kind: NameKind, entity_id: str) -> Collection[str]:
        """Return the ids, from the registries."""
        hass = self._hass
        if (entry := er.async_get(hass).async_get(entity_id)) is None:
            return ()
        area_id = er.async_get_effective_area_id(hass, entry)
        area = ar.async_get(hass).async_get_area(area_id) if area_id else None
        match kind:
            case NameKind.AREA:
                return (area.id,) if area else ()
            case NameKind.FLOOR:
                return (area.floor_id,) if area and area.floor_id else ()
            case _:
                return labels_of(hass, entry, area_id)

    @callback
    def names(self, kind: NameKind, id_: str) -> Collection[str]:
        """Return the names of an area, a floor, a label or a device class, its id and its aliases among them."""
        if (found := self._names.get((kind, id_))) is None:
            found = self._names[kind, id_] = self._look_up_names(kind, id_)
        return found

    def _look_up_names(self, kind: NameKind, id_: str) -> Collection[str]:
        """Return the names, from the registries."""
        hass = self._hass
        match kind:
            case NameKind.AREA:
                area = ar.async_get(hass).async_get_area(id_)
                names = [area.name, *area.aliases] if area else []
            case NameKind.FLOOR:
                floor = fr.async_get(hass).async_get_floor(id_)
                names = [floor.name, *floor.aliases] if floor else []
            case NameKind.LABEL:
                label = lr.async_get(hass).async_get_label(id_)
                names = [label.name] if label else []
            case _:
                names = []
        return frozenset(map(normal_name, (id_, *names)))

    @callback
    def speaker(self, kind: NameKind, interaction: Interaction) -> Collection[str]:
        """Return the names of the speaker's user, device or area."""
        match kind:
            case NameKind.USER:
                user_id = interaction.user_id
                return {ANY, user_id, self._users.get(user_id, user_id)} if user_id else ()
            case NameKind.PERSON:
                return self.persons(interaction)
            case NameKind.SATELLITE:
                return self._satellite_names(interaction)
            case NameKind.DEVICE:
                device_id = interaction.device_id
                return {ANY, *self._device_names(device_id)} if device_id else ()
            case _:
                return self.names(NameKind.AREA, interaction.area_id) if interaction.area_id else ()

    @callback
    def sun_span(self, sun: SunTime) -> DaySpan:
        """Return the local times of the day that a time by the sun comes to within a year.

        It is the whole day where that goes over midnight, or the sun does not rise or set.
        """
        today = dt_util.now().date()
        # The sun sets between a forenoon and the early morning after, and rises twelve hours before.
        begin = timedelta(hours=6 if sun.event is SunEvent.SUNSET else -6)
        found: list[timedelta] = []
        for days in range(0, 366, _SUN_DAYS):
            if at := get_astral_event_date(self._hass, sun.event, today + timedelta(days=days)):
                local = dt_util.as_local(at)
                clock = timedelta(hours=local.hour, minutes=local.minute)
                found.append((clock - begin) % timedelta(days=1) + begin)
        if not found:
            return DaySpan()
        offset = timedelta(seconds=sun.offset)
        first, last = min(found) + offset - _SUN_ERROR, max(found) + offset + _SUN_ERROR
        if first.days or last.days:
            return DaySpan()
        began, ended = (time(t.seconds // 3600, t.seconds // 60 % 60) for t in (first, last))
        return DaySpan(began, ended)

    @callback
    def persons(self, interaction: Interaction) -> frozenset[str]:
        """Return the names of the person who speaks: by their user, else by the satellite that is theirs.

        Empty where nobody knows who it is.
        """
        states = self._hass.states.async_all(_PERSON)
        if user_id := interaction.user_id:
            own = [state for state in states if state.attributes.get("user_id") == user_id]
        else:
            heard = self._satellite_names(interaction) - {ANY}
            owners = {
                normal_name(person)
                for person, satellites in self.satellites.items()
                if not heard.isdisjoint(map(normal_name, satellites))
            }
            own = [state for state in states if not owners.isdisjoint(_person_names(state))]
        found = frozenset(name for state in own for name in _person_names(state))
        return found | {ANY} if found else found

    @callback
    def unknown(self, match: Match) -> Iterator[tuple[NameKind, str]]:
        """Yield the names in a match, inner ones left out, that nothing has now."""
        hass = self._hass
        known = {
            NameKind.AREA: [area.id for area in ar.async_get(hass).async_list_areas()],
            NameKind.FLOOR: [floor.floor_id for floor in fr.async_get(hass).async_list_floors()],
            NameKind.LABEL: [label.label_id for label in lr.async_get(hass).async_list_labels()],
        }
        for kind, ids in known.items():
            names = {name for id_ in ids for name in self.names(kind, id_)}
            yield from (
                (kind, n) for n in getattr(match, kind) or () if normal_name(n) not in names
            )
        users = {ANY, *self._users, *self._users.values()}
        yield from (
            (NameKind.USER, name) for name in match.user or () if normal_name(name) not in users
        )
        persons = {ANY}.union(*map(_person_names, hass.states.async_all(_PERSON)))
        yield from (
            (NameKind.PERSON, name)
            for name in match.person or ()
            if normal_name(name) not in persons
        )
        for entity_id in match.entity or ():
            if wildcard_pattern(entity_id) is None and self.state(entity_id) is None:
                yield NameKind.ENTITY, entity_id

    def _satellite_names(self, interaction: Interaction) -> frozenset[str]:
        """Return the ids of the satellite that heard it, and of its device."""
        found = {interaction.satellite_id, interaction.device_id}
        if satellite_id := interaction.satellite_id:
            entry = er.async_get(self._hass).async_get(satellite_id)
            found.add(entry.device_id if entry else None)
        names = frozenset(normal_name(id_) for id_ in found if id_)
        return names | {ANY} if names else names

    def _device_names(self, device_id: str) -> Collection[str]:
        """Return the names of a device, its id among them."""
        device = dr.async_get(self._hass).async_get(device_id)
        names = (device.name_by_user, device.name) if device else ()
        return {normal_name(name) for name in (device_id, *names) if name}

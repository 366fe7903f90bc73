"""Group entities of any integration, and their members."""

from collections.abc import Iterable, Iterator

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.group import get_group_entities

from .catalog import is_exposed

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

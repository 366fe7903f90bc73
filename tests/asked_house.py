"""A house with people, a contact beside a lock of one name, and lists, for what is asked and noted."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er


def put(
    hass: HomeAssistant,
    entity_id: str,
    name: str,
    state: str,
    area: str = "",
    **attributes: Any,
) -> None:
    """Put an entity into the house that only shows a state."""
    entities, areas = er.async_get(hass), ar.async_get(hass)
    domain, _, object_id = entity_id.partition(".")
    entry = entities.async_get_or_create(
        domain, "shown", object_id, suggested_object_id=object_id, original_name=name
    )
    assert entry.entity_id == entity_id
    place = areas.async_get_area_by_name(area) if area else None
    entities.async_update_entity(entity_id, name=name, area_id=place.id if place else None)
    hass.states.async_set(entity_id, state, {"friendly_name": name, **attributes})
    async_expose_entity(hass, "conversation", entity_id, should_expose=True)


def put_people(hass: HomeAssistant) -> None:
    """Put people and a zone into the house, and a contact that is called like a lock."""
    hass.states.async_set("zone.bakery", "1", {"friendly_name": "Bakery"})
    put(hass, "person.olga", "Olga", "not_home")
    put(hass, "person.pete", "Pete", "home")
    put(hass, "person.rosa", "Rosa", "Bakery")
    put(hass, "binary_sensor.front_door", "Front Door", "off", "Hallway", device_class="door")

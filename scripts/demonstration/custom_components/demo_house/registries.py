"""The house's floors, areas, devices and entities in Home Assistant's registries."""

from typing import TYPE_CHECKING

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
)

from .const import DOMAIN, MANUFACTURER

if TYPE_CHECKING:
    from .entity import HouseConfigEntry
    from .house import Area, Floor, House, Item

ASSISTANT = "conversation"


def panel_identifier(area_name: str) -> tuple[str, str]:
    """Return the device identifier of an area's voice panel."""
    return (DOMAIN, f"panel {area_name}")


@callback
def async_build(hass: HomeAssistant, entry: HouseConfigEntry, house: House) -> None:
    """Create what the registries lack: floors, areas, devices, entities, aliases, exposure.

    What is there already keeps its settings, so a change made by hand survives a restart. It runs
    before the platforms, so no entity is ever seen without its area or with default exposure.
    """
    for floor in house.floors:
        floor_id = _async_floor(hass, floor)
        for area in floor.areas:
            area_id = _async_area(hass, area, floor_id)
            _async_panel(hass, entry, area, area_id)
            for item in area.items:
                _async_entity(hass, entry, item, area_id)


@callback
def async_assign_sensors(hass: HomeAssistant, house: House) -> None:
    """Let every area that lacks one use its own temperature and humidity sensor.

    It runs after the platforms, for Home Assistant wants the sensor's state to be there.
    """
    areas = ar.async_get(hass)
    for area in house.areas:
        known = areas.async_get_area_by_name(area.name)
        sensors = {
            item.options["device_class"]: item.entity_id
            for item in area.items
            if item.domain == Platform.SENSOR and hass.states.get(item.entity_id)
        }
        if known is None:
            continue
        if known.temperature_entity_id is None and (sensor := sensors.get("temperature")):
            areas.async_update(known.id, temperature_entity_id=sensor)
        if known.humidity_entity_id is None and (sensor := sensors.get("humidity")):
            areas.async_update(known.id, humidity_entity_id=sensor)


@callback
def _async_floor(hass: HomeAssistant, floor: Floor) -> str:
    floors = fr.async_get(hass)
    if known := floors.async_get_floor_by_name(floor.name):
        return known.floor_id
    created = floors.async_create(floor.name, aliases=set(floor.aliases), level=floor.level)
    return created.floor_id


@callback
def _async_area(hass: HomeAssistant, area: Area, floor_id: str) -> str:
    areas = ar.async_get(hass)
    if known := areas.async_get_area_by_name(area.name):
        # Onboarding makes a few bare rooms of its own; they take the house's place and names.
        if known.floor_id is None:
            areas.async_update(known.id, aliases=set(area.aliases), floor_id=floor_id)
        return known.id
    return areas.async_create(area.name, aliases=set(area.aliases), floor_id=floor_id).id


@callback
def _async_panel(hass: HomeAssistant, entry: HouseConfigEntry, area: Area, area_id: str) -> None:
    identifier = panel_identifier(area.name)
    _async_device(hass, entry, identifier, f"{area.name} voice panel", area_id)


@callback
def _async_device(
    hass: HomeAssistant,
    entry: HouseConfigEntry,
    identifier: tuple[str, str],
    name: str,
    area_id: str,
) -> str:
    devices = dr.async_get(hass)
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id,
        identifiers={identifier},
        name=name,
        manufacturer=MANUFACTURER,
    )
    if device.area_id is None:
        devices.async_update_device(device.id, area_id=area_id)
    return device.id


@callback
def _async_entity(hass: HomeAssistant, entry: HouseConfigEntry, item: Item, area_id: str) -> None:
    entities = er.async_get(hass)
    if entities.async_get_entity_id(item.domain, DOMAIN, item.entity_id):
        return
    device_id = _async_device(hass, entry, (DOMAIN, item.entity_id), item.name, area_id)
    entities.async_get_or_create(
        Platform(item.domain),
        DOMAIN,
        item.entity_id,
        suggested_object_id=item.object_id,
        config_entry=entry,
        device_id=device_id,
        has_entity_name=True,
        original_name=None,
        original_device_class=item.options.get("device_class"),
    )
    if item.aliases:
        entities.async_update_entity(item.entity_id, aliases=[er.COMPUTED_NAME, *item.aliases])
    async_expose_entity(hass, ASSISTANT, item.entity_id, item.exposed)

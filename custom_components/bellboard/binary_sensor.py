"""A diagnostic binary sensor: whether a connection's model server answers."""

from typing import override

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import BellboardConfigEntry
from .entity import connection_device
from .server_watch import ServerWatch

# Nothing is asked for: what is known is in memory.
PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: BellboardConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the sensor of a connection to a server."""
    if watch := entry.runtime_data.watch:
        async_add_entities([ServerSensor(entry, watch)])


class ServerSensor(BinarySensorEntity):
    """Whether the model server of a connection answered when it was last asked."""

    _attr_device_class = BinarySensorDeviceClass.CONNECTIVITY
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_translation_key = "server"

    def __init__(self, entry: BellboardConfigEntry, watch: ServerWatch) -> None:
        """Show what is known of a connection's server."""
        self._watch = watch
        self._attr_unique_id = f"{entry.entry_id}_server"
        self._attr_device_info = connection_device(entry)

    @override
    async def async_added_to_hass(self) -> None:
        """Listen to what becomes of the server."""
        self.async_on_remove(self._watch.add_listener(self.async_write_ha_state))

    @property
    @override
    def is_on(self) -> bool:
        """Return whether the server answers."""
        return self._watch.answers

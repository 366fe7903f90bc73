"""A diagnostic sensor: since when a connection's model server has been unavailable."""

from datetime import datetime
from typing import override

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EntityCategory

from ..entity import connection_device
from .server_watch import ServerWatch


class ServerSensor(SensorEntity):
    """Since when the model server of a connection has been unavailable; unknown while it answers."""

    _attr_device_class = SensorDeviceClass.TIMESTAMP
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_translation_key = "server_away_since"

    def __init__(self, entry: ConfigEntry, watch: ServerWatch) -> None:
        """Show what the watch of a connection's server knows."""
        self._watch = watch
        self._attr_unique_id = f"{entry.entry_id}_server_away_since"
        self._attr_device_info = connection_device(entry)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the server's availability."""
        self.async_on_remove(self._watch.add_listener(self.async_write_ha_state))

    @property
    @override
    def native_value(self) -> datetime | None:
        """Return when the server was first found unavailable."""
        return self._watch.unavailable_since

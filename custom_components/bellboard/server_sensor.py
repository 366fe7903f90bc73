"""A diagnostic sensor: since when a connection's model server has not answered."""

from datetime import datetime
from typing import override

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.translation import async_get_translations

from .const import DOMAIN
from .entity import connection_device
from .server_watch import ServerWatch


async def async_server_sensor(
    hass: HomeAssistant, entry: ConfigEntry, watch: ServerWatch
) -> ServerSensor:
    """Return the sensor of a connection to a server."""
    texts = await async_get_translations(hass, hass.config.language, "issues", {DOMAIN})
    told = texts[f"component.{DOMAIN}.issues.server_away.title"]
    return ServerSensor(entry, watch, told.format(connection=entry.title))


class ServerSensor(SensorEntity):
    """Since when the model server of a connection has not answered; nothing while it does.

    Its device says so too: that is what is listed with the connection.
    """

    _attr_device_class = SensorDeviceClass.TIMESTAMP
    _attr_entity_category = EntityCategory.DIAGNOSTIC
    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_translation_key = "server_away_since"

    def __init__(self, entry: ConfigEntry, watch: ServerWatch, away: str) -> None:
        """Show what is known of a connection's server; `away` says that it does not answer."""
        self._watch = watch
        self._away = away
        self._attr_unique_id = f"{entry.entry_id}_server_away_since"
        self._attr_device_info = connection_device(entry)

    @override
    async def async_added_to_hass(self) -> None:
        """Listen to what becomes of the server."""
        self.async_on_remove(self._watch.add_listener(self._update))
        self._show_on_device()

    @callback
    def _update(self) -> None:
        """Show what became of the server."""
        self.async_write_ha_state()
        self._show_on_device()

    def _show_on_device(self) -> None:
        """Say on the device that the server is away, where a device says what it is."""
        if self.device_entry:
            shown = None if self._watch.answers else self._away
            dr.async_get(self.hass).async_update_device(self.device_entry.id, model=shown)

    @property
    @override
    def native_value(self) -> datetime | None:
        """Return when the server was first found to be away."""
        return self._watch.away_since

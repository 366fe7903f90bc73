"""A made-up house to show and test voice assistants in: every kind of device, none of them real.

Its entities keep state as real devices do, and can be told to misbehave (see the misbehave action).
"""

from pathlib import Path
from typing import TYPE_CHECKING

from homeassistant.components.intent import async_register_timer_handler
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import config_validation as cv, device_registry as dr

from .actions import async_register_actions
from .const import CONF_HOUSE, DOMAIN, EVENT_TIMER, PLATFORMS
from .entity import HouseConfigEntry, Household
from .house import HOUSE_FILE, load_house
from .registries import async_assign_sensors, async_build, panel_identifier

if TYPE_CHECKING:
    from homeassistant.components.intent.timers import TimerEventType, TimerInfo
    from homeassistant.helpers.typing import ConfigType

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, _config: ConfigType) -> bool:
    """Offer the house's own actions."""
    async_register_actions(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: HouseConfigEntry) -> bool:
    """Build the house that the entry names, or the one that comes with the component."""
    path = Path(entry.data.get(CONF_HOUSE, HOUSE_FILE))
    house = await hass.async_add_executor_job(load_house, path)
    entry.runtime_data = Household(house)
    async_build(hass, entry, house)
    _async_listen_to_timers(hass, entry)
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    async_assign_sensors(hass, house)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: HouseConfigEntry) -> bool:
    """Leave the house. Floors, areas and exposure stay for the next time."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


@callback
def _async_listen_to_timers(hass: HomeAssistant, entry: HouseConfigEntry) -> None:
    """Let every voice panel keep timers: without a listener Home Assistant declines them."""

    @callback
    def told(event: TimerEventType, timer: TimerInfo) -> None:
        entry.runtime_data.timers.append((event.value, timer.name or ""))
        hass.bus.async_fire(EVENT_TIMER, {"type": event.value, "name": timer.name})

    devices = dr.async_get(hass)
    identifiers = {panel_identifier(area.name) for area in entry.runtime_data.house.areas}
    for device in dr.async_entries_for_config_entry(devices, entry.entry_id):
        if device.identifiers & identifiers:
            entry.async_on_unload(async_register_timer_handler(hass, device.id, told))

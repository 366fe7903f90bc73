"""Switched devices."""

from functools import partial
from typing import TYPE_CHECKING, Any

from homeassistant.components.switch import SwitchDeviceClass, SwitchEntity

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Install the house's switches."""
    household = entry.runtime_data
    async_add_entities(HouseSwitch(household, item) for item in household.house.items("switch"))


class HouseSwitch(HouseEntity, SwitchEntity):
    """A switch. Options: on, device_class."""

    def __init__(self, household: Household, item: Item) -> None:
        """Read the starting state."""
        super().__init__(household, item)
        if kind := item.options.get("device_class"):
            self._attr_device_class = SwitchDeviceClass(kind)
        self._attr_is_on = bool(item.options.get("on", False))

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Switch on."""
        self.async_perform(partial(setattr, self, "_attr_is_on", True))

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Switch off."""
        self.async_perform(partial(setattr, self, "_attr_is_on", False))

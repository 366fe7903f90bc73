"""Window and motion sensors."""

from typing import TYPE_CHECKING

from homeassistant.components.binary_sensor import BinarySensorDeviceClass, BinarySensorEntity

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
    """Install the house's window and motion sensors."""
    household = entry.runtime_data
    items = household.house.items("binary_sensor")
    async_add_entities(HouseBinarySensor(household, item) for item in items)


class HouseBinarySensor(HouseEntity, BinarySensorEntity):
    """A sensor that never changes. Options: device_class, on (open, moving)."""

    def __init__(self, household: Household, item: Item) -> None:
        """Read what is sensed."""
        super().__init__(household, item)
        self._attr_device_class = BinarySensorDeviceClass(item.options["device_class"])
        self._attr_is_on = bool(item.options.get("on", False))

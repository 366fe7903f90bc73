"""Temperature and humidity sensors."""

from typing import TYPE_CHECKING

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorStateClass
from homeassistant.const import PERCENTAGE, UnitOfEnergy, UnitOfPower, UnitOfTemperature

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0

UNITS = {
    SensorDeviceClass.TEMPERATURE: UnitOfTemperature.CELSIUS,
    SensorDeviceClass.HUMIDITY: PERCENTAGE,
    SensorDeviceClass.BATTERY: PERCENTAGE,
    SensorDeviceClass.POWER: UnitOfPower.WATT,
    SensorDeviceClass.ENERGY: UnitOfEnergy.KILO_WATT_HOUR,
}


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Install the house's sensors."""
    household = entry.runtime_data
    async_add_entities(HouseSensor(household, item) for item in household.house.items("sensor"))


class HouseSensor(HouseEntity, SensorEntity):
    """A sensor that always measures the same. Options: device_class, value (in °C, percent, W or kWh)."""

    def __init__(self, household: Household, item: Item) -> None:
        """Read what is measured."""
        super().__init__(household, item)
        self._attr_device_class = SensorDeviceClass(item.options["device_class"])
        is_total = self._attr_device_class is SensorDeviceClass.ENERGY
        self._attr_state_class = (
            SensorStateClass.TOTAL_INCREASING if is_total else SensorStateClass.MEASUREMENT
        )
        self._attr_native_unit_of_measurement = UNITS[self._attr_device_class]
        self._attr_native_value = item.options["value"]

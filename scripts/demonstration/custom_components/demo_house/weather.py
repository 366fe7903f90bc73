"""The weather outside."""

from typing import TYPE_CHECKING

from homeassistant.components.weather import WeatherEntity
from homeassistant.const import UnitOfTemperature

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
    """Look out of the window."""
    household = entry.runtime_data
    async_add_entities(HouseWeather(household, item) for item in household.house.items("weather"))


class HouseWeather(HouseEntity, WeatherEntity):
    """Weather that never changes. Options: condition, temperature (°C), humidity (percent)."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS

    def __init__(self, household: Household, item: Item) -> None:
        """Read the weather."""
        super().__init__(household, item)
        self._attr_condition = item.options["condition"]
        self._attr_native_temperature = item.options["temperature"]
        self._attr_humidity = item.options["humidity"]

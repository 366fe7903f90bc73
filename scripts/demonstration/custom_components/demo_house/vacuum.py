"""The vacuum cleaner."""

from functools import partial
from typing import TYPE_CHECKING, Any

from homeassistant.components.vacuum import StateVacuumEntity, VacuumActivity, VacuumEntityFeature
from homeassistant.exceptions import ServiceValidationError

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
    """Install the house's vacuum cleaners."""
    household = entry.runtime_data
    async_add_entities(HouseVacuum(household, item) for item in household.house.items("vacuum"))


class HouseVacuum(HouseEntity, StateVacuumEntity):
    """A vacuum cleaner that starts docked. Option: speeds."""

    _attr_supported_features = (
        VacuumEntityFeature.STATE
        | VacuumEntityFeature.START
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.RETURN_HOME
        | VacuumEntityFeature.FAN_SPEED
        | VacuumEntityFeature.LOCATE
        | VacuumEntityFeature.CLEAN_SPOT
    )

    def __init__(self, household: Household, item: Item) -> None:
        """Read the cleaner's speeds."""
        super().__init__(household, item)
        self._attr_activity = VacuumActivity.DOCKED
        self._attr_fan_speed_list = list(item.options["speeds"])
        self._attr_fan_speed = self._attr_fan_speed_list[0]

    async def async_start(self) -> None:
        """Start or go on cleaning."""
        self._do(VacuumActivity.CLEANING)

    async def async_clean_spot(self, **kwargs: Any) -> None:
        """Clean where it is."""
        self._do(VacuumActivity.CLEANING)

    async def async_locate(self, **kwargs: Any) -> None:
        """Make a sound, which no state shows."""

    async def async_pause(self) -> None:
        """Wait on the spot, if it is cleaning."""
        if self.activity is VacuumActivity.CLEANING:
            self._do(VacuumActivity.PAUSED)

    async def async_stop(self, **kwargs: Any) -> None:
        """Stop on the spot."""
        self._do(VacuumActivity.IDLE)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        """Drive home; it never seems to arrive, so that the way home can be seen."""
        self._do(VacuumActivity.RETURNING)

    async def async_set_fan_speed(self, fan_speed: str, **kwargs: Any) -> None:
        """Choose a speed; raises ServiceValidationError for one it lacks."""
        if fan_speed not in self.fan_speed_list:
            message = f"{self.item.name} has no speed {fan_speed}"
            raise ServiceValidationError(message)
        self.async_perform(partial(setattr, self, "_attr_fan_speed", fan_speed))

    def _do(self, activity: VacuumActivity) -> None:
        self.async_perform(partial(setattr, self, "_attr_activity", activity))

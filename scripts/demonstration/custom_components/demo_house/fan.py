"""Fans with speeds."""

from functools import partial
from typing import TYPE_CHECKING, Any

from homeassistant.components.fan import DIRECTION_FORWARD, FanEntity, FanEntityFeature

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from collections.abc import Callable

    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Install the house's fans."""
    household = entry.runtime_data
    async_add_entities(HouseFan(household, item) for item in household.house.items("fan"))


class HouseFan(HouseEntity, FanEntity):
    """A fan that starts off. Options: speeds (how many), presets, oscillate, direction."""

    def __init__(self, household: Household, item: Item) -> None:
        """Read the fan's abilities."""
        super().__init__(household, item)
        options = item.options
        self._attr_speed_count = int(options["speeds"])
        self._attr_percentage = 0
        self._last_percentage = 50
        features = FanEntityFeature.SET_SPEED | FanEntityFeature.TURN_ON | FanEntityFeature.TURN_OFF
        if presets := options.get("presets"):
            self._attr_preset_modes = list(presets)
            features |= FanEntityFeature.PRESET_MODE
        if options.get("oscillate"):
            self._attr_oscillating = False
            features |= FanEntityFeature.OSCILLATE
        if options.get("direction"):
            self._attr_current_direction = DIRECTION_FORWARD
            features |= FanEntityFeature.DIRECTION
        self._attr_supported_features = features

    async def async_turn_on(
        self, percentage: int | None = None, preset_mode: str | None = None, **kwargs: Any
    ) -> None:
        """Turn on at a speed in percent, in a preset, or as it last ran."""
        change: Callable[[], None]
        change = (
            partial(self._run_preset, preset_mode)
            if preset_mode is not None
            else partial(self._run, percentage)
        )
        self.async_perform(change)

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        self.async_perform(partial(self._run, 0))

    async def async_set_percentage(self, percentage: int) -> None:
        """Set the speed in percent; 0 turns the fan off."""
        self.async_perform(partial(self._run, percentage))

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        """Run in a preset."""
        self.async_perform(partial(self._run_preset, preset_mode))

    async def async_oscillate(self, oscillating: bool) -> None:  # noqa: FBT001 (Home Assistant's signature)
        """Swing or stand still."""
        self.async_perform(partial(setattr, self, "_attr_oscillating", oscillating))

    async def async_set_direction(self, direction: str) -> None:
        """Blow forward or in reverse."""
        self.async_perform(partial(setattr, self, "_attr_current_direction", direction))

    def _run(self, percentage: int | None) -> None:
        speed = self._last_percentage if percentage is None else percentage
        self._attr_percentage = speed
        self._attr_preset_mode = None
        if speed:
            self._last_percentage = speed

    def _run_preset(self, preset: str) -> None:
        self._run(None)
        self._attr_preset_mode = preset

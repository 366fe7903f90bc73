"""Thermostats, radiators and air conditioners."""

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from homeassistant.components.climate import (
    ATTR_HVAC_MODE,
    ATTR_TARGET_TEMP_HIGH,
    ATTR_TARGET_TEMP_LOW,
    ClimateEntity,
    ClimateEntityFeature,
    HVACAction,
    HVACMode,
)
from homeassistant.const import ATTR_TEMPERATURE, UnitOfTemperature
from homeassistant.exceptions import ServiceValidationError

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from collections.abc import Callable

    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0

# Home Assistant 2026.11 renamed the temperatures a climate entity reports in its own unit.
PREFIX = "native_" if hasattr(ClimateEntity, "native_temperature_unit") else ""

FEATURES = {
    "target": ClimateEntityFeature.TARGET_TEMPERATURE,
    "range": ClimateEntityFeature.TARGET_TEMPERATURE_RANGE,
    "presets": ClimateEntityFeature.PRESET_MODE,
    "fan_modes": ClimateEntityFeature.FAN_MODE,
    "swing_modes": ClimateEntityFeature.SWING_MODE,
    "swing_horizontal_modes": ClimateEntityFeature.SWING_HORIZONTAL_MODE,
    "humidity": ClimateEntityFeature.TARGET_HUMIDITY,
}
"""The option that gives a device each ability."""


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Install the house's heating and cooling."""
    household = entry.runtime_data
    async_add_entities(HouseClimate(household, item) for item in household.house.items("climate"))


class HouseClimate(HouseEntity, ClimateEntity):
    """A heating or cooling device in degrees Celsius. The room's temperature never changes.

    Options: modes, mode, limits ([lowest, highest]), step, current, target, range ([low, high], held in
    heat_cool), presets ({name: target}), preset, fan_modes, fan_mode, swing_modes, swing_mode,
    swing_horizontal_modes, swing_horizontal_mode, current_humidity, humidity, humidity_limits.
    """

    values: ClassVar[tuple[str, ...]] = (
        "_target",
        "_range",
        "_attr_preset_mode",
        "_attr_fan_mode",
        "_attr_swing_mode",
        "_attr_swing_horizontal_mode",
        "_attr_target_humidity",
    )

    def __init__(self, household: Household, item: Item) -> None:
        """Read the device's abilities and starting state."""
        super().__init__(household, item)
        options = item.options
        self._attr_hvac_modes = [HVACMode(mode) for mode in options["modes"]]
        self._attr_hvac_mode = HVACMode(options.get("mode", HVACMode.OFF))
        self._last_mode = self._first_mode()
        self._attr_min_temp, self._attr_max_temp = map(float, options["limits"])
        self._attr_target_temperature_step = float(options["step"])
        self._attr_supported_features = ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
        for option, feature in FEATURES.items():
            if option in options:
                self._attr_supported_features |= feature
        self._current = float(options["current"])
        self._target = float(options["target"])
        low, high = options.get("range", (options["target"], options["target"]))
        self._range = (float(low), float(high))
        self._presets = {
            str(name): float(target) for name, target in options.get("presets", {}).items()
        }
        self._attr_preset_modes = list(self._presets) or None
        self._attr_preset_mode = options.get("preset")
        for name in ("fan", "swing", "swing_horizontal"):
            setattr(self, f"_attr_{name}_modes", options.get(f"{name}_modes"))
            setattr(self, f"_attr_{name}_mode", options.get(f"{name}_mode"))
        self._attr_current_humidity = options.get("current_humidity")
        self._attr_target_humidity = options.get("humidity")
        if limits := options.get("humidity_limits"):
            self._attr_min_humidity, self._attr_max_humidity = limits
        setattr(self, f"_attr_{PREFIX}temperature_unit", UnitOfTemperature.CELSIUS)
        self._report()

    async def async_set_temperature(self, **kwargs: Any) -> None:
        """Set the target or the range, and the mode if one comes with it.

        A single target in heat_cool moves the range and keeps its width, as thermostats with two
        targets do. Raises ServiceValidationError for a mode the device lacks, and for a range in a
        mode that holds none.
        """
        mode = self._mode(kwargs.get(ATTR_HVAC_MODE))
        if ATTR_TARGET_TEMP_LOW in kwargs and mode is not HVACMode.HEAT_COOL:
            message = f"{self.item.name} holds a temperature range in heat_cool only"
            raise ServiceValidationError(message)
        self._perform(partial(self._set_temperature, mode, kwargs))

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        """Change the mode."""
        self._perform(partial(self._set_mode, hvac_mode))

    async def async_turn_on(self) -> None:
        """Return to the last mode that was not off."""
        self._perform(lambda: self._set_mode(self._last_mode))

    async def async_turn_off(self) -> None:
        """Turn the device off."""
        self._perform(partial(self._set_mode, HVACMode.OFF))

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        """Choose a preset, which brings its own target."""
        self._perform(partial(self._set_preset, preset_mode))

    async def async_set_fan_mode(self, fan_mode: str) -> None:
        """Choose how hard the fan blows."""
        self._perform(partial(setattr, self, "_attr_fan_mode", fan_mode))

    async def async_set_swing_mode(self, swing_mode: str) -> None:
        """Choose how the air swings up and down."""
        self._perform(partial(setattr, self, "_attr_swing_mode", swing_mode))

    async def async_set_swing_horizontal_mode(self, swing_horizontal_mode: str) -> None:
        """Choose how the air swings from side to side."""
        self._perform(partial(setattr, self, "_attr_swing_horizontal_mode", swing_horizontal_mode))

    async def async_set_humidity(self, humidity: int) -> None:
        """Set the wanted humidity in percent."""
        self._perform(partial(setattr, self, "_attr_target_humidity", humidity))

    def _perform(self, change: Callable[[], None]) -> None:
        self.async_perform(change)

    def async_show(self) -> None:
        """Show what follows from the settings, too."""
        self._report()
        super().async_show()

    def _mode(self, wanted: str | None) -> HVACMode | None:
        """Return the wanted mode or the present one; Home Assistant does not check it in set_temperature."""
        if wanted is None:
            return self.hvac_mode
        if wanted not in self.hvac_modes:
            message = f"{self.item.name} has no mode {wanted}"
            raise ServiceValidationError(message)
        return HVACMode(wanted)

    def _set_temperature(self, mode: HVACMode | None, wanted: dict[str, Any]) -> None:
        if mode is not None:
            self._set_mode(mode)
        if ATTR_TARGET_TEMP_LOW in wanted:
            self._range = (
                float(wanted[ATTR_TARGET_TEMP_LOW]),
                float(wanted[ATTR_TARGET_TEMP_HIGH]),
            )
        elif mode is HVACMode.HEAT_COOL and ATTR_TEMPERATURE in wanted:
            middle, half = float(wanted[ATTR_TEMPERATURE]), (self._range[1] - self._range[0]) / 2
            self._range = (max(middle - half, self.min_temp), min(middle + half, self.max_temp))
        elif ATTR_TEMPERATURE in wanted:
            self._target = float(wanted[ATTR_TEMPERATURE])

    def _set_mode(self, mode: HVACMode) -> None:
        self._attr_hvac_mode = mode
        if mode is not HVACMode.OFF:
            self._last_mode = mode

    def _set_preset(self, preset: str) -> None:
        self._attr_preset_mode = preset
        self._target = self._presets[preset]

    def _first_mode(self) -> HVACMode:
        if self._attr_hvac_mode not in (None, HVACMode.OFF):
            return self._attr_hvac_mode
        return next(mode for mode in self._attr_hvac_modes if mode is not HVACMode.OFF)

    def _report(self) -> None:
        """Fill in what follows from the settings: the shown temperatures and what the device is doing."""
        ranged = self._attr_hvac_mode is HVACMode.HEAT_COOL
        self._show_temperature("current_temperature", self._current)
        self._show_temperature("target_temperature", None if ranged else self._target)
        self._show_temperature("target_temperature_low", self._range[0] if ranged else None)
        self._show_temperature("target_temperature_high", self._range[1] if ranged else None)
        self._attr_hvac_action = self._action()

    def _show_temperature(self, name: str, value: float | None) -> None:
        setattr(self, f"_attr_{PREFIX}{name}", value)

    def _action(self) -> HVACAction:
        match self._attr_hvac_mode:
            case HVACMode.HEAT:
                return HVACAction.HEATING if self._current < self._target else HVACAction.IDLE
            case HVACMode.COOL:
                return HVACAction.COOLING if self._current > self._target else HVACAction.IDLE
            case HVACMode.HEAT_COOL:
                return self._between(*self._range)
            case HVACMode.AUTO if HVACMode.COOL in self._attr_hvac_modes:
                return self._between(self._target, self._target)
            case HVACMode.AUTO:
                return HVACAction.HEATING if self._current < self._target else HVACAction.IDLE
            case HVACMode.DRY:
                return HVACAction.DRYING
            case HVACMode.FAN_ONLY:
                return HVACAction.FAN
            case _:
                return HVACAction.OFF

    def _between(self, low: float, high: float) -> HVACAction:
        if self._current < low:
            return HVACAction.HEATING
        return HVACAction.COOLING if self._current > high else HVACAction.IDLE

"""Lights of every colour mode."""

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from homeassistant.components.light import (
    ATTR_BRIGHTNESS,
    ATTR_COLOR_TEMP_KELVIN,
    ATTR_EFFECT,
    ATTR_FLASH,
    ATTR_HS_COLOR,
    ATTR_RGB_COLOR,
    ATTR_RGBW_COLOR,
    ATTR_RGBWW_COLOR,
    ATTR_TRANSITION,
    ATTR_WHITE,
    ATTR_XY_COLOR,
    EFFECT_OFF,
    ColorMode,
    LightEntity,
    LightEntityFeature,
)

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0

COLOURS = {
    ATTR_COLOR_TEMP_KELVIN: ColorMode.COLOR_TEMP,
    ATTR_HS_COLOR: ColorMode.HS,
    ATTR_RGB_COLOR: ColorMode.RGB,
    ATTR_RGBW_COLOR: ColorMode.RGBW,
    ATTR_RGBWW_COLOR: ColorMode.RGBWW,
    ATTR_XY_COLOR: ColorMode.XY,
}
"""The attribute that sets a colour, and the colour mode a light is in once it shows that colour."""


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Install the house's lights."""
    household = entry.runtime_data
    async_add_entities(HouseLight(household, item) for item in household.house.items("light"))


class HouseLight(HouseEntity, LightEntity):
    """A light that remembers brightness and colour while it is off.

    Options: modes (colour modes), kelvin ([lowest, highest]), effects, transition, flash, on, brightness
    (0 to 255), and one starting colour under the name of its attribute.
    """

    values: ClassVar[tuple[str, ...]] = (
        "_attr_brightness",
        "_attr_color_mode",
        "_attr_effect",
        *(f"_attr_{attribute}" for attribute in COLOURS),
    )

    def __init__(self, household: Household, item: Item) -> None:
        """Read the light's abilities and starting state."""
        super().__init__(household, item)
        options = item.options
        modes = [ColorMode(mode) for mode in options["modes"]]
        self._attr_supported_color_modes = set(modes)
        self._attr_color_mode = modes[0]
        if kelvin := options.get("kelvin"):
            self._attr_min_color_temp_kelvin, self._attr_max_color_temp_kelvin = kelvin
        if effects := options.get("effects"):
            self._attr_effect_list = [EFFECT_OFF, *effects]
            self._attr_effect = EFFECT_OFF
            self._attr_supported_features |= LightEntityFeature.EFFECT
        if options.get("transition"):
            self._attr_supported_features |= LightEntityFeature.TRANSITION
        if options.get("flash"):
            self._attr_supported_features |= LightEntityFeature.FLASH
        self._attr_is_on = bool(options.get("on", False))
        self._attr_brightness = options.get("brightness")
        self._attr_extra_state_attributes = {}
        self._show_colour(options)

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn on with what was asked; what was not asked stays as it was before."""
        self.async_perform(partial(self._turn_on, kwargs))

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off; brightness and colour are kept for the next time."""
        self.async_perform(partial(self._turn_off, kwargs))

    def _turn_on(self, wanted: dict[str, Any]) -> None:
        if flash := wanted.get(ATTR_FLASH):
            # As bulbs do: they blink and return to what they were, on or off.
            self._count_flash(flash)
            return
        self._attr_is_on = True
        if ATTR_BRIGHTNESS in wanted:
            self._attr_brightness = wanted[ATTR_BRIGHTNESS]
        if ATTR_WHITE in wanted:
            self._attr_color_mode = ColorMode.WHITE
            self._attr_brightness = wanted[ATTR_WHITE]
            self._end_effect()
        if self._show_colour(wanted):
            self._end_effect()
        if ATTR_EFFECT in wanted and wanted[ATTR_EFFECT] in (self.effect_list or ()):
            self._attr_effect = wanted[ATTR_EFFECT]
        self._note_transition(wanted)

    def _turn_off(self, wanted: dict[str, Any]) -> None:
        if flash := wanted.get(ATTR_FLASH):
            self._count_flash(flash)
            return
        self._attr_is_on = False
        self._end_effect()
        self._note_transition(wanted)

    def _show_colour(self, wanted: Any) -> bool:
        """Take the colour out of wanted, if there is one the light can show."""
        for attribute, mode in COLOURS.items():
            if attribute not in wanted or mode not in (self.supported_color_modes or ()):
                continue
            colour = wanted[attribute]
            value = colour if mode is ColorMode.COLOR_TEMP else tuple(colour)
            setattr(self, f"_attr_{attribute}", value)
            self._attr_color_mode = mode
            return True
        return False

    def _end_effect(self) -> None:
        if self.effect_list:
            self._attr_effect = EFFECT_OFF

    def _count_flash(self, flash: str) -> None:
        """Leave a trace of a blink, which no state of its own shows."""
        count = self._attr_extra_state_attributes.get("flash_count", 0)
        self._attr_extra_state_attributes |= {"flash_count": count + 1, "last_flash": flash}

    def _note_transition(self, wanted: dict[str, Any]) -> None:
        """Show the last transition in seconds; the new state itself is there at once."""
        if ATTR_TRANSITION in wanted:
            self._attr_extra_state_attributes |= {"last_transition": wanted[ATTR_TRANSITION]}

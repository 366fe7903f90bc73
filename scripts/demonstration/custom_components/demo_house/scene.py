"""Scenes: lights set together."""

from typing import TYPE_CHECKING, Any

from homeassistant.components.scene import Scene
from homeassistant.const import ATTR_ENTITY_ID, SERVICE_TURN_OFF, SERVICE_TURN_ON, Platform

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from collections.abc import Mapping

    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Prepare the house's scenes."""
    household = entry.runtime_data
    async_add_entities(HouseScene(household, item) for item in household.house.items("scene"))


class HouseScene(HouseEntity, Scene):
    """A scene. Option: lights, {entity id: {on, and what light.turn_on takes}}."""

    def __init__(self, household: Household, item: Item) -> None:
        """Read the lights and what becomes of them."""
        super().__init__(household, item)
        self._lights: Mapping[str, Mapping[str, Any]] = item.options["lights"]

    async def async_activate(self, **kwargs: Any) -> None:
        """Set every light through its own action, so that each may still misbehave."""
        for entity_id, wanted in self._lights.items():
            data = {key: value for key, value in wanted.items() if key != "on"}
            await self.hass.services.async_call(
                Platform.LIGHT,
                SERVICE_TURN_ON if wanted["on"] else SERVICE_TURN_OFF,
                {ATTR_ENTITY_ID: entity_id, **data},
                blocking=True,
                context=self._context,
            )

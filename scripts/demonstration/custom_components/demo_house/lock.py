"""Door locks."""

from functools import partial
from typing import TYPE_CHECKING, Any

from homeassistant.components.lock import LockEntity

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
    """Install the house's locks."""
    household = entry.runtime_data
    async_add_entities(HouseLock(household, item) for item in household.house.items("lock"))


class HouseLock(HouseEntity, LockEntity):
    """A lock without a code. Option: locked."""

    def __init__(self, household: Household, item: Item) -> None:
        """Read the starting state."""
        super().__init__(household, item)
        self._attr_is_locked = bool(item.options["locked"])

    async def async_lock(self, **kwargs: Any) -> None:
        """Lock."""
        self.async_perform(partial(setattr, self, "_attr_is_locked", True))

    async def async_unlock(self, **kwargs: Any) -> None:
        """Unlock."""
        self.async_perform(partial(setattr, self, "_attr_is_locked", False))

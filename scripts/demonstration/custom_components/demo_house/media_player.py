"""Speakers with a library, the television and the bathroom radio."""

from typing import TYPE_CHECKING

from .library import load_library
from .receiver import HouseReceiver
from .speaker import HouseSpeaker

if TYPE_CHECKING:
    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .entity import HouseConfigEntry

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Install the house's players."""
    household = entry.runtime_data
    library = await hass.async_add_executor_job(load_library)
    async_add_entities(
        HouseSpeaker(household, item, library)
        if item.options["kind"] == "speaker"
        else HouseReceiver(household, item)
        for item in household.house.items("media_player")
    )

"""Blinds and the garage door."""

from functools import partial
from typing import TYPE_CHECKING, Any

from homeassistant.components.cover import (
    ATTR_POSITION,
    ATTR_TILT_POSITION,
    CoverDeviceClass,
    CoverEntity,
    CoverEntityFeature,
)

from .entity import HouseConfigEntry, HouseEntity, Household

if TYPE_CHECKING:
    from homeassistant.core import HomeAssistant
    from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

    from .house import Item

PARALLEL_UPDATES = 0

MOVE = CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP
TILT = (
    CoverEntityFeature.OPEN_TILT
    | CoverEntityFeature.CLOSE_TILT
    | CoverEntityFeature.SET_TILT_POSITION
)
OPEN, CLOSED = 100, 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: HouseConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Install the house's covers."""
    household = entry.runtime_data
    async_add_entities(HouseCover(household, item) for item in household.house.items("cover"))


class HouseCover(HouseEntity, CoverEntity):
    """A cover that arrives at once.

    Options: device_class; position (0 closed, 100 open; without it the cover only opens and closes, and
    starts closed); tilt (0 to 100).
    """

    def __init__(self, household: Household, item: Item) -> None:
        """Read the cover's abilities and starting state."""
        super().__init__(household, item)
        options = item.options
        self._attr_device_class = CoverDeviceClass(options["device_class"])
        features = MOVE
        if "position" in options:
            features |= CoverEntityFeature.SET_POSITION
        if "tilt" in options:
            features |= TILT
            self._tilt(int(options["tilt"]))
        self._attr_supported_features = features
        self._move(int(options.get("position", CLOSED)))

    async def async_open_cover(self, **kwargs: Any) -> None:
        """Open all the way."""
        self.async_perform(partial(self._move, OPEN))

    async def async_close_cover(self, **kwargs: Any) -> None:
        """Close all the way."""
        self.async_perform(partial(self._move, CLOSED))

    async def async_stop_cover(self, **kwargs: Any) -> None:
        """Stop where it is: it never stands between two places for long."""
        self.async_perform(lambda: None)

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        """Move to a position from 0 (closed) to 100 (open)."""
        self.async_perform(partial(self._move, int(kwargs[ATTR_POSITION])))

    async def async_open_cover_tilt(self, **kwargs: Any) -> None:
        """Turn the slats open."""
        self.async_perform(partial(self._tilt, OPEN))

    async def async_close_cover_tilt(self, **kwargs: Any) -> None:
        """Turn the slats closed."""
        self.async_perform(partial(self._tilt, CLOSED))

    async def async_set_cover_tilt_position(self, **kwargs: Any) -> None:
        """Turn the slats to a position from 0 (closed) to 100 (open)."""
        self.async_perform(partial(self._tilt, int(kwargs[ATTR_TILT_POSITION])))

    def _move(self, position: int) -> None:
        self._attr_is_closed = position == CLOSED
        if CoverEntityFeature.SET_POSITION in self.supported_features:
            self._attr_current_cover_position = position

    def _tilt(self, position: int) -> None:
        self._attr_current_cover_tilt_position = position

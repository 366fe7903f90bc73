"""What speakers, the television and the radio have in common."""

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from homeassistant.components.media_player import (
    MediaPlayerEntity,
    MediaPlayerEntityFeature as Feature,
)

from .entity import HouseEntity, Household

if TYPE_CHECKING:
    from .house import Item

VOLUME_STEP = 0.1

VOLUME = Feature.VOLUME_SET | Feature.VOLUME_STEP | Feature.VOLUME_MUTE
TRANSPORT = Feature.PLAY | Feature.PAUSE | Feature.STOP


class HousePlayer(HouseEntity, MediaPlayerEntity):
    """What every player can do: volume. Options: kind, volume (0 to 1)."""

    _attr_volume_step = VOLUME_STEP
    values: ClassVar[tuple[str, ...]] = (
        "_attr_volume_level",
        "_attr_is_volume_muted",
        "_attr_source",
        "_attr_sound_mode",
    )

    def __init__(self, household: Household, item: Item) -> None:
        """Read the starting volume."""
        super().__init__(household, item)
        self._attr_volume_level = float(item.options["volume"])
        self._attr_is_volume_muted = False

    async def async_set_volume_level(self, volume: float) -> None:
        """Set the volume from 0 to 1."""
        self.async_perform(partial(setattr, self, "_attr_volume_level", round(volume, 2)))

    async def async_mute_volume(self, mute: bool) -> None:  # noqa: FBT001 (Home Assistant's signature)
        """Mute, or let sound again."""
        self.async_perform(partial(setattr, self, "_attr_is_volume_muted", mute))

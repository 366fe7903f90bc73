"""The television and the bathroom radio."""

from functools import partial
from typing import TYPE_CHECKING

from homeassistant.components.media_player import (
    MediaPlayerDeviceClass,
    MediaPlayerEntityFeature as Feature,
    MediaPlayerState,
)
from homeassistant.exceptions import ServiceValidationError

from .player import TRANSPORT, VOLUME, HousePlayer

if TYPE_CHECKING:
    from .entity import Household
    from .house import Item


class HouseReceiver(HousePlayer):
    """A television or radio: it has sources, and no library of its own. It starts off.

    Options: kind (tv or radio), sources, sound_modes.
    """

    _attr_state = MediaPlayerState.OFF

    def __init__(self, household: Household, item: Item) -> None:
        """Read the sources."""
        super().__init__(household, item)
        options = item.options
        self._is_tv = options["kind"] == "tv"
        self._attr_device_class = (
            MediaPlayerDeviceClass.TV if self._is_tv else MediaPlayerDeviceClass.SPEAKER
        )
        self._attr_source_list = list(options["sources"])
        self._attr_source = self._attr_source_list[0]
        features = VOLUME | TRANSPORT | Feature.TURN_ON | Feature.TURN_OFF | Feature.SELECT_SOURCE
        if sound_modes := options.get("sound_modes"):
            self._attr_sound_mode_list = list(sound_modes)
            self._attr_sound_mode = sound_modes[0]
            features |= Feature.SELECT_SOUND_MODE
        self._attr_supported_features = features

    async def async_turn_on(self) -> None:
        """Turn on: a radio plays at once, a television waits."""
        self._be(MediaPlayerState.ON if self._is_tv else MediaPlayerState.PLAYING)

    async def async_turn_off(self) -> None:
        """Turn off."""
        self._be(MediaPlayerState.OFF)

    async def async_media_play(self) -> None:
        """Play the source."""
        self._be(MediaPlayerState.PLAYING)

    async def async_media_pause(self) -> None:
        """Hold."""
        self._be(MediaPlayerState.PAUSED)

    async def async_media_stop(self) -> None:
        """Stop, but stay on."""
        self._be(MediaPlayerState.IDLE)

    async def async_select_source(self, source: str) -> None:
        """Choose a source and turn on; raises ServiceValidationError for one it lacks."""
        self._check(source, self.source_list)
        self.async_perform(partial(self._tune, source))

    async def async_select_sound_mode(self, sound_mode: str) -> None:
        """Choose how it sounds; raises ServiceValidationError for a mode it lacks."""
        self._check(sound_mode, self.sound_mode_list)
        self.async_perform(partial(setattr, self, "_attr_sound_mode", sound_mode))

    def _check(self, wanted: str, known: list[str] | None) -> None:
        if wanted not in (known or ()):
            message = f"{self.item.name} has no {wanted}"
            raise ServiceValidationError(message)

    def _be(self, state: MediaPlayerState) -> None:
        self.async_perform(partial(self._set_state, state))

    def _tune(self, source: str) -> None:
        self._attr_source = source
        if self._attr_state == MediaPlayerState.OFF:
            self._set_state(MediaPlayerState.ON if self._is_tv else MediaPlayerState.PLAYING)
        self._set_title()

    def _set_state(self, state: MediaPlayerState) -> None:
        self._attr_state = state
        self._set_title()

    def _set_title(self) -> None:
        """A radio that plays shows its station."""
        playing = self._attr_state == MediaPlayerState.PLAYING and not self._is_tv
        self._attr_media_title = self._attr_source if playing else None
        self._attr_media_channel = self._attr_media_title

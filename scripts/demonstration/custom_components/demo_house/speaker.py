"""Speakers that search and play the library, keep a queue and join groups."""

from functools import partial
from typing import TYPE_CHECKING, Any

from homeassistant.components.media_player import (
    ATTR_MEDIA_ENQUEUE,
    BrowseMedia,
    MediaClass,
    MediaPlayerDeviceClass,
    MediaPlayerEnqueue,
    MediaPlayerEntityFeature as Feature,
    MediaPlayerState,
    MediaType,
    RepeatMode,
    SearchMedia,
    SearchMediaQuery,
)
from homeassistant.core import callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.util import dt as dt_util

from .playback import Playback
from .player import TRANSPORT, VOLUME, HousePlayer

if TYPE_CHECKING:
    from collections.abc import Callable

    from .entity import Household
    from .house import Item
    from .library import Library, Track


class HouseSpeaker(HousePlayer):
    """A speaker that searches and plays the library, keeps a queue and joins groups.

    Grouped speakers share one Playback, and each keeps its own volume.
    Option: playing, the media content id of what it plays at the start.
    """

    _attr_device_class = MediaPlayerDeviceClass.SPEAKER
    _attr_supported_features = (
        VOLUME
        | TRANSPORT
        | Feature.TURN_ON
        | Feature.TURN_OFF
        | Feature.SEEK
        | Feature.PREVIOUS_TRACK
        | Feature.NEXT_TRACK
        | Feature.PLAY_MEDIA
        | Feature.BROWSE_MEDIA
        | Feature.SEARCH_MEDIA
        | Feature.MEDIA_ENQUEUE
        | Feature.CLEAR_PLAYLIST
        | Feature.SHUFFLE_SET
        | Feature.REPEAT_SET
        | Feature.GROUPING
    )

    def __init__(self, household: Household, item: Item, library: Library) -> None:
        """Start what the speaker plays at the start."""
        super().__init__(household, item)
        self._library = library
        self._playback = Playback()
        self._group: list[HouseSpeaker] = [self]
        if media_id := item.options.get("playing"):
            self._put_on(str(media_id), MediaPlayerEnqueue.REPLACE)
        self._report()

    @callback
    def _begin(self) -> None:
        """Begin anew, with the same library."""
        HouseSpeaker.__init__(self, self.household, self.item, self._library)

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        """Search the library by words, among the wanted kinds of media."""
        works = self._library.search(query.search_query, query.media_filter_classes)
        return SearchMedia(result=[work.as_browse_media() for work in works])

    async def async_browse_media(
        self,
        media_content_type: MediaType | str | None = None,
        media_content_id: str | None = None,
    ) -> BrowseMedia:
        """Show the whole library on one shelf."""
        return BrowseMedia(
            title="Library",
            media_class=MediaClass.DIRECTORY,
            media_content_type="library",
            media_content_id="library://",
            can_play=False,
            can_expand=True,
            can_search=True,
            children=[work.as_browse_media() for work in self._library.works.values()],
        )

    async def async_play_media(
        self, media_type: MediaType | str, media_id: str, **kwargs: Any
    ) -> None:
        """Play or queue a work; raises ServiceValidationError when the library lacks it."""
        if self._library.find(media_id) is None:
            message = f"The library has no {media_id}"
            raise ServiceValidationError(message)
        how = MediaPlayerEnqueue(kwargs.get(ATTR_MEDIA_ENQUEUE) or MediaPlayerEnqueue.REPLACE)
        self._perform(partial(self._put_on, media_id, how))

    async def async_turn_on(self) -> None:
        """Wake up."""
        self._perform(self._wake)

    async def async_turn_off(self) -> None:
        """Stop and sleep."""
        self._perform(self._sleep)

    async def async_media_play(self) -> None:
        """Play on."""
        self._perform(self._playback.play)

    async def async_media_pause(self) -> None:
        """Hold."""
        self._perform(self._playback.pause)

    async def async_media_stop(self) -> None:
        """Stop."""
        self._perform(self._playback.stop)

    async def async_media_next_track(self) -> None:
        """Go to the next track of the queue."""
        self._perform(self._playback.next)

    async def async_media_previous_track(self) -> None:
        """Go back in the queue."""
        self._perform(self._playback.previous)

    async def async_media_seek(self, position: float) -> None:
        """Go to a place in the track, in seconds."""
        self._perform(lambda: self._playback.seek(position))

    async def async_clear_playlist(self) -> None:
        """Empty the queue."""
        self._perform(self._playback.clear)

    async def async_set_shuffle(self, shuffle: bool) -> None:  # noqa: FBT001 (Home Assistant's signature)
        """Shuffle what is still to come."""
        self._perform(lambda: self._playback.set_shuffle(shuffle))

    async def async_set_repeat(self, repeat: RepeatMode) -> None:
        """Repeat the track, the queue, or nothing."""
        self._perform(lambda: setattr(self._playback, "repeat", repeat))

    async def async_join_players(self, group_members: list[str]) -> None:
        """Let other speakers play along; raises ServiceValidationError for what is no speaker."""
        speakers = [self._speaker(entity_id) for entity_id in group_members]
        self._perform(partial(self._join, speakers))

    async def async_unjoin_player(self) -> None:
        """Leave the group; the others play on."""
        self._perform(self._leave)

    def async_show(self) -> None:
        """Show the state on every speaker of the group, for they share it."""
        for speaker in self._group:
            speaker.async_write_ha_state()

    def _perform(self, change: Callable[[], None]) -> None:
        def change_and_report() -> None:
            change()
            for speaker in self._group:
                speaker._report()  # noqa: SLF001 (its own kind)

        self.async_perform(change_and_report)

    def _put_on(self, media_id: str, how: MediaPlayerEnqueue) -> None:
        work = self._library.find(media_id)
        if work is not None:
            playlist = work.title if work.kind is MediaClass.PLAYLIST else None
            self._playback.enqueue(list(work.tracks), how, playlist)

    def _wake(self) -> None:
        if self._playback.state is MediaPlayerState.OFF:
            self._playback.state = MediaPlayerState.IDLE

    def _sleep(self) -> None:
        """Turning a grouped speaker off takes it out of the group, or it would silence the others."""
        self._leave()
        self._playback.stop()
        self._playback.state = MediaPlayerState.OFF

    def _speaker(self, entity_id: str) -> HouseSpeaker:
        speaker = self.household.entities.get(entity_id)
        if not isinstance(speaker, HouseSpeaker):
            message = f"{entity_id} cannot play along with {self.item.name}"
            raise ServiceValidationError(message)
        return speaker

    def _join(self, speakers: list[HouseSpeaker]) -> None:
        for speaker in speakers:
            if speaker not in self._group:
                speaker._leave()  # noqa: SLF001 (its own kind)
                self._group.append(speaker)
                speaker._group, speaker._playback = self._group, self._playback  # noqa: SLF001

    def _leave(self) -> None:
        if len(self._group) == 1:
            return
        left = self._group
        left.remove(self)
        self._group, self._playback = [self], Playback()
        for speaker in left:
            speaker._report()  # noqa: SLF001 (its own kind)
            speaker.async_write_ha_state()

    def _report(self) -> None:
        """Show the playback in the attributes Home Assistant knows, and the queue in one of its own."""
        playback, track = self._playback, self._playback.track
        self._attr_state = playback.state
        self._attr_shuffle = playback.shuffle
        self._attr_repeat = playback.repeat
        together = [speaker.item.entity_id for speaker in self._group]
        self._attr_group_members = together if len(together) > 1 else []
        sounding = playback.state in (MediaPlayerState.PLAYING, MediaPlayerState.PAUSED)
        self._show_track(track if sounding else None)
        self._attr_media_playlist = playback.playlist if sounding else None
        self._attr_extra_state_attributes = {
            "queue": [queued.label for queued in playback.queue],
            "queue_position": playback.index + 1 if track else 0,
        }

    def _show_track(self, track: Track | None) -> None:
        self._attr_media_content_id = track.media_id if track else None
        self._attr_media_content_type = track.kind.value if track else None
        self._attr_media_title = track.title if track else None
        self._attr_media_artist = track.artist if track else None
        self._attr_media_album_name = track.album if track else None
        self._attr_media_track = track.number if track else None
        self._attr_media_duration = track.seconds if track else None
        self._attr_media_channel = (
            track.title if track and track.kind is MediaClass.CHANNEL else None
        )
        self._attr_media_position = int(self._playback.position) if track else None
        self._attr_media_position_updated_at = dt_util.utcnow() if track else None

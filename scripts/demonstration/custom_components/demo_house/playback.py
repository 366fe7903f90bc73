"""What a player, or a group of players, is playing: the queue and the place in it."""

from dataclasses import dataclass, field
import random
from typing import TYPE_CHECKING

from homeassistant.components.media_player import MediaPlayerEnqueue, MediaPlayerState, RepeatMode

if TYPE_CHECKING:
    from .library import Track

# A player that is this far into a track goes back to its start before it goes to the one before.
RESTART_SECONDS = 3


@dataclass(slots=True)
class Playback:
    """A queue that is walked by hand: no clock moves it, so that its state never changes by itself."""

    state: MediaPlayerState = MediaPlayerState.IDLE
    queue: list[Track] = field(default_factory=list)
    index: int = 0
    position: float = 0.0
    """How far into the track, in seconds, when it was last set."""
    shuffle: bool = False
    repeat: RepeatMode = RepeatMode.OFF
    playlist: str | None = None

    @property
    def track(self) -> Track | None:
        """What is being played or held, if anything."""
        return self.queue[self.index] if self.index < len(self.queue) else None

    def enqueue(
        self, tracks: list[Track], how: MediaPlayerEnqueue, playlist: str | None = None
    ) -> None:
        """Put tracks on: instead of the queue, at its end, after the present track, or at once.

        An empty queue starts to play whatever the way.
        """
        if how is MediaPlayerEnqueue.REPLACE or self.track is None:
            self.queue = random.sample(tracks, len(tracks)) if self.shuffle else list(tracks)
            self.playlist = playlist
            self._start(0)
            return
        if how is MediaPlayerEnqueue.ADD:
            self.queue += tracks
            return
        self.queue[self.index + 1 : self.index + 1] = tracks
        if how is MediaPlayerEnqueue.PLAY:
            self._start(self.index + 1)

    def play(self) -> None:
        """Play on; without anything to play nothing happens."""
        if self.track is not None:
            self.state = MediaPlayerState.PLAYING

    def pause(self) -> None:
        """Hold, if it is playing."""
        if self.state is MediaPlayerState.PLAYING:
            self.state = MediaPlayerState.PAUSED

    def stop(self) -> None:
        """Stop; the queue stays and starts again from its present track."""
        self.state, self.position = MediaPlayerState.IDLE, 0.0

    def clear(self) -> None:
        """Stop and empty the queue."""
        self.stop()
        self.queue, self.index, self.playlist = [], 0, None

    def next(self) -> None:
        """Go to the next track: to the first after the last when repeating, else stop there."""
        if self.track is None:
            return
        if self.index + 1 < len(self.queue):
            self._start(self.index + 1)
        elif self.repeat is RepeatMode.ALL:
            self._start(0)
        else:
            self.stop()

    def previous(self) -> None:
        """Go back to the start of the track, or from there to the one before."""
        if self.track is not None:
            back = 0 if self.position > RESTART_SECONDS else 1
            self._start(max(0, self.index - back))

    def seek(self, position: float) -> None:
        """Go to a place in the track, in seconds; the end of the track is the farthest."""
        length = self.track.seconds if self.track else None
        self.position = position if length is None else min(position, float(length))

    def set_shuffle(self, shuffle: bool) -> None:  # noqa: FBT001 (the only thing it sets)
        """Shuffle what is still to come, or play in the present order."""
        self.shuffle = shuffle
        if shuffle:
            coming = self.queue[self.index + 1 :]
            self.queue[self.index + 1 :] = random.sample(coming, len(coming))

    def _start(self, index: int) -> None:
        self.index, self.position = index, 0.0
        self.state = MediaPlayerState.PLAYING

"""The players' library: searched by words, resolved to what a player can play in order."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
import unicodedata

from homeassistant.components.media_player import BrowseMedia, MediaClass
from homeassistant.util import slugify
from homeassistant.util.yaml import load_yaml_dict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LIBRARY_FILE = Path(__file__).with_name("library.yaml")
TRACK_SECONDS = 215
EPISODE_SECONDS = 1800
RESULTS = 10

RANKS = {
    kind: rank
    for rank, kind in enumerate(
        (
            MediaClass.ARTIST,
            MediaClass.GENRE,
            MediaClass.PLAYLIST,
            MediaClass.ALBUM,
            MediaClass.CHANNEL,
            MediaClass.PODCAST,
            MediaClass.TRACK,
            MediaClass.EPISODE,
        )
    )
}
"""Which kind comes first when several are called the same."""


@dataclass(frozen=True, slots=True)
class Track:
    """Something that sounds: a song, an episode or a radio station (seconds is None: it never ends)."""

    title: str
    media_id: str
    kind: MediaClass
    artist: str | None = None
    album: str | None = None
    number: int | None = None
    seconds: int | None = TRACK_SECONDS
    genres: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The title, and who plays it."""
        return f"{self.title} – {self.artist}" if self.artist else self.title


@dataclass(frozen=True, slots=True)
class Work:
    """Something that can be asked for, and the tracks it stands for."""

    title: str
    media_id: str
    kind: MediaClass
    tracks: tuple[Track, ...]
    words: frozenset[str]

    def as_browse_media(self) -> BrowseMedia:
        """Describe the work as Home Assistant's media browser does."""
        return BrowseMedia(
            title=self.title,
            media_class=self.kind,
            media_content_type=self.kind.value,
            media_content_id=self.media_id,
            can_play=True,
            can_expand=False,
        )


class Library:
    """Everything the players know."""

    def __init__(self, works: Iterable[Work], fillers: Iterable[str] = ()) -> None:
        """Shelve the works; fillers are words of a request that name no music."""
        self._fillers = frozenset(fillers)
        self.works = {work.media_id: work for work in works}

    def find(self, media_id: str) -> Work | None:
        """Return the work with this media content id, or the one with exactly this title."""
        if work := self.works.get(media_id):
            return work
        wanted = _fold(media_id)
        named = [work for work in self.works.values() if _fold(work.title) == wanted]
        return min(named, key=lambda work: RANKS[work.kind], default=None)

    def search(self, query: str, kinds: Iterable[MediaClass] | None = None) -> list[Work]:
        """Return the works that hold every word of the query, exact titles first, at most ten.

        Fillers are skipped unless they are all there is ("radio"). With kinds given, only works of
        these kinds; MediaClass.MUSIC stands for all but podcasts.
        """
        wanted = _words(query) - self._fillers or _words(query)
        allowed = _allowed(kinds)
        folded = " ".join(word for word in _fold(query).split() if word not in self._fillers)
        found = [
            work for work in self.works.values() if work.kind in allowed and wanted <= work.words
        ]
        found.sort(
            key=lambda work: (_fold(work.title) not in (folded, _fold(query)), RANKS[work.kind])
        )
        return found[:RESULTS]


def load_library(path: Path = LIBRARY_FILE) -> Library:
    """Read the library from its file. Reads the disk: never call it in the event loop."""
    content = load_yaml_dict(str(path))
    return Library(_works(content), content["fillers"])


def _works(content: Mapping[str, Any]) -> Iterator[Work]:
    tracks: list[Track] = []
    for artist, entry in content["artists"].items():
        own: list[Track] = []
        genres = tuple(entry["genres"])
        for album, titles in entry["albums"].items():
            album_tracks = _album(artist, album, titles, genres)
            yield _work(album, MediaClass.ALBUM, album_tracks, f"{album} {artist}")
            own += album_tracks
        yield _work(artist, MediaClass.ARTIST, own, artist)
        tracks += own
    for track in tracks:
        said = f"{track.title} {track.artist} {track.album}"
        yield Work(track.title, track.media_id, track.kind, (track,), _words(said))
    yield from _genres(tracks)
    yield from _playlists(content["playlists"], tracks)
    for station, genres in content["radio"].items():
        on_air = _single(station, MediaClass.CHANNEL, genres=tuple(genres), seconds=None)
        yield _work(station, MediaClass.CHANNEL, [on_air], f"{station} {' '.join(genres)}")
    for podcast, titles in content["podcasts"].items():
        yield from _podcast(podcast, titles)


def _album(artist: str, album: str, titles: list[str], genres: tuple[str, ...]) -> list[Track]:
    return [
        Track(
            title,
            _media_id(MediaClass.TRACK, f"{artist} {title}"),
            MediaClass.TRACK,
            artist,
            album,
            number,
            genres=genres,
        )
        for number, title in enumerate(titles, start=1)
    ]


def _genres(tracks: list[Track]) -> Iterator[Work]:
    for genre in sorted({genre for track in tracks for genre in track.genres}):
        own = [track for track in tracks if genre in track.genres]
        yield _work(genre.capitalize(), MediaClass.GENRE, own, genre)


def _playlists(playlists: Mapping[str, list[str]], tracks: list[Track]) -> Iterator[Work]:
    by_title = {track.title: track for track in tracks}
    for playlist, titles in playlists.items():
        own = [by_title[title] for title in titles]
        yield _work(playlist, MediaClass.PLAYLIST, own, playlist)


def _podcast(podcast: str, titles: list[str]) -> Iterator[Work]:
    episodes = [
        _single(title, MediaClass.EPISODE, artist=podcast, seconds=EPISODE_SECONDS)
        for title in titles
    ]
    yield _work(podcast, MediaClass.PODCAST, episodes, podcast)
    for episode in episodes:
        yield _work(episode.title, MediaClass.EPISODE, [episode], f"{episode.title} {podcast}")


def _single(
    title: str,
    kind: MediaClass,
    *,
    artist: str | None = None,
    seconds: int | None,
    genres: tuple[str, ...] = (),
) -> Track:
    return Track(title, _media_id(kind, title), kind, artist, seconds=seconds, genres=genres)


def _work(title: str, kind: MediaClass, tracks: list[Track], said: str) -> Work:
    return Work(title, _media_id(kind, title), kind, tuple(tracks), _words(said))


def _media_id(kind: MediaClass, title: str) -> str:
    return f"library://{kind.value}/{slugify(title, separator='-')}"


def _allowed(kinds: Iterable[MediaClass] | None) -> frozenset[MediaClass]:
    allowed = frozenset(kinds or RANKS)
    if MediaClass.MUSIC in allowed:
        allowed |= RANKS.keys() - {MediaClass.PODCAST, MediaClass.EPISODE}
    return allowed


def _words(text: str) -> frozenset[str]:
    return frozenset(_fold(text).split())


def _fold(text: str) -> str:
    """Lower the case, drop accents and punctuation: "Kapitän Nebel!" becomes "kapitan nebel"."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("'", ""))
    kept = (
        letter if letter.isalnum() else " " for letter in plain if not unicodedata.combining(letter)
    )
    return " ".join("".join(kept).split())

"""The library of a Music Assistant server: what is in it, and how the server finds it there.

A library is searched by parts of names without blanks: "kind of blue" is in "Kind of Blue (Legacy Edition)",
"miles kind of blue" is nowhere. Only of albums and tracks "artist - title" is understood, divided at the first dash.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from music_assistant_models.enums import MediaType
from music_assistant_models.errors import MediaNotFoundError
from music_assistant_models.helpers import create_safe_string
from music_assistant_models.media_items import (
    Album,
    Artist,
    Audiobook,
    ItemMapping,
    Playlist,
    Podcast,
    PodcastEpisode,
    ProviderMapping,
    Radio,
    SearchResults,
    Track,
)

_PROVIDER = "library"
_SECONDS = 200
# With fewer titles than these the tracks and albums of the artists of that name follow.
_FEW = 25
_DIVIDER = " - "
_BY_ARTIST = {MediaType.ALBUM, MediaType.TRACK}
# Begins the address of tracks that are like those of the address behind it.
_LIKE = "radio_playlist://playlist/"

type Playable = Track | Radio | Audiobook | PodcastEpisode
type Item = Playable | Artist | Album | Playlist | Podcast


def _plain(text: str) -> str:
    """Return a text as the server compares it: letters and figures of ASCII, without blanks."""
    return create_safe_string(text, lowercase=True, replace_space=True)


class Library:
    """Everything that can be played, from its description."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        """Make the items."""
        self.items: dict[str, Item] = {}
        self.tracks_of: dict[str, list[Playable]] = {}
        for name, albums in described["artists"].items():
            artist = self._add(Artist, name)
            for title, tracks in albums.items():
                album = self._add(Album, title, artists=[ItemMapping.from_item(artist)])
                for number, track in enumerate(tracks, 1):
                    one = self._add(
                        Track,
                        track,
                        artists=[ItemMapping.from_item(artist)],
                        album=ItemMapping.from_item(album),
                        duration=_SECONDS,
                        track_number=number,
                    )
                    for whole in (artist, album):
                        self.tracks_of.setdefault(str(whole.uri), []).append(one)
        by_title = {item.name: item for item in self.items.values() if isinstance(item, Track)}
        for name, titles in described["playlists"].items():
            playlist = self._add(Playlist, name, owner="house", is_editable=True)
            self.tracks_of[str(playlist.uri)] = [by_title[title] for title in titles]
        for name, episodes in described["podcasts"].items():
            podcast = self._add(Podcast, name)
            of_it = ItemMapping.from_item(podcast)
            self.tracks_of[str(podcast.uri)] = [
                self._add(PodcastEpisode, title, position=at, podcast=of_it, duration=_SECONDS)
                for at, title in enumerate(episodes, 1)
            ]
        for name in described["radios"]:
            self._add(Radio, name)
        for name in described["audiobooks"]:
            self._add(Audiobook, name, duration=_SECONDS)

    def _add[T: Item](self, kind: type[T], name: str, **more: Any) -> T:
        """Return a new item of the library."""
        item_id = str(len(self.items) + 1)
        origin = ProviderMapping(
            item_id=item_id, provider_domain="filesystem_local", provider_instance="files"
        )
        item = kind(
            item_id=item_id, provider=_PROVIDER, name=name, provider_mappings={origin}, **more
        )
        self.items[str(item.uri)] = item
        return item

    def search(self, query: str, kinds: Iterable[str], limit: int) -> SearchResults:
        """Return what a library's search finds of some kinds, at most `limit` of each."""
        found: dict[MediaType, list[Any]] = {
            kind: list(self._of_kind(kind, query, limit)) for kind in map(MediaType, kinds)
        }
        return SearchResults(
            artists=found.get(MediaType.ARTIST, []),
            albums=found.get(MediaType.ALBUM, []),
            tracks=found.get(MediaType.TRACK, []),
            playlists=found.get(MediaType.PLAYLIST, []),
            radio=found.get(MediaType.RADIO, []),
            podcasts=found.get(MediaType.PODCAST, []),
            audiobooks=found.get(MediaType.AUDIOBOOK, []),
        )

    def _of_kind(self, kind: MediaType, query: str, limit: int) -> Sequence[Item]:
        """Return the items of a kind that a query finds, those first that are called exactly so.

        What is beyond the limit is cut off before that, in the order of names.
        """
        sought = query.replace("/", " ").replace("'", "")
        artist, divider, title = sought.partition(_DIVIDER)
        if divider and kind in _BY_ARTIST:
            found = self._called(kind, title, by=artist)[:limit]
        else:
            found = self._called(kind, sought)[:limit]
            if kind in _BY_ARTIST and len(found) < _FEW:
                others = [item for item in self._called(kind, "", by=sought) if item not in found]
                found = [*found, *others[:limit]][:limit]
        exact = {create_safe_string(query), create_safe_string(title)}
        return sorted(found, key=lambda item: create_safe_string(item.name) not in exact)

    def _called(self, kind: MediaType, name: str, by: str = "") -> list[Item]:
        """Return the items of a kind in whose name a name occurs, and an artist in those of their artists."""
        wanted, artist = _plain(name), _plain(by)
        return sorted(
            (
                item
                for item in self.items.values()
                if item.media_type is kind
                and wanted in _plain(item.name)
                and (not by or any(artist in _plain(one.name) for one in _artists_of(item)))
            ),
            key=lambda item: str(item.sort_name),
        )

    def kind_of(self, uri: str) -> MediaType:
        """Return the kind of what has an address."""
        return MediaType.PLAYLIST if uri.startswith(_LIKE) else self._item(uri).media_type

    def playable(self, uri: str) -> Sequence[Playable]:
        """Return the tracks or episodes of an item, or itself; of what is to be like it its own.

        Raises:
            MediaNotFoundError: there is none.
        """
        seed = uri.removeprefix(_LIKE)
        item = self._item(seed)
        if isinstance(item, Artist | Album | Playlist | Podcast):
            return self.tracks_of[seed]
        return [item]

    def _item(self, uri: str) -> Item:
        """Return what has an address.

        Raises:
            MediaNotFoundError: there is nothing.
        """
        if (item := self.items.get(uri)) is None:
            raise MediaNotFoundError(f"{uri} not found in library")
        return item


def is_like(uri: str) -> bool:
    """Return whether an address is that of tracks which are like those of another."""
    return uri.startswith(_LIKE)


def _artists_of(item: Item) -> Sequence[Any]:
    """Return the artists of an album or a track."""
    return getattr(item, "artists", None) or ()

"""Rows for how a player finds what to play: Music Assistant's search, its own search, its library, its sources.

A row says which read-only action is asked, with what, how its answer is read, and which call plays what was found.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from homeassistant.components.media_player import (
    BrowseMedia,
    MediaPlayerEntityFeature as Feature,
    SearchMedia,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er

from .music_assistant import IS_MUSIC_ASSISTANT, MUSIC_ASSISTANT
from .playback import MEDIA, MEDIA_TYPE
from .services import Capability, has

_PLAYERS = "media_player"
# As Music Assistant's answer calls the kinds of media.
_FOUND_AS = MappingProxyType(
    {
        "artists": "artist",
        "albums": "album",
        "tracks": "track",
        "playlists": "playlist",
        "radio": "radio",
        "podcasts": "podcast",
        "audiobooks": "audiobook",
    }
)
# Home Assistant's media classes, by the kind that is searched for.
_CLASSES = MappingProxyType({"radio": "channel", "audiobook": "book"})
_KINDS = MappingProxyType({"channel": "radio", "book": "audiobook"})
# Music Assistant finds "one" in "Alone", and cuts its library's answer off in the order of names.
_LIMIT = 50


def kind_of(media_class: str) -> str:
    """Return the kind of media of Home Assistant's media class."""
    return _KINDS.get(media_class, media_class)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMedia:
    """Something that a player can play: its `kind` ("album"; "" for unknown), and how it is called for.

    `media_id` and `media_type` are in the notation of the action that plays it.
    """

    title: str
    kind: str
    media_id: str
    media_type: str
    artists: tuple[str, ...] = ()
    album: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Search terms for media: a title, of an artist ("" for any), of a kind ("" for any)."""

    title: str
    artist: str = ""
    kind: str = ""


type Play = Callable[..., dict[str, Any]]
"""Returns the data that play media: what was found, where in the queue, and whether what is similar follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaSearch:
    """Way of finding what to play. `search` is the action that is asked, `play` the one that plays.

    With `is_ranked` the player's own order of what it found is taken, else what fits the name best.
    """

    capability: Capability
    search: str
    play: str
    build: Callable[[HomeAssistant, State, Wanted], dict[str, Any] | None]
    read: Callable[[Any, str], Iterator[FoundMedia]]
    play_data: Play
    is_ranked: bool = False


def _entry_of(hass: HomeAssistant, state: State, wanted: Wanted) -> dict[str, Any] | None:
    """Return the data of Music Assistant's search, by the server that a player belongs to."""
    entry = er.async_get(hass).async_get(state.entity_id)
    if entry is None or entry.config_entry_id is None:
        return None
    data: dict[str, Any] = {
        "config_entry_id": entry.config_entry_id,
        "name": wanted.title,
        "limit": _LIMIT,
    }
    if wanted.kind:
        data["media_type"] = [wanted.kind]
    if wanted.artist:
        data["artist"] = wanted.artist
    return data


def _read_response(response: Any, _entity_id: str) -> Iterator[FoundMedia]:
    """Yield what Music Assistant found, of all kinds."""
    for name, kind in _FOUND_AS.items():
        for item in response.get(name) or ():
            album = item.get("album")
            yield FoundMedia(
                title=item["name"],
                kind=kind,
                media_id=item["uri"],
                media_type=kind,
                artists=tuple(artist["name"] for artist in item.get("artists") or ()),
                album=album["name"] if album else "",
            )


def _play_there(media: FoundMedia, enqueue: str, *, is_radio: bool) -> dict[str, Any]:
    """Return the data of Music Assistant's own action."""
    data: dict[str, Any] = {"media_id": media.media_id, "media_type": media.media_type}
    if enqueue:
        data["enqueue"] = enqueue
    if is_radio:
        data["radio_mode"] = True
    return data


def _search_data(_hass: HomeAssistant, state: State, wanted: Wanted) -> dict[str, Any]:
    """Return the data of a player's search, which knows only one text and a class of media."""
    text = " ".join(filter(None, (wanted.title, wanted.artist)))
    data: dict[str, Any] = {"entity_id": state.entity_id, "search_query": text}
    if wanted.kind:
        data["media_filter_classes"] = [_CLASSES.get(wanted.kind, wanted.kind)]
    return data


def _read_search(response: Any, entity_id: str) -> Iterator[FoundMedia]:
    """Yield what a player's search found and can play."""
    found = (response or {}).get(entity_id)
    if isinstance(found, SearchMedia):
        yield from read_shelf(found.result)


def read_shelf(items: Sequence[BrowseMedia]) -> Iterator[FoundMedia]:
    """Yield those of some items of a library that can be played."""
    for item in items:
        if item.can_play:
            yield FoundMedia(
                title=item.title,
                kind=kind_of(str(item.media_class)),
                media_id=item.media_content_id,
                media_type=str(item.media_content_type),
            )


def _play_here(media: FoundMedia, enqueue: str, **_: bool) -> dict[str, Any]:
    """Return the data of Home Assistant's action."""
    data: dict[str, Any] = {MEDIA: media.media_id, MEDIA_TYPE: media.media_type}
    return {**data, "enqueue": enqueue} if enqueue else data


MEDIA_SEARCHES = (
    MediaSearch(
        capability=IS_MUSIC_ASSISTANT,
        search=f"{MUSIC_ASSISTANT.name}.search",
        play=f"{MUSIC_ASSISTANT.name}.play_media",
        build=_entry_of,
        read=_read_response,
        play_data=_play_there,
    ),
    MediaSearch(
        capability=has(Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA),
        search=f"{_PLAYERS}.search_media",
        play=f"{_PLAYERS}.play_media",
        build=_search_data,
        read=_read_search,
        play_data=_play_here,
        is_ranked=True,
    ),
)
"""Ways of searching, the best first; a player uses the first that it is capable of."""

BROWSING = has(Feature.BROWSE_MEDIA | Feature.PLAY_MEDIA)
"""Capability of players whose library can be looked through."""

BROWSE = f"{_PLAYERS}.browse_media"
"""Action that shows a shelf of a player's library."""

PLAY_BROWSED = (f"{_PLAYERS}.play_media", _play_here)
"""Action that plays what was found on a shelf, and what returns its data."""


CAN_SEARCH = has(
    Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA, Feature.BROWSE_MEDIA | Feature.PLAY_MEDIA
)
"""Capability of players that search, or whose library can be looked through."""

CAN_FIND_MEDIA = has(
    Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA,
    Feature.BROWSE_MEDIA | Feature.PLAY_MEDIA,
    Feature.SELECT_SOURCE,
)
"""Capability of players that find something by its name; Music Assistant's have it, too."""


def find_source(state: State, names: Sequence[str]) -> str | None:
    """Return the source of a player that is called one of some names, None where it has none."""
    if not has(Feature.SELECT_SOURCE)(state):
        return None
    wanted = {name.casefold() for name in names}
    own = (str(source) for source in state.attributes.get("source_list") or ())
    return next((source for source in own if source.casefold() in wanted), None)

"""Looks for what is to be played: by a player's search, else through the shelves of its library."""

from collections.abc import Sequence
import logging
from typing import Any

from homeassistant.components.media_player import BrowseMedia
from homeassistant.core import State
from homeassistant.exceptions import HomeAssistantError

from ..domains.media_search import (
    BROWSE,
    BROWSING,
    MEDIA_SEARCHES,
    PLAY_BROWSED,
    FoundMedia,
    MediaSearch,
    Wanted,
    find_source,
    read_shelf,
)
from ..domains.models import ToolCall
from ..nlu.media import MediaRequest, choose_media, searches_for
from .base import AgentRequest

_LOGGER = logging.getLogger(__name__)

# A library is looked through to this depth, and no more shelves of it than these.
_DEEPEST = 3
_MOST_SHELVES = 40


async def async_find_media(
    request: AgentRequest, player: State, wanted: MediaRequest
) -> ToolCall | None:
    """Return the call that plays what is wanted on a player, None where it finds nothing of that name.

    Nothing is changed: only searches and shelves are read.
    """
    names = [wanted.said, *(name.title for name in wanted.names)]
    if not wanted.enqueue and (source := find_source(player, names)):
        data = {"source": source}
        return _call("media_player.select_source", player, data, source)
    for way in MEDIA_SEARCHES:
        if way.capability(player):
            return await _async_search(request, player, wanted, way)
    return await _async_browse(request, player, wanted) if BROWSING(player) else None


async def _async_search(
    request: AgentRequest, player: State, wanted: MediaRequest, way: MediaSearch
) -> ToolCall | None:
    """Return the call that plays the best of what a search finds."""
    for name in wanted.names:
        for title, artist in searches_for(name):
            looked_for = Wanted(title=title, artist=artist, kind=wanted.kind)
            found = await _async_found(request, player, way, looked_for)
            media = choose_media(found, name, wanted.kind)
            if media is None and way.is_ranked and not name.is_whole:
                # It may know more of its media than their titles.
                media = next(iter(found), None)
            if media:
                data = way.play_data(media, wanted.enqueue, is_radio=wanted.is_radio)
                return _call(way.play, player, data, media.title)
    return None


async def _async_found(
    request: AgentRequest, player: State, way: MediaSearch, looked_for: Wanted
) -> list[FoundMedia]:
    """Return what a search finds; nothing where it fails."""
    if (data := way.build(request.hass, player, looked_for)) is None:
        return []
    return list(way.read(await _async_ask(request, way.search, data), player.entity_id))


async def _async_browse(
    request: AgentRequest, player: State, wanted: MediaRequest
) -> ToolCall | None:
    """Return the call that plays what is called so on a shelf of a player's library, the nearest first."""
    shelves: list[tuple[int, BrowseMedia | None]] = [(0, None)]
    seen = 0
    while shelves and seen < _MOST_SHELVES:
        depth, shelf = shelves.pop(0)
        seen += 1
        items = await _async_shelf(request, player, shelf)
        if (media := _choose(list(read_shelf(items)), wanted)) is not None:
            action, play_data = PLAY_BROWSED
            return _call(action, player, play_data(media, wanted.enqueue), media.title)
        if depth < _DEEPEST:
            shelves += [(depth + 1, item) for item in items if item.can_expand]
    return None


def _choose(found: Sequence[FoundMedia], wanted: MediaRequest) -> FoundMedia | None:
    """Return what fits any reading of what is wanted, None where nothing does."""
    fitting = (choose_media(found, name, "") for name in wanted.names)
    return next(filter(None, fitting), None)


async def _async_shelf(
    request: AgentRequest, player: State, shelf: BrowseMedia | None
) -> Sequence[BrowseMedia]:
    """Return what is on a shelf of a player's library, or on its first."""
    data: dict[str, Any] = {"entity_id": player.entity_id}
    if shelf is not None:
        data["media_content_id"] = shelf.media_content_id
        data["media_content_type"] = shelf.media_content_type
    found = (await _async_ask(request, BROWSE, data) or {}).get(player.entity_id)
    return (found.children or ()) if isinstance(found, BrowseMedia) else ()


async def _async_ask(request: AgentRequest, action: str, data: dict[str, Any]) -> Any:
    """Return the answer of a read-only action, None where it fails."""
    try:
        return await request.runner.executor.async_request(action, data, request.user_input.context)
    except HomeAssistantError as err:
        _LOGGER.debug("%s failed: %s", action, type(err).__name__)
        return None


def _call(action: str, player: State, data: dict[str, Any], label: str) -> ToolCall:
    """Return a call for one player, with what it plays as its label."""
    return ToolCall(action=action, targets=(player.entity_id,), data=data, label=label)

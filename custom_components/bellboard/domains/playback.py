"""Playback of media players: attributes of the media item, outcome checks, and undo."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from homeassistant.components.media_player import MediaPlayerEntityFeature as Feature
from homeassistant.const import (
    STATE_BUFFERING,
    STATE_IDLE,
    STATE_OFF,
    STATE_ON,
    STATE_PAUSED,
    STATE_PLAYING,
    STATE_STANDBY,
)
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from .effects import Effect, always, moves, on_off, unless_in
from .player_groups import without_followers
from .services import SECOND_ROUND, SavedState, UndoStep, features_of, is_number

OFF = frozenset({STATE_OFF, STATE_STANDBY})
"""States of a player that is off."""

SOUNDING = frozenset({STATE_PLAYING, STATE_BUFFERING})
"""States of a player that plays."""

PAUSED_OR_SOUNDING = SOUNDING | {STATE_PAUSED}
"""States of a player that has something to play."""

MEDIA = "media_content_id"
"""Attribute and field: id of the media item, in the player's own notation."""

MEDIA_TYPE = "media_content_type"
"""Attribute and field: type of the media item ("music", "playlist")."""

POSITION = "media_position"
"""Attribute: position in the track, in seconds. It advances by itself, so it is never a difference."""

# Attributes that tell one media item from another.
_MEDIA_ATTRIBUTES = (
    MEDIA,
    "media_title",
    "media_artist",
    "media_album_name",
    "media_playlist",
    "media_channel",
    "app_name",
)


# Preferred targets of several.


def prefer_state(wanted: str, states: Sequence[State]) -> Sequence[State]:
    """Return the players in a state, else all of them; of a group the one that leads it."""
    return without_followers([state for state in states if state.state == wanted] or states)


def prefer_playing(states: Sequence[State]) -> Sequence[State]:
    """Return the players that play, else all: for pausing, skipping, and playing something new."""
    return prefer_state(STATE_PLAYING, states)


def waits(state: State) -> bool:
    """Return whether a player is silent and still has something that it would go on with."""
    named = state.attributes.get("media_title") or state.attributes.get(MEDIA)
    return state.state not in PAUSED_OR_SOUNDING and bool(named)


# Outcome checks.


def is_playing_asked(state: State, data: Mapping[str, Any], before: State | None) -> bool:
    """Return whether a player plays the media item of the call, and not the one before.

    An item that is queued or announced cannot be verified.
    """
    if data.get("announce") or data.get("enqueue") in {"add", "next"}:
        return True
    if state.state not in {*SOUNDING, STATE_ON}:
        return False
    if before is None or before.state not in {*SOUNDING, STATE_ON}:
        return True
    now, was = state.attributes, before.attributes
    # Music Assistant's own action has another field for it.
    if now.get(MEDIA) == data.get(MEDIA, data.get("media_id")):
        return True
    if any(now.get(name) != was.get(name) for name in _MEDIA_ATTRIBUTES):
        return True
    # The same item again: it starts over.
    place, old_place = now.get(POSITION), was.get(POSITION)
    is_told_anew = now.get("media_position_updated_at") != was.get("media_position_updated_at")
    return is_told_anew and place is not None and place <= (old_place or 0)


def has_joined(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether all players of the call are in the player's group."""
    return set(data["group_members"]) <= set(state.attributes.get("group_members") or ())


def has_unjoined(state: State, _data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a player is in no group with others."""
    return len(state.attributes.get("group_members") or ()) <= 1


# Undo.


def media_position(state: State, now: datetime) -> Mapping[str, Any]:
    """Return the position in the track at a time, in seconds, which Home Assistant reports only at times."""
    position = state.attributes.get(POSITION)
    if state.state in OFF or not is_number(position):
        return {}
    since = state.attributes.get("media_position_updated_at")
    if state.state == STATE_PLAYING and isinstance(since, datetime):
        position += max((now - dt_util.as_utc(since)).total_seconds(), 0.0)
    return {POSITION: round(position, 1)}


def supports(state: State, feature: int) -> bool:
    """Return whether a player supports a feature in its current state."""
    return bool(features_of(state) & feature)


def undo_playback(before: SavedState, state: State, changed: frozenset[str]) -> Iterator[UndoStep]:
    """Yield the undo steps of playback: the media item with its position, paused or not, or silence."""
    if before.state not in {*SOUNDING, STATE_PAUSED}:
        if state.state in {*SOUNDING, STATE_PAUSED}:
            if supports(state, Feature.STOP):
                yield "media_stop", {}
            elif state.state in SOUNDING and supports(state, Feature.PAUSE):
                yield "media_pause", {}
        return
    media, kind = before.text(MEDIA), before.text(MEDIA_TYPE)
    is_begun = True
    is_known = MEDIA in changed and media and kind and supports(state, Feature.PLAY_MEDIA)
    if is_known and (SECOND_ROUND in changed or state.attributes.get(MEDIA) is not None):
        yield "play_media", {MEDIA: media, MEDIA_TYPE: kind}
    elif state.state not in {*SOUNDING, STATE_PAUSED} and supports(state, Feature.PLAY):
        # A stopped player may still have its queue.
        yield "media_play", {}
    else:
        is_begun = False
        if (
            state.state == STATE_PAUSED
            and before.state in SOUNDING
            and supports(state, Feature.PLAY)
        ):
            yield "media_play", {}
    position = before.number(POSITION)
    if is_begun and position and position >= 1 and supports(state, Feature.SEEK):
        yield "media_seek", {"seek_position": position}
    is_sounding = is_begun or state.state in SOUNDING
    if before.state == STATE_PAUSED and is_sounding and supports(state, Feature.PAUSE):
        yield "media_pause", {}


# What services bring about.

_WHILE_OFF = unless_in(STATE_PLAYING, STATE_BUFFERING, STATE_PAUSED, STATE_IDLE, STATE_ON)
EFFECTS = (
    # What plays on a player that is off turns it on.
    *on_off(
        off=tuple(sorted(OFF)),
        turns_on=dict.fromkeys(
            ("media_play", "media_play_pause", "play_media", "music_assistant.play_media"),
            _WHILE_OFF,
        ),
    ),
    Effect(
        {
            "media_play": always,
            "media_play_pause": unless_in(STATE_PLAYING),
            "play_media": always,
            "music_assistant.play_media": always,
        },
        also={"music_assistant.transfer_queue": always, "join": always},
    ),
    Effect({"media_pause": always, "media_play_pause": unless_in(STATE_PAUSED, *sorted(OFF))}),
    *(
        Effect(
            {
                f"volume_{way}": always,
                "volume_set": moves("volume_level", "volume_level", direction),
            }
        )
        for way, direction in (("up", 1), ("down", -1))
    ),
)
"""What the services of players bring about."""

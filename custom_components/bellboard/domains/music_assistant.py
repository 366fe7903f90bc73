"""Table of Music Assistant's own actions, for the media players that belong to it."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant, State

from .checks import OutcomeCheck
from .models import ErrorCode, ToolCall
from .playback import PAUSED_OR_SOUNDING, SOUNDING, is_playing_asked
from .services import (
    Capability,
    Field,
    ReplyTranslation,
    Service,
    ValueFormatter,
    check_available,
    flag,
    one_of,
    text,
)
from .table import Domain

MEDIA_TYPES = ("artist", "album", "track", "playlist", "radio", "podcast", "audiobook")
"""Kinds of media that Music Assistant tells apart."""

# Attribute that only players of Music Assistant have.
_PLAYER_TYPE = "mass_player_type"

IS_MUSIC_ASSISTANT = Capability(
    lambda state: _PLAYER_TYPE in state.attributes, "a player of Music Assistant"
)
"""Capability of the players that belong to Music Assistant."""


def _validate_source(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Accept another player of Music Assistant that is exposed and available."""
    if not isinstance(value, str) or value == state.entity_id:
        return ErrorCode.INVALID
    if code := check_available(hass, value):
        return code
    source = hass.states.get(value)
    return None if source and IS_MUSIC_ASSISTANT(source) else ErrorCode.UNSUPPORTED


def _has_taken_over(state: State, data: Mapping[str, Any], _before: State | None) -> bool:
    """Return whether a player has what another one played."""
    if data.get("auto_play", True):
        return state.state in SOUNDING
    return state.state in PAUSED_OR_SOUNDING


def reply_media(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to playing a media item, or to putting it into the queue, by its label."""
    if call.data.get("radio_mode"):
        return "play_radio", {"value": call.label}
    match call.data.get("enqueue"):
        case "next":
            return "play_next", {"value": call.label}
        case "add":
            return "play_last", {"value": call.label}
        case _:
            return "play_media", {"value": call.label}


MUSIC_ASSISTANT = Domain(
    name="music_assistant",
    entity_domain="media_player",
    services=(
        Service(
            "play_media",
            IS_MUSIC_ASSISTANT,
            fields={
                "media_id": text,
                "media_type": one_of(*MEDIA_TYPES),
                "artist": text,
                "album": text,
                "enqueue": one_of("play", "replace", "next", "replace_next", "add"),
                "radio_mode": flag,
            },
            required=frozenset({"media_id"}),
            check=OutcomeCheck(is_playing_asked),
            acts_again=lambda _data: True,
            reply=reply_media,
        ),
        Service(
            "transfer_queue",
            IS_MUSIC_ASSISTANT,
            fields={
                "source_player": Field(_validate_source, "another player of Music Assistant"),
                "auto_play": flag,
            },
            check=OutcomeCheck(_has_taken_over),
            changes_too=("source_player",),
        ),
    ),
)
"""Table of Music Assistant's own actions."""

"""Table of text to speech: what says something aloud on players, which then go on with what they played."""

from collections.abc import Sequence
from typing import Any

from homeassistant.components.media_player import MediaPlayerEntityFeature as Feature
from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State

from .actions import Action, ActionInput, NotSupportedError, require_any
from .announcements import MESSAGE, SPOKEN, announcement_calls, reply_announced
from .models import ErrorCode, ToolCall
from .services import Field, Service, has
from .table import Domain

ENGINE = "engine"
"""Name of the field, and of the parameter, with the entity that speaks."""

CAN_BE_SPOKEN_ON = has(Feature.PLAY_MEDIA | Feature.MEDIA_ANNOUNCE)
"""Capability of players that announce: others would leave what they play for it."""

_DOMAIN = "tts"


def _check_engine(hass: HomeAssistant, _state: State, value: Any) -> ErrorCode | None:
    """Accept an entity of text to speech that is there; it is no device, and exposed to nobody."""
    if not isinstance(value, str) or not value.startswith(f"{_DOMAIN}."):
        return ErrorCode.INVALID
    state = hass.states.get(value)
    return ErrorCode.UNAVAILABLE if state is None or state.state == STATE_UNAVAILABLE else None


TTS = Domain(
    name=_DOMAIN,
    entity_domain="media_player",
    refusal_unseen="undo.heard",
    services=(
        Service(
            "speak",
            CAN_BE_SPOKEN_ON,
            fields={"message": SPOKEN, ENGINE: Field(_check_engine, "an entity of text to speech")},
            required=frozenset({"message", ENGINE}),
            renames={ATTR_ENTITY_ID: "media_player_entity_id", ENGINE: ATTR_ENTITY_ID},
            is_each_alone=True,
            is_momentary=True,
            unseen="Home Assistant reports that a player took it, or did not",
            reply=reply_announced,
        ),
    ),
)
"""Table of text to speech, for the media players that announce."""


def _plan_announcement(wanted: ActionInput, states: Sequence[State]) -> list[ToolCall]:
    """Return the call that says a message aloud.

    Raises:
        NotSupportedError: no player announces, or nobody says who speaks.
    """
    able: Sequence[State] = require_any([s for s in states if CAN_BE_SPOKEN_ON(s)], states)
    if not (engine := wanted.parameters.get(ENGINE)):
        raise NotSupportedError(states)
    return announcement_calls(_DOMAIN, "speak", wanted, able, {ENGINE: engine})


ANNOUNCE_ON_PLAYER = Action(
    "announce",
    "play_media",
    # Who speaks is chosen where the words are read.
    is_offered=False,
    capability=CAN_BE_SPOKEN_ON,
    plan_calls=_plan_announcement,
    parameters=(MESSAGE,),
    is_repeatable=True,
)
"""Row of the media players' table."""

"""Common parts of announcements on satellites and on players: their field, their parameter, calls and reply."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.core import HomeAssistant, State

from .actions import ActionInput, Parameter, ParameterKind, group_calls
from .models import ErrorCode, ToolCall
from .services import Field, ReplyTranslation, ValueFormatter, text
from .wake_words import wakes_assistants


def _check_spoken(hass: HomeAssistant, state: State, value: Any) -> ErrorCode | None:
    """Accept texts that can be said aloud without that a voice assistant listens for a command."""
    if code := text(hass, state, value):
        return code
    return ErrorCode.WAKES if wakes_assistants(hass, value) else None


SPOKEN = Field(_check_spoken, "text without a wake word")
"""Field of what is said aloud."""

MESSAGE = Parameter(
    "message",
    kind=ParameterKind.TEXT,
    field="message",
    hint="what to say aloud, word for word as the user said it",
    is_verbatim=True,
)
"""What is said aloud."""

LOST = "lost"
"""Parameter with the names of those whom the message is for, and of whom nobody knows where they are."""

_SEPARATOR = ", "


def announcement_calls(
    domain: str,
    service: str,
    wanted: ActionInput,
    states: Sequence[State],
    data: Mapping[str, Any] | None = None,
) -> list[ToolCall]:
    """Return the calls that announce a message, labelled with those of whom nobody knows where they are."""
    given = {"message": wanted.parameters["message"], **(data or {})}
    calls = group_calls(domain, [(state.entity_id, service, given) for state in states])
    lost = _SEPARATOR.join(map(str, wanted.parameters.get(LOST, ())))
    return [call.model_copy(update={"label": lost}) for call in calls]


def reply_announced(words: ValueFormatter, call: ToolCall) -> ReplyTranslation:
    """Return the reply to an announcement, which does not say again what was announced.

    It says why everybody heard what was for somebody.
    """
    if not call.label:
        return "announce", {}
    return "announce_to_find", {"value": words.join(call.label.split(_SEPARATOR))}

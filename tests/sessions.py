"""A chat session, asked for as the installed release of Home Assistant wants it to be."""

from contextlib import AbstractContextManager
import inspect

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.chat_session import ChatSession, async_get_chat_session

HAS_OWNER = "context" in inspect.signature(async_get_chat_session).parameters
"""Whether a session belongs to a user: from 2026.11 on nobody else speaks in it."""


def chat_session(
    hass: HomeAssistant, conversation_id: str | None = None
) -> AbstractContextManager[ChatSession]:
    """Return a session of a conversation. From 2026.11 on it belongs to the user of its first context."""
    if HAS_OWNER:
        return async_get_chat_session(hass, conversation_id, context=Context())  # type: ignore[call-arg]
    return async_get_chat_session(hass, conversation_id)

"""Sentences that are tried in the panel: for an assistant, in a language, a room, and in somebody's name."""

from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.typing import VolDictType
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from ..services.evaluate import device_in
from ..services.sentence import MOST_TEXT

ASSISTANT, TEXT, LANGUAGE, AREA, USER = "assistant", "text", "language", "area_id", "user_id"
CONVERSATION = "conversation_id"

FIELDS: VolDictType = {
    vol.Required(ASSISTANT): str,
    vol.Required(TEXT): vol.All(str, vol.Strip, vol.Length(min=1, max=MOST_TEXT)),
    vol.Optional(LANGUAGE): str,
    vol.Optional(AREA): vol.Any(None, str),
    vol.Optional(USER): vol.Any(None, str),
    vol.Optional(CONVERSATION): str,
}
"""Fields of a websocket command about a sentence; an area and a user are ids."""


def sentence_of(hass: HomeAssistant, msg: dict[str, Any], entity_id: str) -> ConversationInput:
    """Return the sentence of a command, as it would be said to the assistant with an entity id.

    Raises:
        ServiceValidationError: nothing is in the room that it could be said to.
    """
    area_id = msg.get(AREA)
    return ConversationInput(
        text=msg[TEXT],
        context=Context(user_id=msg.get(USER)),
        conversation_id=msg.get(CONVERSATION) or ulid_now(),
        device_id=device_in(hass, area_id) if area_id else None,
        satellite_id=None,
        language=msg.get(LANGUAGE) or hass.config.language,
        agent_id=entity_id,
    )

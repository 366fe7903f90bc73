"""The fields of actions that take a sentence, and the ConversationInput they stand for."""

from homeassistant.components.conversation import ConversationInput
from homeassistant.const import ATTR_DEVICE_ID
from homeassistant.core import ServiceCall
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import VolDictType
import voluptuous as vol

from .lookup import ASSISTANT_FIELD, ATTR_CONVERSATION_ID, CONVERSATION_FIELD

ATTR_LANGUAGE = "language"
ATTR_TEXT = "text"

# In characters.
MOST_TEXT = 2000

SENTENCE_FIELDS: VolDictType = {
    vol.Required(ATTR_TEXT): vol.All(cv.string, vol.Length(min=1, max=MOST_TEXT)),
    **ASSISTANT_FIELD,
    **CONVERSATION_FIELD,
    vol.Optional(ATTR_LANGUAGE): cv.string,
    vol.Optional(ATTR_DEVICE_ID): cv.string,
}


def sentence_of(call: ServiceCall, entity_id: str) -> ConversationInput:
    """Return the sentence in a call's data as input of the assistant with an entity id."""
    data = call.data
    return conversation_input(call, entity_id, data[ATTR_TEXT], data.get(ATTR_CONVERSATION_ID))


def conversation_input(
    call: ServiceCall, entity_id: str, text: str, conversation_id: str | None
) -> ConversationInput:
    """Return a text as input of the assistant with an entity id, with a call's context, device and language."""
    data = call.data
    return ConversationInput(
        text=text,
        context=call.context,
        conversation_id=conversation_id,
        device_id=data.get(ATTR_DEVICE_ID),
        satellite_id=None,
        language=data.get(ATTR_LANGUAGE, call.hass.config.language),
        agent_id=entity_id,
    )

"""What the actions take that are given a sentence, and the sentence as an assistant hears it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.const import ATTR_DEVICE_ID
from homeassistant.core import ServiceCall
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from .lookup import ASSISTANT_ENTITY, ATTR_ASSISTANT, ATTR_CONVERSATION_ID

ATTR_LANGUAGE = "language"
ATTR_TEXT = "text"

# In characters.
MOST_TEXT = 2000

SENTENCE_FIELDS: Mapping[vol.Marker, Any] = MappingProxyType(
    {
        vol.Required(ATTR_TEXT): vol.All(cv.string, vol.Length(min=1, max=MOST_TEXT)),
        vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY,
        vol.Optional(ATTR_LANGUAGE): cv.string,
        vol.Optional(ATTR_CONVERSATION_ID): cv.string,
        vol.Optional(ATTR_DEVICE_ID): cv.string,
    }
)
"""The fields of such an action, for its schema."""


def sentence_of(call: ServiceCall, entity_id: str) -> ConversationInput:
    """Return the sentence of an action's call as the assistant with an entity id hears it."""
    data = call.data
    return heard(call, entity_id, data[ATTR_TEXT], data.get(ATTR_CONVERSATION_ID))


def heard(
    call: ServiceCall, entity_id: str, text: str, conversation_id: str | None
) -> ConversationInput:
    """Return a text as the assistant with an entity id hears it, where and as an action's call says."""
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

"""Actions of the integration: a row for each, the assistant a call names, its caller's rights, refusals."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass

from homeassistant.components.conversation import ConversationInput
from homeassistant.const import ATTR_DEVICE_ID, Platform
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.service import async_register_admin_service
from homeassistant.helpers.typing import VolDictType, VolSchemaType
import voluptuous as vol

from ..assistant import Assistant
from ..const import DOMAIN
from ..memory.models import Caller

ATTR_ASSISTANT = "assistant"
ATTR_CONVERSATION_ID = "conversation_id"

ASSISTANT_ENTITY = cv.entity_domain(Platform.CONVERSATION)
ASSISTANT_FIELD: VolDictType = {vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY}
CONVERSATION_FIELD: VolDictType = {vol.Optional(ATTR_CONVERSATION_ID): cv.string}


def assistant_id_of(hass: HomeAssistant, entity_id: str | None) -> str | None:
    """Return the subentry id of an assistant; None stands for all of them.

    Raises:
        ServiceValidationError: the entity is no assistant.
    """
    if entity_id is None:
        return None
    entry = er.async_get(hass).async_get(entity_id)
    if entry is None or entry.platform != DOMAIN or entry.config_subentry_id is None:
        raise refusal("unknown_assistant", entity_id=entity_id)
    return entry.config_subentry_id


def entity_id_of(hass: HomeAssistant, assistant_id: str) -> str:
    """Return the entity id of an assistant, by its subentry's id; that itself where it has none."""
    # The entity's unique id is that of the subentry.
    entities = er.async_get(hass)
    found = entities.async_get_entity_id(Platform.CONVERSATION, DOMAIN, assistant_id)
    return found or assistant_id


def all_assistants(hass: HomeAssistant) -> dict[str, Assistant]:
    """Return the assistants there are, by subentry id; also those that are just being set up."""
    found: dict[str, Assistant] = {}
    for entry in hass.config_entries.async_entries(DOMAIN):
        # It has none before it is set up and after it is unloaded.
        if data := getattr(entry, "runtime_data", None):
            found |= data.assistants
    return found


def find_assistant(hass: HomeAssistant, entity_id: str | None) -> tuple[str, Assistant]:
    """Return the entity id and the assistant of an entity id; without one the first there is.

    Raises:
        ServiceValidationError: there is no such assistant, or it is not set up.
    """
    wanted = assistant_id_of(hass, entity_id)
    for assistant_id, assistant in all_assistants(hass).items():
        if wanted in {None, assistant_id}:
            return entity_id_of(hass, assistant_id), assistant
    if entity_id is None:
        raise refusal("no_assistant")
    raise refusal("assistant_not_loaded", entity_id=entity_id)


def find_assistants(call: ServiceCall) -> list[tuple[str, Assistant]]:
    """Return the assistant that a call names, or all of them, each after its entity id.

    Raises:
        ServiceValidationError: there is no such assistant.
    """
    named = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    if ATTR_ASSISTANT in call.data:
        return [named]
    return [
        (entity_id_of(call.hass, assistant_id), assistant)
        for assistant_id, assistant in all_assistants(call.hass).items()
    ]


async def async_caller(call: ServiceCall) -> Caller:
    """Return the caller of an action; administrators, and automations without a user, see all."""
    if (user_id := call.context.user_id) is None:
        return Caller(None, sees_all=True)
    user = await call.hass.auth.async_get_user(user_id)
    return Caller(user_id, sees_all=user is not None and user.is_admin)


def refusal(key: str, **placeholders: str) -> ServiceValidationError:
    """Return the translated exception that says why an action was refused."""
    return ServiceValidationError(
        translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders
    )


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


type Handler = Callable[[ServiceCall], Coroutine[None, None, ServiceResponse] | ServiceResponse]


@dataclass(frozen=True, slots=True)
class ServiceAction:
    """An action: its name after `bellboard.`, its handler, and the schema of its data.

    Only administrators may call one that is `for_admins`; another acts with its caller's permissions.
    """

    name: str
    handler: Handler
    schema: VolDictType | VolSchemaType
    response: SupportsResponse = SupportsResponse.OPTIONAL
    for_admins: bool = False

    @callback
    def register(self, hass: HomeAssistant) -> None:
        """Register the action."""
        schema = vol.Schema(self.schema) if isinstance(self.schema, Mapping) else self.schema
        args = (DOMAIN, self.name, self.handler, schema, self.response)
        if self.for_admins:
            async_register_admin_service(hass, *args)
        else:
            hass.services.async_register(*args)

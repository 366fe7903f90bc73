"""Actions on what conversations left open: look at a task, cancel it, forget."""

from homeassistant.core import ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from ..tasks.store import StoreUnavailableError
from .action import Action
from .lookup import ASSISTANT_ENTITY, ATTR_ASSISTANT, ATTR_CONVERSATION_ID, find_assistant, refusal

SERVICE_GET_TASK = "get_task"
SERVICE_CANCEL_TASK = "cancel_task"
SERVICE_FORGET = "forget"

_TASK_SCHEMA = vol.Schema(
    {
        vol.Required(ATTR_CONVERSATION_ID): cv.string,
        vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY,
    }
)
_FORGET_SCHEMA = vol.Schema(
    {
        vol.Optional(ATTR_CONVERSATION_ID): cv.string,
        vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY,
    }
)


async def _async_get_task(call: ServiceCall) -> ServiceResponse:
    """Return a conversation's task as the data model writes it."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    task = await assistant.tasks.async_find(call.data[ATTR_CONVERSATION_ID])
    if task is None:
        raise refusal("unknown_conversation")
    return {"task": task.as_json()}


async def _async_cancel_task(call: ServiceCall) -> ServiceResponse:
    """Cancel the task a conversation waits on; one that is over stays as it ended."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    conversation_id = call.data[ATTR_CONVERSATION_ID]
    canceled = await assistant.tasks.async_cancel(conversation_id)
    task = await assistant.tasks.async_find(conversation_id)
    if task is None:
        raise refusal("unknown_conversation")
    return {"canceled": canceled, "state": task.state.value}


async def _async_forget(call: ServiceCall) -> ServiceResponse:
    """Forget a conversation, or all of an assistant's."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    try:
        forgotten = await assistant.tasks.async_forget(call.data.get(ATTR_CONVERSATION_ID))
    except StoreUnavailableError as err:
        raise refusal("store_unavailable") from err
    return {"forgotten": forgotten}


ACTIONS = (
    # A task holds what others said.
    Action(SERVICE_GET_TASK, _async_get_task, _TASK_SCHEMA, SupportsResponse.ONLY, for_admins=True),
    Action(SERVICE_CANCEL_TASK, _async_cancel_task, _TASK_SCHEMA, for_admins=True),
    Action(SERVICE_FORGET, _async_forget, _FORGET_SCHEMA, for_admins=True),
)

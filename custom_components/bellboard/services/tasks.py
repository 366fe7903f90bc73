"""The actions `bellboard.get_task`, `cancel_task` and `forget`: the tasks of conversations."""

from homeassistant.core import ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import VolDictType
import voluptuous as vol

from ..memory.store import StoreUnavailableError
from .action import ServiceAction
from .lookup import (
    ASSISTANT_FIELD,
    ATTR_ASSISTANT,
    ATTR_CONVERSATION_ID,
    CONVERSATION_FIELD,
    async_caller,
    find_assistant,
    refusal,
)

_TASK_FIELDS: VolDictType = {vol.Required(ATTR_CONVERSATION_ID): cv.string, **ASSISTANT_FIELD}
_FORGET_FIELDS: VolDictType = {**CONVERSATION_FIELD, **ASSISTANT_FIELD}


async def _async_get_task(call: ServiceCall) -> ServiceResponse:
    """Return a conversation's task as JSON (data model, TaskContext)."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    caller = await async_caller(call)
    task = await assistant.tasks.async_find(call.data[ATTR_CONVERSATION_ID], caller=caller)
    if task is None:
        raise refusal("unknown_conversation")
    return {"task": task.as_json()}


async def _async_cancel_task(call: ServiceCall) -> ServiceResponse:
    """Cancel a conversation's task if it is open; return the state it is in now."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    conversation_id, caller = call.data[ATTR_CONVERSATION_ID], await async_caller(call)
    canceled = await assistant.tasks.async_cancel(conversation_id, caller=caller)
    task = await assistant.tasks.async_find(conversation_id, caller=caller)
    if task is None:
        raise refusal("unknown_conversation")
    return {"canceled": canceled, "state": task.state.value}


async def _async_forget(call: ServiceCall) -> ServiceResponse:
    """Forget one conversation of an assistant, or all; return how many."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    try:
        forgotten = await assistant.tasks.async_forget(call.data.get(ATTR_CONVERSATION_ID))
    except StoreUnavailableError as err:
        raise refusal("store_unavailable") from err
    return {"forgotten": forgotten}


ACTIONS = (
    # A task holds what others said.
    ServiceAction(
        "get_task", _async_get_task, _TASK_FIELDS, SupportsResponse.ONLY, for_admins=True
    ),
    ServiceAction("cancel_task", _async_cancel_task, _TASK_FIELDS, for_admins=True),
    ServiceAction("forget", _async_forget, _FORGET_FIELDS, for_admins=True),
)

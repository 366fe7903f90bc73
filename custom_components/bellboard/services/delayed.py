"""Actions on what was given for later: look at it, cancel it. Everybody sees their own, administrators all."""

from homeassistant.core import ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from ..assistant import Assistant
from ..tasks.delayed import DelayedCommand
from ..turn.delayed import async_run_delayed
from ..turn.pipeline import async_take_turn
from .action import Action
from .lookup import ASSISTANT_ENTITY, ATTR_ASSISTANT, entity_id_of, find_assistants

SERVICE_DELAYED = "delayed"
SERVICE_CANCEL_DELAYED = "cancel_delayed"
ATTR_ID = "id"

_DELAYED_SCHEMA = vol.Schema({vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY})
_CANCEL_SCHEMA = vol.Schema(
    {vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY, vol.Optional(ATTR_ID): cv.string}
)


async def async_start_delayed(assistant: Assistant, assistant_id: str) -> None:
    """Take up what waits for an assistant, and have it done when it is due."""

    async def async_run(command: DelayedCommand) -> None:
        entity_id = entity_id_of(assistant.hass, assistant_id)
        await async_run_delayed(assistant, command, entity_id, async_take_turn)

    await assistant.delayed.async_start(async_run)


async def _async_delayed(call: ServiceCall) -> ServiceResponse:
    """Return what waits, the next one of each assistant first."""
    sees = await _async_sees_all(call)
    return {
        "delayed": [
            {
                "id": command.id,
                "assistant": entity_id,
                "text": command.said or command.text,
                "due": command.due.isoformat(),
                "seconds_left": max(0, round(command.seconds_left())),
            }
            for entity_id, assistant in find_assistants(call)
            for command in assistant.delayed.waiting
            if sees or command.user_id == call.context.user_id
        ]
    }


async def _async_cancel(call: ServiceCall) -> ServiceResponse:
    """Cancel one command, or all; return how many it were."""
    sees = await _async_sees_all(call)
    wanted = call.data.get(ATTR_ID)
    canceled = 0
    for _, assistant in find_assistants(call):
        ids = [
            command.id
            for command in assistant.delayed.waiting
            if wanted in {None, command.id} and (sees or command.user_id == call.context.user_id)
        ]
        canceled += len(await assistant.delayed.async_cancel(ids))
    return {"canceled": canceled}


async def _async_sees_all(call: ServiceCall) -> bool:
    """Return whether the caller is an administrator, or an automation that acts in nobody's name."""
    if (user_id := call.context.user_id) is None:
        return True
    user = await call.hass.auth.async_get_user(user_id)
    return user is not None and user.is_admin


ACTIONS = (
    Action(SERVICE_DELAYED, _async_delayed, _DELAYED_SCHEMA, SupportsResponse.ONLY),
    Action(SERVICE_CANCEL_DELAYED, _async_cancel, _CANCEL_SCHEMA),
)

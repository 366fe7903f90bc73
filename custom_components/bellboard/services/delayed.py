"""The actions `bellboard.delayed` and `bellboard.cancel_delayed`: deferred commands that still wait.

Everybody sees and cancels their own, administrators all.
"""

from homeassistant.core import ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from ..assistant import Assistant
from ..memory.delayed import DelayedCommand
from ..turn.due import async_run_due
from .action import ServiceAction
from .lookup import ASSISTANT_FIELD, async_caller, entity_id_of, find_assistants

ATTR_ID = "id"


async def async_start_delayed(assistant: Assistant, assistant_id: str) -> None:
    """Load an assistant's deferred commands, and schedule each to run when it is due."""

    async def async_run(command: DelayedCommand) -> None:
        await async_run_due(assistant, command, entity_id_of(assistant.hass, assistant_id))

    await assistant.delayed.async_start(async_run)


async def _async_delayed(call: ServiceCall) -> ServiceResponse:
    """Return the deferred commands, the next one of each assistant first."""
    caller = await async_caller(call)
    return {
        "delayed": [
            {
                "id": command.id,
                "assistant": entity_id,
                "text": command.said or command.text,
                "due": command.due.isoformat(),
                "seconds_left": max(0, round(assistant.delayed.seconds_left(command))),
            }
            for entity_id, assistant in find_assistants(call)
            for command in assistant.delayed.waiting
            if caller.owns(command.user_id)
        ]
    }


async def _async_cancel(call: ServiceCall) -> ServiceResponse:
    """Cancel one deferred command, or all; return how many were canceled."""
    caller = await async_caller(call)
    wanted = call.data.get(ATTR_ID)
    canceled = 0
    for _, assistant in find_assistants(call):
        ids = [
            command.id
            for command in assistant.delayed.waiting
            if wanted in {None, command.id} and caller.owns(command.user_id)
        ]
        canceled += len(await assistant.delayed.async_cancel(ids))
    return {"canceled": canceled}


ACTIONS = (
    ServiceAction("delayed", _async_delayed, ASSISTANT_FIELD, SupportsResponse.ONLY),
    ServiceAction(
        "cancel_delayed", _async_cancel, {**ASSISTANT_FIELD, vol.Optional(ATTR_ID): cv.string}
    ),
)

"""Repeating commands: the action `bellboard.run_planned`, which their automations call, and both kept in step.

An automation names a command by its id, and nothing of what it does: that is kept by the assistant, and judged each
time in the name of who gave it.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
import logging

from homeassistant.components.automation import DOMAIN as AUTOMATION
from homeassistant.const import ATTR_ENTITY_ID, SERVICE_RELOAD, SERVICE_TURN_OFF
from homeassistant.core import Event, HomeAssistant, ServiceCall, ServiceResponse, callback
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from ..assistant import Assistant
from ..const import DOMAIN
from ..home.automations import (
    RUN_ACTION,
    AutomationError,
    async_remove_automations,
    find_automations,
    is_deleted,
)
from ..memory.delayed import DelayedCommand, async_read_commands
from ..when import Once
from .action import ServiceAction, all_assistants, async_caller, entity_id_of, refusal
from .delayed import ATTR_ID, async_run_due

_LOGGER = logging.getLogger(__name__)


async def _async_run_planned(call: ServiceCall) -> ServiceResponse:
    """Run a repeating command now, as it was given: an automation's own, the caller's, or any for administrators.

    Raises:
        ServiceValidationError: there is no such command.
    """
    hass, caller = call.hass, await async_caller(call)
    for assistant_id, assistant in all_assistants(hass).items():
        command = assistant.delayed.get(call.data[ATTR_ID])
        if command and command.is_repeated and caller.owns(command.user_id):
            await async_run_due(
                assistant, _due_now(hass, command), entity_id_of(hass, assistant_id)
            )
            return None
    raise refusal("unknown_planned", id=call.data[ATTR_ID])


def _due_now(hass: HomeAssistant, command: DelayedCommand) -> DelayedCommand:
    """Return a repeating command as one that is due now, in a conversation of its own."""
    schedule, now = command.schedule, dt_util.utcnow()
    if until := schedule.end_moment:
        schedule = schedule.model_copy(update={"until": _next(hass, until)})
    return command.model_copy(
        update={"due": now, "schedule": schedule, "conversation_id": ulid_now()}
    )


def _next(hass: HomeAssistant, moment: Once) -> Once:
    """Return a moment at the same time of day, or by the same sun, the next time that it is."""
    now = dt_util.now()
    if (sun := moment.sun) is not None:
        offset = timedelta(seconds=sun.offset)
        return Once(at=get_astral_event_next(hass, sun.event.value, now, offset), sun=sun)
    clock = dt_util.as_local(moment.at).time()
    days = int(clock <= now.time())
    day = now.date() + timedelta(days=days)
    return Once(at=datetime.combine(day, clock, tzinfo=now.tzinfo))


@callback
def async_start_repeated(hass: HomeAssistant, assistant: Assistant) -> None:
    """Keep an assistant's repeating commands and their automations in step, as long as it is set up.

    An automation goes with its command, however that is cancelled; a command goes when somebody deletes its automation.
    """
    delayed = assistant.delayed
    known = _repeated_ids(assistant)

    @callback
    def async_changed() -> None:
        nonlocal known
        gone, known = known - (now := _repeated_ids(assistant)), now
        if gone:
            hass.async_create_task(_async_remove(hass, gone), f"{DOMAIN} automations")

    async def async_deleted(_event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        await delayed.async_cancel([each for each in known if is_deleted(hass, each)])

    @callback
    def is_of_automation(data: er.EventEntityRegistryUpdatedData) -> bool:
        return data["action"] == "remove" and data["entity_id"].startswith(f"{AUTOMATION}.")

    async def async_started(_hass: HomeAssistant) -> None:
        # One that is not loaded is still there.
        if hass.services.has_service(AUTOMATION, SERVICE_RELOAD):
            there = find_automations(hass, known)
            await delayed.async_cancel(known - there.keys())

    delayed.async_listen(async_changed)
    delayed.async_while_open(
        hass.bus.async_listen(
            er.EVENT_ENTITY_REGISTRY_UPDATED, async_deleted, event_filter=is_of_automation
        )
    )
    delayed.async_while_open(async_at_started(hass, async_started))


async def async_forget_repeated(hass: HomeAssistant, assistant_id: str) -> None:
    """Remove the automations of an assistant that is no more: nothing they name is kept."""
    commands = await async_read_commands(hass, assistant_id)
    if ids := {command.id for command in commands if command.is_repeated}:
        await _async_remove(hass, ids)


def _repeated_ids(assistant: Assistant) -> set[str]:
    """Return the ids of an assistant's repeating commands."""
    return {command.id for command in assistant.delayed.waiting if command.is_repeated}


async def _async_remove(hass: HomeAssistant, ids: Collection[str]) -> None:
    """Remove the automations of commands; turn off those that cannot be removed."""
    try:
        await async_remove_automations(hass, ids)
    except AutomationError as err:
        _LOGGER.warning(
            "Automations of commands that are not kept any more are turned off: %s", err
        )
        if entity_ids := [*find_automations(hass, ids).values()]:
            await hass.services.async_call(
                AUTOMATION, SERVICE_TURN_OFF, {ATTR_ENTITY_ID: entity_ids}, blocking=True
            )


ACTIONS = (ServiceAction(RUN_ACTION, _async_run_planned, {vol.Required(ATTR_ID): cv.string}),)

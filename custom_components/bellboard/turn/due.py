"""A command for later whose time has come: a turn in the name of who gave it."""

import logging

from homeassistant.components import persistent_notification
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context

from ..assistant import Assistant
from ..memory.delayed import DelayedCommand
from ..memory.models import Caller, TaskState
from ..memory.pending import open_question
from ..nlu.loader import async_get_language
from .delayed import serialise_calls
from .dry_run import create_dry_run
from .pipeline import async_take_turn

_LOGGER = logging.getLogger(__name__)


async def async_run_due(assistant: Assistant, command: DelayedCommand, agent_id: str) -> None:
    """Do what is due; tell where that could not be done. `agent_id` is the assistant's entity id."""
    hass = assistant.hass
    if command.user_id:
        user = await hass.auth.async_get_user(command.user_id)
        if user is None or not user.is_active:
            _LOGGER.warning("A delayed command was left: who gave it is not there any more")
            return
    caller = Caller(command.user_id)
    conversation_id = await _async_conversation_id(assistant, command, caller)
    user_input = ConversationInput(
        text=command.text,
        context=Context(user_id=command.user_id),
        conversation_id=conversation_id,
        device_id=command.device_id,
        satellite_id=command.satellite_id,
        language=command.language,
        agent_id=agent_id,
    )
    if command.rules:
        command = await _async_checked(assistant, command, user_input)
    result = await async_take_turn(assistant, user_input, delayed=command)
    if result.state is TaskState.COMPLETED and not any(a.failures for a in result.answers):
        return
    if result.state is TaskState.INPUT_REQUIRED:
        # Nobody is there to answer.
        await assistant.tasks.async_cancel(conversation_id, "Nobody was asked.", caller=caller)
    _LOGGER.warning("A delayed command was not done as it was given: %s", result.state.value)
    language = await async_get_language(hass, command.language)
    persistent_notification.async_create(
        hass, language.say("delayed.failed", reply=result.text), "Bellboard", command.id
    )


async def _async_conversation_id(
    assistant: Assistant, command: DelayedCommand, caller: Caller
) -> str:
    """Return the conversation a command is done in: its own, unless that waits for an answer of its caller's."""
    task = await assistant.tasks.async_find(command.conversation_id, caller=caller)
    if task is not None and open_question(task):
        return f"{command.conversation_id}-{command.id}"
    return command.conversation_id


async def _async_checked(
    assistant: Assistant, command: DelayedCommand, user_input: ConversationInput
) -> DelayedCommand:
    """Return a command without what was agreed to, where it would come to something else by now."""
    tried = await async_take_turn(
        create_dry_run(assistant, None), user_input, dry_run=True, delayed=command
    )
    if serialise_calls(tried.dry_run_calls) == command.agreed:
        return command
    return command.model_copy(update={"rules": ()})

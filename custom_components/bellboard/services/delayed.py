"""The actions `bellboard.delayed` and `bellboard.cancel_delayed`: commands that wait, for a time or something else.

Everybody sees and cancels their own, administrators all.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
import logging
from typing import Any

from homeassistant.components import persistent_notification
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import (
    CALLBACK_TYPE,
    Context,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
)
from homeassistant.helpers import config_validation as cv
from homeassistant.util import dt as dt_util
import voluptuous as vol

from ..agents.base import ReplyContext
from ..agents.wording import (
    capitalised,
    describe_alert,
    describe_planned,
    describe_when,
    tell_alert,
)
from ..assistant import Assistant
from ..domains.models import ToolCall
from ..domains.registry import GUARDING
from ..home.catalog import is_exposed
from ..home.speaker import async_rights
from ..memory.delayed import Alert, DelayedCommand, Run
from ..memory.models import Caller, TaskState
from ..memory.pending import open_question
from ..memory.watching import Fired, async_watch
from ..nlu.happenings import SUN
from ..nlu.loader import Language, async_get_language
from ..nlu.triggers import evaluator
from ..turn.announced import async_announce
from ..turn.awaited import async_reader_for
from ..turn.delayed import serialise_calls
from ..turn.dry_run import create_dry_run
from ..turn.pipeline import async_take_turn
from ..when import Once, Schedule
from .action import ASSISTANT_FIELD, ServiceAction, async_caller, entity_id_of, find_assistants

_LOGGER = logging.getLogger(__name__)

# In seconds: what was due longer ago is not done any more.
_LATE_ENOUGH = 3600.0
_LATE_DOMAINS = frozenset({"light"})
_LATE_SERVICES = frozenset({"turn_off", "media_pause", "media_stop"})


async def async_run_due(assistant: Assistant, command: DelayedCommand, agent_id: str) -> None:
    """Do what is due; tell where that could not be done. `agent_id` is the assistant's entity id."""
    hass = assistant.hass
    command = command.model_copy(update={"is_due": True})
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
    if command.schedule.only_if and (unmet := await _async_unmet(assistant, command, user_input)):
        if not command.is_repeated:
            persistent_notification.async_create(hass, unmet, "Bellboard", command.id)
        return
    if command.rules:
        command = await _async_checked(assistant, command, user_input)
    result = await async_take_turn(assistant, user_input, delayed=command)
    if result.state is TaskState.COMPLETED and not any(a.failures for a in result.answers):
        if command.message or command.spoken:
            await _async_tell(assistant, command, result.text)
        return
    language = await async_get_language(hass, command.language)
    if command.alert is Alert.WAKE:
        await _async_tell(assistant, command, tell_alert(language, command, dt_util.now()))
    if result.state is TaskState.INPUT_REQUIRED:
        # Nobody is there to answer.
        await assistant.tasks.async_cancel(conversation_id, "Nobody was asked.", caller=caller)
    _LOGGER.warning("A delayed command was not done as it was given: %s", result.state.value)
    persistent_notification.async_create(
        hass, language.say("delayed.failed", reply=result.text), "Bellboard", command.id
    )


async def _async_unmet(
    assistant: Assistant, command: DelayedCommand, user_input: ConversationInput
) -> str:
    """Return why what a command is only for is not so now, "" where it is."""
    said = replace(user_input, text=f"{command.schedule.only_if}, {command.text}")
    tried = await async_take_turn(create_dry_run(assistant, None), said, dry_run=True)
    is_so = tried.dry_run_calls or any(answer.question for answer in tried.answers)
    return "" if is_so else tried.text


async def _async_tell(assistant: Assistant, command: DelayedCommand, text: str) -> None:
    """Say a text where it was asked for; where that cannot be, show it."""
    if not await async_announce(assistant, command, text):
        persistent_notification.async_create(assistant.hass, text, "Bellboard", command.id)


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


ATTR_ID = "id"


async def async_start_delayed(assistant: Assistant, assistant_id: str) -> None:
    """Load an assistant's deferred commands, and schedule each to run when it is due."""

    async def async_run(command: DelayedCommand) -> None:
        await async_run_due(assistant, command, entity_id_of(assistant.hass, assistant_id))

    async def async_missed(command: DelayedCommand) -> None:
        await async_run_missed(assistant, command, async_run)

    expired = partial(async_tell_expired, assistant)
    watch = partial(async_watch_for, assistant)
    await assistant.delayed.async_start(async_run, async_missed, expired, watch)


async def async_run_missed(assistant: Assistant, command: DelayedCommand, run: Run) -> None:
    """Do what was due while nobody was there, where that harms nobody by now; tell of it in any case."""
    hass = assistant.hass
    late = -command.seconds_left(dt_util.utcnow())
    language = await async_get_language(hass, command.language)
    is_known = bool(command.message or command.calls)
    is_done = is_known and late <= _LATE_ENOUGH and all(map(is_harmless_late, command.calls))
    if is_done:
        await run(command)
    when = language.schedule(Schedule(start=Once(at=command.due)), dt_util.now())
    reply = language.say(
        "delayed.late" if is_done else "delayed.missed",
        when=when,
        command=await _async_described(assistant, command, language),
    )
    persistent_notification.async_create(hass, capitalised(reply), "Bellboard", command.id)


async def async_tell_expired(assistant: Assistant, command: DelayedCommand) -> None:
    """Tell that what a command waits for did not happen in its time, as far as anybody here saw."""
    language = await async_get_language(assistant.hass, command.language)
    item = language.say(
        "delayed.item",
        when=describe_when(language, command),
        command=await _async_described(assistant, command, language),
    )
    reply = capitalised(language.say("delayed.expired", item=item))
    persistent_notification.async_create(assistant.hass, reply, "Bellboard", command.id)


async def _async_described(
    assistant: Assistant, command: DelayedCommand, language: Language
) -> str:
    """Return what a command does, with the names that who gave it may read."""
    rights = await async_rights(assistant.hass, command.user_id)
    words = ReplyContext(
        hass=assistant.hass,
        language=language,
        catalog=rights.readable(await assistant.catalog.async_get()),
    )
    told = describe_alert(language, command) or describe_planned(words, command.calls)
    return told or command.said or command.text


def is_harmless_late(call: ToolCall) -> bool:
    """Return whether a call may be made later than it was meant for: it lights, turns off or silences."""
    domain, _, service = call.action.partition(".")
    return domain in _LATE_DOMAINS or (domain not in GUARDING and service in _LATE_SERVICES)


async def _async_delayed(call: ServiceCall) -> ServiceResponse:
    """Return the commands that wait, the next one of each assistant first; what repeats is due at no certain time."""
    caller = await async_caller(call)
    language = await async_get_language(call.hass, call.hass.config.language)
    return {
        "delayed": [
            {"assistant": entity_id, **_as_json(assistant, command, language)}
            for entity_id, assistant in find_assistants(call)
            for command in assistant.delayed.waiting
            if caller.owns(command.user_id)
        ]
    }


def _as_json(assistant: Assistant, command: DelayedCommand, language: Language) -> dict[str, Any]:
    """Return a command that waits; of what is waited for, until when."""
    left = max(0, round(assistant.delayed.seconds_left(command)))
    return {
        "id": command.id,
        "kind": command.kind.value,
        "text": command.said or command.text,
        "when": describe_when(language, command),
        "due": None if command.is_repeated else command.at.isoformat(),
        "seconds_left": None if command.is_repeated else left,
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


async def async_watch_for(
    assistant: Assistant,
    command: DelayedCommand,
    happened: Callable[[Fired], None],
    *,
    is_restart: bool,
) -> CALLBACK_TYPE:
    """Watch for what a command waits for, with the eyes of who gave it; return what ends that."""
    hass, trigger = assistant.hass, command.trigger
    if trigger is None:
        return lambda: None
    reader, language = await async_reader_for(assistant, command)
    evaluate = evaluator(trigger, command.text, reader, language.triggers)

    def look() -> Mapping[str, bool]:
        is_seen = all(id_ == SUN or is_exposed(hass, id_) for id_ in trigger.entity_ids)
        return evaluate() if is_seen else {}

    return async_watch(hass, trigger, look, happened, is_restart=is_restart)

"""The actions on what an assistant keeps: tasks of conversations, learned routing decisions, habits of rooms.

They are for administrators, because all of it tells what others said or did.
"""

from collections.abc import Callable, Iterable

from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import VolDictType, VolSchemaType
from homeassistant.util.json import JsonObjectType
import voluptuous as vol

from ..assistant import Assistant
from ..memory.habits import Habit, PlayerHabit
from ..memory.lessons import LearnedDecision
from ..memory.models import NOBODY, Caller, StoreUnavailableError
from ..nlu.loader import async_get_language
from ..routing.learned import sentence_key
from .action import (
    ASSISTANT_FIELD,
    ATTR_ASSISTANT,
    ATTR_CONVERSATION_ID,
    ATTR_TEXT,
    CONVERSATION_FIELD,
    Handler,
    ServiceAction,
    async_caller,
    find_assistant,
    find_assistants,
    refusal,
)

ATTR_AREA = "area"
ATTR_TASK_ID = "task_id"


def _listing(name: str, items: Callable[[Assistant], Iterable[JsonObjectType]]) -> ServiceAction:
    """Return the action that lists items of an assistant, or of all, each with its assistant's entity id."""

    async def async_list(call: ServiceCall) -> ServiceResponse:
        return {
            name: [
                {"assistant": entity_id, **item}
                for entity_id, assistant in find_assistants(call)
                for item in items(assistant)
            ]
        }

    return _action(name, async_list, ASSISTANT_FIELD, SupportsResponse.ONLY)


def _action(
    name: str,
    handler: Handler,
    schema: VolDictType | VolSchemaType,
    response: SupportsResponse = SupportsResponse.OPTIONAL,
) -> ServiceAction:
    """Return an action for administrators."""
    return ServiceAction(name, handler, schema, response, for_admins=True)


async def _async_get_task(call: ServiceCall) -> ServiceResponse:
    """Return a task as JSON (data model, TaskContext): by its id, or a conversation's, with those that wait there."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    tasks, caller = assistant.tasks, await async_caller(call)
    if (task_id := call.data.get(ATTR_TASK_ID)) is not None:
        task = await tasks.async_find_task(task_id, caller=caller)
    else:
        task = await tasks.async_find(call.data[ATTR_CONVERSATION_ID], caller=caller)
    if task is None:
        raise refusal("unknown_conversation" if task_id is None else "unknown_task")
    waiting = tasks.submitted(task.session_id, caller=caller)
    return {"task": task.as_json(), "waiting": [each.id for each in waiting]}


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
    """Forget one conversation of an assistant, with what anybody said in it, or all; return how many."""
    _, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    callers = [NOBODY, *(Caller(user.id) for user in await call.hass.auth.async_get_users())]
    try:
        forgotten = await assistant.tasks.async_forget(call.data.get(ATTR_CONVERSATION_ID), callers)
    except StoreUnavailableError as err:
        raise refusal("store_unavailable") from err
    return {"forgotten": forgotten}


async def _async_forget_learned(call: ServiceCall) -> ServiceResponse:
    """Forget all learned decisions, or those about one sentence; return how many."""
    forgotten = 0
    text = call.data.get(ATTR_TEXT)
    for _, assistant in find_assistants(call):
        for lesson in assistant.lessons.all:
            if text is None or await _async_is_of(call.hass, lesson, text):
                forgotten += assistant.lessons.drop(lesson.spoken)
    return {"forgotten": forgotten}


async def _async_is_of(hass: HomeAssistant, lesson: LearnedDecision, text: str) -> bool:
    """Return whether a learned decision is about a sentence, in whatever area."""
    language = await async_get_language(hass, lesson.language)
    return sentence_key(text, language, lesson.area_id) == lesson.spoken


def _lesson_as_json(lesson: LearnedDecision) -> JsonObjectType:
    """Return a learned decision as a JSON object."""
    return {
        "sentence": lesson.sentence,
        "language": lesson.language,
        "area": lesson.area_id,
        "agent": lesson.agent_id,
        "actions": [
            {"name": action.name, "parameters": dict(action.parameters)}
            for action in lesson.actions
        ],
        "targets": list(lesson.targets),
        "in_use": lesson.is_in_use,
        "decided_by": lesson.source,
        "learnt_at": lesson.learnt_at.isoformat(),
        "confirmed": lesson.confirmed,
        "confirmed_at": lesson.confirmed_at.isoformat(),
        "used": lesson.used,
        "used_at": lesson.used_at.isoformat() if lesson.used_at else None,
    }


async def _async_clear_habits(call: ServiceCall) -> ServiceResponse:
    """Forget all habits, or those of one area; return how many."""
    area_id = call.data.get(ATTR_AREA)
    return {
        "cleared": sum(
            assistant.habits.clear(lambda habit: area_id is None or habit.area_id == area_id)
            for _, assistant in find_assistants(call)
        )
    }


def _habit_as_json(habit: Habit) -> JsonObjectType:
    """Return a habit as a JSON object; without an area it is that of speakers in none."""
    what: JsonObjectType
    if isinstance(habit, PlayerHabit):
        what = {"entity_id": habit.player}
    else:
        what = {"percent": habit.percent, "part_of_day": habit.part.value}
    return {
        "area": habit.area_id,
        "kind": habit.kind,
        **what,
        "used_at": habit.used_at.isoformat(),
    }


_TASK_FIELDS: VolDictType = {vol.Required(ATTR_CONVERSATION_ID): cv.string, **ASSISTANT_FIELD}
_NAMED = "named"
_ANY_TASK = vol.All(
    vol.Schema(
        {
            vol.Exclusive(ATTR_CONVERSATION_ID, _NAMED): cv.string,
            vol.Exclusive(ATTR_TASK_ID, _NAMED): cv.string,
            **ASSISTANT_FIELD,
        }
    ),
    cv.has_at_least_one_key(ATTR_CONVERSATION_ID, ATTR_TASK_ID),
)

ACTIONS = (
    _action("get_task", _async_get_task, _ANY_TASK, SupportsResponse.ONLY),
    _action("cancel_task", _async_cancel_task, _TASK_FIELDS),
    _action("forget", _async_forget, {**CONVERSATION_FIELD, **ASSISTANT_FIELD}),
    # The last used first.
    _listing("learned", lambda assistant: map(_lesson_as_json, reversed(assistant.lessons.all))),
    _action(
        "forget_learned",
        _async_forget_learned,
        {**ASSISTANT_FIELD, vol.Optional(ATTR_TEXT): cv.string},
    ),
    _listing("habits", lambda assistant: map(_habit_as_json, reversed(assistant.habits.all))),
    _action(
        "clear_habits",
        _async_clear_habits,
        {**ASSISTANT_FIELD, vol.Optional(ATTR_AREA): cv.string},
    ),
)

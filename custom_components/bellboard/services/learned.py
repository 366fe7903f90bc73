"""Actions on what was learnt: look at it, forget it."""

from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.util.json import JsonObjectType
import voluptuous as vol

from ..nlu.loader import async_get_language
from ..routing.learned import spoken_as
from ..routing.lessons import Lesson
from .action import Action
from .lookup import ASSISTANT_ENTITY, ATTR_ASSISTANT, find_assistants

SERVICE_LEARNED = "learned"
SERVICE_FORGET_LEARNED = "forget_learned"
ATTR_TEXT = "text"

_LEARNED_SCHEMA = vol.Schema({vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY})
_FORGET_SCHEMA = vol.Schema(
    {vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY, vol.Optional(ATTR_TEXT): cv.string}
)


async def _async_learned(call: ServiceCall) -> ServiceResponse:
    """Return what was learnt by an assistant, or by all: what was of use last comes first."""
    return {
        "learned": [
            {"assistant": entity_id, **_as_json(lesson)}
            for entity_id, assistant in find_assistants(call)
            for lesson in reversed(assistant.lessons.all)
        ]
    }


async def _async_forget_learned(call: ServiceCall) -> ServiceResponse:
    """Forget what was learnt, or only what was learnt of one sentence; return how much it was."""
    forgotten = 0
    text = call.data.get(ATTR_TEXT)
    for _, assistant in find_assistants(call):
        for lesson in assistant.lessons.all:
            if text is None or await _async_is_of(call.hass, lesson, text):
                forgotten += assistant.lessons.drop(lesson.spoken)
    return {"forgotten": forgotten}


async def _async_is_of(hass: HomeAssistant, lesson: Lesson, text: str) -> bool:
    """Return whether a lesson is about a sentence, wherever it was said."""
    language = await async_get_language(hass, lesson.language)
    return spoken_as(text, language, lesson.area_id) == lesson.spoken


def _as_json(lesson: Lesson) -> JsonObjectType:
    """Return a lesson as it is shown."""
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


ACTIONS = (
    # A lesson holds what others said.
    Action(
        SERVICE_LEARNED, _async_learned, _LEARNED_SCHEMA, SupportsResponse.ONLY, for_admins=True
    ),
    Action(SERVICE_FORGET_LEARNED, _async_forget_learned, _FORGET_SCHEMA, for_admins=True),
)

"""The actions `bellboard.learned` and `bellboard.forget_learned`: learned routing decisions."""

from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import VolDictType
from homeassistant.util.json import JsonObjectType
import voluptuous as vol

from ..memory.lessons import Lesson
from ..nlu.loader import async_get_language
from ..routing.learned import spoken_as
from .action import ServiceAction
from .lookup import ASSISTANT_FIELD, find_assistants

ATTR_TEXT = "text"

_FORGET_FIELDS: VolDictType = {**ASSISTANT_FIELD, vol.Optional(ATTR_TEXT): cv.string}


async def _async_learned(call: ServiceCall) -> ServiceResponse:
    """Return the learned decisions of an assistant, or of all, the last used first."""
    return {
        "learned": [
            {"assistant": entity_id, **_as_json(lesson)}
            for entity_id, assistant in find_assistants(call)
            for lesson in reversed(assistant.lessons.all)
        ]
    }


async def _async_forget_learned(call: ServiceCall) -> ServiceResponse:
    """Forget all learned decisions, or those about one sentence; return how many."""
    forgotten = 0
    text = call.data.get(ATTR_TEXT)
    for _, assistant in find_assistants(call):
        for lesson in assistant.lessons.all:
            if text is None or await _async_is_of(call.hass, lesson, text):
                forgotten += assistant.lessons.drop(lesson.spoken)
    return {"forgotten": forgotten}


async def _async_is_of(hass: HomeAssistant, lesson: Lesson, text: str) -> bool:
    """Return whether a learned decision is about a sentence, in whatever area."""
    language = await async_get_language(hass, lesson.language)
    return spoken_as(text, language, lesson.area_id) == lesson.spoken


def _as_json(lesson: Lesson) -> JsonObjectType:
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


ACTIONS = (
    # They hold what others said.
    ServiceAction(
        "learned", _async_learned, ASSISTANT_FIELD, SupportsResponse.ONLY, for_admins=True
    ),
    ServiceAction("forget_learned", _async_forget_learned, _FORGET_FIELDS, for_admins=True),
)

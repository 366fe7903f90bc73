"""The actions `bellboard.habits` and `bellboard.clear_habits`: the player and the level that rooms used last."""

from homeassistant.core import ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.util.json import JsonObjectType
import voluptuous as vol

from ..memory.habits import Habit, PlayerHabit
from .action import ServiceAction
from .lookup import ASSISTANT_FIELD, find_assistants

ATTR_AREA = "area"


async def _async_habits(call: ServiceCall) -> ServiceResponse:
    """Return the habits of an assistant, or of all, the last used first."""
    return {
        "habits": [
            {"assistant": entity_id, **_as_json(habit)}
            for entity_id, assistant in find_assistants(call)
            for habit in reversed(assistant.habits.all)
        ]
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


def _as_json(habit: Habit) -> JsonObjectType:
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


ACTIONS = (
    # They tell what is done in which room, and when.
    ServiceAction("habits", _async_habits, ASSISTANT_FIELD, SupportsResponse.ONLY, for_admins=True),
    ServiceAction(
        "clear_habits",
        _async_clear_habits,
        {**ASSISTANT_FIELD, vol.Optional(ATTR_AREA): cv.string},
        for_admins=True,
    ),
)

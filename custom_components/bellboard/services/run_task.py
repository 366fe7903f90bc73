"""The action `bellboard.run_task`: run a workflow that begins with a given task (TaskEnvelopeV2)."""

from collections.abc import Collection
from itertools import islice
from typing import Any

from homeassistant.const import ATTR_DEVICE_ID
from homeassistant.core import ServiceCall, ServiceResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import VolDictType
from pydantic import ValidationError
import voluptuous as vol

from ..assistant import UNROUTED_AGENTS
from ..routing.next_models import TaskEnvelopeV2
from ..turn.decision import async_eligible_cards
from ..turn.pipeline import async_take_turn
from ..turn.stages import TurnResult
from .action import (
    ASSISTANT_FIELD,
    ATTR_ASSISTANT,
    ATTR_LANGUAGE,
    MOST_TEXT,
    ServiceAction,
    conversation_input,
    find_assistant,
    refusal,
)

ATTR_TASK = "task"

MAX_CHARACTERS, MAX_VALUES, MAX_LEVELS = 100_000, 5_000, 64
"""Size of a task at most: characters of its texts in all, its values in all, and how deep they may be nested."""

_MOST_NAMED = 5

_FIELDS: VolDictType = {
    vol.Required(ATTR_TASK): dict,
    **ASSISTANT_FIELD,
    vol.Optional(ATTR_LANGUAGE): cv.string,
    vol.Optional(ATTR_DEVICE_ID): cv.string,
}


async def _async_run_task(call: ServiceCall) -> ServiceResponse:
    """Run the agent that a task names, and those the workflow forwards it to.

    Raises:
        ServiceValidationError: it is no task, or its agent is not eligible.
    """
    hass, data = call.hass, call.data
    entity_id, assistant = find_assistant(hass, data.get(ATTR_ASSISTANT))
    task = _task_of(data[ATTR_TASK])
    user_input = conversation_input(
        call, entity_id, task.instruction or task.query, task.conversation_id
    )
    eligible = {card.id for card in await async_eligible_cards(assistant, user_input)}
    if task.agent_id not in eligible - UNROUTED_AGENTS:
        raise refusal("no_such_agent", agent_id=task.agent_id)
    return _as_json(await async_take_turn(assistant, user_input, envelope=task))


def _task_of(data: dict[str, Any]) -> TaskEnvelopeV2:
    """Return the task in a call's data.

    Raises:
        ServiceValidationError: it is none, or it is too large.
    """
    if _is_too_large(data):
        raise refusal(
            "task_too_large",
            characters=str(MAX_CHARACTERS),
            values=str(MAX_VALUES),
            levels=str(MAX_LEVELS),
        )
    try:
        task = TaskEnvelopeV2.model_validate(data)
    except ValidationError as err:
        # Only where it is wrong: the task holds what somebody said.
        wrong = err.errors(include_url=False, include_context=False, include_input=False)
        where = ", ".join(
            ".".join(map(str, found["loc"])) or ATTR_TASK for found in wrong[:_MOST_NAMED]
        )
        raise refusal("invalid_task", where=where) from None
    if not 0 < len(task.instruction or task.query) <= MOST_TEXT:
        raise refusal("invalid_task", where="instruction")
    return task


def _is_too_large(data: dict[str, Any]) -> bool:
    """Return whether a task has more in it than may be read at once; no more of it is looked at than that."""
    characters = values = 0
    waiting: list[tuple[Any, int]] = [(data, 1)]
    while waiting:
        value, level = waiting.pop()
        inside: Collection[Any] = ()
        if isinstance(value, dict):
            inside = value.values()
            characters += sum(len(str(key)) for key in islice(value, MAX_VALUES))
        elif isinstance(value, list | tuple):
            inside = value
        elif isinstance(value, str):
            characters += len(value)
        values += len(inside)
        if characters > MAX_CHARACTERS or values > MAX_VALUES or (inside and level > MAX_LEVELS):
            return True
        waiting += ((each, level + 1) for each in inside)
    return False


def _as_json(result: TurnResult) -> dict[str, Any]:
    """Return a workflow's result: the reply, why it ended, the output, and the last task."""
    trace, finished = result.record, result.finished
    return {
        "reply": result.text,
        "state": result.state.value,
        "end": finished.end.value if finished else None,
        "output": finished.final_output if finished else None,
        "task": finished.task.as_json() if finished else None,
        "agents": list(trace.agents),
        "calls": list(trace.calls),
    }


ACTIONS = (ServiceAction("run_task", _async_run_task, _FIELDS),)

"""The action `bellboard.undo`: put back what a conversation changed last, as "undo that" does."""

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.helpers import config_validation as cv
from homeassistant.util.json import JsonObjectType
import voluptuous as vol

from ..agents.aggregation import aggregate
from ..assistant import Assistant
from ..const import DOMAIN
from ..home.rights import Rights, async_rights
from ..nlu.loader import async_get_language
from ..tasks.models import TaskContext, TaskState
from ..tasks.undoing import last_undoable, pop_undo
from ..telemetry.events import Stage
from ..telemetry.payloads import RespondPayload
from ..telemetry.trace import TurnTrace
from ..turn.context import Turn
from ..turn.delayed import Delaying
from ..turn.pipeline import async_take_turn
from ..turn.undo import UndoAgent, async_put_back
from .lookup import ASSISTANT_ENTITY, ATTR_ASSISTANT, ATTR_CONVERSATION_ID, find_assistant, refusal

SERVICE_UNDO = "undo"

WAITS = "confirm"
"""Why something was not put back that a policy wants a yes for: nobody is asked here."""

_SCHEMA = vol.Schema(
    {
        vol.Optional(ATTR_CONVERSATION_ID): cv.string,
        vol.Optional(ATTR_ASSISTANT): ASSISTANT_ENTITY,
    }
)


@callback
def async_register_undo_action(hass: HomeAssistant) -> None:
    """Register the action. What it does is done in the name of whoever calls it."""
    hass.services.async_register(
        DOMAIN, SERVICE_UNDO, _async_undo, _SCHEMA, supports_response=SupportsResponse.OPTIONAL
    )


async def _async_undo(call: ServiceCall) -> ServiceResponse:
    """Put back what a conversation changed last; without its id, the newest one in memory."""
    entity_id, assistant = find_assistant(call.hass, call.data.get(ATTR_ASSISTANT))
    conversation_id = call.data.get(ATTR_CONVERSATION_ID)
    if conversation_id is None:
        conversation_id = _newest(
            assistant, call.context.user_id, any_of=await _async_is_trusted(call)
        )
    if conversation_id is None:
        raise refusal("nothing_to_undo")
    async with assistant.tasks.async_revise(conversation_id) as task:
        if task is None:
            raise refusal("unknown_conversation")
        if last_undoable(task) is None:
            raise refusal("nothing_to_undo")
        return await _async_put_back(call, entity_id, assistant, task)


async def _async_is_trusted(call: ServiceCall) -> bool:
    """Return whether anybody's changes may be put back: by an administrator, or in nobody's name."""
    if (user_id := call.context.user_id) is None:
        return True
    user = await call.hass.auth.async_get_user(user_id)
    return user is not None and user.is_admin


def _newest(assistant: Assistant, user_id: str | None, *, any_of: bool) -> str | None:
    """Return the id of the conversation in memory in which a user changed something last, or None.

    With `any_of`, whoever it was.
    """
    found = [
        (record.at, task.session_id)
        for task in assistant.tasks.in_memory()
        if (record := last_undoable(task)) and (any_of or record.user_id == user_id)
    ]
    return max(found)[1] if found else None


async def _async_put_back(
    call: ServiceCall, entity_id: str, assistant: Assistant, task: TaskContext
) -> ServiceResponse:
    """Put back what a task's last turn changed, and return what came of it.

    It is traced like a turn, but nothing was said, so the task itself stays as it is.
    """
    trace = TurnTrace(task.session_id, "", sink=assistant.telemetry)
    language = await async_get_language(call.hass, call.hass.config.language)
    rights = await async_rights(call.hass, call.context.user_id)
    turn = Turn(
        assistant=assistant,
        user_input=ConversationInput(
            text="",
            context=call.context,
            conversation_id=task.session_id,
            device_id=None,
            satellite_id=None,
            language=language.code,
            agent_id=entity_id,
        ),
        # What the last answer was is for the conversation to know, and this is none.
        task=task.model_copy(update={"metadata": dict(task.metadata)}),
        trace=trace,
        language=language,
        catalog=rights.readable(await assistant.catalog.async_get()),
        rights=rights,
        turns=(),
        delayer=Delaying(async_take_turn),
    )
    assistant.lessons.contradict(task.session_id)
    agent, dispatched = await async_put_back(turn)
    if agent.is_settled:
        pop_undo(task)
    reply = aggregate(language, [dispatched.answer], assistant.options.aggregation)
    state = TaskState.COMPLETED if dispatched.answer.did_something else TaskState.FAILED
    trace.add(Stage.RESPOND, **RespondPayload(message=reply).as_payload())
    trace.finish(reply, state.value)
    assistant.traces.append(trace)
    restored = [entity_id for entity_id in agent.restored if rights.may_read(entity_id)]
    return {"restored": [*restored], "failed": _failed(agent, rights), "reply": reply}


def _failed(agent: UndoAgent, rights: Rights) -> JsonObjectType:
    """Return why things were not put back, by the entity ids of those the caller may know of."""
    reasons = {o.entity_id: o.error.value for o in agent.outcomes.values() if o.error}
    reasons |= dict.fromkeys(sorted(agent.waiting), WAITS)
    return {
        entity_id: reason for entity_id, reason in reasons.items() if rights.may_read(entity_id)
    }

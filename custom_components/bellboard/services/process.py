"""The action `bellboard.process`: a sentence as a turn of an assistant, or as a dry run."""

from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import ConversationInput, async_converse
from homeassistant.core import ServiceCall, ServiceResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import VolDictType
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from ..assistant import Assistant
from ..nlu.loader import async_get_language
from ..plans.execution import PlanExecution
from ..policy.engine import Verdict
from ..turn.pipeline import async_dry_run
from ..turn.record import call_as_json
from ..turn.stages import SpokenResult, TurnResult
from .action import ATTR_ASSISTANT, SENTENCE_FIELDS, ServiceAction, find_assistant, sentence_of

ATTR_DRY_RUN = "dry_run"

_FIELDS: VolDictType = {
    **SENTENCE_FIELDS,
    vol.Required(ATTR_DRY_RUN, default=False): cv.boolean,
}


async def _async_process(call: ServiceCall) -> ServiceResponse:
    """Answer a sentence, or plan it in a dry run."""
    hass, data = call.hass, call.data
    entity_id, assistant = find_assistant(hass, data.get(ATTR_ASSISTANT))
    user_input = sentence_of(call, entity_id)
    if data[ATTR_DRY_RUN]:
        return await _async_dry_run(assistant, user_input)
    return await _async_converse(assistant, user_input)


async def _async_converse(assistant: Assistant, user_input: ConversationInput) -> ServiceResponse:
    """Take a turn by way of Home Assistant's conversation, and return its result."""
    result = await async_converse(
        assistant.hass,
        user_input.text,
        user_input.conversation_id,
        user_input.context,
        language=user_input.language,
        agent_id=user_input.agent_id,
        device_id=user_input.device_id,
    )
    # With its words also where its trace keeps none: they are the caller's own.
    record = result.record if isinstance(result, SpokenResult) else None
    return {
        "reply": str(result.response.speech.get("plain", {}).get("speech", "")),
        "conversation_id": str(result.conversation_id),
        "continue_conversation": result.continue_conversation,
        "state": record.state if record else "",
        "agents": list(record.agents) if record else [],
        "calls": list(record.calls) if record else [],
    }


async def _async_dry_run(assistant: Assistant, user_input: ConversationInput) -> ServiceResponse:
    """Return the dry run of a sentence."""
    conversation_id = user_input.conversation_id or ulid_now()
    result = await async_dry_run(assistant, replace(user_input, conversation_id=conversation_id))
    language = await async_get_language(assistant.hass, user_input.language)
    told = language.say("would.dry_run", reply=result.text)
    return dry_run_as_json(result) | {"reply": told}


def dry_run_as_json(result: TurnResult) -> dict[str, Any]:
    """Return the result of a dry run: `choice`, `plan`, `policy` and the `calls` it would make."""
    record = result.record
    return {
        "choice": result.choice.as_json() if result.choice else None,
        "plan": [_plan_as_json(execution) for execution in record.executions],
        "policy": [_verdict_as_json(verdict) for verdict in record.verdicts],
        "calls": [call_as_json(call) for call in result.dry_run_calls],
        "agents": record.agents,
        "reply": result.text,
        "state": result.state.value,
    }


def _plan_as_json(execution: PlanExecution) -> dict[str, Any]:
    """Return a plan with its steps."""
    plan = execution.plan
    return {
        "agent_id": plan.agent_id,
        "intent_id": plan.intent_id or None,
        "steps": [step.model_dump(mode="json") for step in plan.steps],
    }


def _verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the policies' verdict on a call."""
    return {
        **call_as_json(verdict.call),
        "effect": verdict.effect.value,
        "rule": verdict.rule or None,
        "reason": verdict.reason or None,
    }


ACTIONS = (ServiceAction("process", _async_process, _FIELDS),)

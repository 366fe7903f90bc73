"""Stages plan_created to tool_execute: agents are told their parts, and what they answered is noted."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from homeassistant.helpers import intent

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched, async_dispatch, async_do
from ..agents.specialist import Specialist
from ..assistant import Assistant
from ..const import CLARIFICATION_AGENT_ID, FALLBACK_AGENT_ID, GENERAL_AGENT_ID, HOME_AGENT_ID
from ..nlu.loader import Language
from ..nlu.recognition import is_delayed
from ..routing.models import Assignment, Source
from ..telemetry.otel import record_run
from .context import TurnContext
from .decision import is_barred
from .delayed import async_plan_later
from .record import TurnRecord


async def async_dispatch_parts(
    context: TurnContext, parts: Sequence[Assignment]
) -> list[Dispatched]:
    """Let the agents of all parts answer: in order, or those for different things at once where wanted.

    The answers and the record of them are in order in any case.
    """
    if len(parts) > 1:
        # Of several answers one is made before any of it is said.
        context = replace(context, voice=None)
    if context.assistant.options.dispatch.parallel and _are_independent(parts):
        together = await asyncio.gather(*(_async_dispatch(context, part) for part in parts))
        for part, dispatched in zip(parts, together, strict=True):
            note_part(context, part, dispatched)
        return _name_parts(context.language, parts, together)
    in_turn: list[Dispatched] = []
    waiting = [part.agent_id for part in parts]
    for number, part in enumerate(parts, 1):
        context.record.waiting(waiting[number:])
        in_turn.append(note_part(context, part, await _async_dispatch(context, part)))
    return _name_parts(context.language, parts, in_turn)


def note_part(context: TurnContext, part: Assignment, dispatched: Dispatched) -> Dispatched:
    """Note what a part's agent answered, and return it."""
    note_answer(
        context.assistant,
        context.record,
        dispatched,
        confidence=part.confidence,
        source=part.source,
    )
    return dispatched


def note_answer(
    assistant: Assistant,
    record: TurnRecord,
    dispatched: Dispatched,
    *,
    confidence: float,
    source: Source,
) -> None:
    """Note an agent's answer in the trace, in the agent's track record and, where wanted, the metrics."""
    response = dispatched.response
    is_measured = assistant.options.dispatch.enable_telemetry
    assistant.record.note(response.agent_id, success=response.success)
    if is_measured:
        record_run(response.agent_id, response.execution_time_ms, success=response.success)
    record.answered(response, confidence=confidence, source=source, is_measured=is_measured)


async def _async_dispatch(context: TurnContext, part: Assignment) -> Dispatched:
    """Let the agent of one part answer it; talk about what Home Assistant does not understand."""
    registry, options = context.assistant.registry, context.assistant.options.dispatch
    if is_delayed(part.intent):
        return await async_plan_later(context, part)
    if _is_given_up(context, part):
        part = replace(part, agent_id=FALLBACK_AGENT_ID, decline="again.given_up")
    agent, request = registry.agent_for(part.agent_id), context.request_for(part)
    context.record.working(part.agent_id)
    if part.known and isinstance(agent, Specialist):
        return await async_do(agent, request, part.known, part.known[0].targets, options)
    dispatched = await async_dispatch(agent, request, options)
    if _is_for_talk(context, part, dispatched.answer) and (talk := registry.get(GENERAL_AGENT_ID)):
        return await async_dispatch(talk, request, options)
    return dispatched


def _is_given_up(context: TurnContext, part: Assignment) -> bool:
    """Return whether it was asked often enough already what is meant."""
    return (
        part.agent_id == CLARIFICATION_AGENT_ID
        and context.asked >= context.assistant.options.memory.max_clarifications
    )


def _is_for_talk(context: TurnContext, part: Assignment, answer: AgentResult) -> bool:
    """Return whether a model gave Home Assistant what it does not understand and is no command.

    A command stays refused: whoever only talks could not carry it out.
    """
    return (
        part.agent_id == HOME_AGENT_ID
        and part.source in {Source.MODEL, Source.ESCALATION, Source.GATEKEEPER}
        and not answer.success
        and answer.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH
        and not context.language.begins_with_verb(part.instruction)
        and not is_barred(context.assistant, context.user_input, GENERAL_AGENT_ID)
    )


def _name_parts(
    language: Language, parts: Sequence[Assignment], dispatched: Sequence[Dispatched]
) -> list[Dispatched]:
    """Return answers in which the parts of a sentence that were not understood are named."""
    if len(parts) < 2:
        return list(dispatched)
    return [
        replace(entry, answer=replace(entry.answer, content=_not_understood(language, part)))
        if _is_not_understood(entry.answer)
        else entry
        for part, entry in zip(parts, dispatched, strict=True)
    ]


def _not_understood(language: Language, part: Assignment) -> str:
    """Return the sentence that names what was not understood."""
    return language.say("plan.not_understood_part", part=part.instruction.strip(" .,;!?"))


def _is_not_understood(answer: AgentResult) -> bool:
    """Return whether an answer says that it was not understood what to do."""
    no_match = intent.IntentResponseErrorCode.NO_INTENT_MATCH
    return not answer.success and not answer.fragments and answer.error_code is no_match


def _are_independent(parts: Sequence[Assignment]) -> bool:
    """Return whether no agent has more than one part, so that none waits for another."""
    return len({part.agent_id for part in parts}) == len(parts)

"""Turns as the panel shows them: a line each, and one with all that led to its answer."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar

from ..assistant import Assistant
from ..memory.models import Caller, TaskContext
from ..options import AssistantOptions
from ..plans.execution import PlanExecution
from ..routing.models import Assignment
from ..services.action import all_assistants
from ..telemetry.redaction import withheld, without_words
from ..telemetry.trace import TurnTrace
from ..turn.record import call_as_json, confidences_of, verdict_as_json


@dataclass(frozen=True, slots=True)
class Viewer:
    """Administrator who looks at turns, by the id of their user."""

    user_id: str

    def may_read_text(self, options: AssistantOptions, trace: TurnTrace) -> bool:
        """Return whether they may read the text of a turn."""
        return trace.has_words and self.may_read_text_of(options, trace.speaker.user_id)

    def may_read_text_of(self, options: AssistantOptions, user_id: str | None) -> bool:
        """Return whether they may read sentences of a user, by the id."""
        match options.telemetry.panel_words:
            case "all":
                return True
            case "own":
                return user_id == self.user_id
            case _:
                return False


# Attributes of states that are shown, beside those that changed.
_MOST_ATTRIBUTES = 12
# Messages of a conversation that are shown.
_MOST_MESSAGES = 20


def all_turns(hass: HomeAssistant) -> Iterator[tuple[str, Assistant, TurnTrace]]:
    """Yield the id of the assistant, the assistant and the turn of all turns that are kept, oldest first."""
    found = [
        (assistant_id, assistant, trace)
        for assistant_id, assistant in all_assistants(hass).items()
        for trace in assistant.traces
    ]
    yield from sorted(found, key=lambda each: each[2].at)


def find_turn(hass: HomeAssistant, turn_id: str) -> tuple[str, Assistant, TurnTrace] | None:
    """Return the assistant's id, the assistant and the turn of a turn's id; None for one that is not kept."""
    for assistant_id, assistant in all_assistants(hass).items():
        if trace := assistant.traces.get(turn_id):
            return assistant_id, assistant, trace
    return None


def summary_as_json(
    hass: HomeAssistant, assistant_id: str, trace: TurnTrace, *, has_words: bool
) -> dict[str, Any]:
    """Return a turn as a line of a list; without words these become their length. `ms` are milliseconds."""
    area = ar.async_get(hass).async_get_area(trace.speaker.area_id or "")
    return {
        "id": trace.id,
        "assistant": assistant_id,
        "at": trace.at,
        "conversation_id": trace.conversation_id,
        "utterance": trace.utterance if has_words else withheld(trace.utterance),
        "reply": trace.reply if has_words else withheld(trace.reply),
        "language": trace.speaker.language,
        "area": area.name if area else None,
        "user_id": trace.speaker.user_id,
        **answered_as_json(trace),
        "state": trace.state,
        "ms": trace.ms,
        "model_calls": trace.model.calls,
        **trace.model.usage.model_dump(),
        **trace.use_as_json(),
        "is_corrected": trace.is_corrected,
        "has_words": has_words,
    }


def answered_as_json(trace: TurnTrace) -> dict[str, Any]:
    """Return the agents that answered a turn, in order, and the routers that chose them."""
    return {
        "agents": [agent["id"] for agent in trace.agents],
        "sources": list(dict.fromkeys(agent["source"] for agent in trace.agents)),
    }


async def async_turn_as_json(
    hass: HomeAssistant,
    assistant_id: str,
    assistant: Assistant,
    trace: TurnTrace,
    viewer: Viewer,
) -> dict[str, Any]:
    """Return a turn with its routing, model calls, plans, policies, states, and its task from memory or the store."""
    has_words = viewer.may_read_text(assistant.options, trace)
    told = detail_as_json(hass, assistant, trace)
    caller = Caller(trace.speaker.user_id)
    task = await assistant.tasks.async_find(trace.session_id, caller=caller)
    told["task"] = _task_as_json(task) if task else None
    if not has_words:
        told = without_words(told)
    return summary_as_json(hass, assistant_id, trace, has_words=has_words) | told


def detail_as_json(hass: HomeAssistant, assistant: Assistant, trace: TurnTrace) -> dict[str, Any]:
    """Return all that led to the answer of a turn, with its words."""
    router = assistant.options.router
    return {
        "speaker": asdict(trace.speaker),
        "threshold": router.confidence_threshold,
        "eligible": list(trace.eligible),
        "parts": [part_as_json(part) for part in trace.parts],
        "agents_asked": trace.agents,
        "stages": trace.stages,
        "models": [call.as_json(trace.started) for call in trace.model.log],
        "plans": [_execution_as_json(each) for each in trace.executions],
        "policies": [verdict_as_json(verdict) for verdict in trace.verdicts],
        "calls": trace.calls,
        "states": list(_changes(hass, trace)),
        "next_steps": trace.routing,
        "workflow": trace.workflow,
    }


def part_as_json(part: Assignment) -> dict[str, Any]:
    """Return a part of a sentence with who was to answer it, how sure that was, and why."""
    intent = part.intent
    return {
        "agent_id": part.agent_id,
        "instruction": part.instruction,
        "source": part.source.value,
        "confidence": part.confidence,
        "measure": part.measure.value,
        **confidences_of(part),
        "reason": part.reason,
        "scores": dict(part.scores),
        "decline": part.decline,
        "intent": {
            "name": intent.name,
            "slots": {name: str(value) for name, value in intent.parameters.items()},
            "targets": list(intent.targets),
            "is_ambiguous": intent.is_ambiguous,
        }
        if intent
        else None,
    }


def _execution_as_json(execution: PlanExecution) -> dict[str, Any]:
    """Return a plan, and what came of each of its calls."""
    plan = execution.plan
    return {
        "agent_id": plan.agent_id,
        "intent_id": plan.intent_id,
        "actions": [
            {"name": each.name, "targets": list(each.targets), "parameters": dict(each.parameters)}
            for each in plan.actions
        ],
        "steps": [
            {"type": entry.step.type, "status": entry.status.value} for entry in execution.steps
        ],
        "question": plan.question.prompt if plan.question else None,
        "calls": [
            {
                **call_as_json(result.call),
                "note": result.note,
                "outcomes": [
                    {
                        "entity_id": outcome.entity_id,
                        "error": outcome.error.value if outcome.error else None,
                        "detail": outcome.detail,
                    }
                    for outcome in result.outcomes
                ],
            }
            for result in execution.results
        ],
        "dry_run_calls": [call_as_json(call) for call in execution.dry_run_calls],
        "to_confirm": [verdict_as_json(verdict) for verdict in execution.to_confirm],
    }


def _changes(hass: HomeAssistant, trace: TurnTrace) -> Iterator[dict[str, Any]]:
    """Yield the states before and after of what the turn was to change."""
    for entity_id, before in trace.before.items():
        after = trace.after.get(entity_id)
        state = after or before
        yield {
            "entity_id": entity_id,
            "name": state.name,
            "before": before.state,
            "after": after.state if after else None,
            "attributes": _changed_attributes(before, after),
        }


def _changed_attributes(before: State, after: State | None) -> dict[str, list[Any]]:
    """Return the attributes that changed, each with its values before and after."""
    now: Mapping[str, Any] = after.attributes if after else {}
    names = [
        name
        for name in {**before.attributes, **now}
        if before.attributes.get(name) != now.get(name)
    ]
    return {
        name: [_plain(before.attributes.get(name)), _plain(now.get(name))]
        for name in sorted(names)[:_MOST_ATTRIBUTES]
    }


def _plain(value: Any) -> Any:
    """Return a value of an attribute as JSON can hold it."""
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _task_as_json(task: TaskContext) -> dict[str, Any]:
    """Return a conversation's task: its state, its last messages."""
    return {
        "id": task.id,
        "state": task.status.state.value,
        "history": [
            {"role": message.role, "content": message.content}
            for message in task.history[-_MOST_MESSAGES:]
        ],
    }

"""What is kept of a turn whose words nobody may read: everything but words, as lengths.

Only what plainly is an identifier stays (`telemetry.redaction`): entities, actions, modes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from homeassistant.core import State

from ..domains.models import Command, ToolCall
from ..plans.execution import PlanExecution
from ..plans.models import AskUser, Candidate, Plan, PlanStep, Respond, ToolResult
from ..policy.engine import Verdict
from ..routing.models import Assignment
from ..telemetry.redaction import STRICT, withheld, without_words
from ..telemetry.trace import TurnTrace

# What these hold is text that somebody wrote.
_WRITTEN = frozenset({"input_select", "input_text", "select", "text"})


def wordless_trace(trace: TurnTrace) -> TurnTrace:
    """Return the trace of a turn with the length of each text in place of it; `trace` itself stays as it is."""
    return trace.bare(
        withheld,
        STRICT.redact_event,
        calls=[
            without_words({name: value for name, value in call.items() if name != "action"})
            | {"action": call["action"]}
            for call in trace.calls
        ],
        routing=without_words(trace.routing),
        parts=tuple(map(_part, trace.parts)),
        executions=list(map(_execution, trace.executions)),
        verdicts=list(map(_verdict, trace.verdicts)),
        before=_states(trace.before),
        after=_states(trace.after),
    )


def _part(part: Assignment) -> Assignment:
    """Return a part of a sentence without what it says, and without the words for a time."""
    return replace(
        part,
        instruction=withheld(part.instruction),
        reason=withheld(part.reason),
        words=withheld(part.words),
        question=withheld(part.question),
        spoken=withheld(part.spoken),
        later=withheld(part.later),
        intent=_command(part.intent) if part.intent else None,
        known=_commands(part.known),
        schedule=None,
        data=None,
    )


def _command(command: Command) -> Command:
    """Return a command without the words among its values."""
    return replace(command, parameters=without_words(command.parameters))


def _commands(commands: Iterable[Command]) -> tuple[Command, ...]:
    """Return commands without the words among their values."""
    return tuple(map(_command, commands))


def _call(call: ToolCall) -> ToolCall:
    """Return a call without the words among its data."""
    told = {"data": without_words(call.data), "label": withheld(call.label)}
    return call.model_copy(update=told)


def _verdict(verdict: Verdict) -> Verdict:
    """Return a verdict about a call without its words."""
    return replace(verdict, call=_call(verdict.call))


def _step(step: PlanStep) -> PlanStep:
    """Return a step of a plan without words."""
    match step:
        case Respond():
            return step.model_copy(update={"message": withheld(step.message)})
        case ToolCall():
            return _call(step)
        case AskUser():
            return _question(step)


def _question(question: AskUser) -> AskUser:
    """Return a question without its words and those that it was asked for."""
    candidates = tuple(
        Candidate(entity_id=each.entity_id, name=withheld(each.name))
        for each in question.candidates
    )
    return question.model_copy(
        update={
            "prompt": withheld(question.prompt),
            "candidates": candidates,
            "data": without_words(question.data),
            "actions": _commands(question.actions),
            "calls": tuple(map(_call, question.calls)),
            "schedule": None,
        }
    )


def _plan(plan: Plan) -> Plan:
    """Return a plan without words."""
    told = {"steps": tuple(map(_step, plan.steps)), "actions": _commands(plan.actions)}
    return plan.model_copy(update=told)


def _result(result: ToolResult) -> ToolResult:
    """Return what came of a call without words."""
    outcomes = tuple(replace(each, detail=withheld(each.detail)) for each in result.outcomes)
    return replace(result, call=_call(result.call), outcomes=outcomes, note=withheld(result.note))


def _execution(execution: PlanExecution) -> PlanExecution:
    """Return a plan and what came of it without words."""
    return replace(
        execution,
        plan=_plan(execution.plan),
        steps=[replace(entry, step=_step(entry.step)) for entry in execution.steps],
        results=list(map(_result, execution.results)),
        to_confirm=list(map(_verdict, execution.to_confirm)),
        dry_run_calls=list(map(_call, execution.dry_run_calls)),
        before=_states(execution.before),
    )


def _states(states: Mapping[str, Any]) -> dict[str, Any]:
    """Return states by entity id without words: what is played, written into a text, or chosen from a list."""
    return {entity_id: state and _state(state) for entity_id, state in states.items()}


def _state(state: State) -> State:
    """Return a state without words."""
    is_written = state.domain in _WRITTEN
    return State(
        state.entity_id,
        withheld(state.state) if is_written else state.state,
        without_words(state.attributes),
        validate_entity_id=False,
    )

"""Compares the expected result of a turn with the observed one; differences are sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
import json
import math
from typing import Any

from ..memory.models import TaskState
from ..telemetry.trace import Stage
from .models import Expected, ExpectedCall, ExpectedStage


@dataclass(frozen=True, slots=True)
class ObservedCall:
    """An action that was called: its entities and its data."""

    action: str
    entities: frozenset[str] = frozenset()
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedTurn:
    """The observed result of a turn.

    `changed` maps each entity that changed to its state and attributes afterwards; None in a dry run.
    `stages` are those of the trace, each with its `level` and `payload`; None where there is no trace to see.
    """

    reply: str
    state: str
    agents: tuple[str, ...] = ()
    calls: tuple[ObservedCall, ...] = ()
    changed: Mapping[str, Mapping[str, Any]] | None = None
    stages: Sequence[Mapping[str, Any]] | None = None


def read_call(call: Mapping[str, Any]) -> ObservedCall:
    """Return a call from its JSON in a trace: an action, and data with the entity ids among it."""
    data = dict(call.get("data") or {})
    named = data.pop("entity_id", ())
    return ObservedCall(
        action=str(call["action"]),
        entities=frozenset([named] if isinstance(named, str) else named),
        data=data,
    )


def differences(expected: Expected, observed: ObservedTurn) -> list[str]:
    """Return the differences between expected and observed, each in a sentence."""
    return [
        *_agents(expected, observed),
        *_calls(expected, observed),
        *_changes(expected, observed),
        *_state(expected, observed),
        *_words(expected, observed),
        *_stages(expected, observed),
    ]


def _agents(expected: Expected, observed: ObservedTurn) -> Iterator[str]:
    """Yield the difference in agents."""
    if expected.agents is not None and expected.agents != observed.agents:
        yield f"{_names(observed.agents)} answered, not {_names(expected.agents)}"


def _state(expected: Expected, observed: ObservedTurn) -> Iterator[str]:
    """Yield the difference in the task's state."""
    if expected.state is not None and expected.state != observed.state:
        yield f"the task is {observed.state}, not {expected.state}"


def _words(expected: Expected, observed: ObservedTurn) -> Iterator[str]:
    """Yield the texts that are missing in the reply, or should not be in it.

    The reply of a dry run tells of nothing done: only questions and refusals count then.
    """
    if observed.changed is None and observed.state == TaskState.COMPLETED:
        return
    said = observed.reply.casefold()
    for text in expected.reply:
        if text.casefold() not in said:
            yield f"“{text}” was not said, but “{observed.reply}”"
    for text in expected.not_reply:
        if text.casefold() in said:
            yield f"“{text}” was said: “{observed.reply}”"


def _stages(expected: Expected, observed: ObservedTurn) -> Iterator[str]:
    """Yield the stages that did not come after the one expected before them, with what came instead.

    In a dry run no tool is executed.
    """
    if (left := observed.stages) is None:
        return
    for wanted in expected.stages:
        if observed.changed is None and wanted.stage is Stage.TOOL_EXECUTE:
            continue
        place = next((i for i, found in enumerate(left) if _is_stage(found, wanted)), None)
        if place is not None:
            left = left[place + 1 :]
        else:
            yield f"the trace has no {_stage_in_words(wanted)}, but {_came_instead(left, wanted)}"


def _is_stage(found: Mapping[str, Any], wanted: ExpectedStage) -> bool:
    """Return whether a stage of a trace is the expected one."""
    return (
        found["stage"] == wanted.stage
        and wanted.level in {None, found["level"]}
        and _is_among(wanted.payload, found["payload"])
    )


def _is_among(wanted: Any, found: Any) -> bool:
    """Return whether a value is among another: of a mapping each of its own values, all else is the same."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(name in found and _is_among(wanted[name], found[name]) for name in wanted)
    return same(found, wanted)


def _stage_in_words(wanted: ExpectedStage) -> str:
    """Return an expected stage in words."""
    return _in_words(wanted.stage, wanted.level or "", wanted.payload)


def _came_instead(left: Sequence[Mapping[str, Any]], wanted: ExpectedStage) -> str:
    """Return the stages of the same name that are left, with the values in question; without one the names of all."""
    same_name = [
        _in_words(
            found["stage"],
            found["level"],
            {name: found["payload"][name] for name in wanted.payload if name in found["payload"]},
        )
        for found in left
        if found["stage"] == wanted.stage
    ]
    return " and ".join(same_name) or ", ".join(found["stage"] for found in left) or "nothing more"


def _in_words(stage: str, level: str, payload: Mapping[str, Any]) -> str:
    """Return a stage in words: its name, its level, some of its payload."""
    told = ", ".join(f"{name}: {_shown(value)}" for name, value in payload.items())
    return stage + (f" ({level})" if level else "") + (f" with {told}" if told else "")


def _changes(expected: Expected, observed: ObservedTurn) -> Iterator[str]:
    """Yield the differences in changed entities; none in a dry run."""
    wanted = {} if expected.unchanged else expected.changed
    if wanted is None or observed.changed is None:
        return
    for entity_id, values in wanted.items():
        now = observed.changed.get(entity_id)
        if now is None:
            yield f"{entity_id} did not change"
            continue
        for name, value in values.items():
            if not same(now.get(name), value):
                yield f"{entity_id}: {name} is {_shown(now.get(name))}, not {_shown(value)}"
    if others := sorted(observed.changed.keys() - wanted.keys()):
        yield f"{_names(others)} changed, too" if wanted else f"{_names(others)} changed"


def _calls(expected: Expected, observed: ObservedTurn) -> Iterator[str]:
    """Yield the calls that are missing, and those that should not have been made."""
    if expected.calls is None:
        return
    left = _merged(observed.calls)
    wanted = [
        ObservedCall(call.action, frozenset(call.entities), call.data) for call in expected.calls
    ]
    for call in _merged(wanted):
        if found := next((made for made in left if _covers(made, call)), None):
            left.remove(found)
        else:
            yield f"{describe(call)} was not called"
    for made in left:
        yield f"{describe(made)} was called"


def _merged(calls: Sequence[ObservedCall]) -> list[ObservedCall]:
    """Merge calls with the same action and data: one for two entities equals one for each."""
    joined: list[ObservedCall] = []
    for call in calls:
        like = next(
            (each for each in joined if each.action == call.action and same(each.data, call.data)),
            None,
        )
        if like is None:
            joined.append(call)
        else:
            joined[joined.index(like)] = ObservedCall(
                call.action, like.entities | call.entities, like.data
            )
    return joined


def _covers(made: ObservedCall, wanted: ObservedCall) -> bool:
    """Return whether a call is the expected one."""
    return (
        made.action == wanted.action
        and made.entities == wanted.entities
        and all(
            name in made.data and same(made.data[name], value)
            for name, value in wanted.data.items()
        )
    )


def same(found: Any, wanted: Any) -> bool:
    """Return whether two values are equal: numbers to a ten-thousandth, lists item by item."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return found is wanted
    if isinstance(wanted, int | float) and isinstance(found, int | float):
        return math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-4)
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(found) == len(wanted) and all(
            same(*pair) for pair in zip(found, wanted, strict=True)
        )
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return found.keys() == wanted.keys() and all(same(found[k], wanted[k]) for k in wanted)
    return bool(found == wanted)


def describe(call: ObservedCall | ExpectedCall) -> str:
    """Return a call in words: action, entities, data."""
    with_data = ", ".join(f"{name}: {_shown(value)}" for name, value in call.data.items())
    return (
        call.action
        + (f" for {_names(sorted(call.entities))}" if call.entities else "")
        + (f" with {with_data}" if with_data else "")
    )


def _names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence."""
    return ", ".join(names) or "nobody"


def _shown(value: Any) -> str:
    """Return a value as it is written in a golden file."""
    return json.dumps(value, ensure_ascii=False, default=str)

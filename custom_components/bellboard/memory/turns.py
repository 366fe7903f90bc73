"""The last turns of a conversation: agents, actions, targets, and the states before.

Kept in the task's metadata, so that it goes where the task goes: to disk, to another Home Assistant
and back. Whatever stands there is read with care and never trusted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol

from homeassistant.core import State
from homeassistant.helpers import intent
from pydantic import ConfigDict, Field, ValidationError

from ..domains.models import Command
from ..domains.registry import action_of_intent, domain_of
from ..domains.snapshot import StateSnapshot
from ..home.catalog import Catalog
from ..json_model import JsonModel, timestamp
from ..llm.models import tokens_of
from ..plans.models import AskUser, Plan, ToolResult
from .models import TaskContext

_AGENTS = "agentSelections"
_TURNS = "turns"
_LOCATION = "location"
_CONFIDENCE = "routingConfidence"
_RESPONSE = "lastResponse"

MAX_TURNS = 3
"""The turns that are remembered, the newest last."""

MAX_TARGETS = 100
"""Of a turn that reached more entities than these, none is remembered: never a part of them."""

MOST_TOKENS = 90
"""About so many tokens the last turns take in the prompt of a router."""

_MAX_PARTS = 4
_MAX_ACTIONS = 4
_MAX_PARAMETERS = 8
_MAX_CHARACTERS = 300
_KEPT_NAMES = 2
_LINE_CHARACTERS = 60
# Intents that are about nothing in the home: "turn it off" after them means what was spoken of before.
_TELLING = {intent.INTENT_GET_CURRENT_TIME, intent.INTENT_GET_CURRENT_DATE}


class RememberedPart(JsonModel):
    """One agent's part in a turn.

    `actions` are those that were carried out on all of `targets`, which are entity ids.
    `candidates` are the entity ids that a question offered. `asked` where a question of the user's
    was answered and nothing was done.
    """

    model_config = ConfigDict(frozen=True)

    agent_id: str
    actions: tuple[Command, ...] = ()
    targets: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    asked: bool = False


class RememberedTurn(JsonModel):
    """One turn. `at` is when it ended, in ISO 8601; `said` is the request.

    `names` are those of the first entities it was about, as they are spoken, and `place` the area that
    all of them are in. `parts` are empty where it was only talk, or nothing was understood; it `failed` where
    no answer was a success.
    """

    model_config = ConfigDict(frozen=True)

    at: str
    said: str = ""
    agents: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    place: str = ""
    failed: bool = False
    parts: tuple[RememberedPart, ...] = Field(default=())

    def age(self, now: datetime) -> float:
        """Return how many seconds ago the turn ended; infinitely many where that is not known."""
        try:
            at = datetime.fromisoformat(self.at)
        except ValueError:
            return float("inf")
        return abs((now - (at if at.tzinfo else at.replace(tzinfo=UTC))).total_seconds())


class AnswerGiven(Protocol):
    """The part of an agent's answer that is remembered."""

    @property
    def success(self) -> bool:
        """Return whether the agent did what it was asked."""
        ...

    @property
    def fragments(self) -> tuple[str, ...]:
        """Return the parts of a sentence that say what was done."""
        ...

    @property
    def plan(self) -> Plan | None:
        """Return the agent's plan, if it made one."""
        ...

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """Return the results of the plan's calls."""
        ...

    @property
    def question(self) -> AskUser | None:
        """Return the question to the user, if there is one."""
        ...

    @property
    def about(self) -> tuple[str, ...]:
        """Return the entity ids that a question was about."""
        ...

    @property
    def native(self) -> intent.IntentResponse | None:
        """Return Home Assistant's own response, where another agent answered."""
        ...

    @property
    def error_code(self) -> intent.IntentResponseErrorCode:
        """Return Home Assistant's error code of a failure."""
        ...


def remember_turn(
    task: TaskContext,
    catalog: Catalog,
    agent_ids: Sequence[str],
    answers: Sequence[AnswerGiven],
    said: str,
    *,
    confidence: float | None = None,
) -> None:
    """Keep what a turn came to: who answered, in order, with which answers, to which request.

    `said` is the request as it was carried out, with what it referred to put into words;
    `confidence` (0 to 1) how sure it was who answers.
    """
    parts = [
        part
        for agent_id, answer in zip(agent_ids, answers, strict=True)
        if (part := _part(agent_id, answer))
    ]
    targets = list(dict.fromkeys(target for part in parts for target in part.targets))
    names = [entity.name for t in targets if (entity := catalog.entities.get(t))]
    failed = not any(answer.success for answer in answers)
    place = _place(catalog, targets)
    note_turn(task, agent_ids, names, parts, said=said, place=place, failed=failed)
    if confidence is not None:
        task.metadata[_CONFIDENCE] = confidence


def note_turn(
    task: TaskContext,
    agent_ids: Sequence[str],
    names: Sequence[str],
    parts: Sequence[RememberedPart] = (),
    *,
    said: str = "",
    place: str = "",
    failed: bool = False,
) -> None:
    """Keep who answered a turn, the names of what it was about, and what was done."""
    turn = RememberedTurn(
        at=timestamp(),
        said=said[:_MAX_CHARACTERS],
        agents=tuple(agent_ids[:_MAX_PARTS]),
        names=tuple(name[:_LINE_CHARACTERS] for name in names[:_KEPT_NAMES]),
        place=place[:_LINE_CHARACTERS],
        failed=failed,
        # A part that is left out could be the one that is referred to.
        parts=tuple(parts) if len(parts) <= _MAX_PARTS else (RememberedPart(agent_id="several"),),
    )
    kept = [*load_turns(task), turn][-MAX_TURNS:]
    task.metadata[_AGENTS] = list(agent_ids)
    task.metadata[_TURNS] = [entry.as_json() for entry in kept]
    task.metadata.pop(_LOCATION, None)
    if place:
        task.metadata[_LOCATION] = turn.place


def remember_response(task: TaskContext, response: JsonModel) -> None:
    """Keep the response of the agent that answered last (data model, AgentResponse)."""
    task.metadata[_RESPONSE] = response.as_json()


def load_turns(task: TaskContext) -> tuple[RememberedTurn, ...]:
    """Return the last turns, the newest last. What cannot be read is left out."""
    stored = task.metadata.get(_TURNS)
    turns: list[RememberedTurn] = []
    for entry in stored[-MAX_TURNS:] if isinstance(stored, list) else ():
        try:
            turns.append(RememberedTurn.model_validate(entry))
        except ValidationError:
            continue
    return tuple(turns)


def describe_turns(task: TaskContext) -> str:
    """Return the last turns in short lines for a prompt, the newest last: what was said, and what was done.

    Older ones are left out that would take more than MOST_TOKENS; "" without any.
    """
    lines: list[str] = []
    room = MOST_TOKENS
    for turn in reversed(load_turns(task)):
        line = _described(turn)
        room -= tokens_of(line)
        if lines and room < 0:
            break
        lines.insert(0, line)
    return "\n".join(lines)


def _described(turn: RememberedTurn) -> str:
    """Return a turn in one line: the sentence, then the agents, targets and values."""
    agents = "+".join(agent.removesuffix("-agent") for agent in turn.agents)
    said, done = (
        " ".join(text.split())[:_LINE_CHARACTERS].strip()
        for text in (turn.said, " ".join((agents, *_about(turn))))
    )
    return f"(Before: {f'{said}: ' if said else ''}{done or '?'})"


def _about(turn: RememberedTurn) -> Iterable[str]:
    """Yield the entity names of a turn, or the area of many entities, and the values that were set."""
    many = sum(len(part.targets) for part in turn.parts) > _KEPT_NAMES
    yield turn.place if many and turn.place else ", ".join(turn.names)
    if len(turn.parts) == 1:
        for action in turn.parts[0].actions:
            yield from (f"{name}={value}" for name, value in action.parameters.items())


def _part(agent_id: str, answer: AnswerGiven) -> RememberedPart | None:
    """Return the remembered part of an answer, or None where it was talk or not understood."""
    codes = intent.IntentResponseErrorCode
    if not answer.success and answer.error_code is codes.NO_INTENT_MATCH:
        return None
    if answer.question:
        candidates = tuple(candidate.entity_id for candidate in answer.question.candidates)
        return RememberedPart(agent_id=agent_id, candidates=candidates[:MAX_TARGETS])
    if answer.native:
        return _native(agent_id, answer.native)
    if answer.about:
        return _bounded(agent_id, (), answer.about, asked=True)
    if answer.plan:
        targets = dict.fromkeys(t for result in answer.results for t in result.call.targets)
        return _bounded(agent_id, _shared(answer.plan.actions), tuple(targets))
    if answer.success and not answer.fragments:
        return None
    return RememberedPart(agent_id=agent_id)


def _native(agent_id: str, response: intent.IntentResponse) -> RememberedPart | None:
    """Return the remembered part of Home Assistant's own answer, or None where it was like talk."""
    kinds = intent.IntentResponseType
    if response.intent and response.intent.intent_type in _TELLING:
        return None
    if response.response_type is kinds.ERROR:
        return RememberedPart(agent_id=agent_id)
    targets = tuple(
        str(target.id)
        for target in response.success_results
        if target.type is intent.IntentResponseTargetType.ENTITY and target.id
    )
    if response.response_type is kinds.QUERY_ANSWER:
        told = targets or tuple(state.entity_id for state in response.matched_states)
        return _bounded(agent_id, (), told, asked=True)
    action = None
    if response.intent and (domain := domain_of(targets)):
        slots = {name: slot.get("value") for name, slot in response.intent.slots.items()}
        action = action_of_intent(response.intent.intent_type, slots, domain)
    return _bounded(agent_id, (action,) if action else (), targets)


def _bounded(
    agent_id: str,
    actions: tuple[Command, ...],
    targets: tuple[str, ...],
    *,
    asked: bool = False,
) -> RememberedPart:
    """Return a part of bounded size. What is too large is left out as a whole."""
    if len(targets) > MAX_TARGETS:
        return RememberedPart(agent_id=agent_id)
    if len(actions) > _MAX_ACTIONS or not all(_is_small(action.parameters) for action in actions):
        actions = ()
    return RememberedPart(agent_id=agent_id, actions=actions, targets=targets, asked=asked)


def _shared(actions: tuple[Command, ...]) -> tuple[Command, ...]:
    """Return actions without their targets where all have the same, else none.

    Different things that were done to different entities are nothing that can be done again to one.
    """
    if len({frozenset(action.targets) for action in actions}) > 1:
        return ()
    return tuple(replace(action, targets=()) for action in actions)


def _is_small(parameters: dict[str, Any]) -> bool:
    """Return whether parameters are few plain values."""
    return len(parameters) <= _MAX_PARAMETERS and all(
        len(value) <= _MAX_CHARACTERS
        if isinstance(value, str)
        else isinstance(value, int | float | None)
        for value in parameters.values()
    )


def _place(catalog: Catalog, targets: Sequence[str]) -> str:
    """Return the name of the area that all targets are in, or nothing."""
    areas = {entity.area_id if (entity := catalog.entities.get(t)) else None for t in targets}
    area = catalog.areas.get(str(areas.pop())) if len(areas) == 1 else None
    return area.name if area else ""


def _items(stored: Any) -> list[Any]:
    """Return a stored list, or nothing where something else is stored."""
    return stored if isinstance(stored, list) else []


_KEY = "undo"

MAX_UNDOABLE = 3
"""The turns that can be undone, one after the other."""

MAX_ENTITIES = 100
"""Of a turn that changed more than these, nothing is put back: never a part of it."""

_MAX_SAID = 300


class UndoRecord(JsonModel):
    """A turn that did something. `at` is when it ended, in ISO 8601; `said` is the request.

    `before` is how each thing was that it changed; empty where they were too many, and where nothing
    is `changed` by it. `domains` are those of all that the turn did something with.
    """

    model_config = ConfigDict(frozen=True)

    at: str
    said: str = ""
    before: tuple[StateSnapshot, ...] = Field(default=(), max_length=MAX_ENTITIES)
    changed: bool = True
    domains: tuple[Annotated[str, Field(max_length=64)], ...] = Field(
        default=(), max_length=MAX_ENTITIES
    )


def keep_for_undo(
    task: TaskContext,
    said: str,
    before: Mapping[str, State],
    now: Callable[[str], State | None],
    *,
    momentary: Iterable[str] = (),
) -> None:
    """Store how the entities were that a turn changed, or that it did something that changed nothing.

    `before` are the states of all that it may have changed, `now` returns the present state of an
    entity. `momentary` are domains of what was over when it was done.
    """
    domains = {state.domain for state in before.values()} | set(momentary)
    if not domains:
        return
    changed = [was for state in before.values() if (was := _changed(state, now(state.entity_id)))]
    record = UndoRecord(
        at=timestamp(),
        said=said[:_MAX_SAID],
        before=tuple(changed) if len(changed) <= MAX_ENTITIES else (),
        changed=bool(changed),
        domains=tuple(sorted(domains))[:MAX_ENTITIES],
    )
    # Of turns that changed nothing only the last is of any use.
    kept = [one for one in _read(task) if one.changed]
    _write(task, [*(kept[1:] if changed and len(kept) == MAX_UNDOABLE else kept), record])


def has_changed_nothing(task: TaskContext) -> bool:
    """Return whether the last turn that did something changed nothing."""
    records = _read(task)
    return bool(records) and not records[-1].changed


def states_before_last(task: TaskContext) -> tuple[StateSnapshot, ...]:
    """Return how what the last turn changed was, () where it changed nothing that is known."""
    turns, records = load_turns(task), _read(task)
    is_last = turns and records and turns[-1].parts and records[-1].said == turns[-1].said
    return records[-1].before if is_last else ()


def domains_of_last(task: TaskContext) -> tuple[str, ...]:
    """Return the domains of what the last turn did something with, () where that is not known."""
    records = _read(task)
    return records[-1].domains if records else ()


def undoable(task: TaskContext) -> list[UndoRecord]:
    """Return the turns that changed something, the newest last."""
    return [record for record in _read(task) if record.changed]


def last_undoable(task: TaskContext) -> UndoRecord | None:
    """Return the last turn that changed something, or None where none is known."""
    return next((record for record in reversed(_read(task)) if record.changed), None)


def forget_unchanged(task: TaskContext) -> bool:
    """Delete the record of a last turn that changed nothing; return whether there was one."""
    if not has_changed_nothing(task):
        return False
    _write(task, _read(task)[:-1])
    return True


def pop_undo(task: TaskContext) -> UndoRecord | None:
    """Delete and return the record of the last turn that changed something; the one before it is next."""
    records = [record for record in _read(task) if record.changed]
    record = records.pop() if records else None
    _write(task, records)
    return record


def _changed(was: State, now: State | None) -> StateSnapshot | None:
    """Return how an entity was, or None where it is no other now."""
    before = StateSnapshot.of(was)
    if now is None or now.state != was.state:
        return before
    return before if before.differences(StateSnapshot.of(now)) else None


def _read(task: TaskContext) -> list[UndoRecord]:
    """Return the records, the newest last. What cannot be read is left out."""
    stored = task.metadata.get(_KEY)
    entries = stored[-MAX_UNDOABLE - 1 :] if isinstance(stored, list) else []
    return [record for entry in entries if (record := _record(entry))]


def _record(entry: Any) -> UndoRecord | None:
    """Return a record from JSON, or None where it is none."""
    try:
        return UndoRecord.model_validate(entry)
    except ValidationError, RecursionError:
        return None


def _write(task: TaskContext, records: list[UndoRecord]) -> None:
    """Store records in the task; no key where there are none."""
    task.metadata.pop(_KEY, None)
    if records:
        task.metadata[_KEY] = [record.as_json() for record in records]

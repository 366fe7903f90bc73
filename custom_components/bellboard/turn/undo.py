"""Undoing: what a turn changed is put back by a plan of its own, and it is seen whether it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from ..agents.base import AgentResult, ReplyContext
from ..agents.dispatch import Dispatched, as_dispatched, async_bounded
from ..agents.plan_answers import compose, describe_dry_run, find_confirmation
from ..agents.wording import describe_results, describe_targets
from ..assistant import Assistant
from ..const import DELAY_AGENT_ID, UNDO_AGENT_ID
from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import find_unseen_refusal
from ..domains.snapshot import StateSnapshot, restore_calls
from ..memory.models import TaskContext
from ..memory.turns import domains_of_last, has_changed_nothing, last_undoable
from ..options import DispatchOptions
from ..plans.execution import PlanExecution
from ..plans.models import CONFIRM, AskUser, Outcome, Plan, Respond, ToolResult
from ..plans.runner import PlanRunner
from ..plans.tool_executor import async_wait_until_shown
from ..routing.models import Assignment, Source
from .context import TurnContext
from .dispatch import note_answer
from .record import TurnRecord

_INTENT = "undo"

# What is put back is named, up to so many things.
_MOST_NAMED = 5

# Some things show only after a first step what else is other.
_LOOKS = 2

# Long on their way: that they go there is seen, not that they arrived.
_SLOW = frozenset({"cover", "valve"})


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest(ReplyContext):
    """One turn that is to be undone, for a sentence or for an action.

    `before` is how each entity was that the turn changed, and `runner` runs the plan in the name of who
    asks for it. `confirmed` are the policies that were agreed to, `text` the words it was asked for with.
    """

    runner: PlanRunner
    before: tuple[StateSnapshot, ...]
    confirmed: frozenset[str] = frozenset()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult(AgentResult):
    """Result of undoing a turn.

    `outcomes` are those of each entity that was other, by entity id; `waiting` the entity ids that wait
    for a yes. `is_settled` where the turn needs no undoing any more.
    """

    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()
    is_settled: bool = False

    @property
    def restored(self) -> list[str]:
        """Return the entity ids that were put back."""
        return [entity_id for entity_id, outcome in self.outcomes.items() if outcome.ok]


async def async_undo(request: UndoRequest, options: DispatchOptions) -> Dispatched:
    """Put back what a turn changed, within an agent's time.

    The answer is an `UndoResult`, unless it could not be finished.
    """
    return await async_bounded(
        UNDO_AGENT_ID, lambda: _async_put_back(request), request.language, options
    )


async def async_dispatch_undo(
    context: TurnContext, task: TaskContext, question: AskUser | None = None
) -> Dispatched:
    """Undo the last turn of a conversation because the user says so; offer it where that changed nothing.

    `question` is what was asked about it before, where that was answered with yes.
    """
    part = Assignment(
        agent_id=UNDO_AGENT_ID,
        instruction=context.text,
        source=Source.REFERENCE,
        reason="It asks to put back what was done.",
        topic=_INTENT,
    )
    noted, context = context.at_work(part)
    dispatched = noted.answered(await _async_undo_last(context, task, question))
    note_undo(context.assistant, context.record, dispatched)
    return dispatched


async def async_dispatch_end(context: TurnContext, before: tuple[StateSnapshot, ...]) -> Dispatched:
    """Put back what was changed for a time that is over, and be silent about what is so already."""
    part = Assignment(
        agent_id=DELAY_AGENT_ID,
        instruction=context.text,
        source=Source.DELAYED,
        reason="The time that it was for is over.",
        topic=_INTENT,
    )
    noted, context = context.at_work(part)
    request = _request(context, before)
    undone = await async_undo(request, context.assistant.options.dispatch)
    dispatched = noted.answered(as_dispatched(DELAY_AGENT_ID, undone.answer))
    note_answer(
        context.assistant, context.record, dispatched, confidence=1.0, source=Source.DELAYED
    )
    return dispatched


async def _async_undo_last(
    context: TurnContext, task: TaskContext, question: AskUser | None
) -> Dispatched:
    """Undo the last turn, or offer to undo the one before."""
    record = last_undoable(task)
    request = _request(context, record.before if record else (), question)
    if question is None and has_changed_nothing(task):
        unseen = find_unseen_refusal(domains_of_last(task))
        return as_dispatched(UNDO_AGENT_ID, _refuse(request, unseen) if unseen else _offer(request))
    return await async_undo(request, context.assistant.options.dispatch)


def _request(
    context: TurnContext, before: tuple[StateSnapshot, ...], question: AskUser | None = None
) -> UndoRequest:
    """Return what is to be put back in a turn; `question` was answered with yes."""
    return UndoRequest(
        hass=context.assistant.hass,
        language=context.language,
        catalog=context.catalog,
        runner=context.runner,
        before=before,
        confirmed=frozenset(question.rules if question else ()),
        text=context.text,
    )


def note_undo(assistant: Assistant, record: TurnRecord, dispatched: Dispatched) -> None:
    """Record the result of undoing, as any agent's answer."""
    note_answer(assistant, record, dispatched, confidence=1.0, source=Source.REFERENCE)


def _refuse(request: UndoRequest, key: str) -> UndoResult:
    """Return the answer that what was done cannot be undone, by the key of its reason."""
    return UndoResult(
        success=False,
        content=request.language.say(key),
        error_code=intent.IntentResponseErrorCode.FAILED_TO_HANDLE,
    )


def _offer(request: UndoRequest) -> UndoResult:
    """Return the answer to "undo that" after a command that changed nothing.

    It offers to undo the last one that changed something, where there is one.
    """
    language = request.language
    if not request.before:
        return UndoResult(success=True, content=language.say("undo.unchanged"))
    names = _names(request, [one.entity_id for one in request.before])
    question = AskUser(param=CONFIRM, prompt=language.say("undo.offer", targets=names))
    return UndoResult(success=True, content=question.prompt, question=question)


async def _async_put_back(request: UndoRequest) -> UndoResult:
    """Run the plans that put everything back, verify what they did, and return what came of it."""
    if not request.before:
        return _nothing(request)
    others = _others(request.hass, request.before)
    if not others:
        content = request.language.say("undo.already")
        return UndoResult(success=True, content=content, is_settled=True)
    executions = await _async_run(request)
    await _async_verify(request, executions)
    waiting = frozenset(_waiting(executions))
    outcomes = {
        one.entity_id: _outcome(request, one, executions)
        for one in request.before
        if one.entity_id in others - waiting
    }
    return _answer(request, executions, outcomes, waiting)


async def _async_run(request: UndoRequest) -> list[PlanExecution]:
    """Run the calls that are needed, and those that turn out to be needed after them."""
    executions: list[PlanExecution] = []
    made: list[ToolCall] = []
    before: Sequence[StateSnapshot] = request.before
    for look in range(_LOOKS):
        calls = _without(restore_calls(before, request.hass, roughly=look > 0), made)
        if not calls:
            break
        plan = Plan(intent_id=_INTENT, agent_id=UNDO_AGENT_ID, steps=_steps(request, calls))
        execution = await request.runner.async_run(plan, confirmed=request.confirmed)
        execution.mark_responded()
        executions.append(execution)
        made += calls
        # What was refused is not tried in another way.
        refused = {*_waiting(executions), *_denied(executions)}
        before = [one for one in before if one.entity_id not in refused]
        if execution.dry_run_calls:
            break
    return executions


async def _async_verify(request: UndoRequest, executions: Sequence[PlanExecution]) -> None:
    """Wait until everything that was called shows that it is as it was, or does not in time."""
    called = _called(executions)
    watched = {
        one.entity_id: one
        for one in request.before
        if one.entity_id in called and one.domain not in _SLOW
    }

    def is_as_before(entity_id: str, state: State | None) -> bool:
        if state is None:
            return False
        return not watched[entity_id].differences(StateSnapshot.of(state), roughly=True)

    await async_wait_until_shown(request.hass, watched, is_as_before, request.runner.answer_seconds)


def _answer(
    request: UndoRequest,
    executions: Sequence[PlanExecution],
    outcomes: Mapping[str, Outcome],
    waiting: frozenset[str],
) -> UndoResult:
    """Return what is said of it: what was put back, what was not, and what waits for a yes."""
    language = request.language
    open_one = next((e for e in executions if e.dry_run_calls or e.to_confirm), None)
    question = find_confirmation(request, open_one, request.text) if open_one else None
    prompt = question.prompt if question else ""
    if open_one and open_one.dry_run_calls:
        would = describe_dry_run(request, open_one.dry_run_calls)
        return UndoResult(
            success=True,
            content=" ".join(filter(None, (would, prompt))),
            plan=open_one.plan,
            question=question,
            outcomes=outcomes,
            waiting=waiting,
        )
    restored = [entity_id for entity_id, outcome in outcomes.items() if outcome.ok]
    done = language.say("done.undo", targets=_names(request, restored)) if restored else ""
    fragments = (done,) if done else ()
    failures = _failures(request, outcomes.values())
    return UndoResult(
        success=not failures,
        content=" ".join(filter(None, (compose(language, fragments, failures), prompt))),
        fragments=fragments,
        failures=failures,
        plan=executions[0].plan if executions else None,
        results=tuple(result for execution in executions for result in execution.results),
        question=question,
        outcomes=outcomes,
        waiting=waiting,
        is_settled=bool(restored) and not waiting,
    )


def _nothing(request: UndoRequest) -> UndoResult:
    """Return the answer that there is nothing to be put back."""
    return UndoResult(
        success=False,
        content=request.language.say("undo.nothing"),
        error_code=intent.IntentResponseErrorCode.NO_VALID_TARGETS,
    )


def _steps(request: UndoRequest, calls: Sequence[ToolCall]) -> tuple[Respond | ToolCall, ...]:
    """Return the steps of a plan that puts things back."""
    targets = list(dict.fromkeys(target for call in calls for target in call.targets))
    message = request.language.say("announce", targets=_names(request, targets))
    return (Respond(phase="pre", message=message), *calls, Respond())


def _without(calls: Iterable[ToolCall], made: Sequence[ToolCall]) -> list[ToolCall]:
    """Return calls for those of their targets for which they were not made yet."""
    left: list[ToolCall] = []
    for call in calls:
        had = {
            target
            for other in made
            if (other.action, other.data) == (call.action, call.data)
            for target in other.targets
        }
        if targets := tuple(target for target in call.targets if target not in had):
            left.append(call.model_copy(update={"targets": targets}))
    return left


def _others(hass: HomeAssistant, before: Iterable[StateSnapshot]) -> frozenset[str]:
    """Return the entity ids of what is other now than it was, or is not there."""
    return frozenset(
        one.entity_id
        for one in before
        if (state := hass.states.get(one.entity_id)) is None
        or one.differences(StateSnapshot.of(state))
    )


def _outcome(
    request: UndoRequest, before: StateSnapshot, executions: Sequence[PlanExecution]
) -> Outcome:
    """Return what came of one entity that was to be put back, as it shows now."""
    entity_id = before.entity_id
    state = request.hass.states.get(entity_id)
    if state is None or state.state == STATE_UNAVAILABLE:
        return Outcome(entity_id, ErrorCode.UNAVAILABLE)
    if not before.differences(StateSnapshot.of(state), roughly=True):
        return Outcome(entity_id)
    seen = [
        outcome
        for execution in executions
        for result in execution.results
        for outcome in result.outcomes
        if outcome.entity_id == entity_id
    ]
    if failed := next((outcome for outcome in seen if not outcome.ok), None):
        return failed
    if seen:
        return Outcome(entity_id, None if before.domain in _SLOW else ErrorCode.PARTLY)
    key = "undo.lock" if before.domain == "lock" else "undo.cannot"
    names = _names(request, [entity_id])
    return Outcome(entity_id, ErrorCode.UNSUPPORTED, request.language.say(key, targets=names))


def _called(executions: Sequence[PlanExecution]) -> frozenset[str]:
    """Return the entity ids that did all they were told, but may still have to show it."""
    outcomes = [o for e in executions for result in e.results for o in result.outcomes]
    failed = {outcome.entity_id for outcome in outcomes if not outcome.ok}
    return frozenset(outcome.entity_id for outcome in outcomes) - failed


def _waiting(executions: Iterable[PlanExecution]) -> Iterable[str]:
    """Yield the entity ids that wait for a yes."""
    for execution in executions:
        for verdict in execution.to_confirm:
            yield from verdict.call.targets


def _denied(executions: Iterable[PlanExecution]) -> Iterable[str]:
    """Yield the entity ids that a policy keeps from being put back."""
    for execution in executions:
        for result in execution.results:
            yield from (o.entity_id for o in result.outcomes if o.error is ErrorCode.DENIED)


def _failures(words: ReplyContext, outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """Return a fragment for each reason for which entities were not put back."""
    failed = tuple(outcome for outcome in outcomes if not outcome.ok)
    call = ToolCall(action=_INTENT, targets=tuple(outcome.entity_id for outcome in failed))
    return describe_results(words, [ToolResult(call, failed)])[1]


def _names(words: ReplyContext, entity_ids: Sequence[str]) -> str:
    """Return entities as they are spoken; of those that may not be named only that there is something."""
    known = [e for entity_id in entity_ids if (e := words.catalog.entities.get(entity_id))]
    if 0 < len(known) <= _MOST_NAMED:
        return words.language.join(entity.name for entity in known)
    if known:
        return describe_targets(words, known)
    return words.language.say("undo.something")

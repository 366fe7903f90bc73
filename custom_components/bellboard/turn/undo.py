"""Undoing: what the last turn changed is put back as it was, and it is seen whether it is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from ..agents.aggregation import compose
from ..agents.base import AgentRequest, Answer
from ..agents.dispatch import Dispatched, async_confirm, async_dispatch, settled
from ..agents.models import AgentCard
from ..agents.telling import CONFIRM, answer_of
from ..agents.wording import describe_results, describe_targets
from ..const import UNDO_AGENT_ID
from ..domains.models import ErrorCode, ToolCall
from ..domains.restore import restore_calls
from ..domains.snapshot import StateSnapshot
from ..plans.execution import PlanExecution
from ..plans.models import AskUser, Outcome, Plan, Respond, ToolResult
from ..plans.verification import async_wait_until_shown
from ..routing.models import Assignment, Source
from ..tasks.undoing import UndoRecord, forget_unchanged, last_undoable, pop_undo
from .context import Turn

_INTENT = "undo"

# What is put back is named, up to so many things.
_MOST_NAMED = 5

# Some things show only after a first step what else is other.
_LOOKS = 2

# Long on their way: that they go there is seen, not that they arrived.
_SLOW = frozenset({"cover", "valve"})


class UndoAgent:
    """Puts back what one turn changed. It is never routed to: nothing is undone by a guess.

    `outcomes` are afterwards what came of each thing that was other, `waiting` the entity ids that
    wait for a yes. `is_settled` where the turn needs no undoing any more.
    """

    card: ClassVar[AgentCard] = AgentCard(
        id=UNDO_AGENT_ID, name="Undo", description="Puts back what was just changed."
    )

    def __init__(self, record: UndoRecord | None) -> None:
        """Take the turn that is to be undone, if there is one."""
        self._before: tuple[StateSnapshot, ...] = record.before if record else ()
        self.outcomes: dict[str, Outcome] = {}
        self.waiting: frozenset[str] = frozenset()
        self.is_settled = False

    @property
    def restored(self) -> list[str]:
        """Return the entity ids that were put back."""
        return [entity_id for entity_id, outcome in self.outcomes.items() if outcome.ok]

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Put everything back and say what came of it."""
        return await self._async_put_back(request, frozenset())

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> Answer:
        """Put everything back now that the policies that asked for a yes were given it."""
        return await self._async_put_back(request, frozenset(question.rules))

    async def _async_put_back(self, request: AgentRequest, confirmed: frozenset[str]) -> Answer:
        """Put everything back that is other now."""
        hass = request.hass
        if not self._before:
            return _nothing(request)
        others = _others(hass, self._before)
        if not others:
            self.is_settled = True
            return Answer(success=True, content=request.language.say("undo.already"))
        executions = await self._async_run(request, confirmed)
        self.waiting = frozenset(_waiting(executions))
        called = _called(executions)
        await _async_wait_until_as_before(
            hass, [b for b in self._before if b.entity_id in called], request.runner.answer_seconds
        )
        for before in self._before:
            if before.entity_id in others and before.entity_id not in self.waiting:
                outcome = _outcome(request, before, executions)
                self.outcomes[before.entity_id] = outcome
        self.is_settled = bool(self.restored) and not self.waiting
        return self._answer(request, executions)

    async def _async_run(
        self, request: AgentRequest, confirmed: frozenset[str]
    ) -> list[PlanExecution]:
        """Run the calls that are needed, and those that turn out to be needed after them."""
        executions: list[PlanExecution] = []
        made: list[ToolCall] = []
        before: Sequence[StateSnapshot] = self._before
        for look in range(_LOOKS):
            calls = _without(restore_calls(before, request.hass, roughly=look > 0), made)
            if not calls:
                break
            plan = Plan(intent_id=_INTENT, agent_id=UNDO_AGENT_ID, steps=_steps(request, calls))
            execution = await request.runner.async_run(plan, confirmed=confirmed)
            execution.said()
            executions.append(execution)
            made += calls
            # What was refused is not tried in another way.
            refused = {*_waiting(executions), *_denied(executions)}
            before = [one for one in before if one.entity_id not in refused]
            if execution.would:
                break
        return executions

    def _answer(self, request: AgentRequest, executions: Sequence[PlanExecution]) -> Answer:
        """Return what is said of it: what was put back, what was not, and what waits for a yes."""
        language = request.language
        rehearsed = next((e for e in executions if e.would or e.to_confirm), None)
        # Of this one only what it asks, or would do: what it did is told by what is seen now.
        asking = answer_of(request, replace(rehearsed, results=[])) if rehearsed else None
        if rehearsed and rehearsed.would and asking:
            return asking
        done = [language.say("done.undo", targets=_names(request, self.restored))]
        failures = _failures(request, self.outcomes.values())
        fragments = tuple(done if self.restored else ())
        question = asking.question if asking else None
        text = compose(language, fragments, failures)
        results = [result for execution in executions for result in execution.results]
        return Answer(
            success=not failures,
            content=" ".join(filter(None, (text, question.prompt if question else ""))),
            fragments=fragments,
            failures=failures,
            plan=executions[0].plan if executions else None,
            results=tuple(results),
            question=question,
        )


async def async_undo(turn: Turn, question: AskUser | None = None) -> list[Dispatched]:
    """Put back what the last turn changed that can be undone, and forget that turn if it was.

    `question` is the one a policy asked before, where it was answered with yes. What undoing
    changes is itself nothing to be undone.
    """
    if question is None and forget_unchanged(turn.task):
        return [_offered(turn)]
    agent, dispatched = await async_put_back(turn, question)
    if agent.is_settled:
        pop_undo(turn.task)
    return [dispatched]


def _offered(turn: Turn) -> Dispatched:
    """Say that the last command changed nothing, and offer to undo the one before it."""
    part = _part_of(turn)
    request, record = turn.request(part), last_undoable(turn.task)
    question = _offer(request, record) if record and record.before else None
    content = question.prompt if question else request.language.say("undo.unchanged")
    dispatched = settled(UNDO_AGENT_ID, Answer(success=True, content=content, question=question))
    turn.note(part, dispatched)
    return dispatched


def _offer(request: AgentRequest, record: UndoRecord) -> AskUser:
    """Return the question whether a turn is to be undone."""
    names = _names(request, [before.entity_id for before in record.before])
    return AskUser(param=CONFIRM, prompt=request.language.say("undo.offer", targets=names))


async def async_put_back(
    turn: Turn, question: AskUser | None = None
) -> tuple[UndoAgent, Dispatched]:
    """Put back what the last turn changed; return who did it, which knows what came of each thing."""
    agent = UndoAgent(last_undoable(turn.task))
    part = _part_of(turn)
    request, options = turn.request(part), turn.assistant.options.dispatch
    if question:
        dispatched = await async_confirm(agent, request, question, options)
    else:
        dispatched = await async_dispatch(agent, request, options)
    turn.note(part, dispatched)
    return agent, dispatched


def _part_of(turn: Turn) -> Assignment:
    """Return a sentence that asks for undoing as the part of who undoes."""
    return Assignment(
        agent_id=UNDO_AGENT_ID,
        instruction=turn.user_input.text,
        confidence=1.0,
        source=Source.REFERENCE,
        reason="It asks to put back what was done before.",
    )


def _nothing(request: AgentRequest) -> Answer:
    """Return the answer that there is nothing to be put back."""
    return Answer(
        success=False,
        content=request.language.say("undo.nothing"),
        error_code=intent.IntentResponseErrorCode.NO_VALID_TARGETS,
    )


def _steps(request: AgentRequest, calls: Sequence[ToolCall]) -> tuple[Respond | ToolCall, ...]:
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


async def _async_wait_until_as_before(
    hass: HomeAssistant, before: Sequence[StateSnapshot], seconds: float
) -> None:
    """Wait until everything shows that it is as it was, for some seconds at most."""
    watched = {one.entity_id: one for one in before if one.domain not in _SLOW}

    def is_as_before(entity_id: str, state: State | None) -> bool:
        if state is None:
            return False
        return not watched[entity_id].differences(StateSnapshot.of(state), roughly=True)

    await async_wait_until_shown(hass, watched, is_as_before, seconds)


def _outcome(
    request: AgentRequest, before: StateSnapshot, executions: Sequence[PlanExecution]
) -> Outcome:
    """Return what came of one thing that was to be put back, as it shows now."""
    entity_id, hass = before.entity_id, request.hass
    state = hass.states.get(entity_id)
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


def _failures(request: AgentRequest, outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """Return a fragment for each reason for which things were not put back."""
    failed = tuple(outcome for outcome in outcomes if not outcome.ok)
    call = ToolCall(action=_INTENT, targets=tuple(outcome.entity_id for outcome in failed))
    return describe_results(request, [ToolResult(call, failed)])[1]


def _names(request: AgentRequest, entity_ids: Sequence[str]) -> str:
    """Return entities as they are spoken; of those that may not be named only that there is something."""
    known = [e for entity_id in entity_ids if (e := request.catalog.entities.get(entity_id))]
    if 0 < len(known) <= _MOST_NAMED:
        return request.language.join(entity.name for entity in known)
    if known:
        return describe_targets(request, known)
    return request.language.say("undo.something")

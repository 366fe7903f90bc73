"""Runs the plans of a turn, step by step: said, checked against the policies, done, and seen.

Nothing reaches the home but through here. Who watches is told of each step while it happens.
"""

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
import json

from homeassistant.const import ATTR_ASSUMED_STATE
from homeassistant.core import Context, HomeAssistant, State

from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import find_refusal
from ..home.catalog import is_exposed
from ..home.groups import members_of
from ..policy.engine import Effect, HistoryMessage, Interaction, PolicyEngine, Verdict
from .execution import Observer, PlanExecution, StepExecution, StepStatus, Unwatched
from .executor import async_execute
from .judging import Judge
from .models import AskUser, Outcome, Plan, Respond, ToolResult
from .verification import ANSWER_SECONDS, async_wait_until_holds, shortfall


@dataclass(slots=True)
class Tally:
    """How many calls were made, and how many were left out because they were made before."""

    made: int = 0
    repeated: int = 0

    @property
    def only_repeats(self) -> bool:
        """Return whether nothing was called but what was called before."""
        return bool(self.repeated) and not self.made


@dataclass(slots=True, kw_only=True)
class PlanRunner:
    """Runs the plans of one turn, for one user.

    With `dry_run` nothing is carried out. `answer_seconds` is how long a call's targets may take to
    show what it did. `agreed` are policies that were agreed to before the turn.
    """

    hass: HomeAssistant
    context: Context
    policy: PolicyEngine
    interaction: Interaction
    history: Sequence[HistoryMessage] = ()
    observer: Observer = field(default_factory=Unwatched)
    dry_run: bool = False
    answer_seconds: float = ANSWER_SECONDS
    agreed: frozenset[str] = frozenset()
    _tally: Tally | None = None
    _reached: set[str] = field(default_factory=set)
    _made: dict[str, dict[str, Outcome]] = field(default_factory=dict)

    @contextmanager
    def without_repeats(self) -> Generator[Tally]:
        """Do nothing to an entity that was done to it before, as long as this lasts, and count it."""
        outer, self._tally = self._tally, Tally()
        try:
            yield self._tally
        finally:
            self._tally = outer

    async def async_run(
        self, plan: Plan, *, confirmed: frozenset[str] = frozenset()
    ) -> PlanExecution:
        """Take the steps of a plan in order; a question ends it.

        `confirmed` are the rules the user agreed to.
        """
        execution = self._begin(plan)
        for entry in execution.steps:
            match entry.step:
                case AskUser():
                    entry.begin()
                    break
                case Respond(phase="pre", message=message):
                    self._communicate(plan, entry, message)
                case ToolCall() as call:
                    await self._async_call(execution, entry, call, confirmed)
        return execution

    async def async_hand_over(
        self,
        plan: Plan,
        do: Callable[[], Awaitable[bool]],
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> PlanExecution:
        """Let something else carry out a plan's calls, all of them or, where one is refused, none.

        `do` returns whether it was done. For what Home Assistant's own agent does by itself.
        """
        execution = self._begin(plan)
        calls = [entry for entry in execution.steps if isinstance(entry.step, ToolCall)]
        verdicts = [
            verdict
            for call in plan.calls
            for verdict in self._check(plan, call, confirmed, whole=True)
        ]
        refused = [verdict for verdict in verdicts if not verdict.allowed]
        denied = [verdict for verdict in refused if verdict.effect is Effect.DENY]
        # Its values cannot be changed, so that what would be clamped is denied.
        denied += [verdict for verdict in verdicts if verdict.effect is Effect.CLAMP]
        if denied:
            execution.results = [_denied(verdict) for verdict in denied]
            for entry in calls:
                entry.end(ok=False)
        elif refused:
            execution.to_confirm = [
                Verdict(effect=Effect.CONFIRM, call=call, rule=each.rule, reason=each.reason)
                for call in plan.calls
                for each in refused
            ]
        elif self.dry_run:
            execution.would = plan.calls
        elif self._is_made_before(plan.calls):
            execution.results = [self._made_before(call) for call in plan.calls if call.targets]
        else:
            for entry in execution.steps:
                if isinstance(entry.step, Respond) and entry.step.phase == "pre":
                    self._communicate(plan, entry, entry.step.message)
            await self._async_do(execution, calls, do)
        return execution

    def _is_made_before(self, calls: Sequence[ToolCall]) -> bool:
        """Return whether calls for something in particular were all made before, and may not be again."""
        left = [self._not_made_yet(call) for call in calls if call.targets]
        return bool(left) and not any(call.targets for call in left)

    async def _async_do(
        self,
        execution: PlanExecution,
        calls: Sequence[StepExecution],
        do: Callable[[], Awaitable[bool]],
    ) -> None:
        """Let calls be carried out, and see what came of them."""
        plan = execution.plan
        reached = [target for call in plan.calls for target in call.targets]
        execution.before, members = self._states(reached), self._members(reached)
        for entry in calls:
            entry.begin()
        ok = await do()
        for entry, call in zip(calls, plan.calls, strict=True):
            result = await self._async_seen(call, execution.before, ok=ok)
            execution.results.append(result)
            entry.end(ok=result.ok)
            self._note(result)
            self.observer.executed(plan, result)
        self.observer.changed(_with_members(execution.before, members))

    async def _async_seen(
        self, call: ToolCall, before: Mapping[str, State], *, ok: bool
    ) -> ToolResult:
        """Return what a call came to that something else made.

        What only assumes its state cannot be seen to have changed.
        """
        if not ok:
            outcomes = (Outcome(target, ErrorCode.FAILED) for target in call.targets)
            return ToolResult(call, tuple(outcomes))
        seen = [t for t, state in before.items() if not state.attributes.get(ATTR_ASSUMED_STATE)]
        silent = await async_wait_until_holds(
            self.hass,
            call,
            [target for target in call.targets if target in seen],
            before,
            self.answer_seconds,
        )
        codes = {t: shortfall(call, self.hass.states.get(t), before.get(t)) for t in silent}
        return ToolResult(call, tuple(Outcome(t, codes.get(t)) for t in call.targets))

    def _begin(self, plan: Plan) -> PlanExecution:
        """Note a plan, and what it is about to reach."""
        execution = PlanExecution.of(plan)
        self.observer.planned(execution)
        self._reached |= self._judge.reached(plan.calls)
        return execution

    def _communicate(self, plan: Plan, entry: StepExecution, message: str) -> None:
        """Take the step that says what is about to be done."""
        entry.begin()
        self.observer.communicated(plan, message)
        entry.end(ok=True)

    @property
    def _judge(self) -> Judge:
        """Return who asks the policies."""
        return Judge(self.hass, self.policy, self.interaction, self.history)

    def _check(
        self, plan: Plan, call: ToolCall, confirmed: frozenset[str], *, whole: bool = False
    ) -> Sequence[Verdict]:
        """Ask the policies about a call; `whole` where a group in it cannot be taken apart."""
        agreed = self.agreed | confirmed
        verdicts = self._judge.verdicts(call, len(self._reached), agreed, whole=whole)
        for verdict in verdicts:
            self.observer.checked(plan, verdict)
        return verdicts

    async def _async_call(
        self,
        execution: PlanExecution,
        entry: StepExecution,
        call: ToolCall,
        confirmed: frozenset[str],
    ) -> None:
        """Take one step that is a call, in as many parts as the policies make of it."""
        entry.begin()
        results: list[ToolResult] = []
        waits = False
        for verdict in self._check(execution.plan, call, confirmed):
            if verdict.effect is Effect.CONFIRM:
                execution.to_confirm.append(verdict)
                waits = True
            elif verdict.effect is Effect.DENY:
                results.append(_denied(verdict))
            elif self.dry_run:
                results += self._left_out(execution, verdict.call)
            else:
                results.append(await self._async_execute(execution, verdict))
        execution.results += results
        if waits:
            entry.status = StepStatus.PENDING
        else:
            entry.end(ok=all(result.ok for result in results))

    def _left_out(self, execution: PlanExecution, call: ToolCall) -> list[ToolResult]:
        """Keep the call a dry run leaves out; return what of it would be refused."""
        refused = {t: code for t in call.targets if (code := find_refusal(self.hass, call, t))}
        if able := tuple(target for target in call.targets if target not in refused):
            execution.would.append(call.model_copy(update={"targets": able}))
        if not refused:
            return []
        outcomes = tuple(Outcome(target, code) for target, code in refused.items())
        return [ToolResult(call.model_copy(update={"targets": tuple(refused)}), outcomes)]

    async def _async_execute(self, execution: PlanExecution, verdict: Verdict) -> ToolResult:
        """Make a call that is allowed."""
        call = self._not_made_yet(verdict.call)
        if not call.targets and verdict.call.targets:
            return self._made_before(verdict.call)
        before, members = self._states(call.targets), self._members(call.targets)
        result = await async_execute(self.hass, call, self.context, self.answer_seconds)
        if verdict.effect is Effect.CLAMP:
            result = replace(result, note=verdict.reason)
        called = {outcome.entity_id for outcome in result.outcomes if outcome.was_called}
        changed = {entity_id: state for entity_id, state in before.items() if entity_id in called}
        # What two steps change was at first as the first one found it.
        execution.before = changed | execution.before
        self._note(result)
        self.observer.executed(execution.plan, result)
        self.observer.changed(_with_members(changed, members))
        return result

    def _not_made_yet(self, call: ToolCall) -> ToolCall:
        """Return a call for those of its targets that it may be made for."""
        if self._tally is None or not (made := self._made.get(_same(call), {})):
            return call
        left = tuple(target for target in call.targets if target not in made)
        self._tally.repeated += bool(call.targets and not left)
        return call.model_copy(update={"targets": left})

    def _made_before(self, call: ToolCall) -> ToolResult:
        """Return what a call came to when it was made before."""
        made = self._made[_same(call)]
        return ToolResult(call, tuple(made[target] for target in dict.fromkeys(call.targets)))

    def _note(self, result: ToolResult) -> None:
        """Note what was called, and what came of it."""
        if self._tally is not None:
            self._tally.made += result.was_made
        made = self._made.setdefault(_same(result.call), {})
        made |= {outcome.entity_id: outcome for outcome in result.outcomes if outcome.was_called}

    def _members(self, entity_ids: Sequence[str]) -> dict[str, dict[str, State]]:
        """Return the states of what groups stand for, by group, where all of it may be put back."""
        found = {entity_id: members_of(self.hass, entity_id) for entity_id in entity_ids}
        return {
            group: self._states(members)
            for group, members in found.items()
            if members and all(is_exposed(self.hass, member) for member in members)
        }

    def _states(self, entity_ids: Sequence[str]) -> dict[str, State]:
        """Return the states of entities, without those that are gone."""
        return {e: state for e in entity_ids if (state := self.hass.states.get(e))}


def _with_members(
    changed: Mapping[str, State], members: Mapping[str, Mapping[str, State]]
) -> dict[str, State]:
    """Return the states of what changed, members in place of their groups: each had its own."""
    found: dict[str, State] = {}
    for entity_id, state in changed.items():
        found |= members.get(entity_id) or {entity_id: state}
    return found


def _same(call: ToolCall) -> str:
    """Return what is equal for calls that do the same, to whatever they do it."""
    data = json.dumps(call.data, sort_keys=True, default=str)
    return f"{call.action} {data}"


def _denied(verdict: Verdict) -> ToolResult:
    """Return the result of a call that a policy denies."""
    # What is for nothing in particular is denied all the same.
    targets = tuple(dict.fromkeys(verdict.call.targets)) or ("",)
    return ToolResult(
        verdict.call, tuple(Outcome(t, ErrorCode.DENIED, verdict.reason) for t in targets)
    )

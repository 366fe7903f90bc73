"""Runs plans step by step: communicated, checked against the policies, executed, verified.

It is the only way to Home Assistant's services. An observer is notified of each step.
"""

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
import json

from homeassistant.const import ATTR_ASSUMED_STATE
from homeassistant.core import Context, HomeAssistant, State, callback
from homeassistant.util import dt as dt_util

from ..domains.models import ErrorCode, ToolCall
from ..domains.registry import find_refusal, is_momentary
from ..home.catalog import is_exposed, members_of, with_members
from ..home.speaker import Rights, async_rights
from ..policy.engine import CallHistory, Interaction, PolicyEffect, PolicyEngine, Verdict
from .execution import PlaceInOrder, PlanExecution, PlanObserver, StepExecution, StepStatus
from .models import AskUser, Outcome, Plan, Respond, ToolResult
from .policy_check import EXCEPTED, OVERRIDING, PolicyCheck, asked_first
from .tool_executor import ANSWER_SECONDS, ToolExecutor, async_wait_until_holds, shortfall, was_so


@callback
def find_uncontrollable(hass: HomeAssistant, rights: Rights, call: ToolCall) -> tuple[str, ...]:
    """Return the targets of a call that the user may not control.

    Of a call without targets that has `domains` it is not known which of their entities it reaches. Home Assistant
    refuses a call that names any target the user may not control: so does this where there is such an entity, and
    returns "" for it. A domain without entities, such as that of timers, needs no right.
    """
    if call.targets:
        return tuple(target for target in call.targets if not rights.may_control(target))
    reached = (each for domain in call.domains for each in hass.states.async_entity_ids(domain))
    return () if all(map(rights.may_control, reached)) else ("",)


def refuse_targets(call: ToolCall, refused: tuple[str, ...]) -> tuple[ToolCall, ToolResult]:
    """Return a call without refused targets, and the result of the call for these: NOT_ALLOWED."""
    left = tuple(target for target in call.targets if target not in refused)
    outcomes = tuple(Outcome(target, ErrorCode.NOT_ALLOWED) for target in dict.fromkeys(refused))
    own = tuple(target for target in call.targets if target in refused)
    return (
        call.model_copy(update={"targets": left}),
        ToolResult(call.model_copy(update={"targets": own}), outcomes),
    )


@dataclass(slots=True)
class Tally:
    """Numbers of the calls made, and of those suppressed as repeats of earlier ones in the turn."""

    made: int = 0
    repeated: int = 0

    @property
    def only_repeats(self) -> bool:
        """Return whether all calls were repeats."""
        return bool(self.repeated) and not self.made


@dataclass(slots=True, kw_only=True)
class PlanRunner:
    """Runs the plans of one turn, for one user; `executor` makes the calls that policies allow.

    With `dry_run` no call is made. `answer_seconds` is how long targets may take to show the outcome, `deadline` the
    time of the event loop's clock until when whoever plans still has the time to tell what came of its calls.
    `agreed` are policy rules confirmed before the turn. `history` is what earlier turns asked for and did; what
    this one does is noted there. `place` is that of the agent that plans, where several
    work at the same time.
    """

    hass: HomeAssistant
    context: Context
    executor: ToolExecutor
    policy: PolicyEngine
    interaction: Interaction
    history: CallHistory = field(default_factory=CallHistory)
    observer: PlanObserver = field(default_factory=PlanObserver)
    dry_run: bool = False
    answer_seconds: float = ANSWER_SECONDS
    deadline: float | None = None
    agreed: frozenset[str] = frozenset()
    place: PlaceInOrder | None = None
    _tally: Tally | None = None
    _reached: set[str] = field(default_factory=set)
    _made: dict[str, dict[str, Outcome]] = field(default_factory=dict)

    @contextmanager
    def without_repeats(self) -> Generator[Tally]:
        """Suppress calls that repeat earlier ones for the same target, and count them."""
        outer, self._tally = self._tally, Tally()
        try:
            yield self._tally
        finally:
            self._tally = outer

    async def async_run(
        self, plan: Plan, *, confirmed: frozenset[str] = frozenset()
    ) -> PlanExecution:
        """Run the steps of a plan in order; a question ends it.

        `confirmed` are the policy rules that the user confirmed.
        """
        await self._async_wait(plan)
        rights = await async_rights(self.hass, self.context.user_id)
        execution = self._begin(plan, confirmed)
        for entry in execution.steps:
            match entry.step:
                case AskUser():
                    entry.begin()
                    break
                case Respond(phase="pre", message=message):
                    self._communicate(plan, entry, message)
                case ToolCall() as call:
                    refused = find_uncontrollable(self.hass, rights, call)
                    await self._async_call(execution, entry, call, confirmed, refused)
        return execution

    async def async_hand_over(
        self,
        plan: Plan,
        do: Callable[[], Awaitable[bool]],
        *,
        confirmed: frozenset[str] = frozenset(),
    ) -> PlanExecution:
        """Let `do` carry out a plan's calls, all of them or, if a policy refuses one, none.

        So it is if the user may not control a target. For what Home Assistant's own agent does by itself; `do`
        returns whether it succeeded.
        """
        await self._async_wait(plan)
        rights = await async_rights(self.hass, self.context.user_id)
        execution = self._begin(plan, confirmed)
        calls = [entry for entry in execution.steps if isinstance(entry.step, ToolCall)]
        for entry in execution.steps:
            if isinstance(entry.step, Respond) and entry.step.phase == "pre":
                self._communicate(plan, entry, entry.step.message)
        refusals = [
            self._refuse(execution, call, forbidden)[1]
            for call in plan.calls
            if (forbidden := find_uncontrollable(self.hass, rights, call))
        ]
        if refusals:
            execution.results = refusals
            for entry in calls:
                entry.begin()
                entry.end(ok=False)
            return execution
        verdicts = [
            verdict
            for call in plan.calls
            for verdict in await self._async_check(plan, call, confirmed, whole=True)
        ]
        refused = [verdict for verdict in verdicts if not verdict.allowed]
        denied = [verdict for verdict in refused if verdict.effect is PolicyEffect.DENY]
        # The values of a delegated call cannot be changed, so that a clamp denies it.
        denied += [verdict for verdict in verdicts if verdict.effect is PolicyEffect.CLAMP]
        if denied:
            execution.results = [_denied_result(verdict) for verdict in denied]
            for entry in calls:
                entry.begin()
                entry.end(ok=False)
        elif refused:
            execution.to_confirm = [
                replace(each, effect=PolicyEffect.CONFIRM, call=call)
                for call in plan.calls
                for each in refused
            ]
        elif self.dry_run:
            execution.dry_run_calls = plan.calls
        elif self._were_all_made(plan.calls):
            execution.results = [self._earlier_result(call) for call in plan.calls if call.targets]
        else:
            await self._async_run_handed_over(execution, calls, do)
        return execution

    def _were_all_made(self, calls: Sequence[ToolCall]) -> bool:
        """Return whether all calls with targets were made before in this turn, and may not be repeated."""
        left = [self._without_repeats(call) for call in calls if call.targets]
        return bool(left) and not any(call.targets for call in left)

    async def _async_run_handed_over(
        self,
        execution: PlanExecution,
        calls: Sequence[StepExecution],
        do: Callable[[], Awaitable[bool]],
    ) -> None:
        """Let `do` carry out the calls, and verify their outcomes."""
        plan = execution.plan
        reached = [target for call in plan.calls for target in call.targets]
        execution.before, members = self._states(reached), self._members(reached)
        for entry in calls:
            entry.begin()
        ok = await do()
        for entry, call in zip(calls, plan.calls, strict=True):
            result = await self._async_verify(call, execution.before, ok=ok)
            result = self._with_unchanged(result, execution.before, members)
            execution.results.append(result)
            entry.end(ok=result.ok)
            self._remember(result, ok=ok)
            self.observer.executed(plan, result)
        self.observer.changed(_expand_groups(execution.before, members))

    async def _async_verify(
        self, call: ToolCall, before: Mapping[str, State], *, ok: bool
    ) -> ToolResult:
        """Return the verified result of a call that was delegated; `ok` is the other agent's own word.

        Targets with an assumed state cannot be verified.
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

    async def _async_wait(self, plan: Plan) -> None:
        """Wait until nobody who was told something before will touch what a plan does."""
        if self.place and plan.calls:
            await self.place.async_wait(self._policy_check.reach(plan.calls))

    def _begin(self, plan: Plan, confirmed: frozenset[str]) -> PlanExecution:
        """Start the execution of a plan, and count the entities that it reaches."""
        execution = PlanExecution.of(plan, confirmed)
        self.observer.planned(execution)
        self._reached |= self._policy_check.find_reached(plan.calls)
        return execution

    def _communicate(self, plan: Plan, entry: StepExecution, message: str) -> None:
        """Run the step Respond(pre)."""
        entry.begin()
        self.observer.communicated(plan, message)
        entry.end(ok=True)

    @property
    def _policy_check(self) -> PolicyCheck:
        """Return the policy check for this turn's interaction."""
        return PolicyCheck(self.hass, self.policy, self.interaction)

    async def _async_check(
        self, plan: Plan, call: ToolCall, confirmed: frozenset[str], *, whole: bool = False
    ) -> Sequence[Verdict]:
        """Check a call against the policies; `whole` if groups in it cannot be split."""
        agreed = self.agreed | confirmed
        is_answer = bool(confirmed)
        past = self.history.before(self.interaction, is_answer=is_answer)
        verdicts = await replace(self._policy_check, history=past).async_check(
            call, len(self._reached), agreed, whole=whole
        )
        if self.interaction.overrides and OVERRIDING not in agreed:
            verdicts = [asked_first(verdict) for verdict in verdicts]
        if not (is_answer or self.interaction.is_due):
            # Whoever says yes, and what is due, was asked for before.
            self._note(call, call.targets, is_done=False)
        for verdict in verdicts:
            self.observer.checked(plan, verdict)
        return verdicts

    async def _async_call(
        self,
        execution: PlanExecution,
        entry: StepExecution,
        call: ToolCall,
        confirmed: frozenset[str],
        refused: tuple[str, ...],
    ) -> None:
        """Run one tool call, in as many parts as there are verdicts.

        `refused` are its targets that the user may not control; no policy is asked about them.
        """
        entry.begin()
        results: list[ToolResult] = []
        waits = False
        verdicts: Sequence[Verdict] = ()
        if refused:
            call, result = self._refuse(execution, call, refused)
            results.append(result)
        if call.targets or not refused:
            verdicts = await self._async_check(execution.plan, call, confirmed)
        for verdict in verdicts:
            if verdict.effect is PolicyEffect.CONFIRM:
                execution.to_confirm.append(verdict)
                waits = True
            elif verdict.effect is PolicyEffect.DENY:
                results.append(_denied_result(verdict))
            elif self.dry_run:
                results += self._plan_dry_run(execution, verdict.call)
            else:
                results.append(await self._async_execute(execution, verdict))
        execution.results += results
        if waits:
            entry.status = StepStatus.PENDING
        else:
            entry.end(ok=all(result.ok for result in results))

    def _refuse(
        self, execution: PlanExecution, call: ToolCall, refused: tuple[str, ...]
    ) -> tuple[ToolCall, ToolResult]:
        """Return a call without the targets that the user may not control, and the result for these."""
        left, result = refuse_targets(call, refused)
        if not self.dry_run:
            self.observer.executed(execution.plan, result)
        return left, result

    def _plan_dry_run(self, execution: PlanExecution, call: ToolCall) -> list[ToolResult]:
        """Record the call that a dry run does not make; return the results of the targets refused."""
        refused = {t: code for t in call.targets if (code := find_refusal(self.hass, call, t))}
        if able := tuple(target for target in call.targets if target not in refused):
            execution.dry_run_calls.append(call.model_copy(update={"targets": able}))
        if not refused:
            return []
        outcomes = tuple(Outcome(target, code) for target, code in refused.items())
        return [ToolResult(call.model_copy(update={"targets": tuple(refused)}), outcomes)]

    async def _async_execute(self, execution: PlanExecution, verdict: Verdict) -> ToolResult:
        """Execute a call that the policies allow."""
        call = self._without_repeats(verdict.call)
        if verdict.effect is PolicyEffect.CLAMP and call.habit == "level":
            # It is the rule's level now.
            call = call.model_copy(update={"habit": ""})
        if not call.targets and verdict.call.targets:
            return self._earlier_result(verdict.call)
        before, members = self._states(call.targets), self._members(call.targets)
        result = await self.executor.async_execute(
            call, self.context, self.answer_seconds, self.deadline
        )
        result = self._with_unchanged(result, before, members)
        if verdict.effect is PolicyEffect.CLAMP:
            result = replace(result, note=verdict.reason)
        called = {outcome.entity_id for outcome in result.outcomes if outcome.was_called}
        if is_momentary(call.action):
            called = set()
        changed = {entity_id: state for entity_id, state in before.items() if entity_id in called}
        # If two steps change an entity, undo restores the state from before the first.
        execution.before = changed | execution.before
        self._remember(result)
        self.observer.executed(execution.plan, result)
        self.observer.changed(_expand_groups(changed, members))
        return result

    def _with_unchanged(
        self,
        result: ToolResult,
        before: Mapping[str, State],
        members: Mapping[str, Mapping[str, State]],
    ) -> ToolResult:
        """Return a result that says which targets were so before the call; a group was so where its members were."""
        outcomes = tuple(
            replace(each, was_so=was_so(self.hass, result.call, known))
            if each.ok and (known := _own_states(each.entity_id, before, members))
            else each
            for each in result.outcomes
        )
        return replace(result, outcomes=outcomes)

    def _without_repeats(self, call: ToolCall) -> ToolCall:
        """Return a call without the targets that it was made for before, while repeats are tallied."""
        if self._tally is None or not (made := self._made.get(_call_key(call), {})):
            return call
        left = tuple(target for target in call.targets if target not in made)
        self._tally.repeated += bool(call.targets and not left)
        return call.model_copy(update={"targets": left})

    def _earlier_result(self, call: ToolCall) -> ToolResult:
        """Return the result of a call from when it was made earlier in this turn."""
        made = self._made[_call_key(call)]
        return ToolResult(call, tuple(made[target] for target in dict.fromkeys(call.targets)))

    def _note(self, call: ToolCall, targets: Sequence[str], *, is_done: bool) -> None:
        """Note a call in the history that rules look at; a dry run notes none."""
        if not self.dry_run:
            reached = with_members(self.hass, targets)
            self.history.note(call, reached, self.interaction, dt_util.now(), is_done=is_done)

    def _remember(self, result: ToolResult, *, ok: bool = True) -> None:
        """Store the outcomes of a call: for rules, and to suppress its repetition.

        Of a call without targets only whoever made it knows whether it was `ok`.
        """
        if result.done or (ok and not result.outcomes):
            self._note(result.call, result.done, is_done=True)
        if self._tally is not None:
            self._tally.made += result.was_made
        made = self._made.setdefault(_call_key(result.call), {})
        made |= {outcome.entity_id: outcome for outcome in result.outcomes if outcome.was_called}

    def _members(self, entity_ids: Sequence[str]) -> dict[str, dict[str, State]]:
        """Return the states of group members, by group, of the groups whose members are all exposed."""
        found = {entity_id: members_of(self.hass, entity_id) for entity_id in entity_ids}
        return {
            group: self._states(members)
            for group, members in found.items()
            if members and all(is_exposed(self.hass, member) for member in members)
        }

    def _states(self, entity_ids: Sequence[str]) -> dict[str, State]:
        """Return the states of entities by their ids, without those that have none."""
        return {e: state for e in entity_ids if (state := self.hass.states.get(e))}


def _own_states(
    entity_id: str, before: Mapping[str, State], members: Mapping[str, Mapping[str, State]]
) -> dict[str, State]:
    """Return the states of an entity and of the members of a group."""
    own = {entity_id: state} if (state := before.get(entity_id)) else {}
    return own | dict(members.get(entity_id, {}))


def _expand_groups(
    changed: Mapping[str, State], members: Mapping[str, Mapping[str, State]]
) -> dict[str, State]:
    """Return the states with groups replaced by their members, since undo restores each of them."""
    found: dict[str, State] = {}
    for entity_id, state in changed.items():
        found |= members.get(entity_id) or {entity_id: state}
    return found


def _call_key(call: ToolCall) -> str:
    """Return a key that is equal for calls with the same action and data, for any targets."""
    data = json.dumps(call.data, sort_keys=True, default=str)
    return f"{call.action} {data}"


def _denied_result(verdict: Verdict) -> ToolResult:
    """Return the result of a call that a policy denies."""
    # A call without targets needs an outcome, too, to count as failed.
    targets = tuple(dict.fromkeys(verdict.call.targets)) or ("",)
    code = ErrorCode.EXCEPTED if verdict.rule == EXCEPTED else ErrorCode.DENIED
    return ToolResult(verdict.call, tuple(Outcome(t, code, verdict.reason) for t in targets))

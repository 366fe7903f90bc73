"""Execution of plans: status and results, the observer that is notified of each step, the order beside other plans.

Plans that are made at the same time wait for each other where they touch the same things.
"""

import asyncio
from dataclasses import dataclass, field
from enum import StrEnum

from homeassistant.core import State

from ..domains.models import ToolCall
from ..json_model import timestamp
from ..policy.engine import Verdict
from .models import Plan, PlanStep, Respond, ToolResult


class StepStatus(StrEnum):
    """Status of a step of a plan."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(slots=True)
class StepExecution:
    """A step with its status and times (ISO 8601); None for a time that has not come."""

    step: PlanStep
    status: StepStatus = StepStatus.PENDING
    started_at: str | None = None
    ended_at: str | None = None

    def begin(self) -> None:
        """Mark the step as in progress."""
        self.status, self.started_at = StepStatus.IN_PROGRESS, timestamp()

    def end(self, *, ok: bool) -> None:
        """Mark the step as completed or failed."""
        self.status = StepStatus.COMPLETED if ok else StepStatus.FAILED
        self.ended_at = timestamp()


@dataclass(slots=True)
class PlanExecution:
    """Execution of a plan (Agent router orchestration, PlanExecution).

    `results` are those of the calls that were made or refused, `to_confirm` the verdicts that await the
    user's confirmation, `agreed` the rules that were confirmed before, `dry_run_calls` the calls that a dry
    run did not make. `before` are the states before the calls, by entity id.
    """

    plan: Plan
    steps: list[StepExecution]
    results: list[ToolResult] = field(default_factory=list)
    to_confirm: list[Verdict] = field(default_factory=list)
    agreed: frozenset[str] = frozenset()
    dry_run_calls: list[ToolCall] = field(default_factory=list)
    before: dict[str, State] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan, agreed: frozenset[str] = frozenset()) -> PlanExecution:
        """Return the execution of a plan with all steps pending; `agreed` are the rules that were confirmed."""
        return cls(plan, [StepExecution(step) for step in plan.steps], agreed=agreed)

    @property
    def ok(self) -> bool:
        """Return whether every call succeeded, none was refused and none awaits confirmation."""
        return not self.to_confirm and all(result.ok for result in self.results)

    def mark_responded(self) -> None:
        """Mark the step Respond(post) as completed."""
        for entry in self.steps:
            if isinstance(entry.step, Respond) and entry.step.phase == "post":
                entry.begin()
                entry.end(ok=True)


class PlanObserver:
    """Notified of the stages of a plan (Agent router orchestration); this one ignores them."""

    def planned(self, execution: PlanExecution) -> None:
        """Handle a new plan (stage plan_created)."""

    def communicated(self, plan: Plan, message: str) -> None:
        """Handle the message before the calls (stage plan_communicated)."""

    def checked(self, plan: Plan, verdict: Verdict) -> None:
        """Handle a policy's verdict on a call (stage policy_check)."""

    def executed(self, plan: Plan, result: ToolResult) -> None:
        """Handle the result of a call that was made (stage tool_execute)."""

    def changed(self, before: dict[str, State]) -> None:
        """Handle the states from before a call, of the entities it may have changed."""


type AffectedEntities = frozenset[str] | None
"""The entity ids that something touches; None where it may be any."""


def are_apart(one: AffectedEntities, other: AffectedEntities) -> bool:
    """Return whether two things touch nothing in common."""
    if one is None or other is None:
        return False
    return one.isdisjoint(other)


class PlanOrder:
    """The order of some agents of a turn that work at the same time.

    A plan waits until each agent before it has finished, or has a plan that touches nothing of what this one
    does: what is said first is done first.
    """

    def __init__(self) -> None:
        """Begin with nobody at work."""
        self._places: list[PlaceInOrder] = []
        self._changed = asyncio.Condition()

    def place(self) -> PlaceInOrder:
        """Return the place of one more agent, after those that have one."""
        place = PlaceInOrder(before=tuple(self._places), changed=self._changed)
        self._places.append(place)
        return place


@dataclass(slots=True, kw_only=True)
class PlaceInOrder:
    """One agent's place among those that work at the same time, after those `before` it.

    `changed` tells the others what it does.
    """

    before: tuple[PlaceInOrder, ...]
    changed: asyncio.Condition
    _reach: AffectedEntities = frozenset()
    _has_plan: bool = False
    _is_done: bool = False

    async def async_wait(self, reach: AffectedEntities) -> None:
        """Wait until a plan that touches `reach` can be carried out."""
        known = self._reach
        self._reach = None if known is None or reach is None else known | reach
        self._has_plan = True
        async with self.changed:
            self.changed.notify_all()
            await self.changed.wait_for(lambda: all(map(self._may_pass, self.before)))

    async def async_done(self) -> None:
        """Let those go on that wait for this one."""
        self._is_done = True
        async with self.changed:
            self.changed.notify_all()

    def _may_pass(self, other: PlaceInOrder) -> bool:
        """Return whether another agent will touch nothing any more of what this one does."""
        return other._is_done or (other._has_plan and are_apart(other._reach, self._reach))

"""What becomes of a plan: where each step stands, and who is told of it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from homeassistant.core import State

from ..domains.models import ToolCall
from ..json_model import timestamp
from ..policy.engine import Verdict
from .models import Plan, PlanStep, Respond, ToolResult


class StepStatus(StrEnum):
    """Where a step of a plan stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(slots=True)
class StepExecution:
    """A step and where it stands. Times are ISO 8601, None for what has not come yet."""

    step: PlanStep
    status: StepStatus = StepStatus.PENDING
    started_at: str | None = None
    ended_at: str | None = None

    def begin(self) -> None:
        """Note that the step is being taken."""
        self.status, self.started_at = StepStatus.IN_PROGRESS, timestamp()

    def end(self, *, ok: bool) -> None:
        """Note how the step ended."""
        self.status = StepStatus.COMPLETED if ok else StepStatus.FAILED
        self.ended_at = timestamp()


@dataclass(slots=True)
class PlanExecution:
    """What came of a plan (orchestration, PlanExecution).

    `results` are of the calls that were made or refused, `to_confirm` what waits for a yes, `would`
    the calls that a dry run leaves out. `before` is how everything was that may have changed.
    """

    plan: Plan
    steps: list[StepExecution]
    results: list[ToolResult] = field(default_factory=list)
    to_confirm: list[Verdict] = field(default_factory=list)
    would: list[ToolCall] = field(default_factory=list)
    before: dict[str, State] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan) -> PlanExecution:
        """Return the execution of a plan of which nothing is done yet."""
        return cls(plan, [StepExecution(step) for step in plan.steps])

    @property
    def ok(self) -> bool:
        """Return whether every call did what it says, none is refused and none waits."""
        return not self.to_confirm and all(result.ok for result in self.results)

    def said(self) -> None:
        """Note that what came of it was said."""
        for entry in self.steps:
            if isinstance(entry.step, Respond) and entry.step.phase == "post":
                entry.begin()
                entry.end(ok=True)


class Observer(Protocol):
    """Who is told of a plan's steps while they are taken."""

    def planned(self, execution: PlanExecution) -> None:
        """Note that a plan was made."""
        ...

    def communicated(self, plan: Plan, message: str) -> None:
        """Note what is said before anything is done."""
        ...

    def checked(self, plan: Plan, verdict: Verdict) -> None:
        """Note what the policies say to a call."""
        ...

    def executed(self, plan: Plan, result: ToolResult) -> None:
        """Note what came of a call that was made."""
        ...

    def changed(self, before: dict[str, State]) -> None:
        """Note how everything was that may have changed."""
        ...


class Unwatched:
    """An observer that notes nothing."""

    def planned(self, execution: PlanExecution) -> None:
        """Note nothing."""

    def communicated(self, plan: Plan, message: str) -> None:
        """Note nothing."""

    def checked(self, plan: Plan, verdict: Verdict) -> None:
        """Note nothing."""

    def executed(self, plan: Plan, result: ToolResult) -> None:
        """Note nothing."""

    def changed(self, before: dict[str, State]) -> None:
        """Note nothing."""

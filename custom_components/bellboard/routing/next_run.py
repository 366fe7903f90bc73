"""The workflow loop: runs an agent, asks a router for the next step, and ends with a reason.

The runner of agents and the routers do not know of each other (V2 routing, PipelineOrchestrator).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
import json

from ..agents.models import AgentCard
from ..json_model import timestamp
from .next_models import (
    FIXED,
    VERSION_2,
    Complete,
    Forward,
    Json,
    NextStepRouter,
    NextTask,
    RoutingStep,
    TaskEnvelopeV2,
    UndecidedError,
    agent_of,
)

MAX_ITERATIONS = 10
"""The agents that work on one task at most, by default."""

_LIMIT = "limit"


class EndReason(StrEnum):
    """Why a workflow ended.

    `complete`: nothing is left. `limit`: too many iterations. `loop`: the same would have been done
    again. `undecided`: no router could decide. `waiting`: a question is open. `unknown`: the next agent
    does not exist.
    """

    COMPLETE = "complete"
    LIMIT = "limit"
    LOOP = "loop"
    UNDECIDED = "undecided"
    WAITING = "waiting"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The result of one agent.

    `output` is any JSON, `action` its summary. `waits`: a question is open. `is_repeated`: it would have
    done again what was done before.
    """

    output: Json
    action: str
    waits: bool = False
    is_repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowResult:
    """The result of a workflow: its last task and output, why it ended, and the routing trace."""

    task: TaskEnvelopeV2
    final_output: Json
    end: EndReason
    trace: tuple[RoutingStep, ...]


type AgentRun = Callable[[TaskEnvelopeV2], Awaitable[StepResult]]


@dataclass(slots=True, kw_only=True)
class Workflow:
    """The loop of one task. `routers` are asked in order; `agents` may be chosen, `run` runs one of them."""

    routers: Sequence[NextStepRouter]
    agents: Sequence[AgentCard]
    run: AgentRun
    max_iterations: int = MAX_ITERATIONS
    _instructions: set[tuple[str, str]] = field(default_factory=set)
    _outcomes: set[tuple[str, str]] = field(default_factory=set)

    async def async_begin(self, task: TaskEnvelopeV2) -> WorkflowResult:
        """Run the task's own agent, and go on from its result."""
        return await self.async_go_on(task, await self.run(task))

    async def async_go_on(self, task: TaskEnvelopeV2, work: StepResult) -> WorkflowResult:
        """Go on from the result of the task's agent."""
        self._is_new(task, work)
        while True:
            trace = task.routing_trace or ()
            if work.waits:
                return self._finished(task, work, EndReason.WAITING, trace)
            forward, decided, end = await self._async_next(task, work)
            if forward is None:
                return self._finished(task, work, end, (*trace, decided))
            if obstacle := self._obstacle(task, forward):
                return self._finished(task, work, obstacle, (*trace, decided, _stopped(obstacle)))
            then = task.next.next if task.next else None
            task = task.forwarded(forward, action=work.action, decided=decided, then=then)
            work = await self.run(task)
            # The steps of a fixed chain come to an end by themselves.
            if decided.router != FIXED and not self._is_new(task, work):
                stopped = _stopped(EndReason.LOOP)
                return self._finished(
                    task, work, EndReason.LOOP, (*(task.routing_trace or ()), stopped)
                )

    async def _async_next(
        self, task: TaskEnvelopeV2, work: StepResult
    ) -> tuple[Forward | None, RoutingStep, EndReason]:
        """Return the next step or None, the decision for the trace, and the reason if it ends."""
        if task.next is not None:
            fixed = _fixed_step(task.next, work.output)
            return fixed, _trace_entry(fixed), EndReason.COMPLETE
        if task.version != VERSION_2:
            done = Complete(final_output=work.output, router=FIXED)
            return None, _trace_entry(done), EndReason.COMPLETE
        for router in self.routers:
            try:
                decision = await router.async_decide_next_step(task, work.output, self.agents)
            except UndecidedError:
                continue
            forward = decision if isinstance(decision, Forward) else None
            return forward, _trace_entry(decision), EndReason.COMPLETE
        undecided = Complete(final_output=work.output, router="", reasoning="Nobody could decide.")
        return None, _trace_entry(undecided), EndReason.UNDECIDED

    def _obstacle(self, task: TaskEnvelopeV2, forward: Forward) -> EndReason | None:
        """Return why a task may not be forwarded; None if it may."""
        iteration = task.context.iteration_count if task.context else 0
        if iteration + 1 >= self.max_iterations:
            return EndReason.LIMIT
        if task.next is None and _instruction_key(forward.next_agent, forward.next_instruction) in (
            self._instructions
        ):
            return EndReason.LOOP
        if not any(card.id == forward.next_agent for card in self.agents):
            return EndReason.UNKNOWN
        return None

    def _is_new(self, task: TaskEnvelopeV2, work: StepResult) -> bool:
        """Note an instruction and its output; return whether this is the first time."""
        outcome = task.agent_id, json.dumps(work.output, sort_keys=True, default=str)
        is_new = outcome not in self._outcomes and not work.is_repeated
        self._outcomes.add(outcome)
        self._instructions.add(_instruction_key(task.agent_id, task.instruction or ""))
        return is_new

    def _finished(
        self, task: TaskEnvelopeV2, work: StepResult, end: EndReason, trace: tuple[RoutingStep, ...]
    ) -> WorkflowResult:
        """Return the result of the workflow."""
        return WorkflowResult(
            task=task.model_copy(update={"routing_trace": trace}),
            final_output=work.output,
            end=end,
            trace=trace,
        )


def _instruction_key(agent_id: str, instruction: str) -> tuple[str, str]:
    """Return an instruction in a form to compare, with its agent."""
    return agent_id, " ".join(instruction.casefold().split()).rstrip(".!")


def _fixed_step(step: NextTask, output: Json) -> Forward:
    """Return a fixed step as a decision."""
    return Forward(
        next_agent=agent_of(step.topic),
        next_instruction=step.instruction or "",
        forwarded_data=output,
        router=FIXED,
    )


def _trace_entry(decision: Complete | Forward) -> RoutingStep:
    """Return a decision for the trace."""
    forward = decision if isinstance(decision, Forward) else None
    return RoutingStep(
        router=decision.router,
        agent_id=forward.next_agent if forward else None,
        instruction=forward.next_instruction if forward else None,
        reasoning=decision.reasoning,
        confidence=decision.confidence,
        timestamp=timestamp(),
    )


def _stopped(end: EndReason) -> RoutingStep:
    """Return the trace entry of a workflow that was stopped."""
    return RoutingStep(router=_LIMIT, reasoning=end.value, timestamp=timestamp())

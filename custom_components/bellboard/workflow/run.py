"""Takes a task from agent to agent until nothing is left to be done, or until it must end.

Whoever runs agents is told of each task; whoever decides is asked after each of them. Neither knows
of the other.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
import json

from ..agents.models import AgentCard
from ..json_model import timestamp
from .models import (
    VERSION_2,
    Complete,
    Forward,
    Json,
    NextTask,
    RoutingStep,
    TaskEnvelopeV2,
    agent_of,
)
from .router import NextStepRouter, UndecidedError

MAX_ITERATIONS = 10
"""The agents that work on one task at most, as long as nothing else is set."""

_NEXT = "next"
_LIMIT = "limit"


class End(StrEnum):
    """Why a task went no further.

    `complete`: nothing is left. `limit`: too many agents worked on it. `loop`: the same would have been
    done again. `undecided`: nobody could decide. `waiting`: a question is open. `unknown`: the agent it
    was to go to is not there.
    """

    COMPLETE = "complete"
    LIMIT = "limit"
    LOOP = "loop"
    UNDECIDED = "undecided"
    WAITING = "waiting"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an agent made of a task.

    `output` is any JSON, `action` sums it up. With `waits` a question is open, so that nobody can go
    on. With `is_repeated` it would have done again what was done before.
    """

    output: Json
    action: str
    waits: bool = False
    is_repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a workflow ended: its last task, what came of that, why it ended, and each decision."""

    task: TaskEnvelopeV2
    final_output: Json
    end: End
    trace: tuple[RoutingStep, ...]


type AgentRun = Callable[[TaskEnvelopeV2], Awaitable[Work]]


@dataclass(slots=True, kw_only=True)
class Workflow:
    """One task on its way (PipelineOrchestrator, V2 routing).

    `routers` are asked in order, until one decides. `agents` are those that may be chosen, `run` lets
    one of them work.
    """

    routers: Sequence[NextStepRouter]
    agents: Sequence[AgentCard]
    run: AgentRun
    max_iterations: int = MAX_ITERATIONS
    _instructions: set[tuple[str, str]] = field(default_factory=set)
    _outcomes: set[tuple[str, str]] = field(default_factory=set)

    async def async_begin(self, task: TaskEnvelopeV2) -> Finished:
        """Let the task's own agent work, and go on from there."""
        return await self.async_go_on(task, await self.run(task))

    async def async_go_on(self, task: TaskEnvelopeV2, work: Work) -> Finished:
        """Go on from what the task's agent made."""
        self._is_new(task, work)
        while True:
            trace = task.routing_trace or ()
            if work.waits:
                return self._finished(task, work, End.WAITING, trace)
            forward, decided, end = await self._async_next(task, work)
            if forward is None:
                return self._finished(task, work, end, (*trace, decided))
            if obstacle := self._obstacle(task, forward):
                return self._finished(task, work, obstacle, (*trace, decided, _stopped(obstacle)))
            then = task.next.next if task.next else None
            task = task.forwarded(forward, action=work.action, decided=decided, then=then)
            work = await self.run(task)
            # The steps of a fixed chain come to an end by themselves.
            if decided.router != _NEXT and not self._is_new(task, work):
                stopped = _stopped(End.LOOP)
                return self._finished(task, work, End.LOOP, (*(task.routing_trace or ()), stopped))

    async def _async_next(
        self, task: TaskEnvelopeV2, work: Work
    ) -> tuple[Forward | None, RoutingStep, End]:
        """Return where the task goes, how that was decided, and, where it goes nowhere, why."""
        if task.next is not None:
            fixed = _fixed(task.next, work.output)
            return fixed, _step_of(fixed), End.COMPLETE
        if task.version != VERSION_2:
            done = Complete(final_output=work.output, router=_NEXT)
            return None, _step_of(done), End.COMPLETE
        for router in self.routers:
            try:
                decision = await router.async_decide_next_step(task, work.output, self.agents)
            except UndecidedError:
                continue
            forward = decision if isinstance(decision, Forward) else None
            return forward, _step_of(decision), End.COMPLETE
        undecided = Complete(final_output=work.output, router="", reasoning="Nobody could decide.")
        return None, _step_of(undecided), End.UNDECIDED

    def _obstacle(self, task: TaskEnvelopeV2, forward: Forward) -> End | None:
        """Return why a task may not be forwarded, or None where it may."""
        iteration = task.context.iteration_count if task.context else 0
        if iteration + 1 >= self.max_iterations:
            return End.LIMIT
        if task.next is None and _asked(forward.next_agent, forward.next_instruction) in (
            self._instructions
        ):
            return End.LOOP
        if not any(card.id == forward.next_agent for card in self.agents):
            return End.UNKNOWN
        return None

    def _is_new(self, task: TaskEnvelopeV2, work: Work) -> bool:
        """Note what an agent was told and what came of it; return whether that is the first time."""
        outcome = task.agent_id, json.dumps(work.output, sort_keys=True, default=str)
        is_new = outcome not in self._outcomes and not work.is_repeated
        self._outcomes.add(outcome)
        self._instructions.add(_asked(task.agent_id, task.instruction or ""))
        return is_new

    def _finished(
        self, task: TaskEnvelopeV2, work: Work, end: End, trace: tuple[RoutingStep, ...]
    ) -> Finished:
        """Return how it ended, with all that was done so far."""
        return Finished(
            task=task.model_copy(update={"routing_trace": trace}),
            final_output=work.output,
            end=end,
            trace=trace,
        )


def _asked(agent_id: str, instruction: str) -> tuple[str, str]:
    """Return what an agent is told, whatever the case and the spaces."""
    return agent_id, " ".join(instruction.casefold().split()).rstrip(".!")


def _fixed(step: NextTask, output: Json) -> Forward:
    """Return the step that was fixed from the start."""
    return Forward(
        next_agent=agent_of(step.topic),
        next_instruction=step.instruction or "",
        forwarded_data=output,
        router=_NEXT,
    )


def _step_of(decision: Complete | Forward) -> RoutingStep:
    """Return a decision as it is kept."""
    forward = decision if isinstance(decision, Forward) else None
    return RoutingStep(
        router=decision.router,
        agent_id=forward.next_agent if forward else None,
        instruction=forward.next_instruction if forward else None,
        reasoning=decision.reasoning,
        confidence=decision.confidence,
        timestamp=timestamp(),
    )


def _stopped(end: End) -> RoutingStep:
    """Return that an end was made of it, and why."""
    return RoutingStep(router=_LIMIT, reasoning=end.value, timestamp=timestamp())

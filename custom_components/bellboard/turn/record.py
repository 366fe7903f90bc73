"""What is noted of a turn while it lasts: for its trace, for undoing, for a dry run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homeassistant.core import State

from ..agents.models import AgentResponse
from ..domains.models import ToolCall
from ..domains.registry import is_momentary
from ..memory.models import Artifact, TaskState, WorkflowState
from ..plans.execution import PlanExecution
from ..plans.models import Plan, ToolResult
from ..policy.engine import PolicyEffect, Verdict
from ..routing.models import AgentChoiceResult, Assignment, Source
from ..telemetry.events import Level, Stage
from ..telemetry.trace import TurnTrace
from .decision import Decision


def call_as_json(call: ToolCall) -> dict[str, Any]:
    """Return a call as it is shown: the action, its data with the entities, and whether anything was assumed."""
    targets = {"entity_id": list(call.targets)} if call.targets else {}
    assumed = {"assumed": True} if call.assumed else {}
    habit = {"habit": call.habit} if call.habit else {}
    return {"action": call.action, "data": {**targets, **call.data}, **assumed, **habit}


@dataclass(slots=True)
class TurnRecord:
    """Observes a turn: its plans and agents, noted in the trace and for what is kept afterwards.

    `before` is how every entity was that the turn may have changed, `executions` what came of each plan,
    `verdicts` what the policies said. `last_response` is that of the agent that answered last, `delayed_ids`
    are those of the commands that were planned for later. `choice` is the router's, and `variant` the one that
    made it, where a router was asked. `intents` are the ids of the agent and the intent of each part, None for
    an intent that nobody understood. `momentary` are the domains of actions that were over when they were done.
    """

    trace: TurnTrace
    before: dict[str, State] = field(default_factory=dict)
    executions: list[PlanExecution] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    last_response: AgentResponse | None = None
    delayed_ids: list[str] = field(default_factory=list)
    choice: AgentChoiceResult | None = None
    variant: str = ""
    intents: list[tuple[str, str | None]] = field(default_factory=list)
    momentary: set[str] = field(default_factory=set)
    _workflow: WorkflowState = field(default_factory=WorkflowState)

    def routed(self, decision: Decision) -> None:
        """Note what the router decided, and among which agents."""
        self.choice, self.variant = decision.route.choice, decision.variant
        self.trace.parts = decision.route.assignments
        self.trace.eligible = [card.id for card in decision.cards]

    def classified(
        self, part: Assignment, intent_id: str | None, redacted_params: Sequence[str]
    ) -> None:
        """Note the intent of a part; None where nobody understood it."""
        is_first = not self.intents
        self.intents.append((part.agent_id, intent_id))
        known: dict[str, Any] = {"intent_id": intent_id, "unknown_intent": True}
        if intent_id is not None:
            known = {"intent_id": intent_id, "redacted_params": list(redacted_params)}
        chosen: dict[str, Any] = {}
        if is_first and self.choice:
            chosen = {"variant": self.variant, "choice": self.choice.as_json()}
        self.trace.add(
            Stage.INTENT_CLASSIFIED,
            agent_id=part.agent_id,
            **known,
            source=part.source.value,
            measure=part.measure.value,
            confidence=part.confidence,
            reasoning=part.reason or None,
            **chosen,
        )

    @property
    def is_unknown(self) -> bool:
        """Return whether nobody understood any part of the sentence."""
        return bool(self.intents) and all(intent_id is None for _, intent_id in self.intents)

    @property
    def primary_intent(self) -> tuple[str, str | None]:
        """Return the ids of the agent and the intent of the first part that was understood."""
        known = (each for each in self.intents if each[1] is not None)
        return next(known, self.intents[0] if self.intents else ("", None))

    def planned(
        self, execution: PlanExecution, intent_id: str | None = None, model: str = ""
    ) -> None:
        """Note a plan and the model that was asked for it, and keep what will have come of it."""
        self.executions.append(execution)
        steps = [step.type for step in execution.plan.steps]
        asked: dict[str, Any] = {"model": model} if model else {}
        self.trace.add(Stage.PLAN_CREATED, **_ids(execution.plan, intent_id), steps=steps, **asked)

    def communicated(self, plan: Plan, message: str, intent_id: str | None = None) -> None:
        """Note what is said before anything is done."""
        self.trace.add(Stage.PLAN_COMMUNICATED, **_ids(plan, intent_id), message=message)

    def checked(self, plan: Plan, verdict: Verdict, intent_id: str | None = None) -> None:
        """Note what the policies say to a call."""
        self.verdicts.append(verdict)
        said = {"effect": verdict.effect.value, "rule": verdict.rule} if verdict.rule else {}
        if verdict.reason:
            said["reason"] = verdict.reason
        self.trace.add(
            Stage.POLICY_CHECK,
            level=Level.INFO if verdict.effect is PolicyEffect.ALLOW else Level.WARN,
            **_ids(plan, intent_id),
            allowed=verdict.allowed,
            tool=verdict.call.action,
            **said,
        )

    def executed(self, plan: Plan, result: ToolResult, intent_id: str | None = None) -> None:
        """Note what came of a call that was made."""
        if result.was_made:
            self.trace.add_call(call_as_json(result.call))
        if result.done and is_momentary(result.call.action):
            self.momentary.add(result.call.action.partition(".")[0])
        errors = {o.entity_id: o.error.value for o in result.outcomes if o.error}
        self.trace.add(
            Stage.TOOL_EXECUTE,
            level=Level.INFO if result.ok else Level.ERROR,
            **_ids(plan, intent_id),
            ok=result.ok,
            tool=result.call.action,
            **({"errors": errors} if errors else {}),
        )

    def changed(self, before: Mapping[str, State]) -> None:
        """Keep how everything was before anything of the turn changed it."""
        self.before = {**before, **self.before}

    def working(self, agent_id: str) -> None:
        """Note which agent is at work."""
        self._workflow.current_executor = agent_id

    def waiting(self, agent_ids: Sequence[str]) -> None:
        """Note which agents are still to answer."""
        self._workflow.pending_operations = list(agent_ids)

    def answered(
        self,
        response: AgentResponse,
        *,
        confidence: float,
        source: Source,
        is_measured: bool,
        model: str = "",
    ) -> None:
        """Note who answered, how sure that choice was, and where it is measured how it went and with which model."""
        self.last_response = response
        measured: dict[str, Any] = {}
        if is_measured:
            measured = {"success": response.success, "ms": response.execution_time_ms}
            measured |= {"model": model} if model else {}
        self.trace.add_agent(
            response.agent_id, confidence=confidence, source=source.value, **measured
        )

    def delayed(self, command_id: str) -> None:
        """Note that a command was planned for later."""
        self.delayed_ids.append(command_id)

    def finished(
        self,
        reply: str,
        state: TaskState,
        task_id: str,
        get_state: Callable[[str], State | None],
    ) -> None:
        """Note how the turn ended, where its work stood then, and how what it changed is now."""
        trace = self.trace
        trace.executions, trace.verdicts, trace.before = self.executions, self.verdicts, self.before
        trace.after = {entity_id: get_state(entity_id) for entity_id in self.before}
        metadata = {"turnId": self.trace.id, "taskId": task_id}
        workflow = self._workflow.model_copy(update={"metadata": metadata})
        self.trace.finish(reply, state.value, workflow.as_json())

    def artifacts(self) -> list[Artifact]:
        """Return what the turn made: a plan for each agent, with where each step stands."""
        return [
            Artifact(
                name="plan",
                parts=[
                    {
                        "kind": "data",
                        "data": {
                            "agentId": execution.plan.agent_id,
                            "intentId": execution.plan.intent_id,
                            "steps": _steps_as_json(execution),
                        },
                    }
                ],
            )
            for execution in self.executions
        ]


def _ids(plan: Plan, intent_id: str | None) -> dict[str, Any]:
    """Return who made a plan, and for what: the intent of its part, else the plan's own."""
    return {
        "agent_id": plan.agent_id,
        "intent_id": intent_id or plan.intent_id or plan.agent_id,
    }


def _steps_as_json(execution: PlanExecution) -> list[dict[str, Any]]:
    """Return the steps of a plan with where each of them stands."""
    return [
        {
            "type": entry.step.type,
            "status": entry.status.value,
            "startedAt": entry.started_at,
            "endedAt": entry.ended_at,
        }
        for entry in execution.steps
    ]

"""Record of a turn: its trace, with what later turns, undoing and dry runs need of it.

Stages tell the record what happened (Agent router orchestration). Each part of a sentence has an intent. What was
read without a model has it before an agent works. What a model routed has that of its agent's plan, and none where
nobody understood it (Agent router orchestration, Unknown intent).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from homeassistant.core import State
from homeassistant.helpers import intent

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched
from ..agents.models import AgentCard, AgentResponse
from ..assistant import UNROUTED_AGENTS
from ..domains.models import ToolCall
from ..domains.registry import is_momentary
from ..llm.port import ModelUse
from ..memory.models import (
    Artifact,
    TaskContext,
    TaskMessage,
    TaskState,
    WorkflowState,
    continue_plans,
)
from ..plans.execution import PlanExecution, PlanObserver
from ..plans.models import AskUser, Plan, ToolResult
from ..policy.engine import PolicyEffect, Verdict
from ..routing.models import AgentChoiceResult, Assignment, Source
from ..telemetry.trace import Level, Stage, TurnTrace
from .decision import Decision


def call_as_json(call: ToolCall) -> dict[str, Any]:
    """Return a call as it is shown: the action, its data with the entities, and whether anything was assumed."""
    targets = {"entity_id": list(call.targets)} if call.targets else {}
    assumed = {"assumed": True} if call.assumed else {}
    habit = {"habit": call.habit} if call.habit else {}
    return {"action": call.action, "data": {**targets, **call.data}, **assumed, **habit}


def verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    """Return a policy's verdict as it is shown, with its call."""
    return {
        "effect": verdict.effect.value,
        "rule": verdict.rule,
        "reason": verdict.reason,
        "needs_code": verdict.needs_code,
        **call_as_json(verdict.call),
    }


def _uuid_in(task_id: str) -> UUID | None:
    """Return the UUID that a task's id is made of; None for an id that somebody else gave."""
    try:
        return UUID(task_id.removeprefix("task-"))
    except ValueError:
        return None


def confidences_of(part: Assignment) -> dict[str, Any]:
    """Return the confidences of a part by what they were read from, where there are several."""
    found = {measure.value: round(each, 4) for measure, each in part.confidences.items()}
    return {"confidences": found} if found else {}


@dataclass(slots=True)
class TurnRecord(TurnTrace):
    """Trace of a turn while it lasts.

    `last_response` is that of the agent that answered last, `delayed_ids` are those of the commands that were
    planned for later. `choice` is the router's, and `variant` the one that made it, where a router was asked.
    `intents` are the ids of the agent and the intent of each part, None for an intent that nobody understood.
    `momentary` are the domains of actions that were over when they were done. `asked` are the artifacts of the task
    whose question was answered.
    """

    last_response: AgentResponse | None = None
    delayed_ids: list[str] = field(default_factory=list)
    choice: AgentChoiceResult | None = None
    variant: str = ""
    intents: list[tuple[str, str | None]] = field(default_factory=list)
    momentary: set[str] = field(default_factory=set)
    working: WorkflowState = field(default_factory=WorkflowState)
    asked: list[Artifact] = field(default_factory=list)
    task_id: str = ""

    def work_on(self, task: TaskContext) -> None:
        """Give the requests to models and the events the task's id, and the task that of the turn."""
        self.task_id = task.id
        self.model.task_id = _uuid_in(task.id)
        task.metadata["correlationId"] = str(self.correlation_id)

    def received(self, history: Iterable[TaskMessage], question: AskUser | None) -> None:
        """Stage received: note what is remembered of the conversation, and the question that is open."""
        known: set[str] = set()
        if question:
            known = {name for action in question.actions for name in action.parameters}
            known |= question.data.keys() if question.action else set()
        memory = {
            "history_count": 1 + sum(message.role == "user" for message in history),
            "params_keys": sorted(known),
            "waiting_for_param": question.param if question else None,
        }
        self.add(Stage.RECEIVED, memory=memory, task_id=self.task_id)

    def found_eligible(self, cards: Iterable[AgentCard]) -> None:
        """Stage intents_eligible: note who may answer here and now."""
        self.add(Stage.INTENTS_ELIGIBLE, eligible=[card.id for card in cards])

    def routed(self, decision: Decision) -> None:
        """Record the router's decision and its candidates."""
        self.choice, self.variant = decision.route.choice, decision.variant
        self.parts = decision.route.assignments
        self.eligible = [card.id for card in decision.cards]

    def classified(
        self, part: Assignment, intent_id: str | None, parameters: Iterable[str] = ()
    ) -> None:
        """Stage intent_classified: note the intent of a part; None where nobody understood it."""
        is_first = not self.intents
        self.intents.append((part.agent_id, intent_id))
        known: dict[str, Any] = {"intent_id": intent_id, "unknown_intent": True}
        if intent_id is not None:
            redacted = self.sink.redacted(parameters, intent_id, part.agent_id)
            known = {"intent_id": intent_id, "redacted_params": redacted}
        chosen: dict[str, Any] = {}
        if is_first and self.choice:
            chosen = {"variant": self.variant, "choice": self.choice.as_json()}
        self.add(
            Stage.INTENT_CLASSIFIED,
            level=Level.WARN if intent_id is None else Level.INFO,
            agent_id=part.agent_id,
            **known,
            source=part.source.value,
            measure=part.measure.value,
            confidence=part.confidence,
            **confidences_of(part),
            reasoning=part.reason or None,
            **chosen,
        )

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
        self.add_agent(response.agent_id, confidence=confidence, source=source.value, **measured)

    def works(self, at_work: Sequence[str], left: Sequence[str]) -> None:
        """Note the agents at work, of which the last is the executor, and those that are `left` for after it."""
        if at_work:
            self.working.current_executor = at_work[-1]
        self.working.pending_operations = [*at_work[:-1], *left]

    def responded(self, message: str, state: TaskState, question: AskUser | None) -> None:
        """Stage respond: note the answer, the intent it answers, and the question that is open after it."""
        is_unknown = bool(self.intents) and all(intent_id is None for _, intent_id in self.intents)
        # The first part that was understood is what the turn is about.
        known = (each for each in self.intents if each[1] is not None)
        agent_id, intent_id = next(known, self.intents[0] if self.intents else ("", None))
        level = Level.ERROR if state is TaskState.FAILED else Level.INFO
        waiting = {"waiting_for_param": question.param} if question and question.param else {}
        self.add(
            Stage.RESPOND,
            level=Level.WARN if is_unknown else level,
            message=message,
            **waiting,
            **({"fallback": True, "unknown_intent": True} if is_unknown else {}),
            agent_id=agent_id,
            intent_id=intent_id,
            state=state.value,
            task_id=self.task_id,
        )

    def finished(
        self,
        reply: str,
        state: TaskState,
        task_id: str,
        get_state: Callable[[str], State | None],
    ) -> None:
        """Note how the turn ended, where its work stood then, and how what it changed is now."""
        self.after = {entity_id: get_state(entity_id) for entity_id in self.before}
        metadata = {"turnId": self.id, "taskId": task_id}
        workflow = self.working.model_copy(update={"metadata": metadata})
        self.finish(reply, state.value, workflow.as_json())

    def artifacts(self) -> list[Artifact]:
        """Return the artifacts of the turn: a plan for each agent, with the status of each step.

        What an agent does when its question was answered goes on with the plan that asked it.
        """
        made = (
            Artifact(
                name="plan",
                parts=[
                    {
                        "kind": "data",
                        "data": {
                            "agentId": execution.plan.agent_id,
                            "intentId": execution.plan.intent_id,
                            "steps": [
                                {
                                    "type": entry.step.type,
                                    "status": entry.status.value,
                                    "startedAt": entry.started_at,
                                    "endedAt": entry.ended_at,
                                }
                                for entry in execution.steps
                            ],
                        },
                    }
                ],
            )
            for execution in self.executions
        )
        return continue_plans(self.asked, made)


@dataclass(slots=True)
class PartRecorder(PlanObserver):
    """Notes the plans for one part of a sentence, and its intent before anything else of it.

    Without a part it notes plans only. `use` counts what the part asks of a model.
    """

    record: TurnRecord
    part: Assignment | None = None
    intent_id: str | None = None
    use: ModelUse = field(default_factory=ModelUse)
    _is_noted: bool = False
    _unread: list[PlanExecution] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Note who is at work, and the intent that is known before that."""
        if (part := self.part) is None:
            self._is_noted = True
            return
        self.record.working.current_executor = part.agent_id
        if part.intent:
            self._note(part, part.intent.name, part.intent.parameters)
        elif part.source is not Source.FALLBACK and (known := part.topic or part.decline):
            self._note(part, known)

    def answered(self, dispatched: Dispatched) -> Dispatched:
        """Return the part's answer; its intent is noted now where there was no plan."""
        part, answer = self.part, dispatched.answer
        if part and not self._is_noted:
            is_unknown = _is_unknown(part, answer)
            self._note(part, None if is_unknown else part.agent_id)
            for execution in () if is_unknown else self._unread:
                self._note_plan(execution)
        if answer.question and self.intent_id and answer.plan is None:
            # What an agent asks without a plan is a plan with one step.
            agent_id = dispatched.response.agent_id
            asked = Plan(intent_id=self.intent_id, agent_id=agent_id, steps=(answer.question,))
            execution = PlanExecution.of(asked)
            execution.steps[0].begin()
            self._note_plan(execution)
        return replace(dispatched, model=self.use.asked)

    def planned(self, execution: PlanExecution) -> None:
        """Note a new plan, which says what is meant; one that does not waits for its answer."""
        plan = execution.plan
        if self.part and not self._is_noted:
            if not (plan.intent_id or plan.calls):
                self._unread.append(execution)
                return
            is_of_table = plan.actions and "/" not in plan.intent_id
            intent_id = f"{plan.agent_id}/{plan.intent_id}" if is_of_table else plan.intent_id
            self._note(self.part, intent_id or plan.agent_id, _parameters(plan))
        self._note_plan(execution)

    def communicated(self, plan: Plan, message: str) -> None:
        """Record the message before the first call."""
        self._add(Stage.PLAN_COMMUNICATED, plan, message=message)

    def checked(self, plan: Plan, verdict: Verdict) -> None:
        """Note a policy's verdict on a call."""
        self.record.verdicts.append(verdict)
        said = {"effect": verdict.effect.value, "rule": verdict.rule} if verdict.rule else {}
        if verdict.reason:
            said["reason"] = verdict.reason
        self._add(
            Stage.POLICY_CHECK,
            plan,
            level=Level.INFO if verdict.effect is PolicyEffect.ALLOW else Level.WARN,
            allowed=verdict.allowed,
            tool=verdict.call.action,
            **said,
        )

    def executed(self, plan: Plan, result: ToolResult) -> None:
        """Record the result of a call."""
        call = result.call
        if result.was_made:
            self.record.add_call(call_as_json(call))
        if result.done and is_momentary(call.action):
            self.record.momentary.add(call.action.partition(".")[0])
        errors = {o.entity_id: o.error.value for o in result.outcomes if o.error}
        self._add(
            Stage.TOOL_EXECUTE,
            plan,
            level=Level.INFO if result.ok else Level.ERROR,
            ok=result.ok,
            tool=call.action,
            **({"errors": errors} if errors else {}),
        )

    def changed(self, before: dict[str, State]) -> None:
        """Keep how everything was before anything of the turn changed it."""
        self.record.before = {**before, **self.record.before}

    def _add(self, stage: Stage, plan: Plan, *, level: Level = Level.INFO, **told: Any) -> None:
        """Note a stage of a plan, with who made it and for what: the intent of its part, else the plan's own."""
        intent_id = self.intent_id or plan.intent_id or plan.agent_id
        self.record.add(stage, level=level, agent_id=plan.agent_id, intent_id=intent_id, **told)

    def _note_plan(self, execution: PlanExecution) -> None:
        """Note a plan, with the model that was asked for it, and keep what will have come of it."""
        self.record.executions.append(execution)
        steps = [step.type for step in execution.plan.steps]
        asked: dict[str, Any] = {"model": self.use.asked} if self.use.asked else {}
        self._add(Stage.PLAN_CREATED, execution.plan, steps=steps, **asked)

    def _note(
        self, part: Assignment, intent_id: str | None, parameters: Iterable[str] = ()
    ) -> None:
        """Note the part's intent, which it keeps."""
        self._is_noted, self.intent_id = True, intent_id
        self.record.classified(part, intent_id, parameters)


def _is_unknown(part: Assignment, answer: AgentResult) -> bool:
    """Return whether nobody understood a part: no router, or not the agent that it was given to."""
    is_unrouted = part.source is Source.FALLBACK or part.agent_id in UNROUTED_AGENTS
    no_match = intent.IntentResponseErrorCode.NO_INTENT_MATCH
    return is_unrouted or answer.unknown or (not answer.success and answer.error_code is no_match)


def _parameters(plan: Plan) -> set[str]:
    """Return the names of the values of a plan."""
    if plan.actions:
        return {name for action in plan.actions for name in action.parameters}
    return {name for call in plan.calls for name in call.data}

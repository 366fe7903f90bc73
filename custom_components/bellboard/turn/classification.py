"""Stages received, intents_eligible, intent_classified and respond, as telemetry has them.

Each part of a sentence has an intent. What was read without a model has it before an agent works. What a model
routed has that of its agent's plan, and none where nobody understood it (Agent router orchestration, Unknown intent).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from homeassistant.core import State
from homeassistant.helpers import intent

from ..agents.base import AgentResult
from ..agents.dispatch import Dispatched
from ..assistant import UNROUTED_AGENTS
from ..memory.models import TaskState
from ..memory.pending import PendingQuestion
from ..plans.execution import PlanExecution
from ..plans.models import AskUser, Plan, ToolResult
from ..policy.engine import Verdict
from ..routing.models import Assignment, Source
from ..telemetry.events import Level, RespondPayload, Stage
from ..telemetry.metered import ModelUse
from .context import TurnContext
from .decision import async_eligible_cards
from .results import TurnReply


def note_received(context: TurnContext, question: AskUser | None) -> None:
    """Stage received: note what is remembered of the conversation, and the question that is open."""
    known = (
        {name for action in question.actions for name in action.parameters} if question else set()
    )
    if question and question.action:
        known |= question.data.keys()
    context.trace.add(
        Stage.RECEIVED,
        memory={
            "history_count": 1 + sum(message.role == "user" for message in context.history),
            "params_keys": sorted(known),
            "waiting_for_param": question.param if question else None,
        },
    )


async def async_note_eligible(context: TurnContext) -> None:
    """Stage intents_eligible: note who may answer here and now."""
    cards = await async_eligible_cards(context.assistant, context.user_input)
    context.trace.add(Stage.INTENTS_ELIGIBLE, eligible=[card.id for card in cards])


def note_reply(context: TurnContext, reply: TurnReply) -> None:
    """Stage intent_classified of what is replied to without an agent."""
    if part := reply.part:
        _note_intent(context, part, part.topic)


def note_respond(context: TurnContext, reply: TurnReply, pending: PendingQuestion | None) -> None:
    """Stage respond: note the answer, the intent it answers, and the question that is open after it."""
    record = context.record
    agent_id, intent_id = record.primary_intent
    payload = RespondPayload(
        message=reply.text,
        waiting_for_param=pending.question.param if pending else None,
        fallback=record.is_unknown,
        unknown_intent=record.is_unknown,
    )
    level = Level.ERROR if reply.state is TaskState.FAILED else Level.INFO
    context.trace.add(
        Stage.RESPOND,
        level=Level.WARN if record.is_unknown else level,
        **payload.as_payload(),
        agent_id=agent_id,
        intent_id=intent_id,
        state=reply.state.value,
    )


def _note_intent(
    context: TurnContext, part: Assignment, intent_id: str | None, parameters: Iterable[str] = ()
) -> None:
    """Note the intent of a part in the turn; None where nobody understood it."""
    agent_id = part.agent_id
    params = context.assistant.telemetry.redacted(parameters, intent_id or "", agent_id)
    context.record.classified(part, intent_id, params)


@dataclass(slots=True)
class PartRecord:
    """Observes the plans for one part of a sentence, and notes its intent before anything else of it."""

    context: TurnContext
    part: Assignment
    intent_id: str | None = None
    _is_noted: bool = False
    _unread: list[PlanExecution] = field(default_factory=list)
    _use: ModelUse = field(default_factory=ModelUse)

    def __post_init__(self) -> None:
        """Note who is at work, and the intent that is known before that."""
        part = self.part
        self.context.record.working(part.agent_id)
        if part.intent:
            self._note(part.intent.name, part.intent.slots)
        elif part.source is not Source.FALLBACK and (known := part.topic or part.decline):
            self._note(known)

    @property
    def observed(self) -> TurnContext:
        """Return the context in which the part is answered: its plans, and what it asks of a model, are noted here."""
        runner = replace(self.context.runner, observer=self)
        return replace(self.context, runner=runner, part_use=self._use)

    def answered(self, dispatched: Dispatched) -> Dispatched:
        """Return the part's answer; its intent is noted now where there was no plan."""
        if not self._is_noted:
            is_unknown = _is_unknown(self.part, dispatched.answer)
            self._note(None if is_unknown else self.part.agent_id)
            for execution in () if is_unknown else self._unread:
                self._note_plan(execution)
        question = dispatched.answer.question
        if question and self.intent_id and dispatched.answer.plan is None:
            # What an agent asks without a plan is a plan with one step.
            agent_id = dispatched.response.agent_id
            asked = Plan(intent_id=self.intent_id, agent_id=agent_id, steps=(question,))
            self._note_plan(PlanExecution.of(asked))
        return replace(dispatched, model=self._use.asked)

    def planned(self, execution: PlanExecution) -> None:
        """Note a new plan, which says what is meant; one that does not waits for its answer."""
        plan = execution.plan
        if not self._is_noted:
            if not (plan.intent_id or plan.calls):
                self._unread.append(execution)
                return
            is_of_table = plan.actions and "/" not in plan.intent_id
            intent_id = f"{plan.agent_id}/{plan.intent_id}" if is_of_table else plan.intent_id
            self._note(intent_id or plan.agent_id, _parameters(plan))
        self._note_plan(execution)

    def communicated(self, plan: Plan, message: str) -> None:
        """Note what is said before the calls."""
        self.context.record.communicated(plan, message, self.intent_id)

    def checked(self, plan: Plan, verdict: Verdict) -> None:
        """Note a policy's verdict on a call."""
        self.context.record.checked(plan, verdict, self.intent_id)

    def executed(self, plan: Plan, result: ToolResult) -> None:
        """Note what came of a call."""
        self.context.record.executed(plan, result, self.intent_id)

    def changed(self, before: dict[str, State]) -> None:
        """Keep the states from before a call."""
        self.context.record.changed(before)

    def _note_plan(self, execution: PlanExecution) -> None:
        """Note a plan, with the model that was asked for it."""
        self.context.record.planned(execution, self.intent_id, self._use.asked)

    def _note(self, intent_id: str | None, parameters: Iterable[str] = ()) -> None:
        """Note the part's intent, which it keeps."""
        self._is_noted, self.intent_id = True, intent_id
        _note_intent(self.context, self.part, intent_id, parameters)


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

"""A turn under way: agents are told their parts, what they did is recorded, one answer is made."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from homeassistant.components.conversation import ConversationInput
from homeassistant.helpers import intent

from .agents.aggregation import aggregate
from .agents.base import AgentRequest, Answer
from .agents.dispatch import Dispatched, async_dispatch
from .agents.models import (
    CLARIFICATION_AGENT_ID,
    FALLBACK_AGENT_ID,
    GENERAL_AGENT_ID,
    HOME_AGENT_ID,
)
from .agents.specialist import Specialist
from .assistant import Assistant
from .home.catalog import Catalog
from .home.names import words_of
from .home.targets import speaker_area
from .language.loader import Language
from .routing.models import Assignment, Source
from .tasks.memory import RememberedTurn, remember_turn
from .tasks.models import TaskContext, TaskState, WorkflowState
from .tasks.pending import keep_question, load_question, open_question, store_question
from .tasks.references import recent_targets
from .telemetry.metered import MeteredClient
from .telemetry.metrics import record_run
from .telemetry.trace import Stage, TurnTrace


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn came to. `state` says whether a question is open."""

    text: str
    answers: tuple[Answer, ...]
    state: TaskState


@dataclass(slots=True, kw_only=True)
class Turn:
    """What is known of a turn, and what every way of answering it does.

    `task` becomes another one where the sentence is no answer to what was asked. `turns` are what is
    remembered of those before, the newest last. `clarified` is how
    often it was asked in vain already what is meant, `workflow` who is at work.
    """

    assistant: Assistant
    user_input: ConversationInput
    task: TaskContext
    trace: TurnTrace
    language: Language
    catalog: Catalog
    turns: Sequence[RememberedTurn]
    clarified: int = 0
    workflow: WorkflowState = field(default_factory=WorkflowState)

    async def async_dispatch_all(self, parts: Sequence[Assignment]) -> list[Dispatched]:
        """Let the agents answer: in order, or those for different things at once where wanted.

        The answers and the record of them are in order in any case.
        """
        if self.assistant.options.dispatch.parallel and _are_independent(parts):
            together = await asyncio.gather(*map(self._async_dispatch, parts))
            for part, dispatched in zip(parts, together, strict=True):
                self.record(part, dispatched)
            return together
        in_turn: list[Dispatched] = []
        waiting = [part.agent_id for part in parts]
        for number, part in enumerate(parts, 1):
            self.workflow.pending_operations = waiting[number:]
            in_turn.append(await self._async_dispatch(part))
            self.record(part, in_turn[-1])
        return in_turn

    async def _async_dispatch(self, part: Assignment) -> Dispatched:
        """Let the agent of one part answer it; talk about what Home Assistant does not understand."""
        registry, options = self.assistant.registry, self.assistant.options.dispatch
        if self._is_too_much(part):
            part = replace(part, agent_id=FALLBACK_AGENT_ID, decline="again.given_up")
        agent = registry.agent_for(part.agent_id)
        self.workflow.current_executor = part.agent_id
        dispatched = await async_dispatch(agent, self.request(part), options)
        if self._is_for_talk(part, dispatched.answer) and (talk := registry.get(GENERAL_AGENT_ID)):
            return await async_dispatch(talk, self.request(part), options)
        return dispatched

    def _is_too_much(self, part: Assignment) -> bool:
        """Return whether it was asked often enough already what is meant."""
        return (
            part.agent_id == CLARIFICATION_AGENT_ID
            and self.clarified >= self.assistant.options.memory.max_clarifications
        )

    def _is_for_talk(self, part: Assignment, answer: Answer) -> bool:
        """Return whether a model gave Home Assistant what it does not understand and is no command.

        A command stays refused: whoever only talks could not carry it out.
        """
        return (
            part.agent_id == HOME_AGENT_ID
            and part.source in {Source.MODEL, Source.ESCALATION}
            and not answer.success
            and answer.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH
            and self.language.verbs.isdisjoint(words_of(part.instruction)[:1])
        )

    def request(self, part: Assignment) -> AgentRequest:
        """Return what an agent is told: its own instruction and nothing of the others."""
        return AgentRequest(
            hass=self.assistant.hass,
            instruction=part.instruction,
            user_input=self.user_input,
            language=self.language,
            catalog=self.catalog,
            area_id=self.area_id,
            intent=part.intent,
            model=self._model,
            timeout=self.assistant.options.timeout,
            history=tuple(self.task.history[:-1]),
            recent=recent_targets(self.turns),
            decline=part.decline,
            words=part.words,
        )

    def record(self, part: Assignment, dispatched: Dispatched) -> None:
        """Note who answered, what was planned and called, and where wanted how the agent did."""
        answer, response = dispatched.answer, dispatched.response
        agent_id, success, ms = response.agent_id, response.success, response.execution_time_ms
        self.assistant.record.note(agent_id, success=success)
        ran = {"id": agent_id, "confidence": part.confidence, "source": part.source.value}
        if self.assistant.options.dispatch.enable_telemetry:
            ran |= {"success": success, "ms": ms}
            record_run(agent_id, ms, success=success)
        self.trace.agents.append(ran)
        if answer.plan:
            self.trace.add(
                Stage.PLAN_CREATED,
                agent_id=part.agent_id,
                intent_id=answer.plan.intent_id,
                steps=[step.type for step in answer.plan.steps],
            )
        for result in answer.results:
            call = result.call
            data = {"entity_id": list(call.targets), **call.data}
            self.trace.calls.append({"action": call.action, "data": data})
            self.trace.add(Stage.TOOL_EXECUTE, ok=result.ok, tool=call.action)
        self.task.metadata["lastResponse"] = response.as_json()

    def respond(self, dispatched: Sequence[Dispatched]) -> TurnResult:
        """Make one answer of all and leave the task in the state it is in."""
        answers = tuple(entry.answer for entry in dispatched)
        agent_ids = [entry.response.agent_id for entry in dispatched]
        store_question(self.task, agent_ids, answers, area_id=self.area_id)
        if self.clarified and (pending := load_question(self.task)) and pending.is_free:
            keep_question(self.task, replace(pending, asked=self.clarified + 1))
        remember_turn(
            self.task,
            self.catalog,
            agent_ids,
            answers,
            self.user_input.text,
            confidence=self.trace.agents[0]["confidence"],
        )
        text = aggregate(self.language, answers, self.assistant.options.aggregation)
        return self.finish(text, answers, _state_after(answers))

    def finish(self, text: str, answers: tuple[Answer, ...], state: TaskState) -> TurnResult:
        """Say the answer, and leave the task in a state."""
        self.task.said(text, state)
        self.trace.reply = text
        pending = open_question(self.task)
        self.trace.add(
            Stage.RESPOND,
            message_length=len(text),
            state=state.value,
            waiting_for_param=pending.question.param if pending else None,
        )
        return TurnResult(text, answers, state)

    @property
    def specialists(self) -> dict[str, Specialist]:
        """Return the agents that can carry out a known action, by their ids."""
        return {
            agent.card.id: agent
            for agent in self.assistant.registry
            if isinstance(agent, Specialist)
        }

    @property
    def area_id(self) -> str | None:
        """Return where the speaker is."""
        user_input = self.user_input
        return speaker_area(self.assistant.hass, user_input.satellite_id, user_input.device_id)

    @property
    def _model(self) -> MeteredClient | None:
        """Return the model, counting what this turn asks of it."""
        model = self.assistant.model
        return MeteredClient(model, self.trace.model) if model else None


def _are_independent(parts: Sequence[Assignment]) -> bool:
    """Return whether no agent has more than one part, so that none waits for another."""
    return len({part.agent_id for part in parts}) == len(parts)


def _state_after(answers: Sequence[Answer]) -> TaskState:
    """Return the state of the task: open while a question is, failed where nothing succeeded."""
    if any(answer.question for answer in answers):
        return TaskState.INPUT_REQUIRED
    if any(answer.did_something for answer in answers):
        return TaskState.COMPLETED
    return TaskState.FAILED

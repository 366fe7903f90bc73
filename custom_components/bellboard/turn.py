"""One turn, from what was said to what is answered.

received           the conversation's task is loaded; a pending question is taken up
intents_eligible   the agents in scope
intent_classified  who answers which part of the sentence
plan_created       what each agent means to do
tool_execute       what was done, as the home shows it
respond            one answer from all; the task keeps the state
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.components.conversation import ConversationInput
from homeassistant.helpers import intent

from .agents.aggregation import aggregate
from .agents.base import AgentRequest, Answer
from .agents.dispatch import Dispatched, async_dispatch, async_resume
from .agents.models import GENERAL_AGENT_ID, HOME_AGENT_ID
from .agents.specialist import Specialist
from .assistant import Assistant
from .decision import async_decide, note_decision
from .home.catalog import Catalog
from .home.names import words_of
from .home.targets import speaker_area
from .language.loader import Language, async_get_language
from .routing.models import Assignment, Route, Source
from .tasks.memory import last_turn, note_turn
from .tasks.models import TaskContext, TaskState
from .tasks.pending import PendingQuestion, load_question, store_question
from .telemetry.metered import MeteredClient
from .telemetry.metrics import record_run
from .telemetry.trace import Stage, TurnTrace


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn came to. `state` says whether a question is open."""

    text: str
    answers: tuple[Answer, ...]
    state: TaskState


async def async_take_turn(assistant: Assistant, user_input: ConversationInput) -> TurnResult:
    """Answer one sentence. `user_input` has its conversation id."""
    conversation_id = str(user_input.conversation_id)
    trace = TurnTrace(conversation_id, user_input.text)
    async with assistant.tasks.async_open(conversation_id) as task:
        turn = Turn(
            assistant=assistant,
            user_input=user_input,
            task=task,
            trace=trace,
            language=await async_get_language(assistant.hass, user_input.language),
            catalog=await assistant.catalog.async_get(),
        )
        try:
            result = await turn.async_run()
        except BaseException:
            task.fail()
            raise
        finally:
            trace.finish(trace.reply, task.state.value)
            assistant.traces.append(trace)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The stages of one turn."""

    assistant: Assistant
    user_input: ConversationInput
    task: TaskContext
    trace: TurnTrace
    language: Language
    catalog: Catalog

    async def async_run(self) -> TurnResult:
        """Go through the stages."""
        if (pending := self._receive()) and (resumed := await self._async_resume(pending)):
            return self._respond([resumed])
        route = await self._async_classify()
        return self._respond(await self._async_dispatch_all(route.assignments))

    def _receive(self) -> PendingQuestion | None:
        """Load what is open and note what was said."""
        pending = load_question(self.task)
        self.trace.add(
            Stage.RECEIVED,
            memory={
                "history_count": len(self.task.history),
                "waiting_for_param": pending.question.param if pending else None,
            },
        )
        self.task.heard(self.user_input.text)
        return pending

    async def _async_classify(self) -> Route:
        """Decide who answers."""
        decision = await async_decide(
            self.assistant,
            self.user_input,
            memory=last_turn(self.task),
            use=self.trace.model,
        )
        note_decision(self.assistant, decision)
        eligible = [card.id for card in decision.cards]
        self.trace.add(Stage.INTENTS_ELIGIBLE, eligible=eligible)
        self.trace.add(
            Stage.INTENT_CLASSIFIED,
            variant=decision.variant,
            measure=decision.route.assignments[0].measure.value,
            **decision.route.choice.as_json(),
        )
        return decision.route

    async def _async_dispatch_all(self, parts: Sequence[Assignment]) -> list[Dispatched]:
        """Let the agents answer: in order, or those for different things at once where wanted.

        The answers and the record of them are in order in any case.
        """
        if self.assistant.options.dispatch.parallel and _are_independent(parts):
            together = await asyncio.gather(*map(self._async_dispatch, parts))
            for part, dispatched in zip(parts, together, strict=True):
                self._record(part, dispatched)
            return together
        in_turn: list[Dispatched] = []
        for part in parts:
            in_turn.append(await self._async_dispatch(part))
            self._record(part, in_turn[-1])
        return in_turn

    async def _async_dispatch(self, part: Assignment) -> Dispatched:
        """Let the agent of one part answer it; talk about what Home Assistant does not understand."""
        registry, options = self.assistant.registry, self.assistant.options.dispatch
        agent = registry.agent_for(part.agent_id)
        dispatched = await async_dispatch(agent, self._request(part), options)
        if self._is_for_talk(part, dispatched.answer) and (talk := registry.get(GENERAL_AGENT_ID)):
            return await async_dispatch(talk, self._request(part), options)
        return dispatched

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

    async def _async_resume(self, pending: PendingQuestion) -> Dispatched | None:
        """Let the agent that asked finish, or return None where this is no answer to it."""
        agent = self.assistant.registry.get(pending.agent_id)
        target = pending.answered_by(self.user_input.text, self.catalog, self.language.verbs)
        if target is None or not isinstance(agent, Specialist):
            return None
        part = Assignment(
            agent_id=pending.agent_id,
            instruction=self.user_input.text,
            confidence=1.0,
            source=Source.PENDING,
            reason="The open question was answered.",
        )
        dispatched = await async_resume(
            agent, self._request(part), pending.question, target, self.assistant.options.dispatch
        )
        self._record(part, dispatched)
        return dispatched

    def _request(self, part: Assignment) -> AgentRequest:
        """Return what an agent is told: its own instruction and nothing of the others."""
        return AgentRequest(
            hass=self.assistant.hass,
            instruction=part.instruction,
            user_input=self.user_input,
            language=self.language,
            catalog=self.catalog,
            area_id=self._area_id,
            intent=part.intent,
            model=self._model,
            timeout=self.assistant.options.timeout,
            history=tuple(self.task.history[:-1]),
            decline=part.decline,
            words=part.words,
        )

    def _record(self, part: Assignment, dispatched: Dispatched) -> None:
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

    def _respond(self, dispatched: Sequence[Dispatched]) -> TurnResult:
        """Make one answer of all and leave the task in the state it is in."""
        answers = tuple(entry.answer for entry in dispatched)
        text = aggregate(self.language, answers, self.assistant.options.aggregation)
        state = _state_after(answers)
        store_question(self.task, [entry.response.agent_id for entry in dispatched], answers)
        targets = [
            entity.name
            for answer in answers
            for result in answer.results
            for entity_id in result.call.targets
            if (entity := self.catalog.entities.get(entity_id))
        ]
        note_turn(self.task, [agent["id"] for agent in self.trace.agents], targets)
        self.task.said(text, state)
        self.trace.reply = text
        self.trace.add(Stage.RESPOND, message_length=len(text), state=state.value)
        return TurnResult(text, answers, state)

    @property
    def _area_id(self) -> str | None:
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

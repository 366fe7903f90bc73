"""A turn under way: agents are told their parts, what they did is recorded, one answer is made."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from homeassistant.components.conversation import ConversationInput
from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util

from ..agents.aggregation import aggregate
from ..agents.base import AgentRequest, Answer
from ..agents.dispatch import Dispatched, Doer, async_dispatch, async_do
from ..agents.specialist import Specialist
from ..assistant import Assistant
from ..const import (
    CLARIFICATION_AGENT_ID,
    FALLBACK_AGENT_ID,
    GENERAL_AGENT_ID,
    HOME_AGENT_ID,
    UNDO_AGENT_ID,
)
from ..home.catalog import Catalog
from ..home.rights import Rights
from ..nlu.loader import Language
from ..nlu.recognition import is_delayed
from ..nlu.targets import speaker_area
from ..plans.models import AskUser
from ..plans.runner import PlanRunner
from ..policy.engine import Interaction
from ..routing.models import Assignment, Source
from ..tasks.delayed import DelayedCommand
from ..tasks.memory import RememberedTurn, remember_turn
from ..tasks.models import TaskContext, TaskState, WorkflowState
from ..tasks.pending import keep_question, load_question, open_question, store_question
from ..tasks.references import recent_targets
from ..tasks.undoing import keep_for_undo
from ..telemetry.events import Stage
from ..telemetry.metered import MeteredClient
from ..telemetry.otel import record_run
from ..telemetry.payloads import RespondPayload
from ..telemetry.trace import TurnTrace
from ..workflow.run import Finished
from .decision import is_barred, offered_agent
from .record import TurnRecord


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a turn came to. `state` says whether a question is open; `record` is what was noted.

    `finished` is how the task ended that the turn was given, None where it was given a sentence.
    """

    text: str
    answers: tuple[Answer, ...]
    state: TaskState
    record: TurnRecord
    finished: Finished | None = None


class Delayer(Protocol):
    """Plans what is for later."""

    async def async_delay(self, turn: Turn, part: Assignment) -> Dispatched:
        """Plan the command that a part of a sentence is."""
        ...

    async def async_answered(
        self, turn: Turn, part: Assignment, question: AskUser, targets: Sequence[str] = ()
    ) -> Dispatched:
        """Plan a command that something was asked about."""
        ...


@dataclass(slots=True, kw_only=True)
class Turn:
    """What is known of a turn, and what every way of answering it does.

    `rights` are what the speaker may see; `catalog` holds that and nothing else.
    `task` becomes another one where the sentence is no answer to what was asked. `turns` are what is
    remembered of those before, the newest last. `clarified` is how
    often it was asked in vain already what is meant, `workflow` who is at work. With `dry_run` nothing
    is carried out. `is_unknown` where nobody could be found who answers. `wants_undo` where the
    sentence asks to put back what was just changed. `finished` is how the task ended that the turn was
    given. `delayer` plans what is for later; `delayed` is the command that is due, where the turn is
    for one that was given before.
    """

    assistant: Assistant
    user_input: ConversationInput
    task: TaskContext
    trace: TurnTrace
    language: Language
    catalog: Catalog
    rights: Rights
    turns: Sequence[RememberedTurn]
    delayer: Delayer
    delayed: DelayedCommand | None = None
    dry_run: bool = False
    clarified: int = 0
    is_unknown: bool = False
    workflow: WorkflowState = field(default_factory=WorkflowState)
    record: TurnRecord = field(init=False)
    runner: PlanRunner = field(init=False)
    wants_undo: bool = field(init=False)
    finished: Finished | None = None

    def __post_init__(self) -> None:
        """Prepare to run plans in the user's name."""
        self.wants_undo = self.language.undo.kind_of(self.user_input.text) is not None
        self.record = TurnRecord(self.trace)
        self.runner = PlanRunner(
            hass=self.assistant.hass,
            context=self.user_input.context,
            policy=self.assistant.policy,
            interaction=self._interaction(),
            history=tuple(self.task.history),
            observer=self.record,
            dry_run=self.dry_run,
            agreed=frozenset(self.delayed.rules if self.delayed else ()),
        )

    def _interaction(self) -> Interaction:
        """Return who speaks, where and when, as policies see it."""
        user_input = self.user_input
        return Interaction(
            id=self.trace.id,
            session_id=self.trace.conversation_id,
            text=user_input.text,
            language=self.language.code,
            user_id=user_input.context.user_id,
            device_id=user_input.device_id,
            satellite_id=user_input.satellite_id,
            area_id=self.area_id,
            at=dt_util.now(),
        )

    async def async_dispatch_all(self, parts: Sequence[Assignment]) -> list[Dispatched]:
        """Let the agents answer: in order, or those for different things at once where wanted.

        The answers and the record of them are in order in any case.
        """
        if self.assistant.options.dispatch.parallel and _are_independent(parts):
            together = await asyncio.gather(*map(self._async_dispatch, parts))
            together = self._naming_halves(parts, together)
            for part, dispatched in zip(parts, together, strict=True):
                self.note(part, dispatched)
            return together
        in_turn: list[Dispatched] = []
        waiting = [part.agent_id for part in parts]
        for number, part in enumerate(parts, 1):
            self.workflow.pending_operations = waiting[number:]
            in_turn.append(await self._async_dispatch(part))
            self.note(part, in_turn[-1])
        return self._naming_halves(parts, in_turn)

    def _naming_halves(
        self, parts: Sequence[Assignment], dispatched: Sequence[Dispatched]
    ) -> list[Dispatched]:
        """Return answers in which the parts of a sentence that were not understood are named."""
        if len(parts) < 2:
            return list(dispatched)
        return [
            replace(entry, answer=replace(entry.answer, content=self._not_understood(part)))
            if _is_not_understood(entry.answer)
            else entry
            for part, entry in zip(parts, dispatched, strict=True)
        ]

    def _not_understood(self, part: Assignment) -> str:
        """Return the sentence that names what was not understood."""
        said = part.instruction.strip(" .,;!?")
        return self.language.say("plan.not_understood_part", part=said)

    async def _async_dispatch(self, part: Assignment) -> Dispatched:
        """Let the agent of one part answer it; talk about what Home Assistant does not understand."""
        registry, options = self.assistant.registry, self.assistant.options.dispatch
        if is_delayed(part.intent):
            return await self.delayer.async_delay(self, part)
        if self._is_too_much(part):
            part = replace(part, agent_id=FALLBACK_AGENT_ID, decline="again.given_up")
        agent = registry.agent_for(part.agent_id)
        self.workflow.current_executor = part.agent_id
        if part.known and isinstance(agent, Specialist):
            targets = part.known[0].targets
            return await async_do(agent, self.request(part), part.known, targets, options)
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
            and part.source in {Source.MODEL, Source.ESCALATION, Source.GATEKEEPER}
            and not answer.success
            and answer.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH
            and not self.language.begins_with_verb(part.instruction)
            and not is_barred(self.assistant, self.user_input, GENERAL_AGENT_ID)
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
            rights=self.rights,
            intent=part.intent,
            model=self._model,
            timeout=self.assistant.options.timeout,
            history=tuple(self.task.history[:-1]),
            recent=part.about or recent_targets(self.turns),
            decline=part.decline,
            words=part.words,
            is_settled=part.is_settled,
            runner=self.runner,
            offer=offered_agent(self.assistant, self.user_input),
            data=part.data,
        )

    def note(self, part: Assignment, dispatched: Dispatched) -> None:
        """Note who answered, and where wanted how the agent did."""
        response = dispatched.response
        agent_id, success, ms = response.agent_id, response.success, response.execution_time_ms
        self.assistant.record.note(agent_id, success=success)
        ran = {"id": agent_id, "confidence": part.confidence, "source": part.source.value}
        if self.assistant.options.dispatch.enable_telemetry:
            ran |= {"success": success, "ms": ms}
            record_run(agent_id, ms, success=success)
        self.trace.agents.append(ran)
        self.task.metadata["lastResponse"] = response.as_json()

    def respond(self, dispatched: Sequence[Dispatched]) -> TurnResult:
        """Make one answer of all and leave the task in the state it is in."""
        answers = tuple(entry.answer for entry in dispatched)
        agent_ids = [entry.response.agent_id for entry in dispatched]
        store_question(
            self.task,
            agent_ids,
            answers,
            area_id=self.area_id,
            user_id=self.user_input.context.user_id,
        )
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
        self.task.artifacts = self.record.artifacts()
        if UNDO_AGENT_ID not in agent_ids:
            states = self.assistant.hass.states
            keep_for_undo(
                self.task,
                self.user_input.text,
                self.record.before,
                states.get,
                user_id=self.user_input.context.user_id,
            )
        text = aggregate(self.language, answers, self.assistant.options.aggregation)
        return self.finish(text, answers, _state_after(answers))

    def finish(self, text: str, answers: tuple[Answer, ...], state: TaskState) -> TurnResult:
        """Say the answer, and leave the task in a state."""
        self.task.said(text, state)
        self.trace.reply = text
        pending = open_question(self.task)
        payload = RespondPayload(
            message=text,
            waiting_for_param=pending.question.param if pending else None,
            fallback=self.is_unknown,
            unknown_intent=self.is_unknown,
        )
        self.trace.add(Stage.RESPOND, **payload.as_payload(), state=state.value)
        return TurnResult(text, answers, state, self.record, self.finished)

    @property
    def specialists(self) -> dict[str, Specialist]:
        """Return the agents that can carry out a known action, by their ids."""
        return {
            agent.card.id: agent
            for agent in self.assistant.registry
            if isinstance(agent, Specialist)
        }

    def doer(self, agent_id: str) -> Doer:
        """Return the agent that carries out known actions by its id.

        Raises:
            KeyError: there is none.
        """
        agent = self.assistant.registry.get(agent_id)
        if not isinstance(agent, Doer):
            raise KeyError(agent_id)
        return agent

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


def _is_not_understood(answer: Answer) -> bool:
    """Return whether an answer says that it was not understood what to do."""
    no_match = intent.IntentResponseErrorCode.NO_INTENT_MATCH
    return not answer.success and not answer.fragments and answer.error_code is no_match


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

"""Commands for later ("turn off the lamp in ten minutes"): understood and judged now, done when they are due.

Home Assistant's own timer would hand the words to its own agent, which asks no policy and acts in nobody's
name. Here they are kept with who gave them, and are a turn like any other when their time has come.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
import json
import logging
import math
from typing import Any, ClassVar, Protocol

from homeassistant.components import persistent_notification
from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context
from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util

from ..agents.aggregation import compose
from ..agents.base import AgentRequest, Answer
from ..agents.dispatch import Dispatched, async_confirm, async_dispatch
from ..agents.models import AgentCard
from ..agents.telling import CONFIRM, answer_of, steps_of
from ..agents.wording import describe_targets
from ..assistant import Assistant
from ..const import DELAY_AGENT_ID
from ..domains.models import ToolCall
from ..home.names import words_of
from ..nlu.loader import async_get_language
from ..nlu.recognition import COMMAND_SLOT, START_TIMER
from ..plans.models import AskUser, Plan, PlannedAction
from ..routing.models import Assignment, Source
from ..tasks.delayed import DelayedCommand, DelayedPart
from ..tasks.models import TaskContext, TaskState
from ..tasks.pending import open_question
from .context import Turn, TurnResult
from .dry_run import pretending
from .record import call_as_json

_LOGGER = logging.getLogger(__name__)

LONGEST = timedelta(days=7).total_seconds()
"""In seconds: what is to be done later than that is no matter for a voice assistant."""

_SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}
_IDS = "delayed"


class TakeTurn(Protocol):
    """Answers a sentence, as `turn.async_take_turn` does."""

    async def __call__(
        self,
        assistant: Assistant,
        user_input: ConversationInput,
        *,
        dry_run: bool = False,
        delayed: DelayedCommand | None = None,
    ) -> TurnResult:
        """Return what the turn came to."""
        ...


@dataclass(frozen=True, slots=True)
class Delay:
    """What is to be done, in the words for it, and when: hours, minutes and seconds from now."""

    text: str
    times: Mapping[str, float]

    @classmethod
    def of(cls, slots: Mapping[str, Any]) -> Delay:
        """Return what the slots of Home Assistant's intent say, or what a question kept of them.

        A question may have been stored, and is not trusted.
        """
        text = slots.get(COMMAND_SLOT)
        times = {name: _number(slots.get(name)) for name in _SECONDS}
        return cls(
            text.strip() if isinstance(text, str) else "",
            {name: number for name, number in times.items() if number},
        )

    @property
    def slots(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {COMMAND_SLOT: self.text, **self.times}

    @property
    def seconds(self) -> float:
        """Return in how many seconds it is to be done."""
        return sum(number * _SECONDS[name] for name, number in self.times.items())

    @property
    def is_possible(self) -> bool:
        """Return whether there is something to be done, at a time that makes sense."""
        return bool(self.text) and 0 < self.seconds <= LONGEST


class DelayAgent:
    """Plans a command for later. It is never chosen by a router: the words alone say that it is later."""

    card: ClassVar[AgentCard] = AgentCard(
        id=DELAY_AGENT_ID, name="Delayed commands", description="Does something at a later time."
    )

    def __init__(self, turn: Turn, delay: Delay, take_turn: TakeTurn) -> None:
        """Take the turn in which the command is given."""
        self._turn = turn
        self._delay = delay
        self._take_turn = take_turn

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Plan the command, or say why it could not be done then."""
        return await self._async_plan(request)

    async def async_confirmed(self, request: AgentRequest, question: AskUser) -> Answer:
        """Plan the command, now that a yes was given to what wants one."""
        return await self._async_plan(request, rules=question.rules)

    async def async_resumed(
        self, request: AgentRequest, question: AskUser, targets: Sequence[str]
    ) -> Answer:
        """Plan what was asked about, now that the entities are known."""
        agent_id = question.data.get("agent")
        parts = tuple(
            DelayedPart(
                agent_id=str(agent_id),
                action=action.model_copy(update={"targets": tuple(targets)}),
            )
            for action in question.actions
        )
        return await self._async_plan(request, parts=parts)

    async def _async_plan(
        self,
        request: AgentRequest,
        parts: tuple[DelayedPart, ...] = (),
        rules: tuple[str, ...] = (),
    ) -> Answer:
        """Find out what the command comes to, and let it wait if all of that may be done."""
        turn, language = self._turn, request.language
        if turn.delayed or not self._delay.is_possible:
            return _refused(language.say("decline.later"))
        if not language.statements.isdisjoint(words_of(self._delay.text)[:1]):
            # "I am cold in three seconds" tells something, and says nothing of what to do then.
            return _refused(language.say("delayed.unclear"))
        if turn.assistant.delayed.is_full:
            return _refused(language.say("delayed.too_many"))
        command = self._command(parts, rules)
        rehearsed = await self._async_rehearse(command)
        if question := next((a.question for a in rehearsed.answers if a.question), None):
            return self._ask(request, rehearsed, question)
        if rehearsed.state is not TaskState.COMPLETED:
            code = rehearsed.answers[0].error_code if rehearsed.answers else None
            return _refused(rehearsed.text, code or intent.IntentResponseErrorCode.FAILED_TO_HANDLE)
        calls = calls_of(rehearsed)
        if not calls:
            return _refused(language.say("delayed.unclear"))
        known = parts or _parts(rehearsed)
        text = rehearsed.record.said or command.text
        command = command.model_copy(
            update={"parts": known, "text": text, "agreed": _signs(calls) if rules else ()}
        )
        return await self._async_let_wait(request, command, calls, rehearsed)

    def _command(self, parts: tuple[DelayedPart, ...], rules: tuple[str, ...]) -> DelayedCommand:
        """Return the command as it is kept."""
        user_input = self._turn.user_input
        return DelayedCommand(
            due=dt_util.utcnow() + timedelta(seconds=self._delay.seconds),
            text=self._delay.text,
            said=self._delay.text,
            language=user_input.language,
            conversation_id=str(user_input.conversation_id),
            user_id=user_input.context.user_id,
            device_id=user_input.device_id,
            satellite_id=user_input.satellite_id,
            parts=parts,
            rules=rules,
        )

    async def _async_rehearse(self, command: DelayedCommand) -> TurnResult:
        """Return what the command would come to if it were given for now."""
        assistant = pretending(self._turn.assistant, self._turn.task)
        user_input = replace(self._turn.user_input, text=command.text)
        return await self._take_turn(assistant, user_input, dry_run=True, delayed=command)

    def _ask(self, request: AgentRequest, rehearsed: TurnResult, question: AskUser) -> Answer:
        """Ask now what would have to be asked then, where that is one thing."""
        kept = self._delay.slots
        is_confirm = question.param == CONFIRM
        if len(rehearsed.answers) > 1 or not (is_confirm or question.candidates):
            return _refused(request.language.say("delayed.unclear"))
        if not is_confirm:
            kept["agent"] = rehearsed.record.trace.agents[0]["id"]
        only = PlannedAction(name=str(question.action), parameters=question.data)
        asked = question.model_copy(
            update={
                "data": kept,
                "actions": question.actions or (() if is_confirm else (only,)),
            }
        )
        return Answer(success=True, content=asked.prompt, question=asked)

    async def _async_let_wait(
        self,
        request: AgentRequest,
        command: DelayedCommand,
        calls: Sequence[ToolCall],
        rehearsed: TurnResult,
    ) -> Answer:
        """Let the command wait, unless a policy is against it or the turn is a rehearsal itself."""

        async def do() -> bool:
            await self._turn.assistant.delayed.async_add(command)
            self._turn.task.metadata[_IDS] = [command.id]
            return True

        call = ToolCall(action=f"intent.{START_TIMER}", data=dict(self._delay.times))
        plan = Plan(intent_id=START_TIMER, agent_id=self.card.id, steps=steps_of(request, [call]))
        execution = await request.runner.async_hand_over(
            plan, do, confirmed=frozenset(command.rules)
        )
        if execution.would or not execution.results or not execution.ok:
            return answer_of(request, execution)
        execution.said()
        failures = tuple(f for answer in rehearsed.answers for f in answer.failures)
        planned = _planned(request, calls, self._delay.seconds)
        return Answer(
            success=True,
            content=compose(request.language, (), failures, [planned]),
            plan=plan,
            results=tuple(execution.results),
        )


@dataclass(frozen=True, slots=True)
class Delaying:
    """Gives commands for later to whoever plans them, within a turn."""

    take_turn: TakeTurn

    async def async_delay(self, turn: Turn, part: Assignment) -> Dispatched:
        """Plan the command that a part of a sentence is."""
        agent = DelayAgent(turn, Delay.of(part.intent.slots if part.intent else {}), self.take_turn)
        return await async_dispatch(agent, turn.request(part), turn.assistant.options.dispatch)

    async def async_answered(
        self, turn: Turn, part: Assignment, question: AskUser, targets: Sequence[str] = ()
    ) -> Dispatched:
        """Plan a command that something was asked about: with a yes, or with entities."""
        agent = DelayAgent(turn, Delay.of(question.data), self.take_turn)
        request, options = turn.request(part), turn.assistant.options.dispatch
        if question.param == CONFIRM:
            return await async_confirm(agent, request, question, options)
        resumed = _Resumed(agent, question, tuple(targets))
        return await async_dispatch(resumed, request, options)


@dataclass(frozen=True, slots=True)
class _Resumed:
    """The agent, when it is known which entities its question was about."""

    agent: DelayAgent
    question: AskUser
    targets: tuple[str, ...]
    card: AgentCard = DelayAgent.card

    async def async_answer(self, request: AgentRequest) -> Answer:
        """Plan the command."""
        return await self.agent.async_resumed(request, self.question, self.targets)


def parts_of(command: DelayedCommand) -> list[Assignment]:
    """Return who does what of a command that is due, where that was known when it was given."""
    return [
        Assignment(
            agent_id=part.agent_id,
            instruction=command.text,
            confidence=1.0,
            source=Source.DELAYED,
            reason="It was given for now.",
            known=(part.action,),
        )
        for part in command.parts
    ]


async def async_run_delayed(
    assistant: Assistant, command: DelayedCommand, agent_id: str, take_turn: TakeTurn
) -> None:
    """Do what is due, in the name of who gave it; tell where that could not be done.

    `agent_id` is the assistant's entity id.
    """
    hass = assistant.hass
    if command.user_id:
        user = await hass.auth.async_get_user(command.user_id)
        if user is None or not user.is_active:
            _LOGGER.warning("A delayed command was left: who gave it is not there any more")
            return
    user_input = ConversationInput(
        text=command.text,
        context=Context(user_id=command.user_id),
        conversation_id=await _async_conversation(assistant, command),
        device_id=command.device_id,
        satellite_id=command.satellite_id,
        language=command.language,
        agent_id=agent_id,
    )
    if command.rules:
        command = await _async_checked(assistant, command, user_input, take_turn)
    result = await take_turn(assistant, user_input, delayed=command)
    if result.state is TaskState.COMPLETED and not any(a.failures for a in result.answers):
        return
    if result.state is TaskState.INPUT_REQUIRED:
        # Nobody is there to answer.
        await assistant.tasks.async_cancel(str(user_input.conversation_id), "Nobody was asked.")
    _LOGGER.warning("A delayed command was not done as it was given: %s", result.state.value)
    language = await async_get_language(hass, command.language)
    persistent_notification.async_create(
        hass, language.say("delayed.failed", reply=result.text), "Bellboard", command.id
    )


async def _async_conversation(assistant: Assistant, command: DelayedCommand) -> str:
    """Return the conversation a command is done in: its own, unless that waits for an answer."""
    task = await assistant.tasks.async_find(command.conversation_id)
    if task is not None and open_question(task):
        return f"{command.conversation_id}-{command.id}"
    return command.conversation_id


async def _async_checked(
    assistant: Assistant,
    command: DelayedCommand,
    user_input: ConversationInput,
    take_turn: TakeTurn,
) -> DelayedCommand:
    """Return a command without what was agreed to, where it would come to something else by now."""
    rehearsed = await take_turn(
        pretending(assistant, None), user_input, dry_run=True, delayed=command
    )
    if _signs(calls_of(rehearsed)) == command.agreed:
        return command
    return command.model_copy(update={"rules": ()})


def just_planned(turn: Turn) -> list[str]:
    """Return the ids of what was planned in the turn before and still waits."""
    stored = turn.task.metadata.get(_IDS)
    kept = stored if isinstance(stored, list) else []
    return [c.id for c in turn.assistant.delayed.waiting if c.id in kept]


def forget_planned(task: TaskContext) -> None:
    """Forget what was planned in the turn before: from now on "cancel that" means something else."""
    task.metadata.pop(_IDS, None)


def waiting_for(turn: Turn) -> list[DelayedCommand]:
    """Return the commands for later that whoever speaks gave, the next one first."""
    user_id = turn.user_input.context.user_id
    return [command for command in turn.assistant.delayed.waiting if command.user_id == user_id]


def told(turn: Turn, commands: Sequence[DelayedCommand]) -> str:
    """Return what is planned, in words."""
    language = turn.language
    if not commands:
        return language.say("delayed.none")
    items = [
        language.say(
            "delayed.item", command=c.said or c.text, time=language.duration(c.seconds_left())
        )
        for c in commands
    ]
    return language.say("delayed.planned", items="; ".join(items))


def calls_of(rehearsed: TurnResult) -> list[ToolCall]:
    """Return the calls that a rehearsed turn would make."""
    return [call for execution in rehearsed.record.executions for call in execution.would]


def _parts(rehearsed: TurnResult) -> tuple[DelayedPart, ...]:
    """Return what each specialist would do, where all that would be done is known as their actions."""
    plans = [execution.plan for execution in rehearsed.record.executions]
    if not plans or not all(plan.actions for plan in plans):
        return ()
    return tuple(
        DelayedPart(agent_id=plan.agent_id, action=action)
        for plan in plans
        for action in plan.actions
    )


def _planned(request: AgentRequest, calls: Sequence[ToolCall], seconds: float) -> str:
    """Return what is said of a command that waits."""
    language, time = request.language, request.language.duration(seconds)
    targets = dict.fromkeys(target for call in calls for target in call.targets)
    found = [e for target in targets if (e := request.catalog.entities.get(target))]
    if not found:
        return language.say("delayed.plain", time=time)
    return language.say("delayed.set", targets=describe_targets(request, found), time=time)


def _refused(
    content: str,
    code: intent.IntentResponseErrorCode = intent.IntentResponseErrorCode.FAILED_TO_HANDLE,
) -> Answer:
    """Return the answer that says why nothing was planned."""
    return Answer(success=False, content=content, error_code=code)


def _signs(calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """Return what calls are, as text: equal for calls that do the same."""
    return tuple(sorted(json.dumps(call_as_json(c), sort_keys=True, default=str) for c in calls))


def _number(value: object) -> float:
    """Return a value as a number; what is none is nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return value if math.isfinite(value) else 0.0

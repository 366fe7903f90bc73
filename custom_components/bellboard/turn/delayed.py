"""Commands for later ("turn off the lamp in ten minutes"): understood and judged now, done when they are due.

Home Assistant's own timer would hand the words to its own agent, which asks no policy and acts in nobody's
name. Here they are kept with who gave them, and are a turn like any other when their time has come.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
import json
import math
from typing import Any

from homeassistant.helpers import intent
from homeassistant.util import dt as dt_util
from pydantic import ValidationError

from ..agents.base import AgentRequest, AgentResult
from ..agents.dispatch import Dispatched, async_bounded
from ..agents.plan_answers import build_answer, build_steps, compose
from ..agents.wording import tell_planned
from ..const import DELAY_AGENT_ID
from ..domains.models import ToolCall
from ..home.names import words_of
from ..memory.delayed import LONGEST, MAX_CALLS, DelayedCommand, DelayedPart
from ..memory.models import TaskState
from ..nlu.recognition import COMMAND_SLOT, START_TIMER
from ..plans.models import CONFIRM, PIN, AskUser, Plan
from ..routing.models import Assignment, Source
from .context import TurnContext, TurnResult
from .record import call_as_json

_SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}


@dataclass(frozen=True, slots=True)
class CommandDelay:
    """A command and its delay in hours, minutes and seconds."""

    text: str
    times: Mapping[str, float]

    @classmethod
    def of(cls, slots: Mapping[str, Any]) -> CommandDelay:
        """Return the delay in the slots of Home Assistant's intent, or in those that a question stored.

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


async def async_plan_later(
    context: TurnContext,
    part: Assignment,
    question: AskUser | None = None,
    targets: Sequence[str] = (),
) -> Dispatched:
    """Plan the command for later that a part of a sentence gives, within an agent's time.

    No router chooses this: the words alone say that it is for later. `question` is what was asked about
    the command before, where that was answered: with a yes, or with `targets`, which are entity ids.
    """
    if question is None:
        draft = _Draft(
            context=context,
            request=context.request_for(part),
            delay=CommandDelay.of(part.intent.parameters if part.intent else {}),
        )
    else:
        is_agreed = question.param == CONFIRM
        draft = _Draft(
            context=context,
            request=context.request_for(part),
            delay=CommandDelay.of(question.data),
            parts=() if is_agreed else _chosen_parts(question, targets),
            rules=question.rules if is_agreed else (),
        )
    options = context.assistant.options.dispatch
    return await async_bounded(DELAY_AGENT_ID, draft.async_plan, context.language, options)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A command that is to be planned: what is known of it, and the policies that were agreed to."""

    context: TurnContext
    request: AgentRequest
    delay: CommandDelay
    parts: tuple[DelayedPart, ...] = ()
    rules: tuple[str, ...] = ()

    async def async_plan(self) -> AgentResult:
        """Find out by a dry run what the command comes to, and keep it if all of that may be done."""
        if key := self._obstacle():
            return _refused(self.request.language.say(key))
        if (command := self._command()) is None:
            return _refused(self.request.language.say("decline.later"))
        tried = await self._async_try(command)
        if question := next((a.question for a in tried.answers if a.question), None):
            return self._ask(tried, question)
        if tried.state is not TaskState.COMPLETED:
            code = tried.answers[0].error_code if tried.answers else None
            return _refused(tried.text, code or intent.IntentResponseErrorCode.FAILED_TO_HANDLE)
        if not tried.dry_run_calls:
            return _refused(self.request.language.say("delayed.unclear"))
        known = self._command(
            parts=self.parts or _parts_done(tried),
            text=tried.request,
            calls=tuple(tried.dry_run_calls[:MAX_CALLS]),
            agreed=serialise_calls(tried.dry_run_calls) if self.rules else (),
        )
        if known is None:
            return _refused(self.request.language.say("decline.later"))
        return await self._async_keep(known, tried)

    def _obstacle(self) -> str:
        """Return the key of the reply that says why nothing can be planned, or ""."""
        if self.context.delayed or not self.delay.is_possible:
            return "decline.later"
        if not self.request.language.statements.isdisjoint(words_of(self.delay.text)[:1]):
            # "I am cold in three seconds" tells something, and says nothing of what to do then.
            return "delayed.unclear"
        return "delayed.too_many" if self.context.assistant.delayed.is_full else ""

    def _command(self, **known: Any) -> DelayedCommand | None:
        """Return the command as it is kept, with what is known of it; None where its file could not hold it.

        A caller's ids and language may be of any length, and a sentence may come to any number of actions.
        """
        user_input = self.context.user_input
        seconds = self.delay.seconds
        fields = {
            "due": dt_util.utcnow() + timedelta(seconds=seconds),
            "delay": seconds,
            "text": self.delay.text,
            "said": self.delay.text,
            "language": user_input.language,
            "conversation_id": str(user_input.conversation_id),
            "user_id": user_input.context.user_id,
            "device_id": user_input.device_id,
            "satellite_id": user_input.satellite_id,
            "parts": self.parts,
            "rules": self.rules,
        }
        try:
            return DelayedCommand.model_validate({**fields, **known})
        except ValidationError:
            return None

    async def _async_try(self, command: DelayedCommand) -> TurnResult:
        """Return what the command would come to if it were given for now."""
        user_input = replace(self.context.user_input, text=command.text)
        return await self.context.async_dry_run(user_input, delayed=command)

    def _ask(self, tried: TurnResult, question: AskUser) -> AgentResult:
        """Ask now what would have to be asked then, where that is one thing."""
        if question.param == PIN:
            return _refused(self.request.language.say("pin.later"))
        kept = self.delay.slots
        is_confirm = question.param == CONFIRM
        if len(tried.answers) > 1 or not (is_confirm or question.candidates):
            return _refused(self.request.language.say("delayed.unclear"))
        if not is_confirm:
            kept["agent"] = tried.record.agents[0]["id"]
        asked = question.model_copy(
            update={
                "data": kept,
                "actions": question.actions if is_confirm else question.half_made,
            }
        )
        return AgentResult(success=True, content=asked.prompt, question=asked)

    async def _async_keep(self, command: DelayedCommand, tried: TurnResult) -> AgentResult:
        """Keep the command until it is due, unless a policy is against it or this is a dry run."""
        context, request = self.context, self.request

        async def do() -> bool:
            await context.assistant.delayed.async_add(command)
            context.record.delayed_ids.append(command.id)
            return True

        call = ToolCall(action=f"intent.{START_TIMER}", data=dict(self.delay.times))
        plan = Plan(
            intent_id=START_TIMER, agent_id=DELAY_AGENT_ID, steps=build_steps(request, [call])
        )
        execution = await request.runner.async_hand_over(
            plan, do, confirmed=frozenset(command.rules)
        )
        if execution.dry_run_calls or not execution.results or not execution.ok:
            return build_answer(request, execution)
        execution.mark_responded()
        failures = tuple(f for answer in tried.answers for f in answer.failures)
        planned = tell_planned(
            request, tried.dry_run_calls, self.delay.seconds, command.said or command.text
        )
        return AgentResult(
            success=True,
            content=compose(request.language, (), failures, [planned]),
            plan=plan,
            results=tuple(execution.results),
        )


def known_parts(command: DelayedCommand) -> list[Assignment]:
    """Return the parts of a due command, where they were known when it was given."""
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


def serialise_calls(calls: Sequence[ToolCall]) -> tuple[str, ...]:
    """Return calls as text: equal for calls that do the same."""
    return tuple(sorted(json.dumps(call_as_json(c), sort_keys=True, default=str) for c in calls))


def _chosen_parts(question: AskUser, targets: Sequence[str]) -> tuple[DelayedPart, ...]:
    """Return what a question asked about, for the entities that were chosen."""
    agent_id = str(question.data.get("agent"))
    return tuple(
        DelayedPart(agent_id=agent_id, action=replace(action, targets=tuple(targets)))
        for action in question.actions
    )


def _parts_done(tried: TurnResult) -> tuple[DelayedPart, ...]:
    """Return what each specialist would do, where all that would be done is known as their actions."""
    plans = [execution.plan for execution in tried.record.executions]
    if not plans or not all(plan.actions for plan in plans):
        return ()
    return tuple(
        DelayedPart(agent_id=plan.agent_id, action=action)
        for plan in plans
        for action in plan.actions
    )


def _refused(
    content: str,
    code: intent.IntentResponseErrorCode = intent.IntentResponseErrorCode.FAILED_TO_HANDLE,
) -> AgentResult:
    """Return the answer that says why nothing was planned."""
    return AgentResult(success=False, content=content, error_code=code)


def _number(value: object) -> float:
    """Return a value as a number; what is none is nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return value if math.isfinite(value) else 0.0

"""Commands for later ("turn off the lamp in ten minutes"): understood and judged now, done when they are due.

Home Assistant's own timer would hand the words to its own agent, which asks no policy and acts in nobody's
name. Here they are kept with who gave them, and are a turn like any other when their time has come.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
import json
from typing import Any

from homeassistant.util import dt as dt_util
from pydantic import ValidationError

from ..agents.base import AgentRequest, AgentResult, declined_answer
from ..agents.dispatch import Dispatched, async_bounded
from ..agents.plan_answers import build_answer, build_steps, compose_undone
from ..agents.wording import capitalised, describe_when, tell_alert, tell_planned, tell_waiting
from ..const import DELAY_AGENT_ID
from ..domains.models import Command, ToolCall
from ..home.names import words_of
from ..memory.delayed import MAX_CALLS, Alert, DelayedCommand, DelayedPart
from ..memory.models import TaskState
from ..memory.pending import SAID
from ..nlu.lexicon import NAMING, Role
from ..nlu.loader import Language
from ..nlu.reading import read_tags
from ..nlu.recognition import ALSO_SLOT, PARTS_SLOT, SCHEDULE_SLOT, START_TIMER
from ..nlu.spans import cover_text
from ..plans.models import CONFIRM, PIN, AskUser, Plan
from ..routing.models import Assignment, Source
from ..routing.router import reply_directly
from ..when import DAY, Once, Repeated, Trigger
from .announced import async_announce
from .context import TurnContext
from .plan_wording import replaced_by
from .planned_slots import Planned, seconds_until
from .put_back import async_move_end
from .record import call_as_json
from .repeated import agreed_parts, async_repeat
from .stages import TurnResult

# A command as it is kept, and the answers that say what of it cannot be done.
type _Read = tuple[DelayedCommand, Sequence[AgentResult]]


def _parts_of(part: Assignment) -> tuple[DelayedPart, ...]:
    """Return what a command comes to, where the router knew it."""
    known = part.intent.parameters.get(PARTS_SLOT) if part.intent else None
    return tuple(known or ())


def _seconds_of_waiting(start: Repeated | Trigger | None) -> float:
    """Return for how many seconds it is waited for what happens."""
    now = dt_util.utcnow()
    return (start.waits_until(now) - now).total_seconds() if isinstance(start, Trigger) else DAY


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
            planned=Planned.of(part.intent.parameters if part.intent else {}),
            parts=_parts_of(part),
        )
    else:
        is_agreed = question.param == CONFIRM
        repeated = agreed_parts(question)
        draft = _Draft(
            context=context,
            request=context.request_for(part),
            planned=Planned.of(question.data),
            parts=repeated or (() if is_agreed else _chosen_parts(question, targets)),
            rules=question.rules if is_agreed else (),
            may_repeat=repeated is not None,
        )
    slots = question.data if question else part.intent.parameters if part.intent else {}
    draft = replace(draft, others=_others(draft, slots))
    options = context.assistant.options.dispatch
    replaced = replaced_by(context, draft.planned.slots)
    if replaced and replaced.before:
        moved = partial(async_move_end, context, replaced, draft.planned.schedule)
        return await async_bounded(DELAY_AGENT_ID, moved, context.language, options)
    planned = await async_bounded(DELAY_AGENT_ID, draft.async_plan, context.language, options)
    if replaced and context.record.delayed_ids:
        await context.assistant.delayed.async_cancel((replaced.id,))
    return planned


def _others(draft: _Draft, slots: Mapping[str, Any]) -> tuple[_Draft, ...]:
    """Return what else slots plan by the same sentence; those of a question were stored, and are not trusted."""
    others = slots.get(ALSO_SLOT)
    found: list[_Draft] = []
    for each in others if isinstance(others, list) else ():
        try:
            parts = tuple(map(DelayedPart.model_validate, each.get(PARTS_SLOT) or ()))
        except AttributeError, TypeError, ValidationError:
            continue
        found.append(replace(draft, planned=Planned.of(each), parts=parts))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A command that is to be planned: what is known of it, and the policies that were agreed to.

    It `may_repeat` where that was agreed to. `others` are those of the same sentence that repeat, too: all are kept, or
    none.
    """

    context: TurnContext
    request: AgentRequest
    planned: Planned
    parts: tuple[DelayedPart, ...] = ()
    rules: tuple[str, ...] = ()
    may_repeat: bool = False
    others: tuple[_Draft, ...] = ()

    async def async_plan(self) -> AgentResult:
        """Find out by a dry run what the command comes to, and keep it if all of that may be done."""
        found = [await draft.async_read() for draft in (self, *self.others)]
        read = [each for each in found if not isinstance(each, AgentResult)]
        if result := next((each for each in found if isinstance(each, AgentResult)), None):
            is_unclear = bool(self.others and result.question)
            return (
                declined_answer(self.request.language, "delayed.unclear") if is_unclear else result
            )
        return await self._async_keep(read)

    async def async_read(self) -> AgentResult | _Read:
        """Return the command as it is kept, with what of it cannot be done, else why it is not planned."""
        if self.planned.alert and self.planned.schedule.start is None:
            return self._ask_when()
        if key := self._obstacle():
            return declined_answer(self.request.language, key)
        if (command := self._command()) is None:
            return declined_answer(self.request.language, "decline.later")
        if command.message:
            return command, ()
        tried = await self._async_try(command)
        if self.planned.is_unread:
            return self._refuse_unread(tried)
        if question := next((a.question for a in tried.answers if a.question), None):
            return self._ask(command, tried, question)
        if len(tried.answers) > 1 and any(map(_is_unread, tried.answers)):
            # Home Assistant takes any words after "in ten minutes": a wish that nobody reads is not left out.
            return declined_answer(self.request.language, "decline.later")
        if tried.state is not TaskState.COMPLETED:
            return self._undone(command, tried)
        if bool(tried.dry_run_calls) is command.spoken:
            return declined_answer(self.request.language, "delayed.unclear")
        undone = [answer for answer in tried.answers if answer.failures or not answer.success]
        if any(answer.is_temporary for answer in undone):
            # Part of it may be possible only then: all of it is told in its words, and judged anew.
            return command, [answer for answer in undone if not answer.is_temporary]
        known = self._command(
            parts=self.parts if _are_done(tried) and self.parts else _parts_done(tried),
            text=tried.request,
            calls=tuple(tried.dry_run_calls[:MAX_CALLS]),
            agreed=serialise_calls(tried.dry_run_calls) if self.rules else (),
        )
        if known is None:
            return declined_answer(self.request.language, "decline.later")
        return known, undone

    def _undone(self, command: DelayedCommand, tried: TurnResult) -> AgentResult | _Read:
        """Refuse a command that could not be done now; keep what may be possible then."""
        if self.planned.alert is Alert.WAKE:
            # Somebody who wants to hear the radio wants to be woken in any case.
            alarm = self._command(message=self.request.language.say("delayed.alarm"))
            return alarm or command, (AgentResult(success=False, content=tried.text),)
        if tried.answers and all(each.success or each.is_temporary for each in tried.answers):
            # What is off now may be on then: it is understood and judged anew.
            return command, ()
        return _refused(tried)

    def _refuse_unread(self, tried: TurnResult) -> AgentResult:
        """Refuse what was not understood, for the reason that it would have now: what it names is not there."""
        answer = tried.answers[0] if tried.answers else None
        is_told = answer and not (answer.success or answer.unknown or answer.is_temporary)
        if tried.state is TaskState.FAILED and answer and is_told:
            return _refused(tried)
        return declined_answer(self.request.language, "decline.later")

    def _obstacle(self) -> str:
        """Return the key of the reply that says why nothing can be planned, or ""."""
        if self.context.delayed or not self.planned.is_possible:
            return "decline.later"
        language, text = self.request.language, self.planned.text
        polite = language.conditions.without_politeness(text)
        begins = (words_of(text)[:1], read_tags(polite, language).plain_words[:1])
        is_told = not (
            any(map(language.statements.isdisjoint, begins)) or self._begins_with_thing()
        )
        if is_told and not (self.planned.alert or language.demands.search(text)):
            # "I am cold in three seconds" tells something, and says nothing of what to do then; "I'd like" is courtesy.
            # What wants to be told may begin with when: "each time the window opens let me know".
            return "delayed.unclear"
        has_room = self.context.assistant.delayed.has_room(1 + len(self.others))
        return "" if has_room else "delayed.too_many"

    def _begins_with_thing(self) -> bool:
        """Return whether the command begins with an article and what names something: Dutch "het licht uit"."""
        article, *rest = cover_text(self.planned.text, self.context.house) or (None,)
        named = bool(rest) and rest[0].has_any(NAMING)
        return named and article is not None and article.has(Role.ARTICLE)

    def _command(self, **known: Any) -> DelayedCommand | None:
        """Return the command as it is kept, with what is known of it; None where its file could not hold it.

        A caller's ids and language may be of any length, and a sentence may come to any number of actions.
        """
        user_input, planned = self.context.user_input, self.planned
        start = planned.schedule.start
        seconds = seconds_until(start) if isinstance(start, Once) else _seconds_of_waiting(start)
        fields = {
            "due": dt_util.utcnow() + timedelta(seconds=seconds),
            "schedule": planned.schedule,
            "delay": seconds,
            "text": planned.text,
            "said": planned.text,
            "message": planned.message,
            "spoken": planned.spoken,
            "alert": planned.alert,
            "language": user_input.language,
            "conversation_id": str(user_input.conversation_id),
            "user_id": user_input.context.user_id,
            "device_id": user_input.device_id,
            "satellite_id": user_input.satellite_id,
            "told_on": planned.told_on,
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

    async def _async_told(self, command: DelayedCommand) -> list[str]:
        """Return what was planned, and how long it is waited for; of what is to be told, also that it is not heard."""
        end = tell_waiting(self.request.language, command)
        is_heard = not (command.message or command.spoken) or await async_announce(
            self.context.assistant, command, command.message or command.text, dry_run=True
        )
        if is_heard:
            return [tell_planned(self.request, command), *end]
        if command.alert is Alert.WAKE:
            # What is only shown wakes nobody.
            command = command.model_copy(update={"alert": Alert.REMIND})
        told = tell_planned(self.request, command)
        return [told, *end, self.request.language.say("delayed.notified")]

    def _ask_when(self) -> AgentResult:
        """Ask for the time that was not said; the answer completes the sentence."""
        prompt = self.request.language.say("delayed.ask")
        asked = AskUser(param=SCHEDULE_SLOT, prompt=prompt, data={SAID: self.context.text})
        return AgentResult(success=True, content=prompt, question=asked)

    def _ask(self, command: DelayedCommand, tried: TurnResult, question: AskUser) -> AgentResult:
        """Ask now what would have to be asked then, where that is one thing; a yes is for when it is to be done."""
        if question.param == PIN:
            return declined_answer(self.request.language, "pin.later")
        kept = self.planned.slots
        is_confirm = question.param == CONFIRM
        if len(tried.answers) > 1 or not (is_confirm or question.candidates):
            return declined_answer(self.request.language, "delayed.unclear")
        if not is_confirm:
            kept["agent"] = tried.record.agents[0]["id"]
        language, prompt = self.request.language, question.prompt
        if is_confirm:
            when = capitalised(describe_when(language, command))
            prompt = language.say("delayed.item", when=when, command=prompt)
        asked = question.model_copy(
            update={
                "prompt": prompt,
                "data": kept,
                "actions": question.actions if is_confirm else question.half_made,
            }
        )
        return AgentResult(success=True, content=asked.prompt, question=asked)

    async def _async_repeat(self, read: Sequence[_Read]) -> AgentResult:
        """Ask whether all that was read is to be repeated, or keep it where that was agreed to."""
        commands = [command for command, _ in read]
        also = [
            {**draft.planned.slots, PARTS_SLOT: [part.as_json() for part in command.parts]}
            for draft, command in zip(self.others, commands[1:], strict=True)
        ]
        told = [" ".join(await self._async_told(command)) for command in commands]
        return await async_repeat(
            self.context,
            self.request,
            commands,
            {**self.planned.slots, ALSO_SLOT: also},
            [answer for _, undone in read for answer in undone],
            told=" ".join(told),
            is_agreed=self.may_repeat,
        )

    async def _async_keep(self, read: Sequence[_Read]) -> AgentResult:
        """Keep what was read until it is due, unless a policy is against it or this is a dry run."""
        context, request = self.context, self.request
        if all(command.is_repeated for command, _ in read):
            return await self._async_repeat(read)
        if self.others:
            return declined_answer(request.language, "decline.later")
        [(command, undone)] = read

        async def do() -> bool:
            await context.assistant.delayed.async_add(command)
            context.record.delayed_ids.append(command.id)
            return True

        call = ToolCall(action=f"intent.{START_TIMER}", data=_times(command.delay))
        plan = Plan(
            intent_id=START_TIMER, agent_id=DELAY_AGENT_ID, steps=build_steps(request, [call])
        )
        execution = await request.runner.async_hand_over(
            plan, do, confirmed=frozenset(command.rules)
        )
        if execution.dry_run_calls or not execution.results or not execution.ok:
            return build_answer(request, execution)
        execution.mark_responded()
        return AgentResult(
            success=True,
            content=compose_undone(request.language, await self._async_told(command), undone),
            plan=plan,
            results=tuple(execution.results),
        )


def _times(seconds: float) -> dict[str, float]:
    """Return the hours, minutes and seconds of a delay, as Home Assistant's timers have them."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    found = {"hours": hours, "minutes": minutes, "seconds": left}
    return {name: number for name, number in found.items() if number}


def known_parts(language: Language, command: DelayedCommand) -> list[Assignment]:
    """Return the parts of a due command, where they were known when it was given."""
    if command.message:
        words = tell_alert(language, command, dt_util.now())
        reason = "It is what was to be told."
        return [reply_directly(command.text, words, reason, Source.DELAYED, topic="delayed")]
    return [
        Assignment(
            agent_id=part.agent_id,
            instruction=command.text,
            confidence=1.0,
            source=Source.DELAYED,
            reason="It was given for now.",
            **_done_by(part.action),
            schedule=command.schedule if command.schedule.ends else None,
        )
        for part in command.parts
    ]


def _done_by(action: Command) -> dict[str, Any]:
    """Return an action as an assignment has it: one of a table is known, an intent is carried out by its agent."""
    is_intent = action.name.startswith("Hass") or "/" in action.name
    return {"intent": action} if is_intent else {"known": (action,)}


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


def _are_done(tried: TurnResult) -> bool:
    """Return whether each part of a sentence would be done, of some of its things at least."""
    return all(answer.success for answer in tried.answers)


def _is_unread(answer: AgentResult) -> bool:
    """Return whether a part of a sentence was not understood."""
    return answer.unknown or answer.is_unmatched


def _refused(tried: TurnResult) -> AgentResult:
    """Return the answer that says why nothing was planned, as a dry run came to it."""
    answer = tried.answers[0] if tried.answers else AgentResult(success=False, content=tried.text)
    declined = answer.declined if len(tried.answers) == 1 else ""
    return AgentResult(
        success=False, content=tried.text, error_code=answer.error_code, declined=declined
    )

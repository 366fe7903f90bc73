"""What is changed for a while ("on for an hour") and put back then, and another time for that."""

from dataclasses import replace
from uuid import uuid4

from homeassistant.util import dt as dt_util

from ..agents.base import AgentResult, declined_answer
from ..agents.dispatch import Dispatched
from ..agents.plan_answers import aggregate
from ..agents.wording import capitalised, tell_waiting
from ..const import DELAY_AGENT_ID
from ..domains.snapshot import StateSnapshot, restore_calls
from ..memory.delayed import MAX_CALLS, MAX_CHARACTERS, DelayedCommand
from ..nlu.triggers import evaluation, read_again
from ..plans.execution import PlanObserver
from ..plans.models import Plan
from ..routing.lasting import AT_ONCE
from ..routing.models import Assignment
from ..when import Once, Schedule, Trigger
from .awaited import async_reader_for
from .context import TurnContext
from .stages import Assigned, Corrected, RouteKind


async def async_end_later(
    context: TurnContext, part: Assignment, schedule: Schedule, dispatched: Dispatched
) -> Dispatched:
    """Plan that what an answer changed is put back as it was when a schedule ends, and say so.

    A question that is open first keeps the schedule. What may not be put back without asking is told to stay.
    """
    answer = dispatched.answer
    if answer.question:
        question = answer.question.model_copy(update={"schedule": schedule})
        return replace(dispatched, answer=replace(answer, question=question))
    now = dt_util.utcnow()
    ends = schedule.end_from(now)
    if ends is None or context.dry_run or not (before := _changed(context, part, answer)):
        return dispatched
    due = ends.waits_until(now) if isinstance(ends, Trigger) else ends.at
    command = DelayedCommand(
        due=due,
        schedule=Schedule(start=ends),
        delay=max(0.0, (due - now).total_seconds()),
        text=context.text[:MAX_CHARACTERS],
        language=context.user_input.language,
        conversation_id=context.conversation_id,
        user_id=context.user_id,
        device_id=context.user_input.device_id,
        satellite_id=context.user_input.satellite_id,
        before=before,
        calls=tuple(restore_calls(before, context.assistant.hass)[:MAX_CALLS]),
    )
    if context.delayed:
        command = await _async_from_now(context, command)
    is_kept = context.assistant.delayed.has_room() and await _async_may_end(context, command)
    told = context.language.say("delayed.stays")
    if is_kept:
        told = await _async_keep_end(context, command)
    remark = AgentResult(success=True, content=told, remarks=(told,))
    content = aggregate(context.language, [answer, remark], context.assistant.options.aggregation)
    # Home Assistant's own words would be passed on without it.
    answer = replace(answer, content=content, remarks=(*answer.remarks, told), native=None)
    return replace(dispatched, answer=answer)


async def _async_from_now(context: TurnContext, command: DelayedCommand) -> DelayedCommand:
    """Return a command that waits for the end of what was planned before, by how it is now: at once where it is so."""
    if (trigger := command.trigger) is None:
        return command
    reader, language = await async_reader_for(context.assistant, command)
    now = dt_util.utcnow()
    result = read_again(trigger, command.text, reader, language.triggers)
    held = tuple(id_ for id_, is_so in evaluation(result, {}).items() if is_so) if result else ()
    # A bell only tells when it rang.
    if held and trigger.hold:
        return command.model_copy(update={"due": now, "schedule": Schedule(start=Once(at=now))})
    begins = trigger.model_copy(update={"held": held, "begun": ()})
    return command.model_copy(update={"schedule": Schedule(start=begins)})


def with_end(way: RouteKind, schedule: Schedule) -> RouteKind:
    """Return a due command's route with the end of its schedule, which its words do not say."""
    if not (schedule.ends and isinstance(way, Assigned | Corrected)):
        return way
    parts = (part if part.decline else replace(part, schedule=schedule) for part in way.parts)
    return replace(way, parts=tuple(parts))


async def _async_keep_end(context: TurnContext, command: DelayedCommand) -> str:
    """Keep a command that puts back what was changed, except in a dry run; return the sentence that it will."""
    if not context.dry_run:
        await context.assistant.delayed.async_add(command)
        context.record.delayed_ids.append(command.id)
    when = context.language.schedule(command.schedule, dt_util.now())
    told = capitalised(context.language.say("delayed.back", when=when))
    return " ".join((told, *tell_waiting(context.language, command)))


async def async_move_end(
    context: TurnContext, command: DelayedCommand, schedule: Schedule
) -> AgentResult:
    """Put back at another time what a command was to put back; nothing changes where that may not be."""
    due = schedule.due or command.due
    moved = command.model_copy(
        update={
            "id": uuid4().hex,
            "due": due,
            "schedule": schedule,
            "delay": max(0.0, (due - dt_util.utcnow()).total_seconds()),
        }
    )
    if not await _async_may_end(context, moved):
        return declined_answer(context.language, "delayed.unclear")
    told = await _async_keep_end(context, moved)
    if not context.dry_run:
        await context.assistant.delayed.async_cancel((command.id,))
    return AgentResult(success=True, content=told)


def _changed(
    context: TurnContext, part: Assignment, answer: AgentResult
) -> tuple[StateSnapshot, ...]:
    """Return how what the agent of a part changed was before the turn.

    Home Assistant's own agent does not tell what it did: then it is what was recognised.
    """
    done = {target for result in answer.results for target in result.done}
    done = done or {*(part.intent.targets if part.intent else context.record.before)}
    done = {target for target in done if target.partition(".")[0] not in AT_ONCE}
    was = [StateSnapshot.of(s) for t, s in context.record.before.items() if t in done]
    now = context.assistant.hass.states
    found = [
        one
        for one in was
        if (state := now.get(one.entity_id)) and one.differences(StateSnapshot.of(state))
    ]
    return tuple(found[:MAX_CALLS])


async def _async_may_end(context: TurnContext, command: DelayedCommand) -> bool:
    """Return whether what a command puts back may be put back at its time, without being asked about."""
    interaction = replace(
        context.runner.interaction,
        at=dt_util.as_local(command.judged_at(dt_util.utcnow())),
        schedule=command.planned,
    )
    runner = replace(context.runner, dry_run=True, interaction=interaction, observer=PlanObserver())
    plan = Plan(intent_id="undo", agent_id=DELAY_AGENT_ID, steps=command.calls)
    execution = await runner.async_run(plan)
    return not execution.to_confirm and len(execution.dry_run_calls) == len(command.calls)

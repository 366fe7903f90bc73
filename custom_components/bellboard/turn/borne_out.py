"""What a model wrote to have done by other agents (the tool `act`), judged by what the person said."""

from collections.abc import Sequence
from dataclasses import replace

from ..agents.grounding import Grounding
from ..agents.models import NOBODY
from ..home.names import words_of
from ..nlu.moments import read_schedule
from ..nlu.recognition import BROADCAST, is_delayed
from ..routing.models import Assignment
from ..routing.reminding import is_reminder
from ..when import Schedule
from .context import TurnContext
from .decision import async_decide
from .planned_slots import Planned


async def async_bear_out(
    context: TurnContext, parts: Sequence[Assignment], instruction: str, *, is_later: bool
) -> list[Assignment]:
    """Return the parts of a model's instruction, those declined or asked about that the person did not speak of.

    Where the person said a time, or it `is_later` by the router, an instruction that says nothing of when may have lost
    it.
    """
    is_lost = (is_later or _says_time(context)) and not any(
        _is_for_then(context, each, instruction) for each in parts
    )
    return [
        replace(each, agent_id=NOBODY, intent=None, decline="decline.later")
        if is_lost and not _is_reminded(context, each)
        else await _async_as_borne_out(context, each, instruction)
        for each in parts
    ]


def _says_time(context: TurnContext) -> bool:
    """Return whether a sentence says in numbers that it is for later, or waits for nothing but a day to come."""
    if not context.reading.is_later:
        return False
    is_number = any(context.language.numbers.find(words_of(context.text)))
    return is_number or (
        not context.reading.is_conditional and _schedule_said(context).start is not None
    )


def _schedule_said(context: TurnContext) -> Schedule:
    """Return when the person said that something is to be done, as far as it is read."""
    lexicon, clock = context.house.lexicon, context.assistant.clock
    said = read_schedule(context.text, lexicon, clock, context.house, is_loose=True)
    return said.schedule if said else Schedule()


def _is_reminded(context: TurnContext, part: Assignment) -> bool:
    """Return whether a part is a reminder that was asked for: nothing is done, and its reply tells when it is."""
    is_asked = context.language.reminders.may_be_in(context.text)
    return is_asked and part.intent is not None and is_reminder(part.intent)


def _is_for_then(context: TurnContext, part: Assignment, instruction: str) -> bool:
    """Return whether a part of a model's instruction is for when the person said, or for as long.

    It says so in their words, or comes to the same moment ("tomorrow at 8:00"). Where they said no number ("before my
    first appointment") the model worked it out, and the reply tells when it is.
    """
    schedule, command = part.schedule, part.instruction
    if part.intent and is_delayed(part.intent):
        planned = Planned.of(part.intent.parameters)
        schedule, command = planned.schedule, planned.text
    if schedule is None or not context.reading.is_deferred:
        return False
    when = {*words_of(instruction)}.difference(words_of(command))
    if not _says_time(context) or when.issubset(words_of(context.text)):
        return True
    return schedule.is_like(_schedule_said(context))


async def _async_as_borne_out(
    context: TurnContext, part: Assignment, instruction: str
) -> Assignment:
    """Return a part that was read from a model's words; what the person did not speak of in it is asked about.

    A model may have read the words in a calendar. What is for later is done only where the person said so.
    """
    if part.intent is None or _is_reminded(context, part):
        return part
    is_later, intents, words = is_delayed(part.intent), [part.intent], list[str]()
    if is_later:
        if not _is_for_then(context, part, instruction):
            return replace(part, agent_id=NOBODY, intent=None, decline="decline.later")
        planned = Planned.of(part.intent.parameters)
        said = replace(context.user_input, text=planned.text)
        decision = await async_decide(context.assistant, said, use=context.part_use)
        read = [each.intent for each in decision.route.assignments]
        intents = [each for each in read if each]
        words = [planned.message or planned.text] if planned.message or None in read else []
    words += [str(each.parameters.get("message", "")) for each in intents if each.name == BROADCAST]
    grounding = Grounding(context.request_for(part))
    unsaid = [id_ for each in intents for id_ in each.targets if not grounding.is_spoken_of(id_)]
    # No yes is asked for to open a house that nobody spoke of, nor for what is to be done when nobody looks.
    is_refused = any(is_later or grounding.is_guarding(each) for each in unsaid)
    if is_refused or not all(map(grounding.is_verbatim, words)):
        return replace(part, agent_id=NOBODY, intent=None, decline="plan.not_understood")
    return replace(part, intent=replace(part.intent, is_guess=True)) if unsaid else part

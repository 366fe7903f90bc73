"""What was planned, done now in the place of then: "do it now instead", "no, right away"."""

from ..agents.dispatch import Dispatched
from ..nlu.replacing import is_for_now
from ..when import Schedule
from .context import TurnContext
from .delayed import known_parts
from .dispatch import async_dispatch_parts
from .planned_parts import async_read_request, planned_before
from .stages import Assigned


async def async_read_hastened(context: TurnContext) -> Assigned | None:
    """Return what was planned last as it is to be done now, where the sentence says that and nothing more.

    What repeats, and what only is to be told or put back, is not hastened.
    """
    command = planned_before(context)
    if command is None or command.before or command.message or command.is_repeated:
        return None
    if "?" in context.text or not is_for_now(context.text, context.language.lexicon):
        return None
    parts = command.parts or await async_read_request(context, command.text)
    if command.schedule.until or not parts:
        return None
    lasts = command.schedule.lasts
    schedule = Schedule(lasts=lasts) if lasts else Schedule()
    now = command.model_copy(update={"schedule": schedule, "parts": tuple(parts)})
    return Assigned(tuple(known_parts(context.language, now)), instead_of=command.id)


async def async_dispatch_assigned(context: TurnContext, assigned: Assigned) -> list[Dispatched]:
    """Let agents answer their parts; once all is done, drop the plan that it is done instead of."""
    done = await async_dispatch_parts(context, assigned.parts)
    is_done = all(each.answer.success and not each.answer.question for each in done)
    if assigned.instead_of and is_done and not context.dry_run:
        await context.assistant.delayed.async_cancel((assigned.instead_of,))
    return done

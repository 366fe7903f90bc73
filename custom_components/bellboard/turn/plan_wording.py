"""How commands for later are told, asked about, and named in the answer to that question."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from homeassistant.util import dt as dt_util

from ..agents.wording import describe_alert, describe_planned
from ..dialogue.answers import read_answer
from ..dialogue.choosing import ReadAnswer
from ..home.catalog import Catalog, CatalogEntity
from ..memory.delayed import DelayedCommand
from ..memory.pending import PendingQuestion
from ..nlu.recognition import REPLACED_SLOT
from ..plans.models import AskUser, Candidate
from ..when import Once, Schedule
from .context import TurnContext
from .planned_parts import own_command

PLANNED = "planned"
"""`AskUser.param` of the question which of the commands for later is to be cancelled."""

_DOMAIN = "planned"


def ask_which(context: TurnContext, commands: Sequence[DelayedCommand]) -> AskUser:
    """Return the question which of several commands is to be cancelled, or whether the only one is."""
    language = context.language
    candidates = tuple(Candidate(entity_id=plan_key(c), name=_words(context, c)) for c in commands)
    if len(commands) == 1:
        prompt = language.say("delayed.whether", item=tell_plan(context, commands[0]))
    else:
        items = language.join((tell_plan(context, command) for command in commands), "or")
        prompt = language.say("delayed.which", items=items)
    return AskUser(param=PLANNED, prompt=prompt, candidates=candidates)


def read_which(
    context: TurnContext,
    pending: PendingQuestion,
    commands: Collection[DelayedCommand],
    text: str,
) -> ReadAnswer:
    """Return which commands some words mean, by the names of what they are for, or by their order."""
    catalog = Catalog(
        entities={plan_key(command): _as_entity(context, command) for command in commands},
        areas=context.catalog.areas,
        floors=context.catalog.floors,
    )
    return read_answer(text, pending, catalog, context.language)


def things_of(context: TurnContext, commands: Iterable[DelayedCommand]) -> list[CatalogEntity]:
    """Return what commands act on, each once; what is exposed no more is left out."""
    targets = [target for c in commands for call in c.calls for target in call.targets]
    entities = context.catalog.entities
    return [found for target in dict.fromkeys(targets) if (found := entities.get(target))]


def _as_entity(context: TurnContext, command: DelayedCommand) -> CatalogEntity:
    """Return a command as something that can be named: by what it is for, where that is, and its own words."""
    found = things_of(context, [command])
    areas, floors = {e.area_id for e in found}, {e.floor_id for e in found}
    return CatalogEntity(
        entity_id=plan_key(command),
        names=(_words(context, command), *dict.fromkeys(name for e in found for name in e.names)),
        area_id=areas.pop() if len(areas) == 1 else None,
        floor_id=floors.pop() if len(floors) == 1 else None,
        device_class=None,
    )


def plan_key(command: DelayedCommand) -> str:
    """Return the id of a command as a candidate of a question."""
    return f"{_DOMAIN}.{command.id}"


def say_canceled(context: TurnContext, commands: Sequence[DelayedCommand]) -> str:
    """Return the sentence that commands will not be carried out, and what they would have done."""
    items = list(dict.fromkeys(_words(context, command) for command in commands))
    if len(items) == 1 and _actions(context, commands[0]):
        return context.language.say("delayed.canceled", actions=items[0])
    return context.language.say("delayed.dropped", items=context.language.join(items))


def say_unchanged(context: TurnContext, slots: Mapping[str, Any]) -> str:
    """Return that what would have been replaced by what some slots plan stays; "" where nothing would have been."""
    command = replaced_by(context, slots)
    items = tell_plan(context, command) if command else ""
    return context.language.say("delayed.unchanged", items=items) if items else ""


def replaced_by(context: TurnContext, slots: Mapping[str, Any]) -> DelayedCommand | None:
    """Return the speaker's own command that some slots plan another instead of, None for none."""
    return own_command(context, str(slots.get(REPLACED_SLOT) or ""))


def tell_plan(context: TurnContext, command: DelayedCommand, *, by_clock: bool = False) -> str:
    """Return what a command will do, and when; also `by_clock` where it is for in a while."""
    told = _as_told_now(context, command)
    when = context.language.schedule(told, dt_util.now())
    if by_clock and isinstance(told.start, Once) and told.start.seconds:
        at = told.model_copy(update={"start": Once(at=told.start.at)})
        clock = context.language.schedule(at, dt_util.now())
        when = context.language.say("delayed.both", clock=clock, when=when)
    return context.language.say("delayed.item", command=_words(context, command), when=when)


def _as_told_now(context: TurnContext, command: DelayedCommand) -> Schedule:
    """Return when a command is due as it is told now: of what is to be in a while, how long it still is."""
    if command.is_by_clock or command.trigger or command.is_repeated:
        return command.schedule
    left = max(1.0, context.assistant.delayed.seconds_left(command))
    start = Once(at=command.due, seconds=left)
    return command.schedule.model_copy(update={"start": start})


def _words(context: TurnContext, command: DelayedCommand) -> str:
    """Return what a command will do, or the words it was given in."""
    told = _actions(context, command) or describe_alert(context.language, command)
    return told or command.said or command.text


def _actions(context: TurnContext, command: DelayedCommand) -> str:
    """Return what a command will do, "" where that is known in its own words only."""
    return describe_planned(context.reply_context, command.calls)

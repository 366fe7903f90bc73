"""Notes which player and which level a turn used, as it was seen to happen, and takes that back where it is undone."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from homeassistant.util import dt as dt_util

from ..const import UNDO_AGENT_ID
from ..domains.registry import table_of
from ..home.catalog import Catalog, CatalogEntity
from ..memory.habits import Habit, LevelHabit, PlayerHabit, part_of_day
from ..nlu.implicit_targets import without_televisions
from ..plans.execution import PlanExecution
from ..plans.models import Plan, ToolResult
from .context import TurnContext

# Calls after which music is heard from their target.
_PLAYING = frozenset(
    {
        "media_player.play_media",
        "media_player.media_play",
        "music_assistant.play_media",
        "music_assistant.transfer_queue",
    }
)
# A radio station may be a source; "switch to the television" is no music.
_SOURCE, _PLAY = "media_player.select_source", "play"
_TOGETHER = "media_player.join"


def note_habits(context: TurnContext) -> None:
    """Note the players and levels that a turn used; only what the home showed afterwards counts.

    What the turn before changed is taken back where this one undid it.
    """
    options, habits = context.assistant.options.habits, context.assistant.habits
    if context.dry_run or not (options.last_player or options.last_level):
        return
    acted: list[PlanExecution] = []
    for execution in context.record.executions:
        if execution.plan.agent_id != UNDO_AGENT_ID:
            acted.append(execution)
        elif any(result.done for result in execution.results):
            habits.take_back(context.conversation_id)
    now = dt_util.now()
    found: list[tuple[Habit, bool]] = []
    if options.last_player:
        found += _players(context, acted, now)
    if options.last_level:
        found += _levels(context.catalog, acted, now)
    habits.note(
        context.conversation_id,
        [habit for habit, _ in found],
        taken=[habit for habit, is_taken in found if is_taken],
    )


def _players(
    context: TurnContext, executions: Sequence[PlanExecution], now: datetime
) -> Iterator[tuple[Habit, bool]]:
    """Yield a habit for each room whose request used a player, and whether that was taken from habit.

    What plays on several players at once chose none of them.
    """
    used: dict[str, bool] = {}
    for execution in executions:
        if any(call.action == _TOGETHER for call in execution.plan.calls):
            return
        for result in execution.results:
            if _is_music(execution.plan, result):
                used |= dict.fromkeys(result.done, result.call.habit == "player")
    if len(used) != 1:
        return
    [(entity_id, is_taken)] = used.items()
    if player := context.catalog.entities.get(entity_id):
        for area_id in _rooms_of(context.catalog, player, context.area_id):
            yield PlayerHabit(area_id=area_id, player=entity_id, used_at=now), is_taken


def _is_music(plan: Plan, result: ToolResult) -> bool:
    """Return whether a call began music, and announced nothing."""
    call = result.call
    if call.action == _SOURCE:
        return any(action.name == _PLAY for action in plan.actions)
    return call.action in _PLAYING and not call.data.get("announce")


def _rooms_of(
    catalog: Catalog, player: CatalogEntity, spoken_in: str | None
) -> Iterator[str | None]:
    """Yield the ids of the areas whose habit a player becomes; None for speakers that are in no area.

    That is its own room, and that of the speaker if there is none of its own there. It has to be one that could be
    meant by "play music" there: no television beside a speaker.
    """
    every = catalog.by_domain.get("media_player", ())
    beside = [other for other in every if other.area_id == player.area_id]
    if player.area_id and player in without_televisions(beside):
        yield player.area_id
    has_own = spoken_in is not None and any(other.area_id == spoken_in for other in every)
    if not has_own and player in without_televisions(every):
        yield spoken_in


def _levels(
    catalog: Catalog, executions: Sequence[PlanExecution], now: datetime
) -> Iterator[tuple[Habit, bool]]:
    """Yield a habit for each level that was said for a room or taken from habit there, and which of both it was."""
    for execution in executions:
        for result in execution.results:
            percent = _level_of(execution.plan, result)
            areas = {
                entity.area_id for target in result.done if (entity := catalog.entities.get(target))
            }
            if percent is None or len(areas) != 1 or not (area_id := areas.pop()):
                continue
            habit = LevelHabit(area_id=area_id, part=part_of_day(now), percent=percent, used_at=now)
            yield habit, bool(result.call.habit)


def _level_of(plan: Plan, result: ToolResult) -> float | None:
    """Return the level that a call set because it was said for a room, or is usual there; None for any other call.

    Dimming by steps, a single lamp, and what a model or a rule made of it say nothing of a room.
    """
    call = result.call
    table = table_of(call.action.partition(".")[0])
    usual = table.usual_level if table else None
    row = table.action(usual.sets) if table and usual else None
    if usual is None or row is None:
        return None
    field = next(each.field for each in row.parameters if each.name == usual.parameter)
    level = call.data.get(field)
    if not isinstance(level, int | float) or not 1 <= level <= 100:
        return None
    if call.habit:
        return level
    is_said = any(
        action.name == usual.sets and action.parameters.get(usual.parameter) == level
        for action in plan.actions
    )
    return level if is_said and plan.is_for_room and not call.assumed else None

"""Habits: the player and the level that a room's requests used last, for requests that name none.

A habit is a mere choice among what could be meant anyway: it never widens what a request is for. Locks,
covers and whatever else guards a home have none.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, override

from pydantic import AwareDatetime, ConfigDict, Field, TypeAdapter

from ..json_model import JsonModel
from .ha_store import KeptItems, ListKind, shorten

MAX_HABITS = 500
"""The habits that are kept; those that were used longest ago go first."""

HABITS_NAME = "habits"
"""The name of the files of habits."""

_MAX_NAME = 255
# Conversations of which it is known which habits their last turn changed.
_MAX_CONVERSATIONS = 100
# The hour at which each part of the day begins; before the first it is still night.
_MORNING, _DAY, _EVENING, _NIGHT = 5, 10, 17, 22

type _Area = Annotated[str, Field(min_length=1, max_length=_MAX_NAME)]


class PartOfDay(StrEnum):
    """Part of a day: a level that is right in one is not in another."""

    MORNING = "morning"
    DAY = "day"
    EVENING = "evening"
    NIGHT = "night"


def part_of_day(at: datetime) -> PartOfDay:
    """Return the part of the day of a local time: morning from 5, day from 10, evening from 17, night from 22."""
    if _MORNING <= at.hour < _DAY:
        return PartOfDay.MORNING
    if _DAY <= at.hour < _EVENING:
        return PartOfDay.DAY
    return PartOfDay.EVENING if _EVENING <= at.hour < _NIGHT else PartOfDay.NIGHT


class PlayerHabit(JsonModel):
    """The player that music was asked of last, in an area; without one by speakers that are in none."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["player"] = "player"
    area_id: _Area | None = None
    player: Annotated[str, Field(pattern=r"^media_player\.[a-z0-9_]+$", max_length=_MAX_NAME)]
    used_at: AwareDatetime


class LevelHabit(JsonModel):
    """The brightness in percent that was said last for the lights of an area, in a part of the day."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    kind: Literal["level"] = "level"
    area_id: _Area
    part: PartOfDay
    percent: Annotated[int | float, Field(ge=1, le=100)]
    used_at: AwareDatetime


type Habit = PlayerHabit | LevelHabit

_ADAPTER: TypeAdapter[Habit] = TypeAdapter(Annotated[Habit, Field(discriminator="kind")])


def read_habit(item: Any) -> Habit:
    """Return the habit of a JSON object.

    Raises:
        ValueError: it is none.
    """
    return _ADAPTER.validate_python(item)


@dataclass(frozen=True, slots=True)
class HabitKey:
    """Key of a habit: a player or a level, of an area, a level in a part of the day."""

    kind: str
    area_id: str | None
    part: PartOfDay | None = None

    @classmethod
    def of(cls, habit: Habit) -> HabitKey:
        """Return the key of a habit."""
        part = habit.part if isinstance(habit, LevelHabit) else None
        return cls(habit.kind, habit.area_id, part)


class Habits(KeptItems[Habit]):
    """The habits of one assistant, the one that was used longest ago first: ids, levels and times, no words.

    What the last turn of each conversation changed is known
    beside them, in memory only.
    """

    kind = ListKind(HABITS_NAME, "habits", "What is used by habit", read_habit)

    @override
    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        """Begin with none."""
        super().__init__(on_change)
        self._habits: dict[HabitKey, Habit] = {}
        self._before: dict[str, dict[HabitKey, Habit | None]] = {}

    @property
    @override
    def all(self) -> tuple[Habit, ...]:
        """Return all habits, the one that was used longest ago first."""
        return tuple(self._habits.values())

    @override
    def replace(self, items: Iterable[Habit]) -> None:
        """Replace all habits."""
        ordered = sorted(items, key=lambda habit: habit.used_at.astimezone(UTC))
        self._habits = {HabitKey.of(habit): habit for habit in ordered}
        shorten(self._habits, MAX_HABITS)

    def player(self, area_id: str | None) -> str | None:
        """Return the entity id of the player that was used last in an area, None where there was none."""
        habit = self._habits.get(HabitKey("player", area_id))
        return habit.player if isinstance(habit, PlayerHabit) else None

    def level(self, area_id: str, part: PartOfDay) -> float | None:
        """Return the percent that were said last for an area in a part of the day, None where none were."""
        habit = self._habits.get(HabitKey("level", area_id, part))
        return habit.percent if isinstance(habit, LevelHabit) else None

    def note(
        self, conversation_id: str, habits: Collection[Habit], *, taken: Collection[Habit] = ()
    ) -> None:
        """Record the habits of the last turn of a conversation; without any, only that the turn before is over.

        Undoing the turn brings back what was before, but drops what was `taken` from habit.
        """
        self._before.pop(conversation_id, None)
        if not habits:
            return
        self._before[conversation_id] = {
            key: None if habit in taken else self._habits.get(key)
            for habit in habits
            for key in [HabitKey.of(habit)]
        }
        shorten(self._before, _MAX_CONVERSATIONS)
        for habit in habits:
            self._put(HabitKey.of(habit), habit)
        shorten(self._habits, MAX_HABITS)
        self._on_change()

    def take_back(self, conversation_id: str) -> None:
        """Bring the habits back that the last turn of a conversation changed."""
        before = self._before.pop(conversation_id, {})
        for key, habit in before.items():
            self._put(key, habit)
        if before:
            self._on_change()

    def clear(self, is_meant: Callable[[Habit], bool] = lambda _: True) -> int:
        """Forget the habits that are meant, all by default; return how many."""
        gone = [key for key, habit in self._habits.items() if is_meant(habit)]
        for key in gone:
            del self._habits[key]
        if gone:
            self._before.clear()
            self._on_change()
        return len(gone)

    def _put(self, key: HabitKey, habit: Habit | None) -> None:
        """Put a habit in the place of another as the newest, or drop that one."""
        self._habits.pop(key, None)
        if habit:
            self._habits[key] = habit


@dataclass(frozen=True, slots=True)
class UsualChoices:
    """The habits as one turn may use them: its time, and whether players and levels are taken from habit."""

    habits: Habits
    at: datetime
    has_players: bool = False
    has_levels: bool = False

    def player(self, area_id: str | None) -> str | None:
        """Return the entity id of the player that is usual in an area, None where there is none."""
        return self.habits.player(area_id) if self.has_players else None

    def level(self, area_id: str) -> float | None:
        """Return the percent that are usual in an area at this time of the day, None where there are none."""
        return self.habits.level(area_id, part_of_day(self.at)) if self.has_levels else None


NOTHING_USUAL = UsualChoices(Habits(), datetime.min.replace(tzinfo=UTC))
"""Nothing is taken from habit."""

"""Learned decisions: sentences a model decided about, its decision, and how often that was right.

A lesson is learned from a turn that a model decided and whose calls were all verified. It is used once
it was confirmed, and dropped at the first sign that it was wrong.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, override

from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field

from ..domains.models import Command
from ..json_model import JsonModel
from .ha_store import KeptItems, ListKind, shorten

LESSONS_NAME = "learned"
"""The name of the files of learned decisions."""

NEEDED = 2
"""The turns in which a decision must have been right before it is used without a model."""

CORRECTION = "correction"
"""Source of a decision that a person corrected: it is right from the first time, and comes before all readers."""

MAX_LESSONS = 200
"""The lessons that are kept; those that were of use longest ago go first."""

MAX_CHARACTERS = 200
"""No longer sentence is learnt."""

MAX_TARGETS = 100
"""A decision about more things than these is not learnt."""

REPEATED = timedelta(seconds=60)
"""A sentence that is said again sooner than this did not get what was wanted."""

_MAX_ACTIONS = 4
_MAX_PARAMETERS = 8
_MAX_NAME = 100
# Conversations of which it is known what was done last.
_MAX_CONVERSATIONS = 100


def _checked_action(action: Command) -> Command:
    """Return an action if it is small and for named targets.

    Raises:
        ValueError: it is for nothing or too much, or a value is no plain one.
    """
    if not 0 < len(action.targets) <= MAX_TARGETS or len(action.parameters) > _MAX_PARAMETERS:
        raise ValueError("an action for nothing, or for too much")
    values = action.parameters.values()
    texts = [action.name, *action.targets, *action.parameters]
    texts += [value for value in values if isinstance(value, str)]
    if not all(0 < len(text) <= MAX_CHARACTERS for text in texts):
        raise ValueError("a text without an end, or without a beginning")
    if not all(isinstance(value, str | int | float) for value in values):
        raise ValueError("a value that is none")
    return action


type _Action = Annotated[Command, AfterValidator(_checked_action)]
type _Name = Annotated[str, Field(min_length=1, max_length=_MAX_NAME)]


@dataclass(frozen=True, slots=True)
class SentenceKey:
    """The key of a learned decision: a normalised sentence, its language, and the speaker's area."""

    sentence: str
    language: str
    area_id: str | None


class LearnedDecision(JsonModel):
    """A learned decision about a sentence.

    `actions` are those of the agent `agent_id`, all with the same entity ids as targets; `fingerprint`
    is that of the sentence's `Meaning`. `source` is the router that decided. `confirmed` counts the
    turns in which the model decided so and all was verified, from `learnt_at` to `confirmed_at`;
    `used` counts those that were right without a model, the last at `used_at`.
    """

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    sentence: Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
    language: _Name
    area_id: _Name | None = None
    agent_id: _Name
    actions: Annotated[tuple[_Action, ...], Field(min_length=1, max_length=_MAX_ACTIONS)]
    fingerprint: _Name
    source: _Name
    learnt_at: AwareDatetime
    confirmed_at: AwareDatetime
    confirmed: Annotated[int, Field(ge=1)] = 1
    used: Annotated[int, Field(ge=0)] = 0
    used_at: AwareDatetime | None = None

    @property
    def spoken(self) -> SentenceKey:
        """Return its key."""
        return SentenceKey(self.sentence, self.language, self.area_id)

    @property
    def targets(self) -> tuple[str, ...]:
        """Return its entity ids."""
        return self.actions[0].targets

    @property
    def domain(self) -> str:
        """Return the domain of its targets."""
        return self.targets[0].partition(".")[0]

    @property
    def is_in_use(self) -> bool:
        """Return whether it was confirmed often enough to be used, or is what a person said was meant."""
        return self.is_correction or self.confirmed >= NEEDED

    @property
    def is_correction(self) -> bool:
        """Return whether a person said that this was meant."""
        return self.source == CORRECTION

    def is_like(self, other: LearnedDecision) -> bool:
        """Return whether another lesson is the same decision for the same targets."""
        return (self.agent_id, self.actions) == (other.agent_id, other.actions)


class LearnedDecisions(KeptItems[LearnedDecision]):
    """The learned decisions of one assistant, the least recently used first.

    The last sentences and each conversation's last decision are known beside them, in memory only.
    """

    kind = ListKind(LESSONS_NAME, "lessons", "What was learnt", LearnedDecision.model_validate)

    @override
    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        """Begin with none."""
        super().__init__(on_change)
        self._lessons: dict[SentenceKey, LearnedDecision] = {}
        # When something was said last, and what was done last in a conversation: oldest first.
        self._said_at: dict[SentenceKey, datetime] = {}
        self._last: dict[str, SentenceKey] = {}
        self._has_corrections = False

    @property
    @override
    def all(self) -> tuple[LearnedDecision, ...]:
        """Return all lessons, the least recently used first."""
        return tuple(self._lessons.values())

    @property
    def has_corrections(self) -> bool:
        """Return whether a person corrected any decision."""
        return self._has_corrections

    @override
    def replace(self, items: Iterable[LearnedDecision]) -> None:
        """Replace all lessons."""
        self._lessons = {lesson.spoken: lesson for lesson in items}
        self._tidy()

    def get(self, spoken: SentenceKey) -> LearnedDecision | None:
        """Return the lesson of a key, whether or not it is in use."""
        return self._lessons.get(spoken)

    def was_just_said(self, spoken: SentenceKey, now: datetime) -> bool:
        """Return whether the same was said just before."""
        at = self._said_at.get(spoken)
        return at is not None and abs(now - at) < REPEATED

    def note_said(self, spoken: SentenceKey, now: datetime) -> None:
        """Note that a sentence was said."""
        self._said_at.pop(spoken, None)
        self._said_at[spoken] = now
        shorten(self._said_at, MAX_LESSONS)

    def confirm(self, lesson: LearnedDecision) -> None:
        """Learn a decision that was right, or count it once more; another one about the same is replaced."""
        known = self._lessons.get(lesson.spoken)
        same = known if known and known.is_like(lesson) else None
        if known and known.is_correction and not (same or lesson.is_correction):
            # What a person said is not outweighed by what a model believes.
            return
        if same:
            lesson = same.model_copy(
                update={
                    "confirmed": same.confirmed + 1,
                    "confirmed_at": lesson.confirmed_at,
                    "fingerprint": lesson.fingerprint,
                    "source": CORRECTION if same.is_correction else lesson.source,
                }
            )
        # Last, since it was of use last.
        self._lessons.pop(lesson.spoken, None)
        self._lessons[lesson.spoken] = lesson
        self._tidy()
        self._on_change()

    def use(self, spoken: SentenceKey, now: datetime) -> None:
        """Count a use that was right."""
        if lesson := self._lessons.pop(spoken, None):
            update = {"used": lesson.used + 1, "used_at": now}
            self._lessons[spoken] = lesson.model_copy(update=update)
            self._on_change()

    def drop(self, spoken: SentenceKey) -> bool:
        """Forget a lesson; return whether there was one."""
        if self._lessons.pop(spoken, None) is None:
            return False
        self._tidy()
        self._on_change()
        return True

    def note_last(self, conversation_id: str, spoken: SentenceKey | None) -> None:
        """Note the key of a conversation's last turn; None where nothing can be learned of it."""
        self._last.pop(conversation_id, None)
        if spoken:
            self._last[conversation_id] = spoken
            shorten(self._last, _MAX_CONVERSATIONS)

    def unlearn(self, conversation_id: str) -> bool:
        """Drop the lesson of a conversation's last turn; return whether there was one."""
        spoken = self._last.pop(conversation_id, None)
        return spoken is not None and self.drop(spoken)

    def _tidy(self) -> None:
        """Drop the least recently used lessons beyond `MAX_LESSONS`; what a person corrected stays longest."""
        lessons = self._lessons
        while len(lessons) > MAX_LESSONS:
            learnt = (spoken for spoken, lesson in lessons.items() if not lesson.is_correction)
            del lessons[next(learnt, next(iter(lessons)))]
        # Here, and not in each turn.
        self._has_corrections = any(lesson.is_correction for lesson in lessons.values())

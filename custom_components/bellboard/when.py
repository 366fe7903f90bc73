"""When something is to be done that is not for now: once, again and again, or once something happens; and until when.

Times are resolved when they are read: what is for "ten" is for a moment with its time zone. A part of the day and what
the sun does are kept beside it, so that it is told as it was asked for.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal, Self

from pydantic import AwareDatetime, ConfigDict, Field

from .json_model import JsonModel

LONGEST = 366 * 24 * 3600.0
"""In seconds: what is to be done later than that is no matter for a voice assistant."""

MAX_WORDS = 300
"""In characters, of the words for what is waited for."""

MOST_ENTITIES = 200
"""That one trigger may wait for."""

DAY = 24 * 3600.0
"""In seconds: so long it is waited for what happens, unless a longer time is said."""


EARLY, MORNING, FORENOON, NOON, AFTERNOON, EVENING, NIGHT, MIDNIGHT = (
    "early", "morning", "forenoon", "noon", "afternoon", "evening", "night", "midnight",
)  # fmt: skip

DEFAULT_PARTS: Mapping[str, time] = MappingProxyType(
    {
        EARLY: time(4), MORNING: time(7), FORENOON: time(10), NOON: time(12), AFTERNOON: time(15), EVENING: time(19),
        NIGHT: time(22), MIDNIGHT: time(0),
    }
)  # fmt: skip
"""When the parts of a day begin, unless a house sets it."""


class SunEvent(StrEnum):
    """What the sun does, as Home Assistant calls it."""

    SUNRISE = "sunrise"
    SUNSET = "sunset"


class SunTime(JsonModel):
    """A time by the sun: `offset` in seconds, below 0 for before it."""

    model_config = ConfigDict(frozen=True)

    event: SunEvent
    offset: Annotated[float, Field(ge=-DAY / 2, le=DAY / 2)] = 0.0


type SunOn = Callable[[SunEvent, date], datetime | None]
"""Tells when the sun rises or sets on a day, None where it does not."""


class Once(JsonModel):
    """A moment. `sun` and `seconds`, a duration from when it was said, are how it was asked for."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["once"] = "once"
    at: AwareDatetime
    sun: SunTime | None = None
    seconds: Annotated[float, Field(gt=0, le=LONGEST)] | None = None

    @classmethod
    def after(cls, seconds: float, now: datetime) -> Self:
        """Return the moment so many seconds after an aware time, in its time zone."""
        at = now.astimezone(UTC) + timedelta(seconds=seconds)
        return cls(at=at.astimezone(now.tzinfo), seconds=seconds)


class Repeated(JsonModel):
    """Every day at a local time (`clock`) or by the `sun`, or after so many seconds each time (`every`).

    `weekdays` are those on which it is, 0 for Monday; without any it is every day.
    """

    model_config = ConfigDict(frozen=True)

    kind: Literal["repeated"] = "repeated"
    clock: time | None = None
    sun: SunTime | None = None
    every: Annotated[float, Field(ge=60, le=DAY)] | None = None
    weekdays: Annotated[tuple[Annotated[int, Field(ge=0, le=6)], ...], Field(max_length=7)] = ()


class Window(JsonModel):
    """Hours of a day, by the clock of the house or its sun: from the `begin` up to the `end`, maybe over midnight."""

    model_config = ConfigDict(frozen=True)

    begin: time | SunTime
    end: time | SunTime

    def has(self, now: datetime, sun: SunOn) -> bool:
        """Return whether a moment, local to the house, is in them; the `sun` tells when it rises and sets."""
        begin, end = (_time_of(each, now, sun) for each in (self.begin, self.end))
        if begin is None or end is None:
            return False
        is_over_midnight = end <= begin
        return (begin <= now.time()) + (now.time() < end) > (not is_over_midnight)


DARK = Window(begin=SunTime(event=SunEvent.SUNSET), end=SunTime(event=SunEvent.SUNRISE))
"""From sunset to sunrise."""


def _time_of(edge: time | SunTime, now: datetime, sun: SunOn) -> time | None:
    """Return an edge of a window as a local time of today; None where the sun does not rise or set."""
    if isinstance(edge, time):
        return edge
    moment = sun(edge.event, now.date())
    offset = timedelta(seconds=edge.offset)
    return (moment + offset).astimezone(now.tzinfo).time() if moment else None


class Trigger(JsonModel):
    """Something that is waited for, in the words that were said for it: "the washing machine is done".

    It is what a condition is (`nlu.conditions`), true only once `is_negated` is not. `entity_ids` are those whose
    states tell it. It is held for so many seconds before it counts. With `repeats` it is for each time, else for
    the first. What begins outside of its `window`, where it has one, does not count. It is waited for until when was
    said (`until`), else for a `DAY`. Those of `held`, "" for no certain one, were so already when it was made; those of
    `begun` were, too, but for less than they have to be held, each since a time.
    """

    model_config = ConfigDict(frozen=True)

    kind: Literal["trigger"] = "trigger"
    text: Annotated[str, Field(min_length=1, max_length=MAX_WORDS)]
    is_negated: bool = False
    entity_ids: Annotated[tuple[str, ...], Field(max_length=MOST_ENTITIES)] = ()
    hold: Annotated[float, Field(ge=0, le=DAY)] = 0.0
    repeats: bool = False
    window: Window | None = None
    until: AwareDatetime | None = None
    held: Annotated[tuple[str, ...], Field(max_length=MOST_ENTITIES)] = ()
    begun: Annotated[tuple[tuple[str, AwareDatetime], ...], Field(max_length=MOST_ENTITIES)] = ()

    def waits_until(self, now: datetime) -> datetime:
        """Return when what is waited for from `now` is waited for no more."""
        return self.until or now + timedelta(seconds=DAY)


type When = Annotated[Once | Repeated | Trigger, Field(discriminator="kind")]
"""When something is to be done."""


type End = Annotated[Once | Trigger, Field(discriminator="kind")]
"""When something is put back: at a moment, or once something happens."""


class Schedule(JsonModel):
    """When something begins (`start`; None for now), and when it is put back as it was.

    That is at a moment or once something happens (`until`), or so many seconds after it began (`lasts`); with neither
    it stays. What is for later is done `only_if` something is so then, in the words that were said for it: "if the
    window is closed".
    """

    model_config = ConfigDict(frozen=True)

    start: When | None = None
    only_if: Annotated[str, Field(max_length=MAX_WORDS)] = ""
    until: End | None = None
    lasts: Annotated[float, Field(gt=0, le=LONGEST)] | None = None

    @property
    def ends(self) -> bool:
        """Return whether what is done is put back."""
        return self.until is not None or self.lasts is not None

    @property
    def end_moment(self) -> Once | None:
        """Return the moment that is said for its end, None for any other end."""
        return self.until if isinstance(self.until, Once) else None

    def end_from(self, now: datetime) -> End | None:
        """Return when what begins `now` is put back, None where it stays."""
        return self.until or (Once.after(self.lasts, now) if self.lasts else None)

    @property
    def due(self) -> datetime | None:
        """Return the moment that it begins at, None for any other."""
        return self.start.at if isinstance(self.start, Once) else None

    def is_like(self, other: Schedule) -> bool:
        """Return whether it begins and ends as another does, each moment to the minute."""
        return (
            self.lasts,
            self.only_if,
            _to_the_minute(self.start),
            _to_the_minute(self.until),
        ) == (
            other.lasts,
            other.only_if,
            _to_the_minute(other.start),
            _to_the_minute(other.until),
        )


def _to_the_minute(when: When | None) -> When | datetime | None:
    """Return when something is, a moment to the minute, however it was asked for."""
    return (
        when.at.astimezone(UTC).replace(second=0, microsecond=0) if isinstance(when, Once) else when
    )

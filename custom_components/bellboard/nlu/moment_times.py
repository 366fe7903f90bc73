"""Moments that are said, and when they are: by the clock of a house, its days and its sun.

Arithmetic is in UTC. A local time that a clock change skips is the first one after it, one that it repeats is the
first of the two.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from types import MappingProxyType

from ..when import (
    AFTERNOON,
    DEFAULT_PARTS,
    EARLY,
    EVENING,
    FORENOON,
    LONGEST,
    MIDNIGHT,
    MORNING,
    NIGHT,
    NOON,
    Once,
    SunOn,
    SunTime,
)

HALF_DAY = 12 * 60
DAY = 24 * 60
"""In minutes, as all times of a day here."""

TONIGHT = "tonight"
"""Today's evening, and once that has begun its night."""

_HOUR = 60
# On a day that is named, hours before this are likelier in the afternoon: "tomorrow at six", not "at a quarter past".
_EARLIEST = 6 * _HOUR + 1
# Hours that a moment of a day is said of.
_HOURS_OF = {NOON: {11, 0, 1, 2}, MIDNIGHT: {0}}
# Nobody is woken before the first, and a night goes on until the second.
_WAKING, _DAWN = 4 * _HOUR, 6 * _HOUR
# So many days are looked at for a time on any day, and for the sun where it does not rise every day.
_DAYS = 3
_MONTHS = 12
WEEK = 7
# Parts of a day that are times, and not hours long.
_TIMES = frozenset({NOON, MIDNIGHT})
_AT_MIDNIGHT = tuple({part, MIDNIGHT} for part in (EVENING, NIGHT, TONIGHT))


@dataclass(frozen=True, slots=True)
class HomeClock:
    """Local time of a house (`now`, aware), when its sun rises and sets on a day, and when parts of a day begin."""

    now: datetime
    sun: SunOn
    parts_of_day: Mapping[str, time] = field(default_factory=lambda: DEFAULT_PARTS)

    def at(self, day: date, minutes: int) -> datetime:
        """Return the moment in UTC so many minutes after midnight by the clock; a day's 1440 are the next one's 0."""
        later, left = divmod(minutes, DAY)
        local = datetime.combine(day + timedelta(days=later), time(*divmod(left, _HOUR)))
        zone = self.now.tzinfo
        moment = local.replace(tzinfo=zone).astimezone(UTC)
        if moment.astimezone(zone).replace(tzinfo=None) != local:
            moment = _clock_change(local.replace(tzinfo=zone, fold=1).astimezone(UTC), moment, zone)
        return moment

    def part(self, name: str) -> int:
        """Return when a part of a day begins."""
        known = self.parts_of_day.get(name) or DEFAULT_PARTS[name]
        return known.hour * _HOUR + known.minute


def _clock_change(before: datetime, after: datetime, zone: tzinfo | None) -> datetime:
    """Return when the clock changes between two moments."""
    offset = after.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return after.replace(second=0, microsecond=0)


# From when until when somebody may speak of a part of a day, in minutes.
_PARTS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        EARLY: (0, 6 * _HOUR), MORNING: (4 * _HOUR, 12 * _HOUR), FORENOON: (6 * _HOUR, 12 * _HOUR),
        NOON: (11 * _HOUR, 14 * _HOUR), AFTERNOON: (12 * _HOUR, 18 * _HOUR), EVENING: (17 * _HOUR, DAY),
        NIGHT: (20 * _HOUR, DAY + _DAWN), TONIGHT: (17 * _HOUR, DAY + _DAWN), MIDNIGHT: (23 * _HOUR, DAY + _HOUR),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clock:
    """Time of a day in minutes after midnight, of either half of it unless it `is_exact`.

    `part` is the part of a day that belongs to it: "two at night".
    """

    minutes: int
    is_exact: bool = False
    part: str = ""


@dataclass(frozen=True, slots=True)
class Day:
    """A day: so many days `ahead`, the next `weekday` (0 for Monday), or a `date` as its month and day.

    A weekday is so many days `later` than the next one, which is never today where it is `coming`; a part of today has
    not begun then ("later this evening"). The month of a date is 0 where none is said.
    """

    ahead: int | None = None
    weekday: int | None = None
    date: tuple[int, int] | None = None
    later: int = 0
    coming: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """What is said of a moment: a day, a part of it, a time by the clock or by the sun."""

    day: Day | None = None
    part: str = ""
    clock: Clock | None = None
    sun: SunTime | None = None

    def merged(self, other: Moment) -> Moment | None:
        """Return what two say together, None where both say the same thing."""
        names = ("day", "part", "clock", "sun")
        if {self.part, other.part} in _AT_MIDNIGHT:
            # "This evening at midnight"
            first, second = replace(self, part=""), replace(other, part="")
            return (merged := first.merged(second)) and replace(merged, part=MIDNIGHT)
        if any(getattr(self, name) and getattr(other, name) for name in names):
            return None
        is_at = self.clock or other.clock or {self.part, other.part} & _TIMES
        if is_at and (self.sun or other.sun):
            return None
        return Moment(**{name: getattr(self, name) or getattr(other, name) for name in names})

    def within(self, end: Moment) -> Moment:
        """Return it with the day and the part of it that are said of the later `end`: "from six to eight tomorrow"."""
        if (
            not (self.clock and end.clock)
            or self.clock.part
            or replace(self, clock=None) != Moment()
        ):
            return self
        if not end.day or self.clock.minutes >= end.clock.minutes:
            return self
        return replace(self, day=end.day, part=end.part or end.clock.part)

    def minutes(self, clock: HomeClock, *, is_later: bool, wakes: bool) -> list[int]:
        """Return the times of a day that may be meant, in minutes; those of 1440 and more are in the next night.

        Where it `is_later`, on a day that is named or on several, it is the likelier one.
        """
        if self.clock is None:
            return self._part_minutes(clock)
        said, part = self.clock.minutes, self.clock.part or self.part
        if part == EARLY:
            return self._early(said)
        if self.clock.is_exact:
            is_next = self.part in {EVENING, NIGHT, TONIGHT} and said < _DAWN
            return [said + DAY if is_next else said]
        if part:
            return [_in_part(said, part, is_joined=not self.clock.part)]
        if wakes and _WAKING <= said < HALF_DAY:
            return [said]
        if is_later:
            return [said if _EARLIEST <= said < HALF_DAY else said + HALF_DAY]
        return [said, said + HALF_DAY]

    def _part_minutes(self, clock: HomeClock) -> list[int]:
        """Return when the part of the day begins, in the morning where none is said."""
        if self.part == TONIGHT:
            return [clock.part(EVENING), clock.part(NIGHT)]
        begin = clock.part(self.part or MORNING)
        if self.part == EARLY:
            return self._early(begin)
        return [begin + DAY if self.part == MIDNIGHT and begin < HALF_DAY else begin]

    def _early(self, minutes: int) -> list[int]:
        """Return a time in the small hours; those of today are the coming ones, too."""
        is_today = self.day == Day(ahead=0)
        return [minutes, minutes + DAY] if is_today else [minutes]

    def is_at(self, at: datetime, clock: HomeClock) -> bool:
        """Return whether a moment, local to the house, may be what is said: of the time of a day, and of the day."""
        if self.sun:
            return False
        is_day = self.day is None or at.date() in set(_dates(self.day, clock.now.date()))
        return is_day and self._is_at_time(at.hour * _HOUR + at.minute, clock)

    def is_daily_at(self, at: time | None, weekdays: Sequence[int], clock: HomeClock) -> bool:
        """Return whether a time on some weekdays, all for none, may be what is said."""
        days = set(_dates(self.day, clock.now.date())) if self.day else set()
        is_day = not (days and weekdays) or any(day.weekday() in weekdays for day in days)
        return (
            is_day
            and at is not None
            and not self.sun
            and self._is_at_time(at.hour * _HOUR + at.minute, clock)
        )

    def _is_at_time(self, minutes: int, clock: HomeClock) -> bool:
        """Return whether a time of a day may be what is said."""
        if self.clock:
            said = self.minutes(clock, is_later=False, wakes=False)
            return minutes in {each % DAY for each in said}
        first, last = _PARTS.get(self.part, (0, DAY))
        return first <= minutes < last or first <= minutes + DAY < last

    def is_now(self, clock: HomeClock) -> bool:
        """Return whether it is no more than a part of today that has begun: "this evening", said at nine."""
        return (
            bool(self.part)
            and self == Moment(Day(ahead=0), self.part)
            and self._is_at_time(clock.now.hour * _HOUR + clock.now.minute, clock)
        )

    @property
    def is_ambiguous(self) -> bool:
        """Return whether either half of a day may be meant."""
        return bool(self.clock and not (self.clock.is_exact or self.clock.part or self.part))


def is_in_part(clock: Clock, part: str) -> bool:
    """Return whether a time may be in a part of a day that follows it: "twelve at midnight", not "ten to midnight"."""
    hour = clock.minutes // _HOUR % 12
    return hour in _HOURS_OF.get(part, {hour})


def _in_part(minutes: int, part: str, *, is_joined: bool) -> int:
    """Return the time in a part of a day: "eight in the evening"; it `is_joined` to one in "tomorrow night"."""
    if part in {MORNING, FORENOON}:
        return minutes
    if part == NOON:
        return minutes if minutes >= 5 * _HOUR else minutes + HALF_DAY
    if part in {EVENING, TONIGHT}:
        return minutes + (HALF_DAY if minutes >= _WAKING else DAY)
    if part in {NIGHT, MIDNIGHT}:
        if minutes >= _DAWN:
            return minutes + HALF_DAY
        return minutes + DAY if is_joined or minutes < _HOUR else minutes
    return minutes + HALF_DAY


class PieceKind(StrEnum):
    """What a piece says; its values are moments (two for a RANGE), seconds (minutes for PAST), or `Every`.

    PAST and AFTER are by the time that was said before.
    """

    MOMENT = "moment"
    RANGE = "range"
    UNTIL = "until"
    LASTS = "lasts"
    DELAY = "delay"
    EVERY = "every"
    PAST = "past"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Every:
    """A repetition: on `weekdays` (all without any), in a `part` of these days, or every so many `seconds`.

    Words that are `is_loose` only repeat with a time: "at the weekend at ten".
    """

    weekdays: tuple[int, ...] = ()
    part: str = ""
    seconds: float = 0.0
    is_loose: bool = False

    def merged(self, other: Every) -> Every | None:
        """Return what two say together: "on weekdays every morning"; None where they contradict each other."""
        days, others = ({*each.weekdays} or {*range(WEEK)} for each in (self, other))
        is_within = days <= others or others <= days
        if not is_within or (self.part and other.part) or self.seconds or other.seconds:
            return None
        return Every(
            tuple(sorted(days & others)) if len(days & others) < WEEK else (),
            self.part or other.part,
            is_loose=self.is_loose and other.is_loose,
        )


DAILY = {
    "daily": Every(),
    "workdays": Every((0, 1, 2, 3, 4)),
    "weekends": Every((5, 6)),
    "weekend": Every((5, 6), is_loose=True),
}
"""Repetitions by the kind of the words for them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens from `begin` to `end` (excluded) that say when."""

    begin: int
    end: int
    kind: PieceKind
    moments: tuple[Moment, ...] = ()
    seconds: float = 0.0
    every: Every | None = None


def by_kind_of(pieces: Sequence[Piece]) -> tuple[dict[PieceKind, Piece], Moment] | None:
    """Return pieces by their kinds, and what moments among them say together; None where some contradict others."""
    by_kind: dict[PieceKind, Piece] = {}
    said = Moment()
    for piece in pieces:
        if piece.kind is PieceKind.MOMENT:
            if not (merged := said.merged(piece.moments[0])):
                return None
            said = merged
        elif (known := by_kind.setdefault(piece.kind, piece)) is not piece:
            if not (both := _both(known, piece)):
                return None
            by_kind[piece.kind] = both
    return by_kind, said


def _both(first: Piece, second: Piece) -> Piece | None:
    """Return what two pieces of a kind say together; None where they say another thing each."""
    if first.every and second.every:
        every = first.every.merged(second.every)
        return replace(first, every=every) if every else None
    if first.kind is PieceKind.UNTIL:
        # "Until tomorrow, until nine"
        end = first.moments[0].merged(second.moments[0])
        return replace(first, moments=(end,)) if end else None
    return None


@dataclass(frozen=True, slots=True)
class Resolved:
    """Moment as it was asked for; it `is_past` where it was on a day that is said."""

    once: Once
    is_past: bool = False


def is_overnight(begin: datetime, end: Moment, clock: HomeClock, *, part: str = NIGHT) -> bool:
    """Return whether a moment is on the day after the one that something begins on in a part of it, or later."""
    begun = begin.astimezone(clock.now.tzinfo)
    is_late = begun.hour * _HOUR + begun.minute >= _PARTS[part][0]
    tomorrow = begun.date() + timedelta(days=1)
    return (
        is_late
        and end.day is not None
        and next(_dates(end.day, clock.now.date()), None) == tomorrow
    )


def resolve(
    said: Moment, clock: HomeClock, after: datetime | None = None, *, wakes: bool = False
) -> Resolved | None:
    """Return the next moment that is what is said, `after` a time (now unless it is given).

    None for a day alone that is today, for what the sun does not do, and for what is too far away.
    """
    # Local times of one zone are compared by what a clock shows.
    after = (after or clock.now).astimezone(UTC)
    is_day = said.day == Day(ahead=0)
    if is_day and not (said.part or said.clock or said.sun):
        return None
    if said.sun:
        found = list(_by_sun(said.day, said.sun, clock, after))
    else:
        is_later = said.day is not None and not is_day
        minutes = said.minutes(clock, is_later=is_later, wakes=wakes)
        found = list(_by_clock(said.day, minutes, clock, after))
    found.sort()
    moment = next((each for each in found if each > after), None)
    is_past = moment is None
    moment = moment or (found[-1] if found else None)
    if moment is None or moment - clock.now.astimezone(UTC) > timedelta(seconds=LONGEST):
        return None
    return Resolved(Once(at=moment.astimezone(clock.now.tzinfo), sun=said.sun), is_past)


def _by_clock(
    day: Day | None, minutes: Sequence[int], clock: HomeClock, after: datetime
) -> Iterator[datetime]:
    """Yield the moments on the days that may be meant; without any on those around a time that they are after."""
    today = clock.now.date()
    first = after.astimezone(clock.now.tzinfo).date()
    days = _dates(day, today) if day else (first + timedelta(days=n) for n in range(-1, _DAYS))
    for each in days:
        yield from (clock.at(each, minute) for minute in minutes)
    if day and day.ahead == 0:
        # "Tonight at two" is said in the night, too.
        yield from (clock.at(today, minute - DAY) for minute in minutes if minute > DAY)


def _dates(day: Day, today: date) -> Iterator[date]:
    """Yield the dates that a day may be, the first ones to come."""
    if day.ahead is not None:
        yield today + timedelta(days=day.ahead)
    elif day.weekday is not None:
        ahead = (day.weekday - today.weekday() - day.coming) % WEEK + day.coming
        first = today + timedelta(days=ahead + day.later)
        yield from (first, first + timedelta(days=WEEK))
    elif day.date is not None:
        month, number = day.date
        months = [month - 1, month + 11] if month else range(today.month - 1, today.month + 2)
        for each in months:
            try:
                yield date(today.year + each // _MONTHS, each % _MONTHS + 1, number)
            except ValueError:
                continue


def _by_sun(day: Day | None, sun: SunTime, clock: HomeClock, after: datetime) -> Iterator[datetime]:
    """Yield the moments that the sun does something on the days that may be meant."""
    first = after.astimezone(clock.now.tzinfo).date()
    days = (
        _dates(day, clock.now.date()) if day else (first + timedelta(days=n) for n in range(_DAYS))
    )
    for each in days:
        if moment := clock.sun(sun.event, each):
            yield moment.astimezone(UTC) + timedelta(seconds=sun.offset)


def resolve_range(
    begin: Moment, end: Moment, clock: HomeClock, *, wakes: bool = False
) -> tuple[Resolved, Resolved] | None:
    """Return both moments of "from six to eight"; of two that may be meant to begin it is the nearer to the end."""
    starts = [begin]
    if begin.is_ambiguous and begin.clock and not end.is_ambiguous and not end.day:
        minutes = begin.clock.minutes
        starts = [
            replace(begin, clock=Clock(each, is_exact=True))
            for each in (minutes, minutes + HALF_DAY)
        ]
    found: list[tuple[Resolved, Resolved]] = []
    for start in starts:
        first = resolve(start, clock, wakes=wakes)
        last = first and resolve_end(end, clock, first.once.at)
        is_before = first and last and last.once.at <= first.once.at
        if first and is_before and end.clock and end.is_ambiguous:
            # "From six to eight tomorrow" is in one half of the day.
            later = Clock(end.clock.minutes + HALF_DAY, is_exact=True)
            last = resolve_end(replace(end, clock=later), clock, first.once.at)
        if first and last:
            found.append((first, last))
    return min(found, key=lambda each: _seconds(*each), default=None)


def resolve_end(end: Moment, clock: HomeClock, begin: datetime | None) -> Resolved | None:
    """Return the moment until which something is that begins then, now for None.

    What begins in the evening, and ends at a bare hour of the next day, ends in its morning.
    """
    is_morning = is_overnight(begin or clock.now, end, clock, part=EVENING)
    return resolve(end, clock, begin, wakes=is_morning)


def _seconds(first: Resolved, last: Resolved) -> float:
    """Return the seconds between two moments."""
    return last.once.at.timestamp() - first.once.at.timestamp()

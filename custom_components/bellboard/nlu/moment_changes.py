"""A time in the place of another ("no, make it half six", "an hour later"), which keeps what is not said anew."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from ..when import MIDNIGHT, NOON, Once, Repeated, Schedule, Trigger, When
from .lexicon import Lexicon
from .moment_pieces import PieceReader, minutes_past
from .moment_times import DAY, HALF_DAY, Clock, Every, HomeClock, Moment, Piece, PieceKind, resolve
from .moment_values import has_value
from .moments import daily, in_seconds

# Kinds of words for how far a time is from another, and to which side.
_SHIFTS = {"later_by": 1, "earlier_by": -1}
_DURING = frozenset({PieceKind.DELAY, PieceKind.LASTS})
_ALL_DAYS = tuple(range(7))
_MOST_DENIED = 3


@dataclass(frozen=True, slots=True)
class TimeChange:
    """What is said of a time that there is already: another moment or repetition, or seconds.

    `shift` is how much later it is, below 0 for earlier; `seconds` how long something takes, or until it begins, and
    are added to it where they are `is_more`. It is `once` where what repeats is not to. `past` are minutes from the
    full hour of the time that there is, `except_on` the weekdays on which what repeats is not done.
    """

    moment: Moment = field(default_factory=Moment)
    every: Every | None = None
    shift: float = 0.0
    seconds: float = 0.0
    once: bool = False
    past: int | None = None
    except_on: frozenset[int] = frozenset()
    is_more: bool = False

    @property
    def without_days(self) -> TimeChange:
        """Return what is said of the time of day alone."""
        return replace(self, every=None, moment=replace(self.moment, day=None))


@dataclass(frozen=True, slots=True)
class _Said:
    """What the tokens of a text say of a time, up to one of them; `denied` is how many times they deny."""

    change: TimeChange = field(default_factory=TimeChange)
    except_on: frozenset[int] = frozenset()
    denied: int = 0
    is_bare: bool = False

    def with_denied(self, denied: Sequence[TimeChange]) -> _Said:
        """Return what is said where some times are not meant."""
        days = {day for each in denied for day in _weekdays(each)}
        return replace(self, except_on=self.except_on | days, denied=self.denied + 1)


def read_change(
    text: str,
    lexicon: Lexicon,
    command: str = "",
    *,
    is_long: bool = False,
    may_be_bare: bool = True,
    is_old: Callable[[TimeChange], bool] = lambda _: False,
) -> TimeChange | None:
    """Return what a text says of a time, None where it says anything else.

    A number alone is no time where the `command` that is changed has a value, too, or where it may not be bare. Of
    what may be a duration and a time it is the duration where it `is_long`: "make that two hours". Of several times
    the one that `is_old` is not meant: "at eight, no, half past eight".
    """
    reader = PieceReader(text, lexicon)
    old: TimeChange | None = None
    for said in _readings(reader, 0, _Said(), is_long=is_long, is_old=is_old):
        change = replace(said.change, except_on=said.except_on)
        if change == TimeChange():
            # "No at eight" denies nothing.
            continue
        is_unsure = not may_be_bare or has_value(command, lexicon)
        if said.is_bare and not said.denied and is_unsure:
            return None
        if not is_old(change):
            return change
        old = old or change
    return old


def _readings(
    reader: PieceReader,
    at: int,
    said: _Said,
    *,
    is_long: bool,
    is_old: Callable[[TimeChange], bool],
) -> Iterator[_Said]:
    """Yield what all tokens from one on say of a time, in each way that they may be understood; none if they say more.

    A time after what denies it is not meant, nor is one before it ("Wednesday not").
    """
    if at == len(reader.tokens):
        yield said
        return

    def then(end: int, after: _Said) -> Iterator[_Said]:
        return _readings(reader, end, after, is_long=is_long, is_old=is_old)

    is_mark = reader.tokens[at].is_mark
    ends = list(_denied_from(reader, at)) if said.denied < _MOST_DENIED and not is_mark else []
    for end, denied in ends[:1]:
        yield from then(end, said.with_denied([denied]))
    if said.change != TimeChange() and said.denied < _MOST_DENIED:
        for each in reader.find("not_so", at)[:1]:
            left = replace(said, change=TimeChange(), is_bare=False)
            yield from then(each.end, left.with_denied([said.change]))
            if each.end == len(reader.tokens):
                return
    found = None if is_mark else _change_at(reader, at, is_long=is_long)
    if found:
        merged = _merged(said.change, found[1])
        merged = found[1] if merged is None and is_old(said.change) else merged
        if merged is not None:
            is_bare = any(each.end == found[0] for each in reader.find("number", at))
            after = replace(said, change=merged, is_bare=said.is_bare or is_bare)
            yield from then(found[0], after)
    elif is_mark:
        yield from then(at + 1, said)
    elif (end := after_words_around(reader, at)) > at:
        yield from then(end, said)
    for end, denied in ends[1:]:
        yield from then(end, said.with_denied([denied]))


def after_words_around(reader: PieceReader, at: int) -> int:
    """Return up to which token words stand around a time that say nothing of it; the token itself for none."""
    kinds = ("instead", "all_of_it", "only_that", "moving", "moved_to")
    ends = [each.end for kind in kinds for each in reader.find(kind, at)]
    # "Cámbialo a" may end before the "a" of "a las once".
    timed = (end for end in ends if _change_at(reader, end))
    return next(timed, ends[0]) if ends else reader.spare_at(at)


def besides_change(text: str, lexicon: Lexicon) -> tuple[str, str] | None:
    """Return what of a text that moves something names what is moved, and the rest: "move the lamp to nine".

    None where it moves nothing. What is named may be said by its days alone, and is "" then.
    """
    reader = PieceReader(text, lexicon)
    if not (reader.has("moving") or reader.has("rather")):
        return None
    tokens, left, at = reader.tokens, list[int](), 0
    while at < len(tokens):
        found = None if tokens[at].is_mark else _change_at(reader, at)
        end = found[0] if found else after_words_around(reader, at)
        if end == at and not tokens[at].is_mark:
            left.append(at)
        at = max(end, at + 1)
    if not left:
        return "", text
    begin, end = tokens[left[0]].start, tokens[left[-1]].end
    return text[begin:end], f"{text[:begin]} {text[end:]}"


def without_days(text: str, lexicon: Lexicon) -> tuple[str, frozenset[int]]:
    """Return a text without the weekdays that it says, and these; none where it says anything else of a time."""
    reader, days, begins, at = PieceReader(text, lexicon), frozenset[int](), list[int](), 0
    while at < len(reader.tokens):
        found = _change_at(reader, at)
        if found:
            if found[1].without_days != TimeChange():
                return text, frozenset()
            days |= {*_weekdays(found[1])}
            begins += range(at, found[0])
        at = found[0] if found else at + 1
    left = [token for at, token in enumerate(reader.tokens) if at not in begins]
    rest = " ".join(text[token.start : token.end] for token in left)
    return rest, days


def added_days(schedule: Schedule, said: TimeChange) -> TimeChange:
    """Return what is said of what repeats with its own weekdays, where it is to be on others, too."""
    start, days = schedule.start, _weekdays(said)
    if not isinstance(start, Repeated) or not days or said.without_days != TimeChange():
        return said
    every = {*(start.weekdays or _ALL_DAYS), *days}
    return TimeChange(every=Every(() if len(every) == len(_ALL_DAYS) else tuple(sorted(every))))


def days_moved(text: str, lexicon: Lexicon) -> tuple[int, ...]:
    """Return the weekdays of a text that says another time of day, too: "the one on weekdays to eight"; () for none."""
    change = read_change(text, lexicon)
    is_moved = change is not None and change.without_days != TimeChange()
    return tuple(_weekdays(change)) if change and is_moved else ()


def _weekdays(change: TimeChange) -> Sequence[int]:
    """Return the weekdays that are said of a time."""
    if change.every:
        return change.every.weekdays or _ALL_DAYS
    weekday = change.moment.day.weekday if change.moment.day else None
    return () if weekday is None else (weekday,)


def is_hour_of(schedule: Schedule, hours: Collection[float], clock: HomeClock) -> bool:
    """Return whether a schedule is for one of some hours."""
    start = schedule.start
    moments = [Moment(clock=Clock(int(hour) * 60)) for hour in hours if 0 < hour <= 24]
    if isinstance(start, Repeated):
        return any(each.is_daily_at(start.clock, start.weekdays, clock) for each in moments)
    at = start.at.astimezone(clock.now.tzinfo) if isinstance(start, Once) else None
    return at is not None and any(each.is_at(at, clock) for each in moments)


def _denied_from(reader: PieceReader, at: int) -> Iterator[tuple[int, TimeChange]]:
    """Yield up to which tokens a time may be denied ("not at six", "instead of today"), the longest first.

    "Pas vingt heures vingt heures trente" denies no twenty past.
    """
    for each in (*reader.find("in_place_of", at), *reader.find("excepted", at)):
        if found := _change_at(reader, each.end):
            yield found
            for end in range(found[0] - 1, each.end, -1):
                shorter = reader.moment_at(each.end, end)
                if shorter and shorter[0] == end:
                    yield end, TimeChange(shorter[1])
            return


def _change_at(
    reader: PieceReader, at: int, *, is_long: bool = False
) -> tuple[int, TimeChange] | None:
    """Return what is said of a time at a token, up to which one."""
    found = [
        (each.end, TimeChange(shift=sign * each.slots[0][1].value))
        for kind, sign in _SHIFTS.items()
        for each in reader.find(kind, at)
        if each.slots
    ]
    if piece := reader.piece_at(at):
        if piece.kind in _DURING:
            is_more = piece.kind is PieceKind.LASTS
            found.append((piece.end, TimeChange(seconds=piece.seconds, is_more=is_more)))
        elif piece.kind is PieceKind.EVERY:
            found.append((piece.end, TimeChange(every=piece.every)))
        elif piece.kind is PieceKind.PAST:
            found.append((piece.end, TimeChange(past=int(piece.seconds))))
        elif piece.kind is not PieceKind.RANGE:
            found.append((piece.end, TimeChange(piece.moments[0])))
    if moment := reader.moment_at(at):
        found.append((moment[0], TimeChange(moment[1])))
    # "Maar elf uur" is no duration where "elf uur" is a time.
    timed = None if is_long else reader.moment_at(at + 1)
    found += [
        (each.end, TimeChange(seconds=each.value))
        for each in reader.find("duration", at)
        if not (timed and timed[0] == each.end)
    ]
    found += [(each.end, TimeChange(once=True)) for each in reader.find("just_once", at)]
    found += [(each.end, TimeChange(past=minutes_past(each))) for each in reader.find("past", at)]
    return max(found, key=lambda each: (each[0], is_long and each[1].seconds > 0), default=None)


def _merged(one: TimeChange, other: TimeChange) -> TimeChange | None:
    """Return what two pieces say together, None where they do not fit."""
    moment = one.moment.merged(other.moment)
    is_twice = any(
        getattr(one, name) and getattr(other, name)
        for name in ("every", "shift", "seconds", "once")
    )
    pasts = {each.past for each in (one, other) if each.past is not None}
    is_twice = is_twice or len(pasts) > 1 or bool(pasts and moment and moment.clock)
    if moment is None or is_twice:
        return None
    every, shift, seconds, once = (
        getattr(one, name) or getattr(other, name) for name in ("every", "shift", "seconds", "once")
    )
    made = TimeChange(moment, every, shift, seconds, once, next(iter(pasts), None))
    return replace(made, is_more=one.is_more or other.is_more)


def change_schedule(
    schedule: Schedule, said: TimeChange, clock: HomeClock, *, wakes: bool = False
) -> Schedule | None:
    """Return a schedule with what is said of its time, with its end; None where that makes no sense for it."""
    start = schedule.start
    if said.past is not None:
        if (clear := _at_past(start, said, clock)) is None:
            return None
        said = clear
    if said.except_on:
        return _without_days(schedule, said, clock, wakes=wakes)
    if isinstance(start, Repeated):
        other = _instead_of_repeated(start, said, clock, wakes=wakes)
        return schedule.model_copy(update={"start": other}) if other else None
    if isinstance(start, Once) and said.every and not schedule.until:
        every = _made_repeated(start, said, clock, wakes=wakes)
        return schedule.model_copy(update={"start": every}) if every else None
    if isinstance(start, Trigger) and not start.repeats:
        return _timed_instead(schedule, said, clock, wakes=wakes)
    if not isinstance(start, Once) or said.every:
        return None
    if said.seconds and schedule.lasts and not start.seconds:
        return schedule.model_copy(update={"lasts": said.seconds})
    moved = _change_once(start, said, clock, wakes=wakes)
    if moved is None or moved.at <= clock.now:
        return None
    ends = schedule.until
    if isinstance(ends, Once):
        ends = Once(at=ends.at + (moved.at - start.at))
    return schedule.model_copy(update={"start": moved, "until": ends})


def _instead_of_repeated(
    start: Repeated, said: TimeChange, clock: HomeClock, *, wakes: bool
) -> Once | Repeated | None:
    """Return when something is done that was to repeat, with what is said of it."""
    if (day := _one_of_its_days(start, said)) is not None:
        said = replace(said, every=Every((day,)), moment=replace(said.moment, day=None))
    if said.once or said.moment.day:
        return _made_single(start, said, clock, wakes=wakes)
    return _change_repeated(start, said, clock, wakes=wakes)


def _timed_instead(
    schedule: Schedule, said: TimeChange, clock: HomeClock, *, wakes: bool
) -> Schedule | None:
    """Return a schedule that waits for nothing but the time that is said."""
    if said.every or said.shift or not (said.seconds or said.moment.clock or said.moment.sun):
        return None
    once = in_seconds(said.seconds, clock) if said.moment == Moment() else None
    if found := None if said.seconds else resolve(said.moment, clock, wakes=wakes):
        once = None if found.is_past else found.once
    return schedule.model_copy(update={"start": once}) if once else None


def _at_past(start: When | None, said: TimeChange, clock: HomeClock) -> TimeChange | None:
    """Return what is said with minutes of the hour of the old time as a time by the clock; None where that has none."""
    if isinstance(start, Repeated) and start.clock:
        old = start.clock.hour * 60 + start.clock.minute
    elif isinstance(start, Once) and start.seconds is None:
        at = start.at.astimezone(clock.now.tzinfo)
        old = at.hour * 60 + at.minute
    else:
        return None
    # A quarter to nine is said with nine.
    hour = (old + 29) // 60
    minutes = (hour * 60 + (said.past or 0)) % DAY
    moment = said.moment.merged(Moment(clock=Clock(minutes, is_exact=True)))
    return replace(said, moment=moment, past=None) if moment else None


def _without_days(
    schedule: Schedule, said: TimeChange, clock: HomeClock, *, wakes: bool
) -> Schedule | None:
    """Return a schedule that does not begin on some weekdays, but on those that are said beside them.

    What is to be done once is as it is said.
    """
    rest = replace(said, except_on=frozenset())
    start = schedule.start
    if not isinstance(start, Repeated) or said.once:
        return change_schedule(schedule, rest, clock, wakes=wakes) if rest != TimeChange() else None
    days = ({*(start.weekdays or _ALL_DAYS)} - said.except_on) | {*_weekdays(rest)}
    if not days or start.every:
        return None
    rest = replace(rest, every=None, moment=replace(rest.moment, day=None))
    weekdays = () if len(days) == len(_ALL_DAYS) else tuple(sorted(days))
    other = schedule.model_copy(update={"start": start.model_copy(update={"weekdays": weekdays})})
    return change_schedule(other, rest, clock, wakes=wakes) if rest != TimeChange() else other


def _one_of_its_days(start: Repeated, said: TimeChange) -> int | None:
    """Return the one of the weekdays of what repeats that is said: "only on Tuesday"; None for anything else."""
    day = said.moment.day
    if day is None or day.coming or day.later or said.once or len(start.weekdays) < 2:
        return None
    return day.weekday if day.weekday in start.weekdays else None


def _made_single(
    start: Repeated, said: TimeChange, clock: HomeClock, *, wakes: bool
) -> Once | None:
    """Return the one time that something is done which was to repeat."""
    if said.every or said.seconds or said.shift or start.every:
        return None
    moment = said.moment
    if start.clock and not moment.sun:
        moment = _completed(moment, start.clock.hour * 60 + start.clock.minute)
    elif start.sun and not moment.clock:
        moment = replace(moment, sun=start.sun)
    found = resolve(moment, clock, wakes=wakes)
    return found.once if found and not found.is_past else None


def _made_repeated(
    start: Once, said: TimeChange, clock: HomeClock, *, wakes: bool
) -> Repeated | None:
    """Return the repetition of what was to be done once."""
    if start.seconds or said.every is None or said.once:
        return None
    if start.sun and said.moment == Moment():
        return _change_repeated(Repeated(sun=start.sun), said, clock, wakes=wakes)
    at = start.at.astimezone(clock.now.tzinfo)
    return _change_repeated(daily(at.hour * 60 + at.minute, ()), said, clock, wakes=wakes)


def _change_once(start: Once, said: TimeChange, clock: HomeClock, *, wakes: bool) -> Once | None:
    """Return a moment with what is said of it."""
    shift = said.seconds if said.is_more and start.seconds is None else said.shift
    if said.seconds and not shift:
        return in_seconds(said.seconds, clock) if said.moment == Moment() else None
    if shift:
        at = start.at.astimezone(UTC) + timedelta(seconds=shift)
        return Once(at=at.astimezone(clock.now.tzinfo))
    old = start.at.astimezone(clock.now.tzinfo)
    moment = _completed(said.moment, old.hour * 60 + old.minute)
    if moment.sun or moment.day:
        found = resolve(moment, clock, wakes=wakes)
        return found.once if found and not found.is_past else None
    return _nearest(old, moment, clock)


def _completed(said: Moment, minutes: int) -> Moment:
    """Return a moment of which only the day or its part is said, with the old time of the day; midnight is one."""
    if said.sun or said.clock or said.part in {NOON, MIDNIGHT}:
        return said
    if said.part:
        return replace(said, clock=Clock(minutes % HALF_DAY))
    return replace(said, clock=Clock(minutes, is_exact=True))


def _nearest(old: datetime, moment: Moment, clock: HomeClock) -> Once | None:
    """Return the moment to come that is the nearest to another, of those that may be meant."""
    days = (old.date() + timedelta(days=ahead) for ahead in (-1, 0, 1))
    times = moment.minutes(clock, is_later=False, wakes=False)
    found = [each for day in days for time in times if (each := clock.at(day, time)) > clock.now]
    nearest = min(found, key=lambda each: abs(each - old.astimezone(UTC)), default=None)
    return Once(at=nearest.astimezone(clock.now.tzinfo)) if nearest else None


def _change_repeated(
    start: Repeated, said: TimeChange, clock: HomeClock, *, wakes: bool
) -> Repeated | None:
    """Return a repetition with what is said of it."""
    weekdays = start.weekdays
    if said.every:
        if said.every.seconds or said.every.part:
            return None
        weekdays = said.every.weekdays
    if said.moment.sun:
        return Repeated(sun=said.moment.sun, weekdays=weekdays)
    if said.moment.day or said.seconds or start.clock is None:
        return None
    old = start.clock.hour * 60 + start.clock.minute
    if said.shift:
        return daily(old + round(said.shift / 60), weekdays)
    if said.moment == Moment():
        return daily(old, weekdays)
    moment = _completed(said.moment, old)
    times = moment.minutes(clock, is_later=False, wakes=wakes)
    return daily(min(times, key=lambda each: abs(each % DAY - old)), weekdays)


@dataclass(frozen=True, slots=True)
class MomentSaid:
    """A moment that a text says, and the characters that it stands at."""

    moment: Moment
    start: int
    end: int


def moments_in(
    text: str, lexicon: Lexicon, taken: Sequence[tuple[int, int]] = ()
) -> list[MomentSaid]:
    """Return the moments of a text: "the one at eight", "tomorrow". None is in what is `taken` for something else."""
    reader, found, at = PieceReader(text, lexicon), [], 0
    while at < len(reader.tokens):
        piece = None if reader.tokens[at].is_mark else reader.piece_at(at) or _of_a_time(reader, at)
        if piece is None:
            at += 1
            continue
        start, end = reader.tokens[at].start, reader.tokens[piece.end - 1].end
        is_free = not any(start < last and first < end for first, last in taken)
        if is_free and piece.kind is PieceKind.MOMENT:
            found.append(MomentSaid(piece.moments[0], start, end))
        at = piece.end if is_free else at + 1
    return found


def _of_a_time(reader: PieceReader, at: int) -> Piece | None:
    """Return the piece of a time that something is of: "la de las once"."""
    for each in (*reader.find("loosely", at), *reader.find("from", at)):
        if moment := reader.moment_at(each.end):
            return Piece(at, moment[0], PieceKind.MOMENT, (moment[1],))
    return None

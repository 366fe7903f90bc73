"""A time in the place of another: "no, make it half six", "an hour later", "yes, in the morning".

Of what is not said the other one is kept: its day, and the half of the day that it is in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from ..when import Once, Repeated, Schedule
from .lexicon import Lexicon
from .moment_pieces import PieceReader
from .moment_times import DAY, HALF_DAY, Clock, Every, HomeClock, Moment, Piece, PieceKind, resolve
from .moments import daily, has_value, in_seconds

# Kinds of words for how far a time is from another, and to which side.
_SHIFTS = {"later_by": 1, "earlier_by": -1}
# Tokens of a number and its unit.
_LONGEST_VALUE = 2
_DURING = frozenset({PieceKind.DELAY, PieceKind.LASTS})


@dataclass(frozen=True, slots=True)
class TimeChange:
    """What is said of a time that there is already: another moment or repetition, or seconds.

    `shift` is how much later it is, below 0 for earlier; `seconds` how long something takes, or until it begins. It is
    `once` where what repeats is not to.
    """

    moment: Moment = field(default_factory=Moment)
    every: Every | None = None
    shift: float = 0.0
    seconds: float = 0.0
    once: bool = False


def read_change(
    text: str,
    lexicon: Lexicon,
    command: str = "",
    *,
    is_long: bool = False,
    may_be_bare: bool = True,
) -> TimeChange | None:
    """Return what a text says of a time, None where it says anything else.

    A number alone is no time where the `command` that is changed has a value, too, or where it may not be bare. Of
    what may be a duration and a time it is the duration where it `is_long`: "make that two hours".
    """
    reader = PieceReader(text, lexicon)
    # Where nothing is left, "no at eight" denies nothing.
    for denies in (True, False):
        change, is_bare = _read_changes(reader, is_long=is_long, denies=denies)
        if change is not None and change != TimeChange():
            is_value = is_bare and (not may_be_bare or has_value(command, lexicon))
            return None if is_value else change
    return None


def _read_changes(
    reader: PieceReader, *, is_long: bool, denies: bool
) -> tuple[TimeChange | None, bool]:
    """Return what all tokens say of a time, None where they say more, and whether it is a number alone."""
    change, at, is_bare = TimeChange(), 0, False
    while at < len(reader.tokens):
        found = None if reader.tokens[at].is_mark else _change_at(reader, at, is_long=is_long)
        if denied := _denied_until(reader, at) if denies else 0:
            at = denied
        elif found:
            merged = _merged(change, found[1])
            if merged is None:
                return None, False
            is_bare |= reader.tokens[at].number is not None and found[0] == at + 1
            at, change = found[0], merged
        elif reader.tokens[at].is_mark:
            at += 1
        elif around := reader.find("instead", at):
            at = around[0].end
        else:
            return None, False
    return change, is_bare


def without_instead(text: str, lexicon: Lexicon) -> str:
    """Return a text without the words around it that say that it is for something else: "the lamp instead", "to 20"."""
    reader = PieceReader(text, lexicon)
    tokens, begin = reader.tokens, 0
    while begin < len(tokens):
        if tokens[begin].is_mark:
            begin += 1
        elif around := reader.find("instead", begin):
            begin = around[0].end
        else:
            break
    end = len(tokens)
    while end > begin and (last := _instead_before(reader, begin, end)) < end:
        end = last
    return text[tokens[begin].start : tokens[end - 1].end] if begin < end else ""


def after_denial(text: str, lexicon: Lexicon) -> str:
    """Return what follows words at the beginning of a text that deny it: "not the lamp"; "" for no such words."""
    reader = PieceReader(text, lexicon)
    begin = next((each.end for each in reader.find("in_place_of", 0)), 0)
    return text[reader.tokens[begin].start :] if 0 < begin < len(reader.tokens) else ""


def contrasted(text: str, lexicon: Lexicon) -> list[str]:
    """Return what may be meant in place of what a text denies, the longest first: "that one, but the lamp"."""
    reader = PieceReader(text, lexicon)
    ends = [each.end for at in range(1, len(reader.tokens)) for each in reader.find("instead", at)]
    starts = dict.fromkeys(end for end in ends if end < len(reader.tokens))
    return [text[reader.tokens[start].start :] for start in starts]


def denies(text: str, lexicon: Lexicon) -> bool:
    """Return whether words anywhere in a text deny something: "the lamp, not the radio"."""
    return PieceReader(text, lexicon).has("in_place_of")


def _instead_before(reader: PieceReader, begin: int, end: int) -> int:
    """Return where words begin, up to a token, that say that something is instead, or of what: "instead of 19"."""
    for at in range(begin, end):
        denied = [each.end for each in reader.find("in_place_of", at)]
        values = [a for a in denied if a < end and reader.tokens[a].number is not None]
        is_value = any(end - at <= _LONGEST_VALUE for at in values)
        if is_value or any(each.end == end for each in reader.find("instead", at)):
            return at
    return end - 1 if reader.tokens[end - 1].is_mark else end


def _denied_until(reader: PieceReader, at: int) -> int:
    """Return up to which token a time is denied ("not at six", "instead of today"), 0 for none."""
    for each in reader.find("in_place_of", at):
        if found := _change_at(reader, each.end):
            return found[0]
    return 0


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
            found.append((piece.end, TimeChange(seconds=piece.seconds)))
        elif piece.kind is PieceKind.EVERY:
            found.append((piece.end, TimeChange(every=piece.every)))
        elif piece.kind is not PieceKind.RANGE:
            found.append((piece.end, TimeChange(piece.moments[0])))
    if moment := reader.moment_at(at):
        found.append((moment[0], TimeChange(moment[1])))
    found += [(each.end, TimeChange(seconds=each.value)) for each in reader.find("duration", at)]
    found += [(each.end, TimeChange(once=True)) for each in reader.find("just_once", at)]
    return max(found, key=lambda each: (each[0], is_long and each[1].seconds > 0), default=None)


def _merged(one: TimeChange, other: TimeChange) -> TimeChange | None:
    """Return what two pieces say together, None where they do not fit."""
    moment = one.moment.merged(other.moment)
    is_twice = any(
        getattr(one, name) and getattr(other, name)
        for name in ("every", "shift", "seconds", "once")
    )
    if moment is None or is_twice:
        return None
    every, shift, seconds, once = (
        getattr(one, name) or getattr(other, name) for name in ("every", "shift", "seconds", "once")
    )
    return TimeChange(moment, every, shift, seconds, once)


def change_schedule(
    schedule: Schedule, said: TimeChange, clock: HomeClock, *, wakes: bool = False
) -> Schedule | None:
    """Return a schedule with what is said of its time; None where that makes no sense for it.

    What ends it moves with it.
    """
    start = schedule.start
    if isinstance(start, Repeated) and (said.once or said.moment.day):
        single = _made_single(start, said, clock, wakes=wakes)
        return schedule.model_copy(update={"start": single}) if single else None
    if isinstance(start, Repeated):
        repeated = _change_repeated(start, said, clock, wakes=wakes)
        return schedule.model_copy(update={"start": repeated}) if repeated else None
    if isinstance(start, Once) and said.every and not schedule.until:
        every = _made_repeated(start, said, clock, wakes=wakes)
        return schedule.model_copy(update={"start": every}) if every else None
    if not isinstance(start, Once) or said.every:
        return None
    if said.seconds and schedule.lasts and not start.seconds:
        return schedule.model_copy(update={"lasts": said.seconds})
    moved = _change_once(start, said, clock, wakes=wakes)
    if moved is None or moved.at <= clock.now:
        return None
    ends = schedule.until
    if ends:
        ends = Once(at=ends.at + (moved.at - start.at))
    return schedule.model_copy(update={"start": moved, "until": ends})


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
    if said.seconds:
        return in_seconds(said.seconds, clock) if said.moment == Moment() else None
    if said.shift:
        at = start.at.astimezone(UTC) + timedelta(seconds=said.shift)
        return Once(at=at.astimezone(clock.now.tzinfo))
    old = start.at.astimezone(clock.now.tzinfo)
    moment = _completed(said.moment, old.hour * 60 + old.minute)
    if moment.sun or moment.day:
        found = resolve(moment, clock, wakes=wakes)
        return found.once if found and not found.is_past else None
    return _nearest(old, moment, clock)


def _completed(said: Moment, minutes: int) -> Moment:
    """Return a moment of which only the day or its part is said, with the old time of the day."""
    if said.sun or said.clock:
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

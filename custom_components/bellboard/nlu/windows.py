"""Hours that something is waited for in: "when somebody moves after dark", "between midnight and six", "at night"."""

from dataclasses import dataclass, replace
from datetime import time
import unicodedata

from ..when import (
    AFTERNOON,
    EARLY,
    EVENING,
    FORENOON,
    MIDNIGHT,
    MORNING,
    NIGHT,
    NOON,
    SunEvent,
    SunTime,
    Window,
)
from .lexicon import Lexicon
from .moment_pieces import PieceReader
from .moment_times import (
    DAY,
    HALF_DAY,
    TONIGHT,
    Day,
    HomeClock,
    Moment,
    Piece,
    PieceKind,
    resolve,
    resolve_range,
)

_HOUR = 60
# In characters: nobody says more of what is waited for, and more takes its time.
_LONGEST = 150
_TODAY = (None, Day(ahead=0))
_NEXT_PART = {
    EARLY: MORNING, MORNING: NOON, FORENOON: NOON, NOON: AFTERNOON, AFTERNOON: EVENING, EVENING: MIDNIGHT,
    NIGHT: MORNING, TONIGHT: MORNING,
}  # fmt: skip
# What is done in the forenoon is at ten; what happens in it may do so from the morning on.
_BEGINS = {TONIGHT: EVENING, FORENOON: MORNING}
# What is after an hour of these goes on until the morning, else until midnight.
_LATE, _DAWN = 17 * _HOUR, 6 * _HOUR


@dataclass(frozen=True, slots=True)
class WindowedText:
    """A text without the words for the hours that it is for."""

    text: str
    window: Window


def read_window(
    text: str, lexicon: Lexicon, clock: HomeClock, *, repeats: bool
) -> WindowedText | None:
    """Return the hours that what a text says is for, the first that are said; None for none, or for another day.

    An hour of either half of a day is the next one; "after eleven" is in the evening where that `repeats`.
    """
    if len(text) > _LONGEST:
        return None
    reader = PieceReader(unicodedata.normalize("NFC", text), lexicon)
    for at in range(len(reader.tokens)):
        if not (found := reader.window_at(at)):
            continue
        end, first, last = found
        if any(each and each.day not in _TODAY for each in (first, last)):
            return None
        beside = (*range(at), *range(end, len(reader.tokens)))
        if any(map(reader.piece_at, beside)):
            # "Tomorrow after ten"
            return None
        left = reader.without([Piece(at, end, PieceKind.RANGE)])
        window = _window(_of_any_day(first), _of_any_day(last), clock, repeats=repeats)
        if window and first and first.part and not first.clock and first.is_now(clock):
            # "This evening", said at six
            window = window.model_copy(
                update={"begin": clock.now.time().replace(second=0, microsecond=0)}
            )
        return WindowedText(left, window) if left and window else None
    return None


def _of_any_day(said: Moment | None) -> Moment | None:
    """Return a moment without its day."""
    return said and replace(said, day=None)


def _window(
    first: Moment | None, last: Moment | None, clock: HomeClock, *, repeats: bool
) -> Window | None:
    """Return the hours from one moment to another; without one they begin, or end, with the day or the night."""
    begin: time | SunTime | None
    end: time | SunTime | None
    if first and last:
        begin, end = _between(first, last, clock)
    elif first and first.part and not first.clock and first.part in _NEXT_PART:
        begins = _BEGINS.get(first.part, first.part)
        begin, end = _clock(clock.part(begins)), _clock(clock.part(_NEXT_PART[first.part]))
    elif first:
        is_late = repeats and first.is_ambiguous
        begin = _later_half(first) if is_late else _next(first, clock)
        end = None if begin is None else _end_after(begin, clock)
    else:
        end = _next(last, clock) if last else None
        begin = None if end is None else _begin_before(end, clock)
    return None if begin is None or end is None else Window(begin=begin, end=end)


def _between(
    first: Moment, last: Moment, clock: HomeClock
) -> tuple[time | SunTime | None, time | SunTime | None]:
    """Return both edges; of two hours of which the first is the later number it is the one of the night before."""
    if first.sun or last.sun:
        return _next(first, clock), _next(last, clock)
    is_open = first.is_ambiguous and last.is_ambiguous
    if is_open and first.clock and last.clock and first.clock.minutes > last.clock.minutes:
        return _later_half(first), _clock(last.clock.minutes)
    found = resolve_range(first, last, clock)
    if not found:
        return None, None
    begin, end = (each.once.at.astimezone(clock.now.tzinfo).time() for each in found)
    return begin, end


def _next(said: Moment, clock: HomeClock) -> time | SunTime | None:
    """Return the edge that a moment is, the next one that may be meant."""
    if said.sun:
        return said.sun
    found = resolve(said, clock)
    return found.once.at.astimezone(clock.now.tzinfo).time() if found else None


def _later_half(said: Moment) -> time | None:
    """Return an hour of either half of a day in the second of them."""
    return _clock(said.clock.minutes % HALF_DAY + HALF_DAY) if said.clock else None


def _end_after(begin: time | SunTime, clock: HomeClock) -> time | SunTime:
    """Return until when it is after something."""
    if isinstance(begin, SunTime):
        is_evening = begin.event is SunEvent.SUNSET
        return SunTime(event=SunEvent.SUNRISE) if is_evening else _clock(0)
    is_night = not _DAWN <= begin.hour * _HOUR + begin.minute < _LATE
    return _clock(clock.part(MORNING)) if is_night else _clock(0)


def _begin_before(end: time | SunTime, clock: HomeClock) -> time:
    """Return from when it is before something: from midnight in the morning, else from the small hours."""
    if isinstance(end, SunTime):
        return _clock(0 if end.event is SunEvent.SUNRISE else clock.part(EARLY))
    return _clock(0 if end.hour * _HOUR < HALF_DAY else clock.part(EARLY))


def _clock(minutes: int) -> time:
    """Return a time of day."""
    return time(*divmod(minutes % DAY, _HOUR))

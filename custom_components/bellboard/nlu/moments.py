"""Times in a sentence: "at half past ten", "tomorrow evening", "an hour before sunset", "every Monday", "until eight".

A sentence is cut into pieces that say when, wherever they stand, and what is left, which is the command. The pieces
together are one `Schedule`; where they contradict each other, or repeat in a way that there is not, nothing is read.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
import unicodedata

from ..when import DAY as DAY_SECONDS, LONGEST, Once, Repeated, Schedule
from .house import HomeLexicon
from .lexicon import Lexicon, Role
from .moment_pieces import PieceReader
from .moment_times import (
    DAY,
    HALF_DAY,
    Clock,
    Every,
    HomeClock,
    Moment,
    Piece,
    PieceKind,
    by_kind_of,
    is_overnight,
    resolve,
    resolve_end,
    resolve_range,
)
from .moment_values import is_value
from .moment_words import word_of
from .spans import cover_text
from .times import names_timer, read_fade, read_sleep
from .tokens import MAX_COMMAND, tokenise

_LEAST, _MOST = 60.0, DAY_SECONDS
_HOUR = 60
_EDGES = " ,;.!:'"
_ALONE = frozenset({PieceKind.LASTS, PieceKind.DELAY})
_BY_TIME_BEFORE = frozenset({PieceKind.PAST, PieceKind.AFTER})


@dataclass(frozen=True, slots=True)
class TimedSentence:
    """A sentence with a time: its `command` without the words for it, and the `schedule`.

    It `is_past` where it is for a time that is over. It `is_exact` where it says a time of the clock or how long until
    then, and not a day or a part of one.
    """

    command: str
    schedule: Schedule
    is_past: bool = False
    is_exact: bool = False

    @property
    def is_now(self) -> bool:
        """Return whether it is for a part of the day that has begun: "this evening", said at nine."""
        return self.schedule == Schedule() and not self.is_past


def read_schedule(
    text: str,
    lexicon: Lexicon,
    clock: HomeClock,
    house: HomeLexicon | None = None,
    *,
    is_loose: bool = False,
    before: Schedule | None = None,
    night: datetime | None = None,
) -> TimedSentence | None:
    """Return the command of a text and when it is for, None where it says no time.

    Times within names of things in the `house` are none. Where it `is_loose` a duration alone is for how long.
    A time without a day is the next one after what is said `before` it, and repeats where that does. One of the day
    after a time of a `night` is in its morning.
    """
    text = unicodedata.normalize("NFC", text)
    if len(text) > MAX_COMMAND:
        return None
    if sleep := read_sleep(text, lexicon):
        start = in_seconds(sleep.seconds, clock)
        return TimedSentence(sleep.command, Schedule(start=start)) if start else None
    if not may_say_when(text, lexicon):
        return None
    reader = PieceReader(text, lexicon, is_loose=is_loose)
    found_pieces = _pieces(reader, _named(text, reader, house))
    said_before = _said_before(before)
    pieces: Sequence[Piece] = [
        each
        for each in found_pieces
        if each.kind not in _BY_TIME_BEFORE or each.kind in said_before
    ]
    if not pieces or reader.is_only_weekday(pieces) or reader.has("unread"):
        return None
    if not (pieces := _times(text, pieces, reader, lexicon)):
        return None
    command = reader.without(reader.with_back(pieces))
    found = _Schedules(clock, wakes=reader.has("wake"), before=before, night=night).of(pieces)
    is_exact = any(
        piece.kind is PieceKind.DELAY or any(moment.clock for moment in piece.moments)
        for piece in pieces
    )
    return found and TimedSentence(command, *found, is_exact=is_exact)


@dataclass(frozen=True, slots=True)
class HeardTimes:
    """Times that are said anywhere in a text, whether or not they are one schedule together.

    `clocks` are those by the clock, in minutes of half a day, `lasting` the durations in seconds, `days` the days. It
    `repeats` where it says "every"; `minute` is that of now, as `clocks` are.
    """

    clocks: frozenset[int]
    lasting: frozenset[float]
    days: frozenset[date]
    repeats: bool
    minute: int

    @property
    def is_empty(self) -> bool:
        """Return whether no time is said."""
        return not (self.clocks or self.lasting or self.days or self.repeats)

    def contradicts(self, said: HeardTimes) -> bool:
        """Return whether these are others than those that were `said`, and none that follows: "ten minutes before"."""
        if (self.repeats and not said.repeats) or (
            self.days and said.days and self.days.isdisjoint(said.days)
        ):
            return True
        minutes = {round(each / _HOUR) for each in said.lasting}
        begins = said.clocks or ({said.minute} if minutes else frozenset[int]())
        steps = {0, *minutes} if said.clocks else minutes
        clocks = {(at + sign * by) % HALF_DAY for at in begins for by in steps for sign in (1, -1)}
        ends = {said.minute, *said.clocks} if said.clocks else frozenset[int]()
        between = {(last - first) % HALF_DAY for first in ends for last in ends}
        is_other = bool(begins) and not self.clocks <= clocks
        return is_other or (
            bool(begins) and not {round(each / _HOUR) for each in self.lasting} <= minutes | between
        )


def heard_times(text: str, clock: HomeClock, house: HomeLexicon) -> HeardTimes:
    """Return the times that are said in a text by the clock of a house; names of things in it are none."""
    text = unicodedata.normalize("NFC", text)[:MAX_COMMAND]
    reader = PieceReader(text, house.lexicon, is_loose=True)
    pieces = list(_pieces(reader, _named(text, reader, house)))
    moments = [moment for piece in pieces for moment in piece.moments]
    at_noon = Clock(HALF_DAY, is_exact=True)
    on_days = [resolve(Moment(day=each.day, clock=at_noon), clock) for each in moments if each.day]
    now = clock.now.hour * _HOUR + clock.now.minute
    return HeardTimes(
        clocks=frozenset(each.clock.minutes % HALF_DAY for each in moments if each.clock),
        lasting=frozenset(piece.seconds for piece in pieces if piece.seconds),
        days=frozenset(each.once.at.date() for each in on_days if each),
        repeats=any(piece.kind is PieceKind.EVERY for piece in pieces),
        minute=now % HALF_DAY,
    )


def without_back(text: str, lexicon: Lexicon) -> str:
    """Return a text without what says at its end that all will be as it was before: "then back to normal"."""
    text = unicodedata.normalize("NFC", text)
    reader = PieceReader(text, lexicon)
    begin = reader.back_at()
    return text[: reader.tokens[begin].start].rstrip(_EDGES) if begin else text


def _said_before(before: Schedule | None) -> Collection[PieceKind]:
    """Return the kinds of pieces that may be by the time of what is said before."""
    if before is None or before.start is None:
        return ()
    return _BY_TIME_BEFORE if before.due else {PieceKind.AFTER}


def repeats_unreadably(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text says to repeat in a way that cannot be planned: "every other day"."""
    return may_say_when(text, lexicon) and PieceReader(text, lexicon).has("unread")


def may_say_when(text: str, lexicon: Lexicon) -> bool:
    """Return whether there is a number or another word that a time has; most sentences have none."""
    tokens = tokenise(text)

    def is_number(at: int) -> bool:
        senses = lexicon.senses((tokens[at].word,))
        is_word = any(sense.role is Role.NUMBER and sense.value != 1 for sense in senses)
        return is_word or tokens[at].number is not None

    return lexicon.signals.is_in([word_of(token) for token in tokens], is_number)


def _named(text: str, reader: PieceReader, house: HomeLexicon | None) -> list[tuple[int, int]]:
    """Return from where to where names of things stand, as places of tokens: no time is in them."""
    tokens = reader.tokens
    found = [
        (at, match.end) for at in range(len(tokens)) for match in reader.find("no_time", at)[:1]
    ]
    for span in cover_text(text, house) if house else ():
        inside = [at for at, token in enumerate(tokens) if span.start <= token.start < span.end]
        if span.has(Role.NAME) and inside:
            found.append((inside[0], inside[-1] + 1))
    return found


def _pieces(reader: PieceReader, named: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """Yield the pieces of a sentence from its beginning to its end."""
    at = 0
    while at < len(reader.tokens):
        is_mark = reader.tokens[at].is_mark
        found = () if is_mark else filter(None, (reader.piece_at(at), reader.after_that(at)))
        piece = max(found, key=lambda each: each.end, default=None)
        if piece and not any(_cuts(piece, name) for name in named):
            yield piece
            at = piece.end
        else:
            at += 1


def _cuts(piece: Piece, name: tuple[int, int]) -> bool:
    """Return whether a piece shares words with a name, and is more than the name with words around it."""
    begin, end = name
    is_within = piece.begin <= begin and end <= piece.end and piece.end - piece.begin > end - begin
    return begin < piece.end and piece.begin < end and not is_within


def _times(
    text: str, pieces: Sequence[Piece], reader: PieceReader, lexicon: Lexicon
) -> Sequence[Piece]:
    """Return the pieces without a number that is a value; [] where all is how long a timer or a change takes."""
    if all(piece.kind in _ALONE for piece in pieces):
        is_other = names_timer(text, lexicon) or bool(read_fade(text, lexicon)[1])
        return () if is_other else pieces
    return [each for each in pieces if not is_value(text, each, pieces, reader, lexicon)]


class _Schedules:
    """What pieces of a sentence come to together, by the clock of a house."""

    def __init__(
        self,
        clock: HomeClock,
        *,
        wakes: bool,
        before: Schedule | None = None,
        night: datetime | None = None,
    ) -> None:
        """Read pieces of a command, which `wakes` somebody or not, after what is `before` it or in a `night`."""
        self._clock = clock
        self._night = night
        self._wakes = wakes
        self._before = before or Schedule()

    def of(self, pieces: Sequence[Piece]) -> tuple[Schedule, bool] | None:
        """Return the schedule and whether it is for a time that is over; None for pieces that do not fit together."""
        if (sorted_pieces := by_kind_of(pieces)) is None:
            return None
        by_kind, said = sorted_pieces
        if every := by_kind.pop(PieceKind.EVERY, None):
            return self._repeated(every.every or Every(), said, by_kind)
        first = self._before.start
        later = by_kind.pop(PieceKind.AFTER, None)
        if later is None and isinstance(first, Repeated):
            # "After ten minutes" each time
            later = by_kind.pop(PieceKind.DELAY, None)
        if later:
            return None if said != Moment() or by_kind else self._afterwards(later)
        if isinstance(first, Repeated) and _goes_on(said, by_kind):
            return self._repeated(Every(first.weekdays), said, by_kind, after=first)
        if past := by_kind.pop(PieceKind.PAST, None):
            return None if said != Moment() else self._past(past, by_kind)
        if delay := by_kind.pop(PieceKind.DELAY, None):
            return None if said != Moment() else self._delayed(delay, by_kind)
        if between := by_kind.pop(PieceKind.RANGE, None):
            return None if by_kind else self._between(said, between)
        return self._once(said, by_kind)

    def _delayed(self, delay: Piece, ends: dict[PieceKind, Piece]) -> tuple[Schedule, bool] | None:
        """Return the schedule of what is done so many seconds from now."""
        start = in_seconds(delay.seconds, self._clock)
        return self._ended(start, ends, is_past=False) if start else None

    def _afterwards(self, later: Piece) -> tuple[Schedule, bool] | None:
        """Return the schedule of what is done so many seconds after what is said before, each time that is."""
        first, seconds = self._before.start, timedelta(seconds=later.seconds)
        if isinstance(first, Repeated):
            if first.clock is None:
                return None
            at = datetime.combine(self._clock.now.date(), first.clock) + seconds
            days = (at.date() - self._clock.now.date()).days
            return Schedule(
                start=daily(at.hour * 60 + at.minute + days * DAY, first.weekdays)
            ), False
        if (begun := self._after()) is None or later.seconds > LONGEST:
            return None
        at = (begun.astimezone(UTC) + seconds).astimezone(begun.tzinfo)
        return Schedule(start=Once(at=at)), False

    def _past(self, past: Piece, ends: dict[PieceKind, Piece]) -> tuple[Schedule, bool] | None:
        """Return the schedule of what is done at some minutes of an hour, the next time after what is said before."""
        if (after := self._after()) is None:
            return None
        begun = after.astimezone(self._clock.now.tzinfo)
        minutes = (past.seconds - begun.minute - 1) % _HOUR + 1
        at = after.astimezone(UTC) + timedelta(minutes=minutes)
        return self._ended(Once(at=at.astimezone(begun.tzinfo)), ends, is_past=False)

    def _between(self, said: Moment, between: Piece) -> tuple[Schedule, bool] | None:
        """Return the schedule of what begins at a moment and ends at another."""
        begin, end = between.moments
        begin = begin.within(end)
        if not (merged := said.merged(begin)):
            return None
        if not (found := resolve_range(merged, end, self._clock, wakes=self._wakes)):
            return None
        first, last = found
        return Schedule(start=first.once, until=last.once), first.is_past or last.is_past

    def _once(self, said: Moment, ends: dict[PieceKind, Piece]) -> tuple[Schedule, bool] | None:
        """Return the schedule of what is done at a moment, or now for a time."""
        if said == Moment():
            return self._ended(None, ends, is_past=False)
        after = self._after() if said.day is None else None
        night = self._night
        # "Off at eleven and on tomorrow at six"
        wakes = self._wakes or (night is not None and is_overnight(night, said, self._clock))
        if (found := resolve(said, self._clock, after, wakes=wakes)) is None:
            return None
        if found.is_past and said.is_now(self._clock):
            return self._ended(None, ends, is_past=False) or (Schedule(), False)
        if found.is_past and said.day and said.day.coming:
            # "Later this evening", said in the evening, is not over, and nobody knows when it is.
            return None
        return self._ended(found.once, ends, is_past=found.is_past)

    def _after(self) -> datetime | None:
        """Return when what is said before ends, or begins; None where that is not for a moment."""
        before = self._before
        return before.end_moment.at if before.end_moment else before.due

    def _ended(
        self, start: Once | None, ends: dict[PieceKind, Piece], *, is_past: bool
    ) -> tuple[Schedule, bool] | None:
        """Return a schedule with what ends it; None for two that do, and for nothing at all."""
        until, lasts = ends.get(PieceKind.UNTIL), ends.get(PieceKind.LASTS)
        if (until and lasts) or not (start or until or lasts):
            return None
        if lasts:
            is_possible = lasts.seconds <= LONGEST
            return (Schedule(start=start, lasts=lasts.seconds), is_past) if is_possible else None
        if not until:
            return Schedule(start=start), is_past
        after = start.at if start else None
        if (end := resolve_end(until.moments[0], self._clock, after)) is None:
            return None
        return Schedule(start=start, until=end.once), is_past or end.is_past

    def _repeated(
        self,
        every: Every,
        said: Moment,
        ends: dict[PieceKind, Piece],
        *,
        after: Repeated | None = None,
    ) -> tuple[Schedule, bool] | None:
        """Return the schedule of what is done again and again, the next time `after` another each time."""
        between = ends.pop(PieceKind.RANGE, None)
        merged = said.merged(Moment(part=every.part))
        merged = merged and merged.merged(between.moments[0]) if between else merged
        if not merged or merged.day or (every.is_loose and merged == Moment()):
            return None
        if every.seconds:
            is_possible = merged == Moment() and not ends and _LEAST <= every.seconds <= _MOST
            return (Schedule(start=Repeated(every=every.seconds)), False) if is_possible else None
        until = ends.pop(PieceKind.UNTIL, None)
        last = between.moments[1] if between else until.moments[0] if until else None
        lasts = ends.pop(PieceKind.LASTS, None)
        if ends:
            return None
        seconds = lasts.seconds if lasts else None
        if merged.sun:
            start = Repeated(sun=merged.sun, weekdays=every.weekdays)
            return None if last else (Schedule(start=start, lasts=seconds), False)
        begins = self._begins(merged, after)
        if begins is None:
            return None
        if last:
            if seconds or last.sun or last.day or not (last.clock or last.part):
                return None
            begins, seconds = self._lasting(merged, begins, last)
        return Schedule(start=daily(begins, every.weekdays), lasts=seconds), False

    def _begins(self, said: Moment, after: Repeated | None) -> int | None:
        """Return when something begins each day, in minutes; `after` another the next time that may be meant."""
        minutes = said.minutes(self._clock, is_later=after is None, wakes=self._wakes)
        if after is None:
            return minutes[0]
        first = after.clock
        if after.sun and (event := self._clock.sun(after.sun.event, self._clock.now.date())):
            begun = event.astimezone(self._clock.now.tzinfo)
            first = (begun + timedelta(seconds=after.sun.offset)).time()
        if first is None:
            return None
        begun_at = first.hour * 60 + first.minute
        return min(begun_at + (each - begun_at - 1) % DAY + 1 for each in minutes)

    def _lasting(self, begin: Moment, begins: int, end: Moment) -> tuple[int, float]:
        """Return when something begins every day and for how many seconds it lasts."""
        starts = [begins]
        if begin.is_ambiguous and not end.is_ambiguous:
            starts = [begins, (begins + HALF_DAY) % DAY]
        ends = end.minutes(self._clock, is_later=False, wakes=False)
        lasting, start = min(
            ((last - first - 1) % DAY + 1, first) for first in starts for last in ends
        )
        return start, lasting * 60.0


def _goes_on(said: Moment, ends: dict[PieceKind, Piece]) -> bool:
    """Return whether what is said is a time of each day that is said before it: no other day, and no delay."""
    return said != Moment() and said.day is None and PieceKind.DELAY not in ends


def in_seconds(seconds: float, clock: HomeClock) -> Once | None:
    """Return the moment in some seconds; None where it is too far away."""
    return Once.after(seconds, clock.now) if 0 < seconds <= LONGEST else None


def daily(minutes: int, weekdays: Sequence[int]) -> Repeated:
    """Return what is done every day at a time; one after midnight is in the night of each day."""
    later, left = divmod(minutes, DAY)
    days = sorted({(day + later) % 7 for day in weekdays})
    return Repeated(clock=time(*divmod(left, 60)), weekdays=tuple(days))

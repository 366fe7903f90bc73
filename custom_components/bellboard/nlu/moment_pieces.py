"""Pieces of a sentence that say when: moments, durations, repetitions, and from when until when."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
import re

from ..when import DAY as DAY_SECONDS, NOON, SunEvent, SunTime
from .lexicon import Lexicon, Role
from .moment_slots import SlotReader
from .moment_times import (
    DAILY,
    DAY,
    HALF_DAY,
    TONIGHT,
    WEEK,
    Clock,
    Day,
    Every,
    Moment,
    Piece,
    PieceKind,
    is_in_part,
)
from .moment_words import SlotMatch
from .tokens import without_first

_DASHES = {"-", "\u2013", "\u2014"}
_ENDING = frozenset({PieceKind.LASTS, PieceKind.UNTIL, PieceKind.RANGE})
_LONGEST_MOMENT = 12
_CLOCKS = ("clock", "clear", "at_clock")
_DAY_KINDS = (
    "tonight",
    "this_part",
    "next_part",
    "days",
    "days_ahead",
    "on",
    "coming",
    "week_after",
    "dates",
)
# Value of words for a part of today that is to come.
_LATER = "later"
_EDGES = " ,;.!:'"
_DOUBLED = re.compile(r",(?:\s*,)+")
_LOST_MARK = re.compile(r"(?<!\s)\s++(?=[,;.!?])")
# "-30+m": minutes before or after an hour, to which those that are said are added.
_FORMULA = re.compile(r"(?P<fixed>[+-]\d+)?(?:(?P<sign>[+-])m)?")


class PieceReader(SlotReader):
    """Finds the pieces among the tokens of a sentence."""

    def __init__(self, text: str, lexicon: Lexicon, *, is_loose: bool = False) -> None:
        """Read a text in NFC; where it `is_loose` a duration alone is for how long something lasts."""
        super().__init__(text, lexicon)
        self._is_loose = is_loose
        self._made["before_time"] = self._before_time
        self._made["a_day"] = self._a_day
        # "When the sun rises", "when tomorrow the sun rises"
        self._made["sun"] = lambda at: self._shaped("sun", at, within="a_day")

    def piece_at(self, at: int) -> Piece | None:
        """Return the longest piece that begins at a token."""
        if every := self._every(at):
            return every
        found = (
            self._range(at),
            self._until(at),
            self._sun_piece(at),
            self._lasts(at),
            self._delay(at),
            self._alone(at),
            self._past(at),
        )
        piece = max((each for each in found if each), key=lambda each: each.end, default=None)
        if piece and piece.kind in _ENDING and (back := self.find("then_back", piece.end)):
            return replace(piece, end=back[0].end)
        return piece

    def with_back(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """Return pieces and what says at the end that all will be as before, where one of them ends something."""
        if not any(piece.kind in _ENDING for piece in pieces):
            return pieces
        begin, end = self.back_at(pieces[-1].end), len(self.tokens)
        return [*pieces, Piece(begin, end, PieceKind.LASTS)] if begin else pieces

    def without(self, pieces: Sequence[Piece]) -> str:
        """Return the text without pieces of it."""
        kept, at = [], 0
        for piece in pieces:
            kept.append(self._text[at : self.tokens[piece.begin].start])
            at = self.tokens[piece.end - 1].end
        # "'s nachts" leaves a mark.
        left = " ".join(each for each in " ".join((*kept, self._text[at:])).split() if each != "'")
        return _LOST_MARK.sub("", _DOUBLED.sub(",", left)).strip(_EDGES)

    def back_at(self, first: int = 1) -> int:
        """Return where the end says that all will be as before, at a token from the `first` on; 0 where it does not."""
        end = len(self.tokens)
        backs = (
            at
            for at in range(first, end)
            if any(found.end == end for found in self.find("then_back", at))
        )
        return next(backs, 0)

    def is_bare(self, piece: Piece) -> bool:
        """Return whether a piece is a number after "at" or "up to", and nothing more: it may be a value."""
        before = {PieceKind.MOMENT: "at", PieceKind.UNTIL: "up_to"}.get(piece.kind, "")
        begins = self.find(before, piece.begin)
        return piece.end in {found.end for at in begins for found in self._numbers(at.end)}

    def is_only_weekday(self, pieces: Sequence[Piece]) -> bool:
        """Return whether all that says when is the name of a weekday alone, which other things have, too."""
        first = pieces[0]
        is_one = len(pieces) == 1 and first.end == first.begin + 1
        return is_one and bool(self.find("weekday", first.begin))

    def _before_time(self, at: int) -> Iterator[SlotMatch]:
        """Yield a match without words where a time by the clock or a part of a day follows."""
        if self._at_clock(at) or self.find("parts", at):
            yield SlotMatch(at)

    def _a_day(self, at: int) -> Iterator[SlotMatch]:
        """Yield the day that stands at a token."""
        if day := self._day(at):
            yield SlotMatch(*day)

    # Days.

    def _day(self, at: int) -> tuple[int, Moment] | None:
        """Return a day, with a part of it where one belongs to it: "tomorrow", "on Friday evening"."""
        found = [
            (each.end, _day_of(kind, each))
            for kind in _DAY_KINDS
            for each in self.find(kind, at)[:1]
        ]
        if not found:
            return None
        end, moment = max(found, key=lambda each: each[0])
        end, moment = self._dated(end, moment)
        named = () if moment.part else self.find("part_names", end)
        clock = self._at_clock(end) if named else None
        # "Tomorrow at noon" and no "tomorrow at half past noon"
        if named and not (clock and clock[0] > named[0].end):
            end = self._after_or_so(named[0].end)
            return end, replace(moment, part=str(named[0].value))
        return end, moment

    def _dated(self, end: int, moment: Moment) -> tuple[int, Moment]:
        """Return the end of a day and that day, by its date where that is said after it or after its weekday.

        "Wednesday, 2 December", "tomorrow, Friday 27 November"
        """
        if moment.day is None or moment.part:
            return end, moment
        weekdays = [each.end for each in self.find("weekday", self._after_mark(end))]
        ends = weekdays if moment.day.weekday is None else [end]
        date = next(filter(None, map(self._date_after, ends)), None)
        return (date.end, _day_of("dates", date)) if date else (end, moment)

    def _date_after(self, at: int) -> SlotMatch | None:
        """Return the date that begins at a token, or after a mark there; None for none."""
        return next(iter(self.find("dates", self._after_mark(at))), None)

    def _after_mark(self, at: int) -> int:
        """Return the token after a mark that is at a token, else that token."""
        return at + (at < len(self.tokens) and self.tokens[at].is_mark)

    def _part(self, at: int, kind: str) -> tuple[int, Moment] | None:
        """Return a part of a day; "twelve noon" is that hour."""
        for each in self.find(kind, at):
            end = self._after_or_so(each.end)
            if each.value == NOON and any(self.find("number", n) for n in range(at, each.end)):
                return end, Moment(clock=Clock(HALF_DAY, is_exact=True))
            return end, Moment(part=str(each.value))
        return None

    def _after_or_so(self, at: int) -> int:
        """Return the place after what says how exactly a time is meant: "sharp", "or so"; a level is none."""
        rest, is_said = without_first(self.tokens[at:], self._lexicon.delays.or_so)
        end = len(self.tokens) - len(rest)
        return end if is_said and not self._is_share(at, end, least=1) else at

    # Clock and sun.

    def _clock(
        self, at: int, kinds: Sequence[str], before: int | None = None
    ) -> tuple[int, Moment] | None:
        """Return a time by the clock: "half past ten", "10 pm"; one `before` a token where that is given."""
        last = len(self.tokens) if before is None else before
        # "Midi" is when the house has its noon.
        noon = {each.end for each in self.find("part_names", at) if each.value == NOON}
        every = (each for kind in kinds for each in self.find(kind, at))
        found = [each for each in every if each.end <= last and each.end not in noon]
        found.sort(key=lambda each: -each.end)
        for each in found:
            clock = _clock_at(each)
            if half := self.find("halves", each.end):
                minutes = clock.minutes % HALF_DAY + HALF_DAY * (half[0].value == "pm")
                return self._after_or_so(half[0].end), Moment(clock=Clock(minutes, is_exact=True))
            if (part := self.find("parts", each.end)) and is_in_part(clock, str(part[0].value)):
                clock = replace(clock, part=str(part[0].value))
                return self._after_or_so(part[0].end), Moment(clock=clock)
            is_share = any(self._is_share(at, each.end + more) for more in (0, 1))
            if (
                each.end == before
                or each.of("digital")
                or not (is_share or self._is_measured(each.end))
            ):
                return self._after_or_so(each.end), Moment(clock=clock)
        return None

    def _is_measured(self, at: int) -> bool:
        """Return whether a number before a token is one of something else than hours: "at 20 degrees"."""
        if at >= len(self.tokens):
            return False
        token = self.tokens[at]
        if self.find("duration", at):
            return False
        is_unit = any(sense.role is Role.UNIT for sense in self._lexicon.senses((token.word,)))
        return is_unit or token.number is not None or bool(self.find("unit", at))

    def _is_share(self, begin: int, end: int, *, least: int = 2) -> bool:
        """Return whether tokens, `least` of them or more, are a part of a whole: "to a quarter"."""
        phrase = tuple(token.word for token in self.tokens[begin:end])
        senses = self._lexicon.senses(phrase) if len(phrase) >= least else ()
        return any(sense.role is Role.LEVEL for sense in senses)

    def _at_clock(self, at: int, before: int | None = None) -> tuple[int, Moment] | None:
        """Return a time by the clock after what such times stand after, or one that is nothing else."""
        loosely = [each.end for each in self.find("loosely", at)]
        ends = [each.end for each in self.find("at", at)]
        if loosely and self.has("wake"):
            # "An alarm for seven" is for no seven of anything else.
            ends += loosely
        bare = (self._clock(end, _CLOCKS, before) for end in ends)
        begins = (at, *loosely)
        clear = (self._clear_clock(begin, before) for begin in begins)
        found = (each for each in (*bare, *clear) if each)
        return max(found, key=lambda each: each[0], default=None)

    def _clear_clock(self, at: int, before: int | None) -> tuple[int, Moment] | None:
        """Return a time by the clock that is no other number: "22:30", "ten o'clock", "10 pm"."""
        if found := self._clock(at, ("clear",), before):
            return found
        found = self._clock(at, ("clock",), before)
        return found if found and self._has_half(at, found[0]) else None

    def _has_half(self, at: int, end: int) -> bool:
        """Return whether a time says in which half of a day it is."""
        return any(
            each.end == end
            for kind in ("halves", "parts")
            for begin in range(at + 1, end)
            for each in self.find(kind, begin)
        )

    def _sun(self, at: int, kind: str) -> tuple[int, Moment] | None:
        """Return a time by the sun: "an hour before sunset", "at sunset" or (by the `kind`) "sunset"."""
        for name, sign in (("before_sun", -1), ("after_sun", 1)):
            for each in self.find(name, at):
                duration, sun = each.of("duration"), each.of("sun_names")
                seconds = float(duration.value if duration else each.value)
                if sun and abs(seconds) <= DAY_SECONDS / 2:
                    event = SunEvent(sun.value)
                    return each.end, Moment(sun=SunTime(event=event, offset=sign * abs(seconds)))
        for each in self.find(kind, at):
            day = each.of("a_day")
            said: Moment = day.value if day else Moment()
            return each.end, replace(said, sun=SunTime(event=SunEvent(each.value)))
        return None

    def moment_at(self, at: int, before: int | None = None) -> tuple[int, Moment] | None:
        """Return the moment after a word like "until": "eight", "tomorrow at ten"; all of it is `before` a token."""
        last = len(self.tokens) if before is None else before
        end, moment = at, Moment()
        while end < last:
            found = [
                self._sun(end, "sun"),
                self._sun(end, "sun_names"),
                self._day(end),
                self._at_clock(end, last),
                self._clock(end, _CLOCKS if before is None else (*_CLOCKS, "bare"), last),
            ]
            found += [self._part(end, kind) for kind in ("parts", "part_names")]
            fitting = (each for each in found if each and each[0] <= last)
            longest = max(fitting, key=lambda each: each[0], default=None)
            merged = longest and moment.merged(longest[1])
            if not longest or not merged or _is_amiss(moment.clock, longest[1].part):
                break
            end, moment = self._with_day(longest[0], merged)
        return (end, moment) if end > at else None

    def _with_day(self, end: int, moment: Moment) -> tuple[int, Moment]:
        """Return the end of a time and that time, with the day joined to one by the clock ("le undici di sera")."""
        for each in self.find("of_day", end) if moment.clock else ():
            if (day := self._day(each.end)) and (merged := moment.merged(day[1])):
                return day[0], merged
        return end, moment

    # Pieces.

    def _alone(self, at: int) -> Piece | None:
        """Return the piece of a day, a part of it, or a time by the clock."""
        at_clock = self._at_clock(at)
        found = [self._day(at), at_clock and self._with_day(*at_clock), self._part(at, "parts")]
        day = found[0]
        clock = day and self._clock(day[0], ("after_day",))
        if day and clock and (merged := day[1].merged(clock[1])):
            # "Morgen een uur na zonsopgang" and "morgen een uur lang" are durations.
            others = (self._sun_piece(day[0]), self._lasts(day[0]), self._delay(day[0]))
            is_other = any(each and each.end > clock[0] for each in others)
            found += [] if is_other else [(clock[0], merged)]
        longest = max((each for each in found if each), key=lambda each: each[0], default=None)
        return longest and Piece(at, longest[0], PieceKind.MOMENT, (longest[1],))

    def _past(self, at: int) -> Piece | None:
        """Return the piece of some minutes of an hour that was said before: "at half past"."""
        for each in self.find("at_past", at):
            return Piece(at, each.end, PieceKind.PAST, seconds=float(each.value))
        return None

    def _sun_piece(self, at: int) -> Piece | None:
        found = self._sun(at, "sun")
        return found and Piece(at, found[0], PieceKind.MOMENT, (found[1],))

    def _range(self, at: int) -> Piece | None:
        """Return the piece of two moments: "from six to eight"."""
        for each in self.find("from", at):
            for middle in range(each.end + 1, min(each.end + _LONGEST_MOMENT, len(self.tokens))):
                second = self._after_to(middle)
                first = second and self.moment_at(each.end, middle)
                if first and second and first[0] == middle:
                    return Piece(at, second[0], PieceKind.RANGE, (first[1], second[1]))
        # "18-20 Uhr", and no "18-20"
        if self._is_dash_before(at + 1) and (second := self._clear_clock(at + 1, None)):
            for hour in self._hours(at):
                return Piece(at, second[0], PieceKind.RANGE, (Moment(clock=hour.value), second[1]))
        return None

    def window_at(self, at: int) -> tuple[int, Moment | None, Moment | None] | None:
        """Return the end of hours that something is within, and from and until when: "after eleven", "at night"."""
        for each in self.find("dark", at):
            sunset, sunrise = (
                SunTime(event=event) for event in (SunEvent.SUNSET, SunEvent.SUNRISE)
            )
            return each.end, Moment(sun=sunset), Moment(sun=sunrise)
        if between := self._range(at):
            first, last = between.moments
            return between.end, first, last
        for kind in ("after", "before"):
            for found in filter(None, (self.moment_at(each.end) for each in self.find(kind, at))):
                end, moment = found
                return (end, moment, None) if kind == "after" else (end, None, moment)
        day = self._day(at)
        part = day if day and day[1].part else self._part(at, "parts")
        return (part[0], part[1], None) if part else None

    def _is_dash_before(self, at: int) -> bool:
        """Return whether only a dash is before a token."""
        tokens = self.tokens
        return (
            at < len(tokens)
            and self._text[tokens[at - 1].end : tokens[at].start].strip() in _DASHES
        )

    def _after_to(self, at: int) -> tuple[int, Moment] | None:
        """Return the moment after what stands between two: a word or a dash."""
        begins = [each.end for each in self.find("to", at)]
        begins += [at] if self._is_dash_before(at) else []
        found = filter(None, map(self.moment_at, begins))
        return next(found, None) or next(filter(None, map(self._bare_on_day, begins)), None)

    def _bare_on_day(self, at: int) -> tuple[int, Moment] | None:
        """Return an hour without a word for one before a day or a part of it: "de six à huit ce soir"."""
        for each in self.find("bare", at):
            for day in filter(None, (self._day(each.end),)):
                return day[0], replace(day[1], clock=_clock_at(each))
        return None

    def _until(self, at: int) -> Piece | None:
        for each in self.find("until", at):
            if found := self.moment_at(each.end):
                return Piece(at, found[0], PieceKind.UNTIL, (found[1],))
            if delay := self._delay(each.end):
                # "Until an hour from now"
                return replace(delay, begin=at, kind=PieceKind.LASTS)
        return None

    def _lasts(self, at: int) -> Piece | None:
        # "I en timme till 22 grader"
        for each in sorted(self.find("lasts", at), key=lambda each: self._is_measured(each.end)):
            duration = each.of("duration")
            seconds = float(duration.value if duration else each.value)
            return Piece(at, each.end, PieceKind.LASTS, seconds=seconds)
        before = self.tokens[at - 1].word if at else ""
        is_led = {sense.role for sense in self._lexicon.senses((before,))} == {Role.LINK}
        for each in self.find("duration", at) if self._is_loose and not is_led else ():
            return Piece(at, each.end, PieceKind.LASTS, seconds=each.value)
        return None

    def after_that(self, at: int) -> Piece | None:
        """Return the piece of how long after the time before something is, which begins at a token.

        It is no piece by itself: "an hour later" alone moves what was planned.
        """
        for each in self.find("after_that", at):
            duration = each.of("duration")
            return Piece(at, each.end, PieceKind.AFTER, seconds=duration.value if duration else 0)
        return None

    def _delay(self, at: int) -> Piece | None:
        for each in self.find("later", at):
            duration = each.of("duration")
            return Piece(at, each.end, PieceKind.DELAY, seconds=duration.value if duration else 0)
        rest, is_after = without_first(self.tokens[at:], self._lexicon.delays.after)
        found = self.find("duration", len(self.tokens) - len(rest)) if is_after else []
        return Piece(at, found[0].end, PieceKind.DELAY, seconds=found[0].value) if found else None

    def _every(self, at: int) -> Piece | None:
        """Return the piece of a repetition."""
        found: list[tuple[int, Every]] = []
        for kind, daily in DAILY.items():
            found += [(each.end, daily) for each in self.find(kind, at)[:1]]
        for each in self.find("every_days", at)[:1]:
            if self._date_after(each.end):
                # "Le mercredi 2 décembre"
                continue
            days_said = next((match for _, match in each.slots), None)
            found.append((each.end, Every(tuple(days_said.value) if days_said else ())))
        for each in self.find("every_part", at)[:1]:
            named = next((match.value for _, match in each.slots), each.value)
            found.append((each.end, Every(part=str(named))))
        for each in self.find("workday_parts", at)[:1]:
            found.append((each.end, replace(DAILY["workdays"], part=str(each.value))))
        for each in self.find("every", at)[:1]:
            duration = each.of("duration")
            found.append(
                (each.end, Every(seconds=float(duration.value if duration else each.value)))
            )
        if not found:
            return None
        end, every = max(found, key=lambda each: each[0])
        if not (every.part or every.seconds) and (named_at := self.find("part_names", end)):
            end, every = named_at[0].end, replace(every, part=str(named_at[0].value))
        return Piece(at, end, PieceKind.EVERY, every=every)


def _is_amiss(clock: Clock | None, part: str) -> bool:
    """Return whether an hour is in no such part of a day: "until eighteen, at midnight"."""
    return not (clock is None or not clock.is_exact or not part or is_in_part(clock, part))


def _clock_at(match: SlotMatch) -> Clock:
    """Return the time that a template for one comes to."""
    slots = (match.of(name) for name in ("hour", "named_hour", "half_hour", "digital", "dotted"))
    hour = next(each.value for each in slots if each)
    added = minutes_past(match)
    if not added:
        return Clock(hour.minutes if hour.is_exact else hour.minutes % HALF_DAY, hour.is_exact)
    return Clock((hour.minutes + added) % (DAY if hour.is_exact else HALF_DAY), hour.is_exact)


def minutes_past(match: SlotMatch) -> int:
    """Return the minutes from an hour that a template comes to, below 0 before it."""
    minute = match.of("minute") or match.of("double")
    formula = _FORMULA.fullmatch(str(match.value or "+0"))
    fixed = int((formula and formula["fixed"]) or 0)
    said = int(minute.value) if minute else 0
    return fixed + (-said if formula and formula["sign"] == "-" else said)


def _day_of(kind: str, match: SlotMatch) -> Moment:
    """Return the day that words of a kind are."""
    if kind == "tonight":
        return Moment(Day(ahead=0), TONIGHT)
    if kind == "this_part":
        part = match.of("part_names")
        # "Later this evening" has not begun, whatever the clock says.
        is_later = match.value == _LATER
        own = TONIGHT if is_later else match.value
        return Moment(Day(ahead=0, coming=is_later), str(part.value if part else own))
    if kind == "next_part":
        return Moment(Day(ahead=1), str(match.value))
    if kind == "days":
        return Moment(Day(ahead=int(match.value)))
    if kind == "days_ahead":
        number = match.of("number")
        return Moment(Day(ahead=int(match.value) * int(number.value if number else 1)))
    if weekday := match.of("weekday"):
        later = WEEK * (kind == "week_after")
        return Moment(Day(weekday=int(weekday.value), later=later, coming=kind == "coming"))
    date, day, month = match.of("date"), match.of("day_of_month"), match.of("month")
    if date:
        return Moment(Day(date=date.value))
    if ordinal := match.of("ordinals"):
        return Moment(Day(date=(0, int(ordinal.value) + 1)))
    return Moment(Day(date=(int(month.value) + 1 if month else 0, int(day.value) if day else 1)))

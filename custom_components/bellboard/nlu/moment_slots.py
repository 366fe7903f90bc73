"""Slots of templates that say when: numbers, hours, dates, durations and weekdays among tokens."""

from collections.abc import Callable, Iterator
from dataclasses import replace
import re

from .lexicon import Lexicon, Role
from .moment_times import HALF_DAY, Clock
from .moment_words import Shape, SlotMatch, is_slot, word_of
from .times import duration_at
from .tokens import Token, tokenise

_HOURS, _MINUTES, _DAYS = 24, 60, 31
_NOON = 12
_LONGEST_NUMBER = 4
_LONGEST_SPARE = 4
_SPARE = frozenset({Role.FILLER, Role.CORRECTING, Role.ANSWER})
_DIGITAL = re.compile(r"(?P<hour>\d{1,2})[.:](?P<minute>\d{2})")
_DATE = re.compile(r"(?P<day>\d{1,2})[.](?P<month>\d{1,2})")


class SlotReader:
    """Matches templates and their slots at tokens. What is found at one is kept, so that time is bounded."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        """Read a text in NFC."""
        self._text, self._lexicon = text, lexicon
        self.tokens = [part for token in tokenise(text) for part in self._halves(token)]
        self._words = [word_of(token) for token in self.tokens]
        self._kept: dict[tuple[str, int], list[SlotMatch]] = {}
        self._made: dict[str, Callable[[int], Iterator[SlotMatch]]] = {
            "hour": self._hours,
            "named_hour": lambda at: self._hours(at, is_named=True),
            "half_hour": lambda at: (
                each for each in self._hours(at) if 0 < each.value.minutes <= HALF_DAY
            ),
            "minute": self._minutes,
            "double": self._double_minutes,
            "number": self._numbers,
            "digital": self._digital,
            "dotted": self._dotted,
            "date": self._dates,
            "duration": self._durations,
            "excepted": self._excepted,
            "days_of_week": lambda at: self._several("weekday", at),
            "joined_days": lambda at: (x for x in self._several("weekday", at) if len(x.value) > 1),
            "days_through": lambda at: self._several("weekday", at, is_through=True),
            "each_of_week": lambda at: self._several("each_weekday", at),
            "day_of_month": self._days_of_month,
        }

    def has(self, kind: str) -> bool:
        """Return whether words of a kind are anywhere."""
        return any(self.find(kind, at) for at in range(len(self.tokens)))

    def spare_at(self, at: int) -> int:
        """Return up to which token words from one on say nothing, or only that it is corrected; the token for none."""
        for end in range(min(at + _LONGEST_SPARE, len(self.tokens)), at, -1):
            senses = self._lexicon.senses(tuple(token.word for token in self.tokens[at:end]))
            if senses and all(sense.role in _SPARE for sense in senses):
                return end
        return at

    def find(self, kind: str, at: int) -> list[SlotMatch]:
        """Return what words of a kind at a token are, the longest first."""
        key = (kind, at)
        if key not in self._kept:
            # A kind that would stand in itself is none.
            self._kept[key] = []
            made = self._made.get(kind)
            found = list(made(at) if made else self._shaped(kind, at))
            self._kept[key] = sorted(found, key=lambda each: -each.end)
        return self._kept[key]

    def _shaped(self, kind: str, at: int, *, within: str = "") -> Iterator[SlotMatch]:
        """Yield how the templates of a kind fit at a token, with one of the kind `within` between their words."""
        if at < len(self.tokens):
            for shape in self._lexicon.moments.of(kind).at(self._words[at]):
                yield from self._fitting(shape, 0, at, (), within=within)

    def _fitting(
        self,
        shape: Shape,
        part: int,
        at: int,
        slots: tuple[tuple[str, SlotMatch], ...],
        *,
        within: str = "",
    ) -> Iterator[SlotMatch]:
        """Yield how a template from one of its parts on fits the tokens from a place on.

        One of the kind `within` may stand between any two of its parts, as a slot of its own.
        """
        if part == len(shape.parts):
            yield SlotMatch(at, shape.value, slots)
            return
        if within and part:
            for found in self.find(within, at):
                yield from self._fitting(shape, part, found.end, (*slots, (within, found)))
        said = shape.parts[part]
        if is_slot(said):
            name = said[1:-1]
            for found in self.find(name, at):
                yield from self._fitting(
                    shape, part + 1, found.end, (*slots, (name, found)), within=within
                )
        elif at < len(self.tokens) and self._words[at] == said:
            yield from self._fitting(shape, part + 1, at + 1, slots, within=within)

    def _excepted(self, at: int) -> Iterator[SlotMatch]:
        """Yield what leaves out what follows it, the longest first: "except for", and not "only"."""
        for size in range(min(_LONGEST_NUMBER, len(self.tokens) - at), 0, -1):
            phrase = tuple(token.word for token in self.tokens[at : at + size])
            is_only = self._lexicon.moments.of("only_that").has(phrase)
            senses = self._lexicon.senses(phrase)
            if not is_only and any(sense.role is Role.EXCEPT for sense in senses):
                yield SlotMatch(at + size)

    def _halves(self, token: Token) -> list[Token]:
        """Return a token, or the day and the part of it that it is: "Sonntagabend"."""
        words, said = self._lexicon.moments, word_of(token)
        for day in (
            word for kind in ("weekday", "each_weekday", "days") for word in words.of(kind).by_first
        ):
            for link in self._lexicon.links if day and said.startswith(day) else ():
                rest = said.removeprefix(day).removeprefix(link)
                if any(words.of(kind).has((rest,)) for kind in ("part_names", "parts")):
                    return [replace(token, word=day), replace(token, word=rest)]
        return [token]

    def _numbers(self, at: int) -> Iterator[SlotMatch]:
        """Yield whole numbers, in digits or in words."""
        if at >= len(self.tokens):
            return
        if (number := self.tokens[at].number) is not None:
            if self.tokens[at].word.isdecimal():
                yield SlotMatch(at + 1, int(number))
            return
        # "Twenty five" is no twenty.
        for size in range(min(_LONGEST_NUMBER, len(self.tokens) - at), 0, -1):
            phrase = tuple(token.word for token in self.tokens[at : at + size])
            senses = self._lexicon.senses(phrase)
            value = next((s.value for s in senses if s.role is Role.NUMBER), None)
            # "A" is no number of an hour; "one" stands among the `hours`.
            if value is not None and float(value).is_integer() and value != 1:
                yield SlotMatch(at + size, int(value))
                return

    def _hours(self, at: int, *, is_named: bool = False) -> Iterator[SlotMatch]:
        """Yield hours, as minutes of a day and whether they are of either half; with numbers unless `is_named`."""
        for found in (*self.find("hours", at), *(() if is_named else self._numbers(at))):
            hour = int(found.value)
            if 0 <= hour <= _HOURS:
                is_exact = self.tokens[at].word.startswith("0") or not 0 < hour <= _NOON
                # "Noon" is of one half.
                is_exact = is_exact or bool(self.find("part_names", at))
                yield SlotMatch(found.end, Clock(hour * _MINUTES, is_exact))

    def _minutes(self, at: int) -> Iterator[SlotMatch]:
        for each in (*self._numbers(at), *self.find("minutes", at)):
            if 0 <= int(each.value) < _MINUTES:
                yield SlotMatch(each.end, int(each.value))

    def _double_minutes(self, at: int) -> Iterator[SlotMatch]:
        """Yield minutes of two digits: "ten thirty" and no "ten five"."""
        for each in self._minutes(at):
            if each.value >= 10 or (each.end == at + 1 and len(self.tokens[at].word) == 2):
                yield each

    def _digital(self, at: int) -> Iterator[SlotMatch]:
        """Yield "22:30"."""
        tokens = self.tokens[at : at + 3]
        said = "".join(token.word for token in tokens)
        is_one = len(tokens) == 3 and tokens[2].end - tokens[0].start == len(said)
        if is_one and tokens[1].word == ":":
            yield from _clock_of(said, at + 3)

    def _dotted(self, at: int) -> Iterator[SlotMatch]:
        """Yield "22.30"."""
        yield from _clock_of(self.tokens[at].word, at + 1) if at < len(self.tokens) else ()

    def _dates(self, at: int) -> Iterator[SlotMatch]:
        """Yield "3.12." as a month and a day."""
        found = _DATE.fullmatch(self.tokens[at].word) if at < len(self.tokens) else None
        if found and 0 < int(found["day"]) <= _DAYS and 0 < int(found["month"]) <= 12:
            end = at + 1
            is_dot = end < len(self.tokens) and self.tokens[end].word == "."
            yield SlotMatch(end + is_dot, (int(found["month"]), int(found["day"])))

    def _days_of_month(self, at: int) -> Iterator[SlotMatch]:
        for each in self.find("ordinals", at):
            yield SlotMatch(each.end, each.value + 1)
        for each in self._numbers(at):
            if 0 < each.value <= _DAYS:
                ending = self.find("ordinal_endings", each.end)
                yield SlotMatch(ending[0].end if ending else each.end, each.value)

    def _durations(self, at: int) -> Iterator[SlotMatch]:
        seconds, left = duration_at(self.tokens[at:], self._lexicon)
        if seconds:
            yield SlotMatch(len(self.tokens) - len(left), seconds)

    def _several(self, kind: str, at: int, *, is_through: bool = False) -> Iterator[SlotMatch]:
        """Yield weekdays that are joined: "Monday, Tuesday and Friday"; if `is_through` only "Monday to Friday"."""
        if not (found := self.find(kind, at)):
            return
        days, end = [int(found[0].value)], found[0].end
        while end < len(self.tokens):
            through = self.find("through", end)
            begin = through[0].end if through else self._after_joint(end)
            following = self.find(kind, begin) if begin > end else []
            if not following or (is_through and not through):
                break
            last = int(following[0].value)
            days += (
                [(days[-1] + 1 + n) % 7 for n in range((last - days[-1]) % 7)]
                if through
                else [last]
            )
            end = following[0].end
        if end > found[0].end or not is_through:
            yield SlotMatch(end, tuple(sorted({*days})))

    def _after_joint(self, at: int) -> int:
        """Return the place after a comma, an "and", and what may stand before the next weekday."""
        begin = at
        while at < len(self.tokens) and (
            self.tokens[at].word == "," or self._lexicon.is_and(self.tokens[at].word)
        ):
            at += 1
        lead = self.find("before_day", at) if at > begin else ()
        return lead[0].end if lead else at


def _clock_of(said: str, end: int) -> Iterator[SlotMatch]:
    """Yield the time that digits are."""
    if found := _DIGITAL.fullmatch(said):
        hour, minute = int(found["hour"]), int(found["minute"])
        if hour <= _HOURS and minute < _MINUTES and (hour < _HOURS or not minute):
            is_exact = said.startswith("0") or hour == 0 or hour > _NOON
            yield SlotMatch(end, Clock(hour * _MINUTES + minute, is_exact))

"""Numbers as they are said: in digits, in words, or joined in one word ("twofoursixeight").

A number word is known by its letters alone, without accents and blanks, so that "sixty-eight", "sixty eight" and
"sixtyeight" are one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
import re
from typing import Any, Self

from unicode_rbnf import RbnfEngine

from ..home.names import letters_of

# Digits are apart from letters: "pin2468".
_RUN = re.compile(r"\d+|[^\W\d_]+")
_HUNDRED, _THOUSAND = 100, 1000

FILES = ("values", "grammar", "dialogue")
"""Files of a language's folder that have what `SpokenNumbers.load` reads."""


@dataclass(frozen=True, slots=True)
class SpokenNumber:
    """Number in a text, from `start` to `end` (excluded), as its digits."""

    start: int
    end: int
    digits: str


@dataclass(frozen=True, slots=True)
class _Word:
    """Number word, conjunction or digits at `begin` to `end` of a text's letters; `letters` are "" for any other."""

    begin: int
    end: int
    letters: str = ""


@dataclass(frozen=True, slots=True)
class SpokenNumbers:
    """Number words of one language or of several, by their letters.

    `values` are the numbers from 0 to 99 and the hundreds to 900, `scales` what multiplies the number before it
    ("hundred", "thousand"), `between` what may stand between two numbers ("and", "plus").
    """

    values: Mapping[str, int]
    scales: Mapping[str, int]
    between: frozenset[str]
    longest: int

    @classmethod
    def load(cls, code: str, data: Mapping[str, Any]) -> Self:
        """Return the number words of a language, from the data of its file."""
        engine = RbnfEngine.for_language(code)
        values = {
            letters_of(text): number
            for number in (*range(_HUNDRED), *range(_HUNDRED, _THOUSAND, _HUNDRED))
            for ruleset, text in engine.format_number(number).text_by_ruleset.items()
            if "numbering" in ruleset or "cardinal" in ruleset
        }
        values |= {letters_of(word): number for word, number in data["spoken_digits"].items()}
        scales = {letters_of(word): scale for word, scale in data["number_scales"].items()}
        between = {letters_of(word) for word in (*data["joins"], *data["answers"]["and"])}
        return cls._of(values, scales, between)

    @classmethod
    def merged(cls, several: Iterable[SpokenNumbers]) -> Self:
        """Return the number words of several languages; none has two meanings in the languages that there are."""
        values: dict[str, int] = {}
        scales: dict[str, int] = {}
        between: set[str] = set()
        for each in several:
            values |= each.values
            scales |= each.scales
            between |= each.between
        return cls._of(values, scales, between)

    @classmethod
    def _of(cls, values: dict[str, int], scales: dict[str, int], between: set[str]) -> Self:
        """Return the words; one that multiplies is no number of its own."""
        values = {word: value for word, value in values.items() if word not in scales}
        between -= {*values, *scales}
        return cls(
            values, scales, frozenset(between), max(map(len, (*values, *scales, *between, "")))
        )

    def read(self, text: str, *, by_word: bool = False) -> list[tuple[SpokenNumber, ...]]:
        """Return the numbers in a text in NFC, those that follow each other together.

        Each is as long as it can be: "two thousand four hundred" is 2400, "twenty one" 21. With `by_word` each word
        is a number: 20 and 1. What is joined in one word is one number in any case.
        """
        return list(_Reading(self, text).sequences(by_word=by_word))


class _Reading:
    """One text in which numbers are read. Places are those among its letters, until a number is told."""

    def __init__(self, numbers: SpokenNumbers, text: str) -> None:
        """Find the runs of letters and of digits."""
        self._numbers = numbers
        self._runs = [
            (found.start(), found.end(), letters)
            for found in _RUN.finditer(text)
            if (letters := letters_of(found[0]))
        ]
        self._letters = "".join(letters for *_, letters in self._runs)
        ends = list(accumulate(len(letters) for *_, letters in self._runs))
        self._ends = {end: run for run, end in enumerate(ends)}
        self._run_of = [run for run, (*_, letters) in enumerate(self._runs) for _ in letters]
        # From where no word leads to the end of a run.
        self._dead: set[int] = set()

    def sequences(self, *, by_word: bool) -> Iterator[tuple[SpokenNumber, ...]]:
        """Yield the numbers that follow each other."""
        self._dead.clear()
        words = self._words(by_word=by_word)
        found: list[_Word] = []
        at = 0
        while at < len(words):
            if words[at].letters in self._numbers.between:
                at += 1
                continue
            after, digits = self._number(words, at, by_word=by_word)
            if digits:
                found.append(_Word(words[at].begin, words[after - 1].end, digits))
            elif found:
                yield self._told(found)
                found = []
            at = after
        if found:
            yield self._told(found)

    def _words(self, *, by_word: bool) -> list[_Word]:
        """Return the words of the text, number words as they can be joined."""
        words: list[_Word] = []
        at = 0
        while at < len(self._letters):
            end = at + len(self._runs[self._run_of[at]][2])
            run = self._letters[at:end]
            known = [_Word(at, end, run)] if run.isdecimal() else self._path(at, by_word=by_word)
            words += known or [_Word(at, end)]
            at = words[-1].end
        return words

    def _path(self, at: int, *, by_word: bool) -> list[_Word] | None:
        """Return number words from a place to the end of a run, longer ones first; None where there are none."""
        if at in self._dead:
            return None
        own_end = at + 1
        while own_end not in self._ends:
            own_end += 1
        last = own_end if by_word else min(len(self._letters), at + self._numbers.longest)
        for end in range(last, at, -1):
            letters = self._letters[at:end]
            if not self._is_known(letters):
                continue
            word = _Word(at, end, letters)
            if end in self._ends:
                return [word]
            if rest := self._path(end, by_word=by_word):
                return [word, *rest]
        self._dead.add(at)
        return None

    def _is_known(self, letters: str) -> bool:
        """Return whether letters are a number word, or may stand between two."""
        numbers = self._numbers
        return letters in numbers.values or letters in numbers.scales or letters in numbers.between

    def _number(self, words: Sequence[_Word], at: int, *, by_word: bool) -> tuple[int, str]:
        """Return the place after a number that begins at a word, and its digits: "" for no number."""
        letters = words[at].letters
        if by_word or not self._is_number(letters):
            value = self._numbers.values.get(letters)
            digits = letters if letters.isdecimal() else "" if value is None else str(value)
            return at + 1, digits
        is_multiplied = self._value(words, at) is not None and self._scale(words, at + 1)
        if letters.isdecimal() and not is_multiplied:
            return at + 1, letters
        after, total, below = at, 0, 0
        while (group := self._group(words, after, is_first=after == at)) is not None:
            end, value = group
            scale = self._scale(words, end)
            if scale >= _THOUSAND and (not below or scale < below):
                total, after, below = total + value * scale, end + 1, scale
                continue
            if scale < _THOUSAND and (not below or value):
                total, after = total + value, end
            break
        return after, str(total)

    def _group(self, words: Sequence[_Word], at: int, *, is_first: bool) -> tuple[int, int] | None:
        """Return the place after what is multiplied by a thousand or added to it, and its value.

        What multiplies stands for itself only where a number begins: "thousand two".
        """
        if not is_first:
            at = self._after_between(words, at)
        if (value := self._value(words, at)) is not None:
            at += 1
            if value < _HUNDRED and self._scale(words, at) == _HUNDRED:
                at, value = at + 1, value * _HUNDRED
        elif self._scale(words, at) == _HUNDRED:
            at, value = at + 1, _HUNDRED
        else:
            return (at, 1) if is_first and self._scale(words, at) else None
        if value and value % _HUNDRED == 0:
            added_at = self._after_between(words, at)
            added = self._value(words, added_at)
            if added and added < _HUNDRED and self._scale(words, added_at + 1) != _HUNDRED:
                return added_at + 1, value + added
        return at, value

    def _after_between(self, words: Sequence[_Word], at: int) -> int:
        """Return the place after a conjunction, or the same place where none stands there."""
        is_between = at < len(words) and words[at].letters in self._numbers.between
        return at + 1 if is_between else at

    def _is_number(self, letters: str) -> bool:
        """Return whether a number can begin with a word."""
        return (
            letters in self._numbers.values
            or letters in self._numbers.scales
            or letters.isdecimal()
        )

    def _value(self, words: Sequence[_Word], at: int) -> int | None:
        """Return the number below a thousand that a word is, None for any other."""
        letters = words[at].letters if at < len(words) else ""
        if letters.isdecimal() and len(letters) <= 3 and not letters.startswith("0"):
            return int(letters)
        return self._numbers.values.get(letters)

    def _scale(self, words: Sequence[_Word], at: int) -> int:
        """Return what a word multiplies by, 0 for no such word."""
        return self._numbers.scales.get(words[at].letters, 0) if at < len(words) else 0

    def _told(self, found: Iterable[_Word]) -> tuple[SpokenNumber, ...]:
        """Return numbers by their places in the text; those that are joined in one word are one."""
        told: list[SpokenNumber] = []
        last_run = -1
        for each in found:
            first, last = self._run_of[each.begin], self._run_of[each.end - 1]
            start, end, digits = self._runs[first][0], self._runs[last][1], each.letters
            if told and first == last_run:
                joined = told.pop()
                start, digits = joined.start, joined.digits + digits
            told.append(SpokenNumber(start, end, digits))
            last_run = last
        return tuple(told)

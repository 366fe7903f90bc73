"""Marks the words of an answer: candidates, their areas, their order, values, or something else."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
import re
from typing import Any

from ..home.catalog import Catalog, CatalogEntity
from ..home.names import NameMatch, Words, words_of
from ..memory.pending import PendingQuestion
from ..nlu.answers import Sign
from ..nlu.loader import Language
from .candidates import Candidates

_CLAUSE_END = re.compile(r"(?<![,;:.!?…])[,;:.!?…]+(?=\s|$)|\s[-–—]+(?=\s|$)")


class MarkKind(StrEnum):
    """Kind of a span in an answer.

    NAME and PART are a candidate's name or a word of it, PLACE an area or a floor, POSITION one in
    the order of the question. VALUE is a number, a colour or the like, STRANGER an
    entity that is no candidate, FOREIGN a word for entities of other agents.
    SILENT words say nothing.
    """

    NAME = "name"
    PART = "part"
    PLACE = "place"
    POSITION = "position"
    SIGN = "sign"
    VALUE = "value"
    STRANGER = "stranger"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"
    SILENT = "silent"


_FILLING = {Sign.FILLER, Sign.ONE}

UP, DOWN = "up", "down"
"""The values of words for more and for less."""

POINTING = frozenset({MarkKind.NAME, MarkKind.PART, MarkKind.PLACE, MarkKind.POSITION})
"""The kinds that point at candidates."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of an answer, from the word at `start` up to the one at `end`.

    `ids` are the candidates it can mean, `signs` what a phrase of the language says, `value` the
    position, number, colour or direction it is. `is_general` where it is only a word for the kind
    of thing, as each of them may be called ("lamp").
    """

    kind: MarkKind
    start: int
    end: int
    ids: frozenset[str] = frozenset()
    signs: frozenset[Sign] = frozenset()
    value: float | str | None = None
    is_general: bool = False

    @property
    def is_filler(self) -> bool:
        """Return whether the span carries no meaning of its own ("please", "the one")."""
        return bool(self.signs & _FILLING)


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """The words of an answer. `breaks` are the indices of words that begin a new clause."""

    words: Words
    breaks: frozenset[int]

    @classmethod
    def read(cls, text: str) -> SpokenAnswer:
        """Split a text into words and clauses."""
        words: list[str] = []
        breaks: set[int] = set()
        for clause in _CLAUSE_END.split(text):
            breaks.add(len(words))
            words += words_of(clause)
        return cls(tuple(words), frozenset(breaks))

    @property
    def clauses(self) -> Iterable[tuple[int, int]]:
        """Return where each clause begins and ends."""
        return pairwise(sorted({*self.breaks, len(self.words)}))


@dataclass(frozen=True, kw_only=True)
class AnswerMarker:
    """Marks the words of answers to one question. `area_id` is where the speaker is."""

    pending: PendingQuestion
    candidates: Candidates
    catalog: Catalog
    language: Language
    area_id: str | None

    @cached_property
    def _own(self) -> frozenset[str]:
        """Return the vocabulary of the agent that asks."""
        return self.language.vocabulary.get(self.pending.agent_id, frozenset())

    @cached_property
    def _foreign(self) -> frozenset[str]:
        """Return the vocabulary of all other agents; none where the asking agent has none itself."""
        if not self._own:
            return frozenset()
        return frozenset().union(*self.language.vocabulary.values()) - self._own

    def marks(self, spoken: SpokenAnswer) -> list[Mark]:
        """Return the marks from left to right, with each word in exactly one."""
        words = spoken.words
        taken: list[Mark] = []
        free = set(range(len(words)))
        # The longest is meant ("Kitchen Lamp" is no kitchen), and of equals the nearest first.
        for mark in sorted(self._phrases(spoken), key=lambda mark: mark.start - mark.end):
            if free.issuperset(range(mark.start, mark.end)):
                taken.append(mark)
                free.difference_update(range(mark.start, mark.end))
        taken += [self._word(words[place], place) for place in free]
        return self._with_strangers(words, sorted(taken, key=lambda mark: mark.start))

    def _phrases(self, spoken: SpokenAnswer) -> Iterator[Mark]:
        """Yield names, areas, positions, signs and values; of spans that overlap the nearest first."""
        words, language = spoken.words, self.language
        for name in self.candidates.names.find(words):
            yield Mark(MarkKind.NAME, name.start, name.end, frozenset(name.meanings))
        for place in self.catalog.places.find(words):
            ids = {c for p in place.meanings for c in self.candidates.inside.get(p.id, ())}
            ids |= self._sharing(words[place.start : place.end])
            yield Mark(MarkKind.PLACE, place.start, place.end, frozenset(ids))
        for count in language.answers.positions.find(words):
            yield self._position(words, count.start, count.end, count.meanings[0])
        for begin, end in spoken.clauses:
            # "No, the left one" is not "no left one": phrases end where a clause does.
            for sign in language.answers.signs.find(words[begin:end]):
                start, stop = begin + sign.start, begin + sign.end
                yield self._sign(words[start:stop], start, frozenset(sign.meanings))
        yield from self._values(words)

    def _sharing(self, words: Words) -> frozenset[str]:
        """Return the candidates that have all of some words in their names."""
        found = [self.candidates.with_word(word, self.language) for word in words]
        return frozenset.intersection(*found)

    def _position(self, words: Words, start: int, end: int, number: int) -> Mark:
        """Return the mark of an ordinal; candidates may also be called by the number or the word."""
        called = self.candidates.having.get(str(number), frozenset())
        if end - start == 1:
            called |= self.candidates.having.get(words[start], frozenset())
        elif called:
            return Mark(MarkKind.PART, start, end, called)
        # What points at one by its name and at another by its place is left open.
        ids = self.candidates.at(number) | called
        return Mark(MarkKind.POSITION, start, end, ids, value=number)

    def numbered(self, mark: Mark, number: int) -> Mark:
        """Return a mark as the position of its number, or as the name of who is called by it."""
        if called := self.candidates.having.get(str(number), frozenset()):
            return Mark(MarkKind.PART, mark.start, mark.end, called)
        ids = self.candidates.at(number)
        return Mark(MarkKind.POSITION, mark.start, mark.end, ids, value=number)

    def _sign(self, phrase: Words, start: int, signs: frozenset[Sign]) -> Mark:
        """Return the mark of a phrase; a word of a candidate's name says something after all."""
        end = start + len(phrase)
        called = self.candidates.having.get(" ".join(phrase), frozenset())
        if signs & _FILLING and called and not _has_number(phrase, self.language):
            return Mark(MarkKind.PART, start, end, called)
        if Sign.LAST in signs:
            return Mark(MarkKind.POSITION, start, end, self.candidates.at(-1), signs, value=-1)
        if Sign.HERE in signs:
            ids = self.candidates.inside.get(self.area_id or "", frozenset())
            return Mark(MarkKind.PLACE, start, end, ids, signs)
        return Mark(MarkKind.SIGN, start, end, signs=signs)

    def _values(self, words: Words) -> Iterator[Mark]:
        """Yield the numbers, amounts, colours and directions in the words."""
        language = self.language
        found: list[NameMatch[Any]] = [
            *language.numbers.find(words),
            *language.amounts.find(words),
            *language.colors.find(words),
        ]
        values = [(name, name.meanings[0]) for name in found]
        values += [
            (name, UP if name.meanings[0] > 0 else DOWN) for name in language.directions.find(words)
        ]
        for name, value in values:
            own = words[name.start : name.end]
            if not language.ignored.issuperset(own) and not self._sharing(own):
                yield Mark(MarkKind.VALUE, name.start, name.end, value=value)

    def _word(self, word: str, place: int) -> Mark:
        """Return the mark of a word that belongs to no phrase."""
        is_ignored = word in self.language.ignored
        if not is_ignored and (ids := self.candidates.with_word(word, self.language)):
            return Mark(MarkKind.PART, place, place + 1, ids, is_general=word in self._own)
        if word.isdecimal():
            return Mark(MarkKind.VALUE, place, place + 1, value=float(word))
        if word in self._foreign:
            return Mark(MarkKind.FOREIGN, place, place + 1)
        is_silent = is_ignored or word in self._own
        return Mark(MarkKind.SILENT if is_silent else MarkKind.UNKNOWN, place, place + 1)

    def _with_strangers(self, words: Words, marks: list[Mark]) -> list[Mark]:
        """Return the marks, with entities that are no candidates in the place of their words."""
        found = [
            name
            for domain in self.catalog.by_domain
            for name in self.catalog.named(domain).find(words)
            if all(
                isinstance(meaning, CatalogEntity)
                and meaning.entity_id not in self.candidates.order
                for meaning in name.meanings
            )
        ]
        for name in sorted(found, key=lambda name: name.start - name.end):
            inner = [m for m in marks if m.start >= name.start and m.end <= name.end]
            is_whole = sum(m.end - m.start for m in inner) == name.end - name.start
            if is_whole and self._is_new(words, inner):
                others = [m for m in marks if m not in inner]
                stranger = Mark(MarkKind.STRANGER, name.start, name.end)
                marks = sorted([*others, stranger], key=lambda mark: mark.start)
        return marks

    def _is_new(self, words: Words, marks: list[Mark]) -> bool:
        """Return whether marks that are the name of another entity mean it, and no candidate."""
        if len(marks) == 1 and marks[0].kind is MarkKind.PLACE:
            return False
        if any(mark.kind in {MarkKind.UNKNOWN, MarkKind.FOREIGN} for mark in marks):
            return True
        pointing = [mark.ids for mark in marks if mark.kind in POINTING]
        # "Reading light" is a part of no "Reading Lamp".
        added = [m for m in marks if m.kind is MarkKind.SILENT and words[m.start] in self._own]
        return bool(pointing and (added or not frozenset.intersection(*pointing)))


def _has_number(words: Words, language: Language) -> bool:
    """Return whether there is a number in words."""
    return any(True for _ in language.answers.numbers.find(words))

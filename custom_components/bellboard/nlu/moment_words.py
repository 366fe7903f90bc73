"""Words of a language for times, as templates with slots ("half past {hour}"), and the matcher of these.

A section `moments` holds lists of templates by kind. A kind may stand in the slot of another, "{weekday}" in
"next {weekday}"; the numbers of hours, minutes and days of a month and durations are slots of their own.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
import re
from types import MappingProxyType
from typing import Any

from ..home.names import folded
from .tokens import Phrase, Token, tokenise

_SLOT = re.compile(r"\{(\w+)\}")
# A word of so few letters is known with its accents only: "a" is not "à".
_SHORT = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """Template as its words and slots, in braces; `value` is what its text stands for in its kind."""

    parts: Phrase
    value: Any = None


@dataclass(frozen=True, slots=True)
class SlotMatch:
    """What a kind of words stands for, up to the token `end`; `slots` are what stands in its template's slots."""

    end: int
    value: Any = None
    slots: tuple[tuple[str, SlotMatch], ...] = ()

    def of(self, slot: str) -> SlotMatch | None:
        """Return what stands in a slot."""
        return next((match for name, match in self.slots if name == slot), None)


@dataclass(frozen=True, slots=True)
class Shapes:
    """Templates of one kind by the word that they begin with, "" for those that begin with a slot."""

    by_first: Mapping[str, tuple[Shape, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def load(cls, data: Any) -> Shapes:
        """Return the templates of a kind: a list of texts, or texts by value, in a mapping or by their place."""
        found: dict[str, list[Shape]] = {}
        for value, texts in _by_value(data):
            for text in texts:
                parts = tuple(_parts(text))
                found.setdefault("" if is_slot(parts[0]) else parts[0], []).append(
                    Shape(parts, value)
                )
        return cls({first: tuple(dict.fromkeys(shapes)) for first, shapes in found.items()})

    def has(self, parts: Phrase) -> bool:
        """Return whether some words are a template."""
        return any(shape.parts == parts for shape in self.by_first.get(parts[0], ()))

    def all(self) -> Iterable[Shape]:
        """Return all templates."""
        return chain.from_iterable(self.by_first.values())

    def at(self, word: str) -> Iterator[Shape]:
        """Yield the templates that may begin with a word."""
        yield from self.by_first.get(word, ())
        yield from self.by_first.get("", ())


@dataclass(frozen=True, slots=True)
class MomentWords:
    """Words of a language for moments, by their kind; `docs/languages.md` tells what the kinds are."""

    kinds: Mapping[str, Shapes] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> MomentWords:
        """Return the words of a language from the `moments` section of its file."""
        return cls({kind: Shapes.load(texts) for kind, texts in data.items()})

    def of(self, kind: str) -> Shapes:
        """Return the templates of a kind; a language may have none."""
        return self.kinds.get(kind, _NONE)


_NONE = Shapes()

# Kinds that a time is of, with no number in it; those that end before a number, and those that it stands in.
_SAYING = (
    "hours", "minutes", "days", "weekday", "each_weekday", "month", "part_names", "parts", "tonight", "this_part",
    "next_part", "days_ahead", "week_after", "sun_names", "sun", "lasts", "daily", "workdays", "weekends", "weekend",
    "every_days", "every_part", "nightly", "workday_parts", "every", "at_past", "after_that", "unread",
)  # fmt: skip
_BEFORE = ("at", "loosely", "until", "from")
_AROUND = ("clock", "clear", "after_day", "dates", "days_ahead", "unread")
_DAYS = ("weekday", "each_weekday", "days")
_LONG = 4


@dataclass(frozen=True, slots=True)
class Signals:
    """Words of which a time has one: most sentences have none, and are read no further.

    With each of the `words` are the phrases that it is of; one of these has to be there as a whole. A number counts
    with a word that stands `beside` one; so do the `articles` that are numbers of hours, too. Compounds begin with one
    of the `days`. Where it `is_dotted`, "18.15" is a time.
    """

    words: Mapping[str, Collection[frozenset[str]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    articles: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    days: tuple[str, ...] = ()
    is_dotted: bool = False

    @classmethod
    def of(
        cls, moments: MomentWords, durations: Iterable[Phrase], is_small: Callable[[str], bool]
    ) -> Signals:
        """Return the words of a language: of a phrase by its longest one, by one that `is_small` last."""
        hours = moments.of("hours").all()
        articles = {each.parts[0] for each in hours if each.value == "1" and len(each.parts) == 1}
        said = chain(
            (shape.parts for kind in _SAYING for shape in moments.of(kind).all()),
            (tuple(map(_plain, phrase)) for phrase in durations),
        )
        words: dict[str, set[frozenset[str]]] = {}
        for parts in said:
            if not any(map(is_slot, parts)):
                longest = max(reversed(parts), key=lambda word: (not is_small(word), len(word)))
                if longest not in articles:
                    words.setdefault(longest, set()).add(frozenset(parts))
        beside = {":"} | {each.parts[-1] for kind in _BEFORE for each in moments.of(kind).all()}
        for shape in chain.from_iterable(moments.of(kind).all() for kind in _AROUND):
            for first, second in pairwise(shape.parts):
                beside |= {first} if is_slot(second) else {second} if is_slot(first) else set()
        days = (word for kind in _DAYS for word in moments.of(kind).by_first if len(word) >= _LONG)
        is_dotted = any(each.parts == ("{dotted}",) for each in moments.of("clear").all())
        return cls(words, frozenset(articles), frozenset(beside), (*days,), is_dotted)

    def is_in(self, words: Sequence[str], is_number: Callable[[int], bool]) -> bool:
        """Return whether one of them is among the words of a sentence, some of which are numbers."""
        said = frozenset(words)
        for at, word in enumerate(words):
            is_whole = any(map(said.issuperset, self.words.get(word, ())))
            is_clock = self.is_dotted and "." in word and word[0].isdigit()
            if is_whole or is_clock or word.startswith(self.days):
                return True
            near = (*words[max(at - 1, 0) : at], *words[at + 1 : at + 2])
            if not self.beside.isdisjoint(near) and (word in self.articles or is_number(at)):
                return True
        return False


def is_slot(part: str) -> bool:
    """Return whether a part of a template is a slot."""
    return part.startswith("{")


def word_of(token: Token) -> str:
    """Return a token's word as templates have it: without accents, unless it is short."""
    return _plain(token.word)


def _plain(word: str) -> str:
    return folded(word) if len(word) > _SHORT else word


def _by_value(data: Any) -> Iterable[tuple[Any, Sequence[str]]]:
    """Return the texts of a kind by their values."""
    if isinstance(data, Mapping):
        return data.items()
    return enumerate(data) if data and isinstance(data[0], list) else [(None, data)]


def _parts(text: str) -> Iterator[str]:
    """Yield the words and the slots of a template; marks count as words."""
    for at, piece in enumerate(_SLOT.split(text)):
        if at % 2:
            yield f"{{{piece}}}"
        else:
            yield from (word_of(token) for token in tokenise(piece))

"""A yes in own words: "yes, just the way I meant it", "gern, genau so"."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Self

from .lexicon import Lexicon
from .replacing import says_only
from .tokens import Phrase, spoken_words

# A longer text says more than a yes.
_MOST_WORDS = 16
# What only goes on, and says nothing else in an answer: "maar" is "but" as well.
_BESIDE = ("filler", "one")
_SAYING_MORE = ("refuse", "cancel", "stop", "without", "and", "again", "all", "both", "other")


class _Said(IntEnum):
    """How far a text agrees up to a word: not yet, in any words, or by a word for yes."""

    NOTHING = 0
    AGREED = 1
    YES = 2


@dataclass(frozen=True, slots=True)
class ApprovalWords:
    """Phrases that a yes is made of.

    It begins with one of `affirm`, or one that agrees otherwise (`begin`), and goes on with those and `rest`. `beside`
    are phrases that say nothing anywhere in it. What leaves it `so` takes a yes back behind any other word: "okay,
    leave it". `longest` is the number of words of the longest one.
    """

    affirm: frozenset[Phrase]
    begin: frozenset[Phrase]
    rest: frozenset[Phrase]
    so: frozenset[Phrase]
    beside: frozenset[Phrase]
    longest: int

    @classmethod
    def load(cls, data: Mapping[str, Any], lexicon: Lexicon) -> Self:
        """Return the phrases of the `answers` section of a language file; what says "only" is none of them."""
        own = data["approval"]
        more = frozenset[Phrase]().union(*(_phrases(data[sign]) for sign in _SAYING_MORE))
        beside = frozenset[Phrase]().union(*(_phrases(data[sign]) for sign in _BESIDE)) - more
        beside = frozenset(each for each in beside if not says_only(" ".join(each), lexicon))
        affirm, rest, so = _phrases(own["affirm"]), _phrases(own["rest"]), _phrases(own["so"])
        begin = _phrases(own["begin"]) | _phrases(data["agree"])
        longest = max(map(len, affirm | begin | rest | so | beside))
        return cls(affirm, begin, rest, so, beside, longest)

    def is_yes(self, text: str, *, needs_yes: bool = False, may_stay_so: bool = False) -> bool:
        """Return whether a text is a yes, and asks, names and restricts nothing.

        Where it `needs_yes`, it has to begin with a word for that. `may_stay_so` is whether leaving it so is to agree.
        """
        words = spoken_words(text)
        if not 0 < len(words) <= _MOST_WORDS or "?" in text:
            return False
        said: list[set[_Said]] = [set() for _ in range(len(words) + 1)]
        said[0].add(_Said.NOTHING)
        for at in range(len(words)):
            for end in range(at + 1, min(len(words), at + self.longest) + 1) if said[at] else ():
                phrase = words[at:end]
                said[end].update(
                    after
                    for before in said[at]
                    for after in self._after(phrase, before, may_stay_so=may_stay_so)
                )
        return max(said[-1], default=_Said.NOTHING) >= (_Said.YES if needs_yes else _Said.AGREED)

    def _after(self, phrase: Phrase, before: _Said, *, may_stay_so: bool) -> Iterator[_Said]:
        """Yield how far a text agrees after one more phrase; nothing where it is no part of a yes."""
        if phrase in self.beside:
            yield before
        if before is _Said.NOTHING:
            if phrase in self.affirm:
                yield _Said.YES
            elif phrase in self.begin:
                yield _Said.AGREED
            return
        is_so = phrase in self.so and may_stay_so and before is _Said.YES
        if is_so or phrase in self.affirm or phrase in self.begin or phrase in self.rest:
            yield before


def _phrases(texts: Iterable[str]) -> frozenset[Phrase]:
    """Return the words of phrases."""
    return frozenset(filter(None, map(spoken_words, texts)))

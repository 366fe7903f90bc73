"""Spoken names: how they are compared and found in a sentence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
import re

# An apostrophe joins its letters, so that "kid's" and "kids" are one word.
_APOSTROPHES = re.compile(r"['’`´]")
_WORD = re.compile(r"\w+")

type Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the words of a text as names are compared: case-folded, without punctuation."""
    return tuple(_WORD.findall(_APOSTROPHES.sub("", text.casefold())))


@dataclass(frozen=True, slots=True)
class Found[T]:
    """A name found in a sentence, the words it took, and all it stands for."""

    start: int
    end: int
    meanings: tuple[T, ...]


class NameIndex[T]:
    """Finds the longest known names in a sentence.

    Built once when the home changes; a lookup costs one dictionary access for each word and length.
    """

    def __init__(self, named: Iterable[tuple[str, T]]) -> None:
        """Index each name with what it stands for; several things may share a name."""
        index: dict[Words, list[T]] = {}
        for name, meaning in named:
            if (words := words_of(name)) and meaning not in index.setdefault(words, []):
                index[words].append(meaning)
        self._index: dict[Words, tuple[T, ...]] = {k: tuple(v) for k, v in index.items()}
        self._longest = max((len(words) for words in self._index), default=0)

    def find(self, words: Words) -> Iterator[Found[T]]:
        """Yield the names in `words` from left to right, longest first, never overlapping."""
        start = 0
        while start < len(words):
            for length in range(min(self._longest, len(words) - start), 0, -1):
                if meanings := self._index.get(words[start : start + length]):
                    yield Found(start, start + length, meanings)
                    start += length
                    break
            else:
                start += 1

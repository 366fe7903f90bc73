"""Tokenising of text, and gazetteers that find spoken names in it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
import re
import unicodedata

# Elided words are tokens of their own: "l'ampoule" is "l" and "ampoule".
_ELISION = re.compile(
    r"(?<!\w)([cdjlmnst]|qu|(?:un|quell|quest|tutt|dell|nell|all|sull|dall|coll)(?=['’`´]\w\w))['’`´](?=\w)"
)
# Any other apostrophe is dropped, so that "kid's" and "kids" are equal.
_APOSTROPHES = re.compile(r"['’`´]")
_WORD = re.compile(r"\w+")

type Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the tokens of a text: case-folded words in NFC, without punctuation."""
    folded = _APOSTROPHES.sub("", _ELISION.sub(r"\1 ", _composed(text)))
    if folded.isascii():
        return tuple(_WORD.findall(folded))
    # `\w` does not match combining marks, which are vowels in many scripts.
    kept = "".join(c if _is_part_of_word(c) else " " for c in folded)
    return tuple(word for word in kept.split() if _WORD.search(word))


def _composed(text: str) -> str:
    """Return a text case-folded and in NFC."""
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def _is_part_of_word(character: str) -> bool:
    """Return whether a character is a letter, digit, underscore or combining mark."""
    return bool(_WORD.match(character)) or unicodedata.category(character).startswith("M")


def folded(word: str) -> str:
    """Return a word without its accents, as people type it."""
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFD", word.replace("ł", "l").replace("ß", "ss"))
    return "".join(char for char in plain if unicodedata.category(char) != "Mn")


def letters_of(text: str) -> str:
    """Return the letters and digits of a text alone: case-folded, without accents, digits as ASCII has them."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() else char
        for char in plain
        if char.isalnum()
    )


def occurs(name: Words, words: Words) -> bool:
    """Return whether a name occurs in words as a contiguous span; an empty name never does."""
    size = len(name)
    return bool(size) and any(
        words[start : start + size] == name for start in range(len(words) - size + 1)
    )


@dataclass(frozen=True, slots=True)
class NameMatch[T]:
    """Match of a gazetteer: the words from `start` to `end` (excluded), and all meanings of their name."""

    start: int
    end: int
    meanings: tuple[T, ...]


class NameIndex[T]:
    """Gazetteer: finds the longest known names in a sentence.

    A lookup costs one dictionary access for each word and length of a name.
    """

    def __init__(self, named: Iterable[tuple[str, T]]) -> None:
        """Index each name with its meaning; several meanings may share a name."""
        index: dict[Words, list[T]] = {}
        for name, meaning in named:
            if (words := words_of(name)) and meaning not in index.setdefault(words, []):
                index[words].append(meaning)
        self._index: dict[Words, tuple[T, ...]] = {k: tuple(v) for k, v in index.items()}
        self._longest = max((len(words) for words in self._index), default=0)

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the words that the names are made of."""
        return frozenset(chain.from_iterable(self._index))

    def find(self, words: Words) -> Iterator[NameMatch[T]]:
        """Yield the names in `words` from left to right, longest first, never overlapping."""
        start = 0
        while start < len(words):
            for length in range(min(self._longest, len(words) - start), 0, -1):
                if meanings := self._index.get(words[start : start + length]):
                    yield NameMatch(start, start + length, meanings)
                    start += length
                    break
            else:
                start += 1

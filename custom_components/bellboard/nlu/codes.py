"""Codes in what was said: "12 34", "one two three four", "my code is open sesame"."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
import re

from ..home.names import Words, letters_of, words_of
from .loader import Language

MASK = "****"
"""Stands where a code was said; readers leave it out, as they do with any mark."""

_MOST_CHARACTERS = 120
# In words, of a code that is said after other words.
_LONGEST = 6
# Digits are apart from letters: "pin2468".
_PIECE = re.compile(r"\d+|[^\W\d_]+")


def read_codes(text: str, language: Language) -> tuple[str, ...]:
    """Return the codes that an answer may be, () for none: few, so that one answer is no more than one try.

    Numbers are put together, each word as the longest number and by itself ("twenty one" is 21, or 20 and 1).
    """
    if len(text) > _MOST_CHARACTERS:
        return ()
    words = words_of(text)
    numbers = (
        "".join(number.letters for number in _numbers(words, language, longest=longest))
        for longest in (True, False)
    )
    return tuple(dict.fromkeys(filter(None, (*numbers, *_phrases(words)))))


@dataclass(frozen=True, slots=True)
class Spelled:
    """What stands from `start` to `end` (excluded), as the letters or digits of a code."""

    start: int
    end: int
    letters: str


def find_spelled(text: str, language: Language, lengths: Collection[int]) -> Iterator[Spelled]:
    """Yield all that may be a code in a text in NFC, by its places there: what has so many letters or digits.

    Numbers may have a conjunction between them ("24 and 68"), and are read in both ways of `read_codes`.
    """
    pieces = [
        Spelled(found.start(), found.end(), letters_of(found[0])) for found in _PIECE.finditer(text)
    ]
    words = tuple("".join(words_of(text[piece.start : piece.end])) for piece in pieces)

    def is_joined(one: Spelled, other: Spelled) -> bool:
        between = text[one.end : other.start]
        return not _PIECE.search(between) or language.joins.fullmatch(between) is not None

    yield from _windows(pieces, lengths, [True] * len(pieces))
    read = (tuple(_numbers(words, language, longest=longest)) for longest in (True, False))
    for found in dict.fromkeys(read):
        numbers = [
            Spelled(pieces[number.start].start, pieces[number.end - 1].end, number.letters)
            for number in found
        ]
        joined = [is_joined(one, other) for one, other in pairwise(numbers)]
        yield from _windows(numbers, lengths, joined)


def masked(text: str, places: Iterable[Spelled]) -> str:
    """Return a text with a mask in some places, one where several overlap."""
    kept, end = "", 0
    for place in sorted(places, key=lambda place: place.start):
        if place.start >= end:
            kept += text[end : place.start] + MASK
        end = max(end, place.end)
    return kept + text[end:]


def _windows(
    parts: Sequence[Spelled], lengths: Collection[int], is_joined: Sequence[bool]
) -> Iterator[Spelled]:
    """Yield runs of neighbouring parts that have one of some lengths; `is_joined` tells which go with the next."""
    most = max(lengths, default=0)
    for first, begin in enumerate(parts):
        letters = ""
        for at in range(first, len(parts)):
            if len(letters := letters + parts[at].letters) > most:
                break
            if len(letters) in lengths:
                yield Spelled(begin.start, parts[at].end, letters)
            if at + 1 < len(parts) and not is_joined[at]:
                break


def _numbers(words: Words, language: Language, *, longest: bool) -> Iterator[Spelled]:
    """Yield the numbers among words as digits, by their places among them: the longest, or each word's."""
    parts = ((0, words),) if longest else ((at, (word,)) for at, word in enumerate(words))
    for at, part in parts:
        start = 0
        for found in language.spoken_digits.find(part):
            yield from _digits(part[start : found.start], at + start)
            yield Spelled(at + found.start, at + found.end, str(found.meanings[0]))
            start = found.end
        yield from _digits(part[start:], at + start)


def _digits(words: Words, at: int) -> Iterator[Spelled]:
    """Yield the numbers in digits among words of which the first has a place."""
    for number, word in enumerate(words, at):
        if word.isdecimal():
            yield Spelled(number, number + 1, letters_of(word))


def _phrases(words: Words) -> Iterator[str]:
    """Yield all that was said, and what it ends with: a code comes last."""
    for start in range(max(len(words) - _LONGEST, 0), len(words)):
        yield " ".join(words[start:])

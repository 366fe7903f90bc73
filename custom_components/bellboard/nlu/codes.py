"""Codes in what was said: "12 34", "one two three four", "my code is open sesame"."""

from collections.abc import Iterator

from ..home.names import Words, words_of
from .loader import Language

_MOST_CHARACTERS = 120
# In words, of a code that is said after other words.
_LONGEST = 6


def read_codes(text: str, language: Language) -> tuple[str, ...]:
    """Return the codes that an answer may be, () for none: few, so that one answer is no more than one try.

    Numbers are put together, each word as the longest number and by itself ("twenty one" is 21, or 20 and 1).
    """
    if len(text) > _MOST_CHARACTERS:
        return ()
    words = words_of(text)
    numbers = (_digits(words, language, longest=longest) for longest in (True, False))
    return tuple(dict.fromkeys(filter(None, (*numbers, *_phrases(words)))))


def _digits(words: Words, language: Language, *, longest: bool) -> str:
    """Return the numbers among words as one row of digits."""
    parts = (words,) if longest else tuple((word,) for word in words)
    return "".join(digits for part in parts for digits in _each_number(part, language))


def _each_number(words: Words, language: Language) -> Iterator[str]:
    """Yield the numbers among words as digits, the longest first."""
    start = 0
    for found in language.spoken_digits.find(words):
        yield from (word for word in words[start : found.start] if word.isdecimal())
        yield str(found.meanings[0])
        start = found.end
    yield from (word for word in words[start:] if word.isdecimal())


def _phrases(words: Words) -> Iterator[str]:
    """Yield all that was said, and what it ends with: a code comes last."""
    for start in range(max(len(words) - _LONGEST, 0), len(words)):
        yield " ".join(words[start:])

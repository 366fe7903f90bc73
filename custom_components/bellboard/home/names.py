"""Spoken names: how they are compared and found in a sentence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
import re
import unicodedata

# A word cut short before a vowel stands alone: "l'ampoule" is the "ampoule".
_ELISION = re.compile(
    r"(?<!\w)([cdjlmnst]|qu|(?:un|quell|quest|tutt|dell|nell|all|sull|dall|coll)(?=['’`´]\w\w))['’`´](?=\w)"
)
# Any other apostrophe joins its letters, so that "kid's" and "kids" are one word.
_APOSTROPHES = re.compile(r"['’`´]")
_WORD = re.compile(r"\w+")

type Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the words of a text as names are compared: case-folded, without punctuation."""
    folded = _APOSTROPHES.sub("", _ELISION.sub(r"\1 ", _composed(text)))
    if folded.isascii():
        return tuple(_WORD.findall(folded))
    # `\w` does not match marks, and in many scripts a vowel is one.
    kept = "".join(c if _is_part_of_word(c) else " " for c in folded)
    return tuple(word for word in kept.split() if _WORD.search(word))


def _composed(text: str) -> str:
    """Return a text case-folded, with each letter written in one way."""
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def _is_part_of_word(character: str) -> bool:
    """Return whether a character is a letter, a digit, an underscore or a mark on one of them."""
    return bool(_WORD.match(character)) or unicodedata.category(character).startswith("M")


def occurs(name: Words, words: Words) -> bool:
    """Return whether a name occurs in words, in one piece. A name without words never does."""
    size = len(name)
    return bool(size) and any(
        words[start : start + size] == name for start in range(len(words) - size + 1)
    )


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

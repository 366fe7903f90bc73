"""Tokenising of text, gazetteers that find spoken names in it, and the search for names."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from math import log
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


@lru_cache(maxsize=8192)
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


# Likeness from 0 to 1: of a word within a compound, and the least of letters at which words are taken for the same.
_WITHIN, _LEAST = 0.8, 0.6
# In letters, of a word that may be misspelt, and of one that is looked for within others.
_SHORTEST, _SHORTEST_PART = 2, 4


class EntityIndex:
    """Index of the words that entities are called by: names, brand, room and floor.

    A word counts by its rarity: "lamp" says little in a home full of lamps.
    """

    def __init__(self, texts: Mapping[str, Iterable[str]]) -> None:
        """Index the texts that each entity is called by, under its id."""
        self._having: dict[str, list[str]] = {}
        for entity_id, called in texts.items():
            for word in {folded(word) for text in called for word in words_of(text)}:
                self._having.setdefault(word, []).append(entity_id)
        self._rarity = {word: log(1 + len(texts) / len(ids)) for word, ids in self._having.items()}
        self._by_letters: dict[str, list[str]] = {}
        for word in self._having:
            for letters in _letters(word) if len(word) >= _SHORTEST else ():
                self._by_letters.setdefault(letters, []).append(word)

    def score(self, text: str) -> dict[str, float]:
        """Return how well a text fits each entity that it fits at all, by id; more is better."""
        likeness: dict[str, float] = {}
        for said in {folded(word) for word in words_of(text)}:
            for word, how in self._alike(said).items():
                likeness[word] = max(how, likeness.get(word, 0.0))
        scores: dict[str, float] = {}
        # In the same order in each process, since a sum of floats depends on it.
        for word, how in sorted(likeness.items()):
            for entity_id in self._having[word]:
                scores[entity_id] = scores.get(entity_id, 0.0) + how * self._rarity[word]
        return scores

    def _alike(self, said: str) -> dict[str, float]:
        """Return the known words that a spoken one may stand for, with their likeness."""
        if len(said) < _SHORTEST:
            return {said: 1.0} if said in self._having else {}
        common: dict[str, int] = {}
        for letters in _letters(said):
            for word in self._by_letters.get(letters, ()):
                common[word] = common.get(word, 0) + 1
        found = {
            word: how
            for word, count in common.items()
            if (how := _likeness(said, word, count)) >= _LEAST
        }
        return found | ({said: 1.0} if said in self._having else {})


def _likeness(said: str, word: str, common: int) -> float:
    """Return the likeness of two words that have some pairs of letters in `common`, from 0 to 1."""
    if (said in word or word in said) and min(len(said), len(word)) >= _SHORTEST_PART:
        return _WITHIN
    return 2 * common / (len(_letters(said)) + len(_letters(word)))


@lru_cache(maxsize=8192)
def _letters(word: str) -> frozenset[str]:
    """Return the pairs of letters in a word, with its beginning and its end."""
    ends = f"^{word}$"
    return frozenset(ends[at : at + 2] for at in range(len(ends) - 1))

"""Ranking of entities by how well a text fits what they are called: inflected, compounded or misspelt words, too.

It decides which of a thousand devices a model sees, not which one is meant.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log

from .names import folded, words_of

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
        for word, how in likeness.items():
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

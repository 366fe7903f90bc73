"""Claims in a model's text: that something was or will be done ("I've turned it on"), and how a home is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import re

from ..home.names import NameIndex, words_of

# In words: how far what denies a claim may stand after it, and before it.
_AFTER, _BEFORE = 3, 2
_MARK = re.compile(r"[.,;!?…]")


@dataclass(frozen=True, slots=True)
class Claims:
    """Finds claims of one language; a word that denies one shortly before or after it makes it none."""

    _claimed: re.Pattern[str]
    _own: re.Pattern[str]
    _denials: frozenset[str]

    @classmethod
    def load(cls, claims: Sequence[str], passives: Sequence[str], denials: Iterable[str]) -> Claims:
        """Return a finder of claims by regular expressions, unless one of the words `denials` denies them.

        Those of `passives` do not say by whom: "has been".
        """
        return cls(
            re.compile("|".join((*claims, *passives)), re.IGNORECASE),
            re.compile("|".join(claims), re.IGNORECASE),
            frozenset(word.casefold() for word in denials),
        )

    def are_in(self, text: str, *, is_own: bool = False) -> bool:
        """Return whether a text claims that something was done, or will be; `is_own` by who speaks."""
        return any(
            not self._is_denied(text[: found.start()], text[found.end() :])
            for found in (self._own if is_own else self._claimed).finditer(text)
        )

    def _is_denied(self, before: str, after: str) -> bool:
        """Return whether a claim is denied by what is said around it, up to the next mark."""
        near = _MARK.split(after, maxsplit=1)[0]
        said = [*words_of(_MARK.split(before)[-1])[-_BEFORE:], *words_of(near)[:_AFTER]]
        return not self._denials.isdisjoint(said)


@dataclass(frozen=True, slots=True)
class ReadingWords:
    """Words that tell how a home is, in one language: what says that something is so, units and measures, rooms."""

    says: frozenset[str]
    units: NameIndex[str]
    rooms: NameIndex[str]

    @classmethod
    def load(cls, data: Mapping[str, Iterable[str]]) -> ReadingWords:
        """Return the words of a lexicon."""
        return cls(
            frozenset(word.casefold() for word in data["is"]),
            NameIndex((each, each) for each in data["units"]),
            NameIndex((each, each) for each in data["rooms"]),
        )

    def has_measure(self, text: str, *, has_number: bool) -> bool:
        """Return whether a text has a number, if only in words, and a unit or what is measured."""
        if not has_number and not any(each.isdigit() for each in text):
            return False
        return "%" in text or "°" in text or any(True for _ in self.units.find(words_of(text)))

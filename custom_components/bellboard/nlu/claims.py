"""Claims in a model's text that something was done, or will be: "I've turned it on"."""

from collections.abc import Iterable
from dataclasses import dataclass
import re

from ..home.names import words_of

# In words: how far what denies a claim may stand after it, and before it.
_AFTER, _BEFORE = 3, 2
_MARK = re.compile(r"[.,;!?…]")


@dataclass(frozen=True, slots=True)
class Claims:
    """Finds claims of one language; a word that denies one shortly before or after it makes it none."""

    _claimed: re.Pattern[str]
    _denials: frozenset[str]

    @classmethod
    def load(cls, claims: Iterable[str], denials: Iterable[str]) -> Claims:
        """Return what finds claims by regular expressions, unless one of the words `denials` denies them."""
        return cls(
            re.compile("|".join(claims), re.IGNORECASE),
            frozenset(word.casefold() for word in denials),
        )

    def are_in(self, text: str) -> bool:
        """Return whether a text claims that something was done, or will be."""
        return any(
            not self._is_denied(text[: found.start()], text[found.end() :])
            for found in self._claimed.finditer(text)
        )

    def _is_denied(self, before: str, after: str) -> bool:
        """Return whether a claim is denied by what is said around it, up to the next mark."""
        near = _MARK.split(after, maxsplit=1)[0]
        said = [*words_of(_MARK.split(before)[-1])[-_BEFORE:], *words_of(near)[:_AFTER]]
        return not self._denials.isdisjoint(said)

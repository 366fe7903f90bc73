"""Courtesy around a request, and requests in the form of a question: "could you turn on the lamp, please"."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import re

from ..home.names import words_of


@dataclass(frozen=True, slots=True)
class Courtesy:
    """Polite phrases of a language, and the words that begin a request in the form of a question ("could")."""

    polite: re.Pattern[str]
    requests: frozenset[str]

    def strip(self, text: str) -> str:
        """Return a text without polite phrases."""
        return self.polite.sub(" ", text)

    def is_request(self, text: str) -> bool:
        """Return whether a text in the form of a question is a polite request, also after "hey,"."""
        said = text.rpartition("¿")[2]
        before, comma, after = said.partition(",")
        if comma and not words_of(self.strip(before)):
            said = after
        return not self.requests.isdisjoint(words_of(said)[:1])


def load_courtesy(data: Mapping[str, Sequence[str]]) -> Courtesy:
    """Return the courtesy of the `courtesy` section of a language file."""
    polite = "|".join(
        re.escape(phrase).replace("'", "['’]")
        for phrase in sorted(data["polite"], key=len, reverse=True)
    )
    return Courtesy(
        polite=re.compile(rf"(?<!\w)(?:{polite})(?!\w)", re.IGNORECASE),
        requests=frozenset(data["requests"]),
    )

"""Words of one language for remarks beside a command: what begins to speak, and what only tells why."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from .spellings import spell_out
from .tokens import Phrase, spoken_words

_WORDS = (
    "prefaces",
    "because",
    "meanwhile",
    "reasons",
    "follows",
    "unmeant",
    "nots",
    "articles",
    "own",
    "pronouns",
    "statements",
)


# Words of a reason that says all by itself: "we want to bathe".
_LEAST_WHOLE = 3


@dataclass(frozen=True, slots=True)
class RemarkWords:
    """Words of remarks.

    `prefaces` only begin to speak ("by the way"). After `because` all only tells why, after `meanwhile`, too, where the
    end is said ("for an hour while I'm cooking"), and after `reasons` what names nothing here; `follows` ends a reason
    ("so"). What has a phrase of `unmeant` is no reason, but takes back what was said ("only joking"); what is said to
    be forgotten after one of `nots` is not ("so I don't forget it"). After `articles`
    a noun begins ("my"), and `predicates` only tell something of it ("has"). Of who is in `own` a purpose tells when
    it is for ("so it is warm when I get up").
    What begins with one of `statements` ("I", "she") tells something.
    """

    prefaces: frozenset[Phrase] = frozenset()
    because: frozenset[Phrase] = frozenset()
    meanwhile: frozenset[Phrase] = frozenset()
    reasons: frozenset[Phrase] = frozenset()
    follows: frozenset[Phrase] = frozenset()
    unmeant: frozenset[Phrase] = frozenset()
    nots: frozenset[Phrase] = frozenset()
    articles: frozenset[Phrase] = frozenset()
    own: frozenset[Phrase] = frozenset()
    predicates: frozenset[Phrase] = frozenset()
    statements: frozenset[Phrase] = frozenset()
    longest: int = 0

    @classmethod
    def load(cls, data: Mapping[str, Iterable[str]], reasons: Iterable[str]) -> RemarkWords:
        """Return the words of the section `remarks`; what follows a pronoun in any `reasons` is a predicate."""
        found: dict[str, frozenset[Phrase]] = {
            key: frozenset(
                spoken_words(phrase) for text in data.get(key, ()) for phrase in spell_out(text, {})
            )
            for key in _WORDS
        }
        pronouns = found.pop("pronouns")
        told = (*map(spoken_words, reasons), *found["reasons"])
        found["predicates"] = frozenset(
            each[1:] for each in told if each[1:] and each[:1] in pronouns
        )
        sizes = (len(phrase) for phrases in found.values() for phrase in phrases)
        return cls(**found, longest=max(sizes, default=0))

    def preface_at(self, words: Phrase) -> int:
        """Return how many words only begin to speak, 0 for none."""
        return self._size(self.prefaces, words)

    def because_at(self, words: Phrase) -> int:
        """Return how many words begin what only tells why, whatever it is; 0 for none, and for a "because" alone."""
        size = self._size(self.because, words)
        return size if size < len(words) or size >= _LEAST_WHOLE else 0

    def meanwhile_at(self, words: Phrase) -> int:
        """Return how many words begin for as long as what something is done, 0 for none."""
        return self._size(self.meanwhile, words)

    def reason_at(self, words: Phrase) -> int:
        """Return how many words begin what only tells why where it names nothing, 0 for none."""
        size = self._size(self.reasons, words)
        return size if size < len(words) else 0

    def follows_at(self, words: Phrase) -> int:
        """Return how many words say that what is after them follows from a reason, 0 for none."""
        return self._size(self.follows, words)

    def article_at(self, words: Phrase) -> int:
        """Return how many words come before a noun, 0 for none."""
        return self._size(self.articles, words)

    def statement_at(self, words: Phrase) -> int:
        """Return how many words begin what tells something: "we", "so I"; 0 for none."""
        begin = self.follows_at(words)
        size = self._size(self.statements, words[begin:])
        return begin + size if size else 0

    def predicate_at(self, words: Phrase) -> int:
        """Return how many words are a verb that only tells something of what is before it, 0 for none."""
        return self._size(self.predicates, words)

    def is_own(self, words: Phrase) -> bool:
        """Return whether words begin with who a purpose is for: "I get up"."""
        return self._size(self.own, words) > 0

    def takes_back(self, words: Phrase) -> bool:
        """Return whether words take back what was said before them."""
        return self._has_any(self.unmeant, words)

    def is_negated(self, words: Phrase) -> bool:
        """Return whether words have a negation among them."""
        return self._has_any(self.nots, words)

    def _has_any(self, phrases: Collection[Phrase], words: Phrase) -> bool:
        """Return whether one of some phrases is among words."""
        return any(self._size(phrases, words[at:]) for at in range(len(words)))

    def _size(self, phrases: Collection[Phrase], words: Phrase) -> int:
        """Return how many words begin words and are one of some phrases, 0 for none."""
        sizes = range(min(len(words), self.longest), 0, -1)
        return next((size for size in sizes if words[:size] in phrases), 0)

"""Clauses that tell why something is wanted, and ask for nothing: "I'm off to bed, turn off the lights"."""

from collections.abc import Sequence
import re

from .lexicon import Lexicon, Role
from .spans import Span

# Contractions with what tells how something is: "Grandma's here".
_CONTRACTED = re.compile(r"\w['\u2019](?:s|re|m|ve|d|ll)$")
# What a word of a name is, or of what things offer.
_PARTS = frozenset({Role.NAME_WORD, Role.OPTION})
# Later in a clause such a word tells nothing of its subject any more.
_LATEST = 5


def without_asides(text: str, clauses: Sequence[list[Span]], lexicon: Lexicon) -> list[list[Span]]:
    """Return clauses without those that only tell something; all of them where nothing else is left.

    What tells what somebody said is no aside: a command after it is theirs.
    """
    if len(clauses) > 1 and _is_only_word(clauses[0]) and any(map(_names_thing, clauses[1:])):
        # "Right, turn on the lamp"
        clauses = clauses[1:]
    if all(span.senses for clause in clauses for span in clause):
        return list(clauses)
    words = [word for clause in clauses for span in clause for word in span.words]
    if not lexicon.reporting.isdisjoint(words):
        return list(clauses)
    kept = [clause for clause in clauses if not _is_aside(text, clause, lexicon)]
    return kept or list(clauses)


def _is_aside(text: str, clause: Sequence[Span], lexicon: Lexicon) -> bool:
    """Return whether a clause with words that nobody knows tells how somebody or something is."""
    if all(span.senses for span in clause):
        return False
    words = tuple(word for span in clause for word in span.words)
    begin = next((at for at, word in enumerate(words) if not lexicon.is_courtesy(word)), 0)
    if lexicon.opens_aside(words[begin:]) or lexicon.opens_aside(words):
        return True
    if clause[0].has(Role.ASKING) or clause[0].has(Role.VERB):
        return False
    return any(
        span.has(Role.ASKING) and lexicon.is_copula(span.words) for span in clause[1:_LATEST]
    ) or any(_CONTRACTED.search(text[span.start : span.end]) for span in clause[:_LATEST])


def _is_only_word(clause: Sequence[Span]) -> bool:
    """Return whether a clause is a single word, that is nothing but a part of names."""
    senses = clause[0].senses
    return len(clause) == 1 and bool(senses) and all(sense.role in _PARTS for sense in senses)


def _names_thing(clause: Sequence[Span]) -> bool:
    """Return whether a clause names a thing or a kind."""
    return any(span.has(Role.NAME) or span.has(Role.KIND) for span in clause)

"""Clauses of a sentence: spans are cut into them, and what asks for nothing is dropped.

That are clauses that only state something ("I'm off to bed, turn off the lights") and the name of the assistant.
"""

from collections.abc import Sequence
from itertools import zip_longest
import re

from .clauses import is_filler
from .frame_models import LIGHT_VERBS
from .lexicon import NAMING, Lexicon, Role
from .spans import Span

VALUES = frozenset(
    {Role.TO, Role.NUMBER, Role.RANGE, Role.LEVEL, Role.COLOR, Role.KELVIN, Role.OPTION}
)
"""Roles of spans that say to what something is to be set."""


def clauses_of(spans: Sequence[Span]) -> list[list[Span]]:
    """Return spans cut where a word or a mark joins clauses; empty clauses are left out."""
    clauses: list[list[Span]] = [[]]
    marked = [False]
    for span, following in zip_longest(spans, spans[1:]):
        if span.is_mark or _joins(span, clauses[-1], following):
            clauses.append([])
            marked.append(span.is_mark)
        else:
            clauses[-1].append(span)
    return _without_asides(clauses, marked)


def _without_asides(clauses: Sequence[list[Span]], marked: Sequence[bool]) -> list[list[Span]]:
    """Return clauses without those that say nothing; "open, please, the blinds" is one clause.

    `marked` tells of each whether it begins after a mark.
    """
    found: list[list[Span]] = []
    is_aside = is_relative = False
    for clause, is_marked in zip(clauses, marked, strict=True):
        if all(map(is_filler, clause)):
            is_aside = is_marked and bool(clause)
            continue
        goes_on = is_aside and is_marked and not any(span.has(Role.VERB) for span in clause)
        # "All lights off, those that are still on", "all lights, those that are still on, off"
        is_ended = is_relative and len(clause) == 1 and clause[0].has(Role.STATE)
        is_relative = is_marked and any(span.has(Role.RUNNING) for span in clause)
        is_part = is_relative or is_ended or (goes_on and _lacks_object(found[-1] if found else []))
        if found and is_part:
            found[-1] += clause
        else:
            found.append(clause)
        is_aside = False
    return found


def _lacks_object(clause: Sequence[Span]) -> bool:
    """Return whether a clause has a verb, and nothing that it is for but perhaps a place."""
    return any(span.has(Role.VERB) for span in clause) and not any(
        span.has(role) for span in clause for role in (Role.KIND, Role.NAME)
    )


def _joins(span: Span, before: Sequence[Span], following: Span | None) -> bool:
    """Return whether a word between spans begins another clause."""
    if not span.has(Role.AND):
        return False
    if span.has(Role.EXCEPT) and not (following and following.has(Role.VERB)):
        # "But the lamp" is an exception, "but leave the lamp on" is a clause.
        return False
    if not span.has(Role.FILLER):
        return True
    # "Doe het licht maar uit": a word that may say nothing joins only where all is said before it.
    is_value = following is not None and following.has_any(VALUES)
    return not is_value and any(map(_tells, before))


def _tells(span: Span) -> bool:
    """Return whether a span may say what is to be done."""
    return any(
        sense.role in {Role.STATE, Role.MOVE, *VALUES}
        or (sense.role is Role.VERB and sense.value not in LIGHT_VERBS)
        for sense in span.senses
    )


def understood_before(
    text: str, clauses: Sequence[Sequence[Span]], *, is_marked: bool = False
) -> int:
    """Return how many clauses come before one that is a request of another kind; 0 where there is none.

    It is joined by a word; or by a mark where it may be (`is_marked`).
    """
    for at, clause in enumerate(clauses):
        if all(span.senses for span in clause):
            continue
        is_joined = at and any(map(str.isalpha, _between(text, clauses[at - 1], clause)))
        return at if at and (is_joined or is_marked) and _is_other_request(clause) else 0
    return 0


def _between(text: str, before: Sequence[Span], clause: Sequence[Span]) -> str:
    """Return what stands between two clauses of a text."""
    return text[before[-1].end : clause[0].start]


def asked_after(clauses: Sequence[Sequence[Span]]) -> int:
    """Return how many clauses come before one that begins as a question about a thing; 0 where there is none."""
    for at, clause in enumerate(clauses):
        if at and clause[0].has(Role.ASKING) and not clause[0].has(Role.PRONOUN):
            return at if any(map(names_thing, clause[1:])) else 0
    return 0


def names_thing(span: Span) -> bool:
    """Return whether a span says what is asked about."""
    return span.has_any(NAMING)


def _is_other_request(clause: Sequence[Span]) -> bool:
    """Return whether a clause is words of which some are not known, and none is of the home: "order a pizza".

    A single word that nobody knows may be a name.
    """
    if len(clause) < 2 or any(map(_is_of_home, clause)):
        return False
    following = clause[1]
    is_object = following.has(Role.ARTICLE) or following.has(Role.QUANTITY)
    return not clause[0].senses and (not following.senses or is_object)


def _is_of_home(span: Span) -> bool:
    """Return whether a span may be of the home: what names something there, or is done with it; no article."""
    is_it = span.has(Role.PRONOUN) and not span.has(Role.ARTICLE)
    return is_it or _is_counted(span) or span.has_any(_OF_HOME)


# Contractions with what tells how something is: "Grandma's here".
_CONTRACTED = re.compile(r"\w['\u2019](?:s|re|m|ve|d|ll)$")
# What a word of a name is, or of what things offer.
_PARTS = frozenset({Role.NAME_WORD, Role.OPTION})
# Words of a clause that tells something: who does what.
_LEAST_TOLD = 3
# What may be wanted, or be how something is to be.
_WANTED = (NAMING - {Role.NAME_WORD}) | {
    *(Role.STATE, Role.MOVE, Role.LEVEL, Role.COLOR, Role.KELVIN, Role.EXCEPT),
}
# What a request of another kind says nothing of.
_OF_HOME = NAMING | {Role.STATE, Role.MOVE, Role.LEVEL, Role.COLOR, Role.EXCEPT}
# Later in a clause such a word tells nothing of its subject any more.
_LATEST = 5


def drop_statements(text: str, clauses: Sequence[list[Span]], lexicon: Lexicon) -> list[list[Span]]:
    """Return clauses without those that only tell something; all of them where nothing else is left.

    What tells what somebody said is no aside: a command after it is theirs.
    """
    if len(clauses) > 1 and _is_only_word(clauses[0]) and any(map(_has_noun, clauses[1:])):
        # "Right, turn on the lamp"
        clauses = clauses[1:]
    if all(span.senses for clause in clauses for span in clause):
        return list(clauses)
    words = [word for clause in clauses for span in clause for word in span.words]
    if not lexicon.reporting.isdisjoint(words):
        return list(clauses)
    kept: list[list[Span]] = []
    for at, clause in enumerate(clauses):
        # "Turn off the lamp and I want it quiet" is a second wish.
        is_joined = kept and any(map(str.isalpha, _between(text, clauses[at - 1], clause)))
        is_wish = is_joined and lexicon.opens_wish(tuple(w for span in clause for w in span.words))
        if is_wish or not _is_aside(text, clause, lexicon):
            kept.append(clause)
    return kept or list(clauses)


def _is_aside(text: str, clause: Sequence[Span], lexicon: Lexicon) -> bool:
    """Return whether a clause with words that nobody knows tells how somebody or something is."""
    # What is excepted is no aside, whatever it is.
    if all(span.senses for span in clause) or clause[0].has(Role.EXCEPT):
        return False
    words = tuple(word for span in clause for word in span.words)
    begin = next((at for at, word in enumerate(words) if not lexicon.is_courtesy(word)), 0)
    if lexicon.opens_aside(words[begin:]) or lexicon.opens_aside(words):
        return True
    if tells_only(clause, lexicon):
        return True
    if clause[0].has(Role.ASKING) or clause[0].has(Role.VERB):
        return False
    return any(
        span.has(Role.ASKING) and lexicon.is_copula(span.words) for span in clause[1:_LATEST]
    ) or any(_CONTRACTED.search(text[span.start : span.end]) for span in clause[:_LATEST])


def tells_only(clause: Sequence[Span], lexicon: Lexicon) -> bool:
    """Return whether a clause tells what somebody does, and says nothing that may be done: "I fancy a long soak".

    It begins with who does it. A word that only is one of a name names nothing.
    """
    words = tuple(word for span in clause for word in span.words)
    if not lexicon.remarks.statement_at(words) or len(words) < _LEAST_TOLD:
        return False
    return not any(map(_may_be_wanted, clause))


def _may_be_wanted(span: Span) -> bool:
    """Return whether a span names something, is what to do with it, or what it is set to."""
    acts = any(s.role is Role.VERB and s.value not in LIGHT_VERBS for s in span.senses)
    return acts or _is_counted(span) or span.has_any(_WANTED)


def _is_counted(span: Span) -> bool:
    """Return whether a span is a number, and no article."""
    return span.has(Role.NUMBER) and not span.has(Role.QUANTITY)


def _is_only_word(clause: Sequence[Span]) -> bool:
    """Return whether a clause is a single word, that is nothing but a part of names."""
    senses = clause[0].senses
    return len(clause) == 1 and bool(senses) and all(sense.role in _PARTS for sense in senses)


def _has_noun(clause: Sequence[Span]) -> bool:
    """Return whether a clause names a thing or a kind."""
    return any(span.has(Role.NAME) or span.has(Role.KIND) for span in clause)


def drop_address(spans: Sequence[Span], lexicon: Lexicon) -> list[Span]:
    """Return spans without the name by which the assistant is addressed: "Jarvis, turn on the lamp".

    Without a comma it follows a greeting: "hey Jarvis turn on the lamp".
    """
    begin = next((at for at, span in enumerate(spans) if not is_filler(span)), len(spans))
    if begin + 1 >= len(spans) or spans[begin].senses or spans[begin].is_mark:
        return [*spans]
    is_apart = spans[begin + 1].words == (",",)
    after = [s for s in spans[begin + 1 :] if not (s.words == (",",) or is_filler(s))]
    is_greeted = begin > 0 and spans[begin - 1].words[-1] in lexicon.greetings
    is_address = (is_apart or is_greeted) and bool(after) and after[0].has(Role.VERB)
    return [*spans[begin + 1 :]] if is_address else [*spans]

"""Clauses that no word and no mark joins: "reading lamp on ceiling light off", "the kitchen light the desk lamp"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from .frame_models import KEEP
from .lexicon import NAMING, Role, Sense
from .segmentation import VALUES
from .spans import Span
from .tokens import MAX_REQUESTS

_THINGS = frozenset({Role.NAME, Role.KIND, Role.NAME_WORD})
_SAYING_WHICH = frozenset({*NAMING, Role.PRONOUN, Role.HERE})
# What a clause may end with, and what the next may begin with.
_LAST = frozenset({Role.STATE, Role.MOVE, Role.UNIT, Role.HALF, *VALUES} - {Role.TO, Role.OPTION})
_TELLING = _LAST | {Role.VERB}
_FIRST = frozenset({*_THINGS, Role.ARTICLE, Role.PLACE, Role.LINK, Role.QUANTITY})
_PLACING = frozenset({Role.LINK, Role.PLACE, Role.FILLER, Role.VERB})
# Of such sentences it is not plain where they are to be cut.
_UNCLEAR = frozenset({Role.ASKING, Role.EXCEPT, Role.CORRECTING, Role.OR})


def cut_clauses(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield spans with marks where clauses or things of a list may begin; nothing where that is not plain.

    They may before verbs, after states and values, and between things; the ways with the fewest of these come first.
    With more of one way than there may be requests it is not plain, either.
    """
    if any(span.has_any(_UNCLEAR) and not span.has(Role.VERB) for span in spans):
        return
    found = [frozenset(way(spans)) for way in (_verbs, _values, _things, _left_out)]
    ways = [places for places in found if 0 < len(places) < MAX_REQUESTS]
    sets = [frozenset().union(*some) for n in (1, 2, 3) for some in combinations(ways, n)]
    for places in dict.fromkeys(sets):
        yield [each for at, span in enumerate(spans) for each in _marked(span, at, places)]


def _marked(span: Span, at: int, places: frozenset[int]) -> list[Span]:
    """Return a span after a mark if it begins a clause; what ends one is no place: "ner", which is "downstairs"."""
    ending = tuple(sense for sense in span.senses if sense.role in _LAST)
    if at + 1 in places and ending and not span.has_any(_THINGS):
        span = replace(span, senses=ending)
    return [Span(span.start, span.start, (",",), ()), span] if at in places else [span]


def _verbs(spans: Sequence[Span]) -> Iterator[int]:
    """Yield where a verb follows what has said what it is for; "up" in "lock it up" is none."""
    is_said = False
    for at, span in enumerate(spans):
        is_particle = span.has(Role.MOVE) and at > 0 and spans[at - 1].has(Role.PRONOUN)
        if span.is_mark or span.has(Role.AND):
            is_said = False
        elif is_said and span.has(Role.VERB) and not is_particle:
            is_said = False
            yield at
        is_said |= span.has_any(_SAYING_WHICH) and not span.has(Role.VERB)


def _values(spans: Sequence[Span]) -> Iterator[int]:
    """Yield where a thing follows a state or a value, and has its own; "on the terrace" is no state."""
    last = max((at for at, span in enumerate(spans) if span.has_any(_TELLING)), default=0)
    for at, (span, following) in enumerate(pairwise(spans), start=1):
        is_link = span.has(Role.LINK) and not following.has_any(_THINGS)
        if span.has_any(_LAST) and following.has_any(_FIRST) and at <= last and not is_link:
            yield at


def _things(spans: Sequence[Span]) -> Iterator[int]:
    """Yield where a name follows one, or what has an article of its own follows a thing."""
    for at, (span, following) in enumerate(pairwise(spans), start=1):
        after = spans[at + 1] if at + 1 < len(spans) else None
        is_article = following.has(Role.ARTICLE) and not following.has(Role.LINK)
        is_led = is_article and after is not None and after.has_any(_THINGS)
        # "Lock the front door" is no list.
        is_thing = span.has_any(_THINGS) and not span.has(Role.VERB)
        are_names = span.has(Role.NAME) and following.has(Role.NAME)
        if are_names or (is_led and is_thing):
            yield at


def _left_out(spans: Sequence[Span]) -> Iterator[int]:
    """Yield where a place follows words for the whole home, and is kept: "off everywhere leave it in the hall"."""
    around = next((at for at, span in enumerate(spans, 1) if span.has(Role.EVERYWHERE)), 0)
    rest = spans[around:]
    is_kept = any(Sense(Role.VERB, KEEP) in span.senses for span in rest)
    if around and rest and is_kept and rest[0].has_any(_PLACING):
        yield around

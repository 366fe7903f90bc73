"""States that a model's words tell of things of the home, compared with those that the things show."""

from collections.abc import Iterator, Sequence

from homeassistant.core import State

from ..home.catalog import CatalogEntity
from ..nlu.lexicon import Role
from ..nlu.measures import STATE_PAIRS
from ..nlu.questions import ReadQuestion
from ..nlu.reading import read_tags
from ..nlu.spans import Span, cover_text
from .base import AgentRequest
from .hallucination_guard import sentences_of
from .read_questions import answer_question

# Of others people say "off" in more than one sense: a heating that rests, a player that waits.
_PLAIN = frozenset({"on", "off", "open", "closed", "locked", "unlocked"})
_JOINS = frozenset({Role.AND, Role.OR})


def true_states(request: AgentRequest, text: str) -> str:
    """Return how those things are of which a text says that they are otherwise; "" where it does of none.

    Only a thing that is named counts, in a clause with one state that says how it is now, or is not.
    """
    if request.house is None:
        return ""
    wrong = dict.fromkeys(
        each.entity_id
        for sentence in sentences_of(text)
        if not sentence.endswith("?") and not read_tags(sentence, request.language).is_conditional
        for clause in _clauses(cover_text(sentence, request.house, is_command=False))
        for each in _misstated(request, sentence, clause)
    )
    told = answer_question(request, ReadQuestion("state", tuple(wrong))) if wrong else None
    return told.text if told else ""


def _clauses(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield spans cut at marks and at words that join clauses."""
    clause: list[Span] = []
    for span in spans:
        if span.is_mark or span.has_any(_JOINS):
            yield clause
            clause = []
        else:
            clause.append(span)
    yield clause


def _misstated(
    request: AgentRequest, sentence: str, clause: Sequence[Span]
) -> Iterator[CatalogEntity]:
    """Yield the things of which a clause says another state than they show."""
    told = [span for span in clause if span.has(Role.STATE)]
    does = any(span.has(Role.VERB) and not span.has(Role.STATE) for span in clause)
    if len(told) != 1 or does or not clause:
        return
    asking = {sense.value for s in clause for sense in s.senses if sense.role is Role.ASKING}
    words = {word for span in clause for word in span.words}
    is_denied = "isnt" in asking
    if not (is_denied or not words.isdisjoint(request.language.readings.says)):
        return
    said = sentence[clause[0].start : clause[-1].end]
    is_denied |= any(span.has(Role.EXCEPT) for span in clause)
    is_denied |= read_tags(said, request.language).is_negated
    wanted = {str(sense.value) for sense in told[0].senses if sense.role is Role.STATE}
    for span in clause:
        named = [s.value for s in span.senses if isinstance(s.value, CatalogEntity)]
        shown = [
            is_so
            for each in named
            if (state := request.hass.states.get(each.entity_id))
            and request.rights.may_read(each.entity_id)
            and (is_so := _shows(state, wanted)) is not None
        ]
        if shown and all(is_so is is_denied for is_so in shown):
            yield from named


def _shows(state: State, wanted: set[str]) -> bool | None:
    """Return whether a thing is in one of some states; None where that is not known of it."""
    if state.state not in _PLAIN:
        return None
    known = [
        shown is (value == pair.active)
        for pair in STATE_PAIRS
        if state.domain in pair.domains
        for value in wanted & {pair.active, pair.passive} & _PLAIN
        if (shown := pair.shows(state)) is not None
    ]
    return any(known) if known else None

"""Words of questions: which begin one, which deny a state or offer another, and which only say outside."""

from collections.abc import Collection, Sequence

from .lexicon import Role
from .spans import Span
from .tokens import tokenise

# What may stand after "or".
_CHOICES = (Role.STATE, Role.FILLER, Role.EXCEPT, Role.ASKING)


def without_choice(spans: Sequence[Span]) -> tuple[list[Span], bool]:
    """Return spans without what else may be, and whether that is another state: "locked or unlocked"."""
    at = next((at for at, span in enumerate(spans) if at and span.has(Role.OR)), len(spans))
    others = spans[at + 1 :]
    if not others or not all(any(map(span.has, _CHOICES)) for span in others):
        return list(spans), False
    return list(spans[:at]), any(span.has(Role.STATE) for span in others)


def without_denial(spans: Sequence[Span]) -> tuple[list[Span], bool]:
    """Return spans without what denies a state of several, and whether it does: "which are not locked"."""
    asks_which = any(asked_of(span) & {"which", "what", "how_many"} for span in spans)
    at = next((at for at, span in enumerate(spans) if at and _denies(spans, at)), None)
    if at is None or not asks_which:
        return list(spans), False
    return [*spans[:at], *spans[at + 1 :]], True


def _denies(spans: Sequence[Span], at: int) -> bool:
    """Return whether a span says "is not", or "not" right before a state."""
    following = next((span for span in spans[at + 1 :] if not says_nothing(span)), None)
    is_not = spans[at].has(Role.EXCEPT) and following is not None and following.has(Role.STATE)
    return is_not or "isnt" in asked_of(spans[at])


def asked_of(span: Span) -> set[str]:
    """Return what a span may ask."""
    return {str(sense.value) for sense in span.senses if sense.role is Role.ASKING}


def without_outdoors(text: str, outdoors: Collection[str]) -> str:
    """Return a text without the words for what is outside, also those that a compound begins with."""
    kept = []
    for token in tokenise(text):
        said = text[token.start : token.end]
        ends = (end for end in range(len(said), 3, -1) if said[:end].casefold() in outdoors)
        kept.append(said[next(ends, len(said) if said.casefold() in outdoors else 0) :])
    return " ".join(filter(None, kept))


def says_nothing(span: Span) -> bool:
    """Return whether a span may be courtesy."""
    return span.has(Role.FILLER) and not (span.has(Role.ASKING) or span.has(Role.MEASURE))


def asks(span: Span) -> bool:
    """Return whether a span may begin a question."""
    return span.has(Role.ASKING) or span.has(Role.MEASURE)


def asks_more(span: Span) -> bool:
    """Return whether a span asks wherever it stands, and does not only say how something is: "how much"."""
    asked = asked_of(span)
    return span.has(Role.MEASURE) or (
        bool(asked) and asked <= {"how", "how_many", "when", "where", "tell"}
    )


def says_done(spans: Sequence[Span]) -> bool:
    """Return whether a word for a time has "is" or "was" beside it, so that a verb says what was done."""
    return any(
        "is" in asked_of(span) or ("when" in asked_of(span) and len(span.words) > 1)
        for span in spans
    )

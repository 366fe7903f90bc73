"""Ranges of numbers as one span: "between 19 and 23 degrees", "from 19 to 23", "19–23 °C"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .lexicon import Lexicon, Role, Sense
from .tokens import DASH

if TYPE_CHECKING:
    from .spans import Span

# A number, what joins, and another number.
_LEAST_SPANS = 3


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Range of numbers, `low` first, in `unit` ("celsius", "" for none said)."""

    low: float
    high: float
    unit: str = ""


def join_ranges(spans: list[Span], lexicon: Lexicon) -> list[Span]:
    """Return spans of which those of each range are one, with the sense RANGE."""
    if len(spans) < _LEAST_SPANS or sum(span.has(Role.NUMBER) for span in spans) < 2:
        return spans
    found: list[Span] = []
    at = 0
    while at < len(spans):
        size, said = _range_at(spans[at:], lexicon)
        if said is None:
            found.append(spans[at])
            at += 1
            continue
        parts = spans[at : at + size]
        words = tuple(word for span in parts for word in span.words)
        senses = (Sense(Role.RANGE, said),)
        found.append(
            replace(spans[at], end=parts[-1].end, words=words, senses=senses, is_plural=False)
        )
        at += size
    return found


def _range_at(spans: Sequence[Span], lexicon: Lexicon) -> tuple[int, NumberRange | None]:
    """Return how many spans a range has that they begin with, and the range; None for none.

    Without what begins it ("between") it has a unit.
    """
    begins, joins = lexicon.ranges
    at = 1 if spans[0].words in begins else 0
    is_begun = at > 0
    low, at = _number(spans, at)
    unit, at = _unit(spans, at)
    if low is None or at >= len(spans):
        return 0, None
    is_joined = spans[at].words in joins[is_begun] or spans[at].words == (DASH,)
    high, at = _number(spans, at + 1)
    own, at = _unit(spans, at)
    unit = own or unit
    if not is_joined or high is None or high <= low or not (is_begun or unit):
        return 0, None
    return at, NumberRange(low, high, unit)


def _number(spans: Sequence[Span], at: int) -> tuple[float | None, int]:
    """Return the number at a place, None for none, and the place after it; "twenty" and "one" are one number."""
    if (number := _number_of(spans, at)) is None:
        return None, at
    more = _number_of(spans, at + 1)
    if more is not None and number in range(20, 100, 10) and 0 < more < 10:
        return number + more, at + 2
    return number, at + 1


def _number_of(spans: Sequence[Span], at: int) -> float | None:
    """Return the number that a span is; None for another."""
    values = (s.value for s in spans[at].senses if s.role is Role.NUMBER) if at < len(spans) else ()
    return next(map(float, values), None)


def _unit(spans: Sequence[Span], at: int) -> tuple[str, int]:
    """Return the unit at a place, "" for none, and the place after it; of "° C" the second tells it."""
    unit = ""
    while at < len(spans) and (
        own := next((str(s.value) for s in spans[at].senses if s.role is Role.UNIT), "")
    ):
        unit, at = own, at + 1
    return unit, at

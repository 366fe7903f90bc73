"""Comparisons of rooms and devices: "is it warmer here than in the hall", "what uses more power, A or B"."""

from collections.abc import Sequence
from dataclasses import dataclass

from .frame_models import NounPhrase
from .lexicon import Lexicon, Role
from .spans import Span

MORE, LESS = "more", "less"
COMPARE, DIFFERENCE, MOST = "compare", "difference", "most"
# What asks which of several it is, or by how much.
_CHOOSING = frozenset({"which", "what", "where", "how", "how_many"})
# In words, of what compares: "more humid", "uses the most power".
_LONGEST = 5
_OF_DEVICES = frozenset({"power", "battery"})


@dataclass(frozen=True, slots=True)
class RoomComparison:
    """Comparison of rooms or devices by a measure: whether one has MORE or LESS of it than another.

    `asking` is COMPARE or DIFFERENCE of two `places`, or MOST of two or of all rooms.
    """

    asking: str
    measure: str
    more: str
    places: tuple[NounPhrase, ...] = ()


def read_comparison(
    spans: Sequence[Span], lexicon: Lexicon, *, is_asked: bool
) -> RoomComparison | None:
    """Return the comparison that the spans of a question are; None for another question.

    Unless it `is_asked` for sure, it has to ask which it is, or to compare two rooms without a verb.
    """
    if _is_of_more(spans):
        return None
    words = [word for span in spans for word in span.words]
    measure, sign = _compared_by(words, lexicon)
    of_devices = measure in _OF_DEVICES
    named = [s for s in spans if (s.has(Role.NAME) if of_devices else _names_place(s, lexicon))]
    asked = {sense.value for span in spans for sense in span.senses if sense.role is Role.ASKING}
    is_told = any(span.has(Role.VERB) and len(span.senses) == 1 for span in spans)
    is_asked = is_asked or (not is_told and (bool(asked & _CHOOSING) or len(named) == 2))
    if not (measure and (is_asked or of_devices)):
        return None
    if any(span.has(Role.NAME) and span not in named for span in spans):
        return None
    more = MORE if sign > 0 else LESS
    if not named:
        is_of_rooms = of_devices or "where" in asked or not lexicon.rooms.isdisjoint(words)
        return RoomComparison(MOST, measure, more) if is_of_rooms else None
    if len(named) != 2:
        return None
    describe = _device_of if of_devices else _place_of
    return RoomComparison(_asks_for(spans), measure, more, tuple(map(describe, named)))


def _is_of_more(spans: Sequence[Span]) -> bool:
    """Return whether spans are more than a comparison of rooms: they have a number, or go on with a command."""
    joins = [at for at, span in enumerate(spans) if span.has(Role.AND)]
    follows = [span for at in joins[:1] for span in spans[at:]]
    goes_on = any(span.has(Role.VERB) or span.has(Role.ASKING) for span in follows)
    return goes_on or any(
        span.senses and all(sense.role in {Role.NUMBER, Role.UNIT} for sense in span.senses)
        for span in spans
    )


def _asks_for(spans: Sequence[Span]) -> str:
    """Return COMPARE, DIFFERENCE ("how much warmer") or MOST ("the hall or the kitchen") for two rooms."""
    if any(str(sense.value).startswith("how") for sense in spans[0].senses):
        return DIFFERENCE
    return MOST if any(span.has(Role.OR) for span in spans) else COMPARE


def _compared_by(words: Sequence[str], lexicon: Lexicon) -> tuple[str, int]:
    """Return the measure that words compare by, with 1 for more and -1 for less; ("", 0) for none."""
    for size in range(_LONGEST, 0, -1):
        for at in range(len(words) - size + 1):
            if found := lexicon.compared.get(tuple(words[at : at + size])):
                return found
    return "", 0


def _names_place(span: Span, lexicon: Lexicon) -> bool:
    """Return whether a span is a place, or here; a word for any room is neither."""
    is_here = span.has(Role.HERE) and lexicon.rooms.isdisjoint(span.words)
    return span.has(Role.PLACE) or is_here


def _device_of(span: Span) -> NounPhrase:
    """Return the description of the device that a span names."""
    return NounPhrase(names=tuple(s.value for s in span.senses if s.role is Role.NAME))


def _place_of(span: Span) -> NounPhrase:
    """Return the description of the place that a span names."""
    places = tuple(sense.value for sense in span.senses if sense.role is Role.PLACE)
    return NounPhrase(places=places, is_here=not places)


def says_how_much(span: Span) -> bool:
    """Return whether a span may say by how much something differs, or nobody knows it and it is longer than "than"."""
    return (
        span.has(Role.NUMBER)
        or span.has(Role.AMOUNT)
        or (len(span.words[0]) > 4 and not span.senses)
    )

"""What of several things is left out, or alone is meant: "leave the lamp on", "not the hall, only the radio"."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .frame_models import KEEP
from .house import HomeLexicon
from .lexicon import NAMING, Role, Sense
from .moment_pieces import PieceReader
from .spans import Span, cover_text

_REFUSING = frozenset({Role.ANSWER, Role.CORRECTING})
_KEPT = Sense(Role.VERB, KEEP)
_ACTING = frozenset({Role.VERB, Role.STATE, Role.MOVE})
# What may stand around what is left out or meant, and says nothing of that.
_SILENT = frozenset(
    {
        Role.ARTICLE, Role.LINK, Role.FILLER, Role.PRONOUN, Role.AND, Role.TO, Role.BY, Role.QUANTITY, Role.CORRECTING,
        Role.ANSWER,
    }
)  # fmt: skip
# What words say of things: that they alone are meant, are left as they are, or out, and what may stand around that.
_ONLY, _SPARED, _DENIED, _PERHAPS, _AROUND = "only", "spared", "denied", "perhaps denied", "around"
_LEFT = frozenset({_SPARED, _DENIED})
_KINDS = {
    "only_that": _ONLY, "spared": _SPARED, "in_place_of": _DENIED, "not_so": _DENIED, "excepted": _DENIED,
    "instead": _AROUND,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NarrowingClause:
    """Words for `things` that alone are meant (`is_only`), are left as they are (`is_kept`), or out (`is_denied`).

    `acts` are the values of the verbs and states in it: "off".
    """

    things: str
    is_only: bool
    is_kept: bool
    is_denied: bool
    acts: frozenset[str]


def narrowing_clauses(text: str, house: HomeLexicon) -> Iterator[tuple[NarrowingClause, ...]]:
    """Yield each way in which a text says no more than what of several things is meant: as one clause, or as two.

    A first "no" only says that it is corrected, where the rest says enough; before a comma it never denies anything.
    """
    spans = cover_text(text, house)
    kinds = _kinds_at(text, spans, house)
    begins = [0]
    if len(spans) > 1 and spans[0].has_any(_REFUSING):
        begins = [1] if spans[1].is_mark else [1, 0]
    for begin in begins:
        if whole := _clause(text, spans[begin:], kinds):
            yield (whole,)
        for cut in range(begin + 1, len(spans)):
            one = _clause(text, spans[begin:cut], kinds)
            if one and (other := _clause(text, spans[cut:], kinds)):
                yield one, other


def named_instead(text: str, house: HomeLexicon) -> str:
    """Return what a text names right after another name: "not the hall light the floor lamp"; "" for no such name."""
    second = _second_name(cover_text(text, house))
    return text[second.start :] if second else ""


def _second_name(spans: Sequence[Span]) -> Span | None:
    """Return the first name that stands right after another one, and is meant in its place."""
    said = [span for span in spans if not span.has(Role.ARTICLE)]
    second = (two for one, two in pairwise(said) if one.has(Role.NAME) and two.has(Role.NAME))
    return next(second, None)


def _kinds_at(text: str, spans: Sequence[Span], house: HomeLexicon) -> dict[int, str]:
    """Return what spans say of things, by where they begin: that they alone are meant, are left as they are, or out."""
    reader, found = PieceReader(text, house.lexicon), dict[int, str]()
    starts = {token.start: at for at, token in enumerate(reader.tokens)}
    end = 0
    for span in spans:
        if span.start < end:
            found[span.start] = _AROUND
        elif (at := starts.get(span.start)) is not None and _may_say(span):
            ends = [
                (each.end, kind) for name, kind in _KINDS.items() for each in reader.find(name, at)
            ]
            last, kind = max(ends, key=lambda each: each[0], default=(0, ""))
            if last and reader.tokens[last - 1].end >= span.end:
                is_joint = kind == _DENIED and span.has(Role.AND)
                found[span.start] = _PERHAPS if is_joint else kind
                end = reader.tokens[last - 1].end
        if _KEPT in span.senses and found.get(span.start, _AROUND) == _AROUND:
            found[span.start] = _SPARED
    return found


def _may_say(span: Span) -> bool:
    """Return whether a span may say of things that they are meant; "bara" may be a form of a name, too."""
    return span.has(Role.EXCEPT) or not span.has_any(NAMING)


def _clause(text: str, spans: Sequence[Span], kinds: Mapping[int, str]) -> NarrowingClause | None:
    """Return what some spans say; None where they name nothing, or say something else."""
    said, things, acts, between = list[str](), list[Span](), list[Span](), False
    if _second_name(spans):
        return None
    for span in spans:
        if kind := kinds.get(span.start):
            # "Just leave the lamp" is said of nothing else.
            if said[-1:] == [_ONLY] and kind in _LEFT:
                said.pop()
            # "The garage not, only the light" is said of two things.
            between |= kind == _ONLY and bool(things)
            said.append(kind)
        elif span.has_any(NAMING) and between:
            return None
        elif span.has_any(NAMING) or (things and span.has(Role.AND)):
            things.append(span)
        elif span.has_any(_ACTING):
            acts.append(span)
        elif not (span.is_mark or span.has_any(_SILENT)):
            return None
    if {_ONLY, *_LEFT}.isdisjoint(said):
        # "But the hall", and "but leave the hall"
        said = [_DENIED if each == _PERHAPS else each for each in said]
    if not things or {_ONLY, *_LEFT}.isdisjoint(said):
        return None
    return NarrowingClause(
        " ".join(text[span.start : span.end] for span in things),
        _ONLY in said,
        _SPARED in said,
        _DENIED in said,
        frozenset(str(sense.value) for span in acts for sense in span.senses),
    )

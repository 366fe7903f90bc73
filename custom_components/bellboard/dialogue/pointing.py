"""Resolves the marks of an answer to the candidates they name, and to those they exclude."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..nlu.answers import Sign
from .answer_reader import POINTING, Mark, MarkKind

type Ids = frozenset[str]
type Part = Sequence[Mark]

_QUANTIFIERS = {Sign.ALL, Sign.BOTH, Sign.EITHER}


@dataclass(frozen=True, slots=True)
class Pointed:
    """The candidates an answer names and excludes.

    `named` is None where nothing is named, and so is `excluded` where nothing is taken out; it is
    empty where something is that has no name ("not that one"). `is_list` where several are named
    one by one, `is_general` where only the kind of thing is ("lamps"). `is_clear` is False where
    the parts contradict each other or leave something open.
    """

    named: Ids | None = None
    excluded: Ids | None = None
    is_list: bool = False
    is_general: bool = False
    is_clear: bool = True


def point(parts: Sequence[Part], order: Sequence[str]) -> Pointed:
    """Return what the parts of an answer point at together; `order` are all candidates."""
    is_joined = any(Sign.AND in part[0].signs for part in parts)
    named: list[Ids] = []
    excluded: list[Ids] = []
    is_general = is_clear = True
    for part in parts:
        positive, negative, is_plain = _divided(part)
        is_general &= all(mark.is_general for mark in positive if mark.kind in POINTING)
        found = _narrowed(positive, order, is_list=is_joined)
        out = None if negative is None else _narrowed(negative, order, is_list=False)
        named += [] if found is None else [found]
        excluded += [] if negative is None else [out or frozenset()]
        is_clear &= is_plain and (not is_joined or _is_one(part, found, out))
    combined = _combined(named, is_joined=is_joined)
    taken = frozenset().union(*excluded) if excluded else None
    if combined is not None:
        combined -= taken or frozenset()
    return Pointed(
        named=combined,
        excluded=taken,
        is_list=is_joined and len(named) > 1,
        is_general=is_general,
        is_clear=is_clear and combined != frozenset(),
    )


def _combined(named: Sequence[Ids], *, is_joined: bool) -> Ids | None:
    """Return the candidates that all parts name together, or each on its own in a list."""
    if not named:
        return None
    return frozenset.union(*named) if is_joined else frozenset.intersection(*named)


def _divided(part: Part) -> tuple[Part, Part | None, bool]:
    """Return the marks a part names with, those it excludes with, and whether that is unambiguous."""
    places = [place for place, mark in enumerate(part) if Sign.WITHOUT in mark.signs]
    if not places:
        return part, None, True
    place = places[0]
    before, after = part[:place], part[place + 1 :]
    is_quantified = any(mark.signs & _QUANTIFIERS for mark in after)
    if Sign.REFUSE in part[place].signs and all(mark.is_filler for mark in before):
        # In Spanish "no" is also said before an answer, and it is not heard which is meant.
        return after, None, not is_quantified and not _points(after)
    if after and Sign.OTHER in after[0].signs:
        # "Not the other one" names the one that was named before.
        return before, None, not is_quantified
    if _points(before) and not _points(after) and not is_quantified:
        # "Die linke nicht" takes out what stands before it.
        return (), before, True
    return before, after, not is_quantified


def _narrowed(marks: Part, order: Sequence[str], *, is_list: bool) -> Ids | None:
    """Return the candidates that all pointing marks have in common, or None without such marks."""
    pointing = [mark for mark in marks if mark.kind in POINTING]
    if not pointing:
        return None
    fitting = frozenset.intersection(*(mark.ids for mark in pointing))
    particular = [mark for mark in pointing if not mark.is_general]
    if not fitting and 0 < len(particular) < len(pointing):
        # "The left lamp", though only the other one has "lamp" in its name.
        return _narrowed(particular, order, is_list=is_list)
    if is_list and not fitting and all(len(mark.ids) == 1 for mark in pointing):
        return frozenset().union(*(mark.ids for mark in pointing))
    others = [mark.ids for mark in pointing if mark.kind is not MarkKind.POSITION]
    if others and len(others) < len(pointing):
        pool = frozenset.intersection(*others)
        counted = [candidate for candidate in order if candidate in pool]
        if not all(_counts(mark, counted) for mark in pointing):
            return frozenset()
    return fitting


def _counts(mark: Mark, counted: Sequence[str]) -> bool:
    """Return whether a position means the same among some candidates as among all."""
    if mark.kind is not MarkKind.POSITION or not isinstance(mark.value, int | float):
        return True
    index = int(mark.value) if mark.value < 0 else int(mark.value) - 1
    return -len(counted) <= index < len(counted) and counted[index] in mark.ids


def _is_one(part: Part, named: Ids | None, excluded: Ids | None) -> bool:
    """Return whether a part of a list is about one candidate, or about all it names."""
    if any(mark.signs & {Sign.ALL, Sign.BOTH, Sign.SEVERAL, Sign.OTHER} for mark in part):
        return True
    if named is None and excluded is None:
        return not any(
            mark.kind in {MarkKind.UNKNOWN, MarkKind.FOREIGN, MarkKind.VALUE} for mark in part
        )
    return named is None or len(named) == 1


def _points(marks: Part) -> bool:
    """Return whether something among marks points at candidates."""
    return any(mark.kind in POINTING for mark in marks)

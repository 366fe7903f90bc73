"""Resolves an answer to candidates, from what its marks name and exclude."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..nlu.answers import Sign
from .answer_marks import Ids, Mark, MarkKind

type Part = Sequence[Mark]

# So many words nobody knows may stand beside a whole name, and so many beside less than that. The
# less an answer names, the likelier it is that these words say something else.
_MAX_UNKNOWN_WITH_NAME = 6
_MAX_UNKNOWN = 1
_QUANTIFIERS = {Sign.ALL, Sign.BOTH, Sign.EITHER}


class AnswerKind(StrEnum):
    """Kind of an answer to a question; AGAIN is that the question was not heard."""

    CHOSEN = "chosen"
    CANCELED = "canceled"
    YES = "yes"
    NO = "no"
    ANOTHER = "another"
    AGAIN = "again"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """Meaning of an answer to a question.

    `targets` are the entity ids that were chosen, in the order of the question; with YES those that
    were asked about. `possible` are the candidates that an unclear answer leaves, where these are
    several and fewer than before.
    """

    kind: AnswerKind
    targets: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MarkedAnswer:
    """An answer whose words are marked, to be resolved to candidates.

    `order` are all candidates of the question, `present` those that can be chosen, `earlier` those
    that were acted on before. `is_request` where it repeats the action that was asked for.
    """

    marks: tuple[Mark, ...]
    pointed: Pointed
    order: tuple[str, ...]
    present: tuple[str, ...]
    earlier: Ids
    is_request: bool

    def read(self) -> ReadAnswer:
        """Return the meaning of the answer."""
        reply = self._read()
        if reply.kind is AnswerKind.UNCLEAR and self.is_request and self._says_anything:
            # A whole request that cannot be the answer can still be carried out.
            return ReadAnswer(AnswerKind.ANOTHER)
        return reply

    def _read(self) -> ReadAnswer:
        """Return the meaning, whether or not the answer is a request too."""
        if other := self._about_others():
            return ReadAnswer(other)
        if not self.pointed.is_clear or self._is_mostly_unknown:
            return self._unclear()
        return self._by_signs() or self._by_names() or self._yes_or_no() or self._unclear()

    @property
    def _signs(self) -> frozenset[Sign]:
        """Return the signs of all phrases."""
        return frozenset().union(*(mark.signs for mark in self.marks))

    @property
    def _kinds(self) -> set[MarkKind]:
        """Return the kinds of all marks."""
        return {mark.kind for mark in self.marks}

    @property
    def _says_anything(self) -> bool:
        """Return whether any mark carries meaning."""
        return any(mark.kind is not MarkKind.SILENT and not mark.is_filler for mark in self.marks)

    @property
    def _is_mostly_unknown(self) -> bool:
        """Return whether too many words are unknown to take the answer as one."""
        unknown = [mark for mark in self.marks if mark.kind in {MarkKind.UNKNOWN, MarkKind.FOREIGN}]
        if MarkKind.NAME in self._kinds:
            return len(unknown) > _MAX_UNKNOWN_WITH_NAME
        if self._signs & {Sign.HERE, Sign.AGREE} and MarkKind.PART not in self._kinds:
            # "It is cold in here" chooses nothing, and not every "okay" is meant for us.
            return bool(unknown)
        return len(unknown) > _MAX_UNKNOWN

    @property
    def _pool(self) -> Ids:
        """Return the candidates an answer leaves: those it names or else all, without exceptions."""
        pool = frozenset(self.order) if self.pointed.named is None else self.pointed.named
        return pool - (self.pointed.excluded or frozenset())

    def _about_others(self) -> AnswerKind | None:
        """Return the meaning of an answer that names other entities or values, or None if it does not."""
        kinds = self._kinds
        if MarkKind.VALUE in kinds:
            return AnswerKind.UNCLEAR
        if MarkKind.STRANGER in kinds:
            is_about_candidates = kinds & {MarkKind.NAME, MarkKind.PART, MarkKind.POSITION}
            return AnswerKind.UNCLEAR if is_about_candidates else AnswerKind.ANOTHER
        if MarkKind.FOREIGN in kinds and MarkKind.NAME not in kinds:
            # "The one by the window" may be a candidate.
            may_be_candidate = kinds & {MarkKind.PART, MarkKind.POSITION} or Sign.ONE in self._signs
            return AnswerKind.UNCLEAR if may_be_candidate else AnswerKind.ANOTHER
        return None

    def _by_signs(self) -> ReadAnswer | None:
        """Return what "all", "both", "the other one" or "either" choose."""
        signs, pool = self._signs, self._pool
        if Sign.ALL in signs and self.pointed.is_general:
            # "All lamps" are all, whatever they are called.
            pool = frozenset(self.order) - (self.pointed.excluded or frozenset())
        if Sign.ALL in signs or (Sign.SEVERAL in signs and self.pointed.named):
            return self._chosen(pool.intersection(self.present))
        if Sign.BOTH in signs:
            return self._chosen(pool.intersection(self.present)) if len(pool) == 2 else None
        if Sign.OTHER in signs:
            return self._other()
        if Sign.EITHER in signs:
            return self._chosen([next((c for c in self.present if c in pool), "")])
        return None

    def _other(self) -> ReadAnswer | None:
        """Return what "the other one" chooses: of two, not the one that was spoken of."""
        spoken_of = self.pointed.excluded or self.earlier
        if len(self.order) != 2 or len(spoken_of) != 1:
            return None
        other = frozenset(self.order) - spoken_of
        return self._chosen(other) if other <= self._pool else self._unclear()

    def _by_names(self) -> ReadAnswer | None:
        """Return what names, rooms and positions choose, or what is left of two."""
        named, excluded = self.pointed.named, self.pointed.excluded
        if named is not None:
            return self._chosen(named) if len(named) == 1 or self.pointed.is_list else None
        if excluded == frozenset() and Sign.OTHER not in self._signs and len(self.marks) > 1:
            return self._other()
        if excluded and len(self._pool) == 1:
            return self._chosen(self._pool)
        return None

    def _yes_or_no(self) -> ReadAnswer | None:
        """Return what "yes" and "no" say: to several candidates "no" is to none of them."""
        is_single = len(self.order) < 2
        agrees = Sign.AGREE in self._signs or (self.is_request and not self._says_anything)
        is_bare = self.pointed.excluded is not None and (is_single or len(self.marks) == 1)
        refuses = Sign.REFUSE in self._signs or is_bare
        if self.pointed.named is not None or Sign.OTHER in self._signs or agrees == refuses:
            return None
        if refuses and (is_single or not self.pointed.excluded):
            return ReadAnswer(AnswerKind.NO if is_single else AnswerKind.CANCELED)
        return ReadAnswer(AnswerKind.YES, self.present) if agrees and is_single else None

    def _chosen(self, ids: Collection[str]) -> ReadAnswer | None:
        """Return candidates as chosen, or None where there are none or one is gone."""
        if not ids or not set(self.present).issuperset(ids):
            return None
        return ReadAnswer(AnswerKind.CHOSEN, tuple(c for c in self.order if c in ids))

    def _unclear(self) -> ReadAnswer:
        """Return that it is unclear, with the candidates the answer leaves."""
        left = tuple(candidate for candidate in self.present if candidate in self._pool)
        narrowed = 1 < len(left) < len(self.order)
        return ReadAnswer(AnswerKind.UNCLEAR, possible=left if narrowed else ())


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
    """Return the candidates that the parts of an answer choose together; `order` are all candidates."""
    is_joined = any(Sign.AND in part[0].signs for part in parts)
    named: list[Ids] = []
    excluded: list[Ids] = []
    is_general = is_clear = True
    for part in parts:
        positive, negative, is_plain = _divided(part)
        is_general &= all(mark.is_general for mark in positive if mark.points)
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
    pointing = [mark for mark in marks if mark.points]
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
    return any(mark.points for mark in marks)

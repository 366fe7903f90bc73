"""Resolves an answer to candidates, from what its words point at."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from ..nlu.answers import Sign
from .answer_reader import Mark, MarkKind
from .pointing import Ids, Pointed

# So many words nobody knows may stand beside a whole name, and so many beside less than that. The
# less an answer names, the likelier it is that these words say something else.
_MAX_UNKNOWN_WITH_NAME = 6
_MAX_UNKNOWN = 1


class AnswerKind(StrEnum):
    """What an answer to a question says; AGAIN is that the question was not heard."""

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

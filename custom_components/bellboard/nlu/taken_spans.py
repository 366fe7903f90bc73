"""Spans of a clause with one sense each, as whoever puts a frame together looks for them: by role, and in order."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import zip_longest

from .frame_models import InconsistentError
from .lexicon import Role, Sense
from .spans import Span

type Taken = tuple[Span, tuple[Sense, ...]]

EMPTY = frozenset({Role.ARTICLE, Role.LINK, Role.FILLER, Role.TO, Role.BY})
"""Roles of function words."""
ONE = Sense(Role.QUANTITY, "one")
"""Sense of "a", also before a number."""
# Roles that cannot occur in a frame.
_NO_PART = frozenset({Role.CORRECTING, Role.OTHER, Role.OR})
_BEFORE_NUMBERS = frozenset({Role.TO, Role.BY, Role.ARTICLE, Role.LINK, Role.UNIT})


class TakenSpans:
    """Spans of a clause with the sense that each is taken in, without fillers."""

    def __init__(self, taken: Sequence[Taken]) -> None:
        """Sort spans by their roles; raises `InconsistentError` where one of these cannot occur in a frame."""
        if any(senses[0].role in _NO_PART for _, senses in taken):
            raise InconsistentError
        self._taken = [
            entry
            for entry, after in zip_longest(taken, taken[1:])
            # "By a ten percent" is by ten.
            if entry[1][0].role is not Role.FILLER
            and not (entry[1][0] == ONE and after and after[1][0].role is Role.NUMBER)
        ]
        self._roles = [senses[0].role for _, senses in self._taken]
        # What each role has, looked for many times a frame.
        self._by_role: dict[Role, list[Taken]] = {}
        for role, entry in zip(self._roles, self._taken, strict=True):
            self._by_role.setdefault(role, []).append(entry)

    @cached_property
    def _content(self) -> list[Taken]:
        """All that are no function words."""
        return [entry for entry in self._taken if entry[1][0].role not in EMPTY]

    def _of(self, role: Role) -> Sequence[Taken]:
        """Return the spans with a role."""
        return self._by_role.get(role, ())

    def _values(self, role: Role) -> Iterator:  # type: ignore[type-arg]
        """Yield the values of the spans with a role."""
        return (senses[0].value for _, senses in self._of(role))

    def _stands_before_value(self, role: Role) -> bool:
        """Return whether "to" or "by" stands before the number or a fraction, and not before what it is for."""
        if role not in self._by_role:
            return False
        places = [at for at, each in enumerate(self._roles, 1) if each is role]
        rests = ((e for e in self._roles[at:] if e not in _BEFORE_NUMBERS) for at in places)
        return any(next(rest, None) in {Role.NUMBER, Role.LEVEL} for rest in rests)

    def _one(self, role: Role) -> str:
        """Return the one value of a role, or ""; raises `InconsistentError` for two."""
        found = list(self._values(role))
        if len(found) > 1 and (len(set(found)) > 1 or role is Role.STATE):
            raise InconsistentError
        return str(found[0]) if found else ""

"""What the words of an instruction say of its targets, even where not all of it is understood.

A model may add meaning to an instruction, but not overrule its words: what is named is meant, and what is
excepted is not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..home.catalog import CatalogEntity
from .frame_models import KEEP
from .house import House
from .lexicon import Role, Sense
from .segmentation import clauses_of
from .spans import Span, cover_text

_KEPT = Sense(Role.VERB, KEEP)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Entity ids that are `named` in an instruction, and those that are `excepted` from it."""

    named: frozenset[str] = frozenset()
    excepted: frozenset[str] = frozenset()

    def keep(self, entities: Iterable[CatalogEntity]) -> list[CatalogEntity]:
        """Return the entities that may be meant: not those excepted, and where any is named only those."""
        allowed = [entity for entity in entities if entity.entity_id not in self.excepted]
        named = [entity for entity in allowed if entity.entity_id in self.named]
        return named or allowed


NO_BOUNDS = Bounds()
"""Nothing is known of the words."""


def read_bounds(text: str, house: House) -> Bounds:
    """Return what the words of an instruction say of its targets."""
    named: set[str] = set()
    excepted: set[str] = set()
    is_excepting = False
    clauses = clauses_of(cover_text(text, house))
    for clause in clauses:
        if any(span.has(Role.VERB) for span in clause):
            # "..., but leave the lamp on"; "keep the heating low" alone is no exception.
            is_kept = any(_KEPT in span.senses for span in clause)
            is_excepting = is_kept and clause is not clauses[0]
        begin = next((at for at, span in enumerate(clause) if span.has(Role.EXCEPT)), len(clause))
        (excepted if is_excepting else named).update(_ids(clause[:begin]))
        excepted.update(_ids(clause[begin:]))
        is_excepting = is_excepting or begin < len(clause)
    return Bounds(frozenset(named - excepted), frozenset(excepted))


def _ids(spans: Sequence[Span]) -> set[str]:
    """Return the entity ids of the full names among spans."""
    return {
        sense.value.entity_id for span in spans for sense in span.senses if sense.role is Role.NAME
    }

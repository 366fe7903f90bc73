"""What the words of an instruction say of its targets, even where not all of it is understood.

A model may add meaning to an instruction, but not overrule its words: what is named is meant, and what is
excepted is not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..home.catalog import CatalogEntity
from .frame_models import KEEP
from .house import House
from .lexicon import Role, Sense
from .segmentation import clauses_of
from .spans import Span, cover_text

_RELATIONS = (Role.MOVE, Role.AMOUNT, Role.FACTOR, Role.LEVEL, Role.BY)
_ACTING = (Role.VERB, Role.STATE, Role.MOVE)
_TELLING = (
    Role.STATE,
    Role.MOVE,
    Role.NUMBER,
    Role.RANGE,
    Role.LEVEL,
    Role.COLOR,
    Role.KELVIN,
    Role.OPTION,
)
_KEPT = Sense(Role.VERB, KEEP)


@dataclass(frozen=True, slots=True)
class Mentions:
    """Entity ids that are `named` in an instruction, and those that are `excepted` from it.

    `places` are the ids of areas and floors that are named, `excepted_places` of those that are excepted,
    `mentioned_places` of those of which it is not known what is said ("but nobody looks at the kitchen");
    `kinds` those of nouns (`kinds.KINDS`). It `is_here` where the speaker's room is said, `is_everywhere`
    where the whole home is, it `is_all` where all of something is, and `is_relative` where a value is said to
    be more or less than another. It `tells_action` where a word says what is to be done.
    """

    named: frozenset[str] = frozenset()
    excepted: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    excepted_places: frozenset[str] = frozenset()
    mentioned_places: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    is_here: bool = False
    is_everywhere: bool = False
    is_relative: bool = False
    is_all: bool = False
    tells_action: bool = False

    def keep(self, entities: Iterable[CatalogEntity]) -> list[CatalogEntity]:
        """Return the entities that may be meant: not those excepted, and where any is named only those."""
        allowed = [entity for entity in entities if not self.excepts(entity)]
        named = [entity for entity in allowed if entity.entity_id in self.named]
        return named or allowed

    def excepts(self, entity: CatalogEntity) -> bool:
        """Return whether an entity is excepted, by its name or by where it is."""
        is_of_place = not self.excepted_places.isdisjoint({entity.area_id, entity.floor_id})
        return entity.entity_id in self.excepted or is_of_place


NO_BOUNDS = Mentions()
"""Nothing is known of the words."""


def read_bounds(text: str, house: House) -> Mentions:
    """Return what the words of an instruction say of its targets."""
    named: set[str] = set()
    excepted: set[str] = set()
    places: set[str] = set()
    excepted_places: set[str] = set()
    mentioned: set[str] = set()
    is_excepting = by_keeping = False
    spans = cover_text(text, house)
    clauses = clauses_of(spans)
    for clause in clauses:
        if any(span.has(Role.VERB) for span in clause):
            # "..., but leave the lamp on", "leave the lamp, all else off"; but "keep the heating low" is none.
            is_kept = any(_KEPT in span.senses for span in clause)
            leads = clause is clauses[0] and (len(clauses) == 1 or any(map(_tells, clause)))
            is_excepting = by_keeping = is_kept and not leads
        elif by_keeping and any(not span.senses for span in clause):
            # "..., no point keeping it warm, and the night light needn't burn" is no list of what is kept.
            is_excepting = by_keeping = False
        begin = next((at for at, span in enumerate(clause) if span.has(Role.EXCEPT)), len(clause))
        (excepted if is_excepting else named).update(_ids(clause[:begin]))
        (excepted_places if is_excepting else places).update(_place_ids(clause[:begin]))
        if _is_unclear(clause[begin:]):
            mentioned.update(_place_ids(clause[begin:]))
            continue
        excepted.update(_ids(clause[begin:]))
        excepted_places.update(_place_ids(clause[begin:]))
        is_excepting = is_excepting or begin < len(clause)
    return Mentions(
        frozenset(named - excepted),
        frozenset(excepted),
        frozenset(places - excepted_places),
        # "All but the lamp in the hall" excepts the lamp, and not the hall.
        frozenset() if excepted else frozenset(excepted_places - places),
        frozenset(mentioned - excepted_places - places),
        frozenset(
            sense.value.kind for span in spans for sense in span.senses if sense.role is Role.KIND
        ),
        is_here=any(span.has(Role.HERE) for span in spans),
        is_everywhere=any(span.has(Role.EVERYWHERE) for span in spans),
        is_all=any(_is_all(sense) for span in spans for sense in span.senses),
        is_relative=any(span.has(role) for span in spans for role in _RELATIONS),
        tells_action=any(span.has(role) for span in spans for role in _ACTING),
    )


def _is_unclear(spans: Sequence[Span]) -> bool:
    """Return whether spans begin with a word that only joins perhaps, and words that nobody knows stand before a place.

    "But nobody looks at the kitchen" excepts nothing, "but not the kitchen" does.
    """
    if not spans or not spans[0].has(Role.AND):
        return False
    before = takewhile(lambda span: not (span.has(Role.PLACE) or span.has(Role.NAME)), spans)
    return any(not span.senses for span in before)


def _tells(span: Span) -> bool:
    """Return whether a span says how something is to be."""
    return any(span.has(role) for role in _TELLING)


def _place_ids(spans: Sequence[Span]) -> set[str]:
    """Return the ids of the areas and floors that are named among spans."""
    return {sense.value.id for span in spans for sense in span.senses if sense.role is Role.PLACE}


def _ids(spans: Sequence[Span]) -> set[str]:
    """Return the entity ids of the full names among spans."""
    return {
        sense.value.entity_id for span in spans for sense in span.senses if sense.role is Role.NAME
    }


def _is_all(sense: Sense) -> bool:
    """Return whether a sense is that of "all", also with a number: "all three"."""
    return sense.role is Role.QUANTITY and str(sense.value).partition(":")[0] == "all"

"""Marks the spans of an answer: candidates, their places and order, signs, values, or something else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..home.catalog import Catalog, CatalogEntity, Place
from ..memory.pending import PendingQuestion
from ..nlu.answers import Sign
from ..nlu.house import HomeLexicon
from ..nlu.kinds import KINDS
from ..nlu.lexicon import Noun, Role
from ..nlu.loader import Language
from ..nlu.spans import Span, cover
from ..nlu.tokens import Token, tokenise
from ..plans.models import Candidate

type Ids = frozenset[str]

UP, DOWN = "up", "down"
"""The values of words for more and for less."""

_FILLING = {Sign.FILLER, Sign.ONE}
# Roles of values. Words of `language.directions` are values, too.
_VALUES = frozenset({Role.NUMBER, Role.LEVEL, Role.COLOR, Role.KELVIN})
# Verbs and states of phrases that only tell how it is: "too dark in here".
_TELLING = frozenset({"lighten", "darken", "dark"})
# What words of sentences say in an answer that are no signs themselves.
_SIGNS: Mapping[Role, Sign] = {Role.HERE: Sign.HERE, Role.EXCEPT: Sign.WITHOUT}
_QUANTITIES: Mapping[str, Sign] = {
    "all": Sign.ALL,
    "each": Sign.ALL,
    "both": Sign.BOTH,
    "the:2": Sign.BOTH,
    "all:2": Sign.BOTH,
    "other": Sign.OTHER,
}


class MarkKind(StrEnum):
    """Kind of a span in an answer.

    NAME and PART are a candidate's name or a word of it, PLACE an area or a floor, POSITION one in
    the order of the question. VALUE is a number, a colour or the like, STRANGER an
    entity that is no candidate, FOREIGN a word for entities of other agents.
    SILENT words say nothing.
    """

    NAME = "name"
    PART = "part"
    PLACE = "place"
    POSITION = "position"
    SIGN = "sign"
    VALUE = "value"
    STRANGER = "stranger"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"
    SILENT = "silent"


POINTING = frozenset({MarkKind.NAME, MarkKind.PART, MarkKind.PLACE, MarkKind.POSITION})
"""The kinds that point at candidates."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Span of an answer, and what it says to the question.

    `ids` are the candidates it can mean, `signs` what a phrase of the language says, `value` the
    position, number, colour or direction it is. `is_general` where it is only a word for the kind
    of thing, as each of them may be called ("lamp"). It `begins` a clause, or does not.
    """

    kind: MarkKind
    span: Span
    ids: Ids = frozenset()
    signs: frozenset[Sign] = frozenset()
    value: float | str | None = None
    is_general: bool = False
    begins: bool = False

    @property
    def is_filler(self) -> bool:
        """Return whether the span carries no meaning of its own ("please", "the one")."""
        return bool(self.signs & _FILLING)

    @property
    def points(self) -> bool:
        """Return whether the span points at candidates."""
        return self.kind in POINTING


class AnswerMarker:
    """Marks the spans of answers to one question, by a home of its candidates only.

    Candidates that are gone are in it: what was asked about can be named, but not be chosen. `area_id` is where
    the speaker is.
    """

    def __init__(
        self, pending: PendingQuestion, catalog: Catalog, language: Language, area_id: str | None
    ) -> None:
        """Index the candidates."""
        self._pending, self._catalog, self._language = pending, catalog, language
        own = language.vocabulary.get(pending.agent_id, frozenset())
        known = frozenset[str]().union(*language.vocabulary.values())
        # Where the words of the agent are not known, none is another's.
        self._own, self._foreign = own, known - own if own else frozenset[str]()
        self._area_id = area_id
        found = {
            each.entity_id: _as_candidate(each, catalog, language)
            for each in pending.question.candidates
        }
        home = Catalog(entities=found, areas=catalog.areas, floors=catalog.floors)
        self._house = HomeLexicon(home, language.answers.lexicon)
        for entity in found.values():
            self._house.add_names(entity)

    def marks(self, text: str) -> list[Mark]:
        """Return the marks of a text from left to right, with each word in exactly one."""
        tokens = tokenise(text)
        marks: list[Mark] = []
        begins = True
        for span in cover(tokens, self._house, is_command=False):
            if span.is_mark:
                begins = True
                continue
            for mark in self._of_span(span):
                marks.append(replace(mark, begins=begins))
                begins = False
        return self._with_strangers(tokens, marks)

    def numbered(self, mark: Mark, number: int) -> Mark:
        """Return a mark as the position of its number, or as the name of who is called by it."""
        if called := self._having(str(number)):
            return replace(mark, kind=MarkKind.PART, ids=called, signs=frozenset())
        position = replace(mark, kind=MarkKind.POSITION, ids=self._at(number), signs=frozenset())
        return replace(position, value=number)

    def _of_span(self, span: Span) -> Iterator[Mark]:
        """Yield the mark of a span, or those of its words where together they say nothing to a question."""
        mark = self._marked(span)
        acts = any(
            sense.role in {Role.VERB, Role.STATE} and sense.value not in _TELLING
            for sense in span.senses
        )
        is_rest = mark.kind in {MarkKind.UNKNOWN, MarkKind.SILENT, MarkKind.FOREIGN}
        if len(span.words) == 1 or not is_rest or (acts and not self._points(span)):
            yield mark
            return
        for word in span.words:
            senses = (*self._house.senses((word,)), *self._house.lexicon.senses((word,)))
            yield self._marked(replace(span, words=(word,), senses=senses))

    def _marked(self, span: Span) -> Mark:
        """Return the mark of a span as a whole."""
        named = frozenset(s.value.entity_id for s in span.senses if s.role is Role.NAME)
        if named:
            return Mark(MarkKind.NAME, span, named)
        places = [sense.value for sense in span.senses if sense.role is Role.PLACE]
        if places:
            return Mark(MarkKind.PLACE, span, self._inside(places) | self._sharing(span.words))
        for sense in span.senses:
            if sense.role is Role.POSITION:
                return self._position(span, sense.value)
        if signs := _signs_of(span):
            return self._sign(span, signs)
        says_nothing = self._language.ignored.issuperset(span.words)
        is_part = bool(self._sharing(span.words))
        if (value := self._value(span)) is not None and not says_nothing and not is_part:
            return Mark(MarkKind.VALUE, span, value=value)
        return self._word(span)

    def _word(self, span: Span) -> Mark:
        """Return the mark of words that are no phrase of an answer."""
        words = span.words
        if ids := self._sharing(words):
            return Mark(MarkKind.PART, span, ids, is_general=self._own.issuperset(words))
        if not self._foreign.isdisjoint(words):
            return Mark(MarkKind.FOREIGN, span)
        is_silent = all(
            word in self._language.ignored or word in self._own or not word.isalnum()
            for word in words
        )
        return Mark(MarkKind.SILENT if is_silent else MarkKind.UNKNOWN, span)

    def _position(self, span: Span, number: int) -> Mark:
        """Return the mark of an ordinal; candidates may also be called by the number or the word."""
        called = self._having(str(number))
        if len(span.words) == 1:
            called |= self._with_word(span.words[0])
        elif called:
            return Mark(MarkKind.PART, span, called)
        # What points at one by its name and at another by its place is left open.
        return Mark(MarkKind.POSITION, span, self._at(number) | called, value=number)

    def _sign(self, span: Span, signs: frozenset[Sign]) -> Mark:
        """Return the mark of a phrase; a word of a candidate's name says something after all."""
        if signs & _FILLING and not span.has(Role.NUMBER) and (called := self._sharing(span.words)):
            return Mark(MarkKind.PART, span, called)
        if Sign.LAST in signs:
            return Mark(MarkKind.POSITION, span, self._at(-1), signs, value=-1)
        if Sign.HERE in signs:
            return Mark(MarkKind.PLACE, span, self._in(self._area_id or ""), signs)
        return Mark(MarkKind.SIGN, span, signs=signs)

    def _value(self, span: Span) -> float | str | None:
        """Return the number, colour or direction that a span is, None for no value."""
        for sense in span.senses:
            if sense.role in _VALUES:
                return float(sense.value) if sense.role is not Role.COLOR else str(sense.value)
        if span.words[0].isdecimal():
            return float(span.words[0])
        found = [
            sign for each in self._language.directions.find(span.words) for sign in each.meanings
        ]
        return (UP if found[0] > 0 else DOWN) if found else None

    def _points(self, span: Span) -> bool:
        """Return whether any word of a span is in the name of a candidate."""
        return any(self._with_word(word) for word in span.words)

    def _with_word(self, word: str) -> Ids:
        """Return the candidates that have a word in a name, if need be with another ending."""
        if word in self._language.ignored:
            return frozenset()
        return self._having(word) or self._having(self._house.lexicon.stem(word))

    def _having(self, word: str) -> Ids:
        """Return the candidates that have exactly a word in a name."""
        return frozenset(id_ for id_, words in self._house.words.items() if word in words)

    def _sharing(self, words: Iterable[str]) -> Ids:
        """Return the candidates that have all of some words in their names."""
        return frozenset.intersection(*map(self._with_word, words))

    def _inside(self, places: Iterable[Place]) -> Ids:
        """Return the candidates in any of some places."""
        return frozenset().union(*(self._in(place.id) for place in places))

    def _in(self, place_id: str) -> Ids:
        """Return the candidates in an area or on a floor."""
        entities = self._house.catalog.entities.values()
        return frozenset(
            e.entity_id for e in entities if place_id and place_id in {e.area_id, e.floor_id}
        )

    def _at(self, position: int) -> Ids:
        """Return the candidate at a position, from 1; -1 is the last. Empty where there is none."""
        order, index = self._pending.order, position if position < 0 else position - 1
        if self._pending.is_named and order and -1 <= index < len(order):
            return frozenset({order[index]})
        return frozenset()

    def _with_strangers(self, tokens: Sequence[Token], marks: list[Mark]) -> list[Mark]:
        """Return the marks, with entities that are no candidates in the place of their words."""
        said = [token for token in tokens if not token.is_mark]
        found = [
            name
            for name in self._catalog.all_names.find(tuple(token.word for token in said))
            if all(
                isinstance(meaning, CatalogEntity) and meaning.entity_id not in self._pending.order
                for meaning in name.meanings
            )
        ]
        for name in found:
            start, end = said[name.start].start, said[name.end - 1].end
            inner = [m for m in marks if m.span.start < end and m.span.end > start]
            is_whole = all(m.span.start >= start and m.span.end <= end for m in inner)
            if inner and is_whole and self._is_new(inner):
                at = marks.index(inner[0])
                span = replace(inner[0].span, end=end, senses=())
                stranger = Mark(MarkKind.STRANGER, span, begins=inner[0].begins)
                marks = [*marks[:at], stranger, *marks[at + len(inner) :]]
        return marks

    def _is_new(self, marks: Sequence[Mark]) -> bool:
        """Return whether marks that are the name of another entity mean it, and no candidate."""
        if len(marks) == 1 and marks[0].kind is MarkKind.PLACE:
            return False
        if any(mark.kind in {MarkKind.UNKNOWN, MarkKind.FOREIGN} for mark in marks):
            return True
        pointing = [mark.ids for mark in marks if mark.points]
        # "Reading light" is a part of no "Reading Lamp".
        added = [
            m for m in marks if m.kind is MarkKind.SILENT and self._own.issuperset(m.span.words)
        ]
        return bool(pointing and (added or not frozenset.intersection(*pointing)))


def parts_of(marks: Iterable[Mark]) -> list[list[Mark]]:
    """Return the marks by part: a clause, or what follows an "and", with the "and"."""
    parts: list[list[Mark]] = [[]]
    for mark in marks:
        if mark.begins or Sign.AND in mark.signs:
            parts.append([])
        parts[-1].append(mark)
    return [part for part in parts if part]


def words_in(marks: Iterable[Mark]) -> tuple[str, ...]:
    """Return the words of marks."""
    return tuple(word for mark in marks for word in mark.span.words)


def _as_candidate(candidate: Candidate, catalog: Catalog, language: Language) -> CatalogEntity:
    """Return a candidate as it can be named: as in the question, and as it is called at home."""
    entity = catalog.entities.get(candidate.entity_id)
    called = entity.names if entity else ()
    own = (candidate.name, *called)
    if entity and candidate.name not in called:
        # Of namesakes it is asked by what they are: "the light or the speaker".
        nouns = (each for each in language.lexicon.nouns if _is_for(each, entity))
        own += tuple(sorted({form for noun in nouns for form in noun.forms}))
    names = tuple(dict.fromkeys(v for name in own for v in language.answers.spellings(name)))
    if entity:
        return replace(entity, names=names)
    return CatalogEntity(candidate.entity_id, names, None, None, None)


def _is_for(noun: Noun, entity: CatalogEntity) -> bool:
    """Return whether a noun says what an entity is, whatever it is called."""
    kind = KINDS[noun.kind]
    return not (noun.needs_name or kind.mode) and kind.includes(entity, None)


def _signs_of(span: Span) -> frozenset[Sign]:
    """Return what a span says in an answer: as a phrase of answers, or else as one of any sentence."""
    own = frozenset(sense.value for sense in span.senses if sense.role is Role.ANSWER)
    if own:
        return own
    signs = {_SIGNS[sense.role] for sense in span.senses if sense.role in _SIGNS}
    for sense in span.senses:
        if sense.role is Role.QUANTITY and sense.value in _QUANTITIES:
            signs.add(_QUANTITIES[sense.value])
    return frozenset(signs)

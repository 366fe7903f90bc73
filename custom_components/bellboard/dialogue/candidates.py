"""Index of a question's candidates by name, by word of a name, by area and by order."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..home.catalog import Catalog
from ..home.names import NameIndex, words_of
from ..memory.pending import PendingQuestion
from ..nlu.answers import AnswerLexicon
from ..nlu.loader import Language


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """The candidates of a question, indexed by the words that can point at them.

    Those that are gone are among them: what was asked about can be named, but not be chosen.
    `inside` maps the id of an area or a floor to the candidates there, `having` a word to those
    that have it in a name, `stems` the same for words without their endings.
    """

    order: tuple[str, ...]
    names: NameIndex[str]
    inside: Mapping[str, frozenset[str]]
    having: Mapping[str, frozenset[str]]
    stems: Mapping[str, frozenset[str]]
    is_named: bool

    @classmethod
    def of(cls, pending: PendingQuestion, catalog: Catalog, language: Language) -> Candidates:
        """Index the candidates of a question."""
        words = language.answers
        named: list[tuple[str, str]] = []
        inside: dict[str, set[str]] = {}
        for candidate in pending.question.candidates:
            entity = catalog.entities.get(candidate.entity_id)
            own = (candidate.name, *(entity.names if entity else ()))
            named += [(v, candidate.entity_id) for name in own for v in _spellings(name, words)]
            for place in (entity.area_id, entity.floor_id) if entity else ():
                if place:
                    inside.setdefault(place, set()).add(candidate.entity_id)
        single = [
            (word, entity_id)
            for name, entity_id in named
            for word in words_of(name)
            if word not in language.ignored
        ]
        return cls(
            order=pending.order,
            names=NameIndex(named),
            inside={place: frozenset(ids) for place, ids in inside.items()},
            having=_grouped(single),
            stems=_grouped((words.stem(word), entity_id) for word, entity_id in single),
            is_named=pending.is_named,
        )

    def with_word(self, word: str, language: Language) -> frozenset[str]:
        """Return the candidates that have a word in a name, if need be with another ending."""
        return self.having.get(word) or self.stems.get(language.answers.stem(word), frozenset())

    def at(self, position: int) -> frozenset[str]:
        """Return the candidate at a position, from 1; -1 is the last. Empty where there is none."""
        index = position if position < 0 else position - 1
        if self.is_named and self.order and -1 <= index < len(self.order):
            return frozenset({self.order[index]})
        return frozenset()


def _spellings(name: str, words: AnswerLexicon) -> Iterator[str]:
    """Yield a name with its number in words and in digits."""
    yield name
    own = list(words_of(name))
    for place, word in enumerate(own):
        numbers = [n for found in words.numbers.find((word,)) for n in found.meanings]
        for text in {text for number in numbers for text in words.spellings[str(number)]}:
            yield " ".join((*own[:place], text, *own[place + 1 :]))


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Return the entity ids of each word."""
    groups: dict[str, set[str]] = {}
    for word, entity_id in pairs:
        groups.setdefault(word, set()).add(entity_id)
    return {word: frozenset(ids) for word, ids in groups.items()}

"""Index from the words of Home Assistant's sentence templates to the templates that can match a text.

hassil tries every template in turn. A template is left out here only when it provably cannot match:

- each word of the text must be made of literal words and list values of the template, unless the
  template has a number or a list of any words;
- the text must begin with one of its first words, and end with one of its last;
- the literal text that hassil requires of it must occur.

What is left keeps its order and is matched by hassil itself, so that the result is the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache
import re

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    Permutation,
    RuleReference,
    Sentence,
    TextChunk,
)
from hassil.intents import Intent, IntentData, Intents, SlotList, TextSlotList
from hassil.recognize import RecognizeResult
from hassil.util import PUNCTUATION_STR, normalize_for_matching, remove_skip_words

_SEPARATOR = re.compile(r"[\s_-]+")
"""What hassil takes for the end of a word: it matches hyphens and underscores as spaces too."""

_TRAILING = f"{PUNCTUATION_STR} _-"
"""Characters that may be left over at the end of a matched text, and separators."""

_DOTLESS = {0x130: "i", 0x131: "i"}
"""The Turkish letters that `re.IGNORECASE` takes for an i and `str.casefold` does not."""

_MAX_DEPTH = 40
_MAX_KEPT_WORDS = 2000

type _Clauses = tuple[frozenset[str], ...]


def fold(text: str) -> str:
    """Return a text such that texts that `re.IGNORECASE` holds to be equal are equal."""
    return text.translate(_DOTLESS).casefold()


def split_words(text: str) -> list[str]:
    """Return the folded words of a text or of a literal part of a template."""
    return [word for word in _SEPARATOR.split(fold(text)) if word]


@lru_cache(maxsize=64)
def _normalized(text: str) -> str:
    """Return a text as hassil matches it; several indexes are asked about one text."""
    return normalize_for_matching(text).text


@dataclass(frozen=True, slots=True)
class _Words:
    """Words that can stand somewhere in a template: literal ones, those of lists, or any (`is_open`)."""

    literals: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    is_open: bool = False

    @classmethod
    def joined(cls, parts: Iterable[_Words]) -> _Words:
        """Return the words of all parts."""
        parts = list(parts)
        return cls(
            frozenset().union(*(part.literals for part in parts)),
            frozenset().union(*(part.lists for part in parts)),
            any(part.is_open for part in parts),
        )


@dataclass(frozen=True, slots=True)
class _Shape:
    """Words a template consists of, those it can begin and end with, and whether it can match nothing."""

    inside: _Words = _Words()
    first: _Words = _Words()
    last: _Words = _Words()
    can_be_empty: bool = True

    @classmethod
    def of(cls, words: _Words) -> _Shape:
        """Return the shape of a part whose words can stand anywhere in it."""
        return cls(words, words, words, can_be_empty=words.is_open)


_OPEN = _Shape.of(_Words(is_open=True))


def _literal(text: str) -> _Shape:
    """Return the shape of a literal part."""
    if not (words := split_words(text)):
        return _Shape()
    first, last = _Words(frozenset(words[:1])), _Words(frozenset(words[-1:]))
    return _Shape(_Words(frozenset(words)), first, last, can_be_empty=False)


def _one_of(shapes: list[_Shape], *, can_be_empty: bool) -> _Shape:
    """Return the shape of a part that is one of several, or all of them in any order."""
    return _Shape(
        _Words.joined(shape.inside for shape in shapes),
        _Words.joined(shape.first for shape in shapes),
        _Words.joined(shape.last for shape in shapes),
        can_be_empty=can_be_empty,
    )


def _until_certain(shapes: Iterable[_Shape]) -> Iterator[_Shape]:
    """Yield shapes up to the first that cannot be empty."""
    for shape in shapes:
        yield shape
        if not shape.can_be_empty:
            return


def _in_sequence(shapes: list[_Shape]) -> _Shape:
    """Return the shape of parts one after the other."""
    return _Shape(
        _Words.joined(shape.inside for shape in shapes),
        _Words.joined(shape.first for shape in _until_certain(shapes)),
        _Words.joined(shape.last for shape in _until_certain(reversed(shapes))),
        can_be_empty=all(shape.can_be_empty for shape in shapes),
    )


class _ShapeReader:
    """Reads the shapes of hassil's expressions; names of lists it knows stay names."""

    def __init__(self, rules: Mapping[str, Sentence], lists: Iterable[str]) -> None:
        """Keep the expansion rules and the names of the text lists."""
        self._rules = rules
        self._lists = frozenset(lists)
        self._known: dict[str, _Shape] = {}

    def read(self, expression: Expression, depth: int = 0) -> _Shape:
        """Return the shape of an expression; what is not known may be anything."""
        if isinstance(expression, TextChunk):
            return _literal(expression.text)
        if isinstance(expression, ListReference):
            name = expression.list_name
            return _Shape.of(_Words(lists=frozenset({name}))) if name in self._lists else _OPEN
        if depth > _MAX_DEPTH:
            return _OPEN
        if isinstance(expression, RuleReference):
            return self._read_rule(expression.rule_name, depth)
        if isinstance(expression, Group):
            return self._read_group(expression, depth)
        return _OPEN

    def _read_rule(self, name: str, depth: int) -> _Shape:
        """Return the shape of an expansion rule."""
        if name not in self._known:
            rule = self._rules.get(name)
            self._known[name] = self.read(rule.expression, depth + 1) if rule else _OPEN
        return self._known[name]

    def _read_group(self, group: Group, depth: int) -> _Shape:
        """Return the shape of a sequence, of alternatives or of a permutation."""
        shapes = [self.read(item, depth + 1) for item in group.items]
        if isinstance(group, Alternative):
            return _one_of(shapes, can_be_empty=any(each.can_be_empty for each in shapes))
        if isinstance(group, Permutation):
            return _one_of(shapes, can_be_empty=all(each.can_be_empty for each in shapes))
        return _in_sequence(shapes)


@dataclass(slots=True)
class _Postings:
    """Bit sets of the templates in which a word, or a value of a list, can stand at some place."""

    words: dict[str, int] = field(default_factory=dict)
    lists: dict[str, int] = field(default_factory=dict)
    is_open: int = 0

    def add(self, words: _Words, templates: int) -> None:
        """Add what can stand at the place in some templates."""
        for word in words.literals:
            self.words[word] = self.words.get(word, 0) | templates
        for name in words.lists:
            self.lists[name] = self.lists.get(name, 0) | templates
        if words.is_open:
            self.is_open |= templates

    def with_list(self, name: str, values: _Words) -> None:
        """Add the values of a list to the templates that refer to it."""
        if templates := self.lists.get(name, 0):
            self.add(values, templates)

    def copy(self) -> _Postings:
        """Return postings that can be added to without changing these."""
        return _Postings(dict(self.words), self.lists, self.is_open)


@dataclass(slots=True)
class _Tables:
    """Postings of the words in the templates, of their first words and of their last ones."""

    inside: _Postings = field(default_factory=_Postings)
    first: _Postings = field(default_factory=_Postings)
    last: _Postings = field(default_factory=_Postings)

    def add(self, shape: _Shape, templates: int) -> None:
        """Add templates of a shape."""
        self.inside.add(shape.inside, templates)
        self.first.add(shape.first, templates)
        self.last.add(_without_trailing(shape.last), templates)
        if shape.can_be_empty:
            self.first.is_open |= templates
            self.last.is_open |= templates

    def with_list(self, name: str, values: _Shape) -> None:
        """Add the values of a list to the templates that refer to it."""
        if values.can_be_empty or values.inside.lists or values.inside.is_open:
            values = _OPEN
        self.inside.with_list(name, values.inside)
        self.first.with_list(name, values.first)
        self.last.with_list(name, _without_trailing(values.last))

    def copy(self) -> _Tables:
        """Return tables that can be added to without changing these."""
        return _Tables(self.inside.copy(), self.first.copy(), self.last.copy())


def _without_trailing(words: _Words) -> _Words:
    """Return words as a text can end with them, whose punctuation may be gone."""
    stripped = frozenset(word.rstrip(_TRAILING) for word in words.literals)
    if "" in stripped:
        return _Words(is_open=True)
    return replace(words, literals=stripped)


@dataclass(frozen=True, slots=True)
class _Template:
    """Place of a sentence template in the intents, and the literal text hassil requires of a match."""

    intent: Intent
    data: IntentData
    sentence: Sentence
    clauses: _Clauses

    def can_be_in(self, haystack: str) -> bool:
        """Return whether a text has the required fragments."""
        return all(any(map(haystack.__contains__, clause)) for clause in self.clauses)


class TemplateIndex:
    """Index of one language's templates; `for_house` adds the names of the house."""

    def __init__(self, intents: Intents, house_lists: Iterable[str]) -> None:
        """Index all templates; `house_lists` are the names of the lists that belong to the house.

        Takes some hundred milliseconds: too slow for the event loop.

        Raises:
            ValueError: the language is matched without regard to spaces.
        """
        if intents.settings.ignore_whitespace:
            raise ValueError(f"{intents.language} is matched without regard to spaces")
        self.intents = intents
        self.house_lists = frozenset(house_lists)
        static = {
            name: values
            for name, values in intents.slot_lists.items()
            if isinstance(values, TextSlotList) and name not in self.house_lists
        }
        self._reader = _ShapeReader(intents.expansion_rules, {*self.house_lists, *static})
        self.templates: list[_Template] = []
        self.tables = _Tables()
        for intent in intents.intents.values():
            for data in intent.data:
                self._add(intent, data)
        for name, values in static.items():
            self.tables.with_list(name, self._values_of(values))

    def _add(self, intent: Intent, data: IntentData) -> None:
        """Add the sentences of an intent; those with rules or lists of their own are always tried."""
        has_own = bool(data.expansion_rules or data.slot_lists)
        rules = {**self.intents.expansion_rules, **data.expansion_rules}
        for sentence in data.sentences:
            shape = _OPEN if has_own else self._reader.read(sentence.expression)
            clauses = tuple(sentence.get_required_clauses(rules))
            self.tables.add(shape, 1 << len(self.templates))
            self.templates.append(_Template(intent, data, sentence, clauses))

    def _values_of(self, values: TextSlotList) -> _Shape:
        """Return the shape of the values of a list."""
        shapes = [self._reader.read(value.text_in) for value in values.values]
        return _one_of(shapes, can_be_empty=any(shape.can_be_empty for shape in shapes))

    def for_house(self, slot_lists: dict[str, SlotList]) -> HouseTemplateIndex:
        """Return the index with the names of a house.

        Raises:
            ValueError: the lists are others than those that were announced, or have no plain values.
        """
        if slot_lists.keys() != self.house_lists:
            raise ValueError(f"lists of a house that are not known: {sorted(slot_lists)}")
        tables = self.tables.copy()
        for name, values in slot_lists.items():
            if not isinstance(values, TextSlotList):
                raise ValueError(f"list of a house without names: {name}")  # noqa: TRY004 - see above
            # hassil never matches a blank value.
            shapes = [self._reader.read(value.text_in) for value in values.values]
            named = [shape for shape in shapes if shape != _Shape()]
            tables.with_list(name, _one_of(named, can_be_empty=any(s.can_be_empty for s in named)))
        return HouseTemplateIndex(self, slot_lists, tables)


class HouseTemplateIndex:
    """Index of one language's templates and the names of one house, as they are at one time."""

    def __init__(
        self, index: TemplateIndex, slot_lists: dict[str, SlotList], tables: _Tables
    ) -> None:
        """Keep the tables, and how to find skip words."""
        self.slot_lists = slot_lists
        self._intents = index.intents
        self._templates = index.templates
        self._tables = tables
        self._all = (1 << len(index.templates)) - 1
        self._longest = max(map(len, tables.inside.words), default=0)
        self._explained: dict[str, int] = {}
        skip = "|".join(
            re.escape(each.strip()) for each in self._intents.skip_words if each.strip()
        )
        self._skip = re.compile(rf"(?<!\w)(?:{skip})(?!\w)", re.IGNORECASE) if skip else None

    def candidates(self, text: str) -> list[_Template]:
        """Return the templates that can match a text, in the order in which hassil tries them."""
        texts = self._variants(text)
        found = 0
        for each in texts:
            found |= self._find(each)
        haystack = "\n".join(texts).casefold()
        return [each for each in self._in_set(found) if each.can_be_in(haystack)]

    def _variants(self, text: str) -> list[str]:
        """Return the texts that hassil matches templates with: without skip words, or some of them."""
        spoken = _normalized(text)
        if self._skip is None or not self._skip.search(spoken):
            return [spoken]
        skip = self._intents.skip_words
        # A template that begins or ends with a list of any words keeps the skip words there.
        return [
            spoken,
            remove_skip_words(spoken, skip, ignore_whitespace=False),
            remove_skip_words(spoken, skip, ignore_whitespace=False, end=False),
            remove_skip_words(spoken, skip, ignore_whitespace=False, start=False),
        ]

    def _find(self, text: str) -> int:
        """Return the set of templates whose words a text consists of."""
        if not (words := split_words(text)):
            return self._all
        found = self._beginning(words[0]) & self._ending(words[-1])
        for word in words:
            if not found:
                break
            found &= self._containing(word)
        return found

    def _beginning(self, word: str) -> int:
        """Return the templates that can begin with the beginning of a word."""
        first = self._tables.first
        found = first.is_open
        for end in range(1, min(len(word), self._longest) + 1):
            found |= first.words.get(word[:end], 0)
        return found

    def _ending(self, word: str) -> int:
        """Return the templates that can end with the end of a word, or with that before its punctuation."""
        if not (word := word.rstrip(_TRAILING)):
            return self._all
        last = self._tables.last
        found = last.is_open
        for start in range(max(0, len(word) - self._longest), len(word)):
            found |= last.words.get(word[start:], 0)
        return found

    def _containing(self, word: str) -> int:
        """Return the templates of whose words a word can be made, and those in which it can be any."""
        if (known := self._explained.get(word)) is not None:
            return known
        words = self._tables.inside.words
        # The templates of whose words the first so many characters can be made.
        made = [self._all]
        for end in range(1, len(word) + 1):
            found = 0
            for start in range(max(0, end - self._longest), end):
                if made[start] and (templates := words.get(word[start:end])):
                    found |= made[start] & templates
            made.append(found)
        result = self._tables.inside.is_open | made[-1]
        for end in range(len(word.rstrip(_TRAILING)), len(word)):
            result |= made[end]
        if len(self._explained) >= _MAX_KEPT_WORDS:
            self._explained.clear()
        self._explained[word] = result
        return result

    def _in_set(self, found: int) -> Iterator[_Template]:
        """Yield the templates of a set in their order."""
        while found:
            lowest = found & -found
            yield self._templates[lowest.bit_length() - 1]
            found ^= lowest

    def intents_with(self, templates: Iterable[_Template]) -> Intents:
        """Return the language's intents with some of their templates only, in the same order."""
        sentences: dict[int, list[Sentence]] = {}
        kept: dict[str, Intent] = {}
        for each in templates:
            if each.intent.name not in kept:
                kept[each.intent.name] = replace(each.intent, data=[])
            if id(each.data) not in sentences:
                data = copy(each.data)
                # hassil parses the templates at the first use and keeps them there.
                data.__dict__["sentences"] = sentences[id(each.data)] = []
                kept[each.intent.name].data.append(data)
            sentences[id(each.data)].append(each.sentence)
        return replace(self._intents, intents=kept)


def restore_origin(result: RecognizeResult, templates: Iterable[_Template]) -> RecognizeResult:
    """Put the language's own intent into a result that was found in some of its templates."""
    for each in templates:
        if each.sentence is result.intent_sentence:
            result.intent, result.intent_data = each.intent, each.data
            break
    return result

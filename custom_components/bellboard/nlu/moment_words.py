"""Words of a language for times, as templates with slots ("half past {hour}"), and the matcher of these.

A section `moments` holds lists of templates by kind. A kind may stand in the slot of another, "{weekday}" in
"next {weekday}"; the numbers of hours, minutes and days of a month and durations are slots of their own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
import re
from types import MappingProxyType
from typing import Any

from ..home.names import folded
from .tokens import Phrase, Token, tokenise

_SLOT = re.compile(r"\{(\w+)\}")
# A word of so few letters is known with its accents only: "a" is not "à".
_SHORT = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """Template as its words and slots, in braces; `value` is what its text stands for in its kind."""

    parts: Phrase
    value: Any = None


@dataclass(frozen=True, slots=True)
class Shapes:
    """Templates of one kind by the word that they begin with, "" for those that begin with a slot."""

    by_first: Mapping[str, tuple[Shape, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def load(cls, data: Any) -> Shapes:
        """Return the templates of a kind: a list of texts, or texts by value, in a mapping or by their place."""
        found: dict[str, list[Shape]] = {}
        for value, texts in _by_value(data):
            for text in texts:
                parts = tuple(_parts(text))
                found.setdefault("" if is_slot(parts[0]) else parts[0], []).append(
                    Shape(parts, value)
                )
        return cls({first: tuple(dict.fromkeys(shapes)) for first, shapes in found.items()})

    def has(self, parts: Phrase) -> bool:
        """Return whether some words are a template."""
        return any(shape.parts == parts for shape in self.by_first.get(parts[0], ()))

    def at(self, word: str) -> Iterator[Shape]:
        """Yield the templates that may begin with a word."""
        yield from self.by_first.get(word, ())
        yield from self.by_first.get("", ())


@dataclass(frozen=True, slots=True)
class MomentWords:
    """Words of a language for moments, by their kind; `docs/languages.md` tells what the kinds are."""

    kinds: Mapping[str, Shapes] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> MomentWords:
        """Return the words of a language from the `moments` section of its file."""
        return cls({kind: Shapes.load(texts) for kind, texts in data.items()})

    def of(self, kind: str) -> Shapes:
        """Return the templates of a kind; a language may have none."""
        return self.kinds.get(kind, _NONE)


_NONE = Shapes()


def is_slot(part: str) -> bool:
    """Return whether a part of a template is a slot."""
    return part.startswith("{")


def word_of(token: Token) -> str:
    """Return a token's word as templates have it: without accents, unless it is short."""
    return _plain(token.word)


def _plain(word: str) -> str:
    return folded(word) if len(word) > _SHORT else word


def _by_value(data: Any) -> Iterable[tuple[Any, Sequence[str]]]:
    """Return the texts of a kind by their values."""
    if isinstance(data, Mapping):
        return data.items()
    return enumerate(data) if data and isinstance(data[0], list) else [(None, data)]


def _parts(text: str) -> Iterator[str]:
    """Yield the words and the slots of a template; marks count as words."""
    for at, piece in enumerate(_SLOT.split(text)):
        if at % 2:
            yield f"{{{piece}}}"
        else:
            yield from (word_of(token) for token in tokenise(piece))

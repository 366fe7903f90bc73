"""Values that a request names, as schemas a model chooses from.

A value that can be read in the words is not left to the model: numbers, colours and modes that are
named are the only ones it can choose. A weak model then cannot invent them.
"""

from collections.abc import Iterable
import re

from ..home.names import occurs, words_of
from ..llm.models import JsonSchema
from ..nlu.loader import Language

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?")
# A span of words is offered whole up to this many words; beyond it the model writes it itself.
_MAX_SPAN_WORDS = 12


def numbers_in(text: str, language: Language, *, percent: bool = False) -> list[float]:
    """Return the numbers in a text, in digits or in words; with `percent` also words like "half"."""
    found = [float(number.replace(",", ".")) for number in _NUMBER.findall(text)]
    indexes = (language.amounts, language.numbers) if percent else (language.numbers,)
    words = list(words_of(text))
    for index in indexes:
        for named in index.find(tuple(words)):
            found.append(float(named.meanings[0]))
            # Taken, so that "three quarters" is not also a three.
            words[named.start : named.end] = [""] * (named.end - named.start)
    return list(dict.fromkeys(found))


def number_schema(
    text: str, language: Language, low: float, high: float, *, percent: bool = False
) -> JsonSchema | None:
    """Return the schema of a number from `low` to `high` that a request names, or None."""
    fitting = [n for n in numbers_in(text, language, percent=percent) if low <= n <= high]
    return {"type": "number", "enum": [_plain(n) for n in fitting]} if fitting else None


def step_schema(text: str, language: Language, steps: Iterable[float], limit: float) -> JsonSchema:
    """Return the schema of how far something is moved, up or down.

    The numbers a request names up to `limit`, or else the usual `steps`; upwards, downwards or
    both, as its words say.
    """
    named = [n for n in numbers_in(text, language) if 0 < n <= limit]
    sizes = named or list(steps)
    sign = direction(text, language)
    signs = (sign,) if sign else (1, -1)
    return {"type": "number", "enum": [_plain(sign * size) for sign in signs for size in sizes]}


def direction(text: str, language: Language) -> int:
    """Return 1 where a request says upwards only, -1 where downwards only, else 0."""
    signs = {sign for found in language.directions.find(words_of(text)) for sign in found.meanings}
    return signs.pop() if len(signs) == 1 else 0


def mentioned(text: str, language: Language, options: Iterable[str]) -> list[str]:
    """Return the options whose name occurs in a text, all its words in a row.

    An option that is called like a word that names nothing ("off") is never mentioned.
    """
    words = words_of(text)
    names = {option: words_of(option.replace("_", " ")) for option in options}
    return [
        option
        for option, name in names.items()
        if occurs(name, words) and not language.ignored.issuperset(name)
    ]


def choice_schema(options: list[str]) -> JsonSchema | None:
    """Return the schema of one of some names, or None where there are none."""
    return {"type": "string", "enum": options} if options else None


def span_schema(text: str, ignored: frozenset[str]) -> JsonSchema | None:
    """Return the schema of a part of the request, word for word, or None where nothing is named.

    Parts that begin or end with a word that names nothing are left out, so that what is searched
    for is neither rewritten nor padded.
    """
    words = [word.strip('.,;!?"') for word in text.split()]
    words = [word for word in words if word]
    if len(words) > _MAX_SPAN_WORDS:
        return {"type": "string", "minLength": 1, "maxLength": 100}
    spans = [
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if words[start].casefold() not in ignored and words[end - 1].casefold() not in ignored
    ]
    return choice_schema(list(dict.fromkeys(spans)))


def _plain(value: float) -> float | int:
    """Return a whole number as an integer, so that it is written without a fraction."""
    return int(value) if value == int(value) else value

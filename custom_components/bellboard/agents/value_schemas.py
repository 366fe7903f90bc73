"""Values that a request names, extracted as JSON schemas that bind a model's choice.

Numbers, colours and modes that are named are the only ones offered, so that a weak model cannot invent
any.
"""

from collections.abc import Iterable
import re

from ..home.names import occurs, words_of
from ..llm.models import JsonSchema
from ..nlu.loader import Language

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?")
# Up to this many words the spans of a request are an enum; of a longer one the model writes a span itself.
_MAX_SPAN_WORDS = 12


def find_numbers(text: str, language: Language, *, percent: bool = False) -> list[float]:
    """Return the numbers in a text, in digits or in words; with `percent` also words like "half"."""
    found = [float(number.replace(",", ".")) for number in _NUMBER.findall(text)]
    indexes = (language.amounts, language.numbers) if percent else (language.numbers,)
    words = list(words_of(text))
    for index in indexes:
        for named in index.find(tuple(words)):
            found.append(float(named.meanings[0]))
            # Consumed, so that "three quarters" is not also a three.
            words[named.start : named.end] = [""] * (named.end - named.start)
    return list(dict.fromkeys(found))


def number_schema(
    text: str, language: Language, low: float, high: float, *, percent: bool = False
) -> JsonSchema | None:
    """Return the schema of the numbers from `low` to `high` that a request names; None for none."""
    fitting = [n for n in find_numbers(text, language, percent=percent) if low <= n <= high]
    return {"type": "number", "enum": [_plain(n) for n in fitting]} if fitting else None


def step_schema(text: str, language: Language, steps: Iterable[float], limit: float) -> JsonSchema:
    """Return the schema of a relative change, above 0 for up and below 0 for down.

    Its sizes are the numbers that a request names up to `limit`, else the default `steps`; its signs
    those of the directions that are named, else both.
    """
    named = [n for n in find_numbers(text, language) if 0 < n <= limit]
    sizes = named or list(steps)
    sign = find_direction(text, language)
    signs = (sign,) if sign else (1, -1)
    return {"type": "number", "enum": [_plain(sign * size) for sign in signs for size in sizes]}


def find_direction(text: str, language: Language) -> int:
    """Return the direction that a request names: 1 for up, -1 for down, 0 for none or both."""
    signs = {sign for found in language.directions.find(words_of(text)) for sign in found.meanings}
    return signs.pop() if len(signs) == 1 else 0


def find_mentioned_options(text: str, language: Language, options: Iterable[str]) -> list[str]:
    """Return the options whose names occur in a text as a span.

    An option whose name is a stop word ("off") is never found.
    """
    words = words_of(text)
    names = {option: words_of(option.replace("_", " ")) for option in options}
    return [
        option
        for option, name in names.items()
        if occurs(name, words) and not language.ignored.issuperset(name)
    ]


def choice_schema(options: list[str]) -> JsonSchema | None:
    """Return the schema of an enum of names, or None where there are none."""
    return {"type": "string", "enum": options} if options else None


def span_schema(text: str, ignored: frozenset[str]) -> JsonSchema | None:
    """Return the schema of the spans of a request; None where it has only stop words.

    Spans that begin or end with a stop word (`ignored`) are left out, so that a search query is neither
    rewritten nor padded.
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
    """Return a whole number as an integer, so that JSON has it without a fraction."""
    return int(value) if value == int(value) else value

"""Values that a request names, as schemas a model chooses from."""

import re

from ..llm.models import JsonSchema

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?")
# A span of words is offered whole up to this many words; beyond it the model writes it itself.
_MAX_SPAN_WORDS = 12


def numbers_in(text: str) -> list[float]:
    """Return the numbers written in a text, with a decimal comma or point."""
    return [float(found.replace(",", ".")) for found in _NUMBER.findall(text)]


def number_schema(text: str, low: float, high: float, *, signed: bool = False) -> JsonSchema | None:
    """Return the schema of a number between `low` and `high` that a request names.

    Where the request has numbers, only these can be chosen, and None is returned where none of them
    fits; with `signed` their negatives too. Where it has none, any whole number in the range can.
    """
    found = numbers_in(text)
    if not found:
        return {"type": "integer", "minimum": int(low), "maximum": int(high)}
    values = [*found, *(-value for value in found)] if signed else found
    fitting = list(dict.fromkeys(_plain(value) for value in values if low <= value <= high))
    return {"type": "number", "enum": fitting} if fitting else None


def _plain(value: float) -> float | int:
    """Return a whole number as an integer, so that it is written without a fraction."""
    return int(value) if value == int(value) else value


def choice_schema(options: list[str]) -> JsonSchema | None:
    """Return the schema of one of some names, or None where there are none."""
    return {"type": "string", "enum": options} if options else None


def span_schema(text: str, ignored: frozenset[str]) -> JsonSchema:
    """Return the schema of a part of the request, word for word.

    Parts that begin or end with a word that names nothing are left out, so that what is searched
    for is neither rewritten nor padded.
    """
    words = [word.strip(".,;!?\"") for word in text.split()]
    words = [word for word in words if word]
    if len(words) > _MAX_SPAN_WORDS:
        return {"type": "string", "minLength": 1, "maxLength": 100}
    spans = [
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if words[start].casefold() not in ignored and words[end - 1].casefold() not in ignored
    ]
    return {"type": "string", "enum": list(dict.fromkeys(spans or [" ".join(words) or text]))}

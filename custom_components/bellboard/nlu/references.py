"""Sentences that refer to what was said before, and how they are recognised.

They are templates in the language files, in the notation of Home Assistant's own sentences.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Any

from hassil.intents import Intents
from hassil.recognize import RecognizeResult, recognize_all

# No template is this long. What is longer is not even looked at.
_MAX_CHARACTERS = 90
_WILDCARD = "what"


@dataclass(frozen=True, slots=True)
class ReferringSentence:
    """What a sentence that refers to something says.

    `kind` is the key of its templates. `which` is what it calls the thing: "it", "them", "both",
    "other", "others", or nothing. `amount` is "little" or "much" where it says how much. `value` is
    the number, colour or the like that it names. `what` is the part that names something else.
    """

    kind: str
    which: str = ""
    amount: str = ""
    value: float | str | None = None
    what: str = ""


class ReferenceSentences:
    """The templates of one language, and the words they are read with.

    `small` are words that name nothing, `things` words for devices by entity domain; both are
    case-folded. `requests` are sentences that Home Assistant understands, by what they ask for.
    """

    def __init__(
        self,
        code: str,
        data: Mapping[str, Any],
        *,
        colors: Sequence[tuple[str, str]],
        levels: Sequence[tuple[str, float]],
        numbers: Sequence[tuple[str, float]],
    ) -> None:
        """Parse the `references` of a language file.

        `colors` and `levels` are the words for colours and for percentages ("half") with what they
        stand for, `numbers` number words. Takes some time: never in the event loop.
        """
        self.small = frozenset(word.casefold() for word in data["small"])
        self.things: Mapping[str, frozenset[str]] = {
            domain: frozenset(word.casefold() for word in words)
            for domain, words in data["things"].items()
        }
        self.requests: Mapping[str, str] = dict(data["requests"])
        self._object = re.compile(data["object"], re.IGNORECASE)
        self._intents = Intents.from_dict(
            {
                "language": code,
                "skip_words": data["skip"],
                "expansion_rules": {
                    **data["rules"],
                    "it": "{which}",
                    "number": "({number:value}|{number_word:value})",
                },
                "lists": {
                    "which": _values(_spoken(data["which"])),
                    "rest": _values(_spoken(data["which"], "other", "others")),
                    "amount": _values(_spoken(data["amount"])),
                    "color": _values(colors),
                    "level": _values(levels),
                    "number_word": _values(numbers),
                    "number": _range(0, 100, fractions="tenths"),
                    "kelvin": _range(1000, 10000),
                    _WILDCARD: {"wildcard": True},
                },
                "intents": {
                    kind: {"data": [{"sentences": [f"[<lead>] {text}" for text in texts]}]}
                    for kind, texts in data["sentences"].items()
                },
            }
        )
        self.kinds = frozenset(self._intents.intents)
        # What recognises lists of words is built at its first use.
        for word, _ in (*numbers[:1], *colors[:1]):
            self._match(f"{word} %")

    def recognize(self, text: str) -> ReferringSentence | None:
        """Return what a sentence says, or None where it is none that refers to something.

        A sentence must match from its first to its last word.
        """
        if len(text) > _MAX_CHARACTERS:
            return None
        results = self._match(text)
        if not results:
            return None
        best = min(results, key=lambda result: len(_text_of(result, _WILDCARD)))
        values = {slot: entity.value for slot, entity in best.entities.items()}
        return ReferringSentence(
            kind=best.intent.name,
            which=str(values.get("which") or values.get("rest") or ""),
            amount=str(values.get("amount", "")),
            value=values.get("value"),
            what=_text_of(best, _WILDCARD),
        )

    def refers(self, text: str) -> bool:
        """Return whether a sentence is about something it does not name."""
        heard = self.recognize(text)
        return self.has_object(text) or bool(heard and not heard.what)

    def has_object(self, text: str) -> bool:
        """Return whether a request is about something it only calls "it" or the like."""
        return bool(self._object.search(text))

    def _match(self, text: str) -> list[RecognizeResult]:
        """Return all the ways in which a text matches a template."""
        return list(recognize_all(text, self._intents))


def _text_of(result: RecognizeResult, slot: str) -> str:
    """Return the words of a slot, or nothing where it is not filled."""
    entity = result.entities.get(slot)
    return entity.text.strip() if entity else ""


def _spoken(data: Mapping[str, Iterable[str]], *keys: str) -> list[tuple[str, str]]:
    """Return each way to say something with its key; of some keys only where they are given."""
    return [(text, key) for key in keys or data for text in data[key]]


def _values(named: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return a list of words and what they stand for, as templates need it."""
    return {"values": [{"in": text, "out": value} for text, value in named]}


def _range(low: int, high: int, fractions: str | None = None) -> dict[str, Any]:
    """Return a list of numbers in digits, as templates need it."""
    numbers: dict[str, Any] = {"from": low, "to": high, "words": False}
    return {"range": {**numbers, "fractions": fractions} if fractions else numbers}

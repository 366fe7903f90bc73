"""Recognition of anaphoric sentences, which refer to earlier turns: "and the other one", "a bit more".

They are templates in the language files, in Home Assistant's notation.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Any

from hassil.intents import Intents
from hassil.recognize import RecognizeResult, recognize_all

# No template is longer. Longer texts are not matched.
_MAX_CHARACTERS = 90
_WILDCARD = "what"
# Of a language that leaves them out, since the reader does without them.
_LEFT_OUT: Mapping[str, Any] = {
    "small": (),
    "things": {},
    "object": "(?!)",
    "which": {},
    "amount": {},
    "rules": {},
    "sentences": {},
    "requests": {},
}


@dataclass(frozen=True, slots=True)
class ReferringSentence:
    """Match of an anaphoric sentence.

    `kind` is the key of its template. `which` is its anaphor: "it", "them", "both", "other", "others" or
    "". `amount` is "little", "much" or "". `value` is a number, colour or the like in it. `what` is the
    noun phrase of another target.
    """

    kind: str
    which: str = ""
    amount: str = ""
    value: float | str | None = None
    what: str = ""


class ReferenceSentences:
    """Recogniser of anaphoric sentences in one language.

    `small` are stop words, `things` nouns for devices by entity domain; both are case-folded.
    `requests` are sentences that Home Assistant recognises, by the action they ask for. `kinds` are the
    keys of all templates.
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
        """Parse the `references` section of a language file. Too slow for the event loop.

        `colors`, `levels` (percentages like "half") and `numbers` are words with their values. All but the words
        to `skip` may be left out of the section: nothing is matched then.
        """
        data = {**_LEFT_OUT, **data}
        self.small = frozenset(word.casefold() for word in data["small"])
        self.things: Mapping[str, frozenset[str]] = {
            domain: frozenset(word.casefold() for word in words)
            for domain, words in data["things"].items()
        }
        self.requests: Mapping[str, str] = dict(data["requests"])
        self._object = re.compile(data["object"], re.IGNORECASE)
        lists = {
            "which": _values(_spoken(data["which"])),
            "rest": _values(_spoken(data["which"], "other", "others")),
            "amount": _values(_spoken(data["amount"])),
            "color": _values(colors),
            "level": _values(levels),
            "number_word": _values(numbers),
            "number": _range(0, 100, fractions="tenths"),
            "kelvin": _range(1000, 10000),
            _WILDCARD: {"wildcard": True},
        }
        self._intents = _build_intents(code, data, lists)
        self.kinds = frozenset(self._intents.intents)
        # hassil builds its word lists at the first use, which must not be in the event loop.
        for word, _ in (*numbers[:1], *colors[:1]):
            self._match(f"{word} %")

    def recognize(self, text: str) -> ReferringSentence | None:
        """Return the match of a whole sentence, or None where no template matches."""
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
        """Return whether a sentence refers to a target that it does not name."""
        heard = self.recognize(text)
        return self.has_object(text) or bool(heard and not heard.what)

    def has_object(self, text: str) -> bool:
        """Return whether the object of a request is a pronoun."""
        return bool(self._object.search(text))

    def _match(self, text: str) -> list[RecognizeResult]:
        """Return all matches of templates with a text."""
        return list(recognize_all(text, self._intents))


def _build_intents(code: str, data: Mapping[str, Any], lists: Mapping[str, Any]) -> Intents:
    """Return hassil's intents of a language, each kind with its templates after an optional lead."""
    return Intents.from_dict(
        {
            "language": code,
            "skip_words": data["skip"],
            "expansion_rules": {
                **data["rules"],
                "it": "{which}",
                "number": "({number:value}|{number_word:value})",
            },
            "lists": lists,
            "intents": {
                kind: {"data": [{"sentences": [f"[<lead>] {text}" for text in texts]}]}
                for kind, texts in data["sentences"].items()
            },
        }
    )


def _text_of(result: RecognizeResult, slot: str) -> str:
    """Return the text of a slot, "" for an empty one."""
    entity = result.entities.get(slot)
    return entity.text.strip() if entity else ""


def _spoken(data: Mapping[str, Iterable[str]], *keys: str) -> list[tuple[str, str]]:
    """Return pairs of phrase and key, of some keys or all."""
    return [(text, key) for key in keys or data for text in data.get(key, ())]


def _values(named: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return a text list of hassil: words with their values."""
    return {"values": [{"in": text, "out": value} for text, value in named]}


def _range(low: int, high: int, fractions: str | None = None) -> dict[str, Any]:
    """Return a range list of hassil: numbers in digits."""
    numbers: dict[str, Any] = {"from": low, "to": high, "words": False}
    return {"range": {**numbers, "fractions": fractions} if fractions else numbers}

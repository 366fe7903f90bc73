"""Plain commands to things that are named by a part of their names ("turn on the desk light")."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
import re
from typing import Any

from hassil.intents import Intents
from hassil.recognize import recognize_all

from ..home.names import NameIndex, words_of
from ..home.phrases import Kind, KindWord, PhraseWords, Role

_TARGET = "target"
_PERCENT = {"range": {"type": "percentage", "from": 0, "to": 100}}
_NUMBERS: Mapping[str, Any] = {
    "brightness": _PERCENT,
    "volume_level": _PERCENT,
    "temperature": {"range": {"type": "temperature", "from": 0, "to": 100, "fractions": "halves"}},
}


@dataclass(frozen=True, slots=True)
class PlainCommand:
    """A command that was heard: the intent, its slots, and the words for what it is for."""

    intent: str
    slots: Mapping[str, Any]
    target: str


@dataclass(frozen=True, slots=True)
class PlainCommands:
    """The commands of a language.

    `polite` finds what may be said around a command ("please"); `requests` are the words that begin
    a request in the form of a question ("could you").
    """

    intents: Intents
    polite: re.Pattern[str]
    requests: frozenset[str]

    def read(self, text: str) -> list[PlainCommand]:
        """Return all commands that a text can be."""
        return [
            PlainCommand(
                result.intent.name,
                {name: e.value for name, e in result.entities.items() if name != _TARGET},
                str(result.entities[_TARGET].value),
            )
            for result in recognize_all(self.polite.sub(" ", text), self.intents)
        ]

    def is_request(self, text: str) -> bool:
        """Return whether a text that ends like a question only asks politely for something."""
        return not self.requests.isdisjoint(words_of(text)[:1])


def load_commands(code: str, data: Mapping[str, Any]) -> PlainCommands:
    """Return the commands of a language file's `partial` section."""
    steps = [{"in": word, "out": step} for step, words in data["steps"].items() for word in words]
    polite = "|".join(
        re.escape(phrase).replace("'", "['’]")
        for phrase in sorted(data["polite"], key=len, reverse=True)
    )
    intents = _intents(code, data["commands"], data["rules"], {"volume_step": {"values": steps}})
    numbers = _intents(code, {"": [f"{{{name}}}" for name in _NUMBERS]})
    for each in (intents, numbers):
        # Nothing is heard, but sentences and the words for numbers are built now and not in a turn.
        list(recognize_all("-", each))
    return PlainCommands(
        intents=intents,
        polite=re.compile(rf"(?<!\w)(?:{polite})(?!\w)", re.IGNORECASE),
        requests=frozenset(data["requests"]),
    )


def _intents(
    code: str,
    commands: Mapping[str, list[str]],
    rules: Mapping[str, str] | None = None,
    lists: Mapping[str, Any] | None = None,
) -> Intents:
    """Return the intents with these sentences."""
    return Intents.from_dict(
        {
            "language": code,
            "intents": {name: {"data": [{"sentences": s}]} for name, s in commands.items()},
            "expansion_rules": rules or {},
            "lists": {_TARGET: {"wildcard": True}, **_NUMBERS, **(lists or {})},
        }
    )


def load_phrases(
    data: Mapping[str, Any], everywhere: Iterable[str], others: frozenset[str]
) -> PhraseWords:
    """Return the words of a language file's `partial` section that name things and how many.

    `everywhere` are the words for the whole home, `others` those for things of no kind named here.
    """
    kinds = [
        word
        for kind, entry in data["kinds"].items()
        for key, is_general in (("general", True), ("named", False))
        for one, many in entry.get(key, {}).items()
        for word in _kind_words(Kind(kind), one, many, is_general=is_general)
    ]
    roles = {**data, Role.EVERYWHERE: everywhere}
    named = [(" ".join(word.said), word) for word in kinds]
    return PhraseWords(
        index=NameIndex([*named, *((phrase, role) for role in Role for phrase in roles[role])]),
        endings=tuple(data["endings"]),
        links=("", *data["links"]),
        seconds=tuple(word.said[0] for word in kinds if word.can_be_compounded),
        plural_articles=frozenset(data["plural_articles"]),
        others=others,
        rooms=frozenset(word for phrase in data[Role.HERE] for word in words_of(phrase)),
    )


def _kind_words(kind: Kind, one: str, many: str, *, is_general: bool) -> Iterator[KindWord]:
    """Yield the words for one thing of a kind and for several; one word where they are alike."""
    singular, plural = words_of(one), words_of(many)
    for said, is_plural in ((singular, False), (plural, True)):
        yield KindWord(
            kind=kind,
            said=said,
            one=singular,
            is_plural=None if singular == plural else is_plural,
            is_general=is_general,
        )

"""Plain commands, from the sentence files of a language.

In `sentences/<language>/` there is a file for each agent, and one for what is said of any device.
Their sentences are written as Home Assistant writes its own. `{target}` are the words for what is
meant ("the desk light"); a sentence without it means what is near or playing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
import re
from typing import Any

from hassil.intents import Intents
from hassil.recognize import recognize_all
from homeassistant.util.yaml import load_yaml_dict

from ..domains.registry import percentage_slots
from ..home.names import NameIndex, words_of
from .phrases import Kind, KindWord, PhraseWords, Role
from .sentence import MAX_COMMAND

_FOLDER = Path(__file__).parent / "sentences"
_COMMON = "common"
# Read by `language.conditions`.
_CONDITIONS = "conditions"
# The words for what is meant, and more of them that say where.
_PHRASES = ("target", "place")
_NATIVE = "Hass"
_PERCENT = {"range": {"type": "percentage", "from": 0, "to": 100}}
_STEP = {"type": "percentage", "from": 1, "to": 100}
_DEGREES = {"type": "temperature", "from": 1, "to": 20, "fractions": "halves"}
_NUMBERS: Mapping[str, Any] = {
    **dict.fromkeys(sorted(percentage_slots()), _PERCENT),
    "temperature": {"range": {"type": "temperature", "from": 0, "to": 250, "fractions": "halves"}},
    "kelvin": {"range": {"from": 1000, "to": 10000}},
    "up_percent": {"range": _STEP},
    # Another bound than upwards: hassil keeps number words by their bounds, whatever they are multiplied by.
    "down_percent": {"range": {**_STEP, "to": 101, "multiplier": -1}},
    "up_degrees": {"range": _DEGREES},
    "down_degrees": {"range": {**_DEGREES, "to": 21, "multiplier": -1}},
}
# How far a step goes that is called little or much, against the one that is not called anything.
_AMOUNTS: Mapping[str, float] = {"little": 0.5, "much": 2}
_AMOUNT = "amount"


@dataclass(frozen=True, slots=True)
class PlainCommand:
    """A command that was heard: the intent, its slots, and the words for what it is for.

    `intent` is one of Home Assistant's, or that of one agent: its id and its action, as in
    "light-agent/set". `target` is empty where nothing was named.
    """

    intent: str
    slots: Mapping[str, Any]
    target: str = ""

    @property
    def agent_id(self) -> str:
        """Return the id of the agent the command is for, or nothing where any may take it."""
        agent_id, _, action = self.intent.partition("/")
        return agent_id if action else ""

    @property
    def is_telling(self) -> bool:
        """Return whether only something is to be told."""
        return "/tell_" in self.intent


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
        found: list[PlainCommand] = []
        if len(text) > MAX_COMMAND:
            return found
        for result in recognize_all(_tidy(self.polite.sub(" ", text)), self.intents):
            slots = {name: entity.value for name, entity in result.entities.items()}
            # What is meant may be said on both sides of the verb: "the lights on in the kitchen".
            target = " ".join(str(slots.pop(name, "")) for name in _PHRASES).strip()
            command = PlainCommand(result.intent.name, _scaled(slots), target)
            if command not in found:
                found.append(command)
        return found

    def is_request(self, text: str) -> bool:
        """Return whether a text that ends like a question only asks politely for something."""
        return not self.requests.isdisjoint(words_of(text)[:1])


def _tidy(text: str) -> str:
    """Return a text without the marks around it, and with single spaces."""
    return " ".join(text.strip(" .,;:!?¡¿").split())


def _scaled(slots: dict[str, Any]) -> dict[str, Any]:
    """Return slots in which a step that is called little or much is as long as that."""
    amount = slots.pop(_AMOUNT, None)
    if amount in _AMOUNTS and "by" in slots:
        slots["by"] *= _AMOUNTS[amount]
    return slots


def load_commands(
    code: str, *, colors: Iterable[tuple[str, str]], levels: Iterable[tuple[str, float]]
) -> PlainCommands:
    """Return the commands of a language's sentence files.

    `colors` are words with the colours they are, `levels` words with the percentages they are.
    """
    common = load_yaml_dict(_FOLDER / code / f"{_COMMON}.yaml")
    rules: dict[str, str] = dict(common["rules"])
    commands: dict[str, Any] = {}
    for path in sorted((_FOLDER / code).glob("*.yaml")):
        if path.stem in {_COMMON, _CONDITIONS}:
            continue
        data = load_yaml_dict(path)
        rules |= {
            f"{path.stem}_{name}": _own_rules(path.stem, rule, data)
            for name, rule in data.get("rules", {}).items()
        }
        for name, sentences in data["commands"].items():
            key = name if name.startswith(_NATIVE) else f"{data['agent']}/{name}"
            commands.setdefault(key, []).extend(
                {**entry, "sentences": [_own_rules(path.stem, t, data) for t in entry["sentences"]]}
                for entry in _entries(sentences)
            )
    lists = {
        **{name: {"values": values} for name, values in common["lists"].items()},
        "color": {"values": [{"in": word, "out": color} for word, color in colors]},
        "level": {"values": [{"in": word, "out": value} for word, value in levels]},
    }
    polite = "|".join(
        re.escape(phrase).replace("'", "['’]")
        for phrase in sorted(common["polite"], key=len, reverse=True)
    )
    intents = _intents(code, commands, rules, lists)
    numbers = _intents(code, {"": [{"sentences": [f"{{{name}}}" for name in _NUMBERS]}]})
    for each in (intents, numbers):
        # Nothing is heard, but sentences and the words for numbers are built now and not in a turn.
        list(recognize_all("-", each))
    return PlainCommands(
        intents=intents,
        polite=re.compile(rf"(?<!\w)(?:{polite})(?!\w)", re.IGNORECASE),
        requests=frozenset(common["requests"]),
    )


def _entries(sentences: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield sentences as Home Assistant groups them: plain ones together, others with their slots."""
    if plain := [entry for entry in sentences if isinstance(entry, str)]:
        yield {"sentences": plain}
    yield from (dict(entry) for entry in sentences if not isinstance(entry, str))


def _own_rules(stem: str, template: str, data: Mapping[str, Any]) -> str:
    """Return a sentence in which a file's own rules have the file's name, which others may use too."""
    for name in data.get("rules", {}):
        template = template.replace(f"<{name}>", f"<{stem}_{name}>")
    return template


def _intents(
    code: str,
    commands: Mapping[str, list[dict[str, Any]]],
    rules: Mapping[str, str] | None = None,
    lists: Mapping[str, Any] | None = None,
) -> Intents:
    """Return the intents with these sentences."""
    return Intents.from_dict(
        {
            "language": code,
            "intents": {name: {"data": data} for name, data in commands.items()},
            "expansion_rules": rules or {},
            "lists": {
                **{name: {"wildcard": True} for name in _PHRASES},
                **_NUMBERS,
                **(lists or {}),
            },
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
        endings=tuple(_endings(data["endings"])),
        links=("", *data["links"]),
        seconds=tuple(word.said[0] for word in kinds if word.can_be_compounded),
        plural_articles=frozenset(data["plural_articles"]),
        others=others,
        rooms=frozenset(word for phrase in data[Role.HERE] for word in words_of(phrase)),
        verbs={
            word.casefold(): Kind(kind)
            for kind, entry in data["kinds"].items()
            for word in entry.get("verbs", ())
        },
        one=frozenset(word.casefold() for word in data["one"]),
        before_names=(_single_words(data[Role.ARTICLE]) | _single_words(data["inside"]))
        - _single_words(data["one"]),
        apart=_single_words(data.get("apart", ())),
        kind_words=frozenset(word.said[0] for word in kinds if len(word.said) == 1),
        particles=_single_words(data.get("particles", ())),
        purposes=_single_words(data["purposes"]),
        has_articles=data.get("has_articles", True),
    )


def _single_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return the words of phrases that are one word each."""
    found = map(words_of, phrases)
    return frozenset(words[0] for words in found if len(words) == 1)


def _endings(endings: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield the endings of plurals, each with that of the singular: "s" has none, "i" may have "o"."""
    for ending in endings:
        if isinstance(ending, str):
            yield ending, ""
        else:
            yield from ((many, one) for many, ones in ending.items() for one in ones)


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

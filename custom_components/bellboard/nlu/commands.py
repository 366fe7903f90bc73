"""Recognition of plain commands by sentence templates, in Home Assistant's notation.

`sentences/<language>/` has a file for each agent, and one for commands to any device. The slot
`{target}` is the noun phrase of the targets ("the desk light"); without it they are implicit.
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
from ..home.names import words_of
from .sentence import MAX_COMMAND

_FOLDER = Path(__file__).parent / "sentences"
_COMMON = "common"
# Read by `nlu.conditions`.
_CONDITIONS = "conditions"
# Wildcard slots: the noun phrase of the targets, and a second one with the place.
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
    # Other bounds than upwards: hassil caches number words by their bounds, without the multiplier.
    "down_percent": {"range": {**_STEP, "to": 101, "multiplier": -1}},
    "up_degrees": {"range": _DEGREES},
    "down_degrees": {"range": {**_DEGREES, "to": 21, "multiplier": -1}},
}
# Factors of a step for "a little" and "much".
_AMOUNTS: Mapping[str, float] = {"little": 0.5, "much": 2}
_AMOUNT = "amount"


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """Command that a sentence matches: its intent and slots, and the noun phrase of its targets.

    `intent` is one of Home Assistant's, or an agent's own: its id and action ("light-agent/set").
    `target` is empty where none is named.
    """

    intent: str
    slots: Mapping[str, Any]
    target: str = ""

    @property
    def agent_id(self) -> str:
        """Return the id of the agent whose own intent it is, "" for an intent of Home Assistant."""
        agent_id, _, action = self.intent.partition("/")
        return agent_id if action else ""

    @property
    def is_telling(self) -> bool:
        """Return whether it is a question about states."""
        return "/tell_" in self.intent


@dataclass(frozen=True, slots=True)
class CommandSentences:
    """Recogniser of a language's commands.

    `polite` finds phrases to ignore ("please"); `requests` are words that begin a request in the form of
    a question ("could you").
    """

    intents: Intents
    polite: re.Pattern[str]
    requests: frozenset[str]

    def read(self, text: str) -> list[CommandMatch]:
        """Return all commands whose templates match a text."""
        found: list[CommandMatch] = []
        if len(text) > MAX_COMMAND:
            return found
        for result in recognize_all(_tidy(self.polite.sub(" ", text)), self.intents):
            slots = {name: entity.value for name, entity in result.entities.items()}
            # The noun phrase may be on both sides of the verb: "the lights on in the kitchen".
            target = " ".join(str(slots.pop(name, "")) for name in _PHRASES).strip()
            command = CommandMatch(result.intent.name, _scaled(slots), target)
            if command not in found:
                found.append(command)
        return found

    def is_request(self, text: str) -> bool:
        """Return whether a text in the form of a question is a polite request, also after "hey,"."""
        said = text.rpartition("¿")[2]
        before, comma, after = said.partition(",")
        if comma and not words_of(self.polite.sub(" ", before)):
            said = after
        return not self.requests.isdisjoint(words_of(said)[:1])


def _tidy(text: str) -> str:
    """Return a text without punctuation around it, and with single spaces."""
    return " ".join(text.strip(" .,;:!?¡¿").split())


def _scaled(slots: dict[str, Any]) -> dict[str, Any]:
    """Return slots with the step scaled by its amount."""
    amount = slots.pop(_AMOUNT, None)
    if amount in _AMOUNTS and "by" in slots:
        slots["by"] *= _AMOUNTS[amount]
    return slots


def load_commands(
    code: str, *, colors: Iterable[tuple[str, str]], levels: Iterable[tuple[str, float]]
) -> CommandSentences:
    """Return the recogniser of a language, from its sentence files.

    `colors` are words with their colours, `levels` words with their percentages.
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
        # hassil builds templates and number words at the first use, which must not be in a turn.
        list(recognize_all("-", each))
    return CommandSentences(
        intents=intents,
        polite=re.compile(rf"(?<!\w)(?:{polite})(?!\w)", re.IGNORECASE),
        requests=frozenset(common["requests"]),
    )


def _entries(sentences: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield sentences grouped as Home Assistant's files do: plain ones together, others with slots."""
    if plain := [entry for entry in sentences if isinstance(entry, str)]:
        yield {"sentences": plain}
    yield from (dict(entry) for entry in sentences if not isinstance(entry, str))


def _own_rules(stem: str, template: str, data: Mapping[str, Any]) -> str:
    """Return a template with the names of its file's own rules prefixed by the file's name."""
    for name in data.get("rules", {}):
        template = template.replace(f"<{name}>", f"<{stem}_{name}>")
    return template


def _intents(
    code: str,
    commands: Mapping[str, list[dict[str, Any]]],
    rules: Mapping[str, str] | None = None,
    lists: Mapping[str, Any] | None = None,
) -> Intents:
    """Return hassil's intents with these sentences, expansion rules and lists."""
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

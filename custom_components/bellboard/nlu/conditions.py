"""Sentences with a condition ("if it is above 23 set it to 22"), from a file of each language.

In `sentences/<language>/conditions.yaml` there are the words that begin a condition, what conditions
there are, as Home Assistant writes its own sentences, and what is said where one does not hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
import re
from typing import Any

from hassil.intents import Intents
from hassil.recognize import recognize_all
from homeassistant.util.yaml import load_yaml_dict

from ..home.names import words_of
from .condition_models import Condition
from .sentence import MAX_COMMAND

_FOLDER = Path(__file__).parent / "sentences"
_FILE = "conditions.yaml"
_TARGET = "target"
# What is longer is no sentence that somebody says to a lamp, and takes too long to look at.
_MAX_CHARACTERS = 200
# "It" is what the condition is about only where the command begins with it.
_WORDS_BEFORE_PRONOUN = 3
_WORD = re.compile(r"\S+")
_LISTS: Mapping[str, Any] = {
    _TARGET: {"wildcard": True},
    "degrees": {"range": {"type": "temperature", "from": 0, "to": 250, "fractions": "halves"}},
    # In words, a half would be added to what is below zero.
    "below_zero": {"range": {"type": "temperature", "from": -60, "to": -1}},
    "percent": {"range": {"type": "percentage", "from": 0, "to": 100}},
}


@dataclass(frozen=True, slots=True)
class Conditional:
    """A sentence taken apart: what is to be done where its conditions hold, and `other`wise.

    `clauses` must all hold; each has all the ways it can be read. With `is_negated` ("unless") the
    command is for where they do not. `other` is empty where nothing was said for that.
    """

    clauses: tuple[tuple[Condition, ...], ...]
    command: str
    other: str
    is_negated: bool


class ConditionSentences:
    """The conditions of one language. Without data there are none."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        """Parse the data of a file. Takes some time: never in the event loop."""
        self._if = _phrases(data.get("if", ()))
        self._unless = _phrases(data.get("unless", ()))
        self._polite = _phrases(data.get("polite", ()), around=r" ?[,;]? ?")
        self._and = _phrases(data.get("and", ()))
        then = rf"(?:(?:{_either(data['then'])})\s+)*" if data.get("then") else ""
        self._then = re.compile(rf"\A[\s,;:]*{then}", re.IGNORECASE)
        self._and_words = frozenset(words_of(" ".join((*data.get("and", ()), *data.get("or", ())))))
        self._otherwise = _phrases(data.get("otherwise", ()), around=r"[ ,;.:]{0,3}")
        self._it = frozenset(data.get("it", ()))
        self._verbs = frozenset(data.get("verbs", ()))
        self._pronouns = [
            (re.compile(pattern, re.IGNORECASE), words)
            for pattern, words in data.get("pronouns", {}).items()
        ]
        self._placed: Sequence[str] = data.get("placed", ())
        self._replies: Mapping[str, str] = data.get("replies", {})
        self.windows_and_doors: Mapping[str, frozenset[str]] = {
            name: frozenset(words) for name, words in data.get("windows_and_doors", {}).items()
        }
        self.any = frozenset(data.get("any", ()))
        self.intents = Intents.from_dict(
            {
                "language": code,
                "intents": {
                    name: {"data": entries} for name, entries in data.get("conditions", {}).items()
                },
                "expansion_rules": data.get("forms", {}),
                "lists": {
                    **_LISTS,
                    "unit": {"values": data.get("units", [])},
                },
            }
        )
        # Words for numbers are built at the first use, which had better not be in the event loop.
        list(recognize_all("12", self.intents))

    def is_conditional(self, text: str) -> bool:
        """Return whether a text has a word that begins a condition, rightly or not."""
        return any(mark.search(text) for mark in (self._if, self._unless))

    def begins(self, text: str) -> bool:
        """Return whether a text begins with a condition, whatever it is."""
        text = self._then.sub("", text)
        found = self._unless.match(text) or self._if.match(text)
        # "Si, allume la lampe" only agrees.
        return found is not None and not text[found.end() :].lstrip().startswith(",")

    def without_politeness(self, text: str) -> str:
        """Return a text without what sounds like a condition and is none ("if you can")."""
        return self._polite.sub(" ", text).strip()

    def take_apart(self, text: str, verbs: frozenset[str]) -> Iterator[Conditional]:
        """Yield the ways to take a sentence apart that make its condition one of those known.

        `verbs` are the words that commands begin with, beside those of the file. The longest
        condition comes first: "it is above 20 degrees outside" before "it is above 20".
        """
        if len(text) > _MAX_CHARACTERS:
            return
        text = self._then.sub("", text.strip().rstrip(".!?"))
        for mark, is_negated in ((self._unless, True), (self._if, False)):
            if found := mark.search(text):
                before, after = text[: found.start()].strip(" ,;"), text[found.end() :].strip()
                main, other = _partition(self._otherwise, after)
                splits = [(main, before)] if before else self._splits(main, self._verbs | verbs)
                for condition, command in splits:
                    for clauses in self._clauses(condition):
                        yield Conditional(clauses, command, other, is_negated)
                return

    def _splits(self, text: str, verbs: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield where a condition can end and its command begin, the latest first.

        A command begins with a verb, or it is told where it begins.
        """
        for word in reversed(list(_WORD.finditer(text))[1:]):
            before, rest = text[: word.start()].rstrip(), text[word.start() :]
            command = self._then.sub("", rest)
            first = words_of(command)[:1]
            is_told = before.endswith((",", ";", ":")) or command != rest
            if first and first[0] not in self._and_words and (is_told or first[0] in verbs):
                yield before.strip(" ,;:"), command

    def _clauses(self, text: str) -> Iterator[tuple[tuple[Condition, ...], ...]]:
        """Yield the ways to read a condition: as one clause, and as several that must all hold."""
        if whole := tuple(self._read(text)):
            yield (whole,)
        pieces = self._and.split(text)
        clauses = [tuple(self._read(piece)) for piece in pieces]
        if len(pieces) > 1 and all(clauses):
            yield tuple(clauses)

    def _read(self, text: str) -> Iterator[Condition]:
        """Yield the conditions that a text can be."""
        said = " ".join(text.replace("’", "'").split())
        if len(said) > MAX_COMMAND:
            return
        for result in recognize_all(said, self.intents):
            slots = {name: entity.value for name, entity in result.entities.items()}
            target = str(slots.pop(_TARGET, "")).strip()
            yield Condition(result.intent.name, slots, target)

    def is_pronoun(self, target: str) -> bool:
        """Return whether a condition is about what it only calls "it"."""
        return target.casefold() in self._it

    def without_any(self, target: str) -> str:
        """Return the words for several things without the one that means any of them."""
        first, _, rest = target.partition(" ")
        return rest if rest and first.casefold() in self.any else target

    def point(self, command: str, name: str) -> str | None:
        """Return a command in which "it" is called by its name, or None where there is no "it"."""
        for pattern, words in self._pronouns:
            found = pattern.search(command)
            if found and len(command[: found.start()].split()) < _WORDS_BEFORE_PRONOUN:
                said = found.expand(words).replace("{name}", name)
                return f"{command[: found.start()]}{said}{command[found.end() :]}"
        return None

    def has_pronoun(self, command: str) -> bool:
        """Return whether a command is for what it only calls "it"."""
        return self.point(command, "") is not None

    def place(self, command: str, place: str) -> list[str]:
        """Return the ways to say a command for a place, the usual one first."""
        head, _, last = command.rpartition(" ")
        return [
            template.format(command=command, head=head, last=last, place=place)
            for template in self._placed
            if head or "{head}" not in template
        ]

    def say(self, key: str, **values: object) -> str:
        """Return a reply with its values filled in.

        Raises:
            KeyError: there is no such reply, or a value is missing.
        """
        return self._replies[key].format_map(values)


def load_conditions(code: str) -> ConditionSentences:
    """Return the conditions of a language; none where there is no file for them."""
    path = _FOLDER / code / _FILE
    return ConditionSentences(code, load_yaml_dict(path) if path.is_file() else {})


def _either(phrases: Sequence[str]) -> str:
    """Return the pattern for one of some phrases; the longest is tried first."""
    return "|".join(
        re.escape(phrase).replace(r"\ ", r"\s+").replace("'", "['’]")
        for phrase in sorted(phrases, key=len, reverse=True)
    )


def _phrases(phrases: Sequence[str], around: str = "") -> re.Pattern[str]:
    """Return the pattern that finds phrases as whole words; one cut short may go on at once."""
    if not phrases:
        return re.compile(r"(?!)")
    words = rf"(?<!\w)(?:{_either(phrases)})(?:(?<=['’])|(?!\w))"
    return re.compile(f"{around}{words}{around}", re.IGNORECASE)


def _partition(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return what is before the first match of a pattern and what is after it, if there is one."""
    if found := pattern.search(text):
        return text[: found.start()].strip(), text[found.end() :].strip()
    return text, ""

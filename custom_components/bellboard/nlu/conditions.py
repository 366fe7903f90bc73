"""Recognition of conditional sentences ("if it is above 23 set it to 22").

The section `conditions` of a language file has the conjunctions, the conditions as templates in Home
Assistant's notation, and the replies for a condition that does not hold.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Any

from hassil.intents import Intents
from hassil.recognize import recognize_all

from ..home.names import words_of
from .condition_models import Condition
from .sentence import MAX_COMMAND

_TARGET = "target"
# Longer texts are not matched: nobody says them to a lamp, and matching would block the event loop.
_MAX_CHARACTERS = 200
# "It" refers to the condition's entity only near the beginning of the command.
_WORDS_BEFORE_PRONOUN = 3
_WORD = re.compile(r"\S+")
_LISTS: Mapping[str, Any] = {
    _TARGET: {"wildcard": True},
    "degrees": {"range": {"type": "temperature", "from": 0, "to": 250, "fractions": "halves"}},
    # In digits only: in words, a half would be added to numbers below zero.
    "below_zero": {"range": {"type": "temperature", "from": -60, "to": -1}},
    "percent": {"range": {"type": "percentage", "from": 0, "to": 100}},
}


@dataclass(frozen=True, slots=True)
class ConditionalSentence:
    """Conditional sentence, split into its clauses, the command, and the `other` command ("otherwise").

    `clauses` must all hold; each is a tuple of its possible readings. With `is_negated` ("unless") the
    command is for when they do not hold. `other` is empty where there is none.
    """

    clauses: tuple[tuple[Condition, ...], ...]
    command: str
    other: str
    is_negated: bool


class ConditionSentences:
    """Recogniser of conditional sentences in one language; without data it recognises none."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        """Parse the data of a file. Too slow for the event loop."""
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
        # hassil builds its number words at the first use, which must not be in the event loop.
        list(recognize_all("12", self.intents))

    def is_conditional(self, text: str) -> bool:
        """Return whether a text has a conditional conjunction, anywhere."""
        return any(mark.search(text) for mark in (self._if, self._unless))

    def begins(self, text: str) -> bool:
        """Return whether a text begins with a conditional conjunction."""
        text = self._then.sub("", text)
        found = self._unless.match(text) or self._if.match(text)
        # "Si, allume la lampe": a comma makes it an agreement.
        return found is not None and not text[found.end() :].lstrip().startswith(",")

    def without_politeness(self, text: str) -> str:
        """Return a text without polite phrases that look like conditions ("if you can")."""
        return self._polite.sub(" ", text).strip()

    def split(self, text: str, verbs: frozenset[str]) -> Iterator[ConditionalSentence]:
        """Yield the splits of a sentence into a known condition and a command.

        `verbs` are the words that commands begin with, beside those of the file. The split with the
        longest condition goes first: "it is above 20 degrees outside" before "it is above 20".
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
                        yield ConditionalSentence(clauses, command, other, is_negated)
                return

    def _splits(self, text: str, verbs: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Yield the splits of a text into condition and command, the longest condition first.

        A command begins with a verb, or after a comma or a word like "then".
        """
        for word in reversed(list(_WORD.finditer(text))[1:]):
            before, rest = text[: word.start()].rstrip(), text[word.start() :]
            command = self._then.sub("", rest)
            first = words_of(command)[:1]
            is_told = before.endswith((",", ";", ":")) or command != rest
            if first and first[0] not in self._and_words and (is_told or first[0] in verbs):
                yield before.strip(" ,;:"), command

    def _clauses(self, text: str) -> Iterator[tuple[tuple[Condition, ...], ...]]:
        """Yield the parses of a condition: as one clause, and as several joined by "and"."""
        if whole := tuple(self._read(text)):
            yield (whole,)
        pieces = self._and.split(text)
        clauses = [tuple(self._read(piece)) for piece in pieces]
        if len(pieces) > 1 and all(clauses):
            yield tuple(clauses)

    def _read(self, text: str) -> Iterator[Condition]:
        """Yield the conditions whose templates match a text."""
        said = " ".join(text.replace("’", "'").split())
        if len(said) > MAX_COMMAND:
            return
        for result in recognize_all(said, self.intents):
            slots = {name: entity.value for name, entity in result.entities.items()}
            target = str(slots.pop(_TARGET, "")).strip()
            yield Condition(result.intent.name, slots, target)

    def is_pronoun(self, target: str) -> bool:
        """Return whether a condition's target is a pronoun."""
        return target.casefold() in self._it

    def without_any(self, target: str) -> str:
        """Return a noun phrase without its leading "any"."""
        first, _, rest = target.partition(" ")
        return rest if rest and first.casefold() in self.any else target

    def point(self, command: str, name: str) -> str | None:
        """Return a command with its pronoun replaced by a name, or None where it has none."""
        for pattern, words in self._pronouns:
            found = pattern.search(command)
            if found and len(command[: found.start()].split()) < _WORDS_BEFORE_PRONOUN:
                said = found.expand(words).replace("{name}", name)
                return f"{command[: found.start()]}{said}{command[found.end() :]}"
        return None

    def has_pronoun(self, command: str) -> bool:
        """Return whether a command has a pronoun as its target."""
        return self.point(command, "") is not None

    def place(self, command: str, place: str) -> list[str]:
        """Return the wordings of a command with a place added, the usual one first."""
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


def _either(phrases: Sequence[str]) -> str:
    """Return the regular expression for one of some phrases, the longest first."""
    return "|".join(
        re.escape(phrase).replace(r"\ ", r"\s+").replace("'", "['’]")
        for phrase in sorted(phrases, key=len, reverse=True)
    )


def _phrases(phrases: Sequence[str], around: str = "") -> re.Pattern[str]:
    """Return the pattern that finds phrases as whole words; an elided one ends with an apostrophe."""
    if not phrases:
        return re.compile(r"(?!)")
    words = rf"(?<!\w)(?:{_either(phrases)})(?:(?<=['’])|(?!\w))"
    return re.compile(f"{around}{words}{around}", re.IGNORECASE)


def _partition(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """Return the text before the first match of a pattern, and the text after it or ""."""
    if found := pattern.search(text):
        return text[: found.start()].strip(), text[found.end() :].strip()
    return text, ""

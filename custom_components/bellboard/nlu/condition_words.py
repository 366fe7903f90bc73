"""Words of conditional sentences, and where a sentence is split into its condition and its command."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .lexicon import Lexicon, Role, Sense
from .spellings import spell_out
from .tokens import Phrase, Token, spoken_words, tokenise

# Longer texts are not read: nobody says them to a lamp.
_MAX_CHARACTERS = 200
APART = " ,;:"
"""What separates clauses, and belongs to none."""
# "Zowel" begins a list that a word for "if" goes on with.
_BOTH = "both"
# What ends a sentence.
_ENDS = frozenset(".;!")
# "Is the window open" has no command at its end.
_SHORTEST_COMMAND = 2
_STATES = (
    *("on", "off", "open", "closed", "locked", "unlocked", "playing", "silent", "paused"),
    *("home", "away", "cleaning", "docked", "stuck"),
)
"""States that have words of their own beside the reader's."""


class Phrases:
    """Phrases of some keys of a section, to be found in texts."""

    def __init__(self, data: Mapping[str, Any], *keys: str, least: int = 1) -> None:
        """Index the phrases of at least so many words by their words; each means its key."""
        self._meanings: dict[Phrase, str] = {
            spoken_words(phrase): key
            for key in keys
            for text in data.get(key, ())
            for phrase in spell_out(text, {})
            if len(spoken_words(phrase)) >= least
        }
        self._longest = max(map(len, self._meanings), default=0)
        self._first = {phrase[0] for phrase in self._meanings if phrase}

    def find(self, tokens: Sequence[Token]) -> tuple[int, int, str] | None:
        """Return the start and the end of the first phrase among tokens without marks, and its key."""
        return self.find_in(tuple(token.word for token in tokens))

    def find_in(self, words: Phrase) -> tuple[int, int, str] | None:
        """Return the start and the end of the first phrase among words, and its key."""
        return next(filter(None, (self._at(words, at) for at in range(len(words)))), None)

    def _at(self, words: Phrase, at: int) -> tuple[int, int, str] | None:
        """Return the start and the end of the longest phrase that begins at a word, and its key."""
        if words[at] in self._first:
            for end in range(min(at + self._longest, len(words)), at, -1):
                if meaning := self._meanings.get(words[at:end]):
                    return at, end, meaning
        return None

    def beginning(self, tokens: Sequence[Token]) -> int:
        """Return the number of tokens in the longest phrase that tokens without marks begin with, 0 for none."""
        words = tuple(token.word for token in tokens[: self._longest])
        found = self._at(words, 0) if words else None
        return found[1] if found else 0

    def cut(self, text: str) -> tuple[str, str, str]:
        """Return the text before the first phrase, the text after it, and its key; (text, "", "") without one."""
        tokens = words_in(text)
        if (found := self.find(tokens)) is None:
            return text, "", ""
        at, end, meaning = found
        before, after = text[: tokens[at].start], text[tokens[end - 1].end :]
        return before.rstrip(APART), after.lstrip(APART), meaning

    def begins(self, text: str) -> bool:
        """Return whether a text begins with one of the phrases."""
        return bool(self.beginning(words_in(text)))

    def ending(self, text: str) -> str:
        """Return the key of the longest phrase that a text ends with, "" for none."""
        words = tuple(token.word for token in words_in(text)[-self._longest :])
        found = (self._meanings.get(words[at:]) for at in range(len(words)))
        return next(filter(None, found), "")

    def without(self, text: str) -> str:
        """Return a text without any of the phrases."""
        before, after, found = self.cut(text)
        return f"{before} {self.without(after)}".strip() if found else text


@dataclass(frozen=True, slots=True)
class ConditionalSentence:
    """Conditional sentence, split into its condition, its command, and the `other` command ("otherwise").

    With `is_negated` ("unless") the command is for when the condition does not hold. `other` may be empty.
    """

    condition: str
    command: str
    other: str = ""
    is_negated: bool = False


class ConditionWords:
    """Words of one language for conditional sentences; without data it knows none."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Index the phrases of the section `conditions` of a language file."""
        self._marks = Phrases(data, "unless", "if", _BOTH)
        self._openings = Phrases(data, "unless", "if", least=2)
        self._inverted, self._if = Phrases(data, "inverted"), next(iter(data.get("if", ())), "")
        self._fronted = Phrases(data, "fronted")
        self._particles = frozenset(data.get("particles", ()))
        self._polite = Phrases(data, "polite")
        self._then = Phrases(data, "then")
        self._so = Phrases({"then": list(data.get("then", ()))[:1]}, "then")
        self._otherwise = Phrases(data, "otherwise")
        self.comparisons = Phrases(data, "above", "below", "at_least", "at_most")
        self.freezing = Phrases(data, "freezing")
        self.watts = Phrases(data, "watts")
        self.presence = Phrases(data, "somebody", "nobody")
        self.negations = Phrases(data, "not")
        self.states = Phrases(data, *_STATES)
        self.happenings = Phrases(data, "dark", "light", "rain", "dry", "done", "rings")
        self.ignored = Phrases(data, "ignored", "if")
        self.changing = Phrases(data, "changing")
        self._replies: Mapping[str, str] = data.get("replies", {})

    def with_conjunction(self, text: str, lexicon: Lexicon, orders: Phrases | None = None) -> str:
        """Return a text with "if" before a condition that begins with its verb: "should it be open", "geht es auf".

        A command begins with a verb, or with one of some `orders`, which may also follow "should it be open" directly.
        """
        before, after, found = self._inverted.cut(text.strip())
        begins = found and not before and "?" not in text
        if begins and ("," in text or self._ends_apart(after, lexicon, orders)):
            return f"{self._if} {after}"
        return self._with_verb_in_place(text, lexicon, orders)

    def _ends_apart(self, text: str, lexicon: Lexicon, orders: Phrases | None) -> bool:
        """Return whether what follows the verb of a condition ends before "so", or before what begins a command."""
        return bool(self._so.cut(text)[1]) or any(
            min(len(each.split()) for each in split) >= _SHORTEST_COMMAND
            for split in (self.commands(text, lexicon, orders) if orders else ())
        )

    def _with_verb_in_place(
        self, text: str, lexicon: Lexicon, orders: Phrases | None = None
    ) -> str:
        """Return a text whose condition begins with its verb in the order that follows "if".

        The verb goes to the end, as one word with a particle there, or in a language without any after the subject.
        """
        tokens = words_in(text)
        if "?" in text or not tokens or not self._fronted.begins(tokens[0].word):
            return text
        verb, rest = tokens[0].word, text[tokens[0].end :]
        is_state = any(sense.role is Role.ASKING for sense in lexicon.senses((verb,)))
        condition, comma, command = rest.partition(",")
        if not comma:
            splits = () if is_state else self.commands(rest, lexicon, orders)
            whole = [each for each in splits if len(each[1].split()) >= _SHORTEST_COMMAND]
            # What is to be told may have a verb in it, too.
            told = [each for each in whole if orders and orders.begins(each[1])][-1:]
            condition, command = next(iter(told or whole), ("", ""))
        first, *more = condition.split() or ("",)
        if not first:
            return text
        words = [first, *more, verb] if self._particles else [first, verb, *more]
        if not is_state and self._particles.intersection(words[-2:-1]):
            words[-2:] = ["".join(words[-2:])]
        return f"{self._if} {' '.join(words)}, {command.strip()}"

    def is_conditional(self, text: str, lexicon: Lexicon) -> bool:
        """Return whether a text has a conditional conjunction, or courtesy like one, anywhere."""
        text = self.with_conjunction(text, lexicon)
        tokens = words_in(text)
        found = self._polite.find(tokens) or self._marks.find(tokens)
        return found is not None and found[2] != _BOTH

    def opening(self, words: Phrase) -> str:
        """Return the first conjunction of several words among some: "on condition that"; "" for none."""
        found = self._openings.find_in(words)
        return " ".join(words[found[0] : found[1]]) if found else ""

    def begins(self, text: str) -> bool:
        """Return whether a text begins with a conditional conjunction."""
        text = self.without_then(text)
        tokens = words_in(text)
        found = self._marks.find(tokens)
        # "Si, allume la lampe": a comma makes it an agreement.
        return bool(
            found
            and not found[0]
            and found[2] != _BOTH
            and not text[tokens[found[1] - 1].end :].lstrip().startswith(",")
        )

    def without_politeness(self, text: str) -> str:
        """Return a text without polite phrases that look like conditions ("if you can")."""
        return self._polite.without(text).strip()

    def split(self, text: str, lexicon: Lexicon) -> Iterator[ConditionalSentence]:
        """Yield the splits of a sentence into condition and command, the longest condition first.

        "It is above 20 degrees outside" goes before "it is above 20".
        """
        if len(text) > _MAX_CHARACTERS:
            return
        before, after, mark = self._marks.cut(self.without_then(text.strip().rstrip(".!?")))
        if mark in {"", _BOTH}:
            return
        main, other, _ = self._otherwise.cut(after)
        splits = [(main, before)] if before else self.commands(main, lexicon)
        for condition, command in splits:
            if condition and command:
                yield ConditionalSentence(condition, command, other, mark == "unless")

    def apart(self, text: str, lexicon: Lexicon) -> list[str]:
        """Return a text cut before each word that begins the condition of a further request, which joins it.

        "Lock up, and if it is dark close the blinds". Without such a word it is one piece.
        """
        tokens, pieces, start = words_in(text), list[str](), 0
        for last, token in pairwise(tokens):
            is_joined = lexicon.is_and(last.word)
            is_after_end = not _ENDS.isdisjoint(text[last.end : token.start])
            if not (is_joined or is_after_end):
                continue
            before = text[start : last.start if is_joined else last.end].strip(APART)
            rest = text[token.start :]
            is_other = self._otherwise.begins(rest) or not self.begins(rest)
            if is_other or not self._has_command(before, lexicon):
                continue
            if any(self.commands(self._marks.cut(rest)[1], lexicon)):
                pieces.append(before)
                start = token.start
        return [*pieces, text[start:]]

    def _has_command(self, text: str, lexicon: Lexicon) -> bool:
        """Return whether a text with or without a condition before it is a command."""
        if self.begins(text):
            commands = self.commands(self._marks.cut(text)[1], lexicon)
            return any(len(command.split()) >= _SHORTEST_COMMAND for _, command in commands)
        return begins_command(self.without_then(text), lexicon)

    def commands(
        self, text: str, lexicon: Lexicon, others: Phrases | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield the splits of a text into a condition and its command, the longest condition first.

        A command begins with a verb, or with one of some `others`, or after a mark or a word like "then"; not within
        a verb of several words ("turn up", "put it up") or one of the `others`, nor after a word that joins it to
        another command.
        """
        tokens = words_in(text)
        for at, (last, token) in reversed([*enumerate(pairwise(tokens))]):
            before, rest = text[: token.start].rstrip(), text[token.start :]
            command = self.without_then(rest)
            is_apart = before.endswith((",", ";", ":"))
            first = tuple(each.word for each in words_in(command)[:1])
            joins = any(_joins(lexicon.senses(each)) for each in (first, (last.word,)))
            is_verb = begins_command(command, lexicon) or bool(others and others.begins(command))
            # "Doe dan de lamp aan" is a command as a whole.
            is_inside = command != rest and not is_verb and begins_command(last.word, lexicon)
            # "Mi powiedz"
            is_inside = is_inside or bool(others and others.beginning(tokens[at : at + 2]) > 1)
            is_cut = not is_apart and (is_inside or _ends_verb(before, token.word, lexicon))
            if first and not (joins or is_cut) and (is_apart or command != rest or is_verb):
                yield before.strip(APART), command

    def without_then(self, text: str) -> str:
        """Return a text without words like "then" and "please" that it begins with."""
        text = text.lstrip(APART)
        tokens = words_in(text)
        count = self._then.beginning(tokens)
        return self.without_then(text[tokens[count - 1].end :]) if count else text

    def say(self, key: str, **values: object) -> str:
        """Return a reply with its values filled in.

        Raises:
            KeyError: there is no such reply, or a value is missing.
        """
        return self._replies[key].format_map(values)


def _joins(senses: Iterable[Sense]) -> bool:
    """Return whether a word may join clauses."""
    return any(sense.role in {Role.AND, Role.OR} for sense in senses)


def _has_verb(senses: Iterable[Sense]) -> bool:
    """Return whether a phrase may be a verb."""
    return any(sense.role is Role.VERB for sense in senses)


def _ends_verb(before: str, word: str, lexicon: Lexicon) -> bool:
    """Return whether a word ends a verb of two words that stands before it: "turn up", "put the heating up"."""
    *firsts, last = words_in(before)
    if _has_verb(lexicon.senses((last.word, word))):
        return True
    return any(
        begins_command(each.word, lexicon) and _has_verb(lexicon.senses((each.word, word)))
        for each in firsts
    )


def begins_command(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text begins with a verb, or with a word that has one in it."""
    first = tuple(each.word for each in words_in(text)[:1])
    is_verb = any(sense.role is Role.VERB for sense in lexicon.senses(first))
    return is_verb or any(map(lexicon.host, first))


def is_one_command(text: str, lexicon: Lexicon) -> bool:
    """Return whether a text begins with a verb, and no other verb follows without a word like "and"."""
    roles = [{sense.role for sense in lexicon.senses((token.word,))} for token in words_in(text)]
    return begins_command(text, lexicon) and not any(
        Role.VERB in after and Role.AND not in before for before, after in pairwise(roles)
    )


def words_in(text: str) -> list[Token]:
    """Return the tokens of a text without its marks."""
    return [token for token in tokenise(text) if not token.is_mark]

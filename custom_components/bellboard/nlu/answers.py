"""The words people answer a question with: "the second one", "both", "the other one", "never mind"."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from unicode_rbnf import FormatPurpose, RbnfEngine

from ..home.names import NameIndex, Words, words_of

# Nobody counts further than this when asked which one.
_HIGHEST = 20
# Stands between the parts of a command that what it is for may stand between: "turn … on".
_GAP = "…"
# What is left of a word without its ending has at least this many letters.
_SHORTEST_STEM = 3


class Sign(StrEnum):
    """What a phrase says in an answer. The values are the keys of the language files.

    FILLER says nothing ("please", "I mean"), ONE stands for a candidate without naming it ("that
    one"), WITHOUT takes something out ("not", "except"), STOP cancels only where it stands alone,
    AGAIN asks for the question once more or says that one cannot answer it.
    """

    AGREE = "agree"
    REFUSE = "refuse"
    CANCEL = "cancel"
    STOP = "stop"
    ALL = "all"
    BOTH = "both"
    EITHER = "either"
    OTHER = "other"
    WITHOUT = "without"
    AND = "and"
    LAST = "last"
    HERE = "here"
    SEVERAL = "several"
    ONE = "one"
    AGAIN = "again"
    FILLER = "filler"


_GIVING_UP = frozenset({Sign.CANCEL, Sign.STOP, Sign.REFUSE})


@dataclass(frozen=True, slots=True)
class Command:
    """One way to ask for an action.

    The request begins with `start`; `end` follows at once or ends the request: "turn on the lamp",
    "turn the lamp on".
    """

    start: Words
    end: Words

    def places(self, words: Words) -> tuple[int, ...]:
        """Return the places of the words that are the command, or nothing where it is another."""
        first, last = len(self.start), len(words) - len(self.end)
        if words[:first] != self.start or last < first:
            return ()
        if self.start and words[first : first + len(self.end)] == self.end:
            return tuple(range(first + len(self.end)))
        if words[last:] != self.end:
            return ()
        return (*range(first), *range(last, len(words)))


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """The words of one language for answers.

    `signs` finds the phrases that say something of their own; `positions` ordinals and numbered
    options ("the second", "number two"), counted from 1; `numbers` plain numbers, and `spellings`
    how each is written; `endings` are what words that are inflected differ by; `actions` maps an
    action to the ways to ask for it.
    """

    signs: NameIndex[Sign]
    positions: NameIndex[int]
    numbers: NameIndex[int]
    spellings: Mapping[str, tuple[str, ...]]
    endings: tuple[str, ...]
    actions: Mapping[str, tuple[Command, ...]]

    def gives_up(self, words: Words) -> bool:
        """Return whether words say nothing but that something is not wanted after all."""
        found = list(self.signs.find(words))
        signs = {sign for each in found for sign in each.meanings}
        covered = sum(each.end - each.start for each in found)
        return (
            covered == len(words)
            and not signs.isdisjoint(_GIVING_UP)
            and signs <= _GIVING_UP | {Sign.FILLER, Sign.ONE, Sign.AGREE, Sign.AND}
        )

    def stem(self, word: str) -> str:
        """Return a word without the ending it may have from inflection."""
        for ending in self.endings:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
                return word.removesuffix(ending)
        return word


def read_answer_words(code: str, data: Mapping[str, Any], suggestions: list[str]) -> AnswerWords:
    """Return the words of a language from the part of its file that holds them.

    `suggestions` are phrases that say nothing before an answer either ("how about").
    """
    engine = RbnfEngine.for_language(code)
    cardinals = {n: tuple(_cardinals(engine, n)) for n in range(1, _HIGHEST + 1)}
    signs = [(phrase, sign) for sign in Sign for phrase in data[sign]]
    return AnswerWords(
        signs=NameIndex([*signs, *((phrase, Sign.FILLER) for phrase in suggestions)]),
        positions=NameIndex(_positions(engine, cardinals, data)),
        numbers=NameIndex((text, n) for n, texts in cardinals.items() for text in texts),
        spellings={str(n): texts for n, texts in cardinals.items()},
        # The longest first, so that as much is taken off as can be.
        endings=tuple(sorted(data["endings"], key=len, reverse=True)),
        actions={
            action: tuple(_command(phrase) for phrase in phrases)
            for action, phrases in data["actions"].items()
        },
    )


def _cardinals(engine: RbnfEngine, number: int) -> Iterator[str]:
    """Yield the ways a number is said and written, but no article ("ein", "une")."""
    texts = engine.format_number(number).text_by_ruleset
    yield str(number)
    yield from dict.fromkeys(
        text for rules, text in texts.items() if number > 1 or rules == "spellout-numbering"
    )


def _positions(
    engine: RbnfEngine, cardinals: Mapping[int, tuple[str, ...]], data: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    """Yield the phrases that name a position: ordinals, numbered options, and the file's own.

    Not every language has rules for ordinals (Polish has none): then all are the file's own.
    """
    has_ordinals = any("ordinal" in name for name in engine.rulesets)
    for number, texts in cardinals.items():
        if has_ordinals:
            spelled = engine.format_number(number, FormatPurpose.ORDINAL).text_by_ruleset
            yield from ((text, number) for text in spelled.values())
        for prefix in data["number"]:
            for text in texts:
                yield f"{prefix} {text}", number
    yield from data["ordinals"].items()


def _command(phrase: str) -> Command:
    """Return the command that a phrase of a language file describes."""
    start, _, end = phrase.rpartition(_GAP) if _GAP in phrase else (phrase, "", "")
    return Command(words_of(start), words_of(end))

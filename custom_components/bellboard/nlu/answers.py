"""Lexicon for answers to questions: "the second one", "both", "the other one", "never mind"."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from unicode_rbnf import FormatPurpose, RbnfEngine

from ..home.names import NameIndex, Words, words_of

# Largest position or number in an answer.
_HIGHEST = 20
# Marks where a command's target may stand between its verb and its particle: "turn … on".
_GAP = "…"
# Minimum length of a stem, in letters.
_SHORTEST_STEM = 3


class Sign(StrEnum):
    """Meaning of a phrase in an answer; the values are keys of the language files.

    FILLER is ignored ("please", "I mean"), ONE is a pronoun for a candidate ("that one"), WITHOUT
    excludes candidates ("not", "except"), STOP cancels only if it stands alone, AGAIN asks to repeat the
    question, or says that one does not know.
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
# What a sentence that gives up consists of.
_AROUND_GIVING_UP = _GIVING_UP | {Sign.FILLER, Sign.ONE, Sign.AGREE, Sign.AND}


@dataclass(frozen=True, slots=True)
class CommandPattern:
    """Verb of a command with its particle, before or after the target.

    The request begins with `start`; `end` follows it or ends the request: "turn on the lamp", "turn the
    lamp on".
    """

    start: Words
    end: Words

    def places(self, words: Words) -> tuple[int, ...]:
        """Return the positions of the command's words in a request; () where it does not match."""
        first, last = len(self.start), len(words) - len(self.end)
        if words[:first] != self.start or last < first:
            return ()
        if self.start and words[first : first + len(self.end)] == self.end:
            return tuple(range(first + len(self.end)))
        if words[last:] != self.end:
            return ()
        return (*range(first), *range(last, len(words)))


@dataclass(frozen=True, slots=True)
class AnswerLexicon:
    """Lexicon of one language for answers.

    `signs` finds phrases with a meaning of their own, `positions` ordinals and numbered options ("the
    second", "number two"), counted from 1, `numbers` cardinals; `spellings` are all forms of each
    number. `endings` are inflections to strip for stemming. `actions` maps actions to their commands.
    """

    signs: NameIndex[Sign]
    positions: NameIndex[int]
    numbers: NameIndex[int]
    spellings: Mapping[str, tuple[str, ...]]
    endings: tuple[str, ...]
    actions: Mapping[str, tuple[CommandPattern, ...]]

    def dismisses(self, words: Words) -> bool:
        """Return whether words only say that nothing is wanted: "never mind", and not a mere "no" or "stop"."""
        signs = {sign for found in self.signs.find(words) for sign in found.meanings}
        return Sign.CANCEL in signs and self.gives_up(words)

    def gives_up(self, words: Words) -> bool:
        """Return whether words only cancel or refuse."""
        found = list(self.signs.find(words))
        signs = {sign for each in found for sign in each.meanings}
        covered = sum(each.end - each.start for each in found)
        # A "no" may mean "not" as well.
        return (
            covered == len(words)
            and not signs.isdisjoint(_GIVING_UP)
            and all(not _AROUND_GIVING_UP.isdisjoint(each.meanings) for each in found)
        )

    def stem(self, word: str) -> str:
        """Return the stem of a word, without its inflection."""
        for ending in self.endings:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
                return word.removesuffix(ending)
        return word


def read_answer_words(code: str, data: Mapping[str, Any], suggestions: list[str]) -> AnswerLexicon:
    """Return the lexicon from the `answers` section of a language file.

    `suggestions` are phrases that are fillers of an answer, too ("how about").
    """
    engine = RbnfEngine.for_language(code)
    cardinals = {n: tuple(_cardinals(engine, n)) for n in range(1, _HIGHEST + 1)}
    signs = [(phrase, sign) for sign in Sign for phrase in data[sign]]
    return AnswerLexicon(
        signs=NameIndex([*signs, *((phrase, Sign.FILLER) for phrase in suggestions)]),
        positions=NameIndex(_positions(engine, cardinals, data)),
        numbers=NameIndex((text, n) for n, texts in cardinals.items() for text in texts),
        spellings={str(n): texts for n, texts in cardinals.items()},
        # The longest first, since only one is stripped.
        endings=tuple(sorted(data["endings"], key=len, reverse=True)),
        actions={
            action: tuple(_command(phrase) for phrase in phrases)
            for action, phrases in data["actions"].items()
        },
    )


def _cardinals(engine: RbnfEngine, number: int) -> Iterator[str]:
    """Yield the forms of a cardinal, in digits and words, without articles ("ein", "une")."""
    texts = engine.format_number(number).text_by_ruleset
    yield str(number)
    yield from dict.fromkeys(
        text for rules, text in texts.items() if number > 1 or rules == "spellout-numbering"
    )


def _positions(
    engine: RbnfEngine, cardinals: Mapping[int, tuple[str, ...]], data: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    """Yield the phrases for positions: ordinals, numbered options, and those of the file.

    A language without rules for ordinals (Polish) has only the file's.
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


def _command(phrase: str) -> CommandPattern:
    """Return the command of a language file's phrase ("turn … on")."""
    start, _, end = phrase.rpartition(_GAP) if _GAP in phrase else (phrase, "", "")
    return CommandPattern(words_of(start), words_of(end))

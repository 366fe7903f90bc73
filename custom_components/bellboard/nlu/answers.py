"""Lexicon for answers to questions: "the second one", "both", "the other one", "never mind"."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from unicode_rbnf import FormatPurpose, RbnfEngine

from ..home.names import NameIndex, Words
from .approval import ApprovalWords
from .lexicon import ExtendedLexicon, Lexicon, Role, Sense
from .tokens import spoken_words

# Largest position or number in an answer.
_HIGHEST = 20


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
class AnswerLexicon:
    """Lexicon of one language for answers.

    `signs` finds phrases with a meaning of their own, `positions` ordinals and numbered options ("the
    second", "number two"), counted from 1, `cardinals` are numbers in digits and in words. `lexicon` is that
    of sentences with these phrases, `approval` has the words of a yes in own words.
    """

    signs: NameIndex[Sign]
    positions: NameIndex[int]
    cardinals: Mapping[Words, int]
    lexicon: Lexicon
    approval: ApprovalWords

    def spellings(self, name: str) -> Iterator[str]:
        """Yield a name as it is, and with each number in it in digits and in words."""
        yield name
        words = spoken_words(name)
        for at, word in enumerate(words):
            if (number := self.cardinals.get((word,))) is not None:
                for spelled, same in self.cardinals.items():
                    if same == number:
                        yield " ".join((*words[:at], *spelled, *words[at + 1 :]))

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


def read_answer_words(
    code: str, data: Mapping[str, Any], suggestions: list[str], lexicon: Lexicon
) -> AnswerLexicon:
    """Return the lexicon from the `answers` section of a language file.

    `suggestions` are phrases that are fillers of an answer, too ("how about"), `lexicon` is that of sentences.
    """
    engine = RbnfEngine.for_language(code)
    cardinals = {n: tuple(_cardinals(engine, n)) for n in range(1, _HIGHEST + 1)}
    signs = [
        *((phrase, sign) for sign in Sign for phrase in data[sign]),
        *((phrase, Sign.FILLER) for phrase in suggestions),
    ]
    positions = list(_positions(engine, cardinals, data))
    senses = [
        *((text, Sense(Role.ANSWER, sign)) for text, sign in signs),
        *((text, Sense(Role.POSITION, number)) for text, number in positions),
        *((text, Sense(Role.NUMBER, float(n))) for n, texts in cardinals.items() for text in texts),
    ]
    return AnswerLexicon(
        signs=NameIndex(signs),
        positions=NameIndex(positions),
        cardinals={spoken_words(text): n for n, texts in cardinals.items() for text in texts},
        lexicon=ExtendedLexicon(lexicon, senses),
        approval=ApprovalWords.load(data, lexicon),
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

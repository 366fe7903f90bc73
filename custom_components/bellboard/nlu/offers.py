"""Offers that end a message: "You left the garage open. Shall I close it?" is "close it", "it" being the garage."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Any, Self

from .house import HomeLexicon
from .lexicon import NAMING, Role
from .phrase_lists import load_phrases
from .spans import Span, cover_text
from .tokens import Phrase, Token, tokenise

_SENTENCE = re.compile(r"(?<=[.!?…:])\s+")
_DASH = re.compile(r"(?<=\s)[-–—](?=\s)")
_NOUNS = frozenset({Role.KIND, Role.NAME})
# What stands between and before names.
_JOINING = frozenset({Role.ARTICLE, Role.LINK, Role.QUANTITY, Role.OTHER})
_POINTING = frozenset({Role.PRONOUN, Role.ARTICLE})
# In words: what is named longer is not looked at from each of them.
_LONGEST_NAME = 6


@dataclass(frozen=True, slots=True)
class OfferWords:
    """Words of one language that offer to do something.

    `phrases` go before what is offered ("shall I"), `verbs` are forms in which only offers have a verb, each with
    that of a command ("cierro").
    """

    phrases: tuple[Phrase, ...]
    verbs: Mapping[str, str]

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """Return the words of the section `offers` of a language file."""
        return cls(load_phrases(data["phrases"]), dict(data["verbs"]))

    def read(self, message: str) -> tuple[str, str] | None:
        """Return what a message tells before its offer, and the offer as a command; None where it ends in no offer.

        Two offers in one question ("shall I close it, or shall I leave it?") are none.
        """
        *told, asked = _SENTENCE.split(_DASH.sub(", ", message.strip()))
        if not asked.endswith("?"):
            return None
        tokens = tokenise(asked)
        clauses = [at for at in range(len(tokens)) if not at or tokens[at - 1].is_mark]
        found: list[tuple[int, int]] = []
        for at in range(len(tokens)):
            size = self._phrase(tokens[at:])
            if size and at >= sum(found[-1] if found else (0, 0)):
                found.append((at, size))
        if len(found) == 1 and found[0][0] in clauses:
            begin, end = found[0][0], sum(found[0])
        elif not found and any(token.word in self.verbs for token in tokens[clauses[-1] :][:2]):
            begin = end = clauses[-1]
        else:
            return None
        offered, at = "", tokens[end].start if end < len(tokens) else len(asked)
        for token in tokens[end:]:
            # What joins a pronoun to its verb stays: "fechá-la".
            said = asked[token.start : token.end]
            offered += asked[at : token.start]
            offered += "" if token.is_mark else self.verbs.get(token.word, said)
            at = token.end
        before = asked[: tokens[begin].start].strip(" ¿,;:-–—")
        return " ".join(filter(None, (*told, before))), offered.strip()

    def _phrase(self, tokens: Sequence[Token]) -> int:
        """Return how many tokens at the beginning are a phrase of an offer, marks in it included; 0 for none."""
        words = [(at, token.word) for at, token in enumerate(tokens) if not token.is_mark]
        if not tokens or tokens[0].is_mark:
            return 0
        for phrase in self.phrases:
            if tuple(word for _, word in words[: len(phrase)]) == phrase:
                return words[len(phrase) - 1][0] + 1
        return 0


def read_commands(told: str, offered: str, house: HomeLexicon) -> Iterator[Sequence[str]]:
    """Yield the commands that an offer may be, the likelier first; those that are likely alike come together.

    Where "it" is done something with, that is what the text before names, in the last sentence that names anything.
    """
    spans = [span for span in cover_text(offered, house) if not span.is_mark]
    is_named = any(span.has_any(NAMING) for span in spans)
    if not any(_is_it(span) or (_is_pronoun(span) and not is_named) for span in spans):
        yield (offered,)
    if is_named and not any(map(_is_it, spans)):
        return
    said = " ".join(offered[span.start : span.end] for span in spans if not _is_pronoun(span))
    for sentence in reversed(_SENTENCE.split(told)):
        if names := _names(sentence, house):
            things = [name for name, is_thing in names if is_thing]
            if len(things) == 1:
                yield (f"{said} {' '.join(name for name, _ in names)}",)
            if things:
                yield [f"{said} {name}" for name in things]
            yield [f"{said} {name}" for name, _ in names]
            return


def _is_it(span: Span) -> bool:
    """Return whether a span is a pronoun, and no article: "it", but not "la"."""
    return _is_pronoun(span) and not span.has(Role.ARTICLE)


def _is_thing(span: Span) -> bool:
    """Return whether a span is a name or a noun; a room that names have in them is a place."""
    return span.has_any(_NOUNS) or (span.has(Role.NAME_WORD) and not span.has(Role.PLACE))


def _is_pronoun(span: Span) -> bool:
    """Return whether a span only points at what was spoken of: "it", "la"."""
    is_pointing = bool(span.senses) and all(sense.role in _POINTING for sense in span.senses)
    return is_pointing or span.has(Role.PRONOUN)


def _names(sentence: str, house: HomeLexicon) -> list[tuple[str, bool]]:
    """Return the names, nouns and places in a sentence, each with its article and whether it is a thing."""
    runs: list[list[Span]] = [[]]
    for span in cover_text(sentence, house, is_command=False):
        is_joined = span.has(Role.AND) and any(map(_is_thing, runs[-1]))
        if span.has(Role.ARTICLE) and runs[-1] and runs[-1][-1].has_any(NAMING):
            runs.append([])
        if span.has_any(NAMING) or span.has_any(_JOINING) or is_joined:
            runs[-1].append(span)
        else:
            runs.append([])
    found: list[tuple[str, bool]] = []
    for run in runs:
        while run and not run[-1].has_any(NAMING):
            run.pop()
        if run:
            named = sentence[run[0].start : run[-1].end]
            found.append((named, any(map(_is_thing, run))))
    return found

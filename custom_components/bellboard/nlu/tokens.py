"""Normalised sentences, limits on their length, and tokens: words, numbers, signs and marks, each with its place.

Longer text is declined or not matched before any recogniser sees it, so that input cannot keep Home
Assistant busy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
import re
import unicodedata

from ..home.names import words_of

MAX_CHARACTERS = 2000
"""Characters of a sentence; a longer one is declined at every entry point."""

MAX_WORDS = 60
"""Words of a sentence for Home Assistant's own recognisers, whose time grows fast with them."""

MAX_COMMAND = 300
"""Characters of a single command or condition; no template matches a longer one."""

MAX_REQUESTS = 8
"""Requests that one sentence is split into; one with more is not split."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def normalised(text: str) -> str:
    """Return a text with single spaces between its words, and without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def is_too_long(text: str) -> bool:
    """Return whether a normalised text has more characters than a sentence may have."""
    return len(text) > MAX_CHARACTERS


def has_many_words(text: str) -> bool:
    """Return whether a normalised text has more words than MAX_WORDS."""
    return text.count(" ") >= MAX_WORDS


# Elided words are tokens of their own, as in `home.names.words_of`: "l'ampoule" is "l" and "ampoule".
_ELIDED = re.compile(
    r"(?:[cdjlmnst]|qu|un|quell|quest|tutt|dell|nell|all|sull|dall|coll)['’`´](?=\w\w)",
    re.IGNORECASE,
)
# The ending of an abbreviation stands after a colon in some languages: "tv:n" is one word.
_TOKEN = re.compile(
    r"(?P<fraction>\d/[1-9])|(?P<number>(?:(?<![\w,.])[-\u2212])?\d+(?:[.,]\d+)?)|(?P<dash>(?:(?<=\d)|(?<=[°℃℉])|(?<=°[CF]))\s?[-\u2013\u2014]\s?(?=\d+(?:[.,]\d+)?\s?[°℃℉]))|(?P<sign>[%°℃℉])|(?P<mark>[,;.!?:…])|(?P<word>[^\W\d]+(?:['’`´][^\W\d]+)*(?::[^\W\d]{1,2}(?![^\W\d]))?)"
)
_DIGIT = re.compile(r"\d")
_SIGNS = {"℃": ("°", "c"), "℉": ("°", "f")}
type Phrase = tuple[str, ...]
"""Words of a phrase, as tokens have them."""

DASH = "–"
"""Word of a dash between two numbers of degrees: "19–23 °C"."""


@dataclass(frozen=True, slots=True)
class Token:
    """Token of a text: its case-folded `word`, the characters it stands for, and its `number` if it is one.

    Marks of punctuation are tokens, too (`is_mark`). A word `is_joined` to the one before it by a hyphen;
    it `is_verb` where a pronoun is joined to it.
    """

    word: str
    start: int
    end: int
    number: float | None = None
    is_mark: bool = False
    is_joined: bool = False
    is_verb: bool = False


@lru_cache(maxsize=512)
def tokenise(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text; their places are those in its NFC form."""
    tokens: list[Token] = []
    composed = unicodedata.normalize("NFC", text)
    for found in _TOKEN.finditer(composed):
        said, start = found[0], found.start()
        if found.lastgroup == "fraction":
            percent = round(100 * int(said[0]) / int(said[-1]))
            tokens += [
                Token(str(percent), start, found.end(), number=float(percent)),
                Token("%", start, found.end()),
            ]
        elif found.lastgroup == "number":
            tokens.append(
                Token(
                    said,
                    start,
                    found.end(),
                    number=float(said.replace(",", ".").replace("\u2212", "-")),
                )
            )
        elif found.lastgroup == "dash":
            tokens.append(Token(DASH, start, found.end()))
        elif found.lastgroup == "mark":
            tokens.append(Token(said, start, found.end(), is_mark=True))
        elif found.lastgroup == "sign":
            signs = _SIGNS.get(said, (said,))
            tokens += [Token(sign, start, found.end()) for sign in signs]
        else:
            first, *rest = _words(said, start)
            is_joined = start > 1 and composed[start - 1] == "-" and composed[start - 2].isalpha()
            tokens += [replace(first, is_joined=True) if is_joined else first, *rest]
    return tuple(tokens)


def _words(said: str, start: int) -> list[Token]:
    """Return the tokens of a word, an elided article before it being one of its own."""
    if elided := _ELIDED.match(said):
        first = Token(elided[0][:-1].casefold(), start, start + elided.end())
        return [first, *_words(said[elided.end() :], start + elided.end())]
    return [Token(_folded(said), start, start + len(said))]


@lru_cache(maxsize=4096)
def _folded(word: str) -> str:
    """Return a word as tokens have it: most words of a house and of a language are met again and again."""
    return "".join(words_of(word))


def without_marks(tokens: Sequence[Token]) -> tuple[list[Token], bool]:
    """Return tokens without the marks they begin with, and whether there was one."""
    begin = next((at for at, token in enumerate(tokens) if not token.is_mark), len(tokens))
    return list(tokens[begin:]), begin > 0


@lru_cache(maxsize=4096)
def spoken_words(text: str) -> Phrase:
    """Return the words of a name or a phrase as a sentence's tokens have them, without marks."""
    # Only numbers look over blanks. A language has some ten thousand phrases of the same few words.
    pieces = (text,) if _DIGIT.search(text) else text.split()
    return tuple(chain.from_iterable(map(_spoken, pieces)))


@lru_cache(maxsize=8192)
def _spoken(text: str) -> Phrase:
    """Return the words of a text, without marks."""
    return tuple(token.word for token in tokenise(text) if not token.is_mark)


def without_first(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> tuple[list[Token], bool]:
    """Return tokens without the longest of some phrases at their beginning, and whether there was one."""
    first = tuple(token.word for token in tokens[:1])
    for phrase in phrases:
        if phrase[:1] == first and matches(tokens[: len(phrase)], phrase):
            return list(tokens[len(phrase) :]), True
    return list(tokens), False


def matches(tokens: Sequence[Token], phrase: Phrase) -> bool:
    """Return whether tokens are the words of a phrase."""
    return tuple(token.word for token in tokens) == phrase

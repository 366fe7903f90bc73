"""How long a change is to take: "over ten seconds", "slowly"."""

from collections.abc import Sequence

from .lexicon import Lexicon, Role
from .media import matches
from .tokens import Token, tokenise

SLOWLY = 10.0
"""Seconds of what is done slowly, where no time is said."""

# "Over the next twenty five seconds": words between what begins a time and its unit.
_MOST_WORDS = 4


def read_fade(text: str, lexicon: Lexicon) -> tuple[str, float]:
    """Return a text without the time that its change is to take, and that time in seconds; 0 for none."""
    words = lexicon.fading
    if not words.begins.search(text):
        return text, 0.0
    tokens = tokenise(text)
    for at in range(len(tokens)):
        for phrase in words.over:
            if matches(tokens[at : at + len(phrase)], phrase):
                end, seconds = _time(tokens, at + len(phrase), lexicon)
                if seconds:
                    return _without(text, tokens, at, end), seconds
        for phrase in words.slowly:
            if matches(tokens[at : at + len(phrase)], phrase):
                return _without(text, tokens, at, at + len(phrase)), SLOWLY
    return text, 0.0


def _time(tokens: Sequence[Token], begin: int, lexicon: Lexicon) -> tuple[int, float]:
    """Return where a time ends that begins at a token, and its seconds; 0 for none."""
    for at in range(begin, min(begin + _MOST_WORDS, len(tokens))):
        for phrase, seconds in lexicon.fading.units:
            end = at + len(phrase)
            if matches(tokens[at:end], phrase):
                count = _count(tokens[begin:at], lexicon)
                after = (a for a in lexicon.fading.after if matches(tokens[end : end + len(a)], a))
                return end + len(next(after, ())), count * seconds
    return begin, 0.0


def _count(tokens: Sequence[Token], lexicon: Lexicon) -> float:
    """Return the number that words say: "ten", "a", "half a"; 0 for none."""
    total = 0.0
    halves = 1.0
    for token in tokens:
        senses = lexicon.senses((token.word,))
        number = next((s.value for s in senses if s.role is Role.NUMBER), token.number)
        roles = {sense.role for sense in senses}
        if number is not None:
            total += float(number)
        elif Role.HALF in roles or Role.LEVEL in roles:
            halves = 0.5
        elif Role.ARTICLE not in roles:
            return 0.0
    return (total or 1.0) * halves


def _without(text: str, tokens: Sequence[Token], begin: int, end: int) -> str:
    """Return a text without some of its tokens, and the blanks around them made one."""
    before = text[: tokens[begin].start].rstrip(" ,")
    after = text[tokens[end - 1].end :].lstrip(" ,")
    return f"{before} {after}".strip()

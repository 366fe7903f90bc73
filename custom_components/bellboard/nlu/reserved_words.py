"""Words that can be nobody's name, because they mean something by themselves: answers, commands, numbers."""

from collections.abc import Collection, Iterator, Sequence
import unicodedata

from ..home.names import Words, words_of
from .codes import find_spelled
from .lexicon import Lexicon, Role
from .loader import Language
from .reading import read_tags
from .spoken_numbers import SpokenNumbers
from .tokens import spoken_words

# Roles of words that things are called by, also where they mean something else: "timer", "rose", "quarter".
_IN_NAMES = frozenset(
    {
        Role.KIND,
        Role.OTHER,
        Role.ATTRIBUTE,
        Role.OPTION,
        Role.MOOD,
        Role.COLOR,
        Role.KELVIN,
        Role.LEVEL,
        Role.UNIT,
        Role.NUMBER,
        # Only those of `directions` are more than names: a dryer is called like what makes the air drier.
        Role.MOVE,
    }
)
_SMALL = frozenset({Role.ARTICLE, Role.LINK, Role.FILLER})
# Of a name in letters. No code is longer.
_LONGEST_NUMBER = 100


def is_reserved(text: str, language: Language) -> bool:
    """Return whether a text as a whole is an answer, a command, a quantity or a number, and so can be no name."""
    templates = (language.undo, language.delayed, language.help)
    return (
        is_number(text, language)
        or read_tags(text, language).is_thanks
        or any(each.kind_of(text) is not None for each in templates)
        or _is_answer(words_of(text), language)
        or _is_command(spoken_words(text), language.lexicon)
    )


def is_number(text: str, language: Language) -> bool:
    """Return whether a text is only a number, in digits or in words, also digit by digit."""
    composed = unicodedata.normalize("NFC", text)
    words = words_of(composed)
    if words and all(word.isdecimal() for word in words):
        return True
    places = find_spelled(composed, language.spoken_numbers, range(1, _LONGEST_NUMBER))
    return any(
        not words_of(composed[: place.start]) and not words_of(composed[place.end :])
        for place in places
    )


def holds_number(text: str, numbers: SpokenNumbers, lengths: Collection[int]) -> bool:
    """Return whether a number with one of some counts of digits is in a text, in digits or in words."""
    return any(find_spelled(unicodedata.normalize("NFC", text), numbers, lengths))


def _is_answer(words: Words, language: Language) -> bool:
    """Return whether words are those of an answer or of a direction: "yes", "the second one", "brighter"."""
    answers, lexicon = language.answers, language.lexicon
    found = [
        *answers.signs.find(words),
        *answers.positions.find(words),
        *language.directions.find(words),
    ]
    covered = {at for each in found for at in range(each.start, each.end)}
    return bool(covered) and all(
        at in covered or lexicon.is_small(word) for at, word in enumerate(words)
    )


def _is_command(words: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether all words have a meaning and are more than a name: "turn on", "all lights", "lights off".

    Beside a noun only what comes first, or a state at the end, makes a command of it: "lampe de lecture" is none.
    """
    phrases: list[frozenset[Role]] = []
    for roles in _roles(words, lexicon):
        if roles is None:
            return False
        if roles.isdisjoint(_SMALL):
            phrases.append(roles)
    if all(roles.isdisjoint(_IN_NAMES) for roles in phrases):
        return True
    return phrases[0].isdisjoint(_IN_NAMES) or phrases[-1] == {Role.STATE}


def _roles(words: Sequence[str], lexicon: Lexicon) -> Iterator[frozenset[Role] | None]:
    """Yield the roles of each phrase among words, the longest first; None for a word without any."""
    at = 0
    while at < len(words):
        for size in range(min(lexicon.longest, len(words) - at), 0, -1):
            if senses := lexicon.senses(tuple(words[at : at + size])):
                yield frozenset(sense.role for sense in senses)
                at += size
                break
        else:
            yield frozenset({Role.NUMBER}) if words[at].isdecimal() else None
            at += 1

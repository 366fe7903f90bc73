"""Words that neither a language nor a home knows, which may be the name of what is not there."""

from collections.abc import Iterator

from ..home.names import Words
from .bounds import is_device_noun
from .house import HomeLexicon
from .lexicon import Role, Sense
from .loader import Language
from .reading import read_tags
from .spans import cover_text
from .tokens import Token, tokenise

# Senses that leave open whether there is such a thing.
_IN_NAMES = frozenset({Role.NAME, Role.NAME_WORD, Role.MOOD, Role.OPTION, Role.OTHER})


def find_unknown_words(
    text: str, house: HomeLexicon, language: Language, known: frozenset[str]
) -> Iterator[tuple[Words, str]]:
    """Yield the words that are neither `known` nor explained by the language, each after those before it."""
    plain, before = _plain_words(language), tuple[str, ...]()
    for span in cover_text(text, house, is_command=False):
        is_explained = span.is_mark or any(map(_explains, span.senses))
        for word in span.words:
            if not (is_explained or word in known or word in plain):
                yield before, word
            before = before if span.is_mark else (*before, word)


def _explains(sense: Sense) -> bool:
    """Return whether a sense of a word tells what it means, and not only that something is called so."""
    if sense.role is Role.KIND:
        return is_device_noun(sense.value)
    return sense.role not in _IN_NAMES


def _plain_words(language: Language) -> frozenset[str]:
    """Return the words of a language's lists that are no names."""
    return language.ignored.union(language.questions, *language.vocabulary.values())


def unknown_run(text: str, house: HomeLexicon, language: Language) -> str:
    """Return the one run of words of a text with a command that nobody knows; "" for several, and any other text."""
    if not read_tags(text, language).begins_with_verb:
        return ""
    plain = _plain_words(language)
    runs: list[list[Token]] = [[]]
    for token in tokenise(text):
        is_plain = token.is_mark or token.number is not None or token.word in plain
        if is_plain or house.knows(token.word) or house.are_of_places((token.word,)):
            runs.append([])
        else:
            # Of a compound ("Terrassenlampe") both halves may be known, and not what it is called.
            runs[-1].append(token)
    said = [run for run in runs if run]
    return text[said[0][0].start : said[0][-1].end] if len(said) == 1 else ""

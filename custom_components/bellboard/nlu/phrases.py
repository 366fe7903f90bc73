"""Nouns for kinds of devices and function words around names, as the agents look for them in any text."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..home.names import NameIndex, Words, folded, words_of
from .kinds import KINDS
from .lexicon import Lexicon, Noun, Role, Sense

SHORTEST_SECOND_HALF = 4
"""In letters. Shorter words ("tv") end too many others by chance to be the second half of a compound."""
_SHORTEST_FIRST_HALF = 3
PLAYER = "player"
# Domains whose things have kinds; those of all others are known by words of the vocabulary.
_DOMAINS = frozenset({"light", "media_player", "climate"})
_IMPLIED: Mapping[str, str] = {"heat": "heating", "warm": "heating", "cool": "cooling"}


class WordRole(StrEnum):
    """Role of a function word in a noun phrase; the values are keys of the language files.

    ALL and BOTH are quantifiers, HERE and EVERYWHERE adverbs of place. No phrase ends with a PREPOSITION.
    """

    ARTICLE = "articles"
    PREPOSITION = "prepositions"
    ALL = "all"
    BOTH = "both"
    HERE = "here"
    EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseLexicon:
    """Nouns for kinds of devices of one language, and function words around names.

    `index` finds both. `kind_words` are the nouns that are one word and mean any device of a kind, `others` words
    for things of no such kind, with their domains, `verbs` the kinds of device that a verb implies ("heat").
    `seconds` are second halves of compounds, joined to the first by one of `links`.

    `before_names` are words that a name or place follows ("the", "in"), if the language `has_articles`; after
    `purposes` it is no target ("for the film").
    """

    index: NameIndex[Noun | WordRole]
    links: tuple[str, ...]
    seconds: tuple[str, ...]
    others: Mapping[str, str]
    verbs: Mapping[str, str]
    before_names: frozenset[str]
    purposes: frozenset[str]
    has_articles: bool
    kind_words: frozenset[str]

    def is_link(self, word: str) -> bool:
        """Return whether a word is an article or a preposition."""
        found = next(self.index.find((word,)), None)
        joins = {WordRole.ARTICLE, WordRole.PREPOSITION}
        return found is not None and not joins.isdisjoint(
            meaning for meaning in found.meanings if isinstance(meaning, WordRole)
        )

    def is_kind(self, words: Words) -> bool:
        """Return whether words as a whole are a noun for a kind of device."""
        found = next(self.index.find(words), None)
        if found is None or (found.start, found.end) != (0, len(words)):
            return False
        return any(isinstance(meaning, Noun) for meaning in found.meanings)

    def spellings(self, words: Words) -> Iterator[Words]:
        """Yield the words as they are, then with one compound split."""
        yield words
        for at, word in enumerate(words):
            for second in self.seconds:
                first = word.removesuffix(second)
                if first == word or len(first) < _SHORTEST_FIRST_HALF:
                    continue
                for link in self.links:
                    if first.endswith(link):
                        yield (*words[:at], first.removesuffix(link), second, *words[at + 1 :])


def load_phrases(
    data: Mapping[str, Any],
    everywhere: Iterable[str],
    vocabulary: Mapping[str, Iterable[str]],
    lexicon: Lexicon,
) -> PhraseLexicon:
    """Return the lexicon from the `partial` section of a language file, and the nouns and verbs of its reader.

    `everywhere` are words for the whole home, `vocabulary` the words for the things of each domain.
    """
    nouns = [(form, noun) for noun in lexicon.nouns if _is_device(noun) for form in _spelled(noun)]
    roles = {**data, WordRole.EVERYWHERE: everywhere}
    single = {words_of(form)[0]: noun for form, noun in nouns if len(words_of(form)) == 1}
    return PhraseLexicon(
        index=NameIndex([*nouns, *((phrase, role) for role in WordRole for phrase in roles[role])]),
        links=tuple(dict.fromkeys(("", *lexicon.links))),
        seconds=tuple(word for word in single if len(word) >= SHORTEST_SECOND_HALF),
        others={
            word.casefold(): domain
            for domain, words in vocabulary.items()
            if domain not in _DOMAINS
            for word in words
        },
        verbs={
            phrase[0]: kind
            for verb, kind in _IMPLIED.items()
            for phrase in lexicon.phrases_of(Sense(Role.VERB, verb))
            if len(phrase) == 1
        },
        before_names=(_single_words(data[WordRole.ARTICLE]) | _single_words(data["inside"]))
        - _single_words(data["one"]),
        kind_words=frozenset(single) - lexicon.radios,
        purposes=_single_words(data["purposes"]),
        has_articles=data.get("has_articles", True),
    )


def _is_device(noun: Noun) -> bool:
    """Return whether a noun means the things of a specialist, whatever they are called, and not what they play."""
    is_content = noun.kind == PLAYER and noun.is_general
    return KINDS[noun.kind].domains.keys() <= _DOMAINS and not (noun.needs_name or is_content)


def _spelled(noun: Noun) -> frozenset[str]:
    """Return the forms of a noun, also without their accents."""
    return noun.forms | {folded(form) for form in noun.forms}


def _single_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return the phrases that are single words."""
    found = map(words_of, phrases)
    return frozenset(words[0] for words in found if len(words) == 1)

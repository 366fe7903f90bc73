"""Phrases that name things: "the lamp", "both bedside lamps", "the desk light in the study"."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from ..home.catalog import Place
from ..home.names import NameIndex, Words

# Shorter words ("tv") end too many others by chance to be the second half of a compound.
_SHORTEST_SECOND_HALF = 4
_SHORTEST_FIRST_HALF = 3


class Kind(StrEnum):
    """What things are called. The values are the keys of the language files."""

    LIGHT = "light"
    PLAYER = "player"
    TV = "tv"
    HEATING = "heating"
    COOLING = "cooling"
    THERMOSTAT = "thermostat"

    @property
    def domain(self) -> str:
        """Return the domain of the entities that are called so."""
        return _DOMAINS.get(self, "climate")


_DOMAINS: Mapping[Kind, str] = {
    Kind.LIGHT: "light",
    Kind.PLAYER: "media_player",
    Kind.TV: "media_player",
}


class Role(StrEnum):
    """What a word does that names nothing. The values are the keys of the language files.

    ARTICLE and PREPOSITION say nothing, but no phrase ends with a preposition.
    """

    ARTICLE = "articles"
    PREPOSITION = "prepositions"
    ALL = "all"
    BOTH = "both"
    HERE = "here"
    EVERYWHERE = "everywhere"


_COUNTING = frozenset({Role.ALL, Role.BOTH})


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWord:
    """A word for things of a kind: as it is `said`, and for `one` of them.

    `is_plural` is None for a word that has one form for both. A word that `is_general` means any
    thing of the kind, and all of them together ("the light"); another one is looked for in names
    first.
    """

    kind: Kind
    said: Words
    one: Words
    is_plural: bool | None
    is_general: bool

    @property
    def can_be_compounded(self) -> bool:
        """Return whether the word can be the second half of another ("Stehlampe")."""
        return len(self.said) == 1 and len(self.said[0]) >= _SHORTEST_SECOND_HALF


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseWords:
    """The words of one language that name kinds of things and say how many are meant.

    `endings` make a plural of a name's word: each with what stands in its place in the singular, which
    may be nothing. `seconds` are the second halves of compounds, which
    `links` join to the first. `plural_articles` tell the number of a word that has one form for
    both. `others` are words for things of none of these kinds, `rooms` words for any room. `verbs` say
    what a kind is for ("heat"). `one` are the articles of one thing that is not said which ("a lamp").
    `before_names` are the words a name or a place follows ("the", "in"), where it `has_articles`; after
    `purposes` they name no target ("for the film"). `apart` are words for some of a kind only, however
    many are meant ("lamps", which not all lights are). `particles` are parts of verbs ("on") that no
    name begins with. `kind_words` are the single words that things of a kind are called by.
    """

    index: NameIndex[KindWord | Role]
    endings: tuple[tuple[str, str], ...]
    links: tuple[str, ...]
    seconds: tuple[str, ...]
    plural_articles: frozenset[str]
    others: frozenset[str]
    rooms: frozenset[str]
    verbs: Mapping[str, Kind]
    one: frozenset[str]
    before_names: frozenset[str]
    purposes: frozenset[str]
    has_articles: bool
    apart: frozenset[str]
    particles: frozenset[str]
    kind_words: frozenset[str]

    def is_link(self, word: str) -> bool:
        """Return whether a word only joins others to a phrase: an article or a preposition."""
        found = next(self.index.find((word,)), None)
        joins = {Role.ARTICLE, Role.PREPOSITION}
        return found is not None and not joins.isdisjoint(
            meaning for meaning in found.meanings if isinstance(meaning, Role)
        )

    def is_kind(self, words: Words) -> bool:
        """Return whether words are what things of a kind are called, and nothing else."""
        found = next(self.index.find(words), None)
        if found is None or (found.start, found.end) != (0, len(words)):
            return False
        return any(isinstance(meaning, KindWord) for meaning in found.meanings)

    def names_a_kind(self, words: Words) -> bool:
        """Return whether there is a word that only some things of a kind are called by ("lamp")."""
        return any(
            isinstance(meaning, KindWord) and not meaning.is_general
            for spelled in self.spellings(words)
            for found in self.index.find(spelled)
            for meaning in found.meanings
        )

    def spellings(self, words: Words) -> Iterator[Words]:
        """Yield the words as they were said, then with one compound taken apart."""
        yield words
        for at, word in enumerate(words):
            for second in self.seconds:
                first = word.removesuffix(second)
                if first == word or len(first) < _SHORTEST_FIRST_HALF:
                    continue
                for link in self.links:
                    if first.endswith(link):
                        yield (*words[:at], first.removesuffix(link), second, *words[at + 1 :])

    def in_names(self, word: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the words of names that a word is, alone or as a first half, or is the plural of."""
        compounds = (word + link + second for link in self.links for second in self.seconds)
        same = {word, *compounds} if len(word) >= _SHORTEST_FIRST_HALF else {word}
        ones = (word.removesuffix(end) + one for end, one in self.endings if word.endswith(end))
        return frozenset(same), frozenset(ones)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """What a phrase says: `words` of names, words for kinds, places, and how many are meant.

    `is_one` where one thing is meant and it is not said which ("a lamp").
    """

    words: Words
    kinds: tuple[KindWord, ...]
    places: tuple[Place, ...]
    roles: frozenset[Role]
    is_plural: bool
    is_one: bool = False

    @classmethod
    def read(cls, words: Words, language: PhraseWords, places: NameIndex[Place]) -> Self | None:
        """Return what words say, or None where they are no whole phrase.

        What ends with a preposition goes on, and what counts comes before what it counts: "the
        lights in every room" is more than is read here.
        """
        named: list[Place] = []
        rest: list[str] = []
        for said, meant in _spans(words, places):
            named += meant
            rest += () if meant else said
        content: list[str] = []
        kinds: list[KindWord] = []
        roles: set[Role] = set()
        before = ""
        last: Role | None = None
        is_plural = is_one = False
        for said, meanings in _spans(tuple(rest), language.index):
            last = None
            match meanings[:1]:
                case (KindWord() as kind,):
                    kinds.append(kind)
                    after_plural = before in language.plural_articles
                    is_several = after_plural if kind.is_plural is None else kind.is_plural
                    is_plural |= is_several
                    is_one |= before in language.one and not is_several
                case (Role() as role,):
                    if role in _COUNTING and (content or kinds):
                        return None
                    roles.add(last := role)
                case _:
                    content += said
            before = said[-1]
        if last is Role.PREPOSITION and rest[-1] == words[-1]:
            return None
        return cls(
            words=tuple(content),
            kinds=tuple(kinds),
            places=tuple(named),
            roles=frozenset(roles),
            is_plural=is_plural or not roles.isdisjoint(_COUNTING),
            is_one=is_one,
        )

    @property
    def is_general(self) -> bool:
        """Return whether only a general word is said ("the light"), which is in no name in particular."""
        return not self.words and bool(self.kinds) and all(kind.is_general for kind in self.kinds)

    @property
    def is_collective(self) -> bool:
        """Return whether a general word means all: the light of a room is all its lights."""
        return self.is_general and not self.is_one

    def in_domain(self, domain: str) -> tuple[Words, tuple[KindWord, ...]]:
        """Return the words a name in a domain must have, and the kinds that are of that domain."""
        kinds = tuple(word for word in self.kinds if word.kind.domain == domain)
        foreign = (part for word in self.kinds if word not in kinds for part in word.said)
        return (*self.words, *foreign), kinds


def _spans[T](words: Words, index: NameIndex[T]) -> Iterator[tuple[Words, tuple[T, ...]]]:
    """Yield all words in order: those that were found with their meanings, the others alone."""
    end = 0
    for found in index.find(words):
        yield from (((word,), ()) for word in words[end : found.start])
        yield words[found.start : found.end], found.meanings
        end = found.end
    yield from (((word,), ()) for word in words[end:])

"""Noun phrases for devices, and their lexicon: "both bedside lamps", "the desk light in the study"."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from ..home.catalog import Place
from ..home.names import NameIndex, Words, words_of

# In letters. Shorter words ("tv") end too many others by chance to be the second half of a compound.
_SHORTEST_SECOND_HALF = 4
_SHORTEST_FIRST_HALF = 3


class DeviceKind(StrEnum):
    """Kind of device that a noun names; the values are keys of the language files."""

    LIGHT = "light"
    PLAYER = "player"
    TV = "tv"
    HEATING = "heating"
    COOLING = "cooling"
    THERMOSTAT = "thermostat"

    @property
    def domain(self) -> str:
        """Return the domain of the entities of this kind."""
        return _DOMAINS.get(self, "climate")


_DOMAINS: Mapping[DeviceKind, str] = {
    DeviceKind.LIGHT: "light",
    DeviceKind.PLAYER: "media_player",
    DeviceKind.TV: "media_player",
}


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


_COUNTING = frozenset({WordRole.ALL, WordRole.BOTH})


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWord:
    """Noun for a kind of device, as it is `said`, and its singular `one`.

    `is_plural` is None for a noun with one form for both numbers. A general noun means any device of the
    kind, or all of them ("the light"); another one ("lamp") is looked for in names first.
    """

    kind: DeviceKind
    said: Words
    one: Words
    is_plural: bool | None
    is_general: bool

    @property
    def can_be_compounded(self) -> bool:
        """Return whether the noun can be the second half of a compound ("Stehlampe")."""
        return len(self.said) == 1 and len(self.said[0]) >= _SHORTEST_SECOND_HALF


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseLexicon:
    """Lexicon of one language for noun phrases: nouns for kinds of devices, and function words.

    `index` finds both. `kind_words` are the nouns that are one word, `apart` those for only some devices
    of a kind ("lamps", which not all lights are), `others` words for things of no such kind,
    with their domains, `rooms` nouns for any room, `verbs` the kinds of device that a verb implies
    ("heat").

    For inflection, `endings` pair a plural ending with that of the singular, which may be empty; `seconds`
    are second halves of compounds, joined to the first by one of `links`.

    `plural_articles` tell the number of a noun with one form for both, `one` are indefinite articles.
    `before_names` are words that a name or place follows ("the", "in"), if the language `has_articles`;
    after `purposes` it is no target ("for the film"). `particles` belong to verbs ("on"), so that no
    name begins with them.
    """

    index: NameIndex[KindWord | WordRole]
    endings: tuple[tuple[str, str], ...]
    links: tuple[str, ...]
    seconds: tuple[str, ...]
    plural_articles: frozenset[str]
    others: Mapping[str, str]
    rooms: frozenset[str]
    verbs: Mapping[str, DeviceKind]
    one: frozenset[str]
    before_names: frozenset[str]
    purposes: frozenset[str]
    has_articles: bool
    apart: frozenset[str]
    particles: frozenset[str]
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
        return any(isinstance(meaning, KindWord) for meaning in found.meanings)

    def names_a_kind(self, words: Words) -> bool:
        """Return whether words have a noun for a kind of device that is not general ("lamp")."""
        return any(
            isinstance(meaning, KindWord) and not meaning.is_general
            for spelled in self.spellings(words)
            for found in self.index.find(spelled)
            for meaning in found.meanings
        )

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

    def in_names(self, word: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the words of names that a word matches: itself or a compound of it, and its singulars."""
        compounds = (word + link + second for link in self.links for second in self.seconds)
        same = {word, *compounds} if len(word) >= _SHORTEST_FIRST_HALF else {word}
        ones = (word.removesuffix(end) + one for end, one in self.endings if word.endswith(end))
        return frozenset(same), frozenset(ones)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Parsed noun phrase: `words` of names, nouns for kinds, places, function words, and number.

    `is_one` for an indefinite singular ("a lamp").
    """

    words: Words
    kinds: tuple[KindWord, ...]
    places: tuple[Place, ...]
    roles: frozenset[WordRole]
    is_plural: bool
    is_one: bool = False

    @classmethod
    def read(cls, words: Words, language: PhraseLexicon, places: NameIndex[Place]) -> Self | None:
        """Return the parse of words, or None where they are no complete noun phrase.

        A phrase that ends with a preposition is incomplete, and a quantifier must come first: "the lights
        in every room" is not supported.
        """
        named: list[Place] = []
        rest: list[str] = []
        for said, meant in _spans(words, places):
            named += meant
            rest += () if meant else said
        content: list[str] = []
        kinds: list[KindWord] = []
        roles: set[WordRole] = set()
        before = ""
        last: WordRole | None = None
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
                case (WordRole() as role,):
                    if role in _COUNTING and (content or kinds):
                        return None
                    roles.add(last := role)
                case _:
                    content += said
            before = said[-1]
        if last is WordRole.PREPOSITION and rest[-1] == words[-1]:
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
        """Return whether the phrase is only a general noun ("the light"), which singles out no name."""
        return not self.words and bool(self.kinds) and all(kind.is_general for kind in self.kinds)

    @property
    def is_collective(self) -> bool:
        """Return whether a general noun means all devices: "the light" of a room is all its lights."""
        return self.is_general and not self.is_one

    def in_domain(self, domain: str) -> tuple[Words, tuple[KindWord, ...]]:
        """Return the words that a name in a domain must have, and the nouns for kinds of that domain."""
        kinds = tuple(word for word in self.kinds if word.kind.domain == domain)
        foreign = (part for word in self.kinds if word not in kinds for part in word.said)
        return (*self.words, *foreign), kinds


def _spans[T](words: Words, index: NameIndex[T]) -> Iterator[tuple[Words, tuple[T, ...]]]:
    """Yield all words in order: matched spans with their meanings, other words alone."""
    end = 0
    for found in index.find(words):
        yield from (((word,), ()) for word in words[end : found.start])
        yield words[found.start : found.end], found.meanings
        end = found.end
    yield from (((word,), ()) for word in words[end:])


def load_phrases(
    data: Mapping[str, Any], everywhere: Iterable[str], vocabulary: Mapping[str, Iterable[str]]
) -> PhraseLexicon:
    """Return the lexicon from the `partial` section of a language file.

    `everywhere` are words for the whole home, `vocabulary` the words for the things of each domain.
    """
    kinds = [
        word
        for kind, entry in data["kinds"].items()
        for key, is_general in (("general", True), ("named", False))
        for one, many in entry.get(key, {}).items()
        for word in _kind_words(DeviceKind(kind), one, many, is_general=is_general)
    ]
    domains = {kind.domain for kind in DeviceKind}
    roles = {**data, WordRole.EVERYWHERE: everywhere}
    named = [(" ".join(word.said), word) for word in kinds]
    return PhraseLexicon(
        index=NameIndex([*named, *((phrase, role) for role in WordRole for phrase in roles[role])]),
        endings=tuple(_endings(data["endings"])),
        links=("", *data["links"]),
        seconds=tuple(word.said[0] for word in kinds if word.can_be_compounded),
        plural_articles=frozenset(data["plural_articles"]),
        others={
            word.casefold(): domain
            for domain, words in vocabulary.items()
            if domain not in domains
            for word in words
        },
        rooms=frozenset(word for phrase in data[WordRole.HERE] for word in words_of(phrase)),
        verbs={
            word.casefold(): DeviceKind(kind)
            for kind, entry in data["kinds"].items()
            for word in entry.get("verbs", ())
        },
        one=frozenset(word.casefold() for word in data["one"]),
        before_names=(_single_words(data[WordRole.ARTICLE]) | _single_words(data["inside"]))
        - _single_words(data["one"]),
        apart=_single_words(data.get("apart", ())),
        kind_words=frozenset(word.said[0] for word in kinds if len(word.said) == 1),
        particles=_single_words(data.get("particles", ())),
        purposes=_single_words(data["purposes"]),
        has_articles=data.get("has_articles", True),
    )


def _single_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return the phrases that are single words."""
    found = map(words_of, phrases)
    return frozenset(words[0] for words in found if len(words) == 1)


def _endings(endings: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield plural endings, each with the singular's: "s" with "", "i" with "o"."""
    for ending in endings:
        if isinstance(ending, str):
            yield ending, ""
        else:
            yield from ((many, one) for many, ones in ending.items() for one in ones)


def _kind_words(kind: DeviceKind, one: str, many: str, *, is_general: bool) -> Iterator[KindWord]:
    """Yield the singular and plural of a noun for a kind."""
    singular, plural = words_of(one), words_of(many)
    for said, is_plural in ((singular, False), (plural, True)):
        yield KindWord(
            kind=kind,
            said=said,
            one=singular,
            is_plural=None if singular == plural else is_plural,
            is_general=is_general,
        )

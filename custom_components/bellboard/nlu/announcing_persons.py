"""Persons whom something can be announced to, and those whom nobody knows: "tell Anna dinner is ready"."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from homeassistant.core import HomeAssistant

from .house import HomeLexicon
from .lexicon import Role
from .modes import CAPITALISED
from .phrase_lists import AnnouncingWords
from .tokens import Phrase, Token, spoken_words, without_first, without_marks

_DOMAIN = "person"
# Of a name that nobody knows, in words: "Anna Maria".
_MOST_WORDS = 2
_FEWEST_SAID = 2
# Names are read for each sentence.
_MOST_KNOWN = 256
# "Tell jokes about cats": no subject begins so.
_LEADING = frozenset({Role.LINK, Role.TO, Role.BY, Role.FILLER})


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the house: the name, the ids of satellites or devices that are theirs, and what they are called."""

    name: str
    satellites: frozenset[str] = frozenset()
    phrases: frozenset[Phrase] = field(default_factory=frozenset)


def find_persons(
    hass: HomeAssistant,
    owned: Mapping[str, Collection[str]],
    may_read: Callable[[str], bool] = lambda _: True,
) -> tuple[Person, ...]:
    """Return the persons of the house: those of Home Assistant that may be read, and whoever has a satellite.

    `owned` are the ids of satellites or of their devices, by the name of whose they are.
    """
    left = {name: _called(name.removeprefix(f"{_DOMAIN}.")) for name in owned}
    found: list[Person] = []
    for state in hass.states.async_all(_DOMAIN):
        if not may_read(state.entity_id):
            continue
        phrases = _called(state.name, state.object_id)
        theirs = [name for name, called in left.items() if called & phrases]
        ids = frozenset(id_ for name in theirs for id_ in owned[name])
        found.append(Person(state.name, ids, phrases))
        left = {name: called for name, called in left.items() if name not in theirs}
    return (*found, *(Person(name, frozenset(owned[name]), left[name]) for name in left))


@lru_cache(maxsize=_MOST_KNOWN)
def _called(*names: str) -> frozenset[Phrase]:
    """Return what somebody with these names is called: by a whole name, or by its first word."""
    spoken = [spoken_words(name.replace("_", " ")) for name in names]
    return frozenset(part for words in spoken if words for part in (words, words[:1]))


def persons_called(
    phrase: Phrase, persons: Sequence[Person], house: HomeLexicon
) -> tuple[Person, ...]:
    """Return the persons who are called so, also in another case where names have cases ("Annie")."""
    exact = tuple(person for person in persons if phrase in person.phrases)
    if exact or not house.lexicon.announcing.inflects_names:
        return exact
    stems = tuple(map(house.lexicon.stem_of_name, phrase))
    return tuple(
        person
        for person in persons
        if any(tuple(map(house.lexicon.stem_of_name, name)) == stems for name in person.phrases)
    )


def read_stranger(
    text: str, tokens: Sequence[Token], house: HomeLexicon, language: str
) -> str | None:
    """Return the name of whom a text plainly is to tell something, and who is neither a thing nor a place.

    `tokens` begin with its verb. "" where it says no name ("tell her that it's late"), None where it may be
    anything else: "tell stories that are funny".
    """
    words = house.lexicon.announcing
    rest, is_addressed = without_first(tokens, words.addressing)
    rest, is_let = (rest, False) if is_addressed else without_first(tokens, words.let)
    if is_addressed or is_let:
        if _has_role(rest, house, frozenset({Role.ARTICLE})):
            rest = rest[1:]
        for size in range(_MOST_WORDS, 0, -1):
            name, (said, belongs) = rest[:size], without_first(rest[size:], words.after)
            if len(name) < size or not all(_may_be_name(token, house) for token in name):
                continue
            # "Let Anna know that ..."
            is_known = is_addressed or belongs
            is_capital = language not in CAPITALISED and all(text[t.start].isupper() for t in name)
            if is_known and _is_told(said, house, is_capital=is_capital):
                return text[name[0].start : name[-1].end]
    rest, is_somebody = without_first(tokens, words.somebody)
    return "" if is_somebody and _is_told(rest, house, is_capital=False) else None


def _has_role(tokens: Sequence[Token], house: HomeLexicon, roles: frozenset[Role]) -> bool:
    """Return whether the first of some tokens has one of some roles."""
    senses = house.lexicon.senses((tokens[0].word,)) if tokens else []
    return any(sense.role in roles for sense in senses)


def _may_be_name(token: Token, house: HomeLexicon) -> bool:
    """Return whether a word may be a name: nobody knows it as anything else."""
    phrase, words = (token.word,), house.lexicon.announcing
    is_known = house.senses(phrase) or house.lexicon.senses(phrase)
    is_word = not token.is_mark and token.number is None
    return is_word and not is_known and phrase not in (*words.unnamed, *words.after)


def _is_told(tokens: Sequence[Token], house: HomeLexicon, *, is_capital: bool) -> bool:
    """Return whether what follows a name plainly is what somebody is to be told, or to do.

    A language without `statement` always joins that. Else it has one of these after its subject, which "that are
    funny" has not.
    """
    words = house.lexicon.announcing
    rest, is_marked = without_marks(tokens)
    after, is_joined = without_first(rest, (*words.that, *words.whole))
    if is_joined:
        is_only_joined = not _has_role(rest, house, frozenset({Role.ARTICLE, Role.PRONOUN}))
        is_plain = not words.statement or is_only_joined or is_capital
        return bool(after) and (is_plain or _is_statement(after, words))
    after, is_to = without_first(rest, words.to)
    if is_to:
        return is_capital and bool(after)
    if not words.statement or len(rest) < _FEWEST_SAID or _has_role(rest, house, _LEADING):
        return False
    # "Tell stories we like" has a subject, too, but nobody's name.
    is_begun = is_capital and (rest[0].word,) in words.subjects
    return _is_statement(rest, words) or is_begun or (is_capital and is_marked)


def _is_statement(tokens: Sequence[Token], words: AnnouncingWords) -> bool:
    """Return whether tokens have a subject, what it is or does, and more: "dinner is ready", "it's late"."""
    spoken = [(token.word,) for token in tokens if not token.is_mark]
    if spoken and spoken[0] in words.contracted:
        return len(spoken) >= _FEWEST_SAID
    return any(word in words.statement for _, word in list(pairwise(spoken))[:-1])

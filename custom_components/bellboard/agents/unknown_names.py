"""Whether an instruction calls something by a name that nothing in the home has.

"The disco ball in the kitchen" is none of the kitchen's lamps: a model would take one of them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from homeassistant.core import State

from ..home.names import NameIndex, Words, words_of
from ..language.loader import Language
from .base import AgentRequest

# What an entity lists of its own values: their words are no names.
_OPTIONS = (
    "effect_list",
    "fan_modes",
    "hvac_modes",
    "preset_modes",
    "sound_mode_list",
    "source_list",
    "swing_modes",
)


def names_unknown(request: AgentRequest, domain: str, states: Sequence[State]) -> bool:
    """Return whether a word stands where a name stands, and is none of a domain's.

    That is after a definite article, or after "in"; right after the verb in a language without
    articles. `states` are those of what could be meant.
    """
    language = request.language
    words = words_of(request.instruction)
    known = _known(request, domain, states)
    marks = language.phrases.before_names
    for at in _unknown(words, known, language):
        before, first = words[at - 1] if at else "", words[at - 2] if at > 1 else ""
        if not language.phrases.purposes.isdisjoint({before, first}):
            continue
        if before in marks or (not language.phrases.has_articles and before in language.verbs):
            return True
    return False


def _known(request: AgentRequest, domain: str, states: Sequence[State]) -> frozenset[str]:
    """Return the words of names in a domain, and of what its things list of themselves."""
    catalog = request.catalog
    places = (*catalog.areas.values(), *catalog.floors.values())
    names = [name for entity in catalog.by_domain.get(domain, ()) for name in entity.names]
    names += [name for place in places for name in place.names]
    names += [
        str(option).replace("_", " ")
        for state in states
        for attribute in _OPTIONS
        for option in state.attributes.get(attribute) or ()
    ]
    return frozenset(word for name in names for word in words_of(name))


def _unknown(words: Words, known: frozenset[str], language: Language) -> Iterator[int]:
    """Yield where the words are that the language has no use for and no name has."""
    taken = {
        at
        for index in _indexes(language)
        for found in index.find(words)
        for at in range(found.start, found.end)
    }
    for at, word in enumerate(words):
        if at in taken or word in known or word in language.plain_words or word.isdigit():
            continue
        if any(
            language.phrases.is_kind((part,))
            for spelled in language.phrases.spellings((word,))
            for part in spelled
        ):
            continue
        yield at


def _indexes(language: Language) -> tuple[NameIndex[Any], ...]:
    """Return what finds words that say how much, which colour, how many."""
    return (
        language.directions,
        language.numbers,
        language.amounts,
        language.colors,
        language.phrases.index,
    )

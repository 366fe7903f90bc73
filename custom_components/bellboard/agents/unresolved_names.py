"""Out-of-vocabulary words of an instruction, which may be the name of an entity that does not exist.

"The disco ball in the kitchen" is none of the kitchen's lamps, but a model would choose one of them.
"""

from collections.abc import Sequence

from homeassistant.core import State

from ..domains.registry import table_of
from ..home.names import Words, words_of
from ..nlu.bounds import is_kind
from ..nlu.lexicon import Lexicon, Role, Sense
from ..nlu.loader import Language
from ..nlu.spans import cover_text
from ..nlu.unknown_words import find_unknown_words, unknown_run
from .base import AgentRequest

_JOINING = frozenset({Role.ARTICLE, Role.LINK, Role.TO})
_ONE = Sense(Role.QUANTITY, "one")


def has_unresolved_name(request: AgentRequest, domain: str, states: Sequence[State]) -> bool:
    """Return whether an unknown word stands where a name does.

    That is after a definite article or "in", or right after the verb in a language without articles.
    Known are the words of the language, of the domain's names and places, and of the options in `states`,
    those of the candidate targets.
    """
    language, house = request.language, request.house
    if house is None:
        return False
    known = _known(request, domain, states)
    for before, _ in find_unknown_words(request.instruction, house, language, known):
        last, first = ("", "", *before)[-1], ("", "", *before)[-2]
        if not language.purposes.isdisjoint({last, first}):
            continue
        if last in language.before_names or (not language.has_articles and last in language.verbs):
            return True
        if _is_of_a_kind(before, language, house.lexicon):
            return True
    return False


def _is_of_a_kind(before: Words, language: Language, lexicon: Lexicon) -> bool:
    """Return whether a word qualifies a word for a kind of device: "lámpara de [lava]", "lampka [akwariowa]".

    In a language with articles only through a preposition: elsewhere it may be a value ("lamp blue").
    """
    links = 0
    while before and _is_link(before[-1], lexicon):
        before, links = before[:-1], links + 1
    is_linked = links > 0 or not language.has_articles
    return is_linked and bool(before) and is_kind(before[-1:], lexicon)


def _is_link(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word is an article or a preposition."""
    return any(sense.role in _JOINING or sense == _ONE for sense in lexicon.senses((word,)))


def names_only_places(request: AgentRequest) -> bool:
    """Return whether an instruction consists of the names of places, articles and prepositions."""
    if (house := request.house) is None:
        return False
    spans = cover_text(request.instruction, house)
    rest = [span for span in spans if not (span.has(Role.PLACE) or span.is_mark)]
    return any(span.has(Role.PLACE) for span in spans) and all(
        _is_link(word, house.lexicon) for span in rest for word in span.words
    )


def has_unknown_word(request: AgentRequest) -> bool:
    """Return whether an instruction has a word outside the language's vocabulary of the home."""
    language, house = request.language, request.house
    if house is None:
        return False
    found = find_unknown_words(request.instruction, house, language, frozenset())
    return next(found, None) is not None


def _known(request: AgentRequest, domain: str, states: Sequence[State]) -> frozenset[str]:
    """Return the words in the names of a domain's entities and of places, and in the entities' options."""
    catalog = request.catalog
    places = (*catalog.areas.values(), *catalog.floors.values())
    names = [name for entity in catalog.by_domain.get(domain, ()) for name in entity.names]
    names += [name for place in places for name in place.names]
    table = table_of(domain)
    attributes = table.options if table else ()
    names += [
        str(option).replace("_", " ")
        for state in states
        for attribute in attributes
        for option in state.attributes.get(attribute) or ()
    ]
    return frozenset(word for name in names for word in words_of(name))


def unknown_words(request: AgentRequest) -> str:
    """Return the one run of words of a command that neither the language nor the home knows; "" for anything else."""
    if request.house is None or request.is_question:
        return ""
    return unknown_run(request.instruction, request.house, request.language)

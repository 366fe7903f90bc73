"""Out-of-vocabulary words of an instruction, which may be the name of an entity that does not exist.

"The disco ball in the kitchen" is none of the kitchen's lamps, but a model would choose one of them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from homeassistant.core import State

from ..domains.registry import table_of
from ..home.names import NameIndex, Words, words_of
from ..nlu.loader import Language
from ..nlu.tokens import Token, tokenise
from .base import AgentRequest


def has_unresolved_name(request: AgentRequest, domain: str, states: Sequence[State]) -> bool:
    """Return whether an unknown word stands where a name does.

    That is after a definite article or "in", or right after the verb in a language without articles.
    Known are the words of the language, of the domain's names and places, and of the options in `states`,
    those of the candidate targets.
    """
    language = request.language
    words = words_of(request.instruction)
    known = _known(request, domain, states)
    marks = language.phrases.before_names
    for at in find_unknown_words(words, known, language):
        before, first = words[at - 1] if at else "", words[at - 2] if at > 1 else ""
        if not language.phrases.purposes.isdisjoint({before, first}):
            continue
        if before in marks or (not language.phrases.has_articles and before in language.verbs):
            return True
        if _is_of_a_kind(words[:at], language):
            return True
    return False


def _is_of_a_kind(before: Words, language: Language) -> bool:
    """Return whether a word qualifies a word for a kind of device: "lámpara de [lava]", "lampka [akwariowa]".

    In a language with articles only through a preposition: elsewhere it may be a value ("lamp blue").
    """
    phrases = language.phrases
    links = 0
    while before and phrases.is_link(before[-1]):
        before, links = before[:-1], links + 1
    is_linked = links > 0 or not phrases.has_articles
    return is_linked and bool(before) and phrases.is_kind(before[-1:])


def names_only_places(request: AgentRequest) -> bool:
    """Return whether an instruction consists of the names of places, articles and prepositions."""
    words = words_of(request.instruction)
    taken = {
        at for found in request.catalog.places.find(words) for at in range(found.start, found.end)
    }
    rest = [word for at, word in enumerate(words) if at not in taken]
    return bool(taken) and all(request.language.phrases.is_link(word) for word in rest)


def has_unknown_word(request: AgentRequest) -> bool:
    """Return whether an instruction has a word outside the language's vocabulary of the home."""
    words = words_of(request.instruction)
    return next(find_unknown_words(words, frozenset(), request.language), None) is not None


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


def find_unknown_words(words: Words, known: frozenset[str], language: Language) -> Iterator[int]:
    """Yield the positions of the words that are neither `known` nor in the language's lexicons."""
    taken = {
        at
        for index in _indexes(language)
        for found in index.find(words)
        for at in range(found.start, found.end)
    }
    plain = language.plain_words
    for at, word in enumerate(words):
        if at in taken or word in known or word in plain or word.isdigit():
            continue
        if any(
            all(
                part in known or part in plain or language.phrases.is_kind((part,))
                for part in spelled
            )
            for spelled in language.phrases.spellings((word,))
            if len(spelled) > 1
        ):
            # A compound of known words ("Stehlampe").
            continue
        yield at


def _indexes(language: Language) -> tuple[NameIndex[Any], ...]:
    """Return the lexicons of directions, numbers, amounts, colours and noun phrases."""
    return (
        language.directions,
        language.numbers,
        language.amounts,
        language.colors,
        language.phrases.index,
    )


def unknown_words(request: AgentRequest) -> str:
    """Return the one run of words of a command that neither the language nor the home knows; "" for anything else."""
    language, catalog = request.language, request.catalog
    text = request.instruction
    if request.is_question or not language.begins_with_verb(text) or language.lexicon is None:
        return ""
    names = catalog.all_names.words
    runs: list[list[Token]] = [[]]
    for token in tokenise(text):
        is_known = token.word in names or token.word in language.plain_words
        is_known = is_known or token.number is not None
        if token.is_mark or is_known or language.lexicon.senses((token.word,)):
            runs.append([])
        else:
            runs[-1].append(token)
    said = [run for run in runs if run]
    return text[said[0][0].start : said[0][-1].end] if len(said) == 1 else ""

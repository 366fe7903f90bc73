"""What talk must leave alone: the state of the home, and what was done in it.

A model that talks does not see the home. What it says of it is invented.
"""

from collections.abc import Sequence
from itertools import pairwise

from ..home.names import Found, Words, words_of
from ..nlu.kinds import NamedKinds
from ..nlu.loader import Household, Language
from .base import AgentRequest
from .unknown_names import unknown_words


def is_about_home(request: AgentRequest) -> bool:
    """Return whether an instruction asks about what is in this home.

    It names a place or a thing by its name, "the door" or "my lights", or there is no word in it but
    those the home is spoken of with ("how warm is it").
    """
    named, language = request.named, request.language
    if not language.asks(request.instruction):
        return False
    if named.places or named.things:
        return True
    words = words_of(request.instruction)
    household = list(language.household.find(words))
    if any(Household.GENERAL in span.meanings for span in household):
        # "How does the fridge work" is about things at large.
        return False
    if _is_definite(language, words) or _is_of_household(request, words, household):
        return True
    if not language.states.isdisjoint(words) and not language.phrases.before_names.isdisjoint(
        words
    ):
        # "Is the oven off?", of which nothing is known here.
        return True
    if unknown_words(request):
        return False
    spoken_of = (*language.vocabulary.values(), language.everywhere)
    return bool(named.words or named.is_other) or any(not of.isdisjoint(words) for of in spoken_of)


def speaks_of_home(request: AgentRequest, text: str) -> bool:
    """Return whether words of a model name what is in the home, or claim something of it."""
    found = request.catalog.anything.find(words_of(text))
    # A single common word ("office") is no name of a thing of this home.
    if any(name.end - name.start > 1 for name in found):
        return True
    tells = not request.language.states.isdisjoint(words_of(text))
    if not tells and not request.language.claims.search(text):
        return False
    named = NamedKinds.read(text, request.language.phrases, request.catalog)
    return bool(named.words or named.is_other or named.things or named.places)


def _is_definite(language: Language, words: Words) -> bool:
    """Return whether a word for things is said with a definite article: "the door"."""
    phrases = language.phrases
    return any(
        article in phrases.before_names and (thing in phrases.others or phrases.is_kind((thing,)))
        for article, thing in pairwise(words)
    )


def _is_of_household(
    request: AgentRequest, words: Words, household: Sequence[Found[Household]]
) -> bool:
    """Return whether a thing of this household is meant, or what it used: "our fridge", "how much power".

    That is a thing with an article, in a language without articles any of its things, and whatever a
    home has where it is said to be ours, or when ("heating last week"). `household` is what was found
    of such words.
    """
    language, named = request.language, request.named
    kinds = {kind for span in household for kind in span.meanings}
    is_something = bool(kinds & {Household.THINGS, Household.USES} or named.words or named.is_other)
    if Household.OURS in kinds:
        return is_something or not language.everywhere.isdisjoint(words)
    things = [span.start for span in household if Household.THINGS in span.meanings]
    if not language.phrases.has_articles:
        return bool(things)
    return any(at and words[at - 1] in language.phrases.before_names for at in things)

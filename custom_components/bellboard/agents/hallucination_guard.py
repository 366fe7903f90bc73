"""Hallucination guard of the general agent: questions and model output about the state of the home.

The general agent's model has no access to the home, so whatever it says about it is invented.
"""

from collections.abc import Sequence
from itertools import pairwise
import re

from ..domains.registry import agent_of
from ..home.names import NameMatch, Words, words_of
from ..nlu.bounds import is_kind
from ..nlu.lexicon import Role
from ..nlu.loader import Household, Language
from ..nlu.reading import read_tags
from ..nlu.spans import cover_text
from .base import AgentRequest
from .unresolved_names import has_unknown_word

# Roles of words that say how something is, and what it is.
_OF_STATES = frozenset({Role.STATE, Role.KELVIN, Role.MEASURE, Role.ATTRIBUTE, Role.MOVE})
# Verbs of words that say so, too: "so bright", "warm".
_TELLING = ("warm", "heat", "cool", "lighten", "darken")
# In words: a sentence that says hardly more than that something was done.
_MERE_CLAIM = 5
# So few tell nothing of the past, either.
_BARE_CLAIM = 2
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")


def asks_about_home(request: AgentRequest) -> bool:
    """Return whether an instruction is a question about the state of this home.

    It names an area or entity, says "the door" or "my lights", or has only words of the home's
    vocabulary ("how warm is it").
    """
    named, language = request.named, request.language
    if not read_tags(request.instruction, language).is_question:
        return False
    if named.areas or named.things:
        return True
    words = words_of(request.instruction)
    household = list(language.household.find(words))
    if any(Household.GENERAL in span.meanings for span in household):
        # "How does the fridge work" is general knowledge.
        return False
    if _is_definite(language, words) or _is_of_household(request, words, household):
        return True
    if not language.states.isdisjoint(words) and not language.before_names.isdisjoint(words):
        # "Is the oven off?", which may be no entity at all.
        return True
    if has_unknown_word(request):
        return False
    resolve_pronoun = (*language.vocabulary.values(), language.everywhere)
    return named.names_kinds or any(not of.isdisjoint(words) for of in resolve_pronoun)


def asks_of_state(request: AgentRequest) -> bool:
    """Return whether a question names a place or a thing of this home, and a state, a value or a kind of device."""
    named, language = request.named, request.language
    if request.house is None or not request.is_capable or request.data is not None:
        return False
    if not read_tags(request.instruction, language).is_question:
        return False
    if not (named.areas or named.things or named.is_here):
        return False
    spans = cover_text(request.instruction, request.house, is_command=False)
    tells = any(sense.value in _TELLING for span in spans for sense in span.senses)
    return named.names_kinds or tells or any(span.has_any(_OF_STATES) for span in spans)


def claims_about_home(request: AgentRequest, text: str) -> bool:
    """Return whether a model's text names entities of the home, or claims a state or an action of them."""
    found = request.catalog.all_names.find(words_of(text))
    # A single word ("office") is too common to be taken for the name of an entity.
    if any(name.end - name.start > 1 for name in found):
        return True
    if states_reading(request, text):
        return True
    names_state = not request.language.states.isdisjoint(words_of(text))
    if not names_state and not request.language.claims.are_in(text):
        return False
    return request.named_in(text).names_something


def states_reading(request: AgentRequest, text: str, *, of_thing: bool = False) -> bool:
    """Return whether a sentence of a text states a measurement or a state of a home, also of one that is not this.

    That is a number with a unit, or a state, and a place or device that is named or definite ("the attic"), but not
    an instruction ("heat the oven to 180 degrees"). With `of_thing` only those count that are about a device.
    """
    return any(
        _says_so(request, sentence)
        and tells_value(request, sentence)
        and _is_about(request, sentence, of_thing=of_thing)
        for sentence in sentences_of(text)
    )


def may_state_reading(request: AgentRequest, begun: str) -> bool:
    """Return whether a sentence that is not whole may still come to state a reading."""
    return tells_value(request, begun) or _is_about(request, begun)


def tells_value(request: AgentRequest, sentence: str) -> bool:
    """Return whether a sentence has a number with a unit, or names a state of a device."""
    language, words = request.language, words_of(sentence)
    in_words = any(True for _ in language.numbers.find(words))
    if language.readings.has_measure(sentence, has_number=in_words):
        return True
    return not language.states.isdisjoint(words)


def _says_so(request: AgentRequest, sentence: str) -> bool:
    """Return whether a sentence says that something is so, if only by beginning with a number.

    Advice does in a clause of its own: "note that the door is open", but not "keep the door shut and see who it is".
    """
    language = request.language
    says, reading = language.readings.says, read_tags(sentence, language)
    if not (reading.begins_with_verb or reading.keeps):
        return sentence[:1].isdigit() or not says.isdisjoint(words_of(sentence))
    begins = [0, *(found.end() for found in language.joins.finditer(sentence)), len(sentence)]
    return any(_tells_so(request, sentence[begin:end]) for begin, end in pairwise(begins))


def _tells_so(request: AgentRequest, clause: str) -> bool:
    """Return whether a clause says how something is: after "is", or right before it at the end, as in German."""
    said, says = clause.split(), request.language.readings.says
    return any(
        tells_value(request, " ".join(said[at + 1 :] or said[max(at - 1, 0) : at]))
        for at, word in enumerate(said)
        if not says.isdisjoint(words_of(word))
    )


def _is_about(request: AgentRequest, sentence: str, *, of_thing: bool = False) -> bool:
    """Return whether a sentence is about a place or device of this home, or one that homes have."""
    language, words = request.language, words_of(sentence)
    named = request.named_in(sentence)
    if (named.areas and not of_thing) or named.things or _is_definite(language, words):
        return True
    household = [s for s in language.household.find(words) if Household.THINGS in s.meanings]
    return any(
        not language.has_articles or words[span.start - 1] in language.before_names
        for span in (*(() if of_thing else language.readings.rooms.find(words)), *household)
        if span.start or not language.has_articles
    )


def claims_to_act(request: AgentRequest, text: str, *, knows_past: bool = False) -> bool:
    """Return whether a capable model's text claims that something was done in the home, or will be.

    A sentence with a claim counts that is about a thing or a place of the home, or says nothing else ("Done!"). Where
    it `knows_past`, "the door has been closed since nine" is none.
    """
    language = request.language
    for sentence in sentences_of(text):
        words = len(words_of(sentence))
        is_past = knows_past and words > _BARE_CLAIM
        if language.claims.are_in(sentence, is_own=is_past):
            is_short = words <= _MERE_CLAIM
            if is_short or request.named_in(sentence).names_something:
                return True
    return False


def claims_beyond_data(request: AgentRequest, text: str) -> bool:
    """Return whether a text claims of the home what the request's data do not tell.

    Of what was not done nothing may be said to be done, and of what was no more than the data name: each thing, each
    place, and each number; of kinds of devices those that something was done to.
    """
    data = request.data if isinstance(request.data, dict) else {}
    if not data.get("success", True) and claims_to_act(request, text):
        return True
    told = request.data_as_json or ""
    words, numbers = set(words_of(told)), set(_NUMBER.findall(told))
    did = {str(each.get("action", "")).partition(".")[0] for each in data.get("did", ())}
    for sentence in sentences_of(text):
        is_claim = request.language.claims.are_in(sentence)
        if not (is_claim or states_reading(request, sentence)):
            continue
        named = request.named_in(sentence)
        things = [request.catalog.entities[each] for each in named.things]
        for names in (*(each.names for each in things), *(each.names for each in named.areas)):
            if not any(words.issuperset(words_of(name)) for name in names):
                return True
        is_of_others = bool(named.domains) and did.isdisjoint(named.domains)
        is_new = not numbers.issuperset(_NUMBER.findall(sentence))
        if is_claim and did and (is_new or (is_of_others and not things)):
            return True
    return False


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, each with the mark at its end."""
    return [found[0].strip() for found in _SENTENCE.finditer(text) if found[0].strip()]


def _is_definite(language: Language, words: Words) -> bool:
    """Return whether a word for devices follows a definite article: "the door"."""
    others = language.vocabulary[agent_of("")]
    return any(
        article in language.before_names
        and (thing in others or is_kind((thing,), language.lexicon))
        for article, thing in pairwise(words)
    )


def _is_of_household(
    request: AgentRequest, words: Words, household: Sequence[NameMatch[Household]]
) -> bool:
    """Return whether a question is about this household or its consumption: "our fridge", "how much power".

    That is a household word after an article, or any in a language without articles, any word of the home
    beside a possessive or a time ("heating last week"), and a person in a room ("anybody in the garden").
    `household` are the spans of such words.
    """
    language, named = request.language, request.named
    kinds = {kind for span in household for kind in span.meanings}
    is_something = bool(kinds & {Household.THINGS, Household.USES} or named.names_kinds)
    if Household.OURS in kinds:
        return is_something or not language.everywhere.isdisjoint(words)
    things = [span.start for span in household if Household.THINGS in span.meanings]
    if Household.ANYBODY in kinds and any(True for _ in language.readings.rooms.find(words)):
        return True
    if not language.has_articles:
        return bool(things)
    return any(at and words[at - 1] in language.before_names for at in things)

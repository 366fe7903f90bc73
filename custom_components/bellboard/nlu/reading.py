"""The `Reading` of a sentence: what its words say of it as a whole, before anything in it is resolved."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
import re

from ..home.names import Words, words_of
from .lexicon import Lexicon, Role, Sense
from .loader import Language
from .tokens import Phrase, Token, spoken_words, tokenise

LATER, CONDITION = "later", "condition"
"""The reasons of words that say a time, and a condition, among the guards of a language."""

# A turn reads its sentence and the parts of it again and again.
_MOST_KEPT = 128
_TOLD, _KEEP = Sense(Role.ASKING, "tell"), Sense(Role.VERB, "keep")
# A word that may be a pronoun or an article is a pronoun before these.
_NO_NOUNS = frozenset({Role.STATE, Role.MOVE, Role.AMOUNT, Role.TO, Role.FILLER, Role.HERE})
_LONGEST_PRONOUN = 3
_MARKS = re.compile(r"[,;:.!?…]")
_LIGHTING = frozenset({Sense(Role.VERB, "lighten"), Sense(Role.VERB, "darken")})
_NEGATION, _CONDITION = "negation", "condition"


@dataclass(frozen=True)
class Reading:
    """A sentence, or a part of one, in a language, with its tags; each is found when it is first asked for."""

    text: str
    language: Language = field(repr=False)

    @cached_property
    def words(self) -> Words:
        """Return the case-folded words, without apostrophes."""
        return words_of(self.text)

    @cached_property
    def tokens(self) -> Words:
        """Return the words as the lexicon has them."""
        return spoken_words(self.text)

    @cached_property
    def guards(self) -> Mapping[str, str]:
        """Return the words that say that it is not for now, by the reason: negation, later, condition."""
        patterns, lexicon = self.language.guards, self.language.lexicon
        found = {
            r: said[0] for r, pattern in patterns.items() if (said := pattern.search(self.text))
        }
        if _NEGATION in found:
            # "Not bright enough" is a wish.
            left = _without_wishes(self.text, lexicon)
            if left != self.text and not patterns[_NEGATION].search(left):
                del found[_NEGATION]
        opening = "" if _CONDITION in found else self.language.conditions.opening(self.tokens)
        return found | {_CONDITION: opening} if opening else found

    @property
    def is_negated(self) -> bool:
        """Return whether it is a negation, or has an exception like one: "but not the lamp"."""
        return _NEGATION in self.guards

    @property
    def is_later(self) -> bool:
        """Return whether it says a time: "in ten minutes"."""
        return LATER in self.guards

    @property
    def is_conditional(self) -> bool:
        """Return whether it has a condition: "if it is dark"."""
        return _CONDITION in self.guards

    @property
    def is_deferred(self) -> bool:
        """Return whether it says a time or a condition, whether or not it is negated."""
        return self.is_later or self.is_conditional

    @cached_property
    def begins_like_question(self) -> bool:
        """Return whether it begins like a question, with or without a question mark."""
        words, language = self.words, self.language
        if any(words[: len(phrase)] == phrase for phrase in language.suggestions):
            return False
        return not language.questions.isdisjoint(words[:1])

    @cached_property
    def asks_to_be_told(self) -> bool:
        """Return whether it begins with words that ask to be told something: "tell me if"."""
        return self.language.lexicon.begins_with(_TOLD, self.tokens)

    @property
    def keeps(self) -> bool:
        """Return whether it begins with a verb that leaves things as they are: "leave the lamp on"."""
        return self.language.lexicon.begins_with(_KEEP, self.tokens)

    @property
    def is_asked(self) -> bool:
        """Return whether it begins like a question, direct or indirect."""
        return self.begins_like_question or self.asks_to_be_told

    @cached_property
    def is_polite_request(self) -> bool:
        """Return whether it is a request in the form of a question, also after "hey,": "could you"."""
        said = self.text.rpartition("¿")[2]
        before, comma, after = said.partition(",")
        if comma and not read_tags(before, self.language).plain_words:
            said = after
        return not self.language.polite_requests.isdisjoint(words_of(said)[:1])

    @cached_property
    def is_question(self) -> bool:
        """Return whether it is a question, and no polite request."""
        has_mark = "?" in self.text and not self.is_polite_request
        return has_mark or self.begins_like_question

    @cached_property
    def asks_and_acts(self) -> bool:
        """Return whether it has something done if what it asks is so: "is it dark, and if it is, close the blinds"."""
        clauses = [read_tags(each.strip(), self.language) for each in _MARKS.split(self.text)]
        return not self.text.rstrip().endswith("?") and any(
            if_so.is_conditional and not if_so.is_question and then.begins_with_verb
            for if_so, then in pairwise(clauses[1:])
        )

    @cached_property
    def plain_words(self) -> Words:
        """Return the words without polite phrases."""
        return words_of(self.language.polite.sub(" ", self.text))

    @property
    def begins_with_verb(self) -> bool:
        """Return whether it begins with the verb of a command."""
        return not self.language.verbs.isdisjoint(self.words[:1])

    @cached_property
    def has_steps(self) -> bool:
        """Return whether a part of it depends on the outcome of another."""
        return any(self.language.steps.find(self.words))

    @cached_property
    def has_object(self) -> bool:
        """Return whether its object is a pronoun: "turn it off"."""
        lexicon = self.language.lexicon
        joined = _has_joined_pronoun(tokenise(self.text), lexicon)
        return joined or _begins_with_object(self.tokens, lexicon)

    @cached_property
    def refers(self) -> bool:
        """Return whether it is about what it does not name: "turn it off", "again", "brighter"."""
        language = self.language
        return self.has_object or language.references.refers(self.tokens, language.lexicon)

    @cached_property
    def is_thanks(self) -> bool:
        """Return whether it only thanks: "thank you, that's all"."""
        return self.language.lexicon.only_thanks(self.tokens)

    @cached_property
    def is_correction(self) -> bool:
        """Return whether it begins like a correction: "no, the other one"."""
        return self.language.lexicon.corrects(self.tokens)

    @property
    def tells_words(self) -> bool:
        """Return whether it tells what somebody said, and is no request to do so: "she shouted at me"."""
        is_told = not self.language.lexicon.reporting.isdisjoint(self.words)
        return is_told and not self.begins_with_verb

    @cached_property
    def is_report(self) -> bool:
        """Return whether it tells several things that were done: "I've locked the shed and turned the light off"."""
        clause, lexicon = _MARKS.split(self.text)[0], self.language.lexicon
        if self.begins_with_verb or not self.language.claims.are_in(clause):
            return False
        roles = [_roles(lexicon.senses((word,))) for word in spoken_words(clause)]
        joined = next((at for at, own in enumerate(roles) if Role.AND in own and at), 0)
        is_done = any(own & {Role.STATE, Role.VERB, Role.KIND} for own in roles[:joined])
        return is_done and any(own & {Role.STATE, Role.VERB} for own in roles[joined + 1 :])

    @property
    def names_some(self) -> bool:
        """Return whether a word of it is what only some devices of a kind are called: "lamp"."""
        return not self.language.lexicon.named.isdisjoint(self.tokens)


def _has_joined_pronoun(tokens: Sequence[Token], lexicon: Lexicon) -> bool:
    """Return whether a pronoun is joined to one of some words."""
    for at, token in enumerate(tokens):
        if at and token.is_joined and _is_pronoun(lexicon.enclitics.get(token.word)):
            return True
        host = () if lexicon.senses((token.word,)) else lexicon.host(token.word)
        if any(_is_pronoun(lexicon.enclitics[word]) for word in host[1:]):
            return True
    return False


def _begins_with_object(words: Phrase, lexicon: Lexicon) -> bool:
    """Return whether a pronoun follows the first of some words that is no courtesy: "turn it off", "make that blue"."""
    begin = next((at for at, word in enumerate(words) if not lexicon.is_small(word)), 0) + 1
    for end in range(begin + _LONGEST_PRONOUN, begin, -1):
        senses = lexicon.senses(words[begin:end])
        if not any(map(_is_pronoun, senses)):
            continue
        after, joined = lexicon.senses(words[end : end + 1]), lexicon.senses(words[begin : end + 1])
        if Role.KIND in _roles(after) or Role.HERE in _roles(joined):
            return False
        moods = (mood for phrases in lexicon.moods.values() for mood in phrases)
        is_last = len(words) <= end or words[end:] in moods
        return Role.ARTICLE not in _roles(senses) or is_last or bool(_roles(after) & _NO_NOUNS)
    return False


def _roles(senses: Iterable[Sense]) -> set[Role]:
    """Return the roles of senses."""
    return {sense.role for sense in senses}


def _is_pronoun(sense: Sense | None) -> bool:
    """Return whether a word stands for what was spoken of: "it", "them"."""
    return sense is not None and sense.role is Role.PRONOUN and sense.value != "one"


def _without_wishes(text: str, lexicon: Lexicon) -> str:
    """Return a text without what says in several words which way something is to go: "not warm enough"."""
    tokens = [token for token in tokenise(text) if not token.is_mark]
    words, kept, at, end = tuple(token.word for token in tokens), "", 0, 0
    while at < len(tokens):
        sizes = range(min(lexicon.longest, len(words) - at), 1, -1)
        size = next((n for n in sizes if _is_wish(lexicon.senses(words[at : at + n]))), 0)
        if size:
            kept += text[end : tokens[at].start]
            end = tokens[at + size - 1].end
        at += size or 1
    return kept + text[end:]


def _is_wish(senses: Iterable[Sense]) -> bool:
    """Return whether a phrase may say which way something is to go."""
    return any(sense.role is Role.MOVE or sense in _LIGHTING for sense in senses)


@lru_cache(maxsize=_MOST_KEPT)
def read_tags(text: str, language: Language) -> Reading:
    """Return the reading of a text; that of a text that was just read is the same object."""
    return Reading(text, language)

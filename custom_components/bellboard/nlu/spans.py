"""The cheapest way to explain a sentence by phrases that the language and the home know."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .house import HomeLexicon
from .kinds import KINDS
from .lexicon import NAMING, Lexicon, Noun, Role, Sense
from .ranges import join_ranges
from .tokens import Phrase, Token, spoken_words, tokenise

# What a span costs: a word that nothing explains, one that is only a part of names, and any other.
_UNKNOWN, _PART, _KNOWN = 8.0, 1.4, 1.0
_TEN, _HUNDRED = 10, 100
_MARKS = frozenset(",;.!?:…")
# What a word in a phrase is alone, and what the phrase is then not: where words are taken one by one, and in questions,
# which ask for the state in "anything still on".
_APART = frozenset({(Role.KIND, Role.VERB), (Role.MOVE, Role.LINK), (Role.STATE, Role.LINK)})
_ASKED_APART = frozenset({(Role.STATE, Role.EVERYWHERE), (Role.STATE, Role.RUNNING)})
# What only questions ask, in words that are nothing in commands.
_ONLY_ASKED = frozenset({"doing", "is_cleaning", "is_docked", "is_done", "is_stuck"})


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a sentence that mean something together; without `senses` nothing explains them.

    `start` and `end` are their characters in the text, `words` what they are. `is_plural` if the last of
    them is the plural of a noun ("bedside lamps"); `noun` is the one that a name has in it.
    """

    start: int
    end: int
    words: tuple[str, ...]
    senses: tuple[Sense, ...]
    is_plural: bool = False
    noun: Noun | None = None

    def has(self, role: Role) -> bool:
        """Return whether one of its senses has a role."""
        for sense in self.senses:  # noqa: SIM110 -- half the time of any(), thousands of times a sentence
            if sense.role is role:
                return True
        return False

    def has_any(self, roles: Collection[Role]) -> bool:
        """Return whether one of its senses has any of some roles."""
        return any(sense.role in roles for sense in self.senses)

    @property
    def names_some(self) -> bool:
        """Return whether it may be a noun for some devices of a kind only: "lamp"."""
        return any(s.role is Role.KIND and not s.value.is_general for s in self.senses)

    @property
    def names_any(self) -> bool:
        """Return whether it may be a noun for any device of a kind: "light"."""
        return any(s.role is Role.KIND and s.value.is_general for s in self.senses)

    @property
    def is_mark(self) -> bool:
        """Return whether it is a mark that may separate parts."""
        return self.words[0] in _MARKS


@lru_cache(maxsize=64)
def _covered(
    text: str, house: HomeLexicon, *, is_command: bool, is_wordwise: bool
) -> tuple[Span, ...]:
    return tuple(cover(tokenise(text), house, is_command=is_command, is_wordwise=is_wordwise))


def cover_text(
    text: str, house: HomeLexicon, *, is_command: bool = True, is_wordwise: bool = False
) -> list[Span]:
    """Return the spans of a text as `cover` does; a sentence is cut once, whoever reads it."""
    return list(_covered(text, house, is_command=is_command, is_wordwise=is_wordwise))


def noun_phrase(text: str, house: HomeLexicon) -> str:
    """Return the part of a command from the first to the last word that names something; "" where none does."""
    named = [span for span in cover_text(text, house) if span.has_any(NAMING)]
    return text[named[0].start : named[-1].end] if named else ""


def cover(
    tokens: Sequence[Token],
    house: HomeLexicon,
    *,
    is_command: bool = True,
    is_wordwise: bool = False,
) -> list[Span]:
    """Return the spans that explain tokens at the least cost: few, long, and no word left over.

    In a command, names of what nothing can be done with (sensors) are no names, and "doing" asks nothing.
    Where it `is_wordwise`, the words of a verb and of a link mean what they mean alone: in "put music lower"
    there is no "put music", and in "blinds up in the hall" no "up in".
    """
    tokens = [part for token in tokens for part in _split(token, house)]
    tokens = _marked(tokens, house) if house.lexicon.enclitics else tokens
    asked = frozenset() if is_command else _ASKED_APART
    apart = _APART if is_wordwise else asked
    best: list[tuple[float, list[Span]]] = [(0.0, [])]
    longest = max(house.longest, house.lexicon.longest, 1)
    for end in range(1, len(tokens) + 1):
        options = []
        for start in range(max(0, end - longest), end):
            found = _span(tokens[start:end], house, is_command=is_command)
            if span := _taken_apart(found, house, apart):
                cost, before = best[start]
                options.append((cost + _cost(span), len(before) + 1, start, span))
        cost, _, start, span = min(options, key=lambda option: option[:3])
        best.append((cost, [*best[start][1], span]))
    spans = join_ranges(_with_hundreds(best[-1][1]), house.lexicon)
    return _without_purposes(spans, house.lexicon) if is_command else spans


def _with_hundreds(spans: Sequence[Span]) -> list[Span]:
    """Return spans in which the words of a number above a hundred are one: "a hundred and fifty"."""
    found: list[Span] = []
    for span in spans:
        number = _said_number(span)
        joint = 1 if found and found[-1].has(Role.AND) else 0
        before = _said_number(found[-1 - joint]) if len(found) > joint else 0
        if not joint and number == _HUNDRED and 1 < before < _TEN:
            total = before * number
        elif before and before % _HUNDRED == 0 and 0 < number < _HUNDRED:
            total = before + number
        else:
            found.append(span)
            continue
        parts = found[-1 - joint :]
        del found[-1 - joint :]
        words = tuple(word for part in (*parts, span) for word in part.words)
        senses = (Sense(Role.NUMBER, total),)
        found.append(Span(parts[0].start, span.end, words, senses))
    return found


def _said_number(span: Span) -> float:
    """Return the whole number that words say; 0 for digits and anything else."""
    if span.words[0][0].isdecimal():
        return 0
    values = (float(sense.value) for sense in span.senses if sense.role is Role.NUMBER)
    return next((value for value in values if value.is_integer()), 0)


def _without_purposes(spans: Sequence[Span], lexicon: Lexicon) -> list[Span]:
    """Return spans in which what something is for is no word of a name: "light for reading" is no reading lamp."""
    found: list[Span] = []
    before = ""
    for span in spans:
        is_purpose = span.has(Role.NAME_WORD) and lexicon.is_purpose(before, span.words)
        left = tuple(sense for sense in span.senses if sense.role is not Role.NAME_WORD)
        found.append(replace(span, senses=left) if is_purpose else span)
        before = before if span.has(Role.ARTICLE) else span.words[-1]
    return found


def _split(token: Token, house: HomeLexicon) -> list[Token]:
    """Return a token, or the halves of a compound that is not known as a whole."""
    if token.is_mark or token.number is not None or house.knows(token.word):
        return [token]
    verb, *enclitics = house.lexicon.host(token.word) or ("",)
    if verb:
        joined = [Token(word, token.start, token.end, is_joined=True) for word in enclitics]
        return [Token(verb, token.start, token.end), *joined]
    return [Token(half, token.start, token.end) for half in house.halves(token.word)] or [token]


def _marked(tokens: Sequence[Token], house: HomeLexicon) -> list[Token]:
    """Return tokens of which only the pronouns of verbs are joined to what is before them, and these verbs."""
    enclitics = house.lexicon.enclitics
    are_joined = [token.is_joined and token.word in enclitics for token in tokens]
    return [
        replace(token, is_joined=is_joined, is_verb=is_verb)
        for token, is_joined, is_verb in zip(
            tokens, are_joined, [*are_joined, False][1:], strict=True
        )
    ]


def _is_only_asked(sense: Sense, house: HomeLexicon) -> bool:
    """Return whether a sense is of questions alone: a name that nothing can be done with, what something is doing."""
    if sense.role is Role.NAME:
        return not house.can_act(sense.value)
    return sense.role is Role.ASKING and sense.value in _ONLY_ASKED


def _span(tokens: Sequence[Token], house: HomeLexicon, *, is_command: bool) -> Span | None:
    """Return the span of tokens; None where several mean nothing together."""
    words = tuple(token.word for token in tokens)
    first = tokens[0]
    own = house.senses(words)
    senses: tuple[Sense, ...]
    if len(tokens) == 1 and first.number is not None:
        senses = (Sense(Role.NUMBER, first.number), *own)
    elif len(tokens) == 1 and _is_enclitic(first, house):
        senses = (house.lexicon.enclitics[first.word],)
    elif len(tokens) == 1 and first.is_verb:
        known = house.lexicon.senses(words)
        senses = tuple(sense for sense in known if sense.role is Role.VERB) or (*own, *known)
    elif any(token.is_mark for token in tokens) or _is_enclitic(first, house):
        # "Ponlo más brillante" says no "lo más brillante".
        senses = ()
    else:
        senses = (*own, *house.lexicon.senses(words))
    if is_command:
        senses = tuple(sense for sense in senses if not _is_only_asked(sense, house))
    if len(tokens) > 1 and not senses:
        return None
    last = house.halves(words[-1])[-1:] or words[-1:]
    is_plural = house.is_several(words[-1]) or any(
        sense.role is Role.KIND and sense.value.is_plural for sense in house.lexicon.senses(last)
    )
    noun = _noun_of(words, senses, house)
    # Looked up only where it matters: many names may be tried for one text.
    is_plural = is_plural and not _is_called(words, own)
    return Span(first.start, tokens[-1].end, words, senses, is_plural, noun)


def _is_called(words: Phrase, own: Sequence[Sense]) -> bool:
    """Return whether several things have words as their name, word for word: one of them may be meant."""
    called = [
        sense.value
        for sense in own
        if sense.role is Role.NAME and words in map(spoken_words, sense.value.names)
    ]
    return len(called) > 1


def _is_enclitic(token: Token, house: HomeLexicon) -> bool:
    """Return whether a token is a pronoun that is written as one with its verb."""
    return token.is_joined and token.word in house.lexicon.enclitics


def _taken_apart(
    span: Span | None, house: HomeLexicon, apart: frozenset[tuple[Role, Role]]
) -> Span | None:
    """Return a span without the senses of those that words in it keep it from; None if nothing is left."""
    if span is None or len(span.words) == 1 or not apart:
        return span
    inside = {sense.role for word in span.words for sense in house.lexicon.senses((word,))}
    left_out = {role for word, role in apart if word in inside}
    # "Zu Hause" is a place, whatever "zu" is.
    senses = tuple(
        sense
        for sense in span.senses
        if sense.role not in left_out or sense == Sense(Role.EVERYWHERE)
    )
    return replace(span, senses=senses) if senses else None


def _noun_of(words: Sequence[str], senses: Sequence[Sense], house: HomeLexicon) -> Noun | None:
    """Return the noun in a name that says what is called so: "lamp" of "bedside lamp"."""
    domains = {sense.value.domain for sense in senses if sense.role is Role.NAME}
    nouns = (
        sense.value
        for word in words
        for form in (word, *house.halves(word)[-1:])
        for sense in (house.lexicon.senses((form,)) if domains else ())
        if sense.role is Role.KIND
    )
    return next((noun for noun in nouns if domains <= KINDS[noun.kind].domains.keys()), None)


def _cost(span: Span) -> float:
    """Return what a span costs."""
    if span.is_mark:
        return _KNOWN
    if not span.senses:
        return _UNKNOWN
    return _PART if all(sense.role is Role.NAME_WORD for sense in span.senses) else _KNOWN

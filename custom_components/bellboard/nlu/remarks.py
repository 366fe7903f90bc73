"""Remarks beside a command, which only tell why or begin to speak: "ah yes before I forget", "I've got a train".

Speech has no commas, so nothing may separate them. What is left without one has to be understood as a whole: a second
wish that is not understood is never dropped as a remark.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
import re

from .answers import Sign
from .clauses import is_filler
from .frame_models import LIGHT_VERBS
from .house import HomeLexicon
from .lexicon import NAMING, Lexicon, Role
from .loader import Language
from .reading import CONDITION, LATER, read_tags
from .segmentation import clauses_of, drop_statements, names_thing, understood_before
from .spans import Span, cover_text
from .tokens import MAX_COMMAND, Phrase, spoken_words, tokenise

# Verbs of what only complains of too much or too little.
_TOLD = frozenset({"lighten", "darken"})
# Words of a remark: what is shorter says nothing that somebody could take for a statement.
_LEAST_OF_REMARK = 2
# Letters of a word that alone may stand for a name.
_LEAST_OF_NAME = 3
# Words of a noun that nobody knows, with which a statement begins: "les beaux-parents".
_MOST_OF_SUBJECT = 2
_JOINING = frozenset({Role.AND, Role.OR, Role.EXCEPT})
_SAYING = NAMING | {Role.NUMBER, Role.STATE, Role.MOVE, Role.LEVEL, Role.PRONOUN}
_EDGES = " ,;.!"
_MARK = re.compile("[,;.!]")
# After more of them nothing is told.
_MOST_MARKS = 6
_NAMES = NAMING - {Role.NAME_WORD}
_THINGS = frozenset({Role.NAME, Role.KIND, Role.NUMBER})
_SET_TO = frozenset({Role.STATE, Role.MOVE, Role.LEVEL, Role.COLOR, Role.KELVIN, Role.OPTION})
# What something is set to: a remark that only tells how it is has nothing of it. A number may be an article, too.
_TINTS = frozenset({Role.COLOR, Role.KELVIN})
_VALUES = _TINTS | {Role.STATE, Role.MOVE, Role.LEVEL}


type _Asks = Callable[[Sequence[Span]], bool]


def without_remark(text: str, house: HomeLexicon) -> str:
    """Return a text without the remark that it begins with, which nothing separates: "I'm off to bed lights off"."""
    spans = cover_text(text, house)
    begin = next((at for at, span in enumerate(spans) if not is_filler(span)), 0)
    is_remark = any(len(span.words) >= _LEAST_OF_REMARK for span in spans[:begin])
    return text[spans[begin].start :] if is_remark else text


def requested(text: str, house: HomeLexicon) -> str:
    """Return a text without what only tells why: "I don't like this song, skip it" is to skip it."""
    text = _before_reason(text, cover_text(text, house), house.lexicon)
    clauses = clauses_of(cover_text(text, house))
    kept = drop_statements(text, clauses, house.lexicon)
    if kept == clauses:
        return text
    return ", ".join(text[clause[0].start : clause[-1].end] for clause in kept if clause)


def _before_reason(text: str, spans: Sequence[Span], lexicon: Lexicon) -> str:
    """Return what stands before a reason that no mark separates: "turn on the heater I'm freezing".

    The whole text where there is none, or where it names something that can be done, or somebody's words.
    """
    words = [word for span in spans for word in span.words]
    if not lexicon.reporting.isdisjoint(words):
        return text
    is_wish = False
    for at, span in enumerate(spans):
        said = _words(spans[at:])
        if at and (span.is_mark or spans[at - 1].has(Role.AND)):
            is_wish = not span.is_mark and lexicon.opens_wish(said)
        is_reason = at and not is_wish and _tells_why(spans[at:], lexicon)
        if is_reason and not _joins(spans[:at]):
            return text[: span.start].strip(_EDGES)
    return text


def _tells_why(spans: Sequence[Span], lexicon: Lexicon) -> bool:
    """Return whether spans are a reason in which nothing is to be done; after "because" it may name things."""
    said = _words(spans)
    if size := lexicon.reason_at(said):
        rest = list(_after_words(spans, size))
        asks = _says_what if lexicon.opens_wish(said) else _may_be_done_in
        if not (_may_be_done_in(rest) or asks(rest)):
            return True
    if not (size := lexicon.remarks.because_at(said)):
        return False
    rest = list(_after_words(spans, size))
    return not (_acts_on_things(rest) or lexicon.remarks.takes_back(said))


def without_remarks(text: str, language: Language, house: HomeLexicon) -> Iterator[str]:
    """Yield a text without remarks before and behind its command, as it may be meant, the likeliest first."""
    fronts = list(dict.fromkeys(_after_remarks(text, language, house)))
    yield from fronts
    for front in (text, *fronts):
        yield from (kept for kept, _ in remarks_behind(front, language, house))


def before_statements(text: str, house: HomeLexicon) -> Iterator[str]:
    """Yield what stands before what only tells something: "forget the hall, Tom's still up"; what a mark ends first.

    What names a thing, begins with a verb, has a number in it, or is no more than a state is no such statement.
    """
    spans = cover_text(text, house)
    for is_marked in (True, False):
        for at in range(1, len(spans)):
            rest = [span for span in spans[at:] if not span.is_mark]
            said = [span for span in rest if not is_filler(span)]
            is_more = any(map(_acts, said[:1])) or any(span.has_any(_THINGS) for span in rest)
            is_more = is_more or all(span.has_any(_SET_TO) for span in said)
            if not is_marked:
                is_more = is_more or _joins(spans[:at]) or any(map(_may_be_done, said))
            if rest and not is_more and spans[at].is_mark == is_marked:
                yield text[: spans[at].start].strip(_EDGES)


def after_statements(text: str, language: Language) -> Iterator[tuple[str, str]]:
    """Yield what is told in a text before a mark, and what follows that: "the cake is done, you can drop that"."""
    marks = _MARK.finditer(text) if len(text) <= MAX_COMMAND else ()
    for mark in islice(marks, _MOST_MARKS):
        told, rest = text[: mark.start()], text[mark.end() :].strip(_EDGES)
        reading = read_tags(told, language)
        asks = reading.begins_with_verb or reading.is_question
        if rest and not asks and len(told.split()) >= _LEAST_OF_REMARK:
            yield told, rest


def opens_remark(text: str, house: HomeLexicon) -> bool:
    """Return whether a text begins as what only tells why does: "the kids sleep in", "we haven't eaten"."""
    return bool(_opening(text, cover_text(text, house), house)[0])


def remarks_behind(text: str, language: Language, house: HomeLexicon) -> Iterator[tuple[str, str]]:
    """Yield each remark that may end a text, after what stands before it."""
    spans = cover_text(text, house)
    for at, span in enumerate(spans):
        if not at or span.is_mark or _is_joined(text, spans, at, language):
            continue
        size, asks = _opening(text, spans[at:], house)
        if not size or language.guards[CONDITION].search(_last_word(text[: span.start])):
            continue
        rest = list(_after_words(spans[at:], size))
        if not (asks(rest) or _takes_back(text, spans[at:], rest, language)):
            yield text[: span.start].strip(_EDGES), text[span.start :]


def request_behind(text: str, language: Language, house: HomeLexicon) -> tuple[str, str] | None:
    """Return what stands before a request that nobody understands, and that: "..., feed the cat"; None for no such.

    What names something of the home is no other request, nor is a condition, an exception or what takes back.
    """
    if len(text) > MAX_COMMAND:
        return None
    spans = cover_text(text, house)
    clauses = drop_statements(text, clauses_of(spans), house.lexicon)
    known = understood_before(text, clauses, is_marked=True)
    words = _words(spans)
    if not known or not house.lexicon.reporting.isdisjoint(words):
        return None
    start = clauses[known][0].start
    rest = [span for span in spans if span.start >= start]
    if any(span.has_any(NAMING | {Role.EXCEPT}) for span in rest):
        return None
    if _takes_back(text, rest, rest, language) or language.lexicon.remarks.is_negated(_words(rest)):
        return None
    return text[: clauses[known - 1][-1].end], text[start:].strip(_EDGES)


def _after_remarks(text: str, language: Language, house: HomeLexicon) -> Iterator[str]:
    """Yield what follows a remark that a text begins with: words that only begin to speak, and a statement."""
    lexicon = language.lexicon
    if (rest := without_prefaces(text, lexicon)) != text:
        yield rest
    spans = cover_text(rest, house)
    size, asks = _opening(rest, spans, house)
    if not size:
        return
    told = [not any(map(_may_be_done, _after_words(spans[:at], size))) for at in range(len(spans))]
    for at in range(1, len(spans)):
        follows = lexicon.remarks.follows_at(_words(spans[at:]))
        if follows and (told[at] or asks is _acts_on_things):
            after = next(_after_words(spans[at:], follows), None)
            if after:
                yield rest[after.start :]
    for at, span in enumerate(spans):
        is_said = at and told[at] and span.has(Role.VERB)
        # Whose time it is that stands before the command nobody knows.
        if is_said and not language.guards[LATER].search(rest[: span.start]):
            yield rest[span.start :]


def without_prefaces(text: str, lexicon: Lexicon) -> str:
    """Return a text without the words that only begin to speak: "ah yes", "before I forget", "by the way"."""
    tokens = [token for token in tokenise(text) if not token.is_mark]
    words = tuple(token.word for token in tokens)
    at = end = 0
    while at < len(words):
        if size := lexicon.remarks.preface_at(words[at:]):
            at = end = at + size
        elif lexicon.is_courtesy(words[at]):
            at += 1
        else:
            break
    while 0 < end < len(words) and lexicon.is_and(words[end]):
        end += 1
    return text[tokens[end].start :] if 0 < end < len(tokens) else text


def _opening(text: str, spans: Sequence[Span], house: HomeLexicon) -> tuple[int, _Asks]:
    """Return how many words open a remark, 0 for none; and what tells whether a wish is in what follows them."""
    words, lexicon = _words(spans), house.lexicon
    if size := lexicon.remarks.because_at(words) or lexicon.remarks.meanwhile_at(words):
        return size, _acts_on_things
    if size := lexicon.reason_at(words) or lexicon.remarks.reason_at(words):
        if lexicon.opens_wish(words):
            return size, _says_what
        return size, partial(_may_ask_before_reason, lexicon=lexicon)
    is_name = bool(spans) and text[spans[0].start].isupper()
    if size := _subject_size(words, house, is_name=is_name):
        return size, _may_be_done_at_home
    begins = bool(spans) and text[: spans[0].start].rstrip().endswith(",")
    if begins and (size := _subject_size(words, house, is_name=True)):
        # "Dinner is ready"
        return size, _says_what
    size = lexicon.aside_at(words)
    # "My aquarium, too" tells nothing.
    return (0 if lexicon.remarks.article_at(words) >= size else size), _says_what


def _subject_size(words: Phrase, house: HomeLexicon, *, is_name: bool) -> int:
    """Return how many words are somebody of whom nothing is known here, and a verb that only tells of them.

    "Camille has taken", "my in-laws arrive". Without an article it is a name.
    """
    remarks = house.lexicon.remarks
    begin = remarks.article_at(words)
    for end in range(begin + 1, begin + _MOST_OF_SUBJECT + 1) if begin or is_name else ():
        if not _is_stranger(words[end - 1 : end], house):
            break
        size = remarks.predicate_at(words[end:])
        # "My aquarium, too", "my aquarium not" tell nothing.
        if size and not all(_says_nothing(word, house.lexicon) for word in words[end:]):
            return end + size
    return 0


def _says_nothing(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word is small, or a negation."""
    return lexicon.is_small(word) or lexicon.remarks.is_negated((word,))


def _is_stranger(word: Phrase, house: HomeLexicon) -> bool:
    """Return whether nothing explains a word, but perhaps as a part of a name: "Lily"."""
    senses = (*house.senses(word), *house.lexicon.senses(word))
    return bool(word) and all(sense.role is Role.NAME_WORD for sense in senses)


def _joins(before: Sequence[Span]) -> bool:
    """Return whether the last spans join what follows, and ask nothing by themselves: "and", "and make sure"."""
    for span in reversed(before):
        if span.has_any(_JOINING):
            return True
        if span.has_any(_SAYING) or _acts(span):
            return False
    return True


def _is_joined(text: str, spans: Sequence[Span], at: int, language: Language) -> bool:
    """Return whether what is before a span joins it, or asks nothing; to be told something is asked, too."""
    is_told = language.reminders.may_be_in(text[: spans[at].start])
    return _joins(spans[:at]) and not (is_told and not spans[at - 1].has_any(_JOINING))


def _takes_back(
    text: str, remark: Sequence[Span], rest: Sequence[Span], language: Language
) -> bool:
    """Return whether a remark has a condition or an exception, or takes back what was said: "I'm only joking".

    `rest` is what follows its opening.
    """
    if language.lexicon.remarks.takes_back(_words(remark)):
        return True
    if not rest:
        return False
    words = _words(rest)
    said = text[rest[0].start : rest[-1].end]
    is_not = language.lexicon.remarks.is_negated
    canceled = (
        each
        for each in language.answers.signs.find(words)
        # "So I don't forget it" takes back nothing.
        if Sign.CANCEL in each.meanings and not is_not(words[: each.start])
    )
    return bool(
        any(_excepts(rest[at:], language.lexicon) for at in range(len(rest)))
        or _has_condition(said, _words(remark), language)
        or any(each.end - each.start > 1 for each in canceled)
    )


def _has_condition(said: str, remark: Phrase, language: Language) -> bool:
    """Return whether a remark has a condition in what it says; "so it's warm when I get up" has none."""
    remarks = language.lexicon.remarks
    is_purpose = remarks.because_at(remark) > 0
    return any(
        not (is_purpose and remarks.is_own(spoken_words(said[each.end() :])))
        for each in language.guards[CONDITION].finditer(said)
    )


def _excepts(spans: Sequence[Span], lexicon: Lexicon) -> bool:
    """Return whether spans begin with an exception: "but not the lamp", not "so I do not forget it"."""
    is_not = lexicon.remarks.is_negated(spans[0].words)
    return spans[0].has(Role.EXCEPT) and not (is_not and not any(map(_names_thing, spans)))


def _may_ask(spans: Sequence[Span]) -> bool:
    """Return whether there may be a wish in what follows the beginning of a statement: "otherwise leave it on"."""
    first = next((span for span in spans if not is_filler(span)), None)
    # "We do a film night" sets nothing.
    is_order = bool(first and first.has(Role.VERB)) and any(map(_is_set, spans))
    return is_order or _may_be_done_in(spans) or any(span.has_any(_TINTS) for span in spans)


def _is_set(span: Span) -> bool:
    """Return whether a span is what may be set to something, or what it is set to."""
    return span.has(Role.PRONOUN) or span.has_any(_VALUES)


def _may_be_done_in(spans: Sequence[Span]) -> bool:
    """Return whether any of some spans names a thing, a place, or what is to be done with one."""
    return any(map(_may_be_done, spans))


def _may_be_done_at_home(spans: Sequence[Span]) -> bool:
    """Return whether there may be a wish in what tells something of somebody; "isn't home yet" only tells where."""
    is_set = any(span.has_any(_VALUES) for span in spans)
    said = [span for span in spans if is_set or not span.has(Role.EVERYWHERE)]
    return any(map(_may_be_done, said))


def _says_what(spans: Sequence[Span]) -> bool:
    """Return whether there may be a wish, or what something is set to, in what only tells how it is.

    A word that only is one of a name names nothing: "a film night".
    """
    return any(
        _acts(span)
        or span.has_any(_NAMES)
        or span.has_any(_VALUES)
        or (span.has(Role.NUMBER) and not span.has(Role.QUANTITY))
        for span in spans
    )


def _last_word(text: str) -> str:
    """Return the last word of a text."""
    return text.rstrip(_EDGES).rpartition(" ")[2]


def _may_ask_before_reason(spans: Sequence[Span], lexicon: Lexicon) -> bool:
    """Return whether there may be a wish in a statement; what only tells why in it may name things, too."""
    because = (at for at in range(len(spans)) if lexicon.remarks.because_at(_words(spans[at:])))
    first = next(because, len(spans))
    return _may_ask(spans[:first]) or _acts_on_things(spans[first:])


def _acts_on_things(spans: Sequence[Span]) -> bool:
    """Return whether what is to be done stands before what it is for: "close the window", not "the window's open"."""
    verbs = (at for at, span in enumerate(spans) if span.has(Role.VERB))
    first = next(verbs, len(spans))
    return any(map(_names_thing, spans[first + 1 :]))


def _after_words(spans: Sequence[Span], size: int) -> Iterator[Span]:
    """Yield the spans that are not within the first words of some."""
    for span in spans:
        size -= len(span.words)
        if size < 0:
            yield span


def _may_be_done(span: Span) -> bool:
    """Return whether a span names a thing, a place, or what is to be done with one."""
    return _names_thing(span) or _acts(span)


def _names_thing(span: Span) -> bool:
    """Return whether a span names a thing or a place; what may be any small word of a name does not ("a", "da")."""
    if span.has_any(_NAMES):
        return True
    is_only_word = all(sense.role is Role.NAME_WORD for sense in span.senses)
    return names_thing(span) and is_only_word and len(span.words[0]) >= _LEAST_OF_NAME


def _acts(span: Span) -> bool:
    """Return whether a span may be the verb of what is to be done with something."""
    return any(
        sense.role is Role.VERB and sense.value not in LIGHT_VERBS | _TOLD for sense in span.senses
    )


def _words(spans: Sequence[Span]) -> Phrase:
    """Return the words of spans."""
    return tuple(word for span in spans for word in span.words)

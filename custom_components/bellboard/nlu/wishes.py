"""Wishes by negation: "no light in the kitchen" is off, "I don't want it so bright" is "too bright".

"Don't turn on the light" is none: with the verb of a command nothing is to be done.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Self

from .frame_models import LIGHT_VERBS, ReadCommand
from .lexicon import NAMING, Lexicon, Role, Sense
from .phrase_lists import load_phrases
from .reader import Reader
from .references import ReferenceWords
from .spans import Span, cover_text
from .tokens import Phrase, Token, spoken_words, tokenise

# What is done where a state is not wanted; other states are only kept from changing.
_UNDOING = {"on": "turn_off", "open": "close"}
# Things that a wish may turn off or close. What locks and what opens the house is not among them.
_DOMAINS = frozenset({"light", "media_player", "climate", "fan", "switch", "cover", "humidifier"})
# Things that are on where they are only named.
_TURNED_ON = frozenset({"light", "fan", "switch", "humidifier"})
_SMALL = frozenset({Role.FILLER, Role.ARTICLE, Role.LINK})
_NAMING = frozenset(
    {
        *(*NAMING, Role.HERE, Role.EVERYWHERE),
        *(Role.QUANTITY, Role.STATE, *_SMALL),
    }
)
# What is said to be so: "closed", "brighter".
_STATES = frozenset({Role.STATE, Role.MOVE})
_MOVED = frozenset(Sense(Role.VERB, verb) for verb in ("open", "close"))
_NOUNS = frozenset({Role.KIND, Role.NAME, Role.NAME_WORD})
# What makes a wish of "no light".
_DEFINITE = frozenset({Role.PLACE, Role.HERE, Role.EVERYWHERE, Role.NAME, Role.STATE, Role.FILLER})
_TELLING = frozenset(
    {Sense(Role.ASKING, "is"), *(Sense(Role.VERB, verb) for verb in ("set", "keep"))}
)
# "No lights" and "not any light" are all of them.
_ANY = frozenset({"one", "any"})
# "I need", "ich bräuchte"
_SETTING = Sense(Role.VERB, "set")


@dataclass(frozen=True, slots=True)
class WishWords:
    """Phrases of one language that say what is not wanted.

    `unwanted` say so alone ("I don't want", "hoeft niet meer"), `none` go before a noun ("no"), alone or after
    `wanting` ("ich will ... kein"), and with that also `after` it ("ich will das Licht nicht"). After `unwanted`,
    `so` before an adjective means "too". `longer` may stand beside any of them ("any more"), but before a noun it
    says how much of it.
    """

    unwanted: tuple[Phrase, ...] = ()
    none: tuple[Phrase, ...] = ()
    wanting: tuple[Phrase, ...] = ()
    after: tuple[Phrase, ...] = ()
    so: tuple[Phrase, ...] = ()
    longer: tuple[Phrase, ...] = ()

    @classmethod
    def load(cls, data: Mapping[str, Iterable[str]]) -> Self:
        """Return the words of the section `wishes` of a language file."""
        return cls(**{each.name: load_phrases(data[each.name]) for each in fields(cls)})


def read_wished(
    reader: Reader, words: WishWords, text: str, *, is_negated: bool, is_alone: bool = False
) -> list[ReadCommand]:
    """Return the commands for what a text that is known to be a wish says to be so, or not; [] for any other.

    What it names `is_alone` on, where it says nothing of that: "the fan", for half an hour.
    """
    unwanted = read_unwanted(reader, words, text, is_wished=True)
    if unwanted or is_negated:
        return unwanted
    spans = [span for span in cover_text(text, reader.house) if not span.is_mark]
    if is_alone and (named := _named_on(reader, text, spans)):
        return named
    kept = [span for span in spans if not _only_tells(span)]
    said = [
        span for span in kept if not (span.has_any(_STATES) or _MOVED.intersection(span.senses))
    ]
    is_state = len(said) < len(kept) and all(map(_may_name, said))
    if not is_state or len(kept) == len(spans) or _only_tells(spans[0]):
        return []
    return reader.commands(text, kept)


def _named_on(reader: Reader, text: str, spans: Sequence[Span]) -> list[ReadCommand]:
    """Return the commands that turn on what spans only name, or are said to be needed; [] where they say more."""
    spans = [span for span in spans if _SETTING not in span.senses or span.has_any(_NOUNS)]
    is_named = all(_may_name(span) and not span.has_any(_STATES) for span in spans)
    if not is_named or not any(span.has_any(_NOUNS) for span in spans):
        return []
    parts = reader.commands(text, [_spoken(Sense(Role.VERB, "turn_on")), *spans])
    is_safe = all(
        part.actions and all(action.domain in _TURNED_ON for action in part.actions)
        for part in parts
    )
    return parts if is_safe else []


def read_unwanted(
    reader: Reader, words: WishWords, text: str, *, is_wished: bool = False
) -> list[ReadCommand]:
    """Return commands that end what a text says is not wanted; [] where it is no such wish, or not plainly one.

    With `is_wished` it is known to be a wish: "it would be nice if the fan were not on".
    """
    lexicon = reader.house.lexicon
    rest = _without_negation(text, words, lexicon)
    if rest is None and is_wished:
        rest = _without_none(text, words, lexicon, is_wished=True)
    if rest is None:
        return []
    said, is_wished = rest
    for is_wordwise in (False, True):
        covered = cover_text(said, reader.house, is_wordwise=is_wordwise)
        if parts := _ended(
            reader, said, [*map(_stated, covered)] if is_wished else covered, is_wished=is_wished
        ):
            return parts
    return []


def _ended(
    reader: Reader, said: str, spans: Sequence[Span], *, is_wished: bool
) -> list[ReadCommand]:
    """Return the commands that end what spans name and the state that they say; [] where they say more."""
    spans = [span for span in spans if not (span.is_mark or (is_wished and _only_tells(span)))]
    if not spans or not all(map(_may_name, spans)):
        return []
    if not is_wished and not any(map(_is_definite, spans)):
        # "No light" may as well tell that there is none.
        return []
    if not any(span.has_any(_NOUNS) for span in spans):
        return []
    states = {sense.value for span in spans for sense in span.senses if sense.role is Role.STATE}
    if len(states) > 1 or not states <= _UNDOING.keys():
        return []
    verb = Sense(Role.VERB, _UNDOING[next(iter(states), "on")])
    spans = [span for span in spans if not _is_any(span)]
    # "On" may be where a thing is: "no light on the terrace".
    stated = [span for span in spans if not span.has(Role.STATE)]
    for kept in dict.fromkeys((tuple(stated), tuple(map(_without_state, spans)))):
        parts = reader.commands(said, [_spoken(verb), *kept]) if all(s.senses for s in kept) else []
        if parts and all(map(_is_plain, parts)):
            return parts
    return []


def read_wish(
    reader: Reader, references: ReferenceWords, words: WishWords, text: str
) -> list[ReadCommand]:
    """Return the commands of a wish by negation; [] for any other text."""
    said = as_too(text, references, words, reader.house.lexicon)
    return reader.read(said, plays=False) if said != text else read_unwanted(reader, words, text)


def as_too(text: str, references: ReferenceWords, words: WishWords, lexicon: Lexicon) -> str:
    """Return a text with "too bright" for "not so bright" and "I don't want it so bright"; any other as it is."""
    not_so, too = references.not_so, references.too
    said = spoken_words(text)
    begin = next((at for at, word in enumerate(said) if not lexicon.is_courtesy(word)), 0)
    for first in range(begin + 1):
        if size := _begins(said[first:], not_so):
            return " ".join((too, *said[first + size :]))
    ends = [at + size for at in (begin, 0) if (size := _begins(said[at:], words.unwanted))]
    said, phrases = said[ends[0] if ends else begin :], words.so if ends else not_so
    for at in range(len(said)):
        size = _begins(said[at:], phrases)
        if size and _is_way((too, *said[at + size : at + size + 1]), lexicon):
            return " ".join((*said[:at], too, *said[at + size :]))
    return text


def _is_way(phrase: Phrase, lexicon: Lexicon) -> bool:
    """Return whether a phrase says which way something is to go: "too bright"."""
    return any(sense.role in {Role.MOVE, Role.VERB} for sense in lexicon.senses(phrase))


def _begins(words: Phrase, phrases: Iterable[Phrase]) -> int:
    """Return the length of the longest phrase that words begin with, 0 for none."""
    return max((len(each) for each in phrases if words[: len(each)] == each), default=0)


def _without_negation(text: str, words: WishWords, lexicon: Lexicon) -> tuple[str, bool] | None:
    """Return a text without its negation, and whether it says that it is a wish; None for another."""
    tokens = [token for token in tokenise(text) if not token.is_mark]
    said = tuple(token.word for token in tokens)
    for at in range(len(said)):
        if size := _begins(said[at:], words.unwanted):
            rest = _without_longer(_cut(text, tokens[at : at + size]), words, lexicon)[0]
            none = _without_none(rest, words, lexicon, is_wished=True)
            return none or (rest, True)
    begin = next((at for at in range(3) if _begins(said[at:], words.wanting)), 0)
    wanting = _begins(said[begin:], words.wanting)
    rest = _cut(text, tokens[begin : begin + wanting])
    return _without_none(rest, words, lexicon, is_wished=bool(wanting))


def _without_none(
    text: str, words: WishWords, lexicon: Lexicon, *, is_wished: bool
) -> tuple[str, bool] | None:
    """Return a text without the "no" before a noun, and whether it is said to be a wish; None for another."""
    tokens = list(tokenise(text))
    said = tuple(token.word for token in tokens)
    none = _places(said, words.none)
    after = [place for place in _places(said, words.after) if place[0]]
    if is_wished and len(after) == 1 and not none and not _is_noun(said, after[0], lexicon):
        at, size = after[0]
        return _without_longer(_cut(text, tokens[at : at + size]), words, lexicon)[0], True
    if len(none) != 1 or after:
        return None
    at, size = none[0]
    following = tokens[at + size] if at + size < len(tokens) else None
    if following is None or following.is_mark or _is_article(following.word, lexicon):
        # "No, the lamp" corrects.
        return None
    rest, is_ended = _without_longer(_cut(text, tokens[at : at + size]), words, lexicon)
    return rest, is_wished or is_ended


def _places(said: Phrase, phrases: Iterable[Phrase]) -> list[tuple[int, int]]:
    """Return where any of some phrases stand in words, one after the other, each with its length."""
    found: list[tuple[int, int]] = []
    for at in range(len(said)):
        size = _begins(said[at:], phrases)
        if size and at >= sum(found[-1] if found else (0, 0)):
            found.append((at, size))
    return found


def _without_longer(text: str, words: WishWords, lexicon: Lexicon) -> tuple[str, bool]:
    """Return a text without its "any more", and whether it has one: "no more light" may only be enough of it."""
    tokens = list(tokenise(text))
    said = tuple(token.word for token in tokens)
    for at, size in _places(said, words.longer):
        if not _is_noun(said, (at, size), lexicon):
            return _cut(text, tokens[at : at + size]), True
    return text, False


def _is_noun(said: Phrase, place: tuple[int, int], lexicon: Lexicon) -> bool:
    """Return whether a noun for a kind follows a phrase directly: "nicht mehr Licht"."""
    end = sum(place)
    return any(sense.role is Role.KIND for sense in lexicon.senses(said[end : end + 1]))


def _cut(text: str, tokens: Sequence[Token]) -> str:
    """Return a text without some tokens of it, and what separated them."""
    return f"{text[: tokens[0].start]}{text[tokens[-1].end :].lstrip(' ,')}" if tokens else text


def _is_article(word: str, lexicon: Lexicon) -> bool:
    """Return whether a word may be an article."""
    return any(sense.role is Role.ARTICLE for sense in lexicon.senses((word,)))


def _only_tells(span: Span) -> bool:
    """Return whether a span only says that something is, or that it is had: "is", "to have"."""
    roles = {sense.role for sense in span.senses}
    return (
        not span.has(Role.STATE)
        and roles.isdisjoint(_NOUNS)
        and _TELLING.intersection(span.senses) != set()
    )


def _is_definite(span: Span) -> bool:
    """Return whether a span says where or which, in which state, or asks politely."""
    return span.has_any(_DEFINITE)


def _may_name(span: Span) -> bool:
    """Return whether a span may name a thing, or its state, and is no verb of a command."""
    roles = {sense.role for sense in span.senses}
    acts = any(sense.role is Role.VERB and sense.value not in LIGHT_VERBS for sense in span.senses)
    return not roles.isdisjoint(_NAMING) and not (acts and roles.isdisjoint(_NOUNS | {Role.STATE}))


def _is_any(span: Span) -> bool:
    """Return whether a span is only a quantifier for any of some."""
    return bool(span.senses) and all(
        (sense.role is Role.QUANTITY and sense.value in _ANY) or sense.role is Role.NUMBER
        for sense in span.senses
    )


def _without_state(span: Span) -> Span:
    """Return a span that is no state, if it may be anything else."""
    return replace(span, senses=tuple(s for s in span.senses if s.role is not Role.STATE))


def _stated(span: Span) -> Span:
    """Return a span in which a verb that says a state is that state: "brandt" is "is on"."""
    states = {s: str(s.value).removeprefix("is_") for s in span.senses if s.role is Role.ASKING}
    return replace(
        span,
        senses=tuple(
            Sense(Role.STATE, states[sense]) if states.get(sense) in _UNDOING else sense
            for sense in span.senses
        ),
    )


def _spoken(sense: Sense) -> Span:
    """Return a span without words for a verb that is only meant."""
    return Span(0, 0, ("",), (sense,))


def _is_plain(part: ReadCommand) -> bool:
    """Return whether a part ends something that may be ended by a wish, or is for what is not there."""
    if part.is_missing:
        return True
    return bool(part.actions) and all(
        action.domain in _DOMAINS
        and (action.domain != "cover" or action.is_named or not part.closed)
        for action in part.actions
    )

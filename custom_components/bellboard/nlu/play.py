"""Free text after "play": what to search for, and where to play it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .frame_models import NounPhrase
from .frames import frames_of
from .lexicon import Role
from .media import read_media
from .phrase_lists import MediaWords
from .spans import Span

PLAY = "play"
"""The verb after which words mean themselves."""

_SMALL = frozenset({Role.ARTICLE, Role.LINK, Role.FILLER, Role.QUANTITY, Role.PRONOUN})
_WHERE = frozenset({Role.PLACE, Role.HERE, Role.EVERYWHERE, Role.NAME, Role.KIND})
_PLACES = frozenset({Role.PLACE, Role.HERE})
# Verbs that "play" may follow, and that stand for it where it is said what kind of thing is played.
_WISHING = frozenset({"set"})
_STARTING = frozenset({"resume", "start", "open"})
# Verbs that turn on what makes no sound, too.
_SWITCHING = frozenset({"turn_on", "start", "open"})
_PLAYER = "media_player"
_PLAYER_KINDS = frozenset({"player", "tv"})
# A phrase for a player or a place has no more spans than these.
_LONGEST_WHERE = 7


@dataclass(frozen=True, slots=True)
class Played:
    """Request to play (`query`, "" for anything) and its place; `end` is the first span after it.

    `said` is the query with the small words around it, which may belong to a title ("Stand by Me"). It `is_unsure`
    where the verb may mean something else.
    """

    query: str
    what: NounPhrase
    end: int
    is_unsure: bool = False
    said: str = ""


def read_play(text: str, spans: Sequence[Span], media: MediaWords) -> Played | None:
    """Return the request of spans that begin with "play", None where they do not begin so.

    Another command after "and" ends the text; a place or a player at the end of it says where.
    """
    begin = _after_small(spans, 0)
    if begin < len(spans) and _has_verb(spans[begin], _WISHING):
        # "I want to hear ..."
        after = _after_small(spans, begin + 1)
        begin = after if after < len(spans) and _is_play(spans[after]) else begin
    if begin == len(spans) or not (_is_play(spans[begin]) or _starts_media(spans[begin:])):
        return None
    end = next(
        (
            at
            for at in range(begin + 1, len(spans) - 1)
            if spans[at].has(Role.AND) and spans[at + 1].has(Role.VERB)
        ),
        len(spans),
    )
    words = [span for span in spans[begin + 1 : end] if not span.is_mark]
    words, what = _without_where(words)
    is_like = _is_like_what_plays(text, words, media)
    said, words = words, words if is_like else _searched(words)
    query = text[words[0].start : words[-1].end] if words else ""
    cut = said[: said.index(words[0])] if words else []
    first = next((span for span in cut if _is_all(span)), words[0] if words else None)
    whole = text[first.start : said[-1].end] if first else ""
    is_queued = bool(query and read_media(query, media).enqueue)
    is_unsure = not is_queued and (len(spans[begin].senses) > 1 or not _is_play(spans[begin]))
    if is_unsure and (not words or _names_other(words)):
        return None
    return Played(query, what, end, is_unsure, whole if whole != query else "")


def says_to_play(spans: Sequence[Span]) -> bool:
    """Return whether spans have a verb for what is heard, which "put on" is not only, or a word for music."""
    return any(_is_music(span) or (_is_play(span) and not _may_switch(span)) for span in spans)


def may_be_for_device(spans: Sequence[Span]) -> bool:
    """Return whether spans have a verb, and nothing says that it is for what is heard: "put on the sauna"."""
    return any(span.has(Role.VERB) for span in spans) and not says_to_play(spans)


def is_no_title(spans: Sequence[Span]) -> bool:
    """Return whether a command is for what is not heard: a verb like "put", and a device, or a room with a value."""
    return not says_to_play(spans) and _names_other(spans)


def read_title(text: str, spans: Sequence[Span]) -> Played | None:
    """Return the title and the place in spans that answer a question for them; None where they hold neither."""
    words, what = _without_where([span for span in spans if not span.is_mark])
    words = _searched(words)
    return Played(text[words[0].start : words[-1].end], what, len(spans)) if words else None


def _without_where(words: list[Span]) -> tuple[list[Span], NounPhrase]:
    """Return words without those at the end that say where to play, and what these say."""
    for size in range(min(_LONGEST_WHERE, len(words)), 0, -1):
        if (found := _where(words[-size:])) is not None:
            return words[:-size], found
    return words, NounPhrase()


def _searched(words: list[Span]) -> list[Span]:
    """Return words without those around them that say nothing of what is looked for."""
    while words and (_is_small(words[0]) or _is_music(words[0]) or words[0].has(Role.BY)):
        words = words[1:]
    while words and words[-1].has(Role.FILLER):
        words = words[:-1]
    return words


def _is_all(span: Span) -> bool:
    """Return whether a span is a word for all of something, with which a title may begin: "All Blues"."""
    return any(sense.role is Role.QUANTITY and sense.value == "all" for sense in span.senses)


def _is_like_what_plays(text: str, words: Sequence[Span], media: MediaWords) -> bool:
    """Return whether words ask for what is similar to what plays: "songs like this"."""
    return bool(words) and read_media(text[words[0].start : words[-1].end], media).of_current


def _after_small(spans: Sequence[Span], begin: int) -> int:
    """Return the place of the first span from `begin` on that says something."""
    return next(
        (
            at
            for at in range(begin, len(spans))
            if not (_is_small(spans[at]) or spans[at].has(Role.TO))
        ),
        len(spans),
    )


def _starts_media(spans: Sequence[Span]) -> bool:
    """Return whether spans resume or start something by its title: "resume the podcast Tall Tales"."""
    is_titled = any(
        (_is_music(one) and not other.senses) or (_is_music(other) and not one.senses)
        for one, other in pairwise(spans[1:])
        if not (one.is_mark or other.is_mark)
    )
    return is_titled and _has_verb(spans[0], _STARTING)


def _has_verb(span: Span, verbs: frozenset[str]) -> bool:
    """Return whether a span is one of some verbs."""
    return any(sense.role is Role.VERB and sense.value in verbs for sense in span.senses)


def _is_play(span: Span) -> bool:
    """Return whether a span is the verb "play"."""
    return any(sense.role is Role.VERB and sense.value == PLAY for sense in span.senses)


def _is_small(span: Span) -> bool:
    """Return whether a span is only a function word."""
    return bool(span.senses) and all(sense.role in _SMALL for sense in span.senses)


def _is_music(span: Span) -> bool:
    """Return whether a span is a word for music of any kind."""
    return any(
        sense.role is Role.KIND and sense.value.is_general and sense.value.kind == "player"
        for sense in span.senses
    )


def _may_switch(span: Span) -> bool:
    """Return whether a span is also a verb that turns on what makes no sound."""
    return _has_verb(span, _SWITCHING)


def _names_other(spans: Sequence[Span]) -> bool:
    """Return whether spans name a thing that plays nothing, or a place with a value: "the hall 20 degrees"."""
    is_set = any(s.has(Role.UNIT) for s in spans) and any(s.has_any(_PLACES) for s in spans)
    return is_set or any(map(_is_device, spans))


def _is_device(span: Span) -> bool:
    """Return whether a span names a thing or a kind that plays nothing."""
    return any(
        (sense.role is Role.KIND and sense.value.kind not in _PLAYER_KINDS)
        or (sense.role is Role.NAME and sense.value.domain != _PLAYER)
        for sense in span.senses
    )


def _where(spans: Sequence[Span]) -> NounPhrase | None:
    """Return where spans such as "in the kitchen" or "on the living room tv" say to play, or None."""
    is_adverb = spans[0].has(Role.HERE) or spans[0].has(Role.EVERYWHERE)
    if not (spans[0].has(Role.LINK) or is_adverb) or not any(
        span.has(role) for span in spans for role in _WHERE
    ):
        return None
    if not all(span.senses for span in spans):
        return None
    for frame in frames_of(spans):
        what = frame.what
        if frame.has_operation or frame.verb or what.words or what.pronoun:
            continue
        is_player = all(entity.domain == _PLAYER for entity in what.names) and all(
            noun.kind in _PLAYER_KINDS for noun in what.nouns
        )
        if is_player and not what.is_empty:
            return what
    return None

"""Requests about playback beside plain commands: to go on elsewhere, to play together, to seek, the queue.

Each is read in the words of the `media` section of a language's file, and only where these explain the whole
sentence, with what the reader knows of players, places, numbers and small words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .frame_models import NounPhrase
from .frames import frames_of
from .lexicon import Role
from .media import is_one_of, places_in_queue
from .phrase_lists import MediaWords, PlaybackWords
from .spans import Span
from .tokens import Phrase, Token, matches, tokenise, without_first

MOVE, GROUP, UNGROUP = "transfer", "group", "ungroup"
SEEK, RESTART, CLEAR, ENQUEUE = "seek", "restart", "clear_queue", "play"
"""Names of the actions of players that are read here."""

_SMALL = frozenset({Role.ARTICLE, Role.LINK, Role.FILLER, Role.PRONOUN, Role.TO, Role.BY})
# Verbs after which music is heard that need not be heard now.
_BEGINNING = frozenset({"play", "resume"})


@dataclass(frozen=True, slots=True)
class PlaybackRequest:
    """Action of players, with the players or places that are said, its values, and what is queued (`query`).

    `others` are further players or places, beside the first ones (`what`).
    """

    action: str
    what: NounPhrase = field(default_factory=NounPhrase)
    others: tuple[NounPhrase, ...] = ()
    by: float = 0
    query: str = ""


def read_playback(
    text: str, spans: Sequence[Span], words: PlaybackWords, media: MediaWords
) -> PlaybackRequest | None:
    """Return the request about playback in a sentence, None where it is no such request."""
    kept = [span for span in spans if not span.is_mark]
    tokens = [token for token in tokenise(text) if not token.is_mark]
    if query := places_in_queue(text, tokens, media):
        return PlaybackRequest(ENQUEUE, query=query)
    return (
        _read_bag(tokens, kept, words)
        or _read_move(tokens, kept, words)
        or _read_group(tokens, kept, words)
    )


def _read_bag(
    tokens: list[Token], spans: Sequence[Span], words: PlaybackWords
) -> PlaybackRequest | None:
    """Return a request to seek, to begin again or to empty the queue, whose words may stand in any order."""
    if words.first_words.isdisjoint(_words(tokens)):
        return None
    tokens, what = _without_where(tokens, spans)
    small = _small_words(spans)
    if _covers(tokens, words.restarting, small, needed=[words.restart]):
        return PlaybackRequest(RESTART, what)
    if _covers(tokens, (), small, needed=[words.clear, words.the_queue]):
        return PlaybackRequest(CLEAR, what)
    seconds, rest = _duration(tokens, words.units)
    if not seconds:
        return None
    for way, sign in ((words.forward, 1), (words.back, -1)):
        if _covers(rest, words.seeking, small, needed=[way]):
            return PlaybackRequest(SEEK, what, by=sign * seconds)
    return None


def _read_move(
    tokens: Sequence[Token], spans: Sequence[Span], words: PlaybackWords
) -> PlaybackRequest | None:
    """Return a request that what plays goes on elsewhere, or everywhere."""
    rest, is_move = without_first(tokens, words.move)
    if not is_move:
        return None
    rest, what = _without_where(rest, spans)
    if what.is_empty or not is_one_of(rest, words.current):
        return None
    if _is_for_any(spans):
        # "Play music in the kitchen" is for any music, "resume the music in the kitchen" for what was heard there, and
        # not for what plays elsewhere.
        return None
    return PlaybackRequest(GROUP if what.is_everywhere else MOVE, what)


def _is_for_any(spans: Sequence[Span]) -> bool:
    """Return whether spans are to play or resume music, of which nothing says that it plays already."""
    plays = any(sense.role is Role.VERB and sense.value in _BEGINNING for sense in spans[0].senses)
    nouns = [sense.value for span in spans for sense in span.senses if sense.role is Role.KIND]
    says_this = any(span.has(Role.PRONOUN) for span in spans)
    return plays and not says_this and any(noun.is_general for noun in nouns)


def _read_group(
    tokens: Sequence[Token], spans: Sequence[Span], words: PlaybackWords
) -> PlaybackRequest | None:
    """Return a request that players play together, or one of them alone."""
    for action, alone, verbs, ends in (
        (UNGROUP, words.ungroup, words.take_from, words.of_group),
        (GROUP, words.group, words.add_to, words.to_group),
    ):
        for phrases, needs_end in ((verbs, True), (alone, False)):
            rest, is_first = without_first(tokens, phrases)
            if not is_first:
                continue
            cut = _before(rest, ends)
            if cut is None and needs_end:
                continue
            named = rest if cut is None else cut
            inside = [span for span in spans if named and _is_within(span, named)]
            named_here = [describe_players(part) for part in _parts(inside)]
            if found := [what for what in named_here if what is not None]:
                return (
                    PlaybackRequest(action, found[0], tuple(found[1:]))
                    if len(found) == len(named_here)
                    else None
                )
    return None


def _parts(spans: Sequence[Span]) -> list[list[Span]]:
    """Return spans as the parts that "and" and "with" join."""
    parts: list[list[Span]] = [[]]
    for span in spans:
        if span.has(Role.AND):
            parts.append([])
        else:
            parts[-1].append(span)
    return [part for part in parts if part] or [[]]


def describe_players(spans: Sequence[Span]) -> NounPhrase | None:
    """Return the players and places that spans describe; None where they hold anything else."""
    if not spans:
        return NounPhrase()
    if not all(span.senses for span in spans):
        return None
    for frame in frames_of(spans):
        what = frame.what
        if frame.has_operation or frame.verb or frame.asking or what.words or what.pronoun:
            continue
        are_players = all(entity.domain == "media_player" for entity in what.names)
        if are_players and all(noun.kind in {"player", "tv"} for noun in what.nouns):
            return what
    return None


def _without_where(
    tokens: Sequence[Token], spans: Sequence[Span]
) -> tuple[list[Token], NounPhrase]:
    """Return tokens without those at the end that say where or on which player, and what these say."""
    for begin, span in enumerate(spans):
        is_adverb = span.has(Role.HERE) or span.has(Role.EVERYWHERE)
        is_link = span.has(Role.LINK) or span.has(Role.TO)
        if not (is_adverb or is_link) or span.start < (tokens[0].start if tokens else 0):
            continue
        if (what := describe_players(spans[begin:])) is not None and not what.is_empty:
            return [token for token in tokens if token.end <= span.start], what
    return list(tokens), NounPhrase()


def _small_words(spans: Sequence[Span]) -> frozenset[tuple[int, int]]:
    """Return the places of the spans that say nothing."""
    return frozenset(
        (span.start, span.end)
        for span in spans
        if any(
            sense.role in _SMALL or (sense.role is Role.NUMBER and sense.value == 1)
            for sense in span.senses
        )
    )


def _covers(
    tokens: Sequence[Token],
    others: Sequence[Phrase],
    small: frozenset[tuple[int, int]],
    *,
    needed: Sequence[Sequence[Phrase]],
) -> bool:
    """Return whether tokens are a phrase of each of the needed lists, and else only others and small words."""
    found: set[int] = set()
    at = 0
    while at < len(tokens):
        for size, group in _matching(tokens[at:], needed, others):
            if group is not None:
                found.add(group)
            at += size
            break
        else:
            if not any(begin <= tokens[at].start and tokens[at].end <= end for begin, end in small):
                return False
            at += 1
    return len(found) == len(needed)


def _matching(
    tokens: Sequence[Token], needed: Sequence[Sequence[Phrase]], others: Sequence[Phrase]
) -> Iterable[tuple[int, int | None]]:
    """Yield the size and the needed list (None for others) of the longest phrase that tokens begin with."""
    candidates = [
        *((phrase, group) for group, phrases in enumerate(needed) for phrase in phrases),
        *((phrase, None) for phrase in others),
    ]
    fitting = [
        (len(phrase), group)
        for phrase, group in candidates
        if phrase and matches(tokens[: len(phrase)], phrase)
    ]
    if fitting:
        yield max(fitting, key=lambda each: (each[0], each[1] is not None))


def _duration(
    tokens: Sequence[Token], units: Sequence[tuple[Phrase, float]]
) -> tuple[float, list[Token]]:
    """Return the seconds that tokens say ("a minute", "30 seconds"; 0 for none), and the other tokens."""
    for at in range(len(tokens)):
        for phrase, seconds in units:
            end = at + len(phrase)
            if not matches(tokens[at:end], phrase):
                continue
            number = tokens[at - 1].number if at else None
            begin = at if number is None else at - 1
            return (1.0 if number is None else number) * seconds, [*tokens[:begin], *tokens[end:]]
    return 0.0, list(tokens)


def _before(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> list[Token] | None:
    """Return the tokens before the longest of some phrases at their end, None where there is none."""
    for phrase in phrases:
        if matches(tokens[max(len(tokens) - len(phrase), 0) :], phrase):
            return list(tokens[: len(tokens) - len(phrase)])
    return None


def _is_within(span: Span, tokens: Sequence[Token]) -> bool:
    """Return whether a span stands among tokens that follow each other."""
    return tokens[0].start <= span.start and span.end <= tokens[-1].end


def _words(tokens: Sequence[Token]) -> Phrase:
    """Return the words of tokens."""
    return tuple(token.word for token in tokens)

"""Requests for media, read from words: a title, an artist, an album, its kind, and the place in the queue.

The words that tell these apart are in the `media` section of a language's file. Whether "Stand by Me" is a title
or a title with its artist cannot be read in the words, so there are several readings, the likeliest first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ..domains.media_search import FoundMedia
from ..home.names import folded
from .phrase_lists import MediaWords
from .tokens import Phrase, Token, matches, spoken_words, tokenise, without_first

NEXT, ADD = "next", "add"
"""Where in the queue: after what plays, and at its end."""

# A word that is misheard or misspelt is at least so like the one meant.
_ALIKE = 0.8
_SHORTEST_MISSPELT = 4
# More readings of one request would be as many searches.
_MOST_SPLITS = 2
_NAMED_FIRST = ("artist", "playlist", "radio", "album", "track", "podcast", "audiobook")
# Where the words are only a part of the name, they are a genre or a mood.
_ABOUT_FIRST = ("playlist", "radio", "artist", "album", "track", "podcast", "audiobook")


@dataclass(frozen=True, slots=True)
class MediaName:
    """One reading of what is looked for; with `is_whole` only what is called exactly so is meant."""

    title: str
    artist: str = ""
    album: str = ""
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaRequest:
    """Request for media: `said`, its readings, its `kind` ("" for any) and its place in the queue ("" for now).

    With `is_radio` what is similar is played on and on; `of_current` where that is similar to what plays.
    """

    said: str
    names: tuple[MediaName, ...]
    kind: str = ""
    enqueue: str = ""
    is_radio: bool = False
    of_current: bool = False


def read_media(text: str, words: MediaWords, *, kind: str = "") -> MediaRequest:
    """Return the request for media in a text; `kind` is used where it names none itself."""
    rest = [token for token in tokenise(text) if not token.is_mark]
    rest, enqueue = _without_place(rest, words)
    rest, is_radio = without_first(rest, words.like)
    if is_radio and is_one_of(rest, words.current):
        return MediaRequest(said=text, names=(), enqueue=enqueue, is_radio=True, of_current=True)
    if not kind:
        rest = _without_fillers(rest, words)
    elif len(rest) > 1 and rest[0].word in _ARTICLES:
        # After "the song" a title begins, whatever its words.
        rest = rest[1:]
    rest, own = _without_kind(rest, words)
    said = _text(text, rest)
    return MediaRequest(
        said=said,
        names=tuple(_names(text, rest, words)),
        kind=own or kind,
        enqueue=enqueue,
        is_radio=is_radio,
    )


def name_of(title: str, artist: str = "", album: str = "") -> MediaName:
    """Return the reading of a title, an artist and an album that are known apart."""
    return MediaName(
        title or artist or album, artist if title or album else "", album if title else ""
    )


def places_in_queue(text: str, tokens: Sequence[Token], words: MediaWords) -> str:
    """Return a text without the verb of a request to add to the queue; "" where it is no such request.

    `tokens` are those of the text, without marks.
    """
    after, has_verb = without_first(tokens, words.add)
    if not has_verb or not after:
        return ""
    rest, place = _without_place(after, words)
    verb = tuple(token.word for token in tokens[: len(tokens) - len(after)])
    # "Queue up" says it all; "add" says it with the queue.
    is_said = bool(place) or any(verb == queue for queue in words.queue)
    return _text(text, after) if is_said and rest else ""


def _names(text: str, tokens: Sequence[Token], words: MediaWords) -> Iterable[MediaName]:
    """Yield the readings of a name: whole, then divided where an artist or an album is named."""
    if not tokens:
        return
    rest, is_by = without_first(tokens, words.by)
    if is_by and rest:
        yield MediaName(_text(text, rest))
        return
    divided = list(_divided(text, tokens, words))[:_MOST_SPLITS]
    yield MediaName(_text(text, tokens), is_whole=bool(divided))
    yield from divided
    if divided:
        yield MediaName(_text(text, tokens))


def _divided(text: str, tokens: Sequence[Token], words: MediaWords) -> Iterable[MediaName]:
    """Yield the readings of a name with an album or an artist, those that leave the longest title first."""
    if (cut := _last_place(tokens, words.on_album)) is not None:
        before, after = tokens[: cut[0]], tokens[cut[1] :]
        by = _last_place(after, words.by)
        album, artist = (after, ()) if by is None else (after[: by[0]], after[by[1] :])
        yield MediaName(_text(text, before), _text(text, artist), _text(text, album))
        return
    for end in range(len(tokens) - 1, 0, -1):
        for phrase in words.by:
            begin = end - len(phrase)
            if begin > 0 and matches(tokens[begin:end], phrase):
                yield MediaName(_text(text, tokens[:begin]), _text(text, tokens[end:]))
                break


def _last_place(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> tuple[int, int] | None:
    """Return begin and end of the last phrase that stands between other words, None where none does."""
    found = [
        (begin, begin + len(phrase))
        for phrase in phrases
        for begin in range(1, len(tokens) - len(phrase))
        if matches(tokens[begin : begin + len(phrase)], phrase)
    ]
    return max(found, key=lambda place: (place[1], -place[0]), default=None)


def _without_place(tokens: list[Token], words: MediaWords) -> tuple[list[Token], str]:
    """Return tokens without what says where in the queue, and where that is."""
    for place, phrases in ((ADD, words.queue), (NEXT, words.next)):
        for phrase in phrases:
            size = len(phrase)
            if size >= len(tokens):
                continue
            if matches(tokens[-size:], phrase):
                return tokens[:-size], place
            if matches(tokens[:size], phrase):
                return tokens[size:], place
    return tokens, ""


def _without_fillers(tokens: list[Token], words: MediaWords) -> list[Token]:
    """Return tokens without words before and after them that say nothing; never without all of them."""
    is_cut = True
    while is_cut:
        rest, is_cut = without_first(tokens, words.fillers)
        if is_cut and not rest:
            return tokens
        tokens = rest
    return tokens


def _without_kind(tokens: list[Token], words: MediaWords) -> tuple[list[Token], str]:
    """Return tokens without a word for their kind at the beginning, or else at the end, and the kind."""
    for kind, phrases in words.kinds.items():
        rest, is_first = without_first(tokens, phrases)
        if is_first and rest:
            return rest, kind
    for kind, phrases in words.kinds.items():
        for phrase in phrases:
            if len(phrase) < len(tokens) and matches(tokens[-len(phrase) :], phrase):
                return tokens[: -len(phrase)], kind
    return tokens, ""


def is_one_of(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> bool:
    """Return whether tokens are one of some phrases, and nothing more."""
    return tuple(token.word for token in tokens) in phrases


def _text(text: str, tokens: Sequence[Token]) -> str:
    """Return the text from the first of some tokens to the last."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""


def searches_for(name: MediaName) -> Sequence[tuple[str, str]]:
    """Return titles and artists to search for, one after the other until something that fits a name is found.

    A search may know a name only as it is written in its library: without an article, with "&" for "and". Last
    comes the title alone, since what is said like an artist may be an album.
    """
    as_said = (name.title, name.artist)
    if name.is_whole:
        return (as_said,)
    title = _bare(name.title)
    return tuple(dict.fromkeys((as_said, (title, _bare(name.artist)), (title, ""))))


def _bare(text: str) -> str:
    """Return a name without an article before it and without "and"."""
    tokens = [token for token in tokenise(text) if not token.is_mark]
    has_article = len(tokens) > 1 and tokens[0].word in _ARTICLES
    kept = [token for token in tokens[has_article:] if token.word not in _JOINS]
    if not kept or len(kept) == len(tokens):
        return text
    return " ".join(text[token.start : token.end] for token in kept)


def choose_media(found: Sequence[FoundMedia], name: MediaName, kind: str = "") -> FoundMedia | None:
    """Return the item that fits a name best, None where nothing is called so.

    All words of the title occur in the title, and those of artist and album in theirs; a word may be misspelt.
    """
    fitting = [media for media in found if (not kind or media.kind == kind) and _fits(media, name)]
    return min(fitting, key=lambda media: _rank(media, name), default=None)


def _fits(media: FoundMedia, name: MediaName) -> bool:
    """Return whether media may be called so."""
    if name.is_whole:
        return _is_same(_plain(media.title), _plain(name.title))
    title, album = _plain(media.title), _plain(media.album)
    by = [word for artist in media.artists for word in _plain(artist)]
    # "Something from Abbey Road": what is said like an artist may be an album.
    if name.artist and not any(_holds(of, _plain(name.artist)) for of in (by or title, album)):
        return False
    if name.album and not _holds(album, _plain(name.album)):
        return False
    return _holds(title, _plain(name.title))


def _rank(media: FoundMedia, name: MediaName) -> tuple[bool, bool, bool, int, int]:
    """Return how badly media fit a name that they may be called by."""
    title, wanted = _plain(media.title), _plain(name.title)
    is_exact = _is_same(title, wanted)
    order = _NAMED_FIRST if is_exact else _ABOUT_FIRST
    place = order.index(media.kind) if media.kind in order else len(order)
    is_misspelt = not is_exact and not set(title).issuperset(_without_joins(wanted))
    return not is_exact, title != wanted, is_misspelt, place, len(title)


def _holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether all the wanted words are among some words, or any of them like it."""
    if _is_same(words, wanted):
        return bool(wanted)
    return bool(wanted) and all(
        any(_is_like(word, one) for word in words) for one in _without_joins(wanted)
    )


def _is_same(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Return whether two names differ at most in blanks and in how they write "and"."""
    return "".join(_without_joins(words)) == "".join(_without_joins(wanted))


def _without_joins(words: Sequence[str]) -> Sequence[str]:
    """Return words without those for "and"; never without all of them."""
    return [word for word in words if word not in _JOINS] or words


def _is_like(word: str, wanted: str) -> bool:
    """Return whether a word is another, or so like it that it may be meant."""
    if word == wanted:
        return True
    if min(len(word), len(wanted)) < _SHORTEST_MISSPELT:
        return False
    return SequenceMatcher(None, word, wanted, autojunk=False).ratio() >= _ALIKE


def _plain(text: str) -> list[str]:
    """Return the words of a name without accents and without the article before it."""
    words = [folded(word) for word in spoken_words(text)]
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


# Of the names of bands in whatever language they are: "and", for which "&" is written.
_JOINS = frozenset({"and", "und", "et", "y", "e", "en", "i", "n"})
# Of the names of bands in whatever language they are: "the Beatles", "Los Lobos".
_ARTICLES = frozenset(
    {
        "the",
        "die",
        "der",
        "das",
        "les",
        "le",
        "la",
        "los",
        "las",
        "el",
        "il",
        "i",
        "gli",
        "os",
        "as",
        "o",
        "a",
        "de",
        "het",
    }
)

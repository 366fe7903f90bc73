"""Words that tell what is played and what is done with it: the `media` section of a language's file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from .tokens import spoken_words

type Phrase = tuple[str, ...]

_SECONDS = MappingProxyType({"hour": 3600.0, "minute": 60.0, "second": 1.0})


@dataclass(frozen=True, slots=True)
class MediaWords:
    """Words of a language that tell what is played.

    `kinds` are words for each kind of media; `fillers` go before a name and say nothing ("some", "songs"), `by`
    goes before an artist, `on_album` before an album, `like` before what others are to be similar to, which may
    be what plays (`current`). `next` and `queue` say where it is put, `add` are the verbs for that.
    """

    kinds: Mapping[str, tuple[Phrase, ...]] = field(default_factory=lambda: MappingProxyType({}))
    fillers: tuple[Phrase, ...] = ()
    by: tuple[Phrase, ...] = ()
    on_album: tuple[Phrase, ...] = ()
    like: tuple[Phrase, ...] = ()
    current: tuple[Phrase, ...] = ()
    next: tuple[Phrase, ...] = ()
    queue: tuple[Phrase, ...] = ()
    add: tuple[Phrase, ...] = ()


def load_media_words(data: Mapping[str, Any]) -> MediaWords:
    """Return the words of a language from the `media` section of its file."""
    kinds = {kind: load_phrases(words) for kind, words in data["kinds"].items()}
    others = ("fillers", "by", "on_album", "like", "current", "next", "queue", "add")
    return MediaWords(kinds, **{name: load_phrases(data[name]) for name in others})


def load_phrases(texts: Iterable[str]) -> tuple[Phrase, ...]:
    """Return phrases as their words, the longest first."""
    return tuple(sorted(map(spoken_words, texts), key=len, reverse=True))


def load_units(units: Mapping[str, Sequence[str]]) -> tuple[tuple[Phrase, float], ...]:
    """Return the words for hours, minutes and seconds, each with its seconds."""
    return tuple(
        (phrase, _SECONDS[unit]) for unit, words in units.items() for phrase in load_phrases(words)
    )


@dataclass(frozen=True, slots=True)
class PlaybackWords:
    """Words of a language for what is done with what plays.

    `move` are verbs that let `current` music go on elsewhere. `group` and `ungroup` alone say that players play
    together or not, `add_to` and `take_from` only with `to_group` and `of_group`. `forward` and `back` say which
    way is sought, `restart` that it begins again, with what goes with them (`seeking`, `restarting`); `clear`
    empties `the_queue`. `units` are seconds by the unit's name. One of `first_words` is in each request to seek,
    to begin again or to empty the queue.
    """

    move: tuple[Phrase, ...] = ()
    current: tuple[Phrase, ...] = ()
    group: tuple[Phrase, ...] = ()
    add_to: tuple[Phrase, ...] = ()
    ungroup: tuple[Phrase, ...] = ()
    take_from: tuple[Phrase, ...] = ()
    to_group: tuple[Phrase, ...] = ()
    of_group: tuple[Phrase, ...] = ()
    forward: tuple[Phrase, ...] = ()
    back: tuple[Phrase, ...] = ()
    seeking: tuple[Phrase, ...] = ()
    restart: tuple[Phrase, ...] = ()
    restarting: tuple[Phrase, ...] = ()
    clear: tuple[Phrase, ...] = ()
    the_queue: tuple[Phrase, ...] = ()
    units: tuple[tuple[Phrase, float], ...] = ()
    first_words: frozenset[str] = frozenset()


def load_playback_words(
    data: Mapping[str, Any], units: Mapping[str, Sequence[str]]
) -> PlaybackWords:
    """Return the words of a language, from the `media` section of its file and its words for times."""
    made = {"units", "first_words"}
    own = {
        each.name: load_phrases(data[each.name])
        for each in fields(PlaybackWords)
        if each.name not in made
    }
    needed = (own[name] for name in ("restart", "clear", "forward", "back"))
    first = frozenset(phrase[0] for phrases in needed for phrase in phrases)
    return PlaybackWords(**own, units=load_units(units), first_words=first)

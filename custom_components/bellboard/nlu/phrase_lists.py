"""Phrase lists of a language by subject: media, playback, lists, delays, fades, announcements, days to come.

Each class holds a section of a language's files; its fields are the keys there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
import re
from types import MappingProxyType
from typing import Any

from .spellings import spell_out
from .tokens import Phrase, Token, spoken_words

_SECONDS = MappingProxyType({"hour": 3600.0, "quarter": 900.0, "minute": 60.0, "second": 1.0})
_NEVER = re.compile(r"(?!)")


def load_phrases(texts: Iterable[str]) -> tuple[Phrase, ...]:
    """Return phrases as their words, the longest first."""
    return tuple(sorted(map(spoken_words, texts), key=len, reverse=True))


def written(phrase: str) -> str:
    """Return the expression for a phrase as people write it, with either apostrophe."""
    return re.escape(phrase).replace("'", "['\u2019]")


def load_units(units: Mapping[str, Sequence[str]]) -> tuple[tuple[Phrase, float], ...]:
    """Return the words for hours, minutes and seconds, each with its seconds."""
    return tuple(
        (phrase, _SECONDS[unit]) for unit, words in units.items() for phrase in load_phrases(words)
    )


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


@dataclass(frozen=True, slots=True)
class ListWords:
    """Words of a language for lists and what is on them.

    `add`, `remove`, `complete` and `clear` are verbs; `added`, `removed` and `completed` ("as done") what may stand
    at the end for them. `read` begins a request for what is on a list, `asked` a question whether something is. `onto`,
    `out_of` and `own` stand before a list ("on my"), `list` is the noun for any list, `of` joins it with a name,
    `shopping` are the names of a shopping list. `joining` joins items, `article` are the words before one that do not
    belong to it. `unsaid` begins words for items that only somebody who knows more can tell ("all that goes into a
    cake").

    `tasks` are the names of a list of what is to be done, `doing` and `buying` what is asked of it and of the one for
    shopping ("to do"), `lists` all of them, `thereon` the one that was spoken of, `them` its items. `around` may
    stand in a question for what is on a list, `needed` between items and a list ("has to go"), `something` is
    no item. `corrected` stands between an item and the one that is meant instead ("no wait"). `tick` says that
    one is done, wherever it stands, unless it is `due` ("has to be"). `wanting` begins a request ("I have to").
    """

    add: tuple[Phrase, ...] = ()
    added: tuple[Phrase, ...] = ()
    remove: tuple[Phrase, ...] = ()
    removed: tuple[Phrase, ...] = ()
    complete: tuple[Phrase, ...] = ()
    completed: tuple[Phrase, ...] = ()
    clear: tuple[Phrase, ...] = ()
    read: tuple[Phrase, ...] = ()
    asked: tuple[Phrase, ...] = ()
    onto: tuple[Phrase, ...] = ()
    out_of: tuple[Phrase, ...] = ()
    own: tuple[Phrase, ...] = ()
    list: tuple[Phrase, ...] = ()
    of: tuple[Phrase, ...] = ()
    shopping: tuple[Phrase, ...] = ()
    joining: tuple[Phrase, ...] = ()
    article: tuple[Phrase, ...] = ()
    unsaid: tuple[Phrase, ...] = ()
    tasks: tuple[Phrase, ...] = ()
    doing: tuple[Phrase, ...] = ()
    buying: tuple[Phrase, ...] = ()
    lists: tuple[Phrase, ...] = ()
    thereon: tuple[Phrase, ...] = ()
    them: tuple[Phrase, ...] = ()
    around: tuple[Phrase, ...] = ()
    needed: tuple[Phrase, ...] = ()
    something: tuple[Phrase, ...] = ()
    due: tuple[Phrase, ...] = ()
    tick: tuple[Phrase, ...] = ()
    wanting: tuple[Phrase, ...] = ()
    corrected: tuple[Phrase, ...] = ()


def load_list_words(data: Mapping[str, Any]) -> ListWords:
    """Return the words of a language from the `lists` section of its file."""
    return ListWords(
        **{each.name: load_phrases(data.get(each.name, ())) for each in fields(ListWords)}
    )


@dataclass(frozen=True, slots=True)
class DelayWords:
    """Words of a language for delays.

    `after` stand before a duration, `durations` are those without a number ("half an hour") and `units` those with one,
    both in seconds, `joining` stand between its parts. `counts` are numbers that only count ("a couple of"),
    `fractions` ("and a half") stand before or after a unit. `roughly` may stand before either, `or_so` at the end.
    `sleep` are words for a sleep timer, and `pause` is the command for what plays. `timer` are nouns for a timer,
    `timer_set` what asks for one ("set", "I need"), `timer_for` stands before what it is for, and `timed` is a request
    that says how long. `timer_left` asks how long the one that was spoken of still runs, and `timer_off` stops it:
    `asks_left` and `cancels` are Home Assistant's requests for these.
    """

    after: tuple[Phrase, ...] = ()
    durations: tuple[tuple[Phrase, float], ...] = ()
    units: tuple[tuple[Phrase, float], ...] = ()
    joining: frozenset[str] = frozenset()
    sleep: tuple[Phrase, ...] = ()
    pause: str = ""
    counts: tuple[tuple[Phrase, float], ...] = ()
    fractions: tuple[tuple[Phrase, float], ...] = ()
    roughly: tuple[Phrase, ...] = ()
    or_so: tuple[Phrase, ...] = ()
    timer: tuple[Phrase, ...] = ()
    timer_set: tuple[Phrase, ...] = ()
    timer_for: tuple[Phrase, ...] = ()
    timed: str = ""
    timer_left: tuple[Phrase, ...] = ()
    timer_off: tuple[Phrase, ...] = ()
    asks_left: str = ""
    cancels: str = ""


_DELAY_PHRASES = ("roughly", "or_so", "timer", "timer_set", "timer_for", "timer_left", "timer_off")


def load_delay_words(
    data: Mapping[str, Any], units: tuple[tuple[Phrase, float], ...]
) -> DelayWords:
    """Return the words of a language from the `delays` section of its file; `units` are those that are said."""
    return DelayWords(
        after=load_phrases(data["after"]),
        durations=_load_values(data["durations"]),
        counts=_load_values(data["counts"]),
        fractions=_load_values(data["fractions"]),
        units=(*units, *load_units(data.get("more_units", {}))),
        joining=frozenset(data["joining"]),
        sleep=load_phrases(data["sleep"]),
        pause=data["pause"],
        **{key: load_phrases(data[key]) for key in _DELAY_PHRASES},
        timed=data["timed"],
        asks_left=data["asks_left"],
        cancels=data["cancels"],
    )


def _load_values(data: Mapping[str, float]) -> tuple[tuple[Phrase, float], ...]:
    """Return phrases with their values, the longest first."""
    found = {
        spoken_words(phrase): float(value)
        for text, value in data.items()
        for phrase in spell_out(text, {})
    }
    return tuple(sorted(found.items(), key=lambda each: -len(each[0])))


@dataclass(frozen=True, slots=True)
class FadingWords:
    """Words of a language for the time that a change takes.

    `over` stands before a time, which `after` may follow; `slowly` is said without one. `units` are seconds by
    the unit's name. What says either has a word that `begins` it.
    """

    over: tuple[Phrase, ...] = ()
    after: tuple[Phrase, ...] = ()
    slowly: tuple[Phrase, ...] = ()
    units: tuple[tuple[Phrase, float], ...] = ()
    begins: re.Pattern[str] = _NEVER

    @classmethod
    def load(
        cls, data: Mapping[str, Sequence[str]], units: Mapping[str, Sequence[str]]
    ) -> FadingWords:
        """Return the words of a language, from its `fading` section and its words for times."""
        over, after, slowly = (load_phrases(data[name]) for name in ("over", "after", "slowly"))
        first = sorted({re.escape(phrase[0]) for phrase in (*over, *slowly)})
        begins = re.compile(rf"\b(?:{'|'.join(first)})\b", re.IGNORECASE)
        return cls(over, after, slowly, load_units(units), begins)


@dataclass(frozen=True, slots=True)
class AnnouncingWords:
    """Words of a language for announcements.

    `announce` are verbs that need no more than a message, `tell` those that need somebody, `remind` those that need a
    time, too, `let` those that need what belongs to them and stands after that ("let everyone know"), which is `after`.
    `everyone` and `people` are those who may be told; `people` have a room where one is called after them. `that` joins
    a message and is left out, `whole` joins it and belongs to it, `to` joins what somebody shall do. `something` stands
    for a message that is still to be said, and what is `polite` is none. What begins with a word of `waits` is when it
    is to be said.

    After `addressing` stands the name of a person, whose cases have endings with `inflects_names`. Words that are
    `unnamed` are nobody's, and `somebody` are verbs with a pronoun for whom. Where a message needs nothing that
    joins it, a `statement` is known by its verb, by one of the `subjects` that begin it, or by both in one
    (`contracted`).
    """

    announce: tuple[Phrase, ...] = ()
    tell: tuple[Phrase, ...] = ()
    remind: tuple[Phrase, ...] = ()
    let: tuple[Phrase, ...] = ()
    after: tuple[Phrase, ...] = ()
    everyone: tuple[Phrase, ...] = ()
    people: tuple[Phrase, ...] = ()
    that: tuple[Phrase, ...] = ()
    whole: tuple[Phrase, ...] = ()
    to: tuple[Phrase, ...] = ()
    something: tuple[Phrase, ...] = ()
    polite: tuple[Phrase, ...] = ()
    waits: tuple[Phrase, ...] = ()
    addressing: tuple[Phrase, ...] = ()
    unnamed: tuple[Phrase, ...] = ()
    somebody: tuple[Phrase, ...] = ()
    statement: tuple[Phrase, ...] = ()
    subjects: tuple[Phrase, ...] = ()
    contracted: tuple[Phrase, ...] = ()
    inflects_names: bool = False


def load_announcing_words(data: Mapping[str, Any], triggers: Mapping[str, Any]) -> AnnouncingWords:
    """Return the words of a language from the sections `announcing` and `triggers` of its files."""
    waits = [
        phrase
        for key in ("each", "once", "either")
        for text in triggers.get(key, ())
        for phrase in spell_out(text, {})
    ]
    data = {**data, "waits": waits}
    found: dict[str, Any] = {
        each.name: load_phrases(data.get(each.name, ()))
        for each in fields(AnnouncingWords)
        if each.name != "inflects_names"
    }
    return AnnouncingWords(**found, inflects_names=bool(data.get("inflects_names")))


@dataclass(frozen=True, slots=True)
class AheadWords:
    """Words of a language for a day to come: for its `weather`, for what is in the `calendar`, and for the `days`.

    `days` are phrases with how many days they are ahead, the longest first. `raining` are whole questions whether it
    rains now, `rain` what words in the names of rain sensors begin with.
    """

    weather: tuple[Phrase, ...] = ()
    calendar: tuple[Phrase, ...] = ()
    days: tuple[tuple[Phrase, int], ...] = ()
    raining: frozenset[Phrase] = frozenset()
    rain: tuple[str, ...] = ()


def load_ahead_words(data: Mapping[str, Any]) -> AheadWords:
    """Return the words of a language from the `ahead` section of its file."""
    days = [
        (phrase, ahead)
        for ahead, texts in enumerate(data["days"])
        for phrase in load_phrases(texts)
    ]
    return AheadWords(
        weather=load_phrases(data["weather"]),
        calendar=load_phrases(data["calendar"]),
        days=tuple(sorted(days, key=lambda each: -len(each[0]))),
        raining=frozenset(load_phrases(data["raining"])),
        rain=tuple(data["rain"]),
    )


@dataclass(frozen=True, slots=True)
class PlanNames:
    """What plans are called in a language, each with its alert ("wake", "remind", "tell"), "" for any plan."""

    phrases: Mapping[Phrase, str] = field(default_factory=lambda: MappingProxyType({}))
    longest: int = 0

    @classmethod
    def load(cls, data: Mapping[str, Sequence[str]]) -> PlanNames:
        """Return the phrases of a language from the `called` section of its file."""
        found = {
            phrase: "" if key == "any" else key
            for key, texts in data.items()
            for phrase in load_phrases(texts)
        }
        return cls(found, max(map(len, found), default=0))

    def calls(self, tokens: Sequence[Token]) -> bool:
        """Return whether tokens have what only a plan is called."""
        return any(self.at(tokens, at)[1] for at in range(len(tokens)))

    def at(self, tokens: Sequence[Token], at: int) -> tuple[int, str]:
        """Return how many tokens the longest phrase at a place has, 0 for none, and its alert."""
        for size in range(min(self.longest, len(tokens) - at), 0, -1):
            phrase = tuple(token.word for token in tokens[at : at + size])
            if phrase in self.phrases:
                return size, self.phrases[phrase]
        return 0, ""

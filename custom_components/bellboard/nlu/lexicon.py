"""Lexicon of one language: what its words mean to the reader, from the `reader` section of its file."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from typing import Any

from ..home.names import folded
from .moment_words import MomentWords, Signals
from .phrase_lists import AnnouncingWords, DelayWords, FadingWords, MediaWords, PlaybackWords
from .remark_words import RemarkWords
from .tokens import Phrase, spoken_words


class Role(StrEnum):
    """Role of words in a reading.

    VERB, STATE ("on"), MOVE ("brighter"), AMOUNT ("a bit") and ATTRIBUTE ("volume") say what is to be
    done; NUMBER, UNIT, RANGE ("between 19 and 23 degrees"), LEVEL ("half"), FACTOR ("half as bright"), COLOR,
    KELVIN and OPTION (a mode, an effect, a source) with which value, TO and BY how it is meant. KIND, NAME,
    NAME_WORD, PLACE, HERE, EVERYWHERE, QUANTITY and PRONOUN say with what, MOOD the scenes for it ("cosy"); EXCEPT
    what not. AND joins. ASKING begins a question, MEASURE asks for a value ("how warm"). CORRECTING begins a
    correction ("no, I meant"). OTHER is no device ("timer"). OR joins what may be. RUNNING leaves out what is off
    ("that are on"). ANSWER ("never mind") and POSITION ("the second") are only in answers to questions.
    ARTICLE, LINK (prepositions) and FILLER (courtesy) say nothing.
    """

    VERB = "verb"
    STATE = "state"
    MOVE = "move"
    AMOUNT = "amount"
    ATTRIBUTE = "attribute"
    NUMBER = "number"
    UNIT = "unit"
    RANGE = "range"
    LEVEL = "level"
    HALF = "half"
    FACTOR = "factor"
    COLOR = "color"
    KELVIN = "kelvin"
    OPTION = "option"
    TO = "to"
    BY = "by"
    KIND = "kind"
    NAME = "name"
    NAME_WORD = "name_word"
    MOOD = "mood"
    PLACE = "place"
    HERE = "here"
    EVERYWHERE = "everywhere"
    QUANTITY = "quantity"
    PRONOUN = "pronoun"
    EXCEPT = "except"
    AND = "and"
    ASKING = "asking"
    MEASURE = "measure"
    ARTICLE = "article"
    LINK = "link"
    FILLER = "filler"
    CORRECTING = "correcting"
    OTHER = "other"
    OR = "or"
    RUNNING = "running"
    ANSWER = "answer"
    POSITION = "position"


NAMING = frozenset({Role.KIND, Role.NAME, Role.NAME_WORD, Role.PLACE})
"""Roles of words that say what a sentence is for, or where that is."""

FLOOR = "floor"
"""Value of a sense of HERE that is the speaker's floor: "on this floor"."""


@dataclass(frozen=True, slots=True)
class Sense:
    """Meaning of a phrase: its role, and a value by the role (a verb's name, a number, an entity)."""

    role: Role
    value: Any = None


@dataclass(frozen=True, slots=True)
class Noun:
    """Noun for a kind of device; `is_plural` is None where both numbers have one form.

    A `is_general` noun ("light") means any device of the kind; another ("lamp") those called so first, and one
    that `needs_name` ("chandelier") no others.
    `forms` are all its forms, which names of such devices may contain. Of a `sort` is what has any of its `signs` in
    its name: a "ceiling light" may be "Kitchen Ceiling".
    """

    kind: str
    is_plural: bool | None
    is_general: bool
    forms: frozenset[str]
    needs_name: bool = False
    sort: str = ""
    signs: frozenset[Phrase] = frozenset()

    @property
    def of_any_sort(self) -> Noun:
        """Return the noun for any device of its kind where it is of a sort, else itself."""
        if not self.sort:
            return self
        return Noun(self.kind, self.is_plural, is_general=True, forms=self.forms)


class Lexicon:
    """Phrases of one language with their senses, and how its words inflect."""

    def __init__(
        self,
        senses: Iterable[tuple[str, Sense]],
        *,
        endings: Iterable[str] = (),
        alternations: Mapping[str, str] | None = None,
        links: Iterable[str] = (),
        enclitics: Mapping[str, Sense] | None = None,
        plural_endings: Iterable[str] = (),
        floors: Mapping[str, Iterable[str]] | None = None,
        asides: Iterable[str] = (),
        reasons: Collection[str] = (),
        wishing: Iterable[str] = (),
        reporting: Iterable[str] = (),
        also: Iterable[str] = (),
        rooms: Iterable[str] = (),
        spared: Iterable[str] = (),
        compared: Mapping[str, Mapping[str, Iterable[str]]] | None = None,
        greetings: Iterable[str] = (),
        radios: Iterable[str] = (),
        thanks: Iterable[str] = (),
        media: MediaWords | None = None,
        playback: PlaybackWords | None = None,
        fading: FadingWords | None = None,
        announcing: AnnouncingWords | None = None,
        delays: DelayWords | None = None,
        moments: MomentWords | None = None,
        remarks: Mapping[str, Iterable[str]] | None = None,
        ranges: Mapping[str, Iterable[str]] | None = None,
        moods: Mapping[str, Iterable[str]] | None = None,
        purposes: Iterable[str] = (),
        asks_by_tone: bool = False,
        fully: Iterable[str] = (),
        only: Iterable[str] = (),
        there_is: Iterable[str] = (),
        going: Iterable[str] = (),
    ) -> None:
        """Index phrases by their words.

        `endings` are stripped to compare inflected forms of names, `alternations` are endings before which
        the stem changes, with what they are replaced by ("gabinecie" is a form of "gabinet"). `links` join the
        halves of compounds ("" for none between them); a language without compounds has no links. `enclitics`
        are pronouns that are written as one with a verb, or joined to it by a hyphen. What `plural_endings` make
        of a word in a name says that several are meant ("mirrors"). `floors` are words for the "upper" floor and
        the "ground" floor, whatever they are called. A clause that begins with one of `asides` ("I'm") only
        tells something, and so does what follows a command and begins with one of `reasons`; what a word joins to it
        and begins with one of `wishing` is a second wish. `reporting` are words with which somebody else's words are
        told, `also` those that add to what was said before. `rooms` are words for any room, which in a name tell
        nothing ("my room"). What is called as in `spared` is not turned off with all else.
        A name follows `greetings`. `radios` are nouns for players that are turned on to hear something.
        `media` are the words that tell what is played, `playback` those for what is done with it, `fading` those for
        the time that a change takes, `announcing` those for what is said aloud elsewhere, `delays` those for what is to
        be done later, `moments` those for when, `remarks` those for what is said beside a command. `ranges` are words
        that `begin` a range of numbers ("between"), `and` join its numbers then, and `to` join them also without.
        `moods` are phrases for what a scene may be for, by the mood's name ("relax"), which `purposes` precede ("for").
        With `asks_by_tone` a question whether something is in a state has the words of a statement, in their order.
        `fully` are words for the whole way ("completely open"), `only` those that narrow what was said,
        `there_is` the words that ask whether there is any ("are there"). `going` is what is left on does ("running").
        """
        self.media, self.asks_by_tone = media or MediaWords(), asks_by_tone
        self.playback = playback or PlaybackWords()
        self.fading = fading or FadingWords()
        self.announcing = announcing or AnnouncingWords()
        self.delays, self.moments = delays or DelayWords(), moments or MomentWords()
        self.ranges = _load_ranges(ranges or {})
        self.moods = {
            mood: tuple(map(spoken_words, phrases)) for mood, phrases in (moods or {}).items()
        }
        self.purposes, self._mood_phrases = frozenset(purposes), {*chain(*self.moods.values())}
        self._asides = frozenset(map(spoken_words, asides))
        self._reasons = frozenset(map(spoken_words, reasons))
        self.remarks = RemarkWords.load(remarks or {}, reasons)
        self._wishing = frozenset(map(spoken_words, wishing))
        self.reporting = frozenset(reporting)
        self.compared = {
            spoken_words(text): (measure, {"more": 1, "most": 1}.get(way, -1))
            for measure, ways in (compared or {}).items()
            for way, texts in ways.items()
            for text in texts
        }
        """Measures by what compares rooms by them, with 1 for more of it and -1 for less."""
        self.rooms, self.greetings = frozenset(rooms), frozenset(greetings)
        self.radios = frozenset(radios)
        self._spared = tuple(map(spoken_words, spared))
        self.fully = tuple(map(spoken_words, fully))
        self.only = frozenset(map(spoken_words, only))
        self.there_is = tuple(map(spoken_words, there_is))
        self.going = frozenset(map(spoken_words, going))
        self._thanks = frozenset(map(spoken_words, thanks))
        self._also = frozenset(map(spoken_words, also))
        self.plural_endings = tuple(plural_endings)
        self.floors = {
            key: tuple(map(spoken_words, texts)) for key, texts in (floors or {}).items()
        }
        self.enclitics = dict(enclitics or {})
        self.links = tuple(sorted(links, key=len, reverse=True))
        self._phrases: dict[Phrase, list[Sense]] = {}
        self._add(senses)
        for found in self._phrases.values():
            if {*found} >= _HALTING:
                found.insert(0, Sense(Role.VERB, HALT))
            if _LINK in found and (said := next((s for s in found if s in _PARTICLES), None)):
                found[:] = [sense for sense in found if sense not in {_LINK, said}]
                found.append(Sense(Role.LINK, said.value))
        self.nouns = frozenset(
            sense.value
            for found in self._phrases.values()
            for sense in found
            if sense.role is Role.KIND
        )
        self.named = frozenset(
            form for noun in self.nouns if not noun.is_general for form in noun.forms
        )
        self._fold()
        # The same words come again and again.
        self._kept_stem = lru_cache(maxsize=_MOST_STEMS)(self._stem)
        stripped = {**dict.fromkeys(endings, ""), **(alternations or {})}
        self._endings = tuple(sorted(stripped.items(), key=lambda each: len(each[0]), reverse=True))

    def _add(self, senses: Iterable[tuple[str, Sense]]) -> None:
        """Add senses of phrases."""
        for text, sense in senses:
            known = self._phrases.setdefault(spoken_words(text), [])
            if sense not in known:
                known.append(sense)
        self._phrases.pop((), None)

    def _fold(self) -> None:
        """Index the phrases as they are without their accents."""
        self._folded: dict[Phrase, list[Sense]] = {}
        for phrase, found in self._phrases.items():
            self._folded.setdefault(tuple(map(folded, phrase)), []).extend(found)
        self.longest = max(map(len, self._phrases), default=0)
        lasting = [phrase for phrase, _ in (*self.delays.durations, *self.delays.units)]
        self.signals = Signals.of(self.moments, lasting, self.is_small)
        self.signals_of_durations = Signals.of(MomentWords(), lasting, self.is_small)

    def senses(self, phrase: Phrase) -> list[Sense]:
        """Return the senses of a phrase, also of one that is written without its accents."""
        return self._phrases.get(phrase) or self._folded.get(phrase, [])

    def is_spared(self, name: str) -> bool:
        """Return whether a name is that of something that does its job by itself: a washing machine, a fridge."""
        return holds_any(spoken_words(name), self._spared)

    def phrases_of(self, sense: Sense) -> list[Phrase]:
        """Return the phrases that may have a sense."""
        return [phrase for phrase, senses in self._phrases.items() if sense in senses]

    def words_of_only(self, role: Role) -> frozenset[str]:
        """Return the single words all of whose senses have a role."""
        return frozenset(
            phrase[0]
            for phrase, found in self._phrases.items()
            if len(phrase) == 1 and all(sense.role is role for sense in found)
        )

    def begins_with(self, sense: Sense, words: Phrase) -> bool:
        """Return whether words begin with a phrase that has a sense, after small words at most: "please tell me"."""
        begin = next((at for at, word in enumerate(words) if not self.is_small(word)), len(words))
        return any(
            sense in self._phrases.get(words[start:end], ())
            for start in range(begin + 1)
            for end in range(start + 1, min(start + self.longest, len(words)) + 1)
        )

    def opens_aside(self, words: Phrase) -> bool:
        """Return whether words begin like what only tells something: "I'm off to bed"."""
        return self.aside_at(words) > 0

    def aside_at(self, words: Phrase) -> int:
        """Return how many words begin what only tells something, 0 for none."""
        return _opening_size(words, self._asides)

    def opens_wish(self, words: Phrase) -> bool:
        """Return whether words begin like a wish: "I don't want", "que no"."""
        return _opens(words, self._wishing)

    def is_and(self, word: str) -> bool:
        """Return whether a word may join what follows it to what stands before: "and"."""
        return any(sense.role is Role.AND for sense in self.senses((word,)))

    def reason_at(self, words: Phrase) -> int:
        """Return how many words begin the reason for a command before them ("because", "it's freezing"), 0 for none."""
        sizes = range(min(len(words), 4), 0, -1) if words[1:] else ()
        return next((size for size in sizes if words[:size] in self._reasons), 0)

    def corrects(self, words: Phrase) -> bool:
        """Return whether words begin like a correction: "no", "I meant"."""
        return any(
            sense.role is Role.CORRECTING
            for size in range(1, min(len(words), 4))
            for sense in self.senses(words[:size])
        )

    def only_thanks(self, words: Phrase) -> bool:
        """Return whether words are thanks and courtesy, and ask nothing: "thanks, that's enough"."""
        at, is_thanks = 0, False
        while at < len(words):
            sizes = (size for size in range(5, 0, -1) if words[at : at + size] in self._thanks)
            size = next(sizes, 0)
            if not size and not self.is_courtesy(words[at]):
                return False
            is_thanks |= bool(size)
            at += size or 1
        return is_thanks

    def adds(self, words: Phrase) -> bool:
        """Return whether words add to what was said before: they begin with "and", or say "too"."""
        return (bool(words) and self.is_and(words[0])) or self.says_also(words)

    def says_also(self, words: Phrase) -> bool:
        """Return whether words say that something is added: "too"."""
        return any(
            words[at : at + size] in self._also for at in range(len(words)) for size in (1, 2)
        )

    def is_purpose(self, before: str, words: Phrase) -> bool:
        """Return whether words after another say what something is for: "for reading", and no "reading lamp"."""
        return before in self.purposes and (
            words in self._mood_phrases or (before, *words) in self._mood_phrases
        )

    def is_copula(self, words: Phrase) -> bool:
        """Return whether words tell how something is: "is", "are"."""
        return _IS in self.senses(words)

    def is_courtesy(self, word: str) -> bool:
        """Return whether a word may say nothing, or join: "so", "and"."""
        senses = self.senses((word,))
        return any(sense.role in {Role.FILLER, Role.AND} for sense in senses)

    def is_small(self, word: str) -> bool:
        """Return whether a word alone is only a function word."""
        senses = self.senses((word,))
        return bool(senses) and all(sense.role in _SMALL for sense in senses)

    def filler_at(self, words: Phrase) -> int:
        """Return how many words at the beginning say nothing, or only join: "could you", "and"."""
        sizes = range(min(_MOST_FILLER, len(words)), 0, -1)
        roles = ((n, {sense.role for sense in self.senses(words[:n])}) for n in sizes)
        return next((n for n, found in roles if found and found <= {Role.FILLER, Role.AND}), 0)

    def host(self, word: str) -> tuple[str, ...]:
        """Return a verb and the pronouns that are written as one with it ("enciende", "me", "la"), or ()."""
        for enclitic in self.enclitics:
            rest = folded(word.removesuffix(enclitic))
            if rest == folded(word):
                continue
            if any(sense.role is Role.VERB for sense in self.senses((rest,))):
                return rest, enclitic
            if before := self.host(rest):
                return *before, enclitic
        return ()

    def stem(self, word: str) -> str:
        """Return a word without accents and without its inflection."""
        return self._kept_stem(word)

    def stem_of_name(self, name: str) -> str:
        """Return a person's name without accents and inflection, also where little is left of it ("Ewie")."""
        return self._without_ending(name, _SHORTEST_NAME)

    def _stem(self, word: str) -> str:
        return self._without_ending(word, _SHORTEST_STEM)

    def _without_ending(self, word: str, shortest: int) -> str:
        """Return a word without accents and the ending that leaves so many letters of it."""
        plain = folded(word)
        for ending, kept in self._endings:
            stem = plain.removesuffix(ending) + kept
            if plain.endswith(ending) and len(stem) >= shortest:
                return stem
        return plain


class ExtendedLexicon(Lexicon):
    """A lexicon whose phrases have more senses beside their own, as in answers to questions."""

    def __init__(self, lexicon: Lexicon, senses: Iterable[tuple[str, Sense]]) -> None:
        """Take over all that the lexicon knows, which stays as it is."""
        vars(self).update(vars(lexicon))
        self._phrases = {phrase: [*found] for phrase, found in self._phrases.items()}
        self._add(senses)
        self._fold()


HALT = "halt"
"""Verb of words for both pausing and stopping ("arrête"): what moves is stopped, all else paused or stopped."""
_HALTING = frozenset({Sense(Role.VERB, "pause"), Sense(Role.VERB, "stop")})
# What prepositions say at the end of a clause, which is then the value of the link: "roll the awning in".
_LINK = Sense(Role.LINK)
_PARTICLES = frozenset({Sense(Role.STATE, "extended"), Sense(Role.STATE, "retracted")})
_IS = Sense(Role.ASKING, "is")
THINGS = "things"
"""Value of the words for the whole home that mean all things, and no place: "everything"."""
AROUND = "around"
"""Value of those that only say where: "everywhere"."""
PLURAL = "plural"
"""Value of articles that say that there are several."""

_SHORTEST_STEM = 3
_SHORTEST_NAME = 2
_MOST_STEMS = 8192
# Words of a phrase that says nothing.
_MOST_FILLER = 5
_SMALL = frozenset({Role.ARTICLE, Role.LINK, Role.TO, Role.BY, Role.AND, Role.PRONOUN, Role.FILLER})


def _load_ranges(
    data: Mapping[str, Iterable[str]],
) -> tuple[frozenset[Phrase], tuple[frozenset[Phrase], frozenset[Phrase]]]:
    """Return what begins a range of numbers, and what joins its numbers without that and with it."""
    begin, joins, to = (
        frozenset(map(spoken_words, data.get(key, ()))) for key in ("begin", "and", "to")
    )
    return begin, (to, joins | to)


def _opens(words: Phrase, phrases: Collection[Phrase]) -> bool:
    """Return whether up to three words that others follow are one of some phrases."""
    return _opening_size(words, phrases) > 0


def _opening_size(words: Phrase, phrases: Collection[Phrase]) -> int:
    """Return how many words, three at most that others follow, are the longest of some phrases; 0 for none."""
    return next((n for n in range(min(len(words) - 1, 3), 0, -1) if words[:n] in phrases), 0)


def holds_any(words: Phrase, phrases: Iterable[Phrase]) -> bool:
    """Return whether words hold one of some phrases: "est-ce qu'il y a" holds "il y a"."""
    ends = ((at, at + len(each), each) for each in phrases for at in range(len(words)))
    return any(words[begin:end] == each for begin, end, each in ends)

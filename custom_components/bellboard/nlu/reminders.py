"""Reminders: something to be told later, a wake-up call, or a question that is answered then.

Read from a sentence without its time ("remind me to call mum", "wake me with the radio", "tell me how warm it is").
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

from .lexicon import holds_any
from .phrase_lists import load_phrases
from .tokens import Phrase, Token, matches, spoken_words, tokenise, without_first

_WHAT = "{what}"
_MOST_FILLERS = 5
"""That are looked for in one sentence."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """What is to be said aloud later; with none of its fields that is what happened.

    `message` is said as it is. With `wakes` it is a wake-up call. `command` is carried out, and the answer to the
    question `asks` is said; both are sentences of the language. `said` are the words that this was read from.
    """

    message: str = ""
    command: str = ""
    asks: str = ""
    wakes: bool = False
    said: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Words before and after a gap; `is_whole` where there is no gap."""

    before: Phrase
    after: Phrase
    is_whole: bool

    @classmethod
    def of(cls, text: str) -> _Pattern:
        """Return the pattern of a phrase that has a gap at {what}, or none."""
        before, gap, after = text.partition(_WHAT)
        return cls(spoken_words(before), spoken_words(after), not gap)

    def size(self, fillers: Collection[str]) -> int:
        """Return the number of words that are no fillers."""
        return sum(word not in fillers for word in (*self.before, *self.after))

    def gap(self, words: Phrase) -> slice | None:
        """Return where the gap is in words that begin like it, None where they end in another way."""
        begin, end = len(self.before), len(words) - len(self.after)
        is_short = begin != end if self.is_whole else begin >= end
        return None if is_short or words[end:] != self.after else slice(begin, end)


class _Patterns:
    """Patterns by the words that they begin with: there are thousands, of which few fit the first words of a text."""

    def __init__(self, texts: Iterable[str], fillers: Sequence[Phrase] = ()) -> None:
        """Index the patterns of some texts, those with most words that are no `fillers` first."""
        small = {phrase[0] for phrase in fillers if len(phrase) == 1}
        found = dict.fromkeys(map(_Pattern.of, texts))
        self._by_before: dict[Phrase, list[tuple[int, _Pattern]]] = {}
        for rank, pattern in enumerate(sorted(found, key=lambda each: -each.size(small))):
            self._by_before.setdefault(pattern.before, []).append((rank, pattern))
        self._sizes = sorted({len(before) for before in self._by_before})
        # All words of each pattern, by the longest of them.
        self._words: dict[str, set[frozenset[str]]] = {}
        for pattern in found:
            words = frozenset((*pattern.before, *pattern.after))
            self._words.setdefault(max(words, key=len, default=""), set()).add(words)

    def may_fit(self, words: frozenset[str]) -> bool:
        """Return whether all words of a pattern are among some words."""
        known = chain.from_iterable(self._words.get(word, ()) for word in ("", *words))
        return any(map(words.issuperset, known))

    def gap(
        self, tokens: Sequence[Token], fillers: Sequence[Phrase] = ()
    ) -> Sequence[Token] | None:
        """Return what stands in the gap of the pattern with most words that fits; None where none does.

        `fillers` may stand between the words of the pattern, and before what stands in the gap.
        """
        found: list[tuple[int, Sequence[Token]]] = []
        for said in _without_fillers(tokens, fillers):
            words = tuple(token.word for token in said)
            found += [
                (rank, said[gap])
                for size in self._sizes
                for rank, pattern in self._by_before.get(words[:size], ())
                if (gap := pattern.gap(words)) is not None
            ]
        if not found:
            return None
        left = min(found, key=itemgetter(0))[1]
        while (rest := without_first(left, fillers))[1] and rest[0]:
            left = rest[0]
        return left


def _without_fillers(
    tokens: Sequence[Token], fillers: Sequence[Phrase]
) -> Iterator[Sequence[Token]]:
    """Yield tokens, and then without the first of the fillers in them, the first two, and so on."""
    yield tokens
    at = 0
    for _ in range(_MOST_FILLERS):
        while at < len(tokens) and not (rest := without_first(tokens[at:], fillers))[1]:
            at += 1
        if at >= len(tokens):
            return
        tokens = [*tokens[:at], *rest[0]]
        yield tokens


@dataclass(frozen=True)
class ReminderWords:
    """Words of a language for reminders.

    `inquire`, `remind`, `wake`, `tell` and `say` are patterns of requests, `never` those of what is not wanted. The gap
    of `remind` is the message, that of `wake` what somebody is to be woken with, that of `tell` a question, and that of
    `told`, which are the requests of `tell`, a message with one of `duties` and no `that` in it, which begins with none
    of `waits`. A message keeps a word of `kept` that it follows. Those of `inquire` (a message) and `say` (a
    question) have to begin with a word of `questions`. What stands `before` and `after` a request is courtesy, and
    so are `fillers` among its words. `play` is the command for what is heard, `switch` that for what has one of
    `lights` in it, and `ask` is how a question is asked; each has a gap. Some gaps are `reworded`: forms that nouns
    have in a command, and sentences for what is asked.
    """

    never: _Patterns
    inquire: _Patterns
    remind: _Patterns
    wake: _Patterns
    tell: _Patterns
    told: _Patterns
    say: _Patterns
    duties: frozenset[Phrase]
    that: frozenset[Phrase]
    kept: frozenset[str]
    waits: tuple[Phrase, ...]
    questions: tuple[Phrase, ...]
    before: tuple[Phrase, ...]
    after: tuple[Phrase, ...]
    fillers: tuple[Phrase, ...]
    lights: tuple[str, ...]
    play: str
    switch: str
    ask: str
    reworded: Mapping[Phrase, str]

    def may_be_in(self, text: str) -> bool:
        """Return whether a text may have a request in it."""
        words = frozenset(spoken_words(text))
        patterns = (self.inquire, self.remind, self.wake, self.tell, self.say)
        return any(each.may_fit(words) for each in patterns)

    @classmethod
    def load(cls, data: Mapping[str, Any], waits: tuple[Phrase, ...] = ()) -> ReminderWords:
        """Return the words of a language from the `reminders` section of its files, with those for "when"."""
        reworded = {spoken_words(text): str(said) for text, said in data["reworded"].items()}
        fillers = load_phrases(data["fillers"])
        return cls(
            never=_Patterns(data["never"], fillers),
            inquire=_Patterns(data["inquire"], fillers),
            remind=_Patterns(data["remind"], fillers),
            wake=_Patterns(data["wake"], fillers),
            tell=_Patterns(data["tell"], fillers),
            told=_Patterns(map(_with_gap, data["tell"]), fillers),
            say=_Patterns(data["say"], fillers),
            duties=frozenset(load_phrases(data["duties"])),
            that=frozenset(load_phrases(data.get("that", ()))),
            kept=frozenset(
                word for phrase in load_phrases(data.get("kept", ())) for word in phrase
            ),
            waits=waits,
            questions=load_phrases(data["questions"]),
            before=load_phrases([*data["before"], *data["fillers"]]),
            after=load_phrases(data["after"]),
            fillers=fillers,
            lights=tuple(map(str, data["lights"])),
            play=str(data["play"]),
            switch=str(data["switch"]),
            ask=str(data["ask"]),
            reworded=reworded,
        )


def read_reminder(text: str, words: ReminderWords) -> Reminder | None:
    """Return the reminder that a sentence asks for, None where it asks for none."""
    tokens = _without_courtesy([each for each in tokenise(text) if not each.is_mark], words)
    if words.never.gap(tokens, words.fillers) is not None:
        return None
    found = words.inquire.gap(tokens, words.fillers)
    if found and without_first(found, words.questions)[1]:
        # "Ask me whether the bins are out": only who is asked knows.
        said = _said(text, found)
        return Reminder(message=said, said=said)
    found = words.tell.gap(tokens, words.fillers)
    is_asked = found and without_first(found, words.questions)[1]
    # "Dimmi che temperatura c'è" is no message.
    if not is_asked and (found := words.remind.gap(tokens, words.fillers)) is not None:
        said = _said(text, _with_conjunction(tokens, found, words))
        return Reminder(message=said, said=said)
    if not is_asked and (found := _duty(tokens, words)):
        said = _said(text, found)
        return Reminder(message=said, said=said)
    if (found := words.wake.gap(tokens, words.fillers)) is not None:
        said = _said(text, found)
        command = _command(said, words)
        return Reminder(command=command, wakes=not command, said=said)
    found = words.tell.gap(tokens, words.fillers)
    if found is None:
        found = words.say.gap(tokens, words.fillers)
        if not found or not without_first(found, words.questions)[1]:
            return None
    said = _said(text, found)
    return Reminder(asks=_question(said, words), said=said)


def without_courtesy_behind(text: str, words: ReminderWords) -> str:
    """Return a text without what it ends with that asks nothing: "would you", "otherwise I'll forget".

    A single word may mean something without a mark before it: "tell me when she's okay".
    """
    tokens = [each for each in tokenise(text) if not each.is_mark]
    kept = tokens
    while size := _courtesy_behind(text, kept, words):
        kept = kept[:-size]
    return text if kept == tokens else text[: kept[-1].end]


def _courtesy_behind(text: str, tokens: Sequence[Token], words: ReminderWords) -> int:
    """Return how many tokens at the end are courtesy, 0 for none, and where nothing is before them."""
    for size in sorted({len(each) for each in words.after}, reverse=True):
        said = tuple(token.word for token in tokens[-size:])
        if not 0 < size < len(tokens) or said not in words.after:
            continue
        if size > 1 or "," in text[tokens[-size - 1].end : tokens[-size].start]:
            return size
    return 0


def read_said(text: str, words: ReminderWords) -> Reminder | None:
    """Return what is to be said aloud as it is, "say welcome home"; None for a question, which is answered."""
    tokens = _without_courtesy([each for each in tokenise(text) if not each.is_mark], words)
    found = words.say.gap(tokens, words.fillers)
    if not found or without_first(found, words.questions)[1]:
        return None
    if holds_any(tuple(token.word for token in found[1:]), words.that):
        # "Sag ihr, dass das Essen fertig ist" is for others.
        return None
    said = _said(text, found)
    return Reminder(message=said, said=said)


def _duty(tokens: Sequence[Token], words: ReminderWords) -> Sequence[Token]:
    """Return a message that no word begins: "give me a shout the pie has to come out"; () for none."""
    found = words.told.gap(tokens, words.fillers) or ()
    said = tuple(token.word for token in found)
    if without_first(found, (*words.questions, *words.waits))[1]:
        return ()
    if holds_any(said, words.that):
        # "Säg till barnen att maten är klar" is for others.
        return ()
    return found if holds_any(said, words.duties) else ()


def _with_gap(text: str) -> str:
    """Return a pattern with a gap at its end, where it has none."""
    return text if _WHAT in text else f"{text} {_WHAT}"


def _command(said: str, words: ReminderWords) -> str:
    """Return the command for what somebody is to be woken with, "" for nothing."""
    said = words.reworded.get(spoken_words(said), said)
    is_light = any(word.endswith(words.lights) for word in spoken_words(said))
    command = words.switch if is_light else words.play
    return command.format(what=said) if said else ""


def _question(said: str, words: ReminderWords) -> str:
    """Return the sentence that asks for what is to be told, "" for nothing."""
    asked = words.reworded.get(spoken_words(said))
    return asked or (words.ask.format(what=said) if said else "")


def _without_courtesy(tokens: list[Token], words: ReminderWords) -> list[Token]:
    """Return tokens without courtesy at their beginning and their end."""
    is_courtesy = True
    while is_courtesy:
        tokens, is_courtesy = without_first(tokens, words.before)
    while end := next((len(p) for p in words.after if matches(tokens[-len(p) :], p)), 0):
        tokens = tokens[:-end]
    return tokens


def _with_conjunction(
    tokens: Sequence[Token], message: Sequence[Token], words: ReminderWords
) -> Sequence[Token]:
    """Return a message with the word before it, without which its words are in no order: "dass ich lüften soll"."""
    before = [each for each in tokens if message and each.end <= message[0].start]
    is_kept = bool(before) and before[-1].word in words.kept
    return [before[-1], *message] if is_kept else message


def _said(text: str, tokens: Sequence[Token]) -> str:
    """Return the words of tokens as they stand in a text."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""

"""Reminders: something to be told later, a wake-up call, or a question that is answered then.

Read from a sentence without its time ("remind me to call mum", "wake me with the radio", "tell me how warm it is").
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .phrase_lists import load_phrases
from .tokens import Phrase, Token, matches, spoken_words, tokenise, without_first

_WHAT = "{what}"


@dataclass(frozen=True, slots=True)
class Reminder:
    """What is to be said aloud later; one of its fields is set.

    `message` is said as it is. With `wakes` it is a wake-up call, with `tells_trigger` what happened is told. `command`
    is carried out, and the answer to the question `asks` is said; both are sentences of the language. `said` are the
    words that this was read from.
    """

    message: str = ""
    command: str = ""
    asks: str = ""
    wakes: bool = False
    tells_trigger: bool = False
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

    def fits(self, tokens: list[Token]) -> list[Token] | None:
        """Return the tokens in the gap, [] where there is no gap; None where the words are others."""
        begin, end = len(self.before), len(tokens) - len(self.after)
        is_short = begin != end if self.is_whole else begin >= end
        if is_short or not (
            matches(tokens[:begin], self.before) and matches(tokens[end:], self.after)
        ):
            return None
        return tokens[begin:end]


@dataclass(frozen=True)
class ReminderWords:
    """Words of a language for reminders.

    `remind`, `wake`, `tell` and `say` are patterns of requests, `never` those of what is not wanted. The gap of
    `remind` is the message, that of `wake` what somebody is to be woken with, that of `tell` a question, and that of
    `say` one if it begins with a word of `questions`. What stands `before` and `after` a request is courtesy. `play`
    is the command for what is heard, `switch` that for what has one of `lights` in it, and `ask` is how a question is
    asked; each has a gap. Some gaps are `reworded`: forms that nouns have in a command, and sentences for what is
    asked.
    """

    never: tuple[_Pattern, ...]
    remind: tuple[_Pattern, ...]
    wake: tuple[_Pattern, ...]
    tell: tuple[_Pattern, ...]
    say: tuple[_Pattern, ...]
    questions: tuple[Phrase, ...]
    before: tuple[Phrase, ...]
    after: tuple[Phrase, ...]
    lights: tuple[str, ...]
    play: str
    switch: str
    ask: str
    reworded: Mapping[Phrase, str]

    @cached_property
    def _needed(self) -> frozenset[frozenset[str]]:
        """Return the words of each request, all of which stand where it does."""
        patterns = (*self.remind, *self.wake, *self.tell, *self.say)
        return frozenset(frozenset((*each.before, *each.after)) for each in patterns)

    def may_be_in(self, text: str) -> bool:
        """Return whether a text may have a request in it."""
        return any(map(frozenset(spoken_words(text)).issuperset, self._needed))

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> ReminderWords:
        """Return the words of a language from the `reminders` section of its files."""
        reworded = {spoken_words(text): str(said) for text, said in data["reworded"].items()}
        return cls(
            never=_longest_first(data["never"]),
            remind=_longest_first(data["remind"]),
            wake=_longest_first(data["wake"]),
            tell=_longest_first(data["tell"]),
            say=_longest_first(data["say"]),
            questions=load_phrases(data["questions"]),
            before=load_phrases(data["before"]),
            after=load_phrases(data["after"]),
            lights=tuple(map(str, data["lights"])),
            play=str(data["play"]),
            switch=str(data["switch"]),
            ask=str(data["ask"]),
            reworded=reworded,
        )


def read_reminder(text: str, words: ReminderWords) -> Reminder | None:
    """Return the reminder that a sentence asks for, None where it asks for none."""
    tokens = _without_courtesy([each for each in tokenise(text) if not each.is_mark], words)
    if _gap(tokens, words.never) is not None:
        return None
    if (found := _gap(tokens, words.remind)) is not None:
        said = _said(text, found)
        return Reminder(message=said, tells_trigger=not said, said=said)
    if (found := _gap(tokens, words.wake)) is not None:
        said = _said(text, found)
        command = _command(said, words)
        return Reminder(command=command, wakes=not command, said=said)
    found = _gap(tokens, words.tell)
    if found is None:
        found = _gap(tokens, words.say)
        if not found or not without_first(found, words.questions)[1]:
            return None
    said = _said(text, found)
    asks = _question(said, words)
    return Reminder(asks=asks, tells_trigger=not asks, said=said)


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


def _gap(tokens: list[Token], patterns: Iterable[_Pattern]) -> list[Token] | None:
    """Return what stands in the gap of the first pattern that fits; None where none does."""
    found = (pattern.fits(tokens) for pattern in patterns)
    return next((each for each in found if each is not None), None)


def _without_courtesy(tokens: list[Token], words: ReminderWords) -> list[Token]:
    """Return tokens without courtesy at their beginning and their end."""
    is_courtesy = True
    while is_courtesy:
        tokens, is_courtesy = without_first(tokens, words.before)
    while end := next((len(p) for p in words.after if matches(tokens[-len(p) :], p)), 0):
        tokens = tokens[:-end]
    return tokens


def _said(text: str, tokens: list[Token]) -> str:
    """Return the words of tokens as they stand in a text."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""


def _longest_first(texts: Iterable[str]) -> tuple[_Pattern, ...]:
    """Return patterns, those with most words first."""
    found = map(_Pattern.of, texts)
    return tuple(sorted(found, key=lambda each: -len(each.before) - len(each.after)))

"""Words of sentences with something that is waited for ("when the machine is done tell me"), and their split."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
import re
from typing import Any

from ..when import MAX_WORDS
from .condition_words import (
    APART,
    ConditionWords,
    Phrases,
    begins_command,
    is_one_command,
    words_in,
)
from .lexicon import Lexicon, Role, Sense
from .phrase_lists import written
from .times import may_say_duration, read_duration
from .tokens import Phrase, Token, spoken_words, tokenise

_BEGINNING = ("above", "below", "at_least", "at_most", "somebody", "nobody")
"""Lists of the section for what begins, which go on with those of `conditions`."""
_COMING = ("done", "dark", "light")
"""States that come by themselves: "wenn die Waschmaschine fertig ist" is for when she is."""
_MERGED = (*_BEGINNING, "ignored", "not")
"""Lists of the section that go on with those of `conditions`."""
_UNTIL_NOT, _UNTIL_EITHER = "until_not", "until_either"
_UNTIL = ("until", _UNTIL_NOT, _UNTIL_EITHER)
_MOST_WORDS = 6
"""Of a duration."""
_MARKS = ".!?" + APART


@dataclass(frozen=True, slots=True)
class TriggerSentence:
    """Sentence split into what is waited for (`condition`) and the command; with `repeats` for each time.

    It is a `change` where a verb says that something begins ("opens"), not that it is so ("is open"). Where its words
    say both, and nothing else that it is waited for, it `may_be_now`, and where it is motion, somebody that is not
    there yet, or a state that comes by itself it `may_come`; it `is_sure` where the conjunction can mean nothing else,
    and `is_told` where the command is only to tell it. It lasts for `hold` seconds before it counts, and is waited for
    no longer than `within`; 0 where neither is said. `said` is the condition with its times. It `is_end` where it ends
    what is done now ("until it opens"), and `then` is what is to be done at that end.
    """

    condition: str
    command: str
    repeats: bool = False
    is_change: bool = False
    may_be_now: bool = False
    may_come: bool = False
    is_sure: bool = False
    is_told: bool = False
    hold: float = 0.0
    within: float = 0.0
    is_end: bool = False
    then: str = ""
    said: str = ""


class TriggerWords:
    """Words of one language for what is waited for; `conditions` are those for all conditions."""

    def __init__(
        self,
        data: Mapping[str, Any],
        conditions: Mapping[str, Any],
        courtesy: Sequence[str] = (),
    ) -> None:
        """Index the phrases of the section `triggers`, beside those of the section `conditions`.

        `courtesy` are phrases that a request may begin with, and that ask nothing by themselves.
        """
        changes, states = data["changes"], data["states"]
        kept = {key: words for key, words in conditions.items() if key not in {"if", "unless"}}
        added = {key: data.get(key, ()) for key in _MERGED}
        merged: dict[str, Any] = {**kept, "if": (), "unless": ()}
        for words in (added, changes, states, {"changing": data["changing"]}):
            for key, phrases in words.items():
                merged[key] = [*merged.get(key, ()), *phrases]
        self.conditions = ConditionWords(merged)
        """Words of conditions, with those of what begins to be so."""
        self._plain = ConditionWords(conditions)
        self._marks = (
            Phrases(data, "each", "once"),
            Phrases(data, "either"),
            Phrases(conditions, "if"),
        )
        self._until = Phrases(data, *_UNTIL)
        self._negations = Phrases(conditions, "not")
        self._unless = Phrases(conditions, "unless", "otherwise")
        self._changes = Phrases({**data, **changes}, "changing", *changes)
        self._begins = Phrases(data, *_BEGINNING)
        self._coming = Phrases(states, *_COMING)
        self._endings = (
            self.conditions.states,
            self.conditions.happenings,
            self.conditions.presence,
            self.conditions.changing,
            Phrases(data, "final"),
        )
        self._has_final = bool(data.get("final"))
        self._not_before, self._message = Phrases(data, "not_before"), Phrases(data, "message")
        self._at_once = Phrases(data, "at_once")
        self._as_you_can = Phrases(data, "as_you_can")
        self._until_told = Phrases(data, "until_told")
        self._at_latest = Phrases(data, "at_latest")
        self._courtesy = Phrases({"courtesy": courtesy}, "courtesy")
        self._tell, self._always = Phrases(data, "tell"), Phrases(data, "always")
        self._orders = Phrases(data, "tell", "demands", "say")
        self._demands = Phrases(data, "demands")
        self._shall = Phrases(data, "shall")
        self._past, self._soon = Phrases(data, "past"), Phrases(data, "soon")
        self._within, self._lasting = Phrases(data, "within"), Phrases(data, "lasting")
        self.i, self._there = Phrases(data, "i"), Phrases(data, "there")
        self.they = frozenset(data["they"])
        self._whose, self._whom = frozenset(data["whose"]), frozenset(data.get("whom", ()))
        self.persons: Mapping[str, str] = data["persons"]
        self._means = Phrases(data["means"], *data["means"])
        self._contracted = [
            (re.compile(rf"(?<=\w){written(ending)}(?=\s|$)"), f" {verb}")
            for verb, endings in data.get("contracted", {}).items()
            for ending in endings
        ]

    def without_now(self, text: str, lexicon: Lexicon) -> str:
        """Return a text without what only sounds as if it were for later: "as soon as you can"."""
        before, after, found = self._at_once.cut(text)
        if not found:
            before, after, found = self._as_you_can.cut(text)
            after = self._plain.without_then(after)
            # "As soon as you can hear the bell turn it off" is for later.
            if not found or (after.strip(_MARKS) and not is_one_command(after, lexicon)):
                return text
        left = f"{before} {after}".strip(APART)
        return left if left.strip(_MARKS) else text

    def cut_when(self, text: str) -> tuple[str, str]:
        """Return what stands before a word for when something is so ("when"), and what follows it; "" for none."""
        before, after, mark = self._marks[0].cut(text)
        return (before.strip(_MARKS + " "), after) if mark == "once" else ("", "")

    def without_told_end(self, text: str, lexicon: Lexicon) -> str:
        """Return a text without an end that nobody waits for: "until I say so [, or until midnight at the latest]"."""
        before, after, found = self._until_told.cut(text)
        if not found or not before:
            return text
        before, after = (self._at_latest.without(each).strip(APART) for each in (before, after))
        first, _, rest = after.partition(" ")
        if any(sense.role in {Role.AND, Role.OR} for sense in lexicon.senses((first.casefold(),))):
            after = rest
        return f"{before} {after}".strip()

    def split(self, text: str, lexicon: Lexicon) -> Iterator[TriggerSentence]:
        """Yield the splits of a sentence into what is waited for and the command, the longest condition first.

        A word for "if" needs a verb of change; so does one that may mean "when", unless it is only to be told.
        """
        if len(text) > MAX_WORDS or _asks_when(spoken_words(text), lexicon):
            return
        text = self._plain.with_conjunction(text.strip().rstrip(".!"), lexicon, self._orders)
        text = text.replace("?", "")
        text = self._without_not_before(text, lexicon)
        if once := self._without_again(text):
            yield from (replace(each, repeats=True) for each in self.split(once, lexicon))
            return
        for marks in self._marks:
            before, after, mark = marks.cut(text)
            if not mark or self._is_of_end(text, marks):
                continue
            if self._unless.cut(text)[2]:
                return
            before = self._requested(before) and self._plain.without_then(before)
            if before and mark == "if" and "," in after:
                # "Que não se pode, liga a ventoinha"
                continue
            splits = self._ends(after, before, lexicon) if before else self._splits(after, lexicon)
            for condition, command in splits:
                if sentence := self._sentence(mark, condition, command, lexicon):
                    yield sentence

    def _without_again(self, text: str) -> str:
        """Return a text without that it is for each time, said behind a mark at its end; "" for none."""
        before, after, found = self._always.cut(text)
        is_apart = text[len(before) :].lstrip().startswith(",")
        is_last = found and is_apart and not after.strip(_MARKS + " ")
        return before.rstrip(_MARKS + " ") if is_last else ""

    def split_end(self, text: str, lexicon: Lexicon) -> Iterator[TriggerSentence]:
        """Yield the splits of a sentence into what ends it ("until it opens") and the command, the longest end first.

        What is to be done at the end ("... and then turn it off") is split from it.
        """
        text = text.strip().rstrip(".!")
        if len(text) > MAX_WORDS or "?" in text:
            return
        for before, after, mark in _cuts(self._until, text):
            command = self._plain.without_then(before)
            if self._negations.ending(command):
                # "But not until she is home"
                return
            splits = [("", after, command)] if command else []
            if command:
                splits += [(then, end, command) for end, then in self._continued(after, lexicon)]
            else:
                splits = [("", end, rest) for end, rest in self._splits(after, lexicon)]
            for then, end, rest in splits:
                if any(self._continued(end, lexicon)):
                    # "... is done and turn them off": what is to be done is no part of it.
                    continue
                if condition := self._affirmed_end(mark, end):
                    sentence = TriggerSentence(condition, rest, is_sure=True, is_end=True)
                    sentence = replace(self._timed(sentence, lexicon), then=then)
                    is_change = bool(self._changes.cut(condition)[2])
                    if not sentence.repeats:
                        yield replace(sentence, is_change=is_change)

    def _affirmed_end(self, mark: str, end: str) -> str:
        """Return what ends something by the word before it, "" where that says how long it is ("finché è a casa")."""
        before, after, is_not = self._negations.cut(end)
        if not is_not:
            return "" if mark == _UNTIL_NOT else end
        return end if mark not in {_UNTIL_NOT, _UNTIL_EITHER} else f"{before} {after}".strip()

    def _continued(self, text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
        """Yield the splits of what ends something from what is to be done then: "she is home and then turn it off"."""
        for last, token in pairwise(words_in(text)):
            is_joined = lexicon.is_and(last.word)
            rest = self._plain.without_then(text[token.start :])
            if (is_joined or "," in text[last.end : token.start]) and begins_command(rest, lexicon):
                yield text[: last.start if is_joined else last.end].rstrip(APART), rest

    def _splits(self, text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
        """Yield the splits of a text into a condition and its command, the longest condition first.

        After what says what begins or is so the command may have no verb before it: "Anna is home the lamp on". With
        one it begins there: "Anna leaves the office turn off the lamp".
        """
        found = dict(self._plain.commands(text, lexicon, self._orders))
        if not any(self._says_more(command, lexicon) for command in found.values()):
            for before, after in self._after_states(text):
                found.setdefault(before, after)
        splits = sorted(found.items(), key=lambda split: -len(split[0]))
        # "I want the fan on" begins the command, whatever may begin another one in it.
        yield from (split for split in splits if self._demands.begins(split[1]))
        yield from self._before_subjects(text, lexicon)
        yield from (split for split in splits if not self._demands.begins(split[1]))

    def _before_subjects(self, text: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
        """Yield the splits of a text before what has to be so: "... opens | the lamp should come on"."""
        before, _, found = self._shall.cut(text)
        tokens = words_in(before)[2:] if found else []
        for token in reversed(tokens):
            if any(each.role is Role.ARTICLE for each in lexicon.senses((token.word,))):
                yield text[: token.start].rstrip(APART), text[token.start :]

    def _says_more(self, command: str, lexicon: Lexicon) -> bool:
        """Return whether a command says more than its verb, which may stand at its end; no verb of a clause before."""
        if self._demands.begins(command):
            return True
        words = [word for word in spoken_words(command) if not lexicon.is_small(word)]
        is_before = self._has_final and self.conditions.states.begins(command)
        return len(words) > 1 and not is_before and begins_command(command, lexicon)

    def _after_states(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the splits of a text after what begins or is so, the last one first; "quando si spegne X" asks when."""
        for token in reversed(words_in(text)[3:]):
            before = text[: token.start].rstrip(APART)
            if any(phrases.ending(before) for phrases in self._endings):
                yield before, text[token.start :]

    def _ends(self, condition: str, command: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
        """Yield the splits of what is waited for after a command: "... when Anna comes home and turn on the lamp".

        What somebody is to be reminded of may stand after it: "remind me when Anna comes home to feed the cat".
        """
        for last, token in pairwise(words_in(condition)):
            if lexicon.is_and(last.word) and begins_command(condition[token.start :], lexicon):
                yield condition[: last.start].rstrip(APART), f"{command} {condition[last.start :]}"
                break
        yield condition, command
        for token in reversed(words_in(condition)[1:]):
            message = condition[token.start :]
            if self._message.begins(message) and self.tells(f"{command} {message}"):
                yield condition[: token.start].rstrip(APART), f"{command} {message}"

    def _is_of_end(self, text: str, marks: Phrases) -> bool:
        """Return whether the first of some marks in a text stands in a word for "until": "fino a quando"."""
        tokens = words_in(text)
        mark, end = marks.find(tokens), self._until.find(tokens)
        return bool(mark and end and end[0] <= mark[0] and mark[1] <= end[1])

    def _without_not_before(self, text: str, lexicon: Lexicon) -> str:
        """Return a text without "but not before", where that is all that it says: no time, and nobody's coming."""
        before, after, found = self._not_before.cut(text)
        if not found:
            return text
        rest = self._plain.without_then(after)
        is_apart = text[: len(text) - len(after)].rstrip(" ").endswith(",")
        if rest and not (is_apart or begins_command(rest, lexicon)):
            return text
        return f"{before}, {rest}" if rest and before else f"{before}{rest}"

    def _sentence(
        self, mark: str, condition: str, command: str, lexicon: Lexicon
    ) -> TriggerSentence | None:
        """Return a sentence that waits for a condition after a mark; None where it does not, or tells what was."""
        is_plain = not self._changes.cut(condition)[2]
        begins = self._begins.cut(condition)[2]
        is_change = not is_plain or bool(begins)
        may_come = begins == "somebody" or bool(self._coming.cut(condition)[2])
        is_told = self.tells(command)
        sentence = TriggerSentence(condition, command, mark == "each", is_change)
        sentence = self._timed(sentence, lexicon)
        is_timed = bool(sentence.hold or sentence.within)
        is_sure = mark in {"each", "once"}
        is_waited = is_sure or (is_told and mark == "either") or is_timed
        is_past = self._past.cut(condition)[2] and self.plainly(condition) == condition
        # "Da quando è aperta", "sinds wanneer is het open": "da" and "sinds" alone are no commands.
        words = spoken_words(self._lasting.without(sentence.command))
        is_command = self.tells(sentence.command) or not all(map(lexicon.is_small, words))
        is_whole = sentence.condition and is_command and not is_past
        if not is_whole or not (is_waited or is_change or (may_come and mark == "either")):
            return None
        may_be_now = is_plain and not is_waited
        return replace(
            sentence, may_be_now=may_be_now, may_come=may_come, is_sure=is_sure, is_told=is_told
        )

    def tells(self, command: str) -> bool:
        """Return whether a command is only to tell what is waited for."""
        return self._tell.begins(command) or self._tell.begins(self._requested(command))

    def _requested(self, text: str) -> str:
        """Return a text without the courtesy that it begins with: "can you remind me", "and also"."""
        tokens = words_in(text)
        while tokens and (size := self._courtesy.beginning(tokens)):
            tokens = tokens[size:]
        return text[tokens[0].start :] if tokens else ""

    def message(self, said: str) -> str:
        """Return a message without the word that joins it to what wants it said: "that dinner is ready"."""
        before, after, found = self._message.cut(said)
        return after if found and not before and after else said

    def _timed(self, sentence: TriggerSentence, lexicon: Lexicon) -> TriggerSentence:
        """Return a sentence without the times in it, and without a word that says that it is for each time."""
        before, after, is_soon = self._soon.cut(sentence.condition)
        condition = f"{before} {after}".strip() if is_soon else sentence.condition
        condition, within = _without_time(condition, self._within, lexicon)
        condition, hold = _without_time(condition, self._lasting, lexicon)
        if not (hold or within):
            condition, hold = _without_duration(condition, lexicon)
        before, after, always = self._always.cut(sentence.command)
        return replace(
            sentence,
            condition=condition,
            command=f"{before} {after}".strip() if always else sentence.command,
            repeats=sentence.repeats or bool(always),
            within=within,
            hold=hold,
            said=sentence.condition,
        )

    def without_there(self, command: str) -> str:
        """Return a command without a word for the place of what is waited for, which it ends with."""
        before, after, found = self._there.cut(command)
        return before if found and not after else command

    def owned(self, command: str, owner: str, lexicon: Lexicon) -> str:
        """Return a command with its owner's name beside the thing that is "his", "" where it has no such thing."""
        tokens = tokenise(command)
        for at, token in enumerate(tokens):
            if self._is_whose(token, tokens[at + 1 :], lexicon):
                for noun in tokens[at + 1 :]:
                    roles = {sense.role for sense in lexicon.senses((noun.word,))}
                    if Role.KIND in roles:
                        return f"{command[: noun.end]} {owner}{command[noun.end :]}"
                    if Role.ARTICLE not in roles and not roles.isdisjoint({Role.LINK, Role.TO}):
                        # "Súbele el volumen a la música" says whose.
                        break
        return ""

    def _is_whose(self, token: Token, after: Sequence[Token], lexicon: Lexicon) -> bool:
        """Return whether a word says that what is after it is somebody's who was spoken of: "his", "éteins-lui la"."""
        if token.word in self._whose:
            return True
        follows = lexicon.senses((after[0].word,)) if after else ()
        if not any(sense.role is Role.ARTICLE for sense in follows):
            return False
        joined = {token.word} if token.is_joined else {*lexicon.host(token.word)[1:]}
        return not joined.isdisjoint(self._whom)

    def uncontracted(self, condition: str) -> str:
        """Return a condition with its contracted verbs as words of their own: "the washing machine is done"."""
        for ending, verb in self._contracted:
            condition = ending.sub(verb, condition)
        return condition

    def plainly(self, condition: str) -> str:
        """Return a condition with what is said in a roundabout way in place of that."""
        for said in (condition, self.conditions.ignored.without(condition)):
            before, after, meaning = self._means.cut(said)
            if meaning and not (before or after):
                return meaning
        return condition


def _cuts(phrases: Phrases, text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the text before and after each of some phrases in it, and its key."""
    at = 0
    while True:
        before, after, mark = phrases.cut(text[at:])
        if not mark:
            return
        yield f"{text[:at]}{before}".rstrip(APART), after, mark
        at = len(text) - len(after)


def _without_time(text: str, phrases: Phrases, lexicon: Lexicon) -> tuple[str, float]:
    """Return a text without the duration that stands in it with one of some phrases, and its seconds; 0 for none."""
    before, after, found = phrases.cut(text)
    if not found:
        return text, 0.0
    if (read := _duration_at(after, lexicon)) is not None:
        seconds, end = read
        return f"{before} {after[end:].lstrip(APART)}".strip(), seconds
    rest, seconds = _without_time(after, phrases, lexicon)
    return (f"{text[: len(text) - len(after)]}{rest}" if seconds else text), seconds


def _without_duration(text: str, lexicon: Lexicon) -> tuple[str, float]:
    """Return a text without the duration that stands in it by itself, and its seconds; 0 for none."""
    if not may_say_duration(text, lexicon):
        return text, 0.0
    found: tuple[int, float, int] | None = None
    for token in words_in(text):
        if not (read := _duration_at(text[token.start :], lexicon, is_alone=True)):
            if found:
                break
            continue
        seconds, end = read[0], token.start + read[1]
        if found and found[1:] != (seconds, end):
            break
        # "Open five minutes": a small word before it is none of it.
        found = token.start, seconds, end
    if found is None:
        return text, 0.0
    start, seconds, end = found
    return f"{text[:start]}{text[end:].lstrip(APART)}".strip(), seconds


def _duration_at(
    text: str, lexicon: Lexicon, *, is_alone: bool = False
) -> tuple[float, int] | None:
    """Return the seconds of the duration that a text begins with, and its end; a unit is one, unless it is alone."""
    for token in reversed(words_in(text)[:_MOST_WORDS]):
        said = text[: token.end]
        units = () if is_alone else lexicon.delays.units
        unit = next((s for phrase, s in units if said.casefold() == " ".join(phrase)), 0.0)
        if seconds := read_duration(said, lexicon) or unit:
            return seconds, token.end
    return None


def _asks_when(words: Phrase, lexicon: Lexicon) -> bool:
    """Return whether words ask since when something is so, in the order of a question: "wanneer is de deur"."""
    asked = Sense(Role.ASKING, "when")
    begins = (words[:size] for size in range(2, 5))
    return not lexicon.asks_by_tone and any(asked in lexicon.senses(each) for each in begins)

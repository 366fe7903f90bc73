"""Sentences with something that is waited for ("when the washing machine is done tell me"): split, and read.

What is waited for is a condition (`conditions`): verbs of change are read as the states that they end in, by the words
of the section `triggers` of a language file. It is kept in words of its own, which mean the same later and to anybody:
"I" becomes the name of the person who speaks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from ..home.catalog import CatalogEntity
from ..when import MOST_ENTITIES, Trigger, Window
from .condition_results import ConditionResult
from .condition_rooms import targets_of
from .condition_words import ConditionalSentence
from .conditions import ConditionReader
from .house import HomeLexicon
from .lexicon import Lexicon
from .moment_times import HomeClock
from .tokens import spoken_words
from .trigger_words import TriggerSentence, TriggerWords
from .windows import read_window

_MOVED = frozenset({"open", "closed"})
_DONE_TO_THINGS = _MOVED | {"on", "off", "locked", "unlocked"}
"""States of things that somebody brings about by hand."""
_MOST_CLAUSES = 4
"""Of what is waited for: each is read by itself."""


@dataclass(frozen=True, slots=True)
class ReadTrigger:
    """Sentence with a trigger that was read, and the `result` of its condition now.

    It is `so_already` where what is waited for is so, for as long as was said, and was not said to begin; a number is
    beyond a bound or not.
    """

    sentence: TriggerSentence
    trigger: Trigger
    result: ConditionResult

    @property
    def so_already(self) -> bool:
        """Return whether there is nothing to wait for."""
        if self.sentence.is_end:
            return self._has_ended
        is_waited = _has_to_begin(self.sentence, self.result) or self.sentence.repeats
        is_waited = is_waited or self.trigger.window is not None
        return bool(self.trigger.held) and not is_waited

    @property
    def _has_ended(self) -> bool:
        """Return whether what ends something is so: any of its things, or all where it is to begin; no bell."""
        held = self.trigger.held
        is_all = "" in held or {*held} == {*self.result.entity_ids}
        return bool(held and self.trigger.hold) and (is_all or not self.sentence.is_change)

    @property
    def is_for_now(self) -> bool:
        """Return whether the command is for now: "if it has been open for an hour, close it"."""
        sentence = self.sentence
        is_asked = sentence.hold and not (sentence.is_sure or sentence.is_told)
        return bool(is_asked and self.so_already)


def lacks_owner(command: str, words: TriggerWords, house: HomeLexicon) -> bool:
    """Return whether a command is for what is somebody's, and says neither whose, which nor where: "his lamp"."""
    if not words.owned(command, "", house.lexicon):
        return False
    return not any(what.is_named or what.has_place for what in targets_of(command, house))


def read_trigger(
    text: str,
    reader: ConditionReader,
    words: TriggerWords,
    now: datetime,
    speaker: CatalogEntity | None = None,
    *,
    clock: HomeClock | None = None,
    is_end: bool = False,
) -> ReadTrigger | None:
    """Return the trigger that a sentence waits for, None where it waits for none, or for what cannot be known.

    It waits from `now`; `speaker` is the person who speaks. With `is_end` it is what ends the command ("until"). The
    hours that it is waited for in are read by the `clock` of a house; without it there are none.
    """
    waiting = _waiting(reader, words)
    split = words.split_end if is_end else words.split
    for found in split(text, reader.house.lexicon):
        sentence, condition, result, window = found, "", None, None
        whole = ConditionalSentence(sentence.condition, sentence.command)
        for each, said, window in _readings(found, words, reader.house.lexicon, clock):  # noqa: B007
            sentence, condition = each, _in_full(said, reader, words, speaker)
            whole = ConditionalSentence(condition, sentence.command)
            result = waiting.whole(whole) if condition else None
            if result:
                break
        if sentence.may_be_now and not window and _is_for_now(sentence, reader.read(whole)):
            continue
        if result is None or not 0 < len(result.entity_ids) <= MOST_ENTITIES:
            continue
        so = [id_ for id_, holds in evaluation(result, {}).items() if holds]
        is_new = _has_to_begin(sentence, result) and not is_end
        begun = {} if is_new else _begun(reader, sentence, result, so, now)
        trigger = Trigger(
            text=condition,
            entity_ids=result.entity_ids,
            hold=sentence.hold or result.settled,
            repeats=sentence.repeats,
            window=window,
            until=now + timedelta(seconds=sentence.within) if sentence.within else None,
            held=tuple(id_ for id_ in so if id_ not in begun),
            begun=tuple(begun.items()),
        )
        return ReadTrigger(sentence, trigger, result)
    return None


def _readings(
    sentence: TriggerSentence, words: TriggerWords, lexicon: Lexicon, clock: HomeClock | None
) -> Iterator[tuple[TriggerSentence, str, Window | None]]:
    """Yield a sentence, what may be waited for in it, and the hours that it is for: first without their words.

    They stand with what is waited for, or with the command: "at night turn on the lamp when somebody moves". Who wants
    to be told something at night may ask for it then.
    """
    said, command, repeats = sentence.condition, sentence.command, sentence.repeats
    found: list[tuple[TriggerSentence, str, Window | None]] = [(sentence, said, None)]
    if clock and (within := read_window(said, lexicon, clock, repeats=repeats)):
        found.insert(0, (sentence, within.text, within.window))
    elif (
        clock
        and sentence.said != said
        and (within := read_window(sentence.said, lexicon, clock, repeats=repeats))
    ):
        # "Tonight" is cut off already.
        found.insert(0, (sentence, said, within.window))
    elif (
        clock
        and not words.tells(command)
        and (within := read_window(command, lexicon, clock, repeats=repeats))
    ):
        found.insert(0, (replace(sentence, command=within.text), said, within.window))
    for each, condition, window in found:
        for text in dict.fromkeys((condition, words.uncontracted(condition))):
            yield each, text, window


def _has_to_begin(sentence: TriggerSentence, result: ConditionResult) -> bool:
    """Return whether what is waited for was said to begin, so that it does not count that it is so already."""
    return sentence.is_change and not result.bound


def _begun(
    reader: ConditionReader,
    sentence: TriggerSentence,
    result: ConditionResult,
    so: Sequence[str],
    now: datetime,
) -> dict[str, datetime]:
    """Return since when those are `so` that have not been for as long as was said; a number for as long as it is read.

    What no certain one tells is so since the last change of all that do.
    """
    changed = {
        id_: state.last_changed
        for id_ in result.entity_ids
        if (state := reader.hass.states.get(id_))
    }
    since = {
        id_: changed[id_] if id_ in changed else max(changed.values(), default=now) for id_ in so
    }
    return {id_: at for id_, at in since.items() if (now - at).total_seconds() < sentence.hold}


def _is_for_now(sentence: TriggerSentence, read: Sequence[ConditionResult | None]) -> bool:
    """Return whether what a sentence may wait for was read as how it is now: "não houver ninguém".

    "Wenn Bewegung ist" is waited for where there is none.
    """
    known = [each for each in read if each]
    is_to_come = sentence.may_come and all(each.holds is False for each in known)
    return bool(known) and not is_to_come


def untold(text: str, reader: ConditionReader, words: TriggerWords) -> list[TriggerSentence]:
    """Return what a sentence that certainly waits may wait for, the shortest condition first.

    Where none of it was read, nothing tells it.
    """
    splits = [*words.split(text, reader.house.lexicon)]
    return [each for each in reversed(splits) if each.is_sure]


def is_waited_for(sentence: TriggerSentence) -> bool:
    """Return whether a sentence waits for what begins, and does not say how something has to be."""
    return sentence.is_sure or sentence.is_change or sentence.may_come


def is_of_speaker(condition: str, reader: ConditionReader, words: TriggerWords) -> bool:
    """Return whether a condition is about who speaks: "I leave"."""
    is_other = not words.they.isdisjoint(spoken_words(condition))
    return not is_other and not _in_full(condition, reader, words, None)


def read_again(
    trigger: Trigger, command: str, reader: ConditionReader, words: TriggerWords
) -> ConditionResult | None:
    """Return the condition of a trigger as it is now, None where it cannot be read any more.

    A command that is put back was kept with what ends it.
    """
    ended = words.split_end(command.rstrip(" ?"), reader.house.lexicon)
    command = next((each.command for each in ended), command)
    return _waiting(reader, words).whole(ConditionalSentence(trigger.text, command))


def _waiting(reader: ConditionReader, words: TriggerWords) -> ConditionReader:
    """Return a reader that also knows the words for what begins to be so."""
    return replace(reader, words=words.conditions, is_waiting=True)


def evaluator(
    trigger: Trigger, command: str, reader: ConditionReader, words: TriggerWords
) -> Callable[[], Mapping[str, bool]]:
    """Return what tells whether a trigger's condition holds: of each thing by its id, else of all ("").

    It is read once; where it cannot be read now it is tried again each time. What is not known is left out, and
    all is where others than the entities of the trigger tell it.
    """
    found: ConditionResult | None = None
    known: dict[str, bool] = {}

    def look() -> Mapping[str, bool]:
        nonlocal found
        found = found or read_again(trigger, command, reader, words)
        if found is None:
            return {}
        if not {*found.entity_ids} <= {*trigger.entity_ids}:
            return {}
        return evaluation(found, known)

    return look


def evaluation(result: ConditionResult, known: dict[str, bool]) -> Mapping[str, bool]:
    """Return whether a condition holds by now, of each thing where one is enough, else of all ("").

    What is known is kept in `known`.
    """
    now = result.look(known)
    known.update((id_, holds) for id_, holds in now.items() if id_)
    return {id_: holds for id_, holds in now.items() if not (result.needs_all and id_)}


def _in_full(
    condition: str, reader: ConditionReader, words: TriggerWords, speaker: CatalogEntity | None
) -> str:
    """Return a condition in words that mean the same to anybody, "" where that is not known."""
    condition = words.plainly(condition)
    found, at = "", 0
    clauses = list(reader.clauses(condition))
    if len(clauses) > _MOST_CLAUSES:
        return ""
    for clause in clauses:
        start = condition.index(clause, at)
        if not (said := _clause_in_full(clause, reader, words, speaker)):
            return ""
        found, at = f"{found}{condition[at:start]}{said}", start + len(clause)
    return f"{found}{condition[at:]}"


def _clause_in_full(
    clause: str, reader: ConditionReader, words: TriggerWords, speaker: CatalogEntity | None
) -> str:
    """Return a clause of a condition in words that mean the same to anybody, "" where that is not known.

    Who comes or leaves and is not named is the one who speaks; what else it says ("in the evening") is kept.
    """
    clause = words.plainly(clause)
    before, after, is_i = words.i.cut(clause)
    rest = f"{before} {after}".strip() if is_i else clause
    states = words.conditions.states.cut(rest)
    is_of_person = states[2] in words.persons
    if is_i and not is_of_person:
        # "I close the window": what becomes of the window tells it.
        whole = words.conditions.states.cut(clause)
        # "I open" is a word for what opens, "I turn it off" has one in it.
        found = whole if whole[2] in _MOVED or states[2] not in _DONE_TO_THINGS else states
        is_thing = found[2] in _DONE_TO_THINGS and not reader.is_nobody(f"{found[0]} {found[1]}")
        return "" if not is_thing else clause if found is whole else rest
    who = f"{states[0]} {states[1]}"
    is_other = not words.they.isdisjoint(spoken_words(who))
    if not is_of_person or not (is_other or reader.is_nobody(who)):
        return clause
    return "" if is_other else words.persons[states[2]].format(name=speaker.name) if speaker else ""

"""Sentences with reminders in them: their requests, and their time where the message has times of its own."""

from dataclasses import dataclass, replace
from typing import Any

from ..domains.models import Command
from ..home.names import words_of
from ..memory.delayed import Alert
from ..nlu.house import HomeLexicon
from ..nlu.loader import Language
from ..nlu.moment_times import HomeClock
from ..nlu.moments import TimedSentence, read_schedule
from ..nlu.reading import LATER
from ..nlu.recognition import ALERT_SLOT, COMMAND_SLOT, MESSAGE_SLOT, SCHEDULE_SLOT, SPOKEN_SLOT
from ..nlu.reminders import Reminder, read_reminder
from ..nlu.times import may_say_duration
from ..nlu.tokens import tokenise
from ..nlu.triggers import ReadTrigger
from ..when import Once, Schedule
from .parts import begins_request, split_requests, told_apart

_EDGES = " .,;!?"
# More than these are in no reminder that is said, and would be read in each way to join them.
_MOST_JOINS = 4
_MOST_WORDS = 40

type _Request = tuple[str, Reminder | None]


@dataclass(frozen=True, slots=True)
class RemindedSentence:
    """The requests of a sentence without its time, each with the reminder that it is, or none; and the time.

    `told_on` are the satellites that it is to be told on, where they were named.
    """

    text: str
    requests: tuple[_Request, ...]
    timed: TimedSentence | None
    told_on: tuple[str, ...] = ()

    @property
    def has_message(self) -> bool:
        """Return whether something is to be told as it is said."""
        return any(each and each.message for _, each in self.requests)

    @property
    def only_asks(self) -> bool:
        """Return whether all of it is to be told the answer to a question."""
        return all(each and each.asks for _, each in self.requests)

    def fits(self, schedule: Schedule, *, is_open: bool) -> bool:
        """Return whether the reminders can be for a schedule; what has no time yet `is_open` where none is said.

        What is to be told then is a question only where the time stands before it: "how warm it is tomorrow" is about
        tomorrow, and so may be the weather at ten. "How warm it is at ten" is not known before.
        """
        reminders = [each for _, each in self.requests if each]
        if schedule.start is None:
            return is_open and not schedule.ends and any(map(_needs_time, reminders))
        if self.timed is None or not isinstance(schedule.start, Once):
            return True
        command = self.timed.command.rstrip(_EDGES)
        asked = [
            each.said.strip(_EDGES)
            for each in reminders
            if each.asks and not (self.timed.is_exact and each.said in each.asks)
        ]
        return all(command.endswith(_from(self.text, said)) for said in asked)


def read_reminded(
    text: str,
    language: Language,
    house: HomeLexicon,
    clock: HomeClock,
    timed: TimedSentence | None,
) -> RemindedSentence | None:
    """Return the reminders in a text, and when they are for; None where there is none. `timed` is how it reads."""
    if timed is None and (apart := _read_apart(text, language, house, clock)):
        return apart
    requests = _requests(timed.command if timed else text, language)
    return RemindedSentence(text, requests, timed) if requests else None


def read_beside(
    text: str, language: Language, house: HomeLexicon, clock: HomeClock
) -> RemindedSentence | None:
    """Return a reminder without a time and the command behind it with one among its words; None for any other.

    "Remind me of the pizza and at eight turn on the lamp": it is told then, too. A time at the end may be that of a
    message with two verbs in it: "to take out the bins and close the gate at eight".
    """
    for join in language.joins.finditer(text):
        before, after = text[: join.start()].strip(_EDGES), text[join.end() :].strip(_EDGES)
        first = read_reminder(before, language.reminders)
        if not (first and first.message) or read_schedule(before, house.lexicon, clock, house):
            continue
        timed = read_schedule(after, house.lexicon, clock, house)
        if timed and timed.schedule.start and words_of(timed.command)[-1:] == words_of(after)[-1:]:
            requests = ((before, first), *_plain(timed.command, language))
            return RemindedSentence(text, requests, timed)
    return None


def asks_several(text: str, language: Language, house: HomeLexicon, clock: HomeClock) -> bool:
    """Return whether several answers are to be told, of which none is waited for: "if" begins a question there."""
    if not (language.joins.search(text) and language.reminders.may_be_in(text)):
        return False
    timed = read_schedule(text, house.lexicon, clock, house)
    return bool(told_apart(timed.command if timed else text, language))


def _read_apart(
    text: str, language: Language, house: HomeLexicon, clock: HomeClock
) -> RemindedSentence | None:
    """Return a reminder whose time stands before its message, where the message has others: "that it leaves at ten"."""
    for token in reversed(tokenise(text)[:_MOST_WORDS]):
        timed = read_schedule(text[: token.end], house.lexicon, clock, house)
        if timed is None or timed.schedule.start is None:
            continue
        bare = read_reminder(timed.command, language.reminders)
        command = f"{timed.command} {text[token.end :].strip(_EDGES)}"
        found = read_reminder(command, language.reminders)
        if bare and not bare.said and found and found.message:
            timed = replace(timed, command=command)
            return RemindedSentence(text, ((command, found),), timed)
    return None


def _requests(text: str, language: Language) -> tuple[_Request, ...]:
    """Return the requests of a text, each with the reminder that it is; () where none is one.

    A message is all that follows: "to take out the bins and close the gate".
    """
    whole = read_reminder(text, language.reminders)
    if whole and whole.message:
        return ((text, whole),)
    joins = list(language.joins.finditer(text))
    for join in joins if len(joins) <= _MOST_JOINS else ():
        before, after = text[: join.start()].strip(_EDGES), text[join.end() :].strip(_EDGES)
        first = read_reminder(before, language.reminders)
        others = _requests(after, language)
        if first and (others or begins_request(after, language)):
            return ((before, first), *(others or _plain(after, language)))
        if others and begins_request(before, language):
            return (*_plain(before, language), *others)
    return ((text, whole),) if whole else ()


def _plain(text: str, language: Language) -> tuple[_Request, ...]:
    """Return the requests of a text in which there is no reminder."""
    return tuple((each, None) for each in split_requests(text, language))


def _from(text: str, said: str) -> str:
    """Return a text from some words of it on."""
    return said + text.partition(said)[2].rstrip(_EDGES)


def _needs_time(reminder: Reminder) -> bool:
    """Return whether a reminder is one without a time: who wants to be told something may want that now."""
    return bool(reminder.message or reminder.wakes or reminder.command)


def refers_to_time(language: Language, reminded: RemindedSentence) -> bool:
    """Return whether a reminder says when by what is not in the sentence: "ten minutes before that"."""
    later, lexicon = language.guards[LATER], language.lexicon
    return any(
        each and (later.search(f" {each.said} ") or may_say_duration(each.said, lexicon))
        for _, each in reminded.requests
    )


def reminder_slots(
    language: Language,
    reminder: Reminder,
    text: str,
    schedule: Schedule,
    awaited: ReadTrigger | None,
) -> dict[str, Any]:
    """Return the slots with which a reminder in a text is planned: what is told, how, and when."""
    say, message, alert = language.say, reminder.message, Alert.REMIND
    if reminder.wakes or reminder.command:
        alert, message = Alert.WAKE, say("delayed.alarm") if reminder.wakes else ""
    elif reminder.asks:
        alert = Alert.TELL
    elif not message:
        alert = Alert.TELL if awaited else Alert.REMIND
        message = awaited.sentence.condition if awaited else say("delayed.unnamed")
    return {
        COMMAND_SLOT: reminder.command or reminder.asks or text,
        SCHEDULE_SLOT: schedule.as_json(),
        MESSAGE_SLOT: message,
        SPOKEN_SLOT: bool(reminder.asks),
        ALERT_SLOT: alert.value,
    }


def is_reminder(intent: Command | None) -> bool:
    """Return whether an intent is to tell somebody something later, and does nothing else."""
    slots = intent.parameters if intent else {}
    is_told = bool(slots.get(MESSAGE_SLOT)) and not slots.get(SPOKEN_SLOT)
    return is_told and slots.get(ALERT_SLOT) == Alert.REMIND

"""Sentences with remarks beside what is for later: what they come to without those, and whose time is said."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
import re

from ..domains.models import Command
from ..home.names import words_of
from ..nlu.house import HomeLexicon
from ..nlu.loader import Language
from ..nlu.moment_times import HomeClock
from ..nlu.moments import read_schedule
from ..nlu.recognition import ALERT_SLOT, MESSAGE_SLOT, SCHEDULE_SLOT, START_TIMER, UNREAD_SLOT
from ..nlu.remarks import remarks_behind, without_remarks
from ..nlu.tokens import spoken_words
from ..when import Schedule, Trigger
from .reminding import is_reminder
from .router import RoutedPart, RoutingRequest, declined

# Each way to cut a sentence is read as a whole.
_MOST_CUTS = 6
# What is not known in what is waited for may be a remark, and so may what "I" do.
_UNTOLD = frozenset({"decline.untold", "decline.speaker"})
_PAST = "decline.past"
_MARKS = re.compile(r"[,;.!?]")

_LENT = "Its time is that of a remark."


@dataclass(frozen=True, slots=True)
class Reads:
    """How a part is read by all of its words (`route`), and whether a command is understood, in a house."""

    house: HomeLexicon
    clock: HomeClock
    route: Callable[[RoutingRequest, RoutedPart], Awaitable[Sequence[RoutedPart]]]
    understands: Callable[[RoutingRequest, str], Awaitable[bool]]


def is_unread(parts: Sequence[RoutedPart]) -> bool:
    """Return whether some of what a sentence came to is not understood."""
    return any(
        part.assignment is None
        or part.assignment.decline in _UNTOLD
        or bool(part.assignment.intent and _is_open(part.assignment.intent))
        for part in parts
    )


def _is_past(part: RoutedPart) -> bool:
    """Return whether a part is declined for its time, which may be that of a remark: "it was cold this morning"."""
    return part.assignment is not None and part.assignment.decline == _PAST


def _ends(part: RoutedPart) -> bool:
    """Return whether what a part does is put back, or else done for a while."""
    if not (assignment := part.assignment):
        return False
    slots = assignment.intent.parameters if assignment.intent else {}
    schedule = Schedule.model_validate(slots.get(SCHEDULE_SLOT) or {})
    return schedule.ends or bool(assignment.schedule and assignment.schedule.ends)


def _is_open(intent: Command) -> bool:
    """Return whether a command for later is not understood, or says no time that is."""
    slots = intent.parameters
    return bool(slots.get(UNREAD_SLOT)) or (
        intent.name == START_TIMER and slots.get(SCHEDULE_SLOT) == {}
    )


async def async_without_remarks(
    request: RoutingRequest,
    part: RoutedPart,
    found: Sequence[RoutedPart],
    reads: Reads,
) -> Sequence[RoutedPart]:
    """Return what a part comes to without remarks beside it; `found`, as it was read, where those change nothing.

    What is not understood is read without them. The time of a remark is not that of the command before it: where that
    has none of its own it is declined, as nobody knows whether it is for now.
    """
    if is_unread(found) or any(map(_is_past, found)):
        return (
            await _async_without(request, part, reads)
            or await _async_at_its_hour(request, part, reads)
            or found
        )
    if once := await _async_once(request, part, found, reads):
        return once
    for kept in _before_lent_times(part.text, request.language, reads):
        if not any(map(_is_timed_command, found)):
            break
        own = await reads.route(request, replace(part, text=kept))
        if not is_unread(own):
            return own
        if await reads.understands(request, kept):
            return [RoutedPart(part.text, declined(part.text, "decline.later", _LENT))]
    return found


async def _async_without(
    request: RoutingRequest, part: RoutedPart, reads: Reads
) -> Sequence[RoutedPart]:
    """Return what a part comes to without remarks beside it; [] where that is not understood as a whole.

    A message keeps all that follows it.
    """
    cuts = without_remarks(part.text, request.language, reads.house)
    for kept in islice(cuts, _MOST_CUTS):
        found = await reads.route(request, replace(part, text=kept))
        behind = words_of(part.text.removeprefix(kept)) if part.text.startswith(kept) else ()
        if reads.house.lexicon.remarks.meanwhile_at(tuple(behind)) and not all(map(_ends, found)):
            # "While I'm cooking" is an end that nobody knows.
            continue
        is_whole = part.text.rstrip().endswith(kept) or not any(map(_has_own_message, found))
        if found and is_whole and not is_unread(found):
            is_declined = any(each.assignment and each.assignment.decline for each in found)
            return [] if is_declined else found
    return []


async def _async_at_its_hour(
    request: RoutingRequest, part: RoutedPart, reads: Reads
) -> Sequence[RoutedPart]:
    """Return what a part comes to at the hour that it says; [] where it says none, or waits for what else is known.

    What is so then only tells why, where nothing tells it: "tomorrow at eleven, when we're out".
    """
    lexicon = reads.house.lexicon
    for command in islice(_before_when(part.text, request.language), _MOST_CUTS):
        timed = read_schedule(command, lexicon, reads.clock, reads.house)
        if timed is None or timed.is_past or not (timed.is_exact and timed.schedule.start):
            continue
        own = await reads.route(request, replace(part, text=command))
        is_declined = any(each.assignment and each.assignment.decline for each in own)
        if own and not is_unread(own) and not is_declined and all(map(_is_timed_command, own)):
            return own
    return []


def _before_when(text: str, language: Language) -> Iterator[str]:
    """Yield what stands before how something is then ("when we're out"), and not before what begins, but of people."""
    is_own = language.lexicon.remarks.is_own
    for split in language.triggers.split(text, language.lexicon):
        is_so = not split.is_change or is_own(spoken_words(split.condition))
        if is_so and split.is_sure and not split.repeats:
            yield split.command
    before, condition = language.triggers.cut_when(text)
    if before and is_own(spoken_words(condition)):
        yield before


async def _async_once(
    request: RoutingRequest, part: RoutedPart, found: Sequence[RoutedPart], reads: Reads
) -> Sequence[RoutedPart]:
    """Return what is done once by what stands before a remark, which says that something is always so; [] for none.

    "Tell me when the machine is done, I always forget it" is for the next time.
    """
    if not any(map(_repeats, found)):
        return []
    for kept, remark in islice(
        remarks_behind(part.text, request.language, reads.house), _MOST_CUTS
    ):
        is_marked = part.text.removeprefix(kept).lstrip()[:1] in {",", ";", ".", "!"}
        words, lexicon = spoken_words(remark), reads.house.lexicon
        is_wish = lexicon.opens_wish(words) and not lexicon.remarks.because_at(words)
        if is_marked and not is_wish:
            own = await reads.route(request, replace(part, text=kept))
            if own and not is_unread(own) and not any(map(_repeats, own)):
                return own
    return []


def _repeats(part: RoutedPart) -> bool:
    """Return whether a part is for each time that something happens."""
    intent = part.assignment.intent if part.assignment else None
    slots = intent.parameters if intent else {}
    start = Schedule.model_validate(slots.get(SCHEDULE_SLOT) or {}).start
    return isinstance(start, Trigger) and start.repeats


def _has_own_message(part: RoutedPart) -> bool:
    """Return whether a part is to tell somebody what it says, and not only that something happened."""
    intent = part.assignment.intent if part.assignment else None
    message = str(intent.parameters.get(MESSAGE_SLOT)) if intent else ""
    return is_reminder(intent) and message in part.text


def _is_timed_command(part: RoutedPart) -> bool:
    """Return whether a part is a command for a time, which is no message."""
    intent = part.assignment.intent if part.assignment else None
    slots = intent.parameters if intent and intent.name == START_TIMER else {}
    return bool(slots.get(SCHEDULE_SLOT)) and not slots.get(ALERT_SLOT)


def _before_lent_times(text: str, language: Language, reads: Reads) -> Iterator[str]:
    """Yield what stands before a remark that says a time, which is not that of the command: "they arrive at noon"."""
    for kept, remark in remarks_behind(text, language, reads.house):
        if read_schedule(_MARKS.split(remark)[0], language.lexicon, reads.clock, reads.house):
            yield kept

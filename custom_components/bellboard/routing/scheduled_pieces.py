"""Sentences with several times: "on at six and off at eleven", "leave it on for ten minutes, then turn it off"."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import or_
from typing import Any

from ..home.names import words_of
from ..memory.delayed import DelayedPart
from ..nlu.house import HomeLexicon
from ..nlu.lexicon import Role, Sense
from ..nlu.loader import Language
from ..nlu.moment_times import HomeClock
from ..nlu.moment_values import has_value
from ..nlu.moments import TimedSentence, read_schedule
from ..nlu.reading import read_tags
from ..nlu.recognition import ALSO_SLOT
from ..nlu.remarks import without_remark
from ..nlu.reminders import read_reminder
from ..nlu.spans import cover_text
from ..nlu.tokens import tokenise
from ..when import Once, Repeated, Schedule
from .models import Assignment
from .router import RoutedPart

_MOST, _MOST_JOINED = 5, 10
_NAMING = frozenset({Role.NAME, Role.KIND})
_DOING = frozenset({Role.VERB, Role.STATE, Role.MOVE, Role.MOOD})
_KEEP = Sense(Role.VERB, "keep")
_LASTING = frozenset({_KEEP, Sense(Role.VERB, "set")})


@dataclass(frozen=True, slots=True)
class ScheduledPiece:
    """A piece of a sentence, its time where it has one, and what stands between it and the piece before.

    One that `is_end` is for the end of what is before it, and says no time itself.
    """

    text: str
    timed: TimedSentence | None
    join: str = ""
    is_end: bool = False

    @property
    def command(self) -> str:
        """Return the words without the time."""
        return self.timed.command if self.timed and not self.is_end else self.text


def timed_pieces(
    text: str,
    language: Language,
    house: HomeLexicon,
    clock: HomeClock,
    whole: TimedSentence | None,
    *,
    is_undone: bool = False,
    is_loose: bool = False,
) -> tuple[ScheduledPiece, ...]:
    """Return the pieces of a sentence that are for times of their own; () for one that has one time or none.

    `whole` is how it reads with one time.
    A time without a day is the next one after the time before it, and repeats as that does, unless it is for something
    else today.
    A command without a time is for now if the next one is for what it names ("turn it off at ten"), or names nothing
    and undoes it (`is_undone`: "halfway down, and up again at seven"). After one for a while it is for its end ("then
    turn it off"), and nothing is put back. Where it `is_loose` a duration alone is for how long.
    """

    def piece(said: str, join: str, before: Sequence[ScheduledPiece]) -> ScheduledPiece:
        schedules = (each.timed.schedule for each in reversed(before) if each.timed)
        last = next(schedules, None)
        # "Then" follows what is before it, whatever that is for.
        is_joined = " ".join(words_of(join)) in {"", *house.lexicon.delays.joining}
        afresh = (
            last and is_joined and _is_today(last, clock) and _names_others(said, before, house)
        )
        # A reminder is no part of a night that something is done before and after.
        night = last.due if last and not read_reminder(said, language.reminders) else None
        read = partial(
            read_schedule, said, house.lexicon, clock, house, night=night, is_loose=is_loose
        )
        # "At half past" is for the hour before it, whatever that is for.
        timed = (read() if afresh else None) or read(before=last)
        return ScheduledPiece(said, timed, join)

    found: list[ScheduledPiece] = []
    joined = list(_joined(text, language))
    for join, said in joined if 1 < len(joined) <= _MOST_JOINED else ():
        each = piece(said, join, found)
        refers = read_tags(said, language).refers or (is_undone and not _names(said, house))
        if found and refers and not each.timed and (ended := _ended(found[-1], clock)):
            found[-1], end = ended
            each = ScheduledPiece(said, TimedSentence(said, end), join, is_end=True)
        elif found and (
            not (each.timed and (found[-1].timed or refers))
            or _ends_range(each, found[-1], house, clock)
        ):
            last = found.pop()
            each = piece(f"{last.text}{join}{said}", last.join, found)
            if last.is_end and not (each.timed or _names(said, house)):
                # The "dann" of "und mach sie dann wieder an" joins nothing.
                each = replace(each, timed=last.timed, is_end=True)
        found.append(each)
        if len(found) > _MOST:
            return ()
    if _is_unclear(found):
        return ()
    if are_repeated(found) and any(read_reminder(each.text, language.reminders) for each in found):
        return ()
    if len(found) < 2 or any(each.timed is None for each in found[1:]):
        return ()
    # "At seven and at nine": both are for the command that follows. "On Mondays and Thursdays at six" is one time.
    commands = [each.command for each in found if words_of(each.command)]
    if not commands or not all(words_of(each.text) for each in found):
        return ()
    return () if whole and len(commands) < len(found) else tuple(found)


def _ends_range(
    each: ScheduledPiece, last: ScheduledPiece, house: HomeLexicon, clock: HomeClock
) -> bool:
    """Return whether a piece ends what the last one begins: "between ten tonight" "and six tomorrow morning"."""
    if not _is_number(each.command, house):
        return False
    both = read_schedule(f"{last.text}{each.join}{each.text}", house.lexicon, clock, house)
    return both is not None and both.schedule.until is not None


def _is_number(command: str, house: HomeLexicon) -> bool:
    """Return whether a command is a number alone, with small words or without: "le sei di"."""
    tokens = tokenise(command)
    numbers = [
        token.number is not None
        or any(sense.role is Role.NUMBER for sense in house.lexicon.senses((token.word,)))
        for token in tokens
    ]
    small = (house.lexicon.is_small(token.word) for token in tokens)
    return any(numbers) and all(map(or_, numbers, small, strict=True))


def _is_today(schedule: Schedule, clock: HomeClock) -> bool:
    """Return whether a schedule ends at a moment of today, or begins at one where no end is said."""
    due = schedule.end_moment.at if schedule.end_moment else schedule.due
    return due is not None and due.astimezone(clock.now.tzinfo).date() == clock.now.date()


def _names_others(said: str, before: Sequence[ScheduledPiece], house: HomeLexicon) -> bool:
    """Return whether a piece names things that are not named before it, where any are."""
    named = {name for each in before for name in _names(each.text, house)}
    return bool(named) and bool(_names(said, house) - named)


def _names(text: str, house: HomeLexicon) -> set[str]:
    """Return the words of a text that name things or kinds of them."""
    spans = cover_text(text, house)
    return {" ".join(span.words) for span in spans if span.has_any(_NAMING)}


def lacks_operation(command: str, language: Language, house: HomeLexicon) -> bool:
    """Return whether a command says what is done only with the one before it: "turn it off", "and the hall light"."""
    is_said = any(span.has_any(_DOING) for span in cover_text(command, house))
    return read_tags(command, language).refers or not is_said


def plain_command(
    command: str, language: Language, house: HomeLexicon, *, is_moved: bool, ends: bool = False
) -> str:
    """Return a command without the remark that it begins with, and in the order of words that it has without a time.

    "It would be nice if" is no remark, but a wish. "Um acht soll die Lampe angehen" would be a question without its
    time, where that is what `is_moved`; "die Lampe angehen soll" is none, and the verb says nothing of what is done.
    Of what `ends`, "and leave it on" says nothing more.
    """
    command = _without_keeping(command, language, house) if ends else command
    command = _with_states_apart(command, house) if ends else command
    rest = without_remark(command, house)
    is_wish = language.conditions.without_politeness(command) != command
    if not (is_wish or language.demands.search(command[: len(command) - len(rest)])):
        command = rest
    first, _, rest = command.partition(" ")
    is_asking = is_moved and rest and read_tags(command, language).begins_like_question
    if is_asking and house.lexicon.is_small(first.casefold()):
        return f"{rest} {first}"
    return command


def without_question_mark(text: str, language: Language, house: HomeLexicon) -> str:
    """Return a request that is only politely a question without its mark: "can you put the lamp on until eight?".

    Without its courtesy the rest would be a question with it.
    """
    tags = read_tags(text, language)
    request, mark, told = text.partition("?")
    if not mark or not tags.is_polite_request or tags.begins_like_question:
        return text
    if told.strip():
        # "Could you put it on at seven? We've got an early start."
        return text if "?" in told else f"{request}.{told}"
    rest = without_remark(text, house)
    is_asked = rest == text or read_tags(rest, language).is_asked
    return text if is_asked or language.reminders.may_be_in(text) else text.rstrip(" ?")


def kept_until(
    text: str, said: TimedSentence | None, language: Language, house: HomeLexicon
) -> tuple[str, Schedule] | None:
    """Return a command and its end, where the time of a text is that of what nothing tells; None for any other.

    "Until she goes to bed at half past seven"
    """
    end = said.schedule.start if said and said.is_exact and not said.is_past else None
    if not (said and isinstance(end, Once)) or said.schedule.ends:
        return None
    for ending in language.triggers.split_end(text, house.lexicon):
        rest = said.command.removeprefix(ending.command)
        if rest != said.command and not (ending.then or has_value(rest, house.lexicon)):
            return ending.command, Schedule(until=end)
    return None


def are_repeated(pieces: Sequence[ScheduledPiece]) -> bool:
    """Return whether there are pieces, and all of them repeat."""
    starts = [each.timed.schedule.start for each in pieces if each.timed]
    is_each = len(starts) == len(pieces) and all(isinstance(each, Repeated) for each in starts)
    return bool(pieces) and is_each


def joined_slots(parts: Sequence[RoutedPart]) -> dict[str, Any]:
    """Return the slots of planned parts as those of one: a turn asks one question, whether all is to be repeated."""
    intents = [part.assignment.intent for part in parts if part.assignment]
    first, *others = [dict(each.parameters) for each in intents if each]
    return {**first, ALSO_SLOT: others}


def _without_keeping(command: str, language: Language, house: HomeLexicon) -> str:
    """Return a command for a while without "and leave it on" at its end: it is kept by its end."""
    joins = list(language.joins.finditer(command))
    if not joins:
        return command
    head, tail = command[: joins[-1].start()], command[joins[-1].end() :]
    spans = cover_text(tail, house)
    others = [span for span in spans if _KEEP not in span.senses]
    is_more = len(others) == len(spans) or any(span.has_any(_NAMING) for span in others)
    return command if is_more or not head else head


def _with_states_apart(command: str, house: HomeLexicon) -> str:
    """Return a command for a while with the states in its verbs as words of their own: "an bleiben", "aan laten".

    A verb that leaves things as they are says nothing of what is to be so until then.
    """
    lexicon, found = house.lexicon, command
    for token in reversed(tokenise(command)):
        is_written = command[token.start : token.end].casefold() == token.word
        if not is_written or _KEEP not in lexicon.senses((token.word,)):
            continue
        for at in range(1, token.end - token.start):
            state, verb = token.word[:at], token.word[at:]
            is_state = any(sense.role is Role.STATE for sense in lexicon.senses((state,)))
            if is_state and any(sense in _LASTING for sense in lexicon.senses((verb,))):
                middle = token.start + at
                found = f"{found[:middle]} {found[middle:]}"
                break
    return found


def parts_for_later(parts: Iterable[Assignment | None]) -> list[DelayedPart]:
    """Return what recognised parts of a sentence are to do, as a command for later keeps it."""
    return [DelayedPart(agent_id=p.agent_id, action=p.intent) for p in parts if p and p.intent]


def _is_unclear(pieces: Sequence[ScheduledPiece]) -> bool:
    """Return whether some of several pieces repeat, or a last one whose repetition may be for those before it, too.

    Where all of them repeat one question is asked about all; "on at six and off at eight every day" may be for both
    times.
    """
    starts = [each.timed.schedule.start for each in pieces if each.timed]
    repeated = [isinstance(each, Repeated) for each in starts]
    if are_repeated(pieces):
        return False
    if sum(repeated) != 1 or repeated[0]:
        return any(repeated[1:])
    last = pieces[-1]
    return repeated[-1] and last.text.strip().startswith(last.command)


def _ended(piece: ScheduledPiece, clock: HomeClock) -> tuple[ScheduledPiece, Schedule] | None:
    """Return a piece for a while without its end, and that as the time of another; None for any other piece."""
    schedule = piece.timed.schedule if piece.timed else Schedule()
    if piece.timed is None or not schedule.ends or (schedule.start and not schedule.due):
        return None
    start = schedule.end_from(schedule.due or clock.now)
    if isinstance(start, Once) and schedule.start:
        start = Once(at=start.at)
    without = replace(piece, timed=replace(piece.timed, schedule=Schedule(start=schedule.start)))
    return (without, Schedule(start=start)) if start else None


def _joined(text: str, language: Language) -> Iterator[tuple[str, str]]:
    """Yield each piece with the join before it, "" for the first."""
    join, end = "", 0
    for match in language.joins.finditer(text):
        said = text[end : match.start()]
        if join and len(words := words_of(said)) == 1 and language.lexicon.is_small(words[0]):
            # The second "y" of "y a y media" joins nothing.
            continue
        yield join, said
        join, end = match[0], match.end()
    yield join, text[end:]

"""Schedule tier: what is for later, for a while, again and again, or for when something happens.

It comes before all others: whoever only read the rest of the sentence would act at once. The command is read without
its time, and planned by the turn (`turn.delayed`); what is for now and for a while goes on with until when. What is not
understood as a whole stays as it is, and is declined by the guard.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import override

from ..home.names import words_of
from ..memory.delayed import Alert
from ..nlu.house import HomeLexicon
from ..nlu.loader import Language
from ..nlu.moments import TimedSentence, may_say_when, read_schedule, repeats_unreadably
from ..nlu.reading import read_tags
from ..nlu.recognition import ALERT_SLOT, COMMAND_SLOT, SCHEDULE_SLOT, TOLD_ON_SLOT, UNREAD_SLOT
from ..nlu.remarks import without_remarks
from ..nlu.reminders import Reminder, read_reminder, read_said, without_courtesy_behind
from ..nlu.times import may_say_duration
from ..nlu.tokens import MAX_COMMAND
from ..nlu.triggers import ReadTrigger, is_of_speaker, is_waited_for, untold
from ..when import Schedule
from .conditions import person_who_speaks
from .ended import EndingRouter
from .lasting import (
    added_to,
    are_unclear,
    brought_about,
    can_end,
    is_kept,
    may_last,
    undo_each_other,
)
from .models import Assignment
from .remarked import Reads, async_without_remarks
from .reminding import RemindedSentence, read_beside, read_reminded, refers_to_time, reminder_slots
from .router import RoutedPart, RoutingRequest, declined
from .scheduled_pieces import (
    are_repeated,
    joined_slots,
    lacks_operation,
    plain_command,
    timed_pieces,
    without_question_mark,
)
from .timed_parts import needless_part, refused_part, schedule_of, with_event
from .told_there import without_where

# Who breaks off has not said what of.
_BREAK = "..."
_ALARMS = "alarm_control_panel."


@dataclass(frozen=True, slots=True)
class ScheduleRouter(EndingRouter):
    """Assigns what says when to the default agent, and the turn plans it; or the command, with its end."""

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return a part planned, as a command with its end, declined, or as it is; a remark beside it asks nothing."""
        found = await self._async_as_said(request, part)
        language, text = request.language, part.text
        may_be_later = read_tags(text, language).is_deferred or language.reminders.may_be_in(text)
        if len(text) > MAX_COMMAND:
            return found
        house = await self.conditions.reader.async_house(language)
        ends = next(language.triggers.split_end(text, house.lexicon), None)
        if not (may_be_later or ends or self._may_lend_time(language, house, text)):
            return found
        reads = Reads(house, self.clock, self._async_as_said, self.async_understands)
        return await async_without_remarks(request, part, found, reads)

    def _may_lend_time(self, language: Language, house: HomeLexicon, text: str) -> bool:
        """Return whether a text says a time that may be beside a remark, or that of one."""
        if may_say_when(text, house.lexicon) and not any(without_remarks(text, language, house)):
            # A number takes longer to be read for a time than all else here, and was read before.
            return False
        return read_schedule(text, house.lexicon, self.clock, house) is not None

    async def _async_as_said(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return a part as `_async_route_part` does, by all of its words."""
        if told := await self._async_until_told(request, part):
            return told
        part = await self._async_for_now(request, part)
        if conditional := await self._async_conditional(request, part):
            return conditional
        # A long text takes its time for each of these.
        await asyncio.sleep(0)
        if ended := await self._async_ended(request, part):
            return ended
        await asyncio.sleep(0)
        return await self._async_begun(request, part)

    async def _async_conditional(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return a command that is only for then if something is so, planned: "at seven if it is dark"; else []."""
        language, text = request.language, part.text
        lexicon = language.lexicon
        if (
            len(text) > MAX_COMMAND
            or not language.conditions.is_conditional(text, lexicon)
            or not may_say_when(text, lexicon)
            or read_reminder(text, language.reminders)
            or self.conditions.wish_in(request, text)
            or read_tags(text, language).is_asked
        ):
            return []
        waits = any(map(is_waited_for, language.triggers.split(text, lexicon)))
        house = await self.conditions.reader.async_house(language)
        timed = read_schedule(text, house.lexicon, self.clock, house)
        if timed is None or timed.is_past or timed.schedule.start is None:
            return []
        found = await self.conditions.async_only_if(request, house, timed.command)
        if found is None:
            return []
        command, only_if, seen = found
        if read_reminder(command, language.reminders):
            return []
        if waits and (seen.reading is None or not timed.is_exact):
            # "S'il fait moins de dix-huit degrés" has a verb of change, and a number is looked at as well at a time.
            return []
        only_if = f"{only_if[:1].lower()}{only_if[1:]}"
        schedule = timed.schedule.model_copy(update={"only_if": only_if})
        command = plain_command(command, language, house, is_moved=True, ends=schedule.ends)
        is_there = language.references.as_here(command, house.lexicon) != command
        if is_there or are_unclear(await self._async_read(request, command, None)):
            # "There" is where it is looked at, and so is what may be for several things.
            placed = await self._async_read(request, command, (seen, only_if))
            if placed or is_there:
                return placed and self._scheduled(request, part, command, schedule, placed)
        return await self._async_planned(request, part, command, schedule, None)

    async def _async_begun(self, request: RoutingRequest, part: RoutedPart) -> Sequence[RoutedPart]:
        """Return a part with no end that is waited for as `_async_route_part` does."""
        language, reader = request.language, self.conditions.reader
        text = part.text
        is_question = read_tags(text, language).is_question
        may_remind = language.reminders.may_be_in(text)
        is_asked = is_question and "?" in text
        if len(text) > MAX_COMMAND or (is_asked and not may_remind):
            return [part]
        house = await reader.async_house(language)
        awaited = await self._async_awaited(request, house, text)
        there = without_where(
            self.hass, awaited.sentence.command if awaited else "", language, house
        )
        command = there.command if awaited else text
        await asyncio.sleep(0)
        # Read once for all: a sentence with a number takes longer than all else that is tried here.
        said = read_schedule(command, house.lexicon, self.clock, house)
        if said and said.is_now and not (awaited or may_remind):
            return await self._async_as_said(request, replace(part, text=said.command))
        reminded = read_reminded(command, language, house, self.clock, said) if may_remind else None
        reminded = reminded and replace(reminded, told_on=there.told_on)
        if reminded and (found := await self._async_reminded(request, part, reminded, awaited)):
            return needless_part(request, text, awaited) or found
        if not (said or is_question or may_remind or request.is_capable) and repeats_unreadably(
            command, house.lexicon
        ):
            return [RoutedPart(text, declined(text, "decline.later", "It repeats otherwise."))]
        splits = language.triggers.split(command, house.lexicon) if said else ()
        repeats = any(each.repeats for each in splits)
        # "Whenever it gets dark", where nothing tells it, is no sunset of one day.
        timed = None if repeats else said
        several = await self._async_others(request, part, command, timed, awaited) or (
            () if awaited else await self._async_several(request, text, house, said)
        )
        if not (timed or awaited or several):
            told = await self._async_untold(request, house, text)
            return told or (await self._async_lasting(request, part, house, said)) or [part]
        # "When" begins questions, and clauses that are waited for.
        may_ask = timed is None or read_tags(timed.command, language).is_question
        if is_asked or (is_question and may_ask and not awaited):
            return [part]
        if several:
            return several
        if await reader.async_takes_freely(request, text):
            return [part]
        if refused := refused_part(request, part, timed, awaited):
            return refused
        command = timed.command if timed else command
        schedule = schedule_of(timed, awaited)
        is_moved = not is_question and bool(timed or (awaited and not text.startswith(command)))
        command = plain_command(command, language, house, is_moved=is_moved, ends=schedule.ends)
        planned = await self._async_planned(request, part, command, schedule, awaited)
        planned = planned or self._said_then(request, part, command, schedule, awaited)
        if not planned and awaited and not request.is_capable:
            return [self.unread(request, part, command, schedule)]
        planned = planned or (
            () if awaited else await self._async_undone(request, part, house, command, said)
        )
        if not planned and timed and await self._async_may_be_later(request, part, timed):
            return [self.unread(request, part, command, timed.schedule)]
        return (planned and needless_part(request, text, awaited)) or planned or [part]

    def _said_then(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        command: str,
        schedule: Schedule,
        awaited: ReadTrigger | None,
    ) -> Sequence[RoutedPart]:
        """Return a part that only wants something said then, planned ("say welcome home"); [] for any other."""
        said = read_said(command, request.language.reminders) if schedule.start else None
        if said is None:
            return []
        said = replace(said, message=request.language.triggers.message(said.message))
        slots = reminder_slots(request.language, said, part.text, schedule, awaited)
        return [self._assigned(request, part, slots)]

    async def _async_for_now(self, request: RoutingRequest, part: RoutedPart) -> RoutedPart:
        """Return a part without "as soon as you can", which is no time, and without the mark of a polite request.

        In a message both stay. Courtesy behind what is for later goes, too.
        """
        language = request.language
        text = part.text
        may_be_later = read_tags(text, language).is_deferred or language.reminders.may_be_in(text)
        if may_be_later or next(language.triggers.split(text, language.lexicon), None):
            text = without_courtesy_behind(text, language.reminders)
        text = language.triggers.without_now(text, language.lexicon)
        text = language.triggers.without_told_end(text, language.lexicon)
        house = await self.conditions.reader.async_house(language)
        text = without_question_mark(text, language, house)
        if (
            text == part.text
            or len(part.text) > MAX_COMMAND
            or read_reminder(part.text, language.reminders)
            or await self.conditions.reader.async_takes_freely(request, part.text)
        ):
            return part
        return replace(part, text=text)

    async def _async_lasting(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        house: HomeLexicon,
        timed: TimedSentence | None,
    ) -> Sequence[RoutedPart]:
        """Return a command with a duration that has no word before it, for so long; [] where it is whole with that.

        `timed` is how it was read with only durations that have one.
        """
        text = part.text
        if may_say_duration(text, house.lexicon):
            timed = read_schedule(text, house.lexicon, self.clock, house, is_loose=True)
        is_lasting = timed and timed.schedule.lasts and not timed.is_past
        if (
            not (timed and is_lasting)
            or read_tags(text, request.language).is_question
            or await self.conditions.reader.async_takes_freely(request, text)
            or await self._async_read(request, text, None)
        ):
            return []
        parts = await self._async_planned(request, part, timed.command, timed.schedule, None)
        if parts:
            lasts = all(each.assignment and may_last(each.assignment) for each in parts)
            return parts if lasts else []
        # "The fan twenty minutes and then turn it off"
        return await self._async_several(request, text, house, None, is_loose=True)

    async def _async_reminded(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        reminded: RemindedSentence,
        awaited: ReadTrigger | None,
    ) -> Sequence[RoutedPart]:
        """Return what `_async_told` does, and a command behind a message by itself where it has its own time."""
        text, language = part.text, request.language
        if reminded.has_message and language.joins.search(text) and not awaited:
            house = await self.conditions.reader.async_house(language)
            if several := await self._async_several(request, text, house, None):
                return several
            beside = read_beside(text, language, house, self.clock)
            if beside and (found := await self._async_told(request, part, beside, None)):
                return found
        return await self._async_told(request, part, reminded, awaited)

    async def _async_told(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        reminded: RemindedSentence,
        awaited: ReadTrigger | None,
    ) -> Sequence[RoutedPart]:
        """Return the requests of a part with a reminder in it, each planned; [] where one is not understood.

        One part of all where a time is to be asked for.
        """
        text, language = reminded.text, request.language
        house = await self.conditions.reader.async_house(language)
        schedule = schedule_of(reminded.timed, awaited)
        is_open = not (awaited or next(language.triggers.split(text, house.lexicon), None))
        if not reminded.fits(schedule, is_open=is_open):
            return [part] if reminded.only_asks else []
        if refused := refused_part(request, part, reminded.timed, awaited):
            return refused
        if schedule.start is None:
            if (
                request.is_capable
                and request.has_tools
                and refers_to_time(request.language, reminded)
            ):
                # A model knows what was spoken of, or looks it up.
                return [replace(part, is_for_model=True)]
            if _BREAK in text or await self._async_read(request, text, None):
                # "Tell me what lights are on", in words that may begin a reminder.
                return []
            first = next(each for _, each in reminded.requests if each)
            slots = reminder_slots(request.language, first, part.text, schedule, awaited)
            return [self._assigned(request, part, slots)]
        planned: list[RoutedPart] = []
        for command, reminder in reminded.requests:
            own = part if len(reminded.requests) == 1 else RoutedPart(command)
            if reminder is None or await self._async_arms(request, command, reminder):
                found = await self._async_planned(request, own, command, schedule, awaited)
            elif reminder.asks and not await self._async_read(request, reminder.asks, None):
                return []
            else:
                slots = reminder_slots(request.language, reminder, own.text, schedule, awaited)
                slots[TOLD_ON_SLOT] = [*reminded.told_on]
                found = [self._assigned(request, own, slots)]
            if not found:
                return []
            planned += found
        return planned

    async def _async_others(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        command: str,
        timed: TimedSentence | None,
        awaited: ReadTrigger | None,
    ) -> Sequence[RoutedPart]:
        """Return a part that reminds somebody else planned, or asked about where it says no time; [] for any other."""
        command = timed.command if timed else command
        parts = await self.conditions.reader.async_reminded(request, command)
        if not parts or (refused := refused_part(request, part, timed, awaited)):
            return refused if parts else []
        schedule = schedule_of(timed, awaited)
        if schedule.start:
            return self._scheduled(request, part, command, schedule, parts)
        slots = {COMMAND_SLOT: command, SCHEDULE_SLOT: {}, ALERT_SLOT: Alert.REMIND.value}
        return [self._assigned(request, part, slots)]

    async def async_planned_at(
        self, request: RoutingRequest, command: str, when: str, part: Assignment
    ) -> Sequence[RoutedPart]:
        """Return a model's part planned as a `command` for when some words say; [] where they are not understood.

        What is for now and for a while stays the model's, with its end.
        """
        house = await self.conditions.reader.async_house(request.language)
        ending = await self._async_ending(request, house, f"{command} {when}")
        text = ending.sentence.command if ending else f"{when}, {command}"
        awaited = await self._async_awaited(request, house, text)
        said = awaited.sentence.command if awaited else text
        timed = read_schedule(said, house.lexicon, self.clock, house)
        left = {*words_of(timed.command if timed else said)}.difference(words_of(command))
        if not (timed or awaited or ending) or not all(map(house.lexicon.is_small, left)):
            # "Until" and an hour that is not read as its end is no hour to do it at.
            return []
        own, schedule = RoutedPart(command), schedule_of(timed, awaited)
        if refused := refused_part(request, own, timed, awaited):
            return [each for each in refused if each.assignment]
        if ending and (ended := with_event(schedule, ending.trigger)) is None:
            return []
        if ending and schedule.start is None and ending.so_already:
            return needless_part(request, command, ending)
        schedule = ended if ending and ended else schedule
        if schedule.start is None:
            if all(map(can_end, await self._async_read(request, command, None))):
                return [replace(own, assignment=replace(part, schedule=schedule, later=""))]
            whole = f"{command} {when}"
            return [RoutedPart(whole, replace(part, instruction=whole, later=""))]
        return self._scheduled(request, own, command, schedule, (), is_known=False)

    async def async_understands(self, request: RoutingRequest, command: str) -> bool:
        """Return whether a command is understood as a whole."""
        return bool(await self._async_read(request, command, None))

    def unread(
        self, request: RoutingRequest, part: RoutedPart, command: str, schedule: Schedule
    ) -> RoutedPart:
        """Return a part for later whose command is not understood."""
        slots = {COMMAND_SLOT: command, SCHEDULE_SLOT: schedule.as_json(), UNREAD_SLOT: True}
        return self._assigned(request, part, slots)

    async def _async_several(
        self,
        request: RoutingRequest,
        text: str,
        house: HomeLexicon,
        said: TimedSentence | None,
        *,
        is_undone: bool = False,
        is_loose: bool = False,
    ) -> Sequence[RoutedPart]:
        """Return the requests of a text that are for times of their own; [] where it has one, or is not understood.

        `said` is how it reads as a whole. Where that `is_undone` by itself, what has no time is for now. A command that
        is only understood after the one before it ("off at ten") is what both come to, without that.
        """
        planned: list[RoutedPart] = []
        known: Sequence[RoutedPart] = ()
        before = ""
        language, how = request.language, {"is_undone": is_undone, "is_loose": is_loose}
        pieces = timed_pieces(text, language, house, self.clock, said, **how)
        for at, piece in enumerate(pieces):
            if read_reminder(piece.text, language.reminders):
                reminded = await self._async_route_part(request, RoutedPart(piece.text))
                if not all(each.assignment for each in reminded):
                    return []
                planned += reminded
                continue
            command = piece.command or next(
                each.command for each in (*pieces[at:], *pieces[::-1]) if each.command
            )
            if piece.timed and piece.timed.is_past:
                return refused_part(request, RoutedPart(text), piece.timed, None)
            schedule = piece.timed.schedule if piece.timed else Schedule()
            goes_on = bool(before) and lacks_operation(command, language, house)
            own = () if goes_on else await self._async_read(request, command, None)
            if own:
                before, known = command, own
            else:
                before = f"{before}{piece.join}{command}"
                both = await self._async_read(request, before, None)
                own, known = added_to(known, both), both
            if not own:
                return []
            if is_kept(own) and not schedule.start:
                # "Keep it on till ten, then off"
                kept = await self.conditions.reader.async_kept(request, command)
                own = brought_about(self.hass, kept) or own
            planned += self._scheduled(request, RoutedPart(piece.text), command, schedule, own)
        if are_repeated(pieces):
            return [self._assigned(request, RoutedPart(text), joined_slots(planned))]
        return planned

    async def _async_undone(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        house: HomeLexicon,
        command: str,
        said: TimedSentence | None,
    ) -> Sequence[RoutedPart]:
        """Return a command for now, and what undoes it at its time; for another what `_async_lasting` returns."""
        is_joined = said and request.language.joins.search(command)
        if is_joined and undo_each_other(await self._async_read(request, command, None)):
            return await self._async_several(request, part.text, house, said, is_undone=True)
        return await self._async_lasting(request, part, house, said)

    async def _async_arms(self, request: RoutingRequest, command: str, reminder: Reminder) -> bool:
        """Return whether what sounds like a wake-up call is for what guards the house: "set the alarm"."""
        parts = await self._async_read(request, command, None) if reminder.wakes else ()
        intents = [part.assignment.intent for part in parts if part.assignment]
        return any(
            target.startswith(_ALARMS) for found in intents if found for target in found.targets
        )

    async def _async_untold(
        self, request: RoutingRequest, house: HomeLexicon, text: str
    ) -> Sequence[RoutedPart]:
        """Return a part declined that waits for what nothing here tells; [] for any other.

        A capable model may know what tells it.
        """
        language, words = request.language, request.language.triggers
        if request.is_capable or not next(words.split(text, house.lexicon), None):
            return []
        reader = await self.conditions.async_reader(request, house)
        if await self.conditions.reader.async_takes_freely(request, text):
            return []
        for sentence in untold(text, reader, words):
            command = sentence.command
            if not (words.tells(command) or await self._async_read(request, command, None)):
                continue
            is_own = is_of_speaker(sentence.condition, reader, words)
            is_unknown = is_own and person_who_speaks(self.hass, request, reader) is None
            key = "decline.speaker" if is_unknown else "decline.untold"
            told = declined(text, key, "Nothing tells what it waits for.")
            return [
                RoutedPart(text, replace(told, words=language.say(key, text=sentence.condition)))
            ]
        return []

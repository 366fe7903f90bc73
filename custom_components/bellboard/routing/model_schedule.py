"""Schedule tiers around the one of a sentence: what waits for several things, and what no reader understood.

The latter is what a capable model says is for later, or it is told why not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import override

from homeassistant.util import dt as dt_util

from ..home.names import words_of
from ..nlu.moments import TimedSentence, read_schedule
from ..nlu.reading import LATER, read_tags
from ..nlu.recognition import SCHEDULE_SLOT
from ..nlu.tokens import MAX_COMMAND
from ..when import Once, Schedule
from .model_words import as_borne_out
from .models import Assignment
from .parts import awaited_apart
from .reminding import is_reminder
from .router import OpenPartRouter, RoutedPart, RoutingRequest, declined
from .scheduled import ScheduleRouter
from .scheduled_pieces import timed_pieces

_AT_ONCE = timedelta(minutes=1)

type _Planned = tuple[RoutedPart, Sequence[RoutedPart]]
"""A part, and what became of it; () for nothing."""


@dataclass(frozen=True, slots=True)
class AwaitedApartRouter(OpenPartRouter):
    """Assigns what is to be told of each of several things: "when the washer is done and when the oven is"."""

    schedules: ScheduleRouter

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return a part as one for each thing that is waited for; as it is where not all are understood."""
        is_short = len(part.text) <= MAX_COMMAND
        pieces = awaited_apart(part.text, request.language) if is_short else []
        found = await self.schedules.async_route(request, [RoutedPart(each) for each in pieces])
        is_known = all(each.assignment and each.assignment.intent for each in found)
        return found if found and is_known else [part]


@dataclass(frozen=True, slots=True)
class UnreadScheduleRouter(OpenPartRouter):
    """Assigns what is for later and nobody read, so that it is told why not; a capable model reads it."""

    schedules: ScheduleRouter

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return a part that would be declined as one for later as that, any other as it is."""
        reading = read_tags(part.text, request.language)
        first = next(iter(reading.guards), "")
        if first != LATER or reading.is_asked or request.is_capable:
            return [part]
        schedules, language = self.schedules, request.language
        house = await schedules.conditions.reader.async_house(language)
        said = read_schedule(part.text, house.lexicon, schedules.clock, house)
        several = timed_pieces(part.text, language, house, schedules.clock, said)
        for timed in (piece.timed for piece in several) if several else (said,):
            if timed is None or timed.is_past or timed.schedule.start is None:
                continue
            if timed.command and not await schedules.async_understands(request, timed.command):
                return [schedules.unread(request, part, timed.command, timed.schedule)]
        return [part]


@dataclass(frozen=True, slots=True)
class ModelScheduleRouter:
    """Reads when a model's part is to be done; a part whose words for it are not understood is declined.

    Its command and its time are the person's: in other words of a model they name nothing else. What only an answer
    tells the time of is for whoever has tools.
    """

    schedules: ScheduleRouter

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts, each for later planned, for a while with its end, or declined."""
        found: list[_Planned] = []
        for part in parts:
            later = part.assignment.later if part.assignment else ""
            planned = (
                await self._async_planned(request, part.assignment, is_whole=len(parts) == 1)
                if part.assignment and later
                else [part]
            )
            found.append((part, planned))
        return _together(request, _in_place_of_ends(found))

    async def _async_planned(
        self, request: RoutingRequest, part: Assignment, *, is_whole: bool
    ) -> Sequence[RoutedPart]:
        """Return a part planned, [] where that cannot be; where it `is_whole`, it is all of the sentence."""
        text = request.user_input.text
        if request.language.reminders.may_be_in(text):
            # Whoever is only told something is told it when a model says, which the reply names.
            found = await self._async_reminded(request, part)
            if found:
                return found
        house = await self.schedules.conditions.reader.async_house(request.language)
        command = _as_said(text, part, is_whole=is_whole) or as_borne_out(
            request, part, house, self.schedules.clock
        )
        planned = command and await self.schedules.async_planned_at(
            request, command, part.later, part
        )
        if not planned and is_whole and await self._async_is_value(request, part):
            # A tool takes how long as one of its values.
            return [RoutedPart(text, replace(part, instruction=text, later=""))]
        return planned or []

    async def _async_reminded(
        self, request: RoutingRequest, part: Assignment
    ) -> Sequence[RoutedPart]:
        """Return a reminder as a model worded it, planned for when it says; [] for no reminder, or no time."""
        said = await self._async_read(request, part.later)
        if said is None or said.schedule.start is None or said.command.strip():
            return []
        text = f"{part.instruction} {part.later}"
        found = await self.schedules.async_route(request, [RoutedPart(text)])
        return [each for each in found if each.assignment and is_reminder(each.assignment.intent)]

    async def _async_is_value(self, request: RoutingRequest, part: Assignment) -> bool:
        """Return whether the words for when are a mere duration that was said, of a part for whoever has tools."""
        has_tools = any(card.talks for card in request.cards if card.id == part.agent_id)
        is_said = {*words_of(request.user_input.text)}.issuperset(words_of(part.later))
        if not (has_tools and request.has_tools and is_said):
            return False
        said = await self._async_read(request, part.later, is_loose=True)
        return said is not None and bool(said.schedule.lasts) and not said.command.strip()

    async def _async_read(
        self, request: RoutingRequest, text: str, *, is_loose: bool = False
    ) -> TimedSentence | None:
        """Return how words for when are read, None where they say no time."""
        house = await self.schedules.conditions.reader.async_house(request.language)
        return read_schedule(text, house.lexicon, self.schedules.clock, house, is_loose=is_loose)


def _in_place_of_ends(found: Sequence[_Planned]) -> Sequence[_Planned]:
    """Return what became of parts, without an end at which another part of the same agent is done: "then to away"."""
    now = dt_util.now()
    begun = [
        (part.assignment.agent_id, start)
        for part, planned in found
        for each in planned
        if part.assignment and (start := _start_of(each))
    ]

    def is_taken(agent_id: str, schedule: Schedule | None) -> bool:
        """Return whether something else is done where a schedule ends."""
        end = schedule and schedule.end_from(now)
        return isinstance(end, Once) and any(
            agent_id == agent and abs(end.at - start) < _AT_ONCE for agent, start in begun
        )

    return [
        (
            part,
            [
                replace(each, assignment=replace(each.assignment, schedule=None))
                if each.assignment and is_taken(each.assignment.agent_id, each.assignment.schedule)
                else each
                for each in planned
            ],
        )
        for part, planned in found
    ]


def _start_of(part: RoutedPart) -> datetime | None:
    """Return the moment that a part is planned for, None where it is planned for none."""
    slots = part.assignment.intent.parameters if part.assignment and part.assignment.intent else {}
    said = slots.get(SCHEDULE_SLOT)
    return Schedule.model_validate(said).due if said else None


def _together(request: RoutingRequest, found: Sequence[_Planned]) -> list[RoutedPart]:
    """Return what became of parts; those that could not be planned with the questions that tell when, else declined.

    Whoever talks has tools, and may have it done once it knows: "when is the trip, remind me the evening before".
    """
    language, text, talker = request.language, request.user_input.text, request.talker_id
    open_parts = [part for part, planned in found if not planned]
    asked = [
        part
        for part, planned in found
        if planned and part.assignment and part.assignment.agent_id == talker
    ]
    is_told = language.reminders.may_be_in(text) or bool(asked)
    if not (open_parts and talker and request.has_tools and is_told):
        return [each for part, planned in found for each in planned or [_unplanned(part)]]
    others = [each for part, planned in found if part not in asked for each in planned]
    mine = [part for part, planned in found if part in asked or not planned]
    assigned = [part.assignment for part in mine if part.assignment]
    said = text if not others else ". ".join(map(_in_full, assigned))
    first = open_parts[0].assignment
    whole = first and replace(first, agent_id=talker, instruction=said, asks=False)
    return [*others, RoutedPart(said, whole)]


def _in_full(part: Assignment) -> str:
    """Return the instruction of a part with its words for when."""
    return f"{part.instruction.rstrip(' .')}{f', {part.later}' if part.later else ''}"


def _unplanned(part: RoutedPart) -> RoutedPart:
    """Return a part declined of which it is not understood when it is for."""
    text = part.text
    return RoutedPart(text, declined(text, "decline.later", "When it is for is not understood."))


def _as_said(text: str, part: Assignment, *, is_whole: bool) -> str:
    """Return the command of a part in words that were said, "" where the time or the command has others."""
    said = {*words_of(text)}
    if not said.issuperset(words_of(part.later)):
        return ""
    if said.issuperset(words_of(part.instruction)):
        return part.instruction
    at = text.casefold().find(part.later.casefold())
    if at < 0 or not is_whole:
        return ""
    return f"{text[:at]}{text[at + len(part.later) :]}".strip(" ,;.")

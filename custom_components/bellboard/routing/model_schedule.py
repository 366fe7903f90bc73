"""Schedule tiers around the one of a sentence: what waits for several things, and what no reader understood.

The latter is what a capable model says is for later, or it is told why not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import override

from ..home.names import words_of
from ..nlu.moments import TimedSentence, read_schedule
from ..nlu.reading import LATER, read_tags
from ..nlu.times import may_say_duration
from ..nlu.tokens import MAX_COMMAND
from .models import Assignment
from .parts import awaited_apart
from .reminding import is_reminder
from .router import OpenPartRouter, RoutedPart, RoutingRequest, declined
from .scheduled import ScheduleRouter
from .scheduled_pieces import timed_pieces


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

    A command for later is given in the words that were said: what a model adds to them nobody asked for.
    """

    schedules: ScheduleRouter

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts, each for later planned, for a while with its end, or declined."""
        found: list[RoutedPart] = []
        for part in parts:
            if part.assignment is None or not part.assignment.later:
                found.append(part)
            else:
                found += await self._async_planned(
                    request, part.assignment, is_whole=len(parts) == 1
                )
        return found

    async def _async_planned(
        self, request: RoutingRequest, part: Assignment, *, is_whole: bool
    ) -> Sequence[RoutedPart]:
        """Return a part planned; where it `is_whole`, it is all of the sentence."""
        text = request.user_input.text
        if request.language.reminders.may_be_in(text):
            # Whoever is only told something is told it when a model says, which the reply names.
            found = await self._async_reminded(request, part)
            if found:
                return found
        command = _as_said(text, part, is_whole=is_whole)
        planned = command and await self.schedules.async_planned_at(
            request, command, part.later, part
        )
        if not planned and is_whole and await self._async_is_value(request, part):
            # A tool takes how long as one of its values.
            return [RoutedPart(text, replace(part, instruction=text, later=""))]
        return (
            planned
            or (is_whole and _looked_up(request, part))
            or [
                RoutedPart(
                    part.instruction,
                    declined(
                        part.instruction, "decline.later", "When it is for is not understood."
                    ),
                )
            ]
        )

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


def _looked_up(request: RoutingRequest, part: Assignment) -> Sequence[RoutedPart]:
    """Return a reminder for when only tools can tell ("an hour before that") for whoever has them; [] for others."""
    language, text = request.language, request.user_input.text
    is_relative = may_say_duration(part.later, language.lexicon)
    talker = request.talker_id
    if not (talker and request.has_tools and is_relative and language.reminders.may_be_in(text)):
        return []
    return [RoutedPart(text, replace(part, agent_id=talker, instruction=text, later=""))]


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

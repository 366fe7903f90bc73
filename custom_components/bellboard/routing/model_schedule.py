"""Schedule tiers for what no reader understood: what a capable model says is for later, and what is told why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from ..home.names import words_of
from ..nlu.moments import read_schedule
from ..nlu.reading import LATER, read_tags
from .models import Assignment
from .router import OpenPartRouter, RoutedPart, RoutingRequest, declined
from .scheduled import ScheduleRouter
from .scheduled_pieces import timed_pieces


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
        command = _as_said(request.user_input.text, part, is_whole=is_whole)
        planned = command and await self.schedules.async_planned_at(
            request, command, part.later, part
        )
        return planned or [
            RoutedPart(
                part.instruction,
                declined(part.instruction, "decline.later", "When it is for is not understood."),
            )
        ]


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

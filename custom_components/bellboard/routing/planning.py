"""Plans commands that are read: for when they are to be done, or now with their end."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import time
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..domains.models import Command
from ..nlu.condition_results import ConditionResult
from ..nlu.house import HomeLexicon
from ..nlu.moment_times import HomeClock
from ..nlu.moments import TimedSentence, read_schedule
from ..nlu.reading import read_tags
from ..nlu.recognition import COMMAND_SLOT, PARTS_SLOT, QUERY_INTENTS, SCHEDULE_SLOT, START_TIMER
from ..nlu.remarks import request_behind
from ..nlu.triggers import ReadTrigger, read_trigger
from ..when import DEFAULT_PARTS, Schedule
from .clock import home_clock
from .conditions import ConditionRouter, person_who_speaks
from .lasting import (
    asks_ahead,
    is_kept,
    keeps_off,
    only_turns_on,
    says_to_keep,
    turned_off,
    turning_off,
    turning_on,
    undo_each_other,
    with_end,
)
from .models import Source
from .parts import asked_apart
from .reminding import asks_several
from .router import OpenPartRouter, RoutedPart, Router, RoutingRequest
from .scheduled_pieces import parts_for_later
from .timed_parts import is_by_sun, may_be_for_all
from .told_there import without_where

_REASON = "Every word of it is understood, and it is for later."


def _acts(intent: Command) -> bool:
    """Return whether a command is for now, and no question: what Home Assistant defers is for later, too."""
    return intent.name != START_TIMER and intent.name not in QUERY_INTENTS


@dataclass(frozen=True, slots=True)
class PlanningRouter(OpenPartRouter):
    """Reads commands and what they wait for by the home's conditions and by `readers`, and plans them.

    `parts_of_day` are when the parts of a day begin.
    """

    hass: HomeAssistant
    conditions: ConditionRouter
    readers: Sequence[Router]
    parts_of_day: Mapping[str, time] = field(default_factory=lambda: DEFAULT_PARTS)

    @property
    def clock(self) -> HomeClock:
        """Return the house's clock as it is now."""
        return home_clock(self.hass, self.parts_of_day)

    async def _async_awaited(
        self, request: RoutingRequest, house: HomeLexicon, text: str
    ) -> ReadTrigger | None:
        """Return what a text waits for, None where it waits for nothing that can be known."""
        words = request.language.triggers
        waits = next(words.split(text, house.lexicon), None)
        if not waits or asks_several(text, request.language, house, self.clock):
            return None
        reader = await self.conditions.async_reader(request, house)
        speaker = person_who_speaks(self.hass, request, reader)
        found = read_trigger(text, reader, words, dt_util.now(), speaker, clock=self.clock)
        if found is None:
            return None
        said = found.sentence
        where = without_where(self.hass, said.command, request.language, house)
        # "Tell me in the kitchen" is no announcement to a room.
        if where.command == said.command:
            if not said.is_sure and asked_apart(text, request.language):
                return None
            said = await self.conditions.reader.async_with_message(request, said)
            found = replace(found, sentence=said)
        await asyncio.sleep(0)
        timed = read_schedule(text, house.lexicon, self.clock, house)
        if timed and is_by_sun(timed.schedule) and not said.repeats:
            # "Once it is dark": the next time, where it is dark already.
            return found if next(words.split(timed.command, house.lexicon), None) else None
        return found

    async def _async_may_be_later(
        self, request: RoutingRequest, part: RoutedPart, timed: TimedSentence
    ) -> bool:
        """Return whether nothing of a part is done now, as its time may be that of all of it.

        So it is of several requests, and where its time would be a value now: "turn on the fan at eight? And ...".
        """
        if request.is_capable or timed.schedule.start is None:
            return False
        if may_be_for_all(request, part, timed):
            return True
        found = await self._async_read(request, part.text, None) if timed.is_exact else ()
        intents = (each.assignment.intent for each in found if each.assignment)
        return any(intent and intent.targets and _acts(intent) for intent in intents)

    async def _async_planned(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        command: str,
        schedule: Schedule,
        awaited: ReadTrigger | None,
    ) -> Sequence[RoutedPart]:
        """Return a command planned, or with its end; [] where it is not understood.

        Another request behind it that nobody understands stays open, which is told.
        """
        parts = await self._async_read(request, command, awaited)
        if not (parts or request.is_capable):
            house = await self.conditions.reader.async_house(request.language)
            if cut := request_behind(command, request.language, house):
                before, behind = cut
                own = replace(part, text=before)
                found = await self._async_planned(request, own, before, schedule, awaited)
                return [*found, RoutedPart(behind)] if found else []
        is_known = awaited is not None
        if not parts and schedule.ends and command:
            # "The fan for half an hour"
            parts = await self.conditions.reader.async_wished(request, command, is_alone=True)
            is_known = is_known or bool(parts)
        if undo_each_other(parts):
            return []
        if not parts:
            may_refer = schedule.start and read_tags(command, request.language).refers
            if not may_refer or asks_ahead(await self._async_read(request, part.text, None)):
                return []
        if says_to_keep(request, command, parts):
            kept = await self.conditions.reader.async_kept(request, command)
            if schedule.start and schedule.ends:
                # "Keep the lamp on from eight to ten": so it is to be then, however it is now.
                return self._scheduled(request, part, command, schedule, kept) if kept else []
            if not schedule.start and keeps_off(kept):
                return with_end(turning_off(self.hass, kept), schedule) or parts
            if not schedule.start and (is_kept(parts) or (kept and all(map(turned_off, kept)))):
                return self._scheduled_end(request, part, command, schedule, kept)
        if schedule.start is None and only_turns_on(parts) and not turning_on(self.hass, parts):
            # It would be put back as it is: on. Who says until when wants it off then.
            return self._scheduled_end(request, part, command, schedule, parts)
        return self._scheduled(request, part, command, schedule, parts, is_known=is_known)

    def _scheduled_end(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        command: str,
        schedule: Schedule,
        kept: Sequence[RoutedPart],
    ) -> Sequence[RoutedPart]:
        """Return what turns on what is to be kept on and is off, and turns all of it off at the end; [] for others."""
        end = schedule.end_from(dt_util.now())
        ended = [off for each in kept if (off := turned_off(each))]
        if end is None or not ended or len(ended) < len(kept):
            return []
        return [
            *turning_on(self.hass, kept),
            *self._scheduled(request, part, command, Schedule(start=end), ended),
        ]

    def _scheduled(
        self,
        request: RoutingRequest,
        part: RoutedPart,
        command: str,
        schedule: Schedule,
        parts: Sequence[RoutedPart],
        *,
        is_known: bool = True,
    ) -> Sequence[RoutedPart]:
        """Return what a command comes to, with its end, or planned; where that `is_known`, as just that."""
        if schedule.start is None:
            return with_end(parts, schedule)
        slots: dict[str, Any] = {COMMAND_SLOT: command, SCHEDULE_SLOT: schedule.as_json()}
        if is_known:
            slots[PARTS_SLOT] = parts_for_later(each.assignment for each in parts)
        return [self._assigned(request, part, slots)]

    def _assigned(
        self, request: RoutingRequest, part: RoutedPart, slots: dict[str, Any]
    ) -> RoutedPart:
        """Return a part as a command for later with some slots."""
        found = Command(START_TIMER, slots)
        return RoutedPart(part.text).assigned(
            request.default_agent_id, Source.READER, _REASON, intent=found
        )

    async def _async_read(
        self,
        request: RoutingRequest,
        command: str,
        awaited: ReadTrigger | tuple[ConditionResult, str] | None,
    ) -> Sequence[RoutedPart]:
        """Return the parts of a command, each with what is to be done; () where it is not understood as a whole.

        "There" and "it" are where and what is waited for, or what is looked at, with its words.
        """
        # A sentence is read by several halves; between them the event loop gets a turn.
        await asyncio.sleep(0)
        parts: Sequence[RoutedPart] = (RoutedPart(command),)
        if awaited:
            house = await self.conditions.reader.async_house(request.language)
            if isinstance(awaited, ReadTrigger):
                awaited = awaited.result, awaited.sentence.condition
            parts = await self.conditions.async_command(request, house, command, *awaited)
        for reader in self.readers:
            parts = await reader.async_route(request, parts)
        is_read = all(part.assignment and not part.assignment.decline for part in parts)
        if is_read or not (wish := self.conditions.wish_in(request, command)):
            return parts if is_read else ()
        wished = await self.conditions.reader.async_wished(request, wish)
        return wished or await self._async_read(request, wish, awaited)

"""Commands with an end that is waited for: "until she is home", "and then turn it off"."""

from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.util import dt as dt_util

from ..nlu.house import HomeLexicon
from ..nlu.moments import read_schedule, without_back
from ..nlu.reading import read_tags
from ..nlu.triggers import ReadTrigger, read_trigger
from ..when import Schedule
from .conditions import person_who_speaks
from .lasting import added_to, brought_about, says_to_keep
from .planning import PlanningRouter
from .router import RoutedPart, RoutingRequest
from .scheduled_pieces import kept_until, plain_command
from .timed_parts import needless_part, refused_part, schedule_of, with_event


@dataclass(frozen=True, slots=True)
class EndingRouter(PlanningRouter):
    """Plans what has an end that is no time of the clock."""

    async def _async_ended(self, request: RoutingRequest, part: RoutedPart) -> Sequence[RoutedPart]:
        """Return a command with an end that is waited for ("until she is home"); [] for any other part.

        What is so already ends nothing, which is told.
        """
        if request.language.reminders.may_be_in(part.text):
            return []
        house = await self.conditions.reader.async_house(request.language)
        if not (ending := await self._async_ending(request, house, part.text)):
            return await self._async_kept_until(request, part, house)
        text, then = ending.sentence.command, ending.sentence.then
        awaited = await self._async_awaited(request, house, text)
        command = awaited.sentence.command if awaited else text
        timed = read_schedule(command, house.lexicon, self.clock, house)
        schedule = with_event(schedule_of(timed, awaited), ending.trigger)
        if schedule is None or refused_part(request, part, timed, awaited):
            return []
        command = timed.command if timed else command
        is_moved = bool(timed) or not part.text.lstrip().startswith(text)
        command = plain_command(command, request.language, house, is_moved=is_moved, ends=True)
        if then:
            planned = await self._async_then(request, command, then, schedule)
        else:
            planned = await self._async_planned(request, part, command, schedule, awaited)
        is_over = schedule.start is None and needless_part(request, part.text, ending)
        return (planned and is_over) or planned

    async def _async_until_told(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return what is kept so "until I say so", made so where it is not; [] for any other part.

        Nothing ends it but what is said then.
        """
        language = request.language
        text = language.triggers.without_told_end(part.text, language.lexicon)
        if text == part.text or not read_tags(text, request.language).keeps:
            return []
        house = await self.conditions.reader.async_house(request.language)
        if read_schedule(text, house.lexicon, self.clock, house):
            return []
        kept = await self.conditions.reader.async_kept(request, text)
        return brought_about(self.hass, kept) if kept else []

    async def _async_kept_until(
        self, request: RoutingRequest, part: RoutedPart, house: HomeLexicon
    ) -> Sequence[RoutedPart]:
        """Return what is left so "until she goes to bed at half past seven", at that time; [] for any other."""
        if not read_tags(part.text, request.language).keeps or "?" in part.text:
            return []
        said = read_schedule(part.text, house.lexicon, self.clock, house)
        if found := kept_until(part.text, said, request.language, house):
            return await self._async_planned(request, part, *found, None)
        return []

    async def _async_then(
        self, request: RoutingRequest, command: str, then: str, schedule: Schedule
    ) -> Sequence[RoutedPart]:
        """Return a command for now, and what is to be done at its end planned in place of putting it back."""
        own = await self._async_read(request, command, None)
        both = await self._async_read(request, f"{command}, {then}", None) if own else ()
        rest = added_to(own, both)
        if schedule.start or not rest:
            return []
        if says_to_keep(request, command, own):
            kept = await self.conditions.reader.async_kept(request, command)
            own = brought_about(self.hass, kept)
        at_end = Schedule(start=schedule.until)
        return [*own, *self._scheduled(request, RoutedPart(then), then, at_end, rest)]

    async def _async_ending(
        self, request: RoutingRequest, house: HomeLexicon, text: str
    ) -> ReadTrigger | None:
        """Return what ends the command of a text, None where it has no such end, or one of the clock.

        "And then back to normal" says nothing more: what is done until then is put back.
        """
        words = request.language.triggers
        if not next(words.split_end(text, house.lexicon), None):
            return None
        text = without_back(text, house.lexicon)
        if not (said := next(words.split_end(text, house.lexicon), None)):
            return None
        timed = read_schedule(text, house.lexicon, self.clock, house)
        # "Fino a quando" has a word that asks, and after an end a verb comes first.
        asks = read_tags(said.command, request.language).is_question
        is_question = asks and text.lstrip().startswith(said.command)
        if is_question or (timed and timed.schedule.ends):
            return None
        if await self.conditions.reader.async_takes_freely(request, text):
            return None
        reader = await self.conditions.async_reader(request, house)
        speaker = person_who_speaks(self.hass, request, reader)
        return read_trigger(text, reader, words, dt_util.now(), speaker, is_end=True)

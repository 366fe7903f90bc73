"""Reading tier: commands that are understood word by word, in any order, without a model."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..domains.registry import table_of
from ..home.catalog import CatalogSource
from ..home.names import letters_of
from ..home.speaker import own_satellites
from ..nlu.ahead import TELL_AHEAD, WEATHER, read_ahead
from ..nlu.announcement_reader import AnnouncementReader
from ..nlu.announcing_persons import find_persons
from ..nlu.corrections import read_completion, read_corrected, read_correction, read_more
from ..nlu.frame_models import MissingSlot, ReadCommand
from ..nlu.halted import read_halt
from ..nlu.house import HomeLexicon
from ..nlu.lexicon import Role, holds_any
from ..nlu.loader import DEFAULT_LANGUAGE, Language, async_get_language
from ..nlu.near_names import NearNames, read_positions
from ..nlu.questions import QuestionReader, ReadQuestion
from ..nlu.reader import Reader
from ..nlu.reading import read_tags
from ..nlu.references import (
    NOTHING,
    LastCommand,
    from_targets,
    read_elsewhere,
    read_others,
    read_repeated,
)
from ..nlu.remarks import requested
from ..nlu.reminders import Reminder, read_reminder
from ..nlu.spans import cover_text
from ..nlu.times import names_timer, read_fade
from ..nlu.tokens import MAX_COMMAND, spoken_words
from ..nlu.trigger_words import TriggerSentence
from ..nlu.triggers import lacks_owner
from ..nlu.wishes import as_too, read_wish, read_wished
from ..policy.file import satellites_of_persons
from .lists import ListRouter
from .models import Source
from .read_parts import guessed, is_numbered, missing, native_intent, own_answer
from .router import RoutedPart, RoutingRequest, reply_directly
from .timers import complete_timer, route_timer

# After this many entities the event loop gets a turn, while the index of a home is built.
_ENTITIES_AT_ONCE = 50


@dataclass(slots=True)
class ReadingRouter:
    """Assigns the parts of a sentence that the compositional reader understands."""

    hass: HomeAssistant
    catalog: CatalogSource
    _houses: dict[str, HomeLexicon] = field(default_factory=dict)
    _near: dict[str, tuple[HomeLexicon, NearNames]] = field(default_factory=dict)

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts, each open one as it is read."""
        routed: list[RoutedPart] = []
        for part in parts:
            is_open = not (part.assignment or part.is_unread)
            found = await self.async_read(request, part.text) if is_open else []
            routed += found or [part]
        return routed

    async def async_read(
        self, request: RoutingRequest, text: str, *, plays: bool = True
    ) -> list[RoutedPart]:
        """Return the parts of a text, each assigned; [] where it is not understood as a whole.

        Without `plays` no word of it is taken for something to search for and play.
        """
        language = request.language
        if len(text) > MAX_COMMAND:
            return []
        house = await self.async_house(language)
        if found := await self._async_said_freely(request, text, house):
            return found
        reading = read_tags(text, language)
        if reading.is_question or reading.asks_to_be_told:
            return self._asked(request, text, house, is_asked=reading.is_question)
        if reading.is_report or lacks_owner(text, language.triggers, house):
            return []
        if not (reading.guards or reading.is_polite_request) and (
            plain := self._questions(request, house).read_plain(text)
        ):
            return [self._told(request, text, plain)]
        # "Over ten seconds" begins now, and is no time that is waited for.
        if read_tags(read_fade(text, house.lexicon)[0], language).is_deferred:
            return []
        # Each way to read it is bounded by itself; between them the event loop gets a turn.
        await asyncio.sleep(0)
        reader = self._reader(request, house)
        parts = reader.read(text, plays=plays)
        if not parts:
            await asyncio.sleep(0)
            parts = read_corrected(reader, text)
        asked = requested(text, house) if reading.is_negated or not parts else text
        if not parts and asked != text:
            parts = reader.read(asked, plays=False)
        is_negated = reading.is_negated and read_tags(asked, language).is_negated
        is_unwanted = is_negated and not any(part.has_exception for part in parts)
        if is_unwanted or all(part.is_kept or not part.is_read for part in parts):
            wished = read_wish(reader, language.references, language.wishes, text)
            parts = wished or ([] if is_unwanted else parts)
        parts = parts or read_halt(self.hass, house, request.area_id, text)
        if is_unwanted and not parts:
            return []
        found = [
            each
            for part in parts
            for each in self._assigned(request, part) or [RoutedPart(part.text)]
        ]
        return (
            found
            or self._asked(request, text, house, is_asked=False)
            or await self._async_misheard(request, reader, text)
        )

    async def _async_said_freely(
        self, request: RoutingRequest, text: str, house: HomeLexicon
    ) -> list[RoutedPart]:
        """Return the parts of a text with words that are nobody's to understand, or with a time; [] for another."""
        announced = self._announcements(request, house).read(text)
        if any(part.actions for part in announced):
            # First of all: whatever is in a message is nobody's to understand.
            return [each for part in announced for each in self._assigned(request, part)]
        lists = ListRouter(self.hass, house, request.default_agent_id)
        if listed := await lists.async_route(request, text):
            return [listed]
        if timer := route_timer(self.hass, request, house, text, request.default_agent_id):
            return [timer]
        if announced:
            return [each for part in announced for each in self._assigned(request, part)]
        ahead = self._ahead(request, text, house)
        return [ahead] if ahead else []

    async def async_takes_freely(self, request: RoutingRequest, text: str) -> bool:
        """Return whether a time in a text is nobody's to understand: in a message, an item, or that of a timer."""
        house = await self.async_house(request.language)
        if len(text) > MAX_COMMAND:
            return False
        lists = ListRouter(self.hass, house, request.default_agent_id)
        return bool(
            any(part.actions for part in self._announcements(request, house).read(text))
            or await lists.async_route(request, text)
            or names_timer(text, house.lexicon)
        )

    async def async_announces(self, request: RoutingRequest, text: str) -> bool:
        """Return whether a text is to announce something: then an "if" or a time in it is part of the message."""
        house = await self.async_house(request.language)
        return len(text) <= MAX_COMMAND and bool(self._announcements(request, house).read(text))

    async def async_reminded(self, request: RoutingRequest, text: str) -> Sequence[RoutedPart]:
        """Return the parts of a text that reminds somebody else of something, which is not for now; () for another."""
        words = spoken_words(text[:MAX_COMMAND])
        if not holds_any(words, request.language.lexicon.announcing.remind):
            return []
        house = await self.async_house(request.language)
        reader = replace(self._announcements(request, house), reminds=True)
        read = reader.read(text) if len(text) <= MAX_COMMAND else []
        return [each for part in read for each in self._assigned(request, part)]

    async def async_with_message(
        self, request: RoutingRequest, said: TriggerSentence
    ) -> TriggerSentence:
        """Return a sentence whose command tells somebody else what is waited for where it says nothing else."""
        if read_reminder(said.command, request.language.reminders) == Reminder():
            return said
        house = await self.async_house(request.language)
        command = self._announcements(request, house).with_message(said.command, said.condition)
        return replace(said, command=command)

    async def _async_misheard(
        self, request: RoutingRequest, reader: Reader, text: str
    ) -> list[RoutedPart]:
        """Return what a text comes to with a misheard name put right, which is asked about; [] for no such name."""
        spans = cover_text(text, reader.house)
        if (
            all(span.senses or span.is_mark for span in spans)
            or read_tags(text, request.language).is_negated
        ):
            return []
        house = reader.house
        near = await self._async_near(request.language, house)
        # Of every few words it asks which of a thousand names they are like.
        found = await self.hass.async_add_executor_job(near.find, text, spans)
        counted = read_positions(text, request.language.answers.positions)
        for mended in (*counted, *found)[: request.budget.mended]:
            request.budget.mended -= 1
            await asyncio.sleep(0)
            parts = reader.read(mended, plays=False)
            acting = [each for part in parts for each in self._assigned(request, part)]
            if len(acting) == 1 and all(part.actions for part in parts):
                # "Dish washer" has all the letters of its name.
                if mended in counted and not is_numbered(house, acting[0], counted[mended]):
                    continue
                is_same = mended in counted or letters_of(mended) == letters_of(text)
                return acting if is_same else [guessed(acting[0])]
        return []

    async def _async_near(self, language: Language, house: HomeLexicon) -> NearNames:
        """Return the index of a home's names by letters and sound, made anew when the home's index was."""
        known = self._near.get(language.code)
        if known is None or known[0] is not house:
            # Of a thousand names it takes longer than the event loop may wait.
            near = await self.hass.async_add_executor_job(NearNames, house)
            known = self._near[language.code] = (house, near)
        return known[1]

    async def async_correct(
        self, request: RoutingRequest, said: str, text: str, *, is_begun: bool = False
    ) -> list[RoutedPart]:
        """Return the parts of a sentence as it is corrected by the next one; [] where that is no correction.

        What `is_begun` has had the words that say that it is one.
        """
        if max(len(said), len(text)) > MAX_COMMAND:
            return []
        house = await self.async_house(request.language)
        if read_tags(text, request.language).begins_like_question:
            return []
        parts = read_correction(self._reader(request, house), said, text, is_begun=is_begun)
        return [each for part in parts for each in self._assigned(request, part)]

    async def async_complete(
        self, request: RoutingRequest, said: str, text: str
    ) -> list[RoutedPart]:
        """Return the parts of a sentence with the value that it left out; [] where `text` has none for it."""
        house = await self.async_house(request.language)
        if len(text) > MAX_COMMAND:
            return []
        if announced := self._announcements(request, house).read_answer(said, text):
            # Whatever is in a message is nobody's to understand.
            return [each for part in announced for each in self._assigned(request, part)]
        lists = ListRouter(self.hass, house, request.default_agent_id)
        if listed := await lists.async_route(request, text, answers=said):
            return [listed]
        if timer := complete_timer(request, house, said, text, request.default_agent_id):
            return [timer]
        if read_tags(text, request.language).guards:
            return []
        parts = read_completion(self._reader(request, house), said, text)
        return [each for part in parts for each in self._assigned(request, part)]

    async def async_more(
        self, request: RoutingRequest, said: str, text: str, last: LastCommand = NOTHING
    ) -> list[RoutedPart]:
        """Return the parts of a sentence for what the next one names: "and the radio?"; [] where it says more.

        `last` is what was done, where `said` itself cannot be read.
        """
        language = request.language
        house = await self.async_house(language)
        reading, before = read_tags(text, language), read_tags(said, language)
        if max(len(said), len(text)) > MAX_COMMAND or reading.guards:
            return []
        words, named = spoken_words(text), language.references.rest(text)
        size = max((len(p) for p in language.suggestions if words[: len(p)] == p), default=0)
        reads = self._reader(request, house)
        if size and not any(part.actions for part in reads.read(text, plays=False)):
            named = text.split(maxsplit=size)[-1]
        adds = named != text or house.lexicon.adds(words)
        if listed := await self._async_more_of_list(request, said, text, last, adds=adds):
            return [listed]
        asks = self._questions(request, house)
        if before.is_question or before.asks_to_be_told or asks.read(said, is_asked=False):
            if reading.is_question and named == text and asks.read(text, is_asked=True):
                # "What's playing" is a question of its own, whatever was asked before.
                return []
            question = asks.read_more(said, named)
            return [self._told(request, text, question)] if question else []
        is_question = read_tags(named.strip("¿? "), language).is_question
        if is_question or not adds:
            return []
        parts = read_more(reads, said, named) or read_elsewhere(reads, named, last)
        return [each for part in parts for each in self._assigned(request, part)]

    async def _async_more_of_list(
        self, request: RoutingRequest, said: str, text: str, last: LastCommand, *, adds: bool
    ) -> RoutedPart | None:
        """Return the part of a text about the list that was spoken of, None for no such text and any other request."""
        house = await self.async_house(request.language)
        reading, spans = read_tags(text, request.language), cover_text(text, house)
        is_known = reading.is_question or reading.begins_with_verb or all(s.senses for s in spans)
        lists = ListRouter(self.hass, house, request.default_agent_id)
        listed = await lists.async_route_more(request, said, text, last, adds=adds and not is_known)
        return None if listed and await self.async_read(request, text) else listed

    async def async_wished(
        self, request: RoutingRequest, text: str, *, is_alone: bool = False
    ) -> list[RoutedPart]:
        """Return the parts of a text that says how something is wished to be, or `is_alone` only what; else []."""
        house, reading = await self.async_house(request.language), read_tags(text, request.language)
        if len(text) > MAX_COMMAND or reading.is_deferred or "?" in text:
            return []
        reader, words = self._reader(request, house), request.language.wishes
        parts = read_wished(reader, words, text, is_negated=reading.is_negated, is_alone=is_alone)
        return [each for part in parts for each in self._assigned(request, part)]

    async def async_requested(self, request: RoutingRequest, text: str) -> str:
        """Return a text without what only tells why something is wanted: "we leave in a minute, lights off"."""
        house = await self.async_house(request.language)
        return (len(text) <= MAX_COMMAND and requested(text, house)) or text

    async def async_refer(
        self, request: RoutingRequest, text: str, spoken: Sequence[str], last: LastCommand = NOTHING
    ) -> list[RoutedPart]:
        """Return the parts of a sentence about entities that were spoken of, or the last command; [] for others."""
        language = request.language
        house = await self.async_house(language)
        if len(text) > MAX_COMMAND:
            return []
        reader, words = self._reader(request, house, spoken), language.references
        if asked := self._asked_of_spoken(request, text, reader):
            return [asked]
        parts = read_repeated(reader, words, text, last)
        text = as_too(text, words, language.wishes, house.lexicon)
        reading = read_tags(text, language)
        if not parts and not (reading.is_question or reading.guards):
            parts = read_others(reader, words, text, last) or reader.refer(text)
        parts = from_targets(self.hass, parts, last)
        found = [each for part in parts for each in self._assigned(request, part)]
        return [each.from_source(Source.REFERENCE) for each in found]

    def _asked_of_spoken(
        self, request: RoutingRequest, text: str, reader: Reader
    ) -> RoutedPart | None:
        """Return a question about what was spoken of, None for any other text: "is it on"."""
        is_asked = read_tags(text, request.language).is_question
        alone = self._questions(request, reader.house)
        asks = replace(alone, spoken=reader.spoken)
        question = asks.read(text, is_asked=is_asked)
        is_alone = alone.read(text, is_asked=is_asked) is not None
        return self._told(request, text, question) if question and not is_alone else None

    def _reader(
        self, request: RoutingRequest, house: HomeLexicon, spoken: Sequence[str] = ()
    ) -> Reader:
        """Return the reader for a speaker, after `spoken` was spoken of."""
        known = house.catalog.entities
        return Reader(
            hass=self.hass,
            house=house,
            unit=self.hass.config.units.temperature_unit,
            area_id=request.area_id,
            is_on_device=bool(request.user_input.device_id or request.user_input.satellite_id),
            spoken=tuple(known[each] for each in spoken if each in known),
        )

    def _questions(self, request: RoutingRequest, house: HomeLexicon) -> QuestionReader:
        """Return the reader of questions for a speaker."""
        return QuestionReader(hass=self.hass, house=house, area_id=request.area_id)

    def _announcements(self, request: RoutingRequest, house: HomeLexicon) -> AnnouncementReader:
        """Return the reader of announcements for a speaker."""
        said = request.user_input
        owned = satellites_of_persons(self.hass)
        return AnnouncementReader(
            reader=self._reader(request, house),
            language=request.language.code,
            own=own_satellites(self.hass, said.satellite_id, said.device_id),
            persons=find_persons(self.hass, owned, request.rights.may_read),
        )

    def _asked(
        self, request: RoutingRequest, text: str, house: HomeLexicon, *, is_asked: bool
    ) -> list[RoutedPart]:
        """Return a question assigned to the agent of the home, [] where it is not understood."""
        reader = self._questions(request, house)
        question = reader.read(text, is_asked=is_asked)
        question = question or reader.read_outside(text, request.language.outdoors)
        return [self._told(request, text, question)] if question else []

    def _ahead(self, request: RoutingRequest, text: str, house: HomeLexicon) -> RoutedPart | None:
        """Return a question about a day to come, None for anything else: a command with a day in it is none."""
        language = request.language
        reading = read_tags(text, language)
        is_asked = reading.is_question or reading.asks_to_be_told
        commands = not language.verbs.isdisjoint(spoken_words(text))
        if not is_asked and (commands or reading.is_conditional):
            return None
        if (found := read_ahead(text, language.ahead)) is None:
            return None
        about, day = found
        places = (span for span in cover_text(text, house, is_command=False))
        if about == WEATHER and any(s.has(Role.PLACE) or s.has(Role.HERE) for s in places):
            # How warm it will be in a room no forecast tells.
            return None
        intent = Command(f"{request.default_agent_id}/{TELL_AHEAD}", {"about": about, "day": day})
        reason = f"It asks about a day to come: {about}."
        return RoutedPart(text).assigned(
            request.default_agent_id, Source.READER, reason, intent=intent
        )

    def _told(self, request: RoutingRequest, text: str, question: ReadQuestion) -> RoutedPart:
        """Return a question assigned to whoever answers it from the states."""
        reason = "Every word of the question is understood."
        domain, name = own_answer(question)
        if name and (agent_id := request.agent_of(domain)):
            intent = Command(f"{agent_id}/{name}", {}, question.entity_ids)
            return RoutedPart(text).assigned(agent_id, Source.READER, reason, intent=intent)
        intent = Command(
            f"{request.default_agent_id}/tell",
            {name: value for name, value in asdict(question).items() if name != "entity_ids"},
            question.entity_ids,
        )
        return RoutedPart(text).assigned(
            request.default_agent_id, Source.READER, reason, intent=intent
        )

    async def async_kept(self, request: RoutingRequest, text: str) -> Sequence[RoutedPart]:
        """Return the parts of a text with what it says to leave on or off made so; () where it says nothing else."""
        house = await self.async_house(request.language)
        reader = replace(self._reader(request, house), brings_about=True)
        parts = reader.read(text, plays=False)
        is_read = all(part.actions and not part.closed for part in parts)
        return [each for part in parts for each in self._assigned(request, part)] if is_read else ()

    @property
    def languages(self) -> tuple[str, ...]:
        """Return the codes of the languages with an index of the home."""
        return tuple(self._houses)

    async def async_prepare(self, language: Language) -> None:
        """Make the indexes of the home in a language, in steps between which the event loop gets a turn."""
        await self._async_near(language, await self.async_house(language))

    async def async_house(self, language: Language) -> HomeLexicon:
        """Return the index of the home in a language, made anew when the catalog has changed."""
        catalog = await self.catalog.async_get()
        house = self._houses.get(language.code)
        if house is None or house.catalog is not catalog:
            english = await async_get_language(self.hass, DEFAULT_LANGUAGE)
            names = None if english is language else english.lexicon
            house = HomeLexicon(catalog, language.lexicon, names)
            for count, entity in enumerate(catalog.entities.values()):
                if count % _ENTITIES_AT_ONCE == _ENTITIES_AT_ONCE - 1:
                    await asyncio.sleep(0)
                house.add(self.hass, entity)
            self._houses[language.code] = house
        return house

    def _assigned(self, request: RoutingRequest, part: ReadCommand) -> list[RoutedPart]:
        """Return a part that was read, once for each of its actions."""
        if part.is_kept:
            words = request.language.say("again.canceled")
            return [
                RoutedPart(
                    part.text,
                    reply_directly(part.text, words, "It is to stay as it is.", topic="keep"),
                )
            ]
        if part.lacking:
            return [self._lacking(request, part.text, part.lacking)]
        if part.is_missing:
            return [RoutedPart(part.text, missing(request.language, part))]
        acting = [
            self._acting(request, part.text, action, has_exception=part.has_exception)
            for action in part.actions
        ]
        if not part.closed:
            return acting
        words = request.language.say(
            "again.closed", names=request.language.join(part.closed, "and")
        )
        left = reply_directly(
            part.text, words, "What opens the house has to be named.", topic="keep"
        )
        return [*acting, RoutedPart(part.text, left)]

    def _lacking(self, request: RoutingRequest, text: str, lacking: MissingSlot) -> RoutedPart:
        """Return a part that lacks a value, assigned to the agent that asks for it."""
        agent_id = request.agent_of(lacking.domain) or request.default_agent_id
        intent = Command(f"{agent_id}/set", {}, lacking.targets, missing=lacking.measure)
        reason = f"It does not say which {lacking.measure}."
        return RoutedPart(text).assigned(agent_id, Source.READER, reason, intent=intent)

    def _acting(
        self, request: RoutingRequest, text: str, action: Command, *, has_exception: bool
    ) -> RoutedPart:
        """Return a part assigned to the agent of an action's domain."""
        agent_id = request.agent_of(action.domain) or request.default_agent_id
        name, slots = f"{agent_id}/{action.name}", dict(action.parameters)
        table = table_of(action.domain)
        row = table.action(action.name) if table else None
        if row and agent_id != request.default_agent_id:
            name, slots = native_intent(row, slots) or (name, slots)
        intent = replace(action, name=name, parameters=slots, is_without_others=has_exception)
        reason = "Every word of it is understood."
        return RoutedPart(text).assigned(agent_id, Source.READER, reason, intent=intent)

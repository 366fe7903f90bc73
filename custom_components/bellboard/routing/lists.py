"""Requests about to-do lists: which list is meant, and what is wanted of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..domains.todo import open_items
from ..home.catalog import CatalogEntity
from ..nlu.house import HomeLexicon
from ..nlu.listing import ANY, LIST_REQUEST, OTHER, TASKS, ListReader, ListRequest, ListWish
from ..nlu.loader import DEFAULT_LANGUAGE, Language, async_get_language
from ..nlu.reading import read_tags
from ..nlu.references import LastCommand
from ..nlu.tokens import Phrase, spoken_words
from .models import Source
from .router import RoutedPart, RoutingRequest


@dataclass(frozen=True, slots=True)
class ListRouter:
    """Assigns requests about the lists of a home to the agent with `agent_id`."""

    hass: HomeAssistant
    house: HomeLexicon
    agent_id: str

    async def async_route(
        self, request: RoutingRequest, text: str, *, answers: str = ""
    ) -> RoutedPart | None:
        """Return the part of a request about a list, or of what `answers` lacked; None for no such request."""
        reader = self._reader(request.language)
        found = reader.read_answer(answers, text) if answers else reader.read(text)
        return await self._async_routed(request, text, found)

    async def async_route_more(
        self, request: RoutingRequest, said: str, text: str, last: LastCommand, *, adds: bool
    ) -> RoutedPart | None:
        """Return the part of a text about the list that `said` or `last` was about, None for no such text."""
        spoken = {each.entity_id for each in last.entities}
        lists = tuple(each.entity_id for each in self._lists if each.entity_id in spoken)
        found = self._reader(request.language).read_more(said, text, lists, adds=adds)
        return await self._async_routed(request, text, found)

    def _reader(self, language: Language) -> ListReader:
        """Return the reader of requests about the lists of the home."""
        lists = [each.entity_id for each in self._lists]
        return ListReader(
            words=language.lists,
            lexicon=self.house.lexicon,
            named={each.entity_id: [*map(spoken_words, each.names)] for each in self._lists},
            held={each: open_items(self.hass, each) for each in lists},
            polite=self.house.lexicon.announcing.polite,
        )

    async def _async_routed(
        self, request: RoutingRequest, text: str, found: ListRequest | None
    ) -> RoutedPart | None:
        """Return the part of a request about a list, None where there is none."""
        reading = read_tags(text, request.language)
        is_done = found is not None and found.wish is ListWish.COMPLETE
        if found is None or (is_done and (reading.is_question or reading.guards)):
            return None
        command = await self._async_command(request.language, found)
        return RoutedPart(text).assigned(
            self.agent_id, Source.READER, "It is about a list.", intent=command
        )

    async def _async_command(self, language: Language, found: ListRequest) -> Command:
        """Return a request as the intent of its agent, which asks for the items that it lacks."""
        if found.lacks_items:
            return Command(f"{self.agent_id}/set", missing="item")
        english = await async_get_language(self.hass, DEFAULT_LANGUAGE)
        targets = found.lists or _unnamed_list(self._lists, found.kind, language, english)
        if found.wish is ListWish.WHICH:
            targets = tuple(each.entity_id for each in self._lists)
        slots = {"wish": found.wish, "items": found.items, "is_unsaid": found.is_unsaid}
        return Command(f"{self.agent_id}/{LIST_REQUEST}", slots, targets)

    @property
    def _lists(self) -> Sequence[CatalogEntity]:
        """Return the exposed lists."""
        return self.house.catalog.by_domain.get("todo", ())


def _unnamed_list(
    lists: Sequence[CatalogEntity], kind: str, *languages: Language
) -> tuple[str, ...]:
    """Return the list that is meant without its name, by its `kind`; all without one."""
    found = [each for each in lists if _is_called(each, [w.lists.shopping for w in languages])]
    others = [each for each in lists if each not in found]
    tasks = [each for each in others if _is_called(each, [w.lists.tasks for w in languages])]
    if not kind:
        # "Mark the milk as done": on whichever list it is.
        return tuple(each.entity_id for each in lists)
    if kind == TASKS:
        found = tasks or others[: len(others) == 1]
    elif kind == OTHER:
        found = []
    if not found and kind == ANY and len(lists) == 1:
        found = [*lists]
    return tuple(each.entity_id for each in found[:1])


def _is_called(entity: CatalogEntity, words: Sequence[Sequence[Phrase]]) -> bool:
    """Return whether a list has one of some names."""
    return not {*chain(*words)}.isdisjoint(map(spoken_words, entity.names))

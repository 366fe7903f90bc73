"""Requests about to-do lists: which list is meant, and what is wanted of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..home.catalog import CatalogEntity
from ..nlu.house import HomeLexicon
from ..nlu.listing import ANY, LIST_REQUEST, ListReader, ListRequest
from ..nlu.loader import DEFAULT_LANGUAGE, Language, async_get_language
from ..nlu.tokens import spoken_words
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
        reader = ListReader(
            words=request.language.lists,
            named={each.entity_id: [*map(spoken_words, each.names)] for each in self._lists},
            polite=self.house.lexicon.announcing.polite,
        )
        found = reader.read_answer(answers, text) if answers else reader.read(text)
        if found is None:
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
        slots = {"wish": found.wish, "items": found.items, "is_unsaid": found.is_unsaid}
        return Command(f"{self.agent_id}/{LIST_REQUEST}", slots, targets)

    @property
    def _lists(self) -> Sequence[CatalogEntity]:
        """Return the exposed lists."""
        return self.house.catalog.by_domain.get("todo", ())


def _unnamed_list(
    lists: Sequence[CatalogEntity], kind: str, *languages: Language
) -> tuple[str, ...]:
    """Return the list that is meant without its name: the one for shopping, else the only one; all without a `kind`."""
    called = {name for language in languages for name in language.lists.shopping}
    found = [each for each in lists if not called.isdisjoint(map(spoken_words, each.names))]
    if not kind:
        # "Mark the milk as done": on whichever list it is.
        return tuple(each.entity_id for each in lists)
    if not found and kind == ANY and len(lists) == 1:
        found = [*lists]
    return tuple(each.entity_id for each in found[:1])

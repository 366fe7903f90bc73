"""Rain tier: whether it rains now, by a rain sensor, else by the weather."""

from dataclasses import dataclass
from typing import override

from homeassistant.core import HomeAssistant

from ..home.catalog import Catalog, CatalogSource
from ..nlu.phrase_lists import AheadWords
from ..nlu.rain import find_rain_sources, is_raining
from ..nlu.tokens import MAX_COMMAND, spoken_words
from .models import Source
from .router import OpenPartRouter, RoutedPart, RoutingRequest, reply_directly


@dataclass(frozen=True, slots=True)
class RainRouter(OpenPartRouter):
    """Answers whether it rains, and says so where nothing that the speaker may know of tells it."""

    hass: HomeAssistant
    catalog: CatalogSource

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> list[RoutedPart]:
        """Return a part with its answer, if it asks whether it rains."""
        words = request.language.ahead
        if len(part.text) > MAX_COMMAND or spoken_words(part.text) not in words.raining:
            return [part]
        readable = request.rights.readable(await self.catalog.async_get())
        rains = self._rains(readable, words)
        key = "not_known" if rains is None else "yes" if rains else "no"
        reply = request.language.say(f"tell.{key}")
        told = "A rain sensor or the weather tells it, or nothing does."
        answer = reply_directly(part.text, reply, told, Source.READER, topic="rain")
        return [RoutedPart(part.text, answer)]

    def _rains(self, readable: Catalog, words: AheadWords) -> bool | None:
        """Return whether it rains, None where nothing tells it, or several contradict each other."""
        sources = find_rain_sources(self.hass, readable, words.rain)
        states = (self.hass.states.get(each.entity_id) for each in sources)
        told = {is_raining(state) for state in states if state} - {None}
        return told.pop() if len(told) == 1 else None

"""Rain tier: whether it rains now, by a rain sensor, else by the weather."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import override

from homeassistant.const import ATTR_DEVICE_CLASS, STATE_ON
from homeassistant.core import HomeAssistant, State

from ..home.catalog import Catalog, CatalogSource
from ..nlu.happenings import RAINY
from ..nlu.measures import UNKNOWN_STATES
from ..nlu.phrase_lists import AheadWords
from ..nlu.tokens import MAX_COMMAND, spoken_words
from .models import Source
from .router import OpenPartRouter, RoutedPart, RoutingRequest, reply_directly

_INTENSITY = "precipitation_intensity"
# Of these, what is called after rain tells whether it rains.
_WET = frozenset({"moisture", None})


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
        get = self.hass.states.get
        for domain in ("binary_sensor", "sensor", "weather"):
            states = (
                (entity, get(entity.entity_id)) for entity in readable.by_domain.get(domain, ())
            )
            told = {
                _tells(state, is_called=_is_called(entity.names, words.rain))
                for entity, state in states
                if state and state.state not in UNKNOWN_STATES
            } - {None}
            if told:
                return told.pop() if len(told) == 1 else None
        return None


def _tells(state: State, *, is_called: bool) -> bool | None:
    """Return whether a state tells that it rains, None where it is about something else."""
    kind = state.attributes.get(ATTR_DEVICE_CLASS)
    if state.domain == "weather":
        return state.state in RAINY
    if state.domain == "binary_sensor":
        return state.state == STATE_ON if is_called and kind in _WET else None
    try:
        return float(state.state) > 0 if kind == _INTENSITY else None
    except ValueError:
        return None


def _is_called(names: Iterable[str], rain: tuple[str, ...]) -> bool:
    """Return whether a word of a name begins with a word for rain."""
    return any(word.startswith(rain) for name in names for word in spoken_words(name))

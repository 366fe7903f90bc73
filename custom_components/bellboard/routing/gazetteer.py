"""Gazetteer tier: free wordings that Home Assistant's second reader understands, without a model.

"Kitchen lights to half" is no sentence of Home Assistant's, and yet its agent would carry it out. Here
each request that is read becomes the plan of the specialist it is for.
"""

from dataclasses import dataclass
from typing import override

from homeassistant.core import HomeAssistant

from ..domains.models import Command
from ..home.catalog import CatalogSource
from ..nlu.gazetteer import async_match
from .models import Source
from .router import OpenPartRouter, RoutedPart, RoutingRequest


@dataclass(frozen=True, slots=True)
class GazetteerRouter(OpenPartRouter):
    """Assigns the open parts in which every name is exact, and questions about states.

    What is not for one specialist each goes to `default_agent_id`: Home Assistant understands it.
    """

    hass: HomeAssistant
    catalog: CatalogSource
    default_agent_id: str

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> list[RoutedPart]:
        """Return a part with an assignment for each request in it, or for all of it."""
        reading = await async_match(
            self.hass,
            part.text,
            request.user_input.language,
            version=(await self.catalog.async_get()).version,
            area_id=request.area_id,
        )
        is_question = request.language.asks(part.text)
        if reading is None or not (reading.is_exact or (is_question and reading.is_telling)):
            return [part]
        assigned = [
            _assigned(part, card.id, intent.name, intent)
            for intent in reading.intents
            if reading.is_exact and (card := request.card_for(intent))
        ]
        if len(assigned) == len(reading.intents):
            return assigned
        said = " and ".join(intent.name for intent in reading.intents)
        return [_assigned(part, self.default_agent_id, said)]


def _assigned(
    part: RoutedPart, agent_id: str, said: str, intent: Command | None = None
) -> RoutedPart:
    """Return a part assigned for one intent, or as a whole to the agent that reads it by itself."""
    reason = f"The names in it and its words say {said}."
    return part.assigned(agent_id, Source.GAZETTEER, reason, intent=intent)

"""Routes free wordings that Home Assistant's second reader understands, without a model.

"Kitchen lights to half" is no sentence of Home Assistant's, and yet its agent would carry it out. Here
each request that is read becomes the plan of the specialist it is for.
"""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant

from ..agents.models import AgentCard
from ..home.catalog import CatalogSource
from ..plans.gazetteer import async_read
from ..plans.models import RecognizedIntent
from .models import Assignment, Source
from .router import Part, RoutingRequest


class GazetteerRouter:
    """Assigns the open parts in which every name was said as it is."""

    def __init__(self, hass: HomeAssistant, catalog: CatalogSource) -> None:
        """Remember where the names are."""
        self._hass = hass
        self._catalog = catalog

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Return the parts; one with several requests becomes as many."""
        routed: list[Part] = []
        for part in parts:
            routed += [part] if part.assignment else await self._async_route_part(request, part)
        return routed

    async def _async_route_part(self, request: RoutingRequest, part: Part) -> list[Part]:
        """Return a part with an assignment for each request in it, or open where one is for nobody."""
        reading = await async_read(
            self._hass,
            part.text,
            request.user_input.language,
            version=(await self._catalog.async_get()).version,
            area_id=request.area_id,
        )
        if reading is None or not reading.is_exact:
            return [part]
        assigned = [
            Part(part.text, _assignment(part.text, card, intent))
            for intent in reading.intents
            if (card := request.card_for(intent))
        ]
        return assigned if len(assigned) == len(reading.intents) else [part]


def _assignment(text: str, card: AgentCard, intent: RecognizedIntent) -> Assignment:
    """Return the assignment of one request."""
    return Assignment(
        agent_id=card.id,
        instruction=text,
        confidence=1.0,
        source=Source.GAZETTEER,
        reason=f"The names in it and its words say {intent.name}.",
        intent=intent,
    )

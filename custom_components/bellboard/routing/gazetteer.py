"""Routes free wordings that Home Assistant's second reader understands, without a model.

"Kitchen lights to half" is no sentence of Home Assistant's, and yet its agent would carry it out. Here
each request that is read becomes the plan of the specialist it is for.
"""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant

from ..home.catalog import CatalogSource
from ..nlu.gazetteer import async_read
from ..plans.models import RecognizedIntent
from .models import Assignment, Source
from .router import Part, RoutingRequest


class GazetteerRouter:
    """Assigns the open parts in which every name was said as it is, or something is only told.

    What is not for one specialist each goes to `home_agent_id`: Home Assistant understands it.
    """

    def __init__(self, hass: HomeAssistant, catalog: CatalogSource, home_agent_id: str) -> None:
        """Remember where the names are, and who hands over to Home Assistant."""
        self._hass = hass
        self._catalog = catalog
        self._home_agent_id = home_agent_id

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Return the parts; one with several requests becomes as many."""
        routed: list[Part] = []
        for part in parts:
            routed += [part] if part.assignment else await self._async_route_part(request, part)
        return routed

    async def _async_route_part(self, request: RoutingRequest, part: Part) -> list[Part]:
        """Return a part with an assignment for each request in it, or for all of it."""
        reading = await async_read(
            self._hass,
            part.text,
            request.user_input.language,
            version=(await self._catalog.async_get()).version,
            area_id=request.area_id,
        )
        is_question = request.language.asks(part.text)
        if reading is None or not (reading.is_exact or (is_question and reading.is_telling)):
            return [part]
        assigned = [
            Part(part.text, _assignment(part.text, card.id, intent.name, intent))
            for intent in reading.intents
            if reading.is_exact and (card := request.card_for(intent))
        ]
        if len(assigned) == len(reading.intents):
            return assigned
        said = " and ".join(intent.name for intent in reading.intents)
        return [Part(part.text, _assignment(part.text, self._home_agent_id, said))]


def _assignment(
    text: str, agent_id: str, said: str, intent: RecognizedIntent | None = None
) -> Assignment:
    """Return the assignment of one request, or of a whole text to whoever reads it by itself."""
    return Assignment(
        agent_id=agent_id,
        instruction=text,
        confidence=1.0,
        source=Source.GAZETTEER,
        reason=f"The names in it and its words say {said}.",
        intent=intent,
    )

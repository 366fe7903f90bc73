"""Reflex tier: sentences that Home Assistant's recogniser understands, without a model."""

from dataclasses import dataclass
from typing import override

from hassil.recognize import RecognizeResult
from homeassistant.core import HomeAssistant

from ..nlu.recognition import async_recognize, to_recognized_intent
from ..plans.models import RecognizedIntent
from .models import Source
from .parts import split_requests
from .router import OpenPartRouter, Part, RoutingRequest


@dataclass(frozen=True, slots=True)
class ReflexRouter(OpenPartRouter):
    """Routes by Home Assistant's recogniser, without executing anything.

    An intent that one agent declares, for entities of that agent's domains, becomes its plan. Every
    other intent goes to `home_agent_id`, which hands over to Home Assistant.
    """

    hass: HomeAssistant
    home_agent_id: str

    @override
    async def _async_route_part(self, request: RoutingRequest, part: Part) -> list[Part]:
        """Return a part with its assignment, or the requests in it with theirs.

        A free-text slot takes any words, so "play jazz and dim the lights" would be one search for
        "jazz and dim the lights". A sentence with several requests and such a slot is therefore
        read request by request.
        """
        requests = split_requests(part.text, request.language)
        whole = await self._async_recognize(request, part.text)
        if len(requests) < 2 or (whole and not any(e.is_wildcard for e in whole.entities.values())):
            return [self._assigned(request, part.text, whole)]
        recognized = [await self._async_recognize(request, text) for text in requests]
        if not any(recognized) and (whole or request.model is None):
            return [self._assigned(request, part.text, whole)]
        return [
            self._assigned(request, text, result)
            for text, result in zip(requests, recognized, strict=True)
        ]

    async def _async_recognize(self, request: RoutingRequest, text: str) -> RecognizeResult | None:
        """Return what Home Assistant understands, or None."""
        return await async_recognize(self.hass, request.user_input, text)

    def _assigned(self, request: RoutingRequest, text: str, result: RecognizeResult | None) -> Part:
        """Return a part with the agent for a recognised intent, or without where there is none."""
        if result is None:
            return Part(text)
        intent = to_recognized_intent(self.hass, result, request.area_id)
        if _is_searched_for_later(request, intent):
            return Part(text)
        card = request.card_for(intent)
        agent_id = card.id if card else self.home_agent_id
        reason = f"Home Assistant recognised {intent.name}."
        return Part(text).assigned(agent_id, Source.REFLEX, reason, intent=intent)


def _is_searched_for_later(request: RoutingRequest, intent: RecognizedIntent) -> bool:
    """Return whether a text to search for ends with when to play it ("jazz at six")."""
    query = str(intent.slots.get("search_query", ""))
    found = request.language.guards["later"].search(query)
    return found is not None and found.start() > 0

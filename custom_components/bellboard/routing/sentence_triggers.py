"""Sentence trigger tier: sentences that an automation waits for, which Home Assistant's own agent answers."""

from dataclasses import dataclass
from typing import override

from homeassistant.core import HomeAssistant

from ..nlu.recognition import async_find_trigger
from .models import Source
from .router import OpenPartRouter, RoutedPart, RoutingRequest


@dataclass(frozen=True, slots=True)
class SentenceTriggerRouter(OpenPartRouter):
    """Assigns the open parts that are a sentence trigger's to the default agent, which hands over."""

    hass: HomeAssistant

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> list[RoutedPart]:
        """Return a part with its agent, if an automation waits for it."""
        if await async_find_trigger(self.hass, request.user_input, part.text) is None:
            return [part]
        reason = "An automation waits for it."
        return [part.assigned(request.default_agent_id, Source.REFLEX, reason)]

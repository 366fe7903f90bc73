"""Native tier: sentences that Home Assistant's own agent would answer, though no reader takes them.

A sentence that an automation waits for: without a model Home Assistant answers it, and so it does
with one. A model is asked only for what is left.
"""

from dataclasses import dataclass
from typing import override

from homeassistant.core import HomeAssistant

from ..nlu.recognition import async_find_trigger, async_recognize
from .models import Source
from .router import OpenPartRouter, Part, RoutingRequest


@dataclass(frozen=True, slots=True)
class NativeRouter(OpenPartRouter):
    """Assigns the open parts that Home Assistant's own agent would answer."""

    hass: HomeAssistant
    default_agent_id: str

    @override
    async def _async_route_part(self, request: RoutingRequest, part: Part) -> list[Part]:
        """Return a part with its agent, if Home Assistant has an answer to it."""
        user_input, text = request.user_input, part.text
        if await async_find_trigger(self.hass, user_input, text) is None:
            found = await async_recognize(self.hass, user_input, text)
            if found is None:
                return [part]
        reason = "Home Assistant has an answer to it."
        return [part.assigned(self.default_agent_id, Source.REFLEX, reason)]

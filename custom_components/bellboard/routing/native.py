"""Routes what Home Assistant's own agent has an answer to, though no reader takes it.

A sentence that an automation waits for, or one about a thing that is not exposed: without a model
Home Assistant answers it, and so it does with one. A model is asked only for what is left.
"""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant

from ..nlu.recognition import async_is_trigger, async_recognize
from .models import Assignment, Source
from .router import Part, RoutingRequest


class NativeRouter:
    """Assigns the open parts that Home Assistant's own agent would answer."""

    def __init__(self, hass: HomeAssistant, home_agent_id: str) -> None:
        """Remember who hands over to Home Assistant."""
        self._hass = hass
        self._home_agent_id = home_agent_id

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Return the parts, those that are understood with their agent."""
        return [
            part if part.assignment else await self._async_route_part(request, part)
            for part in parts
        ]

    async def _async_route_part(self, request: RoutingRequest, part: Part) -> Part:
        """Return a part with its agent, if Home Assistant has an answer to it."""
        user_input, text = request.user_input, part.text
        if not await async_is_trigger(self._hass, user_input, text):
            found = await async_recognize(self._hass, user_input, text, strict=False)
            if found is None:
                return part
        return Part(
            text,
            Assignment(
                agent_id=self._home_agent_id,
                instruction=text,
                confidence=1.0,
                source=Source.REFLEX,
                reason="Home Assistant has an answer to it.",
            ),
        )

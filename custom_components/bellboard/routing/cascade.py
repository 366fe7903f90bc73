"""The router cascade: one router after the other, for the parts that have no agent yet."""

from collections.abc import Sequence

from .models import Assignment, Route, Source
from .router import Part, Router, RoutingRequest


class Cascade:
    """Routers in order, cheapest first; a part that none of them takes goes to the default agent."""

    def __init__(self, routers: Sequence[Router], default_agent_id: str) -> None:
        """Keep the routers and the agent for what is left."""
        self._routers = tuple(routers)
        self._default_agent_id = default_agent_id

    async def async_route(self, request: RoutingRequest) -> Route:
        """Return who answers which part of the sentence."""
        parts: Sequence[Part] = (Part(request.user_input.text),)
        for router in self._routers:
            parts = await router.async_route(request, parts)
        return Route(tuple(part.assignment or self._default(part) for part in parts))

    def _default(self, part: Part) -> Assignment:
        """Return the assignment of a part that no router took."""
        return Assignment(
            agent_id=self._default_agent_id,
            instruction=part.text,
            confidence=0.0,
            source=Source.DEFAULT,
            reason="No router was sure.",
        )

"""The router cascade: one router after the other, for the parts that have no agent yet."""

from collections.abc import Sequence
from dataclasses import dataclass

from .models import Assignment, Route, Source
from .router import Part, Router, RoutingRequest


@dataclass(frozen=True, slots=True)
class Cascade:
    """Routers in order, cheapest first; a part that none of them takes goes to the default agent."""

    routers: Sequence[Router]
    default_agent_id: str

    async def async_route(self, request: RoutingRequest) -> Route:
        """Return who answers which part of the sentence."""
        parts: Sequence[Part] = (Part(request.user_input.text),)
        for router in self.routers:
            parts = await router.async_route(request, parts)
        return Route(tuple(part.assignment or self._default(part) for part in parts))

    def _default(self, part: Part) -> Assignment:
        """Return the assignment of a part that no router took."""
        return Assignment(
            agent_id=self.default_agent_id,
            instruction=part.text,
            confidence=0.0,
            source=Source.DEFAULT,
            reason="No router was sure.",
        )

"""Stops what must not be carried out now: requests for later, with a condition, or negated.

Home Assistant's recogniser comes first and knows what it can defer ("in ten minutes"). What it does
not know would be acted on at once by anyone who only reads the rest of the sentence.
"""

from collections.abc import Sequence

from ..agents.models import FALLBACK_AGENT_ID
from .models import Assignment, Source
from .router import Part, RoutingRequest


class GuardRouter:
    """Declines requests that are not for now."""

    async def async_route(self, request: RoutingRequest, parts: Sequence[Part]) -> list[Part]:
        """Assign the open parts that must not be carried out to the agent that says so."""
        return [part if part.assignment else _guarded(request, part) for part in parts]


def _guarded(request: RoutingRequest, part: Part) -> Part:
    """Return a part as it is, or declined for the first reason its words give."""
    for reason, pattern in request.language.guards.items():
        if pattern.search(part.text):
            assignment = Assignment(
                agent_id=FALLBACK_AGENT_ID,
                instruction=part.text,
                confidence=1.0,
                source=Source.GUARD,
                reason=f"The request is not for now: {reason}.",
                decline=f"decline.{reason}",
            )
            return Part(part.text, assignment)
    return part

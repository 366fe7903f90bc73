"""Piecewise tier: a sentence that is not understood as a whole, piece by piece."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import override

from ..home.names import words_of
from .models import Source
from .router import OpenPartRouter, Part, Router, RoutingRequest

# More pieces than these are no sentence to be taken apart.
_MOST = 4


@dataclass(frozen=True, slots=True)
class PiecewiseRouter(OpenPartRouter):
    """Reads an open part piece by piece, where its first piece is understood by other routers."""

    routers: Sequence[Router]

    @override
    async def _async_route_part(self, request: RoutingRequest, part: Part) -> list[Part]:
        """Return the pieces of a part, or the part where the first of them is not understood."""
        language = request.language
        texts = [text.strip() for text in language.joins.split(part.text) if text.strip()]
        if not 1 < len(texts) <= _MOST or not language.begins_with_verb(part.text):
            return [part]
        text = part.text
        if language.is_guarded(text) or language.asks(text) or language.has_steps(text):
            return [part]
        if any(language.phrases.particles.issuperset(words_of(piece)) for piece in texts):
            # "Turn it on and off": what the second half lacks is in the first.
            return [part]
        pieces: Sequence[Part] = [Part(text) for text in texts]
        for router in self.routers:
            pieces = await router.async_route(request, pieces)
        first = pieces[0].assignment
        is_done = first is not None and first.source is not Source.GUARD
        return list(pieces) if is_done else [part]

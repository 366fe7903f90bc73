"""Last tier: of a sentence that nobody takes as a whole, what is understood by itself is done."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..nlu.lexicon import Role
from ..nlu.reading import read_tags
from ..nlu.remarks import request_behind
from ..nlu.spans import cover_text
from .models import Assignment, Source
from .parts import split_requests
from .reading import ReadingRouter
from .router import RoutedPart, RoutingRequest

# What a request says that may be an exception from another.
_OF_HOME = frozenset({Role.NAME, Role.NAME_WORD, Role.KIND, Role.PLACE, Role.HERE, Role.EXCEPT})


@dataclass(frozen=True, slots=True)
class PartlyReadRouter:
    """Reads request by request what is open, and what a model that cannot be reached was to be asked about.

    "Turn off the lamp and tell me a joke" turns off the lamp, and says what is not understood, or that the model
    cannot be reached. Where a request that is not understood speaks of the home, none is done: it may be an exception
    from the others.
    """

    reader: ReadingRouter

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts, each that nobody took in the requests that it has."""
        routed: list[RoutedPart] = []
        for part in parts:
            is_left = part.assignment is None or _is_unreached(part.assignment)
            routed += (await self._async_requests(request, part) if is_left else ()) or [part]
        return routed

    async def _async_requests(
        self, request: RoutingRequest, part: RoutedPart
    ) -> Sequence[RoutedPart]:
        """Return the requests of a part as they are read, or left as it is; () where none may be done."""
        reading = read_tags(part.text, request.language)
        if reading.guards or reading.is_negated or part.is_timed:
            return ()
        pieces = split_requests(part.text, request.language, may_ask=True)
        house = await self.reader.async_house(request.language)
        if len(pieces) < 2:
            pieces = [*(request_behind(part.text, request.language, house) or pieces)]
        if len(pieces) < 2:
            return ()
        found: list[RoutedPart] = []
        for piece in pieces:
            said = read_tags(piece, request.language)
            read = await self.reader.async_read(request, piece, plays=False)
            is_whole = bool(read) and all(e.assignment and e.assignment.intent for e in read)
            if is_whole and not said.refers:
                found += read
                continue
            if not (found or said.begins_with_verb or said.is_asked):
                # "She shouted at me, turn off the lamp": it may be that somebody else says so.
                return ()
            if any(span.has_any(_OF_HOME) for span in cover_text(piece, house)):
                return ()
            left = replace(part.assignment, instruction=piece) if part.assignment else None
            found.append(RoutedPart(piece, left))
        return found if any(each.assignment and each.assignment.intent for each in found) else ()


def _is_unreached(made: Assignment) -> bool:
    """Return whether a part is the fallback agent's as a model could not be asked about it."""
    return made.source is Source.FALLBACK and (made.decline or "").startswith("model.")

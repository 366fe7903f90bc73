"""Schedule tier for a capable model: what it says is for later is planned by the words that were said for when."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..home.names import words_of
from .models import Assignment
from .router import RoutedPart, RoutingRequest, declined
from .scheduled import ScheduleRouter


@dataclass(frozen=True, slots=True)
class ModelScheduleRouter:
    """Reads when a model's part is to be done; a part whose words for it are not understood is declined.

    A command for later is given in the words that were said: what a model adds to them nobody asked for.
    """

    schedules: ScheduleRouter

    async def async_route(
        self, request: RoutingRequest, parts: Sequence[RoutedPart]
    ) -> list[RoutedPart]:
        """Return the parts, each for later planned, for a while with its end, or declined."""
        found: list[RoutedPart] = []
        for part in parts:
            if part.assignment is None or not part.assignment.later:
                found.append(part)
            else:
                found += await self._async_planned(
                    request, part.assignment, is_whole=len(parts) == 1
                )
        return found

    async def _async_planned(
        self, request: RoutingRequest, part: Assignment, *, is_whole: bool
    ) -> Sequence[RoutedPart]:
        """Return a part planned; where it `is_whole`, it is all of the sentence."""
        command = _as_said(request.user_input.text, part, is_whole=is_whole)
        planned = command and await self.schedules.async_planned_at(
            request, command, part.later, part
        )
        return planned or [
            RoutedPart(
                part.instruction,
                declined(part.instruction, "decline.later", "When it is for is not understood."),
            )
        ]


def _as_said(text: str, part: Assignment, *, is_whole: bool) -> str:
    """Return the command of a part in words that were said, "" where the time or the command has others."""
    said = {*words_of(text)}
    if not said.issuperset(words_of(part.later)):
        return ""
    if said.issuperset(words_of(part.instruction)):
        return part.instruction
    at = text.casefold().find(part.later.casefold())
    if at < 0 or not is_whole:
        return ""
    return f"{text[:at]}{text[at + len(part.later) :]}".strip(" ,;.")

"""Vocabulary tier: a command with the words of one agent only is that agent's.

Costs no model call, and keeps a weak model from sending "22 degrees" to the music. Only requests
that begin like a command ("make it", "a bit louder") are read this way; questions and talk may
mention anything.
"""

from typing import override

from ..home.names import Words, words_of
from ..nlu.loader import Language
from .evidence import spoken_agents
from .models import Source
from .router import OpenPartRouter, RoutedPart, RoutingRequest


class VocabularyRouter(OpenPartRouter):
    """Assigns commands in which the words of exactly one agent occur."""

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> list[RoutedPart]:
        """Return a part with the agent whose words occur in it, if there is exactly one."""
        words = words_of(part.text)
        if request.is_capable:
            # It may want more than these words say: "dim lights and soft jazz".
            return [part]
        if not _is_command(words, request.language):
            return [part]
        agents = spoken_agents(request.language, request.known_cards, part.text)
        if len(agents) != 1:
            return [part]
        reason = "Only this agent's words occur in the request."
        return [part.assigned(agents[0], Source.VOCABULARY, reason)]


def _is_command(words: Words, language: Language) -> bool:
    """Return whether a request begins with a verb or a direction ("a bit louder")."""
    if words[:1] and words[0] in language.verbs:
        return True
    for found in language.directions.find(words):
        if not language.ignored.issuperset(words[found.start : found.end]):
            return language.ignored.issuperset(words[: found.start])
    return False

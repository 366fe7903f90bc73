"""Vocabulary tier: a command with the words of one agent only is that agent's.

Costs no model call, and keeps a weak model from sending "22 degrees" to the music. Only requests
that begin like a command ("make it", "a bit louder") or have a word that only commands ("lights off",
"could you dim the lamps"; for a specialist's words alone) are read this way; questions, reports and
talk may mention anything.
"""

from typing import override

from ..nlu.lexicon import Role
from ..nlu.reading import Reading, read_tags
from .evidence import spoken_agents
from .models import Source
from .router import OpenPartRouter, RoutedPart, RoutingRequest

_COMMANDING = frozenset({Role.VERB, Role.STATE, Role.MOVE})


class VocabularyRouter(OpenPartRouter):
    """Assigns commands in which the words of exactly one agent occur."""

    @override
    async def _async_route_part(
        self, request: RoutingRequest, part: RoutedPart
    ) -> list[RoutedPart]:
        """Return a part with the agent whose words occur in it, if there is exactly one."""
        if request.is_capable:
            # It may want more than these words say: "dim lights and soft jazz".
            return [part]
        reading = read_tags(part.text, request.language)
        begins = _begins_like_command(reading)
        if not begins and not _has_command(reading):
            return [part]
        agents = spoken_agents(request.language, request.known_cards, part.text)
        acting = {card.id for card in request.known_cards if card.domains}
        if len(agents) != 1 or not (begins or acting.issuperset(agents)):
            return [part]
        reason = "Only this agent's words occur in the request."
        return [part.assigned(agents[0], Source.VOCABULARY, reason)]


def _begins_like_command(reading: Reading) -> bool:
    """Return whether a request begins with a verb or a direction ("a bit louder")."""
    words, language = reading.words, reading.language
    if reading.begins_with_verb:
        return True
    for found in language.directions.find(words):
        if not language.ignored.issuperset(words[found.start : found.end]):
            return language.ignored.issuperset(words[: found.start])
    return False


def _has_command(reading: Reading) -> bool:
    """Return whether a request has a word that only commands, and is no question, report or statement."""
    words, language = reading.words, reading.language
    tells = reading.is_asked or reading.is_question or reading.tells_words
    if (
        tells
        or not language.statements.isdisjoint(words[:1])
        or language.claims.are_in(reading.text)
    ):
        return False
    roles = [{sense.role for sense in language.lexicon.senses((word,))} for word in reading.tokens]
    commands = any(own & _COMMANDING and own <= _COMMANDING | {Role.LINK} for own in roles)
    # "The heating is off" tells something.
    return commands and not any(Role.ASKING in own for own in roles)

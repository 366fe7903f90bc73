"""What the plain words of a request say about who should answer it.

A weak model sends "22 degrees" to the music; the words know better. A strong model is sure enough
of itself to overrule them.
"""

from collections.abc import Mapping, Sequence

from ..agents.models import GENERAL_AGENT_ID, AgentCard
from ..home.names import words_of
from ..language.loader import Language

# How likely a request is for an agent whose words do not occur in it, against one whose words do.
# Chosen on sentences of our own: best from 0.2 to 0.3 for the small model.
_UNSPOKEN = 0.2


def spoken_agents(language: Language, cards: Sequence[AgentCard], text: str) -> list[str]:
    """Return the ids of the agents whose words occur in a text."""
    spoken = set(words_of(text))
    return [card.id for card in cards if spoken & language.vocabulary.get(card.id, frozenset())]


def weigh(
    language: Language,
    cards: Sequence[AgentCard],
    text: str,
    distribution: Mapping[str, float],
    success: Mapping[str, float],
) -> dict[str, float]:
    """Return the probability of each agent, given the model's and what the words say.

    `distribution` is the model's, by agent id; `success` weighs agents by how they did before (1 for
    an agent not in it). Agents that act need their words; those that answer need that nobody else's
    occur. Agents without known words, such as the user's own, are left as the model has them.
    """
    spoken = set(spoken_agents(language, cards, text))
    weighed: dict[str, float] = {}
    for card in cards:
        weight = distribution.get(card.id, 0.0) * success.get(card.id, 1.0)
        ours = card.id in language.vocabulary or card.id == GENERAL_AGENT_ID
        if ours and card.id not in spoken and (card.domains or spoken):
            weight *= _UNSPOKEN
        weighed[card.id] = weight
    total = sum(weighed.values())
    if not total:
        return dict(distribution)
    return {agent_id: weight / total for agent_id, weight in weighed.items()}

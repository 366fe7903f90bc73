"""Evidence from the vocabulary: a model's distribution over agents, weighed with the words of the request.

A weak model sends "22 degrees" to the music; the words know better. A strong model is sure enough
of itself to overrule them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from ..agents.models import AgentCard
from ..home.names import words_of
from ..nlu.loader import Language

# How likely a request is for an agent whose words do not occur in it, against one whose words do.
# Chosen on sentences of our own: best from 0.2 to 0.3 for the small model.
_UNSPOKEN = 0.2


class Support(StrEnum):
    """Whose vocabulary occurs in a request: the chosen agent's own, no agent's, or only others'.

    `ONLY`: no other agent may have the request, whatever its words, as with a question.
    """

    ONLY = "only"
    OWN = "own"
    NOBODY = "nobody"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The likeliest agent for a request; `share` is its probability (0 to 1) with that of its equals.

    `weighed` are the probabilities of all agents, once the words were weighed. `is_plain`: only the
    words of this agent, or of its equals, occur.
    """

    agent_id: str
    share: float
    support: Support
    weighed: Mapping[str, float]
    is_plain: bool = False


def spoken_agents(language: Language, cards: Sequence[AgentCard], text: str) -> list[str]:
    """Return the ids of the agents whose vocabulary occurs in a text."""
    return list(spoken_words(language, cards, text))


def spoken_words(language: Language, cards: Sequence[AgentCard], text: str) -> dict[str, list[str]]:
    """Return the words of each agent's vocabulary in a text; agents without any are left out."""
    words = words_of(text)
    spoken = {
        card.id: [word for word in words if word in language.topics.get(card.id, ())]
        for card in cards
    }
    return {agent_id: said for agent_id, said in spoken.items() if said}


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
        ours = card.id in language.topics or card.talks
        if ours and card.id not in spoken and (card.domains or spoken):
            weight *= _UNSPOKEN
        weighed[card.id] = weight
    total = sum(weighed.values())
    if not total:
        return dict(distribution)
    return {agent_id: weight / total for agent_id, weight in weighed.items()}


def weigh_written(
    agent_id: str, number: float, cards: Sequence[AgentCard], success: Mapping[str, float]
) -> float:
    """Return the confidence that a model wrote for an agent, weighed with how all did before (`success` of `weigh`).

    What the model left over is for the others, in equal parts.
    """
    others = [success.get(card.id, 1.0) for card in cards if card.id != agent_id]
    own = number * success.get(agent_id, 1.0)
    left = (1 - number) * (fmean(others) if others else 1.0)
    return own / (own + left) if own else 0.0


def interchangeable(agent_id: str, cards: Sequence[AgentCard]) -> frozenset[str]:
    """Return an agent's id with those of agents that do as well in its place, because one takes over for the other."""
    rest = frozenset(card.id for card in cards if card.takes_the_rest)
    return rest if agent_id in rest else frozenset({agent_id})


def read_evidence(
    language: Language,
    cards: Sequence[AgentCard],
    text: str,
    distribution: Mapping[str, float],
    success: Mapping[str, float],
    *,
    together: Sequence[str] = (),
) -> Evidence:
    """Return the likeliest agent for a text; see `weigh` for what it is read from.

    Where a model named several agents `together`, it is the first of them, as likely as any of them.
    """
    weighed = weigh(language, cards, text, distribution, success)
    best = together[0] if together else max(weighed, key=lambda agent: weighed[agent])
    equals = interchangeable(best, cards).union(together)
    share = sum(weighed.get(agent_id, 0.0) for agent_id in equals)
    spoken = frozenset(spoken_agents(language, cards, text))
    if equals.issuperset(weighed):
        support = Support.ONLY
    elif equals.intersection(spoken):
        support = Support.OWN
    else:
        support = Support.OTHERS if spoken else Support.NOBODY
    is_plain = support is Support.OWN and equals >= spoken
    return Evidence(best, min(share, 1.0), support, weighed, is_plain)

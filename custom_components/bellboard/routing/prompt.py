"""The router's prompt: the fixed part first and byte-identical, what varies last.

Few tokens, because every one of them is read before the first answer: the agents with one line
each, no devices.
"""

from collections.abc import Sequence

from ..agents.models import AgentCard
from ..llm.models import JsonSchema, Message

_SYSTEM = """\
You route requests in a smart home. Choose the agent that should answer each request.

Agents:
{catalog}"""


def routing_messages(cards: Sequence[AgentCard], requests: Sequence[str]) -> list[Message]:
    """Return the messages that ask which agent answers each request."""
    return [
        Message(role="system", content=_SYSTEM.format(catalog=describe_agents(cards))),
        Message(role="user", content=_numbered(requests)),
    ]


def describe_agents(cards: Sequence[AgentCard]) -> str:
    """Return the catalog of agents: id, description and examples, a line each."""
    return "\n".join(
        f"- {card.id}: {card.description} Examples: {'; '.join(card.examples)}"
        if card.examples
        else f"- {card.id}: {card.description}"
        for card in cards
    )


def _numbered(requests: Sequence[str]) -> str:
    """Return the requests, numbered where there are several."""
    if len(requests) == 1:
        return f"Request: {requests[0]}"
    return "\n".join(f"Request {number}: {text}" for number, text in enumerate(requests, 1))


def choice_schema(cards: Sequence[AgentCard], requests: int) -> JsonSchema:
    """Return the schema of a choice: the agent of the first request, then one for each other.

    The names are those of the contract's AgentChoiceResult. `additionalAgents` has exactly as many
    items as there are further requests, so that each is assigned and none is invented.
    """
    agent = {"type": "string", "enum": [card.id for card in cards]}
    properties: JsonSchema = {"agentId": agent}
    if requests > 1:
        properties["additionalAgents"] = {
            "type": "array",
            "items": agent,
            "minItems": requests - 1,
            "maxItems": requests - 1,
        }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }

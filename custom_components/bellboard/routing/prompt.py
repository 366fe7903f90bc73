"""The router's prompt: the fixed part first and byte-identical, what varies last.

Few tokens, because every one of them is read before the first answer: the agents with one line
each, no devices.
"""

from collections.abc import Sequence
import json

from ..agents.models import AgentCard
from ..llm.models import JsonSchema, Message

_SYSTEM = """\
Choose the agent that answers each request.
{catalog}"""
_EXAMPLES_EACH = 2


def routing_messages(cards: Sequence[AgentCard], requests: Sequence[str]) -> list[Message]:
    """Return the messages that ask which agent answers each request.

    Examples are given as turns of a conversation, one agent after the other: so a small model
    learns the shape of the answer from them, and no agent is the last one it saw twice.
    """
    messages = [Message(role="system", content=_SYSTEM.format(catalog=describe_agents(cards)))]
    for number in range(_EXAMPLES_EACH):
        for card in cards:
            for example in card.examples[number : number + 1]:
                answer = json.dumps({"agentId": label(card.id)}, separators=(",", ":"))
                messages += [
                    Message(role="user", content=example),
                    Message(role="assistant", content=answer),
                ]
    return [*messages, Message(role="user", content=_numbered(requests))]


def label(agent_id: str) -> str:
    """Return the short name an agent has in the prompt: a token or two instead of four."""
    return agent_id.removesuffix("-agent")


def describe_agents(cards: Sequence[AgentCard]) -> str:
    """Return the catalog of agents, a line each."""
    return "\n".join(f"- {label(card.id)}: {card.description}" for card in cards)


def _numbered(requests: Sequence[str]) -> str:
    """Return the requests, numbered where there are several."""
    if len(requests) == 1:
        return requests[0]
    return "\n".join(f"{number}. {text}" for number, text in enumerate(requests, 1))


def choice_schema(cards: Sequence[AgentCard], requests: int) -> JsonSchema:
    """Return the schema of a choice: the agent of the first request, then one for each other.

    The names are those of the contract's AgentChoiceResult. `additionalAgents` has exactly as many
    items as there are further requests, so that each is assigned and none is invented.
    """
    agent = {"type": "string", "enum": [label(card.id) for card in cards]}
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

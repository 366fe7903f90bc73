"""The router's prompt (RouterExecutor contract, LLM Prompt Template): fixed prefix first, the request last.

The prefix is byte-identical between turns, for the server's prompt cache, and small: one line for each
agent, no devices. A prompt of the user's gets the contract's agent catalog instead.
"""

from collections.abc import Sequence
from functools import lru_cache
import json

from ..agents.models import AgentCard
from ..llm.models import JsonSchema, Message
from ..options import CATALOG, REQUEST, RouterOptions, fill_template, placeholders_in
from .cleaning import clean

BUILT_IN_INSTRUCTIONS = "Choose the agent that answers each request."
"""The system prompt before the list of agents, unless the user has written another."""
CONTRACT_HEADING = "Available agents:"
"""What stands above the list of agents in a prompt of the user's (RouterExecutor contract, Agent Catalog Format)."""
_LINE = 300


@lru_cache(maxsize=16)
def fixed_messages(options: RouterOptions, cards: tuple[AgentCard, ...]) -> tuple[Message, ...]:
    """Return the messages that are the same for every request.

    Examples are given as turns of a conversation, one for each agent: so a small model learns the
    shape of the answer from them. The same objects are returned each time, and so the same bytes.
    """
    catalog = describe_agents(options, cards)
    is_told_later = _is_told_later(options)
    system = fill_template(system_template(options), **{CATALOG: catalog})
    messages = [Message(role="system", content=system)]
    if options.include_skill_examples and not is_told_later:
        for card in cards:
            for example in card.examples[:1]:
                messages += [
                    Message(role="user", content=clean(example, _LINE)),
                    Message(
                        role="assistant",
                        content=_compact({"agentId": shown_name(options, card.id)}),
                    ),
                ]
    return tuple(messages)


def system_template(options: RouterOptions) -> str:
    """Return the template of the system prompt: the user's, or the built-in one."""
    if options.system_prompt:
        return options.system_prompt
    if _is_told_later(options):
        return BUILT_IN_INSTRUCTIONS
    heading = options.agent_catalog_header or BUILT_IN_INSTRUCTIONS
    return f"{heading.replace('{', '{{').replace('}', '}}')}\n{{{CATALOG}}}"


def catalog_heading(options: RouterOptions) -> str:
    """Return what stands above the list of agents: the user's, or that of the prompt it is in."""
    built_in = CONTRACT_HEADING if _has_own_prompt(options) else BUILT_IN_INSTRUCTIONS
    return options.agent_catalog_header or built_in


def _is_told_later(options: RouterOptions) -> bool:
    """Return whether the user's template puts the catalog beside the request."""
    return CATALOG in placeholders_in(options.user_prompt_template, REQUEST, CATALOG)


def routing_messages(
    options: RouterOptions,
    cards: Sequence[AgentCard],
    requests: Sequence[str],
    memory: str = "",
) -> list[Message]:
    """Return the messages that ask which agent answers each request.

    `memory` tells of the last turns; it stands with the requests, at the end.
    """
    fixed = fixed_messages(options, tuple(cards))
    asked = _numbered(requests)
    if options.user_prompt_template:
        catalog = describe_agents(options, cards)
        asked = fill_template(options.user_prompt_template, request=asked, catalog=catalog)
    if memory:
        asked = f"{clean(memory, _LINE)}\n{asked}"
    return [*fixed, Message(role="user", content=asked)]


def label(agent_id: str) -> str:
    """Return the short name an agent has in the prompt: a token or two instead of four."""
    return agent_id.removesuffix("-agent")


def shown_name(options: RouterOptions, agent_id: str) -> str:
    """Return what a model calls an agent: its whole id where a prompt of the user's may name it."""
    return agent_id if _has_own_prompt(options) else label(agent_id)


def _has_own_prompt(options: RouterOptions) -> bool:
    """Return whether the user has written a prompt, which goes with the contract's catalog."""
    return bool(options.user_prompt_template or options.system_prompt)


def describe_agents(options: RouterOptions, cards: Sequence[AgentCard]) -> str:
    """Return the catalog of agents: with a template of the user's as the contract writes it."""
    if _has_own_prompt(options):
        return _contract_catalog(options, cards)
    return "\n".join(
        f"- {label(card.id)}: {clean(card.description, _LINE)}"
        + (
            f" Can: {clean(', '.join(card.capabilities), _LINE)}."
            if options.include_agent_capabilities and card.capabilities
            else ""
        )
        for card in cards
    )


def _contract_catalog(options: RouterOptions, cards: Sequence[AgentCard]) -> str:
    """Return the catalog in the contract's format: header, then each agent and its examples."""
    blocks = [catalog_heading(options)]
    for card in cards:
        block = f"- {shown_name(options, card.id)}: {clean(card.description, _LINE)}"
        if options.include_agent_capabilities and card.capabilities:
            block += f" Capabilities: {clean(', '.join(card.capabilities), _LINE)}."
        if options.include_skill_examples:
            block += "".join(f"\n  example: {clean(example, _LINE)}" for example in card.examples)
        blocks.append(block)
    return "\n\n".join(blocks)


def _numbered(requests: Sequence[str]) -> str:
    """Return the requests, numbered where there are several."""
    if len(requests) == 1:
        return requests[0]
    return "\n".join(f"{number}. {text}" for number, text in enumerate(requests, 1))


def _compact(data: JsonSchema) -> str:
    """Return JSON without white space, which a model would imitate and pay for."""
    return json.dumps(data, separators=(",", ":"))


def choice_schema(
    options: RouterOptions, cards: Sequence[AgentCard], requests: int, *, with_confidence: bool
) -> JsonSchema:
    """Return the schema of a choice, with the field names of the contract's AgentChoiceResult.

    Only agents of `cards` can be named. For several requests `additionalAgents` has exactly as many
    items as there are further requests, so that each is assigned and none is invented. The model
    writes a confidence only where it is asked for, and a reason only for a prompt of the user's,
    since each costs tokens.
    """
    agent = {"type": "string", "enum": [shown_name(options, card.id) for card in cards]}
    properties: JsonSchema = {"agentId": agent}
    if with_confidence:
        properties["confidence"] = {"type": "number", "minimum": 0, "maximum": 1}
    if _has_own_prompt(options):
        properties["reasoning"] = {"type": "string", "maxLength": 300}
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

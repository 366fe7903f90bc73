"""The router's prompt (RouterExecutor contract, LLM Prompt Template): fixed prefix first, the request last.

The prefix is byte-identical between turns, for the server's prompt cache, and small: one line for each
agent, no devices. A prompt of the user's gets the contract's agent catalog instead.
"""

from collections.abc import Sequence
from functools import lru_cache
import json

from ..agents.models import AgentCard, label
from ..llm.models import JsonSchema, Message, object_schema
from ..options import CATALOG, REQUEST, RouterOptions, fill_template, placeholders_in
from .cleaning import clean

BUILT_IN_INSTRUCTIONS = "Choose the agent that answers each request."
"""The system prompt before the list of agents, unless the user has written another or chosen the contract's."""
CONTRACT_HEADING = "Available agents:"
"""What stands above the list of agents in the contract's catalog (RouterExecutor contract, Agent Catalog Format)."""
CONTRACT_SYSTEM_PROMPT = """\
You are an intelligent routing assistant for a multi-agent home automation system.
Your job is to analyze user requests and select the most appropriate agent to handle the request based on agent \
capabilities.

Respond with structured JSON containing:
- agentId: The ID of the best agent to handle this request
- confidence: A number between 0.0 and 1.0 indicating your confidence in this choice
- reasoning: A brief explanation of why you selected this agent
- additionalAgents: (optional) An array of additional agent IDs if multiple agents are needed

Be conservative with confidence scores. If the request is ambiguous or doesn't clearly match any agent's \
capabilities, use a confidence score below 0.7."""
"""The contract's system prompt, word for word (RouterExecutor contract, System Prompt)."""
CONTRACT_USER_TEMPLATE = """\
Available agents and their capabilities:

{catalog}

User request: {request}

Which agent should handle this request? Respond with JSON following the AgentChoiceResult schema."""
"""The contract's user prompt, word for word (RouterExecutor contract, User Prompt Template)."""
_LINE = 300
# What the contract's schema says of its fields (RouterExecutor contract, Structured Output Schema).
_DESCRIPTIONS = {
    "agentId": "The ID of the selected agent",
    "confidence": "Confidence score for the routing decision",
    "reasoning": "Explanation for agent selection",
    "additionalAgents": "Optional additional agents for multi-agent coordination",
}


@lru_cache(maxsize=16)
def fixed_messages(options: RouterOptions, cards: tuple[AgentCard, ...]) -> tuple[Message, ...]:
    """Return the messages that are the same for every request.

    Examples are given as turns of a conversation, one for each agent: so a small model learns the
    shape of the answer from them. The same objects are returned each time, and so the same bytes.
    """
    messages = [Message(role="system", content=system_prompt(options, cards))]
    if options.include_skill_examples and not _is_told_later(options):
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


def system_prompt(
    options: RouterOptions, cards: Sequence[AgentCard], built_in: str = BUILT_IN_INSTRUCTIONS
) -> str:
    """Return the system prompt, the user's or another: with the catalog where it wants it, else after it.

    Where the user's template puts the catalog beside the request, it is not told twice.
    """
    template = system_template(options, built_in)
    return fill_template(template, **{CATALOG: describe_agents(options, cards)})


def system_template(options: RouterOptions, built_in: str = BUILT_IN_INSTRUCTIONS) -> str:
    """Return the template of the system prompt: the user's, the contract's, or the built-in one.

    Where neither it nor the template of requests has a place for the catalog, that follows it.
    """
    is_contract = options.default_prompts == "contract"
    template = options.system_prompt or (CONTRACT_SYSTEM_PROMPT if is_contract else built_in)
    if _is_told_later(options) or CATALOG in placeholders_in(template, CATALOG):
        return template
    return f"{template}\n{{{CATALOG}}}"


def user_template(options: RouterOptions) -> str:
    """Return the template of what stands with each request: the user's, the contract's, or "" for none."""
    is_contract = options.default_prompts == "contract"
    return options.user_prompt_template or (CONTRACT_USER_TEMPLATE if is_contract else "")


def catalog_heading(options: RouterOptions) -> str:
    """Return the heading of the list of agents: the user's, or that of the contract's catalog."""
    return options.agent_catalog_header or (CONTRACT_HEADING if has_own_prompt(options) else "")


def _is_told_later(options: RouterOptions) -> bool:
    """Return whether the template of requests puts the catalog beside them."""
    return CATALOG in placeholders_in(user_template(options), REQUEST, CATALOG)


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
    asked = asked_with(options, cards, _numbered(requests))
    if memory:
        asked = f"{clean_lines(memory)}\n{asked}"
    return [*fixed, Message(role="user", content=asked)]


def asked_with(options: RouterOptions, cards: Sequence[AgentCard], request: str) -> str:
    """Return a request in its template."""
    if not (template := user_template(options)):
        return request
    return fill_template(template, request=request, catalog=describe_agents(options, cards))


def clean_lines(memory: str) -> str:
    """Return the lines about the last turns, each cleaned."""
    return "\n".join(clean(line, _LINE) for line in memory.splitlines())


def shown_name(options: RouterOptions, agent_id: str) -> str:
    """Return an agent's name in prompts: its whole id where a prompt of the user's may name it."""
    return agent_id if has_own_prompt(options) else label(agent_id)


def has_own_prompt(options: RouterOptions) -> bool:
    """Return whether a prompt is the user's or the contract's, which goes with the contract's catalog."""
    is_contract = options.default_prompts == "contract"
    return bool(is_contract or options.user_prompt_template or options.system_prompt)


def adds_agents(options: RouterOptions) -> bool:
    """Return whether a model may name more agents than there are requests: the contract's prompts say that it may."""
    return options.default_prompts == "contract"


def describe_agents(options: RouterOptions, cards: Sequence[AgentCard]) -> str:
    """Return the catalog of agents, under its heading; with a prompt of the user's as the contract writes it."""
    if has_own_prompt(options):
        return _contract_catalog(options, cards)
    heading = [options.agent_catalog_header] if options.agent_catalog_header else []
    lines = [
        f"- {label(card.id)}: {clean(card.description, _LINE)}"
        + (
            f" Can: {clean(', '.join(card.capabilities), _LINE)}."
            if options.include_agent_capabilities and card.capabilities
            else ""
        )
        for card in cards
    ]
    return "\n".join([*heading, *lines])


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
    options: RouterOptions,
    cards: Sequence[AgentCard],
    requests: int,
    *,
    with_confidence: bool,
    is_capable: bool = False,
) -> JsonSchema:
    """Return the schema of a choice, with the field names of the contract's AgentChoiceResult.

    Only agents of `cards` can be named. For several requests `additionalAgents` has exactly as many
    items as there are further requests, so that each is assigned and none is invented; with the contract's
    prompts it has any number of other agents beside these, and a small model may leave it out: it would fill a list
    that it must write, and a capable one's server wants all that is in a schema. The model writes confidences only
    where they are asked for, and a reason only for a prompt of the user's, since each costs tokens. The contract's
    descriptions come with its prompts.
    """
    is_contract = options.default_prompts == "contract"
    agent = {"type": "string", "enum": [shown_name(options, card.id) for card in cards]}
    number = {"type": "number", "minimum": 0, "maximum": 1}
    further: JsonSchema = {
        "type": "array",
        "minItems": requests - 1,
        "maxItems": requests - 1,
    }
    properties: JsonSchema = {"agentId": dict(agent)}
    if with_confidence or is_contract:
        properties["confidence"] = dict(number)
    if has_own_prompt(options):
        properties["reasoning"] = {"type": "string", "maxLength": 300}
    others = len(cards) - 1 if adds_agents(options) else 0
    if requests + others > 1:
        most = further["maxItems"] + others
        properties["additionalAgents"] = {**further, "maxItems": most, "items": agent}
        if with_confidence and requests > 1:
            properties["additionalConfidences"] = {**further, "items": number}
    if is_contract:
        for name in properties.keys() & _DESCRIPTIONS.keys():
            properties[name]["description"] = _DESCRIPTIONS[name]
    optional = () if is_capable or requests > 1 else ("additionalAgents",)
    return object_schema(properties, optional)

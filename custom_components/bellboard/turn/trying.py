"""Tries a sentence with agents that are not there yet."""

from dataclasses import replace

from homeassistant.components.conversation import ConversationInput

from ..agents.registry import AgentRegistry
from ..assistant import Assistant
from .dry_run import create_dry_run
from .pipeline import async_take_turn
from .results import TurnResult


async def async_try_with(
    assistant: Assistant, registry: AgentRegistry, user_input: ConversationInput
) -> TurnResult:
    """Return what a sentence would come to with other agents. Nothing is carried out, stored or told."""
    tried = replace(create_dry_run(assistant, None), registry=registry)
    return await async_take_turn(tried, user_input, dry_run=True)

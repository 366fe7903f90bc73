"""Sets up the agents that are measured."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    ConversationInput,
    async_get_agent,
)
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import Context

from custom_components.bellboard.assistant import Assistant
from custom_components.bellboard.const import DOMAIN
from tests.evaluation import setup_agent

from .homes import Home
from .instant_model import INSTANT_URL, InstantSession

OURS = "bellboard"
CORE = "home_assistant"


async def async_set_up(home: Home, session: InstantSession | None = None) -> Assistant:
    """Set Bellboard up in a home, with the model behind a session or with none, and return it."""
    home.agents[CORE] = HOME_ASSISTANT_AGENT
    if session is None:
        home.agents[OURS] = await setup_agent(home.hass, {})
    else:
        with session.in_place():
            home.agents[OURS] = await async_connect(home, INSTANT_URL)
    return assistant_of(home)


async def async_connect(home: Home, url: str, **options: Any) -> str:
    """Set Bellboard up with the model at an address and return its entity id."""
    connection: Mapping[str, Any] = {"provider": "openai", "url": url, "model": "", **options}
    return await setup_agent(home.hass, connection)


def said_to_ours(home: Home, sentence: str) -> ConversationInput:
    """Return a sentence as Bellboard's agent takes it, in one conversation, from no device."""
    return ConversationInput(
        text=sentence,
        context=Context(),
        conversation_id="benchmark",
        device_id=None,
        satellite_id=None,
        language="en",
        agent_id=home.agents[OURS],
    )


def assistant_of(home: Home) -> Assistant:
    """Return the assistant that was set up last."""
    entry = home.hass.config_entries.async_loaded_entries(DOMAIN)[-1]
    assistants: dict[str, Assistant] = entry.runtime_data.assistants
    return next(iter(assistants.values()))


def forget_sentences(home: Home) -> None:
    """Make Home Assistant forget what it recognised before.

    It keeps the last sentences; without this the agent that is asked second would find the first
    one's work done.
    """
    agent = async_get_agent(home.hass)
    if isinstance(agent, DefaultAgent):
        agent._intent_cache.clear()  # noqa: SLF001 - there is no other way to empty it alone

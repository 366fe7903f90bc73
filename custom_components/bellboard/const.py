"""Constants of the Bellboard integration."""

from typing import Final

DOMAIN: Final = "bellboard"

CONF_PROVIDER: Final = "provider"
CONF_CONNECTION: Final = "connection"
CONF_CONFIDENCE_THRESHOLD: Final = "confidence_threshold"

PROVIDER_AI_TASK: Final = "ai_task"
PROVIDER_CONNECTION: Final = "connection"
PROVIDER_NONE: Final = "none"

SUBENTRY_A2A_AGENT: Final = "a2a_agent"
SUBENTRY_AGENT: Final = "agent"
SUBENTRY_ASSISTANT: Final = "conversation"

CONF_KEEP_ALIVE = "keep_alive"
"""How long Ollama keeps a model loaded: seconds, or a duration; -1 is for ever."""

CONF_NUM_CTX = "num_ctx"
"""How much Ollama's model reads at once, in tokens."""

FALLBACK_AGENT_ID: Final = "fallback-agent"
CLARIFICATION_AGENT_ID: Final = "clarification-agent"
GENERAL_AGENT_ID: Final = "general-agent"
HOME_AGENT_ID: Final = "home-agent"
UNDO_AGENT_ID: Final = "undo-agent"
DELAY_AGENT_ID: Final = "delay-agent"

COMMON_AGENT_IDS: Final = frozenset(
    {
        CLARIFICATION_AGENT_ID,
        DELAY_AGENT_ID,
        FALLBACK_AGENT_ID,
        GENERAL_AGENT_ID,
        HOME_AGENT_ID,
        UNDO_AGENT_ID,
    }
)
"""Ids of the built-in agents that are no specialists."""

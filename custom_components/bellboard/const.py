"""Constants of the Bellboard integration."""

from typing import Final

DOMAIN: Final = "bellboard"

CONF_PROVIDER: Final = "provider"
CONF_CONNECTION: Final = "connection"
CONF_CONFIDENCE_THRESHOLD: Final = "confidence_threshold"

PROVIDER_AI_TASK: Final = "ai_task"
PROVIDER_CONNECTION: Final = "connection"
PROVIDER_NONE: Final = "none"

SUBENTRY_ASSISTANT: Final = "conversation"

CONF_KEEP_ALIVE = "keep_alive"
"""How long Ollama keeps a model loaded: seconds, or a duration; -1 is for ever."""

CONF_NUM_CTX = "num_ctx"
"""How much Ollama's model reads at once, in tokens."""

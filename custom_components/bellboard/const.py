"""Constants of the Bellboard integration."""

from typing import Final

DOMAIN: Final = "bellboard"

CONF_PROVIDER: Final = "provider"
CONF_CONFIDENCE_THRESHOLD: Final = "confidence_threshold"

PROVIDER_NONE: Final = "none"

SUBENTRY_ASSISTANT: Final = "conversation"

"""Constants of the Bellboard integration."""

from typing import Final

DOMAIN: Final = "bellboard"

CONF_PROVIDER: Final = "provider"
CONF_TIMEOUT: Final = "timeout"
CONF_CONFIDENCE_THRESHOLD: Final = "confidence_threshold"

PROVIDER_NONE: Final = "none"

SUBENTRY_ASSISTANT: Final = "conversation"

DEFAULT_TIMEOUT: Final = 10
"""Seconds one call to the model may take."""

DEFAULT_CONFIDENCE_THRESHOLD: Final = 0.7

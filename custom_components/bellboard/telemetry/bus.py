"""Tells Home Assistant of events, so that automations can listen."""

from typing import Final

from homeassistant.core import HomeAssistant, callback

from ..const import DOMAIN
from .events import TelemetryEvent

EVENT_TELEMETRY: Final = f"{DOMAIN}_telemetry"
"""The type of the event on Home Assistant's bus; its data are the event as JSON."""


class BusSink:
    """Fires an event on Home Assistant's bus for each stage."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Fire on the bus of `hass`."""
        self._hass = hass

    @callback
    def record(self, event: TelemetryEvent) -> None:
        """Fire the event; whoever listens runs later."""
        self._hass.bus.async_fire(EVENT_TELEMETRY, event.model_dump(mode="json"))

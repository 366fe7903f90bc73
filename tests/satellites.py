"""Voice satellites in the demo house: what is announced on them is noted, and they can be told to fail or to hang."""

import asyncio
from dataclasses import dataclass, field

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
import voluptuous as vol

from tests.conftest import voice_panel

SCHEMA = vol.Schema({vol.Required("entity_id"): [str], vol.Required("message"): str})


@dataclass
class Satellites:
    """Satellites by entity id. `heard` is what each said aloud; those in `broken` fail, those in `stuck` never end."""

    hass: HomeAssistant
    heard: list[tuple[str, str]] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    stuck: set[str] = field(default_factory=set)

    def add(
        self, area: str, *, exposed: bool = True, features: int = 1, platform: str = "demo_house"
    ) -> str:
        """Add the satellite of an area's voice panel, and return its entity id."""
        entry = er.async_get(self.hass).async_get_or_create(
            "assist_satellite",
            platform,
            f"satellite {area} {platform}",
            suggested_object_id=f"{area}_satellite",
            config_entry=self.hass.config_entries.async_entries("demo_house")[0],
            device_id=voice_panel(self.hass, area),
            has_entity_name=True,
            original_name=None,
            supported_features=features,
        )
        async_expose_entity(self.hass, "conversation", entry.entity_id, exposed)
        self.hass.states.async_set(
            entry.entity_id,
            "idle",
            {"supported_features": features, "friendly_name": f"{area} Satellite"},
        )
        return entry.entity_id

    def listen(self) -> None:
        """Offer Home Assistant's action."""
        self.hass.services.async_register("assist_satellite", "announce", self._announce, SCHEMA)

    async def _announce(self, call: ServiceCall) -> None:
        """Say something aloud on all satellites of a call; a broken one fails, and one that is stuck never ends."""
        for entity_id in call.data["entity_id"]:
            if entity_id in self.broken:
                raise HomeAssistantError("It is busy.")
            if entity_id in self.stuck:
                await asyncio.Event().wait()
            self.heard.append((entity_id.removeprefix("assist_satellite."), call.data["message"]))


def satellites_in(hass: HomeAssistant, *areas: str) -> Satellites:
    """Return satellites in some areas of the demo house, all exposed."""
    satellites = Satellites(hass)
    satellites.listen()
    for area in areas:
        satellites.add(area)
    return satellites

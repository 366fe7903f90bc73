"""The house's own action: make entities misbehave, so that truthful replies can be told from others."""

from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant, ServiceCall, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from .const import DOMAIN
from .entity import Behaviour, HouseConfigEntry, HouseEntity, Mode

ACTION_MISBEHAVE = "misbehave"
ATTR_MODE = "mode"
ATTR_SECONDS = "seconds"

MISBEHAVE_SCHEMA = vol.Schema(
    {
        vol.Required(ATTR_ENTITY_ID): cv.entity_ids,
        vol.Required(ATTR_MODE): vol.Coerce(Mode),
        vol.Optional(ATTR_SECONDS, default=5.0): vol.All(
            vol.Coerce(float), vol.Range(min=0, max=3600)
        ),
    }
)


@callback
def async_register_actions(hass: HomeAssistant) -> None:
    """Register demo_house.misbehave."""

    @callback
    def misbehave(call: ServiceCall) -> None:
        entities = [_entity(hass, entity_id) for entity_id in call.data[ATTR_ENTITY_ID]]
        for entity in entities:
            entity.behaviour = Behaviour(call.data[ATTR_MODE], call.data[ATTR_SECONDS])

    hass.services.async_register(DOMAIN, ACTION_MISBEHAVE, misbehave, schema=MISBEHAVE_SCHEMA)


@callback
def _entity(hass: HomeAssistant, entity_id: str) -> HouseEntity:
    """Return an entity of the house; raises ServiceValidationError for any other."""
    entry: HouseConfigEntry
    for entry in hass.config_entries.async_entries(DOMAIN):
        if entry.state is ConfigEntryState.LOADED:
            entities = entry.runtime_data.entities
            if entity := entities.get(entity_id):
                return entity
    message = f"{entity_id} does not belong to the demo house"
    raise ServiceValidationError(message)

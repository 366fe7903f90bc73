"""Moving in: one confirmation, and for whoever wants another house the file that describes it."""

from typing import Any

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult
import voluptuous as vol

from .const import CONF_HOUSE, DOMAIN

TITLE = "Demo House"


class DemoHouseConfigFlow(ConfigFlow, domain=DOMAIN):
    """Set the house up once, from the screen, over the API or from code."""

    VERSION = 1

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a confirmation; "house" may name the YAML file of another house."""
        if user_input is None:
            schema = vol.Schema({vol.Optional(CONF_HOUSE): str})
            return self.async_show_form(step_id="user", data_schema=schema)
        return self.async_create_entry(title=TITLE, data=user_input)

    async def async_step_import(self, import_data: dict[str, Any]) -> ConfigFlowResult:
        """Set up without a screen; "house" may name the YAML file of another house."""
        house = import_data.get(CONF_HOUSE)
        return self.async_create_entry(title=TITLE, data={CONF_HOUSE: str(house)} if house else {})

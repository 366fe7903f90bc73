"""The models of a connection's server, as the forms offer them."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import SelectSelector, SelectSelectorConfig, SelectSelectorMode

from .connection import async_list_models
from .const import CONF_PROVIDER, PROVIDER_NONE
from .llm.errors import ModelError


async def async_try_connection(
    hass: HomeAssistant, connection: Mapping[str, Any]
) -> tuple[dict[str, str], list[str]]:
    """Return the form's errors for a connection, and the names of the models behind it."""
    if connection[CONF_PROVIDER] == PROVIDER_NONE:
        return {}, []
    try:
        models = [model.id for model in await async_list_models(hass, connection)]
    except ModelError as err:
        return {"base": err.kind}, []
    return ({} if models else {"base": "no_models"}), models


def model_selector(models: list[str]) -> SelectSelector:
    """Return the choice among a server's models; another name may be typed."""
    return SelectSelector(
        SelectSelectorConfig(
            options=models, mode=SelectSelectorMode.DROPDOWN, custom_value=True, sort=True
        )
    )

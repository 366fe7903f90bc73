"""A connection to a model server, as a config entry describes it."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .const import CONF_PROVIDER, PROVIDER_NONE, SUBENTRY_ASSISTANT
from .llm.client import ModelClient
from .llm.errors import AuthenticationError, ModelError
from .llm.models import ModelInfo
from .llm.providers import create_client

LIST_TIMEOUT = 10.0
"""Seconds a server may take to list its models."""


def assistants_of(entry: ConfigEntry) -> list[ConfigSubentry]:
    """Return the subentries that are assistants."""
    return [
        subentry
        for subentry in entry.subentries.values()
        if subentry.subentry_type == SUBENTRY_ASSISTANT
    ]


def create_model(
    hass: HomeAssistant, connection: Mapping[str, Any], options: Mapping[str, Any]
) -> ModelClient | None:
    """Return the client for an assistant's model, or None for a connection without a model.

    Raises:
        InvalidUrlError: nobody can be asked at the connection's address.
        AuthenticationError: the key cannot be sent.
    """
    if connection[CONF_PROVIDER] == PROVIDER_NONE:
        return None
    return create_client(
        connection[CONF_PROVIDER],
        async_get_clientsession(hass),
        url=connection[CONF_URL],
        api_key=connection.get(CONF_API_KEY),
        model=options.get(CONF_MODEL, ""),
    )


async def async_list_models(hass: HomeAssistant, connection: Mapping[str, Any]) -> list[ModelInfo]:
    """Return the models a connection's server offers.

    Raises:
        ModelError: the server cannot be reached, refuses the key, or is not such a server.
    """
    client = create_model(hass, connection, {})
    return await client.list_models(timeout=LIST_TIMEOUT) if client else []


@callback
def async_note_error(hass: HomeAssistant, entry: ConfigEntry, err: ModelError) -> None:
    """Ask for a new key where a connection's server no longer accepts the one there is."""
    if isinstance(err, AuthenticationError):
        entry.async_start_reauth(hass)

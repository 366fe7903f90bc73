"""A connection as its config entry describes it: to a model server, an AI Task entity, another connection, or none.

A server's provider, address and key are the Provider, Endpoint and AccessKey of a keyed chat client
(RouterExecutor contract, Configuration Example); its Model is an assistant's option.
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_API_KEY, CONF_ENTITY_ID, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from ..const import (
    CONF_CONNECTION,
    CONF_PROVIDER,
    PROVIDER_AI_TASK,
    PROVIDER_CONNECTION,
    PROVIDER_NONE,
    SUBENTRY_ASSISTANT,
)
from ..llm.client import ModelClient
from ..llm.errors import AuthenticationError, ModelError
from ..llm.providers import PROVIDERS, create_client
from .ai_task_model import AITaskClient
from .shared_connection import ChooseClient, SharedConnectionClient, shared_model

LIST_TIMEOUT = 10.0
"""Seconds a server may take to list its models."""


def assistants_of(entry: ConfigEntry) -> list[ConfigSubentry]:
    """Return the subentries that are assistants."""
    return subentries_of(entry, SUBENTRY_ASSISTANT)


def subentries_of(entry: ConfigEntry, kind: str) -> list[ConfigSubentry]:
    """Return the subentries of a kind, in the order in which they were added."""
    return [each for each in entry.subentries.values() if each.subentry_type == kind]


def has_own_model(entry: ConfigEntry) -> bool:
    """Return whether a connection has a model of its own, which other connections can share."""
    return entry.data[CONF_PROVIDER] not in {PROVIDER_NONE, PROVIDER_CONNECTION}


def create_model(
    hass: HomeAssistant,
    connection: Mapping[str, Any],
    model: str = "",
    choose: ChooseClient = shared_model,
) -> ModelClient | None:
    """Return the client for a model of a connection, or None for a connection without a model.

    A connection that is the same as another one asks the client of that one that `choose` returns.

    Raises:
        InvalidUrlError: nobody can be asked at the connection's address.
        AuthenticationError: the key cannot be sent.
    """
    provider = connection[CONF_PROVIDER]
    if provider == PROVIDER_NONE:
        return None
    if provider == PROVIDER_AI_TASK:
        return AITaskClient(hass, connection[CONF_ENTITY_ID])
    if provider == PROVIDER_CONNECTION:
        return SharedConnectionClient(hass, connection[CONF_CONNECTION], choose)
    return create_client(
        provider,
        async_get_clientsession(hass),
        url=connection[CONF_URL],
        api_key=connection.get(CONF_API_KEY),
        model=model,
        **{name: connection[name] for name in PROVIDERS[provider].options if name in connection},
    )


async def async_list_models(hass: HomeAssistant, connection: Mapping[str, Any]) -> list[str]:
    """Return the names of the models a connection's server offers; none for a connection without a model.

    Raises:
        ModelError: the server cannot be reached, refuses the key, or is not such a server.
    """
    client = create_model(hass, connection)
    return await client.list_models(timeout=LIST_TIMEOUT) if client else []


@callback
def async_handle_error(hass: HomeAssistant, entry: ConfigEntry, err: ModelError) -> None:
    """Start reauthentication where a connection's server no longer accepts its key.

    Only a connection to a server has a key; one that shares another connection leaves it to that.
    """
    if isinstance(err, AuthenticationError) and entry.data[CONF_PROVIDER] in PROVIDERS:
        entry.async_start_reauth(hass)

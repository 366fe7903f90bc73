"""A connection as its config entry describes it: to a model server, an AI Task entity, another connection, or none.

A server's provider, address and key are the Provider, Endpoint and AccessKey of a keyed chat client
(RouterExecutor contract, Configuration Example); its Model is an assistant's option.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState, ConfigSubentry
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
from ..llm.client import ModelClient, TellsSizes, answers_within, server_of
from ..llm.errors import AuthenticationError, ModelError, UnreachableError
from ..llm.models import Completion, Delta, Message
from ..llm.providers import PROVIDERS, create_client
from .ai_task_model import AITaskClient

type ChooseClient = Callable[[ConfigEntry], ModelClient | None]
"""Returns which client of a loaded connection is asked, None where it has none."""


def shared_model(entry: ConfigEntry) -> ModelClient | None:
    """Return the model client that a loaded connection shares with other connections' assistants."""
    model: ModelClient | None = entry.runtime_data.shared_model
    return model


class SharedConnectionClient:
    """Model client that asks through another connection, as that is set up at the time of the call.

    So a new address, key or model of that connection is used from the next call on. While it is not
    loaded, or when it is removed, every call raises `UnreachableError`, and names are empty.
    """

    def __init__(
        self, hass: HomeAssistant, entry_id: str, choose: ChooseClient = shared_model
    ) -> None:
        """Ask the client that `choose` returns for the connection with this entry id."""
        self._hass = hass
        self._entry_id = entry_id
        self._choose = choose
        self._runtime_data: object = None
        self._chosen: ModelClient | None = None

    @property
    def provider(self) -> str:
        """The name of the kind of server."""
        client = self._current
        return client.provider if client else ""

    @property
    def model(self) -> str:
        """The name the server knows the model by."""
        client = self._current
        return client.model if client else ""

    @property
    def server(self) -> str:
        """The address of the server."""
        client = self._current
        return server_of(client) if client else ""

    def answers_within(self, seconds: float) -> bool:
        """Return whether the other connection's model may answer within `seconds`."""
        client = self._current
        return client is not None and answers_within(client, seconds)

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """List what the server offers; see `ModelClient.list_models`."""
        return await self._client().list_models(timeout=timeout)

    async def list_sizes(self, *, timeout: float = 10.0) -> dict[str, float]:
        """Return how large the server's models are, {} where it cannot tell."""
        client = self._client()
        return await client.list_sizes(timeout=timeout) if isinstance(client, TellsSizes) else {}

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask for a whole answer; see `ModelClient.complete`."""
        return await self._client().complete(messages, **options)

    def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece; see `ModelClient.stream`."""
        return self._client().stream(messages, **options)

    @property
    def _current(self) -> ModelClient | None:
        """The chosen client of the other connection, if that is loaded."""
        entry = self._hass.config_entries.async_get_entry(self._entry_id)
        if entry is None or entry.state is not ConfigEntryState.LOADED:
            self._runtime_data = self._chosen = None
        elif self._runtime_data is not entry.runtime_data:
            # Loaded anew, perhaps with another key. As long as it is not, a client keeps what it has
            # learnt of its server.
            self._runtime_data, self._chosen = entry.runtime_data, self._choose(entry)
        return self._chosen

    def _client(self) -> ModelClient:
        """Return the chosen client of the other connection.

        Raises:
            UnreachableError: there is none.
        """
        if (client := self._current) is None:
            raise UnreachableError("its connection is not loaded")
        return client


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

"""A model of another connection: asked with that one's address, key, limits and state."""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant

from ..llm.client import ModelClient, TellsSizes, answers_within, server_of
from ..llm.errors import UnreachableError
from ..llm.models import Completion, Delta, Message

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

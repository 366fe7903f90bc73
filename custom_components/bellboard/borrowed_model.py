"""The model of another connection, as an assistant borrows it to route or for a second opinion."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant

from .llm.client import ModelClient, server_of
from .llm.errors import UnreachableError
from .llm.models import Completion, Delta, Message, ModelInfo


class BorrowedClient:
    """A model client that asks what another connection lends at that moment.

    So a connection that has a new address, key or model since is asked as it is now. While it is
    not loaded, or when it is gone, every call raises `UnreachableError`, and names are empty.
    """

    def __init__(self, hass: HomeAssistant, entry_id: str) -> None:
        """Borrow from the connection with this entry id."""
        self._hass = hass
        self._entry_id = entry_id

    @property
    def provider(self) -> str:
        """The name of the kind of server."""
        lent = self._lent
        return lent.provider if lent else ""

    @property
    def model(self) -> str:
        """The name the server knows the model by."""
        lent = self._lent
        return lent.model if lent else ""

    @property
    def server(self) -> str:
        """The address of the server."""
        lent = self._lent
        return server_of(lent) if lent else ""

    async def list_models(self, *, timeout: float = 10.0) -> list[ModelInfo]:
        """List what the server offers; see `ModelClient.list_models`."""
        return await self._client().list_models(timeout=timeout)

    async def describe(self, *, timeout: float = 10.0) -> ModelInfo:
        """Describe the model; see `ModelClient.describe`."""
        return await self._client().describe(timeout=timeout)

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask for a whole answer; see `ModelClient.complete`."""
        return await self._client().complete(messages, **options)

    def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece; see `ModelClient.stream`."""
        return self._client().stream(messages, **options)

    @property
    def _lent(self) -> ModelClient | None:
        """The client that is lent now, if the connection is loaded."""
        entry = self._hass.config_entries.async_get_entry(self._entry_id)
        if entry is None or entry.state is not ConfigEntryState.LOADED:
            return None
        lent: ModelClient | None = entry.runtime_data.lent
        return lent

    def _client(self) -> ModelClient:
        """Return the client that is lent now.

        Raises:
            UnreachableError: there is none.
        """
        if (lent := self._lent) is None:
            raise UnreachableError("its connection is not loaded")
        return lent

"""The model of another connection, as an assistant borrows it to route, for a second opinion or for all."""

from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant

from ..llm.client import ModelClient, server_of
from ..llm.errors import UnreachableError
from ..llm.models import Completion, Delta, Message, ModelInfo

type Lend = Callable[[ConfigEntry], ModelClient | None]
"""Returns what a loaded connection lends, None where it has nothing to lend."""


def lent_by(entry: ConfigEntry) -> ModelClient | None:
    """Return what a loaded connection lends to whoever wants no model in particular."""
    lent: ModelClient | None = entry.runtime_data.lent
    return lent


class BorrowedClient:
    """A model client that asks what another connection lends at that moment.

    So a connection that has a new address, key or model since is asked as it is now. While it is
    not loaded, or when it is gone, every call raises `UnreachableError`, and names are empty.
    """

    def __init__(self, hass: HomeAssistant, entry_id: str, lend: Lend = lent_by) -> None:
        """Borrow from the connection with this entry id what `lend` chooses of it."""
        self._hass = hass
        self._entry_id = entry_id
        self._lend = lend
        self._lender: object = None
        self._kept: ModelClient | None = None

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
            self._lender = self._kept = None
        elif self._lender is not entry.runtime_data:
            # Loaded anew, perhaps with another key. As long as it is not, a client keeps what it has
            # learnt of its server.
            self._lender, self._kept = entry.runtime_data, self._lend(entry)
        return self._kept

    def _client(self) -> ModelClient:
        """Return the client that is lent now.

        Raises:
            UnreachableError: there is none.
        """
        if (lent := self._lent) is None:
            raise UnreachableError("its connection is not loaded")
        return lent

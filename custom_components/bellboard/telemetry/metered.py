"""Counts what a turn asks of the model."""

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..llm.client import ModelClient
from ..llm.errors import ModelError
from ..llm.models import Completion, Delta, Message, ModelInfo, Usage


@dataclass(slots=True)
class ModelUse:
    """How often the model was called in a turn, and the tokens of all calls together."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)

    def as_json(self) -> dict[str, int]:
        """Return calls and tokens as plain numbers."""
        return {"calls": self.calls, **self.usage.model_dump()}


class MeteredClient:
    """A model client that adds every call to a turn's use. Calls that fail count as calls."""

    def __init__(
        self, client: ModelClient, use: ModelUse, on_error: Callable[[ModelError], None]
    ) -> None:
        """Wrap a client; `on_error` hears of every call that failed."""
        self._on_error = on_error
        self._client = client
        self._use = use
        self.provider = client.provider
        self.model = client.model

    async def list_models(self, *, timeout: float = 10.0) -> list[ModelInfo]:
        """List models; not counted, nothing is generated."""
        return await self._client.list_models(timeout=timeout)

    async def describe(self, *, timeout: float = 10.0) -> ModelInfo:
        """Describe the model; not counted, nothing is generated."""
        return await self._client.describe(timeout=timeout)

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask for a whole answer and count it."""
        self._use.calls += 1
        with self._told():
            completion = await self._client.complete(messages, **options)
        self._use.usage += completion.usage
        return completion

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece and count it."""
        self._use.calls += 1
        with self._told():
            async with aclosing(self._client.stream(messages, **options)) as deltas:
                async for delta in deltas:
                    if delta.usage:
                        self._use.usage += delta.usage
                    yield delta

    @contextmanager
    def _told(self) -> Generator[None]:
        """Tell of an error that passes through."""
        try:
            yield
        except ModelError as err:
            self._on_error(err)
            raise

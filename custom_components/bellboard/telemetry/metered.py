"""Counts model calls and tokens of a turn."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from ..llm.client import ModelClient, server_of
from ..llm.models import Completion, Delta, Message, Usage


@dataclass(slots=True)
class ModelUse:
    """The number of model calls in a turn or a part of one, and the tokens of all together.

    `asked` is the name of the model that was asked last, "" for none.
    """

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    asked: str = ""

    def as_json(self) -> dict[str, int]:
        """Return calls and tokens as plain numbers."""
        return {"calls": self.calls, **self.usage.model_dump()}


class MeteredClient:
    """Model client that adds every call to each `ModelUse`, failed ones too."""

    def __init__(self, client: ModelClient, *uses: ModelUse) -> None:
        self._client = client
        self._uses = uses
        self.provider = client.provider
        self.model = client.model
        self.server = server_of(client)

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """List models; not counted, nothing is generated."""
        return await self._client.list_models(timeout=timeout)

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask for a whole answer and count it."""
        self._count_call()
        completion = await self._client.complete(messages, **options)
        self._count_tokens(completion.usage)
        return completion

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece and count it."""
        self._count_call()
        async with aclosing(self._client.stream(messages, **options)) as deltas:
            async for delta in deltas:
                if delta.usage:
                    self._count_tokens(delta.usage)
                yield delta

    def _count_call(self) -> None:
        """Count a call."""
        for use in self._uses:
            use.calls += 1
            use.asked = self.model

    def _count_tokens(self, usage: Usage) -> None:
        """Add the tokens of a call."""
        for use in self._uses:
            use.usage += usage

"""Counts model calls and tokens of a turn, and keeps what was asked and answered."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
import time
from typing import Any

from ..llm.client import ModelClient, answers_within, server_of
from ..llm.errors import ModelError
from ..llm.models import Completion, Delta, JsonSchema, Message, Usage

_NO_USAGE = Usage()


@dataclass(slots=True)
class ModelCall:
    """One request to a model, and what came of it; for administrators, since it holds what was said.

    `purpose` is the schema's name ("choice", "plan"), "talk" without one. Times are those of `time.perf_counter`,
    in seconds; `ended` is 0 while it goes on. `answer` is what the model wrote, `error` the type of what went wrong.
    """

    provider: str
    model: str
    purpose: str
    messages: tuple[Message, ...]
    schema: JsonSchema | None = None
    temperature: float | None = None
    began: float = field(default_factory=time.perf_counter)
    ended: float = 0.0
    answer: str = ""
    usage: Usage = _NO_USAGE
    error: str = ""

    def end(self, error: BaseException | None = None) -> None:
        """Note that it is over, and with which error."""
        self.ended = time.perf_counter()
        self.error = type(error).__name__ if error else ""

    def as_json(self, started: float) -> dict[str, Any]:
        """Return the call as JSON, with times in milliseconds since `started`."""
        took = self.ended - self.began if self.ended else None
        return {
            "provider": self.provider,
            "model": self.model,
            "purpose": self.purpose,
            "messages": [message.model_dump() for message in self.messages],
            "schema": self.schema,
            "temperature": self.temperature,
            "answer": self.answer,
            "error": self.error or None,
            "at_ms": round((self.began - started) * 1000, 2),
            "ms": None if took is None else round(took * 1000, 2),
            **self.usage.model_dump(),
        }


@dataclass(slots=True)
class ModelUse:
    """The number of model calls in a turn or a part of one, the tokens of all together, and the calls, oldest first."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    log: list[ModelCall] = field(default_factory=list)

    @property
    def asked(self) -> str:
        """Return the name of the model that was asked last, "" for none."""
        return self.log[-1].model if self.log else ""

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

    def answers_within(self, seconds: float) -> bool:
        """Return whether the model may answer within `seconds`."""
        return answers_within(self._client, seconds)

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """List models; not counted, nothing is generated."""
        return await self._client.list_models(timeout=timeout)

    async def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask for a whole answer and count it."""
        call = self._begin(messages, options)
        try:
            completion = await self._client.complete(messages, **options)
        except BaseException as err:
            call.end(err)
            raise
        call.end()
        call.answer, call.usage = completion.text, completion.usage
        self._count_tokens(completion.usage)
        return completion

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece and count it."""
        call = self._begin(messages, options)
        pieces: list[str] = []
        error: ModelError | None = None
        try:
            async with aclosing(self._client.stream(messages, **options)) as deltas:
                async for delta in deltas:
                    pieces.append(delta.text)
                    if delta.usage:
                        call.usage += delta.usage
                        self._count_tokens(delta.usage)
                    yield delta
        except ModelError as err:
            error = err
            raise
        finally:
            call.end(error)
            call.answer = "".join(pieces)

    def _begin(self, messages: Sequence[Message], options: dict[str, Any]) -> ModelCall:
        """Count a call that begins now; returns its record."""
        schema = options.get("schema")
        call = ModelCall(
            provider=self.provider,
            model=self.model,
            purpose=options.get("schema_name", "answer") if schema else "talk",
            messages=tuple(messages),
            schema=schema,
            temperature=options.get("temperature"),
        )
        for use in self._uses:
            use.calls += 1
            use.log.append(call)
        return call

    def _count_tokens(self, usage: Usage) -> None:
        """Add the tokens of a call."""
        for use in self._uses:
            use.usage += usage

"""`ModelClient`: the protocol that everything else uses to talk to a model, and asking it again."""

import json
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from .errors import BadOutputError
from .models import Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence

    from .models import Completion, Delta, JsonSchema, Tool


class ModelClient(Protocol):
    """A model at a provider. All methods raise only `ModelError` (and cancellation)."""

    @property
    def provider(self) -> str:
        """The name of the kind of server."""
        ...

    @property
    def model(self) -> str:
        """The name the server knows the model by."""
        ...

    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Return the names of the server's models; proves that it is such a server and accepts the key.

        `timeout` is in seconds. Raises `NotAModelServerError` when something else answers.
        """
        ...

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        schema_name: str = "answer",
        temperature: float | None = None,
        max_tokens: int | None = None,
        logprobs: bool = False,
        tools: Sequence[Tool] = (),
        timeout: float = 30.0,
    ) -> Completion:
        """Ask for a whole answer.

        With a `schema` the answer is a JSON object in `Completion.data` (that it is an object is
        checked, whether it fits the schema is the caller's to check), else `BadOutputError` is
        raised. `logprobs` asks for token log-probabilities; a server that has none leaves them
        empty. Of `tools` the model may ask to have some called, unless there is a schema.
        `timeout` bounds the whole call, in seconds.
        """
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        tools: Sequence[Tool] = (),
        timeout: float = 60.0,
    ) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece.

        `timeout` bounds the seconds spent waiting for the server, for each piece and for all
        together; the time the caller takes between pieces does not count. Close the generator
        (`contextlib.aclosing`) to stop early: the connection is closed and the server stops
        generating.
        """
        ...


@runtime_checkable
class HasServer(Protocol):
    """A client that knows the address of its server."""

    @property
    def server(self) -> str:
        """The address of the server."""
        ...


@runtime_checkable
class TellsSizes(Protocol):
    """A client whose server may tell how large its models are."""

    async def list_sizes(self, *, timeout: float = 10.0) -> dict[str, float]:
        """Return the parameters of models in billions, by name, of those whose server tells them.

        `timeout` is in seconds. Raises like `ModelClient.list_models`.
        """
        ...


@runtime_checkable
class TellsPace(Protocol):
    """A client that knows how its server fared lately."""

    def answers_within(self, seconds: float) -> bool:
        """Return whether an answer may be expected within `seconds`."""
        ...


def answers_within(client: ModelClient, seconds: float) -> bool:
    """Return whether a client may answer within `seconds`; so may one that does not tell."""
    return not isinstance(client, TellsPace) or client.answers_within(seconds)


def server_of(client: ModelClient) -> str:
    """Return the address of a client's server; "" if it does not tell."""
    return client.server if isinstance(client, HasServer) else ""


_MAX_SHOWN = 1000


async def async_ask_until_usable[T](
    ask: Callable[[Sequence[Message]], Awaitable[T]],
    messages: Sequence[Message],
    *,
    attempts: int,
    again: str,
) -> T:
    """Return the result of `ask` for the model's answer to `messages`; it raises `BadOutputError` to ask again.

    Each further attempt shows the messages, the last unusable answer, and its error with `again`
    behind it; errors do not pile up.

    Raises:
        ModelError: the model could not be asked, or none of its answers can be used.
    """
    asked = messages
    error = BadOutputError()
    for _ in range(attempts):
        try:
            return await ask(asked)
        except BadOutputError as err:
            if not err.ask_again:
                raise
            error = err
            asked = [
                *messages,
                Message(role="assistant", content=err.text or "{}"),
                Message(role="user", content=f"{err} {again}"),
            ]
    raise error


def shown_again(data: Mapping[str, Any] | None) -> str:
    """Return a structured answer as the model is shown it again, cut to a thousand characters."""
    return json.dumps(data, ensure_ascii=False)[:_MAX_SHOWN]

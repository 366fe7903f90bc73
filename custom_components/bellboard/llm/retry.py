"""Retry with error feedback: a model whose answer cannot be used is shown it with the error, and asked again."""

import json
from typing import TYPE_CHECKING, Any

from .errors import BadOutputError
from .models import Message

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

_MAX_SHOWN = 1000


async def async_ask_until_usable[T](
    ask: Callable[[Sequence[Message]], Awaitable[T]],
    messages: Sequence[Message],
    *,
    attempts: int,
    again: str,
) -> T:
    """Return what `ask` makes of the model's answer to `messages`; it raises `BadOutputError` to ask again.

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

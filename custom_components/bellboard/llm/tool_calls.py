"""Tool calls of an answer: put together from the pieces in which servers send them, and put on the wire."""

from dataclasses import dataclass, field
import json
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from .errors import BadOutputError
from .models import FunctionCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .models import JsonSchema, Message, Tool

MAX_CALLS = 16
"""Tool calls in one answer at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPiece:
    """A piece of a tool call; pieces of one call have the same `index`, and one without begins where it has a name.

    `arguments` is an object where the server sends them whole, else a piece of its JSON text.
    """

    index: int | None = None
    id: str = ""
    name: str = ""
    arguments: dict[str, Any] | str = ""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Call:
    """A tool call that is being put together."""

    id: str = ""
    name: str = ""
    text: str = ""
    whole: dict[str, Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def add(self, piece: CallPiece) -> None:
        """Add the next piece."""
        self.id = self.id or piece.id
        self.name = self.name or piece.name
        self.extra |= piece.extra
        if isinstance(piece.arguments, str):
            self.text += piece.arguments
        else:
            self.whole = piece.arguments

    def arguments(self) -> dict[str, Any]:
        """Return the arguments. Raises `BadOutputError` where they are no JSON object."""
        if self.whole is not None and not self.text:
            return self.whole
        try:
            found = from_json(self.text, allow_inf_nan=False) if self.text.strip() else {}
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise BadOutputError("a tool call without arguments", text=self.text)
        return found


def assembled(pieces: Iterable[CallPiece], *, cut_short: bool = False) -> tuple[FunctionCall, ...]:
    """Return the tool calls that the pieces of an answer come to; one without an id gets its number.

    Raises `BadOutputError` where there are too many, one has no name or no arguments, or the model
    was stopped while it wrote them (`cut_short`).
    """
    calls: dict[int, _Call] = {}
    number = -1
    for piece in pieces:
        # What has no number of its own gets one below those of others.
        number -= 1 if piece.index is None and piece.name else 0
        calls.setdefault(number if piece.index is None else piece.index, _Call()).add(piece)
    if calls and cut_short:
        raise BadOutputError("cut short")
    if len(calls) > MAX_CALLS or not all(call.name for call in calls.values()):
        raise BadOutputError("tool calls that cannot be read")
    return tuple(
        FunctionCall(
            id=call.id or f"call_{number}",
            name=call.name,
            arguments=call.arguments(),
            extra=call.extra,
        )
        for number, call in enumerate(calls.values())
    )


def arguments_text(call: FunctionCall) -> str:
    """Return the arguments of a call as JSON text."""
    return json.dumps(call.arguments, ensure_ascii=False, separators=(",", ":"))


def described(tools: Sequence[Tool]) -> list[JsonSchema]:
    """Return tools in the shape of the OpenAI protocol, which Ollama has too."""
    return [{"type": "function", "function": tool.model_dump()} for tool in tools]


def plain(message: Message) -> dict[str, Any]:
    """Return the role and text of a message, which all protocols have."""
    return {"role": message.role, "content": message.content}

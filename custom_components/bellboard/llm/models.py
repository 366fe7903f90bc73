"""Messages, completions and usage: one vocabulary for every provider."""

from collections.abc import Collection
import re
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat

type JsonSchema = dict[str, Any]
"""A JSON schema whose root describes an object."""


def object_schema(properties: JsonSchema, optional: Collection[str] = ()) -> JsonSchema:
    """Return the schema of an object with exactly these properties, all but the `optional` ones required.

    Strict modes want all of them.
    """
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


# Some servers list more than they are asked for.
_MOST_ALTERNATIVES = 40


def _bytes(value: Any) -> Any:
    if value is not None and not isinstance(value, list):
        return value
    try:
        return bytes(value or ())
    except TypeError as err:
        # Only a ValueError tells pydantic that the value, and not the code, is wrong.
        raise ValueError("not a list of bytes") from err


class WireModel(BaseModel):
    """Base of the models here: frozen; bytes travel in JSON as base64."""

    model_config = ConfigDict(frozen=True, ser_json_bytes="base64", val_json_bytes="base64")


class Tool(WireModel):
    """A function a model may ask to have called: its name, what it does, the JSON schema of its arguments."""

    name: str
    description: str
    parameters: JsonSchema


class FunctionCall(WireModel):
    """A call of a tool that a model asks for.

    `id` pairs it with its result. `extra` is what the provider wants to get back with it, unread.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    extra: dict[str, Any] = {}


class Message(WireModel):
    """One message of a chat, in the order in which the model reads them.

    An assistant's message may ask for `tool_calls`; the result of each is a message of the role "tool",
    which names the call that it `answers`.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[FunctionCall, ...] = ()
    answers: FunctionCall | None = None


class Usage(WireModel):
    """Tokens one or several calls took.

    `prompt_tokens` counts the whole prompt; `cached_tokens` of these were served from the server's
    prompt cache (0 where the server does not say so).
    """

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Sum two usages, field by field."""
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


NO_USAGE = Usage()
"""What no call took."""


class Alternative(WireModel):
    """A token the model could have written at one place, with its natural-log probability.

    `raw` holds the token's bytes where the server sends them (as a list named `bytes`): a token may
    end in the middle of a character, and `token` cannot show that.
    """

    token: str
    logprob: FiniteFloat
    raw: Annotated[bytes, BeforeValidator(_bytes)] = Field(
        default=b"", validation_alias=AliasChoices("raw", "bytes")
    )

    @property
    def piece(self) -> bytes:
        """The bytes this token adds to the text."""
        return self.raw or self.token.encode(errors="surrogatepass")


class TokenLogprob(Alternative):
    """The token the model wrote at one place, and the likeliest tokens there (which may include it)."""

    alternatives: Annotated[
        tuple[Alternative, ...],
        Field(max_length=_MOST_ALTERNATIVES),
        BeforeValidator(lambda v: () if v is None else v),
    ] = Field(default=(), validation_alias=AliasChoices("alternatives", "top_logprobs"))


class Completion(WireModel):
    """A whole answer.

    `text` is what the model wrote, without its thoughts. `data` is the JSON object in it when a
    schema was asked for, else None. `tool_calls` are to be made before it goes on. `model` is the name
    the server gives the model.
    """

    text: str
    data: dict[str, Any] | None = None
    tool_calls: tuple[FunctionCall, ...] = ()
    usage: Usage = NO_USAGE
    logprobs: tuple[TokenLogprob, ...] = ()
    finish_reason: str | None = None
    model: str


class Delta(WireModel):
    """A piece of a streamed answer.

    The last one has no text, but `finish_reason` and `usage` if the server sends them, and the tool calls.
    """

    text: str = ""
    tool_calls: tuple[FunctionCall, ...] = ()
    finish_reason: str | None = None
    usage: Usage | None = None


_TOKEN = re.compile(r"\d|[^\W\d]{1,6}|[^\w\s]")


def tokens_of(text: str) -> int:
    """Return about how many tokens a text takes."""
    return len(_TOKEN.findall(text)) + 1

"""Client for Ollama's native API."""

import re
from typing import TYPE_CHECKING, Annotated, Any, override

from pydantic import BeforeValidator

from .ability import parameters_of
from .base import ChatReply, ChatRequest, HttpModelClient, Models, Pieces, ServerModel
from .endpoint import Endpoint, WaitBudget
from .errors import reported
from .logprobs import TOP_LOGPROBS, read_logprobs
from .models import Usage
from .tool_calls import CallPiece, described, plain
from .unsupported import Body, UnsupportedField, leave_out
from .url import normalise_url, without_api

if TYPE_CHECKING:
    import aiohttp

    from .models import Message

DEFAULT_PORT = 11434
DEFAULT_KEEP_ALIVE = -1
"""For ever: a model that is loaded anew lets the next sentence wait."""

DEFAULT_NUM_CTX = 4096

_SECONDS = re.compile(r"-?\d+")


def base_url(typed: str) -> str:
    """Return the base URL of an Ollama server, from what people type; raises `InvalidUrlError`."""
    return without_api(normalise_url(typed, default_port=DEFAULT_PORT))


class OllamaClient(HttpModelClient):
    """Client for Ollama's native API."""

    provider = "ollama"
    streams_objects = True
    chat_path = "/api/chat"

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        api_key: str | None = None,
        model: str = "",
        keep_alive: str | float = DEFAULT_KEEP_ALIVE,
        num_ctx: int = DEFAULT_NUM_CTX,
    ) -> None:
        """Talk to `model` at `url`, which is given in any form people type it.

        `keep_alive` is how long the model stays loaded after a call: a duration ("5m"), or seconds,
        where -1 is for ever and 0 not at all. `num_ctx` is the context in tokens; Ollama loads the
        model anew for another one, so all calls to a model should name the same. Raises
        `InvalidUrlError` or `AuthenticationError` for what cannot be an address or a key.
        """
        super().__init__(Endpoint(session, base_url(url), api_key), model, UNSUPPORTED)
        self._keep_alive = _duration(keep_alive)
        self._num_ctx = num_ctx

    @override
    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        listed = await self._get(_Tags, "/api/tags", WaitBudget(timeout))
        return [tag.name for tag in listed.models]

    async def list_sizes(self, *, timeout: float = 10.0) -> dict[str, float]:
        """Return how large the server's models are; see `TellsSizes.list_sizes`."""
        listed = await self._get(_Tags, "/api/tags", WaitBudget(timeout))
        told = {
            tag.name: parameters_of(tag.details.parameter_size)
            for tag in listed.models
            if tag.details
        }
        return {name: size for name, size in told.items() if size}

    @override
    def _body(self, request: ChatRequest) -> Body:
        options: dict[str, Any] = {"num_ctx": self._num_ctx}
        if request.temperature is not None:
            options["temperature"] = request.temperature
        if request.max_tokens is not None:
            options["num_predict"] = request.max_tokens
        body: Body = {
            "model": self.model,
            "messages": [_written(message) for message in request.messages],
            "stream": request.stream,
            # Left out, a reasoning model would think first, and the schema holds only after its thoughts.
            "think": False,
            "keep_alive": self._keep_alive,
            "options": options,
        }
        if request.logprobs:
            body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if request.schema is not None:
            body["format"] = request.schema
        elif request.tools:
            body["tools"] = described(request.tools)
        return body

    @override
    def _read_reply(self, body: bytes) -> ChatReply:
        reply = _Reply.model_validate_json(body)
        if reply.error:
            raise reported(reply.error)
        return ChatReply(
            text=reply.message.content if reply.message else "",
            calls=reply.message.calls() if reply.message else (),
            finish_reason=(reply.done_reason or "stop") if reply.done else None,
            usage=reply.tokens(),
            logprobs=read_logprobs(reply.logprobs),
            model=reply.model,
            last=reply.done,
        )

    @override
    def _read_event(self, line: bytes) -> ChatReply:
        return self._read_reply(line)


def _written(message: Message) -> Body:
    """Return a message in Ollama's shape, where a result names its tool."""
    written = plain(message)
    if message.answers:
        return written | {"tool_name": message.answers.name}
    if message.tool_calls:
        written["tool_calls"] = [
            {"function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return written


def _duration(keep_alive: str | float) -> str | float:
    """Make "-1" and "300" numbers: Ollama rejects a text without a unit."""
    if isinstance(keep_alive, str) and _SECONDS.fullmatch(keep_alive.strip()):
        return int(keep_alive)
    return keep_alive


class _Function(ServerModel):
    name: str
    arguments: dict[str, Any] | None = None


class _ToolCall(ServerModel):
    function: _Function


class _Message(ServerModel):
    content: str = ""
    tool_calls: Pieces[_ToolCall] | None = None

    def calls(self) -> tuple[CallPiece, ...]:
        """Return the tool calls, each of them whole."""
        functions = [call.function for call in self.tool_calls or ()]
        return tuple(
            CallPiece(name=each.name, arguments=each.arguments or {}) for each in functions
        )


class _Reply(ServerModel):
    message: _Message | None = None
    model: str | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: int = 0
    prompt_eval_cached_count: int = 0
    eval_count: int = 0
    logprobs: Any = None
    error: Any = None

    def tokens(self) -> Usage | None:
        if not self.done:
            return None
        return Usage(
            prompt_tokens=self.prompt_eval_count,
            cached_tokens=self.prompt_eval_cached_count,
            completion_tokens=self.eval_count,
        )


def _known(value: Any) -> Any:
    return value if isinstance(value, dict) else None


class _Details(ServerModel):
    parameter_size: Annotated[str, BeforeValidator(str)] = ""


class _Tag(ServerModel):
    name: str
    details: Annotated[_Details | None, BeforeValidator(_known)] = None


class _Tags(ServerModel):
    models: Models[_Tag]


UNSUPPORTED = (
    UnsupportedField(("not support tools",), leave_out("tools")),
    # Some builds reject even "do not think" for a model that cannot.
    UnsupportedField(("not support think",), leave_out("think")),
    UnsupportedField(("top_logprobs",), leave_out("top_logprobs")),
    UnsupportedField(("logprob",), leave_out("logprobs", "top_logprobs")),
)
"""Fields that Ollama servers may reject, in the order in which they are dropped."""

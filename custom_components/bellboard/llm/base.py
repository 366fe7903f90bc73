"""Base of the clients that speak HTTP and JSON: sending, retrying without unsupported fields, reading.

A provider's module adds only the shapes of its requests and replies.
"""

from abc import ABC, abstractmethod
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from .endpoint import WaitBudget, check_values
from .errors import BadOutputError, ModelError, NotAModelServerError, failure
from .models import Completion, Delta, TokenLogprob, Usage
from .output import ThoughtFilter, json_object
from .tool_calls import CallPiece, assembled
from .unsupported import ServerSupport

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from .endpoint import Endpoint, Response, ServerReply
    from .models import JsonSchema, Message, Tool
    from .unsupported import Body, UnsupportedField


MAX_MODELS = 10_000
"""Models in a server's list at most."""
MAX_PIECES = 256
"""Choices of a reply, or blocks of its content, at most: one or a few are asked for."""
# A kept connection may be closed just as it is used again.
_ATTEMPTS = 2
# Statuses of a path or a method that a server does not have.
_NOT_THERE = (404, 405, 501)

type Models[T] = Annotated[list[T], Field(max_length=MAX_MODELS)]
type Pieces[T] = Annotated[list[T], Field(max_length=MAX_PIECES)]


class ServerModel(BaseModel):
    """Base of the shapes servers send. What is not named is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """A chat completion request before it takes a provider's shape. `None` leaves a choice to the server."""

    messages: Sequence[Message]
    schema: JsonSchema | None = None
    schema_name: str = "answer"
    temperature: float | None = None
    max_tokens: int | None = None
    logprobs: bool = False
    tools: Sequence[Tool] = ()
    stream: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """A provider's chat reply, or one event of a streamed one. `last`: nothing follows.

    `structured` is the JSON text of an answer to a schema, where that does not come as its text.
    """

    text: str = ""
    structured: str | None = None
    calls: tuple[CallPiece, ...] = ()
    finish_reason: str | None = None
    usage: Usage | None = None
    logprobs: tuple[TokenLogprob, ...] = ()
    model: str | None = None
    last: bool = False


class HttpModelClient(ABC):
    """A `ModelClient` over HTTP. Subclasses give the path, the request's shape, and the reply's."""

    provider: str
    chat_path: str
    needs_last: ClassVar[bool] = False
    """Whether a stream is cut off without its last event even if it told its finish reason."""
    streams_objects: ClassVar[bool] = False
    """Whether a line of a stream is a JSON object; elsewhere one is a whole reply, to a stream that was refused."""

    begins_inside: bool | None = None
    """Whether answers begin inside thoughts, as the model's template may have it; None until one was read.

    The first stream waits for its end, since only a closing tag tells.
    """

    def __init__(
        self, endpoint: Endpoint, model: str, unsupported: Sequence[UnsupportedField]
    ) -> None:
        """Talk to `model` at `endpoint`, which may reject the fields in the table `unsupported`."""
        self.model = model
        self._endpoint = endpoint
        self._support = ServerSupport(unsupported)

    @property
    def server(self) -> str:
        """The address of the server."""
        return self._endpoint.base_url

    def __repr__(self) -> str:
        """Show model and address; the endpoint hides the key."""
        return f"{type(self).__name__}(model={self.model!r}, {self._endpoint!r})"

    @abstractmethod
    def _body(self, request: ChatRequest) -> Body:
        """Return a request in the provider's shape."""

    @abstractmethod
    def _read_reply(self, body: bytes) -> ChatReply:
        """Read a whole reply. Raises `ValidationError` when it does not have the shape, or a `ModelError`."""

    @abstractmethod
    def _read_event(self, line: bytes) -> ChatReply:
        """Read one line of a streamed reply, which may carry nothing. Raises like `_read_reply`."""

    @abstractmethod
    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Return the names of the server's models."""

    def _failure(self, reply: ServerReply) -> ModelError:
        """Return the error of a reply that is not a success; a provider may know its own better."""
        return failure(reply)

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
        """Ask for a whole answer; see `ModelClient.complete`."""
        request = ChatRequest(
            messages=messages,
            schema=schema,
            schema_name=schema_name,
            temperature=temperature,
            max_tokens=max_tokens,
            logprobs=logprobs,
            tools=tools,
        )
        reply = self._parse_reply(await self._send(self._body(request), WaitBudget(timeout)))
        cut_short = reply.finish_reason == "length"
        said = reply.text if tools else reply.structured or reply.text
        thoughts = ThoughtFilter(may_begin_inside=True)
        text = thoughts.feed(said) + thoughts.flush()
        # A schema may keep a model from thinking, and tells nothing of its other answers.
        if thoughts.began_inside or schema is None:
            self._note_thoughts(thoughts)
        return Completion(
            text=text,
            data=None if schema is None else json_object(said, schema=schema, cut_short=cut_short),
            tool_calls=assembled(reply.calls, cut_short=cut_short) if tools else (),
            usage=reply.usage or Usage(),
            logprobs=reply.logprobs,
            finish_reason=reply.finish_reason,
            model=reply.model or self.model,
        )

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
        tools: Sequence[Tool] = (),
        timeout: float = 60.0,
    ) -> AsyncGenerator[Delta]:
        """Ask for an answer piece by piece; see `ModelClient.stream`."""
        request = ChatRequest(
            messages=messages,
            temperature=temperature,
            max_tokens=max_tokens,
            tools=tools,
            stream=True,
        )
        adapted = self._support.request(self._body(request))
        budget = WaitBudget(timeout)
        while True:
            async with self._endpoint.open(
                "POST", self.chat_path, adapted.body, budget, attempts=_ATTEMPTS
            ) as response:
                if response.status == 200:
                    adapted.accepted()
                    async with aclosing(self._deltas(response, calls=bool(tools))) as deltas:
                        async for delta in deltas:
                            yield delta
                    return
                reply = await response.read()
            if not adapted.adapt(reply):
                raise self._failure(reply)

    async def _send(self, body: Body, budget: WaitBudget) -> ServerReply:
        """Send a chat request, without the fields the server turns out not to support."""
        adapted = self._support.request(body)
        while True:
            async with self._endpoint.open(
                "POST", self.chat_path, adapted.body, budget, attempts=_ATTEMPTS
            ) as response:
                reply = await response.read()
            if reply.status == 200:
                adapted.accepted()
                return reply
            if not adapted.adapt(reply):
                raise self._failure(reply)

    async def _get[T: ServerModel](self, shape: type[T], path: str, budget: WaitBudget) -> T:
        """Ask about the server itself; raises like `get_info`."""
        reply = await get_info(self._endpoint, path, budget, failure=self._failure)
        return parsed(shape, reply)

    def _parse_reply(self, reply: ServerReply) -> ChatReply:
        """Read a whole reply. Raises `NotAModelServerError`, `BadOutputError` or what the reply reports."""
        if reply.is_page:
            raise NotAModelServerError("it answers with a web page")
        return self._parse_body(reply.body)

    def _note_thoughts(self, thoughts: ThoughtFilter) -> None:
        """Keep whether an answer began inside thoughts; once one did, the next ones may."""
        self.begins_inside = thoughts.began_inside or bool(self.begins_inside)

    def _is_stream(self, body: bytes) -> bool:
        """Return whether a body is a whole stream, which some servers send unasked."""
        if not self.streams_objects:
            return body.lstrip().startswith((b"data:", b"event:", b":"))
        lines = [line.strip() for line in body.splitlines() if line.strip()]
        return len(lines) > 1 and all(line[:1] == b"{" and line[-1:] == b"}" for line in lines)

    def _parse_stream(self, body: bytes) -> ChatReply:
        """Read a stream that was sent unasked; raises like `_deltas`."""
        texts: list[str] = []
        calls: list[CallPiece] = []
        last = ChatReply()
        for line in body.splitlines():
            event = self._parse_event(line)
            texts.append(event.text)
            calls += event.calls
            last = _following(last, event)
            if event.last:
                break
        self._check_end(last)
        return replace(last, text="".join(texts), calls=tuple(calls))

    def _check_end(self, last: ChatReply) -> None:
        """Raise `BadOutputError` where a stream was cut off."""
        if not last.last and (self.needs_last or last.finish_reason is None):
            raise BadOutputError("it ended early")

    def _parse_body(self, body: bytes) -> ChatReply:
        """Read the body of a reply; raises like `_parse_reply`."""
        if self._is_stream(body):
            return self._parse_stream(body)
        wrong: ModelError
        try:
            return self._read_reply(body)
        except ValidationError:
            # Not chained: a validation error quotes what it refuses.
            wrong = (
                BadOutputError("the reply is damaged")
                if _is_damaged(body)
                else NotAModelServerError()
            )
        raise wrong

    async def _deltas(self, response: Response, *, calls: bool) -> AsyncGenerator[Delta]:
        """Yield the pieces of a streamed answer, without thoughts, and check that it has an end.

        With `calls` the last one has the tool calls.
        """
        if response.is_page:
            raise NotAModelServerError("it answers with a web page")
        thoughts = ThoughtFilter(may_begin_inside=self.begins_inside is not False)
        last, whole = ChatReply(), bytearray()
        pieces: list[CallPiece] = []
        async with aclosing(response.lines()) as lines:
            async for line in lines:
                if whole or (not self.streams_objects and line.lstrip().startswith(b"{")):
                    # A server that knows no streams answers as it always does.
                    whole += line + b"\n"
                    continue
                event = self._parse_event(line)
                last = _following(last, event)
                pieces += event.calls
                if text := thoughts.feed(event.text):
                    yield Delta(text=text)
                if event.last:
                    break
        if whole:
            check_values(whole)
            last = self._parse_body(bytes(whole))
            pieces += last.calls
            if text := thoughts.feed(last.text):
                yield Delta(text=text)
        else:
            self._check_end(last)
        text = thoughts.flush()
        self._note_thoughts(thoughts)
        if text:
            yield Delta(text=text)
        yield Delta(
            tool_calls=assembled(pieces, cut_short=last.finish_reason == "length") if calls else (),
            finish_reason=last.finish_reason,
            usage=last.usage,
        )

    def _parse_event(self, line: bytes) -> ChatReply:
        """Read one line of a stream. Raises `BadOutputError` or what the event reports."""
        try:
            return self._read_event(line) if line.strip() else ChatReply()
        except ValidationError:
            wrong = BadOutputError("the reply is damaged")
        raise wrong


async def get_info(
    endpoint: Endpoint,
    path: str,
    budget: WaitBudget,
    *,
    is_other: Callable[[ServerReply], bool] = lambda _: False,
    failure: Callable[[ServerReply], ModelError] = failure,
) -> ServerReply:
    """Return the 200 reply to a question about the server itself.

    Raises `NotAModelServerError` where the server does not have the path or `is_other` says that another
    service replied, and `failure` of any other status.
    """
    reply: ServerReply | None = None
    try:
        async with endpoint.open("GET", path, None, budget) as response:
            reply = await response.read()
    except BadOutputError:
        # Longer than any list of models is.
        pass
    has_no_list = reply is not None and reply.status in _NOT_THERE
    if reply is None or has_no_list or is_other(reply):
        raise NotAModelServerError("it answers something else", has_no_list=has_no_list)
    if reply.status != 200:
        raise failure(reply)
    return reply


def parsed[T: ServerModel](shape: type[T], reply: ServerReply) -> T:
    """Return a reply in a shape that only such a server sends. Raises `NotAModelServerError`."""
    try:
        return shape.model_validate_json(reply.body)
    except ValidationError:
        wrong = NotAModelServerError("it answers something else")
    # Not chained: a validation error quotes what it refuses.
    raise wrong


def _following(last: ChatReply, event: ChatReply) -> ChatReply:
    """Return an event of a stream with what the events before it told."""
    return replace(
        event,
        finish_reason=event.finish_reason or last.finish_reason,
        usage=_merged(last.usage, event.usage),
        model=event.model or last.model,
    )


def _merged(before: Usage | None, now: Usage | None) -> Usage | None:
    """Merge the usage of events of one answer: some tell the prompt first and the answer last."""
    if before is None or now is None:
        return now or before
    return Usage(
        prompt_tokens=max(before.prompt_tokens, now.prompt_tokens),
        cached_tokens=max(before.cached_tokens, now.cached_tokens),
        completion_tokens=max(before.completion_tokens, now.completion_tokens),
    )


def _is_damaged(body: bytes) -> bool:
    """Return whether a body is broken JSON, as a failing model server sends, not another service's JSON."""
    try:
        return not isinstance(from_json(body), dict)
    except ValueError:
        return True

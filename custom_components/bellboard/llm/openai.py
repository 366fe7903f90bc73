"""Client for the OpenAI chat protocol, as llama.cpp, vLLM, LM Studio and many others speak it."""

from contextlib import suppress
from operator import attrgetter
import re
from typing import TYPE_CHECKING, Annotated, Any, override

from pydantic import BeforeValidator, Field, model_validator

from .base import (
    MAX_PIECES,
    ChatReply,
    ChatRequest,
    HttpModelClient,
    Pieces,
    ServerModel,
    get_info,
    parsed,
)
from .endpoint import Endpoint, WaitBudget
from .errors import NotAModelServerError, reported
from .flavours import OPENAI, Flavour
from .logprobs import TOP_LOGPROBS, read_logprobs
from .models import Usage
from .tool_calls import CallPiece, arguments_text, described, plain

if TYPE_CHECKING:
    import aiohttp

    from .endpoint import ServerReply
    from .model_lists import InfoPath, ModelListSource
    from .models import JsonSchema, Message
    from .unsupported import Body

_SCHEMA_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class OpenAIClient(HttpModelClient):
    """Client for servers of the OpenAI chat protocol, of any flavour."""

    chat_path = "/chat/completions"

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        flavour: Flavour = OPENAI,
        api_key: str | None = None,
        model: str = "",
    ) -> None:
        """Talk to `model` at `url`, which is given in any form people type it.

        Raises `InvalidUrlError` or `AuthenticationError` for what
        cannot be an address or a key.
        """
        base = flavour.base_url(url)
        super().__init__(
            Endpoint(session, base, api_key, headers=flavour.headers),
            model.removeprefix(flavour.model_prefix),
            flavour.unsupported,
        )
        self.provider = flavour.name
        self._flavour = flavour
        self._endpoints = {
            path: Endpoint(
                session,
                path.base(base),
                api_key,
                key_header=path.key_header,
                headers=flavour.headers,
            )
            for path in flavour.info_paths
        }

    @override
    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Check the key where the lists do not, and return the most detailed list."""
        budget = WaitBudget(timeout)
        if (path := self._flavour.key_check) is not None:
            # That it is no such server is for the list to tell.
            with suppress(NotAModelServerError):
                await self._get_info(path, budget)
        *others, last = self._flavour.model_lists
        for source in others:
            # Older servers, and what stands before some, do not have it.
            with suppress(NotAModelServerError):
                return await self._list(source, budget)
        return await self._list(last, budget)

    async def list_sizes(self, *, timeout: float = 10.0) -> dict[str, float]:
        """Return how large the server's models are; see `TellsSizes.list_sizes`."""
        source = self._flavour.model_lists[-1]
        listed = parsed(source.shape, await self._get_info(source.path, WaitBudget(timeout)))
        prefix = self._flavour.model_prefix
        return {name.removeprefix(prefix): size for name, size in listed.sizes().items()}

    async def _list(self, source: ModelListSource, budget: WaitBudget) -> list[str]:
        """Return one of the server's lists, with the names that models are asked by."""
        listed = parsed(source.shape, await self._get_info(source.path, budget))
        return [name.removeprefix(self._flavour.model_prefix) for name in listed.names()]

    async def _get_info(self, path: InfoPath, budget: WaitBudget) -> ServerReply:
        """Ask about the server itself; raises like `get_info`."""
        is_page = attrgetter("is_page")
        return await get_info(self._endpoints[path], path.path, budget, is_other=is_page)

    @override
    def _body(self, request: ChatRequest) -> Body:
        body: Body = {
            "model": self.model,
            "messages": [_written(message) for message in request.messages],
            "stream": request.stream,
            # Servers that do not know it are asked without it.
            **self._flavour.no_reasoning,
        }
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body["max_tokens"] = request.max_tokens
        if request.stream:
            body["stream_options"] = {"include_usage": True}
        if request.logprobs:
            body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if request.schema is not None:
            name = _schema_name(request.schema) or request.schema_name
            # Nothing in it may be optional then.
            is_strict = request.schema.get("required") == [*request.schema.get("properties", ())]
            named = {"name": name, "strict": is_strict, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
            body |= self._flavour.schema_fields
        elif request.tools:
            body["tools"] = described(request.tools)
        return body

    @override
    def _read_reply(self, body: bytes) -> ChatReply:
        reply = _Reply.model_validate_json(body)
        if reply.error:
            raise reported(reply.error)
        choice = reply.choices[0] if reply.choices else _Choice()
        choice.check()
        return ChatReply(
            text=choice.message.content or "",
            calls=choice.message.calls(),
            finish_reason=choice.finish_reason,
            usage=reply.tokens(),
            logprobs=read_logprobs(choice.logprobs.get("content")) if choice.logprobs else (),
            model=reply.model,
            last=True,
        )

    @override
    def _read_event(self, line: bytes) -> ChatReply:
        # Comments (": ping") keep a connection open, "event:" and "id:" lines say nothing that matters here.
        if not line.startswith(b"data:"):
            return ChatReply()
        data = line.removeprefix(b"data:").strip()
        if data == b"[DONE]":
            return ChatReply(last=True)
        chunk = _Chunk.model_validate_json(data)
        if chunk.error:
            raise reported(chunk.error)
        choice = chunk.choices[0] if chunk.choices else _ChunkChoice()
        choice.check()
        return ChatReply(
            text=choice.delta.content or "",
            calls=choice.delta.calls(),
            finish_reason=choice.finish_reason,
            usage=chunk.tokens(),
        )


def _written(message: Message) -> Body:
    """Return a message in the protocol's shape."""
    written = plain(message)
    if message.answers:
        return written | {"tool_call_id": message.answers.id}
    if message.tool_calls:
        written["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": arguments_text(call)},
                **call.extra,
            }
            for call in message.tool_calls
        ]
    return written


def _schema_name(schema: JsonSchema) -> str | None:
    """Return a schema's title if the protocol takes it as a name, else None."""
    title = schema.get("title")
    return title if isinstance(title, str) and _SCHEMA_NAME.fullmatch(title) else None


def _joined(content: Any) -> Any:
    """Join the text parts of a content that comes in parts; others are thoughts or pictures."""
    if not isinstance(content, list):
        return content
    parts = (part for part in content if isinstance(part, dict) and part.get("type") == "text")
    return "".join(str(part.get("text", "")) for part in parts)


class _Function(ServerModel):
    name: str | None = None
    arguments: dict[str, Any] | str | None = None


class _ToolCall(ServerModel):
    index: int | None = None
    id: str | None = None
    function: _Function = _Function()
    # Gemini wants back the signature of its thoughts.
    extra_content: dict[str, Any] | None = None


class _Message(ServerModel):
    content: Annotated[str | None, BeforeValidator(_joined)] = None
    tool_calls: Annotated[list[_ToolCall] | None, Field(max_length=MAX_PIECES)] = None

    def calls(self) -> tuple[CallPiece, ...]:
        """Return the pieces of tool calls."""
        return tuple(
            CallPiece(
                index=call.index,
                id=call.id or "",
                name=call.function.name or "",
                arguments=call.function.arguments or "",
                extra={"extra_content": call.extra_content} if call.extra_content else {},
            )
            for call in self.tool_calls or ()
        )


class _Ended(ServerModel):
    finish_reason: str | None = None
    error: Any = None

    def check(self) -> None:
        """Raise the error of an upstream server that broke off."""
        if self.error or self.finish_reason == "error":
            raise reported(self.error)


class _Choice(_Ended):
    message: _Message = _Message()
    logprobs: dict[str, Any] | None = None


class _ChunkChoice(_Ended):
    delta: _Message = _Message()


class _PromptDetails(ServerModel):
    cached_tokens: int | None = None


class _Usage(ServerModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _PromptDetails | None = None


class _Timings(ServerModel):
    cache_n: int | None = None


class _Counted(ServerModel):
    usage: _Usage | None = None
    timings: _Timings | None = None
    error: Any = None

    @model_validator(mode="before")
    @classmethod
    def _unwrap_error(cls, reply: Any) -> Any:
        """Unwrap an error that Gemini puts into a list."""
        wrapped = isinstance(reply, list) and len(reply) == 1 and isinstance(reply[0], dict)
        return reply[0] if wrapped and "error" in reply[0] else reply

    def tokens(self) -> Usage | None:
        if self.usage is None:
            return None
        details = self.usage.prompt_tokens_details
        cached = details.cached_tokens if details else None
        # Older llama.cpp servers count cached tokens only among their timings.
        if cached is None and self.timings:
            cached = self.timings.cache_n
        return Usage(
            prompt_tokens=self.usage.prompt_tokens,
            cached_tokens=cached or 0,
            completion_tokens=self.usage.completion_tokens,
        )


class _Reply(_Counted):
    choices: Pieces[_Choice] | None = None
    model: str | None = None


class _Chunk(_Counted):
    choices: Pieces[_ChunkChoice] | None = None

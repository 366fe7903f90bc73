"""Client for Anthropic's Messages API, which some local servers have as well."""

from copy import deepcopy
import json
import re
from typing import TYPE_CHECKING, Any, ClassVar, override
from urllib.parse import urlencode

from .base import ChatReply, ChatRequest, HttpModelClient, Models, Pieces, ServerModel
from .endpoint import Endpoint, WaitBudget
from .errors import (
    BadOutputError,
    ModelError,
    ModelMissingError,
    NotAModelServerError,
    RequestRejectedError,
    failure,
    reported,
)
from .models import Usage
from .tool_calls import CallPiece
from .unsupported import Body, UnsupportedField, leave_out
from .url import normalise_url, with_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import aiohttp

    from .endpoint import ServerReply
    from .models import JsonSchema, Message

DEFAULT_MAX_TOKENS = 4096
"""Tokens of an answer where no limit is set: the API wants one, and every model allows this one."""
THINKING_TOKENS = 2048
"""Tokens added where a model always thinks: its thoughts count against the limit."""

_DESCRIPTION = "Give the answer."
_NOTHING = "(Nothing was said.)"


def request_body(model: str, request: ChatRequest) -> Body:
    """Put a request to `model` into the protocol's shape."""
    system = [
        _text_block(m.content) for m in request.messages if _is_system(m) and m.content.strip()
    ]
    turns = _turns([message for message in request.messages if not _is_system(message)])
    tools: list[Body] = []
    body: Body = {
        "model": model,
        "max_tokens": DEFAULT_MAX_TOKENS if request.max_tokens is None else request.max_tokens,
        "messages": turns,
        "stream": request.stream,
        # Some models think unless they are told not to, and take several seconds over a lamp.
        "thinking": {"type": "disabled"},
    }
    if system:
        body["system"] = system
    if request.temperature is not None:
        # Others go up to 2, this API to 1.
        body["temperature"] = min(request.temperature, 1.0)
    if request.schema is not None:
        name = request.schema_name
        tools.append(_tool(name, request.schema))
        body["tools"] = tools
        body["tool_choice"] = {"type": "tool", "name": name, "disable_parallel_tool_use": True}
    elif request.tools:
        tools += [_tool(tool.name, tool.parameters, tool.description) for tool in request.tools]
        body["tools"] = tools
    said = [block for turn in turns for block in turn["content"]]
    # In the order in which the server reads them. Only the last message is new each time.
    for same in (tools, system, said[:-1]):
        if same:
            same[-1]["cache_control"] = {"type": "ephemeral"}
    return body


def _is_system(message: Message) -> bool:
    return message.role == "system"


def _text_block(text: str) -> Body:
    return {"type": "text", "text": text}


def _tool(name: str, schema: JsonSchema, description: str = "") -> Body:
    described = description or schema.get("description")
    told = described if isinstance(described, str) and described.strip() else _DESCRIPTION
    return {"name": name, "description": told, "input_schema": schema}


def _blocks(message: Message) -> list[Body]:
    """Return the content of a message: its text, and its tool calls or the result that it is."""
    if message.answers:
        result = {"type": "tool_result", "tool_use_id": message.answers.id}
        return [result | {"content": message.content}]
    text = message.content.strip()
    told = [_text_block(message.content)] if text else []
    calls: list[Body] = [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}
        for call in message.tool_calls
    ]
    return [*told, *calls] or [_text_block(_NOTHING)]


def _turns(messages: Sequence[Message]) -> list[Body]:
    """Return messages as turns: the first is the user's, then they alternate, and none is blank.

    The results of tools are the user's.
    """
    turns: list[Body] = []
    for message in messages:
        role = "user" if message.role == "tool" else message.role
        if not turns or turns[-1]["role"] != role:
            turns.append({"role": role, "content": []})
        turns[-1]["content"] += _blocks(message)
    if not turns or turns[0]["role"] != "user":
        turns.insert(0, {"role": "user", "content": [_text_block(_NOTHING)]})
    return turns


def _think_little(body: Body) -> Body | None:
    """Let the model think, with low effort, and with room for it beside the answer."""
    if "thinking" not in body:
        return None
    rest = {key: value for key, value in body.items() if key != "thinking"}
    room = body["max_tokens"] + THINKING_TOKENS
    return rest | {"max_tokens": room, "output_config": {"effort": "low"}}


def _tool_in_words(body: Body) -> Body | None:
    """Ask for the tool in the system prompt, since the model cannot be made to use it."""
    choice = body.get("tool_choice", {})
    if choice.get("type") != "tool":
        return None
    told = _text_block(f"Answer only by using the tool {choice['name']}.")
    return body | {
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
        # First, before what is cached, because it is the same every time.
        "system": [told, *body.get("system", ())],
    }


def _cache_breakpoints(body: Body) -> Iterator[Body]:
    """Yield the parts of a request that are marked as cache breakpoints."""
    parts: list[Any] = [*body.get("tools", ()), *body.get("system", ())]
    parts += [block for turn in body["messages"] for block in turn["content"]]
    return (part for part in parts if "cache_control" in part)


def _uncached(body: Body) -> Body | None:
    if not any(_cache_breakpoints(body)):
        return None
    changed = deepcopy(body)
    for part in list(_cache_breakpoints(changed)):
        del part["cache_control"]
    return changed


UNSUPPORTED = (
    UnsupportedField(("temperature",), leave_out("temperature")),
    # Before the others that think: "thinking may not be enabled when tool_choice forces tool use".
    UnsupportedField(("tool_choice",), _tool_in_words),
    UnsupportedField(("thinking.type",), _think_little),
    UnsupportedField(("thinking",), leave_out("thinking")),
    UnsupportedField(("effort", "output_config"), leave_out("output_config")),
    UnsupportedField(("cache_control",), _uncached),
)
"""The fields that models and servers may reject, in the order in which they are dropped."""


VERSION = "2023-06-01"
"""The version of the API, which every request names.

The next one, 2026-10-21, adds nothing that is needed here and takes a temperature from no model,
also not from those that are steadier with one.
"""
PAGE = 1000
"""Models on one page of the list: the most there may be."""
MAX_PAGES = 20

_FINISH_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
_INCOMPLETE = {"length": "cut short", "content_filter": "the model declined"}
_MESSAGES = re.compile(r"/messages$", re.IGNORECASE)
_STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The HTTP status of each type of error; of any other it is 500."""


class OutOfCreditError(RequestRejectedError):
    """The account has nothing left to pay the request with."""

    message = "The account at the model's provider has no credit left."


def base_url(typed: str) -> str:
    """Return the base URL of such a server, from what people type; raises `InvalidUrlError`."""
    return with_version(_MESSAGES.sub("", normalise_url(typed)))


class AnthropicClient(HttpModelClient):
    """Client for the Messages API. It has no log-probabilities."""

    provider = "anthropic"
    chat_path = "/messages"
    needs_last: ClassVar[bool] = True

    def __init__(
        self,
        session: aiohttp.ClientSession,
        url: str,
        *,
        api_key: str | None = None,
        model: str = "",
    ) -> None:
        """Talk to `model` at `url`, which is given in any form people type it.

        Raises `InvalidUrlError` or `AuthenticationError` for what cannot be an address or a key.
        """
        endpoint = Endpoint(
            session,
            base_url(url),
            api_key,
            key_header="x-api-key",
            headers={"anthropic-version": VERSION},
        )
        super().__init__(endpoint, model, UNSUPPORTED)

    @override
    async def list_models(self, *, timeout: float = 10.0) -> list[str]:
        """Return the names of all models, page by page."""
        budget = WaitBudget(timeout)
        models: list[str] = []
        after: dict[str, str] = {}
        for _ in range(MAX_PAGES):
            query = urlencode({"limit": PAGE} | after)
            page = await self._get(_List, f"/models?{query}", budget)
            models += [model.id for model in page.data]
            if not page.has_more or not page.last_id or after.get("after_id") == page.last_id:
                break
            after = {"after_id": page.last_id}
        return models

    @override
    def _body(self, request: ChatRequest) -> Body:
        return request_body(self.model, request)

    @override
    def _read_reply(self, body: bytes) -> ChatReply:
        reply = _Reply.model_validate_json(body)
        if reply.error:
            raise _reported_error(reply.error)
        if reply.content is None:
            raise NotAModelServerError
        finish_reason = _finish_reason(reply.stop_reason)
        return ChatReply(
            text=_text(reply.content),
            structured=_tool_input(reply.content, finish_reason),
            calls=tuple(
                CallPiece(id=block.id or "", name=block.name or "", arguments=block.input or {})
                for block in reply.content
                if block.type == "tool_use"
            ),
            finish_reason=finish_reason,
            usage=reply.usage.tokens() if reply.usage else None,
            model=reply.model,
            last=True,
        )

    @override
    def _read_event(self, line: bytes) -> ChatReply:
        # An "event:" line only says beforehand what the data says of itself.
        if not line.startswith(b"data:"):
            return ChatReply()
        event = _Event.model_validate_json(line.removeprefix(b"data:").strip())
        if event.error:
            raise _reported_error(event.error)
        usage = event.usage or (event.message.usage if event.message else None)
        return ChatReply(
            text=_text((event.content_block,)) if event.content_block else event.delta.text or "",
            calls=event.calls(),
            finish_reason=_finish_reason(event.delta.stop_reason),
            usage=usage.tokens() if usage else None,
            last=event.type == "message_stop",
        )

    @override
    def _failure(self, reply: ServerReply) -> ModelError:
        return _known(_error_of(reply.body), reply.status) or failure(reply)


def _finish_reason(stop_reason: str | None) -> str | None:
    return _FINISH_REASONS.get(stop_reason, stop_reason) if stop_reason else None


def _text(blocks: Iterable[_Block]) -> str:
    """Join the text blocks; thoughts are left out."""
    return "".join(block.text or "" for block in blocks if block.type == "text")


def _tool_input(blocks: Iterable[_Block], finish_reason: str | None) -> str | None:
    """Return the input of the tool call as JSON; None if there is none.

    Raises `BadOutputError` when the model was stopped while it wrote it: the server then closes the
    object itself, so that it looks whole.
    """
    block = next((block for block in blocks if block.type == "tool_use"), None)
    if block is None:
        return None
    text = json.dumps(block.input or {}, ensure_ascii=False, separators=(",", ":"))
    if incomplete := _INCOMPLETE.get(finish_reason or ""):
        raise BadOutputError(incomplete, text=text)
    return text


def _error_of(body: bytes) -> Any:
    try:
        return _Refused.model_validate_json(body).error
    except ValueError:
        return None


def _reported_error(error: Any) -> ModelError:
    """Return the error that is reported inside a reply with status 200."""
    kind = error.get("type") if isinstance(error, dict) else None
    status = _STATUSES.get(kind, 500) if isinstance(kind, str) else 500
    known = _known(error, status)
    if known is None and isinstance(error, dict):
        return reported(error | {"code": status})
    return known or reported(error)


def _known(error: Any, status: int) -> ModelError | None:
    """Return an error that only this API reports in this way; None for all others."""
    if not isinstance(error, dict):
        return None
    kind, said = error.get("type"), str(error.get("message", "")).lower()
    if kind == "billing_error" or "credit balance" in said:
        return OutOfCreditError(status)
    if kind == "not_found_error" and "model" in said:
        return ModelMissingError()
    return None


class _Block(ServerModel):
    type: str
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None


class _Usage(ServerModel):
    input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    output_tokens: int | None = None

    def tokens(self) -> Usage:
        cached = self.cache_read_input_tokens or 0
        written = self.cache_creation_input_tokens or 0
        return Usage(
            # Theirs counts only what the cache had nothing to do with.
            prompt_tokens=(self.input_tokens or 0) + written + cached,
            cached_tokens=cached,
            completion_tokens=self.output_tokens or 0,
        )


class _Refused(ServerModel):
    error: Any = None


class _Reply(_Refused):
    content: Pieces[_Block] | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None
    model: str | None = None


class _Delta(ServerModel):
    text: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class _Started(ServerModel):
    usage: _Usage | None = None


class _Event(_Refused):
    type: str
    index: int = 0
    message: _Started | None = None
    content_block: _Block | None = None
    delta: _Delta = _Delta()
    usage: _Usage | None = None

    def calls(self) -> tuple[CallPiece, ...]:
        """Return what the event adds to a tool call."""
        block = self.content_block
        if block and block.type == "tool_use":
            return (CallPiece(index=self.index, id=block.id or "", name=block.name or ""),)
        if self.delta.partial_json is not None:
            return (CallPiece(index=self.index, arguments=self.delta.partial_json),)
        return ()


class _Listed(ServerModel):
    id: str


class _List(ServerModel):
    data: Models[_Listed]
    has_more: bool | None = None
    last_id: str | None = None

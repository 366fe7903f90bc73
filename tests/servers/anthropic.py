"""A server that speaks Anthropic's Messages protocol, for a scripted model or a real one."""

from collections.abc import Mapping
from dataclasses import dataclass
import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from aiohttp import web
from pydantic_core import from_json

from .anthropic_request import Query, RefusedError, Request, check, checked
from .faults import failing, whole_reply
from .scripted import Ask, Message, cut

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

    from .scripted import Call, Piece, ScriptedModel
    from .upstream import Upstream

VERSIONS = ("2023-06-01", "2026-10-21")
"""Versions of the protocol. From the second on, no model takes a temperature."""

_KEY_HEADERS = ("x-api-key", "Authorization")
_STATUS_MESSAGES = {
    401: "invalid x-api-key",
    404: "model: unknown",
    429: "This request would exceed your account's rate limit. Please try again later.",
    529: "Overloaded",
}


def anthropic_app(model: ScriptedModel | Upstream) -> web.Application:
    """Serve `model` as `/v1/messages` and `/v1/models`."""
    app = web.Application(middlewares=[failing(model, _status_error)])
    protocol = _Anthropic(model)
    app.router.add_get("/v1/models", protocol.models)
    app.router.add_post("/v1/messages", protocol.messages)
    return app


def _described(name: str) -> dict[str, Any]:
    return {
        "type": "model",
        "id": name,
        "display_name": name.title(),
        "created_at": "2026-09-22T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": 8192,
        "max_tokens": 4096,
    }


def _status_error(status: int) -> object:
    return RefusedError(_STATUS_MESSAGES.get(status, "Internal server error"), status=status).body


@dataclass(frozen=True, slots=True)
class _Prompt:
    """Tokens of a prompt: what was read from the cache, written to it, and neither."""

    read: int
    written: int
    other: int

    def usage(self, answer: int) -> dict[str, int]:
        return {
            "input_tokens": self.other,
            "cache_creation_input_tokens": self.written,
            "cache_read_input_tokens": self.read,
            "output_tokens": answer,
        }


class _Cache:
    """Beginnings of prompts that ended in a breakpoint. The real server keeps only long ones, and not for ever."""

    def __init__(self) -> None:
        self._kept: set[tuple[str, ...]] = set()

    def count(self, request: Request) -> _Prompt:
        parts = list(request.parts())
        texts = tuple(text for text, _ in parts)
        ends = [number for number, (_, mark) in enumerate(parts, start=1) if mark]
        kept = max((end for end in ends if texts[:end] in self._kept), default=0)
        self._kept |= {texts[:end] for end in ends}
        sizes = [len(cut(text)) for text in texts]
        read, marked = sum(sizes[:kept]), sum(sizes[: max(ends, default=0)])
        return _Prompt(read, marked - read, sum(sizes) - marked)


class _Anthropic:
    def __init__(self, model: ScriptedModel | Upstream) -> None:
        self._model = model
        self._cache = _Cache()

    async def models(self, request: web.Request) -> web.StreamResponse:
        try:
            self._check_headers(request)
            query = checked(Query, dict(request.query))
            names = list(self._model.names)
            if query.after_id is not None:
                self._check_model(query.after_id)
        except RefusedError as refused:
            return web.json_response(refused.body, status=refused.status)
        rest = names[names.index(query.after_id) + 1 :] if query.after_id else names
        page = rest[: query.limit]
        body = {
            "data": [_described(name) for name in page],
            "has_more": len(rest) > len(page),
            "first_id": page[0] if page else None,
            "last_id": page[-1] if page else None,
        }
        return web.json_response(body)

    async def messages(self, request: web.Request) -> web.StreamResponse:
        try:
            self._check_headers(request)
            body = await _json(request)
            _check_version(request, body)
            asked = checked(Request, body)
            self._check_model(asked.model)
            check(asked, self._model.refuses)
            ask = _ask(request, asked, body)
        except RefusedError as refused:
            return web.json_response(refused.body, status=refused.status)
        thinks = "thinking" in self._model.refuses
        reply = _Reply(asked, self._cache.count(asked), thinks=thinks)
        if ask.stream or self._model.fault.mode == "streams":
            return await self._stream(request, ask, reply)
        pieces = [piece async for piece in self._model.pieces(ask)]
        whole = reply.whole(pieces)
        return whole_reply(self._model.fault, whole)

    async def _stream(self, request: web.Request, ask: Ask, reply: _Reply) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        async for event in reply.events(self._model.pieces(ask)):
            await response.write(_framed(event))
            if event["type"] != "content_block_delta":
                continue
            if self._model.fault.mode == "broken_stream":
                await response.write(b'event: content_block_delta\ndata: {"type": "conten\n\n')
            if self._model.fault.mode == "cut_stream":
                return response
        return response

    def _check_headers(self, request: web.Request) -> None:
        version = request.headers.get("anthropic-version")
        if version is None:
            raise RefusedError("anthropic-version: header is required")
        if version not in VERSIONS:
            raise RefusedError(f'anthropic-version: "{version}" is not a valid version')
        if self._model.key is None:
            return
        # Newer clients send the key as a bearer's token.
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        given = request.headers.get("x-api-key", bearer)
        if not given:
            raise RefusedError("x-api-key header is required", status=401)
        if given != self._model.key:
            raise RefusedError("invalid x-api-key", status=401)

    def _check_model(self, name: str) -> None:
        if name not in self._model.names:
            raise RefusedError(f"model: {name}", status=404)


def _check_version(request: web.Request, body: Mapping[str, Any]) -> None:
    if request.headers["anthropic-version"] != VERSIONS[0] and "temperature" in body:
        raise RefusedError("temperature: Extra inputs are not permitted")


def _ask(request: web.Request, asked: Request, body: Mapping[str, Any]) -> Ask:
    tool = asked.tool()
    schemas = {sent["name"]: sent["input_schema"] for sent in body.get("tools", ())}
    turns = [
        Message(turn.role, "\n\n".join(block.text for block in turn.content))
        for turn in asked.messages
    ]
    return Ask(
        path=request.path,
        model=asked.model,
        messages=[*(Message("system", block.text) for block in asked.system), *turns],
        schema=schemas[tool.name] if tool else None,
        stream=asked.stream,
        temperature=asked.temperature,
        max_tokens=asked.max_tokens,
        logprobs=None,
        had_key=any(name in request.headers for name in _KEY_HEADERS),
        headers={
            name: value for name, value in request.headers.items() if name not in _KEY_HEADERS
        },
        body=body,
    )


async def _json(request: web.Request) -> Mapping[str, Any]:
    try:
        body = await request.json()
    except ValueError:
        body = None
    if not isinstance(body, Mapping):
        raise RefusedError("The request body is not valid JSON.")
    return body


def _framed(event: Mapping[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


class _Reply:
    """One answer in the protocol's shapes; with `thinks`, the model writes down a thought before it."""

    def __init__(self, asked: Request, prompt: _Prompt, *, thinks: bool) -> None:
        self._tool = asked.tool()
        self._prompt = prompt
        self._thinks = thinks
        self._head = {
            "id": f"msg_{uuid4().hex}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "stop_sequence": None,
        }

    def whole(self, pieces: Sequence[Piece]) -> dict[str, Any]:
        text = "".join(piece.text for piece in pieces)
        used = None if self._tool is None else _input(text, pieces[-1].finish_reason)
        block = {"type": "text", "text": text} if used is None else self._use(used)
        called = [_called(call) for piece in pieces for call in piece.calls]
        if called:
            blocks = [*([block] if text else ()), *called]
            return self._head | {
                "content": blocks,
                "stop_reason": "tool_use",
                "usage": self._prompt.usage(0),
            }
        return self._head | {
            "content": [*([_THOUGHT] if self._thinks else ()), block],
            "stop_reason": self._stop_reason(pieces[-1].finish_reason, used),
            "usage": self._prompt.usage(pieces[-1].counts.completion if pieces[-1].counts else 0),
        }

    async def events(self, pieces: AsyncGenerator[Piece]) -> AsyncGenerator[dict[str, Any]]:
        begun: dict[str, Any] = {"content": [], "stop_reason": None, "usage": self._prompt.usage(1)}
        yield {"type": "message_start", "message": self._head | begun}
        yield {"type": "ping"}
        index = 0
        if self._thinks:
            for event in _thought():
                yield event
            index = 1
        block = {"type": "text", "text": ""} if self._tool is None else self._use({})
        yield {"type": "content_block_start", "index": index, "content_block": block}
        finish_reason, answer = None, 0
        async for piece in pieces:
            for number, call in enumerate(piece.calls, index + 1):
                begun = _called(call) | {"input": {}}
                yield {"type": "content_block_start", "index": number, "content_block": begun}
                written = json.dumps(call.arguments)
                for part in (written[:3], written[3:]):
                    delta = {"type": "input_json_delta", "partial_json": part}
                    yield {"type": "content_block_delta", "index": number, "delta": delta}
                yield {"type": "content_block_stop", "index": number}
            finish_reason = piece.finish_reason
            answer = piece.counts.completion if piece.counts else answer
            if piece.text:
                delta = (
                    {"type": "text_delta", "text": piece.text}
                    if self._tool is None
                    else {"type": "input_json_delta", "partial_json": piece.text}
                )
                yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
        reason = self._stop_reason(finish_reason, None if self._tool is None else {})
        yield {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": answer},
        }
        yield {"type": "message_stop"}

    def _use(self, used: Mapping[str, Any]) -> dict[str, Any]:
        name = self._tool.name if self._tool else ""
        return {"type": "tool_use", "id": f"toolu_{uuid4().hex}", "name": name, "input": used}

    def _stop_reason(self, finish_reason: str | None, used: object) -> str:
        if finish_reason == "length":
            return "max_tokens"
        if finish_reason == "tool_calls":
            return "tool_use"
        return "end_turn" if used is None else "tool_use"


def _called(call: Call) -> dict[str, Any]:
    """Return a tool call as a block."""
    used = dict(call.arguments)
    return {"type": "tool_use", "id": f"toolu_{uuid4().hex}", "name": call.name, "input": used}


def _input(text: str, finish_reason: str | None) -> dict[str, Any] | None:
    """Read what a tool was called with; the beginning of it where the model was stopped in the middle."""
    try:
        used = from_json(text, allow_partial=finish_reason == "length")
    except ValueError:
        return None
    return used if isinstance(used, dict) else None


_THOUGHT = {"type": "thinking", "thinking": "That is about a lamp.", "signature": "c2lnbmVk"}


def _thought() -> Iterator[dict[str, Any]]:
    begun = {"type": "thinking", "thinking": "", "signature": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": begun}
    for delta in (
        {"type": "thinking_delta", "thinking": _THOUGHT["thinking"]},
        {"type": "signature_delta", "signature": _THOUGHT["signature"]},
    ):
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}

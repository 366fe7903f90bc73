"""A server that speaks Ollama's protocol, for a scripted model or a real one."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
import json
import re
import time
from typing import TYPE_CHECKING, Any

from aiohttp import web

from .faults import failing, whole_reply
from .openai import token_logprob
from .scripted import Ask, Message

if TYPE_CHECKING:
    from .scripted import Call, Piece, ScriptedModel
    from .upstream import Upstream

VERSION = "0.34.4"
MODIFIED = "2026-09-23T10:00:00.000000000Z"

_STATUS_ERRORS = {
    401: "unauthorized",
    404: "model 'unknown' not found",
    429: "too many requests",
}
_GO_DURATION = re.compile(r"-?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+|0")


def ollama_app(model: ScriptedModel | Upstream) -> web.Application:
    """Serve `model` as Ollama does: `/api/tags`, `/api/chat`, `/api/version`."""
    app = web.Application(middlewares=[failing(model, _status_error)])
    protocol = _Ollama(model)
    app.router.add_get("/", protocol.greet)
    app.router.add_get("/api/version", protocol.version)
    app.router.add_get("/api/tags", protocol.tags)
    app.router.add_post("/api/chat", protocol.chat)
    return app


class RefusedError(Exception):
    """A request that is answered with an error."""

    def __init__(self, message: str, *, status: int = 400) -> None:
        """Say what the error body will hold."""
        super().__init__(message)
        self.status = status
        self.body = {"error": message}


def _status_error(status: int) -> object:
    return {"error": _STATUS_ERRORS.get(status, "llama runner process has terminated")}


class _Ollama:
    def __init__(self, model: ScriptedModel | Upstream) -> None:
        self._model = model

    async def greet(self, request: web.Request) -> web.StreamResponse:
        return web.Response(text="Ollama is running")

    async def version(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"version": VERSION})

    async def tags(self, request: web.Request) -> web.StreamResponse:
        try:
            self._check_key(request)
        except RefusedError as refused:
            return web.json_response(refused.body, status=refused.status)
        listed = [
            {
                "name": _tagged(name),
                "model": _tagged(name),
                "modified_at": MODIFIED,
                "size": 98_362_432,
                "digest": f"{number:064x}",
                "details": _DETAILS,
            }
            for number, name in enumerate(self._model.names)
        ]
        return web.json_response({"models": listed})

    async def chat(self, request: web.Request) -> web.StreamResponse:
        started = time.monotonic_ns()
        try:
            self._check_key(request)
            ask = self._ask(request, await _json(request))
        except RefusedError as refused:
            return web.json_response(refused.body, status=refused.status)
        if not ask.messages:
            unload = ask.body.get("keep_alive") == 0
            reason = {"done": True, "done_reason": "unload" if unload else "load"}
            return web.json_response(_head(ask) | {"message": _message("")} | reason)
        if ask.stream or self._model.fault.mode == "streams":
            return await self._stream(request, ask, started)
        pieces = [piece async for piece in self._model.pieces(ask)]
        body = _whole(ask, pieces, started)
        return whole_reply(self._model.fault, body)

    async def _stream(self, request: web.Request, ask: Ask, started: int) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        sent = 0
        async for piece in self._model.pieces(ask):
            event = _last(ask, piece, started) if piece.counts else _part(ask, piece)
            await response.write(json.dumps(event).encode() + b"\n")
            sent += 1
            if sent == 1 and self._model.fault.mode == "broken_stream":
                await response.write(b'{"message": {"content"\n')
            if sent == 1 and self._model.fault.mode == "cut_stream":
                return response
        return response

    def _check_key(self, request: web.Request) -> None:
        given = request.headers.get("Authorization", "")
        if self._model.key is not None and given != f"Bearer {self._model.key}":
            raise RefusedError("unauthorized", status=401)

    def _known(self, body: Mapping[str, Any]) -> str:
        name = str(body.get("model") or body.get("name") or "")
        if not name:
            raise RefusedError("model is required")
        if _tagged(name) not in map(_tagged, self._model.names):
            raise RefusedError(f"model '{name}' not found", status=404)
        return name

    def _ask(self, request: web.Request, body: Mapping[str, Any]) -> Ask:
        top = body.get("top_logprobs", 0)
        if not 0 <= top <= 20:
            raise RefusedError("top_logprobs must be between 0 and 20")
        _check_keep_alive(body.get("keep_alive"))
        name = self._known(body)
        if body.get("think") or ("think" in self._model.refuses and "think" in body):
            raise RefusedError(f'"{name}" does not support thinking')
        if body.get("tools") and "tools" in self._model.refuses:
            raise RefusedError(f"registry.ollama.ai/library/{name} does not support tools")
        options = body.get("options") or {}
        wanted = body.get("format")
        if isinstance(wanted, str) and wanted not in ("", "json"):
            raise RefusedError(f'invalid format: "{wanted}"; expected "json" or a JSON schema')
        return Ask(
            path=request.path,
            model=name,
            messages=[
                Message(item["role"], item.get("content", ""))
                for item in body.get("messages") or ()
            ],
            schema=wanted if isinstance(wanted, dict) else None,
            stream=body.get("stream", True),
            temperature=options.get("temperature"),
            max_tokens=options.get("num_predict"),
            logprobs=top
            if body.get("logprobs") and "logprobs" not in self._model.refuses
            else None,
            had_key="Authorization" in request.headers,
            headers={
                name: value for name, value in request.headers.items() if name != "Authorization"
            },
            body=body,
        )


_DETAILS = {
    "parent_model": "",
    "format": "gguf",
    "family": "llama",
    "families": ["llama"],
    "parameter_size": "134.52M",
    "quantization_level": "Q4_1",
}


def _tagged(name: str) -> str:
    return name if ":" in name else f"{name}:latest"


def _check_keep_alive(value: Any) -> None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return
    if not isinstance(value, str) or not _GO_DURATION.fullmatch(value):
        raise RefusedError(f"time: invalid duration {json.dumps(value)}")


async def _json(request: web.Request) -> Mapping[str, Any]:
    if not await request.read():
        raise RefusedError("missing request body")
    try:
        body = await request.json()
    except ValueError:
        body = None
    if not isinstance(body, Mapping):
        raise RefusedError("invalid character in request body")
    return body


def _head(ask: Ask) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat(timespec="microseconds").removesuffix("+00:00")
    return {"model": ask.model, "created_at": f"{now}Z"}


def _message(content: str, calls: Sequence[Call] = ()) -> dict[str, Any]:
    called = [
        {"function": {"name": call.name, "arguments": dict(call.arguments)}} for call in calls
    ]
    return {"role": "assistant", "content": content} | ({"tool_calls": called} if called else {})


def _part(ask: Ask, piece: Piece) -> dict[str, Any]:
    return (
        _head(ask)
        | {
            "message": _message(piece.text, piece.calls),
            "done": False,
        }
        | _logprobs(ask, [piece])
    )


def _last(ask: Ask, piece: Piece, started: int) -> dict[str, Any]:
    return _head(ask) | {"message": _message("")} | _metrics(piece, started)


def _whole(ask: Ask, pieces: list[Piece], started: int) -> dict[str, Any]:
    text = "".join(piece.text for piece in pieces)
    calls = [call for piece in pieces for call in piece.calls]
    body = _head(ask) | {"message": _message(text, calls)} | _metrics(pieces[-1], started)
    return body | _logprobs(ask, pieces)


def _logprobs(ask: Ask, pieces: list[Piece]) -> dict[str, Any]:
    if ask.logprobs is None:
        return {}
    tokens = [token for piece in pieces for token in piece.tokens]
    return {"logprobs": [token_logprob(token, ask.logprobs) for token in tokens]}


def _metrics(piece: Piece, started: int) -> dict[str, Any]:
    """Count tokens, and time in nanoseconds."""
    took = time.monotonic_ns() - started
    counts = piece.counts
    if counts is None:
        raise ValueError("the last piece of an answer has the counts")
    return {
        "done": True,
        # What it stops for is not told.
        "done_reason": "stop" if piece.finish_reason == "tool_calls" else piece.finish_reason,
        "total_duration": took,
        "load_duration": 1_000_000,
        "prompt_eval_count": counts.prompt,
        "prompt_eval_cached_count": counts.cached,
        "prompt_eval_duration": took // 2,
        "eval_count": counts.completion,
        "eval_duration": took // 2,
    }

"""A server that speaks the OpenAI chat protocol."""

from collections.abc import Mapping
import json
import math
import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from aiohttp import web

from .faults import failing
from .scripted import Ask, Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from .scripted import Counts, Piece, ScriptedModel, Token

_STATUS_ERRORS = {
    401: ("invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    404: ("invalid_request_error", "model_not_found", "The model does not exist."),
    429: ("requests", "rate_limit_exceeded", "Rate limit reached for requests."),
}


def openai_app(model: ScriptedModel) -> web.Application:
    """Serve `model` as `/v1/models` and `/v1/chat/completions`."""
    app = web.Application(middlewares=[failing(model, _status_error)])
    protocol = _OpenAI(model)
    app.router.add_get("/v1/models", protocol.models)
    app.router.add_post("/v1/chat/completions", protocol.chat)
    return app


class RefusedError(Exception):
    """A request that is answered with an error."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
    ) -> None:
        """Say what the error body will hold."""
        super().__init__(message)
        self.status = status
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _status_error(status: int) -> object:
    kind, code, message = _STATUS_ERRORS.get(
        status, ("server_error", None, "The server had an error while processing your request.")
    )
    return RefusedError(message, kind=kind, code=code).body


class _OpenAI:
    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    async def models(self, request: web.Request) -> web.StreamResponse:
        try:
            self._check_key(request)
        except RefusedError as refused:
            return web.json_response(refused.body, status=refused.status)
        listed = [
            {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "tests"}
            for name in self._model.names
        ]
        return web.json_response({"object": "list", "data": listed})

    async def chat(self, request: web.Request) -> web.StreamResponse:
        try:
            self._check_key(request)
            ask = self._ask(request, await _json(request))
        except RefusedError as refused:
            return web.json_response(refused.body, status=refused.status)
        reply = _Reply(ask)
        if ask.stream:
            return await self._stream(request, reply)
        pieces = [piece async for piece in self._model.pieces(ask)]
        body = reply.whole(pieces)
        match self._model.fault.mode:
            case "broken_stream":
                text = json.dumps(body)
                return web.Response(text=text[: len(text) // 2], content_type="application/json")
            case "cut_stream":
                return web.Response(text="", content_type="application/json")
            case _:
                return web.json_response(body)

    async def _stream(self, request: web.Request, reply: _Reply) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        sent = 0
        async for event in reply.events(self._model.pieces(reply.ask)):
            await response.write(b"data: " + json.dumps(event).encode() + b"\n\n")
            sent += 1
            if sent == 2 and self._model.fault.mode == "broken_stream":
                await response.write(b'data: {"choices": [{"delta"\n\n')
            if sent == 2 and self._model.fault.mode == "cut_stream":
                return response
        await response.write(b"data: [DONE]\n\n")
        return response

    def _check_key(self, request: web.Request) -> None:
        given = request.headers.get("Authorization", "")
        if self._model.key is None or given == f"Bearer {self._model.key}":
            return
        if not given:
            raise RefusedError("You didn't provide an API key.", status=401)
        # The real one quotes the key's ends, too: an error's text is nothing to pass on.
        raise RefusedError(
            f"Incorrect API key provided: {given.removeprefix('Bearer ')}.",
            status=401,
            code="invalid_api_key",
        )

    def _ask(self, request: web.Request, body: Mapping[str, Any]) -> Ask:
        self._check_fields(body)
        name = body.get("model", "")
        if name not in self._model.names:
            message = f"The model `{name}` does not exist or you do not have access to it."
            raise RefusedError(message, status=404, code="model_not_found")
        wanted = body.get("response_format") or {"type": "text"}
        return Ask(
            path=request.path,
            model=name,
            messages=[Message(item["role"], item["content"]) for item in body["messages"]],
            schema=wanted["json_schema"]["schema"] if wanted["type"] == "json_schema" else None,
            stream=bool(body.get("stream")),
            temperature=body.get("temperature"),
            max_tokens=body.get("max_completion_tokens", body.get("max_tokens")),
            logprobs=body.get("top_logprobs", 0) if body.get("logprobs") else None,
            had_key="Authorization" in request.headers,
            headers={
                name: value for name, value in request.headers.items() if name != "Authorization"
            },
            body=body,
        )

    def _check_fields(self, body: Mapping[str, Any]) -> None:
        if not isinstance(body.get("messages"), list) or not body["messages"]:
            raise RefusedError("Missing required parameter: 'messages'.", param="messages")
        if "top_logprobs" in body and not body.get("logprobs"):
            raise RefusedError("top_logprobs requires logprobs.", param="top_logprobs")
        top = body.get("top_logprobs", 0)
        if not 0 <= top <= 20 or ("many_logprobs" in self._model.refuses and top > 5):
            raise RefusedError("Invalid value for 'top_logprobs'.", param="top_logprobs")
        wanted = body.get("response_format") or {"type": "text"}
        if wanted.get("type") not in ("text", "json_object", "json_schema"):
            raise RefusedError("Invalid value: 'response_format.type'.", param="response_format")
        if wanted["type"] == "json_schema":
            self._check_schema(wanted["json_schema"])
        for name in sorted(self._model.refuses & body.keys()):
            raise RefusedError(_refusal(name), param=name)

    def _check_schema(self, named: Mapping[str, Any]) -> None:
        if "json_schema" in self._model.refuses:
            message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported."
            raise RefusedError(message, param="response_format")
        sealed = named["schema"].get("additionalProperties") is False
        if "open_schema" in self._model.refuses and named.get("strict") and not sealed:
            message = f"Invalid schema for response_format '{named['name']}': not strict."
            raise RefusedError(message, param="response_format")


def _refusal(name: str) -> str:
    match name:
        case "max_tokens":
            return "'max_tokens' is not supported here. Use 'max_completion_tokens' instead."
        case "temperature":
            return "Unsupported value: 'temperature' does not support 0.0 with this model."
        case _:
            return f"Unrecognized request argument supplied: {name}"


async def _json(request: web.Request) -> Mapping[str, Any]:
    try:
        body = await request.json()
    except ValueError:
        body = None
    if not isinstance(body, Mapping):
        raise RefusedError("We could not parse the JSON body of your request.")
    return body


class _Reply:
    """One answer in the protocol's shapes."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self._head = {
            "id": f"chatcmpl-{uuid4().hex}",
            "created": int(time.time()),
            "model": ask.model,
            "system_fingerprint": "fp_tests",
        }

    def whole(self, pieces: Sequence[Piece]) -> dict[str, Any]:
        tokens = [token for piece in pieces for token in piece.tokens]
        text = "".join(piece.text for piece in pieces)
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text, "refusal": None},
            "logprobs": self._logprobs(tokens),
            "finish_reason": pieces[-1].finish_reason,
        }
        usage = _usage(pieces[-1].counts)
        return self._head | {"object": "chat.completion", "choices": [choice], "usage": usage}

    async def events(self, pieces: AsyncGenerator[Piece]) -> AsyncGenerator[dict[str, Any]]:
        yield self._chunk({"role": "assistant", "content": "", "refusal": None})
        counts = None
        async for piece in pieces:
            counts = piece.counts
            delta = {} if piece.finish_reason else {"content": piece.text}
            yield self._chunk(delta, piece.finish_reason, self._logprobs(piece.tokens))
        if self._with_usage:
            yield self._head | {
                "object": "chat.completion.chunk",
                "choices": [],
                "usage": _usage(counts),
            }

    @property
    def _with_usage(self) -> bool:
        return bool((self.ask.body.get("stream_options") or {}).get("include_usage"))

    def _chunk(
        self,
        delta: Mapping[str, Any],
        finish_reason: str | None = None,
        logprobs: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": logprobs, "finish_reason": finish_reason}
        usage = {"usage": None} if self._with_usage else {}
        return self._head | {"object": "chat.completion.chunk", "choices": [choice]} | usage

    def _logprobs(self, tokens: Sequence[Token]) -> dict[str, Any] | None:
        if self.ask.logprobs is None:
            return None
        content = [token_logprob(token, self.ask.logprobs) for token in tokens]
        return {"content": content, "refusal": None}


def token_logprob(token: Token, top: int) -> dict[str, Any]:
    """Describe a token with its `top` alternatives, as OpenAI's protocol and Ollama's have it."""
    return _one(token) | {"top_logprobs": [_one(other) for other in token.likeliest[:top]]}


def _one(token: Token) -> dict[str, Any]:
    # Servers have a floor for what is impossible: JSON knows no minus infinity.
    logprob = math.log(token.probability) if token.probability > 0 else -9999.0
    raw = token.text.encode() if token.raw is None else token.raw
    return {"token": token.text, "logprob": logprob, "bytes": list(raw)}


def _usage(counts: Counts | None) -> dict[str, Any] | None:
    if counts is None:
        return None
    return {
        "prompt_tokens": counts.prompt,
        "completion_tokens": counts.completion,
        "total_tokens": counts.prompt + counts.completion,
        "prompt_tokens_details": {"cached_tokens": counts.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }

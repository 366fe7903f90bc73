"""A server that speaks the OpenAI chat protocol, as any of its kinds does."""

from collections.abc import Mapping
import json
import math
import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from aiohttp import web

from .faults import failing, whole_reply
from .kinds import KINDS, Beside, Kind, RefusedError
from .scripted import Ask, Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from .scripted import Call, Counts, Piece, ScriptedModel, Token

_STATUS_ERRORS = {
    401: ("invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    404: ("invalid_request_error", "model_not_found", "The model does not exist."),
    429: ("requests", "rate_limit_exceeded", "Rate limit reached for requests."),
}


def openai_app(model: ScriptedModel) -> web.Application:
    """Serve `model` as `/v1/models` and `/v1/chat/completions`."""
    return kind_app(model, KINDS["openai"])


def kind_app(model: ScriptedModel, kind: Kind) -> web.Application:
    """Serve `model` as a server of `kind` does."""
    app = web.Application(middlewares=[failing(model, lambda status: _status_error(kind, status))])
    protocol = _OpenAI(model, kind)
    app.router.add_get(f"{kind.path}/models", protocol.models)
    app.router.add_post(f"{kind.path}/chat/completions", protocol.chat)
    for path in kind.beside:
        app.router.add_get(path, protocol.tell)
    if kind.lost is not None:
        app.router.add_route("*", "/{path:.*}", protocol.nothing_lives_here)
    return app


def _status_error(kind: Kind, status: int) -> object:
    type_, code, message = _STATUS_ERRORS.get(
        status, ("server_error", None, "The server had an error while processing your request.")
    )
    return kind.error(RefusedError(message, status=status, kind=type_, code=code))


class _OpenAI:
    def __init__(self, model: ScriptedModel, kind: Kind) -> None:
        self._model = model
        self._kind = kind

    async def models(self, request: web.Request) -> web.StreamResponse:
        try:
            if not self._kind.lists_openly:
                self._check_key(request)
        except RefusedError as refused:
            return self._refusal(refused)
        listed = [self._kind.entry(self._model, name) for name in self._model.names]
        return web.json_response({"object": "list", "data": [*listed, *self._kind.others]})

    async def tell(self, request: web.Request) -> web.StreamResponse:
        beside = self._kind.beside[request.path]
        try:
            self._check_key(request, beside)
        except RefusedError as refused:
            error = beside.error or self._kind.error
            return web.json_response(error(refused), status=refused.status)
        return web.json_response(beside.tell(self._model))

    async def nothing_lives_here(self, request: web.Request) -> web.StreamResponse:
        said = (self._kind.lost or "").format(method=request.method, path=request.path)
        return web.json_response({"error": said})

    def _refusal(self, refused: RefusedError) -> web.StreamResponse:
        return web.json_response(self._kind.error(refused), status=refused.status)

    async def chat(self, request: web.Request) -> web.StreamResponse:
        try:
            self._check_key(request)
            ask = self._ask(request, await _json(request))
        except RefusedError as refused:
            return self._refusal(refused)
        reply = _Reply(ask, self._kind)
        if ask.stream or self._model.fault.mode == "streams":
            return await self._stream(request, reply)
        pieces = [piece async for piece in self._model.pieces(ask)]
        body = reply.whole(pieces)
        return whole_reply(self._model.fault, body, self._kind.meanwhile[1])

    async def _stream(self, request: web.Request, reply: _Reply) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        if meanwhile := self._kind.meanwhile[0]:
            await response.write(meanwhile)
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

    def _check_key(self, request: web.Request, beside: Beside | None = None) -> None:
        header = beside.key_header if beside else "Authorization"
        given = request.headers.get(header, "").removeprefix("Bearer ")
        if self._model.key is None or given == self._model.key:
            return
        if not given:
            raise RefusedError(self._kind.no_key, status=401)
        raise RefusedError(
            self._kind.unknown_key.format(key=given),
            status=self._kind.unknown_key_status,
            code="invalid_api_key",
        )

    def _ask(self, request: web.Request, body: Mapping[str, Any]) -> Ask:
        self._check_fields(body)
        name = str(body.get("model", "")).removeprefix(self._kind.model_prefix)
        if name not in self._model.names:
            message = self._kind.unknown_model.format(name=name)
            status = self._kind.unknown_model_status
            raise RefusedError(message, status=status, code="model_not_found")
        return Ask(
            path=request.path,
            model=name,
            messages=[_read(item) for item in body["messages"]],
            schema=_schema(body),
            stream=bool(body.get("stream")),
            temperature=body.get("temperature"),
            max_tokens=body.get("max_completion_tokens", body.get("max_tokens")),
            logprobs=body.get("top_logprobs", 0)
            if body.get("logprobs") and self._kind.logprobs == "given"
            else None,
            had_key="Authorization" in request.headers,
            headers={
                name: value for name, value in request.headers.items() if name != "Authorization"
            },
            body=body,
        )

    def _check_fields(self, body: Mapping[str, Any]) -> None:
        if not isinstance(body.get("messages"), list) or not body["messages"]:
            raise RefusedError("Missing required parameter: 'messages'.", param="messages")
        unknown = body.keys() - self._kind.known if self._kind.known is not None else ()
        if unknown:
            raise RefusedError(
                "\n".join(
                    f'Invalid JSON payload received. Unknown name "{name}": Cannot find field.'
                    for name in sorted(unknown)
                )
            )
        for check in self._kind.checks:
            check(body, self._model)
        if "top_logprobs" in body and not body.get("logprobs"):
            raise RefusedError("top_logprobs requires logprobs.", param="top_logprobs")
        if self._kind.logprobs == "refused" and body.get("logprobs"):
            raise RefusedError(f"Logprobs is not enabled for models/{body.get('model')}")
        top = body.get("top_logprobs", 0)
        if not 0 <= top <= 20 or ("many_logprobs" in self._model.refuses and top > 5):
            raise RefusedError(_FEWER.get(self._kind.name, _FEWER["openai"]), param="top_logprobs")
        wanted = body.get("response_format") or {"type": "text"}
        if wanted.get("type") not in self._kind.formats:
            known = " or ".join(f"'{one}'" for one in sorted(self._kind.formats))
            raise RefusedError(f"'response_format.type' must be {known}", param="response_format")
        if wanted["type"] == "json_object" and "json_object" in self._model.refuses:
            message = "Invalid value: 'json_object' of 'response_format' is not supported."
            raise RefusedError(message, param="response_format")
        if wanted["type"] == "json_schema":
            self._check_schema(wanted["json_schema"])
        for name in sorted(self._model.refuses & body.keys()):
            raise RefusedError(_refusal(name), param=name)

    def _check_schema(self, named: Mapping[str, Any]) -> None:
        if "json_schema" in self._model.refuses:
            raise RefusedError(
                _NO_SCHEMA.get(self._kind.name, _NO_SCHEMA["openai"]), param="response_format"
            )
        sealed = named["schema"].get("additionalProperties") is False
        if "open_schema" in self._model.refuses and named.get("strict") and not sealed:
            message = f"Invalid schema for response_format '{named['name']}': not strict."
            raise RefusedError(message, param="response_format")


_FEWER = {
    "openai": "Invalid value for 'top_logprobs'.",
    "vllm": "Requested sample logprobs of 20, which is greater than max allowed: 5",
}
_NO_SCHEMA = {
    "openai": "Invalid parameter: 'response_format' of type 'json_schema' is not supported.",
    "llamacpp": 'Either "json_schema" or "grammar" can be specified, but not both',
    "vllm": "[{'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}]",
}


def _read(item: Mapping[str, Any]) -> Message:
    """Read a message, of which a request for tools has no content."""
    if item["role"] == "tool" and not item.get("tool_call_id"):
        raise RefusedError("Missing required parameter: 'tool_call_id'.", param="messages")
    return Message(item["role"], item["content"] or "")


def _called(calls: Sequence[Call]) -> list[dict[str, Any]]:
    """Return tool calls as the protocol has them, their arguments as text."""
    return [
        {
            "index": index,
            "id": f"call_{uuid4().hex}",
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": json.dumps(call.arguments) if call.written is None else call.written,
            },
        }
        for index, call in enumerate(calls)
    ]


def _schema(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """Find the schema, wherever a kind of server knows one."""
    wanted = body.get("response_format") or {}
    found = wanted.get("json_schema", {}).get("schema") or wanted.get("schema")
    schema: dict[str, Any] | None = found or body.get("guided_json")
    return schema


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

    def __init__(self, ask: Ask, kind: Kind) -> None:
        self.ask = ask
        self._kind = kind
        self._head = {
            "id": f"chatcmpl-{uuid4().hex}",
            "created": int(time.time()),
            "model": ask.model,
            "system_fingerprint": "fp_tests",
        }

    def whole(self, pieces: Sequence[Piece]) -> dict[str, Any]:
        tokens = [token for piece in pieces for token in piece.tokens]
        text = "".join(piece.text for piece in pieces)
        called = _called([call for piece in pieces for call in piece.calls])
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text, "refusal": None}
            | ({"content": text or None, "tool_calls": called} if called else {}),
            "logprobs": self._logprobs(tokens),
            "finish_reason": pieces[-1].finish_reason,
        }
        usage = self._usage(pieces[-1].counts)
        return self._head | {"object": "chat.completion", "choices": [choice], "usage": usage}

    async def events(self, pieces: AsyncGenerator[Piece]) -> AsyncGenerator[dict[str, Any]]:
        yield self._chunk({"role": "assistant", "content": "", "refusal": None})
        counts = None
        async for piece in pieces:
            counts = piece.counts
            for call in _called(piece.calls):
                written = call["function"].pop("arguments")
                half = len(written) // 2
                yield self._chunk(
                    {"tool_calls": [call | {"function": call["function"] | {"arguments": ""}}]}
                )
                for part in (written[:half], written[half:]):
                    more = {"index": call["index"], "function": {"arguments": part}}
                    yield self._chunk({"tool_calls": [more]})
            if piece.calls:
                continue
            delta = {} if piece.finish_reason else {"content": piece.text}
            yield self._chunk(delta, piece.finish_reason, self._logprobs(piece.tokens))
        if self._with_usage:
            yield self._head | {
                "object": "chat.completion.chunk",
                "choices": [],
                "usage": self._usage(counts),
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

    def _usage(self, counts: Counts | None) -> dict[str, Any] | None:
        if counts is None:
            return None
        usage: dict[str, Any] = {
            "prompt_tokens": counts.prompt,
            "completion_tokens": counts.completion,
            "total_tokens": counts.prompt + counts.completion,
        }
        if not self._kind.counts_cached:
            return usage
        return usage | {
            "prompt_tokens_details": {"cached_tokens": counts.cached, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        }


def token_logprob(token: Token, top: int) -> dict[str, Any]:
    """Describe a token with its `top` alternatives, as OpenAI's protocol and Ollama's have it."""
    return _one(token) | {"top_logprobs": [_one(other) for other in token.likeliest[:top]]}


def _one(token: Token) -> dict[str, Any]:
    # Servers have a floor for what is impossible: JSON knows no minus infinity.
    logprob = math.log(token.probability) if token.probability > 0 else -9999.0
    raw = token.text.encode() if token.raw is None else token.raw
    return {"token": token.text, "logprob": logprob, "bytes": list(raw)}

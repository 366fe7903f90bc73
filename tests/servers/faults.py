"""The ways a model server fails, as far as a client can see them."""

import asyncio
from dataclasses import dataclass
import json
from typing import TYPE_CHECKING, Any, Literal, Self

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp.typedefs import Handler, Middleware

    from .scripted import Brain

type Mode = Literal[
    "ok",
    "stopped",
    "slow",
    "stall",
    "status",
    "html",
    "reset",
    "huge",
    "half_json",
    "empty_object",
    "unknown_text",
    "broken_stream",
    "cut_stream",
    "streams",
    "quota",
    "overflow",
]

HUGE = 5 * 1024 * 1024
"""Bytes of a huge answer."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to fail.

    - `ok`: none.
    - `stopped`: nobody listens on the port (see `RunningServer.suffer`).
    - `slow`: the first byte comes after `seconds`.
    - `stall`: a streamed answer pauses for `seconds` after its first piece.
    - `status`: the HTTP `status`, with the provider's own error; `retry_after` becomes the header.
    - `html`: a web page, as a proxy or another service would send it.
    - `reset`: the connection is cut in the middle of the body.
    - `huge`: five megabytes in one line.
    - `half_json`, `empty_object`, `unknown_text`: the model writes half of its answer, `{}`, or a
      sentence nobody asked for.
    - `broken_stream`: a streamed answer has rubbish in the middle; a whole one is half a reply.
    - `cut_stream`: a streamed answer ends without an end; a whole one is empty.
    - `streams`: an answer is streamed though a whole one was asked for.
    - `quota`: refuse because the account has no quota left.
    - `overflow`: refuse because the request is longer than the model's context.
    """

    mode: Mode = "ok"
    seconds: float = 0.0
    status: int = 500
    retry_after: str | None = None

    @classmethod
    def slow(cls, seconds: float) -> Self:
        """Answer after `seconds`."""
        return cls("slow", seconds=seconds)

    @classmethod
    def stall(cls, seconds: float) -> Self:
        """Pause for `seconds` in the middle of a streamed answer."""
        return cls("stall", seconds=seconds)

    @classmethod
    def of_status(cls, status: int, retry_after: str | None = None) -> Self:
        """Refuse with an HTTP status."""
        return cls("status", status=status, retry_after=retry_after)


OK = Fault()

NO_QUOTA = {
    "error": {
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "type": "insufficient_quota",
        "param": None,
        "code": "insufficient_quota",
    }
}
OVERFLOW = {
    "error": {
        "message": "This model's maximum context length is 8192 tokens.",
        "type": "invalid_request_error",
        "param": "messages",
        "code": "context_length_exceeded",
    }
}
PAGE = "<!DOCTYPE html><html><head><title>Welcome</title></head><body>Please log in.</body></html>"
SENTENCE = "Certainly! I would be delighted to help you with that."


def failing(model: Brain, error: Callable[[int], object]) -> Middleware:
    """Make a middleware for the faults that need no knowledge of a protocol but `error(status)`."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        fault = model.fault
        model.attempts += request.path.endswith(("/chat", "/chat/completions", "/messages"))
        match fault.mode:
            case "slow":
                model.waiting += 1
                model.most_waiting = max(model.most_waiting, model.waiting)
                await asyncio.sleep(fault.seconds)
                model.waiting -= 1
            case "status":
                headers = {"Retry-After": fault.retry_after} if fault.retry_after else None
                return web.json_response(error(fault.status), status=fault.status, headers=headers)
            case "quota":
                return web.json_response(NO_QUOTA, status=429)
            case "overflow":
                return web.json_response(OVERFLOW, status=400)
            case "html":
                return web.Response(text=PAGE, content_type="text/html")
            case "reset":
                return await cut_off(request, b'{"model": "')
            case "huge":
                body = b'{"padding":"' + b"x" * HUGE + b'"}'
                return web.Response(body=body, content_type="application/json")
            case _:
                pass
        return await handler(request)

    return middleware


async def cut_off(request: web.Request, beginning: bytes) -> web.StreamResponse:
    """Cut the connection in the middle of a reply that begins like this."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = 1000
    await response.prepare(request)
    await response.write(beginning)
    # Give the client time to see the beginning: the cut is in the body, not before it.
    await asyncio.sleep(0.02)
    if request.transport is not None:
        request.transport.abort()
    return response


def whole_reply(fault: Fault, body: Any, told: bytes = b"") -> web.Response:
    """Return an answer in one piece, with what the server writes before it, or what a fault leaves of it."""
    text = json.dumps(body)
    match fault.mode:
        case "broken_stream":
            return web.Response(text=text[: len(text) // 2], content_type="application/json")
        case "cut_stream":
            return web.Response(text="", content_type="application/json")
        case _:
            return web.Response(body=told + text.encode(), content_type="application/json")

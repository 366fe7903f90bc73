"""A gatekeeper on a real port: it decides as the test says, and fails in every way there is."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
import json
from typing import Any, Self

from aiohttp import web

from .faults import cut_off

type Behaviour = Callable[[web.Request], Awaitable[web.StreamResponse]]
type Decide = Callable[[dict[str, Any]], Any]


def responding(
    status: int = 200, body: bytes = b"{}", content_type: str = "application/json", **headers: str
) -> Behaviour:
    """Answer with this status, body and headers (`Retry_After` is Retry-After)."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def respond(request: web.Request) -> web.StreamResponse:
        return web.Response(status=status, body=body, content_type=content_type, headers=named)

    return respond


def slow(seconds: float) -> Behaviour:
    """Take the request, and answer after `seconds`."""

    async def respond(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return web.json_response({"workflow_complete": True})

    return respond


async def dripping(request: web.Request) -> web.StreamResponse:
    """Answer a byte at a time, so slowly that it never ends."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    while True:
        await response.write(b" ")
        await asyncio.sleep(0.02)


async def resetting(request: web.Request) -> web.StreamResponse:
    """Cut the connection in the middle of the reply."""
    return await cut_off(request, b'{"workflow_complete": ')


@dataclass
class GatekeeperServer:
    """A gatekeeper that runs inside `async with`.

    `decide` gets a request's JSON and returns the answer's. `behaviours` come first, one for each
    request; with `behaviour`, all that follow behave so too. `asked` holds the JSON of all requests,
    `headers` and `bodies` what came with them; `led_astray` counts requests anywhere else; `was_asked`
    is set by each request.
    """

    decide: Decide = field(default=lambda _: {"workflow_complete": True})
    behaviour: Behaviour | None = None
    behaviours: list[Behaviour] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    led_astray: int = 0
    was_asked: asyncio.Event = field(default_factory=asyncio.Event)
    _runner: web.AppRunner | None = None
    _port: int = 0

    @property
    def url(self) -> str:
        """The base address, also while it is stopped."""
        return f"http://127.0.0.1:{self._port}/gatekeeper"

    async def _route(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.bodies.append(body)
        self.asked.append(json.loads(body))
        self.headers.append(dict(request.headers))
        self.was_asked.set()
        behaviour = self.behaviours.pop(0) if self.behaviours else self.behaviour
        if behaviour is not None:
            return await behaviour(request)
        return web.json_response(self.decide(self.asked[-1]))

    async def _elsewhere(self, request: web.Request) -> web.StreamResponse:
        self.led_astray += 1
        return web.json_response({"workflow_complete": True})

    async def start(self) -> None:
        """Listen, on the same port as before."""
        app = web.Application()
        app.router.add_post("/gatekeeper/route", self._route)
        app.router.add_route("*", "/{path:.*}", self._elsewhere)
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True).start()
        self._port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Listen no longer: connections are really refused."""
        if self._runner is not None:
            runner, self._runner = self._runner, None
            await runner.cleanup()

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        """Stop."""
        await self.stop()

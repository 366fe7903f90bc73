"""A server that answers every request with the same bytes, and one that does not even speak HTTP."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping


@dataclass
class Canned:
    """What is answered, and the JSON bodies and headers that were asked."""

    url: str = ""
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    asked: list[Any] = field(default_factory=list)
    headed: list[Mapping[str, str]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        """Answer anything."""
        self.headed.append(request.headers.copy())
        self.asked.append(await request.json() if request.can_read_body else None)
        return web.Response(body=self.body, status=self.status, headers=self.headers)


@asynccontextmanager
async def canned_server() -> AsyncGenerator[Canned]:
    """Run a server whose answer can be changed at any time."""
    canned = Canned()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", canned.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    canned.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield canned
    finally:
        await runner.cleanup()


@dataclass
class Socket:
    """A bare socket: sends `greeting` after a request's headers, and notes when the client hangs up.

    With `waits`, it keeps the connection open after the greeting until the client hangs up.
    """

    url: str = ""
    greeting: bytes = b""
    waits: bool = False
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.asked.set()
            writer.write(self.greeting)
            await writer.drain()
            if self.waits:
                while await reader.read(65536):
                    pass
                self.hung_up.set()
        except ConnectionError, asyncio.IncompleteReadError:
            self.hung_up.set()
        finally:
            writer.close()


@asynccontextmanager
async def socket_server() -> AsyncGenerator[Socket]:
    """Run a bare socket."""
    bare = Socket()
    server = await asyncio.start_server(bare.serve, "127.0.0.1", 0)
    bare.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield bare
    finally:
        server.close()
        await server.wait_closed()

"""What stands where a Redis should: it passes requests on to a real one, or answers something else."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

LIES = {
    "nil": b"$-1\r\n",
    "int": b":1\r\n",
    "ok": b"+OK\r\n",
    "empty": b"*0\r\n",
    "nested": b"*1\r\n" * 20_000 + b":1\r\n",
    "error": b"-ERR no\r\n",
    "garbage": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "huge": b"$2147483648\r\nx",
}
"""What is answered to every request, by the name of the lie."""

SILENT, DRIP, ENDLESS = "silent", "drip", "endless"
"""Lies that are no single answer: none ever comes, byte after byte does, SCAN never comes to an end."""


@dataclass
class LyingRedis:
    """A server on a port of 127.0.0.1 before a real Redis, which lies as `lie` says; honest while that is None."""

    upstream: int
    lie: str | None = None
    port: int = 0
    scans: int = 0

    @property
    def url(self) -> str:
        """Return its address."""
        return f"redis://127.0.0.1:{self.port}"

    async def async_serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        below, above = await asyncio.open_connection("127.0.0.1", self.upstream)
        passing = asyncio.create_task(_async_pass(below, writer))
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                raw, command = await _async_request(reader)
                if self.lie is None or (self.lie == ENDLESS and command != b"SCAN"):
                    above.write(raw)
                    await above.drain()
                    continue
                if self.lie == SILENT:
                    continue
                if self.lie == DRIP:
                    for _ in range(1000):
                        writer.write(b"*")
                        await writer.drain()
                        await asyncio.sleep(0.05)
                self.scans += command == b"SCAN"
                cursor = str(self.scans).encode()
                more = b"*2\r\n$%d\r\n%s\r\n*0\r\n" % (len(cursor), cursor)
                writer.write(more if self.lie == ENDLESS else LIES.get(self.lie, b""))
                await writer.drain()
        passing.cancel()
        for each in (above, writer):
            each.close()


async def _async_request(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Return a request as it came, and its command in capitals."""
    raw = head = await reader.readuntil(b"\r\n")
    words: list[bytes] = []
    for _ in range(int(head[1:])):
        size = await reader.readuntil(b"\r\n")
        word = await reader.readexactly(int(size[1:]) + 2)
        words.append(word[:-2])
        raw += size + word
    return raw, words[0].upper()


async def _async_pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on all that comes."""
    with suppress(OSError):
        while some := await reader.read(65536):
            writer.write(some)
            await writer.drain()


@asynccontextmanager
async def lying_redis(upstream: int) -> AsyncGenerator[LyingRedis]:
    """Run one before the Redis at a port, honest at first."""
    server = LyingRedis(upstream)
    listening = await asyncio.start_server(server.async_serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        listening.close_clients()

"""A server may close a connection that was kept just as it is used again; a model is asked once more then."""

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from custom_components.bellboard.llm.endpoint import Endpoint, WaitBudget
from custom_components.bellboard.llm.errors import UnreachableError
from custom_components.bellboard.llm.providers import create_client

from .conftest import QUESTION

if TYPE_CHECKING:
    import aiohttp

BODY = json.dumps({"choices": [{"message": {"content": "Good."}, "finish_reason": "stop"}]})
REPLY = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(BODY)}\r\n\r\n{BODY}"


class ClosingServer:
    """Closes a connection as soon as a request comes on it after `serves` others; counts all requests."""

    def __init__(self, serves: int) -> None:
        self.serves = serves
        self.requests = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection."""
        for number in range(self.serves + 1):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
            await reader.readexactly(length)
            self.requests += 1
            if number < self.serves:
                writer.write(REPLY.encode())
                await writer.drain()
        writer.close()


@pytest.mark.parametrize(("serves", "requests"), [(1, 3), (2, 2)])
async def test_a_model_is_asked_again_where_a_kept_connection_is_closed(
    session: aiohttp.ClientSession, serves: int, requests: int
) -> None:
    closing = ClosingServer(serves)
    async with await asyncio.start_server(closing, "127.0.0.1") as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        client = create_client("openai", session, url=url, model="m")
        for _ in range(2):
            assert (await client.complete(QUESTION)).text == "Good."
    assert closing.requests == requests


async def test_what_always_closes_is_asked_twice_at_most(session: aiohttp.ClientSession) -> None:
    closing = ClosingServer(0)
    async with await asyncio.start_server(closing, "127.0.0.1") as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(UnreachableError):
            await create_client("openai", session, url=url, model="m").complete(QUESTION)
        assert closing.requests == 2
        with pytest.raises(UnreachableError):
            async with Endpoint(session, url).open("POST", "/", {}, WaitBudget(5)):
                pass
        assert closing.requests == 3, "what may not be done twice is not sent twice"

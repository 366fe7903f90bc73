"""Model servers on real ports, and clients that talk to them."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiohttp
from aiohttp import web
import pytest

from custom_components.bellboard.llm.base import HttpModelClient
from custom_components.bellboard.llm.client import ModelClient
from custom_components.bellboard.llm.models import Message
from custom_components.bellboard.llm.providers import create_client
from tests.servers import KINDS, RunningServer, ScriptedModel, anthropic_app, kind_app, ollama_app

from .canned import Canned, Socket, canned_server, socket_server

KEY = "sk-tests-0123456789-secret"
APPS: dict[str, Callable[[ScriptedModel], web.Application]] = {
    "anthropic": anthropic_app,
    "ollama": ollama_app,
    **{name: partial(kind_app, kind=kind) for name, kind in KINDS.items()},
}
PROTOCOLS = ("anthropic", "ollama", "openai")
"""One provider of each protocol: the bytes on the wire are the same for all the others."""
AGENTS = ["light-agent", "music-agent", "climate-agent"]
SCHEMA = {
    "type": "object",
    "properties": {"agent": {"type": "string", "enum": AGENTS}},
    "required": ["agent"],
    "additionalProperties": False,
}
QUESTION = (
    Message(role="system", content="Choose the agent for what is said."),
    Message(role="user", content="turn on the swordfish lamp"),
)


@dataclass
class House:
    """A running server, what it runs, and a client of ours for it."""

    server: RunningServer[ScriptedModel]
    client: ModelClient

    @property
    def model(self) -> ScriptedModel:
        """What answers in the server."""
        return self.server.model


type Build = Callable[..., Awaitable[House]]


@pytest.fixture(autouse=True)
def _sockets(socket_enabled: None) -> None:
    """Allow real connections: that is what is tested here."""


@pytest.fixture(autouse=True)
def _begins_with_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients know already that models do not begin inside thoughts: the first stream would wait for its end."""
    monkeypatch.setattr(HttpModelClient, "begins_inside", False)


@pytest.fixture
async def session() -> AsyncGenerator[aiohttp.ClientSession]:
    """A session as Home Assistant would hand it in."""
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
async def canned() -> AsyncGenerator[Canned]:
    """A server that answers with prepared replies."""
    async with canned_server() as server:
        yield server


@pytest.fixture
async def bare() -> AsyncGenerator[Socket]:
    """A server that writes bytes as they are."""
    async with socket_server() as server:
        yield server


@pytest.fixture(params=sorted(APPS))
def provider(request: pytest.FixtureRequest) -> str:
    """Each provider in turn."""
    return str(request.param)


@pytest.fixture
async def build(session: aiohttp.ClientSession) -> AsyncGenerator[Build]:
    """Make houses: for a provider, an answer, our client's options and the model's."""
    async with AsyncExitStack() as stack:

        async def make(
            provider: str,
            answer: Any = "Good evening.",
            *,
            client: dict[str, Any] | None = None,
            **model: Any,
        ) -> House:
            scripted = ScriptedModel(
                answer if callable(answer) else lambda _messages, _schema: answer, **model
            )
            server = RunningServer(APPS[provider], scripted)
            await stack.enter_async_context(server)
            options: dict[str, Any] = {"model": "test-model", "api_key": KEY} | (client or {})
            return House(server, create_client(provider, session, url=server.url, **options))

        yield make

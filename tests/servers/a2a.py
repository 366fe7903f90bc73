"""An A2A agent on a real port: the server of the protocol's own SDK, which does as the test says."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
import json
from typing import Any, Self

from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from aiohttp import web
from starlette.applications import Starlette

type Behaviour = Callable[[web.Request], Awaitable[web.StreamResponse]]
type Act = Callable[["Work"], Awaitable[None]]

RPC_PATH = "/a2a/"


@dataclass(frozen=True, slots=True)
class Work:
    """A message that an agent got, and how it answers."""

    context: RequestContext
    queue: EventQueue
    task: TaskUpdater

    @property
    def text(self) -> str:
        """What was said."""
        return self.context.get_user_input()

    async def end(self, state: str, text: str = "") -> None:
        """End the task in this state, with a message where there is a text."""
        parts = [Part(text=text)]
        message = self.task.new_agent_message(parts) if text else None
        await getattr(self.task, state)(message)


async def say_hello(work: Work) -> None:
    """Make a text, and be done."""
    await work.task.add_artifact([Part(text="The roses have water now.")])
    await work.task.complete()


class _Executor(AgentExecutor):
    """Does with each message as the test says."""

    def __init__(self, server: A2AServer) -> None:
        self._server = server

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Answer a message."""
        assert context.message is not None
        self._server.heard.append(context)
        if context.current_task is None and self._server.makes_tasks:
            await event_queue.enqueue_event(new_task_from_user_message(context.message))
        updater = TaskUpdater(event_queue, str(context.task_id), str(context.context_id))
        await self._server.act(Work(context, event_queue, updater))

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Cancel a task."""
        self._server.canceled.append(str(context.task_id))
        await TaskUpdater(event_queue, str(context.task_id), str(context.context_id)).cancel()


@dataclass
class A2AServer:
    """An agent that runs inside `async with`.

    `act` answers a message; without `makes_tasks` it answers with a message alone. `versions` are those of
    the protocol that it speaks. `change_card` may change the card's JSON. `behaviour` comes before all else
    for calls, `card_behaviour` for the card. `calls` holds the JSON of all calls, `headers` those of all
    requests, `heard` what the agent got, `canceled` the ids of the tasks it was told to stop.
    """

    act: Act = say_hello
    makes_tasks: bool = True
    versions: tuple[str, ...] = ("1.0", "0.3")
    change_card: Callable[[dict[str, Any]], Any] = lambda card: card
    card_path: str = "/.well-known/agent-card.json"
    token: str = ""
    key_header: str = "Authorization"
    behaviour: Behaviour | None = None
    card_behaviour: Behaviour | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    heard: list[RequestContext] = field(default_factory=list)
    canceled: list[str] = field(default_factory=list)
    _runner: web.AppRunner | None = None
    _handler: Any = None
    _port: int = 0

    @property
    def url(self) -> str:
        """The address, also while it is stopped."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def card(self) -> AgentCard:
        """The card."""
        skill = AgentSkill(
            id="water",
            name="Watering",
            description="Waters the garden.",
            tags=["garden"],
            examples=["the lawn is dry", "water the roses"],
        )
        interfaces = [
            AgentInterface(
                url=f"{self.url}{RPC_PATH}", protocol_binding="JSONRPC", protocol_version=version
            )
            for version in self.versions
        ]
        return AgentCard(
            name="Gardener",
            description="Looks after the garden.",
            version="1",
            supported_interfaces=interfaces,
            capabilities=AgentCapabilities(),
            default_input_modes=["text/plain"],
            default_output_modes=["text/plain"],
            skills=[skill],
        )

    def methods(self) -> list[str]:
        """The methods that were called."""
        return [call["method"] for call in self.calls]

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        """Answer a request as the test says, or as the SDK's server does."""
        self.headers.append(dict(request.headers))
        self.paths.append(request.path)
        is_call = request.method == "POST"
        body = await request.read()
        if is_call:
            self.calls.append(json.loads(body))
        if behaviour := self.behaviour if is_call else self.card_behaviour:
            return await behaviour(request)
        if self.token and is_call:
            scheme = "Bearer " if self.key_header == "Authorization" else ""
            if request.headers.get(self.key_header) != scheme + self.token:
                return web.json_response({"detail": "no"}, status=401)
        status, headers, answer = await _answer_of(self._app, request, body)
        if not is_call and status == 200:
            answer = json.dumps(self.change_card(json.loads(answer))).encode()
        return web.Response(
            status=status, body=answer, headers={"Content-Type": headers["content-type"]}
        )

    async def start(self) -> None:
        """Listen, on the same port as before."""
        app = web.Application(client_max_size=8 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(
            app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True).start()
        self._port = self._runner.addresses[0][1]
        self._handler = DefaultRequestHandler(_Executor(self), InMemoryTaskStore(), self.card)
        self._app = Starlette(
            routes=[
                *create_agent_card_routes(self.card, card_url=self.card_path),
                *create_jsonrpc_routes(
                    self._handler, RPC_PATH, enable_v0_3_compat="0.3" in self.versions
                ),
            ]
        )

    async def stop(self) -> None:
        """Listen no longer: connections are really refused."""
        if self._runner is not None:
            runner, self._runner = self._runner, None
            await runner.cleanup()
            await self._handler.aclose()

    async def __aenter__(self) -> Self:
        """Start."""
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        """Stop."""
        await self.stop()


async def _answer_of(
    app: Starlette, request: web.Request, body: bytes
) -> tuple[int, dict[str, str], bytes]:
    """Return what an ASGI application answers to a request: status, headers and body."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.raw_path.encode(),
        "query_string": request.query_string.encode(),
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in request.raw_headers],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 0),
    }
    told: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]
    status, headers, answer = 500, dict[str, str](), bytearray()

    async def receive() -> Any:
        if told:
            return told.pop()
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            headers.update({k.decode(): v.decode() for k, v in message["headers"]})
        else:
            answer.extend(message.get("body", b""))

    await app(scope, receive, send)
    return status, {"content-type": "text/plain"} | headers, bytes(answer)

"""Music Assistant's server API on a websocket, in the messages of its own models.

It is what Home Assistant's `music_assistant` integration and its client connect to: players with queues, a library,
groups, and an event for each change. Everybody may do everything, and there are no streaming services.
"""

from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import WSMsgType, web
from music_assistant_models.api import ErrorResultMessage, ServerInfoMessage, SuccessResultMessage
from music_assistant_models.config_entries import PlayerConfig
from music_assistant_models.enums import EventType, ProviderType
from music_assistant_models.errors import MusicAssistantError
from music_assistant_models.event import MassEvent
from music_assistant_models.provider import ProviderInstance
import orjson

from .music_library import Library
from .music_players import CHANGING, MusicPlayers

_SCHEMA = 46


class MusicServer:
    """A library, and players that play what is in it; use `app` behind a port."""

    def __init__(
        self, described: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Make the library and the players from their descriptions."""
        self.library = Library(described)
        self.players = MusicPlayers(self.library, players)
        self._described = players
        self._listeners: set[web.WebSocketResponse] = set()

    async def async_begin_again(self) -> None:
        """Bring all players back to how they are described."""
        self.players = MusicPlayers(self.library, self._described)
        await self._tell_all()

    async def async_let_pauses_pass(self) -> None:
        """Stop the players that are paused, as the server does after 30 seconds; they keep their queues."""
        self.players.let_pauses_pass()
        await self._tell_all()

    def app(self) -> web.Application:
        """Return the application that serves the websocket."""
        app = web.Application()
        app.router.add_get("/ws", self._serve)
        return app

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        """Talk to one client."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(
            ServerInfoMessage(
                server_id="house",
                server_version="2.11.0",
                schema_version=_SCHEMA,
                min_supported_schema_version=28,
                base_url="http://127.0.0.1",
                onboard_done=True,
            ).to_json()
        )
        self._listeners.add(socket)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._answer(socket, orjson.loads(message.data))
        finally:
            self._listeners.discard(socket)
        return socket

    async def _answer(self, socket: web.WebSocketResponse, message: Mapping[str, Any]) -> None:
        """Carry out one command, tell everybody what changed, and answer."""
        command, args = message["command"], dict(message.get("args") or {})
        result = None
        try:
            if command in _READING:
                result = _READING[command](self, args)
            else:
                for player_id in self.players.carry_out(command, args):
                    await self._tell(player_id)
        except MusicAssistantError as err:
            answer: Any = ErrorResultMessage(message["message_id"], err.error_code, str(err))
        else:
            answer = SuccessResultMessage(message["message_id"], result)
        await socket.send_str(answer.to_json())

    async def _tell_all(self) -> None:
        """Send the state of all players and their queues to everybody."""
        for player_id in self.players.players:
            await self._tell(player_id)

    async def _tell(self, player_id: str) -> None:
        """Send the state of a player and its queue to everybody."""
        self.players.show(player_id)
        for event, state in (
            (EventType.QUEUE_UPDATED, self.players.queues[player_id].to_dict()),
            (EventType.PLAYER_UPDATED, self.players.players[player_id].to_dict()),
        ):
            text = MassEvent(event=event, object_id=player_id, data=state).to_json()
            for socket in self._listeners:
                await socket.send_str(text)


def _provider() -> ProviderInstance:
    """Return who provides the players."""
    return ProviderInstance(
        type=ProviderType.PLAYER,
        domain="players",
        name="Players",
        instance_id="players",
        supported_features=set(),
        available=True,
    )


# Commands that change nothing, with what answers them.
_READING: Mapping[str, Callable[[MusicServer, dict[str, Any]], Any]] = {
    "auth": lambda _server, _args: {"authenticated": True},
    "providers": lambda _server, _args: [_provider().to_dict()],
    "providers/manifests": lambda _server, _args: [],
    "players/all": lambda server, _args: [
        player.to_dict() for player in server.players.players.values()
    ],
    "player_queues/all": lambda server, _args: [
        queue.to_dict() for queue in server.players.queues.values()
    ],
    "config/players": lambda server, _args: [
        PlayerConfig(values={}, provider="players", player_id=player_id).to_dict()
        for player_id in server.players.players
    ],
    "dashboard/dashboards": lambda _server, _args: [],
    "dashboard/sessions": lambda _server, _args: [],
    "music/search": lambda server, args: server.library.search(
        args["search_query"], args["media_types"], args["limit"]
    ).to_dict(),
    "music/verify_item_uri": lambda server, args: args["uri"] in server.library.items,
}

COMMANDS = frozenset({*_READING, *CHANGING})
"""Names of the commands that the server knows."""

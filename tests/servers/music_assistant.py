"""Music Assistant's server API on a websocket, in the messages of its own models.

It is what Home Assistant's `music_assistant` integration and its client connect to: players with queues, a library,
search by words, groups, and an event for each change.
"""

from collections.abc import Callable, Iterable, Mapping
import time
from typing import Any
import unicodedata
from uuid import uuid4

from aiohttp import WSMsgType, web
from music_assistant_models.api import ErrorResultMessage, ServerInfoMessage, SuccessResultMessage
from music_assistant_models.config_entries import PlayerConfig
from music_assistant_models.enums import (
    EventType,
    MediaType,
    PlaybackState,
    PlayerFeature,
    PlayerType,
    ProviderType,
    QueueOption,
    RepeatMode,
)
from music_assistant_models.event import MassEvent
from music_assistant_models.media_items import (
    Album,
    Artist,
    Audiobook,
    ItemMapping,
    Playlist,
    Podcast,
    ProviderMapping,
    Radio,
    SearchResults,
    Track,
)
from music_assistant_models.player import DeviceInfo, Player, PlayerMedia, PlayerSource
from music_assistant_models.player_queue import PlayerQueue
from music_assistant_models.provider import ProviderInstance
from music_assistant_models.queue_item import QueueItem
from music_assistant_models.unique_list import UniqueList
import orjson

_PROVIDER = "library"
# The error code of `MediaNotFoundError` and of `InvalidCommand`.
_NOT_FOUND, _INVALID = 5, 10
_SCHEMA = 46
_SECONDS = 200

type Item = Artist | Album | Track | Playlist | Radio | Podcast | Audiobook


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    return " ".join(kept.split())


class Library:
    """Everything that can be played, from its description."""

    def __init__(self, described: Mapping[str, Any]) -> None:
        """Make the items."""
        self.items: dict[str, Item] = {}
        self.tracks_of: dict[str, list[Track]] = {}
        for name, albums in described["artists"].items():
            artist = self._add(Artist, name)
            for title, tracks in albums.items():
                album = self._add(Album, title, artists=[ItemMapping.from_item(artist)])
                for number, track in enumerate(tracks, 1):
                    one = self._add(
                        Track,
                        track,
                        artists=[ItemMapping.from_item(artist)],
                        album=ItemMapping.from_item(album),
                        duration=_SECONDS,
                        track_number=number,
                    )
                    for whole in (artist, album):
                        self.tracks_of.setdefault(str(whole.uri), []).append(one)
        by_title = {item.name: item for item in self.items.values() if isinstance(item, Track)}
        for name, titles in described["playlists"].items():
            playlist = self._add(Playlist, name, owner="house", is_editable=True)
            self.tracks_of[str(playlist.uri)] = [by_title[title] for title in titles]
        for kind, names in (
            (Radio, described["radios"]),
            (Podcast, described["podcasts"]),
            (Audiobook, described["audiobooks"]),
        ):
            for name in names:
                self._add(kind, name)

    def _add[T: Item](self, kind: type[T], name: str, **more: Any) -> T:
        """Return a new item of the library."""
        item_id = str(len(self.items) + 1)
        origin = ProviderMapping(
            item_id=item_id, provider_domain="filesystem_local", provider_instance="files"
        )
        item = kind(
            item_id=item_id, provider=_PROVIDER, name=name, provider_mappings={origin}, **more
        )
        self.items[str(item.uri)] = item
        return item

    def search(self, query: str, kinds: Iterable[str], limit: int) -> SearchResults:
        """Return the items in whose name, artist and album all words of a query occur."""
        words = set(_folded(query).split())
        found: dict[MediaType, list[Any]] = {
            kind: [
                item
                for item in self.items.values()
                if item.media_type is kind and words <= set(self._text(item).split())
            ][:limit]
            for kind in map(MediaType, kinds)
        }
        return SearchResults(
            artists=found.get(MediaType.ARTIST, []),
            albums=found.get(MediaType.ALBUM, []),
            tracks=found.get(MediaType.TRACK, []),
            playlists=found.get(MediaType.PLAYLIST, []),
            radio=found.get(MediaType.RADIO, []),
            podcasts=found.get(MediaType.PODCAST, []),
            audiobooks=found.get(MediaType.AUDIOBOOK, []),
        )

    def _text(self, item: Item) -> str:
        """Return the words under which an item is found."""
        artists = [artist.name for artist in getattr(item, "artists", ())]
        album = getattr(item, "album", None)
        return _folded(" ".join([item.name, *artists, album.name if album else ""]))

    def playable(self, uri: str) -> list[Any]:
        """Return the tracks of an item, or itself; of a dynamic radio those of its seed.

        Raises:
            KeyError: there is none.
        """
        seed = uri.removeprefix("radio_playlist://playlist/")
        item = self.items[seed]
        return self.tracks_of.get(seed) or [item]


class MusicServer:
    """Players and their queues; use `app` behind a port.

    `commands` are those that changed something, with their arguments, in order.
    """

    def __init__(
        self, described: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Make the library and the players: each by its id, with `name`, `volume`, `sources` and `groups`."""
        self.library = Library(described)
        self._described = players
        self.commands: list[tuple[str, dict[str, Any]]] = []
        self._listeners: set[web.WebSocketResponse] = set()
        self._fill()

    def _fill(self) -> None:
        """Make the players as they are described, with nothing in their queues."""
        players = self._described
        self.players = {each: self._player(each, **options) for each, options in players.items()}
        self.queues = {each: self._queue(player) for each, player in self.players.items()}
        self.items: dict[str, list[QueueItem]] = {each: [] for each in players}
        self._inputs: dict[str, str] = {}

    async def async_begin_again(self) -> None:
        """Bring all players back to how they are described, and forget the commands."""
        self._fill()
        self.commands.clear()
        for player_id in self.players:
            await self._tell(player_id)

    @staticmethod
    def _player(
        player_id: str,
        *,
        name: str,
        volume: int = 30,
        sources: Iterable[str] = (),
        groups: bool = True,
    ) -> Player:
        """Return a player that is silent."""
        features = {
            PlayerFeature.VOLUME_SET,
            PlayerFeature.VOLUME_MUTE,
            PlayerFeature.PAUSE,
            PlayerFeature.SEEK,
            PlayerFeature.NEXT_PREVIOUS,
        }
        if groups:
            features.add(PlayerFeature.SET_MEMBERS)
        if sources:
            features.add(PlayerFeature.SELECT_SOURCE)
        return Player(
            player_id=player_id,
            provider="players",
            type=PlayerType.PLAYER,
            name=name,
            available=True,
            device_info=DeviceInfo(model="Box", manufacturer="House"),
            supported_features=features,
            powered=True,
            volume_level=volume,
            volume_muted=False,
            active_source=player_id,
            source_list=UniqueList(PlayerSource(id=_folded(each), name=each) for each in sources),
            power_control="fake",
            volume_control="native",
            mute_control="native",
        )

    @staticmethod
    def _queue(player: Player) -> PlayerQueue:
        """Return a player's empty queue."""
        return PlayerQueue(
            queue_id=player.player_id,
            active=True,
            display_name=player.name,
            available=True,
            items=0,
        )

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
        touched: set[str] = set()
        try:
            result = self._carry_out(command, args, touched)
        except KeyError as err:
            code = _NOT_FOUND if command.startswith("player_queues") else _INVALID
            answer: Any = ErrorResultMessage(message["message_id"], code, f"unknown: {err}")
        else:
            answer = SuccessResultMessage(message["message_id"], result)
        for player_id in touched:
            await self._tell(player_id)
        await socket.send_str(answer.to_json())

    def _carry_out(self, command: str, args: dict[str, Any], touched: set[str]) -> Any:
        """Return the result of a command; `touched` takes the ids of the players that it changes.

        Raises:
            KeyError: there is no such command, player or item.
        """
        if command in self._reading:
            return self._reading[command](args)
        player_id = args.get("queue_id") or args.get("player_id") or args.get("target_player")
        player_id = player_id or args["target_queue_id"]
        if player_id not in self.players:
            raise KeyError(player_id)
        self.commands.append((command, args))
        getattr(self, f"_{_CHANGING[command]}")(player_id, args, touched)
        touched.add(player_id)
        return None

    @property
    def _reading(self) -> Mapping[str, Callable[[dict[str, Any]], Any]]:
        """Return the commands that change nothing."""
        return {
            "auth": lambda _: {"authenticated": True},
            "providers": lambda _: [_provider().to_dict()],
            "providers/manifests": lambda _: [],
            "players/all": lambda _: [each.to_dict() for each in self.players.values()],
            "player_queues/all": lambda _: [each.to_dict() for each in self.queues.values()],
            "config/players": lambda _: [
                PlayerConfig(values={}, provider="players", player_id=each).to_dict()
                for each in self.players
            ],
            "dashboard/dashboards": lambda _: [],
            "dashboard/sessions": lambda _: [],
            "music/search": lambda args: self.library.search(
                args["search_query"], args["media_types"], args["limit"]
            ).to_dict(),
            "music/verify_item_uri": lambda args: self._is_there(args["uri"]),
        }

    def _is_there(self, uri: str) -> bool:
        """Return whether an address is that of an item."""
        return uri in self.library.items

    async def _tell(self, player_id: str) -> None:
        """Send the state of a player and its queue to everybody."""
        self._show(player_id)
        for event, state in (
            (EventType.QUEUE_UPDATED, self.queues[player_id].to_dict()),
            (EventType.PLAYER_UPDATED, self.players[player_id].to_dict()),
        ):
            text = MassEvent(event=event, object_id=player_id, data=state).to_json()
            for socket in self._listeners:
                await socket.send_str(text)

    def _show(self, player_id: str) -> None:
        """Write the place in a player's queue to its state."""
        player, items = self.players[player_id], self.items[player_id]
        source = player.synced_to or player_id
        queue, items = self.queues[source], self.items[source]
        queue.items, at = len(items), queue.current_index
        queue.current_item = items[at] if at is not None and at < len(items) else None
        after = 0 if at is None else at + 1
        queue.next_item = items[after] if at is not None and after < len(items) else None
        player.playback_state = queue.state
        player.active_source = self._inputs.get(player_id, source)
        now = queue.current_item
        if now is None or queue.state is PlaybackState.IDLE:
            player.current_media = None
            return
        item: Any = now.media_item
        player.current_media = PlayerMedia(
            uri=item.uri,
            media_type=item.media_type,
            title=item.name,
            artist=item.artists[0].name if getattr(item, "artists", None) else None,
            album=item.album.name if getattr(item, "album", None) else None,
            duration=getattr(item, "duration", None),
            source_id=source,
            queue_item_id=now.queue_item_id,
            elapsed_time=int(queue.elapsed_time),
            elapsed_time_last_updated=queue.elapsed_time_last_updated,
        )

    def _members(self, player_id: str) -> set[str]:
        """Return the ids of the players that sound together with one."""
        leader = self.players[player_id].synced_to or player_id
        return {leader, *self.players[leader].group_members}

    def _go(self, player_id: str, index: int | None, state: PlaybackState, at: float = 0) -> None:
        """Put a queue to a place."""
        queue = self.queues[player_id]
        queue.current_index, queue.state = index, state
        queue.elapsed_time, queue.elapsed_time_last_updated = at, time.time()

    def _led(self, player_id: str, touched: set[str]) -> str:
        """Return whose queue a player plays, and touch all who do."""
        touched |= self._members(player_id)
        return self.players[player_id].synced_to or player_id

    # Commands.

    def _play_media(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        self._inputs.pop(player_id, None)
        media = args["media"] if isinstance(args["media"], list) else [args["media"]]
        items = [
            QueueItem(
                queue_id=queue_id,
                queue_item_id=uuid4().hex,
                name=item.name,
                duration=getattr(item, "duration", None),
                media_item=item,
            )
            for uri in media
            for item in self.library.playable(uri)
        ]
        queue, known = self.queues[queue_id], self.items[queue_id]
        option = QueueOption(args.get("option") or "replace")
        queue.is_dynamic = any(uri.startswith("radio_playlist://") for uri in media)
        if option is QueueOption.REPLACE or queue.current_index is None:
            self.items[queue_id] = items
            self._go(queue_id, 0, PlaybackState.PLAYING)
        elif option is QueueOption.ADD:
            known += items
        else:
            after = queue.current_index + 1
            known[after:after] = items
            if option is QueueOption.PLAY:
                self._go(queue_id, after, PlaybackState.PLAYING)

    def _transfer(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        source = args["source_queue_id"]
        touched |= {source, *self._members(source)}
        was = self.queues[source]
        self.items[player_id], self.items[source] = self.items[source], []
        auto = args.get("auto_play")
        plays = was.state is PlaybackState.PLAYING if auto is None else auto
        state = PlaybackState.PLAYING if plays else PlaybackState.PAUSED
        self._go(player_id, was.current_index, state, was.elapsed_time)
        self._go(source, None, PlaybackState.IDLE)

    def _play(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        if (index := self.queues[queue_id].current_index) is not None:
            self._go(queue_id, index, PlaybackState.PLAYING, self.queues[queue_id].elapsed_time)

    def _pause(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        queue = self.queues[queue_id]
        self._go(queue_id, queue.current_index, PlaybackState.PAUSED, queue.elapsed_time)

    def _stop(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        self._go(queue_id, self.queues[queue_id].current_index, PlaybackState.IDLE)

    def _skip(self, player_id: str, touched: set[str], by: int) -> None:
        queue_id = self._led(player_id, touched)
        index = max((self.queues[queue_id].current_index or 0) + by, 0)
        is_there = index < len(self.items[queue_id])
        self._go(queue_id, index, PlaybackState.PLAYING if is_there else PlaybackState.IDLE)

    def _next(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        self._skip(player_id, touched, 1)

    def _previous(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        self._skip(player_id, touched, -1)

    def _seek(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        queue = self.queues[queue_id]
        self._go(queue_id, queue.current_index, queue.state, args["position"])

    def _clear(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        self.items[queue_id] = []
        self._go(queue_id, None, PlaybackState.IDLE)

    def _volume_set(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self.players[player_id].volume_level = args["volume_level"]

    def _volume_up(self, player_id: str, _args: dict[str, Any], _touched: set[str]) -> None:
        player = self.players[player_id]
        player.volume_level = min((player.volume_level or 0) + 5, 100)

    def _volume_down(self, player_id: str, _args: dict[str, Any], _touched: set[str]) -> None:
        player = self.players[player_id]
        player.volume_level = max((player.volume_level or 0) - 5, 0)

    def _mute(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self.players[player_id].volume_muted = args["muted"]

    def _power(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        self.players[player_id].powered = args["powered"]
        if not args["powered"]:
            self._stop(player_id, {}, touched)

    def _source(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self._inputs[player_id] = args["source"]

    def _shuffle(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self.queues[player_id].shuffle_enabled = args["shuffle_enabled"]

    def _repeat(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self.queues[player_id].repeat_mode = RepeatMode(args["repeat_mode"])

    def _group(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        leader = self.players[player_id]
        for child in args["child_player_ids"]:
            if child != player_id:
                self.players[child].synced_to = player_id
                touched.add(child)
        members = dict.fromkeys([player_id, *leader.group_members, *args["child_player_ids"]])
        leader.group_members = UniqueList(members)

    def _ungroup(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        touched |= self._members(player_id)
        player = self.players[player_id]
        if player.synced_to:
            leader = self.players[player.synced_to]
            leader.group_members = UniqueList(
                each for each in leader.group_members if each != player_id
            )
            player.synced_to = None
            return
        for child in player.group_members:
            self.players[child].synced_to = None
        player.group_members = UniqueList()


_CHANGING: Mapping[str, str] = {
    "player_queues/play_media": "play_media",
    "player_queues/transfer": "transfer",
    "player_queues/clear": "clear",
    "player_queues/shuffle": "shuffle",
    "player_queues/repeat": "repeat",
    "players/cmd/play": "play",
    "players/cmd/pause": "pause",
    "players/cmd/stop": "stop",
    "players/cmd/next": "next",
    "players/cmd/previous": "previous",
    "players/cmd/seek": "seek",
    "players/cmd/power": "power",
    "players/cmd/volume_set": "volume_set",
    "players/cmd/volume_up": "volume_up",
    "players/cmd/volume_down": "volume_down",
    "players/cmd/volume_mute": "mute",
    "players/cmd/select_source": "source",
    "players/cmd/group_many": "group",
    "players/cmd/ungroup": "ungroup",
}


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

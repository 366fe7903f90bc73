"""Players of a Music Assistant server and their queues: what commands do to them, and where they fail.

What a command does is made after the real server of about schema 46. Left out are accounts, sound itself, and the
order that shuffling makes.
"""

from collections.abc import Iterable, Mapping, Sequence
import time
from typing import Any
from uuid import uuid4

from music_assistant_models.constants import PLAYER_CONTROL_NATIVE, PLAYER_CONTROL_NONE
from music_assistant_models.enums import (
    MediaType,
    PlaybackState,
    PlayerFeature,
    PlayerType,
    QueueOption,
    RepeatMode,
)
from music_assistant_models.errors import (
    InvalidCommand,
    PlayerCommandFailed,
    PlayerUnavailableError,
    QueueEmpty,
    UnsupportedFeaturedException,
)
from music_assistant_models.player import DeviceInfo, Player, PlayerMedia, PlayerSource
from music_assistant_models.player_queue import PlayerQueue
from music_assistant_models.queue_item import QueueItem
from music_assistant_models.unique_list import UniqueList

from .music_library import Library, is_like

# Before these seconds of a track "previous" is the track before it, then its own beginning.
_RESTARTS_AFTER = 5
_BEGUN = {PlaybackState.PLAYING, PlaybackState.PAUSED}


class MusicPlayers:
    """Players with their queues, which play what is in a library; each by its id, with what `_player` takes."""

    def __init__(self, library: Library, described: Mapping[str, Mapping[str, Any]]) -> None:
        """Make the players as they are described, with nothing in their queues."""
        self._library = library
        self.players = {each: _player(each, **options) for each, options in described.items()}
        self.queues = {each: _queue(player) for each, player in self.players.items()}
        self._items: dict[str, list[QueueItem]] = {each: [] for each in described}
        self._inputs: dict[str, str] = {}

    def titles(self, player_id: str) -> list[str]:
        """Return the names of what is in a player's queue."""
        return [item.name for item in self._items[player_id]]

    def shown(self, player_id: str) -> Mapping[str, Any]:
        """Return what Home Assistant shows of a player that it was told of: its state, and what it is at."""
        player = self.players[player_id]
        media = player.current_media
        is_on = player.power_control == PLAYER_CONTROL_NONE or player.powered
        state = player.playback_state.value if is_on else "off"
        return {"state": state, "media_title": media.title if is_on and media else None}

    def carry_out(self, command: str, args: Mapping[str, Any]) -> set[str]:
        """Carry out a command, and return the ids of the players that it changes.

        Raises:
            MusicAssistantError: there is no such command or player, or it cannot be done now.
        """
        if command not in CHANGING:
            raise InvalidCommand(f"Invalid command: {command}")
        player_id = args.get("queue_id") or args.get("player_id") or args.get("target_player")
        player_id = str(player_id or args["target_queue_id"])
        if player_id not in self.players:
            raise PlayerUnavailableError(f"Player {player_id} is not available")
        touched = {player_id}
        getattr(self, f"_{CHANGING[command]}")(player_id, args, touched)
        return touched

    def let_pauses_pass(self) -> None:
        """Stop the players that are paused, as the server does after 30 seconds; they keep their queues."""
        for player_id, queue in self.queues.items():
            if queue.state is PlaybackState.PAUSED:
                self._halt(player_id)

    def show(self, player_id: str) -> None:
        """Write the place in a player's queue to its state; what it was at stays there while nothing plays."""
        player = self.players[player_id]
        source = player.synced_to or player_id
        queue, items = self.queues[source], self._items[source]
        queue.items, at = len(items), queue.current_index
        queue.current_item = items[at] if at is not None and at < len(items) else None
        after = 0 if at is None else at + 1
        queue.next_item = items[after] if at is not None and after < len(items) else None
        player.playback_state = queue.state
        player.active_source = self._inputs.get(player_id, source)
        now = queue.current_item
        if now is None or player.active_source != source:
            player.current_media = None
            return
        item: Any = now.media_item
        whole = getattr(item, "album", None) or getattr(item, "podcast", None)
        player.current_media = PlayerMedia(
            uri=item.uri,
            media_type=item.media_type,
            title=item.name,
            artist=getattr(item, "artist_str", None),
            album=whole.name if whole else None,
            duration=item.duration if hasattr(item, "duration") else None,
            source_id=source,
            queue_item_id=now.queue_item_id,
            elapsed_time=int(queue.elapsed_time),
            elapsed_time_last_updated=queue.elapsed_time_last_updated,
        )

    # What commands are made of.

    def _leader(self, player_id: str) -> str:
        """Return the id of the player whose queue one plays."""
        return self.players[player_id].synced_to or player_id

    def _members(self, player_id: str) -> set[str]:
        """Return the ids of the players that sound together with one."""
        leader = self._leader(player_id)
        return {leader, *self.players[leader].group_members}

    def _led(self, player_id: str, touched: set[str]) -> str:
        """Return whose queue a player plays, and touch all who do.

        Raises:
            PlayerCommandFailed: it plays something else, from one of its inputs.
        """
        touched |= self._members(player_id)
        leader = self._leader(player_id)
        if leader in self._inputs:
            raise PlayerCommandFailed("This action is (currently) unavailable for this source.")
        return leader

    def _go(self, player_id: str, index: int | None, state: PlaybackState, at: float = 0) -> None:
        """Put a queue to a place."""
        queue = self.queues[player_id]
        queue.current_index, queue.state = index, state
        queue.elapsed_time, queue.elapsed_time_last_updated = at, time.time()
        queue.resume_pos = 0
        if state is PlaybackState.PLAYING:
            for each in self._members(player_id):
                self._wake(each)

    def _wake(self, player_id: str) -> None:
        """Switch a player on, if it can be."""
        player = self.players[player_id]
        if player.power_control != PLAYER_CONTROL_NONE:
            player.powered = True

    def _halt(self, player_id: str) -> None:
        """Stop a queue, which keeps its items and its place."""
        queue = self.queues[player_id]
        if queue.state in _BEGUN:
            at = queue.corrected_elapsed_time
            self._go(player_id, queue.current_index, PlaybackState.IDLE, at)
            queue.resume_pos = int(at)

    def _resume(self, player_id: str) -> None:
        """Let a queue go on where it was.

        Raises:
            QueueEmpty: there is nothing in it.
        """
        queue, items = self.queues[player_id], self._items[player_id]
        if not items:
            raise QueueEmpty(f"Resume queue requested but queue {queue.display_name} is empty")
        at = queue.resume_pos or queue.corrected_elapsed_time
        self._go(player_id, queue.current_index or 0, PlaybackState.PLAYING, at)

    def _empty(self, player_id: str) -> None:
        """Leave a queue with nothing in it."""
        self._items[player_id] = []
        self._go(player_id, None, PlaybackState.IDLE)

    def _leave(self, player_id: str, touched: set[str]) -> None:
        """Take a player out of its group; the group goes on, under another player where this one led it."""
        touched |= self._members(player_id)
        player = self.players[player_id]
        if player.synced_to:
            self._regroup(player.synced_to, self._members(player.synced_to) - {player_id})
            return
        rest = [each for each in player.group_members if each != player_id]
        plays = self.queues[player_id].state
        self._regroup(player_id, set())
        if not rest or plays is PlaybackState.IDLE:
            self._halt(player_id)
            return
        self._regroup(rest[0], set(rest))
        self._hand_over(player_id, rest[0], plays=plays is PlaybackState.PLAYING)

    def _regroup(self, leader_id: str, members: set[str]) -> None:
        """Let players play along with one, and those that did and are not among them no longer."""
        leader = self.players[leader_id]
        for each in set(leader.group_members) - members:
            self.players[each].synced_to = None
        followers = [each for each in self.players if each in members and each != leader_id]
        for each in followers:
            self.players[each].synced_to = leader_id
        leader.synced_to = None
        leader.group_members = UniqueList([leader_id, *followers] if followers else [])

    def _hand_over(self, source_id: str, target_id: str, *, plays: bool) -> None:
        """Give one queue's items and place to another, which plays them or waits."""
        self._halt(source_id)
        source, target = self.queues[source_id], self.queues[target_id]
        at, index = source.resume_pos or source.elapsed_time, source.current_index
        self._items[target_id] = self._items[source_id]
        target.repeat_mode, target.shuffle_enabled = source.repeat_mode, source.shuffle_enabled
        self._empty(source_id)
        self._inputs.pop(target_id, None)
        self._go(target_id, index, PlaybackState.IDLE, at)
        target.resume_pos = int(at)
        if plays:
            self._resume(target_id)

    def _next_index(self, player_id: str) -> int | None:
        """Return the place after the current one; None at the end, and where nothing is."""
        queue, last = self.queues[player_id], len(self._items[player_id]) - 1
        if queue.current_index is None:
            return None
        if queue.current_index < last:
            return queue.current_index + 1
        return 0 if queue.repeat_mode is RepeatMode.ALL else None

    # Commands.

    def _play_media(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._leader(player_id)
        touched |= self._members(player_id)
        media = args["media"] if isinstance(args["media"], list) else [args["media"]]
        found = [item for uri in media for item in self._library.playable(uri)]
        items = [
            QueueItem(
                queue_id=queue_id,
                queue_item_id=uuid4().hex,
                name=item.name,
                duration=getattr(item, "duration", None),
                media_item=item,
            )
            for item in found
        ]
        option = QueueOption(args.get("option") or self._option(media[0]))
        queue, known = self.queues[queue_id], self._items[queue_id]
        after = 0 if queue.current_index is None else queue.current_index + 1
        plays = option in {QueueOption.PLAY, QueueOption.REPLACE}
        if plays:
            self._inputs.pop(queue_id, None)
            queue.is_dynamic = any(map(is_like, media))
        if option is QueueOption.REPLACE:
            self._items[queue_id], after = items, 0
        elif option is QueueOption.ADD:
            known += items
        elif option is QueueOption.REPLACE_NEXT:
            known[after:] = items
        else:
            known[after:after] = items
        if plays:
            self._go(queue_id, after, PlaybackState.PLAYING)
        elif queue.current_index is None:
            # It waits for somebody to begin it.
            self._go(queue_id, 0, PlaybackState.IDLE)

    def _option(self, uri: str) -> QueueOption:
        """Return where in a queue something goes if nobody says: a track is played before what else is there."""
        is_track = self._library.kind_of(uri) is MediaType.TRACK
        return QueueOption.PLAY if is_track else QueueOption.REPLACE

    def _transfer(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        source = args["source_queue_id"]
        if source not in self.queues:
            raise PlayerUnavailableError(f"Queue {source} is not available")
        auto = args.get("auto_play")
        plays = self.queues[source].state is PlaybackState.PLAYING if auto is None else auto
        touched |= {source, *self._members(source)}
        if self.players[player_id].synced_to:
            self._leave(player_id, touched)
        self._hand_over(source, player_id, plays=plays)

    def _play(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        if self.queues[queue_id].state is not PlaybackState.PLAYING:
            self._resume(queue_id)

    def _pause(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        queue = self.queues[queue_id]
        if queue.state is PlaybackState.PLAYING:
            at = queue.corrected_elapsed_time
            self._go(queue_id, queue.current_index, PlaybackState.PAUSED, at)
            queue.resume_pos = int(at)

    def _stop(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        self._halt(self._led(player_id, touched))

    def _next(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        if (index := self._next_index(queue_id)) is not None:
            self._go(queue_id, index, PlaybackState.PLAYING)

    def _previous(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        queue = self.queues[queue_id]
        if queue.current_index is not None:
            by = 1 if queue.corrected_elapsed_time < _RESTARTS_AFTER else 0
            self._go(queue_id, max(queue.current_index - by, 0), PlaybackState.PLAYING)

    def _seek(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        queue = self.queues[queue_id]
        if queue.current_item is None:
            raise InvalidCommand(f"Queue {queue.display_name} has no item(s) loaded.")
        if not queue.current_item.duration:
            raise InvalidCommand("Can not seek items without duration.")
        if args["position"] > queue.current_item.duration:
            raise InvalidCommand("Can not seek outside of duration range.")
        at = max(args["position"], 0)
        self._go(queue_id, queue.current_index, PlaybackState.PLAYING, at)

    def _clear(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        queue_id = self._led(player_id, touched)
        self._empty(queue_id)
        self.queues[queue_id].shuffle_enabled = False

    def _volume_set(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        player = self.players[player_id]
        player.volume_level = min(max(args["volume_level"], 0), 100)
        player.volume_muted = False

    def _volume_up(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        now = self.players[player_id].volume_level or 0
        self._volume_set(player_id, {"volume_level": now + _volume_step(now)}, touched)

    def _volume_down(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        now = self.players[player_id].volume_level or 0
        self._volume_set(player_id, {"volume_level": now - _volume_step(now)}, touched)

    def _mute(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self.players[player_id].volume_muted = args["muted"]

    def _power(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        player = self.players[player_id]
        if not args["powered"]:
            if self._members(player_id) != {player_id}:
                self._leave(player_id, touched)
            self._halt(player_id)
        if player.power_control != PLAYER_CONTROL_NONE:
            player.powered = args["powered"]

    def _source(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        player, source = self.players[player_id], args["source"]
        if player.synced_to:
            self._leave(player_id, touched)
        if source != player.active_source:
            self._halt(player_id)
        if source in self.queues:
            self._inputs.pop(player_id, None)
            return
        if PlayerFeature.SELECT_SOURCE not in player.supported_features:
            raise UnsupportedFeaturedException(
                f"Player {player.name} does not support source selection"
            )
        if source not in {each.id for each in player.source_list}:
            raise PlayerCommandFailed(f"{source} is an invalid source for player {player.name}")
        self._inputs[player_id] = source

    def _shuffle(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self.queues[player_id].shuffle_enabled = args["shuffle_enabled"]

    def _repeat(self, player_id: str, args: dict[str, Any], _touched: set[str]) -> None:
        self.queues[player_id].repeat_mode = RepeatMode(args["repeat_mode"])

    def _group(self, player_id: str, args: dict[str, Any], touched: set[str]) -> None:
        leader = self.players[player_id]
        if PlayerFeature.SET_MEMBERS not in leader.supported_features:
            raise UnsupportedFeaturedException(
                f"Player {leader.name} does not support group commands"
            )
        if leader.synced_to:
            self._leave(player_id, touched)
        for child in self._groupable(args["child_player_ids"]):
            if child == player_id or self.players[child].synced_to == player_id:
                continue
            if self._members(child) != {child}:
                self._leave(child, touched)
            self._halt(child)
            self._wake(child)
            self._regroup(player_id, {*self._members(player_id), child})
            touched.add(child)

    def _groupable(self, player_ids: Iterable[str]) -> Sequence[str]:
        """Return those of some players that can play along with others; the rest are passed over."""
        return [
            each
            for each in player_ids
            if each in self.players
            and PlayerFeature.SET_MEMBERS in self.players[each].supported_features
        ]

    def _ungroup(self, player_id: str, _args: dict[str, Any], touched: set[str]) -> None:
        if self._members(player_id) != {player_id}:
            self._leave(player_id, touched)


CHANGING: Mapping[str, str] = {
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
"""Commands that change something, with the methods that carry them out."""


def _player(
    player_id: str,
    *,
    name: str,
    volume: int = 30,
    sources: Iterable[str] = (),
    groups: bool = True,
    power: bool = False,
) -> Player:
    """Return a player that is silent; most have no `power` that could be switched."""
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
    if power:
        features.add(PlayerFeature.POWER)
    return Player(
        player_id=player_id,
        provider="players",
        type=PlayerType.PLAYER,
        name=name,
        available=True,
        device_info=DeviceInfo(model="Box", manufacturer="House"),
        supported_features=features,
        powered=True if power else None,
        volume_level=volume,
        volume_muted=False,
        active_source=player_id,
        source_list=UniqueList(PlayerSource(id=each.casefold(), name=each) for each in sources),
        power_control=PLAYER_CONTROL_NATIVE if power else PLAYER_CONTROL_NONE,
        volume_control=PLAYER_CONTROL_NATIVE,
        mute_control=PLAYER_CONTROL_NATIVE,
    )


def _queue(player: Player) -> PlayerQueue:
    """Return a player's empty queue."""
    return PlayerQueue(
        queue_id=player.player_id,
        active=True,
        display_name=player.name,
        available=True,
        items=0,
    )


def _volume_step(volume: int) -> int:
    """Return by how much a volume from 0 to 100 is changed in one step: less where it is low or high."""
    if volume < 10 or volume > 90:
        return 1
    return 2 if volume < 30 or volume > 70 else 3

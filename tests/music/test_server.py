"""The Music Assistant server of the tests: what it finds and where it fails, told to the server's own client."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import music_assistant_client
from music_assistant_client import MusicAssistantClient
from music_assistant_models.enums import MediaType, PlaybackState
from music_assistant_models.errors import (
    InvalidCommand,
    MediaNotFoundError,
    MusicAssistantError,
    PlayerCommandFailed,
    PlayerUnavailableError,
    QueueEmpty,
    UnsupportedFeaturedException,
)
import pytest

from tests.servers.music_assistant import COMMANDS

from .conftest import MusicHouse


def client_of(house: MusicHouse) -> MusicAssistantClient:
    """Return the client with which Home Assistant is connected to the server."""
    client: MusicAssistantClient = house.entry.runtime_data.mass
    return client


# What is searched for, as which kind, and the names that are found, those first that are called exactly so.
SEARCHES: tuple[tuple[str, MediaType, list[str]], ...] = (
    ("Kind of Blue", MediaType.ALBUM, ["Kind of Blue"]),
    ("kind ofblue", MediaType.ALBUM, ["Kind of Blue"]),
    ("Blue of Kind", MediaType.ALBUM, []),
    ("Miles Davis Kind of Blue", MediaType.ALBUM, []),
    ("Miles Davis - Kind of Blue", MediaType.ALBUM, ["Kind of Blue"]),
    ("Davis - Blue", MediaType.ALBUM, ["Kind of Blue"]),
    ("Queen - Kind of Blue", MediaType.ALBUM, []),
    ("Miles Davis - Kind of Blue - So What", MediaType.TRACK, []),
    ("Kind of Blue - So What", MediaType.TRACK, []),
    ("Miles Davis - So What", MediaType.TRACK, ["So What"]),
    # The tracks and albums of an artist follow those of the name.
    ("Juanes", MediaType.TRACK, ["La camisa negra", "Nada valgo sin tu amor"]),
    ("autobahn", MediaType.TRACK, ["Autobahn"]),
    ("Kraftwerk", MediaType.ALBUM, ["Autobahn"]),
    ("joga", MediaType.TRACK, ["Jóga"]),
    ("Jóga", MediaType.TRACK, ["Jóga"]),
    ("the Eagles", MediaType.ARTIST, []),
    ("Beatles", MediaType.ARTIST, ["The Beatles"]),
    ("Simon and Garfunkel", MediaType.ARTIST, []),
    ("Simon Garfunkel", MediaType.ARTIST, ["Simon & Garfunkel"]),
    ("Don't Play That Song", MediaType.ALBUM, ["Don't Play That Song"]),
    ("AC/DC", MediaType.ARTIST, ["AC/DC"]),
    ("Miles Davis - Sunday", MediaType.PLAYLIST, []),
    ("jazz", MediaType.RADIO, ["Jazz FM"]),
    ("Jazz", MediaType.PLAYLIST, ["Smooth Jazz"]),
)


@pytest.mark.parametrize(("query", "kind", "names"), SEARCHES)
async def test_a_library_is_searched_by_parts_of_names(
    music_house: MusicHouse, query: str, kind: MediaType, names: list[str]
) -> None:
    found = await client_of(music_house).music.search(query, [kind], limit=50)
    every = [*found.artists, *found.albums, *found.tracks, *found.playlists, *found.radio]
    assert [item.name for item in every] == names


async def test_what_is_called_exactly_so_is_lost_beyond_the_limit(music_house: MusicHouse) -> None:
    search = client_of(music_house).music.search
    few = await search("One", [MediaType.TRACK], limit=10)
    assert "One" not in [item.name for item in few.tracks]
    more = await search("One", [MediaType.TRACK], limit=50)
    assert more.tracks[0].name == "One"


type Request = Callable[[MusicAssistantClient], Awaitable[object]]

FAILING: tuple[tuple[Request, type[MusicAssistantError]], ...] = (
    (lambda client: client.send_command("players/cmd/dance"), InvalidCommand),
    (lambda client: client.players.pause("attic"), PlayerUnavailableError),
    (lambda client: client.player_queues.transfer("attic", "kitchen"), PlayerUnavailableError),
    (
        lambda client: client.player_queues.play_media("kitchen", "library://track/0"),
        MediaNotFoundError,
    ),
    (lambda client: client.players.play("kitchen"), QueueEmpty),
    (lambda client: client.players.seek("kitchen", 10), InvalidCommand),
    (
        lambda client: client.players.select_source("bedroom", "line in"),
        UnsupportedFeaturedException,
    ),
    (lambda client: client.players.select_source("kitchen", "tape"), PlayerCommandFailed),
)


@pytest.mark.parametrize(("request_of", "error"), FAILING)
async def test_what_cannot_be_done_is_an_error_to_the_client(
    music_house: MusicHouse, request_of: Request, error: type[MusicAssistantError]
) -> None:
    with pytest.raises(error):
        await request_of(client_of(music_house))


async def test_nothing_is_sought_beyond_what_plays(music_house: MusicHouse) -> None:
    client = client_of(music_house)
    await music_house.play("kitchen", "Take Five")
    with pytest.raises(InvalidCommand):
        await client.players.seek("kitchen", 201)
    await music_house.play("kitchen", "Radio 1")
    with pytest.raises(InvalidCommand):
        await client.players.seek("kitchen", 1)


async def test_the_last_track_is_not_skipped_and_a_begun_one_begins_again(
    music_house: MusicHouse,
) -> None:
    client = client_of(music_house)
    await music_house.play("kitchen", "Sunday")
    for title in ("Here Comes the Sun", "Sinnerman", "Sinnerman"):
        await client.players.next_track("kitchen")
        await music_house.async_settle()
        assert music_house.state("kitchen").attributes["media_title"] == title
    await client.players.seek("kitchen", 30)
    for title in ("Sinnerman", "Here Comes the Sun"):
        await client.players.previous_track("kitchen")
        await music_house.async_settle()
        assert music_house.state("kitchen").attributes["media_title"] == title


async def test_what_was_paused_for_long_is_stopped_and_goes_on_where_it_was(
    music_house: MusicHouse,
) -> None:
    client = client_of(music_house)
    await music_house.play("kitchen", "Sunday")
    await client.players.seek("kitchen", 60)
    await client.players.pause("kitchen")
    await music_house.async_let_pauses_pass()
    state = music_house.state("kitchen")
    assert (state.state, state.attributes["media_title"]) == ("idle", "So What")
    await client.players.play("kitchen")
    await music_house.async_settle()
    queue = client.player_queues.get("kitchen")
    assert queue
    assert queue.state is PlaybackState.PLAYING
    assert queue.elapsed_time >= 60


def test_no_command_is_made_up() -> None:
    package = Path(music_assistant_client.__file__).parent
    sent = "".join(module.read_text("utf-8") for module in package.glob("*.py"))
    assert not {command for command in COMMANDS if f'"{command}"' not in sent}

"""What is said of music, done by Music Assistant: the right action, on the right player, seen in its state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from .conftest import PLAYERS, MusicHouse, player_id

type Called = tuple[tuple[str, str, Mapping[str, Any]], ...]


@dataclass(frozen=True)
class Case:
    """A sentence, in a house where `playing` (room and title) plays, and what has to come of it.

    `before` are actions that were called after that, as (action, room, data), and with `later` so much time has gone
    by that the server has stopped what was paused. `calls` are the changing calls as (action, rooms of its players,
    part of its data); `shows` are the attributes of rooms' players afterwards, and `queue` the titles in a room's
    queue. Players that `shows` does not name stay as they were.
    """

    say: str
    calls: tuple[tuple[str, str | tuple[str, ...], Mapping[str, Any]], ...] = ()
    language: str = "en"
    area: str | None = None
    playing: tuple[str, str] | None = None
    shows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reply: str = ""
    before: Called = ()
    later: bool = False
    queue: Mapping[str, Sequence[str]] = field(default_factory=dict)


SUNDAY = ("kitchen", "Sunday")
ON_SUNDAY = ["So What", "Here Comes the Sun", "Sinnerman"]
PLAYS = "music_assistant.play_media"
PAUSED: Called = (("media_player.media_pause", "kitchen", {}),)
STOPPED: Called = (("media_player.media_stop", "kitchen", {}),)
MEMBERS = ("bathroom", "kitchen", "living_room")
GROUPED: Called = (
    (
        "media_player.join",
        "kitchen",
        {"group_members": ["media_player.bathroom_speaker", "media_player.living_room_speaker"]},
    ),
)


def played(say: str, room: str, kind: str, title: str, **more: Any) -> Case:
    """Return a case in which something begins to play: `title` is that of the first track."""
    area, language, playing = (more.pop(each, None) for each in ("area", "language", "playing"))
    before, queue = more.pop("before", ()), more.pop("queue", None)
    return Case(
        say,
        ((PLAYS, room, {"media_type": kind, **more}),),
        language or "en",
        area,
        playing,
        {room: {"state": "playing", "media_title": title}},
        before=before,
        queue={room: queue} if queue else {},
    )


def queued(say: str, how: str, title: str, language: str = "en") -> Case:
    """Return a case in which a track is put into the kitchen's queue, while what plays goes on."""
    at = 1 if how == "next" else len(ON_SUNDAY)
    return Case(
        say,
        ((PLAYS, "kitchen", {"enqueue": how}),),
        language,
        playing=SUNDAY,
        shows={"kitchen": {"state": "playing", "media_title": "So What"}},
        reply=title,
        queue={"kitchen": [*ON_SUNDAY[:at], title, *ON_SUNDAY[at:]]},
    )


def moved(say: str, room: str, language: str = "en", source: str = "kitchen", **more: Any) -> Case:
    """Return a case in which what plays goes on in another room."""
    return Case(
        say,
        (
            (
                "music_assistant.transfer_queue",
                room,
                {"source_player": player_id(source), "auto_play": True},
            ),
        ),
        language,
        playing=(source, "Sunday"),
        shows={
            room: {"state": "playing", "media_title": "So What"},
            source: {"state": "idle", "media_title": None},
            **more.pop("shows", {}),
        },
        queue={room: ON_SUNDAY, source: []},
        **more,
    )


def sought(say: str, least: float, most: float, language: str = "en") -> Case:
    """Return a case in which the kitchen's player goes to a place between two, in seconds."""
    return Case(
        say,
        (("media_player.media_seek", "kitchen", {"seek_position": (least, most)}),),
        language,
        playing=SUNDAY,
        shows={"kitchen": {"state": "playing"}},
    )


def resumed(say: str, **more: Any) -> Case:
    """Return a case in which what the kitchen was at goes on there."""
    return Case(
        say,
        (("media_player.media_play", "kitchen", {}),),
        playing=SUNDAY,
        shows={"kitchen": {"state": "playing", "media_title": "So What"}},
        queue={"kitchen": ON_SUNDAY},
        **more,
    )


def parted(say: str, language: str = "en") -> Case:
    """Return a case in which a group parts, and what it played goes on in the kitchen, which led it."""
    return Case(
        say,
        (("media_player.unjoin", ("bathroom", "living_room"), {}),),
        language,
        playing=SUNDAY,
        before=GROUPED,
        shows={
            "kitchen": {"state": "playing", "media_title": "So What", "group_members": []},
            "bathroom": {"state": "idle", "group_members": []},
            "living_room": {"state": "idle", "group_members": []},
        },
        queue={"kitchen": ON_SUNDAY},
    )


def grouped(
    say: str, action: str, rooms: str | tuple[str, ...], *shown: Mapping[str, Any], **more: Any
) -> Case:
    """Return a case in which three rooms play together, led by the kitchen, and each shows the same afterwards.

    `shown` are the attributes of all of them, or of each.
    """
    data = more.pop("data", {})
    each = shown if len(shown) > 1 else shown * len(MEMBERS)
    return Case(
        say,
        ((action, rooms, data),),
        playing=SUNDAY,
        before=GROUPED,
        shows=dict(zip(MEMBERS, each, strict=True)),
        **more,
    )


def refused(say: str, reply: str, **more: Any) -> Case:
    """Return a case in which nothing can be done, and a reply says why."""
    return Case(say, reply=reply, **more)


def absent(say: str, language: str = "en", area: str | None = None) -> Case:
    """Return a case in which nothing of that name is there, and no player is touched."""
    return Case(say, language=language, area=area)


PLAYED = (
    played(
        "play the album Kind of Blue by Miles Davis in the kitchen", "kitchen", "album", "So What"
    ),
    played("play Kind of Blue by Miles Davis", "bedroom", "album", "So What", area="Bedroom"),
    played("play the Sunday playlist", "bedroom", "playlist", "So What", area="Bedroom"),
    played("play the playlist Sunday in the bathroom", "bathroom", "playlist", "So What"),
    played("put on Radio Paradise", "kitchen", "radio", "Radio Paradise", area="Kitchen"),
    played("listen to Deutschlandfunk", "bedroom", "radio", "Deutschlandfunk", area="Bedroom"),
    played("play the podcast Tall Tales in the bedroom", "bedroom", "podcast", "The Giant"),
    played("play the audiobook Moby Dick in the bedroom", "bedroom", "audiobook", "Moby Dick"),
    played("play Queen", "kitchen", "artist", "We Will Rock You", area="Kitchen"),
    played("play something by Nina Simone in the kitchen", "kitchen", "artist", "Sinnerman"),
    played("play a song by Björk in the bedroom", "bedroom", "artist", "Jóga"),
    played("play bjork", "kitchen", "artist", "Jóga", playing=SUNDAY),
    # In its library a name may be written in another way than it is said.
    played("play the Eagles in the kitchen", "kitchen", "artist", "Hotel California"),
    played(
        "play New Kid in Town by the Eagles in the kitchen", "kitchen", "track", "New Kid in Town"
    ),
    played("play Simon and Garfunkel in the kitchen", "kitchen", "artist", "Cecilia"),
    played(
        "play The Boxer by Simon and Garfunkel", "bedroom", "track", "The Boxer", area="Bedroom"
    ),
    played("play ACDC in the kitchen", "kitchen", "artist", "Back in Black"),
    played("play One in the kitchen", "kitchen", "track", "One"),
    played("play One by U2 in the kitchen", "kitchen", "track", "One"),
    played("play blue in the kitchen", "kitchen", "album", "So What"),
    played(
        "play Kind of Blue now", "kitchen", "album", "So What", playing=("kitchen", "Take Five")
    ),
    played(
        "play La Vie en rose by Édith Piaf in the kitchen", "kitchen", "album", "La Vie en rose"
    ),
    # A track is played before what else is in the queue.
    played(
        "play the song Sinnerman",
        "kitchen",
        "track",
        "Sinnerman",
        playing=SUNDAY,
        queue=["So What", "Sinnerman", "Here Comes the Sun", "Sinnerman"],
    ),
    played(
        "play Queen in the bedroom",
        "bedroom",
        "artist",
        "We Will Rock You",
        before=(("media_player.turn_off", "bedroom", {}),),
    ),
    played(
        "play So What from the album Kind of Blue by Miles Davis in the kitchen",
        "kitchen",
        "track",
        "So What",
    ),
    played(
        "play Here Comes the Sun from Abbey Road",
        "kitchen",
        "track",
        "Here Comes the Sun",
        area="Kitchen",
    ),
    played(
        "spiel The Boxer von Simon und Garfunkel in der Küche",
        "kitchen",
        "track",
        "The Boxer",
        language="de",
    ),
    played("play some jazz", "kitchen", "playlist", "So What", area="Kitchen"),
    played("play Stand by Me", "bedroom", "track", "Stand by Me", area="Bedroom"),
    played("play All Blues", "bedroom", "track", "All Blues", area="Bedroom"),
    played(
        "play the song Something by the Beatles in the bathroom", "bathroom", "track", "Something"
    ),
    played(
        "play Bohemian Rhapsody from the album A Night at the Opera",
        "kitchen",
        "track",
        "Bohemian Rhapsody",
        area="Kitchen",
    ),
    played(
        "play songs like this",
        "kitchen",
        "track",
        "Take Five",
        playing=("kitchen", "Take Five"),
        radio_mode=True,
    ),
    played(
        "play music like Queen in the bedroom",
        "bedroom",
        "artist",
        "We Will Rock You",
        radio_mode=True,
    ),
    played(
        "spiel das Album Kind of Blue von Miles Davis in der Küche",
        "kitchen",
        "album",
        "So What",
        language="de",
    ),
    played(
        "spiel die Playlist Sonntag im Schlafzimmer",
        "bedroom",
        "playlist",
        "Autobahn",
        language="de",
    ),
    played("spiel was von Kraftwerk im Bad", "bathroom", "artist", "Autobahn", language="de"),
    played(
        "mets l'album Homogenic de Björk dans la chambre", "bedroom", "album", "Jóga", language="fr"
    ),
    played(
        "joue la playlist Sunday dans la cuisine", "kitchen", "playlist", "So What", language="fr"
    ),
    played(
        "pon el disco Abbey Road de los Beatles en la cocina",
        "kitchen",
        "album",
        "Come Together",
        language="es",
    ),
    played(
        "pon La camisa negra de Juanes en la cocina",
        "kitchen",
        "track",
        "La camisa negra",
        language="es",
    ),
    played(
        "metti l'album Time Out di Dave Brubeck in cucina",
        "kitchen",
        "album",
        "Take Five",
        language="it",
    ),
    played(
        "speel het album Autobahn van Kraftwerk in de keuken",
        "kitchen",
        "album",
        "Autobahn",
        language="nl",
    ),
    played(
        "włącz album Dziwny jest ten świat w kuchni",
        "kitchen",
        "album",
        "Dziwny jest ten świat",
        language="pl",
    ),
    played(
        "toca o álbum Memórias da Marisa Monte na cozinha",
        "kitchen",
        "album",
        "Ainda bem",
        language="pt",
    ),
)

QUEUED = (
    queued("play Take Five next", "next", "Take Five"),
    queued("play All Blues after this song", "next", "All Blues"),
    queued("add Bohemian Rhapsody to the queue", "add", "Bohemian Rhapsody"),
    queued("queue up Sinnerman", "add", "Sinnerman"),
    Case(
        "play Kind of Blue after this",
        ((PLAYS, "kitchen", {"enqueue": "next", "media_type": "album"}),),
        playing=("kitchen", "Take Five"),
        shows={"kitchen": {"state": "playing", "media_title": "Take Five"}},
        queue={
            "kitchen": ["Take Five", "So What", "Freddie Freeloader", "Blue in Green", "All Blues"]
        },
    ),
    # Where nothing plays it waits until somebody begins it.
    Case(
        "add Take Five to the queue",
        ((PLAYS, "kitchen", {"enqueue": "add"}),),
        area="Kitchen",
        shows={"kitchen": {"state": "idle", "media_title": "Take Five"}},
        queue={"kitchen": ["Take Five"]},
    ),
    queued("put Take Five in the queue", "add", "Take Five"),
    queued("spiele als nächstes Take Five", "next", "Take Five", "de"),
    queued("füge Sinnerman zur Warteschlange hinzu", "add", "Sinnerman", "de"),
    queued("joue ensuite Take Five", "next", "Take Five", "fr"),
    queued("ajoute Sinnerman à la file d'attente", "add", "Sinnerman", "fr"),
    queued("añade Sinnerman a la cola", "add", "Sinnerman", "es"),
    queued("aggiungi Sinnerman alla coda", "add", "Sinnerman", "it"),
    queued("zet Sinnerman in de wachtrij", "add", "Sinnerman", "nl"),
    queued("dodaj Sinnerman do kolejki", "add", "Sinnerman", "pl"),
    queued("adiciona Sinnerman à fila", "add", "Sinnerman", "pt"),
)

MOVED = (
    moved("move the music to the bedroom", "bedroom"),
    moved("continue this in the kitchen", "kitchen", source="bedroom"),
    moved("play this in the kitchen", "kitchen", source="bedroom"),
    moved("transfer the music to the living room", "living_room"),
    moved("move the music to the bedroom", "bedroom", before=PAUSED),
    moved("move the music to the bedroom", "bedroom", before=PAUSED, later=True),
    moved("play this in the bedroom", "bedroom", before=STOPPED),
    # Out of the group that it played along with.
    moved(
        "move the music to the bathroom",
        "bathroom",
        before=GROUPED,
        shows={"living_room": {"state": "idle"}},
    ),
    moved("verschiebe die Musik ins Schlafzimmer", "bedroom", "de"),
    moved("déplace la musique dans la chambre", "bedroom", "fr"),
    moved("pasa la música al dormitorio", "bedroom", "es"),
    moved("sposta la musica in camera", "bedroom", "it"),
    moved("verplaats de muziek naar de slaapkamer", "bedroom", "nl"),
    moved("przenieś muzykę do sypialni", "bedroom", "pl"),
    moved("passa a música para o quarto", "bedroom", "pt"),
)

SOUGHT = (
    sought("skip ahead 30 seconds", 30, 40),
    sought("go back a minute", 0, 0),
    sought("rewind 10 seconds", 0, 0),
    sought("start the song over", 0, 0),
    sought("start this song from the beginning", 0, 0),
    sought("30 Sekunden vorspulen", 30, 40, "de"),
    sought("spul eine Minute zurück", 0, 0, "de"),
    sought("spiel das Lied von vorne", 0, 0, "de"),
    sought("avance de 30 secondes", 30, 40, "fr"),
    sought("avanza 30 segundos", 30, 40, "es"),
    sought("vai avanti di 30 secondi", 30, 40, "it"),
    sought("spoel 30 seconden vooruit", 30, 40, "nl"),
    sought("przewiń o 30 sekund do przodu", 30, 40, "pl"),
    sought("avança 30 segundos", 30, 40, "pt"),
)

RESUMED = (
    resumed("resume the music", before=PAUSED),
    resumed("resume the music", before=PAUSED, later=True),
    resumed("resume the music in the kitchen", before=PAUSED, later=True),
    resumed("continue the music", before=PAUSED, later=True, area="Kitchen"),
    resumed("play some music", before=STOPPED),
    resumed("resume the music in the kitchen", before=(("media_player.turn_off", "kitchen", {}),)),
    refused("resume the music in the kitchen", "Nothing is playing"),
    refused(
        "resume the music in the bedroom", "Nothing is playing", playing=SUNDAY, before=STOPPED
    ),
)

APART = (
    parted("ungroup the speakers"),
    parted("ungroup all the speakers"),
    parted("trenne die Lautsprecher", "de"),
    parted("sépare les enceintes", "fr"),
    parted("separa los altavoces", "es"),
    parted("separa gli altoparlanti", "it"),
    parted("ontkoppel de luidsprekers", "nl"),
    parted("rozgrupuj głośniki", "pl"),
    parted("separa as colunas", "pt"),
    Case(
        "take the bathroom out of the group",
        (("media_player.unjoin", "bathroom", {}),),
        playing=SUNDAY,
        before=GROUPED,
        shows={
            "kitchen": {"state": "playing"},
            "living_room": {"state": "playing"},
            "bathroom": {"state": "idle", "group_members": []},
        },
    ),
    # What it led goes on without it.
    Case(
        "take the kitchen out of the group",
        (("media_player.unjoin", "kitchen", {}),),
        playing=SUNDAY,
        before=GROUPED,
        shows={
            "kitchen": {"state": "idle", "media_title": None, "group_members": []},
            "living_room": {"state": "playing", "media_title": "So What"},
            "bathroom": {"state": "playing", "media_title": "So What"},
        },
    ),
)

AS_ONE = (
    grouped("pause the music", "media_player.media_pause", "kitchen", {"state": "paused"}),
    grouped("stop the music", "media_player.media_stop", "kitchen", {"state": "idle"}),
    grouped(
        "next song",
        "media_player.media_next_track",
        "kitchen",
        {"media_title": "Here Comes the Sun"},
    ),
    grouped("shuffle the music", "media_player.shuffle_set", "kitchen", {"shuffle": True}),
    grouped(
        "play Queen", PLAYS, "kitchen", {"state": "playing", "media_title": "We Will Rock You"}
    ),
    grouped(
        "add Sinnerman to the queue",
        PLAYS,
        "kitchen",
        {"media_title": "So What"},
        data={"enqueue": "add"},
    ),
    grouped(
        "make it louder",
        "media_player.volume_up",
        MEMBERS,
        *({"volume_level": each} for each in (0.33, 0.33, 0.43)),
    ),
    grouped(
        "set the volume to 20 percent", "media_player.volume_set", MEMBERS, {"volume_level": 0.2}
    ),
    grouped("mute the music", "media_player.volume_mute", MEMBERS, {"is_volume_muted": True}),
)

EVERYWHERE = sorted(map(player_id, PLAYERS))
TOGETHER = (
    *(
        Case(
            say,
            (("media_player.join", "kitchen", {}),),
            language,
            playing=SUNDAY,
            shows={room: {"group_members": EVERYWHERE} for room in PLAYERS},
        )
        for say, language in (
            ("play this everywhere", "en"),
            ("group all the speakers", "en"),
            ("spiel das überall", "de"),
        )
    ),
    *(
        Case(
            say,
            (("media_player.join", "kitchen", {"group_members": [player_id("bathroom")]}),),
            language,
            playing=SUNDAY,
            shows={
                "bathroom": {"state": "playing", "media_title": "So What"},
                "kitchen": {"state": "playing"},
            },
        )
        for say, language in (
            ("add the bathroom to the group", "en"),
            ("group the kitchen and the bathroom speakers", "en"),
        )
    ),
    Case(
        "play jazz everywhere",
        (("media_player.join", "bathroom", {}), (PLAYS, "bathroom", {"media_type": "playlist"})),
        shows={room: {"state": "playing", "media_title": "So What"} for room in PLAYERS},
    ),
    *(
        Case(
            say,
            (
                ("media_player.join", "bedroom", {"group_members": [player_id("kitchen")]}),
                (PLAYS, "bedroom", {"media_type": "artist"}),
            ),
            shows={
                room: {"state": "playing", "media_title": "We Will Rock You"}
                for room in ("bedroom", "kitchen")
            },
        )
        for say in (
            "play Queen in the kitchen and the bedroom",
            "play Queen in kitchen and bedroom",
        )
    ),
)

COMMANDED = (
    Case(
        "make the music half as loud",
        (("media_player.volume_set", "kitchen", {"volume_level": 0.15}),),
        playing=SUNDAY,
        shows={"kitchen": {"volume_level": 0.15}},
    ),
    Case(
        "a bit louder",
        (("media_player.volume_up", "kitchen", {}),),
        playing=SUNDAY,
        shows={"kitchen": {"volume_level": 0.33}},
    ),
    Case(
        "set the volume to 25 percent",
        (("media_player.volume_set", "kitchen", {"volume_level": 0.25}),),
        playing=SUNDAY,
        shows={"kitchen": {"volume_level": 0.25}},
    ),
    Case(
        "shuffle the music",
        (("media_player.shuffle_set", "kitchen", {"shuffle": True}),),
        playing=SUNDAY,
        shows={"kitchen": {"shuffle": True}},
    ),
    *(
        Case(
            say,
            (("media_player.shuffle_set", "kitchen", {"shuffle": True}),),
            playing=SUNDAY,
            shows={"kitchen": {"shuffle": True}},
        )
        for say in ("turn shuffle on", "turn on shuffle", "switch the shuffle mode on")
    ),
    Case(
        "set the volume to 50 percent in the kitchen",
        (("media_player.volume_set", "kitchen", {"volume_level": 0.5}),),
        playing=SUNDAY,
        before=(("media_player.volume_mute", "kitchen", {"is_volume_muted": True}),),
        shows={"kitchen": {"volume_level": 0.5, "is_volume_muted": False}},
    ),
    Case(
        "turn off the kitchen speaker",
        (("media_player.turn_off", "kitchen", {}),),
        playing=SUNDAY,
        shows={"kitchen": {"state": "off"}},
    ),
    Case(
        "repeat this song",
        (("media_player.repeat_set", "kitchen", {"repeat": "one"}),),
        playing=SUNDAY,
        shows={"kitchen": {"repeat": "one"}},
    ),
    Case(
        "play line in on the kitchen speaker",
        (("media_player.select_source", "kitchen", {"source": "Line In"}),),
        shows={"kitchen": {"source": "Line In"}},
    ),
    Case(
        "clear the queue",
        (("media_player.clear_playlist", "kitchen", {}),),
        playing=SUNDAY,
        shows={"kitchen": {"state": "idle"}},
    ),
)

# The server skips to no place in what has no end.
UNABLE = (
    refused("skip ahead 30 seconds", "Kitchen Speaker can't", playing=("kitchen", "Radio 1")),
    refused("start the song over", "Kitchen Speaker can't", playing=("kitchen", "Radio 1")),
)

ABSENT = (
    absent("play the album Blue Train in the kitchen"),
    absent("play music by Rammstein", area="Kitchen"),
    absent("play the playlist Kind of Blue in the kitchen"),
    absent("play Bohemian Rhapsody by Miles Davis in the kitchen"),
    absent("play the podcast Queen in the bedroom"),
    absent("spiel das Album Blue Train in der Küche", "de"),
    absent("joue l'album Blue Train dans la cuisine", "fr"),
    absent("pon el disco Blue Train en la cocina", "es"),
    absent("metti l'album Blue Train in cucina", "it"),
    absent("speel het album Blue Train in de keuken", "nl"),
    absent("włącz album Blue Train w kuchni", "pl"),
    absent("toca o álbum Blue Train na cozinha", "pt"),
)

_READING = {"search", "search_media", "browse_media", "get_queue"}


def _changing(calls: list[dict[str, Any]]) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return the calls that change something: action, players, data."""
    return [
        (f"{call['domain']}.{call['service']}", data.pop("entity_id", None), data)
        for call in calls
        if call["domain"] != "conversation"
        and call["service"] not in _READING
        and (data := dict(call["service_data"])) is not None
    ]


def _is_as(value: Any, wanted: Any) -> bool:
    """Return whether a value is the one wanted, or between two."""
    is_there = wanted[0] <= value <= wanted[1] if isinstance(wanted, tuple) else value == wanted
    return bool(is_there)


async def _check(house: MusicHouse, case: Case) -> None:
    """Say a case's sentence, and look at what came of it."""
    await house.async_begin_again()
    if case.playing:
        await house.play(*case.playing)
    for action, room, data in case.before:
        await house.act(action, room, **data)
    if case.later:
        await house.async_let_pauses_pass()
    before = {room: house.state(room) for room in PLAYERS}
    said = await house.say(case.say, case.language, case.area)
    made = _changing(said.calls)
    assert [(action, players) for action, players, _ in made] == [
        (action, [player_id(room) for room in ([rooms] if isinstance(rooms, str) else rooms)])
        for action, rooms, _ in case.calls
    ], said.reply
    for (_, _, data), (_, _, wanted) in zip(made, case.calls, strict=True):
        for name, value in wanted.items():
            assert _is_as(data[name], value), data
    for room in PLAYERS:
        now = house.state(room)
        for name, value in case.shows.get(room, {}).items():
            shown = now.state if name == "state" else now.attributes.get(name)
            assert (sorted(shown) if isinstance(shown, list) else shown) == value, name
        if room not in case.shows:
            assert now == before[room]
    for room, titles in case.queue.items():
        assert house.server.players.titles(room) == titles
    assert case.reply in said.reply
    code = said.result.response.error_code
    assert (code is None) is bool(case.calls), said.reply
    if not (case.calls or case.reply):
        # Which it looked for, and where.
        assert "Speaker" in said.reply


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(cases, id=name)
        for name, cases in (
            ("played", PLAYED),
            ("queued", QUEUED),
            ("moved", MOVED),
            ("resumed", RESUMED),
            ("sought", SOUGHT),
            ("together", TOGETHER),
            ("as one", AS_ONE),
            ("apart", APART),
            ("commanded", COMMANDED),
            ("unable", UNABLE),
            ("absent", ABSENT),
        )
    ],
)
async def test_what_is_asked_of_music_is_done_and_seen_in_the_player(
    music_house: MusicHouse, cases: tuple[Case, ...], subtests: pytest.Subtests
) -> None:
    for case in cases:
        with subtests.test(case.say):
            await _check(music_house, case)


async def test_what_players_play_together_is_told_once(music_house: MusicHouse) -> None:
    await music_house.async_begin_again()
    await music_house.play("kitchen", "Sunday")
    for action, room, data in GROUPED:
        await music_house.act(action, room, **data)
    said = await music_house.say("what is playing")
    assert said.reply == (
        "So What by Miles Davis is playing on Bathroom Speaker, Kitchen Speaker and Living Room Speaker."
    )
    await music_house.act("media_player.media_stop", "kitchen")
    assert (await music_house.say("what is playing")).reply == "Nothing is playing."


@pytest.mark.parametrize("verb", ["resume", "continue"])
async def test_what_was_paused_in_a_room_goes_on_there(music_house: MusicHouse, verb: str) -> None:
    await music_house.async_begin_again()
    await music_house.play("kitchen", "Kind of Blue")
    await music_house.say("pause the music in the kitchen")
    assert music_house.state("kitchen").state == "paused"
    said = await music_house.say(f"{verb} the music in the kitchen")
    assert _changing(said.calls) == [("media_player.media_play", [player_id("kitchen")], {})]
    assert music_house.state("kitchen").state == "playing"

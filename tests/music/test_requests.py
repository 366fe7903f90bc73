"""What is said of music, done by Music Assistant: the right action, on the right player, seen in its state."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from .conftest import PLAYERS, MusicHouse, player_id


@dataclass(frozen=True)
class Case:
    """A sentence, in a house where `playing` (room and title) plays, and what has to come of it.

    `calls` are the changing calls as (action, room of its player, part of its data); `shows` are the attributes of
    rooms' players afterwards. Players that `shows` and `calls` do not name stay as they were.
    """

    say: str
    calls: tuple[tuple[str, str, Mapping[str, Any]], ...] = ()
    language: str = "en"
    area: str | None = None
    playing: tuple[str, str] | None = None
    shows: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reply: str = ""


SUNDAY = ("kitchen", "Sunday")
PLAYS = "music_assistant.play_media"


def played(say: str, room: str, kind: str, title: str, **more: Any) -> Case:
    """Return a case in which something begins to play: `title` is that of the first track."""
    area, language, playing = (more.pop(each, None) for each in ("area", "language", "playing"))
    return Case(
        say,
        ((PLAYS, room, {"media_type": kind, **more}),),
        language or "en",
        area,
        playing,
        {room: {"state": "playing", "media_title": title}},
    )


def queued(say: str, how: str, title: str, language: str = "en") -> Case:
    """Return a case in which a track is put into the kitchen's queue, while what plays goes on."""
    return Case(
        say,
        ((PLAYS, "kitchen", {"enqueue": how}),),
        language,
        playing=SUNDAY,
        shows={"kitchen": {"state": "playing", "media_title": "So What"}},
        reply=title,
    )


def moved(say: str, room: str, language: str = "en", source: str = "kitchen") -> Case:
    """Return a case in which what plays goes on in another room."""
    return Case(
        say,
        (
            (
                "music_assistant.transfer_queue",
                room,
                {"source_player": player_id(source)},
            ),
        ),
        language,
        playing=(source, "Sunday"),
        shows={room: {"state": "playing", "media_title": "So What"}, source: {"state": "idle"}},
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
    played("play the podcast Tall Tales in the bedroom", "bedroom", "podcast", "Tall Tales"),
    played("play the audiobook Moby Dick in the bedroom", "bedroom", "audiobook", "Moby Dick"),
    played("play Queen", "kitchen", "artist", "We Will Rock You", area="Kitchen"),
    played("play something by Nina Simone in the kitchen", "kitchen", "artist", "Sinnerman"),
    played("play a song by Björk in the bedroom", "bedroom", "artist", "Jóga"),
    played("play bjork", "kitchen", "artist", "Jóga", playing=SUNDAY),
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
        shows={"kitchen": {"volume_level": 0.35}},
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
    before = {room: house.state(room) for room in PLAYERS}
    said = await house.say(case.say, case.language, case.area)
    made = _changing(said.calls)
    assert [(action, players) for action, players, _ in made] == [
        (action, [player_id(room)]) for action, room, _ in case.calls
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
    assert case.reply in said.reply
    code = said.result.response.error_code
    assert (code is None) is bool(case.calls), said.reply
    if not case.calls:
        # Which it looked for, and where.
        assert "Speaker" in said.reply


@pytest.mark.parametrize(
    "cases",
    [PLAYED, QUEUED, MOVED, SOUGHT, TOGETHER, COMMANDED, ABSENT],
    ids=["played", "queued", "moved", "sought", "together", "commanded", "absent"],
)
async def test_what_is_asked_of_music_is_done_and_seen_in_the_player(
    music_house: MusicHouse, cases: tuple[Case, ...], subtests: pytest.Subtests
) -> None:
    for case in cases:
        with subtests.test(case.say):
            await _check(music_house, case)


@pytest.mark.parametrize("verb", ["resume", "continue"])
async def test_what_was_paused_in_a_room_goes_on_there(music_house: MusicHouse, verb: str) -> None:
    await music_house.async_begin_again()
    await music_house.play("kitchen", "Kind of Blue")
    await music_house.say("pause the music in the kitchen")
    assert music_house.state("kitchen").state == "paused"
    said = await music_house.say(f"{verb} the music in the kitchen")
    assert _changing(said.calls) == [("media_player.media_play", [player_id("kitchen")], {})]
    assert music_house.state("kitchen").state == "playing"

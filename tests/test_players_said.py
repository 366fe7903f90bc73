"""Players are meant by room or kind, and told what they do; none is asked for what it cannot do."""

from homeassistant.config_entries import ConfigEntry

from tests.conftest import Setup
from tests.one_house import in_one_house

HOUSE_FILE = "levels_house.yaml"
TV, SOUNDBAR, KITCHEN = "media_player.tv", "media_player.soundbar", "media_player.kitchen"

# The soundbar plays in the living room, the television beside it is off.
MEANT = [
    ("en", "Kitchen", "turn down the soundbar", (SOUNDBAR, "volume_down")),
    ("en", "Kitchen", "next song in the living room", (SOUNDBAR, "media_next_track")),
    ("en", "Kitchen", "pause the living room", (SOUNDBAR, "media_pause")),
    ("en", "Kitchen", "turn up the speaker", (KITCHEN, "volume_up")),
    ("en", "Living Room", "turn the volume of the speaker down by 10", (SOUNDBAR, "volume_set")),
    ("en", "Living Room", "volume 5", (SOUNDBAR, "volume_set")),
    ("de", "Kitchen", "mach die Soundbar leiser", (SOUNDBAR, "volume_down")),
    ("de", "Kitchen", "Lautstärke 5", (KITCHEN, "volume_set")),
    ("es", "Kitchen", "pausa la música en el wohnzimmer", (SOUNDBAR, "media_pause")),
]
PAUSED = [
    ("en", "is the soundbar paused", "Yes."),
    ("en", "is the soundbar playing", "No."),
    ("en", "is the soundbar playing or paused", "Soundbar: paused."),
    ("de", "ist die Soundbar pausiert", "Ja."),
    ("es", "¿está la soundbar en pausa?", "Sí."),
    ("fr", "est-ce que la soundbar est en pause ?", "Oui."),
    ("it", "la soundbar è in pausa?", "Sì."),
    ("nl", "is de soundbar gepauzeerd", "Ja."),
    ("pl", "czy soundbar jest wstrzymany", "Tak."),
    ("pt", "a soundbar está em pausa?", "Sim."),
    ("sv", "är soundbar pausad", "Ja."),
]


@in_one_house(("language", "area", "text", "made"), MEANT)
async def test_a_player_is_meant_by_room_or_kind(
    speak: Setup, language: str, area: str, text: str, made: tuple[str, str]
) -> None:
    """Find the player that is meant, also from another room."""
    said = await (await speak()).say(text, language=language, area=area)
    called = [(call["service"], call["service_data"]["entity_id"]) for call in said.calls]
    assert called == [(made[1], [made[0]])], said.reply


@in_one_house(("language", "text", "answer"), PAUSED)
async def test_it_is_told_whether_a_player_is_paused(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    """Tell playing and paused apart."""
    speaker = await speak()
    await speaker.say("pause the soundbar", area="Living Room")
    said = await speaker.say(text, language=language, area="Living Room")
    assert (said.reply, said.calls) == (answer, [])


@in_one_house("text", ["next track on the TV", "previous track on the TV"])
async def test_a_player_without_tracks_says_so(speak: Setup, text: str) -> None:
    """Say that the television cannot do it, and do nothing."""
    speaker = await speak()
    await speaker.say("turn on the TV", area="Living Room")
    said = await speaker.say(text, area="Living Room")
    assert (said.reply, said.calls) == ("Television can't do that.", [])


async def test_what_is_paused_goes_on(speak: Setup, house: ConfigEntry) -> None:
    """Play what was paused, where the player only has play."""
    speaker = await speak()
    await speaker.say("pause the soundbar", area="Living Room")
    said = await speaker.say("unpause", area="Living Room")
    assert [call["service"] for call in said.calls] == ["media_play"]
    assert said.reply == "Resumed Soundbar."


async def test_the_volume_of_the_television_is_its_own(speak: Setup, house: ConfigEntry) -> None:
    """Set the television, and not the speaker that plays beside it."""
    speaker = await speak()
    await speaker.say("turn on the TV", area="Living Room")
    said = await speaker.say("set the volume of the TV to 60 percent", area="Living Room")
    assert [call["service_data"] for call in said.calls] == [
        {"entity_id": [TV], "volume_level": 0.6}
    ]

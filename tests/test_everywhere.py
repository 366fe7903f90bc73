"""What "all" and "everywhere" mean, what is left out of it, and which state a thing in a list belongs to."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

HOUSE = Path(__file__).parent / "everywhere.yaml"
LIGHTS = {"light.ceiling", "light.kitchen", "light.desk"}
SOUNDBAR, SCREEN = "media_player.soundbar", "media_player.screen"

SPEAKERS = [
    ("en", "turn off all speakers"),
    ("de", "mach alle Lautsprecher aus"),
    ("es", "apaga todos los altavoces"),
    ("fr", "éteins toutes les enceintes"),
    ("it", "spegni tutti gli altoparlanti"),
    ("nl", "zet alle speakers uit"),
    ("pl", "wyłącz wszystkie głośniki"),
    ("pt", "desliga todas as colunas"),
    ("sv", "stäng av alla högtalare"),
]
PLAYING = [
    ("en", "pause everything that's playing"),
    ("es", "para todo lo que está sonando"),
    ("fr", "arrête tout ce qui joue"),
    ("it", "ferma tutto quello che sta suonando"),
    ("nl", "pauzeer alles wat speelt"),
    ("pl", "zatrzymaj wszystko co gra"),
    ("pt", "para tudo o que está a tocar"),
    ("sv", "pausa allt som spelar"),
]
# Of the lights only that in the kitchen stays on, and no other thing is turned off.
BUT_THE_KITCHEN = [
    ("en", "turn off everywhere except in the kitchen"),
    ("en", "turn off everywhere leave the kitchen"),
    ("de", "überall aus außer in der Küche"),
    ("es", "apaga en todas partes menos en la cocina"),
    ("fr", "éteins partout sauf dans la cuisine"),
    ("it", "spegni dappertutto tranne in cucina"),
    ("nl", "doe overal uit behalve in de keuken"),
    ("pl", "zgaś w całym domu tylko w kuchni zostaw"),
    ("pl", "pogaś wszędzie oprócz kuchni"),
    ("pt", "apaga em todo o lado menos na cozinha"),
    ("sv", "släck överallt utom i köket"),
]
RADIO = [
    ("en", "put the radio on the TV"),
    ("de", "mach das Radio am Fernseher an"),
    ("es", "pon la radio en la tele"),
    ("fr", "mets la radio sur la télé"),
    ("it", "metti la radio sulla tv"),
    ("pl", "włącz radio na telewizorze"),
    ("pt", "põe a rádio na televisão"),
    ("sv", "sätt på radion på tvn"),
]
HDMI = [
    ("en", "switch the TV to HDMI two"),
    ("de", "stell den Fernseher auf HDMI zwei"),
    ("es", "cambia la tele a HDMI dos"),
    ("fr", "passe la télé sur HDMI deux"),
    ("it", "metti la tv su HDMI due"),
    ("nl", "zet de tv op HDMI twee"),
    ("pl", "przełącz telewizor na HDMI dwa"),
    ("pt", "muda a televisão para HDMI dois"),
    ("sv", "byt tvn till HDMI två"),
]


@pytest.fixture
async def house(hass: HomeAssistant) -> ConfigEntry:
    """Return the entry of a house with a sound bar that plays, and lights in three rooms."""
    return await async_move_in(hass, str(HOUSE))


@in_one_house(("language", "text"), SPEAKERS)
async def test_all_speakers_are_those_called_otherwise_too(
    speak: Setup, language: str, text: str
) -> None:
    """Turn off the sound bar with the rest."""
    said = await (await speak()).say(text, language=language, area="Office")
    assert SOUNDBAR in said.changes


@in_one_house(("language", "text"), PLAYING)
async def test_everything_that_plays_is_paused_wherever_it_is(
    speak: Setup, hass: HomeAssistant, language: str, text: str
) -> None:
    """Pause what plays in another room, and start nothing."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert {*said.changes} == {SOUNDBAR}
    assert hass.states.is_state(SOUNDBAR, "paused")


@in_one_house(("language", "text"), BUT_THE_KITCHEN)
async def test_everywhere_is_where_light_is(speak: Setup, language: str, text: str) -> None:
    """Turn off lights and nothing else, but for the room that is left out."""
    said = await (await speak()).say(text, language=language, area="Office")
    assert {*said.changes} == LIGHTS - {"light.kitchen"}


@in_one_house(("language", "text"), RADIO)
async def test_the_radio_on_the_television_is_its_source(
    speak: Setup, hass: HomeAssistant, language: str, text: str
) -> None:
    """Choose the source, and do not only turn it on."""
    await (await speak()).say(text, language=language, area="Living Room")
    assert (screen := hass.states.get(SCREEN))
    assert screen.attributes["source"] == "Radio"


@in_one_house(("language", "text"), HDMI)
async def test_a_number_in_a_source_is_said_in_words(
    speak: Setup, hass: HomeAssistant, language: str, text: str
) -> None:
    """Choose the source with the number."""
    await (await speak()).say(text, language=language, area="Living Room")
    assert (screen := hass.states.get(SCREEN))
    assert screen.attributes["source"] == "HDMI 2"


@in_one_house(
    ("language", "text"),
    [
        ("en", "ceiling light off, reading lamp and shelf light on"),
        ("de", "Deckenlicht aus, Leselampe und Regallicht an"),
    ],
)
async def test_a_state_is_of_what_is_joined_before_it(
    speak: Setup, hass: HomeAssistant, language: str, text: str
) -> None:
    """Turn on both of what stands before "on"."""
    await (await speak()).say(text, language=language, area="Living Room")
    for name, state in (("ceiling", "off"), ("reading", "on"), ("shelf", "on")):
        assert hass.states.is_state(f"light.{name}", state)


async def test_a_preposition_is_no_state(speak: Setup) -> None:
    """Turn off the office's lamp, too, where "på" is "on"."""
    speaker = await speak()
    said = await speaker.say("släck i köket samt på kontoret", language="sv", area="Living Room")
    assert {*said.changes} == {"light.kitchen", "light.desk"}

"""What plays is asked of the whole home, and what only tells or compares changes nothing."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

HOUSE = """
floors:
  - name: Ground Floor
    level: 0
    areas:
      - name: Kitchen
        entities:
          - {id: media_player.radio, name: Kitchen Radio, kind: speaker, volume: 0.2,
             playing: library://playlist/sunday-breakfast}
          - {id: switch.washer, name: Washing Machine, "on": true}
      - name: Study
        entities:
          - {id: media_player.box, name: Box, kind: speaker, volume: 0.2}
          - {id: climate.study, name: Study Radiator, modes: [heat, "off"], mode: heat,
             target: 22, current: 18, limits: [5, 30], step: 0.5}
          - {id: light.desk, name: Desk Light, modes: [brightness]}
          - {id: light.shelf, name: Shelf Light, modes: [brightness], "on": true}
          - {id: cover.blind, name: Study Shutter, device_class: shutter, position: 0}
          - {id: cover.other, name: Kitchen Shutter, device_class: shutter, position: 50}
          - {id: lock.gate, name: Gate, locked: true}
"""
PLAYING = [
    ("en", "is anything playing anywhere"),
    ("en", "what's playing"),
    ("en", "which speaker is the music playing on"),
    ("de", "was läuft gerade"),
    ("de", "auf welchem Lautsprecher läuft Musik"),
    ("es", "¿suena algo en algún sitio?"),
    ("es", "¿en qué altavoz está sonando la música?"),
    ("fr", "qu'est-ce qui passe"),
    ("it", "che cosa sta suonando?"),
    ("it", "su quale cassa sta suonando la musica?"),
    ("nl", "speelt er iets"),
    ("nl", "op welke speaker speelt de muziek"),
    ("pl", "na którym głośniku gra muzyka"),
    ("pt", "está alguma coisa a tocar?"),
    ("pt", "em que coluna está a tocar a música?"),
    ("sv", "spelas det något någonstans"),
    ("sv", "vilken högtalare spelar"),
]
TOLD = [
    ("nl", "welke rolluiken zijn dicht", "Study Shutter."),
    ("pl", "czy są jakieś rolety całkiem opuszczone", "Tak: Study Shutter."),
    ("sv", "är lampan på", "Ja: Shelf Light."),
    ("en", "is the lamp on in the study", "Yes: Shelf Light."),
    ("pl", "Washing Machine chodzi", "Tak."),
    ("pl", "Box gra", "Nie."),
    ("pt", "para quantos graus está o aquecimento?", "Study Radiator: 22 °C."),
    ("en", "is something paused", "No."),
    ("en", "did we lock the gate", "Yes."),
    ("en", "did anyone shut the study shutter", "Yes."),
    ("en", "did you close the kitchen shutter", "No."),
    ("nl", "staat er nog iets op pauze", "Nee."),
    ("pl", "cieplej jest w Kitchen czy w Study", "Tego nie wiem."),
]


@pytest.fixture
async def house(hass: HomeAssistant, tmp_path: Path) -> ConfigEntry:
    """Return the entry of a house in which one room's radio plays, and nothing in the speaker's."""
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE)
    return await async_move_in(hass, str(path))


@in_one_house(("language", "text"), PLAYING)
async def test_what_plays_in_another_room_is_told(speak: Setup, language: str, text: str) -> None:
    """Name the player that plays, and none that does not."""
    said = await (await speak()).say(text, language=language, area="Study")
    assert "Kitchen Radio" in said.reply, said.reply
    assert "Box" not in said.reply
    assert (said.calls, said.changes) == ([], {})


@in_one_house(("language", "text", "answer"), TOLD)
async def test_what_is_asked_or_told_is_answered(
    speak: Setup, language: str, text: str, answer: str
) -> None:
    """Answer from the states, and do nothing."""
    said = await (await speak()).say(text, language=language, area="Study")
    assert said.reply == answer
    assert (said.calls, said.changes) == ([], {})

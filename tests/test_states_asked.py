"""Questions about the states of a home are answered from these states, in the language they are asked in."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest
import yaml

from tests.asked_house import put
from tests.conftest import Setup
from tests.harness.home import async_move_in
from tests.one_house import in_one_house
from tests.thorough import part

HERE = Path(__file__).parent
TABLE: dict[str, dict[str, list[str]]] = yaml.safe_load((HERE / "states_asked.yaml").read_text())
ASKED = [
    (language, text, answer)
    for language, answers in TABLE.items()
    for answer, texts in answers.items()
    for text in texts
]
# Questions that begin with a verb that says what a robot is to do in other sentences.
DONE_ALREADY = [
    ("de", "saugt Robi gerade"),
    ("de", "putzt Robi noch"),
    ("nl", "stofzuigt Robi"),
    ("sv", "städar Robi"),
    ("sv", "dammsuger Robi"),
    ("sv", "håller Robi på att städa"),
    ("pt", "o que está aberto"),
    ("en", "is Robi going to its dock"),
    ("en", "is Robi stuck"),
]


@pytest.fixture
async def house(hass: HomeAssistant) -> ConfigEntry:
    """Return the entry of a house with people, a robot, and what is open, locked, low and warm."""
    entry = await async_move_in(hass, str(HERE / "states_house.yaml"))
    put(hass, "person.olga", "Olga", "not_home")
    put(hass, "person.pete", "Pete", "home")
    return entry


@in_one_house(("language", "text", "answer"), part(ASKED, 2))
async def test_states_are_told(speak: Setup, language: str, text: str, answer: str) -> None:
    """Answer, and do nothing."""
    said = await (await speak()).say(text, language=language)
    assert said.reply.startswith(answer), said.reply
    assert (said.calls, said.changes) == ([], {})


@in_one_house(("language", "text"), DONE_ALREADY)
async def test_what_asks_does_nothing(speak: Setup, language: str, text: str) -> None:
    """Do nothing, whatever is answered."""
    said = await (await speak()).say(text, language=language)
    assert (said.calls, said.changes) == ([], {}), said.reply


@pytest.mark.parametrize(
    ("room", "window", "language", "text"),
    [
        ("Lily's Room", "Lily's Window", "en", "how warm is it at Lily's"),
        ("Linas Zimmer", "Linas Fenster", "de", "wie warm ist es bei Lina im Zimmer"),
        ("Chambre de Léa", "Fenêtre de Léa", "fr", "quelle température il fait chez Léa"),
        ("Pokój Zosi", "Okno Zosi", "pl", "ile stopni jest u Zosi"),
    ],
)
async def test_the_place_of_somebody_is_the_room_called_after_them(  # noqa: PLR0917
    hass: HomeAssistant, speak: Setup, room: str, window: str, language: str, text: str
) -> None:
    areas = ar.async_get(hass)
    bedroom = areas.async_get_area_by_name("Bedroom")
    assert bedroom
    areas.async_update(bedroom.id, name=room)
    put(hass, "binary_sensor.window", window, "off", room, device_class="window")
    said = await (await speak()).say(text, language=language)
    assert "18" in said.reply

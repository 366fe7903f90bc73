"""What is said means what it says: a list, a number, "it", a name, and nothing that is merely near."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest
import yaml

from tests.conftest import Setup, async_speaking
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

HEADINGS = [
    ("en", "the lamps, reading lamp off and floor lamp on"),
    ("en", "change the lamps, reading lamp off and floor lamp on"),
    ("de", "die Lichter, Stehlampe an und Leselampe aus"),
    ("es", "las luces, enciende Floor Lamp y apaga Reading Lamp"),
    ("fr", "les lumières, allume Floor Lamp et éteins Reading Lamp"),
    ("it", "le luci, accendi Floor Lamp e spegni Reading Lamp"),
    ("nl", "de lampen, Floor Lamp aan en Reading Lamp uit"),
    ("pl", "światła, włącz Floor Lamp i wyłącz Reading Lamp"),
    ("pt", "as luzes, acende Floor Lamp e apaga Reading Lamp"),
]
# In a room with four lights.
TOO_FEW = [
    ("en", "switch two lights on"),
    ("en", "turn on the three lights"),
    ("en", "turn on two of the lights"),
    ("en", "turn on both lights"),
    ("de", "mach zwei Lichter an"),
    ("de", "mach die drei Lichter an"),
    ("es", "enciende dos luces"),
    ("fr", "allume deux lumières"),
    ("it", "accendi due luci"),
    ("nl", "doe twee lampen aan"),
    ("pl", "włącz dwa światła"),
    ("pt", "acende duas luzes"),
]
AS_MANY = [
    ("en", "turn off all three lights"),
    ("en", "turn off the three lights"),
    ("de", "mach alle drei Lichter aus"),
    ("es", "apaga las tres luces"),
    ("fr", "éteins les trois lumières"),
    ("it", "spegni le tre luci"),
    ("nl", "doe de drie lampen uit"),
    ("pl", "wyłącz trzy światła"),
    ("pt", "apaga as três luzes"),
]
KITCHEN = {"light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"}
PLAYING = [
    ("en", "what's playing", "turn it off"),
    ("de", "was läuft gerade", "mach es aus"),
    ("es", "qué está sonando", "apágalo"),
    ("fr", "qu'est-ce qui joue", "éteins-le"),
    ("it", "cosa sta suonando", "spegnilo"),
    ("nl", "wat speelt er", "zet het uit"),
    ("pl", "co gra", "wyłącz to"),
    ("pt", "que música está a tocar", "desliga isso"),
]
DOWN = [
    ("en", "open the garage door", "turn it down"),
    ("en", "open the garage door", "turn it down a bit"),
    ("de", "öffne das Garagentor", "dreh es runter"),
    ("es", "abre Garage Door", "bájala"),
    ("fr", "ouvre Garage Door", "baisse-la"),
    ("it", "apri Garage Door", "abbassala"),
    ("nl", "open Garage Door", "zet het lager"),
    ("pt", "abre Garage Door", "baixa isso"),
]
HEATED = [
    ("en", "Turn on the heating in the study room"),
    ("en", "turn on the heater in the study room"),
    ("de", "Schalte die Heizung im Study Room ein"),
    ("es", "enciende la calefacción en Study Room"),
    ("fr", "allume le chauffage dans Study Room"),
    ("it", "accendi il riscaldamento in Study Room"),
    ("nl", "zet de verwarming in Study Room aan"),
    ("pl", "włącz ogrzewanie w Study Room"),
    ("pt", "liga o aquecimento em Study Room"),
]


@in_one_house(("language", "text"), HEADINGS)
async def test_a_noun_before_a_list_of_its_members_is_none_of_them(
    speak: Setup, language: str, text: str
) -> None:
    """Switch the two lamps of the list."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {"light.floor_lamp", "light.reading_lamp"}


@in_one_house(("language", "text"), TOO_FEW)
async def test_fewer_than_there_are_is_asked_about(speak: Setup, language: str, text: str) -> None:
    """Turn on none of four lights after "two", and ask which."""
    said = await (await speak()).say(text, language=language, area="Living Room")
    assert said.changes == {}
    assert "?" in said.reply


@in_one_house(("language", "text"), AS_MANY)
async def test_as_many_as_there_are_are_all_of_them(speak: Setup, language: str, text: str) -> None:
    """Turn off the three lights of a room, and none elsewhere."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert {*said.changes} == KITCHEN


@in_one_house(("language", "asked", "text"), PLAYING)
async def test_it_is_the_player_that_was_told(
    speak: Setup, language: str, asked: str, text: str
) -> None:
    """Turn off what was said to play, and no other player."""
    speaker = await speak()
    await speaker.say(asked, language=language)
    said = await speaker.say(text, language=language)
    assert {*said.changes} == {"media_player.kitchen_speaker"}


@in_one_house(("language", "opened", "text"), DOWN)
async def test_a_door_is_not_turned_down(
    speak: Setup, language: str, opened: str, text: str
) -> None:
    """Do nothing to a garage door, nor to what plays, where "it" was the door."""
    speaker = await speak()
    await speaker.say(opened, language=language)
    assert (await speaker.say(text, language=language)).changes == {}


@pytest.fixture
async def heated(hass: HomeAssistant, tmp_path: Path) -> ConfigEntry:
    """Return the entry of a house whose study has an air conditioner that heats, and a heating that is a switch."""
    conditioner = {
        "id": "climate.study_ac",
        "name": "Study AC",
        "modes": ["heat", "cool", "off"],
        "limits": [16, 30],
        "step": 1,
        "current": 19,
        "target": 21,
    }
    heating = {"id": "switch.study_heating", "name": "Study Room Heating", "device_class": "switch"}
    area = {"name": "Study Room", "entities": [conditioner, heating]}
    path = tmp_path / "house.yaml"
    path.write_text(yaml.safe_dump({"floors": [{"name": "Attic", "level": 1, "areas": [area]}]}))
    return await async_move_in(hass, str(path))


async def test_what_is_called_so_comes_before_what_could_do_it(
    hass: HomeAssistant, heated: ConfigEntry
) -> None:
    """Turn on the switch that is called a heating, and no air conditioner beside it."""
    wrong: dict[str, list[str]] = {}
    async with async_speaking(hass) as speak:
        speaker = await speak()
        for language, text in HEATED:
            speaker.conversation_id = None
            off = {"entity_id": "switch.study_heating"}
            await hass.services.async_call("switch", "turn_off", off, blocking=True)
            changes = (await speaker.say(text, language=language)).changes
            if {*changes} != {"switch.study_heating"}:
                wrong[text] = [*changes]
    assert wrong == {}

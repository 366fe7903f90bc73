"""A condition may be any question that states answer: which of two rooms is warmer, whether a battery is low."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest
import yaml

from tests.conftest import Setup, async_speaking
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

# The kitchen is warmer than the living room.
WARMER = [
    ("en", "if it is warmer in the kitchen than in the living room, turn on the floor lamp"),
    ("en", "if the living room is colder than the kitchen, turn on the floor lamp"),
    ("de", "wenn es in der Küche wärmer ist als im Wohnzimmer, schalte die Stehlampe ein"),
    ("es", "si hace más calor en Kitchen que en Living Room enciende Floor Lamp"),
    ("fr", "s'il fait plus chaud dans la Cuisine que dans le Salon allume Floor Lamp"),
    ("it", "se fa più caldo in Kitchen che in Living Room accendi Floor Lamp"),
    ("nl", "als het in Kitchen warmer is dan in Living Room, doe Floor Lamp aan"),
    ("pl", "jeśli w Kitchen jest cieplej niż w Living Room włącz Floor Lamp"),
    ("pt", "se estiver mais quente em Kitchen do que em Living Room acende Floor Lamp"),
    ("sv", "om det är varmare i Kitchen än i Living Room tänd Floor Lamp"),
]
NOT_WARMER = [
    ("en", "if it is warmer in the living room than in the kitchen, turn on the floor lamp"),
    ("en", "if it is not warmer in the kitchen than in the living room, turn on the floor lamp"),
    ("en", "unless it is warmer in the kitchen than in the living room, turn on the floor lamp"),
    ("de", "wenn es im Wohnzimmer wärmer ist als in der Küche, schalte die Stehlampe ein"),
    ("es", "si hace más calor en Living Room que en Kitchen enciende Floor Lamp"),
    ("fr", "si la Cuisine n'est pas plus chaude que le Salon allume Floor Lamp"),
    ("it", "se fa più caldo in Living Room che in Kitchen accendi Floor Lamp"),
    ("nl", "als het in Living Room warmer is dan in Kitchen, doe Floor Lamp aan"),
    ("pl", "jeśli w Living Room jest cieplej niż w Kitchen włącz Floor Lamp"),
    ("pt", "se estiver mais quente em Living Room do que em Kitchen acende Floor Lamp"),
    ("sv", "om det är varmare i Living Room än i Kitchen tänd Floor Lamp"),
    # How much warmer is not compared, and nothing of yesterday is known.
    (
        "en",
        "if it's two degrees warmer in the kitchen than in the living room turn on the floor lamp",
    ),
    (
        "en",
        "if it is warmer in the kitchen than it was in the living room yesterday light the lamp",
    ),
]
LOW = [
    ("en", "if a battery is low turn on the arc lamp"),
    ("de", "wenn eine Batterie leer ist, schalte Arc Lamp ein"),
    ("es", "si alguna pila está baja enciende Arc Lamp"),
    ("fr", "si une pile est faible allume Arc Lamp"),
    ("it", "se una batteria è scarica accendi Arc Lamp"),
    ("nl", "als er een batterij leeg is doe Arc Lamp aan"),
    ("pl", "jeśli jakaś bateria jest słaba włącz Arc Lamp"),
    ("pt", "se alguma pilha estiver fraca acende Arc Lamp"),
    ("sv", "om något batteri är svagt tänd Arc Lamp"),
]


@in_one_house(("language", "text"), WARMER)
async def test_two_rooms_are_compared_now(speak: Setup, language: str, text: str) -> None:
    """Do what is asked for where the first room is the warmer one."""
    said = await (await speak()).say(text, language=language)
    assert {*said.changes} == {"light.floor_lamp"}


@in_one_house(("language", "text"), NOT_WARMER)
async def test_nothing_is_done_where_it_is_not_so(speak: Setup, language: str, text: str) -> None:
    """Do nothing where the other room is warmer, or where it cannot be known."""
    said = await (await speak()).say(text, language=language)
    assert said.changes == {}


@pytest.fixture(params=[8, 80])
async def charged(
    hass: HomeAssistant, tmp_path: Path, request: pytest.FixtureRequest
) -> tuple[ConfigEntry, int]:
    """Return the entry of a house with a battery, and its percent."""
    level: int = request.param
    battery = {
        "id": "sensor.remote_battery",
        "name": "Remote Battery",
        "device_class": "battery",
        "value": level,
        "unit": "%",
    }
    lamp = {"id": "light.arc", "name": "Arc Lamp", "modes": ["brightness"]}
    area = {"name": "Study", "entities": [battery, lamp]}
    path = tmp_path / "house.yaml"
    path.write_text(yaml.safe_dump({"floors": [{"name": "Attic", "level": 1, "areas": [area]}]}))
    return await async_move_in(hass, str(path)), level


async def test_a_low_battery_is_a_condition(
    hass: HomeAssistant, charged: tuple[ConfigEntry, int]
) -> None:
    """Turn on the lamp only where the battery is low."""
    wrong: dict[str, list[str]] = {}
    wanted = {"light.arc"} if charged[1] < 20 else set()
    async with async_speaking(hass) as speak:
        speaker = await speak()
        for language, text in LOW:
            speaker.conversation_id = None
            await hass.services.async_call(
                "light", "turn_off", {"entity_id": "light.arc"}, blocking=True
            )
            changes = (await speaker.say(text, language=language)).changes
            if {*changes} != wanted:
                wrong[text] = [*changes]
    assert wrong == {}

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
# After all lights but one are out, what is one is that one.
LEFT_ON = [
    ("en", "turn off all the lights except Kitchen Counter", "now that one to half"),
    ("de", "mach alle Lichter aus außer Kitchen Counter", "und das jetzt auf die Hälfte"),
    ("es", "apaga todas las luces menos Kitchen Counter", "y ahora ponla a la mitad"),
    ("fr", "éteins toutes les lumières sauf Kitchen Counter", "et mets celle-là à la moitié"),
    ("it", "spegni tutte le luci tranne Kitchen Counter", "e adesso quella mettila a metà"),
    ("nl", "doe alle lampen uit behalve Kitchen Counter", "en zet die nu op de helft"),
    ("pl", "zgaś wszystkie światła oprócz Kitchen Counter", "a teraz to ustaw na połowę"),
    ("pt", "apaga todas as luzes menos Kitchen Counter", "agora põe essa a metade"),
    ("sv", "släck alla lampor utom Kitchen Counter", "sätt den på hälften nu"),
]
HALTED = [
    ("en", "no stop, Jonas' mother is ringing"),
    ("en", "stop, the phone is ringing"),
    ("de", "halt, das Telefon klingelt"),
    ("es", "para, que está sonando el teléfono"),
    ("fr", "arrête, le téléphone sonne"),
    ("it", "ferma, squilla il telefono"),
    ("nl", "stop, de telefoon gaat"),
    ("pl", "stop, dzwoni telefon"),
    ("pt", "para, o telefone está a tocar"),
    ("sv", "stopp, telefonen ringer"),
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


@in_one_house(("language", "said", "text"), LEFT_ON)
async def test_that_one_is_what_stays_on(speak: Setup, language: str, said: str, text: str) -> None:
    """Dim the one light that was left on, and turn none on again that was put out."""
    speaker = await speak()
    await speaker.say(said, language=language, area="Kitchen")
    dimmed = await speaker.say(text, language=language, area="Kitchen")
    assert {*dimmed.changes} == {"light.kitchen_counter"}, dimmed.reply


async def test_it_is_what_was_put_out_where_nothing_is_left(speak: Setup) -> None:
    """Set the one light that was turned off, though others are on beside it."""
    speaker = await speak()
    await speaker.say("turn off the ceiling light", area="Kitchen")
    said = await speaker.say("set it to half", area="Kitchen")
    assert {*said.changes} == {"light.kitchen_ceiling"}


@in_one_house(
    "text",
    [
        "candlelight over the table and the rest of the lamps in here out",
        "table light on and the other lights in here off",
    ],
)
async def test_the_rest_in_here_is_beside_what_is_here(speak: Setup, text: str) -> None:
    """Take no lamp of another room that is called like a thing here, and put nothing out beside it."""
    assert (await (await speak()).say(text, area="Kitchen")).calls == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn on the light in the living room and close the blinds as well"),
        ("de", "schalte das Licht im Wohnzimmer ein und mach auch die Rollos zu"),
    ],
)
async def test_what_is_done_as_well_is_in_the_same_room(
    speak: Setup, language: str, text: str
) -> None:
    """Close the blinds of the room that is named, and not those where it is said."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    blinds = {each for each in said.changes if each.startswith("cover.")}
    assert blinds == {"cover.living_room_blinds"}


@in_one_house(("language", "text"), HALTED)
async def test_stop_with_a_reason_pauses_what_plays(speak: Setup, language: str, text: str) -> None:
    """Pause the music at once, and ask nothing."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert [call["service"] for call in said.calls] == ["media_pause"], said.reply


async def test_stop_for_what_is_not_there_pauses_nothing(speak: Setup) -> None:
    """Pause no music where something else is to be stopped."""
    assert (await (await speak()).say("stop the dishwasher", area="Kitchen")).calls == []


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

"""What is said after a step or a switch: far enough, only one, lock it again, go back; and no step is done twice."""

from pathlib import Path

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
import pytest

from tests.conftest import Setup, async_speaking
from tests.harness.home import async_move_in
from tests.one_house import in_one_house

# A house with lamps that tell no brightness.
HOUSE = Path(__file__).parent / "numbered_house.yaml"
DIMMED = [
    ("en", "turn on Plank Lamp 1", "bit dimmer"),
    ("de", "mach Plank Lamp 1 an", "etwas dunkler"),
    ("es", "enciende Plank Lamp 1", "un poco menos"),
    ("fr", "allume Plank Lamp 1", "un peu moins fort"),
    ("it", "accendi Plank Lamp 1", "un po' meno"),
    ("nl", "doe Plank Lamp 1 aan", "iets donkerder"),
    ("pl", "włącz Plank Lamp 1", "trochę ciemniej"),
    ("pt", "acende Plank Lamp 1", "um pouco menos"),
    ("sv", "tänd Plank Lamp 1", "lite svagare"),
]
THERMOSTAT = "climate.living_room_thermostat"
FAR_ENOUGH = [
    ("en", "dim the lights", "stop, that's enough for me"),
    ("de", "dimm das Licht", "stopp, reicht so"),
    ("es", "baja la luz", "para, así está bien"),
    ("fr", "baisse la lumière", "arrête, c'est bon"),
    ("it", "abbassa la luce", "ferma, va bene così"),
    ("nl", "dim het licht", "stop, zo is het goed"),
    ("pl", "przyciemnij światło", "stop, tak jest dobrze"),
    ("pt", "baixa a luz", "para, está bom"),
    ("sv", "dimma ljuset", "stopp, det är bra"),
]
ONLY_ONE = [
    ("en", "three degrees warmer", "no, only one"),
    ("de", "drei Grad wärmer", "nein, nur ein Grad"),
    ("fr", "trois degrés de plus", "non, juste un degré"),
    ("it", "tre gradi in più", "anzi, solo uno"),
    ("nl", "drie graden warmer", "nee, maar één graad"),
    ("pl", "cieplej o trzy stopnie", "jednak tylko o jeden"),
    ("pt", "três graus mais quente", "não, só um grau"),
    ("sv", "tre grader varmare", "nej, bara en grad"),
    ("en", "two degrees warmer", "nope, a degree less"),
]
REASONS = [
    ("en", "it's too warm, turn the heating down a degree"),
    ("de", "mir ist zu warm, stell die Heizung ein Grad runter"),
    ("es", "hace demasiado calor, baja la calefacción un grado"),
    ("fr", "il fait trop chaud, baisse le chauffage d'un degré"),
    ("it", "fa troppo caldo, abbassa il riscaldamento di un grado"),
    ("nl", "het is te warm, zet de verwarming een graad lager"),
    ("pl", "za gorąco, obniż ogrzewanie o jeden stopień"),
    ("pt", "está demasiado calor, baixa o aquecimento um grau"),
    ("sv", "det är för varmt, sänk värmen en grad"),
]
TOO_HIGH = [
    ("en", "set the reading lamp to a hundred and thirty percent"),
    ("en", "set the reading lamp to two hundred percent"),
    ("de", "stell Reading Lamp auf hundertdreißig Prozent"),
    ("es", "pon Reading Lamp al ciento treinta por ciento"),
    ("fr", "mets Reading Lamp à cent trente pour cent"),
    ("it", "metti Reading Lamp al centotrenta per cento"),
    ("nl", "zet Reading Lamp op honderddertig procent"),
    ("pl", "ustaw Reading Lamp na sto trzydzieści procent"),
    ("pt", "põe Reading Lamp a cento e trinta por cento"),
    ("sv", "ställ Reading Lamp på hundratrettio procent"),
]
BACK = [
    ("en", "turn off the lights in here", "go back on that"),
    ("de", "mach das Licht aus", "geh zurück"),
    ("es", "apaga la luz de aquí", "vuelve atrás"),
    ("fr", "éteins la lumière", "reviens en arrière"),
    ("it", "spegni la luce", "torna indietro"),
    ("nl", "doe het licht hier uit", "ga terug"),
    ("pl", "zgaś światło", "cofnij się"),
    ("pt", "apaga a luz daqui", "volta atrás"),
    ("sv", "släck ljuset", "backa"),
]
LOCKED = [
    ("en", "please unlock the front door now", "okay, close it again"),
    ("de", "schließ Front Door auf", "mach sie wieder zu"),
    ("es", "desbloquea Front Door", "vuelve a cerrarla"),
    ("fr", "déverrouille Front Door", "referme-la"),
    ("it", "sblocca Front Door", "richiudila"),
    ("nl", "ontgrendel Front Door", "doe hem weer dicht"),
    ("pl", "odblokuj Front Door", "zamknij je z powrotem"),
    ("pt", "destranca Front Door", "fecha-a outra vez"),
    ("sv", "lås upp Front Door", "stäng den igen"),
]


STILL = [
    ("en", "it's too bright in here", "still too much"),
    ("de", "hier ist es zu hell", "immer noch zu viel"),
    ("es", "baja el volumen", "todavía es demasiado"),
    ("fr", "baisse donc le son", "toujours trop"),
    ("it", "abbassa il volume", "ancora troppo"),
    ("nl", "het is hier te fel", "nog steeds"),
    ("pl", "ścisz muzykę", "nadal za dużo"),
    ("pt", "baixa o volume", "ainda demais"),
    ("sv", "sänk volymen", "fortfarande för mycket"),
]
CRIED = [
    ("de", "puh ist das hell hier"),
    ("nl", "tjonge wat is het hier fel"),
    ("sv", "oj vad ljust det är här"),
]


@in_one_house(("language", "before", "text"), STILL)
async def test_what_is_still_too_much_is_less_once_more(
    speak: Setup, language: str, before: str, text: str
) -> None:
    """Step once more the same way, with the same things."""
    speaker = await speak()
    first = await speaker.say(before, language=language, area="Kitchen")
    second = await speaker.say(text, language=language, area="Kitchen")
    assert second.changes
    assert {*second.changes} == {*first.changes}


@in_one_house(("language", "text"), CRIED)
async def test_who_cries_out_that_it_is_bright_wants_it_dimmer(
    speak: Setup, language: str, text: str
) -> None:
    """Dim the lights of the room, and turn none off."""
    said = await (await speak()).say(text, language=language, area="Kitchen")
    assert said.calls
    assert all(call["service_data"]["brightness_step_pct"] < 0 for call in said.calls)


@in_one_house(("language", "before", "text"), FAR_ENOUGH)
async def test_stop_leaves_what_was_dimmed_on(
    speak: Setup, language: str, before: str, text: str
) -> None:
    """Change nothing after a step that is far enough."""
    speaker = await speak()
    assert (await speaker.say(before, language=language, area="Kitchen")).changes
    assert (await speaker.say(text, language=language, area="Kitchen")).changes == {}


@in_one_house(("language", "before", "text"), ONLY_ONE)
async def test_a_step_is_mended_and_not_done_again(
    speak: Setup, hass: HomeAssistant, language: str, before: str, text: str
) -> None:
    """Set the thermostat to one degree more than at first."""
    speaker = await speak()
    await speaker.say(before, language=language, area="Living Room")
    await speaker.say(text, language=language, area="Living Room")
    assert (state := hass.states.get(THERMOSTAT))
    assert state.attributes["temperature"] == 22


@in_one_house(("language", "text"), REASONS)
async def test_a_wish_beside_its_command_is_no_second_one(
    speak: Setup, hass: HomeAssistant, language: str, text: str
) -> None:
    """Step down once."""
    await (await speak()).say(text, language=language, area="Living Room")
    assert (state := hass.states.get(THERMOSTAT))
    assert state.attributes["temperature"] == 20


@in_one_house(("language", "text"), TOO_HIGH)
async def test_a_number_above_a_hundred_is_one(speak: Setup, language: str, text: str) -> None:
    """Set no lamp to a part of the number."""
    assert (await (await speak()).say(text, language=language)).changes == {}


@in_one_house(("language", "before", "text"), BACK)
async def test_going_back_takes_back_what_was_no_music(
    speak: Setup, language: str, before: str, text: str
) -> None:
    """Turn the lights on again, and leave the song that plays."""
    speaker = await speak()
    off = await speaker.say(before, language=language, area="Kitchen")
    back = await speaker.say(text, language=language, area="Kitchen")
    assert {*back.changes} == {*off.changes}


@in_one_house(("language", "before", "text"), LOCKED)
async def test_closing_what_was_unlocked_locks_it(
    speak: Setup, hass: HomeAssistant, language: str, before: str, text: str
) -> None:
    """Lock the door that was spoken of, and close no blind."""
    speaker = await speak()
    await speaker.say(before, language=language)
    said = await speaker.say(text, language=language)
    assert {*said.changes} <= {"lock.front_door"}
    assert (state := hass.states.get("lock.front_door"))
    assert state.state == "locked"


@pytest.fixture
async def untold(hass: HomeAssistant) -> ConfigEntry:
    """Return the entry of a house with lamps that tell no brightness."""
    return await async_move_in(hass, str(HOUSE))


async def test_a_step_from_a_brightness_that_is_not_told_leaves_the_lamp_on(
    hass: HomeAssistant, untold: ConfigEntry
) -> None:
    """Dim a lamp from full, as it may be, and never turn it off."""
    wrong: dict[str, str] = {}
    async with async_speaking(hass) as speak:
        speaker = await speak()
        for language, before, text in DIMMED:
            speaker.conversation_id = None
            lamp = {"entity_id": "light.plank_1"}
            await hass.services.async_call("light", "turn_off", lamp, blocking=True)
            await speaker.say(before, language=language, area="Studio")
            said = await speaker.say(text, language=language, area="Studio")
            state = hass.states.get("light.plank_1")
            if not said.changes or not state or state.state != "on":
                wrong[text] = said.reply
    assert wrong == {}


async def test_what_was_done_is_not_said_to_be_nothing(speak: Setup) -> None:
    speaker = await speak()
    done = await speaker.say("turn off the desk lamp please")
    assert done.changes
    said = await speaker.say("no don't, not that whatsit over there")
    assert not said.changes
    assert "nothing" not in said.reply

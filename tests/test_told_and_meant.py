"""What only tells something does nothing, and a step goes on from what was set."""

from homeassistant.core import HomeAssistant

from tests.conftest import Setup
from tests.one_house import in_one_house

REPORTS = [
    ("en", "I've just closed Kitchen Blinds and switched Reading Lamp on"),
    ("en", "we already turned the heating down and locked Front Door"),
    ("de", "ich habe gerade Kitchen Blinds geschlossen und Reading Lamp eingeschaltet"),
    ("es", "he cerrado Kitchen Blinds y encendido Reading Lamp"),
    ("fr", "j'ai fermé Kitchen Blinds et allumé Reading Lamp"),
    ("it", "ho chiuso Kitchen Blinds e acceso Reading Lamp"),
    ("nl", "ik heb Kitchen Blinds gesloten en Reading Lamp aangezet"),
    ("pl", "właśnie zamknąłem Kitchen Blinds i włączyłem Reading Lamp"),
    ("pt", "já fechei Kitchen Blinds e acendi Reading Lamp"),
    ("sv", "jag har precis stängt Kitchen Blinds och tänt Reading Lamp"),
]
WARMER = [
    ("en", "set Bedroom Thermostat to 18 degrees", "two degrees warmer"),
    ("de", "stell Bedroom Thermostat auf 18 Grad", "zwei Grad wärmer"),
    ("nl", "zet Bedroom Thermostat op 18 graden", "twee graden warmer"),
]
CRACKS = [
    ("es", "entreabre Kitchen Blinds", 15),
    ("fr", "entrouvre Kitchen Blinds", 15),
    ("it", "socchiudi Kitchen Blinds", 15),
    ("pt", "entreabre Kitchen Blinds", 15),
]


@in_one_house(("language", "text"), REPORTS)
async def test_a_report_is_no_command_in_any_of_its_clauses(
    speak: Setup, language: str, text: str
) -> None:
    """Do nothing where somebody tells what was done already."""
    assert (await (await speak()).say(text, language=language, area="Kitchen")).changes == {}


@in_one_house(("language", "text", "further"), WARMER)
async def test_a_step_is_from_the_temperature_that_was_set(
    speak: Setup, hass: HomeAssistant, language: str, text: str, further: str
) -> None:
    """Go on from the target of what is off, and leave it off."""
    thermostat = "climate.bedroom_thermostat"
    await hass.services.async_call("climate", "turn_off", {"entity_id": thermostat}, blocking=True)
    speaker = await speak()
    await speaker.say(text, language=language)
    await speaker.say(further, language=language)
    state = hass.states.get(thermostat)
    assert state
    assert (state.state, state.attributes["temperature"]) == ("off", 20)


@in_one_house(("language", "text", "position"), CRACKS)
async def test_a_blind_is_opened_a_crack(
    speak: Setup, hass: HomeAssistant, language: str, text: str, position: int
) -> None:
    """Open a blind only a little."""
    await (await speak()).say(text, language=language)
    state = hass.states.get("cover.kitchen_blinds")
    assert state
    assert state.attributes["current_position"] == position

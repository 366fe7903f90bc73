"""What a repeating command waits for is written as the trigger that Home Assistant has for it."""

from typing import Any

from homeassistant.core import Context, HomeAssistant
import pytest

from tests.automations_file import AutomationsFile
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_delayed import person, planned

NO_CHANGE = ["unavailable", "unknown"]


def becomes(entity_id: str, *states: str, seconds: str = "00:00:02") -> dict[str, Any]:
    """Return the trigger of what is in one of some states, and was in none of them."""
    return {
        "trigger": "state",
        "entity_id": [entity_id],
        "not_from": [*NO_CHANGE, *states],
        "to": states[0] if len(states) == 1 else [*states],
        "for": seconds,
    }


def passes(entity_id: str, **bound: Any) -> dict[str, Any]:
    """Return the trigger of a number that passes a bound."""
    return {
        "trigger": "numeric_state",
        "entity_id": [entity_id],
        **bound,
        "for": "00:00:30",
    }


@in_one_house(
    ("language", "text", "trigger"),
    [
        ("en", "it is below 18 in the bedroom", passes("sensor.bedroom_temperature", below=18.0)),
        (
            "en",
            "the bedroom is at least 25 degrees",
            passes("sensor.bedroom_temperature", above=24.99),
        ),
        (
            "en",
            "the humidity in the bathroom is above 70 percent",
            passes("sensor.bathroom_humidity", above=70.0),
        ),
        (
            "en",
            "the thermostat in the bedroom is above 21 degrees",
            passes("climate.bedroom_thermostat", attribute="current_temperature", above=21.0),
        ),
        ("en", "the vacuum is docked", becomes("vacuum.dusty", "docked")),
        ("en", "the front door is unlocked", becomes("lock.front_door", "open", "unlocked")),
        ("en", "the garage door opens", becomes("cover.garage_door", "open")),
        (
            "en",
            "the washing machine is done",
            becomes("switch.washing_machine", "off", seconds="00:00:30"),
        ),
    ],
)
async def test_it_is_the_trigger_of_its_state(
    hass: HomeAssistant,
    speak: Setup,
    automations_file: AutomationsFile,
    *,
    language: str,
    text: str,
    trigger: dict[str, Any],
) -> None:
    speaker = await speak()
    admin = await person(hass, admin=True)
    context = Context(user_id=admin.id)
    asked = await speaker.say(
        f"whenever {text} turn off the desk lamp", language=language, context=context
    )
    assert asked.result.continue_conversation, asked.reply
    await speaker.say("yes", language=language, context=context)
    assert automations_file.automations[-1]["triggers"] == [trigger]


async def test_all_of_several_are_asked_for_as_well(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile
) -> None:
    """The last window that is closed makes all of them be closed."""
    speaker = await speak()
    context = Context(user_id=(await person(hass, admin=True)).id)
    await speaker.say("whenever all windows are closed turn off the desk lamp", context=context)
    await speaker.say("yes", context=context)
    [written] = automations_file.automations
    windows = ["binary_sensor.bathroom_window", "binary_sensor.bedroom_window"]
    assert written["triggers"][0]["entity_id"] == windows
    assert written["conditions"] == [{"condition": "state", "entity_id": windows, "state": "off"}]


@pytest.mark.parametrize("text", ["the oven is ready", "the teapot is ready"])
async def test_what_has_no_known_states_is_no_automation(
    hass: HomeAssistant, speak: Setup, automations_file: AutomationsFile, text: str
) -> None:
    """What a machine says of itself in words of its own nobody can list."""
    speaker = await speak()
    hass.states.async_set("sensor.oven_state", "warm", {"friendly_name": "Oven"})
    context = Context(user_id=(await person(hass, admin=True)).id)
    said = await speaker.say(f"whenever {text} turn off the desk lamp", context=context)
    assert not said.result.continue_conversation, said.reply
    assert not said.changes
    assert automations_file.automations == []
    assert await planned(hass, context) == []

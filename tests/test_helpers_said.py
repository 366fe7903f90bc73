"""Automations, scripts, buttons, choices, numbers and counters are told to by their names, in nine languages."""

from pathlib import Path

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.bellboard.policy.engine import PolicyEffect
from custom_components.bellboard.policy.file import DATA_POLICY
from tests.conftest import Said, Setup
from tests.harness.home import async_move_in
from tests.helpers_house import CONFIG
from tests.one_house import in_one_house
from tests.test_confirm import Rule, of_domain

CHOICE, NUMBER = "input_select.program", "input_number.delay"
SAID = {
    "automation.turn_off automation.motion_lights": [
        ("en", "turn off the motion lights automation"),
        ("en", "disable the motion lights automation"),
        ("de", "schalte die Automation Motion Lights aus"),
        ("es", "desactiva la automatización Motion Lights"),
        ("fr", "désactive l'automatisation Motion Lights"),
        ("it", "disattiva l'automazione Motion Lights"),
        ("nl", "schakel de automatisering Motion Lights uit"),
        ("pl", "wyłącz automatyzację Motion Lights"),
        ("pt", "desliga a automação Motion Lights"),
        ("sv", "stäng av automationen Motion Lights"),
    ],
    "automation.trigger automation.motion_lights": [("en", "run the motion lights automation")],
    "script.turn_on script.bedtime": [
        ("en", "run the bedtime script"),
        ("en", "start bedtime"),
        ("de", "starte das Skript Bedtime"),
        ("es", "ejecuta el script Bedtime"),
        ("fr", "lance le script Bedtime"),
        ("it", "avvia lo script Bedtime"),
        ("nl", "start het script Bedtime"),
        ("pl", "uruchom skrypt Bedtime"),
        ("pt", "executa o script Bedtime"),
        ("sv", "kör skriptet Bedtime"),
    ],
    "input_button.press input_button.bell": [
        ("en", "press the bell button"),
        ("de", "drück die Taste Bell"),
        ("es", "pulsa el botón Bell"),
        ("fr", "appuie sur le bouton Bell"),
        ("it", "premi il pulsante Bell"),
        ("nl", "druk op de knop Bell"),
        ("pl", "naciśnij przycisk Bell"),
        ("pt", "carrega no botão Bell"),
        ("sv", "tryck på Bell"),
    ],
    "input_select.select_option input_select.program": [
        ("en", "set the dishwasher program to eco"),
        ("de", "stelle Dishwasher Program auf eco"),
        ("es", "pon Dishwasher Program en eco"),
        ("fr", "mets Dishwasher Program sur eco"),
        ("it", "imposta Dishwasher Program su eco"),
        ("nl", "zet Dishwasher Program op eco"),
        ("pl", "ustaw Dishwasher Program na eco"),
        ("pt", "põe Dishwasher Program em eco"),
        ("sv", "ställ Dishwasher Program på eco"),
    ],
    "input_number.set_value input_number.delay": [
        ("en", "set the delay to 5"),
        ("de", "setze Porch Delay auf 5"),
        ("es", "pon Porch Delay a 5"),
        ("fr", "mets Porch Delay à 5"),
        ("it", "imposta Porch Delay a 5"),
        ("nl", "zet Porch Delay op 5"),
        ("pl", "ustaw Porch Delay na 5"),
        ("pt", "põe Porch Delay em 5"),
        ("sv", "ställ Porch Delay på 5"),
    ],
    "counter.increment counter.coffees": [("en", "increase the coffees counter")],
}
TOLD = [(call, *said) for call, sentences in SAID.items() for said in sentences]
NOTHING = [
    "don't run the bedtime script",
    "run the bedtime script at ten",
    "run the bedtime script when I leave",
    "set the dishwasher program to turbo",
    "set the porch delay to 500",
    "set everything to 5",
    "set the kitchen to eco",
    "feed the dog",
    "the bell",
    "is the motion lights automation on",
]


@pytest.fixture
async def house(hass: HomeAssistant) -> ConfigEntry:
    """Return the entry of a house with helpers, a script and an automation beside its devices."""
    entry = await async_move_in(hass, str(Path(__file__).parent / "states_house.yaml"))
    for component, config in CONFIG.items():
        assert await async_setup_component(hass, component, {component: config})
    await hass.async_block_till_done()
    for entity_id in hass.states.async_entity_ids([*CONFIG]):
        async_expose_entity(hass, "conversation", entity_id, True)
    return entry


def made(said: Said) -> list[str]:
    """Return the services of the calls with their entities, without those that Home Assistant makes others of."""
    found: list[str] = []
    for call in said.calls:
        if call["domain"] != "homeassistant":
            ids = call["service_data"].get("entity_id", [])
            named = [ids] if isinstance(ids, str) else ids
            found.extend(f"{call['domain']}.{call['service']} {each}" for each in named)
    return found


@in_one_house(("call", "language", "text"), TOLD)
async def test_it_is_told_to_by_its_name(speak: Setup, call: str, language: str, text: str) -> None:
    """Call the service of what is named."""
    said = await (await speak()).say(text, language=language)
    assert call in made(said), said.reply


@in_one_house("text", NOTHING)
async def test_what_is_not_plain_is_not_done(speak: Setup, text: str) -> None:
    """Call nothing."""
    assert made(await (await speak()).say(text)) == []


async def test_a_button_is_pressed_by_its_name_alone(speak: Setup) -> None:
    """Press what is called by a sentence, and nothing where it is denied or only a word."""
    speaker = await speak()
    said = await speaker.say("feed the cat please")
    assert (made(said), said.reply) == (
        ["input_button.press input_button.feed"],
        "Started Feed The Cat.",
    )
    for text in ("don't feed the cat", "bell", "did anybody feed the cat?"):
        assert made(await speaker.say(text)) == []


async def test_a_choice_and_a_number_are_put_back(speak: Setup, hass: HomeAssistant) -> None:
    """Undo what was set."""
    speaker = await speak()
    for text, entity_id, now, before in (
        ("set the dishwasher program to eco", CHOICE, "eco", "glass"),
        ("set the porch delay to 5", NUMBER, "5.0", "10.0"),
    ):
        await speaker.say(text)
        assert hass.states.is_state(entity_id, now)
        await speaker.say("undo that")
        assert hass.states.is_state(entity_id, before)


@pytest.mark.parametrize("effect", [PolicyEffect.DENY, PolicyEffect.CONFIRM])
async def test_policies_hold_for_automations(
    hass: HomeAssistant, speak: Setup, effect: PolicyEffect
) -> None:
    """Do nothing that a policy denies, and ask first where it has to be confirmed."""
    speaker = await speak()
    hass.data[DATA_POLICY] = Rule(effect, of_domain("automation"))
    assert made(await speaker.say("turn off the motion lights automation")) == []
    if effect is PolicyEffect.CONFIRM:
        said = await speaker.say("yes")
        assert "automation.turn_off automation.motion_lights" in made(said)


COUNTED = [
    ("en", "how many Coffees are there", "add one more"),
    ("de", "wie viele Coffees sind es", "zähl noch einen dazu"),
    ("es", "cuántos Coffees hay", "suma uno más"),
    ("pt", "quantos Coffees são", "soma mais um"),
]


@in_one_house(("language", "asked", "more"), COUNTED)
async def test_a_counter_is_told_and_counted_on(
    speak: Setup, language: str, asked: str, more: str
) -> None:
    """Tell its number, and count it, not what plays."""
    speaker = await speak()
    told = await speaker.say(asked, language=language)
    assert (told.calls, told.reply[:10]) == ([], "Coffees: 3"), told.reply
    said = await speaker.say(more, language=language)
    assert made(said) == ["counter.increment counter.coffees"], said.reply
    said = await speaker.say("reset the coffees to zero", language="en")
    assert made(said) == ["counter.reset counter.coffees"], said.reply


async def test_a_number_and_a_choice_are_told(speak: Setup) -> None:
    """Tell the value, and set what was told of."""
    speaker = await speak()
    assert (await speaker.say("what is the porch delay set to")).reply == "Porch Delay: 10."
    assert (await speaker.say("what is the dishwasher program")).reply == (
        "Dishwasher Program: glass."
    )
    said = await speaker.say("make it eco instead")
    assert made(said) == [f"input_select.select_option {CHOICE}"], said.reply

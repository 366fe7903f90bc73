"""What is to be so for a while is so until then, whether it is so now, and however politely it is said."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.nlu.loader import async_get_language
from tests.conftest import Setup
from tests.one_house import in_one_house
from tests.test_awaited import SETTLED, Waiting
from tests.test_delayed import planned
from tests.test_scheduled import at

NOW = datetime(2026, 11, 27, 18, 0, tzinfo=ZoneInfo("Europe/Berlin"))
LAMP, HEATING = "light.floor_lamp", "climate.bedroom_thermostat"
WINDOW, OTHER_WINDOW = "binary_sensor.bedroom_window", "binary_sensor.bathroom_window"


@pytest.fixture(autouse=True)
async def _evening(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to(NOW)


@in_one_house(
    ("language", "text"),
    [
        ("en", "can you put the floor lamp on until ten?"),
        ("en", "could you keep the floor lamp going until ten?"),
        ("en", "leave the floor lamp on only until ten"),
        ("en", "I need the floor lamp on until ten"),
        ("en", "floor lamp on until ten, then I'm on the terrace for a bit"),
        ("de", "die Floor Lamp soll bis zehn anbleiben"),
        ("de", "kannst du die Floor Lamp bis zehn anlassen?"),
        ("de", "lass die Floor Lamp nur bis zehn an"),
        ("de", "die Floor Lamp soll bis zehn anbleiben, der Kleine mag sonst nicht lesen"),
        ("de", "mach die Floor Lamp bis zehn an, dann sitze ich noch am Schreibkram"),
        ("es", "¿puedes dejar Floor Lamp encendida hasta las diez?"),
        ("es", "deja Floor Lamp encendida solo hasta las diez"),
        ("fr", "tu peux laisser Floor Lamp allumée jusqu'à dix heures ?"),
        ("fr", "laisse Floor Lamp allumée seulement jusqu'à dix heures"),
        ("it", "puoi lasciare Floor Lamp accesa fino alle dieci?"),
        ("it", "lascia Floor Lamp accesa solo fino alle dieci"),
        ("nl", "Floor Lamp moet tot tien uur aanblijven"),
        ("nl", "kun je Floor Lamp tot tien uur aanhouden?"),
        ("nl", "laat Floor Lamp maar tot tien uur aan"),
        ("nl", "zet Floor Lamp tot tien uur aan, dan zit ik nog te breien"),
        ("pl", "czy możesz zostawić Floor Lamp włączoną do dziesiątej?"),
        ("pl", "zostaw Floor Lamp włączoną tylko do dziesiątej"),
        ("pl", "włącz Floor Lamp do dziesiątej, jeszcze trochę poczytam"),
        ("pt", "podes deixar Floor Lamp acesa até às dez?"),
        ("pt", "deixa Floor Lamp acesa só até às dez"),
        ("sv", "kan du ha Floor Lamp tänd till tio?"),
        ("sv", "låt Floor Lamp vara tänd bara till tio"),
    ],
)  # fmt: skip
async def test_what_is_off_is_on_until_then(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    freezer.move_to(NOW)
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert {*said.changes} == {LAMP}, said.reply
    assert hass.states.is_state(LAMP, "on")
    assert "22" in said.reply
    assert {*await at(hass, freezer, NOW.replace(hour=22, second=1))} >= {LAMP}
    assert hass.states.is_state(LAMP, "off")


@in_one_house(
    ("language", "text"),
    [
        ("en", "I need the floor lamp on from eight to ten"),
        ("en", "can you have the floor lamp on from eight to ten?"),
        ("de", "ich brauche die Floor Lamp von acht bis zehn"),
        ("de", "mach die Floor Lamp von acht bis zehn an, ich möchte später noch duschen"),
        ("es", "necesito Floor Lamp encendida de ocho a diez"),
        ("fr", "j'ai besoin de Floor Lamp allumée de huit à dix heures"),
        ("it", "mi serve Floor Lamp accesa dalle otto alle dieci"),
        ("pl", "potrzebuję Floor Lamp od ósmej do dziesiątej"),
        ("pt", "preciso de Floor Lamp acesa das oito às dez"),
        ("sv", "jag behöver Floor Lamp tänd mellan åtta och tio"),
        ("sv", "kan du ha Floor Lamp tänd mellan åtta och tio?"),
    ],
)
async def test_what_is_needed_is_on_between(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    freezer.move_to(NOW)
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert len(await planned(hass)) == 1, said.reply
    assert LAMP in await at(hass, freezer, NOW + timedelta(hours=2, seconds=1))
    assert hass.states.is_state(LAMP, "on")
    assert LAMP in await at(hass, freezer, NOW + timedelta(hours=4, seconds=2))
    assert hass.states.is_state(LAMP, "off")


@in_one_house(
    ("language", "text"),
    [
        ("en", "turn the heating in the Bedroom off until the window is closed again"),
        ("en", "could you keep Bedroom Thermostat off until the window is shut?"),
        ("de", "lass die Heizung in Bedroom aus, bis das Fenster wieder zu ist"),
        ("es", "apaga Bedroom Thermostat hasta que se cierre la ventana"),
        ("fr", "coupe Bedroom Thermostat jusqu'à ce que la fenêtre soit fermée"),
        ("it", "tieni spento Bedroom Thermostat finché non chiudo la finestra"),
        ("nl", "zet Bedroom Thermostat uit tot het raam weer dicht is"),
        ("pl", "wyłącz Bedroom Thermostat, dopóki okno nie będzie zamknięte"),
        ("pt", "desliga Bedroom Thermostat até a janela estar fechada"),
        ("sv", "stäng av Bedroom Thermostat tills fönstret är stängt"),
    ],
)
async def test_the_window_that_ends_it_is_that_of_its_room(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    house = Waiting(hass, freezer, await speak())
    for window in (WINDOW, OTHER_WINDOW):
        await house.become("on", SETTLED, window)
    said = await house.who.say(text, language=language)
    assert {*said.changes} == {HEATING}, said.reply
    assert hass.states.is_state(HEATING, "off")
    await house.become("off", SETTLED, OTHER_WINDOW)
    assert hass.states.is_state(HEATING, "off")
    await house.become("off", SETTLED, WINDOW)
    assert not hass.states.is_state(HEATING, "off")
    assert await planned(hass) == []


@in_one_house(
    ("language", "text"),
    [
        ("en", "keep Office Air Conditioner on until it's down to 19 degrees in there"),
        ("de", "lass Office Air Conditioner an, bis es da drin unter 19 Grad ist"),
        (
            "es",
            "deja encendido Office Air Conditioner hasta que allí dentro haya menos de 19 grados",
        ),
        ("nl", "laat Office Air Conditioner aan tot het daar kouder dan 19 graden is"),
        ("sv", "låt Office Air Conditioner vara på tills det är under 19 grader där inne"),
    ],
)
async def test_in_there_is_the_room_of_what_is_kept_on(
    hass: HomeAssistant, speak: Setup, freezer: FrozenDateTimeFactory, language: str, text: str
) -> None:
    cooler, sensor = "climate.office_air_conditioner", "sensor.office_temperature"
    house = Waiting(hass, freezer, await speak())
    said = await house.who.say(text, language=language)
    assert hass.states.get(cooler)
    assert not hass.states.is_state(cooler, "off"), said.reply
    assert len(await planned(hass)) == 1
    await house.become("18", 40, sensor)
    assert hass.states.is_state(cooler, "off")


@in_one_house(
    ("language", "text"),
    [
        ("en", "keep the floor lamp on until the neighbours don't bake any more"),
        ("de", "lass die Floor Lamp an, bis der Nachbar nicht mehr backt"),
        ("it", "tieni spenta Floor Lamp finché la vicina non ha cucinato"),
        ("sv", "låt Floor Lamp vara tänd tills grannen inte bakar längre"),
    ],
)
async def test_what_only_ends_with_a_negation_is_not_told_as_left_alone(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    words = await async_get_language(hass, language)
    speaker = await speak()
    said = await speaker.say(text, language=language)
    assert not said.changes
    assert await planned(hass) == []
    assert said.reply != words.say("decline.negation")

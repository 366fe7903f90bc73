"""Ranges, slats, fan levels, effects, schedules and moods are understood in eight languages."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.domains.climate_settings import fan_levels, next_fan_level
from custom_components.bellboard.domains.light_values import runs_effect
from tests.conftest import Said, Setup
from tests.one_house import in_one_house

THERMOSTAT, COOLER = "climate.bedroom_thermostat", "climate.office_air_conditioner"
BLINDS, FAN, LAMP = "cover.living_room_blinds", "fan.bedroom_fan", "light.floor_lamp"
RANGE = {"target_temp_low": 19, "target_temp_high": 23}
SLATS = ("cover.set_cover_tilt_position", {"tilt_position": 40})
FASTER = ("climate.set_fan_mode", {"fan_mode": "high"})
STILL = ("fan.oscillate", {"oscillating": False})
NO_EFFECT = ("light.turn_on", {"effect": "off"})


def calls(said: Said) -> list[tuple[str, dict[str, Any]]]:
    """Return what was called of whom, without what scenes call by themselves."""
    return [
        (f"{call['domain']}.{call['service']}", dict(call["service_data"]))
        for call in said.calls
        if isinstance(call["service_data"].get("entity_id"), list)
    ]


def only(said: Said) -> tuple[str, list[str], dict[str, Any]]:
    """Return the only call: what, of whom, and with what."""
    ((action, data),) = calls(said)
    return action, data.pop("entity_id"), data


async def set_up(hass: HomeAssistant, entity_id: str, service: str, **data: Any) -> None:
    """Do something to a device, as somebody at its buttons would."""
    domain, _, name = service.partition(".")
    await hass.services.async_call(domain, name, {"entity_id": entity_id, **data}, blocking=True)


@in_one_house(
    ["language", "text"],
    [
        ("en", "keep the bedroom between 19 and 23 degrees"),
        ("en", "set the Bedroom Thermostat from 19 to 23"),
        ("en", "19 to 23 degrees in the bedroom, please"),
        ("en", "Bedroom Thermostat 19-23 °C"),
        ("en", "set the temperature in the bedroom to between nineteen and twenty three degrees"),
        ("de", "stell das Bedroom Thermostat auf 19 bis 23 Grad"),
        ("de", "halte das Schlafzimmer zwischen 19 und 23 Grad"),
        ("de", "stelle die Temperatur im Schlafzimmer auf 19 bis 23 Grad ein"),
        ("es", "pon el Bedroom Thermostat entre 19 y 23 grados"),
        ("fr", "règle le Bedroom Thermostat entre 19 et 23 degrés"),
        ("it", "imposta il Bedroom Thermostat tra 19 e 23 gradi"),
        ("nl", "zet de Bedroom Thermostat tussen 19 en 23 graden"),
        ("pl", "ustaw Bedroom Thermostat między 19 a 23 stopnie"),
        ("pl", "ustaw Bedroom Thermostat od 19 do 23 stopni"),
        ("pt", "põe o Bedroom Thermostat entre 19 e 23 graus"),
    ],
)
async def test_a_range_is_set_as_it_is_said(speak: Setup, language: str, text: str) -> None:
    speaker = await speak()

    action, targets, data = only(await speaker.say(text, language=language))

    assert (action, targets) == ("climate.set_temperature", [THERMOSTAT])
    assert {name: data[name] for name in RANGE} == RANGE


async def test_what_only_heats_does_both_where_it_is_to_keep_to_a_range(
    hass: HomeAssistant, speak: Setup
) -> None:
    speaker = await speak()
    assert hass.states.is_state(THERMOSTAT, "heat")

    said = await speaker.say("keep the bedroom between 66 and 73 fahrenheit")

    assert only(said)[2] == {
        "target_temp_low": 19.0,
        "target_temp_high": 23.0,
        "hvac_mode": "heat_cool",
    }
    await speaker.say("undo that")
    assert hass.states.is_state(THERMOSTAT, "heat")


@in_one_house(
    "text",
    [
        "set the bathroom heating between 19 and 23 degrees",
        "set the kitchen lights between 20 and 40 percent",
        "keep the bedroom thermostat between 23 and 19 degrees",
        "set the bedroom thermostat between 2 and 60 degrees",
    ],
)
async def test_a_range_that_is_none_is_not_set(speak: Setup, text: str) -> None:
    speaker = await speak()

    assert not (await speaker.say(text)).changes


SAID = [
    ("en", "tilt the living room blinds to 40 percent", BLINDS, SLATS),
    ("en", "set the slats in the living room to 40", BLINDS, SLATS),
    ("de", "stell die Lamellen der Living Room Blinds auf 40 Prozent", BLINDS, SLATS),
    ("es", "pon la inclinación de las Living Room Blinds al 40 por ciento", BLINDS, SLATS),
    ("fr", "mets l'inclinaison des Living Room Blinds à 40 pour cent", BLINDS, SLATS),
    ("it", "imposta l'inclinazione delle Living Room Blinds al 40 percento", BLINDS, SLATS),
    ("nl", "zet de lamellen van de Living Room Blinds op 40 procent", BLINDS, SLATS),
    ("pl", "ustaw nachylenie Living Room Blinds na 40 procent", BLINDS, SLATS),
    ("pt", "põe a inclinação das Living Room Blinds a 40 por cento", BLINDS, SLATS),
    ("en", "open the slats in the living room", BLINDS, ("cover.open_cover_tilt", {})),
    ("en", "close the slats of the living room blinds", BLINDS, ("cover.close_cover_tilt", {})),
    ("en", "turn up the fan of the air conditioner", COOLER, FASTER),
    ("en", "the fan of the office air conditioner one notch higher", COOLER, FASTER),
    ("de", "stell den Lüfter der Klimaanlage höher", COOLER, FASTER),
    ("es", "sube la velocidad del ventilador del Office Air Conditioner", COOLER, FASTER),
    ("fr", "augmente la vitesse du ventilateur du Office Air Conditioner", COOLER, FASTER),
    ("it", "alza la velocità della ventola del Office Air Conditioner", COOLER, FASTER),
    ("nl", "zet de ventilatorsnelheid van de Office Air Conditioner hoger", COOLER, FASTER),
    ("pl", "zwiększ siłę nawiewu Office Air Conditioner", COOLER, FASTER),
    ("pt", "aumenta a velocidade da ventoinha do Office Air Conditioner", COOLER, FASTER),
    ("en", "stop the fan from oscillating", FAN, STILL),
    ("en", "turn off oscillation", FAN, STILL),
    ("en", "no more swinging in the bedroom", FAN, STILL),
    ("de", "hör auf zu schwenken", FAN, STILL),
    ("es", "apaga la oscilación del Bedroom Fan", FAN, STILL),
    ("fr", "désactive l'oscillation du Bedroom Fan", FAN, STILL),
    ("it", "spegni l'oscillazione del Bedroom Fan", FAN, STILL),
    ("nl", "zet het zwenken van de Bedroom Fan uit", FAN, STILL),
    ("pl", "wyłącz oscylację Bedroom Fan", FAN, STILL),
    ("pt", "desliga a oscilação do Bedroom Fan", FAN, STILL),
    ("en", "stop the effect", LAMP, NO_EFFECT),
    ("en", "turn off the light effect in the lounge", LAMP, NO_EFFECT),
    ("de", "beende den Effekt der Floor Lamp", LAMP, NO_EFFECT),
    ("es", "quita el efecto de la Floor Lamp", LAMP, NO_EFFECT),
    ("fr", "arrête l'effet de la Floor Lamp", LAMP, NO_EFFECT),
    ("it", "togli l'effetto della Floor Lamp", LAMP, NO_EFFECT),
    ("nl", "stop het effect van de Floor Lamp", LAMP, NO_EFFECT),
    ("pl", "wyłącz efekt Floor Lamp", LAMP, NO_EFFECT),
    ("pt", "tira o efeito da Floor Lamp", LAMP, NO_EFFECT),
]


@in_one_house(["spoken", "target", "call"], [((a, b), c, d) for a, b, c, d in SAID])
async def test_a_setting_is_read(
    hass: HomeAssistant,
    speak: Setup,
    spoken: tuple[str, str],
    target: str,
    call: tuple[str, dict[str, Any]],
) -> None:
    language, text = spoken
    speaker = await speak()
    await set_up(hass, FAN, "fan.oscillate", oscillating=True)
    await set_up(hass, LAMP, "light.turn_on", effect="candle")

    action, targets, data = only(await speaker.say(text, language=language))

    assert (action, data) == call
    assert targets == [target]


@in_one_house(
    ["language", "text", "way"],
    [
        ("en", "let some daylight in", "open"),
        ("en", "let in some sun", "open"),
        ("en", "I could use some daylight", "open"),
        ("en", "keep the sun out", "close"),
        ("de", "lass etwas Licht rein", "open"),
        ("de", "sperr die Sonne aus", "close"),
        ("es", "deja entrar la luz", "open"),
        ("fr", "laisse entrer un peu de lumière", "open"),
        ("it", "fai entrare un po' di luce", "open"),
        ("nl", "laat wat licht binnen", "open"),
        ("pl", "wpuść trochę światła", "open"),
        ("pt", "deixa entrar a luz", "open"),
    ],
)
async def test_the_light_of_day_comes_through_windows_and_not_from_lamps(
    hass: HomeAssistant, speak: Setup, language: str, text: str, way: str
) -> None:
    speaker = await speak()

    said = await speaker.say(text, language=language, area="Living Room")

    assert only(said) == (f"cover.{way}_cover", [BLINDS], {})


async def test_a_room_without_blinds_is_not_lit_instead(speak: Setup) -> None:
    speaker = await speak()

    assert not (await speaker.say("let some daylight in", area="Bathroom")).changes


@pytest.fixture
def moods(hass: HomeAssistant, house: Any) -> None:
    """Name two scenes as bulbs' makers do, in two rooms."""
    registry = er.async_get(hass)
    for scene, name in (("scene.movie_night", "Relax"), ("scene.good_night", "Nightlight")):
        registry.async_update_entity(scene, name=name, aliases=[er.COMPUTED_NAME])


MOODS = [
    ("en", "make it cosy in here"),
    ("en", "relaxing in here, please"),
    ("de", "mach es hier gemütlich"),
    ("es", "ponlo acogedor aquí"),
    ("fr", "une ambiance cosy ici"),
    ("it", "rendi accogliente questa stanza"),
    ("nl", "maak het hier gezellig"),
    ("pl", "zrób tu przytulnie"),
    ("pt", "põe isto acolhedor"),
]


@in_one_house(["language", "text"], MOODS)
async def test_a_mood_is_the_scene_for_it_where_it_is_said(
    hass: HomeAssistant, moods: None, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()

    said = await speaker.say(text, language=language, area="Living Room")

    assert only(said) == ("scene.turn_on", ["scene.movie_night"], {})


async def test_a_mood_is_not_taken_from_another_room(
    hass: HomeAssistant, moods: None, speak: Setup
) -> None:
    speaker = await speak()

    said = await speaker.say("make it cosy in here", area="Bathroom")

    assert "scene.turn_on" not in {action for action, _ in calls(said)}


@in_one_house(
    "text",
    [
        "movie night in here",
        "make it a movie night",
        "movie night in the living room, please",
        "activate the movie night scene",
    ],
)
async def test_a_scene_is_turned_on_by_its_name(speak: Setup, text: str) -> None:
    speaker = await speak()

    said = await speaker.say(text, area="Living Room")

    assert ("scene.turn_on", {"entity_id": ["scene.movie_night"]}) in calls(said)


@in_one_house(
    "text",
    [
        "turn off movie night",
        "is it movie night",
        "movie night in the kitchen",
        "not movie night",
        "was that a movie night",
        "movie night was great",
        "when is movie night",
        "dim movie night",
    ],
)
async def test_a_scene_is_only_ever_turned_on(speak: Setup, text: str) -> None:
    speaker = await speak()

    assert not (await speaker.say(text, area="Living Room")).changes


async def test_a_mood_that_several_scenes_are_for_is_asked_about(
    hass: HomeAssistant, moods: None, speak: Setup
) -> None:
    er.async_get(hass).async_update_entity(
        "scene.dinner", name="Cosy Corner", aliases=[er.COMPUTED_NAME]
    )
    speaker = await speak()

    said = await speaker.say("relaxing please")

    assert not said.changes
    assert said.result.continue_conversation
    assert "Relax" in said.reply
    assert "Cosy Corner" in said.reply
    answered = await speaker.say("Cosy Corner")
    assert ("scene.turn_on", {"entity_id": ["scene.dinner"]}) in calls(answered)


async def test_which_of_several_rooms_is_asked_once_and_nothing_is_done_before(
    speak: Setup,
) -> None:
    speaker = await speak()

    said = await speaker.say("make the light warm white")

    assert not said.changes
    assert said.result.continue_conversation


@in_one_house(
    ["language", "text"],
    [
        ("en", "put the heating in the kids room back on its schedule"),
        ("en", "Kids Room Heating back to the schedule"),
        ("de", "stell die Kids Room Heating wieder auf den Zeitplan"),
        ("es", "Kids Room Heating vuelve al programa"),
        ("fr", "remets Kids Room Heating au programme"),
        ("it", "rimetti Kids Room Heating sul programma"),
        ("nl", "zet Kids Room Heating terug op het schema"),
        ("pl", "Kids Room Heating wróć do harmonogramu"),
        ("pt", "Kids Room Heating volta ao programa"),
    ],
)
async def test_a_thermostat_goes_back_to_its_schedule(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    speaker = await speak()
    target = "climate.kids_room_heating"
    await set_up(hass, target, "climate.set_hvac_mode", hvac_mode="heat")

    action, targets, data = only(await speaker.say(text, language=language))

    assert (action, targets) == ("climate.set_hvac_mode", [target])
    assert data == {"hvac_mode": "auto"}


async def test_a_thermostat_without_a_schedule_says_so(speak: Setup) -> None:
    speaker = await speak()

    said = await speaker.say("put the bathroom heating back on its schedule")

    assert said.reply == "Bathroom Heating can't do that."
    assert not said.changes


@pytest.fixture
async def humidifier(hass: HomeAssistant, assist: None) -> str:
    """Return a humidifier in the house."""
    hass.states.async_set(
        "humidifier.cellar",
        "on",
        {
            "friendly_name": "Cellar Dehumidifier",
            "device_class": "dehumidifier",
            "humidity": 50,
            "min_humidity": 30,
            "max_humidity": 80,
        },
    )
    async_expose_entity(hass, "conversation", "humidifier.cellar", True)
    return "humidifier.cellar"


@pytest.mark.parametrize(
    ("spoken", "humidity"),
    [
        ((language, text), humidity)
        for language, text, humidity in (
            ("en", "make it a bit drier", 45),
            ("en", "it's too humid", 40),
            ("en", "a lot less humid please", 30),
            ("en", "too dry in here", 60),
            ("de", "es ist zu feucht", 40),
            ("es", "demasiado húmedo", 40),
            ("fr", "trop humide", 40),
            ("it", "troppo umido", 40),
            ("nl", "te vochtig", 40),
            ("pl", "za wilgotno", 40),
            ("pt", "demasiado húmido", 40),
        )
    ],
)
async def test_air_is_made_drier_by_a_step(
    hass: HomeAssistant, humidifier: str, speak: Setup, spoken: tuple[str, str], humidity: int
) -> None:
    language, text = spoken
    made: list[dict[str, Any]] = []

    async def note(call: Any) -> None:
        made.append(dict(call.data))
        state = hass.states.get(humidifier)
        assert state
        attributes = {**state.attributes, "humidity": call.data["humidity"]}
        hass.states.async_set(humidifier, state.state, attributes)

    hass.services.async_register("humidifier", "set_humidity", note)
    speaker = await speak()

    await speaker.say(text, language=language)

    assert made == [{"entity_id": [humidifier], "humidity": humidity}]


@pytest.mark.parametrize(
    ("modes", "levels"),
    [
        (["auto", "high", "low", "medium"], ["low", "medium", "high"]),
        (["Auto", "Quiet", "1", "2", "3"], ["1", "2", "3"]),
        (["level_3", "level_1", "level_2", "auto"], ["level_1", "level_2", "level_3"]),
        (["Silent", "Low", "Mid High", "Strong"], ["Silent", "Low", "Mid High", "Strong"]),
        (["auto", "on"], []),
    ],
)
def test_levels_of_fans_are_known_whatever_they_are_called(
    modes: list[str], levels: list[str]
) -> None:
    assert fan_levels(modes) == levels


@given(
    st.lists(st.sampled_from(["auto", "on", "low", "medium", "high", "quiet", "turbo", "eco"])),
    st.sampled_from(["auto", "low", "high", "nothing"]),
    st.sampled_from([-1, 1]),
)
def test_a_fan_is_only_set_to_a_mode_that_it_has(modes: list[str], now: str, by: int) -> None:
    state = State("climate.x", "cool", {"fan_modes": modes, "fan_mode": now})

    found = next_fan_level(state, by)

    assert found is None or found in modes


async def test_no_effect_that_does_not_run_is_ended(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    lamp = hass.states.get(LAMP)
    assert lamp
    assert not runs_effect(lamp)

    said = await speaker.say("stop the effect of the floor lamp")

    assert said.reply == "No effect is running on Floor Lamp."
    assert not said.calls

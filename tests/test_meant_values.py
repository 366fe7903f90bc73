"""Values mean what was said: directions, levels, targets, speeds, and what is to be heard."""

import json
from typing import Any

from homeassistant.core import HomeAssistant

from tests.conftest import Said, Setup
from tests.one_house import in_one_house


def changed(said: Said, attribute: str) -> dict[str, tuple[Any, Any]]:
    """Return an attribute's values before and after by entity id; "" is the state."""
    found: dict[str, tuple[Any, Any]] = {}
    for entity_id, ends in said.changes.items():
        was, now = (
            (state if not attribute else attributes.get(attribute))
            for state, attributes in map(json.loads, ends)
        )
        if was != now:
            found[entity_id] = (was, now)
    return found


KITCHEN = {"light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant"}

# The light goes one way and the music the other.
DIRECTIONS = (
    ("en", "put the lamps down and the music up in the kitchen", -1, 1),
    ("en", "turn the music down and the lights up in the kitchen", 1, -1),
    ("en", "dim the lights in the kitchen and turn the music up", -1, 1),
    ("en", "bring the lights down and the volume up in the kitchen", -1, 1),
    ("de", "dreh die Lichter runter und die Lautstärke hoch in der Küche", -1, 1),
    ("de", "dreh das Licht runter und die Musik in der Küche hoch", -1, 1),
    ("es", "baja las luces de Kitchen y sube la música en Kitchen", -1, 1),
    ("fr", "baisse les lumières de Kitchen et monte la musique dans Kitchen", -1, 1),
    ("it", "abbassa le luci in Kitchen e alza la musica in Kitchen", -1, 1),
    ("nl", "zet het licht in Kitchen zachter en de muziek harder in Kitchen", -1, 1),
    ("pl", "przyciemnij światła w Kitchen i podgłośnij muzykę w Kitchen", -1, 1),
    ("pt", "baixa as luzes em Kitchen e aumenta a música em Kitchen", -1, 1),
)


@in_one_house(("language", "text", "light", "music"), DIRECTIONS)
async def test_each_thing_goes_the_way_that_is_said_of_it(
    speak: Setup, language: str, text: str, light: int, music: int
) -> None:
    said = await (await speak()).say(text, language=language)
    levels = changed(said, "brightness")
    assert levels
    assert set(levels) <= KITCHEN
    assert all((now - was) * light > 0 for was, now in levels.values())
    [(player, (was, now))] = changed(said, "volume_level").items()
    assert player == "media_player.kitchen_speaker"
    assert (now - was) * music > 0


@in_one_house(
    ("language", "text"),
    [("en", "switch off the lights and the volume up in the kitchen"),
     ("de", "schalte das Licht aus und die Lautstärke hoch in der Küche")],
)  # fmt: skip
async def test_a_place_that_is_said_last_holds_for_the_lights_before(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert set(said.changes) == {*KITCHEN, "media_player.kitchen_speaker"}


@in_one_house(
    ("language", "text"),
    [("en", "louder"), ("de", "lauter"), ("fr", "plus fort"), ("it", "più forte"), ("nl", "harder"),
     ("pl", "głośniej"), ("pt", "mais alto"), ("es", "más alto")],
)  # fmt: skip
async def test_what_may_be_of_one_thing_is_not_asked_of_many(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert set(said.changes) == {"media_player.kitchen_speaker"}


# Lamps that are turned on are all dim, and what was darker is no brighter.
KEPT_DIM = (
    ("en", "switch the bedroom lights on but keep them dim"),
    ("en", "turn on the bedroom lights and dim them"),
    ("de", "mach die Lichter im Schlafzimmer an, aber lass sie gedimmt"),
    ("de", "mach das Licht im Schlafzimmer an, aber gedimmt"),
    ("es", "enciende las luces de Bedroom y atenúalas"),
    ("fr", "allume les lumières de Bedroom et tamise-les"),
    ("it", "accendi le luci in Bedroom e abbassale"),
    ("nl", "doe de lampen in Bedroom aan en dim ze"),
    ("pl", "włącz światła w Bedroom i przyciemnij je"),
    ("pt", "acende as luzes em Bedroom e diminui-as"),
)
BEDROOM = ("bedroom_ceiling", "left_bedside_lamp", "right_bedside_lamp")


@in_one_house(("language", "text"), KEPT_DIM)
async def test_lamps_that_are_turned_on_dimly_are_all_dim(
    hass: HomeAssistant, speak: Setup, language: str, text: str
) -> None:
    await (await speak()).say(text, language=language)
    lamps = [hass.states.get(f"light.{name}") for name in BEDROOM]
    assert all(lamp and lamp.state == "on" for lamp in lamps)
    assert all(lamp and lamp.attributes["brightness"] <= 77 for lamp in lamps)


# Only the lamps that are on and brighter than that.
DIMMED_TO = (
    ("en", "dim every light upstairs to 20 %"),
    ("en", "lower all lights upstairs to 20 percent"),
    ("es", "atenúa todas las luces de Upstairs al 20 %"),
    ("fr", "tamise toutes les lumières de Upstairs à 20 %"),
    ("it", "attenua tutte le luci di Upstairs al 20 %"),
    ("nl", "dim alle lampen in Upstairs tot 20 %"),
    ("pl", "przyciemnij wszystkie światła w Upstairs do 20 %"),
    ("pt", "diminui todas as luzes de Upstairs para 20 %"),
)


@in_one_house(("language", "text"), DIMMED_TO)
async def test_dimming_to_a_level_lights_nothing_and_brightens_nothing(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert changed(said, "brightness") == {"light.left_bedside_lamp": (76, 51)}
    assert changed(said, "") == {}


# What is kept is what is on: a lamp that is off stays so.
KEPT_AT = (
    ("en", "keep the hallway on at five percent"),
    ("en", "keep the hallway lights at five percent"),
    ("de", "lass das Licht im Flur auf fünf Prozent an"),
    ("nl", "hou de lampen in Hallway op 5 %"),
)


@in_one_house(("language", "text"), KEPT_AT)
async def test_what_is_kept_at_a_level_is_what_is_on(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert changed(said, "") == {}
    assert set(changed(said, "brightness")) == {"light.hallway_ceiling"}, said.reply


# What is shut down is no louder or quieter, and "everything" has no level of its own.
NO_VOLUME = (
    ("en", "power everything down"),
    ("en", "shut the kitchen speaker down"),
    ("en", "turn everything down"),
    ("de", "fahr alles runter"),
    ("de", "fahr alles herunter"),
    ("es", "baja todo"),
    ("it", "abbassa tutto"),
    ("pt", "baixa tudo"),
)


@in_one_house(("language", "text"), NO_VOLUME)
async def test_what_is_shut_down_is_not_only_made_quieter(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert all(now is None for _, now in changed(said, "volume_level").values())
    assert not changed(said, "fan_mode")


async def test_what_is_shut_down_is_turned_off_or_closed(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("shut the kitchen speaker down")
    assert hass.states.is_state("media_player.kitchen_speaker", "off")
    await speaker.say("shut the kitchen blinds down")
    assert hass.states.is_state("cover.kitchen_blinds", "closed")


RADIOS = (
    ("en", "turn on the radio", "What shall I play?"),
    ("de", "mach das Radio an", "Was soll ich spielen?"),
    ("es", "enciende la radio", "¿Qué pongo?"),
    ("fr", "allume la radio", "Qu'est-ce que je mets ?"),
    ("it", "accendi la radio", "Che cosa metto?"),
    ("nl", "zet de radio aan", "Wat zal ik spelen?"),
    ("pl", "włącz radio", "Co mam włączyć?"),
    ("pt", "liga o rádio", "O que ponho a tocar?"),
)


@in_one_house(("language", "text", "reply"), RADIOS)
async def test_a_radio_that_would_play_nothing_asks_what_to_play(
    speak: Setup, language: str, text: str, reply: str
) -> None:
    said = await (await speak()).say(text, language=language, area="Bedroom")
    assert (said.reply, said.changes) == (reply, {})


async def test_a_radio_that_plays_by_itself_is_turned_on(speak: Setup) -> None:
    said = await (await speak()).say("turn on the radio", area="Bathroom")
    assert said.reply == "Turned on Bathroom Radio."
    assert changed(said, "") == {"media_player.bathroom_radio": ("off", "playing")}


# The thermostat is set to 19.5, and it is 19 degrees.
TARGETS = (
    ("en", "tell me the target temperature of the bedroom thermostat", "19.5 °C"),
    ("en", "what is the bedroom thermostat set to?", "19.5 °C"),
    ("en", "what is the setpoint of the bedroom thermostat?", "19.5 °C"),
    ("de", "wie ist die Solltemperatur im Schlafzimmer?", "19,5 °C"),
    ("de", "wie hoch ist die Zieltemperatur von Bedroom Thermostat?", "19,5 °C"),
    ("es", "¿cuál es la temperatura objetivo de Bedroom Thermostat?", "19,5 °C"),
    ("es", "¿cuál es la consigna de Bedroom Thermostat?", "19,5 °C"),
    ("fr", "quelle est la consigne de Bedroom Thermostat ?", "19,5 °C"),
    ("fr", "quelle est la température de consigne de Bedroom Thermostat ?", "19,5 °C"),
    ("it", "qual è la temperatura impostata di Bedroom Thermostat?", "19,5 °C"),
    ("it", "qual è la temperatura desiderata di Bedroom Thermostat?", "19,5 °C"),
    ("nl", "wat is de doeltemperatuur van Bedroom Thermostat?", "19,5 °C"),
    ("pl", "jaka jest temperatura zadana Bedroom Thermostat?", "19,5 °C"),
    ("pt", "qual é a temperatura alvo de Bedroom Thermostat?", "19,5 °C"),
)


@in_one_house(("language", "text", "value"), TARGETS)
async def test_the_target_that_is_asked_for_is_no_current_temperature(
    speak: Setup, language: str, text: str, value: str
) -> None:
    said = await (await speak()).say(text, language=language)
    assert (said.reply, said.changes) == (f"Bedroom Thermostat: {value}.", {})


# It has four speeds.
SPEEDS = (
    ("en", "set the bedroom fan to the lowest speed", 25),
    ("en", "set the bedroom fan to minimum", 25),
    ("en", "set the bedroom fan to maximum", 100),
    ("de", "stelle Bedroom Fan auf die niedrigste Stufe", 25),
    ("es", "pon Bedroom Fan al mínimo", 25),
    ("fr", "mets Bedroom Fan au minimum", 25),
    ("it", "metti Bedroom Fan al minimo", 25),
    ("nl", "zet Bedroom Fan op de laagste stand", 25),
    ("pl", "ustaw Bedroom Fan na minimum", 25),
    ("pt", "põe Bedroom Fan no mínimo", 25),
)


@in_one_house(("language", "text", "percentage"), SPEEDS)
async def test_the_lowest_speed_is_one_that_the_fan_has(
    hass: HomeAssistant, speak: Setup, language: str, text: str, percentage: int
) -> None:
    await (await speak()).say(text, language=language)
    fan = hass.states.get("fan.bedroom_fan")
    assert fan
    assert fan.attributes["percentage"] == percentage


# What is off is turned on in the mode that helps, and its target stays.
FELT = (
    ("en", "Office", "it's too warm here", "cool"),
    ("de", "Office", "hier ist es zu warm", "cool"),
    ("es", "Office", "aquí hace demasiado calor", "cool"),
    ("fr", "Office", "il fait trop chaud ici", "cool"),
    ("it", "Office", "fa troppo caldo qui", "cool"),
    ("nl", "Office", "het is hier te warm", "cool"),
    ("pl", "Office", "jest tu za gorąco", "cool"),
    ("pt", "Office", "está demasiado calor aqui", "cool"),
    ("en", "Bathroom", "it's too cold in here", "heat"),
    ("de", "Bathroom", "hier ist es zu kalt", "heat"),
    ("es", "Bathroom", "hace demasiado frío aquí", "heat"),
    ("fr", "Bathroom", "il fait trop froid ici", "heat"),
    ("it", "Bathroom", "fa troppo freddo qui", "heat"),
    ("nl", "Bathroom", "het is hier te koud", "heat"),
    ("pl", "Bathroom", "jest tu za zimno", "heat"),
    ("pt", "Bathroom", "está demasiado frio aqui", "heat"),
)


@in_one_house(("language", "area", "text", "mode"), FELT)
async def test_what_is_off_is_turned_on_where_it_helps(
    speak: Setup, language: str, area: str, text: str, mode: str
) -> None:
    said = await (await speak()).say(text, language=language, area=area)
    assert list(changed(said, "").values()) == [("off", mode)]
    assert not changed(said, "temperature")


@in_one_house(
    ("area", "text", "reply"),
    (
        ("Bathroom", "it's too warm in here", "Bathroom Heating is off."),
        ("Office", "it's too cold in here", "Office Air Conditioner is off."),
    ),
)
async def test_what_is_off_and_cannot_help_is_left_alone(
    speak: Setup, area: str, text: str, reply: str
) -> None:
    said = await (await speak()).say(text, area=area)
    assert (said.reply, said.changes) == (reply, {})


LOUDER = (
    ("en", "louder", 1),
    ("de", "lauter", 1),
    ("es", "más alto", 1),
    ("es", "más bajo", -1),
    ("fr", "plus fort", 1),
    ("it", "più alto", 1),
    ("it", "più basso", -1),
    ("nl", "harder", 1),
    ("pl", "głośniej", 1),
    ("pt", "mais alto", 1),
    ("pt", "mais baixo", -1),
)


@in_one_house(("language", "text", "way"), LOUDER)
async def test_louder_alone_is_for_what_plays(
    speak: Setup, language: str, text: str, way: int
) -> None:
    said = await (await speak()).say(text, language=language, area="Kitchen")
    [(player, (was, now))] = changed(said, "volume_level").items()
    assert player == "media_player.kitchen_speaker"
    assert (now - was) * way > 0


async def test_what_a_radio_is_to_play_may_be_said_after(speak: Setup) -> None:
    speaker = await speak()
    assert (await speaker.say("turn on the radio", area="Bedroom")).reply == "What shall I play?"
    said = await speaker.say("sunday breakfast", area="Bedroom")
    assert said.reply == "Playing Sunday Breakfast on Bedroom Speaker."
    assert set(said.changes) == {"media_player.bedroom_speaker"}

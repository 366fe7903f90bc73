"""What is named by a part of its name is found without a model, asked for, or left alone."""

from collections.abc import Iterable, Mapping

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest

from custom_components.bellboard.domains.models import Command
from custom_components.bellboard.home.catalog import CatalogSource
from custom_components.bellboard.nlu.loader import async_get_language
from custom_components.bellboard.routing.models import Assignment, Source
from custom_components.bellboard.routing.reading import ReadingRouter
from custom_components.bellboard.routing.router import RoutedPart
from tests.conftest import Said, Setup
from tests.one_house import in_one_house

from .conftest import CARDS, RequestFor, routing_request

DOMAINS = ("light", "media_player", "climate")
BEDSIDE = ("light.left_bedside_lamp", "light.right_bedside_lamp")
LAMPS = (
    "light.desk_lamp",
    "light.floor_lamp",
    "light.guest_lamp",
    *BEDSIDE,
    "light.reading_lamp",
    "light.sideboard_lamp",
)
COUNTERS = ("light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant")
TV = "media_player.living_room_tv"
UPSTAIRS_HEATING = (
    "climate.bathroom_heating",
    "climate.bedroom_thermostat",
    "climate.kids_room_heating",
)

# What the demo house is called in other languages: names by entity, aliases by area.
NAMES: Mapping[str, Mapping[str, str]] = {
    "de": {
        "light.floor_lamp": "Stehlampe",
        "light.reading_lamp": "Leselampe",
        "light.desk_lamp": "Schreibtischlampe",
        "light.left_bedside_lamp": "Linke Nachttischlampe",
        "light.right_bedside_lamp": "Rechte Nachttischlampe",
        "light.kitchen_pendant": "Esstischleuchte",
        TV: "Fernseher",
        "media_player.kitchen_speaker": "Küchenlautsprecher",
        "climate.bedroom_thermostat": "Heizung am Bett",
        "climate.living_room_thermostat": "Heizung am Fenster",
    },
    "fr": {
        "light.floor_lamp": "Lampe du canapé",
        "light.reading_lamp": "Lampe de lecture",
        "light.desk_lamp": "Lampe de bureau",
        "light.left_bedside_lamp": "Applique gauche",
        "light.right_bedside_lamp": "Applique droite",
        TV: "Grande télé",
        "media_player.kitchen_speaker": "Enceinte rouge",
        "media_player.office_speaker": "Enceinte noire",
        "climate.bedroom_thermostat": "Thermostat du lit",
    },
    "es": {
        "light.floor_lamp": "Lámpara del sofá",
        "light.reading_lamp": "Lámpara de lectura",
        "light.desk_lamp": "Flexo del escritorio",
        TV: "Tele grande",
        "media_player.kitchen_speaker": "Altavoz rojo",
        "media_player.office_speaker": "Altavoz negro",
        "climate.bedroom_thermostat": "Termostato de la cama",
    },
    "nl": {
        "light.floor_lamp": "Staande lamp",
        "light.reading_lamp": "Leeslamp",
        "light.desk_lamp": "Bureaulamp",
        "light.left_bedside_lamp": "Linker wandspot",
        "light.right_bedside_lamp": "Rechter wandspot",
        TV: "Grote tv",
        "media_player.kitchen_speaker": "Keukenspeaker",
        "climate.bedroom_thermostat": "Thermostaat bij het bed",
    },
}
AREAS: Mapping[str, Mapping[str, str]] = {
    "de": {"office": "Arbeitszimmer"},
    "fr": {"office": "Atelier", "bedroom": "Chambre"},
    "es": {"kitchen": "Cocina", "office": "Despacho", "living_room": "Salón"},
    "nl": {"kitchen": "Keuken", "office": "Studeerkamer", "living_room": "Woonkamer"},
}


def move_in(hass: HomeAssistant, language: str) -> None:
    """Call the house what people call it who speak a language, and expose only what has a name."""
    entities, devices = er.async_get(hass), dr.async_get(hass)
    for entity_id in hass.states.async_entity_ids(DOMAINS):
        name = NAMES[language].get(entity_id)
        async_expose_entity(hass, "conversation", entity_id, name is not None)
        entry = entities.async_get(entity_id)
        if name and entry and entry.device_id:
            entities.async_update_entity(entity_id, aliases=[er.COMPUTED_NAME])
            devices.async_update_device(entry.device_id, name_by_user=name)
    for area_id, alias in AREAS[language].items():
        ar.async_get(hass).async_update(area_id, aliases={alias})


def expose_only(hass: HomeAssistant, *entity_ids: str) -> None:
    """Leave only these lights, players and thermostats to Assist."""
    for entity_id in hass.states.async_entity_ids(DOMAINS):
        async_expose_entity(hass, "conversation", entity_id, entity_id in entity_ids)


async def switch_on(hass: HomeAssistant, targets: Iterable[str]) -> None:
    """Turn the television on where it is meant: nothing is louder that is off."""
    if TV in targets:
        await hass.services.async_call("media_player", "turn_on", {"entity_id": TV}, blocking=True)


def targets_of(said: Said) -> set[str]:
    """Return the entities that actions were called for."""
    return {target for call in said.calls for target in call["service_data"]["entity_id"]}


def asks(said: Said, question: str) -> bool:
    """Return whether a question was asked, and nothing was done."""
    return said.reply == question and not said.calls and said.result.continue_conversation


@in_one_house(
    ("text", "area", "targets"),
    [
        # The word for such things, a word of the name, or both.
        ("turn on the desk light", None, ["light.desk_lamp"]),
        ("switch the left lamp off", None, ["light.left_bedside_lamp"]),
        ("turn off the tall light", None, ["light.floor_lamp"]),
        ("desk light off", None, ["light.desk_lamp"]),
        ("turn on the sideboard", None, ["light.sideboard_lamp"]),
        ("could you please turn off the ambient lamp?", None, ["light.tv_backlight"]),
        ("turn on the nightlight", None, ["light.night_light"]),
        ("turn on the lamp on the desk", None, ["light.desk_lamp"]),
        ("turn the left one off", None, ["light.left_bedside_lamp"]),
        ("turn off the left one's lamp", None, ["light.left_bedside_lamp"]),
        # Values.
        ("dim the desk light to 25 percent", None, ["light.desk_lamp"]),
        ("set the brightness of the tall light to 30%", None, ["light.floor_lamp"]),
        ("set the pendant to twenty percent", None, ["light.kitchen_pendant"]),
        ("turn the telly up", None, [TV]),
        ("set the towel heater to 24 degrees", None, ["climate.bathroom_heating"]),
        # What such things are called in general.
        ("turn on the tv", None, [TV]),
        ("turn off the telly", "Kitchen", [TV]),
        ("pause the speaker", None, ["media_player.kitchen_speaker"]),
        ("stop the player", "Kitchen", ["media_player.kitchen_speaker"]),
        # The place that is named, else the speaker's room, else the house.
        ("set the thermostat upstairs to 20 degrees", None, ["climate.bedroom_thermostat"]),
        ("set the thermostat to 20 degrees", "Living Room", ["climate.living_room_thermostat"]),
        ("set the kids thermostat to 20.5", None, ["climate.kids_room_heating"]),
        ("mute the speaker", "Office", ["media_player.office_speaker"]),
        ("unmute the speaker in the study", "Kitchen", ["media_player.office_speaker"]),
        ("turn off a lamp", "Guest Room", ["light.guest_lamp"]),
        # Several.
        ("turn on the bedside lamps", None, BEDSIDE),
        ("turn both bedside lamps off", "Kitchen", BEDSIDE),
        ("switch off every bedside light", None, BEDSIDE),
        ("turn off all of the bedside lights", None, BEDSIDE),
        ("turn on all lamps", None, LAMPS),
        ("dim the lamps here to 40 percent", "Living Room", LAMPS[1:2] + LAMPS[5:6]),
        ("turn on the mirrors", None, ["light.bathroom_mirror", "light.mirror_light"]),
        # All the heating of a place is one thing.
        ("set the heating upstairs to 20", None, UPSTAIRS_HEATING),
    ],
)  # fmt: skip
async def test_what_is_named_in_part_is_done(
    hass: HomeAssistant, speak: Setup, text: str, area: str | None, targets: Iterable[str]
) -> None:
    speaker = await speak()
    await switch_on(hass, targets)
    said = await speaker.say(text, area=area)
    assert targets_of(said) == set(targets), said.reply


@in_one_house(
    ("text", "area", "question"),
    [
        ("set the thermostat to 20 degrees", None,
         "The Bedroom Thermostat or the Living Room Thermostat?"),
        ("turn on a lamp", "Bedroom", "The Left Bedside Lamp or the Right Bedside Lamp?"),
        ("turn on a bulb", "Kitchen",
         "The Kitchen Ceiling, the Kitchen Counter or the Kitchen Pendant?"),
        ("set the radiator to 22", None, "The Bathroom Heating or the Kids Room Heating?"),
        ("dim a lamp in the lounge to 10 percent", None, "The Floor Lamp or the Reading Lamp?"),
        ("turn on the mirror", None, "The Bathroom Mirror or the Mirror Light?"),
        ("turn on both lamps", None, "In which room?"),
        ("turn on the lamp", None, "In which room?"),
        ("turn off the light", None, "In which room?"),
    ],
)  # fmt: skip
async def test_one_of_several_is_asked_for(
    speak: Setup, text: str, area: str | None, question: str
) -> None:
    said = await (await speak()).say(text, area=area)
    assert asks(said, question), said.reply


async def test_of_two_lamps_one_is_asked_for_and_both_are_taken(
    hass: HomeAssistant, speak: Setup
) -> None:
    expose_only(hass, "light.floor_lamp", "light.reading_lamp", "light.kitchen_ceiling")
    speaker = await speak()
    assert asks(await speaker.say("turn on the lamp"), "The Floor Lamp or the Reading Lamp?")
    speaker = await speak()
    for text in ("turn off the lamps", "turn on both lamps", "both lamps off"):
        speaker.conversation_id = None
        said = await speaker.say(text)
        assert targets_of(said) == {"light.floor_lamp", "light.reading_lamp"}, text


async def test_of_many_in_few_rooms_the_rooms_are_named(hass: HomeAssistant, speak: Setup) -> None:
    expose_only(hass, *COUNTERS, *BEDSIDE, "light.desk_lamp")
    said = await (await speak()).say("turn on the light")
    assert asks(said, "In the Office, the Kitchen or the Bedroom?"), said.reply


@in_one_house(
    "text",
    [
        # Words that nothing explains.
        "turn on the purple lamp",
        "turn on the lamp in the attic",
        "turn on the lamp in",
        "turn on the other lamp",
        "turn it off",
        "set the lamp to 21 degrees",
        "set the thermostat to 40 percent",
        # Home Assistant's own, or nobody's.
        "turn off the alarm",
        "turn off the kids",
        # Not now, not at all, or only asked.
        "turn on the lamp tomorrow",
        "turn on the desk light at six",
        "turn on the desk light if it is dark",
        "don't turn on the desk light",
        "turn the desk light on?",
        "why is the desk light on",
        "the desk light is on",
        "",
    ],
)
async def test_what_is_not_plain_is_left_to_others(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor, text: str
) -> None:
    router = ReadingRouter(hass, CatalogSource(hass))
    assert await router.async_route(request_for(text), [RoutedPart(text)]) == [RoutedPart(text)]


@in_one_house(
    ("language", "text", "targets"),
    [
        ("de", "mach das Schreibtischlicht aus", ["light.desk_lamp"]),
        ("de", "schalte die linke Lampe ein", ["light.left_bedside_lamp"]),
        ("de", "kannst du bitte die Stehleuchte auf 30 Prozent stellen?", ["light.floor_lamp"]),
        ("de", "dimm die Leuchte am Esstisch auf zwanzig Prozent", ["light.kitchen_pendant"]),
        ("de", "mach die Arbeitszimmerlampe an", ["light.desk_lamp"]),
        ("de", "mach den Lautsprecher leiser", ["media_player.kitchen_speaker"]),
        ("de", "schalte beide Nachttischlampen aus", BEDSIDE),
        ("de", "Nachttischlampen an", BEDSIDE),
        ("de", "stell die Heizung am Bett auf 21,5 Grad", ["climate.bedroom_thermostat"]),
        ("fr", "éteins la lampe du bureau", ["light.desk_lamp"]),
        ("fr", "peux-tu allumer l'applique gauche, s'il te plaît ?", ["light.left_bedside_lamp"]),
        ("fr", "allume les appliques", BEDSIDE),
        ("fr", "éteins les deux appliques", BEDSIDE),
        ("fr", "mets la télé en pause", [TV]),
        ("fr", "baisse le son de la télé", [TV]),
        ("fr", "règle le thermostat à 21 degrés", ["climate.bedroom_thermostat"]),
        ("fr", "règle la lumière de lecture à vingt pour cent", ["light.reading_lamp"]),
        ("fr", "allume la lampe de l'atelier", ["light.desk_lamp"]),
        ("es", "apaga el flexo", ["light.desk_lamp"]),
        ("es", "enciende la luz de lectura", ["light.reading_lamp"]),
        ("es", "¿puedes apagar la luz del sofá, por favor?", ["light.floor_lamp"]),
        ("es", "enciende las dos lámparas", ["light.floor_lamp", "light.reading_lamp"]),
        ("es", "apaga las lámparas", ["light.floor_lamp", "light.reading_lamp"]),
        ("es", "silencia la tele", [TV]),
        ("es", "pon el termostato a 21 grados", ["climate.bedroom_thermostat"]),
        ("es", "sube el volumen del altavoz del despacho", ["media_player.office_speaker"]),
        ("nl", "doe het bureaulicht uit", ["light.desk_lamp"]),
        ("nl", "zet de linker lamp aan", ["light.left_bedside_lamp"]),
        ("nl", "kun je de lamp in de studeerkamer aandoen?", ["light.desk_lamp"]),
        ("nl", "doe de studeerkamerlamp uit", ["light.desk_lamp"]),
        ("nl", "zet de wandspots uit", BEDSIDE),
        ("nl", "doe beide wandspots aan", BEDSIDE),
        ("nl", "zet de televisie zachter", [TV]),
        ("nl", "dim het leeslicht tot dertig procent", ["light.reading_lamp"]),
        ("nl", "zet de thermostaat op 21 graden", ["climate.bedroom_thermostat"]),
    ],
)
async def test_other_languages_do_it_too(
    hass: HomeAssistant, speak: Setup, language: str, text: str, targets: Iterable[str]
) -> None:
    move_in(hass, language)
    speaker = await speak()
    await switch_on(hass, targets)
    said = await speaker.say(text, language=language)
    assert targets_of(said) == set(targets), said.reply


@in_one_house(
    ("language", "text", "area", "question"),
    [
        ("de", "schalte eine Lampe ein", "Living Room", "Leselampe oder Stehlampe?"),
        ("de", "mach die Nachttischlampe an", None,
         "Linke Nachttischlampe oder Rechte Nachttischlampe?"),
        ("de", "mach die Heizung auf 20 Grad", None, "Heizung am Bett oder Heizung am Fenster?"),
        ("fr", "allume l'applique", None, "Applique droite ou Applique gauche ?"),
        ("fr", "coupe le son de l'enceinte", None, "Enceinte noire ou Enceinte rouge ?"),
        ("fr", "éteins la lampe", None,
         "Lampe de bureau, Lampe de lecture ou Lampe du canapé ?"),
        ("es", "enciende la lámpara", None, "¿Lámpara de lectura o Lámpara del sofá?"),
        ("es", "silencia el altavoz", None, "¿Altavoz negro o Altavoz rojo?"),
        ("nl", "zet de wandspot aan", None, "Linker wandspot of Rechter wandspot?"),
        ("nl", "doe de lamp uit", None, "Bureaulamp, Leeslamp of Staande lamp?"),
    ],
)  # fmt: skip
async def test_other_languages_ask_too(
    hass: HomeAssistant, speak: Setup, *, language: str, text: str, area: str | None, question: str
) -> None:
    move_in(hass, language)
    playing = hass.states.get("media_player.kitchen_speaker")
    assert playing
    hass.states.async_set(playing.entity_id, "idle", playing.attributes)
    said = await (await speak()).say(text, language=language, area=area)
    assert asks(said, question), said.reply


@in_one_house(
    ("language", "text"),
    [
        ("de", "mach die rote Lampe an"),
        ("de", "mach das Schreibtischlicht nicht an"),
        ("de", "mach das Schreibtischlicht um acht Uhr an"),
        ("fr", "allume la lampe verte"),
        ("fr", "allume la lampe du grenier"),
        ("fr", "n'allume pas l'applique gauche"),
        ("fr", "allume l'applique gauche demain"),
        ("es", "enciende la lámpara verde"),
        ("es", "no enciendas el flexo"),
        ("es", "enciende el flexo mañana"),
        ("es", "enciende el flexo si llueve"),
        ("nl", "doe de groene lamp aan"),
        ("nl", "doe het bureaulicht niet aan"),
        ("nl", "doe het bureaulicht morgen aan"),
        ("nl", "doe het bureaulicht aan als het donker is"),
    ],
)
async def test_other_languages_leave_it_to_others_too(
    hass: HomeAssistant, house: ConfigEntry, language: str, text: str
) -> None:
    move_in(hass, language)
    words = await async_get_language(hass, language)
    router = ReadingRouter(hass, CatalogSource(hass))
    assert await router.async_route(routing_request(text, words), [RoutedPart(text)]) == [
        RoutedPart(text)
    ]


async def understood(
    hass: HomeAssistant, request_for: RequestFor, text: str, **options: object
) -> Assignment | None:
    """Return the assignment of a sentence."""
    router = ReadingRouter(hass, CatalogSource(hass))
    [part] = await router.async_route(request_for(text, **options), [RoutedPart(text)])
    assert part.text == text
    return part.assignment


async def test_the_intent_is_the_one_home_assistant_would_have_found(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    found = await understood(hass, request_for, "set the desk light to 40 percent")
    assert found
    assert (found.agent_id, found.source, found.confidence) == ("light-agent", Source.READER, 1.0)
    assert found.instruction == "set the desk light to 40 percent"
    assert found.intent == Command(
        "HassLightSet", {"brightness": 40}, ("light.desk_lamp",), domain="light", is_named=True
    )


async def test_nothing_is_carried_out_by_routing(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    assert await understood(hass, request_for, "turn off the desk light")
    await hass.async_block_till_done()
    assert hass.states.is_state("light.desk_lamp", "on")


async def test_what_is_assigned_already_stays_so(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    taken = RoutedPart(
        "turn on the desk light",
        Assignment(agent_id="x", instruction="y", confidence=1, source=Source.REFLEX),
    )
    router = ReadingRouter(hass, CatalogSource(hass))
    assert await router.async_route(request_for("z"), [taken]) == [taken]


async def test_an_agent_out_of_scope_is_not_given_its_things(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    cards = [card for card in CARDS if card.id != "light-agent"]
    found = await understood(hass, request_for, "turn on the desk light", cards=cards)
    assert found
    assert found.agent_id == "home-agent"


async def test_what_is_not_exposed_is_not_found(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    assert await understood(hass, request_for, "turn on the beacon") is None
    assert await understood(hass, request_for, "turn on the warning lights") is None
    async_expose_entity(hass, "conversation", "light.desk_lamp", False)
    assert await understood(hass, request_for, "turn on the desk light") is None


@pytest.mark.parametrize(
    ("text", "rival"),
    [
        ("turn on the desk lamp please", "Desk Lamp"),
        ("turn on the desk", "Desk Socket"),
    ],
)
async def test_what_may_be_something_else_is_not_guessed(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor, text: str, rival: str
) -> None:
    assert await understood(hass, request_for, text)
    hass.states.async_set("switch.rival", "off", {"friendly_name": rival})
    # Of two things of one name it is asked which.
    found = await understood(hass, request_for, text)
    assert found is None or (found.intent and found.intent.is_ambiguous)


async def test_what_only_reports_is_no_rival(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    hass.states.async_set("sensor.rival", "5", {"friendly_name": "Desk Light Power"})
    async_expose_entity(hass, "conversation", "sensor.rival", True)
    assert await understood(hass, request_for, "turn on the desk light")


async def test_of_several_players_the_one_that_plays_is_meant(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    found = await understood(hass, request_for, "set the speaker to 20 percent")
    assert found
    assert found.intent == Command(
        "HassSetVolume",
        {"volume_level": 20},
        ("media_player.kitchen_speaker",),
        domain="media_player",
    )
    found = await understood(hass, request_for, "pause the speakers")
    assert found
    assert found.intent
    assert found.intent.targets == ("media_player.kitchen_speaker",)
    found = await understood(hass, request_for, "mute the speakers")
    assert found
    assert found.intent
    assert len(found.intent.targets) == 4
    hass.states.async_set("media_player.office_speaker", "paused")
    found = await understood(hass, request_for, "resume the speaker")
    assert found
    assert found.intent
    assert found.intent.targets == ("media_player.office_speaker",)


async def test_a_name_is_only_singular_as_it_is_written(
    hass: HomeAssistant, house: ConfigEntry, request_for: RequestFor
) -> None:
    """Two sets of beams are two things, and "the beams" does not say which."""
    for room in ("Hall", "Bath"):
        hass.states.async_set(f"light.{room}", "off", {"friendly_name": f"{room} Beams"})
    found = await understood(hass, request_for, "turn on the beams")
    assert found
    assert found.intent
    assert found.intent.is_ambiguous
    hass.states.async_set("light.extra", "off", {"friendly_name": "Extra Beam"})
    found = await understood(hass, request_for, "turn on the beams")
    assert found
    assert found.intent
    assert not found.intent.is_ambiguous
    assert len(found.intent.targets) == 3


@pytest.mark.parametrize(
    ("text", "area"),
    [("turn on the lamp in the living room", None), ("turn off the lamp", "Living Room")],
)
async def test_one_lamp_of_several_in_a_room_is_asked_about(
    speak: Setup, text: str, area: str | None
) -> None:
    said = await (await speak()).say(text, area=area)
    assert not said.calls
    assert "Floor Lamp" in said.reply
    assert "Reading Lamp" in said.reply
    assert said.result.continue_conversation


@in_one_house("text", ["turn on the lamps", "turn on the light", "turn off the lights"])
async def test_all_of_a_room_is_asked_about_by_nobody(speak: Setup, text: str) -> None:
    said = await (await speak()).say(text, area="Living Room")
    assert said.calls
    assert not said.result.continue_conversation

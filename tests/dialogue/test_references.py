"""What plainly refers to the last turns is taken up without a model, and nothing else is."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
import json
import random
from typing import Any

from hassil.expression import (
    Alternative,
    Expression,
    Group,
    ListReference,
    RuleReference,
    TextChunk,
)
from hassil.intents import Intents, TextSlotList
from hypothesis import given, settings, strategies as st
import pytest

from custom_components.bellboard.dialogue.references import (
    MAX_AGE,
    Reference,
    acted_on_before,
    recent_targets,
    resolve,
)
from custom_components.bellboard.memory.turns import RememberedTurn
from tests.memory.remembering import (
    BEDROOM_LIGHTS,
    KITCHEN_LIGHTS,
    LAMP,
    LEFT,
    OFFICE_LIGHTS,
    READING,
    RIGHT,
    SPEAKER,
    SPECIALISTS,
    THERMOSTAT,
    TURNS,
    home,
    language,
    part,
    turn,
)

STEREO, TV = "media_player.living_room_speaker", "media_player.living_room_tv"

# When the turns were, however long the tests take.
_NOW = datetime.now(UTC)

type Expected = tuple[str, tuple[str, ...]] | str | None


def found(before: str, sentence: str, code: str = "en", **options: Any) -> Reference | None:
    """Return what a sentence refers to after some turns."""
    values: dict[str, Any] = {"specialists": SPECIALISTS, "now": _NOW} | options
    return resolve(sentence, TURNS[before], home(), language(code), **values)


def shown(reference: Reference | None) -> Expected:
    """Return a reference as it stands in the tables: the action and its targets, or the words."""
    if reference is None or reference.text:
        return reference.text if reference else None
    said = [
        " ".join((action.name, *(f"{k}={v}" for k, v in action.parameters.items())))
        for action in reference.actions
    ]
    assert reference.agent_id == SPECIALISTS[reference.targets[0].partition(".")[0]]
    return "+".join(said), tuple(sorted(reference.targets))


ENGLISH: list[tuple[str, str, Expected]] = [
    # A command to "it".
    ("lamp on", "turn it off", ("turn_off", (LAMP,))),
    ("lamp on", "Turn it off again, please.", ("turn_off", (LAMP,))),
    ("lamp on", "can you turn that off?", ("turn_off", (LAMP,))),
    ("kitchen on", "turn them off again", ("turn_off", KITCHEN_LIGHTS)),
    ("kitchen on", "switch it back on", ("turn_on", KITCHEN_LIGHTS)),
    ("lamp on", "off again", ("turn_off", (LAMP,))),
    ("lamp on", "toggle it", ("toggle", (LAMP,))),
    ("jazz", "pause it", ("pause", (SPEAKER,))),
    ("jazz", "stop it", ("stop", (SPEAKER,))),
    ("jazz", "mute it", ("mute", (SPEAKER,))),
    ("jazz", "skip this one", ("next", (SPEAKER,))),
    ("music paused", "resume it", ("resume", (SPEAKER,))),
    ("music paused", "start it again", ("resume", (SPEAKER,))),
    ("21 degrees", "turn it off", ("turn_off", (THERMOSTAT,))),
    # A step, of whatever it was about.
    ("lamp on", "make it brighter", ("change_brightness by=25", (LAMP,))),
    ("lamp on", "make it a bit darker", ("change_brightness by=-10", (LAMP,))),
    ("lamp on", "and brighter", ("change_brightness by=25", (LAMP,))),
    ("lamp on", "much brighter", ("change_brightness by=50", (LAMP,))),
    ("lamp on", "make it 15 percent brighter", ("change_brightness by=15", (LAMP,))),
    ("lamp on", "that's too bright", ("change_brightness by=-25", (LAMP,))),
    ("lamp on", "not so bright", ("change_brightness by=-25", (LAMP,))),
    ("lamp on", "turn it up a bit", ("change_brightness by=10", (LAMP,))),
    ("jazz", "make it louder", ("volume_up", (SPEAKER,))),
    ("jazz", "turn it down", ("volume_down", (SPEAKER,))),
    ("jazz", "a lot quieter", ("change_volume by=-20", (SPEAKER,))),
    ("jazz", "turn it up", ("volume_up", (SPEAKER,))),
    ("lamp on", "make it warmer", ("warmer_white", (LAMP,))),
    ("21 degrees", "make it warmer", ("change_temperature by=1", (THERMOSTAT,))),
    ("21 degrees", "2 degrees cooler", ("change_temperature by=-2", (THERMOSTAT,))),
    ("21 degrees", "turn it down", ("change_temperature by=-1", (THERMOSTAT,))),
    # A value.
    ("lamp on", "make it blue", ("set color=blue", (LAMP,))),
    ("lamp blue", "now make it red", ("set color=red", (LAMP,))),
    ("lamp blue", "rather green", ("set color=green", (LAMP,))),
    ("lamp on", "make it 40 percent", ("set percent=40", (LAMP,))),
    ("lamp on", "dim it to forty percent", ("set percent=40", (LAMP,))),
    ("lamp on", "dim it to half", ("set percent=50", (LAMP,))),
    ("lamp on", "set it to 21", ("set percent=21", (LAMP,))),
    ("lamp on", "make it 2700 kelvin", ("set kelvin=2700", (LAMP,))),
    ("jazz", "set it to 30%", ("set_volume percent=30", (SPEAKER,))),
    ("warmer", "set it to 21 degrees", ("set_temperature temperature=21", (THERMOSTAT,))),
    ("warmer", "set it to 21.5", ("set_temperature temperature=21.5", (THERMOSTAT,))),
    # More and less.
    ("lamp brighter", "more", ("change_brightness by=25", (LAMP,))),
    ("lamp brighter", "a bit more", ("change_brightness by=10", (LAMP,))),
    ("lamp darker", "even more", ("change_brightness by=-10", (LAMP,))),
    ("lamp darker", "further", ("change_brightness by=-10", (LAMP,))),
    ("lamp brighter", "less", ("change_brightness by=-10", (LAMP,))),
    ("lamp brighter", "too much", ("change_brightness by=-13", (LAMP,))),
    ("lamp darker", "that's too much", ("change_brightness by=5", (LAMP,))),
    ("lamp brighter", "again", ("change_brightness by=25", (LAMP,))),
    ("lamp brighter", "once more", ("change_brightness by=25", (LAMP,))),
    ("lamp at 40", "a little less", ("change_brightness by=-10", (LAMP,))),
    ("lamp at 40", "much more", ("change_brightness by=50", (LAMP,))),
    ("louder", "again", ("volume_up", (SPEAKER,))),
    ("louder", "too much", ("volume_down", (SPEAKER,))),
    ("volume by 20", "too much", ("change_volume by=-10", (SPEAKER,))),
    ("volume at 30", "more", ("volume_up", (SPEAKER,))),
    ("21 degrees", "a bit more", ("change_temperature by=1", (THERMOSTAT,))),
    ("warmer", "a bit too much", ("change_temperature by=-0.5", (THERMOSTAT,))),
    ("skipped", "again", ("next", (SPEAKER,))),
    # The same for something else.
    ("kitchen on", "and the bedroom too", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "also in the bedroom", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "the bedroom as well", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "what about the bedroom?", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "and the lights in the bedroom", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "and the bedroom lights too", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "do the same in the bedroom", ("turn_on", BEDROOM_LIGHTS)),
    ("lamp at 40", "the same in the office", ("set percent=40", OFFICE_LIGHTS)),
    (
        "kitchen on",
        "and the bedroom and the office too",
        ("turn_on", tuple(sorted(BEDROOM_LIGHTS + OFFICE_LIGHTS))),
    ),
    ("kitchen on", "and the floor lamp", ("turn_on", (LAMP,))),
    ("kitchen on", "and the desk lamp and the reading lamp", ("turn_on", ("light.desk_lamp", READING))),
    ("jazz", "and in the bedroom too", ("play query=jazz", ("media_player.bedroom_speaker",))),
    ("music paused", "the living room too", ("pause", (STEREO,))),
    ("21 degrees", "and the bathroom", ("set_temperature temperature=21.0", ("climate.bathroom_heating",))),
    # The other one.
    ("left after a question", "the other one", ("turn_on", (RIGHT,))),
    ("left after a question", "no, the other one", ("turn_on", (RIGHT,))),
    ("left after a question", "not that one, the other one", ("turn_on", (RIGHT,))),
    ("left after a question", "turn both off", ("turn_off", (LEFT, RIGHT))),
    ("lamp on", "no, the other one", ("turn_on", (READING,))),
    ("lamp on", "turn the other one off", ("turn_off", (READING,))),
    (
        "lamp on",
        "the others too",
        ("turn_on", ("light.living_room_ceiling", READING, "light.tv_backlight")),
    ),
    ("two lamps on", "turn both off", ("turn_off", (LAMP, READING))),
    # Several parts, of which one can be meant, or both.
    ("light and music", "make it brighter", ("change_brightness by=25", (LAMP,))),
    ("light and music", "louder", ("volume_up", (SPEAKER,))),
    ("one after the other", "turn them off", ("turn_off", (LAMP, READING))),
    ("talk after lamp", "turn it off", ("turn_off", (LAMP,))),
    # What Home Assistant did itself, and questions it answered.
    ("blinds open", "close them again", "close Kitchen Blinds"),
    ("blinds open", "set it to 40 percent", "set Kitchen Blinds to 40%"),
    ("blinds open", "and the bedroom too", "open Bedroom Blinds"),
    ("blinds open", "and the living room blinds", "open Living Room Blinds"),
    ("blinds open", "and the garage door too", "open Garage Door"),
    ("all blinds open", "close them", "close Kitchen Blinds and close Living Room Blinds"),
    ("coffee on", "turn it off again", "turn off Coffee Machine"),
    ("coffee on", "and the washing machine too", "turn on Washing Machine"),
    ("fan on", "set it to 50 percent", "set Bedroom Fan speed to 50%"),
    ("vacuum", "start it again", "start Dusty"),
    ("door asked", "lock it", "lock Front Door"),
    ("lamp asked", "turn it off", ("turn_off", (LAMP,))),
    ("kitchen asked", "and in the bedroom?", "are any lights on in the Bedroom"),
]  # fmt: skip

NOT_PLAIN: list[tuple[str, str]] = [
    # Nothing to refer to.
    ("nothing", "turn it off"),
    ("timer", "turn it off"),
    ("asked which", "turn it off"),
    ("failure after lamp", "turn it off"),
    ("hidden", "turn it off"),
    # Not for now, not at all, or only asked.
    ("lamp on", "don't turn it off"),
    ("lamp on", "do not turn it off"),
    ("lamp on", "never turn it off"),
    ("lamp on", "turn it off in ten minutes"),
    ("lamp on", "turn it off at 10 pm"),
    ("lamp on", "turn it off tomorrow"),
    ("lamp on", "turn it off if it rains"),
    ("lamp on", "is it on?"),
    ("lamp on", "how bright is it"),
    ("kitchen on", "is the bedroom on too"),
    ("kitchen on", "and the bedroom in ten minutes too"),
    ("kitchen on", "and don't turn on the bedroom"),
    # Several that could be meant.
    ("light and music", "turn it off"),
    ("light and music", "turn it up"),
    ("light and music", "again"),
    ("light and music", "and the bedroom too"),
    ("one after the other", "turn it off"),
    ("one after the other", "a bit more"),
    ("mixed", "turn them on again"),
    ("kitchen on", "the other one"),
    ("two lamps on", "the other one"),
    ("lamp on", "turn both off"),
    # Nothing that can be done with it.
    ("lamp on", "pause it"),
    ("lamp on", "louder"),
    ("lamp on", "set it to 21 degrees"),
    ("jazz", "make it blue"),
    ("lamp on", "a bit more"),
    ("lamp blue", "more"),
    ("lamp at 40", "again"),
    ("blinds open", "a bit more"),
    ("coffee on", "make it brighter"),
    ("door asked", "turn it off"),
    ("door asked", "and the bedroom?"),
    ("21 degrees", "20 degrees warmer"),
    # Something else is named, or something else is to be done.
    ("kitchen on", "turn on the bedroom"),
    ("kitchen on", "and the bedroom off"),
    ("kitchen on", "and turn off the bedroom too"),
    ("kitchen on", "and the blinds in the bedroom"),
    ("kitchen on", "and the bedroom speaker too"),
    ("kitchen on", "and brighter in the bedroom"),
    ("kitchen on", "and the attic too"),
    ("kitchen on", "and here too"),
    ("blinds open", "and the garage too"),
    ("jazz", "and the office at 5 tomorrow too"),
    ("kitchen on", "no more"),
    ("kitchen on", "turn everything off"),
    ("kitchen on", "what time is it"),
    ("kitchen on", ""),
    ("kitchen on", "x" * 500),
]

GERMAN: list[tuple[str, str, Expected]] = [
    ("lamp on", "mach es aus", ("turn_off", (LAMP,))),
    ("lamp on", "schalte sie bitte wieder aus", ("turn_off", (LAMP,))),
    ("lamp on", "wieder aus", ("turn_off", (LAMP,))),
    ("kitchen on", "mach sie wieder an", ("turn_on", KITCHEN_LIGHTS)),
    ("two lamps on", "mach beide aus", ("turn_off", (LAMP, READING))),
    ("lamp on", "mach die andere auch an", ("turn_on", (READING,))),
    ("lamp on", "etwas heller", ("change_brightness by=10", (LAMP,))),
    ("lamp on", "dimm sie auf vierzig Prozent", ("set percent=40", (LAMP,))),
    ("lamp on", "das ist zu hell", ("change_brightness by=-25", (LAMP,))),
    ("lamp on", "nicht so hell", ("change_brightness by=-25", (LAMP,))),
    ("lamp on", "mach sie blau", ("set color=blue", (LAMP,))),
    ("jazz", "dreh es leiser", ("volume_down", (SPEAKER,))),
    ("warmer", "stell sie auf 21,5 Grad", ("set_temperature temperature=21.5", (THERMOSTAT,))),
    ("lamp brighter", "ein bisschen mehr", ("change_brightness by=10", (LAMP,))),
    ("lamp brighter", "nochmal", ("change_brightness by=25", (LAMP,))),
    ("lamp brighter", "noch ein bisschen", ("change_brightness by=10", (LAMP,))),
    ("lamp brighter", "zu viel", ("change_brightness by=-13", (LAMP,))),
    ("kitchen on", "und das Schlafzimmer auch", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "und die Stehlampe", ("turn_on", (LAMP,))),
    ("kitchen on", "was ist mit dem Schlafzimmer?", ("turn_on", BEDROOM_LIGHTS)),
    ("left after a question", "nein, die andere", ("turn_on", (RIGHT,))),
    ("left after a question", "nicht die, sondern die andere", ("turn_on", (RIGHT,))),
    ("blinds open", "mach sie wieder zu", "schließe Kitchen Blinds"),
    ("blinds open", "fahr sie auf 40 Prozent", "stelle Kitchen Blinds auf 40 %"),
    ("coffee on", "schalt sie wieder aus", "schalte Coffee Machine aus"),
    ("door asked", "schließ sie ab", "sperre Front Door ab"),
    ("lamp on", "mach es nicht aus", None),
    ("lamp on", "mach es in zehn Minuten aus", None),
    ("lamp on", "ist es an?", None),
    ("kitchen on", "und das Schlafzimmer nicht", None),
    ("kitchen on", "und das Schlafzimmer aus", None),
]

FRENCH: list[tuple[str, str, Expected]] = [
    ("lamp on", "éteins-la", ("turn_off", (LAMP,))),
    ("kitchen on", "éteins-les à nouveau, s'il te plaît", ("turn_off", KITCHEN_LIGHTS)),
    ("kitchen on", "rallume-les", ("turn_on", KITCHEN_LIGHTS)),
    ("two lamps on", "éteins-les toutes les deux", ("turn_off", (LAMP, READING))),
    ("lamp on", "un peu plus clair", ("change_brightness by=10", (LAMP,))),
    ("lamp on", "mets-la à quarante pour cent", ("set percent=40", (LAMP,))),
    ("lamp on", "mets-la en bleu", ("set color=blue", (LAMP,))),
    ("jazz", "plus fort", ("volume_up", (SPEAKER,))),
    ("jazz", "pas si fort", ("volume_down", (SPEAKER,))),
    ("jazz", "mets-la en pause", ("pause", (SPEAKER,))),
    ("warmer", "mets-le à 21,5 degrés", ("set_temperature temperature=21.5", (THERMOSTAT,))),
    ("lamp brighter", "encore un peu", ("change_brightness by=10", (LAMP,))),
    ("lamp brighter", "c'est trop", ("change_brightness by=-13", (LAMP,))),
    ("lamp brighter", "encore une fois", ("change_brightness by=25", (LAMP,))),
    ("kitchen on", "et la chambre aussi", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "et le lampadaire", ("turn_on", (LAMP,))),
    ("kitchen on", "pareil dans la chambre", ("turn_on", BEDROOM_LIGHTS)),
    ("left after a question", "non, l'autre", ("turn_on", (RIGHT,))),
    ("blinds open", "referme-les", "ferme Kitchen Blinds"),
    ("coffee on", "éteins-la", "éteins Coffee Machine"),
    ("door asked", "verrouille-la", "verrouille Front Door"),
    ("lamp on", "ne l'éteins pas", None),
    ("lamp on", "éteins-la dans dix minutes", None),
    ("lamp on", "est-ce qu'elle est allumée ?", None),
    ("kitchen on", "et pas la chambre", None),
]

SPANISH: list[tuple[str, str, Expected]] = [
    ("lamp on", "apágala", ("turn_off", (LAMP,))),
    ("kitchen on", "apágalas otra vez, por favor", ("turn_off", KITCHEN_LIGHTS)),
    ("kitchen on", "vuelve a encenderlas", ("turn_on", KITCHEN_LIGHTS)),
    ("two lamps on", "apaga las dos", ("turn_off", (LAMP, READING))),
    ("lamp on", "un poco más brillante", ("change_brightness by=10", (LAMP,))),
    ("lamp on", "ponla al cuarenta por ciento", ("set percent=40", (LAMP,))),
    ("lamp on", "ponla en azul", ("set color=blue", (LAMP,))),
    ("lamp on", "no tan brillante", ("change_brightness by=-25", (LAMP,))),
    ("jazz", "páusala", ("pause", (SPEAKER,))),
    ("jazz", "súbela un poco", ("volume_up", (SPEAKER,))),
    ("warmer", "ponlo a 21,5 grados", ("set_temperature temperature=21.5", (THERMOSTAT,))),
    ("lamp brighter", "un poco más", ("change_brightness by=10", (LAMP,))),
    ("lamp brighter", "demasiado", ("change_brightness by=-13", (LAMP,))),
    ("lamp brighter", "otra vez", ("change_brightness by=25", (LAMP,))),
    ("kitchen on", "y el dormitorio también", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "¿y la lámpara de pie?", ("turn_on", (LAMP,))),
    ("kitchen on", "lo mismo en el dormitorio", ("turn_on", BEDROOM_LIGHTS)),
    ("left after a question", "no, la otra", ("turn_on", (RIGHT,))),
    ("blinds open", "ciérralas otra vez", "cierra Kitchen Blinds"),
    ("coffee on", "apágala", "apaga Coffee Machine"),
    ("door asked", "ciérrala con llave", "cierra con llave Front Door"),
    ("lamp on", "no la apagues", None),
    ("lamp on", "apágala en diez minutos", None),
    ("lamp on", "¿está encendida?", None),
    ("kitchen on", "y el dormitorio no", None),
]

DUTCH: list[tuple[str, str, Expected]] = [
    ("lamp on", "zet het uit", ("turn_off", (LAMP,))),
    ("kitchen on", "doe ze alsjeblieft weer uit", ("turn_off", KITCHEN_LIGHTS)),
    ("lamp on", "zet hem weer aan", ("turn_on", (LAMP,))),
    ("two lamps on", "doe ze allebei uit", ("turn_off", (LAMP, READING))),
    ("lamp on", "doe de andere ook aan", ("turn_on", (READING,))),
    ("lamp on", "iets feller", ("change_brightness by=10", (LAMP,))),
    ("lamp on", "zet hem op veertig procent", ("set percent=40", (LAMP,))),
    ("lamp on", "maak hem blauw", ("set color=blue", (LAMP,))),
    ("lamp on", "niet zo fel", ("change_brightness by=-25", (LAMP,))),
    ("jazz", "zet het zachter", ("volume_down", (SPEAKER,))),
    ("warmer", "zet hem op 21,5 graden", ("set_temperature temperature=21.5", (THERMOSTAT,))),
    ("lamp brighter", "een beetje meer", ("change_brightness by=10", (LAMP,))),
    ("lamp brighter", "te veel", ("change_brightness by=-13", (LAMP,))),
    ("lamp brighter", "nog een keer", ("change_brightness by=25", (LAMP,))),
    ("kitchen on", "en de slaapkamer ook", ("turn_on", BEDROOM_LIGHTS)),
    ("kitchen on", "en de vloerlamp", ("turn_on", (LAMP,))),
    ("kitchen on", "hoe zit het met de slaapkamer?", ("turn_on", BEDROOM_LIGHTS)),
    ("left after a question", "nee, de andere", ("turn_on", (RIGHT,))),
    ("blinds open", "doe ze weer dicht", "sluit Kitchen Blinds"),
    ("coffee on", "zet hem weer uit", "zet Coffee Machine uit"),
    ("door asked", "vergrendel hem", "vergrendel Front Door"),
    ("lamp on", "zet het niet uit", None),
    ("lamp on", "zet het over tien minuten uit", None),
    ("lamp on", "is het aan?", None),
    ("kitchen on", "en de slaapkamer niet", None),
]

POLISH: list[tuple[str, str, Expected]] = [
    ("lamp on", "wyłącz ją", ("turn_off", (LAMP,))),
    ("kitchen on", "zgaś je z powrotem, proszę", ("turn_off", KITCHEN_LIGHTS)),
    ("lamp on", "włącz ją znowu", ("turn_on", (LAMP,))),
    ("two lamps on", "zgaś obie", ("turn_off", (LAMP, READING))),
    ("lamp on", "włącz też drugą", ("turn_on", (READING,))),
    ("lamp on", "trochę jaśniej", ("change_brightness by=10", (LAMP,))),
    ("lamp on", "ustaw ją na czterdzieści procent", ("set percent=40", (LAMP,))),
    ("lamp on", "zmień ją na niebieski", ("set color=blue", (LAMP,))),
    ("lamp on", "nie tak jasno", ("change_brightness by=-25", (LAMP,))),
    ("jazz", "ścisz", ("volume_down", (SPEAKER,))),
    ("warmer", "ustaw go na 21,5 stopnia", ("set_temperature temperature=21.5", (THERMOSTAT,))),
    ("lamp brighter", "trochę więcej", ("change_brightness by=10", (LAMP,))),
    ("lamp brighter", "za dużo", ("change_brightness by=-13", (LAMP,))),
    ("lamp brighter", "jeszcze raz", ("change_brightness by=25", (LAMP,))),
    ("left after a question", "nie, tę drugą", ("turn_on", (RIGHT,))),
    ("blinds open", "zamknij je z powrotem", "zamknij Kitchen Blinds"),
    ("coffee on", "wyłącz go", "wyłącz Coffee Machine"),
    ("door asked", "zablokuj je", "zablokuj Front Door"),
    ("lamp on", "nie wyłączaj jej", None),
    ("lamp on", "wyłącz ją za dziesięć minut", None),
    ("lamp on", "czy jest włączona?", None),
]

TABLES = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH, "nl": DUTCH, "pl": POLISH}


@pytest.mark.parametrize(
    ("code", "before", "sentence", "expected"),
    [(code, *row) for code, rows in TABLES.items() for row in rows],
)
def test_what_is_plain_is_taken_up(
    code: str, before: str, sentence: str, expected: Expected
) -> None:
    assert shown(found(before, sentence, code)) == expected


@pytest.mark.parametrize(("before", "sentence"), NOT_PLAIN)
def test_what_is_not_plain_is_left_to_others(before: str, sentence: str) -> None:
    assert found(before, sentence) is None


def test_here_is_where_the_speaker_is() -> None:
    assert shown(found("kitchen on", "and here too", area_id="bedroom")) == (
        "turn_on",
        BEDROOM_LIGHTS,
    )


def test_what_was_said_long_ago_is_forgotten() -> None:
    now = datetime.fromisoformat(TURNS["lamp on"][0].at)
    for seconds in (0, MAX_AGE - 5):
        assert found("lamp on", "turn it off", now=now + timedelta(seconds=seconds))
    for seconds in (MAX_AGE + 5, 86400):
        assert found("lamp on", "turn it off", now=now + timedelta(seconds=seconds)) is None
        assert not recent_targets(TURNS["lamp on"], now + timedelta(seconds=seconds))


@pytest.mark.parametrize("at", ["", "yesterday", "0", "9999-99-99", "2020-01-01T00:00:00"])
def test_a_turn_without_a_time_is_old(at: str) -> None:
    turns = [turn(*TURNS["lamp on"][0].parts, at=at)]
    assert resolve("turn it off", turns, home(), language("en"), specialists=SPECIALISTS) is None


def test_what_is_not_exposed_any_more_is_left_alone() -> None:
    kept = [turn(part("light", None, LAMP, "light.alarm_beacon", "light.gone"))]
    reference = resolve("turn them off", kept, home(), language("en"), specialists=SPECIALISTS)
    assert reference
    assert reference.targets == (LAMP,)


def test_without_a_specialist_home_assistant_is_asked() -> None:
    reference = found("lamp on", "turn it off", specialists={})
    assert reference == Reference(targets=(LAMP,), text="turn off Floor Lamp")
    assert found("lamp on", "make it brighter", specialists={}) is None


def test_a_sentence_that_names_something_is_none_of_these() -> None:
    """A colour can be the name of a room."""
    catalog = home()
    blue = type(catalog.areas["office"])("blue", ("Blue",), None, is_floor=False)
    named = type(catalog)(1, catalog.entities, {**catalog.areas, "blue": blue}, catalog.floors)
    turns = TURNS["lamp on"]
    for sentence, expected in (("make it blue", False), ("make it red", True)):
        reference = resolve(sentence, turns, named, language("en"), specialists=SPECIALISTS)
        assert bool(reference) is expected


def test_a_name_that_two_share_is_not_asked_for() -> None:
    catalog = home()
    entities = dict(catalog.entities)
    for entity_id in ("switch.coffee_machine", "switch.washing_machine"):
        entity = entities[entity_id]
        values = (entity_id, ("Machine",), entity.area_id, entity.floor_id, entity.device_class)
        entities[entity_id] = type(entity)(*values)
    shared = type(catalog)(1, entities, catalog.areas, catalog.floors)
    turns = TURNS["coffee on"]
    assert resolve("turn it off", turns, shared, language("en"), specialists=SPECIALISTS) is None


def test_many_things_are_not_asked_for_one_by_one() -> None:
    catalog = home()
    many = {
        f"switch.number_{n}": type(catalog.entities[LAMP])(
            f"switch.number_{n}", (f"Number {n} Plug",), "kitchen", None, None
        )
        for n in range(9)
    }
    large = type(catalog)(1, {**catalog.entities, **many}, catalog.areas, catalog.floors)
    for count, expected in ((8, True), (9, False)):
        turns = [turn(part("home", None, *list(many)[:count]))]
        reference = resolve("turn them off", turns, large, language("en"), specialists=SPECIALISTS)
        assert bool(reference) is expected


def test_it_stands_for_what_the_last_turn_was_about() -> None:
    assert recent_targets(TURNS["light and music"]) == (LAMP, SPEAKER)
    assert recent_targets(TURNS["talk after lamp"]) == (LAMP,)
    assert recent_targets(TURNS["nothing"]) == ()


def test_a_question_leaves_what_was_acted_on_before_it() -> None:
    asked = TURNS["asked which"]
    assert recent_targets([*TURNS["lamp on"], *asked]) == ()
    assert acted_on_before([*TURNS["lamp on"], *asked]) == (LAMP,)
    assert acted_on_before(asked) == ()


@pytest.mark.parametrize(
    ("code", "sentence", "expected"),
    [
        ("en", "make it cosy", True),
        ("en", "make the lamp cosy", False),
        ("en", "it is too dark in here", False),
        ("de", "mach sie gemütlich", True),
        ("de", "mach das Licht gemütlich", False),
        ("fr", "rends-la plus chaleureuse", True),
        ("fr", "allume la lampe", False),
        ("es", "ponla más acogedora", True),
        ("es", "enciende la lámpara", False),
        ("nl", "maak het gezellig", True),
        ("nl", "maak het licht gezellig", False),
        ("nl", "zet ze wat gezelliger", True),
    ],
)
def test_a_request_about_it_is_known_as_one(code: str, sentence: str, *, expected: bool) -> None:
    assert language(code).references.has_object(sentence) is expected


WORDS = sorted(
    {
        word
        for rows in TABLES.values()
        for _, sentence, _ in rows
        for word in sentence.replace(",", "").split()
    }
    | {"not", "don't", "nicht", "in", "ten", "minutes", "if", "when", "?", "%", "-1", "1e9", "°"}
)


@settings(max_examples=300, deadline=None)
@given(
    before=st.sampled_from(sorted(TURNS)),
    code=st.sampled_from(sorted(TABLES)),
    sentence=st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)),
    area=st.sampled_from([None, "bedroom", "nowhere"]),
)
def test_no_words_break_it_or_reach_what_is_not_exposed(
    before: str, code: str, sentence: str, area: str | None
) -> None:
    reference = found(before, sentence, code, area_id=area)
    if reference is None:
        return
    assert set(reference.targets) <= set(home().entities)
    assert bool(reference.text) != bool(reference.agent_id)
    assert bool(reference.actions) == bool(reference.agent_id)
    if reference.agent_id:
        assert reference.targets
        json.dumps([asdict(action) for action in reference.actions])


@pytest.mark.parametrize("code", sorted(TABLES))
def test_every_template_says_one_thing(code: str) -> None:
    """Whichever way it is said, a sentence is heard as what it stands for and as nothing else."""
    sentences = language(code).references
    templates = sentences._intents
    chosen = random.Random(code)  # noqa: S311 -- the same sentences each time
    for kind, intent in templates.intents.items():
        for template in intent.data[0].sentences:
            for _ in range(10):
                text = " ".join(_say(template.expression, templates, chosen).split())
                heard = sentences.recognize(text)
                assert heard, text
                assert heard.kind == kind, text
                others = {match.intent.name for match in sentences._match(text)}
                assert others <= {kind, "also"}, text


def _say(expression: Expression, templates: Intents, chosen: random.Random) -> str:
    """Return one of the ways to say a template."""
    match expression:
        case TextChunk():
            return expression.original_text
        case Alternative():
            return _say(chosen.choice(expression.items), templates, chosen)
        case Group():
            return "".join(_say(item, templates, chosen) for item in expression.items)
        case RuleReference():
            rule = templates.expansion_rules[expression.rule_name]
            return _say(rule.expression, templates, chosen)
        case ListReference():
            known = templates.slot_lists[expression.list_name]
            if isinstance(known, TextSlotList):
                return _say(chosen.choice(known.values).text_in, templates, chosen)
            return {"what": "Attic", "kelvin": "2700"}.get(expression.list_name, "21")
    raise AssertionError(expression)


def test_the_templates_of_a_language_are_those_of_english() -> None:
    english = language("en").references
    for code in TABLES:
        other = language(code).references
        assert other.kinds == english.kinds
        assert other.requests.keys() == english.requests.keys()
        assert other.things.keys() == english.things.keys()


def test_the_tables_hold_only_turns_that_can_be_kept() -> None:
    for turns in TURNS.values():
        for entry in turns:
            assert RememberedTurn.model_validate(entry.as_json()) == entry

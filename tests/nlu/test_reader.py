"""Commands are read word by word: in any order, with any courtesy, several at once; or not at all."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.nlu.corrections import read_correction
from custom_components.bellboard.nlu.frame_models import ReadCommand
from custom_components.bellboard.nlu.spans import cover_text
from tests.one_house import in_one_house

from .conftest import MakeHouse, questions_of, reader_of

KITCHEN = ("light.kitchen_ceiling", "light.kitchen_counter", "light.kitchen_pendant")
FLOOR, READING = "light.floor_lamp", "light.reading_lamp"

type Plan = list[tuple[str, dict[str, Any], frozenset[str]]]


def plan_of(parts: Sequence[ReadCommand]) -> Plan:
    """Return the actions of parts: name, parameters and targets."""
    return [
        (f"{action.domain}.{action.name}", dict(action.parameters), frozenset(action.targets))
        for part in parts
        for action in part.actions
    ]


def plan(name: str, *targets: str, **parameters: Any) -> tuple[str, dict[str, Any], frozenset[str]]:
    """Return one action of a plan."""
    return name, parameters, frozenset(targets)


COMMANDS: dict[str, Plan] = {
    # The value says what is set, in its own unit.
    "the floor lamp at three quarters": [plan("light.set", FLOOR, percent=75)],
    "floor lamp 3/4": [plan("light.set", FLOOR, percent=75)],
    "set the bathroom heating to 72 °F": [
        plan("climate.set_temperature", "climate.bathroom_heating", temperature=22)
    ],
    "make the bathroom half a degree warmer": [
        plan("climate.change_temperature", "climate.bathroom_heating", by=0.5)
    ],
    "reading lamp to 3000 kelvin": [plan("light.set", READING, kelvin=3000)],
    "make the kitchen ceiling warmer": [plan("light.warmer_white", "light.kitchen_ceiling")],
    "put the bedroom fan on sleep": [plan("fan.set_preset", "fan.bedroom_fan", preset="sleep")],
    # What a clause leaves out it takes from its neighbours.
    "turn on the floor lamp and the reading lamp": [plan("light.turn_on", FLOOR, READING)],
    "turn on the floor lamp and off the reading lamp": [
        plan("light.turn_on", FLOOR),
        plan("light.turn_off", READING),
    ],
    "heat the bedroom to 21 and the bathroom to 23": [
        plan(
            "climate.set_temperature",
            "climate.bedroom_thermostat",
            temperature=21,
            hvac_mode="heat",
        ),
        plan(
            "climate.set_temperature", "climate.bathroom_heating", temperature=23, hvac_mode="heat"
        ),
    ],
    "make the floor lamp blue and 50 percent": [
        plan("light.set", FLOOR, color="blue"),
        plan("light.set", FLOOR, percent=50),
    ],
    "turn off the lights in the kitchen and then turn them on again": [
        plan("light.turn_off", *KITCHEN),
        plan("light.turn_on", *KITCHEN),
    ],
    "close the kitchen blinds, lock the front door and pause the kitchen speaker": [
        plan("cover.close", "cover.kitchen_blinds"),
        plan("lock.lock", "lock.front_door"),
        plan("media_player.pause", "media_player.kitchen_speaker"),
    ],
    # What is excepted is left alone.
    "turn off the kitchen lights but not the counter": [
        plan("light.turn_off", "light.kitchen_ceiling", "light.kitchen_pendant")
    ],
    "turn off the kitchen lights but leave the counter on": [
        plan("light.turn_off", "light.kitchen_ceiling", "light.kitchen_pendant")
    ],
    "turn off the kitchen lights but not the bedroom fan": [plan("light.turn_off", *KITCHEN)],
    # Words after "play" are what to search for, up to where.
    "play some jazz in the kitchen": [
        plan("media_player.play", "media_player.kitchen_speaker", query="jazz")
    ],
    "play yellow submarine on the bedroom speaker and turn on the floor lamp": [
        plan("media_player.play", "media_player.bedroom_speaker", query="yellow submarine"),
        plan("light.turn_on", FLOOR),
    ],
}

NOTHING = (
    "turn on the flurb lamp",
    "turn on the floor lamp for the flurb",
    "turn on the floor lamp if flurb",
    "the lamp next to the mirror",
    "lock the floor lamp",
    "dim the front door",
    "set the front door to 20 degrees",
    "lock the front door a bit",
    "the living room to twenty",
    "and",
    "",
)


async def test_commands_come_to_their_plans(hass: HomeAssistant, make_house: MakeHouse) -> None:
    reader = reader_of(hass, await make_house("en"))
    wrong = {
        said: found
        for said, meant in COMMANDS.items()
        if (found := plan_of(reader.read(said))) != meant
    }
    assert not wrong


async def test_what_is_not_explained_is_not_done(
    hass: HomeAssistant, make_house: MakeHouse
) -> None:
    reader = reader_of(hass, await make_house("en"))
    assert not {said: found for said in NOTHING if (found := plan_of(reader.read(said)))}


async def test_what_is_not_there_is_missing(hass: HomeAssistant, make_house: MakeHouse) -> None:
    reader = reader_of(hass, await make_house("en"))
    [part] = reader.read("turn off the air conditioner in the kitchen")
    assert part.is_missing
    assert [place.name for place in part.places] == ["Kitchen"]


PARTS = {
    "en": (
        ("please", "set", "the floor lamp", "in the living room", "to forty percent"),
        [plan("light.set", FLOOR, percent=40)],
    ),
}


@pytest.mark.parametrize("code", PARTS)
async def test_the_order_of_parts_changes_nothing(
    hass: HomeAssistant, make_house: MakeHouse, code: str
) -> None:
    reader = reader_of(hass, await make_house(code))
    parts, meant = PARTS[code]
    wrong = {
        said: found
        for order in permutations(parts)
        if (found := plan_of(reader.read(said := " ".join(order)))) != meant
    }
    assert not wrong


QUESTIONS = {
    "is the floor lamp on": ("is", {FLOOR}, "on"),
    "are all the windows closed": ("is", None, "closed"),
    "which lights are on in the kitchen": ("which", set(KITCHEN), "on"),
    "how many lights are on in the kitchen": ("how_many", set(KITCHEN), "on"),
    "how humid is it in the bathroom": ("value", None, ""),
    "how bright is the kitchen ceiling": ("value", {"light.kitchen_ceiling"}, ""),
}


async def test_questions_are_read(hass: HomeAssistant, make_house: MakeHouse) -> None:
    reader = questions_of(hass, await make_house("en"))
    for said, (asking, entities, state) in QUESTIONS.items():
        question = reader.read(said)
        assert question, said
        assert (question.asking, question.state) == (asking, state), said
        assert entities is None or set(question.entity_ids) == entities, said


CORRECTIONS = {
    ("set the floor lamp to 20 percent", "no, 40"): [plan("light.set", FLOOR, percent=40)],
    ("turn off the kitchen ceiling", "no, the pendant"): [
        plan("light.turn_off", "light.kitchen_pendant")
    ],
    ("turn off the bedroom lights", "not the bedroom, the kitchen"): [
        plan("light.turn_off", *KITCHEN)
    ],
    ("make the floor lamp blue", "I meant red"): [plan("light.set", FLOOR, color="red")],
    ("turn off the floor lamp", "no thanks"): [],
    ("turn off the floor lamp", "turn off the reading lamp"): [],
}


async def test_corrections_change_what_was_said(hass: HomeAssistant, make_house: MakeHouse) -> None:
    reader = reader_of(hass, await make_house("en"))
    wrong = {
        said: found
        for said, meant in CORRECTIONS.items()
        if (found := plan_of(read_correction(reader, *said))) != meant
    }
    assert not wrong


@in_one_house("language", ["de", "en", "es", "fr", "it", "nl", "pl", "pt"])
async def test_a_text_without_any_word_is_read_as_nothing(
    make_house: MakeHouse, language: str
) -> None:
    house = await make_house(language)
    for text in ("••••", "—", "♪", "..."):
        assert not [span for span in cover_text(text, house) if span.senses], text

"""Clauses that only tell something are left out; what somebody said is never carried out."""

from itertools import product

from homeassistant.core import HomeAssistant

from custom_components.bellboard.nlu.reader import Reader
from tests.one_house import in_one_house

from .conftest import MakeHouse, reader_of

COMMAND = "turn on the floor lamp"
ASIDES = (
    "I'm off to bed",
    "we're expecting visitors",
    "it's gloomy as anything",
    "Grandma's here",
    "our guests are asleep",
    "the washer's finished",
)
NO_ASIDES = (
    "she told the neighbour",
    "he was shouting",
    "order a pizza",
    "the disco ball",
)


async def _reader(hass: HomeAssistant, make_house: MakeHouse) -> Reader:
    return reader_of(hass, await make_house("en"))


@in_one_house(
    ("aside", "pattern"),
    product(ASIDES, ["{aside}, {command}", "{command}, {aside}", "{aside}, so {command}"]),
)
async def test_a_reason_beside_a_command_is_left_out(
    hass: HomeAssistant, make_house: MakeHouse, aside: str, pattern: str
) -> None:
    reader = await _reader(hass, make_house)
    [part] = reader.read(pattern.format(aside=aside, command=COMMAND))
    assert [action.targets for action in part.actions] == [("light.floor_lamp",)]


@in_one_house("text", NO_ASIDES)
async def test_other_words_beside_a_command_are_no_reason(
    hass: HomeAssistant, make_house: MakeHouse, text: str
) -> None:
    reader = await _reader(hass, make_house)
    assert not reader.read(f"{text}, {COMMAND}")


async def test_a_reason_alone_is_no_command(hass: HomeAssistant, make_house: MakeHouse) -> None:
    reader = await _reader(hass, make_house)
    assert not any(part.actions for text in ASIDES for part in reader.read(text))

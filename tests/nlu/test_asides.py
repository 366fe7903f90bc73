"""Clauses that only tell something are left out; what somebody said is never carried out."""

from itertools import product

from homeassistant.core import HomeAssistant

from custom_components.bellboard.nlu.reader import Reader
from tests.conftest import Setup
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

# A second wish that nobody understands, joined to a command.
WISHES = (
    ("en", "turn off the Reading Lamp and we want to sleep like logs"),
    ("en", "turn off the Reading Lamp and I don't want to hear anything"),
    ("de", "mach Reading Lamp aus und ich will nichts hören"),
    ("de", "mach Reading Lamp aus und es soll mucksmäuschenstill sein"),
    ("es", "apaga la Reading Lamp y que no se oiga nada"),
    ("fr", "éteins la Reading Lamp et qu'on n'entende rien"),
    ("fr", "éteins la Reading Lamp et je ne veux rien entendre"),
    ("it", "spegni la Reading Lamp e che non si senta niente"),
    ("nl", "doe de Reading Lamp uit en ik wil niks horen"),
    ("pl", "zgaś Reading Lamp i żeby nic nie było słychać"),
    ("pt", "apaga a Reading Lamp e que não se oiça nada"),
    ("sv", "släck Reading Lamp och att man inte hör något"),
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


@in_one_house(("language", "text"), WISHES)
async def test_a_second_wish_is_never_left_out_silently(
    speak: Setup, language: str, text: str
) -> None:
    said = await (await speak()).say(text, language=language)
    # One sentence tells what was done, another that not all was understood.
    assert not said.changes or len(said.reply.split(". ")) > 1, said.reply

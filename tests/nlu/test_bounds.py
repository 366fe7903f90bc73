"""What the words of an instruction say of its targets binds whoever plans, whatever else is not understood."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.bellboard.nlu.bounds import Mentions, read_bounds
from tests.one_house import in_one_house

from .conftest import MakeHouse

FLOOR, READING, DESK = "light.floor_lamp", "light.reading_lamp", "light.desk_lamp"

SAID: dict[str, tuple[set[str], set[str]]] = {
    "make the floor lamp all wobbly": ({FLOOR}, set()),
    "something dreamy everywhere except the reading lamp": (set(), {READING}),
    "something dreamy, but leave the reading lamp on and the desk lamp": (set(), {READING, DESK}),
    "leave the floor lamp, everything else shall twinkle": (set(), {FLOOR}),
    "keep the floor lamp low, and something dreamy": ({FLOOR}, set()),
    "something dreamy": (set(), set()),
    "everything but the floor lamp shall twinkle, turn on the desk lamp": ({DESK}, {FLOOR}),
}


@in_one_house("text", SAID)
async def test_names_and_exceptions_are_known_beside_what_is_not_understood(
    hass: HomeAssistant, make_house: MakeHouse, text: str
) -> None:
    named, excepted = SAID[text]
    found = read_bounds(text, await make_house("en"))
    assert (set(found.named), set(found.excepted)) == (named, excepted)


PLACES: dict[str, tuple[set[str], set[str]]] = {
    "something dreamy in the kitchen": ({"kitchen"}, set()),
    "something dreamy upstairs, but not in the bedroom": ({"upstairs"}, {"bedroom"}),
    "something dreamy everywhere, leave the hallway as it is": (set(), {"hallway"}),
    "something dreamy, but not the floor lamp in the living room": (set(), set()),
}


async def test_a_place_beside_words_that_nobody_knows_is_neither_meant_nor_excepted(
    hass: HomeAssistant, make_house: MakeHouse
) -> None:
    text = "something dreamy, but nobody gawps at the kitchen"
    found = read_bounds(text, await make_house("en"))
    assert found.mentioned_places == {"kitchen"}
    assert (found.places, found.excepted_places) == (frozenset(), frozenset())


@pytest.mark.parametrize("text", PLACES)
async def test_places_that_are_meant_and_excepted_are_known(
    hass: HomeAssistant, make_house: MakeHouse, text: str
) -> None:
    places, excepted = PLACES[text]
    found = read_bounds(text, await make_house("en"))
    assert (set(found.places), set(found.excepted_places)) == (places, excepted)


async def test_what_is_in_an_excepted_place_cannot_be_meant(
    hass: HomeAssistant, make_house: MakeHouse
) -> None:
    house = await make_house("en")
    found = read_bounds("something dreamy, but leave the living room as it is", house)
    entities = house.catalog.entities
    assert found.keep([entities[FLOOR], entities[DESK]]) == [entities[DESK]]


async def test_what_is_excepted_cannot_be_meant(hass: HomeAssistant, make_house: MakeHouse) -> None:
    entities = (await make_house("en")).catalog.entities
    lamps = [entities[each] for each in (FLOOR, READING, DESK)]
    assert Mentions(excepted=frozenset({READING})).keep(lamps) == [lamps[0], lamps[2]]
    assert Mentions(named=frozenset({DESK})).keep(lamps) == [lamps[2]]
    assert Mentions(named=frozenset({"light.other"})).keep(lamps) == lamps
    assert Mentions(excepted=frozenset({FLOOR, READING, DESK})).keep(lamps) == []


async def test_a_name_binds_before_a_kind(make_house: MakeHouse) -> None:
    house = await make_house("en")
    named = read_bounds("switch the bathroom heating off", house)
    assert named.things == {"climate.bathroom_heating"}
    assert not named.is_foreign("climate")
    assert read_bounds("turn on the heat", house).is_foreign("light")
    assert read_bounds("open the door", house).is_foreign("light")
    assert not read_bounds("make it cosy", house).is_foreign("light")

"""What means something by itself is nobody's name; what people call their things is none of that."""

from pathlib import Path
from typing import Any

from homeassistant.util.yaml import load_yaml_dict
import pytest

from custom_components.bellboard.nlu.loader import _load, available_languages
from custom_components.bellboard.nlu.reserved_words import holds_number, is_number, is_reserved

TESTS = Path(__file__).parent.parent
MADE_UP: dict[str, Any] = dict(load_yaml_dict(TESTS / "agents" / "made_up_houses.yaml"))
ALSO_ANSWERS = {"Bolt", "Bolts", "Quarto", "habitación"}
"""What locks by itself, is the fourth, or any room."""


def names_in(code: str) -> set[str]:
    """Return what things and rooms are called in a language, floors apart: "up" is one, and a direction."""
    made_up = MADE_UP.get(code, {})
    nouns = [noun for pairs in made_up.get("nouns", {}).values() for pair in pairs for noun in pair]
    names = {*nouns, *made_up.get("rooms", ()), *(f"{noun} 2" for noun in nouns if noun != "Bolt")}
    house = dict(load_yaml_dict(TESTS / "golden" / "houses" / f"{code}.yaml"))
    areas = [area for floor in house["floors"] for area in floor["areas"]]
    for each in (*areas, *(entity for area in areas for entity in area["entities"])):
        names |= {each["name"], *each.get("aliases", ())}
    return names


@pytest.mark.parametrize("code", available_languages())
def test_what_things_and_rooms_are_called_can_be_a_name(code: str) -> None:
    names = names_in(code)
    assert len(names) > 20
    language = _load(code)
    assert {name for name in names if is_reserved(name, language)} <= ALSO_ANSWERS


@pytest.mark.parametrize(
    "name",
    [
        "lamp", "the lamp", "lamp two", "second lamp", "red lamp", "moonbeam", "big light", "radio", "dryer", "tv",
        "movie night", "my light", "left", "yes sir", "the king's room",
    ],
)  # fmt: skip
def test_a_name_may_have_a_number_a_colour_or_a_kind_in_it(name: str) -> None:
    assert not is_reserved(name, _load("en"))


@pytest.mark.parametrize(
    ("text", "code", "is_one"),
    [
        ("2468", "en", True), ("24 68", "en", True), ("2.468", "de", True), ("two four", "en", True),
        ("twenty-four", "en", True), ("vierundzwanzig", "de", True), ("quatre-vingt-dix", "fr", True),
        ("lamp 2", "en", False), ("R2D2", "en", False), ("fort", "en", False),
    ],
)  # fmt: skip
def test_a_number_is_one_in_digits_and_in_words(text: str, code: str, *, is_one: bool) -> None:
    assert is_number(text, _load(code)) is is_one


def test_a_number_of_a_length_is_found_anywhere() -> None:
    english = _load("en").spoken_numbers
    assert holds_number("my two four six eight lamp", english, {4})
    assert holds_number("lamp2468", english, {4})
    assert not holds_number("lamp 246", english, {4})
    assert not holds_number("lamp 2468", english, ())

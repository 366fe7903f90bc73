"""A colour that is set by its parts is told by the name that people would give it."""

from homeassistant.util import color as color_util
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.domains.light_values import nearest_color, nearest_white
from custom_components.bellboard.nlu.loader import available_languages
from tests.test_language import read


@pytest.mark.parametrize(
    ("rgb", "name"),
    [
        ((255, 0, 0), "red"),
        ((255, 120, 0), "orange"),
        ((255, 215, 0), "gold"),
        ((255, 255, 0), "yellow"),
        ((120, 255, 0), "green"),
        ((64, 224, 208), "turquoise"),
        ((0, 255, 255), "cyan"),
        ((135, 206, 235), "lightblue"),
        ((30, 60, 255), "blue"),
        ((180, 80, 255), "violet"),
        ((180, 0, 220), "purple"),
        ((255, 105, 180), "hotpink"),
        ((255, 182, 193), "pink"),
        ((250, 250, 250), "white"),
        (None, ""),
    ],
)
def test_a_colour_has_the_name_people_give_it(rgb: tuple[int, int, int] | None, name: str) -> None:
    assert nearest_color(rgb) == name
    assert nearest_white(rgb) is None


@given(st.integers(2100, 5500))
def test_a_white_is_told_by_its_temperature_and_is_no_orange(kelvin: int) -> None:
    rgb = [round(part) for part in color_util.color_temperature_to_rgb(kelvin)]

    found = nearest_white(rgb)

    assert found is not None
    assert abs(found - kelvin) <= 300


@pytest.fixture(scope="module")
def named() -> set[str]:
    """Return the colours that have a word in every language."""
    return set.intersection(*({*read(code)["colors"]} for code in available_languages()))


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_each_name_is_a_word_in_all_languages(named: set[str], rgb: tuple[int, int, int]) -> None:
    assert nearest_color(rgb) in named

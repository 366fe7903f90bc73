"""Values are read in the words, so that a weak model cannot invent them."""

from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.agents.offered_actions import (
    choice_schema,
    find_direction,
    find_mentioned_options,
    find_numbers,
    number_schema,
    span_schema,
    step_schema,
)
from custom_components.bellboard.nlu.loader import Language


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("to 40 percent", [40]),
        ("to 40%", [40]),
        ("21.5 degrees or 21,5 degrees", [21.5]),
        ("minus: -5", [-5]),
        ("twenty two degrees", [22]),
        ("twenty-two", [22]),
        ("one hundred", [100]),
        ("between 18 and twenty", [18, 20]),
        ("lamp2", []),
        ("one", []),
        ("nothing", []),
    ],
)
def test_numbers_are_read_in_digits_and_in_words(
    english: Language, text: str, numbers: list[float]
) -> None:
    assert find_numbers(text, english) == numbers


@pytest.mark.parametrize(
    ("text", "percent"),
    [("half", [50]), ("three quarters", [75]), ("a quarter", [25]), ("max", [100]), ("20", [20])],
)
def test_words_for_a_share_are_percent(english: Language, text: str, percent: list[float]) -> None:
    assert find_numbers(text, english, percent=True) == percent
    assert find_numbers("half", english) == []


def test_only_numbers_that_fit_are_offered(english: Language) -> None:
    text = "21.5 or 90 or 7"
    assert number_schema(text, english, 7, 30) == {"type": "number", "enum": [21.5, 7]}
    assert number_schema(text, english, 200, 300) is None
    assert number_schema("half", english, 0, 100, percent=True) == {"type": "number", "enum": [50]}


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a bit", [1, 2, -1, -2]),
        ("a bit warmer", [1, 2]),
        ("a bit colder", [-1, -2]),
        ("warmer by 3", [3]),
        ("3 degrees colder", [-3]),
        ("change by 3", [3, -3]),
        ("warmer, no, colder", [1, 2, -1, -2]),
        # Beyond the limit it is no step but something else.
        ("warmer to 21", [1, 2]),
    ],
)
def test_a_step_goes_as_far_and_in_the_direction_that_was_said(
    english: Language, text: str, steps: list[float]
) -> None:
    assert step_schema(text, english, (1, 2), 5) == {"type": "number", "enum": steps}


@pytest.mark.parametrize(
    ("text", "sign"), [("louder", 1), ("quieter", -1), ("music", 0), ("up and down", 0)]
)
def test_a_direction_is_read(english: Language, text: str, sign: int) -> None:
    assert find_direction(text, english) == sign


def test_options_are_mentioned_by_all_their_words_in_a_row(english: Language) -> None:
    options = ["eco", "fan_only", "heat", "off", "Game Console", ""]
    assert find_mentioned_options("put it on fan only", english, options) == ["fan_only"]
    assert find_mentioned_options("the game console please", english, options) == ["Game Console"]
    assert find_mentioned_options("the console game", english, options) == []
    assert find_mentioned_options("heating", english, options) == []
    # "Off" names nothing: it switches.
    assert find_mentioned_options("turn it off", english, options) == []


def test_nothing_to_choose_is_no_choice() -> None:
    assert choice_schema([]) is None
    assert choice_schema(["a"]) == {"type": "string", "enum": ["a"]}


def spans(text: str, language: Language) -> list[str]:
    schema = span_schema(text, language.ignored)
    return list(schema["enum"]) if schema else []


def test_what_is_searched_for_is_a_part_of_the_request_word_for_word(english: Language) -> None:
    offered = spans("play Simon & Garfunkel in the kitchen!", english)
    assert "Simon & Garfunkel" in offered
    assert all(span.split()[0].casefold() not in english.ignored for span in offered)
    assert all(span.split()[-1].casefold() not in english.ignored for span in offered)


def test_a_request_that_names_nothing_has_no_parts(english: Language) -> None:
    assert span_schema("play some music", english.ignored) is None


def test_a_long_request_lets_the_model_write(english: Language) -> None:
    schema = span_schema(" ".join(["jazz"] * 13), english.ignored)
    assert schema == {"type": "string", "minLength": 1, "maxLength": 100}


@given(st.text(alphabet="ab ,.!play", max_size=30))
def test_every_part_occurs_in_the_request(text: str) -> None:
    schema = span_schema(text, frozenset({"play"}))
    words = [word.strip('.,;!?"') for word in text.split()]
    spoken = f" {' '.join(word for word in words if word)} "
    for span in (schema or {}).get("enum", []):
        assert f" {span} " in spoken

"""Delays are taken out of a sentence wherever they stand, and nothing else is."""

from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.nlu.lexicon import Lexicon
from custom_components.bellboard.nlu.loader import _load
from custom_components.bellboard.nlu.times import read_delay

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pl", "pt")


def lexicon_of(code: str) -> Lexicon:
    """Return the lexicon of a language."""
    return _load(code).lexicon


@pytest.mark.parametrize(
    ("text", "command", "times"),
    [
        ("lamp off in 90 seconds", "lamp off", {"minutes": 1, "seconds": 30}),
        ("in two hours and ten minutes, lamp off", "lamp off", {"hours": 2, "minutes": 10}),
        ("put the lamp in an hour off", "put the lamp off", {"hours": 1}),
        ("sleep timer for an hour", "pause the music", {"hours": 1}),
        ("sleep timer in the den, 45 minutes", "pause the music in the den", {"minutes": 45}),
    ],
)
def test_what_is_left_is_the_command(text: str, command: str, times: dict[str, float]) -> None:
    found = read_delay(text, lexicon_of("en"))
    assert found
    assert found.command == command
    assert found.times == times


@pytest.mark.parametrize(
    "text",
    ["lamp off", "in the kitchen", "sleep timer", "lamp off in a while", "in 0 minutes", "in"],
)
def test_what_has_no_duration_is_no_delay(text: str) -> None:
    assert read_delay(text, lexicon_of("en")) is None


@given(text=st.text(max_size=80), code=st.sampled_from(LANGUAGES))
def test_no_text_breaks_it(text: str, code: str) -> None:
    found = read_delay(text, lexicon_of(code))
    assert found is None or found.seconds > 0

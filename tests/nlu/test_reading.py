"""A reading says of a sentence as a whole whether it asks, forbids, is for later or on a condition, or has steps."""

from dataclasses import FrozenInstanceError

import pytest

from custom_components.bellboard.nlu.loader import _load
from custom_components.bellboard.nlu.reading import read_tags

TAGS = (
    "is_question",
    "asks_to_be_told",
    "is_negated",
    "is_later",
    "is_conditional",
    "is_thanks",
    "is_correction",
    "begins_with_verb",
    "has_steps",
    "tells_words",
)


@pytest.mark.parametrize(
    ("code", "text", "tags"),
    [
        ("en", "switch on the fan", {"begins_with_verb"}),
        ("en", "is the fan on", {"is_question"}),
        ("en", "the fan is on?", {"is_question"}),
        ("en", "could you switch on the fan?", set()),
        ("en", "hey, could you switch on the fan?", set()),
        ("en", "how about some music", set()),
        ("en", "tell me if the fan is on", {"asks_to_be_told", "is_conditional", "tells_words"}),
        ("en", "don't switch on the fan", {"is_negated"}),
        ("en", "switch on the fan tomorrow", {"begins_with_verb", "is_later"}),
        ("en", "switch on the fan if it is warm", {"begins_with_verb", "is_conditional"}),
        ("en", "thanks a lot", {"is_thanks"}),
        ("en", "no, the other one", {"is_correction"}),
        ("en", "stop the fan and tell me how warm it is", {"begins_with_verb", "has_steps"}),
        ("en", "she shouted at me", {"tells_words"}),
        ("de", "schalte morgen den Ventilator ein", {"begins_with_verb", "is_later"}),
        ("de", "ist der Ventilator an", {"is_question"}),
        ("fr", "n'allume pas le ventilateur", {"is_negated"}),
        ("es", "¿puedes encender el ventilador?", set()),
    ],
)
def test_words_of_a_sentence_give_its_tags(code: str, text: str, tags: set[str]) -> None:
    reading = read_tags(text, _load(code))
    assert {tag for tag in TAGS if getattr(reading, tag)} == tags


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "please leave the lamp on"),
        ("de", "bitte lass die Lampe an"),
        ("es", "deja la lámpara encendida"),
        ("fr", "laisse la lampe allumée"),
        ("it", "lascia la lampada accesa"),
        ("nl", "laat de lamp aan"),
        ("pl", "zostaw lampę włączoną"),
        ("pt", "deixa a luz acesa"),
    ],
)
def test_what_is_left_as_it_is_begins_with_its_verb(code: str, text: str) -> None:
    language = _load(code)
    assert read_tags(text, language).keeps
    assert not read_tags(text.split(maxsplit=2)[-1], language).keeps


def test_reading_names_the_words_that_guard_it() -> None:
    reading = read_tags("switch off the fan when it rains", _load("en"))
    assert reading.is_deferred
    assert reading.guards["later"] == "when it"


def test_same_text_is_read_once_and_never_changed() -> None:
    english = _load("en")
    reading = read_tags("switch on the fan", english)
    assert read_tags("switch on the fan", english) is reading
    with pytest.raises(FrozenInstanceError):
        reading.text = "switch off the fan"  # type: ignore[misc]

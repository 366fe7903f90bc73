"""Spoken names: how they are compared, and how they are found in a sentence."""

import unicodedata

from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.home.names import NameIndex, NameMatch, words_of

WORDS = st.lists(st.sampled_from(["kitchen", "lamp", "the", "tall", "of", "küche"]), max_size=8)
NAMES = st.lists(
    st.tuples(WORDS.filter(bool).map(" ".join), st.integers(0, 5)), min_size=1, max_size=6
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Kids' Room", ("kids", "room")),
        ("the kid’s lamp", ("the", "kids", "lamp")),
        ("KÜCHE, Straße!", ("küche", "strasse")),
        ("TV-Backlight (left)", ("tv", "backlight", "left")),
        ("lamp_2", ("lamp_2",)),
        ("台所の電気", ("台所の電気",)),
        ("Lamp ❤️", ("lamp",)),
        ("…!?", ()),
        ("", ()),
    ],
)
def test_names_are_compared_without_case_punctuation_and_apostrophes(
    text: str, words: tuple[str, ...]
) -> None:
    assert words_of(text) == words


def test_letters_composed_in_two_ways_are_the_same() -> None:
    assert words_of(unicodedata.normalize("NFD", "Küche")) == words_of("Küche") == ("küche",)


def test_vowels_that_are_marks_tell_names_apart() -> None:
    assert words_of("किताब") == ("किताब",)
    assert words_of("किताब") != words_of("कतब")


@given(st.text(max_size=40))
def test_words_are_stable(text: str) -> None:
    words = words_of(text)
    assert all(words)
    assert words_of(" ".join(words)) == words


def test_the_longest_name_wins() -> None:
    index = NameIndex([("kitchen", "room"), ("kitchen lamp", "lamp"), ("lamp", "any lamp")])
    found = list(index.find(words_of("the kitchen lamp in the kitchen")))
    assert found == [NameMatch(1, 3, ("lamp",)), NameMatch(5, 6, ("room",))]


def test_things_that_share_a_name_are_all_found_once() -> None:
    index = NameIndex(
        [("Bedside Lamp", "left"), ("bedside lamp", "right"), ("Bedside-Lamp", "left")]
    )
    assert [found.meanings for found in index.find(("bedside", "lamp"))] == [("left", "right")]


def test_a_name_without_words_is_never_found() -> None:
    assert list(NameIndex([("?!", 1), ("", 2)]).find(("a", "lamp"))) == []
    assert list(NameIndex[int]([]).find(("a", "lamp"))) == []


@given(NAMES, WORDS)
def test_what_is_found_is_there_and_nothing_overlaps(
    names: list[tuple[str, int]], words: list[str]
) -> None:
    sentence = tuple(words)
    end = 0
    for found in NameIndex(names).find(sentence):
        assert end <= found.start < found.end <= len(sentence)
        end = found.end
        own = {meaning for name, meaning in names if words_of(name) == sentence[found.start : end]}
        assert set(found.meanings) == own


@given(NAMES, WORDS, WORDS)
def test_a_name_said_by_itself_is_always_found(
    names: list[tuple[str, int]], before: list[str], after: list[str]
) -> None:
    name, meaning = names[0]
    sentence = words_of(" ".join([*before, "xx", name, "xx", *after]))
    assert any(meaning in found.meanings for found in NameIndex(names).find(sentence))

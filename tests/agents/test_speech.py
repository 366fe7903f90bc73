"""Markup, code, calls of tools and pictures are never spoken, in however many pieces they come."""

import pytest

from custom_components.bellboard.agents.speech import SpeechFilter, spoken

CASES = [
    ("Goethe wrote Faust.", "Goethe wrote Faust."),
    ("Goethe wrote **Faust** \U0001f3ad.", "Goethe wrote Faust."),
    ("Good \U0001f319 night", "Good night"),
    ("Faust:\n- Part 1\n- Part 2", "Faust: Part 1, Part 2"),
    ("Two parts\n\n* first\n* second\n", "Two parts, first, second"),
    ("# Faust\nBy Goethe.", "Faust By Goethe."),
    ("- one\n- two", "one, two"),
    ("It is -5 there, 3 - 2 is one.", "It is -5 there, 3 - 2 is one."),
    ("Qui ? Goethe !", "Qui ? Goethe !"),
    ('{"name": "HassTurnOn", "parameters": {"name": "Lamp"}}', ""),
    ('Sure! {"name": "HassTurnOn", "arguments": {}} Done.', "Sure! Done."),
    ('<tool_call>\n{"name": "HassTurnOn"}\n</tool_call>', ""),
    ('Well.\n```json\n{"name": "HassTurnOn"}\n```\n', "Well."),
    ('Say <tool_call>{"a": {}}</tool_call> it.', "Say it."),
    ('[TOOL_CALLS][{"name": "HassTurnOn"}]', ""),
    ("An {open brace", "An"),
    ("1 < 2 and [so] on", "1 < 2 and [so] on"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "words"), CASES)
@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_only_words_are_spoken(text: str, words: str, size: int) -> None:
    filter_ = SpeechFilter()
    pieces = [filter_.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(pieces) + filter_.flush() == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"answer": "Goethe wrote *Faust*."}', "Goethe wrote Faust."),
        ('{"name": "HassTurnOn"}', ""),
        ('{"answer": "Yes", "name": "HassTurnOn"}', ""),
    ],
)
def test_words_in_an_object_are_spoken(text: str, words: str) -> None:
    assert spoken(text) == words

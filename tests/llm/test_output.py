"""Reading what a model wrote."""

import json
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.llm.errors import BadOutputError
from custom_components.bellboard.llm.output import ThoughtFilter, json_object, without_thoughts


@pytest.mark.parametrize(
    "text",
    [
        '{"agent": "light"}',
        ' \n{"agent":\n"light"}\n\n',
        '```json\n{"agent": "light"}\n```',
        '```\n{"agent": "light"}\n```\n',
        '```JSON {"agent": "light"} ```',
        '<think>A {lamp}?\n</think>\n\n{"agent": "light"}',
        'A lamp, then.\n</think>\n{"agent": "light"}',
        '<think></think>```json\n{"agent": "light"}\n```',
        '{"agent": "light"} and more',
        'Certainly! Here it is: {"agent": "light"}',
        'That is {curly}:\n```json\n{"agent": "light"}\n```\nAnything else?',
        'First {"a"} then </think> so {"agent": "light"}.',
        '[THINK]Lamp {1}?[/THINK]{"agent": "light"}',
        '<tool_call>\n{"agent": "light"}\n</tool_call>',
    ],
)
def test_finds_the_object(text: str) -> None:
    assert json_object(text) == {"agent": "light"}


def test_a_tag_inside_the_object_is_text() -> None:
    assert json_object('{"say": "</think> is a tag"}') == {"say": "</think> is a tag"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Good evening.",
        '{"agent": "li',
        '["light"]',
        '"light"',
        "null",
        "42",
        '{"agent": NaN}',
        '{"agent": Infinity}',
        '{"agent": "\\ud800"}',
        'It is {"agent": "light"} or {"agent": "music"}.',
        'Not {"agent": light}, nor {this}.',
        "<think>" * 3,
        '<think>{"agent": "light"}',
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
)
def test_anything_else_is_bad_output(text: str) -> None:
    with pytest.raises(BadOutputError) as refused:
        json_object(text)
    assert refused.value.text == text
    assert refused.value.__cause__ is None


def test_says_when_it_was_cut() -> None:
    with pytest.raises(BadOutputError, match="cut short"):
        json_object('{"agent": "li', cut_short=True)


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8")),
        st.integers(-(2**63), 2**63) | st.text(st.characters(codec="utf-8")) | st.none(),
    )
)
def test_every_object_comes_through(data: dict[str, Any]) -> None:
    assert json_object(json.dumps(data)) == data
    assert json_object(f"```json\n{json.dumps(data, ensure_ascii=False)}\n```") == data


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Good evening.", "Good evening."),
        ("<think>Hm.</think>Good evening.", "Good evening."),
        ("  <think>\nHm.\n</think>\n\n Good evening. ", "Good evening. "),
        ("<think>Hm. And so on", ""),
        ("<think></think>", ""),
        ("<thinking is hard", "<thinking is hard"),
        ("<th", "<th"),
        (" ", " "),
        ("", ""),
        ("1 < 2", "1 < 2"),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_thoughts_are_kept_to_oneself(text: str, answer: str, size: int) -> None:
    assert without_thoughts(text) == answer
    filter_ = ThoughtFilter()
    pieces = [filter_.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(pieces) + filter_.flush() == answer


@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "<", "/", "think", ">", " ", "a"]), max_size=9
    ),
    st.integers(1, 9),
)
def test_pieces_do_not_change_the_answer(parts: list[str], size: int) -> None:
    text = "".join(parts)
    whole, pieces = ThoughtFilter(), ThoughtFilter()
    expected = whole.feed(text) + whole.flush()
    said = [pieces.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(said) + pieces.flush() == expected

"""How sure a model was is counted among what it could have chosen."""

from collections.abc import Sequence
import math
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.llm.logprobs import choice_distribution, read_logprobs
from custom_components.bellboard.llm.models import Alternative, Completion, TokenLogprob

AGENTS = ["light-agent", "music-agent", "climate-agent"]

# What llama.cpp reported for SmolLM2-135M under a schema with four agents, beginning at the value. "l" was forced
# by the schema although "light" is a token: the schema's state is kept by characters, and the likelier one won.
LLAMA_CPP: list[tuple[str, float, list[tuple[str, float]]]] = [
    ("{", -7.463, [("turn", -1.476), ("The", -2.893)]),
    ("\n ", -4.466, [("1", -3.627), ("light", -3.87)]),
    (' "', -0.317, [(' "', -0.317), (" type", -4.588)]),
    ("a", -7.234, [("type", -2.378), ("language", -3.482)]),
    ("ge", -12.098, [('":', -0.426), ('"', -2.692)]),
    ("nt", -13.428, [("-", -1.219), ('":', -1.227)]),
    ('"', -3.077, [('"', -3.077), ("al", -3.098)]),
    ("\n ", -1.773, [("\n ", -1.773), (" =>", -2.017)]),
    (" :", -4.728, [(' "', -0.262), (" {", -2.811)]),
    (' "', -1.855, [(' "', -1.855), ("{", -2.452), (" light", -3.406)]),
    ("l", -2.635, [("l", -2.635), ("L", -3.059), ("A", -3.823), ("a", -3.848), ("light", -3.932)]),
    ("igh", -11.395, [("amp", -0.114), ("ighthouse", -3.942), ("aund", -4.131)]),
    ("t", -4.885, [("-", -0.365), ('"', -2.231), ("t", -4.885)]),
    ("-", -1.493, [('"', -1.413), ("-", -1.493), ("amp", -1.913)]),
    ("agent", -0.239, [("agent", -0.239), ("man", -4.274), ("agency", -4.753), ("a", -4.894)]),
    ('"', -0.58, [('"', -0.58), (":", -1.389), ('":', -3.135), ('",', -3.334)]),
    ("\n}", -0.1, [("\n}", -0.1)]),
    ("", -0.5, [("\n", -0.2)]),
]


def completion(tokens: list[tuple[Any, ...]]) -> Completion:
    """Make an answer of (token, probability, {other token: probability})."""
    logprobs = tuple(
        TokenLogprob(
            token=text,
            logprob=math.log(probability),
            alternatives=tuple(
                Alternative(token=other, logprob=math.log(share)) for other, share in others.items()
            ),
        )
        for text, probability, others in tokens
    )
    text = "".join(token.token for token in logprobs)
    return Completion(text=text, model="m", logprobs=logprobs)


def recorded(tokens: list[tuple[str, float, list[tuple[str, float]]]]) -> Completion:
    reported = [
        {
            "token": text,
            "logprob": logprob,
            "bytes": list(text.encode()),
            "top_logprobs": [{"token": other, "logprob": value} for other, value in others],
        }
        for text, logprob, others in tokens
    ]
    text = "".join(token[0] for token in tokens)
    return Completion(text=text, model="m", logprobs=read_logprobs(reported))


def share(answer: Completion, field: str, value: str, options: Sequence[str]) -> float | None:
    """Return how probable a value was that the answer has in a field, as the tokens tell it."""
    spread = choice_distribution(answer.model_copy(update={"data": {field: value}}), field, options)
    return None if spread is None else spread[value]


def test_only_what_was_possible_counts() -> None:
    answer = completion(
        [
            ('{"agent":"', 1.0, {}),
            ("light", 0.3, {"light": 0.3, "music": 0.1, "lamp": 0.4, "The": 0.2}),
            ("-agent", 0.5, {"-agent": 0.5, "ing": 0.5}),
            ('"}', 1.0, {}),
        ]
    )
    assert share(answer, "agent", "light-agent", AGENTS[:2]) == pytest.approx(0.75)


def test_what_was_chosen_counts_though_it_is_not_among_the_likeliest() -> None:
    answer = completion(
        [
            ('{"agent":"', 1.0, {}),
            ("light", 0.001, {"music": 0.003, "The": 0.9}),
            ('-agent"}', 1, {}),
        ]
    )
    assert share(answer, "agent", "light-agent", AGENTS[:2]) == pytest.approx(0.25)


def test_two_ways_to_cut_a_word_are_one_choice() -> None:
    answer = completion(
        [
            ('{"agent":"', 1.0, {}),
            ("l", 0.2, {"l": 0.2, "light": 0.4, "light-": 0.1, "m": 0.1, "music": 0.2}),
            ("ight-agent", 0.01, {"amp": 0.9}),
            ('"}', 1.0, {}),
        ]
    )
    assert share(answer, "agent", "light-agent", AGENTS[:2]) == pytest.approx(0.7)


def test_the_closing_quote_decides_between_a_name_and_a_longer_one() -> None:
    answer = completion(
        [('{"lamp":"', 1, {}), ("hall", 1, {}), ('"}', 0.6, {'",': 0.2, " lamp": 0.2})]
    )
    assert share(answer, "lamp", "hall", ["hall", "hall lamp"]) == pytest.approx(0.8)


def test_an_undecided_alternative_counts_for_all_it_leaves_open() -> None:
    answer = completion([('{"a":"', 1, {}), ("light-agent", 0.5, {"light-": 0.5}), ('"}', 1, {})])
    options = ["light-agent", "light-show"]
    assert share(answer, "a", "light-agent", options) == pytest.approx(0.75)


@pytest.mark.parametrize(
    "cut",
    [
        ['{"agent": "', "light-agent", '"}'],
        ['{"agent":', ' "light', '-agent"', "}"],
        ['{"agent"', ': "', "light-agent", '"\n', "}"],
        ['{"agent', '":"light-agent"}'],
        ['```json\n{"why":"agent","agent', '":"light-agent"', "}\n```"],
        ['<think>{"agent":"music-agent"}</think>{"agent', '":"light-agent"', "}"],
        list('{"agent":"light-agent"}'),
    ],
)
def test_tokens_may_straddle_the_quotes(cut: list[str]) -> None:
    answer = completion([(part, 0.5, {"The": 0.5}) for part in cut])
    assert share(answer, "agent", "light-agent", AGENTS) == pytest.approx(1, abs=0.003)


def test_alternatives_may_straddle_the_quotes() -> None:
    answer = completion(
        [
            ('{"agent"', 1, {}),
            (': "light', 0.5, {':"music': 0.125, ' : "light': 0.25, ' "light': 0.1, ":": 0.125}),
            ('-agent"}', 1, {}),
        ]
    )
    # ":" alone leaves all three open.
    expected = (0.5 + 0.25 + 0.125 / 3) / (0.5 + 0.125 + 0.25 + 0.125)
    assert share(answer, "agent", "light-agent", AGENTS) == pytest.approx(expected)


def test_tokens_may_end_inside_a_character() -> None:
    reported = [
        {"token": '{"room":"K', "logprob": -0.1, "bytes": list(b'{"room":"K')},
        {"token": "�", "logprob": -0.1, "bytes": [0xC3]},
        {
            "token": "�",
            "logprob": math.log(0.6),
            "bytes": [0xBC],
            "top_logprobs": [{"token": "�", "logprob": math.log(0.2), "bytes": [0xA4]}],
        },
        {"token": 'che"}', "logprob": -0.1, "bytes": None},
    ]
    answer = Completion(text='{"room":"Küche"}', model="m", logprobs=read_logprobs(reported))
    options = ["Küche", "Käse"]
    assert share(answer, "room", "Küche", options) == pytest.approx(0.75)


def test_escapes_are_another_spelling() -> None:
    answer = completion(
        [('{"room":"', 1, {}), ("K\\u00fcche", 0.5, {"Küche": 0.25, "Flur": 0.25}), ('"}', 1, {})]
    )
    assert share(answer, "room", "Küche", ["Küche", "Flur"]) == pytest.approx(0.75)


def test_a_forced_token_may_be_next_to_impossible() -> None:
    tokens = read_logprobs(
        [
            {"token": '{"agent":"', "logprob": -0.1},
            {
                "token": "light-agent",
                "logprob": -9999.0,
                "top_logprobs": [{"token": "music", "logprob": -9999.0}],
            },
            {"token": '"}', "logprob": -0.1},
        ]
    )
    answer = Completion(text="", model="m", logprobs=tokens)
    assert share(answer, "agent", "light-agent", AGENTS[:2]) == pytest.approx(0.5)


def test_reads_what_llama_cpp_reports() -> None:
    answer = recorded(LLAMA_CPP)
    # With few alternatives listed, the others do not show.
    assert share(answer, "agent", "light-agent", AGENTS) == pytest.approx(1, abs=0.003)
    # "l" leaves both open.
    options = [*AGENTS, "light-show"]
    assert share(answer, "agent", "light-agent", options) == pytest.approx(0.5, abs=0.003)


@pytest.mark.parametrize(
    ("field", "value", "options"),
    [
        ("agent", "music-agent", AGENTS),
        ("agent", "light-agent", ["music-agent"]),
        ("agents", "light-agent", AGENTS),
        ("nested", "light-agent", AGENTS),
        ("list", "light-agent", AGENTS),
        ("number", "7", ["7"]),
    ],
)
def test_what_cannot_be_told_is_not_guessed(field: str, value: str, options: list[str]) -> None:
    text = '{"x":{"nested":"light-agent"},"list":["light-agent"],"number":7,"agent":"light-agent"}'
    answer = completion([(text, 0.5, {})]).model_copy(update={"data": {field: value}})
    assert choice_distribution(answer, field, options) is None


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        ["no object"],
        ['{"agent":"light-ag'],
        ['{"agent":"\\q","agent'],
        ['{"agent":"light\\u002dagent"}'],
        ['{"\xff":"light-agent"}'],
    ],
)
def test_damaged_text_tells_nothing(tokens: list[str]) -> None:
    answer = completion([(text, 0.5, {}) for text in tokens])
    assert share(answer, "agent", "light-agent", AGENTS) is None


@pytest.mark.parametrize(
    "reported",
    [
        None,
        [],
        "text",
        7,
        [{"token": "x"}],
        [{"token": "x", "logprob": float("nan")}],
        [{"token": "x", "logprob": "high"}],
        [{"token": "x", "logprob": -1, "bytes": [300]}],
    ],
)
def test_damaged_reports_are_none(reported: Any) -> None:
    assert read_logprobs(reported) == ()


def test_half_a_surrogate_pair_is_only_a_strange_token() -> None:
    answer = Completion(
        text="",
        model="m",
        logprobs=read_logprobs([{"token": '{"a":"\ud800"}', "logprob": -1}]),
    )
    assert share(answer, "a", "\ud800", ["\ud800", "x"]) == pytest.approx(1, abs=0.002)


def test_the_end_of_thoughts_may_be_a_value() -> None:
    text = '{"a":"</think>"}'
    answer = completion([(text, 0.4, {'{"a":"x"}': 0.6})])
    spread = choice_distribution(
        answer.model_copy(update={"data": {"a": "</think>"}}), "a", ["</think>", "x"]
    )
    assert spread == pytest.approx({"</think>": 0.4, "x": 0.6}, abs=0.01)


@given(
    options=st.lists(st.text(st.characters(codec="utf-8"), min_size=1), min_size=1, unique=True),
    size=st.integers(1, 5),
    data=st.data(),
)
def test_is_always_a_distribution(options: list[str], size: int, data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(options))
    text = Completion(text="", data={"a": value}, model="m").model_dump_json(include={"data"})[
        len('{"data":') : -1
    ]
    cut = [text[at : at + size] for at in range(0, len(text), size)]
    others = st.dictionaries(
        st.text(st.characters(codec="utf-8"), max_size=3), st.floats(0.01, 1), max_size=4
    )
    answer = completion([(part, 0.4, data.draw(others)) for part in cut])
    spread = choice_distribution(answer.model_copy(update={"data": {"a": value}}), "a", options)
    # An unusual escape is the one spelling that is not recognised.
    if "\\" not in text:
        assert spread is not None
    if spread is not None:
        assert spread.keys() == set(options)
        assert all(0 < found <= 1 + 1e-9 for found in spread.values())
        assert sum(spread.values()) == pytest.approx(1)


def choosing(value: str, cut: list[tuple[Any, ...]]) -> Completion:
    """Make an answer that chose `value`, with its tokens."""
    return completion(cut).model_copy(update={"data": {"agent": value}})


def test_the_distribution_has_all_that_was_possible() -> None:
    answer = choosing(
        "light-agent",
        [
            ('{"agent":"', 1.0, {}),
            ("light", 0.3, {"light": 0.3, "music": 0.1, "climate": 0.1, "The": 0.2}),
            ("-agent", 0.5, {"ing": 0.5}),
            ('"}', 1.0, {}),
        ],
    )
    assert choice_distribution(answer, "agent", AGENTS) == pytest.approx(
        {"light-agent": 0.6, "music-agent": 0.2, "climate-agent": 0.2}
    )


def test_what_is_not_listed_is_unlikely_and_not_impossible() -> None:
    answer = choosing(
        "light-agent",
        [('{"agent":"', 1.0, {}), ("light", 0.5, {"music": 0.25}), ('-agent"}', 1.0, {})],
    )
    spread = choice_distribution(answer, "agent", AGENTS)
    assert spread
    assert sum(spread.values()) == pytest.approx(1)
    assert spread["light-agent"] == pytest.approx(2 * spread["music-agent"])
    # A thousandth of the likeliest where the least likely one listed is more than that.
    assert spread["climate-agent"] == pytest.approx(spread["light-agent"] / 1000)


def test_what_is_not_listed_is_no_likelier_than_the_least_listed() -> None:
    answer = choosing(
        "light-agent",
        [('{"agent":"', 1.0, {}), ("light", 0.9, {"music": 0.0001}), ('-agent"}', 1.0, {})],
    )
    spread = choice_distribution(answer, "agent", AGENTS)
    assert spread
    assert spread["climate-agent"] == pytest.approx(spread["music-agent"])


def test_an_alternative_that_leaves_several_open_counts_for_each() -> None:
    options = ["light-agent", "light-show", "music-agent"]
    answer = choosing(
        "music-agent",
        [('{"agent":"', 1.0, {}), ("music", 0.4, {"light": 0.6}), ('-agent"}', 1.0, {})],
    )
    assert choice_distribution(answer, "agent", options) == pytest.approx(
        {"light-agent": 0.3, "light-show": 0.3, "music-agent": 0.4}
    )


def test_the_distribution_is_read_where_options_part() -> None:
    options = ["light-agent", "light-show"]
    answer = choosing(
        "light-show",
        [
            ('{"agent":', 1.0, {}),
            ('"light', 0.1, {"The": 0.9}),
            ("-", 0.2, {"ing": 0.8}),
            ("show", 0.6, {"agent": 0.2, "boat": 0.2}),
            ('"}', 1.0, {}),
        ],
    )
    assert choice_distribution(answer, "agent", options) == pytest.approx(
        {"light-agent": 0.25, "light-show": 0.75}
    )


def test_a_single_option_is_certain() -> None:
    answer = choosing("light-agent", [('{"agent":"light-agent"}', 0.1, {"The": 0.9})])
    assert choice_distribution(answer, "agent", ["light-agent"]) == {"light-agent": 1.0}


def test_options_that_were_all_next_to_impossible_are_equally_likely() -> None:
    tokens = read_logprobs(
        [
            {"token": '{"agent":"', "logprob": -0.1},
            {
                "token": "light",
                "logprob": -9999.0,
                "top_logprobs": [{"token": "The", "logprob": -0.1}],
            },
            {"token": '-agent"}', "logprob": -0.1},
        ]
    )
    answer = Completion(text="", data={"agent": "light-agent"}, model="m", logprobs=tokens)
    assert choice_distribution(answer, "agent", AGENTS) == pytest.approx(
        dict.fromkeys(AGENTS, 1 / 3)
    )


@pytest.mark.parametrize(
    ("data", "field", "options"),
    [
        (None, "agent", AGENTS),
        ({}, "agent", AGENTS),
        ({"agent": 7}, "agent", AGENTS),
        ({"agent": None}, "agent", AGENTS),
        ({"agent": "light-agent"}, "agent", ["music-agent"]),
        ({"agent": "light-agent"}, "other", AGENTS),
        ({"agent": "music-agent"}, "agent", AGENTS),
    ],
)
def test_what_cannot_be_told_has_no_distribution(
    data: dict[str, Any] | None, field: str, options: list[str]
) -> None:
    answer = completion([('{"agent":"light-agent"}', 0.5, {})]).model_copy(update={"data": data})
    assert choice_distribution(answer, field, options) is None


def test_without_logprobs_there_is_no_distribution() -> None:
    assert choice_distribution(choosing("light-agent", []), "agent", AGENTS) is None


def test_tokens_that_do_not_write_the_value_have_no_distribution() -> None:
    # An unusual escape is a spelling that is not recognised.
    answer = choosing(
        "light-agent", [('{"agent":"', 1, {}), ("light\\u002dagent", 1, {}), ('"}', 1, {})]
    )
    assert choice_distribution(answer, "agent", AGENTS) is None


def test_options_that_cannot_be_told_apart_have_no_distribution() -> None:
    answer = completion([('{"agent":"', 1, {}), ("\ud800", 1, {}), ('"}', 1, {})])
    assert choice_distribution(answer, "agent", ["\ud800", "x"]) is None


@given(
    shares=st.lists(st.floats(0.001, 1), min_size=2, max_size=6),
    others=st.dictionaries(st.sampled_from(["The", "turn", "1", " "]), st.floats(0.001, 1)),
    data=st.data(),
)
def test_a_distribution_is_the_shares_of_what_was_possible(
    shares: list[float], others: dict[str, float], data: st.DataObject
) -> None:
    options = [f"{letter}-agent" for letter in "abcdef"[: len(shares)]]
    chosen = data.draw(st.integers(0, len(shares) - 1))
    listed = {option[0]: share for option, share in zip(options, shares, strict=True)}
    answer = choosing(
        options[chosen],
        [
            ('{"agent":"', 1.0, {}),
            (options[chosen][0], shares[chosen], listed | others),
            ('-agent"}', 1.0, {}),
        ],
    )
    spread = choice_distribution(answer, "agent", options)
    assert spread
    assert spread.keys() == set(options)
    assert sum(spread.values()) == pytest.approx(1)
    assert spread == pytest.approx(
        {option: share / sum(shares) for option, share in zip(options, shares, strict=True)}
    )


def test_bytes_that_are_none_leave_no_log_probabilities() -> None:
    assert read_logprobs([{"token": "a", "logprob": -1.0, "bytes": [None]}]) == ()
    assert read_logprobs([{"token": "a", "logprob": -1.0, "bytes": [300]}]) == ()


def test_each_place_of_a_list_has_its_own_distribution() -> None:
    tokens: list[tuple[Any, ...]] = [
        ('{"agentId":', 1.0, {}),
        (' "light', 0.9, {' "music': 0.1}),
        ('","more":[["x"],"q"],"additionalAgents":[', 1.0, {}),
        ('"music', 0.6, {'"light': 0.4}),
        ('", ', 1.0, {}),
        ('"light', 0.7, {'"music': 0.3}),
        ('"]}', 1.0, {}),
    ]
    data = {"agentId": "light", "additionalAgents": ["music", "light"]}
    answer = completion(tokens).model_copy(update={"data": data})
    options = ["light", "music"]
    first, second = (
        choice_distribution(answer, "additionalAgents", options, place) for place in (0, 1)
    )
    assert first == pytest.approx({"light": 0.4, "music": 0.6})
    assert second == pytest.approx({"light": 0.7, "music": 0.3})
    assert choice_distribution(answer, "agentId", options) == pytest.approx(
        {"light": 0.9, "music": 0.1}
    )
    assert choice_distribution(answer, "additionalAgents", options, 2) is None
    assert choice_distribution(answer, "agentId", options, 0) is None

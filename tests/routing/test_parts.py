"""A sentence is split where a request begins, and nowhere else."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.assistant import SPECIALISTS
from custom_components.bellboard.home.names import words_of
from custom_components.bellboard.nlu.loader import Language, _load
from custom_components.bellboard.routing.parts import own_pieces, split_requests


@pytest.mark.parametrize(
    ("text", "requests"),
    [
        ("turn on the lamp", ["turn on the lamp"]),
        (
            "turn on the lamp and play some jazz",
            ["turn on the lamp", "play some jazz"],
        ),
        ("dim the lamp, then close the blinds.", ["dim the lamp", "close the blinds"]),
        ("Dim the lamp. Play jazz! Set it to 20;", ["Dim the lamp", "Play jazz", "Set it to 20"]),
        ("stop AND THEN Turn it off", ["stop", "Turn it off"]),
        # What does not begin like a request stays with the one before it.
        ("turn on the lamp and the fan", ["turn on the lamp and the fan"]),
        ("play Simon and Garfunkel", ["play Simon and Garfunkel"]),
        ("play Earth, Wind and Fire", ["play Earth, Wind and Fire"]),
        (
            "play Simon and Garfunkel and dim the lights",
            ["play Simon and Garfunkel", "dim the lights"],
        ),
        ("turn the sandy lamp on", ["turn the sandy lamp on"]),
        ("set it to 21.5 degrees", ["set it to 21.5 degrees"]),
        ("and", ["and"]),
        ("", []),
        ("...", []),
    ],
)
def test_requests_begin_with_a_verb(english: Language, text: str, requests: list[str]) -> None:
    assert split_requests(text, english) == requests


def test_a_language_without_known_verbs_is_split_at_every_join(english: Language) -> None:
    unknown = replace(english, verbs=frozenset())
    assert split_requests("lamp and fan", unknown) == ["lamp", "fan"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.sampled_from(["turn", "play", "and", "then", "lamp", ",", "."])).map(" ".join)
)
def test_every_word_but_the_joins_is_kept_in_order(english: Language, text: str) -> None:
    joins = {"and", "then"}
    kept = [word for piece in split_requests(text, english) for word in words_of(piece)]
    assert [w for w in kept if w not in joins] == [w for w in words_of(text) if w not in joins]


@pytest.mark.parametrize(
    ("code", "text", "pieces"),
    [
        (
            "en",
            "cosy lamps in the kitchen and some jazz",
            ["cosy lamps in the kitchen", "some jazz"],
        ),
        ("en", "lamps, jazz, and brighter", ["lamps, brighter", "jazz"]),
        ("de", "gemütliche Lampen und etwas Jazz", ["gemütliche Lampen", "etwas Jazz"]),
        ("fr", "des lampes douces et un peu de jazz", ["des lampes douces", "un peu de jazz"]),
        # A verb and a time may hold for every piece, and a piece may be anybody's.
        ("en", "turn on the lamp and the radio", None),
        ("en", "the lamp and some jazz at six", None),
        ("en", "a candlelit supper with jazz", None),
        ("en", "some jazz and something nice", None),
    ],
)
def test_several_agents_are_told_their_own_pieces_or_all_of_it(
    code: str, text: str, pieces: list[str] | None
) -> None:
    cards = [agent.card for agent in SPECIALISTS if agent.card.id in {"light-agent", "music-agent"}]
    assert own_pieces(text, _load(code), cards) == (pieces or [text, text])

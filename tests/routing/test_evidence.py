"""Plain words help an unsure model and never overrule a sure one."""

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.bellboard.agents.models import AgentCard
from custom_components.bellboard.nlu.loader import Language
from custom_components.bellboard.routing.evidence import (
    Support,
    read_evidence,
    spoken_agents,
    weigh,
)

from .conftest import CARDS

GARDEN = AgentCard(id="garden-agent", name="Garden", description="Waters roses.")
PUMP = AgentCard(id="pump-agent", name="Pump", description="Pumps.", domains=frozenset({"switch"}))
IDS = [card.id for card in CARDS]


def spread(**shares: float) -> dict[str, float]:
    """Return a distribution over our agents, named without their ending."""
    return {agent_id: shares.get(agent_id.removesuffix("-agent"), 0.0) for agent_id in IDS}


def best(weighed: dict[str, float]) -> str:
    return max(weighed, key=lambda agent_id: weighed[agent_id])


def test_the_agents_are_found_whose_words_are_said(english: Language) -> None:
    assert spoken_agents(english, CARDS, "Louder, and dim the lamp!") == [
        "light-agent",
        "music-agent",
    ]
    assert spoken_agents(english, CARDS, "make it cosy") == []
    assert spoken_agents(english, CARDS[1:], "dim the lamp") == []


def test_the_words_of_an_agent_raise_it(english: Language) -> None:
    unsure = spread(music=0.5, climate=0.4, light=0.1)
    weighed = weigh(english, CARDS, "22 degrees", unsure, {})
    assert best(weighed) == "climate-agent"
    assert weighed["climate-agent"] > unsure["climate-agent"]
    assert sum(weighed.values()) == pytest.approx(1)


def test_a_sure_model_overrules_the_words(english: Language) -> None:
    weighed = weigh(english, CARDS, "22 degrees", spread(music=0.98, climate=0.02), {})
    assert best(weighed) == "music-agent"


def test_talk_is_less_likely_where_an_agents_words_are_said(english: Language) -> None:
    unsure = spread(general=0.5, light=0.5)
    assert best(weigh(english, CARDS, "the lamp is a bit much", unsure, {})) == "light-agent"
    assert best(weigh(english, CARDS, "this is a bit much", unsure, {})) == "general-agent"


@pytest.mark.parametrize("card", [GARDEN, PUMP], ids=lambda card: card.id)
@pytest.mark.parametrize("text", ["water it", "water it by the lamp", "music and lamps"])
def test_agents_without_known_words_are_left_as_the_model_has_them(
    english: Language, card: AgentCard, text: str
) -> None:
    cards = [*CARDS, card]
    distribution = {**dict.fromkeys(IDS, 0.1), card.id: 0.5}
    assert best(weigh(english, cards, text, distribution, {})) == card.id
    # Against an agent whose words are said, nothing is taken from it and nothing added.
    weighed = weigh(english, cards, "the lamp", {"light-agent": 0.5, card.id: 0.5}, {})
    assert weighed["light-agent"] == pytest.approx(weighed[card.id])


def test_success_weighs_agents(english: Language) -> None:
    even = {GARDEN.id: 0.5, PUMP.id: 0.5}
    weighed = weigh(english, [GARDEN, PUMP], "water it", even, {PUMP.id: 0.5})
    assert weighed == {GARDEN.id: pytest.approx(2 / 3), PUMP.id: pytest.approx(1 / 3)}


def test_nothing_is_made_of_nothing(english: Language) -> None:
    nothing = dict.fromkeys(IDS, 0.0)
    assert weigh(english, CARDS, "the lamp", nothing, {}) == nothing


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    shares=st.lists(st.floats(0.0001, 1), min_size=len(IDS), max_size=len(IDS)),
    success=st.dictionaries(st.sampled_from(IDS), st.floats(0.5, 1)),
    words=st.lists(st.sampled_from(["lamp", "music", "degrees", "blinds", "hello", "make"])),
)
def test_what_is_weighed_sums_to_1(
    english: Language, shares: list[float], success: dict[str, float], words: list[str]
) -> None:
    distribution = dict(zip(IDS, shares, strict=True))
    weighed = weigh(english, CARDS, " ".join(words), distribution, success)
    assert weighed.keys() == distribution.keys()
    assert sum(weighed.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("text", "shares", "found"),
    [
        ("dim it", {"light": 0.8, "music": 0.2}, ("light-agent", 0.952, Support.OWN)),
        ("make it cosy", {"light": 0.8, "music": 0.2}, ("light-agent", 0.8, Support.NOBODY)),
        ("a lamp of sound", {"music": 0.99, "light": 0.01}, ("music-agent", 0.952, Support.OTHERS)),
        ("tell me more", {"home": 0.5, "general": 0.3}, ("home-agent", 1.0, Support.NOBODY)),
    ],
)
def test_the_likeliest_agent_is_read_with_how_the_words_support_it(
    english: Language, text: str, shares: dict[str, float], found: tuple[str, float, Support]
) -> None:
    read = read_evidence(english, CARDS, text, spread(**shares), {})
    assert (read.agent_id, read.support) == (found[0], found[2])
    assert read.share == pytest.approx(found[1], abs=0.001)


@pytest.mark.parametrize(
    ("text", "is_plain"),
    [("the lamp, darker", True), ("the lamp and a song", False), ("it is a bit much", False)],
)
def test_the_only_words_of_an_agent_are_plain(
    english: Language, text: str, *, is_plain: bool
) -> None:
    read = read_evidence(english, CARDS, text, spread(light=0.5, climate=0.3), {})
    assert (read.agent_id, read.is_plain) == ("light-agent", is_plain)


def test_what_only_answering_agents_may_have_is_no_measure_of_the_model(english: Language) -> None:
    cards = [card for card in CARDS if not card.domains]
    found = read_evidence(english, cards, "who is it", spread(home=0.6, general=0.4), {})
    assert (found.agent_id, found.share, found.support) == ("home-agent", 1.0, Support.ONLY)

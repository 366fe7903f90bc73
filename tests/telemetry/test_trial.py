"""Two variants are compared by what they did, with intervals that hold."""

from random import Random

from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.telemetry.statistics import (
    Figure,
    TrialComparison,
    VariantFigures,
    difference,
)


def figures(decisions: int, corrections: int) -> VariantFigures:
    """Return what a variant did, whose confidence and latency scatter."""
    made = VariantFigures(corrections=corrections)
    for number in range(decisions):
        made.decided(0.8 + 0.1 * (number % 2), 100 + 10 * (number % 5))
    return made


def test_figures_are_means_and_shares_with_intervals() -> None:
    made = figures(100, 10)
    assert made.confidence
    assert made.confidence.value == pytest.approx(0.85)
    low, high = made.confidence.interval
    assert (low, high) == pytest.approx((0.8402, 0.8598), abs=1e-4)
    assert made.latency_ms
    assert made.latency_ms.value == pytest.approx(120)
    # Wilson's interval for 10 of 100.
    assert made.corrected
    assert made.corrected.interval == pytest.approx((0.0552, 0.1744), abs=1e-4)


@given(decisions=st.integers(1, 300), share=st.floats(0, 1))
def test_a_share_is_in_its_interval_and_that_is_one_of_shares(decisions: int, share: float) -> None:
    made = figures(decisions, round(decisions * share)).corrected
    assert made
    low, high = made.interval
    assert 0 <= low <= made.value + 1e-9
    assert made.value - 1e-9 <= high <= 1


def test_the_interval_of_a_share_holds_about_as_often_as_it_says() -> None:
    random, held = Random(7), 0  # noqa: S311 -- no secret
    for _ in range(1000):
        corrections = sum(random.random() < 0.1 for _ in range(60))
        made = figures(60, corrections).corrected
        assert made
        held += made.interval[0] <= 0.1 <= made.interval[1]
    assert 930 <= held <= 990


def test_a_difference_has_an_interval_that_is_as_wide_as_both() -> None:
    found = difference(Figure(0.1, (0.05, 0.17)), Figure(0.3, (0.22, 0.4)))
    assert found.value == pytest.approx(0.2)
    low, high = found.interval
    assert low < 0.2 < high
    assert low == pytest.approx(0.2 - (0.08**2 + 0.07**2) ** 0.5)


def test_nothing_is_compared_before_both_decided() -> None:
    trial = TrialComparison()
    trial.decided("talk", "a", 0.9, 12.0)
    found = trial.as_json()
    assert found["b"] == {
        "decisions": 0, "corrections": 0, "confidence": None, "corrected": None, "latency_ms": None,
    }  # fmt: skip
    assert set(found["difference"].values()) == {None}


def test_a_correction_counts_for_who_decided_the_turn_before() -> None:
    trial = TrialComparison()
    trial.decided("one", "a", 0.9, 10.0)
    trial.decided("two", "b", 0.9, 10.0)
    trial.answered("two", is_correction=True)
    trial.answered("two", is_correction=True)
    trial.answered("one", is_correction=False)
    trial.answered("one", is_correction=True)
    assert [trial.variants[each].corrections for each in ("a", "b")] == [0, 1]


def test_another_trial_begins_anew() -> None:
    trial = TrialComparison()
    trial.begin("model", "prompt")
    trial.decided("one", "b", 0.9, 10.0)
    trial.begin("model", "prompt")
    assert trial.variants["b"].decisions == 1
    trial.begin("model", "another prompt")
    assert trial.variants["b"].decisions == 0


def test_of_many_conversations_the_last_are_remembered() -> None:
    trial = TrialComparison()
    for number in range(300):
        trial.decided(str(number), "a", 0.9, 10.0)
    trial.answered("0", is_correction=True)
    trial.answered("299", is_correction=True)
    assert trial.variants["a"].corrections == 1

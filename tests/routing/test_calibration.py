"""What a model's probability is worth is read from a table, where it is in one."""

from itertools import pairwise

from homeassistant.core import HomeAssistant
from hypothesis import given, strategies as st
import pytest

from benchmarks.reliability import Judged, fit_curve
from custom_components.bellboard.routing import calibration
from custom_components.bellboard.routing.calibration import (
    Curve,
    Curves,
    calibrate,
    curves_for,
    load_curves,
    model_key,
)
from custom_components.bellboard.routing.evidence import Support
from tests.conftest import Setup
from tests.routing.reading import choosing, traces

CURVE: Curve = [(0.2, 0.1), (0.5, 0.3), (0.9, 0.8), (1.0, 0.95)]
SMALL: Curves = {Support.OWN: CURVE}
LONGER: Curves = {Support.OWN: [(1.0, 0.5)]}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know two models."""
    curves = {"smollm2-135m": SMALL, "smollm2-135m-instruct": LONGER, "qwen3-1": LONGER}
    monkeypatch.setattr(calibration, "load_curves", lambda: curves)


def test_the_table_is_well_formed() -> None:
    tables = load_curves()
    assert list(tables) == ["smollm2-135m"], "docs/seeds.md says which"
    assert tables.keys() == {model_key(model) for model in tables}
    for model, support, curve in (
        (model, *entry) for model, curves in tables.items() for entry in curves.items()
    ):
        assert Support(support)
        assert curve, model
        for number in (number for point in curve for number in point):
            assert 0 <= number <= 1, model
        for (p, right), (next_p, next_right) in pairwise(curve):
            assert p < next_p, model
            assert right <= next_right, model


@pytest.mark.parametrize(
    ("model", "curves"),
    [
        ("smollm2-135m", SMALL),
        ("SmolLM2-135M", SMALL),
        ("smollm2:135m", SMALL),
        ("smollm2_135m.gguf", SMALL),
        ("SmolLM2-135M.Q4_1.gguf", SMALL),
        ("SmolLM2-135M-Instruct.Q4_1.gguf", LONGER),
        ("smollm2:135m-instruct-q4_1", LONGER),
        ("/models/SmolLM2-135M-Instruct.Q4_1.gguf", LONGER),
        ("C:\\models\\smollm2-135m-instruct.gguf", LONGER),
        ("HuggingFaceTB/SmolLM2-135M-Instruct", LONGER),
        ("hf.co/someone/SmolLM2-135M-Instruct-GGUF:Q4_1", LONGER),
        # Other models.
        ("smollm2-360m", {}),
        ("smollm2-135", {}),
        ("smollm2-135m2", {}),
        ("qwen3:14b", {}),
        ("", {}),
        ("gpt-5", {}),
    ],
)
@pytest.mark.usefixtures("known")
def test_a_model_is_known_by_any_spelling_of_its_name(model: str, curves: Curves) -> None:
    assert curves_for(model) == curves


@pytest.mark.parametrize(
    ("probability", "right"),
    [
        (0.0, 0.0),
        (0.1, 0.05),
        (0.2, 0.1),
        (0.35, 0.2),
        (0.5, 0.3),
        (0.7, 0.55),
        (0.9, 0.8),
        (1.0, 0.95),
    ],
)
def test_between_points_lies_a_line(probability: float, right: float) -> None:
    assert calibrate(CURVE, probability) == pytest.approx(right)


@pytest.mark.parametrize("curve", [None, []])
@given(probability=st.floats(0, 1))
def test_without_a_curve_the_model_is_taken_at_its_word(
    curve: Curve | None, probability: float
) -> None:
    assert calibrate(curve, probability) == probability


POINTS = st.lists(st.floats(0, 1), min_size=1, max_size=6, unique=True).map(sorted)


@given(at=POINTS, data=st.data(), one=st.floats(0, 1), other=st.floats(0, 1))
def test_more_is_never_worth_less(
    at: list[float], data: st.DataObject, one: float, other: float
) -> None:
    values = st.lists(st.floats(0, 1), min_size=len(at), max_size=len(at)).map(sorted)
    curve = list(zip(at, data.draw(values), strict=True))
    low, high = (calibrate(curve, probability) for probability in sorted((one, other)))
    assert -1e-9 <= low <= high + 1e-9 <= 1 + 2e-9


def test_beyond_the_last_point_nothing_is_gained() -> None:
    assert calibrate([(0.5, 0.4)], 0.9) == 0.4
    assert calibrate([(0.0, 0.2), (1.0, 0.6)], 0.0) == 0.2


async def test_a_decision_is_as_sure_as_the_models_curve_says(
    hass: HomeAssistant, speak: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    curves = {"test-model": {support: [(0.8, 0.2), (1.0, 0.4)] for support in Support}}
    text = "I could do with the kitchen counter"
    speaker = await speak(choosing("light"))
    assert speaker.model
    speaker.model.beliefs = {"light": 0.9, "music": 0.1}
    said = await speaker.say(text)
    assert said.reply == "Kitchen Counter was on already."
    monkeypatch.setattr(calibration, "load_curves", lambda: curves)
    said = await speaker.say(text)
    assert said.result.continue_conversation, "it is asked what was meant"
    taken, asked = traces(hass)
    assert [part.confidence for part in taken.parts] == [pytest.approx(0.9, abs=0.02)]
    assert [part.confidence for part in asked.parts] == [pytest.approx(0.3, abs=0.02)]


def test_a_curve_is_fitted_to_how_often_a_confidence_was_right() -> None:
    rights = {0.5: 10, 0.9: 30}
    judged = [Judged(each, number < rights[each]) for each in rights for number in range(40)]
    assert fit_curve(judged) == [(0.0, 0.25), (0.5, 0.25), (0.9, 0.75), (1.0, 0.75)]

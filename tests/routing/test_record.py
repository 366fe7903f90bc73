"""How agents did is remembered, fades, and never silences one."""

from homeassistant.core import HomeAssistant
from hypothesis import given, strategies as st
import pytest

from custom_components.bellboard.telemetry.statistics import SuccessRates
from tests.capable import brain
from tests.conftest import Setup

from .reading import assistant_of, choosing, traces
from .test_router_options import SAID


def test_nobody_has_a_record_at_first() -> None:
    assert SuccessRates().weights() == {}


def test_a_failure_costs_a_little_and_fades() -> None:
    record = SuccessRates()
    record.note("light-agent", success=True)
    assert record.weights() == {"light-agent": pytest.approx(1)}
    record.note("light-agent", success=False)
    after_failure = record.weights()["light-agent"]
    assert 0.97 < after_failure < 1
    weights = []
    for _ in range(100):
        record.note("light-agent", success=True)
        weights.append(record.weights()["light-agent"])
    assert weights == sorted(weights)
    assert weights[0] > after_failure
    assert weights[-1] == pytest.approx(1, abs=0.001)


def test_who_always_fails_keeps_half_its_weight() -> None:
    record = SuccessRates()
    for _ in range(1000):
        record.note("music-agent", success=False)
    assert record.weights() == {"music-agent": pytest.approx(0.5, abs=0.001)}


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.booleans())))
def test_weights_are_between_a_half_and_1(turns: list[tuple[str, bool]]) -> None:
    record = SuccessRates()
    for agent_id, success in turns:
        record.note(agent_id, success=success)
    assert record.weights().keys() == {agent_id for agent_id, _ in turns}
    assert all(0.5 <= weight <= 1 for weight in record.weights().values())


@pytest.mark.parametrize("learns", [False, True])
async def test_a_record_counts_only_where_it_is_wanted(
    hass: HomeAssistant, speak: Setup, learns: bool
) -> None:
    router = {"learn_from_success": learns, "confidence_threshold": 0.0}
    speaker = await speak(choosing("general"), router=router)
    assert speaker.model
    speaker.model.beliefs = {"light": 0.48, "general": 0.52}
    assistant = assistant_of(hass)
    for _ in range(200):
        assistant.record.note("general-agent", success=False)
    await speaker.say("surprise me somehow")
    [agent] = traces(hass)[-1].agents
    # With its record, talk is half as likely as the model has it.
    light = 0.48 * 0.2
    weight = 0.5 if learns else 1
    assert agent["id"] == "general-agent"
    assert agent["confidence"] == pytest.approx(0.52 * weight / (0.52 * weight + light), abs=0.02)


async def test_turns_are_noted(hass: HomeAssistant, speak: Setup) -> None:
    speaker = await speak()
    await speaker.say("turn on the floor lamp")
    await speaker.say("make it cosy and whatnot")
    weights = assistant_of(hass).record.weights()
    assert weights["light-agent"] == 1
    assert weights["home-agent"] < 1


@pytest.mark.parametrize("learns", [False, True])
@pytest.mark.parametrize("contract", ["small", "capable"])
async def test_a_number_that_a_model_writes_is_weighed_with_the_record(
    hass: HomeAssistant, speak: Setup, contract: str, *, learns: bool
) -> None:
    router = {"learn_from_success": learns, "confidence_threshold": 0.0}
    answer = (
        brain(("general", SAID, 0.8))
        if contract == "capable"
        else choosing("general", confidence=0.8)
    )
    speaker = await speak(answer, contract=contract, router=router)
    assert speaker.model
    speaker.model.refuses = frozenset({"logprobs", "top_logprobs"})
    assistant = assistant_of(hass)
    for _ in range(200):
        assistant.record.note("general-agent", success=False)
    await speaker.say(SAID)
    [agent] = traces(hass)[-1].agents
    assert agent["id"] == "general-agent"
    expected = 0.8 * 0.5 / (0.8 * 0.5 + 0.2) if learns else 0.8
    assert agent["confidence"] == pytest.approx(expected, abs=0.01)

"""The router's decision is written and read as its contract shows it."""

from typing import Any

from pydantic import ValidationError
import pytest

from custom_components.bellboard.routing.models import AgentChoiceResult, Assignment, Route, Source

SINGLE = {
    "agentId": "light-agent",
    "confidence": 0.95,
    "reasoning": "User request explicitly mentions 'lights' which matches light-agent capabilities "
    "(lighting control, scenes).",
}
MULTIPLE = {
    "agentId": "light-agent",
    "confidence": 0.88,
    "reasoning": "Request requires both lighting adjustment and music playback.",
    "additionalAgents": ["music-agent"],
}


@pytest.mark.parametrize("example", [SINGLE, MULTIPLE], ids=["single", "multiple"])
def test_the_contracts_examples_come_back_unchanged(example: dict[str, Any]) -> None:
    assert AgentChoiceResult.model_validate(example).as_json() == example


@pytest.mark.parametrize(
    "given",
    [
        {"agentId": "a", "confidence": 0.5},
        {"AgentId": "a", "Confidence": 0.5},
        {"AGENTID": "a", "CONFIDENCE": 0.5},
        {"agent_id": "a", "confidence": 0.5},
        {"agentId": "a", "confidence": "0.5"},
        {"agentId": "a", "confidence": 0.5, "reasoning": None, "additionalAgents": None},
        {"agentId": "a", "confidence": 0.5, "unknown": {"x": 1}},
    ],
)
def test_any_case_and_numbers_as_strings_are_read(given: dict[str, Any]) -> None:
    assert AgentChoiceResult.model_validate(given).as_json() == {"agentId": "a", "confidence": 0.5}


@pytest.mark.parametrize(
    "given",
    [
        {"confidence": 0.5},
        {"agentId": "a"},
        {"agentId": "", "confidence": 0.5},
        {"agentId": "a", "confidence": 1.1},
        {"agentId": "a", "confidence": -0.1},
        {"agentId": "a", "confidence": "sure"},
        {"agentId": "a", "confidence": 0.5, "additionalAgents": "music-agent"},
        [],
        None,
    ],
)
def test_what_the_contract_forbids_is_refused(given: Any) -> None:
    with pytest.raises(ValidationError):
        AgentChoiceResult.model_validate(given)


def assigned(agent_id: str, text: str, confidence: float = 1.0, reason: str = "") -> Assignment:
    return Assignment(
        agent_id=agent_id,
        instruction=text,
        confidence=confidence,
        source=Source.MODEL,
        reason=reason,
    )


def test_a_route_is_as_certain_as_its_least_certain_part() -> None:
    route = Route((assigned("a", "x", 0.9, "because"), assigned("b", "y", 0.7), assigned("b", "z")))
    assert route.choice.as_json() == {
        "agentId": "a",
        "confidence": 0.7,
        "reasoning": "because",
        "additionalAgents": ["b"],
        "instructions": {"a": "x", "b": "y, z"},
    }


def test_the_primary_agent_is_not_among_the_others() -> None:
    route = Route((assigned("a", "x"), assigned("b", "y"), assigned("a", "z")))
    assert route.choice.additional_agents == ["b"]
    assert route.choice.instructions == {"a": "x, z", "b": "y"}

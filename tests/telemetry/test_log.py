"""Routing is logged in the contract's words, and what was said only where its owner wants that."""

import logging

import pytest

from custom_components.bellboard.routing.log import (
    log_low_confidence,
    log_no_agents,
    log_no_choice,
    log_routing_decision,
)
from custom_components.bellboard.turn.decision import log_utterance

LOGGER = "custom_components.bellboard.routing"
FIELDS = ("event_id", "executor", "agent_id", "confidence")


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What is logged, all of it."""
    caplog.set_level(logging.DEBUG, LOGGER)
    return caplog


def test_a_decision(log: pytest.LogCaptureFixture) -> None:
    log_routing_decision("light-agent", 0.876)
    (record,) = log.records
    assert (record.name, record.levelno) == (LOGGER, logging.INFO)
    assert record.getMessage() == (
        "Routing decision: selected agent 'light-agent' with confidence 0.88"
    )
    fields = {name: record.__dict__[name] for name in FIELDS}
    assert fields == {
        "event_id": 1001,
        "executor": "RouterExecutor",
        "agent_id": "light-agent",
        "confidence": 0.876,
    }


def test_a_low_confidence(log: pytest.LogCaptureFixture) -> None:
    log_low_confidence("music-agent", 0.4)
    (record,) = log.records
    assert (record.name, record.levelno) == (LOGGER, logging.INFO)
    assert record.getMessage() == (
        "Low confidence routing: agent 'music-agent' confidence 0.40, returning clarification"
    )
    fields = {name: record.__dict__[name] for name in FIELDS}
    assert fields == {
        "event_id": 1002,
        "executor": "RouterExecutor",
        "agent_id": "music-agent",
        "confidence": 0.4,
    }


def test_no_agents(log: pytest.LogCaptureFixture) -> None:
    log_no_agents()
    (record,) = log.records
    assert (record.name, record.levelno) == (LOGGER, logging.WARNING)
    assert record.getMessage() == "RouterExecutor invoked with no registered agents; falling back"
    assert (record.__dict__["event_id"], record.__dict__["executor"]) == (1003, "RouterExecutor")


def test_a_model_that_gives_no_choice(log: pytest.LogCaptureFixture) -> None:
    log_no_choice("The server is not reachable.")
    (record,) = log.records
    assert (record.name, record.levelno) == (LOGGER, logging.WARNING)
    assert record.getMessage() == "The router's model gave no choice: The server is not reachable."
    told = record.__dict__["executor"], record.__dict__["cause"]
    assert told == ("RouterExecutor", "The server is not reachable.")


def test_what_was_said_is_a_number(log: pytest.LogCaptureFixture) -> None:
    log_utterance("open the safe", reveal=False)
    (record,) = log.records
    assert record.levelno == logging.DEBUG
    assert record.getMessage() == "Heard 13 characters"
    assert "safe" not in repr(record.__dict__)


def test_what_was_said_is_shown_to_whoever_asks_on_one_line(
    log: pytest.LogCaptureFixture,
) -> None:
    log_utterance("open\nERROR the safe", reveal=True)
    (record,) = log.records
    assert record.levelno == logging.DEBUG
    assert record.getMessage() == "Heard 'open\\nERROR the safe'"

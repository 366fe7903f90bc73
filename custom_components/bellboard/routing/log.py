"""Log lines of routing (RouterExecutor contract, Structured Logging); of a sentence only its length."""

import logging

from .models import EXECUTOR_ID

_LOGGER = logging.getLogger("custom_components.bellboard.routing")


def log_routing_decision(agent_id: str, confidence: float) -> None:
    """Log who was chosen; `confidence` is between 0 and 1."""
    _LOGGER.info(
        "Routing decision: selected agent '%s' with confidence %.2f",
        agent_id,
        confidence,
        extra=_told(1001, agent_id, confidence),
    )


def log_low_confidence(agent_id: str, confidence: float) -> None:
    """Log a choice below the threshold. No warning: people say unclear things all day."""
    _LOGGER.info(
        "Low confidence routing: agent '%s' confidence %.2f, returning clarification",
        agent_id,
        confidence,
        extra=_told(1002, agent_id, confidence),
    )


def log_no_agents() -> None:
    """Log that there were no agents to choose from."""
    _LOGGER.warning(
        "%s invoked with no registered agents; falling back",
        EXECUTOR_ID,
        extra={"event_id": 1003, "executor": EXECUTOR_ID},
    )


def log_no_choice(cause: str) -> None:
    """Log why a model gave no choice; `cause` is a fixed phrase of ours."""
    _LOGGER.warning(
        "The router's model gave no choice: %s",
        cause,
        extra={"executor": EXECUTOR_ID, "cause": cause},
    )


def _told(event_id: int, agent_id: str, confidence: float) -> dict[str, object]:
    """Return the fields of a decision's log record."""
    return {
        "event_id": event_id,
        "executor": EXECUTOR_ID,
        "agent_id": agent_id,
        "confidence": confidence,
    }

"""Telemetry events, one for each stage of a turn (Agent router orchestration, Telemetry Event Schema)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Protocol

from pydantic import BaseModel, Field


class Stage(StrEnum):
    """The stages of a turn, in order."""

    RECEIVED = "received"
    INTENTS_ELIGIBLE = "intents_eligible"
    INTENT_CLASSIFIED = "intent_classified"
    PLAN_CREATED = "plan_created"
    PLAN_COMMUNICATED = "plan_communicated"
    POLICY_CHECK = "policy_check"
    TOOL_EXECUTE = "tool_execute"
    RESPOND = "respond"


class Level(StrEnum):
    """The severity of an event."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class TelemetryEvent(BaseModel, frozen=True):
    """One stage of one turn.

    `timestamp` is ISO 8601, `interaction_id` the turn's id, `session_id` the conversation's.
    `payload` differs with the stage; `agent_id` and `intent_id` are in it wherever they are known.
    """

    timestamp: str
    interaction_id: str
    session_id: str
    stage: Stage
    level: Level = Level.INFO
    payload: dict[str, Any] = Field(default_factory=dict)


class TelemetrySink(Protocol):
    """Takes events. `record` returns at once: what takes time is done elsewhere."""

    def record(self, event: TelemetryEvent) -> None:
        """Take an event."""
        ...


class TurnSink(TelemetrySink, Protocol):
    """Takes the events of turns, and knows which parameters it redacts."""

    def redacted(self, names: Iterable[str], *ids: str) -> list[str]:
        """Return those names, sorted, whose values are redacted; `ids` are those of an intent and an agent."""
        ...


class NoSink:
    """Drops all events."""

    def record(self, event: TelemetryEvent) -> None:
        """Drop the event."""

    def redacted(self, names: Iterable[str], *ids: str) -> list[str]:
        """Return that nothing is redacted."""
        return []


PAYLOAD_FIELDS = frozenset(
    {
        "allowed", "eligible", "fallback", "intent_id", "memory", "message", "model", "ok",
        "redacted_params", "steps", "tool", "unknown_intent", "waiting_for_param",
    }
)  # fmt: skip
"""The names of all payloads' own fields."""

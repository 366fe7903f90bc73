"""Telemetry events, one for each stage of a turn (Agent router orchestration, Telemetry Event Schema)."""

from enum import StrEnum
from typing import Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field


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


class NoSink:
    """Drops all events."""

    def record(self, event: TelemetryEvent) -> None:
        """Drop the event."""


class Payload(BaseModel):
    """A payload. `_optional` are its fields that are left out where they say nothing."""

    model_config = ConfigDict(extra="allow", frozen=True)

    _optional: ClassVar[frozenset[str]] = frozenset()

    def as_payload(self) -> dict[str, Any]:
        """Return the JSON object."""
        found = self.model_dump(mode="json")
        return {name: value for name, value in found.items() if value or name not in self._optional}


class MemoryPayload(Payload):
    """What is known of the conversation at the first stage.

    `history_count` is the number of messages, with the one that was just said. `params_keys` are the
    names of parameters that are known already, `waiting_for_param` is the one that was asked for.
    """

    history_count: int = Field(ge=0)
    params_keys: list[str]
    waiting_for_param: str | None


class ReceivedPayload(Payload):
    """Stage `received`."""

    memory: MemoryPayload


class IntentsEligiblePayload(Payload):
    """Stage `intents_eligible`: the ids of eligible agents."""

    eligible: list[str]


class IntentClassifiedPayload(Payload):
    """Stage `intent_classified`. `redacted_params` are the names of parameters with redacted values."""

    intent_id: str
    redacted_params: list[str]


class UnknownIntentPayload(Payload):
    """Stage `intent_classified` without an intent."""

    intent_id: None = None
    unknown_intent: Literal[True] = True


class PlanCreatedPayload(Payload):
    """Stage `plan_created`: the kinds of the plan's steps, in order, and the `model` that was asked for it."""

    _optional: ClassVar[frozenset[str]] = frozenset({"model"})

    intent_id: str
    steps: list[Literal["respond", "tool_call", "ask_user"]]
    model: str = ""


class PlanCommunicatedPayload(Payload):
    """Stage `plan_communicated`: what is said before anything is done."""

    message: str


class PolicyCheckPayload(Payload):
    """Stage `policy_check`: whether a call may be made."""

    allowed: bool


class ToolExecutePayload(Payload):
    """Stage `tool_execute`: whether a call was verified; `tool` is its action."""

    ok: bool
    tool: str


class RespondPayload(Payload):
    """Stage `respond`: the reply.

    `waiting_for_param` is the parameter that is asked for. `fallback`: the fallback agent replied;
    `unknown_intent`: because the intent was unknown.
    """

    _optional: ClassVar[frozenset[str]] = frozenset(
        {"waiting_for_param", "fallback", "unknown_intent"}
    )

    message: str
    waiting_for_param: str | None = None
    fallback: bool = False
    unknown_intent: bool = False


PAYLOAD_FIELDS = frozenset(
    name
    for model in (
        ReceivedPayload,
        IntentsEligiblePayload,
        IntentClassifiedPayload,
        UnknownIntentPayload,
        PlanCreatedPayload,
        PlanCommunicatedPayload,
        PolicyCheckPayload,
        ToolExecutePayload,
        RespondPayload,
    )
    for name in model.model_fields
)
"""The names of all payloads' own fields."""

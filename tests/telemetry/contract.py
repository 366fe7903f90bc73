"""What every turn's events must be, whatever was said."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
import json
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from custom_components.bellboard.telemetry.trace import Stage, TelemetryEvent


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


_ORDER = tuple(Stage)
_REPEATED = {
    Stage.INTENT_CLASSIFIED,
    Stage.PLAN_CREATED,
    Stage.PLAN_COMMUNICATED,
    Stage.POLICY_CHECK,
}
_PAYLOADS: dict[Stage, type[Payload]] = {
    Stage.RECEIVED: ReceivedPayload,
    Stage.INTENTS_ELIGIBLE: IntentsEligiblePayload,
    Stage.INTENT_CLASSIFIED: IntentClassifiedPayload,
    Stage.PLAN_CREATED: PlanCreatedPayload,
    Stage.PLAN_COMMUNICATED: PlanCommunicatedPayload,
    Stage.POLICY_CHECK: PolicyCheckPayload,
    Stage.TOOL_EXECUTE: ToolExecutePayload,
    Stage.RESPOND: RespondPayload,
}


def read_payload(event: TelemetryEvent) -> Payload:
    """Return what an event holds.

    Raises:
        ValidationError: it does not hold what it should at its stage.
    """
    model = _PAYLOADS[event.stage]
    if event.stage is Stage.INTENT_CLASSIFIED and event.payload.get("intent_id") is None:
        model = UnknownIntentPayload
    return model.model_validate(event.payload)


def check_turn(events: Sequence[TelemetryEvent]) -> None:
    """Check the events of one turn: what they hold, their ids, and in which order they come.

    The parts of a sentence follow each other, so that one may be classified after another's call. From the
    first classification on every event says whose it is, and of which intent.

    Raises:
        AssertionError: they are not as they must be.
        ValidationError: an event does not hold what it should at its stage.
    """
    for event in events:
        read_payload(event)
        assert TelemetryEvent.model_validate_json(event.model_dump_json()) == event
        json.dumps(event.payload, allow_nan=False)
        assert datetime.fromisoformat(event.timestamp).tzinfo
    stages = [event.stage for event in events]
    assert stages[0] is Stage.RECEIVED
    assert stages[-1] is Stage.RESPOND
    assert stages.count(Stage.RECEIVED) == stages.count(Stage.RESPOND) == 1
    assert stages.count(Stage.INTENTS_ELIGIBLE) == 1
    for event in events[stages.index(Stage.INTENT_CLASSIFIED) :]:
        assert event.payload.get("agent_id"), event
        assert not str(event.payload.get("intent_id", "<")).startswith("<"), event
        is_unknown = event.payload.get("unknown_intent", False)
        assert (event.payload["intent_id"] is None) is is_unknown
    assert len({event.interaction_id for event in events}) == 1
    assert len({event.session_id for event in events}) == 1
    times = [event.timestamp for event in events]
    assert times == sorted(times)
    for before, after in pairwise(stages):
        if _ORDER.index(after) < _ORDER.index(before):
            assert after in _REPEATED, stages

"""What every turn's events must be, whatever was said."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
import json

from custom_components.bellboard.telemetry.events import (
    IntentClassifiedPayload,
    IntentsEligiblePayload,
    Payload,
    PlanCommunicatedPayload,
    PlanCreatedPayload,
    PolicyCheckPayload,
    ReceivedPayload,
    RespondPayload,
    Stage,
    TelemetryEvent,
    ToolExecutePayload,
    UnknownIntentPayload,
)

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

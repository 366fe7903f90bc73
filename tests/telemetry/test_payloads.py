"""Events hold at each stage what the orchestration says, and are printed as it shows."""

import ast
import io
from typing import Any

from pydantic import ValidationError
import pytest

from custom_components.bellboard.telemetry.basic_sinks import PrintSink
from custom_components.bellboard.telemetry.trace import PAYLOAD_FIELDS, Level, Stage, TelemetryEvent

from .contract import (
    IntentClassifiedPayload,
    MemoryPayload,
    Payload,
    PlanCreatedPayload,
    ReceivedPayload,
    RespondPayload,
    ToolExecutePayload,
    UnknownIntentPayload,
    check_turn,
    read_payload,
)

EXAMPLES = """\
{'interaction_id': 'msg-1760559239521',
 'level': 'info',
 'payload': {'memory': {'history_count': 1,
                        'params_keys': [],
                        'waiting_for_param': None}},
 'session_id': 'ui-6f85ba29',
 'stage': 'received'}

{'interaction_id': 'msg-1760559239521',
 'level': 'info',
 'payload': {'eligible': ['order_status']},
 'session_id': 'ui-6f85ba29',
 'stage': 'intents_eligible'}

{'interaction_id': 'msg-1760559255229',
 'level': 'info',
 'payload': {'memory': {'history_count': 2,
                        'params_keys': [],
                        'waiting_for_param': None}},
 'session_id': 'ui-6f85ba29',
 'stage': 'received'}

{'interaction_id': 'msg-1760559255229',
 'level': 'info',
 'payload': {'eligible': ['order_status']},
 'session_id': 'ui-6f85ba29',
 'stage': 'intents_eligible'}

"""

MEMORY = {"history_count": 3, "params_keys": ["position"], "waiting_for_param": "position"}

RIGHT: list[tuple[Stage, dict[str, Any]]] = [
    (Stage.RECEIVED, {"memory": MEMORY}),
    (Stage.INTENTS_ELIGIBLE, {"eligible": []}),
    (Stage.INTENT_CLASSIFIED, {"intent_id": "HassTurnOn", "redacted_params": []}),
    (Stage.INTENT_CLASSIFIED, {"intent_id": None, "unknown_intent": True}),
    (Stage.PLAN_CREATED, {"intent_id": "x", "steps": ["respond", "tool_call", "ask_user"]}),
    (Stage.PLAN_COMMUNICATED, {"message": "One moment."}),
    (Stage.POLICY_CHECK, {"allowed": False}),
    (Stage.TOOL_EXECUTE, {"ok": True, "tool": "light.turn_on"}),
    (Stage.RESPOND, {"message": "Done."}),
    (Stage.RESPOND, {"message": "Which one?", "waiting_for_param": "entity"}),
    (Stage.RESPOND, {"message": "Pardon?", "fallback": True, "unknown_intent": True}),
]

WRONG: list[tuple[Stage, dict[str, Any]]] = [
    (Stage.RECEIVED, {}),
    (Stage.RECEIVED, {"memory": {"history_count": 1, "params_keys": []}}),
    (Stage.RECEIVED, {"memory": MEMORY | {"history_count": -1}}),
    (Stage.INTENTS_ELIGIBLE, {"eligible": "light-agent"}),
    (Stage.INTENT_CLASSIFIED, {"redacted_params": [], "unknown_intent": False}),
    (Stage.INTENT_CLASSIFIED, {"intent_id": "HassTurnOn"}),
    (Stage.PLAN_CREATED, {"intent_id": None, "steps": []}),
    (Stage.PLAN_CREATED, {"intent_id": "x", "steps": ["dance"]}),
    (Stage.PLAN_COMMUNICATED, {}),
    (Stage.POLICY_CHECK, {"allowed": None}),
    (Stage.TOOL_EXECUTE, {"ok": True}),
    (Stage.RESPOND, {"message": None}),
]


def event(stage: Stage, payload: dict[str, Any], at: int = 0) -> TelemetryEvent:
    """Return an event of a turn that began `at` milliseconds ago."""
    return TelemetryEvent(
        timestamp=f"2026-11-02T08:00:00.{at:03}Z",
        interaction_id="turn-1",
        session_id="talk",
        stage=stage,
        payload=payload,
    )


def test_the_examples_are_read_and_printed_unchanged() -> None:
    printed = io.StringIO()
    sink = PrintSink(printed)
    for example in EXAMPLES.split("\n\n")[:-1]:
        parsed = TelemetryEvent.model_validate(ast.literal_eval(example) | {"timestamp": ""})
        read_payload(parsed)
        sink.record(parsed)
    assert printed.getvalue() == EXAMPLES


def test_without_a_stream_what_is_the_standard_output_is_printed_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    PrintSink().record(event(Stage.RESPOND, {"message": "Done."}))
    printed = ast.literal_eval(capsys.readouterr().out)
    assert printed["payload"] == {"message": "Done."}
    assert "timestamp" not in printed


@pytest.mark.parametrize(("stage", "payload"), RIGHT)
def test_what_is_as_it_should_be_stays_as_it_is_with_all_that_is_added(
    stage: Stage, payload: dict[str, Any]
) -> None:
    more = {"agent_id": "light-agent", "variant": "a"}
    found = read_payload(event(stage, payload | more))
    assert type(found) is not Payload
    assert found.as_payload() == payload | more
    assert payload.keys() <= PAYLOAD_FIELDS


@pytest.mark.parametrize(("stage", "payload"), WRONG)
def test_what_lacks_something_is_refused(stage: Stage, payload: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        read_payload(event(stage, payload))


def test_payloads_are_made_as_the_orchestration_writes_them() -> None:
    memory = MemoryPayload(history_count=1, params_keys=[], waiting_for_param=None)
    assert ReceivedPayload(memory=memory).as_payload() == {
        "memory": {"history_count": 1, "params_keys": [], "waiting_for_param": None}
    }
    assert UnknownIntentPayload().as_payload() == {"intent_id": None, "unknown_intent": True}
    classified = IntentClassifiedPayload(intent_id="HassTurnOn", redacted_params=[])
    assert classified.as_payload() == {"intent_id": "HassTurnOn", "redacted_params": []}
    plan = PlanCreatedPayload(intent_id="x", steps=["tool_call"])
    assert plan.as_payload() == {"intent_id": "x", "steps": ["tool_call"]}
    assert ToolExecutePayload(ok=False, tool="light.turn_on").as_payload()["ok"] is False
    assert RespondPayload(message="").as_payload() == {"message": ""}
    unknown = RespondPayload(message="Pardon?", fallback=True, unknown_intent=True)
    assert unknown.as_payload() == {"message": "Pardon?", "fallback": True, "unknown_intent": True}


IDS = {"agent_id": "light-agent", "intent_id": "HassTurnOn"}
TURN = [event(stage, IDS | payload, at) for at, (stage, payload) in enumerate([
    *RIGHT[:3], RIGHT[4], RIGHT[6], RIGHT[7], RIGHT[4], RIGHT[6], RIGHT[7], RIGHT[8]
])]  # fmt: skip


def test_a_turn_is_checked() -> None:
    check_turn(TURN)
    wrong = [
        TURN[1:],
        TURN[:-1],
        [TURN[0], TURN[2], TURN[1], *TURN[3:]],
        [*TURN[:-1], TURN[-1].model_copy(update={"interaction_id": "turn-2"})],
        [*TURN[:-1], TURN[-1].model_copy(update={"payload": {"message": "Done."}})],
        [
            *TURN[:-1],
            TURN[-1].model_copy(
                update={"payload": {**IDS, "intent_id": "<9 characters>", "message": ""}}
            ),
        ],
        [*TURN[:-1], TURN[-1].model_copy(update={"timestamp": "2020-01-01T00:00:00Z"})],
    ]
    for events in wrong:
        with pytest.raises(AssertionError):
            check_turn(events)


def test_a_level_is_one_of_three() -> None:
    assert [level.value for level in Level] == ["info", "warn", "error"]
    with pytest.raises(ValidationError):
        TelemetryEvent.model_validate(TURN[0].model_dump() | {"level": "fatal"})

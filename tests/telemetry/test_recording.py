"""Each decision is counted, unless its owner does not want that; what was said is in no log."""

import logging
from typing import Any

from homeassistant.core import HomeAssistant
from opentelemetry.trace import SpanKind, StatusCode
import pytest

from custom_components.bellboard.telemetry import otel
from custom_components.bellboard.turn import decision as decision_module
from tests.conftest import Setup

from .conftest import Collector

SECRET = "surprise me with the xylophone"


def talking(_messages: Any, schema: dict[str, Any] | None) -> Any:
    """Choose talk, and say something."""
    return {"agentId": "general"} if schema else "Hello."


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Return the metrics that are recorded from now on: agent and time."""
    found: list[tuple[str, float]] = []
    monkeypatch.setattr(
        decision_module,
        "record_decision",
        lambda choice, ms: found.append((choice.agent_id, ms)),
    )
    return found


async def test_a_sentence_arrives_at_opentelemetry_without_its_words(
    speak: Setup, opentelemetry: Collector
) -> None:
    speaker = await speak(talking)
    assert (await speaker.say(SECRET)).reply == "Hello."
    span = opentelemetry.span()
    assert (span.name, span.kind) == ("RouterExecutor.Route", SpanKind.INTERNAL)
    assert span.status.status_code is StatusCode.OK
    attributes = dict(span.attributes or {})
    confidence = attributes.pop("agent.confidence")
    assert isinstance(confidence, float)
    assert 0 < confidence <= 1
    assert attributes == {
        "executor.id": "RouterExecutor",
        "messaging.operation": "route",
        "messaging.message.type": "ChatMessage",
        # Lights, music, climate, the home and talk.
        "agent.available_count": 5,
        "agent.selected": "general-agent",
        "agent.additional_count": 0,
    }
    points = opentelemetry.points()
    bucket = otel.confidence_bucket(confidence)
    counted = f"agent.id=general-agent,confidence.bucket={bucket}"
    assert points["bellboard.routing.decisions"][counted].value == 1
    latency = points["bellboard.routing.latency"]["agent.id=general-agent"]
    assert latency.count == 1
    assert latency.sum > 0
    measured = points["bellboard.routing.confidence"]["agent.id=general-agent"]
    assert (measured.count, measured.sum) == (1, confidence)
    told = f"{span.to_json()}{opentelemetry.reader.get_metrics_data()}"
    assert "xylophone" not in told


async def test_each_decision_is_counted(
    hass: HomeAssistant, speak: Setup, recorded: list[tuple[str, float]]
) -> None:
    speaker = await speak(talking)
    await speaker.say(SECRET)
    await speaker.say("turn on the floor lamp")
    assert [agent_id for agent_id, _ in recorded] == ["general-agent", "light-agent"]
    assert all(ms > 0 for _, ms in recorded)
    [entry] = hass.config_entries.async_entries("bellboard")
    [assistant] = entry.runtime_data.assistants.values()
    assert assistant.statistics.decisions == 2
    assert assistant.statistics.by_agent == {"general-agent": 1, "light-agent": 1}
    assert assistant.statistics.fallbacks == 0


async def test_nothing_is_measured_where_it_is_not_wanted(
    speak: Setup, recorded: list[tuple[str, float]]
) -> None:
    speaker = await speak(talking, dispatch={"enable_telemetry": False})
    assert (await speaker.say(SECRET)).reply == "Hello."
    assert recorded == []


@pytest.mark.parametrize("debug_text", [False, True])
@pytest.mark.parametrize("answer", [talking, lambda *_: "no", lambda *_: '{"agentId":"xylophone"}'])
async def test_what_was_said_is_a_length_in_the_log_unless_its_owner_wants_it(
    speak: Setup, caplog: pytest.LogCaptureFixture, answer: Any, *, debug_text: bool
) -> None:
    speaker = await speak(answer, debug_text=debug_text)
    caplog.clear()
    caplog.set_level(logging.DEBUG)
    await speaker.say(SECRET)
    ours = [record.getMessage() for record in caplog.records if "bellboard" in record.name]
    told = [message for message in ours if "xylophone" in message]
    if debug_text:
        assert told == [f"Heard '{SECRET}'"]
    else:
        assert told == []
        assert f"Heard {len(SECRET)} characters" in ours


async def test_a_decision_is_logged_in_the_contracts_words(
    speak: Setup, caplog: pytest.LogCaptureFixture
) -> None:
    speaker = await speak(talking)
    caplog.set_level(logging.INFO)
    await speaker.say(SECRET)
    assert "Routing decision: selected agent 'general-agent' with confidence" in caplog.text
    caplog.clear()
    assert (await speaker.say("turn on the floor lamp")).changes
    assert "Routing decision" not in caplog.text, "no model decided that"
